//! Graphs and graph execs that other code made by CUDA's driver.

use std::ffi::c_void;

use crate::ffi::boundary::failure::{Failure, Result};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::{gc_context, gc_graph, gc_graph_exec};
use crate::ffi::boundary::options::one_of;
use crate::ffi::boundary::output::Out;
use crate::ffi::boundary::status::gc_status;
use graphcap_core::{Graph, GraphExec};

/// Owner of a graph or graph exec that others made: one of the GRAPHCAP_OWNERSHIP_ numbers.
pub type gc_ownership = i32;
/// gc_ownership: others. The object outlives the handle, whose end leaves it alone.
pub const GRAPHCAP_OWNERSHIP_BORROWED: gc_ownership = 1;
/// gc_ownership: graphcap, from the success of the call on.
pub const GRAPHCAP_OWNERSHIP_TAKEN: gc_ownership = 2;

/// Makes a handle for a graph that others made, as PyTorch or a library; a second one if it has one. docs/devices.md tells what
/// can be done with it.
///
/// An address without memory is refused, and a destroyed graph as far as the driver tells. Any other value that is no graph, a graph of
/// a node, and use of the graph by others during a gc_ call on it are undefined behaviour.
///
/// @param[in]  context    a context on its device
/// @param[in]  native     the CUgraph
/// @param[in]  ownership  one of the GRAPHCAP_OWNERSHIP_ numbers
/// @param[out] graph_out  a handle owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    native is no graph
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  it has a handle of another context
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device is the host device
#[no_mangle]
pub unsafe extern "C" fn gc_graph_wrap(
    context: *const gc_context,
    native: *mut c_void,
    ownership: gc_ownership,
    graph_out: *mut *mut gc_graph,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    guard("gc_graph_wrap", [Token::of(context)], || {
        let context = handle::clone(context, "context")?;
        let out = out.required()?;
        let is_taken = is_taken(ownership)?;
        // SAFETY: C promises a graph of the driver's.
        let graph = unsafe { Graph::wrap(&context, given(native)?) }?;
        out.write(handle::insert(graph.clone())?);
        if is_taken {
            graph.own();
        }
        Ok(())
    })
}

/// Makes a handle for a graph exec that others made, by the rules of gc_graph_wrap().
///
/// @param[in]  context    a context on its device
/// @param[in]  native     the CUgraphExec
/// @param[in]  ownership  one of the GRAPHCAP_OWNERSHIP_ numbers
/// @param[in]  graph      the graph that it was made of, unchanged since; NULL for an exec whose nodes are not set
/// @param[out] exec_out   a handle owned by the caller until gc_graph_exec_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    native is no graph exec, or graph is that of a node
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  graph is of another context, or the exec has a handle of another one
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device is the host device
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_wrap(
    context: *const gc_context,
    native: *mut c_void,
    ownership: gc_ownership,
    graph: *const gc_graph,
    exec_out: *mut *mut gc_graph_exec,
) -> gc_status {
    // SAFETY: C promises that `exec_out` is NULL or writable.
    let out = unsafe { Out::handle(exec_out, "exec_out") };
    guard("gc_graph_exec_wrap", [Token::of(context), Token::of(graph)], || {
        let context = handle::clone(context, "context")?;
        let graph = handle::optional(graph, "graph")?;
        let out = out.required()?;
        let is_taken = is_taken(ownership)?;
        // SAFETY: C promises a graph exec of the driver's, and the graph that it was made of.
        let exec = unsafe { GraphExec::wrap(&context, given(native)?, graph.as_ref()) }?;
        out.write(handle::insert(exec.clone())?);
        if is_taken {
            exec.own();
        }
        Ok(())
    })
}

fn given(native: *mut c_void) -> Result<usize> {
    match native.is_null() {
        true => Err(Failure::Null("native")),
        false => Ok(native.expose_provenance()),
    }
}

fn is_taken(ownership: gc_ownership) -> Result<bool> {
    let known = "GRAPHCAP_OWNERSHIP_BORROWED, 1, or GRAPHCAP_OWNERSHIP_TAKEN, 2";
    let all = [(GRAPHCAP_OWNERSHIP_BORROWED, false), (GRAPHCAP_OWNERSHIP_TAKEN, true)];
    one_of(all, ownership, "ownership", known)
}
