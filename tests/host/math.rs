//! Products of matrices and Fourier transforms on the host device, against sums of 64-bit numbers: random sizes, several at the same
//! time in one graph, scalars that are read at each launch, and operands that do not fit.
//!
//! GRAPHCAP_MATH_CASES says how many random cases are tried; without it a few are.

use std::ffi::c_void;

use graphcap::core::{Buffer, Coefficient, Context, DotFlags, Event, FftPlan, Graph, Scalar, Stream};
use graphcap::driver::{
    DeviceChoice, DeviceKind, EventOptions, Fft, FftDirection, MathMode, NodeKind, Sgemm, SgemmWorkspace, StreamOptions,
};
use graphcap::kit::ops::{FftOp, SgemmOp};
use graphcap::kit::{GraphOp, Script};
use graphcap::rules::CaptureMode;
use graphcap::Status;

use crate::random::Random;

fn cases(few: u64) -> u64 {
    std::env::var("GRAPHCAP_MATH_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(few)
}

fn host() -> (Context, Stream) {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    (context, stream)
}

fn upload(stream: &Stream, values: &[f32]) -> Buffer {
    let buffer = Buffer::allocate(stream.context(), values.len().max(1) * 4).unwrap();
    // SAFETY: the values stay until the copy is waited for.
    unsafe { stream.memcpy_htod(&buffer, 0, values.as_ptr().cast(), values.len() * 4).unwrap() };
    stream.synchronize().unwrap();
    buffer
}

fn download(stream: &Stream, buffer: &Buffer) -> Vec<f32> {
    let mut values = vec![0f32; buffer.size() / 4];
    let place: *mut c_void = values.as_mut_ptr().cast();
    // SAFETY: the values stay until the copy is waited for.
    unsafe { stream.memcpy_dtoh(place, buffer, 0, values.len() * 4).unwrap() };
    stream.synchronize().unwrap();
    values
}

fn script(context: &Context, ops: impl IntoIterator<Item = impl GraphOp + 'static>) -> Script {
    let script = Script::create(context);
    ops.into_iter().for_each(|op| script.push(op).unwrap());
    script
}

fn record(stream: &Stream, op: impl GraphOp + 'static) -> Graph {
    script(stream.context(), [op]).record(stream, CaptureMode::ThreadLocal).unwrap()
}

/// A product of random sizes, transposes, distances and batch.
fn random_sgemm(random: &mut Random, most: u64) -> Sgemm {
    let mut size = |most: u64| match random.below64(8) {
        0 => 1,
        1 => random.below64(3) + 1,
        _ => random.below64(most) + 1,
    };
    let (m, n, k) = (size(most), size(most), size(most));
    let batch = [1, 1, 1, 2, 5][random.below(5)];
    let (transpose_a, transpose_b) = (random.below64(2) == 1, random.below64(2) == 1);
    let k = if random.below64(40) == 0 { 0 } else { k };
    let (leading, stride, mode) = ([1; 3], [0; 3], MathMode::Float32);
    // Without effect on this device.
    let workspace = [SgemmWorkspace::OfStream, SgemmWorkspace::Own][random.below(2)];
    let mut sgemm = Sgemm { m, n, k, transpose_a, transpose_b, leading, stride, batch, mode, workspace };
    for (index, (rows, columns)) in sgemm.sizes().into_iter().enumerate() {
        sgemm.leading[index] = rows.max(1) + [0, 0, 1, random.below64(9)][random.below(4)];
        let whole = sgemm.leading[index] * columns;
        // A or B may be one matrix for all of the batch.
        sgemm.stride[index] = if index < 2 && random.below64(4) == 0 { 0 } else { whole + random.below64(5) };
    }
    sgemm
}

/// C as 64-bit numbers have it, and the sum of what was added, without signs.
fn product(sgemm: &Sgemm, operands: &[Vec<f32>; 3], alpha: f32, beta: f32) -> Vec<(usize, f64, f64)> {
    let at = |index: usize, batch: u64, row: u64, column: u64, is_transposed: bool| {
        let (row, column) = if is_transposed { (column, row) } else { (row, column) };
        (batch * sgemm.stride[index] + column * sgemm.leading[index] + row) as usize
    };
    let mut elements = Vec::new();
    for batch in 0..sgemm.batch {
        for column in 0..sgemm.n {
            for row in 0..sgemm.m {
                let (mut sum, mut size) = (0.0, 0.0);
                for inner in 0..sgemm.k {
                    let a = f64::from(operands[0][at(0, batch, row, inner, sgemm.transpose_a)]);
                    let b = f64::from(operands[1][at(1, batch, inner, column, sgemm.transpose_b)]);
                    sum += a * b;
                    size += (a * b).abs();
                }
                let place = at(2, batch, row, column, false);
                let before = if beta == 0.0 { 0.0 } else { f64::from(operands[2][place]) * f64::from(beta) };
                let alpha = f64::from(alpha);
                elements.push((place, alpha * sum + before, (alpha * size).abs() + before.abs()));
            }
        }
    }
    elements
}

#[test]
fn random_products_are_those_of_64_bit_numbers() {
    let (context, stream) = host();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for case in 0..cases(60) {
        let most = if case % 50 == 49 { 300 } else { 40 };
        let sgemm = random_sgemm(&mut random, most);
        let coefficient = |random: &mut Random| [0.0, 1.0, -1.0, random.number()][random.below(4)];
        let (alpha, beta) = (coefficient(&mut random), coefficient(&mut random));
        let extents = sgemm.extents().unwrap();
        let gap = random.below64(4);
        let mut operands = extents.map(|bytes| random.numbers((bytes / 4 + gap) as usize));
        if beta == 0.0 {
            // C is not read then.
            operands[2].iter_mut().for_each(|value| *value = f32::NAN);
        }
        let buffers = operands.each_ref().map(|values| upload(&stream, values));
        let scalar = |value: f32| match case % 3 {
            0 => Coefficient::Scalar(Scalar::create(&stream, value).unwrap()),
            _ => Coefficient::Value(value),
        };
        let matrices = buffers.each_ref().map(|buffer| (buffer.clone(), 0));
        let op = SgemmOp { sgemm, matrices, alpha: scalar(alpha), beta: Coefficient::Value(beta) };
        if case % 2 == 0 {
            record(&stream, op).instantiate().unwrap().launch(&stream).unwrap();
        } else {
            script(&context, [op]).submit(&stream).unwrap();
        }
        let result = download(&stream, &buffers[2]);
        let mut expected = operands[2].clone();
        for (place, value, size) in product(&sgemm, &operands, alpha, beta) {
            let error = (f64::from(result[place]) - value).abs();
            assert!(
                error <= 1e-6 * size + 1e-30,
                "{sgemm:?}, case {case}: {} is not {value} at {place}",
                result[place]
            );
            expected[place] = result[place];
        }
        // Nothing between the columns, and neither A nor B, was written.
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&expected), bits(&result), "{sgemm:?}, case {case}");
        assert_eq!(bits(&operands[0]), bits(&download(&stream, &buffers[0])[..operands[0].len()]));
        assert_eq!(bits(&operands[1]), bits(&download(&stream, &buffers[1])[..operands[1].len()]));
    }
}

