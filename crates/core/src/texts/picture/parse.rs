//! Nodes and edges of a picture, as they are written to a JSON text and read from one.
//!
//! A node is read into all members that a node can have, and its work is made of those that its kind has. Nothing of the text is
//! kept aside meanwhile, so that reading takes memory in proportion to the text, however deep graphs lie within each other.

use serde::{Deserialize, Deserializer, Serialize};

use super::{Arguments, Attribute, Edge, GraphPicture, MemoryRef, NodePicture, ValueOperation, WorkPicture};
use crate::json_numbers;
use crate::operations::copy::{CopyOf, Pitch};
use graphcap_driver::{ConditionalKind, EdgeData, MemcpyKind, NodeKind};

/// Declares the members of nodes, of which those that are told here are of some kinds.
macro_rules! members {
    ($($(#[$attribute:meta])* $member:ident: $type:ty,)*) => {
        /// The members of nodes of all kinds. Those that two kinds have are of one type.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct Members {
            kind: NodeKind,
            name: Option<String>,
            stream: Option<String>,
            $($(#[$attribute])* $member: Option<$type>,)*
        }

        impl Members {
            /// # Errors
            /// The first member of another kind of node that is left.
            fn check_rest(&self) -> Result<(), String> {
                $(if self.$member.is_some() {
                    return Err(format!("unknown field `{}` of a node of this kind", stringify!($member)));
                })*
                Ok(())
            }
        }
    };
}

members! {
    kernel: usize,
    grid: [u32; 3],
    grid_from: [Option<MemoryRef>; 3],
    block: [u32; 3],
    shared_mem_bytes: u32,
    arguments: Arguments,
    attributes: Vec<Attribute>,
    direction: MemcpyKind,
    destination: MemoryRef,
    source: MemoryRef,
    #[serde(default, with = "json_numbers::maybe")]
    width: usize,
    #[serde(default, with = "json_numbers::maybe")]
    height: usize,
    #[serde(default, with = "json_numbers::maybe")]
    depth: usize,
    destination_pitch: Pitch,
    source_pitch: Pitch,
    at: MemoryRef,
    value: u32,
    element_size: u8,
    #[serde(default, with = "json_numbers::maybe")]
    pitch: usize,
    function: usize,
    operations: Vec<ValueOperation>,
    event: usize,
    graph: GraphPicture,
    decides: ConditionalKind,
    condition: usize,
    bodies: Vec<GraphPicture>,
    memory: usize,
    of: String,
}

fn lacks(member: &str) -> String {
    format!("missing field `{member}` of a node")
}

/// Makes what has the members that are named of those in `$members`.
macro_rules! made {
    ($members:ident, $($made:ident)::+ { $($member:ident),* } $(, $default:ident)*) => {
        $($made)::+ {
            $($member: $members.$member.take().ok_or_else(|| lacks(stringify!($member)))?,)*
            $($default: $members.$default.take().unwrap_or_default(),)*
        }
    };
}

impl TryFrom<Members> for NodePicture {
    type Error = String;

    fn try_from(mut members: Members) -> Result<NodePicture, String> {
        let work = match members.kind {
            NodeKind::Empty => WorkPicture::Empty {},
            NodeKind::Kernel => {
                made!(
                    members,
                    WorkPicture::Kernel { kernel, grid, block, shared_mem_bytes, arguments },
                    attributes,
                    grid_from
                )
            }
            NodeKind::Memcpy => WorkPicture::Memcpy {
                direction: members.direction.take().ok_or_else(|| lacks("direction"))?,
                copy: made!(
                    members,
                    CopyOf { destination, source, width, height, depth, destination_pitch, source_pitch }
                ),
            },
            NodeKind::Memset => made!(members, WorkPicture::Memset { at, value, element_size, width, height, pitch }),
            NodeKind::Host => made!(members, WorkPicture::Host { function }),
            NodeKind::BatchMemOp => made!(members, WorkPicture::ValueOperations { operations }),
            NodeKind::EventRecord => made!(members, WorkPicture::EventRecord { event }),
            NodeKind::EventWait => made!(members, WorkPicture::EventWait { event }),
            NodeKind::Child => made!(members, WorkPicture::Child { graph }),
            NodeKind::Conditional => made!(members, WorkPicture::Conditional { decides, condition, bodies }),
            NodeKind::MemAlloc => made!(members, WorkPicture::MemAlloc { memory }),
            NodeKind::MemFree => made!(members, WorkPicture::MemFree { memory }),
            NodeKind::Other => made!(members, WorkPicture::Opaque { of }),
        };
        members.check_rest()?;
        Ok(NodePicture { name: members.name, stream: members.stream, work, id: 0 })
    }
}

/// An edge as its text has it: the places of its nodes, and what it carries where that is something.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "the two nodes of an edge, and what it carries")]
pub(super) struct EdgeText(
    usize,
    usize,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some")] Option<EdgeData>,
);

/// Reads data that are there.
fn some<'a, D: Deserializer<'a>>(from: D) -> Result<Option<EdgeData>, D::Error> {
    EdgeData::deserialize(from).map(Some)
}

impl From<Edge> for EdgeText {
    fn from(Edge { from, to, carries }: Edge) -> EdgeText {
        EdgeText(from, to, (!carries.is_none()).then_some(carries))
    }
}

impl From<EdgeText> for Edge {
    fn from(EdgeText(from, to, carries): EdgeText) -> Edge {
        Edge { from, to, carries: carries.unwrap_or(EdgeData::NONE) }
    }
}
