//! The definition of an exec after an update: the nodes and edges that it has, with the actions of the nodes that are paired with them.

use std::sync::Arc;

use super::node::{Definition, Node};
use super::origin::{Origin, OriginalNode};
use super::{Action, Bodies};
use graphcap_driver::rules::exec_update::Pairing;

/// The nodes and edges of what an exec was made from, with what the nodes of `graph` do that are paired with them. Kernels keep the
/// launch attributes that they have. Where nothing else differs it is the definition of the graph.
pub(crate) fn merge(exec: &Origin, graph: &Arc<Definition>, pairing: &Pairing) -> Arc<Definition> {
    let graph = graph.packed();
    if pairing.nodes.is_none() && pairing.within.is_empty() && have_the_attributes(exec, &graph) {
        return graph;
    }
    let of = |(number, node): (u32, &OriginalNode)| {
        let mut action = graph.node(pairing.of(number)).map_or(Action::Empty, |pair| pair.action.clone());
        match &mut action {
            Action::Kernel(call) => call.attributes.clone_from(&node.attributes),
            Action::Child(child) => {
                if let Some(before) = node.graphs.first() {
                    *child = within(before, child, pairing, (number, 0));
                }
            }
            Action::Conditional(bodies) => {
                let graphs = node.graphs.iter().zip(&bodies.graphs).zip(0..);
                let graphs = graphs.map(|((before, body), index)| within(before, body, pairing, (number, index)));
                *bodies = Arc::new(Bodies {
                    condition: Arc::clone(&bodies.condition),
                    kind: bodies.kind,
                    graphs: graphs.collect(),
                });
            }
            _ => {}
        }
        Some(Node { action, dependencies: node.dependencies.clone() })
    };
    let nodes = (0..).zip(&exec.nodes).map(of).collect();
    Arc::new(Definition { nested: exec.nested, ..Definition::packed_of(nodes, exec.number) })
}

/// One of the graphs of a node.
fn within(exec: &Origin, graph: &Arc<Definition>, pairing: &Pairing, (node, index): (u32, u32)) -> Arc<Definition> {
    let found = pairing.within.iter().find(|(of, at, _)| (*of, *at) == (node, index));
    found.map_or_else(|| Arc::clone(graph), |(_, _, pairing)| merge(exec, graph, pairing))
}

/// Returns whether each kernel has the launch attributes of the one with its number.
fn have_the_attributes(exec: &Origin, graph: &Definition) -> bool {
    exec.nodes.iter().zip(graph.packed_nodes()).all(|(own, node)| match node {
        Some(Node { action: Action::Kernel(call), .. }) => own.attributes == call.attributes,
        _ => true,
    })
}
