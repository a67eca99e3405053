//! What graphs keep, and what a graph lets go of when a node is removed.
//!
//! A capture lists each object that it uses once ([`Kept`]), whichever nodes use it. Its graph and the execs made from it
//! hold that list together. An edit never changes a list that is held so: it gives the graph another list, without what no
//! remaining node can use, and the execs that were made before keep the list that they have. All lists that come from one
//! capture are a [`Line`], which a call finds that lists its objects late.
//!
//! Which objects a node can use is read from the node itself. What cannot be attributed stays: a node that cannot be read
//! may use everything that its kind allows.

use std::any::Any;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, Weak};

use smallvec::SmallVec;

use super::buffer::BufferInner;
use super::lock;
use super::operands::Kept;
use crate::driver::{
    Address, Argument, Arguments, Driver, EventId, GraphId, GraphRef, HostFunction, KernelId, NodeKind, Retain,
    Retained, Snapshot, StreamId, UsedBy, Work,
};
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

    fn to_be_held_apart(self: Arc<Self>) -> Retained {
        self
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
        let used: Vec<Kept> = listed.kept.iter().filter(|kept| uses.may_be_of(kept)).cloned().collect();
        (used.len() < listed.kept.len()).then_some(used)
    }?;
    Some(line.add(kept, &mut lists))
}

/// What the nodes of a graph can use.
#[derive(Default)]
struct Uses {
    /// Sorted. Of kernels every word that can be an address.
    addresses: Vec<Address>,
    kernels: HashSet<KernelId>,
    functions: HashSet<usize>,
    events: HashSet<EventId>,
    /// The kinds of objects of which a node may use any, because the node cannot be read.
    any: Kinds,
}

/// Kinds of objects that are kept.
#[derive(Clone, Copy, Default)]
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
            driver.node_work(GraphRef::Known(graph), node, &mut |work| uses.note(work))?;
        }
        uses.addresses.sort_unstable();
        uses.addresses.dedup();
        Ok(uses)
    }

    /// Counts what a node uses that does `work`. Runs while the device may hold locks.
    fn note(&mut self, work: &Work<'_>) {
        match work {
            Work::Empty => {}
            Work::Kernel(launch) => {
                if launch.kernel == KernelId::FOREIGN {
                    self.any.code = true;
                } else {
                    self.kernels.insert(launch.kernel);
                }
                match launch.arguments {
                    Arguments::Separate(arguments) => arguments.iter().for_each(|argument| match argument {
                        Argument::Address(address) => self.addresses.push(*address),
                        Argument::Value(bytes) => self.note_words(bytes),
                    }),
                    Arguments::Packed(block) => self.note_words(block),
                    Arguments::Unknown => self.any.memory = true,
                }
            }
            Work::Memcpy { rows, .. } => self.addresses.extend([rows.row.destination, rows.row.source]),
            Work::Memset(set) => self.addresses.push(set.address),
            Work::Host(function) => drop(self.functions.insert(place(function))),
            Work::Values(operations) => self.addresses.extend(operations.iter().map(|operation| operation.address)),
            Work::EventRecord(event) | Work::EventWait(event) => drop(self.events.insert(*event)),
            Work::MemAlloc(_) | Work::MemFree(_) => {}
            Work::Child(_) => self.any.add(unreadable(NodeKind::Child)),
            Work::Conditional(_) => self.any.add(unreadable(NodeKind::Conditional)),
            Work::Opaque(kind) => self.any.add(unreadable(*kind)),
        }
    }

    /// Counts the aligned words among the bytes of arguments. Whether one is an address is a guess, which counts as a
    /// use.
    fn note_words(&mut self, bytes: &[u8]) {
        self.addresses.extend(bytes.as_chunks().0.iter().map(|word| Address::from_ne_bytes(*word)));
    }

    /// Whether a node can use `kept`.
    fn may_be_of(&self, kept: &Kept) -> bool {
        match kept {
            Kept::Buffer(buffer) => self.any.memory || self.reach_buffer(buffer),
            Kept::Lent(lent) => {
                let (buffer, loan) = &**lent;
                self.any.memory || self.reach_buffer(buffer) || self.reach(loan.address, buffer.reach())
            }
            Kept::Module(module) => self.any.code || module.gave_any_of(&self.kernels),
            Kept::HostFunction(function) => self.any.functions || self.functions.contains(&place(function)),
            Kept::Event(event) => self.any.events || self.events.contains(&event.id()),
            Kept::Snapshot(bytes) => self.any.memory || self.reach(bytes.as_ptr().addr() as Address, bytes.len()),
        }
    }

    fn reach_buffer(&self, buffer: &BufferInner) -> bool {
        buffer.starts().any(|start| self.reach(start, buffer.reach()))
    }

    /// Whether one of the addresses is among so many from `start` on.
    fn reach(&self, start: Address, count: usize) -> bool {
        let at = self.addresses.partition_point(|&address| address < start);
        self.addresses.get(at).is_some_and(|address| address - start < count as u64)
    }
}

impl Kinds {
    const ALL: Kinds = Kinds { memory: true, code: true, functions: true, events: true };
    const NONE: Kinds = Kinds { memory: false, code: false, functions: false, events: false };

    fn add(&mut self, others: Kinds) {
        self.memory |= others.memory;
        self.code |= others.code;
        self.functions |= others.functions;
        self.events |= others.events;
    }
}

/// What a node may use that cannot be read.
fn unreadable(kind: NodeKind) -> Kinds {
    match kind {
        NodeKind::Memcpy | NodeKind::Memset | NodeKind::BatchMemOp => Kinds { memory: true, ..Kinds::NONE },
        NodeKind::EventRecord | NodeKind::EventWait => Kinds { events: true, ..Kinds::NONE },
        NodeKind::Empty => Kinds::NONE,
        NodeKind::Kernel
        | NodeKind::Host
        | NodeKind::Child
        | NodeKind::MemAlloc
        | NodeKind::MemFree
        | NodeKind::Conditional
        | NodeKind::Other => Kinds::ALL,
    }
}

/// What tells a function from others that live.
fn place(function: &HostFunction) -> usize {
    Arc::as_ptr(function).addr()
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
