//! Running what a stream has queued, by a lane or by a caller that waits.

use std::sync::atomic::{fence, Ordering};
use std::sync::Arc;

use super::context_state::function_failed;
use super::lanes::lanes;
use super::resumable::Resumable;
use super::spread::Progress;
use super::stream::{Batch, Op, State, Stream};
use super::values;
use super::waiter::Waiter;
use crate::code::arguments::ArgumentArena;
use crate::code::grid::{catch_panic, kernel_panicked, BlockPace, Grid};
use crate::code::kernel::KernelCall;
use crate::exec::Pace;
use crate::graph::Action;
use crate::memory::guard::{self, What};
use crate::memory::held;
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_driver::callbacks;
use graphcap_observe::clock;
use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::trace;

impl Stream {
    /// Runs what is queued, in order, until there is nothing left, the stream parks, or `until` submissions
    /// have completed. The caller has made the state `Running`.
    pub(super) fn run(self: &Arc<Self>, until: u64) {
        let mut batch = lock(&self.batch);
        let mut batches = 0;
        loop {
            if batch.ops.is_empty() && !batch.called_out {
                let mut queue = self.lock();
                if queue.ops.is_empty() {
                    queue.state = State::Idle;
                    return;
                }
                // A stream that is fed on and on must not keep its lane from all others.
                if batches > 0 && until == u64::MAX && lanes().has_ready() {
                    drop(queue);
                    self.requeue();
                    return;
                }
                batches += 1;
                std::mem::swap(&mut queue.ops, &mut batch.ops);
            }
            if self.has_completed(until) {
                self.leave_to_next_wait();
                return;
            }
            if let Progress::Parked = self.step(&mut batch, until) {
                return;
            }
            fence(Ordering::SeqCst);
            self.tell_waiting();
        }
    }

    /// Leaves the rest to the lanes.
    fn requeue(self: &Arc<Self>) {
        self.park();
        Arc::clone(self).resume();
    }

    /// Leaves the rest to the lanes, from a thread that has run what it waited for, and may be about to wait for more.
    fn leave_to_next_wait(self: &Arc<Self>) {
        self.park();
        if self.becomes_listed() {
            lanes().push_launched(Arc::clone(self) as _);
        }
    }

    /// Tells those who wait for what has completed.
    #[inline]
    fn tell_waiting(&self) {
        if self.completed.load(Ordering::Relaxed) >= self.waits.awaited.load(Ordering::Relaxed) {
            self.wake_waiting();
        }
    }

    /// Wakes the threads that sleep; those that sleep for more say so again. Calls the function that is to be told, if it is.
    #[cold]
    fn wake_waiting(&self) {
        let mut waiting = lock(&self.waits.waiting);
        let completed = self.completed.load(Ordering::Relaxed);
        let told = waiting.told.take_if(|(submitted, _)| *submitted <= completed);
        self.waits.awaited.store(waiting.told.as_ref().map_or(u64::MAX, |(submitted, _)| *submitted), Ordering::SeqCst);
        let has_sleepers = waiting.sleepers > 0;
        drop(waiting);
        if has_sleepers {
            self.waits.progress.notify_all();
        }
        if let Some((_, tell)) = told {
            tell();
        }
    }

    /// Runs the first op, or as much of it as completes `until` submissions.
    fn step(self: &Arc<Self>, batch: &mut Batch, until: u64) -> Progress {
        if std::mem::take(&mut batch.called_out) {
            self.complete_one();
            return Progress::Done;
        }
        match batch.ops.front() {
            None => return Progress::Done,
            Some(Op::Launch { .. }) => return self.step_launch(batch, until),
            Some(Op::Wait(completion)) => {
                if !completion.is_reached() {
                    self.park();
                    if completion.resumes(Waiter::stream(self)) {
                        return Progress::Parked;
                    }
                    self.unpark();
                }
            }
            Some(Op::Record(completion)) => {
                if !self.skips_work() {
                    completion.note_run();
                }
                completion.reach();
            }
            Some(Op::Release(_)) => {}
            Some(Op::Run(Action::Host(function))) => {
                let function = Arc::clone(function);
                drop(batch.ops.pop_front());
                let skip = self.skips_work();
                let context = Arc::clone(&self.context);
                return self.call_out(batch, move || {
                    if !skip {
                        let _runs = guard::runs(What::HostFunction, "", None);
                        if let Some(reason) = function.call() {
                            context.fault(function_failed(&reason));
                        }
                    }
                });
            }
            Some(Op::Run(Action::Values(operations))) => {
                while let Some(operation) = operations.get(batch.values_begun).filter(|_| !self.skips_work()) {
                    // Set beforehand: once the stream is parked, another lane may run it.
                    batch.values_begun += 1;
                    match values::begin(operation) {
                        Ok(None) => {}
                        Ok(Some(wait)) => {
                            self.park();
                            if wait.resumes(Waiter::stream(self)) {
                                return Progress::Parked;
                            }
                            self.unpark();
                        }
                        Err(error) => self.context.fault(error),
                    }
                }
                batch.values_begun = 0;
            }
            Some(Op::Run(action)) => {
                if !self.skips_work() {
                    let span = self.trace_work(action);
                    let ran = run_action(action);
                    if span.is_some() {
                        trace::close(span);
                    }
                    if let Err(error) = ran {
                        self.context.fault(error);
                    }
                }
            }
        }
        // The op goes before it counts as completed, so that whoever waits finds what it held let go.
        drop(batch.ops.pop_front());
        self.complete_one();
        Progress::Done
    }

