//! gc_future: the answer of an actor to a message.

use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::time::Duration;

use super::script::{gc_script_failure, tell_failure};
use crate::ffi::boundary::{
    gc_destroy_fn, gc_future, gc_graph_exec, gc_status, guard, handle, kit_guard, EventFd, Failure, Out, Output,
    Result, StructOut, TextOut, Token, UserData, WatchedActor, WatchedFuture,
};
use crate::ffi::graphs::progress::{gc_graph_exec_progress_info, of_progress};
use graphcap_base::error::{Error, Status};
use graphcap_driver::{call_out, check_caller};
use graphcap_kit::{Actor, Future};

/// Takes an answer, see gc_future_on_done(), or a launch that is late, see gc_future_on_stall().
///
/// It may make any gc_ and CUDA call. On the actor's thread, where it takes answers, it cannot wait for futures of the
/// actor or for its end, and its message to a full mailbox is refused: GRAPHCAP_ERROR_BUSY. The actor does nothing else
/// while it runs.
///
/// @param[in] future     the future, by a handle of its own; dead when the function returns
/// @param[in] user_data  what gc_future_on_done() or gc_future_on_stall() was given
pub type gc_future_fn = Option<unsafe extern "C-unwind" fn(future: *const gc_future, user_data: *mut c_void)>;

/// Sends a message by `post` and gives the handle of the future, of which the actor's queue is going to tell.
pub(super) fn enter(
    watched: &WatchedActor,
    post: impl FnOnce(&Actor) -> graphcap_base::Result<Future>,
) -> Result<*mut gc_future> {
    // Before the message, which cannot be taken back.
    let reserved = handle::reserve::<gc_future>()?;
    let future = post(&watched.actor)?;
    let entered = reserved.enter(WatchedFuture { future: future.clone(), descriptor: Arc::default() });
    if watched.completed.is_watched() {
        let (completed, token) = (Arc::clone(&watched.completed), Token::of(entered));
        future.on_done(move |future| completed.push(token, future.downgrade()));
    }
    Ok(entered)
}

/// Tells whether a future has been answered. Does not wait.
///
/// @param[in]  future       the future
/// @param[out] is_done_out  1 if it has been answered, else 0
#[no_mangle]
pub unsafe extern "C" fn gc_future_poll(future: *const gc_future, is_done_out: *mut u32) -> gc_status {
    // SAFETY: C promises that `is_done_out` is NULL or writable.
    let out = unsafe { Out::number(is_done_out, "is_done_out") };
    kit_guard("gc_future_poll", [Token::of(future)], || {
        let pinned = handle::pin();
        let watched = handle::borrow(future, "future", &pinned)?;
        out.answer(|| Ok(u32::from(watched.future.is_done())))
    })
}

/// Waits for the answer, and returns it. Further calls return the same answer.
///
/// If the time passes while a launch of a graph exec that was made with GRAPHCAP_INSTANTIATE_WATCH goes on, the message of the
/// error names the nodes that could run and have not completed.
///
/// @param[in]     future       the future
/// @param[in]     nanoseconds  the longest time to wait; 0 checks once, UINT64_MAX waits for ever
/// @param[in,out] failure_out  in: struct_size; out: what the answer is if it is an error, with the op of a script that
///                             failed; may be NULL. Its status tells an answer from an error of this call, where it stays
///                             0
/// @retval GRAPHCAP_SUCCESS          the message was carried out; a launch has completed
/// @retval GRAPHCAP_ERROR_CANCELLED  the actor was closed before it came to the message
/// @retval GRAPHCAP_ERROR_TIMEOUT    the time passed before the answer came
/// @retval GRAPHCAP_ERROR_BUSY       the call was made on the actor's own thread, and the future is not answered
/// @return otherwise the error that the answer is; the call that sent the message tells which there are
#[no_mangle]
pub unsafe extern "C" fn gc_future_wait(
    future: *const gc_future,
    nanoseconds: u64,
    failure_out: *mut gc_script_failure,
) -> gc_status {
    // SAFETY: C promises that `failure_out` is NULL, or has as many writable bytes as its struct_size states.
    let failure = unsafe { StructOut::new(failure_out, "failure_out") };
    kit_guard("gc_future_wait", [Token::of(future)], || {
        let watched = handle::clone(future, "future")?;
        check_caller()?;
        let place = failure.optional()?;
        let waited = watched.future.wait_for(Duration::from_nanos(nanoseconds));
        match watched.future.outcome() {
            Some(answer) => answer.map_err(|failed| tell_failure(place, failed)),
            None => Ok(waited.map_err(|failed| failed.error)?),
        }
    })
}

