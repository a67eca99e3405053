/* Holds the device that is tested against graph_conformance_data.h, which on a GPU checks the data themselves, and tells how
 * many rows were tried, where graphcap answers before the driver, and which rows no call leads to. */
#include "graph_conformance_data.h"
#include "nodes.h"

#include <stdarg.h>

enum edit { ADD, NODE, EXEC };

/* What the works are done on. `near` and `far` are words of the device, `near` first where there are two. */
static struct {
    struct rig rig, other;
    gc_buffer *source, *target, *second, *values, *gone, *theirs;
    gc_host_buffer *pinned;
    uint32_t *pinned_words, pageable[1024];
    gc_event *event, *gone_event, *their_event;
    gc_kernel *gone_kernel;
    gc_graph *child;
    unsigned calls;
} bed;

static unsigned tried, ours, unreachable;

/* ---- One work, as a new node, of a node that is set, and of a node of an exec ---- */

static gc_status give_kernel(enum edit edit, const void *of, gc_node *node, const struct kernel_call *call) {
    switch (edit) {
    case ADD: return add_kernel((const gc_graph *)of, NULL, 0, call, node);
    case NODE: return set_kernel((const gc_graph *)of, *node, call);
    default: return exec_set_kernel((const gc_graph_exec *)of, *node, call);
    }
}

static gc_status give_memcpy(enum edit edit, const void *of, gc_node *node, const gc_memcpy_params *params) {
    switch (edit) {
    case ADD: return gc_graph_add_memcpy_node((const gc_graph *)of, NULL, 0, params, node);
    case NODE: return gc_node_set_memcpy((const gc_graph *)of, *node, params);
    default: return gc_graph_exec_set_memcpy_node((const gc_graph_exec *)of, *node, params);
    }
}

static gc_status give_memset(enum edit edit, const void *of, gc_node *node, const gc_memset_params *params) {
    switch (edit) {
    case ADD: return gc_graph_add_memset_node((const gc_graph *)of, NULL, 0, params, node);
    case NODE: return gc_node_set_memset((const gc_graph *)of, *node, params);
    default: return gc_graph_exec_set_memset_node((const gc_graph_exec *)of, *node, params);
    }
}

static gc_status give_host(enum edit edit, const void *of, gc_node *node, gc_host_fn function, void *user_data) {
    switch (edit) {
    case ADD: return gc_graph_add_host_node((const gc_graph *)of, NULL, 0, function, user_data, NULL, node);
    case NODE: return gc_node_set_host((const gc_graph *)of, *node, function, user_data, NULL);
    default: return gc_graph_exec_set_host_node((const gc_graph_exec *)of, *node, function, user_data, NULL);
    }
}

static gc_status give_values(enum edit edit, const void *of, gc_node *node, const gc_mem_op *operations, size_t count) {
    switch (edit) {
    case ADD: return gc_graph_add_batch_mem_op_node((const gc_graph *)of, NULL, 0, operations, count, node);
    case NODE: return gc_node_set_batch_mem_op((const gc_graph *)of, *node, operations, count);
    default: return gc_graph_exec_set_batch_mem_op_node((const gc_graph_exec *)of, *node, operations, count);
    }
}

static gc_status give_event(enum edit edit, const void *of, gc_node *node, int records, const gc_event *event) {
    if (edit == ADD)
        return records ? gc_graph_add_event_record_node((const gc_graph *)of, NULL, 0, event, node)
                       : gc_graph_add_event_wait_node((const gc_graph *)of, NULL, 0, event, node);
    if (edit == NODE)
        return records ? gc_node_set_event_record((const gc_graph *)of, *node, event)
                       : gc_node_set_event_wait((const gc_graph *)of, *node, event);
    return records ? gc_graph_exec_set_event_record_node((const gc_graph_exec *)of, *node, event)
                   : gc_graph_exec_set_event_wait_node((const gc_graph_exec *)of, *node, event);
}

/* ---- The works by their names ---- */

static int is(const char *name, const char *wanted) {
    return strcmp(name, wanted) == 0;
}

static gc_status kernel_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    struct kernel_call call;
    call_fill(&call, &bed.rig, bed.target, 0, 7);
    if (is(name, "base"))
        call_fill(&call, &bed.rig, bed.target, 3, 1);
    else if (is(name, "grid_x_0"))
        call.config.grid_dim[0] = 0;
    else if (is(name, "grid_y_0"))
        call.config.grid_dim[1] = 0;
    else if (is(name, "block_x_0"))
        call.config.block_dim[0] = 0;
    else if (is(name, "block_32x32x2"))
        call.config.block_dim[0] = call.config.block_dim[1] = 32, call.config.block_dim[2] = 2;
    else if (is(name, "block_z_65"))
        call.config.block_dim[0] = 1, call.config.block_dim[2] = 65;
    else if (is(name, "grid_y_65536"))
        call.config.grid_dim[1] = 65536;
    else if (is(name, "grid_x_2pow31"))
        call.config.grid_dim[0] = UINT32_C(1) << 31;
    else if (is(name, "smem_48k"))
        call.config.shared_mem_bytes = 48 * 1024;
    else if (is(name, "smem_48k_plus_1"))
        call.config.shared_mem_bytes = 48 * 1024 + 1;
    else if (is(name, "smem_200k_opted_in"))
        call.config.shared_mem_bytes = 200 * 1024;
    else if (is(name, "smem_300000"))
        call.config.shared_mem_bytes = 300000;
    else if (is(name, "params_null"))
        call.count = 0;
    else if (is(name, "func_null"))
        call.kernel = NULL;
    else if (is(name, "func_foreign_ctx"))
        call.kernel = bed.other.fill;
    else if (is(name, "func_unloaded_module"))
        call.kernel = bed.gone_kernel;
    else if (is(name, "func_garbage"))
        call.kernel = (const gc_kernel *)(uintptr_t)0x1234;
    return give_kernel(edit, of, node, &call);
}

