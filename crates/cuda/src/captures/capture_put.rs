//! Nodes that are put by hand into captures that go into graphs within nodes.

use std::ffi::c_uint;

use super::capture::{broken, NOT_CAPTURED};
use super::gate;
use super::registry::CAPTURES;
use crate::api::{DriverError, Handle};
use crate::graph::{too_many_nodes, PutWork};
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::ids::no_such;
use graphcap_driver::{CaptureStatus, DependencyUpdate, GraphId, NodeId, StreamId, Work};

impl Shared {
    /// Puts a node that does `work` into the capture of a stream, which goes into `graph`, a graph within a node.
    pub(crate) fn put_into_capture(&self, stream: StreamId, graph: GraphId, work: &Work<'_>) -> Result<NodeId> {
        let within = self.find_graph(graph).ok_or_else(|| no_such("graph"))?;
        let work = self.put_work(&within, work)?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        // The capture that is found does not end before the node is noted.
        let _goes_on = self.capture_goes_on();
        let put = stream.settled(|| {
            let Some((capture, frontier)) = self.device.ask_frontier(stream.native)? else {
                return Ok(Err(Error::new(Status::ILLEGAL_STATE, NOT_CAPTURED)));
            };
            if capture.status != CaptureStatus::Active {
                return Ok(Err(broken()));
            }
            let stage = capture.graph;
            if !within.has_stage(stage) {
                return Ok(Err(Error::new(Status::ILLEGAL_STATE, NOT_CAPTURED)));
            }
            let added = CAPTURES.with_names(capture.id, |table| -> Result<_, DriverError> {
                if !table.reserve() {
                    return Ok(None);
                }
                let mut node = Handle::NULL;
                let _alone = gate::write();
                // SAFETY: the graph lives while it is captured into, and the nodes are of it, as many as are told; `node` is
                // writable. The stream lives.
                let updated = unsafe {
                    self.api().cuGraphAddEmptyNode(&mut node, stage, frontier.as_ptr(), frontier.len())?;
                    let (mut behind, set) = (node, DependencyUpdate::Set as c_uint);
                    self.api().cuStreamUpdateCaptureDependencies(stream.native, &mut behind, 1, set)
                };
                Ok(Some((table.add(node), updated)))
            })?;
            let Some((node, updated)) = added else { return Ok(Err(too_many_nodes())) };
            // No node is taken from under a capture: one that the stream does not go on from stands for none.
            within.note_put(stage, node, if updated.is_ok() { work } else { PutWork::Nothing });
            updated?;
            Ok(Ok(node))
        });
        self.map_error(put)?
    }
}
