//! What graphs keep that captures gave, and how an edit parts it among the nodes.
//!
//! A capture lists each object that it uses once ([`Kept`]), whichever nodes use it. Its graph and the execs made from it
//! hold that list together. An edit never changes a list that is held so: it gives the graph what each node uses
//! ([`Holdings`]) in the place of the list, and the execs that were made before keep the list that they have until they are
//! edited themselves. All lists that come from one capture are a [`Line`], which a call finds that lists its objects late.
//!
//! Which objects a node can use is read from the node itself. What cannot be attributed stays: a node that cannot be read
//! may use everything that its kind allows.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use smallvec::SmallVec;

use super::buffer::BufferInner;
use super::holdings::{ByPlace, Holdings, Kepts};
use super::lock;
use super::operands::Kept;
use crate::driver::{
    Address, Argument, Arguments, Driver, EventId, ExecId, GraphId, GraphRef, HostFunction, KernelId, NodeKind, Retain,
    Retained, Snapshot, StreamId, UsedBy, Work,
};
use crate::error::Result;

/// A list that graphs and execs hold.
pub(super) type Shared = Mutex<Listed>;

/// What a graph keeps, or kept when an exec was made from it.
pub(super) struct Listed {
    pub(super) kept: Vec<Kept>,
    line: Arc<Line>,
    parted: Option<Parted>,
    /// Whether it has only what was left when another list was parted.
    is_rest: bool,
}

/// What has become of a list when an edit parted it among the nodes.
#[derive(Clone)]
struct Parted {
    by_place: Arc<ByPlace>,
    /// What nodes may use that cannot be read.
    rest: Arc<Shared>,
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
    let list = line.add(kept, false, &mut lock(&line.lists));
    (list, weak)
}

impl Line {
    fn add(self: &Arc<Self>, kept: Vec<Kept>, is_rest: bool, lists: &mut Lists) -> Arc<Shared> {
        let list = Arc::new(Mutex::new(Listed { kept, line: Arc::clone(self), parted: None, is_rest }));
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
        lock(self).kept.iter().any(Kept::calls_out)
    }

    fn used_by(&self, streams: &[StreamId], is_over: &dyn Fn(StreamId) -> bool) -> Vec<Snapshot> {
        let listed = lock(self);
        streams.iter().for_each(|&stream| listed.line.used_by.note(stream, is_over));
        let mut held = Vec::new();
        listed.kept.iter().for_each(|kept| kept.note_uses(streams, is_over, &mut held));
        held
    }

    fn to_be_held_apart(self: Arc<Self>) -> Retained {
        self
    }
}

/// Has `objects` stay for launches on `streams` of execs that are gone, which were not told of them.
pub(super) fn stay_for(streams: &[StreamId], objects: &[Kept]) {
    if streams.is_empty() {
        return;
    }
    let mut held = Vec::new();
    objects.iter().for_each(|kept| kept.note_uses(streams, &|_| false, &mut held));
    // They know no users: let go of by nobody.
    std::mem::forget(held);
}

/// Has a graph keep by its nodes what it keeps in lists of captures. Gives what a node keeps of them beyond that, to be dropped
/// where no lock is held. While `is_again`, also lists are parted that have only what was left of others, since a node is
/// gone that could not be read. No other edit of the graph goes on.
///
/// # Errors
/// As [`Graphs::node_work`](crate::driver::Graphs::node_work); the graph keeps everything then.
pub(super) fn part(
    driver: &dyn Driver,
    graph: GraphId,
    holdings: impl FnOnce() -> Result<Arc<Holdings>>,
    is_again: bool,
) -> Result<Vec<Retained>> {
    let mut lists = driver.graph_retained(graph)?;
    lists.retain(|retained| shared(retained).is_some_and(|list| lock(list).is_to_be_parted(is_again)));
    if lists.is_empty() {
        return Ok(lists);
    }
    let uses = Uses::of(driver, graph)?;
    let holdings = holdings()?;
    for retained in &mut lists {
        let Some(list) = shared(retained) else { continue };
        let Parted { by_place, rest } = parted(list, &uses);
        // First, as the list may go.
        holdings.merge(&by_place);
        let given_back = driver.graph_exchange_retained(graph, retained, rest)?;
        *retained = given_back;
    }
    Ok(lists)
}

