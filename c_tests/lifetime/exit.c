/* The end of the process: what destroys left to threads of graphcap's comes to its end when the program has destroyed all,
 * so that its destroy functions have run and a memory checker finds nothing; and nothing makes the end of the process hang.
 * What is left is slow by construction: it is held until the process has begun to end. Each test is a process. */
#include "child.h"
#include "kernels.h"

#include <dirent.h>
#include <dlfcn.h>

/* Why not on a GPU: the driver itself may wait at its end for work that is held. */
#define DRIVER_WAITS "a driver may wait for work that is held when the process ends"

static struct gate gate;
static unsigned destroyed, expected;
/* Whether the library says that the tests run on the stand-in for a driver, where work runs within the call that submits it. */
static int on_stand_in;
/* What is checked when the process has ended but for this. */
static enum { ALL_IS_OVER, DESTROYS_HAVE_RUN, NOTHING } checks = ALL_IS_OVER;

static void destroy_slowly(void *unused) {
    (void)unused;
    pause_ms(20);
    count_call(&destroyed);
}

static unsigned count_threads(void) {
    DIR *threads = opendir("/proc/self/task");
    unsigned count = 0;
    if (threads == NULL)
        return 1;
    while (readdir(threads) != NULL)
        count++;
    closedir(threads);
    /* Without . and .., and without the thread that an emulator has beside those of the program. */
    return count - 2 - (getenv("GRAPHCAP_TEST_EMULATOR") != NULL);
}

/* Handlers run in the reverse order of their registration: the first two come after graphcap's, as they are registered
 * before its first use, and the third one comes before it. */
static void all_is_over(void) {
    if (checks != NOTHING && destroyed != expected) {
        fprintf(stderr, "%u of %u destroy functions had run when the process ended\n", destroyed, expected);
        _exit(EXIT_FAILURE);
    }
    /* The stand-in has one of its own. */
    if (checks == ALL_IS_OVER && !on_stand_in && count_threads() != 1) {
        fprintf(stderr, "%u threads ran when the process ended\n", count_threads());
        _exit(EXIT_FAILURE);
    }
}

static void (*late)(void);

static void run_late(void) {
    if (late != NULL)
        late();
}

static void open_late(void) {
    gate_open(&gate);
}

static void call(void (*function)(void)) {
    if (atexit(function) != 0)
        exit(EXIT_FAILURE);
}

/* Objects whose work the gate holds. */
static struct {
    gc_context *context;
    gc_stream *stream;
    gc_buffer *owner, *buffer;
    gc_graph *graph;
    gc_graph_exec *exec;
} held;

static void run_nothing(void *unused) {
    (void)unused;
}

static void *launch_held(void *unused) {
    (void)unused;
    CHECK_OK(gc_graph_launch(held.exec, held.stream));
    return NULL;
}

/* A call of another thread that the gate holds: a launch on the stand-in, which runs host functions within it. Until it
 * returns it may see the handle of the buffer. */
