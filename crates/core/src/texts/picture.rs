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

use serde::{Deserialize, Serialize};

use crate::json_numbers;
use crate::objects::access::BufferAccess;
use crate::operations::copy::CopyOf;
use graphcap_driver::{ConditionalKind, EdgeData, MemcpyKind, Snapshot, ValueAction};

pub(crate) use facts::{edge_label, Fact};
pub(crate) use read::{read, HeldObjects, PictureSource, DEPTH};

/// Name of the format, which a text begins with.
pub(crate) const FORMAT: &str = "graphcap graph";

/// The version of the format.
pub(crate) const VERSION: u32 = 1;

/// A graph and the objects that its nodes use.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Picture {
    pub(crate) format: String,
    pub(crate) version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// In the order of their first use, as all objects.
    pub(crate) memory: Vec<MemoryEntry>,
    pub(crate) kernels: Vec<KernelEntry>,
    pub(crate) functions: Vec<NamedEntry>,
    pub(crate) events: Vec<NamedEntry>,
    pub(crate) conditions: Vec<ConditionEntry>,
    pub(crate) graph: GraphPicture,
}

/// Memory that nodes use.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryEntry {
    /// No other memory of the picture has it.
    pub(crate) name: String,
    pub(crate) kind: MemoryKind,
    /// Its size, where that is known.
    #[serde(default, with = "json_numbers::maybe", skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<usize>,
    /// The bytes of a snapshot, two hexadecimal digits for each.
    #[serde(default, with = "json_numbers::snapshot", skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Snapshot>,
    /// Tells whether the library's products of a stream use it one after another.
    #[serde(default, rename = "workspace", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_workspace: bool,
    /// Its address in this process.
    #[serde(skip)]
    pub(crate) address: u64,
    /// Tells whether it was given a name.
    #[serde(skip)]
    pub(crate) is_named: bool,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MemoryKind {
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
    /// Returns what memory of the kind is called that was given no name, in its place among the memory of a picture.
    pub(crate) fn usual_name(self, index: usize) -> String {
        format!("{} {index}", self.name())
    }

    /// Returns what the kind is called.
    pub(crate) fn name(self) -> &'static str {
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
pub(crate) struct KernelEntry {
    /// Empty where the device does not tell it.
    pub(crate) name: String,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedEntry {
    pub(crate) name: String,
    /// Text that tells it from other objects of this process. Functions that C gave with one address and user data are alike.
    #[serde(skip)]
    pub(crate) identity: String,
    /// Tells whether it was given a name.
    #[serde(skip)]
    pub(crate) is_named: bool,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConditionEntry {
    /// The value that each launch begins with; absent for a condition that graphcap did not make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<u32>,
}

/// Nodes and edges.
#[derive(Serialize, Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphPicture {
    /// In the order in which they were made.
    pub(crate) nodes: Vec<NodePicture>,
    /// By the node that waits, and of one node in the order in which they were added, where that order was asked for. Else sorted
    /// by the node that is waited for.
    pub(crate) edges: Vec<Edge>,
    /// The nodes that each node waits for, in the order in which the edges were added, where that was asked for.
    #[serde(skip)]
    pub(crate) dependencies: Vec<Vec<u32>>,
}

/// An edge, by places among the nodes.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(from = "parse::EdgeText", into = "parse::EdgeText")]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// A member of the text where it is something.
    pub(crate) carries: EdgeData,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(try_from = "parse::Members")]
pub(crate) struct NodePicture {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The stream that recorded it, where a capture did and that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stream: Option<String>,
    #[serde(flatten)]
    pub(crate) work: WorkPicture,
    /// Its number in this process.
    #[serde(skip)]
    pub(crate) id: u64,
}

#[derive(Serialize, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum WorkPicture {
    Empty {},
    Kernel {
        kernel: usize,
        grid: [u32; 3],
        /// The sizes of the grid that each replay reads from memory.
        #[serde(skip_serializing_if = "comes_from_nowhere")]
        grid_from: [Option<MemoryRef>; 3],
        block: [u32; 3],
        shared_mem_bytes: u32,
        arguments: Arguments,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        attributes: Vec<Attribute>,
    },
    Memcpy {
        direction: MemcpyKind,
        #[serde(flatten)]
        copy: CopyOf<MemoryRef>,
    },
    Memset {
        at: MemoryRef,
        value: u32,
        element_size: u8,
        /// Elements in a row.
        #[serde(serialize_with = "json_numbers::serialize")]
        width: usize,
        #[serde(serialize_with = "json_numbers::serialize")]
        height: usize,
        /// Bytes from row to row; 0 for one row.
        #[serde(serialize_with = "json_numbers::serialize")]
        pitch: usize,
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
        graph: GraphPicture,
    },
    Conditional {
        decides: ConditionalKind,
        condition: usize,
        bodies: Vec<GraphPicture>,
    },
    MemAlloc {
        memory: usize,
    },
    MemFree {
        memory: usize,
    },
    /// Work that graphcap cannot read.
    Opaque {
        of: String,
    },
}

fn comes_from_nowhere(grid_from: &[Option<MemoryRef>; 3]) -> bool {
    grid_from.iter().all(Option::is_none)
}

/// A byte of memory.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryRef {
    pub(crate) memory: usize,
    #[serde(with = "json_numbers")]
    pub(crate) offset: usize,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Arguments {
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
pub(crate) struct Argument {
    /// Two hexadecimal digits for each; 0 where an address is.
    #[serde(with = "json_numbers::bytes")]
    pub(crate) bytes: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) addresses: Vec<Link>,
    /// Statement of the launch about the buffer that it points to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) access: Option<BufferAccess>,
}

/// A word of an argument that stands for an object.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Link {
    /// Start of the 8 bytes.
    pub(crate) at: usize,
    pub(crate) to: LinkTarget,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LinkTarget {
    Memory(MemoryRef),
    /// The number of a condition of the graph.
    Condition(usize),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Attribute {
    /// CUDA's number.
    pub(crate) id: u32,
    #[serde(with = "json_numbers::bytes")]
    pub(crate) value: Vec<u8>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct ValueOperation {
    pub(crate) at: MemoryRef,
    /// 32 or 64.
    pub(crate) bits: u8,
    #[serde(with = "json_numbers")]
    pub(crate) value: u64,
    pub(crate) action: ValueAction,
}
