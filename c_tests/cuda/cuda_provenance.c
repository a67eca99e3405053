/* What a GPU's driver tells of the arguments of kernel nodes: the layout of parameters, the bytes as they were recorded, and
 * which of their words are addresses, of what. What graphcap reads of nodes rests on it. The kernel has a pointer, numbers
 * and a struct with two pointers in it. */
#include "cuda_driver.h"

/* As the kernel has it. */
struct bundle {
    int32_t count;
    uint64_t input;
    double scale;
    uint64_t addend;
    uint32_t pair[2];
};

enum { PARAMETERS = 4, BUNDLE = 2, INPUT = 64, ADDEND = 512, BYTES = 4096 };

static const size_t sizes[PARAMETERS] = {8, 4, sizeof(struct bundle), 2};
static const size_t offsets[PARAMETERS] = {0, 8, 16, 56};

static const char gather_ptx[] =
    ".version 6.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry gather(\n"
    "    .param .u64 result,\n"
    "    .param .u32 factor,\n"
    "    .param .align 8 .b8 bundle[40],\n"
    "    .param .u16 tail\n"
    ")\n"
    "{\n"
    "    .reg .b16 %h<2>;\n"
    "    .reg .b32 %r<8>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [result];\n"
    "    ld.param.u32 %r1, [factor];\n"
    "    ld.param.u64 %rd2, [bundle+8];\n"
    "    ld.param.u64 %rd3, [bundle+24];\n"
    "    ld.param.u32 %r2, [bundle+32];\n"
    "    ld.param.u16 %h1, [tail];\n"
    "    ld.u32 %r3, [%rd2];\n"
    "    ld.u32 %r4, [%rd3];\n"
    "    mad.lo.u32 %r5, %r3, %r1, %r4;\n"
    "    add.u32 %r5, %r5, %r2;\n"
    "    cvt.u32.u16 %r6, %h1;\n"
    "    add.u32 %r7, %r5, %r6;\n"
    "    st.u32 [%rd1], %r7;\n"
    "    ret;\n"
    "}\n";

/* CUDA_KERNEL_NODE_PARAMS_v2. */
struct kernel_node {
    void *function;
    unsigned grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    void *kernel, *context;
};

/* CUmemAllocationProp: pinned memory of device 0. */
struct memory_properties {
    int type, handle_types, location_type, location;
    void *meta;
    unsigned char flags[8];
};

/* What only this program calls: member, symbol, parameters. The first came with 12.4. */
#define RAW_FUNCTIONS(F)                                                                                               \
    F(function_parameter, cuFuncGetParamInfo, (void *function, size_t index, size_t *offset, size_t *size))            \
    F(kernel_node, cuGraphKernelNodeGetParams_v2, (void *node, struct kernel_node *parameters))                        \
    F(pointer_attributes, cuPointerGetAttributes,                                                                      \
      (unsigned count, unsigned *attributes, void **values, uint64_t address))                                         \
    F(pool_allocate, cuMemAllocAsync, (uint64_t *address, size_t size, void *stream))                                  \
    F(pool_free, cuMemFreeAsync, (uint64_t address, void *stream))                                                     \
    F(granularity, cuMemGetAllocationGranularity,                                                                      \
      (size_t *bytes, const struct memory_properties *properties, unsigned option))                                    \
    F(reserve, cuMemAddressReserve,                                                                                    \
      (uint64_t *address, size_t size, size_t alignment, uint64_t wanted, unsigned long long flags))                   \
    F(unreserve, cuMemAddressFree, (uint64_t address, size_t size))                                                    \
    F(create, cuMemCreate,                                                                                             \
      (unsigned long long *memory, size_t size, const struct memory_properties *properties, unsigned long long flags)) \
    F(release, cuMemRelease, (unsigned long long memory))                                                              \
    F(map, cuMemMap,                                                                                                   \
      (uint64_t address, size_t size, size_t offset, unsigned long long memory, unsigned long long flags))             \
    F(unmap, cuMemUnmap, (uint64_t address, size_t size))

#define RAW_MEMBER(member, symbol, parameters) int(*member) parameters;
static struct {
    RAW_FUNCTIONS(RAW_MEMBER)
} raw;
#undef RAW_MEMBER

static struct rig rig;
static gc_kernel *gather;
static gc_module *module;
static gc_buffer *buffer;

/* An allocation as the driver tells it. Where there is none it sets the number to 0 and leaves the others. */
struct origin {
    uint64_t base, id;
    size_t size;
};

static struct origin origin_of(uint64_t address) {
    enum { BUFFER_ID = 7, RANGE_START = 11, RANGE_SIZE = 12 };
    unsigned attributes[] = {RANGE_START, RANGE_SIZE, BUFFER_ID};
    struct origin origin = {1, 1, 1};
    void *values[] = {NULL, NULL, NULL};
    values[0] = &origin.base;
    values[1] = &origin.size;
    values[2] = &origin.id;
    CU_OK(raw.pointer_attributes(3, attributes, values, address));
    return origin;
}

