/* An actor replaces the plan of a recorded Fourier transform: later launches go by the new plan, earlier ones by the one before. What
 * cannot be replaced is refused, and leaves the graph exec as it was. Skipped on a GPU where cuFFT is not installed. */
#include "actors.h"

enum { NUMBERS = 8, WORDS = 12 };

static gc_buffer *input, *output;

static gc_fft_plan *open_plan(uint32_t direction, uint64_t length, uint64_t batch) {
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_plan *plan = NULL;
    shape.direction = direction;
    shape.length = length;
    shape.batch_count = batch;
    REQUIRE_OK(gc_fft_plan_create(rig.context, &shape, &plan));
    return plan;
}

/* Clears the output, and transforms by a plan of the op's own: one transform of all numbers. */
static gc_script *open_transform(void) {
    const gc_memset_params clear = GRAPHCAP_MEMSET_INIT(output, 0, 0, 4, WORDS, 1, 0);
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_params transform = GRAPHCAP_FFT_PARAMS_INIT;
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_script *script = NULL;
    REQUIRE_OK(gc_script_create(rig.context, &script));
    desc.kind = GRAPHCAP_WORK_MEMSET;
    desc.memset_params = &clear;
    REQUIRE_OK(gc_script_push(script, &desc));
    shape.length = NUMBERS;
    transform.plan_params = &shape;
    transform.input = input;
    transform.output = output;
    desc.kind = GRAPHCAP_WORK_FFT_R2C;
    desc.name = "forth";
    desc.memset_params = NULL;
    desc.fft_params = &transform;
    REQUIRE_OK(gc_script_push(script, &desc));
    return script;
}

static gc_graph_exec *record(const gc_actor *actor, const gc_script *script) {
    gc_future *recorded = NULL;
    REQUIRE_OK(gc_actor_record(actor, script, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, 0, &recorded));
    return exec_of(recorded);
}

static gc_status set_plan(const gc_actor *actor, const gc_graph_exec *exec, size_t op, const gc_fft_plan *plan) {
    gc_future *future = NULL;
    REQUIRE_OK(gc_actor_set_fft_plan(actor, exec, op, plan, &future));
    return answer_of(future);
}

/* Whether the last launch made `batch` transforms of the numbers 1 to 8: the first number of each is the sum of its share. */
static int made(unsigned batch) {
    float seen[WORDS];
    unsigned i, wrong = 0;
    const unsigned each = NUMBERS / batch, apart = 2 * (each / 2 + 1);
    REQUIRE_OK(gc_stream_memcpy_dtoh(rig.stream, seen, output, 0, sizeof seen));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < batch; i++) {
        const float first = (float)(i * each + 1), last = (float)((i + 1) * each);
        const float off = seen[i * apart] - (first + last) * (float)each / 2.0f;
        wrong += !(off < 1e-3f && off > -1e-3f);
    }
    return wrong == 0;
}

