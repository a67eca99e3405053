//! The thread of an actor: takes messages, launches, and answers when launches have completed.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;

use super::mailbox::{Mailbox, Patience, Taken};
use crate::core::{DotFlags, Event, Graph, GraphExec, Stream};
use crate::driver::{exchange_capture_mode, EventOptions, ExecFlags};
use crate::error::{Error, Result, Status};
use crate::kit::future::{Answer, Promise};
use crate::kit::script::{Script, ScriptError};
use crate::rules::CaptureMode;

/// How long the thread waits for a launch before it looks for messages. The device is busy meanwhile.
const SLICE: Duration = Duration::from_micros(100);
/// How long it waits for a host function before it looks whether the context has faulted: then none is called any more.
const DOUBT: Duration = Duration::from_millis(20);
/// The most launches in flight, before the thread waits for one.
const MOST_IN_FLIGHT: usize = 256;

/// How an actor learns that a launch has completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Completion {
    /// By an event behind each launch, which it asks while it has nothing else to do.
    #[default]
    Event,
    /// By a host function behind each launch. Nothing is asked meanwhile.
    HostFunction,
    /// By waiting for the stream after each launch, so that one launch runs at a time.
    Synchronize,
}

/// What an actor is told to do.
pub(super) enum Message {
    Record { script: Script, mode: CaptureMode, flags: ExecFlags, promise: Promise },
    Adopt { graph: Graph, flags: ExecFlags, promise: Promise },
    Launch { exec: GraphExec, promise: Promise },
    Update { exec: GraphExec, graph: Graph, promise: Promise },
    ExportDot { exec: GraphExec, flags: DotFlags, promise: Promise },
}

impl Message {
    fn into_promise(self) -> Promise {
        match self {
            Message::Record { promise, .. }
            | Message::Adopt { promise, .. }
            | Message::Launch { promise, .. }
            | Message::Update { promise, .. }
            | Message::ExportDot { promise, .. } => promise,
        }
    }
}

/// A launch that has not completed.
struct Flying {
    /// What it is completed by; `None` where a host function tells.
    event: Option<Event>,
    promise: Promise,
    /// The caller may let go of it meanwhile.
    _exec: GraphExec,
}

/// What the thread has.
pub(super) struct Worker {
    stream: Stream,
    mailbox: Arc<Mailbox<Message>>,
    completion: Completion,
    flying: VecDeque<Flying>,
    /// Events that no launch uses.
    events: Vec<Event>,
    /// How many host functions were called behind launches, and how many of those launches were answered.
    called: Arc<AtomicUsize>,
    answered: usize,
    /// The execs of the actor, with the graphs that they do the work of.
    execs: Vec<(GraphExec, Graph)>,
    fault: Option<Error>,
}

/// Tells that the thread has ended, however it did.
struct End(Arc<Mailbox<Message>>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.close();
        // What came in after the last look is dropped, which answers it.
        drop(self.0.take(Patience::None));
        self.0.end();
    }
}

impl Worker {
    pub(super) fn new(stream: Stream, mailbox: Arc<Mailbox<Message>>, completion: Completion) -> Worker {
        Worker {
            stream,
            mailbox,
            completion,
            flying: VecDeque::new(),
            events: Vec::new(),
            called: Arc::default(),
            answered: 0,
            execs: Vec::new(),
            fault: None,
        }
    }

    /// Works until the mailbox is closed and all launches have completed.
    pub(super) fn run(mut self) {
        let end = End(Arc::clone(&self.mailbox));
        // Its questions must not break captures of other threads.
        let _ = exchange_capture_mode(CaptureMode::Relaxed);
        loop {
            self.answer_completed();
            let patience = if self.flying.is_empty() { Patience::Forever } else { Patience::None };
            match self.mailbox.take(patience) {
                Taken::Message(message) => self.handle(message),
                Taken::Nothing => self.await_one(),
                Taken::Closed(left) => {
                    drop(left);
                    if self.flying.is_empty() {
                        break;
                    }
                    self.await_one();
                }
            }
            while self.flying.len() >= MOST_IN_FLIGHT {
                self.await_one();
                self.answer_completed();
            }
        }
        // What dropping an exec runs of the caller's has run when the end is told.
        drop(self);
        drop(end);
    }

    fn handle(&mut self, message: Message) {
        if let Some(fault) = &self.fault {
            return message.into_promise().answer(Err(fault.clone().into()));
        }
        match message {
            Message::Record { script, mode, flags, promise } => {
                let recorded = script.record(&self.stream, mode);
                promise.answer(recorded.and_then(|graph| Ok(self.instantiate(graph, flags)?)));
            }
            Message::Adopt { graph, flags, promise } => {
                promise.answer(self.instantiate(graph, flags).map_err(ScriptError::from));
            }
            Message::Launch { exec, promise } => self.launch(exec, promise),
            Message::Update { exec, graph, promise } => {
                promise.answer(self.update(&exec, graph).map_err(ScriptError::from));
            }
            Message::ExportDot { exec, flags, promise } => {
                promise.answer(self.export_dot(&exec, flags).map_err(ScriptError::from));
            }
        }
    }