static void check_none(uint64_t address) {
    struct origin origin = origin_of(address);
    if (check_failed(origin.base == 1 && origin.size == 1 && origin.id == 0))
        fprintf(stderr, "in %s: %#llx is told to be of %llu bytes at %#llx\n", check_test, (unsigned long long)address,
                (unsigned long long)origin.size, (unsigned long long)origin.base);
}

static struct bundle make_bundle(void) {
    struct bundle bundle;
    memset(&bundle, 0, sizeof bundle);
    bundle.count = 1024;
    bundle.input = address_of(buffer) + INPUT;
    bundle.scale = 0.125;
    bundle.addend = address_of(buffer) + ADDEND;
    bundle.pair[0] = 1000;
    bundle.pair[1] = 512;
    return bundle;
}

static const uint32_t factor = 3;
static const uint16_t tail = 20000;

/* What the kernel is to have written. */
enum { RESULT = 7 * 3 + 5 + 1000 + 20000 };

/* The bytes of one parameter of a node, however the driver gives them. */
static const unsigned char *argument_of(const struct kernel_node *node, size_t index) {
    enum { POINTER = 1 };
    size_t at;
    if (node->parameters != NULL)
        return (const unsigned char *)node->parameters[index];
    for (at = 0; node->extra != NULL && node->extra[at] != NULL; at += 2)
        if ((uintptr_t)node->extra[at] == POINTER)
            return (const unsigned char *)node->extra[at + 1] + offsets[index];
    return NULL;
}

/* Checks what the driver tells of the node of a graph, and that it runs. */
static void check_node(const gc_graph *graph, int is_packed) {
    struct bundle bundle = make_bundle(), read;
    uint64_t result = address_of(buffer), words[sizeof(struct bundle) / 8];
    const void *expected[PARAMETERS];
    struct kernel_node node;
    void *native = NULL, *nodes[2] = {NULL, NULL};
    gc_graph_exec *exec = NULL;
    size_t count = LENGTH_OF(nodes), i;
    expected[0] = &result;
    expected[1] = &factor;
    expected[2] = &bundle;
    expected[3] = &tail;
    memset(&node, 0, sizeof node);
    memset(&read, 0, sizeof read);
    REQUIRE_OK(gc_graph_native(graph, &native));
    REQUIRE_CU(cu.graph_nodes(native, nodes, &count));
    CHECK_EQUAL(count, 1);
    REQUIRE_CU(raw.kernel_node(nodes[0], &node));
    CHECK((node.parameters != NULL) == !is_packed && (node.extra != NULL) == is_packed);
    CHECK(node.function != NULL || node.kernel != NULL);
    for (i = 0; i < PARAMETERS; i++) {
        size_t offset = SIZE_MAX, size = SIZE_MAX;
        const unsigned char *argument = argument_of(&node, i);
        CU_OK(raw.function_parameter(node.function, i, &offset, &size));
        CHECK_EQUAL(offset, offsets[i]);
        CHECK_EQUAL(size, sizes[i]);
        CHECK(argument != NULL && memcmp(argument, expected[i], sizes[i]) == 0);
        if (i == BUNDLE && argument != NULL)
            memcpy(&read, argument, sizeof read);
    }
    CHECK_CU(raw.function_parameter(node.function, PARAMETERS, &count, &count), GRAPHCAP_ERROR_INVALID_VALUE);
    /* Two words of the struct are addresses, and the driver tells which. */
    memcpy(words, &read, sizeof words);
    for (i = 0; i < LENGTH_OF(words); i++) {
        struct origin origin = origin_of(words[i]);
        if (i == offsetof(struct bundle, input) / 8 || i == offsetof(struct bundle, addend) / 8) {
            CHECK_EQUAL(origin.base, address_of(buffer));
            CHECK(origin.size >= BYTES && origin.id != 0);
        } else {
            check_none(words[i]);
        }
    }
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_EQUAL(read_u32(rig.stream, buffer, 0), RESULT);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void arguments_that_graphcap_records_are_read_back(void) {
    struct bundle bundle = make_bundle();
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(factor),
                                 GRAPHCAP_ARG_INIT_VALUE(bundle), GRAPHCAP_ARG_INIT_VALUE(tail)};
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch(rig.stream, gather, 1, 1, arguments, LENGTH_OF(arguments)));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    /* The driver copied them. */
    memset(&bundle, 0xff, sizeof bundle);
    check_node(graph, 0);
    CHECK_OK(gc_graph_destroy(graph));
}

