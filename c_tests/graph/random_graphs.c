/* Random graphs: built by hand with child graphs and conditionals, cloned, written as JSON and read back, edited, instantiated,
 * edited again as execs, and replayed. What they do is worked out on the side; both must agree.
 *
 * usage: random_graphs [--count N] [--seed N] */
#include "nodes.h"
#include "rounds.h"

enum {
    /* Words of the buffer: cells, and a counter for each depth, by which conditionals decide. Then words of pinned memory. */
    CELLS = 10,
    DEPTH = 3,
    WORDS = CELLS + DEPTH,
    PINNED = 2,
    STEPS = 16,
    SEQUENCES = 256,
    NAMES = 256
};

static struct rig rig;
static gc_buffer *buffer;
static gc_host_buffer *pinned;
static uint32_t *pinned_words;
static gc_event *event;
static unsigned calls;
static uint32_t seed;

static unsigned below(unsigned limit) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % limit;
}

enum kind { MIX, ADD, SET, COPY, NOTHING, LAST_IN_BODIES = NOTHING, OUT, IN, WRITE, CALL, RECORD, WAIT, CHILD, IF, SWITCH, WHILE };

struct step {
    enum kind kind;
    unsigned result, a, b;
    uint32_t constant;
    struct sequence *within[2];
    unsigned within_count;
    /* In the graph as it is now: its nodes in the order in which they were made, the last of which does the work. */
    gc_node nodes[3];
    unsigned node_count;
    int is_gone, is_off;
};

struct sequence {
    struct step steps[STEPS];
    unsigned length;
};

/* All sequences of the graph under test, and the functions of its host nodes. */
static struct sequence sequences[SEQUENCES];
static unsigned sequence_count, name_count;
static char names[NAMES][16];

/* Which edges between steps of the outermost sequence are there: 1 for those that keep the order, 2 for others. */
static char edges[STEPS][STEPS];

enum place { OUTERMOST, IN_CHILD, IN_BODY };

static struct sequence *make_sequence(enum place place, unsigned depth);

static void make_step(struct step *step, enum place place, unsigned depth) {
    unsigned roll = below(100), i;
    memset(step, 0, sizeof *step);
    step->kind = (enum kind)below(place == IN_BODY ? LAST_IN_BODIES + 1 : WAIT + 1);
    if (depth > 0 && roll < 12 && place != IN_BODY)
        step->kind = CHILD;
    else if (depth > 0 && roll < 30 && place != IN_CHILD)
        step->kind = (enum kind)(IF + below(3));
    step->result = below(step->kind == OUT ? PINNED : CELLS);
    step->a = below(step->kind == IN ? PINNED : CELLS);
    step->b = below(CELLS);
    if (step->kind == COPY && step->a == step->result)
        step->a = (step->a + 1) % CELLS;
    step->constant = below(1000);
    if (step->kind >= IF)
        step->constant %= 4;
    step->within_count = step->kind == CHILD || step->kind == WHILE ? 1 : step->kind >= IF ? 1 + below(2) : 0;
    for (i = 0; i < step->within_count; i++)
        step->within[i] = make_sequence(step->kind == CHILD ? IN_CHILD : IN_BODY, depth - 1);
}

static struct sequence *make_sequence(enum place place, unsigned depth) {
    struct sequence *sequence = &sequences[sequence_count++];
    unsigned i;
    CHECK(sequence_count <= SEQUENCES);
    sequence->length = place == OUTERMOST ? 1 + below(STEPS - 4) : below(4);
    for (i = 0; i < sequence->length; i++)
        make_step(&sequence->steps[i], place, depth);
    return sequence;
}

static int is_decided(const struct step *step) {
    return step->kind >= IF;
}

static int has_conditions(const struct sequence *sequence) {
    unsigned i;
    for (i = 0; i < sequence->length; i++)
        if (is_decided(&sequence->steps[i]))
            return 1;
    return 0;
}

/* ---- The reference ---- */

