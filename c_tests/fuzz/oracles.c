/* What must hold after each call: its status is one that the header documents, outputs are cleared when it failed and set when
 * it did not, nothing was written beside them, and handles that are none were refused. */
#include "fuzz.h"

static const char *status_text(gc_status status) {
    static _Thread_local char text[64];
    snprintf(text, sizeof text, "%s (%d)", gc_status_name(status), (int)status);
    return text;
}

static int lists(const struct call *call, gc_status status) {
    const struct function *function = call->function;
    size_t i;
    for (i = 0; i < function->documented_count; i++)
        if (function->documented[i] == status)
            return 1;
    return work_documents(call->work, status);
}

static int is_fault(gc_status status) {
    return status == GRAPHCAP_ERROR_ILLEGAL_ADDRESS || status == GRAPHCAP_ERROR_LAUNCH_FAILED;
}

/* Whether a status may be the answer of an actor, which functions of the caller's decide too. */
static int may_be_answer(const struct function *function, gc_status status) {
    static const char *const tell[] = {"gc_future_wait", "gc_future_take_exec", "gc_future_text"};
    size_t i;
    for (i = 0; i < LENGTH_OF(tell); i++)
        if (strcmp(function->name, tell[i]) == 0)
            return strcmp(gc_status_name(status), "GRAPHCAP_ERROR_UNRECOGNIZED") != 0;
    return 0;
}

/* By the list of the function, that of the kind of work, and by what the header says of all functions under "Statuses". */
static int is_documented(const struct actor *actor, const struct call *call, gc_status status) {
    const struct function *function = call->function;
    if (status == GRAPHCAP_ERROR_PANIC || status == GRAPHCAP_ERROR_FORKED)
        return 0;
    if ((function->flags & DESTROYS) != 0)
        return status == GRAPHCAP_SUCCESS || status == GRAPHCAP_ERROR_INVALID_HANDLE;
    if (status == GRAPHCAP_ERROR_STALE)
        return (actor->world->mode & MODE_RESETS) != 0;
    if (is_fault(status))
        return (actor->world->mode & MODE_FAULTS) != 0 || strcmp(function->name, "gc_host_check_range") == 0 ||
               strcmp(function->name, "gc_host_set_conditional") == 0;
    if (lists(call, status) || status == GRAPHCAP_ERROR_OUT_OF_MEMORY || may_be_answer(function, status))
        return 1;
    if (status == GRAPHCAP_ERROR_INVALID_VALUE && call->null_output)
        return 1;
    if (status == GRAPHCAP_ERROR_NOT_SUPPORTED && options.cuda) /* what a driver cannot do */
        return 1;
    if (options.lenient && status > 0 && strcmp(gc_status_name(status), "GRAPHCAP_ERROR_UNRECOGNIZED") == 0)
        return 1;
    return 0;
}

/* Whether it calls a function that submits, which is there. */
static int calls_a_function(const struct call *call) {
    if (strcmp(call->function->name, "gc_graph_cache_launch") == 0)
        return 1;
    return strcmp(call->function->name, "gc_stream_capture") == 0 && call->value[3].capture != NULL;
}

/* Whether the call has an object that is older than a reset. */
static int is_stale(const struct actor *actor, gc_status status) {
    return status == GRAPHCAP_ERROR_STALE && (actor->world->mode & MODE_RESETS) != 0;
}

static void check_status(const struct actor *actor, const struct call *call, gc_status status) {
    const struct function *function = call->function;
    int destroys_null = (function->flags & DESTROYS) != 0 && call->value[0].pointer == NULL;
    char key[128];
    if (function->documented == NULL) { /* it gives no status */
        if (status != 0)
            fail(function->name, "%s did not do what it should", function->name);
        return;
    }
    /* The function that submits has the last word. */
    if (calls_a_function(call) && call->token != NULL && atomic_load(&call->token->ran) != 0 && call->token->answer != 0) {
        if (status != call->token->answer && !is_stale(actor, status)) {
            snprintf(key, sizeof key, "%s answer", function->name);
            fail(key, "%s answered %d and its function %d", function->name, (int)status, (int)call->token->answer);
        }
        return;
    }
    if (!is_documented(actor, call, status)) {
        char message[256] = "";
        gc_last_error_message(message, sizeof message, NULL);
        snprintf(key, sizeof key, "status %s %d", function->name, (int)status);
        fail(key, "%s answered %s, which its documentation does not have: %s", function->name, status_text(status), message);
    }
    if (call->bad_handle && !destroys_null && status != GRAPHCAP_ERROR_INVALID_HANDLE && !is_stale(actor, status)) {
        snprintf(key, sizeof key, "bad handle %s", function->name);
        fail(key, "%s got a handle that is none and answered %s", function->name, status_text(status));
    }
    if (destroys_null && status != GRAPHCAP_SUCCESS)
        fail("destroy NULL", "%s refused NULL with %s", function->name, status_text(status));
    if ((call->null_output || call->must_fail) && status == GRAPHCAP_SUCCESS) {
        snprintf(key, sizeof key, "accepted %s", function->name);
        fail(key, "%s accepted %s", function->name,
             call->null_output ? "NULL for an output" : "a struct that it should refuse");
    }
}

