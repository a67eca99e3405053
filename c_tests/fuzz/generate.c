/* Which call comes next, and making it.
 *
 * Most calls are chosen by weight. Handles that are missing are made first, and now and then a capture is built on purpose:
 * begun, recorded into, ended, instantiated, launched; or a graph is built node by node, and it and its exec are edited. Whatever is chosen is written into the program, so that the calls can
 * be made again without what chose them. */
#include "fuzz.h"

enum phase { PHASE_IDLE, PHASE_RECORD, PHASE_END, PHASE_INSTANTIATE, PHASE_LAUNCH, PHASE_BUILD };

/* ---- Making a call ---- */

static void begin_entry(struct actor *actor, unsigned function) {
    struct program *program = actor->program;
    program->call[program->calls].first = program->words;
    program->call[program->calls].count = 0;
    program->call[program->calls].function = function;
    program->calls++;
}

static gc_status make_call(struct actor *actor, unsigned index, int right) {
    const struct function *function = &functions[index];
    struct call call, *outer = actor->call;
    unsigned owner = actor->owner, i, chosen = MOST_ARGUMENTS;
    size_t used = actor->used;
    gc_status status;
    memset(&call, 0, sizeof call);
    call.function = function;
    actor->call = &call;
    actor->owner = 0;
    if (!actor->replaying && actor->depth == 0)
        begin_entry(actor, index);
    if (!actor->replaying && !right && function->parameters > 0 && random_word(&actor->random) % 4 == 0)
        chosen = (unsigned)(random_word(&actor->random) % function->parameters);
    call.wrong = (unsigned)note(actor, chosen);
    say(actor, "%s(", function->name);
    for (i = 0; i < function->parameters; i++) {
        call.at = i;
        say(actor, i > 0 ? ", " : "");
        call.argument_text = call.length;
        function->parameter[i]->generate(actor);
    }
    if (actor->printing) {
        printf("%*s%s);\n", (int)actor->depth * 4 + 4, "", call.text);
        fflush(stdout);
    }
    status = function->call(call.value);
    atomic_fetch_add(&shared->progress, 1);
    if (actor->printing && status != 0)
        printf("%*s/* %s gave %d */\n", (int)actor->depth * 4 + 4, "", function->name, (int)status);
    check_call(actor, &call, status);
    if ((function->flags & PARTS) != 0 && status == GRAPHCAP_SUCCESS)
        parted();
    if (!actor->replaying) {
        atomic_fetch_add(&shared->made, 1);
        atomic_fetch_add(&shared->calls[index], 1);
        if (status == GRAPHCAP_SUCCESS)
            atomic_fetch_add(&shared->successes[index], 1);
        if ((function->flags & BEGINS) != 0 && status == GRAPHCAP_SUCCESS && call.target != NULL && actor->depth == 0)
            actor->forced[STREAM] = call.target_slot + 1;
    }
    actor->call = outer;
    actor->owner = owner;
    actor->used = used;
    return status;
}

/* ---- Choosing a function ---- */

/* Whether rounds of a mode do not call it: what would block for ever, what may fault. */
int is_left_out(const struct function *function, unsigned mode) {
    if ((mode & MODE_WAITS) != 0 && (function->flags & BLOCKS) != 0)
        return 1;
    if ((mode & MODE_RESETS) == 0 && (function->flags & RESETS) != 0)
        return 1;
    if ((mode & MODE_FAULTS) == 0 && (function->flags & FAULTS) != 0)
        return 1;
    if ((mode & MODE_DEFAULTS) == 0 && (function->flags & DEFAULTS) != 0)
        return 1;
    return 0;
}

