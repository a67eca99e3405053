//! Copies and memsets of several rows: gc_memcpy_params, gc_memset_params, and the functions that take them; copies between
//! contexts.

use std::borrow::Borrow;
use std::ffi::c_void;

use super::launch::check_unused;
use super::stream_work;
use crate::ffi::boundary::{
    check_flags, gc_buffer, gc_context, gc_host_buffer, gc_status, handle, options, with_clone, Failure, Result,
    Versioned,
};
use graphcap_base::error::{Error, Status};
use graphcap_core::{Buffer, Copy, CopyOf, CopySide, CopySideOf, FillOf, HostBuffer, HostPointer, Pitch};
use graphcap_driver::Snapshot;

/// gc_memcpy_params::direction: from source_host or source_host_buffer to destination_host or destination_host_buffer.
pub const GRAPHCAP_MEMCPY_HOST_TO_HOST: u32 = 0;
/// gc_memcpy_params::direction: from source_host or source_host_buffer to destination.
pub const GRAPHCAP_MEMCPY_HOST_TO_DEVICE: u32 = 1;
/// gc_memcpy_params::direction: from source to destination_host or destination_host_buffer.
pub const GRAPHCAP_MEMCPY_DEVICE_TO_HOST: u32 = 2;
/// gc_memcpy_params::direction: from source to destination.
pub const GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE: u32 = 3;
/// gc_memcpy_params::direction: from source to destination, buffers of any contexts on devices of the kind of the stream's. A stream copies
/// one row so; without this direction both buffers are of its context. Nodes and gc_stream_memcpy_batch() make no difference between this
/// direction and GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE.
///
/// Only the stream orders the copy. Work of other contexts on the buffers is ordered by events, as within one context: streams wait
/// for events of other contexts too. As for any work, the buffers and their contexts may be destroyed: the memory lives until the
/// copy has run, and as long as a graph uses it. Between CUDA devices the driver copies directly if it can, else through host
/// memory. A capture records the copy in a form that CUDA's captures accept.
pub const GRAPHCAP_MEMCPY_PEER: u32 = 5;

/// gc_memcpy_params::flags: the call saves the bytes at source_host, and the copy reads the saved bytes, at each replay
/// too. The memory may be freed or changed when the call returns.
pub const GRAPHCAP_MEMCPY_SNAPSHOT: u32 = 1;

/// A copy. Start from GRAPHCAP_MEMCPY_INIT_HTOD(destination, destination_offset, source_host, size),
/// GRAPHCAP_MEMCPY_INIT_DTOH(destination_host, source, source_offset, size),
/// GRAPHCAP_MEMCPY_INIT_DTOD(destination, destination_offset, source, source_offset, size) or
/// GRAPHCAP_MEMCPY_INIT_HTOH(destination_host, source_host, size), and set the other members for a copy of several rows.
///
/// A copy has depth slices of height rows of size bytes. Each side has its own pitch, so that a part of a picture or of
/// a volume can be copied.
///
/// Members that the direction does not use must be NULL or 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_memcpy_params {
    /// sizeof(gc_memcpy_params).
    pub struct_size: u32,
    /// One of the GRAPHCAP_MEMCPY_ numbers, which are those of the CUDA runtime.
    pub direction: u32,
    /// The buffer to write.
    pub destination: *const gc_buffer,
    /// The first byte written, counted from the start of the buffer, or of the host buffer.
    pub destination_offset: usize,
    /// The host memory to write; it is written at each replay and must be valid then. NULL with a
    /// destination_host_buffer; may be NULL when size, height or depth is 0.
    pub destination_host: *mut c_void,
    /// The buffer to read.
    pub source: *const gc_buffer,
    /// The first byte read, counted from the start of the buffer, or of the host buffer.
    pub source_offset: usize,
    /// The host memory to read; it is read at each replay and must be valid then, unless GRAPHCAP_MEMCPY_SNAPSHOT is
    /// set. NULL with a source_host_buffer; may be NULL when size, height or depth is 0.
    pub source_host: *const c_void,
    /// Bytes in a row; 0 copies nothing.
    pub size: usize,
    /// 0 or GRAPHCAP_MEMCPY_SNAPSHOT.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
    /// The host buffer to write instead of destination_host, or NULL. A graph keeps it alive.
    pub destination_host_buffer: *const gc_host_buffer,
    /// The host buffer to read instead of source_host, or NULL. A graph keeps it alive.
    pub source_host_buffer: *const gc_host_buffer,
    /// Rows in a slice; 0 copies nothing. The INIT macros write 1.
    pub height: usize,
    /// Slices; 0 copies nothing. The INIT macros write 1.
    pub depth: usize,
    /// Bytes from the start of one written row to the start of the next, at least size; 0 means size. A CUDA device
    /// takes at most 2147483647.
    pub destination_pitch: usize,
    /// Rows from the start of one written slice to the start of the next, at least height; 0 means height.
    pub destination_slice_height: usize,
    /// Bytes from the start of one row that is read to the start of the next, at least size; 0 means size. A CUDA
    /// device takes at most 2147483647.
    pub source_pitch: usize,
    /// Rows from the start of one slice that is read to the start of the next, at least height; 0 means height.
    pub source_slice_height: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_memcpy_params {
    const LEAST_SIZE: usize = std::mem::offset_of!(gc_memcpy_params, destination_pitch);
}

