/* gc_graph_exec_progress(): which nodes a launch has completed, while one of them hangs: a host function on all devices, a kernel
 * and a wait for a value where a launch does not run within its call. Each hang is let go in the end. */
#include "../kit/actors.h"
#include "progress_ptx.h"
#include "stands_in.h"

enum { BLOCKS = 4096 }; /* more than run at once on any GPU */

/* a, then what hangs, then b; and beside these two, behind a, aside. */
struct hung {
    gc_graph *graph;
    gc_buffer *buffer;
    gc_graph_exec *exec;
    gc_node a, hanging, b, aside;
};

/* How execs are watched. */
static uint32_t watch_flags = GRAPHCAP_INSTANTIATE_WATCH;

/* Whether events tell of launches, of which the latest hides those before it. */
static int by_events(void) {
    return watch_flags != GRAPHCAP_INSTANTIATE_WATCH && on_cuda();
}

static gc_graph_exec *watched(const gc_graph *graph) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *exec = NULL;
    options.flags = watch_flags;
    REQUIRE_OK(gc_graph_instantiate(graph, &options, &exec));
    return exec;
}

static gc_graph_exec_progress_info progress_of(const gc_graph_exec *exec) {
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    size_t needed = 0;
    REQUIRE_OK(gc_graph_exec_progress(exec, &progress, NULL, 0, &needed));
    CHECK(needed > 1);
    return progress;
}

/* Whether the launch comes to have so many nodes completed, and the node alone ready. */
static int comes_to_hang(const gc_graph_exec *exec, gc_node node, uint64_t completed) {
    unsigned i;
    for (i = 0; i < 20000; i++) {
        gc_graph_exec_progress_info progress = progress_of(exec);
        if (progress.completed_count == completed && progress.ready_count == 1 && progress.first_ready == node)
            return progress.is_running == 1;
        pause_ms(1);
    }
    return 0;
}

static int is_alone(const gc_graph_exec *exec, gc_node_state state, gc_node node) {
    gc_node nodes[4] = {0, 0, 0, 0};
    size_t needed = 0;
    CHECK_OK(gc_graph_exec_nodes_in_state(exec, state, nodes, 4, &needed));
    return needed == 1 && nodes[0] == node;
}

static void hung_open(struct hung *hung) {
    hung->graph = open_graph(rig.context);
    hung->buffer = open_buffer(rig.context, 64);
    hung->a = add_node(&rig, hung->graph, NULL, 0, hung->buffer, 0, 1);
    hung->hanging = hung->b = hung->aside = 0;
    hung->exec = NULL;
}

/* Adds what is behind the node that hangs, and beside it unless launches run within their call. */
static void hung_make(struct hung *hung) {
    CHECK_OK(gc_node_set_name(hung->graph, hung->hanging, "the culprit"));
    hung->b = add_node(&rig, hung->graph, &hung->hanging, 1, hung->buffer, 1, 1);
    if (!on_stand_in())
        hung->aside = add_node(&rig, hung->graph, &hung->a, 1, hung->buffer, 2, 1);
    hung->exec = watched(hung->graph);
    CHECK_OK(gc_set_name(hung->graph, "time step"));
}

static void hung_close(struct hung *hung) {
    CHECK_OK(gc_graph_exec_destroy(hung->exec));
    CHECK_OK(gc_buffer_destroy(hung->buffer));
    CHECK_OK(gc_graph_destroy(hung->graph));
}

static void check_hang(const struct hung *hung) {
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    char text[1024], number[32];
    int is_aside = hung->aside != 0;
    CHECK(comes_to_hang(hung->exec, hung->hanging, 1 + (uint64_t)is_aside));
    CHECK_OK(gc_graph_exec_progress(hung->exec, &progress, text, sizeof text, NULL));
    CHECK(progress.node_count == 3 + (uint64_t)is_aside && progress.launch_count == progress.begun_count);
    CHECK(is_alone(hung->exec, GRAPHCAP_NODE_READY, hung->hanging));
    CHECK(is_alone(hung->exec, GRAPHCAP_NODE_WAITS, hung->b));
    CHECK(is_aside || is_alone(hung->exec, GRAPHCAP_NODE_COMPLETED, hung->a));
    snprintf(number, sizeof number, "node 0x%llx", (unsigned long long)hung->hanging);
    CHECK(strstr(text, number) != NULL && strstr(text, "\"the culprit\"") != NULL);
}