struct state {
    uint32_t words[WORDS], pinned[PINNED];
    unsigned calls;
};

static void work_out(const struct sequence *sequence, struct state *state, unsigned depth);

static void work_out_step(const struct step *step, struct state *state, unsigned depth) {
    uint32_t *words = state->words, *counter = &state->words[CELLS + depth];
    switch (step->kind) {
    case MIX: words[step->result] = mixed(words[step->a], words[step->b], step->constant); break;
    case ADD: words[step->result] += step->constant; break;
    case WRITE:
    case SET: words[step->result] = step->constant; break;
    case COPY: words[step->result] = words[step->a]; break;
    case OUT: state->pinned[step->result] = words[step->b]; break;
    case IN: words[step->result] = state->pinned[step->a]; break;
    case CALL: state->calls++; break;
    case NOTHING:
    case RECORD:
    case WAIT: break;
    case CHILD: work_out(step->within[0], state, depth + 1); break;
    case IF:
        *counter = words[step->a];
        if (*counter != 0)
            work_out(step->within[0], state, depth + 1);
        else if (step->within_count > 1)
            work_out(step->within[1], state, depth + 1);
        break;
    case SWITCH:
        *counter = step->constant;
        if (step->constant < step->within_count)
            work_out(step->within[step->constant], state, depth + 1);
        break;
    case WHILE:
        for (*counter = step->constant; *counter != 0; --*counter)
            work_out(step->within[0], state, depth + 1);
        break;
    }
}

static void work_out(const struct sequence *sequence, struct state *state, unsigned depth) {
    unsigned i;
    for (i = 0; i < sequence->length; i++)
        if (!sequence->steps[i].is_gone && !sequence->steps[i].is_off)
            work_out_step(&sequence->steps[i], state, depth);
}

/* ---- Building ---- */

static const struct kernel_call *call_of(struct kernel_call *call, const struct step *step) {
    return step->kind == MIX ? call_mix(call, &rig, buffer, step->result, step->a, step->b, step->constant)
                             : call_add(call, &rig, buffer, step->result, step->constant);
}

static gc_memset_params set_of(unsigned word, uint32_t value) {
    gc_memset_params params = GRAPHCAP_MEMSET_INIT(buffer, 4 * word, value, 4, 1, 1, 0);
    return params;
}

static gc_memcpy_params copy_of(const struct step *step) {
    gc_memcpy_params within = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 4 * step->result, buffer, 4 * step->a, 4);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, buffer, 4 * step->b, 4);
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 4 * step->result, NULL, 4);
    out.destination_host_buffer = pinned;
    out.destination_offset = 4 * step->result;
    in.source_host_buffer = pinned;
    in.source_offset = 4 * step->a;
    return step->kind == OUT ? out : step->kind == IN ? in : within;
}

static void build(const gc_graph *graph, struct sequence *sequence, unsigned depth);

static gc_graph *open_child(struct sequence *sequence, unsigned depth) {
    gc_graph *child = open_graph(rig.context);
    build(child, sequence, depth);
    return child;
}

