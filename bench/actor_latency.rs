//! Cost of a message to an actor, from the post to the reply, over a launch that the thread makes and waits for itself; beside a
//! bare round trip between two threads that sleep on a condition variable. Rounds of the three alternate, on the device that
//! `GRAPHCAP_DEVICE` says.
//!
//! `cargo run --release --example actor-latency`

#![allow(clippy::disallowed_types, reason = "it is compared with them")]

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use graphcap::core::{Buffer, Context, FillOf, OwnedWork, Stream};
use graphcap::driver::{DeviceChoice, ExecFlags, StreamOptions};
use graphcap::kit::{Actor, ActorOptions, Completion, Script};
use graphcap::rules::CaptureMode;

const ROUNDS: usize = 40;
const CALLS: u32 = 500;

/// A thread that answers each number by the same number, both sides asleep on a condition variable meanwhile.
struct Echo {
    state: Mutex<(u64, u64)>,
    asked: Condvar,
    answered: Condvar,
}

impl Echo {
    fn serve(&self) {
        let mut state = self.state.lock().unwrap();
        loop {
            while state.0 == state.1 {
                state = self.asked.wait(state).unwrap();
            }
            if state.0 == u64::MAX {
                return;
            }
            state.1 = state.0;
            self.answered.notify_one();
        }
    }

    fn ask(&self) {
        let mut state = self.state.lock().unwrap();
        state.0 += 1;
        self.asked.notify_one();
        while state.1 != state.0 {
            state = self.answered.wait(state).unwrap();
        }
    }

    fn end(&self) {
        self.state.lock().unwrap().0 = u64::MAX;
        self.asked.notify_one();
    }
}

/// Nanoseconds of a call, of many.
fn time(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..CALLS).for_each(|_| call());
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context::create(DeviceChoice::Auto, 0)?;
    let stream = Stream::create(&context, StreamOptions { non_blocking: true, ..StreamOptions::default() })?;
    let buffer = Buffer::allocate(&context, 64)?;
    let script = Script::create(&context);
    script.push(OwnedWork::Memset(FillOf::bytes(&buffer, 7)))?;
    let exec = script.record(&stream, CaptureMode::Relaxed)?.instantiate()?;
    let echo = Arc::new(Echo { state: Mutex::new((0, 0)), asked: Condvar::new(), answered: Condvar::new() });
    let serving = Arc::clone(&echo);
    let server = std::thread::spawn(move || serving.serve());

    let device = context.device().kind;
    println!("{device:?} device; us, medians of {ROUNDS} rounds of {CALLS} calls; a graph of one memset of 64 bytes");
    for completion in [Completion::Event, Completion::HostFunction, Completion::Synchronize] {
        let actor = Actor::create(&context, ActorOptions { completion, ..ActorOptions::default() })?;
        let recorded = actor.record(&script, CaptureMode::Relaxed, ExecFlags::default())?;
        recorded.wait()?;
        let owned = recorded.take_exec().ok_or("a recording that succeeded has an exec")?;
        let (mut direct, mut message, mut bare) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            direct.push(time(|| exec.launch(&stream).and_then(|()| stream.synchronize()).expect("a launch")));
            message.push(time(|| actor.launch(&owned).expect("a post").wait().expect("a launch")));
            bare.push(time(|| echo.ask()));
        }
        let [direct, message, bare] = [&mut direct, &mut message, &mut bare].map(|times| median(times) / 1e3);
        println!(
            "{completion:?}: launch and synchronise {direct:.2}, message to reply {message:.2}, bare round trip {bare:.2}; the message's \
             overhead is {:.2} round trips",
            (message - direct) / bare
        );
        actor.close_and_wait(Duration::from_secs(10))?;
    }
    echo.end();
    server.join().map_err(|_| "the server panicked")?;
    Ok(())
}
