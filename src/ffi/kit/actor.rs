//! gc_actor: a thread that owns a stream, and records, launches and updates graph execs by message.

use std::sync::Arc;
use std::time::Duration;

use super::future::enter;
use crate::ffi::boundary::{
    check_flags, gc_actor, gc_context, gc_fft_plan, gc_future, gc_graph, gc_graph_exec, gc_script, gc_status, guard,
    handle, kit_guard, one_of, options, Completed, Out, Output, Result, Token, Versioned, WatchedActor,
};
use crate::ffi::graphs::graph::{exec_flags, DOT_FLAGS, EXEC_FLAGS, KNOWN_DOT_FLAGS};
use crate::ffi::objects::stream::{self, gc_capture_mode};
use graphcap_base::error::{Error, Status};
use graphcap_core::DotFlags;
use graphcap_driver::{check_caller, ExecFlags};
use graphcap_kit::{Actor, ActorOptions, Completion};

/// gc_actor_options::completion: the actor records an event behind each launch, and asks about it while it has nothing else
/// to do. On the host device it counts launches instead.
pub const GRAPHCAP_ACTOR_COMPLETION_EVENT: u32 = 0;
/// gc_actor_options::completion: the actor has the stream call a host function behind each launch, and sleeps meanwhile.
pub const GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION: u32 = 1;
/// gc_actor_options::completion: the actor waits for the stream after each launch, so that one launch runs at a time.
pub const GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE: u32 = 2;

/// gc_actor_options::flags: a message to a full mailbox is refused with GRAPHCAP_ERROR_BUSY. Without the flag the call waits
/// for room.
pub const GRAPHCAP_ACTOR_REFUSE_WHEN_FULL: u32 = 1;

/// Options of an actor. 0 is the default of every member.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_actor_options {
    /// sizeof(gc_actor_options).
    pub struct_size: u32,
    /// Way in which the actor learns that a launch has completed: a GRAPHCAP_ACTOR_COMPLETION_ number.
    pub completion: u32,
    /// The most messages that wait; 0 for 1024.
    pub mailbox_capacity: usize,
    /// The longest time that a message waits for room in the mailbox, in nanoseconds; 0 for no limit.
    pub post_timeout_ns: u64,
    /// 0 or GRAPHCAP_ACTOR_REFUSE_WHEN_FULL.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
    /// Nanoseconds after which a launch that has not completed counts as late, see gc_future_stall_report() and
    /// gc_future_on_stall(). They begin when the actor made the launch, or had answered the launch before it. 0 for no
    /// limit. With a limit the actor has another thread, which sleeps while no launch is in flight.
    pub stall_limit_ns: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_actor_options {}

impl gc_actor_options {
    /// Returns what the actor is made with, and how long a message waits where that has a limit.
    fn read(&self) -> Result<(ActorOptions, Option<Duration>)> {
        check_flags(self.reserved, 0, "options.reserved", "0")?;
        check_flags(
            self.flags,
            GRAPHCAP_ACTOR_REFUSE_WHEN_FULL,
            "options.flags",
            "0 or GRAPHCAP_ACTOR_REFUSE_WHEN_FULL",
        )?;
        let completions = [
            (GRAPHCAP_ACTOR_COMPLETION_EVENT, Completion::Event),
            (GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION, Completion::HostFunction),
            (GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE, Completion::Synchronize),
        ];
        let known = "GRAPHCAP_ACTOR_COMPLETION_ numbers";
        let completion = one_of(completions, self.completion, "options.completion", known)?;
        let patience =
            match (self.flags & GRAPHCAP_ACTOR_REFUSE_WHEN_FULL, self.post_timeout_ns) {
                (0, 0) => None,
                (0, limit) => Some(Duration::from_nanos(limit)),
                (_, 0) => Some(Duration::ZERO),
                _ => return Err(Error::invalid_value(
                    "options.post_timeout_ns must be 0 with GRAPHCAP_ACTOR_REFUSE_WHEN_FULL, as no message waits then",
                )
                .into()),
            };
        let defaults = ActorOptions::default();
        let mailbox = if self.mailbox_capacity == 0 { defaults.mailbox } else { self.mailbox_capacity };
        let stall_limit = (self.stall_limit_ns != 0).then(|| Duration::from_nanos(self.stall_limit_ns));
        Ok((ActorOptions { mailbox, completion, stall_limit }, patience))
    }
}

