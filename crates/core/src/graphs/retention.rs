//! Objects that graphs keep for captures, and how an edit parts them among the nodes.
//!
//! A capture lists each object that it uses once ([`Kept`]), whichever nodes use it. Its graph and the execs made from it
//! hold that list together. An edit never changes a list that is held so: it gives the graph what each node uses
//! ([`Holdings`]) in the place of the list, and the execs that were made before keep the list that they have until they are
//! edited themselves. All lists that come from one capture, or from captures into one graph, are a [`Line`], which a call finds that lists
//! its objects late. The list of a capture that goes on is parted nowhere, so that all who hold it have what the capture lists.
//!
//! Which objects a node uses is read from the node itself ([`Uses`]). What a node may use that cannot be read stays.

use std::any::Any;
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use super::holdings::{ByPlace, Holdings};
use super::uses::Uses;
use crate::keep::{Kept, Kepts};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::{Lists, Retain, Retained, Snapshot, StreamId, UsedBy};

/// A list that graphs and execs hold.
pub(crate) struct Shared(Mutex<Listed, rank::Listed>);

impl Shared {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Listed> {
        lock(&self.0)
    }

    pub(crate) fn line(&self) -> Arc<Line> {
        Arc::clone(&self.lock().line)
    }

    /// The capture begins whose list it is.
    pub(crate) fn open(&self) {
        self.lock().is_open = true;
    }

    /// The capture is over, and lists nothing more.
    pub(crate) fn close(&self) {
        self.lock().is_open = false;
    }

    /// Takes everything from it, what is kept for no node last: it goes after all else.
    pub(crate) fn take_all(&self, taken: &mut Vec<Kept>) {
        let mut listed = self.lock();
        taken.append(&mut listed.kept);
        taken.append(&mut listed.whole);
    }
}

/// Objects that a graph keeps, or kept when an exec was made from it.
pub(crate) struct Listed {
    pub(crate) kept: Vec<Kept>,
    /// Objects kept for no node: they stay when nodes go, and go after all else.
    pub(crate) whole: Vec<Kept>,
    line: Arc<Line>,
    /// Tells whether a capture goes on that lists here what it uses.
    is_open: bool,
    parted: Option<Parted>,
    /// Tells whether it has only what was left when another list was parted.
    is_rest: bool,
}

/// A list after an edit parted it among the nodes.
#[derive(Clone)]
struct Parted {
    by_place: Arc<ByPlace>,
    /// Objects that nodes may use which cannot be read, and those that are kept for none.
    rest: Arc<Shared>,
    /// Objects kept for no node.
    whole: Vec<Kept>,
}

/// The lists that come from one capture, or from captures into one graph.
pub(crate) struct Line {
    /// The streams of execs that are gone, whose launches may go on.
    used_by: UsedBy,
    lists: Mutex<OfLine, rank::Lists>,
}

type OfLine = SmallVec<[Weak<Shared>; 1]>;

/// The list of a capture that has listed `kept`, and `whole` for no node, and the line that begins with it.
pub(crate) fn begin(kept: Vec<Kept>, whole: Vec<Kept>) -> (Arc<Shared>, Weak<Line>) {
    let line = Arc::new(Line { used_by: UsedBy::default(), lists: Mutex::default() });
    let weak = Arc::downgrade(&line);
    let list = line.add((kept, whole), false, &mut lock(&line.lists));
    (list, weak)
}

impl Line {
    fn add(self: &Arc<Self>, (kept, whole): (Vec<Kept>, Vec<Kept>), is_rest: bool, lists: &mut OfLine) -> Arc<Shared> {
        let list = Arc::new(Shared(Mutex::new(Listed {
            kept,
            whole,
            line: Arc::clone(self),
            is_open: false,
            parted: None,
            is_rest,
        })));
        lists.retain(|list| list.strong_count() > 0);
        lists.push(Arc::downgrade(&list));
        list
    }

    /// Takes up the list of a capture that goes into a graph with lists of the line.
    pub(crate) fn go_on(self: &Arc<Self>, list: &Arc<Shared>) {
        let mut lists = lock(&self.lists);
        lists.retain(|list| list.strong_count() > 0);
        lists.push(Arc::downgrade(list));
        let before = std::mem::replace(&mut list.lock().line, Arc::clone(self));
        drop(lists);
        drop(before);
    }

    /// Makes every graph and exec of the line keep `objects`, which belong to work that was found to be recorded only
    /// after the capture had ended.
    pub(crate) fn keep_late(&self, objects: Vec<Kept>) {
        // Dropped after the locks: a list may have its last reference here.
        let mut present: SmallVec<[Arc<Shared>; 2]> = SmallVec::new();
        {
            // Held over all lists, so that an edit copies a list before or after, and not in between.
            let lists = lock(&self.lists);
            present.extend(lists.iter().filter_map(Weak::upgrade));
            for list in &present {
                list.lock().kept.extend_from_slice(&objects);
            }
        }
        // Afterwards: an exec that goes from here on finds the objects in its list.
        stay_for(&self.used_by.users(), &objects);
    }
}

impl Retain for Shared {
    fn calls_out(&self) -> bool {
        self.lock().all().any(Kept::calls_out)
    }

    fn used_by(&self, streams: &[StreamId], is_over: &dyn Fn(StreamId) -> bool) -> Vec<Snapshot> {
        let listed = self.lock();
        streams.iter().for_each(|&stream| listed.line.used_by.note(stream, is_over));
        let mut held = Vec::new();
        listed.all().for_each(|kept| kept.note_uses(streams, is_over, &mut held));
        held
    }

    fn to_be_held_apart(self: Arc<Self>) -> Retained {
        self
    }
}