/* Launches the kernel on the stream with its arguments in one block, as some libraries do. */
static void launch_packed(void) {
    unsigned char block[64];
    struct bundle bundle = make_bundle();
    uint64_t result = address_of(buffer);
    size_t size = 58;
    void *extra[] = {(void *)(uintptr_t)1, NULL, (void *)(uintptr_t)2, NULL, NULL};
    extra[1] = block;
    extra[3] = &size;
    memset(block, 0, sizeof block);
    memcpy(block + offsets[0], &result, sizes[0]);
    memcpy(block + offsets[1], &factor, sizes[1]);
    memcpy(block + offsets[2], &bundle, sizes[2]);
    memcpy(block + offsets[3], &tail, sizes[3]);
    CU_OK(cu.launch_kernel(native_kernel(gather), 1, 1, 1, 1, 1, 1, 0, native_stream(rig.stream), NULL, extra));
    memset(block, 0xff, sizeof block);
}

static void packed_arguments_of_others_are_read_back(void) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    launch_packed();
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    check_node(graph, 1);
    CHECK_OK(gc_graph_destroy(graph));
}

/* The optimizer takes a block apart where it trusts parameters: each word of it may be an address. */
static void packed_arguments_order_what_they_point_to(void) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_buffer *const mine = buffer, *other = open_buffer(rig.context, BYTES);
    gc_graph *graph = NULL, *result = NULL;
    gc_graph_exec *exec = NULL;
    unsigned i;
    CHECK_OK(gc_stream_memset(rig.stream, other, 0, 0, 4, BYTES / 4));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    for (i = 0; i < 4; i++) {
        buffer = i % 2 == 0 ? mine : other;
        launch_packed();
    }
    buffer = mine;
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_optimize(graph, &options, &result, NULL, &report));
    CHECK(report.barrier_count == 4 && report.path_after == 4);
    CHECK_OK(gc_graph_destroy(result));
    options.flags = GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS;
    REQUIRE_OK(gc_graph_optimize(graph, &options, &result, NULL, &report));
    CHECK(report.barrier_count == 0 && report.path_before == 4 && report.path_after == 2);
    CHECK_OK(gc_stream_memset(rig.stream, mine, 0, 0, 4, 1));
    REQUIRE_OK(gc_graph_instantiate(result, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_EQUAL(read_u32(rig.stream, mine, 0), RESULT);
    /* The words of the other buffer are 0. */
    CHECK_EQUAL(read_u32(rig.stream, other, 0), 1000 + 20000);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(other));
}

/* What an address is of: from the first byte of an allocation to the last, whoever made it. */
static void allocations_are_told_by_each_of_their_bytes(void) {
    uint64_t address = 0;
    struct origin first, last;
    REQUIRE_CU(cu.memory_allocate(&address, BYTES));
    first = origin_of(address);
    last = origin_of(address + BYTES - 1);
    CHECK_EQUAL(first.base, address);
    CHECK_EQUAL(first.size, BYTES);
    CHECK(first.id != 0 && memcmp(&first, &last, sizeof first) == 0);
    CHECK(origin_of(address + BYTES).id != first.id);
    CU_OK(cu.memory_free(address));
    check_none(address);
}

/* Memory that is allocated where other memory was has another number: the driver's, and that of a pool. */
static void reused_memory_has_another_number(void) {
    void *stream = raw_stream(CU_STREAM_APART);
    int pooled;
    for (pooled = 0; pooled < 2; pooled++) {
        uint64_t last_address = 0;
        struct origin last = {0, 0, 0};
        unsigned round, reused = 0;
        for (round = 0; round < 20; round++) {
            uint64_t address = 0;
            struct origin origin;
            if (pooled) {
                REQUIRE_CU(raw.pool_allocate(&address, BYTES, stream));
                CU_OK(cu.stream_synchronize(stream));
            } else {
                REQUIRE_CU(cu.memory_allocate(&address, BYTES));
            }
            origin = origin_of(address);
            CHECK(origin.base == address && origin.size >= BYTES && origin.id > last.id);
            reused += address == last_address;
            last = origin;
            last_address = address;
            if (pooled) {
                CU_OK(raw.pool_free(address, stream));
                CU_OK(cu.stream_synchronize(stream));
            } else {
                CU_OK(cu.memory_free(address));
            }
        }
        CHECK(reused > 0);
    }
    CU_OK(cu.stream_destroy(stream));
}

