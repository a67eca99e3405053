//! Background cleanup of contexts that nobody uses, and of memory that pending work still used. A thread of graphcap's looks
//! from time to time whether it has come, and gives back what can be given back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::api::answers::is_fault;
use super::api::current::relax;
use super::api::device::PrimaryContext;
use super::deferred;
use super::memory::{ContextEnd, Memory, Wait};
use super::shared::{Shared, CONTEXTS};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::threads;

/// Pause between two looks, at first and at most.
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LONGEST_REST: Duration = Duration::from_millis(50);

struct Watched {
    /// Contexts that nobody uses any more.
    leaving: Vec<Arc<Shared>>,
    /// Contexts that nobody uses any more, of which nobody knows how far their work is, until somebody waits for all of it.
    parked: Vec<Arc<Shared>>,
    /// Contexts that hold memory.
    holding: Vec<Weak<Shared>>,
    /// Tells whether a thread looks after them.
    by_thread: bool,
}

impl Watched {
    /// Returns whether all that is left are contexts that nobody uses any more, and whose work has not completed.
    fn is_up_to_the_device(&self) -> bool {
        let is_leaving = |held: &Weak<Shared>| self.leaving.iter().any(|context| held.as_ptr() == Arc::as_ptr(context));
        self.holding.iter().all(is_leaving) && self.leaving.iter().all(is_left_alone)
    }
}

static WATCHED: Mutex<Watched, rank::Watched> =
    Mutex::new(Watched { leaving: Vec::new(), parked: Vec::new(), holding: Vec::new(), by_thread: false });

impl Shared {
    /// Looks at all memory that is held; false when some stays.
    pub(super) fn sweep(&self) -> bool {
        let Some(open) = self.life.open.try_lock() else { return false };
        if *open {
            if self.life.left.load(Ordering::Acquire) && self.memory.holds() {
                self.memory.look_at_special_again();
            }
            self.look_at_memory(true);
        }
        !*open || !self.memory.waits()
    }

    /// Marks the end of this thread's own work on its per-thread stream.
    pub(super) fn depart_own(&self) {
        self.memory.depart_own();
    }

    /// Makes a thread look after what is held, if there is something.
    pub(super) fn ask_for_looks(&self) {
        if self.memory.waits() {
            look_after(&self.life.this, &self.life.looked_after);
        }
    }

    /// Gives everything back that no work can need any more; unless it is `Idle`, something is left. Code that is left goes with the
    /// primary context, or when another context of it is waited for.
    pub(super) fn give_back(&self) -> ContextEnd {
        let mut open = lock(&self.life.open);
        if !*open {
            return ContextEnd::Idle;
        }
        let _relaxed = relax(self.api());
        let current = match self.device.enter() {
            Ok(current) => current,
            // Beyond use, with all that is in it.
            Err(refusal) if is_fault(refusal.status) => {
                deferred::forget_gone(self.api(), self.primary.ordinal);
                return ContextEnd::Idle;
            }
            Err(_) => return ContextEnd::Pending,
        };
        if self.memory.pool.fault().is_some() {
            // No work is left that could need anything.
            self.memory.completed_all(Wait::ALL);
        } else {
            self.look_at_memory(true);
            match self.memory.ending() {
                ContextEnd::Idle => {}
                ContextEnd::Pending => return ContextEnd::Pending,
                ContextEnd::Unknown => {
                    let _ = self.memory.pool.trim();
                    return ContextEnd::Unknown;
                }
            }
        }
        *open = false;
        self.uploads.end(self.device);
        deferred::release_library_objects(self.api(), self.primary);
        self.math.end();
        self.memory.destroy();
        drop(current);
        // SAFETY: retained once by `open`, and given back once: who calls this forgets the context.
        let _ = unsafe { self.api().cuDevicePrimaryCtxRelease_v2(self.primary.ordinal) };
        deferred::forget_gone(self.api(), self.primary.ordinal);
        ContextEnd::Idle
    }
}

/// Takes over a context that nobody uses any more.
pub(super) fn take_over(context: &Arc<Shared>) {
    context.depart_own();
    // Mostly nothing was left.
    if finish(context) {
        return;
    }
    let mut watched = lock(&WATCHED);
    watched.leaving.push(Arc::clone(context));
    begin(&mut watched);
}

