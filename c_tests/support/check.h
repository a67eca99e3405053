/* Assertions of the C tests. Each test is one program that is valid C11 and C++17. A failed check is told and
 * counted and the program goes on, so that one run shows everything that is wrong. The programs run on the device that
 * GRAPHCAP_DEVICE chooses; a test function that cannot apply to a device says why, and is counted as skipped. */
#ifndef GRAPHCAP_TESTS_CHECK_H
#define GRAPHCAP_TESTS_CHECK_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <graphcap.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *check_test = "";
static unsigned check_count;
static unsigned check_failures;
static unsigned check_tests;
static unsigned check_skips;

/* The device of the contexts that open_context() makes; AUTO until the first one is made. */
static gc_device_kind check_device_kind = GRAPHCAP_DEVICE_AUTO;

/* Counts a check; true when it failed and has to be told. Atomic, because tests check on several threads. */
static inline int check_failed(int holds) {
    __atomic_fetch_add(&check_count, 1, __ATOMIC_RELAXED);
    if (!holds)
        __atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED);
    return !holds;
}

static inline void check_condition(const char *file, int line, const char *text, int holds) {
    if (check_failed(holds))
        fprintf(stderr, "%s:%d: in %s: not true: %s\n", file, line, check_test, text);
}

/* Returns whether the status is the expected one. */
static inline int check_status(const char *file, int line, const char *call, gc_status got, gc_status expected) {
    char message[1024] = "";
    if (!check_failed(got == expected))
        return 1;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s:%d: in %s: %s\n    gave %s (%d), expected %s (%d)\n    last message: %s\n", file, line, check_test,
            call, gc_status_name(got), (int)got, gc_status_name(expected), (int)expected, message);
    return 0;
}

/* Whether `text` contains `word`, without regard to case. */
static inline int check_contains(const char *text, const char *word) {
    size_t length = strlen(word), i, k;
    for (i = 0; i + length <= strlen(text); i++) {
        for (k = 0; k < length; k++) {
            int a = text[i + k], b = word[k];
            if (a >= 'A' && a <= 'Z')
                a += 'a' - 'A';
            if (b >= 'A' && b <= 'Z')
                b += 'a' - 'A';
            if (a != b)
                break;
        }
        if (k == length)
            return 1;
    }
    return 0;
}

/* The function of the library that a call is told as: a shorthand of the header goes by the one that it calls. */
static inline const char *check_told_as(const char *function) {
    static const char *const exported[] = {
        "gc_graph_add_child_node", "gc_graph_exec_set_node_enabled", "gc_node_set_attribute", "gc_node_set_grid_scalar",
        "gc_node_set_name", "gc_capture_record_memcpy", "gc_stream_memcpy_htod", "gc_stream_memcpy_dtoh",
        "gc_stream_memcpy_dtod", "gc_stream_memcpy_batch"};
    static const struct {
        const char *begin, *end, *told;
    } shorthands[] = {
        {"gc_graph_add_", "_node", "gc_graph_add_node"},
        {"gc_graph_exec_set_", "_node", "gc_graph_exec_set_node"},
        {"gc_node_set_", "", "gc_node_set"},
        {"gc_capture_record_kernel_handle", "", "gc_capture_record"},
        {"gc_capture_record_memset_2d", "", "gc_capture_record"},
        {"gc_capture_record_host_func", "", "gc_capture_record"},
        {"gc_capture_record_event", "", "gc_capture_record"},
        {"gc_capture_record_wait_event", "", "gc_capture_record"},
        {"gc_capture_record_batch_mem_op", "", "gc_capture_record"},
        {"gc_stream_memcpy", "", "gc_stream_submit"},
        {"gc_stream_memset_2d", "", "gc_stream_submit"},
        {"gc_stream_fill_uniform", "", "gc_stream_submit"},
        {"gc_stream_mem_free", "", "gc_stream_submit"},
        {"gc_stream_capture_child_node", "", "gc_stream_submit"},
        {"gc_stream_capture_conditional_node", "", "gc_stream_submit"},
        {"gc_context_memcpy_peer", "", "gc_context_memcpy"},
        /* Those of the tests. */
        {"add_kernel", "", "gc_graph_add_node"},
        {"set_kernel", "", "gc_node_set"},
        {"exec_set_kernel", "", "gc_graph_exec_set_node"},
    };
    size_t i, length = strlen(function);
    for (i = 0; i < sizeof exported / sizeof *exported; i++)
        if (strcmp(function, exported[i]) == 0)
            return function;
    for (i = 0; i < sizeof shorthands / sizeof *shorthands; i++) {
        size_t begin = strlen(shorthands[i].begin), end = strlen(shorthands[i].end);
        if (length >= begin + end && strncmp(function, shorthands[i].begin, begin) == 0 &&
            strcmp(function + length - end, shorthands[i].end) == 0)
            return shorthands[i].told;
    }
    return function;
}

