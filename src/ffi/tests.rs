//! The exported functions as C calls them, as far as that needs no device: layouts, poison, callbacks, text.

use std::ffi::{c_char, c_void, CStr};
use std::mem::{align_of, offset_of, size_of};
use std::panic::panic_any;
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicU32, Ordering};

use super::boundary::callback::{gc_destroy_fn, gc_host_fn};
use super::boundary::guard::guard;
use super::boundary::handle::Token;
use super::boundary::handle_types::{gc_context, gc_stream};
use super::boundary::status::{gc_last_error_message, gc_status_description, gc_status_name};
use super::captures::capture::gc_capture_options;
use super::captures::capture_scope::{gc_capture_fn, gc_stream_capture};
use super::captures::recording::gc_capture_info;
use super::graphs::bisect::{gc_bisect_options, gc_bisect_report};
use super::graphs::conditional::gc_conditional_node_params;
use super::graphs::edges::gc_edge_data;
use super::graphs::exec_apply::{gc_graph_exec_apply_options, gc_graph_exec_apply_report};
use super::graphs::exec_check::gc_graph_exec_check_info;
use super::graphs::exec_update::gc_graph_exec_update_info;
use super::graphs::graph::gc_instantiate_options;
use super::graphs::graph_cache::{gc_graph_cache_options, gc_graph_cache_stats};
use super::graphs::graph_exec::gc_graph_exec_info;
use super::graphs::graph_memory::{gc_graph_memory, gc_mem_alloc_node_params, gc_mem_free_node_params};
use super::graphs::graph_text::gc_graph_binding;
use super::graphs::host_node::gc_host_node_params;
use super::graphs::kernel_statement::gc_kernel_statement;
use super::graphs::node_get::{
    gc_kernel_node_params, gc_mem_op_node_params, gc_memcpy_node_params, gc_memset_node_params,
};
use super::graphs::optimize::{gc_optimize_candidate, gc_optimize_options, gc_optimize_report};
use super::graphs::optimize_reasons::gc_optimize_reason;
use super::graphs::progress::gc_graph_exec_progress_info;
use super::graphs::step::{gc_step, gc_step_options, gc_step_report, gc_typed_memory};
use super::graphs::unresolved_pointers::gc_unresolved_pointer;
use super::graphs::verify::{gc_verify_options, gc_verify_report};
use super::kit::actor::gc_actor_options;
use super::kit::math::{gc_fft_params, gc_fft_plan_params, gc_sgemm_params};
use super::kit::op::gc_op_vtable;
use super::kit::script::gc_script_failure;
use super::objects::buffer::gc_buffer_wrap;
use super::objects::context::gc_context_info;
use super::objects::context::{gc_context_create, gc_context_destroy, gc_context_options, gc_context_synchronize};
use super::objects::device::GRAPHCAP_DEVICE_HOST;
use super::objects::event::{gc_event_options, gc_ipc_handle};
use super::objects::module::{gc_host_global, gc_host_kernel, gc_host_kernel_fn, gc_module_description};
use super::objects::pool::gc_pool_options;
use super::objects::pool_memory::gc_pool_memory;
use super::objects::rng::gc_rng_uniform_params;
use super::objects::stream::{
    gc_stream_create, gc_stream_destroy, gc_stream_is_capturing, gc_stream_options, GRAPHCAP_CAPTURE_MODE_RELAXED,
};
use super::objects::stream_attributes::{
    gc_access_policy_window, gc_memory_sync_domain_map, gc_stream_attribute_value,
};
use super::operations::copy::{gc_memcpy_params, gc_memset_params};
use super::operations::launch::{gc_kernel_arg, gc_launch_config};
use super::operations::launch_attributes::{gc_launch_attribute, gc_launch_event};
use super::operations::stream_values::gc_mem_op;
use super::operations::stream_work::gc_stream_launch_host_func;
use super::work::data::gc_work;
use graphcap_base::error::Status;
use graphcap_driver::HostBlock;

