/* Pinned and wrapped memory ends within its destroy on a host device, also while another thread makes calls. What a callback
 * destroys ends later, and so does what a graph keeps. */
#include "kernels.h"

#include <pthread.h>
#include <time.h>

enum { BYTES = 4096 };

static struct rig rig;
static unsigned char memory[BYTES];
static unsigned is_over;

/* Captures and destroys graphs, so that other threads rarely find it outside of a call. */
static void *records(void *argument) {
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_buffer *buffer = open_buffer(rig.context, 4);
    (void)argument;
    while (count_of(&is_over) == 0) {
        gc_graph *graph = NULL;
        int i;
        CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        for (i = 0; i < 20; i++)
            CHECK_OK(launch_add(&rig, stream, buffer, 0, 1, 1));
        CHECK_OK(gc_stream_end_capture(stream, &graph));
        CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static pthread_t begin_recording(void) {
    pthread_t thread;
    is_over = 0;
    if (pthread_create(&thread, NULL, records, NULL) != 0)
        exit(EXIT_FAILURE);
    return thread;
}

static void end_recording(pthread_t thread) {
    count_call(&is_over);
    pthread_join(thread, NULL);
}

static gc_graph *record_copy_from(gc_host_buffer *source, gc_buffer *target) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(target, 0, NULL, BYTES);
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    copy.source_host_buffer = source;
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    return graph;
}

static long long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* The destroy that began at `began` has returned. It waits for a call of another thread, which may get no core, for a second at most. */
static void check_released(const unsigned *released, long long began) {
    CHECK(count_of(released) == 1 || milliseconds() - began >= 1000);
    CHECK(await_count(released, 1));
}

static void registered_memory_is_unpinned_when_its_destroy_returns(void) {
    pthread_t thread;
    unsigned i, rounds = soak(300, 20000);
    NOT_ON_CUDA("memory stays pinned until somebody waits for the device");
    thread = begin_recording();
    for (i = 0; i < rounds; i++) {
        gc_host_buffer *registered = NULL;
        unsigned released = 0;
        long long began;
        CHECK_OK(gc_host_buffer_register(rig.context, memory, BYTES, 0, &released, count_call, &registered));
        began = milliseconds();
        CHECK_OK(gc_host_buffer_destroy(registered));
        check_released(&released, began);
    }
    end_recording(thread);
}

static void a_wrapped_buffer_is_handed_back_when_its_destroy_returns(void) {
    pthread_t thread;
    unsigned i, rounds = soak(300, 20000);
    NOT_ON_CUDA("the CPU's memory cannot be wrapped there");
    thread = begin_recording();
    for (i = 0; i < rounds; i++) {
        gc_buffer *buffer = NULL;
        unsigned released = 0;
        long long began;
        CHECK_OK(gc_buffer_wrap(rig.context, memory, BYTES, &released, count_call, &buffer));
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        began = milliseconds();
        CHECK_OK(gc_buffer_destroy(buffer));
        check_released(&released, began);
    }
    end_recording(thread);
}

/* The graph is the last to keep the memory, and its destroy may leave the end of it to a thread of graphcap's. */
static void memory_that_a_destroyed_graph_kept_is_registered_again(void) {
    pthread_t thread;
    unsigned i, rounds = soak(100, 5000);
    gc_buffer *target;
    NOT_ON_CUDA("memory stays pinned until somebody waits for the device");
    target = open_buffer(rig.context, BYTES);
    thread = begin_recording();
    for (i = 0; i < rounds; i++) {
        gc_host_buffer *registered = NULL, *again = NULL;
        gc_graph *graph;
        unsigned released = 0;
        REQUIRE_OK(gc_host_buffer_register(rig.context, memory, BYTES, 0, &released, count_call, &registered));
        graph = record_copy_from(registered, target);
        if (i == 0)
            CHECK_STATUS(gc_host_buffer_register(rig.context, memory + 1, 1, 0, NULL, NULL, &again),
                         GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        CHECK_OK(gc_host_buffer_destroy(registered));
        CHECK(count_of(&released) == 0);
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_host_buffer_register(rig.context, memory, BYTES, 0, NULL, NULL, &again));
        CHECK_OK(gc_host_buffer_destroy(again));
        CHECK(await_count(&released, 1));
    }
    end_recording(thread);
    CHECK_OK(gc_buffer_destroy(target));
}

static void memory_that_a_graph_keeps_is_not_registered_again(void) {
    gc_buffer *target = open_buffer(rig.context, BYTES);
    gc_host_buffer *registered = NULL, *again = NULL;
    gc_graph *graph;
    unsigned released = 0, refused = 0;
    REQUIRE_OK(gc_host_buffer_register(rig.context, memory, BYTES, 0, &released, count_call, &registered));
    graph = record_copy_from(registered, target);
    CHECK_OK(gc_host_buffer_destroy(registered));
    CHECK_STATUS(gc_host_buffer_register(rig.context, memory, BYTES, 0, &refused, count_call, &again),
                 GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    CHECK(count_of(&released) == 0 && count_of(&refused) == 1 && again == NULL);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(target));
    CHECK(collect_until(rig.context, &released, 1));
}

/* On a CUDA device the second call unpins the memory first. */
static void memory_is_registered_again_after_its_destroy(void) {
    gc_buffer *target = open_buffer(rig.context, BYTES);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(target, 0, NULL, BYTES);
    unsigned released = 0, round;
    for (round = 0; round < 10; round++) {
        gc_host_buffer *registered = NULL;
        REQUIRE_OK(gc_host_buffer_register(rig.context, memory, BYTES, 0, &released, count_call, &registered));
        copy.source_host_buffer = registered;
        CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK_OK(gc_host_buffer_destroy(registered));
        CHECK(await_count(&released, round));
    }
    CHECK(collect_until(rig.context, &released, 10));
    CHECK_OK(gc_buffer_destroy(target));
}

/* To unpin it waits for the device, which a program may not expect while it captures. */
static void memory_is_not_unpinned_while_a_capture_is_open(void) {
    gc_host_buffer *registered = NULL;
    gc_graph *graph = NULL;
    unsigned released = 0, refused = 0;
    NOT_ON_HOST("memory is unpinned within the destroy");
    REQUIRE_OK(gc_host_buffer_register(rig.context, memory, BYTES, 0, &released, count_call, &registered));
    CHECK_OK(gc_host_buffer_destroy(registered));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_MESSAGE(gc_host_buffer_register(rig.context, memory, BYTES, 0, &refused, count_call, &registered),
                  GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "gc_context_collect");
    CHECK(count_of(&released) == 0 && count_of(&refused) == 1);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_register(rig.context, memory, BYTES, 0, &refused, count_call, &registered));
    CHECK(await_count(&released, 1));
    CHECK_OK(gc_host_buffer_destroy(registered));
    CHECK(collect_until(rig.context, &refused, 2));
}

