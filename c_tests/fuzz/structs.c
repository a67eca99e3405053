/* Generators of structs, arrays and texts that a call reads.
 *
 * A wrong struct is wrong in one member, or in its frame: the size that it states, and the bytes behind what this version
 * knows. The memory is always as large as it states. */
#include "fuzz.h"

#include "kernels_ptx.h"

/* ---- Frames ---- */

enum frame { FRAME_RIGHT, FRAME_NULL, FRAME_ZERO, FRAME_TINY, FRAME_HUGE, FRAME_LONG, FRAME_DIRTY, FRAME_SHORT, FRAMES };
enum { TAIL = 32 };

/* A wrong frame, to be chosen where the struct is wrong in member 0. */
static enum frame choose_frame(struct actor *actor, int wrong) {
    return wrong ? (enum frame)(FRAME_NULL + choose(actor, FRAMES - FRAME_NULL)) : FRAME_RIGHT;
}

static uint32_t stated_size(struct actor *actor, enum frame frame, size_t size) {
    switch (frame) {
    case FRAME_ZERO:
        return 0;
    case FRAME_TINY:
        return 1 + (uint32_t)choose(actor, 3);
    case FRAME_HUGE:
        return choose(actor, 2) == 0 ? 4097 : 0xffffffff;
    case FRAME_LONG:
    case FRAME_DIRTY:
        return (uint32_t)size + TAIL;
    case FRAME_SHORT:
        return choose(actor, 4) == 0 ? 4 : 8 + 8 * (uint32_t)choose(actor, size / 8); /* no member is cut in two */
    default:
        return (uint32_t)size;
    }
}

/* Copies `count` structs into memory of the call, framed, and gives it. */
static void give_structs(struct actor *actor, const char *type, enum frame frame, const void *structs, size_t size,
                         size_t count) {
    uint32_t stated = stated_size(actor, frame, size);
    size_t distance = stated > size + TAIL || stated < 4 ? size : stated, i;
    unsigned char *memory;
    actor->call->array_size = count;
    if (frame != FRAME_RIGHT && frame != FRAME_LONG && frame != FRAME_SHORT && frame != FRAME_NULL && count > 0)
        actor->call->must_fail = 1;
    if (frame == FRAME_NULL) {
        give_pointer(actor, NULL);
        /* In place of the members, which are not passed. */
        actor->call->length = actor->call->argument_text;
        actor->call->text[actor->call->length] = '\0';
        say(actor, "NULL");
        return;
    }
    /* No more than it states. Not always aligned: the library must not mind. */
    memory = (unsigned char *)reserve_edge(actor, count * distance + (frame == FRAME_LONG ? 4 : 0));
    for (i = 0; i < count; i++) {
        memset(memory + i * distance, 0, distance);
        memcpy(memory + i * distance, (const unsigned char *)structs + i * size, distance < size ? distance : size);
        memcpy(memory + i * distance, &stated, sizeof stated);
        if (frame == FRAME_DIRTY)
            memory[i * distance + size + choose(actor, TAIL)] = 1;
    }
    give_pointer(actor, memory);
    say(actor, "/* %s, struct_size %u%s, %zu */", type, stated, frame == FRAME_DIRTY ? " and a tail that is not 0" : "",
        count);
}

/* A member that must be 0. */
static uint32_t reserved(struct actor *actor, int wrong) {
    if (!wrong)
        return 0;
    actor->call->must_fail = 1;
    return UINT32_C(1) << choose(actor, 32);
}

/* ---- Options ---- */

void generate_context_options(struct actor *actor) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 4);
    enum frame frame = choose_frame(actor, wrong == 0);
    say(actor, "{");
    options.device_kind = (gc_device_kind)choose_number(
        actor, (actor->world->mode & MODE_CUDA) != 0 ? "device_kind_cuda" : "device_kind_host", wrong == 1);
    options.device_ordinal = (uint32_t)choose_number(actor, "ordinal", wrong == 2);
    options.flags = choose(actor, 4) == 0 ? GRAPHCAP_CONTEXT_GUARDED : 0;
    options.flags |= choose(actor, 8) == 0 ? GRAPHCAP_CONTEXT_STRICT : 0;
    options.flags |= reserved(actor, wrong == 3) * 4;
    say(actor, "kind %d, ordinal %u, flags %#x} ", (int)options.device_kind, options.device_ordinal, options.flags);
    if (frame == FRAME_RIGHT && choose(actor, 2) == 0)
        frame = FRAME_NULL;
    actor->call->must_fail = 0; /* a bit that is shifted out is none */
    give_structs(actor, "gc_context_options", frame, &options, sizeof options, 1);
}

void generate_stream_options(struct actor *actor) {
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 3);
    enum frame frame = choose_frame(actor, wrong == 0);
    options.flags = wrong == 1 ? (uint32_t)(2 << choose(actor, 30)) : (uint32_t)choose(actor, 2);
    options.priority = (int32_t)choose(actor, 9) - 5;
    options.reserved = reserved(actor, wrong == 2);
    say(actor, "{flags %#x, priority %d} ", options.flags, (int)options.priority);
    give_structs(actor, "gc_stream_options", frame, &options, sizeof options, 1);
}

void generate_event_options(struct actor *actor) {
    static const uint32_t flags[] = {0, 0, 1, 2, 3, 6, 7, 4, 5, 8, 0x80000000};
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 2);
    enum frame frame = choose_frame(actor, wrong == 0);
    options.flags = wrong == 1 ? flags[7 + choose(actor, 4)] : flags[choose(actor, 7)];
    say(actor, "{flags %#x} ", options.flags);
    give_structs(actor, "gc_event_options", frame, &options, sizeof options, 1);
}

void generate_instantiate_options(struct actor *actor) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 3), bad;
    enum frame frame = choose_frame(actor, wrong == 0);
    options.flags = wrong == 1 ? UINT32_C(16) << choose(actor, 12) : (uint32_t)choose(actor, 16);
    if (wrong != 1 && choose(actor, 8) == 0)
        options.flags |= GRAPHCAP_INSTANTIATE_WATCH | (uint32_t)choose(actor, 2) * GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS;
    if (wrong != 1)
        options.flags |= (uint32_t)choose(actor, 2) * GRAPHCAP_INSTANTIATE_SHAPE;
    /* No loop has so many turns: a launch that faults belongs to rounds of their own. A CUDA device refuses it. */
    if (choose(actor, 8) == 0)
        options.turn_limit = UINT64_MAX;
    say(actor, "{flags %#x, turn_limit %#llx", options.flags, (unsigned long long)options.turn_limit);
    if ((options.flags & GRAPHCAP_INSTANTIATE_UPLOAD) != 0 && choose(actor, 4) != 0) {
        say(actor, ", ");
        options.upload_stream = (const gc_stream *)choose_handle(actor, STREAM, 0, wrong == 2, &bad);
    }
    say(actor, "} ");
    if (frame == FRAME_RIGHT && choose(actor, 2) == 0)
        frame = FRAME_NULL;
    actor->call->must_fail = wrong == 1 && frame == FRAME_RIGHT;
    give_structs(actor, "gc_instantiate_options", frame, &options, sizeof options, 1);
}

void generate_apply_options(struct actor *actor) {
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 3), bad;
    enum frame frame = choose_frame(actor, wrong == 0);
    options.flags = wrong == 1 ? UINT32_C(16) << choose(actor, 28) : (uint32_t)choose(actor, 16);
    say(actor, "{flags %#x", options.flags);
    if (choose(actor, 2) == 0)
        options.expected_replays = UINT64_C(1) << choose(actor, 64);
    say(actor, ", %llu replays", (unsigned long long)options.expected_replays);
    if (wrong == 2 || choose(actor, 4) == 0) {
        say(actor, ", ");
        options.upload_stream = (const gc_stream *)choose_handle(actor, STREAM, 0, wrong == 2, &bad);
    }
    say(actor, "} ");
    if (frame == FRAME_RIGHT && choose(actor, 2) == 0)
        frame = FRAME_NULL;
    actor->call->must_fail = wrong == 1 && frame == FRAME_RIGHT;
    give_structs(actor, "gc_graph_exec_apply_options", frame, &options, sizeof options, 1);
}

/* Some statements by name, or none. */
static uint64_t choose_statements(struct actor *actor, const gc_kernel_statement **statements) {
    static const gc_kernel_statement some[] = {{"add", 0, 0, GRAPHCAP_ACCESS_READ_WRITE, 0},
                                               {"*m?x*", 0, GRAPHCAP_STATEMENT_EACH_WORD, GRAPHCAP_ACCESS_WRITE, 0},
                                               {"*", 1, GRAPHCAP_STATEMENT_EACH_WORD, GRAPHCAP_ACCESS_NONE, 0}};
    const uint64_t count = choose(actor, 2) * choose(actor, LENGTH_OF(some) + 1);
    *statements = count > 0 || choose(actor, 2) == 0 ? some : NULL;
    return count;
}

