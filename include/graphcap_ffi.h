/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from src/ffi of graphcap by `make header`. Do not edit. graphcap.h is the manual. */
typedef struct gc_launch_config gc_launch_config;
typedef struct gc_edge_data gc_edge_data;
typedef struct gc_rng_uniform_params gc_rng_uniform_params;
typedef struct gc_sgemm_params gc_sgemm_params;
typedef struct gc_fft_params gc_fft_params;

/* Errors and versions */
enum {
    GRAPHCAP_SUCCESS = 0,
    GRAPHCAP_ERROR_INVALID_VALUE = 1,
    GRAPHCAP_ERROR_OUT_OF_MEMORY = 2,
    GRAPHCAP_ERROR_NOT_INITIALIZED = 3,
    GRAPHCAP_ERROR_STUB_LIBRARY = 34,
    GRAPHCAP_ERROR_NO_DEVICE = 100,
    GRAPHCAP_ERROR_INVALID_DEVICE = 101,
    GRAPHCAP_ERROR_INVALID_IMAGE = 200,
    GRAPHCAP_ERROR_INVALID_CONTEXT = 201,
    GRAPHCAP_ERROR_NO_BINARY_FOR_GPU = 209,
    GRAPHCAP_ERROR_INVALID_PTX = 218,
    GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    GRAPHCAP_ERROR_INVALID_HANDLE = 400,
    GRAPHCAP_ERROR_ILLEGAL_STATE = 401,
    GRAPHCAP_ERROR_LOSSY_QUERY = 402,
    GRAPHCAP_ERROR_NOT_FOUND = 500,
    GRAPHCAP_ERROR_NOT_READY = 600,
    GRAPHCAP_ERROR_ILLEGAL_ADDRESS = 700,
    GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    GRAPHCAP_ERROR_LAUNCH_FAILED = 719,
    GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    GRAPHCAP_ERROR_NOT_PERMITTED = 800,
    GRAPHCAP_ERROR_NOT_SUPPORTED = 801,
    GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED = 900,
    GRAPHCAP_ERROR_CAPTURE_INVALIDATED = 901,
    GRAPHCAP_ERROR_CAPTURE_MERGE = 902,
    GRAPHCAP_ERROR_CAPTURE_UNMATCHED = 903,
    GRAPHCAP_ERROR_CAPTURE_UNJOINED = 904,
    GRAPHCAP_ERROR_CAPTURE_ISOLATION = 905,
    GRAPHCAP_ERROR_CAPTURE_IMPLICIT = 906,
    GRAPHCAP_ERROR_CAPTURED_EVENT = 907,
    GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD = 908,
    GRAPHCAP_ERROR_TIMEOUT = 909,
    GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
    GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE = 912,
    GRAPHCAP_ERROR_UNKNOWN = 999,
    GRAPHCAP_ERROR_STALE = -1,
    GRAPHCAP_ERROR_SEALED = -2,
    GRAPHCAP_ERROR_BUSY = -3,
    GRAPHCAP_ERROR_PANIC = -4,
    GRAPHCAP_ERROR_CALLBACK = -5,
    GRAPHCAP_ERROR_BUFFER_TOO_SMALL = -6,
    GRAPHCAP_ERROR_LIBRARY = -7,
    GRAPHCAP_ERROR_FORKED = -8,
    GRAPHCAP_ERROR_CANCELLED = -9
};
typedef int32_t gc_status;
typedef void (*gc_host_fn)(void *user_data);
typedef void (*gc_destroy_fn)(void *user_data);
uint32_t gc_version(void);
const char *gc_version_string(void);
const char *gc_status_name(gc_status status);
const char *gc_status_description(gc_status status);
gc_status gc_last_error_message(char *text, size_t capacity, size_t *needed);
uint64_t gc_live_handles(void);

/* The log and the trace */
enum {
    GRAPHCAP_LOG_LEVEL_OFF = 0,
    GRAPHCAP_LOG_LEVEL_ERROR = 1,
    GRAPHCAP_LOG_LEVEL_WARNING = 2,
    GRAPHCAP_LOG_LEVEL_INFO = 3,
    GRAPHCAP_LOG_LEVEL_DEBUG = 4,
    GRAPHCAP_LOG_CONTEXT = 1,
    GRAPHCAP_LOG_LIBRARY = 2,
    GRAPHCAP_LOG_CAPTURE = 4,
    GRAPHCAP_LOG_EXEC = 8,
    GRAPHCAP_LOG_POOL = 16,
    GRAPHCAP_LOG_FALLBACK = 32,
    GRAPHCAP_LOG_CALL = 64
};
typedef int32_t gc_log_level;
typedef void (*gc_log_fn)(gc_log_level level, uint32_t subject, const char *text, uint64_t thread, uint64_t time_ns,
    uint64_t dropped, void *user_data);
gc_status gc_log_set_callback(gc_log_level level, uint32_t subjects, gc_log_fn function, void *user_data,
    gc_destroy_fn destroy);
gc_status gc_trace_start(const char *path, uint64_t limit);
gc_status gc_trace_stop(uint64_t *dropped_out);
gc_status gc_trace_mark(const char *name);

/* Handles */
typedef struct gc_context gc_context;
typedef struct gc_stream gc_stream;
typedef struct gc_event gc_event;
typedef struct gc_buffer gc_buffer;
typedef struct gc_host_buffer gc_host_buffer;
typedef struct gc_scalar gc_scalar;
typedef struct gc_rng gc_rng;
typedef struct gc_fft_plan gc_fft_plan;
typedef struct gc_module gc_module;
typedef struct gc_kernel gc_kernel;
typedef struct gc_graph gc_graph;
typedef struct gc_graph_exec gc_graph_exec;
typedef struct gc_pool gc_pool;
typedef struct gc_graph_cache gc_graph_cache;
typedef struct gc_plan gc_plan;
typedef struct gc_script gc_script;
typedef struct gc_record_context gc_record_context;
typedef struct gc_actor gc_actor;
typedef struct gc_future gc_future;
typedef struct gc_capture gc_capture;
typedef uint64_t gc_node;
typedef uint64_t gc_condition;

/* Devices and contexts */
enum {
    GRAPHCAP_DEVICE_AUTO = 0,
    GRAPHCAP_DEVICE_CUDA = 1,
    GRAPHCAP_DEVICE_HOST = 2,
    GRAPHCAP_CONTEXT_GUARDED = 1,
    GRAPHCAP_CONTEXT_STRICT = 2,
    GRAPHCAP_MEMORY_REPORT_TEXT = 0,
    GRAPHCAP_MEMORY_REPORT_JSON = 1
};
typedef int32_t gc_device_kind;
typedef struct gc_context_options {
    uint32_t struct_size;
    gc_device_kind device_kind;
    uint32_t device_ordinal;
    uint32_t flags;
} gc_context_options;
typedef struct gc_context_info {
    uint32_t struct_size;
    gc_device_kind device_kind;
    uint32_t device_ordinal;
    uint32_t reserved;
    uint64_t generation;
} gc_context_info;
gc_status gc_device_count(gc_device_kind kind, uint32_t *count);
gc_status gc_device_name(gc_device_kind kind, uint32_t ordinal, char *text, size_t capacity, size_t *needed);
gc_status gc_device_auto_reason(char *text, size_t capacity, size_t *needed);
gc_status gc_context_create(const gc_context_options *options, gc_context **context_out);
gc_status gc_context_destroy(gc_context *context);
gc_status gc_context_synchronize(const gc_context *context);
gc_status gc_context_synchronize_for(const gc_context *context, uint64_t nanoseconds);
gc_status gc_context_stream_priority_range(const gc_context *context, int32_t *least_out, int32_t *greatest_out);
gc_status gc_context_collect(const gc_context *context);
gc_status gc_context_make_current(const gc_context *context);
gc_status gc_context_get_info(const gc_context *context, gc_context_info *info_out);
gc_status gc_context_device_name(const gc_context *context, char *text, size_t capacity, size_t *needed);
gc_status gc_context_legacy_stream(const gc_context *context, gc_stream **stream_out);
gc_status gc_context_per_thread_stream(const gc_context *context, gc_stream **stream_out);
gc_status gc_context_reset(const gc_context *context);
gc_status gc_set_name(const void *handle, const char *name);
gc_status gc_get_name(const void *handle, char *text, size_t capacity, size_t *needed);
gc_status gc_node_set_name(const gc_graph *graph, gc_node node, const char *name);
gc_status gc_node_get_name(const gc_graph *graph, gc_node node, char *text, size_t capacity, size_t *needed);
gc_status gc_context_memory_report(const gc_context *context, uint32_t format, char *text, size_t capacity,
    size_t *needed);
gc_status gc_object_context(const void *object, gc_context **context_out);
gc_status gc_kernel_get_module(const gc_kernel *kernel, gc_module **module_out);

/* Memory */
enum {
    GRAPHCAP_HOST_BUFFER_PORTABLE = 1,
    GRAPHCAP_HOST_BUFFER_MAPPED = 2,
    GRAPHCAP_HOST_BUFFER_WRITE_COMBINED = 4,
    GRAPHCAP_MEM_ATTACH_GLOBAL = 1,
    GRAPHCAP_MEM_ATTACH_HOST = 2,
    GRAPHCAP_MEM_ATTACH_SINGLE = 4
};
gc_status gc_buffer_allocate(const gc_context *context, size_t size, gc_buffer **buffer_out);
gc_status gc_buffer_allocate_waitable(const gc_context *context, size_t size, gc_buffer **buffer_out);
gc_status gc_buffer_wrap(const gc_context *context, void *address, size_t size, void *user_data, gc_destroy_fn destroy,
    gc_buffer **buffer_out);
gc_status gc_buffer_destroy(gc_buffer *buffer);
gc_status gc_buffer_size(const gc_buffer *buffer, size_t *size_out);
gc_status gc_buffer_address(const gc_buffer *buffer, uint64_t *address_out);
gc_status gc_host_check_range(const void *address, size_t size);
gc_status gc_host_buffer_allocate(const gc_context *context, size_t size, uint32_t flags,
    gc_host_buffer **host_buffer_out);
gc_status gc_host_buffer_register(const gc_context *context, void *address, size_t size, uint32_t flags,
    void *user_data, gc_destroy_fn destroy, gc_host_buffer **host_buffer_out);
