/* Each call of the driver fails once: objects of each kind are made, used in a capture and given back. */
#include "failures.h"

static uint32_t memory[16];

/* A kernel that is not there, events of other processes, and memory of other kinds. */
struct further {
    gc_kernel *missing;
    gc_event *opened;
    gc_buffer *managed, *adopted;
    gc_host_buffer *registered;
    unsigned released;
};

static void make_further(struct program *it, struct further *more) {
    gc_ipc_handle handle;
    if (gc_module_get_kernel(it->module, "none", &more->missing) == GRAPHCAP_SUCCESS)
        CHECK(!"a kernel that is not there was found");
    STEP(gc_event_ipc_handle(it->mark, &handle));
    if (!has_failed)
        STEP(gc_event_open_ipc_handle(it->context, &handle, &more->opened));
    STEP(gc_buffer_allocate_managed(it->context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &more->managed));
    /* When this is handed back depends on what fails. */
    STEP(gc_host_buffer_register(it->context, memory, sizeof memory, 0, NULL, NULL, &more->registered));
}

/* Adopted memory, a capture that is dropped, and all that is made given back, in an order in which each one still
 * needs another. */
static void give_all_back(struct program *it, struct further *more) {
    uint64_t address = 0;
    gc_buffer *owner = it->copy;
    if (owner != NULL && gc_buffer_address(owner, &address) == GRAPHCAP_SUCCESS)
        STEP(gc_buffer_wrap(it->context, (void *)(uintptr_t)address, 64, &more->released, count_call, &more->adopted));
    CHECK_OK(gc_stream_destroy(it->wrapped));
    CHECK_OK(gc_host_buffer_destroy(it->pinned));
    CHECK_OK(gc_host_buffer_destroy(more->registered));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_stream_memset(it->stream, more->adopted, 0, 1, 1, 4));
    STEP(gc_stream_memset(it->stream, it->buffer, 0, 1, 1, 4));
    CHECK_OK(gc_module_destroy(it->module));
    CHECK_OK(gc_kernel_destroy(it->add));
    CHECK_OK(gc_buffer_destroy(it->buffer));
    CHECK_OK(gc_buffer_destroy(more->adopted));
    CHECK_OK(gc_buffer_destroy(it->lent));
    CHECK_OK(gc_context_destroy(it->elsewhere));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_stream_destroy(it->stream));
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    STEP(gc_context_collect(it->context));
    CHECK_OK(gc_event_destroy(it->fork_event));
    CHECK_OK(gc_event_destroy(it->join_event));
    CHECK_OK(gc_event_destroy(it->mark));
    CHECK_OK(gc_event_destroy(more->opened));
    CHECK_OK(gc_buffer_destroy(owner));
    CHECK_OK(gc_buffer_destroy(more->managed));
    CHECK_OK(gc_stream_destroy(it->special));
    CHECK_OK(gc_stream_destroy(it->side));
    CHECK_OK(gc_context_destroy(it->context));
    CHECK(more->adopted == NULL || await_count(&more->released, 1));
}

static void use_objects(struct program *it) {
    struct further more;
    memset(&more, 0, sizeof more);
    make_all(it);
    make_further(it, &more);
    record(it);
    STEP(gc_stream_end_capture(it->stream, &it->graph));
    STEP(gc_graph_instantiate(it->graph, NULL, &it->exec));
    STEP(gc_graph_launch(it->exec, it->special));
    STEP(gc_stream_synchronize(it->special));
    it->to_call++;
    give_all_back(it, &more);
}

int main(void) {
    static const struct subject objects = {NULL, use_objects, NULL, 250, 250};
    return fail_calls_of(&objects);
}
