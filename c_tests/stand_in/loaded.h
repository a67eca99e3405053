/* What the tests on stand-ins for NVIDIA's libraries share: how they reach the stand-ins, and how an op calls one. */
#ifndef GRAPHCAP_STAND_IN_LOADED_H
#define GRAPHCAP_STAND_IN_LOADED_H

#include "harness.h"
#include "libraries/facts.h"

typedef struct library_facts *(*facts_of)(void);

/* A function of the stand-in of that file, loaded by its path as others would. */
static inline void *library_function(const char *file, const char *name) {
    char path[4096];
    void *library;
    path_beside(file, path, sizeof path);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    return dlsym(library, name);
}

static inline struct library_facts *load_library(const char *file) {
    facts_of function = NULL;
    void *found = library_function(file, "stand_in_library");
    memcpy(&function, &found, sizeof found);
    return function();
}

static inline void name_library(const char *variable, const char *file) {
    char path[4096];
    path_beside(file, path, sizeof path);
    setenv(variable, path, 1);
}

static inline gc_context *open_cuda(void) {
    gc_context *context = NULL;
    REQUIRE_OK(gc_context_create(NULL, &context));
    return context;
}

/* Has the thread call a library as an op is to: with the context current, in the relaxed mode. Gives the mode before. */
static inline gc_capture_mode enter(const gc_context *context) {
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    int (*push_context)(void *) = NULL;
    void *native = NULL, *found = dlsym(stand_in.library, "cuCtxPushCurrent_v2");
    memcpy(&push_context, &found, sizeof push_context);
    CHECK_OK(gc_context_native(context, &native));
    CHECK(push_context(native) == 0);
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    return mode;
}

static inline void leave(gc_capture_mode mode) {
    int (*pop_context)(void **) = NULL;
    void *native = NULL, *found = dlsym(stand_in.library, "cuCtxPopCurrent_v2");
    memcpy(&pop_context, &found, sizeof pop_context);
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK(pop_context(&native) == 0);
}

static inline void expect_rules_kept(const struct library_facts *library) {
    if (check_failed(library->violations == 0))
        fprintf(stderr, "%u wrong uses, first: %s\n", library->violations, library->violation);
}

/* Submits scripts to streams that fork from one in a GLOBAL capture. Nothing was prepared, so that handles and plans are made in it. */
static inline gc_graph *in_branches(const gc_context *context, gc_script *const *scripts, size_t count) {
    gc_stream *origin = open_stream(context, 0), *branches[8] = {NULL};
    gc_event *fork = open_event(context);
    gc_graph *graph = NULL;
    size_t i;
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_event_record(fork, origin, 0));
    for (i = 0; i < count; i++) {
        gc_event *join = open_event(context);
        branches[i] = open_stream(context, 0);
        REQUIRE_OK(gc_stream_wait_event(branches[i], fork, 0));
        CHECK_OK(gc_script_submit(scripts[i], branches[i], NULL));
        CHECK_OK(gc_script_submit(scripts[i], branches[i], NULL));
        REQUIRE_OK(gc_event_record(join, branches[i], 0));
        REQUIRE_OK(gc_stream_wait_event(origin, join, 0));
        CHECK_OK(gc_event_destroy(join));
    }
    REQUIRE_OK(gc_stream_end_capture(origin, &graph));
    for (i = 0; i < count; i++)
        CHECK_OK(gc_stream_destroy(branches[i]));
    CHECK_OK(gc_event_destroy(fork));
    CHECK_OK(gc_stream_destroy(origin));
    return graph;
}

#endif