static void later_launches_go_by_the_new_plan(void) {
    gc_actor *actor = open_actor(NULL);
    gc_script *script = open_transform();
    gc_graph_exec *exec = record(actor, script);
    gc_fft_plan *halves = open_plan(GRAPHCAP_FFT_DIRECTION_R2C, NUMBERS / 2, 2);
    gc_fft_plan *whole = open_plan(GRAPHCAP_FFT_DIRECTION_R2C, NUMBERS, 1);
    gc_future *messages[4], *written = NULL;
    char text[4096];
    unsigned i, round;
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(answer_of(ask_launch(actor, exec)));
    CHECK(made(1));
    for (round = 0; round < 20; round++) {
        const gc_fft_plan *plan = round % 2 ? whole : halves;
        /* Nobody waits between the messages. */
        messages[0] = ask_launch(actor, exec);
        messages[1] = ask_launch(actor, exec);
        REQUIRE_OK(gc_actor_set_fft_plan(actor, exec, 1, plan, &messages[2]));
        messages[3] = ask_launch(actor, exec);
        for (i = 0; i < LENGTH_OF(messages); i++)
            CHECK_OK(answer_of(messages[i]));
        CHECK(made(round % 2 ? 1 : 2));
    }
    REQUIRE_OK(gc_actor_export_dot(actor, exec, 0, &written));
    CHECK_OK(gc_future_wait(written, UINT64_MAX, NULL));
    CHECK_OK(gc_future_text(written, text, sizeof text, NULL));
    CHECK_OK(gc_future_destroy(written));
    CHECK(strncmp(text, "digraph", 7) == 0);
    /* The graph exec keeps the plan. */
    CHECK_OK(set_plan(actor, exec, 1, halves));
    CHECK_OK(gc_fft_plan_destroy(halves));
    CHECK_OK(gc_fft_plan_destroy(whole));
    CHECK_OK(gc_actor_destroy(actor));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(made(2));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void what_cannot_be_replaced_is_refused(void) {
    gc_actor *actor = open_actor(NULL);
    gc_script *script = open_transform(), *without = NULL;
    gc_graph_exec *exec = record(actor, script), *other;
    gc_fft_plan *halves = open_plan(GRAPHCAP_FFT_DIRECTION_R2C, NUMBERS / 2, 2);
    gc_fft_plan *back = open_plan(GRAPHCAP_FFT_DIRECTION_C2R, NUMBERS, 1);
    gc_fft_plan *large = open_plan(GRAPHCAP_FFT_DIRECTION_R2C, 4 * NUMBERS, 1);
    gc_script_failure failure = GRAPHCAP_SCRIPT_FAILURE_INIT;
    gc_graph *graph = NULL;
    gc_future *future = NULL;
    CHECK_OK(set_plan(actor, exec, 1, halves));
    CHECK_STATUS(set_plan(actor, exec, 0, halves), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(set_plan(actor, exec, 2, halves), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(set_plan(actor, exec, SIZE_MAX, halves), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(set_plan(actor, exec, 1, back), GRAPHCAP_ERROR_INVALID_VALUE);
    REQUIRE_OK(gc_actor_set_fft_plan(actor, exec, 1, large, &future));
    CHECK_STATUS(gc_future_wait(future, UINT64_MAX, &failure), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(failure.has_op == 1 && failure.op_index == 1 && strcmp(failure.op_name, "forth") == 0);
    CHECK_OK(gc_future_destroy(future));
    CHECK_OK(answer_of(ask_launch(actor, exec)));
    CHECK(made(2));
    /* Another graph than the one that was recorded, and one without a transform. */
    REQUIRE_OK(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph));
    REQUIRE_OK(gc_actor_adopt(actor, graph, 0, &future));
    other = exec_of(future);
    CHECK_STATUS(set_plan(actor, other, 1, halves), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_OK(gc_graph_exec_destroy(other));
    REQUIRE_OK(gc_actor_update(actor, exec, graph, &future));
    CHECK_OK(answer_of(future));
    CHECK_STATUS(set_plan(actor, exec, 1, halves), GRAPHCAP_ERROR_NOT_FOUND);
    REQUIRE_OK(gc_script_create(rig.context, &without));
    other = record(actor, without);
    CHECK_STATUS(set_plan(actor, other, 0, halves), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_OK(gc_graph_exec_destroy(other));
    CHECK_OK(gc_actor_close(actor, UINT64_MAX));
    CHECK_STATUS(gc_actor_set_fft_plan(actor, exec, 1, halves, &future), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_script_destroy(without));
    CHECK_OK(gc_fft_plan_destroy(halves));
    CHECK_OK(gc_fft_plan_destroy(back));
    CHECK_OK(gc_fft_plan_destroy(large));
    CHECK_OK(gc_actor_destroy(actor));
}

int main(void) {
    float numbers[NUMBERS];
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_plan *plan = NULL;
    gc_status planned;
    unsigned i;
    rig_open(&rig);
    shape.length = NUMBERS;
    planned = gc_fft_plan_create(rig.context, &shape, &plan);
    CHECK_OK(gc_fft_plan_destroy(plan));
    if (on_cuda() && planned == GRAPHCAP_ERROR_LIBRARY) {
        fprintf(stderr, "skipped: cuFFT is not installed\n");
        rig_close(&rig);
        return EXIT_SKIPPED;
    }
    CHECK_OK(planned);
    input = open_buffer(rig.context, sizeof numbers);
    output = open_buffer(rig.context, WORDS * sizeof(float));
    for (i = 0; i < NUMBERS; i++)
        numbers[i] = (float)(i + 1);
    REQUIRE_OK(gc_stream_memcpy_htod(rig.stream, input, 0, numbers, sizeof numbers));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    RUN(later_launches_go_by_the_new_plan);
    RUN(what_cannot_be_replaced_is_refused);
    CHECK_OK(gc_buffer_destroy(output));
    CHECK_OK(gc_buffer_destroy(input));
    rig_close(&rig);
    return check_finish();
}