/// Starts an actor: a thread, with a stream of its own, that does what it is told by messages, one after another.
///
/// Each message is answered by a gc_future. A launch is answered when the device has completed it; several launches can be
/// in flight, and those that one thread asked for are answered in the order of its calls. While the actor has nothing to do
/// its thread sleeps.
///
/// A call that sends a message waits while the mailbox is full, as gc_actor_options says. A call on the actor's own thread,
/// which is in the callback of a future, never waits: it is refused with GRAPHCAP_ERROR_BUSY.
///
/// At most 256 launches are in flight. The next one stays in the mailbox until one of them has completed, and so do the messages
/// behind it. Other messages are handled while 256 launches are in flight.
///
/// If the context faults or is reset, the actor answers everything with the cause: the launches in flight, the messages that
/// wait, and those that come later. A launch that had completed before the fault succeeds; with GRAPHCAP_ACTOR_COMPLETION_EVENT a
/// GPU does not tell, and such a launch gets the fault if the actor had not seen it complete. Any other error is that of the
/// message that failed, and the actor goes on.
///
/// @param[in]  context    the context that the actor works in
/// @param[in]  options    how the actor works; NULL for the defaults
/// @param[out] actor_out  the new actor, owned by the caller until gc_actor_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  gc_actor_options::post_timeout_ns is not 0 with
///     GRAPHCAP_ACTOR_REFUSE_WHEN_FULL
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  there is not enough memory, or no thread can be started
#[no_mangle]
pub unsafe extern "C" fn gc_actor_create(
    context: *const gc_context,
    options: *const gc_actor_options,
    actor_out: *mut *mut gc_actor,
) -> gc_status {
    // SAFETY: C promises that `actor_out` is NULL or writable.
    let out = unsafe { Out::handle(actor_out, "actor_out") };
    kit_guard("gc_actor_create", [Token::of(context)], || {
        let context = handle::clone(context, "context")?;
        out.answer(|| {
            // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
            let (options, patience) = unsafe { options::read_or_default(options, "options") }?.read()?;
            let actor = Actor::create(&context, options)?;
            let actor = patience.map_or_else(|| actor.clone(), |limit| actor.with_patience(limit));
            handle::insert(WatchedActor { actor, completed: Arc::<Completed>::default() })
        })
    })
}

/// Destroys an actor, and closes it as gc_actor_close() does. Does not wait: launches that it made finish, and their futures
/// are answered.
///
/// @param[in] actor  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_actor_destroy(actor: *mut gc_actor) -> gc_status {
    guard("gc_actor_destroy", [], || {
        if let Ok(watched) = handle::clone(actor, "actor") {
            // Calls that go on may keep the object.
            watched.actor.close();
        }
        handle::destroy(actor, "actor")
    })
}

/// Makes the actor record a script on its stream and make a graph exec of the graph. gc_future_take_exec() gets the graph exec
/// from the answer.
///
/// The script is recorded when the actor comes to the message, with the ops that it has then. Its functions run on the
/// actor's thread.
///
/// @param[in]  actor       the actor
/// @param[in]  script      a script of the actor's context
/// @param[in]  mode        a GRAPHCAP_CAPTURE_MODE_ number: which calls of other threads the capture bars
/// @param[in]  flags       0 or GRAPHCAP_INSTANTIATE_ flags, but not GRAPHCAP_INSTANTIATE_UPLOAD
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of
///                         gc_script_record() or of gc_graph_instantiate(), or one that every message can have:
///                         GRAPHCAP_ERROR_CANCELLED when the actor was closed before it came to the message,
///                         GRAPHCAP_ERROR_STALE when the context was reset, or the status of a fault
/// @retval GRAPHCAP_SUCCESS              the message is in the mailbox
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  mode or a flag is unknown
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  the actor is closed
/// @retval GRAPHCAP_ERROR_BUSY           the mailbox is full, and the call may not wait
/// @retval GRAPHCAP_ERROR_TIMEOUT        the mailbox was full for gc_actor_options::post_timeout_ns
#[no_mangle]
pub unsafe extern "C" fn gc_actor_record(
    actor: *const gc_actor,
    script: *const gc_script,
    mode: gc_capture_mode,
    flags: u32,
    future_out: *mut *mut gc_future,
) -> gc_status {
    // SAFETY: C promises that `future_out` is NULL or writable.
    let out = unsafe { Out::handle(future_out, "future_out") };
    kit_guard("gc_actor_record", [Token::of(actor)], || {
        let watched = handle::clone(actor, "actor")?;
        let script = handle::clone(script, "script")?;
        out.answer(|| {
            let mode = stream::capture_mode(mode)?;
            let flags = read_exec_flags(flags)?;
            enter(&watched, |actor| actor.record(&script, mode, flags))
        })
    })
}