gc_status gc_host_buffer_destroy(gc_host_buffer *host_buffer);
gc_status gc_host_buffer_size(const gc_host_buffer *host_buffer, size_t *size_out);
gc_status gc_host_buffer_pointer(const gc_host_buffer *host_buffer, void **pointer_out);
gc_status gc_host_buffer_device_address(const gc_host_buffer *host_buffer, uint64_t *address_out);
gc_status gc_buffer_allocate_managed(const gc_context *context, size_t size, uint32_t flags, gc_buffer **buffer_out);
gc_status gc_stream_attach_mem_async(const gc_stream *stream, const gc_buffer *buffer, uint32_t flags);

/* Modules and kernels */
enum {
    GRAPHCAP_CONCURRENCY_FREE = 0,
    GRAPHCAP_CONCURRENCY_ONE_AT_A_TIME = 1,
    GRAPHCAP_CONCURRENCY_ALONE = 2,
    GRAPHCAP_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_SIZE = 1,
    GRAPHCAP_KERNEL_ATTRIBUTE_CONST_SIZE = 2,
    GRAPHCAP_KERNEL_ATTRIBUTE_LOCAL_SIZE = 3,
    GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS = 4,
    GRAPHCAP_KERNEL_ATTRIBUTE_PTX_VERSION = 5,
    GRAPHCAP_KERNEL_ATTRIBUTE_BINARY_VERSION = 6,
    GRAPHCAP_KERNEL_ATTRIBUTE_CACHE_MODE_CA = 7,
    GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE = 8,
    GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT = 9,
    GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
    GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
    GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
    GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
    GRAPHCAP_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE = 14,
    GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SCHEDULING = 15
};
typedef struct gc_host_block {
    uint32_t struct_size;
    uint32_t shared_mem_bytes;
    uint32_t grid_dim[3];
    uint32_t block_dim[3];
    uint32_t block_index[3];
    uint32_t reserved;
    void *shared_mem;
} gc_host_block;
typedef int32_t (*gc_host_kernel_fn)(const gc_host_block *block, const void *const *arguments);
typedef struct gc_host_kernel {
    uint32_t struct_size;
    uint32_t flags;
    const char *name;
    gc_host_kernel_fn function;
    const size_t *parameter_sizes;
    size_t parameter_count;
    const uint32_t *accesses;
    size_t access_count;
} gc_host_kernel;
typedef struct gc_host_global {
    uint32_t struct_size;
    uint32_t flags;
    const char *name;
    void *address;
    size_t size;
} gc_host_global;
typedef struct gc_module_description {
    uint32_t struct_size;
    uint32_t flags;
    const void *image;
    size_t image_size;
    const gc_host_kernel *host_kernels;
    size_t host_kernel_count;
    const gc_host_global *host_globals;
    size_t host_global_count;
} gc_module_description;
typedef uint32_t gc_kernel_concurrency;
typedef uint32_t gc_kernel_attribute;
gc_status gc_module_load(const gc_context *context, const gc_module_description *description, gc_module **module_out);
gc_status gc_module_destroy(gc_module *module);
gc_status gc_module_get_kernel(const gc_module *module, const char *name, gc_kernel **kernel_out);
gc_status gc_module_get_global(const gc_module *module, const char *name, gc_buffer **buffer_out);
gc_status gc_kernel_destroy(gc_kernel *kernel);
gc_status gc_kernel_name(const gc_kernel *kernel, char *text, size_t capacity, size_t *needed);
gc_status gc_kernel_parameter_count(const gc_kernel *kernel, size_t *count_out);
gc_status gc_kernel_parameter_size(const gc_kernel *kernel, size_t index, size_t *size_out);
gc_status gc_kernel_set_accesses(const gc_kernel *kernel, const uint32_t *accesses, size_t count);
gc_status gc_kernel_set_buffer_access(const gc_kernel *kernel, const gc_buffer *buffer, uint32_t access);
gc_status gc_kernel_set_concurrency(const gc_kernel *kernel, gc_kernel_concurrency concurrency);
gc_status gc_kernel_get_attribute(const gc_kernel *kernel, gc_kernel_attribute attribute, int32_t *value_out);
gc_status gc_kernel_set_attribute(const gc_kernel *kernel, gc_kernel_attribute attribute, int32_t value);
gc_status gc_kernel_max_active_blocks(const gc_kernel *kernel, uint32_t block_size, size_t shared_mem_bytes,
    uint32_t *blocks_out);
gc_status gc_kernel_suggested_block_size(const gc_kernel *kernel, size_t shared_mem_bytes, uint32_t block_size_limit,
    uint32_t *block_size_out, uint32_t *grid_size_out);
gc_status gc_kernel_available_shared_mem(const gc_kernel *kernel, uint32_t blocks, uint32_t block_size,
    size_t *bytes_out);
gc_status gc_kernel_max_active_clusters(const gc_kernel *kernel, const gc_launch_config *config,
    uint32_t *clusters_out);
gc_status gc_kernel_max_cluster_size(const gc_kernel *kernel, const gc_launch_config *config, uint32_t *blocks_out);

/* Streams and their work */
enum {
    GRAPHCAP_STREAM_NON_BLOCKING = 1,
    GRAPHCAP_CAPTURE_MODE_GLOBAL = 0,
    GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL = 1,
    GRAPHCAP_CAPTURE_MODE_RELAXED = 2,
    GRAPHCAP_CAPTURE_STATUS_NONE = 0,
    GRAPHCAP_CAPTURE_STATUS_ACTIVE = 1,
    GRAPHCAP_CAPTURE_STATUS_INVALIDATED = 2,
    GRAPHCAP_LAUNCH_ATTRIBUTE_IGNORE = 0,
    GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
    GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
    GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
    GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING = 5,
    GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION = 6,
    GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
    GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY = 8,
    GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP = 9,
    GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN = 10,
    GRAPHCAP_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11,
    GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT = 12,
    GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE = 13,
    GRAPHCAP_LAUNCH_ATTRIBUTE_SHARED_MEMORY_CARVEOUT = 14,
    GRAPHCAP_CLUSTER_SCHEDULING_DEFAULT = 0,
    GRAPHCAP_CLUSTER_SCHEDULING_SPREAD = 1,
    GRAPHCAP_CLUSTER_SCHEDULING_LOAD_BALANCING = 2,
    GRAPHCAP_ARG_VALUE = 1,
    GRAPHCAP_ARG_BUFFER = 2,
    GRAPHCAP_ACCESS_DEFAULT = 0,
    GRAPHCAP_ACCESS_READ = 1,
    GRAPHCAP_ACCESS_WRITE = 2,
    GRAPHCAP_ACCESS_READ_WRITE = 3,
    GRAPHCAP_ACCESS_NONE = 4,
    GRAPHCAP_MEMCPY_HOST_TO_HOST = 0,
    GRAPHCAP_MEMCPY_HOST_TO_DEVICE = 1,
    GRAPHCAP_MEMCPY_DEVICE_TO_HOST = 2,
    GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE = 3,
    GRAPHCAP_MEMCPY_PEER = 5,
    GRAPHCAP_MEMCPY_SNAPSHOT = 1,
    GRAPHCAP_WAIT_VALUE_GEQ = 0,
    GRAPHCAP_WAIT_VALUE_EQ = 1,
    GRAPHCAP_WAIT_VALUE_AND = 2,
    GRAPHCAP_WAIT_VALUE_NOR = 3,
    GRAPHCAP_WAIT_VALUE_FLUSH = 1073741824,
    GRAPHCAP_WRITE_VALUE_DEFAULT = 0,
    GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER = 1,
    GRAPHCAP_MEM_OP_WAIT_VALUE32 = 1,
    GRAPHCAP_MEM_OP_WRITE_VALUE32 = 2,
    GRAPHCAP_MEM_OP_WAIT_VALUE64 = 4,
    GRAPHCAP_MEM_OP_WRITE_VALUE64 = 5,
    GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
    GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
    GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY = 8,
    GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP = 9,
    GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN = 10,
    GRAPHCAP_SYNCHRONIZATION_POLICY_AUTO = 1,
    GRAPHCAP_SYNCHRONIZATION_POLICY_SPIN = 2,
    GRAPHCAP_SYNCHRONIZATION_POLICY_YIELD = 3,
    GRAPHCAP_SYNCHRONIZATION_POLICY_BLOCKING_SYNC = 4,
    GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT = 0,
    GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE = 1,
    GRAPHCAP_ACCESS_PROPERTY_NORMAL = 0,
    GRAPHCAP_ACCESS_PROPERTY_STREAMING = 1,
    GRAPHCAP_ACCESS_PROPERTY_PERSISTING = 2
};
typedef struct gc_stream_options {
    uint32_t struct_size;
    uint32_t flags;
    int32_t priority;
    uint32_t reserved;
} gc_stream_options;
typedef int32_t gc_capture_mode;
typedef int32_t gc_capture_state;
typedef uint32_t gc_launch_attribute_id;
typedef struct gc_launch_event {
    const gc_event *event;
    int32_t flags;
    int32_t trigger_at_block_start;
} gc_launch_event;
typedef struct gc_access_policy_window {
    void *base;
    size_t size;
    float hit_ratio;
    int32_t hit_property;
    int32_t miss_property;
} gc_access_policy_window;
typedef struct gc_memory_sync_domain_map {
    uint8_t default_domain;
    uint8_t remote_domain;
} gc_memory_sync_domain_map;
typedef union gc_launch_attribute_value {
    uint8_t bytes[64];
    int32_t number;
    uint32_t dimensions[3];
    gc_access_policy_window access_policy_window;
    gc_memory_sync_domain_map memory_sync_domain_map;
    gc_launch_event event;
} gc_launch_attribute_value;
typedef struct gc_launch_attribute {
    uint32_t struct_size;
    gc_launch_attribute_id id;
    gc_launch_attribute_value value;
} gc_launch_attribute;
struct gc_launch_config {
    uint32_t struct_size;
    uint32_t grid_dim[3];
    uint32_t block_dim[3];
    uint32_t shared_mem_bytes;
    uint32_t flags;
    uint32_t reserved;
    const gc_launch_attribute *attributes;
    size_t attribute_count;
};
typedef struct gc_kernel_arg {
    uint32_t struct_size;
    uint32_t kind;
    uint32_t access;
    uint32_t reserved;
    const gc_buffer *buffer;
    size_t offset;
    const void *value;
    size_t value_size;
    size_t access_offset;
    size_t access_size;
} gc_kernel_arg;
typedef struct gc_memcpy_params {
    uint32_t struct_size;
    uint32_t direction;
    const gc_buffer *destination;
    size_t destination_offset;
    void *destination_host;
    const gc_buffer *source;
    size_t source_offset;
    const void *source_host;
    size_t size;
    uint32_t flags;
    uint32_t reserved;
    const gc_host_buffer *destination_host_buffer;
    const gc_host_buffer *source_host_buffer;
    size_t height;
    size_t depth;
    size_t destination_pitch;
    size_t destination_slice_height;
    size_t source_pitch;
    size_t source_slice_height;
} gc_memcpy_params;
typedef struct gc_memset_params {
    uint32_t struct_size;
    uint32_t element_size;
    const gc_buffer *buffer;
    size_t offset;
    uint32_t value;
    uint32_t reserved;
    size_t width;
    size_t height;
    size_t pitch;
    const gc_host_buffer *host_buffer;
} gc_memset_params;
typedef struct gc_mem_op {
    uint32_t struct_size;
    uint32_t kind;
    const gc_buffer *buffer;
    size_t offset;
    uint64_t value;
    uint32_t flags;
    uint32_t reserved;
    const gc_host_buffer *host_buffer;
} gc_mem_op;
typedef uint32_t gc_stream_attribute;
typedef union gc_stream_attribute_value {
    uint8_t bytes[64];
    gc_access_policy_window access_policy_window;
    int32_t synchronization_policy;
    int32_t priority;
    gc_memory_sync_domain_map memory_sync_domain_map;
    int32_t memory_sync_domain;
} gc_stream_attribute_value;
gc_status gc_stream_create(const gc_context *context, const gc_stream_options *options, gc_stream **stream_out);
gc_status gc_stream_wrap(const gc_context *context, void *native, gc_stream **stream_out);
gc_status gc_stream_destroy(gc_stream *stream);
gc_status gc_stream_synchronize(const gc_stream *stream);
gc_status gc_stream_synchronize_for(const gc_stream *stream, uint64_t nanoseconds);
gc_status gc_stream_is_complete(const gc_stream *stream, int32_t *complete_out);
gc_status gc_stream_id(const gc_stream *stream, uint64_t *id_out);
gc_status gc_stream_begin_capture(const gc_stream *stream, gc_capture_mode mode);
gc_status gc_stream_end_capture(const gc_stream *stream, gc_graph **graph_out);
gc_status gc_stream_is_capturing(const gc_stream *stream, int32_t *capturing_out);
gc_status gc_stream_capture_status(const gc_stream *stream, gc_capture_state *status_out);
gc_status gc_stream_wait_event(const gc_stream *stream, const gc_event *event, uint32_t flags);
gc_status gc_stream_memcpy_htod(const gc_stream *stream, const gc_buffer *destination, size_t destination_offset,
    const void *source, size_t size);