/* The counter gets its value, the condition gets that of the counter, and the conditional decides by it. */
static void build_decision(const gc_graph *graph, struct step *step, const gc_node *after, size_t count,
                           unsigned depth) {
    static const uint32_t kinds[] = {GRAPHCAP_CONDITIONAL_IF, GRAPHCAP_CONDITIONAL_SWITCH, GRAPHCAP_CONDITIONAL_WHILE};
    const gc_memset_params set = set_of(CELLS + depth, step->constant);
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 4 * (CELLS + depth), buffer, 4 * step->a, 4);
    gc_condition condition = 0;
    gc_graph *body = NULL;
    unsigned i;
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    if (step->kind == IF)
        REQUIRE_OK(gc_graph_add_memcpy_node(graph, after, count, &copy, &step->nodes[0]));
    else
        REQUIRE_OK(gc_graph_add_memset_node(graph, after, count, &set, &step->nodes[0]));
    REQUIRE_OK(gc_graph_add_set_condition_node(graph, &step->nodes[0], 1, condition, buffer, 4 * (CELLS + depth),
                                               &step->nodes[1]));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &step->nodes[1], 1, condition, kinds[step->kind - IF],
                                             step->within_count, &step->nodes[2]));
    for (i = 0; i < step->within_count; i++) {
        REQUIRE_OK(gc_node_get_graph(graph, step->nodes[2], i, &body));
        build(body, step->within[i], depth + 1);
        if (step->kind == WHILE) {
            const struct sequence *turn = step->within[i];
            const struct step *last = turn->length > 0 ? &turn->steps[turn->length - 1] : NULL;
            gc_node before = last != NULL ? last->nodes[last->node_count - 1] : 0;
            gc_node less = add_node(&rig, body, &before, last != NULL, buffer, CELLS + depth, UINT32_MAX), again = 0;
            REQUIRE_OK(gc_graph_add_set_condition_node(body, &less, 1, condition, buffer, 4 * (CELLS + depth), &again));
        }
        CHECK_OK(gc_graph_destroy(body));
    }
    step->node_count = 3;
}

static void build_step(const gc_graph *graph, struct step *step, const gc_node *after, size_t count,
                       unsigned depth) {
    const gc_memset_params set = set_of(step->result, step->constant);
    const gc_memcpy_params copy = copy_of(step);
    const gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 4 * step->result, step->constant, 0);
    struct kernel_call call;
    gc_graph *child;
    gc_node *node = &step->nodes[0];
    step->node_count = 1;
    switch (step->kind) {
    case MIX:
    case ADD: REQUIRE_OK(add_kernel(graph, after, count, call_of(&call, step), node)); break;
    case SET: REQUIRE_OK(gc_graph_add_memset_node(graph, after, count, &set, node)); break;
    case COPY:
    case OUT:
    case IN: REQUIRE_OK(gc_graph_add_memcpy_node(graph, after, count, &copy, node)); break;
    case NOTHING: REQUIRE_OK(gc_graph_add_empty_node(graph, after, count, node)); break;
    case WRITE: REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, after, count, &write, 1, node)); break;
    case RECORD: REQUIRE_OK(gc_graph_add_event_record_node(graph, after, count, event, node)); break;
    case WAIT: REQUIRE_OK(gc_graph_add_event_wait_node(graph, after, count, event, node)); break;
    case CALL:
        REQUIRE_OK(gc_graph_add_host_node(graph, after, count, count_call, &calls, NULL, node));
        /* By which the function is bound. */
        CHECK(name_count < NAMES);
        snprintf(names[name_count], sizeof names[0], "call %u", name_count);
        CHECK_OK(gc_node_set_name(graph, *node, names[name_count++]));
        break;
    case CHILD:
        child = open_child(step->within[0], depth + 1);
        REQUIRE_OK(gc_graph_add_child_node(graph, after, count, child, node));
        CHECK_OK(gc_graph_destroy(child));
        break;
    default: build_decision(graph, step, after, count, depth); break;
    }
}

/* One after another. */
static void build(const gc_graph *graph, struct sequence *sequence, unsigned depth) {
    gc_node before = 0;
    unsigned i;
    for (i = 0; i < sequence->length; i++) {
        struct step *step = &sequence->steps[i];
        build_step(graph, step, &before, i > 0, depth);
        before = step->nodes[step->node_count - 1];
    }
}

struct uses {
    unsigned reads, writes;
};

/* The words of the buffer and then of the pinned memory. */
static struct uses uses_of(const struct step *step) {
    struct uses uses = {0, 0};
    switch (step->kind) {
    case MIX: uses.reads = 1u << step->a | 1u << step->b; uses.writes = 1u << step->result; break;
    case ADD: uses.reads = uses.writes = 1u << step->result; break;
    case WRITE:
    case SET: uses.writes = 1u << step->result; break;
    case COPY: uses.reads = 1u << step->a; uses.writes = 1u << step->result; break;
    case OUT: uses.reads = 1u << step->b; uses.writes = 1u << (WORDS + step->result); break;
    case IN: uses.reads = 1u << (WORDS + step->a); uses.writes = 1u << step->result; break;
    case NOTHING:
    case CALL:
    case RECORD:
    case WAIT: break;
    default: uses.reads = uses.writes = UINT32_MAX; break;
    }
    return uses;
}

