//! Edits of graphs: nodes that are removed.

use std::sync::Arc;

use super::{find_nodes, read, State};
use crate::driver::cuda::api::{self, Refusal};
use crate::driver::cuda::function::HostCall;
use crate::driver::cuda::shared::Shared;
use crate::driver::ids::{lost_graph, no_such, not_of_graph};
use crate::driver::{callbacks, GraphId, NodeId};
use crate::error::{Error, Result, Status};

impl Shared {
    pub(super) fn remove_graph_node(&self, graph: GraphId, node: NodeId) -> Result<()> {
        callbacks::check_caller()?;
        let graph = self.find_graph(graph).ok_or_else(|| no_such("graph"))?;
        let mut call = None;
        let removed = graph.with_state(|native, state| match state.is_captured {
            true => Ok(Err(captured_into())),
            // SAFETY: the graph's lock is held.
            false => unsafe { self.remove_node(native, state, node, &mut call) },
        });
        // Where no lock is held: it may be the last to have a host function.
        drop(call);
        self.told(removed.ok_or_else(lost_graph)?)?
    }

    /// Removes a node. Puts the host function that it called into `call`, for the caller to drop.
    ///
    /// # Safety
    /// `graph` is a live graph that no other thread uses, and `state` is its.
    unsafe fn remove_node(
        &self,
        graph: api::Graph,
        state: &mut State,
        id: NodeId,
        call: &mut Option<Arc<HostCall>>,
    ) -> Result<Result<()>, Refusal> {
        let api = self.api();
        // SAFETY: passed on to the caller.
        let found = unsafe { find_nodes(api, graph, &mut state.nodes, state.given_out, &[id]) }?;
        let Ok(&[node]) = found.as_deref() else { return Ok(Err(not_of_graph(id))) };
        // SAFETY: as above; the node is of the graph.
        unsafe {
            *call = read::host_call(api, node)?;
            api.cuGraphDestroyNode(node)?;
        }
        state.nodes.forget(node);
        // Others may have made other nodes that call the function.
        if let Some(object) = call.as_ref().filter(|_| !state.given_out).and_then(|call| call.take_object()) {
            // SAFETY: as above; the graph holds the object since the function was recorded into it. A refusal leaves it there,
            // for as long as the graph lives.
            let _ = unsafe { api.cuGraphReleaseUserObject(graph, object, 1) };
        }
        Ok(Ok(()))
    }
}

#[cold]
fn captured_into() -> Error {
    Error::new(
        Status::ILLEGAL_STATE,
        "a node cannot be removed while a capture goes into its graph; end the capture first",
    )
}
