//! Random numbers on the host device: what replays, branches, bodies and eager fills draw, against the sequence itself.

use std::ffi::c_void;

use graphcap::core::{Buffer, Context, Draw, Event, Graph, NodeParams, NodeWork, RandomFill, Rng, Scalar, Stream};
use graphcap::driver::{ConditionalKind, DeviceChoice, DeviceKind, EventOptions, NodeId, NodeKind, StreamOptions};
use graphcap::kit::ops::{ConditionalOp, RngUniformOp};
use graphcap::kit::{optimize, OptimizeOptions, Script};
use graphcap::rules::philox::Sequence;
use graphcap::rules::CaptureMode;
use graphcap::Status;

const SEQUENCE: Sequence = Sequence { seed: 0x0123_4567_89ab_cdef, subsequence: 5 };

struct Bed {
    context: Context,
    stream: Stream,
    rng: Rng,
}

fn bed() -> Bed {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let rng = Rng::create(&stream, SEQUENCE.seed, SEQUENCE.subsequence).unwrap();
    // The state is written in the order of that stream; some tests draw on others.
    stream.synchronize().unwrap();
    Bed { context, stream, rng }
}

impl Bed {
    fn floats(&self, count: usize) -> Buffer {
        Buffer::allocate(&self.context, 4 * count).unwrap()
    }

    fn stream(&self) -> Stream {
        Stream::create(&self.context, StreamOptions::default()).unwrap()
    }

    fn read(&self, buffer: &Buffer) -> Vec<f32> {
        let mut floats = vec![f32::NAN; buffer.size() / 4];
        let pointer: *mut c_void = floats.as_mut_ptr().cast();
        self.context.synchronize().unwrap();
        // SAFETY: the list has as many bytes, and is there until the copy is over.
        unsafe { self.stream.memcpy_dtoh(pointer, buffer, 0, buffer.size()) }.unwrap();
        self.stream.synchronize().unwrap();
        floats
    }

    fn fill(&self, stream: &Stream, buffer: &Buffer) {
        self.rng.fill_uniform(stream, &next(buffer)).unwrap();
    }

    fn capture(&self, record: impl FnOnce(&Stream)) -> Graph {
        let record = |stream: &Stream| {
            record(stream);
            Ok::<(), graphcap::Error>(())
        };
        self.stream.capture(CaptureMode::Relaxed, record).unwrap()
    }

    /// The offset that the generator has now.
    fn offset(&self) -> u64 {
        self.context.synchronize().unwrap();
        self.rng.offset(&self.stream).unwrap()
    }
}

fn next(buffer: &Buffer) -> RandomFill<'_> {
    RandomFill { buffer, offset: 0, count: buffer.size() / 4, draw: Draw::Next }
}

fn expected(first: u64, count: usize) -> Vec<f32> {
    let mut floats = vec![0.0; count];
    SEQUENCE.fill_uniform(first, &mut floats);
    floats
}

fn kinds(graph: &Graph) -> Vec<NodeKind> {
    graph.nodes().unwrap().nodes.into_iter().map(|node| graph.node_kind(node).unwrap()).collect()
}

#[test]
fn replays_continue_one_sequence_that_equals_one_long_fill() {
    let bed = bed();
    // Not a multiple of 4, so that replays begin within a counter.
    let (replays, count) = (300, 37);
    let buffer = bed.floats(count);
    let graph = bed.capture(|stream| bed.fill(stream, &buffer));
    assert_eq!(kinds(&graph), [NodeKind::Kernel, NodeKind::Kernel]);
    let exec = graph.instantiate().unwrap();
    let mut drawn = Vec::new();
    for _ in 0..replays {
        exec.launch(&bed.stream).unwrap();
        drawn.extend(bed.read(&buffer));
    }
    assert_eq!(drawn, expected(0, replays * count));
    assert_eq!(bed.offset(), (replays * count) as u64);

    bed.rng.set_offset(&bed.stream, 0).unwrap();
    let long = bed.floats(replays * count);
    bed.fill(&bed.stream, &long);
    assert_eq!(bed.read(&long), drawn);
}

#[test]
fn large_fills_are_shared_by_lanes() {
    let bed = bed();
    for (first, count) in [(0, 1), (1, 4), (3, 1023), (2, 1025), (5, (1 << 20) + 3), (0, 3 << 20)] {
        let buffer = bed.floats(count);
        bed.rng.set_offset(&bed.stream, first).unwrap();
        bed.fill(&bed.stream, &buffer);
        assert!(bed.read(&buffer) == expected(first, count), "{count} from {first}");
    }
}

