//! gc_op_desc: the built-in ops as plain data, for languages that cannot fill a table of functions.

use std::ffi::{c_char, c_void};

use super::math::{self, gc_fft_params, gc_sgemm_params};
use crate::core::{Buffer, Copy, Graph, NodeWork};
use crate::driver::FftDirection;
use crate::ffi::boundary::callback::{gc_destroy_fn, gc_host_fn, UserData};
use crate::ffi::boundary::failure::{Failure, Result};
use crate::ffi::boundary::handle;
use crate::ffi::boundary::handle_types::{gc_buffer, gc_event, gc_graph, gc_kernel, gc_script};
use crate::ffi::boundary::options::{self, Versioned};
use crate::ffi::graphs::conditional;
use crate::ffi::objects::rng::{self, gc_rng_uniform_params};
use crate::ffi::operations::copy::{self, gc_memcpy_params, gc_memset_params};
use crate::ffi::operations::launch::{self, check_unused, gc_kernel_arg, gc_launch_config, Arguments};
use crate::kit::ops::{
    ChildGraphOp, ConditionalOp, EventRecordOp, EventWaitOp, FftOp, HostOp, KernelOp, MemcpyOp, MemsetOp, Named,
    OpArgument, RngUniformOp, SgemmOp,
};
use crate::kit::{GraphOp, Script};

/// gc_op_desc::kind: launches kernel with config and arguments, as gc_stream_launch_kernel() does. The config has no
/// attribute that records an event.
pub const GRAPHCAP_OP_KERNEL: u32 = 1;
/// gc_op_desc::kind: makes the copy of memcpy_params, as gc_stream_memcpy() does. Plain host memory is used at each launch
/// of the graphs that the op was recorded into; GRAPHCAP_MEMCPY_SNAPSHOT saves the bytes when the op is pushed.
pub const GRAPHCAP_OP_MEMCPY: u32 = 2;
/// gc_op_desc::kind: sets the rows of memset_params, as gc_stream_memset_2d() does.
pub const GRAPHCAP_OP_MEMSET: u32 = 3;
/// gc_op_desc::kind: calls function with user_data on the CPU, as gc_stream_launch_host_func() does; destroy is called when
/// the script and all graphs that the op was recorded into are gone.
pub const GRAPHCAP_OP_HOST: u32 = 4;
/// gc_op_desc::kind: runs a copy of graph, as it is when the op is recorded. Where the op is not recorded but runs, the graph
/// is instantiated for that.
pub const GRAPHCAP_OP_CHILD_GRAPH: u32 = 5;
/// gc_op_desc::kind: runs bodies depending on the 4 bytes at offset of buffer, whose address is a multiple of 4, as they are
/// when the graph comes to the op; GRAPHCAP_CONDITIONAL_WHILE looks again after each turn. A body can have kernels, copies, memsets,
/// child graphs, and up to 8 conditionals within each other; the ops between these become child graphs within the conditional node. A body
/// with an op of another kind is refused when the conditional is pushed; what ops of the caller's and child graphs have is found when the
/// graph is instantiated.
pub const GRAPHCAP_OP_CONDITIONAL: u32 = 6;
/// gc_op_desc::kind: records event, at each launch of a graph that the op was recorded into. Streams outside the graph wait
/// for the record.
pub const GRAPHCAP_OP_EVENT_RECORD: u32 = 7;
/// gc_op_desc::kind: waits for the record that event holds when a graph is launched that the op was recorded into.
pub const GRAPHCAP_OP_EVENT_WAIT: u32 = 8;

/// gc_op_desc::kind: multiplies the matrices of sgemm_params. A product of no elements does nothing.
pub const GRAPHCAP_OP_SGEMM: u32 = 16;
/// gc_op_desc::kind: makes the Fourier transforms of fft_params, from real numbers to complex ones.
pub const GRAPHCAP_OP_FFT_R2C: u32 = 17;
/// gc_op_desc::kind: makes the Fourier transforms of fft_params, from complex numbers to real ones.
pub const GRAPHCAP_OP_FFT_C2R: u32 = 18;
/// gc_op_desc::kind: fills floats with the random numbers of rng_uniform_params, as gc_stream_fill_uniform() does. The op is named
/// "uniform" unless name says otherwise.
pub const GRAPHCAP_OP_RNG_UNIFORM: u32 = 24;