gc_status gc_stream_memcpy_dtoh(const gc_stream *stream, void *destination, const gc_buffer *source,
    size_t source_offset, size_t size);
gc_status gc_stream_memcpy_dtod(const gc_stream *stream, const gc_buffer *destination, size_t destination_offset,
    const gc_buffer *source, size_t source_offset, size_t size);
gc_status gc_stream_memset(const gc_stream *stream, const gc_buffer *buffer, size_t offset, uint32_t value,
    uint32_t element_size, size_t count);
gc_status gc_stream_launch_host_func(const gc_stream *stream, gc_host_fn function, void *user_data,
    gc_destroy_fn destroy);
gc_status gc_host_fail(const char *reason);
gc_status gc_stream_launch_kernel(const gc_stream *stream, const gc_kernel *kernel, const gc_launch_config *config,
    const gc_kernel_arg *arguments, size_t argument_count);
gc_status gc_context_memcpy(const gc_context *context, const gc_memcpy_params *params);
gc_status gc_context_memset(const gc_context *context, const gc_memset_params *params);
gc_status gc_stream_memcpy_batch(const gc_stream *stream, const gc_memcpy_params *params, size_t count,
    size_t *failed_index_out);
gc_status gc_stream_write_value32(const gc_stream *stream, const gc_buffer *buffer, size_t offset, uint32_t value,
    uint32_t flags);
gc_status gc_stream_write_value64(const gc_stream *stream, const gc_buffer *buffer, size_t offset, uint64_t value,
    uint32_t flags);
gc_status gc_stream_wait_value32(const gc_stream *stream, const gc_buffer *buffer, size_t offset, uint32_t value,
    uint32_t flags);
gc_status gc_stream_wait_value64(const gc_stream *stream, const gc_buffer *buffer, size_t offset, uint64_t value,
    uint32_t flags);
gc_status gc_stream_batch_mem_op(const gc_stream *stream, const gc_mem_op *operations, size_t count, uint32_t flags);
gc_status gc_stream_flags(const gc_stream *stream, uint32_t *flags_out);
gc_status gc_stream_priority(const gc_stream *stream, int32_t *priority_out);
gc_status gc_stream_get_attribute(const gc_stream *stream, gc_stream_attribute attribute,
    gc_stream_attribute_value *value_out);
gc_status gc_stream_set_attribute(const gc_stream *stream, gc_stream_attribute attribute,
    const gc_stream_attribute_value *value);
gc_status gc_stream_copy_attributes(const gc_stream *stream, const gc_stream *source);

/* Events */
enum {
    GRAPHCAP_EVENT_BLOCKING_SYNC = 1,
    GRAPHCAP_EVENT_DISABLE_TIMING = 2,
    GRAPHCAP_EVENT_INTERPROCESS = 4,
    GRAPHCAP_EVENT_RECORD_EXTERNAL = 1,
    GRAPHCAP_EVENT_WAIT_EXTERNAL = 1
};
typedef struct gc_ipc_handle {
    uint8_t bytes[64];
} gc_ipc_handle;
typedef struct gc_event_options {
    uint32_t struct_size;
    uint32_t flags;
} gc_event_options;
gc_status gc_event_create(const gc_context *context, const gc_event_options *options, gc_event **event_out);
gc_status gc_event_destroy(gc_event *event);
gc_status gc_event_record(const gc_event *event, const gc_stream *stream, uint32_t flags);
gc_status gc_event_is_complete(const gc_event *event, int32_t *complete_out);
gc_status gc_event_synchronize(const gc_event *event);
gc_status gc_event_synchronize_for(const gc_event *event, uint64_t nanoseconds);
gc_status gc_event_elapsed_time(const gc_event *start, const gc_event *end, float *milliseconds_out);
gc_status gc_event_ipc_handle(const gc_event *event, gc_ipc_handle *handle_out);
gc_status gc_event_open_ipc_handle(const gc_context *context, const gc_ipc_handle *ipc_handle, gc_event **event_out);
gc_status gc_event_id(const gc_event *event, uint64_t *id_out);

/* Work as data */
enum {
    GRAPHCAP_WORK_KERNEL = 1,
    GRAPHCAP_WORK_MEMCPY = 2,
    GRAPHCAP_WORK_MEMSET = 3,
    GRAPHCAP_WORK_HOST = 4,
    GRAPHCAP_WORK_CHILD_GRAPH = 5,
    GRAPHCAP_WORK_CONDITIONAL = 6,
    GRAPHCAP_WORK_EVENT_RECORD = 7,
    GRAPHCAP_WORK_EVENT_WAIT = 8,
    GRAPHCAP_WORK_EMPTY = 9,
    GRAPHCAP_WORK_MEM_OPS = 10,
    GRAPHCAP_WORK_MEM_ALLOC = 11,
    GRAPHCAP_WORK_MEM_FREE = 12,
    GRAPHCAP_WORK_SET_CONDITION = 13,
    GRAPHCAP_WORK_SGEMM = 16,
    GRAPHCAP_WORK_FFT_R2C = 17,
    GRAPHCAP_WORK_FFT_C2R = 18,
    GRAPHCAP_WORK_RNG_UNIFORM = 24
};
typedef struct gc_work {
    uint32_t struct_size;
    uint32_t kind;
    const char *name;
    const gc_kernel *kernel;
    const gc_launch_config *config;
    const gc_kernel_arg *arguments;
    size_t argument_count;
    const gc_memcpy_params *memcpy_params;
    const gc_memset_params *memset_params;
    gc_host_fn function;
    void *user_data;
    gc_destroy_fn destroy;
    const gc_graph *graph;
    const gc_event *event;
    const gc_buffer *buffer;
    size_t offset;
    uint32_t conditional_kind;
    uint32_t body_count;
    const gc_script *const *bodies;
    const gc_rng_uniform_params *rng_uniform_params;
    const gc_sgemm_params *sgemm_params;
    const gc_fft_params *fft_params;
    const gc_mem_op *operations;
    size_t operation_count;
    gc_condition condition;
    const gc_scalar *scalar;
    size_t size;
    uint32_t flags;
    uint32_t reserved;
} gc_work;
gc_status gc_stream_submit(const gc_stream *stream, const gc_work *work, gc_node *node_out);

/* Capture */
enum {
    GRAPHCAP_CAPTURE_DEPENDENCIES_ADD = 0,
    GRAPHCAP_CAPTURE_DEPENDENCIES_SET = 1,
    GRAPHCAP_VIOLATION_NONE = 0,
    GRAPHCAP_VIOLATION_UNSAFE_CALL = 1,
    GRAPHCAP_VIOLATION_ON_CAPTURING_STREAM = 2,
    GRAPHCAP_VIOLATION_WHOLE_CONTEXT = 3,
    GRAPHCAP_VIOLATION_CAPTURED_EVENT = 4,
    GRAPHCAP_VIOLATION_LEGACY_STREAM = 5,
    GRAPHCAP_VIOLATION_ISOLATION = 6,
    GRAPHCAP_VIOLATION_MERGE = 7,
    GRAPHCAP_VIOLATION_UNMATCHED_END = 8,
    GRAPHCAP_VIOLATION_UNJOINED = 9,
    GRAPHCAP_VIOLATION_WRONG_THREAD = 10,
    GRAPHCAP_VIOLATION_SHAPE = 11,
    GRAPHCAP_VIOLATION_OUTSIDE = 12,
    GRAPHCAP_VIOLATION_WORK_OUTSIDE = 13,
    GRAPHCAP_VIOLATION_LAST_FAILED = 14,
    GRAPHCAP_VIOLATION_GRAPH_LAUNCH = 15,
    GRAPHCAP_CAPTURE_STRICT = 1,
    GRAPHCAP_CAPTURE_NOTE_MEMORY = 2
};
typedef struct gc_capture_info {
    uint32_t struct_size;
    gc_capture_state status;
    uint64_t id;
    size_t node_count;
    size_t edge_count;
    size_t frontier_count;
    void *native_graph;
    uint64_t work_outside;
} gc_capture_info;
typedef int32_t gc_violation;
typedef gc_status (*gc_capture_fn)(const gc_stream *stream, void *user_data);
typedef struct gc_capture_options {
    uint32_t struct_size;
    uint32_t flags;
    const gc_module *const *modules;
    size_t module_count;
    const gc_pool *pool;
    const gc_graph *graph;
    const gc_node *dependencies;
    size_t dependency_count;
} gc_capture_options;
gc_status gc_stream_capture_info(const gc_stream *stream, gc_capture_info *info_out);
gc_status gc_stream_capture_frontier(const gc_stream *stream, gc_node *nodes_out, size_t capacity, size_t *needed);
gc_status gc_stream_export_capture_dot(const gc_stream *stream, uint32_t flags, char *text, size_t capacity,
    size_t *needed);
