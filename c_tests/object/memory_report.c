/* What a context has, as text and as JSON: bytes by kind, names, and which graphs and execs keep a buffer. */
#include "kernels.h"

static struct rig rig;

/* The report; to be freed. */
static char *report(uint32_t format) {
    size_t needed = 0;
    char *text;
    REQUIRE_OK(gc_context_memory_report(rig.context, format, NULL, 0, &needed));
    text = (char *)malloc(needed);
    if (text == NULL)
        exit(EXIT_FAILURE);
    REQUIRE_OK(gc_context_memory_report(rig.context, format, text, needed, &needed));
    CHECK(strlen(text) + 1 == needed);
    return text;
}

static int has(const char *text, const char *part) {
    if (strstr(text, part) != NULL)
        return 1;
    fprintf(stderr, "no %s in\n%s\n", part, text);
    return 0;
}

static int report_has(uint32_t format, const char *part) {
    char *text = report(format);
    int found = has(text, part);
    free(text);
    return found;
}

static unsigned count_in(const char *text, const char *part) {
    unsigned count = 0;
    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

static void what_is_there_is_told_with_who_keeps_it(void) {
    gc_buffer *weights, *waitable = NULL, *managed = NULL;
    gc_host_buffer *staging = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    char *text;
    rig_open(&rig);
    weights = open_buffer(rig.context, 1000);
    REQUIRE_OK(gc_set_name(weights, "weights"));
    REQUIRE_OK(gc_buffer_allocate_waitable(rig.context, 48, &waitable));
    REQUIRE_OK(gc_buffer_allocate_managed(rig.context, 80, GRAPHCAP_MEM_ATTACH_GLOBAL, &managed));
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 24, GRAPHCAP_HOST_BUFFER_MAPPED, &staging));
    REQUIRE_OK(gc_set_name(staging, "stag\"ing"));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, weights, 0, 1, 250));
    CHECK_OK(launch_add(&rig, rig.stream, weights, 0, 2, 250));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_set_name(graph, "step"));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));

    text = report(GRAPHCAP_MEMORY_REPORT_TEXT);
    CHECK(has(text, "1000 bytes of device buffers") && has(text, "48 bytes of waitable buffers"));
    CHECK(has(text, "80 bytes of managed buffers") && has(text, "24 bytes of pinned buffers"));
    CHECK(has(text, "\"weights\": 1000 bytes at 0x") && has(text, ", device, kept by graphs 0, kept by execs 0\n"));
    CHECK(has(text, "graph 0 \"step\": 2 nodes, by the model ") && has(text, "exec 0 of graph 0: 2 nodes, by the model "));
    CHECK(has(text, "1 execs, by the model of docs/cache.md"));
    CHECK(count_in(text, "\nbuffer ") == 4);
    free(text);
    text = report(GRAPHCAP_MEMORY_REPORT_JSON);
    CHECK(has(text, "\"format\": \"graphcap memory\"") && has(text, "\"name\":\"stag\\\"ing\",\"kind\":\"pinned\""));
    CHECK(has(text, "\"bytes\":1000,\"graphs\":[0],\"execs\":[0]") && has(text, "\"bytes\":80,\"graphs\":[],\"execs\":[]"));
    /* Two kernels and the exec itself, by the model of the device. */
    CHECK(has(text, on_cuda() ? "\"exec_model_bytes\":{\"device\":6300,\"host\":16800}" : "\"exec_model_bytes\":{\"device\":0,\"host\":4560}"));
    free(text);

    /* The exec alone keeps the memory. */
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(weights));
    text = report(GRAPHCAP_MEMORY_REPORT_TEXT);
    CHECK(has(text, "\"weights\": 1000 bytes at 0x") && has(text, ", device, kept by execs 0\n") && has(text, "\nexec 0: 2 nodes"));
    CHECK(count_in(text, "\ngraph ") == 0);
    free(text);
    CHECK_OK(gc_graph_exec_destroy(exec));
    text = report(GRAPHCAP_MEMORY_REPORT_TEXT);
    CHECK(strstr(text, "weights") == NULL && count_in(text, "\nexec ") == 0 && count_in(text, "\nbuffer ") == 3);
    free(text);
    CHECK_OK(gc_buffer_destroy(waitable));
    CHECK_OK(gc_buffer_destroy(managed));
    CHECK_OK(gc_host_buffer_destroy(staging));
    CHECK(report_has(GRAPHCAP_MEMORY_REPORT_JSON, "\"buffers\": [],\n\"pools\": [],\n\"graphs\": [],\n\"execs\": [],\n"));
    rig_close(&rig);
}

