//! A graph as plain data, apart from its device: what each node does, with the objects that it uses by their names.
//!
//! What is drawn ([`dot`](super::dot)), written ([`json`](super::json)) and compared ([`diff`](super::diff)) of a graph is told of
//! its picture. The structs of this file are also the format of the JSON text, which docs/graph.schema.json describes: numbers of
//! 64 bits are texts there, since readers in other languages have no such numbers.

mod facts;
mod parse;
mod read;
mod tables;
mod text;

use serde::{Deserialize, Serialize};

use crate::driver::{EdgeData, Snapshot};

pub(super) use facts::{edge_label, Fact, Topic, Words};
pub(super) use read::{read, Held, See, Source, DEPTH};

/// What the text is of, which it begins with.
pub(super) const FORMAT: &str = "graphcap graph";

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// A graph and the objects that its nodes use.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Picture {
    pub(super) format: String,
    pub(super) version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// In the order of their first use, as all objects.
    pub(super) memory: Vec<Memory>,
    pub(super) kernels: Vec<Kernel>,
    pub(super) functions: Vec<Named>,
    pub(super) events: Vec<Named>,
    pub(super) conditions: Vec<Condition>,
    pub(super) graph: Graph,
}

/// Memory that nodes use.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Memory {
    /// No other memory of the picture has it.
    pub(super) name: String,
    pub(super) kind: MemoryKind,
    /// Its size, where that is known.
    #[serde(default, with = "text::maybe", skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<u64>,
    /// The bytes of a snapshot, two hexadecimal digits for each.
    #[serde(default, with = "text::snapshot", skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<Snapshot>,
    /// Where it starts in this process.
    #[serde(skip)]
    pub(super) address: u64,
    /// Whether it was given a name.
    #[serde(skip)]
    pub(super) is_named: bool,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum MemoryKind {
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
    /// What memory of the kind is called that was given no name.
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
pub(super) struct Kernel {
    /// Empty where the device does not tell it.
    pub(super) name: String,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub(super) name: String,
    /// What tells it from other objects of this process.
    #[serde(skip)]
    pub(super) identity: u64,
    /// Whether it was given a name.
    #[serde(skip)]
    pub(super) is_named: bool,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Condition {
    /// What each launch begins with; absent where the value stays from launch to launch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<u32>,
}

/// Nodes and edges.
#[derive(Serialize, Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Graph {
    /// In the order in which they were made.
    pub(super) nodes: Vec<Node>,
    /// Sorted.
    pub(super) edges: Vec<Edge>,
}

/// An edge, by places among the nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// A member of the text where it is something.
    pub(super) carries: EdgeData,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(try_from = "parse::Members")]
pub(super) struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(flatten)]
    pub(super) work: Work,
    /// Its number in this process.
    #[serde(skip)]
    pub(super) id: u64,
}

#[derive(Serialize, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Work {
    Empty {},
    Kernel {
        kernel: usize,
        grid: [u32; 3],
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

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum Decides {
    If,
    While,
    Switch,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum Direction {
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    HostToHost,
    BetweenContexts,
}

/// A byte of memory.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    pub(super) memory: usize,
    #[serde(with = "text")]
    pub(super) offset: u64,
}

/// How far rows are apart.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Pitch {
    /// Bytes from row to row; 0 for one row.
    #[serde(with = "text")]
    pub(super) bytes: u64,
    /// Rows from slice to slice; 0 for one slice.
    #[serde(with = "text")]
    pub(super) slice_height: u64,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum Arguments {
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
pub(super) struct Argument {
    /// Two hexadecimal digits for each; 0 where an address is.
    #[serde(with = "text::bytes")]
    pub(super) bytes: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) addresses: Vec<Link>,
}

/// A word of an argument that stands for an object.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Link {
    /// Where the 8 bytes start.
    pub(super) at: usize,
    pub(super) to: Target,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum Target {
    Memory(Place),
    /// The number of a condition of the graph.
    Condition(usize),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Attribute {
    /// CUDA's number.
    pub(super) id: u32,
    #[serde(with = "text::bytes")]
    pub(super) value: Vec<u8>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct ValueOperation {
    pub(super) at: Place,
    /// 32 or 64.
    pub(super) bits: u8,
    #[serde(with = "text")]
    pub(super) value: u64,
    pub(super) action: Action,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Action {
    Write { barrier: bool },
    Wait { comparison: Comparison, flush: bool },
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum Comparison {
    GreaterOrEqual,
    Equal,
    And,
    Nor,
}
