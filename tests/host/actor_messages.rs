//! Actors while many launches are in flight, and with graphs of other contexts.

use std::time::Duration;

use graphcap::core::{Buffer, Context, DotFlags, FillOf, OwnedWork};
use graphcap::driver::{DeviceChoice, DeviceKind, ExecFlags};
use graphcap::kit::{Actor, ActorOptions, Completion, Script};
use graphcap::rules::CaptureMode;

use crate::gate::Gate;

/// So many launches are in flight at most.
const MOST_IN_FLIGHT: usize = 256;
/// Longer than an answer takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn host() -> Context {
    Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap()
}

#[test]
fn other_messages_are_answered_while_as_many_launches_as_may_be_are_in_flight() {
    for completion in [Completion::Event, Completion::HostFunction] {
        let context = host();
        let actor = Actor::create(&context, ActorOptions { completion, ..ActorOptions::default() }).unwrap();
        let (script, gate) = (Script::create(&context), Gate::default());
        script.push(gate.op()).unwrap();
        let recorded = actor.record(&script, CaptureMode::Relaxed, ExecFlags::default()).unwrap();
        recorded.wait().unwrap();
        let exec = recorded.take_exec().unwrap();
        let launches: Vec<_> = (0..MOST_IN_FLIGHT).map(|_| actor.launch(&exec).unwrap()).collect();
        let text = actor.export_dot(&exec, DotFlags::default()).unwrap();
        let again = actor.record(&script, CaptureMode::Relaxed, ExecFlags::default()).unwrap();
        text.wait_for(LONG).unwrap();
        again.wait_for(LONG).unwrap();
        // The next launch waits, and all that comes behind it does.
        let last = actor.launch(&exec).unwrap();
        let behind = actor.export_dot(&exec, DotFlags::default()).unwrap();
        assert!(launches.iter().all(|launched| !launched.is_done()) && !last.is_done() && !behind.is_done());
        gate.open();
        launches.iter().chain([&last, &behind]).for_each(|answer| answer.wait_for(LONG).unwrap());
        actor.close_and_wait(LONG).unwrap();
    }
}

#[test]
fn graphs_of_other_contexts_of_the_device_are_adopted_and_launched() {
    let (context, other) = (host(), host());
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let buffer = Buffer::allocate(&other, 64).unwrap();
    let stream = graphcap::core::Stream::create(&other, Default::default()).unwrap();
    let script = Script::create(&other);
    script.push(OwnedWork::Memset(FillOf::bytes(&buffer, 7))).unwrap();
    let graph = script.record(&stream, CaptureMode::Relaxed).unwrap();
    let adopted = actor.adopt(&graph, ExecFlags::default()).unwrap();
    adopted.wait_for(LONG).unwrap();
    let exec = adopted.take_exec().unwrap();
    actor.launch(&exec).unwrap().wait_for(LONG).unwrap();
    let mut byte = 0u8;
    // SAFETY: the byte stays until the copy is waited for.
    unsafe { stream.memcpy_dtoh(std::ptr::from_mut(&mut byte).cast(), &buffer, 63, 1).unwrap() };
    stream.synchronize().unwrap();
    assert_eq!(byte, 7);
    actor.close_and_wait(LONG).unwrap();
}
