/* Random pairs of a graph and the graph after some changes: the question whether an exec of the one can be updated by the other has
 * the answer of the update itself. Accepted updates do the work of the other graph.
 *
 * --count pairs, from --seed on. Whether an update is accepted has to agree in all pairs; the number of the result in all but one
 * of a thousand, since the driver is free to tell any of several differences. What does not agree is printed with both graphs.
 * random_updates --count 1 --seed N repeats pair N. */
#include "nodes.h"
#include "rounds.h"

enum { WORDS = 64, MOST = 12, DEEPEST = 2 };

static struct rig rig;
static gc_buffer *buffer, *other_buffer;
static gc_event *event;
static uint32_t host_words[WORDS];
static unsigned seed, calls;

static unsigned below(unsigned limit) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % limit;
}

/* ---- What graphs are made of ---- */

enum kind { KERNEL, COPY, SET, HOST, VALUES, EMPTY, RECORD, CHILD, KINDS };

static const char *const kind_names[] = {"kernel", "copy", "set", "host", "values", "empty", "record", "child"};

struct plan;

struct step {
    enum kind kind;
    /* What it does of what its kind can do: see add_step(). */
    unsigned variant, value;
    unsigned waits[MOST], wait_count;
    struct plan *child;
};

struct plan {
    struct step steps[MOST];
    unsigned count;
    /* The order in which the nodes are made. */
    unsigned order[MOST];
    /* Whether edges are added when all nodes are made, and whether they are removed once before that. */
    int has_late_edges, has_removed_edges;
};

static struct plan plans[64];
static unsigned plan_count;

static unsigned variants_of(enum kind kind) {
    static const unsigned counts[KINDS] = {3, 5, 4, 2, 4, 1, 1, 1};
    return counts[kind];
}

static struct plan *make_plan(unsigned depth) {
    struct plan *plan = &plans[plan_count++];
    unsigned i, k;
    memset(plan, 0, sizeof *plan);
    plan->count = below(8) == 0 ? 0 : 1 + below(depth == 0 ? MOST - 2 : 4);
    plan->has_late_edges = below(3) == 0;
    plan->has_removed_edges = below(6) == 0;
    for (i = 0; i < plan->count; i++) {
        struct step *step = &plan->steps[i];
        step->kind = below(2) == 0 ? KERNEL : (enum kind)below(KINDS);
        if (step->kind == CHILD && (depth + 1 >= DEEPEST || plan_count + 2 >= LENGTH_OF(plans)))
            step->kind = KERNEL;
        if (step->kind == CHILD)
            step->child = make_plan(depth + 1);
        step->variant = below(variants_of(step->kind));
        step->value = below(100);
        for (k = 0; k < i; k++)
            if (below(3) == 0)
                step->waits[step->wait_count++] = k;
        plan->order[i] = i;
    }
    return plan;
}

static struct plan *copy_plan(const struct plan *plan) {
    struct plan *copy = &plans[plan_count++];
    unsigned i;
    *copy = *plan;
    for (i = 0; i < copy->count; i++)
        if (copy->steps[i].kind == CHILD)
            copy->steps[i].child = copy_plan(plan->steps[i].child);
    return copy;
}

static void drop_wait(struct step *step, unsigned at) {
    step->waits[at] = step->waits[--step->wait_count];
}

static void change(struct plan *plan) {
    struct step *step;
    unsigned i, k, other;
    if (plan->count == 0)
        return;
    step = &plan->steps[below(plan->count)];
    if (step->kind == CHILD && below(2) == 0) {
        change(step->child);
        return;
    }
    switch (below(12)) {
    case 0:
    case 1:
    case 2: step->value = below(100); break;
    case 3: step->variant = below(variants_of(step->kind)); break;
    case 4:
        if (step->kind != CHILD) {
            step->kind = (enum kind)below(CHILD);
            step->variant = below(variants_of(step->kind));
        }
        break;
    case 5:
        if (step->wait_count > 1) {
            other = step->waits[0];
            k = 1 + below(step->wait_count - 1);
            step->waits[0] = step->waits[k];
            step->waits[k] = other;
        }
        break;
    case 6:
        if (step->wait_count > 0)
            drop_wait(step, below(step->wait_count));
        break;
    case 7:
        i = (unsigned)(step - plan->steps);
        if (i > 0) {
            other = below(i);
            for (k = 0; k < step->wait_count && step->waits[k] != other; k++)
                continue;
            if (k == step->wait_count)
                step->waits[step->wait_count++] = other;
        }
        break;
    case 8:
    case 9:
        /* Another order of creation. What depends on a node that is made later gets its edges late. */
        plan->has_late_edges = 1;
        for (i = plan->count; i-- > 1;) {
            k = below(i + 1);
            other = plan->order[i];
            plan->order[i] = plan->order[k];
            plan->order[k] = other;
        }
        break;
    case 10:
        if (plan->count < MOST) {
            struct step *last = &plan->steps[plan->count];
            memset(last, 0, sizeof *last);
            if (below(2) == 0)
                last->waits[last->wait_count++] = below(plan->count);
            plan->order[plan->count] = plan->count;
            plan->count++;
        }
        break;
    default:
        /* The last node goes, with the edges to it. */
        for (i = 0, k = 0; i < plan->count; i++)
            if (plan->order[i] != plan->count - 1)
                plan->order[k++] = plan->order[i];
        plan->count--;
        break;
    }
}

