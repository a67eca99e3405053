/* Scripts: ops as data and as tables of functions, recorded and submitted; failures by index and name; what is kept and when it
 * goes. */
#include "scripts.h"

static const char *last_message(void) {
    static char text[1024];
    CHECK_OK(gc_last_error_message(text, sizeof text, NULL));
    return text;
}

static size_t count_nodes(const gc_graph *graph) {
    size_t count = 0;
    CHECK_OK(gc_graph_node_count(graph, &count));
    return count;
}

static void ops_run_in_order_however_they_are_submitted(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *script = open_script();
    gc_graph *graph;
    push_set(script, buffer, 0, 5);
    push_add(script, buffer, 0, 2);
    push_copy(script, buffer, 1, 0);
    push_add(script, buffer, 2, 1);
    CHECK_OK(gc_script_prepare(script, NULL));
    graph = record(script);
    CHECK(count_nodes(graph) == 4);
    run(graph);
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 0) == 7 && read_u32(rig.stream, buffer, 1) == 7);
    CHECK(read_u32(rig.stream, buffer, 2) == 2);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    CHECK(read_u32(rig.stream, buffer, 2) == 3);
    /* Into a capture of the caller's, between work of its own. */
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 8, 40, 4, 1));
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(count_nodes(graph) == 9);
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 2) == 42);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void a_script_keeps_what_it_uses_and_so_do_its_graphs(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64), *seen = open_buffer(rig.context, 64);
    gc_script *script = open_script();
    uint32_t number = 11;
    unsigned ran = 0, destroyed = 0;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, &number, sizeof number);
    gc_memcpy_params further = GRAPHCAP_MEMCPY_INIT_DTOD(seen, 0, buffer, 0, sizeof number);
    gc_work desc = op_of(GRAPHCAP_WORK_MEMCPY), host = op_of(GRAPHCAP_WORK_HOST);
    gc_graph *graph;
    gc_graph_exec *exec;
    copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    desc.memcpy_params = &copy;
    push(script, &desc);
    desc.memcpy_params = &further;
    push(script, &desc);
    host.function = count_call;
    host.user_data = &ran;
    push(script, &host);
    host.function = count_call;
    host.user_data = &destroyed;
    host.destroy = count_call;
    push(script, &host);
    number = 0;
    CHECK_OK(gc_buffer_destroy(buffer));
    graph = record(script);
    CHECK_OK(gc_script_destroy(script));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, seen, 0) == 11);
    CHECK(await_count(&ran, 2) && await_count(&destroyed, 2) && count_of(&destroyed) == 2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(await_count(&destroyed, 3) && count_of(&destroyed) == 3);
    CHECK_OK(gc_buffer_destroy(seen));
}

static void graphs_and_events_are_ops(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *inner = open_script(), *script = open_script();
    gc_event *event = open_event(rig.context);
    gc_work desc = op_of(GRAPHCAP_WORK_CHILD_GRAPH), record_event = op_of(GRAPHCAP_WORK_EVENT_RECORD),
               wait = op_of(GRAPHCAP_WORK_EVENT_WAIT);
    gc_graph *child, *graph;
    gc_node nodes[4];
    uint32_t kind = 0;
    push_add(inner, buffer, 0, 3);
    child = record(inner);
    desc.graph = child;
    record_event.event = wait.event = event;
    push(script, &desc);
    push(script, &record_event);
    push(script, &wait);
    push_copy(script, buffer, 1, 0);
    graph = record(script);
    CHECK(count_nodes(graph) == 4);
    REQUIRE_OK(gc_graph_get_order(graph, nodes, 4, NULL));
    CHECK_OK(gc_node_kind(graph, nodes[0], &kind));
    CHECK(kind == GRAPHCAP_NODE_CHILD);
    CHECK_OK(gc_node_kind(graph, nodes[1], &kind));
    CHECK(kind == GRAPHCAP_NODE_EVENT_RECORD);
    CHECK_OK(gc_node_kind(graph, nodes[2], &kind));
    CHECK(kind == GRAPHCAP_NODE_EVENT_WAIT);
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 1) == 3);
    CHECK_OK(gc_event_synchronize(event));
    /* Not captured, the graph is launched and the event recorded. */
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    CHECK_OK(gc_event_synchronize(event));
    CHECK(read_u32(rig.stream, buffer, 1) == 6);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_script_destroy(inner));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Decides by word 0 about scripts that change word 1. */