static gc_status memcpy_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(bed.target, 0, bed.source, 0, 64);
    const gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(bed.target, 0, bed.pageable, 64);
    const gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(bed.pageable, bed.source, 0, 64);
    const gc_memcpy_params within = GRAPHCAP_MEMCPY_INIT_HTOH(bed.pageable, bed.pageable + 512, 64);
    const int is_2d = strncmp(name, "2d", 2) == 0 || is(name, "d2d_2d") || is(name, "memcpy_d2d_2d");
    if (strncmp(name, "memcpy_", 7) == 0)
        name += 7;
    if (is(name, "base")) /* of the words behind, which are 0 */
        copy.destination_offset = copy.source_offset = 2048;
    else if (is(name, "h2d_pinned")) {
        copy = in;
        copy.source_host = NULL;
        copy.source_host_buffer = bed.pinned;
    } else if (is(name, "h2d_pageable"))
        copy = in;
    else if (is(name, "d2h_pinned")) {
        copy = out;
        copy.destination_host = NULL;
        copy.destination_host_buffer = bed.pinned;
    } else if (is(name, "d2h_pageable"))
        copy = out;
    else if (is(name, "h2h_pinned")) {
        copy = within;
        copy.destination_host = NULL;
        copy.source_host = NULL;
        copy.destination_host_buffer = bed.pinned;
        copy.source_host_buffer = bed.pinned;
        copy.source_offset = 2048;
    } else if (is(name, "h2h_pageable") || is(name, "h2h"))
        copy = within;
    else if (is(name, "width_0") || is(name, "d2d_w0"))
        copy.size = 0;
    else if (is(name, "height_0"))
        copy.height = 0;
    else if (is(name, "depth_0"))
        copy.depth = 0;
    else if (is(name, "dst_freed"))
        copy.destination = bed.gone;
    else if (is(name, "overlap"))
        copy.source = bed.target, copy.destination_offset = 16;
    else if (is(name, "same_address"))
        copy.source = bed.target;
    else if (is(name, "src_pitch_lt_width"))
        copy.height = 2, copy.source_pitch = 32, copy.destination_pitch = 128;
    else if (is(name, "dst_pitch_lt_width"))
        copy.height = 2, copy.source_pitch = 128, copy.destination_pitch = 32;
    else if (is(name, "pitch_0_height_2"))
        copy.height = 2;
    else if (is(name, "type_9"))
        copy.direction = 9;
    else if (is(name, "dst_overrun"))
        copy.destination_offset = 4096 - 32;
    else if (is(name, "src_null"))
        copy.source = NULL;
    else if (is(name, "dst_garbage"))
        copy.destination = (const gc_buffer *)(uintptr_t)0x1234;
    else if (is(name, "ctx_foreign"))
        copy.source = bed.theirs;
    else if (is(name, "reserved_nonnull"))
        copy.reserved = 1;
    else if (is(name, "h2d_null_host"))
        copy = in, copy.source_host = NULL;
    else if (is(name, "d2d_w32"))
        copy.size = 32;
    else if (is(name, "d2d_w128"))
        copy.size = 128;
    else if (is(name, "d2d_dst2"))
        copy.destination = bed.second;
    else if (is(name, "3d") || is(name, "3d_good"))
        copy.size = 32, copy.height = copy.depth = 2, copy.source_pitch = copy.destination_pitch = 64,
        copy.source_slice_height = copy.destination_slice_height = 4;
    if (is_2d) {
        copy.size = is(name, "2d_w16") ? 16 : 32;
        copy.height = 2;
        copy.source_pitch = copy.destination_pitch = is(name, "2d_pitch") ? 128 : 64;
        copy.destination = is(name, "2d_dst2") ? bed.second : bed.target;
    }
    return give_memcpy(edit, of, node, &copy);
}

static gc_status memset_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(bed.target, 0, 0xab, 1, 64, 1, 0);
    const int is_2d = strncmp(name, "2d", 2) == 0 || is(name, "memset_2d");
    if (is(name, "base"))
        set.offset = 2048, set.value = 0;
    else if (is(name, "width_0") || is(name, "w0"))
        set.width = 0;
    else if (is(name, "height_0"))
        set.height = 0;
    else if (is(name, "elem_3"))
        set.element_size = 3;
    else if (is(name, "elem_0"))
        set.element_size = 0;
    else if (is(name, "elem_8"))
        set.element_size = 8;
    else if (is(name, "value_0x1ff_elem_1"))
        set.value = 0x1ff;
    else if (is(name, "value_0x1ffff_elem_2"))
        set.value = 0x1ffff, set.element_size = 2;
    else if (is(name, "pitch_0_height_2"))
        set.height = 2;
    else if (is(name, "pitch_small_height_1"))
        set.pitch = 8;
    else if (is(name, "dst_null"))
        set.buffer = NULL;
    else if (is(name, "dst_freed"))
        set.buffer = bed.gone;
    else if (is(name, "dst_garbage"))
        set.buffer = (const gc_buffer *)(uintptr_t)0x1234;
    else if (is(name, "unaligned_elem_4"))
        set.element_size = 4, set.offset = 2;
    else if (is(name, "unaligned_elem_2"))
        set.element_size = 2, set.offset = 1;
    else if (is(name, "overrun"))
        set.offset = 4096 - 32;
    else if (is(name, "ctx_foreign"))
        set.buffer = bed.theirs;
    else if (is(name, "pitch_66_elem_4"))
        set.element_size = 4, set.width = 16, set.height = 2, set.pitch = 66;
    else if (is(name, "width_2pow40"))
        set.width = (size_t)1 << 40;
    else if (is(name, "elem_4_value_32bit"))
        set.element_size = 4, set.value = 0x12345678, set.width = 16;
    /* The columns of the matrix, which write 5 or 9. */
    else if (is(name, "e1_w64"))
        set.value = 5;
    else if (is(name, "e1_w32"))
        set.value = 5, set.width = 32;
    else if (is(name, "e1_w128"))
        set.value = 5, set.width = 128;
    else if (is(name, "e1_w64k"))
        set.value = 5, set.width = 4096;
    else if (is(name, "e2_w32"))
        set.value = 5, set.element_size = 2, set.width = 32;
    else if (is(name, "e4_w16"))
        set.value = 5, set.element_size = 4, set.width = 16;
    else if (is(name, "e4_w1"))
        set.value = 5, set.element_size = 4, set.width = 1;
    else if (is(name, "value"))
        set.value = 9;
    else if (is(name, "addr"))
        set.value = 5, set.offset = 512;
    else if (is(name, "addr_buffer2"))
        set.value = 5, set.buffer = bed.second;
    if (is_2d) {
        if (!is(name, "2d_good") && !is(name, "memset_2d"))
            set.value = is(name, "2d_value") ? 9 : 5;
        set.height = is(name, "2d_h4") ? 4 : 2;
        set.width = is(name, "2d_w32") ? 32 : 64;
        set.pitch = is(name, "2d_p256") ? 256 : 128;
        set.offset = is(name, "2d_addr") ? 512 : 0;
    }
    return give_memset(edit, of, node, &set);
}

static void count_if_any(void *user_data) {
    if (user_data != NULL)
        count_call(user_data);
}

static gc_status host_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    if (is(name, "fn_null"))
        return give_host(edit, of, node, NULL, &bed.calls);
    return give_host(edit, of, node, count_if_any, is(name, "data_null") || is(name, "base") ? NULL : &bed.calls);
}

static gc_status event_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    const int records = strncmp(name, "record", 6) == 0 || is(name, "event_record");
    const char *how = strchr(name, '_') == NULL ? "" : strchr(name, '_') + 1;
    return give_event(edit, of, node, records,
                      is(how, "null")        ? NULL
                      : is(how, "foreign")   ? bed.their_event
                      : is(how, "destroyed") ? bed.gone_event
                                             : bed.event);
}

static gc_status values_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    static gc_mem_op operations[257];
    const gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(bed.values, 0, 1, 0);
    const gc_mem_op wait = GRAPHCAP_MEM_OP_INIT_WAIT32(bed.values, 32, 0, GRAPHCAP_WAIT_VALUE_EQ);
    const gc_mem_op write64 = GRAPHCAP_MEM_OP_INIT_WRITE64(bed.values, 8, 7, 0);
    size_t count = 1, i;
    for (i = 0; i < LENGTH_OF(operations); i++) {
        operations[i] = write;
        operations[i].value = i + 1;
    }
    if (is(name, "base"))
        operations[0].offset = 16;
    else if (is(name, "zero_ops"))
        count = 0;
    else if (is(name, "256_ops") || is(name, "257_ops") || is(name, "255_ops"))
        count = (size_t)atoi(name);
    else if (is(name, "null_array"))
        return give_values(edit, of, node, NULL, 1);
    else if (is(name, "ctx_foreign"))
        operations[0].buffer = bed.theirs;
    else if (is(name, "write_freed"))
        operations[0].buffer = bed.gone;
    else if (is(name, "op_type_99"))
        operations[0].kind = 99;
    else if (is(name, "wait_satisfied") || is(name, "write_to_wait"))
        operations[0] = wait;
    else if (is(name, "unaligned"))
        operations[0].offset = 2;
    else if (is(name, "write64") || is(name, "write32_to_write64"))
        operations[0] = write64;
    else if (is(name, "other_value"))
        operations[0].value = 8;
    else if (is(name, "other_address"))
        operations[0].offset = 8, operations[0].value = 8;
    else if (is(name, "other_count"))
        count = 2;
    return give_values(edit, of, node, operations, count);
}

