/* The threads that graphcap starts: a signal of the process is never theirs, and their stacks have one size. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "child.h"
#include "kernels.h"

#include <dirent.h>

/* Those that a thread of graphcap's takes. */
static const int taken[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF};
/* Some of those that it blocks. */
static const int blocked[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD, SIGALRM, SIGPIPE, SIGURG, SIGVTALRM, SIGABRT};

static int has(unsigned long long mask, int signal) {
    return (int)(mask >> (signal - 1) & 1);
}

/* The mask of a thread of the process whose name begins as graphcap's do; 0 for others, and where it is gone already. */
static int mask_of(const char *thread, unsigned long long *mask) {
    char path[300], line[256];
    int is_own = 0, is_known = 0;
    FILE *file;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "Name:\tgraphcap-", 15) == 0)
            is_own = 1;
        if (sscanf(line, "SigBlk: %llx", mask) == 1)
            is_known = 1;
    }
    fclose(file);
    return is_own && is_known;
}

/* Checks all threads of graphcap's; gives how many there are. */
static unsigned check_masks(void) {
    unsigned count = 0;
    struct dirent *entry;
    DIR *threads = opendir("/proc/self/task");
    CHECK(threads != NULL);
    if (threads == NULL)
        return 0;
    while ((entry = readdir(threads)) != NULL) {
        unsigned long long mask = 0;
        size_t i;
        if (!mask_of(entry->d_name, &mask))
            continue;
        count++;
        for (i = 0; i < LENGTH_OF(taken); i++)
            CHECK(!has(mask, taken[i]));
        for (i = 0; i < LENGTH_OF(blocked); i++)
            CHECK(has(mask, blocked[i]));
    }
    closedir(threads);
    return count;
}

static size_t stack_bytes;

static void note_stack(void *user_data) {
    pthread_attr_t attributes;
    (void)user_data;
    stack_bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    pthread_attr_getstacksize(&attributes, &stack_bytes);
    pthread_attr_destroy(&attributes);
}

static void threads_block_signals(void) {
    struct rig rig;
    gc_actor *actor = NULL;
    gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    sigset_t before, own, after;
    unsigned calls = 0;
    int i;
    /* A program may block what graphcap's threads take, and take what they block. */
    sigemptyset(&own);
    sigaddset(&own, SIGPROF);
    sigaddset(&own, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &own, &before);
    rig_open(&rig);
    options.stall_limit_ns = UINT64_MAX / 2;
    REQUIRE_OK(gc_actor_create(rig.context, &options, &actor));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(check_masks() > 0);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (i = 1; i < 32; i++)
        CHECK(sigismember(&after, i) == (i == SIGPROF || i == SIGUSR2));
    CHECK_OK(gc_actor_destroy(actor));
    rig_close(&rig);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void stacks_have_one_size(void) {
    struct rig rig;
    NOT_ON_CUDA("the driver runs host functions on threads of its own");
    rig_open(&rig);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, note_stack, NULL, NULL));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(stack_bytes >> 20 == 8);
    rig_close(&rig);
}

/* A daemon blocks a signal once it has its threads, and waits for it. With a GPU it has to do so before: the driver's threads take what
 * the thread does not block that makes the first call. */
static int await_signal(int blocks_first) {
    struct rig rig;
    sigset_t awaited;
    int got = 0;
    unsigned calls = 0;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGALRM);
    if (blocks_first)
        pthread_sigmask(SIG_BLOCK, &awaited, NULL);
    rig_open(&rig);
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    pthread_sigmask(SIG_BLOCK, &awaited, NULL);
    kill(getpid(), SIGTERM);
    pause_ms(20);
    if (sigwait(&awaited, &got) != 0 || got != SIGTERM)
        return EXIT_FAILURE;
    kill(getpid(), SIGALRM);
    if (sigwait(&awaited, &got) != 0 || got != SIGALRM)
        return EXIT_FAILURE;
    rig_close(&rig);
    return EXIT_SUCCESS;
}

static void signals_go_to_the_program(void) {
    struct child child;
    child_start(&child, "signal", on_cuda() ? "first" : "");
    CHECK(child_end(&child, 300) == EXIT_SUCCESS);
}

int main(int argc, char **argv) {
    /* Read by Rust's library, which would take it for the size of every stack. */
    setenv("RUST_MIN_STACK", "262144", 1);
    if (argc > 2 && strcmp(argv[1], "signal") == 0)
        return await_signal(strcmp(argv[2], "first") == 0);
    RUN(threads_block_signals);
    RUN(stacks_have_one_size);
    RUN(signals_go_to_the_program);
    return check_finish();
}
