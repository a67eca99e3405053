//! The pools of graph execs.

use crate::ffi::boundary::{gc_graph_exec, gc_pool, gc_status, handle, with_clone, Out, Output};
use graphcap_base::error::{Error, Status};

/// Returns the pool that a graph exec keeps: the pool of the capture that gave its graph. After gc_graph_exec_update()
/// it is the pool of the new graph. If child graphs bring further pools, one of all is returned.
///
/// @param[in]  exec      the graph exec
/// @param[out] pool_out  another handle of the pool, owned by the caller until gc_pool_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_NOT_FOUND  the graph exec keeps no pool
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_pool(exec: *const gc_graph_exec, pool_out: *mut *mut gc_pool) -> gc_status {
    // SAFETY: C promises that `pool_out` is NULL or writable.
    let out = unsafe { Out::handle(pool_out, "pool_out") };
    with_clone("gc_graph_exec_pool", (exec, "exec"), |exec| {
        out.answer(|| {
            let pool = exec.pool()?.ok_or_else(|| {
                Error::new(Status::NOT_FOUND, "the graph exec keeps no pool; capture its graph with one")
            })?;
            handle::insert(pool)
        })
    })
}

/// Returns whether a graph exec keeps a pool.
///
/// @param[in]  exec          the graph exec
/// @param[out] has_pool_out  1 if it keeps one, else 0
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_has_pool(exec: *const gc_graph_exec, has_pool_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `has_pool_out` is NULL or writable.
    let out = unsafe { Out::number(has_pool_out, "has_pool_out") };
    with_clone("gc_graph_exec_has_pool", (exec, "exec"), |exec| out.answer(|| Ok(i32::from(exec.pool()?.is_some()))))
}

/// Returns how many objects the pool of a graph exec has at this moment, as gc_pool_buffer_count() does of
/// gc_graph_exec_pool().
///
/// @param[in]  exec       the graph exec
/// @param[out] count_out  the number of objects; 0 if the graph exec keeps no pool
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_pool_buffer_count(
    exec: *const gc_graph_exec,
    count_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `count_out` is NULL or writable.
    let out = unsafe { Out::number(count_out, "count_out") };
    with_clone("gc_graph_exec_pool_buffer_count", (exec, "exec"), |exec| {
        out.answer(|| Ok(exec.pool()?.map_or(0, |pool| pool.count())))
    })
}