/* One by weight, of those with a flag (0 for all), or of those that give a handle (-1 for all). */
static unsigned by_weight(struct actor *actor, unsigned flag, int gives) {
    unsigned weights[LENGTH_OF(shared->calls)], total = 0, i, k;
    for (i = 0; i < function_count; i++) {
        const struct function *function = &functions[i];
        int fits = !is_left_out(function, actor->world->mode) && (flag == 0 || (function->flags & flag) != 0);
        if (gives >= 0) {
            k = function->parameters == 0 ? 0 : function->parameters - 1;
            fits = fits && function->parameters > 0 && function->parameter[k]->kind == gives &&
                   strstr(function->parameter[k]->name, "_out") != NULL;
        }
        weights[i] = fits ? function->weight * 8 : 0;
        if ((function->flags & CUDA) != 0 && (actor->world->mode & MODE_CUDA) == 0)
            weights[i] /= 8;
        total += weights[i];
    }
    k = (unsigned)(random_word(&actor->random) % total);
    for (i = 0; k >= weights[i]; i++)
        k -= weights[i];
    return i;
}

/* A kind of which there are too few, or -1. What others are made of comes first. */
static int missing_kind(struct actor *actor) {
    static const struct {
        enum kind kind;
        unsigned wanted;
    } order[] = {{CONTEXT, 1}, {STREAM, 3},      {BUFFER, 3}, {MODULE, 1}, {KERNEL, 2},
                 {EVENT, 2},   {HOST_BUFFER, 1}, {GRAPH, 1},  {EXEC, 1},
                 {CACHE, 1}};
    size_t i;
    for (i = 0; i < LENGTH_OF(order); i++)
        if (world_live(actor->world, order[i].kind) < order[i].wanted)
            return (int)order[i].kind;
    return -1;
}

/* ---- Captures that are built on purpose ---- */

/* True once in `of` times. */
static int chance(struct actor *actor, unsigned of) {
    return random_word(&actor->random) % of == 0;
}

static void leave_phases(struct actor *actor) {
    actor->phase = PHASE_IDLE;
    memset(actor->forced, 0, sizeof actor->forced);
}

static void begin_phase(struct actor *actor) {
    static const char *const begins[] = {"gc_stream_begin_capture", "gc_stream_begin_capture", "gc_stream_begin_capture",
                                         "gc_capture_begin", "gc_capture_begin"};
    unsigned begin = function_named(begins[random_word(&actor->random) % LENGTH_OF(begins)]);
    actor->made[CAPTURE] = 0;
    if (is_left_out(&functions[begin], actor->world->mode))
        begin = function_named(begins[0]);
    if (make_call(actor, begin, 1) != GRAPHCAP_SUCCESS || actor->forced[STREAM] == 0)
        return;
    actor->forced[CAPTURE] = actor->made[CAPTURE];
    actor->phase = PHASE_RECORD;
    actor->left = 1 + (unsigned)(random_word(&actor->random) % 12);
}

/* Another stream joins the capture by an event, records, and is joined back by the same event. */
static void fork_and_join(struct actor *actor) {
    unsigned origin = actor->forced[STREAM];
    unsigned record = function_named("gc_event_record"), wait = function_named("gc_stream_wait_event");
    actor->forced[EVENT] = 1 + (unsigned)(random_word(&actor->random) % slots_of(EVENT));
    make_call(actor, record, 1);
    actor->forced[STREAM] = 1 + (unsigned)(random_word(&actor->random) % slots_of(STREAM));
    make_call(actor, wait, 1);
    make_call(actor, by_weight(actor, RECORDS, -1), 1);
    make_call(actor, record, 1);
    actor->forced[STREAM] = origin;
    make_call(actor, wait, 1);
    actor->forced[EVENT] = 0;
}

static void record_phase(struct actor *actor) {
    static const char *const records[] = {"gc_capture_record_kernel", "gc_capture_record_kernel_handle",
                                          "gc_capture_record_memcpy", "gc_capture_record_memset",
                                          "gc_capture_record_memset_2d"};
    if (actor->left-- == 0)
        actor->phase = PHASE_END;
    else if (chance(actor, 16))
        fork_and_join(actor);
    else if (actor->forced[CAPTURE] != 0 && chance(actor, 2))
        make_call(actor, function_named(records[random_word(&actor->random) % LENGTH_OF(records)]), !chance(actor, 8));
    else
        make_call(actor, by_weight(actor, RECORDS, -1), !chance(actor, 8));
}

