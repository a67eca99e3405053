/* gc_stream_end_capture_exec() and gc_graph_relaunch(): from a capture to a graph exec that remembers its stream. */
#include "kernels.h"

static struct rig rig;

static gc_graph_exec *captured(gc_buffer *buffer) {
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 7, 4, 1));
    REQUIRE_OK(gc_stream_end_capture_exec(rig.stream, NULL, &exec));
    return exec;
}

static void an_exec_replays_on_the_stream_of_its_capture(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph_exec *exec = captured(buffer);
    uint64_t replays = 0;
    CHECK(read_u32(rig.stream, buffer, 0) == 0);
    CHECK_OK(gc_graph_relaunch(exec));
    CHECK(read_u32(rig.stream, buffer, 0) == 7);
    CHECK_OK(gc_graph_relaunch(exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_exec_num_replays(exec, &replays));
    CHECK(replays == 3);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* The exec does not keep the stream, and what it was launched on before stays usable. */
static void a_stream_that_is_gone_is_told(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_stream *stream = open_stream(rig.context, 0);
    gc_graph_exec *exec = NULL;
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    int32_t uploaded = 0;
    options.flags = GRAPHCAP_INSTANTIATE_UPLOAD;
    options.upload_stream = stream;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 5, 4, 1));
    REQUIRE_OK(gc_stream_end_capture_exec(stream, &options, &exec));
    CHECK_OK(gc_graph_exec_is_uploaded(exec, &uploaded));
    CHECK(uploaded == 1);
    CHECK_OK(gc_graph_relaunch(exec));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_MESSAGE(gc_graph_relaunch(exec), GRAPHCAP_ERROR_ILLEGAL_STATE, "destroyed");
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 5);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void an_exec_of_a_graph_remembers_no_stream(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_MESSAGE(gc_graph_relaunch(exec), GRAPHCAP_ERROR_ILLEGAL_STATE, "remembers no stream");
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Options that are wrong leave the capture as it is. A capture that is broken is over and gives nothing. */
static void failures_lose_nothing(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph_exec *exec = NULL;
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    int32_t capturing = 0;
    CHECK_STATUS(gc_stream_end_capture_exec(rig.stream, NULL, &exec), GRAPHCAP_ERROR_ILLEGAL_STATE);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    options.flags = 1u << 30;
    CHECK_STATUS(gc_stream_end_capture_exec(rig.stream, &options, &exec), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_stream_is_capturing(rig.stream, &capturing));
    CHECK(capturing == 1 && exec == NULL);
    /* A wait for all work breaks the capture. */
    CHECK(gc_stream_synchronize(rig.stream) != GRAPHCAP_SUCCESS);
    CHECK_STATUS(gc_stream_end_capture_exec(rig.stream, NULL, &exec), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_is_capturing(rig.stream, &capturing));
    CHECK(capturing == 0 && exec == NULL);
    exec = captured(buffer);
    CHECK_OK(gc_graph_relaunch(exec));
    CHECK(read_u32(rig.stream, buffer, 0) == 7);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(void) {
    rig_open(&rig);
    RUN(an_exec_replays_on_the_stream_of_its_capture);
    RUN(a_stream_that_is_gone_is_told);
    RUN(an_exec_of_a_graph_remembers_no_stream);
    RUN(failures_lose_nothing);
    rig_close(&rig);
    return check_finish();
}
