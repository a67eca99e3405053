/* Conditionals of scripts within each other: random scripts beside a serial program, in what order bodies run, and what is refused. */
#include "scripts.h"

enum { WORDS = 8, COUNTERS = 8, LEVELS = 8, MOST = 4096 };

/* What a statement of a random program does with the words; those behind the first ones count turns of loops. */
enum act { SET, ADD, COPY, DECIDE };

struct statement {
    enum act act;
    unsigned word, other, value;
    uint32_t kind; /* of a decision */
    unsigned body_count;
    struct block *bodies[3];
};

struct block {
    unsigned count;
    struct statement *statements[6];
};

static struct statement statements[MOST];
static struct block blocks[MOST];
static unsigned statements_used, blocks_used;
static uint64_t random_state;

static unsigned pick(unsigned below) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 33) % below;
}

static struct block *make_block(unsigned level);

static struct statement *make_statement(unsigned level) {
    struct statement *made = &statements[statements_used++];
    unsigned i;
    made->act = (enum act)pick(level < 4 && statements_used < MOST / 2 ? 4 : 3);
    made->word = pick(WORDS);
    made->other = pick(WORDS);
    made->value = pick(4);
    made->body_count = 0;
    if (made->act == DECIDE) {
        static const uint32_t kinds[] = {GRAPHCAP_CONDITIONAL_IF, GRAPHCAP_CONDITIONAL_WHILE, GRAPHCAP_CONDITIONAL_SWITCH};
        made->kind = kinds[pick(3)];
        made->body_count = made->kind == GRAPHCAP_CONDITIONAL_WHILE ? 1 : 1 + pick(made->kind == GRAPHCAP_CONDITIONAL_IF ? 2 : 3);
        if (made->kind == GRAPHCAP_CONDITIONAL_WHILE)
            made->word = WORDS + level;
        for (i = 0; i < made->body_count; i++)
            made->bodies[i] = make_block(level + 1);
    }
    return made;
}

static struct block *make_block(unsigned level) {
    struct block *made = &blocks[blocks_used++];
    unsigned i, count = pick(5);
    made->count = 0;
    for (i = 0; i < count; i++)
        made->statements[made->count++] = make_statement(level);
    return made;
}

/* ---- As a serial program ---- */

static void run_block(const struct block *block, uint32_t *words);

static void run_statement(const struct statement *it, uint32_t *words) {
    uint32_t value;
    switch (it->act) {
    case SET:
        words[it->word] = it->value;
        break;
    case ADD:
        words[it->word] += it->value;
        break;
    case COPY:
        words[it->word] = words[it->other];
        break;
    case DECIDE:
        if (it->kind == GRAPHCAP_CONDITIONAL_WHILE) {
            for (words[it->word] = it->value; words[it->word] != 0; words[it->word]--)
                run_block(it->bodies[0], words);
            break;
        }
        value = words[it->word];
        if (it->kind == GRAPHCAP_CONDITIONAL_IF)
            value = value != 0 ? 0 : 1;
        if (value < it->body_count)
            run_block(it->bodies[value], words);
        break;
    }
}

static void run_block(const struct block *block, uint32_t *words) {
    unsigned i;
    for (i = 0; i < block->count; i++)
        run_statement(block->statements[i], words);
}

/* ---- As a script ---- */

static void push_decision(const gc_script *script, const gc_buffer *buffer, unsigned word, uint32_t kind, gc_script *const *bodies,
                          unsigned count) {
    gc_work desc = op_of(GRAPHCAP_WORK_CONDITIONAL);
    desc.buffer = buffer;
    desc.offset = word * sizeof(uint32_t);
    desc.conditional_kind = kind;
    desc.bodies = (const gc_script *const *)bodies;
    desc.body_count = count;
    push(script, &desc);
}

static gc_script *script_of(const struct block *block, const gc_buffer *buffer);