/// The transform of real numbers, as 64-bit numbers have it.
fn transform(input: &[f32]) -> Vec<(f64, f64)> {
    let length = input.len();
    let turn = |step: usize| (std::f64::consts::TAU * step as f64 / length as f64).sin_cos();
    let turns: Vec<_> = (0..length).map(turn).collect();
    let number = |frequency: usize| {
        input.iter().enumerate().fold((0.0, 0.0), |(real, imaginary), (index, &value)| {
            let (sin, cos) = turns[frequency * index % length];
            (real + f64::from(value) * cos, imaginary - f64::from(value) * sin)
        })
    };
    (0..=length / 2).map(number).collect()
}

/// The way back, without a factor; imaginary parts that no transform of real numbers has are ignored.
fn transform_back(input: &[(f32, f32)], length: usize) -> Vec<f64> {
    let turn = |step: usize| (std::f64::consts::TAU * step as f64 / length as f64).sin_cos();
    let turns: Vec<_> = (0..length).map(turn).collect();
    let number = |index: usize| {
        input.iter().enumerate().fold(0.0, |sum, (frequency, &(real, imaginary))| {
            let (sin, cos) = turns[frequency * index % length];
            let is_alone = frequency == 0 || 2 * frequency == length;
            let times = if is_alone { 1.0 } else { 2.0 };
            let imaginary = if is_alone { 0.0 } else { f64::from(imaginary) };
            sum + times * (f64::from(real) * cos - imaginary * sin)
        })
    };
    (0..length).map(number).collect()
}

