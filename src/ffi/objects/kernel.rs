//! gc_kernel: one function of a module.

use std::ffi::c_char;

use crate::ffi::boundary::{
    answer_borrowed, gc_buffer, gc_kernel, gc_status, guard, handle, one_of, options, with_borrowed, Failure, Out,
    Result, TextOut, Token,
};
use crate::ffi::operations::launch::{
    GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_WRITE,
};
use graphcap_base::error::{Error, Status};
use graphcap_base::names::shown;
use graphcap_base::room;
use graphcap_core::{Access, Buffer, Kernel, KernelConcurrency};

/// The way in which launches of a kernel run beside other nodes of an optimized graph: one of the GRAPHCAP_CONCURRENCY_ numbers.
pub type gc_kernel_concurrency = u32;
/// Beside all nodes that touch other memory.
pub const GRAPHCAP_CONCURRENCY_FREE: gc_kernel_concurrency = 0;
/// Never beside another launch of a kernel with this concurrency, and in the recorded order: for kernels that talk to
/// other processes or devices, which make the launches that belong to them in the same order. It holds among the nodes
/// of each graph: beside a child graph or a body that has such kernels too, a kernel is ordered as it was recorded, so
/// record one after the other. A graph with such a kernel is neither measured nor verified: the other processes would
/// not replay with it.
pub const GRAPHCAP_CONCURRENCY_ONE_AT_A_TIME: gc_kernel_concurrency = 1;
/// Beside no other node of its graph: for kernels that need the whole device, as those that spin until all their blocks have begun.
pub const GRAPHCAP_CONCURRENCY_ALONE: gc_kernel_concurrency = 2;

/// The parameter sizes of a kernel that are known.
fn sizes(kernel: &Kernel) -> Result<&[usize]> {
    kernel.parameter_sizes().ok_or_else(|| {
        let name = shown(kernel.name());
        let message = format!(
            "the parameters of '{name}' are not known; set parameter_sizes of the host kernel of that name when loading \
             its module; a CUDA driver for 12.4 or newer tells them itself"
        );
        Failure::Told(Error::new(Status::NOT_SUPPORTED, message))
    })
}

/// Destroys a kernel handle. Graphs and launches that use the kernel are not affected.
///
/// @param[in] kernel  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_destroy(kernel: *mut gc_kernel) -> gc_status {
    guard("gc_kernel_destroy", [], || handle::destroy(kernel, "kernel"))
}

/// Copies the name of a kernel, which is the one that it was found by. gc_get_name() copies the names of objects of several
/// kinds. Both may be called inside callbacks.
///
/// @param[in]  kernel    the kernel
/// @param[out] text      where to copy the name to; it ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole name in bytes with its NUL; may be NULL
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_name(
    kernel: *const gc_kernel,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    with_borrowed("gc_kernel_name", (kernel, "kernel"), |kernel| out.write(kernel.name()))
}

/// Counts the parameters of a kernel.
///
/// @param[in]  kernel     the kernel
/// @param[out] count_out  the number of parameters
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the parameters are not known: the module description does not state them, and
///                                       no driver reports them. CUDA drivers report them from 12.4 on
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_parameter_count(kernel: *const gc_kernel, count_out: *mut usize) -> gc_status {
    // SAFETY: C promises that `count_out` is NULL or writable.
    let out = unsafe { Out::number(count_out, "count_out") };
    answer_borrowed("gc_kernel_parameter_count", (kernel, "kernel"), out, |kernel| Ok(sizes(kernel)?.len()))
}

/// Returns the size of a parameter of a kernel.
///
/// @param[in]  kernel    the kernel
/// @param[in]  index     which parameter, from 0
/// @param[out] size_out  bytes; 8 for a buffer
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the index is not below the number of parameters
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the parameters are not known: the module description does not state them, and
///                                       no driver reports them. CUDA drivers report them from 12.4 on
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_parameter_size(
    kernel: *const gc_kernel,
    index: usize,
    size_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `size_out` is NULL or writable.
    let out = unsafe { Out::number(size_out, "size_out") };
    answer_borrowed("gc_kernel_parameter_size", (kernel, "kernel"), out, |kernel| {
        let size = sizes(kernel)?.get(index).ok_or(Failure::Unknown {
            argument: "index",
            number: index as i128,
            known: "below the number of the kernel's parameters",
        })?;
        Ok(*size)
    })
}

