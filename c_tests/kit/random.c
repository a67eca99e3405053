/* Random numbers: known answers, what replays, branches, bodies and fills that are not recorded draw, bad input, and resets. */
#include "../graph/nodes.h"

enum { FLOATS = 1021, BRANCHES = 4 };

static struct rig rig;
static gc_rng *rng;
static float floats[BRANCHES * FLOATS];

static const uint64_t SEED = UINT64_C(0x299f31d0a4093822), SUBSEQUENCE = UINT64_C(0x0370734413198a2e);

/* Element `element` of a sequence, by the published algorithm. */
static float element_of(uint64_t seed, uint64_t subsequence, uint64_t element) {
    uint64_t counter[4], key[2], group = element / 4;
    int round;
    counter[0] = group & 0xffffffffu, counter[1] = group >> 32;
    counter[2] = subsequence & 0xffffffffu, counter[3] = subsequence >> 32;
    key[0] = seed & 0xffffffffu, key[1] = seed >> 32;
    for (round = 0; round < 10; round++) {
        const uint64_t even = 0xd2511f53u * counter[0], odd = 0xcd9e8d57u * counter[2];
        counter[0] = (odd >> 32) ^ counter[1] ^ key[0], counter[1] = odd & 0xffffffffu;
        counter[2] = (even >> 32) ^ counter[3] ^ key[1], counter[3] = even & 0xffffffffu;
        key[0] = (key[0] + 0x9e3779b9u) & 0xffffffffu, key[1] = (key[1] + 0xbb67ae85u) & 0xffffffffu;
    }
    return (float)(counter[element % 4] >> 8) / 16777216.0f;
}

static gc_rng_uniform_params filling(const gc_buffer *buffer, size_t count) {
    gc_rng_uniform_params params = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    params.rng = rng;
    params.buffer = buffer;
    params.count = count;
    return params;
}

static void fill(const gc_stream *stream, const gc_buffer *buffer, size_t count) {
    const gc_rng_uniform_params params = filling(buffer, count);
    CHECK_OK(gc_stream_fill_uniform(stream, &params));
}

static gc_buffer *open_floats(size_t count) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_allocate(rig.context, count * sizeof(float), &buffer));
    return buffer;
}

/* Whether the buffer has the elements from `first` on. */
static int has(const gc_buffer *buffer, uint64_t first, size_t count) {
    size_t i;
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, floats, buffer, 0, count * sizeof(float)));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < count; i++)
        if (floats[i] != element_of(SEED, SUBSEQUENCE, first + i))
            return 0;
    return 1;
}

static uint64_t offset(void) {
    uint64_t offset = 0;
    CHECK_OK(gc_rng_get_offset(rng, rig.stream, &offset));
    return offset;
}

static void open_rng(void) {
    REQUIRE_OK(gc_rng_create(rig.stream, SEED, SUBSEQUENCE, &rng));
}

static void close_rng(void) {
    CHECK_OK(gc_rng_destroy(rng));
}

