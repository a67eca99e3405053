/* Holds the device that is tested against what NVIDIA's driver was measured to answer about handles that are none, NULL, threads
 * without a current context, objects that graphs keep, and lists of nodes. */
#include "works.h"

#include <pthread.h>

/* ---- misuse.*: destroyed objects, and numbers that never were any ---- */

#define AS_GRAPH(number) ((gc_graph *)(uintptr_t)(number))
#define AS_EXEC(number) ((gc_graph_exec *)(uintptr_t)(number))

static void misuse_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *gone = open_graph(bed.rig.context);
    gc_graph_exec *exec, *no_exec = NULL;
    gc_kernel_node_params params = GRAPHCAP_KERNEL_NODE_PARAMS_INIT;
    gc_node node = stores(graph, NULL, 0, 0, 1), last = stores(gone, NULL, 0, 0, 1), listed[2], found = 9;
    const gc_node garbage = UINT64_C(0x123456789abc);
    uint32_t kind = 9;
    size_t count = 9;
    exec = open_exec(graph);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(gone));
    if (is(name, "graph_destroyed_get_nodes"))
        answer("rc=%d", (int)gc_graph_get_nodes(gone, listed, 2, &count));
    else if (is(name, "graph_destroyed_instantiate"))
        answer("rc=%d", (int)gc_graph_instantiate(gone, NULL, &no_exec));
    else if (is(name, "graph_destroyed_twice"))
        answer("rc=%d", (int)gc_graph_destroy(gone));
    else if (is(name, "graph_destroy_then_add"))
        answer("rc=%d", (int)gc_graph_add_empty_node(gone, NULL, 0, &found));
    else if (is(name, "exec_destroyed_launch"))
        answer("rc=%d", (int)gc_graph_launch(exec, bed.rig.stream));
    else if (is(name, "node_of_destroyed_graph_get_type"))
        answer("rc=%d", (int)gc_node_kind(gone, last, &kind));
    else if (is(name, "garbage_graph"))
        answer("rc=%d", (int)gc_graph_get_nodes(AS_GRAPH(&garbage), listed, 2, &count));
    else if (is(name, "unmapped_graph"))
        answer("rc=%d", (int)gc_graph_get_nodes(AS_GRAPH(0x7000), listed, 2, &count));
    else if (is(name, "garbage_exec_launch"))
        answer("rc=%d", (int)gc_graph_launch(AS_EXEC(&garbage), bed.rig.stream));
    else if (is(name, "garbage_exec_destroy"))
        answer("rc=%d", (int)gc_graph_exec_destroy(AS_EXEC(&garbage)));
    else if (is(name, "unmapped_exec"))
        answer("rc=%d", (int)gc_graph_launch(AS_EXEC(0x7000), bed.rig.stream));
    else if (is(name, "garbage_node_type"))
        answer("rc=%d", (int)gc_node_kind(graph, garbage, &kind));
    else if (is(name, "unmapped_node"))
        answer("rc=%d", (int)gc_node_kind(graph, 0x7000, &kind));
    else if (is(name, "garbage_node_get_params"))
        answer("rc=%d", (int)gc_node_get_kernel_params(graph, garbage, &params));
    else if (is(name, "garbage_node_find")) {
        gc_graph *clone = NULL;
        CHECK_OK(gc_graph_clone(graph, &clone));
        answer("rc=%d", (int)gc_node_find_in_clone(graph, garbage, clone, &found));
        CHECK_OK(gc_graph_destroy(clone));
    } else {
        CHECK_OK(gc_graph_remove_node(graph, node));
        if (is(name, "destroyed_node_get_type"))
            answer("rc=%d", (int)gc_node_kind(graph, node, &kind));
        else
            answer("rc=%d", (int)gc_node_get_dependencies(graph, node, listed, 2, &count));
    }
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- nulls.* ---- */