gc_status gc_stream_update_capture_dependencies(const gc_stream *stream, const gc_node *nodes, const gc_edge_data *data,
    size_t count, uint32_t flags);
gc_status gc_stream_capture_violation(const gc_stream *stream, gc_violation *violation_out, char *text, size_t capacity,
    size_t *needed);
gc_status gc_thread_exchange_capture_mode(gc_capture_mode *mode);
gc_status gc_stream_capture(const gc_stream *stream, gc_capture_mode mode, const gc_capture_options *options,
    gc_capture_fn function, void *user_data, gc_destroy_fn destroy, gc_graph **graph_out);
gc_status gc_capture_begin(const gc_stream *stream, gc_capture_mode mode, const gc_capture_options *options,
    gc_capture **capture_out);
gc_status gc_capture_destroy(gc_capture *capture);
gc_status gc_capture_record_kernel(const gc_capture *capture, const char *name, const gc_launch_config *config,
    const gc_kernel_arg *arguments, size_t argument_count);
gc_status gc_capture_record_memcpy(const gc_capture *capture, const gc_memcpy_params *params);
gc_status gc_capture_record_memset(const gc_capture *capture, const gc_buffer *buffer, size_t offset, uint32_t value,
    uint32_t element_size, size_t count);
gc_status gc_capture_recorded_count(const gc_capture *capture, uint64_t *count_out);
gc_status gc_capture_is_active(const gc_capture *capture, int32_t *active_out);
gc_status gc_capture_end(const gc_capture *capture, gc_graph **graph_out);
gc_status gc_capture_abort(const gc_capture *capture);
gc_status gc_capture_record(const gc_capture *capture, const gc_work *work);
gc_status gc_stream_capture_graph(const gc_stream *stream, gc_graph **graph_out);
gc_status gc_stream_set_condition(const gc_stream *stream, gc_condition condition, const gc_buffer *buffer,
    size_t offset);

/* Graphs */
enum {
    GRAPHCAP_DOT_VERBOSE = 1,
    GRAPHCAP_DOT_RUNTIME_TYPES = 2,
    GRAPHCAP_DOT_KERNEL_NODE_PARAMS = 4,
    GRAPHCAP_DOT_MEMCPY_NODE_PARAMS = 8,
    GRAPHCAP_DOT_MEMSET_NODE_PARAMS = 16,
    GRAPHCAP_DOT_HOST_NODE_PARAMS = 32,
    GRAPHCAP_DOT_EVENT_NODE_PARAMS = 64,
    GRAPHCAP_DOT_EXT_SEMAS_SIGNAL_NODE_PARAMS = 128,
    GRAPHCAP_DOT_EXT_SEMAS_WAIT_NODE_PARAMS = 256,
    GRAPHCAP_DOT_KERNEL_NODE_ATTRIBUTES = 512,
    GRAPHCAP_DOT_HANDLES = 1024,
    GRAPHCAP_DOT_MEM_ALLOC_NODE_PARAMS = 2048,
    GRAPHCAP_DOT_MEM_FREE_NODE_PARAMS = 4096,
    GRAPHCAP_DOT_BATCH_MEM_OP_NODE_PARAMS = 8192,
    GRAPHCAP_DOT_EXTRA_TOPO_INFO = 16384,
    GRAPHCAP_DOT_CONDITIONAL_NODE_PARAMS = 32768,
    GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH = 1,
    GRAPHCAP_INSTANTIATE_UPLOAD = 2,
    GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH = 4,
    GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY = 8,
    GRAPHCAP_INSTANTIATE_WATCH = 65536,
    GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS = 131072,
    GRAPHCAP_INSTANTIATE_SHAPE = 262144,
    GRAPHCAP_NODE_KERNEL = 0,
    GRAPHCAP_NODE_MEMCPY = 1,
    GRAPHCAP_NODE_MEMSET = 2,
    GRAPHCAP_NODE_HOST = 3,
    GRAPHCAP_NODE_CHILD = 4,
    GRAPHCAP_NODE_EMPTY = 5,
    GRAPHCAP_NODE_EVENT_WAIT = 6,
    GRAPHCAP_NODE_EVENT_RECORD = 7,
    GRAPHCAP_NODE_MEM_ALLOC = 10,
    GRAPHCAP_NODE_MEM_FREE = 11,
    GRAPHCAP_NODE_BATCH_MEM_OP = 12,
    GRAPHCAP_NODE_CONDITIONAL = 13,
    GRAPHCAP_NODE_OTHER = 2147483647,
    GRAPHCAP_ARGUMENTS_UNKNOWN = 0,
    GRAPHCAP_ARGUMENTS_SEPARATE = 1,
    GRAPHCAP_ARGUMENTS_PACKED = 2,
    GRAPHCAP_MEMCPY_DEFAULT = 4,
    GRAPHCAP_BINDING_BUFFER = 1,
    GRAPHCAP_BINDING_HOST_BUFFER = 2,
    GRAPHCAP_BINDING_HOST_MEMORY = 3,
    GRAPHCAP_BINDING_KERNEL = 4,
    GRAPHCAP_BINDING_EVENT = 5,
    GRAPHCAP_BINDING_HOST_FUNCTION = 6,
    GRAPHCAP_BINDING_GRAPH = 7,
    GRAPHCAP_BINDING_PROCESS = 8,
    GRAPHCAP_OWNERSHIP_BORROWED = 1,
    GRAPHCAP_OWNERSHIP_TAKEN = 2
};
typedef struct gc_instantiate_options {
    uint32_t struct_size;
    uint32_t flags;
    const gc_stream *upload_stream;
    uint64_t turn_limit;
} gc_instantiate_options;
typedef struct gc_kernel_node_params {
    uint32_t struct_size;
    uint32_t grid_dim[3];
    uint32_t block_dim[3];
    uint32_t shared_mem_bytes;
    uint32_t argument_layout;
    uint32_t reserved;
    size_t argument_count;
} gc_kernel_node_params;
typedef struct gc_memcpy_node_params {
    uint32_t struct_size;
    uint32_t direction;
    uint64_t destination;
    uint64_t source;
    size_t size;
    size_t height;
    size_t depth;
    size_t destination_pitch;
    size_t destination_slice_pitch;
    size_t source_pitch;
    size_t source_slice_pitch;
} gc_memcpy_node_params;
typedef struct gc_memset_node_params {
    uint32_t struct_size;
    uint32_t element_size;
    uint64_t address;
    uint32_t value;
    uint32_t reserved;
    size_t width;
    size_t height;
    size_t pitch;
} gc_memset_node_params;
typedef struct gc_mem_op_node_params {
    uint32_t struct_size;
    uint32_t kind;
    uint64_t address;
    uint64_t value;
    uint32_t flags;
    uint32_t reserved;
} gc_mem_op_node_params;
typedef struct gc_host_node_params {
    uint32_t struct_size;
    uint32_t is_foreign;
    gc_host_fn function;
    void *user_data;
} gc_host_node_params;
typedef struct gc_unresolved_pointer {
    gc_node node;
    uint64_t address;
    size_t parameter;
    size_t offset;
} gc_unresolved_pointer;
typedef struct gc_graph_binding {
    uint32_t struct_size;
    uint32_t kind;
    const char *name;
    const void *handle;
    void *pointer;
    gc_host_fn function;
    void *user_data;
    gc_destroy_fn destroy;
    size_t size;
} gc_graph_binding;
typedef int32_t gc_ownership;
gc_status gc_graph_create(const gc_context *context, gc_graph **graph_out);
gc_status gc_graph_destroy(gc_graph *graph);
gc_status gc_graph_node_count(const gc_graph *graph, size_t *count_out);
gc_status gc_graph_edge_count(const gc_graph *graph, size_t *count_out);
gc_status gc_graph_get_nodes(const gc_graph *graph, gc_node *nodes_out, size_t capacity, size_t *needed);
gc_status gc_graph_export_dot(const gc_graph *graph, uint32_t flags, char *text, size_t capacity, size_t *needed);
gc_status gc_graph_instantiate(const gc_graph *graph, const gc_instantiate_options *options, gc_graph_exec **exec_out);
gc_status gc_node_kind(const gc_graph *graph, gc_node node, uint32_t *kind_out);
gc_status gc_node_get_dependencies(const gc_graph *graph, gc_node node, gc_node *nodes_out, size_t capacity,
    size_t *needed);
gc_status gc_node_get_dependents(const gc_graph *graph, gc_node node, gc_node *nodes_out, size_t capacity,
    size_t *needed);
gc_status gc_graph_get_roots(const gc_graph *graph, gc_node *nodes_out, size_t capacity, size_t *needed);
gc_status gc_graph_get_order(const gc_graph *graph, gc_node *nodes_out, size_t capacity, size_t *needed);
gc_status gc_node_get_graph(const gc_graph *graph, gc_node node, size_t index, gc_graph **graph_out);
gc_status gc_node_get_containing_graph(const gc_graph *graph, gc_node node, gc_graph **graph_out);
gc_status gc_node_get_kernel_params(const gc_graph *graph, gc_node node, gc_kernel_node_params *params_out);
gc_status gc_node_get_argument(const gc_graph *graph, gc_node node, size_t index, void *bytes_out, size_t capacity,
    size_t *needed);
