"""The C functions of libgraphcap.so.0. Generated from include/graphcap-api.json by python/scripts/generate.py. Do not edit."""

from .._native import Handle, Pointer, Words

__all__ = [
    "gc_version",
    "gc_version_string",
    "gc_status_name",
    "gc_status_description",
    "gc_last_error_message",
    "gc_live_handles",
    "gc_log_set_callback",
    "gc_trace_start",
    "gc_trace_stop",
    "gc_trace_mark",
    "gc_device_count",
    "gc_device_name",
    "gc_device_auto_reason",
    "gc_context_create",
    "gc_context_destroy",
    "gc_context_synchronize",
    "gc_context_synchronize_for",
    "gc_context_stream_priority_range",
    "gc_context_collect",
    "gc_context_make_current",
    "gc_context_get_info",
    "gc_context_device_name",
    "gc_context_legacy_stream",
    "gc_context_per_thread_stream",
    "gc_context_reset",
    "gc_set_name",
    "gc_get_name",
    "gc_node_set_name",
    "gc_node_get_name",
    "gc_context_memory_report",
    "gc_object_context",
    "gc_kernel_get_module",
    "gc_buffer_allocate",
    "gc_buffer_allocate_waitable",
    "gc_buffer_wrap",
    "gc_buffer_destroy",
    "gc_buffer_size",
    "gc_buffer_address",
    "gc_host_check_range",
    "gc_host_buffer_allocate",
    "gc_host_buffer_register",
    "gc_host_buffer_destroy",
    "gc_host_buffer_size",
    "gc_host_buffer_pointer",
    "gc_host_buffer_device_address",
    "gc_buffer_allocate_managed",
    "gc_stream_attach_mem_async",
    "gc_module_load",
    "gc_module_destroy",
    "gc_module_get_kernel",
    "gc_module_get_global",
    "gc_kernel_destroy",
    "gc_kernel_name",
    "gc_kernel_parameter_count",
    "gc_kernel_parameter_size",
    "gc_kernel_set_accesses",
    "gc_kernel_set_buffer_access",
    "gc_kernel_set_concurrency",
    "gc_kernel_get_attribute",
    "gc_kernel_set_attribute",
    "gc_kernel_max_active_blocks",
    "gc_kernel_suggested_block_size",
    "gc_kernel_available_shared_mem",
    "gc_kernel_max_active_clusters",
    "gc_kernel_max_cluster_size",
    "gc_stream_create",
    "gc_stream_wrap",
    "gc_stream_destroy",
    "gc_stream_synchronize",
    "gc_stream_synchronize_for",
    "gc_stream_is_complete",
    "gc_stream_id",
    "gc_stream_begin_capture",
    "gc_stream_end_capture",
    "gc_stream_is_capturing",
    "gc_stream_capture_status",
    "gc_stream_wait_event",
    "gc_stream_memcpy_htod",
    "gc_stream_memcpy_dtoh",
    "gc_stream_memcpy_dtod",
    "gc_stream_memset",
    "gc_stream_launch_host_func",
    "gc_host_fail",
    "gc_stream_launch_kernel",
    "gc_context_memcpy",
    "gc_context_memset",
    "gc_stream_memcpy_batch",
    "gc_stream_write_value32",
    "gc_stream_write_value64",
    "gc_stream_wait_value32",
    "gc_stream_wait_value64",
    "gc_stream_batch_mem_op",
    "gc_stream_flags",
    "gc_stream_priority",
    "gc_stream_get_attribute",
    "gc_stream_set_attribute",
    "gc_stream_copy_attributes",
    "gc_event_create",
    "gc_event_destroy",
    "gc_event_record",
    "gc_event_is_complete",
    "gc_event_synchronize",
    "gc_event_synchronize_for",
    "gc_event_elapsed_time",
    "gc_event_ipc_handle",
    "gc_event_open_ipc_handle",
    "gc_event_id",
    "gc_stream_submit",
    "gc_stream_capture_info",
    "gc_stream_capture_frontier",
    "gc_stream_export_capture_dot",
    "gc_stream_update_capture_dependencies",
    "gc_stream_capture_violation",
    "gc_thread_exchange_capture_mode",
    "gc_stream_capture",
    "gc_capture_begin",
    "gc_capture_destroy",
    "gc_capture_record_kernel",
    "gc_capture_record_memcpy",
    "gc_capture_record_memset",
    "gc_capture_recorded_count",
    "gc_capture_is_active",
    "gc_capture_end",
    "gc_capture_abort",
    "gc_capture_record",
    "gc_stream_capture_graph",
    "gc_stream_set_condition",
    "gc_graph_create",
    "gc_graph_destroy",
    "gc_graph_node_count",
    "gc_graph_edge_count",
    "gc_graph_get_nodes",
    "gc_graph_export_dot",
    "gc_graph_instantiate",
    "gc_node_kind",
    "gc_node_get_dependencies",
    "gc_node_get_dependents",
    "gc_graph_get_roots",
    "gc_graph_get_order",
    "gc_node_get_graph",
    "gc_node_get_containing_graph",
    "gc_node_get_kernel_params",
    "gc_node_get_argument",
    "gc_node_kernel_name",
    "gc_node_get_kernel",
    "gc_node_get_memcpy_params",
    "gc_node_get_memset_params",
    "gc_node_get_mem_op_params",
    "gc_node_get_event",
    "gc_context_find_buffer",
    "gc_node_get_host_params",
    "gc_graph_unresolved_pointers",
    "gc_graph_export_json",
    "gc_graph_import_json",
    "gc_graph_diff",
    "gc_graph_wrap",
    "gc_graph_exec_wrap",
    "gc_graph_launch",
    "gc_graph_upload",
    "gc_graph_exec_num_replays",
    "gc_graph_exec_is_uploaded",
    "gc_graph_exec_get_info",
    "gc_graph_exec_destroy",
    "gc_stream_end_capture_exec",
    "gc_graph_relaunch",
    "gc_graph_exec_progress",
    "gc_graph_exec_nodes_in_state",
    "gc_graph_exec_times",
    "gc_graph_add_node",
    "gc_graph_add_nodes",
    "gc_graph_add_child_node",
    "gc_graph_add_dependencies",
    "gc_graph_remove_dependencies",
    "gc_graph_get_edges",
    "gc_graph_create_condition",
    "gc_host_set_conditional",
    "gc_node_get_conditional_params",
    "gc_node_get_mem_alloc_params",
    "gc_node_get_mem_free_params",
    "gc_node_get_buffer",
    "gc_context_graph_memory",
    "gc_context_graph_memory_reset_high",
    "gc_context_graph_memory_trim",
    "gc_graph_remove_node",
    "gc_graph_retain_callback",
    "gc_graph_clone",
    "gc_node_find_in_clone",
    "gc_node_set",
    "gc_node_get_attribute",
    "gc_node_get_attributes",
    "gc_node_set_attribute",
    "gc_node_copy_attributes",
    "gc_node_set_grid_scalar",
    "gc_graph_replace_buffer",
    "gc_graph_exec_replace_buffer",
    "gc_graph_exec_set_node",
    "gc_graph_set_nodes",
    "gc_graph_exec_set_nodes",
    "gc_graph_exec_set_node_enabled",
    "gc_graph_exec_is_node_enabled",
    "gc_graph_exec_update",
    "gc_graph_exec_check",
    "gc_memory_block_begin",
    "gc_memory_block_end",
    "gc_graph_exec_apply",
    "gc_graph_exec_apply_reason_description",
    "gc_graph_cache_create",
    "gc_graph_cache_launch",
    "gc_graph_cache_remove",
    "gc_graph_cache_clear",
    "gc_graph_cache_get_stats",
    "gc_graph_cache_destroy",
    "gc_pool_create",
    "gc_pool_destroy",
    "gc_pool_id",
    "gc_pool_add_buffer",
    "gc_pool_add_object",
    "gc_pool_allocate",
    "gc_pool_buffer_count",
    "gc_pool_seal",
    "gc_pool_unseal",
    "gc_pool_is_sealed",
    "gc_pool_clear",
    "gc_pool_handle_new",
    "gc_pool_handle_lookup",
    "gc_pool_handle_release",
    "gc_pool_get_memory",
    "gc_pool_trim",
    "gc_pool_allocate_on_stream",
    "gc_buffer_destroy_on_stream",
    "gc_stream_begin_capture_with_pool",
    "gc_stream_end_capture_with_pool",
    "gc_graph_exec_pool",
    "gc_graph_exec_has_pool",
    "gc_graph_exec_pool_buffer_count",
    "gc_pool_bind",
    "gc_pool_unbind",
    "gc_pool_torch_allocate",
    "gc_pool_torch_free",
    "gc_pool_torch_record_stream",
    "gc_pool_rmm_allocate",
    "gc_pool_rmm_free",
    "gc_scalar_create",
    "gc_scalar_create_block",
    "gc_scalar_update",
    "gc_scalar_update_many",
    "gc_scalar_read",
    "gc_scalar_destroy",
    "gc_scalar_type",
    "gc_scalar_address",
    "gc_scalar_buffer",
    "gc_rng_create",
    "gc_rng_torch_state",
    "gc_rng_set_seed",
    "gc_rng_get_seed",
    "gc_rng_set_offset",
    "gc_rng_get_offset",
    "gc_rng_subsequence",
    "gc_rng_destroy",
    "gc_record_context_stream",
    "gc_record_context_graph",
    "gc_record_context_pool",
    "gc_callback_set_message",
    "gc_fft_plan_create",
    "gc_fft_plan_destroy",
    "gc_script_create",
    "gc_script_push_op",
    "gc_script_prepare",
    "gc_script_record",
    "gc_script_submit",
    "gc_script_destroy",
    "gc_script_push",
    "gc_actor_create",
    "gc_actor_destroy",
    "gc_actor_record",
    "gc_actor_adopt",
    "gc_actor_launch",
    "gc_actor_update",
    "gc_actor_set_fft_plan",
    "gc_actor_export_dot",
    "gc_actor_close",
    "gc_actor_event_fd",
    "gc_actor_next_completed",
    "gc_future_poll",
    "gc_future_wait",
    "gc_future_on_done",
    "gc_future_stall_report",
    "gc_future_on_stall",
    "gc_future_take_exec",
    "gc_future_text",
    "gc_future_event_fd",
    "gc_future_destroy",
    "gc_graph_optimize",
    "gc_graph_optimize_text",
    "gc_graph_optimize_reasons",
    "gc_plan_apply",
    "gc_plan_destroy",
    "gc_graph_verify",
    "gc_graph_check",
    "gc_graph_check_text",
    "gc_graph_check_json",
    "gc_graph_exec_check_findings",
    "gc_graph_exec_check_text",
    "gc_graph_exec_check_json",
    "gc_graph_step",
    "gc_graph_bisect",
    "gc_object_native",
    "gc_node_native",
    "gc_record_context_native_blas",
    "gc_record_context_native_rand",
]

def gc_version() -> int:
    """Returns the version of the loaded library.

    Compare it with GRAPHCAP_VERSION_NUMBER, which is the version of the header.

    The call keeps the GIL.
    """

def gc_version_string() -> str:
    """Returns the version of the loaded library, as text such as "0.1.0".

    The call keeps the GIL.
    """

def gc_status_name(status: int, /) -> str:
    """Returns the name of a status, such as "GRAPHCAP_ERROR_INVALID_VALUE".

    Parameters:
      status: any number

    The call keeps the GIL.
    """

def gc_status_description(status: int, /) -> str:
    """Returns a sentence that says what a status means. gc_last_error_message() says what happened in a particular call.

    Parameters:
      status: any number

    The call keeps the GIL.
    """

def gc_last_error_message() -> str:
    """Copies the message of the last failed call of the calling thread: which function failed, why, and what to do.

    A call that succeeds does not change the message. This function does not change it either, even when it fails. The text is empty while no call of the thread has failed. Works in a forked child too.

    Returns:
      text: where to copy the text to; it ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the text was cut to fit, between two characters

    The call keeps the GIL.
    """

def gc_live_handles() -> int:
    """Returns the number of handles of all kinds in the process that are not yet destroyed. For leak tests; handles that callbacks get for the time of their call do not count.

    The call keeps the GIL.
    """

def gc_log_set_callback(level: int, subjects: int, function: int | None, user_data: Pointer, destroy: int | None, /) -> None:
    """Makes a function take the messages of the log instead of the one before. Messages of threads that run work come at the end of the next call of another thread.

    Parameters:
      level: the least important level; GRAPHCAP_LOG_LEVEL_OFF ends it
      subjects: GRAPHCAP_LOG_ bits; 0 for all
      function: the function; may be NULL for GRAPHCAP_LOG_LEVEL_OFF
      user_data: passed to function and to destroy; may be NULL
      destroy: called when function is not called any more, also when this call fails; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the level or a bit is unknown, or function is NULL

    The call releases the GIL.
    """

def gc_trace_start(path: str | bytes | None, limit: int, /) -> None:
    """Begins a trace of what devices run and of calls, in a file. A file that is there is removed first. docs/tracing.md tells what is in it. If a context of a CUDA device is open, the call waits for the work of the device, as CUPTI does where it is subscribed to.

    Parameters:
      path: the file, UTF-8
      limit: the most bytes of the file; 0 for 1 GiB. Records that find no room are dropped

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: a trace goes on
      GRAPHCAP_ERROR_INVALID_VALUE: the file cannot be made

    The call releases the GIL.
    """

def gc_trace_stop() -> int:
    """Ends the trace. The file is whole when the call returns.

    Returns:
      dropped_out: how many records found no room; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: no trace goes on

    The call releases the GIL.
    """

def gc_trace_mark(name: str | bytes | None, /) -> None:
    """Adds a mark to the trace, on the line of the calling thread. Does nothing while no trace goes on.

    Parameters:
      name: the name

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: name is NULL or not UTF-8

    The call keeps the GIL.
    """

def gc_device_count(kind: int, /) -> int:
    """Counts the devices of a kind. There is one device of the host kind, or as many as the environment variable GRAPHCAP_HOST_DEVICES says. A call that succeeds finds at least one device.

    The first call that concerns CUDA loads NVIDIA's driver: libcuda.so.1, then libcuda.so, or the file that the environment variable GRAPHCAP_CUDA_LIBRARY names. After a failure the next call tries again.

    Parameters:
      kind: one of the GRAPHCAP_DEVICE_ numbers

    Returns:
      count: the number of devices; their ordinals are 0 to count - 1

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NO_DEVICE: the driver finds no GPU
      GRAPHCAP_ERROR_LIBRARY: NVIDIA's driver could not be loaded; the message names what was tried
      GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is older than 12.0
      GRAPHCAP_ERROR_STUB_LIBRARY: the driver library is the toolkit's stub
      GRAPHCAP_ERROR_NOT_INITIALIZED: the driver could not be initialised
      GRAPHCAP_ERROR_INVALID_VALUE: an environment variable is malformed: GRAPHCAP_DEVICE, or GRAPHCAP_HOST_DEVICES for host devices

    The call releases the GIL.
    """

def gc_device_name(kind: int, ordinal: int, /) -> str:
    """Copies the name of a device, such as "NVIDIA H200".

    Parameters:
      kind: one of the GRAPHCAP_DEVICE_ numbers
      ordinal: which device of the kind, from 0

    Returns:
      text: where to copy the name to; it ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NO_DEVICE: the driver finds no GPU
      GRAPHCAP_ERROR_LIBRARY: NVIDIA's driver could not be loaded; the message names what was tried
      GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is older than 12.0
      GRAPHCAP_ERROR_STUB_LIBRARY: the driver library is the toolkit's stub
      GRAPHCAP_ERROR_NOT_INITIALIZED: the driver could not be initialised
      GRAPHCAP_ERROR_INVALID_DEVICE: the ordinal is not below the number of devices
      GRAPHCAP_ERROR_INVALID_VALUE: an environment variable is malformed: GRAPHCAP_DEVICE; GRAPHCAP_HOST_DEVICES or GRAPHCAP_HOST_THREADS for host devices

    The call releases the GIL.
    """

def gc_device_auto_reason() -> str:
    """Copies a sentence that tells which kind of device GRAPHCAP_DEVICE_AUTO means now, and why: what the environment asks for, or what is missing for CUDA.

    Loads and initialises NVIDIA's driver unless GRAPHCAP_DEVICE is set to cuda or host. With cuda it does not check whether CUDA works.

    Returns:
      text: where to copy the sentence to; it ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the sentence was cut to fit
      GRAPHCAP_ERROR_INVALID_VALUE: GRAPHCAP_DEVICE is malformed

    The call releases the GIL.
    """

def gc_context_create(options: Pointer, /) -> int:
    """Makes a context on a device.

    On a CUDA device the context uses the device's primary context, as the CUDA runtime and the libraries on it do. graphcap retains the primary context, and makes it current only during calls that need it: the caller's current context stays as it was. All contexts on one GPU share its primary context. Their objects can be mixed only where a function says so. In a trace the call waits for the work of the device, as CUPTI does where it is subscribed to.

    Parameters:
      options: NULL for the defaults

    Returns:
      context_out: the new context, owned by the caller until gc_context_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NO_DEVICE: the driver finds no GPU
      GRAPHCAP_ERROR_LIBRARY: NVIDIA's driver could not be loaded; the message names what was tried
      GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is older than 12.0, or the device has no memory pools; or maps no memory into reserved addresses, for GRAPHCAP_CUDA_MEMORY=guard
      GRAPHCAP_ERROR_STUB_LIBRARY: the driver library is the toolkit's stub
      GRAPHCAP_ERROR_NOT_INITIALIZED: the driver could not be initialised
      GRAPHCAP_ERROR_INVALID_DEVICE: the ordinal is not below the number of devices
      GRAPHCAP_ERROR_INVALID_VALUE: an environment variable is malformed: GRAPHCAP_DEVICE; GRAPHCAP_HOST_DEVICES, GRAPHCAP_HOST_THREADS or GRAPHCAP_HOST_MEMORY for host devices; GRAPHCAP_CUDA_MEMORY
      GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory, or a thread cannot be started
      GRAPHCAP_ERROR_ILLEGAL_ADDRESS: work on a GPU faulted before; this process cannot use CUDA any more

    The call releases the GIL.
    """

def gc_context_destroy(context: Handle | int | None, /) -> None:
    """Destroys a context handle. The context itself lives until its last object and the submitted work are gone. Does not wait.

    Parameters:
      context: NULL has no effect

    The call releases the GIL.
    """

def gc_context_synchronize(context: Handle | int | None, /) -> None:
    """Waits until all work of the context has completed. On a CUDA device that is all work of the primary context, including work that others submitted; the call then unloads the code of destroyed modules.

    Parameters:
      context: the context

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a stream of the context is being captured, or, on a CUDA device, any stream of the primary context; the capture is invalidated

    The call releases the GIL.
    """

def gc_context_synchronize_for(context: Handle | int | None, nanoseconds: int, /) -> None:
    """Waits as gc_context_synchronize() does, but no longer than a given time. When that has passed, the message tells what goes on, as that of gc_stream_synchronize_for() does. The rules of captures treat both calls alike. This call does not unload the code of destroyed modules.

    Parameters:
      context: the context
      nanoseconds: the longest time to wait; 0 checks once, UINT64_MAX waits for ever

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_TIMEOUT: the time passed before all work completed; the work goes on
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a stream of the context is being captured, or, on a CUDA device, any stream of the primary context; the capture is invalidated
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is a CUDA device whose driver is older than 12.5

    The call releases the GIL.
    """

def gc_context_stream_priority_range(context: Handle | int | None, /) -> tuple[int, int]:
    """Returns the range of priorities that streams of the context can have. A lower number is more urgent.

    Both are 0 if the device has no priorities. A host device has the range of a GPU, and runs all its streams alike.

    Parameters:
      context: the context

    Returns:
      least_out: the least urgent priority
      greatest_out: the most urgent priority, the lowest number

    The call releases the GIL.
    """

def gc_context_collect(context: Handle | int | None, /) -> None:
    """Releases what destroyed objects left because releasing it has to wait: unloads code, frees pinned host memory, and returns to the device the memory that is held for later allocations.

    gc_context_synchronize() also unloads code and frees pinned memory, but keeps the memory that is held for later allocations. gc_context_collect() also releases what ended contexts of the same GPU left, memory that default streams of other threads used, and what graph execs kept whose native handles were given out. It may wait for all work of the device, including work of other contexts and libraries, and other threads that call the driver wait with it. It harms no capture. On a host device there is never anything to release.

    Nothing is released that unfinished work uses. Memory that was used on the legacy stream, or on the per-thread default stream of the calling thread, is released if the work there is complete, and otherwise by a later call.

    Parameters:
      context: the context

    The call releases the GIL.
    """

def gc_context_make_current(context: Handle | int | None, /) -> None:
    """Makes the primary context of a CUDA device current on the calling thread, as cudaSetDevice() does.

    Calls that need it then take less time. It stays current until another one is made so: do that before the last context of the device is destroyed. On a host device the call has no effect.

    Parameters:
      context: the context

    The call releases the GIL.
    """

def gc_context_get_info(context: Handle | int | None, info_out: Pointer, /) -> None:
    """Describes a context: its device and its generation. The call may be made inside callbacks.

    Parameters:
      context: the context
      info_out: in: struct_size; out: the description

    The call keeps the GIL.
    """

def gc_context_device_name(context: Handle | int | None, /) -> str:
    """Copies the name of the device that the context is on.

    Parameters:
      context: the context

    Returns:
      text: where to copy the name to; it ends with a NUL. May be NULL when capacity is 0

    The call keeps the GIL.
    """

def gc_context_legacy_stream(context: Handle | int | None, /) -> int:
    """Returns a handle to the legacy default stream of the context. The legacy stream and all blocking streams of the context wait for each other.

    The legacy stream cannot be captured. Each call returns a new handle to the same stream.

    Parameters:
      context: the context

    Returns:
      stream_out: a handle owned by the caller until gc_stream_destroy(), which leaves the stream itself alone; NULL on failure

    The call releases the GIL.
    """

def gc_context_per_thread_stream(context: Handle | int | None, /) -> int:
    """Returns a handle to the per-thread default stream. In each call the handle means the default stream of the calling thread.

    Keep a handle while a thread captures on its default stream. Destroying the last such handle of the context discards the captures that were begun on per-thread streams. On a CUDA device it discards only the capture of the thread that destroys the handle, because the driver lets no other thread end a capture of a per-thread stream. A thread should end its capture before the thread ends.

    Parameters:
      context: the context

    Returns:
      stream_out: a handle owned by the caller until gc_stream_destroy(), which leaves the streams themselves alone; NULL on failure

    The call releases the GIL.
    """

def gc_context_reset(context: Handle | int | None, /) -> None:
    """Begins a context anew. Every object that was made in it before is stale from then on: every function returns GRAPHCAP_ERROR_STALE for it, except those that destroy a handle, which succeed. All handles of the context itself stay valid and name the new generation, in which new objects can be made at once. docs/resets.md lists what happens to what.

    The call treats all objects as if their handles were destroyed one after another, and waits for nothing. Captures that were begun on their streams are discarded. Submitted work goes on; what it uses is released behind it. Addresses of buffers, pointers of host buffers and native handles are invalid. The device is not reset, and neither is the primary context of a GPU. Wrapped streams and wrapped memory stay the caller's. Other contexts go on.

    A stale handle counts in gc_live_handles() until it is destroyed. Numbers of gc_pool_handle_new() find their pools no more.

    After a fault on a host device the new generation works as a new context does. NVIDIA's driver does not recover from a fault. There the call returns the status of the fault and changes nothing.

    A call that another thread makes on an old object at the same time either takes effect as if it had been made before the reset, or returns GRAPHCAP_ERROR_STALE.

    Parameters:
      context: the context

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_BUSY: another thread is resetting the context
      GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory, or a thread cannot be started
      GRAPHCAP_ERROR_ILLEGAL_ADDRESS: work on a GPU faulted before; this process cannot use CUDA any more

    The call releases the GIL.
    """

def gc_set_name(handle: Pointer, name: str | bytes | None, /) -> None:
    """Gives an object a name. Messages and texts of graphs call the object by its name. All handles of one object share the name. A clone of a graph begins with the name of the graph. A scalar goes by the name of its buffer. Several objects may have the same name.

    Parameters:
      handle: a gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event or gc_graph
      name: the name, UTF-8, at most 1024 bytes; copied. NULL and the empty text take the name away

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_HANDLE: handle is not a live handle of one of these kinds
      GRAPHCAP_ERROR_INVALID_VALUE: name is too long or is not UTF-8
      GRAPHCAP_ERROR_NOT_SUPPORTED: handle is a gc_kernel, which keeps the name that it was found by; or a default stream; or the graph of a node, which goes by the name of the node

    The call releases the GIL.
    """

def gc_get_name(handle: Pointer, /) -> str:
    """Copies the name of an object. The name of a kernel is the one that it was found by, as gc_kernel_name() copies it. The call may be made inside callbacks.

    Parameters:
      handle: a gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event, gc_graph or gc_kernel

    Returns:
      text: where to copy the name to; it ends with a NUL. It is empty for an object without a name. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_HANDLE: handle is not a live handle of one of these kinds

    The call keeps the GIL.
    """

def gc_node_set_name(graph: Handle | int | None, node: int, name: str | bytes | None, /) -> None:
    """Gives a node of a graph a name. Messages and texts of the graph call the node by its name. Clones of the graph that are made after the call have the name, and so have child nodes that the graph is added as. Several nodes may have the same name.

    Parameters:
      graph: the graph
      node: one of its nodes
      name: the name, UTF-8, at most 1024 bytes; copied. NULL and the empty text take the name away

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph, or name is too long or is not UTF-8

    The call releases the GIL.
    """

def gc_node_get_name(graph: Handle | int | None, node: int, /) -> str:
    """Copies the name of a node: the name that gc_node_set_name() gave it, or else the name of the kernel that it launches, which gc_node_kernel_name() copies in either case.

    Parameters:
      graph: the graph
      node: one of its nodes

    Returns:
      text: where to copy the name to; it ends with a NUL. It is empty for a node without a name. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph

    The call releases the GIL.
    """

def gc_context_memory_report(context: Handle | int | None, format: int, /) -> str:
    """Writes what the live buffers, host buffers, pools, graphs and graph execs of a context take, and which graphs and execs keep a buffer or a pool alive. The bytes of a pool's blocks are among those of the pool.

    The bytes of graphs and execs are those of a model, which docs/cache.md describes: no device tells them. Each graph and exec has a number in the report. A graph or exec whose native handle was given out may keep buffers that the report does not tell of, and so does a capture that goes on. What the device does not answer, after a fault for instance, is left out. The call takes time for all objects of the context and their nodes. Objects that other threads make or destroy meanwhile may be in the report or not.

    Parameters:
      context: the context
      format: GRAPHCAP_MEMORY_REPORT_TEXT or GRAPHCAP_MEMORY_REPORT_JSON

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the format is unknown

    The call releases the GIL.
    """

def gc_object_context(object: Pointer, /) -> int:
    """Returns the context that an object belongs to. C and C++ have shorthands with typed arguments, such as gc_stream_get_context(). The kind of the handle is not checked, neither here nor by the shorthands.

    Parameters:
      object: a handle of any kind; of a context another handle is returned

    Returns:
      context_out: another handle of the context, owned by the caller until gc_context_destroy(); NULL on failure

    The call releases the GIL.
    """

def gc_kernel_get_module(kernel: Handle | int | None, /) -> int:
    """Returns the module that a kernel is of.

    Parameters:
      kernel: the kernel

    Returns:
      module_out: another handle of the module, owned by the caller until gc_module_destroy(); NULL on failure

    The call releases the GIL.
    """

def gc_buffer_allocate(context: Handle | int | None, size: int, /) -> int:
    """Allocates device memory, aligned to at least 256 bytes. Its content is undefined. May be called while streams are captured.

    On a CUDA device the memory comes from a pool of the context's own. Value operations, such as gc_stream_write_value32(), refuse this memory on every device; see gc_buffer_allocate_waitable() and gc_pool_allocate().

    Parameters:
      context: the context that the memory belongs to
      size: bytes, not 0

    Returns:
      buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: size is 0
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory

    The call releases the GIL.
    """

def gc_buffer_allocate_waitable(context: Handle | int | None, size: int, /) -> int:
    """Allocates device memory that value operations accept, such as gc_stream_wait_value32(). Otherwise the memory is as that of gc_buffer_allocate().

    Use it for counters and flags. NVIDIA's driver refuses value operations on memory of pools. It can free the memory that it accepts only in calls that wait for all work of the device. The memory of a destroyed buffer that nothing uses any more is therefore freed when gc_context_synchronize() or gc_context_collect() waits for a context of that device, or when the device's primary context ends.

    Parameters:
      context: the context that the memory belongs to
      size: bytes, not 0

    Returns:
      buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: size is 0
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory

    The call releases the GIL.
    """