void generate_optimize_options(struct actor *actor) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 3);
    enum frame frame = choose_frame(actor, wrong == 0);
    options.flags = wrong == 1 ? UINT32_C(64) << choose(actor, 26) : (uint32_t)choose(actor, 4);
    if (wrong != 1)
        options.flags |= (uint32_t)choose(actor, 2) * GRAPHCAP_OPTIMIZE_UNOBSERVED;
    /* It takes long. A trial takes turns with execs that draw the same random numbers or share memory, so that it may block. */
    if (wrong != 1 && choose(actor, 8) == 0 && (actor->world->mode & MODE_WAITS) == 0)
        options.flags |= choose(actor, 3) == 0 ? GRAPHCAP_OPTIMIZE_OBSERVE : UINT32_C(4) << choose(actor, 2);
    options.statement_count = choose_statements(actor, &options.statements);
    options.lanes = (uint32_t)choose(actor, 5);
    /* Host functions and waits may need what nobody brings while the call goes on. */
    options.permits = wrong == 2 ? UINT32_C(16) << choose(actor, 28) : 0;
    options.max_bytes = choose(actor, 3);
    say(actor, "{flags %#x, lanes %u, permits %#x} ", options.flags, options.lanes, options.permits);
    if (frame == FRAME_RIGHT && choose(actor, 2) == 0)
        frame = FRAME_NULL;
    actor->call->must_fail = (wrong == 1 || wrong == 2) && frame == FRAME_RIGHT;
    give_structs(actor, "gc_optimize_options", frame, &options, sizeof options, 1);
}

static int32_t stop_soon(uint64_t done, uint64_t total, void *user_data) {
    (void)user_data;
    return done > total / 2;
}

static void read_text(const char *text, void *user_data) {
    (void)user_data;
    if (strlen(text) < 10)
        abort();
}

void generate_verify_options(struct actor *actor) {
    static const uint64_t limits[] = {0, 0, 16, UINT64_MAX};
    gc_verify_options options = GRAPHCAP_VERIFY_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 3);
    enum frame frame = choose_frame(actor, wrong == 0);
    options.flags = wrong == 1 ? UINT32_C(8) << choose(actor, 29) : (uint32_t)choose(actor, 8);
    options.statement_count = choose_statements(actor, &options.statements);
    options.permits = wrong == 2 ? UINT32_C(16) << choose(actor, 28) : 0;
    options.orders = 1;
    options.max_bytes = limits[choose(actor, LENGTH_OF(limits))];
    options.seed = choose(actor, 100);
    options.progress = choose(actor, 2) == 0 ? stop_soon : NULL;
    options.text = choose(actor, 2) == 0 ? read_text : NULL;
    say(actor, "{flags %#x, permits %#x, max_bytes %llu} ", options.flags, options.permits,
        (unsigned long long)options.max_bytes);
    if (frame == FRAME_RIGHT && choose(actor, 2) == 0)
        frame = FRAME_NULL;
    actor->call->must_fail = (wrong == 1 || wrong == 2) && frame == FRAME_RIGHT;
    give_structs(actor, "gc_verify_options", frame, &options, sizeof options, 1);
}

static int32_t look_at_step(const gc_step *step, void *user_data) {
    (void)user_data;
    return step->index > 1 && step->has_run;
}

void generate_step_options(struct actor *actor) {
    static const uint64_t limits[] = {0, 0, 16, UINT64_MAX};
    static const gc_typed_memory memory = {0x10000, 64, GRAPHCAP_ELEMENT_F16, 0};
    static const uint64_t hashes[] = {1, 2};
    gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 4);
    enum frame frame = choose_frame(actor, wrong == 0);
    options.flags = wrong == 1 ? UINT32_C(16) << choose(actor, 28) : (uint32_t)choose(actor, 16);
    options.statement_count = choose_statements(actor, &options.statements);
    options.permits = wrong == 2 ? UINT32_C(16) << choose(actor, 28) : 0;
    options.first = wrong == 3 ? 5 : 0;
    options.max_bytes = limits[choose(actor, LENGTH_OF(limits))];
    options.each = choose(actor, 2) == 0 ? look_at_step : NULL;
    options.text = choose(actor, 2) == 0 ? read_text : NULL;
    if (choose(actor, 2) == 0) {
        options.memory = &memory;
        options.memory_count = 1;
        options.hashes = hashes;
        options.hash_count = LENGTH_OF(hashes);
    }
    say(actor, "{flags %#x, permits %#x, first %llu, max_bytes %llu} ", options.flags, options.permits,
        (unsigned long long)options.first, (unsigned long long)options.max_bytes);
    if (frame == FRAME_RIGHT && choose(actor, 2) == 0)
        frame = FRAME_NULL;
    actor->call->must_fail = wrong >= 1 && wrong <= 3 && frame == FRAME_RIGHT;
    give_structs(actor, "gc_step_options", frame, &options, sizeof options, 1);
}

void generate_bisect_options(struct actor *actor) {
    static const uint64_t limits[] = {0, 0, 16, UINT64_MAX};
    gc_bisect_options options = GRAPHCAP_BISECT_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 2);
    enum frame frame = choose_frame(actor, wrong == 0);
    options.statement_count = choose_statements(actor, &options.statements);
    options.permits = wrong == 1 ? UINT32_C(16) << choose(actor, 28) : 0;
    options.repeats = choose(actor, 3);
    options.max_replays = choose(actor, 20);
    options.max_bytes = limits[choose(actor, LENGTH_OF(limits))];
    options.text = choose(actor, 2) == 0 ? read_text : NULL;
    say(actor, "{permits %#x, repeats %u, max_replays %u, max_bytes %llu} ", options.permits, options.repeats, options.max_replays,
        (unsigned long long)options.max_bytes);
    if (frame == FRAME_RIGHT && choose(actor, 2) == 0)
        frame = FRAME_NULL;
    actor->call->must_fail = wrong == 1 && frame == FRAME_RIGHT;
    give_structs(actor, "gc_bisect_options", frame, &options, sizeof options, 1);
}

void generate_accesses(struct actor *actor) {
    static const uint32_t stated[] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE, 5};
    const size_t size = choose(actor, 4) == 0 ? choose(actor, 5) : 3;
    uint32_t *accesses = reserve_edge(actor, size * sizeof *accesses);
    if (size != 0)
        memcpy(accesses, stated, size * sizeof *accesses);
    actor->call->array_size = size;
    give_pointer(actor, is_wrong(actor) ? NULL : accesses);
    say(actor, is_wrong(actor) ? "NULL" : "%zu accesses", size);
}

void generate_cache_options(struct actor *actor) {
    static const uint64_t limits[] = {0, 0, 1, 10000, 30000, UINT64_MAX};
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 5);
    enum frame frame = choose_frame(actor, wrong == 0);
    options.flags = wrong == 1 ? UINT32_C(4) << choose(actor, 30) : (uint32_t)choose(actor, 4);
    options.instantiate_flags = (uint32_t)(choose(actor, 2) * GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH);
    if (wrong == 2)
        options.instantiate_flags = GRAPHCAP_INSTANTIATE_UPLOAD << choose(actor, 2);
    options.max_bytes = limits[choose(actor, LENGTH_OF(limits))];
    options.reserved = reserved(actor, wrong == 3);
    say(actor, "{flags %#x, instantiate_flags %#x, max_bytes %llu, ", options.flags, options.instantiate_flags,
        (unsigned long long)options.max_bytes);
    /* Where the frame is wrong nobody reads which destroy is to be called. */
    if (frame == FRAME_RIGHT)
        give_recorder(actor, &options);
    if (wrong == 4)
        options.record = NULL;
    say(actor, "} ");
    actor->call->must_fail = wrong < 5;
    give_structs(actor, "gc_graph_cache_options", frame, &options, sizeof options, 1);
}

/* Few keys, so that they are met again. */
void generate_key(struct actor *actor) {
    const size_t size = choose(actor, 3);
    unsigned char *key = reserve_edge(actor, size);
    size_t i;
    for (i = 0; i < size; i++)
        key[i] = (unsigned char)choose(actor, 3);
    actor->call->array_size = size;
    give_pointer(actor, is_wrong(actor) ? NULL : key);
    say(actor, is_wrong(actor) ? "NULL" : "key");
}

void generate_key_size(struct actor *actor) {
    give_number(actor, is_wrong(actor) ? choose_number(actor, "absurd", 1) : actor->call->array_size);
}

void generate_capture_options(struct actor *actor) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 6), bad;
    enum frame frame = choose_frame(actor, wrong == 0);
    size_t i, count = choose(actor, 3);
    const gc_module **modules = reserve_edge(actor, count * sizeof *modules);
    say(actor, "{");
    for (i = 0; i < count; i++) {
        modules[i] = choose_handle(actor, MODULE, 0, wrong == 1, &bad);
        say(actor, ", ");
    }
    options.modules = wrong == 2 ? NULL : modules;
    options.module_count = wrong == 3 ? (size_t)choose_number(actor, "absurd", 1) : count;
    options.flags = choose(actor, 8) == 0 ? GRAPHCAP_CAPTURE_STRICT : 0;
    options.flags |= choose(actor, 8) == 0 ? GRAPHCAP_CAPTURE_NOTE_MEMORY : 0;
    if (wrong == 4)
        options.flags |= reserved(actor, 1) << 2 | 4;
    if (wrong == 5 || choose(actor, 4) != 0)
        options.pool = choose_handle(actor, POOL, 0, wrong == 5, &bad);
    if (options.pool == NULL && choose(actor, 3) == 0)
        options.graph = choose_handle(actor, GRAPH, 0, 0, &bad);
    say(actor, ", modules %zu} ", options.module_count);
    if (frame == FRAME_RIGHT && choose(actor, 4) == 0) {
        frame = FRAME_NULL;
        actor->call->must_fail = 0;
    }
    give_structs(actor, "gc_capture_options", frame, &options, sizeof options, 1);
}

