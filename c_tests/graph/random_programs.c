/* Random programs: kernels, copies, memsets and host functions over several streams, ordered by events where they must
 * be. The same program is run eagerly, captured and replayed, and worked out on the side; all must agree.
 * usage: random_programs [--count N] [--seed N] */
#include "kernels.h"
#include "rounds.h"

enum { STREAMS = 4, CELLS = 12, OPERATIONS = 60 };

static struct rig rig;
static struct rounds rounds;

static uint32_t seed;

static unsigned random_below(unsigned limit) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % limit;
}

enum kind { MIX, SET, COPY, CALL };

struct operation {
    enum kind kind;
    unsigned stream, result, a, b;
    uint32_t constant;
};

struct program {
    struct operation operations[OPERATIONS];
    unsigned length, calls;
};

static void make_program(struct program *program) {
    unsigned i;
    program->length = 1 + random_below(OPERATIONS);
    program->calls = 0;
    for (i = 0; i < program->length; i++) {
        struct operation *operation = &program->operations[i];
        unsigned roll = random_below(10);
        operation->kind = roll < 6 ? MIX : roll < 7 ? SET : roll < 9 ? COPY : CALL;
        operation->stream = random_below(STREAMS);
        operation->result = random_below(CELLS);
        operation->a = random_below(CELLS);
        operation->b = random_below(CELLS);
        operation->constant = random_below(1000);
        program->calls += operation->kind == CALL;
    }
}

static void work_out(const struct program *program, uint32_t *cells) {
    unsigned i;
    for (i = 0; i < program->length; i++) {
        const struct operation *o = &program->operations[i];
        if (o->kind == MIX)
            cells[o->result] = mixed(cells[o->a], cells[o->b], o->constant);
        else if (o->kind == SET)
            cells[o->result] = o->constant;
        else if (o->kind == COPY)
            cells[o->result] = cells[o->a];
    }
}

/* Streams in which a cell was last written and read: what a new use has to wait for. */
struct uses {
    unsigned written_in[CELLS];
    unsigned read_in[CELLS];
};

static void wait_for_streams(gc_stream *const *streams, unsigned waiting, unsigned others) {
    unsigned k;
    for (k = 0; k < STREAMS; k++) {
        if (k != waiting && others >> k & 1) {
            gc_event *event = open_event(rig.context);
            CHECK_OK(gc_event_record(event, streams[k], 0));
            CHECK_OK(gc_stream_wait_event(streams[waiting], event, 0));
            CHECK_OK(gc_event_destroy(event));
        }
    }
}

/* Submits the program. All streams fork from the first at the start and join it at the end. */
static void submit(const struct program *program, gc_stream *const *streams, const gc_buffer *buffer, unsigned *calls) {
    struct uses uses;
    unsigned i, k;
    memset(&uses, 0, sizeof uses);
    for (k = 1; k < STREAMS; k++)
        wait_for_streams(streams, k, 1);
    for (i = 0; i < program->length; i++) {
        const struct operation *o = &program->operations[i];
        const gc_stream *stream = streams[o->stream];
        unsigned reads = o->kind == MIX ? 1u << o->a | 1u << o->b : o->kind == COPY ? 1u << o->a : 0;
        unsigned writes = o->kind == CALL ? 0 : 1u << o->result, waits = 0;
        if (o->kind == COPY && o->a == o->result)
            continue;
        for (k = 0; k < CELLS; k++) {
            if (reads >> k & 1)
                waits |= uses.written_in[k];
            if (writes >> k & 1)
                waits |= uses.written_in[k] | uses.read_in[k];
        }
        wait_for_streams(streams, o->stream, waits);
        switch (o->kind) {
        case MIX: CHECK_OK(launch_mix(&rig, stream, buffer, o->result, o->a, o->b, o->constant)); break;
        case SET: CHECK_OK(gc_stream_memset(stream, buffer, o->result * 4, o->constant, 4, 1)); break;
        case COPY: CHECK_OK(gc_stream_memcpy_dtod(stream, buffer, o->result * 4, buffer, o->a * 4, 4)); break;
        case CALL: CHECK_OK(gc_stream_launch_host_func(stream, count_call, calls, NULL)); break;
        }
        for (k = 0; k < CELLS; k++) {
            if (writes >> k & 1) {
                uses.written_in[k] = 1u << o->stream;
                uses.read_in[k] = 0;
            }
            if (reads >> k & 1)
                uses.read_in[k] |= 1u << o->stream;
        }
    }
    wait_for_streams(streams, 0, (1u << STREAMS) - 1);
}

static int holds(const gc_stream *stream, const gc_buffer *buffer, const uint32_t *expected) {
    uint32_t got[CELLS];
    memset(got, 0xff, sizeof got);
    CHECK_OK(gc_stream_memcpy_dtoh(stream, got, buffer, 0, sizeof got));
    CHECK_OK(gc_stream_synchronize(stream));
    return memcmp(got, expected, sizeof got) == 0;
}

static void eager_and_replayed_programs_agree(void) {
    unsigned round, k, replay;
    gc_stream *streams[STREAMS];
    gc_buffer *buffer = open_buffer(rig.context, CELLS * 4);
    for (k = 0; k < STREAMS; k++)
        streams[k] = open_stream(rig.context, k % 2 ? 0 : GRAPHCAP_STREAM_NON_BLOCKING);
    for (round = 0; round < rounds.count; round++) {
        struct program program;
        uint32_t start[CELLS], cells[CELLS];
        unsigned calls = 0;
        gc_graph_exec *exec;
        seed = (rounds.first + round) * 7919u + 1;
        make_program(&program);
        for (k = 0; k < CELLS; k++)
            start[k] = random_below(100000);
        memcpy(cells, start, sizeof cells);
        CHECK_OK(gc_stream_memcpy_htod(streams[0], buffer, 0, start, sizeof start));
        submit(&program, streams, buffer, &calls);
        work_out(&program, cells);
        CHECK(holds(streams[0], buffer, cells));
        CHECK(calls == program.calls);

        CHECK_OK(gc_stream_memcpy_htod(streams[0], buffer, 0, start, sizeof start));
        CHECK_OK(gc_stream_synchronize(streams[0]));
        memcpy(cells, start, sizeof cells);
        calls = 0;
        CHECK_OK(gc_stream_begin_capture(streams[0], (gc_capture_mode)random_below(3)));
        submit(&program, streams, buffer, &calls);
        exec = finish_capture(streams[0]);
        for (replay = 1; replay <= 3; replay++) {
            CHECK_OK(gc_graph_launch(exec, streams[replay % STREAMS]));
            CHECK_OK(gc_stream_synchronize(streams[replay % STREAMS]));
            work_out(&program, cells);
            CHECK(holds(streams[0], buffer, cells));
            CHECK(calls == replay * program.calls);
        }
        CHECK_OK(gc_graph_exec_destroy(exec));
        if (check_failures != 0) {
            fprintf(stderr, "again: --count 1 --seed %u\n", rounds.first + round);
            break;
        }
    }
    for (k = 0; k < STREAMS; k++)
        CHECK_OK(gc_stream_destroy(streams[k]));
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(int argc, char **argv) {
    rounds.count = soak(150, 100000);
    read_rounds(argc, argv, &rounds);
    rig_open(&rig);
    RUN(eager_and_replayed_programs_agree);
    rig_close(&rig);
    return check_finish();
}