/* Adds a step after all that it must not overtake, and after some others. */
static void build_ordered(const gc_graph *graph, struct sequence *sequence, unsigned at) {
    const struct uses own = uses_of(&sequence->steps[at]);
    gc_node after[STEPS];
    size_t count = 0;
    unsigned i;
    for (i = 0; i < at; i++) {
        const struct step *earlier = &sequence->steps[i];
        const struct uses its = uses_of(earlier);
        int is_kept = (its.writes & (own.reads | own.writes)) != 0 || (its.reads & own.writes) != 0;
        if (earlier->is_gone)
            continue;
        edges[i][at] = is_kept ? 1 : below(5) == 0 ? 2 : 0;
        if (edges[i][at] != 0)
            after[count++] = earlier->nodes[earlier->node_count - 1];
    }
    build_step(graph, &sequence->steps[at], after, count, 0);
}

/* ---- Texts ---- */

static char *text_of(const gc_graph *graph) {
    size_t needed = 0;
    char *text;
    CHECK_OK(gc_graph_export_json(graph, NULL, 0, &needed));
    text = (char *)malloc(needed);
    REQUIRE_OK(text != NULL ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_OK(gc_graph_export_json(graph, text, needed, NULL));
    return text;
}

static gc_graph *read_text(const char *text) {
    const gc_graph_binding objects[] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "cells", buffer),
                                        GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_HOST_BUFFER, "pinned", pinned),
                                        GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_EVENT, "done", event),
                                        GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_KERNEL, "mix", rig.mix),
                                        GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_KERNEL, "add", rig.add)};
    gc_graph_binding bindings[LENGTH_OF(objects) + NAMES];
    gc_graph *graph = NULL;
    unsigned i;
    memcpy(bindings, objects, sizeof objects);
    for (i = 0; i < name_count; i++) {
        const gc_graph_binding function = GRAPHCAP_BINDING_INIT_HOST_FUNCTION(names[i], count_call, &calls, NULL);
        bindings[LENGTH_OF(objects) + i] = function;
    }
    REQUIRE_OK(gc_graph_import_json(rig.context, text, strlen(text), bindings, LENGTH_OF(objects) + name_count, &graph));
    return graph;
}

/* Finds the nodes of the steps in a copy of their graph, which has them in the same order. */
static void find_nodes(const gc_graph *graph, struct sequence *sequence) {
    gc_node nodes[3 * STEPS];
    size_t count = 0, at = 0;
    unsigned i, k;
    CHECK_OK(gc_graph_get_nodes(graph, nodes, LENGTH_OF(nodes), &count));
    for (i = 0; i < sequence->length; i++)
        for (k = 0; !sequence->steps[i].is_gone && k < sequence->steps[i].node_count; k++)
            sequence->steps[i].nodes[k] = nodes[at++];
    CHECK(at == count);
}