static gc_status child_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    (void)name;
    switch (edit) {
    case ADD: return gc_graph_add_child_node((const gc_graph *)of, NULL, 0, bed.child, node);
    case NODE: return gc_node_set_child((const gc_graph *)of, *node, bed.child);
    default: return gc_graph_exec_set_child_node((const gc_graph_exec *)of, *node, bed.child);
    }
}

static gc_status empty_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    (void)name;
    (void)edit;
    return gc_graph_add_empty_node((const gc_graph *)of, NULL, 0, node);
}

/* An if whose body stores 7, as each launch has it do. */
static gc_status conditional_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    const gc_graph *graph = (const gc_graph *)of;
    gc_graph *body = NULL;
    gc_condition condition = 0;
    gc_status status = gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition);
    (void)name;
    (void)edit;
    if (status == GRAPHCAP_SUCCESS)
        status = gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, node);
    if (status != GRAPHCAP_SUCCESS)
        return status;
    CHECK_OK(gc_node_get_graph(graph, *node, 0, &body));
    fill_node(&bed.rig, body, NULL, 0, bed.target, 0, 7);
    return gc_graph_destroy(body);
}

typedef gc_status (*work)(const char *name, enum edit edit, const void *of, gc_node *node);

static work work_of(const char *name) {
    return strncmp(name, "add_kernel.", 11) == 0 || is(name, "kernel")             ? kernel_work
           : strncmp(name, "add_memcpy.", 11) == 0 || strncmp(name, "memcpy", 6) == 0 ? memcpy_work
           : strncmp(name, "add_memset.", 11) == 0 || strncmp(name, "memset", 6) == 0 ? memset_work
           : strncmp(name, "add_host.", 9) == 0 || is(name, "host")                ? host_work
           : strncmp(name, "add_event.", 10) == 0 || strncmp(name, "event", 5) == 0 ? event_work
           : is(name, "child")                                                     ? child_work
           : is(name, "conditional_if")                                            ? conditional_work
           : is(name, "empty")                                                     ? empty_work
                                                                                   : values_work;
}

/* ---- What runs leave ---- */

static void bed_clear(void) {
    const struct rig *rig = &bed.rig;
    clear_words(rig, bed.target);
    clear_words(rig, bed.second);
    clear_words(rig, bed.values);
    CHECK_OK(gc_stream_memset(rig->stream, bed.source, 0, 0, 4, 1024));
    CHECK_OK(gc_stream_memset(rig->stream, bed.source, 0, 7, 4, 64));
    CHECK_OK(gc_stream_synchronize(rig->stream));
    memset(bed.pageable, 0, sizeof bed.pageable);
    memset(bed.pinned_words, 0, 4096);
    bed.calls = 0;
}

/* Sources of the host hold 7 where a copy reads them. */
static void prepare(const char *name) {
    size_t i;
    bed_clear();
    for (i = 0; i < 64; i++) {
        if (strstr(name, "h2d_pinned") != NULL)
            bed.pinned_words[i] = 7;
        if (strstr(name, "h2d_pageable") != NULL)
            bed.pageable[i] = 7;
        if (strstr(name, "h2h_pinned") != NULL)
            bed.pinned_words[512 + i] = 7;
        else if (strstr(name, "h2h") != NULL)
            bed.pageable[512 + i] = 7;
    }
}

static uint32_t word_of(const gc_buffer *buffer, unsigned index) {
    return read_u32(bed.rig.stream, buffer, index);
}

static const char *left(work made, char text[64]) {
    text[0] = '\0';
    if (made == kernel_work || made == child_work || made == conditional_work)
        snprintf(text, 64, "%u", word_of(bed.target, 0));
    else if (made == memcpy_work)
        snprintf(text, 64, "%u/h%u/p%u", word_of(bed.target, 0), bed.pinned_words[0], bed.pageable[0]);
    else if (made == memset_work)
        snprintf(text, 64, "%x", word_of(bed.target, 0));
    else if (made == host_work)
        snprintf(text, 64, "%u", bed.calls);
    else if (made == values_work)
        snprintf(text, 64, "%u,%u", word_of(bed.values, 0), word_of(bed.values, 2));
    return text;
}

static void expect(const char *name, const char *what, const char *got, const char *wanted) {
    CHECK(strcmp(got, wanted) == 0);
    if (strcmp(got, wanted) != 0)
        fprintf(stderr, "    %s: %s gave '%s', expected '%s'\n", name, what, got, wanted);
}

static void expect_code(const char *name, const char *what, gc_status got, int wanted) {
    char words[2][16];
    snprintf(words[0], sizeof words[0], "%d", (int)got);
    snprintf(words[1], sizeof words[1], "%d", wanted);
    expect(name, what, words[0], words[1]);
}

/* ---- Works ---- */

static const char *plain(const char *name) {
    return strchr(name, '.') == NULL ? name : strchr(name, '.') + 1;
}

static void try_work(const struct work_row *row) {
    const char *name = plain(row->name);
    const work made = work_of(row->name);
    const int differs = memcmp(&row->driver, &row->graphcap, sizeof row->driver) != 0;
    /* An event node is set to work of its own kind. */
    const char *base = made == event_work ? (strncmp(name, "record", 6) == 0 ? "record" : "wait") : "base";
    gc_graph *graph = open_graph(bed.rig.context), *added = open_graph(bed.rig.context);
    gc_graph_exec *exec;
    gc_node node = 0, new_node = 7;
    char text[64];
    tried++;
    ours += (unsigned)differs;
    CHECK(differs == (row->because != NULL));
    REQUIRE_OK(made(base, ADD, graph, &node));
    exec = open_exec(graph);
    expect_code(row->name, "add", made(name, ADD, added, &new_node), row->graphcap.add);
    CHECK((new_node != 0) == (row->graphcap.add == 0) && nodes_of(added) == (row->graphcap.add == 0 ? 1u : 0u));
    expect_code(row->name, "set", made(name, NODE, graph, &node), row->graphcap.set);
    expect_code(row->name, "exec", made(name, EXEC, exec, &node), row->graphcap.exec);
    prepare(name);
    run_graph(&bed.rig, added);
    if (row->graphcap.add == 0)
        expect(row->name, "val", left(made, text), row->value);
    prepare(name);
    run_graph(&bed.rig, graph);
    if (row->graphcap.set == 0)
        expect(row->name, "val of set", left(made, text), row->value);
    prepare(name);
    replay(&bed.rig, exec);
    if (row->graphcap.exec == 0)
        expect(row->name, "exec_val", left(made, text), row->value);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(added));
    CHECK_OK(gc_graph_destroy(graph));
}

static void works_answer_as_measured(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(work_rows); i++)
        try_work(&work_rows[i]);
}

/* ---- Matrices ---- */

/* What the works of a matrix leave: the first word of each place that one of them writes. */
static void left_anywhere(char text[160]) {
    snprintf(text, 160, "%x %x %x %x %x %u %u", word_of(bed.target, 0), word_of(bed.target, 8), word_of(bed.target, 16),
             word_of(bed.target, 128), word_of(bed.second, 0), bed.pinned_words[0], bed.pageable[0]);
}