/// Registers a function that is called when the future is answered: on the actor's thread, or, if it is answered already,
/// on this thread before the call returns. Any number of functions can be given; they are called in that order.
///
/// @param[in] future     the future
/// @param[in] function   called exactly once, also if the future is destroyed before; not NULL
/// @param[in] user_data  passed to function and to destroy; may be NULL
/// @param[in] destroy    called exactly once, after function, or when this call fails; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  function is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_future_on_done(
    future: *const gc_future,
    function: gc_future_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
) -> gc_status {
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    kit_guard("gc_future_on_done", [Token::of(future)], move || {
        let watched = handle::clone(future, "future")?;
        let call = calling(&watched, function, user_data)?;
        watched.future.on_done(call);
        Ok(())
    })
}

/// Tells how far a launch was when it had not completed within gc_actor_options::stall_limit_ns, in numbers and in words. The
/// first line of the text says it all. Further lines name nodes, as gc_graph_exec_progress() does, if the graph exec was made
/// with GRAPHCAP_INSTANTIATE_WATCH. The report stays when the launch completes after all. Does not wait.
///
/// Of the launches of an actor, which complete one after another, the earliest one that has not completed is reported.
///
/// @param[in]     future        the future of gc_actor_launch()
/// @param[in,out] progress_out  in: struct_size; out: how far the launch was; all 0 for a graph exec that was made without
///                              GRAPHCAP_INSTANTIATE_WATCH; empty on failure; may be NULL
/// @param[out]    text          where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]     capacity      bytes at text; 0 asks only for the size
/// @param[out]    needed        the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  the text was cut to fit; progress_out is empty
/// @retval GRAPHCAP_ERROR_NOT_FOUND         nothing was reported: the launch was not late by now, the actor has no
///                                          limit, or the message is no launch
#[no_mangle]
pub unsafe extern "C" fn gc_future_stall_report(
    future: *const gc_future,
    progress_out: *mut gc_graph_exec_progress_info,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `progress_out` is NULL, or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(progress_out, "progress_out") };
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let words = unsafe { TextOut::new(text, capacity, needed) };
    kit_guard("gc_future_stall_report", [Token::of(future)], || {
        let watched = handle::clone(future, "future")?;
        let out = out.optional()?;
        words.check()?;
        check_caller()?;
        let stall = watched.future.stall().ok_or_else(|| {
            Error::new(
                Status::NOT_FOUND,
                "no launch of the future was reported as late; gc_actor_options::stall_limit_ns sets a limit",
            )
        })?;
        words.write(&stall.text())?;
        if let (Some(out), Some(progress)) = (out, &stall.progress) {
            out.write(of_progress(progress));
        }
        Ok(())
    })
}

/// Registers a function that is called when a launch has not completed within gc_actor_options::stall_limit_ns: on a thread
/// of the actor's that does nothing else, or, if it was reported already, on this thread before the call returns. The function may make any
/// gc_ call, and wait. While it runs, other launches of the actor are not reported; the answer may come meanwhile.
/// gc_future_stall_report() has the report.
///
/// @param[in] future     the future of gc_actor_launch()
/// @param[in] function   called at most once, also if the future is destroyed before; not NULL
/// @param[in] user_data  passed to function and to destroy; may be NULL
/// @param[in] destroy    called exactly once: after function, when the future is answered before that, or when this call fails;
///                       may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  function is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_future_on_stall(
    future: *const gc_future,
    function: gc_future_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
) -> gc_status {
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    kit_guard("gc_future_on_stall", [Token::of(future)], move || {
        let watched = handle::clone(future, "future")?;
        let call = calling(&watched, function, user_data)?;
        watched.future.on_stall(call);
        Ok(())
    })
}

/// Returns what calls a function of the caller's with a future.
fn calling(
    watched: &WatchedFuture,
    function: gc_future_fn,
    user_data: UserData,
) -> Result<impl FnOnce(&Future) + Send + 'static> {
    let Some(function) = function else {
        return Err(Failure::Null("function"));
    };
    check_caller()?;
    // Now, as nobody could be told of a full table later.
    let reserved = handle::reserve::<gc_future>()?;
    let descriptor = Arc::clone(&watched.descriptor);
    Ok(move |future: &Future| {
        let (given, _ends) = reserved.lend(WatchedFuture { future: future.clone(), descriptor });
        // SAFETY: C promises that the function may be called once with a future and the user data, on any thread.
        call_out(|| unsafe { function(given, user_data.pointer()) });
    })
}

