//! The GIL around calls of the library and around callbacks, and the end of the interpreter.
//!
//! Once the interpreter ends, a thread that asks for the GIL is ended by CPython before 3.14, in the middle of whatever it does.
//! So the end closes a gate: callbacks are not called any more, and threads that come back from the library stay where they are,
//! as CPython 3.14 has it. Only the thread that ends the interpreter goes on.

use pyo3::ffi;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The time for which the end of the interpreter waits for callbacks that run.
const PATIENCE: Duration = Duration::from_secs(5);

static CLOSED: AtomicBool = AtomicBool::new(false);
/// Threads that are about to take the GIL, or are in a callback.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// The thread that imported the module, by the number that `thread_number` gives.
static MAIN: AtomicU64 = AtomicU64::new(0);
static NUMBERS: AtomicU64 = AtomicU64::new(1);

thread_local! {
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

fn thread_number() -> u64 {
    NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(NUMBERS.fetch_add(1, Ordering::Relaxed));
        }
        number.get()
    })
}

/// Notes that this thread is the one that ends the interpreter.
pub fn begin() {
    MAIN.store(thread_number(), Ordering::Relaxed);
}

/// Begins anew in a forked child: the threads that were inside are not there, and this one ends the interpreter.
pub fn forked() {
    INSIDE.store(0, Ordering::SeqCst);
    begin();
}

pub fn is_main() -> bool {
    thread_number() == MAIN.load(Ordering::Relaxed)
}

pub fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Calls `call` without the GIL.
///
/// # Safety
/// The thread holds the GIL.
#[inline]
pub unsafe fn released<R>(call: impl FnOnce() -> R) -> R {
    // SAFETY: the thread holds the GIL.
    let state = unsafe { ffi::PyEval_SaveThread() };
    let result = call();
    if is_main() {
        // SAFETY: the state is this thread's, and only this thread ends the interpreter.
        unsafe { ffi::PyEval_RestoreThread(state) };
        return result;
    }
    INSIDE.fetch_add(1, Ordering::SeqCst);
    if CLOSED.load(Ordering::SeqCst) {
        INSIDE.fetch_sub(1, Ordering::SeqCst);
        stay();
    }
    // SAFETY: the state is this thread's. The interpreter does not end while the thread counts as inside.
    unsafe { ffi::PyEval_RestoreThread(state) };
    INSIDE.fetch_sub(1, Ordering::SeqCst);
    result
}

fn stay() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Calls `call` with the GIL, from a thread of anybody's; `None` if the interpreter has ended, or is about to.
pub fn attached<R>(call: impl FnOnce() -> R) -> Option<R> {
    let is_main = is_main();
    INSIDE.fetch_add(1, Ordering::SeqCst);
    let is_open = !CLOSED.load(Ordering::SeqCst);
    // SAFETY: the function may be called at any time.
    let result = (is_open || (is_main && unsafe { ffi::Py_IsInitialized() } != 0)).then(|| {
        // SAFETY: the interpreter does not end while the thread counts as inside.
        let state = unsafe { ffi::PyGILState_Ensure() };
        let result = call();
        // SAFETY: the state is of the call above, on this thread.
        unsafe { ffi::PyGILState_Release(state) };
        result
    });
    INSIDE.fetch_sub(1, Ordering::SeqCst);
    result
}

/// Closes the gate, and waits for the threads that are inside.
///
/// # Safety
/// The thread holds the GIL, and ends the interpreter.
pub unsafe fn close() {
    begin();
    CLOSED.store(true, Ordering::SeqCst);
    // SAFETY: the thread holds the GIL.
    let state = unsafe { ffi::PyEval_SaveThread() };
    let limit = Instant::now() + PATIENCE;
    while INSIDE.load(Ordering::SeqCst) > 0 && Instant::now() < limit {
        std::thread::sleep(Duration::from_micros(100));
    }
    // SAFETY: the state is this thread's.
    unsafe { ffi::PyEval_RestoreThread(state) };
}