#[test]
fn random_transforms_are_those_of_64_bit_numbers() {
    let (context, stream) = host();
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    for case in 0..cases(60) {
        let length = match case % 10 {
            0 => 1 << random.below64(10),
            1 => random.below64(3) + 1,
            _ => random.below64(300) + 1,
        };
        let direction = [FftDirection::RealToComplex, FftDirection::ComplexToReal][(case % 2) as usize];
        let batch = [1, 2, 3, 70][random.below(4)];
        let mut fft = Fft { direction, length, batch, input_distance: 0, output_distance: 0 };
        let [(read, read_bytes), (written, written_bytes)] = fft.sides();
        fft.input_distance = read + random.below64(4);
        fft.output_distance = written + random.below64(4);
        let [input_bytes, output_bytes] = fft.extents().unwrap();
        let input = random.numbers((input_bytes / 4) as usize);
        let untouched = random.numbers((output_bytes / 4) as usize);
        let (from, to) = (upload(&stream, &input), upload(&stream, &untouched));
        let op = FftOp::new(fft, (from.clone(), 0), (to.clone(), 0));
        if case % 3 == 0 {
            script(&context, [op]).submit(&stream).unwrap();
        } else {
            record(&stream, op).instantiate().unwrap().launch(&stream).unwrap();
        }
        let output = download(&stream, &to);
        let mut expected = untouched.clone();
        for transformed in 0..batch as usize {
            let first = transformed * fft.input_distance as usize * read_bytes as usize / 4;
            let start = transformed * fft.output_distance as usize * written_bytes as usize / 4;
            let input = &input[first..first + read as usize * read_bytes as usize / 4];
            let values: Vec<f64> = match direction {
                FftDirection::RealToComplex => transform(input).into_iter().flat_map(|(re, im)| [re, im]).collect(),
                FftDirection::ComplexToReal => {
                    let pairs: Vec<_> = input.chunks(2).map(|pair| (pair[0], pair[1])).collect();
                    transform_back(&pairs, length as usize)
                }
            };
            let size = input.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt() * (length as f64).sqrt();
            for (index, value) in values.into_iter().enumerate() {
                let result = output[start + index];
                let error = (f64::from(result) - value).abs();
                assert!(error <= 2e-6 * size + 1e-30, "{fft:?}, case {case}: {result} is not {value} at {index}");
                expected[start + index] = result;
            }
        }
        assert_eq!(expected, output, "{fft:?} wrote between its outputs");
        assert_eq!(input, download(&stream, &from), "{fft:?} wrote its input");
    }
}

/// Records ops on streams of their own, which fork from one and join it, so that they are not ordered.
fn in_branches<O: GraphOp + Clone + 'static>(stream: &Stream, ops: &[O]) -> Graph {
    let context = stream.context();
    let event = || Event::create(context, EventOptions::default()).unwrap();
    stream
        .capture(CaptureMode::ThreadLocal, |stream| {
            let fork = event();
            fork.record(stream)?;
            for op in ops {
                let branch = Stream::create(context, StreamOptions::default())?;
                branch.wait_event(&fork)?;
                script(context, [op.clone()]).submit(&branch).map_err(|failed| failed.error)?;
                let join = event();
                join.record(&branch)?;
                stream.wait_event(&join)?;
            }
            Ok::<(), graphcap::Error>(())
        })
        .unwrap()
}