/// Has an exec keep by its nodes what it keeps in lists that an edit of its graph has parted since. Gives the lists, to be
/// dropped where no lock is held.
///
/// # Errors
/// As [`ExecEdits::exec_retained`](crate::driver::ExecEdits::exec_retained).
pub(super) fn part_of_exec(driver: &dyn Driver, exec: ExecId, holdings: &Holdings) -> Result<Vec<Retained>> {
    let mut lists = driver.exec_retained(exec)?;
    for retained in &mut lists {
        let Some(Parted { by_place, rest }) = shared(retained).and_then(|list| lock(list).parted.clone()) else {
            continue;
        };
        holdings.merge(&by_place);
        *retained = driver.exec_exchange_retained(exec, retained, rest)?;
    }
    Ok(lists)
}

impl Listed {
    fn is_to_be_parted(&self, is_again: bool) -> bool {
        !self.kept.is_empty() && (is_again || !self.is_rest)
    }
}

/// What nodes keep, if that is what is kept.
pub(super) fn holdings(retained: Retained) -> Option<Arc<Holdings>> {
    let any: Arc<dyn Any + Send + Sync> = retained;
    any.downcast().ok()
}

/// The first that `pick` picks of what is kept, also within child graphs.
pub(super) fn find<T>(retained: &Retained, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
    if let Some(list) = shared(retained) {
        return lock(list).kept.iter().find_map(|kept| find_in(kept, pick));
    }
    holdings(Arc::clone(retained)).and_then(|holdings| holdings.find_any(&|kept| find_in(kept, pick)))
}

/// What `pick` picks of `kept`.
pub(super) fn find_in<T>(kept: &Kept, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
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
    let line = Arc::clone(&lock(list).line);
    // Held, so that a call that lists its objects late finds the list or what has become of it.
    let mut lists = lock(&line.lists);
    let mut listed = lock(list);
    if let Some(parted) = listed.parted.clone().filter(|_| !listed.is_rest) {
        return parted;
    }
    let (mut by_place, mut rest) = (ByPlace::new(), Vec::new());
    for kept in &listed.kept {
        for place in uses.users_of(kept) {
            if by_place.len() <= place {
                by_place.resize_with(place + 1, Kepts::new);
            }
            by_place[place].push(kept.clone());
        }
        if uses.any.may_use(kept) {
            rest.push(kept.clone());
        }
    }
    let rest = line.add(rest, true, &mut lists);
    let parted = Parted { by_place: Arc::new(by_place), rest };
    listed.parted = Some(parted.clone());
    parted
}

/// Which nodes of a graph use what, by their places.
#[derive(Default)]
struct Uses {
    /// Sorted. Of kernels every word that can be an address.
    addresses: Vec<(Address, usize)>,
    kernels: HashMap<KernelId, Vec<usize>>,
    functions: HashMap<usize, Vec<usize>>,
    events: HashMap<EventId, Vec<usize>>,
    /// The kinds of objects of which a node may use any, because the node cannot be read.
    any: Kinds,
}

/// Kinds of objects that are kept.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Kinds {
    memory: bool,
    code: bool,
    functions: bool,
    events: bool,
}

impl Uses {
    fn of(driver: &dyn Driver, graph: GraphId) -> Result<Uses> {
        let mut uses = Uses::default();
        for node in driver.graph_nodes(GraphRef::Known(graph))?.nodes {
            driver.node_work(GraphRef::Known(graph), node, &mut |work| uses.note(node.place(), work))?;
        }
        uses.addresses.sort_unstable();
        uses.addresses.dedup();
        Ok(uses)
    }

    /// Counts what the node in a place uses that does `work`. Runs while the device may hold locks.
    fn note(&mut self, place: usize, work: &Work<'_>) {
        match work {
            Work::Empty | Work::MemAlloc(_) | Work::MemFree(_) => {}
            Work::Kernel(launch) => {
                self.kernels.entry(launch.kernel).or_default().push(place);
                match launch.arguments {
                    Arguments::Separate(arguments) => arguments.iter().for_each(|argument| match argument {
                        Argument::Address(address) => self.addresses.push((*address, place)),
                        Argument::Value(bytes) => self.note_words(place, bytes),
                    }),
                    Arguments::Packed(block) => self.note_words(place, block),
                    Arguments::Unknown => {}
                }
            }
            Work::Memcpy { rows, .. } => {
                self.addresses.extend([rows.row.destination, rows.row.source].map(|address| (address, place)));
            }
            Work::Memset(set) => self.addresses.push((set.address, place)),
            Work::Host(function) => self.functions.entry(identity(function)).or_default().push(place),
            Work::Values(operations) => {
                self.addresses.extend(operations.iter().map(|operation| (operation.address, place)));
            }
            Work::EventRecord(event) | Work::EventWait(event) => self.events.entry(*event).or_default().push(place),
            Work::Child(_) | Work::Conditional(_) | Work::Opaque(_) => {}
        }
        self.any.add(unread(work));
    }

