//! The thread of an actor: takes messages, launches, and answers when launches have completed.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::counted::Counted;
use super::mailbox::{Mailbox, Patience, Taken};
use super::stall::StallWatch;
use crate::check::log_findings;
use crate::future::{Answer, Promise};
use crate::script::{Script, ScriptError};
use graphcap_base::defer;
use graphcap_base::error::{Error, Result, Status};
use graphcap_core::{ApplyOptions, Context, DotFlags, Event, FftPlan, Graph, GraphExec, Stream};
use graphcap_devices::exchange_capture_mode;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{EventOptions, ExecFlags, HostFunction};

/// Time that the thread waits for a launch before it looks for messages. The device is busy meanwhile.
const SLICE: Duration = Duration::from_micros(100);
/// A launch that is alone is waited for eagerly if the one before took no longer than this. What takes longer is not much later for
/// two more threads that wake.
const SHORT: Duration = Duration::from_millis(1);
/// Time that it waits for a host function before it looks whether the context has faulted: then none is called any more.
const DOUBT: Duration = Duration::from_millis(20);
/// The most launches in flight. The thread comes to the next one when one of them has completed, and to what comes behind that then.
const MOST_IN_FLIGHT: usize = 256;

/// Way in which an actor learns that a launch has completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Completion {
    /// By an event behind each launch, which it asks while it has nothing else to do. By the number of the launch where the device counts
    /// what completes.
    #[default]
    Event,
    /// By a host function behind each launch. Nothing is asked meanwhile.
    HostFunction,
    /// By waiting for the stream after each launch, so that one launch runs at a time.
    Synchronize,
}

/// Message to an actor.
pub(super) enum Message {
    Record { script: Script, mode: CaptureMode, flags: ExecFlags, promise: Promise },
    Adopt { graph: Graph, flags: ExecFlags, promise: Promise },
    Launch { exec: GraphExec, promise: Promise },
    Update { exec: GraphExec, graph: Graph, promise: Promise },
    SetFftPlan { exec: GraphExec, op: usize, plan: FftPlan, promise: Promise },
    ExportDot { exec: GraphExec, flags: DotFlags, promise: Promise },
}

impl Message {
    fn is_launch(&self) -> bool {
        matches!(self, Message::Launch { .. })
    }

    fn into_promise(self) -> Promise {
        match self {
            Message::Record { promise, .. }
            | Message::Adopt { promise, .. }
            | Message::Launch { promise, .. }
            | Message::Update { promise, .. }
            | Message::SetFftPlan { promise, .. }
            | Message::ExportDot { promise, .. } => promise,
        }
    }
}

/// Sign of the completion of a launch.
enum Mark {
    Event(Event),
    /// The stream's count.
    Number(u64),
    /// A host function.
    Call,
}

/// A launch that has not completed.
struct Flying {
    mark: Mark,
    promise: Promise,
    /// The caller may let go of it meanwhile.
    _exec: GraphExec,
    since: Instant,
}

/// The state of the thread.
pub(super) struct Worker {
    stream: Stream,
    mailbox: Arc<Mailbox<Message>>,
    completion: Completion,
    /// The launches by number, where these tell what has completed.
    counted: Option<Counted>,
    flying: VecDeque<Flying>,
    /// Events that no launch uses.
    events: Vec<Event>,
    /// An event that is never recorded: a question about it fails only where the context is over.
    probe: Event,
    /// Number of host functions that were called behind launches, and of those launches that were answered.
    called: Arc<AtomicUsize>,
    answered: usize,
    /// Tells whether the launch that completed last was [`SHORT`].
    is_short: bool,
    fault: Option<Error>,
    /// Tells of launches that are late, where the caller wants that.
    stalls: Option<StallWatch>,
}

/// An event that only tells whether it was reached.
fn event(context: &Context) -> Result<Event> {
    Event::create(context, EventOptions { disable_timing: true, ..EventOptions::default() })
}

impl Worker {
    pub(super) fn new(
        stream: Stream,
        mailbox: Arc<Mailbox<Message>>,
        completion: Completion,
        stalls: Option<StallWatch>,
    ) -> Result<Worker> {
        let probe = event(stream.context())?;
        let counted = (completion == Completion::Event).then(|| Counted::of(&stream, &mailbox)).flatten();
        Ok(Worker {
            stream,
            mailbox,
            completion,
            counted,
            flying: VecDeque::new(),
            events: Vec::new(),
            probe,
            called: Arc::default(),
            answered: 0,
            is_short: false,
            fault: None,
            stalls,
        })
    }

