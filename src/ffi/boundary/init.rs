//! The init functions as the library exports them: for programs that were compiled with a header that declared them, and for
//! languages that do not compile graphcap.h.
//!
//! Each writes the first version of its struct, for which every caller has room. In graphcap.h the functions are inline, in
//! the last part of cbindgen.toml, so that a program gets the struct as its own header has it. build.rs leaves this file out.

use super::options;
use crate::ffi::captures::capture::gc_capture_options;
use crate::ffi::captures::recording::gc_capture_info;
use crate::ffi::graphs::conditional::gc_conditional_node_params;
use crate::ffi::graphs::exec_apply::{gc_exec_apply_options, gc_exec_apply_report};
use crate::ffi::graphs::exec_check::gc_exec_check_info;
use crate::ffi::graphs::exec_update::gc_exec_update_info;
use crate::ffi::graphs::graph::gc_instantiate_options;
use crate::ffi::graphs::graph_cache::{gc_graph_cache_options, gc_graph_cache_stats};
use crate::ffi::graphs::graph_memory::{gc_graph_memory, gc_mem_alloc_node_params, gc_mem_free_node_params};
use crate::ffi::graphs::graph_text::gc_graph_binding;
use crate::ffi::graphs::host_node::gc_host_node_params;
use crate::ffi::graphs::node_get::{
    gc_kernel_node_params, gc_mem_op_node_params, gc_memcpy_node_params, gc_memset_node_params,
};
use crate::ffi::graphs::optimize::{gc_optimize_options, gc_optimize_report};
use crate::ffi::graphs::progress::gc_exec_progress;
use crate::ffi::graphs::verify::{gc_verify_options, gc_verify_report};
use crate::ffi::kit::actor::gc_actor_options;
use crate::ffi::kit::math::{gc_fft_params, gc_fft_plan_params, gc_sgemm_params};
use crate::ffi::kit::op::gc_op_vtable;
use crate::ffi::kit::op_desc::gc_op_desc;
use crate::ffi::kit::script::gc_script_failure;
use crate::ffi::objects::context::gc_context_options;
use crate::ffi::objects::event::gc_event_options;
use crate::ffi::objects::module::{gc_host_global, gc_host_kernel, gc_module_description};
use crate::ffi::objects::pool::gc_pool_options;
use crate::ffi::objects::pool_memory::gc_pool_memory;
use crate::ffi::objects::rng::gc_rng_uniform_params;
use crate::ffi::objects::stream::gc_stream_options;
use crate::ffi::operations::copy::{gc_memcpy_params, gc_memset_params};
use crate::ffi::operations::launch::{gc_kernel_arg, gc_launch_config};
use crate::ffi::operations::launch_attributes::{gc_launch_attribute, gc_launch_attribute_id};
use crate::ffi::operations::stream_values::gc_mem_op;

/// Fills the first version of a gc_context_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_context_options_init(options: *mut gc_context_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_stream_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_stream_options_init(options: *mut gc_stream_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_event_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_event_options_init(options: *mut gc_event_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_instantiate_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_instantiate_options_init(options: *mut gc_instantiate_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_capture_info, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_capture_info_init(info: *mut gc_capture_info) {
    // SAFETY: C promises that `info` is NULL, or has room for the first version.
    unsafe { options::init(info, |_| ()) };
}

/// Fills the first version of a gc_exec_update_info, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_exec_update_info_init(info: *mut gc_exec_update_info) {
    // SAFETY: C promises that `info` is NULL, or has room for the first version.
    unsafe { options::init(info, |_| ()) };
}

/// Fills the first version of a gc_exec_check_info, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_exec_check_info_init(info: *mut gc_exec_check_info) {
    // SAFETY: C promises that `info` is NULL, or has room for the first version.
    unsafe { options::init(info, |_| ()) };
}

/// Fills the first version of a gc_exec_apply_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_exec_apply_options_init(options: *mut gc_exec_apply_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_optimize_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_optimize_options_init(options: *mut gc_optimize_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_optimize_report, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_optimize_report_init(report: *mut gc_optimize_report) {
    // SAFETY: C promises that `report` is NULL, or has room for the first version.
    unsafe { options::init(report, |_| ()) };
}