/// A built-in op as data. Start from GRAPHCAP_OP_DESC_INIT, set kind, and the members that the kind names; the others stay
/// 0. The op keeps alive what it uses; all that the struct points to is copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_op_desc {
    /// sizeof(gc_op_desc).
    pub struct_size: u32,
    /// One of the GRAPHCAP_OP_ numbers.
    pub kind: u32,
    /// What messages call the op, UTF-8; NULL for the name of its kind.
    pub name: *const c_char,
    /// GRAPHCAP_OP_KERNEL: the kernel.
    pub kernel: *const gc_kernel,
    /// GRAPHCAP_OP_KERNEL: the shape of the launch.
    pub config: *const gc_launch_config,
    /// GRAPHCAP_OP_KERNEL: one for each parameter of the kernel, all of the same struct_size; may be NULL when argument_count
    /// is 0.
    pub arguments: *const gc_kernel_arg,
    /// GRAPHCAP_OP_KERNEL: the number of arguments.
    pub argument_count: usize,
    /// GRAPHCAP_OP_MEMCPY: the copy.
    pub memcpy_params: *const gc_memcpy_params,
    /// GRAPHCAP_OP_MEMSET: the rows.
    pub memset_params: *const gc_memset_params,
    /// GRAPHCAP_OP_HOST: the function.
    pub function: gc_host_fn,
    /// GRAPHCAP_OP_HOST: passed to function and to destroy; may be NULL.
    pub user_data: *mut c_void,
    /// GRAPHCAP_OP_HOST: called exactly once, also when the push fails after it has read this struct; may be NULL.
    pub destroy: gc_destroy_fn,
    /// GRAPHCAP_OP_CHILD_GRAPH: the graph.
    pub graph: *const gc_graph,
    /// GRAPHCAP_OP_EVENT_RECORD and GRAPHCAP_OP_EVENT_WAIT: the event.
    pub event: *const gc_event,
    /// GRAPHCAP_OP_CONDITIONAL: where the value is.
    pub buffer: *const gc_buffer,
    /// GRAPHCAP_OP_CONDITIONAL: its first byte.
    pub offset: usize,
    /// GRAPHCAP_OP_CONDITIONAL: one of the GRAPHCAP_CONDITIONAL_ numbers.
    pub conditional_kind: u32,
    /// GRAPHCAP_OP_CONDITIONAL: the number of bodies, as for gc_graph_add_conditional_node().
    pub body_count: u32,
    /// GRAPHCAP_OP_CONDITIONAL: the scripts that become the bodies, as they are now.
    pub bodies: *const *const gc_script,
    /// GRAPHCAP_OP_RNG_UNIFORM: what is filled, and with what.
    pub rng_uniform_params: *const gc_rng_uniform_params,
    /// GRAPHCAP_OP_SGEMM: the matrices.
    pub sgemm_params: *const gc_sgemm_params,
    /// GRAPHCAP_OP_FFT_R2C and GRAPHCAP_OP_FFT_C2R: the transforms.
    pub fft_params: *const gc_fft_params,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_op_desc {
    const LEAST_SIZE: usize = 16;
}