static void nulls_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *clone = NULL;
    gc_node kernel = stores(graph, NULL, 0, 0, 1), copy = 0, set = 0, host = 0, values = 0, child = 0, found = 0;
    const gc_memset_params fill = GRAPHCAP_MEMSET_INIT(bed.target, 0, 1, 4, 1, 1, 0);
    const gc_memcpy_params move = GRAPHCAP_MEMCPY_INIT_DTOD(bed.target, 0, bed.source, 0, 64);
    const gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(bed.values, 0, 1, 0);
    const gc_launch_config *no_config = NULL;
    gc_graph_exec *exec;
    gc_buffer *memory = NULL;
    struct kernel_call call;
    call_fill(&call, &bed.rig, bed.target, 0, 1);
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &move, &copy));
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &fill, &set));
    REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, count_if_any, NULL, NULL, &host));
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, NULL, 0, &write, 1, &values));
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, bed.child, &child));
    exec = open_exec(graph);
    answer("rc=%d",
           (int)(is(name, "kernel_set") ? gc_node_set_kernel(graph, kernel, call.kernel, no_config, call.arguments, call.count)
                 : is(name, "kernel_exec_set")
                     ? gc_graph_exec_set_kernel_node(exec, kernel, call.kernel, no_config, call.arguments, call.count)
                 : is(name, "kernel_get")           ? gc_node_get_kernel_params(graph, kernel, NULL)
                 : is(name, "memcpy_exec_set")      ? gc_graph_exec_set_memcpy_node(exec, copy, NULL)
                 : is(name, "memset_set")           ? gc_node_set_memset(graph, set, NULL)
                 : is(name, "memset_exec_set")      ? gc_graph_exec_set_memset_node(exec, set, NULL)
                 : is(name, "host_set")             ? gc_node_set_host(graph, host, NULL, NULL, NULL)
                 : is(name, "host_exec_set")        ? gc_graph_exec_set_host_node(exec, host, NULL, NULL, NULL)
                 : is(name, "batch_set")            ? gc_node_set_batch_mem_op(graph, values, NULL, 1)
                 : is(name, "batch_exec_set")       ? gc_graph_exec_set_batch_mem_op_node(exec, values, NULL, 1)
                 : is(name, "batch_get")            ? gc_node_get_mem_op_params(graph, values, 0, NULL, NULL)
                 : is(name, "type_out")             ? gc_node_kind(graph, kernel, NULL)
                 : is(name, "exec_child_set_node")  ? gc_graph_exec_set_child_node(exec, 0, bed.child)
                 : is(name, "host_get")             ? gc_node_get_host_params(graph, host, NULL)
                 : is(name, "update_info")          ? gc_graph_exec_update(exec, graph, 0, NULL)
                 : is(name, "free_get")             ? gc_node_get_mem_free_params(graph, kernel, NULL)
                 : is(name, "kernel_set_node")      ? set_kernel(graph, 0, &call)
                 : is(name, "kernel_exec_set_node") ? exec_set_kernel(exec, 0, &call)
                 : is(name, "memcpy_add_params")    ? gc_graph_add_memcpy_node(graph, NULL, 0, NULL, &found)
                 : is(name, "host_add_params")      ? gc_graph_add_host_node(graph, NULL, 0, NULL, NULL, NULL, &found)
                 : is(name, "batch_add_params")     ? gc_graph_add_batch_mem_op_node(graph, NULL, 0, NULL, 1, &found)
                 : is(name, "alloc_add_params")     ? gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &found, NULL)
                 : is(name, "enable_node")          ? gc_graph_exec_set_node_enabled(exec, 0, 0)
                 : is(name, "enable_exec")          ? gc_graph_exec_set_node_enabled(NULL, kernel, 0)
                 : is(name, "deps_count")           ? gc_node_get_dependencies(graph, kernel, NULL, 0, NULL)
                                                    : gc_graph_clone(graph, &clone)));
    if (is(name, "find_original")) {
        answers[0] = '\0';
        answer("rc=%d", (int)gc_node_find_in_clone(graph, 0, clone, &found));
    }
    CHECK(memory == NULL && found == 0 && nodes_of(graph) == 6);
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- nocontext.*: calls on a thread that has no current context ---- */

static struct {
    const char *name;
    gc_graph *graph, *made, *with_condition;
    gc_graph_exec *exec;
    gc_node node;
} lonely;

static void discard(void *user_data) {
    (void)user_data;
}

