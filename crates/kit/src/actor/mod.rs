//! An actor: one thread that owns execs, and records, launches and updates them by message.

mod counted;
mod mailbox;
mod stall;
mod worker;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use self::mailbox::{Mailbox, Patience};
use self::stall::StallWatch;
pub use self::worker::Completion;
use self::worker::{Message, Worker};
use super::future::{promise, Future};
use super::script::Script;
use crate::looks::Looks;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_core::{Context, DotFlags, FftPlan, Graph, GraphExec, Stream};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{check_caller, start_thread, ExecFlags, StreamOptions};

/// Time that a thread looks for a message or an answer before it sleeps, where there is a core for it beside that of another thread.
const LOOK: Duration = Duration::from_micros(5);

/// Options that an actor is made with.
#[derive(Clone, Copy, Debug)]
pub struct ActorOptions {
    /// The most messages that wait; a post waits for room. At least 1.
    pub mailbox: usize,
    /// Way in which it learns that a launch has completed.
    pub completion: Completion,
    /// After how long a launch counts as late that has not completed, of which [`Future::stall`] and [`Future::on_stall`] tell: from
    /// when the actor made it, or had answered the launch before. `None` for no such limit; with one, the actor has another thread.
    pub stall_limit: Option<Duration>,
}

impl Default for ActorOptions {
    fn default() -> Self {
        ActorOptions { mailbox: 1024, completion: Completion::default(), stall_limit: None }
    }
}

/// A thread that owns execs and a stream, and does what it is told by message, one message after another. A message is answered by a
/// [`Future`], and a launch only when the stream has completed it; several launches may be in flight. While it has nothing to do the
/// thread sleeps.
///
/// Clones are of one actor. When the last one goes, the actor is closed.
///
/// ```
/// use graphcap::core::{Buffer, Context, FillOf, OwnedWork};
/// use graphcap::driver::{DeviceChoice, DeviceKind, ExecFlags};
/// use graphcap::kit::{Actor, ActorOptions, Script};
/// use graphcap::rules::CaptureMode;
///
/// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
/// let buffer = Buffer::allocate(&context, 64)?;
/// let script = Script::create(&context);
/// script.push(OwnedWork::Memset(FillOf::bytes(&buffer, 7)))?;
///
/// let actor = Actor::create(&context, ActorOptions::default())?;
/// let recorded = actor.record(&script, CaptureMode::Relaxed, ExecFlags::default())?;
/// recorded.wait()?;
/// let exec = recorded.take_exec().expect("a recording that succeeded has an exec");
/// let launches: Vec<_> = (0..3).map(|_| actor.launch(&exec)).collect::<Result<_, _>>()?;
/// for launched in launches {
///     launched.wait()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Actor {
    owner: Arc<Owner>,
    patience: Patience,
}

/// The part that clones of an actor share.
struct Owner {
    context: Context,
    mailbox: Arc<Mailbox<Message>>,
    thread: Arc<OnceLock<ThreadNumber>>,
    /// Looks of the threads that wait for an answer.
    looks: Arc<Looks>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.mailbox.close();
    }
}

impl Actor {
    /// Starts an actor: a thread, with a stream of its own.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a mailbox without room; `OUT_OF_MEMORY` where no thread can start; the status of a context that faulted.
    pub fn create(context: &Context, options: ActorOptions) -> Result<Actor> {
        check_caller()?;
        if options.mailbox == 0 {
            return Err(Error::invalid_value("the mailbox of an actor has room for at least 1 message, not 0"));
        }
        // A blocking stream would wait for the legacy stream.
        let stream = Stream::create(context, StreamOptions { non_blocking: true, ..StreamOptions::default() })?;
        let is_alone = std::thread::available_parallelism().is_ok_and(|cores| cores.get() == 1);
        let look = if is_alone { Duration::ZERO } else { LOOK };
        let (mailbox, thread) = (Arc::new(Mailbox::new(options.mailbox, look)), Arc::new(OnceLock::new()));
        let stalls = options.stall_limit.map(StallWatch::start).transpose()?;
        let worker = Worker::new(stream, Arc::clone(&mailbox), options.completion, stalls)?;
        let number = Arc::clone(&thread);
        let started = start_thread("graphcap-actor", move || {
            let _ = number.set(this_thread());
            worker.run();
        });
        started.map_err(|error| {
            Error::new(Status::OUT_OF_MEMORY, format!("the thread of an actor could not start: {error}"))
        })?;
        let owner = Arc::new(Owner { context: context.clone(), mailbox, thread, looks: Arc::new(Looks::of(look)) });
        Ok(Actor { owner, patience: Patience::Forever })
    }

    /// Another handle of the actor. A post through it waits no longer than `limit` for room in the mailbox, and answers `BUSY` at once
    /// where `limit` is zero and the mailbox is full.
    #[must_use]
    pub fn with_patience(&self, limit: Duration) -> Actor {
        let patience = if limit.is_zero() { Patience::None } else { Patience::For(limit) };
        Actor { owner: Arc::clone(&self.owner), patience }
    }

    /// The context that the actor works in.
    pub fn context(&self) -> &Context {
        &self.owner.context
    }

