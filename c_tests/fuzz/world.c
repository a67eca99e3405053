/* The handles of a round, its callbacks, and its end: everything is destroyed, nothing is left, each destroy ran once. */
#include "fuzz.h"

#include <time.h>

const char *const kind_names[KINDS] = {"context", "stream", "event", "buffer", "graph_buffer", "host_buffer",
                                       "pool",    "module", "kernel", "graph", "exec",         "capture", "cache", "scalar", "script",
                                       "actor",   "future", "rng",  "fft_plan", "plan"};

int patience_ms = 20000;

/* Few contexts, so that most objects are of one. */
unsigned slots_of(enum kind kind) {
    return kind == CONTEXT ? 3 : SLOTS;
}

/* ---- Destroying ---- */

static gc_status destroy_handle(enum kind kind, void *handle) {
    switch (kind) {
    case CONTEXT:
        return gc_context_destroy(handle);
    case STREAM:
        return gc_stream_destroy(handle);
    case EVENT:
        return gc_event_destroy(handle);
    case BUFFER:
    case GRAPH_BUFFER:
        return gc_buffer_destroy(handle);
    case HOST_BUFFER:
        return gc_host_buffer_destroy(handle);
    case POOL:
        return gc_pool_destroy(handle);
    case MODULE:
        return gc_module_destroy(handle);
    case KERNEL:
        return gc_kernel_destroy(handle);
    case GRAPH:
        return gc_graph_destroy(handle);
    case EXEC:
        return gc_graph_exec_destroy(handle);
    case RNG:
        return gc_rng_destroy(handle);
    case SCRIPT:
        return gc_script_destroy(handle);
    case KIT_ACTOR:
        return gc_actor_destroy(handle);
    case FUTURE:
        return gc_future_destroy(handle);
    case FFT_PLAN:
        return gc_fft_plan_destroy(handle);
    case PLAN:
        return gc_plan_destroy(handle);
    case CACHE:
        return gc_graph_cache_destroy(handle);
    case SCALAR:
        return gc_scalar_destroy(handle);
    default:
        return gc_capture_destroy(handle);
    }
}

/* Destroys a handle that was taken out of its slot. Another thread may be at it too, with the function itself. */
static void destroy_taken(struct world *world, enum kind kind, void *handle) {
    gc_status status = destroy_handle(kind, handle);
    int raced = (world->mode & (MODE_THREADS | MODE_DESTROYS)) != 0 && status == GRAPHCAP_ERROR_INVALID_HANDLE;
    if (status != GRAPHCAP_SUCCESS && !raced)
        fail("destroy live", "destroying a live %s answered %d", kind_names[kind], (int)status);
}

static void drop_flags(struct slot *slot) {
    void *flags = atomic_exchange(&slot->flags, NULL);
    if (flags != NULL && gc_buffer_destroy(flags) != GRAPHCAP_SUCCESS)
        fail("destroy flags", "the buffer for value operations could not be destroyed");
}

void world_destroy(struct world *world, enum kind kind, unsigned number) {
    struct slot *slot = &world->slots[kind][number % slots_of(kind)];
    void *handle = atomic_exchange(&slot->current, NULL);
    if (handle == NULL)
        return;
    atomic_store(&slot->tags, 0);
    if (kind == CONTEXT)
        drop_flags(slot);
    destroy_taken(world, kind, handle);
    atomic_store(&slot->stale, handle); /* now that it is dead for whoever reads it here */
}

/* A destroy succeeded: whatever slot has the handle forgets it. */
void world_destroyed(struct world *world, enum kind kind, void *handle) {
    unsigned i;
    for (i = 0; i < slots_of(kind); i++) {
        struct slot *slot = &world->slots[kind][i];
        void *expected = handle;
        if (handle == NULL || !atomic_compare_exchange_strong(&slot->current, &expected, NULL))
            continue;
        atomic_store(&slot->stale, handle);
        atomic_store(&slot->tags, 0);
        if (kind == CONTEXT)
            drop_flags(slot);
    }
}

/* The buffer for value operations of a context; NULL where there is none, as on a context that faulted. */
static void wrap_flags(struct slot *slot, void *context) {
    gc_buffer *flags = NULL;
    void *old;
    if (gc_buffer_wrap(context, device_flags, FLAGS_SIZE, NULL, NULL, &flags) != GRAPHCAP_SUCCESS)
        flags = NULL;
    old = atomic_exchange(&slot->flags, flags);
    if (old != NULL && gc_buffer_destroy(old) != GRAPHCAP_SUCCESS)
        fail("destroy flags", "the buffer for value operations could not be destroyed");
}

/* A context was reset: its handle is good, and its buffer stale. */
void world_reset(struct world *world, void *context) {
    unsigned i;
    for (i = 0; i < slots_of(CONTEXT); i++)
        if (atomic_load(&world->slots[CONTEXT][i].current) == context)
            wrap_flags(&world->slots[CONTEXT][i], context);
}

