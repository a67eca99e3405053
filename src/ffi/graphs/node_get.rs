//! Work of nodes, read back as data.

use std::ffi::{c_char, c_void};

use super::graph::gc_node;
use crate::ffi::boundary::{
    answer_clone, gc_buffer, gc_context, gc_event, gc_graph, gc_host_buffer, gc_kernel, gc_status, guard, handle,
    with_clone, ArrayOut, Failure, Out, Result, StructOut, TextOut, Token, Versioned,
};
use crate::ffi::operations::copy::{
    GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE, GRAPHCAP_MEMCPY_DEVICE_TO_HOST, GRAPHCAP_MEMCPY_HOST_TO_DEVICE,
    GRAPHCAP_MEMCPY_HOST_TO_HOST,
};
use crate::ffi::operations::stream_values::{
    self, GRAPHCAP_MEM_OP_WAIT_VALUE32, GRAPHCAP_MEM_OP_WAIT_VALUE64, GRAPHCAP_MEM_OP_WRITE_VALUE32,
    GRAPHCAP_MEM_OP_WRITE_VALUE64,
};
use graphcap_base::error::{Error, Status};
use graphcap_core::{Graph, KernelParams, Memory, NodeParams, OwnedArguments};
use graphcap_driver::{MemcpyKind, MemcpyRows, NodeId, Steps, Value, ValueAction, ValueOperation};

/// gc_kernel_node_params::argument_layout: the driver does not tell the arguments.
pub const GRAPHCAP_ARGUMENTS_UNKNOWN: u32 = 0;
/// gc_kernel_node_params::argument_layout: one argument per parameter of the kernel.
pub const GRAPHCAP_ARGUMENTS_SEPARATE: u32 = 1;
/// gc_kernel_node_params::argument_layout: one block of bytes, laid out as the kernel's parameters are.
pub const GRAPHCAP_ARGUMENTS_PACKED: u32 = 2;

/// Description of what a kernel node launches. Start from GRAPHCAP_KERNEL_NODE_PARAMS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_kernel_node_params {
    /// sizeof(gc_kernel_node_params).
    pub struct_size: u32,
    /// Blocks in x, y and z.
    pub grid_dim: [u32; 3],
    /// Threads per block in x, y and z.
    pub block_dim: [u32; 3],
    /// Dynamic shared memory per block in bytes.
    pub shared_mem_bytes: u32,
    /// One of the GRAPHCAP_ARGUMENTS_ numbers.
    pub argument_layout: u32,
    /// 0.
    pub reserved: u32,
    /// Number of arguments that gc_node_get_argument() returns: 1 for GRAPHCAP_ARGUMENTS_PACKED, 0 for
    /// GRAPHCAP_ARGUMENTS_UNKNOWN.
    pub argument_count: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_kernel_node_params {}

/// gc_memcpy_node_params::direction: the addresses tell.
pub const GRAPHCAP_MEMCPY_DEFAULT: u32 = 4;

/// Description of what a copy node copies. Start from GRAPHCAP_MEMCPY_NODE_PARAMS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_memcpy_node_params {
    /// sizeof(gc_memcpy_node_params).
    pub struct_size: u32,
    /// One of the GRAPHCAP_MEMCPY_ numbers of directions.
    pub direction: u32,
    /// The address of the first byte written.
    pub destination: u64,
    /// The address of the first byte read.
    pub source: u64,
    /// Bytes in a row.
    pub size: usize,
    /// Rows in a slice, at least 1.
    pub height: usize,
    /// Slices, at least 1.
    pub depth: usize,
    /// Bytes from the start of one written row to the start of the next, as the copy was given them; size where it was given none.
    pub destination_pitch: usize,
    /// Bytes from the start of one written slice to the start of the next; 0 for one slice.
    pub destination_slice_pitch: usize,
    /// Bytes from the start of one row that is read to the start of the next, as the copy was given them; size where it was given
    /// none.
    pub source_pitch: usize,
    /// Bytes from the start of one slice that is read to the start of the next; 0 for one slice.
    pub source_slice_pitch: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_memcpy_node_params {}

/// Description of what a memset node sets. Start from GRAPHCAP_MEMSET_NODE_PARAMS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_memset_node_params {
    /// sizeof(gc_memset_node_params).
    pub struct_size: u32,
    /// 1, 2 or 4 bytes.
    pub element_size: u32,
    /// The address of the first byte written.
    pub address: u64,
    /// The value.
    pub value: u32,
    /// 0.
    pub reserved: u32,
    /// Elements in a row.
    pub width: usize,
    /// Rows, at least 1.
    pub height: usize,
    /// Bytes from the start of one row to the start of the next, as the memset was given them; 0 for one row that was given none.
    pub pitch: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_memset_node_params {}

