/* What the tests on the stand-in for the CUDA driver share: a process for each driver that is tried, since graphcap
 * loads one per process; the stand-in's own functions; and that nothing is left alive in it. */
#ifndef GRAPHCAP_STAND_IN_HARNESS_H
#define GRAPHCAP_STAND_IN_HARNESS_H

#include "../support/kernels.h"
#include "stand_in.h"

#include <dlfcn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* The stand-in that this process uses. */
static struct {
    void *library;
    long (*live)(int kind);
    unsigned (*violations)(char *text, size_t capacity);
    void (*fault)(int code);
    void (*fail)(uint64_t call, int code);
    void (*fail_function)(const char *function, uint64_t call, int code);
    const char *(*failed)(void);
    void (*count)(int on);
    const char *(*counted)(size_t index, uint64_t *calls);
    void (*remove_node)(void *graph, void *node);
    unsigned long (*questions)(void);
    void (*hold)(int held);
    void (*block)(const char *function);
    unsigned (*blocked)(void);
    void (*settle)(void);
} stand_in;

/* Writes the path of `file` beside this program. */
static inline void path_beside(const char *file, char *path, size_t capacity) {
    ssize_t length = readlink("/proc/self/exe", path, capacity - 1);
    char *slash;
    if (length < 0)
        exit(EXIT_FAILURE);
    path[length] = '\0';
    slash = strrchr(path, '/');
    snprintf(slash + 1, capacity - (size_t)(slash + 1 - path), "%s", file);
}

/* Sets a pointer to the function of the driver, or of the stand-in's own, that is called `name`. */
static inline void look_up(const char *name, void *function) {
    void *found = dlsym(stand_in.library, name);
    if (found == NULL) {
        fprintf(stderr, "the stand-in has no %s\n", name);
        exit(EXIT_FAILURE);
    }
    memcpy(function, &found, sizeof found);
}

/* Has graphcap load the library at `path` and use it. */
static inline void use_library(const char *path) {
    setenv("GRAPHCAP_CUDA_LIBRARY", path, 1);
    setenv("GRAPHCAP_DEVICE", "cuda", 1);
}