#[test]
fn branches_share_one_node_and_draw_fixed_numbers() {
    let bed = bed();
    let buffers: Vec<_> = (0..4).map(|branch| bed.floats(101 + branch)).collect();
    let streams: Vec<_> = (0..4).map(|_| bed.stream()).collect();
    let (fork, join) = (
        Event::create(&bed.context, EventOptions::default()).unwrap(),
        Event::create(&bed.context, EventOptions::default()).unwrap(),
    );
    let graph = bed.capture(|stream| {
        fork.record(stream).unwrap();
        for (branch, buffer) in streams.iter().zip(&buffers) {
            branch.wait_event(&fork).unwrap();
            bed.fill(branch, buffer);
            join.record(branch).unwrap();
            stream.wait_event(&join).unwrap();
        }
    });
    // One node takes the numbers of all, and each fill depends on it alone.
    assert_eq!((graph.node_count().unwrap(), graph.edge_count().unwrap()), (5, 4));
    let exec = graph.instantiate().unwrap();
    let mut first = 0;
    for replay in 0..300 {
        exec.launch(&bed.stream).unwrap();
        for buffer in &buffers {
            let count = buffer.size() / 4;
            assert!(bed.read(buffer) == expected(first, count), "replay {replay}");
            first += count as u64;
        }
    }
    assert_eq!(bed.offset(), first);
}

#[test]
fn fills_on_one_stream_keep_its_order() {
    let bed = bed();
    let (small, large) = (bed.floats(10), bed.floats(33));
    let graph = bed.capture(|stream| {
        bed.fill(stream, &small);
        bed.fill(stream, &large);
        bed.fill(stream, &small);
    });
    assert_eq!(graph.node_count().unwrap(), 4);
    graph.instantiate().unwrap().launch(&bed.stream).unwrap();
    assert_eq!((bed.read(&small), bed.read(&large)), (expected(43, 10), expected(10, 33)));
    assert_eq!(bed.offset(), 53);
}

#[test]
fn repeated_fills_draw_the_same_each_time() {
    let bed = bed();
    let (buffer, moving) = (bed.floats(50), bed.floats(6));
    let repeat = RandomFill { draw: Draw::Repeat { first: 1_000_001 }, ..next(&buffer) };
    let graph = bed.capture(|stream| {
        bed.rng.fill_uniform(stream, &repeat).unwrap();
        bed.fill(stream, &moving);
    });
    let exec = graph.instantiate().unwrap();
    for replay in 0..20 {
        exec.launch(&bed.stream).unwrap();
        assert_eq!(bed.read(&buffer), expected(1_000_001, 50));
        assert_eq!(bed.read(&moving), expected(6 * replay, 6));
    }
    let alone = bed.capture(|stream| bed.rng.fill_uniform(stream, &repeat).unwrap());
    assert_eq!(alone.node_count().unwrap(), 1, "nothing is taken");
    bed.rng.fill_uniform(&bed.stream, &repeat).unwrap();
    assert_eq!((bed.read(&buffer), bed.offset()), (expected(1_000_001, 50), 120));
}

#[test]
fn eager_fills_draw_the_next_numbers() {
    let bed = bed();
    let (one, two) = (bed.floats(5), bed.floats(7));
    bed.fill(&bed.stream, &one);
    bed.fill(&bed.stream, &two);
    assert_eq!((bed.read(&one), bed.read(&two)), (expected(0, 5), expected(5, 7)));
    let nothing = RandomFill { count: 0, ..next(&one) };
    bed.rng.fill_uniform(&bed.stream, &nothing).unwrap();
    assert_eq!(bed.offset(), 12);
}

#[test]
fn fills_on_many_streams_at_once_share_no_number() {
    let bed = bed();
    let (fills, count) = (64, 999);
    let buffers: Vec<_> = (0..fills).map(|_| bed.floats(count)).collect();
    std::thread::scope(|scope| {
        for buffers in buffers.chunks(fills / 4) {
            let (bed, stream) = (&bed, bed.stream());
            // Half of them eagerly, half by execs of their own.
            scope.spawn(move || {
                for (at, buffer) in buffers.iter().enumerate() {
                    if at % 2 == 0 {
                        bed.fill(&stream, buffer);
                        continue;
                    }
                    let record = |stream: &Stream| bed.rng.fill_uniform(stream, &next(buffer));
                    let graph: graphcap::Result<Graph> = stream.capture(CaptureMode::Relaxed, record);
                    graph.unwrap().instantiate().unwrap().launch(&stream).unwrap();
                }
            });
        }
    });
    // Each fill has one stretch of the sequence, and all of them together have it without a gap.
    let mut stretches: Vec<Vec<f32>> = (0..fills).map(|at| expected((at * count) as u64, count)).collect();
    for buffer in &buffers {
        let floats = bed.read(buffer);
        let at = stretches.iter().position(|stretch| *stretch == floats).expect("a stretch that no other fill has");
        stretches.swap_remove(at);
    }
    assert_eq!(bed.offset(), (fills * count) as u64);
}