    /// Counts the aligned words among the bytes of arguments. Whether one is an address is a guess, which counts as a
    /// use.
    fn note_words(&mut self, place: usize, bytes: &[u8]) {
        let words = bytes.as_chunks().0.iter();
        self.addresses.extend(words.map(|word| (Address::from_ne_bytes(*word), place)));
    }

    /// The places of the nodes that use `kept`, each once.
    fn users_of(&self, kept: &Kept) -> Vec<usize> {
        let mut places = Vec::new();
        match kept {
            Kept::Buffer(buffer) => self.reach_buffer(buffer, &mut places),
            Kept::Lent(lent) => {
                let (buffer, loan) = &**lent;
                self.reach_buffer(buffer, &mut places);
                self.reach(loan.address, buffer.reach(), &mut places);
            }
            Kept::Module(module) => {
                module.each_kernel(|kernel| places.extend(self.kernels.get(&kernel).into_iter().flatten()))
            }
            Kept::HostFunction(function) => {
                places.extend(self.functions.get(&identity(function)).into_iter().flatten())
            }
            Kept::Event(event) => places.extend(self.events.get(&event.id()).into_iter().flatten()),
            Kept::Snapshot(bytes) => self.reach(bytes.as_ptr().addr() as Address, bytes.len(), &mut places),
            // Captures list none.
            Kept::Graph(_) | Kept::Entrusted(_) => {}
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    fn reach_buffer(&self, buffer: &BufferInner, places: &mut Vec<usize>) {
        buffer.starts().for_each(|start| self.reach(start, buffer.reach(), places));
    }

    /// Adds the places of the nodes that use one of so many addresses from `start` on.
    fn reach(&self, start: Address, count: usize, places: &mut Vec<usize>) {
        let at = self.addresses.partition_point(|&(address, _)| address < start);
        let within = self.addresses[at..].iter().take_while(|(address, _)| address - start < count as u64);
        places.extend(within.map(|&(_, place)| place));
    }
}

impl Kinds {
    const ALL: Kinds = Kinds { memory: true, code: true, functions: true, events: true };
    const NONE: Kinds = Kinds { memory: false, code: false, functions: false, events: false };

    /// Whether a node may use `kept` of which nothing is known but that it uses objects of these kinds.
    fn may_use(self, kept: &Kept) -> bool {
        match kept {
            Kept::Buffer(_) | Kept::Lent(_) | Kept::Snapshot(_) => self.memory,
            Kept::Module(_) => self.code,
            Kept::HostFunction(_) => self.functions,
            Kept::Event(_) => self.events,
            Kept::Graph(_) => self.memory && self.code,
            Kept::Entrusted(_) => false,
        }
    }

    fn add(&mut self, others: Kinds) {
        self.memory |= others.memory;
        self.code |= others.code;
        self.functions |= others.functions;
        self.events |= others.events;
    }
}

/// What a node may use beyond what can be read of it.
fn unread(work: &Work<'_>) -> Kinds {
    match work {
        Work::Kernel(launch) => Kinds {
            code: launch.kernel == KernelId::FOREIGN,
            memory: matches!(launch.arguments, Arguments::Unknown),
            ..Kinds::NONE
        },
        // Others may have added the graphs within.
        Work::Child(_) | Work::Conditional(_) => Kinds::ALL,
        Work::Opaque(kind) => unreadable(*kind),
        _ => Kinds::NONE,
    }
}

/// Whether a node may use what nothing can be read of.
pub(super) fn is_unread(work: &Work<'_>) -> bool {
    unread(work) != Kinds::NONE
}

/// What a node may use that cannot be read.
fn unreadable(kind: NodeKind) -> Kinds {
    match kind {
        NodeKind::Memcpy | NodeKind::Memset | NodeKind::BatchMemOp => Kinds { memory: true, ..Kinds::NONE },
        NodeKind::EventRecord | NodeKind::EventWait => Kinds { events: true, ..Kinds::NONE },
        NodeKind::Empty | NodeKind::MemAlloc | NodeKind::MemFree => Kinds::NONE,
        NodeKind::Kernel | NodeKind::Host | NodeKind::Child | NodeKind::Conditional | NodeKind::Other => Kinds::ALL,
    }
}

/// What tells a function from others that live.
fn identity(function: &HostFunction) -> usize {
    Arc::as_ptr(function).addr()
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
