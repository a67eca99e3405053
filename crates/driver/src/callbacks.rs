//! Threads that run functions of the caller's: releases of adopted memory, ends of what graphs kept, and host functions
//! of the host device.
//!
//! They are apart from the host device's lanes, and from the threads of NVIDIA's driver, because such a function may block
//! for as long as it likes.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use super::threads;
use graphcap_base::defer;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Condvar, Mutex, MutexGuard};

/// Time that a thread without work waits before it ends.
const PATIENCE: Duration = Duration::from_secs(2);

type Function = Box<dyn FnOnce() + Send>;

/// The threads, grown on demand so that no function waits for another one to end.
#[derive(Default)]
struct Callbacks {
    state: Mutex<State, rank::Callbacks>,
    work: Condvar,
    ended: Condvar,
    /// All of graphcap's own work is done.
    handed_over_done: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Function>,
    idle: usize,
    threads: usize,
    closing: bool,
    /// Pieces of graphcap's own work, in the order in which they are done: the end of a stream comes before that of the graph which it
    /// captures into.
    handed_over: VecDeque<Function>,
    /// Tells whether a thread does such work, or is about to.
    is_handed_over: bool,
}

thread_local! {
    /// Tells whether this thread runs the caller's functions or kernels, where the device may not be used.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    /// Tells whether this thread runs releases in their order.
    static IN_ORDER: Cell<bool> = const { Cell::new(false) };
}

/// Tells whether work ever ran on a thread of the process. As long as it has not, nobody looks at its thread.
static ANY_INSIDE: AtomicBool = AtomicBool::new(false);

/// Returns whether this thread is one on which work runs, where nothing may be submitted and nothing waited for.
#[inline]
pub fn inside_work() -> bool {
    ANY_INSIDE.load(Ordering::Relaxed) && is_this_inside()
}

/// A function, as a look at a variable of the thread is a call that a compiler makes beforehand.
#[inline(never)]
fn is_this_inside() -> bool {
    INSIDE.get()
}

/// Returns what calls that make, submit, wait for or change something begin with, and those that may ask a foreign driver.
///
/// # Errors
/// `NOT_PERMITTED` on a thread on which work runs.
#[inline]
pub fn check_caller() -> Result<()> {
    if inside_work() {
        return Err(Error::new(
            Status::NOT_PERMITTED,
            "host functions, kernels and destroy callbacks may make no such calls, only destroys; make this one on a thread of your own",
        ));
    }
    Ok(())
}

/// Marks this thread as one on which work runs, until what this gives is dropped.
pub fn enter_work() -> impl Drop {
    if !ANY_INSIDE.load(Ordering::Relaxed) {
        ANY_INSIDE.store(true, Ordering::Relaxed);
    }
    let before = INSIDE.replace(true);
    defer(move || INSIDE.set(before))
}

static CALLBACKS: LazyLock<Arc<Callbacks>> = LazyLock::new(Arc::default);

/// Runs `function` soon on a thread where it may block.
pub fn run(function: Function) {
    CALLBACKS.run(function);
}

/// Runs a release soon on a thread where it may block; here and now within [`in_order`] and [`releasing_here`]. The caller holds no
/// lock.
pub fn run_release(on_release: Function) {
    match IN_ORDER.get() {
        false => run(on_release),
        true if inside_work() => contained(on_release),
        // On the thread of a caller. What the function lets go of itself ends later, so that it cannot call itself without end.
        true => {
            let (_inside, _later) = (enter_work(), set_in_order(false));
            contained(on_release);
        }
    }
}

/// Sets [`IN_ORDER`] until what this gives is dropped.
fn set_in_order(in_order: bool) -> impl Drop {
    let before = IN_ORDER.replace(in_order);
    defer(move || IN_ORDER.set(before))
}

/// Does work of graphcap's own soon on such a thread, behind what was handed over before. It waits for no function of the caller's.
pub fn hand_over(work: Function) {
    let mut state = CALLBACKS.lock();
    state.handed_over.push_back(work);
    if !std::mem::replace(&mut state.is_handed_over, true) {
        drop(state);
        run(Box::new(do_handed_over));
    }
}

fn do_handed_over() {
    loop {
        let mut state = CALLBACKS.lock();
        let Some(work) = state.handed_over.pop_front() else {
            state.is_handed_over = false;
            CALLBACKS.handed_over_done.notify_all();
            return;
        };
        drop(state);
        contained(work);
    }
}

/// Waits until what was handed over is done: for who is about to wait for the device, and to give back what destroys left. The
/// caller holds no lock.
pub fn finish_handed_over() {
    let mut state = CALLBACKS.lock();
    while state.is_handed_over {
        state = CALLBACKS.handed_over_done.wait(state);
    }
}

/// Makes `call` on one of these threads, where the releases that it comes to run at once: one after another, as it comes to them.
pub fn in_order(call: impl FnOnce()) {
    let _in_order = set_in_order(true);
    contained(call);
}

/// Makes `call` on the thread of a caller, where the releases that it comes to run at once. The caller holds no lock.
pub fn releasing_here(call: impl FnOnce()) {
    let _in_order = set_in_order(true);
    call();
}

/// Returns whether no function waits for a thread or runs on one.
pub fn are_idle() -> bool {
    let state = CALLBACKS.lock();
    state.queue.is_empty() && state.idle == state.threads
}

/// Makes `call`. A panic of a Rust caller's function must not take the thread, and the stream behind it, along. Nor must the
/// panic's payload, whose own Drop may panic. It runs in the default floating-point environment, whatever thread this is.
fn contained(call: impl FnOnce()) {
    let _floats = threads::enter_default_floats();
    if let Err(payload) = catch_unwind(AssertUnwindSafe(call)) {
        let _ = catch_unwind(AssertUnwindSafe(move || drop(payload)));
    }
}

