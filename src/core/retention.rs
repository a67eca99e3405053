//! What graphs keep, and what a graph lets go of when a node is removed.
//!
//! A capture lists each object that it uses once ([`Kept`]), whichever nodes use it. Its graph and the execs made from it
//! hold that list together. An edit never changes a list that is held so: it gives the graph another list, without what no
//! remaining node can use, and the execs that were made before keep the list that they have. All lists that come from one
//! capture are a [`Line`], which a call finds that lists its objects late. Which objects a node can use is read from the node itself: `uses.rs`.

use std::any::Any;
use std::sync::{Arc, Mutex, Weak};

use smallvec::SmallVec;

use super::keep::Kept;
use super::lock;
use super::uses::Uses;
use crate::driver::{Driver, GraphId, Retain, Retained, Snapshot, StreamId, UsedBy};
use crate::error::Result;

/// A list that graphs and execs hold.
pub(super) type Shared = Mutex<Listed>;

/// What a graph keeps, or kept when an exec was made from it.
pub(super) struct Listed {
    pub(super) kept: Vec<Kept>,
    line: Arc<Line>,
}

/// The lists that come from one capture.
pub(super) struct Line {
    /// The streams of execs that are gone, whose launches may go on.
    used_by: UsedBy,
    /// The latest is the graph's, if the graph still is.
    lists: Mutex<Lists>,
}

type Lists = SmallVec<[Weak<Shared>; 1]>;

/// The list of a capture that has listed `kept`, and the line that begins with it.
pub(super) fn begin(kept: Vec<Kept>) -> (Arc<Shared>, Weak<Line>) {
    let line = Arc::new(Line { used_by: UsedBy::default(), lists: Mutex::default() });
    let weak = Arc::downgrade(&line);
    let list = line.add(kept, &mut lock(&line.lists));
    (list, weak)
}

impl Line {
    fn add(self: &Arc<Self>, kept: Vec<Kept>, lists: &mut Lists) -> Arc<Shared> {
        let list = Arc::new(Mutex::new(Listed { kept, line: Arc::clone(self) }));
        lists.retain(|list| list.strong_count() > 0);
        lists.push(Arc::downgrade(&list));
        list
    }

    /// Makes `call` with the list of the graph, or of the capture that has no graph yet. False where there is none.
    pub(super) fn change(&self, call: impl FnOnce(&mut Vec<Kept>)) -> bool {
        // Held, so that an edit copies the list before or after, and not in between.
        let lists = lock(&self.lists);
        let Some(latest) = lists.last().and_then(Weak::upgrade) else { return false };
        call(&mut lock(&latest).kept);
        // Before the list, which may have its last reference here.
        drop(lists);
        true
    }

    /// Has every graph and exec of the line keep `objects`, which belong to work that was found to be recorded only
    /// after the capture had ended.
    pub(super) fn keep_late(&self, objects: Vec<Kept>) {
        // Dropped after the locks: a list may have its last reference here.
        let mut present: SmallVec<[Arc<Shared>; 2]> = SmallVec::new();
        {
            // Held over all lists, so that an edit copies a list before or after, and not in between.
            let lists = lock(&self.lists);
            present.extend(lists.iter().filter_map(Weak::upgrade));
            for list in &present {
                lock(list).kept.extend_from_slice(&objects);
            }
        }
        // Afterwards: an exec that goes from here on finds the objects in its list.
        stay_for(&self.used_by.users(), &objects);
    }
}

impl Retain for Shared {
    fn calls_out(&self) -> bool {
        lock(self).kept.iter().any(|kept| matches!(kept, Kept::HostFunction(_)))
    }

    fn used_by(&self, streams: &[StreamId], is_over: &dyn Fn(StreamId) -> bool) -> Vec<Snapshot> {
        let listed = lock(self);
        streams.iter().for_each(|&stream| listed.line.used_by.note(stream, is_over));
        listed.kept.iter().filter_map(|kept| kept.note_uses(streams)).cloned().collect()
    }
}

/// Has `objects` stay for launches on `streams` of execs that are gone, which were not told of them.
pub(super) fn stay_for(streams: &[StreamId], objects: &[Kept]) {
    if streams.is_empty() {
        return;
    }
    for snapshot in objects.iter().filter_map(|kept| kept.note_uses(streams)) {
        // It knows no users: let go of by nobody.
        std::mem::forget(Snapshot::clone(snapshot));
    }
}

/// The lists of a graph that have something on them, for an edit that is about to be made. While it has them nothing
/// goes.
///
/// # Errors
/// As [`Graphs::graph_retained`](crate::driver::Graphs::graph_retained).
pub(super) fn lists(driver: &dyn Driver, graph: GraphId) -> Result<Vec<Retained>> {
    let mut lists = driver.graph_retained(graph)?;
    lists.retain(|retained| shared(retained).is_some_and(|list| !lock(list).kept.is_empty()));
    Ok(lists)
}

/// Has a graph keep of `lists`, which it keeps, only what its nodes can use. No other edit of the graph goes on.
///
/// # Errors
/// As [`Graphs::node_work`](crate::driver::Graphs::node_work); the graph keeps everything then.
pub(super) fn prune(driver: &dyn Driver, graph: GraphId, lists: &[Retained]) -> Result<()> {
    if lists.is_empty() {
        return Ok(());
    }
    let uses = Uses::of(driver, graph)?;
    for retained in lists {
        if let Some(shorter) = shared(retained).and_then(|list| shortened(list, &uses)) {
            // What is given back is the list itself, which the caller holds, or the shorter one.
            drop(driver.graph_exchange_retained(graph, retained, shorter)?);
        }
    }
    Ok(())
}

/// What graphs keep is always a list of core's.
fn shared(retained: &Retained) -> Option<&Shared> {
    let any: &dyn Any = &**retained;
    any.downcast_ref()
}

/// A list of the same line without what no node can use; `None` where nodes can use everything on it.
fn shortened(list: &Shared, uses: &Uses) -> Option<Arc<Shared>> {
    let line = Arc::clone(&lock(list).line);
    let mut lists = lock(&line.lists);
    let kept: Vec<Kept> = {
        let listed = lock(list);
        let used: Vec<Kept> = listed.kept.iter().filter(|kept| kept.may_be_of(uses)).cloned().collect();
        (used.len() < listed.kept.len()).then_some(used)
    }?;
    Some(line.add(kept, &mut lists))
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
