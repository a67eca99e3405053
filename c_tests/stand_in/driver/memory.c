/* Memory pools over malloc, copies and memsets. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* An allocation; sorted by their addresses. */
struct range {
    uint64_t address;
    size_t bytes;
    struct pool *pool;
};

static struct range *ranges;
static size_t range_count, range_capacity, bytes_used;
static const size_t bytes_total = (size_t)1 << 30;

/* The last range that begins at or before an address; range_count when there is none. */
static size_t find_range(uint64_t address) {
    size_t low = 0, high = range_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ranges[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? low - 1 : range_count;
}

int is_device_memory(uint64_t address, size_t bytes) {
    size_t at = find_range(address);
    return at < range_count && address - ranges[at].address <= ranges[at].bytes &&
           bytes <= ranges[at].bytes - (size_t)(address - ranges[at].address);
}

static int add_range(struct range range) {
    size_t at = find_range(range.address);
    at = at == range_count ? 0 : at + 1;
    if (range_count == range_capacity) {
        size_t wanted = range_capacity == 0 ? 16 : 2 * range_capacity;
        struct range *grown = (struct range *)realloc(ranges, wanted * sizeof *grown);
        if (grown == NULL)
            return 0;
        ranges = grown;
        range_capacity = wanted;
    }
    memmove(&ranges[at + 1], &ranges[at], (range_count - at) * sizeof *ranges);
    ranges[at] = range;
    range_count++;
    return 1;
}

DRIVER int cuMemPoolCreate(struct pool **out, const void *properties) {
    int answer;
    (void)properties;
    ENTER(cuMemPoolCreate);
    pthread_mutex_lock(&model_lock);
    answer = may_be_unsafe();
    if (answer == OK)
        *out = (struct pool *)object_new(sizeof **out, STAND_IN_POOLS);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* A call with a pool that changes nothing here. */
static int use_pool(struct pool *pool) {
    int answer;
    pthread_mutex_lock(&model_lock);
    answer = object_is(pool, STAND_IN_POOLS) ? may_be_unsafe() : INVALID_HANDLE;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemPoolSetAttribute(struct pool *pool, unsigned attribute, void *value) {
    (void)attribute;
    (void)value;
    ENTER(cuMemPoolSetAttribute);
    return use_pool(pool);
}

DRIVER int cuMemPoolTrimTo(struct pool *pool, size_t bytes) {
    (void)bytes;
    ENTER(cuMemPoolTrimTo);
    return use_pool(pool);
}

DRIVER int cuMemPoolDestroy(struct pool *pool) {
    int answer = enter("cuMemPoolDestroy");
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    if (!object_is(pool, STAND_IN_POOLS) || pool->is_destroyed) {
        answer = INVALID_HANDLE;
    } else if (answer != OK || (answer = may_be_unsafe()) == OK) {
        pool->is_destroyed = 1;
        if (pool->allocations == 0)
            object_end(&pool->head);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemAllocFromPoolAsync(uint64_t *out, size_t bytes, struct pool *pool, void *handle) {
    struct stream *stream;
    struct range range;
    void *memory = NULL;
    int answer;
    ENTER(cuMemAllocFromPoolAsync);
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    if (answer == OK && current_context(&answer) != NULL && !object_is(pool, STAND_IN_POOLS))
        answer = INVALID_HANDLE;
    if (answer == OK && stream->capture != NULL)
        answer = NOT_SUPPORTED;
    if (answer == OK)
        answer = may_be_unsafe();
    if (answer == OK && bytes == 0)
        answer = INVALID_VALUE;
    if (answer == OK && (bytes > bytes_total - bytes_used || posix_memalign(&memory, 256, bytes) != 0))
        answer = OUT_OF_MEMORY;
    range.address = (uint64_t)(uintptr_t)memory;
    range.bytes = bytes;
    range.pool = pool;
    if (answer == OK && !add_range(range)) {
        free(memory);
        answer = OUT_OF_MEMORY;
    }
    if (answer == OK) {
        bytes_used += bytes;
        pool->allocations++;
        count_live(STAND_IN_ALLOCATIONS, 1);
        *out = range.address;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemFreeAsync(uint64_t address, void *handle) {
    struct stream *stream;
    size_t at;
    int answer = enter("cuMemFreeAsync"), submitted;
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    submitted = submit_to(handle, &stream);
    at = find_range(address);
    if (submitted == OK && stream->capture != NULL)
        submitted = NOT_SUPPORTED;
    if (submitted == OK)
        submitted = may_be_unsafe();
    if (submitted != OK) {
        answer = submitted;
    } else if (at == range_count || ranges[at].address != address) {
        note_violation("memory was freed that is none");
        answer = INVALID_VALUE;
    } else {
        struct pool *pool = ranges[at].pool;
        bytes_used -= ranges[at].bytes;
        free((void *)(uintptr_t)address);
        range_count--;
        memmove(&ranges[at], &ranges[at + 1], (range_count - at) * sizeof *ranges);
        count_live(STAND_IN_ALLOCATIONS, -1);
        if (--pool->allocations == 0 && pool->is_destroyed)
            object_end(&pool->head);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
    int answer = OK;
    ENTER(cuMemGetInfo_v2);
    pthread_mutex_lock(&model_lock);
    if (current_context(&answer) != NULL) {
        *free_bytes = bytes_total - bytes_used;
        *total_bytes = bytes_total;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuPointerGetAttributes(unsigned count, unsigned *attributes, void **values, uint64_t address) {
    enum { RANGE_START = 11, RANGE_SIZE = 12 };
    unsigned i;
    size_t at;
    int answer = OK, known;
    ENTER(cuPointerGetAttributes);
    pthread_mutex_lock(&model_lock);
    at = find_range(address);
    known = is_device_memory(address, 1);
    for (i = 0; i < count && answer == OK; i++) {
        if (attributes[i] == RANGE_START)
            *(uint64_t *)values[i] = known ? ranges[at].address : 0;
        else if (attributes[i] == RANGE_SIZE)
            *(size_t *)values[i] = known ? ranges[at].bytes : 0;
        else
            answer = INVALID_VALUE;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

int run_copy(const struct copy *copy) {
    if ((copy->to_device && !is_device_memory(copy->destination, copy->bytes)) ||
        (copy->from_device && !is_device_memory(copy->source, copy->bytes)))
        return LAUNCH_FAILED;
    memmove((void *)(uintptr_t)copy->destination, (const void *)(uintptr_t)copy->source, copy->bytes);
    return OK;
}

int run_fill(const struct fill *fill) {
    size_t i;
    if (!is_device_memory(fill->address, fill->count * fill->element_size))
        return LAUNCH_FAILED;
    if (fill->element_size == 1)
        memset((void *)(uintptr_t)fill->address, (int)fill->value, fill->count);
    for (i = 0; fill->element_size == 2 && i < fill->count; i++)
        ((uint16_t *)(uintptr_t)fill->address)[i] = (uint16_t)fill->value;
    for (i = 0; fill->element_size == 4 && i < fill->count; i++)
        ((uint32_t *)(uintptr_t)fill->address)[i] = fill->value;
    return OK;
}

/* Copies, or records a copy. A bad address is an error of the call, also while recording. */
static int submit_copy(struct copy copy, void *handle) {
    struct stream *stream;
    struct node *node;
    int answer;
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    if (answer == OK && ((copy.to_device && !is_device_memory(copy.destination, copy.bytes)) ||
                         (copy.from_device && !is_device_memory(copy.source, copy.bytes))))
        answer = INVALID_VALUE;
    if (answer == OK && stream->capture != NULL) {
        node = node_new(NODE_MEMCPY, 0);
        if (node != NULL)
            node->work.copy = copy;
        answer = record(stream, node);
    } else if (answer == OK) {
        run_copy(&copy);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemcpyHtoDAsync_v2(uint64_t destination, const void *source, size_t bytes, void *stream) {
    struct copy copy = {destination, (uint64_t)(uintptr_t)source, bytes, 1, 0};
    ENTER(cuMemcpyHtoDAsync_v2);
    return submit_copy(copy, stream);
}

DRIVER int cuMemcpyDtoHAsync_v2(void *destination, uint64_t source, size_t bytes, void *stream) {
    struct copy copy = {(uint64_t)(uintptr_t)destination, source, bytes, 0, 1};
    ENTER(cuMemcpyDtoHAsync_v2);
    return submit_copy(copy, stream);
}

DRIVER int cuMemcpyDtoDAsync_v2(uint64_t destination, uint64_t source, size_t bytes, void *stream) {
    struct copy copy = {destination, source, bytes, 1, 1};
    ENTER(cuMemcpyDtoDAsync_v2);
    return submit_copy(copy, stream);
}

/* Fills, or records a memset. Only a replay notices a bad address that was recorded. */
static int submit_fill(uint64_t address, unsigned value, unsigned element_size, size_t count, void *handle) {
    struct fill fill = {address, value, element_size, count};
    struct stream *stream;
    struct node *node;
    int answer;
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    if (answer == OK && stream->capture != NULL) {
        node = node_new(NODE_MEMSET, 0);
        if (node != NULL)
            node->work.fill = fill;
        answer = record(stream, node);
    } else if (answer == OK && run_fill(&fill) != OK) {
        answer = INVALID_VALUE;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemsetD8Async(uint64_t address, unsigned char value, size_t count, void *stream) {
    ENTER(cuMemsetD8Async);
    return submit_fill(address, value, 1, count, stream);
}

DRIVER int cuMemsetD16Async(uint64_t address, unsigned short value, size_t count, void *stream) {
    ENTER(cuMemsetD16Async);
    return submit_fill(address, value, 2, count, stream);
}

DRIVER int cuMemsetD32Async(uint64_t address, unsigned value, size_t count, void *stream) {
    ENTER(cuMemsetD32Async);
    return submit_fill(address, value, 4, count, stream);
}