/// Looks after the memory that a context holds, if nobody does yet.
pub(super) fn look_after(context: &Weak<Shared>, looked_after: &AtomicBool) {
    let is_listed = looked_after.swap(true, Ordering::SeqCst);
    if is_listed {
        return;
    }
    let mut watched = lock(&WATCHED);
    watched.holding.push(context.clone());
    begin(&mut watched);
}

/// Returns whether nobody keeps the context but who looks after it, and what streams of others still use of it.
fn is_left_alone(context: &Arc<Shared>) -> bool {
    Arc::strong_count(context) == 1 + context.life.abroad.load(Ordering::Acquire)
}

fn begin(watched: &mut Watched) {
    if !watched.by_thread {
        // Without a thread the next one that asks tries again.
        watched.by_thread = threads::start("graphcap-watch", watch).is_ok();
    }
}

fn watch() {
    let mut pause = FIRST_LOOK;
    loop {
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_REST);
        let (mut leaving, mut holding) = {
            let mut watched = lock(&WATCHED);
            (std::mem::take(&mut watched.leaving), std::mem::take(&mut watched.holding))
        };
        let before = holding.len();
        holding.retain(|context| context.upgrade().is_some_and(|context| !swept(&context)));
        leaving.retain(|context| !finish(context));
        let mut watched = lock(&WATCHED);
        if holding.len() < before {
            pause = FIRST_LOOK;
        }
        watched.leaving.append(&mut leaving);
        watched.holding.append(&mut holding);
        let is_empty = watched.leaving.is_empty() && watched.holding.is_empty();
        if is_empty || (threads::are_ending() && watched.is_up_to_the_device()) {
            watched.by_thread = false;
            return;
        }
    }
}

/// Returns whether a context holds no memory any more. What it comes to hold later it will ask for anew.
fn swept(context: &Shared) -> bool {
    if !context.sweep() {
        return false;
    }
    context.life.looked_after.store(false, Ordering::SeqCst);
    // Some may have come since, from a call that saw it looked after.
    context.sweep() || context.life.looked_after.swap(true, Ordering::SeqCst)
}

/// Gives a context back if its work has completed, or parks it; false when it is to be looked at again.
fn finish(context: &Arc<Shared>) -> bool {
    // Calls that were handed to another thread may still be on their way.
    if Arc::strong_count(context) > 1 {
        return false;
    }
    match context.give_back() {
        ContextEnd::Idle => true,
        ContextEnd::Pending => false,
        ContextEnd::Unknown => {
            lock(&WATCHED).parked.push(Arc::clone(context));
            // Who waited meanwhile may have looked for it there before.
            give_back_parked(context);
            true
        }
    }
}

/// Gives a parked context back if nothing of it is left.
fn give_back_parked(context: &Arc<Shared>) {
    if context.give_back() == ContextEnd::Idle {
        lock(&WATCHED).parked.retain(|other| !Arc::ptr_eq(other, context));
    }
}

/// The contexts of `primary` that are parked, or will be unless they are told of the wait: nobody uses them but contexts that borrowed
/// their memory, or their last work is not complete. For who is about to wait for their work: each with the wait that begins.
pub(super) fn parked(primary: PrimaryContext) -> Vec<(Arc<Shared>, Wait)> {
    let is_left = |context: &Shared| context.life.left.load(Ordering::Acquire) && context.memory.may_stay_unknown();
    let of_primary = CONTEXTS.live().into_iter().filter(|context| context.primary == primary && is_left(context));
    let beginning = |context: Arc<Shared>| {
        let wait = context.memory.wait_begins();
        (context, wait)
    };
    of_primary.map(beginning).collect()
}

/// After a wait for what `parked` gave, as `completed` tells their memory: gives those back of which nothing is left.
pub(super) fn unpark(parked: Vec<(Arc<Shared>, Wait)>, completed: impl Fn(&Memory, Wait)) {
    for (context, wait) in parked {
        completed(&context.memory, wait);
        let is_parked = lock(&WATCHED).parked.iter().any(|other| Arc::ptr_eq(other, &context));
        if is_parked {
            give_back_parked(&context);
        }
    }
}