void generate_pool_options(struct actor *actor) {
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 4);
    enum frame frame = choose_frame(actor, wrong == 0);
    uint32_t unknown = reserved(actor, wrong == 1);
    if (choose(actor, 2) == 0)
        options.capacity = (size_t)choose_number(actor, "size", choose(actor, 8) == 0);
    options.flags = (uint32_t)(choose(actor, 2) == 0 ? GRAPHCAP_POOL_SHARED : 0);
    options.flags |= unknown == GRAPHCAP_POOL_SHARED ? unknown * 2 : unknown;
    options.reuse = wrong == 2 ? 3 + (int32_t)choose(actor, 9) : (int32_t)choose(actor, 3);
    options.reserved = reserved(actor, wrong == 3);
    say(actor, "{flags %u, capacity %zu, reuse %d} ", (unsigned)options.flags, options.capacity, options.reuse);
    if (frame == FRAME_RIGHT && choose(actor, 4) == 0) {
        frame = FRAME_NULL;
        actor->call->must_fail = 0;
    }
    give_structs(actor, "gc_pool_options", frame, &options, sizeof options, 1);
}

void generate_actor_options(struct actor *actor) {
    gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    int wrong = choose_wrong(actor, 4);
    enum frame frame = choose_frame(actor, wrong == 0);
    options.completion = wrong == 1 ? 3 + (uint32_t)choose(actor, 2) * 1000 : (uint32_t)choose(actor, 3);
    options.mailbox_capacity = (size_t)choose(actor, 3);
    /* No post may wait for ever. */
    if (choose(actor, 2) == 0)
        options.flags = GRAPHCAP_ACTOR_REFUSE_WHEN_FULL;
    else
        options.post_timeout_ns = 1 + choose(actor, 2) * 1000000;
    /* So short that some launches are late. */
    options.stall_limit_ns = choose(actor, 3) * 20000;
    if (wrong == 2)
        options.flags |= reserved(actor, 1) << 1 | 2;
    options.reserved = reserved(actor, wrong == 3);
    actor->call->must_fail |= wrong == 1 || wrong == 2;
    say(actor, "{completion %u, mailbox %zu, flags %#x} ", options.completion, options.mailbox_capacity, options.flags);
    give_structs(actor, "gc_actor_options", frame, &options, sizeof options, 1);
}

/* ---- Modules and launches ---- */

static const char *const names[] = {"fill", "add", "nothing", "free_form", "fail", "", "nix", "\xff\xfe", NULL};

void generate_kernel_name(struct actor *actor) {
    unsigned number = (unsigned)choose(actor, 3);
    if ((actor->world->mode & MODE_CUDA) == 0 && choose(actor, 4) == 0)
        number = KERNEL_FREE;
    if ((actor->world->mode & MODE_FAULTS) != 0 && choose(actor, 8) == 0)
        number = KERNEL_FAIL;
    actor->call->kernel = number;
    if (is_wrong(actor))
        number = FUZZ_KERNELS + (unsigned)choose(actor, 4);
    give_pointer(actor, (void *)(uintptr_t)names[number]);
    say(actor, number == 7 ? "(not UTF-8)" : names[number] == NULL ? "NULL" : "\"%s\"", names[number]);
}

static const char *const given_names[] = {
    "weights", "", "a \"quoted\" name\n", "\xc3\xb1 \xc3\xba", NULL, "\xff\xfe", "\xc3"};
enum { WRONG_NAMES = 2 };

void generate_name(struct actor *actor) {
    size_t right = LENGTH_OF(given_names) - WRONG_NAMES;
    size_t number = is_wrong(actor) ? right + choose(actor, WRONG_NAMES) : choose(actor, right);
    give_pointer(actor, (void *)(uintptr_t)given_names[number]);
    say(actor, "names[%u]", (unsigned)number);
}

/* A file in the working directory, or what cannot become one. */
void generate_trace_path(struct actor *actor) {
    static const char *const wrong[] = {"", "/nonexistent/fuzz.trace", "/dev/null", ".", "\xff\xfe", NULL};
    const char *path = is_wrong(actor) ? wrong[choose(actor, LENGTH_OF(wrong))] : "fuzz.trace";
    give_pointer(actor, (void *)(uintptr_t)path);
    say(actor, "a path of a trace");
}

/* The images have none, so that only host devices find any. */
void generate_global_name(struct actor *actor) {
    static const char *const known[] = {"first", "second", "", "nix", "\xff\xfe", NULL};
    unsigned number = (unsigned)(is_wrong(actor) ? 2 + choose(actor, 4) : choose(actor, 2));
    give_pointer(actor, (void *)(uintptr_t)known[number]);
    say(actor, number == 4 ? "(not UTF-8)" : known[number] == NULL ? "NULL" : "\"%s\"", known[number]);
}

/* ---- Texts of graphs ---- */

#define JSON_OF(memory, kernels, events, nodes, edges)                                                            \
    "{\"format\":\"graphcap graph\",\"version\":1,\"name\":\"read\",\"memory\":[" memory "],\"kernels\":[" kernels    \
    "],\"functions\":[],\"events\":[" events "],\"conditions\":[{\"default\":0}],\"graph\":{\"nodes\":[" nodes        \
    "],\"edges\":[" edges "]}}"

static const char *const texts[] = {
    JSON_OF("", "", "", "", ""),
    JSON_OF("", "", "", "{\"kind\":\"empty\"},{\"name\":\"join\",\"kind\":\"empty\"}", "[0,1]"),
    JSON_OF("{\"name\":\"weights\",\"kind\":\"buffer\"}", "", "",
            "{\"kind\":\"memset\",\"at\":{\"memory\":0,\"offset\":\"4\"},\"value\":7,\"element_size\":4,\"width\":\"3\","
            "\"height\":\"1\",\"pitch\":\"0\"}", ""),
    JSON_OF("", "", "{\"name\":\"done\"}", "{\"kind\":\"event_record\",\"event\":0},{\"kind\":\"event_wait\",\"event\":0}",
            "[1,0]"),
    JSON_OF("{\"name\":\"weights\",\"kind\":\"buffer\"}", "{\"name\":\"fill\"}", "",
            "{\"kind\":\"kernel\",\"kernel\":0,\"grid\":[1,1,1],\"block\":[1,1,1],\"shared_mem_bytes\":0,\"arguments\":"
            "{\"separate\":[{\"bytes\":\"0000000000000000\",\"addresses\":[{\"at\":0,\"to\":{\"memory\":{\"memory\":0,"
            "\"offset\":\"0\"}}}]},{\"bytes\":\"01000000\"},{\"bytes\":\"0100000000000000\"}]}}", ""),
    JSON_OF("", "", "",
            "{\"kind\":\"child\",\"graph\":{\"nodes\":[{\"kind\":\"empty\"}],\"edges\":[]}},{\"kind\":\"conditional\","
            "\"decides\":\"if\",\"condition\":0,\"bodies\":[{\"nodes\":[{\"kind\":\"empty\"}],\"edges\":[]}]}", "[0,1]"),
};

void generate_json(struct actor *actor) {
    const char *text = texts[choose(actor, LENGTH_OF(texts))];
    size_t size = strlen(text), damages = is_wrong(actor) ? 1 + choose(actor, 3) : 0;
    char *copy;
    if (damages > 0 && choose(actor, 4) == 0)
        size = choose(actor, size);
    copy = reserve_edge(actor, size);
    memcpy(copy, text, size);
    while (damages-- > 0 && size > 0)
        copy[choose(actor, size)] = "0123456789{}[]\",:-aez\xff"[choose(actor, 23)];
    actor->call->array_size = size;
    give_pointer(actor, copy);
    say(actor, "\"%.*s\"", (int)size, copy);
}

void generate_json_size(struct actor *actor) {
    if (is_wrong(actor) && actor->call->array_size > 0)
        actor->call->array_size = choose(actor, actor->call->array_size);
    give_number(actor, actor->call->array_size);
}

