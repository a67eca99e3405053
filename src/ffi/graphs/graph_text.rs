//! Graphs as JSON text, and the differences of two graphs.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use crate::ffi::boundary::{
    answer_clone, gc_buffer, gc_context, gc_destroy_fn, gc_event, gc_graph, gc_host_buffer, gc_host_fn, gc_kernel,
    gc_module, gc_scalar, gc_status, handle, options, with_clone, with_two_clones, Failure, Out, Result, TextOut,
    UserData, Versioned,
};
use crate::ffi::operations::launch::check_unused;
use graphcap_base::room;
use graphcap_core::{Binding, Bound, Graph, HostPointer, LiveObjects, Memory};

/// gc_graph_binding::kind: handle is a gc_buffer.
pub const GRAPHCAP_BINDING_BUFFER: u32 = 1;
/// gc_graph_binding::kind: handle is a gc_host_buffer.
pub const GRAPHCAP_BINDING_HOST_BUFFER: u32 = 2;
/// gc_graph_binding::kind: pointer is plain host memory.
pub const GRAPHCAP_BINDING_HOST_MEMORY: u32 = 3;
/// gc_graph_binding::kind: handle is a gc_kernel.
pub const GRAPHCAP_BINDING_KERNEL: u32 = 4;
/// gc_graph_binding::kind: handle is a gc_event.
pub const GRAPHCAP_BINDING_EVENT: u32 = 5;
/// gc_graph_binding::kind: function is what host nodes call.
pub const GRAPHCAP_BINDING_HOST_FUNCTION: u32 = 6;
/// gc_graph_binding::kind: a graph, whose buffers, host buffers, kernels, events and host functions are bound by the names that
/// gc_graph_export_json() writes for them: those that no other binding has. One at most.
pub const GRAPHCAP_BINDING_GRAPH: u32 = 7;
/// gc_graph_binding::kind: the objects of the process that belong to the context of the import. What no other binding has is taken from
/// those of its name, kind and size. One at most.
pub const GRAPHCAP_BINDING_PROCESS: u32 = 8;

/// An object that gc_graph_import_json() uses where the text has a name. Start from GRAPHCAP_BINDING_INIT(kind, name,
/// handle), GRAPHCAP_BINDING_INIT_HOST_MEMORY(name, pointer, size) or GRAPHCAP_BINDING_INIT_HOST_FUNCTION(name, function,
/// user_data, destroy).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_binding {
    /// sizeof(gc_graph_binding).
    pub struct_size: u32,
    /// One of the GRAPHCAP_BINDING_ numbers.
    pub kind: u32,
    /// The name in the text, not NULL; ignored for a graph and for the process. Buffers, host buffers and host memory are
    /// in the member "memory" of the text, the others in "kernels", "events" and "functions".
    pub name: *const c_char,
    /// The handle of a buffer, a host buffer, a kernel, an event or a graph; else NULL.
    pub handle: *const c_void,
    /// Host memory of size bytes, which is valid at each replay; else NULL.
    pub pointer: *mut c_void,
    /// The function of a host function; else NULL.
    pub function: gc_host_fn,
    /// Passed to function and to destroy; may be NULL. NULL for other kinds.
    pub user_data: *mut c_void,
    /// Called exactly once for a host function, when no node of the graph, of its copies and of their execs calls
    /// function any more; when no node does at all, or the import fails, before gc_graph_import_json() returns. May be
    /// NULL. NULL for other kinds.
    pub destroy: gc_destroy_fn,
    /// Bytes at pointer: a text of which a copy goes beyond them is refused. 0 for other kinds.
    pub size: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_graph_binding {
    const LEAST_SIZE: usize = std::mem::offset_of!(gc_graph_binding, pointer);
}

/// More bindings than any text has names: a larger count is a wrong one, by which memory behind the array would be read.
const BINDINGS_LIMIT: usize = 1 << 20;

