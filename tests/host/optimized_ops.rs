//! Knowledge of the optimizer about the ops that are built in: which bytes each touches, so that those on parts of one buffer run side by
//! side, and those that share bytes stay in order.

use graphcap::core::{Buffer, Coefficient, Context, Draw, FillOf, OwnedWork, Rng, Stream};
use graphcap::driver::{
    ConditionalKind, DeviceChoice, DeviceKind, Fft, FftDirection, MathMode, NodeKind, Sgemm, SgemmWorkspace,
    StreamOptions,
};
use graphcap::kit::ops::{ConditionalOp, FftOp, RngUniformOp, SgemmOp};
use graphcap::kit::{optimize, reasons, Barrier, GraphOp, OptimizeOptions, Reason, Script};
use graphcap::rules::CaptureMode;

/// Ops of each test.
const OPS: usize = 4;

fn host() -> (Context, Stream) {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    (context, stream)
}

/// The nodes on the longest path, and those that keep their place, when the ops are optimized as a graph.
fn longest_path<O: GraphOp + 'static>(stream: &Stream, ops: impl IntoIterator<Item = O>) -> (usize, usize) {
    let script = Script::create(stream.context());
    ops.into_iter().for_each(|op| script.push(op).unwrap());
    let graph = script.record(stream, CaptureMode::ThreadLocal).unwrap();
    let report = optimize(&graph, &OptimizeOptions::default()).unwrap().1;
    (report.longest_path.1, report.barriers.len())
}

/// Two matrices of 8 x 8 each, 100 elements apart.
const PRODUCT: Sgemm = Sgemm {
    m: 8,
    n: 8,
    k: 8,
    transpose_a: false,
    transpose_b: false,
    leading: [8; 3],
    stride: [0, 64, 100],
    batch: 2,
    mode: MathMode::Float32,
    workspace: SgemmWorkspace::OfStream,
};

#[test]
fn products_on_parts_of_one_buffer_run_side_by_side() {
    let (context, stream) = host();
    let [a, b, c] = PRODUCT.extents().unwrap().map(|bytes| bytes as usize);
    let arena = Buffer::allocate(&context, (a + b + c) * OPS).unwrap();
    let product = |from: usize| SgemmOp {
        sgemm: PRODUCT,
        matrices: [(arena.clone(), from), (arena.clone(), from + a), (arena.clone(), from + a + b)],
        alpha: Coefficient::Value(1.0),
        beta: Coefficient::Value(0.0),
    };
    assert_eq!(longest_path(&stream, (0..OPS).map(|op| product(op * (a + b + c)))), (1, 0));
    // Each of these reads what the one before wrote at the very end of its second C.
    assert_eq!(longest_path(&stream, (0..OPS).map(|op| product(op * (a + b + c - 4)))), (OPS, 0));
}

#[test]
fn fills_of_parts_of_one_buffer_run_side_by_side() {
    let (context, stream) = host();
    let rng = Rng::create(&stream, 1, 0).unwrap();
    let arena = Buffer::allocate(&context, 100 * OPS * 4).unwrap();
    let fill =
        |from: usize, draw| RngUniformOp { rng: rng.clone(), buffer: arena.clone(), offset: from, count: 100, draw };
    let repeat = Draw::Repeat { first: 0 };
    assert_eq!(longest_path(&stream, (0..OPS).map(|op| fill(op * 400, repeat))), (1, 0));
    assert_eq!(longest_path(&stream, (0..OPS).map(|op| fill(op * 396, repeat))), (OPS, 0));
    // All of them are behind the node that takes their numbers.
    assert_eq!(longest_path(&stream, (0..OPS).map(|op| fill(op * 400, Draw::Next))), (2, 0));
}

#[test]
fn transforms_on_parts_of_one_buffer_run_side_by_side() {
    let (context, stream) = host();
    for direction in [FftDirection::RealToComplex, FftDirection::ComplexToReal] {
        let fft = Fft { direction, length: 6, batch: 2, input_distance: 6, output_distance: 6 };
        let [input, output] = fft.extents().unwrap().map(|bytes| (bytes as usize).next_multiple_of(8));
        let arena = Buffer::allocate(&context, (input + output) * OPS).unwrap();
        let op = |from: usize| FftOp::new(fft, (arena.clone(), from), (arena.clone(), from + input));
        assert_eq!(longest_path(&stream, (0..OPS).map(|index| op(index * (input + output)))), (1, 0), "{direction:?}");
        assert_eq!(longest_path(&stream, (0..OPS).map(|index| op(index * output))), (OPS, 0), "{direction:?}");
    }
}

#[test]
fn conditions_are_set_in_their_place_and_that_is_told() {
    let (context, stream) = host();
    let buffer = Buffer::allocate(&context, 64).unwrap();
    let (script, body) = (Script::create(&context), Script::create(&context));
    body.push(OwnedWork::Memset(FillOf::bytes(&buffer, 7))).unwrap();
    script.push(ConditionalOp::new(ConditionalKind::If, &buffer, 0, &[body]).unwrap()).unwrap();
    let graph = script.record(&stream, CaptureMode::ThreadLocal).unwrap();
    for trusts_parameters in [false, true] {
        let options = OptimizeOptions { trusts_parameters, ..OptimizeOptions::default() };
        let barriers: Vec<_> = (reasons(&graph, &options).unwrap().iter())
            .filter_map(|reason| match reason {
                Reason::Place { barrier, .. } => Some(*barrier),
                _ => None,
            })
            .collect();
        assert_eq!(barriers, [Barrier::SetsCondition, Barrier::Kind(NodeKind::Conditional)]);
    }
}