/// Fills the first version of a gc_exec_progress, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_exec_progress_init(progress: *mut gc_exec_progress) {
    // SAFETY: C promises that `progress` is NULL, or has room for the first version.
    unsafe { options::init(progress, |_| ()) };
}

/// Fills the first version of a gc_verify_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_verify_options_init(options: *mut gc_verify_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_verify_report, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_verify_report_init(report: *mut gc_verify_report) {
    // SAFETY: C promises that `report` is NULL, or has room for the first version.
    unsafe { options::init(report, |_| ()) };
}

/// Fills the first version of a gc_graph_cache_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_graph_cache_options_init(options: *mut gc_graph_cache_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_exec_apply_report, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_exec_apply_report_init(report: *mut gc_exec_apply_report) {
    // SAFETY: C promises that `report` is NULL, or has room for the first version.
    unsafe { options::init(report, |_| ()) };
}

/// Fills the first version of a gc_graph_cache_stats, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_graph_cache_stats_init(stats: *mut gc_graph_cache_stats) {
    // SAFETY: C promises that `stats` is NULL, or has room for the first version.
    unsafe { options::init(stats, |_| ()) };
}

/// Fills the first version of a gc_op_vtable, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_op_vtable_init(vtable: *mut gc_op_vtable) {
    // SAFETY: C promises that `vtable` is NULL, or has room for the first version.
    unsafe { options::init(vtable, |_| ()) };
}

/// Fills the first version of a gc_op_desc, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_op_desc_init(desc: *mut gc_op_desc) {
    // SAFETY: C promises that `desc` is NULL, or has room for the first version.
    unsafe { options::init(desc, |_| ()) };
}

/// Fills the first version of a gc_rng_uniform_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_rng_uniform_params_init(params: *mut gc_rng_uniform_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_sgemm_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_sgemm_params_init(params: *mut gc_sgemm_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_fft_plan_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_fft_plan_params_init(params: *mut gc_fft_plan_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_fft_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_fft_params_init(params: *mut gc_fft_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_script_failure, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_script_failure_init(failure: *mut gc_script_failure) {
    // SAFETY: C promises that `failure` is NULL, or has room for the first version.
    unsafe { options::init(failure, |_| ()) };
}

/// Fills the first version of a gc_actor_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_actor_options_init(options: *mut gc_actor_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_capture_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_capture_options_init(options: *mut gc_capture_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_pool_memory, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_pool_memory_init(memory: *mut gc_pool_memory) {
    // SAFETY: C promises that `memory` is NULL, or has room for the first version.
    unsafe { options::init(memory, |_| ()) };
}

/// Fills the first version of a gc_pool_options, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_pool_options_init(options: *mut gc_pool_options) {
    // SAFETY: C promises that `options` is NULL, or has room for the first version.
    unsafe { options::init(options, |_| ()) };
}

/// Fills the first version of a gc_module_description, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_module_description_init(description: *mut gc_module_description) {
    // SAFETY: C promises that `description` is NULL, or has room for the first version.
    unsafe { options::init(description, |_| ()) };
}

/// Fills the first version of a gc_host_kernel, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_host_kernel_init(kernel: *mut gc_host_kernel) {
    // SAFETY: C promises that `kernel` is NULL, or has room for the first version.
    unsafe { options::init(kernel, |_| ()) };
}

/// Fills the first version of a gc_host_global, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_host_global_init(global: *mut gc_host_global) {
    // SAFETY: C promises that `global` is NULL, or has room for the first version.
    unsafe { options::init(global, |_| ()) };
}

/// Fills the first version of a gc_launch_config, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_launch_config_init(config: *mut gc_launch_config) {
    // SAFETY: C promises that `config` is NULL, or has room for the first version; no bits of the struct are invalid.
    unsafe {
        options::init(config, |config| {
            config.grid_dim = [1; 3];
            config.block_dim = [1; 3];
        });
    }
}

/// Fills the first version of a gc_kernel_arg, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_arg_init(argument: *mut gc_kernel_arg) {
    // SAFETY: C promises that `argument` is NULL, or has room for the first version.
    unsafe { options::init(argument, |_| ()) };
}

