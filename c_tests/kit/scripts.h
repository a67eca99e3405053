/* What the tests of scripts share: scripts of ops on the words of a buffer. */
#ifndef GRAPHCAP_TESTS_SCRIPTS_H
#define GRAPHCAP_TESTS_SCRIPTS_H

#include "../graph/nodes.h"

static struct rig rig;

static inline gc_script *open_script(void) {
    gc_script *script = NULL;
    REQUIRE_OK(gc_script_create(rig.context, &script));
    return script;
}

static inline gc_work op_of(uint32_t kind) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = kind;
    return desc;
}

static inline void push(const gc_script *script, const gc_work *desc) {
    REQUIRE_OK(gc_script_push(script, desc));
}

/* buffer[index] += value. */
static inline void push_add(const gc_script *script, const gc_buffer *buffer, unsigned index, uint32_t value) {
    struct kernel_call call;
    gc_work desc = op_of(GRAPHCAP_WORK_KERNEL);
    call_add(&call, &rig, buffer, index, value);
    desc.kernel = call.kernel;
    desc.config = &call.config;
    desc.arguments = call.arguments;
    desc.argument_count = call.count;
    push(script, &desc);
}

static inline void push_set(const gc_script *script, const gc_buffer *buffer, unsigned index, uint32_t value) {
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, index * sizeof(uint32_t), value, 4, 1, 1, 0);
    gc_work desc = op_of(GRAPHCAP_WORK_MEMSET);
    desc.memset_params = &set;
    push(script, &desc);
}

static inline void push_copy(const gc_script *script, const gc_buffer *buffer, unsigned to, unsigned from) {
    const gc_memcpy_params copy =
        GRAPHCAP_MEMCPY_INIT_DTOD(buffer, to * sizeof(uint32_t), buffer, from * sizeof(uint32_t), sizeof(uint32_t));
    gc_work desc = op_of(GRAPHCAP_WORK_MEMCPY);
    desc.memcpy_params = &copy;
    push(script, &desc);
}

static inline gc_graph *record(const gc_script *script) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    return graph;
}

static inline void run(const gc_graph *graph) {
    gc_graph_exec *exec = open_exec(graph);
    replay(&rig, exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

#endif