/// Pushes the op that a struct describes.
///
/// # Safety
/// What the struct points to is there, as the header says. `user_data` is that of the struct.
pub(super) unsafe fn push(script: &Script, desc: &gc_op_desc, user_data: UserData) -> Result<()> {
    if !matches!(desc.kind, GRAPHCAP_OP_KERNEL..=GRAPHCAP_OP_EVENT_WAIT | GRAPHCAP_OP_SGEMM..=GRAPHCAP_OP_FFT_C2R | GRAPHCAP_OP_RNG_UNIFORM)
    {
        return Err(unknown(desc.kind));
    }
    check_members(desc)?;
    match desc.kind {
        // SAFETY: passed on to the caller.
        GRAPHCAP_OP_KERNEL => unsafe { named(script, desc, kernel(desc)?) },
        // SAFETY: passed on to the caller.
        GRAPHCAP_OP_MEMCPY => unsafe { named(script, desc, memcpy(script, desc)?) },
        // SAFETY: passed on to the caller.
        GRAPHCAP_OP_MEMSET => unsafe { named(script, desc, memset(desc)?) },
        GRAPHCAP_OP_HOST => {
            // SAFETY: C promises that `function` may be called once per launch with `user_data`, on any thread.
            let function = unsafe { user_data.into_host_function(desc.function) }?;
            // SAFETY: passed on to the caller.
            unsafe { named(script, desc, HostOp::new(function)) }
        }
        GRAPHCAP_OP_CHILD_GRAPH => {
            let graph: Graph = handle::clone(desc.graph, "desc.graph")?;
            // SAFETY: passed on to the caller.
            unsafe { named(script, desc, ChildGraphOp { graph }) }
        }
        // SAFETY: passed on to the caller.
        GRAPHCAP_OP_CONDITIONAL => unsafe { named(script, desc, conditional(desc)?) },
        GRAPHCAP_OP_EVENT_RECORD => {
            let event = handle::clone(desc.event, "desc.event")?;
            // SAFETY: passed on to the caller.
            unsafe { named(script, desc, EventRecordOp { event }) }
        }
        GRAPHCAP_OP_EVENT_WAIT => {
            let event = handle::clone(desc.event, "desc.event")?;
            // SAFETY: passed on to the caller.
            unsafe { named(script, desc, EventWaitOp { event }) }
        }
        // SAFETY: passed on to the caller.
        GRAPHCAP_OP_RNG_UNIFORM => unsafe { named(script, desc, uniform(desc)?) },
        // SAFETY: passed on to the caller.
        GRAPHCAP_OP_SGEMM => unsafe { named(script, desc, sgemm(desc)?) },
        // SAFETY: passed on to the caller.
        GRAPHCAP_OP_FFT_R2C => unsafe { named(script, desc, fft(desc, FftDirection::RealToComplex)?) },
        // SAFETY: passed on to the caller.
        GRAPHCAP_OP_FFT_C2R => unsafe { named(script, desc, fft(desc, FftDirection::ComplexToReal)?) },
        number => Err(unknown(number)),
    }
}

#[cold]
fn unknown(kind: u32) -> Failure {
    Failure::Unknown { argument: "desc.kind", number: kind.into(), known: "one of the GRAPHCAP_OP_ numbers" }
}

/// What a kind does not name must be 0, so that a member in the wrong place is noticed.
fn check_members(desc: &gc_op_desc) -> Result<()> {
    use GRAPHCAP_OP_CONDITIONAL as CONDITIONAL;
    let function = desc.function.map_or(0, |function| function as usize);
    let destroy = desc.destroy.map_or(0, |destroy| destroy as usize);
    let kernel: &[u32] = &[GRAPHCAP_OP_KERNEL];
    let events: &[u32] = &[GRAPHCAP_OP_EVENT_RECORD, GRAPHCAP_OP_EVENT_WAIT];
    for (member, argument, kinds) in [
        (desc.kernel.addr(), "desc.kernel", kernel),
        (desc.config.addr(), "desc.config", kernel),
        (desc.arguments.addr(), "desc.arguments", kernel),
        (desc.argument_count, "desc.argument_count", kernel),
        (desc.memcpy_params.addr(), "desc.memcpy_params", &[GRAPHCAP_OP_MEMCPY]),
        (desc.memset_params.addr(), "desc.memset_params", &[GRAPHCAP_OP_MEMSET]),
        (function, "desc.function", &[GRAPHCAP_OP_HOST]),
        (desc.user_data.addr(), "desc.user_data", &[GRAPHCAP_OP_HOST]),
        (destroy, "desc.destroy", &[GRAPHCAP_OP_HOST]),
        (desc.graph.addr(), "desc.graph", &[GRAPHCAP_OP_CHILD_GRAPH]),
        (desc.event.addr(), "desc.event", events),
        (desc.buffer.addr(), "desc.buffer", &[CONDITIONAL]),
        (desc.offset, "desc.offset", &[CONDITIONAL]),
        (desc.conditional_kind as usize, "desc.conditional_kind", &[CONDITIONAL]),
        (desc.body_count as usize, "desc.body_count", &[CONDITIONAL]),
        (desc.bodies.addr(), "desc.bodies", &[CONDITIONAL]),
        (desc.rng_uniform_params.addr(), "desc.rng_uniform_params", &[GRAPHCAP_OP_RNG_UNIFORM]),
        (desc.sgemm_params.addr(), "desc.sgemm_params", &[GRAPHCAP_OP_SGEMM]),
        (desc.fft_params.addr(), "desc.fft_params", &[GRAPHCAP_OP_FFT_R2C, GRAPHCAP_OP_FFT_C2R]),
    ] {
        if !kinds.contains(&desc.kind) {
            check_unused(member, argument, "0 or NULL for an op of this kind")?;
        }
    }
    Ok(())
}