fn same_in_any_order<O: GraphOp + Clone + 'static>(stream: &Stream, ops: &[O], outputs: &[Buffer]) {
    let context = stream.context();
    script(context, ops.to_vec()).submit(stream).unwrap();
    let expected: Vec<_> = outputs.iter().map(|output| download(stream, output)).collect();
    let exec = in_branches(stream, ops).instantiate().unwrap();
    for replay in 0..300 {
        for output in outputs {
            stream.memset(output, 0, 0xff, 1, output.size()).unwrap();
        }
        exec.launch(stream).unwrap();
        for (output, expected) in outputs.iter().zip(&expected) {
            assert_eq!(&download(stream, output), expected, "replay {replay}");
        }
    }
}

#[test]
fn products_in_unordered_branches_are_those_of_the_serial_order() {
    let (_context, stream) = host();
    let mut random = Random(7);
    let square = |size: u64| Sgemm {
        m: size,
        n: size,
        k: size,
        transpose_a: false,
        transpose_b: true,
        leading: [size; 3],
        stride: [0; 3],
        batch: 1,
        mode: MathMode::Float32,
        workspace: SgemmWorkspace::OfStream,
    };
    let sgemm = square(70);
    let (mut ops, mut outputs) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        let operands: [Vec<f32>; 3] = std::array::from_fn(|_| random.numbers(70 * 70));
        let buffers = operands.map(|values| upload(&stream, &values));
        outputs.push(buffers[2].clone());
        let matrices = buffers.map(|buffer| (buffer, 0));
        ops.push(SgemmOp { sgemm, matrices, alpha: Coefficient::Value(1.5), beta: Coefficient::Value(0.0) });
    }
    same_in_any_order(&stream, &ops, &outputs);
}

#[test]
fn transforms_in_unordered_branches_are_those_of_the_serial_order() {
    let (context, stream) = host();
    let mut random = Random(9);
    let fft = Fft {
        direction: FftDirection::RealToComplex,
        length: 240,
        batch: 9,
        input_distance: 240,
        output_distance: 121,
    };
    // All branches share the plan, and have work memory of their own.
    let plan = FftPlan::create(&context, &fft).unwrap();
    let (mut ops, mut outputs) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        let input = upload(&stream, &random.numbers(240 * 9));
        let output = upload(&stream, &vec![0.0; 121 * 9 * 2]);
        outputs.push(output.clone());
        ops.push(FftOp::of_plan(&plan, (input, 0), (output, 0)));
    }
    drop(plan);
    same_in_any_order(&stream, &ops, &outputs);
}

#[test]
fn scalars_count_as_they_are_at_each_launch() {
    let (_context, stream) = host();
    let one = Sgemm {
        m: 1,
        n: 1,
        k: 1,
        transpose_a: false,
        transpose_b: false,
        leading: [1; 3],
        stride: [0; 3],
        batch: 1,
        mode: MathMode::TensorFloat32,
        workspace: SgemmWorkspace::OfStream,
    };
    let (a, b, c) = (upload(&stream, &[3.0]), upload(&stream, &[5.0]), upload(&stream, &[100.0]));
    let (alpha, beta) = (Scalar::create(&stream, 2.0f32).unwrap(), Scalar::create(&stream, 1.0f32).unwrap());
    let matrices = [(a, 0), (b, 0), (c.clone(), 0)];
    let (of_alpha, of_beta) = (Coefficient::Scalar(alpha.clone()), Coefficient::Scalar(beta.clone()));
    let graph = record(&stream, SgemmOp { sgemm: one, matrices, alpha: of_alpha, beta: of_beta });
    assert_eq!(graph.order().unwrap().len(), 1);
    assert_eq!(graph.node_kind(graph.order().unwrap()[0]).unwrap(), NodeKind::Kernel);
    assert!(graph.export_dot(DotFlags::default()).unwrap().contains("graphcap_sgemm"));
    let exec = graph.instantiate().unwrap();
    drop(graph);
    exec.launch(&stream).unwrap();
    assert_eq!(download(&stream, &c), [130.0]);
    alpha.update(&stream, -1.0f32).unwrap();
    beta.update(&stream, 0.5f32).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!(download(&stream, &c), [50.0]);
}

