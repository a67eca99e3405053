/* Callbacks and kernels that end the thread they run on: what they belong to counts as run, and all else goes on. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "child.h"
#include "kernels.h"

static struct rig rig;
static gc_module *module;
static gc_kernel *leave;

/* Counts the block, and ends the thread if `leaves` says so. */
static int32_t kernel_leave(const gc_host_block *block, const void *const *arguments) {
    unsigned *count = PARAMETER(unsigned *, 0);
    const uint32_t every = PARAMETER(uint32_t, 1);
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    if (every != 0 && block->block_index[0] % every == 0)
        pthread_exit(NULL);
    return 0;
}

static const size_t leave_sizes[] = {sizeof(void *), sizeof(uint32_t)};
static const gc_host_kernel leave_kernel = {(uint32_t)sizeof(gc_host_kernel), 0, "leave", kernel_leave, leave_sizes, 2, NULL, 0};

/* On a CUDA device there are no host kernels. */
static void setup(void) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    description.host_kernels = &leave_kernel;
    description.host_kernel_count = 1;
    rig_open(&rig);
    if (on_cuda())
        return;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    leave = get_kernel(module, "leave");
}

static void teardown(void) {
    if (!on_cuda()) {
        CHECK_OK(gc_kernel_destroy(leave));
        CHECK_OK(gc_module_destroy(module));
    }
    rig_close(&rig);
}

/* Every block whose number is a multiple of `every` ends its thread; none where it is 0. */
static gc_status launch_leave(const gc_stream *stream, unsigned *count, uint32_t blocks, uint32_t every) {
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(count), GRAPHCAP_ARG_INIT_VALUE(every)};
    return launch(stream, leave, blocks, 1, arguments, 2);
}

/* Waits without running anything on this thread, which would be ended. */
static gc_status await_elsewhere(const gc_stream *stream) {
    int32_t is_complete = 0;
    gc_status status;
    while ((status = gc_stream_is_complete(stream, &is_complete)) == GRAPHCAP_SUCCESS && !is_complete)
        pause_ms(1);
    return status;
}

static void end_thread(void *user_data) {
    __atomic_fetch_add((unsigned *)user_data, 1, __ATOMIC_RELAXED);
    pthread_exit(NULL);
}

static void host_functions_may_end_their_thread(void) {
    gc_graph_exec *exec;
    unsigned ended = 0, calls = 0, i;
    setup();
    for (i = 0; i < 3; i++) {
        REQUIRE_OK(gc_stream_launch_host_func(rig.stream, end_thread, &ended, NULL));
        REQUIRE_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(ended == 3 && calls == 3);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, end_thread, &ended, NULL));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    exec = finish_capture(rig.stream);
    for (i = 0; i < 3; i++)
        REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(ended == 6 && calls == 6);
    CHECK_OK(gc_graph_exec_destroy(exec));
    teardown();
}

/* Where it may be cancelled, it waits until it is. */
struct target {
    pthread_t thread;
    int is_there;
};

static void wait_to_be_cancelled(void *user_data) {
    struct target *target = (struct target *)user_data;
    target->thread = pthread_self();
    __atomic_store_n(&target->is_there, 1, __ATOMIC_RELEASE);
    for (;;)
        pause();
}

static void a_host_function_may_be_cancelled(void) {
    struct target target;
    unsigned calls = 0;
    target.is_there = 0;
    setup();
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, wait_to_be_cancelled, &target, NULL));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    while (!__atomic_load_n(&target.is_there, __ATOMIC_ACQUIRE))
        pause_ms(1);
    CHECK(pthread_cancel(target.thread) == 0);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(calls == 1);
    teardown();
}

static void *destroy_exec(void *exec) {
    CHECK_OK(gc_graph_exec_destroy((gc_graph_exec *)exec));
    return NULL;
}

static void destroys_may_end_their_thread(void) {
    pthread_t thread;
    unsigned ended = 0, calls = 0;
    gc_graph_exec *exec;
    setup();
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, end_thread));
    exec = finish_capture(rig.stream);
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, count_call, &ended, end_thread));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    /* The destroy may be called on the thread that destroys. */
    CHECK(pthread_create(&thread, NULL, destroy_exec, exec) == 0);
    pthread_detach(thread);
    /* One call of the function, and its destroy; and the destroy of the exec's. */
    while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) < 2 || __atomic_load_n(&calls, __ATOMIC_ACQUIRE) < 2)
        pause_ms(1);
    CHECK(ended == 2 && calls == 2);
    teardown();
}

