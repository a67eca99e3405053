/* What streams tell of themselves, and are told: flags, priorities and their range, attributes. */
#include "kernels.h"

static gc_context *context;

static gc_stream *stream_with(uint32_t flags, int32_t priority) {
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    gc_stream *stream = NULL;
    options.flags = flags;
    options.priority = priority;
    REQUIRE_OK(gc_stream_create(context, &options, &stream));
    return stream;
}

static uint32_t flags_of(const gc_stream *stream) {
    uint32_t flags = 99;
    CHECK_OK(gc_stream_flags(stream, &flags));
    return flags;
}

static int32_t priority_of(const gc_stream *stream) {
    int32_t priority = 99;
    CHECK_OK(gc_stream_priority(stream, &priority));
    return priority;
}

static gc_stream_attribute_value attribute_of(const gc_stream *stream, gc_stream_attribute attribute) {
    gc_stream_attribute_value value;
    memset(&value, 0xa5, sizeof value);
    CHECK_OK(gc_stream_get_attribute(stream, attribute, &value));
    return value;
}

static void flags_are_remembered(void) {
    gc_stream *blocking = stream_with(0, 0), *apart = stream_with(GRAPHCAP_STREAM_NON_BLOCKING, 0);
    gc_stream *legacy = NULL, *own = NULL;
    CHECK_OK(gc_context_legacy_stream(context, &legacy));
    CHECK_OK(gc_context_per_thread_stream(context, &own));
    CHECK(flags_of(blocking) == 0 && flags_of(apart) == GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK(flags_of(legacy) == 0 && flags_of(own) == 0);
    CHECK(priority_of(legacy) == 0 && priority_of(own) == 0);
    CHECK_OK(gc_stream_destroy(own));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(apart));
    CHECK_OK(gc_stream_destroy(blocking));
}

static void priorities_are_cut_to_their_range(void) {
    int32_t least = 99, greatest = 99, priority;
    CHECK_OK(gc_context_stream_priority_range(context, &least, &greatest));
    CHECK(greatest <= least && least == 0);
    for (priority = greatest - 3; priority <= least + 3; priority++) {
        gc_stream *stream = stream_with(GRAPHCAP_STREAM_NON_BLOCKING, priority);
        CHECK(priority_of(stream) == (priority < greatest ? greatest : priority > least ? least : priority));
        CHECK(attribute_of(stream, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY).priority == priority_of(stream));
        CHECK_OK(gc_stream_destroy(stream));
    }
}

/* Neither question breaks a capture, of a stream that is captured or of another one. */
static void questions_harm_no_capture(void) {
    int32_t least = 0, greatest = 0;
    gc_stream *stream, *other, *legacy = NULL;
    gc_graph *graph = NULL;
    CHECK_OK(gc_context_stream_priority_range(context, &least, &greatest));
    stream = stream_with(0, greatest);
    other = stream_with(GRAPHCAP_STREAM_NON_BLOCKING, 0);
    CHECK_OK(gc_context_legacy_stream(context, &legacy));
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK(flags_of(stream) == 0 && priority_of(stream) == greatest);
    CHECK(flags_of(other) == GRAPHCAP_STREAM_NON_BLOCKING && priority_of(other) == 0);
    CHECK(flags_of(legacy) == 0 && priority_of(legacy) == 0);
    CHECK_OK(gc_context_stream_priority_range(context, &least, &greatest));
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_stream_destroy(stream));
}

