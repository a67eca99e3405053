//! A graph as plain data, apart from its device: what each node does, with the objects that it uses by their names.
//!
//! What is drawn ([`dot`](super::dot)), written ([`json`](super::json)) and compared ([`diff`](super::diff)) of a graph is told of
//! its picture. The structs of this file are also the format of the JSON text, which docs/graph.schema.json describes: numbers of
//! 64 bits are texts there, since readers in other languages have no such numbers.

mod attributes;
mod facts;
mod parse;
mod read;
mod stated;
mod tables;
mod text;

use serde::{Deserialize, Serialize};

use crate::driver::{EdgeData, Snapshot};

pub(in crate::core) use facts::{edge_label, Fact, Topic, Words};
pub(in crate::core) use read::{read, Held, Source, DEPTH};

/// What the text is of, which it begins with.
pub(in crate::core) const FORMAT: &str = "graphcap graph";

/// The version of the format.
pub(in crate::core) const VERSION: u32 = 1;

/// A graph and the objects that its nodes use.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Picture {
    pub(in crate::core) format: String,
    pub(in crate::core) version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::core) name: Option<String>,
    /// In the order of their first use, as all objects.
    pub(in crate::core) memory: Vec<Memory>,
    pub(in crate::core) kernels: Vec<Kernel>,
    pub(in crate::core) functions: Vec<Named>,
    pub(in crate::core) events: Vec<Named>,
    pub(in crate::core) conditions: Vec<Condition>,
    pub(in crate::core) graph: Graph,
}

/// Memory that nodes use.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Memory {
    /// No other memory of the picture has it.
    pub(in crate::core) name: String,
    pub(in crate::core) kind: MemoryKind,
    /// Its size, where that is known.
    #[serde(default, with = "text::maybe", skip_serializing_if = "Option::is_none")]
    pub(in crate::core) bytes: Option<u64>,
    /// The bytes of a snapshot, two hexadecimal digits for each.
    #[serde(default, with = "text::snapshot", skip_serializing_if = "Option::is_none")]
    pub(in crate::core) data: Option<Snapshot>,
    /// Where it starts in this process.
    #[serde(skip)]
    pub(in crate::core) address: u64,
    /// Whether it was given a name.
    #[serde(skip)]
    pub(in crate::core) is_named: bool,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[serde(rename_all = "snake_case")]
pub(in crate::core) enum MemoryKind {
    /// A buffer.
    Buffer,
    /// A host buffer.
    HostBuffer,
    /// Plain memory of the host.
    Host,
    /// Memory of the device that graphcap has no buffer of.
    Foreign,
    /// An allocation of a node.
    Allocation,
    /// Bytes that the graph keeps.
    Snapshot,
}

impl MemoryKind {
    /// What memory of the kind is called that was given no name, in its place among the memory of a picture.
    pub(in crate::core) fn usual_name(self, index: usize) -> String {
        format!("{} {index}", self.name())
    }

    /// What the kind is called.
    fn name(self) -> &'static str {
        match self {
            MemoryKind::Buffer => "buffer",
            MemoryKind::HostBuffer => "host buffer",
            MemoryKind::Host => "host memory",
            MemoryKind::Foreign => "foreign memory",
            MemoryKind::Allocation => "allocation",
            MemoryKind::Snapshot => "snapshot",
        }
    }
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Kernel {
    /// Empty where the device does not tell it.
    pub(in crate::core) name: String,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Named {
    pub(in crate::core) name: String,
    /// What tells it from other objects of this process. Functions that C gave with one address and user data are alike.
    #[serde(skip)]
    pub(in crate::core) identity: String,
    /// Whether it was given a name.
    #[serde(skip)]
    pub(in crate::core) is_named: bool,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Condition {
    /// The value that each launch begins with; absent for a condition that graphcap did not make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::core) default: Option<u32>,
}

/// Nodes and edges.
#[derive(Serialize, Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Graph {
    /// In the order in which they were made.
    pub(in crate::core) nodes: Vec<Node>,
    /// By the node that waits, and of one node in the order in which they were added, where that order was asked for. Else sorted
    /// by the node that is waited for.
    pub(in crate::core) edges: Vec<Edge>,
    /// The nodes that each node waits for, in the order in which the edges were added, where that was asked for.
    #[serde(skip)]
    pub(in crate::core) dependencies: Vec<Vec<u32>>,
}

/// An edge, by places among the nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::core) struct Edge {
    pub(in crate::core) from: usize,
    pub(in crate::core) to: usize,
    /// A member of the text where it is something.
    pub(in crate::core) carries: EdgeData,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(try_from = "parse::Members")]
