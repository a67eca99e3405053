/* Updates of scalars between queued replays: on one stream, on several beside a serial model, and with captures that begin
 * meanwhile. Options: --count rounds --seed first. */
#include "../graph/nodes.h"

static struct rig rig;

static gc_scalar *open_u32(uint32_t value) {
    gc_scalar *scalar = NULL;
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_U32, &value, &scalar));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    return scalar;
}

/* Records *seen = mixed(*seen, the word of the scalar, 5) on a stream. */
static gc_status launch_see(const gc_stream *stream, const gc_buffer *seen, const gc_scalar *scalar, size_t word) {
    gc_buffer *buffer = NULL;
    size_t offset = 0;
    gc_status status;
    REQUIRE_OK(gc_scalar_buffer(scalar, &buffer, &offset));
    {
        uint32_t c = 5;
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(seen), GRAPHCAP_ARG_INIT_BUFFER(seen),
                                     GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, offset + 4 * word), GRAPHCAP_ARG_INIT_VALUE(c)};
        status = launch(stream, rig.mix, 1, 1, arguments, 4);
    }
    CHECK_OK(gc_buffer_destroy(buffer));
    return status;
}

/* Replays and updates are queued behind a gate: each replay sees the update before it, and no later one. */
static void an_update_changes_the_replays_behind_it(void) {
    gc_buffer *seen = open_buffer(rig.context, 64);
    gc_scalar *scalar = open_u32(1);
    gc_graph_exec *exec;
    struct gate gate;
    uint32_t value, expected = 0, current = 1;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    REQUIRE_OK(launch_see(rig.stream, seen, scalar, 0));
    exec = finish_capture(rig.stream);
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    for (value = 0; value < 20; value++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        expected = mixed(expected, current, 5);
        if (value % 3 == 2)
            continue;
        current = value * 1000003u;
        CHECK_OK(gc_scalar_update(scalar, rig.stream, GRAPHCAP_SCALAR_U32, &current));
    }
    gate_open(&gate);
    CHECK(read_u32(rig.stream, seen, 0) == expected);
    CHECK_OK(gc_scalar_read(scalar, rig.stream, GRAPHCAP_SCALAR_U32, &value));
    CHECK(value == current);
    gate_free(&gate);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(seen));
}

/* ---- Random programs beside a serial model ---- */

enum { STREAMS = 3, SCALARS = 6, STEPS = 60 };

static const uint32_t types[SCALARS] = {GRAPHCAP_SCALAR_U32, GRAPHCAP_SCALAR_F64, GRAPHCAP_SCALAR_I32,
                                        GRAPHCAP_SCALAR_F32, GRAPHCAP_SCALAR_I64, GRAPHCAP_SCALAR_U64};

static size_t words_of(size_t scalar) {
    switch (types[scalar]) {
    case GRAPHCAP_SCALAR_I64:
    case GRAPHCAP_SCALAR_U64:
    case GRAPHCAP_SCALAR_F64: return 2;
    default: return 1;
    }
}

static uint64_t random_state;