/* Random123's vectors that a sequence can have: that of counter and key 0, which is also the test of element_of(). */
static void known_answers_hold(void) {
    gc_buffer *buffer = open_floats(4);
    uint64_t seed = 0, subsequence = 0;
    open_rng();
    /* Of a counter's lower half the highest two bits are 0, since element numbers have 64 bits. */
    CHECK_OK(gc_rng_set_offset(rng, rig.stream, UINT64_C(0x05a308d3243f6a88) * 4));
    fill(rig.stream, buffer, 4);
    CHECK(has(buffer, UINT64_C(0x05a308d3243f6a88) * 4, 4));
    CHECK_OK(gc_rng_set_seed(rng, rig.stream, 0));
    CHECK_OK(gc_rng_get_seed(rng, rig.stream, &seed));
    CHECK_OK(gc_rng_subsequence(rng, &subsequence));
    CHECK(seed == 0 && subsequence == SUBSEQUENCE && offset() == 0);
    close_rng();
    REQUIRE_OK(gc_rng_create(rig.stream, 0, 0, &rng));
    fill(rig.stream, buffer, 4);
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, floats, buffer, 0, 16));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(floats[0] == (float)(0x6627e8d5 >> 8) / 16777216.0f && floats[1] == (float)(0xe169c58d >> 8) / 16777216.0f);
    CHECK(floats[2] == (float)(0xbc57ac4c >> 8) / 16777216.0f && floats[3] == (float)(0x9b00dbd8 >> 8) / 16777216.0f);
    CHECK(floats[3] == element_of(0, 0, 3));
    close_rng();
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void replays_continue_one_sequence(void) {
    gc_buffer *buffer = open_floats(FLOATS), *all = open_floats(4 * FLOATS);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    uint64_t replay;
    open_rng();
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    fill(rig.stream, buffer, FLOATS);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    for (replay = 0; replay < 300; replay++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK(has(buffer, replay * FLOATS, FLOATS));
    }
    CHECK(offset() == 300 * FLOATS);
    CHECK_OK(gc_rng_set_offset(rng, rig.stream, 0));
    fill(rig.stream, all, 4 * FLOATS);
    CHECK(has(all, 0, 4 * FLOATS) && offset() == 4 * FLOATS);
    /* The exec keeps what it draws from. */
    close_rng();
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(has(buffer, 4 * FLOATS, FLOATS));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(all));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void branches_draw_fixed_numbers(void) {
    gc_buffer *buffers[BRANCHES];
    gc_stream *streams[BRANCHES];
    gc_event *event = open_event(rig.context);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    size_t nodes = 0, edges = 0;
    uint64_t replay;
    int i;
    open_rng();
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    for (i = 0; i < BRANCHES; i++) {
        streams[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        buffers[i] = open_floats(FLOATS);
        CHECK_OK(gc_stream_wait_event(streams[i], event, 0));
        fill(streams[i], buffers[i], FLOATS);
    }
    for (i = 0; i < BRANCHES; i++) {
        CHECK_OK(gc_event_record(event, streams[i], 0));
        CHECK_OK(gc_stream_wait_event(rig.stream, event, 0));
    }
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK_OK(gc_graph_edge_count(graph, &edges));
    CHECK(nodes == 1 + BRANCHES && edges == BRANCHES);
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    for (replay = 0; replay < 50; replay++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        for (i = 0; i < BRANCHES; i++)
            CHECK(has(buffers[i], (replay * BRANCHES + (uint64_t)i) * FLOATS, FLOATS));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(event));
    for (i = 0; i < BRANCHES; i++) {
        CHECK_OK(gc_stream_destroy(streams[i]));
        CHECK_OK(gc_buffer_destroy(buffers[i]));
    }
    close_rng();
}

static void scripts_draw_or_repeat(void) {
    gc_buffer *next = open_floats(9), *same = open_floats(9);
    gc_script *script = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_rng_uniform_params params;
    uint64_t replay;
    open_rng();
    REQUIRE_OK(gc_script_create(rig.context, &script));
    desc.kind = GRAPHCAP_WORK_RNG_UNIFORM;
    desc.rng_uniform_params = &params;
    params = filling(next, 8);
    params.offset = 4;
    CHECK_OK(gc_script_push(script, &desc));
    params = filling(same, 9);
    params.flags = GRAPHCAP_RNG_REPEAT;
    params.first = UINT64_C(1) << 40;
    CHECK_OK(gc_script_push(script, &desc));
    CHECK_OK(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_stream_memset(rig.stream, next, 0, 0, 4, 1));
    for (replay = 0; replay < 5; replay++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK(has(same, UINT64_C(1) << 40, 9));
        CHECK(!has(next, 8 * replay, 9) && floats[0] == 0.0f && floats[8] == element_of(SEED, SUBSEQUENCE, 8 * replay + 7));
    }
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    CHECK(has(same, UINT64_C(1) << 40, 9) && offset() == 48);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(same));
    CHECK_OK(gc_buffer_destroy(next));
    close_rng();
}

static void wrong_fills_are_refused(void) {
    gc_buffer *buffer = open_floats(8);
    gc_script *script = NULL;
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_rng_uniform_params params;
    gc_rng *other = NULL;
    gc_graph *graph = NULL;
    open_rng();
    params = filling(buffer, 9);
    CHECK_MESSAGE(gc_stream_fill_uniform(rig.stream, &params), GRAPHCAP_ERROR_INVALID_VALUE, "overrun");
    params = filling(buffer, 1);
    params.offset = 3;
    CHECK_MESSAGE(gc_stream_fill_uniform(rig.stream, &params), GRAPHCAP_ERROR_INVALID_VALUE, "no multiple of their 4 bytes");
    params = filling(buffer, 1);
    params.first = 1;
    CHECK_MESSAGE(gc_stream_fill_uniform(rig.stream, &params), GRAPHCAP_ERROR_INVALID_VALUE, "params.first");
    REQUIRE_OK(gc_script_create(rig.context, &script));
    desc.kind = GRAPHCAP_WORK_RNG_UNIFORM;
    CHECK_MESSAGE(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_VALUE, "work.rng_uniform_params");
    desc.kind = GRAPHCAP_WORK_MEMSET;
    desc.rng_uniform_params = &params;
    CHECK_MESSAGE(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_VALUE, "work.rng_uniform_params");
    desc.kind = 23;
    CHECK_MESSAGE(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_VALUE, "work.kind");
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_MESSAGE(gc_rng_create(rig.stream, 1, 0, &other), GRAPHCAP_ERROR_ILLEGAL_STATE, "goes on");
    CHECK_MESSAGE(gc_rng_set_offset(rng, rig.stream, 1), GRAPHCAP_ERROR_ILLEGAL_STATE, "goes on");
    params = filling(buffer, 9);
    CHECK_MESSAGE(gc_stream_fill_uniform(rig.stream, &params), GRAPHCAP_ERROR_INVALID_VALUE, "overrun");
    fill(rig.stream, buffer, 8);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(other == NULL && offset() == 0);
    close_rng();
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void a_reset_ends_generators(void) {
    gc_buffer *buffer = NULL;
    uint64_t seen = 1;
    open_rng();
    buffer = open_floats(8);
    fill(rig.stream, buffer, 8);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_context_reset(rig.context));
    CHECK_STATUS(gc_rng_subsequence(rng, &seen), GRAPHCAP_ERROR_STALE);
    CHECK(seen == 0);
    CHECK_OK(gc_rng_destroy(rng));
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(void) {
    rig_open(&rig);
    known_answers_hold();
    replays_continue_one_sequence();
    branches_draw_fixed_numbers();
    scripts_draw_or_repeat();
    wrong_fills_are_refused();
    a_reset_ends_generators();
    rig_close(&rig);
    return check_finish();
}
