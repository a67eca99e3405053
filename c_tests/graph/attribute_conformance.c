/* What NVIDIA's driver was measured to answer about attributes of kernel nodes and about what edges carry, by the names of the
 * cases: on an H200 with driver 580.159, which is CUDA 13.0. The device under test is held against it. */
#include "nodes.h"
#include "rows.h"

enum { ANY = -1 };

static struct rig rig;
static gc_buffer *buffer;

/* A kernel of so many blocks that sets word 0 to 7, or another word. */
static gc_node kernel_node(const gc_graph *graph, uint32_t blocks, unsigned index, uint32_t number) {
    struct kernel_call call;
    gc_node node = 0;
    call_fill(&call, &rig, buffer, index, number);
    call.config.grid_dim[0] = blocks;
    REQUIRE_OK(add_kernel(graph, NULL, 0, &call, &node));
    return node;
}

static void named(const char *name, int is_right) {
    if (check_failed(is_right))
        fprintf(stderr, "    in the case %s\n", name);
}

/* ---- attr.* ---- */

struct attribute_row {
    const char *name;
    gc_launch_attribute_id id;
    uint32_t value[3], blocks;
    gc_status set, get;
    int64_t told[3];
};

static const struct attribute_row attribute_rows[] = {
    {"attr.priority_0", 8, {0, 0, 0}, 4, 0, 0, {0, 0, 0}},
    {"attr.priority_100", 8, {100, 0, 0}, 4, 0, 0, {0, 0, 0}},
    {"attr.coop_1", 2, {1, 0, 0}, 4, 0, 0, {1, 0, 0}},
    {"attr.coop_2", 2, {2, 0, 0}, 4, 0, 0, {2, 0, 0}},
    {"attr.cluster_2", 4, {2, 1, 1}, 4, 0, 0, {2, 1, 1}},
    {"attr.cluster_3_grid_4", 4, {3, 1, 1}, 4, 912, 0, {0, 0, 0}},
    {"attr.cluster_0", 4, {0, 0, 0}, 4, 0, 0, {0, 0, 0}},
    {"attr.cluster_16", 4, {16, 1, 1}, 16, 912, 0, {0, 0, 0}},
    {"attr.cluster_8_grid_8", 4, {8, 1, 1}, 8, 0, 0, {8, 1, 1}},
    {"attr.sched_1", 5, {1, 0, 0}, 4, 0, 0, {1, 0, 0}},
    {"attr.sched_99", 5, {99, 0, 0}, 4, 0, 0, {99, 0, 0}},
    {"attr.sync_domain_2", 10, {2, 0, 0}, 4, 1, 0, {0, 0, 0}},
    {"attr.domain_map", 9, {256, 0, 0}, 4, 0, 0, {256, 0, 0}},
    {"attr.pss_1", 6, {1, 0, 0}, 4, 1, 1, {0, 0, 0}},
    {"attr.prog_event", 7, {0, 0, 0}, 4, 1, 1, {0, 0, 0}},
    {"attr.completion_event", 12, {0, 0, 0}, 4, 1, 1, {0, 0, 0}},
    {"attr.device_updatable", 13, {1, 0, 0}, 4, 0, 0, {ANY, ANY, ANY}},
    {"attr.carveout_50", 14, {50, 0, 0}, 4, 0, 0, {50, 0, 0}},
    {"attr.carveout_200", 14, {200, 0, 0}, 4, 1, 0, {0, 0, 0}},
    {"attr.id_15", 15, {1, 0, 0}, 4, 1, 1, {0, 0, 0}},
    {"attr.nvlink_1", 16, {1, 0, 0}, 4, 0, 1, {0, 0, 0}},
    {"attr.id_99", 99, {1, 0, 0}, 4, 1, 1, {0, 0, 0}},
    {"attr.ignore", 0, {1, 0, 0}, 4, 1, 1, {0, 0, 0}},
    {"attr.sync_policy_3", 3, {3, 0, 0}, 4, 1, 1, {0, 0, 0}},
    {"attr.preferred_cluster", 11, {2, 1, 1}, 4, 1, 1, {0, 0, 0}},
};