static uint64_t random_u64(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static size_t below(size_t limit) {
    return (size_t)(random_u64() % limit);
}

union bits {
    uint64_t wide;
    uint32_t words[2];
};

/* Each scalar is used on one stream at a time, its owner, and is handed over by an event. */
struct program {
    gc_stream *streams[STREAMS];
    gc_event *handover;
    gc_scalar *scalars[SCALARS];
    gc_buffer *seen[STREAMS];
    gc_graph_exec *execs[STREAMS][SCALARS];
    size_t owner[SCALARS];
    uint32_t history[STREAMS]; /* the model */
    union bits values[SCALARS];
};

static void random_values(struct program *it, size_t scalar) {
    it->values[scalar].wide = random_u64();
}

static void program_open(struct program *it) {
    const void *initial[SCALARS];
    size_t i, k, word;
    memset(it, 0, sizeof *it);
    it->handover = open_event(rig.context);
    for (i = 0; i < STREAMS; i++) {
        it->streams[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        it->seen[i] = open_buffer(rig.context, 16);
    }
    for (k = 0; k < SCALARS; k++) {
        random_values(it, k);
        initial[k] = &it->values[k];
    }
    /* One block, and a scalar of its own. */
    REQUIRE_OK(gc_scalar_create_block(it->streams[0], types, initial, SCALARS - 1, it->scalars));
    REQUIRE_OK(gc_scalar_create(it->streams[0], types[SCALARS - 1], initial[SCALARS - 1], &it->scalars[SCALARS - 1]));
    for (i = 0; i < STREAMS; i++)
        for (k = 0; k < SCALARS; k++) {
            REQUIRE_OK(gc_stream_begin_capture(it->streams[i], GRAPHCAP_CAPTURE_MODE_RELAXED));
            for (word = 0; word < words_of(k); word++)
                REQUIRE_OK(launch_see(it->streams[i], it->seen[i], it->scalars[k], word));
            it->execs[i][k] = finish_capture(it->streams[i]);
        }
}

static void program_close(struct program *it) {
    size_t i, k;
    for (i = 0; i < STREAMS; i++)
        for (k = 0; k < SCALARS; k++)
            CHECK_OK(gc_graph_exec_destroy(it->execs[i][k]));
    for (k = 0; k < SCALARS; k++)
        CHECK_OK(gc_scalar_destroy(it->scalars[k]));
    for (i = 0; i < STREAMS; i++) {
        CHECK_OK(gc_buffer_destroy(it->seen[i]));
        CHECK_OK(gc_stream_destroy(it->streams[i]));
    }
    CHECK_OK(gc_event_destroy(it->handover));
}

static void update(struct program *it, size_t scalar) {
    union bits value;
    random_values(it, scalar);
    value = it->values[scalar];
    CHECK_OK(gc_scalar_update(it->scalars[scalar], it->streams[it->owner[scalar]], types[scalar], &value));
    memset(&value, 0xee, sizeof value);
}

/* All that one stream owns. */
static void update_many(struct program *it, size_t stream) {
    const gc_scalar *scalars[SCALARS];
    uint32_t of[SCALARS];
    union bits values[SCALARS];
    const void *pointers[SCALARS];
    size_t k, count = 0;
    for (k = 0; k < SCALARS; k++) {
        if (it->owner[k] != stream)
            continue;
        random_values(it, k);
        scalars[count] = it->scalars[k];
        of[count] = types[k];
        values[count] = it->values[k];
        pointers[count] = &values[count];
        count++;
    }
    CHECK_OK(gc_scalar_update_many(it->streams[stream], scalars, of, pointers, count));
    memset(values, 0xee, sizeof values);
}

static void launch_one(struct program *it, size_t scalar) {
    size_t stream = it->owner[scalar], word;
    CHECK_OK(gc_graph_launch(it->execs[stream][scalar], it->streams[stream]));
    for (word = 0; word < words_of(scalar); word++)
        it->history[stream] = mixed(it->history[stream], it->values[scalar].words[word], 5);
}

static void hand_over(struct program *it, size_t scalar) {
    size_t to = below(STREAMS);
    CHECK_OK(gc_event_record(it->handover, it->streams[it->owner[scalar]], 0));
    CHECK_OK(gc_stream_wait_event(it->streams[to], it->handover, 0));
    it->owner[scalar] = to;
}

static int is_as_expected(struct program *it, size_t scalar) {
    union bits value;
    memset(&value, 0, sizeof value);
    CHECK_OK(gc_scalar_read(it->scalars[scalar], it->streams[it->owner[scalar]], types[scalar], &value));
    return memcmp(&value, &it->values[scalar], 4 * words_of(scalar)) == 0;
}

static int run_program(uint64_t seed) {
    struct program program, *it = &program;
    struct gate gate;
    size_t i, k, held;
    int right = 1;
    random_state = seed * 0x9e3779b97f4a7c15u + 1;
    program_open(it);
    held = below(STREAMS);
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, it->streams[held], &gate));
    for (i = 0; i < STEPS; i++) {
        k = below(SCALARS);
        switch (below(8)) {
        case 0:
        case 1: update(it, k); break;
        case 2: update_many(it, below(STREAMS)); break;
        case 3: hand_over(it, k); break;
        default: launch_one(it, k); break;
        }
        if (i == STEPS / 2) {
            gate_open(&gate);
            right &= is_as_expected(it, k);
        }
    }
    for (k = 0; k < SCALARS; k++)
        right &= is_as_expected(it, k);
    for (i = 0; i < STREAMS; i++)
        right &= read_u32(it->streams[i], it->seen[i], 0) == it->history[i];
    gate_free(&gate);
    program_close(it);
    return right;
}

