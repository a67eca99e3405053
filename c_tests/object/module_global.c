/* Global variables of modules as buffers: found, used by copies, memsets, kernels and graphs, and what keeps their module. */
#include "../graph/nodes.h"
#include "module_global_ptx.h"

static struct rig rig;

/* The variables of the image, for the host device. */
static uint32_t numbers[4], factor;
static uint64_t unused;

/* tally(uint32_t value): each number grows by value * factor. */
static int32_t tally(const gc_host_block *block, const void *const *arguments) {
    uint32_t i;
    for (i = 0; i < 4 && i < block->block_dim[0]; i++)
        numbers[i] += PARAMETER(uint32_t, 0) * factor;
    return 0;
}

static const gc_host_kernel kernels[] = {{(uint32_t)sizeof(gc_host_kernel), 0, "tally", tally, sizes_u32, 1, NULL, 0}};
static const gc_host_global globals[] = {GRAPHCAP_HOST_GLOBAL("numbers", numbers),
                                         GRAPHCAP_HOST_GLOBAL("factor", factor),
                                         GRAPHCAP_HOST_GLOBAL("unused", unused)};

static gc_module_description description_of(const gc_host_global *given, size_t count) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    description.image = module_global_ptx;
    description.image_size = sizeof module_global_ptx;
    description.host_kernels = kernels;
    description.host_kernel_count = LENGTH_OF(kernels);
    description.host_globals = given;
    description.host_global_count = count;
    return description;
}

/* With the variables as the image initialises them. */
static gc_module *load(void) {
    static const uint32_t first[] = {1, 2, 3, 4};
    gc_module_description description = description_of(globals, LENGTH_OF(globals));
    gc_module *module = NULL;
    memcpy(numbers, first, sizeof numbers);
    factor = 10;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    return module;
}

static gc_buffer *find(const gc_module *module, const char *name) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_module_get_global(module, name, &buffer));
    return buffer;
}

static gc_status launch_tally(const gc_module *module, uint32_t value) {
    gc_kernel *kernel = get_kernel(module, "tally");
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(value)};
    gc_status status = launch(rig.stream, kernel, 1, 4, arguments, 1);
    CHECK_OK(gc_kernel_destroy(kernel));
    return status;
}

static void globals_have_a_size_and_an_address(void) {
    gc_module *module = load();
    gc_buffer *words = find(module, "numbers"), *again = find(module, "numbers"), *wide = find(module, "unused");
    uint64_t address = 0, same = 1;
    size_t size = 0;
    CHECK_OK(gc_buffer_size(words, &size));
    CHECK(size == sizeof numbers);
    CHECK_OK(gc_buffer_size(wide, &size));
    CHECK(size == sizeof unused);
    CHECK_OK(gc_buffer_address(words, &address));
    CHECK_OK(gc_buffer_address(again, &same));
    CHECK(address != 0 && address == same);
    CHECK(read_u32(rig.stream, words, 0) == 1 && read_u32(rig.stream, again, 3) == 4);
    CHECK_OK(gc_buffer_destroy(words));
    CHECK_OK(gc_buffer_destroy(again));
    CHECK_OK(gc_buffer_destroy(wide));
    CHECK_OK(gc_module_destroy(module));
}

/* What the program writes there the kernels see, and the other way round. */
static void kernels_and_copies_use_the_same_memory(void) {
    static const uint32_t given[] = {100, 200, 300, 400};
    gc_module *module = load();
    gc_buffer *words = find(module, "numbers"), *by = find(module, "factor");
    gc_buffer *other = open_buffer(rig.context, sizeof numbers);
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, words, 0, given, sizeof given));
    CHECK_OK(launch_tally(module, 1));
    CHECK(read_u32(rig.stream, words, 0) == 110 && read_u32(rig.stream, words, 3) == 410);
    CHECK_OK(gc_stream_memset(rig.stream, by, 0, 2, 4, 1));
    CHECK_OK(launch_tally(module, 1));
    CHECK(read_u32(rig.stream, words, 0) == 112);
    CHECK_OK(launch_add(&rig, rig.stream, words, 4, 5, 2)); /* as an argument */
    CHECK(read_u32(rig.stream, words, 1) == 217 && read_u32(rig.stream, words, 2) == 317);
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, other, 0, words, 0, sizeof numbers));
    CHECK(read_u32(rig.stream, other, 3) == 412);
    CHECK_MESSAGE(gc_stream_memset(rig.stream, words, 0, 0, 4, 5), GRAPHCAP_ERROR_INVALID_VALUE, "16 bytes");
    CHECK_OK(gc_buffer_destroy(words));
    CHECK_OK(gc_buffer_destroy(by));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_module_destroy(module));
}

