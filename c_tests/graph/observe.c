/* Statements by name, and what kernels with trusted parameters are seen to write: graphs are optimized by either, memory is as before,
 * and what was seen can be verified. */
#include "nodes.h"

enum { CELLS = 6, TEXT = 1 << 14, WORKS = 4 };

static struct rig rig;
static gc_buffer *cells[CELLS];

static void cells_become(uint32_t first) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_stream_memset(rig.stream, cells[i], 0, first + i, 4, 2));
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

static void cells_are(uint32_t first) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        CHECK(read_u32(rig.stream, cells[i], 0) == first + i && read_u32(rig.stream, cells[i], 1) == first + i);
}

/* out[0] = 3 a[0] + b[0] + c, as launch_mix() does, of several buffers. */
static void record_mix(unsigned out, unsigned a, unsigned b, uint32_t c) {
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(cells[out]), GRAPHCAP_ARG_INIT_BUFFER(cells[a]),
                                 GRAPHCAP_ARG_INIT_BUFFER(cells[b]), GRAPHCAP_ARG_INIT_VALUE(c)};
    CHECK_OK(launch(rig.stream, rig.mix, 1, 1, arguments, 4));
}

/* Four works that read the last two cells, each of which writes a cell of its own. */
static gc_graph *recorded(void) {
    gc_graph *graph = NULL;
    unsigned i;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < WORKS; i++)
        record_mix(i, WORKS, WORKS + 1, i);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    return graph;
}

/* Nodes on the longest path of what is made of a graph. */
static uint64_t path_of(const gc_graph *graph, const gc_optimize_options *options, uint64_t *observed) {
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *result = NULL;
    REQUIRE_OK(gc_graph_optimize(graph, options, &result, NULL, &report));
    CHECK_OK(gc_graph_destroy(result));
    *observed = report.observed_count;
    return report.path_after;
}

static int tells(const gc_graph *graph, const gc_optimize_options *options, const char *words) {
    static char text[TEXT];
    CHECK_OK(gc_graph_optimize_text(graph, options, text, sizeof text, NULL));
    if (strstr(text, words) != NULL)
        return 1;
    fprintf(stderr, "    %s\n", text);
    return 0;
}

static void statements_by_name_count(void) {
    static const gc_kernel_statement all[] = {{"mi?", 0, 0, GRAPHCAP_ACCESS_WRITE, 0},
                                              {"*x", 1, GRAPHCAP_STATEMENT_EACH_WORD, GRAPHCAP_ACCESS_READ, 0},
                                              {"mix", 2, 0, GRAPHCAP_ACCESS_READ, 0},
                                              {"m*i*x", 2, 0, GRAPHCAP_ACCESS_WRITE, 0},
                                              {"nothing*", 0, 0, GRAPHCAP_ACCESS_WRITE, 0}};
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_optimize_reason reasons[8];
    gc_graph *graph = recorded();
    size_t count = 0;
    uint64_t observed = 0;
    CHECK(path_of(graph, &options, &observed) == WORKS);
    options.statements = all;
    options.statement_count = LENGTH_OF(all);
    CHECK(path_of(graph, &options, &observed) == 1 && observed == 0);
    CHECK(tells(graph, &options, "statements about no kernel of the graph: \"nothing*\""));
    /* Of the last one nothing is stated. */
    options.statement_count = 2;
    CHECK(path_of(graph, &options, &observed) == WORKS);
    CHECK_OK(gc_graph_optimize_reasons(graph, &options, reasons, LENGTH_OF(reasons), &count));
    CHECK(count == WORKS && reasons[0].kind == GRAPHCAP_OPTIMIZE_REASON_UNSTATED && reasons[0].parameter == 2);
    /* What is trusted beside them counts as written. */
    options.flags = GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS;
    CHECK(path_of(graph, &options, &observed) == WORKS);
    options.statement_count = 3;
    CHECK(path_of(graph, &options, &observed) == 1);
    /* What reads alone writes something else. */
    options.flags = 0;
    options.statements = &all[1];
    options.statement_count = 2;
    CHECK(path_of(graph, &options, &observed) == WORKS);
    CHECK(tells(graph, &options, "it reads alone"));
    CHECK_OK(gc_graph_destroy(graph));
}