    /// Ends the first op, which was taken out, by running `last` on a thread where the caller's code may block.
    fn call_out(self: &Arc<Self>, batch: &mut Batch, last: impl FnOnce() + Send + 'static) -> Progress {
        batch.called_out = true;
        self.park();
        let stream = Arc::clone(self);
        callbacks::run(Box::new(move || {
            // The stream must go on even if a Rust caller's function panics.
            let _ended = graphcap_base::defer(|| stream.resume());
            last();
        }));
        Progress::Parked
    }

    fn step_launch(self: &Arc<Self>, batch: &mut Batch, until: u64) -> Progress {
        let mut pace = Pace::start(until != u64::MAX);
        loop {
            let Some(Op::Launch { exec, turn, count, events }) = batch.ops.front_mut() else { return Progress::Done };
            if batch.begun {
                batch.begun = false;
                exec.learn();
                exec.end_conditions();
            } else {
                if !exec.is_turn(*turn) {
                    self.park();
                    if !exec.is_turn_or_resume(*turn, self) {
                        return Progress::Parked;
                    }
                    self.unpark();
                }
                if let Some(events) = events.take() {
                    exec.events().begin(events);
                }
                if !self.skips_work() {
                    exec.begin_conditions();
                    // Set beforehand: once the replay is detached, another lane may run this stream.
                    batch.begun = true;
                    if exec.replay(self, &mut pace) == Progress::Parked {
                        return Progress::Parked;
                    }
                    batch.begun = false;
                    exec.end_conditions();
                }
            }
            if !exec.events().is_empty() {
                exec.events().end();
            }
            *turn += 1;
            *count -= 1;
            if *count > 0 {
                self.complete_one();
                // Its fence orders the line above before the look at who waits.
                exec.pass_turn(*turn);
                self.tell_waiting();
                if self.has_completed(until) {
                    return Progress::Done;
                }
                continue;
            }
            exec.pass_turn(*turn);
            let through = batch.ops.pop_front();
            if matches!(&through, Some(Op::Launch { exec, .. }) if Arc::strong_count(exec) == 1) {
                // With the exec go callbacks of the caller's.
                return self.call_out(batch, move || drop(through));
            }
            drop(through);
            self.complete_one();
            return Progress::Done;
        }
    }

    /// Writes that work which is in no graph begins, if a trace goes on.
    #[inline]
    fn trace_work(&self, action: &Action) -> Option<trace::Span> {
        trace::is_on().then(|| self.open_work(action)).flatten()
    }

    #[cold]
    fn open_work(&self, action: &Action) -> Option<trace::Span> {
        let name = match action {
            Action::Kernel(call) => trace::text(&call.kernel.name),
            _ => trace::name(action.kind().name()),
        };
        trace::open(&Entry { name, begin: clock::stamp(), stream: self.number_in_trace(), ..Entry::of(Kind::Work) })
    }

    fn complete_one(&self) {
        // Only the lane that runs the stream writes this.
        let completed = self.completed.load(Ordering::Relaxed) + 1;
        if self.context.error().is_some() {
            self.lost.fetch_min(completed, Ordering::Relaxed);
        }
        self.completed.store(completed, Ordering::Release);
    }
}

fn run_action(action: &Action) -> Result<()> {
    let _runs = guard::is_on().then(|| action.runs(None));
    match action {
        Action::Kernel(KernelCall { kernel, shape, arguments, .. }) => {
            let mut arena = ArgumentArena::for_launches(std::iter::once(arguments));
            let table = arena.append(arguments);
            let run = || Grid::new(shape).run(kernel.function, table, &BlockPace::default());
            match catch_panic(run) {
                Some(ran) => ran.map_err(|fault| fault.into_error(&kernel.name)),
                None => Err(kernel_panicked(&kernel.name, None)),
            }
        }
        Action::Memcpy(copy) => held::run_copy(copy),
        Action::MemcpyRows(call) => held::run_rows(&call.copy),
        Action::Memset(set) => held::run_set(set),
        // Of graphs alone, or run elsewhere.
        Action::Empty
        | Action::Host(_)
        | Action::Values(_)
        | Action::RecordEvent(_)
        | Action::WaitEvent(_)
        | Action::Child(_)
        | Action::Conditional(_)
        | Action::Boundary
        | Action::Branch(_)
        | Action::MemAlloc(_)
        | Action::MemFree(_) => Ok(()),
    }
}
