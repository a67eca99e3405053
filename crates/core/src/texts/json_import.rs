//! A graph read back from JSON text. The objects that its nodes use are bound by their names.
//!
//! The text may be anybody's: whatever it says, importing it makes a graph whose nodes use nothing but what was bound and what the
//! text itself has, or fails.

use serde::Deserialize;

use super::import_binding::{Binding, Bindings, Wrong};
use super::import_work::Builder;
use super::picture::{self, Edge, Picture, FORMAT, VERSION};
use crate::graphs::graph::Graph;
use crate::state::Context;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::room;
use graphcap_driver::{check_caller, EdgeData, NodeId};

/// Most bytes of a text that is read.
pub const JSON_LIMIT: usize = 64 << 20;

/// Head of a text, which tells whether the rest can be read.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

impl Graph {
    /// Makes a graph of JSON text that [`Graph::export_json`] wrote. `bindings` gives the objects that it uses; those that it does
    /// not use are ignored. [`Bound::Graph`](super::import_binding::Bound::Graph) gives all of a graph that nothing else is bound to,
    /// and [`Bound::Live`](super::import_binding::Bound::Live) after that what objects of the context have a name, a kind and a size of
    /// the text. Kernels of graphcap's own need no binding ([`Graph::add_condition_setter`], [`Graph::add_nothing`]).
    ///
    /// # Errors
    /// `INVALID_VALUE` for a text that is none of a graph, with the place of what is wrong, for two bindings of one name, and for a
    /// binding that does not fit, or live objects of a name of which none fits, or several do; `NOT_FOUND` for an object of the text that
    /// nothing is bound to; `NOT_SUPPORTED` for nodes that are not read back: kernels whose arguments the device did not tell, kernels
    /// that set the condition of a node in the body of a later node, and what graphcap cannot read, and for graphs that lie within each
    /// other more than 16 deep; what [`Graph::add_node`] answers.
    pub fn import_json(context: &Context, json: &[u8], bindings: &[Binding<'_>]) -> Result<Graph> {
        check_caller()?;
        let mut bindings = Bindings::new(bindings)?;
        let picture = parse(json)?;
        if let Some(graph) = bindings.graph.take() {
            bindings.bind_rest_of(&graph)?;
        }
        if let Some(live) = bindings.live.take() {
            live.bind(context, &picture, &mut bindings).map_err(Wrong::into_error)?;
        }
        import(context, &picture, &bindings)
    }
}

/// Makes a graph of a picture.
pub(super) fn import(context: &Context, picture: &Picture, bindings: &Bindings) -> Result<Graph> {
    let graph = Graph::create(context)?;
    if let Some(name) = &picture.name {
        graph.set_name(name).map_err(|error| Wrong::from(error).under("name").into_error())?;
    }
    let builder = Builder::new(&graph, picture, bindings)?;
    build(&builder, &graph, &picture.graph, 1).map_err(|wrong| wrong.under("graph").into_error())?;
    Ok(graph)
}

/// Reads the picture of a text, whose names alone are looked at.
pub(super) fn parse(json: &[u8]) -> Result<Picture> {
    /// Factor by which what is read can be larger than its text.
    const GROWTH: usize = 32;
    if json.len() > JSON_LIMIT {
        return Err(Error::invalid_value(format!(
            "the text has {} bytes, and at most {JSON_LIMIT} are read; part the graph",
            json.len()
        )));
    }
    room::ask(json.len().saturating_mul(GROWTH))?;
    let head: Head = serde_json::from_slice(json).map_err(unreadable)?;
    if head.format != FORMAT {
        return Err(Error::invalid_value(format!("the format of the text is {:?}, not {FORMAT:?}", head.format)));
    }
    if head.version != VERSION {
        return Err(Error::invalid_value(format!(
            "the text is of version {} of the format, and version {VERSION} is read; use the graphcap that wrote it",
            head.version
        )));
    }
    let picture: Picture = serde_json::from_slice(json).map_err(unreadable)?;
    check_names(&picture).map_err(Wrong::into_error)?;
    Ok(picture)
}

/// Refuses names with a byte 0, which no object has: for C such a name ends there.
fn check_names(picture: &Picture) -> Result<(), Wrong> {
    check_name(picture.name.as_deref().unwrap_or_default()).map_err(|wrong| wrong.under("name"))?;
    check_table("memory", picture.memory.iter().map(|memory| &memory.name))?;
    check_table("kernels", picture.kernels.iter().map(|kernel| &kernel.name))?;
    check_table("functions", picture.functions.iter().map(|function| &function.name))?;
    check_table("events", picture.events.iter().map(|event| &event.name))?;
    check_nodes(&picture.graph).map_err(|wrong| wrong.under("graph"))
}

fn check_name(name: &str) -> Result<(), Wrong> {
    match name.contains('\0') {
        true => Err(Wrong::value("a name has no byte 0; leave it out")),
        false => Ok(()),
    }
}

fn check_table<'a>(table: &str, names: impl Iterator<Item = &'a String>) -> Result<(), Wrong> {
    for (index, name) in names.enumerate() {
        check_name(name).map_err(|wrong| wrong.under("name").under(&format!("{table}[{index}]")))?;
    }
    Ok(())
}

fn check_nodes(graph: &picture::GraphPicture) -> Result<(), Wrong> {
    for (index, node) in graph.nodes.iter().enumerate() {
        let within = |wrong: Wrong| wrong.under(&format!("nodes[{index}]"));
        let name = node.name.as_deref().unwrap_or_default();
        check_name(name).map_err(|wrong| within(wrong.under("name")))?;
        check_name(node.stream.as_deref().unwrap_or_default()).map_err(|wrong| within(wrong.under("stream")))?;
        for (body, graph) in node.graphs().iter().enumerate() {
            let place = match &node.work {
                picture::WorkPicture::Conditional { .. } => format!("bodies[{body}]"),
                _ => "graph".into(),
            };
            check_nodes(graph).map_err(|wrong| within(wrong.under(&place)))?;
        }
    }
    Ok(())
}