/// Makes idle threads look whether the process is ending.
pub fn wake_idle() {
    CALLBACKS.work.notify_all();
}

/// Lets the threads end when their work is done, and waits for those that are idle or finish soon.
pub fn finish() {
    CALLBACKS.finish();
}

impl Callbacks {
    fn run(self: &Arc<Self>, function: Function) {
        let mut state = self.lock();
        state.queue.push_back(function);
        if state.queue.len() <= state.idle {
            self.work.notify_one();
            return;
        }
        self.start_one(state);
    }

    fn start_one(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        state.threads += 1;
        drop(state);
        let callbacks = Arc::clone(self);
        if threads::start("graphcap-callback", move || callbacks.serve()).is_err() {
            // Without another thread the function waits for one that is busy, or runs here where there is none.
            let mut state = self.lock();
            state.threads -= 1;
            if state.threads == 0 {
                drop(state);
                while self.run_next() {}
            }
        }
    }

    fn finish(&self) {
        let mut state = self.lock();
        state.closing = true;
        self.work.notify_all();
        if !inside_work() {
            (state, _) = self.ended.wait_timeout_while(state, Duration::from_millis(100), |state| state.threads > 0);
        }
        state.closing = false;
    }

    fn serve(self: &Arc<Self>) {
        let _inside = enter_work();
        loop {
            while !graphcap_environment::is_thread_ended() && self.run_next() {}
            let mut state = self.lock();
            if graphcap_environment::is_thread_ended() {
                state.threads -= 1;
                self.ended.notify_all();
                if state.queue.len() > state.idle {
                    self.start_one(state);
                }
                return;
            }
            state.idle += 1;
            let (mut state, waited) = self.work.wait_timeout_while(state, PATIENCE, |state| {
                state.queue.is_empty() && !state.closing && !threads::are_ending()
            });
            state.idle -= 1;
            if state.queue.is_empty() && (waited.timed_out() || state.closing || threads::are_ending()) {
                state.threads -= 1;
                self.ended.notify_all();
                return;
            }
        }
    }

    /// Runs the function that is next; false where there is none.
    fn run_next(&self) -> bool {
        let Some(function) = self.lock().queue.pop_front() else { return false };
        contained(function);
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn blocked_functions_do_not_hold_up_others() {
        let callbacks = Arc::new(Callbacks::default());
        let (release, held) = mpsc::channel::<()>();
        let (done, seen) = mpsc::channel();
        let first = done.clone();
        callbacks.run(Box::new(move || {
            held.recv().unwrap();
            first.send(1).unwrap();
        }));
        callbacks.run(Box::new(move || done.send(2).unwrap()));
        assert_eq!(seen.recv(), Ok(2));
        release.send(()).unwrap();
        assert_eq!(seen.recv(), Ok(1));
        callbacks.finish();
        assert_eq!(callbacks.lock().threads, 0);
    }

    #[test]
    fn what_is_handed_over_is_done_in_its_order() {
        let (done, seen) = mpsc::channel();
        let (release, held) = mpsc::channel::<()>();
        let first = done.clone();
        hand_over(Box::new(move || {
            held.recv().unwrap();
            first.send(1).unwrap();
        }));
        hand_over(Box::new(move || done.send(2).unwrap()));
        // Another thread would do the second one by now.
        let (other, others) = mpsc::channel();
        run(Box::new(move || other.send(()).unwrap()));
        assert_eq!(others.recv(), Ok(()));
        release.send(()).unwrap();
        assert_eq!(seen.iter().collect::<Vec<_>>(), [1, 2]);
        finish_handed_over();
        assert!(!CALLBACKS.lock().is_handed_over);
    }

    #[test]
    fn releases_in_order_run_at_once_and_one_after_another() {
        let (done, seen) = mpsc::channel();
        let here = std::thread::current().id();
        in_order(|| {
            for number in 0..3 {
                let done = done.clone();
                run_release(Box::new(move || done.send((number, std::thread::current().id() == here)).unwrap()));
                if number == 1 {
                    run_release(Box::new(|| std::panic::resume_unwind(Box::new("test"))));
                }
            }
        });
        assert_eq!(seen.try_iter().collect::<Vec<_>>(), [(0, true), (1, true), (2, true)]);
        run_release(Box::new(move || done.send((3, std::thread::current().id() == here)).unwrap()));
        assert_eq!(seen.recv(), Ok((3, false)));
    }

    #[test]
    fn releases_of_a_caller_run_on_its_thread_but_not_within_each_other() {
        let (done, seen) = mpsc::channel();
        let here = std::thread::current().id();
        let note = move |number| done.send((number, inside_work(), std::thread::current().id() == here)).unwrap();
        let (outer, inner) = (note.clone(), note.clone());
        releasing_here(|| {
            run_release(Box::new(move || {
                run_release(Box::new(move || inner(2)));
                outer(1);
                std::panic::resume_unwind(Box::new("test"));
            }));
            assert!(!inside_work());
            run_release(Box::new(move || note(3)));
        });
        let mut all: Vec<_> = (0..3).map(|_| seen.recv().unwrap()).collect();
        all.sort_unstable();
        assert_eq!(all, [(1, true, true), (2, true, false), (3, true, true)]);
        assert!(!inside_work() && !IN_ORDER.get());
    }

    #[test]
    fn a_panicking_function_is_survived() {
        let callbacks = Arc::new(Callbacks::default());
        let (done, seen) = mpsc::channel();
        callbacks.run(Box::new(|| std::panic::resume_unwind(Box::new("test"))));
        callbacks.run(Box::new(move || done.send(inside_work()).unwrap()));
        assert_eq!(seen.recv(), Ok(true));
        assert!(!inside_work());
    }
}