static void wrong_statements_are_refused(void) {
    static const gc_kernel_statement wrong[] = {{NULL, 0, 0, GRAPHCAP_ACCESS_READ, 0},
                                                {"mix", 0, 0, 5, 0},
                                                {"mix", 0, 0, GRAPHCAP_ACCESS_DEFAULT, 0},
                                                {"mix", 0, 0, GRAPHCAP_ACCESS_READ, 1},
                                                {"m\xffx", 0, 0, GRAPHCAP_ACCESS_READ, 0}};
    gc_graph *graph = recorded(), *result = NULL;
    unsigned i;
    for (i = 0; i <= LENGTH_OF(wrong); i++) {
        gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
        gc_verify_options verify = GRAPHCAP_VERIFY_OPTIONS_INIT;
        gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
        options.statements = verify.statements = i < LENGTH_OF(wrong) ? &wrong[i] : NULL;
        options.statement_count = verify.statement_count = 1;
        CHECK_STATUS(gc_graph_optimize(graph, &options, &result, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK(result == NULL);
        CHECK_STATUS(gc_graph_verify(graph, &verify, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    }
    CHECK_OK(gc_graph_destroy(graph));
}

/* A statement that turns around what is read and what is written makes another order right; a trial shows that it is wrong. */
static void a_wrong_statement_is_found(void) {
    static const gc_kernel_statement swapped[] = {{"mix", 0, 0, GRAPHCAP_ACCESS_READ, 0},
                                                  {"mix", 1, 0, GRAPHCAP_ACCESS_WRITE, 0},
                                                  {"mix", 2, 0, GRAPHCAP_ACCESS_READ, 0}};
    static const gc_kernel_statement right[] = {{"mix", 0, 0, GRAPHCAP_ACCESS_WRITE, 0},
                                                {"mix", 1, GRAPHCAP_STATEMENT_EACH_WORD, GRAPHCAP_ACCESS_READ, 0},
                                                {"mix", 2, GRAPHCAP_STATEMENT_EACH_WORD, GRAPHCAP_ACCESS_READ, 0}};
    gc_verify_options options = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_graph *graph = recorded();
    gc_node nodes[WORKS];
    size_t count = 0;
    unsigned round;
    REQUIRE_OK(gc_graph_get_nodes(graph, nodes, WORKS, &count));
    for (round = 0; round < 2; round++) {
        gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
        cells_become(7);
        options.statements = round == 0 ? swapped : right;
        options.statement_count = 3;
        REQUIRE_OK(gc_graph_verify(graph, &options, &report));
        CHECK(report.finding == (round == 0 ? GRAPHCAP_VERIFY_UNDECLARED : GRAPHCAP_VERIFY_NOTHING));
        CHECK(round == 1 || (report.first == nodes[0] && report.finding_count == WORKS));
        cells_are(7);
    }
    CHECK_OK(gc_graph_destroy(graph));
}

/* Steps of a decoder: a position moves on, and each step makes its state of that of the step before. */
static gc_graph *a_step(void) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, cells[0], 0, 1, 1));
    record_mix(1, 2, 0, 5);
    record_mix(3, 4, 0, 6);
    record_mix(2, 1, 3, 7);
    record_mix(4, 3, 1, 8);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    return graph;
}

static void read_cells(uint32_t words[CELLS]) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        words[i] = read_u32(rig.stream, cells[i], 0);
}

/* To observe, to measure and to verify in the middle of a loop leave its state bit for bit, and the loop goes on as it would have. */
static void a_loop_goes_on_where_it_was(void) {
    static const uint32_t flags[] = {GRAPHCAP_OPTIMIZE_OBSERVE, GRAPHCAP_OPTIMIZE_MEASURE | GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS,
                                     GRAPHCAP_OPTIMIZE_MEASURE_SINGLE | GRAPHCAP_OPTIMIZE_OBSERVE};
    uint32_t expected[CELLS], middle[CELLS], after[CELLS];
    gc_graph *graph = a_step();
    unsigned way, step;
    cells_become(7);
    for (step = 0; step < 6; step++)
        run_graph(&rig, graph);
    read_cells(expected);
    for (way = 0; way < LENGTH_OF(flags); way++) {
        gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
        gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
        gc_verify_options verify = GRAPHCAP_VERIFY_OPTIONS_INIT;
        gc_verify_report found = GRAPHCAP_VERIFY_REPORT_INIT;
        gc_graph *result = NULL;
        cells_become(7);
        for (step = 0; step < 3; step++)
            run_graph(&rig, graph);
        read_cells(middle);
        options.flags = flags[way];
        REQUIRE_OK(gc_graph_optimize(graph, &options, &result, NULL, &report));
        CHECK((report.candidate_count > 0) == (way > 0) && (report.observed_count == 2) == (way != 1));
        verify.flags = GRAPHCAP_VERIFY_OBSERVE;
        REQUIRE_OK(gc_graph_verify(graph, &verify, &found));
        CHECK(found.finding == GRAPHCAP_VERIFY_NOTHING);
        read_cells(after);
        CHECK(memcmp(middle, after, sizeof after) == 0);
        for (step = 0; step < 3; step++)
            run_graph(&rig, result);
        read_cells(after);
        CHECK(memcmp(expected, after, sizeof after) == 0);
        CHECK_OK(gc_graph_destroy(result));
    }
    CHECK_OK(gc_graph_destroy(graph));
}