/* What the texts have names for. No host functions: what destroys them is no parameter of the call. */
void generate_bindings(struct actor *actor) {
    static const char *const bound[] = {"weights", "fill", "done", "other", NULL, NULL, "\xff"};
    static const enum kind kinds[] = {BUFFER, KERNEL, EVENT, HOST_BUFFER, GRAPH, GRAPH};
    static const uint32_t numbers[] = {GRAPHCAP_BINDING_BUFFER, GRAPHCAP_BINDING_KERNEL, GRAPHCAP_BINDING_EVENT,
                                       GRAPHCAP_BINDING_HOST_BUFFER, GRAPHCAP_BINDING_GRAPH,
                                       GRAPHCAP_BINDING_PROCESS};
    gc_graph_binding bindings[6];
    int wrong = choose_wrong(actor, 6), bad;
    enum frame frame = choose_frame(actor, wrong == 0);
    unsigned count = wrong < 6 ? (unsigned)choose(actor, 7) : 4, i, at = (unsigned)choose(actor, count);
    say(actor, "{");
    for (i = 0; i < count; i++) {
        int is = i == at ? wrong : 99;
        void *handle = choose_handle(actor, kinds[i], 0, is == 1, &bad);
        gc_graph_binding binding = GRAPHCAP_BINDING_INIT(numbers[i], bound[i], handle);
        if (binding.kind == GRAPHCAP_BINDING_PROCESS && is != 1)
            binding.handle = NULL;
        if (is == 2)
            binding.kind = (uint32_t)choose(actor, 11);
        if (is == 3)
            binding.name = bound[choose(actor, LENGTH_OF(bound))];
        if (is == 4)
            binding.user_data = &actor->call->array_size;
        if (is == 5)
            binding.pointer = &actor->call->array_size;
        say(actor, " kind %u %s; ", binding.kind, binding.name != NULL && binding.name[0] > 0 ? binding.name : "?");
        /* Nobody knows when the function of a call that is over is called no more. */
        if (binding.kind == GRAPHCAP_BINDING_HOST_FUNCTION)
            binding.user_data = NULL;
        bindings[i] = binding;
    }
    say(actor, "} ");
    give_structs(actor, "gc_graph_binding", frame, bindings, sizeof bindings[0], count);
}

void generate_module_description(struct actor *actor) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    size_t count = (actor->world->mode & MODE_FAULTS) != 0 ? FUZZ_KERNELS : KERNEL_FAIL;
    gc_host_kernel *kernels = reserve_edge(actor, sizeof(gc_host_kernel) * count);
    static uint32_t first[64], second[64];
    const gc_host_global host_globals[] = {GRAPHCAP_HOST_GLOBAL("first", first), GRAPHCAP_HOST_GLOBAL("second", second)};
    gc_host_global *globals = reserve_edge(actor, sizeof host_globals);
    int wrong = choose_wrong(actor, 10);
    enum frame frame = choose_frame(actor, wrong == 0);
    memcpy(globals, host_globals, sizeof host_globals);
    description.host_globals = globals;
    description.host_global_count = LENGTH_OF(host_globals);
    memcpy(kernels, fuzz_kernels, sizeof(gc_host_kernel) * count);
    description.host_kernels = kernels;
    description.host_kernel_count = count;
    description.image = kernels_ptx;
    description.image_size = sizeof kernels_ptx;
    switch (wrong) {
    case 1:
        description.flags = reserved(actor, 1);
        break;
    case 2:
        kernels[choose(actor, 3)].name = names[FUZZ_KERNELS + choose(actor, 4)];
        break;
    case 3:
        kernels[choose(actor, 3)].function = NULL;
        break;
    case 4:
        kernels[1].name = kernels[0].name;
        break;
    case 5:
        kernels[choose(actor, 3)].flags = reserved(actor, 1);
        break;
    case 6:
        description.image_size = choose(actor, sizeof kernels_ptx); /* cut short */
        break;
    case 7:
        if (choose(actor, 2) == 0)
            description.host_kernel_count = (size_t)choose_number(actor, "absurd", 1);
        else
            kernels[choose(actor, 2)].parameter_count = (size_t)choose_number(actor, "absurd", 1);
        break;
    case 9:
        if (choose(actor, 2) == 0)
            description.host_global_count = (size_t)choose_number(actor, "absurd", 1);
        else
            globals[choose(actor, 2)].size = 0;
        break;
    case 8:
        kernels[choose(actor, 3)].struct_size = (uint32_t)choose(actor, 4);
        break;
    default:
        break;
    }
    say(actor, "{wrong in %d, kernels %zu} ", wrong, description.host_kernel_count);
    give_structs(actor, "gc_module_description", frame, &description, sizeof description, 1);
}

static void fill_launch_value(struct actor *actor, uint64_t attribute, gc_launch_attribute_value *value);

/* Of those that nodes have and that change nothing where they are right. */
static void give_attributes(struct actor *actor, gc_launch_config *config) {
    size_t count = 1 + choose(actor, 2), i;
    gc_launch_attribute *attributes = (gc_launch_attribute *)reserve(actor, count * sizeof *attributes);
    for (i = 0; i < count; i++) {
        gc_launch_attribute_init_number(&attributes[i], (uint32_t)choose_number(actor, "launch_attribute", is_wrong(actor)), 0);
        if (attributes[i].id != GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT &&
            attributes[i].id != GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT)
            fill_launch_value(actor, attributes[i].id, &attributes[i].value);
        say(actor, "attribute %u = %d ", attributes[i].id, (int)attributes[i].value.number);
    }
    config->attributes = attributes;
    config->attribute_count = count;
}

void generate_launch_config(struct actor *actor) {
    static const uint32_t absurd[] = {0, 65536, 0x80000000, 0xffffffff};
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    int wrong = choose_wrong(actor, 5);
    enum frame frame = choose_frame(actor, wrong == 0);
    config.grid_dim[choose(actor, 3)] = 1 + (uint32_t)choose(actor, 4);
    config.block_dim[choose(actor, 3)] = 1 + (uint32_t)choose(actor, 32);
    config.shared_mem_bytes = (uint32_t)choose(actor, 4) * 64;
    if (wrong == 1) /* 0 in any dimension, or too many threads in a block */
        config.block_dim[choose(actor, 3)] = absurd[choose(actor, LENGTH_OF(absurd))];
    if (wrong == 2) /* too many blocks in y or z */
        config.grid_dim[1 + choose(actor, 2)] = absurd[choose(actor, LENGTH_OF(absurd))];
    if (wrong == 3)
        config.shared_mem_bytes = 0xffffffff;
    if (wrong == 4)
        config.reserved = reserved(actor, 1);
    if (choose(actor, 3) == 0)
        give_attributes(actor, &config);
    say(actor, "{%u %u %u, %u %u %u, %u} ", config.grid_dim[0], config.grid_dim[1], config.grid_dim[2], config.block_dim[0],
        config.block_dim[1], config.block_dim[2], config.shared_mem_bytes);
    give_structs(actor, "gc_launch_config", frame, &config, sizeof config, 1);
}

/* The arguments of the call's kernel. An address is never passed as a value: that would be a wild pointer. */
void generate_kernel_arguments(struct actor *actor) {
    static const unsigned counts[FUZZ_KERNELS] = {3, 3, 0, 2, 1};
    static uint32_t value = 7, answer = 1;
    static uint64_t few = 8, none = 0;
    gc_kernel_arg arguments[4];
    unsigned kernel = actor->call->kernel % FUZZ_KERNELS, count = counts[kernel], i;
    int wrong = choose_wrong(actor, 9), bad;
    enum frame frame = choose_frame(actor, wrong == 0);
    say(actor, "{");
    for (i = 0; i < LENGTH_OF(arguments); i++) {
        gc_kernel_arg text = GRAPHCAP_ARG_INIT_VALUE(value);
        arguments[i] = text;
    }
    if (kernel == KERNEL_FILL || kernel == KERNEL_ADD) {
        gc_kernel_arg address =
            GRAPHCAP_ARG_INIT_BUFFER_AT((const gc_buffer *)choose_handle(actor, BUFFER, 0, wrong == 1, &bad),
                                        (size_t)choose_number(actor, "offset", wrong == 2));
        gc_kernel_arg size = GRAPHCAP_ARG_INIT_VALUE(few);
        arguments[0] = address;
        arguments[0].access = (uint32_t)choose(actor, 4);
        arguments[2] = size;
        if ((actor->world->mode & MODE_CUDA) != 0) /* there nothing is written */
            arguments[2].value = &none;
        say(actor, ", offset %zu", arguments[0].offset);
    }
    if (kernel == KERNEL_FAIL)
        arguments[0].value = &answer;
    i = (unsigned)choose(actor, count == 0 ? 1 : count);
    if (wrong == 3)
        count = count == 4 ? 3 : count + 1;
    if (wrong == 4)
        arguments[i].kind = choose(actor, 2) == 0 ? 0 : 3;
    if (wrong == 5)
        arguments[i].access = 4 + (uint32_t)choose(actor, 100);
    if (wrong == 6)
        arguments[i].reserved = 1;
    if (wrong == 7 && arguments[i].kind == GRAPHCAP_ARG_VALUE)
        arguments[i].value_size = choose(actor, 2) == 0 ? 3 : SIZE_MAX;
    if (wrong == 8 && arguments[i].kind == GRAPHCAP_ARG_VALUE)
        arguments[i].value = NULL;
    say(actor, ", wrong in %d} ", wrong);
    give_structs(actor, "gc_kernel_arg", frame, arguments, sizeof arguments[0], count);
}

