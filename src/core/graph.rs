//! A graph: the definition that a capture gave, or goes into, which execs are made from.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};

use super::context::Context;
use super::dot::{self, DotFlags};
use super::graph_exec::GraphExec;
use super::guarded;
use super::lock;
use super::retention::{self, Shared};
use crate::driver::{GraphId, GraphNodes, GraphRef, NodeId, Object};
use crate::error::Result;

/// Recorded work. Keeps alive the buffers, modules and host functions that its nodes use.
#[derive(Clone)]
pub struct Graph(pub(super) Arc<GraphInner>);

pub(super) struct GraphInner {
    context: Context,
    id: GraphId,
    /// Held over an edit, which reads all nodes to see what they need.
    edits: Mutex<()>,
    /// Whether it is in [`KNOWN_OUTSIDE`].
    known_outside: AtomicBool,
}

/// The graphs of the process that others may know the driver's handles of. The end of a capture that they began into one
/// gives that graph.
static KNOWN_OUTSIDE: Mutex<Vec<(GraphId, Weak<GraphInner>)>> = Mutex::new(Vec::new());

impl GraphInner {
    /// Takes over a graph of the driver's.
    pub(super) fn new(context: &Context, id: GraphId) -> Arc<GraphInner> {
        Arc::new(GraphInner {
            context: context.clone(),
            id,
            edits: Mutex::new(()),
            known_outside: AtomicBool::new(false),
        })
    }

    /// A graph that the end of a capture gave: the one of that id, if others may have begun the capture into it.
    pub(super) fn ended(context: &Context, id: GraphId) -> Arc<GraphInner> {
        let of_id: Vec<_> = {
            let known = lock(&KNOWN_OUTSIDE);
            known.iter().filter(|(known, _)| *known == id).map(|(_, graph)| Weak::clone(graph)).collect()
        };
        // Where the lock is not held: it may be the last reference.
        let known = of_id.iter().filter_map(Weak::upgrade).find(|graph| graph.context.is(context));
        known.unwrap_or_else(|| GraphInner::new(context, id))
    }

    /// Others may know the driver's handle from here on.
    pub(super) fn let_others_know(self: &Arc<Self>) {
        if !self.known_outside.swap(true, Ordering::AcqRel) {
            lock(&KNOWN_OUTSIDE).push((self.id, Arc::downgrade(self)));
        }
    }

    pub(super) fn id(&self) -> GraphId {
        self.id
    }

    /// Keeps `objects` alive as long as the graph and the execs made from it.
    pub(super) fn retain(&self, objects: Arc<Shared>) -> Result<()> {
        self.context.driver().graph_retain(self.id, objects)
    }
}

impl Graph {
    /// Makes a graph without nodes, to capture into.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, or the status of a context that faulted.
    pub fn create(context: &Context) -> Result<Graph> {
        let id = context.driver().graph_create()?;
        Ok(Graph(GraphInner::new(context, id)))
    }

    /// The nodes and edges. The ids hold as long as the graph.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn nodes(&self) -> Result<GraphNodes> {
        self.0.context.driver().graph_nodes(GraphRef::Known(self.0.id))
    }

    /// Removes a node with all its edges. Execs that were made before still run it. The graph lets go of the buffers, code,
    /// events, host functions and snapshots that none of the remaining nodes can use; it keeps those of which that cannot be
    /// told, and everything once the native handle of the graph or of one of its nodes was given out.
    ///
    /// Takes time for each node of the graph.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; `ILLEGAL_STATE` while a capture goes into the graph;
    /// `NOT_SUPPORTED` for a node that the driver does not remove, as of an allocation; the status of a context that faulted.
    pub fn remove_node(&self, node: NodeId) -> Result<()> {
        let driver = self.0.context.driver();
        let before = {
            let _edit = lock(&self.0.edits);
            // Before the node goes, when no capture into the graph goes on: what one lists that begins now is for nodes that it
            // has yet to record.
            let before = retention::lists(driver, self.0.id)?;
            driver.graph_remove_node(self.0.id, node)?;
            // The node is gone either way. Where the others cannot be read, all that the graph keeps stays.
            let _ = retention::prune(driver, self.0.id, &before);
            before
        };
        // Where no lock is held: this can run code of the caller's.
        drop(before);
        Ok(())
    }

    #[inline]
    pub(super) fn context(&self) -> &Context {
        &self.0.context
    }

    #[inline]
    pub(super) fn id(&self) -> GraphId {
        self.0.id
    }

    /// Number of nodes.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn node_count(&self) -> Result<usize> {
        self.0.context.driver().graph_node_count(self.0.id)
    }

    /// Number of edges.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn edge_count(&self) -> Result<usize> {
        self.0.context.driver().graph_edge_count(self.0.id)
    }

    /// The graph as text for Graphviz. The same graph gives the same text.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`; the status of a context that faulted.
    pub fn export_dot(&self, flags: DotFlags) -> Result<String> {
        dot::export(self.0.context.driver(), GraphRef::Known(self.0.id), flags)
    }

    /// Makes an executable of the graph, which lives on without it.
    ///
    /// # Errors
    /// `CAPTURE_UNSUPPORTED` while a capture bars it, which is invalidated; `OUT_OF_MEMORY`; the status of a
    /// context that faulted.
    pub fn instantiate(&self) -> Result<GraphExec> {
        let context = &self.0.context;
        if guarded::watches(context) {
            // A graph that is lost harms no capture.
            self.node_count()?;
            guarded::unsafe_call(context)?;
        }
        let (exec, nodes) = context.driver().graph_instantiate(self.0.id)?;
        Ok(GraphExec::new(&self.0.context, exec, nodes))
    }

    /// The driver's own handle of a node. Others may change the graph from here on, as after [`Graph::native`].
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; `NOT_SUPPORTED` on a device without native handles.
    pub fn node_native(&self, node: NodeId) -> Result<usize> {
        self.0.let_others_know();
        self.0.context.driver().native(Object::Node(self.0.id, node))
    }

    /// The driver's own handle of the graph.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles.
    pub fn native(&self) -> Result<usize> {
        self.0.let_others_know();
        self.0.context.driver().native(Object::Graph(self.0.id))
    }
}

impl Drop for GraphInner {
    fn drop(&mut self) {
        if *self.known_outside.get_mut() {
            let this: *const GraphInner = self;
            lock(&KNOWN_OUTSIDE).retain(|(_, graph)| !std::ptr::eq(graph.as_ptr(), this));
        }
        self.context.driver().graph_destroy(self.id);
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Graph").field(&self.0.id.0).finish()
    }
}