static uint64_t first_seed;
static unsigned rounds;

static void random_programs_are_as_serial_ones(void) {
    uint64_t seed;
    for (seed = first_seed; seed < first_seed + rounds; seed++) {
        int right = run_program(seed);
        CHECK(right);
        if (!right) {
            fprintf(stderr, "    that was --seed %llu --count 1\n", (unsigned long long)seed);
            return;
        }
    }
}

/* ---- A capture that another thread begins ---- */

struct race {
    gc_stream *stream;
    gc_scalar *scalar;
    unsigned done, recorded, captures;
};

static void *capture_again_and_again(void *argument) {
    struct race *race = (struct race *)argument;
    while (count_of(&race->done) == 0) {
        gc_graph *graph = NULL;
        CHECK_OK(gc_stream_begin_capture(race->stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_stream_end_capture(race->stream, &graph));
        race->recorded += nodes_of(graph) != 0;
        count_call(&race->captures);
        CHECK_OK(gc_graph_destroy(graph));
    }
    return NULL;
}

static void no_update_is_recorded_by_a_capture_that_races_it(void) {
    struct race race;
    pthread_t thread;
    uint32_t value = 0, last = 0, i;
    unsigned refused = 0;
    memset(&race, 0, sizeof race);
    race.stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    race.scalar = open_u32(0);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(pthread_create(&thread, NULL, capture_again_and_again, &race) == 0);
    /* Until the other thread has captured, however busy the machine is. */
    for (i = 1; i <= soak(2000, 200000) || count_of(&race.captures) == 0; i++) {
        gc_status status;
        value = i;
        status = gc_scalar_update(race.scalar, race.stream, GRAPHCAP_SCALAR_U32, &value);
        CHECK(status == GRAPHCAP_SUCCESS || status == GRAPHCAP_ERROR_ILLEGAL_STATE);
        refused += status != GRAPHCAP_SUCCESS;
        if (status == GRAPHCAP_SUCCESS)
            last = i;
    }
    count_call(&race.done);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(race.recorded == 0 && race.captures > 0);
    CHECK_OK(gc_scalar_read(race.scalar, race.stream, GRAPHCAP_SCALAR_U32, &value));
    CHECK(value == last && refused < i);
    CHECK_OK(gc_scalar_destroy(race.scalar));
    CHECK_OK(gc_stream_destroy(race.stream));
}

/* Reads by several threads, each through a stream of its own. */
static void *read_many_times(void *argument) {
    struct race *race = (struct race *)argument;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    uint32_t i, value = 0;
    for (i = 0; i < 200; i++) {
        CHECK_OK(gc_scalar_read(race->scalar, stream, GRAPHCAP_SCALAR_U32, &value));
        CHECK(value == 12345);
    }
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void threads_read_one_scalar(void) {
    struct race race;
    pthread_t threads[4];
    size_t i;
    memset(&race, 0, sizeof race);
    race.scalar = open_u32(12345);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < LENGTH_OF(threads); i++)
        CHECK(pthread_create(&threads[i], NULL, read_many_times, &race) == 0);
    for (i = 0; i < LENGTH_OF(threads); i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK_OK(gc_scalar_destroy(race.scalar));
}

int main(int argc, char **argv) {
    int i;
    rounds = soak(40, 4000);
    for (i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            first_seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            rounds = (unsigned)strtoul(argv[i + 1], NULL, 10);
    }
    rig_open(&rig);
    RUN(an_update_changes_the_replays_behind_it);
    RUN(random_programs_are_as_serial_ones);
    RUN(no_update_is_recorded_by_a_capture_that_races_it);
    RUN(threads_read_one_scalar);
    rig_close(&rig);
    return check_finish();
}