/* On the lanes' threads, which others replace: more of them than there are lanes. */
static void kernels_may_end_their_thread(void) {
    unsigned count = 0, i, expected = 0;
    NOT_ON_CUDA("its kernels run on the GPU");
    setup();
    for (i = 0; i < 64; i++) {
        REQUIRE_OK(launch_leave(rig.stream, &count, 1, 1));
        REQUIRE_OK(launch_leave(rig.stream, &count, 40, i % 3));
        REQUIRE_OK(launch_leave(rig.stream, &count, 1, 0));
        expected += 42;
        if (i % 8 == 0)
            CHECK_OK(await_elsewhere(rig.stream));
    }
    CHECK_OK(await_elsewhere(rig.stream));
    CHECK(count == expected);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    teardown();
}

static void nodes_may_end_their_thread(void) {
    gc_stream *other;
    gc_event *forked, *joined;
    gc_graph_exec *exec;
    unsigned count = 0, beside = 0, i;
    NOT_ON_CUDA("its kernels run on the GPU");
    setup();
    other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    forked = open_event(rig.context);
    joined = open_event(rig.context);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_event_record(forked, rig.stream, 0));
    REQUIRE_OK(gc_stream_wait_event(other, forked, 0));
    for (i = 0; i < 10; i++) {
        REQUIRE_OK(launch_leave(rig.stream, &count, 1, i % 2));
        REQUIRE_OK(launch_leave(rig.stream, &count, 5, i % 4));
        REQUIRE_OK(launch_leave(other, &beside, 1, i % 3));
    }
    REQUIRE_OK(gc_event_record(joined, other, 0));
    REQUIRE_OK(gc_stream_wait_event(rig.stream, joined, 0));
    exec = finish_capture(rig.stream);
    for (i = 0; i < 20; i++)
        REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(await_elsewhere(rig.stream));
    CHECK(count == 20 * 60 && beside == 20 * 10);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(joined));
    CHECK_OK(gc_event_destroy(forked));
    CHECK_OK(gc_stream_destroy(other));
    teardown();
}

/* A thread of the caller's that runs such a kernel while it waits does not come back, and holds nothing. */
static void *wait_and_be_ended(void *stream) {
    /* It may come late, when the stream is gone. */
    gc_status status = gc_stream_synchronize((gc_stream *)stream);
    (void)status;
    return NULL;
}

static void a_caller_that_is_ended_holds_nothing(void) {
    pthread_t thread;
    unsigned count = 0, i;
    NOT_ON_CUDA("its kernels run on the GPU");
    setup();
    for (i = 0; i < 20; i++) {
        REQUIRE_OK(launch_leave(rig.stream, &count, 1, 1));
        REQUIRE_OK(launch_leave(rig.stream, &count, 1, 0));
        CHECK(pthread_create(&thread, NULL, wait_and_be_ended, rig.stream) == 0);
        pthread_detach(thread);
        CHECK_OK(await_elsewhere(rig.stream));
        CHECK(count == 2 * (i + 1));
    }
    teardown();
    CHECK(gc_live_handles() == 0);
}

/* The end of a process waits for no thread that was ended. */
static int end_early(void) {
    unsigned ended = 0;
    setup();
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, end_thread, &ended, NULL));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    teardown();
    return check_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void the_process_may_end_then(void) {
    struct child child;
    child_start(&child, "early", "");
    CHECK(child_end(&child, 300) == EXIT_SUCCESS);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "early") == 0)
        return end_early();
    RUN(host_functions_may_end_their_thread);
    RUN(a_host_function_may_be_cancelled);
    RUN(destroys_may_end_their_thread);
    RUN(kernels_may_end_their_thread);
    RUN(nodes_may_end_their_thread);
    RUN(a_caller_that_is_ended_holds_nothing);
    RUN(the_process_may_end_then);
    return check_finish();
}