pub(in crate::core) struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::core) name: Option<String>,
    /// The stream that recorded it, where a capture did and that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::core) stream: Option<String>,
    #[serde(flatten)]
    pub(in crate::core) work: Work,
    /// Its number in this process.
    #[serde(skip)]
    pub(in crate::core) id: u64,
}

#[derive(Serialize, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(in crate::core) enum Work {
    Empty {},
    Kernel {
        kernel: usize,
        grid: [u32; 3],
        /// The sizes of the grid that each replay reads from memory.
        #[serde(skip_serializing_if = "comes_from_nowhere")]
        grid_from: [Option<Place>; 3],
        block: [u32; 3],
        shared_mem_bytes: u32,
        arguments: Arguments,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        attributes: Vec<Attribute>,
    },
    Memcpy {
        direction: Direction,
        destination: Place,
        source: Place,
        /// Bytes in a row.
        #[serde(serialize_with = "text::serialize")]
        width: u64,
        #[serde(serialize_with = "text::serialize")]
        height: u64,
        #[serde(serialize_with = "text::serialize")]
        depth: u64,
        destination_pitch: Pitch,
        source_pitch: Pitch,
    },
    Memset {
        at: Place,
        value: u32,
        element_size: u8,
        /// Elements in a row.
        #[serde(serialize_with = "text::serialize")]
        width: u64,
        #[serde(serialize_with = "text::serialize")]
        height: u64,
        /// Bytes from row to row; 0 for one row.
        #[serde(serialize_with = "text::serialize")]
        pitch: u64,
    },
    Host {
        function: usize,
    },
    ValueOperations {
        operations: Vec<ValueOperation>,
    },
    EventRecord {
        event: usize,
    },
    EventWait {
        event: usize,
    },
    Child {
        graph: Graph,
    },
    Conditional {
        decides: Decides,
        condition: usize,
        bodies: Vec<Graph>,
    },
    MemAlloc {
        memory: usize,
    },
    MemFree {
        memory: usize,
    },
    /// What graphcap cannot read.
    Opaque {
        of: String,
    },
}

fn comes_from_nowhere(grid_from: &[Option<Place>; 3]) -> bool {
    grid_from.iter().all(Option::is_none)
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(in crate::core) enum Decides {
    If,
    While,
    Switch,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(in crate::core) enum Direction {
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    HostToHost,
    BetweenContexts,
}

/// A byte of memory.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Place {
    pub(in crate::core) memory: usize,
    #[serde(with = "text")]
    pub(in crate::core) offset: u64,
}

/// How far rows are apart.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Pitch {
    /// Bytes from row to row; 0 for one row.
    #[serde(with = "text")]
    pub(in crate::core) bytes: u64,
    /// Rows from slice to slice; 0 for one slice.
    #[serde(with = "text")]
    pub(in crate::core) slice_height: u64,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub(in crate::core) enum Arguments {
    /// One for each parameter.
    Separate(Vec<Argument>),
    /// One block for all.
    Packed(Argument),
    /// The device does not tell them.
    Unknown,
}

/// The bytes of an argument.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Argument {
    /// Two hexadecimal digits for each; 0 where an address is.
    #[serde(with = "text::bytes")]
    pub(in crate::core) bytes: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::core) addresses: Vec<Link>,
    /// What the launch states of the buffer that it points to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::core) access: Option<Stated>,
}

/// What a launch states of the buffer of an argument.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Stated {
    pub(in crate::core) does: Does,
    /// Of which bytes of the buffer; absent for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::core) range: Option<Range>,
}

/// What a kernel does with memory.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(in crate::core) enum Does {
    Read,
    Write,
    ReadWrite,
}

/// Bytes of a buffer.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Range {
    #[serde(with = "text")]
    pub(in crate::core) offset: u64,
    #[serde(with = "text")]
    pub(in crate::core) size: u64,
}

/// A word of an argument that stands for an object.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Link {
    /// Where the 8 bytes start.
    pub(in crate::core) at: usize,
    pub(in crate::core) to: Target,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(in crate::core) enum Target {
    Memory(Place),
    /// The number of a condition of the graph.
    Condition(usize),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct Attribute {
    /// CUDA's number.
    pub(in crate::core) id: u32,
    #[serde(with = "text::bytes")]
    pub(in crate::core) value: Vec<u8>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(in crate::core) struct ValueOperation {
    pub(in crate::core) at: Place,
    /// 32 or 64.
    pub(in crate::core) bits: u8,
    #[serde(with = "text")]
    pub(in crate::core) value: u64,
    pub(in crate::core) action: Action,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::core) enum Action {
    Write { barrier: bool },
    Wait { comparison: Comparison, flush: bool },
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(in crate::core) enum Comparison {
    GreaterOrEqual,
    Equal,
    And,
    Nor,
}