/* Addresses that are reserved are no memory; each piece of memory that is mapped there has a number of its own. */
static void mappings_have_numbers_of_their_own(void) {
    enum { BUFFER_ID = 7, RANGE_START = 11, RANGE_SIZE = 12, MAPPING_SIZE = 18, MAPPING_START = 19 };
    struct memory_properties properties = {1, 0, 1, 0, NULL, {0}};
    unsigned attributes[] = {RANGE_START, RANGE_SIZE, MAPPING_START, MAPPING_SIZE, BUFFER_ID};
    uint64_t base = 0, ids[4];
    unsigned long long memory[2];
    size_t page = 0, i;
    REQUIRE_CU(raw.granularity(&page, &properties, 0));
    REQUIRE_CU(raw.reserve(&base, 4 * page, 0, 0, 0));
    for (i = 0; i < 2; i++) {
        REQUIRE_CU(raw.create(&memory[i], page, &properties, 0));
        REQUIRE_CU(raw.map(base + 2 * i * page, page, 0, memory[i], 0));
    }
    for (i = 0; i < 4; i++) {
        uint64_t told[5] = {0, 0, 0, 0, 0}, address = base + i * page;
        void *values[5];
        size_t at;
        for (at = 0; at < 5; at++)
            values[at] = &told[at];
        CU_OK(raw.pointer_attributes(5, attributes, values, address + 8));
        CHECK_EQUAL(told[0], base);
        CHECK_EQUAL(told[1], 4 * page);
        CHECK_EQUAL(told[2], i % 2 == 0 ? address : 0);
        CHECK_EQUAL(told[3], i % 2 == 0 ? page : 0);
        ids[i] = told[4];
    }
    CHECK(ids[0] != 0 && ids[1] == 0 && ids[2] != 0 && ids[3] == 0 && ids[0] != ids[2]);
    for (i = 0; i < 2; i++) {
        CU_OK(raw.unmap(base + 2 * i * page, page));
        CU_OK(raw.release(memory[i]));
    }
    CU_OK(raw.unreserve(base, 4 * page));
    check_none(base);
}

/* Drivers differ in whether they know memory of an allocation node. One that does tells what the node tells. */
static void check_of_allocation_node(uint64_t address) {
    struct origin origin = origin_of(address);
    if (origin.id == 0)
        check_none(address);
    else if (check_failed(origin.base == address && origin.size == BYTES))
        fprintf(stderr, "in %s: %#llx is told to be of %llu bytes at %#llx\n", check_test, (unsigned long long)address,
                (unsigned long long)origin.size, (unsigned long long)origin.base);
}

static void memory_of_allocation_nodes_is_told_as_the_node_tells_it(void) {
    void *stream = raw_stream(CU_STREAM_APART), *graph = NULL, *exec = NULL;
    uint64_t address = 0;
    REQUIRE_CU(cu.begin_capture(stream, 1));
    CU_OK(raw.pool_allocate(&address, BYTES, stream));
    CU_OK(cu.fill_bytes(address, 1, BYTES, stream));
    REQUIRE_CU(cu.end_capture(stream, &graph));
    check_of_allocation_node(address);
    REQUIRE_CU(cu.graph_instantiate(&exec, graph, 0));
    CU_OK(cu.graph_launch(exec, stream));
    CU_OK(cu.stream_synchronize(stream));
    check_of_allocation_node(address);
    CU_OK(raw.pool_free(address, stream));
    CU_OK(cu.stream_synchronize(stream));
    CU_OK(cu.exec_destroy(exec));
    CU_OK(cu.graph_destroy(graph));
    CU_OK(cu.stream_destroy(stream));
}

static void find(void *library, const char *symbol, void *member) {
    void *found = dlsym(library, symbol);
    if (found != NULL)
        memcpy(member, &found, sizeof found);
}

#define RAW_FIND(member, symbol, parameters) find(library, #symbol, &raw.member);

/* Finds the functions, and loads the kernel. */
static void objects_open(void) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    uint32_t words[BYTES / 4];
    void *library;
    cuda_open();
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    RAW_FUNCTIONS(RAW_FIND)
    if (raw.function_parameter == NULL)
        cuda_skip("cuda", "drivers tell the layout of parameters from CUDA 12.4 on");
    rig_open(&rig);
    description.image = gather_ptx;
    description.image_size = sizeof gather_ptx;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    gather = get_kernel(module, "gather");
    buffer = open_buffer(rig.context, BYTES);
    memset(words, 0, sizeof words);
    words[INPUT / 4] = 7;
    words[ADDEND / 4] = 5;
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, buffer, 0, words, sizeof words));
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

static void objects_close(void) {
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_kernel_destroy(gather));
    CHECK_OK(gc_module_destroy(module));
    rig_close(&rig);
}

int main(void) {
    objects_open();
    RUN(arguments_that_graphcap_records_are_read_back);
    RUN(packed_arguments_of_others_are_read_back);
    RUN(packed_arguments_order_what_they_point_to);
    RUN(allocations_are_told_by_each_of_their_bytes);
    RUN(reused_memory_has_another_number);
    RUN(mappings_have_numbers_of_their_own);
    RUN(memory_of_allocation_nodes_is_told_as_the_node_tells_it);
    objects_close();
    return cuda_finish();
}