static void run_alone(work made, const char *name, char text[160]) {
    gc_graph *graph = open_graph(bed.rig.context);
    gc_node node = 0;
    REQUIRE_OK(made(name, ADD, graph, &node));
    prepare(name);
    run_graph(&bed.rig, graph);
    left_anywhere(text);
    CHECK_OK(gc_graph_destroy(graph));
}

static void try_matrix(work made, const struct matrix_row *row, const char *const *columns, size_t count) {
    size_t i;
    CHECK(strlen(row->answers) == count);
    for (i = 0; i < count; i++) {
        gc_graph *graph = open_graph(bed.rig.context);
        gc_graph_exec *exec;
        gc_node node = 0;
        const int refused = row->answers[i] == 'x';
        char about[96], before[160], after[160], got[160];
        snprintf(about, sizeof about, "%s to %s", row->from, columns[i]);
        tried++;
        REQUIRE_OK(made(row->from, ADD, graph, &node));
        exec = open_exec(graph);
        expect_code(about, "exec", made(columns[i], EXEC, exec, &node), refused ? 1 : 0);
        run_alone(made, row->from, before);
        if (!refused)
            run_alone(made, columns[i], after);
        prepare(refused ? row->from : columns[i]);
        replay(&bed.rig, exec);
        left_anywhere(got);
        expect(about, "val", got, refused ? before : after);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

static void copies_of_execs_change_as_measured(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(copy_rows); i++)
        try_matrix(memcpy_work, &copy_rows[i], copy_columns, LENGTH_OF(copy_columns));
}

static void memsets_of_execs_change_as_measured(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(memset_rows); i++)
        try_matrix(memset_work, &memset_rows[i], memset_columns, LENGTH_OF(memset_columns));
}

/* ---- Kinds ---- */

static void run_and_expect(const char *name, const char *what, const gc_graph *graph, const char *value) {
    char text[64];
    prepare(name);
    run_graph(&bed.rig, graph);
    expect(name, what, left(work_of(name), text), value);
}

static void try_kind(const struct kind_row *row) {
    const work made = work_of(row->name);
    const char *name = is(row->name, "batch") ? "one" : is(row->name, "kernel") ? "good" : row->name;
    gc_graph *graph = open_graph(bed.rig.context), *clone = NULL, *parent = open_graph(bed.rig.context), *within = NULL;
    gc_graph_exec *exec, *second = NULL;
    gc_node node = 0, copied = 0, child = 0;
    int32_t enabled = 9;
    char text[64];
    tried++;
    CHECK_OK(made(name, ADD, graph, &node));
    expect_code(row->name, "clone", gc_graph_clone(graph, &clone), row->clone);
    if (row->clone == 0) {
        expect_code(row->name, "find", gc_node_find_in_clone(graph, node, clone, &copied), row->find);
        run_and_expect(row->name, "clone_val", clone, row->value);
    }
    exec = open_exec(graph);
    expect_code(row->name, "inst2", gc_graph_instantiate(graph, NULL, &second), row->again);
    prepare(row->name);
    replay(&bed.rig, exec);
    expect(row->name, "val", left(made, text), row->value);
    expect_code(row->name, "child", gc_graph_add_child_node(parent, NULL, 0, graph, &child), row->child);
    CHECK(nodes_of(parent) == (row->child == 0 ? 1u : 0u));
    if (row->child == 0) {
        expect_code(row->name, "get", gc_node_get_graph(parent, child, 0, &within), 0);
        CHECK(nodes_of(within) == 1);
        run_and_expect(row->name, "val in a child", parent, row->value);
    }
    expect_code(row->name, "get_enabled", gc_graph_exec_is_node_enabled(exec, node, &enabled), row->enable);
    CHECK(enabled == (row->enable == 0));
    expect_code(row->name, "off", gc_graph_exec_set_node_enabled(exec, node, 0), row->enable);
    expect_code(row->name, "get_off", gc_graph_exec_is_node_enabled(exec, node, &enabled), row->enable);
    CHECK(enabled == 0);
    prepare(row->name);
    replay(&bed.rig, exec);
    expect(row->name, "val_off", left(made, text), row->off == NULL ? row->value : row->off);
    expect_code(row->name, "on", gc_graph_exec_set_node_enabled(exec, node, 1), row->enable);
    prepare(row->name);
    replay(&bed.rig, exec);
    expect(row->name, "val_on", left(made, text), row->value);
    expect_code(row->name, "destroy_node", gc_graph_remove_node(graph, node), row->removed);
    CHECK(nodes_of(graph) == 0);
    CHECK_OK(gc_graph_exec_destroy(second));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
}

static void every_kind_answers_as_measured(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(kind_rows); i++)
        try_kind(&kind_rows[i]);
}

/* ---- Single cases ---- */

static char answers[512];

/* "key=number ", with what an earlier step answered. */
static void answer(const char *format, ...) {
    size_t length = strlen(answers);
    va_list arguments;
    if (length > 0)
        length += (size_t)snprintf(answers + length, sizeof answers - length, " ");
    va_start(arguments, format);
    vsnprintf(answers + length, sizeof answers - length, format, arguments);
    va_end(arguments);
}

static gc_node stores(const gc_graph *graph, const gc_node *dependencies, size_t count, unsigned index, uint32_t number) {
    return fill_node(&bed.rig, graph, dependencies, count, bed.target, index, number);
}

static gc_node adds(const gc_graph *graph, const gc_node *dependencies, size_t count, unsigned index, uint32_t number) {
    return add_node(&bed.rig, graph, dependencies, count, bed.target, index, number);
}

static void answer_words(unsigned count) {
    uint32_t a = word_of(bed.target, 0), b = word_of(bed.target, 1);
    if (count == 1)
        answer("val=%u", a);
    else
        answer("val=%u,%u", a, b);
}

static void run_and_answer(const gc_graph *graph, unsigned count) {
    gc_graph_exec *exec = NULL;
    answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
    if (exec == NULL)
        return;
    clear_words(&bed.rig, bed.target);
    replay(&bed.rig, exec);
    answer_words(count);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void exec_kernel_case(const char *name, gc_graph *graph) {
    gc_graph *other = open_graph(bed.rig.context), *clone = NULL;
    gc_node node = stores(graph, NULL, 0, 0, 1), second = stores(graph, &node, 1, 1, 1), used = node, foreign;
    gc_graph_exec *exec = open_exec(graph);
    gc_kernel *nothing = get_kernel(bed.rig.module, "nothing");
    struct kernel_call call;
    gc_status status;
    (void)second;
    foreign = stores(other, NULL, 0, 0, 1);
    call_fill(&call, &bed.rig, bed.target, 0, 5);
    if (is(name, "other_grid") || is(name, "other_block")) {
        /* So many blocks or threads store the sum of what one each would add. */
        call.number = is(name, "other_grid") ? 15 : 20;
        call.config.grid_dim[0] = is(name, "other_grid") ? 3 : 1;
        call.config.block_dim[0] = is(name, "other_grid") ? 1 : 4;
    }
    if (is(name, "other_function"))
        call_add(&call, &bed.rig, bed.target, 0, 5);
    if (is(name, "to_noparam_function"))
        call.kernel = nothing, call.count = 0;
    if (is(name, "foreign_function"))
        call.kernel = bed.other.fill;
    if (is(name, "grid_x_0"))
        call.config.grid_dim[0] = 0;
    if (is(name, "node_of_other_graph"))
        used = foreign;
    if (is(name, "node_of_clone")) {
        CHECK_OK(gc_graph_clone(graph, &clone));
        CHECK_OK(gc_node_find_in_clone(graph, node, clone, &used));
    }
    status = is(name, "memset_params_generic") ? memset_work("good", EXEC, exec, &used) : exec_set_kernel(exec, used, &call);
    answer("set=%d", (int)status);
    clear_words(&bed.rig, bed.target);
    replay(&bed.rig, exec);
    answer_words(2);
    CHECK_OK(gc_kernel_destroy(nothing));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(other));
}