static void *call_alone(void *unused) {
    const char *name = lonely.name;
    struct kernel_call call;
    gc_node node = 0, listed[8];
    gc_buffer *memory = NULL;
    gc_graph_exec *exec = NULL;
    gc_kernel_node_params params = GRAPHCAP_KERNEL_NODE_PARAMS_INIT;
    gc_condition condition = 0;
    size_t count = 0;
    gc_status status;
    (void)unused;
    call_fill(&call, &bed.rig, bed.target, 0, 1);
    if (is(name, "launch")) {
        status = gc_graph_launch(lonely.exec, bed.rig.stream);
        CHECK_OK(gc_stream_synchronize(bed.rig.stream));
    } else if (is(name, "upload"))
        status = gc_graph_upload(lonely.exec, bed.rig.stream);
    else if (is(name, "create"))
        status = gc_graph_create(bed.rig.context, &lonely.made);
    else if (is(name, "add_empty"))
        status = gc_graph_add_empty_node(lonely.graph, NULL, 0, &node);
    else if (is(name, "add_kernel"))
        status = add_kernel(lonely.graph, NULL, 0, &call, &node);
    else if (is(name, "add_memset"))
        status = memset_work("good", ADD, lonely.graph, &node);
    else if (is(name, "add_memcpy_ctx_null"))
        status = memcpy_work("d2d", ADD, lonely.graph, &node);
    else if (is(name, "add_host"))
        status = host_work("good", ADD, lonely.graph, &node);
    else if (is(name, "add_event_record"))
        status = event_work("record", ADD, lonely.graph, &node);
    else if (is(name, "add_child_that_owns_a_cond_handle"))
        status = gc_graph_add_child_node(lonely.graph, NULL, 0, lonely.with_condition, &node);
    else if (is(name, "add_alloc")) {
        status = gc_graph_add_mem_alloc_node(lonely.graph, NULL, 0, 64, &node, &memory);
        CHECK_OK(gc_buffer_destroy(memory));
    } else if (is(name, "cond_handle"))
        status = gc_graph_create_condition(lonely.graph, 0, 0, &condition);
    else if (is(name, "cond_node"))
        status = conditional_work("", ADD, lonely.graph, &node);
    else if (is(name, "instantiate_params")) {
        status = gc_graph_instantiate(lonely.graph, NULL, &exec);
        CHECK_OK(gc_graph_exec_destroy(exec));
    } else if (is(name, "exec_update"))
        status = gc_graph_exec_update(lonely.exec, lonely.graph, 0, NULL);
    else if (is(name, "exec_kernel_set"))
        status = exec_set_kernel(lonely.exec, lonely.node, &call);
    else if (is(name, "graph_destroy")) {
        status = gc_graph_destroy(lonely.graph);
        lonely.graph = NULL;
    } else if (is(name, "destroy_node"))
        status = gc_graph_remove_node(lonely.graph, lonely.node);
    else if (is(name, "get_nodes"))
        status = gc_graph_get_nodes(lonely.graph, listed, 8, &count);
    else if (is(name, "kernel_get"))
        status = gc_node_get_kernel_params(lonely.graph, lonely.node, &params);
    else if (is(name, "dot"))
        status = gc_graph_export_dot(lonely.graph, GRAPHCAP_DOT_VERBOSE, NULL, 0, &count);
    else if (is(name, "mem_trim"))
        status = gc_context_graph_memory_trim(bed.rig.context);
    else if (is(name, "user_object"))
        status = gc_graph_retain_callback(lonely.graph, NULL, discard);
    else {
        status = gc_stream_begin_capture_to_graph(bed.rig.stream, lonely.graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_OK(gc_stream_end_capture(bed.rig.stream, &lonely.made));
    }
    answer("rc=%d", (int)status);
    return NULL;
}

static void nocontext_row(const char *name) {
    pthread_t thread;
    gc_node node = 0;
    memset(&lonely, 0, sizeof lonely);
    lonely.name = name;
    lonely.graph = open_graph(bed.rig.context);
    lonely.node = stores(lonely.graph, NULL, 0, 0, 1);
    lonely.exec = open_exec(lonely.graph);
    lonely.with_condition = open_graph(bed.rig.context);
    CHECK_OK(conditional_work("", ADD, lonely.with_condition, &node));
    bed_clear();
    if (check_failed(pthread_create(&thread, NULL, call_alone, NULL) == 0))
        exit(EXIT_FAILURE);
    pthread_join(thread, NULL);
    if (is(name, "launch"))
        answer_words(1);
    CHECK_OK(gc_graph_destroy(lonely.made));
    CHECK_OK(gc_graph_exec_destroy(lonely.exec));
    CHECK_OK(gc_graph_destroy(lonely.with_condition));
    CHECK_OK(gc_graph_destroy(lonely.graph));
}

/* ---- userobj.* ---- */

static unsigned destroyed;

static void destroy_one(void *user_data) {
    (void)user_data;
    __atomic_fetch_add(&destroyed, 1, __ATOMIC_ACQ_REL);
}

/* How many objects are destroyed; waits for those that are about to be. */
static unsigned destroyed_of(unsigned expected) {
    int rounds;
    for (rounds = 0; rounds < 2000; rounds++) {
        CHECK_OK(gc_context_collect(bed.rig.context));
        if (__atomic_load_n(&destroyed, __ATOMIC_ACQUIRE) >= expected)
            break;
        pause_ms(1);
    }
    return __atomic_load_n(&destroyed, __ATOMIC_ACQUIRE);
}

static void count_into(void *user_data) {
    ++*(unsigned *)user_data;
}

static void userobj_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *clone = NULL, *parent = NULL;
    gc_graph_exec *exec = NULL;
    gc_node node = 0;
    unsigned calls = 0;
    destroyed = 0;
    if (is(name, "create_bad")) {
        answer("fn_null=%d", (int)gc_graph_retain_callback(graph, NULL, NULL));
    } else if (is(name, "retain_release_bad")) {
        answer("graph_null=%d", (int)gc_graph_retain_callback(NULL, NULL, destroy_one));
        answer("destroyed=%u", destroyed_of(1));
    } else if (is(name, "graph_destroy")) {
        answer("retain=%d", (int)gc_graph_retain_callback(graph, NULL, destroy_one));
        answer("before=%u", destroyed_of(0));
        CHECK_OK(gc_graph_destroy(graph));
        graph = NULL;
        answer("after=%u", destroyed_of(1));
    } else if (is(name, "clone_child_exec")) {
        CHECK_OK(gc_graph_retain_callback(graph, NULL, destroy_one));
        stores(graph, NULL, 0, 0, 1);
        parent = open_graph(bed.rig.context);
        CHECK_OK(gc_graph_clone(graph, &clone));
        CHECK_OK(gc_graph_add_child_node(parent, NULL, 0, graph, &node));
        exec = open_exec(graph);
        CHECK_OK(gc_graph_destroy(graph));
        answer("graph_gone=%u", destroyed_of(0));
        CHECK_OK(gc_graph_destroy(clone));
        answer("clone_gone=%u", destroyed_of(0));
        CHECK_OK(gc_graph_exec_destroy(exec));
        answer("exec_gone=%u", destroyed_of(0));
        CHECK_OK(gc_graph_destroy(parent));
        answer("parent_gone=%u", destroyed_of(1));
        return;
    } else if (is(name, "exec_child_set_params")) {
        gc_graph *other = open_graph(bed.rig.context);
        CHECK_OK(gc_graph_retain_callback(graph, NULL, destroy_one));
        stores(graph, NULL, 0, 0, 1);
        stores(other, NULL, 0, 0, 2);
        parent = open_graph(bed.rig.context);
        CHECK_OK(gc_graph_add_child_node(parent, NULL, 0, graph, &node));
        CHECK_OK(gc_graph_destroy(graph));
        exec = open_exec(parent);
        answer("exec_child_set=%d", (int)gc_graph_exec_set_child_node(exec, node, other));
        CHECK_OK(gc_graph_destroy(parent));
        answer("parent_gone=%u", destroyed_of(1));
        CHECK_OK(gc_graph_exec_destroy(exec));
        answer("exec_gone=%u", destroyed_of(1));
        CHECK_OK(gc_graph_destroy(other));
        return;
    } else if (is(name, "update_swaps") || is(name, "refused_update_keeps")) {
        gc_graph *source = open_graph(bed.rig.context);
        CHECK_OK(gc_graph_retain_callback(graph, NULL, destroy_one));
        node = stores(graph, NULL, 0, 0, 1);
        node = stores(source, NULL, 0, 0, 2);
        if (is(name, "refused_update_keeps"))
            stores(source, &node, 1, 1, 2);
        exec = open_exec(graph);
        CHECK_OK(gc_graph_destroy(graph));
        graph = NULL;
        answer("update=%d", (int)gc_graph_exec_update(exec, source, 0, NULL));
        answer("after_update=%u", destroyed_of(is(name, "update_swaps")));
        CHECK_OK(gc_graph_exec_destroy(exec));
        exec = NULL;
        CHECK(destroyed_of(1) == 1);
        CHECK_OK(gc_graph_destroy(source));
    } else {
        CHECK_OK(gc_graph_retain_callback(graph, NULL, destroy_one));
        CHECK_OK(gc_graph_add_host_node(graph, NULL, 0, count_into, &calls, NULL, &node));
        exec = open_exec(graph);
        CHECK_OK(gc_graph_launch(exec, bed.rig.stream));
        CHECK_OK(gc_graph_destroy(graph));
        graph = NULL;
        answer("exec_destroy=%d", (int)gc_graph_exec_destroy(exec));
        exec = NULL;
        CHECK_OK(gc_stream_synchronize(bed.rig.stream));
        answer("after=%u", destroyed_of(1));
        answer("host_calls=%u", calls);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- graph.*, capacity.*: graphs without nodes, and arrays that are too small ---- */

static void graph_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context);
    gc_graph_exec *exec = NULL;
    gc_node roots[1];
    size_t count = 9;
    if (is(name, "create_flags")) {
        answer("null_out=%d", (int)gc_graph_create(bed.rig.context, NULL));
    } else if (is(name, "empty")) {
        answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        answer("run=%d", (int)gc_graph_launch(exec, bed.rig.stream));
        CHECK_OK(gc_stream_synchronize(bed.rig.stream));
        answer("upload=%d", (int)gc_graph_upload(exec, bed.rig.stream));
        answer("roots=%d", (int)gc_graph_get_roots(graph, roots, 1, &count));
        answer("n=%u", (unsigned)count);
    } else if (is(name, "null_count")) {
        answer("get_nodes=%d", (int)gc_graph_get_nodes(graph, NULL, 0, NULL));
    } else {
        answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, NULL));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static gc_status list(const char *name, const gc_graph *graph, gc_node node, gc_node *into, size_t capacity, size_t *count) {
    gc_node to[8];
    return is(name, "nodes")   ? gc_graph_get_nodes(graph, into, capacity, count)
           : is(name, "roots") ? gc_graph_get_roots(graph, into, capacity, count)
           : is(name, "edges") ? gc_graph_get_edges(graph, into, into == NULL ? NULL : to, NULL, capacity, count)
                               : gc_node_get_dependencies(graph, node, into, capacity, count);
}