static void check_through(const struct hung *hung, uint64_t launches) {
    gc_graph_exec_progress_info progress = progress_of(hung->exec);
    CHECK(progress.is_running == 0 && progress.ready_count == 0 && progress.first_ready == 0);
    CHECK(progress.begun_count == launches && progress.completed_count == progress.node_count);
    CHECK(read_u32(rig.stream, hung->buffer, 1) == launches);
}

static void *launch_it(void *argument) {
    CHECK_OK(gc_graph_launch((gc_graph_exec *)argument, rig.stream));
    return NULL;
}

static void a_host_function_that_hangs_is_named(void) {
    struct hung hung;
    struct gate gate;
    pthread_t thread;
    unsigned round;
    hung_open(&hung);
    gate_init(&gate);
    REQUIRE_OK(gc_graph_add_host_node(hung.graph, &hung.a, 1, gate_hold, &gate, NULL, &hung.hanging));
    hung_make(&hung);
    {
        gc_graph_exec_progress_info progress = progress_of(hung.exec);
        CHECK(progress.begun_count == 0 && progress.completed_count == 0 && progress.ready_count == 0);
    }
    /* A stand-in runs the launch within the call. */
    CHECK(pthread_create(&thread, NULL, launch_it, hung.exec) == 0);
    gate_await(&gate, 1);
    {
        gc_graph_exec_progress_info progress = progress_of(hung.exec);
        CHECK(progress.begun_count == 1 && progress.is_running == 1);
    }
    check_hang(&hung);
    gate_open(&gate);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_through(&hung, 1);
    for (round = 2; round < 50; round++) {
        CHECK_OK(gc_graph_launch(hung.exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        check_through(&hung, round);
    }
    hung_close(&hung);
    gate_free(&gate);
}

static int32_t kernel_spin(const gc_host_block *block, const void *const *arguments) {
    const uint32_t *word = PARAMETER(const uint32_t *, 0);
    (void)block;
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0)
        pause_ms(1);
    return 0;
}

/* On a GPU its blocks are more than run at once. */
static void a_kernel_that_hangs_is_named(void) {
    static const size_t sizes[] = {sizeof(void *)};
    static const gc_host_kernel kernels[] = {{(uint32_t)sizeof(gc_host_kernel), 0, "spin", kernel_spin, sizes, 1, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 64);
    gc_module *module = NULL;
    gc_host_buffer *word = NULL;
    uint64_t address = 0;
    void *pointer = NULL;
    struct hung hung;
    gc_kernel *kernel;
    if (on_stand_in() && check_skipped(GRAPHCAP_DEVICE_CUDA, "needs pending work, which a stand-in for the driver does not have"))
        return;
    description.image = progress_ptx;
    description.image_size = sizeof progress_ptx;
    description.host_kernels = kernels;
    description.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    kernel = get_kernel(module, "spin");
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 64, GRAPHCAP_HOST_BUFFER_MAPPED, &word));
    REQUIRE_OK(gc_host_buffer_device_address(word, &address));
    REQUIRE_OK(gc_host_buffer_pointer(word, &pointer));
    memset(pointer, 0, 64);
    hung_open(&hung);
    {
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address)};
        config.grid_dim[0] = on_cuda() ? BLOCKS : 1;
        REQUIRE_OK(gc_graph_add_kernel_node(hung.graph, &hung.a, 1, kernel, &config, arguments, 1, &hung.hanging));
    }
    CHECK_OK(gc_node_set_name(hung.graph, hung.hanging, "the culprit"));
    hung.b = add_node(&rig, hung.graph, &hung.hanging, 1, hung.buffer, 1, 1);
    hung.exec = watched(hung.graph);
    CHECK_OK(gc_graph_launch(hung.exec, rig.stream));
    check_hang(&hung);
    __atomic_store_n((uint32_t *)pointer, 1, __ATOMIC_RELEASE);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_through(&hung, 1);
    hung_close(&hung);
    CHECK_OK(gc_host_buffer_destroy(word));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
}

/* turn(gc_condition condition, uint32_t *count, const uint32_t *word): waits for the word in turn 3, which is the last one. */
static int32_t kernel_turn(const gc_host_block *block, const void *const *arguments) {
    uint32_t *count = PARAMETER(uint32_t *, 1);
    (void)block;
    if (++*count % 3 == 0)
        (void)kernel_spin(block, arguments + 2);
    return gc_host_set_conditional(PARAMETER(gc_condition, 0), *count % 3 != 0);
}