/* The status is the expected one, and the message names `function` and contains `word`. */
static inline void check_message(const char *file, int line, const char *function, gc_status got, gc_status expected,
                                 const char *word) {
    char name[96];
    char message[1024] = "";
    size_t length = strcspn(function, "(");
    if (!check_status(file, line, function, got, expected))
        return;
    if (length >= sizeof name)
        length = sizeof name - 1;
    memcpy(name, function, length);
    name[length] = '\0';
    gc_last_error_message(message, sizeof message, NULL);
    if (check_failed(check_contains(message, check_told_as(name))))
        fprintf(stderr, "%s:%d: in %s: %s\n    the message does not name %s: %s\n", file, line, check_test, function,
                check_told_as(name), message);
    if (check_failed(check_contains(message, word)))
        fprintf(stderr, "%s:%d: in %s: %s\n    the message does not contain '%s': %s\n", file, line, check_test, function,
                word, message);
}

#define CHECK(condition) check_condition(__FILE__, __LINE__, #condition, (condition) ? 1 : 0)
#define CHECK_STATUS(call, expected) check_status(__FILE__, __LINE__, #call, (call), (expected))
#define CHECK_OK(call) CHECK_STATUS(call, GRAPHCAP_SUCCESS)
#define CHECK_MESSAGE(call, expected, word) check_message(__FILE__, __LINE__, #call, (call), (expected), (word))

/* A test that cannot go on without `call` ends the program. */
#define REQUIRE_OK(call)              \
    do {                              \
        if (!CHECK_OK(call))          \
            exit(EXIT_FAILURE);       \
    } while (0)

#define RUN(test)            \
    do {                     \
        check_test = #test;  \
        check_tests++;       \
        test();              \
    } while (0)

/* A context on the device that is tested. */
static inline gc_context *open_context(void) {
    gc_context *context = NULL;
    REQUIRE_OK(gc_context_create(NULL, &context));
    REQUIRE_OK(gc_context_device_kind(context, &check_device_kind));
    return context;
}

static inline gc_device_kind tested_device(void) {
    if (check_device_kind == GRAPHCAP_DEVICE_AUTO)
        REQUIRE_OK(gc_context_destroy(open_context()));
    return check_device_kind;
}

static inline int on_cuda(void) {
    return tested_device() == GRAPHCAP_DEVICE_CUDA;
}

/* Whether the test is to be skipped, because that kind is tested; told and counted. */
static inline int check_skipped(gc_device_kind kind, const char *reason) {
    if (tested_device() != kind)
        return 0;
    check_skips++;
    fprintf(stderr, "skipped on %s: %s: %s\n", kind == GRAPHCAP_DEVICE_CUDA ? "cuda" : "host", check_test, reason);
    return 1;
}

/* First in a test function that cannot apply to a device. */
#define NOT_ON_CUDA(reason)                                  \
    do {                                                     \
        if (check_skipped(GRAPHCAP_DEVICE_CUDA, reason))     \
            return;                                          \
    } while (0)