/// A binding that C passed, with the duty to destroy the user data of a function.
struct Passed {
    binding: gc_graph_binding,
    user_data: Option<UserData>,
}

/// The bindings that C passed. Make it before anything can fail. Takes the user data of all functions, or of none where the count
/// or a size is wrong.
///
/// # Safety
/// `bindings` is NULL or points to `count` bindings, each of as many bytes as it states; the destroy of a function may be called
/// once with its user data, on any thread.
unsafe fn passed(bindings: *const gc_graph_binding, count: usize) -> Result<Vec<Passed>> {
    options::check_count(count, BINDINGS_LIMIT, "binding_count", "the number of bindings, at most 1048576")?;
    // SAFETY: the caller promises `count` bindings.
    unsafe { options::for_each(bindings, count, "bindings", |_, _| Ok(())) }?;
    let mut list = room::list(count);
    let read_one = |_, binding: &gc_graph_binding| {
        let destroys = binding.kind == GRAPHCAP_BINDING_HOST_FUNCTION;
        // SAFETY: the caller promises that it may be called so.
        let user_data = destroys.then(|| unsafe { UserData::new(binding.user_data, binding.destroy) });
        // Where there is no room it is destroyed here.
        if let Ok(list) = &mut list {
            list.push(Passed { binding: *binding, user_data });
        }
        Ok(())
    };
    // SAFETY: as above.
    unsafe { options::for_each(bindings, count, "bindings", read_one) }?;
    Ok(list?)
}

impl Passed {
    /// The name and the object.
    ///
    /// # Safety
    /// The name is NULL or a text that ends with a NUL and is not changed while the result lives; the host memory can be used at
    /// each replay, and the function called.
    unsafe fn binding<'a>(self) -> Result<Binding<'a>> {
        const HANDLE: &str = "bindings.handle";
        let gc_graph_binding { kind, name, handle, pointer, function, user_data, destroy, size, .. } = self.binding;
        let object = match kind {
            GRAPHCAP_BINDING_BUFFER => Bound::Buffer(handle::clone(handle.cast::<gc_buffer>(), HANDLE)?),
            GRAPHCAP_BINDING_HOST_BUFFER => Bound::HostBuffer(handle::clone(handle.cast::<gc_host_buffer>(), HANDLE)?),
            GRAPHCAP_BINDING_KERNEL => Bound::Kernel(handle::clone(handle.cast::<gc_kernel>(), HANDLE)?),
            GRAPHCAP_BINDING_EVENT => Bound::Event(handle::clone(handle.cast::<gc_event>(), HANDLE)?),
            GRAPHCAP_BINDING_GRAPH => Bound::Graph(handle::clone(handle.cast::<gc_graph>(), HANDLE)?),
            GRAPHCAP_BINDING_PROCESS => Bound::Live(Arc::new(live_objects())),
            GRAPHCAP_BINDING_HOST_MEMORY if pointer.is_null() => return Err(Failure::Null("bindings.pointer")),
            // SAFETY: the caller promises that it can be used.
            GRAPHCAP_BINDING_HOST_MEMORY => Bound::Host(unsafe { HostPointer::new(pointer) }, size),
            GRAPHCAP_BINDING_HOST_FUNCTION => {
                let Some(user_data) = self.user_data else { return Err(Failure::Null("bindings.function")) };
                // SAFETY: the caller promises that it may be called.
                Bound::Function(unsafe { user_data.into_host_function(function) }?)
            }
            number => {
                let known = "one of the GRAPHCAP_BINDING_ numbers";
                return Err(Failure::Unknown { argument: "bindings.kind", number: number.into(), known });
            }
        };
        if !matches!(object, Bound::Host(..)) {
            check_unused(pointer.addr(), "bindings.pointer", "NULL for this kind")?;
            check_unused(size, "bindings.size", "0 for this kind")?;
        }
        if matches!(object, Bound::Host(..) | Bound::Function(_) | Bound::Live(_)) {
            check_unused(handle.addr(), "bindings.handle", "NULL for this kind")?;
        }
        if !matches!(object, Bound::Function(_)) {
            let callbacks = function.map_or(0, |call| call as usize) | destroy.map_or(0, |call| call as usize);
            check_unused(
                callbacks | user_data.addr(),
                "bindings.function",
                "NULL for this kind, as user_data and destroy",
            )?;
        }
        if matches!(object, Bound::Graph(_) | Bound::Live(_)) {
            return Ok(Binding { name: "", object });
        }
        // SAFETY: the caller promises a text that ends with a NUL.
        Ok(Binding { name: unsafe { options::text(name, "bindings.name") }?, object })
    }
}

