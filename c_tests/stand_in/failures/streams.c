/* Each call of the driver fails once: work and events on streams, waits for them, and what streams tell of themselves. */
#include "failures.h"

static gc_buffer *managed;

static void prepare(struct program *it) {
    make_all(it);
    STEP(gc_buffer_allocate_managed(it->context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &managed));
}

static void ask_stream(struct program *it) {
    gc_stream_attribute_value value;
    uint32_t flags;
    int32_t least, greatest;
    memset(&value, 0, sizeof value);
    value.synchronization_policy = GRAPHCAP_SYNCHRONIZATION_POLICY_SPIN;
    STEP(gc_context_stream_priority_range(it->context, &least, &greatest));
    STEP(gc_stream_flags(it->wrapped, &flags));
    STEP(gc_stream_priority(it->wrapped, &least));
    STEP(gc_stream_set_attribute(it->side, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    STEP(gc_stream_get_attribute(it->side, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    STEP(gc_stream_copy_attributes(it->stream, it->side));
}

static void work_eagerly(struct program *it) {
    int32_t complete;
    float milliseconds;
    it->given++, it->to_call++;
    STEP(gc_event_record(it->fork_event, it->stream, 0));
    STEP(gc_stream_memset(it->stream, it->buffer, 0, 0, 4, 4));
    STEP(gc_stream_memset(it->special, it->copy, 0, 0, 2, 8));
    STEP(gc_stream_memcpy_htod(it->stream, it->buffer, 0, it->words, sizeof it->words));
    STEP(gc_stream_memcpy_peer(it->stream, it->lent, 0, it->buffer, 0, 64));
    STEP(gc_stream_memcpy_peer(it->special, it->copy, 0, it->lent, 32, 8));
    STEP(gc_stream_write_value32(it->stream, it->copy, 16, 1, 0));
    STEP(gc_stream_write_value64(it->special, it->copy, 24, 1, 0));
    if (!has_failed) {
        STEP(gc_stream_wait_value32(it->stream, it->copy, 16, 1, GRAPHCAP_WAIT_VALUE_EQ));
        STEP(gc_stream_wait_value64(it->special, it->copy, 24, 1, GRAPHCAP_WAIT_VALUE_GEQ));
    }
    STEP(gc_stream_attach_mem_async(it->stream, managed, GRAPHCAP_MEM_ATTACH_SINGLE));
    STEP(gc_stream_launch_host_func(it->stream, be_called, it, be_destroyed));
    STEP(gc_event_record(it->join_event, it->stream, 0));
    STEP(gc_stream_wait_event(it->side, it->join_event, 0));
    STEP(gc_stream_is_complete(it->stream, &complete));
    STEP(gc_event_is_complete(it->join_event, &complete));
    STEP(gc_event_synchronize(it->join_event));
    STEP(gc_event_synchronize_for(it->join_event, 0));
    STEP(gc_stream_synchronize_for(it->stream, 0));
    if (is_new)
        STEP(gc_context_synchronize_for(it->context, 0));
    ask_stream(it);
    if (!has_failed)
        STEP(gc_event_elapsed_time(it->fork_event, it->join_event, &milliseconds));
    STEP(gc_stream_synchronize(it->special));
}

static void give_back_streams(struct program *it) {
    CHECK_OK(gc_buffer_destroy(managed));
    managed = NULL;
    give_back(it);
}

int main(void) {
    static const struct subject streams = {prepare, work_eagerly, give_back_streams, 50, 60};
    return fail_calls_of(&streams);
}
