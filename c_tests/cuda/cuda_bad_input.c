/* Bad input on a GPU: images that are cut short, damaged or for something else, kernels that are not there, wrong
 * arguments and shapes, streams of other contexts. Each has a clear status and message, harms nothing else, and leaves
 * nothing on the device. */
#include "cuda_driver.h"

static struct rig rig;
static gc_buffer *buffer;
/* Not the primary one, and a stream in it. */
static void *other_context, *other_stream;

/* Loads an image and gives the module up again; the message is kept. */
static gc_status load(const void *image, size_t size) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = (gc_module *)&description;
    gc_status status;
    description.image = image;
    description.image_size = size;
    status = gc_module_load(rig.context, &description, &module);
    CHECK((status == GRAPHCAP_SUCCESS) == (module != NULL));
    if (module != NULL)
        CHECK_OK(gc_module_destroy(module));
    return status;
}

#define LOAD_REFUSES(image, size, status, word) \
    check_message(__FILE__, __LINE__, "gc_module_load", load(image, size), status, word)

/* The text of the test kernels, cut at `length`. */
static gc_status load_cut(size_t length) {
    char *cut = (char *)malloc(length + 1);
    gc_status status;
    if (cut == NULL)
        exit(EXIT_FAILURE);
    memcpy(cut, kernels_ptx, length);
    cut[length] = '\0';
    status = load(cut, length);
    free(cut);
    return status;
}

/* Where `needle` is in the PTX of the test kernels, from `from` on. */
static size_t find_text(const char *needle, size_t from) {
    const char *found = strstr((const char *)kernels_ptx + from, needle);
    if (found == NULL) {
        fprintf(stderr, "kernels.ptx has no '%s'\n", needle);
        exit(EXIT_FAILURE);
    }
    return (size_t)(found - (const char *)kernels_ptx);
}

static void ptx_that_is_cut_is_refused(void) {
    size_t cuts[5], i;
    for (i = 1; i < 9; i++)
        LOAD_REFUSES(kernels_ptx, i, GRAPHCAP_ERROR_INVALID_IMAGE, "image");
    /* In the list of parameters, in a name, in an instruction, before the end of a body and in the last one. */
    cuts[0] = find_text(".param", 0) + 3;
    cuts[1] = find_text(".visible .entry saxpy", 0) + 18;
    cuts[2] = find_text("ld.param", 3000) + 9;
    cuts[3] = find_text("}", 0);
    cuts[4] = strlen((const char *)kernels_ptx) - 8;
    for (i = 0; i < LENGTH_OF(cuts); i++) {
        gc_status status = load_cut(cuts[i]);
        char message[1024] = "";
        gc_last_error_message(message, sizeof message, NULL);
        CHECK(status == GRAPHCAP_ERROR_INVALID_PTX || status == GRAPHCAP_ERROR_INVALID_IMAGE);
        /* Where it is wrong, in the compiler's words. */
        if (check_failed(check_contains(message, "gc_module_load") && check_contains(message, "ptxas") &&
                         check_contains(message, "line")))
            fprintf(stderr, "in %s: cut at %lu: the message has no log of the compiler: %s\n", check_test,
                    (unsigned long)cuts[i], message);
    }
}

#define PTX_HEAD ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry broken() {\n"

