/* Actors: no launch is lost and each is answered once, also from many threads; the mailbox, the queue for event loops, closing,
 * faults, resets; and that an idle actor uses no CPU. */
#include "actors.h"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

static const uint32_t completions[] = {GRAPHCAP_ACTOR_COMPLETION_EVENT, GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION,
                                       GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE};

enum { THREADS = 8 };

struct sender {
    pthread_t thread;
    const gc_actor *actor;
    const gc_graph_exec *exec;
    unsigned launches;
    unsigned char *answers; /* one for each launch */
    unsigned failures;
};

static void note_answer(const gc_future *future, void *user_data) {
    uint32_t is_done = 0;
    if (gc_future_poll(future, &is_done) == GRAPHCAP_SUCCESS && is_done)
        (*(unsigned char *)user_data)++;
}

static void *send_launches(void *argument) {
    struct sender *sender = (struct sender *)argument;
    unsigned i;
    for (i = 0; i < sender->launches; i++) {
        gc_future *future = NULL;
        int is_last = i + 1 == sender->launches;
        sender->failures += gc_actor_launch(sender->actor, sender->exec, &future) != GRAPHCAP_SUCCESS;
        sender->failures += gc_future_on_done(future, note_answer, &sender->answers[i], NULL) != GRAPHCAP_SUCCESS;
        sender->failures += is_last && gc_future_wait(future, UINT64_MAX, NULL) != GRAPHCAP_SUCCESS;
        sender->failures += gc_future_destroy(future) != GRAPHCAP_SUCCESS;
    }
    return NULL;
}

static void launches_of_many_threads_are_answered_once_each(void) {
    gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    struct sender senders[THREADS];
    gc_buffer *counter = open_buffer(rig.context, 64);
    gc_graph *graph = open_graph(rig.context);
    gc_future *adopted = NULL;
    gc_graph_exec *exec;
    gc_actor *actor;
    struct kernel_call call;
    uint64_t replays = 0;
    gc_node node = 0;
    unsigned i, k, whole = soak(4000, 1000000);
    options.mailbox_capacity = 64;
    actor = open_actor(&options);
    REQUIRE_OK(add_kernel(graph, NULL, 0, call_add(&call, &rig, counter, 0, 1), &node));
    REQUIRE_OK(gc_actor_adopt(actor, graph, 0, &adopted));
    exec = exec_of(adopted);
    for (i = 0; i < THREADS; i++) {
        senders[i].actor = actor;
        senders[i].exec = exec;
        senders[i].launches = whole / THREADS;
        senders[i].failures = 0;
        senders[i].answers = (unsigned char *)calloc(senders[i].launches, 1);
        CHECK(pthread_create(&senders[i].thread, NULL, send_launches, &senders[i]) == 0);
    }
    for (i = 0; i < THREADS; i++)
        CHECK(pthread_join(senders[i].thread, NULL) == 0);
    CHECK_OK(gc_actor_close(actor, UINT64_MAX));
    for (i = 0; i < THREADS; i++) {
        unsigned once = 0;
        for (k = 0; k < senders[i].launches; k++)
            once += senders[i].answers[k] == 1;
        CHECK(senders[i].failures == 0 && once == senders[i].launches);
        free(senders[i].answers);
    }
    CHECK_OK(gc_graph_exec_num_replays(exec, &replays));
    CHECK(replays == whole && read_u32(rig.stream, counter, 0) == whole);
    CHECK_OK(gc_actor_destroy(actor));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(counter));
}

static void a_launch_is_answered_when_it_has_run(void) {
    unsigned i, round;
    for (i = 0; i < LENGTH_OF(completions); i++) {
        gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
        gc_future *futures[20];
        unsigned ran = 0;
        gc_graph_exec *exec;
        gc_actor *actor;
        options.completion = completions[i];
        actor = open_actor(&options);
        exec = adopt_calling(actor, count_call, &ran);
        for (round = 0; round < LENGTH_OF(futures); round++)
            futures[round] = ask_launch(actor, exec);
        for (round = 0; round < LENGTH_OF(futures); round++) {
            CHECK_OK(answer_of(futures[round]));
            CHECK(count_of(&ran) > round);
        }
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_actor_destroy(actor));
        CHECK(count_of(&ran) == LENGTH_OF(futures));
    }
}

