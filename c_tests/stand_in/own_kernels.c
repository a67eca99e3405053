/* graphcap's own kernels on a driver that refuses the cubins: each is asked for once, and the PTX is taken. */
#include "../graph/nodes.h"
#include "harness.h"

static struct rig rig;

static void the_ptx_is_taken_where_the_cubin_is_refused(void) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_rng_uniform_params fill = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    gc_rng *rng = NULL;
    gc_buffer *buffer = open_buffer(rig.context, 16);
    gc_graph *graph;
    gc_graph_exec *exec;
    stand_in.count(1);
    REQUIRE_OK(gc_rng_create(rig.stream, 7, 0, &rng));
    fill.rng = rng, fill.buffer = buffer, fill.count = 4;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_fill_uniform(rig.stream, &fill));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    /* A cubin and PTX of the kernel that takes numbers, and of the one that fills. */
    CHECK(calls_of("cuModuleLoadDataEx") == 4);
    REQUIRE_OK(gc_graph_instantiate(graph, &options, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_fill_uniform(rig.stream, &fill));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(calls_of("cuModuleLoadDataEx") == 4);
    stand_in.count(0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_rng_destroy(rng));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void try_driver(const char *version) {
    use_stand_in(version);
    rig_open(&rig);
    RUN(the_ptx_is_taken_where_the_cubin_is_refused);
    rig_close(&rig);
    expect_nothing_left(version);
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(try_driver);
    return check_finish();
}