static void hold_call(void) {
    uint64_t address = 0;
    pthread_t thread;
    REQUIRE_OK(gc_buffer_allocate(held.context, 64, &held.owner));
    REQUIRE_OK(gc_buffer_address(held.owner, &address));
    REQUIRE_OK(gc_buffer_wrap(held.context, (void *)(uintptr_t)address, 64, NULL, destroy_slowly, &held.buffer));
    REQUIRE_OK(gc_stream_begin_capture(held.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    REQUIRE_OK(gc_stream_launch_host_func(held.stream, gate_hold, &gate, NULL));
    REQUIRE_OK(gc_stream_end_capture(held.stream, &held.graph));
    REQUIRE_OK(gc_graph_instantiate(held.graph, NULL, &held.exec));
    if (pthread_create(&thread, NULL, launch_held, NULL) != 0 || pthread_detach(thread) != 0)
        exit(EXIT_FAILURE);
    expected = 1;
}

/* Work that the gate holds, on a device that runs it later; behind it a function that is destroyed slowly, and memory. */
static void hold_queue(void) {
    static uint32_t words[64];
    REQUIRE_OK(gc_buffer_wrap(held.context, words, sizeof words, NULL, destroy_slowly, &held.buffer));
    REQUIRE_OK(gc_stream_launch_host_func(held.stream, gate_hold, &gate, NULL));
    REQUIRE_OK(gc_stream_launch_host_func(held.stream, run_nothing, NULL, destroy_slowly));
    REQUIRE_OK(gc_stream_memset(held.stream, held.buffer, 0, 1, 4, 4));
    expected = 2;
}

/* Returns when a thread is held. */
static void hold(void) {
    held.context = open_context();
    held.stream = open_stream(held.context, GRAPHCAP_STREAM_NON_BLOCKING);
    if (on_stand_in)
        hold_call();
    else
        hold_queue();
    gate_await(&gate, 1);
}

static void destroy_all(void) {
    CHECK_OK(gc_buffer_destroy(held.buffer));
    CHECK_OK(gc_buffer_destroy(held.owner));
    CHECK_OK(gc_graph_exec_destroy(held.exec));
    CHECK_OK(gc_graph_destroy(held.graph));
    CHECK_OK(gc_stream_destroy(held.stream));
    CHECK_OK(gc_context_destroy(held.context));
    CHECK(gc_live_handles() == 0);
}

/* Each of these ends its process, or has it ended by returning from main. */

static void all_was_destroyed(void) {
    hold();
    call(open_late);
    destroy_all();
}

/* As destructors of a C++ program do whose objects were made before graphcap was used first. */
static void all_is_destroyed_after_the_handler(void) {
    late = destroy_all;
    hold();
    call(open_late);
}

static void leave_by_exit(void *unused) {
    (void)unused;
    gate_hold(&gate);
    exit(EXIT_SUCCESS);
}

static void a_host_function_exits(void) {
    gc_context *context;
    gc_stream *stream;
    checks = NOTHING;
    /* On the stand-in it runs within the call, when no handle can have been destroyed. */
    if (on_stand_in)
        gate_open(&gate);
    context = open_context();
    stream = open_stream(context, 0);
    REQUIRE_OK(gc_stream_launch_host_func(stream, leave_by_exit, NULL, NULL));
    gate_await(&gate, 1);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    gate_open(&gate);
    for (;;)
        pause();
}

static void *exit_elsewhere(void *unused) {
    (void)unused;
    destroy_all();
    exit(EXIT_SUCCESS);
}

static void another_thread_exits(void) {
    pthread_t thread;
    checks = DESTROYS_HAVE_RUN;
    hold();
    call(open_late);
    if (pthread_create(&thread, NULL, exit_elsewhere, NULL) != 0)
        exit(EXIT_FAILURE);
    pthread_join(thread, NULL);
}

/* The default stream of a context waits for a value that nobody writes. */
static void wait_in_vain(int destroys) {
    gc_context *context = open_context();
    gc_stream *legacy = NULL;
    gc_buffer *buffer = NULL;
    static uint32_t words[4];
    REQUIRE_OK(gc_context_legacy_stream(context, &legacy));
    REQUIRE_OK(gc_buffer_wrap(context, words, sizeof words, NULL, destroy_slowly, &buffer));
    CHECK_OK(gc_stream_wait_value32(legacy, buffer, 0, 1, GRAPHCAP_WAIT_VALUE_EQ));
    if (!destroys)
        return;
    expected = 1;
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_context_destroy(context));
}

static void a_stream_waits_in_vain(void) {
    checks = NOTHING;
    wait_in_vain(0);
}

static void a_wait_in_vain_was_destroyed(void) {
    wait_in_vain(1);
}

static void a_host_function_never_returns(void) {
    checks = NOTHING;
    hold();
    destroy_all();
}

/* A child has none of the threads that it could wait for. */
static void a_child_exits(void) {
    pid_t child;
    int status = -1;
    hold();
    call(open_late);
    destroy_all();
    child = fork();
    if (child == 0) {
        checks = NOTHING;
        exit(EXIT_SUCCESS);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}

static void *keep_calling(void *begun) {
    for (;;) {
        gc_context *context = open_context();
        gc_stream *stream = open_stream(context, 0);
        CHECK_OK(gc_stream_launch_host_func(stream, count_call, begun, NULL));
        gc_stream_destroy(stream);
        gc_context_destroy(context);
    }
    return NULL;
}

static void others_go_on_calling(void) {
    static unsigned begun;
    pthread_t thread;
    checks = NOTHING;
    if (pthread_create(&thread, NULL, keep_calling, &begun) != 0)
        exit(EXIT_FAILURE);
    CHECK(await_count(&begun, 10));
}

static const struct {
    const char *name;
    void (*run)(void);
    /* Whether it needs work that waits. */
    int host_only;
} ends[] = {
    {"all_was_destroyed", all_was_destroyed, 0},
    {"all_is_destroyed_after_the_handler", all_is_destroyed_after_the_handler, 0},
    {"a_host_function_exits", a_host_function_exits, 0},
    {"another_thread_exits", another_thread_exits, 0},
    {"a_stream_waits_in_vain", a_stream_waits_in_vain, 1},
    {"a_wait_in_vain_was_destroyed", a_wait_in_vain_was_destroyed, 1},
    {"a_host_function_never_returns", a_host_function_never_returns, 0},
    {"a_child_exits", a_child_exits, 0},
    {"others_go_on_calling", others_go_on_calling, 0},
};

static void each_end_comes(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(ends); i++) {
        struct child child;
        if (ends[i].host_only && on_stand_in)
            continue;
        child_start(&child, ends[i].name, "");
        if (check_failed(child_end(&child, 100) == EXIT_SUCCESS))
            fprintf(stderr, "the process failed or hung: %s\n", ends[i].name);
    }
}

static void find_stand_in(void) {
    const char *kind = getenv("GRAPHCAP_DEVICE"), *path = getenv("GRAPHCAP_CUDA_LIBRARY");
    void *library = NULL;
    if (kind != NULL && strcmp(kind, "cuda") == 0 && path != NULL)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    on_stand_in = library != NULL && dlsym(library, "stand_in_live") != NULL;
}

/* This process ends so, too: under a memory checker it tells what is left. */
int main(int argc, char **argv) {
    size_t i;
    gate_init(&gate);
    call(all_is_over);
    call(run_late);
    find_stand_in();
    for (i = 0; argc > 1 && i < LENGTH_OF(ends); i++)
        if (strcmp(argv[1], ends[i].name) == 0) {
            ends[i].run();
            return check_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    if (!on_stand_in && on_cuda()) {
        fprintf(stderr, "skipped on cuda: %s\n", DRIVER_WAITS);
        /* The driver has threads of its own. */
        checks = NOTHING;
        return EXIT_SKIPPED;
    }
    RUN(each_end_comes);
    RUN(all_was_destroyed);
    return check_finish();
}