/// Pushes `op` under the name that the struct gives it.
///
/// # Safety
/// The name is NULL or a text that ends with a NUL.
unsafe fn named(script: &Script, desc: &gc_op_desc, op: impl GraphOp + 'static) -> Result<()> {
    if desc.name.is_null() {
        return Ok(script.push(op)?);
    }
    // SAFETY: passed on to the caller.
    let name = unsafe { options::text(desc.name, "desc.name") }?;
    Ok(script.push(Named::new(name, op))?)
}

/// # Safety
/// As [`push`].
unsafe fn kernel(desc: &gc_op_desc) -> Result<KernelOp> {
    let pinned = handle::pin();
    let kernel = handle::clone(desc.kernel, "desc.kernel")?;
    // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
    let (shape, attributes) = unsafe { launch::shape(desc.config, &pinned) }?;
    let mut held = Arguments::new();
    // SAFETY: C promises `argument_count` arguments, and that each value has as many bytes as it states.
    unsafe { held.read(desc.arguments, desc.argument_count, &pinned) }?;
    let arguments = held.list().iter().map(OpArgument::of).collect();
    Ok(KernelOp { kernel, shape, arguments, attributes: attributes.of_node()?.to_vec() })
}

/// # Safety
/// As [`push`].
unsafe fn memcpy(script: &Script, desc: &gc_op_desc) -> Result<MemcpyOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    let params = unsafe { options::read(desc.memcpy_params, "desc.memcpy_params") }?;
    let sides = copy::sides(&params, handle::clone, handle::clone)?;
    let check = |copy: &Copy<'_>| NodeWork::Memcpy(*copy).check(script.context());
    // SAFETY: C promises the host memory at each launch, and that of a snapshot during the call.
    unsafe { sides.with_copy(&params, check, |copy| Ok(MemcpyOp::of(copy))) }
}

/// # Safety
/// As [`push`].
unsafe fn memset(desc: &gc_op_desc) -> Result<MemsetOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    let params = unsafe { options::read(desc.memset_params, "desc.memset_params") }?;
    let memory = copy::filled(&params, handle::clone, handle::clone)?;
    Ok(MemsetOp::of(&copy::fill(&params, memory.buffer())?))
}

/// # Safety
/// As [`push`].
unsafe fn uniform(desc: &gc_op_desc) -> Result<RngUniformOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    let params = unsafe { options::read(desc.rng_uniform_params, "desc.rng_uniform_params") }?;
    Ok(RngUniformOp {
        draw: rng::draw(&params)?,
        rng: handle::clone(params.rng, "params.rng")?,
        buffer: handle::clone(params.buffer, "params.buffer")?,
        offset: params.offset,
        count: params.count,
    })
}

/// # Safety
/// As [`push`].
unsafe fn sgemm(desc: &gc_op_desc) -> Result<SgemmOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    math::sgemm(&unsafe { options::read(desc.sgemm_params, "desc.sgemm_params") }?)
}

/// # Safety
/// As [`push`].
unsafe fn fft(desc: &gc_op_desc, direction: FftDirection) -> Result<FftOp> {
    // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
    let params = unsafe { options::read(desc.fft_params, "desc.fft_params") }?;
    // SAFETY: passed on to the caller.
    unsafe { math::fft(&params, direction) }
}

/// # Safety
/// As [`push`].
unsafe fn conditional(desc: &gc_op_desc) -> Result<ConditionalOp> {
    let kind = conditional::kind_of(desc.conditional_kind)?;
    let buffer: Buffer = handle::clone(desc.buffer, "desc.buffer")?;
    // SAFETY: C promises `body_count` handles.
    let handles = unsafe { options::elements(desc.bodies, desc.body_count as usize, "desc.bodies") }?;
    let mut bodies = Vec::new();
    for (index, &body) in handles.unwrap_or_default().iter().enumerate() {
        let body: Script = handle::clone(body, "desc.bodies").map_err(|failure| failure.of_element(index))?;
        bodies.push(body);
    }
    Ok(ConditionalOp::new(kind, &buffer, desc.offset, &bodies)?)
}
