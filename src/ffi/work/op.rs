//! The work that only ops do: products, transforms, random numbers, scripts as bodies.

use super::data::{self, gc_work};
use crate::ffi::boundary::{handle, options, Result};
use crate::ffi::graphs::conditional;
use crate::ffi::kit::math;
use crate::ffi::objects::rng;
use graphcap_core::Buffer;
use graphcap_driver::FftDirection;
use graphcap_kit::ops::{ConditionalOp, FftOp, RngUniformOp, SgemmOp};
use graphcap_kit::{GraphOp, Script};

/// The op of a kind that only the kit has; `None` for other kinds.
///
/// # Safety
/// All that the struct points to is there, as the header says.
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
/// As [`product`].
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
/// As [`product`].
unsafe fn sgemm(work: &gc_work) -> Result<SgemmOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    math::sgemm(&unsafe { options::read(work.sgemm_params, "work.sgemm_params") }?)
}

/// # Safety
/// As [`product`].
unsafe fn fft(work: &gc_work, direction: FftDirection) -> Result<FftOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    let params = unsafe { options::read(work.fft_params, "work.fft_params") }?;
    // SAFETY: passed on to the caller.
    unsafe { math::fft(&params, direction) }
}

/// # Safety
/// As [`product`].
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
