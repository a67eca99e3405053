//! Value operations: writes of values, and waits that hold what comes after them, without a lane, until memory has a value.
//!
//! A wait whose value is not there is listed. Each value write looks through the list, and while something is in it a
//! thread looks again and again, for what kernels, copies and the CPU write. Waits of a destroyed stream end when
//! nothing that was submitted before could bring their value.

use std::sync::atomic::{fence, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;

use super::resumable::{Resumable, Writers};
use super::waiter::Waiter;
use crate::memory::{held, Allocation};
use crate::raw;
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{callbacks, Comparison, Value, ValueAction, ValueOperation};

/// Pause of the watcher when something has changed lately, and at most.
const PAUSES: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(1)];

/// A wait whose value was not there when it was looked at.
pub(crate) struct Wait {
    operation: ValueOperation,
    comparison: Comparison,
    /// The memory stays while it is looked at.
    _held: Arc<Allocation>,
}

/// A wait that is listed.
struct Listed {
    wait: Wait,
    waiter: Waiter,
}

#[derive(Default)]
struct List {
    waits: Vec<Listed>,
    /// Tells whether there is a watcher.
    is_watched: bool,
    /// Tells whether something was added, or may be lost, since the watcher looked last.
    has_grown: bool,
}

/// The waits of all streams.
struct Waits {
    list: Mutex<List, rank::Waits>,
    /// Number of waits that are listed, or about to be.
    count: AtomicUsize,
}

static WAITS: Waits = Waits {
    list: Mutex::new(List { waits: Vec::new(), is_watched: false, has_grown: false }),
    count: AtomicUsize::new(0),
};

/// Does one operation. A wait that has to be waited for is given back.
pub(crate) fn begin(operation: &ValueOperation) -> Result<Option<Wait>> {
    let held = held::hold_value(operation)?;
    match operation.action {
        ValueAction::Write { .. } => {
            raw::store(operation.address, operation.value);
            drop(held);
            tell();
            Ok(None)
        }
        ValueAction::Wait { comparison, .. } => {
            let wait = Wait { operation: *operation, comparison, _held: held };
            Ok((!wait.is_over()).then_some(wait))
        }
    }
}

/// Does operations none of which waits.
pub(crate) fn write_all(operations: &[ValueOperation]) -> Result<()> {
    operations.iter().try_for_each(|operation| begin(operation).map(drop))
}

impl Wait {
    /// Returns whether the value is there.
    fn is_over(&self) -> bool {
        let found = raw::load(self.operation.address, self.operation.value);
        holds(self.comparison, found, self.operation.value)
    }

    /// Lets `waiter`, which is parked, go on when the value is there. False when it is there by now; nothing is resumed
    /// then.
    pub(crate) fn resumes(self, waiter: Waiter) -> bool {
        let mut list = lock(&WAITS.list);
        WAITS.count.fetch_add(1, Ordering::SeqCst);
        // Whoever writes after this look sees the count, and then the entry.
        fence(Ordering::SeqCst);
        if self.is_over() || waiter.stream.skips_work() {
            WAITS.count.fetch_sub(1, Ordering::SeqCst);
            drop(list);
            return false;
        }
        waiter.stream.activity().rest();
        list.waits.push(Listed { wait: self, waiter });
        list.has_grown = true;
        let is_watched = std::mem::replace(&mut list.is_watched, true);
        drop(list);
        if !is_watched {
            callbacks::run(Box::new(watch));
        }
        true
    }
}

/// Returns whether what was found lets a wait for `wanted` end. Both are of one width.
fn holds(comparison: Comparison, found: Value, wanted: Value) -> bool {
    let (found, wanted, all) = match (found, wanted) {
        // In the upper half, so that the difference has its sign where one of 64 bits has it.
        (Value::U32(found), Value::U32(wanted)) => {
            (u64::from(found) << 32, u64::from(wanted) << 32, u64::from(u32::MAX) << 32)
        }
        (Value::U64(found), Value::U64(wanted)) => (found, wanted, u64::MAX),
        (Value::U32(_), Value::U64(_)) | (Value::U64(_), Value::U32(_)) => return false,
    };
    match comparison {
        Comparison::GreaterOrEqual => found.wrapping_sub(wanted).cast_signed() >= 0,
        Comparison::Equal => found == wanted,
        Comparison::And => found & wanted != 0,
        Comparison::Nor => found | wanted != all,
    }
}

impl Listed {
    fn stream(&self) -> &Arc<dyn Resumable> {
        &self.waiter.stream
    }

    fn go_on(self) {
        self.waiter.go_on();
    }
}

impl List {
    /// Takes out the waits for which `is_over` holds.
    fn take(&mut self, over: &mut Vec<Listed>, mut is_over: impl FnMut(&Listed) -> bool) {
        let mut at = 0;
        while at < self.waits.len() {
            if is_over(&self.waits[at]) {
                let listed = self.waits.swap_remove(at);
                listed.stream().activity().wake();
                WAITS.count.fetch_sub(1, Ordering::SeqCst);
                over.push(listed);
            } else {
                at += 1;
            }
        }
    }
}