/// Asserts size and alignment of a struct, and the offset of each of its members.
macro_rules! layout {
    ($type:ident, $size:literal, $align:literal: $($member:ident $offset:literal),*) => {
        assert_eq!((size_of::<$type>(), align_of::<$type>()), ($size, $align), stringify!($type));
        $(assert_eq!(offset_of!($type, $member), $offset, concat!(stringify!($type), ".", stringify!($member)));)*
        // Fails to compile when a member is not named.
        let _ = |value: $type| { let $type { $($member: _),* } = value; };
    };
}

#[test]
fn structs_have_the_layout_that_c_compilers_give_them() {
    layout!(gc_context_options, 16, 4: struct_size 0, device_kind 4, device_ordinal 8, flags 12);
    layout!(gc_stream_options, 16, 4: struct_size 0, flags 4, priority 8, reserved 12);
    layout!(gc_event_options, 8, 4: struct_size 0, flags 4);
    layout!(gc_instantiate_options, 24, 8: struct_size 0, flags 4, upload_stream 8, turn_limit 16);
    layout!(gc_launch_config, 56, 8:
        struct_size 0, grid_dim 4, block_dim 16, shared_mem_bytes 28, flags 32, reserved 36, attributes 40,
        attribute_count 48);
    layout!(gc_launch_attribute, 72, 8: struct_size 0, id 4, value 8);
    layout!(gc_launch_event, 16, 8: event 0, flags 8, trigger_at_block_start 12);
    layout!(gc_edge_data, 8, 1: from_port 0, to_port 1, edge_type 2, reserved 3);
    layout!(gc_unresolved_pointer, 32, 8: node 0, address 8, parameter 16, offset 24);
    layout!(gc_optimize_reason, 56, 8: kind 0, parameter 4, node 8, earlier 16, address 24, bytes 32, earlier_writes 40, later_writes 44, count 48);
    layout!(gc_kernel_arg, 64, 8:
        struct_size 0, kind 4, access 8, reserved 12, buffer 16, offset 24, value 32, value_size 40, access_offset 48,
        access_size 56);
    layout!(gc_capture_options, 56, 8: struct_size 0, flags 4, modules 8, module_count 16, pool 24, graph 32, dependencies 40, dependency_count 48);
    layout!(gc_pool_options, 24, 8: struct_size 0, flags 4, capacity 8, reuse 16, reserved 20);
    layout!(gc_pool_memory, 40, 8:
        struct_size 0, flags 4, capacity 8, reserved_bytes 16, used_bytes 24, used_high 32);
    layout!(gc_memcpy_params, 136, 8:
        struct_size 0, direction 4, destination 8, destination_offset 16, destination_host 24, source 32,
        source_offset 40, source_host 48, size 56, flags 64, reserved 68, destination_host_buffer 72,
        source_host_buffer 80, height 88, depth 96, destination_pitch 104, destination_slice_height 112,
        source_pitch 120, source_slice_height 128);
    layout!(gc_memset_params, 64, 8:
        struct_size 0, element_size 4, buffer 8, offset 16, value 24, reserved 28, width 32, height 40, pitch 48,
        host_buffer 56);
    layout!(gc_mem_op, 48, 8:
        struct_size 0, kind 4, buffer 8, offset 16, value 24, flags 32, reserved 36, host_buffer 40);
    layout!(gc_host_kernel, 56, 8:
        struct_size 0, flags 4, name 8, function 16, parameter_sizes 24, parameter_count 32, accesses 40, access_count 48);
    layout!(gc_module_description, 56, 8:
        struct_size 0, flags 4, image 8, image_size 16, host_kernels 24, host_kernel_count 32, host_globals 40,
        host_global_count 48);
    layout!(gc_host_global, 32, 8: struct_size 0, flags 4, name 8, address 16, size 24);
    layout!(gc_capture_info, 56, 8:
        struct_size 0, status 4, id 8, node_count 16, edge_count 24, frontier_count 32, native_graph 40, work_outside 48);
    layout!(gc_context_info, 24, 8: struct_size 0, device_kind 4, device_ordinal 8, reserved 12, generation 16);
    layout!(gc_graph_exec_info, 40, 8:
        struct_size 0, flags 4, generation 8, node_count 16, num_replays 24, is_uploaded 32, reserved 36);
    layout!(gc_graph_exec_update_info, 48, 8:
        struct_size 0, result 4, status 8, kept_attribute 12, exec_node 16, graph_node 24, from_node 32, slower_count 40);
    layout!(gc_graph_exec_check_info, 104, 8:
        struct_size 0, is_noted 4, node_count 8, address_count 16, allocation_count 24, unread_count 32, gone_count 40, node 48,
        place 56, is_exchanged 60, index 64, offset 72, address 80, allocation_address 88, allocation_size 96);
    layout!(gc_graph_exec_apply_options, 24, 8: struct_size 0, flags 4, upload_stream 8, expected_replays 16);
    layout!(gc_graph_exec_apply_report, 88, 8:
        struct_size 0, route 4, reason 8, status 12, update_result 16, kept_attribute 20, exec_node 24, graph_node 32,
        from_node 40, node_count 48, changed_count 56, nanoseconds 64, next_launch_nanoseconds 72,
        slower_count 80);
    layout!(gc_graph_exec_progress_info, 88, 8:
        struct_size 0, is_running 4, launch_count 8, begun_count 16, node_count 24, completed_count 32, ready_count 40,
        first_ready 48, conditional 56, body_node 64, turn 72, body 80, reserved 84);
    layout!(gc_kernel_statement, 24, 8: kernel 0, parameter 8, offset 12, access 16, reserved 20);
    layout!(gc_optimize_options, 40, 8:
        struct_size 0, flags 4, lanes 8, permits 12, max_bytes 16, statements 24, statement_count 32);
    layout!(gc_optimize_candidate, 40, 8:
        edges 0, lanes 4, added_node_count 8, pipelined_ns 16, single_ns 24, launch_ns 32);
    layout!(gc_optimize_report, 424, 8:
        struct_size 0, edges 4, lanes 8, candidate_count 12, node_count 16, added_node_count 24, edges_before 32, edges_after 40,
        path_before 48, path_after 56, barrier_count 64, chosen_candidate 72, reserved 76, candidates 80, inner_graph_count 400,
        inner_changed_count 408, observed_count 416);
    layout!(gc_verify_options, 72, 8:
        struct_size 0, flags 4, permits 8, orders 12, max_bytes 16, seed 24, progress 32, text 40, user_data 48, statements 56,
        statement_count 64);
    layout!(gc_verify_report, 112, 8:
        struct_size 0, finding 4, first 8, second 16, address 24, finding_count 32, stopped 40, lanes 44, node_count 48,
        replay_count 56, order_count 64, pair_count 72, pairs_tried 80, bytes_compared 88, bytes_excluded 96,
        bytes_unwatched 104);
    layout!(gc_typed_memory, 24, 8: address 0, bytes 8, element 16, flags 20);
    layout!(gc_step, 96, 8:
        struct_size 0, has_run 4, node 8, index 16, count 24, bytes 32, hash 40, floats 48, nans 56, infinities 64, least 72,
        greatest 80, mean 88);
    layout!(gc_step_options, 104, 8:
        struct_size 0, flags 4, permits 8, memory_count 12, first 16, last 24, max_bytes 32, each 40, text 48, user_data 56,
        memory 64, hashes 72, hash_count 80, statements 88, statement_count 96);
    layout!(gc_step_report, 64, 8:
        struct_size 0, stopped 4, node_count 8, run_count 16, together_count 24, finding_count 32, bytes_saved 40,
        bytes_unwatched 48, time_ns 56);
    layout!(gc_bisect_options, 48, 8:
        struct_size 0, permits 4, repeats 8, max_replays 12, max_bytes 16, text 24, statements 32, statement_count 40);
    layout!(gc_bisect_report, 72, 8:
        struct_size 0, outcome 4, stopped 8, confirmed 12, recorded_count 16, recorded_bad 20, node_count 24, always_on_count 32,
        replay_count 40, finding_count 48, bytes_saved 56, unknown_count 64);
    layout!(gc_graph_cache_options, 48, 8:
        struct_size 0, flags 4, instantiate_flags 8, reserved 12, max_bytes 16, record 24, user_data 32, destroy 40);
    layout!(gc_graph_cache_stats, 80, 8:
        struct_size 0, reserved 4, hits 8, recordings 16, updates 24, instantiations 32, evictions 40, keys 48, execs 56,
        bytes 64, device_bytes 72);
    layout!(gc_op_vtable, 40, 8: struct_size 0, reserved 4, record 8, prepare 16, name 24, destroy 32);
    layout!(gc_work, 208, 8:
        struct_size 0, kind 4, name 8, kernel 16, config 24, arguments 32, argument_count 40, memcpy_params 48,
        memset_params 56, function 64, user_data 72, destroy 80, graph 88, event 96, buffer 104, offset 112,
        conditional_kind 120, body_count 124, bodies 128, rng_uniform_params 136, sgemm_params 144, fft_params 152,
        operations 160, operation_count 168, condition 176, scalar 184, size 192, flags 200, reserved 204);
    layout!(gc_rng_uniform_params, 48, 8:
        struct_size 0, flags 4, rng 8, buffer 16, offset 24, count 32, first 40);
    layout!(gc_sgemm_params, 176, 8:
        struct_size 0, math_mode 4, m 8, n 16, k 24, transpose_a 32, transpose_b 36, a 40, a_offset 48, lda 56, stride_a 64,
        b 72, b_offset 80, ldb 88, stride_b 96, c 104, c_offset 112, ldc 120, stride_c 128, alpha 136, beta 140,
        alpha_scalar 144, beta_scalar 152, batch_count 160,
        workspace_bytes 168);
    layout!(gc_fft_plan_params, 40, 8:
        struct_size 0, direction 4, length 8, batch_count 16, input_distance 24, output_distance 32);
    layout!(gc_fft_params, 56, 8:
        struct_size 0, reserved 4, plan 8, plan_params 16, input 24, input_offset 32, output 40, output_offset 48);
    layout!(gc_script_failure, 88, 8: struct_size 0, status 4, has_op 8, reserved 12, op_index 16, op_name 24);
    layout!(gc_actor_options, 40, 8:
        struct_size 0, completion 4, mailbox_capacity 8, post_timeout_ns 16, flags 24, reserved 28,
        stall_limit_ns 32);
    layout!(gc_kernel_node_params, 48, 8:
        struct_size 0, grid_dim 4, block_dim 16, shared_mem_bytes 28, argument_layout 32, reserved 36, argument_count 40);
    layout!(gc_memcpy_node_params, 80, 8:
        struct_size 0, direction 4, destination 8, source 16, size 24, height 32, depth 40, destination_pitch 48,
        destination_slice_pitch 56, source_pitch 64, source_slice_pitch 72);
    layout!(gc_memset_node_params, 48, 8:
        struct_size 0, element_size 4, address 8, value 16, reserved 20, width 24, height 32, pitch 40);
    layout!(gc_mem_op_node_params, 32, 8: struct_size 0, kind 4, address 8, value 16, flags 24, reserved 28);
    layout!(gc_graph_binding, 64, 8:
        struct_size 0, kind 4, name 8, handle 16, pointer 24, function 32, user_data 40, destroy 48, size 56);
    layout!(gc_mem_alloc_node_params, 24, 8: struct_size 0, reserved 4, address 8, size 16);
    layout!(gc_mem_free_node_params, 16, 8: struct_size 0, reserved 4, address 8);
    layout!(gc_host_node_params, 24, 8: struct_size 0, is_foreign 4, function 8, user_data 16);
    layout!(gc_conditional_node_params, 24, 8: struct_size 0, kind 4, condition 8, body_count 16, reserved 20);
    layout!(gc_graph_memory, 40, 8:
        struct_size 0, flags 4, used_bytes 8, used_high 16, reserved_bytes 24, reserved_high 32);
    layout!(gc_access_policy_window, 32, 8: base 0, size 8, hit_ratio 16, hit_property 20, miss_property 24);
    layout!(gc_memory_sync_domain_map, 2, 1: default_domain 0, remote_domain 1);
    layout!(gc_ipc_handle, 64, 1: bytes 0);
    assert_eq!((size_of::<gc_stream_attribute_value>(), align_of::<gc_stream_attribute_value>()), (64, 8));
    layout!(HostBlock, 56, 8:
        struct_size 0, shared_mem_bytes 4, grid_dim 8, block_dim 20, block_index 32, reserved 44, shared_mem 48);
}