static void errors_in_ptx_are_told_in_the_compilers_words(void) {
    static const char instruction[] = PTX_HEAD "    frobnicate.u32 %r1, %r2;\n    ret;\n}\n";
    static const char symbol[] = PTX_HEAD "    .reg .u32 %r<2>;\n    mov.u32 %r1, nowhere_to_be_found;\n    ret;\n}\n";
    static const char target[] = ".version 6.0\n.target sm_9999\n.address_size 64\n.visible .entry broken() { ret; }\n";
    static const char version[] = ".version 99.0\n.target sm_50\n.address_size 64\n.visible .entry broken() { ret; }\n";
    static const char nul[] = ".version 6.0\n.target sm_50\n\0.address_size 64\n";
    gc_status status;
    LOAD_REFUSES(instruction, sizeof instruction, GRAPHCAP_ERROR_INVALID_PTX, "frobnicate");
    LOAD_REFUSES(symbol, sizeof symbol, GRAPHCAP_ERROR_INVALID_PTX, "nowhere_to_be_found");
    /* The driver has codes of its own for PTX that is newer than itself, or for no GPU of this kind. */
    status = load(target, sizeof target);
    CHECK(status == GRAPHCAP_ERROR_INVALID_PTX || status == GRAPHCAP_ERROR_NO_BINARY_FOR_GPU);
    check_message(__FILE__, __LINE__, "gc_module_load", status, status, "PTX");
    status = load(version, sizeof version);
    CHECK(status == GRAPHCAP_ERROR_INVALID_PTX || status == GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION);
    check_message(__FILE__, __LINE__, "gc_module_load", status, status, "PTX");
    LOAD_REFUSES(nul, sizeof nul, GRAPHCAP_ERROR_INVALID_IMAGE, "NUL");
}

static void put(unsigned char *bytes, size_t at, unsigned size, uint64_t value) {
    for (; size > 0; size--, at++, value >>= 8)
        bytes[at] = (unsigned char)value;
}

/* Headers made by hand: of an ELF file for another machine, of files that are shorter than they say. */
static void headers_that_lie_are_refused(void) {
    unsigned char elf[256], fatbin[64];
    size_t length;
    memset(elf, 0, sizeof elf);
    memcpy(elf, "\177ELF\2\1\1", 7);
    put(elf, 16, 2, 2);
    put(elf, 18, 2, 62);
    put(elf, 40, 8, 64);
    put(elf, 52, 2, 64);
    put(elf, 58, 2, 64);
    put(elf, 60, 2, 1);
    LOAD_REFUSES(elf, sizeof elf, GRAPHCAP_ERROR_INVALID_IMAGE, "GPU");
    /* For a GPU, but with a section far behind its end. */
    put(elf, 18, 2, 190);
    put(elf, 64 + 4, 4, 1);
    put(elf, 64 + 24, 8, UINT64_C(1) << 40);
    put(elf, 64 + 32, 8, 16);
    LOAD_REFUSES(elf, sizeof elf, GRAPHCAP_ERROR_INVALID_IMAGE, "cut short");
    put(elf, 64 + 24, 8, UINT64_MAX - 4);
    LOAD_REFUSES(elf, sizeof elf, GRAPHCAP_ERROR_INVALID_IMAGE, "cut short");
    for (length = 4; length < 128; length++)
        LOAD_REFUSES(elf, length, GRAPHCAP_ERROR_INVALID_IMAGE, "cut short");
    memset(fatbin, 0, sizeof fatbin);
    put(fatbin, 0, 4, UINT64_C(0xba55ed50));
    put(fatbin, 4, 2, 1);
    put(fatbin, 6, 2, 16);
    put(fatbin, 8, 8, 4096);
    for (length = 4; length <= sizeof fatbin; length++)
        LOAD_REFUSES(fatbin, length, GRAPHCAP_ERROR_INVALID_IMAGE, "cut short");
    put(fatbin, 0, 4, UINT64_C(0x466243b1));
    LOAD_REFUSES(fatbin, sizeof fatbin, GRAPHCAP_ERROR_INVALID_IMAGE, "wrapper");
    memset(elf, 0, sizeof elf);
    LOAD_REFUSES(elf, sizeof elf, GRAPHCAP_ERROR_INVALID_IMAGE, "empty");
    memset(elf, 0xa5, sizeof elf);
    LOAD_REFUSES(elf, sizeof elf, GRAPHCAP_ERROR_INVALID_IMAGE, "neither");
}

/* A real cubin, which the driver's linker makes of the PTX for this very GPU: whole it works, from any address; cut it
 * is refused, wherever it is cut. */