static void push_statement(const gc_script *script, const struct statement *it, const gc_buffer *buffer) {
    gc_script *bodies[3];
    unsigned i;
    switch (it->act) {
    case SET:
        push_set(script, buffer, it->word, it->value);
        break;
    case ADD:
        push_add(script, buffer, it->word, it->value);
        break;
    case COPY:
        if (it->word != it->other)
            push_copy(script, buffer, it->word, it->other);
        break;
    case DECIDE:
        for (i = 0; i < it->body_count; i++)
            bodies[i] = script_of(it->bodies[i], buffer);
        if (it->kind == GRAPHCAP_CONDITIONAL_WHILE) {
            push_set(script, buffer, it->word, it->value);
            push_add(bodies[0], buffer, it->word, 0xffffffffu);
        }
        push_decision(script, buffer, it->word, it->kind, bodies, it->body_count);
        for (i = 0; i < it->body_count; i++)
            CHECK_OK(gc_script_destroy(bodies[i]));
        break;
    }
}

static gc_script *script_of(const struct block *block, const gc_buffer *buffer) {
    gc_script *script = open_script();
    unsigned i;
    for (i = 0; i < block->count; i++)
        push_statement(script, block->statements[i], buffer);
    return script;
}

/* ---- Tests ---- */

static int are_words(const gc_buffer *buffer, const uint32_t *words) {
    uint32_t seen[WORDS];
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, seen, buffer, 0, sizeof seen));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    return memcmp(seen, words, sizeof seen) == 0;
}

static void random_scripts_do_what_a_serial_program_does(void) {
    unsigned round, count = soak(60, 2000);
    for (round = 0; round < count; round++) {
        gc_buffer *buffer = open_buffer(rig.context, (WORDS + COUNTERS) * sizeof(uint32_t));
        uint32_t words[WORDS + COUNTERS] = {0};
        struct block *program;
        gc_script *script;
        gc_graph *graph;
        gc_graph_exec *exec;
        unsigned i;
        random_state = round;
        statements_used = blocks_used = 0;
        program = make_block(0);
        script = script_of(program, buffer);
        graph = record(script);
        exec = open_exec(graph);
        for (i = 0; i < 3; i++) {
            run_block(program, words);
            replay(&rig, exec);
            if (check_failed(are_words(buffer, words)))
                fprintf(stderr, "replay %u of program %u differs\n", i, round);
        }
        run_block(program, words);
        CHECK_OK(gc_script_submit(script, rig.stream, NULL));
        if (check_failed(are_words(buffer, words)))
            fprintf(stderr, "program %u, submitted, differs\n", round);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_script_destroy(script));
        CHECK_OK(gc_buffer_destroy(buffer));
    }
}

enum { CHAIN = 8 };

/* The nodes of a body, in the order of its edges, have these kinds, and each depends on the one before it alone: no device has to run
 * them so otherwise. Gives the graph of the first node that is a conditional. */
static gc_graph *expect_chain(const gc_graph *body, const uint32_t *kinds, size_t count) {
    gc_node from[CHAIN], to[CHAIN], node = 0, first = 0;
    gc_graph *within = NULL;
    size_t edges = 0, i, k;
    CHECK(nodes_of(body) == count);
    CHECK_OK(gc_graph_get_edges(body, from, to, NULL, CHAIN, &edges));
    CHECK(edges == count - 1);
    if (edges != count - 1 || edges > CHAIN)
        return NULL;
    for (i = 0; i < edges; i++) {
        for (k = 0; k < edges && to[k] != from[i]; k++)
            ;
        if (k == edges)
            node = from[i];
    }
    for (i = 0; i < count; i++) {
        CHECK(kind_of(body, node) == kinds[i]);
        if (first == 0 && kind_of(body, node) == GRAPHCAP_NODE_CONDITIONAL)
            first = node;
        for (k = 0; k < edges && from[k] != node; k++)
            ;
        CHECK((k < edges) == (i + 1 < count));
        node = k < edges ? to[k] : 0;
    }
    CHECK_OK(gc_node_get_graph(body, first, 0, &within));
    return within;
}