static void attributes_are_what_they_were_set_to(void) {
    const gc_stream_attribute policies = GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY;
    const gc_stream_attribute windows = GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW;
    const gc_stream_attribute domains = GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN;
    const gc_stream_attribute maps = GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP;
    gc_stream *stream = stream_with(GRAPHCAP_STREAM_NON_BLOCKING, 0), *copy = stream_with(0, 0);
    gc_buffer *buffer = open_buffer(context, 4096);
    gc_stream_attribute_value value, window;
    uint64_t address = 0;
    int32_t policy;
    CHECK_OK(gc_buffer_address(buffer, &address));
    memset(&value, 0, sizeof value);
    for (policy = GRAPHCAP_SYNCHRONIZATION_POLICY_BLOCKING_SYNC; policy >= GRAPHCAP_SYNCHRONIZATION_POLICY_AUTO; policy--) {
        value.synchronization_policy = policy;
        CHECK_OK(gc_stream_set_attribute(stream, policies, &value));
        CHECK(attribute_of(stream, policies).synchronization_policy == policy);
    }
    value.synchronization_policy = GRAPHCAP_SYNCHRONIZATION_POLICY_YIELD;
    CHECK_OK(gc_stream_set_attribute(stream, policies, &value));
    memset(&value, 0, sizeof value);
    value.memory_sync_domain = GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE;
    CHECK_OK(gc_stream_set_attribute(stream, domains, &value));
    CHECK(attribute_of(stream, domains).memory_sync_domain == GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE);
    value.memory_sync_domain = GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT;
    CHECK_OK(gc_stream_set_attribute(stream, domains, &value));
    memset(&value, 0, sizeof value);
    value.memory_sync_domain_map.default_domain = 0;
    value.memory_sync_domain_map.remote_domain = 0;
    CHECK_OK(gc_stream_set_attribute(stream, maps, &value));
    CHECK(attribute_of(stream, maps).memory_sync_domain_map.remote_domain == 0);
    memset(&value, 0, sizeof value);
    value.access_policy_window.base = (void *)(uintptr_t)address;
    value.access_policy_window.size = 4096;
    value.access_policy_window.hit_ratio = 0.5f;
    value.access_policy_window.hit_property = GRAPHCAP_ACCESS_PROPERTY_STREAMING;
    value.access_policy_window.miss_property = GRAPHCAP_ACCESS_PROPERTY_NORMAL;
    CHECK_OK(gc_stream_set_attribute(stream, windows, &value));
    window = attribute_of(stream, windows);
    CHECK(window.access_policy_window.base == value.access_policy_window.base);
    CHECK(window.access_policy_window.size == 4096);
    CHECK(window.access_policy_window.hit_property == GRAPHCAP_ACCESS_PROPERTY_STREAMING);
    CHECK_OK(gc_stream_copy_attributes(copy, stream));
    CHECK(attribute_of(copy, policies).synchronization_policy == GRAPHCAP_SYNCHRONIZATION_POLICY_YIELD);
    CHECK(attribute_of(copy, windows).access_policy_window.base == value.access_policy_window.base);
    CHECK(flags_of(copy) == 0 && flags_of(stream) == GRAPHCAP_STREAM_NON_BLOCKING);
    /* Work runs as ever. */
    CHECK_OK(gc_stream_memset(copy, buffer, 0, 9, 4, 1024));
    CHECK(read_u32(copy, buffer, 1023) == 9);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(copy));
    CHECK_OK(gc_stream_destroy(stream));
}

static void a_priority_that_is_set_is_told(void) {
    gc_stream *stream = stream_with(GRAPHCAP_STREAM_NON_BLOCKING, 0);
    gc_stream_attribute_value value;
    int32_t least = 0, greatest = 0;
    CHECK_OK(gc_context_stream_priority_range(context, &least, &greatest));
    memset(&value, 0, sizeof value);
    value.priority = greatest;
    CHECK_OK(gc_stream_set_attribute(stream, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &value));
    CHECK(attribute_of(stream, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY).priority == greatest);
    CHECK(priority_of(stream) == greatest);
    CHECK_OK(gc_stream_destroy(stream));
}

