/* Value operations: writes of values into buffers, waits that hold what comes after them, batches. Order is proved by
 * holding. While a GPU's stream is held only streams that were there before are used: others may share its queue. */
#include "value.h"

enum { MOST = 255 };

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint64_t random_u64(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static uint64_t below(uint64_t limit) {
    return random_u64() % limit;
}

/* What the manual says of the comparisons, worked out digit by digit rather than as the library does. */
static int reference(uint32_t comparison, int bits, uint64_t found, uint64_t wanted) {
    uint64_t half = (uint64_t)1 << (bits - 1), mask = half | (half - 1);
    int bit, common = 0, neither = 0;
    found &= mask;
    wanted &= mask;
    for (bit = 0; bit < bits; bit++) {
        int in_found = (int)(found >> bit & 1), in_wanted = (int)(wanted >> bit & 1);
        common |= in_found && in_wanted;
        neither |= !in_found && !in_wanted;
    }
    switch (comparison) {
    case GRAPHCAP_WAIT_VALUE_GEQ:
        /* Half of all values are ahead of `wanted` on the circle. */
        return found >= wanted ? found - wanted < half : wanted - found > half;
    case GRAPHCAP_WAIT_VALUE_EQ: return found == wanted;
    case GRAPHCAP_WAIT_VALUE_AND: return common;
    default: return neither;
    }
}

/* A value like those that make a difference: near 0, near the wrap, near half of it, near `other`, one bit, or any. */
static uint64_t interesting(int bits, uint64_t other) {
    uint64_t half = (uint64_t)1 << (bits - 1), mask = half | (half - 1), near_to = below(5) - 2;
    uint64_t values[8];
    values[0] = near_to;
    values[1] = half + near_to;
    values[2] = other + near_to;
    values[3] = other + half + near_to;
    values[4] = (uint64_t)1 << below((uint64_t)bits);
    values[5] = ~values[4];
    values[6] = ~other;
    values[7] = random_u64();
    return values[below(LENGTH_OF(values))] & mask;
}

/* Some value that ends the wait, if there is one. */
static int ending_value(uint32_t comparison, int bits, uint64_t wanted, uint64_t *value) {
    int tries;
    for (tries = 0; tries < 1000; tries++) {
        *value = interesting(bits, wanted);
        if (reference(comparison, bits, *value, wanted))
            return 1;
    }
    return 0;
}

/* The reference itself, on cases that can be seen to be right. */
static void the_reference_is_right(void) {
    const uint32_t geq = GRAPHCAP_WAIT_VALUE_GEQ;
    CHECK(reference(geq, 32, 5, 5) && !reference(geq, 32, 4, 5));
    CHECK(reference(geq, 32, 2, 0xffffffffu) && !reference(geq, 32, 0xffffffffu, 2));
    CHECK(!reference(geq, 32, 0x80000000u, 0) && reference(geq, 32, 0x7fffffff, 0));
    CHECK(reference(geq, 64, 0x80000000u, 0) && reference(geq, 64, 0, UINT64_MAX));
    CHECK(!reference(geq, 32, 0x7fffffff, 0xffffffffu));
    CHECK(reference(GRAPHCAP_WAIT_VALUE_AND, 32, 6, 4) && !reference(GRAPHCAP_WAIT_VALUE_AND, 32, 6, 9));
    CHECK(!reference(GRAPHCAP_WAIT_VALUE_NOR, 32, 0xf0f0f0f0u, 0x0f0f0f0fu));
    CHECK(reference(GRAPHCAP_WAIT_VALUE_NOR, 64, 0xffffffffu, 0));
}

static void written_values_are_there(void) {
    unsigned i, slot, rounds = soak(200, 10000);
    uint64_t expected[SLOTS] = {0};
    clear_slots();
    for (i = 0; i < rounds; i++) {
        int bits = below(2) ? 32 : 64, captured = below(4) == 0;
        uint64_t value = random_u64();
        uint32_t flags = below(2) ? GRAPHCAP_WRITE_VALUE_DEFAULT : GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER;
        slot = (unsigned)below(SLOTS);
        if (captured)
            REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        if (bits == 32) {
            uint64_t upper = below(2) ? 4 : 0;
            CHECK_OK(gc_stream_write_value32(a, slots, slot * 8 + upper, (uint32_t)value, flags));
            if (upper)
                expected[slot] = (expected[slot] & 0xffffffffu) | value << 32;
            else
                expected[slot] = (expected[slot] & ~(uint64_t)0xffffffffu) | (value & 0xffffffffu);
        } else {
            CHECK_OK(gc_stream_write_value64(a, slots, slot * 8, value, flags));
            expected[slot] = value;
        }
        if (captured) {
            gc_graph_exec *exec = finish_capture(a);
            CHECK_OK(gc_graph_launch(exec, a));
            CHECK_OK(gc_graph_exec_destroy(exec));
        }
    }
    for (slot = 0; slot < SLOTS; slot++)
        CHECK(read_slot(a, slot) == expected[slot]);
}

/* One wait for `wanted` while `found` is there, on a held stream. Whoever waits in vain is let go by a value that ends
 * the wait. Slot 1 tells whether what comes after the wait has run. */
static void try_wait(const gc_graph_exec *exec, uint32_t comparison, int bits, uint64_t found, uint64_t wanted,
                     uint64_t round) {
    int goes_on = reference(comparison, bits, found, wanted);
    uint64_t ending = 0;
    if (!goes_on && !ending_value(comparison, bits, wanted, &ending))
        return;
    CHECK_OK(write_value(b, 0, bits, found));
    CHECK_OK(write_value(b, 1, 64, 0));
    CHECK_OK(gc_stream_synchronize(b));
    if (exec != NULL) {
        CHECK_OK(gc_graph_launch(exec, a));
    } else {
        CHECK_OK(wait_value(a, 0, bits, wanted, comparison));
        CHECK_OK(write_value(a, 1, 64, round));
    }
    if (!goes_on) {
        /* Something else in the meantime, for which the other stream is not held. */
        CHECK_OK(write_value(b, 2, 64, round));
        CHECK(read_slot(b, 2) == round);
        CHECK(!is_complete(a));
        CHECK(read_slot(b, 1) == 0);
        CHECK_OK(write_value(b, 0, bits, ending));
    }
    CHECK_OK(gc_stream_synchronize(a));
    CHECK(read_slot(b, 1) == round);
}

static void waits_end_when_the_comparison_says_so(void) {
    unsigned i, rounds = soak(200, 10000);
    clear_slots();
    for (i = 1; i <= rounds; i++) {
        uint32_t comparison = (uint32_t)below(4);
        int bits = below(2) ? 32 : 64;
        uint64_t wanted = interesting(bits, 0);
        try_wait(NULL, comparison, bits, interesting(bits, wanted), wanted, i);
    }
}

static void replayed_waits_do_too(void) {
    unsigned i, k, rounds = soak(40, 2000);
    clear_slots();
    for (i = 1; i <= rounds; i++) {
        uint32_t comparison = (uint32_t)below(4);
        int bits = below(2) ? 32 : 64;
        uint64_t wanted = interesting(bits, 0);
        gc_graph_exec *exec;
        REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(wait_value(a, 0, bits, wanted, comparison));
        CHECK_OK(write_value(a, 1, 64, i));
        exec = finish_capture(a);
        for (k = 0; k < 5; k++)
            try_wait(exec, comparison, bits, interesting(bits, wanted), wanted, i);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
}

/* Who writes what a wait is for. */
enum writer { BY_WRITE, BY_KERNEL, BY_MEMSET, BY_COPY, BY_BATCH, WRITERS };

static void release(enum writer writer, unsigned slot, uint32_t value) {
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(slots, slot * 8, value, 0);
    static uint32_t source;
    uint64_t one = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER_AT(slots, slot * 8), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(one)};
    switch (writer) {
    case BY_WRITE: CHECK_OK(write_value(b, slot, 32, value)); break;
    case BY_KERNEL: CHECK_OK(launch(b, rig.fill, 1, 1, arguments, 3)); break;
    case BY_MEMSET: CHECK_OK(gc_stream_memset(b, slots, slot * 8, value, 4, 1)); break;
    case BY_COPY:
        source = value;
        CHECK_OK(gc_stream_memcpy_htod(b, slots, slot * 8, &source, sizeof source));
        break;
    default: CHECK_OK(gc_stream_batch_mem_op(b, &operation, 1, 0)); break;
    }
    CHECK_OK(gc_stream_synchronize(b));
}

/* Stream a is held, b ends its work meanwhile, and neither what is behind the wait on a nor what waits for that by an
 * event has begun; then the value is written. */
static void a_held_stream_holds_no_other(void) {
    unsigned i, rounds = soak(200, 10000);
    gc_stream *follower = rig.stream;
    gc_event *passed = open_event(rig.context);
    clear_slots();
    for (i = 1; i <= rounds; i++) {
        CHECK_OK(wait_value(a, 0, 32, i, GRAPHCAP_WAIT_VALUE_GEQ));
        CHECK_OK(launch_add(&rig, a, slots, 8, 1, 1));
        CHECK_OK(gc_event_record(passed, a, 0));
        CHECK_OK(gc_stream_wait_event(follower, passed, 0));
        CHECK_OK(gc_stream_memcpy_dtod(follower, slots, 16, slots, 8, 8));
        CHECK_OK(launch_add(&rig, b, slots, 24, 1, 1));
        CHECK(read_slot(b, 3) == i);
        CHECK(read_slot(b, 1) == i - 1 && read_slot(b, 2) == i - 1);
        CHECK(!is_complete(a) && !is_complete(follower) && !is_event_complete(passed));
        release((enum writer)(i % WRITERS), 0, i);
        CHECK_OK(gc_stream_synchronize(follower));
        CHECK(read_slot(b, 1) == i && read_slot(b, 2) == i);
    }
    CHECK_OK(gc_event_destroy(passed));
}

/* The same for two branches of one graph: one is held, the other ends, and what joins both has not begun. */
static void a_held_branch_holds_no_other(void) {
    unsigned i, tries, rounds = soak(200, 10000);
    gc_stream *side = rig.stream;
    gc_event *fork_event = open_event(rig.context), *join_event = open_event(rig.context);
    gc_graph_exec *exec;
    REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_event_record(fork_event, a, 0));
    CHECK_OK(gc_stream_wait_event(side, fork_event, 0));
    CHECK_OK(wait_value(a, 0, 32, 1, GRAPHCAP_WAIT_VALUE_EQ));
    CHECK_OK(write_value(a, 1, 64, 1));
    CHECK_OK(launch_add(&rig, side, slots, 16, 1, 1));
    CHECK_OK(write_value(side, 3, 64, 1));
    CHECK_OK(gc_event_record(join_event, side, 0));
    CHECK_OK(gc_stream_wait_event(a, join_event, 0));
    CHECK_OK(write_value(a, 4, 64, 1));
    exec = finish_capture(a);
    for (i = 1; i <= rounds; i++) {
        clear_slots();
        CHECK_OK(gc_graph_launch(exec, a));
        for (tries = 0; tries < 20000 && read_slot(b, 3) != 1; tries++)
            if (tries > 100)
                pause_ms(1);
        CHECK(read_slot(b, 3) == 1 && read_slot(b, 2) == 1);
        CHECK(read_slot(b, 1) == 0 && read_slot(b, 4) == 0 && !is_complete(a));
        release((enum writer)(i % WRITERS), 0, 1);
        CHECK_OK(gc_stream_synchronize(a));
        CHECK(read_slot(b, 1) == 1 && read_slot(b, 4) == 1);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(fork_event));
    CHECK_OK(gc_event_destroy(join_event));
}