/// Makes the actor make a graph exec of a graph that the caller captured or built. gc_future_take_exec() gets the graph exec
/// from the answer.
///
/// @param[in]  actor       the actor
/// @param[in]  graph       a graph; to be launched by the actor it is of a context on the actor's device. The graph exec keeps it,
///                         for gc_actor_export_dot()
/// @param[in]  flags       0 or GRAPHCAP_INSTANTIATE_ flags, but not GRAPHCAP_INSTANTIATE_UPLOAD
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of
///                         gc_graph_instantiate(), or one that every message can have, see gc_actor_record()
/// @retval GRAPHCAP_SUCCESS              the message is in the mailbox
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a flag is unknown
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  the actor is closed
/// @retval GRAPHCAP_ERROR_BUSY           the mailbox is full, and the call may not wait
/// @retval GRAPHCAP_ERROR_TIMEOUT        the mailbox was full for gc_actor_options::post_timeout_ns
#[no_mangle]
pub unsafe extern "C" fn gc_actor_adopt(
    actor: *const gc_actor,
    graph: *const gc_graph,
    flags: u32,
    future_out: *mut *mut gc_future,
) -> gc_status {
    // SAFETY: C promises that `future_out` is NULL or writable.
    let out = unsafe { Out::handle(future_out, "future_out") };
    kit_guard("gc_actor_adopt", [Token::of(actor)], || {
        let watched = handle::clone(actor, "actor")?;
        let graph = handle::clone(graph, "graph")?;
        out.answer(|| {
            let flags = read_exec_flags(flags)?;
            enter(&watched, |actor| actor.adopt(&graph, flags))
        })
    })
}

/// Makes the actor launch a graph exec on its stream. The answer comes when the launch has completed. The graph exec lives until
/// then, also if its handle is destroyed.
///
/// @param[in]  actor       the actor
/// @param[in]  exec        a graph exec of a context on the actor's device
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of
///                         gc_graph_launch(), or one that every message can have, see gc_actor_record()
/// @retval GRAPHCAP_SUCCESS              the message is in the mailbox
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  the actor is closed
/// @retval GRAPHCAP_ERROR_BUSY           the mailbox is full, and the call may not wait
/// @retval GRAPHCAP_ERROR_TIMEOUT        the mailbox was full for gc_actor_options::post_timeout_ns
#[no_mangle]
pub unsafe extern "C" fn gc_actor_launch(
    actor: *const gc_actor,
    exec: *const gc_graph_exec,
    future_out: *mut *mut gc_future,
) -> gc_status {
    // SAFETY: C promises that `future_out` is NULL or writable.
    let out = unsafe { Out::handle(future_out, "future_out") };
    kit_guard("gc_actor_launch", [Token::of(actor)], || {
        let watched = handle::clone(actor, "actor")?;
        let exec = handle::clone(exec, "exec")?;
        out.answer(|| enter(&watched, |actor| actor.launch(&exec)))
    })
}

/// Makes the actor update a graph exec to do the work of a graph, behind the launches that were asked for before. Later launches
/// do the work of the graph.
///
/// @param[in]  actor       the actor
/// @param[in]  exec        the graph exec
/// @param[in]  graph       as gc_graph_exec_update() takes it; the graph exec keeps it, for gc_actor_export_dot()
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of
///                         gc_graph_exec_update(), and the graph exec is unchanged then; or one that every message can
///                         have, see gc_actor_record()
/// @retval GRAPHCAP_SUCCESS              the message is in the mailbox
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  the actor is closed
/// @retval GRAPHCAP_ERROR_BUSY           the mailbox is full, and the call may not wait
/// @retval GRAPHCAP_ERROR_TIMEOUT        the mailbox was full for gc_actor_options::post_timeout_ns
#[no_mangle]
pub unsafe extern "C" fn gc_actor_update(
    actor: *const gc_actor,
    exec: *const gc_graph_exec,
    graph: *const gc_graph,
    future_out: *mut *mut gc_future,
) -> gc_status {
    // SAFETY: C promises that `future_out` is NULL or writable.
    let out = unsafe { Out::handle(future_out, "future_out") };
    kit_guard("gc_actor_update", [Token::of(actor)], || {
        let watched = handle::clone(actor, "actor")?;
        let exec = handle::clone(exec, "exec")?;
        let graph = handle::clone(graph, "graph")?;
        out.answer(|| enter(&watched, |actor| actor.update(&exec, &graph)))
    })
}

