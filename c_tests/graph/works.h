/* Works of nodes by the names that the rows have: as that of a new node, of a node that is set, and of a node of an exec. */
#ifndef GRAPHCAP_TESTS_WORKS_H
#define GRAPHCAP_TESTS_WORKS_H

#include "neighbours.h"
#include "nodes.h"
#include "rows.h"

enum edit { ADD, NODE, EXEC };

/* What the works are done on. */
static struct {
    struct rig rig, other;
    gc_buffer *source, *target, *second, *values, *gone, *theirs;
    gc_host_buffer *pinned;
    uint32_t *pinned_words, pageable[1024];
    gc_event *event, *gone_event, *their_event, *shared_event;
    gc_kernel *gone_kernel;
    gc_graph *child;
    unsigned calls;
    int reads_theirs; /* the work that is tried writes the buffer of the other context */
} bed;

/* ---- One work, as a new node, of a node that is set, and of a node of an exec ---- */

static inline gc_status give_kernel(enum edit edit, const void *of, gc_node *node, const struct kernel_call *call) {
    switch (edit) {
    case ADD: return add_kernel((const gc_graph *)of, NULL, 0, call, node);
    case NODE: return set_kernel((const gc_graph *)of, *node, call);
    default: return exec_set_kernel((const gc_graph_exec *)of, *node, call);
    }
}

static inline gc_status give_memcpy(enum edit edit, const void *of, gc_node *node, const gc_memcpy_params *params) {
    switch (edit) {
    case ADD: return gc_graph_add_memcpy_node((const gc_graph *)of, NULL, 0, params, node);
    case NODE: return gc_node_set_memcpy((const gc_graph *)of, *node, params);
    default: return gc_graph_exec_set_memcpy_node((const gc_graph_exec *)of, *node, params);
    }
}

static inline gc_status give_memset(enum edit edit, const void *of, gc_node *node, const gc_memset_params *params) {
    switch (edit) {
    case ADD: return gc_graph_add_memset_node((const gc_graph *)of, NULL, 0, params, node);
    case NODE: return gc_node_set_memset((const gc_graph *)of, *node, params);
    default: return gc_graph_exec_set_memset_node((const gc_graph_exec *)of, *node, params);
    }
}

static inline gc_status give_host(enum edit edit, const void *of, gc_node *node, gc_host_fn function, void *user_data) {
    switch (edit) {
    case ADD: return gc_graph_add_host_node((const gc_graph *)of, NULL, 0, function, user_data, NULL, node);
    case NODE: return gc_node_set_host((const gc_graph *)of, *node, function, user_data, NULL);
    default: return gc_graph_exec_set_host_node((const gc_graph_exec *)of, *node, function, user_data, NULL);
    }
}

static inline gc_status give_values(enum edit edit, const void *of, gc_node *node, const gc_mem_op *operations, size_t count) {
    switch (edit) {
    case ADD: return gc_graph_add_batch_mem_op_node((const gc_graph *)of, NULL, 0, operations, count, node);
    case NODE: return gc_node_set_batch_mem_op((const gc_graph *)of, *node, operations, count);
    default: return gc_graph_exec_set_batch_mem_op_node((const gc_graph_exec *)of, *node, operations, count);
    }
}