static void default_streams_have_the_priority_that_they_were_told(void) {
    gc_stream *streams[2] = {NULL, NULL}, *usual = stream_with(0, 0);
    int32_t least = 0, greatest = 0;
    unsigned i;
    CHECK_OK(gc_context_stream_priority_range(context, &least, &greatest));
    CHECK_OK(gc_context_legacy_stream(context, &streams[0]));
    CHECK_OK(gc_context_per_thread_stream(context, &streams[1]));
    for (i = 0; i < LENGTH_OF(streams); i++) {
        gc_stream_attribute_value value;
        memset(&value, 0, sizeof value);
        value.priority = greatest;
        CHECK(priority_of(streams[i]) == 0);
        CHECK_OK(gc_stream_set_attribute(streams[i], GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &value));
        CHECK(priority_of(streams[i]) == greatest);
        CHECK_OK(gc_stream_copy_attributes(streams[i], usual));
        CHECK(priority_of(streams[i]) == 0);
        CHECK_OK(gc_stream_destroy(streams[i]));
    }
    CHECK_OK(gc_stream_destroy(usual));
}

/* To the driver even a question about the legacy stream is work on it. */
static void attributes_of_the_legacy_stream_are_closed_by_captures(void) {
    static const uint32_t flags[] = {0, GRAPHCAP_STREAM_NON_BLOCKING};
    gc_stream *legacy = NULL, *other = stream_with(GRAPHCAP_STREAM_NON_BLOCKING, 0);
    gc_stream_attribute_value value;
    unsigned call, i;
    CHECK_OK(gc_context_legacy_stream(context, &legacy));
    CHECK_OK(gc_stream_get_attribute(legacy, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &value));
    for (i = 0; i < LENGTH_OF(flags); i++)
        for (call = 0; call < 4; call++) {
            gc_stream *captured = stream_with(flags[i], 0);
            gc_graph *graph = NULL;
            gc_status status = GRAPHCAP_SUCCESS;
            CHECK_OK(gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_RELAXED));
            switch (call) {
            case 0:
                status = gc_stream_get_attribute(legacy, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &value);
                break;
            case 1:
                memset(&value, 0, sizeof value);
                status = gc_stream_set_attribute(legacy, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &value);
                break;
            case 2: status = gc_stream_copy_attributes(legacy, other); break;
            default: status = gc_stream_copy_attributes(other, legacy); break;
            }
            CHECK_STATUS(status, flags[i] == 0 ? GRAPHCAP_ERROR_CAPTURE_IMPLICIT : GRAPHCAP_SUCCESS);
            CHECK_STATUS(gc_stream_end_capture(captured, &graph),
                         flags[i] == 0 ? GRAPHCAP_ERROR_CAPTURE_INVALIDATED : GRAPHCAP_SUCCESS);
            CHECK_OK(gc_graph_destroy(graph));
            CHECK_OK(gc_stream_destroy(captured));
        }
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_stream_destroy(legacy));
}

