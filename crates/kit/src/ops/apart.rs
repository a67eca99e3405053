//! Ops outside of scripts: submitted to a stream, recorded as a graph of its own, added to a graph as a node.

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::{Error, Result, Status};
use graphcap_core::{Context, Graph, NodeWork, Stream};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{CaptureStatus, NodeId, StreamOptions};

/// Prepares an op and submits it to a stream: it runs, or is recorded if the stream is being captured.
///
/// # Errors
/// Those of the op; `CAPTURE_INVALIDATED` where the stream's capture was broken before, of which the libraries of a GPU would only say
/// that they failed.
pub fn submit_op(op: &dyn GraphOp, stream: &Stream) -> Result<()> {
    if stream.capture_info()?.status == CaptureStatus::Invalidated {
        return Err(Error::new(
            Status::CAPTURE_INVALIDATED,
            "an earlier call broke the capture; end it on the stream that began it and record again",
        ));
    }
    op.prepare(stream.context())?;
    op.record(&RecordContext::of(stream)?)
}

/// Prepares an op and adds it to a graph as a node: as a child graph that has what the op records, and where the op makes nodes itself,
/// as the last of these.
///
/// # Errors
/// Those of the op and of [`Graph::add_node`].
pub fn add_op(op: &dyn GraphOp, graph: &Graph, dependencies: &[NodeId]) -> Result<NodeId> {
    match op.nodes_of_body() {
        Some(nodes) => {
            op.prepare(graph.context())?;
            nodes.record_apart()?(graph, dependencies)
        }
        None => graph.add_node(dependencies, &NodeWork::Child(&record_op(op, graph.context())?)),
    }
}

/// Prepares an op and records it as a graph of its own.
///
/// # Errors
/// Those of the op.
pub fn record_op(op: &dyn GraphOp, context: &Context) -> Result<Graph> {
    op.prepare(context)?;
    record_apart(context, &|at| op.record(at))
}

/// Records what `record` submits as a graph of its own, while another capture goes on.
pub(super) fn record_apart(context: &Context, record: &dyn Fn(&RecordContext) -> Result<()>) -> Result<Graph> {
    new_stream(context)?.capture(CaptureMode::Relaxed, |stream| record(&RecordContext::captured(stream)))
}

/// A blocking stream would have the legacy stream refuse work meanwhile.
pub(super) fn new_stream(context: &Context) -> Result<Stream> {
    Stream::create(context, StreamOptions { non_blocking: true, ..StreamOptions::default() })
}