static void capacity_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context);
    gc_node nodes[4], listed[8], node = 0;
    size_t capacity, i, count;
    for (i = 0; i < 4; i++)
        nodes[i] = stores(graph, NULL, 0, (unsigned)i, 1);
    if (is(name, "edges") || is(name, "deps"))
        REQUIRE_OK(gc_graph_add_empty_node(graph, nodes, 4, &node));
    for (capacity = 0; capacity <= 6; capacity += 2) {
        gc_status status = list(name, graph, node, listed, capacity, &count);
        answer("cap%u=%d/n%u", (unsigned)capacity, (int)status, (unsigned)count);
    }
    answer("null=%d", (int)list(name, graph, node, NULL, 0, &count));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- dot.* ---- */

static void dot_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context);
    static char text[8192];
    const uint32_t flags = is(name, "all_16") ? 0xffff : is(name, "empty_graph") ? 0 : UINT32_C(1) << atoi(name + 3);
    size_t needed = 0;
    if (!is(name, "empty_graph"))
        stores(graph, NULL, 0, 0, 1);
    answer("rc=%d", (int)gc_graph_export_dot(graph, flags, text, sizeof text, &needed));
    CHECK(answers[3] != '0' || (needed == strlen(text) + 1 && strncmp(text, "digraph", 7) == 0));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- event_destroyed.*, clone.*, find.*: what nodes keep, and what copies have ---- */

