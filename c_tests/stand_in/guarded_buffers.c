/* GRAPHCAP_CUDA_MEMORY=guard: each buffer has a mapping of its own, whose addresses are not used again, and canaries beside it, which are
 * looked at. Scenes that end the process are children of their own. */
#include "../support/child.h"
#include "../support/pools.h"
#include "harness.h"

enum { PAGE = 2 << 20, RANGE_START = 11, MAPPING_SIZE = 18, MAPPING_START = 19 };

static struct rig rig;
static int (*pointer_attributes)(unsigned count, unsigned *attributes, void **values, uint64_t address);
static int (*memset_bytes)(uint64_t address, unsigned char value, size_t count, void *stream);

static uint64_t told_of(uint64_t address, unsigned attribute) {
    uint64_t told = 0;
    void *value = &told;
    CHECK(pointer_attributes(1, &attribute, &value, address) == 0);
    return told;
}

static gc_buffer *allocate(size_t bytes) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_allocate(rig.context, bytes, &buffer));
    return buffer;
}

/* Has others set a byte, and tells whether the driver did. */
static int set_byte(uint64_t address) {
    void *context = NULL, *popped = NULL;
    int answer;
    CHECK(raw.retain(&context, 0) == 0 && raw.push(context) == 0);
    answer = memset_bytes(address, 1, 1, NULL);
    CHECK(raw.pop(&popped) == 0 && raw.release(0) == 0);
    return answer == 0;
}

static void a_buffer_ends_where_its_mapping_ends(void) {
    static const size_t sizes[] = {1, 256, 1000, 4096, PAGE, PAGE + 1, 3 * PAGE - 512};
    size_t i;
    for (i = 0; i < LENGTH_OF(sizes); i++) {
        gc_buffer *buffer = allocate(sizes[i]);
        uint64_t address = address_of(buffer), start = told_of(address, MAPPING_START);
        uint64_t end = start + told_of(address, MAPPING_SIZE);
        CHECK(set_byte(address) && set_byte(address + sizes[i] - 1));
        CHECK(address % 256 == 0 && address >= start && address + sizes[i] <= end && end - address - sizes[i] < 256);
        CHECK(end - start == (sizes[i] + PAGE - 1) / PAGE * PAGE);
        CHECK(!set_byte(end) && !set_byte(start - 1));
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 5, 1, sizes[i]));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK(!set_byte(address));
    }
}

static void addresses_are_not_used_again(void) {
    uint64_t before = 0;
    long live = stand_in.live(STAND_IN_ALLOCATIONS);
    int i;
    for (i = 0; i < 200; i++) {
        gc_buffer *buffer = allocate(1000);
        uint64_t address = address_of(buffer);
        CHECK(address > before);
        before = address;
        CHECK_OK(gc_buffer_destroy(buffer));
    }
    CHECK(stand_in.live(STAND_IN_ALLOCATIONS) == live);
}

/* Of 4 TiB, which are reserved 16 GiB and a buffer at a time. */
static void addresses_go_back_at_a_limit(void) {
    enum { LARGE = 900 << 20, MOST = 256, IN_ONE = 18, TRIED = 3 };
    gc_buffer *first = allocate(100);
    long live = stand_in.live(STAND_IN_ALLOCATIONS), most = live;
    int i;
    if (getenv("GRAPHCAP_TEST_MEMCHECK") != NULL) {
        CHECK_OK(gc_buffer_destroy(first));
        return;
    }
    for (i = 0; i < MOST * IN_ONE + TRIED * IN_ONE; i++) {
        CHECK_OK(gc_buffer_destroy(allocate(LARGE)));
        if (stand_in.live(STAND_IN_ALLOCATIONS) > most)
            most = stand_in.live(STAND_IN_ALLOCATIONS);
    }
    CHECK(most - live > MOST / 2 && most - live < MOST);
    /* What lives in them stays. */
    CHECK(set_byte(address_of(first)));
    CHECK_OK(gc_buffer_destroy(first));
}

static void values_are_written_and_waited_for(void) {
    gc_buffer *plain = allocate(64), *waitable = NULL;
    gc_scalar *scalar = NULL;
    uint32_t value = 5;
    REQUIRE_OK(gc_buffer_allocate_waitable(rig.context, 64, &waitable));
    CHECK(told_of(address_of(waitable), RANGE_START) == told_of(address_of(plain), RANGE_START));
    CHECK_OK(gc_stream_write_value32(rig.stream, waitable, 0, 9, 0));
    CHECK(read_u32(rig.stream, waitable, 0) == 9);
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_U32, &value, &scalar));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(waitable));
    CHECK_OK(gc_buffer_destroy(plain));
}