/// A value was written.
fn tell() {
    fence(Ordering::SeqCst);
    if WAITS.count.load(Ordering::SeqCst) == 0 {
        return;
    }
    let mut over = Vec::new();
    lock(&WAITS.list).take(&mut over, |listed| listed.wait.is_over());
    over.into_iter().for_each(Listed::go_on);
}

/// Ends what is over or lost; whether there was something.
fn look() -> bool {
    let mut over = Vec::new();
    let leaving: Vec<_> = {
        let mut list = lock(&WAITS.list);
        list.take(&mut over, |listed| listed.wait.is_over() || listed.stream().skips_work());
        let leaving = list.waits.iter().filter(|listed| listed.stream().cancellation().is_destroyed());
        leaving.map(|listed| Arc::clone(listed.stream())).collect()
    };
    let lost: Vec<_> = leaving.into_iter().filter(is_lost).collect();
    if !lost.is_empty() {
        let is_lost = |listed: &Listed| lost.iter().any(|stream| Arc::ptr_eq(stream, listed.stream()));
        // What completed last may have written the value in its last moment.
        lock(&WAITS.list).take(&mut over, |listed| {
            let is_over = listed.wait.is_over();
            if !is_over && is_lost(listed) {
                listed.stream().cancellation().cancel();
            }
            is_over || is_lost(listed)
        });
    }
    let any = !over.is_empty();
    over.into_iter().for_each(Listed::go_on);
    any
}

/// Returns whether nothing that was submitted before the stream was destroyed can bring a value any more.
fn is_lost(stream: &Arc<dyn Resumable>) -> bool {
    let Some(writers) = stream.cancellation().writers() else { return false };
    // Nobody goes on who was at rest both times: there was a moment when all were.
    let at_rest = || {
        let pending = writers.iter().filter(|(other, until)| !other.has_completed(*until)).map(|(other, _)| other);
        pending.chain([stream]).map(|other| other.activity().at_rest()).collect::<Option<Vec<_>>>()
    };
    let Some(before) = at_rest() else { return false };
    let any_is_over = lock(&WAITS.list).waits.iter().any(|listed| listed.wait.is_over());
    !any_is_over && at_rest().is_some_and(|after| after == before)
}

/// The stream is being destroyed. Its waits are cancelled when none of `writers` can bring their values any more.
pub(crate) fn end_waits(stream: &dyn Resumable, writers: Writers) {
    stream.cancellation().set_writers(writers);
    // Where something is listed there is a watcher. It alone looks: that takes the longer the more waits there are, and many
    // may be destroyed at once.
    lock(&WAITS.list).has_grown = true;
}

/// Looks until nothing waits.
fn watch() {
    let [soon, seldom] = PAUSES;
    let mut pause = soon;
    loop {
        std::thread::sleep(pause);
        let has_changed = look();
        let mut list = lock(&WAITS.list);
        if list.waits.is_empty() {
            list.is_watched = false;
            return;
        }
        let has_grown = std::mem::take(&mut list.has_grown);
        pause = if has_changed || has_grown { soon } else { (pause * 5 / 4).min(seldom) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_those_of_the_driver() {
        let cases = [
            (Comparison::GreaterOrEqual, 5, 5, true),
            (Comparison::GreaterOrEqual, 4, 5, false),
            (Comparison::GreaterOrEqual, 2, u32::MAX, true),
            (Comparison::GreaterOrEqual, u32::MAX, 2, false),
            (Comparison::GreaterOrEqual, 0x8000_0004, 5, true),
            (Comparison::GreaterOrEqual, 0x8000_0005, 5, false),
            (Comparison::Equal, 7, 7, true),
            (Comparison::Equal, 7, 8, false),
            (Comparison::And, 6, 4, true),
            (Comparison::And, 6, 9, false),
            (Comparison::Nor, 0xf0f0_f0f0, 0x0f0f_0f0f, false),
            (Comparison::Nor, 0xf0f0_f0f0, 0x0f0f_0f0e, true),
        ];
        for (comparison, found, wanted, expected) in cases {
            assert_eq!(holds(comparison, Value::U32(found), Value::U32(wanted)), expected, "{comparison:?} {found:#x}");
        }
        let wide = |comparison, found, wanted| holds(comparison, Value::U64(found), Value::U64(wanted));
        assert!(wide(Comparison::GreaterOrEqual, 1, u64::MAX) && !wide(Comparison::GreaterOrEqual, u64::MAX, 1));
        assert!(!wide(Comparison::GreaterOrEqual, 1 << 63, 0) && wide(Comparison::GreaterOrEqual, 1 << 32, 1));
        assert!(wide(Comparison::And, 1 << 40, 1 << 40) && !wide(Comparison::Equal, 1 << 40, 0));
        assert!(!wide(Comparison::Nor, u64::MAX, 0) && wide(Comparison::Nor, u64::from(u32::MAX), 0));
    }
}