/* In each turn of a loop another one counts, then what it counted is copied, then a decision sets it back. */
static void what_surrounds_a_conditional_stays_around_it(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *script = open_script(), *outer = open_script(), *inner = open_script(), *reset = open_script();
    gc_graph *graph;
    push_add(inner, buffer, 2, 10);
    push_add(inner, buffer, 1, 0xffffffffu);
    push_set(reset, buffer, 2, 0);
    push_set(outer, buffer, 1, 3);
    push_decision(outer, buffer, 1, GRAPHCAP_CONDITIONAL_WHILE, &inner, 1);
    push_copy(outer, buffer, 3, 2);
    push_add(outer, buffer, 4, 1);
    push_decision(outer, buffer, 2, GRAPHCAP_CONDITIONAL_IF, &reset, 1);
    push_add(outer, buffer, 0, 0xffffffffu);
    push_decision(script, buffer, 0, GRAPHCAP_CONDITIONAL_WHILE, &outer, 1);
    push_set(script, buffer, 5, 1);
    CHECK_OK(gc_script_destroy(inner));
    CHECK_OK(gc_script_destroy(outer));
    CHECK_OK(gc_script_destroy(reset));
    graph = record(script);
    {
        const uint32_t around[] = {GRAPHCAP_NODE_KERNEL, GRAPHCAP_NODE_CONDITIONAL, GRAPHCAP_NODE_MEMSET};
        const uint32_t body[CHAIN] = {GRAPHCAP_NODE_CHILD,       GRAPHCAP_NODE_KERNEL, GRAPHCAP_NODE_CONDITIONAL,
                                      GRAPHCAP_NODE_CHILD,       GRAPHCAP_NODE_KERNEL, GRAPHCAP_NODE_CONDITIONAL,
                                      GRAPHCAP_NODE_CHILD,       GRAPHCAP_NODE_KERNEL};
        gc_graph *of_loop = expect_chain(graph, around, 3), *of_inner = expect_chain(of_loop, body, CHAIN);
        CHECK_OK(gc_graph_destroy(of_inner));
        CHECK_OK(gc_graph_destroy(of_loop));
    }
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 5, 4, 1));
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 0) == 0 && read_u32(rig.stream, buffer, 1) == 0);
    CHECK(read_u32(rig.stream, buffer, 2) == 0 && read_u32(rig.stream, buffer, 3) == 30);
    CHECK(read_u32(rig.stream, buffer, 4) == 5 && read_u32(rig.stream, buffer, 5) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void conditionals_lie_eight_deep(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *script = open_script();
    gc_work desc = op_of(GRAPHCAP_WORK_CONDITIONAL);
    gc_graph *graph;
    unsigned level;
    push_add(script, buffer, 1, 1);
    for (level = 0; level < LEVELS; level++) {
        gc_script *around = open_script();
        push_add(around, buffer, 1, 1);
        push_decision(around, buffer, 0, GRAPHCAP_CONDITIONAL_IF, &script, 1);
        push_add(around, buffer, 1, 1);
        CHECK_OK(gc_script_destroy(script));
        script = around;
    }
    graph = record(script);
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 1) == 2);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 1, 4, 1));
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 1) == 2 + 1 + 2 * LEVELS);
    CHECK_OK(gc_graph_destroy(graph));
    desc.buffer = buffer;
    desc.conditional_kind = GRAPHCAP_CONDITIONAL_IF;
    desc.bodies = (const gc_script *const *)&script;
    desc.body_count = 1;
    CHECK_MESSAGE(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_VALUE, "there would be 9; there can be at most 8");
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* An op of the caller's, which may fail, and which counts its calls. */
struct own {
    const gc_buffer *buffer;
    gc_status answer;
    unsigned *calls, order;
};

