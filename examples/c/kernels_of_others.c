/* A library records four kernels that read one input. They are optimized with nothing known of them, with their parameters trusted, by
 * observation, and by statements of their names; gc_graph_verify() then tries right and wrong statements. docs/optimize.md explains the ways. */
#include <graphcap.h>
#include <stdio.h>
#include <stdlib.h>

static void check(gc_status status) {
    char why[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(why, sizeof why, NULL);
    fprintf(stderr, "%s\n", why);
    exit(1);
}

/* A kernel of a library's: out = 2 in. The caller knows its name and its parameters, and has no gc_kernel of it. */
static int32_t twice(const gc_host_block *block, const void *const *arguments) {
    *(*(uint32_t *const *)arguments[0]) = 2 * *(*(const uint32_t *const *)arguments[1]);
    (void)block;
    return 0;
}

/* The library records its work: four kernels that read one input, on one stream. */
static void library(const gc_stream *stream, const gc_kernel *kernel, const gc_buffer *input, gc_buffer *const results[4]) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    for (int i = 0; i < 4; i++) {
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(results[i]), GRAPHCAP_ARG_INIT_BUFFER(input)};
        check(gc_stream_launch_kernel(stream, kernel, &one, arguments, 2));
    }
}

/* Optimizes a copy; gives the number of nodes that follow each other in it. */
static unsigned path(const gc_graph *graph, const gc_optimize_options *options) {
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *optimized;
    check(gc_graph_optimize(graph, options, &optimized, NULL, &report));
    gc_graph_destroy(optimized); /* a program would instantiate it */
    return (unsigned)report.path_after;
}

int main(void) {
    static const size_t sizes[] = {8, 8};
    static const gc_kernel_statement right[] = {{"tw*", 0, 0, GRAPHCAP_ACCESS_WRITE, 0}, {"tw*", 1, 0, GRAPHCAP_ACCESS_READ, 0}};
    static const gc_kernel_statement wrong[] = {{"tw*", 0, 0, GRAPHCAP_ACCESS_READ, 0}, {"tw*", 1, 0, GRAPHCAP_ACCESS_WRITE, 0}};
    static char text[8192];
    gc_context_options host = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_host_kernel for_cpu = GRAPHCAP_HOST_KERNEL_INIT;
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_optimize_options none = GRAPHCAP_OPTIMIZE_OPTIONS_INIT, trust = none, observe = none, state = none;
    gc_verify_options verify = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_verify_report is_true = GRAPHCAP_VERIFY_REPORT_INIT, is_false = is_true;
    gc_context *context; gc_module *module; gc_kernel *kernel; gc_stream *stream; gc_graph *graph; gc_buffer *input, *results[4];
    unsigned paths[4];
    host.device_kind = GRAPHCAP_DEVICE_HOST; /* the library's kernels for a GPU are not in this program */
    for_cpu.name = "twice", for_cpu.function = twice, for_cpu.parameter_sizes = sizes, for_cpu.parameter_count = 2;
    code.host_kernels = &for_cpu, code.host_kernel_count = 1;
    check(gc_context_create(&host, &context));
    check(gc_stream_create(context, NULL, &stream));
    check(gc_module_load(context, &code, &module));
    check(gc_module_get_kernel(module, "twice", &kernel));
    check(gc_buffer_allocate(context, 4, &input));
    for (int i = 0; i < 4; i++) check(gc_buffer_allocate(context, 4, &results[i]));
    check(gc_stream_memset(stream, input, 0, 21, 4, 1)); /* to observe takes contents as they are in use: zeros tell nothing */
    check(gc_stream_synchronize(stream));                /* to observe and to verify replays, and work has to be complete */
    check(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    library(stream, kernel, input, results);
    check(gc_stream_end_capture(stream, &graph));

    trust.flags = GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS;
    observe.flags = GRAPHCAP_OPTIMIZE_OBSERVE;
    state.statements = right, state.statement_count = 2;
    paths[0] = path(graph, &none);    /* 4: nothing is known of the kernels */
    paths[1] = path(graph, &trust);   /* 4: each counts as writing the input, too */
    paths[2] = path(graph, &observe); /* 1: none was seen to write the input */
    paths[3] = path(graph, &state);   /* 1: it is stated that they read it */
    printf("in a row: %u, trusted %u, observed %u, stated %u\n", paths[0], paths[1], paths[2], paths[3]);
    check(gc_graph_optimize_text(graph, &observe, text, sizeof text, NULL));
    fputs(text, stdout);

    verify.statements = right, verify.statement_count = 2;
    check(gc_graph_verify(graph, &verify, &is_true));
    verify.statements = wrong;
    check(gc_graph_verify(graph, &verify, &is_false));
    printf("the statements are %s, the others %s\n", is_true.finding == GRAPHCAP_VERIFY_NOTHING ? "true" : "wrong",
           is_false.finding == GRAPHCAP_VERIFY_UNDECLARED ? "wrong" : "not found out");
    gc_graph_destroy(graph), gc_buffer_destroy(input);
    for (int i = 0; i < 4; i++) gc_buffer_destroy(results[i]);
    gc_kernel_destroy(kernel), gc_module_destroy(module), gc_stream_destroy(stream), gc_context_destroy(context);
    return paths[1] == 4 && paths[2] == 1 && paths[3] == 1 && is_false.finding != GRAPHCAP_VERIFY_NOTHING ? 0 : 1;
}
