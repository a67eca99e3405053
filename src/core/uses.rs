//! What the nodes of a graph can use, which is read from the nodes themselves. What cannot be attributed counts as used: a
//! node that cannot be read may use everything that its kind allows.

use std::collections::HashSet;
use std::sync::Arc;

use crate::driver::{
    Address, Argument, Arguments, Driver, EventId, GraphId, GraphRef, HostFunction, KernelId, NodeKind, Work,
};
use crate::error::Result;

/// What the nodes of a graph can use.
#[derive(Default)]
pub(super) struct Uses {
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
    /// What the nodes of `graph` can use.
    ///
    /// # Errors
    /// As [`Graphs::node_work`](crate::driver::Graphs::node_work).
    pub(super) fn of(driver: &dyn Driver, graph: GraphId) -> Result<Uses> {
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
            Work::Opaque(kind) => self.any.add(unreadable(*kind)),
        }
    }

    /// Counts the aligned words among the bytes of arguments. Whether one is an address is a guess, which counts as a
    /// use.
    fn note_words(&mut self, bytes: &[u8]) {
        self.addresses.extend(bytes.as_chunks().0.iter().map(|word| Address::from_ne_bytes(*word)));
    }

    /// Whether a node can use memory by one of `count` addresses from `start` on.
    pub(super) fn memory(&self, start: Address, count: usize) -> bool {
        let at = self.addresses.partition_point(|&address| address < start);
        self.any.memory || self.addresses.get(at).is_some_and(|address| address - start < count as u64)
    }

    /// Whether a node can use code of which `gave` tells whether one of these kernels was found in it.
    pub(super) fn code(&self, gave: impl FnOnce(&HashSet<KernelId>) -> bool) -> bool {
        self.any.code || gave(&self.kernels)
    }

    /// Whether a node can call `function`.
    pub(super) fn function(&self, function: &HostFunction) -> bool {
        self.any.functions || self.functions.contains(&place(function))
    }

    /// Whether a node can record `event` or wait for it.
    pub(super) fn event(&self, event: EventId) -> bool {
        self.any.events || self.events.contains(&event)
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
