/* Conditions that kernels set: by graphcap/device.cuh on a GPU, by gc_host_set_conditional() on the host device. */
#include "loop.h"

static struct rig rig;

/* A while whose body counts until the limit; each launch begins with a turn. */
static void a_kernel_ends_a_loop(void) {
    static const uint32_t limits[] = {1, 2, 100};
    gc_module *module = load_loop(rig.context);
    gc_kernel *kernel = get_kernel(module, "loop");
    gc_buffer *count = open_buffer(rig.context, 4);
    const gc_launch_config one_thread = GRAPHCAP_LAUNCH_CONFIG_INIT;
    size_t i;
    for (i = 0; i < LENGTH_OF(limits); i++) {
        uint32_t limit = limits[i];
        gc_graph *graph = open_graph(rig.context), *body = NULL;
        gc_condition condition = 0;
        gc_node decision = 0, node = 0;
        gc_graph_exec *exec;
        REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
        REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &decision));
        REQUIRE_OK(gc_node_get_graph(graph, decision, 0, &body));
        {
            gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(condition), GRAPHCAP_ARG_INIT_BUFFER(count),
                                         GRAPHCAP_ARG_INIT_VALUE(limit)};
            REQUIRE_OK(gc_graph_add_kernel_node(body, NULL, 0, kernel, &one_thread, arguments, 3, &node));
        }
        exec = open_exec(graph);
        CHECK_OK(gc_stream_memset(rig.stream, count, 0, 0, 4, 1));
        replay(&rig, exec);
        CHECK(read_u32(rig.stream, count, 0) == limit);
        replay(&rig, exec); /* the default again: one turn */
        CHECK(read_u32(rig.stream, count, 0) == limit + 1);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(body));
        CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK_OK(gc_buffer_destroy(count));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
}

int main(void) {
    rig_open(&rig);
    RUN(a_kernel_ends_a_loop);
    rig_close(&rig);
    return check_finish();
}