#[test]
fn callbacks_are_plain_pointers() {
    assert_eq!(size_of::<gc_host_fn>(), size_of::<*const c_void>());
    assert_eq!(size_of::<gc_destroy_fn>(), size_of::<*const c_void>());
    assert_eq!(size_of::<gc_capture_fn>(), size_of::<*const c_void>());
    assert_eq!(size_of::<gc_host_kernel_fn>(), size_of::<*const c_void>());
}

fn last() -> String {
    let mut text = [0 as c_char; 1024];
    // SAFETY: `text` has the capacity stated.
    assert_eq!(unsafe { gc_last_error_message(text.as_mut_ptr(), text.len(), null_mut()) }, 0);
    // SAFETY: the call above succeeded, so that the text ends with a NUL.
    unsafe { CStr::from_ptr(text.as_ptr()) }.to_str().unwrap().to_owned()
}

/// A live context on the host device.
fn context() -> *mut gc_context {
    let options =
        gc_context_options { struct_size: 16, device_kind: GRAPHCAP_DEVICE_HOST, device_ordinal: 0, flags: 0 };
    let mut context = null_mut();
    // SAFETY: both point to locals of the right types.
    assert_eq!(unsafe { gc_context_create(&options, &mut context) }, 0, "{}", last());
    context
}