    /// Works until the mailbox is closed and all launches have completed.
    pub(super) fn run(mut self) {
        let mailbox = Arc::clone(&self.mailbox);
        let end = defer(|| {
            mailbox.close();
            // What came in after the last look is dropped, which answers it.
            drop(mailbox.take(Patience::None, |_| true));
            mailbox.end();
        });
        // Its questions must not break captures of other threads.
        let _ = exchange_capture_mode(CaptureMode::Relaxed);
        loop {
            self.answer_completed();
            let patience = if self.flying.is_empty() { Patience::Forever } else { Patience::None };
            if self.flying.is_empty() {
                self.mailbox.look_for_news();
            }
            match self.take(patience) {
                Taken::Message(message) => self.handle(message),
                Taken::Nothing => self.await_one(),
                Taken::Closed(left) => {
                    self.let_go(left);
                    if self.flying.is_empty() {
                        break;
                    }
                    self.await_one();
                }
            }
        }
        // What dropping an exec runs of the caller's has run when the end is told.
        drop(self);
        drop(end);
    }

    /// Takes the next message. A launch is left in the mailbox while as many as may be are in flight.
    fn take(&self, patience: Patience) -> Taken<Message> {
        let is_full = self.flying.len() >= MOST_IN_FLIGHT;
        self.mailbox.take(patience, |message| !is_full || !message.is_launch())
    }

    fn handle(&mut self, message: Message) {
        if self.fault.is_none() && self.stream.context().is_stale() {
            self.look_for_fault();
        }
        if let Some(fault) = &self.fault {
            return message.into_promise().answer(Err(fault.clone().into()));
        }
        match message {
            Message::Record { script, mode, flags, promise } => {
                let made = record(&self.stream, &script, mode, flags);
                self.answer(promise, made);
            }
            Message::Adopt { graph, flags, promise } => {
                self.answer(promise, instantiate(&graph, flags, None).map_err(ScriptError::from));
            }
            Message::Launch { exec, promise } => self.launch(exec, promise),
            Message::Update { exec, graph, promise } => {
                self.answer(promise, update(&exec, &graph).map_err(ScriptError::from));
            }
            Message::SetFftPlan { exec, op, plan, promise } => {
                let set = set_fft_plan(&self.stream, &exec, op, &plan);
                self.answer(promise, set);
            }
            Message::ExportDot { exec, flags, promise } => {
                self.answer(promise, export_dot(&exec, flags).map_err(ScriptError::from));
            }
        }
    }

    /// Gives the answer. What failed may have failed because the context is over.
    fn answer(&mut self, promise: Promise, answered: Result<Answer, ScriptError>) {
        let has_failed = answered.is_err();
        promise.answer(answered);
        if has_failed {
            self.look_for_fault();
        }
    }

    /// Answers messages that were left in the closed mailbox.
    fn let_go(&self, left: VecDeque<Message>) {
        if let Some(fault) = &self.fault {
            return left.into_iter().for_each(|message| message.into_promise().answer(Err(fault.clone().into())));
        }
        // Dropping a message answers that it was cancelled.
        drop(left);
    }

    fn launch(&mut self, exec: GraphExec, promise: Promise) {
        promise.launches(&exec);
        if let Some(stalls) = self.stalls.as_ref().filter(|_| self.flying.is_empty()) {
            // Before the launch, which may not return.
            stalls.look_after(Some(&promise));
        }
        // Made first: what fails here leaves no launch behind that nobody knows of.
        let event = match (self.completion, &self.counted) {
            (Completion::Event, None) => self.events.pop().map_or_else(|| event(self.stream.context()), Ok).map(Some),
            _ => Ok(None),
        };
        let launched = event.and_then(|event| match exec.launch(&self.stream) {
            Ok(()) => Ok(event),
            Err(error) => {
                self.events.extend(event);
                Err(error)
            }
        });
        let event = match launched {
            Ok(event) => event,
            Err(error) => {
                self.answer(promise, Err(error.into()));
                return self.look_after_first();
            }
        };
        let since = Instant::now();
        match self.mark(event) {
            Some(mark) => self.flying.push_back(Flying { mark, promise, _exec: exec, since }),
            // It runs all the same, and is answered when it has completed.
            None => self.finish(promise),
        }
    }

    /// Arranges a sign of the completion of the latest launch; `None` where there is none.
    fn mark(&mut self, event: Option<Event>) -> Option<Mark> {
        match (self.completion, event, &self.counted) {
            (Completion::Event, None, Some(counted)) => Some(Mark::Number(counted.latest())),
            (Completion::Event, Some(event), _) => match event.record(&self.stream) {
                Ok(()) => Some(Mark::Event(event)),
                Err(_) => {
                    self.events.push(event);
                    None
                }
            },
            (Completion::HostFunction, ..) => {
                let (called, mailbox) = (Arc::clone(&self.called), Arc::clone(&self.mailbox));
                let call: HostFunction = Arc::new(move || {
                    called.fetch_add(1, Ordering::Release);
                    mailbox.wake();
                });
                self.stream.launch_host_function(call).is_ok().then_some(Mark::Call)
            }
            _ => None,
        }
    }