static void exec_batch_case(const char *name, gc_graph *graph) {
    gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(bed.values, 0, 7, 0);
    gc_graph_exec *exec;
    gc_node node = 0;
    CHECK_OK(gc_graph_add_batch_mem_op_node(graph, NULL, 0, &write, 1, &node));
    exec = open_exec(graph);
    answer("set=%d", (int)values_work(name, EXEC, exec, &node));
    clear_words(&bed.rig, bed.values);
    replay(&bed.rig, exec);
    answer("val=%u,%u", word_of(bed.values, 0), word_of(bed.values, 2));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void exec_child_case(const char *name, gc_graph *graph) {
    const uint32_t number = is(name, "is_the_exec_s_own_child_handle") ? 1 : 2;
    gc_graph *child = open_graph(bed.rig.context), *other = open_graph(bed.rig.context), *within = NULL;
    gc_graph_exec *exec;
    gc_node first = stores(child, NULL, 0, 0, 1), node = 0, empty = 0;
    stores(child, &first, 1, 1, 1);
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    exec = open_exec(graph);
    if (is(name, "same_nodes_other_order")) {
        /* The second one is made first. */
        gc_node last = stores(other, NULL, 0, 1, number);
        first = stores(other, NULL, 0, 0, number);
        CHECK_OK(gc_graph_add_dependencies(other, &first, &last, 1));
    } else if (is(name, "other_kind")) {
        gc_memset_params set = GRAPHCAP_MEMSET_INIT(bed.target, 4, number, 4, 1, 1, 0);
        first = stores(other, NULL, 0, 0, number);
        CHECK_OK(gc_graph_add_memset_node(other, &first, 1, &set, &empty));
    } else {
        first = stores(other, NULL, 0, 0, number);
        if (!is(name, "one_less_node"))
            stores(other, is(name, "other_edges") ? NULL : &first, is(name, "other_edges") ? 0 : 1, 1, number);
        if (is(name, "one_more_node"))
            stores(other, NULL, 0, 2, number);
    }
    CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
    answer("set=%d", (int)gc_graph_exec_set_child_node(exec, node, number == 1 ? within : other));
    answer("node_set=%d", (int)gc_node_set_child(graph, node, number == 1 ? within : other));
    clear_words(&bed.rig, bed.target);
    replay(&bed.rig, exec);
    answer_words(2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(child));
}

static void enable_case(const char *name, gc_graph *graph) {
    gc_graph *clone = NULL, *child = open_graph(bed.rig.context);
    gc_graph_exec *exec;
    gc_node node = 0, inner[1], copied = 0;
    int32_t enabled = 9;
    if (is(name, "inner_node_of_child")) {
        gc_graph *within = NULL;
        gc_node original = stores(child, NULL, 0, 0, 7);
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
        CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
        CHECK_OK(gc_graph_get_nodes(within, inner, 1, NULL));
        exec = open_exec(graph);
        answer("inner=%d", (int)gc_graph_exec_set_node_enabled(exec, inner[0], 0));
        answer("original=%d", (int)gc_graph_exec_set_node_enabled(exec, original, 0));
        CHECK_OK(gc_graph_destroy(within));
    } else if (is(name, "middle_of_chain_keeps_order")) {
        /* Stores 1, adds 2, adds 3. */
        gc_node middle;
        node = stores(graph, NULL, 0, 0, 1);
        middle = adds(graph, &node, 1, 0, 2);
        adds(graph, &middle, 1, 0, 3);
        exec = open_exec(graph);
        CHECK_OK(gc_graph_exec_set_node_enabled(exec, middle, 0));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(1);
    } else {
        node = stores(graph, NULL, 0, 0, 7);
        CHECK_OK(gc_graph_clone(graph, &clone));
        CHECK_OK(gc_node_find_in_clone(graph, node, clone, &copied));
        exec = open_exec(is(name, "original_node_on_exec_of_clone") ? clone : graph);
        if (is(name, "is_2")) {
            CHECK_OK(gc_graph_exec_set_node_enabled(exec, node, 0));
            answer("on=%d", (int)gc_graph_exec_set_node_enabled(exec, node, 2));
            CHECK_OK(gc_graph_exec_is_node_enabled(exec, node, &enabled));
            answer("get=%d", (int)enabled);
        } else {
            answer("set=%d", (int)gc_graph_exec_set_node_enabled(exec, is(name, "node_of_clone") ? copied : node, 0));
        }
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(child));
}

static void add_dep_case(const char *name, gc_graph *graph) {
    gc_graph *other = open_graph(bed.rig.context), *child = open_graph(bed.rig.context), *within = NULL;
    gc_node node = stores(graph, NULL, 0, 0, 1), dependencies[2], added = 0, child_node = 0;
    size_t count = 1;
    gc_status status;
    dependencies[0] = dependencies[1] = node;
    if (is(name, "foreign_graph_node"))
        dependencies[0] = stores(other, NULL, 0, 0, 1);
    else if (is(name, "null_node"))
        dependencies[0] = 0;
    else if (is(name, "duplicate"))
        count = 2;
    else if (is(name, "garbage_node"))
        dependencies[0] = UINT64_C(0x123456789abc);
    else if (is(name, "inner_node_of_child")) {
        stores(child, NULL, 0, 0, 1);
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &child_node));
        CHECK_OK(gc_node_get_graph(graph, child_node, 0, &within));
        CHECK_OK(gc_graph_get_nodes(within, dependencies, 1, NULL));
    }
    if (is(name, "destroyed_graph")) {
        CHECK_OK(gc_graph_destroy(other));
        answer("add=%d", (int)gc_graph_add_empty_node(other, NULL, 0, &added));
        other = NULL;
    } else {
        status = gc_graph_add_empty_node(graph, dependencies, count, &added);
        answer("add=%d nodes=%u edges=%u", (int)status, (unsigned)nodes_of(graph), (unsigned)edges_of(graph));
    }
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(other));
}

