//! Calls for objects of several kinds: the context, the driver's handle; and the module of a kernel.

use std::ffi::c_void;
use std::ptr;

use crate::ffi::boundary::{
    answer_clone, gc_context, gc_event, gc_graph, gc_graph_exec, gc_kernel, gc_module, gc_status, gc_stream, guard,
    handle, handle::Kind, Failure, Out, Output, Pinned, Result, Token,
};
use graphcap_core::{Context, Event, Graph, GraphExec, Kernel, Module, Stream};
use graphcap_driver::check_caller;

/// An object that the driver has a handle for.
enum Native<'p> {
    Context(&'p Context),
    Stream(&'p Stream),
    Event(&'p Event),
    Module(&'p Module),
    Kernel(&'p Kernel),
    Graph(&'p Graph),
    GraphExec(&'p GraphExec),
}

impl<'p> Native<'p> {
    /// The object of a handle of whichever kind.
    fn of(object: *const c_void, pinned: &'p Pinned) -> Result<Native<'p>> {
        const ARGUMENT: &str = "object";
        Ok(match Token::of(object).kind() {
            Some(Kind::Context) => Native::Context(handle::borrow(object.cast::<gc_context>(), ARGUMENT, pinned)?),
            Some(Kind::Stream) => Native::Stream(handle::borrow(object.cast::<gc_stream>(), ARGUMENT, pinned)?),
            Some(Kind::Event) => Native::Event(handle::borrow(object.cast::<gc_event>(), ARGUMENT, pinned)?),
            Some(Kind::Module) => Native::Module(handle::borrow(object.cast::<gc_module>(), ARGUMENT, pinned)?),
            Some(Kind::Kernel) => Native::Kernel(handle::borrow(object.cast::<gc_kernel>(), ARGUMENT, pinned)?),
            Some(Kind::Graph) => Native::Graph(handle::borrow(object.cast::<gc_graph>(), ARGUMENT, pinned)?),
            Some(Kind::GraphExec) => {
                Native::GraphExec(handle::borrow(object.cast::<gc_graph_exec>(), ARGUMENT, pinned)?)
            }
            kind => {
                let (is_null, lacks) = (object.is_null(), "handle of the driver's");
                let known = "a context, a stream, an event, a module, a kernel, a graph or a graph exec";
                return Err(Failure::OtherKind { argument: ARGUMENT, is_null, kind, lacks, known });
            }
        })
    }

    fn handle(&self) -> graphcap_base::Result<usize> {
        match self {
            Native::Context(context) => context.native(),
            Native::Stream(stream) => stream.native(),
            Native::Event(event) => event.native(),
            Native::Module(module) => module.native(),
            Native::Kernel(kernel) => kernel.native(),
            Native::Graph(graph) => graph.native(),
            Native::GraphExec(exec) => exec.native(),
        }
    }
}

/// Returns the context that an object belongs to. C and C++ have shorthands with typed arguments, such as
/// gc_stream_get_context(). The kind of the handle is not checked, neither here nor by the shorthands.
///
/// @param[in]  object       a handle of any kind; of a context another handle is returned
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_object_context(object: *const c_void, context_out: *mut *mut gc_context) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_object_context", [Token::of(object)], || {
        let context = handle::context(Token::of(object), "object")?;
        out.answer(|| {
            check_caller()?;
            handle::insert(context)
        })
    })
}

/// Returns the driver's handle of an object: the CUcontext, CUstream, CUevent, CUmodule, CUfunction, CUgraph or CUgraphExec.
/// Code outside graphcap may use it.
///
/// The call may be made inside callbacks for a context, an event, a module and a kernel.
///
/// **A context** has the primary context of the device, which the CUDA runtime and the libraries on it use too.
///
/// **A stream**: libraries may submit work to it, also while it is captured. After this call others may begin and end captures
/// on the stream. Each later call therefore asks the driver which capture the stream is in, which costs about 20 ns. A default
/// stream gives CU_STREAM_LEGACY or CU_STREAM_PER_THREAD, which mean a stream of the current context.
///
/// **An event**: others may record it and wait for it from then on.
///
/// **A graph**: nodes that others add are replayed like all other nodes; the graph does not keep alive what they use. An exec
/// that others make of the graph keeps alive what the graph keeps. The driver sees to that, which makes launches slower by half
/// or more: launches of execs of others, and of the execs that gc_graph_instantiate() makes of the graph after this call. Two
/// threads must not use a CUgraph at once. No gc_ call may use the graph while others use the CUgraph.
///
/// **A graph exec**: others may launch it. No gc_ call may use the graph exec while others use it. graphcap does not see where
/// others launch the CUgraphExec. After gc_graph_exec_destroy(), what the graph exec keeps alive therefore stays until a
/// gc_context_synchronize() or gc_context_collect() that begins after the destroy has returned.
///
/// @param[in]  object      a gc_context, gc_stream, gc_event, gc_module, gc_kernel, gc_graph or gc_graph_exec
/// @param[out] native_out  the driver's handle, valid until the graphcap handle is destroyed; the caller must not
///                         destroy it; NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  object is not a live handle of one of these kinds
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE   object is a stream, and a capture that was begun on it goes into a graph within a node;
///                                        end the capture first
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function for a stream, a graph or a graph exec
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   the device is the host device, which has no native handles
#[no_mangle]
pub unsafe extern "C" fn gc_object_native(object: *const c_void, native_out: *mut *mut c_void) -> gc_status {
    // SAFETY: C promises that `native_out` is NULL or writable.
    let out = unsafe { Out::handle(native_out, "native_out") };
    guard("gc_object_native", [Token::of(object)], || {
        let pinned = handle::pin();
        let object = Native::of(object, &pinned)?;
        out.answer(|| Ok(ptr::without_provenance_mut(object.handle()?)))
    })
}

/// Returns the module that a kernel is of.
///
/// @param[in]  kernel      the kernel
/// @param[out] module_out  another handle of the module, owned by the caller until gc_module_destroy(); NULL on failure
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_get_module(kernel: *const gc_kernel, module_out: *mut *mut gc_module) -> gc_status {
    // SAFETY: C promises that `module_out` is NULL or writable.
    let out = unsafe { Out::handle(module_out, "module_out") };
    answer_clone("gc_kernel_get_module", (kernel, "kernel"), out, |kernel| {
        check_caller()?;
        handle::insert(kernel.module())
    })
}
