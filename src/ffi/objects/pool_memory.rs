//! The memory of a gc_pool.

use crate::ffi::boundary::{answer_clone, gc_pool, gc_status, with_clone, StructOut, Versioned};

/// Memory that a pool has. Start from GRAPHCAP_POOL_MEMORY_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_pool_memory {
    /// sizeof(gc_pool_memory).
    pub struct_size: u32,
    /// 0.
    pub flags: u32,
    /// Bytes that can be allocated from the pool together. 0 if the options of the pool did not limit it and nothing was
    /// allocated yet.
    pub capacity: u64,
    /// Bytes that the pool has taken from the device.
    pub reserved_bytes: u64,
    /// Bytes that are allocated. Each allocation counts as a multiple of 256 bytes. It is allocated until its buffer is
    /// destroyed, no graph uses it, and graphcap has found that the work submitted with it has completed. What graphs share
    /// counts once.
    pub used_bytes: u64,
    /// The most bytes that were allocated at any time.
    pub used_high: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_pool_memory {}

/// Returns how much memory a pool has. The buffers that were added to the pool do not count.
///
/// @param[in]  pool        the pool
/// @param[out] memory_out  the struct to fill
#[no_mangle]
pub unsafe extern "C" fn gc_pool_get_memory(pool: *const gc_pool, memory_out: *mut gc_pool_memory) -> gc_status {
    // SAFETY: C promises that `memory_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(memory_out, "memory_out") };
    answer_clone("gc_pool_get_memory", (pool, "pool"), out, |pool| {
        let memory = pool.memory()?;
        Ok(gc_pool_memory {
            struct_size: 0,
            flags: 0,
            capacity: memory.capacity as u64,
            reserved_bytes: memory.reserved as u64,
            used_bytes: memory.used as u64,
            used_high: memory.used_high as u64,
        })
    })
}

/// Returns memory of a pool to the device: what lies behind the last allocation, in the pieces in which the pool took it.
/// What is allocated stays where it is, and later allocations take memory from the device again. The pool may be sealed,
/// and streams may be captured. Does not wait; call gc_context_collect() before, if work that used memory of the pool has
/// completed only now. What allocators of others freed, as gc_pool_torch_free(), goes back to the pool first, unless a graph may use
/// it; their streams are waited for by gc_context_collect() and gc_context_synchronize().
///
/// @param[in] pool  the pool
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  the system of a host device refuses to take memory back
#[no_mangle]
pub unsafe extern "C" fn gc_pool_trim(pool: *const gc_pool) -> gc_status {
    with_clone("gc_pool_trim", (pool, "pool"), |pool| Ok(pool.trim()?))
}