/* One that work uses stays mapped until that is complete. */
static void a_buffer_that_work_uses_stays(void) {
    gc_buffer *buffer = allocate(100);
    uint64_t address = address_of(buffer);
    stand_in.hold(1);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 5, 1, 100));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK(set_byte(address));
    stand_in.hold(0);
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(!set_byte(address));
}

static void what_was_freed_is_not_wrapped(void) {
    gc_buffer *buffer = allocate(1000), *wrapped = NULL;
    uint64_t address = address_of(buffer);
    CHECK_OK(gc_buffer_wrap(rig.context, (void *)(uintptr_t)(address + 500), 500, NULL, NULL, &wrapped));
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK_STATUS(gc_buffer_wrap(rig.context, (void *)(uintptr_t)(address + 500), 501, NULL, NULL, &wrapped), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_STATUS(gc_buffer_wrap(rig.context, (void *)(uintptr_t)address, 1000, NULL, NULL, &wrapped), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(check_contains(last_message(), "no buffer of guarded memory has the 1000 bytes"));
}

static void take_log(gc_log_level level, uint32_t subject, const char *text, uint64_t thread, uint64_t time_ns, uint64_t dropped,
                     void *user_data) {
    (void)level, (void)subject, (void)thread, (void)time_ns, (void)dropped;
    if (strstr(text, "canaries") != NULL)
        snprintf((char *)user_data, 512, "%s", text);
}

/* A look takes memory of the device's. */
static void a_look_that_fails_is_logged(void) {
    static char text[512];
    gc_buffer *buffer = allocate(1000);
    REQUIRE_OK(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_WARNING, GRAPHCAP_LOG_FALLBACK, take_log, text, NULL));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(text[0] == 0);
    stand_in.fail_function("cuMemcpyDtoHAsync_v2", 1, GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(check_contains(text, "buffers were not looked at") && check_contains(text, "cuMemcpyDtoHAsync_v2"));
    REQUIRE_OK(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_OFF, 0, NULL, NULL, NULL));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void blocks_of_pools_are_guarded(void) {
    gc_pool *pool = open_pool(rig.context);
    gc_buffer *first = allocate_from(pool, 1000), *second = allocate_from(pool, 1000);
    uint64_t address = address_of(first);
    CHECK(told_of(address, MAPPING_START) + PAGE == address + 1024);
    CHECK(told_of(address_of(second), MAPPING_START) != told_of(address, MAPPING_START));
    CHECK_OK(gc_buffer_destroy(first));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(!set_byte(address));
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_pool_destroy(pool));
}

/* What other devices get access to, so that work there uses it: each mapping, those that are made later as well. */
static void other_devices_reach_it(void) {
    gc_context *other = NULL;
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_buffer *here = allocate(1000), *there = NULL;
    gc_stream *stream;
    long live;
    int rounds;
    options.device_kind = GRAPHCAP_DEVICE_CUDA;
    options.device_ordinal = 1;
    live = stand_in.live(STAND_IN_ALLOCATIONS);
    REQUIRE_OK(gc_context_create(&options, &other));
    stream = open_stream(other, 0);
    REQUIRE_OK(gc_buffer_allocate(other, 1000, &there));
    CHECK_OK(gc_stream_memset(rig.stream, here, 0, 7, 4, 250));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_stream_memcpy_peer(stream, there, 0, here, 0, 1000));
    CHECK(read_u32(stream, there, 249) == 7);
    CHECK_OK(gc_buffer_destroy(here));
    CHECK_OK(gc_buffer_destroy(there));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(other));
    /* What the copy used of both contexts goes on a thread of graphcap's own. */
    for (rounds = 0; rounds < 20000 && stand_in.live(STAND_IN_ALLOCATIONS) != live - 1; rounds++) {
        pause_ms(1);
        CHECK_OK(gc_context_collect(rig.context));
    }
    CHECK(stand_in.live(STAND_IN_ALLOCATIONS) == live - 1);
}