    fn instantiate(&mut self, graph: Graph, flags: ExecFlags) -> Result<Answer> {
        // Those that only this thread has are let go of.
        self.execs.retain(|(exec, _)| exec.is_held_elsewhere());
        let exec = graph.instantiate_with(flags, None)?;
        self.execs.push((exec.clone(), graph));
        Ok(Answer { exec: Some(exec), text: None })
    }

    fn update(&mut self, exec: &GraphExec, graph: Graph) -> Result<Answer> {
        exec.update(&graph, false)?.outcome?;
        if let Some((_, source)) = self.execs.iter_mut().find(|(known, _)| known.is(exec)) {
            *source = graph;
        }
        Ok(Answer::default())
    }

    fn export_dot(&self, exec: &GraphExec, flags: DotFlags) -> Result<Answer> {
        let known = self.execs.iter().find(|(known, _)| known.is(exec));
        let (_, graph) = known.ok_or_else(|| {
            Error::new(Status::NOT_FOUND, "the graph exec is none of this actor's; have it record or adopt the graph")
        })?;
        Ok(Answer { exec: None, text: Some(graph.export_dot(flags)?) })
    }

    fn launch(&mut self, exec: GraphExec, promise: Promise) {
        match self.launch_and_mark(&exec) {
            Ok(None) if self.completion == Completion::Synchronize => promise.answer(Ok(Answer::default())),
            Ok(event) => self.flying.push_back(Flying { event, promise, _exec: exec }),
            Err(error) => {
                promise.answer(Err(error.into()));
                self.look_for_fault();
            }
        }
    }

    /// Launches, and has something tell when the launch has completed.
    fn launch_and_mark(&mut self, exec: &GraphExec) -> Result<Option<Event>> {
        let event = match self.completion {
            Completion::Event => Some(match self.events.pop() {
                Some(event) => event,
                None => {
                    let options = EventOptions { disable_timing: true, ..EventOptions::default() };
                    Event::create(self.stream.context(), options)?
                }
            }),
            Completion::HostFunction | Completion::Synchronize => None,
        };
        exec.launch(&self.stream)?;
        match (self.completion, &event) {
            (Completion::Event, Some(event)) => event.record(&self.stream)?,
            (Completion::HostFunction, _) => {
                let (called, mailbox) = (Arc::clone(&self.called), Arc::clone(&self.mailbox));
                self.stream.launch_host_function(Arc::new(move || {
                    called.fetch_add(1, Ordering::Release);
                    mailbox.wake();
                }))?;
            }
            _ => self.stream.synchronize()?,
        }
        Ok(event)
    }

    /// Answers the launches that have completed, the earliest first.
    fn answer_completed(&mut self) {
        while let Some(first) = self.flying.front() {
            let completed = match &first.event {
                Some(event) => event.is_complete(),
                None => Ok(self.called.load(Ordering::Acquire) > self.answered),
            };
            match completed {
                Ok(false) => return,
                Ok(true) => {
                    self.answered += 1;
                    if let Some(Flying { event, promise, .. }) = self.flying.pop_front() {
                        self.events.extend(event);
                        promise.answer(Ok(Answer::default()));
                    }
                }
                Err(error) => return self.fail(error),
            }
        }
    }

    /// Waits a while for the earliest launch, or for a message.
    fn await_one(&mut self) {
        let waited = match self.flying.front() {
            None => return,
            Some(Flying { event: None, .. }) => {
                let called = self.called.load(Ordering::Acquire) > self.answered;
                if !called && !self.wait_for_call() {
                    return self.look_for_fault();
                }
                return;
            }
            // The stream's own wait is the sooner one: a device may do the work on the thread that waits.
            Some(_) if self.flying.len() == 1 => self.stream.synchronize_for(SLICE),
            Some(Flying { event: Some(event), .. }) => event.synchronize_for(SLICE),
        };
        match waited {
            Err(error) if error.status != Status::TIMEOUT => self.fail(error),
            _ => {}
        }
    }

    /// Waits for a host function's call or a message, and handles the message. Whether there was either.
    fn wait_for_call(&mut self) -> bool {
        match self.mailbox.take(Patience::For(DOUBT)) {
            Taken::Message(message) => self.handle(message),
            Taken::Closed(left) => {
                drop(left);
                // It answers at once from now on, so the thread sleeps here.
                std::thread::sleep(SLICE);
            }
            Taken::Nothing => {}
        }
        self.called.load(Ordering::Acquire) > self.answered
    }

    /// Whether the context has faulted, of which a call that fails may tell.
    fn look_for_fault(&mut self) {
        if let Err(error) = self.stream.is_complete() {
            self.fail(error);
        }
    }

    /// Answers everything with the cause of a fault: what is in flight now, and what is queued when its turn comes.
    fn fail(&mut self, error: Error) {
        for Flying { promise, .. } in std::mem::take(&mut self.flying) {
            promise.answer(Err(error.clone().into()));
        }
        self.fault = Some(error);
    }
}
