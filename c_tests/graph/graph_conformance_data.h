/* What NVIDIA's driver was measured to answer to graphs that are built and edited by hand, as data: on an H200 with driver
 * 580.159, which is CUDA 13.0. graph_conformance.c holds the device that is tested against it. Where graphcap answers before
 * the driver is asked, a row has both answers and the reason; where no call of graphcap's leads to a case, out_of_reach says
 * why. No row differs by the device. tried_elsewhere has rows that other programs try, which name them. */
#ifndef GRAPHCAP_TESTS_GRAPH_CONFORMANCE_DATA_H
#define GRAPHCAP_TESTS_GRAPH_CONFORMANCE_DATA_H

#include "rows.h"

/* What came of the work as that of a new node, of a node that is set, and of a node that is set in an exec. */
struct codes {
    int add, set, exec;
};

struct work_row {
    const char *name;
    struct codes driver, graphcap;
    const char *value;   /* what a run leaves where the work was accepted; the same by a new node, a set one and an exec */
    const char *because; /* of a difference */
};

#define AS_DRIVER(add, set, exec) {add, set, exec}, {add, set, exec}
#define ALWAYS(code) AS_DRIVER(code, code, code)
#define THRICE(code) {code, code, code}

/* The base node, which is set, stores, copies or sets in one dimension within the device, or writes one value. */
static const struct work_row work_rows[] = {
    {"add_kernel.good", ALWAYS(0), "7", NULL},
    {"add_kernel.grid_x_0", ALWAYS(1), NULL, NULL},
    {"add_kernel.grid_y_0", ALWAYS(1), NULL, NULL},
    {"add_kernel.block_x_0", ALWAYS(1), NULL, NULL},
    {"add_kernel.block_32x32x2", ALWAYS(1), NULL, NULL},
    {"add_kernel.block_z_65", ALWAYS(1), NULL, NULL},
    {"add_kernel.grid_y_65536", ALWAYS(1), NULL, NULL},
    {"add_kernel.grid_x_2pow31", ALWAYS(1), NULL, NULL},
    {"add_kernel.smem_48k", ALWAYS(0), "7", NULL},
    {"add_kernel.smem_48k_plus_1", THRICE(1), THRICE(0), "7", "graphcap raises the limit of a kernel as far as the device has memory"},
    {"add_kernel.smem_300000", ALWAYS(1), NULL, NULL},
    {"add_kernel.smem_200k_opted_in", ALWAYS(0), "7", NULL},
    {"add_kernel.params_null", ALWAYS(1), NULL, NULL},
    {"add_kernel.func_null", ALWAYS(400), NULL, NULL},
    {"add_kernel.func_foreign_ctx", AS_DRIVER(0, 0, 1), "7", NULL},
    {"add_kernel.func_unloaded_module", ALWAYS(400), NULL, NULL},
    {"add_kernel.func_garbage", ALWAYS(400), NULL, NULL},

    {"add_memcpy.d2d", ALWAYS(0), "7/h0/p0", NULL},
    {"add_memcpy.h2d_pinned", AS_DRIVER(0, 0, 1), "7/h7/p0", NULL},
    {"add_memcpy.h2d_pageable", AS_DRIVER(0, 0, 1), "7/h0/p7", NULL},
    {"add_memcpy.d2h_pinned", AS_DRIVER(0, 0, 1), "0/h7/p0", NULL},
    {"add_memcpy.d2h_pageable", AS_DRIVER(0, 0, 1), "0/h0/p7", NULL},
    {"add_memcpy.h2h_pinned", AS_DRIVER(0, 0, 1), "0/h7/p0", NULL},
    {"add_memcpy.h2h_pageable", AS_DRIVER(0, 0, 1), "0/h0/p7", NULL},
    {"add_memcpy.width_0", ALWAYS(1), NULL, NULL},
    {"add_memcpy.height_0", ALWAYS(1), NULL, NULL},
    {"add_memcpy.depth_0", ALWAYS(1), NULL, NULL},
    {"add_memcpy.dst_freed", THRICE(1), THRICE(400), NULL, STALE},
    {"add_memcpy.overlap", THRICE(0), THRICE(1), NULL, "what an overlapping copy leaves is not defined"},
    {"add_memcpy.same_address", THRICE(0), THRICE(1), NULL, "what an overlapping copy leaves is not defined"},
    {"add_memcpy.src_pitch_lt_width", ALWAYS(1), NULL, NULL},
    {"add_memcpy.dst_pitch_lt_width", ALWAYS(1), NULL, NULL},
    {"add_memcpy.pitch_0_height_2", AS_DRIVER(0, 0, 1), "7/h0/p0", NULL},
    {"add_memcpy.depth_2_height_0", {0, 0, 1}, THRICE(1), NULL, "a node that copies nothing is a mistake"},
    {"add_memcpy.pitch_2pow31", THRICE(1), THRICE(0), "7/h0/p0", "the pitch of what is one row has no effect"},
    {"add_memcpy.type_9", ALWAYS(1), NULL, NULL},
    {"add_memcpy.dst_overrun", ALWAYS(1), NULL, NULL},
    {"add_memcpy.src_null", THRICE(1), THRICE(400), NULL, STALE},
    {"add_memcpy.dst_garbage", THRICE(1), THRICE(400), NULL, STALE},
    {"add_memcpy.reserved_nonnull", THRICE(0), THRICE(1), NULL, "reserved members must be 0"},
    {"add_memcpy.2d_good", AS_DRIVER(0, 0, 1), "7/h0/p0", NULL},
    {"add_memcpy.3d_good", AS_DRIVER(0, 0, 1), "7/h0/p0", NULL},
    {"add_memcpy.h2d_null_host", ALWAYS(1), NULL, NULL},

    {"add_memset.good", ALWAYS(0), "abababab", NULL},
    {"add_memset.width_0", ALWAYS(1), NULL, NULL},
    {"add_memset.height_0", ALWAYS(1), NULL, NULL},
    {"add_memset.elem_3", ALWAYS(1), NULL, NULL},
    {"add_memset.elem_0", ALWAYS(1), NULL, NULL},
    {"add_memset.elem_8", ALWAYS(1), NULL, NULL},
    {"add_memset.value_0x1ff_elem_1", ALWAYS(0), "ffffffff", NULL},
    {"add_memset.value_0x1ffff_elem_2", ALWAYS(0), "ffffffff", NULL},
    {"add_memset.pitch_0_height_2", THRICE(1), {0, 0, 1}, "abababab", "a pitch of 0 stands for rows without gaps"},
    {"add_memset.pitch_small_height_1", THRICE(0), THRICE(1), NULL, "a pitch that is less than a row is a mistake"},
    {"add_memset.dst_null", THRICE(1), THRICE(400), NULL, STALE},
    {"add_memset.dst_freed", THRICE(1), THRICE(400), NULL, STALE},
    {"add_memset.dst_garbage", THRICE(1), THRICE(400), NULL, STALE},
    {"add_memset.unaligned_elem_4", ALWAYS(1), NULL, NULL},
    {"add_memset.unaligned_elem_2", ALWAYS(1), NULL, NULL},
    {"add_memset.overrun", ALWAYS(1), NULL, NULL},
    {"add_memset.pitch_66_elem_4", ALWAYS(1), NULL, NULL},
    {"add_memset.2d_good", AS_DRIVER(0, 0, 1), "abababab", NULL},
    {"add_memset.width_2pow40", ALWAYS(1), NULL, NULL},
    {"add_memset.elem_4_value_32bit", ALWAYS(0), "12345678", NULL},

    {"add_host.good", ALWAYS(0), "1", NULL},
    {"add_host.fn_null", ALWAYS(1), NULL, NULL},
    {"add_host.data_null", ALWAYS(0), "0", NULL},

    {"add_event.record", ALWAYS(0), "", NULL},
    {"add_event.record_null", THRICE(1), THRICE(400), NULL, STALE},
    {"add_event.record_foreign", AS_DRIVER(0, 0, 1), "", NULL},
    {"add_event.record_interprocess", ALWAYS(0), "", NULL},
    {"add_event.record_destroyed", {0, 0, 1}, THRICE(400), NULL, "the driver crashes when it instantiates the graph"},
    {"add_event.wait_null", THRICE(1), THRICE(400), NULL, STALE},
    {"add_event.wait_foreign", AS_DRIVER(0, 0, 1), "", NULL},
    {"add_event.wait_destroyed", {0, 0, 1}, THRICE(400), NULL, "the driver crashes when it instantiates the graph"},
    {"add_event.wait_never_recorded", ALWAYS(0), "", NULL},

    {"add_batch.one", ALWAYS(0), "1,0", NULL},
    {"add_batch.zero_ops", {0, 0, 1}, THRICE(1), NULL, "a node of no operations does nothing; an empty node says so"},
    {"add_batch.256_ops", ALWAYS(1), NULL, NULL},
    {"add_batch.257_ops", ALWAYS(1), NULL, NULL},
    {"add_batch.255_ops", AS_DRIVER(0, 0, 1), "255,0", NULL},
    {"add_batch.null_array", ALWAYS(1), NULL, NULL},
    {"add_batch.ctx_foreign", AS_DRIVER(0, 0, 1), "1,0", NULL},
    {"add_batch.write_freed", THRICE(0), THRICE(400), NULL, "a handle that is none is refused with 400, not at the launch"},
    {"add_batch.op_type_99", ALWAYS(1), NULL, NULL},
    {"add_batch.wait_satisfied", AS_DRIVER(0, 0, 1), "0,0", NULL},
    {"add_batch.flush_remote", THRICE(801), THRICE(1), NULL, "there is no such operation"},
    {"add_batch.barrier", {0, 0, 1}, THRICE(1), NULL, "there is no such operation"},
    {"add_batch.unaligned", ALWAYS(1), NULL, NULL},
    {"add_batch.write64", AS_DRIVER(0, 0, 1), "0,7", NULL},
    {"add_batch.write_no_barrier_flag", THRICE(1), THRICE(0), "1,0", "the flag is accepted, and has no effect"},

    {"exec_batch.other_value", ALWAYS(0), "8,0", NULL},
    {"exec_batch.other_address", ALWAYS(0), "0,8", NULL},
};