static int is_zero(const unsigned char *memory, size_t from, size_t to) {
    for (; from < to; from++)
        if (memory[from] != 0)
            return 0;
    return 1;
}

static int is_poison(const unsigned char *memory, size_t from, size_t to) {
    for (; from < to; from++)
        if (memory[from] != POISON)
            return 0;
    return 1;
}

static void check_output(const struct call *call, unsigned index, gc_status status) {
    const struct argument *argument = &call->argument[index];
    const unsigned char *memory = argument->memory;
    int failed = status != GRAPHCAP_SUCCESS, cut = status == GRAPHCAP_ERROR_BUFFER_TOO_SMALL;
    const char *what = NULL;
    uint32_t mode;
    char key[128];
    if (memory == NULL)
        return;
    if (!is_poison(memory, argument->size, argument->size + GUARD))
        what = "wrote behind it";
    switch (argument->output) {
    case HANDLE_OUTPUT:
        if (failed && !is_zero(memory, 0, argument->size))
            what = "failed and did not clear it";
        if (!failed && (is_zero(memory, 0, argument->size) || is_poison(memory, 0, argument->size)))
            what = "succeeded and gave no handle";
        break;
    case MAYBE_HANDLE_OUTPUT:
        if (failed && !is_zero(memory, 0, argument->size))
            what = "failed and did not clear it";
        if (!failed && is_poison(memory, 0, argument->size))
            what = "succeeded and did not write it";
        break;
    case NODE_OUTPUT:
        if (failed && !is_zero(memory, 0, argument->size))
            what = "failed and did not clear it";
        if (!failed && (is_zero(memory, 0, argument->size) || is_poison(memory, 0, argument->size)))
            what = "succeeded and gave no node";
        break;
    case ROOM_OUTPUT:
        if (failed && !cut && !is_zero(memory, 0, argument->size))
            what = "failed and did not clear it";
        break;
    case BYTES_OUTPUT:
        if (failed && !cut && !is_zero(memory, 0, argument->size))
            what = "failed and did not clear it";
        if ((!failed || cut) && is_poison(memory, 0, argument->size))
            what = "succeeded and did not write it";
        break;
    case TEXT_OUTPUT:
        if (argument->size > 0 && failed && !cut && memory[0] != 0)
            what = "failed and did not clear it";
        if (argument->size > 0 && (!failed || cut) && memchr(memory, 0, argument->size) == NULL)
            what = "gave a text without an end";
        break;
    case MODE_OUTPUT:
        memcpy(&mode, memory, sizeof mode);
        if (failed && mode != argument->before)
            what = "failed and changed it";
        if (!failed && mode > GRAPHCAP_CAPTURE_MODE_RELAXED)
            what = "gave a mode that is none";
        break;
    case STRUCT_OUTPUT:
        if (failed && argument->size > sizeof(uint32_t) && !is_zero(memory, sizeof(uint32_t), argument->size))
            what = "failed and did not clear it";
        break;
    default:
        break;
    }
    if (what != NULL) {
        snprintf(key, sizeof key, "output %s %u", call->function->name, index);
        fail(key, "argument %u of %s: it answered %s and %s", index, call->function->name, status_text(status), what);
    }
}

static void keep_node(struct world *world, gc_node node, void *graph, enum node_kind kind, void *child) {
    struct known_node *known = &world->nodes[atomic_fetch_add(&world->node_count, 1) % KNOWN_NODES];
    atomic_store(&known->graph, graph);
    atomic_store(&known->kind, kind);
    atomic_store(&known->child, child);
    atomic_store(&known->node, node);
}

/* Few graph execs have one, so they are told apart. */
static int has_pool(const gc_graph_exec *exec) {
    int32_t has = 0;
    return gc_graph_exec_has_pool(exec, &has) == GRAPHCAP_SUCCESS && has;
}

/* Writes the memory of a new buffer where the CPU reaches it. Value operations wait for what they find in it, and memcheck would
 * report each such wait. */
static void write_new_memory(const struct call *call, enum kind kind, void *handle) {
    const char *name = call->function->name;
    void *memory = NULL;
    uint64_t address;
    size_t size = 0;
    if (options.cuda)
        return;
    if (kind == HOST_BUFFER && strcmp(name, "gc_host_buffer_allocate") == 0) {
        if (gc_host_buffer_size(handle, &size) != GRAPHCAP_SUCCESS ||
            gc_host_buffer_pointer(handle, &memory) != GRAPHCAP_SUCCESS)
            return;
    } else if (kind == BUFFER && (strncmp(name, "gc_buffer_allocate", 18) == 0 || strcmp(name, "gc_pool_allocate") == 0)) {
        if (gc_buffer_size(handle, &size) != GRAPHCAP_SUCCESS || gc_buffer_address(handle, &address) != GRAPHCAP_SUCCESS)
            return;
        memory = (void *)(uintptr_t)address;
    } else {
        return;
    }
    memset(memory, 0, size);
}

