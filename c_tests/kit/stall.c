/* gc_actor_options::stall_limit_ns: launches that have not completed in time are reported, whatever keeps them, while the actor's own
 * thread may be held too. */
#include "actors.h"

enum { LIMIT_MS = 20 };

static const uint32_t completions[] = {GRAPHCAP_ACTOR_COMPLETION_EVENT, GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION,
                                       GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE};

/* What a function that is called with a late launch sees. */
struct seen {
    unsigned calls, destroyed;
    gc_status report, progress;
    gc_graph_exec_progress_info of_future, of_exec;
    char text[1024];
    const gc_graph_exec *exec;
    struct gate *gate; /* which the launch comes to */
    pthread_t thread;
};

static void see_stall(const gc_future *future, void *user_data) {
    struct seen *seen = (struct seen *)user_data;
    const gc_graph_exec_progress_info empty = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    size_t needed = 0;
    seen->thread = pthread_self();
    seen->of_future = seen->of_exec = empty;
    if (seen->gate != NULL)
        gate_await(seen->gate, 1);
    seen->report = gc_future_stall_report(future, &seen->of_future, seen->text, sizeof seen->text, NULL);
    seen->progress = gc_graph_exec_progress(seen->exec, &seen->of_exec, NULL, 0, &needed);
    count_call(&seen->calls);
}

static void see_destroyed(void *user_data) {
    count_call(&((struct seen *)user_data)->destroyed);
}

static gc_actor *open_limited(uint32_t completion, uint64_t milliseconds) {
    gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    options.completion = completion;
    options.stall_limit_ns = milliseconds * 1000000;
    return open_actor(&options);
}

static gc_graph_exec *adopt(const gc_actor *actor, gc_host_fn function, void *user_data, uint32_t flags) {
    gc_graph *graph = calling(function, user_data);
    gc_future *adopted = NULL;
    REQUIRE_OK(gc_actor_adopt(actor, graph, flags, &adopted));
    CHECK_OK(gc_graph_destroy(graph));
    return exec_of(adopted);
}

