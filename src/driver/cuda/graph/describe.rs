//! Nodes in words, of which the driver gave a handle.

use super::{look, nodes, read, State};
use crate::driver::cuda::api::{self, Api, Node};
use crate::driver::NodeKind;

impl State {
    /// A node by its name and kind, whose handle the driver gave, in words.
    ///
    /// # Safety
    /// `graph` is the state's graph, which no other thread uses.
    pub(in crate::driver::cuda) unsafe fn describe(&mut self, api: &Api, graph: api::Graph, node: Node) -> String {
        if node.is_null() {
            return "one of its nodes".to_owned();
        }
        let own = (graph, &mut self.nodes, "");
        let inner = self.inner.all().map(|inner| (inner.native, &mut inner.nodes, " of a graph within a node"));
        for (graph, table, within) in std::iter::once(own).chain(inner) {
            // SAFETY: the caller promises the graph, and that nobody uses those within.
            let Ok(()) = (unsafe { look(api, graph, table, false) }) else { continue };
            // SAFETY: as above.
            let Ok(listed) = (unsafe { nodes(api, graph) }) else { continue };
            if listed.contains(&node) {
                // SAFETY: the graph has the node.
                let kind = unsafe { read::kind(api, node) }.unwrap_or(NodeKind::Other);
                return format!("node {:#x} ({kind:?}){within}", table.name(node).0);
            }
        }
        "a node of a graph within one of its nodes".to_owned()
    }
}