static gc_status record_own(const gc_record_context *context, void *user_data) {
    struct own *own = (struct own *)user_data;
    const gc_stream *stream = NULL;
    own->order = ++*own->calls;
    CHECK_OK(gc_record_context_stream(context, &stream));
    CHECK_OK(gc_stream_memset(stream, own->buffer, 4, 9, 4, 1));
    return own->answer;
}

static const char *name_own(void *user_data) {
    (void)user_data;
    return "own";
}

/* Ops are recorded in their order. One that fails is named with all that it lies in, and leaves nothing behind. */
static void ops_of_the_caller_are_recorded_in_order(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *script = open_script(), *outer = open_script(), *inner = open_script();
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    gc_script_failure failure = GRAPHCAP_SCRIPT_FAILURE_INIT;
    unsigned calls = 0, i;
    struct own owns[3];
    gc_graph *graph = NULL;
    int32_t is_capturing = 1;
    vtable.record = record_own;
    vtable.name = name_own;
    for (i = 0; i < 3; i++) {
        owns[i].buffer = buffer;
        owns[i].answer = GRAPHCAP_SUCCESS;
        owns[i].calls = &calls;
    }
    push_add(inner, buffer, 2, 1);
    REQUIRE_OK(gc_script_push_op(inner, &vtable, &owns[1]));
    push_add(outer, buffer, 3, 1);
    REQUIRE_OK(gc_script_push_op(outer, &vtable, &owns[0]));
    push_decision(outer, buffer, 0, GRAPHCAP_CONDITIONAL_IF, &inner, 1);
    push_add(outer, buffer, 3, 1);
    REQUIRE_OK(gc_script_push_op(outer, &vtable, &owns[2]));
    push_decision(script, buffer, 0, GRAPHCAP_CONDITIONAL_IF, &outer, 1);
    graph = record(script);
    CHECK(owns[0].order == 1 && owns[1].order == 2 && owns[2].order == 3);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 1, 4, 1));
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 1) == 9 && read_u32(rig.stream, buffer, 2) == 1 && read_u32(rig.stream, buffer, 3) == 2);
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < 3; i++) {
        static const char *const places[] = {"op 0 (if) could not be recorded: op 1 (own) could not be recorded",
                                             "op 0 (if) could not be recorded: op 2 (if) could not be recorded: op 1 (own) could",
                                             "op 0 (if) could not be recorded: op 4 (own) could not be recorded"};
        char message[1024] = "";
        owns[i].answer = GRAPHCAP_ERROR_TIMEOUT;
        CHECK_STATUS(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &failure, &graph), GRAPHCAP_ERROR_TIMEOUT);
        CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
        CHECK(check_contains(message, places[i]));
        CHECK(graph == NULL && failure.op_index == 0);
        CHECK_OK(gc_stream_is_capturing(rig.stream, &is_capturing));
        CHECK(is_capturing == 0);
        owns[i].answer = GRAPHCAP_SUCCESS;
    }
    CHECK_OK(gc_script_destroy(inner));
    CHECK_OK(gc_script_destroy(outer));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Into a capture of the caller's as well, and optimized. */
static void they_can_be_captured_and_optimized(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *script = open_script(), *outer = open_script(), *inner = open_script();
    gc_graph *graph = NULL;
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    push_add(inner, buffer, 1, 100);
    push_add(outer, buffer, 1, 1);
    push_decision(outer, buffer, 0, GRAPHCAP_CONDITIONAL_IF, &inner, 1);
    push_copy(outer, buffer, 2, 1);
    push_decision(script, buffer, 0, GRAPHCAP_CONDITIONAL_IF, &outer, 1);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 1, 4, 1));
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 1) == 202 && read_u32(rig.stream, buffer, 2) == 202);
    options.flags = GRAPHCAP_OPTIMIZE_IN_PLACE;
    CHECK_OK(gc_graph_optimize(graph, &options, NULL, NULL, NULL));
    run(graph);
    CHECK(read_u32(rig.stream, buffer, 1) == 404 && read_u32(rig.stream, buffer, 2) == 404);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(inner));
    CHECK_OK(gc_script_destroy(outer));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A capture into a body has no bodies of its own before its end: nothing of the op is recorded. */