/* Keeps what the call gave: its handles, and nodes for calls that take some. */
static void keep(struct actor *actor, struct call *call) {
    struct world *world = actor->world;
    unsigned i;
    if (strcmp(call->function->name, "gc_graph_create_condition") == 0) {
        uint64_t condition;
        memcpy(&condition, call->argument[3].memory, sizeof condition);
        i = atomic_fetch_add(&world->condition_count, 1) % LENGTH_OF(world->conditions);
        atomic_store(&world->conditions[i], condition);
    }
    for (i = 0; i < call->function->parameters; i++) {
        const struct argument *argument = &call->argument[i];
        struct slot *slot;
        void *handle;
        if (argument->output == ARRAY_OUTPUT && argument->memory != NULL) {
            gc_node node;
            memcpy(&node, argument->memory, argument->size >= sizeof node ? sizeof node : 0);
            if (argument->size >= sizeof node && !is_poison(argument->memory, 0, sizeof node))
                keep_node(world, node, call->value[0].pointer, SOME_NODE, NULL);
        }
        if (argument->output == NODE_OUTPUT) {
            const int of_clone = strcmp(call->function->name, "gc_node_find_in_clone") == 0;
            const int of_child = strcmp(call->function->name, "gc_graph_add_child_node") == 0;
            gc_node node;
            memcpy(&node, argument->memory, sizeof node);
            keep_node(world, node, call->value[of_clone ? 2 : 0].pointer, kind_of_node(call->function->name),
                      of_child ? call->value[3].pointer : NULL);
        }
        if (argument->output != HANDLE_OUTPUT && argument->output != MAYBE_HANDLE_OUTPUT)
            continue;
        slot = &world->slots[argument->kind][argument->slot];
        memcpy(&handle, argument->memory, sizeof handle);
        if (handle == NULL)
            continue;
        write_new_memory(call, argument->kind, handle);
        world_put(world, argument->kind, argument->slot, handle, actor->owner);
        actor->made[argument->kind] = argument->slot + 1;
        if (argument->kind == KERNEL)
            atomic_store(&slot->tags, call->kernel);
        if ((argument->kind == EXEC && call->function->parameter[0]->kind == GRAPH) ||
            strcmp(call->function->name, "gc_graph_clone") == 0 || strcmp(call->function->name, "gc_graph_optimize") == 0)
            atomic_store(&slot->graph, call->value[0].pointer);
        if ((call->function->flags & DEFAULTS) != 0)
            atomic_store(&slot->tags, TAG_DEFAULT_STREAM);
        if (strcmp(call->function->name, "gc_buffer_allocate_waitable") == 0 ||
            strcmp(call->function->name, "gc_buffer_wrap") == 0)
            atomic_store(&slot->tags, TAG_WAITABLE);
        if (strcmp(call->function->name, "gc_buffer_allocate_managed") == 0)
            atomic_store(&slot->tags, TAG_MANAGED);
        if (strcmp(call->function->name, "gc_actor_export_dot") == 0)
            atomic_store(&slot->tags, TAG_TEXT);
        if (strcmp(call->function->name, "gc_actor_record") == 0 || strcmp(call->function->name, "gc_actor_adopt") == 0 ||
            strcmp(call->function->name, "gc_future_take_exec") == 0)
            atomic_store(&slot->tags, TAG_EXEC);
        if (argument->kind == EXEC && has_pool(handle))
            atomic_fetch_or(&slot->tags, TAG_POOLED);
    }
    if ((call->function->flags & BEGINS) != 0)
        atomic_fetch_or(&world->slots[STREAM][call->target_slot].tags, TAG_CAPTURING);
    if ((call->function->flags & ENDS) != 0)
        atomic_fetch_and(&world->slots[STREAM][call->target_slot].tags, ~(unsigned)TAG_CAPTURING);
}

void check_call(struct actor *actor, struct call *call, gc_status status) {
    const struct function *function = call->function;
    unsigned i;
    check_status(actor, call, status);
    if (function->documented == NULL)
        return;
    for (i = 0; i < function->parameters; i++)
        check_output(call, i, status);
    if (status == GRAPHCAP_SUCCESS)
        keep(actor, call);
    if (status == GRAPHCAP_SUCCESS && (function->flags & (DESTROYS | FREES)) != 0)
        world_destroyed(actor->world, (enum kind)function->parameter[0]->kind, call->value[0].pointer);
    if (status == GRAPHCAP_SUCCESS && (function->flags & RESETS) != 0)
        world_reset(actor->world, call->value[0].pointer);
}