/// Rows of elements to set to a value. Start from
/// GRAPHCAP_MEMSET_INIT(buffer, offset, value, element_size, width, height, pitch).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_memset_params {
    /// sizeof(gc_memset_params).
    pub struct_size: u32,
    /// 1, 2 or 4 bytes.
    pub element_size: u32,
    /// The buffer to write; NULL with a host_buffer.
    pub buffer: *const gc_buffer,
    /// The first byte written, counted from the start of the buffer, or of the host buffer; its address must be a
    /// multiple of element_size.
    pub offset: usize,
    /// The value; bits that do not fit an element are ignored.
    pub value: u32,
    /// 0.
    pub reserved: u32,
    /// Elements in a row; 0 sets nothing.
    pub width: usize,
    /// Rows; 0 sets nothing.
    pub height: usize,
    /// Bytes from the start of one row to the start of the next: a multiple of element_size, and at least the bytes of
    /// a row; 0 means the bytes of a row. A CUDA device takes at most 2147483647.
    pub pitch: usize,
    /// The host buffer to write in the place of buffer, which is NULL then; or NULL. It was made with
    /// GRAPHCAP_HOST_BUFFER_MAPPED. A graph keeps it alive.
    pub host_buffer: *const gc_host_buffer,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_memset_params {
    const LEAST_SIZE: usize = std::mem::offset_of!(gc_memset_params, pitch);
}

/// A copy between objects as they were looked up.
pub(crate) type FoundCopy<B, H> = CopyOf<CopySideOf<B, H, Snapshot>>;