/// Takes the graph exec from an answer: that of gc_actor_record() and gc_actor_adopt(). It can be taken once. If nobody takes
/// it, it goes with the future.
///
/// @param[in]  future    the future
/// @param[out] exec_out  the graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_NOT_READY  the future is not answered yet
/// @retval GRAPHCAP_ERROR_NOT_FOUND  the message makes no graph exec, or the graph exec was taken before
/// @return otherwise the error that the answer is
#[no_mangle]
pub unsafe extern "C" fn gc_future_take_exec(future: *const gc_future, exec_out: *mut *mut gc_graph_exec) -> gc_status {
    // SAFETY: C promises that `exec_out` is NULL or writable.
    let out = unsafe { Out::handle(exec_out, "exec_out") };
    kit_guard("gc_future_take_exec", [Token::of(future)], || {
        let watched = handle::clone(future, "future")?;
        out.answer(|| {
            check_caller()?;
            answered(&watched.future)?;
            // First, so that the exec is not lost.
            let reserved = handle::reserve::<gc_graph_exec>()?;
            let exec = watched.future.take_exec().ok_or_else(|| {
                Error::new(
                    Status::NOT_FOUND,
                    "the answer has no graph exec, or it was taken before, which can be done once",
                )
            })?;
            Ok(reserved.enter(exec))
        })
    })
}

/// Copies the text of an answer: that of gc_actor_export_dot().
///
/// @param[in]  future    the future
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_NOT_READY  the future is not answered yet
/// @retval GRAPHCAP_ERROR_NOT_FOUND  the message has no text for its answer
/// @return otherwise the error that the answer is
#[no_mangle]
pub unsafe extern "C" fn gc_future_text(
    future: *const gc_future,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    kit_guard("gc_future_text", [Token::of(future)], || {
        let watched = handle::clone(future, "future")?;
        check_caller()?;
        answered(&watched.future)?;
        let text = watched.future.text().ok_or_else(|| Error::new(Status::NOT_FOUND, "the answer has no text"))?;
        out.write(&text)
    })
}

/// Returns a file descriptor, an eventfd, that is readable once the future is answered. It is made by the first call.
///
/// gc_actor_event_fd() is one descriptor for all futures of an actor.
///
/// @param[in]  future  the future
/// @param[out] fd_out  the descriptor, the same in each call; 0 on failure. It belongs to the future, and is closed when the
///                     future is answered and destroyed. Watch it by poll(2) and the like; do not read from it, write to
///                     it or close it
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  the process can have no more descriptors
#[no_mangle]
pub unsafe extern "C" fn gc_future_event_fd(future: *const gc_future, fd_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `fd_out` is NULL or writable.
    let out = unsafe { Out::number(fd_out, "fd_out") };
    kit_guard("gc_future_event_fd", [Token::of(future)], || {
        let watched = handle::clone(future, "future")?;
        out.answer(|| {
            check_caller()?;
            own_descriptor(&watched)
        })
    })
}

/// Destroys a future. The message is carried out all the same, and functions of gc_future_on_done() and
/// gc_future_on_stall() are called.
///
/// @param[in] future  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_future_destroy(future: *mut gc_future) -> gc_status {
    guard("gc_future_destroy", [], || handle::destroy(future, "future"))
}

/// Fails where there is no answer yet, or where it is an error.
fn answered(future: &Future) -> Result<()> {
    match future.outcome() {
        Some(answer) => Ok(answer.map_err(|failed| failed.error)?),
        None => Err(Error::new(Status::NOT_READY, "the future is not answered yet; wait for it").into()),
    }
}

/// The number of the future's own descriptor.
fn own_descriptor(watched: &WatchedFuture) -> Result<i32> {
    let descriptor = watched.descriptor.get_or_try_init(|| {
        let made = Arc::new(EventFd::new()?);
        let raised = Arc::clone(&made);
        watched.future.on_done(move |_| raised.raise());
        Ok::<_, Failure>(made)
    })?;
    Ok(descriptor.number())
}
