/* Callbacks: those that calls get, what they do, and the kernels of the host device.
 *
 * A callback's user data is a token of the round, which counts. Callbacks may destroy handles and try calls that are not
 * permitted there; the function of gc_stream_capture() makes calls as its thread does. */
#include "fuzz.h"

/* ---- What they do ---- */

/* Calls that submit, wait, ask or make something, which callbacks may not. */
static void try_forbidden(const struct token *token) {
    struct world *world = token->world;
    void *made = world;
    gc_status status;
    switch (token->slot % 4) {
    case 0:
        status = gc_stream_synchronize(atomic_load(&world->slots[STREAM][0].current));
        break;
    case 1:
        status = gc_host_buffer_allocate(atomic_load(&world->slots[CONTEXT][0].current), 64, 0, (gc_host_buffer **)&made);
        if (made != NULL)
            fail("callback output", "a host buffer was made inside a callback, or the output was not cleared");
        break;
    case 2:
        status = gc_graph_launch(atomic_load(&world->slots[EXEC][0].current), atomic_load(&world->slots[STREAM][0].current));
        break;
    default:
        status = gc_context_create(NULL, (gc_context **)&made);
        break;
    }
    if (status == GRAPHCAP_SUCCESS)
        fail("callback permitted", "a call that a host function must not make answered %d", (int)status);
}

static void act(struct token *token, int on_own_thread) {
    if (token->does == DO_DESTROY)
        world_destroy(token->world, (enum kind)token->kind, token->slot);
    if (token->does == DO_FORBIDDEN && !on_own_thread)
        try_forbidden(token);
}

static void count_destroy(void *user_data) {
    struct token *token = user_data;
    if (atomic_fetch_add(&token->entered, 1) != 0)
        fail("destroyed twice", "a destroy callback was called more than once for the same user data");
    act(token, 1);
    atomic_fetch_add(&token->destroyed, 1);
}

static void count_run(void *user_data) {
    struct token *token = user_data;
    if (token == NULL)
        return;
    if (atomic_load(&token->entered) != 0)
        fail("run after destroy", "a host function ran after the destroy of its user data");
    atomic_fetch_add(&token->ran, 1);
    act(token, 0);
}

static gc_status make_calls(const gc_stream *stream, void *user_data) {
    struct token *token = user_data;
    (void)stream;
    if (token == NULL)
        return GRAPHCAP_SUCCESS;
    atomic_fetch_add(&token->ran, 1);
    act(token, 1);
    if (token->does == DO_CALLS)
        nested_calls(token->actor);
    return token->answer;
}

/* There is something to launch whatever the calls do. */
static gc_status record_for_cache(const gc_stream *stream, const void *key, size_t key_size, void *user_data,
                                  void *launch_data) {
    struct token *token = user_data;
    gc_graph *graph = NULL;
    gc_node node = 0;
    (void)key;
    (void)key_size;
    if (token != NULL && atomic_load(&token->entered) != 0)
        fail("recorded after destroy", "a cache called its function after the destroy of its user data");
    /* Not in a context that has faulted. */
    if (gc_stream_capture_graph(stream, &graph) == GRAPHCAP_SUCCESS)
        (void)!gc_graph_add_empty_node(graph, NULL, 0, &node);
    (void)gc_graph_destroy(graph);
    return make_calls(stream, launch_data);
}

/* ---- Generators ---- */

static void give_token(struct actor *actor, enum deed most) {
    struct world *world = actor->world;
    unsigned number = atomic_fetch_add(&world->tokens, 1);
    struct token *token;
    enum deed does = (enum deed)choose(actor, most + 1);
    if (number >= MOST_TOKENS) {
        atomic_fetch_sub(&world->tokens, 1);
        give_pointer(actor, NULL);
        return;
    }
    token = &world->token[number];
    token->world = world;
    token->of = actor->call->function->name;
    token->actor = actor;
    if (does == DO_DESTROY && (world->mode & MODE_DESTROYS) == 0)
        does = DO_NOTHING;
    token->does = (uint32_t)does;
    token->kind = (uint32_t)choose(actor, KINDS);
    token->slot = (uint32_t)choose(actor, SLOTS);
    actor->call->token = token;
    give_pointer(actor, token);
    say(actor, "token[%u]", number);
    if (does == DO_DESTROY)
        say(actor, " /* destroys %s[%u] */", kind_names[token->kind], token->slot % slots_of((enum kind)token->kind));
    if (does == DO_FORBIDDEN)
        say(actor, " /* tries what is not permitted */");
}

void generate_user_data(struct actor *actor) {
    give_token(actor, DO_FORBIDDEN);
}