/* That two graphs differ in nothing but in which functions they call: those of the texts are bound anew. */
static void check_alike(const gc_graph *graph, const gc_graph *other) {
    static char text[1 << 16];
    char *line;
    CHECK_OK(gc_graph_diff(graph, other, text, sizeof text, NULL));
    for (line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        CHECK(check_contains(line, ": function 0x"));
}

/* The graph as it comes out of its text. */
static gc_graph *pass_through_text(gc_graph *graph, struct sequence *sequence) {
    char *text = text_of(graph), *again;
    gc_graph *read = read_text(text);
    if (below(2) == 0)
        check_alike(graph, read);
    CHECK_OK(gc_graph_destroy(graph));
    again = text_of(read);
    CHECK(strcmp(text, again) == 0);
    free(again);
    free(text);
    find_nodes(read, sequence);
    return read;
}

static gc_graph *pass_through_clone(gc_graph *graph, struct sequence *sequence) {
    gc_graph *clone = NULL;
    REQUIRE_OK(gc_graph_clone(graph, &clone));
    check_alike(graph, clone);
    CHECK_OK(gc_graph_destroy(graph));
    find_nodes(clone, sequence);
    return clone;
}

/* ---- Edits ---- */

static void change_edge(const gc_graph *graph, const struct sequence *sequence) {
    unsigned to = 1 + below(sequence->length > 1 ? sequence->length - 1 : 1), from = below(to);
    const struct step *first = &sequence->steps[from], *second = &sequence->steps[to];
    if (to >= sequence->length || first->is_gone || second->is_gone || edges[from][to] == 1)
        return;
    if (edges[from][to] == 2)
        CHECK_OK(gc_graph_remove_dependencies(graph, &first->nodes[first->node_count - 1], &second->nodes[0], 1));
    else
        CHECK_OK(gc_graph_add_dependencies(graph, &first->nodes[first->node_count - 1], &second->nodes[0], NULL, 1));
    edges[from][to] = edges[from][to] == 2 ? 0 : 2;
}

/* Gives the steps of a child other numbers, if all of them are of kinds that have some or need none, and a graph of them. */
static gc_graph *other_child(struct sequence *within) {
    unsigned i;
    for (i = 0; i < within->length; i++)
        if (within->steps[i].kind > NOTHING)
            return NULL;
    for (i = 0; i < within->length; i++)
        within->steps[i].constant = below(1000);
    return open_child(within, 1);
}

/* Gives a step another number, or those of a child. */
static void change_number(const gc_graph *graph, struct step *step) {
    struct kernel_call call;
    gc_memset_params set;
    gc_graph *child = step->kind == CHILD ? other_child(step->within[0]) : NULL;
    if (child != NULL) {
        CHECK_OK(gc_node_set_child(graph, step->nodes[0], child));
        CHECK_OK(gc_graph_destroy(child));
    }
    if (step->kind != MIX && step->kind != ADD && step->kind != SET)
        return;
    step->constant = below(1000);
    if (step->kind == SET) {
        set = set_of(step->result, step->constant);
        CHECK_OK(gc_node_set_memset(graph, step->nodes[0], &set));
    } else {
        CHECK_OK(set_kernel(graph, step->nodes[0], call_of(&call, step)));
    }
}

static void edit(const gc_graph *graph, struct sequence *sequence) {
    struct step *step = &sequence->steps[below(sequence->length)];
    switch (below(4)) {
    case 0: change_edge(graph, sequence); break;
    case 1:
        if (sequence->length < STEPS) {
            make_step(&sequence->steps[sequence->length], OUTERMOST, 0);
            build_ordered(graph, sequence, sequence->length);
            sequence->length++;
        }
        break;
    case 2:
        if (!step->is_gone && !is_decided(step)) {
            CHECK_OK(gc_graph_remove_node(graph, step->nodes[0]));
            step->is_gone = 1;
        }
        break;
    default:
        if (!step->is_gone)
            change_number(graph, step);
        break;
    }
}

static void edit_child(const gc_graph_exec *exec, const struct step *step) {
    gc_graph *child = other_child(step->within[0]);
    if (child == NULL)
        return;
    CHECK_OK(gc_graph_exec_set_child_node(exec, step->nodes[0], child));
    CHECK_OK(gc_graph_destroy(child));
}

static void edit_exec(const gc_graph_exec *exec, struct step *step) {
    struct kernel_call call;
    gc_memset_params set;
    if (!step->is_gone && step->kind == CHILD)
        edit_child(exec, step);
    if (step->is_gone || step->kind > COPY)
        return;
    if (below(2) == 0) {
        gc_status status = gc_graph_exec_set_node_enabled(exec, step->nodes[0], step->is_off);
        /* On a CUDA device a memset that would lose its place stays enabled. */
        if (status == GRAPHCAP_ERROR_NOT_SUPPORTED && on_cuda() && step->kind == SET)
            return;
        CHECK_OK(status);
        step->is_off = !step->is_off;
        return;
    }
    if (step->kind == COPY)
        return;
    step->constant = below(1000);
    if (step->kind == SET) {
        set = set_of(step->result, step->constant);
        CHECK_OK(gc_graph_exec_set_memset_node(exec, step->nodes[0], &set));
    } else {
        CHECK_OK(exec_set_kernel(exec, step->nodes[0], call_of(&call, step)));
    }
}

/* ---- Rounds ---- */

static void check_replays(const gc_graph_exec *exec, const struct sequence *sequence, struct state *state) {
    uint32_t got[WORDS];
    work_out(sequence, state, 0);
    replay(&rig, exec);
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, got, buffer, 0, sizeof got));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(memcmp(got, state->words, sizeof got) == 0);
    CHECK(memcmp(pinned_words, state->pinned, sizeof state->pinned) == 0);
    CHECK(count_of(&calls) == state->calls);
}