static void attributes_are_as_measured(void) {
    size_t i, k;
    for (i = 0; i < sizeof attribute_rows / sizeof *attribute_rows; i++) {
        const struct attribute_row *row = &attribute_rows[i];
        gc_graph *graph = open_graph(rig.context);
        gc_node node = kernel_node(graph, row->blocks, 0, 7);
        gc_launch_attribute_value value, told;
        memset(&value, 0, sizeof value);
        memcpy(value.bytes, row->value, sizeof row->value);
        memset(&told, 0xff, sizeof told);
        named(row->name, gc_node_set_attribute(graph, node, row->id, &value) == row->set);
        named(row->name, gc_node_get_attribute(graph, node, row->id, &told) == row->get);
        for (k = 0; k < 3; k++)
            named(row->name, row->told[k] == ANY || told.dimensions[k] == row->told[k]);
        clear_buffer(rig.context, buffer);
        run_graph(&rig, graph);
        named(row->name, read_u32(rig.stream, buffer, 0) == 7);
        CHECK_OK(gc_graph_destroy(graph));
        answers[0] = '\0';
        answer("set=%d get=%d", row->set, row->get);
        if (row->get == 0 && row->told[0] != ANY)
            answer("value=%d.%d.%d", (int)row->told[0], (int)row->told[1], (int)row->told[2]);
        publish(row->name, answers, NULL, NULL, NULL, NULL);
    }
}

static void null_values_are_refused(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = kernel_node(graph, 1, 0, 7);
    named("attr.null_value_set", gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, NULL) == 1);
    named("attr.null_value_get", gc_node_get_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, NULL) == 1);
    publish("attr.null_value_set", "crash", "set=1", NULL, "the driver crashes", NULL);
    publish("attr.null_value_get", "crash", "get=1", NULL, "the driver crashes", NULL);
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- A node that kernels can change, which keeps its graph from much ---- */

static void updatable_nodes_are_as_measured(void) {
    gc_graph *graph = open_graph(rig.context), *clone = NULL, *parent = open_graph(rig.context);
    gc_node node = kernel_node(graph, 1, 0, 7), child = 0;
    gc_launch_attribute_value value;
    gc_graph_exec *exec = NULL, *second = NULL;
    struct kernel_call call;
    const char *wanted = "set=0 set_twice=1 unset=801 clone=801 destroy_node=801 inst=0 inst2=801 val=7 set_params=0";
    memset(&value, 0, sizeof value);
    value.number = 1;
    answers[0] = '\0';
    answer("set=%d", (int)gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE, &value));
    answer("set_twice=%d", (int)gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE, &value));
    memset(&value, 0, sizeof value);
    answer("unset=%d", (int)gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE, &value));
    answer("clone=%d", (int)gc_graph_clone(graph, &clone));
    answer("destroy_node=%d", (int)gc_graph_remove_node(graph, node));
    answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
    answer("inst2=%d", (int)gc_graph_instantiate(graph, NULL, &second));
    clear_buffer(rig.context, buffer);
    replay(&rig, exec);
    answer("val=%u", read_u32(rig.stream, buffer, 0));
    answer("set_params=%d", (int)set_kernel(graph, node, call_fill(&call, &rig, buffer, 0, 9)));
    expect("inst.device_updatable_attr", "it", answers, wanted);
    publish("inst.device_updatable_attr", wanted, NULL, NULL, NULL, NULL);
    /* The driver takes it as a child too, and crashes when this graph goes behind its parent (580). */
    CHECK_STATUS(gc_graph_add_child_node(parent, NULL, 0, graph, &child),
                 on_cuda() ? GRAPHCAP_ERROR_NOT_SUPPORTED : GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- add_kernel.block_128_maxntid_64 ---- */

static int32_t do_nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    (void)arguments;
    return 0;
}