#[test]
fn a_panic_poisons_the_handles_of_the_call_until_they_are_destroyed() {
    let (poisoned, other) = (context(), context());
    assert_eq!(guard("gc_test", [Token::of(poisoned)], || panic_any(())), Status::PANIC.0);
    // SAFETY: handles are looked up, never dereferenced.
    unsafe {
        assert_eq!(gc_context_synchronize(poisoned), Status::PANIC.0);
        assert!(last().contains("'context' failed inside graphcap"), "{}", last());
        assert_eq!(gc_context_synchronize(other), 0);
        assert_eq!(gc_context_destroy(poisoned), 0);
        assert_eq!(gc_context_synchronize(poisoned), Status::INVALID_HANDLE.0);
        assert_eq!(gc_context_destroy(other), 0);
    }
}

#[test]
fn a_panic_with_garbage_for_a_handle_is_only_a_panic() {
    let garbage = without_provenance_mut::<gc_context>(usize::MAX / 3);
    assert_eq!(guard("gc_test", [Token::of(garbage)], || panic_any(())), Status::PANIC.0);
}

#[test]
fn outputs_are_null_after_a_failure_and_messages_name_the_function() {
    let mut out = without_provenance_mut::<gc_context>(77);
    let options = gc_context_options { struct_size: 16, device_kind: 9, device_ordinal: 0, flags: 0 };
    // SAFETY: both point to locals of the right types.
    assert_eq!(unsafe { gc_context_create(&options, &mut out) }, Status::INVALID_VALUE.0);
    assert!(out.is_null());
    assert_eq!(last(), "gc_context_create: 'device_kind' is 9; it must be one of the GRAPHCAP_DEVICE_ numbers");
    // SAFETY: NULL is allowed.
    assert_eq!(unsafe { gc_context_create(null(), null_mut()) }, Status::INVALID_VALUE.0);
    assert_eq!(last(), "gc_context_create: 'context_out' is NULL; pass a valid pointer");
}