static double cpu_seconds(void) {
    struct rusage used;
    CHECK(getrusage(RUSAGE_SELF, &used) == 0);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* One that looked again and again would use as much time as passes. */
static void an_idle_actor_uses_no_cpu(void) {
    gc_actor *actors[LENGTH_OF(completions)];
    double before;
    unsigned i, ran = 0;
    for (i = 0; i < LENGTH_OF(actors); i++) {
        gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
        gc_graph_exec *exec;
        options.completion = completions[i];
        actors[i] = open_actor(&options);
        exec = adopt_calling(actors[i], count_call, &ran);
        CHECK_OK(answer_of(ask_launch(actors[i], exec)));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    pause_ms(100); /* threads of the device that have just worked linger */
    before = cpu_seconds();
    pause_ms(400);
    CHECK(cpu_seconds() - before < 0.2);
    for (i = 0; i < LENGTH_OF(actors); i++)
        CHECK_OK(gc_actor_destroy(actors[i]));
}

static void a_close_cancels_what_is_queued_and_lets_launches_finish(void) {
    gc_actor *actor = open_actor(NULL);
    gc_future *launched[10], *queued[10], *refused = (gc_future *)actor;
    struct hold hold;
    gc_graph_exec *exec;
    unsigned i, ran = 0;
    exec = adopt_calling(actor, count_call, &ran);
    for (i = 0; i < LENGTH_OF(launched); i++)
        launched[i] = ask_launch(actor, exec);
    begin_hold(&hold, actor);
    for (i = 0; i < LENGTH_OF(queued); i++)
        queued[i] = ask_launch(actor, exec);
    CHECK_OK(gc_actor_close(actor, 0));
    CHECK_MESSAGE(gc_actor_launch(actor, exec, &refused), GRAPHCAP_ERROR_ILLEGAL_STATE, "closed");
    CHECK(refused == NULL);
    CHECK_STATUS(gc_actor_close(actor, 1000000), GRAPHCAP_ERROR_TIMEOUT);
    end_hold(&hold);
    CHECK_OK(gc_actor_close(actor, UINT64_MAX));
    for (i = 0; i < LENGTH_OF(launched); i++)
        CHECK_OK(answer_of(launched[i]));
    for (i = 0; i < LENGTH_OF(queued); i++)
        CHECK_STATUS(answer_of(queued[i]), GRAPHCAP_ERROR_CANCELLED);
    CHECK(count_of(&ran) == LENGTH_OF(launched));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_actor_destroy(actor));
}

static void futures_outlive_their_actor(void) {
    gc_actor *actor = open_actor(NULL);
    struct hold hold;
    gc_graph_exec *exec;
    gc_future *launched, *queued;
    unsigned ran = 0;
    exec = adopt_calling(actor, count_call, &ran);
    launched = ask_launch(actor, exec);
    begin_hold(&hold, actor);
    queued = ask_launch(actor, exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_actor_destroy(actor));
    end_hold(&hold);
    CHECK_OK(answer_of(launched));
    CHECK_STATUS(answer_of(queued), GRAPHCAP_ERROR_CANCELLED);
}

static void a_full_mailbox_holds_messages_back(void) {
    static const struct {
        uint64_t timeout;
        uint32_t flags;
        gc_status status;
    } rows[] = {{0, GRAPHCAP_ACTOR_REFUSE_WHEN_FULL, GRAPHCAP_ERROR_BUSY}, {2000000, 0, GRAPHCAP_ERROR_TIMEOUT}};
    unsigned i;
    for (i = 0; i < LENGTH_OF(rows); i++) {
        gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
        gc_future *queued, *refused = NULL;
        struct hold hold;
        gc_graph_exec *exec;
        gc_actor *actor;
        unsigned ran = 0;
        options.mailbox_capacity = 1;
        options.post_timeout_ns = rows[i].timeout;
        options.flags = rows[i].flags;
        actor = open_actor(&options);
        exec = adopt_calling(actor, count_call, &ran);
        begin_hold(&hold, actor);
        queued = ask_launch(actor, exec);
        CHECK_MESSAGE(gc_actor_launch(actor, exec, &refused), rows[i].status, "full");
        end_hold(&hold);
        CHECK_OK(answer_of(queued));
        CHECK(count_of(&ran) == 1);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_actor_destroy(actor));
    }
}