#[test]
fn a_body_draws_at_each_turn() {
    let bed = bed();
    let buffer = bed.floats(9);
    let op = RngUniformOp { rng: bed.rng.clone(), buffer: buffer.clone(), offset: 0, count: 9, draw: Draw::Next };
    let (body, script) = (Script::create(&bed.context), Script::create(&bed.context));
    body.push(op.clone()).unwrap();
    let flag = Scalar::create(&bed.stream, 1u32).unwrap();
    script.push(ConditionalOp::new(ConditionalKind::If, flag.buffer(), 0, &[body]).unwrap()).unwrap();
    script.push(op).unwrap();
    let graph = script.record(&bed.stream, CaptureMode::Relaxed).unwrap();
    let exec = graph.instantiate().unwrap();
    for replay in 0..10 {
        exec.launch(&bed.stream).unwrap();
        let drawn = bed.read(&buffer);
        // The two nodes that take numbers are not ordered.
        assert!([18 * replay, 18 * replay + 9].iter().any(|&first| drawn == expected(first, 9)), "replay {replay}");
    }
    assert_eq!(bed.offset(), 180);
    flag.update(&bed.stream, 0u32).unwrap();
    exec.launch(&bed.stream).unwrap();
    assert_eq!((bed.read(&buffer), bed.offset()), (expected(180, 9), 189), "a body that is left out takes nothing");
}

#[test]
fn copies_of_a_graph_draw_on() {
    let bed = bed();
    let buffer = bed.floats(11);
    let graph = bed.capture(|stream| bed.fill(stream, &buffer));
    let parent = Graph::create(&bed.context).unwrap();
    let first = parent.add_node(&[], &NodeWork::Child(&graph)).unwrap();
    parent.add_node(&[first], &NodeWork::Child(&graph)).unwrap();
    let (copy, exec) = (graph.duplicate().unwrap(), parent.instantiate().unwrap());
    let (one, two) = (graph.instantiate().unwrap(), copy.instantiate().unwrap());
    one.launch(&bed.stream).unwrap();
    assert_eq!(bed.read(&buffer), expected(0, 11));
    two.launch(&bed.stream).unwrap();
    assert_eq!(bed.read(&buffer), expected(11, 11));
    exec.launch(&bed.stream).unwrap();
    assert_eq!(bed.read(&buffer), expected(33, 11), "that of the second child");

    // Another recording of the same work, by which an exec is updated.
    let again = bed.capture(|stream| bed.fill(stream, &buffer));
    one.update(&again, true).unwrap().outcome.unwrap();
    one.launch(&bed.stream).unwrap();
    assert_eq!((bed.read(&buffer), bed.offset()), (expected(44, 11), 55));
}

#[test]
fn a_graph_is_captured_into_again_and_draws_for_both() {
    let bed = bed();
    let (one, two) = (bed.floats(3), bed.floats(4));
    let graph = bed.capture(|stream| bed.fill(stream, &one));
    let former = graph.instantiate().unwrap();
    bed.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Relaxed).unwrap();
    bed.fill(&bed.stream, &two);
    drop(bed.stream.end_capture().unwrap());
    assert_eq!(graph.node_count().unwrap(), 3);
    graph.instantiate().unwrap().launch(&bed.stream).unwrap();
    assert_eq!((bed.read(&one), bed.read(&two)), (expected(0, 3), expected(3, 4)));
    former.launch(&bed.stream).unwrap();
    assert_eq!((bed.read(&one), bed.offset()), (expected(7, 3), 10));
}

#[test]
fn a_node_that_was_removed_is_made_anew() {
    let bed = bed();
    let (one, two) = (bed.floats(3), bed.floats(4));
    let graph = bed.capture(|stream| bed.fill(stream, &one));
    let nodes = graph.nodes().unwrap().nodes;
    let is_first = |node: &&NodeId| {
        graph
            .node_params(**node)
            .is_ok_and(|params| matches!(params, NodeParams::Kernel(kernel) if kernel.name == "graphcap_rng_reserve"))
    };
    let taking: Vec<_> = nodes.iter().filter(is_first).collect();
    assert_eq!(taking.len(), 1);
    graph.remove_node(*taking[0]).unwrap();
    bed.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Relaxed).unwrap();
    bed.fill(&bed.stream, &two);
    drop(bed.stream.end_capture().unwrap());
    assert_eq!((graph.node_count().unwrap(), graph.edge_count().unwrap()), (3, 1));
    graph.instantiate().unwrap().launch(&bed.stream).unwrap();
    assert_eq!((bed.read(&two), bed.offset()), (expected(0, 4), 4));
}

