/* Futures: asked, waited for and watched; what answers carry; functions that are called with them; failures as data. */
#include "actors.h"

#include <poll.h>

static int is_done(const gc_future *future) {
    uint32_t done = 7;
    CHECK_OK(gc_future_poll(future, &done));
    CHECK(done <= 1);
    return done == 1;
}

static int is_readable(int fd, int milliseconds) {
    struct pollfd asked;
    asked.fd = fd;
    asked.events = POLLIN;
    asked.revents = 0;
    return poll(&asked, 1, milliseconds) == 1;
}

static void an_answer_stays_the_same(void) {
    gc_actor *actor = open_actor(NULL);
    gc_script_failure failure = GRAPHCAP_SCRIPT_FAILURE_INIT;
    gc_graph_exec *exec, *taken = NULL;
    gc_future *launched;
    struct hold hold;
    size_t needed = 0;
    unsigned ran = 0;
    exec = adopt_calling(actor, count_call, &ran);
    begin_hold(&hold, actor);
    launched = ask_launch(actor, exec);
    CHECK(!is_done(launched));
    CHECK_MESSAGE(gc_future_wait(launched, 0, &failure), GRAPHCAP_ERROR_TIMEOUT, "in time");
    CHECK_STATUS(gc_future_wait(launched, 1000000, NULL), GRAPHCAP_ERROR_TIMEOUT);
    CHECK(failure.status == 0); /* it is no answer */
    CHECK_STATUS(gc_future_take_exec(launched, &taken), GRAPHCAP_ERROR_NOT_READY);
    CHECK_STATUS(gc_future_text(launched, NULL, 0, &needed), GRAPHCAP_ERROR_NOT_READY);
    end_hold(&hold);
    CHECK_OK(gc_future_wait(launched, UINT64_MAX, &failure));
    CHECK_OK(gc_future_wait(launched, 0, NULL));
    CHECK(is_done(launched) && count_of(&ran) == 1);
    CHECK_OK(gc_future_destroy(launched));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_actor_destroy(actor));
}

static void a_graph_exec_is_taken_once(void) {
    gc_actor *actor = open_actor(NULL);
    gc_script *script = NULL;
    gc_future *recorded = NULL, *launched;
    gc_graph_exec *exec = NULL, *again = NULL;
    gc_buffer *buffer = open_buffer(rig.context, 64);
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 9, 4, 1, 1, 0);
    gc_work desc = GRAPHCAP_WORK_INIT;
    size_t needed = 0;
    REQUIRE_OK(gc_script_create(rig.context, &script));
    desc.kind = GRAPHCAP_WORK_MEMSET;
    desc.memset_params = &set;
    REQUIRE_OK(gc_script_push(script, &desc));
    REQUIRE_OK(gc_actor_record(actor, script, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, 0, &recorded));
    CHECK_OK(gc_future_wait(recorded, UINT64_MAX, NULL));
    CHECK_OK(gc_future_take_exec(recorded, &exec));
    CHECK_MESSAGE(gc_future_take_exec(recorded, &again), GRAPHCAP_ERROR_NOT_FOUND, "taken before");
    CHECK(again == NULL);
    CHECK_OK(gc_future_wait(recorded, 0, NULL));
    launched = ask_launch(actor, exec);
    CHECK_OK(gc_future_wait(launched, UINT64_MAX, NULL));
    CHECK(read_u32(rig.stream, buffer, 0) == 9);
    CHECK_STATUS(gc_future_take_exec(launched, &again), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_STATUS(gc_future_text(launched, NULL, 0, &needed), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_OK(gc_future_destroy(launched));
    CHECK_OK(gc_future_destroy(recorded));
    /* One that nobody takes goes with its future. */
    REQUIRE_OK(gc_actor_record(actor, script, GRAPHCAP_CAPTURE_MODE_RELAXED, 0, &recorded));
    CHECK_OK(answer_of(recorded));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_actor_destroy(actor));
}

static gc_status refuse(const gc_record_context *context, void *user_data) {
    (void)context;
    (void)user_data;
    return GRAPHCAP_ERROR_SEALED;
}

static const char *name_of_refusal(void *user_data) {
    (void)user_data;
    return "refusal";
}

static void the_op_that_fails_is_told(void) {
    gc_actor *actor = open_actor(NULL);
    gc_script *script = NULL;
    gc_future *recorded = NULL;
    gc_graph_exec *exec = NULL;
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    int round;
    vtable.record = refuse;
    vtable.name = name_of_refusal;
    REQUIRE_OK(gc_script_create(rig.context, &script));
    REQUIRE_OK(gc_script_push_op(script, &vtable, NULL));
    REQUIRE_OK(gc_actor_record(actor, script, GRAPHCAP_CAPTURE_MODE_RELAXED, 0, &recorded));
    for (round = 0; round < 2; round++) {
        gc_script_failure failure = GRAPHCAP_SCRIPT_FAILURE_INIT;
        CHECK_MESSAGE(gc_future_wait(recorded, UINT64_MAX, &failure), GRAPHCAP_ERROR_SEALED, "op 0 (refusal)");
        CHECK(failure.status == GRAPHCAP_ERROR_SEALED && failure.has_op == 1 && failure.op_index == 0);
        CHECK(strcmp(failure.op_name, "refusal") == 0);
    }
    CHECK_STATUS(gc_future_take_exec(recorded, &exec), GRAPHCAP_ERROR_SEALED);
    CHECK(exec == NULL);
    CHECK_OK(gc_future_destroy(recorded));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_actor_destroy(actor));
}