    /// Makes the actor record a script on its stream and instantiate it. The answer carries the exec. It is the caller's, and keeps the
    /// graph, for [`Actor::export_dot`].
    ///
    /// # Errors
    /// `ILLEGAL_STATE` where the actor is closed; `BUSY` where the mailbox is full and the call may not wait, as on the actor's own
    /// thread; `TIMEOUT` where it was full all the time. The answer has those of [`Script::record`] and [`Graph::instantiate`].
    pub fn record(&self, script: &Script, mode: CaptureMode, flags: ExecFlags) -> Result<Future> {
        let script = script.clone();
        self.post(|promise| Message::Record { script, mode, flags, promise })
    }

    /// Makes the actor instantiate a graph that the caller recorded or built. The answer carries the exec, as that of
    /// [`Actor::record`]. The exec keeps the graph.
    ///
    /// # Errors
    /// As [`Actor::record`].
    pub fn adopt(&self, graph: &Graph, flags: ExecFlags) -> Result<Future> {
        let graph = graph.clone();
        self.post(|promise| Message::Adopt { graph, flags, promise })
    }

    /// Makes the actor launch an exec on its stream. The answer comes when the launch has completed. Answers come in the order of the
    /// posts of a thread.
    ///
    /// # Errors
    /// As [`Actor::record`]; the answer has those of [`GraphExec::launch`], and the status of a fault.
    pub fn launch(&self, exec: &GraphExec) -> Result<Future> {
        let exec = exec.clone();
        self.post(|promise| Message::Launch { exec, promise })
    }

    /// Makes the actor update an exec to do the work of `graph`, behind the launches that were posted before.
    ///
    /// # Errors
    /// As [`Actor::record`]; the answer has those of [`GraphExec::update`], and `GRAPH_EXEC_UPDATE_FAILURE` where the exec is unchanged.
    pub fn update(&self, exec: &GraphExec, graph: &Graph) -> Result<Future> {
        let (exec, graph) = (exec.clone(), graph.clone());
        self.post(|promise| Message::Update { exec, graph, promise })
    }

    /// Makes the Fourier transform of an exec use another plan, behind the launches that were posted before: the one of the op at `op` of
    /// the script that an actor recorded as the exec. The plan may be for other sizes, where they fit the op's memory. The ops that the
    /// script had then are recorded again, so that their functions run again, and the exec comes to do the work of the new graph, as by
    /// [`GraphExec::apply`]. The former plan ends when nothing needs it any more.
    ///
    /// # Errors
    /// As [`Actor::record`]. The answer is `NOT_FOUND` for an exec that no actor recorded from a script with a transform, or that an
    /// actor updated since; `INVALID_VALUE` where the op is no transform, or one in the other direction; and has those of
    /// [`Script::record`] and [`GraphExec::apply`]. The exec is unchanged then.
    pub fn set_fft_plan(&self, exec: &GraphExec, op: usize, plan: &FftPlan) -> Result<Future> {
        let (exec, plan) = (exec.clone(), plan.clone());
        self.post(|promise| Message::SetFftPlan { exec, op, plan, promise })
    }

    /// Makes the actor write, in the DOT language, the graph that an exec was made from or last updated by. The answer carries the
    /// text.
    ///
    /// # Errors
    /// As [`Actor::record`]; the answer is `NOT_FOUND` for an exec that no actor made, and has those of
    /// [`Graph::export_dot`].
    pub fn export_dot(&self, exec: &GraphExec, flags: DotFlags) -> Result<Future> {
        let exec = exec.clone();
        self.post(|promise| Message::ExportDot { exec, flags, promise })
    }

    /// Closes the actor: it takes no more messages, those that it has not come to are answered with `CANCELLED`, and launches that it
    /// made finish and are answered. Does not wait.
    pub fn close(&self) {
        self.owner.mailbox.close();
    }

    /// Closes the actor, and waits until its thread has answered everything, but no longer than `limit`.
    ///
    /// # Errors
    /// `TIMEOUT` where it has not by then; `BUSY` on the actor's own thread; `NOT_PERMITTED` on a thread on which work runs.
    pub fn close_and_wait(&self, limit: Duration) -> Result<()> {
        check_caller()?;
        self.close();
        if self.is_own_thread() {
            return Err(Error::new(
                Status::BUSY,
                "the actor's own thread cannot wait for its end; wait on another thread",
            ));
        }
        match self.owner.mailbox.await_end(limit) {
            true => Ok(()),
            false => Err(Error::new(Status::TIMEOUT, "launches of the actor have not completed yet")),
        }
    }

    fn post(&self, message: impl FnOnce(super::future::Promise) -> Message) -> Result<Future> {
        check_caller()?;
        let (promise, future) = promise(&self.owner.context, &self.owner.thread, &self.owner.looks);
        let patience = if self.is_own_thread() { Patience::None } else { self.patience };
        self.owner.mailbox.post(message(promise), patience)?;
        Ok(future)
    }

    fn is_own_thread(&self) -> bool {
        self.owner.thread.get() == Some(&this_thread())
    }
}

impl fmt::Debug for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Actor").field("context", &self.owner.context).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
