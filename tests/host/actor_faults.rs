//! A fault on the context of an actor answers everything that is queued with its cause.

use std::ffi::c_void;
use std::time::Duration;

use graphcap::core::{Context, FillOf, Module, OwnedWork};
use graphcap::driver::{DeviceChoice, DeviceKind, ExecFlags, HostBlock, HostKernel, LaunchShape, ModuleSource};
use graphcap::kit::{Actor, ActorOptions, Completion, Script, ScriptError};
use graphcap::rules::CaptureMode;
use graphcap::Status;

use crate::gate::Gate;

unsafe extern "C-unwind" fn fault(_: *const HostBlock, _: *const *const c_void) -> i32 {
    1
}

fn status(answer: Result<(), ScriptError>) -> Option<Status> {
    answer.err().map(|error| error.error.status)
}

#[test]
fn a_fault_answers_everything_with_its_cause() {
    for completion in [Completion::Event, Completion::HostFunction, Completion::Synchronize] {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let host_kernels = [HostKernel { name: "fault".into(), function: fault, parameter_sizes: Some(Vec::new()) }];
        let source = ModuleSource { host_kernels: &host_kernels, ..ModuleSource::default() };
        // SAFETY: the kernel uses no arguments, and a function of this program stays callable.
        let module = unsafe { Module::load(&context, source) }.unwrap();
        let actor = Actor::create(&context, ActorOptions { completion, ..ActorOptions::default() }).unwrap();
        let (good, bad) = (Script::create(&context), Script::create(&context));
        let buffer = graphcap::core::Buffer::allocate(&context, 64).unwrap();
        good.push(OwnedWork::Memset(FillOf::bytes(&buffer, 7))).unwrap();
        // All four are in flight when the first one completes.
        let gate = Gate::default();
        good.push(gate.op()).unwrap();
        let shape = LaunchShape { grid: [1; 3], block: [1; 3], shared_mem_bytes: 0 };
        let kernel = module.kernel("fault").unwrap();
        bad.push(OwnedWork::Kernel { kernel, shape, arguments: Vec::new(), attributes: Vec::new() }).unwrap();
        let [good_exec, bad_exec] = [&good, &bad].map(|script| {
            let recorded = actor.record(script, CaptureMode::Relaxed, ExecFlags::default()).unwrap();
            recorded.wait().unwrap();
            recorded.take_exec().unwrap()
        });
        let launched = [&good_exec, &bad_exec, &good_exec, &good_exec].map(|exec| actor.launch(exec).unwrap());
        gate.open();
        let answers = launched.map(|launched| status(launched.wait_for(Duration::from_secs(60))));
        assert!(
            answers[1..].iter().all(|answer| *answer == Some(Status::ILLEGAL_ADDRESS)),
            "{completion:?}: {answers:?}"
        );
        // It had completed before the fault, which the host device tells.
        assert_eq!(answers[0], None, "{completion:?}: {answers:?}");
        let late = actor.record(&good, CaptureMode::Relaxed, ExecFlags::default()).unwrap();
        assert_eq!(status(late.wait()), Some(Status::ILLEGAL_ADDRESS), "{completion:?}");
        actor.close_and_wait(Duration::from_secs(60)).unwrap();
    }
}