/* Memory, and what its destroy function found and did. */
struct owner {
    gc_buffer *buffer; /* destroyed by the destroy function */
    pthread_t thread;
    gc_status status; /* of a call that only a thread of the program's may make */
    unsigned released;
};

static void destroy_owner(void *argument) {
    struct owner *owner = (struct owner *)argument;
    owner->thread = pthread_self();
    owner->status = gc_stream_synchronize(rig.stream);
    CHECK_OK(gc_buffer_destroy(owner->buffer));
    count_call(&owner->released);
}

static gc_buffer *wrap_owner(struct owner *owner) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_wrap(rig.context, memory, BYTES, owner, destroy_owner, &buffer));
    return buffer;
}

static void a_destroy_function_runs_within_the_destroy(void) {
    static struct owner owners[1000];
    unsigned i;
    NOT_ON_CUDA("the CPU's memory cannot be wrapped there");
    memset(owners, 0, sizeof owners);
    for (i = 1; i < 1000; i++)
        owners[i].buffer = wrap_owner(&owners[i - 1]);
    CHECK_OK(gc_buffer_destroy(wrap_owner(&owners[999])));
    CHECK(count_of(&owners[999].released) == 1 && pthread_equal(owners[999].thread, pthread_self()));
    /* What a destroy function destroys ends later, on another thread. */
    for (i = 0; i < 1000; i++) {
        CHECK(await_count(&owners[i].released, 1));
        CHECK(owners[i].status == GRAPHCAP_ERROR_NOT_PERMITTED);
        CHECK(i == 999 || !pthread_equal(owners[i].thread, pthread_self()));
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

static void destroy_in_host_function(void *argument) {
    CHECK_OK(gc_buffer_destroy((gc_buffer *)argument));
}

static void what_a_host_function_destroys_ends_later(void) {
    gc_buffer *buffer = NULL;
    unsigned released = 0;
    NOT_ON_CUDA("the CPU's memory cannot be wrapped there");
    REQUIRE_OK(gc_buffer_wrap(rig.context, memory, BYTES, &released, count_call, &buffer));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, destroy_in_host_function, buffer, NULL));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(await_count(&released, 1));
}

int main(void) {
    rig_open(&rig);
    RUN(registered_memory_is_unpinned_when_its_destroy_returns);
    RUN(a_wrapped_buffer_is_handed_back_when_its_destroy_returns);
    RUN(memory_that_a_destroyed_graph_kept_is_registered_again);
    RUN(memory_that_a_graph_keeps_is_not_registered_again);
    RUN(memory_is_registered_again_after_its_destroy);
    RUN(memory_is_not_unpinned_while_a_capture_is_open);
    RUN(a_destroy_function_runs_within_the_destroy);
    RUN(what_a_host_function_destroys_ends_later);
    rig_close(&rig);
    return check_finish();
}