/// One value operation of a node. Start from GRAPHCAP_MEM_OP_NODE_PARAMS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_mem_op_node_params {
    /// sizeof(gc_mem_op_node_params).
    pub struct_size: u32,
    /// One of the GRAPHCAP_MEM_OP_ numbers.
    pub kind: u32,
    /// The address of the value.
    pub address: u64,
    /// The value that is written or compared with.
    pub value: u64,
    /// GRAPHCAP_WRITE_VALUE_ or GRAPHCAP_WAIT_VALUE_ flags.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_mem_op_node_params {}

/// A node that was asked about as one of another kind.
#[cold]
pub(crate) fn not_of_kind(graph: &Graph, node: gc_node, wanted: &'static str) -> Failure {
    let message =
        format!("node {node:#x} is not {wanted}, or its parameters cannot be read; gc_node_kind() tells what it is");
    graph.naming(NodeId(node), Error::new(Status::INVALID_VALUE, message)).into()
}

/// Launch of a kernel node of a graph.
fn kernel_params(graph: &Graph, node: gc_node) -> Result<KernelParams> {
    match graph.node_params(NodeId(node))? {
        NodeParams::Kernel(params) => Ok(params),
        _ => Err(not_of_kind(graph, node, "a kernel node")),
    }
}

/// Returns the shape of a kernel node and how many arguments it has.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, a kernel node
/// @param[out] params_out  the struct to fill
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  params_out is NULL or its struct_size is not valid, or node is no kernel node
///                                       of the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_kernel_params(
    graph: *const gc_graph,
    node: gc_node,
    params_out: *mut gc_kernel_node_params,
) -> gc_status {
    // SAFETY: C promises that `params_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(params_out, "params_out") };
    answer_clone("gc_node_get_kernel_params", (graph, "graph"), out, |graph| {
        let params = kernel_params(&graph, node)?;
        let (argument_layout, argument_count) = match &params.arguments {
            OwnedArguments::Unknown => (GRAPHCAP_ARGUMENTS_UNKNOWN, 0),
            OwnedArguments::Separate(arguments) => (GRAPHCAP_ARGUMENTS_SEPARATE, arguments.len()),
            OwnedArguments::Packed(_) => (GRAPHCAP_ARGUMENTS_PACKED, 1),
        };
        Ok(gc_kernel_node_params {
            struct_size: 0,
            grid_dim: params.shape.grid,
            block_dim: params.shape.block,
            shared_mem_bytes: params.shape.shared_mem_bytes,
            argument_layout,
            reserved: 0,
            argument_count,
        })
    })
}

/// Copies the bytes of an argument of a kernel node. gc_context_find_buffer() tells which buffer an address among them
/// is in.
///
/// @param[in]  graph      the graph
/// @param[in]  node       one of its nodes, a kernel node
/// @param[in]  index      the number of the argument, from 0
/// @param[out] bytes_out  where to write; may be NULL when capacity is 0
/// @param[in]  capacity   how many bytes fit; 0 asks only for the size
/// @param[out] needed     the size of the argument in bytes; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no kernel node of the graph, or it has no such argument
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_argument(
    graph: *const gc_graph,
    node: gc_node,
    index: usize,
    bytes_out: *mut c_void,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `bytes_out` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(bytes_out.cast::<u8>(), "bytes_out")], capacity, needed) };
    guard("gc_node_get_argument", [Token::of(graph)], || {
        let bytes = match kernel_params(&handle::clone(graph, "graph")?, node)?.arguments {
            OwnedArguments::Separate(arguments) => arguments.into_iter().nth(index),
            OwnedArguments::Packed(block) => Some(block).filter(|_| index == 0),
            OwnedArguments::Unknown => None,
        };
        let known = "less than the node's argument_count";
        let bytes = bytes.ok_or(Failure::Unknown { argument: "index", number: index as i128, known })?;
        out.write(bytes.into_iter().map(|byte| [byte]))
    })
}

/// Copies the name of the kernel that a node launches, also if the node has a name of its own: gc_node_get_name()
/// copies that. On a CUDA device the call needs a driver for 12.3 or newer, except for kernels that were found through
/// graphcap. The text is empty if the driver does not tell the name.
///
/// @param[in]  graph     the graph
/// @param[in]  node      one of its nodes, a kernel node
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no kernel node of the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_kernel_name(
    graph: *const gc_graph,
    node: gc_node,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_node_kernel_name", [Token::of(graph)], || {
        out.write(&kernel_params(&handle::clone(graph, "graph")?, node)?.name)
    })
}