/// The objects of the process that a text can have names for, and that live until this is dropped.
fn live_objects() -> LiveObjects {
    let buffers = handle::all::<gc_buffer>(|buffer| buffer.name().is_some());
    let scalars = handle::all::<gc_scalar>(|scalar| scalar.buffer().name().is_some());
    let host_buffers = handle::all::<gc_host_buffer>(|buffer| buffer.name().is_some());
    let mut memory: Vec<Memory> = buffers.into_iter().map(Memory::Buffer).collect();
    memory.extend(scalars.iter().map(|scalar| Memory::Buffer(scalar.buffer().clone())));
    memory.extend(host_buffers.into_iter().map(Memory::HostBuffer));
    LiveObjects {
        memory,
        kernels: handle::all::<gc_kernel>(|_| true),
        modules: handle::all::<gc_module>(|_| true),
        events: handle::all::<gc_event>(|event| event.name().is_some()),
    }
}

/// Writes a graph as JSON: its nodes with everything that they do, its edges, the graphs and bodies within nodes, the
/// conditions, and the names of the objects that nodes use. gc_graph_import_json() makes a graph of the text.
///
/// docs/graph.schema.json describes the format. Numbers of 64 bits are texts. An address is a buffer and an offset. The
/// same graph gives the same text; objects without a name are called by their kind and place, as "buffer 0". What the
/// memory holds is not written, except for the bytes of snapshots. Captured nodes tell the stream that recorded them, as
/// GRAPHCAP_DOT_EXTRA_TOPO_INFO shows it. On a CUDA device a condition is a small number; where a
/// kernel of the program's takes one, the text has that number.
///
/// @param[in]  graph     the graph
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the graph was lost when a capture into it failed
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  graphs lie within each other more than 16 deep
#[no_mangle]
pub unsafe extern "C" fn gc_graph_export_json(
    graph: *const gc_graph,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    with_clone("gc_graph_export_json", (graph, "graph"), |graph| out.write(&graph.export_json()?))
}

