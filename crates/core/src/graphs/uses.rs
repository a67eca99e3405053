//! Uses of the nodes of a graph, which are read from the nodes themselves. A node that cannot be read may use everything that
//! its kind allows.

use std::collections::HashMap;
use std::sync::Arc;

use graphcap_base::error::Result;
use graphcap_driver::{Address, Arguments, Driver, EventId, GraphId, GraphRef, HostFunction, KernelId, NodeKind, Work};

/// Uses of the nodes of a graph, by their places.
#[derive(Default)]
pub(crate) struct Uses {
    /// Sorted. Of kernels every word that can be an address.
    addresses: Vec<(Address, usize)>,
    kernels: HashMap<KernelId, Vec<usize>>,
    functions: HashMap<usize, Vec<usize>>,
    events: HashMap<EventId, Vec<usize>>,
    /// The kinds of objects of which a node may use any, because the node cannot be read.
    unread: Kinds,
}

/// A kind of objects that nodes use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Memory,
    Code,
    Function,
    Event,
    /// Contexts and pools, which no node names.
    Context,
}

/// Kinds of objects, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Kinds(u8);

impl Uses {
    /// Returns what the nodes of `graph` use.
    ///
    /// # Errors
    /// As [`Graphs::node_work`](graphcap_driver::Graphs::node_work).
    pub(crate) fn of(driver: &dyn Driver, graph: GraphId) -> Result<Uses> {
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
        work.each_address(&mut |address| self.addresses.push((address, place)));
        match work {
            Work::Kernel(launch) => self.kernels.entry(launch.kernel).or_default().push(place),
            Work::Host(function) => self.functions.entry(identity(function)).or_default().push(place),
            Work::EventRecord(event) | Work::EventWait(event) => self.events.entry(*event).or_default().push(place),
            _ => {}
        }
        self.unread.add(unread(work));
    }

    /// Adds the places of the nodes that use memory by one of `count` addresses from `start` on.
    pub(crate) fn memory(&self, start: Address, count: usize, places: &mut Vec<usize>) {
        let at = self.addresses.partition_point(|&(address, _)| address < start);
        let within = self.addresses.iter().skip(at).take_while(|(address, _)| address - start < count as u64);
        places.extend(within.map(|&(_, place)| place));
    }

    /// Adds the places of the nodes that launch `kernel`.
    pub(crate) fn kernel(&self, kernel: KernelId, places: &mut Vec<usize>) {
        places.extend(self.kernels.get(&kernel).into_iter().flatten());
    }

    /// Adds the places of the nodes that call `function`.
    pub(crate) fn function(&self, function: &HostFunction, places: &mut Vec<usize>) {
        places.extend(self.functions.get(&identity(function)).into_iter().flatten());
    }

    /// Adds the places of the nodes that record `event` or wait for it.
    pub(crate) fn event(&self, event: EventId, places: &mut Vec<usize>) {
        places.extend(self.events.get(&event).into_iter().flatten());
    }

    /// Returns whether a node may use any object of a kind, because that cannot be read of the node.
    pub(crate) fn are_unread(&self, kind: Kind) -> bool {
        kind == Kind::Context || self.unread.has(kind)
    }
}

impl Kinds {
    const NONE: Kinds = Kinds(0);
    const ALL: Kinds = Kinds(0b1111);

    fn of(kind: Kind) -> Kinds {
        Kinds(1 << kind as u8)
    }

    fn has(self, kind: Kind) -> bool {
        self.0 & Kinds::of(kind).0 != 0
    }

    fn add(&mut self, others: Kinds) {
        self.0 |= others.0;
    }

    fn when(self, is_so: bool) -> Kinds {
        if is_so {
            self
        } else {
            Kinds::NONE
        }
    }
}

/// Returns whether a node that does `work` may use what cannot be read of it.
pub(crate) fn is_unread(work: &Work<'_>) -> bool {
    unread(work) != Kinds::NONE
}

/// Returns what a node may use beyond what can be read of it.
fn unread(work: &Work<'_>) -> Kinds {
    match work {
        Work::Kernel(launch) => {
            let mut kinds = Kinds::of(Kind::Code).when(launch.kernel == KernelId::FOREIGN);
            kinds.add(Kinds::of(Kind::Memory).when(matches!(launch.arguments, Arguments::Unknown)));
            kinds
        }
        // Others may have added what is within.
        Work::Child(_) | Work::Conditional(_) => Kinds::ALL,
        Work::Opaque(kind) => unreadable(*kind),
        _ => Kinds::NONE,
    }
}

/// Returns what a node may use of which only the kind is known.
fn unreadable(kind: NodeKind) -> Kinds {
    match kind {
        NodeKind::Memcpy | NodeKind::Memset | NodeKind::BatchMemOp => Kinds::of(Kind::Memory),
        NodeKind::EventRecord | NodeKind::EventWait => Kinds::of(Kind::Event),
        NodeKind::Empty | NodeKind::MemAlloc | NodeKind::MemFree => Kinds::NONE,
        NodeKind::Kernel | NodeKind::Host | NodeKind::Child | NodeKind::Conditional | NodeKind::Other => Kinds::ALL,
    }
}

/// Returns what tells a function from others that live.
fn identity(function: &HostFunction) -> usize {
    Arc::as_ptr(function).addr()
}
