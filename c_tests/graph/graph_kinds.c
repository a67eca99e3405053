/* Holds the device that is tested against what NVIDIA's driver was measured to do with each kind of node: copy it, put it into a
 * child or a body, launch it from the device, tell of it, set it, switch it off. */
#include "works.h"

/* What is answered about a kind. Where a member is no code, a comment says what it is. */
struct kind_row {
    const char *name;
    uint32_t kind;
    int clone, again;       /* copied; made a second exec of */
    int child;              /* put into a node */
    int enable;             /* asked whether it is on, switched off and on */
    int body, from_device;  /* instantiated within the body of a conditional; for launches by kernels, where that was measured */
    int exec_set;           /* set in an exec to the work of one row between places of the device */
    const char *value;      /* what a run leaves */
    const char *off;        /* and where it is switched off; NULL: as on */
};

#define COPY_KIND GRAPHCAP_NODE_MEMCPY

#define NOT_MEASURED (-1)

static const struct kind_row kind_rows[] = {
    {"empty", GRAPHCAP_NODE_EMPTY, 0, 0, 0, 1, 0, NOT_MEASURED, 1, "", NULL},
    {"kernel", GRAPHCAP_NODE_KERNEL, 0, 0, 0, 0, 0, 0, 0, "7", "0"},
    {"kernel_cooperative", GRAPHCAP_NODE_KERNEL, 0, 0, 0, 0, 0, 0, 0, "7", "0"},
    {"kernel_foreign_ctx", GRAPHCAP_NODE_KERNEL, 0, 0, 0, 0, 1, 0, 1, "7", "0"},
    {"memcpy_d2d", COPY_KIND, 0, 0, 0, 0, 0, 0, 0, "7/h0/p0", "0/h0/p0"},
    {"memcpy_h2d_pinned", COPY_KIND, 0, 0, 0, 0, 0, 0, 1, "7/h7/p0", "0/h7/p0"},
    {"memcpy_h2d_pageable", COPY_KIND, 0, 0, 0, 0, 1, 1, 1, "7/h0/p7", "0/h0/p7"},
    {"memcpy_d2h_pinned", COPY_KIND, 0, 0, 0, 0, 0, 0, 1, "0/h7/p0", "0/h0/p0"},
    {"memcpy_d2h_pageable", COPY_KIND, 0, 0, 0, 0, 1, 1, 1, "0/h0/p7", "0/h0/p0"},
    {"memcpy_h2h", COPY_KIND, 0, 0, 0, 0, 0, NOT_MEASURED, 1, "0/h7/p0", "0/h0/p0"},
    {"memcpy_d2d_2d", COPY_KIND, 0, 0, 0, 0, 0, 0, 1, "7/h0/p0", "0/h0/p0"},
    {"memset", GRAPHCAP_NODE_MEMSET, 0, 0, 0, 0, 0, NOT_MEASURED, 0, "abababab", "0"},
    {"memset_2d", GRAPHCAP_NODE_MEMSET, 0, 0, 0, 0, 0, 0, 1, "abababab", "0"},
    {"host", GRAPHCAP_NODE_HOST, 0, 0, 0, 1, 1, 1, 0, "1", NULL},
    {"child", GRAPHCAP_NODE_CHILD, 0, 0, 0, 1, 0, NOT_MEASURED, 0, "7", NULL},
    {"event_record", GRAPHCAP_NODE_EVENT_RECORD, 0, 0, 0, 1, 1, 1, 0, "", NULL},
    {"event_wait", GRAPHCAP_NODE_EVENT_WAIT, 0, 0, 0, 1, 1, NOT_MEASURED, 0, "", NULL},
    {"batch", GRAPHCAP_NODE_BATCH_MEM_OP, 0, 0, 0, 1, 1, 1, 0, "1,0", NULL},
    {"conditional_if", GRAPHCAP_NODE_CONDITIONAL, 801, 801, 801, 1, 0, 1, 1, "7", NULL},
};