static void what_is_never_written_counts_as_read(void) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_verify_options verify = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
    gc_graph *graph = recorded();
    uint64_t observed = 0;
    unsigned round;
    cells_become(7);
    options.flags = GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS;
    CHECK(path_of(graph, &options, &observed) == WORKS && observed == 0);
    options.flags = GRAPHCAP_OPTIMIZE_OBSERVE;
    for (round = 0; round < 2; round++) {
        CHECK(path_of(graph, &options, &observed) == 1 && observed == 2);
        CHECK(tells(graph, &options, "by the promise of GRAPHCAP_OPTIMIZE_OBSERVE"));
        CHECK(tells(graph, &options, "observed: kernel \"mix\" reads by: parameter 1, byte 0, parameter 2, byte 0"));
        if (round == 0) {
            cells_are(7);
            /* In the second round each kernel writes what is there. */
            run_graph(&rig, graph);
        }
    }
    CHECK(read_u32(rig.stream, cells[1], 0) == mixed(7 + WORKS, 8 + WORKS, 1));
    verify.flags = GRAPHCAP_VERIFY_OBSERVE;
    REQUIRE_OK(gc_graph_verify(graph, &verify, &report));
    CHECK(report.finding == GRAPHCAP_VERIFY_NOTHING && report.pair_count > 0);
    CHECK(read_u32(rig.stream, cells[1], 0) == mixed(7 + WORKS, 8 + WORKS, 1));
    /* With a limit that is too small nothing is run. */
    options.max_bytes = 1;
    CHECK(path_of(graph, &options, &observed) == WORKS && observed == 0);
    CHECK(tells(graph, &options, "not observed: "));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Zeros that stay zeros tell nothing. */
static void zeros_tell_nothing(void) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_graph *graph = recorded();
    uint64_t observed = 0;
    cells_become(0);
    CHECK_OK(gc_stream_memset(rig.stream, cells[WORKS], 0, 0, 4, 2));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    options.flags = GRAPHCAP_OPTIMIZE_OBSERVE;
    CHECK(path_of(graph, &options, &observed) == WORKS && observed == 1);
    CHECK_OK(gc_graph_destroy(graph));
}

/* An address counts as written where one node of the kernel wrote there, and where it is never alone. */
static void all_nodes_of_a_kernel_are_seen(void) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_graph *graph = NULL;
    uint64_t observed = 0;
    unsigned i;
    cells_become(7);
    options.flags = GRAPHCAP_OPTIMIZE_OBSERVE;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < WORKS; i++)
        record_mix(i, WORKS, WORKS, i);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(path_of(graph, &options, &observed) == WORKS && observed == 0);
    CHECK_OK(gc_graph_destroy(graph));
    /* One that writes what it reads, beside one that tells which of the two addresses is written. */
    graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    record_mix(0, 0, WORKS, 1);
    record_mix(1, WORKS, WORKS + 1, 1);
    record_mix(2, WORKS + 1, WORKS, 1);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(path_of(graph, &options, &observed) == 1 && observed == 2);
    cells_are(7);
    CHECK_OK(gc_graph_destroy(graph));
}

static unsigned lines_of(const char *text) {
    unsigned lines = 0;
    while ((text = strchr(text, '\n')) != NULL) {
        lines++;
        text++;
    }
    return lines;
}

/* buffer[0] += 1 */
static int32_t kernel_count(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    ++**(uint32_t *const *)arguments[0];
    return 0;
}

