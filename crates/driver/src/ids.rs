//! Ids of a driver's objects, and those that are the numbers of a table's entries.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use graphcap_base::error::{Error, Result, Status};
use graphcap_base::slots::{Key, Slots};

/// Declares the id types: numbers that mean something to the driver that made them only.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])* #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)] #[repr(transparent)] pub struct $name(pub u64);)*
    };
}

ids! {
    /// A stream. [`StreamId::LEGACY`] and [`StreamId::PER_THREAD`] exist in every context.
    StreamId;
    /// An event.
    EventId;
    /// A range of device memory: an allocation, or memory of the caller's made known to the device. Later ones of a context
    /// have greater numbers.
    MemoryId;
    /// A loaded module.
    ModuleId;
    /// A kernel of a loaded module; dies with it.
    KernelId;
    /// A graph: the definition.
    GraphId;
    /// A graph exec: the executable.
    ExecId;
    /// A condition of a graph: a value that decides about bodies. Kernels get the number as an argument. Dies with its graph.
    ConditionId;
    /// A node of a graph. Dies with its graph; 0 is none.
    NodeId;
    /// A plan of Fourier transforms.
    FftPlanId;
}

impl KernelId {
    /// Stands for a kernel that was not found through graphcap.
    pub const FOREIGN: KernelId = KernelId(0);
}

/// Values by nodes.
pub type NodeMap<T> = HashMap<NodeId, T, BuildHasherDefault<ByPlace>>;

/// Hashes the numbers of nodes. Nodes that were made one behind another come to lie side by side in a table, as they are mostly
/// looked at in that order: in a graph of 100,000 nodes each look at a random place would miss the caches.
#[derive(Default)]
pub struct ByPlace(u64);

impl Hasher for ByPlace {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(self.0 << 8 | u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        // The table takes its buckets from low bits and tells entries apart by the seven highest.
        let product = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = (number ^ number >> 32) & (u64::MAX >> 7) | product & !(u64::MAX >> 7);
    }
}

impl NodeId {
    /// Number of bits of an id that are the node's place, the lower ones.
    pub const PLACE_BITS: u32 = 28;

    /// Tells the node from the other nodes that its graph has: a small number. A node that was removed leaves its place to a later
    /// one. The nodes of a copy of a graph have the places of those that they are copies of.
    pub fn place(self) -> usize {
        (self.0 & ((1 << NodeId::PLACE_BITS) - 1)) as usize
    }
}

/// Values of nodes of one graph. A list, as places are small and nodes mostly come in their order: a look at it costs less than one at a
/// hash table.
#[derive(Debug)]
pub struct NodeValues<T> {
    values: Vec<(NodeId, T)>,
    /// The lowest place.
    first: usize,
}

impl<T> NodeValues<T> {
    /// The values of nodes, each of which comes once.
    pub fn new(mut values: Vec<(NodeId, T)>) -> NodeValues<T> {
        if !values.is_sorted_by_key(|(node, _)| node.place()) {
            values.sort_unstable_by_key(|(node, _)| node.place());
        }
        let first = values.first().map_or(0, |(node, _)| node.place());
        NodeValues { values, first }
    }

    /// The value of a node.
    #[inline]
    pub fn get(&self, node: NodeId) -> Option<&T> {
        let found = match self.values.get(node.place().checked_sub(self.first)?) {
            Some((own, value)) if *own == node => return Some(value),
            // Another node, or a list with gaps.
            _ => self.values.binary_search_by_key(&node.place(), |(node, _)| node.place()).ok()?,
        };
        self.values.get(found).filter(|(own, _)| *own == node).map(|(_, value)| value)
    }

    /// The values, in the order of the nodes' places.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.values.iter().map(|(_, value)| value)
    }
}

impl StreamId {
    /// The number that traces know the stream by: one of no other stream that is there; 0 for default streams.
    pub fn in_trace(self) -> u32 {
        match self {
            StreamId::LEGACY | StreamId::PER_THREAD => 0,
            // Of the index and the generation of a slot.
            StreamId(id) => (id ^ (id >> 12)) as u32 | 1 << 31,
        }
    }

    /// The legacy default stream, which orders against all blocking streams. CUDA's number for it.
    pub const LEGACY: StreamId = StreamId(1);
    /// The default stream of whichever thread makes the call. CUDA's number for it.
    pub const PER_THREAD: StreamId = StreamId(2);
    /// Among the users of something: streams that nobody remembers. How far their work is is known when somebody has waited
    /// for the whole context.
    pub const UNKNOWN: StreamId = StreamId(u64::MAX - 1);
    /// Number of contexts that a kind of device can tell apart.
    const CONTEXTS: u64 = 1 << 30;

    /// Returns what the stream of context number `context` is called where streams of several contexts meet: among the users of what
    /// graphs keep. Each context has default streams; all other streams have ids that no other stream of the process has.
    #[inline]
    pub fn in_context(self, context: u64) -> StreamId {
        match self {
            StreamId::LEGACY | StreamId::PER_THREAD => StreamId(context << 2 | self.0),
            other => other,
        }
    }