static void expect_no_report(const gc_future *future) {
    size_t needed = 7;
    CHECK_STATUS(gc_future_stall_report(future, NULL, NULL, 0, &needed), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK(needed == 0);
}

/* The launch in front is reported, and the one behind it is not. */
static void a_launch_that_hangs_is_reported(void) {
    unsigned i;
    for (i = 0; i < LENGTH_OF(completions); i++) {
        gc_actor *actor = open_limited(completions[i], LIMIT_MS);
        gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
        gc_future *first, *second;
        struct seen seen, late, unseen;
        struct hold hold;
        struct gate gate;
        gc_graph_exec *exec;
        size_t needed = 0;
        char text[8];
        gate_init(&gate);
        memset(&seen, 0, sizeof seen);
        memset(&late, 0, sizeof late);
        memset(&unseen, 0, sizeof unseen);
        seen.gate = &gate;
        seen.exec = late.exec = exec = adopt(actor, gate_hold, &gate, GRAPHCAP_INSTANTIATE_WATCH);
        begin_hold(&hold, actor);
        first = ask_launch(actor, exec);
        CHECK_OK(gc_future_on_stall(first, see_stall, &seen, see_destroyed));
        second = ask_launch(actor, exec);
        CHECK_OK(gc_future_on_stall(second, see_stall, &unseen, see_destroyed));
        end_hold(&hold);
        CHECK(await_count(&seen.destroyed, 1));
        CHECK(count_of(&seen.calls) == 1 && count_of(&unseen.calls) == 0);
        CHECK(!pthread_equal(seen.thread, pthread_self()));
        CHECK_OK(seen.report);
        CHECK_OK(seen.progress);
        CHECK(seen.of_exec.is_running == 1 && seen.of_exec.begun_count == 1 && seen.of_exec.ready_count == 1);
        CHECK(seen.of_future.node_count == 1 && seen.of_future.completed_count == 0 && seen.of_future.begun_count <= 1);
        CHECK(strstr(seen.text, "within 20ms") != NULL);
        /* On a slow machine the launch may have begun after the report. */
        if (seen.of_future.begun_count == 1) {
            CHECK(seen.of_future.is_running == 1 && seen.of_future.ready_count == 1);
            CHECK(seen.of_exec.first_ready == seen.of_future.first_ready && seen.of_future.first_ready != 0);
            CHECK(strstr(seen.text, "host function") != NULL);
        }
        CHECK_STATUS(gc_future_stall_report(first, &progress, text, sizeof text, NULL), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
        CHECK(progress.node_count == 0 && strlen(text) == sizeof text - 1);
        expect_no_report(second);
        /* One that is reported already: on this thread. */
        CHECK_OK(gc_future_on_stall(first, see_stall, &late, see_destroyed));
        CHECK(late.calls == 1 && late.destroyed == 1 && pthread_equal(late.thread, pthread_self()));
        gate_open(&gate);
        CHECK_OK(gc_future_wait(first, UINT64_MAX, NULL));
        CHECK_OK(gc_future_stall_report(first, &progress, NULL, 0, &needed));
        CHECK(progress.begun_count == seen.of_future.begun_count && progress.node_count == 1);
        CHECK_OK(answer_of(second));
        CHECK_OK(answer_of(first));
        CHECK(await_count(&unseen.destroyed, 1));
        CHECK_OK(gc_actor_destroy(actor));
        CHECK_OK(gc_graph_exec_destroy(exec));
        gate_free(&gate);
    }
}

/* Without a watch the report has no nodes. The future may be destroyed, and the actor goes on. */
static void a_launch_that_is_not_watched_is_reported_too(void) {
    gc_actor *actor = open_limited(GRAPHCAP_ACTOR_COMPLETION_EVENT, LIMIT_MS);
    gc_future *launched;
    gc_graph_exec *exec;
    struct seen seen;
    struct gate gate;
    unsigned round;
    for (round = 0; round < 2; round++) {
        gate_init(&gate);
        memset(&seen, 0, sizeof seen);
        seen.exec = exec = adopt(actor, gate_hold, &gate, 0);
        launched = ask_launch(actor, exec);
        CHECK_OK(gc_future_on_stall(launched, see_stall, &seen, see_destroyed));
        CHECK_OK(gc_future_destroy(launched));
        CHECK(await_count(&seen.destroyed, 1));
        CHECK(count_of(&seen.calls) == 1 && seen.report == GRAPHCAP_SUCCESS && seen.progress == GRAPHCAP_ERROR_NOT_FOUND);
        CHECK(seen.of_future.node_count == 0 && strstr(seen.text, "GRAPHCAP_INSTANTIATE_WATCH") != NULL);
        gate_open(&gate);
        CHECK_OK(answer_of(ask_launch(actor, exec)));
        CHECK_OK(gc_graph_exec_destroy(exec));
        gate_free(&gate);
    }
    CHECK_OK(gc_actor_destroy(actor));
}

/* In time, of an actor without a limit, and of other messages: nothing is called, and all is let go of. */
static void what_is_in_time_is_not_reported(void) {
    unsigned i;
    for (i = 0; i < 2; i++) {
        gc_actor *actor = open_limited(GRAPHCAP_ACTOR_COMPLETION_EVENT, i == 0 ? 0 : 3600000);
        gc_graph *graph = open_graph(rig.context);
        gc_future *adopted = NULL, *launched;
        struct seen seen;
        unsigned ran = 0, round;
        gc_graph_exec *exec = adopt_calling(actor, count_call, &ran);
        memset(&seen, 0, sizeof seen);
        for (round = 0; round < 100; round++) {
            launched = ask_launch(actor, exec);
            CHECK_OK(gc_future_on_stall(launched, see_stall, &seen, see_destroyed));
            CHECK_OK(gc_future_wait(launched, UINT64_MAX, NULL));
            expect_no_report(launched);
            CHECK_OK(gc_future_destroy(launched));
        }
        CHECK_OK(gc_actor_adopt(actor, graph, 0, &adopted));
        CHECK_OK(gc_future_wait(adopted, UINT64_MAX, NULL));
        CHECK_OK(gc_future_on_stall(adopted, see_stall, &seen, see_destroyed));
        CHECK_MESSAGE(gc_future_on_stall(adopted, NULL, &seen, see_destroyed), GRAPHCAP_ERROR_INVALID_VALUE, "function");
        CHECK(await_count(&seen.destroyed, 102) && count_of(&seen.destroyed) == 102 && count_of(&seen.calls) == 0);
        CHECK(count_of(&ran) == 100);
        CHECK_OK(gc_future_destroy(adopted));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_actor_destroy(actor));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
}

int main(void) {
    rig_open(&rig);
    RUN(a_launch_that_hangs_is_reported);
    RUN(a_launch_that_is_not_watched_is_reported_too);
    RUN(what_is_in_time_is_not_reported);
    rig_close(&rig);
    return check_finish();
}