static void a_cubin_works_whole_and_not_in_part(void) {
    void *link = NULL, *image = NULL;
    unsigned char *copy;
    size_t size = 0, length;
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    gc_kernel *add;
    size_t parameters = 0;
    uint32_t value = 3;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    REQUIRE_CU(cu.link_create(0, NULL, NULL, &link));
    REQUIRE_CU(cu.link_add(link, CU_LINK_PTX, (void *)(uintptr_t)kernels_ptx, sizeof kernels_ptx, "kernels", 0, NULL,
                           NULL));
    REQUIRE_CU(cu.link_complete(link, &image, &size));
    copy = (unsigned char *)malloc(size + 1);
    if (copy == NULL)
        exit(EXIT_FAILURE);
    memcpy(copy + 1, image, size);
    CU_OK(cu.link_destroy(link));

    description.image = copy + 1;
    description.image_size = size;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    add = get_kernel(module, "add");
    CHECK_OK(gc_kernel_parameter_count(add, &parameters));
    CHECK_EQUAL(parameters, 3);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 4, 4, 1));
    CHECK_OK(launch(rig.stream, add, 1, 1, arguments, 3));
    CHECK_EQUAL(read_u32(rig.stream, buffer, 0), 7);
    CHECK_OK(gc_kernel_destroy(add));
    CHECK_OK(gc_module_destroy(module));
    for (length = 4; length < size; length += length < 256 ? 1 : 997) {
        gc_status status = load(copy + 1, length);
        if (check_failed(status == GRAPHCAP_ERROR_INVALID_IMAGE))
            fprintf(stderr, "in %s: a cubin of %lu bytes, cut to %lu, gave %d\n", check_test, (unsigned long)size,
                    (unsigned long)length, (int)status);
    }
    free(copy);
}

static void kernels_that_are_not_there_are_refused(void) {
    gc_kernel *kernel = (gc_kernel *)buffer;
    CHECK_MESSAGE(gc_module_get_kernel(rig.module, "absent", &kernel), GRAPHCAP_ERROR_NOT_FOUND, "'absent'");
    CHECK(kernel == NULL);
    /* It says what there is. */
    CHECK_MESSAGE(gc_module_get_kernel(rig.module, "saxpi", &kernel), GRAPHCAP_ERROR_NOT_FOUND, "saxpy");
    CHECK_MESSAGE(gc_module_get_kernel(rig.module, "", &kernel), GRAPHCAP_ERROR_NOT_FOUND, "saxpy");
    CHECK_MESSAGE(gc_module_get_kernel(rig.module, "_Z3addPjjm", &kernel), GRAPHCAP_ERROR_NOT_FOUND, "add");
    CHECK(kernel == NULL);
}

/* Wrong arguments are found by graphcap, from the image's own list: a capture does not mind. */
static void wrong_arguments_are_refused(void) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_graph *graph = NULL;
    size_t nodes = 0;
    int captured;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count), GRAPHCAP_ARG_INIT_VALUE(count)};
    const gc_kernel_arg wide[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(count),
                                  GRAPHCAP_ARG_INIT_VALUE(count)};
    const gc_kernel_arg narrow[] = {GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(value),
                                    GRAPHCAP_ARG_INIT_VALUE(count)};
#define REFUSES(list, number, word)                                                                       \
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.fill, &config, list, number),                    \
                  GRAPHCAP_ERROR_INVALID_VALUE, word)
    for (captured = 0; captured <= 1; captured++) {
        if (captured)
            REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        REFUSES(arguments, 0, "fill");
        REFUSES(arguments, 2, "takes 3 arguments");
        REFUSES(arguments, 4, "takes 3 arguments");
        REFUSES(wide, 3, "must have 4 bytes");
        REFUSES(narrow, 3, "must have 8 bytes");
        CHECK_OK(gc_stream_launch_kernel(rig.stream, rig.fill, &config, arguments, 3));
    }
#undef REFUSES
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK_EQUAL(nodes, 1);
    CHECK_OK(gc_graph_destroy(graph));
}

