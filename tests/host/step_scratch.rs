//! Stepped replays of kernels that write something else at each run, beside scratch memory that nothing wrote.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};

use graphcap::core::{Access, Buffer, Context, Graph, KernelArgument, Module, NodeWork};
use graphcap::driver::{DeviceChoice, DeviceKind, HostBlock, HostKernel, LaunchShape, ModuleSource};
use graphcap::kit::{step, ElementKind, StepFlaw, StepOptions, TypedMemory};

/// Puts a number that is new at each run into the first word of its first argument, and the first word of the second into the next one.
unsafe extern "C-unwind" fn count_and_copy(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    static RUNS: AtomicU32 = AtomicU32::new(1);
    // SAFETY: the launches pass two pointers, to at least two words.
    unsafe {
        let [output, input] = [0, 1].map(|at| arguments.add(at).read().cast::<*mut u32>().read());
        output.write(RUNS.fetch_add(1, Ordering::Relaxed));
        output.add(1).write(input.read());
    }
    0
}

#[test]
fn what_varies_by_itself_is_not_taken_for_a_read_of_scratch() {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let parameter_sizes = Some(vec![size_of::<*mut u32>(); 2]);
    let host_kernels = [HostKernel { name: "count_and_copy".into(), function: count_and_copy, parameter_sizes }];
    let source = ModuleSource { host_kernels: &host_kernels, ..ModuleSource::default() };
    // SAFETY: the kernel uses the two arguments that launches give, and a function of this program stays callable.
    let kernel = unsafe { Module::load(&context, source) }.unwrap().kernel("count_and_copy").unwrap();
    let [output, scratch, other] = [(); 3].map(|()| Buffer::allocate(&context, 16).unwrap());
    let memory = vec![TypedMemory { address: scratch.address(), bytes: 16, kind: ElementKind::F32, is_scratch: true }];
    let options = StepOptions { memory, ..StepOptions::default() };
    for (input, expected) in
        [(&other, None), (&scratch, Some(StepFlaw::Unwritten { address: output.address() + 4, bytes: 4 }))]
    {
        let argument =
            |buffer, access: Access| KernelArgument::Buffer { buffer, offset: 0, access: Some(access.into()) };
        let arguments = [argument(&output, Access::Write), argument(input, Access::Read)];
        let graph = Graph::create(&context).unwrap();
        let shape = LaunchShape { grid: [1; 3], block: [1; 3], shared_mem_bytes: 0 };
        let node = graph
            .add_node(&[], &NodeWork::Kernel { kernel: &kernel, shape, arguments: &arguments, attributes: &[] })
            .unwrap();
        let report = step(&graph, &options, &mut |_| true).unwrap();
        let found: Vec<_> = report.findings.iter().map(|finding| (finding.node, finding.flaw)).collect();
        assert_eq!(found, expected.map(|flaw| (node, flaw)).into_iter().collect::<Vec<_>>());
    }
}
