/* Gives three requests to replays in five ways, and checks that each replay saw its own. docs/input-per-request.md compares the ways. */
#include <graphcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(gc_status status) {
    char why[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(why, sizeof why, NULL);
    fprintf(stderr, "%s\n", why);
    exit(1);
}

struct server {
    gc_context *context;
    gc_stream *stream;
    gc_buffer *input, *result;
};

/* Captures the work on an input: one copy here, in place of kernels that get the buffer as an argument. */
static gc_graph *capture(const struct server *s, const gc_buffer *input, size_t offset, const void *staging) {
    gc_graph *graph;
    check(gc_stream_begin_capture(s->stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    if (staging != NULL) check(gc_stream_memcpy_htod(s->stream, input, offset, staging, 4));
    check(gc_stream_memcpy_dtod(s->stream, s->result, 0, input, offset, 4));
    check(gc_stream_end_capture(s->stream, &graph));
    return graph;
}

/* Launches, waits, and tells whether the replay saw the request. */
static int answers(const struct server *s, const gc_graph_exec *exec, uint32_t request) {
    uint32_t seen = 0;
    check(gc_graph_launch(exec, s->stream));
    check(gc_stream_memcpy_dtoh(s->stream, &seen, s->result, 0, sizeof seen));
    check(gc_stream_synchronize(s->stream));
    return seen == request;
}

static int by_scalar(const struct server *s) {
    uint32_t request = 0;
    int right = 1;
    size_t offset;
    gc_scalar *position;
    gc_buffer *memory;
    gc_graph *graph;
    gc_graph_exec *exec;
    check(gc_scalar_create(s->stream, GRAPHCAP_SCALAR_U32, &request, &position));
    check(gc_scalar_buffer(position, &memory, &offset));
    graph = capture(s, memory, offset, NULL);
    check(gc_graph_instantiate(graph, NULL, &exec));
    for (request = 1; request < 4; request++) {
        check(gc_scalar_update(position, s->stream, GRAPHCAP_SCALAR_U32, &request)); /* the value travels with the call */
        right &= answers(s, exec, request);
    }
    gc_graph_exec_destroy(exec), gc_graph_destroy(graph), gc_scalar_destroy(position), gc_buffer_destroy(memory);
    return right;
}

static int by_copy(const struct server *s) {
    int right = 1;
    gc_graph *graph = capture(s, s->input, 0, NULL);
    gc_graph_exec *exec;
    check(gc_graph_instantiate(graph, NULL, &exec));
    for (uint32_t request = 1; request < 4; request++) {
        gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(s->input, 0, &request, sizeof request);
        copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT; /* the request may change when the call returns */
        check(gc_stream_memcpy(s->stream, &copy));
        right &= answers(s, exec, request);
    }
    gc_graph_exec_destroy(exec), gc_graph_destroy(graph);
    return right;
}

static int by_staging(const struct server *s) {
    int right = 1;
    void *staging;
    gc_host_buffer *pinned;
    gc_graph *graph;
    gc_graph_exec *exec;
    check(gc_host_buffer_allocate(s->context, 4, 0, &pinned));
    check(gc_host_buffer_pointer(pinned, &staging));
    graph = capture(s, s->input, 0, staging); /* the copy is the first node, and reads the staging buffer at each replay */
    check(gc_graph_instantiate(graph, NULL, &exec));
    for (uint32_t request = 1; request < 4; request++) {
        memcpy(staging, &request, sizeof request); /* the replay before is complete */
        right &= answers(s, exec, request);
    }
    gc_graph_exec_destroy(exec), gc_graph_destroy(graph), gc_host_buffer_destroy(pinned);
    return right;
}

static int by_node(const struct server *s, gc_buffer *const requests[3]) {
    int right = 1;
    size_t count, failed;
    gc_node node;
    gc_graph *graph = capture(s, s->input, 0, NULL);
    gc_graph_exec *exec;
    check(gc_graph_get_nodes(graph, &node, 1, &count));
    check(gc_graph_instantiate(graph, NULL, &exec));
    for (uint32_t request = 1; request < 4; request++) {
        gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(s->result, 0, requests[request - 1], 0, 4);
        gc_work work = GRAPHCAP_WORK_INIT;
        work.kind = GRAPHCAP_WORK_MEMCPY, work.memcpy_params = &copy;
        if (request < 3) check(gc_graph_exec_set_node(exec, node, &work));
        else check(gc_graph_exec_set_nodes(exec, &node, &work, 1, &failed)); /* as many as there are */
        right &= answers(s, exec, request);
    }
    gc_graph_exec_destroy(exec), gc_graph_destroy(graph);
    return right;
}

static int by_update(const struct server *s, gc_buffer *const requests[3]) {
    int right = 1;
    gc_graph *graph = capture(s, s->input, 0, NULL);
    gc_graph_exec *exec;
    check(gc_graph_instantiate(graph, NULL, &exec));
    for (uint32_t request = 1; request < 4; request++) {
        gc_graph *other = capture(s, requests[request - 1], 0, NULL);
        check(gc_graph_exec_update(exec, other, 0, NULL));
        gc_graph_destroy(other);
        right &= answers(s, exec, request);
    }
    gc_graph_exec_destroy(exec), gc_graph_destroy(graph);
    return right;
}

int main(void) {
    struct server s;
    gc_buffer *requests[3]; /* requests that are in device memory already, as another graph left them */
    int right;
    check(gc_context_create(NULL, &s.context));
    check(gc_stream_create(s.context, NULL, &s.stream));
    check(gc_buffer_allocate(s.context, 4, &s.input));
    check(gc_buffer_allocate(s.context, 4, &s.result));
    for (uint32_t i = 0; i < 3; i++) {
        check(gc_buffer_allocate(s.context, 4, &requests[i]));
        check(gc_stream_memset(s.stream, requests[i], 0, i + 1, 4, 1));
    }
    right = by_scalar(&s) && by_copy(&s) && by_staging(&s) && by_node(&s, requests) && by_update(&s, requests);
    puts(right ? "each replay saw its request" : "a replay saw another request");
    for (int i = 0; i < 3; i++) gc_buffer_destroy(requests[i]);
    gc_buffer_destroy(s.input), gc_buffer_destroy(s.result), gc_stream_destroy(s.stream), gc_context_destroy(s.context);
    return right && gc_live_handles() == 0 ? 0 : 1;
}