/* Unlike the priority and the flags, which graphcap remembers, an attribute is asked of the driver. */
static void attributes_are_not_told_while_a_capture_is_broken(void) {
    const gc_stream_attribute policies = GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY;
    gc_stream *stream = stream_with(0, 0), *other = stream_with(0, 0);
    int32_t before = attribute_of(stream, policies).synchronization_policy;
    gc_stream_attribute_value value;
    gc_graph *graph = NULL;
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    memset(&value, 0xa5, sizeof value);
    CHECK_MESSAGE(gc_stream_get_attribute(stream, policies, &value), GRAPHCAP_ERROR_CAPTURE_INVALIDATED,
                  "gc_stream_synchronize");
    CHECK(value.bytes[0] == 0 && value.bytes[63] == 0);
    CHECK(flags_of(stream) == 0 && priority_of(stream) == 0);
    CHECK(attribute_of(other, policies).synchronization_policy == before);
    CHECK_STATUS(gc_stream_end_capture(stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(attribute_of(stream, policies).synchronization_policy == before);
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_stream_destroy(stream));
}

static void what_streams_do_not_have_is_refused(void) {
    gc_stream *stream = stream_with(0, 0), *foreign_stream;
    gc_context *other = open_context();
    gc_stream_attribute_value value;
    memset(&value, 0xa5, sizeof value);
    CHECK_STATUS(gc_stream_get_attribute(stream, 4242, &value), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(value.bytes[0] == 0 && value.bytes[63] == 0);
    CHECK_STATUS(gc_stream_set_attribute(stream, 4242, &value), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_MESSAGE(gc_stream_set_attribute(stream, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, NULL),
                  GRAPHCAP_ERROR_INVALID_VALUE, "value");
    foreign_stream = open_stream(other, 0);
    CHECK_MESSAGE(gc_stream_copy_attributes(stream, foreign_stream), GRAPHCAP_ERROR_INVALID_CONTEXT, "source");
    CHECK_OK(gc_stream_destroy(foreign_stream));
    CHECK_OK(gc_context_destroy(other));
    CHECK_OK(gc_stream_destroy(stream));
}

static void values_that_cannot_be_are_refused(void) {
    gc_stream *stream;
    gc_stream_attribute_value value;
    NOT_ON_CUDA("which values a driver takes is its own matter");
    stream = stream_with(0, 0);
    memset(&value, 0, sizeof value);
    value.synchronization_policy = 5;
    CHECK_MESSAGE(gc_stream_set_attribute(stream, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value),
                  GRAPHCAP_ERROR_INVALID_VALUE, "1 to 4");
    value.memory_sync_domain = 2;
    CHECK_MESSAGE(gc_stream_set_attribute(stream, GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN, &value),
                  GRAPHCAP_ERROR_INVALID_VALUE, "0 and 1");
    CHECK(attribute_of(stream, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY).synchronization_policy ==
          GRAPHCAP_SYNCHRONIZATION_POLICY_AUTO);
    CHECK_OK(gc_stream_destroy(stream));
}

static void wrapped_streams_tell_what_the_driver_knows(void) {
    gc_stream *stream, *wrapped = NULL, *late = NULL;
    gc_graph *graph = NULL;
    void *native = NULL;
    int32_t least = 0, greatest = 0;
    uint32_t flags = 99;
    NOT_ON_HOST("it has no native streams");
    CHECK_OK(gc_context_stream_priority_range(context, &least, &greatest));
    stream = stream_with(GRAPHCAP_STREAM_NON_BLOCKING, greatest);
    CHECK_OK(gc_stream_native(stream, &native));
    REQUIRE_OK(gc_stream_wrap(context, native, &wrapped));
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK(flags_of(wrapped) == GRAPHCAP_STREAM_NON_BLOCKING && priority_of(wrapped) == greatest);
    /* Of one that is captured when it is wrapped the flags are known when the capture is over. */
    REQUIRE_OK(gc_stream_wrap(context, native, &late));
    CHECK(priority_of(late) == greatest);
    CHECK_MESSAGE(gc_stream_flags(late, &flags), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "goes on");
    CHECK(flags == 0 && capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    CHECK(flags_of(late) == GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(late));
    CHECK_OK(gc_stream_destroy(wrapped));
    CHECK_OK(gc_stream_destroy(stream));
}

int main(void) {
    context = open_context();
    RUN(flags_are_remembered);
    RUN(priorities_are_cut_to_their_range);
    RUN(questions_harm_no_capture);
    RUN(attributes_are_what_they_were_set_to);
    RUN(a_priority_that_is_set_is_told);
    RUN(default_streams_have_the_priority_that_they_were_told);
    RUN(attributes_of_the_legacy_stream_are_closed_by_captures);
    RUN(attributes_are_not_told_while_a_capture_is_broken);
    RUN(what_streams_do_not_have_is_refused);
    RUN(values_that_cannot_be_are_refused);
    RUN(wrapped_streams_tell_what_the_driver_knows);
    CHECK_OK(gc_context_destroy(context));
    return check_finish();
}