/// The copy that `params` tells of, between objects that `find` and `find_host` look up. Who uses it promises the host memory that
/// it names.
pub(crate) fn read<B, H>(
    params: &gc_memcpy_params,
    find: impl Fn(*const gc_buffer, &'static str) -> Result<B>,
    find_host: impl Fn(*const gc_host_buffer, &'static str) -> Result<H>,
) -> Result<FoundCopy<B, H>> {
    let side = |buffer, argument, offset| find(buffer, argument).map(|buffer| CopySideOf::Buffer(buffer, offset));
    let destination = || side(params.destination, "params.destination", params.destination_offset);
    let source = || side(params.source, "params.source", params.source_offset);
    let host_destination = || {
        let given = !params.destination_host_buffer.is_null();
        let find = || find_host(params.destination_host_buffer, "params.destination_host_buffer");
        given.then(find).transpose()
    };
    let host_source = || {
        let given = !params.source_host_buffer.is_null();
        given.then(|| find_host(params.source_host_buffer, "params.source_host_buffer")).transpose()
    };
    let no_destination_host = |unused| {
        check_unused(params.destination_host.addr(), "params.destination_host", unused)?;
        check_unused(params.destination_host_buffer.addr(), "params.destination_host_buffer", unused)
    };
    let no_source_host = |unused| {
        check_unused(params.source_host.addr(), "params.source_host", unused)?;
        check_unused(params.source_host_buffer.addr(), "params.source_host_buffer", unused)
    };
    let is_empty = params.size == 0 || params.height == 0 || params.depth == 0;
    let to_host = |found| {
        let pointer = (params.destination_host.cast_const(), "params.destination_host");
        host_side(found, pointer, (params.destination_offset, "params.destination_offset"), is_empty)
    };
    let from_host = |found| {
        let pointer = (params.source_host, "params.source_host");
        host_side(found, pointer, (params.source_offset, "params.source_offset"), is_empty)
    };
    let (destination, source) = match params.direction {
        GRAPHCAP_MEMCPY_HOST_TO_DEVICE => {
            let unused = "NULL or 0 for a copy from the host";
            let (destination, found) = (destination()?, host_source()?);
            check_unused(params.source.addr(), "params.source", unused)?;
            no_destination_host(unused)?;
            (destination, from_host(found)?)
        }
        GRAPHCAP_MEMCPY_DEVICE_TO_HOST => {
            let unused = "NULL or 0 for a copy to the host";
            let (source, found) = (source()?, host_destination()?);
            check_unused(params.destination.addr(), "params.destination", unused)?;
            no_source_host(unused)?;
            (to_host(found)?, source)
        }
        GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE | GRAPHCAP_MEMCPY_PEER => {
            let unused = "NULL for a copy between buffers";
            let sides = (destination()?, source()?);
            no_destination_host(unused)?;
            no_source_host(unused)?;
            sides
        }
        GRAPHCAP_MEMCPY_HOST_TO_HOST => {
            let unused = "NULL where the direction is 0, from host memory to host memory";
            let (found_destination, found_source) = (host_destination()?, host_source()?);
            check_unused(params.destination.addr(), "params.destination", unused)?;
            check_unused(params.source.addr(), "params.source", unused)?;
            (to_host(found_destination)?, from_host(found_source)?)
        }
        number => {
            let known = "one of the GRAPHCAP_MEMCPY_ numbers";
            return Err(Failure::Unknown { argument: "params.direction", number: number.into(), known });
        }
    };
    match source {
        CopySideOf::Host(_) => {
            check_flags(params.flags, GRAPHCAP_MEMCPY_SNAPSHOT, "params.flags", "0 or GRAPHCAP_MEMCPY_SNAPSHOT")?
        }
        _ => check_flags(params.flags, 0, "params.flags", "0 where the source is no plain host memory")?,
    }
    check_flags(params.reserved, 0, "params.reserved", "0")?;
    Ok(CopyOf {
        destination,
        destination_pitch: Pitch { bytes: params.destination_pitch, slice_height: params.destination_slice_height },
        source,
        source_pitch: Pitch { bytes: params.source_pitch, slice_height: params.source_slice_height },
        width: params.size,
        height: params.height,
        depth: params.depth,
    })
}

fn host_side<B, H>(
    buffer: Option<H>,
    (pointer, pointer_name): (*const c_void, &'static str),
    (offset, offset_name): (usize, &'static str),
    is_empty: bool,
) -> Result<CopySideOf<B, H, Snapshot>> {
    if let Some(buffer) = buffer {
        check_unused(pointer.addr(), pointer_name, "NULL beside a host buffer")?;
        return Ok(CopySideOf::HostBuffer(buffer, offset));
    }
    check_unused(offset, offset_name, "0 for plain host memory")?;
    if pointer.is_null() && !is_empty {
        return Err(Failure::Null(pointer_name));
    }
    // SAFETY: C promises the memory until the copy has run, and at each replay; so does who uses the copy.
    Ok(CopySideOf::Host(unsafe { HostPointer::new(pointer) }))
}

/// A copy of one row between buffers of any contexts, each with the first byte.
pub(crate) struct PeerCopy<'a> {
    pub(crate) destination: (&'a Buffer, usize),
    pub(crate) source: (&'a Buffer, usize),
    pub(crate) bytes: usize,
}

impl<'a> PeerCopy<'a> {
    /// The copy between buffers as one between contexts, which a stream makes of one row.
    pub(crate) fn of(copy: &Copy<'a>) -> Result<PeerCopy<'a>> {
        let (CopySide::Buffer(destination, to), CopySide::Buffer(source, from)) = (copy.destination, copy.source)
        else {
            return Err(Error::invalid_value("a copy between contexts is one between buffers").into());
        };
        for (number, argument) in [(copy.height, "params.height"), (copy.depth, "params.depth")] {
            if number != 1 {
                let known = "1 for a copy between contexts on a stream";
                return Err(Failure::Unknown { argument, number: number as i128, known });
            }
        }
        let known = "0 for a copy between contexts on a stream";
        check_unused(copy.destination_pitch.bytes, "params.destination_pitch", known)?;
        check_unused(copy.source_pitch.bytes, "params.source_pitch", known)?;
        Ok(PeerCopy { destination: (destination, to), source: (source, from), bytes: copy.width })
    }
}

/// Makes a copy with GRAPHCAP_MEMCPY_SNAPSHOT read the bytes that are there now; others, and a copy of nothing, stay as they are.
/// `check` finds what is wrong with the copy before the bytes are read.
///
/// # Safety
/// The host memory that is saved is valid while this runs.
pub(crate) unsafe fn save<B: Borrow<Buffer>, H: Borrow<HostBuffer>>(
    mut copy: FoundCopy<B, H>,
    params: &gc_memcpy_params,
    check: impl FnOnce(&Copy<'_>) -> graphcap_base::Result<()>,
) -> Result<FoundCopy<B, H>> {
    if params.flags & GRAPHCAP_MEMCPY_SNAPSHOT != 0 && !copy.is_empty() {
        check(&copy.lend())?;
        // SAFETY: passed on to the caller; the copy was checked.
        copy.source = CopySideOf::Snapshot(unsafe { snapshot(params.source_host, params) }?);
        copy.source_pitch = Pitch::default();
    }
    Ok(copy)
}

/// The rows at `pointer`, one behind the other.
///
/// # Safety
/// The rows of a copy that was checked to be possible are readable there.
unsafe fn snapshot(pointer: *const c_void, params: &gc_memcpy_params) -> Result<Snapshot> {
    let (width, height, depth) = (params.size, params.height, params.depth);
    let pitch = if params.source_pitch == 0 { width } else { params.source_pitch };
    let slice_height = if params.source_slice_height == 0 { height } else { params.source_slice_height };
    let mut bytes = Vec::new();
    // It fits a buffer, so the product is right.
    let size = width.saturating_mul(height).saturating_mul(depth);
    if bytes.try_reserve_exact(size).is_err() {
        let message = format!("the host has no {size} bytes for a snapshot; free memory or copy from a host buffer");
        return Err(Error::new(Status::OUT_OF_MEMORY, message).into());
    }
    for z in 0..depth {
        for y in 0..height {
            let offset = z.wrapping_mul(slice_height).wrapping_add(y).wrapping_mul(pitch);
            // SAFETY: the caller promises as many bytes there; the range was checked not to pass the end of memory.
            let row = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>().byte_add(offset), width) };
            bytes.extend_from_slice(row);
        }
    }
    Ok(bytes.into())
}

/// The rows that `params` tells of, in the memory that it names.
pub(crate) fn fill(params: &gc_memset_params) -> Result<FillOf<Buffer>> {
    let buffer = match params.host_buffer.is_null() {
        true => handle::clone(params.buffer, "params.buffer")?,
        false => {
            let found: HostBuffer = handle::clone(params.host_buffer, "params.host_buffer")?;
            check_unused(params.buffer.addr(), "params.buffer", "NULL beside a host buffer")?;
            found.memory().clone()
        }
    };
    check_flags(params.reserved, 0, "params.reserved", "0")?;
    let element_size = stream_work::element_size(params.element_size)?;
    let gc_memset_params { offset, value, width, height, pitch, .. } = *params;
    Ok(FillOf { buffer, offset, value, element_size, width, height, pitch })
}

/// Copies as GRAPHCAP_WORK_MEMCPY does on the legacy stream, and returns when the copy has run. The copy runs after the
/// work of the legacy stream and of the blocking streams of the context. Captures of non-blocking streams are not
/// harmed.
///
/// If another thread begins to capture a blocking stream during the call, the call may fail on a CUDA device while the
/// copy stays queued. The message says so. Host memory must then stay valid until the program has waited for the legacy
/// stream.
///
/// @param[in] context  the context of the buffers
/// @param[in] params   the copy, not NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     see GRAPHCAP_WORK_MEMCPY
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT   a buffer belongs to another context
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  a blocking stream of the context is being captured; the capture is
///                                          invalidated, unless another thread began it during this call
#[no_mangle]
pub unsafe extern "C" fn gc_context_memcpy(context: *const gc_context, params: *const gc_memcpy_params) -> gc_status {
    with_clone("gc_context_memcpy", (context, "context"), |context| {
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let params = unsafe { options::read(params, "params") }?;
        let copy = read(&params, handle::clone, handle::clone)?;
        if params.direction == GRAPHCAP_MEMCPY_PEER {
            let PeerCopy { destination, source, bytes } = PeerCopy::of(&copy.lend())?;
            return Ok(context.memcpy_peer(destination.0, destination.1, source.0, source.1, bytes)?);
        }
        // SAFETY: C promises the host memory for the time of the call.
        let copy = unsafe { save(copy, &params, |copy| context.legacy_stream().check_memcpy(copy)) }?;
        Ok(context.memcpy(&copy.lend())?)
    })
}

/// Sets rows as GRAPHCAP_WORK_MEMSET does on the legacy stream, and returns when the memset has run. The memset runs
/// after the work of the legacy stream and of the blocking streams of the context. Captures of non-blocking streams are
/// not harmed.
///
/// @param[in] context  the context of the buffer
/// @param[in] params   the rows, not NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     see GRAPHCAP_WORK_MEMSET
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT   the buffer belongs to another context
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  a blocking stream of the context is being captured; the capture is
///                                          invalidated, unless another thread began it during this call
#[no_mangle]
pub unsafe extern "C" fn gc_context_memset(context: *const gc_context, params: *const gc_memset_params) -> gc_status {
    with_clone("gc_context_memset", (context, "context"), |context| {
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let params = unsafe { options::read(params, "params") }?;
        Ok(context.memset(&fill(&params)?.lend())?)
    })
}
