/* A driver that lacks one function, each of those that graphcap looks up in turn: the calls that need it answer 801 and
 * name it and the version that it came with, all others work, and nothing crashes or hangs. */
#include "harness.h"

static char lacked[64];
static unsigned refused, worked;

static void check_step(const char *call, gc_status status, int depends) {
    const char *message = status == GRAPHCAP_SUCCESS ? "" : last_message();
    int names = status == GRAPHCAP_ERROR_NOT_SUPPORTED && check_contains(message, lacked) &&
                check_contains(message, "CUDA 12.0");
    worked += status == GRAPHCAP_SUCCESS;
    refused += names;
    /* What follows from a call that was refused lacks what that was to make. */
    if (check_failed(status == GRAPHCAP_SUCCESS || names || (depends && status != GRAPHCAP_ERROR_PANIC)))
        fprintf(stderr, "without %s %s gave %d: %s\n", lacked, call, (int)status, message);
}

#define STEP(call) check_step(#call, (call), refused > 0)

static gc_status batch(const gc_stream *stream, const gc_buffer *buffer) {
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 32, 1, 0);
    return gc_stream_batch_mem_op(stream, &operation, 1, 0);
}

/* A bit of everything. */
static void use_everything(void) {
    gc_module_description description = test_module();
    gc_context *context = NULL, *elsewhere = NULL;
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    gc_stream *stream = NULL, *wrapped = NULL, *special = NULL;
    gc_event *event = NULL, *other = NULL, *shared = NULL, *opened = NULL;
    gc_event_options event_options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_stream_attribute_value attribute;
    gc_ipc_handle handle;
    int32_t least = 0, greatest = 0;
    uint32_t flags = 0;
    gc_buffer *buffer = NULL, *waitable = NULL, *managed = NULL, *adopted = NULL, *lent = NULL;
    gc_host_buffer *pinned = NULL, *registered = NULL;
    gc_memset_params rows = GRAPHCAP_MEMSET_INIT(NULL, 0, 1, 1, 4, 2, 8);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_PARAMS_INIT;
    gc_graph *graph = NULL, *empty = NULL;
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_GLOBAL;
    gc_node nodes[4] = {0};
    gc_graph_exec *exec = NULL;
    void *native = NULL;
    uint64_t address = 0;
    size_t number = 0;
    int32_t complete = 0;
    float milliseconds = 0;
    unsigned calls = 0;
    static char text[4096];
    static uint32_t memory[16];
    uint32_t words[4] = {0};
    gc_launch_attribute cluster;
    gc_launch_config clusters = GRAPHCAP_LAUNCH_CONFIG(2, 32);
    gc_launch_attribute_init_dimensions(&cluster, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 1, 1);
    clusters.attributes = &cluster;
    clusters.attribute_count = 1;
    event_options.flags = GRAPHCAP_EVENT_INTERPROCESS | GRAPHCAP_EVENT_DISABLE_TIMING;
    memset(&attribute, 0, sizeof attribute);
    memset(&handle, 0, sizeof handle);
    STEP(gc_context_create(NULL, &context));
    STEP(gc_module_load(context, &description, &module));
    STEP(gc_module_get_kernel(module, "nothing", &kernel));
    STEP(gc_stream_create(context, NULL, &stream));
    STEP(gc_stream_native(stream, &native));
    if (native != NULL)
        STEP(gc_stream_wrap(context, native, &wrapped));
    STEP(gc_context_per_thread_stream(context, &special));
    STEP(gc_event_create(context, NULL, &event));
    STEP(gc_event_create(context, NULL, &other));
    STEP(gc_buffer_allocate(context, 64, &buffer));
    STEP(gc_buffer_allocate_waitable(context, 64, &waitable));
    STEP(gc_buffer_allocate_managed(context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &managed));
    STEP(gc_stream_attach_mem_async(stream, managed, GRAPHCAP_MEM_ATTACH_SINGLE));
    if (buffer != NULL && gc_buffer_address(buffer, &address) == GRAPHCAP_SUCCESS)
        STEP(gc_buffer_wrap(context, (void *)(uintptr_t)address, 64, NULL, NULL, &adopted));
    STEP(gc_event_record(event, stream, 0));
    STEP(gc_stream_memset(stream, buffer, 0, 1, 1, 4));
    STEP(gc_stream_memset(stream, buffer, 0, 1, 2, 4));
    /* All of it: what waits for a value below reads memory that the write before may not have reached. */
    STEP(gc_stream_memset(stream, waitable, 0, 1, 4, 16));
    STEP(gc_stream_memset(stream, buffer, 0, 1, 4, 16));
    STEP(gc_host_buffer_allocate(context, 64, GRAPHCAP_HOST_BUFFER_MAPPED, &pinned));
    STEP(gc_host_buffer_register(context, memory, sizeof memory, 0, NULL, NULL, &registered));
    rows.buffer = buffer;
    STEP(gc_stream_memset_2d(stream, &rows));
    rows.element_size = 2;
    STEP(gc_stream_memset_2d(stream, &rows));
    rows.element_size = 4;
    rows.pitch = 16;
    STEP(gc_stream_memset_2d(stream, &rows));
    copy.direction = GRAPHCAP_MEMCPY_DEVICE_TO_HOST;
    copy.source = buffer;
    copy.destination_host_buffer = registered;
    copy.size = 4;
    copy.height = 2;
    copy.source_pitch = 8;
    STEP(gc_context_memcpy(context, &copy));
    STEP(gc_stream_memcpy_htod(stream, buffer, 0, words, sizeof words));
    STEP(gc_context_create(NULL, &elsewhere));
    STEP(gc_buffer_allocate(elsewhere, 64, &lent));
    STEP(gc_stream_memcpy_peer(stream, lent, 0, buffer, 0, 64));
    STEP(gc_stream_memcpy_dtoh(stream, words, buffer, 0, sizeof words));
    STEP(gc_stream_memset(special, buffer, 0, 1, 4, 4));
    STEP(gc_stream_write_value32(stream, waitable, 32, 1, 0));
    STEP(gc_stream_write_value64(special, waitable, 40, 1, 0));
    STEP(gc_stream_wait_value32(stream, waitable, 32, 1, GRAPHCAP_WAIT_VALUE_NOR));
    STEP(gc_stream_wait_value64(special, waitable, 40, 1, GRAPHCAP_WAIT_VALUE_NOR));
    STEP(batch(stream, waitable));
    STEP(launch(stream, kernel, 1, 1, NULL, 0));
    STEP(gc_event_record(other, stream, 0));
    STEP(gc_stream_wait_event(wrapped, event, 0));
    STEP(gc_stream_is_complete(stream, &complete));
    STEP(gc_event_is_complete(event, &complete));
    STEP(gc_event_synchronize(event));
    STEP(gc_event_elapsed_time(event, other, &milliseconds));
    STEP(gc_event_synchronize_for(event, 0));
    STEP(gc_stream_synchronize_for(stream, 0));
    STEP(gc_context_stream_priority_range(context, &least, &greatest));
    STEP(gc_stream_flags(wrapped, &flags));
    STEP(gc_stream_priority(wrapped, &least));
    STEP(gc_stream_get_attribute(stream, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &attribute));
    STEP(gc_stream_set_attribute(stream, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &attribute));
    STEP(gc_stream_copy_attributes(stream, special));
    STEP(gc_event_create(context, &event_options, &shared));
    STEP(gc_event_ipc_handle(shared, &handle));
    STEP(gc_event_open_ipc_handle(context, &handle, &opened));
    STEP(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    STEP(gc_event_record(event, stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    STEP(launch(stream, kernel, 1, 1, NULL, 0));
    STEP(gc_stream_memcpy_dtod(stream, buffer, 0, buffer, 32, 16));
    STEP(gc_stream_memset(stream, adopted, 0, 1, 4, 4));
    STEP(gc_stream_launch_host_func(stream, count_call, &calls, NULL));
    STEP(gc_stream_capture_info(stream, &info));
    STEP(gc_stream_capture_frontier(stream, nodes, LENGTH_OF(nodes), &number));
    STEP(gc_stream_update_capture_dependencies(stream, nodes, NULL, number, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD));
    STEP(gc_stream_end_capture(stream, &graph));
    STEP(gc_graph_create(context, &empty));
    STEP(gc_kernel_get_attribute(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS, &least));
    STEP(gc_kernel_set_attribute(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT, 50));
    STEP(gc_kernel_max_active_blocks(kernel, 32, 0, &flags));
    STEP(gc_kernel_suggested_block_size(kernel, 0, 0, &flags, &flags));
    STEP(gc_kernel_available_shared_mem(kernel, 2, 32, &number));
    STEP(gc_kernel_max_active_clusters(kernel, &clusters, &flags));
    STEP(gc_kernel_max_cluster_size(kernel, &clusters, &flags));
    STEP(gc_stream_launch_kernel(stream, kernel, &clusters, NULL, 0));
    STEP(gc_graph_add_kernel_node(empty, NULL, 0, kernel, &clusters, NULL, 0, &nodes[0]));
    STEP(gc_node_get_attribute(empty, nodes[0], cluster.id, &cluster.value));
    STEP(gc_node_copy_attributes(empty, nodes[0], empty, nodes[0]));
    STEP(gc_thread_exchange_capture_mode(&mode));
    STEP(gc_graph_node_count(graph, &number));
    STEP(gc_graph_edge_count(graph, &number));
    STEP(gc_graph_export_dot(graph, 0, text, sizeof text, NULL));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_upload(exec, stream));
    STEP(gc_graph_launch(exec, stream));
    STEP(gc_stream_synchronize(stream));
    STEP(gc_context_synchronize(context));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(empty));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_host_buffer_destroy(registered));
    CHECK_OK(gc_buffer_destroy(lent));
    CHECK_OK(gc_context_destroy(elsewhere));
    CHECK_OK(gc_buffer_destroy(adopted));
    CHECK_OK(gc_buffer_destroy(waitable));
    CHECK_OK(gc_buffer_destroy(managed));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(opened));
    CHECK_OK(gc_event_destroy(shared));
    CHECK_OK(gc_event_destroy(other));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(special));
    CHECK_OK(gc_stream_destroy(wrapped));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    STEP(gc_context_collect(context));
    CHECK_OK(gc_context_destroy(context));
}