static gc_script *open_conditional(uint32_t kind, const gc_buffer *buffer, gc_script *const *bodies, uint32_t count) {
    gc_script *script = open_script();
    gc_work desc = op_of(GRAPHCAP_WORK_CONDITIONAL);
    desc.buffer = buffer;
    desc.conditional_kind = kind;
    desc.bodies = (const gc_script *const *)bodies;
    desc.body_count = count;
    push(script, &desc);
    push_add(script, buffer, 2, 1);
    return script;
}

static void values_decide_about_scripts(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *bodies[2], *decided, *loop;
    gc_graph *graph;
    uint32_t value;
    size_t i;
    for (i = 0; i < 2; i++) {
        bodies[i] = open_script();
        push_add(bodies[i], buffer, 1, i == 0 ? 1 : 100);
    }
    decided = open_conditional(GRAPHCAP_CONDITIONAL_IF, buffer, bodies, 2);
    graph = record(decided);
    for (value = 0; value < 2; value++) {
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, value, 4, 1));
        run(graph);
    }
    CHECK(read_u32(rig.stream, buffer, 1) == 101 && read_u32(rig.stream, buffer, 2) == 2);
    CHECK_OK(gc_graph_destroy(graph));
    /* Not captured, it runs as well. */
    CHECK_OK(gc_script_submit(decided, rig.stream, NULL));
    CHECK(read_u32(rig.stream, buffer, 1) == 102 && read_u32(rig.stream, buffer, 2) == 3);
    /* Bodies are as they were when the op was pushed. */
    push_add(bodies[0], buffer, 3, 1);
    CHECK_OK(gc_script_submit(decided, rig.stream, NULL));
    CHECK(read_u32(rig.stream, buffer, 1) == 103 && read_u32(rig.stream, buffer, 3) == 0);
    CHECK_OK(gc_script_destroy(bodies[0]));
    /* Counts word 0 down to 0. */
    bodies[0] = open_script();
    push_add(bodies[0], buffer, 0, 0xffffffffu);
    push_add(bodies[0], buffer, 1, 1000);
    loop = open_conditional(GRAPHCAP_CONDITIONAL_WHILE, buffer, bodies, 1);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 7, 4, 1));
    graph = record(loop);
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 0) == 0 && read_u32(rig.stream, buffer, 1) == 7103);
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_script_destroy(bodies[i]));
    CHECK_OK(gc_script_destroy(decided));
    CHECK_OK(gc_script_destroy(loop));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void never_called(void *user_data) {
    (void)user_data;
    CHECK(0);
}

