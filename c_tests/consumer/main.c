/* A program as a user of graphcap would write it: captures a memset, a kernel and a copy, and replays them, on a GPU
 * where one works, else on the host device. It uses nothing but the installed header and library, and is built as C11
 * and, through main.cpp, as C++17. */

#include <graphcap.h>
#include <stdio.h>
#include <stdlib.h>

#define VALUES 1024u
#define THREADS 64u
#define REPLAYS 3

static void check(gc_status status, const char *call)
{
    if (status != GRAPHCAP_SUCCESS) {
        char message[512];
        gc_last_error_message(message, sizeof message, NULL);
        fprintf(stderr, "%s: %s: %s\n", call, gc_status_name(status), message);
        exit(1);
    }
}

#define CHECK(call) check((call), #call)

/* values[i] += i * factor, for the host device: one block of THREADS values per call. */
static int32_t add_ramp(const gc_host_block *block, const void *const *arguments)
{
    uint32_t *values = *(uint32_t *const *)arguments[0];
    uint32_t factor = *(const uint32_t *)arguments[1];
    uint32_t first = block->block_index[0] * block->block_dim[0];
    uint32_t i;
    for (i = first; i < first + block->block_dim[0]; ++i) {
        values[i] += i * factor;
    }
    return 0;
}

/* The same for a GPU: one value per thread. */
static const char add_ramp_ptx[] =
    ".version 6.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry add_ramp(.param .u64 values, .param .u32 factor)\n"
    "{\n"
    "    .reg .u32 %i, %block, %threads, %thread, %by, %value;\n"
    "    .reg .u64 %at;\n"
    "    ld.param.u64 %at, [values];\n"
    "    ld.param.u32 %by, [factor];\n"
    "    mov.u32 %block, %ctaid.x;\n"
    "    mov.u32 %threads, %ntid.x;\n"
    "    mov.u32 %thread, %tid.x;\n"
    "    mad.lo.u32 %i, %block, %threads, %thread;\n"
    "    mad.wide.u32 %at, %i, 4, %at;\n"
    "    ld.u32 %value, [%at];\n"
    "    mad.lo.u32 %value, %i, %by, %value;\n"
    "    st.u32 [%at], %value;\n"
    "    ret;\n"
    "}\n";

int main(void)
{
    static uint32_t result[VALUES];
    const size_t parameter_sizes[2] = {sizeof(void *), sizeof(uint32_t)};
    gc_host_kernel host_kernel = GRAPHCAP_HOST_KERNEL_INIT;
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(VALUES / THREADS, THREADS);
    gc_context *context = NULL;
    gc_stream *stream = NULL;
    gc_buffer *buffer = NULL;
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    size_t nodes = 0;
    uint32_t factor = 7;
    int replay;

    if (gc_version() != GRAPHCAP_VERSION_NUMBER) {
        fprintf(stderr, "header %s, library %s\n", GRAPHCAP_VERSION_STRING, gc_version_string());
        return 1;
    }

    CHECK(gc_context_create(NULL, &context));
    CHECK(gc_stream_create(context, NULL, &stream));
    CHECK(gc_buffer_allocate(context, sizeof result, &buffer));

    host_kernel.name = "add_ramp";
    host_kernel.function = add_ramp;
    host_kernel.parameter_sizes = parameter_sizes;
    host_kernel.parameter_count = 2;
    description.image = add_ramp_ptx;
    description.image_size = sizeof add_ramp_ptx;
    description.host_kernels = &host_kernel;
    description.host_kernel_count = 1;
    CHECK(gc_module_load(context, &description, &module));
    CHECK(gc_module_get_kernel(module, "add_ramp", &kernel));

    CHECK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK(gc_stream_memset(stream, buffer, 0, 5, sizeof(uint32_t), VALUES));
    {
        gc_kernel_arg arguments[2] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(factor)};
        CHECK(gc_stream_launch_kernel(stream, kernel, &config, arguments, 2));
    }
    CHECK(gc_stream_memcpy_dtoh(stream, result, buffer, 0, sizeof result));
    CHECK(gc_stream_end_capture(stream, &graph));
    CHECK(gc_graph_node_count(graph, &nodes));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));

    /* What the graph uses stays alive without these handles. */
    CHECK(gc_graph_destroy(graph));
    CHECK(gc_kernel_destroy(kernel));
    CHECK(gc_module_destroy(module));
    CHECK(gc_buffer_destroy(buffer));

    for (replay = 0; replay < REPLAYS; ++replay) {
        uint32_t i;
        for (i = 0; i < VALUES; ++i) {
            result[i] = 0;
        }
        CHECK(gc_graph_launch(exec, stream));
        CHECK(gc_stream_synchronize(stream));
        for (i = 0; i < VALUES; ++i) {
            if (result[i] != 5 + i * factor) {
                fprintf(stderr, "replay %d: value %u is %u, not %u\n", replay, i, result[i], 5 + i * factor);
                return 1;
            }
        }
    }

    CHECK(gc_graph_exec_destroy(exec));
    CHECK(gc_stream_destroy(stream));
    CHECK(gc_context_destroy(context));
    if (gc_live_handles() != 0) {
        fprintf(stderr, "%u handles are left\n", (unsigned)gc_live_handles());
        return 1;
    }
    printf("graphcap %s: %u nodes, %d replays, all right\n", gc_version_string(), (unsigned)nodes, REPLAYS);
    return 0;
}