static void edge_case(const char *name, gc_graph *graph) {
    gc_node a = stores(graph, NULL, 0, 0, 1), b = stores(graph, NULL, 0, 1, 2), c = stores(graph, NULL, 0, 2, 3);
    const gc_node twice_from[] = {a, a}, twice_to[] = {b, b}, two_to[] = {b, c};
    char text[4096];
    if (is(name, "add_duplicate")) {
        answer("1=%d", (int)gc_graph_add_dependencies(graph, &a, &b, 1));
        answer("2=%d", (int)gc_graph_add_dependencies(graph, &a, &b, 1));
    } else if (is(name, "add_duplicate_in_one_call")) {
        answer("add=%d", (int)gc_graph_add_dependencies(graph, twice_from, twice_to, 2));
    } else if (is(name, "add_self")) {
        answer("add=%d", (int)gc_graph_add_dependencies(graph, &a, &a, 1));
    } else if (is(name, "cycle_broken_again") || is(name, "cycle_clone_dot_update")) {
        gc_graph_exec *exec = NULL;
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, 1));
        CHECK_OK(gc_graph_add_dependencies(graph, &b, &a, 1));
        if (is(name, "cycle_clone_dot_update")) {
            gc_graph *clone = NULL, *parent = open_graph(bed.rig.context);
            gc_node child = 0;
            answer("clone=%d", (int)gc_graph_clone(graph, &clone));
            answer("dot=%d", (int)gc_graph_export_dot(graph, 0, text, sizeof text, NULL));
            answer("child=%d", (int)gc_graph_add_child_node(parent, NULL, 0, graph, &child));
            answer("inst=%d", (int)gc_graph_instantiate(parent, NULL, &exec));
            CHECK_OK(gc_graph_destroy(parent));
            CHECK_OK(gc_graph_destroy(clone));
            return;
        }
        answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, &b, &a, 1));
        answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        CHECK_OK(gc_graph_exec_destroy(exec));
    } else if (is(name, "remove_absent")) {
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, &a, &b, 1));
    } else if (is(name, "remove_reversed")) {
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, 1));
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, &b, &a, 1));
    } else if (is(name, "remove_twice")) {
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, 1));
        answer("1=%d", (int)gc_graph_remove_dependencies(graph, &a, &b, 1));
        answer("2=%d", (int)gc_graph_remove_dependencies(graph, &a, &b, 1));
    } else if (is(name, "remove_two_second_absent")) {
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, 1));
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, twice_from, two_to, 2));
    } else if (is(name, "remove_same_twice_in_one_call")) {
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, 1));
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, twice_from, twice_to, 2));
    } else if (is(name, "null_arrays")) {
        const gc_node none = 0;
        answer("add1=%d", (int)gc_graph_add_dependencies(graph, NULL, NULL, 1));
        answer("add0=%d", (int)gc_graph_add_dependencies(graph, NULL, NULL, 0));
        answer("to=%d", (int)gc_graph_add_dependencies(graph, &a, NULL, 1));
        answer("rm1=%d", (int)gc_graph_remove_dependencies(graph, NULL, NULL, 1));
        answer("rm0=%d", (int)gc_graph_remove_dependencies(graph, NULL, NULL, 0));
        answer("graph=%d", (int)gc_graph_add_dependencies(NULL, &a, &b, 1));
        answer("node=%d", (int)gc_graph_add_dependencies(graph, &a, &none, 1));
        return;
    } else {
        gc_graph_exec *exec = open_exec(graph);
        answer("add=%d", (int)gc_graph_add_dependencies(graph, &a, &b, 1));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(2);
        CHECK_OK(gc_graph_exec_destroy(exec));
        return;
    }
    answer("edges=%u", (unsigned)edges_of(graph));
}

static void find_case(const char *name, gc_graph *graph) {
    gc_graph *clone = NULL, *second = NULL;
    gc_node a = stores(graph, NULL, 0, 0, 1), b = stores(graph, NULL, 0, 1, 2), copied = 0, found = 7, again = 0;
    int status;
    stores(graph, &a, 1, 2, 3);
    stores(graph, &a, 1, 3, 4);
    status = (int)gc_graph_clone(graph, &clone);
    if (is(name, "plain")) {
        answer("clone=%d", status);
        answer("find=%d", (int)gc_node_find_in_clone(graph, a, clone, &copied));
        CHECK_OK(gc_node_find_in_clone(graph, b, clone, &again));
        answer("distinct=%d nodes=%u", copied != again && copied != 0, (unsigned)nodes_of(clone));
    } else if (is(name, "reverse")) {
        CHECK_OK(gc_node_find_in_clone(graph, a, clone, &copied));
        answer("rc=%d", (int)gc_node_find_in_clone(clone, copied, graph, &found));
    } else if (is(name, "original_node_destroyed")) {
        CHECK_OK(gc_graph_remove_node(graph, b));
        answer("rc=%d", (int)gc_node_find_in_clone(graph, b, clone, &found));
    } else if (is(name, "original_graph_destroyed")) {
        CHECK_OK(gc_graph_clone(graph, &second));
        CHECK_OK(gc_node_find_in_clone(graph, a, second, &copied));
        CHECK_OK(gc_graph_destroy(second));
        answer("rc=%d", (int)gc_node_find_in_clone(second, copied, clone, &found));
        second = NULL;
    } else if (is(name, "clone_node_destroyed")) {
        CHECK_OK(gc_node_find_in_clone(graph, a, clone, &copied));
        CHECK_OK(gc_graph_remove_node(clone, copied));
        answer("rc=%d", (int)gc_node_find_in_clone(graph, a, clone, &found));
        answer("out=%u", (unsigned)found);
    } else if (is(name, "node_added_after_clone")) {
        answer("rc=%d", (int)gc_node_find_in_clone(graph, stores(graph, NULL, 0, 4, 5), clone, &found));
    } else {
        status = (int)gc_graph_clone(clone, &second);
        CHECK_OK(gc_node_find_in_clone(graph, a, clone, &copied));
        if (is(name, "first_clone_destroyed")) {
            CHECK_OK(gc_graph_destroy(clone));
            clone = NULL;
            answer("original_in_second=%d", (int)gc_node_find_in_clone(graph, a, second, &found));
        } else {
            answer("clone2=%d original_in_second=%d", status, (int)gc_node_find_in_clone(graph, a, second, &found));
            answer("first_in_second=%d", (int)gc_node_find_in_clone(clone, copied, second, &found));
            answer("same=%d", found == copied);
        }
    }
    CHECK_OK(gc_graph_destroy(second));
    CHECK_OK(gc_graph_destroy(clone));
}

static void clone_case(const char *name, gc_graph *graph) {
    gc_graph *clone = NULL, *ended = NULL;
    struct kernel_call call;
    gc_node node, copied = 0;
    if (is(name, "of_capturing_graph")) {
        CHECK_OK(gc_stream_begin_capture_to_graph(bed.rig.stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(launch_add(&bed.rig, bed.rig.stream, bed.target, 0, 1, 1));
        answer("clone=%d", (int)gc_graph_clone(graph, &clone));
        answer("nodes=%u", (unsigned)nodes_of(clone));
        answer("end=%d", (int)gc_stream_end_capture(bed.rig.stream, &ended));
        CHECK_OK(gc_graph_destroy(ended));
        CHECK_OK(gc_graph_destroy(clone));
        return;
    }
    node = stores(graph, NULL, 0, 0, 1);
    CHECK_OK(gc_graph_clone(graph, &clone));
    if (is(name, "is_independent")) {
        gc_graph_exec *exec;
        answer("set=%d", (int)set_kernel(graph, node, call_fill(&call, &bed.rig, bed.target, 0, 2)));
        exec = open_exec(clone);
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(1);
        CHECK_OK(gc_graph_exec_destroy(exec));
        {
            gc_graph *second = NULL;
            CHECK_OK(gc_graph_clone(graph, &second));
            CHECK_OK(gc_graph_destroy(second));
        }
        run_and_answer(clone, 1);
    } else {
        gc_graph_exec *exec = open_exec(graph);
        CHECK_OK(gc_node_find_in_clone(graph, node, clone, &copied));
        answer("exec_set_by_clone_node=%d",
               (int)exec_set_kernel(exec, copied, call_fill(&call, &bed.rig, bed.target, 0, 2)));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_graph_destroy(clone));
}

static void node_case(const char *name, gc_graph *graph) {
    gc_graph *child = open_graph(bed.rig.context), *within = NULL;
    gc_graph_exec *exec, *second;
    struct kernel_call call;
    gc_node node = 0, nodes[2], first;
    if (is(name, "exec_made_before_still_runs_it")) {
        /* Adds 6, then adds 4. */
        first = adds(graph, NULL, 0, 0, 6);
        adds(graph, &first, 1, 0, 4);
        exec = open_exec(graph);
        answer("destroy=%d", (int)gc_graph_remove_node(graph, first));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(1);
        answer("inst2=%d", (int)gc_graph_instantiate(graph, NULL, &second));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, second);
        answer("val2=%u", word_of(bed.target, 0));
        CHECK_OK(gc_graph_exec_destroy(second));
        CHECK_OK(gc_graph_exec_destroy(exec));
    } else if (is(name, "exec_set_params_after_graph_destroy")) {
        gc_graph *gone = open_graph(bed.rig.context);
        node = stores(gone, NULL, 0, 0, 1);
        exec = open_exec(gone);
        CHECK_OK(gc_graph_destroy(gone));
        answer("exec_set=%d", (int)exec_set_kernel(exec, node, call_fill(&call, &bed.rig, bed.target, 0, 2)));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(1);
        CHECK_OK(gc_graph_exec_destroy(exec));
    } else {
        first = stores(child, NULL, 0, 0, 5);
        if (is(name, "destroy_inner_of_child"))
            stores(child, NULL, 0, 1, 5);
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
        if (is(name, "destroy_child_node")) {
            answer("destroy=%d", (int)gc_graph_remove_node(graph, node));
            answer("nodes=%u original_nodes=%u", (unsigned)nodes_of(graph), (unsigned)nodes_of(child));
        } else if (is(name, "destroy_inner_of_child")) {
            CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
            CHECK_OK(gc_graph_get_nodes(within, nodes, 2, NULL));
            answer("destroy=%d", (int)gc_graph_remove_node(within, nodes[0]));
            answer("inner_nodes=%u", (unsigned)nodes_of(within));
            run_and_answer(graph, 2);
        } else {
            CHECK_OK(gc_graph_remove_node(child, first));
            exec = open_exec(graph);
            clear_words(&bed.rig, bed.target);
            replay(&bed.rig, exec);
            answer_words(1);
            CHECK_OK(gc_graph_exec_destroy(exec));
        }
    }
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(child));
}