/* What bodies cannot have is refused when the conditional is pushed, with the op. */
static void bodies_have_no_ops_of_the_cpu(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_event *event = NULL;
    gc_script *body, *script = open_script();
    gc_work desc = op_of(GRAPHCAP_WORK_CONDITIONAL), within;
    uint32_t kind;
    CHECK_OK(gc_event_create(rig.context, NULL, &event));
    desc.buffer = buffer;
    desc.conditional_kind = GRAPHCAP_CONDITIONAL_IF;
    desc.bodies = (const gc_script *const *)&body;
    desc.body_count = 1;
    for (kind = GRAPHCAP_WORK_HOST; kind <= GRAPHCAP_WORK_EVENT_WAIT; kind++) {
        if (kind == GRAPHCAP_WORK_CHILD_GRAPH || kind == GRAPHCAP_WORK_CONDITIONAL)
            continue;
        body = open_script();
        push_add(body, buffer, 1, 1);
        within = op_of(kind);
        within.name = "out of place";
        within.function = kind == GRAPHCAP_WORK_HOST ? never_called : NULL;
        within.event = kind == GRAPHCAP_WORK_EVENT_RECORD || kind == GRAPHCAP_WORK_EVENT_WAIT ? event : NULL;
        push(body, &within);
        CHECK_MESSAGE(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_VALUE, "body 0: op 1 (out of place)");
        CHECK_OK(gc_script_destroy(body));
    }
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* ---- Ops of the caller's ---- */

struct op {
    const gc_buffer *buffer;
    const char *name;
    gc_status answer, prepared;
    unsigned records, prepares, destroyed;
    int breaks, ends;
    const gc_record_context *seen;
    const gc_stream *stream;
};

static gc_status record_op(const gc_record_context *context, void *user_data) {
    struct op *op = (struct op *)user_data;
    gc_graph *graph = NULL;
    gc_node node = 0;
    op->records++;
    op->seen = context;
    REQUIRE_OK(gc_record_context_stream(context, &op->stream));
    if (op->ends) {
        CHECK_OK(gc_stream_end_capture(op->stream, &graph));
        CHECK_OK(gc_graph_destroy(graph));
        return GRAPHCAP_SUCCESS;
    }
    if (op->breaks)
        CHECK_STATUS(gc_stream_synchronize(op->stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    if (op->breaks || op->answer != GRAPHCAP_SUCCESS)
        return op->answer;
    CHECK_OK(launch_add(&rig, op->stream, op->buffer, 0, 1, 1));
    if (capture_state(op->stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE) {
        CHECK_OK(gc_record_context_graph(context, &graph));
        CHECK_OK(gc_graph_add_empty_node(graph, NULL, 0, &node));
        CHECK_OK(gc_graph_destroy(graph));
    } else {
        CHECK_STATUS(gc_record_context_graph(context, &graph), GRAPHCAP_ERROR_ILLEGAL_STATE);
    }
    return GRAPHCAP_SUCCESS;
}

static gc_status prepare_op(const gc_context *context, void *user_data) {
    struct op *op = (struct op *)user_data;
    gc_device_kind kind;
    op->prepares++;
    CHECK_OK(gc_context_device_kind(context, &kind));
    return op->prepared;
}

static const char *name_op(void *user_data) {
    return ((const struct op *)user_data)->name;
}

static void destroy_op(void *user_data) {
    count_call(&((struct op *)user_data)->destroyed);
}

static void push_op(const gc_script *script, struct op *op) {
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    vtable.record = record_op;
    vtable.prepare = prepare_op;
    vtable.name = name_op;
    vtable.destroy = destroy_op;
    REQUIRE_OK(gc_script_push_op(script, &vtable, op));
}

static void ops_of_the_caller_record_themselves(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *script = open_script();
    struct op op;
    gc_graph *graph;
    gc_stream *stream = NULL;
    memset(&op, 0, sizeof op);
    op.buffer = buffer;
    push_op(script, &op);
    CHECK_OK(gc_script_prepare(script, NULL));
    graph = record(script);
    CHECK(count_nodes(graph) == 2 && op.prepares == 1 && op.records == 1);
    run(graph);
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    CHECK(read_u32(rig.stream, buffer, 0) == 2 && op.records == 2 && op.prepares == 1);
    /* What it was given is dead. */
    CHECK_STATUS(gc_record_context_stream(op.seen, (const gc_stream **)&stream), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_STATUS(gc_stream_synchronize(op.stream), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(op.destroyed == 0);
    CHECK_OK(gc_script_destroy(script));
    CHECK(await_count(&op.destroyed, 1) && count_of(&op.destroyed) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static gc_status record_with_pool(const gc_record_context *context, void *user_data) {
    gc_pool *pool = NULL;
    uint64_t id = 0;
    gc_status status = gc_record_context_pool(context, &pool);
    if (status != GRAPHCAP_SUCCESS)
        return status;
    CHECK_OK(gc_pool_id(pool, &id));
    CHECK_OK(gc_pool_destroy(pool));
    *(uint64_t *)user_data = id;
    return GRAPHCAP_SUCCESS;
}

/* Where the caller captures with a pool, ops get it. */
static void ops_get_the_pool_of_the_capture(void) {
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    gc_script *script = open_script();
    gc_graph *graph = NULL;
    gc_pool *pool = NULL;
    uint64_t id = 0, seen = 0;
    REQUIRE_OK(gc_pool_create(rig.context, NULL, &pool));
    CHECK_OK(gc_pool_id(pool, &id));
    vtable.record = record_with_pool;
    REQUIRE_OK(gc_script_push_op(script, &vtable, &seen));
    CHECK_STATUS(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_STATUS(gc_script_submit(script, rig.stream, NULL), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK(seen == 0);
    CHECK_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, pool));
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(seen == id);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_pool_destroy(pool));
}

static gc_status record_and_tell(const gc_record_context *context, void *user_data) {
    (void)context;
    CHECK_OK(gc_callback_set_message("the weights are missing"));
    return *(const gc_status *)user_data;
}

/* An op tells why it fails. What one told that succeeded is forgotten. */
static void ops_tell_why_they_fail(void) {
    static gc_status fails = 77, succeeds = GRAPHCAP_SUCCESS;
    gc_op_vtable telling = GRAPHCAP_OP_VTABLE_INIT;
    gc_script *script = open_script();
    gc_graph *graph = NULL;
    struct op op;
    memset(&op, 0, sizeof op);
    telling.record = record_and_tell;
    REQUIRE_OK(gc_script_push_op(script, &telling, &succeeds));
    CHECK_OK(gc_graph_destroy(record(script)));
    op.answer = 78;
    push_op(script, &op);
    CHECK_MESSAGE(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph), 78, "op 1 (op)");
    CHECK(strstr(last_message(), "weights") == NULL);
    CHECK_OK(gc_script_destroy(script));
    script = open_script();
    REQUIRE_OK(gc_script_push_op(script, &telling, &fails));
    CHECK_MESSAGE(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph), 77,
                  "its function returned 77: the weights are missing");
    CHECK_OK(gc_script_destroy(script));
}

/* An op that submits another script, whose op tells something and succeeds. */
struct outer {
    gc_script *inner;
    const char *text;
};

static gc_status record_outer(const gc_record_context *context, void *user_data) {
    const struct outer *outer = (const struct outer *)user_data;
    const gc_stream *stream = NULL;
    if (outer->text != NULL)
        CHECK_OK(gc_callback_set_message(outer->text));
    CHECK_OK(gc_record_context_stream(context, &stream));
    CHECK_OK(gc_script_submit(outer->inner, stream, NULL));
    return 77;
}

/* What an op told is its own, whatever the ops tell of a script that it submits. */
static void ops_within_ops_tell_for_themselves(void) {
    static gc_status succeeds = GRAPHCAP_SUCCESS;
    static const char *const texts[] = {"the outer reason", NULL};
    gc_op_vtable telling = GRAPHCAP_OP_VTABLE_INIT, around = GRAPHCAP_OP_VTABLE_INIT;
    gc_graph *graph = NULL;
    size_t i;
    telling.record = record_and_tell;
    around.record = record_outer;
    for (i = 0; i < LENGTH_OF(texts); i++) {
        struct outer outer;
        gc_script *script = open_script();
        outer.inner = open_script();
        outer.text = texts[i];
        REQUIRE_OK(gc_script_push_op(outer.inner, &telling, &succeeds));
        REQUIRE_OK(gc_script_push_op(script, &around, &outer));
        CHECK_MESSAGE(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph), 77,
                      texts[i] != NULL ? texts[i] : "returned 77");
        CHECK(strstr(last_message(), "weights") == NULL);
        CHECK_OK(gc_script_destroy(script));
        CHECK_OK(gc_script_destroy(outer.inner));
    }
}

static void the_op_that_fails_is_named(void) {
    static const struct {
        int breaks, ends;
        gc_status answer, prepared, expected;
        const char *word;
    } cases[] = {
        {0, 0, 77, 0, 77, "returned 77"},
        {0, 0, 0, 78, 78, "could not be prepared"},
        {1, 0, 0, 0, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "broke the capture"},
        {0, 1, 0, 0, GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "ended the capture"},
        {1, 0, 79, 0, 79, "gc_stream_synchronize"},
    };
    gc_buffer *buffer = open_buffer(rig.context, 64);
    size_t i;
    for (i = 0; i < LENGTH_OF(cases); i++) {
        gc_script_failure failure = GRAPHCAP_SCRIPT_FAILURE_INIT;
        gc_script *script = open_script();
        gc_graph *graph = (gc_graph *)(void *)&failure;
        struct op op;
        memset(&op, 0, sizeof op);
        op.breaks = cases[i].breaks;
        op.ends = cases[i].ends;
        op.answer = cases[i].answer;
        op.prepared = cases[i].prepared;
        op.name = "softmax";
        push_add(script, buffer, 0, 1);
        push_op(script, &op);
        push_add(script, buffer, 0, 1);
        CHECK(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &failure, &graph) == cases[i].expected);
        CHECK(graph == NULL && failure.status == cases[i].expected && failure.has_op == 1 && failure.op_index == 1);
        CHECK(strcmp(failure.op_name, "softmax") == 0);
        CHECK(check_contains(last_message(), "op 1 (softmax)") && check_contains(last_message(), cases[i].word));
        CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
        /* Another time it works. */
        op.breaks = op.ends = 0;
        op.answer = op.prepared = 0;
        op.buffer = buffer;
        CHECK_OK(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &failure, &graph));
        CHECK(failure.status == 0 && failure.has_op == 0 && failure.op_name[0] == 0);
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_script_destroy(script));
        CHECK(await_count(&op.destroyed, 1));
    }
    CHECK(read_u32(rig.stream, buffer, 0) == 0);
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void a_failed_submit_leaves_the_capture_to_its_owner(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *script = open_script();
    gc_script_failure failure = GRAPHCAP_SCRIPT_FAILURE_INIT;
    gc_graph *graph = NULL;
    gc_work desc = op_of(GRAPHCAP_WORK_MEMSET);
    const gc_memset_params beyond = GRAPHCAP_MEMSET_INIT(buffer, 60, 0, 4, 2, 1, 0);
    push_add(script, buffer, 0, 1);
    desc.memset_params = &beyond;
    desc.name = "too far";
    push(script, &desc);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_script_submit(script, rig.stream, &failure), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(failure.op_index == 1 && strcmp(failure.op_name, "too far") == 0);
    CHECK_STATUS(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &failure, &graph),
                 GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK(failure.has_op == 0 && failure.status == GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(count_nodes(graph) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void descriptions_that_are_wrong_are_refused(void) {
    gc_script *script = open_script();
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_work desc = op_of(99), host = op_of(GRAPHCAP_WORK_HOST);
    unsigned destroyed = 0;
    CHECK_STATUS(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_script_push(script, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    desc = op_of(GRAPHCAP_WORK_KERNEL);
    CHECK_STATUS(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_HANDLE);
    desc = op_of(GRAPHCAP_WORK_MEMSET);
    CHECK_STATUS(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(check_contains(last_message(), "work.memset_params"));
    desc.buffer = buffer;
    CHECK_STATUS(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(check_contains(last_message(), "work.buffer"));
    host.user_data = &destroyed;
    host.destroy = count_call;
    CHECK_STATUS(gc_script_push(script, &host), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(await_count(&destroyed, 1) && count_of(&destroyed) == 1);
    host.function = count_call;
    host.body_count = 1;
    CHECK_STATUS(gc_script_push(script, &host), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(await_count(&destroyed, 2) && count_of(&destroyed) == 2);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_script_destroy(script));
}

int main(void) {
    rig_open(&rig);
    RUN(ops_run_in_order_however_they_are_submitted);
    RUN(a_script_keeps_what_it_uses_and_so_do_its_graphs);
    RUN(graphs_and_events_are_ops);
    RUN(values_decide_about_scripts);
    RUN(bodies_have_no_ops_of_the_cpu);
    RUN(ops_of_the_caller_record_themselves);
    RUN(ops_get_the_pool_of_the_capture);
    RUN(ops_tell_why_they_fail);
    RUN(ops_within_ops_tell_for_themselves);
    RUN(the_op_that_fails_is_named);
    RUN(a_failed_submit_leaves_the_capture_to_its_owner);
    RUN(descriptions_that_are_wrong_are_refused);
    rig_close(&rig);
    return check_finish();
}