#[test]
fn optimized_graphs_draw_the_same() {
    let bed = bed();
    let buffers: Vec<_> = (0..3).map(|_| bed.floats(21)).collect();
    let graph = bed.capture(|stream| buffers.iter().for_each(|buffer| bed.fill(stream, buffer)));
    let (optimized, report) = optimize(&graph, &OptimizeOptions::default()).unwrap();
    assert!(report.barriers.is_empty(), "{:?}", report.barriers);
    optimized.instantiate().unwrap().launch(&bed.stream).unwrap();
    for (at, buffer) in (0u64..).zip(&buffers) {
        assert_eq!(bed.read(buffer), expected(21 * at, 21));
    }
}

#[test]
fn graphs_keep_what_they_draw_from() {
    let bed = bed();
    let (context, stream) = (bed.context.clone(), bed.stream.clone());
    let buffer = bed.floats(8);
    let exec = bed.capture(|stream| bed.fill(stream, &buffer)).instantiate().unwrap();
    let Bed { rng, .. } = bed;
    drop(rng);
    exec.launch(&stream).unwrap();
    exec.launch(&stream).unwrap();
    let bed = Bed { rng: Rng::create(&stream, 1, 0).unwrap(), context, stream };
    assert_eq!(bed.read(&buffer), expected(8, 8));
}

#[test]
fn seeds_and_offsets_go_with_the_stream() {
    let bed = bed();
    let buffer = bed.floats(6);
    let exec = bed.capture(|stream| bed.fill(stream, &buffer)).instantiate().unwrap();
    bed.rng.set_offset(&bed.stream, 100).unwrap();
    exec.launch(&bed.stream).unwrap();
    assert_eq!((bed.read(&buffer), bed.offset()), (expected(100, 6), 106));
    bed.rng.set_seed(&bed.stream, 77).unwrap();
    exec.launch(&bed.stream).unwrap();
    let mut other = [0.0; 6];
    Sequence { seed: 77, ..SEQUENCE }.fill_uniform(0, &mut other);
    assert_eq!((bed.read(&buffer), bed.rng.seed(&bed.stream).unwrap()), (other.to_vec(), 77));
    assert_eq!(bed.rng.subsequence(), 5);
}

#[test]
fn wrong_fills_are_refused_and_draw_nothing() {
    let (bed, other) = (bed(), bed());
    let (buffer, foreign) = (bed.floats(8), other.floats(8));
    let refused = |fill: RandomFill<'_>, status: Status, part: &str| {
        for captured in [false, true] {
            if captured {
                bed.stream.begin_capture(CaptureMode::Relaxed).unwrap();
            }
            let error = bed.rng.fill_uniform(&bed.stream, &fill).unwrap_err();
            assert!(error.status == status && error.message.contains(part), "{error}");
            if captured {
                assert_eq!(bed.stream.end_capture().unwrap().node_count().unwrap(), 0);
            }
        }
    };
    refused(RandomFill { count: 9, ..next(&buffer) }, Status::INVALID_VALUE, "overrun");
    refused(RandomFill { count: usize::MAX, ..next(&buffer) }, Status::INVALID_VALUE, "more numbers than memory");
    refused(RandomFill { offset: 2, count: 1, ..next(&buffer) }, Status::INVALID_VALUE, "no multiple of their 4");
    refused(next(&foreign), Status::INVALID_CONTEXT, "the buffer");
    let error = bed.rng.fill_uniform(&other.stream, &next(&buffer)).unwrap_err();
    assert!(error.status == Status::INVALID_CONTEXT && error.message.contains("the stream"), "{error}");
    bed.stream.begin_capture(CaptureMode::Relaxed).unwrap();
    assert_eq!(Rng::create(&bed.stream, 1, 1).unwrap_err().status, Status::ILLEGAL_STATE);
    assert_eq!(bed.rng.set_seed(&bed.stream, 1).unwrap_err().status, Status::ILLEGAL_STATE);
    drop(bed.stream.end_capture().unwrap());
    assert_eq!((bed.offset(), other.offset()), (0, 0));
}