/// Makes `objects` stay for launches on `streams` of execs that are gone, which were not told of them.
pub(crate) fn stay_for(streams: &[StreamId], objects: &[Kept]) {
    if streams.is_empty() {
        return;
    }
    let mut held = Vec::new();
    objects.iter().for_each(|kept| kept.note_uses(streams, &|_| false, &mut held));
    // They know no users: let go of by nobody.
    std::mem::forget(held);
}

/// The lists among what a graph keeps that are to be parted among its nodes. While `is_again`, also those that have only what was left
/// of others, since a node goes that could not be read.
pub(crate) fn lists(mut kept: Lists, is_again: bool) -> Lists {
    kept.retain(|retained| shared(retained).is_some_and(|list| list.lock().is_to_be_parted(is_again)));
    kept
}

/// Parts a list of a graph, whose capture is over, among the nodes of the graph. Gives the rest, which the graph keeps in its place. What
/// a capture lists may be for a node that it has yet to record.
pub(crate) fn part(list: &Retained, uses: &Uses, holdings: &Holdings) -> Option<Retained> {
    let Parted { by_place, rest, whole } = parted(shared(list)?, uses);
    holdings.merge(&by_place);
    holdings.keep_whole(&whole);
    Some(rest)
}

/// The line of a list.
pub(crate) fn line_of(list: &Retained) -> Option<Arc<Line>> {
    shared(list).map(Shared::line)
}

/// Returns whether it is a list of `line` that has nothing and gets nothing. What is listed late is put on later lists of the line as well.
pub(crate) fn is_spent(list: &Retained, line: &Arc<Line>) -> bool {
    shared(list).is_some_and(|list| {
        let listed = list.lock();
        !listed.is_open && listed.all().next().is_none() && Arc::ptr_eq(&listed.line, line)
    })
}

/// Returns what an exec of a graph, or a copy of the graph, keeps where the graph keeps `kept`.
pub(crate) fn held_apart(kept: &[Retained]) -> Lists {
    kept.iter().map(|kept| Arc::clone(kept).to_be_held_apart()).collect()
}

/// Makes an exec keep by its nodes what is `kept` for it in lists that an edit of its graph has parted since. Gives the lists, to be
/// dropped where no lock is held.
pub(crate) fn part_of_exec(kept: &mut [Retained], holdings: &Holdings) -> Lists {
    let mut lists = Lists::new();
    for retained in kept {
        let parted = shared(retained).and_then(|list| list.lock().parted.clone());
        let Some(Parted { by_place, rest, whole }) = parted else { continue };
        holdings.merge(&by_place);
        holdings.keep_whole(&whole);
        lists.push(std::mem::replace(retained, rest));
    }
    lists
}

impl Listed {
    fn all(&self) -> impl Iterator<Item = &Kept> {
        self.kept.iter().chain(&self.whole)
    }

    fn is_to_be_parted(&self, is_again: bool) -> bool {
        !self.is_open && !self.kept.is_empty() && (is_again || !self.is_rest)
    }
}

/// Returns what nodes keep, if that is what is kept.
pub(crate) fn holdings(retained: Retained) -> Option<Arc<Holdings>> {
    let any: Arc<dyn Any + Send + Sync> = retained;
    any.downcast().ok()
}

/// The first that `pick` picks of what is kept, also within child graphs.
pub(crate) fn find<T>(retained: &Retained, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
    if let Some(list) = shared(retained) {
        return list.lock().all().find_map(|kept| find_in(kept, pick));
    }
    holdings(Arc::clone(retained)).and_then(|holdings| holdings.find_any(&|kept| find_in(kept, pick)))
}

/// Function that is called with each object that a graph keeps.
pub(crate) type See<'a> = &'a dyn Fn(&Kept);

/// Makes `see` see everything that a graph keeps, also within child graphs: what its nodes keep, and what is on its lists.
pub(crate) fn see_all(holdings: Option<&Holdings>, lists: &[Retained], see: See<'_>) {
    let pick = |kept: &Kept| -> Option<()> {
        see(kept);
        None
    };
    holdings.map(|holdings| holdings.find_any(&|kept| find_in(kept, &pick)));
    lists.iter().for_each(|list| {
        find(list, &pick);
    });
}

/// Returns what `pick` picks of `kept`.
pub(crate) fn find_in<T>(kept: &Kept, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
    match kept {
        Kept::Graph(lists) => lists.iter().find_map(|list| find(list, pick)),
        _ => pick(kept),
    }
}

/// The list of a capture, if that is what is kept.
fn shared(retained: &Retained) -> Option<&Shared> {
    let any: &dyn Any = &**retained;
    any.downcast_ref()
}

/// Parts a list among the nodes that use what is on it.
fn parted(list: &Shared, uses: &Uses) -> Parted {
    let line = list.line();
    // Held, so that a call that lists its objects late finds the list or what has become of it.
    let mut lists = lock(&line.lists);
    let mut listed = list.lock();
    if let Some(parted) = &listed.parted {
        return parted.clone();
    }
    let (mut by_place, mut rest) = (ByPlace::new(), Vec::new());
    for kept in &listed.kept {
        for place in kept.users(uses) {
            if by_place.len() <= place {
                by_place.resize_with(place + 1, Kepts::new);
            }
            by_place[place].push(kept.clone());
        }
        if kept.may_be_of_unread(uses) {
            rest.push(kept.clone());
        }
    }
    let whole = listed.whole.clone();
    let rest = line.add((rest, whole.clone()), true, &mut lists);
    let parted = Parted { by_place: Arc::new(by_place), rest, whole };
    // What was left is parted when a node is gone that execs which were made before still have.
    if !listed.is_rest {
        listed.parted = Some(parted.clone());
    }
    parted
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