/* However many kernels there are, and whatever is known of them. */
static void the_text_of_many_kernels_is_short(void) {
    enum { KERNELS = 300, NODES = 2000 };
    static char names[KERNELS][40], text[1 << 16];
    static gc_host_kernel descriptions[KERNELS];
    static gc_kernel *kernels[KERNELS];
    static const size_t sizes[] = {8, 8};
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_kernel_statement statements[] = {{"_ZN3lib6kernel*", 0, 0, GRAPHCAP_ACCESS_WRITE, 0}, {"no\nkernel", 0, 0, GRAPHCAP_ACCESS_READ, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    gc_graph *graph = NULL;
    unsigned i, way;
    NOT_ON_CUDA("the kernels are made at run time");
    for (i = 0; i < KERNELS; i++) {
        const gc_host_kernel empty = GRAPHCAP_HOST_KERNEL_INIT;
        snprintf(names[i], sizeof names[i], "_ZN3lib9kernel%03uILi%uEEEvPjS1_", i, i % 7);
        descriptions[i] = empty;
        descriptions[i].name = names[i];
        descriptions[i].function = kernel_count;
        descriptions[i].parameter_sizes = sizes;
        descriptions[i].parameter_count = 2;
    }
    description.host_kernels = descriptions;
    description.host_kernel_count = KERNELS;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    for (i = 0; i < KERNELS; i++)
        REQUIRE_OK(gc_module_get_kernel(module, names[i], &kernels[i]));
    cells_become(7);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < NODES; i++) {
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(cells[i * 7 % (CELLS - 1)]), GRAPHCAP_ARG_INIT_BUFFER(cells[CELLS - 1])};
        REQUIRE_OK(gc_stream_launch_kernel(rig.stream, kernels[i * 11 % KERNELS], &one, arguments, 2));
    }
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    for (way = 0; way < 5; way++) {
        gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
        options.flags = way == 1   ? GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS
                        : way == 2 ? GRAPHCAP_OPTIMIZE_OBSERVE
                        : way == 3 ? GRAPHCAP_OPTIMIZE_OBSERVE | GRAPHCAP_OPTIMIZE_MEASURE
                                   : 0;
        options.statements = way == 4 ? statements : NULL;
        options.statement_count = way == 4 ? LENGTH_OF(statements) : 0;
        CHECK_OK(gc_graph_optimize_text(graph, &options, text, sizeof text, NULL));
        CHECK(lines_of(text) > 3 && lines_of(text) <= 40);
        CHECK((strstr(text, "observed: and 296 more kernels") != NULL) == (way == 2 || way == 3));
    }
    cells_are(7);
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < KERNELS; i++)
        CHECK_OK(gc_kernel_destroy(kernels[i]));
    CHECK_OK(gc_module_destroy(module));
}

/* The text has the gain first, and a line for all that is alike. */
static void the_text_is_short(void) {
    enum { MANY = 300 };
    static char text[TEXT];
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_graph *graph = NULL;
    unsigned i, calls = 0;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < MANY; i++) {
        CHECK_OK(launch_add(&rig, rig.stream, cells[i % CELLS], 0, 1, 1));
        record_mix(0, 1, 2, 3);
        CHECK_OK(gc_stream_memset(rig.stream, cells[0], 0, 1, 4, 1));
        if (i % 10 == 0)
            CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    }
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    for (i = 0; i < 3; i++) {
        options.flags = i == 0 ? 0 : i == 1 ? GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS : GRAPHCAP_OPTIMIZE_OBSERVE;
        CHECK_OK(gc_graph_optimize_text(graph, &options, text, sizeof text, NULL));
        CHECK(lines_of(text) > 3 && lines_of(text) <= 40);
        CHECK(strncmp(text, "no gain: ", 9) == 0 || strncmp(text, "gain, estimated: ", 17) == 0);
        CHECK(i > 0 || strstr(text, "keeps its place, and so do 299 more: nothing is stated of what kernel \"add\"") != NULL);
    }
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    unsigned i;
    rig_open(&rig);
    for (i = 0; i < CELLS; i++)
        cells[i] = open_buffer(rig.context, 8);
    RUN(statements_by_name_count);
    RUN(wrong_statements_are_refused);
    RUN(what_is_never_written_counts_as_read);
    RUN(a_wrong_statement_is_found);
    RUN(a_loop_goes_on_where_it_was);
    RUN(zeros_tell_nothing);
    RUN(all_nodes_of_a_kernel_are_seen);
    RUN(the_text_is_short);
    RUN(the_text_of_many_kernels_is_short);
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_buffer_destroy(cells[i]));
    rig_close(&rig);
    return check_finish();
}
