// Generated from include/graphcap-api.json by python/scripts/generate.py. Do not edit.

use super::{BUFFER_TOO_SMALL, Bytes, Call, Object, ToObject, enter, none, text_of, tuple};
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

/// The least version of the library that has all of these functions.
pub const VERSION: u32 = 100;
pub const VERSION_TEXT: &str = "0.1.0";

/// The types of handles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    Context = 0,
    Stream = 1,
    Event = 2,
    Buffer = 3,
    HostBuffer = 4,
    Scalar = 5,
    Rng = 6,
    FftPlan = 7,
    Module = 8,
    Kernel = 9,
    Graph = 10,
    GraphExec = 11,
    Pool = 12,
    GraphCache = 13,
    Plan = 14,
    Script = 15,
    RecordContext = 16,
    Actor = 17,
    Future = 18,
    Capture = 19,
}

impl Kind {
    pub const ALL: [Kind; 20] = [Kind::Context, Kind::Stream, Kind::Event, Kind::Buffer, Kind::HostBuffer, Kind::Scalar, Kind::Rng, Kind::FftPlan, Kind::Module, Kind::Kernel, Kind::Graph, Kind::GraphExec, Kind::Pool, Kind::GraphCache, Kind::Plan, Kind::Script, Kind::RecordContext, Kind::Actor, Kind::Future, Kind::Capture];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Context => "Context",
            Kind::Stream => "Stream",
            Kind::Event => "Event",
            Kind::Buffer => "Buffer",
            Kind::HostBuffer => "HostBuffer",
            Kind::Scalar => "Scalar",
            Kind::Rng => "Rng",
            Kind::FftPlan => "FftPlan",
            Kind::Module => "Module",
            Kind::Kernel => "Kernel",
            Kind::Graph => "Graph",
            Kind::GraphExec => "GraphExec",
            Kind::Pool => "Pool",
            Kind::GraphCache => "GraphCache",
            Kind::Plan => "Plan",
            Kind::Script => "Script",
            Kind::RecordContext => "RecordContext",
            Kind::Actor => "Actor",
            Kind::Future => "Future",
            Kind::Capture => "Capture",
        }
    }

    /// The function that destroys a handle of this type.
    pub fn destroy(self, api: &Api) -> Option<unsafe extern "C-unwind" fn(*mut c_void) -> i32> {
        match self {
            Kind::Context => Some(api.gc_context_destroy),
            Kind::Stream => Some(api.gc_stream_destroy),
            Kind::Event => Some(api.gc_event_destroy),
            Kind::Buffer => Some(api.gc_buffer_destroy),
            Kind::HostBuffer => Some(api.gc_host_buffer_destroy),
            Kind::Scalar => Some(api.gc_scalar_destroy),
            Kind::Rng => Some(api.gc_rng_destroy),
            Kind::FftPlan => Some(api.gc_fft_plan_destroy),
            Kind::Module => Some(api.gc_module_destroy),
            Kind::Kernel => Some(api.gc_kernel_destroy),
            Kind::Graph => Some(api.gc_graph_destroy),
            Kind::GraphExec => Some(api.gc_graph_exec_destroy),
            Kind::Pool => Some(api.gc_pool_destroy),
            Kind::GraphCache => Some(api.gc_graph_cache_destroy),
            Kind::Plan => Some(api.gc_plan_destroy),
            Kind::Script => Some(api.gc_script_destroy),
            Kind::RecordContext => None,
            Kind::Actor => Some(api.gc_actor_destroy),
            Kind::Future => Some(api.gc_future_destroy),
            Kind::Capture => Some(api.gc_capture_destroy),
        }
    }
}

/// The C functions of the library.
pub struct Api {
    pub gc_version: unsafe extern "C-unwind" fn() -> u32,
    pub gc_version_string: unsafe extern "C-unwind" fn() -> *const c_char,
    pub gc_status_name: unsafe extern "C-unwind" fn(i32) -> *const c_char,
    pub gc_status_description: unsafe extern "C-unwind" fn(i32) -> *const c_char,
    pub gc_last_error_message: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_live_handles: unsafe extern "C-unwind" fn() -> u64,
    pub gc_log_set_callback: unsafe extern "C-unwind" fn(i32, u32, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_trace_start: unsafe extern "C-unwind" fn(*mut c_void, u64) -> i32,
    pub gc_trace_stop: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_trace_mark: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_device_count: unsafe extern "C-unwind" fn(i32, *mut c_void) -> i32,
    pub gc_device_name: unsafe extern "C-unwind" fn(i32, u32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_device_auto_reason: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_context_create: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_context_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_context_synchronize: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_context_synchronize_for: unsafe extern "C-unwind" fn(*mut c_void, u64) -> i32,
    pub gc_context_stream_priority_range: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_context_collect: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_context_make_current: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_context_get_info: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_context_device_name: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_context_legacy_stream: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_context_per_thread_stream: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_context_reset: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_set_name: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_get_name: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_set_name: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_name: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_context_memory_report: unsafe extern "C-unwind" fn(*mut c_void, u32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_object_context: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_kernel_get_module: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_buffer_allocate: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_buffer_allocate_waitable: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_buffer_wrap: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_buffer_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_buffer_size: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_buffer_address: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_host_check_range: unsafe extern "C-unwind" fn(*mut c_void, u64) -> i32,
    pub gc_host_buffer_allocate: unsafe extern "C-unwind" fn(*mut c_void, u64, u32, *mut c_void) -> i32,
    pub gc_host_buffer_register: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, u32, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_host_buffer_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_host_buffer_size: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_host_buffer_pointer: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_host_buffer_device_address: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_buffer_allocate_managed: unsafe extern "C-unwind" fn(*mut c_void, u64, u32, *mut c_void) -> i32,
    pub gc_stream_attach_mem_async: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32) -> i32,
    pub gc_module_load: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_module_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_module_get_kernel: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_module_get_global: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_kernel_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_kernel_name: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_kernel_parameter_count: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_kernel_parameter_size: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_kernel_set_accesses: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64) -> i32,
    pub gc_kernel_set_buffer_access: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32) -> i32,
    pub gc_kernel_set_concurrency: unsafe extern "C-unwind" fn(*mut c_void, u32) -> i32,
    pub gc_kernel_get_attribute: unsafe extern "C-unwind" fn(*mut c_void, u32, *mut c_void) -> i32,
    pub gc_kernel_set_attribute: unsafe extern "C-unwind" fn(*mut c_void, u32, i32) -> i32,
    pub gc_kernel_max_active_blocks: unsafe extern "C-unwind" fn(*mut c_void, u32, u64, *mut c_void) -> i32,
    pub gc_kernel_suggested_block_size: unsafe extern "C-unwind" fn(*mut c_void, u64, u32, *mut c_void, *mut c_void) -> i32,
    pub gc_kernel_available_shared_mem: unsafe extern "C-unwind" fn(*mut c_void, u32, u32, *mut c_void) -> i32,
    pub gc_kernel_max_active_clusters: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_kernel_max_cluster_size: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_stream_create: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_stream_wrap: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_stream_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_stream_synchronize: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_stream_synchronize_for: unsafe extern "C-unwind" fn(*mut c_void, u64) -> i32,
    pub gc_stream_is_complete: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_id: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_begin_capture: unsafe extern "C-unwind" fn(*mut c_void, i32) -> i32,
    pub gc_stream_end_capture: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_is_capturing: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_capture_status: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_wait_event: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32) -> i32,
    pub gc_stream_memcpy_htod: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void, u64) -> i32,
    pub gc_stream_memcpy_dtoh: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, u64) -> i32,
    pub gc_stream_memcpy_dtod: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void, u64, u64) -> i32,
    pub gc_stream_memset: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, u32, u32, u64) -> i32,
    pub gc_stream_launch_host_func: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_host_fail: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_stream_launch_kernel: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, u64) -> i32,
    pub gc_context_memcpy: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_context_memset: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_memcpy_batch: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_stream_write_value32: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, u32, u32) -> i32,
    pub gc_stream_write_value64: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, u64, u32) -> i32,
    pub gc_stream_wait_value32: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, u32, u32) -> i32,
    pub gc_stream_wait_value64: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, u64, u32) -> i32,
    pub gc_stream_batch_mem_op: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, u32) -> i32,
    pub gc_stream_flags: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_priority: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_get_attribute: unsafe extern "C-unwind" fn(*mut c_void, u32, *mut c_void) -> i32,
    pub gc_stream_set_attribute: unsafe extern "C-unwind" fn(*mut c_void, u32, *mut c_void) -> i32,
    pub gc_stream_copy_attributes: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_event_create: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_event_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_event_record: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32) -> i32,
    pub gc_event_is_complete: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_event_synchronize: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_event_synchronize_for: unsafe extern "C-unwind" fn(*mut c_void, u64) -> i32,
    pub gc_event_elapsed_time: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_event_ipc_handle: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_event_open_ipc_handle: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_event_id: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_submit: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_stream_capture_info: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_capture_frontier: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_stream_export_capture_dot: unsafe extern "C-unwind" fn(*mut c_void, u32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_stream_update_capture_dependencies: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, u32) -> i32,
    pub gc_stream_capture_violation: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_thread_exchange_capture_mode: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_stream_capture: unsafe extern "C-unwind" fn(*mut c_void, i32, *mut c_void, *mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_capture_begin: unsafe extern "C-unwind" fn(*mut c_void, i32, *mut c_void, *mut c_void) -> i32,
    pub gc_capture_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_capture_record_kernel: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, u64) -> i32,
    pub gc_capture_record_memcpy: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_capture_record_memset: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, u32, u32, u64) -> i32,
    pub gc_capture_recorded_count: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_capture_is_active: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_capture_end: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_capture_abort: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_capture_record: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_capture_graph: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_set_condition: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, u64) -> i32,
    pub gc_graph_create: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_graph_node_count: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_edge_count: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_get_nodes: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_export_dot: unsafe extern "C-unwind" fn(*mut c_void, u32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_instantiate: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_node_kind: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_dependencies: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_dependents: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_get_roots: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_get_order: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_graph: unsafe extern "C-unwind" fn(*mut c_void, u64, u64, *mut c_void) -> i32,
    pub gc_node_get_containing_graph: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_kernel_params: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_argument: unsafe extern "C-unwind" fn(*mut c_void, u64, u64, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_kernel_name: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_kernel: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_memcpy_params: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_memset_params: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_mem_op_params: unsafe extern "C-unwind" fn(*mut c_void, u64, u64, *mut c_void, *mut c_void) -> i32,
    pub gc_node_get_event: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_context_find_buffer: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_node_get_host_params: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_unresolved_pointers: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_export_json: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_import_json: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_diff: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_wrap: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, i32, *mut c_void) -> i32,
    pub gc_graph_exec_wrap: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, i32, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_launch: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_upload: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_num_replays: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_is_uploaded: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_get_info: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_stream_end_capture_exec: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_relaunch: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_graph_exec_progress: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_exec_nodes_in_state: unsafe extern "C-unwind" fn(*mut c_void, u32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_exec_times: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_add_node: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_add_nodes: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, u64, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_add_child_node: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_add_dependencies: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, u64) -> i32,
    pub gc_graph_remove_dependencies: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64) -> i32,
    pub gc_graph_get_edges: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_create_condition: unsafe extern "C-unwind" fn(*mut c_void, u32, u32, *mut c_void) -> i32,
    pub gc_host_set_conditional: unsafe extern "C-unwind" fn(u64, u32) -> i32,
    pub gc_node_get_conditional_params: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_mem_alloc_params: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_mem_free_params: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_buffer: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_context_graph_memory: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_context_graph_memory_reset_high: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_context_graph_memory_trim: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_graph_remove_node: unsafe extern "C-unwind" fn(*mut c_void, u64) -> i32,
    pub gc_graph_retain_callback: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_clone: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_node_find_in_clone: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, *mut c_void) -> i32,
    pub gc_node_set: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_get_attribute: unsafe extern "C-unwind" fn(*mut c_void, u64, u32, *mut c_void) -> i32,
    pub gc_node_get_attributes: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_node_set_attribute: unsafe extern "C-unwind" fn(*mut c_void, u64, u32, *mut c_void) -> i32,
    pub gc_node_copy_attributes: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, u64) -> i32,
    pub gc_node_set_grid_scalar: unsafe extern "C-unwind" fn(*mut c_void, u64, u32, *mut c_void) -> i32,
    pub gc_graph_replace_buffer: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_replace_buffer: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_set_node: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_set_nodes: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_exec_set_nodes: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_exec_set_node_enabled: unsafe extern "C-unwind" fn(*mut c_void, u64, i32) -> i32,
    pub gc_graph_exec_is_node_enabled: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_exec_update: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32, *mut c_void) -> i32,
    pub gc_graph_exec_check: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_memory_block_begin: unsafe extern "C-unwind" fn(u64, u64, *mut c_void, u64) -> i32,
    pub gc_memory_block_end: unsafe extern "C-unwind" fn(u64, u64) -> i32,
    pub gc_graph_exec_apply: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_apply_reason_description: unsafe extern "C-unwind" fn(i32) -> *const c_char,
    pub gc_graph_cache_create: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_cache_launch: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_cache_remove: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64) -> i32,
    pub gc_graph_cache_clear: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_graph_cache_get_stats: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_cache_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_pool_create: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_pool_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_pool_id: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_pool_add_buffer: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_pool_add_object: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_pool_allocate: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_pool_buffer_count: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_pool_seal: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_pool_unseal: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_pool_is_sealed: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_pool_clear: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_pool_handle_new: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_pool_handle_lookup: unsafe extern "C-unwind" fn(u64, *mut c_void) -> i32,
    pub gc_pool_handle_release: unsafe extern "C-unwind" fn(u64) -> i32,
    pub gc_pool_get_memory: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_pool_trim: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_pool_allocate_on_stream: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_buffer_destroy_on_stream: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_stream_begin_capture_with_pool: unsafe extern "C-unwind" fn(*mut c_void, i32, *mut c_void) -> i32,
    pub gc_stream_end_capture_with_pool: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_pool: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_has_pool: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_graph_exec_pool_buffer_count: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_pool_bind: unsafe extern "C-unwind" fn(*mut c_void, i32) -> i32,
    pub gc_pool_unbind: unsafe extern "C-unwind" fn(i32) -> i32,
    pub gc_pool_torch_allocate: unsafe extern "C-unwind" fn(i64, i32, *mut c_void) -> *mut c_void,
    pub gc_pool_torch_free: unsafe extern "C-unwind" fn(*mut c_void, i64, i32, *mut c_void),
    pub gc_pool_torch_record_stream: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void),
    pub gc_pool_rmm_allocate: unsafe extern "C-unwind" fn(u64, *mut c_void, *mut c_void) -> *mut c_void,
    pub gc_pool_rmm_free: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void, *mut c_void),
    pub gc_scalar_create: unsafe extern "C-unwind" fn(*mut c_void, u32, *mut c_void, *mut c_void) -> i32,
    pub gc_scalar_create_block: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_scalar_update: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32, *mut c_void) -> i32,
    pub gc_scalar_update_many: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, u64) -> i32,
    pub gc_scalar_read: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32, *mut c_void) -> i32,
    pub gc_scalar_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_scalar_type: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_scalar_address: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_scalar_buffer: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_rng_create: unsafe extern "C-unwind" fn(*mut c_void, u64, u64, *mut c_void) -> i32,
    pub gc_rng_torch_state: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32, u64, *mut c_void) -> i32,
    pub gc_rng_set_seed: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64) -> i32,
    pub gc_rng_get_seed: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_rng_set_offset: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64) -> i32,
    pub gc_rng_get_offset: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_rng_subsequence: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_rng_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_record_context_stream: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_record_context_graph: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_record_context_pool: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_callback_set_message: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_fft_plan_create: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_fft_plan_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_script_create: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_script_push_op: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_script_prepare: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_script_record: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, i32, *mut c_void, *mut c_void) -> i32,
    pub gc_script_submit: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_script_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_script_push: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_actor_create: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_actor_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_actor_record: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, i32, u32, *mut c_void) -> i32,
    pub gc_actor_adopt: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32, *mut c_void) -> i32,
    pub gc_actor_launch: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_actor_update: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_actor_set_fft_plan: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void, *mut c_void) -> i32,
    pub gc_actor_export_dot: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32, *mut c_void) -> i32,
    pub gc_actor_close: unsafe extern "C-unwind" fn(*mut c_void, u64) -> i32,
    pub gc_actor_event_fd: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_actor_next_completed: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_future_poll: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_future_wait: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_future_on_done: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_future_stall_report: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_future_on_stall: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_future_take_exec: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_future_text: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_future_event_fd: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_future_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_graph_optimize: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_optimize_text: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_optimize_reasons: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_plan_apply: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, u32, *mut c_void, *mut c_void) -> i32,
    pub gc_plan_destroy: unsafe extern "C-unwind" fn(*mut c_void) -> i32,
    pub gc_graph_verify: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void) -> i32,
    pub gc_graph_check: unsafe extern "C-unwind" fn(*mut c_void, i32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_check_text: unsafe extern "C-unwind" fn(*mut c_void, i32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_check_json: unsafe extern "C-unwind" fn(*mut c_void, i32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_exec_check_findings: unsafe extern "C-unwind" fn(*mut c_void, i32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_exec_check_text: unsafe extern "C-unwind" fn(*mut c_void, i32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_exec_check_json: unsafe extern "C-unwind" fn(*mut c_void, i32, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_step: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_graph_bisect: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, *mut c_void, u64, *mut c_void) -> i32,
    pub gc_object_native: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_node_native: unsafe extern "C-unwind" fn(*mut c_void, u64, *mut c_void) -> i32,
    pub gc_record_context_native_blas: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
    pub gc_record_context_native_rand: unsafe extern "C-unwind" fn(*mut c_void, *mut c_void) -> i32,
}

impl Api {
    /// Finds each function by its name, or returns the name that `find` does not know.
    ///
    /// # Safety
    /// What `find` gives for a name is the function of libgraphcap.so.0 that has this name.
    pub unsafe fn resolve(find: impl Fn(&CStr) -> *mut c_void) -> Result<Api, &'static CStr> {
        let found = |name: &'static CStr| match find(name) {
            function if function.is_null() => Err(name),
            function => Ok(function),
        };
        // SAFETY: the functions have these types by the interface that this file is made of.
        unsafe {
            Ok(Api {
                gc_version: std::mem::transmute::<*mut c_void, _>(found(c"gc_version")?),
                gc_version_string: std::mem::transmute::<*mut c_void, _>(found(c"gc_version_string")?),
                gc_status_name: std::mem::transmute::<*mut c_void, _>(found(c"gc_status_name")?),
                gc_status_description: std::mem::transmute::<*mut c_void, _>(found(c"gc_status_description")?),
                gc_last_error_message: std::mem::transmute::<*mut c_void, _>(found(c"gc_last_error_message")?),
                gc_live_handles: std::mem::transmute::<*mut c_void, _>(found(c"gc_live_handles")?),
                gc_log_set_callback: std::mem::transmute::<*mut c_void, _>(found(c"gc_log_set_callback")?),
                gc_trace_start: std::mem::transmute::<*mut c_void, _>(found(c"gc_trace_start")?),
                gc_trace_stop: std::mem::transmute::<*mut c_void, _>(found(c"gc_trace_stop")?),
                gc_trace_mark: std::mem::transmute::<*mut c_void, _>(found(c"gc_trace_mark")?),
                gc_device_count: std::mem::transmute::<*mut c_void, _>(found(c"gc_device_count")?),
                gc_device_name: std::mem::transmute::<*mut c_void, _>(found(c"gc_device_name")?),
                gc_device_auto_reason: std::mem::transmute::<*mut c_void, _>(found(c"gc_device_auto_reason")?),
                gc_context_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_create")?),
                gc_context_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_destroy")?),
                gc_context_synchronize: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_synchronize")?),
                gc_context_synchronize_for: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_synchronize_for")?),
                gc_context_stream_priority_range: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_stream_priority_range")?),
                gc_context_collect: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_collect")?),
                gc_context_make_current: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_make_current")?),
                gc_context_get_info: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_get_info")?),
                gc_context_device_name: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_device_name")?),
                gc_context_legacy_stream: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_legacy_stream")?),
                gc_context_per_thread_stream: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_per_thread_stream")?),
                gc_context_reset: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_reset")?),
                gc_set_name: std::mem::transmute::<*mut c_void, _>(found(c"gc_set_name")?),
                gc_get_name: std::mem::transmute::<*mut c_void, _>(found(c"gc_get_name")?),
                gc_node_set_name: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_set_name")?),
                gc_node_get_name: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_name")?),
                gc_context_memory_report: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_memory_report")?),
                gc_object_context: std::mem::transmute::<*mut c_void, _>(found(c"gc_object_context")?),
                gc_kernel_get_module: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_get_module")?),
                gc_buffer_allocate: std::mem::transmute::<*mut c_void, _>(found(c"gc_buffer_allocate")?),
                gc_buffer_allocate_waitable: std::mem::transmute::<*mut c_void, _>(found(c"gc_buffer_allocate_waitable")?),
                gc_buffer_wrap: std::mem::transmute::<*mut c_void, _>(found(c"gc_buffer_wrap")?),
                gc_buffer_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_buffer_destroy")?),
                gc_buffer_size: std::mem::transmute::<*mut c_void, _>(found(c"gc_buffer_size")?),
                gc_buffer_address: std::mem::transmute::<*mut c_void, _>(found(c"gc_buffer_address")?),
                gc_host_check_range: std::mem::transmute::<*mut c_void, _>(found(c"gc_host_check_range")?),
                gc_host_buffer_allocate: std::mem::transmute::<*mut c_void, _>(found(c"gc_host_buffer_allocate")?),
                gc_host_buffer_register: std::mem::transmute::<*mut c_void, _>(found(c"gc_host_buffer_register")?),
                gc_host_buffer_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_host_buffer_destroy")?),
                gc_host_buffer_size: std::mem::transmute::<*mut c_void, _>(found(c"gc_host_buffer_size")?),
                gc_host_buffer_pointer: std::mem::transmute::<*mut c_void, _>(found(c"gc_host_buffer_pointer")?),
                gc_host_buffer_device_address: std::mem::transmute::<*mut c_void, _>(found(c"gc_host_buffer_device_address")?),
                gc_buffer_allocate_managed: std::mem::transmute::<*mut c_void, _>(found(c"gc_buffer_allocate_managed")?),
                gc_stream_attach_mem_async: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_attach_mem_async")?),
                gc_module_load: std::mem::transmute::<*mut c_void, _>(found(c"gc_module_load")?),
                gc_module_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_module_destroy")?),
                gc_module_get_kernel: std::mem::transmute::<*mut c_void, _>(found(c"gc_module_get_kernel")?),
                gc_module_get_global: std::mem::transmute::<*mut c_void, _>(found(c"gc_module_get_global")?),
                gc_kernel_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_destroy")?),
                gc_kernel_name: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_name")?),
                gc_kernel_parameter_count: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_parameter_count")?),
                gc_kernel_parameter_size: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_parameter_size")?),
                gc_kernel_set_accesses: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_set_accesses")?),
                gc_kernel_set_buffer_access: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_set_buffer_access")?),
                gc_kernel_set_concurrency: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_set_concurrency")?),
                gc_kernel_get_attribute: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_get_attribute")?),
                gc_kernel_set_attribute: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_set_attribute")?),
                gc_kernel_max_active_blocks: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_max_active_blocks")?),
                gc_kernel_suggested_block_size: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_suggested_block_size")?),
                gc_kernel_available_shared_mem: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_available_shared_mem")?),
                gc_kernel_max_active_clusters: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_max_active_clusters")?),
                gc_kernel_max_cluster_size: std::mem::transmute::<*mut c_void, _>(found(c"gc_kernel_max_cluster_size")?),
                gc_stream_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_create")?),
                gc_stream_wrap: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_wrap")?),
                gc_stream_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_destroy")?),
                gc_stream_synchronize: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_synchronize")?),
                gc_stream_synchronize_for: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_synchronize_for")?),
                gc_stream_is_complete: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_is_complete")?),
                gc_stream_id: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_id")?),
                gc_stream_begin_capture: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_begin_capture")?),
                gc_stream_end_capture: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_end_capture")?),
                gc_stream_is_capturing: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_is_capturing")?),
                gc_stream_capture_status: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_capture_status")?),
                gc_stream_wait_event: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_wait_event")?),
                gc_stream_memcpy_htod: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_memcpy_htod")?),
                gc_stream_memcpy_dtoh: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_memcpy_dtoh")?),
                gc_stream_memcpy_dtod: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_memcpy_dtod")?),
                gc_stream_memset: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_memset")?),
                gc_stream_launch_host_func: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_launch_host_func")?),
                gc_host_fail: std::mem::transmute::<*mut c_void, _>(found(c"gc_host_fail")?),
                gc_stream_launch_kernel: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_launch_kernel")?),
                gc_context_memcpy: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_memcpy")?),
                gc_context_memset: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_memset")?),
                gc_stream_memcpy_batch: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_memcpy_batch")?),
                gc_stream_write_value32: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_write_value32")?),
                gc_stream_write_value64: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_write_value64")?),
                gc_stream_wait_value32: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_wait_value32")?),
                gc_stream_wait_value64: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_wait_value64")?),
                gc_stream_batch_mem_op: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_batch_mem_op")?),
                gc_stream_flags: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_flags")?),
                gc_stream_priority: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_priority")?),
                gc_stream_get_attribute: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_get_attribute")?),
                gc_stream_set_attribute: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_set_attribute")?),
                gc_stream_copy_attributes: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_copy_attributes")?),
                gc_event_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_create")?),
                gc_event_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_destroy")?),
                gc_event_record: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_record")?),
                gc_event_is_complete: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_is_complete")?),
                gc_event_synchronize: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_synchronize")?),
                gc_event_synchronize_for: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_synchronize_for")?),
                gc_event_elapsed_time: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_elapsed_time")?),
                gc_event_ipc_handle: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_ipc_handle")?),
                gc_event_open_ipc_handle: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_open_ipc_handle")?),
                gc_event_id: std::mem::transmute::<*mut c_void, _>(found(c"gc_event_id")?),
                gc_stream_submit: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_submit")?),
                gc_stream_capture_info: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_capture_info")?),
                gc_stream_capture_frontier: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_capture_frontier")?),
                gc_stream_export_capture_dot: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_export_capture_dot")?),
                gc_stream_update_capture_dependencies: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_update_capture_dependencies")?),
                gc_stream_capture_violation: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_capture_violation")?),
                gc_thread_exchange_capture_mode: std::mem::transmute::<*mut c_void, _>(found(c"gc_thread_exchange_capture_mode")?),
                gc_stream_capture: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_capture")?),
                gc_capture_begin: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_begin")?),
                gc_capture_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_destroy")?),
                gc_capture_record_kernel: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_record_kernel")?),
                gc_capture_record_memcpy: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_record_memcpy")?),
                gc_capture_record_memset: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_record_memset")?),
                gc_capture_recorded_count: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_recorded_count")?),
                gc_capture_is_active: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_is_active")?),
                gc_capture_end: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_end")?),
                gc_capture_abort: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_abort")?),
                gc_capture_record: std::mem::transmute::<*mut c_void, _>(found(c"gc_capture_record")?),
                gc_stream_capture_graph: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_capture_graph")?),
                gc_stream_set_condition: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_set_condition")?),
                gc_graph_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_create")?),
                gc_graph_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_destroy")?),
                gc_graph_node_count: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_node_count")?),
                gc_graph_edge_count: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_edge_count")?),
                gc_graph_get_nodes: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_get_nodes")?),
                gc_graph_export_dot: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_export_dot")?),
                gc_graph_instantiate: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_instantiate")?),
                gc_node_kind: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_kind")?),
                gc_node_get_dependencies: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_dependencies")?),
                gc_node_get_dependents: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_dependents")?),
                gc_graph_get_roots: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_get_roots")?),
                gc_graph_get_order: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_get_order")?),
                gc_node_get_graph: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_graph")?),
                gc_node_get_containing_graph: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_containing_graph")?),
                gc_node_get_kernel_params: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_kernel_params")?),
                gc_node_get_argument: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_argument")?),
                gc_node_kernel_name: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_kernel_name")?),
                gc_node_get_kernel: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_kernel")?),
                gc_node_get_memcpy_params: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_memcpy_params")?),
                gc_node_get_memset_params: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_memset_params")?),
                gc_node_get_mem_op_params: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_mem_op_params")?),
                gc_node_get_event: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_event")?),
                gc_context_find_buffer: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_find_buffer")?),
                gc_node_get_host_params: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_host_params")?),
                gc_graph_unresolved_pointers: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_unresolved_pointers")?),
                gc_graph_export_json: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_export_json")?),
                gc_graph_import_json: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_import_json")?),
                gc_graph_diff: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_diff")?),
                gc_graph_wrap: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_wrap")?),
                gc_graph_exec_wrap: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_wrap")?),
                gc_graph_launch: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_launch")?),
                gc_graph_upload: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_upload")?),
                gc_graph_exec_num_replays: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_num_replays")?),
                gc_graph_exec_is_uploaded: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_is_uploaded")?),
                gc_graph_exec_get_info: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_get_info")?),
                gc_graph_exec_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_destroy")?),
                gc_stream_end_capture_exec: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_end_capture_exec")?),
                gc_graph_relaunch: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_relaunch")?),
                gc_graph_exec_progress: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_progress")?),
                gc_graph_exec_nodes_in_state: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_nodes_in_state")?),
                gc_graph_exec_times: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_times")?),
                gc_graph_add_node: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_add_node")?),
                gc_graph_add_nodes: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_add_nodes")?),
                gc_graph_add_child_node: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_add_child_node")?),
                gc_graph_add_dependencies: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_add_dependencies")?),
                gc_graph_remove_dependencies: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_remove_dependencies")?),
                gc_graph_get_edges: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_get_edges")?),
                gc_graph_create_condition: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_create_condition")?),
                gc_host_set_conditional: std::mem::transmute::<*mut c_void, _>(found(c"gc_host_set_conditional")?),
                gc_node_get_conditional_params: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_conditional_params")?),
                gc_node_get_mem_alloc_params: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_mem_alloc_params")?),
                gc_node_get_mem_free_params: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_mem_free_params")?),
                gc_node_get_buffer: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_buffer")?),
                gc_context_graph_memory: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_graph_memory")?),
                gc_context_graph_memory_reset_high: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_graph_memory_reset_high")?),
                gc_context_graph_memory_trim: std::mem::transmute::<*mut c_void, _>(found(c"gc_context_graph_memory_trim")?),
                gc_graph_remove_node: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_remove_node")?),
                gc_graph_retain_callback: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_retain_callback")?),
                gc_graph_clone: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_clone")?),
                gc_node_find_in_clone: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_find_in_clone")?),
                gc_node_set: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_set")?),
                gc_node_get_attribute: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_attribute")?),
                gc_node_get_attributes: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_get_attributes")?),
                gc_node_set_attribute: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_set_attribute")?),
                gc_node_copy_attributes: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_copy_attributes")?),
                gc_node_set_grid_scalar: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_set_grid_scalar")?),
                gc_graph_replace_buffer: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_replace_buffer")?),
                gc_graph_exec_replace_buffer: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_replace_buffer")?),
                gc_graph_exec_set_node: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_set_node")?),
                gc_graph_set_nodes: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_set_nodes")?),
                gc_graph_exec_set_nodes: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_set_nodes")?),
                gc_graph_exec_set_node_enabled: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_set_node_enabled")?),
                gc_graph_exec_is_node_enabled: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_is_node_enabled")?),
                gc_graph_exec_update: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_update")?),
                gc_graph_exec_check: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_check")?),
                gc_memory_block_begin: std::mem::transmute::<*mut c_void, _>(found(c"gc_memory_block_begin")?),
                gc_memory_block_end: std::mem::transmute::<*mut c_void, _>(found(c"gc_memory_block_end")?),
                gc_graph_exec_apply: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_apply")?),
                gc_graph_exec_apply_reason_description: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_apply_reason_description")?),
                gc_graph_cache_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_cache_create")?),
                gc_graph_cache_launch: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_cache_launch")?),
                gc_graph_cache_remove: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_cache_remove")?),
                gc_graph_cache_clear: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_cache_clear")?),
                gc_graph_cache_get_stats: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_cache_get_stats")?),
                gc_graph_cache_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_cache_destroy")?),
                gc_pool_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_create")?),
                gc_pool_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_destroy")?),
                gc_pool_id: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_id")?),
                gc_pool_add_buffer: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_add_buffer")?),
                gc_pool_add_object: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_add_object")?),
                gc_pool_allocate: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_allocate")?),
                gc_pool_buffer_count: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_buffer_count")?),
                gc_pool_seal: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_seal")?),
                gc_pool_unseal: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_unseal")?),
                gc_pool_is_sealed: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_is_sealed")?),
                gc_pool_clear: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_clear")?),
                gc_pool_handle_new: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_handle_new")?),
                gc_pool_handle_lookup: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_handle_lookup")?),
                gc_pool_handle_release: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_handle_release")?),
                gc_pool_get_memory: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_get_memory")?),
                gc_pool_trim: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_trim")?),
                gc_pool_allocate_on_stream: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_allocate_on_stream")?),
                gc_buffer_destroy_on_stream: std::mem::transmute::<*mut c_void, _>(found(c"gc_buffer_destroy_on_stream")?),
                gc_stream_begin_capture_with_pool: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_begin_capture_with_pool")?),
                gc_stream_end_capture_with_pool: std::mem::transmute::<*mut c_void, _>(found(c"gc_stream_end_capture_with_pool")?),
                gc_graph_exec_pool: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_pool")?),
                gc_graph_exec_has_pool: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_has_pool")?),
                gc_graph_exec_pool_buffer_count: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_pool_buffer_count")?),
                gc_pool_bind: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_bind")?),
                gc_pool_unbind: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_unbind")?),
                gc_pool_torch_allocate: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_torch_allocate")?),
                gc_pool_torch_free: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_torch_free")?),
                gc_pool_torch_record_stream: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_torch_record_stream")?),
                gc_pool_rmm_allocate: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_rmm_allocate")?),
                gc_pool_rmm_free: std::mem::transmute::<*mut c_void, _>(found(c"gc_pool_rmm_free")?),
                gc_scalar_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_scalar_create")?),
                gc_scalar_create_block: std::mem::transmute::<*mut c_void, _>(found(c"gc_scalar_create_block")?),
                gc_scalar_update: std::mem::transmute::<*mut c_void, _>(found(c"gc_scalar_update")?),
                gc_scalar_update_many: std::mem::transmute::<*mut c_void, _>(found(c"gc_scalar_update_many")?),
                gc_scalar_read: std::mem::transmute::<*mut c_void, _>(found(c"gc_scalar_read")?),
                gc_scalar_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_scalar_destroy")?),
                gc_scalar_type: std::mem::transmute::<*mut c_void, _>(found(c"gc_scalar_type")?),
                gc_scalar_address: std::mem::transmute::<*mut c_void, _>(found(c"gc_scalar_address")?),
                gc_scalar_buffer: std::mem::transmute::<*mut c_void, _>(found(c"gc_scalar_buffer")?),
                gc_rng_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_rng_create")?),
                gc_rng_torch_state: std::mem::transmute::<*mut c_void, _>(found(c"gc_rng_torch_state")?),
                gc_rng_set_seed: std::mem::transmute::<*mut c_void, _>(found(c"gc_rng_set_seed")?),
                gc_rng_get_seed: std::mem::transmute::<*mut c_void, _>(found(c"gc_rng_get_seed")?),
                gc_rng_set_offset: std::mem::transmute::<*mut c_void, _>(found(c"gc_rng_set_offset")?),
                gc_rng_get_offset: std::mem::transmute::<*mut c_void, _>(found(c"gc_rng_get_offset")?),
                gc_rng_subsequence: std::mem::transmute::<*mut c_void, _>(found(c"gc_rng_subsequence")?),
                gc_rng_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_rng_destroy")?),
                gc_record_context_stream: std::mem::transmute::<*mut c_void, _>(found(c"gc_record_context_stream")?),
                gc_record_context_graph: std::mem::transmute::<*mut c_void, _>(found(c"gc_record_context_graph")?),
                gc_record_context_pool: std::mem::transmute::<*mut c_void, _>(found(c"gc_record_context_pool")?),
                gc_callback_set_message: std::mem::transmute::<*mut c_void, _>(found(c"gc_callback_set_message")?),
                gc_fft_plan_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_fft_plan_create")?),
                gc_fft_plan_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_fft_plan_destroy")?),
                gc_script_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_script_create")?),
                gc_script_push_op: std::mem::transmute::<*mut c_void, _>(found(c"gc_script_push_op")?),
                gc_script_prepare: std::mem::transmute::<*mut c_void, _>(found(c"gc_script_prepare")?),
                gc_script_record: std::mem::transmute::<*mut c_void, _>(found(c"gc_script_record")?),
                gc_script_submit: std::mem::transmute::<*mut c_void, _>(found(c"gc_script_submit")?),
                gc_script_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_script_destroy")?),
                gc_script_push: std::mem::transmute::<*mut c_void, _>(found(c"gc_script_push")?),
                gc_actor_create: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_create")?),
                gc_actor_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_destroy")?),
                gc_actor_record: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_record")?),
                gc_actor_adopt: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_adopt")?),
                gc_actor_launch: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_launch")?),
                gc_actor_update: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_update")?),
                gc_actor_set_fft_plan: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_set_fft_plan")?),
                gc_actor_export_dot: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_export_dot")?),
                gc_actor_close: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_close")?),
                gc_actor_event_fd: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_event_fd")?),
                gc_actor_next_completed: std::mem::transmute::<*mut c_void, _>(found(c"gc_actor_next_completed")?),
                gc_future_poll: std::mem::transmute::<*mut c_void, _>(found(c"gc_future_poll")?),
                gc_future_wait: std::mem::transmute::<*mut c_void, _>(found(c"gc_future_wait")?),
                gc_future_on_done: std::mem::transmute::<*mut c_void, _>(found(c"gc_future_on_done")?),
                gc_future_stall_report: std::mem::transmute::<*mut c_void, _>(found(c"gc_future_stall_report")?),
                gc_future_on_stall: std::mem::transmute::<*mut c_void, _>(found(c"gc_future_on_stall")?),
                gc_future_take_exec: std::mem::transmute::<*mut c_void, _>(found(c"gc_future_take_exec")?),
                gc_future_text: std::mem::transmute::<*mut c_void, _>(found(c"gc_future_text")?),
                gc_future_event_fd: std::mem::transmute::<*mut c_void, _>(found(c"gc_future_event_fd")?),
                gc_future_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_future_destroy")?),
                gc_graph_optimize: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_optimize")?),
                gc_graph_optimize_text: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_optimize_text")?),
                gc_graph_optimize_reasons: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_optimize_reasons")?),
                gc_plan_apply: std::mem::transmute::<*mut c_void, _>(found(c"gc_plan_apply")?),
                gc_plan_destroy: std::mem::transmute::<*mut c_void, _>(found(c"gc_plan_destroy")?),
                gc_graph_verify: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_verify")?),
                gc_graph_check: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_check")?),
                gc_graph_check_text: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_check_text")?),
                gc_graph_check_json: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_check_json")?),
                gc_graph_exec_check_findings: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_check_findings")?),
                gc_graph_exec_check_text: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_check_text")?),
                gc_graph_exec_check_json: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_exec_check_json")?),
                gc_graph_step: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_step")?),
                gc_graph_bisect: std::mem::transmute::<*mut c_void, _>(found(c"gc_graph_bisect")?),
                gc_object_native: std::mem::transmute::<*mut c_void, _>(found(c"gc_object_native")?),
                gc_node_native: std::mem::transmute::<*mut c_void, _>(found(c"gc_node_native")?),
                gc_record_context_native_blas: std::mem::transmute::<*mut c_void, _>(found(c"gc_record_context_native_blas")?),
                gc_record_context_native_rand: std::mem::transmute::<*mut c_void, _>(found(c"gc_record_context_native_rand")?),
            })
        }
    }
}

unsafe extern "C-unwind" fn gc_version(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let status = call.held(|api| unsafe { (api.gc_version)() });
        status.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_version", &[], run) }
}

unsafe extern "C-unwind" fn gc_version_string(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let status = call.held(|api| unsafe { (api.gc_version_string)() });
        text_of(status).object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_version_string", &[], run) }
}

unsafe extern "C-unwind" fn gc_status_name(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let status = call.i32(0)?;
        let status = call.held(|api| unsafe { (api.gc_status_name)(status) });
        text_of(status).object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_status_name", &["status"], run) }
}

unsafe extern "C-unwind" fn gc_status_description(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let status = call.i32(0)?;
        let status = call.held(|api| unsafe { (api.gc_status_description)(status) });
        text_of(status).object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_status_description", &["status"], run) }
}

unsafe extern "C-unwind" fn gc_last_error_message(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let (status, text) = call.text(false, |api, text, capacity, needed| unsafe { (api.gc_last_error_message)(text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_last_error_message", &[], run) }
}

unsafe extern "C-unwind" fn gc_live_handles(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let status = call.held(|api| unsafe { (api.gc_live_handles)() });
        status.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_live_handles", &[], run) }
}

unsafe extern "C-unwind" fn gc_log_set_callback(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let level = call.i32(0)?;
        let subjects = call.u32(1)?;
        let function = call.function(2)?;
        let user_data = call.pointer(3, false)?;
        let destroy = call.function(4)?;
        let status = call.released(|api| unsafe { (api.gc_log_set_callback)(level, subjects, function, user_data, destroy) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_log_set_callback", &["level", "subjects", "function", "user_data", "destroy"], run) }
}

unsafe extern "C-unwind" fn gc_trace_start(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let path = call.string(0)?;
        let limit = call.u64(1)?;
        let status = call.released(|api| unsafe { (api.gc_trace_start)(path, limit) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_trace_start", &["path", "limit"], run) }
}

unsafe extern "C-unwind" fn gc_trace_stop(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let mut dropped_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_trace_stop)((&raw mut dropped_out).cast()) });
        call.check(status)?;
        dropped_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_trace_stop", &[], run) }
}

unsafe extern "C-unwind" fn gc_trace_mark(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let name = call.string(0)?;
        let status = call.held(|api| unsafe { (api.gc_trace_mark)(name) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_trace_mark", &["name"], run) }
}

unsafe extern "C-unwind" fn gc_device_count(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kind = call.i32(0)?;
        let mut count: u32 = 0;
        let status = call.released(|api| unsafe { (api.gc_device_count)(kind, (&raw mut count).cast()) });
        call.check(status)?;
        count.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_device_count", &["kind"], run) }
}

unsafe extern "C-unwind" fn gc_device_name(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kind = call.i32(0)?;
        let ordinal = call.u32(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_device_name)(kind, ordinal, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_device_name", &["kind", "ordinal"], run) }
}

unsafe extern "C-unwind" fn gc_device_auto_reason(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_device_auto_reason)(text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_device_auto_reason", &[], run) }
}

unsafe extern "C-unwind" fn gc_context_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let options = call.pointer(0, false)?;
        let mut context_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_context_create)(options, (&raw mut context_out).cast()) });
        call.check(status)?;
        context_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_create", &["options"], run) }
}

unsafe extern "C-unwind" fn gc_context_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let status = call.released(|api| unsafe { (api.gc_context_destroy)(context) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_destroy", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_context_synchronize(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let status = call.released(|api| unsafe { (api.gc_context_synchronize)(context) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_synchronize", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_context_synchronize_for(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let nanoseconds = call.u64(1)?;
        let status = call.released(|api| unsafe { (api.gc_context_synchronize_for)(context, nanoseconds) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_synchronize_for", &["context", "nanoseconds"], run) }
}

unsafe extern "C-unwind" fn gc_context_stream_priority_range(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let mut least_out: i32 = 0;
        let mut greatest_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_context_stream_priority_range)(context, (&raw mut least_out).cast(), (&raw mut greatest_out).cast()) });
        call.check(status)?;
        tuple(call.py, [least_out.object(call.py)?, greatest_out.object(call.py)?])
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_stream_priority_range", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_context_collect(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let status = call.released(|api| unsafe { (api.gc_context_collect)(context) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_collect", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_context_make_current(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let status = call.released(|api| unsafe { (api.gc_context_make_current)(context) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_make_current", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_context_get_info(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let info_out = call.pointer(1, true)?;
        let status = call.held(|api| unsafe { (api.gc_context_get_info)(context, info_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_get_info", &["context", "info_out"], run) }
}

unsafe extern "C-unwind" fn gc_context_device_name(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let (status, text) = call.text(false, |api, text, capacity, needed| unsafe { (api.gc_context_device_name)(context, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_device_name", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_context_legacy_stream(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let mut stream_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_context_legacy_stream)(context, (&raw mut stream_out).cast()) });
        call.check(status)?;
        stream_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_legacy_stream", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_context_per_thread_stream(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let mut stream_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_context_per_thread_stream)(context, (&raw mut stream_out).cast()) });
        call.check(status)?;
        stream_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_per_thread_stream", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_context_reset(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let status = call.released(|api| unsafe { (api.gc_context_reset)(context) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_reset", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_set_name(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let handle = call.pointer(0, false)?;
        let name = call.string(1)?;
        let status = call.released(|api| unsafe { (api.gc_set_name)(handle, name) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_set_name", &["handle", "name"], run) }
}

unsafe extern "C-unwind" fn gc_get_name(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let handle = call.pointer(0, false)?;
        let (status, text) = call.text(false, |api, text, capacity, needed| unsafe { (api.gc_get_name)(handle, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_get_name", &["handle"], run) }
}

unsafe extern "C-unwind" fn gc_node_set_name(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let name = call.string(2)?;
        let status = call.released(|api| unsafe { (api.gc_node_set_name)(graph, node, name) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_set_name", &["graph", "node", "name"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_name(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_node_get_name)(graph, node, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_name", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_context_memory_report(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let format = call.u32(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_context_memory_report)(context, format, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_memory_report", &["context", "format"], run) }
}

unsafe extern "C-unwind" fn gc_object_context(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let object = call.pointer(0, false)?;
        let mut context_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_object_context)(object, (&raw mut context_out).cast()) });
        call.check(status)?;
        context_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_object_context", &["object"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_get_module(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let mut module_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_kernel_get_module)(kernel, (&raw mut module_out).cast()) });
        call.check(status)?;
        module_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_get_module", &["kernel"], run) }
}

unsafe extern "C-unwind" fn gc_buffer_allocate(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let size = call.u64(1)?;
        let mut buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_buffer_allocate)(context, size, (&raw mut buffer_out).cast()) });
        call.check(status)?;
        buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_buffer_allocate", &["context", "size"], run) }
}

unsafe extern "C-unwind" fn gc_buffer_allocate_waitable(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let size = call.u64(1)?;
        let mut buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_buffer_allocate_waitable)(context, size, (&raw mut buffer_out).cast()) });
        call.check(status)?;
        buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_buffer_allocate_waitable", &["context", "size"], run) }
}

unsafe extern "C-unwind" fn gc_buffer_wrap(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let address = call.pointer(1, false)?;
        let size = call.u64(2)?;
        let user_data = call.pointer(3, false)?;
        let destroy = call.function(4)?;
        let mut buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_buffer_wrap)(context, address, size, user_data, destroy, (&raw mut buffer_out).cast()) });
        call.check(status)?;
        buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_buffer_wrap", &["context", "address", "size", "user_data", "destroy"], run) }
}

unsafe extern "C-unwind" fn gc_buffer_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let buffer = call.handle(0, Kind::Buffer)?;
        let status = call.released(|api| unsafe { (api.gc_buffer_destroy)(buffer) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_buffer_destroy", &["buffer"], run) }
}

unsafe extern "C-unwind" fn gc_buffer_size(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let buffer = call.handle(0, Kind::Buffer)?;
        let mut size_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_buffer_size)(buffer, (&raw mut size_out).cast()) });
        call.check(status)?;
        size_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_buffer_size", &["buffer"], run) }
}

unsafe extern "C-unwind" fn gc_buffer_address(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let buffer = call.handle(0, Kind::Buffer)?;
        let mut address_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_buffer_address)(buffer, (&raw mut address_out).cast()) });
        call.check(status)?;
        address_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_buffer_address", &["buffer"], run) }
}

unsafe extern "C-unwind" fn gc_host_check_range(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let address = call.pointer(0, false)?;
        let size = call.u64(1)?;
        let status = call.held(|api| unsafe { (api.gc_host_check_range)(address, size) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_host_check_range", &["address", "size"], run) }
}

unsafe extern "C-unwind" fn gc_host_buffer_allocate(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let size = call.u64(1)?;
        let flags = call.u32(2)?;
        let mut host_buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_host_buffer_allocate)(context, size, flags, (&raw mut host_buffer_out).cast()) });
        call.check(status)?;
        host_buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_host_buffer_allocate", &["context", "size", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_host_buffer_register(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let address = call.pointer(1, false)?;
        let size = call.u64(2)?;
        let flags = call.u32(3)?;
        let user_data = call.pointer(4, false)?;
        let destroy = call.function(5)?;
        let mut host_buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_host_buffer_register)(context, address, size, flags, user_data, destroy, (&raw mut host_buffer_out).cast()) });
        call.check(status)?;
        host_buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_host_buffer_register", &["context", "address", "size", "flags", "user_data", "destroy"], run) }
}

unsafe extern "C-unwind" fn gc_host_buffer_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let host_buffer = call.handle(0, Kind::HostBuffer)?;
        let status = call.released(|api| unsafe { (api.gc_host_buffer_destroy)(host_buffer) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_host_buffer_destroy", &["host_buffer"], run) }
}

unsafe extern "C-unwind" fn gc_host_buffer_size(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let host_buffer = call.handle(0, Kind::HostBuffer)?;
        let mut size_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_host_buffer_size)(host_buffer, (&raw mut size_out).cast()) });
        call.check(status)?;
        size_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_host_buffer_size", &["host_buffer"], run) }
}

unsafe extern "C-unwind" fn gc_host_buffer_pointer(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let host_buffer = call.handle(0, Kind::HostBuffer)?;
        let mut pointer_out: *mut c_void = null_mut();
        let status = call.held(|api| unsafe { (api.gc_host_buffer_pointer)(host_buffer, (&raw mut pointer_out).cast()) });
        call.check(status)?;
        pointer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_host_buffer_pointer", &["host_buffer"], run) }
}

unsafe extern "C-unwind" fn gc_host_buffer_device_address(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let host_buffer = call.handle(0, Kind::HostBuffer)?;
        let mut address_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_host_buffer_device_address)(host_buffer, (&raw mut address_out).cast()) });
        call.check(status)?;
        address_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_host_buffer_device_address", &["host_buffer"], run) }
}

unsafe extern "C-unwind" fn gc_buffer_allocate_managed(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let size = call.u64(1)?;
        let flags = call.u32(2)?;
        let mut buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_buffer_allocate_managed)(context, size, flags, (&raw mut buffer_out).cast()) });
        call.check(status)?;
        buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_buffer_allocate_managed", &["context", "size", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_stream_attach_mem_async(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let buffer = call.handle(1, Kind::Buffer)?;
        let flags = call.u32(2)?;
        let status = call.released(|api| unsafe { (api.gc_stream_attach_mem_async)(stream, buffer, flags) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_attach_mem_async", &["stream", "buffer", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_module_load(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let description = call.pointer(1, false)?;
        let mut module_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_module_load)(context, description, (&raw mut module_out).cast()) });
        call.check(status)?;
        module_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_module_load", &["context", "description"], run) }
}

unsafe extern "C-unwind" fn gc_module_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let module = call.handle(0, Kind::Module)?;
        let status = call.released(|api| unsafe { (api.gc_module_destroy)(module) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_module_destroy", &["module"], run) }
}

unsafe extern "C-unwind" fn gc_module_get_kernel(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let module = call.handle(0, Kind::Module)?;
        let name = call.string(1)?;
        let mut kernel_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_module_get_kernel)(module, name, (&raw mut kernel_out).cast()) });
        call.check(status)?;
        kernel_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_module_get_kernel", &["module", "name"], run) }
}

unsafe extern "C-unwind" fn gc_module_get_global(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let module = call.handle(0, Kind::Module)?;
        let name = call.string(1)?;
        let mut buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_module_get_global)(module, name, (&raw mut buffer_out).cast()) });
        call.check(status)?;
        buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_module_get_global", &["module", "name"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let status = call.released(|api| unsafe { (api.gc_kernel_destroy)(kernel) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_destroy", &["kernel"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_name(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let (status, text) = call.text(false, |api, text, capacity, needed| unsafe { (api.gc_kernel_name)(kernel, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_name", &["kernel"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_parameter_count(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let mut count_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_kernel_parameter_count)(kernel, (&raw mut count_out).cast()) });
        call.check(status)?;
        count_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_parameter_count", &["kernel"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_parameter_size(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let index = call.u64(1)?;
        let mut size_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_kernel_parameter_size)(kernel, index, (&raw mut size_out).cast()) });
        call.check(status)?;
        size_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_parameter_size", &["kernel", "index"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_set_accesses(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let accesses = call.pointer(1, false)?;
        let count = call.u64(2)?;
        let status = call.released(|api| unsafe { (api.gc_kernel_set_accesses)(kernel, accesses, count) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_set_accesses", &["kernel", "accesses", "count"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_set_buffer_access(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let buffer = call.handle(1, Kind::Buffer)?;
        let access = call.u32(2)?;
        let status = call.released(|api| unsafe { (api.gc_kernel_set_buffer_access)(kernel, buffer, access) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_set_buffer_access", &["kernel", "buffer", "access"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_set_concurrency(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let concurrency = call.u32(1)?;
        let status = call.released(|api| unsafe { (api.gc_kernel_set_concurrency)(kernel, concurrency) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_set_concurrency", &["kernel", "concurrency"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_get_attribute(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let attribute = call.u32(1)?;
        let mut value_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_kernel_get_attribute)(kernel, attribute, (&raw mut value_out).cast()) });
        call.check(status)?;
        value_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_get_attribute", &["kernel", "attribute"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_set_attribute(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let attribute = call.u32(1)?;
        let value = call.i32(2)?;
        let status = call.released(|api| unsafe { (api.gc_kernel_set_attribute)(kernel, attribute, value) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_set_attribute", &["kernel", "attribute", "value"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_max_active_blocks(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let block_size = call.u32(1)?;
        let shared_mem_bytes = call.u64(2)?;
        let mut blocks_out: u32 = 0;
        let status = call.released(|api| unsafe { (api.gc_kernel_max_active_blocks)(kernel, block_size, shared_mem_bytes, (&raw mut blocks_out).cast()) });
        call.check(status)?;
        blocks_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_max_active_blocks", &["kernel", "block_size", "shared_mem_bytes"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_suggested_block_size(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let shared_mem_bytes = call.u64(1)?;
        let block_size_limit = call.u32(2)?;
        let mut block_size_out: u32 = 0;
        let mut grid_size_out: u32 = 0;
        let status = call.released(|api| unsafe { (api.gc_kernel_suggested_block_size)(kernel, shared_mem_bytes, block_size_limit, (&raw mut block_size_out).cast(), (&raw mut grid_size_out).cast()) });
        call.check(status)?;
        tuple(call.py, [block_size_out.object(call.py)?, grid_size_out.object(call.py)?])
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_suggested_block_size", &["kernel", "shared_mem_bytes", "block_size_limit"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_available_shared_mem(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let blocks = call.u32(1)?;
        let block_size = call.u32(2)?;
        let mut bytes_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_kernel_available_shared_mem)(kernel, blocks, block_size, (&raw mut bytes_out).cast()) });
        call.check(status)?;
        bytes_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_available_shared_mem", &["kernel", "blocks", "block_size"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_max_active_clusters(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let config = call.pointer(1, false)?;
        let mut clusters_out: u32 = 0;
        let status = call.released(|api| unsafe { (api.gc_kernel_max_active_clusters)(kernel, config, (&raw mut clusters_out).cast()) });
        call.check(status)?;
        clusters_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_max_active_clusters", &["kernel", "config"], run) }
}

unsafe extern "C-unwind" fn gc_kernel_max_cluster_size(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let kernel = call.handle(0, Kind::Kernel)?;
        let config = call.pointer(1, false)?;
        let mut blocks_out: u32 = 0;
        let status = call.released(|api| unsafe { (api.gc_kernel_max_cluster_size)(kernel, config, (&raw mut blocks_out).cast()) });
        call.check(status)?;
        blocks_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_kernel_max_cluster_size", &["kernel", "config"], run) }
}

unsafe extern "C-unwind" fn gc_stream_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let options = call.pointer(1, false)?;
        let mut stream_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_stream_create)(context, options, (&raw mut stream_out).cast()) });
        call.check(status)?;
        stream_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_create", &["context", "options"], run) }
}

unsafe extern "C-unwind" fn gc_stream_wrap(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let native = call.pointer(1, false)?;
        let mut stream_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_stream_wrap)(context, native, (&raw mut stream_out).cast()) });
        call.check(status)?;
        stream_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_wrap", &["context", "native"], run) }
}

unsafe extern "C-unwind" fn gc_stream_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let status = call.released(|api| unsafe { (api.gc_stream_destroy)(stream) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_destroy", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_synchronize(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let status = call.released(|api| unsafe { (api.gc_stream_synchronize)(stream) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_synchronize", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_synchronize_for(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let nanoseconds = call.u64(1)?;
        let status = call.released(|api| unsafe { (api.gc_stream_synchronize_for)(stream, nanoseconds) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_synchronize_for", &["stream", "nanoseconds"], run) }
}

unsafe extern "C-unwind" fn gc_stream_is_complete(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut complete_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_stream_is_complete)(stream, (&raw mut complete_out).cast()) });
        call.check(status)?;
        complete_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_is_complete", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_id(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut id_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_stream_id)(stream, (&raw mut id_out).cast()) });
        call.check(status)?;
        id_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_id", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_begin_capture(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mode = call.i32(1)?;
        let status = call.released(|api| unsafe { (api.gc_stream_begin_capture)(stream, mode) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_begin_capture", &["stream", "mode"], run) }
}

unsafe extern "C-unwind" fn gc_stream_end_capture(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_stream_end_capture)(stream, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_end_capture", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_is_capturing(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut capturing_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_stream_is_capturing)(stream, (&raw mut capturing_out).cast()) });
        call.check(status)?;
        capturing_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_is_capturing", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_capture_status(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut status_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_stream_capture_status)(stream, (&raw mut status_out).cast()) });
        call.check(status)?;
        status_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_capture_status", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_wait_event(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let event = call.handle(1, Kind::Event)?;
        let flags = call.u32(2)?;
        let status = call.released(|api| unsafe { (api.gc_stream_wait_event)(stream, event, flags) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_wait_event", &["stream", "event", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_stream_memcpy_htod(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let destination = call.handle(1, Kind::Buffer)?;
        let destination_offset = call.u64(2)?;
        let source = call.pointer(3, false)?;
        let size = call.u64(4)?;
        let status = call.released(|api| unsafe { (api.gc_stream_memcpy_htod)(stream, destination, destination_offset, source, size) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_memcpy_htod", &["stream", "destination", "destination_offset", "source", "size"], run) }
}

unsafe extern "C-unwind" fn gc_stream_memcpy_dtoh(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let destination = call.pointer(1, true)?;
        let source = call.handle(2, Kind::Buffer)?;
        let source_offset = call.u64(3)?;
        let size = call.u64(4)?;
        let status = call.released(|api| unsafe { (api.gc_stream_memcpy_dtoh)(stream, destination, source, source_offset, size) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_memcpy_dtoh", &["stream", "destination", "source", "source_offset", "size"], run) }
}

unsafe extern "C-unwind" fn gc_stream_memcpy_dtod(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let destination = call.handle(1, Kind::Buffer)?;
        let destination_offset = call.u64(2)?;
        let source = call.handle(3, Kind::Buffer)?;
        let source_offset = call.u64(4)?;
        let size = call.u64(5)?;
        let status = call.released(|api| unsafe { (api.gc_stream_memcpy_dtod)(stream, destination, destination_offset, source, source_offset, size) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_memcpy_dtod", &["stream", "destination", "destination_offset", "source", "source_offset", "size"], run) }
}

unsafe extern "C-unwind" fn gc_stream_memset(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let buffer = call.handle(1, Kind::Buffer)?;
        let offset = call.u64(2)?;
        let value = call.u32(3)?;
        let element_size = call.u32(4)?;
        let count = call.u64(5)?;
        let status = call.released(|api| unsafe { (api.gc_stream_memset)(stream, buffer, offset, value, element_size, count) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_memset", &["stream", "buffer", "offset", "value", "element_size", "count"], run) }
}

unsafe extern "C-unwind" fn gc_stream_launch_host_func(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let function = call.function(1)?;
        let user_data = call.pointer(2, false)?;
        let destroy = call.function(3)?;
        let status = call.released(|api| unsafe { (api.gc_stream_launch_host_func)(stream, function, user_data, destroy) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_launch_host_func", &["stream", "function", "user_data", "destroy"], run) }
}

unsafe extern "C-unwind" fn gc_host_fail(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let reason = call.string(0)?;
        let status = call.held(|api| unsafe { (api.gc_host_fail)(reason) });
        status.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_host_fail", &["reason"], run) }
}

unsafe extern "C-unwind" fn gc_stream_launch_kernel(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let kernel = call.handle(1, Kind::Kernel)?;
        let config = call.pointer(2, false)?;
        let arguments = call.pointer(3, false)?;
        let argument_count = call.u64(4)?;
        let status = call.released(|api| unsafe { (api.gc_stream_launch_kernel)(stream, kernel, config, arguments, argument_count) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_launch_kernel", &["stream", "kernel", "config", "arguments", "argument_count"], run) }
}

unsafe extern "C-unwind" fn gc_context_memcpy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let params = call.pointer(1, false)?;
        let status = call.released(|api| unsafe { (api.gc_context_memcpy)(context, params) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_memcpy", &["context", "params"], run) }
}

unsafe extern "C-unwind" fn gc_context_memset(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let params = call.pointer(1, false)?;
        let status = call.released(|api| unsafe { (api.gc_context_memset)(context, params) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_memset", &["context", "params"], run) }
}

unsafe extern "C-unwind" fn gc_stream_memcpy_batch(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let params = call.pointer(1, false)?;
        let count = call.u64(2)?;
        let mut failed_index_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_stream_memcpy_batch)(stream, params, count, (&raw mut failed_index_out).cast()) });
        call.check(status)?;
        failed_index_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_memcpy_batch", &["stream", "params", "count"], run) }
}

unsafe extern "C-unwind" fn gc_stream_write_value32(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let buffer = call.handle(1, Kind::Buffer)?;
        let offset = call.u64(2)?;
        let value = call.u32(3)?;
        let flags = call.u32(4)?;
        let status = call.released(|api| unsafe { (api.gc_stream_write_value32)(stream, buffer, offset, value, flags) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_write_value32", &["stream", "buffer", "offset", "value", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_stream_write_value64(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let buffer = call.handle(1, Kind::Buffer)?;
        let offset = call.u64(2)?;
        let value = call.u64(3)?;
        let flags = call.u32(4)?;
        let status = call.released(|api| unsafe { (api.gc_stream_write_value64)(stream, buffer, offset, value, flags) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_write_value64", &["stream", "buffer", "offset", "value", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_stream_wait_value32(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let buffer = call.handle(1, Kind::Buffer)?;
        let offset = call.u64(2)?;
        let value = call.u32(3)?;
        let flags = call.u32(4)?;
        let status = call.released(|api| unsafe { (api.gc_stream_wait_value32)(stream, buffer, offset, value, flags) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_wait_value32", &["stream", "buffer", "offset", "value", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_stream_wait_value64(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let buffer = call.handle(1, Kind::Buffer)?;
        let offset = call.u64(2)?;
        let value = call.u64(3)?;
        let flags = call.u32(4)?;
        let status = call.released(|api| unsafe { (api.gc_stream_wait_value64)(stream, buffer, offset, value, flags) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_wait_value64", &["stream", "buffer", "offset", "value", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_stream_batch_mem_op(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let operations = call.pointer(1, false)?;
        let count = call.u64(2)?;
        let flags = call.u32(3)?;
        let status = call.released(|api| unsafe { (api.gc_stream_batch_mem_op)(stream, operations, count, flags) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_batch_mem_op", &["stream", "operations", "count", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_stream_flags(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut flags_out: u32 = 0;
        let status = call.released(|api| unsafe { (api.gc_stream_flags)(stream, (&raw mut flags_out).cast()) });
        call.check(status)?;
        flags_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_flags", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_priority(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut priority_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_stream_priority)(stream, (&raw mut priority_out).cast()) });
        call.check(status)?;
        priority_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_priority", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_get_attribute(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let attribute = call.u32(1)?;
        let value_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_stream_get_attribute)(stream, attribute, value_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_get_attribute", &["stream", "attribute", "value_out"], run) }
}

unsafe extern "C-unwind" fn gc_stream_set_attribute(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let attribute = call.u32(1)?;
        let value = call.pointer(2, false)?;
        let status = call.released(|api| unsafe { (api.gc_stream_set_attribute)(stream, attribute, value) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_set_attribute", &["stream", "attribute", "value"], run) }
}

unsafe extern "C-unwind" fn gc_stream_copy_attributes(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let source = call.handle(1, Kind::Stream)?;
        let status = call.released(|api| unsafe { (api.gc_stream_copy_attributes)(stream, source) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_copy_attributes", &["stream", "source"], run) }
}

unsafe extern "C-unwind" fn gc_event_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let options = call.pointer(1, false)?;
        let mut event_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_event_create)(context, options, (&raw mut event_out).cast()) });
        call.check(status)?;
        event_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_create", &["context", "options"], run) }
}

unsafe extern "C-unwind" fn gc_event_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let event = call.handle(0, Kind::Event)?;
        let status = call.released(|api| unsafe { (api.gc_event_destroy)(event) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_destroy", &["event"], run) }
}

unsafe extern "C-unwind" fn gc_event_record(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let event = call.handle(0, Kind::Event)?;
        let stream = call.handle(1, Kind::Stream)?;
        let flags = call.u32(2)?;
        let status = call.released(|api| unsafe { (api.gc_event_record)(event, stream, flags) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_record", &["event", "stream", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_event_is_complete(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let event = call.handle(0, Kind::Event)?;
        let mut complete_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_event_is_complete)(event, (&raw mut complete_out).cast()) });
        call.check(status)?;
        complete_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_is_complete", &["event"], run) }
}

unsafe extern "C-unwind" fn gc_event_synchronize(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let event = call.handle(0, Kind::Event)?;
        let status = call.released(|api| unsafe { (api.gc_event_synchronize)(event) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_synchronize", &["event"], run) }
}

unsafe extern "C-unwind" fn gc_event_synchronize_for(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let event = call.handle(0, Kind::Event)?;
        let nanoseconds = call.u64(1)?;
        let status = call.released(|api| unsafe { (api.gc_event_synchronize_for)(event, nanoseconds) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_synchronize_for", &["event", "nanoseconds"], run) }
}

unsafe extern "C-unwind" fn gc_event_elapsed_time(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let start = call.handle(0, Kind::Event)?;
        let end = call.handle(1, Kind::Event)?;
        let mut milliseconds_out: f32 = 0.0;
        let status = call.released(|api| unsafe { (api.gc_event_elapsed_time)(start, end, (&raw mut milliseconds_out).cast()) });
        call.check(status)?;
        milliseconds_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_elapsed_time", &["start", "end"], run) }
}

unsafe extern "C-unwind" fn gc_event_ipc_handle(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let event = call.handle(0, Kind::Event)?;
        let handle_out = call.pointer(1, true)?;
        let status = call.released(|api| unsafe { (api.gc_event_ipc_handle)(event, handle_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_ipc_handle", &["event", "handle_out"], run) }
}

unsafe extern "C-unwind" fn gc_event_open_ipc_handle(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let ipc_handle = call.pointer(1, false)?;
        let mut event_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_event_open_ipc_handle)(context, ipc_handle, (&raw mut event_out).cast()) });
        call.check(status)?;
        event_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_open_ipc_handle", &["context", "ipc_handle"], run) }
}

unsafe extern "C-unwind" fn gc_event_id(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let event = call.handle(0, Kind::Event)?;
        let mut id_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_event_id)(event, (&raw mut id_out).cast()) });
        call.check(status)?;
        id_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_event_id", &["event"], run) }
}

unsafe extern "C-unwind" fn gc_stream_submit(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let work = call.pointer(1, false)?;
        let mut node_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_stream_submit)(stream, work, (&raw mut node_out).cast()) });
        call.check(status)?;
        node_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_submit", &["stream", "work"], run) }
}

unsafe extern "C-unwind" fn gc_stream_capture_info(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let info_out = call.pointer(1, true)?;
        let status = call.released(|api| unsafe { (api.gc_stream_capture_info)(stream, info_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_capture_info", &["stream", "info_out"], run) }
}

unsafe extern "C-unwind" fn gc_stream_capture_frontier(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut nodes_out: Vec<u64> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            nodes_out.resize(capacity as usize, 0);
            let status = call.released(|api| unsafe { (api.gc_stream_capture_frontier)(stream, nodes_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        nodes_out.truncate(room as usize);
        call.check(status)?;
        nodes_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_capture_frontier", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_export_capture_dot(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let flags = call.u32(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_stream_export_capture_dot)(stream, flags, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_export_capture_dot", &["stream", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_stream_update_capture_dependencies(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let nodes = call.words(1)?;
        let data = call.pointer(2, false)?;
        let count = call.u64(3)?;
        let flags = call.u32(4)?;
        let status = call.released(|api| unsafe { (api.gc_stream_update_capture_dependencies)(stream, nodes, data, count, flags) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_update_capture_dependencies", &["stream", "nodes", "data", "count", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_stream_capture_violation(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut violation_out: i32 = 0;
        let (status, text) = call.text(false, |api, text, capacity, needed| unsafe { (api.gc_stream_capture_violation)(stream, (&raw mut violation_out).cast(), text, capacity, needed) });
        call.check(status)?;
        tuple(call.py, [violation_out.object(call.py)?, text.object(call.py)?])
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_capture_violation", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_thread_exchange_capture_mode(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let mode = call.pointer(0, true)?;
        let status = call.released(|api| unsafe { (api.gc_thread_exchange_capture_mode)(mode) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_thread_exchange_capture_mode", &["mode"], run) }
}

unsafe extern "C-unwind" fn gc_stream_capture(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mode = call.i32(1)?;
        let options = call.pointer(2, false)?;
        let function = call.function(3)?;
        let user_data = call.pointer(4, false)?;
        let destroy = call.function(5)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_stream_capture)(stream, mode, options, function, user_data, destroy, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_capture", &["stream", "mode", "options", "function", "user_data", "destroy"], run) }
}

unsafe extern "C-unwind" fn gc_capture_begin(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mode = call.i32(1)?;
        let options = call.pointer(2, false)?;
        let mut capture_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_capture_begin)(stream, mode, options, (&raw mut capture_out).cast()) });
        call.check(status)?;
        capture_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_begin", &["stream", "mode", "options"], run) }
}

unsafe extern "C-unwind" fn gc_capture_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let capture = call.handle(0, Kind::Capture)?;
        let status = call.released(|api| unsafe { (api.gc_capture_destroy)(capture) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_destroy", &["capture"], run) }
}

unsafe extern "C-unwind" fn gc_capture_record_kernel(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let capture = call.handle(0, Kind::Capture)?;
        let name = call.string(1)?;
        let config = call.pointer(2, false)?;
        let arguments = call.pointer(3, false)?;
        let argument_count = call.u64(4)?;
        let status = call.released(|api| unsafe { (api.gc_capture_record_kernel)(capture, name, config, arguments, argument_count) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_record_kernel", &["capture", "name", "config", "arguments", "argument_count"], run) }
}

unsafe extern "C-unwind" fn gc_capture_record_memcpy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let capture = call.handle(0, Kind::Capture)?;
        let params = call.pointer(1, false)?;
        let status = call.released(|api| unsafe { (api.gc_capture_record_memcpy)(capture, params) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_record_memcpy", &["capture", "params"], run) }
}

unsafe extern "C-unwind" fn gc_capture_record_memset(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let capture = call.handle(0, Kind::Capture)?;
        let buffer = call.handle(1, Kind::Buffer)?;
        let offset = call.u64(2)?;
        let value = call.u32(3)?;
        let element_size = call.u32(4)?;
        let count = call.u64(5)?;
        let status = call.released(|api| unsafe { (api.gc_capture_record_memset)(capture, buffer, offset, value, element_size, count) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_record_memset", &["capture", "buffer", "offset", "value", "element_size", "count"], run) }
}

unsafe extern "C-unwind" fn gc_capture_recorded_count(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let capture = call.handle(0, Kind::Capture)?;
        let mut count_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_capture_recorded_count)(capture, (&raw mut count_out).cast()) });
        call.check(status)?;
        count_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_recorded_count", &["capture"], run) }
}

unsafe extern "C-unwind" fn gc_capture_is_active(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let capture = call.handle(0, Kind::Capture)?;
        let mut active_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_capture_is_active)(capture, (&raw mut active_out).cast()) });
        call.check(status)?;
        active_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_is_active", &["capture"], run) }
}

unsafe extern "C-unwind" fn gc_capture_end(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let capture = call.handle(0, Kind::Capture)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_capture_end)(capture, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_end", &["capture"], run) }
}

unsafe extern "C-unwind" fn gc_capture_abort(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let capture = call.handle(0, Kind::Capture)?;
        let status = call.released(|api| unsafe { (api.gc_capture_abort)(capture) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_abort", &["capture"], run) }
}

unsafe extern "C-unwind" fn gc_capture_record(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let capture = call.handle(0, Kind::Capture)?;
        let work = call.pointer(1, false)?;
        let status = call.released(|api| unsafe { (api.gc_capture_record)(capture, work) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_capture_record", &["capture", "work"], run) }
}

unsafe extern "C-unwind" fn gc_stream_capture_graph(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_stream_capture_graph)(stream, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_capture_graph", &["stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_set_condition(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let condition = call.u64(1)?;
        let buffer = call.handle(2, Kind::Buffer)?;
        let offset = call.u64(3)?;
        let status = call.released(|api| unsafe { (api.gc_stream_set_condition)(stream, condition, buffer, offset) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_set_condition", &["stream", "condition", "buffer", "offset"], run) }
}

unsafe extern "C-unwind" fn gc_graph_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_graph_create)(context, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_create", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_graph_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let status = call.released(|api| unsafe { (api.gc_graph_destroy)(graph) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_destroy", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_graph_node_count(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let mut count_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_node_count)(graph, (&raw mut count_out).cast()) });
        call.check(status)?;
        count_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_node_count", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_graph_edge_count(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let mut count_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_edge_count)(graph, (&raw mut count_out).cast()) });
        call.check(status)?;
        count_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_edge_count", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_graph_get_nodes(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let mut nodes_out: Vec<u64> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            nodes_out.resize(capacity as usize, 0);
            let status = call.released(|api| unsafe { (api.gc_graph_get_nodes)(graph, nodes_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        nodes_out.truncate(room as usize);
        call.check(status)?;
        nodes_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_get_nodes", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_graph_export_dot(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let flags = call.u32(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_export_dot)(graph, flags, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_export_dot", &["graph", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_graph_instantiate(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let options = call.pointer(1, false)?;
        let mut exec_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_graph_instantiate)(graph, options, (&raw mut exec_out).cast()) });
        call.check(status)?;
        exec_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_instantiate", &["graph", "options"], run) }
}

unsafe extern "C-unwind" fn gc_node_kind(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let mut kind_out: u32 = 0;
        let status = call.released(|api| unsafe { (api.gc_node_kind)(graph, node, (&raw mut kind_out).cast()) });
        call.check(status)?;
        kind_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_kind", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_dependencies(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let mut nodes_out: Vec<u64> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            nodes_out.resize(capacity as usize, 0);
            let status = call.released(|api| unsafe { (api.gc_node_get_dependencies)(graph, node, nodes_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        nodes_out.truncate(room as usize);
        call.check(status)?;
        nodes_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_dependencies", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_dependents(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let mut nodes_out: Vec<u64> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            nodes_out.resize(capacity as usize, 0);
            let status = call.released(|api| unsafe { (api.gc_node_get_dependents)(graph, node, nodes_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        nodes_out.truncate(room as usize);
        call.check(status)?;
        nodes_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_dependents", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_graph_get_roots(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let mut nodes_out: Vec<u64> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            nodes_out.resize(capacity as usize, 0);
            let status = call.released(|api| unsafe { (api.gc_graph_get_roots)(graph, nodes_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        nodes_out.truncate(room as usize);
        call.check(status)?;
        nodes_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_get_roots", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_graph_get_order(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let mut nodes_out: Vec<u64> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            nodes_out.resize(capacity as usize, 0);
            let status = call.released(|api| unsafe { (api.gc_graph_get_order)(graph, nodes_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        nodes_out.truncate(room as usize);
        call.check(status)?;
        nodes_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_get_order", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_graph(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let index = call.u64(2)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_node_get_graph)(graph, node, index, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_graph", &["graph", "node", "index"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_containing_graph(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_node_get_containing_graph)(graph, node, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_containing_graph", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_kernel_params(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let params_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_node_get_kernel_params)(graph, node, params_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_kernel_params", &["graph", "node", "params_out"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_argument(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let index = call.u64(2)?;
        let mut bytes_out: Vec<u8> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            bytes_out.resize(capacity as usize, 0);
            let status = call.released(|api| unsafe { (api.gc_node_get_argument)(graph, node, index, bytes_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        bytes_out.truncate(room as usize);
        call.check(status)?;
        Bytes(bytes_out).object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_argument", &["graph", "node", "index"], run) }
}

unsafe extern "C-unwind" fn gc_node_kernel_name(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_node_kernel_name)(graph, node, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_kernel_name", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_kernel(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let mut kernel_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_node_get_kernel)(graph, node, (&raw mut kernel_out).cast()) });
        call.check(status)?;
        kernel_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_kernel", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_memcpy_params(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let params_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_node_get_memcpy_params)(graph, node, params_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_memcpy_params", &["graph", "node", "params_out"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_memset_params(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let params_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_node_get_memset_params)(graph, node, params_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_memset_params", &["graph", "node", "params_out"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_mem_op_params(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let index = call.u64(2)?;
        let params_out = call.pointer(3, true)?;
        let mut count_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_node_get_mem_op_params)(graph, node, index, params_out, (&raw mut count_out).cast()) });
        call.check(status)?;
        count_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_mem_op_params", &["graph", "node", "index", "params_out"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_event(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let mut event_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_node_get_event)(graph, node, (&raw mut event_out).cast()) });
        call.check(status)?;
        event_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_event", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_context_find_buffer(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let address = call.u64(1)?;
        let mut buffer_out: *mut c_void = null_mut();
        let mut host_buffer_out: *mut c_void = null_mut();
        let mut offset_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_context_find_buffer)(context, address, (&raw mut buffer_out).cast(), (&raw mut host_buffer_out).cast(), (&raw mut offset_out).cast()) });
        call.check(status)?;
        tuple(call.py, [buffer_out.object(call.py)?, host_buffer_out.object(call.py)?, offset_out.object(call.py)?])
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_find_buffer", &["context", "address"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_host_params(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let params_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_node_get_host_params)(graph, node, params_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_host_params", &["graph", "node", "params_out"], run) }
}

unsafe extern "C-unwind" fn gc_graph_unresolved_pointers(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let mut pointers_out: Vec<[u64; 4]> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            pointers_out.resize(capacity as usize, [0; 4]);
            let status = call.released(|api| unsafe { (api.gc_graph_unresolved_pointers)(graph, pointers_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        pointers_out.truncate(room as usize);
        call.check(status)?;
        Bytes(pointers_out).object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_unresolved_pointers", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_graph_export_json(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_export_json)(graph, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_export_json", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_graph_import_json(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let json = call.string(1)?;
        let size = call.u64(2)?;
        let bindings = call.pointer(3, false)?;
        let binding_count = call.u64(4)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_graph_import_json)(context, json, size, bindings, binding_count, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_import_json", &["context", "json", "size", "bindings", "binding_count"], run) }
}

unsafe extern "C-unwind" fn gc_graph_diff(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let other = call.handle(1, Kind::Graph)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_diff)(graph, other, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_diff", &["graph", "other"], run) }
}

unsafe extern "C-unwind" fn gc_graph_wrap(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let native = call.pointer(1, false)?;
        let ownership = call.i32(2)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_graph_wrap)(context, native, ownership, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_wrap", &["context", "native", "ownership"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_wrap(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let native = call.pointer(1, false)?;
        let ownership = call.i32(2)?;
        let graph = call.handle(3, Kind::Graph)?;
        let mut exec_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_graph_exec_wrap)(context, native, ownership, graph, (&raw mut exec_out).cast()) });
        call.check(status)?;
        exec_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_wrap", &["context", "native", "ownership", "graph"], run) }
}

unsafe extern "C-unwind" fn gc_graph_launch(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let stream = call.handle(1, Kind::Stream)?;
        let status = call.released(|api| unsafe { (api.gc_graph_launch)(exec, stream) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_launch", &["exec", "stream"], run) }
}

unsafe extern "C-unwind" fn gc_graph_upload(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let stream = call.handle(1, Kind::Stream)?;
        let status = call.released(|api| unsafe { (api.gc_graph_upload)(exec, stream) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_upload", &["exec", "stream"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_num_replays(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let mut count_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_graph_exec_num_replays)(exec, (&raw mut count_out).cast()) });
        call.check(status)?;
        count_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_num_replays", &["exec"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_is_uploaded(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let mut uploaded_out: i32 = 0;
        let status = call.held(|api| unsafe { (api.gc_graph_exec_is_uploaded)(exec, (&raw mut uploaded_out).cast()) });
        call.check(status)?;
        uploaded_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_is_uploaded", &["exec"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_get_info(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let info_out = call.pointer(1, true)?;
        let status = call.held(|api| unsafe { (api.gc_graph_exec_get_info)(exec, info_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_get_info", &["exec", "info_out"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_destroy)(exec) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_destroy", &["exec"], run) }
}

unsafe extern "C-unwind" fn gc_stream_end_capture_exec(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let options = call.pointer(1, false)?;
        let mut exec_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_stream_end_capture_exec)(stream, options, (&raw mut exec_out).cast()) });
        call.check(status)?;
        exec_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_end_capture_exec", &["stream", "options"], run) }
}

unsafe extern "C-unwind" fn gc_graph_relaunch(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let status = call.released(|api| unsafe { (api.gc_graph_relaunch)(exec) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_relaunch", &["exec"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_progress(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let progress_out = call.pointer(1, true)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_exec_progress)(exec, progress_out, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_progress", &["exec", "progress_out"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_nodes_in_state(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let state = call.u32(1)?;
        let mut nodes_out: Vec<u64> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            nodes_out.resize(capacity as usize, 0);
            let status = call.released(|api| unsafe { (api.gc_graph_exec_nodes_in_state)(exec, state, nodes_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        nodes_out.truncate(room as usize);
        call.check(status)?;
        nodes_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_nodes_in_state", &["exec", "state"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_times(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let replays = call.u64(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_exec_times)(exec, replays, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_times", &["exec", "replays"], run) }
}

unsafe extern "C-unwind" fn gc_graph_add_node(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let dependencies = call.words(1)?;
        let dependency_data = call.pointer(2, false)?;
        let dependency_count = call.u64(3)?;
        let work = call.pointer(4, false)?;
        let mut node_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_add_node)(graph, dependencies, dependency_data, dependency_count, work, (&raw mut node_out).cast()) });
        call.check(status)?;
        node_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_add_node", &["graph", "dependencies", "dependency_data", "dependency_count", "work"], run) }
}

unsafe extern "C-unwind" fn gc_graph_add_nodes(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let dependencies = call.words(1)?;
        let dependency_counts = call.pointer(2, false)?;
        let works = call.pointer(3, false)?;
        let count = call.u64(4)?;
        let mut nodes_out: u64 = 0;
        let mut failed_index_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_add_nodes)(graph, dependencies, dependency_counts, works, count, (&raw mut nodes_out).cast(), (&raw mut failed_index_out).cast()) });
        call.check(status)?;
        tuple(call.py, [nodes_out.object(call.py)?, failed_index_out.object(call.py)?])
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_add_nodes", &["graph", "dependencies", "dependency_counts", "works", "count"], run) }
}

unsafe extern "C-unwind" fn gc_graph_add_child_node(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let dependencies = call.words(1)?;
        let dependency_count = call.u64(2)?;
        let child = call.handle(3, Kind::Graph)?;
        let mut node_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_add_child_node)(graph, dependencies, dependency_count, child, (&raw mut node_out).cast()) });
        call.check(status)?;
        node_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_add_child_node", &["graph", "dependencies", "dependency_count", "child"], run) }
}

unsafe extern "C-unwind" fn gc_graph_add_dependencies(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let from_ = call.words(1)?;
        let to = call.words(2)?;
        let data = call.pointer(3, false)?;
        let count = call.u64(4)?;
        let status = call.released(|api| unsafe { (api.gc_graph_add_dependencies)(graph, from_, to, data, count) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_add_dependencies", &["graph", "from", "to", "data", "count"], run) }
}

unsafe extern "C-unwind" fn gc_graph_remove_dependencies(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let from_ = call.words(1)?;
        let to = call.words(2)?;
        let count = call.u64(3)?;
        let status = call.released(|api| unsafe { (api.gc_graph_remove_dependencies)(graph, from_, to, count) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_remove_dependencies", &["graph", "from", "to", "count"], run) }
}

unsafe extern "C-unwind" fn gc_graph_get_edges(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let mut from_out: Vec<u64> = Vec::new();
        let mut to_out: Vec<u64> = Vec::new();
        let mut data_out: Vec<[u64; 1]> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            from_out.resize(capacity as usize, 0);
            to_out.resize(capacity as usize, 0);
            data_out.resize(capacity as usize, [0; 1]);
            let status = call.released(|api| unsafe { (api.gc_graph_get_edges)(graph, from_out.as_mut_ptr().cast(), to_out.as_mut_ptr().cast(), data_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        from_out.truncate(room as usize);
        to_out.truncate(room as usize);
        data_out.truncate(room as usize);
        call.check(status)?;
        tuple(call.py, [from_out.object(call.py)?, to_out.object(call.py)?, Bytes(data_out).object(call.py)?])
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_get_edges", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_graph_create_condition(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let default_value = call.u32(1)?;
        let flags = call.u32(2)?;
        let mut condition_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_create_condition)(graph, default_value, flags, (&raw mut condition_out).cast()) });
        call.check(status)?;
        condition_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_create_condition", &["graph", "default_value", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_host_set_conditional(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let condition = call.u64(0)?;
        let value = call.u32(1)?;
        let status = call.held(|api| unsafe { (api.gc_host_set_conditional)(condition, value) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_host_set_conditional", &["condition", "value"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_conditional_params(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let params_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_node_get_conditional_params)(graph, node, params_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_conditional_params", &["graph", "node", "params_out"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_mem_alloc_params(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let params_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_node_get_mem_alloc_params)(graph, node, params_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_mem_alloc_params", &["graph", "node", "params_out"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_mem_free_params(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let params_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_node_get_mem_free_params)(graph, node, params_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_mem_free_params", &["graph", "node", "params_out"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_buffer(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let mut buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_node_get_buffer)(graph, node, (&raw mut buffer_out).cast()) });
        call.check(status)?;
        buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_buffer", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_context_graph_memory(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let memory_out = call.pointer(1, true)?;
        let status = call.released(|api| unsafe { (api.gc_context_graph_memory)(context, memory_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_graph_memory", &["context", "memory_out"], run) }
}

unsafe extern "C-unwind" fn gc_context_graph_memory_reset_high(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let status = call.released(|api| unsafe { (api.gc_context_graph_memory_reset_high)(context) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_graph_memory_reset_high", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_context_graph_memory_trim(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let status = call.released(|api| unsafe { (api.gc_context_graph_memory_trim)(context) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_context_graph_memory_trim", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_graph_remove_node(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let status = call.released(|api| unsafe { (api.gc_graph_remove_node)(graph, node) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_remove_node", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_graph_retain_callback(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let user_data = call.pointer(1, false)?;
        let destroy = call.function(2)?;
        let status = call.released(|api| unsafe { (api.gc_graph_retain_callback)(graph, user_data, destroy) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_retain_callback", &["graph", "user_data", "destroy"], run) }
}

unsafe extern "C-unwind" fn gc_graph_clone(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let mut clone_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_graph_clone)(graph, (&raw mut clone_out).cast()) });
        call.check(status)?;
        clone_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_clone", &["graph"], run) }
}

unsafe extern "C-unwind" fn gc_node_find_in_clone(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let clone = call.handle(2, Kind::Graph)?;
        let mut node_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_node_find_in_clone)(graph, node, clone, (&raw mut node_out).cast()) });
        call.check(status)?;
        node_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_find_in_clone", &["graph", "node", "clone"], run) }
}

unsafe extern "C-unwind" fn gc_node_set(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let work = call.pointer(2, false)?;
        let status = call.released(|api| unsafe { (api.gc_node_set)(graph, node, work) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_set", &["graph", "node", "work"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_attribute(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let attribute = call.u32(2)?;
        let value_out = call.pointer(3, true)?;
        let status = call.released(|api| unsafe { (api.gc_node_get_attribute)(graph, node, attribute, value_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_attribute", &["graph", "node", "attribute", "value_out"], run) }
}

unsafe extern "C-unwind" fn gc_node_get_attributes(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let mut attributes_out: Vec<u32> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            attributes_out.resize(capacity as usize, 0);
            let status = call.released(|api| unsafe { (api.gc_node_get_attributes)(graph, node, attributes_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        attributes_out.truncate(room as usize);
        call.check(status)?;
        attributes_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_get_attributes", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_node_set_attribute(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let attribute = call.u32(2)?;
        let value = call.pointer(3, false)?;
        let status = call.released(|api| unsafe { (api.gc_node_set_attribute)(graph, node, attribute, value) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_set_attribute", &["graph", "node", "attribute", "value"], run) }
}

unsafe extern "C-unwind" fn gc_node_copy_attributes(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let source = call.handle(2, Kind::Graph)?;
        let source_node = call.u64(3)?;
        let status = call.released(|api| unsafe { (api.gc_node_copy_attributes)(graph, node, source, source_node) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_copy_attributes", &["graph", "node", "source", "source_node"], run) }
}

unsafe extern "C-unwind" fn gc_node_set_grid_scalar(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let axis = call.u32(2)?;
        let scalar = call.handle(3, Kind::Scalar)?;
        let status = call.released(|api| unsafe { (api.gc_node_set_grid_scalar)(graph, node, axis, scalar) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_set_grid_scalar", &["graph", "node", "axis", "scalar"], run) }
}

unsafe extern "C-unwind" fn gc_graph_replace_buffer(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let from_buffer = call.handle(1, Kind::Buffer)?;
        let to_buffer = call.handle(2, Kind::Buffer)?;
        let mut changed_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_replace_buffer)(graph, from_buffer, to_buffer, (&raw mut changed_out).cast()) });
        call.check(status)?;
        changed_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_replace_buffer", &["graph", "from_buffer", "to_buffer"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_replace_buffer(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let from_buffer = call.handle(1, Kind::Buffer)?;
        let to_buffer = call.handle(2, Kind::Buffer)?;
        let mut changed_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_replace_buffer)(exec, from_buffer, to_buffer, (&raw mut changed_out).cast()) });
        call.check(status)?;
        changed_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_replace_buffer", &["exec", "from_buffer", "to_buffer"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_set_node(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let node = call.u64(1)?;
        let work = call.pointer(2, false)?;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_set_node)(exec, node, work) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_set_node", &["exec", "node", "work"], run) }
}

unsafe extern "C-unwind" fn gc_graph_set_nodes(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let nodes = call.words(1)?;
        let works = call.pointer(2, false)?;
        let count = call.u64(3)?;
        let mut failed_index_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_set_nodes)(graph, nodes, works, count, (&raw mut failed_index_out).cast()) });
        call.check(status)?;
        failed_index_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_set_nodes", &["graph", "nodes", "works", "count"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_set_nodes(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let nodes = call.words(1)?;
        let works = call.pointer(2, false)?;
        let count = call.u64(3)?;
        let mut failed_index_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_set_nodes)(exec, nodes, works, count, (&raw mut failed_index_out).cast()) });
        call.check(status)?;
        failed_index_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_set_nodes", &["exec", "nodes", "works", "count"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_set_node_enabled(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let node = call.u64(1)?;
        let enabled = call.i32(2)?;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_set_node_enabled)(exec, node, enabled) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_set_node_enabled", &["exec", "node", "enabled"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_is_node_enabled(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let node = call.u64(1)?;
        let mut enabled_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_is_node_enabled)(exec, node, (&raw mut enabled_out).cast()) });
        call.check(status)?;
        enabled_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_is_node_enabled", &["exec", "node"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_update(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let graph = call.handle(1, Kind::Graph)?;
        let flags = call.u32(2)?;
        let info_out = call.pointer(3, true)?;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_update)(exec, graph, flags, info_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_update", &["exec", "graph", "flags", "info_out"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_check(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let info_out = call.pointer(1, true)?;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_check)(exec, info_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_check", &["exec", "info_out"], run) }
}

unsafe extern "C-unwind" fn gc_memory_block_begin(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let address = call.u64(0)?;
        let size = call.u64(1)?;
        let name = call.string(2)?;
        let generation = call.u64(3)?;
        let status = call.held(|api| unsafe { (api.gc_memory_block_begin)(address, size, name, generation) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_memory_block_begin", &["address", "size", "name", "generation"], run) }
}

unsafe extern "C-unwind" fn gc_memory_block_end(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let address = call.u64(0)?;
        let generation = call.u64(1)?;
        let status = call.held(|api| unsafe { (api.gc_memory_block_end)(address, generation) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_memory_block_end", &["address", "generation"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_apply(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let graph = call.handle(1, Kind::Graph)?;
        let options = call.pointer(2, false)?;
        let report_out = call.pointer(3, true)?;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_apply)(exec, graph, options, report_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_apply", &["exec", "graph", "options", "report_out"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_apply_reason_description(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let reason = call.i32(0)?;
        let status = call.held(|api| unsafe { (api.gc_graph_exec_apply_reason_description)(reason) });
        text_of(status).object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_apply_reason_description", &["reason"], run) }
}

unsafe extern "C-unwind" fn gc_graph_cache_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let options = call.pointer(1, false)?;
        let mut cache_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_graph_cache_create)(context, options, (&raw mut cache_out).cast()) });
        call.check(status)?;
        cache_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_cache_create", &["context", "options"], run) }
}

unsafe extern "C-unwind" fn gc_graph_cache_launch(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let cache = call.handle(0, Kind::GraphCache)?;
        let key = call.pointer(1, false)?;
        let key_size = call.u64(2)?;
        let stream = call.handle(3, Kind::Stream)?;
        let user_data = call.pointer(4, false)?;
        let status = call.released(|api| unsafe { (api.gc_graph_cache_launch)(cache, key, key_size, stream, user_data) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_cache_launch", &["cache", "key", "key_size", "stream", "user_data"], run) }
}

unsafe extern "C-unwind" fn gc_graph_cache_remove(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let cache = call.handle(0, Kind::GraphCache)?;
        let key = call.pointer(1, false)?;
        let key_size = call.u64(2)?;
        let status = call.released(|api| unsafe { (api.gc_graph_cache_remove)(cache, key, key_size) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_cache_remove", &["cache", "key", "key_size"], run) }
}

unsafe extern "C-unwind" fn gc_graph_cache_clear(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let cache = call.handle(0, Kind::GraphCache)?;
        let status = call.released(|api| unsafe { (api.gc_graph_cache_clear)(cache) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_cache_clear", &["cache"], run) }
}

unsafe extern "C-unwind" fn gc_graph_cache_get_stats(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let cache = call.handle(0, Kind::GraphCache)?;
        let stats_out = call.pointer(1, true)?;
        let status = call.held(|api| unsafe { (api.gc_graph_cache_get_stats)(cache, stats_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_cache_get_stats", &["cache", "stats_out"], run) }
}

unsafe extern "C-unwind" fn gc_graph_cache_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let cache = call.handle(0, Kind::GraphCache)?;
        let status = call.released(|api| unsafe { (api.gc_graph_cache_destroy)(cache) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_cache_destroy", &["cache"], run) }
}

unsafe extern "C-unwind" fn gc_pool_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let options = call.pointer(1, false)?;
        let mut pool_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_pool_create)(context, options, (&raw mut pool_out).cast()) });
        call.check(status)?;
        pool_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_create", &["context", "options"], run) }
}

unsafe extern "C-unwind" fn gc_pool_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let status = call.released(|api| unsafe { (api.gc_pool_destroy)(pool) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_destroy", &["pool"], run) }
}

unsafe extern "C-unwind" fn gc_pool_id(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let mut id_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_pool_id)(pool, (&raw mut id_out).cast()) });
        call.check(status)?;
        id_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_id", &["pool"], run) }
}

unsafe extern "C-unwind" fn gc_pool_add_buffer(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let buffer = call.handle(1, Kind::Buffer)?;
        let mut index_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_pool_add_buffer)(pool, buffer, (&raw mut index_out).cast()) });
        call.check(status)?;
        index_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_add_buffer", &["pool", "buffer"], run) }
}

unsafe extern "C-unwind" fn gc_pool_add_object(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let user_data = call.pointer(1, false)?;
        let destroy = call.function(2)?;
        let mut index_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_pool_add_object)(pool, user_data, destroy, (&raw mut index_out).cast()) });
        call.check(status)?;
        index_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_add_object", &["pool", "user_data", "destroy"], run) }
}

unsafe extern "C-unwind" fn gc_pool_allocate(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let size = call.u64(1)?;
        let mut buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_pool_allocate)(pool, size, (&raw mut buffer_out).cast()) });
        call.check(status)?;
        buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_allocate", &["pool", "size"], run) }
}

unsafe extern "C-unwind" fn gc_pool_buffer_count(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let mut count_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_pool_buffer_count)(pool, (&raw mut count_out).cast()) });
        call.check(status)?;
        count_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_buffer_count", &["pool"], run) }
}

unsafe extern "C-unwind" fn gc_pool_seal(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let status = call.released(|api| unsafe { (api.gc_pool_seal)(pool) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_seal", &["pool"], run) }
}

unsafe extern "C-unwind" fn gc_pool_unseal(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let status = call.released(|api| unsafe { (api.gc_pool_unseal)(pool) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_unseal", &["pool"], run) }
}

unsafe extern "C-unwind" fn gc_pool_is_sealed(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let mut sealed_out: i32 = 0;
        let status = call.held(|api| unsafe { (api.gc_pool_is_sealed)(pool, (&raw mut sealed_out).cast()) });
        call.check(status)?;
        sealed_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_is_sealed", &["pool"], run) }
}

unsafe extern "C-unwind" fn gc_pool_clear(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let status = call.released(|api| unsafe { (api.gc_pool_clear)(pool) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_clear", &["pool"], run) }
}

unsafe extern "C-unwind" fn gc_pool_handle_new(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let mut id_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_pool_handle_new)(pool, (&raw mut id_out).cast()) });
        call.check(status)?;
        id_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_handle_new", &["pool"], run) }
}

unsafe extern "C-unwind" fn gc_pool_handle_lookup(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let id = call.u64(0)?;
        let mut pool_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_pool_handle_lookup)(id, (&raw mut pool_out).cast()) });
        call.check(status)?;
        pool_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_handle_lookup", &["id"], run) }
}

unsafe extern "C-unwind" fn gc_pool_handle_release(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let id = call.u64(0)?;
        let status = call.released(|api| unsafe { (api.gc_pool_handle_release)(id) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_handle_release", &["id"], run) }
}

unsafe extern "C-unwind" fn gc_pool_get_memory(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let memory_out = call.pointer(1, true)?;
        let status = call.released(|api| unsafe { (api.gc_pool_get_memory)(pool, memory_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_get_memory", &["pool", "memory_out"], run) }
}

unsafe extern "C-unwind" fn gc_pool_trim(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let status = call.released(|api| unsafe { (api.gc_pool_trim)(pool) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_trim", &["pool"], run) }
}

unsafe extern "C-unwind" fn gc_pool_allocate_on_stream(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let stream = call.handle(1, Kind::Stream)?;
        let size = call.u64(2)?;
        let mut buffer_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_pool_allocate_on_stream)(pool, stream, size, (&raw mut buffer_out).cast()) });
        call.check(status)?;
        buffer_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_allocate_on_stream", &["pool", "stream", "size"], run) }
}

unsafe extern "C-unwind" fn gc_buffer_destroy_on_stream(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let buffer = call.handle(0, Kind::Buffer)?;
        let stream = call.handle(1, Kind::Stream)?;
        let status = call.released(|api| unsafe { (api.gc_buffer_destroy_on_stream)(buffer, stream) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_buffer_destroy_on_stream", &["buffer", "stream"], run) }
}

unsafe extern "C-unwind" fn gc_stream_begin_capture_with_pool(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let mode = call.i32(1)?;
        let pool = call.handle(2, Kind::Pool)?;
        let status = call.released(|api| unsafe { (api.gc_stream_begin_capture_with_pool)(stream, mode, pool) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_begin_capture_with_pool", &["stream", "mode", "pool"], run) }
}

unsafe extern "C-unwind" fn gc_stream_end_capture_with_pool(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let pool = call.handle(1, Kind::Pool)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_stream_end_capture_with_pool)(stream, pool, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_stream_end_capture_with_pool", &["stream", "pool"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_pool(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let mut pool_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_graph_exec_pool)(exec, (&raw mut pool_out).cast()) });
        call.check(status)?;
        pool_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_pool", &["exec"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_has_pool(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let mut has_pool_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_has_pool)(exec, (&raw mut has_pool_out).cast()) });
        call.check(status)?;
        has_pool_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_has_pool", &["exec"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_pool_buffer_count(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let mut count_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_graph_exec_pool_buffer_count)(exec, (&raw mut count_out).cast()) });
        call.check(status)?;
        count_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_pool_buffer_count", &["exec"], run) }
}

unsafe extern "C-unwind" fn gc_pool_bind(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let pool = call.handle(0, Kind::Pool)?;
        let device = call.i32(1)?;
        let status = call.released(|api| unsafe { (api.gc_pool_bind)(pool, device) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_bind", &["pool", "device"], run) }
}

unsafe extern "C-unwind" fn gc_pool_unbind(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let device = call.i32(0)?;
        let status = call.released(|api| unsafe { (api.gc_pool_unbind)(device) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_unbind", &["device"], run) }
}

unsafe extern "C-unwind" fn gc_pool_torch_allocate(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let size = call.i64(0)?;
        let device = call.i32(1)?;
        let stream = call.pointer(2, false)?;
        let status = call.released(|api| unsafe { (api.gc_pool_torch_allocate)(size, device, stream) });
        status.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_torch_allocate", &["size", "device", "stream"], run) }
}

unsafe extern "C-unwind" fn gc_pool_torch_free(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let address = call.pointer(0, false)?;
        let size = call.i64(1)?;
        let device = call.i32(2)?;
        let stream = call.pointer(3, false)?;
        call.released(|api| unsafe { (api.gc_pool_torch_free)(address, size, device, stream) });
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_torch_free", &["address", "size", "device", "stream"], run) }
}

unsafe extern "C-unwind" fn gc_pool_torch_record_stream(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let address = call.pointer(0, false)?;
        let stream = call.pointer(1, false)?;
        call.released(|api| unsafe { (api.gc_pool_torch_record_stream)(address, stream) });
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_torch_record_stream", &["address", "stream"], run) }
}

unsafe extern "C-unwind" fn gc_pool_rmm_allocate(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let size = call.u64(0)?;
        let stream = call.pointer(1, false)?;
        let user_data = call.pointer(2, false)?;
        let status = call.released(|api| unsafe { (api.gc_pool_rmm_allocate)(size, stream, user_data) });
        status.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_rmm_allocate", &["size", "stream", "user_data"], run) }
}

unsafe extern "C-unwind" fn gc_pool_rmm_free(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let address = call.pointer(0, false)?;
        let size = call.u64(1)?;
        let stream = call.pointer(2, false)?;
        let user_data = call.pointer(3, false)?;
        call.released(|api| unsafe { (api.gc_pool_rmm_free)(address, size, stream, user_data) });
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_pool_rmm_free", &["address", "size", "stream", "user_data"], run) }
}

unsafe extern "C-unwind" fn gc_scalar_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let scalar_type = call.u32(1)?;
        let initial = call.pointer(2, false)?;
        let mut scalar_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_scalar_create)(stream, scalar_type, initial, (&raw mut scalar_out).cast()) });
        call.check(status)?;
        scalar_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_scalar_create", &["stream", "scalar_type", "initial"], run) }
}

unsafe extern "C-unwind" fn gc_scalar_create_block(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let types = call.pointer(1, false)?;
        let initial = call.words(2)?;
        let count = call.u64(3)?;
        let scalars_out = call.pointer(4, true)?;
        let status = call.released(|api| unsafe { (api.gc_scalar_create_block)(stream, types, initial, count, scalars_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_scalar_create_block", &["stream", "types", "initial", "count", "scalars_out"], run) }
}

unsafe extern "C-unwind" fn gc_scalar_update(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let scalar = call.handle(0, Kind::Scalar)?;
        let stream = call.handle(1, Kind::Stream)?;
        let scalar_type = call.u32(2)?;
        let value = call.pointer(3, false)?;
        let status = call.released(|api| unsafe { (api.gc_scalar_update)(scalar, stream, scalar_type, value) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_scalar_update", &["scalar", "stream", "scalar_type", "value"], run) }
}

unsafe extern "C-unwind" fn gc_scalar_update_many(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let scalars = call.words(1)?;
        let types = call.pointer(2, false)?;
        let values = call.words(3)?;
        let count = call.u64(4)?;
        let status = call.released(|api| unsafe { (api.gc_scalar_update_many)(stream, scalars, types, values, count) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_scalar_update_many", &["stream", "scalars", "types", "values", "count"], run) }
}

unsafe extern "C-unwind" fn gc_scalar_read(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let scalar = call.handle(0, Kind::Scalar)?;
        let stream = call.handle(1, Kind::Stream)?;
        let scalar_type = call.u32(2)?;
        let value_out = call.pointer(3, true)?;
        let status = call.released(|api| unsafe { (api.gc_scalar_read)(scalar, stream, scalar_type, value_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_scalar_read", &["scalar", "stream", "scalar_type", "value_out"], run) }
}

unsafe extern "C-unwind" fn gc_scalar_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let scalar = call.handle(0, Kind::Scalar)?;
        let status = call.released(|api| unsafe { (api.gc_scalar_destroy)(scalar) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_scalar_destroy", &["scalar"], run) }
}

unsafe extern "C-unwind" fn gc_scalar_type(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let scalar = call.handle(0, Kind::Scalar)?;
        let mut type_out: u32 = 0;
        let status = call.held(|api| unsafe { (api.gc_scalar_type)(scalar, (&raw mut type_out).cast()) });
        call.check(status)?;
        type_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_scalar_type", &["scalar"], run) }
}

unsafe extern "C-unwind" fn gc_scalar_address(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let scalar = call.handle(0, Kind::Scalar)?;
        let mut address_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_scalar_address)(scalar, (&raw mut address_out).cast()) });
        call.check(status)?;
        address_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_scalar_address", &["scalar"], run) }
}

unsafe extern "C-unwind" fn gc_scalar_buffer(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let scalar = call.handle(0, Kind::Scalar)?;
        let mut buffer_out: *mut c_void = null_mut();
        let mut offset_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_scalar_buffer)(scalar, (&raw mut buffer_out).cast(), (&raw mut offset_out).cast()) });
        call.check(status)?;
        tuple(call.py, [buffer_out.object(call.py)?, offset_out.object(call.py)?])
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_scalar_buffer", &["scalar"], run) }
}

unsafe extern "C-unwind" fn gc_rng_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let stream = call.handle(0, Kind::Stream)?;
        let seed = call.u64(1)?;
        let subsequence = call.u64(2)?;
        let mut rng_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_rng_create)(stream, seed, subsequence, (&raw mut rng_out).cast()) });
        call.check(status)?;
        rng_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_rng_create", &["stream", "seed", "subsequence"], run) }
}

unsafe extern "C-unwind" fn gc_rng_torch_state(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let rng = call.handle(0, Kind::Rng)?;
        let stream = call.handle(1, Kind::Stream)?;
        let layout = call.u32(2)?;
        let increment = call.u64(3)?;
        let mut state_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_rng_torch_state)(rng, stream, layout, increment, (&raw mut state_out).cast()) });
        call.check(status)?;
        state_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_rng_torch_state", &["rng", "stream", "layout", "increment"], run) }
}

unsafe extern "C-unwind" fn gc_rng_set_seed(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let rng = call.handle(0, Kind::Rng)?;
        let stream = call.handle(1, Kind::Stream)?;
        let seed = call.u64(2)?;
        let status = call.released(|api| unsafe { (api.gc_rng_set_seed)(rng, stream, seed) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_rng_set_seed", &["rng", "stream", "seed"], run) }
}

unsafe extern "C-unwind" fn gc_rng_get_seed(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let rng = call.handle(0, Kind::Rng)?;
        let stream = call.handle(1, Kind::Stream)?;
        let mut seed_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_rng_get_seed)(rng, stream, (&raw mut seed_out).cast()) });
        call.check(status)?;
        seed_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_rng_get_seed", &["rng", "stream"], run) }
}

unsafe extern "C-unwind" fn gc_rng_set_offset(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let rng = call.handle(0, Kind::Rng)?;
        let stream = call.handle(1, Kind::Stream)?;
        let offset = call.u64(2)?;
        let status = call.released(|api| unsafe { (api.gc_rng_set_offset)(rng, stream, offset) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_rng_set_offset", &["rng", "stream", "offset"], run) }
}

unsafe extern "C-unwind" fn gc_rng_get_offset(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let rng = call.handle(0, Kind::Rng)?;
        let stream = call.handle(1, Kind::Stream)?;
        let mut offset_out: u64 = 0;
        let status = call.released(|api| unsafe { (api.gc_rng_get_offset)(rng, stream, (&raw mut offset_out).cast()) });
        call.check(status)?;
        offset_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_rng_get_offset", &["rng", "stream"], run) }
}

unsafe extern "C-unwind" fn gc_rng_subsequence(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let rng = call.handle(0, Kind::Rng)?;
        let mut subsequence_out: u64 = 0;
        let status = call.held(|api| unsafe { (api.gc_rng_subsequence)(rng, (&raw mut subsequence_out).cast()) });
        call.check(status)?;
        subsequence_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_rng_subsequence", &["rng"], run) }
}

unsafe extern "C-unwind" fn gc_rng_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let rng = call.handle(0, Kind::Rng)?;
        let status = call.released(|api| unsafe { (api.gc_rng_destroy)(rng) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_rng_destroy", &["rng"], run) }
}

unsafe extern "C-unwind" fn gc_record_context_stream(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::RecordContext)?;
        let mut stream_out: *mut c_void = null_mut();
        let status = call.held(|api| unsafe { (api.gc_record_context_stream)(context, (&raw mut stream_out).cast()) });
        call.check(status)?;
        stream_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_record_context_stream", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_record_context_graph(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::RecordContext)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_record_context_graph)(context, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_record_context_graph", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_record_context_pool(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::RecordContext)?;
        let mut pool_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_record_context_pool)(context, (&raw mut pool_out).cast()) });
        call.check(status)?;
        pool_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_record_context_pool", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_callback_set_message(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let text = call.string(0)?;
        let status = call.held(|api| unsafe { (api.gc_callback_set_message)(text) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_callback_set_message", &["text"], run) }
}

unsafe extern "C-unwind" fn gc_fft_plan_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let params = call.pointer(1, false)?;
        let mut plan_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_fft_plan_create)(context, params, (&raw mut plan_out).cast()) });
        call.check(status)?;
        plan_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_fft_plan_create", &["context", "params"], run) }
}

unsafe extern "C-unwind" fn gc_fft_plan_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let plan = call.handle(0, Kind::FftPlan)?;
        let status = call.released(|api| unsafe { (api.gc_fft_plan_destroy)(plan) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_fft_plan_destroy", &["plan"], run) }
}

unsafe extern "C-unwind" fn gc_script_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let mut script_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_script_create)(context, (&raw mut script_out).cast()) });
        call.check(status)?;
        script_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_script_create", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_script_push_op(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let script = call.handle(0, Kind::Script)?;
        let vtable = call.pointer(1, false)?;
        let user_data = call.pointer(2, false)?;
        let status = call.released(|api| unsafe { (api.gc_script_push_op)(script, vtable, user_data) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_script_push_op", &["script", "vtable", "user_data"], run) }
}

unsafe extern "C-unwind" fn gc_script_prepare(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let script = call.handle(0, Kind::Script)?;
        let failure_out = call.pointer(1, true)?;
        let status = call.released(|api| unsafe { (api.gc_script_prepare)(script, failure_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_script_prepare", &["script", "failure_out"], run) }
}

unsafe extern "C-unwind" fn gc_script_record(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let script = call.handle(0, Kind::Script)?;
        let stream = call.handle(1, Kind::Stream)?;
        let mode = call.i32(2)?;
        let failure_out = call.pointer(3, true)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_script_record)(script, stream, mode, failure_out, (&raw mut graph_out).cast()) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_script_record", &["script", "stream", "mode", "failure_out"], run) }
}

unsafe extern "C-unwind" fn gc_script_submit(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let script = call.handle(0, Kind::Script)?;
        let stream = call.handle(1, Kind::Stream)?;
        let failure_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_script_submit)(script, stream, failure_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_script_submit", &["script", "stream", "failure_out"], run) }
}

unsafe extern "C-unwind" fn gc_script_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let script = call.handle(0, Kind::Script)?;
        let status = call.released(|api| unsafe { (api.gc_script_destroy)(script) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_script_destroy", &["script"], run) }
}

unsafe extern "C-unwind" fn gc_script_push(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let script = call.handle(0, Kind::Script)?;
        let work = call.pointer(1, false)?;
        let status = call.released(|api| unsafe { (api.gc_script_push)(script, work) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_script_push", &["script", "work"], run) }
}

unsafe extern "C-unwind" fn gc_actor_create(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::Context)?;
        let options = call.pointer(1, false)?;
        let mut actor_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_actor_create)(context, options, (&raw mut actor_out).cast()) });
        call.check(status)?;
        actor_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_create", &["context", "options"], run) }
}

unsafe extern "C-unwind" fn gc_actor_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let status = call.released(|api| unsafe { (api.gc_actor_destroy)(actor) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_destroy", &["actor"], run) }
}

unsafe extern "C-unwind" fn gc_actor_record(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let script = call.handle(1, Kind::Script)?;
        let mode = call.i32(2)?;
        let flags = call.u32(3)?;
        let mut future_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_actor_record)(actor, script, mode, flags, (&raw mut future_out).cast()) });
        call.check(status)?;
        future_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_record", &["actor", "script", "mode", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_actor_adopt(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let graph = call.handle(1, Kind::Graph)?;
        let flags = call.u32(2)?;
        let mut future_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_actor_adopt)(actor, graph, flags, (&raw mut future_out).cast()) });
        call.check(status)?;
        future_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_adopt", &["actor", "graph", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_actor_launch(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let exec = call.handle(1, Kind::GraphExec)?;
        let mut future_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_actor_launch)(actor, exec, (&raw mut future_out).cast()) });
        call.check(status)?;
        future_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_launch", &["actor", "exec"], run) }
}

unsafe extern "C-unwind" fn gc_actor_update(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let exec = call.handle(1, Kind::GraphExec)?;
        let graph = call.handle(2, Kind::Graph)?;
        let mut future_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_actor_update)(actor, exec, graph, (&raw mut future_out).cast()) });
        call.check(status)?;
        future_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_update", &["actor", "exec", "graph"], run) }
}

unsafe extern "C-unwind" fn gc_actor_set_fft_plan(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let exec = call.handle(1, Kind::GraphExec)?;
        let op_index = call.u64(2)?;
        let plan = call.handle(3, Kind::FftPlan)?;
        let mut future_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_actor_set_fft_plan)(actor, exec, op_index, plan, (&raw mut future_out).cast()) });
        call.check(status)?;
        future_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_set_fft_plan", &["actor", "exec", "op_index", "plan"], run) }
}

unsafe extern "C-unwind" fn gc_actor_export_dot(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let exec = call.handle(1, Kind::GraphExec)?;
        let flags = call.u32(2)?;
        let mut future_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_actor_export_dot)(actor, exec, flags, (&raw mut future_out).cast()) });
        call.check(status)?;
        future_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_export_dot", &["actor", "exec", "flags"], run) }
}

unsafe extern "C-unwind" fn gc_actor_close(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let nanoseconds = call.u64(1)?;
        let status = call.released(|api| unsafe { (api.gc_actor_close)(actor, nanoseconds) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_close", &["actor", "nanoseconds"], run) }
}

unsafe extern "C-unwind" fn gc_actor_event_fd(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let mut fd_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_actor_event_fd)(actor, (&raw mut fd_out).cast()) });
        call.check(status)?;
        fd_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_event_fd", &["actor"], run) }
}

unsafe extern "C-unwind" fn gc_actor_next_completed(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let actor = call.handle(0, Kind::Actor)?;
        let mut future_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_actor_next_completed)(actor, (&raw mut future_out).cast()) });
        call.check(status)?;
        future_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_actor_next_completed", &["actor"], run) }
}

unsafe extern "C-unwind" fn gc_future_poll(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let future = call.handle(0, Kind::Future)?;
        let mut is_done_out: u32 = 0;
        let status = call.held(|api| unsafe { (api.gc_future_poll)(future, (&raw mut is_done_out).cast()) });
        call.check(status)?;
        is_done_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_future_poll", &["future"], run) }
}

unsafe extern "C-unwind" fn gc_future_wait(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let future = call.handle(0, Kind::Future)?;
        let nanoseconds = call.u64(1)?;
        let failure_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_future_wait)(future, nanoseconds, failure_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_future_wait", &["future", "nanoseconds", "failure_out"], run) }
}

unsafe extern "C-unwind" fn gc_future_on_done(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let future = call.handle(0, Kind::Future)?;
        let function = call.function(1)?;
        let user_data = call.pointer(2, false)?;
        let destroy = call.function(3)?;
        let status = call.released(|api| unsafe { (api.gc_future_on_done)(future, function, user_data, destroy) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_future_on_done", &["future", "function", "user_data", "destroy"], run) }
}

unsafe extern "C-unwind" fn gc_future_stall_report(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let future = call.handle(0, Kind::Future)?;
        let progress_out = call.pointer(1, true)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_future_stall_report)(future, progress_out, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_future_stall_report", &["future", "progress_out"], run) }
}

unsafe extern "C-unwind" fn gc_future_on_stall(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let future = call.handle(0, Kind::Future)?;
        let function = call.function(1)?;
        let user_data = call.pointer(2, false)?;
        let destroy = call.function(3)?;
        let status = call.released(|api| unsafe { (api.gc_future_on_stall)(future, function, user_data, destroy) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_future_on_stall", &["future", "function", "user_data", "destroy"], run) }
}

unsafe extern "C-unwind" fn gc_future_take_exec(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let future = call.handle(0, Kind::Future)?;
        let mut exec_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_future_take_exec)(future, (&raw mut exec_out).cast()) });
        call.check(status)?;
        exec_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_future_take_exec", &["future"], run) }
}

unsafe extern "C-unwind" fn gc_future_text(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let future = call.handle(0, Kind::Future)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_future_text)(future, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_future_text", &["future"], run) }
}

unsafe extern "C-unwind" fn gc_future_event_fd(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let future = call.handle(0, Kind::Future)?;
        let mut fd_out: i32 = 0;
        let status = call.released(|api| unsafe { (api.gc_future_event_fd)(future, (&raw mut fd_out).cast()) });
        call.check(status)?;
        fd_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_future_event_fd", &["future"], run) }
}

unsafe extern "C-unwind" fn gc_future_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let future = call.handle(0, Kind::Future)?;
        let status = call.released(|api| unsafe { (api.gc_future_destroy)(future) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_future_destroy", &["future"], run) }
}

unsafe extern "C-unwind" fn gc_graph_optimize(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let options = call.pointer(1, false)?;
        let report_out = call.pointer(2, true)?;
        let mut graph_out: *mut c_void = null_mut();
        let mut plan_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_graph_optimize)(graph, options, (&raw mut graph_out).cast(), (&raw mut plan_out).cast(), report_out) });
        call.check(status)?;
        tuple(call.py, [graph_out.object(call.py)?, plan_out.object(call.py)?])
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_optimize", &["graph", "options", "report_out"], run) }
}

unsafe extern "C-unwind" fn gc_graph_optimize_text(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let options = call.pointer(1, false)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_optimize_text)(graph, options, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_optimize_text", &["graph", "options"], run) }
}

unsafe extern "C-unwind" fn gc_graph_optimize_reasons(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let options = call.pointer(1, false)?;
        let mut reasons_out: Vec<[u64; 7]> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            reasons_out.resize(capacity as usize, [0; 7]);
            let status = call.released(|api| unsafe { (api.gc_graph_optimize_reasons)(graph, options, reasons_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        reasons_out.truncate(room as usize);
        call.check(status)?;
        Bytes(reasons_out).object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_optimize_reasons", &["graph", "options"], run) }
}

unsafe extern "C-unwind" fn gc_plan_apply(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let plan = call.handle(0, Kind::Plan)?;
        let graph = call.handle(1, Kind::Graph)?;
        let flags = call.u32(2)?;
        let report_out = call.pointer(3, true)?;
        let mut graph_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_plan_apply)(plan, graph, flags, (&raw mut graph_out).cast(), report_out) });
        call.check(status)?;
        graph_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_plan_apply", &["plan", "graph", "flags", "report_out"], run) }
}

unsafe extern "C-unwind" fn gc_plan_destroy(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let plan = call.handle(0, Kind::Plan)?;
        let status = call.released(|api| unsafe { (api.gc_plan_destroy)(plan) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_plan_destroy", &["plan"], run) }
}

unsafe extern "C-unwind" fn gc_graph_verify(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let options = call.pointer(1, false)?;
        let report_out = call.pointer(2, true)?;
        let status = call.released(|api| unsafe { (api.gc_graph_verify)(graph, options, report_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_verify", &["graph", "options", "report_out"], run) }
}

unsafe extern "C-unwind" fn gc_graph_check(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let least = call.i32(1)?;
        let mut findings_out: Vec<[u64; 8]> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            findings_out.resize(capacity as usize, [0; 8]);
            let status = call.released(|api| unsafe { (api.gc_graph_check)(graph, least, findings_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        findings_out.truncate(room as usize);
        call.check(status)?;
        Bytes(findings_out).object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_check", &["graph", "least"], run) }
}

unsafe extern "C-unwind" fn gc_graph_check_text(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let least = call.i32(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_check_text)(graph, least, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_check_text", &["graph", "least"], run) }
}

unsafe extern "C-unwind" fn gc_graph_check_json(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let least = call.i32(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_check_json)(graph, least, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_check_json", &["graph", "least"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_check_findings(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let least = call.i32(1)?;
        let mut findings_out: Vec<[u64; 8]> = Vec::new();
        let (mut capacity, mut room) = (0, 0u64);
        let needed: *mut c_void = (&raw mut room).cast();
        let status = loop {
            findings_out.resize(capacity as usize, [0; 8]);
            let status = call.released(|api| unsafe { (api.gc_graph_exec_check_findings)(exec, least, findings_out.as_mut_ptr().cast(), capacity, needed) });
            if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {
                break status;
            }
            capacity = room;
        };
        findings_out.truncate(room as usize);
        call.check(status)?;
        Bytes(findings_out).object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_check_findings", &["exec", "least"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_check_text(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let least = call.i32(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_exec_check_text)(exec, least, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_check_text", &["exec", "least"], run) }
}

unsafe extern "C-unwind" fn gc_graph_exec_check_json(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let exec = call.handle(0, Kind::GraphExec)?;
        let least = call.i32(1)?;
        let (status, text) = call.text(true, |api, text, capacity, needed| unsafe { (api.gc_graph_exec_check_json)(exec, least, text, capacity, needed) });
        call.check(status)?;
        text.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_exec_check_json", &["exec", "least"], run) }
}

unsafe extern "C-unwind" fn gc_graph_step(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let options = call.pointer(1, false)?;
        let findings_out = call.pointer(2, true)?;
        let capacity = call.u64(3)?;
        let report_out = call.pointer(4, true)?;
        let status = call.released(|api| unsafe { (api.gc_graph_step)(graph, options, findings_out, capacity, report_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_step", &["graph", "options", "findings_out", "capacity", "report_out"], run) }
}

unsafe extern "C-unwind" fn gc_graph_bisect(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let options = call.pointer(1, false)?;
        let is_good = call.function(2)?;
        let user_data = call.pointer(3, false)?;
        let findings_out = call.pointer(4, true)?;
        let capacity = call.u64(5)?;
        let report_out = call.pointer(6, true)?;
        let status = call.released(|api| unsafe { (api.gc_graph_bisect)(graph, options, is_good, user_data, findings_out, capacity, report_out) });
        call.check(status)?;
        Ok(none())
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_graph_bisect", &["graph", "options", "is_good", "user_data", "findings_out", "capacity", "report_out"], run) }
}

unsafe extern "C-unwind" fn gc_object_native(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let object = call.pointer(0, false)?;
        let mut native_out: *mut c_void = null_mut();
        let status = call.held(|api| unsafe { (api.gc_object_native)(object, (&raw mut native_out).cast()) });
        call.check(status)?;
        native_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_object_native", &["object"], run) }
}

unsafe extern "C-unwind" fn gc_node_native(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let graph = call.handle(0, Kind::Graph)?;
        let node = call.u64(1)?;
        let mut native_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_node_native)(graph, node, (&raw mut native_out).cast()) });
        call.check(status)?;
        native_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_node_native", &["graph", "node"], run) }
}

unsafe extern "C-unwind" fn gc_record_context_native_blas(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::RecordContext)?;
        let mut native_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_record_context_native_blas)(context, (&raw mut native_out).cast()) });
        call.check(status)?;
        native_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_record_context_native_blas", &["context"], run) }
}

unsafe extern "C-unwind" fn gc_record_context_native_rand(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {
    let run = |call: &mut Call| {
        let context = call.handle(0, Kind::RecordContext)?;
        let mut native_out: *mut c_void = null_mut();
        let status = call.released(|api| unsafe { (api.gc_record_context_native_rand)(context, (&raw mut native_out).cast()) });
        call.check(status)?;
        native_out.object(call.py)
    };
    // SAFETY: Python passes `count` arguments, and holds the GIL.
    unsafe { enter(arguments, count, "gc_record_context_native_rand", &["context"], run) }
}

/// Functions of the module: name, function, description.
pub const FUNCTIONS: &[(&CStr, super::FastCall, &CStr)] = &[
    (c"gc_version", gc_version, c"gc_version()\n--\n\nReturns the version of the loaded library.\n\nCompare it with GRAPHCAP_VERSION_NUMBER, which is the version of the header.\n\nThe call keeps the GIL."),
    (c"gc_version_string", gc_version_string, c"gc_version_string()\n--\n\nReturns the version of the loaded library, as text such as \"0.1.0\".\n\nThe call keeps the GIL."),
    (c"gc_status_name", gc_status_name, c"gc_status_name(status, /)\n--\n\nReturns the name of a status, such as \"GRAPHCAP_ERROR_INVALID_VALUE\".\n\nParameters:\n  status: any number\n\nThe call keeps the GIL."),
    (c"gc_status_description", gc_status_description, c"gc_status_description(status, /)\n--\n\nReturns a sentence that says what a status means. gc_last_error_message() says what happened in a particular call.\n\nParameters:\n  status: any number\n\nThe call keeps the GIL."),
    (c"gc_last_error_message", gc_last_error_message, c"gc_last_error_message()\n--\n\nCopies the message of the last failed call of the calling thread: which function failed, why, and what to do.\n\nA call that succeeds does not change the message. This function does not change it either, even when it fails. The text is empty while no call of the thread has failed. Works in a forked child too.\n\nReturns:\n  text: where to copy the text to; it ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the text was cut to fit, between two characters\n\nThe call keeps the GIL."),
    (c"gc_live_handles", gc_live_handles, c"gc_live_handles()\n--\n\nReturns the number of handles of all kinds in the process that are not yet destroyed. For leak tests; handles that callbacks get for the time of their call do not count.\n\nThe call keeps the GIL."),
    (c"gc_log_set_callback", gc_log_set_callback, c"gc_log_set_callback(level, subjects, function, user_data, destroy, /)\n--\n\nMakes a function take the messages of the log instead of the one before. Messages of threads that run work come at the end of the next call of another thread.\n\nParameters:\n  level: the least important level; GRAPHCAP_LOG_LEVEL_OFF ends it\n  subjects: GRAPHCAP_LOG_ bits; 0 for all\n  function: the function; may be NULL for GRAPHCAP_LOG_LEVEL_OFF\n  user_data: passed to function and to destroy; may be NULL\n  destroy: called when function is not called any more, also when this call fails; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the level or a bit is unknown, or function is NULL\n\nThe call releases the GIL."),
    (c"gc_trace_start", gc_trace_start, c"gc_trace_start(path, limit, /)\n--\n\nBegins a trace of what devices run and of calls, in a file. A file that is there is removed first. docs/tracing.md tells what is in it. If a context of a CUDA device is open, the call waits for the work of the device, as CUPTI does where it is subscribed to.\n\nParameters:\n  path: the file, UTF-8\n  limit: the most bytes of the file; 0 for 1 GiB. Records that find no room are dropped\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: a trace goes on\n  GRAPHCAP_ERROR_INVALID_VALUE: the file cannot be made\n\nThe call releases the GIL."),
    (c"gc_trace_stop", gc_trace_stop, c"gc_trace_stop()\n--\n\nEnds the trace. The file is whole when the call returns.\n\nReturns:\n  dropped_out: how many records found no room; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: no trace goes on\n\nThe call releases the GIL."),
    (c"gc_trace_mark", gc_trace_mark, c"gc_trace_mark(name, /)\n--\n\nAdds a mark to the trace, on the line of the calling thread. Does nothing while no trace goes on.\n\nParameters:\n  name: the name\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: name is NULL or not UTF-8\n\nThe call keeps the GIL."),
    (c"gc_device_count", gc_device_count, c"gc_device_count(kind, /)\n--\n\nCounts the devices of a kind. There is one device of the host kind, or as many as the environment variable GRAPHCAP_HOST_DEVICES says. A call that succeeds finds at least one device.\n\nThe first call that concerns CUDA loads NVIDIA's driver: libcuda.so.1, then libcuda.so, or the file that the environment variable GRAPHCAP_CUDA_LIBRARY names. After a failure the next call tries again.\n\nParameters:\n  kind: one of the GRAPHCAP_DEVICE_ numbers\n\nReturns:\n  count: the number of devices; their ordinals are 0 to count - 1\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NO_DEVICE: the driver finds no GPU\n  GRAPHCAP_ERROR_LIBRARY: NVIDIA's driver could not be loaded; the message names what was tried\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is older than 12.0\n  GRAPHCAP_ERROR_STUB_LIBRARY: the driver library is the toolkit's stub\n  GRAPHCAP_ERROR_NOT_INITIALIZED: the driver could not be initialised\n  GRAPHCAP_ERROR_INVALID_VALUE: an environment variable is malformed: GRAPHCAP_DEVICE, or GRAPHCAP_HOST_DEVICES for host devices\n\nThe call releases the GIL."),
    (c"gc_device_name", gc_device_name, c"gc_device_name(kind, ordinal, /)\n--\n\nCopies the name of a device, such as \"NVIDIA H200\".\n\nParameters:\n  kind: one of the GRAPHCAP_DEVICE_ numbers\n  ordinal: which device of the kind, from 0\n\nReturns:\n  text: where to copy the name to; it ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NO_DEVICE: the driver finds no GPU\n  GRAPHCAP_ERROR_LIBRARY: NVIDIA's driver could not be loaded; the message names what was tried\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is older than 12.0\n  GRAPHCAP_ERROR_STUB_LIBRARY: the driver library is the toolkit's stub\n  GRAPHCAP_ERROR_NOT_INITIALIZED: the driver could not be initialised\n  GRAPHCAP_ERROR_INVALID_DEVICE: the ordinal is not below the number of devices\n  GRAPHCAP_ERROR_INVALID_VALUE: an environment variable is malformed: GRAPHCAP_DEVICE; GRAPHCAP_HOST_DEVICES or GRAPHCAP_HOST_THREADS for host devices\n\nThe call releases the GIL."),
    (c"gc_device_auto_reason", gc_device_auto_reason, c"gc_device_auto_reason()\n--\n\nCopies a sentence that tells which kind of device GRAPHCAP_DEVICE_AUTO means now, and why: what the environment asks for, or what is missing for CUDA.\n\nLoads and initialises NVIDIA's driver unless GRAPHCAP_DEVICE is set to cuda or host. With cuda it does not check whether CUDA works.\n\nReturns:\n  text: where to copy the sentence to; it ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the sentence was cut to fit\n  GRAPHCAP_ERROR_INVALID_VALUE: GRAPHCAP_DEVICE is malformed\n\nThe call releases the GIL."),
    (c"gc_context_create", gc_context_create, c"gc_context_create(options, /)\n--\n\nMakes a context on a device.\n\nOn a CUDA device the context uses the device's primary context, as the CUDA runtime and the libraries on it do. graphcap retains the primary context, and makes it current only during calls that need it: the caller's current context stays as it was. All contexts on one GPU share its primary context. Their objects can be mixed only where a function says so. In a trace the call waits for the work of the device, as CUPTI does where it is subscribed to.\n\nParameters:\n  options: NULL for the defaults\n\nReturns:\n  context_out: the new context, owned by the caller until gc_context_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NO_DEVICE: the driver finds no GPU\n  GRAPHCAP_ERROR_LIBRARY: NVIDIA's driver could not be loaded; the message names what was tried\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is older than 12.0, or the device has no memory pools; or maps no memory into reserved addresses, for GRAPHCAP_CUDA_MEMORY=guard\n  GRAPHCAP_ERROR_STUB_LIBRARY: the driver library is the toolkit's stub\n  GRAPHCAP_ERROR_NOT_INITIALIZED: the driver could not be initialised\n  GRAPHCAP_ERROR_INVALID_DEVICE: the ordinal is not below the number of devices\n  GRAPHCAP_ERROR_INVALID_VALUE: an environment variable is malformed: GRAPHCAP_DEVICE; GRAPHCAP_HOST_DEVICES, GRAPHCAP_HOST_THREADS or GRAPHCAP_HOST_MEMORY for host devices; GRAPHCAP_CUDA_MEMORY\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory, or a thread cannot be started\n  GRAPHCAP_ERROR_ILLEGAL_ADDRESS: work on a GPU faulted before; this process cannot use CUDA any more\n\nThe call releases the GIL."),
    (c"gc_context_destroy", gc_context_destroy, c"gc_context_destroy(context, /)\n--\n\nDestroys a context handle. The context itself lives until its last object and the submitted work are gone. Does not wait.\n\nParameters:\n  context: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_context_synchronize", gc_context_synchronize, c"gc_context_synchronize(context, /)\n--\n\nWaits until all work of the context has completed. On a CUDA device that is all work of the primary context, including work that others submitted; the call then unloads the code of destroyed modules.\n\nParameters:\n  context: the context\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a stream of the context is being captured, or, on a CUDA device, any stream of the primary context; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_context_synchronize_for", gc_context_synchronize_for, c"gc_context_synchronize_for(context, nanoseconds, /)\n--\n\nWaits as gc_context_synchronize() does, but no longer than a given time. When that has passed, the message tells what goes on, as that of gc_stream_synchronize_for() does. The rules of captures treat both calls alike. This call does not unload the code of destroyed modules.\n\nParameters:\n  context: the context\n  nanoseconds: the longest time to wait; 0 checks once, UINT64_MAX waits for ever\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_TIMEOUT: the time passed before all work completed; the work goes on\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a stream of the context is being captured, or, on a CUDA device, any stream of the primary context; the capture is invalidated\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is a CUDA device whose driver is older than 12.5\n\nThe call releases the GIL."),
    (c"gc_context_stream_priority_range", gc_context_stream_priority_range, c"gc_context_stream_priority_range(context, /)\n--\n\nReturns the range of priorities that streams of the context can have. A lower number is more urgent.\n\nBoth are 0 if the device has no priorities. A host device has the range of a GPU, and runs all its streams alike.\n\nParameters:\n  context: the context\n\nReturns:\n  least_out: the least urgent priority\n  greatest_out: the most urgent priority, the lowest number\n\nThe call releases the GIL."),
    (c"gc_context_collect", gc_context_collect, c"gc_context_collect(context, /)\n--\n\nReleases what destroyed objects left because releasing it has to wait: unloads code, frees pinned host memory, and returns to the device the memory that is held for later allocations.\n\ngc_context_synchronize() also unloads code and frees pinned memory, but keeps the memory that is held for later allocations. gc_context_collect() also releases what ended contexts of the same GPU left, memory that default streams of other threads used, and what graph execs kept whose native handles were given out. It may wait for all work of the device, including work of other contexts and libraries, and other threads that call the driver wait with it. It harms no capture. On a host device there is never anything to release.\n\nNothing is released that unfinished work uses. Memory that was used on the legacy stream, or on the per-thread default stream of the calling thread, is released if the work there is complete, and otherwise by a later call.\n\nParameters:\n  context: the context\n\nThe call releases the GIL."),
    (c"gc_context_make_current", gc_context_make_current, c"gc_context_make_current(context, /)\n--\n\nMakes the primary context of a CUDA device current on the calling thread, as cudaSetDevice() does.\n\nCalls that need it then take less time. It stays current until another one is made so: do that before the last context of the device is destroyed. On a host device the call has no effect.\n\nParameters:\n  context: the context\n\nThe call releases the GIL."),
    (c"gc_context_get_info", gc_context_get_info, c"gc_context_get_info(context, info_out, /)\n--\n\nDescribes a context: its device and its generation. The call may be made inside callbacks.\n\nParameters:\n  context: the context\n  info_out: in: struct_size; out: the description\n\nThe call keeps the GIL."),
    (c"gc_context_device_name", gc_context_device_name, c"gc_context_device_name(context, /)\n--\n\nCopies the name of the device that the context is on.\n\nParameters:\n  context: the context\n\nReturns:\n  text: where to copy the name to; it ends with a NUL. May be NULL when capacity is 0\n\nThe call keeps the GIL."),
    (c"gc_context_legacy_stream", gc_context_legacy_stream, c"gc_context_legacy_stream(context, /)\n--\n\nReturns a handle to the legacy default stream of the context. The legacy stream and all blocking streams of the context wait for each other.\n\nThe legacy stream cannot be captured. Each call returns a new handle to the same stream.\n\nParameters:\n  context: the context\n\nReturns:\n  stream_out: a handle owned by the caller until gc_stream_destroy(), which leaves the stream itself alone; NULL on failure\n\nThe call releases the GIL."),
    (c"gc_context_per_thread_stream", gc_context_per_thread_stream, c"gc_context_per_thread_stream(context, /)\n--\n\nReturns a handle to the per-thread default stream. In each call the handle means the default stream of the calling thread.\n\nKeep a handle while a thread captures on its default stream. Destroying the last such handle of the context discards the captures that were begun on per-thread streams. On a CUDA device it discards only the capture of the thread that destroys the handle, because the driver lets no other thread end a capture of a per-thread stream. A thread should end its capture before the thread ends.\n\nParameters:\n  context: the context\n\nReturns:\n  stream_out: a handle owned by the caller until gc_stream_destroy(), which leaves the streams themselves alone; NULL on failure\n\nThe call releases the GIL."),
    (c"gc_context_reset", gc_context_reset, c"gc_context_reset(context, /)\n--\n\nBegins a context anew. Every object that was made in it before is stale from then on: every function returns GRAPHCAP_ERROR_STALE for it, except those that destroy a handle, which succeed. All handles of the context itself stay valid and name the new generation, in which new objects can be made at once. docs/resets.md lists what happens to what.\n\nThe call treats all objects as if their handles were destroyed one after another, and waits for nothing. Captures that were begun on their streams are discarded. Submitted work goes on; what it uses is released behind it. Addresses of buffers, pointers of host buffers and native handles are invalid. The device is not reset, and neither is the primary context of a GPU. Wrapped streams and wrapped memory stay the caller's. Other contexts go on.\n\nA stale handle counts in gc_live_handles() until it is destroyed. Numbers of gc_pool_handle_new() find their pools no more.\n\nAfter a fault on a host device the new generation works as a new context does. NVIDIA's driver does not recover from a fault. There the call returns the status of the fault and changes nothing.\n\nA call that another thread makes on an old object at the same time either takes effect as if it had been made before the reset, or returns GRAPHCAP_ERROR_STALE.\n\nParameters:\n  context: the context\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_BUSY: another thread is resetting the context\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory, or a thread cannot be started\n  GRAPHCAP_ERROR_ILLEGAL_ADDRESS: work on a GPU faulted before; this process cannot use CUDA any more\n\nThe call releases the GIL."),
    (c"gc_set_name", gc_set_name, c"gc_set_name(handle, name, /)\n--\n\nGives an object a name. Messages and texts of graphs call the object by its name. All handles of one object share the name. A clone of a graph begins with the name of the graph. A scalar goes by the name of its buffer. Several objects may have the same name.\n\nParameters:\n  handle: a gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event or gc_graph\n  name: the name, UTF-8, at most 1024 bytes; copied. NULL and the empty text take the name away\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_HANDLE: handle is not a live handle of one of these kinds\n  GRAPHCAP_ERROR_INVALID_VALUE: name is too long or is not UTF-8\n  GRAPHCAP_ERROR_NOT_SUPPORTED: handle is a gc_kernel, which keeps the name that it was found by; or a default stream; or the graph of a node, which goes by the name of the node\n\nThe call releases the GIL."),
    (c"gc_get_name", gc_get_name, c"gc_get_name(handle, /)\n--\n\nCopies the name of an object. The name of a kernel is the one that it was found by, as gc_kernel_name() copies it. The call may be made inside callbacks.\n\nParameters:\n  handle: a gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event, gc_graph or gc_kernel\n\nReturns:\n  text: where to copy the name to; it ends with a NUL. It is empty for an object without a name. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_HANDLE: handle is not a live handle of one of these kinds\n\nThe call keeps the GIL."),
    (c"gc_node_set_name", gc_node_set_name, c"gc_node_set_name(graph, node, name, /)\n--\n\nGives a node of a graph a name. Messages and texts of the graph call the node by its name. Clones of the graph that are made after the call have the name, and so have child nodes that the graph is added as. Several nodes may have the same name.\n\nParameters:\n  graph: the graph\n  node: one of its nodes\n  name: the name, UTF-8, at most 1024 bytes; copied. NULL and the empty text take the name away\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph, or name is too long or is not UTF-8\n\nThe call releases the GIL."),
    (c"gc_node_get_name", gc_node_get_name, c"gc_node_get_name(graph, node, /)\n--\n\nCopies the name of a node: the name that gc_node_set_name() gave it, or else the name of the kernel that it launches, which gc_node_kernel_name() copies in either case.\n\nParameters:\n  graph: the graph\n  node: one of its nodes\n\nReturns:\n  text: where to copy the name to; it ends with a NUL. It is empty for a node without a name. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph\n\nThe call releases the GIL."),
    (c"gc_context_memory_report", gc_context_memory_report, c"gc_context_memory_report(context, format, /)\n--\n\nWrites what the live buffers, host buffers, pools, graphs and graph execs of a context take, and which graphs and execs keep a buffer or a pool alive. The bytes of a pool's blocks are among those of the pool.\n\nThe bytes of graphs and execs are those of a model, which docs/cache.md describes: no device tells them. Each graph and exec has a number in the report. A graph or exec whose native handle was given out may keep buffers that the report does not tell of, and so does a capture that goes on. What the device does not answer, after a fault for instance, is left out. The call takes time for all objects of the context and their nodes. Objects that other threads make or destroy meanwhile may be in the report or not.\n\nParameters:\n  context: the context\n  format: GRAPHCAP_MEMORY_REPORT_TEXT or GRAPHCAP_MEMORY_REPORT_JSON\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the format is unknown\n\nThe call releases the GIL."),
    (c"gc_object_context", gc_object_context, c"gc_object_context(object, /)\n--\n\nReturns the context that an object belongs to. C and C++ have shorthands with typed arguments, such as gc_stream_get_context(). The kind of the handle is not checked, neither here nor by the shorthands.\n\nParameters:\n  object: a handle of any kind; of a context another handle is returned\n\nReturns:\n  context_out: another handle of the context, owned by the caller until gc_context_destroy(); NULL on failure\n\nThe call releases the GIL."),
    (c"gc_kernel_get_module", gc_kernel_get_module, c"gc_kernel_get_module(kernel, /)\n--\n\nReturns the module that a kernel is of.\n\nParameters:\n  kernel: the kernel\n\nReturns:\n  module_out: another handle of the module, owned by the caller until gc_module_destroy(); NULL on failure\n\nThe call releases the GIL."),
    (c"gc_buffer_allocate", gc_buffer_allocate, c"gc_buffer_allocate(context, size, /)\n--\n\nAllocates device memory, aligned to at least 256 bytes. Its content is undefined. May be called while streams are captured.\n\nOn a CUDA device the memory comes from a pool of the context's own. Value operations, such as gc_stream_write_value32(), refuse this memory on every device; see gc_buffer_allocate_waitable() and gc_pool_allocate().\n\nParameters:\n  context: the context that the memory belongs to\n  size: bytes, not 0\n\nReturns:\n  buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: size is 0\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory\n\nThe call releases the GIL."),
    (c"gc_buffer_allocate_waitable", gc_buffer_allocate_waitable, c"gc_buffer_allocate_waitable(context, size, /)\n--\n\nAllocates device memory that value operations accept, such as gc_stream_wait_value32(). Otherwise the memory is as that of gc_buffer_allocate().\n\nUse it for counters and flags. NVIDIA's driver refuses value operations on memory of pools. It can free the memory that it accepts only in calls that wait for all work of the device. The memory of a destroyed buffer that nothing uses any more is therefore freed when gc_context_synchronize() or gc_context_collect() waits for a context of that device, or when the device's primary context ends.\n\nParameters:\n  context: the context that the memory belongs to\n  size: bytes, not 0\n\nReturns:\n  buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: size is 0\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory\n\nThe call releases the GIL."),
    (c"gc_buffer_wrap", gc_buffer_wrap, c"gc_buffer_wrap(context, address, size, user_data, destroy, /)\n--\n\nMakes a buffer from memory that the caller allocated by other means.\n\nOn a host device the memory is ordinary memory of the process. On a CUDA device it is memory that the driver knows and the device can use, given by its device address: device, managed or pinned memory, for example of the CUDA runtime or of a library. Plain malloc() memory is refused. graphcap does not check whether this device can reach the memory. The range must lie within one allocation. The caller keeps the memory valid until destroy is called. That happens once the buffer is destroyed, no graph or graph exec uses it any more, and the work submitted with it through gc_ calls has completed. On a host device that may be within gc_buffer_destroy(); see \"What ends at once\".\n\nDo not call cudaFree() in destroy: it waits, and it breaks captures. Pass the address to a thread of your own instead.\n\nParameters:\n  context: the context that the memory belongs to\n  address: the first byte of the memory, not NULL\n  size: bytes, not 0\n  user_data: passed to destroy; may be NULL\n  destroy: called exactly once, also when this call fails; may be NULL\n\nReturns:\n  buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the range passes the end of the address space, or, on a CUDA device, does not lie within one allocation that the driver knows\n\nThe call releases the GIL."),
    (c"gc_buffer_destroy", gc_buffer_destroy, c"gc_buffer_destroy(buffer, /)\n--\n\nDestroys a buffer. Its memory is freed when no graph or graph exec uses the buffer any more and the work submitted with it has completed. Does not wait for work.\n\nOn a CUDA device the memory goes back to the pool of the context, for later allocations. gc_context_collect() returns the free memory of the pool to the device.\n\ngraphcap puts no work of its own on a default stream to learn when the stream's work has completed. Memory that was used on a default stream is freed when the program has submitted to that stream again or waited for it, at gc_context_synchronize(), or when gc_context_collect() finds the work complete. The progress of the per-thread default stream of another thread becomes known only when that thread waits for the stream, or by gc_context_synchronize() or gc_context_collect(). If neither happens, memory that was used on that stream stays allocated until the process ends.\n\nParameters:\n  buffer: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_buffer_size", gc_buffer_size, c"gc_buffer_size(buffer, /)\n--\n\nReturns the size of a buffer.\n\nParameters:\n  buffer: the buffer\n\nReturns:\n  size_out: bytes\n\nThe call keeps the GIL."),
    (c"gc_buffer_address", gc_buffer_address, c"gc_buffer_address(buffer, /)\n--\n\nReturns the device address of a buffer, as a number. It is valid as long as the buffer is.\n\nParameters:\n  buffer: the buffer\n\nReturns:\n  address_out: the address of its first byte\n\nThe call keeps the GIL."),
    (c"gc_host_check_range", gc_host_check_range, c"gc_host_check_range(address, size, /)\n--\n\nChecks whether a range of memory lies within one live allocation of the host devices. For host kernels that want to fault as a GPU would: they return the status.\n\nParameters:\n  address: the first byte\n  size: bytes\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_ADDRESS: the range does not lie within one live allocation\n\nThe call keeps the GIL."),
    (c"gc_host_buffer_allocate", gc_host_buffer_allocate, c"gc_host_buffer_allocate(context, size, flags, /)\n--\n\nAllocates pinned host memory, aligned to at least 256 bytes. Its content is undefined. May be called while streams are captured.\n\nOn a host device it is ordinary memory.\n\nParameters:\n  context: the context whose copies use the host buffer\n  size: bytes, not 0\n  flags: 0 or GRAPHCAP_HOST_BUFFER_ flags\n\nReturns:\n  host_buffer_out: the new host buffer, owned by the caller until gc_host_buffer_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: size is 0 or a flag is unknown\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory that can be pinned\n\nThe call releases the GIL."),
    (c"gc_host_buffer_register", gc_host_buffer_register, c"gc_host_buffer_register(context, address, size, flags, user_data, destroy, /)\n--\n\nPins host memory that the caller allocated by other means, and makes a host buffer from it. May be called while streams are captured.\n\nThe caller keeps the memory valid until destroy is called. That happens once the host buffer is destroyed, nothing uses it any more, and the memory is unpinned. On a host device that is within gc_host_buffer_destroy(); see \"What ends at once\". A CUDA device unpins the memory when gc_context_collect() or gc_context_synchronize() runs for a context of that device, when some of the memory is registered again, or when the device's primary context ends.\n\nIf a host buffer that is destroyed still pins some of the memory, this call ends that one first, unless something uses it. It waits for its end, for 1 second at most. On a CUDA device it does what gc_context_collect() does, which may wait for the device, but only while no stream is captured.\n\nParameters:\n  context: the context whose copies use the host buffer\n  address: the first byte of the memory, not NULL\n  size: bytes, not 0\n  flags: 0, GRAPHCAP_HOST_BUFFER_PORTABLE, GRAPHCAP_HOST_BUFFER_MAPPED, or both\n  user_data: passed to destroy; may be NULL\n  destroy: called exactly once, also when this call fails; may be NULL. It is not called if the process ends first\n\nReturns:\n  host_buffer_out: the new host buffer, owned by the caller until gc_host_buffer_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the range passes the end of the address space, some of the memory was allocated as pinned memory, or the driver cannot pin it\n  GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED: some of the memory is registered already; on a CUDA device, also while a stream is captured, memory of a destroyed host buffer that is still pinned: gc_context_collect() unpins it\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: that much memory cannot be pinned\n\nThe call releases the GIL."),
    (c"gc_host_buffer_destroy", gc_host_buffer_destroy, c"gc_host_buffer_destroy(host_buffer, /)\n--\n\nDestroys a host buffer. Its memory is freed or unpinned when no graph or graph exec uses the host buffer any more and the work submitted with it has completed. Does not wait for work, and harms no capture. After this call the caller must not touch memory of gc_host_buffer_allocate().\n\nOn a CUDA device freeing or unpinning the memory waits for all work of the device. It is therefore left to calls that wait anyway: gc_context_collect() and gc_context_synchronize() of any context of that device, and gc_host_buffer_register() of the same memory.\n\nParameters:\n  host_buffer: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_host_buffer_size", gc_host_buffer_size, c"gc_host_buffer_size(host_buffer, /)\n--\n\nReturns the size of a host buffer.\n\nParameters:\n  host_buffer: the host buffer\n\nReturns:\n  size_out: bytes\n\nThe call keeps the GIL."),
    (c"gc_host_buffer_pointer", gc_host_buffer_pointer, c"gc_host_buffer_pointer(host_buffer, /)\n--\n\nReturns the address at which the CPU uses the memory of a host buffer. A copy reads the memory when it runs; the CPU must not change the memory before.\n\nParameters:\n  host_buffer: the host buffer\n\nReturns:\n  pointer_out: its first byte, valid as long as the host buffer is\n\nThe call keeps the GIL."),
    (c"gc_host_buffer_device_address", gc_host_buffer_device_address, c"gc_host_buffer_device_address(host_buffer, /)\n--\n\nReturns the address at which kernels use the memory of a host buffer, as a number. Pass it to a kernel as a value. Launches and graphs do not keep the host buffer alive for such a value; the caller keeps it until they are done.\n\nParameters:\n  host_buffer: the host buffer, made with GRAPHCAP_HOST_BUFFER_MAPPED\n\nReturns:\n  address_out: the address of its first byte, valid as long as the host buffer is\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the host buffer is not mapped\n\nThe call keeps the GIL."),
    (c"gc_buffer_allocate_managed", gc_buffer_allocate_managed, c"gc_buffer_allocate_managed(context, size, flags, /)\n--\n\nAllocates managed memory. The CPU and the device use it by one address, which gc_buffer_address() returns. Its content is undefined. May be called while streams are captured.\n\nWhile submitted work that uses the memory has not been waited for, the CPU must not touch the memory, unless the device supports that (CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS). Value operations refuse managed memory. On a host device it is ordinary memory of the device. On a CUDA device it is freed as that of gc_buffer_allocate_waitable() is.\n\nParameters:\n  context: the context that the memory belongs to\n  size: bytes, not 0\n  flags: GRAPHCAP_MEM_ATTACH_GLOBAL, or GRAPHCAP_MEM_ATTACH_HOST for memory that streams may use only after gc_stream_attach_mem_async() allows it\n\nReturns:\n  buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: size is 0 or flags is neither of the two\n\nThe call releases the GIL."),
    (c"gc_stream_attach_mem_async", gc_stream_attach_mem_async, c"gc_stream_attach_mem_async(stream, buffer, flags, /)\n--\n\nSets who may use a managed buffer: every stream, the CPU alone, or this stream alone. The change is work of the stream: it takes effect when the work that was submitted to the stream before has completed.\n\nThe change cannot be recorded into a graph. On a host device everyone may use all memory; there the call has no effect beyond the rules of captures.\n\nParameters:\n  stream: the stream; with GRAPHCAP_MEM_ATTACH_SINGLE it is the stream that may use the memory\n  buffer: a buffer of gc_buffer_allocate_managed(), or wrapped managed memory, of the same context\n  flags: one of the GRAPHCAP_MEM_ATTACH_ numbers\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: flags is not a GRAPHCAP_MEM_ATTACH_ number, or the memory is not managed\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_module_load", gc_module_load, c"gc_module_load(context, description, /)\n--\n\nLoads a module. All that the description points to is copied, except for the code of the host kernels and the memory of the host globals.\n\nA description with an image and host kernels serves both kinds of device. If the driver cannot load the image, the message contains what the driver's compiler says.\n\nParameters:\n  context: the context that the module belongs to\n  description: what to load, not NULL\n\nReturns:\n  module_out: the new module, owned by the caller until gc_module_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a name or a function is missing, two host kernels or two host globals have the same name, a host global is no range of memory, or accesses are not what gc_kernel_set_accesses() takes\n  GRAPHCAP_ERROR_INVALID_IMAGE: the image is damaged, cut short, of no known kind, or has to be linked first\n  GRAPHCAP_ERROR_INVALID_PTX: the driver cannot compile the PTX\n  GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION: the driver is too old for the version of the PTX\n  GRAPHCAP_ERROR_NO_BINARY_FOR_GPU: there is no code for the device of the context: neither host kernels nor host globals on a host device; no image, or no code for this GPU, on a CUDA device\n\nThe call releases the GIL."),
    (c"gc_module_destroy", gc_module_destroy, c"gc_module_destroy(module, /)\n--\n\nDestroys a module. Its code stays loaded while kernels, graphs, graph execs or launches use it. Unloading code of a CUDA device waits for all work. The code is therefore unloaded when gc_context_collect() or gc_context_synchronize() waits for any context of that device, or when the device's primary context ends.\n\nParameters:\n  module: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_module_get_kernel", gc_module_get_kernel, c"gc_module_get_kernel(module, name, /)\n--\n\nFinds a kernel of a module by its name.\n\nParameters:\n  module: the module\n  name: the exact name, UTF-8\n\nReturns:\n  kernel_out: the kernel, owned by the caller until gc_kernel_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: name or kernel_out is NULL, or name is not UTF-8\n  GRAPHCAP_ERROR_NOT_FOUND: the module has no kernel of that name; the message lists the module's kernels, on a CUDA device only with a driver for CUDA 12.4 or newer\n\nThe call releases the GIL."),
    (c"gc_module_get_global", gc_module_get_global, c"gc_module_get_global(module, name, /)\n--\n\nFinds a global variable of a module by its name, as a buffer: copies, memsets, kernel arguments and nodes of graphs take it as they take any buffer, and gc_buffer_size() and gc_buffer_address() tell its size and its device address.\n\nOn a CUDA device the variable is one of the image, declared with __device__, __constant__ or __managed__. On a host device it is one of the description's host_globals. The buffer keeps the module loaded, and so do the work and the graphs that use the buffer. Several buffers of one variable are the same memory.\n\nParameters:\n  module: the module\n  name: the exact name, UTF-8; that of a C++ variable is mangled unless it is extern \"C\"\n\nReturns:\n  buffer_out: the variable, owned by the caller until gc_buffer_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: name or buffer_out is NULL, or name is not UTF-8\n  GRAPHCAP_ERROR_NOT_FOUND: the module has no global variable of that name; on a host device the message lists those that it has\n\nThe call releases the GIL."),
    (c"gc_kernel_destroy", gc_kernel_destroy, c"gc_kernel_destroy(kernel, /)\n--\n\nDestroys a kernel handle. Graphs and launches that use the kernel are not affected.\n\nParameters:\n  kernel: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_kernel_name", gc_kernel_name, c"gc_kernel_name(kernel, /)\n--\n\nCopies the name of a kernel, which is the one that it was found by. gc_get_name() copies the names of objects of several kinds. Both may be called inside callbacks.\n\nParameters:\n  kernel: the kernel\n\nReturns:\n  text: where to copy the name to; it ends with a NUL. May be NULL when capacity is 0\n\nThe call keeps the GIL."),
    (c"gc_kernel_parameter_count", gc_kernel_parameter_count, c"gc_kernel_parameter_count(kernel, /)\n--\n\nCounts the parameters of a kernel.\n\nParameters:\n  kernel: the kernel\n\nReturns:\n  count_out: the number of parameters\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the parameters are not known: the module description does not state them, and no driver reports them. CUDA drivers report them from 12.4 on\n\nThe call keeps the GIL."),
    (c"gc_kernel_parameter_size", gc_kernel_parameter_size, c"gc_kernel_parameter_size(kernel, index, /)\n--\n\nReturns the size of a parameter of a kernel.\n\nParameters:\n  kernel: the kernel\n  index: which parameter, from 0\n\nReturns:\n  size_out: bytes; 8 for a buffer\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the index is not below the number of parameters\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the parameters are not known: the module description does not state them, and no driver reports them. CUDA drivers report them from 12.4 on\n\nThe call keeps the GIL."),
    (c"gc_kernel_set_accesses", gc_kernel_set_accesses, c"gc_kernel_set_accesses(kernel, accesses, count, /)\n--\n\nStates what a kernel does with the memory that its parameters point to. gc_graph_optimize() orders the launches of the kernel by that. The statement holds for all handles of the kernel, and for launches that were recorded before.\n\nA parameter with GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE is a pointer. The kernel may touch any byte of the buffers that it points into, or of another allocation if no buffer is there, in this way and in no other. Through a pointer that is NULL it touches nothing. A parameter with GRAPHCAP_ACCESS_NONE is no pointer. The kernel touches no other memory: it follows no pointer that lies in memory, and uses no variable of its module, but for what gc_kernel_set_buffer_access() states. It waits for nothing that the CPU or another kernel does meanwhile. A wrong statement makes replays of optimized graphs wrong.\n\nParameters:\n  kernel: the kernel\n  accesses: a number for each parameter of the kernel; NULL takes an earlier statement back\n  count: how many; 0 if accesses is NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: as far as the parameters are known, count is not their number or a parameter that is to be a pointer has not 8 bytes. The earlier statement holds\n\nThe call releases the GIL."),
    (c"gc_kernel_set_buffer_access", gc_kernel_set_buffer_access, c"gc_kernel_set_buffer_access(kernel, buffer, access, /)\n--\n\nStates what a kernel does with a buffer that none of its arguments points to: a variable of its module, see gc_module_get_global(), or memory that a pointer in memory leads to. gc_graph_optimize(), gc_graph_verify() and GRAPHCAP_CHECK_ACCESS go by it. It adds to what gc_kernel_set_accesses() or the launch states of the arguments, or to parameters that are trusted. A kernel of which nothing else is stated stays unknown.\n\nThe statement is of all bytes of the buffer. It holds for all handles of the kernel, and for launches that were recorded before. It keeps the buffer alive until the last handle of the kernel, the last graph that has the kernel, and submitted work are gone. Take it back only after the launches that use the buffer by it.\n\nParameters:\n  kernel: the kernel\n  buffer: the buffer; a statement of a buffer with these bytes takes the place of the one before\n  access: GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE; GRAPHCAP_ACCESS_NONE takes the statement back\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: access is none of these numbers\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer is of a device of another kind than the kernel\n\nThe call releases the GIL."),
    (c"gc_kernel_set_concurrency", gc_kernel_set_concurrency, c"gc_kernel_set_concurrency(kernel, concurrency, /)\n--\n\nStates how launches of a kernel run beside other nodes of graphs that gc_graph_optimize() makes, besides what they touch. The statement holds for all handles of the kernel, and for launches that were recorded before. Where a graph keeps its recorded edges, its nodes run beside each other as they were recorded.\n\nParameters:\n  kernel: the kernel\n  concurrency: one of the GRAPHCAP_CONCURRENCY_ numbers; GRAPHCAP_CONCURRENCY_FREE takes an earlier statement back\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: concurrency is none of these numbers\n\nThe call releases the GIL."),
    (c"gc_kernel_get_attribute", gc_kernel_get_attribute, c"gc_kernel_get_attribute(kernel, attribute, /)\n--\n\nReturns an attribute of a kernel.\n\nA CUDA device returns the driver's value. A host device returns what was set; a kernel has at most 1,024 threads in a block there, and 0 of registers, versions, and static, constant and local memory.\n\nParameters:\n  kernel: the kernel\n  attribute: one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers\n\nReturns:\n  value_out: the value; 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: kernels have no such attribute\n\nThe call releases the GIL."),
    (c"gc_kernel_set_attribute", gc_kernel_set_attribute, c"gc_kernel_set_attribute(kernel, attribute, value, /)\n--\n\nSets an attribute of a kernel, for launches and nodes that are made from now on through any handle of the kernel. A host device stores the value. Of those that it stores, only GRAPHCAP_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE has an effect there.\n\nParameters:\n  kernel: the kernel\n  attribute: one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers that can be set\n  value: the value\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: kernels have no such attribute, it cannot be set, or it cannot have that value\n  GRAPHCAP_ERROR_NOT_PERMITTED: the kernel was compiled with the size of a cluster\n\nThe call releases the GIL."),
    (c"gc_kernel_max_active_blocks", gc_kernel_max_active_blocks, c"gc_kernel_max_active_blocks(kernel, block_size, shared_mem_bytes, /)\n--\n\nReturns how many blocks of a kernel one multiprocessor runs at once.\n\nA host device answers this and the next questions as a GPU of compute capability 9.0 with 132 multiprocessors would for a kernel that is not limited by its registers: each multiprocessor runs at most 2,048 threads and 32 blocks, and has 233,472 bytes of shared memory, of which each block takes 1,024 beside its own. It runs the blocks on the CPU, as many at once as it has lanes.\n\nParameters:\n  kernel: the kernel\n  block_size: threads in a block, at least 1\n  shared_mem_bytes: dynamic shared memory of each block in bytes\n\nReturns:\n  blocks_out: the number of blocks; 0 if one does not fit\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: an argument is larger than any device has\n\nThe call releases the GIL."),
    (c"gc_kernel_suggested_block_size", gc_kernel_suggested_block_size, c"gc_kernel_suggested_block_size(kernel, shared_mem_bytes, block_size_limit, /)\n--\n\nReturns the block size with the highest occupancy.\n\nParameters:\n  kernel: the kernel\n  shared_mem_bytes: dynamic shared memory of each block in bytes, the same for every block size\n  block_size_limit: the most threads that a block may have; 0 for as many as the kernel can have\n\nReturns:\n  block_size_out: threads in a block; 0 if no block fits; a CUDA driver may return an error instead\n  grid_size_out: the number of such blocks that gives the device the highest occupancy\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: an argument is larger than any device has\n\nThe call releases the GIL."),
    (c"gc_kernel_available_shared_mem", gc_kernel_available_shared_mem, c"gc_kernel_available_shared_mem(kernel, blocks, block_size, /)\n--\n\nReturns how much dynamic shared memory each block can have while one multiprocessor runs a number of blocks at once.\n\nParameters:\n  kernel: the kernel\n  blocks: the number of blocks, at least 1\n  block_size: threads in a block, at least 1\n\nReturns:\n  bytes_out: dynamic shared memory of each block in bytes\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: an argument is larger than any device has, or so many blocks do not fit\n\nThe call releases the GIL."),
    (c"gc_kernel_max_active_clusters", gc_kernel_max_active_clusters, c"gc_kernel_max_active_clusters(kernel, config, /)\n--\n\nReturns how many clusters of a launch the device runs at once.\n\nParameters:\n  kernel: the kernel\n  config: the launch, not NULL; its attributes have GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION. Events among them have no effect\n\nReturns:\n  clusters_out: the number of clusters\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a dimension of config is too large, or an attribute cannot have its value\n  GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the launch has no clusters, or they do not divide the grid or are too large\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device has no clusters\n\nThe call releases the GIL."),
    (c"gc_kernel_max_cluster_size", gc_kernel_max_cluster_size, c"gc_kernel_max_cluster_size(kernel, config, /)\n--\n\nReturns how many blocks a cluster of a launch can have at most.\n\nParameters:\n  kernel: the kernel\n  config: the launch, not NULL. Events among its attributes have no effect\n\nReturns:\n  blocks_out: the number of blocks; 0 if a block does not fit\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a dimension of config is too large\n  GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: an attribute asks for clusters that do not fit the launch\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device has no clusters\n\nThe call releases the GIL."),
    (c"gc_stream_create", gc_stream_create, c"gc_stream_create(context, options, /)\n--\n\nMakes a stream.\n\nParameters:\n  context: the context that the stream belongs to\n  options: NULL for the defaults\n\nReturns:\n  stream_out: the new stream, owned by the caller until gc_stream_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, reserved is not 0, or the struct_size of the options is not valid\n\nThe call releases the GIL."),
    (c"gc_stream_wrap", gc_stream_wrap, c"gc_stream_wrap(context, native, /)\n--\n\nMakes a handle for a stream that others made: the CUDA runtime, PyTorch or a library.\n\ngraphcap uses the stream as it is. While the stream is captured, what others submit to it is captured too. graphcap or others may capture it; in both cases the graph keeps alive what gc_ calls recorded. Each call asks the driver which capture the stream is in, which costs about 20 ns.\n\nThe stream must be a live CUstream of the primary context. It must outlive the handle and the calls in progress with the handle, so destroy the handle first. Unlike for a gc_ handle, a value that is not a live CUstream is undefined behaviour. NULL means the legacy stream, also in programs built with --default-stream per-thread: pass CU_STREAM_PER_THREAD there.\n\nParameters:\n  context: a context on the device of the stream\n  native: the stream; NULL and CU_STREAM_LEGACY mean the legacy default stream, CU_STREAM_PER_THREAD the per-thread default stream\n\nReturns:\n  stream_out: a handle owned by the caller until gc_stream_destroy(), which leaves the stream itself alone; NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream belongs to a context other than the device's primary context\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles\n\nThe call releases the GIL."),
    (c"gc_stream_destroy", gc_stream_destroy, c"gc_stream_destroy(stream, /)\n--\n\nDestroys a stream. Submitted work still runs. Does not wait. A capture that was begun on the stream is discarded, unless a gc_capture owns it; a gc_capture keeps the stream until the capture is over.\n\nOn a host device, destroying a stream gives up a wait for a value if the value is not there and no work that was submitted to other streams before brings it. The work behind the wait, on the stream or in the replay, is then discarded without being run. The waits of a default stream are given up in the same way when the context is gone. A CUDA device goes on waiting.\n\nFor a wrapped stream only the handle is destroyed. The stream stays as it is, and so does a capture that it is in, unless gc_stream_begin_capture_to_graph() began the capture. The call waits for the calls of other threads, see \"What ends at once\". Inside a host function it does not wait: there the stream must live until they have returned.\n\nParameters:\n  stream: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_stream_synchronize", gc_stream_synchronize, c"gc_stream_synchronize(stream, /)\n--\n\nWaits until everything submitted to the stream so far has completed.\n\nParameters:\n  stream: the stream\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured, or a capture bars this thread from waiting; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_stream_synchronize_for", gc_stream_synchronize_for, c"gc_stream_synchronize_for(stream, nanoseconds, /)\n--\n\nWaits as gc_stream_synchronize() does, but no longer than a given time.\n\nThe rules of captures treat both calls alike. The driver of a CUDA device has no such wait, so graphcap polls it, less and less often the longer the wait takes. There the call also waits for work that others submit meanwhile. If another thread begins to capture the stream meanwhile, the capture is left alone, and the work counts as not complete until the capture is over.\n\nWhen the time passes, the message tells of the launches of the context that go on, as far as is known: of graph execs that were made with GRAPHCAP_INSTANTIATE_WATCH the nodes that could run and have not completed, and on the host device the turn of a loop and the node of its body that runs.\n\nParameters:\n  stream: the stream\n  nanoseconds: the longest time to wait; 0 checks once, UINT64_MAX waits for ever\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_TIMEOUT: the time passed before the work completed; the work goes on\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured, or a capture bars this thread from waiting; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_stream_is_complete", gc_stream_is_complete, c"gc_stream_is_complete(stream, /)\n--\n\nReturns whether everything submitted to the stream so far has completed. Does not wait.\n\nParameters:\n  stream: the stream\n\nReturns:\n  complete_out: 1 if it has completed, else 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured, or a capture bars this thread from asking; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_stream_id", gc_stream_id, c"gc_stream_id(stream, /)\n--\n\nReturns the number by which messages name a stream. It is graphcap's own number: no other stream of the process has it or had it.\n\nParameters:\n  stream: the stream\n\nReturns:\n  id_out: the number, at least 1\n\nThe call keeps the GIL."),
    (c"gc_stream_begin_capture", gc_stream_begin_capture, c"gc_stream_begin_capture(stream, mode, /)\n--\n\nBegins a capture: from now on the stream records its work instead of running it.\n\nOther streams join the capture when they wait for an event that was recorded in it. They must be joined back before the capture ends. The graph keeps alive all objects that gc_ calls use while recording. It does not keep memory that a copy gets as a plain host pointer: each replay reads or writes that memory, which must be valid then. docs/capture.md has all rules of captures, and tells what to do when a capture broke.\n\nParameters:\n  stream: the stream; not the legacy stream\n  mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the mode is unknown\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream\n\nThe call releases the GIL."),
    (c"gc_stream_end_capture", gc_stream_end_capture, c"gc_stream_end_capture(stream, /)\n--\n\nEnds a capture and returns the graph that it recorded. A capture that a gc_capture owns can be ended here too; it is then over for the gc_capture. After a capture into an existing graph, graph_out is another handle to that graph, and each handle is destroyed on its own. This includes a capture that code outside graphcap began into a graph whose native handle was given out.\n\nIf the call fails, the capture is over too, and an existing graph that it recorded into is lost. There are exceptions. After GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_INVALID_VALUE and GRAPHCAP_ERROR_NOT_PERMITTED the capture goes on. After GRAPHCAP_ERROR_CAPTURE_UNMATCHED it is invalidated, and must still be ended on the stream that it was begun on. After GRAPHCAP_ERROR_INVALID_CONTEXT the graph has what was recorded. In a guarded context the capture goes on, unharmed, also after GRAPHCAP_ERROR_CAPTURE_UNMATCHED, GRAPHCAP_ERROR_CAPTURE_UNJOINED and GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD.\n\nParameters:\n  stream: the stream that the capture was begun on\n\nReturns:\n  graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_CONTEXT: code outside graphcap began the capture, into a graph of another context\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured\n  GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the stream joined a capture that was begun on another stream; the capture is invalidated. Or the capture goes into a graph, and another handle of the stream began it, of another context or wrapped; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back\n  GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: another thread began the capture, in a mode other than relaxed\n\nThe call releases the GIL."),
    (c"gc_stream_is_capturing", gc_stream_is_capturing, c"gc_stream_is_capturing(stream, /)\n--\n\nReturns whether a stream records its work.\n\nParameters:\n  stream: the stream\n\nReturns:\n  capturing_out: 1 while a capture is active, 0 when there is no capture or it was broken\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_stream_capture_status", gc_stream_capture_status, c"gc_stream_capture_status(stream, /)\n--\n\nReturns the state of a stream's capture.\n\nParameters:\n  stream: the stream\n\nReturns:\n  status_out: one of the GRAPHCAP_CAPTURE_STATUS_ numbers\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_stream_wait_event", gc_stream_wait_event, c"gc_stream_wait_event(stream, event, flags, /)\n--\n\nMakes the later work of a stream wait for the point that an event marks. The CPU does not wait. An event that was never recorded has no effect.\n\nIf the event was recorded in a capture, the stream joins that capture. The stream and the event may belong to different contexts, also on different devices of one kind. So one capture can hold work of several contexts. Its graph belongs to the context of the stream that the capture was begun on, and keeps the other contexts.\n\nWith GRAPHCAP_EVENT_WAIT_EXTERNAL, on a stream that is being captured, the wait becomes a node of the graph, wherever the event was recorded. At that node each replay waits for the record that the event holds when the graph is launched. If the event holds no record then, the replay does not wait. This orders a graph after work outside of it. The graph and the graph execs made from it keep the event.\n\nParameters:\n  stream: the stream\n  event: an event of a context on a device of the same kind\n  flags: 0 or GRAPHCAP_EVENT_WAIT_EXTERNAL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the event was last recorded in a capture that is over or invalid; a capture of the stream is then invalidated\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the event belong to devices of different kinds\n  GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_EVENT_WAIT_EXTERNAL is set, and the stream is in no capture\n  GRAPHCAP_ERROR_CAPTURE_ISOLATION: the stream is being captured and the event was recorded outside of the capture; the capture is invalidated\n  GRAPHCAP_ERROR_CAPTURE_MERGE: the stream and the event are in different captures; both are invalidated\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: a capture that takes part was broken before\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured and the event is one for several processes (GRAPHCAP_EVENT_INTERPROCESS); the capture is invalidated\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream, and a blocking stream is being captured or the event was recorded in a capture that goes on; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_stream_memcpy_htod", gc_stream_memcpy_htod, c"gc_stream_memcpy_htod(stream, destination, destination_offset, source, size, /)\n--\n\nCopies from host memory into a buffer.\n\nThe host memory must stay valid and unchanged until the copy has run. While the stream is captured only the pointer is recorded: the memory is read at each replay. A CUDA device may copy pageable memory during the call, see Asynchrony above.\n\nParameters:\n  stream: the stream\n  destination: the buffer to write, of the same context\n  destination_offset: the first byte written, counted from the start of the buffer\n  source: the first byte read; may be NULL when size is 0\n  size: bytes; 0 has no effect\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the host memory overlaps the range\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts\n  GRAPHCAP_ERROR_NOT_PERMITTED: a strict capture of the stream refuses the host memory (GRAPHCAP_CAPTURE_STRICT)\n\nThe call releases the GIL."),
    (c"gc_stream_memcpy_dtoh", gc_stream_memcpy_dtoh, c"gc_stream_memcpy_dtoh(stream, destination, source, source_offset, size, /)\n--\n\nCopies from a buffer into host memory.\n\nThe host memory must stay valid until the copy has run. While the stream is captured only the pointer is recorded: the memory is written at each replay. On a CUDA device a call with pageable memory may return only when the copy has run, see Asynchrony above.\n\nParameters:\n  stream: the stream\n  destination: the first byte written; may be NULL when size is 0\n  source: the buffer to read, of the same context\n  source_offset: the first byte read, counted from the start of the buffer\n  size: bytes; 0 has no effect\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the host memory overlaps the range\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts\n  GRAPHCAP_ERROR_NOT_PERMITTED: a strict capture of the stream refuses the host memory (GRAPHCAP_CAPTURE_STRICT)\n\nThe call releases the GIL."),
    (c"gc_stream_memcpy_dtod", gc_stream_memcpy_dtod, c"gc_stream_memcpy_dtod(stream, destination, destination_offset, source, source_offset, size, /)\n--\n\nCopies between two buffers, or within one buffer. The ranges must not overlap.\n\nParameters:\n  stream: the stream\n  destination: the buffer to write, of the same context\n  destination_offset: the first byte written, counted from the start of the buffer\n  source: the buffer to read, of the same context\n  source_offset: the first byte read, counted from the start of the buffer\n  size: bytes; 0 has no effect\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a range does not lie within its buffer, or the two ranges overlap\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffers belong to different contexts\n\nThe call releases the GIL."),
    (c"gc_stream_memset", gc_stream_memset, c"gc_stream_memset(stream, buffer, offset, value, element_size, count, /)\n--\n\nSets elements of a buffer to a value.\n\nParameters:\n  stream: the stream\n  buffer: the buffer to write, of the same context\n  offset: the first byte written, counted from the start of the buffer; its address must be a multiple of element_size\n  value: the value; bits that do not fit an element are ignored\n  element_size: 1, 2 or 4 bytes\n  count: the number of elements; 0 has no effect\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: element_size is not 1, 2 or 4, the first address is not a multiple of element_size, or the range does not lie within the buffer\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts\n\nThe call releases the GIL."),
    (c"gc_stream_launch_host_func", gc_stream_launch_host_func, c"gc_stream_launch_host_func(stream, function, user_data, destroy, /)\n--\n\nRuns a function on the CPU when the earlier work of the stream has completed. Later work of the stream waits for the function.\n\nSee gc_host_fn for how the function runs and what it may call. While the stream is captured the function is recorded: it runs once per launch of the graph, and never during the capture itself.\n\nA CUDA device may run the host functions of all streams one at a time, so no host function may wait for another one.\n\nParameters:\n  stream: the stream\n  function: the function, not NULL\n  user_data: passed to function and to destroy; may be NULL\n  destroy: called exactly once; may be NULL. It is called after function has run; for a recorded function, after the graph and all graph execs made from it are gone; or when this call fails. After a fault of a CUDA device it may never be called, because the driver keeps what it holds\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: function is NULL\n\nThe call releases the GIL."),
    (c"gc_host_fail", gc_host_fail, c"gc_host_fail(reason, /)\n--\n\nMakes the calling host function or host kernel fail, with a reason. The call returns; then a kernel returns its status, which ends the launch, and a host function returns.\n\nOn a host device the failure faults the context, as a kernel does that returns a number other than 0. The calls that wait for the work give GRAPHCAP_ERROR_CALLBACK, with the reason and the name of the kernel. For a node of a graph the message also has the number and the name of the node, the name of the graph, and the turn of a loop. It has them for every other fault of a node too. gc_context_reset() begins such a context anew. On a CUDA device, where the driver calls the function, all other work goes on. The next call that waits for work of the context gives GRAPHCAP_ERROR_CALLBACK, once, with the first reason.\n\nIn a destroy function the call has no effect.\n\nParameters:\n  reason: UTF-8, not NULL; copied. Of several reasons in one call of the function the first one counts\n\nThe call keeps the GIL."),
    (c"gc_stream_launch_kernel", gc_stream_launch_kernel, c"gc_stream_launch_kernel(stream, kernel, config, arguments, argument_count, /)\n--\n\nLaunches a kernel.\n\nA shape that the device cannot run breaks the capture of the stream; other wrong arguments do not. A host device runs at most 1024 threads in a block (1024, 1024 and 64 in x, y and z), 2147483647, 65535 and 65535 blocks in x, y and z, and 232448 bytes of shared memory.\n\nThe call copies the arguments and the values that they point to. Buffers among the arguments are kept alive until the launch has run, or by the graph that the launch is recorded into. The number and the sizes of the arguments are checked against the kernel's parameters if these are known, see gc_kernel_parameter_count(). On a CUDA device whose driver is for CUDA 12.4 or newer, the parameters are those of the image. With an older driver they are those that the module's description states for the host kernel of that name.\n\ngc_launch_config::attributes say how the kernel is launched beyond its shape. An attribute that is unknown, or cannot have its value, is GRAPHCAP_ERROR_INVALID_VALUE. A host device keeps the attributes with the node of a recorded launch, and runs the blocks as always: those of a cooperative launch must not wait for each other.\n\nParameters:\n  stream: the stream\n  kernel: a kernel of the same context\n  config: the shape of the launch, not NULL\n  arguments: one per parameter of the kernel; may be NULL when argument_count is 0\n  argument_count: the number of arguments\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the device cannot have that shape or that much shared memory, or the number of the arguments, or the size of one, does not match the kernel's parameters\n  GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster of the attributes does not divide the grid, or is too large\n  GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: the launch is cooperative and has more blocks than the device runs at once\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the objects belong to different contexts\n  GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: a CUDA device lacks resources for the launch, for example registers for that many threads in a block\n\nThe call releases the GIL."),
    (c"gc_context_memcpy", gc_context_memcpy, c"gc_context_memcpy(context, params, /)\n--\n\nCopies as GRAPHCAP_WORK_MEMCPY does on the legacy stream, and returns when the copy has run. The copy runs after the work of the legacy stream and of the blocking streams of the context. Captures of non-blocking streams are not harmed.\n\nIf another thread begins to capture a blocking stream during the call, the call may fail on a CUDA device while the copy stays queued. The message says so. Host memory must then stay valid until the program has waited for the legacy stream.\n\nParameters:\n  context: the context of the buffers\n  params: the copy, not NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: see GRAPHCAP_WORK_MEMCPY\n  GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer belongs to another context\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: a blocking stream of the context is being captured; the capture is invalidated, unless another thread began it during this call\n\nThe call releases the GIL."),
    (c"gc_context_memset", gc_context_memset, c"gc_context_memset(context, params, /)\n--\n\nSets rows as GRAPHCAP_WORK_MEMSET does on the legacy stream, and returns when the memset has run. The memset runs after the work of the legacy stream and of the blocking streams of the context. Captures of non-blocking streams are not harmed.\n\nParameters:\n  context: the context of the buffer\n  params: the rows, not NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: see GRAPHCAP_WORK_MEMSET\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer belongs to another context\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: a blocking stream of the context is being captured; the capture is invalidated, unless another thread began it during this call\n\nThe call releases the GIL."),
    (c"gc_stream_memcpy_batch", gc_stream_memcpy_batch, c"gc_stream_memcpy_batch(stream, params, count, /)\n--\n\nMakes several copies, as cuMemcpyBatchAsync does. All of them come after the earlier work of the stream and before its later work. In which order the copies run, and whether several run at once, is not stated, so no copy may write what another copy of the call reads or writes.\n\nEach copy works as work of GRAPHCAP_WORK_MEMCPY does, and may have several rows. Plain host memory must not change until the copies have run, unless GRAPHCAP_MEMCPY_SNAPSHOT is set. While the stream is captured each copy is recorded as a node of its own, which depends on the node before it, in the order of the copies.\n\nAll copies are checked before the first one is queued. If one of them is wrong, nothing is done, and failed_index_out is its index. If the device refuses a copy later, any of the others may be queued. If a capture is broken meanwhile, the copies before it are recorded.\n\nA CUDA device with a driver for CUDA 12.8 or newer queues the copies by one call of the driver. Queued one by one are copies of several rows, snapshots, copies on the legacy stream, copies of host memory on devices that do not take its addresses, and all copies with an older driver. A call with a source in pageable host memory may wait until the stream comes to the copies. A call that writes pageable host memory may return before that: synchronize the stream before the memory is read.\n\nParameters:\n  stream: the stream\n  params: the copies; may be NULL when count is 0\n  count: the number of copies; 0 has no effect\n\nReturns:\n  failed_index_out: the index of the first copy that failed; SIZE_MAX if the call succeeds, the failure is not that of one copy, or the driver does not tell of which it is; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: see GRAPHCAP_WORK_MEMCPY; a capture of the stream goes on\n  GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer belongs to a context other than the stream's\n  GRAPHCAP_ERROR_NOT_PERMITTED: a strict capture of the stream refuses plain host memory (GRAPHCAP_CAPTURE_STRICT)\n\nThe call releases the GIL."),
    (c"gc_stream_write_value32", gc_stream_write_value32, c"gc_stream_write_value32(stream, buffer, offset, value, flags, /)\n--\n\nWrites a value of 32 bits into a buffer when the earlier work of the stream has completed.\n\nThe write ends a wait for the value on any stream. Kernels and the CPU may see the value too. A recorded write is done at each replay.\n\nParameters:\n  stream: the stream\n  buffer: the buffer to write, waitable, of the same context\n  offset: the first byte written, counted from the start of the buffer; its address must be a multiple of 4\n  value: the value\n  flags: GRAPHCAP_WRITE_VALUE_DEFAULT or GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, value operations refuse the buffer, the value does not lie within it, or its address is not a multiple of 4\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support the write\n\nThe call releases the GIL."),
    (c"gc_stream_write_value64", gc_stream_write_value64, c"gc_stream_write_value64(stream, buffer, offset, value, flags, /)\n--\n\nWrites a value of 64 bits into a buffer when the earlier work of the stream has completed, as gc_stream_write_value32() does.\n\nParameters:\n  stream: the stream\n  buffer: the buffer to write, waitable, of the same context\n  offset: the first byte written, counted from the start of the buffer; its address must be a multiple of 8\n  value: the value\n  flags: GRAPHCAP_WRITE_VALUE_DEFAULT or GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, value operations refuse the buffer, the value does not lie within it, or its address is not a multiple of 8\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support the write\n\nThe call releases the GIL."),
    (c"gc_stream_wait_value32", gc_stream_wait_value32, c"gc_stream_wait_value32(stream, buffer, offset, value, flags, /)\n--\n\nMakes the later work of a stream wait until a value of 32 bits in a buffer meets the condition that flags state.\n\nThe value may be written by gc_stream_write_value32() on another stream, by kernels, copies and memsets, and by the CPU if it can reach the buffer. Other streams go on meanwhile; for a recorded wait, other branches of the replay go on too. A wait may miss a value that is there only for a moment. On a host device a wait takes no thread. It sees a value of a gc_ value write at once, and any other value within some milliseconds.\n\nA call that waits for the stream waits for the value too. Destroying the stream does not wait, see gc_stream_destroy().\n\nParameters:\n  stream: the stream\n  buffer: the buffer to read, waitable, of the same context\n  offset: the first byte read, counted from the start of the buffer; its address must be a multiple of 4\n  value: the value to compare the value in the buffer with\n  flags: GRAPHCAP_WAIT_VALUE_GEQ, _EQ, _AND or _NOR; GRAPHCAP_WAIT_VALUE_FLUSH may be combined with it by |\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the flags are unknown, value operations refuse the buffer, the value does not lie within it, or its address is not a multiple of 4\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support the wait or the flag GRAPHCAP_WAIT_VALUE_FLUSH\n\nThe call releases the GIL."),
    (c"gc_stream_wait_value64", gc_stream_wait_value64, c"gc_stream_wait_value64(stream, buffer, offset, value, flags, /)\n--\n\nMakes the later work of a stream wait until a value of 64 bits in a buffer meets a condition, as gc_stream_wait_value32() does.\n\nParameters:\n  stream: the stream\n  buffer: the buffer to read, waitable, of the same context\n  offset: the first byte read, counted from the start of the buffer; its address must be a multiple of 8\n  value: the value to compare the value in the buffer with\n  flags: GRAPHCAP_WAIT_VALUE_GEQ, _EQ, _AND or _NOR; GRAPHCAP_WAIT_VALUE_FLUSH may be combined with it by |\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the flags are unknown, value operations refuse the buffer, the value does not lie within it, or its address is not a multiple of 8\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support the wait or the flag GRAPHCAP_WAIT_VALUE_FLUSH\n\nThe call releases the GIL."),
    (c"gc_stream_batch_mem_op", gc_stream_batch_mem_op, c"gc_stream_batch_mem_op(stream, operations, count, flags, /)\n--\n\nDoes several value writes and value waits one after another, as one piece of work. Either all of them are queued or recorded, or none. Recorded, they are one node.\n\nEach operation works as the function for a single operation does. A wait therefore holds the operations behind it too.\n\nParameters:\n  stream: the stream\n  operations: the operations, in this order; may be NULL when count is 0\n  count: the number of operations, at most 255; 0 has no effect\n  flags: 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: value operations refuse a buffer, or an operation is not as gc_mem_op says\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the objects belong to different contexts\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support an operation or the flag GRAPHCAP_WAIT_VALUE_FLUSH\n\nThe call releases the GIL."),
    (c"gc_stream_flags", gc_stream_flags, c"gc_stream_flags(stream, /)\n--\n\nReturns the flags of a stream: the flags that it was made with, or, for a wrapped stream, the flags that the driver reports. Harms no capture.\n\nThe driver does not report the flags of a stream that is being captured. If a wrapped stream was being captured when it was wrapped, and is being captured now, the call returns GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED.\n\nParameters:\n  stream: the stream\n\nReturns:\n  flags_out: 0 or GRAPHCAP_STREAM_NON_BLOCKING\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the flags are not known, and the driver cannot be asked; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_stream_priority", gc_stream_priority, c"gc_stream_priority(stream, /)\n--\n\nReturns the priority of a stream, within the range of its context. Harms no capture. The priority of a default stream is 0 until gc_stream_set_attribute() or gc_stream_copy_attributes() changes it.\n\nParameters:\n  stream: the stream\n\nReturns:\n  priority_out: the priority; lower is more urgent\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the stream is the per-thread stream, its capture was broken before, and the driver does not return the priority\n\nThe call releases the GIL."),
    (c"gc_stream_get_attribute", gc_stream_get_attribute, c"gc_stream_get_attribute(stream, attribute, value_out, /)\n--\n\nReturns an attribute of a stream.\n\nA CUDA device returns the driver's value, also for attributes that this header does not know. A host device returns the value that was set, or the initial value of a GPU.\n\nParameters:\n  stream: the stream\n  attribute: one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers\n  value_out: the value; all 64 bytes are written, 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: streams have no such attribute\n\nThe call releases the GIL."),
    (c"gc_stream_set_attribute", gc_stream_set_attribute, c"gc_stream_set_attribute(stream, attribute, value, /)\n--\n\nSets an attribute of a stream for the work that is submitted from now on. A host device stores the value, and runs the stream as before.\n\nParameters:\n  stream: the stream\n  attribute: one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers\n  value: the value, not NULL; bytes that the attribute does not use are ignored\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: value is NULL, streams have no such attribute, or it cannot have that value\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture of the stream was broken before, and the driver does not set the attribute; a host device sets it\n\nThe call releases the GIL."),
    (c"gc_stream_copy_attributes", gc_stream_copy_attributes, c"gc_stream_copy_attributes(stream, source, /)\n--\n\nCopies the attributes of a stream to another stream. The driver determines which attributes are copied. A host device copies all attributes that it stores.\n\nParameters:\n  stream: the stream whose attributes are set\n  source: the stream whose attributes are read, of the same context\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the two streams belong to different contexts\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture of stream or source was broken before, and the driver does not copy the attributes; a host device copies them\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: stream or source is the legacy stream and a blocking stream is being captured; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_event_create", gc_event_create, c"gc_event_create(context, options, /)\n--\n\nMakes an event. It counts as complete until it is first recorded.\n\nParameters:\n  context: the context that the event belongs to\n  options: NULL for the defaults\n\nReturns:\n  event_out: the new event, owned by the caller until gc_event_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: GRAPHCAP_EVENT_INTERPROCESS comes without GRAPHCAP_EVENT_DISABLE_TIMING\n\nThe call releases the GIL."),
    (c"gc_event_destroy", gc_event_destroy, c"gc_event_destroy(event, /)\n--\n\nDestroys an event. Stream waits for the event that were submitted before stay in effect.\n\nParameters:\n  event: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_event_record", gc_event_record, c"gc_event_record(event, stream, flags, /)\n--\n\nRecords an event: the event marks the point that the stream has reached. The event forgets the point that it marked before.\n\nWhile the stream is captured the event marks a point in the capture: another stream that waits for it joins the capture, and the CPU cannot wait for it.\n\nWith GRAPHCAP_EVENT_RECORD_EXTERNAL, on a stream that is being captured, the record becomes a node of the graph. The call leaves the event as it is, and the event does not mark a point of the capture. Each launch of the graph records the event as this call does outside of captures, and the event is reached when the replay comes to the node. This measures times inside a graph, with gc_event_elapsed_time(), and lets other streams and the CPU wait for a part of a graph. The graph and the graph execs made from it keep the event.\n\nParameters:\n  event: the event\n  stream: a stream of any context on the event's device\n  flags: 0 or GRAPHCAP_EVENT_RECORD_EXTERNAL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_HANDLE: event and stream belong to two devices of one kind\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the event and the stream belong to devices of different kinds\n  GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_EVENT_RECORD_EXTERNAL is set, and the stream is in no capture\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured by a CUDA device, and the event was made with GRAPHCAP_EVENT_INTERPROCESS\n\nThe call releases the GIL."),
    (c"gc_event_is_complete", gc_event_is_complete, c"gc_event_is_complete(event, /)\n--\n\nReturns whether the point that the event marks was reached. Does not wait.\n\nParameters:\n  event: the event\n\nReturns:\n  complete_out: 1 if it was reached or the event was never recorded, else 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the event was last recorded in a capture that is over or invalid\n  GRAPHCAP_ERROR_CAPTURED_EVENT: the event was last recorded in a capture; the capture is invalidated\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from asking; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_event_synchronize", gc_event_synchronize, c"gc_event_synchronize(event, /)\n--\n\nWaits until the point that the event marks is reached. Returns at once if it was never recorded.\n\nParameters:\n  event: the event\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the event was last recorded in a capture that is over or invalid\n  GRAPHCAP_ERROR_CAPTURED_EVENT: the event was last recorded in a capture; the capture is invalidated\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from waiting; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_event_synchronize_for", gc_event_synchronize_for, c"gc_event_synchronize_for(event, nanoseconds, /)\n--\n\nWaits as gc_event_synchronize() does, but no longer than a given time. When that has passed, the message tells what goes on, as that of gc_stream_synchronize_for() does.\n\nThe rules of captures treat both calls alike. The driver of a CUDA device has no such wait, so graphcap polls it, less and less often the longer the wait takes. There, if the event is recorded again meanwhile, the call waits for the new record. If the new record is in a capture, the capture is left alone, and the event counts as not reached until the capture is over.\n\nParameters:\n  event: the event\n  nanoseconds: the longest time to wait; 0 checks once, UINT64_MAX waits for ever\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_TIMEOUT: the time passed before the point was reached; the work goes on\n  GRAPHCAP_ERROR_INVALID_VALUE: the event was last recorded in a capture that is over or invalid\n  GRAPHCAP_ERROR_CAPTURED_EVENT: the event was last recorded in a capture; the capture is invalidated\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from waiting; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_event_elapsed_time", gc_event_elapsed_time, c"gc_event_elapsed_time(start, end, /)\n--\n\nReturns the time between two events. Events that a graph records (GRAPHCAP_EVENT_RECORD_EXTERNAL) have times too.\n\nParameters:\n  start: the earlier event\n  end: the later event, of any context on the device of start\n\nReturns:\n  milliseconds_out: the time in milliseconds\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_READY: start or end was not reached yet\n  GRAPHCAP_ERROR_INVALID_HANDLE: start or end was never recorded, or was made with GRAPHCAP_EVENT_DISABLE_TIMING, or they belong to two devices of one kind\n  GRAPHCAP_ERROR_CAPTURED_EVENT: start or end was last recorded in a capture; the capture goes on\n  GRAPHCAP_ERROR_INVALID_VALUE: start or end was last recorded in a capture that is over or invalid\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the two events belong to devices of different kinds\n\nThe call releases the GIL."),
    (c"gc_event_ipc_handle", gc_event_ipc_handle, c"gc_event_ipc_handle(event, handle_out, /)\n--\n\nReturns the handle by which another process opens an event. The event must have been made with GRAPHCAP_EVENT_INTERPROCESS, and must live while others open it.\n\nParameters:\n  event: the event\n  handle_out: 64 bytes for the other process; all 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_HANDLE: the event was not made for other processes\n  GRAPHCAP_ERROR_INVALID_VALUE: the event was not made for other processes\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is a host device\n\nThe call releases the GIL."),
    (c"gc_event_open_ipc_handle", gc_event_open_ipc_handle, c"gc_event_open_ipc_handle(context, ipc_handle, /)\n--\n\nOpens an event of another process. Both processes can record it and wait for it. The event takes no time stamps.\n\nParameters:\n  context: a context on the same device\n  ipc_handle: the handle that gc_event_ipc_handle() returned in the other process; not NULL. The driver refuses a handle of the calling process\n\nReturns:\n  event_out: the new event, owned by the caller until gc_event_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_HANDLE: the bytes are not the handle of an event\n  GRAPHCAP_ERROR_INVALID_VALUE: ipc_handle or event_out is NULL\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is a host device\n\nThe call releases the GIL."),
    (c"gc_event_id", gc_event_id, c"gc_event_id(event, /)\n--\n\nReturns the number by which messages name an event. No other event of the process has it or had it.\n\nParameters:\n  event: the event\n\nReturns:\n  id_out: the number, at least 1\n\nThe call keeps the GIL."),
    (c"gc_stream_submit", gc_stream_submit, c"gc_stream_submit(stream, work, /)\n--\n\nSubmits work to a stream. It runs in the stream's order, or is recorded if the stream is being captured.\n\nEvery kind of work but GRAPHCAP_WORK_EMPTY and GRAPHCAP_WORK_MEM_ALLOC is work of a stream. GRAPHCAP_WORK_CHILD_GRAPH, a conditional by condition, and GRAPHCAP_WORK_SET_CONDITION need a stream that is being captured: they become nodes behind what the stream recorded last, and what it records next depends on them. This is short for gc_stream_capture_graph(), gc_stream_capture_frontier(), gc_graph_add_node() and gc_stream_update_capture_dependencies(), with their rules for threads and for captures that others began. Where the last of the four fails, the node is removed, unless the capture goes on: then it stays in the graph, and nothing waits for it.\n\nA capture into a body, or into the graph of a child node, puts such a node there when it ends, as it does all that it recorded: gc_node_get_graph() gives the graphs of the node from then on. The copy of a child is made at once.\n\nParameters:\n  stream: the stream\n  work: the work, not NULL; read and copied during the call\n\nReturns:\n  node_out: the node that was recorded; 0 where no capture goes on, and where the work is not one node that the stream goes on from, as a mark of an event or a copy of no bytes; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the work is none of a stream, or is wrong: see gc_work and its kind\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the work needs a capture, and the stream is in none\n  GRAPHCAP_ERROR_NOT_SUPPORTED: code outside graphcap began the capture that the work needs, or scripts are to be bodies in a capture into a body\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the work cannot be captured; the capture is broken\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture was broken before\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured: that capture is invalidated, but goes on where the work needs a capture\n  GRAPHCAP_ERROR_NOT_PERMITTED: the work needs a capture, and another thread began it on its per-thread stream\n\nThe call releases the GIL."),
    (c"gc_stream_capture_info", gc_stream_capture_info, c"gc_stream_capture_info(stream, info_out, /)\n--\n\nDescribes the capture that a stream is in: its status, its number, and the size of its graph so far.\n\nParameters:\n  stream: the stream\n  info_out: in: struct_size; out: the description\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_stream_capture_frontier", gc_stream_capture_frontier, c"gc_stream_capture_frontier(stream, /)\n--\n\nLists the nodes that the next work recorded on a stream will depend on. There are none before the first work of a capture, and none if the stream is not being captured or its capture was broken.\n\nParameters:\n  stream: the stream\n\nReturns:\n  nodes_out: where to write; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_stream_export_capture_dot", gc_stream_export_capture_dot, c"gc_stream_export_capture_dot(stream, flags, /)\n--\n\nWrites the graph that a stream's capture has recorded so far in Graphviz's DOT language, as gc_graph_export_dot() does, without the names of nodes and events and without what lies within child nodes and conditional nodes.\n\nParameters:\n  stream: a stream that is being captured\n  flags: 0 or GRAPHCAP_DOT_ flags\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_stream_update_capture_dependencies", gc_stream_update_capture_dependencies, c"gc_stream_update_capture_dependencies(stream, nodes, data, count, flags, /)\n--\n\nSets the nodes that the next work recorded on a stream depends on, and what the edges from them carry.\n\nWith GRAPHCAP_CAPTURE_DEPENDENCIES_SET and no nodes, the next work depends on nothing and starts a branch of its own. Nodes that GRAPHCAP_CAPTURE_DEPENDENCIES_SET takes away need not be joined before the end of the capture. Of a node that is listed twice the first entry counts. If the next work is no kernel, a host device makes edges that carry nothing. On a CUDA device a node may also be one that others added to the graph, by the name that gc_stream_capture_frontier() or gc_graph_get_nodes() lists.\n\nParameters:\n  stream: a stream that is being captured\n  nodes: nodes of the graph that is captured into; may be NULL when count is 0\n  data: what the edge from each node carries; NULL for nothing\n  count: the number of nodes\n  flags: GRAPHCAP_CAPTURE_DEPENDENCIES_ADD or GRAPHCAP_CAPTURE_DEPENDENCIES_SET\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: an edge cannot carry its data; the capture goes on as it was\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured\n  GRAPHCAP_ERROR_NOT_SUPPORTED: an edge is to carry something, and the driver is older than 12.3\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_stream_capture_violation", gc_stream_capture_violation, c"gc_stream_capture_violation(stream, /)\n--\n\nReports what broke the capture that a stream is in, or what went past it if it is strict. If the stream is in no capture, reports on the latest capture that was begun or ended on it.\n\nThe text names the call, its stream (by gc_stream_id()), its thread (by the operating system's number), the time since the capture began, the rule, and what to do instead. For work that was not joined it names the streams, and the events that forked them (by gc_event_id()). For a call outside graphcap it names the graphcap calls before and after it, and quotes the driver's log if the driver keeps one (CUDA 12.9). The message of each later failure of the capture holds the same text, which may be cut there.\n\nFor GRAPHCAP_VIOLATION_WORK_OUTSIDE the text names the first call by which work went past the capture, its stream, and how many calls followed. It is reported while nothing broke the capture, also after its end.\n\ngraphcap finds another violation when one of its own calls fails. A capture that was broken from outside can therefore be invalidated while this function still reports GRAPHCAP_VIOLATION_NONE. If the call that broke the capture runs on another thread and has not returned yet, this function reports GRAPHCAP_VIOLATION_OUTSIDE at first. A capture of a per-thread stream is reported to its own thread only.\n\nParameters:\n  stream: the stream\n\nReturns:\n  violation_out: one of the GRAPHCAP_VIOLATION_ numbers\n  text: what happened, in words; empty for GRAPHCAP_VIOLATION_NONE; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the text did not fit and was cut; violation_out was written\n\nThe call keeps the GIL."),
    (c"gc_thread_exchange_capture_mode", gc_thread_exchange_capture_mode, c"gc_thread_exchange_capture_mode(mode, /)\n--\n\nExchanges the capture mode of the calling thread. A second call with the mode that this call returned restores it.\n\ngc_capture_mode tells which unsafe calls captures bar. A thread that has to make an unsafe call beside captures, and knows that the call harms none of them, makes itself relaxed for the time of the call.\n\nThreads begin with GRAPHCAP_CAPTURE_MODE_GLOBAL. The mode applies to all devices. It is also CUDA's mode of the thread, as cuThreadExchangeStreamCaptureMode() and the CUDA runtime know it. The first gc_ call that needs the driver loads it. A thread that sets its mode before then passes the mode on to CUDA with its first gc_ call that the mode affects.\n\nParameters:\n  mode: in: one of the GRAPHCAP_CAPTURE_MODE_ numbers; out: the thread's mode before the call; unchanged on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: mode is NULL, or *mode is not a capture mode\n\nThe call releases the GIL."),
    (c"gc_stream_capture", gc_stream_capture, c"gc_stream_capture(stream, mode, options, function, user_data, destroy, /)\n--\n\nCaptures what a function submits to a stream: begins a capture, calls the function, and ends the capture in any case. A graph is made only if all of this succeeded.\n\nIf the function fails, this call returns the function's status, whatever state the capture is in by then. The message names that status, and the last call that failed inside the function. If the function succeeds although a call in it broke the capture, this call returns GRAPHCAP_ERROR_CAPTURE_INVALIDATED. The stream is usable again in any case.\n\nThe function has to end the captures that it begins itself. Beginning another capture of this stream inside it gives GRAPHCAP_ERROR_ILLEGAL_STATE. Captures of other streams can be nested, also with gc_stream_capture().\n\nParameters:\n  stream: the stream; not the legacy stream\n  mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers\n  options: NULL for the defaults: no pool, not strict, a new graph. Modules are kept while the capture goes on, and have no other effect\n  function: the function that submits; not NULL. It is not called if the capture cannot begin\n  user_data: passed to function and to destroy; may be NULL\n  destroy: called exactly once, on this thread and before this call returns, also when it fails; may be NULL\n\nReturns:\n  graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: function or graph_out is NULL, the mode or a flag is unknown, modules is NULL and module_count is not 0, or the struct_size of the options is not valid\n  GRAPHCAP_ERROR_INVALID_CONTEXT: a module, or the pool, belongs to a context other than the stream's\n  GRAPHCAP_ERROR_SEALED: the pool is sealed\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream\n  GRAPHCAP_ERROR_CALLBACK: the function is written in Rust and panicked\n  GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the function ended the capture itself\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: a call broke the capture\n  GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back\n\nThe call releases the GIL."),
    (c"gc_capture_begin", gc_capture_begin, c"gc_capture_begin(stream, mode, options, /)\n--\n\nBegins a capture of a stream, as gc_stream_begin_capture() does, and makes an object that owns it.\n\nThe object keeps the stream until the capture is over: gc_stream_destroy() does not discard this capture. A wrapped stream must live until then.\n\nWithout capture_out no object owns the capture, and modules have no effect: it is as one that gc_stream_begin_capture() began, with options.\n\n**A capture into a graph** (gc_capture_options::graph): nodes are part of the graph as soon as they are recorded, and the graph can be inspected and instantiated during the capture. The call that ends the capture returns another handle to the graph, which is destroyed on its own. A graph whose handles were all destroyed lives until the capture is over. While work is recorded, no other thread may use the graph on a CUDA device.\n\nA capture that fails destroys the graph that it goes into, as the driver does. It fails when the call that ends it reports so, or when the stream is destroyed and gc_stream_end_capture() would have failed. Every later call on the graph then answers GRAPHCAP_ERROR_INVALID_VALUE. Its handles must still be destroyed. Graph execs that were made from it still work. A whole capture that is aborted leaves in the graph what was recorded.\n\nA graph within a node, see gc_node_get_graph(), gets the recorded nodes when the capture ends. Until then no other call can change it, and its node cannot be removed. A capture that fails leaves such a graph as it was.\n\nParameters:\n  stream: the stream; not the legacy stream\n  mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers; GRAPHCAP_CAPTURE_MODE_GLOBAL if in doubt\n  options: NULL for the defaults: no modules, no pool, not strict, a new graph\n\nReturns:\n  capture_out: the capture, owned by the caller until gc_capture_destroy(); NULL on failure; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the mode or a flag is unknown, or one of the dependencies is no node of the graph\n  GRAPHCAP_ERROR_INVALID_CONTEXT: a module, the pool or the graph belongs to a context other than the stream's\n  GRAPHCAP_ERROR_SEALED: the pool is sealed\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already, or another capture goes into the graph\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream\n  GRAPHCAP_ERROR_NOT_SUPPORTED: there are a graph and a pool; or the capture goes into a graph, and the device is a CUDA device whose driver is older than 12.3, or the graph is within a node and the program knows the native handle of the stream, which is so of the per-thread stream of a CUDA device\n\nThe call releases the GIL."),
    (c"gc_capture_destroy", gc_capture_destroy, c"gc_capture_destroy(capture, /)\n--\n\nDestroys a capture object. If its capture goes on, ends the capture and discards what it recorded.\n\nA broken capture is ended too. The call may be made on any thread: in a mode other than relaxed the driver gives the graph only to the thread that began the capture, but it discards the capture on any thread. Nothing can be ended inside a host function; if the call is made there, another thread ends the capture soon. A capture of another thread's per-thread stream stays open, and that thread has to end it. The call waits for the calls of other threads, see \"What ends at once\".\n\nParameters:\n  capture: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_capture_record_kernel", gc_capture_record_kernel, c"gc_capture_record_kernel(capture, name, config, arguments, argument_count, /)\n--\n\nRecords a launch of a kernel that is found by its name in the modules that gc_capture_begin() was given.\n\nWrong arguments do not harm the capture. Unlike with gc_stream_launch_kernel(), that includes a shape that cannot be launched: graphcap checks it before the driver sees the launch, as far as the limits of the device and the kernel are known.\n\nParameters:\n  capture: the capture\n  name: the exact name, UTF-8; if several modules have a kernel of that name, the first module is used\n  config: the shape of the launch, not NULL\n  arguments: one per parameter of the kernel, as for gc_stream_launch_kernel(); the arguments and the values that they point to are copied, and the graph keeps the buffers\n  argument_count: the number of arguments\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: as for gc_stream_launch_kernel()\n  GRAPHCAP_ERROR_NOT_FOUND: no module of the capture has a kernel of that name\n  GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster of the attributes does not divide the grid, or is too large\n  GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: the launch is cooperative and has more blocks than the device runs at once\n  GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer belongs to another context\n  GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: the kernel cannot have that many threads in a block\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the capture is over\n  GRAPHCAP_ERROR_BUSY: another thread is using the capture\n  GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream\n\nThe call releases the GIL."),
    (c"gc_capture_record_memcpy", gc_capture_record_memcpy, c"gc_capture_record_memcpy(capture, params, /)\n--\n\nRecords a copy, as GRAPHCAP_WORK_MEMCPY does.\n\nParameters:\n  capture: the capture\n  params: the copy, not NULL; copied\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: see GRAPHCAP_WORK_MEMCPY\n  GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer belongs to another context\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the capture is over\n  GRAPHCAP_ERROR_BUSY: another thread is using the capture\n  GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream, or it is strict and the copy uses plain host memory\n\nThe call releases the GIL."),
    (c"gc_capture_record_memset", gc_capture_record_memset, c"gc_capture_record_memset(capture, buffer, offset, value, element_size, count, /)\n--\n\nRecords setting elements of a buffer to a value, as gc_stream_memset() does.\n\nParameters:\n  capture: the capture\n  buffer: the buffer to write, of the stream's context\n  offset: the first byte written, counted from the start of the buffer; its address must be a multiple of element_size\n  value: the value; bits that do not fit an element are ignored\n  element_size: 1, 2 or 4 bytes\n  count: the number of elements; 0 records nothing\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: element_size is not 1, 2 or 4, the first address is not a multiple of element_size, or the range does not lie within the buffer\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer belongs to another context\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the capture is over\n  GRAPHCAP_ERROR_BUSY: another thread is using the capture\n  GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream\n\nThe call releases the GIL."),
    (c"gc_capture_recorded_count", gc_capture_recorded_count, c"gc_capture_recorded_count(capture, /)\n--\n\nCounts the operations that were recorded through a capture object: the calls of gc_capture_record_ functions that succeeded and had something to record. Works also when the capture is over.\n\nWork that was submitted without this object, to the stream or to streams that joined, is in the graph but is not counted here. gc_graph_node_count() counts both.\n\nParameters:\n  capture: the capture\n\nReturns:\n  count_out: the number\n\nThe call keeps the GIL."),
    (c"gc_capture_is_active", gc_capture_is_active, c"gc_capture_is_active(capture, /)\n--\n\nReturns whether the capture of an object goes on and can be recorded into.\n\nParameters:\n  capture: the capture\n\nReturns:\n  active_out: 1 while it does; 0 when it was broken or is over. It does not matter what ended it: this object, gc_stream_end_capture(), also on the wrong thread, or the destruction of its stream\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream\n\nThe call releases the GIL."),
    (c"gc_capture_end", gc_capture_end, c"gc_capture_end(capture, /)\n--\n\nEnds a capture and returns the graph that it recorded. On one stream n operations are n nodes and n - 1 edges.\n\nAfter GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_INVALID_VALUE, GRAPHCAP_ERROR_BUSY and GRAPHCAP_ERROR_NOT_PERMITTED the capture goes on. In a guarded context it also goes on after GRAPHCAP_ERROR_CAPTURE_UNJOINED and GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD; gc_capture_abort() discards it. After every other answer the stream is usable again. The object stays until gc_capture_destroy().\n\nParameters:\n  capture: the capture\n\nReturns:\n  graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the capture was ended or aborted before, through this object or through its stream. A later capture of the stream goes on\n  GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back\n  GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: another thread began the capture, in a mode other than relaxed; the capture is gone\n  GRAPHCAP_ERROR_BUSY: another thread is using the capture\n  GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream\n\nThe call releases the GIL."),
    (c"gc_capture_abort", gc_capture_abort, c"gc_capture_abort(capture, /)\n--\n\nEnds a capture and discards what was recorded. It succeeds also if the capture was broken, if work was not joined, or if another thread began the capture.\n\nParameters:\n  capture: the capture\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the capture was ended or aborted before, through this object or through its stream\n  GRAPHCAP_ERROR_BUSY: another thread is using the capture\n  GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream\n\nThe call releases the GIL."),
    (c"gc_capture_record", gc_capture_record, c"gc_capture_record(capture, work, /)\n--\n\nRecords work in a capture, as gc_stream_submit() does on its stream.\n\nMarks of events and waits for them are no operations of the graph: gc_capture_recorded_count() does not count them. Nor does it count a copy of no bytes, a memset, product or fill of no elements, and a list of no value operations. A shape that cannot be launched is refused before it breaks the capture.\n\nParameters:\n  capture: the capture\n  work: the work, not NULL; read and copied during the call. Its name is NULL: name a node with gc_stream_submit(), or afterwards\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: as gc_stream_submit() says, or work has a name\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the work cannot be captured; the capture is broken\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the capture is over\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture was broken before\n  GRAPHCAP_ERROR_BUSY: another thread is using the capture\n  GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream\n\nThe call releases the GIL."),
    (c"gc_stream_capture_graph", gc_stream_capture_graph, c"gc_stream_capture_graph(stream, /)\n--\n\nReturns the graph that a stream's capture goes into, while the capture goes on.\n\nThe graph can be looked at, instantiated, and edited: nodes and edges can be added to it, and conditions made. Nothing can be taken away from it until the capture is over. What the stream records next depends on an added node only after gc_stream_update_capture_dependencies(). Added nodes need not be joined before the end of the capture. From this call on the capture is as one of gc_stream_begin_capture_to_graph(): gc_stream_end_capture() returns another handle to the graph, a capture that fails destroys the graph, and every later call on it then answers GRAPHCAP_ERROR_INVALID_VALUE.\n\nOf a capture into a body or the graph of a child node this is that graph. Nothing can be added to it before the end of the capture, which puts the recorded nodes into it: calls that would change it return GRAPHCAP_ERROR_ILLEGAL_STATE.\n\nAll streams of one capture give the same graph, which belongs to the context of the stream that the capture was begun on. Other calls return other handles to it. Where that stream is a per-thread stream, only the thread that began the capture can ask for the graph, on whichever of the capture's streams. On a CUDA device no other thread may use the graph while work is recorded.\n\nParameters:\n  stream: a stream that is being captured\n\nReturns:\n  graph_out: the graph, owned by the caller until gc_graph_destroy(); NULL on failure. A graph whose handles were all destroyed lives until the capture is over\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on\n  GRAPHCAP_ERROR_INVALID_CONTEXT: code outside graphcap began the capture, into a gc_graph of another context than that of the stream that it was begun on\n  GRAPHCAP_ERROR_NOT_SUPPORTED: code outside graphcap began the capture; gc_stream_capture_info() has the native graph\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory; the capture goes on\n  GRAPHCAP_ERROR_NOT_PERMITTED: another thread began the capture on its per-thread stream\n\nThe call releases the GIL."),
    (c"gc_stream_set_condition", gc_stream_set_condition, c"gc_stream_set_condition(stream, condition, buffer, offset, /)\n--\n\nRecords that a condition is set to the 4 bytes at an offset of a buffer, as they are when the launch comes to it. It may be recorded anywhere in the graph of the condition: ahead of the conditional node, in a body of it, and in the bodies of nodes within it. A while is decided anew by what its body sets last. See GRAPHCAP_WORK_SET_CONDITION for all else.\n\nIn a capture into a body, or into the graph of a child node, the call is recorded as a kernel launch is. Elsewhere rules for threads, and what a call that fails leaves, are as for gc_stream_submit().\n\nParameters:\n  stream: a stream that is being captured\n  condition: a condition of the graph that gc_stream_capture_graph() gives, or of the outermost graph of a body\n  buffer: the buffer with the value, of a context on a device of the kind of the graph; the graph keeps it alive\n  offset: the first byte of the value; its address must be a multiple of 4\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: condition is none of the graph, the value does not lie within the buffer, or its address is not a multiple of 4\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer belongs to a device of another kind; or as gc_stream_capture_graph()\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on\n  GRAPHCAP_ERROR_NOT_SUPPORTED: code outside graphcap began the capture\n  GRAPHCAP_ERROR_NOT_PERMITTED: another thread began the capture on its per-thread stream\n\nThe call releases the GIL."),
    (c"gc_graph_create", gc_graph_create, c"gc_graph_create(context, /)\n--\n\nMakes a graph without nodes. Add nodes to it, or capture into it.\n\nParameters:\n  context: the context that the graph belongs to\n\nReturns:\n  graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure\n\nThe call releases the GIL."),
    (c"gc_graph_destroy", gc_graph_destroy, c"gc_graph_destroy(graph, /)\n--\n\nDestroys a graph. Graph execs made from it are not affected. The destroy of a graph that was wrapped as borrowed waits, a second at most, for calls of other threads that may see it.\n\nParameters:\n  graph: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_graph_node_count", gc_graph_node_count, c"gc_graph_node_count(graph, /)\n--\n\nCounts the nodes of a graph.\n\nParameters:\n  graph: the graph\n\nReturns:\n  count_out: the number of nodes\n\nThe call releases the GIL."),
    (c"gc_graph_edge_count", gc_graph_edge_count, c"gc_graph_edge_count(graph, /)\n--\n\nCounts the edges of a graph.\n\nParameters:\n  graph: the graph\n\nReturns:\n  count_out: the number of edges\n\nThe call releases the GIL."),
    (c"gc_graph_get_nodes", gc_graph_get_nodes, c"gc_graph_get_nodes(graph, /)\n--\n\nLists the nodes of a graph, in the order in which they were made.\n\nParameters:\n  graph: the graph\n\nReturns:\n  nodes_out: where to write; may be NULL when capacity is 0\n\nThe call releases the GIL."),
    (c"gc_graph_export_dot", gc_graph_export_dot, c"gc_graph_export_dot(graph, flags, /)\n--\n\nWrites a graph in Graphviz's DOT language.\n\nEach node is a box with its number, in the order in which the nodes were made, its name if it was given one, and its kind or the name of its kernel. Conditional nodes have if, while or switch below. The flags, whose numbers are those of CUgraphDebugDot_flags, add lines to the boxes. Objects are called by the names that gc_set_name() gave them, or else by their kind and place, as \"buffer 0\". The graph of a child node and the bodies of a conditional node are clusters. On a CUDA device the names of kernels that others recorded need a driver for 12.3 or newer.\n\nParameters:\n  graph: the graph\n  flags: 0 or GRAPHCAP_DOT_ flags\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, or the graph was lost when a capture into it failed\n  GRAPHCAP_ERROR_NOT_SUPPORTED: graphs lie within each other more than 16 deep\n\nThe call releases the GIL."),
    (c"gc_graph_instantiate", gc_graph_instantiate, c"gc_graph_instantiate(graph, options, /)\n--\n\nMakes a graph exec from the current state of a graph. It can be launched any number of times.\n\nA graph with allocations, or with conditions, has one graph exec at a time.\n\nGRAPHCAP_INSTANTIATE_DEVICE_LAUNCH needs a CUDA device, and a graph of kernels, memsets, copies of device and pinned memory, and child graphs of these. It excludes GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH.\n\nGRAPHCAP_INSTANTIATE_WATCH makes the exec of a copy of the graph, and excludes GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH. GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS needs it. gc_graph_exec_progress() knows the nodes by the names that they have in the graph.\n\nGRAPHCAP_INSTANTIATE_SHAPE on a CUDA device: the driver's graph has the two kernels until the exec is made, and again during each update by it, so nobody may use its CUgraph meanwhile.\n\nIf the graph cannot be launched, the message tells why, and names the node where one is the cause: edges form a cycle, a node is of a kind that conditional bodies or launches from the device do not have, a node is of another context, or a condition has no node. On a CUDA device it also has the driver's result (CUgraphInstantiateResult).\n\nParameters:\n  graph: the graph\n  options: NULL for the defaults\n\nReturns:\n  exec_out: the new graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: two flags exclude each other, or the graph cannot be launched: as one whose child graphs share memory of a pool and are not ordered, or one of whose memory is gone that GRAPHCAP_CAPTURE_NOTE_MEMORY noted\n  GRAPHCAP_ERROR_INVALID_CONTEXT: upload_stream and the graph are of devices of different kinds\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the graph is that of a node, it has an exec and can have only one, a flag asks for launches from a host device, GRAPHCAP_INSTANTIATE_WATCH is given for a graph with allocations or nodes that kernels can change, or on a CUDA device with conditions, or GRAPHCAP_INSTANTIATE_SHAPE on a CUDA device for one with allocations, or turn_limit is not 0 on a CUDA device; on a CUDA device also what gc_node_set_grid_scalar() says\n  GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_INSTANTIATE_SHAPE is given on a CUDA device while a capture goes into the graph\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from instantiating, or the stream of the upload is being captured; the capture is invalidated\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the upload is on the legacy stream and a blocking stream is being captured; that capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_node_kind", gc_node_kind, c"gc_node_kind(graph, node, /)\n--\n\nReturns what kind of work a node does. Captured and added nodes, and nodes that others added, have kinds alike.\n\nParameters:\n  graph: the graph\n  node: one of its nodes\n\nReturns:\n  kind_out: one of the GRAPHCAP_NODE_ numbers, which are those of CUgraphNodeType\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph\n\nThe call releases the GIL."),
    (c"gc_node_get_dependencies", gc_node_get_dependencies, c"gc_node_get_dependencies(graph, node, /)\n--\n\nLists the nodes that a node waits for, in the order in which they were made.\n\nParameters:\n  graph: the graph\n  node: one of its nodes\n\nReturns:\n  nodes_out: where to write; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph\n  GRAPHCAP_ERROR_LOSSY_QUERY: capacity is not 0, and an edge to the node carries data; gc_graph_get_edges() lists it\n\nThe call releases the GIL."),
    (c"gc_node_get_dependents", gc_node_get_dependents, c"gc_node_get_dependents(graph, node, /)\n--\n\nLists the nodes that wait for a node, in the order in which they were made.\n\nParameters:\n  graph: the graph\n  node: one of its nodes\n\nReturns:\n  nodes_out: where to write; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph\n  GRAPHCAP_ERROR_LOSSY_QUERY: capacity is not 0, and an edge from the node carries data; gc_graph_get_edges() lists it\n\nThe call releases the GIL."),
    (c"gc_graph_get_roots", gc_graph_get_roots, c"gc_graph_get_roots(graph, /)\n--\n\nLists the nodes of a graph that wait for no other node, in the order in which they were made.\n\nParameters:\n  graph: the graph\n\nReturns:\n  nodes_out: where to write; may be NULL when capacity is 0\n\nThe call releases the GIL."),
    (c"gc_graph_get_order", gc_graph_get_order, c"gc_graph_get_order(graph, /)\n--\n\nLists the nodes of a graph so that each node comes after the nodes that it waits for. Of the nodes that can come next, the one that was made first comes first, so the order is always that of a graph with the same nodes and edges.\n\nParameters:\n  graph: the graph\n\nReturns:\n  nodes_out: where to write; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle\n\nThe call releases the GIL."),
    (c"gc_node_get_graph", gc_node_get_graph, c"gc_node_get_graph(graph, node, index, /)\n--\n\nReturns the graph that a child node runs, or a body of a conditional node. The graph can be looked at, edited and captured into like other graphs, for execs that are made later. It cannot be instantiated or become a child node; a clone of the graph of a child node can. The body of a conditional node cannot be cloned.\n\nParameters:\n  graph: the graph that has the node\n  node: a child node, or a conditional node\n  index: 0 for a child node; the index of the body for a conditional node\n\nReturns:\n  graph_out: a handle of the graph, owned by the caller until gc_graph_destroy(); NULL on failure. When the node is removed, or the outermost graph destroyed, functions return GRAPHCAP_ERROR_INVALID_HANDLE for it\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph or has no graph, or there is no body of that index\n\nThe call releases the GIL."),
    (c"gc_node_get_containing_graph", gc_node_get_containing_graph, c"gc_node_get_containing_graph(graph, node, /)\n--\n\nReturns the graph that has a node: a graph, or one that lies within its nodes, at any depth.\n\nParameters:\n  graph: the graph to search\n  node: a node of the graph, or of a graph within it\n\nReturns:\n  graph_out: a handle of the graph that has the node, owned by the caller until gc_graph_destroy(); NULL on failure. One of a graph within a node is as gc_node_get_graph() gives it\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph or of one within it\n\nThe call releases the GIL."),
    (c"gc_node_get_kernel_params", gc_node_get_kernel_params, c"gc_node_get_kernel_params(graph, node, params_out, /)\n--\n\nReturns the shape of a kernel node and how many arguments it has.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a kernel node\n  params_out: the struct to fill\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no kernel node of the graph\n\nThe call releases the GIL."),
    (c"gc_node_get_argument", gc_node_get_argument, c"gc_node_get_argument(graph, node, index, /)\n--\n\nCopies the bytes of an argument of a kernel node. gc_context_find_buffer() tells which buffer an address among them is in.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a kernel node\n  index: the number of the argument, from 0\n\nReturns:\n  bytes_out: where to write; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph, or it has no such argument\n\nThe call releases the GIL."),
    (c"gc_node_kernel_name", gc_node_kernel_name, c"gc_node_kernel_name(graph, node, /)\n--\n\nCopies the name of the kernel that a node launches, also if the node has a name of its own: gc_node_get_name() copies that. On a CUDA device the call needs a driver for 12.3 or newer, except for kernels that were found through graphcap. The text is empty if the driver does not tell the name.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a kernel node\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph\n\nThe call releases the GIL."),
    (c"gc_node_get_kernel", gc_node_get_kernel, c"gc_node_get_kernel(graph, node, /)\n--\n\nReturns the kernel that a node launches.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a kernel node\n\nReturns:\n  kernel_out: a handle of the kernel, owned by the caller until gc_kernel_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph\n  GRAPHCAP_ERROR_NOT_FOUND: the kernel was not found through graphcap\n\nThe call releases the GIL."),
    (c"gc_node_get_memcpy_params", gc_node_get_memcpy_params, c"gc_node_get_memcpy_params(graph, node, params_out, /)\n--\n\nReturns what a copy node copies. gc_context_find_buffer() tells which buffers the addresses are in.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a copy node\n  params_out: the struct to fill\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the node copies from or to an array\n\nThe call releases the GIL."),
    (c"gc_node_get_memset_params", gc_node_get_memset_params, c"gc_node_get_memset_params(graph, node, params_out, /)\n--\n\nReturns what a memset node sets. gc_context_find_buffer() tells which buffer the address is in.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a memset node\n  params_out: the struct to fill\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no memset node of the graph\n\nThe call releases the GIL."),
    (c"gc_node_get_mem_op_params", gc_node_get_mem_op_params, c"gc_node_get_mem_op_params(graph, node, index, params_out, /)\n--\n\nReturns one of the value operations of a node. gc_context_find_buffer() tells which buffer the address is in.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, of value operations\n  index: the number of the operation, from 0\n  params_out: the struct to fill\n\nReturns:\n  count_out: the number of operations of the node; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the node has an operation that graphcap does not know\n\nThe call releases the GIL."),
    (c"gc_node_get_event", gc_node_get_event, c"gc_node_get_event(graph, node, /)\n--\n\nReturns the event that a node records or waits for.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, an event record node or an event wait node\n\nReturns:\n  event_out: a handle of the event, owned by the caller until gc_event_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the event is none of graphcap's\n  GRAPHCAP_ERROR_NOT_FOUND: others changed the node, so that the graph does not keep its event\n\nThe call releases the GIL."),
    (c"gc_context_find_buffer", gc_context_find_buffer, c"gc_context_find_buffer(context, address, /)\n--\n\nFinds the live buffer or host buffer that an address is in. Buffers of other contexts are found once work of this context has used them. A host buffer is found by the CPU's address and by the device's. Of overlapping buffers, the one that starts latest is found, and of these the one made latest. An address one past the last byte is found too, unless another buffer begins there.\n\nParameters:\n  context: the context\n  address: the address\n\nReturns:\n  buffer_out: a handle of the buffer, owned by the caller until gc_buffer_destroy(); NULL on failure, and for a host buffer\n  host_buffer_out: a handle of the host buffer, owned by the caller until gc_host_buffer_destroy(); NULL on failure, and for a buffer\n  offset_out: the address as bytes from the start of the buffer; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_FOUND: no buffer is at the address\n\nThe call releases the GIL."),
    (c"gc_node_get_host_params", gc_node_get_host_params, c"gc_node_get_host_params(graph, node, params_out, /)\n--\n\nReturns the function that a host node calls, with its user data, as they were given to gc_graph_add_host_node(), gc_node_set_host(), gc_stream_launch_host_func(), gc_capture_record_host_func() or gc_graph_import_json(). For a callable of C++ that the node owns, they are graphcap.hpp's.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a host node\n  params_out: the struct to fill\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no host node of the graph\n\nThe call releases the GIL."),
    (c"gc_graph_unresolved_pointers", gc_graph_unresolved_pointers, c"gc_graph_unresolved_pointers(graph, /)\n--\n\nLists the device pointers in the arguments of a graph's kernel nodes that lie in memory of others: in no buffer that graphcap knows, and in no allocation of the graph's nodes. No graph and no graph exec keeps that memory. The caller keeps it until the last replay, or wraps it: gc_buffer_wrap().\n\nEach aligned word of 8 bytes counts that the driver knows as an address when the function is called: a value can look like one, and memory that was freed has none, so ask right after the capture. Pointers that lie in memory are not found. The graphs of nodes are asked on their own. Host devices list nothing. docs/what-a-graph-keeps.md tells what a graph keeps of work of others.\n\nParameters:\n  graph: the graph\n\nReturns:\n  pointers_out: where to write the pointers, in the order of gc_graph_get_nodes(), parameters and offsets; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the driver does not tell the arguments of a kernel node; drivers since CUDA 12.4 do\n\nThe call releases the GIL."),
    (c"gc_graph_export_json", gc_graph_export_json, c"gc_graph_export_json(graph, /)\n--\n\nWrites a graph as JSON: its nodes with everything that they do, its edges, the graphs and bodies within nodes, the conditions, and the names of the objects that nodes use. gc_graph_import_json() makes a graph of the text.\n\ndocs/graph.schema.json describes the format. Numbers of 64 bits are texts. An address is a buffer and an offset. The same graph gives the same text; objects without a name are called by their kind and place, as \"buffer 0\". What the memory holds is not written, except for the bytes of snapshots. Captured nodes tell the stream that recorded them, as GRAPHCAP_DOT_EXTRA_TOPO_INFO shows it. On a CUDA device a condition is a small number; where a kernel of the program's takes one, the text has that number.\n\nParameters:\n  graph: the graph\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the graph was lost when a capture into it failed\n  GRAPHCAP_ERROR_NOT_SUPPORTED: graphs lie within each other more than 16 deep\n\nThe call releases the GIL."),
    (c"gc_graph_import_json", gc_graph_import_json, c"gc_graph_import_json(context, json, size, bindings, binding_count, /)\n--\n\nMakes a graph of the text that gc_graph_export_json() wrote, perhaps in another process.\n\nThe bindings give the buffers, host buffers, host memory, kernels, events and host functions that the text has names for. An object that is named in the text and used by a node must be bound; other bindings are ignored. A binding of GRAPHCAP_BINDING_GRAPH takes what nothing else is bound to, but plain host memory, from a graph of the process: the graph that wrote the text, or one with objects of the same names. No node of that graph may be changed meanwhile. Memory must be at least as large as that of the text. The kernel of nodes that set a condition from memory needs no binding. The graph keeps alive what it uses, except for host memory, which the caller keeps. Nodes have the names that they have in the text.\n\nGRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_PROCESS, NULL, NULL) takes what is still left from the named objects of the process that belong to context and whose handles are not destroyed. docs/graph-texts.md tells what is found. The call holds all named objects while it runs, so that registered host memory may stay pinned until it returns.\n\nThe text may come from anywhere. Its nodes use nothing but what was bound, what a bound graph uses, and on request what has its names in the process. An argument that holds an address of the process is refused unless the text says which memory it is of. What kernels make of the numbers in a text, graphcap does not know.\n\nParameters:\n  context: the context that the graph is to belong to\n  json: the text, UTF-8; it need not end with a NUL\n  size: bytes at json, at most 67108864\n  bindings: what is bound; may be NULL when binding_count is 0. The user data of all host functions goes to graphcap in any case, unless the array is NULL, has too many elements, or has elements of sizes that cannot be or with members that this version does not have\n  binding_count: the number of bindings, at most 1048576\n\nReturns:\n  graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the text is no text of a graph, or says what a node cannot do: the message tells the place, by line and column or as graph.nodes[3].arguments[1]. Or two bindings have one name, or two are graphs or the process; objects of the process have a name of the text, and none fits or several do; a member is not NULL that the kind does not use; what is bound is of another kind, or smaller than what the text uses of it\n  GRAPHCAP_ERROR_NOT_FOUND: nothing is bound to a name that a node uses\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the text has nodes that are not read back: kernels that set the condition of a node in the body of a later node, and nodes or arguments that graphcap could not read; or graphs lie within each other more than 16 deep; or the device cannot do the work\n  GRAPHCAP_ERROR_INVALID_CONTEXT: an object that is used belongs to a device of another kind, or objects of the process that have a name of the text belong to other contexts\n\nThe call releases the GIL."),
    (c"gc_graph_diff", gc_graph_diff, c"gc_graph_diff(graph, other, /)\n--\n\nWrites what two graphs differ in, as text for people: a line for each difference, and the empty text if there is none. A line begins with - for what the first graph alone has, with + for what the second one alone has, and with ~ for what differs in two nodes that are paired. docs/graph-texts.md tells how nodes are paired: as gc_graph_exec_update() pairs them, and where that tells of more differences, by what they do. So two graphs of the same branches do not differ, in whatever order the branches were recorded, although an update may exchange them or refuse.\n\nThe graphs of child nodes and the bodies of conditional nodes are compared in the same way. The stream that recorded a node is not compared. Kernels, and memory and events with a name, are compared by their names, other memory by its address, snapshots by their bytes. Other events, and host functions, are the same only where they come from the same call: in a graph and its clone, and not in two graphs that were built alike. The graphs may belong to different contexts.\n\nParameters:\n  graph: the first graph\n  other: the second graph\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the edges of one of the graphs form a cycle\n  GRAPHCAP_ERROR_NOT_SUPPORTED: graphs lie within each other more than 16 deep\n\nThe call releases the GIL."),
    (c"gc_graph_wrap", gc_graph_wrap, c"gc_graph_wrap(context, native, ownership, /)\n--\n\nMakes a handle for a graph that others made, as PyTorch or a library; a second one if it has one. docs/devices.md tells what can be done with it.\n\nAn address without memory is refused, and a destroyed graph as far as the driver tells. Any other value that is no graph, a graph of a node, and use of the graph by others during a gc_ call on it are undefined behaviour.\n\nParameters:\n  context: a context on its device\n  native: the CUgraph\n  ownership: one of the GRAPHCAP_OWNERSHIP_ numbers\n\nReturns:\n  graph_out: a handle owned by the caller until gc_graph_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: native is no graph\n  GRAPHCAP_ERROR_INVALID_CONTEXT: it has a handle of another context\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device\n\nThe call releases the GIL."),
    (c"gc_graph_exec_wrap", gc_graph_exec_wrap, c"gc_graph_exec_wrap(context, native, ownership, graph, /)\n--\n\nMakes a handle for a graph exec that others made, by the rules of gc_graph_wrap().\n\nParameters:\n  context: a context on its device\n  native: the CUgraphExec\n  ownership: one of the GRAPHCAP_OWNERSHIP_ numbers\n  graph: the graph that it was made of, unchanged since; NULL for an exec whose nodes are not set\n\nReturns:\n  exec_out: a handle owned by the caller until gc_graph_exec_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: native is no graph exec, or graph is that of a node\n  GRAPHCAP_ERROR_INVALID_CONTEXT: graph is of another context, or the exec has a handle of another one\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device\n\nThe call releases the GIL."),
    (c"gc_graph_launch", gc_graph_launch, c"gc_graph_launch(exec, stream, /)\n--\n\nLaunches a graph exec once. The launch is called a replay. It runs in the stream's order, asynchronously to the caller. The stream may be of any context on a device of the same kind. What the nodes use stays until the replay is complete, whichever context it belongs to.\n\nParameters:\n  exec: the graph exec\n  stream: a stream of a context on a device of the same kind\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the graph allocates memory that an earlier launch left allocated, or frees memory that is not allocated\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the graph exec and the stream belong to devices of different kinds\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured and the device cannot record the launch of a graph; the capture is invalidated\n  GRAPHCAP_ERROR_BUSY: the graph exec shares memory (GRAPHCAP_POOL_SHARED) or random numbers with other graph execs; the latest launch of these was on another stream, has no event behind it, and that stream is being captured by now\n\nThe call releases the GIL."),
    (c"gc_graph_upload", gc_graph_upload, c"gc_graph_upload(exec, stream, /)\n--\n\nPrepares a graph exec for its first launch, which is faster then. The first upload that succeeds prepares the graph exec. Later uploads have no effect, even on a stream that is being captured. An upload that failed can be tried again.\n\nA CUDA device leaves the upload to the first launch while a launch of an earlier exec has left memory of the graph allocated, and if a node other than a kernel waits for a GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.\n\nParameters:\n  exec: the graph exec\n  stream: a stream of a context on a device of the same kind; the upload runs in its order\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the graph exec and the stream belong to devices of different kinds\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured; the capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_graph_exec_num_replays", gc_graph_exec_num_replays, c"gc_graph_exec_num_replays(exec, /)\n--\n\nCounts the launches of a graph exec that succeeded, whether they have run yet or not.\n\nParameters:\n  exec: the graph exec\n\nReturns:\n  count_out: the number of launches\n\nThe call keeps the GIL."),
    (c"gc_graph_exec_is_uploaded", gc_graph_exec_is_uploaded, c"gc_graph_exec_is_uploaded(exec, /)\n--\n\nReturns whether an upload of a graph exec succeeded.\n\nParameters:\n  exec: the graph exec\n\nReturns:\n  uploaded_out: 1 if an upload succeeded, else 0\n\nThe call keeps the GIL."),
    (c"gc_graph_exec_get_info", gc_graph_exec_get_info, c"gc_graph_exec_get_info(exec, info_out, /)\n--\n\nDescribes a graph exec. The call may be made inside callbacks.\n\nParameters:\n  exec: the graph exec\n  info_out: in: struct_size; out: the description\n\nThe call keeps the GIL."),
    (c"gc_graph_exec_destroy", gc_graph_exec_destroy, c"gc_graph_exec_destroy(exec, /)\n--\n\nDestroys a graph exec. Queued launches still run, and are not waited for. Memory that only this graph exec kept alive is freed when the launches have completed, as gc_buffer_destroy() describes. The destroy of a graph exec that was wrapped as borrowed waits, a second at most, for calls of other threads that may see it.\n\nParameters:\n  exec: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_stream_end_capture_exec", gc_stream_end_capture_exec, c"gc_stream_end_capture_exec(stream, options, /)\n--\n\nEnds the capture of a stream and makes a graph exec of what was recorded: gc_stream_end_capture(), gc_graph_instantiate() and gc_graph_destroy() in one call. The graph exec remembers the stream, and gc_graph_relaunch() launches it there. It does not keep the stream alive.\n\nThe capture is over as it is after gc_stream_end_capture(). Where that succeeds and no graph exec can be made, the graph is destroyed. The options are checked first; where they are not valid, the capture goes on.\n\nCalls that change a graph exec, as gc_graph_exec_set_kernel_node(), need its graph: a program that makes them calls the three functions itself.\n\nParameters:\n  stream: the stream that the capture was begun on\n  options: how to make the graph exec; NULL for the defaults\n\nReturns:\n  exec_out: the new graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: as gc_graph_instantiate() has it\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured\n  GRAPHCAP_ERROR_INVALID_CONTEXT: upload_stream is of a device of another kind; or as gc_stream_end_capture() has it\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: an earlier call broke the capture\n  GRAPHCAP_ERROR_CAPTURE_UNMATCHED: as gc_stream_end_capture() has it\n  GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back\n  GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: another thread began the capture, in a mode other than relaxed\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: as gc_stream_end_capture() and gc_graph_instantiate() have it\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: another capture bars this thread from instantiating, or the stream of the upload is being captured; that capture is invalidated\n  GRAPHCAP_ERROR_NOT_SUPPORTED: as gc_graph_instantiate() has it\n\nThe call releases the GIL."),
    (c"gc_graph_relaunch", gc_graph_relaunch, c"gc_graph_relaunch(exec, /)\n--\n\nLaunches a graph exec once on the stream that it remembers, as gc_graph_launch() does. gc_stream_end_capture_exec() makes graph execs that remember a stream.\n\nParameters:\n  exec: the graph exec\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the graph exec remembers no stream, or the stream was destroyed\n  GRAPHCAP_ERROR_INVALID_VALUE: the graph allocates memory that an earlier launch left allocated, or frees memory that is not allocated\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture is invalidated\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured; the capture is invalidated\n  GRAPHCAP_ERROR_BUSY: as gc_graph_launch() has it\n\nThe call releases the GIL."),
    (c"gc_graph_exec_progress", gc_graph_exec_progress, c"gc_graph_exec_progress(exec, progress_out, /)\n--\n\nTells how far the launches of a graph exec are that was made with GRAPHCAP_INSTANTIATE_WATCH: in numbers, and in words. The text names the nodes that could run and have not completed, those that wait for them, and those that have completed, each by its number, its kind, and its name or that of its kernel.\n\nThe call reads memory of the host, or asks about events, and waits for nothing, so a thread can make it while a launch hangs. A node of a child graph or of a body is not in the lists: the node that it is within has not completed. On the host device the text tells the conditional nodes that the launch is within, also those in child graphs: the body that runs, its turn in a loop, and the node of the body.\n\nParameters:\n  exec: the graph exec\n  progress_out: in: struct_size; out: how far it is; empty on failure\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the text was cut to fit; progress_out is empty\n  GRAPHCAP_ERROR_NOT_FOUND: the graph exec was made without GRAPHCAP_INSTANTIATE_WATCH\n\nThe call releases the GIL."),
    (c"gc_graph_exec_nodes_in_state", gc_graph_exec_nodes_in_state, c"gc_graph_exec_nodes_in_state(exec, state, /)\n--\n\nLists the nodes of one state in the launch that gc_graph_exec_progress() tells of, each behind those that it waits for.\n\nParameters:\n  exec: the graph exec\n  state: GRAPHCAP_NODE_WAITS, GRAPHCAP_NODE_READY or GRAPHCAP_NODE_COMPLETED\n\nReturns:\n  nodes_out: where to write, as the graph calls them; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_FOUND: the graph exec was made without GRAPHCAP_INSTANTIATE_WATCH\n  GRAPHCAP_ERROR_INVALID_VALUE: state is unknown\n\nThe call releases the GIL."),
    (c"gc_graph_exec_times", gc_graph_exec_times, c"gc_graph_exec_times(exec, replays, /)\n--\n\nWrites JSON that tells when each node ran in the last replays of a trace that goes on, what it waited for, the path of nodes that took longest, and when nothing ran; docs/tracing.md describes it. The call reads the whole file of the trace.\n\nParameters:\n  exec: the graph exec; replays before it was last set or updated are left out\n  replays: how many replays\n\nReturns:\n  text: where to write; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: no trace goes on, or its file cannot be read\n\nThe call releases the GIL."),
    (c"gc_graph_add_node", gc_graph_add_node, c"gc_graph_add_node(graph, dependencies, dependency_data, dependency_count, work, /)\n--\n\nAdds a node that does the work to a graph. The graph keeps alive what the work uses.\n\nNodes of one graph may have kernels, buffers and events of several contexts, on one device or on several devices of one kind. A kernel or a copy uses memory of other devices, but not memory that graphs allocate; a kernel uses not that of gc_buffer_allocate_waitable() either: GRAPHCAP_ERROR_NOT_SUPPORTED.\n\nParameters:\n  graph: the graph\n  dependencies: the nodes that the new node waits for; may be NULL when dependency_count is 0\n  dependency_data: what the edge from each of them carries; NULL where no edge carries anything. Only an edge to a kernel node carries something\n  dependency_count: the number of dependencies\n  work: the work, not NULL; read and copied during the call\n\nReturns:\n  node_out: the new node; 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a dependency is listed twice, an edge cannot carry its data, the condition was not made for this graph, the condition or the allocation has a node already, or the work is wrong: see gc_work and its kind\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the graph is within a node of one that a capture goes into\n\nThe call releases the GIL."),
    (c"gc_graph_add_nodes", gc_graph_add_nodes, c"gc_graph_add_nodes(graph, dependencies, dependency_counts, works, count, /)\n--\n\nAdds nodes to a graph, one after another, as gc_graph_add_node() does. If one fails, those before it are added, and the works behind it are not read.\n\nA node can wait for one that the call adds before it: its dependencies are then in nodes_out, each element of which is written before the dependencies of the next node are read.\n\nParameters:\n  graph: the graph\n  dependencies: for each node the nodes that it waits for; an element may be NULL when its count is 0. NULL where no node waits for another one\n  dependency_counts: for each node the number of its dependencies; NULL where dependencies is\n  works: the work of each node, all of the same struct_size\n  count: the number of nodes\n\nReturns:\n  nodes_out: the new nodes, count elements; 0 for those that were not added\n  failed_index_out: the index of the node that failed; SIZE_MAX if none did; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: see gc_graph_add_node()\n  GRAPHCAP_ERROR_ILLEGAL_STATE: see gc_graph_add_node()\n\nThe call releases the GIL."),
    (c"gc_graph_add_child_node", gc_graph_add_child_node, c"gc_graph_add_child_node(graph, dependencies, dependency_count, child, /)\n--\n\nAdds a child node to a graph: a node that runs the nodes of a graph as one node.\n\nThe node has a copy of the child graph as it is now, and keeps alive what that uses. gc_node_get_graph() gives the copy. Child nodes whose graphs share memory of a pool have to be ordered by edges when the graph is instantiated.\n\nParameters:\n  graph: the graph\n  dependencies: the nodes that the new node waits for; may be NULL when dependency_count is 0\n  dependency_count: the number of dependencies\n  child: a graph of the same context\n\nReturns:\n  node_out: the new node; 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a dependency is listed twice, or the graph would contain itself\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the objects belong to different contexts\n  GRAPHCAP_ERROR_NOT_SUPPORTED: child is the graph of a node itself, or has allocation nodes or conditions; or, on a CUDA device, a node with GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE\n\nThe call releases the GIL."),
    (c"gc_graph_add_dependencies", gc_graph_add_dependencies, c"gc_graph_add_dependencies(graph, from_, to, data, count, /)\n--\n\nAdds edges to a graph: node to[i] waits for node from[i], as data[i] says. Either all edges are added or none.\n\nA cycle of edges is found when the graph is instantiated. A host device runs each edge as one that carries nothing: the second kernel begins when the first one is over.\n\nParameters:\n  graph: the graph\n  from: the first node of each edge; may be NULL when count is 0\n  to: the second node of each edge; may be NULL when count is 0\n  data: what each edge carries; NULL for nothing\n  count: the number of edges; 0 has no effect\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: an edge leads from a node to itself, is there already, is listed twice, or cannot carry its data\n  GRAPHCAP_ERROR_NOT_SUPPORTED: an edge is to carry something, and the driver is older than 12.3\n\nThe call releases the GIL."),
    (c"gc_graph_remove_dependencies", gc_graph_remove_dependencies, c"gc_graph_remove_dependencies(graph, from_, to, count, /)\n--\n\nRemoves edges from a graph. Either all edges are removed or none.\n\nParameters:\n  graph: the graph\n  from: the first node of each edge; may be NULL when count is 0\n  to: the second node of each edge; may be NULL when count is 0\n  count: the number of edges; 0 has no effect\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: an edge is not there or is listed twice\n  GRAPHCAP_ERROR_ILLEGAL_STATE: a capture goes into the graph\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the graph allocates or frees memory\n\nThe call releases the GIL."),
    (c"gc_graph_get_edges", gc_graph_get_edges, c"gc_graph_get_edges(graph, /)\n--\n\nLists the edges of a graph: node to_out[i] waits for node from_out[i], as data_out[i] says. The order of the edges has no meaning.\n\nParameters:\n  graph: the graph\n\nReturns:\n  from_out: where to write the first node of each edge; may be NULL when capacity is 0\n  to_out: where to write the second node of each edge; may be NULL when capacity is 0\n  data_out: where to write what each edge carries; may be NULL, and edges must then carry nothing\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: from_out or to_out is NULL and capacity is not 0, or capacity is 0 and needed is NULL\n  GRAPHCAP_ERROR_LOSSY_QUERY: data_out is NULL, capacity is not 0, and an edge carries something\n\nThe call releases the GIL."),
    (c"gc_graph_create_condition", gc_graph_create_condition, c"gc_graph_create_condition(graph, default_value, flags, /)\n--\n\nMakes a condition for a conditional node of a graph.\n\nKernels set the value while the graph runs: on a GPU by graphcap_set_condition() of graphcap/device.cuh, which is cudaGraphSetConditional(); on the host device by gc_host_set_conditional(). gc_graph_add_set_condition_node() sets it from device memory. Each launch of the outermost graph begins with the default value, or, without GRAPHCAP_CONDITION_ASSIGN_DEFAULT, with 0. No value stays from one launch to the next.\n\nParameters:\n  graph: the graph\n  default_value: the value that a launch begins with; 0 without the flag\n  flags: 0 or GRAPHCAP_CONDITION_ASSIGN_DEFAULT\n\nReturns:\n  condition_out: the new condition; 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, or default_value is not 0 without the flag\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is for a version of CUDA before 12.3\n\nThe call releases the GIL."),
    (c"gc_host_set_conditional", gc_host_set_conditional, c"gc_host_set_conditional(condition, value, /)\n--\n\nSets the value of a condition, from a host kernel or a host function of the graph that has the condition, while that graph runs on a host device. The body whose conditional node comes later in the graph is decided by the last value.\n\nParameters:\n  condition: the condition\n  value: the value\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_HANDLE: condition is none of a graph on a host device that lives\n  GRAPHCAP_ERROR_ILLEGAL_ADDRESS: the graph of the condition does not run. If work of a device made the call, the context of the graph has faulted\n\nThe call keeps the GIL."),
    (c"gc_node_get_conditional_params", gc_node_get_conditional_params, c"gc_node_get_conditional_params(graph, node, params_out, /)\n--\n\nReturns what decides about the bodies of a conditional node, and how many bodies it has.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a conditional node\n  params_out: the struct to fill\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the node was not added through graphcap: the driver tells nothing of such a node\n\nThe call releases the GIL."),
    (c"gc_node_get_mem_alloc_params", gc_node_get_mem_alloc_params, c"gc_node_get_mem_alloc_params(graph, node, params_out, /)\n--\n\nReturns what an allocation node allocates.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, an allocation node\n  params_out: the struct to fill\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no allocation node of the graph\n\nThe call releases the GIL."),
    (c"gc_node_get_mem_free_params", gc_node_get_mem_free_params, c"gc_node_get_mem_free_params(graph, node, params_out, /)\n--\n\nReturns what a free node frees.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a free node\n  params_out: the struct to fill\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no free node of the graph\n\nThe call releases the GIL."),
    (c"gc_node_get_buffer", gc_node_get_buffer, c"gc_node_get_buffer(graph, node, /)\n--\n\nReturns the memory that an allocation node allocates, or that a free node frees.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, an allocation node or a free node\n\nReturns:\n  buffer_out: a handle of the memory, owned by the caller until gc_buffer_destroy(), which frees nothing; NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no such node of the graph\n  GRAPHCAP_ERROR_NOT_FOUND: others added the free node, and graphcap does not know the memory\n\nThe call releases the GIL."),
    (c"gc_context_graph_memory", gc_context_graph_memory, c"gc_context_graph_memory(context, memory_out, /)\n--\n\nReturns how much memory the device of a context holds for the allocations of graphs. The numbers are of the whole process. What graphs have freed stays reserved for later launches until gc_context_graph_memory_trim().\n\nParameters:\n  context: the context\n  memory_out: the struct to fill\n\nThe call releases the GIL."),
    (c"gc_context_graph_memory_reset_high", gc_context_graph_memory_reset_high, c"gc_context_graph_memory_reset_high(context, /)\n--\n\nResets used_high and reserved_high of gc_context_graph_memory() to what is in use and reserved now.\n\nParameters:\n  context: the context\n\nThe call releases the GIL."),
    (c"gc_context_graph_memory_trim", gc_context_graph_memory_trim, c"gc_context_graph_memory_trim(context, /)\n--\n\nReturns to the device the memory that is reserved for graphs. Memory that is allocated, or that unfinished launches use, stays. The call does not affect captures.\n\nParameters:\n  context: the context\n\nThe call releases the GIL."),
    (c"gc_graph_remove_node", gc_graph_remove_node, c"gc_graph_remove_node(graph, node, /)\n--\n\nRemoves a node from a graph, with all its edges. Graph execs that were made before still run it.\n\nThe graph lets go of the buffers, modules, events and callbacks that no other node can use. It keeps everything once the native handle of the graph or of one of its nodes was given out. The first change of a graph that was captured reads all its nodes.\n\nParameters:\n  graph: the graph\n  node: one of its nodes\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph\n  GRAPHCAP_ERROR_ILLEGAL_STATE: a capture goes into the graph\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device does not remove such a node\n\nThe call releases the GIL."),
    (c"gc_graph_retain_callback", gc_graph_retain_callback, c"gc_graph_retain_callback(graph, user_data, destroy, /)\n--\n\nMakes a graph keep an object of the caller's: destroy is called when the graph, its copies, the graph execs made from them, and their launches are gone. A graph of a node is gone when the node of the outermost graph that it is within is removed, or gets another graph.\n\nParameters:\n  graph: the graph\n  user_data: passed to destroy; may be NULL\n  destroy: called exactly once, also when this call fails; not NULL. After a fault of a CUDA device it may never be called\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: destroy is NULL\n\nThe call releases the GIL."),
    (c"gc_graph_clone", gc_graph_clone, c"gc_graph_clone(graph, /)\n--\n\nMakes a copy of a graph as it is now. The copy keeps alive what its nodes use.\n\nParameters:\n  graph: the graph\n\nReturns:\n  clone_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has allocation nodes or conditions, or, on a CUDA device, a node that kernels can change\n\nThe call releases the GIL."),
    (c"gc_node_find_in_clone", gc_node_find_in_clone, c"gc_node_find_in_clone(graph, node, clone, /)\n--\n\nFinds the node of a clone that is a copy of a node of the original.\n\nParameters:\n  graph: the original graph\n  node: one of its nodes\n  clone: a graph that gc_graph_clone() made of graph\n\nReturns:\n  node_out: the node of the clone; 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the node was added after the clone was made, or was removed from the clone\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the graphs belong to different contexts\n\nThe call releases the GIL."),
    (c"gc_node_set", gc_node_set, c"gc_node_set(graph, node, work, /)\n--\n\nMakes a node of a graph do other work of its kind. Graph execs that were made before are not changed.\n\nThe graph keeps alive what the new work uses, and lets go of what the node used before, unless the native handle of the graph or of one of its nodes was given out. An edge keeps the data that it carries, so a set of a kernel node is refused where the new work cannot have it. Handles of the graph that a child node had before are stale; on a CUDA device a child node needs a driver for 12.2 or newer.\n\nWork of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers sets a child node. Allocation nodes, free nodes, conditional nodes, empty nodes and setters of conditions cannot be set.\n\nParameters:\n  graph: the graph\n  node: the node\n  work: the work, not NULL; read and copied during the call. With a name the node is named so\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the node cannot be set, or the work is wrong\n  GRAPHCAP_ERROR_ILLEGAL_STATE: a capture goes into a graph within the graph\n\nThe call releases the GIL."),
    (c"gc_node_get_attribute", gc_node_get_attribute, c"gc_node_get_attribute(graph, node, attribute, value_out, /)\n--\n\nReturns a launch attribute of a kernel node.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a kernel node\n  attribute: one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, of an attribute that nodes have\n  value_out: the value; all 64 bytes are written, 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph, or nodes have no such attribute\n\nThe call releases the GIL."),
    (c"gc_node_get_attributes", gc_node_get_attributes, c"gc_node_get_attributes(graph, node, /)\n--\n\nLists the launch attributes of a kernel node that are set: those whose value is not the one that a node begins with. gc_node_get_attribute() returns their values.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a kernel node\n\nReturns:\n  attributes_out: where to write GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, in their order; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph\n\nThe call releases the GIL."),
    (c"gc_node_set_attribute", gc_node_set_attribute, c"gc_node_set_attribute(graph, node, attribute, value, /)\n--\n\nSets a launch attribute of a kernel node, for graph execs that are made from now on. gc_node_set_kernel() leaves it as it is.\n\nA host device stores the value, and runs the kernel as before. It refuses the values that a GPU refuses.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a kernel node\n  attribute: one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, of an attribute that nodes have\n  value: the value, not NULL; bytes that the attribute does not use are ignored\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: value is NULL, node is no kernel node of the graph, nodes have no such attribute, or it cannot have that value\n  GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster does not divide the grid of the node, or is too large\n  GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: the kernel is cooperative and has more blocks than the device runs at once\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the driver does not take back GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE\n\nThe call releases the GIL."),
    (c"gc_node_copy_attributes", gc_node_copy_attributes, c"gc_node_copy_attributes(graph, node, source, source_node, /)\n--\n\nSets the launch attributes of a kernel node to those of another one.\n\nParameters:\n  graph: the graph of the node whose attributes are set\n  node: one of its nodes, a kernel node\n  source: the graph of the node whose attributes are read, of the same context; it may be the same graph\n  source_node: one of its nodes, a kernel node\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the kernels of the nodes belong to two devices\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the two graphs belong to different contexts\n  GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster does not divide the grid of the node\n  GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: the kernel is cooperative and has more blocks than the device runs at once\n\nThe call releases the GIL."),
    (c"gc_node_set_grid_scalar", gc_node_set_grid_scalar, c"gc_node_set_grid_scalar(graph, node, axis, scalar, /)\n--\n\nMakes each replay take the size of a kernel node's grid along one axis from a scalar, as it is when the node runs: gc_scalar_update() between two replays decides how many blocks the later one has. A node whose grid has a 0 then does nothing, and the nodes behind it run. A grid that no launch can have faults the context with GRAPHCAP_ERROR_LAUNCH_FAILED.\n\nIt holds for execs that are made from then on, and in clones, child graphs and the text of gc_graph_export_json(), until gc_node_set_kernel() gives the node a grid of its own along all axes; the graph keeps the scalar until then. On the host device also for execs that are updated, until gc_graph_exec_set_kernel_node() gives the node of an exec such a grid.\n\nOn a CUDA device an exec is made of a copy of the graph, in which a kernel of one thread sets the grid in front of the node. gc_graph_exec_apply() makes such an exec anew where something changed. It cannot be updated, and its nodes cannot be set or disabled. gc_graph_instantiate() answers GRAPHCAP_ERROR_NOT_SUPPORTED for a graph that also has conditions or allocations, and with GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH.\n\nParameters:\n  graph: the graph\n  node: one of its nodes, a kernel node\n  axis: 0 for x, 1 for y, 2 for z; the sizes along the other axes stay what they are\n  scalar: the scalar, of type GRAPHCAP_SCALAR_U32\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph, axis is above 2, or the scalar is of another type\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the scalar belongs to a device of another kind\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the kernel is cooperative or has clusters; on a CUDA device also: the driver is older than CUDA 12.4, the kernel is of another context than the graph, or the graph is the body of a conditional or within the graph of a node\n\nThe call releases the GIL."),
    (c"gc_graph_replace_buffer", gc_graph_replace_buffer, c"gc_graph_replace_buffer(graph, from_buffer, to_buffer, /)\n--\n\nPuts a buffer in the place of another one in all nodes of a graph, whether they were captured or added by hand, and of the graphs within nodes. Graph execs and clones that were made before go on as they were; gc_graph_exec_replace_buffer() changes a graph exec, and gc_graph_exec_apply() has one do what the changed graph does.\n\nThe addresses of the old buffer are replaced in copies, on both sides, in memsets and value operations, in grids that come from memory, and in the arguments of kernels: those that were given as buffers, and each aligned word of 8 bytes in a value that lies in the buffer, as a pointer in a struct. A number that looks like such an address is replaced as well. Offsets in the buffer stay. Pointers that lie in memory are not seen, nor the arguments of kernels that the driver does not tell, nor what host functions use.\n\nThe new buffer must have all bytes that the nodes use. Of a kernel those are the bytes that its launch states (gc_kernel_arg::access_size), or else the whole old buffer.\n\nThe graph keeps the new buffer. It lets go of the old one as gc_graph_remove_node() does, where no node uses it any more. If the call fails, the graph is as it was.\n\nParameters:\n  graph: the graph\n  from_buffer: the buffer to be replaced\n  to_buffer: the buffer that takes its place, of the same context; may be from_buffer, which changes nothing\n\nReturns:\n  changed_out: how many nodes were changed, those of graphs within nodes among them; 0 if no node uses from_buffer, and on failure; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a node uses bytes that the new buffer does not have, or elements or values would not be aligned in it, or it is not for value operations; the message names the node. Or one buffer is memory of the host, and the other one is not\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the buffers belong to different contexts, or to a device of another kind than the graph\n  GRAPHCAP_ERROR_NOT_SUPPORTED: a node allocates one of the buffers, a kernel that uses from_buffer was not found through graphcap, or the device does not change a node so\n\nThe call releases the GIL."),
    (c"gc_graph_exec_replace_buffer", gc_graph_exec_replace_buffer, c"gc_graph_exec_replace_buffer(exec, from_buffer, to_buffer, /)\n--\n\nPuts a buffer in the place of another one in all nodes of a graph exec, as gc_graph_replace_buffer() does in those of a graph: for launches from now on. The graph that the graph exec was made from is not changed; it must not be destroyed before. If the call fails, the graph exec is as it was.\n\nThe graph exec keeps the new buffer. It lets go of the old one when the launches that were made before are over, unless its native handle was given out. A graph exec bars more changes than a graph, those of copies of several rows among them: gc_graph_replace_buffer() and gc_graph_exec_apply() make these.\n\nParameters:\n  exec: the graph exec\n  from_buffer: the buffer to be replaced\n  to_buffer: the buffer that takes its place, of the same context; may be from_buffer, which changes nothing\n\nReturns:\n  changed_out: how many nodes were changed, those of graphs within nodes among them; 0 if no node uses from_buffer, and on failure; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: as for gc_graph_replace_buffer(), and where a graph exec bars the change of a node; or the graph is destroyed that the graph exec was made from\n  GRAPHCAP_ERROR_INVALID_CONTEXT: as for gc_graph_replace_buffer()\n  GRAPHCAP_ERROR_ILLEGAL_STATE: it is not known what the nodes of the graph exec do: nodes of its graph were set, added or removed since, another graph updated the graph exec, a child graph was set in it, or others can change the graph. gc_graph_replace_buffer() and gc_graph_exec_apply() do it then\n  GRAPHCAP_ERROR_NOT_SUPPORTED: as for gc_graph_replace_buffer(); or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH; or a node that uses from_buffer takes its grid from a scalar\n\nThe call releases the GIL."),
    (c"gc_graph_exec_set_node", gc_graph_exec_set_node, c"gc_graph_exec_set_node(exec, node, work, /)\n--\n\nMakes a node of a graph exec do other work of its kind, in later launches. The graph is not changed.\n\nThe exec keeps alive what the new work uses. It lets go of what the node used before when the earlier launches are complete, unless the native handle of the exec was given out. A child node gets a graph with nodes of the same kinds, in the same order, with the same edges; so work of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers sets a child node that was made of such work.\n\nParameters:\n  exec: the graph exec\n  node: a node of the graph that the exec was made from; the graph must not be destroyed, nor the node removed\n  work: the work, not NULL; read and copied during the call. Its name is NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the node was added after the exec was made or cannot be set, the graph is destroyed, or work has a name, is wrong, or changes what its kind says must stay\n  GRAPHCAP_ERROR_NOT_SUPPORTED: a child graph has allocation nodes or conditions, or, on a CUDA device, a node that kernels can change; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH\n  GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: a child graph does not have the same nodes and edges as the graph of the node, or one of its nodes cannot be changed so in an exec; or, on a CUDA device, it copies pageable memory where the exec was made with a child that copies between managed and pinned memory. The exec is as it was\n\nThe call releases the GIL."),
    (c"gc_graph_set_nodes", gc_graph_set_nodes, c"gc_graph_set_nodes(graph, nodes, works, count, /)\n--\n\nMakes nodes of a graph do other work, one after another, as gc_node_set() does. If one fails, those before it are set, and the works behind it are not read.\n\nParameters:\n  graph: the graph\n  nodes: the nodes\n  works: the work of each node\n  count: the number of nodes\n\nReturns:\n  failed_index_out: the index of the node that failed; SIZE_MAX if none did; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: see gc_node_set()\n  GRAPHCAP_ERROR_ILLEGAL_STATE: see gc_node_set()\n\nThe call releases the GIL."),
    (c"gc_graph_exec_set_nodes", gc_graph_exec_set_nodes, c"gc_graph_exec_set_nodes(exec, nodes, works, count, /)\n--\n\nMakes nodes of a graph exec do other work, one after another, as gc_graph_exec_set_node() does. If one fails, those before it are set, and the works behind it are not read.\n\nParameters:\n  exec: the graph exec\n  nodes: the nodes\n  works: the work of each node, as for gc_graph_set_nodes()\n  count: the number of nodes\n\nReturns:\n  failed_index_out: the index of the node that failed; SIZE_MAX if none did; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: see gc_graph_exec_set_node()\n  GRAPHCAP_ERROR_NOT_SUPPORTED: see gc_graph_exec_set_node()\n  GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: see gc_graph_exec_set_node()\n\nThe call releases the GIL."),
    (c"gc_graph_exec_set_node_enabled", gc_graph_exec_set_node_enabled, c"gc_graph_exec_set_node_enabled(exec, node, enabled, /)\n--\n\nDisables or enables a node of a graph exec, in later launches. A disabled node does nothing; nodes that depend on it wait for what it depends on.\n\nParameters:\n  exec: the graph exec\n  node: a kernel, copy or memset node of the graph that the exec was made from; the graph must not be destroyed, nor the node removed\n  enabled: 0 disables the node, any other number enables it\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the node was added after the exec was made or is a cooperative kernel, or the graph is destroyed\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH; or, on a CUDA device, a memset of one row is to be disabled in an exec of several branches, or with nothing that executes between it and a conditional before it\n\nThe call releases the GIL."),
    (c"gc_graph_exec_is_node_enabled", gc_graph_exec_is_node_enabled, c"gc_graph_exec_is_node_enabled(exec, node, /)\n--\n\nTells whether later launches of a graph exec run a node.\n\nParameters:\n  exec: the graph exec\n  node: a node that gc_graph_exec_set_node_enabled() takes\n\nReturns:\n  enabled_out: 1 if the node is enabled, else 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the graph that the exec was made from is destroyed\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH\n\nThe call releases the GIL."),
    (c"gc_graph_exec_update", gc_graph_exec_update, c"gc_graph_exec_update(exec, graph, flags, info_out, /)\n--\n\nMakes each node of a graph exec do what the matching node of a graph does, in later launches. This costs much less than a new exec. Launches that were made before run as they were. A refused update changes nothing; the message tells what differs, and names the nodes.\n\nThe driver matches nodes by their edges. It begins with the nodes that no other node depends on, the newest first, and goes on from each node to those that it depends on, in the order in which the edges were added. Graphs that are built or captured by the same calls in the same order match. The graph must have as many nodes as the exec, of the same kinds and with the same edges, also within nodes.\n\nWhat a node does may differ; its kind, the context of its kernel, the number of rows and the kinds of memory of its copy may not. docs/edit-graphs.md lists what may differ.\n\nAfter an update the exec keeps alive what the graph keeps alive. It lets go of what it kept before when the earlier launches are complete, unless the native handle of the exec was given out. The graph may be changed or destroyed afterwards. Functions that change nodes of the exec take the nodes of the graph that it was made from, as before. Disabled nodes stay disabled, and the counter of replays goes on.\n\nThe exec keeps the launch attributes of its own kernel nodes, even if those of the graph differ: the driver does so, and answers success. With GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES the call tells of it in gc_graph_exec_update_info::kept_attribute.\n\nThe first call on a graph exec that was neither uploaded nor launched uploads it. On a CUDA device an upload may wait for work of the device. The call harms no capture. A capture may be going into the graph: the exec gets what was recorded so far.\n\nWith GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN the call tells whether the update would be made, without trying: it returns the same status, with the same message and the same info_out. The launch attributes are compared. This takes time for each node; nothing is changed or uploaded. On a CUDA device it returns GRAPHCAP_ERROR_INVALID_VALUE if the graph that the exec was made from was destroyed before it was read. The call does not see what others do to a graph whose native handle was given out.\n\nParameters:\n  exec: the graph exec\n  graph: a graph of the same context, not within a node. The graph that the exec was made from is allowed\n  flags: 0 or GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES and GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN combined with |\n  info_out: in: struct_size; out: what was answered, also when the update is refused; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: the update is refused; the exec is as it was\n  GRAPHCAP_ERROR_INVALID_VALUE: memory of the graph is gone that GRAPHCAP_CAPTURE_NOTE_MEMORY noted, or, with GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN on a CUDA device, it is not known any more what the exec was made from\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the graph exec was made with GRAPHCAP_INSTANTIATE_SHAPE, on a CUDA device, and a capture goes into the graph\n  GRAPHCAP_ERROR_INVALID_CONTEXT: exec and graph belong to different contexts\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the exec or the graph has a node that kernels can change; on a CUDA device, the graph frees memory that another graph allocates, and the exec was made of that graph, or updated by it last: update by another one; the exec is as it was; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH\n\nThe call releases the GIL."),
    (c"gc_graph_exec_check", gc_graph_exec_check, c"gc_graph_exec_check(exec, info_out, /)\n--\n\nTells whether memory is gone that the nodes of a graph exec name by addresses: it was freed, or freed and other memory allocated in its place. A launch would use that. Blocks of gc_memory_block_begin() are such memory.\n\nKnown are the addresses that GRAPHCAP_CAPTURE_NOTE_MEMORY noted in the graph that the exec was made from or last updated by. The call asks the device once for each allocation, and reads no node. Nodes that were set in the exec since are passed over. It is not known which these are if they were set after an update by another graph than that of the exec, or are within a child graph or a body; gc_graph_exec_check_info::is_noted is 0 then. Success says nothing where it is 0.\n\ngc_graph_exec_check_findings() lists all memory that is gone. The call harms no capture and does not wait for work.\n\nParameters:\n  exec: the graph exec\n  info_out: in: struct_size; out: what was found, also when memory is gone; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: memory is gone: the message has the node, its kernel, the parameter and the address\n\nThe call releases the GIL."),
    (c"gc_memory_block_begin", gc_memory_block_begin, c"gc_memory_block_begin(address, size, name, generation, /)\n--\n\nTakes note that an allocator of the program gave out a block: graphs that note memory tell when it is gone, of which the driver knows nothing within an allocation. Blocks that it overlaps are over; told again with its address and number, it has the new size and name. An allocator ends the blocks of a segment before it gives that back. docs/checking.md.\n\nParameters:\n  address: the first byte\n  size: bytes, not 0\n  name: for messages; may be NULL\n  generation: the allocator's number of it, which no later block at the address has\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: size is 0 or too large, or name is too long or is not UTF-8\n\nThe call keeps the GIL."),
    (c"gc_memory_block_end", gc_memory_block_end, c"gc_memory_block_end(address, generation, /)\n--\n\nTakes note that a block was taken back. Without effect for one that is over.\n\nParameters:\n  address: as of gc_memory_block_begin()\n  generation: as of gc_memory_block_begin()\n\nThe call keeps the GIL."),
    (c"gc_graph_exec_apply", gc_graph_exec_apply, c"gc_graph_exec_apply(exec, graph, options, report_out, /)\n--\n\nMakes a graph exec do what a graph does, in later launches, by the cheapest way that is right. Launches that were made before run as they were. Later launches run behind them, on whatever streams. If the call fails, the graph exec is as it was. docs/edit-graphs.md has the costs. The call goes one of four ways:\n\n- Nothing: it is known that the graph exec does what the graph does.\n\n- Set: the graph is the one that the graph exec was made from, and single nodes were changed since, in the graph or in the graph exec. They are set, which costs time for each changed node alone.\n\n- Update: as gc_graph_exec_update() does, which costs time for each node. A new capture is applied this way.\n\n- Anew: the graph is instantiated with the flags that the graph exec was made with, and takes the place of what the graph exec was, behind the same handle. The call does this where an update is refused, or would keep a launch attribute that differs. Disabled nodes stay disabled, and the counter of replays goes on. From then on functions that change nodes of the graph exec take the nodes of this graph.\n\nAnew may wait for all work of the device, and calls of other threads to the driver may wait meanwhile; GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW bars it. So may the first call on a graph exec that was neither uploaded nor launched, since it uploads it.\n\nNVIDIA's driver replays a graph exec of about 190 nodes and more slower for good where kernels were changed in it; gc_graph_exec_apply_options::expected_replays has the call weigh that. Launch attributes are compared where kernels may have some, which takes time for each kernel node; GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES saves it.\n\nSeveral threads may call this, launch and change the graph exec at once. Each launch runs the work of before or after a call, never parts of both.\n\nParameters:\n  exec: the graph exec\n  graph: a graph of the same context, not within a node\n  options: NULL for the defaults\n  report_out: in: struct_size; out: what was done, also when the call is refused; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: an update is refused, and the flags keep the graph from being instantiated\n  GRAPHCAP_ERROR_INVALID_VALUE: the graph cannot be launched, or memory of it is gone that GRAPHCAP_CAPTURE_NOTE_MEMORY noted\n  GRAPHCAP_ERROR_INVALID_CONTEXT: exec and graph belong to different contexts, or upload_stream is of a device of another kind\n  GRAPHCAP_ERROR_ILLEGAL_STATE: as for gc_graph_exec_update(); or the graph would have to be instantiated, and one of these is so: the native handle of the graph exec was given out; nodes of the graph exec are disabled and it is not known which nodes of the graph they are; or the driver cannot tell how far a stream is on which the graph exec was launched, because that stream is being captured, is the per-thread stream of another thread, was destroyed, is of another device, or has for a second had a call of another thread in progress\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the graph would have to be instantiated and can have only one graph exec at a time; or the flags allow no way; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: as gc_graph_instantiate() has it\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: as gc_graph_instantiate() has it\n\nThe call releases the GIL."),
    (c"gc_graph_exec_apply_reason_description", gc_graph_exec_apply_reason_description, c"gc_graph_exec_apply_reason_description(reason, /)\n--\n\nReturns a sentence that says what a reason means.\n\nParameters:\n  reason: any number\n\nThe call keeps the GIL."),
    (c"gc_graph_cache_create", gc_graph_cache_create, c"gc_graph_cache_create(context, options, /)\n--\n\nMakes a graph cache without keys.\n\nParameters:\n  context: the context whose graphs the cache records\n  options: how the cache records and keeps; not NULL\n\nReturns:\n  cache_out: the new cache, owned by the caller until gc_graph_cache_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the environment variable GRAPHCAP_CHECK is neither 0 nor 1\n\nThe call releases the GIL."),
    (c"gc_graph_cache_launch", gc_graph_cache_launch, c"gc_graph_cache_launch(cache, key, key_size, stream, user_data, /)\n--\n\nLaunches the work of a key on a stream, as gc_graph_launch() launches a graph exec. If the cache does not have the work, it has the recording function record it first. docs/cache.md tells more.\n\nThe function is called with a new stream that is being captured. Then a graph exec is made, or one that keys share is updated, and launched. Making a graph exec, and its first launch, can wait for other work of the device. If the function fails, the capture is discarded, this call returns the function's status, and the message names that status and the last call that failed inside the function. After a failure before the launch the cache is as it was. If only the launch fails, the cache has the key.\n\nAddresses of plain host memory in recorded copies stay those of the first launch of the key. Each later launch reads or writes the same addresses, also when the memory is gone. Copy through a gc_host_buffer that outlives the cache, or record bytes that stay the same with GRAPHCAP_MEMCPY_SNAPSHOT. With GRAPHCAP_CHECK=1 in the environment each launch of a key that the cache has calls the recording function too, with all its effects, and compares its work with what the first launch recorded. If they differ, the call returns GRAPHCAP_ERROR_INVALID_VALUE, the message tells what differs, and nothing is launched.\n\nA thread that launches a key which another thread records waits for that thread, and records the key itself if that failed. Launches of other keys go on meanwhile.\n\nWhen the bytes of all keys would exceed gc_graph_cache_options::max_bytes, the cache drops the keys that were not launched for the longest time. Their queued launches still run, and nothing is waited for. A key whose work alone exceeds it is recorded anew for each launch.\n\nA graph exec of its own is made for a graph that allocates or frees memory, for one with conditional nodes, and for one that differs from all graph execs of the same topology in something that an update would not change.\n\nParameters:\n  cache: the cache\n  key: key_size bytes that name the work, for example a shape; copied; may be NULL if key_size is 0\n  key_size: the size of the key in bytes\n  stream: a stream of a context on a device of the same kind\n  user_data: passed to the recording function if this call calls it, as launch_data; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the recording function submitted nothing, its graph cannot be instantiated, GRAPHCAP_CHECK=1 found other work than at the first launch, or as gc_graph_launch() has it\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the cache and the stream belong to devices of different kinds\n  GRAPHCAP_ERROR_NOT_SUPPORTED: as gc_graph_instantiate() has it\n  GRAPHCAP_ERROR_BUSY: the call was made inside the recording function of the cache, or inside one of another cache while another thread records the key\n  GRAPHCAP_ERROR_CALLBACK: the recording function is written in Rust and panicked\n  GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the recording function ended the capture itself\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: a call broke the capture\n  GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured, or a capture bars this thread from instantiating; that capture is invalidated\n\nThe call releases the GIL."),
    (c"gc_graph_cache_remove", gc_graph_cache_remove, c"gc_graph_cache_remove(cache, key, key_size, /)\n--\n\nDrops the work of a key, so that the next launch of the key records it anew. Queued launches still run. Has no effect if the cache does not have the key. What another thread records for the key meanwhile is launched, and is not kept.\n\nParameters:\n  cache: the cache\n  key: the key; may be NULL if key_size is 0\n  key_size: the size of the key in bytes\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: key is NULL and key_size is not 0\n\nThe call releases the GIL."),
    (c"gc_graph_cache_clear", gc_graph_cache_clear, c"gc_graph_cache_clear(cache, /)\n--\n\nDrops the work of all keys, as gc_graph_cache_remove() drops that of one. The counters go on.\n\nParameters:\n  cache: the cache\n\nThe call releases the GIL."),
    (c"gc_graph_cache_get_stats", gc_graph_cache_get_stats, c"gc_graph_cache_get_stats(cache, stats_out, /)\n--\n\nReturns what a graph cache did, and what it has.\n\nParameters:\n  cache: the cache\n  stats_out: in: struct_size; out: the counters\n\nThe call keeps the GIL."),
    (c"gc_graph_cache_destroy", gc_graph_cache_destroy, c"gc_graph_cache_destroy(cache, /)\n--\n\nDestroys a graph cache. Queued launches still run, and launches that other threads are making are made. Does not wait.\n\nParameters:\n  cache: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_pool_create", gc_pool_create, c"gc_pool_create(context, options, /)\n--\n\nMakes a pool without objects. It takes memory of the device only when gc_pool_allocate() needs it.\n\nParameters:\n  context: the context that the pool belongs to\n  options: NULL for the defaults: as much capacity as the device has memory, used again wherever that is safe\n\nReturns:\n  pool_out: the new pool, owned by the caller until gc_pool_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag or the reuse is unknown, reserved is not 0, or the struct_size of the options is not valid\n\nThe call releases the GIL."),
    (c"gc_pool_destroy", gc_pool_destroy, c"gc_pool_destroy(pool, /)\n--\n\nDestroys the handle of a pool. Captures that were begun with the pool keep it, and so do their graphs, the graph execs made of these, the launches of these, and other handles of the pool. Does not wait.\n\nWhen the last of them is gone, the objects of the pool go: one after another, in the order in which they were added. A buffer goes then unless somebody else keeps it. An object's destroy is called.\n\nParameters:\n  pool: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_pool_id", gc_pool_id, c"gc_pool_id(pool, /)\n--\n\nReturns the number of a pool. No other pool of the process has it or had it. All handles of one pool return the same number.\n\nParameters:\n  pool: the pool\n\nReturns:\n  id_out: the number, at least 1\n\nThe call keeps the GIL."),
    (c"gc_pool_add_buffer", gc_pool_add_buffer, c"gc_pool_add_buffer(pool, buffer, /)\n--\n\nAdds a buffer to a pool, which keeps the buffer from here on. A buffer may be added more than once.\n\nParameters:\n  pool: the pool\n  buffer: a buffer of the same context\n\nReturns:\n  index_out: how many objects the pool had before\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_SEALED: the pool is sealed\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the pool and the buffer belong to different contexts\n\nThe call releases the GIL."),
    (c"gc_pool_add_object", gc_pool_add_object, c"gc_pool_add_object(pool, user_data, destroy, /)\n--\n\nAdds an object of the caller's to a pool, which calls destroy when it goes. gc_pool_destroy() tells when that is.\n\nParameters:\n  pool: the pool\n  user_data: passed to destroy; may be NULL\n  destroy: called exactly once, also when this call fails; not NULL. After a fault of a CUDA device it may never be called\n\nReturns:\n  index_out: how many objects the pool had before\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: destroy or index_out is NULL\n  GRAPHCAP_ERROR_SEALED: the pool is sealed\n\nThe call releases the GIL."),
    (c"gc_pool_allocate", gc_pool_allocate, c"gc_pool_allocate(pool, size, /)\n--\n\nAllocates device memory from a pool, aligned to at least 256 bytes. Its content is undefined. May be called while streams are captured. Value operations, such as gc_stream_write_value32(), accept this memory.\n\nThe buffer is like any other: graphs that use it keep it, and it is not added to the objects of the pool. Once it is destroyed, no graph uses it any more and the work submitted with it has completed, its memory is free for later allocations from the pool. The graphs of captures with the pool that go on during this call keep the memory, too, since their work may use it by its address. The memory of a pool goes back to the device when the pool is gone, and all that was allocated from it. In a pool that was made with GRAPHCAP_POOL_SHARED, graphs of the pool do not keep a buffer that was allocated while a capture with the pool went on: they share its memory.\n\nParameters:\n  pool: the pool\n  size: bytes, not 0\n\nReturns:\n  buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: size is 0\n  GRAPHCAP_ERROR_SEALED: the pool is sealed\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory, the process not enough addresses, or the pool not enough capacity\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device cannot map memory to addresses\n\nThe call releases the GIL."),
    (c"gc_pool_buffer_count", gc_pool_buffer_count, c"gc_pool_buffer_count(pool, /)\n--\n\nReturns how many objects a pool has: the buffers and the objects of the caller's that were added since it was cleared last.\n\nParameters:\n  pool: the pool\n\nReturns:\n  count_out: the number of objects\n\nThe call keeps the GIL."),
    (c"gc_pool_seal", gc_pool_seal, c"gc_pool_seal(pool, /)\n--\n\nSeals a pool: it refuses to take in objects, to allocate, and to be used by captures that begin.\n\nParameters:\n  pool: the pool; a sealed one stays sealed\n\nThe call releases the GIL."),
    (c"gc_pool_unseal", gc_pool_unseal, c"gc_pool_unseal(pool, /)\n--\n\nTakes gc_pool_seal() back.\n\nParameters:\n  pool: the pool; it need not be sealed\n\nThe call releases the GIL."),
    (c"gc_pool_is_sealed", gc_pool_is_sealed, c"gc_pool_is_sealed(pool, /)\n--\n\nReturns whether a pool is sealed.\n\nParameters:\n  pool: the pool\n\nReturns:\n  sealed_out: 1 if it is sealed, else 0\n\nThe call keeps the GIL."),
    (c"gc_pool_clear", gc_pool_clear, c"gc_pool_clear(pool, /)\n--\n\nLets go of all objects of a pool, as its end does: behind the launches of all graph execs that kept the pool. Memory that was allocated from the pool stays allocated. A sealed pool stays sealed. Does not wait.\n\nParameters:\n  pool: the pool\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_BUSY: a capture, a graph or a graph exec keeps the pool; nothing has changed\n\nThe call releases the GIL."),
    (c"gc_pool_handle_new", gc_pool_handle_new, c"gc_pool_handle_new(pool, /)\n--\n\nRegisters a pool under a number, for parts of a program that cannot pass handles to each other. The pool is kept until gc_pool_handle_release(). To do this again changes nothing.\n\nParameters:\n  pool: the pool\n\nReturns:\n  id_out: the number, which is that of gc_pool_id()\n\nThe call releases the GIL."),
    (c"gc_pool_handle_lookup", gc_pool_handle_lookup, c"gc_pool_handle_lookup(id, /)\n--\n\nFinds a pool by the number that gc_pool_handle_new() returned.\n\nParameters:\n  id: the number\n\nReturns:\n  pool_out: another handle of the pool, owned by the caller until gc_pool_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_FOUND: no pool can be found by that number, or it was released\n\nThe call releases the GIL."),
    (c"gc_pool_handle_release", gc_pool_handle_release, c"gc_pool_handle_release(id, /)\n--\n\nTakes gc_pool_handle_new() back. The pool stays as long as somebody else keeps it. To do this again has no effect.\n\nParameters:\n  id: the number that gc_pool_handle_new() returned\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_FOUND: gc_pool_handle_new() has returned neither that number nor a greater one\n\nThe call releases the GIL."),
    (c"gc_pool_get_memory", gc_pool_get_memory, c"gc_pool_get_memory(pool, memory_out, /)\n--\n\nReturns how much memory a pool has. The buffers that were added to the pool do not count.\n\nParameters:\n  pool: the pool\n  memory_out: the struct to fill\n\nThe call releases the GIL."),
    (c"gc_pool_trim", gc_pool_trim, c"gc_pool_trim(pool, /)\n--\n\nReturns memory of a pool to the device: what lies behind the last allocation, in the pieces in which the pool took it. What is allocated stays where it is, and later allocations take memory from the device again. The pool may be sealed, and streams may be captured. Does not wait; call gc_context_collect() before, if work that used memory of the pool has completed only now. What allocators of others freed, as gc_pool_torch_free(), goes back to the pool first, unless a graph may use it; their streams are waited for by gc_context_collect() and gc_context_synchronize().\n\nParameters:\n  pool: the pool\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the system of a host device refuses to take memory back\n\nThe call releases the GIL."),
    (c"gc_pool_allocate_on_stream", gc_pool_allocate_on_stream, c"gc_pool_allocate_on_stream(pool, stream, size, /)\n--\n\nAllocates device memory from a pool, for work that the stream is given from here on. Its content is undefined. While the stream is not captured, it is as gc_pool_allocate().\n\nWhile the stream is captured, memory is used again that gc_buffer_destroy_on_stream() freed on a stream of the same capture: where all uses of it that were recorded, and its free, precede what the stream records next. The reuse of the pool's options tells whether and where. Captures into graphs within nodes are captures of their own. Nothing is used again once gc_stream_update_capture_dependencies() has set what the next work of a stream of the capture depends on. The graph keeps the memory, also when the buffer is destroyed, and it goes back to the pool when the graph, its execs and their launches are gone. From a pool with GRAPHCAP_POOL_SHARED, with which the capture was begun, other captures with the pool get it when this one is over and the buffer destroyed.\n\nOther streams of the capture may use the buffer once they wait for an event that was recorded on the stream after this call. Work that uses the buffer without such a wait, where its memory was used before, is refused with GRAPHCAP_ERROR_INVALID_VALUE; the capture goes on.\n\nA graph in which memory is used again depends on the order in which it was recorded: who removes nodes or edges from it keeps what uses one memory in order.\n\nParameters:\n  pool: the pool, of the same context; the capture need not have been begun with it\n  stream: the stream\n  size: bytes, not 0\n\nReturns:\n  buffer_out: the new buffer, owned by the caller until gc_buffer_destroy_on_stream() or gc_buffer_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: size is 0\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the pool and the stream belong to different contexts\n  GRAPHCAP_ERROR_SEALED: the pool is sealed\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory, the process not enough addresses, or the pool not enough capacity\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device cannot map memory to addresses\n\nThe call releases the GIL."),
    (c"gc_buffer_destroy_on_stream", gc_buffer_destroy_on_stream, c"gc_buffer_destroy_on_stream(buffer, stream, /)\n--\n\nDestroys a buffer as gc_buffer_destroy() does. If gc_pool_allocate_on_stream() allocated it in the capture that the stream is in, later allocations of that capture may use its memory again. After gc_buffer_destroy() they do not.\n\nAll uses of the buffer come before: those by its handle, which graphcap sees, and those by its address within the arguments of a kernel, or by work of others, which are to precede what the stream records next. The memory is not used again where work used it that the capture does not have: work that ran, and work of another capture or graph.\n\nParameters:\n  buffer: the buffer; other handles of it must not be used any more\n  stream: a stream of the same context\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer and the stream belong to different contexts; the handle lives\n  GRAPHCAP_ERROR_NOT_PERMITTED: the call was made inside a host function; the handle lives\n\nThe call releases the GIL."),
    (c"gc_stream_begin_capture_with_pool", gc_stream_begin_capture_with_pool, c"gc_stream_begin_capture_with_pool(stream, mode, pool, /)\n--\n\nBegins a capture of a stream, as gc_stream_begin_capture() does. The capture keeps a pool, and so do its graph and the graph execs made of that.\n\nParameters:\n  stream: the stream; not the legacy stream\n  mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers\n  pool: a pool of the stream's context\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the mode is unknown\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the pool belong to different contexts\n  GRAPHCAP_ERROR_SEALED: the pool is sealed\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream\n\nThe call releases the GIL."),
    (c"gc_stream_end_capture_with_pool", gc_stream_end_capture_with_pool, c"gc_stream_end_capture_with_pool(stream, pool, /)\n--\n\nEnds the capture of a stream, as gc_stream_end_capture() does. The graph keeps a pool, and so do the graph execs made of it. The capture need not have been begun with a pool, and the pool may be sealed.\n\nParameters:\n  stream: the stream that the capture was begun on\n  pool: a pool of the stream's context; if the capture was begun with a pool, that one\n\nReturns:\n  graph_out: the graph, owned by the caller until gc_graph_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the capture was begun with another pool; it goes on\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the pool belong to different contexts; the capture goes on\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured\n  GRAPHCAP_ERROR_CAPTURE_UNMATCHED: as gc_stream_end_capture() has it\n  GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back\n  GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: another thread began the capture, in a mode other than relaxed\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: as gc_stream_end_capture() has it\n\nThe call releases the GIL."),
    (c"gc_graph_exec_pool", gc_graph_exec_pool, c"gc_graph_exec_pool(exec, /)\n--\n\nReturns the pool that a graph exec keeps: the pool of the capture that gave its graph. After gc_graph_exec_update() it is the pool of the new graph. If child graphs bring further pools, one of all is returned.\n\nParameters:\n  exec: the graph exec\n\nReturns:\n  pool_out: another handle of the pool, owned by the caller until gc_pool_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_FOUND: the graph exec keeps no pool\n\nThe call releases the GIL."),
    (c"gc_graph_exec_has_pool", gc_graph_exec_has_pool, c"gc_graph_exec_has_pool(exec, /)\n--\n\nReturns whether a graph exec keeps a pool.\n\nParameters:\n  exec: the graph exec\n\nReturns:\n  has_pool_out: 1 if it keeps one, else 0\n\nThe call releases the GIL."),
    (c"gc_graph_exec_pool_buffer_count", gc_graph_exec_pool_buffer_count, c"gc_graph_exec_pool_buffer_count(exec, /)\n--\n\nReturns how many objects the pool of a graph exec has at this moment, as gc_pool_buffer_count() does of gc_graph_exec_pool().\n\nParameters:\n  exec: the graph exec\n\nReturns:\n  count_out: the number of objects; 0 if the graph exec keeps no pool\n\nThe call releases the GIL."),
    (c"gc_pool_bind", gc_pool_bind, c"gc_pool_bind(pool, device, /)\n--\n\nMakes gc_pool_torch_allocate() take memory for a device from a pool, until another one is bound to the device, or gc_pool_unbind(). The pool is kept for that, also when its handle is destroyed. A stream that is in a capture which was begun with a pool allocates from that pool. A reset of the pool's context unbinds the pool.\n\nParameters:\n  pool: the pool\n  device: the ordinal of the device that the pool is of\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: device is negative, or not that of the pool\n\nThe call releases the GIL."),
    (c"gc_pool_unbind", gc_pool_unbind, c"gc_pool_unbind(device, /)\n--\n\nTakes gc_pool_bind() back, whichever pool is bound to the device. What was allocated stays as long as the pool.\n\nParameters:\n  device: the ordinal of the device\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: device is negative\n\nThe call releases the GIL."),
    (c"gc_pool_torch_allocate", gc_pool_torch_allocate, c"gc_pool_torch_allocate(size, device, stream, /)\n--\n\nAllocates memory for PyTorch: its address is what `torch.cuda.memory.CUDAPluggableAllocator` takes as `alloc_fn`. The memory comes from the pool of the capture that the stream is in, if that was begun with a pool, else from the pool that gc_pool_bind() has bound to the device. At least 256-byte aligned, not cleared. Allowed during captures.\n\nWhat was freed on the stream is used again on that stream alone: within the capture that allocated it, or where it was allocated and freed while no capture was met. Memory of a capture that was begun with the pool goes back to the pool when it was freed and the graph, its execs and their launches are gone. Memory that was allocated and freed outside of captures goes back by gc_pool_trim(), and where the pool has no other. All other memory stays allocated until the pool goes, so that no graph replays into memory of others. Graphs that were captured with the pool keep it. For graphs of others, such as PyTorch's, the caller keeps the pool, and what they read that was allocated before.\n\nPyTorch does not look at NULL: the next kernel faults. examples/python/torch_allocator.cpp turns it into PyTorch's exception. gc_last_error_message() tells the cause.\n\nParameters:\n  size: bytes; 0 allocates nothing and returns NULL\n  device: the ordinal of the device\n  stream: the CUDA stream, a live one or a default one\n\nThe call releases the GIL."),
    (c"gc_pool_torch_free", gc_pool_torch_free, c"gc_pool_torch_free(address, size, device, stream, /)\n--\n\nFrees memory of gc_pool_torch_allocate() behind the work of the stream, and behind that of the streams that gc_pool_torch_record_stream() named: PyTorch's `free_fn`. An address that is not one is left alone; gc_last_error_message() tells that. Does not wait.\n\nParameters:\n  address: the address; NULL has no effect\n  size: what was allocated; not looked at\n  device: the ordinal of the device; not looked at\n  stream: the CUDA stream, a live one or a default one, as each stream that was named\n\nThe call releases the GIL."),
    (c"gc_pool_torch_record_stream", gc_pool_torch_record_stream, c"gc_pool_torch_record_stream(address, stream, /)\n--\n\nSays that work on another stream uses memory of gc_pool_torch_allocate() too: PyTorch's hook for `Tensor.record_stream`, which is set by `set_record_stream_fn` of its allocator. The memory is not used again before that work is over. Without the hook PyTorch frees the memory while that stream may still use it.\n\nParameters:\n  address: the address; NULL has no effect, and one that is none is left alone, which gc_last_error_message() tells\n  stream: the CUDA stream, a live one or a default one until the memory is freed\n\nThe call releases the GIL."),
    (c"gc_pool_rmm_allocate", gc_pool_rmm_allocate, c"gc_pool_rmm_allocate(size, stream, user_data, /)\n--\n\nAllocates memory of a pool for RMM: `allocate_func` of its `CallbackMemoryResource`, with the pool as `user_data`. As gc_pool_torch_allocate(), of that pool alone.\n\nParameters:\n  size: bytes; 0 allocates nothing and returns NULL\n  stream: the CUDA stream, a live one or a default one\n  user_data: a gc_pool, which lives at least until the call returns\n\nThe call releases the GIL."),
    (c"gc_pool_rmm_free", gc_pool_rmm_free, c"gc_pool_rmm_free(address, size, stream, user_data, /)\n--\n\nFrees memory of gc_pool_rmm_allocate(): `deallocate_func` of RMM's `CallbackMemoryResource`. As gc_pool_torch_free().\n\nParameters:\n  address: the address; NULL has no effect\n  size: what was allocated; not looked at\n  stream: the CUDA stream, a live one or a default one\n  user_data: not looked at: the address tells the pool\n\nThe call releases the GIL."),
    (c"gc_scalar_create", gc_scalar_create, c"gc_scalar_create(stream, scalar_type, initial, /)\n--\n\nMakes a scalar: a typed value in device memory of its own. Graphs use it by its address, and gc_scalar_update() changes it between their replays.\n\nThe first value is written in the order of the stream. Work of other streams sees it when the caller has ordered that work behind, by an event or by a wait. The stream is not used otherwise.\n\nThe memory is as that of gc_buffer_allocate_waitable(). Graphs, graph execs and submitted work that use the scalar keep it alive. Make the scalars of one graph by gc_scalar_create_block(), so that one call updates them.\n\nParameters:\n  stream: the stream that writes the first value; the scalar belongs to its context\n  scalar_type: one of the GRAPHCAP_SCALAR_ numbers\n  initial: the first value, of that type; copied\n\nReturns:\n  scalar_out: the new scalar, owned by the caller until gc_scalar_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: scalar_type is not a GRAPHCAP_SCALAR_ number, or initial or scalar_out is NULL\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support value writes of that size\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory\n\nThe call releases the GIL."),
    (c"gc_scalar_create_block", gc_scalar_create_block, c"gc_scalar_create_block(stream, types, initial, count, scalars_out, /)\n--\n\nMakes several scalars that share one buffer. They lie in it as the members of a C struct of their types do, in this order: a kernel may be given the address of the first one, and use all of them as a struct or, if they are of one type, as an array. Either all scalars are made, or none.\n\nWhat keeps one of them alive keeps all alive. The first values are written by one command; see gc_scalar_create() for all else.\n\nParameters:\n  stream: the stream that writes the first values; the scalars belong to its context\n  types: for each scalar one of the GRAPHCAP_SCALAR_ numbers\n  initial: for each scalar a pointer to its first value, of its type; copied\n  count: the number of scalars, 1 to 255\n  scalars_out: the new scalars, as many as count, each owned by the caller until gc_scalar_destroy(); NULLs on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: count is 0 or more than 255, a type is not a GRAPHCAP_SCALAR_ number, or an array or a pointer in initial is NULL\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support value writes of that size\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory\n\nThe call releases the GIL."),
    (c"gc_scalar_update", gc_scalar_update, c"gc_scalar_update(scalar, stream, scalar_type, value, /)\n--\n\nChanges the value of a scalar when the earlier work of the stream has completed.\n\nReplays and other work that are submitted to the stream after the call see the new value, and those before see the old one, also while they still wait to run. Work of other streams is the caller's to order, by events. The value is copied by the call and travels within the command: no memory of the caller's is read later. The call cannot be recorded.\n\nParameters:\n  scalar: the scalar\n  stream: the stream, of the same context\n  scalar_type: the type of the scalar, one of the GRAPHCAP_SCALAR_ numbers\n  value: the value, of that type; copied\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: value is NULL, or the scalar is of another type\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the scalar and the stream belong to different contexts\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_scalar_update_many", gc_scalar_update_many, c"gc_scalar_update_many(stream, scalars, types, values, count, /)\n--\n\nChanges the values of several scalars by one command, when the earlier work of the stream has completed. Either all updates are queued, or none. Of several updates of one scalar the last one holds.\n\nThe scalars may be of several blocks. See gc_scalar_update() for all else.\n\nParameters:\n  stream: the stream, of the same context as the scalars\n  scalars: the scalars; may be NULL when count is 0\n  types: for each scalar its type, one of the GRAPHCAP_SCALAR_ numbers; may be NULL when count is 0\n  values: for each scalar a pointer to its value, of its type; copied; may be NULL when count is 0\n  count: the number of updates, at most 255; 0 has no effect\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: an array or a pointer in values is NULL, count is more than 255, or a scalar is of another type\n  GRAPHCAP_ERROR_INVALID_CONTEXT: a scalar and the stream belong to different contexts\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_scalar_read", gc_scalar_read, c"gc_scalar_read(scalar, stream, scalar_type, value_out, /)\n--\n\nReads the value of a scalar as it is when the earlier work of the stream has completed, and waits for that.\n\nThe call waits by the same rules as gc_stream_synchronize(): a capture that forbids that wait is invalidated, unless the context is guarded. To read without waiting, copy from the buffer of gc_scalar_buffer() to a gc_host_buffer; such a copy can be recorded.\n\nParameters:\n  scalar: the scalar\n  stream: the stream, of the same context\n  scalar_type: the type of the scalar, one of the GRAPHCAP_SCALAR_ numbers\n  value_out: the value, of that type; 0 on failure. It is left alone if scalar_type is not a GRAPHCAP_SCALAR_ number\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the scalar is of another type\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the scalar and the stream belong to different contexts\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: another capture forbids the wait\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_scalar_destroy", gc_scalar_destroy, c"gc_scalar_destroy(scalar, /)\n--\n\nDestroys a scalar. Its memory is freed as that of gc_buffer_allocate_waitable(): when all scalars of its block are destroyed, no graph or graph exec uses them any more, and the work submitted with them has completed. Does not wait.\n\nParameters:\n  scalar: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_scalar_type", gc_scalar_type, c"gc_scalar_type(scalar, /)\n--\n\nReturns the type of a scalar.\n\nParameters:\n  scalar: the scalar\n\nReturns:\n  type_out: one of the GRAPHCAP_SCALAR_ numbers; 0 on failure\n\nThe call keeps the GIL."),
    (c"gc_scalar_address", gc_scalar_address, c"gc_scalar_address(scalar, /)\n--\n\nReturns the device address of a scalar, as a number: what a kernel gets as a pointer to the scalar. It is valid as long as the scalar is, and while a graph keeps it alive.\n\nA kernel argument that is to keep the scalar alive names it: GRAPHCAP_ARG_INIT_BUFFER_AT() with the buffer and the offset that gc_scalar_buffer() returns.\n\nParameters:\n  scalar: the scalar\n\nReturns:\n  address_out: the address of its first byte, a multiple of its size; 0 on failure\n\nThe call keeps the GIL."),
    (c"gc_scalar_buffer", gc_scalar_buffer, c"gc_scalar_buffer(scalar, /)\n--\n\nReturns the buffer that a scalar lies in, and where in it: for arguments of kernels, copies, conditions and all else that takes buffers. The scalars of a block have one buffer, and its name; a scalar of gc_scalar_create() has one of its own, at offset 0.\n\nWhat writes the buffer changes the scalars in it, also kernels. Value operations accept the buffer.\n\nParameters:\n  scalar: the scalar\n\nReturns:\n  buffer_out: another handle of the buffer, owned by the caller until gc_buffer_destroy(); NULL on failure\n  offset_out: where the scalar starts in the buffer, in bytes; 0 on failure\n\nThe call releases the GIL."),
    (c"gc_rng_create", gc_rng_create, c"gc_rng_create(stream, seed, subsequence, /)\n--\n\nMakes a generator of random numbers, of the stream's context.\n\nA generator is a sequence of 2^64 elements, and the number of the element that is drawn next, which is 0. The sequence is that of Philox 4x32-10: element i is word i mod 4 of what Philox gives for counter i / 4, where the key is the seed, and the upper half of the counter is the subsequence. cuRAND's curand_init(seed, subsequence, offset, &state) stands at element offset of the same sequence. So generators of one seed and different subsequences never share numbers: one for each device, say.\n\nThe state is in device memory. It is written in the order of the stream; work of other streams that draws is the caller's to order behind that, by an event. Any thread may use a generator.\n\nParameters:\n  stream: the stream, not being captured\n  seed: which numbers\n  subsequence: which part of them; 0 where there is only one\n\nReturns:\n  rng_out: the new generator, owned by the caller until gc_rng_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support value writes of 64 bits\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory\n\nThe call releases the GIL."),
    (c"gc_rng_torch_state", gc_rng_torch_state, c"gc_rng_torch_state(rng, stream, layout, increment, /)\n--\n\nGives an at::PhiloxCudaState for a kernel that was written for PyTorch and is recorded next on the stream, so that the kernel draws other numbers at each replay. docs/random.md has an example.\n\nThe state points to the generator's seed and to an offset in device memory, which each replay writes before the kernel runs, by the node that takes the numbers of the graph's fills. The capture of the stream depends on that node after the call. The graph keeps the memory, so a state is for kernels of this graph alone. Pass the first 24 or 32 bytes, as the layout says, as the kernel's argument; a kernel unpacks them by at::cuda::philox::unpack().\n\nThe kernel draws up to increment numbers in each thread: elements of the sequence of the generator's seed, from the one that the generator draws next on, of the subsequence that has the number of the thread, as by curand_init(seed, thread, offset, &state). Nothing checks that it draws no more. The generator's own subsequence is not used. Another generator of the same seed may share numbers with the kernel; this one does not.\n\nParameters:\n  rng: the generator\n  stream: the stream, of the same context, being captured by a gc_ call\n  layout: sizeof(at::PhiloxCudaState) of the PyTorch that the kernel was compiled with: GRAPHCAP_TORCH_STATE_24 or GRAPHCAP_TORCH_STATE_32\n  increment: how many numbers each thread draws at most; rounded up to a multiple of 4\n\nReturns:\n  state_out: 4 words of 64 bits, the first bytes of which are the state; all 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: increment is more than the sequence has, or the graph draws more numbers before than the layout has bits for\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured, or another thread ended the capture meanwhile\n  GRAPHCAP_ERROR_NOT_SUPPORTED: others began the capture, which goes on\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory\n  GRAPHCAP_ERROR_NOT_PERMITTED: in a capture that another thread began on its per-thread stream\n\nThe call releases the GIL."),
    (c"gc_rng_set_seed", gc_rng_set_seed, c"gc_rng_set_seed(rng, stream, seed, /)\n--\n\nBegins another sequence when the earlier work of the stream has completed: that of the seed, with the same subsequence, from element 0 on.\n\nGraphs that were recorded before draw from it too. Work of other streams is the caller's to order, by events. The call cannot be recorded.\n\nParameters:\n  rng: the generator\n  stream: the stream, of the same context\n  seed: the seed\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_rng_get_seed", gc_rng_get_seed, c"gc_rng_get_seed(rng, stream, /)\n--\n\nReturns the seed of a generator as it is when the earlier work of the stream has completed, and waits for that, as gc_scalar_read() does.\n\nParameters:\n  rng: the generator\n  stream: the stream, of the same context\n\nReturns:\n  seed_out: the seed; 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: another capture forbids the wait\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_rng_set_offset", gc_rng_set_offset, c"gc_rng_set_offset(rng, stream, offset, /)\n--\n\nMakes a generator go on from an element of its sequence, when the earlier work of the stream has completed. See gc_rng_set_seed() for all else.\n\nParameters:\n  rng: the generator\n  stream: the stream, of the same context\n  offset: the number of the element that is drawn next\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_rng_get_offset", gc_rng_get_offset, c"gc_rng_get_offset(rng, stream, /)\n--\n\nReturns the number of the element that is drawn next, as it is when the earlier work of the stream has completed, and waits for that, as gc_scalar_read() does.\n\nParameters:\n  rng: the generator\n  stream: the stream, of the same context\n\nReturns:\n  offset_out: the number of the element; 0 on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: another capture forbids the wait\n  GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on\n\nThe call releases the GIL."),
    (c"gc_rng_subsequence", gc_rng_subsequence, c"gc_rng_subsequence(rng, /)\n--\n\nReturns the subsequence of a generator.\n\nParameters:\n  rng: the generator\n\nReturns:\n  subsequence_out: what gc_rng_create() was given; 0 on failure\n\nThe call keeps the GIL."),
    (c"gc_rng_destroy", gc_rng_destroy, c"gc_rng_destroy(rng, /)\n--\n\nDestroys a generator. Its state is freed when no graph or graph exec draws from it any more and the work that draws from it has completed. Does not wait.\n\nParameters:\n  rng: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_record_context_stream", gc_record_context_stream, c"gc_record_context_stream(context, /)\n--\n\nReturns the stream that an op submits to.\n\nParameters:\n  context: what the op was given\n\nReturns:\n  stream_out: the stream; NULL on failure. The handle belongs to the context: the op does not destroy it, and it is dead when the op returns\n\nThe call keeps the GIL."),
    (c"gc_record_context_graph", gc_record_context_graph, c"gc_record_context_graph(context, /)\n--\n\nReturns the graph that an op is recorded into. It can be looked at, and nodes be added to it, as gc_stream_capture_graph() tells.\n\nParameters:\n  context: what the op was given\n\nReturns:\n  graph_out: the graph, owned by the caller until gc_graph_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the script is submitted to a stream that is not being captured, so that the work runs and there is no graph; or the op ended the capture\n\nThe call releases the GIL."),
    (c"gc_record_context_pool", gc_record_context_pool, c"gc_record_context_pool(context, /)\n--\n\nReturns the pool of the capture that an op is recorded into. gc_script_record() and actors begin captures without one; gc_script_submit() records into whatever capture the stream is in, which may have been begun with a pool.\n\nParameters:\n  context: what the op was given\n\nReturns:\n  pool_out: another handle of the pool, owned by the caller until gc_pool_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_FOUND: the capture was begun without a pool, or the work runs instead of being recorded\n\nThe call releases the GIL."),
    (c"gc_callback_set_message", gc_callback_set_message, c"gc_callback_set_message(text, /)\n--\n\nTells why a function of the program's is about to fail that graphcap calls on this thread: gc_op_vtable::record or prepare, or a function that submits into a capture of graphcap's. The message of the call that runs it, or of the future that has its answer, has the text if the function then returns a number other than GRAPHCAP_SUCCESS. Elsewhere it has no effect.\n\nParameters:\n  text: UTF-8, not NULL; copied. What is behind the first 1024 bytes is left out\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: text is NULL or not valid UTF-8\n\nThe call keeps the GIL."),
    (c"gc_fft_plan_create", gc_fft_plan_create, c"gc_fft_plan_create(context, params, /)\n--\n\nPlans Fourier transforms, which any number of GRAPHCAP_WORK_FFT_R2C or GRAPHCAP_WORK_FFT_C2R ops can share. The first plan of a size may take a second on a GPU. On the host device a plan takes milliseconds where the length is a product of small primes and is below a million, and seconds where it has a prime factor of millions. A capture of the calling thread goes on. Any thread may use a plan.\n\nParameters:\n  context: where the transforms will run\n  params: their sizes, not NULL; copied\n\nReturns:\n  plan_out: the new plan, owned by the caller until gc_fft_plan_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: transforms overlap\n  GRAPHCAP_ERROR_LIBRARY: cuFFT cannot be loaded; the message has the names that were tried\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the library lacks a function, or cannot transform so\n  GRAPHCAP_ERROR_UNKNOWN: cuFFT failed otherwise, as it may while a blocking stream is captured; the message has its answer. Plans are best made before captures begin\n  GRAPHCAP_ERROR_ILLEGAL_ADDRESS: a kernel faulted before\n\nThe call releases the GIL."),
    (c"gc_fft_plan_destroy", gc_fft_plan_destroy, c"gc_fft_plan_destroy(plan, /)\n--\n\nDestroys a plan. Ops and graphs that use it keep it. What a GPU has of it goes in gc_context_collect() or gc_context_synchronize().\n\nParameters:\n  plan: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_script_create", gc_script_create, c"gc_script_create(context, /)\n--\n\nMakes a script without ops.\n\nAny thread may use a script, also to record it while another thread does. Calls that record or submit see the ops that it had when they began.\n\nParameters:\n  context: the context that its ops are prepared for, and on whose streams it is recorded\n\nReturns:\n  script_out: the new script, owned by the caller until gc_script_destroy(); NULL on failure\n\nThe call releases the GIL."),
    (c"gc_script_push_op", gc_script_push_op, c"gc_script_push_op(script, vtable, user_data, /)\n--\n\nAdds an op of the caller's at the end of a script.\n\nParameters:\n  script: the script\n  vtable: the functions of the op, not NULL; copied\n  user_data: passed to the functions; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: vtable is NULL, its struct_size is not valid, or gc_op_vtable::record is NULL\n  GRAPHCAP_ERROR_CALLBACK: gc_op_vtable::name is written in Rust and panicked\n\nThe call releases the GIL."),
    (c"gc_script_prepare", gc_script_prepare, c"gc_script_prepare(script, failure_out, /)\n--\n\nDoes beforehand what must not happen inside a capture: prepares the ops of a script that are not prepared yet. gc_script_record() and gc_script_submit() do so too, before they record anything.\n\nParameters:\n  script: the script\n  failure_out: in: struct_size; out: the op that failed; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a Fourier transform does not fit its buffers\n  GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer of a Fourier transform belongs to another context\n  GRAPHCAP_ERROR_CALLBACK: the function of an op is written in Rust and panicked\n  GRAPHCAP_ERROR_LIBRARY: a library of NVIDIA's that an op needs could not be loaded\n\nThe call releases the GIL."),
    (c"gc_script_record", gc_script_record, c"gc_script_record(script, stream, mode, failure_out, /)\n--\n\nRecords a script as a graph: begins a capture of a stream, records the ops in order, and ends the capture in any case.\n\nThe first op that fails ends the recording. The capture is discarded, the stream is as before, the message names the op by index and name, and so does failure_out. An op that succeeds although it broke or ended the capture counts as one that failed. A script can be recorded any number of times.\n\nParameters:\n  script: the script\n  stream: a stream of the script's context; not the legacy stream\n  mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers\n  failure_out: in: struct_size; out: the op that failed; may be NULL\n\nReturns:\n  graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the work of an op is wrong\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream, or an object that an op uses, belongs to another context\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream, or a capture bars this thread from what an op needs\n  GRAPHCAP_ERROR_CAPTURE_UNMATCHED: an op ended the capture\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: an op broke the capture\n  GRAPHCAP_ERROR_CAPTURE_UNJOINED: an op forked to a stream and did not join it\n  GRAPHCAP_ERROR_CALLBACK: the function of an op is written in Rust and panicked\n  GRAPHCAP_ERROR_LIBRARY: a library of NVIDIA's that an op needs could not be loaded\n  GRAPHCAP_ERROR_UNKNOWN: a library of NVIDIA's failed, as it may while other threads capture\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device or its driver cannot do the work of an op\n  GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster of a launch does not divide the grid, or is too large\n  GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: a launch is cooperative and has more blocks than the device runs at once\n  GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: a CUDA device lacks resources for a launch\n\nThe call releases the GIL."),
    (c"gc_script_submit", gc_script_submit, c"gc_script_submit(script, stream, failure_out, /)\n--\n\nSubmits the ops of a script to a stream, in order. They run, or are recorded if the stream is being captured.\n\nWhere an op fails, the ops before it stay submitted. A capture goes on, unless the failure broke it.\n\nParameters:\n  script: the script\n  stream: a stream of the script's context\n  failure_out: in: struct_size; out: the op that failed; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the work of an op is wrong\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the stream, or an object that an op uses, belongs to another context\n  GRAPHCAP_ERROR_CAPTURE_ISOLATION: an op of a captured stream waits for work outside the capture\n  GRAPHCAP_ERROR_ILLEGAL_STATE: another thread ended the capture meanwhile\n  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from what an op needs\n  GRAPHCAP_ERROR_CAPTURE_UNMATCHED: an op ended the capture\n  GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture was broken, by an op or before\n  GRAPHCAP_ERROR_CALLBACK: the function of an op is written in Rust and panicked\n  GRAPHCAP_ERROR_LIBRARY: a library of NVIDIA's that an op needs could not be loaded\n  GRAPHCAP_ERROR_UNKNOWN: a library of NVIDIA's failed, as it may while other threads capture\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device or its driver cannot do the work of an op\n  GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster of a launch does not divide the grid, or is too large\n  GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: a launch is cooperative and has more blocks than the device runs at once\n  GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: a CUDA device lacks resources for a launch\n\nThe call releases the GIL."),
    (c"gc_script_destroy", gc_script_destroy, c"gc_script_destroy(script, /)\n--\n\nDestroys a script. Graphs that were recorded from it keep what they use, and calls that use the script go on.\n\nParameters:\n  script: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_script_push", gc_script_push, c"gc_script_push(script, work, /)\n--\n\nAdds a built-in op at the end of a script.\n\nHandles and members are checked now. What depends on the device, and ranges of buffers, is checked when the op is recorded; a copy with GRAPHCAP_MEMCPY_SNAPSHOT is checked now, and the shape of one with GRAPHCAP_MEMCPY_PEER.\n\nParameters:\n  script: the script\n  work: the op, not NULL; read and copied during the call\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the work is none of a script, or is wrong: see gc_work and its kind\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the copy with a snapshot is of a device of another kind\n\nThe call releases the GIL."),
    (c"gc_actor_create", gc_actor_create, c"gc_actor_create(context, options, /)\n--\n\nStarts an actor: a thread, with a stream of its own, that does what it is told by messages, one after another.\n\nEach message is answered by a gc_future. A launch is answered when the device has completed it; several launches can be in flight, and those that one thread asked for are answered in the order of its calls. While the actor has nothing to do its thread sleeps.\n\nA call that sends a message waits while the mailbox is full, as gc_actor_options says. A call on the actor's own thread, which is in the callback of a future, never waits: it is refused with GRAPHCAP_ERROR_BUSY.\n\nAt most 256 launches are in flight. The next one stays in the mailbox until one of them has completed, and so do the messages behind it. Other messages are handled while 256 launches are in flight.\n\nIf the context faults or is reset, the actor answers everything with the cause: the launches in flight, the messages that wait, and those that come later. A launch that had completed before the fault succeeds; with GRAPHCAP_ACTOR_COMPLETION_EVENT a GPU does not tell, and such a launch gets the fault if the actor had not seen it complete. Any other error is that of the message that failed, and the actor goes on.\n\nParameters:\n  context: the context that the actor works in\n  options: how the actor works; NULL for the defaults\n\nReturns:\n  actor_out: the new actor, owned by the caller until gc_actor_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: gc_actor_options::post_timeout_ns is not 0 with GRAPHCAP_ACTOR_REFUSE_WHEN_FULL\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory, or no thread can be started\n\nThe call releases the GIL."),
    (c"gc_actor_destroy", gc_actor_destroy, c"gc_actor_destroy(actor, /)\n--\n\nDestroys an actor, and closes it as gc_actor_close() does. Does not wait: launches that it made finish, and their futures are answered.\n\nParameters:\n  actor: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_actor_record", gc_actor_record, c"gc_actor_record(actor, script, mode, flags, /)\n--\n\nMakes the actor record a script on its stream and make a graph exec of the graph. gc_future_take_exec() gets the graph exec from the answer.\n\nThe script is recorded when the actor comes to the message, with the ops that it has then. Its functions run on the actor's thread.\n\nParameters:\n  actor: the actor\n  script: a script of the actor's context\n  mode: a GRAPHCAP_CAPTURE_MODE_ number: which calls of other threads the capture bars\n  flags: 0 or GRAPHCAP_INSTANTIATE_ flags, but not GRAPHCAP_INSTANTIATE_UPLOAD\n\nReturns:\n  future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of gc_script_record() or of gc_graph_instantiate(), or one that every message can have: GRAPHCAP_ERROR_CANCELLED when the actor was closed before it came to the message, GRAPHCAP_ERROR_STALE when the context was reset, or the status of a fault\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: mode or a flag is unknown\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed\n  GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait\n  GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns\n\nThe call releases the GIL."),
    (c"gc_actor_adopt", gc_actor_adopt, c"gc_actor_adopt(actor, graph, flags, /)\n--\n\nMakes the actor make a graph exec of a graph that the caller captured or built. gc_future_take_exec() gets the graph exec from the answer.\n\nParameters:\n  actor: the actor\n  graph: a graph; to be launched by the actor it is of a context on the actor's device. The graph exec keeps it, for gc_actor_export_dot()\n  flags: 0 or GRAPHCAP_INSTANTIATE_ flags, but not GRAPHCAP_INSTANTIATE_UPLOAD\n\nReturns:\n  future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of gc_graph_instantiate(), or one that every message can have, see gc_actor_record()\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed\n  GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait\n  GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns\n\nThe call releases the GIL."),
    (c"gc_actor_launch", gc_actor_launch, c"gc_actor_launch(actor, exec, /)\n--\n\nMakes the actor launch a graph exec on its stream. The answer comes when the launch has completed. The graph exec lives until then, also if its handle is destroyed.\n\nParameters:\n  actor: the actor\n  exec: a graph exec of a context on the actor's device\n\nReturns:\n  future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of gc_graph_launch(), or one that every message can have, see gc_actor_record()\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed\n  GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait\n  GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns\n\nThe call releases the GIL."),
    (c"gc_actor_update", gc_actor_update, c"gc_actor_update(actor, exec, graph, /)\n--\n\nMakes the actor update a graph exec to do the work of a graph, behind the launches that were asked for before. Later launches do the work of the graph.\n\nParameters:\n  actor: the actor\n  exec: the graph exec\n  graph: as gc_graph_exec_update() takes it; the graph exec keeps it, for gc_actor_export_dot()\n\nReturns:\n  future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of gc_graph_exec_update(), and the graph exec is unchanged then; or one that every message can have, see gc_actor_record()\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed\n  GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait\n  GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns\n\nThe call releases the GIL."),
    (c"gc_actor_set_fft_plan", gc_actor_set_fft_plan, c"gc_actor_set_fft_plan(actor, exec, op_index, plan, /)\n--\n\nMakes the actor make the Fourier transforms of a graph exec by another plan, behind the launches that were asked for before. The graph exec is one that an actor recorded, and the transforms are those of an op of its script.\n\nThe actor records the ops that the script had then once more, so that functions of ops run again on the actor's thread, and applies the new graph to the graph exec as gc_graph_exec_apply() does. What was set in single nodes of the graph exec is lost. The plan may have another length or batch than the one before, where the op's buffers have room. The plan before ends when no launch, op or graph needs it any more.\n\nSo that it can be recorded again, a graph exec that an actor recorded from a script with a Fourier transform keeps the ops of the script.\n\nParameters:\n  actor: the actor\n  exec: a graph exec that an actor recorded\n  op_index: the index of the op in the script, from 0: a GRAPHCAP_WORK_FFT_R2C or GRAPHCAP_WORK_FFT_C2R\n  plan: a plan of the same direction, of the actor's context; the graph exec keeps it\n\nReturns:\n  future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is GRAPHCAP_ERROR_NOT_FOUND for a graph exec that no actor recorded from a script with a transform, or that gc_actor_update() gave another graph since; GRAPHCAP_ERROR_INVALID_VALUE where the op is no transform, or one of the other direction, or its buffers are too small; an error of gc_script_record() or of gc_graph_exec_apply(), or one that every message can have, see gc_actor_record(). The graph exec is unchanged then\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed\n  GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait\n  GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns\n\nThe call releases the GIL."),
    (c"gc_actor_export_dot", gc_actor_export_dot, c"gc_actor_export_dot(actor, exec, flags, /)\n--\n\nMakes the actor write the graph of a graph exec in Graphviz's DOT language, as gc_graph_export_dot() does. It is the graph that an actor made the graph exec of, or the one that it was last updated to by an actor. gc_future_text() gets the text from the answer.\n\nParameters:\n  actor: the actor\n  exec: a graph exec that an actor made\n  flags: 0 or GRAPHCAP_DOT_ flags\n\nReturns:\n  future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is GRAPHCAP_ERROR_NOT_FOUND for a graph exec that no actor made, an error of gc_graph_export_dot(), or one that every message can have, see gc_actor_record()\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown\n  GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed\n  GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait\n  GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns\n\nThe call releases the GIL."),
    (c"gc_actor_close", gc_actor_close, c"gc_actor_close(actor, nanoseconds, /)\n--\n\nCloses an actor. It takes no more messages, answers those that it has not come to with GRAPHCAP_ERROR_CANCELLED, lets the launches that it made finish, and answers them. Closing again only waits.\n\nParameters:\n  actor: the actor\n  nanoseconds: the longest time to wait until the actor's thread has answered everything; 0 does not wait, and UINT64_MAX waits for ever\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_TIMEOUT: launches had not completed by then; the actor is closed, and they go on\n  GRAPHCAP_ERROR_BUSY: the call was made on the actor's own thread, with a time to wait; the actor is closed\n  GRAPHCAP_ERROR_NOT_PERMITTED: the call was made inside a host function; the actor is not closed\n\nThe call releases the GIL."),
    (c"gc_actor_event_fd", gc_actor_event_fd, c"gc_actor_event_fd(actor, /)\n--\n\nReturns a file descriptor for event loops that is readable while gc_actor_next_completed() has a future to return. The descriptor is an eventfd. The first call begins this: futures of calls that were made before do not come.\n\nParameters:\n  actor: the actor\n\nReturns:\n  fd_out: the descriptor, the same in each call; 0 on failure. It belongs to the actor, and is closed when the actor is destroyed and all its futures are answered. Watch it by poll(2) and the like; do not read from it, write to it or close it\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the process can have no more descriptors\n\nThe call releases the GIL."),
    (c"gc_actor_next_completed", gc_actor_next_completed, c"gc_actor_next_completed(actor, /)\n--\n\nReturns the next future that the actor has answered. Each one is returned once, and not if it was destroyed meanwhile. Those of launches that one thread asked for come in the order of its calls. Another thread's call that sent the message may not have returned yet.\n\nParameters:\n  actor: an actor whose gc_actor_event_fd() was called\n\nReturns:\n  future_out: the handle that the call gave which sent the message. It is no new handle: it is destroyed once. NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_READY: there is none at present\n  GRAPHCAP_ERROR_ILLEGAL_STATE: gc_actor_event_fd() was not called\n\nThe call releases the GIL."),
    (c"gc_future_poll", gc_future_poll, c"gc_future_poll(future, /)\n--\n\nTells whether a future has been answered. Does not wait.\n\nParameters:\n  future: the future\n\nReturns:\n  is_done_out: 1 if it has been answered, else 0\n\nThe call keeps the GIL."),
    (c"gc_future_wait", gc_future_wait, c"gc_future_wait(future, nanoseconds, failure_out, /)\n--\n\nWaits for the answer, and returns it. Further calls return the same answer.\n\nIf the time passes while a launch of a graph exec that was made with GRAPHCAP_INSTANTIATE_WATCH goes on, the message of the error names the nodes that could run and have not completed.\n\nParameters:\n  future: the future\n  nanoseconds: the longest time to wait; 0 checks once, UINT64_MAX waits for ever\n  failure_out: in: struct_size; out: what the answer is if it is an error, with the op of a script that failed; may be NULL. Its status tells an answer from an error of this call, where it stays 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_CANCELLED: the actor was closed before it came to the message\n  GRAPHCAP_ERROR_TIMEOUT: the time passed before the answer came\n  GRAPHCAP_ERROR_BUSY: the call was made on the actor's own thread, and the future is not answered\n\nThe call releases the GIL."),
    (c"gc_future_on_done", gc_future_on_done, c"gc_future_on_done(future, function, user_data, destroy, /)\n--\n\nRegisters a function that is called when the future is answered: on the actor's thread, or, if it is answered already, on this thread before the call returns. Any number of functions can be given; they are called in that order.\n\nParameters:\n  future: the future\n  function: called exactly once, also if the future is destroyed before; not NULL\n  user_data: passed to function and to destroy; may be NULL\n  destroy: called exactly once, after function, or when this call fails; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: function is NULL\n\nThe call releases the GIL."),
    (c"gc_future_stall_report", gc_future_stall_report, c"gc_future_stall_report(future, progress_out, /)\n--\n\nTells how far a launch was when it had not completed within gc_actor_options::stall_limit_ns, in numbers and in words. The first line of the text says it all. Further lines name nodes, as gc_graph_exec_progress() does, if the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH. The report stays when the launch completes after all. Does not wait.\n\nOf the launches of an actor, which complete one after another, the earliest one that has not completed is reported.\n\nParameters:\n  future: the future of gc_actor_launch()\n  progress_out: in: struct_size; out: how far the launch was; all 0 for a graph exec that was made without GRAPHCAP_INSTANTIATE_WATCH; empty on failure; may be NULL\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the text was cut to fit; progress_out is empty\n  GRAPHCAP_ERROR_NOT_FOUND: nothing was reported: the launch was not late by now, the actor has no limit, or the message is no launch\n\nThe call releases the GIL."),
    (c"gc_future_on_stall", gc_future_on_stall, c"gc_future_on_stall(future, function, user_data, destroy, /)\n--\n\nRegisters a function that is called when a launch has not completed within gc_actor_options::stall_limit_ns: on a thread of the actor's that does nothing else, or, if it was reported already, on this thread before the call returns. The function may make any gc_ call, and wait. While it runs, other launches of the actor are not reported; the answer may come meanwhile. gc_future_stall_report() has the report.\n\nParameters:\n  future: the future of gc_actor_launch()\n  function: called at most once, also if the future is destroyed before; not NULL\n  user_data: passed to function and to destroy; may be NULL\n  destroy: called exactly once: after function, when the future is answered before that, or when this call fails; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: function is NULL\n\nThe call releases the GIL."),
    (c"gc_future_take_exec", gc_future_take_exec, c"gc_future_take_exec(future, /)\n--\n\nTakes the graph exec from an answer: that of gc_actor_record() and gc_actor_adopt(). It can be taken once. If nobody takes it, it goes with the future.\n\nParameters:\n  future: the future\n\nReturns:\n  exec_out: the graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_READY: the future is not answered yet\n  GRAPHCAP_ERROR_NOT_FOUND: the message makes no graph exec, or the graph exec was taken before\n\nThe call releases the GIL."),
    (c"gc_future_text", gc_future_text, c"gc_future_text(future, /)\n--\n\nCopies the text of an answer: that of gc_actor_export_dot().\n\nParameters:\n  future: the future\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_READY: the future is not answered yet\n  GRAPHCAP_ERROR_NOT_FOUND: the message has no text for its answer\n\nThe call releases the GIL."),
    (c"gc_future_event_fd", gc_future_event_fd, c"gc_future_event_fd(future, /)\n--\n\nReturns a file descriptor, an eventfd, that is readable once the future is answered. It is made by the first call.\n\ngc_actor_event_fd() is one descriptor for all futures of an actor.\n\nParameters:\n  future: the future\n\nReturns:\n  fd_out: the descriptor, the same in each call; 0 on failure. It belongs to the future, and is closed when the future is answered and destroyed. Watch it by poll(2) and the like; do not read from it, write to it or close it\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the process can have no more descriptors\n\nThe call releases the GIL."),
    (c"gc_future_destroy", gc_future_destroy, c"gc_future_destroy(future, /)\n--\n\nDestroys a future. The message is carried out all the same, and functions of gc_future_on_done() and gc_future_on_stall() are called.\n\nParameters:\n  future: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_graph_optimize", gc_graph_optimize, c"gc_graph_optimize(graph, options, report_out, /)\n--\n\nMakes a graph that does what a graph does, and runs at once what need not run one after another. The graph itself is not changed, and may be used meanwhile: the result has what was there at one time. docs/optimize.md has all rules.\n\nTwo nodes stay in the recorded order if one writes bytes that the other one reads or writes, or if a path of such nodes leads from one to the other. The others are laid out on lanes, each of which runs one node at a time. A cooperative launch runs beside nothing. A graph with an edge that carries something keeps its edges, and so does one of more than 4,096 nodes if a node of it may wait for what another one does. If the edges that the work needs leave no shorter path, the result has the recorded edges.\n\nWhat copies and memsets touch is known, and orders them, in host memory as well: the CPU may see them in another order while a replay runs. What a kernel touches is known if gc_kernel_set_accesses() said it, or if the launch did by gc_kernel_arg::access of each of its buffers, one of which is written; the statement of the launch goes first. Memory that graphcap did not allocate counts as memory of the device. All other nodes keep their place: kernels of which nothing is stated, kernels that may write host memory, managed memory or memory of another device, kernels that run beside nothing, host functions, events, value operations, allocations, child graphs and conditionals, whose graphs are optimized inside. gc_optimize_options::statements and flags free some of these. GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS is right only for kernels that follow no pointer in memory, and use no variable of their module, no texture or surface object and no heap of the device.\n\nOn a CUDA device a graph of several roots or leaves gets one kernel that does nothing before all, and one behind all, as it would be replayed slowly otherwise. GRAPHCAP_OPTIMIZE_SHAPE_ONLY does this alone, on any graph that can be cloned.\n\nAll this is an estimate. With GRAPHCAP_OPTIMIZE_MEASURE or GRAPHCAP_OPTIMIZE_MEASURE_SINGLE up to eight candidates are replayed on a stream of their own, and the result is the fastest. What the nodes write is saved, and restored before each replay and at the end, also when the call fails, unless a node failed. That memory must live, work that uses it must be complete, and nothing else may use it meanwhile. Nothing is measured where it is not known what a node writes, where that is more than max_bytes, and where a node does what permits do not say.\n\nThe result is a copy as gc_graph_clone() makes it: gc_node_find_in_clone() finds its nodes. Graphs of the same nodes and edges, whose nodes conflict alike, come out alike, and update each other's execs. A plan makes later graphs come out alike whose conflicts differ.\n\nGRAPHCAP_OPTIMIZE_IN_PLACE changes the graph itself: one with allocations or conditions, or one within a node.\n\nParameters:\n  graph: the graph; if a capture is going into it, a new graph has what was recorded so far\n  options: NULL for the defaults\n  report_out: in: struct_size; out: what was made; may be NULL\n\nReturns:\n  graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure. Has to be NULL with GRAPHCAP_OPTIMIZE_IN_PLACE, and only then may be\n  plan_out: a plan of what was made, owned by the caller until gc_plan_destroy(); NULL on failure; may be NULL\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle\n  GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_OPTIMIZE_IN_PLACE is given while a capture goes into the graph, or into one within it; nothing was changed\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has allocations or conditions, or on a CUDA device nodes that kernels can change, and cannot be copied, or the device cannot change its edges\n\nThe call releases the GIL."),
    (c"gc_graph_optimize_text", gc_graph_optimize_text, c"gc_graph_optimize_text(graph, options, /)\n--\n\nWrites what gc_graph_optimize() makes of a graph, as text for people of at most 40 lines: the gain; what was recorded and what the result has; each candidate with its times, which this call measures anew if the options say so; and why it is not more: nodes that keep their place, and nodes of the longest path that stay behind others, in groups by kernel and reason.\n\nParameters:\n  graph: the graph, as gc_graph_optimize() takes it\n  options: NULL for the defaults\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: as gc_graph_optimize() has it\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has allocations or conditions and cannot be copied\n\nThe call releases the GIL."),
    (c"gc_graph_optimize_reasons", gc_graph_optimize_reasons, c"gc_graph_optimize_reasons(graph, options, /)\n--\n\nLists why gc_graph_optimize() with these options leaves nodes in order: first the nodes that keep their place, in the recorded order; then the nodes that stay behind others on the longest path, which no lanes can shorten, from its first node on; then the workspaces that nodes share. Nothing is measured, and the graph stays as it is. The graphs of child nodes and conditional nodes are asked on their own.\n\nThe list is empty where nothing keeps nodes in order, and with GRAPHCAP_OPTIMIZE_SHAPE_ONLY.\n\nParameters:\n  graph: the graph\n  options: as gc_graph_optimize() takes them; NULL for the defaults\n\nReturns:\n  reasons_out: where to write the reasons; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle, or the flags have GRAPHCAP_OPTIMIZE_IN_PLACE\n\nThe call releases the GIL."),
    (c"gc_plan_apply", gc_plan_apply, c"gc_plan_apply(plan, graph, flags, report_out, /)\n--\n\nMakes of a graph what gc_graph_optimize() made of the graph that the plan is of: the same nodes and edges in the same order, so that graph execs of both update each other. The graph has to have the nodes and the recorded edges of that one; what its nodes do may differ. It is checked that all nodes that have to stay in the recorded order do, in time that grows with the numbers of nodes, edges and lanes. Nothing is measured.\n\nParameters:\n  plan: the plan\n  graph: the graph, of the context of the plan; as gc_graph_optimize() takes it\n  flags: 0 or GRAPHCAP_OPTIMIZE_IN_PLACE\n  report_out: in: struct_size; out: what was made; may be NULL\n\nReturns:\n  graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure. Has to be NULL with GRAPHCAP_OPTIMIZE_IN_PLACE, and only then may be\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the plan is of a graph of other nodes or edges\n  GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_OPTIMIZE_IN_PLACE is given while a capture goes into the graph, or into one within it; nothing was changed\n  GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: two nodes have to stay in order that the plan runs side by side; the message names them and what they conflict in\n  GRAPHCAP_ERROR_INVALID_CONTEXT: the graph is of another context than the plan\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has allocations or conditions and cannot be copied, or the device cannot change its edges\n\nThe call releases the GIL."),
    (c"gc_plan_destroy", gc_plan_destroy, c"gc_plan_destroy(plan, /)\n--\n\nDestroys a plan. Graphs that were made by it go on.\n\nParameters:\n  plan: NULL has no effect\n\nThe call releases the GIL."),
    (c"gc_graph_verify", gc_graph_verify, c"gc_graph_verify(graph, options, report_out, /)\n--\n\nChecks by trial whether what is declared of a graph's kernels is true (gc_kernel_set_accesses(), or that their parameters can be trusted), which gc_graph_optimize() relies on.\n\nThe graph is replayed five times as it was recorded: bytes that differ then are not compared. Its nodes run one by one in the recorded order, which shows what each of them writes: no more than is declared, and no byte that another node writes from which no order is needed. Then they run one after another in other orders that the declared accesses allow: the reverse, random ones each with its reverse, and some that have the remaining pairs of nodes the other way round. Last they run side by side on lanes. All that is written is compared. Where an order gives another result, orders between it and the recorded one tell which two nodes must not change places.\n\nA write of what is there already is not seen, and what never gives another result is not found.\n\nAll memory that the nodes write is saved before and restored after, also when the call fails; memory that they only reach as far as there is room. It is used as gc_graph_optimize() uses it when it measures. The call waits for its replays, on a stream of its own.\n\nParameters:\n  graph: the graph\n  options: NULL for the defaults\n  report_out: in: struct_size; out: what was done and found\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle, or memory that nodes write is gone\n  GRAPHCAP_ERROR_NOT_SUPPORTED: what a node writes is not known, or it does what the options do not permit (the message names it); or the graph has allocations, conditions, an edge that carries something, or more than 16,384 nodes\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the nodes write more bytes than the options allow to save, or there is not enough memory\n\nThe call releases the GIL."),
    (c"gc_graph_check", gc_graph_check, c"gc_graph_check(graph, least, /)\n--\n\nLists what is wrong with a graph, or may be, without running or changing it; docs/checking.md explains each finding.\n\nThe findings come node by node, each node behind those that it waits for. What is not known gives no finding. The graphs of child nodes and conditional nodes are asked on their own.\n\nParameters:\n  graph: the graph\n  least: the GRAPHCAP_SEVERITY_ number from which on findings are listed\n\nReturns:\n  findings_out: where to write the findings; may be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle\n\nThe call releases the GIL."),
    (c"gc_graph_check_text", gc_graph_check_text, c"gc_graph_check_text(graph, least, /)\n--\n\nWrites the findings of gc_graph_check() as text for people: a line for each with its severity, the node, what is wrong, and what to do. The text is empty where nothing was found.\n\nParameters:\n  graph: the graph\n  least: as gc_graph_check() takes it\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: as gc_graph_check() has it\n\nThe call releases the GIL."),
    (c"gc_graph_check_json", gc_graph_check_json, c"gc_graph_check_json(graph, least, /)\n--\n\nWrites the findings of gc_graph_check() as JSON, as `graphcap check --json` does. docs/findings.schema.json describes it. Nodes are places in the list of gc_graph_get_nodes(), as in the text of gc_graph_export_json().\n\nParameters:\n  graph: the graph\n  least: as gc_graph_check() takes it\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: as gc_graph_check() has it\n\nThe call releases the GIL."),
    (c"gc_graph_exec_check_findings", gc_graph_exec_check_findings, c"gc_graph_exec_check_findings(exec, least, /)\n--\n\nLists the memory that is gone and that nodes of a graph exec name, as gc_graph_check() lists it of a graph. gc_graph_exec_check() tells what is known of it. Nodes are those of gc_graph_exec_check_info::node.\n\nParameters:\n  exec: the graph exec\n  least: as gc_graph_check() takes it\n\nReturns:\n  findings_out: where to write the findings; may be NULL when capacity is 0\n\nThe call releases the GIL."),
    (c"gc_graph_exec_check_text", gc_graph_exec_check_text, c"gc_graph_exec_check_text(exec, least, /)\n--\n\nWrites the findings of gc_graph_exec_check_findings() as text for people, as gc_graph_check_text() does.\n\nParameters:\n  exec: the graph exec\n  least: as gc_graph_check() takes it\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nThe call releases the GIL."),
    (c"gc_graph_exec_check_json", gc_graph_exec_check_json, c"gc_graph_exec_check_json(exec, least, /)\n--\n\nWrites the findings of gc_graph_exec_check_findings() as JSON, as gc_graph_check_json() does, with ids of nodes instead of their places.\n\nParameters:\n  exec: the graph exec\n  least: as gc_graph_check() takes it\n\nReturns:\n  text: where to write; the text ends with a NUL. May be NULL when capacity is 0\n\nThe call releases the GIL."),
    (c"gc_graph_step", gc_graph_step, c"gc_graph_step(graph, options, findings_out, capacity, report_out, /)\n--\n\nReplays a graph node by node, each on its own behind those that it waits for, and waits for each. docs/stepping.md shows how to find a wrong node so.\n\nMemory is used as by gc_graph_verify(). What the nodes write is saved before and restored after, also when a node fails, as far as gc_step_options::max_bytes allows. What a kernel writes is known by what is stated of it; a kernel of which nothing is stated counts as writing all memory that its arguments point to. A graph that cannot be copied runs as one step.\n\nParameters:\n  graph: the graph\n  options: NULL for the defaults\n  findings_out: where to write the findings, in the order in which the nodes ran; may be NULL when capacity is 0\n  capacity: how many findings fit; more are left out\n  report_out: in: struct_size; out: what was done\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: a flag, a kind or a node is unknown, a struct_size is not valid, the edges of the graph form a cycle, or memory that nodes write is gone\n  GRAPHCAP_ERROR_NOT_SUPPORTED: a node does what the options do not permit; the message names it\n\nThe call releases the GIL."),
    (c"gc_graph_bisect", gc_graph_bisect, c"gc_graph_bisect(graph, options, is_good, user_data, findings_out, capacity, report_out, /)\n--\n\nFinds the smallest set of nodes, or of missing edges, that makes replays of a graph bad. docs/stepping.md shows how to use it.\n\nis_good judges each replay. First the graph is replayed as it is, then its nodes one after another, in the order that gc_graph_get_order() tells and in another one. Where that is good, edges are missing, and the smallest set of edges is looked for. Else nodes are switched off, which then do nothing: the smallest set is looked for with which a replay is bad. So is_good has to accept replays that leave work out, none of which may wait for what a node writes that is off, and to tell bad ones by what no replay may leave, such as NaNs. Where it does not, each node is switched off alone.\n\nMemory is used as by gc_graph_step(): what the nodes write is restored before each replay and in the end, also when a replay fails. Nothing else may use that memory meanwhile. A graph that cannot be copied is not tried in order. The graph is not changed.\n\nParameters:\n  graph: the graph\n  options: NULL for the defaults\n  is_good: judges a replay\n  user_data: passed to is_good and gc_bisect_options::text; may be NULL\n  findings_out: where to write the findings, in the order in which the nodes run; may be NULL when capacity is 0\n  capacity: how many findings fit; more are left out\n  report_out: in: struct_size; out: what was done and found\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: is_good is NULL, a flag is unknown, a struct_size is not valid, the edges of the graph form a cycle, or memory that nodes write is gone\n  GRAPHCAP_ERROR_NOT_SUPPORTED: a node does what the options do not permit; the message names it\n  GRAPHCAP_ERROR_OUT_OF_MEMORY: the nodes write more bytes than gc_bisect_options::max_bytes, or there is not enough memory\n\nThe call releases the GIL."),
    (c"gc_object_native", gc_object_native, c"gc_object_native(object, /)\n--\n\nReturns the driver's handle of an object: the CUcontext, CUstream, CUevent, CUmodule, CUfunction, CUgraph or CUgraphExec. Code outside graphcap may use it.\n\nThe call may be made inside callbacks for a context, an event, a module and a kernel.\n\n**A context** has the primary context of the device, which the CUDA runtime and the libraries on it use too.\n\n**A stream**: libraries may submit work to it, also while it is captured. After this call others may begin and end captures on the stream. Each later call therefore asks the driver which capture the stream is in, which costs about 20 ns. A default stream gives CU_STREAM_LEGACY or CU_STREAM_PER_THREAD, which mean a stream of the current context.\n\n**An event**: others may record it and wait for it from then on.\n\n**A graph**: nodes that others add are replayed like all other nodes; the graph does not keep alive what they use. An exec that others make of the graph keeps alive what the graph keeps. The driver sees to that, which makes launches slower by half or more: launches of execs of others, and of the execs that gc_graph_instantiate() makes of the graph after this call. Two threads must not use a CUgraph at once. No gc_ call may use the graph while others use the CUgraph.\n\n**A graph exec**: others may launch it. No gc_ call may use the graph exec while others use it. graphcap does not see where others launch the CUgraphExec. After gc_graph_exec_destroy(), what the graph exec keeps alive therefore stays until a gc_context_synchronize() or gc_context_collect() that begins after the destroy has returned.\n\nParameters:\n  object: a gc_context, gc_stream, gc_event, gc_module, gc_kernel, gc_graph or gc_graph_exec\n\nReturns:\n  native_out: the driver's handle, valid until the graphcap handle is destroyed; the caller must not destroy it; NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_HANDLE: object is not a live handle of one of these kinds\n  GRAPHCAP_ERROR_ILLEGAL_STATE: object is a stream, and a capture that was begun on it goes into a graph within a node; end the capture first\n  GRAPHCAP_ERROR_NOT_PERMITTED: the call was made inside a host function for a stream, a graph or a graph exec\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles\n\nThe call keeps the GIL."),
    (c"gc_node_native", gc_node_native, c"gc_node_native(graph, node, /)\n--\n\nReturns the CUgraphNode of a node. Others may change the graph after this call, as after gc_graph_native(), and launches become slower as they do there. If others remove a node, functions refuse its name once graphcap has looked at the graph again. If others remove a node and add one before graphcap looks again, the driver may give both nodes the same handle; graphcap then takes the new node for the old one.\n\nParameters:\n  graph: the graph\n  node: one of its nodes\n\nReturns:\n  native_out: the driver's handle, valid until the node is removed or the graph destroyed; NULL on failure\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_INVALID_VALUE: node names no node of the graph, or the graph was lost when a capture into it failed\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles\n\nThe call releases the GIL."),
    (c"gc_record_context_native_blas", gc_record_context_native_blas, c"gc_record_context_native_blas(context, /)\n--\n\nReturns a handle of cuBLAS, a cublasHandle_t, for products that an op records by itself. It is set to the stream of gc_record_context_stream(), in the workspace that graphcap's own products on that stream use, which the graph keeps; with factors from memory of the host's and without TF32. Nobody else uses it until the op returns. The op does not destroy it, and leaves stream and workspace as they are.\n\nThe library is called with the context current, and in the relaxed capture mode where it may allocate. The stream counts as one that others use from then on, as after gc_stream_native().\n\nParameters:\n  context: what the op was given\n\nReturns:\n  native_out: the library's handle, valid until the op returns; NULL on failure. Another call returns it again\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles\n  GRAPHCAP_ERROR_LIBRARY: cuBLAS cannot be loaded; the message has the names that were tried\n\nThe call releases the GIL."),
    (c"gc_record_context_native_rand", gc_record_context_native_rand, c"gc_record_context_native_rand(context, /)\n--\n\nReturns a generator of cuRAND, a curandGenerator_t of the type CURAND_RNG_PSEUDO_PHILOX4_32_10, for random numbers that an op records by itself. It is set to the stream of gc_record_context_stream(), and is as a new one otherwise: seed 0, offset 0 and CURAND_ORDERING_PSEUDO_DEFAULT. It is lent for one call of gc_op_vtable::record: the next call gets another one. A graph that the op is recorded into keeps the generator, whose memory its nodes use; what is executed keeps it until it is complete. The op does not destroy it, does not use it when it has returned, and leaves its stream as it is. Generators that nothing needs any more are lent again, and are destroyed in gc_context_collect() and gc_context_synchronize().\n\nThe generator is for work that is executed: in a capture its first numbers, and those after another seed or offset, break the capture in any mode. A recorded op draws by a generator of its own that has drawn before the capture; docs/math.md. cuRAND's numbers have another order than those of gc_rng.\n\nThe library is called with the context current, and in the relaxed capture mode. The stream counts as one that others use from then on, as after gc_stream_native().\n\nParameters:\n  context: what the op was given\n\nReturns:\n  native_out: the library's generator, valid until the op returns; NULL on failure. Until then another call returns it again\n\nRaises graphcap.Error with the status\n  GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles\n  GRAPHCAP_ERROR_LIBRARY: cuRAND cannot be loaded; the message has the names that were tried\n\nThe call releases the GIL."),
];