/* ---- Copies and memsets ---- */

static const gc_buffer *choose_buffer(struct actor *actor, int wrong) {
    int bad;
    say(actor, ", ");
    return choose_handle(actor, BUFFER, 0, wrong, &bad);
}

static const gc_host_buffer *choose_host_buffer(struct actor *actor, int wrong) {
    int bad;
    say(actor, ", ");
    return choose_handle(actor, HOST_BUFFER, 0, wrong, &bad);
}

/* Of rows of at most 100 bytes. Wrong ones wrap around, so that no memory is behind them. */
static size_t choose_pitch(struct actor *actor, int wrong) {
    static const size_t pitches[] = {0, 0, 128, 256, 512};
    if (wrong)
        return choose(actor, 2) == 0 ? 1 : SIZE_MAX;
    return pitches[choose(actor, LENGTH_OF(pitches))];
}

static size_t choose_rows(struct actor *actor, int wrong) {
    static const size_t rows[] = {0, 1, 2, 4};
    return wrong ? SIZE_MAX : rows[choose(actor, LENGTH_OF(rows))];
}

/* At least the rows of a slice. */
static size_t choose_slice(struct actor *actor, int wrong) {
    static const size_t rows[] = {0, 0, 4, 8};
    return wrong ? (choose(actor, 2) == 0 ? 1 : SIZE_MAX) : rows[choose(actor, LENGTH_OF(rows))];
}

enum { WRONG_COPIES = 13 };

/* `wrong` is what is wrong with it, from 1 on. */
static gc_memcpy_params choose_copy(struct actor *actor, int wrong) {
    static const size_t sizes[] = {1, 4, 16, 100, 0};
    gc_memcpy_params params = {sizeof(gc_memcpy_params), 0, NULL, 0, NULL, NULL, 0, NULL, 0, 0, 0, NULL, NULL, 0, 0, 0, 0, 0, 0};
    int pinned = choose(actor, 3) == 0, from_host, to_host;
    params.height = params.depth = 1;
    params.direction = (uint32_t)choose(actor, 4);
    from_host = params.direction == GRAPHCAP_MEMCPY_HOST_TO_DEVICE || params.direction == GRAPHCAP_MEMCPY_HOST_TO_HOST;
    to_host = params.direction == GRAPHCAP_MEMCPY_DEVICE_TO_HOST || params.direction == GRAPHCAP_MEMCPY_HOST_TO_HOST;
    say(actor, "{direction %u", params.direction);
    if (from_host && pinned)
        params.source_host_buffer = choose_host_buffer(actor, wrong == 1);
    else if (from_host && wrong != 2)
        params.source_host = host_memory(actor, 0);
    else if (!from_host)
        params.source = choose_buffer(actor, wrong == 1);
    if (to_host && pinned)
        params.destination_host_buffer = choose_host_buffer(actor, wrong == 3);
    else if (to_host && wrong != 2)
        params.destination_host = host_memory(actor, 1);
    else if (!to_host)
        params.destination = choose_buffer(actor, wrong == 3);
    params.size = wrong == 4 ? SIZE_MAX - choose(actor, 3) : sizes[choose(actor, LENGTH_OF(sizes))];
    if (params.source_host == NULL)
        params.source_offset = (size_t)choose_number(actor, "offset", wrong == 5);
    if (params.destination_host == NULL)
        params.destination_offset = (size_t)choose_number(actor, "offset", wrong == 6);
    if (params.source_host != NULL && choose(actor, 2) == 0)
        params.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    if (choose(actor, 2) == 0) {
        params.height = choose_rows(actor, wrong == 7);
        params.depth = choose(actor, 2) == 0 ? choose_rows(actor, wrong == 8) : 1;
        params.destination_pitch = choose_pitch(actor, wrong == 9);
        params.source_pitch = choose_pitch(actor, wrong == 10);
        params.destination_slice_height = choose_slice(actor, wrong == 11);
        params.source_slice_height = choose_slice(actor, wrong == 11);
    }
    if (wrong == 12) { /* what the direction does not use, or no direction at all */
        if (choose(actor, 2) == 0)
            params.reserved = reserved(actor, 1);
        else
            params.direction = 4 + (uint32_t)choose(actor, 2);
    }
    say(actor, ", offsets %zu %zu, size %zu * %zu * %zu, pitches %zu %zu, slices %zu %zu, flags %u, direction %u} ",
        params.destination_offset, params.source_offset, params.size, params.height, params.depth, params.destination_pitch,
        params.source_pitch, params.destination_slice_height, params.source_slice_height, params.flags, params.direction);
    return params;
}

void generate_memcpy_params(struct actor *actor) {
    int wrong = choose_wrong(actor, WRONG_COPIES);
    enum frame frame = choose_frame(actor, wrong == 0);
    gc_memcpy_params params = choose_copy(actor, wrong);
    give_structs(actor, "gc_memcpy_params", frame, &params, sizeof params, 1);
}

/* One of them may be wrong. */
void generate_memcpy_batch(struct actor *actor) {
    gc_memcpy_params copies[4];
    int wrong = choose_wrong(actor, WRONG_COPIES);
    enum frame frame = choose_frame(actor, wrong == 0);
    unsigned count = (unsigned)choose(actor, LENGTH_OF(copies) + 1), at = (unsigned)choose(actor, count), i;
    for (i = 0; i < count; i++)
        copies[i] = choose_copy(actor, i == at ? wrong : WRONG_COPIES);
    give_structs(actor, "gc_memcpy_params", frame, copies, sizeof copies[0], count);
}

void generate_memset_params(struct actor *actor) {
    static const size_t widths[] = {1, 8, 16, 0};
    gc_memset_params params = GRAPHCAP_MEMSET_INIT(NULL, 0, 0x01020304, 1, 0, 0, 0);
    int wrong = choose_wrong(actor, 8);
    enum frame frame = choose_frame(actor, wrong == 0);
    say(actor, "{");
    if (choose(actor, 8) == 0) /* it may not be mapped */
        params.host_buffer = choose_host_buffer(actor, wrong == 1);
    else
        params.buffer = choose_buffer(actor, wrong == 1);
    params.element_size = (uint32_t)choose_number(actor, "element_size", wrong == 2);
    params.offset = (size_t)choose_number(actor, "offset", wrong == 3);
    params.width = wrong == 4 ? SIZE_MAX / 2 : widths[choose(actor, LENGTH_OF(widths))];
    params.height = choose_rows(actor, wrong == 5);
    params.pitch = choose_pitch(actor, wrong == 6);
    params.reserved = reserved(actor, wrong == 7);
    say(actor, ", offset %zu, element %u, %zu * %zu, pitch %zu, reserved %u} ", params.offset, params.element_size,
        params.width, params.height, params.pitch, params.reserved);
    give_structs(actor, "gc_memset_params", frame, &params, sizeof params, 1);
}

/* ---- Random numbers ---- */

static void choose_uniform(struct actor *actor, gc_rng_uniform_params *params, int wrong) {
    int bad;
    params->rng = choose_handle(actor, RNG, 0, wrong, &bad);
    params->buffer = choose_buffer(actor, 0);
    params->offset = 4 * (size_t)choose(actor, 3);
    params->count = (size_t)choose(actor, 5);
    params->flags = (uint32_t)choose(actor, 2);
    if (params->flags == GRAPHCAP_RNG_REPEAT)
        params->first = UINT64_MAX - choose(actor, 9);
}

void generate_rng_uniform_params(struct actor *actor) {
    gc_rng_uniform_params params = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    int wrong = choose_wrong(actor, 5);
    enum frame frame = choose_frame(actor, wrong == 0);
    say(actor, "{");
    choose_uniform(actor, &params, wrong == 1);
    if (wrong == 2)
        params.count = SIZE_MAX - choose(actor, 9);
    if (wrong == 3)
        params.flags = 2 + (uint32_t)choose(actor, 1000);
    if (wrong == 4) {
        params.flags = 0;
        params.first = 1;
    }
    say(actor, ", %zu floats, flags %u, first %llu} ", params.count, params.flags, (unsigned long long)params.first);
    actor->call->must_fail |= wrong == 2 || wrong == 3 || wrong == 4;
    give_structs(actor, "gc_rng_uniform_params", frame, &params, sizeof params, 1);
}

/* ---- Ops of scripts ---- */

static const gc_rng_uniform_params *a_uniform(struct actor *actor, int wrong) {
    gc_rng_uniform_params *params = reserve_edge(actor, sizeof *params);
    const gc_rng_uniform_params none = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    *params = none;
    choose_uniform(actor, params, wrong);
    return params;
}

static const gc_memset_params *a_memset(struct actor *actor, int wrong) {
    gc_memset_params *params = reserve_edge(actor, sizeof *params);
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(choose_buffer(actor, wrong), 0, 7, 1, (size_t)choose(actor, 9), 1, 0);
    *params = set;
    return params;
}