/* ---- Graphs ---- */

static gc_graph *build(const struct plan *plan);

static gc_node add_step(const gc_graph *graph, const struct step *step, const gc_node *waits, size_t count) {
    struct kernel_call call;
    gc_node node = 0;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 4 * (step->value % 16), other_buffer, 0, 4);
    const gc_memcpy_params to_host = GRAPHCAP_MEMCPY_INIT_DTOH(host_words, buffer, 0, 4 + 4 * (step->value % 4));
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 4 * (step->value % 16), step->value, 4, 1, 1, 0);
    gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 8 * (step->value % 16), step->value, 0),
                              GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 128, step->value, 0)};
    const gc_mem_op wide = GRAPHCAP_MEM_OP_INIT_WRITE64(buffer, 8 * (step->value % 16), step->value, 0);
    switch (step->kind) {
    case KERNEL:
        if (step->variant == 0)
            call_fill(&call, &rig, buffer, step->value % 32, step->value);
        else
            call_add(&call, &rig, buffer, step->value % 32, step->value);
        call.config.grid_dim[0] = 1 + (step->variant == 2);
        REQUIRE_OK(add_kernel(graph, waits, count, &call, &node));
        break;
    case COPY:
        if (step->variant == 1)
            copy.size = 8;
        if (step->variant == 2)
            copy = to_host;
        if (step->variant > 2) {
            copy.height = step->variant - 1;
            copy.depth = 1;
            copy.destination_pitch = copy.source_pitch = 8;
        }
        REQUIRE_OK(gc_graph_add_memcpy_node(graph, waits, count, &copy, &node));
        break;
    case SET:
        if (step->variant == 1)
            set.width = 2;
        if (step->variant > 1) {
            set.height = step->variant;
            set.pitch = 8;
        }
        REQUIRE_OK(gc_graph_add_memset_node(graph, waits, count, &set, &node));
        break;
    case HOST: REQUIRE_OK(gc_graph_add_host_node(graph, waits, count, count_call, &calls, NULL, &node)); break;
    case VALUES:
        if (step->variant == 3)
            operations[0] = wide;
        REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, waits, count, operations, step->variant == 2 ? 2 : 1, &node));
        break;
    case EMPTY: REQUIRE_OK(gc_graph_add_empty_node(graph, waits, count, &node)); break;
    case RECORD: REQUIRE_OK(gc_graph_add_event_record_node(graph, waits, count, event, &node)); break;
    default: {
        gc_graph *child = build(step->child);
        REQUIRE_OK(gc_graph_add_child_node(graph, waits, count, child, &node));
        CHECK_OK(gc_graph_destroy(child));
    }
    }
    return node;
}

static gc_graph *build(const struct plan *plan) {
    gc_graph *graph = open_graph(rig.context);
    gc_node nodes[MOST] = {0}, waits[MOST];
    unsigned i, k;
    for (i = 0; i < plan->count; i++) {
        const struct step *step = &plan->steps[plan->order[i]];
        for (k = 0; k < step->wait_count && !plan->has_late_edges; k++)
            waits[k] = nodes[step->waits[k]];
        nodes[plan->order[i]] = add_step(graph, step, waits, plan->has_late_edges ? 0 : step->wait_count);
    }
    for (i = 0; i < plan->count && plan->has_late_edges; i++)
        for (k = 0; k < plan->steps[i].wait_count; k++)
            CHECK_OK(gc_graph_add_dependencies(graph, &nodes[plan->steps[i].waits[k]], &nodes[i], NULL, 1));
    /* Out and in again: a node that nothing waited for meanwhile may be told of as the newest of these. */
    for (i = 0; i < plan->count && plan->has_removed_edges; i++)
        if (plan->steps[i].wait_count == 1) {
            CHECK_OK(gc_graph_remove_dependencies(graph, &nodes[plan->steps[i].waits[0]], &nodes[i], 1));
            CHECK_OK(gc_graph_add_dependencies(graph, &nodes[plan->steps[i].waits[0]], &nodes[i], NULL, 1));
        }
    return graph;
}

