//! Single nodes of an exec that come to do what the nodes of its graph do.

use std::sync::Arc;

use super::failure::Edited;
use super::locked::Locked;
use super::parameters::Parameters;
use super::Shape;
use crate::api::device::Device;
use crate::api::ExecHandle;
use crate::code::function::HostCall;
use crate::shared::Shared;
use graphcap_driver::rules::exec_update::{compare, Difference, Facts, Terms};
use graphcap_driver::NodeId;

/// Nodes of an exec that were set.
#[derive(Default)]
pub(crate) struct SetNodes {
    /// The host functions that some call from then on.
    pub(crate) called: Vec<(NodeId, Arc<HostCall>)>,
    /// The numbers of the launches of kernels from then on.
    pub(crate) launched: Vec<(NodeId, u64)>,
}

impl Shared {
    /// Tells what bars a node of an exec, which was made of `shape`, from doing what the node of its graph does. `None` where nothing is
    /// known to.
    pub(crate) fn bars_node(
        &self,
        graph: &mut Locked<'_>,
        node: NodeId,
        shape: &Shape,
        terms: Terms,
    ) -> Edited<Option<Difference>> {
        let handle = graph.find_one(node)?;
        let Some(before) = shape.outline().and_then(|outline| outline.find(node.0)) else { return Ok(None) };
        // SAFETY: the graph's lock is held, and the node is of the graph.
        let after = unsafe {
            match &before.facts {
                &Facts::Kernel { context, is_cooperative, is_updatable, priority } => Facts::Kernel {
                    context: self.context_of_kernel(handle)?.unwrap_or(context),
                    // A node that gets other launch attributes is none of those that are set one by one.
                    is_cooperative,
                    is_updatable,
                    priority,
                },
                _ => self.facts(graph.state, handle, node, graph.api)?,
            }
        };
        let found = compare(&before.facts, &after, terms).err();
        Ok(found.map(|change| Difference {
            change,
            exec_node: Some(node.0),
            graph_node: Some(node.0),
            from_node: None,
        }))
    }
}

impl Locked<'_> {
    /// Makes the node of an exec do what the node of the graph does, and notes it in `set`. False where the driver has no function for
    /// that.
    pub(crate) fn update_node(
        &mut self,
        device: Device,
        exec: ExecHandle,
        node: NodeId,
        set: &mut SetNodes,
    ) -> Edited<bool> {
        let handle = self.find_one(node)?;
        // SAFETY: the graph's lock is held, which is that of its execs, and the node is of the graph.
        let parameters = unsafe { Parameters::of_node(self.api, handle) }?;
        let Some(parameters) = parameters else { return Ok(false) };
        // SAFETY: as above. What the parameters point to the driver keeps as long as the node is not changed.
        unsafe { parameters.exec_set(device, exec, handle) }?;
        set.launched.extend(parameters.launch().map(|launch| (node, launch)));
        if let Parameters::Host(call) = parameters {
            set.called.push((node, call));
        }
        Ok(true)
    }
}