/* What a function saw that was called with an answer. */
struct seen {
    const gc_actor *actor;
    const gc_graph_exec *exec;
    const gc_future *given; /* dead afterwards */
    pthread_t thread;
    unsigned calls, destroyed;
    gc_status answer, first, full, wait, close;
    gc_future *posted;
};

static void see_answer(const gc_future *future, void *user_data) {
    struct seen *seen = (struct seen *)user_data;
    gc_future *refused = NULL;
    seen->given = future;
    seen->thread = pthread_self();
    seen->answer = gc_future_wait(future, 0, NULL);
    if (seen->actor != NULL) {
        seen->first = gc_actor_launch(seen->actor, seen->exec, &seen->posted);
        seen->full = gc_actor_launch(seen->actor, seen->exec, &refused);
        seen->wait = gc_future_wait(seen->posted, UINT64_MAX, NULL);
        seen->close = gc_actor_close(seen->actor, 1);
    }
    count_call(&seen->calls);
}

static void see_destroyed(void *user_data) {
    count_call(&((struct seen *)user_data)->destroyed);
}

/* The one on the actor's thread: it posts once, and waits for nothing. */
static void functions_are_called_with_answers(void) {
    gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    struct seen early, late;
    struct hold hold;
    gc_graph_exec *exec;
    gc_actor *actor;
    unsigned ran = 0;
    memset(&early, 0, sizeof early);
    memset(&late, 0, sizeof late);
    options.mailbox_capacity = 1;
    actor = open_actor(&options);
    exec = adopt_calling(actor, count_call, &ran);
    begin_hold(&hold, actor);
    early.actor = actor;
    early.exec = exec;
    CHECK_OK(gc_future_on_done(hold.recorded, see_answer, &early, see_destroyed));
    CHECK(count_of(&early.calls) == 0 && count_of(&early.destroyed) == 0);
    gate_open(&hold.gate);
    CHECK(await_count(&early.destroyed, 1));
    CHECK(count_of(&early.calls) == 1 && count_of(&early.destroyed) == 1);
    CHECK(early.answer == GRAPHCAP_SUCCESS && early.first == GRAPHCAP_SUCCESS && early.full == GRAPHCAP_ERROR_BUSY);
    CHECK(early.wait == GRAPHCAP_ERROR_BUSY && early.close == GRAPHCAP_ERROR_BUSY);
    CHECK(!pthread_equal(early.thread, pthread_self()));
    CHECK_STATUS(gc_future_wait(early.given, 0, NULL), GRAPHCAP_ERROR_INVALID_HANDLE);
    /* The call closed the actor all the same. */
    CHECK_STATUS(answer_of(early.posted), GRAPHCAP_ERROR_CANCELLED);
    /* An answer that is there: on this thread. */
    CHECK_OK(gc_future_on_done(hold.recorded, see_answer, &late, see_destroyed));
    CHECK(late.calls == 1 && late.destroyed == 1 && late.answer == GRAPHCAP_SUCCESS);
    CHECK(pthread_equal(late.thread, pthread_self()));
    CHECK_MESSAGE(gc_future_on_done(hold.recorded, NULL, &late, see_destroyed), GRAPHCAP_ERROR_INVALID_VALUE, "function");
    CHECK(late.calls == 1 && late.destroyed == 2);
    end_hold(&hold);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_actor_destroy(actor));
}

static void a_function_is_called_though_the_future_is_destroyed(void) {
    gc_actor *actor = open_actor(NULL);
    struct seen seen;
    gc_graph_exec *exec;
    gc_future *launched;
    unsigned ran = 0;
    memset(&seen, 0, sizeof seen);
    exec = adopt_calling(actor, count_call, &ran);
    launched = ask_launch(actor, exec);
    CHECK_OK(gc_future_on_done(launched, see_answer, &seen, see_destroyed));
    CHECK_OK(gc_future_destroy(launched));
    CHECK(await_count(&seen.destroyed, 1));
    CHECK(count_of(&seen.calls) == 1 && seen.answer == GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_actor_destroy(actor));
}

static void a_future_has_a_descriptor_of_its_own(void) {
    gc_actor *actor = open_actor(NULL);
    gc_future *launched;
    gc_graph_exec *exec;
    struct hold hold;
    int32_t fd = 0, again = 0;
    unsigned ran = 0;
    exec = adopt_calling(actor, count_call, &ran);
    begin_hold(&hold, actor);
    launched = ask_launch(actor, exec);
    CHECK_OK(gc_future_event_fd(launched, &fd));
    CHECK_OK(gc_future_event_fd(launched, &again));
    CHECK(fd > 0 && fd == again && !is_readable(fd, 0));
    end_hold(&hold);
    CHECK(is_readable(fd, -1) && is_done(launched));
    CHECK(is_readable(fd, 0));
    CHECK_OK(gc_future_destroy(launched));
    /* Asked for when the answer is there. */
    launched = ask_launch(actor, exec);
    CHECK_OK(gc_future_wait(launched, UINT64_MAX, NULL));
    CHECK_OK(gc_future_event_fd(launched, &fd));
    CHECK(is_readable(fd, 0));
    CHECK_OK(gc_future_destroy(launched));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_actor_destroy(actor));
}

int main(void) {
    rig_open(&rig);
    RUN(an_answer_stays_the_same);
    RUN(a_graph_exec_is_taken_once);
    RUN(the_op_that_fails_is_told);
    RUN(functions_are_called_with_answers);
    RUN(a_function_is_called_though_the_future_is_destroyed);
    RUN(a_future_has_a_descriptor_of_its_own);
    rig_close(&rig);
    return check_finish();
}