/* A blocking stream that is held holds the legacy stream, and what blocking streams get after that. */
static void a_held_blocking_stream_orders_the_legacy_stream(void) {
    unsigned i, rounds = soak(50, 2500);
    gc_stream *legacy = NULL, *later = rig.stream, *held = open_stream(rig.context, 0);
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    for (i = 1; i <= rounds; i++) {
        clear_slots();
        CHECK_OK(wait_value(held, 0, 64, i, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(write_value(held, 1, 64, i));
        CHECK_OK(write_value(legacy, 2, 64, i));
        CHECK_OK(write_value(later, 3, 64, i));
        CHECK_OK(write_value(b, 4, 64, i));
        CHECK(read_slot(b, 4) == i);
        CHECK(read_slot(b, 1) == 0 && read_slot(b, 2) == 0 && read_slot(b, 3) == 0);
        CHECK_OK(write_value(b, 0, 64, i));
        CHECK_OK(gc_stream_synchronize(later));
        CHECK(read_slot(b, 1) == i && read_slot(b, 2) == i && read_slot(b, 3) == i);
    }
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(held));
}

/* Far more waits than there are threads, ended in any order, by streams and by graphs; each ends only its own. */
static void many_waits_at_once(void) {
    enum { WAITS = 64 };
    gc_stream *streams[WAITS];
    gc_graph_exec *execs[WAITS];
    unsigned i, k, round, rounds = soak(4, 160);
    NOT_ON_CUDA("streams share the queues of the hardware, so that many waits may hold streams that have none");
    for (i = 0; i < WAITS; i++) {
        streams[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        REQUIRE_OK(gc_stream_begin_capture(streams[i], GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(gc_stream_wait_value32(streams[i], slots, i * 8, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_stream_write_value32(streams[i], slots, i * 8 + 4, 1, 0));
        execs[i] = finish_capture(streams[i]);
    }
    for (round = 0; round < rounds; round++) {
        unsigned order[WAITS];
        clear_slots();
        for (i = 0; i < WAITS; i++) {
            order[i] = i;
            if (below(2)) {
                CHECK_OK(gc_graph_launch(execs[i], streams[i]));
                continue;
            }
            CHECK_OK(gc_stream_wait_value32(streams[i], slots, i * 8, 1, GRAPHCAP_WAIT_VALUE_EQ));
            CHECK_OK(gc_stream_write_value32(streams[i], slots, i * 8 + 4, 1, 0));
        }
        for (i = WAITS - 1; i > 0; i--) {
            unsigned other = (unsigned)below(i + 1), swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        for (i = 0; i < WAITS; i++) {
            uint64_t seen[SLOTS];
            CHECK_OK(gc_stream_memcpy_dtoh(b, seen, slots, 0, sizeof seen));
            CHECK_OK(gc_stream_synchronize(b));
            for (k = 0; k < WAITS; k++)
                CHECK(seen[order[k]] == (k < i ? 0x100000001u : 0));
            release((enum writer)below(WRITERS), order[i], 1);
            CHECK_OK(gc_stream_synchronize(streams[order[i]]));
        }
    }
    for (i = 0; i < WAITS; i++) {
        CHECK_OK(gc_graph_exec_destroy(execs[i]));
        CHECK_OK(gc_stream_destroy(streams[i]));
    }
}

/* Many branches of one graph that are held at once, let go in any order. */
static void many_waits_in_one_graph(void) {
    enum { BRANCHES = 32 };
    gc_stream *branches[BRANCHES];
    gc_event *fork_event, *join_event;
    gc_graph_exec *exec;
    unsigned i, round, rounds = soak(20, 1000);
    NOT_ON_CUDA("streams share the queues of the hardware, so that many waits may hold what has none");
    fork_event = open_event(rig.context);
    join_event = open_event(rig.context);
    REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_event_record(fork_event, a, 0));
    for (i = 0; i < BRANCHES; i++) {
        const size_t next = (i + 1) % BRANCHES * 8;
        gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WAIT32(slots, i * 8, 1, GRAPHCAP_WAIT_VALUE_GEQ),
                                  GRAPHCAP_MEM_OP_INIT_WAIT32(slots, next, 1, GRAPHCAP_WAIT_VALUE_AND),
                                  GRAPHCAP_MEM_OP_INIT_WRITE32(slots, i * 8 + 4, i + 1, 0)};
        branches[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        CHECK_OK(gc_stream_wait_event(branches[i], fork_event, 0));
        CHECK_OK(gc_stream_batch_mem_op(branches[i], operations, 3, 0));
        CHECK_OK(gc_event_record(join_event, branches[i], 0));
        CHECK_OK(gc_stream_wait_event(a, join_event, 0));
    }
    exec = finish_capture(a);
    for (round = 0; round < rounds; round++) {
        unsigned first = (unsigned)below(BRANCHES), step = 2 * (unsigned)below(BRANCHES / 2) + 1;
        clear_slots();
        CHECK_OK(gc_graph_launch(exec, a));
        for (i = 0; i < BRANCHES; i++) {
            CHECK(!is_complete(a));
            CHECK_OK(write_value(b, (first + i * step) % BRANCHES, 32, 1));
            CHECK_OK(gc_stream_synchronize(b));
        }
        CHECK_OK(gc_stream_synchronize(a));
        for (i = 0; i < BRANCHES; i++)
            CHECK(read_slot(b, i) == ((uint64_t)(i + 1) << 32 | 1));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    for (i = 0; i < BRANCHES; i++)
        CHECK_OK(gc_stream_destroy(branches[i]));
    CHECK_OK(gc_event_destroy(fork_event));
    CHECK_OK(gc_event_destroy(join_event));
}

static void *write_by_cpu(void *word) {
    pause_ms(2);
    __atomic_store_n((uint32_t *)word, 7, __ATOMIC_SEQ_CST);
    return NULL;
}

static void the_cpu_ends_a_wait_in_its_own_memory(void) {
    static uint32_t words[4];
    gc_buffer *wrapped = NULL;
    pthread_t thread;
    unsigned released = 0, i;
    NOT_ON_CUDA("the CPU cannot write a GPU's memory");
    for (i = 0; i < 10; i++) {
        words[1] = 0;
        REQUIRE_OK(gc_buffer_wrap(rig.context, words, sizeof words, &released, count_call, &wrapped));
        CHECK_OK(gc_stream_wait_value32(a, wrapped, 4, 7, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_buffer_destroy(wrapped));
        CHECK(released == i);
        if (pthread_create(&thread, NULL, write_by_cpu, &words[1]) != 0)
            exit(EXIT_FAILURE);
        CHECK_OK(gc_stream_synchronize(a));
        pthread_join(thread, NULL);
        CHECK(await_count(&released, i + 1));
    }
}

/* A batch is gone through in order, and waits in it hold the rest; with `exec` it is the one node of a graph. */
static void go_through_a_batch(const gc_mem_op *operations, size_t count, const gc_graph_exec *exec, uint32_t number) {
    clear_slots();
    if (exec != NULL)
        CHECK_OK(gc_graph_launch(exec, a));
    else
        CHECK_OK(gc_stream_batch_mem_op(a, operations, count, 0));
    CHECK_OK(write_value(a, 6, 64, 1));
    CHECK(read_slot(b, 1) == 0 && !is_complete(a));
    CHECK_OK(write_value(b, 0, 32, number));
    while (read_slot(b, 1) != number)
        continue;
    CHECK(read_slot(b, 3) == 0 && read_slot(b, 6) == 0 && !is_complete(a));
    CHECK_OK(write_value(b, 2, 64, (uint64_t)number << 32));
    CHECK_OK(gc_stream_synchronize(a));
    CHECK(read_slot(b, 3) == ((uint64_t)number << 32 | 5) && read_slot(b, 6) == 1);
}

static void batches_are_one_piece_of_work(void) {
    unsigned i, rounds = soak(100, 5000);
    for (i = 1; i <= rounds; i++) {
        gc_mem_op operations[] = {
            GRAPHCAP_MEM_OP_INIT_WAIT32(slots, 0, i, GRAPHCAP_WAIT_VALUE_EQ),
            GRAPHCAP_MEM_OP_INIT_WRITE32(slots, 8, i, GRAPHCAP_WRITE_VALUE_DEFAULT),
            GRAPHCAP_MEM_OP_INIT_WAIT64(slots, 16, (uint64_t)i << 32, GRAPHCAP_WAIT_VALUE_GEQ),
            GRAPHCAP_MEM_OP_INIT_WRITE64(slots, 24, (uint64_t)i << 32 | 5, GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER),
        };
        gc_graph *graph = NULL;
        gc_graph_exec *exec = NULL;
        size_t nodes = 0;
        if (i % 2 == 0) {
            go_through_a_batch(operations, LENGTH_OF(operations), NULL, i);
            continue;
        }
        REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(gc_stream_batch_mem_op(a, operations, LENGTH_OF(operations), 0));
        /* What was given is copied. */
        memset(operations, 0xff, sizeof operations);
        REQUIRE_OK(gc_stream_end_capture(a, &graph));
        CHECK_OK(gc_graph_node_count(graph, &nodes));
        CHECK(nodes == 1);
        REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        CHECK_OK(gc_graph_destroy(graph));
        go_through_a_batch(NULL, 0, exec, i);
        go_through_a_batch(NULL, 0, exec, i);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
}

static void batches_have_a_size(void) {
    static gc_mem_op operations[MOST + 1];
    gc_buffer *buffer = open_waitable(rig.context, (MOST + 1) * 4);
    unsigned i;
    static uint32_t words[MOST + 1];
    for (i = 0; i <= MOST; i++) {
        gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, i * 4, i + 1, 0);
        operations[i] = operation;
    }
    CHECK_OK(gc_stream_batch_mem_op(a, NULL, 0, 0));
    CHECK_OK(gc_stream_batch_mem_op(a, operations, 0, 0));
    CHECK_MESSAGE(gc_stream_batch_mem_op(a, operations, MOST + 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "255");
    CHECK_MESSAGE(gc_stream_batch_mem_op(a, operations, SIZE_MAX, 0), GRAPHCAP_ERROR_INVALID_VALUE, "255");
    CHECK_OK(gc_stream_memcpy_dtoh(a, words, buffer, 0, sizeof words));
    CHECK_OK(gc_stream_synchronize(a));
    for (i = 0; i <= MOST; i++)
        CHECK(words[i] == 0);
    CHECK_OK(gc_stream_batch_mem_op(a, operations + 1, MOST, 0));
    CHECK_OK(gc_stream_memcpy_dtoh(a, words, buffer, 0, sizeof words));
    CHECK_OK(gc_stream_synchronize(a));
    for (i = 0; i <= MOST; i++)
        CHECK(words[i] == (i == 0 ? 0 : i + 1));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* An operation that is wrong in one way, and the word that the message has. */
static void refused_in_a_batch(const gc_mem_op *wrong, gc_status status, const char *word) {
    gc_mem_op operations[3] = {GRAPHCAP_MEM_OP_INIT_WRITE64(slots, 0, 99, 0),
                               GRAPHCAP_MEM_OP_INIT_WRITE64(slots, 8, 99, 0),
                               GRAPHCAP_MEM_OP_INIT_WRITE64(slots, 16, 99, 0)};
    operations[1] = *wrong;
    CHECK_MESSAGE(gc_stream_batch_mem_op(a, operations, 3, 0), status, word);
    CHECK_MESSAGE(gc_stream_batch_mem_op(a, operations, 3, 0), status, "1");
}

/* Eagerly and while a capture goes on, which is not broken. */
static void try_bad_input(const gc_buffer *foreign) {
    gc_mem_op good = GRAPHCAP_MEM_OP_INIT_WAIT32(slots, 0, 0, GRAPHCAP_WAIT_VALUE_GEQ), wrong;
    const size_t end = SLOTS * 8, beyond[] = {end - 3, end, end + 8, SIZE_MAX - 3, SIZE_MAX};
    const uint32_t bad_waits[] = {4, 8, 0x20000000u, 0x80000000u, 0x40000004u};
    size_t i;
    for (i = 0; i < LENGTH_OF(beyond); i++) {
        CHECK_MESSAGE(gc_stream_write_value32(a, slots, beyond[i], 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "512");
        CHECK_MESSAGE(gc_stream_wait_value32(a, slots, beyond[i], 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "512");
        CHECK_MESSAGE(gc_stream_write_value64(a, slots, beyond[i], 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "512");
        CHECK_MESSAGE(gc_stream_wait_value64(a, slots, beyond[i], 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "512");
    }
    CHECK_MESSAGE(gc_stream_wait_value64(a, slots, end - 4, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "512");
    CHECK_MESSAGE(gc_stream_write_value32(a, slots, 2, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "multiple");
    CHECK_MESSAGE(gc_stream_wait_value32(a, slots, 1, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "multiple");
    CHECK_MESSAGE(gc_stream_write_value64(a, slots, 4, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "multiple");
    CHECK_MESSAGE(gc_stream_wait_value64(a, slots, 12, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "multiple");
    CHECK_MESSAGE(gc_stream_write_value32(a, slots, 0, 1, 2), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK_MESSAGE(gc_stream_write_value64(a, slots, 0, 1, 3), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    for (i = 0; i < LENGTH_OF(bad_waits); i++) {
        CHECK_MESSAGE(gc_stream_wait_value32(a, slots, 0, 0, bad_waits[i]), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
        CHECK_MESSAGE(gc_stream_wait_value64(a, slots, 0, 0, bad_waits[i]), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    }
    CHECK_MESSAGE(gc_stream_write_value32(a, foreign, 0, 1, 0), GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
    CHECK_MESSAGE(gc_stream_wait_value64(a, foreign, 0, 0, 0), GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
    CHECK_MESSAGE(gc_stream_batch_mem_op(a, &good, 1, 1), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK_MESSAGE(gc_stream_batch_mem_op(a, NULL, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "operations");
    wrong = good;
    for (i = 0; i < 9; i++) {
        wrong.kind = (uint32_t)i;
        if (i != 1 && i != 2 && i != 4 && i != 5)
            refused_in_a_batch(&wrong, GRAPHCAP_ERROR_INVALID_VALUE, "operations.kind");
    }
    wrong = good;
    wrong.flags = 4;
    refused_in_a_batch(&wrong, GRAPHCAP_ERROR_INVALID_VALUE, "operations.flags");
    wrong = good;
    wrong.reserved = 1;
    refused_in_a_batch(&wrong, GRAPHCAP_ERROR_INVALID_VALUE, "operations.reserved");
    wrong = good;
    wrong.host_buffer = (const gc_host_buffer *)&wrong;
    refused_in_a_batch(&wrong, GRAPHCAP_ERROR_INVALID_HANDLE, "operations.host_buffer");
    wrong = good;
    wrong.value = (uint64_t)1 << 32;
    refused_in_a_batch(&wrong, GRAPHCAP_ERROR_INVALID_VALUE, "operations.value");
    wrong = good;
    wrong.buffer = NULL;
    refused_in_a_batch(&wrong, GRAPHCAP_ERROR_INVALID_HANDLE, "operations.buffer");
    wrong = good;
    wrong.buffer = foreign;
    refused_in_a_batch(&wrong, GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
    wrong = good;
    wrong.offset = end;
    refused_in_a_batch(&wrong, GRAPHCAP_ERROR_INVALID_VALUE, "512");
    wrong = good;
    wrong.offset = 2;
    refused_in_a_batch(&wrong, GRAPHCAP_ERROR_INVALID_VALUE, "multiple");
}

static void bad_input_is_refused(void) {
    gc_context *other = open_context();
    gc_buffer *foreign = open_waitable(other, 64), *dead = open_waitable(rig.context, 64);
    gc_graph *graph = NULL;
    size_t nodes = 1;
    CHECK_OK(gc_buffer_destroy(dead));
    clear_slots();
    try_bad_input(foreign);
    CHECK_STATUS(gc_stream_write_value32(a, dead, 0, 1, 0), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_STATUS(gc_stream_wait_value32(a, dead, 0, 1, 0), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_stream_synchronize(a));
    CHECK(read_slot(b, 0) == 0 && read_slot(b, 1) == 0 && read_slot(b, 2) == 0);
    REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_RELAXED));
    try_bad_input(foreign);
    CHECK(capture_state(a) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    REQUIRE_OK(gc_stream_end_capture(a, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(foreign));
    CHECK_OK(gc_context_destroy(other));
}

/* The driver does value operations on no memory of pools, and on no managed memory; the host device follows it. */
static void memory_of_other_kinds_is_refused(void) {
    gc_buffer *refused[2] = {NULL, NULL};
    gc_mem_op operations[2];
    gc_graph *graph = NULL;
    size_t i, nodes = 0;
    REQUIRE_OK(gc_buffer_allocate(rig.context, 64, &refused[0]));
    REQUIRE_OK(gc_buffer_allocate_managed(rig.context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &refused[1]));
    for (i = 0; i < 4; i++) {
        gc_buffer *buffer = refused[i % 2];
        const gc_mem_op good = GRAPHCAP_MEM_OP_INIT_WRITE32(slots, 0, 1, 0);
        const gc_mem_op bad = GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 0, 1, 0);
        if (i == 2)
            REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_MESSAGE(gc_stream_write_value32(a, buffer, 0, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "waitable");
        CHECK_MESSAGE(gc_stream_wait_value64(a, buffer, 0, 0, 0), GRAPHCAP_ERROR_INVALID_VALUE, "waitable");
        operations[0] = good;
        operations[1] = bad;
        CHECK_MESSAGE(gc_stream_batch_mem_op(a, operations, 2, 0), GRAPHCAP_ERROR_INVALID_VALUE, "operation 1");
    }
    CHECK_OK(gc_stream_write_value32(a, slots, 0, 1, 0));
    REQUIRE_OK(gc_stream_end_capture(a, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(refused[0]));
    CHECK_OK(gc_buffer_destroy(refused[1]));
}

/* Memory for value operations is memory as any other in all else: it is given back, and there is new one. */
static void memory_for_values_comes_and_goes(void) {
    unsigned i;
    for (i = 0; i < 100; i++) {
        gc_buffer *buffer = open_waitable(rig.context, 8 + (size_t)below(10000));
        uint64_t seen = 0;
        CHECK_OK(gc_stream_write_value64(a, buffer, 0, i, 0));
        CHECK_OK(gc_stream_memcpy_dtoh(a, &seen, buffer, 0, sizeof seen));
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK_OK(gc_stream_synchronize(a));
        CHECK(seen == i);
        if (i % 10 == 0)
            CHECK_OK(gc_context_collect(rig.context));
    }
}

/* Flushing is for GPUs that can; the others say so, and nothing else comes of it. */
static void waits_may_flush(void) {
    gc_status status;
    clear_slots();
    status = wait_value(a, 0, 32, 0, GRAPHCAP_WAIT_VALUE_EQ | GRAPHCAP_WAIT_VALUE_FLUSH);
    CHECK(status == GRAPHCAP_SUCCESS || (on_cuda() && status == GRAPHCAP_ERROR_NOT_SUPPORTED));
    CHECK_OK(gc_stream_synchronize(a));
}

/* Each call is one node, in order, told by its own name, and the graph keeps the buffer. */
static void graphs_keep_and_tell_value_operations(void) {
    struct foreign foreign;
    gc_buffer *wrapped;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    unsigned released = 0;
    size_t nodes = 0, edges = 0;
    static char text[8192];
    foreign_open(&foreign);
    wrapped = wrap_foreign(rig.context, &foreign, &released);
    REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_stream_write_value32(a, wrapped, 0, 0xabcd, 0));
    CHECK_OK(gc_stream_wait_value64(a, wrapped, 0, 0xabcd, GRAPHCAP_WAIT_VALUE_AND));
    CHECK_OK(gc_stream_write_value64(a, wrapped, 8, 0x1234, 0));
    REQUIRE_OK(gc_stream_end_capture(a, &graph));
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK_OK(gc_graph_edge_count(graph, &edges));
    CHECK(nodes == 3 && edges == 2);
    CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL));
    CHECK(check_contains(text, "value operations") && check_contains(text, "write 0xabcd") &&
          check_contains(text, "wait for & 0xabcd") && check_contains(text, "write 0x1234"));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_launch(exec, a));
    CHECK_OK(gc_stream_synchronize(a));
    CHECK(count_of(&released) == 0);
    CHECK(foreign_word(&foreign, 0) == 0xabcd && foreign_word(&foreign, 2) == 0x1234);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(await_count(&released, 1));
    foreign_close(&foreign);
}

int main(void) {
    slots_open();
    RUN(the_reference_is_right);
    RUN(written_values_are_there);
    RUN(waits_end_when_the_comparison_says_so);
    RUN(replayed_waits_do_too);
    RUN(a_held_stream_holds_no_other);
    RUN(a_held_branch_holds_no_other);
    RUN(a_held_blocking_stream_orders_the_legacy_stream);
    RUN(many_waits_at_once);
    RUN(many_waits_in_one_graph);
    RUN(the_cpu_ends_a_wait_in_its_own_memory);
    RUN(batches_are_one_piece_of_work);
    RUN(batches_have_a_size);
    RUN(bad_input_is_refused);
    RUN(memory_of_other_kinds_is_refused);
    RUN(memory_for_values_comes_and_goes);
    RUN(waits_may_flush);
    RUN(graphs_keep_and_tell_value_operations);
    slots_close();
    return check_finish();
}
