//! The threads that graphcap starts. Whatever a destroy leaves undone one of them does, so the end of the process waits
//! until none is left.

use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};

use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::{defer, Deferred};

/// Bytes of the stack of each, whatever `RUST_MIN_STACK` says: as many as Linux gives the first thread of a program, so that a kernel
/// which runs on that one runs on these too. Memory is behind those alone that are used.
const STACK_BYTES: usize = 8 << 20;

struct Started {
    name: &'static str,
    handle: JoinHandle<()>,
}

/// Those that were not seen to be over.
static STARTED: Mutex<Vec<Started>, rank::StartedThreads> = Mutex::new(Vec::new());

/// Tells whether the process is ending.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Starts a thread that runs `body`, and takes no signals of the process.
pub fn start(name: &'static str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut started = lock(&STARTED);
    forget_those_over(&mut started);
    // Around its creation: from its first instruction on it takes none.
    let blocked = defer(graphcap_environment::block_signals());
    let handle = Builder::new().name(name.into()).stack_size(STACK_BYTES).spawn(move || {
        // It has those of the thread that starts it.
        graphcap_environment::set_default_floats();
        OWN.set(true);
        body();
    });
    drop(blocked);
    let handle = handle?;
    started.push(Started { name, handle });
    Ok(())
}

thread_local! {
    /// Tells whether graphcap started this thread.
    static OWN: Cell<bool> = const { Cell::new(false) };
}

/// Gives the calling thread the default floating-point environment, until what this returns is dropped.
#[inline]
pub fn enter_default_floats() -> Deferred<impl FnOnce()> {
    defer(graphcap_environment::enter_default_floats())
}

/// Returns whether graphcap started the calling thread.
pub fn is_own() -> bool {
    OWN.get()
}

/// Returns whether no thread of that name is left, not even one that is about to return from its last function.
pub fn are_over(name: &str) -> bool {
    let mut started = lock(&STARTED);
    forget_those_over(&mut started);
    started.iter().all(|thread| thread.name != name)
}

/// The process is ending: threads that have nothing to do end, instead of waiting for more.
pub fn end() {
    ENDING.store(true, Ordering::SeqCst);
}

/// Returns whether the process is ending.
#[inline]
pub fn are_ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// Returns whether no thread is left. Takes no lock that it would have to wait for.
pub fn are_all_over() -> bool {
    let Some(mut started) = STARTED.try_lock() else { return false };
    forget_those_over(&mut started);
    started.is_empty()
}

fn forget_those_over(started: &mut Vec<Started>) {
    let all = std::mem::take(started);
    started.extend(all.into_iter().filter_map(|Started { name, handle }| {
        let handle = graphcap_environment::join_if_over(handle)?;
        Some(Started { name, handle })
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_thread_counts_until_it_has_ended() {
        let (go, held) = mpsc::channel::<()>();
        start("graphcap-test", move || held.recv().unwrap()).unwrap();
        assert!(!are_over("graphcap-test") && !are_all_over());
        go.send(()).unwrap();
        while !are_over("graphcap-test") {
            std::thread::yield_now();
        }
        assert!(are_over("graphcap-other"));
    }
}
