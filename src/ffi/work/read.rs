//! Work as it was read from a gc_work: the handles looked up, the arrays and the host memory copied.

use super::data::{self, gc_work};
use super::op;
use crate::ffi::boundary::{check_flags, handle, options, Pinned, Result, UserData};
use crate::ffi::graphs::conditional;
use crate::ffi::objects::event::{GRAPHCAP_EVENT_RECORD_EXTERNAL, GRAPHCAP_EVENT_WAIT_EXTERNAL};
use crate::ffi::operations::copy::{self, GRAPHCAP_MEMCPY_PEER};
use crate::ffi::operations::launch::{self, check_unused, Arguments};
use crate::ffi::operations::launch_attributes::Attributes;
use crate::ffi::operations::stream_values;
use graphcap_core::{Buffer, Copy, Event, Kernel, KernelArgument, NodeWork, OwnedWork, Scalar, StreamValue};
use graphcap_driver::{ConditionId, Conditional, LaunchShape};
use graphcap_kit::GraphOp;

/// Work of either sort.
pub(super) enum Read<'p> {
    /// For calls that do not wait: the thread stays pinned meanwhile.
    Brief(Brief<'p>),
    /// For calls that may wait, and do so unpinned.
    Owned(Owned),
}

/// Work whose objects are borrowed.
pub(super) enum Brief<'p> {
    Kernel(Launch<'p>),
    Values(Vec<StreamValue<'p>>),
    /// A record; `is_external` where a stream is to have a node of it.
    EventRecord {
        event: &'p Event,
        is_external: bool,
    },
    /// A wait; as a record.
    EventWait {
        event: &'p Event,
        is_external: bool,
    },
}

pub(super) struct Launch<'p> {
    pub(super) kernel: &'p Kernel,
    pub(super) shape: LaunchShape,
    pub(super) arguments: &'p [KernelArgument<'p>],
    pub(super) attributes: Attributes<'p>,
}

/// Work that has its objects.
pub(super) enum Owned {
    /// Work that is that of one node.
    Node {
        work: OwnedWork,
        /// True of a copy between contexts, which streams make by a call of their own.
        is_peer: bool,
    },
    SetCondition(ConditionId, ConditionSource),
    Allocation(usize),
    /// Work that no node is by itself.
    Op(Box<dyn GraphOp>),
}

/// Source of the value of a condition.
pub(super) enum ConditionSource {
    Buffer(Buffer, usize),
    Scalar(Scalar),
}

/// Reads work. `arguments` is where those of a launch are read to. `check` finds what is wrong with a copy before its source is read.
///
/// # Safety
/// All that the members point to is there, as the header says. `user_data` is that of the struct.
#[inline]
pub(super) unsafe fn read<'a, 'p: 'a>(
    work: &gc_work,
    user_data: UserData,
    pinned: &'p Pinned,
    arguments: &'a mut Arguments<'p>,
    check: impl FnOnce(&Copy<'_>) -> graphcap_base::Result<()>,
) -> Result<Read<'a>> {
    work.check_members()?;
    Ok(match work.kind {
        data::GRAPHCAP_WORK_KERNEL => {
            // SAFETY: passed on to the caller.
            let launch = unsafe { launch(work, pinned, arguments) };
            Read::Brief(Brief::Kernel(launch.map_err(|failure| work.told(failure))?))
        }
        data::GRAPHCAP_WORK_MEM_OPS => {
            // SAFETY: C promises `operation_count` operations, not changed during the call.
            let values = unsafe { stream_values::batch(work.operations, work.operation_count, pinned) };
            let values = values.map_err(|failure| work.told(failure))?;
            Read::Brief(Brief::Values(values))
        }
        data::GRAPHCAP_WORK_EVENT_RECORD => {
            let known = "0 or GRAPHCAP_EVENT_RECORD_EXTERNAL";
            let (event, is_external) = event(work, GRAPHCAP_EVENT_RECORD_EXTERNAL, known, pinned)?;
            Read::Brief(Brief::EventRecord { event, is_external })
        }
        data::GRAPHCAP_WORK_EVENT_WAIT => {
            let known = "0 or GRAPHCAP_EVENT_WAIT_EXTERNAL";
            let (event, is_external) = event(work, GRAPHCAP_EVENT_WAIT_EXTERNAL, known, pinned)?;
            Read::Brief(Brief::EventWait { event, is_external })
        }
        // SAFETY: passed on to the caller.
        _ => Read::Owned(unsafe { owned(work, user_data, check) }.map_err(|failure| work.told(failure))?),
    })
}

/// # Safety
/// As [`read`].
#[inline]
pub(super) unsafe fn launch<'a, 'p: 'a>(
    work: &gc_work,
    pinned: &'p Pinned,
    arguments: &'a mut Arguments<'p>,
) -> Result<Launch<'a>> {
    let kernel = handle::borrow(work.kernel, "work.kernel", pinned)?;
    // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
    let (shape, attributes) = unsafe { launch::shape(work.config, pinned) }?;
    // SAFETY: C promises `argument_count` arguments, and that each value has as many bytes as it states.
    unsafe { arguments.read(work.arguments, work.argument_count, pinned) }?;
    Ok(Launch { kernel, shape, arguments: arguments.list(), attributes })
}