/* Each call that an allocation takes fails once; nothing of it is left. */
static void a_failed_allocation_leaves_nothing(void) {
    static const char *const functions[] = {"cuMemCreate", "cuMemMap", "cuMemSetAccess", "cuMemsetD8Async", "cuStreamSynchronize"};
    size_t i;
    CHECK_OK(gc_buffer_destroy(allocate(1000)));
    for (i = 0; i < LENGTH_OF(functions); i++) {
        gc_buffer *buffer = NULL;
        long live = stand_in.live(STAND_IN_ALLOCATIONS);
        stand_in.hold(strcmp(functions[i], "cuStreamSynchronize") == 0);
        stand_in.fail_function(functions[i], 1, GRAPHCAP_ERROR_NOT_SUPPORTED);
        CHECK_STATUS(gc_buffer_allocate(rig.context, 1000, &buffer), GRAPHCAP_ERROR_NOT_SUPPORTED);
        stand_in.hold(0);
        CHECK(buffer == NULL && stand_in.live(STAND_IN_ALLOCATIONS) == live);
    }
}

/* So a program that asks until there is memory does not use up what freed addresses are kept apart by. */
static void failed_allocations_use_no_addresses(void) {
    gc_buffer *first = allocate(1000), *buffer = NULL;
    const long live = stand_in.live(STAND_IN_ALLOCATIONS);
    int i;
    for (i = 0; i < 40; i++) {
        stand_in.fail_function("cuMemCreate", 1, GRAPHCAP_ERROR_NOT_SUPPORTED);
        CHECK_STATUS(gc_buffer_allocate(rig.context, 900 << 20, &buffer), GRAPHCAP_ERROR_NOT_SUPPORTED);
    }
    CHECK(stand_in.live(STAND_IN_ALLOCATIONS) == live);
    CHECK_OK(gc_buffer_destroy(first));
}

static void try_driver(const char *version) {
    setenv("GRAPHCAP_CUDA_MEMORY", "guard", 1);
    use_stand_in(version);
    look_up("cuPointerGetAttributes", &pointer_attributes);
    look_up("cuMemsetD8Async", &memset_bytes);
    look_up_driver();
    rig_open(&rig);
    RUN(a_buffer_ends_where_its_mapping_ends);
    RUN(addresses_are_not_used_again);
    RUN(failed_allocations_use_no_addresses);
    RUN(addresses_go_back_at_a_limit);
    RUN(values_are_written_and_waited_for);
    RUN(a_buffer_that_work_uses_stays);
    RUN(what_was_freed_is_not_wrapped);
    RUN(a_look_that_fails_is_logged);
    RUN(blocks_of_pools_are_guarded);
    RUN(other_devices_reach_it);
    RUN(a_failed_allocation_leaves_nothing);
    rig_close(&rig);
    expect_nothing_left(version);
}

static gc_buffer *weights;

/* Writes a byte beside the buffer, as a kernel would that graphcap knows nothing of. */
static void write_at(long offset) {
    weights = allocate(1000);
    REQUIRE_OK(gc_set_name(weights, "weights"));
    REQUIRE_OK(gc_context_synchronize(rig.context));
    CHECK(set_byte(address_of(weights) + (uint64_t)offset));
}

static void found_when_freed(void) {
    write_at(1000);
    CHECK_OK(gc_buffer_destroy(weights));
}