def gc_buffer_wrap(context: Handle | int | None, address: Pointer, size: int, user_data: Pointer, destroy: int | None, /) -> int:
    """Makes a buffer from memory that the caller allocated by other means.

    On a host device the memory is ordinary memory of the process. On a CUDA device it is memory that the driver knows and the device can use, given by its device address: device, managed or pinned memory, for example of the CUDA runtime or of a library. Plain malloc() memory is refused. graphcap does not check whether this device can reach the memory. The range must lie within one allocation. The caller keeps the memory valid until destroy is called. That happens once the buffer is destroyed, no graph or graph exec uses it any more, and the work submitted with it through gc_ calls has completed. On a host device that may be within gc_buffer_destroy(); see "What ends at once".

    Do not call cudaFree() in destroy: it waits, and it breaks captures. Pass the address to a thread of your own instead.

    Parameters:
      context: the context that the memory belongs to
      address: the first byte of the memory, not NULL
      size: bytes, not 0
      user_data: passed to destroy; may be NULL
      destroy: called exactly once, also when this call fails; may be NULL

    Returns:
      buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the range passes the end of the address space, or, on a CUDA device, does not lie within one allocation that the driver knows

    The call releases the GIL.
    """

def gc_buffer_destroy(buffer: Handle | int | None, /) -> None:
    """Destroys a buffer. Its memory is freed when no graph or graph exec uses the buffer any more and the work submitted with it has completed. Does not wait for work.

    On a CUDA device the memory goes back to the pool of the context, for later allocations. gc_context_collect() returns the free memory of the pool to the device.

    graphcap puts no work of its own on a default stream to learn when the stream's work has completed. Memory that was used on a default stream is freed when the program has submitted to that stream again or waited for it, at gc_context_synchronize(), or when gc_context_collect() finds the work complete. The progress of the per-thread default stream of another thread becomes known only when that thread waits for the stream, or by gc_context_synchronize() or gc_context_collect(). If neither happens, memory that was used on that stream stays allocated until the process ends.

    Parameters:
      buffer: NULL has no effect

    The call releases the GIL.
    """

def gc_buffer_size(buffer: Handle | int | None, /) -> int:
    """Returns the size of a buffer.

    Parameters:
      buffer: the buffer

    Returns:
      size_out: bytes

    The call keeps the GIL.
    """

def gc_buffer_address(buffer: Handle | int | None, /) -> int:
    """Returns the device address of a buffer, as a number. It is valid as long as the buffer is.

    Parameters:
      buffer: the buffer

    Returns:
      address_out: the address of its first byte

    The call keeps the GIL.
    """

def gc_host_check_range(address: Pointer, size: int, /) -> None:
    """Checks whether a range of memory lies within one live allocation of the host devices. For host kernels that want to fault as a GPU would: they return the status.

    Parameters:
      address: the first byte
      size: bytes

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_ADDRESS: the range does not lie within one live allocation

    The call keeps the GIL.
    """

def gc_host_buffer_allocate(context: Handle | int | None, size: int, flags: int, /) -> int:
    """Allocates pinned host memory, aligned to at least 256 bytes. Its content is undefined. May be called while streams are captured.

    On a host device it is ordinary memory.

    Parameters:
      context: the context whose copies use the host buffer
      size: bytes, not 0
      flags: 0 or GRAPHCAP_HOST_BUFFER_ flags

    Returns:
      host_buffer_out: the new host buffer, owned by the caller until gc_host_buffer_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: size is 0 or a flag is unknown
      GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory that can be pinned

    The call releases the GIL.
    """

def gc_host_buffer_register(context: Handle | int | None, address: Pointer, size: int, flags: int, user_data: Pointer, destroy: int | None, /) -> int:
    """Pins host memory that the caller allocated by other means, and makes a host buffer from it. May be called while streams are captured.

    The caller keeps the memory valid until destroy is called. That happens once the host buffer is destroyed, nothing uses it any more, and the memory is unpinned. On a host device that is within gc_host_buffer_destroy(); see "What ends at once". A CUDA device unpins the memory when gc_context_collect() or gc_context_synchronize() runs for a context of that device, when some of the memory is registered again, or when the device's primary context ends.

    If a host buffer that is destroyed still pins some of the memory, this call ends that one first, unless something uses it. It waits for its end, for 1 second at most. On a CUDA device it does what gc_context_collect() does, which may wait for the device, but only while no stream is captured.

    Parameters:
      context: the context whose copies use the host buffer
      address: the first byte of the memory, not NULL
      size: bytes, not 0
      flags: 0, GRAPHCAP_HOST_BUFFER_PORTABLE, GRAPHCAP_HOST_BUFFER_MAPPED, or both
      user_data: passed to destroy; may be NULL
      destroy: called exactly once, also when this call fails; may be NULL. It is not called if the process ends first

    Returns:
      host_buffer_out: the new host buffer, owned by the caller until gc_host_buffer_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the range passes the end of the address space, some of the memory was allocated as pinned memory, or the driver cannot pin it
      GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED: some of the memory is registered already; on a CUDA device, also while a stream is captured, memory of a destroyed host buffer that is still pinned: gc_context_collect() unpins it
      GRAPHCAP_ERROR_OUT_OF_MEMORY: that much memory cannot be pinned

    The call releases the GIL.
    """

def gc_host_buffer_destroy(host_buffer: Handle | int | None, /) -> None:
    """Destroys a host buffer. Its memory is freed or unpinned when no graph or graph exec uses the host buffer any more and the work submitted with it has completed. Does not wait for work, and harms no capture. After this call the caller must not touch memory of gc_host_buffer_allocate().

    On a CUDA device freeing or unpinning the memory waits for all work of the device. It is therefore left to calls that wait anyway: gc_context_collect() and gc_context_synchronize() of any context of that device, and gc_host_buffer_register() of the same memory.

    Parameters:
      host_buffer: NULL has no effect

    The call releases the GIL.
    """

def gc_host_buffer_size(host_buffer: Handle | int | None, /) -> int:
    """Returns the size of a host buffer.

    Parameters:
      host_buffer: the host buffer

    Returns:
      size_out: bytes

    The call keeps the GIL.
    """

def gc_host_buffer_pointer(host_buffer: Handle | int | None, /) -> int:
    """Returns the address at which the CPU uses the memory of a host buffer. A copy reads the memory when it runs; the CPU must not change the memory before.

    Parameters:
      host_buffer: the host buffer

    Returns:
      pointer_out: its first byte, valid as long as the host buffer is

    The call keeps the GIL.
    """

def gc_host_buffer_device_address(host_buffer: Handle | int | None, /) -> int:
    """Returns the address at which kernels use the memory of a host buffer, as a number. Pass it to a kernel as a value. Launches and graphs do not keep the host buffer alive for such a value; the caller keeps it until they are done.

    Parameters:
      host_buffer: the host buffer, made with GRAPHCAP_HOST_BUFFER_MAPPED

    Returns:
      address_out: the address of its first byte, valid as long as the host buffer is

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the host buffer is not mapped

    The call keeps the GIL.
    """

def gc_buffer_allocate_managed(context: Handle | int | None, size: int, flags: int, /) -> int:
    """Allocates managed memory. The CPU and the device use it by one address, which gc_buffer_address() returns. Its content is undefined. May be called while streams are captured.

    While submitted work that uses the memory has not been waited for, the CPU must not touch the memory, unless the device supports that (CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS). Value operations refuse managed memory. On a host device it is ordinary memory of the device. On a CUDA device it is freed as that of gc_buffer_allocate_waitable() is.

    Parameters:
      context: the context that the memory belongs to
      size: bytes, not 0
      flags: GRAPHCAP_MEM_ATTACH_GLOBAL, or GRAPHCAP_MEM_ATTACH_HOST for memory that streams may use only after gc_stream_attach_mem_async() allows it

    Returns:
      buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: size is 0 or flags is neither of the two

    The call releases the GIL.
    """

def gc_stream_attach_mem_async(stream: Handle | int | None, buffer: Handle | int | None, flags: int, /) -> None:
    """Sets who may use a managed buffer: every stream, the CPU alone, or this stream alone. The change is work of the stream: it takes effect when the work that was submitted to the stream before has completed.

    The change cannot be recorded into a graph. On a host device everyone may use all memory; there the call has no effect beyond the rules of captures.

    Parameters:
      stream: the stream; with GRAPHCAP_MEM_ATTACH_SINGLE it is the stream that may use the memory
      buffer: a buffer of gc_buffer_allocate_managed(), or wrapped managed memory, of the same context
      flags: one of the GRAPHCAP_MEM_ATTACH_ numbers

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: flags is not a GRAPHCAP_MEM_ATTACH_ number, or the memory is not managed
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured; the capture is invalidated

    The call releases the GIL.
    """

def gc_module_load(context: Handle | int | None, description: Pointer, /) -> int:
    """Loads a module. All that the description points to is copied, except for the code of the host kernels and the memory of the host globals.

    A description with an image and host kernels serves both kinds of device. If the driver cannot load the image, the message contains what the driver's compiler says.

    Parameters:
      context: the context that the module belongs to
      description: what to load, not NULL

    Returns:
      module_out: the new module, owned by the caller until gc_module_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a name or a function is missing, two host kernels or two host globals have the same name, a host global is no range of memory, or accesses are not what gc_kernel_set_accesses() takes
      GRAPHCAP_ERROR_INVALID_IMAGE: the image is damaged, cut short, of no known kind, or has to be linked first
      GRAPHCAP_ERROR_INVALID_PTX: the driver cannot compile the PTX
      GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION: the driver is too old for the version of the PTX
      GRAPHCAP_ERROR_NO_BINARY_FOR_GPU: there is no code for the device of the context: neither host kernels nor host globals on a host device; no image, or no code for this GPU, on a CUDA device

    The call releases the GIL.
    """

def gc_module_destroy(module: Handle | int | None, /) -> None:
    """Destroys a module. Its code stays loaded while kernels, graphs, graph execs or launches use it. Unloading code of a CUDA device waits for all work. The code is therefore unloaded when gc_context_collect() or gc_context_synchronize() waits for any context of that device, or when the device's primary context ends.

    Parameters:
      module: NULL has no effect

    The call releases the GIL.
    """

def gc_module_get_kernel(module: Handle | int | None, name: str | bytes | None, /) -> int:
    """Finds a kernel of a module by its name.

    Parameters:
      module: the module
      name: the exact name, UTF-8

    Returns:
      kernel_out: the kernel, owned by the caller until gc_kernel_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: name or kernel_out is NULL, or name is not UTF-8
      GRAPHCAP_ERROR_NOT_FOUND: the module has no kernel of that name; the message lists the module's kernels, on a CUDA device only with a driver for CUDA 12.4 or newer

    The call releases the GIL.
    """

def gc_module_get_global(module: Handle | int | None, name: str | bytes | None, /) -> int:
    """Finds a global variable of a module by its name, as a buffer: copies, memsets, kernel arguments and nodes of graphs take it as they take any buffer, and gc_buffer_size() and gc_buffer_address() tell its size and its device address.

    On a CUDA device the variable is one of the image, declared with __device__, __constant__ or __managed__. On a host device it is one of the description's host_globals. The buffer keeps the module loaded, and so do the work and the graphs that use the buffer. Several buffers of one variable are the same memory.

    Parameters:
      module: the module
      name: the exact name, UTF-8; that of a C++ variable is mangled unless it is extern "C"

    Returns:
      buffer_out: the variable, owned by the caller until gc_buffer_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: name or buffer_out is NULL, or name is not UTF-8
      GRAPHCAP_ERROR_NOT_FOUND: the module has no global variable of that name; on a host device the message lists those that it has

    The call releases the GIL.
    """

def gc_kernel_destroy(kernel: Handle | int | None, /) -> None:
    """Destroys a kernel handle. Graphs and launches that use the kernel are not affected.

    Parameters:
      kernel: NULL has no effect

    The call releases the GIL.
    """

def gc_kernel_name(kernel: Handle | int | None, /) -> str:
    """Copies the name of a kernel, which is the one that it was found by. gc_get_name() copies the names of objects of several kinds. Both may be called inside callbacks.

    Parameters:
      kernel: the kernel

    Returns:
      text: where to copy the name to; it ends with a NUL. May be NULL when capacity is 0

    The call keeps the GIL.
    """

def gc_kernel_parameter_count(kernel: Handle | int | None, /) -> int:
    """Counts the parameters of a kernel.

    Parameters:
      kernel: the kernel

    Returns:
      count_out: the number of parameters

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_SUPPORTED: the parameters are not known: the module description does not state them, and no driver reports them. CUDA drivers report them from 12.4 on

    The call keeps the GIL.
    """

def gc_kernel_parameter_size(kernel: Handle | int | None, index: int, /) -> int:
    """Returns the size of a parameter of a kernel.

    Parameters:
      kernel: the kernel
      index: which parameter, from 0

    Returns:
      size_out: bytes; 8 for a buffer

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the index is not below the number of parameters
      GRAPHCAP_ERROR_NOT_SUPPORTED: the parameters are not known: the module description does not state them, and no driver reports them. CUDA drivers report them from 12.4 on

    The call keeps the GIL.
    """

def gc_kernel_set_accesses(kernel: Handle | int | None, accesses: Pointer, count: int, /) -> None:
    """States what a kernel does with the memory that its parameters point to. gc_graph_optimize() orders the launches of the kernel by that. The statement holds for all handles of the kernel, and for launches that were recorded before.

    A parameter with GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE is a pointer. The kernel may touch any byte of the buffers that it points into, or of another allocation if no buffer is there, in this way and in no other. Through a pointer that is NULL it touches nothing. A parameter with GRAPHCAP_ACCESS_NONE is no pointer. The kernel touches no other memory: it follows no pointer that lies in memory, and uses no variable of its module, but for what gc_kernel_set_buffer_access() states. It waits for nothing that the CPU or another kernel does meanwhile. A wrong statement makes replays of optimized graphs wrong.

    Parameters:
      kernel: the kernel
      accesses: a number for each parameter of the kernel; NULL takes an earlier statement back
      count: how many; 0 if accesses is NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: as far as the parameters are known, count is not their number or a parameter that is to be a pointer has not 8 bytes. The earlier statement holds

    The call releases the GIL.
    """

def gc_kernel_set_buffer_access(kernel: Handle | int | None, buffer: Handle | int | None, access: int, /) -> None:
    """States what a kernel does with a buffer that none of its arguments points to: a variable of its module, see gc_module_get_global(), or memory that a pointer in memory leads to. gc_graph_optimize(), gc_graph_verify() and GRAPHCAP_CHECK_ACCESS go by it. It adds to what gc_kernel_set_accesses() or the launch states of the arguments, or to parameters that are trusted. A kernel of which nothing else is stated stays unknown.

    The statement is of all bytes of the buffer. It holds for all handles of the kernel, and for launches that were recorded before. It keeps the buffer alive until the last handle of the kernel, the last graph that has the kernel, and submitted work are gone. Take it back only after the launches that use the buffer by it.

    Parameters:
      kernel: the kernel
      buffer: the buffer; a statement of a buffer with these bytes takes the place of the one before
      access: GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE; GRAPHCAP_ACCESS_NONE takes the statement back

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: access is none of these numbers
      GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer is of a device of another kind than the kernel

    The call releases the GIL.
    """

def gc_kernel_set_concurrency(kernel: Handle | int | None, concurrency: int, /) -> None:
    """States how launches of a kernel run beside other nodes of graphs that gc_graph_optimize() makes, besides what they touch. The statement holds for all handles of the kernel, and for launches that were recorded before. Where a graph keeps its recorded edges, its nodes run beside each other as they were recorded.

    Parameters:
      kernel: the kernel
      concurrency: one of the GRAPHCAP_CONCURRENCY_ numbers; GRAPHCAP_CONCURRENCY_FREE takes an earlier statement back

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: concurrency is none of these numbers

    The call releases the GIL.
    """

def gc_kernel_get_attribute(kernel: Handle | int | None, attribute: int, /) -> int:
    """Returns an attribute of a kernel.

    A CUDA device returns the driver's value. A host device returns what was set; a kernel has at most 1,024 threads in a block there, and 0 of registers, versions, and static, constant and local memory.

    Parameters:
      kernel: the kernel
      attribute: one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers

    Returns:
      value_out: the value; 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: kernels have no such attribute

    The call releases the GIL.
    """

def gc_kernel_set_attribute(kernel: Handle | int | None, attribute: int, value: int, /) -> None:
    """Sets an attribute of a kernel, for launches and nodes that are made from now on through any handle of the kernel. A host device stores the value. Of those that it stores, only GRAPHCAP_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE has an effect there.

    Parameters:
      kernel: the kernel
      attribute: one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers that can be set
      value: the value

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: kernels have no such attribute, it cannot be set, or it cannot have that value
      GRAPHCAP_ERROR_NOT_PERMITTED: the kernel was compiled with the size of a cluster

    The call releases the GIL.
    """

def gc_kernel_max_active_blocks(kernel: Handle | int | None, block_size: int, shared_mem_bytes: int, /) -> int:
    """Returns how many blocks of a kernel one multiprocessor runs at once.

    A host device answers this and the next questions as a GPU of compute capability 9.0 with 132 multiprocessors would for a kernel that is not limited by its registers: each multiprocessor runs at most 2,048 threads and 32 blocks, and has 233,472 bytes of shared memory, of which each block takes 1,024 beside its own. It runs the blocks on the CPU, as many at once as it has lanes.

    Parameters:
      kernel: the kernel
      block_size: threads in a block, at least 1
      shared_mem_bytes: dynamic shared memory of each block in bytes

    Returns:
      blocks_out: the number of blocks; 0 if one does not fit

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: an argument is larger than any device has

    The call releases the GIL.
    """

def gc_kernel_suggested_block_size(kernel: Handle | int | None, shared_mem_bytes: int, block_size_limit: int, /) -> tuple[int, int]:
    """Returns the block size with the highest occupancy.

    Parameters:
      kernel: the kernel
      shared_mem_bytes: dynamic shared memory of each block in bytes, the same for every block size
      block_size_limit: the most threads that a block may have; 0 for as many as the kernel can have

    Returns:
      block_size_out: threads in a block; 0 if no block fits; a CUDA driver may return an error instead
      grid_size_out: the number of such blocks that gives the device the highest occupancy

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: an argument is larger than any device has

    The call releases the GIL.
    """

def gc_kernel_available_shared_mem(kernel: Handle | int | None, blocks: int, block_size: int, /) -> int:
    """Returns how much dynamic shared memory each block can have while one multiprocessor runs a number of blocks at once.

    Parameters:
      kernel: the kernel
      blocks: the number of blocks, at least 1
      block_size: threads in a block, at least 1

    Returns:
      bytes_out: dynamic shared memory of each block in bytes

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: an argument is larger than any device has, or so many blocks do not fit

    The call releases the GIL.
    """

def gc_kernel_max_active_clusters(kernel: Handle | int | None, config: Pointer, /) -> int:
    """Returns how many clusters of a launch the device runs at once.

    Parameters:
      kernel: the kernel
      config: the launch, not NULL; its attributes have GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION. Events among them have no effect

    Returns:
      clusters_out: the number of clusters

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a dimension of config is too large, or an attribute cannot have its value
      GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the launch has no clusters, or they do not divide the grid or are too large
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device has no clusters

    The call releases the GIL.
    """

def gc_kernel_max_cluster_size(kernel: Handle | int | None, config: Pointer, /) -> int:
    """Returns how many blocks a cluster of a launch can have at most.

    Parameters:
      kernel: the kernel
      config: the launch, not NULL. Events among its attributes have no effect

    Returns:
      blocks_out: the number of blocks; 0 if a block does not fit

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a dimension of config is too large
      GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: an attribute asks for clusters that do not fit the launch
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device has no clusters

    The call releases the GIL.
    """

def gc_stream_create(context: Handle | int | None, options: Pointer, /) -> int:
    """Makes a stream.

    Parameters:
      context: the context that the stream belongs to
      options: NULL for the defaults

    Returns:
      stream_out: the new stream, owned by the caller until gc_stream_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, reserved is not 0, or the struct_size of the options is not valid

    The call releases the GIL.
    """

def gc_stream_wrap(context: Handle | int | None, native: Pointer, /) -> int:
    """Makes a handle for a stream that others made: the CUDA runtime, PyTorch or a library.

    graphcap uses the stream as it is. While the stream is captured, what others submit to it is captured too. graphcap or others may capture it; in both cases the graph keeps alive what gc_ calls recorded. Each call asks the driver which capture the stream is in, which costs about 20 ns.

    The stream must be a live CUstream of the primary context. It must outlive the handle and the calls in progress with the handle, so destroy the handle first. Unlike for a gc_ handle, a value that is not a live CUstream is undefined behaviour. NULL means the legacy stream, also in programs built with --default-stream per-thread: pass CU_STREAM_PER_THREAD there.

    Parameters:
      context: a context on the device of the stream
      native: the stream; NULL and CU_STREAM_LEGACY mean the legacy default stream, CU_STREAM_PER_THREAD the per-thread default stream

    Returns:
      stream_out: a handle owned by the caller until gc_stream_destroy(), which leaves the stream itself alone; NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream belongs to a context other than the device's primary context
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles

    The call releases the GIL.
    """

def gc_stream_destroy(stream: Handle | int | None, /) -> None:
    """Destroys a stream. Submitted work still runs. Does not wait. A capture that was begun on the stream is discarded, unless a gc_capture owns it; a gc_capture keeps the stream until the capture is over.

    On a host device, destroying a stream gives up a wait for a value if the value is not there and no work that was submitted to other streams before brings it. The work behind the wait, on the stream or in the replay, is then discarded without being run. The waits of a default stream are given up in the same way when the context is gone. A CUDA device goes on waiting.

    For a wrapped stream only the handle is destroyed. The stream stays as it is, and so does a capture that it is in, unless gc_stream_begin_capture_to_graph() began the capture. The call waits for the calls of other threads, see "What ends at once". Inside a host function it does not wait: there the stream must live until they have returned.

    Parameters:
      stream: NULL has no effect

    The call releases the GIL.
    """

def gc_stream_synchronize(stream: Handle | int | None, /) -> None:
    """Waits until everything submitted to the stream so far has completed.

    Parameters:
      stream: the stream

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured, or a capture bars this thread from waiting; the capture is invalidated

    The call releases the GIL.
    """

def gc_stream_synchronize_for(stream: Handle | int | None, nanoseconds: int, /) -> None:
    """Waits as gc_stream_synchronize() does, but no longer than a given time.

    The rules of captures treat both calls alike. The driver of a CUDA device has no such wait, so graphcap polls it, less and less often the longer the wait takes. There the call also waits for work that others submit meanwhile. If another thread begins to capture the stream meanwhile, the capture is left alone, and the work counts as not complete until the capture is over.

    When the time passes, the message tells of the launches of the context that go on, as far as is known: of graph execs that were made with GRAPHCAP_INSTANTIATE_WATCH the nodes that could run and have not completed, and on the host device the turn of a loop and the node of its body that runs.

    Parameters:
      stream: the stream
      nanoseconds: the longest time to wait; 0 checks once, UINT64_MAX waits for ever

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_TIMEOUT: the time passed before the work completed; the work goes on
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured, or a capture bars this thread from waiting; the capture is invalidated

    The call releases the GIL.
    """

def gc_stream_is_complete(stream: Handle | int | None, /) -> int:
    """Returns whether everything submitted to the stream so far has completed. Does not wait.

    Parameters:
      stream: the stream

    Returns:
      complete_out: 1 if it has completed, else 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured, or a capture bars this thread from asking; the capture is invalidated

    The call releases the GIL.
    """

def gc_stream_id(stream: Handle | int | None, /) -> int:
    """Returns the number by which messages name a stream. It is graphcap's own number: no other stream of the process has it or had it.

    Parameters:
      stream: the stream

    Returns:
      id_out: the number, at least 1

    The call keeps the GIL.
    """

def gc_stream_begin_capture(stream: Handle | int | None, mode: int, /) -> None:
    """Begins a capture: from now on the stream records its work instead of running it.

    Other streams join the capture when they wait for an event that was recorded in it. They must be joined back before the capture ends. The graph keeps alive all objects that gc_ calls use while recording. It does not keep memory that a copy gets as a plain host pointer: each replay reads or writes that memory, which must be valid then. docs/capture.md has all rules of captures, and tells what to do when a capture broke.

    Parameters:
      stream: the stream; not the legacy stream
      mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the mode is unknown
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream

    The call releases the GIL.
    """

def gc_stream_end_capture(stream: Handle | int | None, /) -> int:
    """Ends a capture and returns the graph that it recorded. A capture that a gc_capture owns can be ended here too; it is then over for the gc_capture. After a capture into an existing graph, graph_out is another handle to that graph, and each handle is destroyed on its own. This includes a capture that code outside graphcap began into a graph whose native handle was given out.

    If the call fails, the capture is over too, and an existing graph that it recorded into is lost. There are exceptions. After GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_INVALID_VALUE and GRAPHCAP_ERROR_NOT_PERMITTED the capture goes on. After GRAPHCAP_ERROR_CAPTURE_UNMATCHED it is invalidated, and must still be ended on the stream that it was begun on. After GRAPHCAP_ERROR_INVALID_CONTEXT the graph has what was recorded. In a guarded context the capture goes on, unharmed, also after GRAPHCAP_ERROR_CAPTURE_UNMATCHED, GRAPHCAP_ERROR_CAPTURE_UNJOINED and GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD.

    Parameters:
      stream: the stream that the capture was begun on

    Returns:
      graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_CONTEXT: code outside graphcap began the capture, into a graph of another context
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured
      GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the stream joined a capture that was begun on another stream; the capture is invalidated. Or the capture goes into a graph, and another handle of the stream began it, of another context or wrapped; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back
      GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: another thread began the capture, in a mode other than relaxed

    The call releases the GIL.
    """

def gc_stream_is_capturing(stream: Handle | int | None, /) -> int:
    """Returns whether a stream records its work.

    Parameters:
      stream: the stream

    Returns:
      capturing_out: 1 while a capture is active, 0 when there is no capture or it was broken

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_stream_capture_status(stream: Handle | int | None, /) -> int:
    """Returns the state of a stream's capture.

    Parameters:
      stream: the stream

    Returns:
      status_out: one of the GRAPHCAP_CAPTURE_STATUS_ numbers

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_stream_wait_event(stream: Handle | int | None, event: Handle | int | None, flags: int, /) -> None:
    """Makes the later work of a stream wait for the point that an event marks. The CPU does not wait. An event that was never recorded has no effect.

    If the event was recorded in a capture, the stream joins that capture. The stream and the event may belong to different contexts, also on different devices of one kind. So one capture can hold work of several contexts. Its graph belongs to the context of the stream that the capture was begun on, and keeps the other contexts.

    With GRAPHCAP_EVENT_WAIT_EXTERNAL, on a stream that is being captured, the wait becomes a node of the graph, wherever the event was recorded. At that node each replay waits for the record that the event holds when the graph is launched. If the event holds no record then, the replay does not wait. This orders a graph after work outside of it. The graph and the graph execs made from it keep the event.

    Parameters:
      stream: the stream
      event: an event of a context on a device of the same kind
      flags: 0 or GRAPHCAP_EVENT_WAIT_EXTERNAL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the event was last recorded in a capture that is over or invalid; a capture of the stream is then invalidated
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the event belong to devices of different kinds
      GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_EVENT_WAIT_EXTERNAL is set, and the stream is in no capture
      GRAPHCAP_ERROR_CAPTURE_ISOLATION: the stream is being captured and the event was recorded outside of the capture; the capture is invalidated
      GRAPHCAP_ERROR_CAPTURE_MERGE: the stream and the event are in different captures; both are invalidated
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: a capture that takes part was broken before
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured and the event is one for several processes (GRAPHCAP_EVENT_INTERPROCESS); the capture is invalidated
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream, and a blocking stream is being captured or the event was recorded in a capture that goes on; the capture is invalidated

    The call releases the GIL.
    """