/* Nodes that are added by hand keep their objects by themselves, and a change lets go. */
static void nodes_that_were_added_keep_their_buffers(void) {
    gc_buffer *first, *second;
    gc_graph *graph = NULL;
    gc_node node = 0;
    rig_open(&rig);
    first = open_buffer(rig.context, 64);
    second = open_buffer(rig.context, 128);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    {
        gc_memset_params set = GRAPHCAP_MEMSET_INIT(first, 0, 1, 4, 4, 1, 0), other = GRAPHCAP_MEMSET_INIT(second, 0, 1, 4, 4, 1, 0);
        REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
        CHECK(report_has(GRAPHCAP_MEMORY_REPORT_JSON, "\"bytes\":64,\"graphs\":[0],\"execs\":[]"));
        CHECK(report_has(GRAPHCAP_MEMORY_REPORT_JSON, "\"bytes\":128,\"graphs\":[],\"execs\":[]"));
        REQUIRE_OK(gc_node_set_memset(graph, node, &other));
        CHECK(report_has(GRAPHCAP_MEMORY_REPORT_JSON, "\"bytes\":64,\"graphs\":[],\"execs\":[]"));
        CHECK(report_has(GRAPHCAP_MEMORY_REPORT_JSON, "\"bytes\":128,\"graphs\":[0],\"execs\":[]"));
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(first));
    CHECK_OK(gc_buffer_destroy(second));
    rig_close(&rig);
}

/* A pool is told with what it has, what it keeps and who keeps it; the bytes of its blocks count once. */
static void pools_are_told_with_their_blocks(void) {
    gc_pool *pool = NULL;
    gc_pool_memory memory = GRAPHCAP_POOL_MEMORY_INIT;
    gc_buffer *block = NULL, *plain;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    size_t index = 0;
    uint64_t number = 0;
    char part[256], *text;
    rig_open(&rig);
    REQUIRE_OK(gc_pool_create(rig.context, NULL, &pool));
    REQUIRE_OK(gc_pool_id(pool, &number));
    snprintf(part, sizeof part, "\npool 0, number %llu: 0 bytes reserved, 0 used, 0 at most, 0 objects\n", (unsigned long long)number);
    CHECK(report_has(GRAPHCAP_MEMORY_REPORT_TEXT, part));
    plain = open_buffer(rig.context, 100);
    REQUIRE_OK(gc_pool_allocate(pool, 5000, &block));
    REQUIRE_OK(gc_pool_add_buffer(pool, plain, &index));
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, pool));
    CHECK_OK(gc_stream_memset(rig.stream, block, 0, 1, 4, 16));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_pool_get_memory(pool, &memory));
    CHECK(memory.used_bytes == 5120 && memory.reserved_bytes >= 5120);

    text = report(GRAPHCAP_MEMORY_REPORT_TEXT);
    CHECK(has(text, "5000 bytes of pool buffers") && has(text, ", pool, kept by graphs 0, kept by execs 0\n"));
    snprintf(part, sizeof part, "  1 pools with %llu bytes, blocks among them\n  %llu bytes of buffers and pools, each byte once\n",
             (unsigned long long)memory.reserved_bytes, (unsigned long long)memory.reserved_bytes + 100);
    CHECK(has(text, part));
    snprintf(part, sizeof part, ": %llu bytes reserved, 5120 used, 5120 at most, 1 objects, blocks buffers ",
             (unsigned long long)memory.reserved_bytes);
    CHECK(has(text, part) && has(text, ", kept by graphs 0, kept by execs 0\ngraph 0: "));
    free(text);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(block));
    REQUIRE_OK(gc_pool_seal(pool));
    text = report(GRAPHCAP_MEMORY_REPORT_JSON);
    snprintf(part, sizeof part, "\"used\":5120,\"peak\":5120,\"shared\":false,\"sealed\":true,\"objects\":1,\"keeps\":[");
    CHECK(has(text, part) && has(text, "],\"graphs\":[],\"execs\":[0]}"));
    snprintf(part, sizeof part, "\"pool_bytes\":%llu,\"memory_bytes\":%llu,", (unsigned long long)memory.reserved_bytes,
             (unsigned long long)memory.reserved_bytes + 100);
    CHECK(has(text, part));
    free(text);
    CHECK_OK(gc_pool_destroy(pool));
    CHECK(report_has(GRAPHCAP_MEMORY_REPORT_TEXT, "\npool 0, number "));
    CHECK_OK(gc_graph_exec_destroy(exec));
    text = report(GRAPHCAP_MEMORY_REPORT_TEXT);
    CHECK(strstr(text, "pool") == NULL && has(text, "100 bytes of device buffers"));
    free(text);
    CHECK_OK(gc_buffer_destroy(plain));
    rig_close(&rig);
}