static void event_row(const char *name) {
    const int records = strncmp(name, "record", 6) == 0;
    gc_graph *graph = open_graph(bed.rig.context);
    gc_graph_exec *exec = NULL;
    gc_event *event = open_event(bed.rig.context), *found = NULL;
    gc_node node = 0;
    REQUIRE_OK(records ? gc_graph_add_event_record_node(graph, NULL, 0, event, &node)
                       : gc_graph_add_event_wait_node(graph, NULL, 0, event, &node));
    if (strstr(name, "then_launch") != NULL || strstr(name, "then_update") != NULL)
        exec = open_exec(graph);
    answer("destroy=%d", (int)gc_event_destroy(event));
    if (is(name, "record_get_event")) {
        answer("get=%d", (int)gc_node_get_event(graph, node, &found));
    } else if (is(name, "record_then_update")) {
        answer("update=%d", (int)gc_graph_exec_update(exec, graph, 0, NULL));
        replay(&bed.rig, exec);
    } else {
        if (exec == NULL)
            answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        answer("run=%d", (int)gc_graph_launch(exec, bed.rig.stream));
        CHECK_OK(gc_stream_synchronize(bed.rig.stream));
    }
    CHECK_OK(gc_event_destroy(found));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void copy_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *clone = NULL, *within = NULL, *within_clone = NULL;
    gc_node node, child = 0, copied_child = 0, inner[1], found = 0;
    if (is(name, "keeps_attributes_and_order")) {
        gc_launch_attribute_value value;
        memset(&value, 0, sizeof value);
        value.number = -3;
        node = stores(graph, NULL, 0, 0, 1);
        answer("set=%d", (int)gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &value));
        CHECK_OK(gc_graph_clone(graph, &clone));
        CHECK_OK(gc_node_find_in_clone(graph, node, clone, &found));
        memset(&value, 0, sizeof value);
        answer("get=%d", (int)gc_node_get_attribute(clone, found, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &value));
        answer("priority=%d", (int)value.number);
    } else {
        gc_graph *original = open_graph(bed.rig.context);
        node = stores(original, NULL, 0, 0, 1);
        REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, original, &child));
        REQUIRE_OK(gc_node_get_graph(graph, child, 0, &within));
        CHECK_OK(gc_graph_get_nodes(within, inner, 1, NULL));
        CHECK_OK(gc_graph_clone(graph, &clone));
        CHECK_OK(gc_node_find_in_clone(graph, child, clone, &copied_child));
        CHECK_OK(gc_node_get_graph(clone, copied_child, 0, &within_clone));
        answer("inner_in_clone=%d", (int)gc_node_find_in_clone(within, inner[0], clone, &found));
        answer("inner_in_inner_clone=%d", (int)gc_node_find_in_clone(within, inner[0], within_clone, &found));
        answer("original_in_child_handle=%d", (int)gc_node_find_in_clone(original, node, within, &found));
        answer("original_in_clone=%d", (int)gc_node_find_in_clone(original, node, clone, &found));
        CHECK_OK(gc_graph_destroy(original));
    }
    CHECK_OK(gc_graph_destroy(within_clone));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
}