def gc_stream_memcpy_htod(stream: Handle | int | None, destination: Handle | int | None, destination_offset: int, source: Pointer, size: int, /) -> None:
    """Copies from host memory into a buffer.

    The host memory must stay valid and unchanged until the copy has run. While the stream is captured only the pointer is recorded: the memory is read at each replay. A CUDA device may copy pageable memory during the call, see Asynchrony above.

    Parameters:
      stream: the stream
      destination: the buffer to write, of the same context
      destination_offset: the first byte written, counted from the start of the buffer
      source: the first byte read; may be NULL when size is 0
      size: bytes; 0 has no effect

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the host memory overlaps the range
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts
      GRAPHCAP_ERROR_NOT_PERMITTED: a strict capture of the stream refuses the host memory (GRAPHCAP_CAPTURE_STRICT)

    The call releases the GIL.
    """

def gc_stream_memcpy_dtoh(stream: Handle | int | None, destination: Pointer, source: Handle | int | None, source_offset: int, size: int, /) -> None:
    """Copies from a buffer into host memory.

    The host memory must stay valid until the copy has run. While the stream is captured only the pointer is recorded: the memory is written at each replay. On a CUDA device a call with pageable memory may return only when the copy has run, see Asynchrony above.

    Parameters:
      stream: the stream
      destination: the first byte written; may be NULL when size is 0
      source: the buffer to read, of the same context
      source_offset: the first byte read, counted from the start of the buffer
      size: bytes; 0 has no effect

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the host memory overlaps the range
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts
      GRAPHCAP_ERROR_NOT_PERMITTED: a strict capture of the stream refuses the host memory (GRAPHCAP_CAPTURE_STRICT)

    The call releases the GIL.
    """

def gc_stream_memcpy_dtod(stream: Handle | int | None, destination: Handle | int | None, destination_offset: int, source: Handle | int | None, source_offset: int, size: int, /) -> None:
    """Copies between two buffers, or within one buffer. The ranges must not overlap.

    Parameters:
      stream: the stream
      destination: the buffer to write, of the same context
      destination_offset: the first byte written, counted from the start of the buffer
      source: the buffer to read, of the same context
      source_offset: the first byte read, counted from the start of the buffer
      size: bytes; 0 has no effect

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a range does not lie within its buffer, or the two ranges overlap
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffers belong to different contexts

    The call releases the GIL.
    """

def gc_stream_memset(stream: Handle | int | None, buffer: Handle | int | None, offset: int, value: int, element_size: int, count: int, /) -> None:
    """Sets elements of a buffer to a value.

    Parameters:
      stream: the stream
      buffer: the buffer to write, of the same context
      offset: the first byte written, counted from the start of the buffer; its address must be a multiple of element_size
      value: the value; bits that do not fit an element are ignored
      element_size: 1, 2 or 4 bytes
      count: the number of elements; 0 has no effect

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: element_size is not 1, 2 or 4, the first address is not a multiple of element_size, or the range does not lie within the buffer
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts

    The call releases the GIL.
    """

def gc_stream_launch_host_func(stream: Handle | int | None, function: int | None, user_data: Pointer, destroy: int | None, /) -> None:
    """Runs a function on the CPU when the earlier work of the stream has completed. Later work of the stream waits for the function.

    See gc_host_fn for how the function runs and what it may call. While the stream is captured the function is recorded: it runs once per launch of the graph, and never during the capture itself.

    A CUDA device may run the host functions of all streams one at a time, so no host function may wait for another one.

    Parameters:
      stream: the stream
      function: the function, not NULL
      user_data: passed to function and to destroy; may be NULL
      destroy: called exactly once; may be NULL. It is called after function has run; for a recorded function, after the graph and all graph execs made from it are gone; or when this call fails. After a fault of a CUDA device it may never be called, because the driver keeps what it holds

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: function is NULL

    The call releases the GIL.
    """

def gc_host_fail(reason: str | bytes | None, /) -> int:
    """Makes the calling host function or host kernel fail, with a reason. The call returns; then a kernel returns its status, which ends the launch, and a host function returns.

    On a host device the failure faults the context, as a kernel does that returns a number other than 0. The calls that wait for the work give GRAPHCAP_ERROR_CALLBACK, with the reason and the name of the kernel. For a node of a graph the message also has the number and the name of the node, the name of the graph, and the turn of a loop. It has them for every other fault of a node too. gc_context_reset() begins such a context anew. On a CUDA device, where the driver calls the function, all other work goes on. The next call that waits for work of the context gives GRAPHCAP_ERROR_CALLBACK, once, with the first reason.

    In a destroy function the call has no effect.

    Parameters:
      reason: UTF-8, not NULL; copied. Of several reasons in one call of the function the first one counts

    The call keeps the GIL.
    """

def gc_stream_launch_kernel(stream: Handle | int | None, kernel: Handle | int | None, config: Pointer, arguments: Pointer, argument_count: int, /) -> None:
    """Launches a kernel.

    A shape that the device cannot run breaks the capture of the stream; other wrong arguments do not. A host device runs at most 1024 threads in a block (1024, 1024 and 64 in x, y and z), 2147483647, 65535 and 65535 blocks in x, y and z, and 232448 bytes of shared memory.

    The call copies the arguments and the values that they point to. Buffers among the arguments are kept alive until the launch has run, or by the graph that the launch is recorded into. The number and the sizes of the arguments are checked against the kernel's parameters if these are known, see gc_kernel_parameter_count(). On a CUDA device whose driver is for CUDA 12.4 or newer, the parameters are those of the image. With an older driver they are those that the module's description states for the host kernel of that name.

    gc_launch_config::attributes say how the kernel is launched beyond its shape. An attribute that is unknown, or cannot have its value, is GRAPHCAP_ERROR_INVALID_VALUE. A host device keeps the attributes with the node of a recorded launch, and runs the blocks as always: those of a cooperative launch must not wait for each other.

    Parameters:
      stream: the stream
      kernel: a kernel of the same context
      config: the shape of the launch, not NULL
      arguments: one per parameter of the kernel; may be NULL when argument_count is 0
      argument_count: the number of arguments

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the device cannot have that shape or that much shared memory, or the number of the arguments, or the size of one, does not match the kernel's parameters
      GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster of the attributes does not divide the grid, or is too large
      GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: the launch is cooperative and has more blocks than the device runs at once
      GRAPHCAP_ERROR_INVALID_CONTEXT: the objects belong to different contexts
      GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: a CUDA device lacks resources for the launch, for example registers for that many threads in a block

    The call releases the GIL.
    """

def gc_context_memcpy(context: Handle | int | None, params: Pointer, /) -> None:
    """Copies as GRAPHCAP_WORK_MEMCPY does on the legacy stream, and returns when the copy has run. The copy runs after the work of the legacy stream and of the blocking streams of the context. Captures of non-blocking streams are not harmed.

    If another thread begins to capture a blocking stream during the call, the call may fail on a CUDA device while the copy stays queued. The message says so. Host memory must then stay valid until the program has waited for the legacy stream.

    Parameters:
      context: the context of the buffers
      params: the copy, not NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: see GRAPHCAP_WORK_MEMCPY
      GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer belongs to another context
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: a blocking stream of the context is being captured; the capture is invalidated, unless another thread began it during this call

    The call releases the GIL.
    """

def gc_context_memset(context: Handle | int | None, params: Pointer, /) -> None:
    """Sets rows as GRAPHCAP_WORK_MEMSET does on the legacy stream, and returns when the memset has run. The memset runs after the work of the legacy stream and of the blocking streams of the context. Captures of non-blocking streams are not harmed.

    Parameters:
      context: the context of the buffer
      params: the rows, not NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: see GRAPHCAP_WORK_MEMSET
      GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer belongs to another context
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: a blocking stream of the context is being captured; the capture is invalidated, unless another thread began it during this call

    The call releases the GIL.
    """

def gc_stream_memcpy_batch(stream: Handle | int | None, params: Pointer, count: int, /) -> int:
    """Makes several copies, as cuMemcpyBatchAsync does. All of them come after the earlier work of the stream and before its later work. In which order the copies run, and whether several run at once, is not stated, so no copy may write what another copy of the call reads or writes.

    Each copy works as work of GRAPHCAP_WORK_MEMCPY does, and may have several rows. Plain host memory must not change until the copies have run, unless GRAPHCAP_MEMCPY_SNAPSHOT is set. While the stream is captured each copy is recorded as a node of its own, which depends on the node before it, in the order of the copies.

    All copies are checked before the first one is queued. If one of them is wrong, nothing is done, and failed_index_out is its index. If the device refuses a copy later, any of the others may be queued. If a capture is broken meanwhile, the copies before it are recorded.

    A CUDA device with a driver for CUDA 12.8 or newer queues the copies by one call of the driver. Queued one by one are copies of several rows, snapshots, copies on the legacy stream, copies of host memory on devices that do not take its addresses, and all copies with an older driver. A call with a source in pageable host memory may wait until the stream comes to the copies. A call that writes pageable host memory may return before that: synchronize the stream before the memory is read.

    Parameters:
      stream: the stream
      params: the copies; may be NULL when count is 0
      count: the number of copies; 0 has no effect

    Returns:
      failed_index_out: the index of the first copy that failed; SIZE_MAX if the call succeeds, the failure is not that of one copy, or the driver does not tell of which it is; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: see GRAPHCAP_WORK_MEMCPY; a capture of the stream goes on
      GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer belongs to a context other than the stream's
      GRAPHCAP_ERROR_NOT_PERMITTED: a strict capture of the stream refuses plain host memory (GRAPHCAP_CAPTURE_STRICT)

    The call releases the GIL.
    """

def gc_stream_write_value32(stream: Handle | int | None, buffer: Handle | int | None, offset: int, value: int, flags: int, /) -> None:
    """Writes a value of 32 bits into a buffer when the earlier work of the stream has completed.

    The write ends a wait for the value on any stream. Kernels and the CPU may see the value too. A recorded write is done at each replay.

    Parameters:
      stream: the stream
      buffer: the buffer to write, waitable, of the same context
      offset: the first byte written, counted from the start of the buffer; its address must be a multiple of 4
      value: the value
      flags: GRAPHCAP_WRITE_VALUE_DEFAULT or GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, value operations refuse the buffer, the value does not lie within it, or its address is not a multiple of 4
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts
      GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support the write

    The call releases the GIL.
    """

def gc_stream_write_value64(stream: Handle | int | None, buffer: Handle | int | None, offset: int, value: int, flags: int, /) -> None:
    """Writes a value of 64 bits into a buffer when the earlier work of the stream has completed, as gc_stream_write_value32() does.

    Parameters:
      stream: the stream
      buffer: the buffer to write, waitable, of the same context
      offset: the first byte written, counted from the start of the buffer; its address must be a multiple of 8
      value: the value
      flags: GRAPHCAP_WRITE_VALUE_DEFAULT or GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, value operations refuse the buffer, the value does not lie within it, or its address is not a multiple of 8
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts
      GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support the write

    The call releases the GIL.
    """

def gc_stream_wait_value32(stream: Handle | int | None, buffer: Handle | int | None, offset: int, value: int, flags: int, /) -> None:
    """Makes the later work of a stream wait until a value of 32 bits in a buffer meets the condition that flags state.

    The value may be written by gc_stream_write_value32() on another stream, by kernels, copies and memsets, and by the CPU if it can reach the buffer. Other streams go on meanwhile; for a recorded wait, other branches of the replay go on too. A wait may miss a value that is there only for a moment. On a host device a wait takes no thread. It sees a value of a gc_ value write at once, and any other value within some milliseconds.

    A call that waits for the stream waits for the value too. Destroying the stream does not wait, see gc_stream_destroy().

    Parameters:
      stream: the stream
      buffer: the buffer to read, waitable, of the same context
      offset: the first byte read, counted from the start of the buffer; its address must be a multiple of 4
      value: the value to compare the value in the buffer with
      flags: GRAPHCAP_WAIT_VALUE_GEQ, _EQ, _AND or _NOR; GRAPHCAP_WAIT_VALUE_FLUSH may be combined with it by |

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the flags are unknown, value operations refuse the buffer, the value does not lie within it, or its address is not a multiple of 4
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts
      GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support the wait or the flag GRAPHCAP_WAIT_VALUE_FLUSH

    The call releases the GIL.
    """

def gc_stream_wait_value64(stream: Handle | int | None, buffer: Handle | int | None, offset: int, value: int, flags: int, /) -> None:
    """Makes the later work of a stream wait until a value of 64 bits in a buffer meets a condition, as gc_stream_wait_value32() does.

    Parameters:
      stream: the stream
      buffer: the buffer to read, waitable, of the same context
      offset: the first byte read, counted from the start of the buffer; its address must be a multiple of 8
      value: the value to compare the value in the buffer with
      flags: GRAPHCAP_WAIT_VALUE_GEQ, _EQ, _AND or _NOR; GRAPHCAP_WAIT_VALUE_FLUSH may be combined with it by |

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the flags are unknown, value operations refuse the buffer, the value does not lie within it, or its address is not a multiple of 8
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the buffer belong to different contexts
      GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support the wait or the flag GRAPHCAP_WAIT_VALUE_FLUSH

    The call releases the GIL.
    """

def gc_stream_batch_mem_op(stream: Handle | int | None, operations: Pointer, count: int, flags: int, /) -> None:
    """Does several value writes and value waits one after another, as one piece of work. Either all of them are queued or recorded, or none. Recorded, they are one node.

    Each operation works as the function for a single operation does. A wait therefore holds the operations behind it too.

    Parameters:
      stream: the stream
      operations: the operations, in this order; may be NULL when count is 0
      count: the number of operations, at most 255; 0 has no effect
      flags: 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: value operations refuse a buffer, or an operation is not as gc_mem_op says
      GRAPHCAP_ERROR_INVALID_CONTEXT: the objects belong to different contexts
      GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support an operation or the flag GRAPHCAP_WAIT_VALUE_FLUSH

    The call releases the GIL.
    """

def gc_stream_flags(stream: Handle | int | None, /) -> int:
    """Returns the flags of a stream: the flags that it was made with, or, for a wrapped stream, the flags that the driver reports. Harms no capture.

    The driver does not report the flags of a stream that is being captured. If a wrapped stream was being captured when it was wrapped, and is being captured now, the call returns GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED.

    Parameters:
      stream: the stream

    Returns:
      flags_out: 0 or GRAPHCAP_STREAM_NON_BLOCKING

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the flags are not known, and the driver cannot be asked; the capture goes on

    The call releases the GIL.
    """

def gc_stream_priority(stream: Handle | int | None, /) -> int:
    """Returns the priority of a stream, within the range of its context. Harms no capture. The priority of a default stream is 0 until gc_stream_set_attribute() or gc_stream_copy_attributes() changes it.

    Parameters:
      stream: the stream

    Returns:
      priority_out: the priority; lower is more urgent

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the stream is the per-thread stream, its capture was broken before, and the driver does not return the priority

    The call releases the GIL.
    """

def gc_stream_get_attribute(stream: Handle | int | None, attribute: int, value_out: Pointer, /) -> None:
    """Returns an attribute of a stream.

    A CUDA device returns the driver's value, also for attributes that this header does not know. A host device returns the value that was set, or the initial value of a GPU.

    Parameters:
      stream: the stream
      attribute: one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers
      value_out: the value; all 64 bytes are written, 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: streams have no such attribute

    The call releases the GIL.
    """

def gc_stream_set_attribute(stream: Handle | int | None, attribute: int, value: Pointer, /) -> None:
    """Sets an attribute of a stream for the work that is submitted from now on. A host device stores the value, and runs the stream as before.

    Parameters:
      stream: the stream
      attribute: one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers
      value: the value, not NULL; bytes that the attribute does not use are ignored

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: value is NULL, streams have no such attribute, or it cannot have that value
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture of the stream was broken before, and the driver does not set the attribute; a host device sets it

    The call releases the GIL.
    """

def gc_stream_copy_attributes(stream: Handle | int | None, source: Handle | int | None, /) -> None:
    """Copies the attributes of a stream to another stream. The driver determines which attributes are copied. A host device copies all attributes that it stores.

    Parameters:
      stream: the stream whose attributes are set
      source: the stream whose attributes are read, of the same context

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_CONTEXT: the two streams belong to different contexts
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture of stream or source was broken before, and the driver does not copy the attributes; a host device copies them
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: stream or source is the legacy stream and a blocking stream is being captured; the capture is invalidated

    The call releases the GIL.
    """

def gc_event_create(context: Handle | int | None, options: Pointer, /) -> int:
    """Makes an event. It counts as complete until it is first recorded.

    Parameters:
      context: the context that the event belongs to
      options: NULL for the defaults

    Returns:
      event_out: the new event, owned by the caller until gc_event_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: GRAPHCAP_EVENT_INTERPROCESS comes without GRAPHCAP_EVENT_DISABLE_TIMING

    The call releases the GIL.
    """

def gc_event_destroy(event: Handle | int | None, /) -> None:
    """Destroys an event. Stream waits for the event that were submitted before stay in effect.

    Parameters:
      event: NULL has no effect

    The call releases the GIL.
    """

def gc_event_record(event: Handle | int | None, stream: Handle | int | None, flags: int, /) -> None:
    """Records an event: the event marks the point that the stream has reached. The event forgets the point that it marked before.

    While the stream is captured the event marks a point in the capture: another stream that waits for it joins the capture, and the CPU cannot wait for it.

    With GRAPHCAP_EVENT_RECORD_EXTERNAL, on a stream that is being captured, the record becomes a node of the graph. The call leaves the event as it is, and the event does not mark a point of the capture. Each launch of the graph records the event as this call does outside of captures, and the event is reached when the replay comes to the node. This measures times inside a graph, with gc_event_elapsed_time(), and lets other streams and the CPU wait for a part of a graph. The graph and the graph execs made from it keep the event.

    Parameters:
      event: the event
      stream: a stream of any context on the event's device
      flags: 0 or GRAPHCAP_EVENT_RECORD_EXTERNAL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_HANDLE: event and stream belong to two devices of one kind
      GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown
      GRAPHCAP_ERROR_INVALID_CONTEXT: the event and the stream belong to devices of different kinds
      GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_EVENT_RECORD_EXTERNAL is set, and the stream is in no capture
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured by a CUDA device, and the event was made with GRAPHCAP_EVENT_INTERPROCESS

    The call releases the GIL.
    """

def gc_event_is_complete(event: Handle | int | None, /) -> int:
    """Returns whether the point that the event marks was reached. Does not wait.

    Parameters:
      event: the event

    Returns:
      complete_out: 1 if it was reached or the event was never recorded, else 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the event was last recorded in a capture that is over or invalid
      GRAPHCAP_ERROR_CAPTURED_EVENT: the event was last recorded in a capture; the capture is invalidated
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from asking; the capture is invalidated

    The call releases the GIL.
    """

def gc_event_synchronize(event: Handle | int | None, /) -> None:
    """Waits until the point that the event marks is reached. Returns at once if it was never recorded.

    Parameters:
      event: the event

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the event was last recorded in a capture that is over or invalid
      GRAPHCAP_ERROR_CAPTURED_EVENT: the event was last recorded in a capture; the capture is invalidated
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from waiting; the capture is invalidated

    The call releases the GIL.
    """

def gc_event_synchronize_for(event: Handle | int | None, nanoseconds: int, /) -> None:
    """Waits as gc_event_synchronize() does, but no longer than a given time. When that has passed, the message tells what goes on, as that of gc_stream_synchronize_for() does.

    The rules of captures treat both calls alike. The driver of a CUDA device has no such wait, so graphcap polls it, less and less often the longer the wait takes. There, if the event is recorded again meanwhile, the call waits for the new record. If the new record is in a capture, the capture is left alone, and the event counts as not reached until the capture is over.

    Parameters:
      event: the event
      nanoseconds: the longest time to wait; 0 checks once, UINT64_MAX waits for ever

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_TIMEOUT: the time passed before the point was reached; the work goes on
      GRAPHCAP_ERROR_INVALID_VALUE: the event was last recorded in a capture that is over or invalid
      GRAPHCAP_ERROR_CAPTURED_EVENT: the event was last recorded in a capture; the capture is invalidated
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from waiting; the capture is invalidated

    The call releases the GIL.
    """

def gc_event_elapsed_time(start: Handle | int | None, end: Handle | int | None, /) -> float:
    """Returns the time between two events. Events that a graph records (GRAPHCAP_EVENT_RECORD_EXTERNAL) have times too.

    Parameters:
      start: the earlier event
      end: the later event, of any context on the device of start

    Returns:
      milliseconds_out: the time in milliseconds

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_READY: start or end was not reached yet
      GRAPHCAP_ERROR_INVALID_HANDLE: start or end was never recorded, or was made with GRAPHCAP_EVENT_DISABLE_TIMING, or they belong to two devices of one kind
      GRAPHCAP_ERROR_CAPTURED_EVENT: start or end was last recorded in a capture; the capture goes on
      GRAPHCAP_ERROR_INVALID_VALUE: start or end was last recorded in a capture that is over or invalid
      GRAPHCAP_ERROR_INVALID_CONTEXT: the two events belong to devices of different kinds

    The call releases the GIL.
    """

def gc_event_ipc_handle(event: Handle | int | None, handle_out: Pointer, /) -> None:
    """Returns the handle by which another process opens an event. The event must have been made with GRAPHCAP_EVENT_INTERPROCESS, and must live while others open it.

    Parameters:
      event: the event
      handle_out: 64 bytes for the other process; all 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_HANDLE: the event was not made for other processes
      GRAPHCAP_ERROR_INVALID_VALUE: the event was not made for other processes
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is a host device

    The call releases the GIL.
    """

def gc_event_open_ipc_handle(context: Handle | int | None, ipc_handle: Pointer, /) -> int:
    """Opens an event of another process. Both processes can record it and wait for it. The event takes no time stamps.

    Parameters:
      context: a context on the same device
      ipc_handle: the handle that gc_event_ipc_handle() returned in the other process; not NULL. The driver refuses a handle of the calling process

    Returns:
      event_out: the new event, owned by the caller until gc_event_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_HANDLE: the bytes are not the handle of an event
      GRAPHCAP_ERROR_INVALID_VALUE: ipc_handle or event_out is NULL
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is a host device

    The call releases the GIL.
    """

def gc_event_id(event: Handle | int | None, /) -> int:
    """Returns the number by which messages name an event. No other event of the process has it or had it.

    Parameters:
      event: the event

    Returns:
      id_out: the number, at least 1

    The call keeps the GIL.
    """

def gc_stream_submit(stream: Handle | int | None, work: Pointer, /) -> int:
    """Submits work to a stream. It runs in the stream's order, or is recorded if the stream is being captured.

    Every kind of work but GRAPHCAP_WORK_EMPTY and GRAPHCAP_WORK_MEM_ALLOC is work of a stream. GRAPHCAP_WORK_CHILD_GRAPH, a conditional by condition, and GRAPHCAP_WORK_SET_CONDITION need a stream that is being captured: they become nodes behind what the stream recorded last, and what it records next depends on them. This is short for gc_stream_capture_graph(), gc_stream_capture_frontier(), gc_graph_add_node() and gc_stream_update_capture_dependencies(), with their rules for threads and for captures that others began. Where the last of the four fails, the node is removed, unless the capture goes on: then it stays in the graph, and nothing waits for it.

    A capture into a body, or into the graph of a child node, puts such a node there when it ends, as it does all that it recorded: gc_node_get_graph() gives the graphs of the node from then on. The copy of a child is made at once.

    Parameters:
      stream: the stream
      work: the work, not NULL; read and copied during the call

    Returns:
      node_out: the node that was recorded; 0 where no capture goes on, and where the work is not one node that the stream goes on from, as a mark of an event or a copy of no bytes; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the work is none of a stream, or is wrong: see gc_work and its kind
      GRAPHCAP_ERROR_ILLEGAL_STATE: the work needs a capture, and the stream is in none
      GRAPHCAP_ERROR_NOT_SUPPORTED: code outside graphcap began the capture that the work needs, or scripts are to be bodies in a capture into a body
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the work cannot be captured; the capture is broken
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture was broken before
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured: that capture is invalidated, but goes on where the work needs a capture
      GRAPHCAP_ERROR_NOT_PERMITTED: the work needs a capture, and another thread began it on its per-thread stream

    The call releases the GIL.
    """

def gc_stream_capture_info(stream: Handle | int | None, info_out: Pointer, /) -> None:
    """Describes the capture that a stream is in: its status, its number, and the size of its graph so far.

    Parameters:
      stream: the stream
      info_out: in: struct_size; out: the description

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_stream_capture_frontier(stream: Handle | int | None, /) -> list[int]:
    """Lists the nodes that the next work recorded on a stream will depend on. There are none before the first work of a capture, and none if the stream is not being captured or its capture was broken.

    Parameters:
      stream: the stream

    Returns:
      nodes_out: where to write; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_stream_export_capture_dot(stream: Handle | int | None, flags: int, /) -> str:
    """Writes the graph that a stream's capture has recorded so far in Graphviz's DOT language, as gc_graph_export_dot() does, without the names of nodes and events and without what lies within child nodes and conditional nodes.

    Parameters:
      stream: a stream that is being captured
      flags: 0 or GRAPHCAP_DOT_ flags

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_stream_update_capture_dependencies(stream: Handle | int | None, nodes: Words, data: Pointer, count: int, flags: int, /) -> None:
    """Sets the nodes that the next work recorded on a stream depends on, and what the edges from them carry.

    With GRAPHCAP_CAPTURE_DEPENDENCIES_SET and no nodes, the next work depends on nothing and starts a branch of its own. Nodes that GRAPHCAP_CAPTURE_DEPENDENCIES_SET takes away need not be joined before the end of the capture. Of a node that is listed twice the first entry counts. If the next work is no kernel, a host device makes edges that carry nothing. On a CUDA device a node may also be one that others added to the graph, by the name that gc_stream_capture_frontier() or gc_graph_get_nodes() lists.

    Parameters:
      stream: a stream that is being captured
      nodes: nodes of the graph that is captured into; may be NULL when count is 0
      data: what the edge from each node carries; NULL for nothing
      count: the number of nodes
      flags: GRAPHCAP_CAPTURE_DEPENDENCIES_ADD or GRAPHCAP_CAPTURE_DEPENDENCIES_SET

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: an edge cannot carry its data; the capture goes on as it was
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured
      GRAPHCAP_ERROR_NOT_SUPPORTED: an edge is to carry something, and the driver is older than 12.3
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_stream_capture_violation(stream: Handle | int | None, /) -> tuple[int, str]:
    """Reports what broke the capture that a stream is in, or what went past it if it is strict. If the stream is in no capture, reports on the latest capture that was begun or ended on it.

    The text names the call, its stream (by gc_stream_id()), its thread (by the operating system's number), the time since the capture began, the rule, and what to do instead. For work that was not joined it names the streams, and the events that forked them (by gc_event_id()). For a call outside graphcap it names the graphcap calls before and after it, and quotes the driver's log if the driver keeps one (CUDA 12.9). The message of each later failure of the capture holds the same text, which may be cut there.

    For GRAPHCAP_VIOLATION_WORK_OUTSIDE the text names the first call by which work went past the capture, its stream, and how many calls followed. It is reported while nothing broke the capture, also after its end.

    graphcap finds another violation when one of its own calls fails. A capture that was broken from outside can therefore be invalidated while this function still reports GRAPHCAP_VIOLATION_NONE. If the call that broke the capture runs on another thread and has not returned yet, this function reports GRAPHCAP_VIOLATION_OUTSIDE at first. A capture of a per-thread stream is reported to its own thread only.

    Parameters:
      stream: the stream

    Returns:
      violation_out: one of the GRAPHCAP_VIOLATION_ numbers
      text: what happened, in words; empty for GRAPHCAP_VIOLATION_NONE; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the text did not fit and was cut; violation_out was written

    The call keeps the GIL.
    """

def gc_thread_exchange_capture_mode(mode: Pointer, /) -> None:
    """Exchanges the capture mode of the calling thread. A second call with the mode that this call returned restores it.

    gc_capture_mode tells which unsafe calls captures bar. A thread that has to make an unsafe call beside captures, and knows that the call harms none of them, makes itself relaxed for the time of the call.

    Threads begin with GRAPHCAP_CAPTURE_MODE_GLOBAL. The mode applies to all devices. It is also CUDA's mode of the thread, as cuThreadExchangeStreamCaptureMode() and the CUDA runtime know it. The first gc_ call that needs the driver loads it. A thread that sets its mode before then passes the mode on to CUDA with its first gc_ call that the mode affects.

    Parameters:
      mode: in: one of the GRAPHCAP_CAPTURE_MODE_ numbers; out: the thread's mode before the call; unchanged on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: mode is NULL, or *mode is not a capture mode

    The call releases the GIL.
    """

