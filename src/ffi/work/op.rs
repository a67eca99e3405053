//! Work as ops of scripts, and the work that only ops do: products, transforms, random numbers, scripts as bodies.

use super::data::{self, gc_work};
use crate::ffi::boundary::callback::UserData;
use crate::ffi::boundary::failure::{Failure, Result};
use crate::ffi::boundary::handle;
use crate::ffi::boundary::options::{self, check_flags};
use crate::ffi::graphs::conditional;
use crate::ffi::kit::math;
use crate::ffi::objects::event::{GRAPHCAP_EVENT_RECORD_EXTERNAL, GRAPHCAP_EVENT_WAIT_EXTERNAL};
use crate::ffi::objects::rng;
use crate::ffi::operations::copy;
use crate::ffi::operations::launch::{self, check_unused, Arguments};
use graphcap_core::{Buffer, Copy, NodeWork};
use graphcap_driver::FftDirection;
use graphcap_kit::ops::{
    ChildGraphOp, ConditionalOp, EventRecordOp, EventWaitOp, FftOp, HostOp, KernelOp, MemcpyOp, MemsetOp, OpArgument,
    RngUniformOp, SgemmOp,
};
use graphcap_kit::{GraphOp, Script};

/// The op that does the work in a script.
///
/// # Safety
/// All that the struct points to is there, as the header says. `user_data` is that of the struct.
pub(super) unsafe fn op(script: &Script, work: &gc_work, user_data: UserData) -> Result<Box<dyn GraphOp>> {
    work.check_members()?;
    // SAFETY: passed on to the caller.
    unsafe { of_kind(script, work, user_data) }.map_err(|failure| work.told(failure))
}

/// # Safety
/// As [`op`].
unsafe fn of_kind(script: &Script, work: &gc_work, user_data: UserData) -> Result<Box<dyn GraphOp>> {
    Ok(match work.kind {
        // SAFETY: passed on to the caller.
        data::GRAPHCAP_WORK_KERNEL => Box::new(unsafe { kernel(work) }?),
        // SAFETY: passed on to the caller.
        data::GRAPHCAP_WORK_MEMCPY => Box::new(unsafe { memcpy(script, work) }?),
        // SAFETY: passed on to the caller.
        data::GRAPHCAP_WORK_MEMSET => Box::new(unsafe { memset(work) }?),
        data::GRAPHCAP_WORK_HOST => {
            // SAFETY: C promises that `function` may be called once per launch with `user_data`, on any thread.
            Box::new(HostOp::new(unsafe { user_data.into_host_function(work.function) }?))
        }
        data::GRAPHCAP_WORK_CHILD_GRAPH => Box::new(ChildGraphOp { graph: handle::clone(work.graph, "work.graph")? }),
        data::GRAPHCAP_WORK_CONDITIONAL => {
            let known = "0 in a script, where buffer and bodies say what decides about what";
            check_unused(work.condition as usize, "work.condition", known)?;
            // SAFETY: passed on to the caller.
            Box::new(unsafe { conditional(work) }?)
        }
        data::GRAPHCAP_WORK_EVENT_RECORD => {
            let known = "0 or GRAPHCAP_EVENT_RECORD_EXTERNAL";
            check_flags(work.flags, GRAPHCAP_EVENT_RECORD_EXTERNAL, "work.flags", known)?;
            Box::new(EventRecordOp { event: handle::clone(work.event, "work.event")? })
        }
        data::GRAPHCAP_WORK_EVENT_WAIT => {
            let known = "0 or GRAPHCAP_EVENT_WAIT_EXTERNAL";
            check_flags(work.flags, GRAPHCAP_EVENT_WAIT_EXTERNAL, "work.flags", known)?;
            Box::new(EventWaitOp { event: handle::clone(work.event, "work.event")? })
        }
        data::GRAPHCAP_WORK_EMPTY
        | data::GRAPHCAP_WORK_MEM_OPS
        | data::GRAPHCAP_WORK_MEM_ALLOC
        | data::GRAPHCAP_WORK_MEM_FREE
        | data::GRAPHCAP_WORK_SET_CONDITION => {
            return Err(Failure::Unknown {
                argument: "work.kind",
                number: work.kind.into(),
                known: "that of an op; push a child graph that has such a node",
            })
        }
        // SAFETY: passed on to the caller.
        kind => unsafe { product(work) }?.ok_or_else(|| data::unknown(kind))?,
    })
}