static void print_plan(const char *name, const struct plan *plan, unsigned depth) {
    unsigned i, k;
    fprintf(stderr, "%*s%s: %u nodes%s%s\n", 2 * (int)depth, "", name, plan->count, plan->has_late_edges ? ", edges late" : "",
            plan->has_removed_edges ? ", edges out and in" : "");
    for (i = 0; i < plan->count; i++) {
        const struct step *step = &plan->steps[plan->order[i]];
        fprintf(stderr, "%*s  %u: %s.%u value %u waits", 2 * (int)depth, "", plan->order[i], kind_names[step->kind],
                step->variant, step->value);
        for (k = 0; k < step->wait_count; k++)
            fprintf(stderr, " %u", step->waits[k]);
        fprintf(stderr, "\n");
        if (step->kind == CHILD)
            print_plan("child", step->child, depth + 2);
    }
}

/* ---- Pairs ---- */

static unsigned accepted, refused_as[9], other_results, other_nodes;

/* Whether acceptance agrees. */
static int try_one(unsigned number) {
    gc_graph_exec_update_info asked = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT, told = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    struct plan *plan, *changed;
    gc_graph *graph, *other;
    gc_graph_exec *exec;
    gc_status question, update;
    char message[512] = "";
    unsigned changes;
    int agrees;
    plan_count = 0;
    plan = make_plan(0);
    plan->has_removed_edges = 0;
    changed = copy_plan(plan);
    for (changes = below(4); changes > 0; changes--)
        change(changed);
    graph = build(plan);
    other = build(changed);
    exec = open_exec(graph);
    question = gc_graph_exec_update(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &asked);
    gc_last_error_message(message, sizeof message, NULL);
    update = gc_graph_exec_update(exec, other, 0, &told);
    agrees = question == update;
    if (update == GRAPHCAP_SUCCESS)
        accepted++;
    else if (told.result >= 0 && told.result < 9)
        refused_as[told.result]++;
    other_results += agrees && asked.result != told.result;
    other_nodes += agrees && asked.result == told.result && asked.graph_node != told.graph_node;
    if (!agrees || asked.result != told.result) {
        fprintf(stderr, "pair %u: the question answers %s, result %d, node %#llx; the update %s, result %d, node %#llx, from %#llx\n",
                number, gc_status_name(question), (int)asked.result, (unsigned long long)asked.graph_node,
                gc_status_name(update), (int)told.result, (unsigned long long)told.graph_node,
                (unsigned long long)told.from_node);
        fprintf(stderr, "  the question says: %s\n", question == GRAPHCAP_SUCCESS ? "" : message);
        print_plan("exec", plan, 1);
        print_plan("graph", changed, 1);
    }
    CHECK(update == GRAPHCAP_SUCCESS || update == GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    if (number % 16 == 0)
        replay(&rig, exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
    return agrees;
}

static struct rounds rounds;

static void questions_answer_as_updates(void) {
    unsigned round, wrong = 0, i;
    for (round = 0; round < rounds.count && wrong < 20; round++) {
        seed = (rounds.first + round) * 2654435761u + 1;
        wrong += !try_one(rounds.first + round);
    }
    printf("%u pairs: %u accepted, refused as", round, accepted);
    for (i = 0; i < LENGTH_OF(refused_as); i++)
        printf(" %u: %u", i, refused_as[i]);
    printf("; another acceptance: %u, another result: %u, another node: %u\n", wrong, other_results, other_nodes);
    CHECK(wrong == 0);
    CHECK(other_results <= round / 1000);
}

int main(int argc, char **argv) {
    rounds.count = soak(200, 20000);
    read_rounds(argc, argv, &rounds);
    rig_open(&rig);
    buffer = open_waitable(rig.context, WORDS * sizeof(uint32_t) * 4);
    other_buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    event = open_event(rig.context);
    RUN(questions_answer_as_updates);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(other_buffer));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
