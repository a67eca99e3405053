/* Generators of handles, outputs and texts, and what all generators are made of.
 *
 * A generator makes argument `call->at`. What it chooses goes through note() or choose(), so that a replay makes the same
 * argument. Where is_wrong() says so the argument is wrong in some way; else it is as right as can be known. */
#include "fuzz.h"

#include <stdarg.h>

/* ---- Choosing ---- */

uint64_t random_word(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Writes a choice down; in a replay it gives the one that was written down in its place. */
uint64_t note(struct actor *actor, uint64_t value) {
    struct program *program = actor->program;
    if (actor->replaying)
        return actor->word < actor->last_word ? program->word[actor->word++] : 0;
    if (program->words < MOST_WORDS) {
        program->word[program->words++] = value;
        program->call[program->calls - 1].count++;
    }
    return value;
}

/* A number below `count`. */
uint64_t choose(struct actor *actor, uint64_t count) {
    if (count < 2)
        return 0;
    return note(actor, actor->replaying ? 0 : random_word(&actor->random) % count) % count;
}

int is_wrong(const struct actor *actor) {
    return actor->call->wrong == actor->call->at;
}

/* Which member of a struct is to be wrong: a number below `members`, or `members` for none. */
int choose_wrong(struct actor *actor, unsigned members) {
    return is_wrong(actor) ? (int)choose(actor, members) : (int)members;
}

/* ---- The call in words of C ---- */

void say(struct actor *actor, const char *format, ...) {
    struct call *call = actor->call;
    size_t room = sizeof call->text - call->length;
    va_list arguments;
    int length;
    if (!actor->printing || room < 2)
        return;
    va_start(arguments, format);
    length = vsnprintf(call->text + call->length, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        call->length += (size_t)length < room ? (size_t)length : room - 1;
}

/* ---- Giving an argument ---- */

/* Memory for this call, zeroed. */
void *reserve(struct actor *actor, size_t size) {
    unsigned char *memory;
    size = (size + 63) / 64 * 64;
    if (actor->used + size > ARENA_SIZE)
        fail("fuzz arena", "the arena of the fuzzer is too small");
    memory = actor->arena + actor->used;
    actor->used += size;
    memset(memory, 0, size);
    return memory;
}

/* Memory for what a call reads, with a page behind it that nobody may touch: it ends where reading too far begins. */
void *reserve_edge(struct actor *actor, size_t size) {
    unsigned char *page;
    if (size > EDGE_PAGE)
        fail("fuzz edge", "a page is too small for what the fuzzer passes");
    page = actor->edges + (size_t)(actor->edge++ % EDGES) * 2 * EDGE_PAGE;
    return page + EDGE_PAGE - size;
}

/* Memory for an output, poisoned, with a guard behind it. */
unsigned char *reserve_output(struct actor *actor, size_t size) {
    struct argument *argument = &actor->call->argument[actor->call->at];
    argument->memory = reserve(actor, size + GUARD);
    argument->size = size;
    memset(argument->memory, POISON, size + GUARD);
    return argument->memory;
}

void give_number(struct actor *actor, uint64_t number) {
    actor->call->value[actor->call->at].number = number;
    say(actor, number < 100000 ? "%llu" : "0x%llx", (unsigned long long)number);
}

void give_pointer(struct actor *actor, void *pointer) {
    actor->call->value[actor->call->at].pointer = pointer;
}

void give_null(struct actor *actor) {
    give_pointer(actor, NULL);
    say(actor, "NULL");
}

/* ---- Handles ---- */

/* A slot with a live handle: one that a capture in the making prefers, else rather one of the call's context and with the
 * tags. Any slot where none is live. */
static unsigned pick_slot(struct actor *actor, enum kind kind, unsigned wanted_tags) {
    unsigned best[SLOTS], live[SLOTS], bests = 0, lives = 0, i, slots = slots_of(kind);
    uint64_t random = random_word(&actor->random);
    if (actor->forced[kind] != 0 && random % 8 != 0)
        return actor->forced[kind] - 1;
    random >>= 8;
    for (i = 0; i < slots; i++) {
        struct slot *slot = &actor->world->slots[kind][i];
        if (atomic_load(&slot->current) == NULL)
            continue;
        live[lives++] = i;
        if (kind != CONTEXT && actor->owner != 0 && atomic_load(&slot->owner) != actor->owner)
            continue;
        if (wanted_tags != 0 && (atomic_load(&slot->tags) & wanted_tags) == 0)
            continue;
        best[bests++] = i;
    }
    if (bests > 0 && random % 16 != 0)
        return best[(random >> 8) % bests];
    return lives > 0 ? live[(random >> 8) % lives] : (unsigned)((random >> 8) % slots);
}

static void *wrong_handle(struct actor *actor, enum kind kind, int *bad) {
    static const uint64_t garbage[] = {1, 2, 8, 0x1000, 0x7fffffffffffffffu, 0xffffffffffffffffu, 0xc100000000000000u};
    unsigned slot = (unsigned)choose(actor, slots_of(kind)), other;
    void *handle = NULL;
    uint64_t bit;
    *bad = 1;
    switch (choose(actor, 6)) {
    case 0:
        say(actor, "NULL");
        return NULL;
    case 1:
        handle = atomic_load(&actor->world->slots[kind][slot].stale);
        say(actor, handle == NULL ? "NULL" : "stale_%s[%u]", kind_names[kind], slot);
        return handle;
    case 2:
        other = (unsigned)((unsigned)kind + 1 + choose(actor, KINDS - 1)) % KINDS;
        slot = (unsigned)choose(actor, slots_of((enum kind)other));
        if (kind + other == BUFFER + GRAPH_BUFFER) { /* which are of one type */
            say(actor, "NULL");
            return NULL;
        }
        handle = atomic_load(&actor->world->slots[other][slot].current);
        say(actor, handle == NULL ? "NULL" : "(void *)%s[%u]", kind_names[other], slot);
        return handle;
    case 3:
        bit = garbage[choose(actor, LENGTH_OF(garbage))];
        say(actor, "(void *)0x%llx", (unsigned long long)bit);
        return (void *)(uintptr_t)bit;
    case 4: /* a damaged handle: a high bit of its generation, or its kind */
        handle = atomic_load(&actor->world->slots[kind][slot].current);
        bit = handle == NULL ? 0 : 1ull << (48 + choose(actor, 16));
        say(actor, "(void *)((uintptr_t)%s[%u] ^ 0x%llx)", kind_names[kind], slot, (unsigned long long)bit);
        return (void *)((uintptr_t)handle ^ bit);
    default: /* of another context perhaps */
        *bad = 0;
        handle = atomic_load(&actor->world->slots[kind][slot].current);
        say(actor, handle == NULL ? "NULL" : "%s[%u]", kind_names[kind], slot);
        *bad = handle == NULL;
        return handle;
    }
}

/* A handle of a kind; *bad tells whether it is surely none. */
void *choose_handle(struct actor *actor, enum kind kind, unsigned wanted_tags, int wrong, int *bad) {
    struct slot *slot;
    void *handle;
    unsigned number;
    if (wrong)
        return wrong_handle(actor, kind, bad);
    number = (unsigned)note(actor, actor->replaying ? 0 : pick_slot(actor, kind, wanted_tags)) % slots_of(kind);
    slot = &actor->world->slots[kind][number];
    handle = atomic_load(&slot->current);
    *bad = handle == NULL;
    say(actor, handle == NULL ? "NULL" : "%s[%u]", kind_names[kind], number);
    if (kind == KERNEL)
        actor->call->kernel = atomic_load(&slot->tags);
    if (actor->owner == 0 && handle != NULL)
        actor->owner = atomic_load(&slot->owner);
    if (actor->call->target == NULL) {
        actor->call->target = handle;
        actor->call->target_slot = number;
    }
    return handle;
}

void give_handle(struct actor *actor, enum kind kind, unsigned wanted_tags) {
    int bad;
    give_pointer(actor, choose_handle(actor, kind, wanted_tags, is_wrong(actor), &bad));
    actor->call->bad_handle |= bad;
}

/* A graph, or NULL, which is no mistake. */
void generate_optional_graph(struct actor *actor) {
    int bad;
    void *graph = choose_handle(actor, GRAPH, 0, is_wrong(actor), &bad);
    give_pointer(actor, graph);
    actor->call->bad_handle |= bad && graph != NULL;
}

/* The handle of a slot where that `fits`, else any handle. */
void give_live(struct actor *actor, enum kind kind, unsigned slot, int fits) {
    void *handle;
    if (note(actor, (uint64_t)(fits && !is_wrong(actor))) == 0) {
        give_handle(actor, kind, 0);
        return;
    }
    slot = (unsigned)note(actor, slot) % slots_of(kind);
    handle = atomic_load(&actor->world->slots[kind][slot].current);
    actor->call->bad_handle |= handle == NULL;
    give_pointer(actor, handle);
    say(actor, handle == NULL ? "NULL" : "%s[%u]", kind_names[kind], slot);
}

#define HANDLE(name, kind, tags) \
    void generate_##name(struct actor *actor) { give_handle(actor, kind, tags); }
HANDLE(context, CONTEXT, 0)
HANDLE(stream, STREAM, 0)
HANDLE(capturing, STREAM, TAG_CAPTURING)
HANDLE(event, EVENT, 0)
HANDLE(buffer, BUFFER, 0)
HANDLE(managed, BUFFER, TAG_MANAGED)
HANDLE(graph_buffer, GRAPH_BUFFER, 0)
HANDLE(host_buffer, HOST_BUFFER, 0)
HANDLE(pool, POOL, 0)
HANDLE(module, MODULE, 0)
HANDLE(kernel, KERNEL, 0)
HANDLE(graph, GRAPH, 0)
HANDLE(exec, EXEC, 0)
HANDLE(capture, CAPTURE, 0)
HANDLE(cache, CACHE, 0)
HANDLE(scalar, SCALAR, 0)
HANDLE(script, SCRIPT, 0)
HANDLE(kit_actor, KIT_ACTOR, 0)
HANDLE(future, FUTURE, 0)
HANDLE(rng, RNG, 0)
HANDLE(actor_exec, EXEC, TAG_EXEC)
HANDLE(pooled_exec, EXEC, TAG_POOLED)
HANDLE(fft_plan, FFT_PLAN, 0)
HANDLE(plan, PLAN, 0)

/* A future of an answer that carries something. Where the actor is quick, it has answered by the time of the call. */
static void give_answered(struct actor *actor, unsigned tag) {
    int bad;
    void *future = choose_handle(actor, FUTURE, tag, is_wrong(actor), &bad);
    give_pointer(actor, future);
    actor->call->bad_handle |= bad;
    if (!bad && future != NULL)
        (void)!gc_future_wait(future, 2000000, NULL);
}

void generate_text_future(struct actor *actor) {
    give_answered(actor, TAG_TEXT);
}

void generate_exec_future(struct actor *actor) {
    give_answered(actor, TAG_EXEC);
}

/* A handle of one of some kinds. What a handle of another kind is good for is not foreseen. */
static void give_one_of(struct actor *actor, const enum kind *kinds, unsigned count) {
    int bad, wrong = is_wrong(actor);
    enum kind kind = kinds[choose(actor, count)];
    void *handle = choose_handle(actor, kind, 0, wrong, &bad);
    give_pointer(actor, handle);
    actor->call->bad_handle |= bad && (!wrong || handle == NULL);
}

void generate_any_object(struct actor *actor) {
    static const enum kind kinds[] = {CONTEXT, STREAM, EVENT, BUFFER, HOST_BUFFER, POOL, MODULE, KERNEL, GRAPH, EXEC,
                                      CAPTURE, CACHE, SCALAR, SCRIPT, KIT_ACTOR, FUTURE, RNG, FFT_PLAN, PLAN};
    give_one_of(actor, kinds, LENGTH_OF(kinds));
}

void generate_native_object(struct actor *actor) {
    static const enum kind kinds[] = {CONTEXT, STREAM, EVENT, MODULE, KERNEL, GRAPH, EXEC};
    give_one_of(actor, kinds, LENGTH_OF(kinds));
}

void generate_named(struct actor *actor) {
    static const enum kind kinds[] = {BUFFER, BUFFER, HOST_BUFFER, SCALAR, STREAM, EVENT, GRAPH, GRAPH, KERNEL};
    give_one_of(actor, kinds, LENGTH_OF(kinds));
}

void generate_any_buffer(struct actor *actor) {
    unsigned owner = actor->owner;
    if (choose(actor, 2) == 0)
        actor->owner = 0;
    give_handle(actor, BUFFER, 0);
    actor->owner = owner;
}

/* A buffer for value operations: that of the context whose words are always small, or any. Waits that must end take the
 * former alone. */
void *choose_waitable(struct actor *actor, int wrong, int *bad) {
    unsigned i;
    if (wrong || choose(actor, 2) == 0) {
        if ((actor->world->mode & MODE_WAITS) != 0)
            return choose_handle(actor, BUFFER, TAG_WAITABLE, wrong, bad);
        if (wrong) {
            *bad = 1;
            say(actor, "NULL");
            return NULL;
        }
    }
    for (i = 0; i < slots_of(CONTEXT); i++) {
        struct slot *slot = &actor->world->slots[CONTEXT][i];
        if (atomic_load(&slot->owner) == actor->owner && atomic_load(&slot->flags) != NULL) {
            *bad = 0; /* unless another thread is replacing the context */
            say(actor, "flags[%u]", i);
            return atomic_load(&slot->flags);
        }
    }
    *bad = 1;
    say(actor, "NULL");
    return NULL;
}

void generate_waited_for(struct actor *actor) {
    int bad;
    give_pointer(actor, choose_waitable(actor, is_wrong(actor), &bad));
    actor->call->bad_handle |= bad;
}

void generate_waitable(struct actor *actor) {
    if (choose(actor, 2) == 0)
        give_handle(actor, BUFFER, TAG_WAITABLE);
    else
        generate_waited_for(actor);
}

/* ---- Outputs ---- */

void give_output(struct actor *actor, enum output output, size_t size) {
    struct call *call = actor->call;
    call->argument[call->at].output = output;
    if (is_wrong(actor)) {
        call->null_output = 1;
        give_null(actor);
        return;
    }
    give_pointer(actor, reserve_output(actor, size));
    if (output != HANDLE_OUTPUT)
        say(actor, "out%u", call->at);
}

static void give_handle_output(struct actor *actor, enum kind kind) {
    struct argument *argument = &actor->call->argument[actor->call->at];
    unsigned slot = 0, i, slots = slots_of(kind), first;
    if (!actor->replaying) { /* rather an empty slot */
        first = (unsigned)(random_word(&actor->random) % slots);
        for (i = 0, slot = first; i < slots && atomic_load(&actor->world->slots[kind][slot].current) != NULL; i++)
            slot = (slot + 1) % slots;
    }
    argument->kind = kind;
    argument->slot = (unsigned)note(actor, slot) % slots;
    give_output(actor, HANDLE_OUTPUT, sizeof(void *));
    if (!is_wrong(actor))
        say(actor, "&%s[%u]", kind_names[kind], argument->slot);
}

static void give_maybe_handle_output(struct actor *actor, enum kind kind) {
    give_handle_output(actor, kind);
    actor->call->argument[actor->call->at].output = MAYBE_HANDLE_OUTPUT;
}

void generate_found_buffer(struct actor *actor) {
    give_maybe_handle_output(actor, BUFFER);
}

void generate_found_host_buffer(struct actor *actor) {
    give_maybe_handle_output(actor, HOST_BUFFER);
}

/* A handle that the caller need not want. */
static void give_optional_handle_output(struct actor *actor, enum kind kind) {
    int before = actor->call->null_output;
    give_handle_output(actor, kind);
    actor->call->null_output = before;
    if (actor->call->value[actor->call->at].pointer == NULL)
        actor->call->argument[actor->call->at].output = NO_OUTPUT;
}

void generate_optional_capture_out(struct actor *actor) {
    give_optional_handle_output(actor, CAPTURE);
}

void generate_optional_plan_out(struct actor *actor) {
    give_optional_handle_output(actor, PLAN);
}

#define HANDLE_OUT(name, kind) \
    void generate_##name(struct actor *actor) { give_handle_output(actor, kind); }
HANDLE_OUT(context_out, CONTEXT)
HANDLE_OUT(stream_out, STREAM)
HANDLE_OUT(event_out, EVENT)
HANDLE_OUT(buffer_out, BUFFER)
HANDLE_OUT(graph_buffer_out, GRAPH_BUFFER)
HANDLE_OUT(host_buffer_out, HOST_BUFFER)
HANDLE_OUT(pool_out, POOL)
HANDLE_OUT(module_out, MODULE)
HANDLE_OUT(kernel_out, KERNEL)
HANDLE_OUT(graph_out, GRAPH)
HANDLE_OUT(exec_out, EXEC)
HANDLE_OUT(capture_out, CAPTURE)
HANDLE_OUT(cache_out, CACHE)
HANDLE_OUT(scalar_out, SCALAR)
HANDLE_OUT(script_out, SCRIPT)
HANDLE_OUT(kit_actor_out, KIT_ACTOR)
HANDLE_OUT(future_out, FUTURE)
HANDLE_OUT(rng_out, RNG)
HANDLE_OUT(fft_plan_out, FFT_PLAN)
HANDLE_OUT(plan_out, PLAN)

void generate_out4(struct actor *actor) {
    give_output(actor, BYTES_OUTPUT, 4);
}

void generate_out8(struct actor *actor) {
    give_output(actor, BYTES_OUTPUT, 8);
}

void generate_node_out(struct actor *actor) {
    give_output(actor, NODE_OUTPUT, sizeof(gc_node));
}

void generate_out32(struct actor *actor) {
    give_output(actor, BYTES_OUTPUT, 32);
}

void generate_out64(struct actor *actor) {
    give_output(actor, BYTES_OUTPUT, 64);
}

/* May be NULL, so that this is nothing wrong by itself. */
void generate_needed(struct actor *actor) {
    struct call *call = actor->call;
    call->argument[call->at].output = BYTES_OUTPUT;
    if (is_wrong(actor) || choose(actor, 4) == 0) {
        give_null(actor);
        return;
    }
    give_pointer(actor, reserve_output(actor, sizeof(size_t)));
    say(actor, "&needed");
}

/* May be NULL, and is 0 where no node was recorded. */
void generate_node_told(struct actor *actor) {
    if (choose(actor, 4) == 0) {
        give_null(actor);
        return;
    }
    give_pointer(actor, reserve_output(actor, sizeof(gc_node)));
    say(actor, "&told");
}

/* May be NULL. A call that fails sets it. */
void generate_failed_index(struct actor *actor) {
    if (choose(actor, 4) == 0) {
        give_null(actor);
        return;
    }
    give_pointer(actor, reserve_output(actor, sizeof(size_t)));
    say(actor, "&failed");
}

/* Texts and arrays: room for what `capacity` says, which is chosen here. */
static void give_room(struct actor *actor, enum output output, size_t element, uint64_t capacity) {
    struct call *call = actor->call;
    call->argument[call->at].output = output;
    call->array_size = capacity;
    if (is_wrong(actor) || (capacity == 0 && choose(actor, 2) == 0)) {
        give_null(actor);
        return;
    }
    give_pointer(actor, reserve_output(actor, (size_t)capacity * element));
    say(actor, output == TEXT_OUTPUT ? "text" : "nodes%u", call->at);
}

void generate_text(struct actor *actor) {
    static const uint16_t capacities[] = {0, 0, 1, 2, 7, 40, 256, 2048, 2048};
    give_room(actor, TEXT_OUTPUT, 1, capacities[choose(actor, LENGTH_OF(capacities))]);
}

void generate_bytes_out(struct actor *actor) {
    static const uint16_t capacities[] = {0, 1, 4, 8, 8, 8, 200};
    give_room(actor, ROOM_OUTPUT, 1, capacities[choose(actor, LENGTH_OF(capacities))]);
}

void generate_nodes_out(struct actor *actor) {
    static const uint16_t capacities[] = {0, 1, 2, 16, 128};
    give_room(actor, ARRAY_OUTPUT, sizeof(gc_node), capacities[choose(actor, LENGTH_OF(capacities))]);
}

void generate_nodes_out_too(struct actor *actor) {
    give_room(actor, ARRAY_OUTPUT, sizeof(gc_node), actor->call->array_size);
}

void generate_edge_data_out(struct actor *actor) {
    give_room(actor, ROOM_OUTPUT, sizeof(gc_edge_data), actor->call->array_size);
}

void generate_pointers_out(struct actor *actor) {
    static const uint16_t capacities[] = {0, 1, 4};
    give_room(actor, ROOM_OUTPUT, sizeof(gc_unresolved_pointer), capacities[choose(actor, LENGTH_OF(capacities))]);
}

void generate_reasons_out(struct actor *actor) {
    static const uint16_t capacities[] = {0, 1, 4, 32};
    give_room(actor, ROOM_OUTPUT, sizeof(gc_optimize_reason), capacities[choose(actor, LENGTH_OF(capacities))]);
}

void generate_findings_out(struct actor *actor) {
    static const uint16_t capacities[] = {0, 1, 4, 32};
    give_room(actor, ROOM_OUTPUT, sizeof(gc_finding), capacities[choose(actor, LENGTH_OF(capacities))]);
}

void generate_ids_out(struct actor *actor) {
    static const uint16_t capacities[] = {0, 1, 2, 16};
    give_room(actor, ROOM_OUTPUT, sizeof(gc_launch_attribute_id), capacities[choose(actor, LENGTH_OF(capacities))]);
}

/* An absurd one only where there is no array at all, so that there is nothing that it could be wrong of. */
void generate_capacity(struct actor *actor) {
    struct call *call = actor->call;
    unsigned i;
    int arrays = 0;
    for (i = 0; i < call->at; i++)
        arrays |= call->argument[i].memory != NULL && call->argument[i].output != BYTES_OUTPUT;
    if (is_wrong(actor) && !arrays)
        call->array_size = choose_number(actor, "absurd", 1);
    give_number(actor, call->array_size);
}

void generate_capture_mode_in_out(struct actor *actor) {
    struct argument *argument = &actor->call->argument[actor->call->at];
    int32_t *mode;
    int wrong = choose_wrong(actor, 2);
    argument->output = MODE_OUTPUT;
    if (wrong == 0) {
        actor->call->null_output = 1;
        give_null(actor);
        return;
    }
    mode = (int32_t *)reserve_output(actor, sizeof *mode);
    *mode = (int32_t)choose_number(actor, "capture_mode", wrong == 1);
    argument->before = (uint32_t)*mode;
    give_pointer(actor, mode);
    say(actor, "&mode /* %d */", (int)*mode);
}