gc_status gc_node_kernel_name(const gc_graph *graph, gc_node node, char *text, size_t capacity, size_t *needed);
gc_status gc_node_get_kernel(const gc_graph *graph, gc_node node, gc_kernel **kernel_out);
gc_status gc_node_get_memcpy_params(const gc_graph *graph, gc_node node, gc_memcpy_node_params *params_out);
gc_status gc_node_get_memset_params(const gc_graph *graph, gc_node node, gc_memset_node_params *params_out);
gc_status gc_node_get_mem_op_params(const gc_graph *graph, gc_node node, size_t index,
    gc_mem_op_node_params *params_out, size_t *count_out);
gc_status gc_node_get_event(const gc_graph *graph, gc_node node, gc_event **event_out);
gc_status gc_context_find_buffer(const gc_context *context, uint64_t address, gc_buffer **buffer_out,
    gc_host_buffer **host_buffer_out, size_t *offset_out);
gc_status gc_node_get_host_params(const gc_graph *graph, gc_node node, gc_host_node_params *params_out);
gc_status gc_graph_unresolved_pointers(const gc_graph *graph, gc_unresolved_pointer *pointers_out, size_t capacity,
    size_t *needed);
gc_status gc_graph_export_json(const gc_graph *graph, char *text, size_t capacity, size_t *needed);
gc_status gc_graph_import_json(const gc_context *context, const char *json, size_t size,
    const gc_graph_binding *bindings, size_t binding_count, gc_graph **graph_out);
gc_status gc_graph_diff(const gc_graph *graph, const gc_graph *other, char *text, size_t capacity, size_t *needed);
gc_status gc_graph_wrap(const gc_context *context, void *native, gc_ownership ownership, gc_graph **graph_out);
gc_status gc_graph_exec_wrap(const gc_context *context, void *native, gc_ownership ownership, const gc_graph *graph,
    gc_graph_exec **exec_out);

/* Graph execs */
enum {
    GRAPHCAP_NODE_WAITS = 0,
    GRAPHCAP_NODE_READY = 1,
    GRAPHCAP_NODE_COMPLETED = 2
};
typedef struct gc_graph_exec_info {
    uint32_t struct_size;
    uint32_t flags;
    uint64_t generation;
    uint64_t node_count;
    uint64_t num_replays;
    uint32_t is_uploaded;
    uint32_t reserved;
} gc_graph_exec_info;
typedef uint32_t gc_node_state;
typedef struct gc_graph_exec_progress_info {
    uint32_t struct_size;
    uint32_t is_running;
    uint64_t launch_count;
    uint64_t begun_count;
    uint64_t node_count;
    uint64_t completed_count;
    uint64_t ready_count;
    gc_node first_ready;
    gc_node conditional;
    gc_node body_node;
    uint64_t turn;
    uint32_t body;
    uint32_t reserved;
} gc_graph_exec_progress_info;
gc_status gc_graph_launch(const gc_graph_exec *exec, const gc_stream *stream);
gc_status gc_graph_upload(const gc_graph_exec *exec, const gc_stream *stream);
gc_status gc_graph_exec_num_replays(const gc_graph_exec *exec, uint64_t *count_out);
gc_status gc_graph_exec_is_uploaded(const gc_graph_exec *exec, int32_t *uploaded_out);
gc_status gc_graph_exec_get_info(const gc_graph_exec *exec, gc_graph_exec_info *info_out);
gc_status gc_graph_exec_destroy(gc_graph_exec *exec);
gc_status gc_stream_end_capture_exec(const gc_stream *stream, const gc_instantiate_options *options,
    gc_graph_exec **exec_out);
gc_status gc_graph_relaunch(const gc_graph_exec *exec);
gc_status gc_graph_exec_progress(const gc_graph_exec *exec, gc_graph_exec_progress_info *progress_out, char *text,
    size_t capacity, size_t *needed);
gc_status gc_graph_exec_nodes_in_state(const gc_graph_exec *exec, gc_node_state state, gc_node *nodes_out,
    size_t capacity, size_t *needed);
gc_status gc_graph_exec_times(const gc_graph_exec *exec, uint64_t replays, char *text, size_t capacity, size_t *needed);

/* Building graphs */
enum {
    GRAPHCAP_PORT_DEFAULT = 0,
    GRAPHCAP_PORT_PROGRAMMATIC = 1,
    GRAPHCAP_PORT_LAUNCH_ORDER = 2,
    GRAPHCAP_EDGE_TYPE_DEFAULT = 0,
    GRAPHCAP_EDGE_TYPE_PROGRAMMATIC = 1,
    GRAPHCAP_CONDITION_ASSIGN_DEFAULT = 1,
    GRAPHCAP_CONDITIONAL_IF = 0,
    GRAPHCAP_CONDITIONAL_WHILE = 1,
    GRAPHCAP_CONDITIONAL_SWITCH = 2
};
struct gc_edge_data {
    uint8_t from_port;
    uint8_t to_port;
    uint8_t edge_type;
    uint8_t reserved[5];
};
typedef struct gc_conditional_node_params {
    uint32_t struct_size;
    uint32_t kind;
    gc_condition condition;
    uint32_t body_count;
    uint32_t reserved;
} gc_conditional_node_params;
typedef struct gc_mem_alloc_node_params {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t address;
    size_t size;
} gc_mem_alloc_node_params;
typedef struct gc_mem_free_node_params {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t address;
} gc_mem_free_node_params;
typedef struct gc_graph_memory {
    uint32_t struct_size;
    uint32_t flags;
    uint64_t used_bytes;
    uint64_t used_high;
    uint64_t reserved_bytes;
    uint64_t reserved_high;
} gc_graph_memory;
gc_status gc_graph_add_node(const gc_graph *graph, const gc_node *dependencies, const gc_edge_data *dependency_data,
    size_t dependency_count, const gc_work *work, gc_node *node_out);
gc_status gc_graph_add_nodes(const gc_graph *graph, const gc_node *const *dependencies, const size_t *dependency_counts,
    const gc_work *works, size_t count, gc_node *nodes_out, size_t *failed_index_out);
gc_status gc_graph_add_child_node(const gc_graph *graph, const gc_node *dependencies, size_t dependency_count,
    const gc_graph *child, gc_node *node_out);
gc_status gc_graph_add_dependencies(const gc_graph *graph, const gc_node *from, const gc_node *to,
    const gc_edge_data *data, size_t count);
gc_status gc_graph_remove_dependencies(const gc_graph *graph, const gc_node *from, const gc_node *to, size_t count);
gc_status gc_graph_get_edges(const gc_graph *graph, gc_node *from_out, gc_node *to_out, gc_edge_data *data_out,
    size_t capacity, size_t *needed);
gc_status gc_graph_create_condition(const gc_graph *graph, uint32_t default_value, uint32_t flags,
    gc_condition *condition_out);
gc_status gc_host_set_conditional(gc_condition condition, uint32_t value);
gc_status gc_node_get_conditional_params(const gc_graph *graph, gc_node node, gc_conditional_node_params *params_out);
gc_status gc_node_get_mem_alloc_params(const gc_graph *graph, gc_node node, gc_mem_alloc_node_params *params_out);
gc_status gc_node_get_mem_free_params(const gc_graph *graph, gc_node node, gc_mem_free_node_params *params_out);
gc_status gc_node_get_buffer(const gc_graph *graph, gc_node node, gc_buffer **buffer_out);
gc_status gc_context_graph_memory(const gc_context *context, gc_graph_memory *memory_out);
gc_status gc_context_graph_memory_reset_high(const gc_context *context);
gc_status gc_context_graph_memory_trim(const gc_context *context);

/* Editing graphs */
gc_status gc_graph_remove_node(const gc_graph *graph, gc_node node);
gc_status gc_graph_retain_callback(const gc_graph *graph, void *user_data, gc_destroy_fn destroy);
gc_status gc_graph_clone(const gc_graph *graph, gc_graph **clone_out);
gc_status gc_node_find_in_clone(const gc_graph *graph, gc_node node, const gc_graph *clone, gc_node *node_out);
gc_status gc_node_set(const gc_graph *graph, gc_node node, const gc_work *work);
gc_status gc_node_get_attribute(const gc_graph *graph, gc_node node, gc_launch_attribute_id attribute,
    gc_launch_attribute_value *value_out);
gc_status gc_node_get_attributes(const gc_graph *graph, gc_node node, gc_launch_attribute_id *attributes_out,
    size_t capacity, size_t *needed);
gc_status gc_node_set_attribute(const gc_graph *graph, gc_node node, gc_launch_attribute_id attribute,
    const gc_launch_attribute_value *value);
gc_status gc_node_copy_attributes(const gc_graph *graph, gc_node node, const gc_graph *source, gc_node source_node);
gc_status gc_node_set_grid_scalar(const gc_graph *graph, gc_node node, uint32_t axis, const gc_scalar *scalar);
gc_status gc_graph_replace_buffer(const gc_graph *graph, const gc_buffer *from_buffer, const gc_buffer *to_buffer,
    size_t *changed_out);
gc_status gc_graph_exec_replace_buffer(const gc_graph_exec *exec, const gc_buffer *from_buffer,
    const gc_buffer *to_buffer, size_t *changed_out);