static void none_is_captured_into_a_body(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *script = open_script(), *inner = open_script();
    gc_graph *graph = open_graph(rig.context), *body = NULL, *ended = NULL;
    gc_condition condition = 0;
    gc_node node = 0;
    size_t count = 1;
    push_add(inner, buffer, 1, 1);
    push_decision(script, buffer, 0, GRAPHCAP_CONDITIONAL_WHILE, &inner, 1);
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
    REQUIRE_OK(gc_stream_begin_capture_to_graph(rig.stream, body, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_MESSAGE(gc_script_submit(script, rig.stream, NULL), GRAPHCAP_ERROR_NOT_SUPPORTED, "goes into a body");
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &ended));
    CHECK_OK(gc_graph_get_nodes(body, NULL, 0, &count));
    CHECK(count == 0);
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_script_destroy(inner));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void push_fill(const gc_script *script, const gc_rng_uniform_params *fill) {
    gc_work desc = op_of(GRAPHCAP_WORK_RNG_UNIFORM);
    desc.rng_uniform_params = fill;
    push(script, &desc);
}

/* Random numbers are drawn in the order of the ops: before the inner conditional, in it, and behind it. */
static void fills_draw_in_order(void) {
    enum { EACH = 5 };
    gc_buffer *drawn = open_buffer(rig.context, 3 * EACH * sizeof(float)), *flag = open_buffer(rig.context, 4);
    gc_buffer *expected = open_buffer(rig.context, 3 * EACH * sizeof(float));
    gc_script *script = open_script(), *outer = open_script(), *inner = open_script();
    gc_rng_uniform_params fill = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    float numbers[2][3 * EACH];
    gc_rng *rng = NULL;
    gc_graph *graph;
    gc_graph_exec *exec;
    unsigned turn;
    REQUIRE_OK(gc_rng_create(rig.stream, 11, 3, &rng));
    fill.rng = rng, fill.buffer = drawn, fill.count = EACH;
    push_fill(outer, &fill);
    fill.offset = EACH * sizeof(float);
    push_fill(inner, &fill);
    push_decision(outer, flag, 0, GRAPHCAP_CONDITIONAL_IF, &inner, 1);
    fill.offset = 2 * EACH * sizeof(float);
    push_fill(outer, &fill);
    push_decision(script, flag, 0, GRAPHCAP_CONDITIONAL_IF, &outer, 1);
    CHECK_OK(gc_stream_memset(rig.stream, flag, 0, 1, 4, 1));
    graph = record(script);
    exec = open_exec(graph);
    fill.buffer = expected, fill.offset = 0, fill.count = 3 * EACH, fill.flags = GRAPHCAP_RNG_REPEAT;
    for (turn = 0; turn < 4; turn++) {
        replay(&rig, exec);
        fill.first = turn * 3 * EACH;
        CHECK_OK(gc_stream_fill_uniform(rig.stream, &fill));
        CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, numbers[0], drawn, 0, sizeof numbers[0]));
        CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, numbers[1], expected, 0, sizeof numbers[1]));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(memcmp(numbers[0], numbers[1], sizeof numbers[0]) == 0);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(inner));
    CHECK_OK(gc_script_destroy(outer));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_rng_destroy(rng));
    CHECK_OK(gc_buffer_destroy(drawn));
    CHECK_OK(gc_buffer_destroy(expected));
    CHECK_OK(gc_buffer_destroy(flag));
}

int main(void) {
    rig_open(&rig);
    RUN(random_scripts_do_what_a_serial_program_does);
    RUN(what_surrounds_a_conditional_stays_around_it);
    RUN(conditionals_lie_eight_deep);
    RUN(ops_of_the_caller_are_recorded_in_order);
    RUN(they_can_be_captured_and_optimized);
    RUN(none_is_captured_into_a_body);
    RUN(fills_draw_in_order);
    rig_close(&rig);
    return check_finish();
}
