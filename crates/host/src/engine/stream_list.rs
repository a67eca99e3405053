//! The streams of a context, and what becomes of per-thread streams when their threads end.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use super::resumable::Writers;
use super::stream::Stream;
use super::values;
use crate::capture;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_base::{defer, Deferred};
use graphcap_driver::{forked, StreamId};

/// All streams of a context: the legacy one, others by their ids, and a per-thread stream by its thread's number.
pub(crate) struct StreamList {
    /// The number of the context.
    context: u64,
    legacy: Arc<Stream>,
    // Leak checkers find what these have from static memory, which they do not find behind a hash map.
    pub(crate) made: BTreeMap<u64, Arc<Stream>>,
    /// Destroyed ones that may still have something to do.
    pub(crate) leaving: BTreeMap<u64, Arc<Stream>>,
    /// Length at which `leaving` is looked through, so that a destroy costs the same however many there are.
    look_at: usize,
}

/// The list of a context.
pub(crate) type Streams = Mutex<StreamList, rank::HostStreams>;

/// The lists of the process.
struct StreamLists {
    /// Those of all contexts, and of those that are gone while work of their streams goes on.
    all: Mutex<Vec<Weak<Streams>>, rank::StreamLists>,
    /// Those of contexts that are gone, whose streams may use what other contexts have.
    left: Mutex<Vec<Arc<Streams>>, rank::Left>,
}

static LISTS: StreamLists = StreamLists { all: Mutex::new(Vec::new()), left: Mutex::new(Vec::new()) };

/// The list of a new context.
pub(crate) fn new(context: u64, legacy: &Arc<Stream>) -> Arc<Streams> {
    let (legacy, made) = (Arc::clone(legacy), BTreeMap::new());
    let list = Arc::new(Mutex::new(StreamList { context, legacy, made, leaving: BTreeMap::new(), look_at: 0 }));
    lock(&LISTS.all).push(Arc::downgrade(&list));
    drop(forget_left());
    list
}

/// Forgets the list of a context that goes, once its streams have nothing left to do.
pub(crate) fn forget(list: &Arc<Streams>) {
    lock(&LISTS.left).push(Arc::clone(list));
    drop(forget_left());
}

/// Forgets the lists of contexts that are gone whose streams have nothing left to do. What is given is to be dropped where no
/// lock is held.
#[must_use]
fn forget_left() -> Vec<Arc<Streams>> {
    let mut left = lock(&LISTS.left);
    let over: Vec<_> = left.extract_if(.., |list| lock(list).is_complete()).collect();
    let is_over = |list: &Weak<_>| over.iter().any(|over| std::ptr::eq(list.as_ptr(), Arc::as_ptr(over)));
    lock(&LISTS.all).retain(|list| !is_over(list));
    over
}

/// The lists of the contexts but the one of `own`.
fn others(own: &Arc<Streams>) -> impl Iterator<Item = Arc<Streams>> + use<> {
    let (lists, own) = (lock(&LISTS.all).clone(), Arc::as_ptr(own));
    let own = own.addr();
    lists.into_iter().filter_map(|list| list.upgrade()).filter(move |list| Arc::as_ptr(list).addr() != own)
}

/// The streams of all contexts. Work of one can be what another one waits for.
fn everywhere() -> Vec<Arc<Stream>> {
    let lists = lock(&LISTS.all).clone();
    let lists: Vec<_> = lists.iter().filter_map(Weak::upgrade).collect();
    let streams = |list: &Arc<Streams>| {
        let list = lock(list);
        list.iter().chain([&list.legacy]).cloned().collect::<Vec<_>>()
    };
    lists.iter().flat_map(streams).collect()
}

/// Ends the waits for values of a stream that is being destroyed, when no other stream can bring their values any more.
pub(crate) fn end_waits(stream: &Arc<Stream>) {
    let others = everywhere().into_iter().filter(|other| !Arc::ptr_eq(other, stream) && !other.is_complete());
    let writers: Writers = others.map(|other| (Arc::downgrade(&other) as _, other.submitted())).collect();
    values::end_waits(&**stream, writers);
}