/// Makes a graph of the text that gc_graph_export_json() wrote, perhaps in another process.
///
/// The bindings give the buffers, host buffers, host memory, kernels, events and host functions that the text has names
/// for. An object that is named in the text and used by a node must be bound; other bindings are ignored. A binding of
/// GRAPHCAP_BINDING_GRAPH takes what nothing else is bound to, but plain host memory, from a graph of the process: the
/// graph that wrote the text, or one with objects of the same names. No node of that graph may be changed meanwhile.
/// Memory must be at least as large as that of the text. The kernel of nodes that set a condition from memory needs no
/// binding. The graph keeps alive what it uses, except for host memory, which the caller keeps. Nodes have the names
/// that they have in the text.
///
/// GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_PROCESS, NULL, NULL) takes what is still left from the named objects of the process
/// that belong to context and whose handles are not destroyed. docs/graph-texts.md tells what is found. The call holds all named
/// objects while it runs, so that registered host memory may stay pinned until it returns.
///
/// The text may come from anywhere. Its nodes use nothing but what was bound, what a bound graph uses, and on request what has
/// its names in the process. An argument that holds an address of the process is refused unless the text says which memory it
/// is of. What kernels make of the numbers in a text, graphcap does not know.
///
/// @param[in]  context        the context that the graph is to belong to
/// @param[in]  json           the text, UTF-8; it need not end with a NUL
/// @param[in]  size           bytes at json, at most 67108864
/// @param[in]  bindings       what is bound; may be NULL when binding_count is 0. The user data of all host functions goes
///                            to graphcap in any case, unless the array is NULL, has too many elements, or has elements of
///                            sizes that cannot be or with members that this version does not have
/// @param[in]  binding_count  the number of bindings, at most 1048576
/// @param[out] graph_out      the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    the text is no text of a graph, or says what a node cannot do: the message
///     tells the place, by line and column or as graph.nodes[3].arguments[1]. Or two bindings have one name, or two are
///     graphs or the process; objects of the process have a name of the text, and none fits or several do; a member is
///     not NULL that the kind does not use; what is bound is of another kind, or smaller than what the text uses of it
/// @retval GRAPHCAP_ERROR_NOT_FOUND        nothing is bound to a name that a node uses
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the text has nodes that are not read back: kernels that set the condition of
///                                         a node in the body of a later node, and nodes or arguments that graphcap
///                                         could not read; or graphs lie within each other more than 16 deep; or the
///                                         device cannot do the work
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object that is used belongs to a device of another kind, or objects of
///                                         the process that have a name of the text belong to other contexts
#[no_mangle]
pub unsafe extern "C" fn gc_graph_import_json(
    context: *const gc_context,
    json: *const c_char,
    size: usize,
    bindings: *const gc_graph_binding,
    binding_count: usize,
    graph_out: *mut *mut gc_graph,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    // SAFETY: C promises `binding_count` bindings, and that each destroy may be called once.
    let passed = unsafe { passed(bindings, binding_count) };
    answer_clone("gc_graph_import_json", (context, "context"), out, move |context| {
        let passed = passed?;
        let mut bindings = room::list(passed.len())?;
        for (index, passed) in passed.into_iter().enumerate() {
            // SAFETY: C promises the names, that host memory can be used at each replay, and that functions may be called then.
            bindings.push(unsafe { passed.binding() }.map_err(|failure| failure.of_element(index))?);
        }
        if json.is_null() {
            return Err(Failure::Null("json"));
        }
        // SAFETY: C promises `size` bytes, not changed during the call.
        let json = unsafe { options::elements(json.cast::<u8>(), size, "json") }?.unwrap_or_default();
        handle::insert(Graph::import_json(&context, json, &bindings)?)
    })
}

/// Writes what two graphs differ in, as text for people: a line for each difference, and the empty text if there is
/// none. A line begins with - for what the first graph alone has, with + for what the second one alone has, and with ~
/// for what differs in two nodes that are paired. docs/graph-texts.md tells how nodes are paired: as gc_graph_exec_update()
/// pairs them, and where that tells of more differences, by what they do. So two graphs of the same branches do not
/// differ, in whatever order the branches were recorded, although an update may exchange them or refuse.
///
/// The graphs of child nodes and the bodies of conditional nodes are compared in the same way. The stream that recorded
/// a node is not compared. Kernels, and memory and events with a name, are compared by their names, other memory by its
/// address, snapshots by their bytes. Other events, and host functions, are the same only where they come from the same
/// call: in a graph and its clone, and not in two graphs that were built alike. The graphs may belong to different
/// contexts.
///
/// @param[in]  graph     the first graph
/// @param[in]  other     the second graph
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the edges of one of the graphs form a cycle
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  graphs lie within each other more than 16 deep
#[no_mangle]
pub unsafe extern "C" fn gc_graph_diff(
    graph: *const gc_graph,
    other: *const gc_graph,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    with_two_clones("gc_graph_diff", (graph, "graph"), (other, "other"), |graph, other| out.write(&graph.diff(&other)?))
}