/// Fills the first version of a gc_mem_op, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_mem_op_init(operation: *mut gc_mem_op) {
    // SAFETY: C promises that `operation` is NULL, or has room for the first version.
    unsafe { options::init(operation, |_| ()) };
}

/// Fills the first version of a gc_memcpy_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_memcpy_params_init(params: *mut gc_memcpy_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |params| (params.height, params.depth) = (1, 1)) };
}

/// Fills the first version of a gc_memset_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_memset_params_init(params: *mut gc_memset_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |params| params.height = 1) };
}

/// Fills the first version of a gc_graph_binding, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_graph_binding_init(binding: *mut gc_graph_binding) {
    // SAFETY: C promises that `binding` is NULL, or has room for the first version.
    unsafe { options::init(binding, |_| ()) };
}

/// Fills the first version of a gc_graph_memory, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_graph_memory_init(memory: *mut gc_graph_memory) {
    // SAFETY: C promises that `memory` is NULL, or has room for the first version.
    unsafe { options::init(memory, |_| ()) };
}

/// Fills the first version of a gc_mem_alloc_node_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_mem_alloc_node_params_init(params: *mut gc_mem_alloc_node_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_mem_free_node_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_mem_free_node_params_init(params: *mut gc_mem_free_node_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_host_node_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_host_node_params_init(params: *mut gc_host_node_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_conditional_node_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_conditional_node_params_init(params: *mut gc_conditional_node_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_kernel_node_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_node_params_init(params: *mut gc_kernel_node_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_memcpy_node_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_memcpy_node_params_init(params: *mut gc_memcpy_node_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_memset_node_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_memset_node_params_init(params: *mut gc_memset_node_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_mem_op_node_params, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_mem_op_node_params_init(params: *mut gc_mem_op_node_params) {
    // SAFETY: C promises that `params` is NULL, or has room for the first version.
    unsafe { options::init(params, |_| ()) };
}

/// Fills the first version of a gc_launch_attribute, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_launch_attribute_init(attribute: *mut gc_launch_attribute, id: gc_launch_attribute_id) {
    // SAFETY: C promises that `attribute` is NULL, or has room for the first version.
    unsafe { options::init(attribute, |attribute| attribute.id = id) };
}

/// Fills the first version of a gc_launch_attribute, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_launch_attribute_init_number(
    attribute: *mut gc_launch_attribute,
    id: gc_launch_attribute_id,
    number: i32,
) {
    let fill = |attribute: &mut gc_launch_attribute| {
        attribute.id = id;
        attribute.value.number = number;
    };
    // SAFETY: C promises that `attribute` is NULL, or has room for the first version.
    unsafe { options::init(attribute, fill) };
}