def gc_stream_capture(stream: Handle | int | None, mode: int, options: Pointer, function: int | None, user_data: Pointer, destroy: int | None, /) -> int:
    """Captures what a function submits to a stream: begins a capture, calls the function, and ends the capture in any case. A graph is made only if all of this succeeded.

    If the function fails, this call returns the function's status, whatever state the capture is in by then. The message names that status, and the last call that failed inside the function. If the function succeeds although a call in it broke the capture, this call returns GRAPHCAP_ERROR_CAPTURE_INVALIDATED. The stream is usable again in any case.

    The function has to end the captures that it begins itself. Beginning another capture of this stream inside it gives GRAPHCAP_ERROR_ILLEGAL_STATE. Captures of other streams can be nested, also with gc_stream_capture().

    Parameters:
      stream: the stream; not the legacy stream
      mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers
      options: NULL for the defaults: no pool, not strict, a new graph. Modules are kept while the capture goes on, and have no other effect
      function: the function that submits; not NULL. It is not called if the capture cannot begin
      user_data: passed to function and to destroy; may be NULL
      destroy: called exactly once, on this thread and before this call returns, also when it fails; may be NULL

    Returns:
      graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: function or graph_out is NULL, the mode or a flag is unknown, modules is NULL and module_count is not 0, or the struct_size of the options is not valid
      GRAPHCAP_ERROR_INVALID_CONTEXT: a module, or the pool, belongs to a context other than the stream's
      GRAPHCAP_ERROR_SEALED: the pool is sealed
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream
      GRAPHCAP_ERROR_CALLBACK: the function is written in Rust and panicked
      GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the function ended the capture itself
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: a call broke the capture
      GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back

    The call releases the GIL.
    """

def gc_capture_begin(stream: Handle | int | None, mode: int, options: Pointer, /) -> int:
    """Begins a capture of a stream, as gc_stream_begin_capture() does, and makes an object that owns it.

    The object keeps the stream until the capture is over: gc_stream_destroy() does not discard this capture. A wrapped stream must live until then.

    Without capture_out no object owns the capture, and modules have no effect: it is as one that gc_stream_begin_capture() began, with options.

    **A capture into a graph** (gc_capture_options::graph): nodes are part of the graph as soon as they are recorded, and the graph can be inspected and instantiated during the capture. The call that ends the capture returns another handle to the graph, which is destroyed on its own. A graph whose handles were all destroyed lives until the capture is over. While work is recorded, no other thread may use the graph on a CUDA device.

    A capture that fails destroys the graph that it goes into, as the driver does. It fails when the call that ends it reports so, or when the stream is destroyed and gc_stream_end_capture() would have failed. Every later call on the graph then answers GRAPHCAP_ERROR_INVALID_VALUE. Its handles must still be destroyed. Graph execs that were made from it still work. A whole capture that is aborted leaves in the graph what was recorded.

    A graph within a node, see gc_node_get_graph(), gets the recorded nodes when the capture ends. Until then no other call can change it, and its node cannot be removed. A capture that fails leaves such a graph as it was.

    Parameters:
      stream: the stream; not the legacy stream
      mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers; GRAPHCAP_CAPTURE_MODE_GLOBAL if in doubt
      options: NULL for the defaults: no modules, no pool, not strict, a new graph

    Returns:
      capture_out: the capture, owned by the caller until gc_capture_destroy(); NULL on failure; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the mode or a flag is unknown, or one of the dependencies is no node of the graph
      GRAPHCAP_ERROR_INVALID_CONTEXT: a module, the pool or the graph belongs to a context other than the stream's
      GRAPHCAP_ERROR_SEALED: the pool is sealed
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already, or another capture goes into the graph
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream
      GRAPHCAP_ERROR_NOT_SUPPORTED: there are a graph and a pool; or the capture goes into a graph, and the device is a CUDA device whose driver is older than 12.3, or the graph is within a node and the program knows the native handle of the stream, which is so of the per-thread stream of a CUDA device

    The call releases the GIL.
    """

def gc_capture_destroy(capture: Handle | int | None, /) -> None:
    """Destroys a capture object. If its capture goes on, ends the capture and discards what it recorded.

    A broken capture is ended too. The call may be made on any thread: in a mode other than relaxed the driver gives the graph only to the thread that began the capture, but it discards the capture on any thread. Nothing can be ended inside a host function; if the call is made there, another thread ends the capture soon. A capture of another thread's per-thread stream stays open, and that thread has to end it. The call waits for the calls of other threads, see "What ends at once".

    Parameters:
      capture: NULL has no effect

    The call releases the GIL.
    """

def gc_capture_record_kernel(capture: Handle | int | None, name: str | bytes | None, config: Pointer, arguments: Pointer, argument_count: int, /) -> None:
    """Records a launch of a kernel that is found by its name in the modules that gc_capture_begin() was given.

    Wrong arguments do not harm the capture. Unlike with gc_stream_launch_kernel(), that includes a shape that cannot be launched: graphcap checks it before the driver sees the launch, as far as the limits of the device and the kernel are known.

    Parameters:
      capture: the capture
      name: the exact name, UTF-8; if several modules have a kernel of that name, the first module is used
      config: the shape of the launch, not NULL
      arguments: one per parameter of the kernel, as for gc_stream_launch_kernel(); the arguments and the values that they point to are copied, and the graph keeps the buffers
      argument_count: the number of arguments

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: as for gc_stream_launch_kernel()
      GRAPHCAP_ERROR_NOT_FOUND: no module of the capture has a kernel of that name
      GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster of the attributes does not divide the grid, or is too large
      GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: the launch is cooperative and has more blocks than the device runs at once
      GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer belongs to another context
      GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: the kernel cannot have that many threads in a block
      GRAPHCAP_ERROR_ILLEGAL_STATE: the capture is over
      GRAPHCAP_ERROR_BUSY: another thread is using the capture
      GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream

    The call releases the GIL.
    """

def gc_capture_record_memcpy(capture: Handle | int | None, params: Pointer, /) -> None:
    """Records a copy, as GRAPHCAP_WORK_MEMCPY does.

    Parameters:
      capture: the capture
      params: the copy, not NULL; copied

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: see GRAPHCAP_WORK_MEMCPY
      GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer belongs to another context
      GRAPHCAP_ERROR_ILLEGAL_STATE: the capture is over
      GRAPHCAP_ERROR_BUSY: another thread is using the capture
      GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream, or it is strict and the copy uses plain host memory

    The call releases the GIL.
    """

def gc_capture_record_memset(capture: Handle | int | None, buffer: Handle | int | None, offset: int, value: int, element_size: int, count: int, /) -> None:
    """Records setting elements of a buffer to a value, as gc_stream_memset() does.

    Parameters:
      capture: the capture
      buffer: the buffer to write, of the stream's context
      offset: the first byte written, counted from the start of the buffer; its address must be a multiple of element_size
      value: the value; bits that do not fit an element are ignored
      element_size: 1, 2 or 4 bytes
      count: the number of elements; 0 records nothing

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: element_size is not 1, 2 or 4, the first address is not a multiple of element_size, or the range does not lie within the buffer
      GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer belongs to another context
      GRAPHCAP_ERROR_ILLEGAL_STATE: the capture is over
      GRAPHCAP_ERROR_BUSY: another thread is using the capture
      GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream

    The call releases the GIL.
    """

def gc_capture_recorded_count(capture: Handle | int | None, /) -> int:
    """Counts the operations that were recorded through a capture object: the calls of gc_capture_record_ functions that succeeded and had something to record. Works also when the capture is over.

    Work that was submitted without this object, to the stream or to streams that joined, is in the graph but is not counted here. gc_graph_node_count() counts both.

    Parameters:
      capture: the capture

    Returns:
      count_out: the number

    The call keeps the GIL.
    """

def gc_capture_is_active(capture: Handle | int | None, /) -> int:
    """Returns whether the capture of an object goes on and can be recorded into.

    Parameters:
      capture: the capture

    Returns:
      active_out: 1 while it does; 0 when it was broken or is over. It does not matter what ended it: this object, gc_stream_end_capture(), also on the wrong thread, or the destruction of its stream

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream

    The call releases the GIL.
    """

def gc_capture_end(capture: Handle | int | None, /) -> int:
    """Ends a capture and returns the graph that it recorded. On one stream n operations are n nodes and n - 1 edges.

    After GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_INVALID_VALUE, GRAPHCAP_ERROR_BUSY and GRAPHCAP_ERROR_NOT_PERMITTED the capture goes on. In a guarded context it also goes on after GRAPHCAP_ERROR_CAPTURE_UNJOINED and GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD; gc_capture_abort() discards it. After every other answer the stream is usable again. The object stays until gc_capture_destroy().

    Parameters:
      capture: the capture

    Returns:
      graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the capture was ended or aborted before, through this object or through its stream. A later capture of the stream goes on
      GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back
      GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: another thread began the capture, in a mode other than relaxed; the capture is gone
      GRAPHCAP_ERROR_BUSY: another thread is using the capture
      GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream

    The call releases the GIL.
    """

def gc_capture_abort(capture: Handle | int | None, /) -> None:
    """Ends a capture and discards what was recorded. It succeeds also if the capture was broken, if work was not joined, or if another thread began the capture.

    Parameters:
      capture: the capture

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the capture was ended or aborted before, through this object or through its stream
      GRAPHCAP_ERROR_BUSY: another thread is using the capture
      GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream

    The call releases the GIL.
    """

def gc_capture_record(capture: Handle | int | None, work: Pointer, /) -> None:
    """Records work in a capture, as gc_stream_submit() does on its stream.

    Marks of events and waits for them are no operations of the graph: gc_capture_recorded_count() does not count them. Nor does it count a copy of no bytes, a memset, product or fill of no elements, and a list of no value operations. A shape that cannot be launched is refused before it breaks the capture.

    Parameters:
      capture: the capture
      work: the work, not NULL; read and copied during the call. Its name is NULL: name a node with gc_stream_submit(), or afterwards

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: as gc_stream_submit() says, or work has a name
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the work cannot be captured; the capture is broken
      GRAPHCAP_ERROR_ILLEGAL_STATE: the capture is over
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture was broken before
      GRAPHCAP_ERROR_BUSY: another thread is using the capture
      GRAPHCAP_ERROR_NOT_PERMITTED: the capture is of another thread's per-thread stream

    The call releases the GIL.
    """

def gc_stream_capture_graph(stream: Handle | int | None, /) -> int:
    """Returns the graph that a stream's capture goes into, while the capture goes on.

    The graph can be looked at, instantiated, and edited: nodes and edges can be added to it, and conditions made. Nothing can be taken away from it until the capture is over. What the stream records next depends on an added node only after gc_stream_update_capture_dependencies(). Added nodes need not be joined before the end of the capture. From this call on the capture is as one of gc_stream_begin_capture_to_graph(): gc_stream_end_capture() returns another handle to the graph, a capture that fails destroys the graph, and every later call on it then answers GRAPHCAP_ERROR_INVALID_VALUE.

    Of a capture into a body or the graph of a child node this is that graph. Nothing can be added to it before the end of the capture, which puts the recorded nodes into it: calls that would change it return GRAPHCAP_ERROR_ILLEGAL_STATE.

    All streams of one capture give the same graph, which belongs to the context of the stream that the capture was begun on. Other calls return other handles to it. Where that stream is a per-thread stream, only the thread that began the capture can ask for the graph, on whichever of the capture's streams. On a CUDA device no other thread may use the graph while work is recorded.

    Parameters:
      stream: a stream that is being captured

    Returns:
      graph_out: the graph, owned by the caller until gc_graph_destroy(); NULL on failure. A graph whose handles were all destroyed lives until the capture is over

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on
      GRAPHCAP_ERROR_INVALID_CONTEXT: code outside graphcap began the capture, into a gc_graph of another context than that of the stream that it was begun on
      GRAPHCAP_ERROR_NOT_SUPPORTED: code outside graphcap began the capture; gc_stream_capture_info() has the native graph
      GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory; the capture goes on
      GRAPHCAP_ERROR_NOT_PERMITTED: another thread began the capture on its per-thread stream

    The call releases the GIL.
    """

def gc_stream_set_condition(stream: Handle | int | None, condition: int, buffer: Handle | int | None, offset: int, /) -> None:
    """Records that a condition is set to the 4 bytes at an offset of a buffer, as they are when the launch comes to it. It may be recorded anywhere in the graph of the condition: ahead of the conditional node, in a body of it, and in the bodies of nodes within it. A while is decided anew by what its body sets last. See GRAPHCAP_WORK_SET_CONDITION for all else.

    In a capture into a body, or into the graph of a child node, the call is recorded as a kernel launch is. Elsewhere rules for threads, and what a call that fails leaves, are as for gc_stream_submit().

    Parameters:
      stream: a stream that is being captured
      condition: a condition of the graph that gc_stream_capture_graph() gives, or of the outermost graph of a body
      buffer: the buffer with the value, of a context on a device of the kind of the graph; the graph keeps it alive
      offset: the first byte of the value; its address must be a multiple of 4

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: condition is none of the graph, the value does not lie within the buffer, or its address is not a multiple of 4
      GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer belongs to a device of another kind; or as gc_stream_capture_graph()
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on
      GRAPHCAP_ERROR_NOT_SUPPORTED: code outside graphcap began the capture
      GRAPHCAP_ERROR_NOT_PERMITTED: another thread began the capture on its per-thread stream

    The call releases the GIL.
    """

def gc_graph_create(context: Handle | int | None, /) -> int:
    """Makes a graph without nodes. Add nodes to it, or capture into it.

    Parameters:
      context: the context that the graph belongs to

    Returns:
      graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure

    The call releases the GIL.
    """

def gc_graph_destroy(graph: Handle | int | None, /) -> None:
    """Destroys a graph. Graph execs made from it are not affected. The destroy of a graph that was wrapped as borrowed waits, a second at most, for calls of other threads that may see it.

    Parameters:
      graph: NULL has no effect

    The call releases the GIL.
    """

def gc_graph_node_count(graph: Handle | int | None, /) -> int:
    """Counts the nodes of a graph.

    Parameters:
      graph: the graph

    Returns:
      count_out: the number of nodes

    The call releases the GIL.
    """

def gc_graph_edge_count(graph: Handle | int | None, /) -> int:
    """Counts the edges of a graph.

    Parameters:
      graph: the graph

    Returns:
      count_out: the number of edges

    The call releases the GIL.
    """

def gc_graph_get_nodes(graph: Handle | int | None, /) -> list[int]:
    """Lists the nodes of a graph, in the order in which they were made.

    Parameters:
      graph: the graph

    Returns:
      nodes_out: where to write; may be NULL when capacity is 0

    The call releases the GIL.
    """

def gc_graph_export_dot(graph: Handle | int | None, flags: int, /) -> str:
    """Writes a graph in Graphviz's DOT language.

    Each node is a box with its number, in the order in which the nodes were made, its name if it was given one, and its kind or the name of its kernel. Conditional nodes have if, while or switch below. The flags, whose numbers are those of CUgraphDebugDot_flags, add lines to the boxes. Objects are called by the names that gc_set_name() gave them, or else by their kind and place, as "buffer 0". The graph of a child node and the bodies of a conditional node are clusters. On a CUDA device the names of kernels that others recorded need a driver for 12.3 or newer.

    Parameters:
      graph: the graph
      flags: 0 or GRAPHCAP_DOT_ flags

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, or the graph was lost when a capture into it failed
      GRAPHCAP_ERROR_NOT_SUPPORTED: graphs lie within each other more than 16 deep

    The call releases the GIL.
    """

def gc_graph_instantiate(graph: Handle | int | None, options: Pointer, /) -> int:
    """Makes a graph exec from the current state of a graph. It can be launched any number of times.

    A graph with allocations, or with conditions, has one graph exec at a time.

    GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH needs a CUDA device, and a graph of kernels, memsets, copies of device and pinned memory, and child graphs of these. It excludes GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH.

    GRAPHCAP_INSTANTIATE_WATCH makes the exec of a copy of the graph, and excludes GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH. GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS needs it. gc_graph_exec_progress() knows the nodes by the names that they have in the graph.

    GRAPHCAP_INSTANTIATE_SHAPE on a CUDA device: the driver's graph has the two kernels until the exec is made, and again during each update by it, so nobody may use its CUgraph meanwhile.

    If the graph cannot be launched, the message tells why, and names the node where one is the cause: edges form a cycle, a node is of a kind that conditional bodies or launches from the device do not have, a node is of another context, or a condition has no node. On a CUDA device it also has the driver's result (CUgraphInstantiateResult).

    Parameters:
      graph: the graph
      options: NULL for the defaults

    Returns:
      exec_out: the new graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: two flags exclude each other, or the graph cannot be launched: as one whose child graphs share memory of a pool and are not ordered, or one of whose memory is gone that GRAPHCAP_CAPTURE_NOTE_MEMORY noted
      GRAPHCAP_ERROR_INVALID_CONTEXT: upload_stream and the graph are of devices of different kinds
      GRAPHCAP_ERROR_NOT_SUPPORTED: the graph is that of a node, it has an exec and can have only one, a flag asks for launches from a host device, GRAPHCAP_INSTANTIATE_WATCH is given for a graph with allocations or nodes that kernels can change, or on a CUDA device with conditions, or GRAPHCAP_INSTANTIATE_SHAPE on a CUDA device for one with allocations, or turn_limit is not 0 on a CUDA device; on a CUDA device also what gc_node_set_grid_scalar() says
      GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_INSTANTIATE_SHAPE is given on a CUDA device while a capture goes into the graph
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from instantiating, or the stream of the upload is being captured; the capture is invalidated
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the upload is on the legacy stream and a blocking stream is being captured; that capture is invalidated

    The call releases the GIL.
    """

def gc_node_kind(graph: Handle | int | None, node: int, /) -> int:
    """Returns what kind of work a node does. Captured and added nodes, and nodes that others added, have kinds alike.

    Parameters:
      graph: the graph
      node: one of its nodes

    Returns:
      kind_out: one of the GRAPHCAP_NODE_ numbers, which are those of CUgraphNodeType

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph

    The call releases the GIL.
    """

def gc_node_get_dependencies(graph: Handle | int | None, node: int, /) -> list[int]:
    """Lists the nodes that a node waits for, in the order in which they were made.

    Parameters:
      graph: the graph
      node: one of its nodes

    Returns:
      nodes_out: where to write; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph
      GRAPHCAP_ERROR_LOSSY_QUERY: capacity is not 0, and an edge to the node carries data; gc_graph_get_edges() lists it

    The call releases the GIL.
    """

def gc_node_get_dependents(graph: Handle | int | None, node: int, /) -> list[int]:
    """Lists the nodes that wait for a node, in the order in which they were made.

    Parameters:
      graph: the graph
      node: one of its nodes

    Returns:
      nodes_out: where to write; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph
      GRAPHCAP_ERROR_LOSSY_QUERY: capacity is not 0, and an edge from the node carries data; gc_graph_get_edges() lists it

    The call releases the GIL.
    """

def gc_graph_get_roots(graph: Handle | int | None, /) -> list[int]:
    """Lists the nodes of a graph that wait for no other node, in the order in which they were made.

    Parameters:
      graph: the graph

    Returns:
      nodes_out: where to write; may be NULL when capacity is 0

    The call releases the GIL.
    """

def gc_graph_get_order(graph: Handle | int | None, /) -> list[int]:
    """Lists the nodes of a graph so that each node comes after the nodes that it waits for. Of the nodes that can come next, the one that was made first comes first, so the order is always that of a graph with the same nodes and edges.

    Parameters:
      graph: the graph

    Returns:
      nodes_out: where to write; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle

    The call releases the GIL.
    """

def gc_node_get_graph(graph: Handle | int | None, node: int, index: int, /) -> int:
    """Returns the graph that a child node runs, or a body of a conditional node. The graph can be looked at, edited and captured into like other graphs, for execs that are made later. It cannot be instantiated or become a child node; a clone of the graph of a child node can. The body of a conditional node cannot be cloned.

    Parameters:
      graph: the graph that has the node
      node: a child node, or a conditional node
      index: 0 for a child node; the index of the body for a conditional node

    Returns:
      graph_out: a handle of the graph, owned by the caller until gc_graph_destroy(); NULL on failure. When the node is removed, or the outermost graph destroyed, functions return GRAPHCAP_ERROR_INVALID_HANDLE for it

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph or has no graph, or there is no body of that index

    The call releases the GIL.
    """

def gc_node_get_containing_graph(graph: Handle | int | None, node: int, /) -> int:
    """Returns the graph that has a node: a graph, or one that lies within its nodes, at any depth.

    Parameters:
      graph: the graph to search
      node: a node of the graph, or of a graph within it

    Returns:
      graph_out: a handle of the graph that has the node, owned by the caller until gc_graph_destroy(); NULL on failure. One of a graph within a node is as gc_node_get_graph() gives it

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph or of one within it

    The call releases the GIL.
    """

def gc_node_get_kernel_params(graph: Handle | int | None, node: int, params_out: Pointer, /) -> None:
    """Returns the shape of a kernel node and how many arguments it has.

    Parameters:
      graph: the graph
      node: one of its nodes, a kernel node
      params_out: the struct to fill

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no kernel node of the graph

    The call releases the GIL.
    """

def gc_node_get_argument(graph: Handle | int | None, node: int, index: int, /) -> bytes:
    """Copies the bytes of an argument of a kernel node. gc_context_find_buffer() tells which buffer an address among them is in.

    Parameters:
      graph: the graph
      node: one of its nodes, a kernel node
      index: the number of the argument, from 0

    Returns:
      bytes_out: where to write; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph, or it has no such argument

    The call releases the GIL.
    """

def gc_node_kernel_name(graph: Handle | int | None, node: int, /) -> str:
    """Copies the name of the kernel that a node launches, also if the node has a name of its own: gc_node_get_name() copies that. On a CUDA device the call needs a driver for 12.3 or newer, except for kernels that were found through graphcap. The text is empty if the driver does not tell the name.

    Parameters:
      graph: the graph
      node: one of its nodes, a kernel node

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph

    The call releases the GIL.
    """

def gc_node_get_kernel(graph: Handle | int | None, node: int, /) -> int:
    """Returns the kernel that a node launches.

    Parameters:
      graph: the graph
      node: one of its nodes, a kernel node

    Returns:
      kernel_out: a handle of the kernel, owned by the caller until gc_kernel_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph
      GRAPHCAP_ERROR_NOT_FOUND: the kernel was not found through graphcap

    The call releases the GIL.
    """

def gc_node_get_memcpy_params(graph: Handle | int | None, node: int, params_out: Pointer, /) -> None:
    """Returns what a copy node copies. gc_context_find_buffer() tells which buffers the addresses are in.

    Parameters:
      graph: the graph
      node: one of its nodes, a copy node
      params_out: the struct to fill

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the node copies from or to an array

    The call releases the GIL.
    """

def gc_node_get_memset_params(graph: Handle | int | None, node: int, params_out: Pointer, /) -> None:
    """Returns what a memset node sets. gc_context_find_buffer() tells which buffer the address is in.

    Parameters:
      graph: the graph
      node: one of its nodes, a memset node
      params_out: the struct to fill

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no memset node of the graph

    The call releases the GIL.
    """

def gc_node_get_mem_op_params(graph: Handle | int | None, node: int, index: int, params_out: Pointer, /) -> int:
    """Returns one of the value operations of a node. gc_context_find_buffer() tells which buffer the address is in.

    Parameters:
      graph: the graph
      node: one of its nodes, of value operations
      index: the number of the operation, from 0
      params_out: the struct to fill

    Returns:
      count_out: the number of operations of the node; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the node has an operation that graphcap does not know

    The call releases the GIL.
    """

def gc_node_get_event(graph: Handle | int | None, node: int, /) -> int:
    """Returns the event that a node records or waits for.

    Parameters:
      graph: the graph
      node: one of its nodes, an event record node or an event wait node

    Returns:
      event_out: a handle of the event, owned by the caller until gc_event_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the event is none of graphcap's
      GRAPHCAP_ERROR_NOT_FOUND: others changed the node, so that the graph does not keep its event

    The call releases the GIL.
    """

def gc_context_find_buffer(context: Handle | int | None, address: int, /) -> tuple[int, int, int]:
    """Finds the live buffer or host buffer that an address is in. Buffers of other contexts are found once work of this context has used them. A host buffer is found by the CPU's address and by the device's. Of overlapping buffers, the one that starts latest is found, and of these the one made latest. An address one past the last byte is found too, unless another buffer begins there.

    Parameters:
      context: the context
      address: the address

    Returns:
      buffer_out: a handle of the buffer, owned by the caller until gc_buffer_destroy(); NULL on failure, and for a host buffer
      host_buffer_out: a handle of the host buffer, owned by the caller until gc_host_buffer_destroy(); NULL on failure, and for a buffer
      offset_out: the address as bytes from the start of the buffer; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_FOUND: no buffer is at the address

    The call releases the GIL.
    """

def gc_node_get_host_params(graph: Handle | int | None, node: int, params_out: Pointer, /) -> None:
    """Returns the function that a host node calls, with its user data, as they were given to gc_graph_add_host_node(), gc_node_set_host(), gc_stream_launch_host_func(), gc_capture_record_host_func() or gc_graph_import_json(). For a callable of C++ that the node owns, they are graphcap.hpp's.

    Parameters:
      graph: the graph
      node: one of its nodes, a host node
      params_out: the struct to fill

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no host node of the graph

    The call releases the GIL.
    """

def gc_graph_unresolved_pointers(graph: Handle | int | None, /) -> bytes:
    """Lists the device pointers in the arguments of a graph's kernel nodes that lie in memory of others: in no buffer that graphcap knows, and in no allocation of the graph's nodes. No graph and no graph exec keeps that memory. The caller keeps it until the last replay, or wraps it: gc_buffer_wrap().

    Each aligned word of 8 bytes counts that the driver knows as an address when the function is called: a value can look like one, and memory that was freed has none, so ask right after the capture. Pointers that lie in memory are not found. The graphs of nodes are asked on their own. Host devices list nothing. docs/what-a-graph-keeps.md tells what a graph keeps of work of others.

    Parameters:
      graph: the graph

    Returns:
      pointers_out: where to write the pointers, in the order of gc_graph_get_nodes(), parameters and offsets; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_SUPPORTED: the driver does not tell the arguments of a kernel node; drivers since CUDA 12.4 do

    The call releases the GIL.
    """

def gc_graph_export_json(graph: Handle | int | None, /) -> str:
    """Writes a graph as JSON: its nodes with everything that they do, its edges, the graphs and bodies within nodes, the conditions, and the names of the objects that nodes use. gc_graph_import_json() makes a graph of the text.

    docs/graph.schema.json describes the format. Numbers of 64 bits are texts. An address is a buffer and an offset. The same graph gives the same text; objects without a name are called by their kind and place, as "buffer 0". What the memory holds is not written, except for the bytes of snapshots. Captured nodes tell the stream that recorded them, as GRAPHCAP_DOT_EXTRA_TOPO_INFO shows it. On a CUDA device a condition is a small number; where a kernel of the program's takes one, the text has that number.

    Parameters:
      graph: the graph

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the graph was lost when a capture into it failed
      GRAPHCAP_ERROR_NOT_SUPPORTED: graphs lie within each other more than 16 deep

    The call releases the GIL.
    """

def gc_graph_import_json(context: Handle | int | None, json: str | bytes | None, size: int, bindings: Pointer, binding_count: int, /) -> int:
    """Makes a graph of the text that gc_graph_export_json() wrote, perhaps in another process.

    The bindings give the buffers, host buffers, host memory, kernels, events and host functions that the text has names for. An object that is named in the text and used by a node must be bound; other bindings are ignored. A binding of GRAPHCAP_BINDING_GRAPH takes what nothing else is bound to, but plain host memory, from a graph of the process: the graph that wrote the text, or one with objects of the same names. No node of that graph may be changed meanwhile. Memory must be at least as large as that of the text. The kernel of nodes that set a condition from memory needs no binding. The graph keeps alive what it uses, except for host memory, which the caller keeps. Nodes have the names that they have in the text.

    GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_PROCESS, NULL, NULL) takes what is still left from the named objects of the process that belong to context and whose handles are not destroyed. docs/graph-texts.md tells what is found. The call holds all named objects while it runs, so that registered host memory may stay pinned until it returns.

    The text may come from anywhere. Its nodes use nothing but what was bound, what a bound graph uses, and on request what has its names in the process. An argument that holds an address of the process is refused unless the text says which memory it is of. What kernels make of the numbers in a text, graphcap does not know.

    Parameters:
      context: the context that the graph is to belong to
      json: the text, UTF-8; it need not end with a NUL
      size: bytes at json, at most 67108864
      bindings: what is bound; may be NULL when binding_count is 0. The user data of all host functions goes to graphcap in any case, unless the array is NULL, has too many elements, or has elements of sizes that cannot be or with members that this version does not have
      binding_count: the number of bindings, at most 1048576

    Returns:
      graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the text is no text of a graph, or says what a node cannot do: the message tells the place, by line and column or as graph.nodes[3].arguments[1]. Or two bindings have one name, or two are graphs or the process; objects of the process have a name of the text, and none fits or several do; a member is not NULL that the kind does not use; what is bound is of another kind, or smaller than what the text uses of it
      GRAPHCAP_ERROR_NOT_FOUND: nothing is bound to a name that a node uses
      GRAPHCAP_ERROR_NOT_SUPPORTED: the text has nodes that are not read back: kernels that set the condition of a node in the body of a later node, and nodes or arguments that graphcap could not read; or graphs lie within each other more than 16 deep; or the device cannot do the work
      GRAPHCAP_ERROR_INVALID_CONTEXT: an object that is used belongs to a device of another kind, or objects of the process that have a name of the text belong to other contexts

    The call releases the GIL.
    """

