//! Kernels that give a reason for their failure, and kernels that panic: what whoever waits is told of them.

use super::*;
use graphcap_base::error::{Error, Status};
use graphcap_driver::fail_work;

/// Gives a reason and returns 0.
unsafe extern "C-unwind" fn reason(_: *const HostBlock, _: *const *const c_void) -> i32 {
    fail_work("the halo is empty").unwrap();
    0
}

/// Panics in its last block. The second block gives a reason, which is the last one of a grid of two.
unsafe extern "C-unwind" fn panic_behind(block: *const HostBlock, _: *const *const c_void) -> i32 {
    // SAFETY: a kernel is given its block.
    let block = unsafe { &*block };
    if block.block_index[0] == 1 || block.grid_dim[0] == 1 {
        fail_work("the rim is empty").unwrap();
    }
    if block.block_index[0] + 1 == block.grid_dim[0] {
        std::panic::resume_unwind(Box::new("test"));
    }
    0
}

/// A bench with these two, each by its name.
fn bench() -> (Bench, KernelId, KernelId) {
    let bench = Bench::new();
    let kernel = |name: &str, function| HostKernel { name: name.into(), function, parameter_sizes: None };
    let kernels = [kernel("reason", reason as HostKernelFunction), kernel("panic_behind", panic_behind)];
    let source = ModuleSource { host_kernels: &kernels, ..ModuleSource::default() };
    let module = bench.driver.module_load(source).unwrap();
    let [reason, panic_behind] =
        ["reason", "panic_behind"].map(|name| bench.driver.module_kernel(module, name).unwrap());
    (bench, reason, panic_behind)
}

/// The error of a replay of these kernels, one after another, and the first node.
fn replayed(bench: &Bench, kernels: &[(KernelId, u32)]) -> (Error, NodeId) {
    let stream = bench.stream();
    bench.begin(stream);
    for &(kernel, blocks) in kernels {
        let shape = LaunchShape { grid: [blocks, 1, 1], ..ONE };
        bench.driver.launch_kernel(stream, kernel, shape, &[]).unwrap();
    }
    let graph = bench.driver.end_capture(stream).unwrap();
    let first = bench.driver.graph_nodes(GraphRef::Known(graph)).unwrap().nodes[0];
    let (exec, _) = bench.driver.graph_instantiate(graph).unwrap();
    // Where the context faulted in a run before, nothing is launched.
    let launched = bench.driver.exec_launch(exec, stream);
    let error = launched.and_then(|()| bench.driver.stream_synchronize(stream)).unwrap_err();
    (error, first)
}

/// No reason is left on any lane.
fn nothing_is_left(bench: &Bench) {
    let (bench, mark) = (bench.beside(), Mark::default());
    let streams: Vec<_> = (0..16).map(|_| bench.stream()).collect();
    streams.iter().for_each(|&stream| bench.mark(stream, &mark).unwrap());
    streams.iter().for_each(|&stream| bench.finish(stream));
    assert_eq!(mark.runs(), 16);
}

#[test]
fn a_panic_hides_no_reason_that_an_earlier_kernel_gave() {
    let (bench, reason, _) = bench();
    let (error, first) = replayed(&bench, &[(reason, 1), (bench.panic, 1)]);
    assert_eq!(error.status, Status::CALLBACK, "{error}");
    for words in [
        &format!("node {:#x} of a graph failed: ", first.0),
        "kernel 'reason' failed in block (0, 0, 0): the halo is empty",
        "; kernel 'panic' panicked afterwards",
    ] {
        assert!(error.message.contains(words), "{words} is not in {error}");
    }
    nothing_is_left(&bench);
}

#[test]
fn a_kernel_that_gives_a_reason_and_panics_has_failed_for_the_reason() {
    // Behind a panic in block 0 of the only one, of 2 blocks, and of more than one lane runs.
    for (blocks, block) in [(1, 0), (2, 1), (3, 1), (64, 1)] {
        for is_replay in [false, true] {
            let (bench, _, panic_behind) = bench();
            let error = if is_replay {
                replayed(&bench, &[(panic_behind, blocks)]).0
            } else {
                let (stream, shape) = (bench.stream(), LaunchShape { grid: [blocks, 1, 1], ..ONE });
                bench.driver.launch_kernel(stream, panic_behind, shape, &[]).unwrap();
                bench.driver.stream_synchronize(stream).unwrap_err()
            };
            assert_eq!(error.status, Status::CALLBACK, "{error}");
            let words = format!("kernel 'panic_behind' failed in block ({block}, 0, 0): the rim is empty");
            assert!(error.message.contains(&words), "{words} is not in {error}");
            nothing_is_left(&bench);
        }
    }
}

/// A panic without a reason is told, and its node.
#[test]
fn a_panic_without_a_reason_names_its_node() {
    for blocks in [1, 9] {
        let bench = Bench::new();
        let (error, node) = replayed(&bench, &[(bench.panic, blocks)]);
        assert_eq!(error.status, Status::LAUNCH_FAILED, "{error}");
        assert!(
            error.message.contains(&format!("node {:#x} of a graph failed: kernel 'panic' panicked", node.0)),
            "{error}"
        );
    }
}
