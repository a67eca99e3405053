/* What the tests of actors and of futures share. */
#ifndef GRAPHCAP_TESTS_ACTORS_H
#define GRAPHCAP_TESTS_ACTORS_H

#include "../graph/nodes.h"

static struct rig rig;

static inline gc_actor *open_actor(const gc_actor_options *options) {
    gc_actor *actor = NULL;
    REQUIRE_OK(gc_actor_create(rig.context, options, &actor));
    return actor;
}

/* The answer of a future, which is destroyed. */
static inline gc_status answer_of(gc_future *future) {
    gc_status status = gc_future_wait(future, UINT64_MAX, NULL);
    CHECK_OK(gc_future_destroy(future));
    return status;
}

static inline gc_graph_exec *exec_of(gc_future *future) {
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_future_wait(future, UINT64_MAX, NULL));
    REQUIRE_OK(gc_future_take_exec(future, &exec));
    CHECK_OK(gc_future_destroy(future));
    return exec;
}

/* A graph that calls `function`. */
static inline gc_graph *calling(gc_host_fn function, void *user_data) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, function, user_data, NULL, &node));
    return graph;
}

/* An exec that the actor made of such a graph. */
static inline gc_graph_exec *adopt_calling(const gc_actor *actor, gc_host_fn function, void *user_data) {
    gc_graph *graph = calling(function, user_data);
    gc_future *adopted = NULL;
    REQUIRE_OK(gc_actor_adopt(actor, graph, 0, &adopted));
    CHECK_OK(gc_graph_destroy(graph));
    return exec_of(adopted);
}

static inline gc_future *ask_launch(const gc_actor *actor, const gc_graph_exec *exec) {
    gc_future *future = NULL;
    REQUIRE_OK(gc_actor_launch(actor, exec, &future));
    return future;
}

/* An op that holds the thread that records it. */
struct hold {
    struct gate gate;
    gc_script *script;
    gc_future *recorded;
};

static inline gc_status record_holding(const gc_record_context *context, void *user_data) {
    (void)context;
    gate_hold(user_data);
    return GRAPHCAP_SUCCESS;
}

/* Keeps the actor's thread in a recording until end_hold(). */
static inline void begin_hold(struct hold *hold, const gc_actor *actor) {
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    gate_init(&hold->gate);
    vtable.record = record_holding;
    REQUIRE_OK(gc_script_create(rig.context, &hold->script));
    REQUIRE_OK(gc_script_push_op(hold->script, &vtable, &hold->gate));
    REQUIRE_OK(gc_actor_record(actor, hold->script, GRAPHCAP_CAPTURE_MODE_RELAXED, 0, &hold->recorded));
    gate_await(&hold->gate, 1);
}

static inline void end_hold(struct hold *hold) {
    gate_open(&hold->gate);
    CHECK_OK(answer_of(hold->recorded));
    CHECK_OK(gc_script_destroy(hold->script));
    gate_free(&hold->gate);
}

#endif