def gc_graph_diff(graph: Handle | int | None, other: Handle | int | None, /) -> str:
    """Writes what two graphs differ in, as text for people: a line for each difference, and the empty text if there is none. A line begins with - for what the first graph alone has, with + for what the second one alone has, and with ~ for what differs in two nodes that are paired. docs/graph-texts.md tells how nodes are paired: as gc_graph_exec_update() pairs them, and where that tells of more differences, by what they do. So two graphs of the same branches do not differ, in whatever order the branches were recorded, although an update may exchange them or refuse.

    The graphs of child nodes and the bodies of conditional nodes are compared in the same way. The stream that recorded a node is not compared. Kernels, and memory and events with a name, are compared by their names, other memory by its address, snapshots by their bytes. Other events, and host functions, are the same only where they come from the same call: in a graph and its clone, and not in two graphs that were built alike. The graphs may belong to different contexts.

    Parameters:
      graph: the first graph
      other: the second graph

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the edges of one of the graphs form a cycle
      GRAPHCAP_ERROR_NOT_SUPPORTED: graphs lie within each other more than 16 deep

    The call releases the GIL.
    """

def gc_graph_wrap(context: Handle | int | None, native: Pointer, ownership: int, /) -> int:
    """Makes a handle for a graph that others made, as PyTorch or a library; a second one if it has one. docs/devices.md tells what can be done with it.

    An address without memory is refused, and a destroyed graph as far as the driver tells. Any other value that is no graph, a graph of a node, and use of the graph by others during a gc_ call on it are undefined behaviour.

    Parameters:
      context: a context on its device
      native: the CUgraph
      ownership: one of the GRAPHCAP_OWNERSHIP_ numbers

    Returns:
      graph_out: a handle owned by the caller until gc_graph_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: native is no graph
      GRAPHCAP_ERROR_INVALID_CONTEXT: it has a handle of another context
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device

    The call releases the GIL.
    """

def gc_graph_exec_wrap(context: Handle | int | None, native: Pointer, ownership: int, graph: Handle | int | None, /) -> int:
    """Makes a handle for a graph exec that others made, by the rules of gc_graph_wrap().

    Parameters:
      context: a context on its device
      native: the CUgraphExec
      ownership: one of the GRAPHCAP_OWNERSHIP_ numbers
      graph: the graph that it was made of, unchanged since; NULL for an exec whose nodes are not set

    Returns:
      exec_out: a handle owned by the caller until gc_graph_exec_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: native is no graph exec, or graph is that of a node
      GRAPHCAP_ERROR_INVALID_CONTEXT: graph is of another context, or the exec has a handle of another one
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device

    The call releases the GIL.
    """

def gc_graph_launch(exec: Handle | int | None, stream: Handle | int | None, /) -> None:
    """Launches a graph exec once. The launch is called a replay. It runs in the stream's order, asynchronously to the caller. The stream may be of any context on a device of the same kind. What the nodes use stays until the replay is complete, whichever context it belongs to.

    Parameters:
      exec: the graph exec
      stream: a stream of a context on a device of the same kind

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the graph allocates memory that an earlier launch left allocated, or frees memory that is not allocated
      GRAPHCAP_ERROR_INVALID_CONTEXT: the graph exec and the stream belong to devices of different kinds
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured and the device cannot record the launch of a graph; the capture is invalidated
      GRAPHCAP_ERROR_BUSY: the graph exec shares memory (GRAPHCAP_POOL_SHARED) or random numbers with other graph execs; the latest launch of these was on another stream, has no event behind it, and that stream is being captured by now

    The call releases the GIL.
    """

def gc_graph_upload(exec: Handle | int | None, stream: Handle | int | None, /) -> None:
    """Prepares a graph exec for its first launch, which is faster then. The first upload that succeeds prepares the graph exec. Later uploads have no effect, even on a stream that is being captured. An upload that failed can be tried again.

    A CUDA device leaves the upload to the first launch while a launch of an earlier exec has left memory of the graph allocated, and if a node other than a kernel waits for a GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.

    Parameters:
      exec: the graph exec
      stream: a stream of a context on a device of the same kind; the upload runs in its order

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_CONTEXT: the graph exec and the stream belong to devices of different kinds
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured; the capture is invalidated

    The call releases the GIL.
    """

def gc_graph_exec_num_replays(exec: Handle | int | None, /) -> int:
    """Counts the launches of a graph exec that succeeded, whether they have run yet or not.

    Parameters:
      exec: the graph exec

    Returns:
      count_out: the number of launches

    The call keeps the GIL.
    """

def gc_graph_exec_is_uploaded(exec: Handle | int | None, /) -> int:
    """Returns whether an upload of a graph exec succeeded.

    Parameters:
      exec: the graph exec

    Returns:
      uploaded_out: 1 if an upload succeeded, else 0

    The call keeps the GIL.
    """

def gc_graph_exec_get_info(exec: Handle | int | None, info_out: Pointer, /) -> None:
    """Describes a graph exec. The call may be made inside callbacks.

    Parameters:
      exec: the graph exec
      info_out: in: struct_size; out: the description

    The call keeps the GIL.
    """

def gc_graph_exec_destroy(exec: Handle | int | None, /) -> None:
    """Destroys a graph exec. Queued launches still run, and are not waited for. Memory that only this graph exec kept alive is freed when the launches have completed, as gc_buffer_destroy() describes. The destroy of a graph exec that was wrapped as borrowed waits, a second at most, for calls of other threads that may see it.

    Parameters:
      exec: NULL has no effect

    The call releases the GIL.
    """

def gc_stream_end_capture_exec(stream: Handle | int | None, options: Pointer, /) -> int:
    """Ends the capture of a stream and makes a graph exec of what was recorded: gc_stream_end_capture(), gc_graph_instantiate() and gc_graph_destroy() in one call. The graph exec remembers the stream, and gc_graph_relaunch() launches it there. It does not keep the stream alive.

    The capture is over as it is after gc_stream_end_capture(). Where that succeeds and no graph exec can be made, the graph is destroyed. The options are checked first; where they are not valid, the capture goes on.

    Calls that change a graph exec, as gc_graph_exec_set_kernel_node(), need its graph: a program that makes them calls the three functions itself.

    Parameters:
      stream: the stream that the capture was begun on
      options: how to make the graph exec; NULL for the defaults

    Returns:
      exec_out: the new graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: as gc_graph_instantiate() has it
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured
      GRAPHCAP_ERROR_INVALID_CONTEXT: upload_stream is of a device of another kind; or as gc_stream_end_capture() has it
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: an earlier call broke the capture
      GRAPHCAP_ERROR_CAPTURE_UNMATCHED: as gc_stream_end_capture() has it
      GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back
      GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: another thread began the capture, in a mode other than relaxed
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: as gc_stream_end_capture() and gc_graph_instantiate() have it
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: another capture bars this thread from instantiating, or the stream of the upload is being captured; that capture is invalidated
      GRAPHCAP_ERROR_NOT_SUPPORTED: as gc_graph_instantiate() has it

    The call releases the GIL.
    """

def gc_graph_relaunch(exec: Handle | int | None, /) -> None:
    """Launches a graph exec once on the stream that it remembers, as gc_graph_launch() does. gc_stream_end_capture_exec() makes graph execs that remember a stream.

    Parameters:
      exec: the graph exec

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: the graph exec remembers no stream, or the stream was destroyed
      GRAPHCAP_ERROR_INVALID_VALUE: the graph allocates memory that an earlier launch left allocated, or frees memory that is not allocated
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture is invalidated
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured; the capture is invalidated
      GRAPHCAP_ERROR_BUSY: as gc_graph_launch() has it

    The call releases the GIL.
    """

def gc_graph_exec_progress(exec: Handle | int | None, progress_out: Pointer, /) -> str:
    """Tells how far the launches of a graph exec are that was made with GRAPHCAP_INSTANTIATE_WATCH: in numbers, and in words. The text names the nodes that could run and have not completed, those that wait for them, and those that have completed, each by its number, its kind, and its name or that of its kernel.

    The call reads memory of the host, or asks about events, and waits for nothing, so a thread can make it while a launch hangs. A node of a child graph or of a body is not in the lists: the node that it is within has not completed. On the host device the text tells the conditional nodes that the launch is within, also those in child graphs: the body that runs, its turn in a loop, and the node of the body.

    Parameters:
      exec: the graph exec
      progress_out: in: struct_size; out: how far it is; empty on failure

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the text was cut to fit; progress_out is empty
      GRAPHCAP_ERROR_NOT_FOUND: the graph exec was made without GRAPHCAP_INSTANTIATE_WATCH

    The call releases the GIL.
    """

def gc_graph_exec_nodes_in_state(exec: Handle | int | None, state: int, /) -> list[int]:
    """Lists the nodes of one state in the launch that gc_graph_exec_progress() tells of, each behind those that it waits for.

    Parameters:
      exec: the graph exec
      state: GRAPHCAP_NODE_WAITS, GRAPHCAP_NODE_READY or GRAPHCAP_NODE_COMPLETED

    Returns:
      nodes_out: where to write, as the graph calls them; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_FOUND: the graph exec was made without GRAPHCAP_INSTANTIATE_WATCH
      GRAPHCAP_ERROR_INVALID_VALUE: state is unknown

    The call releases the GIL.
    """

def gc_graph_exec_times(exec: Handle | int | None, replays: int, /) -> str:
    """Writes JSON that tells when each node ran in the last replays of a trace that goes on, what it waited for, the path of nodes that took longest, and when nothing ran; docs/tracing.md describes it. The call reads the whole file of the trace.

    Parameters:
      exec: the graph exec; replays before it was last set or updated are left out
      replays: how many replays

    Returns:
      text: where to write; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: no trace goes on, or its file cannot be read

    The call releases the GIL.
    """

def gc_graph_add_node(graph: Handle | int | None, dependencies: Words, dependency_data: Pointer, dependency_count: int, work: Pointer, /) -> int:
    """Adds a node that does the work to a graph. The graph keeps alive what the work uses.

    Nodes of one graph may have kernels, buffers and events of several contexts, on one device or on several devices of one kind. A kernel or a copy uses memory of other devices, but not memory that graphs allocate; a kernel uses not that of gc_buffer_allocate_waitable() either: GRAPHCAP_ERROR_NOT_SUPPORTED.

    Parameters:
      graph: the graph
      dependencies: the nodes that the new node waits for; may be NULL when dependency_count is 0
      dependency_data: what the edge from each of them carries; NULL where no edge carries anything. Only an edge to a kernel node carries something
      dependency_count: the number of dependencies
      work: the work, not NULL; read and copied during the call

    Returns:
      node_out: the new node; 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a dependency is listed twice, an edge cannot carry its data, the condition was not made for this graph, the condition or the allocation has a node already, or the work is wrong: see gc_work and its kind
      GRAPHCAP_ERROR_ILLEGAL_STATE: the graph is within a node of one that a capture goes into

    The call releases the GIL.
    """

def gc_graph_add_nodes(graph: Handle | int | None, dependencies: Words, dependency_counts: Pointer, works: Pointer, count: int, /) -> tuple[int, int]:
    """Adds nodes to a graph, one after another, as gc_graph_add_node() does. If one fails, those before it are added, and the works behind it are not read.

    A node can wait for one that the call adds before it: its dependencies are then in nodes_out, each element of which is written before the dependencies of the next node are read.

    Parameters:
      graph: the graph
      dependencies: for each node the nodes that it waits for; an element may be NULL when its count is 0. NULL where no node waits for another one
      dependency_counts: for each node the number of its dependencies; NULL where dependencies is
      works: the work of each node, all of the same struct_size
      count: the number of nodes

    Returns:
      nodes_out: the new nodes, count elements; 0 for those that were not added
      failed_index_out: the index of the node that failed; SIZE_MAX if none did; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: see gc_graph_add_node()
      GRAPHCAP_ERROR_ILLEGAL_STATE: see gc_graph_add_node()

    The call releases the GIL.
    """

def gc_graph_add_child_node(graph: Handle | int | None, dependencies: Words, dependency_count: int, child: Handle | int | None, /) -> int:
    """Adds a child node to a graph: a node that runs the nodes of a graph as one node.

    The node has a copy of the child graph as it is now, and keeps alive what that uses. gc_node_get_graph() gives the copy. Child nodes whose graphs share memory of a pool have to be ordered by edges when the graph is instantiated.

    Parameters:
      graph: the graph
      dependencies: the nodes that the new node waits for; may be NULL when dependency_count is 0
      dependency_count: the number of dependencies
      child: a graph of the same context

    Returns:
      node_out: the new node; 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a dependency is listed twice, or the graph would contain itself
      GRAPHCAP_ERROR_INVALID_CONTEXT: the objects belong to different contexts
      GRAPHCAP_ERROR_NOT_SUPPORTED: child is the graph of a node itself, or has allocation nodes or conditions; or, on a CUDA device, a node with GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE

    The call releases the GIL.
    """

def gc_graph_add_dependencies(graph: Handle | int | None, from_: Words, to: Words, data: Pointer, count: int, /) -> None:
    """Adds edges to a graph: node to[i] waits for node from[i], as data[i] says. Either all edges are added or none.

    A cycle of edges is found when the graph is instantiated. A host device runs each edge as one that carries nothing: the second kernel begins when the first one is over.

    Parameters:
      graph: the graph
      from: the first node of each edge; may be NULL when count is 0
      to: the second node of each edge; may be NULL when count is 0
      data: what each edge carries; NULL for nothing
      count: the number of edges; 0 has no effect

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: an edge leads from a node to itself, is there already, is listed twice, or cannot carry its data
      GRAPHCAP_ERROR_NOT_SUPPORTED: an edge is to carry something, and the driver is older than 12.3

    The call releases the GIL.
    """

def gc_graph_remove_dependencies(graph: Handle | int | None, from_: Words, to: Words, count: int, /) -> None:
    """Removes edges from a graph. Either all edges are removed or none.

    Parameters:
      graph: the graph
      from: the first node of each edge; may be NULL when count is 0
      to: the second node of each edge; may be NULL when count is 0
      count: the number of edges; 0 has no effect

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: an edge is not there or is listed twice
      GRAPHCAP_ERROR_ILLEGAL_STATE: a capture goes into the graph
      GRAPHCAP_ERROR_NOT_SUPPORTED: the graph allocates or frees memory

    The call releases the GIL.
    """

def gc_graph_get_edges(graph: Handle | int | None, /) -> tuple[list[int], list[int], bytes]:
    """Lists the edges of a graph: node to_out[i] waits for node from_out[i], as data_out[i] says. The order of the edges has no meaning.

    Parameters:
      graph: the graph

    Returns:
      from_out: where to write the first node of each edge; may be NULL when capacity is 0
      to_out: where to write the second node of each edge; may be NULL when capacity is 0
      data_out: where to write what each edge carries; may be NULL, and edges must then carry nothing

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: from_out or to_out is NULL and capacity is not 0, or capacity is 0 and needed is NULL
      GRAPHCAP_ERROR_LOSSY_QUERY: data_out is NULL, capacity is not 0, and an edge carries something

    The call releases the GIL.
    """

def gc_graph_create_condition(graph: Handle | int | None, default_value: int, flags: int, /) -> int:
    """Makes a condition for a conditional node of a graph.

    Kernels set the value while the graph runs: on a GPU by graphcap_set_condition() of graphcap/device.cuh, which is cudaGraphSetConditional(); on the host device by gc_host_set_conditional(). gc_graph_add_set_condition_node() sets it from device memory. Each launch of the outermost graph begins with the default value, or, without GRAPHCAP_CONDITION_ASSIGN_DEFAULT, with 0. No value stays from one launch to the next.

    Parameters:
      graph: the graph
      default_value: the value that a launch begins with; 0 without the flag
      flags: 0 or GRAPHCAP_CONDITION_ASSIGN_DEFAULT

    Returns:
      condition_out: the new condition; 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown, or default_value is not 0 without the flag
      GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is for a version of CUDA before 12.3

    The call releases the GIL.
    """

def gc_host_set_conditional(condition: int, value: int, /) -> None:
    """Sets the value of a condition, from a host kernel or a host function of the graph that has the condition, while that graph runs on a host device. The body whose conditional node comes later in the graph is decided by the last value.

    Parameters:
      condition: the condition
      value: the value

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_HANDLE: condition is none of a graph on a host device that lives
      GRAPHCAP_ERROR_ILLEGAL_ADDRESS: the graph of the condition does not run. If work of a device made the call, the context of the graph has faulted

    The call keeps the GIL.
    """

def gc_node_get_conditional_params(graph: Handle | int | None, node: int, params_out: Pointer, /) -> None:
    """Returns what decides about the bodies of a conditional node, and how many bodies it has.

    Parameters:
      graph: the graph
      node: one of its nodes, a conditional node
      params_out: the struct to fill

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the node was not added through graphcap: the driver tells nothing of such a node

    The call releases the GIL.
    """

def gc_node_get_mem_alloc_params(graph: Handle | int | None, node: int, params_out: Pointer, /) -> None:
    """Returns what an allocation node allocates.

    Parameters:
      graph: the graph
      node: one of its nodes, an allocation node
      params_out: the struct to fill

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no allocation node of the graph

    The call releases the GIL.
    """

def gc_node_get_mem_free_params(graph: Handle | int | None, node: int, params_out: Pointer, /) -> None:
    """Returns what a free node frees.

    Parameters:
      graph: the graph
      node: one of its nodes, a free node
      params_out: the struct to fill

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: params_out is NULL or its struct_size is not valid, or node is no free node of the graph

    The call releases the GIL.
    """

def gc_node_get_buffer(graph: Handle | int | None, node: int, /) -> int:
    """Returns the memory that an allocation node allocates, or that a free node frees.

    Parameters:
      graph: the graph
      node: one of its nodes, an allocation node or a free node

    Returns:
      buffer_out: a handle of the memory, owned by the caller until gc_buffer_destroy(), which frees nothing; NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no such node of the graph
      GRAPHCAP_ERROR_NOT_FOUND: others added the free node, and graphcap does not know the memory

    The call releases the GIL.
    """

def gc_context_graph_memory(context: Handle | int | None, memory_out: Pointer, /) -> None:
    """Returns how much memory the device of a context holds for the allocations of graphs. The numbers are of the whole process. What graphs have freed stays reserved for later launches until gc_context_graph_memory_trim().

    Parameters:
      context: the context
      memory_out: the struct to fill

    The call releases the GIL.
    """

def gc_context_graph_memory_reset_high(context: Handle | int | None, /) -> None:
    """Resets used_high and reserved_high of gc_context_graph_memory() to what is in use and reserved now.

    Parameters:
      context: the context

    The call releases the GIL.
    """

def gc_context_graph_memory_trim(context: Handle | int | None, /) -> None:
    """Returns to the device the memory that is reserved for graphs. Memory that is allocated, or that unfinished launches use, stays. The call does not affect captures.

    Parameters:
      context: the context

    The call releases the GIL.
    """

def gc_graph_remove_node(graph: Handle | int | None, node: int, /) -> None:
    """Removes a node from a graph, with all its edges. Graph execs that were made before still run it.

    The graph lets go of the buffers, modules, events and callbacks that no other node can use. It keeps everything once the native handle of the graph or of one of its nodes was given out. The first change of a graph that was captured reads all its nodes.

    Parameters:
      graph: the graph
      node: one of its nodes

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no node of the graph
      GRAPHCAP_ERROR_ILLEGAL_STATE: a capture goes into the graph
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device does not remove such a node

    The call releases the GIL.
    """

def gc_graph_retain_callback(graph: Handle | int | None, user_data: Pointer, destroy: int | None, /) -> None:
    """Makes a graph keep an object of the caller's: destroy is called when the graph, its copies, the graph execs made from them, and their launches are gone. A graph of a node is gone when the node of the outermost graph that it is within is removed, or gets another graph.

    Parameters:
      graph: the graph
      user_data: passed to destroy; may be NULL
      destroy: called exactly once, also when this call fails; not NULL. After a fault of a CUDA device it may never be called

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: destroy is NULL

    The call releases the GIL.
    """

def gc_graph_clone(graph: Handle | int | None, /) -> int:
    """Makes a copy of a graph as it is now. The copy keeps alive what its nodes use.

    Parameters:
      graph: the graph

    Returns:
      clone_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has allocation nodes or conditions, or, on a CUDA device, a node that kernels can change

    The call releases the GIL.
    """

def gc_node_find_in_clone(graph: Handle | int | None, node: int, clone: Handle | int | None, /) -> int:
    """Finds the node of a clone that is a copy of a node of the original.

    Parameters:
      graph: the original graph
      node: one of its nodes
      clone: a graph that gc_graph_clone() made of graph

    Returns:
      node_out: the node of the clone; 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the node was added after the clone was made, or was removed from the clone
      GRAPHCAP_ERROR_INVALID_CONTEXT: the graphs belong to different contexts

    The call releases the GIL.
    """

def gc_node_set(graph: Handle | int | None, node: int, work: Pointer, /) -> None:
    """Makes a node of a graph do other work of its kind. Graph execs that were made before are not changed.

    The graph keeps alive what the new work uses, and lets go of what the node used before, unless the native handle of the graph or of one of its nodes was given out. An edge keeps the data that it carries, so a set of a kernel node is refused where the new work cannot have it. Handles of the graph that a child node had before are stale; on a CUDA device a child node needs a driver for 12.2 or newer.

    Work of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers sets a child node. Allocation nodes, free nodes, conditional nodes, empty nodes and setters of conditions cannot be set.

    Parameters:
      graph: the graph
      node: the node
      work: the work, not NULL; read and copied during the call. With a name the node is named so

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the node cannot be set, or the work is wrong
      GRAPHCAP_ERROR_ILLEGAL_STATE: a capture goes into a graph within the graph

    The call releases the GIL.
    """

def gc_node_get_attribute(graph: Handle | int | None, node: int, attribute: int, value_out: Pointer, /) -> None:
    """Returns a launch attribute of a kernel node.

    Parameters:
      graph: the graph
      node: one of its nodes, a kernel node
      attribute: one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, of an attribute that nodes have
      value_out: the value; all 64 bytes are written, 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph, or nodes have no such attribute

    The call releases the GIL.
    """

def gc_node_get_attributes(graph: Handle | int | None, node: int, /) -> list[int]:
    """Lists the launch attributes of a kernel node that are set: those whose value is not the one that a node begins with. gc_node_get_attribute() returns their values.

    Parameters:
      graph: the graph
      node: one of its nodes, a kernel node

    Returns:
      attributes_out: where to write GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, in their order; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph

    The call releases the GIL.
    """

def gc_node_set_attribute(graph: Handle | int | None, node: int, attribute: int, value: Pointer, /) -> None:
    """Sets a launch attribute of a kernel node, for graph execs that are made from now on. gc_node_set_kernel() leaves it as it is.

    A host device stores the value, and runs the kernel as before. It refuses the values that a GPU refuses.

    Parameters:
      graph: the graph
      node: one of its nodes, a kernel node
      attribute: one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, of an attribute that nodes have
      value: the value, not NULL; bytes that the attribute does not use are ignored

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: value is NULL, node is no kernel node of the graph, nodes have no such attribute, or it cannot have that value
      GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster does not divide the grid of the node, or is too large
      GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: the kernel is cooperative and has more blocks than the device runs at once
      GRAPHCAP_ERROR_NOT_SUPPORTED: the driver does not take back GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE

    The call releases the GIL.
    """

def gc_node_copy_attributes(graph: Handle | int | None, node: int, source: Handle | int | None, source_node: int, /) -> None:
    """Sets the launch attributes of a kernel node to those of another one.

    Parameters:
      graph: the graph of the node whose attributes are set
      node: one of its nodes, a kernel node
      source: the graph of the node whose attributes are read, of the same context; it may be the same graph
      source_node: one of its nodes, a kernel node

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the kernels of the nodes belong to two devices
      GRAPHCAP_ERROR_INVALID_CONTEXT: the two graphs belong to different contexts
      GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster does not divide the grid of the node
      GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: the kernel is cooperative and has more blocks than the device runs at once

    The call releases the GIL.
    """

def gc_node_set_grid_scalar(graph: Handle | int | None, node: int, axis: int, scalar: Handle | int | None, /) -> None:
    """Makes each replay take the size of a kernel node's grid along one axis from a scalar, as it is when the node runs: gc_scalar_update() between two replays decides how many blocks the later one has. A node whose grid has a 0 then does nothing, and the nodes behind it run. A grid that no launch can have faults the context with GRAPHCAP_ERROR_LAUNCH_FAILED.

    It holds for execs that are made from then on, and in clones, child graphs and the text of gc_graph_export_json(), until gc_node_set_kernel() gives the node a grid of its own along all axes; the graph keeps the scalar until then. On the host device also for execs that are updated, until gc_graph_exec_set_kernel_node() gives the node of an exec such a grid.

    On a CUDA device an exec is made of a copy of the graph, in which a kernel of one thread sets the grid in front of the node. gc_graph_exec_apply() makes such an exec anew where something changed. It cannot be updated, and its nodes cannot be set or disabled. gc_graph_instantiate() answers GRAPHCAP_ERROR_NOT_SUPPORTED for a graph that also has conditions or allocations, and with GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH.

    Parameters:
      graph: the graph
      node: one of its nodes, a kernel node
      axis: 0 for x, 1 for y, 2 for z; the sizes along the other axes stay what they are
      scalar: the scalar, of type GRAPHCAP_SCALAR_U32

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node is no kernel node of the graph, axis is above 2, or the scalar is of another type
      GRAPHCAP_ERROR_INVALID_CONTEXT: the scalar belongs to a device of another kind
      GRAPHCAP_ERROR_NOT_SUPPORTED: the kernel is cooperative or has clusters; on a CUDA device also: the driver is older than CUDA 12.4, the kernel is of another context than the graph, or the graph is the body of a conditional or within the graph of a node

    The call releases the GIL.
    """

def gc_graph_replace_buffer(graph: Handle | int | None, from_buffer: Handle | int | None, to_buffer: Handle | int | None, /) -> int:
    """Puts a buffer in the place of another one in all nodes of a graph, whether they were captured or added by hand, and of the graphs within nodes. Graph execs and clones that were made before go on as they were; gc_graph_exec_replace_buffer() changes a graph exec, and gc_graph_exec_apply() has one do what the changed graph does.

    The addresses of the old buffer are replaced in copies, on both sides, in memsets and value operations, in grids that come from memory, and in the arguments of kernels: those that were given as buffers, and each aligned word of 8 bytes in a value that lies in the buffer, as a pointer in a struct. A number that looks like such an address is replaced as well. Offsets in the buffer stay. Pointers that lie in memory are not seen, nor the arguments of kernels that the driver does not tell, nor what host functions use.

    The new buffer must have all bytes that the nodes use. Of a kernel those are the bytes that its launch states (gc_kernel_arg::access_size), or else the whole old buffer.

    The graph keeps the new buffer. It lets go of the old one as gc_graph_remove_node() does, where no node uses it any more. If the call fails, the graph is as it was.

    Parameters:
      graph: the graph
      from_buffer: the buffer to be replaced
      to_buffer: the buffer that takes its place, of the same context; may be from_buffer, which changes nothing

    Returns:
      changed_out: how many nodes were changed, those of graphs within nodes among them; 0 if no node uses from_buffer, and on failure; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a node uses bytes that the new buffer does not have, or elements or values would not be aligned in it, or it is not for value operations; the message names the node. Or one buffer is memory of the host, and the other one is not
      GRAPHCAP_ERROR_INVALID_CONTEXT: the buffers belong to different contexts, or to a device of another kind than the graph
      GRAPHCAP_ERROR_NOT_SUPPORTED: a node allocates one of the buffers, a kernel that uses from_buffer was not found through graphcap, or the device does not change a node so

    The call releases the GIL.
    """