static const gc_memcpy_params *a_copy(struct actor *actor, int wrong) {
    gc_memcpy_params *params = reserve_edge(actor, sizeof *params);
    const gc_buffer *to = choose_buffer(actor, wrong), *from = choose_buffer(actor, 0);
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(to, 0, from, 8, (size_t)choose(actor, 9));
    *params = copy;
    return params;
}

static void give_bodies(struct actor *actor, gc_work *desc, int wrong) {
    const gc_script **bodies;
    uint32_t i;
    int bad;
    desc->buffer = choose_buffer(actor, 0);
    desc->offset = 4 * (size_t)choose(actor, 3);
    /* No loops, which a word of memory might never end. */
    desc->conditional_kind = choose(actor, 2) == 0 ? GRAPHCAP_CONDITIONAL_IF : GRAPHCAP_CONDITIONAL_SWITCH;
    desc->body_count = (uint32_t)choose(actor, 3);
    bodies = reserve_edge(actor, desc->body_count * sizeof *bodies);
    for (i = 0; i < desc->body_count; i++)
        bodies[i] = choose_handle(actor, SCRIPT, 0, wrong, &bad);
    desc->bodies = bodies;
}

void generate_fft_plan_params(struct actor *actor) {
    static const uint64_t lengths[] = {1, 2, 3, 4, 7, 8, 0, UINT64_MAX};
    gc_fft_plan_params params = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    int wrong = choose_wrong(actor, 3);
    enum frame frame = choose_frame(actor, wrong == 0);
    params.direction = wrong == 1 ? 2 : (uint32_t)choose(actor, 2);
    params.length = lengths[choose(actor, wrong == 2 ? LENGTH_OF(lengths) : 6)];
    params.batch_count = choose(actor, 3);
    say(actor, "{direction %u, length %llu, batch %u} ", params.direction, (unsigned long long)params.length,
        (unsigned)params.batch_count);
    actor->call->must_fail |= wrong == 1;
    give_structs(actor, "gc_fft_plan_params", frame, &params, sizeof params, 1);
}

/* Small matrices; whether they fit their buffers, and are apart, is found out when the op is recorded. */
static const gc_sgemm_params *a_product(struct actor *actor, int wrong) {
    gc_sgemm_params *params = reserve_edge(actor, sizeof *params);
    const gc_sgemm_params none = GRAPHCAP_SGEMM_PARAMS_INIT;
    int bad;
    *params = none;
    params->m = choose(actor, 4);
    params->n = choose(actor, 4);
    params->k = choose(actor, 3);
    params->transpose_a = (uint32_t)choose(actor, 2);
    params->transpose_b = (uint32_t)choose(actor, 2);
    params->math_mode = (uint32_t)choose(actor, 2);
    params->workspace_bytes = choose(actor, 3) == 0 ? (uint64_t)16 << 10 : 0;
    params->a = choose_buffer(actor, wrong);
    params->b = choose_buffer(actor, 0);
    params->b_offset = 4 * (size_t)choose(actor, 5);
    params->c = choose_buffer(actor, 0);
    params->c_offset = 4 * (size_t)choose(actor, 9);
    if (choose(actor, 3) == 0)
        params->alpha_scalar = choose_handle(actor, SCALAR, 0, 0, &bad);
    else
        params->alpha = 1;
    return params;
}

/* By a plan. */
static const gc_fft_params *a_fft(struct actor *actor, int wrong) {
    gc_fft_params *params = reserve_edge(actor, sizeof *params);
    const gc_fft_params none = GRAPHCAP_FFT_PARAMS_INIT;
    int bad;
    *params = none;
    params->plan = choose_handle(actor, FFT_PLAN, 0, wrong, &bad);
    params->input = choose_buffer(actor, 0);
    params->output = choose_buffer(actor, 0);
    params->output_offset = 8 * (size_t)choose(actor, 5);
    return params;
}

void generate_work(struct actor *actor) {
    static const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    static const uint32_t of_nodes[] = {GRAPHCAP_WORK_EMPTY, GRAPHCAP_WORK_MEM_ALLOC, GRAPHCAP_WORK_MEM_FREE, GRAPHCAP_WORK_SET_CONDITION};
    gc_work desc = GRAPHCAP_WORK_INIT;
    int wrong = choose_wrong(actor, 4), bad;
    enum frame frame = choose_frame(actor, wrong == 0);
    desc.kind = GRAPHCAP_WORK_KERNEL + (uint32_t)choose(actor, 9);
    if (desc.kind > GRAPHCAP_WORK_EVENT_WAIT)
        desc.kind = GRAPHCAP_WORK_RNG_UNIFORM;
    if (choose(actor, 4) == 0)
        desc.kind = GRAPHCAP_WORK_SGEMM + (uint32_t)choose(actor, 3);
    if (choose(actor, 4) == 0)
        desc.kind = of_nodes[choose(actor, LENGTH_OF(of_nodes))];
    if (desc.kind == GRAPHCAP_WORK_HOST && frame != FRAME_RIGHT)
        desc.kind = GRAPHCAP_WORK_MEMSET; /* where the frame is wrong nobody reads which destroy is to be called */
    say(actor, "{kind %u, ", desc.kind);
    switch (desc.kind) {
    case GRAPHCAP_WORK_KERNEL:
        desc.kernel = choose_handle(actor, KERNEL, 0, wrong == 1, &bad);
        desc.config = &config;
        break;
    case GRAPHCAP_WORK_MEMCPY: desc.memcpy_params = a_copy(actor, wrong == 1); break;
    case GRAPHCAP_WORK_MEMSET: desc.memset_params = a_memset(actor, wrong == 1); break;
    case GRAPHCAP_WORK_HOST: give_host_op(actor, &desc); break;
    case GRAPHCAP_WORK_CHILD_GRAPH: desc.graph = choose_handle(actor, GRAPH, 0, wrong == 1, &bad); break;
    case GRAPHCAP_WORK_SGEMM: desc.sgemm_params = a_product(actor, wrong == 1); break;
    case GRAPHCAP_WORK_FFT_R2C:
    case GRAPHCAP_WORK_FFT_C2R: desc.fft_params = a_fft(actor, wrong == 1); break;
    case GRAPHCAP_WORK_CONDITIONAL: give_bodies(actor, &desc, wrong == 1); break;
    case GRAPHCAP_WORK_RNG_UNIFORM: desc.rng_uniform_params = a_uniform(actor, wrong == 1); break;
    case GRAPHCAP_WORK_EMPTY: break;
    case GRAPHCAP_WORK_MEM_ALLOC: desc.size = wrong == 1 ? 0 : 64 * (size_t)(1 + choose(actor, 4)); break;
    case GRAPHCAP_WORK_MEM_FREE: desc.buffer = choose_handle(actor, GRAPH_BUFFER, 0, wrong == 1, &bad); break;
    case GRAPHCAP_WORK_SET_CONDITION:
        desc.condition = choose_condition(actor, wrong == 1);
        if (choose(actor, 2) == 0)
            desc.buffer = choose_buffer(actor, 0);
        else
            desc.scalar = choose_handle(actor, SCALAR, 0, 0, &bad);
        break;
    default:
        desc.flags = (uint32_t)choose(actor, 2);
        desc.event = choose_handle(actor, EVENT, 0, wrong == 1, &bad);
    }
    if (wrong == 2)
        desc.kind = 14 + (uint32_t)choose(actor, 2) * 1000;
    if (wrong == 3 && desc.kind != GRAPHCAP_WORK_CONDITIONAL) {
        desc.body_count = 1;
        actor->call->must_fail = 1;
    }
    say(actor, "} ");
    actor->call->must_fail |= wrong == 2;
    actor->call->work = desc.kind;
    give_structs(actor, "gc_work", frame, &desc, sizeof desc, 1);
}

/* Of kinds that have no destroy: what is behind the first one that fails is not read. One of them may be wrong. */
void generate_works(struct actor *actor) {
    static const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    static const gc_work none = GRAPHCAP_WORK_INIT;
    gc_work works[4];
    int wrong = choose_wrong(actor, 2), bad;
    enum frame frame = choose_frame(actor, wrong == 0);
    size_t count = actor->call->array_size, i, at;
    count = count < LENGTH_OF(works) ? count : LENGTH_OF(works);
    at = (size_t)choose(actor, (unsigned)count + 1);
    for (i = 0; i < count; i++) {
        works[i] = none;
        works[i].kind = GRAPHCAP_WORK_KERNEL + (uint32_t)choose(actor, 3);
        say(actor, "{kind %u, ", works[i].kind);
        switch (works[i].kind) {
        case GRAPHCAP_WORK_KERNEL:
            works[i].kernel = choose_handle(actor, KERNEL, 0, wrong == 1 && i == at, &bad);
            works[i].config = &config;
            break;
        case GRAPHCAP_WORK_MEMCPY: works[i].memcpy_params = a_copy(actor, wrong == 1 && i == at); break;
        default: works[i].memset_params = a_memset(actor, wrong == 1 && i == at);
        }
        say(actor, "} ");
    }
    give_structs(actor, "gc_work", frame, works, sizeof works[0], count);
}