/* Graphs and execs that come and go leave nothing; numbers begin anew with each report. */
static void many_objects_are_told_each_once(void) {
    enum { MANY = 300 };
    static gc_graph *graphs[MANY];
    static gc_graph_exec *execs[MANY];
    gc_buffer *buffer;
    unsigned round, i;
    char *text;
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    for (round = 0; round < 2; round++) {
        for (i = 0; i < MANY; i++) {
            REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, i, 4, 16));
            REQUIRE_OK(gc_stream_end_capture(rig.stream, &graphs[i]));
            REQUIRE_OK(gc_graph_instantiate(graphs[i], NULL, &execs[i]));
        }
        text = report(GRAPHCAP_MEMORY_REPORT_TEXT);
        CHECK(count_in(text, "\ngraph ") == MANY && count_in(text, "\nexec ") == MANY && count_in(text, "\nbuffer ") == 1);
        CHECK(has(text, "\nexec 299 of graph 299: 1 nodes") && has(text, ", kept by graphs 0 1 2 3 "));
        free(text);
        for (i = 0; i < MANY; i++) {
            CHECK_OK(gc_graph_destroy(graphs[i]));
            CHECK_OK(gc_graph_exec_destroy(execs[i]));
        }
    }
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
}

static void what_cannot_be_is_refused(void) {
    char text[64];
    size_t needed = 0, again = 0;
    rig_open(&rig);
    CHECK_MESSAGE(gc_context_memory_report(rig.context, 2, text, sizeof text, &needed), GRAPHCAP_ERROR_INVALID_VALUE, "format");
    CHECK(needed == 0 && text[0] == '\0');
    CHECK_MESSAGE(gc_context_memory_report(rig.context, 0, NULL, 0, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "needed");
    CHECK_OK(gc_context_memory_report(rig.context, 0, NULL, 0, &needed));
    CHECK_STATUS(gc_context_memory_report(rig.context, 0, text, 10, &again), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(again == needed && strcmp(text, "memory of") == 0);
    rig_close(&rig);
}

int main(void) {
    RUN(what_is_there_is_told_with_who_keeps_it);
    RUN(nodes_that_were_added_keep_their_buffers);
    RUN(pools_are_told_with_their_blocks);
    RUN(many_objects_are_told_each_once);
    RUN(what_cannot_be_is_refused);
    return check_finish();
}