/// Returns the kernel that a node launches.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, a kernel node
/// @param[out] kernel_out  a handle of the kernel, owned by the caller until gc_kernel_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no kernel node of the graph
/// @retval GRAPHCAP_ERROR_NOT_FOUND      the kernel was not found through graphcap
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_kernel(
    graph: *const gc_graph,
    node: gc_node,
    kernel_out: *mut *mut gc_kernel,
) -> gc_status {
    // SAFETY: C promises that `kernel_out` is NULL or writable.
    let out = unsafe { Out::handle(kernel_out, "kernel_out") };
    answer_clone("gc_node_get_kernel", (graph, "graph"), out, |graph| handle::insert(graph.node_kernel(NodeId(node))?))
}

/// Returns what a copy node copies. gc_context_find_buffer() tells which buffers the addresses are in.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, a copy node
/// @param[out] params_out  the struct to fill
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the node copies from or to an array
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_memcpy_params(
    graph: *const gc_graph,
    node: gc_node,
    params_out: *mut gc_memcpy_node_params,
) -> gc_status {
    // SAFETY: C promises that `params_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(params_out, "params_out") };
    answer_clone("gc_node_get_memcpy_params", (graph, "graph"), out, |graph| {
        let NodeParams::Memcpy { rows, .. } = graph.node_params(NodeId(node))? else {
            return Err(not_of_kind(&graph, node, "a copy node"));
        };
        let MemcpyRows { row, height, depth, destination, source } = rows;
        let pitch = |steps: Steps| if steps.row == 0 { row.bytes } else { steps.row };
        // Devices differ in what they tell of steps from slice to slice that are not taken.
        let slice_pitch = |steps: Steps| if depth == 1 { 0 } else { steps.slice };
        let direction = match row.kind {
            MemcpyKind::HostToDevice => GRAPHCAP_MEMCPY_HOST_TO_DEVICE,
            MemcpyKind::DeviceToHost => GRAPHCAP_MEMCPY_DEVICE_TO_HOST,
            MemcpyKind::DeviceToDevice => GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE,
            MemcpyKind::HostToHost => GRAPHCAP_MEMCPY_HOST_TO_HOST,
            MemcpyKind::BetweenContexts => GRAPHCAP_MEMCPY_DEFAULT,
        };
        Ok(gc_memcpy_node_params {
            struct_size: 0,
            direction,
            destination: row.destination,
            source: row.source,
            size: row.bytes,
            height,
            depth,
            destination_pitch: pitch(destination),
            destination_slice_pitch: slice_pitch(destination),
            source_pitch: pitch(source),
            source_slice_pitch: slice_pitch(source),
        })
    })
}

/// Returns what a memset node sets. gc_context_find_buffer() tells which buffer the address is in.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, a memset node
/// @param[out] params_out  the struct to fill
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  params_out is NULL or its struct_size is not valid, or node is no memset node
///                                       of the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_memset_params(
    graph: *const gc_graph,
    node: gc_node,
    params_out: *mut gc_memset_node_params,
) -> gc_status {
    // SAFETY: C promises that `params_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(params_out, "params_out") };
    answer_clone("gc_node_get_memset_params", (graph, "graph"), out, |graph| {
        let NodeParams::Memset(set) = graph.node_params(NodeId(node))? else {
            return Err(not_of_kind(&graph, node, "a memset node"));
        };
        Ok(gc_memset_node_params {
            struct_size: 0,
            element_size: set.element_size.into(),
            address: set.address,
            value: set.value,
            reserved: 0,
            width: set.count,
            height: set.rows,
            pitch: set.pitch,
        })
    })
}