/* Each graph does one thing in any order that its edges allow. */
static void check_has_no_finding(const gc_graph *graph) {
    char text[4096] = "";
    CHECK_OK(gc_graph_check_text(graph, GRAPHCAP_SEVERITY_WARNING, text, sizeof text, NULL));
    if (text[0] != 0)
        fprintf(stderr, "%s", text);
    CHECK(text[0] == 0);
}

static void try_one(void) {
    struct sequence *sequence;
    struct state state;
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    unsigned i, edits;
    sequence_count = name_count = 0;
    memset(edges, 0, sizeof edges);
    sequence = make_sequence(OUTERMOST, below(DEPTH));
    for (i = 0; i < sequence->length; i++)
        build_ordered(graph, sequence, i);
    if (!has_conditions(sequence))
        graph = pass_through_clone(graph, sequence);
    graph = pass_through_text(graph, sequence);
    for (edits = below(6); edits > 0; edits--)
        edit(graph, sequence);
    if (below(3) == 0)
        graph = pass_through_text(graph, sequence);
    check_has_no_finding(graph);
    exec = open_exec(graph);
    memset(&state, 0, sizeof state);
    for (i = 0; i < CELLS; i++)
        state.words[i] = below(3) == 0 ? 0 : below(100000);
    calls = 0;
    memcpy(pinned_words, state.pinned, sizeof state.pinned);
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, buffer, 0, state.words, sizeof state.words));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_replays(exec, sequence, &state);
    for (edits = below(4); edits > 0; edits--)
        edit_exec(exec, &sequence->steps[below(sequence->length)]);
    check_replays(exec, sequence, &state);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static struct rounds rounds;

static void random_graphs_do_what_a_serial_program_does(void) {
    unsigned round;
    for (round = 0; round < rounds.count; round++) {
        seed = (rounds.first + round) * 7919u + 1;
        try_one();
        if (check_failures != 0) {
            fprintf(stderr, "again: --count 1 --seed %u\n", rounds.first + round);
            break;
        }
    }
}

int main(int argc, char **argv) {
    void *pointer = NULL;
    rounds.count = soak(50, 10000);
    read_rounds(argc, argv, &rounds);
    rig_open(&rig);
    buffer = open_waitable(rig.context, WORDS * sizeof(uint32_t));
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 64, 0, &pinned));
    CHECK_OK(gc_host_buffer_pointer(pinned, &pointer));
    pinned_words = (uint32_t *)pointer;
    event = open_event(rig.context);
    CHECK_OK(gc_set_name(buffer, "cells"));
    CHECK_OK(gc_set_name(pinned, "pinned"));
    CHECK_OK(gc_set_name(event, "done"));
    RUN(random_graphs_do_what_a_serial_program_does);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