/* Updating graph execs */
enum {
    GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS = 0,
    GRAPHCAP_GRAPH_EXEC_UPDATE_ERROR = 1,
    GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED = 2,
    GRAPHCAP_GRAPH_EXEC_UPDATE_NODE_TYPE_CHANGED = 3,
    GRAPHCAP_GRAPH_EXEC_UPDATE_FUNCTION_CHANGED = 4,
    GRAPHCAP_GRAPH_EXEC_UPDATE_PARAMETERS_CHANGED = 5,
    GRAPHCAP_GRAPH_EXEC_UPDATE_NOT_SUPPORTED = 6,
    GRAPHCAP_GRAPH_EXEC_UPDATE_UNSUPPORTED_FUNCTION_CHANGE = 7,
    GRAPHCAP_GRAPH_EXEC_UPDATE_ATTRIBUTES_CHANGED = 8,
    GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES = 1,
    GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN = 2,
    GRAPHCAP_ADDRESS_ARGUMENT = 0,
    GRAPHCAP_ADDRESS_COPY_DESTINATION = 1,
    GRAPHCAP_ADDRESS_COPY_SOURCE = 2,
    GRAPHCAP_ADDRESS_MEMSET = 3,
    GRAPHCAP_ADDRESS_VALUE = 4,
    GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET = 1,
    GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE = 2,
    GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW = 4,
    GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES = 8,
    GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING = 0,
    GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_SET = 1,
    GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE = 2,
    GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW = 3,
    GRAPHCAP_GRAPH_EXEC_APPLY_REASON_UNCHANGED = 0,
    GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FEW_NODES = 1,
    GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_NODES = 2,
    GRAPHCAP_GRAPH_EXEC_APPLY_REASON_NOT_KNOWN = 3,
    GRAPHCAP_GRAPH_EXEC_APPLY_REASON_REFUSED = 4,
    GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ATTRIBUTE = 5,
    GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ONLY_ALLOWED = 6,
    GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FAILED = 7,
    GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_REPLAYS = 8
};
typedef int32_t gc_graph_exec_update_result;
typedef struct gc_graph_exec_update_info {
    uint32_t struct_size;
    gc_graph_exec_update_result result;
    gc_status status;
    uint32_t kept_attribute;
    gc_node exec_node;
    gc_node graph_node;
    gc_node from_node;
    uint64_t slower_count;
} gc_graph_exec_update_info;
typedef uint32_t gc_address_place;
typedef struct gc_graph_exec_check_info {
    uint32_t struct_size;
    uint32_t is_noted;
    uint64_t node_count;
    uint64_t address_count;
    uint64_t allocation_count;
    uint64_t unread_count;
    uint64_t gone_count;
    gc_node node;
    gc_address_place place;
    uint32_t is_exchanged;
    uint64_t index;
    uint64_t offset;
    uint64_t address;
    uint64_t allocation_address;
    uint64_t allocation_size;
} gc_graph_exec_check_info;
typedef struct gc_graph_exec_apply_options {
    uint32_t struct_size;
    uint32_t flags;
    const gc_stream *upload_stream;
    uint64_t expected_replays;
} gc_graph_exec_apply_options;
typedef int32_t gc_graph_exec_apply_route;
typedef int32_t gc_graph_exec_apply_reason;
typedef struct gc_graph_exec_apply_report {
    uint32_t struct_size;
    gc_graph_exec_apply_route route;
    gc_graph_exec_apply_reason reason;
    gc_status status;
    gc_graph_exec_update_result update_result;
    uint32_t kept_attribute;
    gc_node exec_node;
    gc_node graph_node;
    gc_node from_node;
    uint64_t node_count;
    uint64_t changed_count;
    uint64_t nanoseconds;
    uint64_t next_launch_nanoseconds;
    uint64_t slower_count;
} gc_graph_exec_apply_report;
gc_status gc_graph_exec_set_node(const gc_graph_exec *exec, gc_node node, const gc_work *work);
gc_status gc_graph_set_nodes(const gc_graph *graph, const gc_node *nodes, const gc_work *works, size_t count,
    size_t *failed_index_out);
gc_status gc_graph_exec_set_nodes(const gc_graph_exec *exec, const gc_node *nodes, const gc_work *works, size_t count,
    size_t *failed_index_out);
gc_status gc_graph_exec_set_node_enabled(const gc_graph_exec *exec, gc_node node, int32_t enabled);
gc_status gc_graph_exec_is_node_enabled(const gc_graph_exec *exec, gc_node node, int32_t *enabled_out);
gc_status gc_graph_exec_update(const gc_graph_exec *exec, const gc_graph *graph, uint32_t flags,
    gc_graph_exec_update_info *info_out);
gc_status gc_graph_exec_check(const gc_graph_exec *exec, gc_graph_exec_check_info *info_out);
gc_status gc_memory_block_begin(uint64_t address, size_t size, const char *name, uint64_t generation);
gc_status gc_memory_block_end(uint64_t address, uint64_t generation);
gc_status gc_graph_exec_apply(const gc_graph_exec *exec, const gc_graph *graph,
    const gc_graph_exec_apply_options *options, gc_graph_exec_apply_report *report_out);
const char *gc_graph_exec_apply_reason_description(gc_graph_exec_apply_reason reason);

/* Graph caches */
enum {
    GRAPHCAP_GRAPH_CACHE_SHARE_EXECS = 1,
    GRAPHCAP_GRAPH_CACHE_THREAD_LOCAL = 2
};
typedef gc_status (*gc_graph_cache_record_fn)(const gc_stream *stream, const void *key, size_t key_size,
    void *user_data, void *launch_data);
typedef struct gc_graph_cache_options {
    uint32_t struct_size;
    uint32_t flags;
    uint32_t instantiate_flags;
    uint32_t reserved;
    uint64_t max_bytes;
    gc_graph_cache_record_fn record;
    void *user_data;
    gc_destroy_fn destroy;
} gc_graph_cache_options;
typedef struct gc_graph_cache_stats {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t hits;
    uint64_t recordings;
    uint64_t updates;
    uint64_t instantiations;
    uint64_t evictions;
    uint64_t keys;
    uint64_t execs;
    uint64_t bytes;
    uint64_t device_bytes;
} gc_graph_cache_stats;
gc_status gc_graph_cache_create(const gc_context *context, const gc_graph_cache_options *options,
    gc_graph_cache **cache_out);
gc_status gc_graph_cache_launch(const gc_graph_cache *cache, const void *key, size_t key_size, const gc_stream *stream,
    void *user_data);
gc_status gc_graph_cache_remove(const gc_graph_cache *cache, const void *key, size_t key_size);
gc_status gc_graph_cache_clear(const gc_graph_cache *cache);
gc_status gc_graph_cache_get_stats(const gc_graph_cache *cache, gc_graph_cache_stats *stats_out);
gc_status gc_graph_cache_destroy(gc_graph_cache *cache);

/* Pools */
enum {
    GRAPHCAP_POOL_REUSE_ORDERED = 0,
    GRAPHCAP_POOL_REUSE_SAME_STREAM = 1,
    GRAPHCAP_POOL_REUSE_NEVER = 2,
    GRAPHCAP_POOL_SHARED = 1
};
typedef struct gc_pool_options {
    uint32_t struct_size;
    uint32_t flags;
    size_t capacity;
    int32_t reuse;
    uint32_t reserved;
} gc_pool_options;
typedef struct gc_pool_memory {
    uint32_t struct_size;
    uint32_t flags;
    uint64_t capacity;
    uint64_t reserved_bytes;
    uint64_t used_bytes;
    uint64_t used_high;
} gc_pool_memory;
gc_status gc_pool_create(const gc_context *context, const gc_pool_options *options, gc_pool **pool_out);
gc_status gc_pool_destroy(gc_pool *pool);
gc_status gc_pool_id(const gc_pool *pool, uint64_t *id_out);
gc_status gc_pool_add_buffer(const gc_pool *pool, const gc_buffer *buffer, size_t *index_out);
gc_status gc_pool_add_object(const gc_pool *pool, void *user_data, gc_destroy_fn destroy, size_t *index_out);
gc_status gc_pool_allocate(const gc_pool *pool, size_t size, gc_buffer **buffer_out);
gc_status gc_pool_buffer_count(const gc_pool *pool, size_t *count_out);
gc_status gc_pool_seal(const gc_pool *pool);
gc_status gc_pool_unseal(const gc_pool *pool);
gc_status gc_pool_is_sealed(const gc_pool *pool, int32_t *sealed_out);
gc_status gc_pool_clear(const gc_pool *pool);
gc_status gc_pool_handle_new(const gc_pool *pool, uint64_t *id_out);
gc_status gc_pool_handle_lookup(uint64_t id, gc_pool **pool_out);
gc_status gc_pool_handle_release(uint64_t id);
gc_status gc_pool_get_memory(const gc_pool *pool, gc_pool_memory *memory_out);
gc_status gc_pool_trim(const gc_pool *pool);
gc_status gc_pool_allocate_on_stream(const gc_pool *pool, const gc_stream *stream, size_t size, gc_buffer **buffer_out);
gc_status gc_buffer_destroy_on_stream(gc_buffer *buffer, const gc_stream *stream);
gc_status gc_stream_begin_capture_with_pool(const gc_stream *stream, gc_capture_mode mode, const gc_pool *pool);
gc_status gc_stream_end_capture_with_pool(const gc_stream *stream, const gc_pool *pool, gc_graph **graph_out);
gc_status gc_graph_exec_pool(const gc_graph_exec *exec, gc_pool **pool_out);
gc_status gc_graph_exec_has_pool(const gc_graph_exec *exec, int32_t *has_pool_out);
gc_status gc_graph_exec_pool_buffer_count(const gc_graph_exec *exec, size_t *count_out);

/* Allocators of PyTorch and RMM */
gc_status gc_pool_bind(const gc_pool *pool, int32_t device);
gc_status gc_pool_unbind(int32_t device);
void *gc_pool_torch_allocate(ptrdiff_t size, int32_t device, void *stream);
void gc_pool_torch_free(void *address, ptrdiff_t size, int32_t device, void *stream);
void gc_pool_torch_record_stream(void *address, void *stream);
void *gc_pool_rmm_allocate(size_t size, void *stream, void *user_data);
void gc_pool_rmm_free(void *address, size_t size, void *stream, void *user_data);

/* Scalars and random numbers */
enum {
    GRAPHCAP_SCALAR_I32 = 1,
    GRAPHCAP_SCALAR_U32 = 2,
    GRAPHCAP_SCALAR_I64 = 3,
    GRAPHCAP_SCALAR_U64 = 4,
    GRAPHCAP_SCALAR_F32 = 5,
    GRAPHCAP_SCALAR_F64 = 6,
    GRAPHCAP_RNG_REPEAT = 1,
    GRAPHCAP_TORCH_STATE_24 = 24,
    GRAPHCAP_TORCH_STATE_32 = 32
};
struct gc_rng_uniform_params {
    uint32_t struct_size;
    uint32_t flags;
    const gc_rng *rng;
    const gc_buffer *buffer;
    size_t offset;
    size_t count;
    uint64_t first;
};
gc_status gc_scalar_create(const gc_stream *stream, uint32_t scalar_type, const void *initial, gc_scalar **scalar_out);
gc_status gc_scalar_create_block(const gc_stream *stream, const uint32_t *types, const void *const *initial,
    size_t count, gc_scalar **scalars_out);
gc_status gc_scalar_update(const gc_scalar *scalar, const gc_stream *stream, uint32_t scalar_type, const void *value);
gc_status gc_scalar_update_many(const gc_stream *stream, const gc_scalar *const *scalars, const uint32_t *types,
    const void *const *values, size_t count);