/* A shape that cannot be is an error at the call; while capturing it breaks the capture, as the driver has it. */
static void impossible_shapes_are_refused(void) {
    static const struct {
        uint32_t grid[3], block[3], shared_bytes;
        const char *word;
    } shapes[] = {
        {{0, 1, 1}, {1, 1, 1}, 0, "grid"},
        {{1, 0, 1}, {1, 1, 1}, 0, "grid"},
        {{UINT32_C(0x80000000), 1, 1}, {1, 1, 1}, 0, "grid"},
        {{1, 65536, 1}, {1, 1, 1}, 0, "65536"},
        {{1, 1, 65536}, {1, 1, 1}, 0, "65536"},
        {{1, 1, 1}, {0, 1, 1}, 0, "block"},
        {{1, 1, 1}, {1025, 1, 1}, 0, "1025"},
        {{1, 1, 1}, {32, 33, 1}, 0, "block"},
        {{1, 1, 1}, {1, 1, 65}, 0, "block"},
        {{1, 1, 1}, {1, 1, 1}, 1 << 30, "shared"},
    };
    gc_kernel *nothing = get_kernel(rig.module, "nothing");
    gc_graph *graph = NULL;
    size_t i;
    for (i = 0; i < LENGTH_OF(shapes); i++) {
        gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
        unsigned failures = check_failures;
        memcpy(config.grid_dim, shapes[i].grid, sizeof config.grid_dim);
        memcpy(config.block_dim, shapes[i].block, sizeof config.block_dim);
        config.shared_mem_bytes = shapes[i].shared_bytes;
        CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, nothing, &config, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE,
                      shapes[i].word);
        CHECK_OK(gc_stream_synchronize(rig.stream));
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_STATUS(gc_stream_launch_kernel(rig.stream, nothing, &config, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
        CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(launch(rig.stream, nothing, 1, 1, NULL, 0));
        if (check_failures != failures)
            fprintf(stderr, "that was shape %lu: grid %ux%ux%u, block %ux%ux%u, %u bytes shared\n", (unsigned long)i,
                    shapes[i].grid[0], shapes[i].grid[1], shapes[i].grid[2], shapes[i].block[0], shapes[i].block[1],
                    shapes[i].block[2], shapes[i].shared_bytes);
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_kernel_destroy(nothing));
}

static void what_is_of_another_context_is_refused(void) {
    gc_stream *stream = (gc_stream *)buffer;
    CHECK_MESSAGE(gc_stream_wrap(rig.context, other_stream, &stream), GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
    CHECK(stream == NULL);
}

static void too_much_memory_is_refused(void) {
    gc_buffer *huge = buffer;
    CHECK_MESSAGE(gc_buffer_allocate(rig.context, (size_t)1 << 44, &huge), GRAPHCAP_ERROR_OUT_OF_MEMORY, "free");
    CHECK(huge == NULL);
    CHECK_STATUS(gc_buffer_allocate(rig.context, SIZE_MAX, &huge), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK(huge == NULL);
}

int main(void) {
    unsigned round, rounds = soak(4, 100);
    size_t before = 0;
    uint64_t handles;
    void *popped = NULL;
    cuda_open();
    REQUIRE_CU(cu.context_create(&other_context, 0, cu.device));
    other_stream = raw_stream(CU_STREAM_APART);
    REQUIRE_CU(cu.context_pop(&popped));
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    handles = gc_live_handles();
    for (round = 0; round < rounds; round++) {
        RUN(ptx_that_is_cut_is_refused);
        RUN(errors_in_ptx_are_told_in_the_compilers_words);
        RUN(headers_that_lie_are_refused);
        RUN(a_cubin_works_whole_and_not_in_part);
        RUN(kernels_that_are_not_there_are_refused);
        RUN(wrong_arguments_are_refused);
        RUN(impossible_shapes_are_refused);
        RUN(what_is_of_another_context_is_refused);
        RUN(too_much_memory_is_refused);
        check_test = "main";
        CHECK_OK(gc_context_collect(rig.context));
        CHECK_EQUAL(gc_live_handles(), handles);
        /* What the driver itself keeps is there after the first round. */
        if (round == 0)
            before = free_memory();
        check_memory(before, "a round of bad input");
    }
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    CU_OK(cu.stream_destroy(other_stream));
    CU_OK(cu.context_destroy(other_context));
    CU_OK(cu.context_set(cu.primary));
    return cuda_finish();
}