#[test]
fn operands_that_do_not_fit_are_refused_with_a_sentence() {
    let (context, stream) = host();
    let buffer = |bytes: usize| Buffer::allocate(&context, bytes).unwrap();
    let (a, b, c) = (buffer(64), buffer(64), buffer(64));
    let sgemm = Sgemm {
        m: 4,
        n: 4,
        k: 4,
        transpose_a: false,
        transpose_b: false,
        leading: [4; 3],
        stride: [0; 3],
        batch: 1,
        mode: MathMode::Float32,
        workspace: SgemmWorkspace::OfStream,
    };
    let value = Coefficient::Value;
    let op = |sgemm: Sgemm, matrices: [(&Buffer, usize); 3], alpha: Coefficient<Scalar>| SgemmOp {
        sgemm,
        matrices: matrices.map(|(buffer, offset)| (buffer.clone(), offset)),
        alpha,
        beta: value(1.0),
    };
    let whole = Scalar::create(&stream, 1u32).unwrap();
    let refused = |op: SgemmOp, part: &str| {
        let failed = script(&context, [op]).record(&stream, CaptureMode::ThreadLocal).unwrap_err();
        assert_eq!(failed.error.status, Status::INVALID_VALUE, "{failed:?}");
        assert!(failed.error.message.contains(part), "{part:?} is not in {:?}", failed.error.message);
        assert!(!stream.is_recording().unwrap());
    };
    refused(op(sgemm, [(&a, 4), (&b, 0), (&c, 0)], value(1.0)), "overrun");
    refused(op(sgemm, [(&a, 0), (&b, 0), (&b, 0)], value(1.0)), "overlaps B");
    refused(op(sgemm, [(&a, 0), (&b, 0), (&c, 0)], Coefficient::Scalar(whole)), "alpha");
    refused(
        op(Sgemm { leading: [3, 4, 4], ..sgemm }, [(&a, 0), (&b, 0), (&c, 0)], value(1.0)),
        "leading dimension of A",
    );
    refused(op(Sgemm { m: 2, ..sgemm }, [(&a, 2), (&b, 0), (&c, 0)], value(1.0)), "no multiple of 4");
    let fft =
        Fft { direction: FftDirection::RealToComplex, length: 8, batch: 1, input_distance: 8, output_distance: 5 };
    let fails = |fft: Fft, input: (&Buffer, usize), output: (&Buffer, usize), part: &str| {
        let op = FftOp::new(fft, (input.0.clone(), input.1), (output.0.clone(), output.1));
        let failed = script(&context, [op]).record(&stream, CaptureMode::ThreadLocal).unwrap_err();
        assert_eq!(failed.error.status, Status::INVALID_VALUE, "{failed:?}");
        assert!(failed.error.message.contains(part), "{part:?} is not in {:?}", failed.error.message);
    };
    fails(fft, (&a, 0), (&b, 32), "output offset 32");
    fails(fft, (&a, 4), (&b, 0), "no multiple of 8");
    fails(fft, (&a, 0), (&a, 24), "overlaps the input");
    fails(Fft { length: 0, ..fft }, (&a, 0), (&b, 0), "length is 0");
    // Nothing to calculate is no work, and no node.
    let nothing = Sgemm { m: 0, ..sgemm };
    assert!(record(&stream, op(nothing, [(&a, 0), (&b, 0), (&c, 0)], value(1.0))).order().unwrap().is_empty());
}