gc_status gc_scalar_read(const gc_scalar *scalar, const gc_stream *stream, uint32_t scalar_type, void *value_out);
gc_status gc_scalar_destroy(gc_scalar *scalar);
gc_status gc_scalar_type(const gc_scalar *scalar, uint32_t *type_out);
gc_status gc_scalar_address(const gc_scalar *scalar, uint64_t *address_out);
gc_status gc_scalar_buffer(const gc_scalar *scalar, gc_buffer **buffer_out, size_t *offset_out);
gc_status gc_rng_create(const gc_stream *stream, uint64_t seed, uint64_t subsequence, gc_rng **rng_out);
gc_status gc_rng_torch_state(const gc_rng *rng, const gc_stream *stream, uint32_t layout, uint64_t increment,
    uint64_t *state_out);
gc_status gc_rng_set_seed(const gc_rng *rng, const gc_stream *stream, uint64_t seed);
gc_status gc_rng_get_seed(const gc_rng *rng, const gc_stream *stream, uint64_t *seed_out);
gc_status gc_rng_set_offset(const gc_rng *rng, const gc_stream *stream, uint64_t offset);
gc_status gc_rng_get_offset(const gc_rng *rng, const gc_stream *stream, uint64_t *offset_out);
gc_status gc_rng_subsequence(const gc_rng *rng, uint64_t *subsequence_out);
gc_status gc_rng_destroy(gc_rng *rng);

/* Ops and scripts */
enum {
    GRAPHCAP_MATH_FLOAT32 = 0,
    GRAPHCAP_MATH_TF32 = 1,
    GRAPHCAP_FFT_DIRECTION_R2C = 0,
    GRAPHCAP_FFT_DIRECTION_C2R = 1
};
typedef gc_status (*gc_op_record_fn)(const gc_record_context *context, void *user_data);
typedef gc_status (*gc_op_prepare_fn)(const gc_context *context, void *user_data);
typedef const char *(*gc_op_name_fn)(void *user_data);
typedef struct gc_op_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    gc_op_record_fn record;
    gc_op_prepare_fn prepare;
    gc_op_name_fn name;
    gc_destroy_fn destroy;
} gc_op_vtable;
struct gc_sgemm_params {
    uint32_t struct_size;
    uint32_t math_mode;
    uint64_t m;
    uint64_t n;
    uint64_t k;
    uint32_t transpose_a;
    uint32_t transpose_b;
    const gc_buffer *a;
    size_t a_offset;
    uint64_t lda;
    uint64_t stride_a;
    const gc_buffer *b;
    size_t b_offset;
    uint64_t ldb;
    uint64_t stride_b;
    const gc_buffer *c;
    size_t c_offset;
    uint64_t ldc;
    uint64_t stride_c;
    float alpha;
    float beta;
    const gc_scalar *alpha_scalar;
    const gc_scalar *beta_scalar;
    uint64_t batch_count;
    uint64_t workspace_bytes;
};
typedef struct gc_fft_plan_params {
    uint32_t struct_size;
    uint32_t direction;
    uint64_t length;
    uint64_t batch_count;
    uint64_t input_distance;
    uint64_t output_distance;
} gc_fft_plan_params;
struct gc_fft_params {
    uint32_t struct_size;
    uint32_t reserved;
    const gc_fft_plan *plan;
    const gc_fft_plan_params *plan_params;
    const gc_buffer *input;
    size_t input_offset;
    const gc_buffer *output;
    size_t output_offset;
};
typedef struct gc_script_failure {
    uint32_t struct_size;
    gc_status status;
    uint32_t has_op;
    uint32_t reserved;
    size_t op_index;
    char op_name[64];
} gc_script_failure;
gc_status gc_record_context_stream(const gc_record_context *context, const gc_stream **stream_out);
gc_status gc_record_context_graph(const gc_record_context *context, gc_graph **graph_out);
gc_status gc_record_context_pool(const gc_record_context *context, gc_pool **pool_out);
gc_status gc_callback_set_message(const char *text);
gc_status gc_fft_plan_create(const gc_context *context, const gc_fft_plan_params *params, gc_fft_plan **plan_out);
gc_status gc_fft_plan_destroy(gc_fft_plan *plan);
gc_status gc_script_create(const gc_context *context, gc_script **script_out);
gc_status gc_script_push_op(const gc_script *script, const gc_op_vtable *vtable, void *user_data);
gc_status gc_script_prepare(const gc_script *script, gc_script_failure *failure_out);
gc_status gc_script_record(const gc_script *script, const gc_stream *stream, gc_capture_mode mode,
    gc_script_failure *failure_out, gc_graph **graph_out);
gc_status gc_script_submit(const gc_script *script, const gc_stream *stream, gc_script_failure *failure_out);
gc_status gc_script_destroy(gc_script *script);
gc_status gc_script_push(const gc_script *script, const gc_work *work);

/* Actors and futures */
enum {
    GRAPHCAP_ACTOR_COMPLETION_EVENT = 0,
    GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION = 1,
    GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE = 2,
    GRAPHCAP_ACTOR_REFUSE_WHEN_FULL = 1
};
typedef struct gc_actor_options {
    uint32_t struct_size;
    uint32_t completion;
    size_t mailbox_capacity;
    uint64_t post_timeout_ns;
    uint32_t flags;
    uint32_t reserved;
    uint64_t stall_limit_ns;
} gc_actor_options;
typedef void (*gc_future_fn)(const gc_future *future, void *user_data);
gc_status gc_actor_create(const gc_context *context, const gc_actor_options *options, gc_actor **actor_out);
gc_status gc_actor_destroy(gc_actor *actor);
gc_status gc_actor_record(const gc_actor *actor, const gc_script *script, gc_capture_mode mode, uint32_t flags,
    gc_future **future_out);
gc_status gc_actor_adopt(const gc_actor *actor, const gc_graph *graph, uint32_t flags, gc_future **future_out);
gc_status gc_actor_launch(const gc_actor *actor, const gc_graph_exec *exec, gc_future **future_out);
gc_status gc_actor_update(const gc_actor *actor, const gc_graph_exec *exec, const gc_graph *graph,
    gc_future **future_out);
gc_status gc_actor_set_fft_plan(const gc_actor *actor, const gc_graph_exec *exec, size_t op_index,
    const gc_fft_plan *plan, gc_future **future_out);
gc_status gc_actor_export_dot(const gc_actor *actor, const gc_graph_exec *exec, uint32_t flags, gc_future **future_out);
gc_status gc_actor_close(const gc_actor *actor, uint64_t nanoseconds);
gc_status gc_actor_event_fd(const gc_actor *actor, int32_t *fd_out);
gc_status gc_actor_next_completed(const gc_actor *actor, gc_future **future_out);
gc_status gc_future_poll(const gc_future *future, uint32_t *is_done_out);
gc_status gc_future_wait(const gc_future *future, uint64_t nanoseconds, gc_script_failure *failure_out);
gc_status gc_future_on_done(const gc_future *future, gc_future_fn function, void *user_data, gc_destroy_fn destroy);
gc_status gc_future_stall_report(const gc_future *future, gc_graph_exec_progress_info *progress_out, char *text,
    size_t capacity, size_t *needed);
gc_status gc_future_on_stall(const gc_future *future, gc_future_fn function, void *user_data, gc_destroy_fn destroy);
gc_status gc_future_take_exec(const gc_future *future, gc_graph_exec **exec_out);
gc_status gc_future_text(const gc_future *future, char *text, size_t capacity, size_t *needed);
gc_status gc_future_event_fd(const gc_future *future, int32_t *fd_out);
gc_status gc_future_destroy(gc_future *future);