def gc_graph_exec_replace_buffer(exec: Handle | int | None, from_buffer: Handle | int | None, to_buffer: Handle | int | None, /) -> int:
    """Puts a buffer in the place of another one in all nodes of a graph exec, as gc_graph_replace_buffer() does in those of a graph: for launches from now on. The graph that the graph exec was made from is not changed; it must not be destroyed before. If the call fails, the graph exec is as it was.

    The graph exec keeps the new buffer. It lets go of the old one when the launches that were made before are over, unless its native handle was given out. A graph exec bars more changes than a graph, those of copies of several rows among them: gc_graph_replace_buffer() and gc_graph_exec_apply() make these.

    Parameters:
      exec: the graph exec
      from_buffer: the buffer to be replaced
      to_buffer: the buffer that takes its place, of the same context; may be from_buffer, which changes nothing

    Returns:
      changed_out: how many nodes were changed, those of graphs within nodes among them; 0 if no node uses from_buffer, and on failure; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: as for gc_graph_replace_buffer(), and where a graph exec bars the change of a node; or the graph is destroyed that the graph exec was made from
      GRAPHCAP_ERROR_INVALID_CONTEXT: as for gc_graph_replace_buffer()
      GRAPHCAP_ERROR_ILLEGAL_STATE: it is not known what the nodes of the graph exec do: nodes of its graph were set, added or removed since, another graph updated the graph exec, a child graph was set in it, or others can change the graph. gc_graph_replace_buffer() and gc_graph_exec_apply() do it then
      GRAPHCAP_ERROR_NOT_SUPPORTED: as for gc_graph_replace_buffer(); or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH; or a node that uses from_buffer takes its grid from a scalar

    The call releases the GIL.
    """

def gc_graph_exec_set_node(exec: Handle | int | None, node: int, work: Pointer, /) -> None:
    """Makes a node of a graph exec do other work of its kind, in later launches. The graph is not changed.

    The exec keeps alive what the new work uses. It lets go of what the node used before when the earlier launches are complete, unless the native handle of the exec was given out. A child node gets a graph with nodes of the same kinds, in the same order, with the same edges; so work of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers sets a child node that was made of such work.

    Parameters:
      exec: the graph exec
      node: a node of the graph that the exec was made from; the graph must not be destroyed, nor the node removed
      work: the work, not NULL; read and copied during the call. Its name is NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the node was added after the exec was made or cannot be set, the graph is destroyed, or work has a name, is wrong, or changes what its kind says must stay
      GRAPHCAP_ERROR_NOT_SUPPORTED: a child graph has allocation nodes or conditions, or, on a CUDA device, a node that kernels can change; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
      GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: a child graph does not have the same nodes and edges as the graph of the node, or one of its nodes cannot be changed so in an exec; or, on a CUDA device, it copies pageable memory where the exec was made with a child that copies between managed and pinned memory. The exec is as it was

    The call releases the GIL.
    """

def gc_graph_set_nodes(graph: Handle | int | None, nodes: Words, works: Pointer, count: int, /) -> int:
    """Makes nodes of a graph do other work, one after another, as gc_node_set() does. If one fails, those before it are set, and the works behind it are not read.

    Parameters:
      graph: the graph
      nodes: the nodes
      works: the work of each node
      count: the number of nodes

    Returns:
      failed_index_out: the index of the node that failed; SIZE_MAX if none did; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: see gc_node_set()
      GRAPHCAP_ERROR_ILLEGAL_STATE: see gc_node_set()

    The call releases the GIL.
    """

def gc_graph_exec_set_nodes(exec: Handle | int | None, nodes: Words, works: Pointer, count: int, /) -> int:
    """Makes nodes of a graph exec do other work, one after another, as gc_graph_exec_set_node() does. If one fails, those before it are set, and the works behind it are not read.

    Parameters:
      exec: the graph exec
      nodes: the nodes
      works: the work of each node, as for gc_graph_set_nodes()
      count: the number of nodes

    Returns:
      failed_index_out: the index of the node that failed; SIZE_MAX if none did; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: see gc_graph_exec_set_node()
      GRAPHCAP_ERROR_NOT_SUPPORTED: see gc_graph_exec_set_node()
      GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: see gc_graph_exec_set_node()

    The call releases the GIL.
    """

def gc_graph_exec_set_node_enabled(exec: Handle | int | None, node: int, enabled: int, /) -> None:
    """Disables or enables a node of a graph exec, in later launches. A disabled node does nothing; nodes that depend on it wait for what it depends on.

    Parameters:
      exec: the graph exec
      node: a kernel, copy or memset node of the graph that the exec was made from; the graph must not be destroyed, nor the node removed
      enabled: 0 disables the node, any other number enables it

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the node was added after the exec was made or is a cooperative kernel, or the graph is destroyed
      GRAPHCAP_ERROR_NOT_SUPPORTED: the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH; or, on a CUDA device, a memset of one row is to be disabled in an exec of several branches, or with nothing that executes between it and a conditional before it

    The call releases the GIL.
    """

def gc_graph_exec_is_node_enabled(exec: Handle | int | None, node: int, /) -> int:
    """Tells whether later launches of a graph exec run a node.

    Parameters:
      exec: the graph exec
      node: a node that gc_graph_exec_set_node_enabled() takes

    Returns:
      enabled_out: 1 if the node is enabled, else 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the graph that the exec was made from is destroyed
      GRAPHCAP_ERROR_NOT_SUPPORTED: the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH

    The call releases the GIL.
    """

def gc_graph_exec_update(exec: Handle | int | None, graph: Handle | int | None, flags: int, info_out: Pointer, /) -> None:
    """Makes each node of a graph exec do what the matching node of a graph does, in later launches. This costs much less than a new exec. Launches that were made before run as they were. A refused update changes nothing; the message tells what differs, and names the nodes.

    The driver matches nodes by their edges. It begins with the nodes that no other node depends on, the newest first, and goes on from each node to those that it depends on, in the order in which the edges were added. Graphs that are built or captured by the same calls in the same order match. The graph must have as many nodes as the exec, of the same kinds and with the same edges, also within nodes.

    What a node does may differ; its kind, the context of its kernel, the number of rows and the kinds of memory of its copy may not. docs/edit-graphs.md lists what may differ.

    After an update the exec keeps alive what the graph keeps alive. It lets go of what it kept before when the earlier launches are complete, unless the native handle of the exec was given out. The graph may be changed or destroyed afterwards. Functions that change nodes of the exec take the nodes of the graph that it was made from, as before. Disabled nodes stay disabled, and the counter of replays goes on.

    The exec keeps the launch attributes of its own kernel nodes, even if those of the graph differ: the driver does so, and answers success. With GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES the call tells of it in gc_graph_exec_update_info::kept_attribute.

    The first call on a graph exec that was neither uploaded nor launched uploads it. On a CUDA device an upload may wait for work of the device. The call harms no capture. A capture may be going into the graph: the exec gets what was recorded so far.

    With GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN the call tells whether the update would be made, without trying: it returns the same status, with the same message and the same info_out. The launch attributes are compared. This takes time for each node; nothing is changed or uploaded. On a CUDA device it returns GRAPHCAP_ERROR_INVALID_VALUE if the graph that the exec was made from was destroyed before it was read. The call does not see what others do to a graph whose native handle was given out.

    Parameters:
      exec: the graph exec
      graph: a graph of the same context, not within a node. The graph that the exec was made from is allowed
      flags: 0 or GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES and GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN combined with |
      info_out: in: struct_size; out: what was answered, also when the update is refused; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: the update is refused; the exec is as it was
      GRAPHCAP_ERROR_INVALID_VALUE: memory of the graph is gone that GRAPHCAP_CAPTURE_NOTE_MEMORY noted, or, with GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN on a CUDA device, it is not known any more what the exec was made from
      GRAPHCAP_ERROR_ILLEGAL_STATE: the graph exec was made with GRAPHCAP_INSTANTIATE_SHAPE, on a CUDA device, and a capture goes into the graph
      GRAPHCAP_ERROR_INVALID_CONTEXT: exec and graph belong to different contexts
      GRAPHCAP_ERROR_NOT_SUPPORTED: the exec or the graph has a node that kernels can change; on a CUDA device, the graph frees memory that another graph allocates, and the exec was made of that graph, or updated by it last: update by another one; the exec is as it was; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH

    The call releases the GIL.
    """

def gc_graph_exec_check(exec: Handle | int | None, info_out: Pointer, /) -> None:
    """Tells whether memory is gone that the nodes of a graph exec name by addresses: it was freed, or freed and other memory allocated in its place. A launch would use that. Blocks of gc_memory_block_begin() are such memory.

    Known are the addresses that GRAPHCAP_CAPTURE_NOTE_MEMORY noted in the graph that the exec was made from or last updated by. The call asks the device once for each allocation, and reads no node. Nodes that were set in the exec since are passed over. It is not known which these are if they were set after an update by another graph than that of the exec, or are within a child graph or a body; gc_graph_exec_check_info::is_noted is 0 then. Success says nothing where it is 0.

    gc_graph_exec_check_findings() lists all memory that is gone. The call harms no capture and does not wait for work.

    Parameters:
      exec: the graph exec
      info_out: in: struct_size; out: what was found, also when memory is gone; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: memory is gone: the message has the node, its kernel, the parameter and the address

    The call releases the GIL.
    """

def gc_memory_block_begin(address: int, size: int, name: str | bytes | None, generation: int, /) -> None:
    """Takes note that an allocator of the program gave out a block: graphs that note memory tell when it is gone, of which the driver knows nothing within an allocation. Blocks that it overlaps are over; told again with its address and number, it has the new size and name. An allocator ends the blocks of a segment before it gives that back. docs/checking.md.

    Parameters:
      address: the first byte
      size: bytes, not 0
      name: for messages; may be NULL
      generation: the allocator's number of it, which no later block at the address has

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: size is 0 or too large, or name is too long or is not UTF-8

    The call keeps the GIL.
    """

def gc_memory_block_end(address: int, generation: int, /) -> None:
    """Takes note that a block was taken back. Without effect for one that is over.

    Parameters:
      address: as of gc_memory_block_begin()
      generation: as of gc_memory_block_begin()

    The call keeps the GIL.
    """

def gc_graph_exec_apply(exec: Handle | int | None, graph: Handle | int | None, options: Pointer, report_out: Pointer, /) -> None:
    """Makes a graph exec do what a graph does, in later launches, by the cheapest way that is right. Launches that were made before run as they were. Later launches run behind them, on whatever streams. If the call fails, the graph exec is as it was. docs/edit-graphs.md has the costs. The call goes one of four ways:

    - Nothing: it is known that the graph exec does what the graph does.

    - Set: the graph is the one that the graph exec was made from, and single nodes were changed since, in the graph or in the graph exec. They are set, which costs time for each changed node alone.

    - Update: as gc_graph_exec_update() does, which costs time for each node. A new capture is applied this way.

    - Anew: the graph is instantiated with the flags that the graph exec was made with, and takes the place of what the graph exec was, behind the same handle. The call does this where an update is refused, or would keep a launch attribute that differs. Disabled nodes stay disabled, and the counter of replays goes on. From then on functions that change nodes of the graph exec take the nodes of this graph.

    Anew may wait for all work of the device, and calls of other threads to the driver may wait meanwhile; GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW bars it. So may the first call on a graph exec that was neither uploaded nor launched, since it uploads it.

    NVIDIA's driver replays a graph exec of about 190 nodes and more slower for good where kernels were changed in it; gc_graph_exec_apply_options::expected_replays has the call weigh that. Launch attributes are compared where kernels may have some, which takes time for each kernel node; GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES saves it.

    Several threads may call this, launch and change the graph exec at once. Each launch runs the work of before or after a call, never parts of both.

    Parameters:
      exec: the graph exec
      graph: a graph of the same context, not within a node
      options: NULL for the defaults
      report_out: in: struct_size; out: what was done, also when the call is refused; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: an update is refused, and the flags keep the graph from being instantiated
      GRAPHCAP_ERROR_INVALID_VALUE: the graph cannot be launched, or memory of it is gone that GRAPHCAP_CAPTURE_NOTE_MEMORY noted
      GRAPHCAP_ERROR_INVALID_CONTEXT: exec and graph belong to different contexts, or upload_stream is of a device of another kind
      GRAPHCAP_ERROR_ILLEGAL_STATE: as for gc_graph_exec_update(); or the graph would have to be instantiated, and one of these is so: the native handle of the graph exec was given out; nodes of the graph exec are disabled and it is not known which nodes of the graph they are; or the driver cannot tell how far a stream is on which the graph exec was launched, because that stream is being captured, is the per-thread stream of another thread, was destroyed, is of another device, or has for a second had a call of another thread in progress
      GRAPHCAP_ERROR_NOT_SUPPORTED: the graph would have to be instantiated and can have only one graph exec at a time; or the flags allow no way; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: as gc_graph_instantiate() has it
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: as gc_graph_instantiate() has it

    The call releases the GIL.
    """

def gc_graph_exec_apply_reason_description(reason: int, /) -> str:
    """Returns a sentence that says what a reason means.

    Parameters:
      reason: any number

    The call keeps the GIL.
    """

def gc_graph_cache_create(context: Handle | int | None, options: Pointer, /) -> int:
    """Makes a graph cache without keys.

    Parameters:
      context: the context whose graphs the cache records
      options: how the cache records and keeps; not NULL

    Returns:
      cache_out: the new cache, owned by the caller until gc_graph_cache_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the environment variable GRAPHCAP_CHECK is neither 0 nor 1

    The call releases the GIL.
    """

def gc_graph_cache_launch(cache: Handle | int | None, key: Pointer, key_size: int, stream: Handle | int | None, user_data: Pointer, /) -> None:
    """Launches the work of a key on a stream, as gc_graph_launch() launches a graph exec. If the cache does not have the work, it has the recording function record it first. docs/cache.md tells more.

    The function is called with a new stream that is being captured. Then a graph exec is made, or one that keys share is updated, and launched. Making a graph exec, and its first launch, can wait for other work of the device. If the function fails, the capture is discarded, this call returns the function's status, and the message names that status and the last call that failed inside the function. After a failure before the launch the cache is as it was. If only the launch fails, the cache has the key.

    Addresses of plain host memory in recorded copies stay those of the first launch of the key. Each later launch reads or writes the same addresses, also when the memory is gone. Copy through a gc_host_buffer that outlives the cache, or record bytes that stay the same with GRAPHCAP_MEMCPY_SNAPSHOT. With GRAPHCAP_CHECK=1 in the environment each launch of a key that the cache has calls the recording function too, with all its effects, and compares its work with what the first launch recorded. If they differ, the call returns GRAPHCAP_ERROR_INVALID_VALUE, the message tells what differs, and nothing is launched.

    A thread that launches a key which another thread records waits for that thread, and records the key itself if that failed. Launches of other keys go on meanwhile.

    When the bytes of all keys would exceed gc_graph_cache_options::max_bytes, the cache drops the keys that were not launched for the longest time. Their queued launches still run, and nothing is waited for. A key whose work alone exceeds it is recorded anew for each launch.

    A graph exec of its own is made for a graph that allocates or frees memory, for one with conditional nodes, and for one that differs from all graph execs of the same topology in something that an update would not change.

    Parameters:
      cache: the cache
      key: key_size bytes that name the work, for example a shape; copied; may be NULL if key_size is 0
      key_size: the size of the key in bytes
      stream: a stream of a context on a device of the same kind
      user_data: passed to the recording function if this call calls it, as launch_data; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the recording function submitted nothing, its graph cannot be instantiated, GRAPHCAP_CHECK=1 found other work than at the first launch, or as gc_graph_launch() has it
      GRAPHCAP_ERROR_INVALID_CONTEXT: the cache and the stream belong to devices of different kinds
      GRAPHCAP_ERROR_NOT_SUPPORTED: as gc_graph_instantiate() has it
      GRAPHCAP_ERROR_BUSY: the call was made inside the recording function of the cache, or inside one of another cache while another thread records the key
      GRAPHCAP_ERROR_CALLBACK: the recording function is written in Rust and panicked
      GRAPHCAP_ERROR_CAPTURE_UNMATCHED: the recording function ended the capture itself
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: a call broke the capture
      GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is being captured, or a capture bars this thread from instantiating; that capture is invalidated

    The call releases the GIL.
    """

def gc_graph_cache_remove(cache: Handle | int | None, key: Pointer, key_size: int, /) -> None:
    """Drops the work of a key, so that the next launch of the key records it anew. Queued launches still run. Has no effect if the cache does not have the key. What another thread records for the key meanwhile is launched, and is not kept.

    Parameters:
      cache: the cache
      key: the key; may be NULL if key_size is 0
      key_size: the size of the key in bytes

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: key is NULL and key_size is not 0

    The call releases the GIL.
    """

def gc_graph_cache_clear(cache: Handle | int | None, /) -> None:
    """Drops the work of all keys, as gc_graph_cache_remove() drops that of one. The counters go on.

    Parameters:
      cache: the cache

    The call releases the GIL.
    """

def gc_graph_cache_get_stats(cache: Handle | int | None, stats_out: Pointer, /) -> None:
    """Returns what a graph cache did, and what it has.

    Parameters:
      cache: the cache
      stats_out: in: struct_size; out: the counters

    The call keeps the GIL.
    """

def gc_graph_cache_destroy(cache: Handle | int | None, /) -> None:
    """Destroys a graph cache. Queued launches still run, and launches that other threads are making are made. Does not wait.

    Parameters:
      cache: NULL has no effect

    The call releases the GIL.
    """

def gc_pool_create(context: Handle | int | None, options: Pointer, /) -> int:
    """Makes a pool without objects. It takes memory of the device only when gc_pool_allocate() needs it.

    Parameters:
      context: the context that the pool belongs to
      options: NULL for the defaults: as much capacity as the device has memory, used again wherever that is safe

    Returns:
      pool_out: the new pool, owned by the caller until gc_pool_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag or the reuse is unknown, reserved is not 0, or the struct_size of the options is not valid

    The call releases the GIL.
    """

def gc_pool_destroy(pool: Handle | int | None, /) -> None:
    """Destroys the handle of a pool. Captures that were begun with the pool keep it, and so do their graphs, the graph execs made of these, the launches of these, and other handles of the pool. Does not wait.

    When the last of them is gone, the objects of the pool go: one after another, in the order in which they were added. A buffer goes then unless somebody else keeps it. An object's destroy is called.

    Parameters:
      pool: NULL has no effect

    The call releases the GIL.
    """

def gc_pool_id(pool: Handle | int | None, /) -> int:
    """Returns the number of a pool. No other pool of the process has it or had it. All handles of one pool return the same number.

    Parameters:
      pool: the pool

    Returns:
      id_out: the number, at least 1

    The call keeps the GIL.
    """

def gc_pool_add_buffer(pool: Handle | int | None, buffer: Handle | int | None, /) -> int:
    """Adds a buffer to a pool, which keeps the buffer from here on. A buffer may be added more than once.

    Parameters:
      pool: the pool
      buffer: a buffer of the same context

    Returns:
      index_out: how many objects the pool had before

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_SEALED: the pool is sealed
      GRAPHCAP_ERROR_INVALID_CONTEXT: the pool and the buffer belong to different contexts

    The call releases the GIL.
    """

def gc_pool_add_object(pool: Handle | int | None, user_data: Pointer, destroy: int | None, /) -> int:
    """Adds an object of the caller's to a pool, which calls destroy when it goes. gc_pool_destroy() tells when that is.

    Parameters:
      pool: the pool
      user_data: passed to destroy; may be NULL
      destroy: called exactly once, also when this call fails; not NULL. After a fault of a CUDA device it may never be called

    Returns:
      index_out: how many objects the pool had before

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: destroy or index_out is NULL
      GRAPHCAP_ERROR_SEALED: the pool is sealed

    The call releases the GIL.
    """

def gc_pool_allocate(pool: Handle | int | None, size: int, /) -> int:
    """Allocates device memory from a pool, aligned to at least 256 bytes. Its content is undefined. May be called while streams are captured. Value operations, such as gc_stream_write_value32(), accept this memory.

    The buffer is like any other: graphs that use it keep it, and it is not added to the objects of the pool. Once it is destroyed, no graph uses it any more and the work submitted with it has completed, its memory is free for later allocations from the pool. The graphs of captures with the pool that go on during this call keep the memory, too, since their work may use it by its address. The memory of a pool goes back to the device when the pool is gone, and all that was allocated from it. In a pool that was made with GRAPHCAP_POOL_SHARED, graphs of the pool do not keep a buffer that was allocated while a capture with the pool went on: they share its memory.

    Parameters:
      pool: the pool
      size: bytes, not 0

    Returns:
      buffer_out: the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: size is 0
      GRAPHCAP_ERROR_SEALED: the pool is sealed
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory, the process not enough addresses, or the pool not enough capacity
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device cannot map memory to addresses

    The call releases the GIL.
    """

def gc_pool_buffer_count(pool: Handle | int | None, /) -> int:
    """Returns how many objects a pool has: the buffers and the objects of the caller's that were added since it was cleared last.

    Parameters:
      pool: the pool

    Returns:
      count_out: the number of objects

    The call keeps the GIL.
    """

def gc_pool_seal(pool: Handle | int | None, /) -> None:
    """Seals a pool: it refuses to take in objects, to allocate, and to be used by captures that begin.

    Parameters:
      pool: the pool; a sealed one stays sealed

    The call releases the GIL.
    """

def gc_pool_unseal(pool: Handle | int | None, /) -> None:
    """Takes gc_pool_seal() back.

    Parameters:
      pool: the pool; it need not be sealed

    The call releases the GIL.
    """

def gc_pool_is_sealed(pool: Handle | int | None, /) -> int:
    """Returns whether a pool is sealed.

    Parameters:
      pool: the pool

    Returns:
      sealed_out: 1 if it is sealed, else 0

    The call keeps the GIL.
    """

def gc_pool_clear(pool: Handle | int | None, /) -> None:
    """Lets go of all objects of a pool, as its end does: behind the launches of all graph execs that kept the pool. Memory that was allocated from the pool stays allocated. A sealed pool stays sealed. Does not wait.

    Parameters:
      pool: the pool

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_BUSY: a capture, a graph or a graph exec keeps the pool; nothing has changed

    The call releases the GIL.
    """

def gc_pool_handle_new(pool: Handle | int | None, /) -> int:
    """Registers a pool under a number, for parts of a program that cannot pass handles to each other. The pool is kept until gc_pool_handle_release(). To do this again changes nothing.

    Parameters:
      pool: the pool

    Returns:
      id_out: the number, which is that of gc_pool_id()

    The call releases the GIL.
    """

def gc_pool_handle_lookup(id: int, /) -> int:
    """Finds a pool by the number that gc_pool_handle_new() returned.

    Parameters:
      id: the number

    Returns:
      pool_out: another handle of the pool, owned by the caller until gc_pool_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_FOUND: no pool can be found by that number, or it was released

    The call releases the GIL.
    """

def gc_pool_handle_release(id: int, /) -> None:
    """Takes gc_pool_handle_new() back. The pool stays as long as somebody else keeps it. To do this again has no effect.

    Parameters:
      id: the number that gc_pool_handle_new() returned

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_FOUND: gc_pool_handle_new() has returned neither that number nor a greater one

    The call releases the GIL.
    """

def gc_pool_get_memory(pool: Handle | int | None, memory_out: Pointer, /) -> None:
    """Returns how much memory a pool has. The buffers that were added to the pool do not count.

    Parameters:
      pool: the pool
      memory_out: the struct to fill

    The call releases the GIL.
    """

def gc_pool_trim(pool: Handle | int | None, /) -> None:
    """Returns memory of a pool to the device: what lies behind the last allocation, in the pieces in which the pool took it. What is allocated stays where it is, and later allocations take memory from the device again. The pool may be sealed, and streams may be captured. Does not wait; call gc_context_collect() before, if work that used memory of the pool has completed only now. What allocators of others freed, as gc_pool_torch_free(), goes back to the pool first, unless a graph may use it; their streams are waited for by gc_context_collect() and gc_context_synchronize().

    Parameters:
      pool: the pool

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the system of a host device refuses to take memory back

    The call releases the GIL.
    """

def gc_pool_allocate_on_stream(pool: Handle | int | None, stream: Handle | int | None, size: int, /) -> int:
    """Allocates device memory from a pool, for work that the stream is given from here on. Its content is undefined. While the stream is not captured, it is as gc_pool_allocate().

    While the stream is captured, memory is used again that gc_buffer_destroy_on_stream() freed on a stream of the same capture: where all uses of it that were recorded, and its free, precede what the stream records next. The reuse of the pool's options tells whether and where. Captures into graphs within nodes are captures of their own. Nothing is used again once gc_stream_update_capture_dependencies() has set what the next work of a stream of the capture depends on. The graph keeps the memory, also when the buffer is destroyed, and it goes back to the pool when the graph, its execs and their launches are gone. From a pool with GRAPHCAP_POOL_SHARED, with which the capture was begun, other captures with the pool get it when this one is over and the buffer destroyed.

    Other streams of the capture may use the buffer once they wait for an event that was recorded on the stream after this call. Work that uses the buffer without such a wait, where its memory was used before, is refused with GRAPHCAP_ERROR_INVALID_VALUE; the capture goes on.

    A graph in which memory is used again depends on the order in which it was recorded: who removes nodes or edges from it keeps what uses one memory in order.

    Parameters:
      pool: the pool, of the same context; the capture need not have been begun with it
      stream: the stream
      size: bytes, not 0

    Returns:
      buffer_out: the new buffer, owned by the caller until gc_buffer_destroy_on_stream() or gc_buffer_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: size is 0
      GRAPHCAP_ERROR_INVALID_CONTEXT: the pool and the stream belong to different contexts
      GRAPHCAP_ERROR_SEALED: the pool is sealed
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory, the process not enough addresses, or the pool not enough capacity
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device cannot map memory to addresses

    The call releases the GIL.
    """

def gc_buffer_destroy_on_stream(buffer: Handle | int | None, stream: Handle | int | None, /) -> None:
    """Destroys a buffer as gc_buffer_destroy() does. If gc_pool_allocate_on_stream() allocated it in the capture that the stream is in, later allocations of that capture may use its memory again. After gc_buffer_destroy() they do not.

    All uses of the buffer come before: those by its handle, which graphcap sees, and those by its address within the arguments of a kernel, or by work of others, which are to precede what the stream records next. The memory is not used again where work used it that the capture does not have: work that ran, and work of another capture or graph.

    Parameters:
      buffer: the buffer; other handles of it must not be used any more
      stream: a stream of the same context

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_CONTEXT: the buffer and the stream belong to different contexts; the handle lives
      GRAPHCAP_ERROR_NOT_PERMITTED: the call was made inside a host function; the handle lives

    The call releases the GIL.
    """

def gc_stream_begin_capture_with_pool(stream: Handle | int | None, mode: int, pool: Handle | int | None, /) -> None:
    """Begins a capture of a stream, as gc_stream_begin_capture() does. The capture keeps a pool, and so do its graph and the graph execs made of that.

    Parameters:
      stream: the stream; not the legacy stream
      mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers
      pool: a pool of the stream's context

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the mode is unknown
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the pool belong to different contexts
      GRAPHCAP_ERROR_SEALED: the pool is sealed
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream

    The call releases the GIL.
    """

def gc_stream_end_capture_with_pool(stream: Handle | int | None, pool: Handle | int | None, /) -> int:
    """Ends the capture of a stream, as gc_stream_end_capture() does. The graph keeps a pool, and so do the graph execs made of it. The capture need not have been begun with a pool, and the pool may be sealed.

    Parameters:
      stream: the stream that the capture was begun on
      pool: a pool of the stream's context; if the capture was begun with a pool, that one

    Returns:
      graph_out: the graph, owned by the caller until gc_graph_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the capture was begun with another pool; it goes on
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream and the pool belong to different contexts; the capture goes on
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured
      GRAPHCAP_ERROR_CAPTURE_UNMATCHED: as gc_stream_end_capture() has it
      GRAPHCAP_ERROR_CAPTURE_UNJOINED: a stream that joined the capture was not joined back
      GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: another thread began the capture, in a mode other than relaxed
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: as gc_stream_end_capture() has it

    The call releases the GIL.
    """

def gc_graph_exec_pool(exec: Handle | int | None, /) -> int:
    """Returns the pool that a graph exec keeps: the pool of the capture that gave its graph. After gc_graph_exec_update() it is the pool of the new graph. If child graphs bring further pools, one of all is returned.

    Parameters:
      exec: the graph exec

    Returns:
      pool_out: another handle of the pool, owned by the caller until gc_pool_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_FOUND: the graph exec keeps no pool

    The call releases the GIL.
    """

