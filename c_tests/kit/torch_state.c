/* States for kernels that were written for PyTorch: what such a kernel finds at each replay, beside fills, in branches and in
 * bodies; what is refused. */
#include "../graph/nodes.h"
#include "torch_state_ptx.h"

enum { SEED = 42 };

static struct rig rig;
static gc_rng *rng;
static gc_module *module;
static gc_buffer *seen;

/* What at::cuda::philox::unpack() makes of the 32 bytes, and of the 24. */
static int32_t torch_wide(const gc_host_block *block, const void *const *arguments) {
    uint64_t words[4], *out;
    (void)block;
    memcpy(words, arguments[0], 32);
    memcpy(&out, arguments[1], sizeof out);
    if ((words[3] & 0xff) != 1)
        return 1;
    out[0] = *(const uint64_t *)(uintptr_t)words[0];
    out[1] = *(const uint64_t *)(uintptr_t)words[1] + words[2];
    return 0;
}

static int32_t torch_narrow(const gc_host_block *block, const void *const *arguments) {
    uint64_t words[3], *out;
    (void)block;
    memcpy(words, arguments[0], 24);
    memcpy(&out, arguments[1], sizeof out);
    if ((words[2] >> 32 & 0xff) != 1)
        return 1;
    out[0] = *(const uint64_t *)(uintptr_t)words[0];
    out[1] = *(const uint64_t *)(uintptr_t)words[1] + (uint32_t)words[2];
    return 0;
}

static gc_module *load(void) {
    static const size_t wide[] = {32, sizeof(void *)}, narrow[] = {24, sizeof(void *)};
    static const gc_host_kernel kernels[] = {{(uint32_t)sizeof(gc_host_kernel), 0, "torch_wide", torch_wide, wide, 2, NULL, 0},
                                             {(uint32_t)sizeof(gc_host_kernel), 0, "torch_narrow", torch_narrow, narrow, 2, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *loaded = NULL;
    description.image = torch_state_ptx;
    description.image_size = sizeof torch_state_ptx;
    description.host_kernels = kernels;
    description.host_kernel_count = LENGTH_OF(kernels);
    REQUIRE_OK(gc_module_load(rig.context, &description, &loaded));
    return loaded;
}

/* Records a kernel that draws `increment` numbers, and tells at `place` of `seen` what it finds. */
static void draw(const gc_stream *stream, uint32_t layout, uint64_t increment, unsigned place) {
    uint64_t state[4];
    gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_kernel *kernel = get_kernel(module, layout == GRAPHCAP_TORCH_STATE_32 ? "torch_wide" : "torch_narrow");
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(state), GRAPHCAP_ARG_INIT_BUFFER_AT(seen, 16 * place)};
    arguments[0].value_size = layout;
    REQUIRE_OK(gc_rng_torch_state(rng, stream, layout, increment, state));
    CHECK_OK(gc_stream_launch_kernel(stream, kernel, &one, arguments, 2));
    CHECK_OK(gc_kernel_destroy(kernel));
}

static void fill(const gc_stream *stream, size_t count) {
    gc_rng_uniform_params params = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    params.rng = rng;
    params.buffer = seen;
    params.offset = 256;
    params.count = count;
    CHECK_OK(gc_stream_fill_uniform(stream, &params));
}

/* Whether the kernel at `place` found the seed and this offset. */
static int found(unsigned place, uint64_t seed, uint64_t offset) {
    uint64_t words[2];
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, words, seen, 16 * place, sizeof words));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    return words[0] == seed && words[1] == offset;
}

static gc_graph_exec *end_capture(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    return exec;
}

static void each_replay_has_the_next_offset(void) {
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    gc_graph_exec *exec;
    uint64_t replay, first = 0;
    REQUIRE_OK(gc_rng_create(rig.stream, SEED, 9, &rng));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, event, 0));
    draw(rig.stream, GRAPHCAP_TORCH_STATE_32, 5, 0); /* 8 */
    fill(side, 3);
    draw(side, GRAPHCAP_TORCH_STATE_24, 4, 1);
    draw(rig.stream, GRAPHCAP_TORCH_STATE_32, UINT64_C(1) << 33, 2);
    CHECK_OK(gc_event_record(event, side, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, event, 0));
    exec = end_capture();
    for (replay = 0; replay < 20; replay++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK(found(0, SEED, first) && found(1, SEED, first + 11) && found(2, SEED, first + 15));
        first += 15 + (UINT64_C(1) << 33);
    }
    CHECK_OK(gc_rng_set_seed(rng, rig.stream, 7));
    CHECK_OK(gc_rng_set_offset(rng, rig.stream, 100));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(found(0, 7, 100) && found(1, 7, 111));
    /* The graph keeps what the states point to. */
    CHECK_OK(gc_rng_destroy(rng));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(found(0, 7, 115 + (UINT64_C(1) << 33)));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(side));
}

static void wrong_states_are_refused(void) {
    uint64_t state[4] = {1, 1, 1, 1};
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_rng_create(rig.stream, SEED, 0, &rng));
    CHECK_MESSAGE(gc_rng_torch_state(rng, rig.stream, GRAPHCAP_TORCH_STATE_32, 4, state), GRAPHCAP_ERROR_ILLEGAL_STATE,
                  "begin a capture");
    CHECK(state[0] == 0 && state[1] == 0 && state[2] == 0 && state[3] == 0);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_MESSAGE(gc_rng_torch_state(rng, rig.stream, 28, 4, state), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_TORCH_STATE_24");
    CHECK_MESSAGE(gc_rng_torch_state(rng, rig.stream, GRAPHCAP_TORCH_STATE_32, 0, state), GRAPHCAP_ERROR_INVALID_VALUE,
                  "0 numbers");
    CHECK_STATUS(gc_rng_torch_state(rng, rig.stream, GRAPHCAP_TORCH_STATE_32, UINT64_MAX, state), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_rng_torch_state(rng, rig.stream, GRAPHCAP_TORCH_STATE_24, UINT64_C(1) << 33, state));
    CHECK_MESSAGE(gc_rng_torch_state(rng, rig.stream, GRAPHCAP_TORCH_STATE_24, 4, state), GRAPHCAP_ERROR_INVALID_VALUE,
                  "32 bytes");
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_rng_destroy(rng));
}

int main(void) {
    rig_open(&rig);
    module = load();
    seen = open_buffer(rig.context, 512);
    RUN(each_replay_has_the_next_offset);
    RUN(wrong_states_are_refused);
    CHECK_OK(gc_buffer_destroy(seen));
    CHECK_OK(gc_module_destroy(module));
    rig_close(&rig);
    return check_finish();
}