void generate_op_vtable(struct actor *actor) {
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    int wrong = choose_wrong(actor, 3);
    enum frame frame = choose_frame(actor, wrong == 0);
    say(actor, "{");
    if (frame == FRAME_RIGHT)
        give_op(actor, &vtable);
    if (wrong == 1)
        vtable.record = NULL;
    vtable.reserved = reserved(actor, wrong == 2);
    say(actor, "} ");
    actor->call->must_fail |= wrong == 1;
    give_structs(actor, "gc_op_vtable", frame, &vtable, sizeof vtable, 1);
}

/* ---- Value operations ---- */

void generate_mem_ops(struct actor *actor) {
    static const uint32_t kinds[] = {GRAPHCAP_MEM_OP_WAIT_VALUE32, GRAPHCAP_MEM_OP_WRITE_VALUE32,
                                     GRAPHCAP_MEM_OP_WAIT_VALUE64, GRAPHCAP_MEM_OP_WRITE_VALUE64};
    gc_mem_op operations[4];
    int wrong = choose_wrong(actor, 7), bad, ever = (actor->world->mode & MODE_WAITS) != 0;
    enum frame frame = choose_frame(actor, wrong == 0);
    unsigned count = (unsigned)choose(actor, LENGTH_OF(operations) + 1), i, at = (unsigned)choose(actor, count);
    say(actor, "{");
    for (i = 0; i < count; i++) {
        gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WAIT32(NULL, 0, 0, 0);
        int waits, is = i == at ? wrong : 99;
        operation.kind = is == 1 ? (uint32_t)choose(actor, 2) * 6 : kinds[choose(actor, LENGTH_OF(kinds))];
        waits = operation.kind == GRAPHCAP_MEM_OP_WAIT_VALUE32 || operation.kind == GRAPHCAP_MEM_OP_WAIT_VALUE64;
        operation.buffer = choose_waitable(actor, is == 2, &bad);
        operation.offset = (size_t)choose_number(actor, "value_offset", is == 3);
        operation.value = choose_number(actor, !waits ? "small" : ever ? "awaited_ever" : "awaited_now", 0);
        operation.flags = (uint32_t)choose_number(
            actor, !waits ? "write_value_flags" : ever ? "wait_value_flags_ever" : "wait_value_flags_now", is == 4);
        operation.reserved = reserved(actor, is == 5);
        if (is == 6) {
            operation.host_buffer = choose_host_buffer(actor, 1);
        } else if (is > 6 && !waits && choose(actor, 8) == 0) { /* it may not be mapped; its words may be anything, so no waits */
            operation.buffer = NULL;
            operation.host_buffer = choose_host_buffer(actor, 0);
        }
        say(actor, " kind %u, offset %zu, value %llu, flags %#x; ", operation.kind, operation.offset,
            (unsigned long long)operation.value, operation.flags);
        operations[i] = operation;
    }
    say(actor, "} ");
    give_structs(actor, "gc_mem_op", frame, operations, sizeof operations[0], count);
}

/* ---- Others ---- */

/* The graph whose nodes a call takes: that of its first handle. */
static void *graph_of_call(struct actor *actor) {
    struct call *call = actor->call;
    unsigned i;
    if (call->function->parameter[0]->kind != EXEC)
        return call->value[0].pointer;
    for (i = 0; i < SLOTS; i++)
        if (atomic_load(&actor->world->slots[EXEC][i].current) == call->value[0].pointer)
            return atomic_load(&actor->world->slots[EXEC][i].graph);
    return NULL;
}

/* Which known node: rather one of the call's graph, and of the kind that the function takes. It may be removed meanwhile. */
static unsigned pick_node(struct actor *actor) {
    const enum node_kind wanted = kind_of_node(actor->call->function->name);
    void *graph = graph_of_call(actor);
    uint64_t random = random_word(&actor->random);
    unsigned best[KNOWN_NODES], good[KNOWN_NODES], bests = 0, goods = 0, i;
    for (i = 0; i < KNOWN_NODES; i++) {
        struct known_node *known = &actor->world->nodes[i];
        if (atomic_load(&known->node) == 0 || atomic_load(&known->graph) != graph)
            continue;
        good[goods++] = i;
        if (wanted == SOME_NODE || atomic_load(&known->kind) == wanted)
            best[bests++] = i;
    }
    if (bests > 0 && random % 8 != 0)
        return best[(random >> 8) % bests];
    return goods > 0 && random % 16 != 1 ? good[(random >> 8) % goods] : (unsigned)(random >> 8) % KNOWN_NODES;
}

/* A node that some call named before, or none: 0, any number, or a node's with a wrong bit. */
static gc_node choose_node(struct actor *actor, int is_wrong_node) {
    unsigned number = (unsigned)note(actor, actor->replaying ? 0 : pick_node(actor)) % KNOWN_NODES;
    gc_node known = atomic_load(&actor->world->nodes[number].node);
    if (!is_wrong_node)
        return known;
    switch (choose(actor, 4)) {
    case 0: return 0;
    case 1: return UINT64_MAX >> choose(actor, 64);
    case 2: return known ^ UINT64_C(1) << choose(actor, 64);
    default: return atomic_load(&actor->world->nodes[choose(actor, KNOWN_NODES)].node);
    }
}

void generate_cloned(struct actor *actor) {
    unsigned slot, copy;
    for (slot = 0; slot < SLOTS; slot++) {
        void *graph = atomic_load(&actor->world->slots[GRAPH][slot].current);
        for (copy = 0; copy < SLOTS && graph != NULL; copy++) {
            struct slot *other = &actor->world->slots[GRAPH][copy];
            if (copy != slot && atomic_load(&other->graph) == graph && atomic_load(&other->current) != NULL) {
                give_live(actor, GRAPH, slot, 1);
                return;
            }
        }
    }
    give_live(actor, GRAPH, 0, 0);
}

void generate_clone(struct actor *actor) {
    unsigned slot = 0;
    while (slot < SLOTS && (atomic_load(&actor->world->slots[GRAPH][slot].graph) != actor->call->value[0].pointer ||
                            atomic_load(&actor->world->slots[GRAPH][slot].current) == NULL))
        slot++;
    give_live(actor, GRAPH, slot, slot < SLOTS);
}

void generate_same_child(struct actor *actor) {
    void *child = NULL;
    unsigned i, slot = 0;
    for (i = 0; i < KNOWN_NODES; i++)
        if (atomic_load(&actor->world->nodes[i].node) == actor->call->value[1].number)
            child = atomic_load(&actor->world->nodes[i].child);
    while (slot < SLOTS && atomic_load(&actor->world->slots[GRAPH][slot].current) != child)
        slot++;
    give_live(actor, GRAPH, slot, slot < SLOTS && child != NULL);
}

void generate_node(struct actor *actor) { give_number(actor, choose_node(actor, is_wrong(actor))); }

/* A graph of the call that is one becomes one that has such a node. */
void generate_conditional(struct actor *actor) {
    const void *given = actor->call->value[0].pointer;
    const int wrong = is_wrong(actor);
    gc_node nodes[64];
    unsigned slot = 0, own = 0;
    while (own < SLOTS && (given == NULL || atomic_load(&actor->world->slots[GRAPH][own].current) != given))
        own++;
    for (; slot < SLOTS && own < SLOTS && !wrong; slot++) {
        gc_graph *graph = (gc_graph *)atomic_load(&actor->world->slots[GRAPH][slot].current);
        uint32_t kind = 0;
        size_t count = 0, at;
        if (graph == NULL || gc_graph_get_nodes(graph, nodes, LENGTH_OF(nodes), &count) != GRAPHCAP_SUCCESS)
            continue;
        for (at = 0; at < count; at++)
            if (gc_node_kind(graph, nodes[at], &kind) == GRAPHCAP_SUCCESS && kind == GRAPHCAP_NODE_CONDITIONAL) {
                actor->call->value[0].pointer = graph;
                say(actor, "/* of a graph that has one */");
                give_number(actor, nodes[at]);
                return;
            }
    }
    give_number(actor, choose_node(actor, wrong));
}

void generate_dependent(struct actor *actor) {
    union value *value = actor->call->value;
    gc_node from[16] = {0}, to[16] = {0};
    gc_edge_data data[16];
    size_t count = 0, at;
    if (is_wrong(actor) || gc_graph_get_edges((const gc_graph *)value[0].pointer, from, to, data, 16, &count) != 0 ||
        count == 0) {
        give_number(actor, choose_node(actor, is_wrong(actor)));
        return;
    }
    at = choose(actor, count);
    value[1].number = from[at];
    say(actor, "/* of %#llx */", (unsigned long long)from[at]);
    give_number(actor, to[at]);
}

/* Gives an array of `count` nodes; an empty one may be NULL. */
static void give_nodes(struct actor *actor, size_t count, int may_be_null) {
    size_t i;
    gc_node *nodes = reserve_edge(actor, count * sizeof *nodes);
    int wrong = choose_wrong(actor, 2), is_null;
    for (i = 0; i < count; i++) {
        nodes[i] = choose_node(actor, wrong == 0);
        say(actor, "/* %#llx */", (unsigned long long)nodes[i]);
    }
    is_null = wrong == 1 || (may_be_null && count == 0 && choose(actor, 2) == 0);
    give_pointer(actor, is_null ? NULL : nodes);
    say(actor, wrong == 1 ? "NULL" : "nodes");
}