static void end_phase(struct actor *actor) {
    int owned = actor->forced[CAPTURE] != 0;
    if (!owned && chance(actor, 8)) {
        if (make_call(actor, function_named("gc_stream_end_capture_exec"), 1) == GRAPHCAP_SUCCESS) {
            actor->forced[EXEC] = actor->made[EXEC];
            make_call(actor, function_named("gc_graph_relaunch"), 1);
        }
        leave_phases(actor);
        return;
    }
    if (make_call(actor, function_named(owned ? "gc_capture_end" : "gc_stream_end_capture"), 1) != GRAPHCAP_SUCCESS) {
        leave_phases(actor);
        return;
    }
    actor->forced[GRAPH] = actor->made[GRAPH];
    actor->phase = PHASE_INSTANTIATE;
}

static void instantiate_phase(struct actor *actor) {
    if (make_call(actor, function_named("gc_graph_instantiate"), 1) != GRAPHCAP_SUCCESS) {
        leave_phases(actor);
        return;
    }
    actor->forced[EXEC] = actor->made[EXEC];
    actor->phase = PHASE_LAUNCH;
    actor->left = 1 + (unsigned)(random_word(&actor->random) % 8);
}

/* A graph that is built by hand. */
static void build_phase(struct actor *actor) {
    if (actor->phase == PHASE_IDLE) {
        if (make_call(actor, function_named("gc_graph_create"), 1) != GRAPHCAP_SUCCESS)
            return;
        actor->forced[GRAPH] = actor->made[GRAPH];
        actor->phase = PHASE_BUILD;
        actor->left = 1 + (unsigned)(random_word(&actor->random) % 12);
    } else if (actor->left-- == 0) {
        actor->phase = PHASE_INSTANTIATE;
    } else {
        make_call(actor, by_weight(actor, BUILDS, -1), !chance(actor, 8));
    }
}

static void launch_phase(struct actor *actor) {
    if (chance(actor, 2))
        make_call(actor, by_weight(actor, EDITS, -1), !chance(actor, 8));
    make_call(actor, function_named(chance(actor, 4) ? "gc_graph_upload" : "gc_graph_launch"), 1);
    if (chance(actor, 8))
        make_call(actor, function_named("gc_graph_exec_pool"), 1);
    if (--actor->left == 0)
        leave_phases(actor);
}

/* Calls that need what the calls before them made: of objects of the same context, one of the other. What takes its own
 * chance seldom comes so far. The first comes from an actor that makes an exec, whose picture is asked for. */
static const struct path {
    unsigned weight;
    const char *calls[9];
} paths[] = {
    {4,
     {"gc_actor_create", "gc_graph_create", "gc_actor_event_fd", "gc_actor_adopt", "gc_future_take_exec",
      "gc_actor_export_dot", "gc_future_text", "gc_actor_next_completed"}},
    {2, {"gc_scalar_create", "gc_graph_create", "gc_graph_create_condition", "gc_graph_add_scalar_condition_node"}},
    {8, {"gc_scalar_create", "gc_graph_create", "gc_graph_add_kernel_node", "gc_node_set_grid_scalar"}},
    {2,
     {"gc_graph_create", "gc_graph_add_batch_mem_op_node", "gc_graph_instantiate",
      "gc_graph_exec_set_batch_mem_op_node"}},
};

static const struct path *choose_path(struct actor *actor) {
    unsigned total = 0, i, k;
    for (i = 0; i < LENGTH_OF(paths); i++)
        total += paths[i].weight;
    k = (unsigned)(random_word(&actor->random) % total);
    for (i = 0; k >= paths[i].weight; i++)
        k -= paths[i].weight;
    return &paths[i];
}