/* What was wanted of the steps of a row, as `answers` has what was answered. */
static char wanted[512];

static void begin(void) {
    answers[0] = wanted[0] = '\0';
}

/* Notes what a step answered, and what it should have answered. */
static void step(const char *what, int got, int expected) {
    size_t length = strlen(wanted);
    answer("%s=%d", what, got);
    snprintf(wanted + length, sizeof wanted - length, "%s%s=%d", length > 0 ? " " : "", what, expected);
}

static void step_text(const char *what, const char *got, const char *expected) {
    size_t length = strlen(wanted);
    if (expected[0] == '\0')
        return;
    answer("%s=%s", what, got);
    snprintf(wanted + length, sizeof wanted - length, "%s%s=%s", length > 0 ? " " : "", what, expected);
}

static void finish_on(const char *group, const char *kind, const char *driver, const char *because, const char *host) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s", group, kind);
    expect(name, "it", answers, !on_cuda() && host != NULL ? host : wanted);
    publish(name, driver == NULL ? wanted : driver, driver == NULL ? NULL : wanted, host, because, NULL);
}

static void finish(const char *group, const char *kind) {
    finish_on(group, kind, NULL, NULL, NULL);
}

/* The name by which the works know what a kind does. */
static const char *work_name(const struct kind_row *row) {
    return is(row->name, "batch")                ? "one"
           : is(row->name, "kernel")             ? "good"
           : is(row->name, "kernel_foreign_ctx") ? "func_foreign_ctx"
           : is(row->name, "memcpy_h2h")         ? "memcpy_h2h_pinned"
                                                 : row->name;
}

static work made_by(const struct kind_row *row) {
    return row->kind == GRAPHCAP_NODE_KERNEL ? kernel_work : work_of(row->name);
}

static gc_node add_of(const struct kind_row *row, const gc_graph *graph) {
    gc_node node = 0;
    if (is(row->name, "kernel_cooperative")) {
        gc_launch_attribute cooperative;
        struct kernel_call call;
        memset(&cooperative, 0, sizeof cooperative);
        cooperative.struct_size = sizeof cooperative;
        cooperative.id = GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE;
        cooperative.value.number = 1;
        call_fill(&call, &bed.rig, bed.target, 0, 7);
        call.config.attributes = &cooperative;
        call.config.attribute_count = 1;
        REQUIRE_OK(add_kernel(graph, NULL, 0, &call, &node));
    } else {
        REQUIRE_OK(made_by(row)(work_name(row), ADD, graph, &node));
    }
    return node;
}

static void run_exec(const struct kind_row *row, const gc_graph_exec *exec, const char *what, const char *value) {
    char text[64];
    prepare(work_name(row));
    replay(&bed.rig, exec);
    step_text(what, left(made_by(row), text), value);
}

static void run(const struct kind_row *row, const gc_graph *graph, const char *what) {
    gc_graph_exec *exec = open_exec(graph);
    run_exec(row, exec, what, row->value);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void try_reuse(const struct kind_row *row) {
    gc_graph *graph = open_graph(bed.rig.context), *clone = NULL;
    gc_graph_exec *exec, *second = NULL;
    gc_node node = add_of(row, graph), copied = 0;
    begin();
    step("clone", (int)gc_graph_clone(graph, &clone), row->clone);
    if (row->clone == 0) {
        step("find", (int)gc_node_find_in_clone(graph, node, clone, &copied), 0);
        run(row, clone, "clone_val");
    }
    exec = open_exec(graph);
    step("inst2", (int)gc_graph_instantiate(graph, NULL, &second), row->again);
    run_exec(row, exec, "val", row->value);
    step("destroy_node", (int)gc_graph_remove_node(graph, node), 0);
    step("nodes", (int)nodes_of(graph), 0);
    finish("reuse", row->name);
    CHECK_OK(gc_graph_exec_destroy(second));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
}

static void try_child(const struct kind_row *row) {
    gc_graph *graph = open_graph(bed.rig.context), *parent = open_graph(bed.rig.context), *within = NULL;
    gc_node child = 0;
    add_of(row, graph);
    begin();
    step("child", (int)gc_graph_add_child_node(parent, NULL, 0, graph, &child), row->child);
    step("parent_nodes", (int)nodes_of(parent), row->child == 0);
    if (row->child == 0) {
        step("get", (int)gc_node_get_graph(parent, child, 0, &within), 0);
        step("inner_nodes", (int)nodes_of(within), 1);
        run(row, parent, "val");
    }
    finish("child", row->name);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_destroy(graph));
}