void generate_nodes(struct actor *actor) {
    actor->call->array_size = choose(actor, 2) * choose(actor, 4);
    give_nodes(actor, actor->call->array_size, 1);
}

/* Lists of nodes, of which each second one has a node and the others none. */
void generate_node_lists(struct actor *actor) {
    size_t count = choose(actor, 5), i;
    const gc_node **lists = (const gc_node **)reserve_edge(actor, count * sizeof *lists);
    gc_node *nodes = reserve(actor, 5 * sizeof *nodes);
    int wrong = choose_wrong(actor, 2);
    for (i = 0; i < count; i++) {
        nodes[i] = choose_node(actor, wrong == 0);
        lists[i] = i % 2 == 1 ? &nodes[i] : NULL;
        say(actor, "/* %#llx */", (unsigned long long)nodes[i]);
    }
    actor->call->array_size = count;
    give_pointer(actor, wrong == 1 ? NULL : lists);
    say(actor, wrong == 1 ? "NULL" : "lists");
}

void generate_node_list_counts(struct actor *actor) {
    size_t count = actor->call->array_size, i;
    size_t *counts = reserve_edge(actor, count * sizeof *counts);
    int wrong = choose_wrong(actor, 1);
    for (i = 0; i < count; i++)
        counts[i] = i % 2;
    give_pointer(actor, wrong == 0 ? NULL : counts);
    say(actor, wrong == 0 ? "NULL" : "counts");
}

/* As many nodes as in the array before. */
void generate_nodes_too(struct actor *actor) {
    give_nodes(actor, actor->call->array_size, 0);
}

void generate_attribute_value(struct actor *actor) {
    gc_stream_attribute_value *value = reserve(actor, sizeof *value);
    uint64_t attribute = actor->call->value[1].number;
    if (is_wrong(actor) && choose(actor, 2) == 0) {
        give_pointer(actor, NULL);
        say(actor, "NULL");
        return;
    }
    if (attribute == GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW) {
        value->access_policy_window.base = device_memory;
        value->access_policy_window.size = choose(actor, 2) * 4096;
        value->access_policy_window.hit_ratio = is_wrong(actor) ? 2.0f : 0.5f;
        value->access_policy_window.hit_property = (int32_t)choose(actor, is_wrong(actor) ? 9 : 3);
        value->access_policy_window.miss_property = (int32_t)choose(actor, is_wrong(actor) ? 9 : 2);
    } else if (attribute == GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY) {
        value->synchronization_policy = is_wrong(actor) ? -1 : 1 + (int32_t)choose(actor, 4);
    } else if (attribute == GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY) {
        value->priority = (int32_t)choose(actor, 9) - 5;
    } else if (attribute == GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP) {
        value->memory_sync_domain_map.remote_domain = (uint8_t)choose(actor, is_wrong(actor) ? 256 : 2);
    } else {
        value->memory_sync_domain = (int32_t)choose(actor, is_wrong(actor) ? 100 : 2);
    }
    give_pointer(actor, value);
    say(actor, "value /* %d */", (int)value->priority);
}

/* What each of as many edges as in the arrays before carries; rather nothing. */
void generate_edge_data(struct actor *actor) {
    static const gc_edge_data right[] = {{0, 0, 0, {0}}, {0, 0, 0, {0}}, {1, 0, 1, {0}}, {2, 0, 0, {0}}, {2, 0, 1, {0}}};
    size_t count = actor->call->array_size, i;
    gc_edge_data *data = (gc_edge_data *)reserve_edge(actor, count * sizeof *data);
    for (i = 0; i < count; i++) {
        data[i] = right[choose(actor, LENGTH_OF(right))];
        if (is_wrong(actor))
            data[i].from_port = (uint8_t)choose(actor, 256);
        say(actor, "/* %u %u */", data[i].from_port, data[i].edge_type);
    }
    give_pointer(actor, choose(actor, 3) == 0 ? NULL : data);
    say(actor, "data");
}

static void fill_launch_value(struct actor *actor, uint64_t attribute, gc_launch_attribute_value *value) {
    memset(value, 0, sizeof *value);
    if (attribute == GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW) {
        value->access_policy_window.base = device_memory;
        value->access_policy_window.size = choose(actor, 2) * 4096;
        value->access_policy_window.hit_ratio = is_wrong(actor) ? 2.0f : 0.5f;
        value->access_policy_window.miss_property = (int32_t)choose(actor, is_wrong(actor) ? 9 : 2);
    } else if (attribute == GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
        value->dimensions[0] = value->dimensions[1] = value->dimensions[2] = 1;
        if (is_wrong(actor))
            value->dimensions[0] = (uint32_t)choose(actor, 20);
    } else if (attribute == GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY) {
        value->number = (int32_t)choose(actor, 9) - 5;
    } else if (attribute == GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP) {
        value->memory_sync_domain_map.remote_domain = 1;
    } else {
        value->number = (int32_t)choose(actor, is_wrong(actor) ? 1000 : 2);
    }
}

void generate_launch_value(struct actor *actor) {
    gc_launch_attribute_value *value = (gc_launch_attribute_value *)reserve(actor, sizeof *value);
    fill_launch_value(actor, actor->call->value[2].number, value);
    if (is_wrong(actor) && choose(actor, 2) == 0) {
        give_pointer(actor, NULL);
        say(actor, "NULL");
        return;
    }
    give_pointer(actor, value);
    say(actor, "value /* %d */", (int)value->number);
}

void generate_ipc_handle(struct actor *actor) {
    gc_ipc_handle *handle = reserve(actor, sizeof *handle);
    memset(handle, (int)choose(actor, 3), sizeof *handle);
    give_pointer(actor, is_wrong(actor) ? NULL : handle);
    say(actor, is_wrong(actor) ? "NULL" : "ipc_handle");
}

/* What is written is no more than the size says that stands in it. */
void give_struct_output(struct actor *actor, size_t whole) {
    const uint32_t sizes[] = {(uint32_t)whole, (uint32_t)whole, (uint32_t)whole + 24, 8, 16, 4, 0, 3, 5000, 0xffffffff};
    struct argument *argument = &actor->call->argument[actor->call->at];
    uint32_t size = sizes[is_wrong(actor) ? 6 + choose(actor, 4) : choose(actor, 6)];
    unsigned char *info;
    argument->output = STRUCT_OUTPUT;
    if (is_wrong(actor) && choose(actor, 4) == 0) {
        actor->call->null_output = 1;
        give_pointer(actor, NULL);
        say(actor, "NULL");
        return;
    }
    if (is_wrong(actor))
        actor->call->must_fail = 1;
    info = reserve_output(actor, is_wrong(actor) ? sizeof size : size);
    memcpy(info, &size, sizeof size);
    give_pointer(actor, info);
    say(actor, "&info /* struct_size %u */", size);
}

/* Where NULL is an answer that nobody wants. */
static void give_optional_struct_output(struct actor *actor, size_t whole) {
    give_struct_output(actor, whole);
    actor->call->null_output = 0;
    actor->call->argument[actor->call->at].output = NO_OUTPUT;
}

void generate_capture_info(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_capture_info));
}

void generate_context_info(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_context_info));
}

void generate_exec_info(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_graph_exec_info));
}

void generate_cache_stats(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_graph_cache_stats));
}

void generate_update_info(struct actor *actor) {
    give_optional_struct_output(actor, sizeof(gc_graph_exec_update_info));
}

void generate_check_info(struct actor *actor) {
    give_optional_struct_output(actor, sizeof(gc_graph_exec_check_info));
}

void generate_optimize_report(struct actor *actor) {
    give_optional_struct_output(actor, sizeof(gc_optimize_report));
}

void generate_exec_progress(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_graph_exec_progress_info));
}

void generate_stall_progress(struct actor *actor) {
    give_optional_struct_output(actor, sizeof(gc_graph_exec_progress_info));
}

void generate_verify_report(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_verify_report));
}

void generate_step_report(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_step_report));
}

void generate_bisect_report(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_bisect_report));
}

void generate_script_failure(struct actor *actor) {
    give_optional_struct_output(actor, sizeof(gc_script_failure));
}

void generate_apply_report(struct actor *actor) {
    give_optional_struct_output(actor, sizeof(gc_graph_exec_apply_report));
}

void generate_kernel_node_params(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_kernel_node_params));
}

void generate_memcpy_node_params(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_memcpy_node_params));
}

void generate_memset_node_params(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_memset_node_params));
}

void generate_mem_op_node_params(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_mem_op_node_params));
}

void generate_mem_alloc_node_params(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_mem_alloc_node_params));
}

void generate_mem_free_node_params(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_mem_free_node_params));
}

void generate_host_node_params(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_host_node_params));
}

void generate_conditional_node_params(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_conditional_node_params));
}

void generate_pool_memory(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_pool_memory));
}

void generate_graph_memory(struct actor *actor) {
    give_struct_output(actor, sizeof(gc_graph_memory));
}