/* The value that a run leaves, where making the exec is nothing to tell. */
static void run_and_answer_words(const gc_graph *graph, unsigned count) {
    clear_words(&bed.rig, bed.target);
    run_graph(&bed.rig, graph);
    answer_words(count);
}

static void levels(gc_graph *graph, unsigned count) {
    gc_graph *inner = open_graph(bed.rig.context);
    gc_node node = 0;
    unsigned level;
    stores(inner, NULL, 0, 0, 1);
    for (level = 1; level < count; level++) {
        gc_graph *outer = open_graph(bed.rig.context);
        CHECK_OK(gc_graph_add_child_node(outer, NULL, 0, inner, &node));
        CHECK_OK(gc_graph_destroy(inner));
        inner = outer;
    }
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, inner, &node));
    CHECK_OK(gc_graph_destroy(inner));
}

static void nest_case(const char *name, gc_graph *graph) {
    gc_graph *child = open_graph(bed.rig.context), *within = NULL, *other = open_graph(bed.rig.context), *clone = NULL;
    gc_graph_exec *exec = NULL;
    struct kernel_call call;
    gc_node node = 0, second = 0, inner = adds(child, NULL, 0, 0, 1), nodes[2];
    if (is(name, "levels_3")) {
        /* 1 on the innermost level, 10 around it, 100 outside. */
        gc_graph *middle = open_graph(bed.rig.context);
        CHECK_OK(gc_graph_add_child_node(middle, NULL, 0, child, &node));
        adds(middle, &node, 1, 0, 10);
        CHECK_OK(gc_graph_add_child_node(other, NULL, 0, middle, &node));
        adds(other, &node, 1, 0, 100);
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, other, &node));
        answer("nodes=%u", (unsigned)nodes_of(graph));
        run_and_answer(graph, 1);
        answer("clone=%d", (int)gc_graph_clone(graph, &clone));
        answer("clone_inst=%d", (int)gc_graph_instantiate(clone, NULL, &exec));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer("clone_val=%u", word_of(bed.target, 0));
        CHECK_OK(gc_graph_destroy(middle));
    } else if (is(name, "levels_40")) {
        levels(graph, 40);
        run_and_answer(graph, 1);
    } else if (is(name, "empty_child")) {
        answer("add=%d", (int)gc_graph_add_child_node(graph, NULL, 0, other, &node));
        stores(graph, &node, 1, 0, 7);
        run_and_answer(graph, 1);
    } else if (is(name, "null_child")) {
        answer("add=%d", (int)gc_graph_add_child_node(graph, NULL, 0, NULL, &node));
    } else if (is(name, "order_through_child")) {
        /* Stores 50 before the child, which adds 1. */
        gc_node before = stores(graph, NULL, 0, 0, 50);
        CHECK_OK(gc_graph_add_child_node(graph, &before, 1, child, &node));
        run_and_answer_words(graph, 1);
    } else {
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
        CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
        CHECK_OK(gc_graph_get_nodes(within, nodes, 1, NULL));
        if (is(name, "same_twice")) {
            answer("add2=%d", (int)gc_graph_add_child_node(graph, &node, 1, child, &second));
            run_and_answer_words(graph, 1);
        } else if (is(name, "original_changed_after")) {
            CHECK_OK(set_kernel(child, inner, call_add(&call, &bed.rig, bed.target, 0, 9)));
            adds(child, NULL, 0, 1, 9);
            run_and_answer_words(graph, 2);
        } else if (is(name, "original_destroyed_after")) {
            answer("destroy=%d", (int)gc_graph_destroy(child));
            child = NULL;
            run_and_answer(graph, 1);
        } else if (is(name, "handle_add_node")) {
            answer("add=%d", (int)add_kernel(within, NULL, 0, call_add(&call, &bed.rig, bed.target, 1, 2), &second));
            answer("inner=%u original=%u", (unsigned)nodes_of(within), (unsigned)nodes_of(child));
            run_and_answer(graph, 2);
        } else if (is(name, "handle_set_inner_params")) {
            answer("set_inner=%d", (int)set_kernel(within, nodes[0], call_add(&call, &bed.rig, bed.target, 0, 3)));
            run_and_answer(graph, 1);
            exec = open_exec(graph);
            answer("exec_set_inner=%d", (int)exec_set_kernel(exec, nodes[0], call_add(&call, &bed.rig, bed.target, 0, 9)));
            clear_words(&bed.rig, bed.target);
            replay(&bed.rig, exec);
            answer("val0=%u", word_of(bed.target, 0));
        } else if (is(name, "handle_destroy")) {
            answer("destroy=%d", (int)gc_graph_destroy(within));
            within = NULL;
            answer("parent_nodes=%u", (unsigned)nodes_of(graph));
            run_and_answer(graph, 1);
        } else if (is(name, "handle_instantiate")) {
            answer("inst=%d", (int)gc_graph_instantiate(within, NULL, &exec));
        } else if (is(name, "handle_as_child_elsewhere")) {
            answer("clone_owner=%d", (int)gc_graph_add_child_node(other, NULL, 0, within, &second));
        } else if (is(name, "handle_as_child_same_parent")) {
            answer("add=%d", (int)gc_graph_add_child_node(graph, NULL, 0, within, &second));
        } else if (is(name, "parent_into_own_handle")) {
            answer("add=%d", (int)gc_graph_add_child_node(within, NULL, 0, graph, &second));
        } else if (is(name, "parent_clone_into_own_handle")) {
            /* Both add 1 to words of their own, so that the first word tells of the node that was there. */
            CHECK_OK(set_kernel(within, nodes[0], call_fill(&call, &bed.rig, bed.target, 0, 1)));
            CHECK_OK(gc_graph_clone(graph, &clone));
            answer("add=%d", (int)gc_graph_add_child_node(within, NULL, 0, clone, &second));
            run_and_answer(graph, 1);
        } else if (is(name, "handle_capture_into")) {
            gc_graph *ended = NULL;
            gc_node first[2] = {0, 0}, same[2] = {0, 1};
            CHECK_OK(gc_graph_get_nodes(within, first, 2, NULL));
            answer("begin=%d",
                   (int)gc_stream_begin_capture_to_graph(bed.rig.stream, within, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(launch_add(&bed.rig, bed.rig.stream, bed.target, 4, 8, 1));
            answer("end=%d", (int)gc_stream_end_capture(bed.rig.stream, &ended));
            CHECK_OK(gc_graph_get_nodes(ended, same, 2, NULL));
            answer("same=%d", first[0] == same[0]);
            run_and_answer(graph, 2);
            CHECK_OK(gc_graph_destroy(ended));
        } else {
            gc_node outer = adds(graph, NULL, 0, 1, 1), more = adds(within, NULL, 0, 1, 1);
            answer("inner_to_outer=%d", (int)gc_graph_add_dependencies(graph, nodes, &outer, 1));
            answer("inner_to_inner_via_parent=%d", (int)gc_graph_add_dependencies(graph, nodes, &more, 1));
        }
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(child));
}

static void params_case(const char *name, gc_graph *graph) {
    gc_node node = stores(graph, NULL, 0, 0, 1);
    gc_graph_exec *exec = open_exec(graph);
    struct kernel_call call;
    uint32_t number = 0;
    clear_words(&bed.rig, bed.target);
    if (is(name, "graph_set_does_not_touch_exec")) {
        CHECK_OK(set_kernel(graph, node, call_fill(&call, &bed.rig, bed.target, 0, 2)));
    } else {
        CHECK_OK(exec_set_kernel(exec, node, call_fill(&call, &bed.rig, bed.target, 0, 2)));
        CHECK_OK(gc_node_get_argument(graph, node, 1, &number, sizeof number, NULL));
        answer("graph_value=%u", number);
    }
    replay(&bed.rig, exec);
    answer_words(1);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void capture_case(const char *name, gc_graph *graph) {
    gc_graph *ended = NULL;
    struct kernel_call call;
    gc_node a = adds(graph, NULL, 0, 0, 1), b = adds(graph, &a, 1, 0, 1), c = 0;
    (void)name;
    CHECK_OK(gc_stream_begin_capture_to_graph(bed.rig.stream, graph, &b, 1, GRAPHCAP_CAPTURE_MODE_RELAXED));
    answer("remove_edge=%d", (int)gc_graph_remove_dependencies(graph, &a, &b, 1));
    answer("destroy_node=%d", (int)gc_graph_remove_node(graph, a));
    answer("add_node=%d", (int)gc_graph_add_empty_node(graph, NULL, 0, &c));
    answer("add_edge=%d", (int)gc_graph_add_dependencies(graph, &a, &c, 1));
    answer("set_params=%d", (int)set_kernel(graph, a, call_add(&call, &bed.rig, bed.target, 0, 2)));
    answer("status=%d", (int)capture_state(bed.rig.stream));
    answer("end=%d", (int)gc_stream_end_capture(bed.rig.stream, &ended));
    CHECK_OK(gc_graph_destroy(ended));
}

static const struct {
    const char *group;
    void (*run)(const char *name, gc_graph *graph);
} groups[] = {{"exec_kernel.", exec_kernel_case}, {"exec_batch.", exec_batch_case}, {"exec_child.", exec_child_case},
              {"enable.", enable_case},           {"add_dep.", add_dep_case},       {"edge.", edge_case},
              {"find.", find_case},               {"clone.", clone_case},           {"node.", node_case},
              {"nest.", nest_case},               {"params.", params_case},         {"capture.", capture_case}};

static void cases_answer_as_measured(void) {
    size_t i, k;
    for (i = 0; i < LENGTH_OF(case_rows); i++) {
        const struct case_row *row = &case_rows[i];
        gc_graph *graph = open_graph(bed.rig.context);
        unsigned found = 0;
        bed_clear();
        answers[0] = '\0';
        tried++;
        ours += row->graphcap != NULL;
        CHECK((row->graphcap != NULL) == (row->because != NULL));
        for (k = 0; k < LENGTH_OF(groups); k++)
            if (strncmp(row->name, groups[k].group, strlen(groups[k].group)) == 0) {
                groups[k].run(plain(row->name), graph);
                found++;
            }
        CHECK(found == 1);
        expect(row->name, "it", answers, row->graphcap != NULL ? row->graphcap : row->driver);
        CHECK_OK(gc_graph_destroy(graph));
    }
}

static void no_row_is_passed_over_in_silence(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(out_of_reach); i++, unreachable++)
        fprintf(stderr, "    out of reach: %s: %s\n", out_of_reach[i].name, out_of_reach[i].because);
    fprintf(stderr, "%u rows tried on %s, %u of them with an answer of graphcap's own, %u out of reach\n", tried,
            on_cuda() ? "cuda" : "host", ours, unreachable);
    CHECK(tried > 300);
}

static void bed_open(void) {
    gc_module *module;
    void *pointer = NULL;
    rig_open(&bed.rig);
    rig_open(&bed.other);
    bed.source = open_buffer(bed.rig.context, 4096);
    bed.target = open_buffer(bed.rig.context, 4096);
    bed.second = open_buffer(bed.rig.context, 4096);
    bed.values = open_waitable(bed.rig.context, 64);
    bed.theirs = open_waitable(bed.other.context, 4096);
    bed.event = open_event(bed.rig.context);
    bed.their_event = open_event(bed.other.context);
    REQUIRE_OK(gc_host_buffer_allocate(bed.rig.context, 4096, 0, &bed.pinned));
    REQUIRE_OK(gc_host_buffer_pointer(bed.pinned, &pointer));
    bed.pinned_words = (uint32_t *)pointer;
    bed.child = open_graph(bed.rig.context);
    fill_node(&bed.rig, bed.child, NULL, 0, bed.target, 0, 7);
    /* Handles that are none any more. */
    bed.gone = open_buffer(bed.rig.context, 4096);
    bed.gone_event = open_event(bed.rig.context);
    module = load_kernels(bed.rig.context);
    bed.gone_kernel = get_kernel(module, "fill");
    REQUIRE_OK(gc_buffer_destroy(bed.gone));
    REQUIRE_OK(gc_event_destroy(bed.gone_event));
    REQUIRE_OK(gc_kernel_destroy(bed.gone_kernel));
    REQUIRE_OK(gc_module_destroy(module));
}

static void bed_close(void) {
    CHECK_OK(gc_graph_destroy(bed.child));
    CHECK_OK(gc_host_buffer_destroy(bed.pinned));
    CHECK_OK(gc_event_destroy(bed.their_event));
    CHECK_OK(gc_event_destroy(bed.event));
    CHECK_OK(gc_buffer_destroy(bed.theirs));
    CHECK_OK(gc_buffer_destroy(bed.values));
    CHECK_OK(gc_buffer_destroy(bed.second));
    CHECK_OK(gc_buffer_destroy(bed.target));
    CHECK_OK(gc_buffer_destroy(bed.source));
    rig_close(&bed.other);
    rig_close(&bed.rig);
}

int main(void) {
    bed_open();
    RUN(works_answer_as_measured);
    RUN(copies_of_execs_change_as_measured);
    RUN(memsets_of_execs_change_as_measured);
    RUN(every_kind_answers_as_measured);
    RUN(cases_answer_as_measured);
    RUN(no_row_is_passed_over_in_silence);
    bed_close();
    return check_finish();
}