/* Writes the stand-in to `path` with the function `name` called otherwise, so that nobody finds it. */
static void write_without(const char *name, const char *path) {
    char whole[4096];
    static char bytes[1 << 22];
    char *at = bytes;
    size_t length, size = strlen(name) + 1, found = 0;
    FILE *file;
    path_beside("12.0/libcuda.so.1", whole, sizeof whole);
    file = fopen(whole, "rb");
    length = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (length == 0 || length == sizeof bytes)
        exit(EXIT_FAILURE);
    fclose(file);
    while ((at = (char *)memchr(at, name[0], length - (size_t)(at - bytes))) != NULL) {
        if (at > bytes && at[-1] == '\0' && (size_t)(at - bytes) + size <= length && memcmp(at, name, size) == 0) {
            *at = 'x';
            found++;
        }
        at++;
    }
    file = fopen(path, "wb");
    if (found == 0 || file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        exit(EXIT_FAILURE);
}

static void nothing_but_that_is_refused(void) {
    use_everything();
    /* Without one of these graphcap does as well, or what they are for cannot fail. */
    if (check_failed(refused > 0 || worked >= 61))
        fprintf(stderr, "without %s %u calls worked, and none said why others did not\n", lacked, worked);
}

static void try_without(const char *name) {
    char path[4096];
    gc_status status;
    uint32_t count = 0;
    snprintf(lacked, sizeof lacked, "%s", name);
    snprintf(path, sizeof path, "%s/graphcap-XXXXXX", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    close(mkstemp(path));
    write_without(name, path);
    use_library(path);
    status = gc_device_count(GRAPHCAP_DEVICE_CUDA, &count);
    unlink(path);
    /* Without these it is no driver. */
    if (strcmp(name, "cuInit") == 0 || strcmp(name, "cuDriverGetVersion") == 0) {
        CHECK(status == GRAPHCAP_ERROR_LIBRARY && check_contains(last_message(), name));
        check_tests++;
        return;
    }
    CHECK(status == GRAPHCAP_SUCCESS || strcmp(name, "cuDeviceGetCount") == 0);
    RUN(nothing_but_that_is_refused);
    /* Where the driver cannot give something back, what that used goes all the same: check_finish() does not look at that. */
    unsetenv("GRAPHCAP_CUDA_LIBRARY");
}

/* The names that the stand-in exports, which are those that graphcap looks up; under memcheck every sixth. Several at a time:
 * where graphcap cannot give back what it has, its end waits for that as long as it ever does. */
static void each_function_is_missing_once(void) {
    enum { AT_A_TIME = 4 };
    static char names[AT_A_TIME][64];
    pid_t children[AT_A_TIME] = {0};
    char path[4096], command[4200], name[64];
    unsigned found = 0, count = 0, i;
    FILE *exports;
    path_beside("12.0/libcuda.so.1", path, sizeof path);
    snprintf(command, sizeof command, "nm -D --defined-only '%s'", path);
    exports = popen(command, "r");
    while (exports != NULL && fscanf(exports, "%*s %*s %63s", name) == 1) {
        if (strncmp(name, "cu", 2) != 0 || (found++ % 6 != 0 && is_under_memcheck()))
            continue;
        i = count++ % AT_A_TIME;
        if (children[i] != 0)
            end_child(children[i], names[i]);
        memcpy(names[i], name, sizeof name);
        children[i] = start_child(try_without, names[i]);
    }
    for (i = 0; i < AT_A_TIME; i++)
        if (children[i] != 0)
            end_child(children[i], names[i]);
    CHECK(exports != NULL && pclose(exports) == 0 && found >= 50);
}

int main(void) {
    RUN(each_function_is_missing_once);
    return check_finish();
}
