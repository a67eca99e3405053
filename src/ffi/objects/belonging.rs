//! What an object belongs to: its context, or its module.

use crate::driver::check_caller;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::{
    gc_actor, gc_buffer, gc_context, gc_event, gc_future, gc_graph, gc_graph_exec, gc_host_buffer, gc_kernel,
    gc_module, gc_plan, gc_pool, gc_script, gc_stream,
};
use crate::ffi::boundary::output::Out;
use crate::ffi::boundary::status::gc_status;

/// Returns the context that a stream belongs to.
///
/// @param[in]  stream       the stream
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_stream_get_context(
    stream: *const gc_stream,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_stream_get_context", [Token::of(stream)], || {
        let stream = handle::clone(stream, "stream")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(stream.context().clone())?);
        Ok(())
    })
}

/// Returns the context that an event belongs to.
///
/// @param[in]  event        the event
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_event_get_context(event: *const gc_event, context_out: *mut *mut gc_context) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_event_get_context", [Token::of(event)], || {
        let event = handle::clone(event, "event")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(event.context().clone())?);
        Ok(())
    })
}

/// Returns the context that a buffer belongs to.
///
/// @param[in]  buffer       the buffer
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_get_context(
    buffer: *const gc_buffer,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_buffer_get_context", [Token::of(buffer)], || {
        let buffer = handle::clone(buffer, "buffer")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(buffer.context().clone())?);
        Ok(())
    })
}

/// Returns the context that a graph belongs to.
///
/// @param[in]  graph        the graph
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_context(graph: *const gc_graph, context_out: *mut *mut gc_context) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_graph_get_context", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(graph.context().clone())?);
        Ok(())
    })
}

/// Returns the context that a host buffer belongs to.
///
/// @param[in]  host_buffer  the host buffer
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_host_buffer_get_context(
    host_buffer: *const gc_host_buffer,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_host_buffer_get_context", [Token::of(host_buffer)], || {
        let host_buffer = handle::clone(host_buffer, "host_buffer")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(host_buffer.memory().context().clone())?);
        Ok(())
    })
}

/// Returns the context that a graph exec belongs to.
///
/// @param[in]  exec         the graph exec
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_get_context(
    exec: *const gc_graph_exec,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_graph_exec_get_context", [Token::of(exec)], || {
        let exec = handle::clone(exec, "exec")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(exec.context().clone())?);
        Ok(())
    })
}

/// Returns the context that a module belongs to.
///
/// @param[in]  module       the module
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_module_get_context(
    module: *const gc_module,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_module_get_context", [Token::of(module)], || {
        let module = handle::clone(module, "module")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(module.context().clone())?);
        Ok(())
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
    guard("gc_kernel_get_module", [Token::of(kernel)], || {
        let kernel = handle::clone(kernel, "kernel")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(kernel.module())?);
        Ok(())
    })
}

/// Returns the context that a pool belongs to.
///
/// @param[in]  pool         the pool
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_pool_get_context(pool: *const gc_pool, context_out: *mut *mut gc_context) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_pool_get_context", [Token::of(pool)], || {
        let pool = handle::clone(pool, "pool")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(pool.context().clone())?);
        Ok(())
    })
}

/// Returns the context that a script belongs to.
///
/// @param[in]  script       the script
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_script_get_context(
    script: *const gc_script,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_script_get_context", [Token::of(script)], || {
        let script = handle::clone(script, "script")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(script.context().clone())?);
        Ok(())
    })
}

/// Returns the context that an actor belongs to.
///
/// @param[in]  actor        the actor
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_actor_get_context(actor: *const gc_actor, context_out: *mut *mut gc_context) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_actor_get_context", [Token::of(actor)], || {
        let actor = handle::clone(actor, "actor")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(actor.context().clone())?);
        Ok(())
    })
}

/// Returns the context that a future belongs to.
///
/// @param[in]  future       the future
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_future_get_context(
    future: *const gc_future,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_future_get_context", [Token::of(future)], || {
        let future = handle::clone(future, "future")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(future.context().clone())?);
        Ok(())
    })
}

/// Returns the context that a plan of gc_graph_optimize_with_plan() belongs to.
///
/// @param[in]  plan         the plan
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
#[no_mangle]
pub unsafe extern "C" fn gc_plan_get_context(plan: *const gc_plan, context_out: *mut *mut gc_context) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_plan_get_context", [Token::of(plan)], || {
        let plan = handle::clone(plan, "plan")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(plan.context().clone())?);
        Ok(())
    })
}