    /// The number of the context and the id there, for a default stream; of one that names no context the number is 0, which
    /// none has.
    #[inline]
    pub fn default_of(self) -> Option<(u64, StreamId)> {
        (self.0 >> 32 == 0).then_some((self.0 >> 2, StreamId(self.0 & 3)))
    }
}

/// The number of a context that is about to be made; `last` counts those of its kind.
pub fn number_context(last: &AtomicU64) -> Result<u64> {
    let number = last.fetch_add(1, Ordering::Relaxed) + 1;
    match number < StreamId::CONTEXTS {
        true => Ok(number),
        false => Err(Error::new(
            Status::OUT_OF_MEMORY,
            "this process has made as many contexts as can be numbered; use one for long, or start another process",
        )),
    }
}

/// Ids start above the numbers of the special streams, because generations start at 1.
fn id_of(key: Key) -> u64 {
    u64::from(key.generation) << 32 | u64::from(key.index)
}

/// Place of an id's object in its table.
pub fn key_of(id: u64) -> Key {
    Key { index: id as u32, generation: (id >> 32) as u32 }
}

/// Enters an object and gives its id; `what` names the objects of the table.
pub fn enter<T>(table: &Slots<T>, value: T, what: &str) -> Result<u64> {
    let full = || Error::new(Status::OUT_OF_MEMORY, format!("there are too many {what} at a time; destroy some"));
    table.insert(value).map(id_of).ok_or_else(full)
}

/// Returns what an id that leads nowhere answers.
#[cold]
pub fn no_such(what: &str) -> Error {
    Error::new(Status::INVALID_HANDLE, format!("there is no such {what} in this context"))
}

/// Returns what a graph answers that a capture went into which failed.
#[cold]
pub fn lost_graph() -> Error {
    Error::invalid_value(
        "a capture into this graph failed, which is the end of the graph: the driver destroys it with the capture; destroy the \
         handle and make another graph",
    )
}

/// Returns what the id of a node answers that is none of the graph's.
#[cold]
pub fn not_of_graph(NodeId(id): NodeId) -> Error {
    Error::invalid_value(format!(
        "{id:#x} is no node of the graph; take nodes of gc_stream_capture_frontier() or gc_graph_get_nodes()"
    ))
}

/// Returns what a node answers that is asked for what it allocates, and is of the kind `kind`.
#[cold]
pub fn not_an_allocation(kind: impl fmt::Display) -> Error {
    Error::invalid_value(format!("the node is of the kind {kind}, and allocates nothing; allocation nodes do"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_streams_are_told_apart_by_their_contexts() {
        let special = [StreamId::LEGACY, StreamId::PER_THREAD];
        for stream in special {
            assert_eq!(stream.default_of(), Some((0, stream)));
            for context in [1, 2, StreamId::CONTEXTS - 1] {
                assert_eq!(stream.in_context(context).default_of(), Some((context, stream)));
            }
        }
        // Of the host device, of CUDA, and of nobody.
        for other in [StreamId(1 << 32), StreamId(u64::MAX >> 1), StreamId::UNKNOWN] {
            assert_eq!((other.in_context(7), other.default_of()), (other, None));
        }
    }

    #[test]
    fn values_of_nodes_are_found_also_behind_gaps() {
        let node = |stamp: u64, place: u64| NodeId(stamp << NodeId::PLACE_BITS | place);
        let nodes = [node(7, 5), node(1, 0), node(3, 1), node(2, 9)];
        let values = NodeValues::new(nodes.into_iter().zip(0..).collect());
        assert_eq!(nodes.map(|node| values.get(node).copied()), [Some(0), Some(1), Some(2), Some(3)]);
        for none in [node(1, 1), node(6, 5), node(7, 2), node(2, 10), node(1, 3)] {
            assert_eq!(values.get(none), None);
        }
        assert!(values.values().eq([&1, &2, &0, &3]));
        let behind = NodeValues::new(vec![(node(4, 6), 'a'), (node(4, 7), 'b')]);
        assert_eq!([5, 6, 7, 8].map(|place| behind.get(node(4, place)).copied()), [None, Some('a'), Some('b'), None]);
        assert_eq!(NodeValues::<()>::new(Vec::new()).get(node(1, 0)), None);
    }

    #[test]
    fn contexts_are_numbered_from_1_as_long_as_there_are_numbers() {
        let last = AtomicU64::new(0);
        assert_eq!(number_context(&last), Ok(1));
        last.store(StreamId::CONTEXTS - 2, Ordering::Relaxed);
        assert_eq!(number_context(&last), Ok(StreamId::CONTEXTS - 1));
        assert_eq!(number_context(&last).unwrap_err().status, Status::OUT_OF_MEMORY);
    }
}