def gc_graph_exec_has_pool(exec: Handle | int | None, /) -> int:
    """Returns whether a graph exec keeps a pool.

    Parameters:
      exec: the graph exec

    Returns:
      has_pool_out: 1 if it keeps one, else 0

    The call releases the GIL.
    """

def gc_graph_exec_pool_buffer_count(exec: Handle | int | None, /) -> int:
    """Returns how many objects the pool of a graph exec has at this moment, as gc_pool_buffer_count() does of gc_graph_exec_pool().

    Parameters:
      exec: the graph exec

    Returns:
      count_out: the number of objects; 0 if the graph exec keeps no pool

    The call releases the GIL.
    """

def gc_pool_bind(pool: Handle | int | None, device: int, /) -> None:
    """Makes gc_pool_torch_allocate() take memory for a device from a pool, until another one is bound to the device, or gc_pool_unbind(). The pool is kept for that, also when its handle is destroyed. A stream that is in a capture which was begun with a pool allocates from that pool. A reset of the pool's context unbinds the pool.

    Parameters:
      pool: the pool
      device: the ordinal of the device that the pool is of

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: device is negative, or not that of the pool

    The call releases the GIL.
    """

def gc_pool_unbind(device: int, /) -> None:
    """Takes gc_pool_bind() back, whichever pool is bound to the device. What was allocated stays as long as the pool.

    Parameters:
      device: the ordinal of the device

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: device is negative

    The call releases the GIL.
    """

def gc_pool_torch_allocate(size: int, device: int, stream: Pointer, /) -> int:
    """Allocates memory for PyTorch: its address is what `torch.cuda.memory.CUDAPluggableAllocator` takes as `alloc_fn`. The memory comes from the pool of the capture that the stream is in, if that was begun with a pool, else from the pool that gc_pool_bind() has bound to the device. At least 256-byte aligned, not cleared. Allowed during captures.

    What was freed on the stream is used again on that stream alone: within the capture that allocated it, or where it was allocated and freed while no capture was met. Memory of a capture that was begun with the pool goes back to the pool when it was freed and the graph, its execs and their launches are gone. Memory that was allocated and freed outside of captures goes back by gc_pool_trim(), and where the pool has no other. All other memory stays allocated until the pool goes, so that no graph replays into memory of others. Graphs that were captured with the pool keep it. For graphs of others, such as PyTorch's, the caller keeps the pool, and what they read that was allocated before.

    PyTorch does not look at NULL: the next kernel faults. examples/python/torch_allocator.cpp turns it into PyTorch's exception. gc_last_error_message() tells the cause.

    Parameters:
      size: bytes; 0 allocates nothing and returns NULL
      device: the ordinal of the device
      stream: the CUDA stream, a live one or a default one

    The call releases the GIL.
    """

def gc_pool_torch_free(address: Pointer, size: int, device: int, stream: Pointer, /) -> None:
    """Frees memory of gc_pool_torch_allocate() behind the work of the stream, and behind that of the streams that gc_pool_torch_record_stream() named: PyTorch's `free_fn`. An address that is not one is left alone; gc_last_error_message() tells that. Does not wait.

    Parameters:
      address: the address; NULL has no effect
      size: what was allocated; not looked at
      device: the ordinal of the device; not looked at
      stream: the CUDA stream, a live one or a default one, as each stream that was named

    The call releases the GIL.
    """

def gc_pool_torch_record_stream(address: Pointer, stream: Pointer, /) -> None:
    """Says that work on another stream uses memory of gc_pool_torch_allocate() too: PyTorch's hook for `Tensor.record_stream`, which is set by `set_record_stream_fn` of its allocator. The memory is not used again before that work is over. Without the hook PyTorch frees the memory while that stream may still use it.

    Parameters:
      address: the address; NULL has no effect, and one that is none is left alone, which gc_last_error_message() tells
      stream: the CUDA stream, a live one or a default one until the memory is freed

    The call releases the GIL.
    """

def gc_pool_rmm_allocate(size: int, stream: Pointer, user_data: Pointer, /) -> int:
    """Allocates memory of a pool for RMM: `allocate_func` of its `CallbackMemoryResource`, with the pool as `user_data`. As gc_pool_torch_allocate(), of that pool alone.

    Parameters:
      size: bytes; 0 allocates nothing and returns NULL
      stream: the CUDA stream, a live one or a default one
      user_data: a gc_pool, which lives at least until the call returns

    The call releases the GIL.
    """

def gc_pool_rmm_free(address: Pointer, size: int, stream: Pointer, user_data: Pointer, /) -> None:
    """Frees memory of gc_pool_rmm_allocate(): `deallocate_func` of RMM's `CallbackMemoryResource`. As gc_pool_torch_free().

    Parameters:
      address: the address; NULL has no effect
      size: what was allocated; not looked at
      stream: the CUDA stream, a live one or a default one
      user_data: not looked at: the address tells the pool

    The call releases the GIL.
    """

def gc_scalar_create(stream: Handle | int | None, scalar_type: int, initial: Pointer, /) -> int:
    """Makes a scalar: a typed value in device memory of its own. Graphs use it by its address, and gc_scalar_update() changes it between their replays.

    The first value is written in the order of the stream. Work of other streams sees it when the caller has ordered that work behind, by an event or by a wait. The stream is not used otherwise.

    The memory is as that of gc_buffer_allocate_waitable(). Graphs, graph execs and submitted work that use the scalar keep it alive. Make the scalars of one graph by gc_scalar_create_block(), so that one call updates them.

    Parameters:
      stream: the stream that writes the first value; the scalar belongs to its context
      scalar_type: one of the GRAPHCAP_SCALAR_ numbers
      initial: the first value, of that type; copied

    Returns:
      scalar_out: the new scalar, owned by the caller until gc_scalar_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: scalar_type is not a GRAPHCAP_SCALAR_ number, or initial or scalar_out is NULL
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on
      GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support value writes of that size
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory

    The call releases the GIL.
    """

def gc_scalar_create_block(stream: Handle | int | None, types: Pointer, initial: Words, count: int, scalars_out: Pointer, /) -> None:
    """Makes several scalars that share one buffer. They lie in it as the members of a C struct of their types do, in this order: a kernel may be given the address of the first one, and use all of them as a struct or, if they are of one type, as an array. Either all scalars are made, or none.

    What keeps one of them alive keeps all alive. The first values are written by one command; see gc_scalar_create() for all else.

    Parameters:
      stream: the stream that writes the first values; the scalars belong to its context
      types: for each scalar one of the GRAPHCAP_SCALAR_ numbers
      initial: for each scalar a pointer to its first value, of its type; copied
      count: the number of scalars, 1 to 255
      scalars_out: the new scalars, as many as count, each owned by the caller until gc_scalar_destroy(); NULLs on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: count is 0 or more than 255, a type is not a GRAPHCAP_SCALAR_ number, or an array or a pointer in initial is NULL
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on
      GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support value writes of that size
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory

    The call releases the GIL.
    """

def gc_scalar_update(scalar: Handle | int | None, stream: Handle | int | None, scalar_type: int, value: Pointer, /) -> None:
    """Changes the value of a scalar when the earlier work of the stream has completed.

    Replays and other work that are submitted to the stream after the call see the new value, and those before see the old one, also while they still wait to run. Work of other streams is the caller's to order, by events. The value is copied by the call and travels within the command: no memory of the caller's is read later. The call cannot be recorded.

    Parameters:
      scalar: the scalar
      stream: the stream, of the same context
      scalar_type: the type of the scalar, one of the GRAPHCAP_SCALAR_ numbers
      value: the value, of that type; copied

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: value is NULL, or the scalar is of another type
      GRAPHCAP_ERROR_INVALID_CONTEXT: the scalar and the stream belong to different contexts
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_scalar_update_many(stream: Handle | int | None, scalars: Words, types: Pointer, values: Words, count: int, /) -> None:
    """Changes the values of several scalars by one command, when the earlier work of the stream has completed. Either all updates are queued, or none. Of several updates of one scalar the last one holds.

    The scalars may be of several blocks. See gc_scalar_update() for all else.

    Parameters:
      stream: the stream, of the same context as the scalars
      scalars: the scalars; may be NULL when count is 0
      types: for each scalar its type, one of the GRAPHCAP_SCALAR_ numbers; may be NULL when count is 0
      values: for each scalar a pointer to its value, of its type; copied; may be NULL when count is 0
      count: the number of updates, at most 255; 0 has no effect

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: an array or a pointer in values is NULL, count is more than 255, or a scalar is of another type
      GRAPHCAP_ERROR_INVALID_CONTEXT: a scalar and the stream belong to different contexts
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_scalar_read(scalar: Handle | int | None, stream: Handle | int | None, scalar_type: int, value_out: Pointer, /) -> None:
    """Reads the value of a scalar as it is when the earlier work of the stream has completed, and waits for that.

    The call waits by the same rules as gc_stream_synchronize(): a capture that forbids that wait is invalidated, unless the context is guarded. To read without waiting, copy from the buffer of gc_scalar_buffer() to a gc_host_buffer; such a copy can be recorded.

    Parameters:
      scalar: the scalar
      stream: the stream, of the same context
      scalar_type: the type of the scalar, one of the GRAPHCAP_SCALAR_ numbers
      value_out: the value, of that type; 0 on failure. It is left alone if scalar_type is not a GRAPHCAP_SCALAR_ number

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the scalar is of another type
      GRAPHCAP_ERROR_INVALID_CONTEXT: the scalar and the stream belong to different contexts
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: another capture forbids the wait
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_scalar_destroy(scalar: Handle | int | None, /) -> None:
    """Destroys a scalar. Its memory is freed as that of gc_buffer_allocate_waitable(): when all scalars of its block are destroyed, no graph or graph exec uses them any more, and the work submitted with them has completed. Does not wait.

    Parameters:
      scalar: NULL has no effect

    The call releases the GIL.
    """

def gc_scalar_type(scalar: Handle | int | None, /) -> int:
    """Returns the type of a scalar.

    Parameters:
      scalar: the scalar

    Returns:
      type_out: one of the GRAPHCAP_SCALAR_ numbers; 0 on failure

    The call keeps the GIL.
    """

def gc_scalar_address(scalar: Handle | int | None, /) -> int:
    """Returns the device address of a scalar, as a number: what a kernel gets as a pointer to the scalar. It is valid as long as the scalar is, and while a graph keeps it alive.

    A kernel argument that is to keep the scalar alive names it: GRAPHCAP_ARG_INIT_BUFFER_AT() with the buffer and the offset that gc_scalar_buffer() returns.

    Parameters:
      scalar: the scalar

    Returns:
      address_out: the address of its first byte, a multiple of its size; 0 on failure

    The call keeps the GIL.
    """

def gc_scalar_buffer(scalar: Handle | int | None, /) -> tuple[int, int]:
    """Returns the buffer that a scalar lies in, and where in it: for arguments of kernels, copies, conditions and all else that takes buffers. The scalars of a block have one buffer, and its name; a scalar of gc_scalar_create() has one of its own, at offset 0.

    What writes the buffer changes the scalars in it, also kernels. Value operations accept the buffer.

    Parameters:
      scalar: the scalar

    Returns:
      buffer_out: another handle of the buffer, owned by the caller until gc_buffer_destroy(); NULL on failure
      offset_out: where the scalar starts in the buffer, in bytes; 0 on failure

    The call releases the GIL.
    """

def gc_rng_create(stream: Handle | int | None, seed: int, subsequence: int, /) -> int:
    """Makes a generator of random numbers, of the stream's context.

    A generator is a sequence of 2^64 elements, and the number of the element that is drawn next, which is 0. The sequence is that of Philox 4x32-10: element i is word i mod 4 of what Philox gives for counter i / 4, where the key is the seed, and the upper half of the counter is the subsequence. cuRAND's curand_init(seed, subsequence, offset, &state) stands at element offset of the same sequence. So generators of one seed and different subsequences never share numbers: one for each device, say.

    The state is in device memory. It is written in the order of the stream; work of other streams that draws is the caller's to order behind that, by an event. Any thread may use a generator.

    Parameters:
      stream: the stream, not being captured
      seed: which numbers
      subsequence: which part of them; 0 where there is only one

    Returns:
      rng_out: the new generator, owned by the caller until gc_rng_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on
      GRAPHCAP_ERROR_NOT_SUPPORTED: the GPU does not support value writes of 64 bits
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory

    The call releases the GIL.
    """

def gc_rng_torch_state(rng: Handle | int | None, stream: Handle | int | None, layout: int, increment: int, /) -> int:
    """Gives an at::PhiloxCudaState for a kernel that was written for PyTorch and is recorded next on the stream, so that the kernel draws other numbers at each replay. docs/random.md has an example.

    The state points to the generator's seed and to an offset in device memory, which each replay writes before the kernel runs, by the node that takes the numbers of the graph's fills. The capture of the stream depends on that node after the call. The graph keeps the memory, so a state is for kernels of this graph alone. Pass the first 24 or 32 bytes, as the layout says, as the kernel's argument; a kernel unpacks them by at::cuda::philox::unpack().

    The kernel draws up to increment numbers in each thread: elements of the sequence of the generator's seed, from the one that the generator draws next on, of the subsequence that has the number of the thread, as by curand_init(seed, thread, offset, &state). Nothing checks that it draws no more. The generator's own subsequence is not used. Another generator of the same seed may share numbers with the kernel; this one does not.

    Parameters:
      rng: the generator
      stream: the stream, of the same context, being captured by a gc_ call
      layout: sizeof(at::PhiloxCudaState) of the PyTorch that the kernel was compiled with: GRAPHCAP_TORCH_STATE_24 or GRAPHCAP_TORCH_STATE_32
      increment: how many numbers each thread draws at most; rounded up to a multiple of 4

    Returns:
      state_out: 4 words of 64 bits, the first bytes of which are the state; all 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: increment is more than the sequence has, or the graph draws more numbers before than the layout has bits for
      GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is not being captured, or another thread ended the capture meanwhile
      GRAPHCAP_ERROR_NOT_SUPPORTED: others began the capture, which goes on
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the device does not have enough memory
      GRAPHCAP_ERROR_NOT_PERMITTED: in a capture that another thread began on its per-thread stream

    The call releases the GIL.
    """

def gc_rng_set_seed(rng: Handle | int | None, stream: Handle | int | None, seed: int, /) -> None:
    """Begins another sequence when the earlier work of the stream has completed: that of the seed, with the same subsequence, from element 0 on.

    Graphs that were recorded before draw from it too. Work of other streams is the caller's to order, by events. The call cannot be recorded.

    Parameters:
      rng: the generator
      stream: the stream, of the same context
      seed: the seed

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_rng_get_seed(rng: Handle | int | None, stream: Handle | int | None, /) -> int:
    """Returns the seed of a generator as it is when the earlier work of the stream has completed, and waits for that, as gc_scalar_read() does.

    Parameters:
      rng: the generator
      stream: the stream, of the same context

    Returns:
      seed_out: the seed; 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: another capture forbids the wait
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_rng_set_offset(rng: Handle | int | None, stream: Handle | int | None, offset: int, /) -> None:
    """Makes a generator go on from an element of its sequence, when the earlier work of the stream has completed. See gc_rng_set_seed() for all else.

    Parameters:
      rng: the generator
      stream: the stream, of the same context
      offset: the number of the element that is drawn next

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_rng_get_offset(rng: Handle | int | None, stream: Handle | int | None, /) -> int:
    """Returns the number of the element that is drawn next, as it is when the earlier work of the stream has completed, and waits for that, as gc_scalar_read() does.

    Parameters:
      rng: the generator
      stream: the stream, of the same context

    Returns:
      offset_out: the number of the element; 0 on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_CONTEXT: the generator and the stream belong to different contexts
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured; the capture goes on
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: another capture forbids the wait
      GRAPHCAP_ERROR_CAPTURE_IMPLICIT: the stream is the legacy stream and a blocking stream is being captured; the capture goes on

    The call releases the GIL.
    """

def gc_rng_subsequence(rng: Handle | int | None, /) -> int:
    """Returns the subsequence of a generator.

    Parameters:
      rng: the generator

    Returns:
      subsequence_out: what gc_rng_create() was given; 0 on failure

    The call keeps the GIL.
    """

def gc_rng_destroy(rng: Handle | int | None, /) -> None:
    """Destroys a generator. Its state is freed when no graph or graph exec draws from it any more and the work that draws from it has completed. Does not wait.

    Parameters:
      rng: NULL has no effect

    The call releases the GIL.
    """

def gc_record_context_stream(context: Handle | int | None, /) -> int:
    """Returns the stream that an op submits to.

    Parameters:
      context: what the op was given

    Returns:
      stream_out: the stream; NULL on failure. The handle belongs to the context: the op does not destroy it, and it is dead when the op returns

    The call keeps the GIL.
    """

def gc_record_context_graph(context: Handle | int | None, /) -> int:
    """Returns the graph that an op is recorded into. It can be looked at, and nodes be added to it, as gc_stream_capture_graph() tells.

    Parameters:
      context: what the op was given

    Returns:
      graph_out: the graph, owned by the caller until gc_graph_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: the script is submitted to a stream that is not being captured, so that the work runs and there is no graph; or the op ended the capture

    The call releases the GIL.
    """

def gc_record_context_pool(context: Handle | int | None, /) -> int:
    """Returns the pool of the capture that an op is recorded into. gc_script_record() and actors begin captures without one; gc_script_submit() records into whatever capture the stream is in, which may have been begun with a pool.

    Parameters:
      context: what the op was given

    Returns:
      pool_out: another handle of the pool, owned by the caller until gc_pool_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_FOUND: the capture was begun without a pool, or the work runs instead of being recorded

    The call releases the GIL.
    """

def gc_callback_set_message(text: str | bytes | None, /) -> None:
    """Tells why a function of the program's is about to fail that graphcap calls on this thread: gc_op_vtable::record or prepare, or a function that submits into a capture of graphcap's. The message of the call that runs it, or of the future that has its answer, has the text if the function then returns a number other than GRAPHCAP_SUCCESS. Elsewhere it has no effect.

    Parameters:
      text: UTF-8, not NULL; copied. What is behind the first 1024 bytes is left out

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: text is NULL or not valid UTF-8

    The call keeps the GIL.
    """

def gc_fft_plan_create(context: Handle | int | None, params: Pointer, /) -> int:
    """Plans Fourier transforms, which any number of GRAPHCAP_WORK_FFT_R2C or GRAPHCAP_WORK_FFT_C2R ops can share. The first plan of a size may take a second on a GPU. On the host device a plan takes milliseconds where the length is a product of small primes and is below a million, and seconds where it has a prime factor of millions. A capture of the calling thread goes on. Any thread may use a plan.

    Parameters:
      context: where the transforms will run
      params: their sizes, not NULL; copied

    Returns:
      plan_out: the new plan, owned by the caller until gc_fft_plan_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: transforms overlap
      GRAPHCAP_ERROR_LIBRARY: cuFFT cannot be loaded; the message has the names that were tried
      GRAPHCAP_ERROR_NOT_SUPPORTED: the library lacks a function, or cannot transform so
      GRAPHCAP_ERROR_UNKNOWN: cuFFT failed otherwise, as it may while a blocking stream is captured; the message has its answer. Plans are best made before captures begin
      GRAPHCAP_ERROR_ILLEGAL_ADDRESS: a kernel faulted before

    The call releases the GIL.
    """

def gc_fft_plan_destroy(plan: Handle | int | None, /) -> None:
    """Destroys a plan. Ops and graphs that use it keep it. What a GPU has of it goes in gc_context_collect() or gc_context_synchronize().

    Parameters:
      plan: NULL has no effect

    The call releases the GIL.
    """

def gc_script_create(context: Handle | int | None, /) -> int:
    """Makes a script without ops.

    Any thread may use a script, also to record it while another thread does. Calls that record or submit see the ops that it had when they began.

    Parameters:
      context: the context that its ops are prepared for, and on whose streams it is recorded

    Returns:
      script_out: the new script, owned by the caller until gc_script_destroy(); NULL on failure

    The call releases the GIL.
    """

def gc_script_push_op(script: Handle | int | None, vtable: Pointer, user_data: Pointer, /) -> None:
    """Adds an op of the caller's at the end of a script.

    Parameters:
      script: the script
      vtable: the functions of the op, not NULL; copied
      user_data: passed to the functions; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: vtable is NULL, its struct_size is not valid, or gc_op_vtable::record is NULL
      GRAPHCAP_ERROR_CALLBACK: gc_op_vtable::name is written in Rust and panicked

    The call releases the GIL.
    """

def gc_script_prepare(script: Handle | int | None, failure_out: Pointer, /) -> None:
    """Does beforehand what must not happen inside a capture: prepares the ops of a script that are not prepared yet. gc_script_record() and gc_script_submit() do so too, before they record anything.

    Parameters:
      script: the script
      failure_out: in: struct_size; out: the op that failed; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a Fourier transform does not fit its buffers
      GRAPHCAP_ERROR_INVALID_CONTEXT: a buffer of a Fourier transform belongs to another context
      GRAPHCAP_ERROR_CALLBACK: the function of an op is written in Rust and panicked
      GRAPHCAP_ERROR_LIBRARY: a library of NVIDIA's that an op needs could not be loaded

    The call releases the GIL.
    """

def gc_script_record(script: Handle | int | None, stream: Handle | int | None, mode: int, failure_out: Pointer, /) -> int:
    """Records a script as a graph: begins a capture of a stream, records the ops in order, and ends the capture in any case.

    The first op that fails ends the recording. The capture is discarded, the stream is as before, the message names the op by index and name, and so does failure_out. An op that succeeds although it broke or ended the capture counts as one that failed. A script can be recorded any number of times.

    Parameters:
      script: the script
      stream: a stream of the script's context; not the legacy stream
      mode: one of the GRAPHCAP_CAPTURE_MODE_ numbers
      failure_out: in: struct_size; out: the op that failed; may be NULL

    Returns:
      graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the work of an op is wrong
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream, or an object that an op uses, belongs to another context
      GRAPHCAP_ERROR_ILLEGAL_STATE: the stream is being captured already
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is the legacy stream, or a capture bars this thread from what an op needs
      GRAPHCAP_ERROR_CAPTURE_UNMATCHED: an op ended the capture
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: an op broke the capture
      GRAPHCAP_ERROR_CAPTURE_UNJOINED: an op forked to a stream and did not join it
      GRAPHCAP_ERROR_CALLBACK: the function of an op is written in Rust and panicked
      GRAPHCAP_ERROR_LIBRARY: a library of NVIDIA's that an op needs could not be loaded
      GRAPHCAP_ERROR_UNKNOWN: a library of NVIDIA's failed, as it may while other threads capture
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device or its driver cannot do the work of an op
      GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster of a launch does not divide the grid, or is too large
      GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: a launch is cooperative and has more blocks than the device runs at once
      GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: a CUDA device lacks resources for a launch

    The call releases the GIL.
    """

def gc_script_submit(script: Handle | int | None, stream: Handle | int | None, failure_out: Pointer, /) -> None:
    """Submits the ops of a script to a stream, in order. They run, or are recorded if the stream is being captured.

    Where an op fails, the ops before it stay submitted. A capture goes on, unless the failure broke it.

    Parameters:
      script: the script
      stream: a stream of the script's context
      failure_out: in: struct_size; out: the op that failed; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the work of an op is wrong
      GRAPHCAP_ERROR_INVALID_CONTEXT: the stream, or an object that an op uses, belongs to another context
      GRAPHCAP_ERROR_CAPTURE_ISOLATION: an op of a captured stream waits for work outside the capture
      GRAPHCAP_ERROR_ILLEGAL_STATE: another thread ended the capture meanwhile
      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a capture bars this thread from what an op needs
      GRAPHCAP_ERROR_CAPTURE_UNMATCHED: an op ended the capture
      GRAPHCAP_ERROR_CAPTURE_INVALIDATED: the capture was broken, by an op or before
      GRAPHCAP_ERROR_CALLBACK: the function of an op is written in Rust and panicked
      GRAPHCAP_ERROR_LIBRARY: a library of NVIDIA's that an op needs could not be loaded
      GRAPHCAP_ERROR_UNKNOWN: a library of NVIDIA's failed, as it may while other threads capture
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device or its driver cannot do the work of an op
      GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: the cluster of a launch does not divide the grid, or is too large
      GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: a launch is cooperative and has more blocks than the device runs at once
      GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: a CUDA device lacks resources for a launch

    The call releases the GIL.
    """

def gc_script_destroy(script: Handle | int | None, /) -> None:
    """Destroys a script. Graphs that were recorded from it keep what they use, and calls that use the script go on.

    Parameters:
      script: NULL has no effect

    The call releases the GIL.
    """

def gc_script_push(script: Handle | int | None, work: Pointer, /) -> None:
    """Adds a built-in op at the end of a script.

    Handles and members are checked now. What depends on the device, and ranges of buffers, is checked when the op is recorded; a copy with GRAPHCAP_MEMCPY_SNAPSHOT is checked now, and the shape of one with GRAPHCAP_MEMCPY_PEER.

    Parameters:
      script: the script
      work: the op, not NULL; read and copied during the call

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the work is none of a script, or is wrong: see gc_work and its kind
      GRAPHCAP_ERROR_INVALID_CONTEXT: the copy with a snapshot is of a device of another kind

    The call releases the GIL.
    """

def gc_actor_create(context: Handle | int | None, options: Pointer, /) -> int:
    """Starts an actor: a thread, with a stream of its own, that does what it is told by messages, one after another.

    Each message is answered by a gc_future. A launch is answered when the device has completed it; several launches can be in flight, and those that one thread asked for are answered in the order of its calls. While the actor has nothing to do its thread sleeps.

    A call that sends a message waits while the mailbox is full, as gc_actor_options says. A call on the actor's own thread, which is in the callback of a future, never waits: it is refused with GRAPHCAP_ERROR_BUSY.

    At most 256 launches are in flight. The next one stays in the mailbox until one of them has completed, and so do the messages behind it. Other messages are handled while 256 launches are in flight.

    If the context faults or is reset, the actor answers everything with the cause: the launches in flight, the messages that wait, and those that come later. A launch that had completed before the fault succeeds; with GRAPHCAP_ACTOR_COMPLETION_EVENT a GPU does not tell, and such a launch gets the fault if the actor had not seen it complete. Any other error is that of the message that failed, and the actor goes on.

    Parameters:
      context: the context that the actor works in
      options: how the actor works; NULL for the defaults

    Returns:
      actor_out: the new actor, owned by the caller until gc_actor_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: gc_actor_options::post_timeout_ns is not 0 with GRAPHCAP_ACTOR_REFUSE_WHEN_FULL
      GRAPHCAP_ERROR_OUT_OF_MEMORY: there is not enough memory, or no thread can be started

    The call releases the GIL.
    """

def gc_actor_destroy(actor: Handle | int | None, /) -> None:
    """Destroys an actor, and closes it as gc_actor_close() does. Does not wait: launches that it made finish, and their futures are answered.

    Parameters:
      actor: NULL has no effect

    The call releases the GIL.
    """

def gc_actor_record(actor: Handle | int | None, script: Handle | int | None, mode: int, flags: int, /) -> int:
    """Makes the actor record a script on its stream and make a graph exec of the graph. gc_future_take_exec() gets the graph exec from the answer.

    The script is recorded when the actor comes to the message, with the ops that it has then. Its functions run on the actor's thread.

    Parameters:
      actor: the actor
      script: a script of the actor's context
      mode: a GRAPHCAP_CAPTURE_MODE_ number: which calls of other threads the capture bars
      flags: 0 or GRAPHCAP_INSTANTIATE_ flags, but not GRAPHCAP_INSTANTIATE_UPLOAD

    Returns:
      future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of gc_script_record() or of gc_graph_instantiate(), or one that every message can have: GRAPHCAP_ERROR_CANCELLED when the actor was closed before it came to the message, GRAPHCAP_ERROR_STALE when the context was reset, or the status of a fault

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: mode or a flag is unknown
      GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed
      GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait
      GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns

    The call releases the GIL.
    """

def gc_actor_adopt(actor: Handle | int | None, graph: Handle | int | None, flags: int, /) -> int:
    """Makes the actor make a graph exec of a graph that the caller captured or built. gc_future_take_exec() gets the graph exec from the answer.

    Parameters:
      actor: the actor
      graph: a graph; to be launched by the actor it is of a context on the actor's device. The graph exec keeps it, for gc_actor_export_dot()
      flags: 0 or GRAPHCAP_INSTANTIATE_ flags, but not GRAPHCAP_INSTANTIATE_UPLOAD

    Returns:
      future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of gc_graph_instantiate(), or one that every message can have, see gc_actor_record()

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown
      GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed
      GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait
      GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns

    The call releases the GIL.
    """

