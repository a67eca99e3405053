//! The streams of a context, and what becomes of per-thread streams when their threads end.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use super::stream::Stream;
use super::{capture, lock};
use crate::thread::ThreadNumber;

/// All streams of a context but the legacy one: by their ids, and a per-thread stream by its thread's number.
#[derive(Default)]
pub(super) struct StreamList {
    pub(super) made: HashMap<u64, Arc<Stream>>,
    /// Destroyed ones that may still have something to do.
    pub(super) leaving: HashMap<u64, Arc<Stream>>,
    /// Length at which `leaving` is looked through, so that a destroy costs the same however many there are.
    look_at: usize,
}

/// The lists of all contexts.
static LISTS: Mutex<Vec<Weak<Mutex<StreamList>>>> = Mutex::new(Vec::new());

/// The list of a new context.
pub(super) fn new() -> Arc<Mutex<StreamList>> {
    let list = Arc::default();
    lock(&LISTS).push(Arc::downgrade(&list));
    list
}

/// Forgets the list of a context that goes.
pub(super) fn forget(list: &Arc<Mutex<StreamList>>) {
    lock(&LISTS).retain(|other| !std::ptr::eq(other.as_ptr(), Arc::as_ptr(list)));
}

/// Ends the per-thread streams of a thread that ends, in all contexts.
pub(super) fn end_thread(ThreadNumber(thread): ThreadNumber) {
    let lists: Vec<_> = lock(&LISTS).iter().filter_map(Weak::upgrade).collect();
    for list in lists {
        let removed = lock(&list).made.get(&thread).cloned();
        if let Some(stream) = removed {
            capture::leave(&stream);
            lock(&list).remove(thread);
        }
    }
}

impl StreamList {
    /// Takes a destroyed stream out, once it has nothing left to do.
    pub(super) fn remove(&mut self, number: u64) {
        let Some(stream) = self.made.remove(&number) else { return };
        if stream.is_complete() {
            return;
        }
        self.leaving.insert(number, stream);
        if self.leaving.len() > self.look_at {
            self.leaving.retain(|_, stream| !stream.is_complete());
            self.look_at = 2 * self.leaving.len() + 16;
        }
    }

    /// The stream with this number, destroyed or not.
    pub(super) fn get(&self, number: u64) -> Option<&Arc<Stream>> {
        self.made.get(&number).or_else(|| self.leaving.get(&number))
    }

    /// All streams, the destroyed ones included.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Stream>> {
        self.made.values().chain(self.leaving.values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_listed(list: &Weak<Mutex<StreamList>>) -> bool {
        lock(&LISTS).iter().any(|other| Weak::ptr_eq(other, list))
    }

    #[test]
    fn a_context_that_goes_leaves_no_entry() {
        let context = super::super::context::HostContext::new(0).unwrap();
        let list = Arc::downgrade(&context.streams);
        assert!(is_listed(&list));
        drop(context);
        assert!(!is_listed(&list));
    }
}