#define ALIKE NULL, NULL, NULL
#define STALE_ROW(name, driver) {"misuse." name, misuse_row, driver, "rc=400", STALE, NULL}
#define NO_NODE "a number that names no node of the graph is refused with 1"
#define NODE_ROW(name, driver) {"misuse." name, misuse_row, driver, "rc=1", NO_NODE, NULL}
#define NULL_ROW(name) {"nulls." name, nulls_row, "rc=1", ALIKE}
#define ALONE "graphcap makes its context current where the driver needs one"
#define ALONE_ROW(name) {"nocontext." name, nocontext_row, "rc=0", ALIKE}
#define TOO_SMALL "an array that is too small gets what fits, and -6; a capacity of 0 asks for the number alone"
#define CAPACITY_ROW(name)                                                                                              \
    {"capacity." name, capacity_row, "cap0=1/n0 cap2=0/n2 cap4=0/n4 cap6=0/n4 null=0",                                  \
     "cap0=0/n4 cap2=-6/n4 cap4=0/n4 cap6=0/n4 null=0", TOO_SMALL, NULL}
#define DOT_ROW(name) {"dot." name, dot_row, "rc=0", ALIKE}
#define DOT_REFUSED(name) {"dot." name, dot_row, "rc=0", "rc=1", "an unknown flag is refused", NULL}
#define KEPT "a node keeps its event"