/// The error tells line and column. The parser ends texts that are deeper than any that is read, and has no other name for that
/// than its message. Of a value of another type it tells the right one, which is left out where it is one of Rust's.
fn unreadable(error: serde_json::Error) -> Error {
    /// Words for types of Rust's.
    const OF_RUST: [&str; 12] =
        ["struct", "enum", "variant", "tuple", "unit", "u8", "u16", "u32", "u64", "usize", "i32", "i64"];
    let mut told = error.to_string();
    let of_rust = |expected: &str| expected.split(' ').any(|word| OF_RUST.contains(&word));
    if let Some((wrong, _)) = told.rsplit_once(", expected ").filter(|(_, expected)| of_rust(expected)) {
        told = format!("{wrong} at line {} column {}", error.line(), error.column());
    }
    let message = format!("the text cannot be read as a graph: {told}; docs/graph.schema.json describes the format");
    match message.contains("recursion limit exceeded") {
        true => Error::new(
            Status::NOT_SUPPORTED,
            format!("{message}; graphs may lie within each other {} deep", picture::DEPTH),
        ),
        false => Error::invalid_value(message),
    }
}

/// Builds the nodes and edges of a picture in a graph that has none.
fn build(builder: &Builder<'_>, graph: &Graph, of: &picture::GraphPicture, depth: usize) -> Result<(), Wrong> {
    if depth > picture::DEPTH {
        let message = format!("graphs lie within each other more than {} deep", picture::DEPTH);
        return Err(Wrong::new(Status::NOT_SUPPORTED, message));
    }
    builder.make_conditions(graph, of)?;
    let mut before: Vec<Vec<usize>> = room::list(of.nodes.len())?;
    before.resize_with(of.nodes.len(), Vec::new);
    // An edge that a node cannot be added with, and all edges of the node that are told after it: the order matters to updates.
    let (mut later, mut has_later) = (Vec::new(), room::list(of.nodes.len())?);
    has_later.resize(of.nodes.len(), false);
    for (index, &Edge { from, to, carries }) in of.edges.iter().enumerate() {
        let wrong = |message: String| Wrong::value(message).under(&format!("edges[{index}]"));
        if from >= of.nodes.len() || to >= of.nodes.len() {
            return Err(wrong(format!("the edge leads from node {from} to node {to} of {} nodes", of.nodes.len())));
        }
        let carries = if can_be_added(of, from, to, carries) { carries } else { EdgeData::NONE };
        match before.get_mut(to).zip(has_later.get_mut(to)) {
            Some((before, &mut false)) if from < to && carries.is_none() => before.push(from),
            Some((_, has_later)) => {
                *has_later = true;
                later.push((from, to, carries));
            }
            None => {}
        }
    }
    let mut nodes: Vec<NodeId> = room::list(of.nodes.len())?;
    for (index, (node, before)) in of.nodes.iter().zip(&before).enumerate() {
        let before: Vec<NodeId> = before.iter().filter_map(|&from| nodes.get(from).copied()).collect();
        let made = add(builder, graph, &before, node, depth);
        nodes.push(made.map_err(|wrong| wrong.under(&format!("nodes[{index}]")))?);
    }
    let later = later.iter().filter_map(|&(from, to, carries)| Some((*nodes.get(from)?, *nodes.get(to)?, carries)));
    let added = graph.add_dependencies_with_data(&later.collect::<Vec<_>>());
    added.map_err(|error| Wrong::from(error).under("edges"))
}

/// Returns whether an edge can be added by hand with what it carries. Of a kernel only captures make edges that lead to other nodes and
/// carry something; without that the node waits until the kernel is over.
fn can_be_added(of: &picture::GraphPicture, from: usize, to: usize, carries: EdgeData) -> bool {
    let is_kernel =
        |at: usize| of.nodes.get(at).is_some_and(|node| matches!(node.work, picture::WorkPicture::Kernel { .. }));
    !carries.is_of_kernels() || !is_kernel(from) || is_kernel(to)
}

fn add(
    builder: &Builder<'_>,
    graph: &Graph,
    before: &[NodeId],
    node: &picture::NodePicture,
    depth: usize,
) -> Result<NodeId, Wrong> {
    let made = match &node.work {
        picture::WorkPicture::Child { graph: within } => {
            let child = Graph::create(graph.context())?;
            build(builder, &child, within, depth + 1).map_err(|wrong| wrong.under("graph"))?;
            graph.add_node(before, &crate::NodeWork::Child(&child))?
        }
        picture::WorkPicture::MemAlloc { memory } => builder.add_allocation(graph, before, *memory)?,
        picture::WorkPicture::MemFree { memory } => builder.add_free(graph, before, *memory)?,
        work => builder.add(graph, before, work)?,
    };
    if let picture::WorkPicture::Conditional { bodies, .. } = &node.work {
        for (index, (body, of)) in graph.node_graphs(made)?.iter().zip(bodies).enumerate() {
            let built = build(builder, body, of, depth + 1);
            built.map_err(|wrong| wrong.under(&format!("bodies[{index}]")))?;
        }
    }
    if let Some(name) = &node.name {
        graph.set_node_name(made, name).map_err(|error| Wrong::from(error).under("name"))?;
    }
    if let Some(stream) = &node.stream {
        graph.note_stream(made, stream).map_err(|error| Wrong::from(error).under("stream"))?;
    }
    Ok(made)
}