/* The module stays for the buffer, and for graphs that use the buffer. */
static void graphs_keep_the_module_of_a_global(void) {
    gc_module *module = load();
    gc_buffer *words = find(module, "numbers"), *by = find(module, "factor"), *found = NULL;
    gc_host_buffer *none = NULL;
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(words, 8, 7, 4, 1, 1, 0);
    gc_memset_node_params told;
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    gc_node node = 0;
    size_t offset = 0;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_tally(module, 3));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
    memset(&told, 0, sizeof told);
    told.struct_size = sizeof told;
    CHECK_OK(gc_node_get_memset_params(graph, node, &told));
    CHECK_OK(gc_context_find_buffer(rig.context, told.address, &found, &none, &offset));
    CHECK(found != NULL && offset == 8);
    CHECK_OK(gc_buffer_destroy(found));
    CHECK_OK(gc_buffer_destroy(words));
    CHECK_OK(gc_module_destroy(module));
    CHECK(read_u32(rig.stream, by, 0) == 10); /* the buffer keeps the module */
    CHECK_OK(gc_buffer_destroy(by));
    exec = open_exec(graph);
    replay(&rig, exec);
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    if (!on_cuda())
        CHECK(numbers[0] == 61 && (numbers[2] == 7 || numbers[2] == 37)); /* nothing orders the two nodes */
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* Also during a capture that bars unsafe calls. */
static void globals_are_found_during_captures(void) {
    gc_module *module = load();
    gc_buffer *words;
    gc_graph_exec *exec;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    words = find(module, "numbers");
    CHECK_OK(gc_stream_memset(rig.stream, words, 0, 9, 4, 1));
    exec = finish_capture(rig.stream);
    CHECK(read_u32(rig.stream, words, 0) == 1);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, words, 0) == 9);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(words));
    CHECK_OK(gc_module_destroy(module));
}

static void unknown_globals_are_not_found(void) {
    gc_module *module = load();
    gc_buffer *buffer = NULL;
    CHECK_MESSAGE(gc_module_get_global(module, "nix", &buffer), GRAPHCAP_ERROR_NOT_FOUND, "nix");
    if (!on_cuda())
        CHECK_MESSAGE(gc_module_get_global(module, "nix", &buffer), GRAPHCAP_ERROR_NOT_FOUND, "factor, numbers, unused");
    CHECK_MESSAGE(gc_module_get_global(module, "", &buffer), GRAPHCAP_ERROR_NOT_FOUND, "''");
    CHECK_MESSAGE(gc_module_get_global(module, "tally", &buffer), GRAPHCAP_ERROR_NOT_FOUND, "tally");
    CHECK_MESSAGE(gc_module_get_global(module, NULL, &buffer), GRAPHCAP_ERROR_INVALID_VALUE, "name");
    CHECK_MESSAGE(gc_module_get_global(module, "\xff", &buffer), GRAPHCAP_ERROR_INVALID_VALUE, "name");
    CHECK(buffer == NULL);
    CHECK_OK(gc_module_destroy(module));
    CHECK_MESSAGE(gc_module_get_global(rig.module, "numbers", &buffer), GRAPHCAP_ERROR_NOT_FOUND, "numbers");
}

static void refuse(gc_host_global wrong, const char *word) {
    gc_host_global given[2] = {globals[0], globals[0]};
    gc_module_description description = description_of(given, 2);
    gc_module *module = NULL;
    given[1] = wrong;
    CHECK_MESSAGE(gc_module_load(rig.context, &description, &module), GRAPHCAP_ERROR_INVALID_VALUE, word);
    CHECK(module == NULL);
}

/* On both kinds of device. */
static void wrong_host_globals_are_refused(void) {
    gc_module_description description = description_of(NULL, 1);
    gc_module *module = NULL;
    gc_host_global wrong = globals[1];
    wrong.name = "numbers";
    refuse(wrong, "two host globals");
    wrong.name = "";
    refuse(wrong, "empty");
    wrong.name = NULL;
    refuse(wrong, "host_globals.name");
    wrong = globals[1];
    wrong.address = NULL;
    refuse(wrong, "host_globals.address");
    wrong = globals[1];
    wrong.size = 0;
    refuse(wrong, "0 bytes");
    wrong.size = SIZE_MAX;
    refuse(wrong, "range");
    wrong = globals[1];
    wrong.flags = 1;
    refuse(wrong, "host_globals.flags");
    CHECK_MESSAGE(gc_module_load(rig.context, &description, &module), GRAPHCAP_ERROR_INVALID_VALUE, "host_globals");
    CHECK(module == NULL);
}

/* A program that was compiled before there were globals goes on to work. */
static void an_older_description_has_no_globals(void) {
    gc_module_description description = description_of(globals, LENGTH_OF(globals));
    gc_module *module = NULL;
    gc_buffer *buffer = NULL;
    NOT_ON_CUDA("there the variables are those of the image");
    description.struct_size = 40;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    CHECK_MESSAGE(gc_module_get_global(module, "numbers", &buffer), GRAPHCAP_ERROR_NOT_FOUND, "none");
    CHECK_OK(gc_module_destroy(module));
}

int main(void) {
    rig_open(&rig);
    RUN(globals_have_a_size_and_an_address);
    RUN(kernels_and_copies_use_the_same_memory);
    RUN(graphs_keep_the_module_of_a_global);
    RUN(globals_are_found_during_captures);
    RUN(unknown_globals_are_not_found);
    RUN(wrong_host_globals_are_refused);
    RUN(an_older_description_has_no_globals);
    rig_close(&rig);
    return check_finish();
}