#[test]
fn asking_for_the_message_does_not_change_it() {
    // SAFETY: NULL is allowed, and handles are looked up, never dereferenced.
    unsafe {
        assert_eq!(gc_context_synchronize(null()), Status::INVALID_HANDLE.0);
        let whole = last();
        let (mut text, mut needed) = ([0 as c_char; 4], 0);
        assert_eq!(gc_last_error_message(text.as_mut_ptr(), 4, &mut needed), Status::BUFFER_TOO_SMALL.0);
        assert_eq!(CStr::from_ptr(text.as_ptr()), c"gc_");
        assert_eq!(needed, whole.len() + 1);
        assert_eq!(gc_last_error_message(null_mut(), 4, &mut needed), Status::INVALID_VALUE.0);
        assert_eq!(gc_last_error_message(null_mut(), 0, &mut needed), 0);
        assert_eq!((last(), needed), (whole.clone(), whole.len() + 1));
    }
}

unsafe extern "C-unwind" fn count(user_data: *mut c_void) {
    // SAFETY: the tests pass an AtomicU32 that outlives the call.
    unsafe { &*user_data.cast::<AtomicU32>() }.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn destroy_runs_once_on_every_path_on_which_a_buffer_is_not_wrapped() {
    let context = context();
    let memory = [0u64; 8].as_mut_ptr().cast::<c_void>();
    let mut buffer = null_mut();
    let garbage = without_provenance_mut(3);
    let out: *mut _ = &mut buffer;
    for (context, address, size, out, expected) in [
        (null_mut(), memory, 64, out, Status::INVALID_HANDLE),
        (garbage, memory, 64, out, Status::INVALID_HANDLE),
        (context, null_mut(), 64, out, Status::INVALID_VALUE),
        (context, memory, 64, null_mut(), Status::INVALID_VALUE),
        (context, memory, 0, out, Status::INVALID_VALUE),
    ] {
        let destroyed = AtomicU32::new(0);
        let user_data = std::ptr::from_ref(&destroyed).cast_mut().cast();
        // SAFETY: what is not NULL is valid, and no buffer is made, so that nothing outlives this.
        let status = unsafe { gc_buffer_wrap(context, address, size, user_data, Some(count), out) };
        assert_eq!((status, destroyed.load(Ordering::SeqCst)), (expected.0, 1), "{}", last());
    }
    // SAFETY: handles are looked up, never dereferenced.
    assert_eq!(unsafe { gc_context_destroy(context) }, 0);
}

#[test]
fn destroy_runs_once_on_every_path_on_which_a_host_function_is_not_launched() {
    for function in [Some(count as unsafe extern "C-unwind" fn(*mut c_void)), None] {
        let destroyed = AtomicU32::new(0);
        let user_data = std::ptr::from_ref(&destroyed).cast_mut().cast();
        // SAFETY: NULL is allowed; nothing is launched, so that nothing outlives this.
        let status = unsafe { gc_stream_launch_host_func(null(), function, user_data, Some(count)) };
        assert_eq!((status, destroyed.load(Ordering::SeqCst)), (Status::INVALID_HANDLE.0, 1));
    }
}

/// A live stream on the host device.
fn stream(context: *const gc_context) -> *mut gc_stream {
    let mut stream = null_mut();
    // SAFETY: handles are looked up, and the output points to a local.
    assert_eq!(unsafe { gc_stream_create(context, null(), &mut stream) }, 0, "{}", last());
    stream
}

/// Captures on `stream` with `function` and gives the status; user data is destroyed once whatever happens.
fn capture_with(stream: *const gc_stream, function: gc_capture_fn) -> i32 {
    let (destroyed, mut graph) = (AtomicU32::new(0), without_provenance_mut(77));
    let user_data = std::ptr::from_ref(&destroyed).cast_mut().cast();
    // Relaxed: a stricter mode would bar calls of the tests that run beside this one.
    let mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    // SAFETY: what is not NULL is valid, and the callbacks of these tests may be called with the counter.
    let status =
        unsafe { gc_stream_capture(stream, mode, std::ptr::null(), function, user_data, Some(count), &mut graph) };
    assert_eq!((destroyed.load(Ordering::SeqCst), graph.is_null()), (1, status != 0));
    status
}

#[test]
fn a_capture_function_that_panics_fails_and_the_stream_goes_on() {
    unsafe extern "C-unwind" fn panics(_: *const gc_stream, _: *mut c_void) -> i32 {
        std::panic::resume_unwind(Box::new("test"))
    }
    unsafe extern "C-unwind" fn fails_inside(stream: *const gc_stream, _: *mut c_void) -> i32 {
        // SAFETY: NULL is allowed, and handles are looked up.
        unsafe { gc_stream_is_capturing(stream, null_mut()) };
        -12_345
    }
    unsafe extern "C-unwind" fn fails(_: *const gc_stream, _: *mut c_void) -> i32 {
        Status::SEALED.0
    }
    let context = context();
    let stream = stream(context);
    for (function, expected, words) in [
        (Some(panics as unsafe extern "C-unwind" fn(_, _) -> _), Status::CALLBACK.0, ["panicked", "discarded"]),
        (Some(fails_inside), -12_345, ["returned -12345,", "last call that failed in it: gc_stream_is_capturing: '"]),
        (Some(fails), Status::SEALED.0, ["returned -2, GRAPHCAP_ERROR_SEALED,", "was discarded"]),
        (None, Status::INVALID_VALUE.0, ["'function'", "NULL"]),
    ] {
        assert_eq!(capture_with(stream, function), expected);
        let told = last();
        assert!(told.starts_with("gc_stream_capture: ") && words.iter().all(|word| told.contains(word)), "{told}");
        let mut capturing = 9;
        // SAFETY: handles are looked up, and the output points to a local.
        assert_eq!(unsafe { gc_stream_is_capturing(stream, &mut capturing) }, 0, "the stream is not poisoned");
        assert_eq!(capturing, 0);
    }
    // What failed earlier is not told as if it had failed inside.
    assert_eq!(capture_with(stream, Some(fails)), Status::SEALED.0);
    assert!(last().ends_with("so the capture was discarded"), "{}", last());
    assert_eq!(capture_with(null(), Some(fails)), Status::INVALID_HANDLE.0);
    // SAFETY: handles are looked up, never dereferenced.
    unsafe {
        assert_eq!(gc_stream_destroy(stream), 0);
        assert_eq!(gc_context_destroy(context), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_forked_child_destroys_user_data_and_reads_its_message() {
    assert_eq!(guard("gc_test", [], || Ok(())), 0);
    // SAFETY: the child calls only functions that neither allocate nor lock, and leaves by _exit.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        let destroyed = AtomicU32::new(0);
        let user_data = std::ptr::from_ref(&destroyed).cast_mut().cast();
        let mut needed = 0;
        // SAFETY: NULL is allowed, `needed` is writable, and nothing is launched.
        let (status, asked) = unsafe {
            (
                gc_stream_launch_host_func(null(), Some(count), user_data, Some(count)),
                gc_last_error_message(null_mut(), 0, &mut needed),
            )
        };
        let good = status == Status::FORKED.0 && destroyed.load(Ordering::SeqCst) == 1 && asked == 0 && needed > 60;
        // SAFETY: _exit ends the child without running what the parent registered for its own end.
        unsafe { libc::_exit(i32::from(!good)) };
    }
    let mut end = -1;
    // SAFETY: `child` is a child of this process that nobody else waits for, and `end` is writable.
    assert_eq!(unsafe { libc::waitpid(child, &mut end, 0) }, child);
    assert_eq!(end, 0);
}

#[test]
fn names_and_descriptions_exist_for_any_number() {
    let text = |pointer| {
        // SAFETY: both functions give static texts.
        unsafe { CStr::from_ptr(pointer) }
    };
    assert_eq!(text(gc_status_name(400)), c"GRAPHCAP_ERROR_INVALID_HANDLE");
    assert_eq!(text(gc_status_name(i32::MIN)), c"GRAPHCAP_ERROR_UNRECOGNIZED");
    for status in Status::ALL {
        assert_eq!(Some(text(gc_status_description(status.0))), status.description());
    }
    assert!(!text(gc_status_description(i32::MAX)).is_empty());
}

/// Compares the numbers of values of the layers below with those of the header.
macro_rules! same_numbers {
    ($($value:expr => $number:expr;)*) => {$(assert_eq!($value as i64, i64::from($number), stringify!($number));)*};
}

#[test]
fn values_of_the_layers_below_have_the_numbers_of_the_header() {
    use super::graphs::{bisect::*, check::*, conditional::*, exec_apply::*, node::*, optimize::*};
    use super::objects::{device::*, scalar::*, stream::*};
    use super::operations::stream_values::*;
    use graphcap_core::{Reason, ScalarType};
    use graphcap_driver::rules::apply_route::Route;
    use graphcap_driver::{CaptureStatus, Comparison, ConditionalKind, DeviceKind, NodeKind};
    use graphcap_kit::{BisectOutcome, Candidate, Severity};
    same_numbers! {
        NodeKind::Kernel => GRAPHCAP_NODE_KERNEL;
        NodeKind::Memcpy => GRAPHCAP_NODE_MEMCPY;
        NodeKind::Memset => GRAPHCAP_NODE_MEMSET;
        NodeKind::Host => GRAPHCAP_NODE_HOST;
        NodeKind::Child => GRAPHCAP_NODE_CHILD;
        NodeKind::Empty => GRAPHCAP_NODE_EMPTY;
        NodeKind::EventWait => GRAPHCAP_NODE_EVENT_WAIT;
        NodeKind::EventRecord => GRAPHCAP_NODE_EVENT_RECORD;
        NodeKind::MemAlloc => GRAPHCAP_NODE_MEM_ALLOC;
        NodeKind::MemFree => GRAPHCAP_NODE_MEM_FREE;
        NodeKind::BatchMemOp => GRAPHCAP_NODE_BATCH_MEM_OP;
        NodeKind::Conditional => GRAPHCAP_NODE_CONDITIONAL;
        ConditionalKind::If => GRAPHCAP_CONDITIONAL_IF;
        ConditionalKind::While => GRAPHCAP_CONDITIONAL_WHILE;
        ConditionalKind::Switch => GRAPHCAP_CONDITIONAL_SWITCH;
        ScalarType::I32 => GRAPHCAP_SCALAR_I32;
        ScalarType::U32 => GRAPHCAP_SCALAR_U32;
        ScalarType::I64 => GRAPHCAP_SCALAR_I64;
        ScalarType::U64 => GRAPHCAP_SCALAR_U64;
        ScalarType::F32 => GRAPHCAP_SCALAR_F32;
        ScalarType::F64 => GRAPHCAP_SCALAR_F64;
        CaptureStatus::None => GRAPHCAP_CAPTURE_STATUS_NONE;
        CaptureStatus::Active => GRAPHCAP_CAPTURE_STATUS_ACTIVE;
        CaptureStatus::Invalidated => GRAPHCAP_CAPTURE_STATUS_INVALIDATED;
        DeviceKind::Cuda => GRAPHCAP_DEVICE_CUDA;
        DeviceKind::Host => GRAPHCAP_DEVICE_HOST;
        Comparison::GreaterOrEqual => GRAPHCAP_WAIT_VALUE_GEQ;
        Comparison::Equal => GRAPHCAP_WAIT_VALUE_EQ;
        Comparison::And => GRAPHCAP_WAIT_VALUE_AND;
        Comparison::Nor => GRAPHCAP_WAIT_VALUE_NOR;
        Severity::Note => GRAPHCAP_SEVERITY_NOTE;
        Severity::Warning => GRAPHCAP_SEVERITY_WARNING;
        Severity::Error => GRAPHCAP_SEVERITY_ERROR;
        Route::Nothing => GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING;
        Route::SetNodes => GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_SET;
        Route::Update => GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE;
        Route::Anew => GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW;
        Reason::Unchanged => GRAPHCAP_GRAPH_EXEC_APPLY_REASON_UNCHANGED;
        Reason::FewNodes => GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FEW_NODES;
        Reason::ManyNodes => GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_NODES;
        Reason::NotKnown => GRAPHCAP_GRAPH_EXEC_APPLY_REASON_NOT_KNOWN;
        Reason::Refused => GRAPHCAP_GRAPH_EXEC_APPLY_REASON_REFUSED;
        Reason::Attribute => GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ATTRIBUTE;
        Reason::OnlyAllowed => GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ONLY_ALLOWED;
        Reason::ManyReplays => GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_REPLAYS;
        BisectOutcome::Good => GRAPHCAP_BISECT_GOOD;
        BisectOutcome::Nodes => GRAPHCAP_BISECT_NODES;
        BisectOutcome::Without => GRAPHCAP_BISECT_WITHOUT;
        BisectOutcome::Order => GRAPHCAP_BISECT_ORDER;
        BisectOutcome::Unknown => GRAPHCAP_BISECT_UNKNOWN;
        Candidate::AsRecorded => GRAPHCAP_OPTIMIZE_EDGES_RECORDED;
        Candidate::Lanes => GRAPHCAP_OPTIMIZE_EDGES_LANES;
        Candidate::Needed => GRAPHCAP_OPTIMIZE_EDGES_NEEDED;
    }
}
