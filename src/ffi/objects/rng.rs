//! gc_rng: random numbers that work draws when it runs.

use crate::ffi::boundary::{
    answer_borrowed, answer_clone, check_flags, gc_buffer, gc_rng, gc_status, gc_stream, guard, handle, one_of,
    with_two_borrowed, with_two_clones, Failure, Out, Output, Result, Versioned,
};
use graphcap_core::{Draw, Rng};
use graphcap_driver::rules::torch_state::TorchLayout;

/// gc_rng_uniform_params::flags: each time the fill runs it has the same numbers, those from element first of the sequence on. The
/// generator does not move on.
pub const GRAPHCAP_RNG_REPEAT: u32 = 1;

/// Floats of a buffer that are filled with random numbers. Start from GRAPHCAP_RNG_UNIFORM_PARAMS_INIT, and set rng, buffer and
/// count.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_rng_uniform_params {
    /// sizeof(gc_rng_uniform_params).
    pub struct_size: u32,
    /// 0, or GRAPHCAP_RNG_REPEAT.
    pub flags: u32,
    /// The generator.
    pub rng: *const gc_rng,
    /// Memory that is filled.
    pub buffer: *const gc_buffer,
    /// Its first byte filled; the address there is a multiple of 4.
    pub offset: usize,
    /// Number of floats of 4 bytes; 0 has no effect.
    pub count: usize,
    /// GRAPHCAP_RNG_REPEAT: the number of the element that the first float has; 0 without the flag.
    pub first: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_rng_uniform_params {}

/// Returns the draw that a struct asks for. `role` is what messages call the struct's members.
pub(in crate::ffi) fn draw(params: &gc_rng_uniform_params) -> Result<Draw> {
    check_flags(params.flags, GRAPHCAP_RNG_REPEAT, "params.flags", "0 or GRAPHCAP_RNG_REPEAT")?;
    match (params.flags, params.first) {
        (0, 0) => Ok(Draw::Next),
        (0, first) => Err(Failure::Unknown {
            argument: "params.first",
            number: first.into(),
            known: "0 without GRAPHCAP_RNG_REPEAT",
        }),
        (_, first) => Ok(Draw::Repeat { first }),
    }
}

/// Makes a generator of random numbers, of the stream's context.
///
/// A generator is a sequence of 2^64 elements, and the number of the element that is drawn next, which is 0. The sequence is that of
/// Philox 4x32-10: element i is word i mod 4 of what Philox gives for counter i / 4, where the key is the seed, and the upper half of
/// the counter is the subsequence. cuRAND's curand_init(seed, subsequence, offset, &state) stands at element offset of the same
/// sequence. So generators of one seed and different subsequences never share numbers: one for each device, say.
///
/// The state is in device memory. It is written in the order of the stream; work of other streams that draws is the caller's to
/// order behind that, by an event. Any thread may use a generator.
///
/// @param[in]  stream       the stream, not being captured
/// @param[in]  seed         which numbers
/// @param[in]  subsequence  which part of them; 0 where there is only one
/// @param[out] rng_out      the new generator, owned by the caller until gc_rng_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream is being captured;
///                                          the capture goes on
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED     the GPU does not support value writes of 64 bits
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY     the device does not have enough memory
#[no_mangle]
pub unsafe extern "C" fn gc_rng_create(
    stream: *const gc_stream,
    seed: u64,
    subsequence: u64,
    rng_out: *mut *mut gc_rng,
) -> gc_status {
    // SAFETY: C promises that `rng_out` is NULL or writable.
    let out = unsafe { Out::handle(rng_out, "rng_out") };
    answer_clone("gc_rng_create", (stream, "stream"), out, |stream| {
        handle::insert(Rng::create(&stream, seed, subsequence)?)
    })
}

/// gc_rng_torch_state(): the layout of at::PhiloxCudaState with 24 bytes, in which the offset within the graph has 32 bits, of
/// PyTorch before it had 64.
pub const GRAPHCAP_TORCH_STATE_24: u32 = 24;
/// gc_rng_torch_state(): the layout of at::PhiloxCudaState with 32 bytes, in which the offset within the graph has 64 bits, as in
/// PyTorch 2.11.
pub const GRAPHCAP_TORCH_STATE_32: u32 = 32;

/// Gives an at::PhiloxCudaState for a kernel that was written for PyTorch and is recorded next on the stream, so that
/// the kernel draws other numbers at each replay. docs/random.md has an example.
///
/// The state points to the generator's seed and to an offset in device memory, which each replay writes before the
/// kernel runs, by the node that takes the numbers of the graph's fills. The capture of the stream depends on that node
/// after the call. The graph keeps the memory, so a state is for kernels of this graph alone. Pass the first 24 or 32
/// bytes, as the layout says, as the kernel's argument; a kernel unpacks them by at::cuda::philox::unpack().
///
/// The kernel draws up to increment numbers in each thread: elements of the sequence of the generator's seed, from the
/// one that the generator draws next on, of the subsequence that has the number of the thread, as by curand_init(seed,
/// thread, offset, &state). Nothing checks that it draws no more. The generator's own subsequence is not used. Another
/// generator of the same seed may share numbers with the kernel; this one does not.
///
/// @param[in]  rng        the generator
/// @param[in]  stream     the stream, of the same context, being captured by a gc_ call
/// @param[in]  layout     sizeof(at::PhiloxCudaState) of the PyTorch that the kernel was compiled with: GRAPHCAP_TORCH_STATE_24 or
///                        GRAPHCAP_TORCH_STATE_32
/// @param[in]  increment  how many numbers each thread draws at most; rounded up to a multiple of 4
/// @param[out] state_out  4 words of 64 bits, the first bytes of which are the state; all 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    increment is more than the sequence has, or the graph draws more numbers
///     before than the layout has bits for
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the generator and the stream belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE    the stream is not being captured, or another thread ended the capture
///                                         meanwhile
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    others began the capture, which goes on
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY    the device does not have enough memory
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED    in a capture that another thread began on its per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_rng_torch_state(
    rng: *const gc_rng,
    stream: *const gc_stream,
    layout: u32,
    increment: u64,
    state_out: *mut u64,
) -> gc_status {
    // SAFETY: C promises that `state_out` is NULL or writable for 4 words.
    let out = unsafe { Out::number(state_out.cast::<[u64; 4]>(), "state_out") };
    with_two_clones("gc_rng_torch_state", (rng, "rng"), (stream, "stream"), |rng, stream| {
        out.answer(|| Ok(rng.torch_state(&stream, torch_layout(layout)?, increment)?))
    })
}