static void options_are_checked(void) {
    gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    gc_actor *actor = NULL;
    gc_graph *graph = open_graph(rig.context);
    gc_future *future = NULL;
    options.completion = 3;
    CHECK_MESSAGE(gc_actor_create(rig.context, &options, &actor), GRAPHCAP_ERROR_INVALID_VALUE, "completion");
    options.completion = 0;
    options.flags = GRAPHCAP_ACTOR_REFUSE_WHEN_FULL;
    options.post_timeout_ns = 1;
    CHECK_MESSAGE(gc_actor_create(rig.context, &options, &actor), GRAPHCAP_ERROR_INVALID_VALUE, "post_timeout_ns");
    actor = open_actor(NULL);
    CHECK_MESSAGE(gc_actor_adopt(actor, graph, GRAPHCAP_INSTANTIATE_UPLOAD, &future), GRAPHCAP_ERROR_INVALID_VALUE, "UPLOAD");
    CHECK_MESSAGE(gc_actor_next_completed(actor, &future), GRAPHCAP_ERROR_ILLEGAL_STATE, "gc_actor_event_fd");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_actor_destroy(actor));
}

static int is_readable(int fd) {
    struct pollfd asked;
    asked.fd = fd;
    asked.events = POLLIN;
    asked.revents = 0;
    return poll(&asked, 1, 0) == 1;
}

static void an_event_loop_watches_one_descriptor(void) {
    gc_actor *actor = open_actor(NULL);
    gc_future *futures[8], *completed = NULL;
    gc_graph_exec *exec;
    struct hold hold;
    struct pollfd watched;
    int32_t fd = 0, again = 0;
    unsigned i, seen = 0, ran = 0;
    int input;
    exec = adopt_calling(actor, count_call, &ran);
    CHECK_OK(answer_of(ask_launch(actor, exec)));
    /* It never takes the place of a standard stream that the program has closed, to which others write. */
    input = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    CHECK_OK(gc_actor_event_fd(actor, &fd));
    CHECK(dup2(input, STDIN_FILENO) == STDIN_FILENO && close(input) == 0);
    CHECK_OK(gc_actor_event_fd(actor, &again));
    CHECK(fd > STDERR_FILENO && again == fd && !is_readable(fd));
    CHECK_STATUS(gc_actor_next_completed(actor, &completed), GRAPHCAP_ERROR_NOT_READY);
    begin_hold(&hold, actor);
    for (i = 0; i < LENGTH_OF(futures); i++)
        futures[i] = ask_launch(actor, exec);
    CHECK(!is_readable(fd));
    CHECK_OK(gc_future_destroy(futures[3])); /* of which nobody is told */
    gate_open(&hold.gate);
    watched.fd = fd;
    watched.events = POLLIN;
    while (seen < LENGTH_OF(futures)) {
        CHECK(poll(&watched, 1, -1) == 1);
        while (gc_actor_next_completed(actor, &completed) == GRAPHCAP_SUCCESS) {
            gc_future *expected = seen == 0 ? hold.recorded : futures[seen - (seen <= 3 ? 1 : 0)];
            CHECK(completed == expected);
            CHECK_OK(gc_future_wait(completed, 0, NULL));
            if (seen > 0)
                CHECK_OK(gc_future_destroy(completed));
            seen++;
        }
    }
    CHECK(!is_readable(fd));
    end_hold(&hold);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_actor_destroy(actor));
}