/* Cases that no call of graphcap's leads to. */
static const struct out_of_reach out_of_reach[] = {
    {"add_kernel.params_and_extra, add_kernel.extra_good, add_kernel.extra_short", "arguments are passed in one way only"},
    {"add_kernel.kern_instead_of_func", "graphcap chooses between function and kernel itself"},
    {"add_memcpy.unified_device, params.memcpy_get_unified", "a direction is always named"},
    {"add_memcpy.ctx_null, add_memcpy.ctx_foreign, add_memset.ctx_foreign, add_batch.ctx_null, update.memset_ctx_foreign",
     "graphcap names the context"},
    {"update.cond_assign_flag", "graphcap gives every condition a default"},
    {"add_memcpy.type_device_pageable_pointer, add_memcpy.type_device_pinned_pointer, add_memset.dst_pageable",
     "device addresses are those of buffers"},
    {"add_memcpy.src_lod_1", "there is no such member"},
    {"add_memcpy.array_null", "there are no arrays"},
    {"add_dep.null_params", "no function adds a node without parameters"},
    {"add_generic.*, exec_kernel.kernel_generic", "there is one function for each kind"},
    {"mem_alloc.location_host, mem_alloc.device_9, mem_alloc.alloc_type_0, mem_alloc.handle_posix, mem_alloc.access_self",
     "an allocation is of the device, for this process"},
    {"mem.capture_alloc_free",
     "memory that a stream allocates is of a pool and makes no nodes; a_chain_needs_two_blocks in pool_streams.c captures it"},
    {"mem.unfreed_memfree", "memory of a graph is freed by nodes and by streams; no function frees it at once"},
    {"mem_alloc.8_gib", "it depends on the memory of the GPU alone"},
    {"edgedata.remove_with_other_data", "an edge is removed by its two nodes"},
    {"params.alloc_set, params.conditional_set", "no function sets such a node"},
    {"nest.move_*, nest.ownership_invalid", "no function moves a graph into a node"},
};