/// The event, and whether a stream is to have a node of it.
fn event<'p>(work: &gc_work, external: u32, known: &'static str, pinned: &'p Pinned) -> Result<(&'p Event, bool)> {
    let event = handle::borrow(work.event, "work.event", pinned)?;
    check_flags(work.flags, external, "work.flags", known)?;
    Ok((event, work.flags != 0))
}

/// # Safety
/// As [`read`].
#[inline(never)]
pub(super) unsafe fn owned(
    work: &gc_work,
    user_data: UserData,
    check: impl FnOnce(&Copy<'_>) -> graphcap_base::Result<()>,
) -> Result<Owned> {
    let mut is_peer = false;
    let work = match work.kind {
        data::GRAPHCAP_WORK_EMPTY => OwnedWork::Empty,
        data::GRAPHCAP_WORK_MEMCPY => {
            // SAFETY: C promises that the params are NULL or as many bytes as their struct_size states.
            let params = unsafe { options::read(work.memcpy_params, "work.memcpy_params") }?;
            let copy = copy::read(&params, handle::clone, handle::clone)?;
            // SAFETY: C promises the host memory of a snapshot during the call.
            let copy = unsafe { copy::save(copy, &params, check) }?;
            is_peer = params.direction == GRAPHCAP_MEMCPY_PEER;
            OwnedWork::Memcpy(copy)
        }
        data::GRAPHCAP_WORK_MEMSET => {
            // SAFETY: C promises that the params are NULL or as many bytes as their struct_size states.
            let params = unsafe { options::read(work.memset_params, "work.memset_params") }?;
            OwnedWork::Memset(copy::fill(&params)?)
        }
        data::GRAPHCAP_WORK_HOST => {
            // SAFETY: C promises that `function` may be called once per launch with `user_data`, on any thread.
            OwnedWork::Host(unsafe { user_data.into_host_function(work.function) }?)
        }
        data::GRAPHCAP_WORK_CHILD_GRAPH => OwnedWork::Child(handle::clone(work.graph, "work.graph")?),
        data::GRAPHCAP_WORK_MEM_FREE => OwnedWork::Free(handle::clone(work.buffer, "work.buffer")?),
        // SAFETY: passed on to the caller.
        data::GRAPHCAP_WORK_CONDITIONAL => return unsafe { conditional(work) },
        data::GRAPHCAP_WORK_SET_CONDITION => {
            return Ok(Owned::SetCondition(ConditionId(work.condition), condition_source(work)?))
        }
        data::GRAPHCAP_WORK_MEM_ALLOC => return Ok(Owned::Allocation(work.size)),
        // SAFETY: passed on to the caller.
        kind => return Ok(Owned::Op(unsafe { op::product(work) }?.ok_or_else(|| data::unknown(kind))?)),
    };
    Ok(Owned::Node { work, is_peer })
}

/// # Safety
/// As [`read`].
unsafe fn conditional(work: &gc_work) -> Result<Owned> {
    if !work.buffer.is_null() || !work.bodies.is_null() {
        check_unused(work.condition as usize, "work.condition", "0 beside work.buffer, whose value decides")?;
        // SAFETY: passed on to the caller.
        return Ok(Owned::Op(Box::new(unsafe { op::conditional(work) }?)));
    }
    check_unused(work.offset, "work.offset", "0 without work.buffer")?;
    let kind = conditional::kind_of(work.conditional_kind)?;
    let conditional = Conditional { condition: ConditionId(work.condition), kind, bodies: work.body_count };
    Ok(Owned::Node { work: OwnedWork::Conditional(conditional), is_peer: false })
}

fn condition_source(work: &gc_work) -> Result<ConditionSource> {
    if work.scalar.is_null() {
        return Ok(ConditionSource::Buffer(handle::clone(work.buffer, "work.buffer")?, work.offset));
    }
    let scalar = handle::clone(work.scalar, "work.scalar")?;
    check_unused(work.buffer.addr(), "work.buffer", "NULL beside a scalar")?;
    check_unused(work.offset, "work.offset", "0 beside a scalar")?;
    Ok(ConditionSource::Scalar(scalar))
}

impl Brief<'_> {
    /// The work as that of a node.
    #[inline]
    pub(super) fn node(&self) -> Result<NodeWork<'_>> {
        Ok(match self {
            Brief::Kernel(launch) => NodeWork::Kernel {
                kernel: launch.kernel,
                shape: launch.shape,
                arguments: launch.arguments,
                attributes: launch.attributes.of_node()?,
            },
            Brief::Values(values) => NodeWork::Values(values),
            Brief::EventRecord { event, .. } => NodeWork::EventRecord(event),
            Brief::EventWait { event, .. } => NodeWork::EventWait(event),
        })
    }
}