/// The op of a kind that only the kit has; `None` for other kinds.
///
/// # Safety
/// As [`op`].
pub(super) unsafe fn product(work: &gc_work) -> Result<Option<Box<dyn GraphOp>>> {
    Ok(Some(match work.kind {
        // SAFETY: passed on to the caller.
        data::GRAPHCAP_WORK_RNG_UNIFORM => Box::new(unsafe { uniform(work) }?),
        // SAFETY: passed on to the caller.
        data::GRAPHCAP_WORK_SGEMM => Box::new(unsafe { sgemm(work) }?),
        // SAFETY: passed on to the caller.
        data::GRAPHCAP_WORK_FFT_R2C => Box::new(unsafe { fft(work, FftDirection::RealToComplex) }?),
        // SAFETY: passed on to the caller.
        data::GRAPHCAP_WORK_FFT_C2R => Box::new(unsafe { fft(work, FftDirection::ComplexToReal) }?),
        _ => return Ok(None),
    }))
}

/// # Safety
/// As [`op`].
unsafe fn kernel(work: &gc_work) -> Result<KernelOp> {
    let pinned = handle::pin();
    let kernel = handle::clone(work.kernel, "work.kernel")?;
    // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
    let (shape, attributes) = unsafe { launch::shape(work.config, &pinned) }?;
    let mut held = Arguments::new();
    // SAFETY: C promises `argument_count` arguments, and that each value has as many bytes as it states.
    unsafe { held.read(work.arguments, work.argument_count, &pinned) }?;
    let arguments = held.list().iter().map(OpArgument::of).collect();
    Ok(KernelOp { kernel, shape, arguments, attributes: attributes.of_node()?.to_vec() })
}

/// # Safety
/// As [`op`].
unsafe fn memcpy(script: &Script, work: &gc_work) -> Result<MemcpyOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    let params = unsafe { options::read(work.memcpy_params, "work.memcpy_params") }?;
    let sides = copy::sides(&params, handle::clone, handle::clone)?;
    // Rows between contexts would fail only where the op is recorded.
    sides.peer(&params)?;
    let check = |copy: &Copy<'_>| NodeWork::Memcpy(*copy).check(script.context());
    // SAFETY: C promises the host memory at each launch, and that of a snapshot during the call.
    unsafe { sides.with_copy(&params, check, |copy| Ok(MemcpyOp::of(copy))) }
}

/// # Safety
/// As [`op`].
unsafe fn memset(work: &gc_work) -> Result<MemsetOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    let params = unsafe { options::read(work.memset_params, "work.memset_params") }?;
    let memory = copy::filled(&params, handle::clone, handle::clone)?;
    Ok(MemsetOp::of(&copy::fill(&params, memory.buffer())?))
}

/// # Safety
/// As [`op`].
unsafe fn uniform(work: &gc_work) -> Result<RngUniformOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    let params = unsafe { options::read(work.rng_uniform_params, "work.rng_uniform_params") }?;
    Ok(RngUniformOp {
        draw: rng::draw(&params)?,
        rng: handle::clone(params.rng, "params.rng")?,
        buffer: handle::clone(params.buffer, "params.buffer")?,
        offset: params.offset,
        count: params.count,
    })
}

/// # Safety
/// As [`op`].
unsafe fn sgemm(work: &gc_work) -> Result<SgemmOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    math::sgemm(&unsafe { options::read(work.sgemm_params, "work.sgemm_params") }?)
}

/// # Safety
/// As [`op`].
unsafe fn fft(work: &gc_work, direction: FftDirection) -> Result<FftOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    let params = unsafe { options::read(work.fft_params, "work.fft_params") }?;
    // SAFETY: passed on to the caller.
    unsafe { math::fft(&params, direction) }
}

/// # Safety
/// As [`op`].
pub(super) unsafe fn conditional(work: &gc_work) -> Result<ConditionalOp> {
    let kind = conditional::kind_of(work.conditional_kind)?;
    let buffer: Buffer = handle::clone(work.buffer, "work.buffer")?;
    // SAFETY: C promises `body_count` handles.
    let handles = unsafe { options::elements(work.bodies, work.body_count as usize, "work.bodies") }?;
    let mut bodies = Vec::new();
    for (index, &body) in handles.unwrap_or_default().iter().enumerate() {
        let body: Script = handle::clone(body, "work.bodies").map_err(|failure| failure.of_element(index))?;
        bodies.push(body);
    }
    Ok(ConditionalOp::new(kind, &buffer, work.offset, &bodies)?)
}