/// Returns one of the value operations of a node. gc_context_find_buffer() tells which buffer the address is in.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, of value operations
/// @param[in]  index       the number of the operation, from 0
/// @param[out] params_out  the struct to fill
/// @param[out] count_out   the number of operations of the node; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the node has an operation that graphcap does not know
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_mem_op_params(
    graph: *const gc_graph,
    node: gc_node,
    index: usize,
    params_out: *mut gc_mem_op_node_params,
    count_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `params_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(params_out, "params_out") };
    // SAFETY: C promises that `count_out` is NULL or writable.
    let count = unsafe { Out::number(count_out, "count_out") };
    with_clone("gc_node_get_mem_op_params", (graph, "graph"), |graph| {
        let out = out.required()?;
        let NodeParams::Values(operations) = graph.node_params(NodeId(node))? else {
            return Err(not_of_kind(&graph, node, "a node of value operations"));
        };
        let known = "less than the number of operations";
        let missing = || Failure::Unknown { argument: "index", number: index as i128, known };
        let operation = operations.get(index).ok_or_else(missing)?;
        out.write(mem_op(operation));
        if let Ok(count) = count.required() {
            count.write(operations.len());
        }
        Ok(())
    })
}

fn mem_op(&ValueOperation { address, value, action }: &ValueOperation) -> gc_mem_op_node_params {
    let is_write = matches!(action, ValueAction::Write { .. });
    let (kind, value) = match (is_write, value) {
        (true, Value::U32(value)) => (GRAPHCAP_MEM_OP_WRITE_VALUE32, value.into()),
        (true, Value::U64(value)) => (GRAPHCAP_MEM_OP_WRITE_VALUE64, value),
        (false, Value::U32(value)) => (GRAPHCAP_MEM_OP_WAIT_VALUE32, value.into()),
        (false, Value::U64(value)) => (GRAPHCAP_MEM_OP_WAIT_VALUE64, value),
    };
    gc_mem_op_node_params { struct_size: 0, kind, address, value, flags: stream_values::flags(action), reserved: 0 }
}

/// Returns the event that a node records or waits for.
///
/// @param[in]  graph      the graph
/// @param[in]  node       one of its nodes, an event record node or an event wait node
/// @param[out] event_out  a handle of the event, owned by the caller until gc_event_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the event is none of graphcap's
/// @retval GRAPHCAP_ERROR_NOT_FOUND      others changed the node, so that the graph does not keep its event
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_event(
    graph: *const gc_graph,
    node: gc_node,
    event_out: *mut *mut gc_event,
) -> gc_status {
    // SAFETY: C promises that `event_out` is NULL or writable.
    let out = unsafe { Out::handle(event_out, "event_out") };
    answer_clone("gc_node_get_event", (graph, "graph"), out, |graph| handle::insert(graph.node_event(NodeId(node))?))
}

/// Finds the live buffer or host buffer that an address is in. Buffers of other contexts are found once work of this
/// context has used them. A host buffer is found by the CPU's address and by the device's. Of overlapping buffers, the
/// one that starts latest is found, and of these the one made latest. An address one past the last byte is found too,
/// unless another buffer begins there.
///
/// @param[in]  context          the context
/// @param[in]  address          the address
/// @param[out] buffer_out       a handle of the buffer, owned by the caller until gc_buffer_destroy(); NULL on failure,
///                              and for a host buffer
/// @param[out] host_buffer_out  a handle of the host buffer, owned by the caller until gc_host_buffer_destroy(); NULL on
///                              failure, and for a buffer
/// @param[out] offset_out       the address as bytes from the start of the buffer; may be NULL
/// @retval GRAPHCAP_ERROR_NOT_FOUND  no buffer is at the address
#[no_mangle]
pub unsafe extern "C" fn gc_context_find_buffer(
    context: *const gc_context,
    address: u64,
    buffer_out: *mut *mut gc_buffer,
    host_buffer_out: *mut *mut gc_host_buffer,
    offset_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let buffer_out = unsafe { Out::handle(buffer_out, "buffer_out") };
    // SAFETY: C promises that `host_buffer_out` is NULL or writable.
    let host_buffer_out = unsafe { Out::handle(host_buffer_out, "host_buffer_out") };
    // SAFETY: C promises that `offset_out` is NULL or writable.
    let offset_out = unsafe { Out::number(offset_out, "offset_out") };
    with_clone("gc_context_find_buffer", (context, "context"), |context| {
        let (buffer_out, host_buffer_out) = (buffer_out.required()?, host_buffer_out.required()?);
        graphcap_driver::check_caller()?;
        let found = context.find_buffer(address).ok_or_else(|| {
            Error::new(Status::NOT_FOUND, format!("no live buffer of graphcap's is at address {address:#x}"))
        })?;
        match found.memory {
            Memory::Buffer(buffer) => buffer_out.write(handle::insert(buffer)?),
            Memory::HostBuffer(buffer) => host_buffer_out.write(handle::insert(buffer)?),
        }
        if let Ok(out) = offset_out.required() {
            out.write(found.offset);
        }
        Ok(())
    })
}