static const struct row rows[] = {
    STALE_ROW("graph_destroyed_get_nodes", "rc=1"),
    STALE_ROW("graph_destroyed_instantiate", "rc=1"),
    STALE_ROW("graph_destroyed_twice", "rc=1"),
    STALE_ROW("graph_destroy_then_add", "rc=1"),
    STALE_ROW("exec_destroyed_launch", "rc=1"),
    STALE_ROW("node_of_destroyed_graph_get_type", "rc=0"),
    NODE_ROW("destroyed_node_get_type", "rc=0"),
    NODE_ROW("destroyed_node_get_dependencies", "rc=0"),
    STALE_ROW("garbage_graph", "rc=1"),
    STALE_ROW("garbage_exec_launch", "rc=1"),
    STALE_ROW("garbage_exec_destroy", "rc=1"),
    NODE_ROW("garbage_node_type", "rc=0"),
    NODE_ROW("garbage_node_get_params", "rc=0"),
    NODE_ROW("garbage_node_find", "crash"),
    STALE_ROW("unmapped_graph", "crash"),
    STALE_ROW("unmapped_exec", "crash"),
    NODE_ROW("unmapped_node", "crash"),

    NULL_ROW("kernel_set"),
    NULL_ROW("kernel_exec_set"),
    NULL_ROW("kernel_get"),
    NULL_ROW("memcpy_exec_set"),
    NULL_ROW("memset_set"),
    NULL_ROW("memset_exec_set"),
    NULL_ROW("host_set"),
    NULL_ROW("host_exec_set"),
    NULL_ROW("batch_set"),
    NULL_ROW("batch_exec_set"),
    NULL_ROW("batch_get"),
    NULL_ROW("host_get"),
    NULL_ROW("type_out"),
    NULL_ROW("exec_child_set_node"),
    NULL_ROW("free_get"),
    NULL_ROW("kernel_set_node"),
    NULL_ROW("kernel_exec_set_node"),
    NULL_ROW("memcpy_add_params"),
    NULL_ROW("host_add_params"),
    NULL_ROW("batch_add_params"),
    NULL_ROW("alloc_add_params"),
    NULL_ROW("enable_node"),
    {"nulls.enable_exec", nulls_row, "rc=1", "rc=400", STALE, NULL},
    NULL_ROW("find_original"),
    NULL_ROW("deps_count"),
    {"nulls.update_info", nulls_row, "rc=0", ALIKE},

    {"nocontext.launch", nocontext_row, "rc=0 val=1", ALIKE},
    ALONE_ROW("upload"),
    ALONE_ROW("create"),
    ALONE_ROW("add_empty"),
    {"nocontext.add_kernel", nocontext_row, "crash", "rc=0", ALONE, NULL},
    ALONE_ROW("add_memset"),
    ALONE_ROW("add_memcpy_ctx_null"),
    ALONE_ROW("add_host"),
    ALONE_ROW("add_event_record"),
    {"nocontext.add_child_that_owns_a_cond_handle", nocontext_row, "rc=801", ALIKE},
    ALONE_ROW("add_alloc"),
    ALONE_ROW("cond_handle"),
    ALONE_ROW("cond_node"),
    {"nocontext.instantiate_params", nocontext_row, "rc=201", "rc=0", ALONE, NULL},
    ALONE_ROW("exec_update"),
    {"nocontext.exec_kernel_set", nocontext_row, "crash", "rc=0", ALONE, NULL},
    ALONE_ROW("graph_destroy"),
    ALONE_ROW("destroy_node"),
    ALONE_ROW("get_nodes"),
    ALONE_ROW("kernel_get"),
    ALONE_ROW("dot"),
    ALONE_ROW("mem_trim"),
    ALONE_ROW("user_object"),
    ALONE_ROW("begin_capture_to_graph"),

    {"userobj.create_bad", userobj_row, "fn_null=1", ALIKE},
    {"userobj.retain_release_bad", userobj_row, "graph_null=1 destroyed=0", "graph_null=400 destroyed=1",
     "a handle that is none is refused with 400, and the object is destroyed", NULL},
    {"userobj.graph_destroy", userobj_row, "retain=0 before=0 after=1", ALIKE},
    {"userobj.clone_child_exec", userobj_row, "graph_gone=0 clone_gone=0 exec_gone=0 parent_gone=1", ALIKE},
    {"userobj.update_swaps", userobj_row, "update=0 after_update=1", ALIKE},
    {"userobj.refused_update_keeps", userobj_row, "update=910 after_update=0", ALIKE},
    {"userobj.exec_child_set_params", userobj_row, "exec_child_set=0 parent_gone=1 exec_gone=1", ALIKE},
    {"userobj.in_flight", userobj_row, "exec_destroy=0 after=1 host_calls=1", ALIKE},

    {"graph.create_flags", graph_row, "null_out=1", ALIKE},
    {"graph.empty", graph_row, "inst=0 run=0 upload=0 roots=0 n=0", ALIKE},
    {"graph.null_count", graph_row, "get_nodes=1", ALIKE},
    {"graph.null_exec_out", graph_row, "inst=1", ALIKE},
    CAPACITY_ROW("nodes"),
    CAPACITY_ROW("roots"),
    CAPACITY_ROW("edges"),
    CAPACITY_ROW("deps"),

    DOT_ROW("bit0"), DOT_ROW("bit1"), DOT_ROW("bit2"), DOT_ROW("bit3"), DOT_ROW("bit5"), DOT_ROW("bit6"),
    DOT_ROW("bit7"), DOT_ROW("bit8"), DOT_ROW("bit9"), DOT_ROW("bit13"), DOT_ROW("bit15"),
    DOT_REFUSED("bit16"), DOT_REFUSED("bit17"), DOT_REFUSED("bit31"), DOT_ROW("all_16"), DOT_ROW("empty_graph"),

    {"event_destroyed.wait_before_instantiate", event_row, "destroy=0 crash", "destroy=0 inst=0 run=0", KEPT, NULL},
    {"event_destroyed.record_then_launch", event_row, "destroy=0 run=0", ALIKE},
    {"event_destroyed.wait_then_launch", event_row, "destroy=0 crash", "destroy=0 run=0", KEPT, NULL},
    {"event_destroyed.record_then_update", event_row, "destroy=0 update=0", ALIKE},
    {"event_destroyed.record_get_event", event_row, "destroy=0 get=0", ALIKE},
    {"clone.keeps_attributes_and_order", copy_row, "set=0 get=0 priority=-3", ALIKE},
    {"find.inner_node_of_child", copy_row,
     "inner_in_clone=1 inner_in_inner_clone=0 original_in_child_handle=0 original_in_clone=1", ALIKE},
};

static const struct out_of_reach not_reached[] = {
    {"nulls.exec_node_set", "there is no such function"},
    {"nocontext.add_kernel_ctx_field, nocontext.add_kernel_kern_and_ctx_field", "graphcap chooses between function and kernel itself"},
    {"userobj.graph_release_*, userobj.plain_release, userobj.release_more_*, userobj.after_destroyed, userobj.move_more_than_owned",
     "objects have no counts to release; each goes with the last that keeps it"},
    {"dot.bad_path", "the text goes into memory of the caller's"},
};

static void rows_answer_as_measured(void) {
    try_rows(rows, LENGTH_OF(rows));
    tell_out_of_reach(not_reached, LENGTH_OF(not_reached));
    tell_counts();
    CHECK(tried > 90);
}

int main(void) {
    bed_open();
    RUN(rows_answer_as_measured);
    bed_close();
    return check_finish();
}