fn torch_layout(layout: u32) -> Result<TorchLayout> {
    let layouts = [(GRAPHCAP_TORCH_STATE_24, TorchLayout::Bytes24), (GRAPHCAP_TORCH_STATE_32, TorchLayout::Bytes32)];
    one_of(layouts, layout, "layout", "GRAPHCAP_TORCH_STATE_24 or GRAPHCAP_TORCH_STATE_32")
}

/// Begins another sequence when the earlier work of the stream has completed: that of the seed, with the same subsequence, from
/// element 0 on.
///
/// Graphs that were recorded before draw from it too. Work of other streams is the caller's to order, by events. The call cannot be
/// recorded.
///
/// @param[in] rng     the generator
/// @param[in] stream  the stream, of the same context
/// @param[in] seed    the seed
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT   the generator and the stream belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream is being captured;
///                                          the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_rng_set_seed(rng: *const gc_rng, stream: *const gc_stream, seed: u64) -> gc_status {
    with_two_borrowed(
        "gc_rng_set_seed",
        (rng, "rng"),
        (stream, "stream"),
        |rng, stream| Ok(rng.set_seed(stream, seed)?),
    )
}

/// Returns the seed of a generator as it is when the earlier work of the stream has completed, and waits for that, as
/// gc_scalar_read() does.
///
/// @param[in]  rng       the generator
/// @param[in]  stream    the stream, of the same context
/// @param[out] seed_out  the seed; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the generator and the stream belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  another capture forbids the wait
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being captured;
///                                             the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_rng_get_seed(
    rng: *const gc_rng,
    stream: *const gc_stream,
    seed_out: *mut u64,
) -> gc_status {
    // SAFETY: C promises that `seed_out` is NULL or writable.
    let out = unsafe { Out::number(seed_out, "seed_out") };
    with_two_clones("gc_rng_get_seed", (rng, "rng"), (stream, "stream"), |rng, stream| {
        out.answer(|| Ok(rng.seed(&stream)?))
    })
}

/// Makes a generator go on from an element of its sequence, when the earlier work of the stream has completed. See gc_rng_set_seed()
/// for all else.
///
/// @param[in] rng     the generator
/// @param[in] stream  the stream, of the same context
/// @param[in] offset  the number of the element that is drawn next
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT   the generator and the stream belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream is being captured;
///                                          the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_rng_set_offset(rng: *const gc_rng, stream: *const gc_stream, offset: u64) -> gc_status {
    with_two_borrowed("gc_rng_set_offset", (rng, "rng"), (stream, "stream"), |rng, stream| {
        Ok(rng.set_offset(stream, offset)?)
    })
}

/// Returns the number of the element that is drawn next, as it is when the earlier work of the stream has completed, and waits for
/// that, as gc_scalar_read() does.
///
/// @param[in]  rng         the generator
/// @param[in]  stream      the stream, of the same context
/// @param[out] offset_out  the number of the element; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the generator and the stream belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  another capture forbids the wait
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being captured;
///                                             the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_rng_get_offset(
    rng: *const gc_rng,
    stream: *const gc_stream,
    offset_out: *mut u64,
) -> gc_status {
    // SAFETY: C promises that `offset_out` is NULL or writable.
    let out = unsafe { Out::number(offset_out, "offset_out") };
    with_two_clones("gc_rng_get_offset", (rng, "rng"), (stream, "stream"), |rng, stream| {
        out.answer(|| Ok(rng.offset(&stream)?))
    })
}

/// Returns the subsequence of a generator.
///
/// @param[in]  rng              the generator
/// @param[out] subsequence_out  what gc_rng_create() was given; 0 on failure
#[no_mangle]
pub unsafe extern "C" fn gc_rng_subsequence(rng: *const gc_rng, subsequence_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `subsequence_out` is NULL or writable.
    let out = unsafe { Out::number(subsequence_out, "subsequence_out") };
    answer_borrowed("gc_rng_subsequence", (rng, "rng"), out, |rng| Ok(rng.subsequence()))
}

/// Destroys a generator. Its state is freed when no graph or graph exec draws from it any more and the work that draws from it has
/// completed. Does not wait.
///
/// @param[in] rng  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_rng_destroy(rng: *mut gc_rng) -> gc_status {
    guard("gc_rng_destroy", [], || handle::destroy(rng, "rng"))
}