static void found_when_waited_for(void) {
    write_at(1023);
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

static void found_before_it(void) {
    write_at(-1);
    CHECK_OK(gc_context_synchronize(rig.context));
}

static void found_by_a_check(void) {
    gc_graph *graph = NULL;
    size_t count = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    write_at(1001);
    CHECK_OK(gc_graph_check(graph, GRAPHCAP_SEVERITY_WARNING, NULL, 0, &count));
}

static void found_in_a_block(void) {
    gc_pool *pool = open_pool(rig.context);
    weights = allocate_from(pool, 1000);
    CHECK(set_byte(address_of(weights) + 1000));
    CHECK_OK(gc_buffer_destroy(weights));
    CHECK_OK(gc_context_synchronize(rig.context));
}

static void found_in_no_buffer(void) {
    write_at(999);
    CHECK_OK(gc_buffer_destroy(weights));
    CHECK_OK(gc_context_synchronize(rig.context));
}

static const struct scene {
    const char *name;
    void (*run)(void);
    const char *words[3]; /* none where the process goes on */
} scenes[] = {
    {"freed", found_when_freed,
     {"graphcap: GRAPHCAP_CUDA_MEMORY=guard: byte 1000 of buffer \"weights\" of 1000 bytes at 0x", ", 0 bytes past its end was written to",
      ", as was found when it was freed"}},
    {"waited", found_when_waited_for, {"byte 1023 of buffer \"weights\"", ", 23 bytes past its end", "found when work was waited for"}},
    {"before", found_before_it, {"the byte 1 bytes before the start of buffer \"weights\"", "found when work was waited for", ""}},
    {"check", found_by_a_check, {"byte 1001 of buffer \"weights\"", "found when a graph was checked", ""}},
    {"block", found_in_a_block, {"byte 1000 of buffer \"a block of pool 1\" of 1000 bytes", "past its end", ""}},
    {"inside", found_in_no_buffer, {NULL, NULL, NULL}},
};

static int scene_main(const char *name, const char *version) {
    size_t i;
    dup2(STDOUT_FILENO, STDERR_FILENO);
    setenv("GRAPHCAP_CUDA_MEMORY", "guard", 1);
    use_stand_in(version);
    look_up("cuMemsetD8Async", &memset_bytes);
    look_up_driver();
    rig_open(&rig);
    for (i = 0; i < LENGTH_OF(scenes); i++)
        if (strcmp(scenes[i].name, name) == 0)
            scenes[i].run();
    printf("nothing happened\n");
    return 0;
}

static void a_write_beside_a_buffer_ends_the_process(void) {
    size_t i, k;
    for (i = 0; i < LENGTH_OF(scenes); i++) {
        struct child child;
        const char *line;
        char message[8192] = "";
        int status = 0, went_on = 0;
        child_start(&child, scenes[i].name, "13.0");
        while ((line = child_line(&child, 60)) != NULL) {
            if (strncmp(line, "graphcap: ", 10) == 0)
                snprintf(message, sizeof message, "%s", line);
            went_on |= strcmp(line, "nothing happened") == 0;
        }
        close(child.output);
        CHECK(waitpid(child.process, &status, 0) == child.process);
        CHECK(went_on == (scenes[i].words[0] == NULL) && (message[0] == '\0') == went_on);
        CHECK(went_on ? WIFEXITED(status) : WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        for (k = 0; !went_on && k < LENGTH_OF(scenes[i].words); k++)
            if (check_failed(strstr(message, scenes[i].words[k]) != NULL))
                fprintf(stderr, "%s: %s\n", scenes[i].name, message);
    }
}

static void try_other_words(const char *version) {
    gc_context *context = NULL;
    setenv("GRAPHCAP_CUDA_MEMORY", "guards", 1);
    use_stand_in(version);
    CHECK_MESSAGE(gc_context_create(NULL, &context), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_CUDA_MEMORY must be \"guard\" or not set");
}

static void other_words_are_refused(void) {
    in_child(try_other_words, "13.0");
}

static void try_without_mapping(const char *version) {
    gc_context *context = NULL;
    setenv("STAND_IN_NO_MAPPING", "1", 1);
    setenv("GRAPHCAP_CUDA_MEMORY", "guard", 1);
    use_stand_in(version);
    CHECK_MESSAGE(gc_context_create(NULL, &context), GRAPHCAP_ERROR_NOT_SUPPORTED, "cannot map memory into reserved addresses");
    expect_nothing_left(version);
}

static void a_device_that_cannot_map_memory_is_refused(void) {
    in_child(try_without_mapping, "13.0");
}

static void note_message(gc_log_level level, uint32_t subject, const char *text, uint64_t thread, uint64_t time_ns, uint64_t dropped,
                         void *user_data) {
    (void)level, (void)subject, (void)thread, (void)time_ns, (void)dropped;
    if (strstr(text, "GRAPHCAP_CUDA_MEMORY=guard: buffers and blocks of pools are guarded") != NULL)
        *(int *)user_data += 1;
}

static void try_log(const char *version) {
    gc_context *context = NULL;
    int told = 0;
    setenv("GRAPHCAP_CUDA_MEMORY", "guard", 1);
    use_stand_in(version);
    REQUIRE_OK(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_INFO, GRAPHCAP_LOG_CONTEXT, note_message, &told, NULL));
    REQUIRE_OK(gc_context_create(NULL, &context));
    CHECK(told == 1);
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left(version);
}

static void the_log_tells_what_is_not_guarded(void) {
    in_child(try_log, "13.0");
}

int main(int argc, char **argv) {
    if (argc == 3)
        return scene_main(argv[1], argv[2]);
    RUN_ON_BOTH_DRIVERS(try_driver);
    RUN(a_write_beside_a_buffer_ends_the_process);
    RUN(other_words_are_refused);
    RUN(a_device_that_cannot_map_memory_is_refused);
    RUN(the_log_tells_what_is_not_guarded);
    return check_finish();
}
