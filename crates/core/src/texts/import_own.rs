//! The objects that a graph uses, by the names that its text has for them: they are bound where nothing else is.

use super::import_binding::Bindings;
use super::picture::{self, MemoryKind, Picture, WorkPicture};
use crate::graphs::graph::Graph;
use graphcap_base::error::Result;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{GraphRef, HostFunction, NodeId};

impl Bindings {
    /// Binds the objects of a graph that nothing else is bound to. What cannot be told is left out, and so are plain host memory, whose
    /// size nobody knows, and graphcap's own kernels, which are not bound.
    ///
    /// # Errors
    /// As `Graph::export_json`.
    pub(super) fn bind_rest_of(&mut self, graph: &Graph) -> Result<()> {
        // Held until the objects are found again.
        let (picture, _held) = graph.picture(false)?;
        for memory in &picture.memory {
            if !matches!(memory.kind, MemoryKind::Buffer | MemoryKind::HostBuffer) {
                continue;
            }
            let found = graph.context().find_buffer(memory.address).filter(|located| located.offset == 0);
            if let Some(located) = found {
                self.memory.entry(memory.name.clone()).or_insert_with(|| located.memory.into());
            }
        }
        self.bind_rest_of_nodes(graph, &picture.graph, &picture)
    }

    /// Binds what the nodes of a graph use, and those of the graphs within.
    fn bind_rest_of_nodes(&mut self, graph: &Graph, of: &picture::GraphPicture, picture: &Picture) -> Result<()> {
        for node in &of.nodes {
            let id = NodeId(node.id);
            match &node.work {
                WorkPicture::Kernel { kernel, .. } => {
                    let name = picture.kernels.get(*kernel).map(|kernel| &kernel.name);
                    let is_bound = |name: &&String| BuiltInKernel::named(name).is_none();
                    if let Some(name) = name.filter(is_bound).filter(|name| !self.kernels.contains_key(*name)) {
                        self.kernels.extend(graph.node_kernel(id).ok().map(|kernel| (name.clone(), kernel)));
                    }
                }
                WorkPicture::EventRecord { event } | WorkPicture::EventWait { event } => {
                    let name = picture.events.get(*event).map(|event| &event.name);
                    if let Some(name) = name.filter(|name| !self.events.contains_key(*name)) {
                        self.events.extend(graph.node_event(id).ok().map(|event| (name.clone(), event)));
                    }
                }
                WorkPicture::Host { function } => {
                    let name = picture.functions.get(*function).map(|function| &function.name);
                    if let Some(name) = name.filter(|name| !self.functions.contains_key(*name)) {
                        let functions = &mut self.functions;
                        graph.context().driver()?.node_work(GraphRef::Known(graph.id()), id, &mut |work| {
                            if let graphcap_driver::Work::Host(function) = work {
                                functions.insert(name.clone(), HostFunction::clone(function));
                            }
                        })?;
                    }
                }
                WorkPicture::Child { .. } | WorkPicture::Conditional { .. } => {
                    for (graph, of) in graph.node_graphs(id)?.iter().zip(node.graphs()) {
                        self.bind_rest_of_nodes(graph, of, picture)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