/// Makes the actor make the Fourier transforms of a graph exec by another plan, behind the launches that were asked for before.
/// The graph exec is one that an actor recorded, and the transforms are those of an op of its script.
///
/// The actor records the ops that the script had then once more, so that functions of ops run again on the actor's thread,
/// and applies the new graph to the graph exec as gc_graph_exec_apply() does. What was set in single nodes of the graph exec
/// is lost. The plan may have another length or batch than the one before, where the op's buffers have room. The plan before
/// ends when no launch, op or graph needs it any more.
///
/// So that it can be recorded again, a graph exec that an actor recorded from a script with a Fourier transform keeps the
/// ops of the script.
///
/// @param[in]  actor       the actor
/// @param[in]  exec        a graph exec that an actor recorded
/// @param[in]  op_index    the index of the op in the script, from 0: a GRAPHCAP_WORK_FFT_R2C or GRAPHCAP_WORK_FFT_C2R
/// @param[in]  plan        a plan of the same direction, of the actor's context; the graph exec keeps it
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is
///                         GRAPHCAP_ERROR_NOT_FOUND for a graph exec that no actor recorded from a script with a transform,
///                         or that gc_actor_update() gave another graph since; GRAPHCAP_ERROR_INVALID_VALUE
///                         where the op is no transform, or one of the other direction, or its buffers are too small; an
///                         error of gc_script_record() or of gc_graph_exec_apply(), or one that every message can have,
///                         see gc_actor_record(). The graph exec is unchanged then
/// @retval GRAPHCAP_SUCCESS              the message is in the mailbox
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  the actor is closed
/// @retval GRAPHCAP_ERROR_BUSY           the mailbox is full, and the call may not wait
/// @retval GRAPHCAP_ERROR_TIMEOUT        the mailbox was full for gc_actor_options::post_timeout_ns
#[no_mangle]
pub unsafe extern "C" fn gc_actor_set_fft_plan(
    actor: *const gc_actor,
    exec: *const gc_graph_exec,
    op_index: usize,
    plan: *const gc_fft_plan,
    future_out: *mut *mut gc_future,
) -> gc_status {
    // SAFETY: C promises that `future_out` is NULL or writable.
    let out = unsafe { Out::handle(future_out, "future_out") };
    kit_guard("gc_actor_set_fft_plan", [Token::of(actor)], || {
        let watched = handle::clone(actor, "actor")?;
        let exec = handle::clone(exec, "exec")?;
        let plan = handle::clone(plan, "plan")?;
        out.answer(|| enter(&watched, |actor| actor.set_fft_plan(&exec, op_index, &plan)))
    })
}

/// Makes the actor write the graph of a graph exec in Graphviz's DOT language, as gc_graph_export_dot() does. It is the graph
/// that an actor made the graph exec of, or the one that it was last updated to by an actor. gc_future_text() gets the text
/// from the answer.
///
/// @param[in]  actor       the actor
/// @param[in]  exec        a graph exec that an actor made
/// @param[in]  flags       0 or GRAPHCAP_DOT_ flags
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is
///                         GRAPHCAP_ERROR_NOT_FOUND for a graph exec that no actor made, an error of
///                         gc_graph_export_dot(), or one that every message can have, see gc_actor_record()
/// @retval GRAPHCAP_SUCCESS              the message is in the mailbox
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a flag is unknown
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  the actor is closed
/// @retval GRAPHCAP_ERROR_BUSY           the mailbox is full, and the call may not wait
/// @retval GRAPHCAP_ERROR_TIMEOUT        the mailbox was full for gc_actor_options::post_timeout_ns
#[no_mangle]
pub unsafe extern "C" fn gc_actor_export_dot(
    actor: *const gc_actor,
    exec: *const gc_graph_exec,
    flags: u32,
    future_out: *mut *mut gc_future,
) -> gc_status {
    // SAFETY: C promises that `future_out` is NULL or writable.
    let out = unsafe { Out::handle(future_out, "future_out") };
    kit_guard("gc_actor_export_dot", [Token::of(actor)], || {
        let watched = handle::clone(actor, "actor")?;
        let exec = handle::clone(exec, "exec")?;
        out.answer(|| {
            check_flags(flags, DOT_FLAGS, "flags", KNOWN_DOT_FLAGS)?;
            enter(&watched, |actor| actor.export_dot(&exec, DotFlags(flags)))
        })
    })
}