/// States what a kernel does with the memory that its parameters point to. gc_graph_optimize() orders the launches of the
/// kernel by that. The statement holds for all handles of the kernel, and for launches that were recorded before.
///
/// A parameter with GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE is a pointer. The kernel
/// may touch any byte of the buffers that it points into, or of another allocation if no buffer is there, in this way
/// and in no other. Through a pointer that is NULL it touches nothing. A parameter with GRAPHCAP_ACCESS_NONE is no
/// pointer. The kernel touches no other memory: it follows no pointer that lies in memory, and uses no variable of its
/// module, but for what gc_kernel_set_buffer_access() states. It waits for nothing that the CPU or another kernel does
/// meanwhile. A wrong statement makes replays of optimized graphs wrong.
///
/// @param[in] kernel    the kernel
/// @param[in] accesses  a number for each parameter of the kernel; NULL takes an earlier statement back
/// @param[in] count     how many; 0 if accesses is NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  as far as the parameters are known, count is not their number or a parameter
///     that is to be a pointer has not 8 bytes. The earlier statement holds
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_set_accesses(
    kernel: *const gc_kernel,
    accesses: *const u32,
    count: usize,
) -> gc_status {
    with_borrowed("gc_kernel_set_accesses", (kernel, "kernel"), |kernel| {
        // SAFETY: C promises that `accesses` is NULL or points to `count` numbers.
        let numbers = unsafe { options::elements(accesses, count, "accesses") }?;
        let accesses = numbers.map(read_accesses).transpose()?;
        Ok(kernel.state_accesses(accesses.as_deref())?)
    })
}

/// States what a kernel does with a buffer that none of its arguments points to: a variable of its module, see
/// gc_module_get_global(), or memory that a pointer in memory leads to. gc_graph_optimize(), gc_graph_verify() and
/// GRAPHCAP_CHECK_ACCESS go by it. It adds to what gc_kernel_set_accesses() or the launch states of the arguments, or
/// to parameters that are trusted. A kernel of which nothing else is stated stays unknown.
///
/// The statement is of all bytes of the buffer. It holds for all handles of the kernel, and for launches that were
/// recorded before. It keeps the buffer alive until the last handle of the kernel, the last graph that has the kernel,
/// and submitted work are gone. Take it back only after the launches that use the buffer by it.
///
/// @param[in] kernel  the kernel
/// @param[in] buffer  the buffer; a statement of a buffer with these bytes takes the place of the one before
/// @param[in] access  GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE; GRAPHCAP_ACCESS_NONE takes
///                    the statement back
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    access is none of these numbers
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the buffer is of a device of another kind than the kernel
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_set_buffer_access(
    kernel: *const gc_kernel,
    buffer: *const gc_buffer,
    access: u32,
) -> gc_status {
    guard("gc_kernel_set_buffer_access", [Token::of(kernel), Token::of(buffer)], || {
        // Not borrowed: a buffer may go of which the statement was the last to know, and code of the caller's may run for it.
        let kernel: Kernel = handle::clone(kernel, "kernel")?;
        let buffer: Buffer = handle::clone(buffer, "buffer")?;
        Ok(kernel.state_buffer(&buffer, self::access(access, "access")?)?)
    })
}

/// States how launches of a kernel run beside other nodes of graphs that gc_graph_optimize() makes, besides what they touch.
/// The statement holds for all handles of the kernel, and for launches that were recorded before. Where a graph keeps its
/// recorded edges, its nodes run beside each other as they were recorded.
///
/// @param[in] kernel    the kernel
/// @param[in] concurrency  one of the GRAPHCAP_CONCURRENCY_ numbers; GRAPHCAP_CONCURRENCY_FREE takes an earlier statement back
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  concurrency is none of these numbers
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_set_concurrency(
    kernel: *const gc_kernel,
    concurrency: gc_kernel_concurrency,
) -> gc_status {
    with_borrowed("gc_kernel_set_concurrency", (kernel, "kernel"), |kernel| {
        let all = [
            (GRAPHCAP_CONCURRENCY_FREE, KernelConcurrency::Free),
            (GRAPHCAP_CONCURRENCY_ONE_AT_A_TIME, KernelConcurrency::OneAtATime),
            (GRAPHCAP_CONCURRENCY_ALONE, KernelConcurrency::Alone),
        ];
        let known = "one of the GRAPHCAP_CONCURRENCY_ numbers";
        Ok(kernel.set_concurrency(one_of(all, concurrency, "concurrency", known)?)?)
    })
}

/// The accesses of the parameters of a kernel, by their numbers.
pub(super) fn read_accesses(numbers: &[u32]) -> Result<Vec<Option<Access>>> {
    let mut list = room::list(numbers.len())?;
    for &number in numbers {
        list.push(access(number, "accesses")?);
    }
    Ok(list)
}

/// Returns what a kernel does with memory, by its number in `argument`; `None` for a parameter that is no address.
pub(crate) fn access(number: u32, argument: &'static str) -> Result<Option<Access>> {
    let all = [
        (GRAPHCAP_ACCESS_NONE, None),
        (GRAPHCAP_ACCESS_READ, Some(Access::Read)),
        (GRAPHCAP_ACCESS_WRITE, Some(Access::Write)),
        (GRAPHCAP_ACCESS_READ_WRITE, Some(Access::ReadWrite)),
    ];
    one_of(all, number, argument, "GRAPHCAP_ACCESS_READ, _WRITE, _READ_WRITE or _NONE")
}