/* The same for the stand-in of a version, "12.0" or "13.0". */
static inline void use_stand_in(const char *version) {
    char path[4096], file[64];
    snprintf(file, sizeof file, "%s/libcuda.so.1", version);
    path_beside(file, path, sizeof path);
    use_library(path);
    stand_in.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (stand_in.library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    look_up("stand_in_live", &stand_in.live);
    look_up("stand_in_violations", &stand_in.violations);
    look_up("stand_in_fault", &stand_in.fault);
    look_up("stand_in_fail", &stand_in.fail);
    look_up("stand_in_fail_function", &stand_in.fail_function);
    look_up("stand_in_failed", &stand_in.failed);
    look_up("stand_in_count_calls", &stand_in.count);
    look_up("stand_in_counted", &stand_in.counted);
    look_up("stand_in_remove_node", &stand_in.remove_node);
    look_up("stand_in_questions", &stand_in.questions);
    look_up("stand_in_hold", &stand_in.hold);
    look_up("stand_in_block", &stand_in.block);
    look_up("stand_in_blocked", &stand_in.blocked);
    look_up("stand_in_settle", &stand_in.settle);
}

/* The driver's functions, as others call them: member, symbol, parameters. */
#define RAW_FUNCTIONS(F)                                                                              \
    F(memset_words, cuMemsetD32Async, (uint64_t address, unsigned value, size_t count, void *stream)) \
    F(stream_create, cuStreamCreateWithPriority, (void **stream, unsigned flags, int priority))       \
    F(stream_destroy, cuStreamDestroy_v2, (void *stream))                                             \
    F(begin, cuStreamBeginCapture_v2, (void *stream, unsigned mode))                                  \
    F(end, stand_in_end_capture, (void *stream, void **graph))                                        \
    F(is_complete, cuStreamQuery, (void *stream))                                                     \
    F(graph_destroy, cuGraphDestroy, (void *graph))                                                   \
    F(instantiate, cuGraphInstantiateWithParams, (void **exec, void *graph, void *parameters))        \
    F(launch, cuGraphLaunch, (void *exec, void *stream))                                              \
    F(exec_destroy, cuGraphExecDestroy, (void *exec))                                                 \
    F(push, cuCtxPushCurrent_v2, (void *context))                                                     \
    F(pop, cuCtxPopCurrent_v2, (void **context))                                                      \
    F(current, cuCtxGetCurrent, (void **context))                                                     \
    F(retain, cuDevicePrimaryCtxRetain, (void **context, int device))                                 \
    F(release, cuDevicePrimaryCtxRelease_v2, (int device))                                            \
    F(memory_info, cuMemGetInfo_v2, (size_t *free_bytes, size_t *total_bytes))                        \
    F(exchange_mode, cuThreadExchangeStreamCaptureMode, (unsigned *mode))

#define RAW_MEMBER(member, symbol, parameters) int(*member) parameters;
static struct {
    RAW_FUNCTIONS(RAW_MEMBER)
} raw;
#undef RAW_MEMBER

/* Finds them in the stand-in that is used. */
#define RAW_LOOK_UP(member, symbol, parameters) look_up(#symbol, &raw.member);
static inline void look_up_driver(void) {
    RAW_FUNCTIONS(RAW_LOOK_UP)
}
#undef RAW_LOOK_UP

/* How often a function of the driver was called while that was counted. */
static inline uint64_t calls_of(const char *name) {
    const char *function;
    uint64_t calls = 0;
    size_t index;
    for (index = 0; (function = stand_in.counted(index, &calls)) != NULL; index++)
        if (strcmp(function, name) == 0)
            return calls;
    return 0;
}

static inline long live_objects(void) {
    long count = 0;
    int kind;
    for (kind = 0; kind < STAND_IN_KINDS; kind++)
        count += stand_in.live(kind);
    return count;
}

/* What graphcap gives back on threads of its own is awaited. `what` is for who reads of a failure. */
static inline void expect_nothing_left(const char *what) {
    static const char *const names[] = {"retains of contexts", "streams", "events", "graphs",     "graph execs",
                                        "user objects",        "modules", "pools",  "allocations", "pinned ranges"};
    char text[256] = "";
    int rounds, kind;
    for (rounds = 0; rounds < 20000 && live_objects() > 0; rounds++)
        pause_ms(1);
    stand_in.settle();
    for (kind = 0; kind < STAND_IN_KINDS; kind++)
        if (check_failed(stand_in.live(kind) == 0))
            fprintf(stderr, "%s, %s: %ld %s are left in the driver\n", check_test, what, stand_in.live(kind),
                    names[kind]);
    if (check_failed(stand_in.violations(text, sizeof text) == 0))
        fprintf(stderr, "%s, %s: %u wrong uses of the driver, first: %s\n", check_test, what,
                stand_in.violations(NULL, 0), text);
}

/* The message of the last call that failed. */
static inline const char *last_message(void) {
    static char text[4096];
    gc_last_error_message(text, sizeof text, NULL);
    return text;
}

/* Starts a process of its own for `body(argument)`, which nothing of graphcap's was used in before. */
static inline pid_t start_child(void (*body)(const char *argument), const char *argument) {
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        check_count = check_failures = check_tests = check_skips = 0;
        /* Only so that a hung child does not outlive its test: as long as CTest waits for one under valgrind. */
        alarm(1200);
        body(argument);
        exit(check_finish() == EXIT_FAILURE ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    return child;
}

/* Waits for a process that start_child() started. The checks that it fails count here as one. */
static inline void end_child(pid_t child, const char *argument) {
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    if (check_failed(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS))
        fprintf(stderr, "%s with %s ended with the status %#x\n", check_test, argument, (unsigned)status);
}

/* Runs `body(argument)` in such a process. */
static inline void in_child(void (*body)(const char *argument), const char *argument) {
    end_child(start_child(body, argument), argument);
}

/* Runs the test `body(version)` on the oldest driver that graphcap takes, and on a newer one. */
#define RUN_ON_BOTH_DRIVERS(body)      \
    do {                               \
        check_test = #body " on 12.0"; \
        check_tests++;                 \
        in_child(body, "12.0");        \
        check_test = #body " on 13.0"; \
        check_tests++;                 \
        in_child(body, "13.0");        \
    } while (0)

#endif
