/* Each call of the driver fails once: a script of each kind of op but kernels is recorded, launched and submitted. */
#include "failures.h"

static void push(const gc_script *script, const gc_work *desc) {
    CHECK_OK(gc_script_push(script, desc));
}

static gc_work op_of(uint32_t kind) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = kind;
    return desc;
}

static void push_set(struct program *it, const gc_script *script) {
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->buffer, 8, 7, 4, 1, 1, 0);
    gc_work desc = op_of(GRAPHCAP_WORK_MEMSET);
    desc.memset_params = &set;
    push(script, &desc);
}

static void push_all(struct program *it, const gc_script *script, const gc_script *body) {
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(it->buffer, 4, it->buffer, 0, 4);
    gc_work desc = op_of(GRAPHCAP_WORK_MEMCPY);
    push_set(it, body);
    push_set(it, script);
    desc.memcpy_params = &copy;
    push(script, &desc);
    desc = op_of(GRAPHCAP_WORK_EVENT_RECORD);
    desc.event = it->fork_event;
    push(script, &desc);
    desc = op_of(GRAPHCAP_WORK_CONDITIONAL);
    desc.buffer = it->buffer;
    desc.conditional_kind = GRAPHCAP_CONDITIONAL_IF;
    desc.bodies = &body;
    desc.body_count = 1;
    push(script, &desc);
}

static void prepare(struct program *it) {
    make_objects(it);
    make_events(it);
    STEP(gc_stream_memset(it->stream, it->buffer, 0, 0, 4, 4));
}

static void record_a_script(struct program *it) {
    gc_script *script = NULL, *body = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    STEP(gc_script_create(it->context, &body));
    STEP(gc_script_create(it->context, &script));
    push_all(it, script, body);
    STEP(gc_script_prepare(script, NULL));
    STEP(gc_script_record(script, it->stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_script_submit(script, it->stream, NULL));
    STEP(gc_stream_synchronize(it->stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_script_destroy(body));
}

int main(void) {
    static const struct subject scripts = {prepare, record_a_script, give_back, 0, 60};
    return fail_calls_of(&scripts);
}
