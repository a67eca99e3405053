//! Nodes and edges of a picture, as they are written to a JSON text and read from one.
//!
//! A node is read into all members that a node can have, and its work is made of those that its kind has. Nothing of the text is
//! kept aside meanwhile, so that reading takes memory in proportion to the text, however deep graphs lie within each other.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Arguments, Attribute, Edge, GraphPicture, MemoryRef, NodePicture, ValueOperation, WorkPicture};
use crate::json_numbers;
use crate::operations::copy::{CopyOf, Pitch};
use graphcap_driver::{ConditionalKind, EdgeData, MemcpyKind, NodeKind};

/// The members of nodes of all kinds. Those that two kinds have are of one type.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    kind: NodeKind,
    name: Option<String>,
    stream: Option<String>,
    kernel: Option<usize>,
    grid: Option<[u32; 3]>,
    grid_from: Option<[Option<MemoryRef>; 3]>,
    block: Option<[u32; 3]>,
    shared_mem_bytes: Option<u32>,
    arguments: Option<Arguments>,
    attributes: Option<Vec<Attribute>>,
    direction: Option<MemcpyKind>,
    destination: Option<MemoryRef>,
    source: Option<MemoryRef>,
    #[serde(default, with = "json_numbers::maybe")]
    width: Option<usize>,
    #[serde(default, with = "json_numbers::maybe")]
    height: Option<usize>,
    #[serde(default, with = "json_numbers::maybe")]
    depth: Option<usize>,
    destination_pitch: Option<Pitch>,
    source_pitch: Option<Pitch>,
    at: Option<MemoryRef>,
    value: Option<u32>,
    element_size: Option<u8>,
    #[serde(default, with = "json_numbers::maybe")]
    pitch: Option<usize>,
    function: Option<usize>,
    operations: Option<Vec<ValueOperation>>,
    event: Option<usize>,
    graph: Option<GraphPicture>,
    decides: Option<ConditionalKind>,
    condition: Option<usize>,
    bodies: Option<Vec<GraphPicture>>,
    memory: Option<usize>,
    of: Option<String>,
}

/// Member that a node lacks, or has although nodes of its kind have it not.
pub(super) enum Misfit {
    Lacks(&'static str),
    Has(&'static str),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Lacks(member) => write!(f, "missing field `{member}` of a node"),
            Misfit::Has(member) => write!(f, "unknown field `{member}` of a node of this kind"),
        }
    }
}

/// Makes what has the members that are named of those in `$members`.
macro_rules! made {
    ($members:ident, $($made:ident)::+ { $($member:ident),* } $(, $default:ident)*) => {
        $($made)::+ {
            $($member: $members.$member.take().ok_or(Misfit::Lacks(stringify!($member)))?,)*
            $($default: $members.$default.take().unwrap_or_default(),)*
        }
    };
}

impl TryFrom<Members> for NodePicture {
    type Error = Misfit;

    fn try_from(mut members: Members) -> Result<NodePicture, Misfit> {
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
                direction: members.direction.take().ok_or(Misfit::Lacks("direction"))?,
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

impl Members {
    /// Refuses members that are left after the work was made.
    fn check_rest(&self) -> Result<(), Misfit> {
        macro_rules! left {
            ($($member:ident),*) => { [$((stringify!($member), self.$member.is_some())),*] };
        }
        let rest = left![
            kernel,
            grid,
            grid_from,
            block,
            shared_mem_bytes,
            arguments,
            attributes,
            direction,
            destination,
            source,
            width,
            height,
            depth,
            destination_pitch,
            source_pitch,
            at,
            value,
            element_size,
            pitch,
            function,
            operations,
            event,
            graph,
            decides,
            condition,
            bodies,
            memory,
            of
        ];
        match rest.iter().find(|(_, is_there)| *is_there) {
            Some((member, _)) => Err(Misfit::Has(member)),
            None => Ok(()),
        }
    }
}

/// Data of an edge, where it carries something.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Carried {
    from_port: u8,
    to_port: u8,
    #[serde(rename = "type")]
    kind: u8,
}

impl Serialize for Edge {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let EdgeData { from_port, to_port, kind } = self.carries;
        let mut list = to.serialize_tuple(2 + usize::from(!self.carries.is_none()))?;
        list.serialize_element(&self.from)?;
        list.serialize_element(&self.to)?;
        if !self.carries.is_none() {
            list.serialize_element(&Carried { from_port, to_port, kind })?;
        }
        list.end()
    }
}

impl<'a> Deserialize<'a> for Edge {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Edge, D::Error> {
        from.deserialize_seq(Ends)
    }
}

/// Reads an edge.
struct Ends;

impl<'a> Visitor<'a> for Ends {
    type Value = Edge;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the two nodes of an edge, and what it carries")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Edge, A::Error> {
        let from = list.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let to = list.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        let carries = list.next_element()?.map_or(EdgeData::NONE, |Carried { from_port, to_port, kind }| EdgeData {
            from_port,
            to_port,
            kind,
        });
        Ok(Edge { from, to, carries })
    }
}