/* Waits a little while for the stream until the message has all of the texts. */
static int comes_to_tell(const char *const *texts, size_t count) {
    char message[2048] = "";
    unsigned i;
    for (i = 0; i < 20000; i++) {
        gc_status status = gc_stream_synchronize_for(rig.stream, 1000000);
        size_t at = 0;
        gc_last_error_message(message, sizeof message, NULL);
        if (status != GRAPHCAP_ERROR_TIMEOUT)
            break;
        while (at < count && strstr(message, texts[at]) != NULL)
            at++;
        if (at == count)
            return 1;
    }
    fprintf(stderr, "%s\n", message);
    return 0;
}

/* A wait that takes too long tells the turn of a loop and the node that runs in it. */
static void a_loop_that_hangs_tells_its_turn(void) {
    static const size_t sizes[] = {sizeof(gc_condition), sizeof(void *), sizeof(void *)};
    static const gc_host_kernel kernels[] = {{(uint32_t)sizeof(gc_host_kernel), 0, "turn", kernel_turn, sizes, 3, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_graph *graph, *body = NULL;
    gc_module *module = NULL;
    gc_condition condition = 0;
    gc_node loop = 0, before, turn = 0;
    uint32_t count = 0, word = 0;
    gc_kernel *kernel;
    gc_buffer *buffer;
    NOT_ON_CUDA("a GPU does not tell which turn of a loop runs");
    graph = open_graph(rig.context);
    buffer = open_buffer(rig.context, 64);
    description.image = progress_ptx;
    description.image_size = sizeof progress_ptx;
    description.host_kernels = kernels;
    description.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    kernel = get_kernel(module, "turn");
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &loop));
    CHECK_OK(gc_node_set_name(graph, loop, "until it is done"));
    REQUIRE_OK(gc_node_get_graph(graph, loop, 0, &body));
    before = add_node(&rig, body, NULL, 0, buffer, 0, 1);
    {
        uint32_t *const pointers[] = {&count, &word};
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(condition), GRAPHCAP_ARG_INIT_VALUE(pointers[0]),
                                           GRAPHCAP_ARG_INIT_VALUE(pointers[1])};
        REQUIRE_OK(gc_graph_add_kernel_node(body, &before, 1, kernel, &config, arguments, 3, &turn));
    }
    CHECK_OK(gc_node_set_name(body, turn, "the culprit"));
    {
        gc_graph_exec *exec = open_exec(graph);
        char loop_words[128], at[96];
        const char *texts[2];
        texts[0] = loop_words;
        texts[1] = at;
        CHECK_OK(gc_set_name(graph, "solver"));
        snprintf(loop_words, sizeof loop_words, "a launch of graph \"solver\" is in turn 3 of body 0 of node 0x%llx (conditional \"until it is done\")",
                 (unsigned long long)loop);
        snprintf(at, sizeof at, "at node 0x%llx (kernel \"turn\" named \"the culprit\")", (unsigned long long)turn);
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK(comes_to_tell(texts, 2));
        __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(count == 3);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A wait that takes too long names the node that hangs of a watched exec. */
static void a_wait_that_takes_too_long_names_the_node(void) {
    char number[40];
    const char *texts[] = {number, "\"the culprit\"", "launch 1 of 1 of graph \"time step\" has completed"};
    struct hung hung;
    struct gate gate;
    if (on_stand_in() && check_skipped(GRAPHCAP_DEVICE_CUDA, "needs pending work, which a stand-in for the driver does not have"))
        return;
    hung_open(&hung);
    gate_init(&gate);
    REQUIRE_OK(gc_graph_add_host_node(hung.graph, &hung.a, 1, gate_hold, &gate, NULL, &hung.hanging));
    hung_make(&hung);
    snprintf(number, sizeof number, "and not node 0x%llx", (unsigned long long)hung.hanging);
    CHECK_OK(gc_graph_launch(hung.exec, rig.stream));
    CHECK(comes_to_tell(texts, LENGTH_OF(texts)));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_through(&hung, 1);
    hung_close(&hung);
    gate_free(&gate);
}

/* The launch that runs has not completed, and nothing is told of its nodes. */
static void check_hidden(const gc_graph_exec *exec) {
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    size_t ready = 7, completed = 7;
    char text[1024];
    CHECK_OK(gc_graph_exec_progress(exec, &progress, text, sizeof text, NULL));
    CHECK(progress.completed_count == 0 && progress.ready_count == 0 && progress.first_ready == 0);
    CHECK(strstr(text, "is not known") != NULL && strstr(text, "node 0x") == NULL);
    CHECK_OK(gc_graph_exec_nodes_in_state(exec, GRAPHCAP_NODE_READY, NULL, 0, &ready));
    CHECK_OK(gc_graph_exec_nodes_in_state(exec, GRAPHCAP_NODE_COMPLETED, NULL, 0, &completed));
    CHECK(ready == 0 && completed == 0);
}

/* Also where the call for the second launch waits, as on a stand-in. */
static void a_launch_that_waits_hides_from_events_the_one_that_runs(void) {
    pthread_t threads[2];
    struct hung hung;
    struct gate gate;
    unsigned i;
    if (!by_events())
        return;
    hung_open(&hung);
    gate_init(&gate);
    REQUIRE_OK(gc_graph_add_host_node(hung.graph, &hung.a, 1, gate_hold, &gate, NULL, &hung.hanging));
    hung_make(&hung);
    CHECK(pthread_create(&threads[0], NULL, launch_it, hung.exec) == 0);
    gate_await(&gate, 1);
    CHECK(comes_to_hang(hung.exec, hung.hanging, 1 + (uint64_t)(hung.aside != 0)));
    CHECK(pthread_create(&threads[1], NULL, launch_it, hung.exec) == 0);
    for (i = 0; i < 20000 && progress_of(hung.exec).launch_count < 2; i++)
        pause_ms(1);
    check_hidden(hung.exec);
    CHECK(progress_of(hung.exec).is_running == 1);
    gate_open(&gate);
    for (i = 0; i < 2; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_through(&hung, 2);
    hung_close(&hung);
    gate_free(&gate);
}

/* A second launch that waits for the first one has not begun. */
static void a_wait_that_hangs_is_named_and_launches_behind_it_have_not_begun(void) {
    gc_mem_op wait = GRAPHCAP_MEM_OP_INIT_WAIT32(NULL, 0, 1, GRAPHCAP_WAIT_VALUE_EQ);
    gc_stream *other;
    gc_buffer *value;
    gc_graph_exec_progress_info progress;
    struct hung hung;
    if (on_stand_in() && check_skipped(GRAPHCAP_DEVICE_CUDA, "needs pending work, which a stand-in for the driver does not have"))
        return;
    other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    value = open_waitable(rig.context, 64);
    wait.buffer = value;
    hung_open(&hung);
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(hung.graph, &hung.a, 1, &wait, 1, &hung.hanging));
    hung_make(&hung);
    CHECK_OK(gc_graph_launch(hung.exec, rig.stream));
    CHECK(comes_to_hang(hung.exec, hung.hanging, 2));
    CHECK_OK(gc_graph_launch(hung.exec, rig.stream));
    progress = progress_of(hung.exec);
    CHECK(progress.launch_count == 2 && progress.begun_count == 1 && progress.is_running == 1);
    if (by_events())
        check_hidden(hung.exec);
    else
        CHECK(comes_to_hang(hung.exec, hung.hanging, 2));
    CHECK_OK(gc_stream_write_value32(other, value, 0, 1, 0));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_through(&hung, 2);
    hung_close(&hung);
    CHECK_OK(gc_buffer_destroy(value));
    CHECK_OK(gc_stream_destroy(other));
}

/* A future that is not waited for long enough tells how far its launch is. */
static void an_actor_tells_by_which_node_a_launch_is_late(void) {
    static const uint32_t completions[] = {GRAPHCAP_ACTOR_COMPLETION_EVENT, GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION,
                                           GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE};
    unsigned i;
    if (on_stand_in() && check_skipped(GRAPHCAP_DEVICE_CUDA, "needs pending work, which a stand-in for the driver does not have"))
        return;
    for (i = 0; i < LENGTH_OF(completions); i++) {
        gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
        gc_future *adopted = NULL, *launched, *timed_out;
        gc_graph_exec *exec;
        gc_actor *actor;
        struct gate gate;
        gc_graph *graph;
        gate_init(&gate);
        options.completion = completions[i];
        actor = open_actor(&options);
        graph = calling(gate_hold, &gate);
        REQUIRE_OK(gc_actor_adopt(actor, graph, GRAPHCAP_INSTANTIATE_WATCH, &adopted));
        CHECK_OK(gc_graph_destroy(graph));
        exec = exec_of(adopted);
        launched = ask_launch(actor, exec);
        timed_out = ask_launch(actor, exec);
        gate_await(&gate, 1);
        CHECK_MESSAGE(gc_future_wait(launched, 1000000, NULL), GRAPHCAP_ERROR_TIMEOUT, "host function");
        gate_open(&gate);
        CHECK_OK(answer_of(launched));
        CHECK_OK(answer_of(timed_out));
        CHECK(progress_of(exec).begun_count == 2);
        CHECK_OK(gc_actor_destroy(actor));
        CHECK_OK(gc_graph_exec_destroy(exec));
        gate_free(&gate);
    }
}

static void a_watched_exec_is_not_changed(void) {
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    gc_graph_exec_apply_report applied = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_node first = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    gc_node second = add_node(&rig, graph, &first, 1, buffer, 1, 1), nodes[1];
    gc_graph_exec *exec = watched(graph), *plain = open_exec(graph), *none = NULL;
    struct kernel_call call;
    uint32_t flags = 0;
    size_t count = 0;
    char text[8];
    CHECK_OK(gc_graph_exec_flags(exec, &flags));
    CHECK(flags == watch_flags);
    CHECK_OK(gc_graph_node_count(graph, &count));
    CHECK(count == 2);
    CHECK_OK(gc_graph_exec_node_count(exec, &count));
    CHECK(count == (by_events() ? 6 : 5)); /* a mark behind each node, and one before all; or events, and a mark behind all too */
    CHECK_STATUS(exec_set_kernel(exec, second, call_add(&call, &rig, buffer, 1, 2)), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gc_graph_exec_set_node_enabled(exec, first, 0), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gc_graph_exec_update(exec, graph, 0, &info), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gc_graph_exec_update(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_MESSAGE(gc_graph_exec_apply(exec, graph, NULL, &applied), GRAPHCAP_ERROR_NOT_SUPPORTED, "watched");
    CHECK_STATUS(gc_graph_exec_progress(plain, &progress, text, sizeof text, NULL), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_STATUS(gc_graph_exec_nodes_in_state(plain, GRAPHCAP_NODE_READY, nodes, 1, NULL), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_STATUS(gc_graph_exec_nodes_in_state(exec, 3, nodes, 1, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_exec_progress(exec, &progress, text, sizeof text, NULL), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(progress.node_count == 0 && strlen(text) == sizeof text - 1);
    options.flags = watch_flags | GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH;
    CHECK_STATUS(gc_graph_instantiate(graph, &options, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    options.flags = GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS;
    CHECK_MESSAGE(gc_graph_instantiate(graph, &options, &none), GRAPHCAP_ERROR_INVALID_VALUE, "give both");
    CHECK(none == NULL);
    replay(&rig, exec);
    replay(&rig, plain);
    CHECK(read_u32(rig.stream, buffer, 0) == 2 && read_u32(rig.stream, buffer, 1) == 2);
    CHECK_OK(gc_graph_exec_destroy(plain));
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    CHECK(progress_of(exec).completed_count == 2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Also of an exec without nodes, and while another stream is captured. */
static void questions_harm_no_capture(void) {
    gc_graph *graph = open_graph(rig.context), *empty = open_graph(rig.context), *captured = NULL;
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_node node = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    gc_graph_exec *exec = watched(graph), *nothing = watched(empty);
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph_exec_progress_info progress;
    CHECK(node != 0);
    replay(&rig, exec);
    replay(&rig, nothing);
    REQUIRE_OK(gc_stream_begin_capture(other, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    progress = progress_of(exec);
    CHECK(progress.begun_count == 1 && progress.completed_count == 1 && progress.is_running == 0);
    progress = progress_of(nothing);
    CHECK(progress.begun_count == 1 && progress.node_count == 0 && progress.is_running == 0);
    CHECK_OK(gc_stream_end_capture(other, &captured));
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(empty));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(nothing));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* By kernels, then by events. */
static void watch_by(uint32_t flags) {
    watch_flags = flags;
    RUN(a_watched_exec_is_not_changed);
    RUN(questions_harm_no_capture);
    RUN(a_host_function_that_hangs_is_named);
    RUN(a_kernel_that_hangs_is_named);
    RUN(a_wait_that_takes_too_long_names_the_node);
    RUN(a_launch_that_waits_hides_from_events_the_one_that_runs);
    RUN(a_wait_that_hangs_is_named_and_launches_behind_it_have_not_begun);
}

int main(void) {
    rig_open(&rig);
    watch_by(GRAPHCAP_INSTANTIATE_WATCH);
    watch_by(GRAPHCAP_INSTANTIATE_WATCH | GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS);
    RUN(a_loop_that_hangs_tells_its_turn);
    RUN(an_actor_tells_by_which_node_a_launch_is_late);
    rig_close(&rig);
    return check_finish();
}
