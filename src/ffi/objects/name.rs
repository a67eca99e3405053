//! Names that programs give to objects and to nodes.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use crate::ffi::boundary::{
    gc_buffer, gc_event, gc_graph, gc_host_buffer, gc_kernel, gc_scalar, gc_status, gc_stream, guard, handle,
    handle::Kind, options, with_clone, Failure, Result, TextOut, Token,
};
use crate::ffi::graphs::graph::gc_node;
use graphcap_base::error::{Error, Status};
use graphcap_base::names::quoted;
use graphcap_core::{Buffer, Event, Graph, HostBuffer, Kernel, Stream};
use graphcap_driver::NodeId;

/// An object that has a name.
enum Named {
    Buffer(Buffer),
    HostBuffer(HostBuffer),
    Stream(Stream),
    Event(Event),
    Graph(Graph),
    Kernel(Kernel),
}

impl Named {
    /// The object of a handle of whichever kind. `known` tells which kinds there are.
    fn of(handle: *const c_void, known: &'static str) -> Result<Named> {
        const ARGUMENT: &str = "handle";
        Ok(match Token::of(handle).kind() {
            Some(Kind::Buffer) => Named::Buffer(handle::clone(handle.cast::<gc_buffer>(), ARGUMENT)?),
            Some(Kind::Scalar) => Named::Buffer(handle::clone(handle.cast::<gc_scalar>(), ARGUMENT)?.buffer().clone()),
            Some(Kind::HostBuffer) => Named::HostBuffer(handle::clone(handle.cast::<gc_host_buffer>(), ARGUMENT)?),
            Some(Kind::Stream) => Named::Stream(handle::clone(handle.cast::<gc_stream>(), ARGUMENT)?),
            Some(Kind::Event) => Named::Event(handle::clone(handle.cast::<gc_event>(), ARGUMENT)?),
            Some(Kind::Graph) => Named::Graph(handle::clone(handle.cast::<gc_graph>(), ARGUMENT)?),
            Some(Kind::Kernel) => Named::Kernel(handle::clone(handle.cast::<gc_kernel>(), ARGUMENT)?),
            kind => {
                let (is_null, lacks) = (handle.is_null(), "name");
                return Err(Failure::OtherKind { argument: ARGUMENT, is_null, kind, lacks, known });
            }
        })
    }

    fn set(&self, name: &str) -> graphcap_base::Result<()> {
        match self {
            Named::Buffer(buffer) => buffer.set_name(name),
            Named::HostBuffer(buffer) => buffer.set_name(name),
            Named::Stream(stream) => stream.set_name(name),
            Named::Event(event) => event.set_name(name),
            Named::Graph(graph) => graph.set_name(name),
            Named::Kernel(kernel) => Err(Error::new(
                Status::NOT_SUPPORTED,
                format!(
                    "kernel {} keeps the name that it was found by; name the nodes that launch it",
                    quoted(kernel.name())
                ),
            )),
        }
    }

    fn get(&self) -> Option<Arc<str>> {
        match self {
            Named::Buffer(buffer) => buffer.name(),
            Named::HostBuffer(buffer) => buffer.name(),
            Named::Stream(stream) => stream.name(),
            Named::Event(event) => event.name(),
            Named::Graph(graph) => graph.name(),
            Named::Kernel(kernel) => Some(kernel.name().into()),
        }
    }
}

/// The name that C passed: NULL is the empty text.
///
/// # Safety
/// As [`options::text`].
pub(crate) unsafe fn read<'a>(name: *const c_char) -> Result<&'a str> {
    match name.is_null() {
        true => Ok(""),
        // SAFETY: passed on to the caller.
        false => unsafe { options::text(name, "name") },
    }
}

/// Gives an object a name. Messages and texts of graphs call the object by its name. All handles of one object share
/// the name. A clone of a graph begins with the name of the graph. A scalar goes by the name of its buffer. Several objects
/// may have the same name.
///
/// @param[in] handle  a gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event or gc_graph
/// @param[in] name    the name, UTF-8, at most 1024 bytes; copied. NULL and the empty text take the name away
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  handle is not a live handle of one of these kinds
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   name is too long or is not UTF-8
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   handle is a gc_kernel, which keeps the name that it was found by; or a
///                                        default stream; or the graph of a node, which goes by the name of the node
#[no_mangle]
pub unsafe extern "C" fn gc_set_name(handle: *const c_void, name: *const c_char) -> gc_status {
    guard("gc_set_name", [Token::of(handle)], || {
        let named = Named::of(handle, "a buffer, a host buffer, a scalar, a stream, an event or a graph")?;
        graphcap_driver::check_caller()?;
        // SAFETY: C promises that `name` is NULL or a text that ends with a NUL.
        Ok(named.set(unsafe { read(name) }?)?)
    })
}

/// Copies the name of an object. The name of a kernel is the one that it was found by, as gc_kernel_name() copies it. The call
/// may be made inside callbacks.
///
/// @param[in]  handle    a gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event, gc_graph or gc_kernel
/// @param[out] text      where to copy the name to; it ends with a NUL. It is empty for an object without a name. May be
///                       NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole name in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  handle is not a live handle of one of these kinds
#[no_mangle]
pub unsafe extern "C" fn gc_get_name(
    handle: *const c_void,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_get_name", [Token::of(handle)], || {
        let named = Named::of(handle, "a buffer, a host buffer, a scalar, a stream, an event, a graph or a kernel")?;
        out.write(&named.get().unwrap_or_default())
    })
}

/// Gives a node of a graph a name. Messages and texts of the graph call the node by its name. Clones of the graph that
/// are made after the call have the name, and so have child nodes that the graph is added as. Several nodes may have the
/// same name.
///
/// @param[in] graph  the graph
/// @param[in] node   one of its nodes
/// @param[in] name   the name, UTF-8, at most 1024 bytes; copied. NULL and the empty text take the name away
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph, or name is too long or is not UTF-8
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_name(graph: *const gc_graph, node: gc_node, name: *const c_char) -> gc_status {
    with_clone("gc_node_set_name", (graph, "graph"), |graph| {
        // SAFETY: C promises that `name` is NULL or a text that ends with a NUL.
        Ok(graph.set_node_name(NodeId(node), unsafe { read(name) }?)?)
    })
}

/// Copies the name of a node: the name that gc_node_set_name() gave it, or else the name of the kernel that it launches,
/// which gc_node_kernel_name() copies in either case.
///
/// @param[in]  graph     the graph
/// @param[in]  node      one of its nodes
/// @param[out] text      where to copy the name to; it ends with a NUL. It is empty for a node without a name. May be
///                       NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole name in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_name(
    graph: *const gc_graph,
    node: gc_node,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    with_clone("gc_node_get_name", (graph, "graph"), |graph| {
        out.write(&graph.node_name(NodeId(node))?.unwrap_or_default())
    })
}