static void graph_execs_are_updated_and_written(void) {
    gc_actor *actor = open_actor(NULL);
    gc_graph *other;
    gc_future *future = NULL;
    gc_graph_exec *exec;
    unsigned first = 0, second = 0;
    char text[4096];
    size_t needed = 0;
    gc_node node = 0;
    exec = adopt_calling(actor, count_call, &first);
    other = calling(count_call, &second);
    CHECK_OK(answer_of(ask_launch(actor, exec)));
    REQUIRE_OK(gc_actor_update(actor, exec, other, &future));
    CHECK_OK(answer_of(future));
    CHECK_OK(answer_of(ask_launch(actor, exec)));
    CHECK(count_of(&first) == 1 && count_of(&second) == 1);
    REQUIRE_OK(gc_actor_export_dot(actor, exec, 0, &future));
    CHECK_OK(gc_future_wait(future, UINT64_MAX, NULL));
    CHECK_OK(gc_future_text(future, NULL, 0, &needed));
    CHECK_OK(gc_future_text(future, text, sizeof text, NULL));
    CHECK(strncmp(text, "digraph", 7) == 0 && needed == strlen(text) + 1);
    CHECK_STATUS(gc_future_text(future, text, 8, NULL), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK_OK(gc_future_destroy(future));
    CHECK_OK(gc_graph_add_empty_node(other, NULL, 0, &node));
    REQUIRE_OK(gc_actor_update(actor, exec, other, &future));
    CHECK_STATUS(answer_of(future), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK_OK(answer_of(ask_launch(actor, exec)));
    CHECK(count_of(&second) == 2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    /* One that no actor made can be launched, and not written. */
    exec = open_exec(other);
    CHECK_OK(answer_of(ask_launch(actor, exec)));
    REQUIRE_OK(gc_actor_export_dot(actor, exec, 0, &future));
    CHECK_STATUS(answer_of(future), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_actor_destroy(actor));
}

static void a_fault_answers_everything_with_its_cause(void) {
    struct rig own;
    unsigned i, k;
    NOT_ON_CUDA(FAULTS_STAY);
    for (i = 0; i < LENGTH_OF(completions); i++) {
        gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
        uint32_t number = 1;
        gc_kernel_arg argument = GRAPHCAP_ARG_INIT_VALUE(number);
        gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
        gc_graph *graph;
        gc_future *futures[4];
        gc_graph_exec *exec;
        gc_kernel *kernel;
        gc_actor *actor = NULL;
        gc_node node = 0;
        rig_open(&own);
        options.completion = completions[i];
        REQUIRE_OK(gc_actor_create(own.context, &options, &actor));
        kernel = get_kernel(own.module, "fail");
        graph = open_graph(own.context);
        REQUIRE_OK(gc_graph_add_kernel_node(graph, NULL, 0, kernel, &config, &argument, 1, &node));
        REQUIRE_OK(gc_actor_adopt(actor, graph, 0, &futures[0]));
        exec = exec_of(futures[0]);
        for (k = 0; k < LENGTH_OF(futures); k++)
            futures[k] = ask_launch(actor, exec);
        for (k = 0; k < LENGTH_OF(futures); k++)
            CHECK_STATUS(answer_of(futures[k]), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
        REQUIRE_OK(gc_actor_adopt(actor, graph, 0, &futures[0]));
        CHECK_STATUS(answer_of(futures[0]), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
        CHECK_OK(gc_actor_close(actor, UINT64_MAX));
        CHECK_OK(gc_actor_destroy(actor));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_kernel_destroy(kernel));
        rig_close(&own);
    }
}

/* The handles of the old generation are stale, also that of the actor, which is closed. */
static void a_reset_ends_an_actor(void) {
    gc_context *context = open_context();
    gc_actor *actor = NULL;
    gc_graph *graph = NULL;
    gc_future *future = NULL, *late = NULL;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_actor_create(context, NULL, &actor));
    REQUIRE_OK(gc_graph_create(context, &graph));
    REQUIRE_OK(gc_actor_adopt(actor, graph, 0, &future));
    REQUIRE_OK(gc_future_wait(future, UINT64_MAX, NULL));
    REQUIRE_OK(gc_future_take_exec(future, &exec));
    CHECK_OK(gc_context_reset(context));
    CHECK_STATUS(gc_actor_launch(actor, exec, &late), GRAPHCAP_ERROR_STALE);
    CHECK_STATUS(gc_future_wait(future, UINT64_MAX, NULL), GRAPHCAP_ERROR_STALE);
    CHECK_OK(gc_future_destroy(future));
    CHECK_OK(gc_actor_destroy(actor));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    /* The new generation has actors of its own. */
    REQUIRE_OK(gc_actor_create(context, NULL, &actor));
    REQUIRE_OK(gc_graph_create(context, &graph));
    REQUIRE_OK(gc_actor_adopt(actor, graph, 0, &future));
    exec = exec_of(future);
    CHECK_OK(answer_of(ask_launch(actor, exec)));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_actor_destroy(actor));
    CHECK_OK(gc_context_destroy(context));
}

int main(void) {
    rig_open(&rig);
    RUN(launches_of_many_threads_are_answered_once_each);
    RUN(a_launch_is_answered_when_it_has_run);
    RUN(an_idle_actor_uses_no_cpu);
    RUN(a_close_cancels_what_is_queued_and_lets_launches_finish);
    RUN(futures_outlive_their_actor);
    RUN(a_full_mailbox_holds_messages_back);
    RUN(options_are_checked);
    RUN(an_event_loop_watches_one_descriptor);
    RUN(graph_execs_are_updated_and_written);
    RUN(a_fault_answers_everything_with_its_cause);
    RUN(a_reset_ends_an_actor);
    rig_close(&rig);
    return check_finish();
}
