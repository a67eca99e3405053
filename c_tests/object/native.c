/* Native handles: on the host device there are none, and nothing to wrap, which each call says; on a GPU they are the
 * driver's own. What they do there is tested by cuda_interop.c. */
#include "kernels.h"

/* One of everything, and the native handles of all of it. */
struct natives {
    struct rig rig;
    gc_stream *legacy, *per_thread;
    gc_event *event;
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_buffer *buffer;
};

enum { NATIVES = 10 };

static void natives_open(struct natives *s) {
    rig_open(&s->rig);
    s->legacy = s->per_thread = NULL;
    s->graph = NULL;
    s->exec = NULL;
    REQUIRE_OK(gc_context_legacy_stream(s->rig.context, &s->legacy));
    REQUIRE_OK(gc_context_per_thread_stream(s->rig.context, &s->per_thread));
    s->event = open_event(s->rig.context);
    s->buffer = open_buffer(s->rig.context, 4);
    REQUIRE_OK(gc_stream_begin_capture(s->rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&s->rig, s->rig.stream, s->buffer, 0, 1, 1));
    REQUIRE_OK(gc_stream_end_capture(s->rig.stream, &s->graph));
    REQUIRE_OK(gc_graph_instantiate(s->graph, NULL, &s->exec));
}

static void natives_close(struct natives *s) {
    CHECK_OK(gc_graph_exec_destroy(s->exec));
    CHECK_OK(gc_graph_destroy(s->graph));
    CHECK_OK(gc_buffer_destroy(s->buffer));
    CHECK_OK(gc_event_destroy(s->event));
    CHECK_OK(gc_stream_destroy(s->per_thread));
    CHECK_OK(gc_stream_destroy(s->legacy));
    rig_close(&s->rig);
}

static gc_node first_node(const gc_graph *graph) {
    gc_node node = 0;
    CHECK_OK(gc_graph_get_nodes(graph, &node, 1, NULL));
    return node;
}

static void the_host_device_has_none(void) {
    struct natives s;
    void *native;
    gc_stream *wrapped;
    uintptr_t number;
    NOT_ON_CUDA("a GPU has native handles");
    natives_open(&s);
#define HAS_NONE(call)                                                    \
    do {                                                                  \
        native = &s;                                                      \
        CHECK_MESSAGE(call, GRAPHCAP_ERROR_NOT_SUPPORTED, "host device"); \
        CHECK(native == NULL);                                            \
    } while (0)
    HAS_NONE(gc_object_native(s.rig.context, &native));
    HAS_NONE(gc_object_native(s.rig.stream, &native));
    HAS_NONE(gc_object_native(s.legacy, &native));
    HAS_NONE(gc_object_native(s.per_thread, &native));
    HAS_NONE(gc_object_native(s.event, &native));
    HAS_NONE(gc_object_native(s.rig.module, &native));
    HAS_NONE(gc_object_native(s.rig.add, &native));
    HAS_NONE(gc_object_native(s.graph, &native));
    HAS_NONE(gc_node_native(s.graph, first_node(s.graph), &native));
    HAS_NONE(gc_object_native(s.exec, &native));
#undef HAS_NONE
    /* The numbers of the default streams, and what could be a stream of someone's. */
    for (number = 0; number < 4; number++) {
        wrapped = s.rig.stream;
        CHECK_MESSAGE(gc_stream_wrap(s.rig.context, (void *)number, &wrapped), GRAPHCAP_ERROR_NOT_SUPPORTED,
                      "host device");
        CHECK(wrapped == NULL);
    }
    {
        gc_graph *graph = s.graph;
        gc_graph_exec *exec = s.exec;
        CHECK_MESSAGE(gc_graph_wrap(s.rig.context, &s, GRAPHCAP_OWNERSHIP_TAKEN, &graph), GRAPHCAP_ERROR_NOT_SUPPORTED,
                      "host device");
        CHECK_MESSAGE(gc_graph_exec_wrap(s.rig.context, &s, GRAPHCAP_OWNERSHIP_TAKEN, s.graph, &exec),
                      GRAPHCAP_ERROR_NOT_SUPPORTED, "host device");
        CHECK(graph == NULL && exec == NULL);
    }
    /* Asking harmed nothing. */
    CHECK_OK(gc_graph_launch(s.exec, s.rig.stream));
    CHECK(read_u32(s.rig.stream, s.buffer, 0) == 1);
    natives_close(&s);
}

static void get_natives(const struct natives *s, void **natives) {
    CHECK_OK(gc_object_native(s->rig.context, &natives[0]));
    CHECK_OK(gc_object_native(s->rig.stream, &natives[1]));
    CHECK_OK(gc_object_native(s->legacy, &natives[2]));
    CHECK_OK(gc_object_native(s->per_thread, &natives[3]));
    CHECK_OK(gc_object_native(s->event, &natives[4]));
    CHECK_OK(gc_object_native(s->rig.module, &natives[5]));
    CHECK_OK(gc_object_native(s->rig.add, &natives[6]));
    CHECK_OK(gc_object_native(s->graph, &natives[7]));
    CHECK_OK(gc_object_native(s->exec, &natives[8]));
    CHECK_OK(gc_node_native(s->graph, first_node(s->graph), &natives[9]));
}

static void a_gpu_has_them_and_they_stay(void) {
    struct natives s;
    void *first[NATIVES], *second[NATIVES];
    unsigned i, k;
    NOT_ON_HOST("the host device has no native handles");
    memset(first, 0, sizeof first);
    memset(second, 0, sizeof second);
    natives_open(&s);
    get_natives(&s, first);
    for (i = 0; i < NATIVES; i++)
        for (k = 0; k < i; k++)
            CHECK(first[i] != NULL && first[k] != first[i]);
    CHECK_OK(gc_graph_launch(s.exec, s.rig.stream));
    CHECK(read_u32(s.rig.stream, s.buffer, 0) == 1);
    get_natives(&s, second);
    CHECK(memcmp(first, second, sizeof first) == 0);
    natives_close(&s);
}

int main(void) {
    RUN(the_host_device_has_none);
    RUN(a_gpu_has_them_and_they_stay);
    return check_finish();
}