void give_recorder(struct actor *actor, gc_graph_cache_options *options) {
    unsigned at = actor->call->at;
    give_token(actor, DO_DESTROY);
    options->record = record_for_cache;
    options->user_data = actor->call->value[at].pointer;
    if (options->user_data == NULL)
        return;
    options->destroy = count_destroy;
    actor->call->token->has_destroy = 1;
}

static gc_status record_op(const gc_record_context *context, void *user_data) {
    struct token *token = user_data;
    const gc_stream *stream = NULL;
    gc_graph *graph = NULL;
    if (token != NULL && atomic_load(&token->entered) != 0)
        fail("recorded after destroy", "a script called an op's function after the destroy of its user data");
    if (gc_record_context_stream(context, &stream) != GRAPHCAP_SUCCESS || stream == NULL)
        fail("op without a stream", "a record context did not tell its stream");
    if (gc_record_context_graph(context, &graph) == GRAPHCAP_SUCCESS)
        (void)gc_graph_destroy(graph);
    return GRAPHCAP_SUCCESS;
}

void give_op(struct actor *actor, gc_op_vtable *vtable) {
    give_token(actor, DO_DESTROY);
    vtable->record = record_op;
    if (actor->call->token == NULL)
        return;
    vtable->destroy = count_destroy;
    actor->call->token->has_destroy = 1;
}

void give_host_op(struct actor *actor, gc_work *desc) {
    unsigned at = actor->call->at;
    give_token(actor, DO_FORBIDDEN);
    desc->function = count_run;
    desc->user_data = actor->call->value[at].pointer;
    if (desc->user_data == NULL)
        return;
    desc->destroy = count_destroy;
    actor->call->token->has_destroy = 1;
}

void generate_op_data(struct actor *actor) {
    give_pointer(actor, actor->call->token);
    say(actor, "its data");
}

/* Those that are live are so only within functions of ops. */
void generate_record_context(struct actor *actor) {
    int bad;
    give_pointer(actor, choose_handle(actor, SCRIPT, 0, 0, &bad));
    actor->call->bad_handle = 1;
}

void generate_capture_data(struct actor *actor) {
    static const gc_status answers[] = {0, 0, 0, 1, 77, -5, 700, 0x7fffffff};
    give_token(actor, DO_CALLS);
    if (actor->call->token == NULL)
        return;
    actor->call->token->answer = answers[choose(actor, LENGTH_OF(answers))];
    say(actor, " /* answers %d */", (int)actor->call->token->answer);
}

/* NULL is fine, and so nothing wrong. Then there is no user data either: without a destroy nobody knows when a token is used
 * no more. */
void generate_destroy(struct actor *actor) {
    struct call *call = actor->call;
    int none = choose(actor, 8) == 0 || call->token == NULL;
    if (none) {
        call->value[call->at - 1].pointer = NULL;
        call->token = NULL;
    } else {
        call->token->has_destroy = 1;
    }
    call->value[call->at].destroy = none ? NULL : count_destroy;
    say(actor, none ? "NULL /* and no user data */" : "destroy");
}

void generate_host_function(struct actor *actor) {
    actor->call->value[actor->call->at].host = is_wrong(actor) ? NULL : count_run;
    say(actor, is_wrong(actor) ? "NULL" : "function");
}

/* Of a future, whose function may make any call. */
static void count_answer(const gc_future *future, void *user_data) {
    struct token *token = user_data;
    uint32_t is_done = 0;
    if (gc_future_poll(future, &is_done) == GRAPHCAP_SUCCESS && !is_done)
        fail("called early", "the function of a future was called before the answer was there");
    if (token == NULL)
        return;
    if (atomic_load(&token->entered) != 0)
        fail("answered after destroy", "the function of a future was called after the destroy of its user data");
    if (atomic_fetch_add(&token->ran, 1) != 0)
        fail("answered twice", "the function of a future was called more than once");
    act(token, 1);
}

void generate_future_function(struct actor *actor) {
    actor->call->value[actor->call->at].done = is_wrong(actor) ? NULL : count_answer;
    say(actor, is_wrong(actor) ? "NULL" : "function");
}

/* Of a launch that is late. */
static void count_stall(const gc_future *future, void *user_data) {
    struct token *token = user_data;
    size_t needed = 0;
    if (gc_future_stall_report(future, NULL, NULL, 0, &needed) != GRAPHCAP_SUCCESS || needed == 0)
        fail("no report", "the function of a late launch was called before the report was there");
    if (token == NULL)
        return;
    if (atomic_load(&token->entered) != 0)
        fail("late after destroy", "the function of a late launch was called after the destroy of its user data");
    if (atomic_fetch_add(&token->ran, 1) != 0)
        fail("late twice", "the function of a late launch was called more than once");
    act(token, 1);
}