static inline gc_status give_event(enum edit edit, const void *of, gc_node *node, int records, const gc_event *event) {
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

static inline gc_status kernel_work(const char *name, enum edit edit, const void *of, gc_node *node) {
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

static inline gc_status memcpy_work(const char *name, enum edit edit, const void *of, gc_node *node) {
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
    else if (is(name, "depth_2_height_0"))
        copy.depth = 2, copy.height = 0;
    else if (is(name, "pitch_2pow31"))
        copy.source_pitch = copy.destination_pitch = (size_t)1 << 31;
    else if (is(name, "type_9"))
        copy.direction = 9;
    else if (is(name, "dst_overrun"))
        copy.destination_offset = 4096 - 32;
    else if (is(name, "src_null"))
        copy.source = NULL;
    else if (is(name, "dst_garbage"))
        copy.destination = (const gc_buffer *)(uintptr_t)0x1234;
    else if (is(name, "ctx_foreign"))
        copy.source = bed.theirs, copy.source_offset = 2048;
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

static inline gc_status memset_work(const char *name, enum edit edit, const void *of, gc_node *node) {
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

static inline void count_if_any(void *user_data) {
    if (user_data != NULL)
        count_call(user_data);
}

static inline gc_status host_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    if (is(name, "fn_null"))
        return give_host(edit, of, node, NULL, &bed.calls);
    return give_host(edit, of, node, count_if_any, is(name, "data_null") || is(name, "base") ? NULL : &bed.calls);
}

static inline gc_status event_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    const int records = strncmp(name, "record", 6) == 0 || is(name, "event_record");
    const char *how = strchr(name, '_') == NULL ? "" : strchr(name, '_') + 1;
    return give_event(edit, of, node, records,
                      is(how, "null")           ? NULL
                      : is(how, "foreign")      ? bed.their_event
                      : is(how, "destroyed")    ? bed.gone_event
                      : is(how, "interprocess") ? bed.shared_event
                                                : bed.event);
}

static inline gc_status values_work(const char *name, enum edit edit, const void *of, gc_node *node) {
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
    else if (is(name, "ctx_foreign") || is(name, "other_ctx"))
        operations[0].buffer = bed.theirs;
    else if (is(name, "write_freed"))
        operations[0].buffer = bed.gone;
    else if (is(name, "op_type_99"))
        operations[0].kind = 99;
    else if (is(name, "flush_remote"))
        operations[0].kind = 3; /* CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES */
    else if (is(name, "barrier"))
        operations[0].kind = 6; /* CU_STREAM_MEM_OP_BARRIER */
    else if (is(name, "write_no_barrier_flag"))
        operations[0].flags = GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER;
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

static inline gc_status child_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    (void)name;
    switch (edit) {
    case ADD: return gc_graph_add_child_node((const gc_graph *)of, NULL, 0, bed.child, node);
    case NODE: return gc_node_set_child((const gc_graph *)of, *node, bed.child);
    default: return gc_graph_exec_set_child_node((const gc_graph_exec *)of, *node, bed.child);
    }
}

static inline gc_status empty_work(const char *name, enum edit edit, const void *of, gc_node *node) {
    (void)name;
    (void)edit;
    return gc_graph_add_empty_node((const gc_graph *)of, NULL, 0, node);
}

/* An if whose body stores 7, as each launch has it do. */
static inline gc_status conditional_work(const char *name, enum edit edit, const void *of, gc_node *node) {
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

static inline work work_of(const char *name) {
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

static inline void bed_clear(void) {
    const struct rig *rig = &bed.rig;
    clear_words(rig, bed.target);
    clear_words(rig, bed.second);
    clear_words(rig, bed.values);
    CHECK_OK(gc_stream_memset(rig->stream, bed.source, 0, 0, 4, 1024));
    CHECK_OK(gc_stream_memset(rig->stream, bed.source, 0, 7, 4, 64));
    CHECK_OK(gc_stream_synchronize(rig->stream));
    /* The words that are read, and before them those that are written. */
    CHECK_OK(gc_stream_memset(bed.other.stream, bed.theirs, 0, 0, 4, 512));
    CHECK_OK(gc_stream_memset(bed.other.stream, bed.theirs, 2048, 7, 4, 512));
    CHECK_OK(gc_stream_synchronize(bed.other.stream));
    memset(bed.pageable, 0, sizeof bed.pageable);
    memset(bed.pinned_words, 0, 4096);
    bed.calls = 0;
}

/* Sources of the host hold 7 where a copy reads them. */
static inline void prepare(const char *name) {
    size_t i;
    bed_clear();
    bed.reads_theirs = is(name, "ctx_foreign");
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

static inline uint32_t word_of(const gc_buffer *buffer, unsigned index) {
    return read_u32(bed.rig.stream, buffer, index);
}

static inline uint32_t their_word(unsigned index) {
    return read_u32(bed.other.stream, bed.theirs, index);
}

static inline const char *left(work made, char text[64]) {
    text[0] = '\0';
    if (made == kernel_work || made == child_work || made == conditional_work)
        snprintf(text, 64, "%u", word_of(bed.target, 0));
    else if (made == memcpy_work)
        snprintf(text, 64, "%u/h%u/p%u", word_of(bed.target, 0), bed.pinned_words[0], bed.pageable[0]);
    else if (made == memset_work)
        snprintf(text, 64, "%x", bed.reads_theirs ? their_word(0) : word_of(bed.target, 0));
    else if (made == host_work)
        snprintf(text, 64, "%u", bed.calls);
    else if (made == values_work)
        snprintf(text, 64, "%u,%u", bed.reads_theirs ? their_word(0) : word_of(bed.values, 0),
                 bed.reads_theirs ? their_word(2) : word_of(bed.values, 2));
    return text;
}

static inline gc_node stores(const gc_graph *graph, const gc_node *dependencies, size_t count, unsigned index, uint32_t number) {
    return fill_node(&bed.rig, graph, dependencies, count, bed.target, index, number);
}

static inline gc_node adds(const gc_graph *graph, const gc_node *dependencies, size_t count, unsigned index, uint32_t number) {
    return add_node(&bed.rig, graph, dependencies, count, bed.target, index, number);
}

static inline void answer_words(unsigned count) {
    uint32_t a = word_of(bed.target, 0), b = word_of(bed.target, 1);
    if (count == 1)
        answer("val=%u", a);
    else
        answer("val=%u,%u", a, b);
}

/* Makes an exec and runs it once. */
static inline void run_and_answer(const gc_graph *graph, unsigned count) {
    gc_graph_exec *exec = NULL;
    answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
    if (exec == NULL)
        return;
    clear_words(&bed.rig, bed.target);
    replay(&bed.rig, exec);
    answer_words(count);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static inline void bed_open(void) {
    gc_event_options shared = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_module *module;
    void *pointer = NULL;
    count_devices();
    is_alone = device_count < 2;
    rig_open_on(&bed.rig, tested_device(), 0);
    rig_open_on(&bed.other, tested_device(), !is_alone);
    bed.source = open_buffer(bed.rig.context, 4096);
    bed.target = open_buffer(bed.rig.context, 4096);
    bed.second = open_buffer(bed.rig.context, 4096);
    bed.values = open_waitable(bed.rig.context, 64);
    bed.theirs = open_waitable(bed.other.context, 4096);
    bed.event = open_event(bed.rig.context);
    bed.their_event = open_event(bed.other.context);
    shared.flags = GRAPHCAP_EVENT_INTERPROCESS | GRAPHCAP_EVENT_DISABLE_TIMING;
    REQUIRE_OK(gc_event_create(bed.rig.context, &shared, &bed.shared_event));
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

static inline void bed_close(void) {
    CHECK_OK(gc_graph_destroy(bed.child));
    CHECK_OK(gc_host_buffer_destroy(bed.pinned));
    CHECK_OK(gc_event_destroy(bed.shared_event));
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

#endif