    /// Waits for the stream, and answers all launches: `last` is of the one that was made last.
    fn finish(&mut self, last: Promise) {
        let waited = self.stream.synchronize();
        self.answer_completed();
        self.answer(last, waited.map(|()| Answer::default()).map_err(ScriptError::from));
        self.look_after_first();
    }

    /// The launch that may be late is the earliest one from here on.
    fn look_after_first(&self) {
        if let Some(stalls) = &self.stalls {
            stalls.look_after(self.flying.front().map(|first| &first.promise));
        }
    }

    /// Answers the launches that have completed, the earliest first.
    fn answer_completed(&mut self) {
        self.note_counted();
        while let Some(first) = self.flying.front() {
            let completed = match &first.mark {
                Mark::Event(event) => event.is_complete(),
                &Mark::Number(number) => self.has_completed(number),
                Mark::Call => Ok(self.called.load(Ordering::Acquire) > self.answered),
            };
            match completed {
                Ok(false) => return,
                Ok(true) => {
                    self.answered += 1;
                    if let Some(Flying { mark, promise, since, .. }) = self.flying.pop_front() {
                        self.is_short = since.elapsed() <= SHORT;
                        if let Mark::Event(event) = mark {
                            self.events.push(event);
                        }
                        self.look_after_first();
                        promise.answer(Ok(Answer::default()));
                    }
                }
                Err(_) => self.wait_out_first(),
            }
        }
    }

    /// Notes how long launches took that have completed by their numbers.
    fn note_counted(&mut self) {
        let Some(counted) = &mut self.counted else { return };
        let has_completed =
            |flying: &&Flying| matches!(flying.mark, Mark::Number(number) if counted.has_completed(number));
        let count = self.flying.iter().take_while(has_completed).count();
        if let Some(first) = self.flying.front().filter(|_| count > 0) {
            counted.note(u32::try_from(count).unwrap_or(u32::MAX), first.since);
        }
    }

    /// Returns whether launch `number` has completed, and completed before the context faulted.
    ///
    /// # Errors
    /// The fault; `STALE` after a reset.
    fn has_completed(&self, number: u64) -> Result<bool> {
        let Some(counted) = &self.counted else { return Ok(false) };
        if self.stream.context().is_stale()
            || (counted.has_completed(number) && !counted.had_completed_before_fault(number))
        {
            // A question about it fails then.
            return self.probe.is_complete();
        }
        Ok(counted.has_completed(number))
    }

    /// Waits for the stream where it cannot be asked whether the earliest launch has completed, and answers the launch.
    fn wait_out_first(&mut self) {
        self.look_for_fault();
        if let Some(Flying { promise, .. }) = self.flying.pop_front() {
            let waited = self.stream.synchronize();
            self.answer(promise, waited.map(|()| Answer::default()).map_err(ScriptError::from));
            self.look_after_first();
        }
    }

    /// Waits a while for the earliest launch, or for a message.
    fn await_one(&mut self) {
        let is_alone = self.flying.len() == 1;
        let Some(first) = self.flying.front() else { return };
        let since = first.since;
        let waited = match &first.mark {
            &Mark::Number(number) => return self.await_number(number),
            Mark::Call => {
                let called = self.called.load(Ordering::Acquire) > self.answered;
                if !called && !self.wait_for_call() {
                    self.look_for_fault();
                }
                return;
            }
            _ if is_alone && self.is_short => self.stream.synchronize_eagerly(SLICE),
            Mark::Event(event) => event.synchronize_for(SLICE),
        };
        match waited {
            Err(error) if error.status == Status::TIMEOUT => self.is_short &= since.elapsed() <= SHORT,
            // The question about its event tells what of that concerns the launch.
            Err(_) => self.look_for_fault(),
            Ok(()) => {}
        }
    }

    /// Runs the earliest launches, the first of which has that number, while they are short; else waits a while for the first, or for a
    /// message.
    fn await_number(&mut self, number: u64) {
        let Some((counted, Mark::Number(last))) = self.counted.as_ref().zip(self.flying.back().map(|last| &last.mark))
        else {
            return;
        };
        if counted.help(number, *last, || self.mailbox.has_news()) || !counted.wakes_at(number) {
            return;
        }
        if !self.sleep() && !self.has_completed(number).is_ok_and(|is_complete| is_complete) {
            self.look_for_fault();
        }
    }