void generate_stall_function(struct actor *actor) {
    actor->call->value[actor->call->at].done = is_wrong(actor) ? NULL : count_stall;
    say(actor, is_wrong(actor) ? "NULL" : "function");
}

/* Of messages, which come on all threads and any number of times. */
static void count_message(gc_log_level level, uint32_t subject, const char *text, uint64_t thread, uint64_t time_ns,
                          uint64_t dropped, void *user_data) {
    struct token *token = user_data;
    (void)thread;
    (void)dropped;
    if (level < 1 || level > 4 || subject == 0 || text == NULL || time_ns == 0)
        fail("message", "a message had the level %d and the subject %u", (int)level, (unsigned)subject);
    if (token == NULL)
        return;
    if (atomic_load(&token->entered) != 0)
        fail("message after destroy", "a function took a message after the destroy of its user data");
    atomic_fetch_add(&token->ran, 1);
}

void generate_log_function(struct actor *actor) {
    actor->call->value[actor->call->at].log = is_wrong(actor) ? NULL : count_message;
    say(actor, is_wrong(actor) ? "NULL" : "function");
}

/* Of replays, which it takes for good or bad at random. */
static int32_t judge_replay(uint64_t replay, uint64_t max_replays, void *user_data) {
    (void)user_data;
    if (replay >= max_replays)
        fail("replay", "replay %llu of at most %llu was to be judged", (unsigned long long)replay, (unsigned long long)max_replays);
    return (int32_t)((replay * 7 + max_replays) % 4) - 1;
}

void generate_judge_function(struct actor *actor) {
    actor->call->value[actor->call->at].judge = is_wrong(actor) ? NULL : judge_replay;
    say(actor, is_wrong(actor) ? "NULL" : "function");
}

void generate_unused_data(struct actor *actor) {
    give_pointer(actor, NULL);
    say(actor, "NULL");
}

void generate_capture_function(struct actor *actor) {
    actor->call->value[actor->call->at].capture = is_wrong(actor) ? NULL : make_calls;
    say(actor, is_wrong(actor) ? "NULL" : "function");
}

/* ---- Kernels ---- */

/* The destination of a block's words where it is memory of the device, else NULL. */
static uint32_t *destination(const void *const *arguments) {
    uint32_t *words = *(uint32_t *const *)arguments[0];
    uint64_t count = *(const uint64_t *)arguments[2];
    if (count > 64 || (uintptr_t)words % sizeof *words != 0)
        return NULL;
    return gc_host_check_range(words, (size_t)count * sizeof *words) == GRAPHCAP_SUCCESS ? words : NULL;
}

/* Puts the second argument into, or adds it to, as many words of the first as the third says. Atomic, since streams run side by
 * side. */
static int32_t change_words(const void *const *arguments, int adds) {
    uint32_t *words = destination(arguments);
    const uint32_t value = *(const uint32_t *)arguments[1];
    uint64_t i;
    for (i = 0; words != NULL && i < *(const uint64_t *)arguments[2]; i++) {
        if (adds)
            __atomic_fetch_add(&words[i], value, __ATOMIC_RELAXED);
        else
            __atomic_store_n(&words[i], value, __ATOMIC_RELAXED);
    }
    return 0;
}

/* fill(uint32_t *destination, uint32_t value, uint64_t count), as in kernels.h. */
static int32_t kernel_fill(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    return change_words(arguments, 0);
}

/* add(uint32_t *data, uint32_t value, uint64_t count), as in kernels.h. */
static int32_t kernel_add(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    return change_words(arguments, 1);
}

static int32_t kernel_nothing(const gc_host_block *block, const void *const *arguments) {
    (void)arguments;
    if (block->shared_mem_bytes > 0)
        ((unsigned char *)block->shared_mem)[block->shared_mem_bytes - 1] = 1;
    return 0;
}

static int32_t kernel_fail(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    return *(const int32_t *)arguments[0];
}

static const size_t sizes_fill[] = {sizeof(void *), sizeof(uint32_t), sizeof(uint64_t)};
static const size_t sizes_fail[] = {sizeof(uint32_t)};

#define HOST_KERNEL(name, function, sizes, count) \
    { (uint32_t)sizeof(gc_host_kernel), 0, name, function, sizes, count, NULL, 0 }

/* free_form states no sizes, and reads no arguments. */
const gc_host_kernel fuzz_kernels[FUZZ_KERNELS] = {
    HOST_KERNEL("fill", kernel_fill, sizes_fill, 3),
    HOST_KERNEL("add", kernel_add, sizes_fill, 3),
    HOST_KERNEL("nothing", kernel_nothing, sizes_fill, 0),
    HOST_KERNEL("free_form", kernel_nothing, NULL, 0),
    HOST_KERNEL("fail", kernel_fail, sizes_fail, 1),
};
