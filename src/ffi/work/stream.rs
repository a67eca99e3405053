//! gc_stream_submit: work that is given to a stream.

use std::mem::MaybeUninit;

use super::data::{self, gc_work};
use super::read::{self, Brief, ConditionSource, Owned, Read};
use crate::ffi::boundary::{gc_status, gc_stream, guard, handle, Out, Result, Token};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::operations::copy::PeerCopy;
use crate::ffi::operations::launch::Arguments;
use graphcap_base::error::Error;
use graphcap_core::{NodeWork, OwnedWork, Stream};
use graphcap_driver::{ConditionId, NodeId};
use graphcap_kit::{ops, GraphOp};

/// Submits work to a stream. It runs in the stream's order, or is recorded if the stream is being captured.
///
/// Every kind of work but GRAPHCAP_WORK_EMPTY and GRAPHCAP_WORK_MEM_ALLOC is work of a stream. GRAPHCAP_WORK_CHILD_GRAPH, a
/// conditional by condition, and GRAPHCAP_WORK_SET_CONDITION need a stream that is being captured: they become nodes behind what
/// the stream recorded last, and what it records next depends on them. This is short for gc_stream_capture_graph(),
/// gc_stream_capture_frontier(), gc_graph_add_node() and gc_stream_update_capture_dependencies(), with their rules for threads and
/// for captures that others began. Where the last of the four fails, the node is removed, unless the capture goes on: then it stays
/// in the graph, and nothing waits for it.
///
/// A capture into a body, or into the graph of a child node, puts such a node there when it ends, as it does all that it recorded:
/// gc_node_get_graph() gives the graphs of the node from then on. The copy of a child is made at once.
///
/// @param[in]  stream    the stream
/// @param[in]  work      the work, not NULL; read and copied during the call
/// @param[out] node_out  the node that was recorded; 0 where no capture goes on, and where the work is not one node that the stream goes
///                       on from, as a mark of an event or a copy of no bytes; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the work is none of a stream, or is wrong: see gc_work and its kind
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the work needs a capture, and the stream is in none
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED        code outside graphcap began the capture that the work needs, or scripts are to be
///                                             bodies in a capture into a body
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the work cannot be captured; the capture is broken
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream of the context is being captured: that
///                                             capture is invalidated, but goes on where the work needs a capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the work needs a capture, and another thread began it on its per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_stream_submit(
    stream: *const gc_stream,
    work: *const gc_work,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    let mut copy = MaybeUninit::uninit();
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work, &mut copy) };
    guard(data::told!("gc_stream_submit", work), [Token::of(stream), data::subject(&work)], move || {
        let mut arguments = Arguments::new();
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let (work, user_data) = work?;
        // SAFETY: C promises that the name is NULL or a text that ends with a NUL.
        let name = unsafe { work.name() }?;
        // SAFETY: C promises what the members point to.
        let read = unsafe { read::read(work, user_data, &pinned, &mut arguments, |copy| stream.check_memcpy(copy)) }?;
        let place = out.optional();
        let is_told = place.is_some() || name.is_some();
        let node = match read {
            Read::Brief(brief) if is_told => stream.record_named(name, |stream| submit_brief(stream, &brief))?,
            Read::Brief(brief) => submit_brief(stream, &brief).map(|()| None)?,
            Read::Owned(owned) => {
                let stream = stream.clone();
                drop(pinned);
                let submitted = Submitted::of(&owned)?;
                match is_told {
                    true => stream.record_named(name, |stream| submitted.submit(stream))?,
                    false => submitted.submit(&stream).map(|()| None)?,
                }
            }
        };
        if let (Some(place), Some(NodeId(node))) = (place, node) {
            place.write(node);
        }
        Ok(())
    })
}

/// Submits what waits for nothing.
#[inline]
pub(super) fn submit_brief(stream: &Stream, work: &Brief<'_>) -> graphcap_base::Result<()> {
    match work {
        Brief::Kernel(launch) => {
            let (arguments, attributes) = (launch.arguments, &launch.attributes);
            // SAFETY: C promises that the kernel may be run with these arguments.
            unsafe {
                stream.launch_kernel_recording(
                    launch.kernel,
                    launch.shape,
                    arguments,
                    attributes.list(),
                    attributes.events(),
                )
            }
        }
        Brief::Values(values) => stream.value_batch(values),
        Brief::EventRecord { event, is_external: true } => event.record_external(stream),
        Brief::EventRecord { event, .. } => event.record(stream),
        Brief::EventWait { event, is_external: true } => stream.wait_event_external(event),
        Brief::EventWait { event, .. } => stream.wait_event(event),
    }
}

/// Work that may wait, and that streams can be given.
pub(super) enum Submitted<'a> {
    Node(&'a OwnedWork),
    Peer(PeerCopy<'a>),
    SetCondition(ConditionId, &'a ConditionSource),
    Op(&'a dyn GraphOp),
}

impl<'a> Submitted<'a> {
    /// Fails for work that only nodes are.
    pub(super) fn of(work: &'a Owned) -> Result<Submitted<'a>> {
        let refused = match work {
            Owned::Node { work: OwnedWork::Empty, .. } => {
                "a stream cannot be given empty work; record an event where streams meet, or add the node to a graph by hand"
            }
            Owned::Allocation(_) => {
                "a stream cannot be given an allocation node; allocate with gc_pool_allocate_on_stream(), or add the node to a graph by \
                 hand"
            }
            Owned::Node { work: OwnedWork::Memcpy(copy), is_peer: true } => {
                let peer = PeerCopy::of(&copy.lend()).map_err(|failure| failure.of_member("work.memcpy_params"))?;
                return Ok(Submitted::Peer(peer));
            }
            Owned::Node { work, .. } => return Ok(Submitted::Node(work)),
            Owned::SetCondition(condition, source) => return Ok(Submitted::SetCondition(*condition, source)),
            Owned::Op(op) => return Ok(Submitted::Op(op.as_ref())),
        };
        Err(Error::invalid_value(refused).into())
    }

    pub(super) fn submit(&self, stream: &Stream) -> graphcap_base::Result<()> {
        match self {
            // What a stream runs is launched; an exec that is made for one launch would cost more than the launch.
            Submitted::Node(OwnedWork::Child(graph)) => stream.capture_node(&NodeWork::Child(graph)).map(drop),
            Submitted::Node(work) => work.lend(|work| stream.submit_node_work(work)),
            Submitted::Peer(PeerCopy { destination, source, bytes }) => {
                stream.memcpy_peer(destination.0, destination.1, source.0, source.1, *bytes)
            }
            Submitted::SetCondition(condition, ConditionSource::Buffer(buffer, offset)) => {
                stream.capture_condition_setter(*condition, buffer, *offset)
            }
            Submitted::SetCondition(condition, ConditionSource::Scalar(scalar)) => {
                scalar.capture_condition_setter(stream, *condition)
            }
            Submitted::Op(op) => ops::submit_op(*op, stream),
        }
    }
}