/* ---- Nodes ---- */

/* The kind of node that a function adds, sets or reads. */
enum node_kind kind_of_node(const char *function) {
    static const struct {
        const char *part;
        enum node_kind kind;
    } parts[] = {{"event_record", RECORD_NODE}, {"event_wait", WAIT_NODE},   {"get_event", RECORD_NODE},
                 {"mem_op", MEM_OP_NODE},       {"memcpy", MEMCPY_NODE},     {"memset", MEMSET_NODE},
                 {"kernel", KERNEL_NODE},       {"argument", KERNEL_NODE},   {"enabled", KERNEL_NODE},
                 {"host", HOST_NODE},           {"child", CHILD_NODE},       {"get_graph", CHILD_NODE},
                 {"mem_alloc", ALLOC_NODE},     {"mem_free", FREE_NODE},     {"get_buffer", ALLOC_NODE}};
    size_t i;
    for (i = 0; i < LENGTH_OF(parts); i++)
        if (strstr(function, parts[i].part) != NULL)
            return parts[i].kind;
    return SOME_NODE;
}

/* ---- A round ---- */

/* Its tokens are there already, and those of an earlier round have all been destroyed. */
void world_open(struct world *world, unsigned mode) {
    struct token *tokens = world->token;
    memset(tokens, 0, atomic_load(&world->tokens) * sizeof *tokens);
    memset(world, 0, sizeof *world);
    world->token = tokens;
    world->mode = mode;
}

/* A new handle takes a slot, and the one before is destroyed. */
void world_put(struct world *world, enum kind kind, unsigned number, void *handle, unsigned owner) {
    struct slot *slot = &world->slots[kind][number];
    void *before;
    if (kind == CONTEXT) {
        owner = atomic_fetch_add(&world->owners, 1) + 1;
        wrap_flags(slot, handle);
    }
    atomic_store(&slot->owner, owner);
    atomic_store(&slot->tags, 0);
    before = atomic_exchange(&slot->current, handle);
    if (before != NULL) {
        destroy_taken(world, kind, before);
        atomic_store(&slot->stale, before);
    }
}

unsigned world_live(struct world *world, enum kind kind) {
    unsigned i, count = 0;
    for (i = 0; i < slots_of(kind); i++)
        count += atomic_load(&world->slots[kind][i].current) != NULL;
    return count;
}

/* How many destroys are still to come, and the function that took one of them. */
static unsigned tokens_left(struct world *world, const char **of) {
    unsigned i, left = 0, count = atomic_load(&world->tokens);
    for (i = 0; i < count; i++) {
        if (world->token[i].has_destroy == 0 || atomic_load(&world->token[i].destroyed) != 0)
            continue;
        left++;
        *of = world->token[i].of;
    }
    return left;
}

void pause_ms(long milliseconds) {
    struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&span, NULL);
}

/* Waits for the destroys of a round whose handles are all gone. What a CUDA device gives back only where something waits
 * anyway is collected. The limit ends the wait for a library that lost one: as long as destroys come it is not reached. */
void world_settle(struct world *world) {
    const char *of = "";
    unsigned left, now;
    int idle = 0;
    gc_status status = gc_log_set_callback(GRAPHCAP_LOG_LEVEL_OFF, 0, NULL, NULL, NULL);
    left = tokens_left(world, &of);
    while (left > 0 && idle < patience_ms) {
        status = device_collect();
        pause_ms(1);
        now = tokens_left(world, &of);
        idle = now < left ? 0 : idle + 1;
        atomic_fetch_add(&shared->progress, 1); /* the limit here is the one that counts */
        left = now;
    }
    if (left > 0)
        fail("destroy lost", "all handles are destroyed, and %u destroys were never called, one of %s; waiting answered %d",
             left, of, (int)status);
}

/* What was registered under a number, and what is bound. The numbers of pools are given one after another. */
static void forget_pools(void) {
    static uint64_t first = 1;
    int32_t device;
    for (device = 0; device < 4; device++)
        (void)!gc_pool_unbind(device);
    while (gc_pool_handle_release(first) == GRAPHCAP_SUCCESS)
        first++;
}

void world_destroy_all(struct world *world) {
    unsigned kind, i;
    forget_pools();
    for (kind = KINDS; kind-- > 0;)
        for (i = 0; i < slots_of((enum kind)kind); i++)
            world_destroy(world, (enum kind)kind, i);
}

void check_nothing_left(void) {
    uint64_t left = gc_live_handles();
    gc_status status;
    if (left != baseline_handles)
        fail("handles left", "all handles are destroyed, and gc_live_handles() tells %lld more than at the begin",
             (long long)(left - baseline_handles));
    status = device_collect();
    if (status != GRAPHCAP_SUCCESS)
        fail("capture left", "all handles are destroyed, and waiting for the device answered %d", (int)status);
    check_driver_use();
}