/* Goes on for as long as the calls succeed. Each is given what those before it made. */
static void walk_path(struct actor *actor) {
    static const enum kind kinds[] = {KIT_ACTOR, GRAPH, FUTURE, EXEC, SCALAR};
    const struct path *path = choose_path(actor);
    size_t i, k;
    for (k = 0; k < LENGTH_OF(kinds); k++)
        actor->made[kinds[k]] = 0;
    for (i = 0; i < LENGTH_OF(path->calls) && path->calls[i] != NULL; i++) {
        unsigned index = function_named(path->calls[i]);
        if (is_left_out(&functions[index], actor->world->mode) || make_call(actor, index, 1) != GRAPHCAP_SUCCESS)
            break;
        for (k = 0; k < LENGTH_OF(kinds); k++)
            if (actor->made[kinds[k]] != 0)
                actor->forced[kinds[k]] = actor->made[kinds[k]];
    }
    for (k = 0; k < LENGTH_OF(kinds); k++)
        actor->forced[kinds[k]] = 0;
}

static void next_call(struct actor *actor) {
    int missing;
    if (actor->phase != PHASE_IDLE && !chance(actor, 16)) {
        if (actor->phase == PHASE_RECORD)
            record_phase(actor);
        else if (actor->phase == PHASE_BUILD)
            build_phase(actor);
        else if (actor->phase == PHASE_END)
            end_phase(actor);
        else if (actor->phase == PHASE_INSTANTIATE)
            instantiate_phase(actor);
        else
            launch_phase(actor);
        return;
    }
    missing = missing_kind(actor);
    if (missing >= 0 && !chance(actor, 3))
        make_call(actor, by_weight(actor, 0, missing), 1);
    else if (actor->phase == PHASE_IDLE && chance(actor, 12))
        begin_phase(actor);
    else if (actor->phase == PHASE_IDLE && chance(actor, 12))
        build_phase(actor);
    else if (actor->phase == PHASE_IDLE && chance(actor, 24))
        walk_path(actor);
    else
        make_call(actor, by_weight(actor, 0, -1), 0);
}

/* ---- Programs ---- */

void actor_open(struct actor *actor, struct world *world, struct program *program, uint64_t seed) {
    unsigned char *arena = actor->arena, *edges = actor->edges;
    memset(actor, 0, sizeof *actor);
    actor->arena = arena;
    actor->edges = edges;
    actor->world = world;
    actor->program = program;
    actor->random = seed;
}

/* The thread's own capture mode goes back, and on a CUDA device, where nobody else can do it, its captures end: also one that
 * was begun by a handle which stood for a stream of others, and is destroyed. */
void actor_close(struct actor *actor) {
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_GLOBAL;
    unsigned i;
    if ((actor->world->mode & MODE_CUDA) != 0) {
        for (i = 0; i < slots_of(STREAM); i++) {
            gc_graph *graph = NULL;
            if (gc_stream_end_capture(atomic_load(&actor->world->slots[STREAM][i].current), &graph) == GRAPHCAP_SUCCESS)
                gc_graph_destroy(graph);
        }
        device_end_captures();
    }
    if (gc_thread_exchange_capture_mode(&mode) != GRAPHCAP_SUCCESS)
        fail("capture mode", "the thread's capture mode could not be set back");
}

void generate_program(struct actor *actor, unsigned calls) {
    struct program *program = actor->program;
    program->mode = actor->world->mode;
    program->calls = program->words = 0;
    while (program->calls < calls && program->words < MOST_WORDS - 4096)
        next_call(actor);
}

void replay_program(struct actor *actor) {
    const struct program *program = actor->program;
    uint32_t i;
    actor->replaying = 1;
    for (i = 0; i < program->calls; i++) {
        actor->word = program->call[i].first;
        actor->last_word = actor->word + program->call[i].count;
        make_call(actor, program->call[i].function, 0);
    }
}

/* What the function of gc_stream_capture() does: calls of its own, which are part of the outer one's words. */
void nested_calls(struct actor *actor) {
    uint64_t count = 1 + choose(actor, 4), i;
    if (actor->depth >= 2)
        return;
    actor->depth++;
    for (i = 0; i < count; i++)
        make_call(actor, (unsigned)note(actor, actor->replaying ? 0 : by_weight(actor, chance(actor, 2) ? RECORDS : 0, -1)) %
                             function_count, 0);
    actor->depth--;
}