/// Adds the streams to `users` that `id` means in the context of the list `own`, or wherever they are.
pub(crate) fn users_of(own: &Arc<Streams>, id: StreamId, users: &mut Vec<Arc<Stream>>) {
    let found = {
        let own = lock(own);
        match id.default_of() {
            Some((context, stream)) if context == 0 || context == own.context => Some(own.defaults(stream)),
            None if id == StreamId::UNKNOWN => Some(own.iter().chain([&own.legacy]).cloned().collect()),
            None => own.get(id.0).map(|stream| vec![Arc::clone(stream)]),
            Some(_) => None,
        }
    };
    let found = found.or_else(|| match id.default_of() {
        Some((context, stream)) => others(own).find_map(|other| {
            let other = lock(&other);
            (other.context == context).then(|| other.defaults(stream))
        }),
        None => others(own).find_map(|other| lock(&other).get(id.0).map(|stream| vec![Arc::clone(stream)])),
    });
    users.extend(found.into_iter().flatten());
}

/// Returns whether the stream was destroyed, of whatever context, and has nothing left to do.
pub(crate) fn is_over(own: &Arc<Streams>, id: StreamId) -> bool {
    match id.default_of() {
        Some((context, _)) => {
            context != 0 && context != lock(own).context && !others(own).any(|other| lock(&other).context == context)
        }
        None if id == StreamId::UNKNOWN => false,
        None => {
            let here = lock(own).is_over(id.0);
            here.unwrap_or_else(|| others(own).find_map(|other| lock(&other).is_over(id.0)).unwrap_or(true))
        }
    }
}

/// Ends the per-thread streams of the calling thread when it ends. Those that a thread makes while it ends, when its
/// thread-locals are gone, end with their contexts.
pub(crate) fn end_with_this_thread() {
    thread_local! {
        static END: Deferred<fn()> = const { defer(end_thread) };
    }
    let _ = END.try_with(|_| ());
}

/// Ends the per-thread streams of the calling thread, which ends, in all contexts.
fn end_thread() {
    if forked::is_child() {
        return;
    }
    let ThreadNumber(thread) = this_thread();
    let lists: Vec<_> = lock(&LISTS.all).iter().filter_map(Weak::upgrade).collect();
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
    pub(crate) fn remove(&mut self, number: u64) {
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

    /// Returns whether the stream with this number was destroyed and has nothing left to do; `None` where it is not listed.
    fn is_over(&self, number: u64) -> Option<bool> {
        let leaving = || self.leaving.get(&number).map(|stream| stream.is_complete());
        if self.made.contains_key(&number) {
            Some(false)
        } else {
            leaving()
        }
    }

    /// Returns whether no stream has anything to do.
    fn is_complete(&self) -> bool {
        self.iter().chain([&self.legacy]).all(|stream| stream.is_complete())
    }

    /// The legacy stream, or all per-thread streams: which threads' streams used something is not known.
    fn defaults(&self, stream: StreamId) -> Vec<Arc<Stream>> {
        match stream {
            StreamId::LEGACY => vec![Arc::clone(&self.legacy)],
            _ => {
                let numbered = self.made.iter().chain(&self.leaving).filter(|(number, _)| **number >> 32 == 0);
                numbered.map(|(_, stream)| Arc::clone(stream)).collect()
            }
        }
    }

    /// The stream with this number, destroyed or not.
    fn get(&self, number: u64) -> Option<&Arc<Stream>> {
        self.made.get(&number).or_else(|| self.leaving.get(&number))
    }

    /// All streams but the legacy one, the destroyed ones included.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Stream>> {
        self.made.values().chain(self.leaving.values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_listed(list: &Weak<Streams>) -> bool {
        lock(&LISTS.all).iter().any(|other| Weak::ptr_eq(other, list))
    }

    #[test]
    fn a_context_that_goes_leaves_no_entry() {
        let context = crate::context::HostContext::new(0).unwrap();
        let list = Arc::downgrade(&context.streams);
        assert!(is_listed(&list));
        drop(context);
        assert!(!is_listed(&list));
    }
}