/// Closes an actor. It takes no more messages, answers those that it has not come to with GRAPHCAP_ERROR_CANCELLED, lets the
/// launches that it made finish, and answers them. Closing again only waits.
///
/// @param[in] actor        the actor
/// @param[in] nanoseconds  the longest time to wait until the actor's thread has answered everything; 0 does not wait, and
///                         UINT64_MAX waits for ever
/// @retval GRAPHCAP_ERROR_TIMEOUT        launches had not completed by then; the actor is closed, and they go on
/// @retval GRAPHCAP_ERROR_BUSY           the call was made on the actor's own thread, with a time to wait; the actor is
///                                       closed
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED  the call was made inside a host function; the actor is not closed
#[no_mangle]
pub unsafe extern "C" fn gc_actor_close(actor: *const gc_actor, nanoseconds: u64) -> gc_status {
    kit_guard("gc_actor_close", [Token::of(actor)], || {
        let watched = handle::clone(actor, "actor")?;
        check_caller()?;
        match nanoseconds {
            0 => watched.actor.close(),
            limit => watched.actor.close_and_wait(Duration::from_nanos(limit))?,
        }
        Ok(())
    })
}

/// Returns a file descriptor for event loops that is readable while gc_actor_next_completed() has a future to return. The
/// descriptor is an eventfd. The first call begins this: futures of calls that were made before do not come.
///
/// @param[in]  actor   the actor
/// @param[out] fd_out  the descriptor, the same in each call; 0 on failure. It belongs to the actor, and is closed when the
///                     actor is destroyed and all its futures are answered. Watch it by poll(2) and the like; do not read
///                     from it, write to it or close it
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  the process can have no more descriptors
#[no_mangle]
pub unsafe extern "C" fn gc_actor_event_fd(actor: *const gc_actor, fd_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `fd_out` is NULL or writable.
    let out = unsafe { Out::number(fd_out, "fd_out") };
    kit_guard("gc_actor_event_fd", [Token::of(actor)], || {
        let watched = handle::clone(actor, "actor")?;
        out.answer(|| {
            check_caller()?;
            watched.completed.descriptor()
        })
    })
}

/// Returns the next future that the actor has answered. Each one is returned once, and not if it was destroyed meanwhile.
/// Those of launches that one thread asked for come in the order of its calls. Another thread's call that sent the message may
/// not have returned yet.
///
/// @param[in]  actor       an actor whose gc_actor_event_fd() was called
/// @param[out] future_out  the handle that the call gave which sent the message. It is no new handle: it is destroyed once.
///                         NULL on failure
/// @retval GRAPHCAP_ERROR_NOT_READY      there is none at present
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  gc_actor_event_fd() was not called
#[no_mangle]
pub unsafe extern "C" fn gc_actor_next_completed(actor: *const gc_actor, future_out: *mut *mut gc_future) -> gc_status {
    // SAFETY: C promises that `future_out` is NULL or writable.
    let out = unsafe { Out::handle(future_out, "future_out") };
    kit_guard("gc_actor_next_completed", [Token::of(actor)], || {
        let watched = handle::clone(actor, "actor")?;
        let out = out.required()?;
        check_caller()?;
        if !watched.completed.is_watched() {
            return Err(Error::new(
                Status::ILLEGAL_STATE,
                "the actor notes what it has answered once gc_actor_event_fd() was called; call that first",
            )
            .into());
        }
        while let Some(token) = watched.completed.take() {
            let future = token.pointer::<gc_future>();
            if handle::borrow(future.cast_const(), "future", &handle::pin()).is_ok() {
                out.write(future);
                return Ok(());
            }
        }
        Err(Error::new(Status::NOT_READY, "the actor has answered no future that was not returned before").into())
    })
}

/// Returns how a graph exec is made.
fn read_exec_flags(flags: u32) -> Result<ExecFlags> {
    check_flags(flags, EXEC_FLAGS, "flags", "0 or GRAPHCAP_INSTANTIATE_ flags but GRAPHCAP_INSTANTIATE_UPLOAD")?;
    exec_flags(flags, "flags")
}