def gc_actor_launch(actor: Handle | int | None, exec: Handle | int | None, /) -> int:
    """Makes the actor launch a graph exec on its stream. The answer comes when the launch has completed. The graph exec lives until then, also if its handle is destroyed.

    Parameters:
      actor: the actor
      exec: a graph exec of a context on the actor's device

    Returns:
      future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of gc_graph_launch(), or one that every message can have, see gc_actor_record()

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed
      GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait
      GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns

    The call releases the GIL.
    """

def gc_actor_update(actor: Handle | int | None, exec: Handle | int | None, graph: Handle | int | None, /) -> int:
    """Makes the actor update a graph exec to do the work of a graph, behind the launches that were asked for before. Later launches do the work of the graph.

    Parameters:
      actor: the actor
      exec: the graph exec
      graph: as gc_graph_exec_update() takes it; the graph exec keeps it, for gc_actor_export_dot()

    Returns:
      future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error of gc_graph_exec_update(), and the graph exec is unchanged then; or one that every message can have, see gc_actor_record()

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed
      GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait
      GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns

    The call releases the GIL.
    """

def gc_actor_set_fft_plan(actor: Handle | int | None, exec: Handle | int | None, op_index: int, plan: Handle | int | None, /) -> int:
    """Makes the actor make the Fourier transforms of a graph exec by another plan, behind the launches that were asked for before. The graph exec is one that an actor recorded, and the transforms are those of an op of its script.

    The actor records the ops that the script had then once more, so that functions of ops run again on the actor's thread, and applies the new graph to the graph exec as gc_graph_exec_apply() does. What was set in single nodes of the graph exec is lost. The plan may have another length or batch than the one before, where the op's buffers have room. The plan before ends when no launch, op or graph needs it any more.

    So that it can be recorded again, a graph exec that an actor recorded from a script with a Fourier transform keeps the ops of the script.

    Parameters:
      actor: the actor
      exec: a graph exec that an actor recorded
      op_index: the index of the op in the script, from 0: a GRAPHCAP_WORK_FFT_R2C or GRAPHCAP_WORK_FFT_C2R
      plan: a plan of the same direction, of the actor's context; the graph exec keeps it

    Returns:
      future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is GRAPHCAP_ERROR_NOT_FOUND for a graph exec that no actor recorded from a script with a transform, or that gc_actor_update() gave another graph since; GRAPHCAP_ERROR_INVALID_VALUE where the op is no transform, or one of the other direction, or its buffers are too small; an error of gc_script_record() or of gc_graph_exec_apply(), or one that every message can have, see gc_actor_record(). The graph exec is unchanged then

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed
      GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait
      GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns

    The call releases the GIL.
    """

def gc_actor_export_dot(actor: Handle | int | None, exec: Handle | int | None, flags: int, /) -> int:
    """Makes the actor write the graph of a graph exec in Graphviz's DOT language, as gc_graph_export_dot() does. It is the graph that an actor made the graph exec of, or the one that it was last updated to by an actor. gc_future_text() gets the text from the answer.

    Parameters:
      actor: the actor
      exec: a graph exec that an actor made
      flags: 0 or GRAPHCAP_DOT_ flags

    Returns:
      future_out: the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is GRAPHCAP_ERROR_NOT_FOUND for a graph exec that no actor made, an error of gc_graph_export_dot(), or one that every message can have, see gc_actor_record()

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag is unknown
      GRAPHCAP_ERROR_ILLEGAL_STATE: the actor is closed
      GRAPHCAP_ERROR_BUSY: the mailbox is full, and the call may not wait
      GRAPHCAP_ERROR_TIMEOUT: the mailbox was full for gc_actor_options::post_timeout_ns

    The call releases the GIL.
    """

def gc_actor_close(actor: Handle | int | None, nanoseconds: int, /) -> None:
    """Closes an actor. It takes no more messages, answers those that it has not come to with GRAPHCAP_ERROR_CANCELLED, lets the launches that it made finish, and answers them. Closing again only waits.

    Parameters:
      actor: the actor
      nanoseconds: the longest time to wait until the actor's thread has answered everything; 0 does not wait, and UINT64_MAX waits for ever

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_TIMEOUT: launches had not completed by then; the actor is closed, and they go on
      GRAPHCAP_ERROR_BUSY: the call was made on the actor's own thread, with a time to wait; the actor is closed
      GRAPHCAP_ERROR_NOT_PERMITTED: the call was made inside a host function; the actor is not closed

    The call releases the GIL.
    """

def gc_actor_event_fd(actor: Handle | int | None, /) -> int:
    """Returns a file descriptor for event loops that is readable while gc_actor_next_completed() has a future to return. The descriptor is an eventfd. The first call begins this: futures of calls that were made before do not come.

    Parameters:
      actor: the actor

    Returns:
      fd_out: the descriptor, the same in each call; 0 on failure. It belongs to the actor, and is closed when the actor is destroyed and all its futures are answered. Watch it by poll(2) and the like; do not read from it, write to it or close it

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the process can have no more descriptors

    The call releases the GIL.
    """

def gc_actor_next_completed(actor: Handle | int | None, /) -> int:
    """Returns the next future that the actor has answered. Each one is returned once, and not if it was destroyed meanwhile. Those of launches that one thread asked for come in the order of its calls. Another thread's call that sent the message may not have returned yet.

    Parameters:
      actor: an actor whose gc_actor_event_fd() was called

    Returns:
      future_out: the handle that the call gave which sent the message. It is no new handle: it is destroyed once. NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_READY: there is none at present
      GRAPHCAP_ERROR_ILLEGAL_STATE: gc_actor_event_fd() was not called

    The call releases the GIL.
    """

def gc_future_poll(future: Handle | int | None, /) -> int:
    """Tells whether a future has been answered. Does not wait.

    Parameters:
      future: the future

    Returns:
      is_done_out: 1 if it has been answered, else 0

    The call keeps the GIL.
    """

def gc_future_wait(future: Handle | int | None, nanoseconds: int, failure_out: Pointer, /) -> None:
    """Waits for the answer, and returns it. Further calls return the same answer.

    If the time passes while a launch of a graph exec that was made with GRAPHCAP_INSTANTIATE_WATCH goes on, the message of the error names the nodes that could run and have not completed.

    Parameters:
      future: the future
      nanoseconds: the longest time to wait; 0 checks once, UINT64_MAX waits for ever
      failure_out: in: struct_size; out: what the answer is if it is an error, with the op of a script that failed; may be NULL. Its status tells an answer from an error of this call, where it stays 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_CANCELLED: the actor was closed before it came to the message
      GRAPHCAP_ERROR_TIMEOUT: the time passed before the answer came
      GRAPHCAP_ERROR_BUSY: the call was made on the actor's own thread, and the future is not answered

    The call releases the GIL.
    """

def gc_future_on_done(future: Handle | int | None, function: int | None, user_data: Pointer, destroy: int | None, /) -> None:
    """Registers a function that is called when the future is answered: on the actor's thread, or, if it is answered already, on this thread before the call returns. Any number of functions can be given; they are called in that order.

    Parameters:
      future: the future
      function: called exactly once, also if the future is destroyed before; not NULL
      user_data: passed to function and to destroy; may be NULL
      destroy: called exactly once, after function, or when this call fails; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: function is NULL

    The call releases the GIL.
    """

def gc_future_stall_report(future: Handle | int | None, progress_out: Pointer, /) -> str:
    """Tells how far a launch was when it had not completed within gc_actor_options::stall_limit_ns, in numbers and in words. The first line of the text says it all. Further lines name nodes, as gc_graph_exec_progress() does, if the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH. The report stays when the launch completes after all. Does not wait.

    Of the launches of an actor, which complete one after another, the earliest one that has not completed is reported.

    Parameters:
      future: the future of gc_actor_launch()
      progress_out: in: struct_size; out: how far the launch was; all 0 for a graph exec that was made without GRAPHCAP_INSTANTIATE_WATCH; empty on failure; may be NULL

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_BUFFER_TOO_SMALL: the text was cut to fit; progress_out is empty
      GRAPHCAP_ERROR_NOT_FOUND: nothing was reported: the launch was not late by now, the actor has no limit, or the message is no launch

    The call releases the GIL.
    """

def gc_future_on_stall(future: Handle | int | None, function: int | None, user_data: Pointer, destroy: int | None, /) -> None:
    """Registers a function that is called when a launch has not completed within gc_actor_options::stall_limit_ns: on a thread of the actor's that does nothing else, or, if it was reported already, on this thread before the call returns. The function may make any gc_ call, and wait. While it runs, other launches of the actor are not reported; the answer may come meanwhile. gc_future_stall_report() has the report.

    Parameters:
      future: the future of gc_actor_launch()
      function: called at most once, also if the future is destroyed before; not NULL
      user_data: passed to function and to destroy; may be NULL
      destroy: called exactly once: after function, when the future is answered before that, or when this call fails; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: function is NULL

    The call releases the GIL.
    """

def gc_future_take_exec(future: Handle | int | None, /) -> int:
    """Takes the graph exec from an answer: that of gc_actor_record() and gc_actor_adopt(). It can be taken once. If nobody takes it, it goes with the future.

    Parameters:
      future: the future

    Returns:
      exec_out: the graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_READY: the future is not answered yet
      GRAPHCAP_ERROR_NOT_FOUND: the message makes no graph exec, or the graph exec was taken before

    The call releases the GIL.
    """

def gc_future_text(future: Handle | int | None, /) -> str:
    """Copies the text of an answer: that of gc_actor_export_dot().

    Parameters:
      future: the future

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_READY: the future is not answered yet
      GRAPHCAP_ERROR_NOT_FOUND: the message has no text for its answer

    The call releases the GIL.
    """

def gc_future_event_fd(future: Handle | int | None, /) -> int:
    """Returns a file descriptor, an eventfd, that is readable once the future is answered. It is made by the first call.

    gc_actor_event_fd() is one descriptor for all futures of an actor.

    Parameters:
      future: the future

    Returns:
      fd_out: the descriptor, the same in each call; 0 on failure. It belongs to the future, and is closed when the future is answered and destroyed. Watch it by poll(2) and the like; do not read from it, write to it or close it

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the process can have no more descriptors

    The call releases the GIL.
    """

def gc_future_destroy(future: Handle | int | None, /) -> None:
    """Destroys a future. The message is carried out all the same, and functions of gc_future_on_done() and gc_future_on_stall() are called.

    Parameters:
      future: NULL has no effect

    The call releases the GIL.
    """

def gc_graph_optimize(graph: Handle | int | None, options: Pointer, report_out: Pointer, /) -> tuple[int, int]:
    """Makes a graph that does what a graph does, and runs at once what need not run one after another. The graph itself is not changed, and may be used meanwhile: the result has what was there at one time. docs/optimize.md has all rules.

    Two nodes stay in the recorded order if one writes bytes that the other one reads or writes, or if a path of such nodes leads from one to the other. The others are laid out on lanes, each of which runs one node at a time. A cooperative launch runs beside nothing. A graph with an edge that carries something keeps its edges, and so does one of more than 4,096 nodes if a node of it may wait for what another one does. If the edges that the work needs leave no shorter path, the result has the recorded edges.

    What copies and memsets touch is known, and orders them, in host memory as well: the CPU may see them in another order while a replay runs. What a kernel touches is known if gc_kernel_set_accesses() said it, or if the launch did by gc_kernel_arg::access of each of its buffers, one of which is written; the statement of the launch goes first. Memory that graphcap did not allocate counts as memory of the device. All other nodes keep their place: kernels of which nothing is stated, kernels that may write host memory, managed memory or memory of another device, kernels that run beside nothing, host functions, events, value operations, allocations, child graphs and conditionals, whose graphs are optimized inside. gc_optimize_options::statements and flags free some of these. GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS is right only for kernels that follow no pointer in memory, and use no variable of their module, no texture or surface object and no heap of the device.

    On a CUDA device a graph of several roots or leaves gets one kernel that does nothing before all, and one behind all, as it would be replayed slowly otherwise. GRAPHCAP_OPTIMIZE_SHAPE_ONLY does this alone, on any graph that can be cloned.

    All this is an estimate. With GRAPHCAP_OPTIMIZE_MEASURE or GRAPHCAP_OPTIMIZE_MEASURE_SINGLE up to eight candidates are replayed on a stream of their own, and the result is the fastest. What the nodes write is saved, and restored before each replay and at the end, also when the call fails, unless a node failed. That memory must live, work that uses it must be complete, and nothing else may use it meanwhile. Nothing is measured where it is not known what a node writes, where that is more than max_bytes, and where a node does what permits do not say.

    The result is a copy as gc_graph_clone() makes it: gc_node_find_in_clone() finds its nodes. Graphs of the same nodes and edges, whose nodes conflict alike, come out alike, and update each other's execs. A plan makes later graphs come out alike whose conflicts differ.

    GRAPHCAP_OPTIMIZE_IN_PLACE changes the graph itself: one with allocations or conditions, or one within a node.

    Parameters:
      graph: the graph; if a capture is going into it, a new graph has what was recorded so far
      options: NULL for the defaults
      report_out: in: struct_size; out: what was made; may be NULL

    Returns:
      graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure. Has to be NULL with GRAPHCAP_OPTIMIZE_IN_PLACE, and only then may be
      plan_out: a plan of what was made, owned by the caller until gc_plan_destroy(); NULL on failure; may be NULL

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle
      GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_OPTIMIZE_IN_PLACE is given while a capture goes into the graph, or into one within it; nothing was changed
      GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has allocations or conditions, or on a CUDA device nodes that kernels can change, and cannot be copied, or the device cannot change its edges

    The call releases the GIL.
    """

def gc_graph_optimize_text(graph: Handle | int | None, options: Pointer, /) -> str:
    """Writes what gc_graph_optimize() makes of a graph, as text for people of at most 40 lines: the gain; what was recorded and what the result has; each candidate with its times, which this call measures anew if the options say so; and why it is not more: nodes that keep their place, and nodes of the longest path that stay behind others, in groups by kernel and reason.

    Parameters:
      graph: the graph, as gc_graph_optimize() takes it
      options: NULL for the defaults

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: as gc_graph_optimize() has it
      GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has allocations or conditions and cannot be copied

    The call releases the GIL.
    """

def gc_graph_optimize_reasons(graph: Handle | int | None, options: Pointer, /) -> bytes:
    """Lists why gc_graph_optimize() with these options leaves nodes in order: first the nodes that keep their place, in the recorded order; then the nodes that stay behind others on the longest path, which no lanes can shorten, from its first node on; then the workspaces that nodes share. Nothing is measured, and the graph stays as it is. The graphs of child nodes and conditional nodes are asked on their own.

    The list is empty where nothing keeps nodes in order, and with GRAPHCAP_OPTIMIZE_SHAPE_ONLY.

    Parameters:
      graph: the graph
      options: as gc_graph_optimize() takes them; NULL for the defaults

    Returns:
      reasons_out: where to write the reasons; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle, or the flags have GRAPHCAP_OPTIMIZE_IN_PLACE

    The call releases the GIL.
    """

def gc_plan_apply(plan: Handle | int | None, graph: Handle | int | None, flags: int, report_out: Pointer, /) -> int:
    """Makes of a graph what gc_graph_optimize() made of the graph that the plan is of: the same nodes and edges in the same order, so that graph execs of both update each other. The graph has to have the nodes and the recorded edges of that one; what its nodes do may differ. It is checked that all nodes that have to stay in the recorded order do, in time that grows with the numbers of nodes, edges and lanes. Nothing is measured.

    Parameters:
      plan: the plan
      graph: the graph, of the context of the plan; as gc_graph_optimize() takes it
      flags: 0 or GRAPHCAP_OPTIMIZE_IN_PLACE
      report_out: in: struct_size; out: what was made; may be NULL

    Returns:
      graph_out: the new graph, owned by the caller until gc_graph_destroy(); NULL on failure. Has to be NULL with GRAPHCAP_OPTIMIZE_IN_PLACE, and only then may be

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the plan is of a graph of other nodes or edges
      GRAPHCAP_ERROR_ILLEGAL_STATE: GRAPHCAP_OPTIMIZE_IN_PLACE is given while a capture goes into the graph, or into one within it; nothing was changed
      GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: two nodes have to stay in order that the plan runs side by side; the message names them and what they conflict in
      GRAPHCAP_ERROR_INVALID_CONTEXT: the graph is of another context than the plan
      GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has allocations or conditions and cannot be copied, or the device cannot change its edges

    The call releases the GIL.
    """

def gc_plan_destroy(plan: Handle | int | None, /) -> None:
    """Destroys a plan. Graphs that were made by it go on.

    Parameters:
      plan: NULL has no effect

    The call releases the GIL.
    """

def gc_graph_verify(graph: Handle | int | None, options: Pointer, report_out: Pointer, /) -> None:
    """Checks by trial whether what is declared of a graph's kernels is true (gc_kernel_set_accesses(), or that their parameters can be trusted), which gc_graph_optimize() relies on.

    The graph is replayed five times as it was recorded: bytes that differ then are not compared. Its nodes run one by one in the recorded order, which shows what each of them writes: no more than is declared, and no byte that another node writes from which no order is needed. Then they run one after another in other orders that the declared accesses allow: the reverse, random ones each with its reverse, and some that have the remaining pairs of nodes the other way round. Last they run side by side on lanes. All that is written is compared. Where an order gives another result, orders between it and the recorded one tell which two nodes must not change places.

    A write of what is there already is not seen, and what never gives another result is not found.

    All memory that the nodes write is saved before and restored after, also when the call fails; memory that they only reach as far as there is room. It is used as gc_graph_optimize() uses it when it measures. The call waits for its replays, on a stream of its own.

    Parameters:
      graph: the graph
      options: NULL for the defaults
      report_out: in: struct_size; out: what was done and found

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle, or memory that nodes write is gone
      GRAPHCAP_ERROR_NOT_SUPPORTED: what a node writes is not known, or it does what the options do not permit (the message names it); or the graph has allocations, conditions, an edge that carries something, or more than 16,384 nodes
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the nodes write more bytes than the options allow to save, or there is not enough memory

    The call releases the GIL.
    """

def gc_graph_check(graph: Handle | int | None, least: int, /) -> bytes:
    """Lists what is wrong with a graph, or may be, without running or changing it; docs/checking.md explains each finding.

    The findings come node by node, each node behind those that it waits for. What is not known gives no finding. The graphs of child nodes and conditional nodes are asked on their own.

    Parameters:
      graph: the graph
      least: the GRAPHCAP_SEVERITY_ number from which on findings are listed

    Returns:
      findings_out: where to write the findings; may be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: the edges of the graph form a cycle

    The call releases the GIL.
    """

def gc_graph_check_text(graph: Handle | int | None, least: int, /) -> str:
    """Writes the findings of gc_graph_check() as text for people: a line for each with its severity, the node, what is wrong, and what to do. The text is empty where nothing was found.

    Parameters:
      graph: the graph
      least: as gc_graph_check() takes it

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: as gc_graph_check() has it

    The call releases the GIL.
    """

def gc_graph_check_json(graph: Handle | int | None, least: int, /) -> str:
    """Writes the findings of gc_graph_check() as JSON, as `graphcap check --json` does. docs/findings.schema.json describes it. Nodes are places in the list of gc_graph_get_nodes(), as in the text of gc_graph_export_json().

    Parameters:
      graph: the graph
      least: as gc_graph_check() takes it

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: as gc_graph_check() has it

    The call releases the GIL.
    """

def gc_graph_exec_check_findings(exec: Handle | int | None, least: int, /) -> bytes:
    """Lists the memory that is gone and that nodes of a graph exec name, as gc_graph_check() lists it of a graph. gc_graph_exec_check() tells what is known of it. Nodes are those of gc_graph_exec_check_info::node.

    Parameters:
      exec: the graph exec
      least: as gc_graph_check() takes it

    Returns:
      findings_out: where to write the findings; may be NULL when capacity is 0

    The call releases the GIL.
    """

def gc_graph_exec_check_text(exec: Handle | int | None, least: int, /) -> str:
    """Writes the findings of gc_graph_exec_check_findings() as text for people, as gc_graph_check_text() does.

    Parameters:
      exec: the graph exec
      least: as gc_graph_check() takes it

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    The call releases the GIL.
    """

def gc_graph_exec_check_json(exec: Handle | int | None, least: int, /) -> str:
    """Writes the findings of gc_graph_exec_check_findings() as JSON, as gc_graph_check_json() does, with ids of nodes instead of their places.

    Parameters:
      exec: the graph exec
      least: as gc_graph_check() takes it

    Returns:
      text: where to write; the text ends with a NUL. May be NULL when capacity is 0

    The call releases the GIL.
    """

def gc_graph_step(graph: Handle | int | None, options: Pointer, findings_out: Pointer, capacity: int, report_out: Pointer, /) -> None:
    """Replays a graph node by node, each on its own behind those that it waits for, and waits for each. docs/stepping.md shows how to find a wrong node so.

    Memory is used as by gc_graph_verify(). What the nodes write is saved before and restored after, also when a node fails, as far as gc_step_options::max_bytes allows. What a kernel writes is known by what is stated of it; a kernel of which nothing is stated counts as writing all memory that its arguments point to. A graph that cannot be copied runs as one step.

    Parameters:
      graph: the graph
      options: NULL for the defaults
      findings_out: where to write the findings, in the order in which the nodes ran; may be NULL when capacity is 0
      capacity: how many findings fit; more are left out
      report_out: in: struct_size; out: what was done

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: a flag, a kind or a node is unknown, a struct_size is not valid, the edges of the graph form a cycle, or memory that nodes write is gone
      GRAPHCAP_ERROR_NOT_SUPPORTED: a node does what the options do not permit; the message names it

    The call releases the GIL.
    """

def gc_graph_bisect(graph: Handle | int | None, options: Pointer, is_good: int | None, user_data: Pointer, findings_out: Pointer, capacity: int, report_out: Pointer, /) -> None:
    """Finds the smallest set of nodes, or of missing edges, that makes replays of a graph bad. docs/stepping.md shows how to use it.

    is_good judges each replay. First the graph is replayed as it is, then its nodes one after another, in the order that gc_graph_get_order() tells and in another one. Where that is good, edges are missing, and the smallest set of edges is looked for. Else nodes are switched off, which then do nothing: the smallest set is looked for with which a replay is bad. So is_good has to accept replays that leave work out, none of which may wait for what a node writes that is off, and to tell bad ones by what no replay may leave, such as NaNs. Where it does not, each node is switched off alone.

    Memory is used as by gc_graph_step(): what the nodes write is restored before each replay and in the end, also when a replay fails. Nothing else may use that memory meanwhile. A graph that cannot be copied is not tried in order. The graph is not changed.

    Parameters:
      graph: the graph
      options: NULL for the defaults
      is_good: judges a replay
      user_data: passed to is_good and gc_bisect_options::text; may be NULL
      findings_out: where to write the findings, in the order in which the nodes run; may be NULL when capacity is 0
      capacity: how many findings fit; more are left out
      report_out: in: struct_size; out: what was done and found

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: is_good is NULL, a flag is unknown, a struct_size is not valid, the edges of the graph form a cycle, or memory that nodes write is gone
      GRAPHCAP_ERROR_NOT_SUPPORTED: a node does what the options do not permit; the message names it
      GRAPHCAP_ERROR_OUT_OF_MEMORY: the nodes write more bytes than gc_bisect_options::max_bytes, or there is not enough memory

    The call releases the GIL.
    """

def gc_object_native(object: Pointer, /) -> int:
    """Returns the driver's handle of an object: the CUcontext, CUstream, CUevent, CUmodule, CUfunction, CUgraph or CUgraphExec. Code outside graphcap may use it.

    The call may be made inside callbacks for a context, an event, a module and a kernel.

    **A context** has the primary context of the device, which the CUDA runtime and the libraries on it use too.

    **A stream**: libraries may submit work to it, also while it is captured. After this call others may begin and end captures on the stream. Each later call therefore asks the driver which capture the stream is in, which costs about 20 ns. A default stream gives CU_STREAM_LEGACY or CU_STREAM_PER_THREAD, which mean a stream of the current context.

    **An event**: others may record it and wait for it from then on.

    **A graph**: nodes that others add are replayed like all other nodes; the graph does not keep alive what they use. An exec that others make of the graph keeps alive what the graph keeps. The driver sees to that, which makes launches slower by half or more: launches of execs of others, and of the execs that gc_graph_instantiate() makes of the graph after this call. Two threads must not use a CUgraph at once. No gc_ call may use the graph while others use the CUgraph.

    **A graph exec**: others may launch it. No gc_ call may use the graph exec while others use it. graphcap does not see where others launch the CUgraphExec. After gc_graph_exec_destroy(), what the graph exec keeps alive therefore stays until a gc_context_synchronize() or gc_context_collect() that begins after the destroy has returned.

    Parameters:
      object: a gc_context, gc_stream, gc_event, gc_module, gc_kernel, gc_graph or gc_graph_exec

    Returns:
      native_out: the driver's handle, valid until the graphcap handle is destroyed; the caller must not destroy it; NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_HANDLE: object is not a live handle of one of these kinds
      GRAPHCAP_ERROR_ILLEGAL_STATE: object is a stream, and a capture that was begun on it goes into a graph within a node; end the capture first
      GRAPHCAP_ERROR_NOT_PERMITTED: the call was made inside a host function for a stream, a graph or a graph exec
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles

    The call keeps the GIL.
    """

def gc_node_native(graph: Handle | int | None, node: int, /) -> int:
    """Returns the CUgraphNode of a node. Others may change the graph after this call, as after gc_graph_native(), and launches become slower as they do there. If others remove a node, functions refuse its name once graphcap has looked at the graph again. If others remove a node and add one before graphcap looks again, the driver may give both nodes the same handle; graphcap then takes the new node for the old one.

    Parameters:
      graph: the graph
      node: one of its nodes

    Returns:
      native_out: the driver's handle, valid until the node is removed or the graph destroyed; NULL on failure

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_INVALID_VALUE: node names no node of the graph, or the graph was lost when a capture into it failed
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles

    The call releases the GIL.
    """

def gc_record_context_native_blas(context: Handle | int | None, /) -> int:
    """Returns a handle of cuBLAS, a cublasHandle_t, for products that an op records by itself. It is set to the stream of gc_record_context_stream(), in the workspace that graphcap's own products on that stream use, which the graph keeps; with factors from memory of the host's and without TF32. Nobody else uses it until the op returns. The op does not destroy it, and leaves stream and workspace as they are.

    The library is called with the context current, and in the relaxed capture mode where it may allocate. The stream counts as one that others use from then on, as after gc_stream_native().

    Parameters:
      context: what the op was given

    Returns:
      native_out: the library's handle, valid until the op returns; NULL on failure. Another call returns it again

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles
      GRAPHCAP_ERROR_LIBRARY: cuBLAS cannot be loaded; the message has the names that were tried

    The call releases the GIL.
    """

def gc_record_context_native_rand(context: Handle | int | None, /) -> int:
    """Returns a generator of cuRAND, a curandGenerator_t of the type CURAND_RNG_PSEUDO_PHILOX4_32_10, for random numbers that an op records by itself. It is set to the stream of gc_record_context_stream(), and is as a new one otherwise: seed 0, offset 0 and CURAND_ORDERING_PSEUDO_DEFAULT. It is lent for one call of gc_op_vtable::record: the next call gets another one. A graph that the op is recorded into keeps the generator, whose memory its nodes use; what is executed keeps it until it is complete. The op does not destroy it, does not use it when it has returned, and leaves its stream as it is. Generators that nothing needs any more are lent again, and are destroyed in gc_context_collect() and gc_context_synchronize().

    The generator is for work that is executed: in a capture its first numbers, and those after another seed or offset, break the capture in any mode. A recorded op draws by a generator of its own that has drawn before the capture; docs/math.md. cuRAND's numbers have another order than those of gc_rng.

    The library is called with the context current, and in the relaxed capture mode. The stream counts as one that others use from then on, as after gc_stream_native().

    Parameters:
      context: what the op was given

    Returns:
      native_out: the library's generator, valid until the op returns; NULL on failure. Until then another call returns it again

    Raises graphcap.Error with the status
      GRAPHCAP_ERROR_NOT_SUPPORTED: the device is the host device, which has no native handles
      GRAPHCAP_ERROR_LIBRARY: cuRAND cannot be loaded; the message has the names that were tried

    The call releases the GIL.
    """