/* Optimising and verifying */
enum {
    GRAPHCAP_STATEMENT_EACH_WORD = 4294967295,
    GRAPHCAP_OPTIMIZE_SHAPE_ONLY = 1,
    GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS = 2,
    GRAPHCAP_OPTIMIZE_MEASURE = 4,
    GRAPHCAP_OPTIMIZE_MEASURE_SINGLE = 8,
    GRAPHCAP_OPTIMIZE_UNOBSERVED = 16,
    GRAPHCAP_OPTIMIZE_OBSERVE = 32,
    GRAPHCAP_OPTIMIZE_CANDIDATES = 8,
    GRAPHCAP_OPTIMIZE_IN_PLACE = 512,
    GRAPHCAP_OPTIMIZE_MAX_LANES = 256,
    GRAPHCAP_OPTIMIZE_EDGES_RECORDED = 0,
    GRAPHCAP_OPTIMIZE_EDGES_LANES = 1,
    GRAPHCAP_OPTIMIZE_EDGES_NEEDED = 2,
    GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_KERNEL = 1,
    GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_ARGUMENTS = 2,
    GRAPHCAP_OPTIMIZE_REASON_UNRESOLVED = 3,
    GRAPHCAP_OPTIMIZE_REASON_UNSTATED = 4,
    GRAPHCAP_OPTIMIZE_REASON_SEEN_OUTSIDE = 5,
    GRAPHCAP_OPTIMIZE_REASON_COOPERATIVE = 6,
    GRAPHCAP_OPTIMIZE_REASON_NODE_KIND = 7,
    GRAPHCAP_OPTIMIZE_REASON_EDGE = 8,
    GRAPHCAP_OPTIMIZE_REASON_CONDITION = 9,
    GRAPHCAP_OPTIMIZE_REASON_CONFLICT = 10,
    GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE = 11,
    GRAPHCAP_VERIFY_TRUST_PARAMETERS = 1,
    GRAPHCAP_VERIFY_UNOBSERVED = 2,
    GRAPHCAP_VERIFY_OBSERVE = 4,
    GRAPHCAP_PERMIT_HOST_FUNCTIONS = 1,
    GRAPHCAP_PERMIT_EVENTS = 2,
    GRAPHCAP_PERMIT_VALUES = 4,
    GRAPHCAP_PERMIT_OTHER_DEVICES = 8,
    GRAPHCAP_VERIFY_NOTHING = 0,
    GRAPHCAP_VERIFY_UNDECLARED = 1,
    GRAPHCAP_VERIFY_BOTH_WRITE = 2,
    GRAPHCAP_VERIFY_ORDER = 3,
    GRAPHCAP_VERIFY_LANES = 4,
    GRAPHCAP_VERIFY_RECORDED = 5,
    GRAPHCAP_SEVERITY_NOTE = 1,
    GRAPHCAP_SEVERITY_WARNING = 2,
    GRAPHCAP_SEVERITY_ERROR = 3,
    GRAPHCAP_FINDING_MEMORY_GONE = 1,
    GRAPHCAP_FINDING_MEMORY_EXCHANGED = 2,
    GRAPHCAP_FINDING_OVERRUN = 3,
    GRAPHCAP_FINDING_UNORDERED = 4,
    GRAPHCAP_FINDING_SHARED_WORKSPACE = 5,
    GRAPHCAP_FINDING_HOST_MEMORY = 6,
    GRAPHCAP_FINDING_CONDITION_UNSET = 7,
    GRAPHCAP_FINDING_NOT_FREED = 8,
    GRAPHCAP_FINDING_EVENT_REUSED = 9,
    GRAPHCAP_FINDING_UNREAD = 10,
    GRAPHCAP_FINDING_OVERWRITTEN = 11,
    GRAPHCAP_STEP_SUMMARIZE = 1,
    GRAPHCAP_STEP_WATCH_ALL = 2,
    GRAPHCAP_STEP_SKIP = 4,
    GRAPHCAP_STEP_KEEP = 8,
    GRAPHCAP_ELEMENT_BYTES = 0,
    GRAPHCAP_ELEMENT_F32 = 1,
    GRAPHCAP_ELEMENT_F16 = 2,
    GRAPHCAP_ELEMENT_BF16 = 3,
    GRAPHCAP_ELEMENT_F64 = 4,
    GRAPHCAP_FINDING_NOT_FINITE = 32,
    GRAPHCAP_FINDING_UNDECLARED = 33,
    GRAPHCAP_FINDING_DIFFERS = 34,
    GRAPHCAP_FINDING_NOT_WATCHED = 35,
    GRAPHCAP_FINDING_UNWRITTEN = 36,
    GRAPHCAP_MEMORY_SCRATCH = 1,
    GRAPHCAP_FINDING_MAKES_BAD = 64,
    GRAPHCAP_FINDING_GOOD_WITHOUT = 65,
    GRAPHCAP_FINDING_EDGE_MISSING = 66,
    GRAPHCAP_BISECT_GOOD = 0,
    GRAPHCAP_BISECT_NODES = 1,
    GRAPHCAP_BISECT_WITHOUT = 2,
    GRAPHCAP_BISECT_ORDER = 3,
    GRAPHCAP_BISECT_UNKNOWN = 4
};
typedef struct gc_kernel_statement {
    const char *kernel;
    uint32_t parameter;
    uint32_t offset;
    uint32_t access;
    uint32_t reserved;
} gc_kernel_statement;
typedef struct gc_optimize_options {
    uint32_t struct_size;
    uint32_t flags;
    uint32_t lanes;
    uint32_t permits;
    uint64_t max_bytes;
    const gc_kernel_statement *statements;
    uint64_t statement_count;
} gc_optimize_options;
typedef int32_t gc_optimize_edges;
typedef struct gc_optimize_candidate {
    gc_optimize_edges edges;
    uint32_t lanes;
    uint64_t added_node_count;
    uint64_t pipelined_ns;
    uint64_t single_ns;
    uint64_t launch_ns;
} gc_optimize_candidate;
typedef struct gc_optimize_report {
    uint32_t struct_size;
    gc_optimize_edges edges;
    uint32_t lanes;
    uint32_t candidate_count;
    uint64_t node_count;
    uint64_t added_node_count;
    uint64_t edges_before;
    uint64_t edges_after;
    uint64_t path_before;
    uint64_t path_after;
    uint64_t barrier_count;
    uint32_t chosen_candidate;
    uint32_t reserved;
    gc_optimize_candidate candidates[8];
    uint64_t inner_graph_count;
    uint64_t inner_changed_count;
    uint64_t observed_count;
} gc_optimize_report;
typedef int32_t gc_optimize_reason_kind;
typedef struct gc_optimize_reason {
    gc_optimize_reason_kind kind;
    uint32_t parameter;
    gc_node node;
    gc_node earlier;
    uint64_t address;
    uint64_t bytes;
    uint32_t earlier_writes;
    uint32_t later_writes;
    uint64_t count;
} gc_optimize_reason;
typedef int32_t (*gc_verify_progress_fn)(uint64_t done, uint64_t total, void *user_data);
typedef void (*gc_verify_text_fn)(const char *text, void *user_data);
typedef struct gc_verify_options {
    uint32_t struct_size;
    uint32_t flags;
    uint32_t permits;
    uint32_t orders;
    uint64_t max_bytes;
    uint64_t seed;
    gc_verify_progress_fn progress;
    gc_verify_text_fn text;
    void *user_data;
    const gc_kernel_statement *statements;
    uint64_t statement_count;
} gc_verify_options;
typedef int32_t gc_verify_finding;
typedef struct gc_verify_report {
    uint32_t struct_size;
    gc_verify_finding finding;
    gc_node first;
    gc_node second;
    uint64_t address;
    uint64_t finding_count;
    uint32_t stopped;
    uint32_t lanes;
    uint64_t node_count;
    uint64_t replay_count;
    uint64_t order_count;
    uint64_t pair_count;
    uint64_t pairs_tried;
    uint64_t bytes_compared;
    uint64_t bytes_excluded;
    uint64_t bytes_unwatched;
} gc_verify_report;
typedef int32_t gc_severity;
typedef int32_t gc_finding_kind;
typedef struct gc_finding {
    gc_finding_kind kind;
    gc_severity severity;
    gc_node node;
    gc_node other;
    uint64_t address;
    uint64_t bytes;
    uint64_t beyond;
    gc_address_place place;
    uint32_t index;
    uint32_t offset;
    uint32_t value;
} gc_finding;
typedef uint32_t gc_element;
typedef struct gc_typed_memory {
    uint64_t address;
    uint64_t bytes;
    gc_element element;
    uint32_t flags;
} gc_typed_memory;
typedef struct gc_step {
    uint32_t struct_size;
    uint32_t has_run;
    gc_node node;
    uint64_t index;
    uint64_t count;
    uint64_t bytes;
    uint64_t hash;
    uint64_t floats;
    uint64_t nans;
    uint64_t infinities;
    double least;
    double greatest;
    double mean;
} gc_step;
typedef int32_t (*gc_step_fn)(const gc_step *step, void *user_data);
typedef void (*gc_step_text_fn)(const char *text, void *user_data);
typedef struct gc_step_options {
    uint32_t struct_size;
    uint32_t flags;
    uint32_t permits;
    uint32_t memory_count;
    gc_node first;
    gc_node last;
    uint64_t max_bytes;
    gc_step_fn each;
    gc_step_text_fn text;
    void *user_data;
    const gc_typed_memory *memory;
    const uint64_t *hashes;
    uint64_t hash_count;
    const gc_kernel_statement *statements;
    uint64_t statement_count;
} gc_step_options;
typedef struct gc_step_report {
    uint32_t struct_size;
    uint32_t stopped;
    uint64_t node_count;
    uint64_t run_count;
    uint64_t together_count;
    uint64_t finding_count;
    uint64_t bytes_saved;
    uint64_t bytes_unwatched;
    uint64_t time_ns;
} gc_step_report;
typedef int32_t gc_bisect_outcome;
typedef int32_t (*gc_is_good_fn)(uint64_t replay, uint64_t max_replays, void *user_data);
typedef struct gc_bisect_options {
    uint32_t struct_size;
    uint32_t permits;
    uint32_t repeats;
    uint32_t max_replays;
    uint64_t max_bytes;
    gc_step_text_fn text;
    const gc_kernel_statement *statements;
    uint64_t statement_count;
} gc_bisect_options;
typedef struct gc_bisect_report {
    uint32_t struct_size;
    gc_bisect_outcome outcome;
    uint32_t stopped;
    uint32_t confirmed;
    uint32_t recorded_count;
    uint32_t recorded_bad;
    uint64_t node_count;
    uint64_t always_on_count;
    uint64_t replay_count;
    uint64_t finding_count;
    uint64_t bytes_saved;
    uint64_t unknown_count;
} gc_bisect_report;
gc_status gc_graph_optimize(const gc_graph *graph, const gc_optimize_options *options, gc_graph **graph_out,
    gc_plan **plan_out, gc_optimize_report *report_out);
gc_status gc_graph_optimize_text(const gc_graph *graph, const gc_optimize_options *options, char *text, size_t capacity,
    size_t *needed);
gc_status gc_graph_optimize_reasons(const gc_graph *graph, const gc_optimize_options *options,
    gc_optimize_reason *reasons_out, size_t capacity, size_t *needed);
gc_status gc_plan_apply(const gc_plan *plan, const gc_graph *graph, uint32_t flags, gc_graph **graph_out,
    gc_optimize_report *report_out);
gc_status gc_plan_destroy(gc_plan *plan);
gc_status gc_graph_verify(const gc_graph *graph, const gc_verify_options *options, gc_verify_report *report_out);
gc_status gc_graph_check(const gc_graph *graph, gc_severity least, gc_finding *findings_out, size_t capacity,
    size_t *needed);
gc_status gc_graph_check_text(const gc_graph *graph, gc_severity least, char *text, size_t capacity, size_t *needed);
gc_status gc_graph_check_json(const gc_graph *graph, gc_severity least, char *text, size_t capacity, size_t *needed);
gc_status gc_graph_exec_check_findings(const gc_graph_exec *exec, gc_severity least, gc_finding *findings_out,
    size_t capacity, size_t *needed);
gc_status gc_graph_exec_check_text(const gc_graph_exec *exec, gc_severity least, char *text, size_t capacity,
    size_t *needed);
gc_status gc_graph_exec_check_json(const gc_graph_exec *exec, gc_severity least, char *text, size_t capacity,
    size_t *needed);
gc_status gc_graph_step(const gc_graph *graph, const gc_step_options *options, gc_finding *findings_out,
    size_t capacity, gc_step_report *report_out);
gc_status gc_graph_bisect(const gc_graph *graph, const gc_bisect_options *options, gc_is_good_fn is_good,
    void *user_data, gc_finding *findings_out, size_t capacity, gc_bisect_report *report_out);

/* Native handles */
gc_status gc_object_native(const void *object, void **native_out);
gc_status gc_node_native(const gc_graph *graph, gc_node node, void **native_out);
gc_status gc_record_context_native_blas(const gc_record_context *context, void **native_out);
gc_status gc_record_context_native_rand(const gc_record_context *context, void **native_out);