#define NOT_ON_HOST(reason)                                  \
    do {                                                     \
        if (check_skipped(GRAPHCAP_DEVICE_HOST, reason))     \
            return;                                          \
    } while (0)

/* Why tests that fault a context are for the host device: what follows in the program could not run. */
#define FAULTS_STAY "after a fault the driver refuses everything until the process ends"

static inline int is_asked_for(const char *variable) {
    const char *text = getenv(variable);
    return text != NULL && strcmp(text, "1") == 0;
}

/* Whether the program runs under memcheck, fifty times as slow, and the other tests run it too. */
static inline int is_under_memcheck(void) {
    return is_asked_for("GRAPHCAP_TEST_MEMCHECK") && !is_asked_for("GRAPHCAP_SOAK");
}

/* How much of a random test to run: GRAPHCAP_SOAK=1 asks for all of it. */
static inline unsigned soak(unsigned small, unsigned whole) {
    return is_asked_for("GRAPHCAP_SOAK") ? whole : is_under_memcheck() ? (small + 3) / 4 : small;
}

static inline void pause_ms(long milliseconds) {
    struct timespec span;
    span.tv_sec = milliseconds / 1000;
    span.tv_nsec = milliseconds % 1000 * 1000000L;
    nanosleep(&span, NULL);
}

/* Waits for what graphcap does on another thread. The limit only keeps a broken library from hanging the test. */
static inline int await_count(const unsigned *count, unsigned wanted) {
    int rounds;
    for (rounds = 0; rounds < 20000; rounds++) {
        if (__atomic_load_n(count, __ATOMIC_ACQUIRE) >= wanted)
            return 1;
        pause_ms(1);
    }
    return 0;
}

/* Collects until a count has come to `wanted`. A collect takes what is complete: it does not wait for work. */
static inline int collect_until(const gc_context *context, const unsigned *count, unsigned wanted) {
    int rounds;
    for (rounds = 0; rounds < 20000 && __atomic_load_n(count, __ATOMIC_ACQUIRE) < wanted; rounds++) {
        CHECK_OK(gc_context_collect(context));
        pause_ms(1);
    }
    return __atomic_load_n(count, __ATOMIC_ACQUIRE) >= wanted;
}

static inline unsigned count_of(const unsigned *count) {
    return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

/* A destroy callback, and a host function, that counts its calls. */
static inline void count_call(void *user_data) {
    __atomic_fetch_add((unsigned *)user_data, 1, __ATOMIC_ACQ_REL);
}

/* The exit status of a program all of whose tests were skipped, by which CTest knows it. */
enum { EXIT_SKIPPED = 77 };

/* The stand-in for the CUDA driver counts the calls that crash the driver; a real driver has no such count. */
static inline void check_driver_was_used_well(void) {
    const char *path = getenv("GRAPHCAP_CUDA_LIBRARY");
    void *library = path == NULL ? NULL : dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    void *found = library == NULL ? NULL : dlsym(library, "stand_in_violations");
    unsigned (*violations)(char *text, size_t capacity);
    char text[256] = "";
    if (found != NULL) {
        memcpy(&violations, &found, sizeof violations);
        if (check_failed(violations(text, sizeof text) == 0))
            fprintf(stderr, "the driver was used wrongly: %s\n", text);
    }
    if (library != NULL)
        dlclose(library);
}

/* The end of every test program: nothing may be left, and the exit status says whether all checks held. */
static inline int check_finish(void) {
    check_test = "the end";
    CHECK(gc_live_handles() == 0);
    check_driver_was_used_well();
    fprintf(stderr, "%u checks, %u failed, %u skipped, %llu handles left\n", check_count, check_failures, check_skips,
            (unsigned long long)gc_live_handles());
    if (check_failures != 0)
        return EXIT_FAILURE;
    return check_tests > 0 && check_skips == check_tests ? EXIT_SKIPPED : EXIT_SUCCESS;
}

#endif
