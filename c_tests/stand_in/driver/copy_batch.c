/* Copies that a stream is given together, by the rules that driver 580 was seen to follow. */
#include "model.h"

#if STAND_IN_DRIVER_VERSION >= 12080

/* CUmemcpyAttributes */
struct copy_attributes {
    unsigned source_order;
    int source_place[2], destination_place[2];
    unsigned flags;
};

enum { IN_STREAM_ORDER = 1, IN_ANY_ORDER = 3 };

/* The legacy stream is refused; on a stream in a capture all are, and the capture goes on. Copies before one that is wrong run. */
static int run_batch(const uint64_t *destinations, const uint64_t *sources, const size_t *sizes, size_t count,
                     const struct copy_attributes *attributes, const size_t *firsts, size_t attribute_count,
                     size_t *failed, void *handle) {
    struct stream *stream;
    int answer = OK;
    size_t i;
    *failed = SIZE_MAX;
    if ((uintptr_t)handle <= 1 || count == 0 || current_context(&answer) == NULL || attribute_count != 1 || firsts[0] != 0 ||
        attributes->source_order < IN_STREAM_ORDER || attributes->source_order > IN_ANY_ORDER || attributes->flags != 0)
        return INVALID_VALUE;
    answer = submit_to(handle, &stream);
    if (answer == OK && stream->capture != NULL)
        answer = CAPTURE_UNSUPPORTED;
    for (i = 0; i < count && answer == OK; i++) {
        struct copy copy = copy_by_addresses(destinations[i], sources[i], sizes[i]);
        if (sizes[i] == 0 || destinations[i] == 0 || sources[i] == 0 || run_copy(&copy) != OK) {
            answer = INVALID_VALUE;
            *failed = i;
        }
    }
    return answer;
}

DRIVER int cuMemcpyBatchAsync(uint64_t *destinations, uint64_t *sources, size_t *sizes, size_t count,
                              struct copy_attributes *attributes, size_t *firsts, size_t attribute_count, size_t *failed,
                              void *stream) {
    int answer;
    ENTER(cuMemcpyBatchAsync);
    pthread_mutex_lock(&model_lock);
    answer = run_batch(destinations, sources, sizes, count, attributes, firsts, attribute_count, failed, stream);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

#if STAND_IN_DRIVER_VERSION >= 13000
DRIVER int cuMemcpyBatchAsync_v2(uint64_t *destinations, uint64_t *sources, size_t *sizes, size_t count,
                                 struct copy_attributes *attributes, size_t *firsts, size_t attribute_count, void *stream) {
    size_t failed;
    int answer;
    ENTER(cuMemcpyBatchAsync_v2);
    pthread_mutex_lock(&model_lock);
    answer = run_batch(destinations, sources, sizes, count, attributes, firsts, attribute_count, &failed, stream);
    pthread_mutex_unlock(&model_lock);
    return answer;
}
#endif

#endif
