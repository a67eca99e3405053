/* Each call of the driver fails once: a generator is made, two branches of a graph draw from it, replays and a fill that is not
 * recorded draw on, and its state is read and set. */
#include "failures.h"

static void fill(struct program *it, const gc_rng *rng, const gc_stream *stream, size_t offset) {
    gc_rng_uniform_params params = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    params.rng = rng;
    params.buffer = it->copy;
    params.offset = offset;
    params.count = 5;
    STEP(gc_stream_fill_uniform(stream, &params));
}

static void use_random_numbers(struct program *it) {
    gc_rng *rng = NULL;
    uint64_t offset = 0, state[4];
    STEP(gc_rng_create(it->stream, 7, 1, &rng));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_event_record(it->fork_event, it->stream, 0));
    STEP(gc_stream_wait_event(it->side, it->fork_event, 0));
    fill(it, rng, it->stream, 0);
    fill(it, rng, it->side, 20);
    STEP(gc_rng_torch_state(rng, it->side, GRAPHCAP_TORCH_STATE_32, 3, state));
    STEP(gc_event_record(it->join_event, it->side, 0));
    STEP(gc_stream_wait_event(it->stream, it->join_event, 0));
    STEP(gc_stream_end_capture(it->stream, &it->graph));
    STEP(gc_graph_instantiate(it->graph, NULL, &it->exec));
    STEP(gc_graph_launch(it->exec, it->stream));
    STEP(gc_graph_launch(it->exec, it->stream));
    fill(it, rng, it->stream, 40);
    STEP(gc_rng_get_offset(rng, it->stream, &offset));
    CHECK(has_failed || offset == 33);
    STEP(gc_rng_set_offset(rng, it->stream, 3));
    STEP(gc_rng_set_seed(rng, it->stream, 8));
    STEP(gc_rng_get_seed(rng, it->stream, &offset));
    CHECK(has_failed || offset == 8);
    CHECK_OK(gc_rng_destroy(rng));
}

static void prepare(struct program *it) {
    make_objects(it);
    make_events(it);
}

int main(void) {
    static const struct subject random_numbers = {prepare, use_random_numbers, give_back, 30, 30};
    return fail_calls_of(&random_numbers);
}