static void try_enable(const struct kind_row *row) {
    gc_graph *graph = open_graph(bed.rig.context);
    gc_node node = add_of(row, graph);
    gc_graph_exec *exec = open_exec(graph);
    const int is_cooperative = is(row->name, "kernel_cooperative");
    int32_t enabled = 9;
    begin();
    step("get", (int)gc_graph_exec_is_node_enabled(exec, node, &enabled), row->enable);
    step("enabled", enabled, row->enable == 0);
    step("off", (int)gc_graph_exec_set_node_enabled(exec, node, 0), is_cooperative ? 1 : row->enable);
    step("get_off", (int)gc_graph_exec_is_node_enabled(exec, node, &enabled), row->enable);
    step("enabled", enabled, is_cooperative);
    run_exec(row, exec, "val_off", row->off == NULL || is_cooperative ? row->value : row->off);
    step("on", (int)gc_graph_exec_set_node_enabled(exec, node, 1), row->enable);
    run_exec(row, exec, "val_on", row->value);
    if (!is_cooperative)
        finish("enable", row->name);
    else
        finish_on("enable", "cooperative_off", "off=0 run=719", "the replay of the driver faults", NULL);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A cooperative kernel is not disabled later either, nor among others. */
static void try_enable_cooperative(const struct kind_row *row) {
    gc_graph *graph = open_graph(bed.rig.context);
    gc_node node = add_of(row, graph), before = 0, behind = 0;
    gc_graph_exec *exec = open_exec(graph);
    begin();
    run_exec(row, exec, "val", row->value);
    step("off", (int)gc_graph_exec_set_node_enabled(exec, node, 0), 1);
    run_exec(row, exec, "val_off", row->value);
    finish_on("enable", "cooperative_off_after_a_run", "run=0 off=0 run2=719", "the replay of the driver faults", NULL);
    CHECK_OK(gc_graph_exec_destroy(exec));
    begin();
    CHECK_OK(gc_graph_add_empty_node(graph, NULL, 0, &before));
    CHECK_OK(gc_graph_add_dependencies(graph, &before, &node, NULL, 1));
    CHECK_OK(gc_graph_add_empty_node(graph, &node, 1, &behind));
    exec = open_exec(graph);
    step("off", (int)gc_graph_exec_set_node_enabled(exec, node, 0), 1);
    run_exec(row, exec, "val_off", row->value);
    finish_on("enable", "cooperative_off_in_chain", "off=0 run=719", "the replay of the driver faults", NULL);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void try_body(const struct kind_row *row) {
    gc_graph *graph = open_graph(bed.rig.context), *body = NULL;
    gc_graph_exec *exec = NULL;
    gc_condition condition = 0, inner = 0;
    gc_node node = 0;
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
    begin();
    if (row->kind == GRAPHCAP_NODE_CONDITIONAL) {
        gc_graph *innermost = NULL;
        REQUIRE_OK(gc_graph_create_condition(body, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &inner));
        REQUIRE_OK(gc_graph_add_conditional_node(body, NULL, 0, inner, GRAPHCAP_CONDITIONAL_IF, 1, &node));
        REQUIRE_OK(gc_node_get_graph(body, node, 0, &innermost));
        stores(innermost, NULL, 0, 0, 7);
        CHECK_OK(gc_graph_destroy(innermost));
    } else {
        add_of(row, body);
    }
    step("inst", (int)gc_graph_instantiate(graph, NULL, &exec), row->body);
    if (exec != NULL) {
        run_exec(row, exec, "val", row->value);
        run_exec(row, exec, "val2", row->value);
    }
    finish("body", row->name);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

#define NO_DEVICE_LAUNCH "the host device has no kernels that launch execs"

static void try_device_launch(const struct kind_row *row) {
    const char *value = row->value[0] != '\0' ? row->value : "none";
    gc_graph *graph = open_graph(bed.rig.context);
    gc_graph_exec *exec = NULL;
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    char text[64];
    unsigned run_number;
    options.flags = GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH;
    add_of(row, graph);
    begin();
    if (row->from_device == 0)
        snprintf(wanted, sizeof wanted, "inst=0 upload=0 val=%s val=%s", value, value);
    else
        snprintf(wanted, sizeof wanted, "inst=%d", row->from_device);
    answer("inst=%d", (int)gc_graph_instantiate(graph, &options, &exec));
    if (exec != NULL) {
        answer("upload=%d", (int)gc_graph_upload(exec, bed.rig.stream));
        for (run_number = 0; run_number < 2; run_number++) {
            prepare(work_name(row));
            replay(&bed.rig, exec);
            answer("val=%s", left(made_by(row), text)[0] != '\0' ? text : "none");
        }
    }
    finish_on("devlaunch", row->name, NULL, NO_DEVICE_LAUNCH, "inst=801");
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- What tells of a node, and what sets it ---- */

static int answers_for(uint32_t kind, uint32_t wanted_kind) {
    return kind == wanted_kind ? 0 : 1;
}

static void try_getters_of(const char *name, uint32_t kind, const gc_graph *graph, gc_node node) {
    const int is_event = kind == GRAPHCAP_NODE_EVENT_RECORD || kind == GRAPHCAP_NODE_EVENT_WAIT;
    const int has_graph = kind == GRAPHCAP_NODE_CHILD || kind == GRAPHCAP_NODE_CONDITIONAL;
    gc_kernel_node_params as_kernel = GRAPHCAP_KERNEL_NODE_PARAMS_INIT;
    gc_memcpy_node_params as_memcpy = GRAPHCAP_MEMCPY_NODE_PARAMS_INIT;
    gc_memset_node_params as_memset = GRAPHCAP_MEMSET_NODE_PARAMS_INIT;
    gc_mem_op_node_params as_values = GRAPHCAP_MEM_OP_NODE_PARAMS_INIT;
    gc_mem_alloc_node_params as_alloc = GRAPHCAP_MEM_ALLOC_NODE_PARAMS_INIT;
    gc_mem_free_node_params as_free = GRAPHCAP_MEM_FREE_NODE_PARAMS_INIT;
    gc_event *event = NULL;
    gc_graph *within = NULL;
    char driver[sizeof answers + 16];
    size_t count = 0;
    begin();
    step("type", (int)kind_of(graph, node), (int)kind);
    step("kernel", (int)gc_node_get_kernel_params(graph, node, &as_kernel), answers_for(kind, GRAPHCAP_NODE_KERNEL));
    step("memcpy", (int)gc_node_get_memcpy_params(graph, node, &as_memcpy), answers_for(kind, GRAPHCAP_NODE_MEMCPY));
    step("memset", (int)gc_node_get_memset_params(graph, node, &as_memset), answers_for(kind, GRAPHCAP_NODE_MEMSET));
    step("event", (int)gc_node_get_event(graph, node, &event), !is_event);
    step("alloc", (int)gc_node_get_mem_alloc_params(graph, node, &as_alloc), answers_for(kind, GRAPHCAP_NODE_MEM_ALLOC));
    step("free", (int)gc_node_get_mem_free_params(graph, node, &as_free), answers_for(kind, GRAPHCAP_NODE_MEM_FREE));
    step("batch", (int)gc_node_get_mem_op_params(graph, node, 0, &as_values, &count),
         answers_for(kind, GRAPHCAP_NODE_BATCH_MEM_OP));
    snprintf(driver, sizeof driver, "%s child=%d", wanted, answers_for(kind, GRAPHCAP_NODE_CHILD));
    step("child", (int)gc_node_get_graph(graph, node, 0, &within), !has_graph);
    if (kind == GRAPHCAP_NODE_CONDITIONAL)
        finish_on("getters", name, driver, "the same function gives the bodies of conditionals", NULL);
    else
        finish("getters", name);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_event_destroy(event));
}

/* Each setter, on the node and in the exec; `exec_set` is what the exec answers to that of the node's kind. */
static void try_setters_of(const char *name, uint32_t kind, int exec_set, const gc_graph *graph, gc_node node,
                           const gc_graph_exec *exec) {
    static const struct {
        const char *what, *how;
        uint32_t kind;
        work set;
    } setters[] = {
        {"kernel", "good", GRAPHCAP_NODE_KERNEL, kernel_work},
        {"memcpy", "d2d", GRAPHCAP_NODE_MEMCPY, memcpy_work},
        {"memset", "good", GRAPHCAP_NODE_MEMSET, memset_work},
        {"host", "good", GRAPHCAP_NODE_HOST, host_work},
        {"record", "record", GRAPHCAP_NODE_EVENT_RECORD, event_work},
        {"wait", "wait", GRAPHCAP_NODE_EVENT_WAIT, event_work},
        {"batch", "one", GRAPHCAP_NODE_BATCH_MEM_OP, values_work},
    };
    size_t i;
    begin();
    for (i = 0; i < LENGTH_OF(setters); i++) {
        const int other = answers_for(kind, setters[i].kind);
        step(setters[i].what, (int)setters[i].set(setters[i].how, NODE, graph, &node), other);
        step("exec", (int)setters[i].set(setters[i].how, EXEC, exec, &node), other == 0 ? exec_set : 1);
    }
    step("exec_child", (int)child_work("", EXEC, exec, &node), answers_for(kind, GRAPHCAP_NODE_CHILD));
    finish("setters", name);
}

static void try_getters_and_setters(const struct kind_row *row) {
    gc_graph *graph = open_graph(bed.rig.context);
    gc_node node = add_of(row, graph);
    gc_graph_exec *exec = open_exec(graph);
    try_getters_of(row->name, row->kind, graph, node);
    try_setters_of(row->name, row->kind, row->exec_set, graph, node, exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void every_kind_answers_as_measured(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(kind_rows); i++) {
        if (is_alone && is_of_two_contexts(kind_rows[i].name))
            continue;
        try_reuse(&kind_rows[i]);
        try_child(&kind_rows[i]);
        try_enable(&kind_rows[i]);
        if (is(kind_rows[i].name, "kernel_cooperative"))
            try_enable_cooperative(&kind_rows[i]);
        try_body(&kind_rows[i]);
        if (kind_rows[i].from_device != NOT_MEASURED)
            try_device_launch(&kind_rows[i]);
        try_getters_and_setters(&kind_rows[i]);
    }
}

/* ---- Nodes that allocate and free ---- */

struct memory {
    gc_graph *graph, *first;
    gc_buffer *buffer;
    gc_node node;
    size_t nodes;
};

/* An allocation; one that is used and freed; the free of what another graph allocated. */
static struct memory open_memory(const char *name) {
    struct memory made;
    gc_node last = 0;
    memset(&made, 0, sizeof made);
    made.graph = open_graph(bed.rig.context);
    if (is(name, "free_of_other_graph")) {
        made.first = open_graph(bed.rig.context);
        REQUIRE_OK(gc_graph_add_mem_alloc_node(made.first, NULL, 0, 4096, &last, &made.buffer));
        REQUIRE_OK(gc_graph_add_mem_free_node(made.graph, NULL, 0, made.buffer, &made.node));
        made.nodes = 1;
        return made;
    }
    REQUIRE_OK(gc_graph_add_mem_alloc_node(made.graph, NULL, 0, 4096, &made.node, &made.buffer));
    made.nodes = 1;
    if (is(name, "alloc_free")) {
        const gc_memset_params set = GRAPHCAP_MEMSET_INIT(made.buffer, 0, 7, 4, 16, 1, 0);
        REQUIRE_OK(gc_graph_add_memset_node(made.graph, &made.node, 1, &set, &last));
        REQUIRE_OK(gc_graph_add_mem_free_node(made.graph, &last, 1, made.buffer, &last));
        made.nodes = 3;
    }
    return made;
}

static void close_memory(struct memory *made) {
    CHECK_OK(gc_buffer_destroy(made->buffer));
    CHECK_OK(gc_graph_destroy(made->graph));
    CHECK_OK(gc_graph_destroy(made->first));
}

static void try_memory(const char *name) {
    const int is_free = is(name, "free_of_other_graph");
    const uint32_t kind = is_free ? GRAPHCAP_NODE_MEM_FREE : GRAPHCAP_NODE_MEM_ALLOC;
    struct memory made = open_memory(name);
    gc_graph *other = NULL, *parent = open_graph(bed.rig.context);
    gc_graph_exec *exec, *second = NULL;
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_node node = 0;
    int32_t enabled = 9;
    if (!is_free)
        try_getters_of(name, kind, made.graph, made.node);
    begin();
    step("clone", (int)gc_graph_clone(made.graph, &other), 801);
    exec = open_exec(made.graph);
    step("inst2", (int)gc_graph_instantiate(made.graph, NULL, &second), 801);
    step("destroy_node", (int)gc_graph_remove_node(made.graph, made.node), 801);
    step("nodes", (int)nodes_of(made.graph), (int)made.nodes);
    finish("reuse", name);
    if (!is_free) {
        begin();
        step("child", (int)gc_graph_add_child_node(parent, NULL, 0, made.graph, &node), 801);
        step("parent_nodes", (int)nodes_of(parent), 0);
        finish("child", name);
    }
    if (!is(name, "alloc_free")) {
        begin();
        step("get", (int)gc_graph_exec_is_node_enabled(exec, made.node, &enabled), 1);
        step("off", (int)gc_graph_exec_set_node_enabled(exec, made.node, 0), 1);
        step("on", (int)gc_graph_exec_set_node_enabled(exec, made.node, 1), 1);
        finish("enable", name);
    }
    try_setters_of(name, kind, 1, made.graph, made.node, exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    if (!is(name, "alloc")) {
        begin();
        options.flags = GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH;
        step("inst", (int)gc_graph_instantiate(made.graph, &options, &second), 1);
        finish_on("devlaunch", name, NULL, NO_DEVICE_LAUNCH, "inst=801");
    }
    CHECK_OK(gc_graph_destroy(parent));
    close_memory(&made);
}

static void try_memory_in_a_body(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *body = NULL;
    gc_graph_exec *exec = NULL;
    gc_condition condition = 0;
    gc_buffer *buffer = NULL;
    gc_node node = 0, last = 0;
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
    begin();
    step("add", (int)gc_graph_add_mem_alloc_node(body, NULL, 0, 4096, &node, &buffer), 0);
    if (is(name, "alloc_free"))
        CHECK_OK(gc_graph_add_mem_free_node(body, &node, 1, buffer, &last));
    step("inst", (int)gc_graph_instantiate(graph, NULL, &exec), 1);
    finish("body", name);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

static void memory_answers_as_measured(void) {
    try_memory("alloc");
    try_memory("alloc_free");
    try_memory("free_of_other_graph");
    try_memory_in_a_body("alloc");
    try_memory_in_a_body("alloc_free");
}

int main(void) {
    bed_open();
    RUN(every_kind_answers_as_measured);
    RUN(memory_answers_as_measured);
    tell_counts();
    CHECK(tried > 130);
    bed_close();
    return check_finish();
}