/* Rows that other programs try. */
static const struct {
    const char *name, *driver, *graphcap, *host, *because, *where;
} tried_elsewhere[] = {
    {"inst_flags.0", "inst=0 flags=0 val=7", NULL, NULL, NULL, "instantiate.c"},
    {"inst_flags.1_autofree", "inst=0 flags=1 val=7", NULL, NULL, NULL, "instantiate.c"},
    {"inst_flags.2_upload", "inst=0 flags=0 val=7", NULL, NULL, NULL, "instantiate.c"},
    {"inst_flags.8_priority", "inst=0 flags=0 val=7", NULL, NULL, NULL, "instantiate.c"},
    {"inst_flags.5_autofree_device", "inst=1", NULL, NULL, NULL, "instantiate.c"},
    {"inst_flags.9", "inst=0 flags=1 val=7", NULL, NULL, NULL, "instantiate.c"},
    {"inst_flags.12_device_priority", "inst=0 flags=4 val=7", NULL, "inst=801", "the host device has no kernels that launch execs", "instantiate.c"},
    {"inst_flags.15", "inst=1", NULL, NULL, NULL, "instantiate.c"},
    {"inst.upload_null_stream", "inst=0", NULL, NULL, NULL, "instantiate.c"},
    {"inst.upload_capturing_stream", "inst=900 end=901", NULL, NULL, NULL, "instantiate.c"},
    {"inst.device_empty_graph", "inst=1", NULL, "inst=801", "the host device has no kernels that launch execs", "instantiate.c"},
    {"inst.device_second_exec", "inst=0 inst2=0", NULL, "inst=801", "the host device has no kernels that launch execs", "instantiate.c"},
    {"inst.graph_changed_after_partial_failure", "inst=1 inst=0", NULL, NULL, NULL, "instantiate.c"},
    {"attr.window_ok", "set=0 get=0", NULL, NULL, NULL, "graph_attributes.c"},
    {"attr.window_huge", "set=1", NULL, NULL, NULL, "graph_attributes.c"},
    {"attr.window_ratio_2", "set=1", NULL, NULL, NULL, "graph_attributes.c"},
    {"attr.window_miss_persisting", "set=1", NULL, NULL, NULL, "graph_attributes.c"},
    {"attr.on_memset_node", "set=1 get=1", NULL, NULL, NULL, "graph_attributes.c"},
    {"attr.copy", "copy=0 to_memset=1 from_memset=1 other_graph=0 self=0 null=1", NULL, NULL, NULL, "graph_attributes.c"},
    {"mem.eager_use_before_launch", "memset=1 free=1", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.unfreed_relaunch", "run=0 run2=1 free=0 run3=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.double_free_async", "free=0 free2=1", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.two_execs", "inst=0 inst2=801 inst_after_destroy=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.exec_destroyed_unfreed", "memset=0 read=7 run2=1 free=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.free_graph_cycle", "free_first=1 alloc=0 alloc_again=1 free=0 free_again=1", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.free_graph_by_stream_after", "alloc=0 stream_free=0 graph_free=1", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.only_free_node_two_execs", "inst2=801 clone=801", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.free_not_an_alloc", "plain_alloc=1", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.free_twice_same_graph", "second=1 nodes=3", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.free_in_own_then_other", "own=0 other=1", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.free_in_other_then_own", "other=0 own=1 third=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.edit_restrictions", "destroy=801 remove_edge=801 add_edge=0 set_kernel=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem_alloc.size_0", "add=1", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.address_reuse_in_graph", "after_free_same=1 parallel_same=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.attrs_unfreed", "in steps of 33554432 bytes, until trimmed", NULL, NULL, NULL, "graph_memory.c"},
    {"mem_alloc.size_1", "add=0 33554432 bytes", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.addresses_across_graphs", "same=0 33554432 bytes", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.concurrent_execs_of_two_graphs", "67108864 bytes", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.free_ordered_before_alloc", "free=0 edge=0 inst=0 run=0 run2=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.use_not_ordered_after_alloc", "use=0 memset=0 copy=0 inst=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.value_kept_between_launches", "run=0 val=1 external_read=1 free=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.launch_in_two_streams", "1=0 2=0 sync=0 sync2=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.capture_free_of_outside_alloc", "free=1 status=1 end=0", NULL, NULL, NULL, "graph_memory.c"},
    {"mem.address_after_graph_destroyed", "same=1", NULL, NULL, NULL, "graph_memory.c"},
    {"cond.capture_into_body", "begin=0 end=0 same=1 nodes=2 val=7,8", NULL, NULL, NULL, "capture_within.c"},
    {"params.memcpy_get", "rc=0", NULL, NULL, NULL, "graph_inspect.c"},
    {"params.memset_get", "rc=0", NULL, NULL, NULL, "graph_inspect.c"},
    {"params.batch_get", "rc=0", NULL, NULL, NULL, "graph_inspect.c"},
    {"params.kernel_get_after_add", "rc=0, arguments 1, 7, 9", NULL, NULL, NULL, "graph_inspect.c"},
    {"params.exec_set_in_flight", "set=0, and the launch runs as it was", NULL, NULL, NULL, "graph_edit.c"},
    {"capture.to_child_handle_invalidated", "crash", "end=901, and the graph is as it was", NULL, "the driver crashes",
     "capture_within.c"},
    {"capture.to_body_invalidated", "crash", "end=901, and the graph is as it was", NULL, "the driver crashes", "capture_within.c"},
    {"cond.in_capture_documented_pattern", "add=0 update_deps=0 end=0 nodes=4 val=12 val=2", NULL, NULL, NULL, "capture_within.c"},
    {"params.alloc_get", "rc=0 bytes=5000 free=0", NULL, NULL, NULL, "graph_memory.c"},
};

/* ---- Copies and memsets of an exec: what can take the place of what ----
 *
 * A letter for each column: '.' where the exec is changed, 'x' where it answers 1 and does what it did. */

static const char *const copy_columns[] = {"d2d",         "d2d_w32",    "d2d_w128",     "d2d_w0", "d2d_dst2", "h2d_pinned",
                                           "h2d_pageable", "d2h_pinned", "d2h_pageable", "h2h",    "2d",       "2d_pitch",
                                           "2d_w16",       "3d",         "2d_dst2"};

static const struct matrix_row {
    const char *from, *answers;
} copy_rows[] = {
    {"d2d", "...x.xxxxxxxxxx"},          {"d2d_w32", "...x.xxxxxxxxxx"},  {"h2d_pinned", "xxxxx..xxxxxxxx"},
    {"h2d_pageable", "xxxxx..xxxxxxxx"}, {"d2h_pinned", "xxxxxxx..xxxxxx"}, {"2d_pitch", "xxxxxxxxxxx.xxx"},
    {"2d_w16", "xxxxxxxxxxxx.xx"},
};

static const char *const memset_columns[] = {"e1_w64",  "e1_w32", "e1_w128",      "e1_w64k",        "e2_w32",   "e4_w16",
                                             "e4_w1",   "value",  "addr",         "addr_buffer2",   "2d_h2_w64_p128", "2d_value",
                                             "2d_addr", "2d_w32", "2d_p256",      "2d_h4",          "w0"};

#define MEMSET_OF_ONE_ROW "..........xxxxxxx"
#define MEMSET_OF_TWO_ROWS "xxxxxxxxxx...xxxx"

static const struct matrix_row memset_rows[] = {
    {"e1_w64", MEMSET_OF_ONE_ROW},          {"e1_w128", MEMSET_OF_ONE_ROW},     {"e1_w64k", MEMSET_OF_ONE_ROW},
    {"e2_w32", MEMSET_OF_ONE_ROW},          {"e4_w16", MEMSET_OF_ONE_ROW},      {"e4_w1", MEMSET_OF_ONE_ROW},
    {"value", MEMSET_OF_ONE_ROW},           {"addr", MEMSET_OF_ONE_ROW},        {"addr_buffer2", MEMSET_OF_ONE_ROW},
    {"2d_h2_w64_p128", MEMSET_OF_TWO_ROWS}, {"2d_value", MEMSET_OF_TWO_ROWS},   {"2d_addr", MEMSET_OF_TWO_ROWS},
    {"2d_w32", "xxxxxxxxxxxxx.xxx"},        {"2d_p256", "xxxxxxxxxxxxxx.xx"},   {"2d_h4", "xxxxxxxxxxxxxxx.x"},
};

/* The same of updates, where ! is of a work that no graph has. */
static const struct matrix_row updated_copies[] = {
    {"d2d_w32", "...!.xxxxxxxxxx"},
    {"d2d_w128", "...!.xxxxxxxxxx"},
    {"d2d_dst2", "...!.xxxxxxxxxx"},
    {"h2d_pinned", "xxx!x..xxxxxxxx"},
    {"h2d_pageable", "xxx!x..xxxxxxxx"},
    {"d2h_pinned", "xxx!xxx..xxxxxx"},
    {"h2h", "xxx!xxxxx.xxxxx"},
    {"2d_pitch", "xxx!xxxxxxx.xxx"},
    {"2d_w16", "xxx!xxxxxxxx.xx"},
    {"3d", "xxx!xxxxxxxxx.x"},
    {"2d_dst2", "xxx!xxxxxxxxxx."},
};

static const struct matrix_row updated_memsets[] = {
    {"e1_w64", "..........xxxxxx!"},
    {"e2_w32", "..........xxxxxx!"},
    {"e4_w16", "..........xxxxxx!"},
    {"e4_w1", "..........xxxxxx!"},
    {"value", "..........xxxxxx!"},
    {"addr", "..........xxxxxx!"},
    {"2d_h2_w64_p128", "xxxxxxxxxx...xxx!"},
    {"2d_addr", "xxxxxxxxxx...xxx!"},
    {"2d_w32", "xxxxxxxxxxxxx.xx!"},
    {"2d_p256", "xxxxxxxxxxxxxx.x!"},
    {"2d_h4", "xxxxxxxxxxxxxxx.!"},
};

/* ---- Single cases: what their steps answer, one after another ---- */

#define IN_ORDER "lists of nodes have the order in which these were made"

struct case_row {
    const char *name;
    const char *driver, *graphcap; /* the same where the second one is NULL */
    const char *because;
};

static const struct case_row case_rows[] = {
    {"exec_kernel.other_value", "set=0 val=5,1", NULL, NULL},
    {"exec_kernel.other_grid", "set=0 val=15,1", NULL, NULL},
    {"exec_kernel.other_block", "set=0 val=20,1", NULL, NULL},
    {"exec_kernel.other_function", "set=0 val=5,1", NULL, NULL},
    {"exec_kernel.to_noparam_function", "set=0 val=0,1", NULL, NULL},
    {"exec_kernel.foreign_function", "set=1 val=1,1", NULL, NULL},
    {"exec_kernel.grid_x_0", "set=1 val=1,1", NULL, NULL},
    {"exec_kernel.node_of_other_graph", "set=1 val=1,1", NULL, NULL},
    {"exec_kernel.node_of_clone", "set=1 val=1,1", NULL, NULL},
    {"exec_kernel.memset_params_generic", "set=1 val=1,1", NULL, NULL},

    {"exec_batch.other_ctx", "set=1 val=7,0", NULL, NULL},
    {"exec_batch.other_count", "set=1 val=7,0", NULL, NULL},
    {"exec_batch.write_to_wait", "set=1 val=7,0", NULL, NULL},
    {"exec_batch.write32_to_write64", "set=1 val=7,0", NULL, NULL},

    {"exec_child.same_topology_new_params", "set=0 node_set=0 val=2,2", NULL, NULL},
    {"exec_child.one_more_node", "set=910 node_set=0 val=1,1", NULL, NULL},
    {"exec_child.one_less_node", "set=910 node_set=0 val=1,1", NULL, NULL},
    {"exec_child.other_kind", "set=910 node_set=0 val=1,1", NULL, NULL},
    {"exec_child.other_edges", "set=910 node_set=0 val=1,1", NULL, NULL},
    {"exec_child.same_nodes_other_order", "set=910 node_set=0 val=1,1", NULL, NULL},
    {"exec_child.foreign_function", "set=910 node_set=0 val=1,1", NULL, NULL},
    {"exec_child.is_the_exec_s_own_child_handle", "set=0 node_set=? val=1,1", "set=0 node_set=801 val=1,1",
     "a graph that belongs to a node is no child of another one"},

    {"enable.is_2", "on=0 get=1", NULL, NULL},
    {"enable.node_of_clone", "set=1", NULL, NULL},
    {"enable.original_node_on_exec_of_clone", "set=1", NULL, NULL},
    {"enable.inner_node_of_child", "inner=0 original=1", NULL, NULL},
    {"enable.middle_of_chain_keeps_order", "val=4", NULL, NULL},

    {"add_dep.foreign_graph_node", "add=1 nodes=1 edges=0", NULL, NULL},
    {"add_dep.null_node", "add=1 nodes=1 edges=0", NULL, NULL},
    {"add_dep.duplicate", "add=1 nodes=1 edges=0", NULL, NULL},
    {"add_dep.garbage_node", "add=1 nodes=1 edges=0", NULL, NULL},
    {"add_dep.inner_node_of_child", "add=1 nodes=2 edges=0", NULL, NULL},
    {"add_dep.destroyed_graph", "add=1", "add=400", STALE},

    {"edge.add_duplicate", "1=0 2=1 edges=1", NULL, NULL},
    {"edge.add_duplicate_in_one_call", "add=1 edges=1", "add=1 edges=0", "edges are added wholly or not at all"},
    {"edge.add_self", "add=1 edges=0", NULL, NULL},
    {"edge.cycle_broken_again", "inst=1 rm=0 inst=0 edges=1", NULL, NULL},
    {"edge.cycle_clone_dot_update", "clone=0 dot=0 child=0 inst=1", NULL, NULL},
    {"edge.remove_absent", "rm=1 edges=0", NULL, NULL},
    {"edge.remove_reversed", "rm=1 edges=1", NULL, NULL},
    {"edge.remove_twice", "1=0 2=1 edges=0", NULL, NULL},
    {"edge.remove_two_second_absent", "rm=1 edges=0", "rm=1 edges=1", "edges are removed wholly or not at all"},
    {"edge.remove_same_twice_in_one_call", "rm=1 edges=0", "rm=1 edges=1", "edges are removed wholly or not at all"},
    {"edge.null_arrays", "add1=1 add0=0 to=1 rm1=1 rm0=0 graph=1 node=1", "add1=1 add0=0 to=1 rm1=1 rm0=0 graph=400 node=1",
     STALE},
    {"edge.on_exec_made_before", "add=0 val=1,2", NULL, NULL},
    {"edge.remove_then_add_order", "a>e,a>c,a>b edges=3", "a>b,c,e edges=3", IN_ORDER},
    {"edge.order_deps_given", "w<c,a,b edges=3", "w<a,b,c edges=3", IN_ORDER},

    {"find.plain", "clone=0 find=0 distinct=1 nodes=4", NULL, NULL},
    {"find.reverse", "rc=1", NULL, NULL},
    {"find.original_node_destroyed", "crash", "rc=1", "the driver crashes"},
    {"find.original_graph_destroyed", "crash", "rc=400", "the driver crashes"},
    {"find.clone_node_destroyed", "rc=1 out=0", NULL, NULL},
    {"find.clone_of_clone", "clone2=0 original_in_second=1 first_in_second=0 same=0", NULL, NULL},
    {"find.first_clone_destroyed", "original_in_second=1", NULL, NULL},
    {"find.node_added_after_clone", "rc=1", NULL, NULL},
    {"clone.is_independent", "set=0 val=1 inst=0 val=1", NULL, NULL},
    {"clone.exec_of_original_updated_by_clone", "exec_set_by_clone_node=1", NULL, NULL},
    {"clone.of_capturing_graph", "clone=0 nodes=1 end=0", NULL, NULL},

    {"node.exec_made_before_still_runs_it", "destroy=0 val=10 inst2=0 val2=4", NULL, NULL},
    {"node.exec_set_params_after_graph_destroy", "exec_set=1 val=1", NULL, NULL},
    {"node.destroy_child_node", "destroy=0 nodes=0 original_nodes=1", NULL, NULL},
    {"node.destroy_inner_of_child", "destroy=0 inner_nodes=1 inst=0 val=0,5", NULL, NULL},
    {"node.destroy_after_child_added", "val=5", NULL, NULL},

    {"nest.same_twice", "add2=0 val=2", NULL, NULL},
    {"nest.original_changed_after", "val=1,0", NULL, NULL},
    {"nest.original_destroyed_after", "destroy=0 inst=0 val=1", NULL, NULL},
    {"nest.handle_add_node", "add=0 inner=2 original=1 inst=0 val=1,2", NULL, NULL},
    {"nest.handle_set_inner_params", "set_inner=0 inst=0 val=3 exec_set_inner=0 val0=9", NULL, NULL},
    {"nest.handle_destroy", "destroy=1 parent_nodes=1 inst=0 val=1", "destroy=0 parent_nodes=1 inst=0 val=1",
     "the handle is destroyed, the graph of the node is not"},
    {"nest.handle_instantiate", "inst=801", NULL, NULL},
    {"nest.handle_as_child_elsewhere", "clone_owner=801", NULL, NULL},
    {"nest.handle_as_child_same_parent", "add=801", NULL, NULL},
    {"nest.parent_into_own_handle", "crash", "add=1", "the driver crashes"},
    {"nest.parent_clone_into_own_handle", "add=0 inst=0 val=1", NULL, NULL},
    {"nest.handle_capture_into", "begin=0 end=0 same=1 inst=0 val=1,8", NULL, NULL},
    {"nest.levels_3", "nodes=1 inst=0 val=111 clone=0 clone_inst=0 clone_val=111", NULL, NULL},
    {"nest.levels_40", "inst=0 val=1", NULL, NULL},
    {"nest.empty_child", "add=0 inst=0 val=7", NULL, NULL},
    {"nest.node_set_params_replaces_child", "set=0 inner_nodes=2 val=5,6", NULL, NULL},
    {"nest.null_child", "add=1", "add=400", STALE},
    {"nest.order_through_child", "val=51", NULL, NULL},
    {"nest.edge_from_inner_to_outer", "inner_to_outer=1 inner_to_inner_via_parent=1", NULL, NULL},

    {"add_event.wait_event_recorded_by_same_graph", "add=0 set=0 exec=0 get=0 run=0 exec_run=0", NULL, NULL},

    {"params.kernel_get_set_roundtrip", "set_own=0 exec_set_own=0 val=7 exec_val=7", NULL, NULL},
    {"params.kernel_get_stays_valid_after_set", "first_copy=8 new_value=8 func_new=1", "first_copy=7 new_value=8 func_new=1",
     "parameters are copied out"},
    {"params.host_get", "rc=0 fn_same=1", NULL, NULL},
    {"params.graph_set_does_not_touch_exec", "val=1", NULL, NULL},
    {"params.exec_set_does_not_touch_graph", "graph_value=1 val=2", NULL, NULL},
    {"capture.edits_midway", "remove_edge=0 destroy_node=401 add_node=0 add_edge=0 set_params=0 status=1 end=0",
     "remove_edge=401 destroy_node=401 add_node=0 add_edge=0 set_params=0 status=1 end=0",
     "nothing is taken from under a capture"},
};

#endif