    /// Waits for a host function's call or a message. Whether there was either.
    fn wait_for_call(&mut self) -> bool {
        self.sleep() || self.called.load(Ordering::Acquire) > self.answered
    }

    /// Sleeps until there is a message, which it handles, or something wakes the thread. Whether there was a message.
    fn sleep(&mut self) -> bool {
        match self.take(Patience::For(DOUBT)) {
            Taken::Message(message) => {
                self.handle(message);
                return true;
            }
            Taken::Closed(left) => {
                self.let_go(left);
                // It answers at once from now on, so the thread sleeps here.
                std::thread::sleep(SLICE);
            }
            Taken::Nothing => {}
        }
        false
    }

    /// Looks whether the context has faulted or was reset, which ends what the actor can do. Other errors end nothing.
    fn look_for_fault(&mut self) {
        if self.fault.is_some() {
            return;
        }
        if let Err(error) = self.probe.is_complete() {
            self.fail(error);
        }
    }

    /// Answers everything with the cause: what is in flight now, and what is queued when its turn comes. Launches that had completed
    /// before succeed, where the device tells.
    fn fail(&mut self, error: Error) {
        let had_completed = |worker: &Worker, first: &Flying| match &first.mark {
            Mark::Event(event) => event.was_reached_before_fault(),
            &Mark::Number(number) => {
                let counted = worker.counted.as_ref().filter(|_| !worker.stream.context().is_stale());
                counted.is_some_and(|counted| counted.had_completed_before_fault(number))
            }
            Mark::Call => worker.called.load(Ordering::Acquire) > worker.answered,
        };
        while self.flying.front().is_some_and(|first| had_completed(self, first)) {
            self.answered += 1;
            if let Some(Flying { promise, .. }) = self.flying.pop_front() {
                promise.answer(Ok(Answer::default()));
            }
        }
        for Flying { promise, .. } in std::mem::take(&mut self.flying) {
            promise.answer(Err(error.clone().into()));
        }
        self.look_after_first();
        self.fault = Some(error);
    }
}

/// The script that an exec was recorded from. Only kept where it can be needed: ops may keep what the program wants back.
struct Recorded {
    script: Script,
    mode: CaptureMode,
}

fn record(stream: &Stream, script: &Script, mode: CaptureMode, flags: ExecFlags) -> Result<Answer, ScriptError> {
    // The caller may add ops later.
    let kept = if script.has_fft() { Some(script.copy()?) } else { None };
    let graph = kept.as_ref().unwrap_or(script).record(stream, mode)?;
    Ok(instantiate(&graph, flags, kept.map(|script| Recorded { script, mode }))?)
}

fn instantiate(graph: &Graph, flags: ExecFlags, recorded: Option<Recorded>) -> Result<Answer> {
    let exec = graph.instantiate_with(flags, None)?;
    log_findings(graph);
    describe(graph, &exec, recorded);
    Ok(Answer { exec: Some(exec), text: None })
}

fn describe(graph: &Graph, exec: &GraphExec, recorded: Option<Recorded>) {
    graph.describe(exec, recorded.map(|recorded| Arc::new(recorded) as Arc<dyn Any + Send + Sync>));
}

fn set_fft_plan(stream: &Stream, exec: &GraphExec, op: usize, plan: &FftPlan) -> Result<Answer, ScriptError> {
    let recorded = exec.described_made_of().and_then(|made_of| made_of.downcast::<Recorded>().ok()).ok_or_else(|| {
        Error::new(
            Status::NOT_FOUND,
            "no actor recorded the graph exec from a script with a Fourier transform, or it was updated since; have a script recorded",
        )
    })?;
    let (script, mode) = (recorded.script.with_fft_plan(op, plan)?, recorded.mode);
    let graph = script.record(stream, mode)?;
    exec.apply(&graph, &ApplyOptions::default())?.outcome?;
    describe(&graph, exec, Some(Recorded { script, mode }));
    Ok(Answer::default())
}

fn update(exec: &GraphExec, graph: &Graph) -> Result<Answer> {
    exec.update(graph, false)?.outcome?;
    describe(graph, exec, None);
    Ok(Answer::default())
}

fn export_dot(exec: &GraphExec, flags: DotFlags) -> Result<Answer> {
    let graph = exec.described_by().ok_or_else(|| {
        Error::new(Status::NOT_FOUND, "the graph exec was made by no actor; have one record or adopt the graph")
    })?;
    Ok(Answer { exec: None, text: Some(graph.export_dot(flags)?) })
}
