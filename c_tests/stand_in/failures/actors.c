/* Each call of the driver fails once: an actor records a script, launches, updates, writes and ends. Whatever fails, each
 * message is answered, the actor goes on or tells the cause, and its thread leaves nothing. */
#include "failures.h"

static void prepare(struct program *it) {
    make_objects(it);
}

static void end(gc_future *future) {
    STEP(gc_future_wait(future, UINT64_MAX, NULL));
    CHECK_OK(gc_future_destroy(future));
}

static void use_an_actor(struct program *it, uint32_t completion) {
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->buffer, 8, 7, 4, 1, 1, 0);
    gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_actor *actor = NULL;
    gc_script *script = NULL;
    gc_future *future = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    options.completion = completion;
    desc.kind = GRAPHCAP_WORK_MEMSET;
    desc.memset_params = &set;
    STEP(gc_script_create(it->context, &script));
    STEP(gc_script_push(script, &desc));
    STEP(gc_actor_create(it->context, &options, &actor));
    STEP(gc_actor_record(actor, script, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, 0, &future));
    STEP(gc_future_wait(future, UINT64_MAX, NULL));
    STEP(gc_future_take_exec(future, &exec));
    CHECK_OK(gc_future_destroy(future));
    STEP(gc_actor_launch(actor, exec, &future));
    end(future);
    STEP(gc_script_record(script, it->stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph));
    STEP(gc_actor_update(actor, exec, graph, &future));
    end(future);
    STEP(gc_actor_launch(actor, exec, &future));
    end(future);
    STEP(gc_actor_export_dot(actor, exec, 0, &future));
    end(future);
    STEP(gc_actor_close(actor, UINT64_MAX));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_actor_destroy(actor));
}

static void use_actors(struct program *it) {
    use_an_actor(it, GRAPHCAP_ACTOR_COMPLETION_EVENT);
    use_an_actor(it, GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION);
    use_an_actor(it, GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE);
}

int main(void) {
    static const struct subject actors = {prepare, use_actors, give_back, 20, 20};
    return fail_calls_of(&actors);
}
