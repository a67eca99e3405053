/* After fork the child gets a status from every call, and the parent goes on as if nothing had been. */
#include "kernels.h"

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static struct rig rig;
static gc_buffer *buffer;
static gc_graph_exec *exec;
static gc_event *event;

/* All that a child may find: nothing hangs, nothing crashes, every call that needs the library says FORKED. */
static int child_finds_only_refusals(void) {
    gc_context *context = NULL;
    gc_stream *stream = NULL;
    uint32_t word = 0;
    int32_t answer = 0;
    size_t size = 0;
    char message[512] = "";
    CHECK_STATUS(gc_context_create(NULL, &context), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_stream_create(rig.context, NULL, &stream), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_stream_is_complete(rig.stream, &answer), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_context_synchronize(rig.context), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(launch_add(&rig, rig.stream, buffer, 0, 1, 1), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_stream_memcpy_dtoh(rig.stream, &word, buffer, 0, 4), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_graph_launch(exec, rig.stream), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_event_record(event, rig.stream, 0), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_event_synchronize(event), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_buffer_size(buffer, &size), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL), GRAPHCAP_ERROR_FORKED);
    CHECK_MESSAGE(gc_buffer_destroy(buffer), GRAPHCAP_ERROR_FORKED, "fork");
    CHECK_STATUS(gc_graph_exec_destroy(exec), GRAPHCAP_ERROR_FORKED);
    CHECK_STATUS(gc_context_destroy(rig.context), GRAPHCAP_ERROR_FORKED);
    /* What needs no device still answers. */
    CHECK(gc_version() == GRAPHCAP_VERSION_NUMBER);
    CHECK(strcmp(gc_status_name(GRAPHCAP_ERROR_FORKED), "GRAPHCAP_ERROR_FORKED") == 0);
    CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
    CHECK(check_contains(message, "parent"));
    return check_failures == 0 ? 0 : 1;
}

/* Runs `body` in a child, which must end by itself and find nothing wrong. The verdict comes through a pipe: a memory
 * checker may change the exit status, because to it everything that the parent owns is lost in the child. */
static void in_a_child(int (*body)(void)) {
    int status = -1, ends[2];
    char verdict = 'x';
    pid_t child;
    if (pipe(ends) != 0)
        exit(EXIT_FAILURE);
    child = fork();
    if (child == 0) {
        verdict = body() == 0 ? 'y' : 'n';
        _exit(write(ends[1], &verdict, 1) == 1 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(ends[1]);
    CHECK(child > 0);
    CHECK(read(ends[0], &verdict, 1) == 1 && verdict == 'y');
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    close(ends[0]);
}

static void a_child_is_refused_and_the_parent_goes_on(void) {
    struct gate gate;
    in_a_child(child_finds_only_refusals);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 1);
    /* Also while work is running. */
    gate_init(&gate);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    gate_await(&gate, 1);
    in_a_child(child_finds_only_refusals);
    gate_open(&gate);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 2);
    gate_free(&gate);
}

static int stop;

static void *submit_to_the_legacy_stream(void *unused) {
    gc_stream *legacy = NULL;
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
        CHECK_OK(gc_stream_memset(legacy, buffer, 0, 0, 4, 1));
        CHECK_OK(gc_stream_synchronize(legacy));
    }
    CHECK_OK(gc_stream_destroy(legacy));
    return unused;
}

/* A child that leaves by exit() ends its thread as well, and must not wait for locks that another thread had. */
static void a_child_can_leave_by_exit(void) {
    gc_stream *own = NULL;
    pthread_t thread;
    unsigned i;
    NOT_ON_CUDA("a driver (580) crashes in the exit of a child of a thread that used its per-thread stream");
    /* A stream of this thread, which goes with it, and which work on the legacy stream looks at. */
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    CHECK_OK(gc_stream_memset(own, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_stream_synchronize(own));
    CHECK(pthread_create(&thread, NULL, submit_to_the_legacy_stream, NULL) == 0);
    for (i = 0; i < soak(100, 2000) && check_failures == 0; i++) {
        pid_t child = fork(), ended = 0;
        int status = -1, rounds;
        if (child == 0)
            exit(EXIT_SUCCESS);
        for (rounds = 0; ended == 0 && rounds < 20000; rounds++) {
            ended = waitpid(child, &status, WNOHANG);
            if (ended == 0)
                pause_ms(1);
        }
        CHECK(child > 0 && ended == child && WIFEXITED(status));
        if (ended == 0)
            kill(child, SIGKILL);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_OK(gc_stream_destroy(own));
}

/* A process that forks before it uses the library becomes two processes that can. */
static int child_can_work(void) {
    check_new_context_works();
    return check_finish();
}

static void a_fork_before_the_first_use_is_harmless(void) {
    in_a_child(child_can_work);
}

int main(void) {
    RUN(a_fork_before_the_first_use_is_harmless);
    rig_open(&rig);
    buffer = open_buffer(rig.context, 4);
    event = open_event(rig.context);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    exec = finish_capture(rig.stream);
    RUN(a_child_is_refused_and_the_parent_goes_on);
    RUN(a_child_can_leave_by_exit);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