/// Fills the first version of a gc_launch_attribute, as the function of that name in graphcap.h fills the whole struct.
#[no_mangle]
pub unsafe extern "C" fn gc_launch_attribute_init_dimensions(
    attribute: *mut gc_launch_attribute,
    id: gc_launch_attribute_id,
    x: u32,
    y: u32,
    z: u32,
) {
    let fill = |attribute: &mut gc_launch_attribute| {
        attribute.id = id;
        attribute.value.dimensions = [x, y, z];
    };
    // SAFETY: C promises that `attribute` is NULL, or has room for the first version.
    unsafe { options::init(attribute, fill) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls an init function with a NULL, and with a place between canaries that is not aligned. Checks that it writes `size`
    /// bytes, which state that size, and gives the bytes behind the size.
    fn written<T>(size: usize, init: impl Fn(*mut T)) -> Vec<u8> {
        const CANARY: u8 = 0xa5;
        init(std::ptr::null_mut());
        let mut bytes = vec![CANARY; 1024];
        init(bytes.as_mut_ptr().wrapping_add(129).cast());
        let (before, rest) = bytes.split_at(129);
        let (head, behind) = rest.split_at(size);
        let name = std::any::type_name::<T>();
        assert!(before.iter().chain(behind).all(|&byte| byte == CANARY), "{name}: wrote beside the first version");
        assert_eq!(head[..4], (size as u32).to_ne_bytes(), "{name}");
        head[4..].to_vec()
    }

    #[test]
    fn exported_init_functions_write_the_first_version_of_their_struct_and_no_byte_more() {
        let mut tried = vec![
            "gc_launch_attribute_init",
            "gc_launch_attribute_init_dimensions",
            "gc_launch_attribute_init_number",
            "gc_launch_config_init",
            "gc_memcpy_params_init",
            "gc_memset_params_init",
        ];
        // The sizes that programs were compiled with. They never change.
        macro_rules! zeros {
            ($($init:ident $size:literal),*) => {
                $(
                    // SAFETY: `written` passes NULL, or a place with room for the first version.
                    assert_eq!(written($size, |place| unsafe { $init(place) }), [0; $size - 4], stringify!($init));
                    tried.push(stringify!($init));
                )*
            };
        }
        zeros!(
            gc_context_options_init 16, gc_stream_options_init 16, gc_event_options_init 8, gc_instantiate_options_init 8,
            gc_capture_info_init 48, gc_capture_options_init 24, gc_pool_options_init 16, gc_pool_memory_init 40, gc_module_description_init 40, gc_host_kernel_init 40,
            gc_host_global_init 32, gc_kernel_arg_init 48, gc_mem_op_init 48, gc_graph_binding_init 56, gc_graph_memory_init 40, gc_exec_update_info_init 40, gc_exec_check_info_init 104,
            gc_exec_apply_options_init 16, gc_exec_apply_report_init 80, gc_exec_progress_init 56, gc_mem_alloc_node_params_init 24,
            gc_mem_free_node_params_init 16, gc_kernel_node_params_init 48, gc_memcpy_node_params_init 80,
            gc_memset_node_params_init 48, gc_mem_op_node_params_init 32, gc_host_node_params_init 24,
            gc_conditional_node_params_init 24, gc_graph_cache_options_init 48, gc_graph_cache_stats_init 80,
            gc_optimize_options_init 24, gc_optimize_report_init 400,
            gc_verify_options_init 56, gc_verify_report_init 112,
            gc_op_vtable_init 40, gc_op_desc_init 136, gc_script_failure_init 88,
            gc_actor_options_init 32,
            gc_rng_uniform_params_init 48,
            gc_sgemm_params_init 176, gc_fft_plan_params_init 40, gc_fft_params_init 56
        );
        // SAFETY: as above.
        let config = written(40, |place| unsafe { gc_launch_config_init(place) });
        assert_eq!(config, [[1, 0, 0, 0].repeat(6), vec![0; 12]].concat());
        // One row of one slice.
        let with_ones = |size: usize, ones: &[usize]| {
            let mut bytes = vec![0; size];
            ones.iter().for_each(|&at| bytes[at] = 1);
            bytes.split_off(4)
        };
        // SAFETY: as above.
        let copy = written(136, |place| unsafe { gc_memcpy_params_init(place) });
        assert_eq!(copy, with_ones(136, &[88, 96]));
        // SAFETY: as above.
        let set = written(56, |place| unsafe { gc_memset_params_init(place) });
        assert_eq!(set, with_ones(56, &[40]));
        let attribute = |id: u8, value: &[u8]| [&[id, 0, 0, 0], value, &vec![0; 64 - value.len()]].concat();
        // SAFETY: as above.
        let number = written(72, |place| unsafe { gc_launch_attribute_init_number(place, 8, -1) });
        assert_eq!(number, attribute(8, &[0xff; 4]));
        // SAFETY: as above.
        let dimensions = written(72, |place| unsafe { gc_launch_attribute_init_dimensions(place, 4, 1, 2, 3) });
        assert_eq!(dimensions, attribute(4, &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]));
        // SAFETY: as above.
        assert_eq!(written(72, |place| unsafe { gc_launch_attribute_init(place, 7) }), attribute(7, &[]));
        tried.sort_unstable();
        let is_init = |name: &&str| name.ends_with("_init") || name.contains("_init_");
        assert_eq!(tried, include_str!("../symbols.txt").lines().filter(is_init).collect::<Vec<_>>());
    }
}