/* A kernel that says how many threads its blocks have at most, which one for the host device cannot. */
static void a_limit_that_a_kernel_states_holds(void) {
    static const char image[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
                                ".visible .entry limited()\n.maxntid 64, 1, 1\n{\n    ret;\n}\n";
    static const gc_host_kernel kernels[] = {{(uint32_t)sizeof(gc_host_kernel), 0, "limited", do_nothing, NULL, 0, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_graph *graph = open_graph(rig.context), *added = open_graph(rig.context);
    gc_launch_config within = GRAPHCAP_LAUNCH_CONFIG(1, 64), beyond = GRAPHCAP_LAUNCH_CONFIG(1, 128);
    gc_module *module = NULL;
    gc_kernel *kernel;
    gc_graph_exec *exec;
    gc_node node = 0, new_node = 0;
    description.image = image;
    description.image_size = sizeof image;
    description.host_kernels = kernels;
    description.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    kernel = get_kernel(module, "limited");
    REQUIRE_OK(gc_graph_add_kernel_node(graph, NULL, 0, kernel, &within, NULL, 0, &node));
    exec = open_exec(graph);
    answers[0] = '\0';
    answer("add=%d", (int)gc_graph_add_kernel_node(added, NULL, 0, kernel, &beyond, NULL, 0, &new_node));
    answer("set=%d", (int)gc_node_set_kernel(graph, node, kernel, &beyond, NULL, 0));
    answer("exec=%d", (int)gc_graph_exec_set_kernel_node(exec, node, kernel, &beyond, NULL, 0));
    expect("add_kernel.block_128_maxntid_64", "it", answers, on_cuda() ? "add=1 set=1 exec=1" : "add=0 set=0 exec=0");
    publish("add_kernel.block_128_maxntid_64", "add=1 set=1 exec=1", NULL, "add=0 set=0 exec=0",
            "kernels of the host device state no limit", NULL);
    replay(&rig, exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_graph_destroy(added));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- edgedata.* ---- */

enum end { KERNEL, SET, EMPTY, HOST, CHILD };

struct edge_row {
    const char *name;
    enum end from, to;
    gc_edge_data data;
    gc_status add;
};

static const struct edge_row edge_rows[] = {
    {"edgedata.kernel_kernel_port1_type1", KERNEL, KERNEL, {1, 0, 1, {0, 0, 0, 0, 0}}, 0},
    {"edgedata.kernel_kernel_port2_type1", KERNEL, KERNEL, {2, 0, 1, {0, 0, 0, 0, 0}}, 0},
    {"edgedata.kernel_kernel_port1_type0", KERNEL, KERNEL, {1, 0, 0, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.kernel_kernel_port0_type1", KERNEL, KERNEL, {0, 0, 1, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.kernel_kernel_port2_type0", KERNEL, KERNEL, {2, 0, 0, {0, 0, 0, 0, 0}}, 0},
    {"edgedata.kernel_kernel_port3_type1", KERNEL, KERNEL, {3, 0, 1, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.kernel_kernel_toport1", KERNEL, KERNEL, {1, 1, 1, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.kernel_kernel_type2", KERNEL, KERNEL, {1, 0, 2, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.kernel_kernel_reserved", KERNEL, KERNEL, {1, 0, 1, {1, 0, 0, 0, 0}}, 1},
    {"edgedata.kernel_memset_port1_type1", KERNEL, SET, {1, 0, 1, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.memset_kernel_port1_type1", SET, KERNEL, {1, 0, 1, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.kernel_empty_port1_type1", KERNEL, EMPTY, {1, 0, 1, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.empty_kernel_port1_type1", EMPTY, KERNEL, {1, 0, 1, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.kernel_host_port1_type1", KERNEL, HOST, {1, 0, 1, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.kernel_child_port1_type1", KERNEL, CHILD, {1, 0, 1, {0, 0, 0, 0, 0}}, 1},
    {"edgedata.all_zero", KERNEL, KERNEL, {0, 0, 0, {0, 0, 0, 0, 0}}, 0},
};

static gc_node add_end(const gc_graph *graph, enum end end, unsigned index) {
    static unsigned calls;
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 16, 1, 4, 1, 1, 0);
    gc_graph *child;
    gc_node node = 0, inner = 0;
    switch (end) {
    case KERNEL: return kernel_node(graph, 1, index, 7);
    case SET: REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node)); break;
    case EMPTY: REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &node)); break;
    case HOST: REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &calls, NULL, &node)); break;
    default:
        child = open_graph(rig.context);
        REQUIRE_OK(gc_graph_add_empty_node(child, NULL, 0, &inner));
        REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
        REQUIRE_OK(gc_graph_destroy(child));
    }
    return node;
}

static void edges_are_as_measured(void) {
    size_t i, count;
    for (i = 0; i < sizeof edge_rows / sizeof *edge_rows; i++) {
        const struct edge_row *row = &edge_rows[i];
        const gc_status lossy = row->data.from_port != 0 ? GRAPHCAP_ERROR_LOSSY_QUERY : GRAPHCAP_SUCCESS;
        gc_graph *graph = open_graph(rig.context);
        gc_node from = add_end(graph, row->from, 0), to = add_end(graph, row->to, 1), ends[2];
        gc_edge_data told;
        named(row->name, gc_graph_add_dependencies(graph, &from, &to, &row->data, 1) == row->add);
        named(row->name, edges_of(graph) == (row->add == 0));
        if (row->add == 0) {
            named(row->name, gc_graph_get_edges(graph, &ends[0], &ends[1], NULL, 1, &count) == lossy);
            named(row->name, gc_node_get_dependencies(graph, to, ends, 1, &count) == lossy);
            named(row->name, gc_node_get_dependents(graph, from, ends, 1, &count) == lossy);
            CHECK_OK(gc_graph_get_edges(graph, &ends[0], &ends[1], &told, 1, &count));
            named(row->name, count == 1 && memcmp(&told, &row->data, sizeof told) == 0);
            clear_buffer(rig.context, buffer);
            run_graph(&rig, graph);
            named(row->name, read_u32(rig.stream, buffer, 0) == 7 && read_u32(rig.stream, buffer, 1) == 7);
            named(row->name, gc_graph_remove_dependencies(graph, &from, &to, 1) == 0);
            named(row->name, gc_graph_remove_dependencies(graph, &from, &to, 1) == 1);
            named(row->name, edges_of(graph) == 0);
        }
        CHECK_OK(gc_graph_destroy(graph));
        publish(row->name,
                row->add != 0   ? "add=1"
                : lossy == 0    ? "add=0 edges=0 run=7,7 remove=0 again=1"
                                : "add=0 edges=402 run=7,7 remove=0 again=1",
                NULL, NULL, NULL, NULL);
    }
}

/* ---- enable.*, exec_kernel.* ---- */

static uint32_t run_again(const gc_graph_exec *exec, size_t index) {
    clear_buffer(rig.context, buffer);
    replay(&rig, exec);
    return read_u32(rig.stream, buffer, index);
}

static void disabled_kernels_are_as_measured(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = kernel_node(graph, 4, 0, 4), next = kernel_node(graph, 1, 1, 2);
    gc_launch_attribute cluster;
    gc_edge_data programmatic = {GRAPHCAP_PORT_PROGRAMMATIC, 0, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC, {0, 0, 0, 0, 0}};
    gc_graph_exec *exec;
    gc_launch_attribute_init_dimensions(&cluster, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 1, 1);
    CHECK_OK(gc_node_set_attribute(graph, node, cluster.id, &cluster.value));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, node, 0));
    named("enable.cluster_off", run_again(exec, 0) == 0);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, node, 1));
    named("enable.cluster_off", run_again(exec, 0) == 4);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_add_dependencies(graph, &node, &next, &programmatic, 1));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, node, 0));
    named("enable.programmatic_edge_head_off", run_again(exec, 0) == 0 && read_u32(rig.stream, buffer, 1) == 2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    publish("enable.cluster_off", "off=0 val=0 on=0 val=4", NULL, NULL, NULL, NULL);
    publish("enable.programmatic_edge_head_off", "off=0 val=0,2", NULL, NULL, NULL, NULL);
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Edges that carry something: removed by other data, and copied ---- */

static void carried_edges_are_as_measured(void) {
    const gc_edge_data programmatic = {GRAPHCAP_PORT_PROGRAMMATIC, 0, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC, {0, 0, 0, 0, 0}};
    gc_graph *graph = open_graph(rig.context), *clone = NULL;
    gc_node from = kernel_node(graph, 1, 0, 7), to = kernel_node(graph, 1, 1, 7), ends[2];
    gc_edge_data told = {0, 0, 0, {0, 0, 0, 0, 0}};
    size_t count = 0;
    CHECK_OK(gc_graph_add_dependencies(graph, &from, &to, &programmatic, 1));
    CHECK_OK(gc_graph_clone(graph, &clone));
    named("edgedata.clone_keeps", gc_graph_get_edges(clone, &ends[0], &ends[1], &told, 1, &count) == 0 && count == 1 &&
                                      memcmp(&told, &programmatic, sizeof told) == 0);
    publish("edgedata.clone_keeps", "rc=0 data=1.0.1", NULL, NULL, NULL, NULL);
    named("edgedata.remove_with_null_data", gc_graph_remove_dependencies(graph, &from, &to, 1) == 0 && edges_of(graph) == 0);
    publish("edgedata.remove_with_null_data", "rm=0 left=0", NULL, NULL, NULL, NULL);
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
}

static void kernels_of_execs_are_as_measured(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = kernel_node(graph, 4, 0, 1);
    gc_launch_attribute attribute;
    struct kernel_call call;
    gc_graph_exec *exec;
    gc_launch_attribute_init_dimensions(&attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 1, 1);
    CHECK_OK(gc_node_set_attribute(graph, node, attribute.id, &attribute.value));
    exec = open_exec(graph);
    call_fill(&call, &rig, buffer, 0, 5);
    call.config.grid_dim[0] = 4;
    named("exec_kernel.cluster_attr_kept", exec_set_kernel(exec, node, &call) == 0 && run_again(exec, 0) == 5);
    CHECK_OK(gc_graph_exec_destroy(exec));
    gc_launch_attribute_init_dimensions(&attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 0, 0, 0);
    CHECK_OK(gc_node_set_attribute(graph, node, attribute.id, &attribute.value));
    gc_launch_attribute_init_number(&attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, 1);
    CHECK_OK(gc_node_set_attribute(graph, node, attribute.id, &attribute.value));
    exec = open_exec(graph);
    call.config.grid_dim[0] = 1 << 20;
    named("exec_kernel.coop_attr_grid_too_big", exec_set_kernel(exec, node, &call) == 720 && run_again(exec, 0) == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    publish("exec_kernel.cluster_attr_kept", "set=0 val=5", NULL, NULL, NULL, NULL);
    publish("exec_kernel.coop_attr_grid_too_big", "set=720 val=1", NULL, NULL, NULL, NULL);
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    RUN(attributes_are_as_measured);
    RUN(null_values_are_refused);
    RUN(updatable_nodes_are_as_measured);
    RUN(a_limit_that_a_kernel_states_holds);
    RUN(edges_are_as_measured);
    RUN(disabled_kernels_are_as_measured);
    RUN(carried_edges_are_as_measured);
    RUN(kernels_of_execs_are_as_measured);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
