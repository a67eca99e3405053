/* Memory pools over malloc, pinned memory, copies and memsets. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* What memory of a context is. */
enum { PINNED, REGISTERED, PLAIN, MANAGED };

/* An allocation; sorted by their addresses. */
struct range {
    uint64_t address;
    size_t bytes;
    /* No other one ever had it. */
    uint64_t id;
    /* NULL for memory of a context: pinned memory of the host's, the caller's or not, memory of the device, managed memory. */
    struct pool *pool;
    struct context *context;
    int kind;
};

static struct range *ranges;
static uint64_t last_range_id, pointer_questions;
static size_t range_count, range_capacity, bytes_used;
static const size_t bytes_total = (size_t)1 << 30;
/* CU_DEVICE_ATTRIBUTE_MAX_PITCH */
static const size_t MOST_PITCH = 0x7fffffff;

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
    uint64_t start;
    size_t at = find_range(address), length;
    if (at == range_count || address - ranges[at].address > ranges[at].bytes)
        return 0;
    /* What is mapped side by side is one range to who uses it. */
    if (is_reserved(address, &start, &length))
        while (bytes > ranges[at].bytes - (size_t)(address - ranges[at].address)) {
            bytes -= ranges[at].bytes - (size_t)(address - ranges[at].address);
            address = ranges[at].address + ranges[at].bytes;
            if (++at == range_count || ranges[at].address != address)
                return 0;
        }
    return bytes <= ranges[at].bytes - (size_t)(address - ranges[at].address);
}

int take_bytes(size_t bytes) {
    if (bytes > bytes_total - bytes_used)
        return 0;
    bytes_used += bytes;
    return 1;
}

void give_bytes_back(size_t bytes) {
    bytes_used -= bytes;
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
    range.id = ++last_range_id;
    ranges[at] = range;
    range_count++;
    return 1;
}

static void remove_range(size_t at) {
    range_count--;
    memmove(&ranges[at], &ranges[at + 1], (range_count - at) * sizeof *ranges);
}

void range_begin(uint64_t address, size_t bytes) {
    struct range range;
    memset(&range, 0, sizeof range);
    range.address = address;
    range.bytes = bytes;
    range.kind = PLAIN;
    if (!add_range(range))
        abort();
}

void range_end(uint64_t address) {
    remove_range(find_range(address));
}

DRIVER int cuMemPoolCreate(struct pool **out, const void *properties) {
    enum { DEVICE_OF_LOCATION = 3 };
    int answer;
    ENTER(cuMemPoolCreate);
    pthread_mutex_lock(&model_lock);
    answer = may_be_unsafe();
    if (answer == OK) {
        *out = (struct pool *)object_new(sizeof **out, STAND_IN_POOLS);
        (*out)->device = ((const int *)properties)[DEVICE_OF_LOCATION];
    }
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

DRIVER int cuMemPoolSetAccess(struct pool *pool, const void *devices, size_t count) {
    (void)devices;
    (void)count;
    ENTER(cuMemPoolSetAccess);
    return use_pool(pool);
}

/* What was freed stays with the pool until it is trimmed, as graphcap asks of its pools. */
static void give_kept_back(struct pool *pool) {
    bytes_used -= pool->kept;
    pool->kept = 0;
}

DRIVER int cuMemPoolTrimTo(struct pool *pool, size_t bytes) {
    int answer;
    (void)bytes;
    ENTER(cuMemPoolTrimTo);
    answer = use_pool(pool);
    if (answer == OK) {
        pthread_mutex_lock(&model_lock);
        give_kept_back(pool);
        pthread_mutex_unlock(&model_lock);
    }
    return answer;
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
        give_kept_back(pool);
        if (pool->allocations == 0)
            object_end(&pool->head);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemAllocFromPoolAsync(uint64_t *out, size_t bytes, struct pool *pool, void *handle) {
    struct stream *stream;
    struct range range;
    size_t reused = 0;
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
    if (answer == OK)
        reused = bytes < pool->kept ? bytes : pool->kept;
    if (answer == OK && (bytes - reused > bytes_total - bytes_used || posix_memalign(&memory, 256, bytes) != 0))
        answer = OUT_OF_MEMORY;
    range.address = (uint64_t)(uintptr_t)memory;
    range.bytes = bytes;
    range.pool = pool;
    range.context = NULL;
    range.kind = PLAIN;
    if (answer == OK && !add_range(range)) {
        free(memory);
        answer = OUT_OF_MEMORY;
    }
    if (answer == OK) {
        bytes_used += bytes - reused;
        pool->kept -= reused;
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
    if (submitted == OK && is_graph_memory(address, 1)) {
        submitted = free_graph_memory(stream, address);
        answer = answer != OK ? answer : submitted;
        pthread_mutex_unlock(&model_lock);
        return answer;
    }
    /* What graphs do not allocate is not freed by a capture. */
    if (submitted == OK && stream->capture != NULL)
        submitted = INVALID_VALUE;
    if (submitted == OK)
        submitted = may_be_unsafe();
    if (submitted != OK) {
        answer = submitted;
    } else if (at == range_count || ranges[at].address != address || ranges[at].pool == NULL) {
        if (!was_graph_memory(address))
            note_violation("memory was freed that is none");
        answer = INVALID_VALUE;
    } else {
        struct pool *pool = ranges[at].pool;
        if (pool->is_destroyed)
            bytes_used -= ranges[at].bytes;
        else
            pool->kept += ranges[at].bytes;
        free((void *)(uintptr_t)address);
        remove_range(at);
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

static int device_of_range(const struct range *range) {
    return range->pool != NULL ? range->pool->device : range->context != NULL ? range->context->device : 0;
}

int is_memory_of(const struct context *context, uint64_t address) {
    const int is_device = is_device_memory(address, 1);
    const struct range *range = is_device ? &ranges[find_range(address)] : NULL;
    return context == NULL || !is_device || (range->pool == NULL && range->kind != PLAIN) ||
           device_of_range(range) == context->device;
}

DRIVER int cuPointerGetAttributes(unsigned count, unsigned *attributes, void **values, uint64_t address) {
    enum {
        MEMORY_TYPE = 2,
        BUFFER_ID = 7,
        IS_MANAGED = 8,
        DEVICE_ORDINAL = 9,
        RANGE_START = 11,
        RANGE_SIZE = 12,
        MAPPING_SIZE = 18,
        MAPPING_START = 19
    };
    static const uint64_t page = 4096;
    unsigned i;
    uint64_t reserved = 0;
    size_t at, reserved_bytes = 0;
    int answer = OK, known;
    ENTER(cuPointerGetAttributes);
    pthread_mutex_lock(&model_lock);
    pointer_questions++;
    at = find_range(address);
    known = is_device_memory(address, 1);
    is_reserved(address, &reserved, &reserved_bytes);
    for (i = 0; i < count && answer == OK; i++) {
        if (attributes[i] == BUFFER_ID)
            *(uint64_t *)values[i] = known ? ranges[at].id : 0;
        else if (attributes[i] == MEMORY_TYPE)
            *(unsigned *)values[i] = !known ? 0 : ranges[at].pool == NULL && ranges[at].kind <= REGISTERED ? 1 : 2;
        else if (attributes[i] == IS_MANAGED)
            *(unsigned *)values[i] = known && ranges[at].pool == NULL && ranges[at].kind == MANAGED;
        /* Of reserved addresses each mapping is told, and as the range all that were reserved. */
        else if (reserved != 0 && attributes[i] == RANGE_START)
            *(uint64_t *)values[i] = reserved;
        else if (reserved != 0 && attributes[i] == RANGE_SIZE)
            *(size_t *)values[i] = reserved_bytes;
        else if (reserved != 0 && known && attributes[i] == MAPPING_START)
            *(uint64_t *)values[i] = ranges[at].address;
        else if (reserved != 0 && known && attributes[i] == MAPPING_SIZE)
            *(uint64_t *)values[i] = ranges[at].bytes;
        else if (attributes[i] == DEVICE_ORDINAL)
            *(int *)values[i] = known ? device_of_range(&ranges[at]) : -2;
        /* Whole pages, which allocations share. */
        else if (attributes[i] == MAPPING_START)
            *(uint64_t *)values[i] = known ? ranges[at].address & ~(page - 1) : 0;
        else if (attributes[i] == MAPPING_SIZE)
            *(uint64_t *)values[i] = known ? (ranges[at].bytes + 2 * page) & ~(page - 1) : 0;
        else if (attributes[i] != RANGE_START && attributes[i] != RANGE_SIZE)
            answer = INVALID_VALUE;
        /* As the real ones do: of an address that is not known the others are left as they are. */
        else if (known && attributes[i] == RANGE_START)
            *(uint64_t *)values[i] = ranges[at].address;
        else if (known)
            *(size_t *)values[i] = ranges[at].bytes;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

uint64_t stand_in_pointer_questions(void) {
    uint64_t count;
    pthread_mutex_lock(&model_lock);
    count = pointer_questions;
    pthread_mutex_unlock(&model_lock);
    return count;
}

/* Enters `bytes` bytes at `memory` into the current context. */
static int pin(void *memory, size_t bytes, int kind) {
    struct range range;
    int answer = OK;
    range.address = (uint64_t)(uintptr_t)memory;
    range.bytes = bytes;
    range.pool = NULL;
    range.kind = kind;
    range.context = current_context(&answer);
    if (range.context == NULL)
        return answer;
    if (!add_range(range))
        return OUT_OF_MEMORY;
    count_live(STAND_IN_PINNED, 1);
    return OK;
}

static void unpin(size_t at) {
    if (ranges[at].kind != REGISTERED)
        free((void *)(uintptr_t)ranges[at].address);
    remove_range(at);
    count_live(STAND_IN_PINNED, -1);
}

void pinned_end(const struct context *context) {
    size_t at;
    for (at = range_count; at-- > 0;)
        if (ranges[at].pool == NULL && ranges[at].context == context)
            unpin(at);
}

DRIVER int cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
    enum { KNOWN_FLAGS = 7 };
    void *memory = NULL;
    int answer;
    ENTER(cuMemHostAlloc);
    pthread_mutex_lock(&model_lock);
    answer = may_be_unsafe();
    if (answer == OK && (bytes == 0 || (flags & ~(unsigned)KNOWN_FLAGS) != 0))
        answer = INVALID_VALUE;
    if (answer == OK && (bytes > bytes_total || posix_memalign(&memory, 4096, bytes) != 0))
        answer = OUT_OF_MEMORY;
    if (answer == OK && (answer = pin(memory, bytes, PINNED)) != OK)
        free(memory);
    if (answer == OK)
        *out = memory;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags) {
    enum { KNOWN_FLAGS = 3 };
    uint64_t address = (uint64_t)(uintptr_t)memory;
    size_t at;
    int answer;
    ENTER(cuMemHostRegister_v2);
    pthread_mutex_lock(&model_lock);
    answer = may_be_unsafe();
    if (answer == OK && (memory == NULL || bytes == 0 || (flags & ~(unsigned)KNOWN_FLAGS) != 0))
        answer = INVALID_VALUE;
    for (at = 0; answer == OK && at < range_count; at++)
        if (ranges[at].address < address + bytes && address < ranges[at].address + ranges[at].bytes)
            answer = ranges[at].kind == REGISTERED ? ALREADY_REGISTERED : INVALID_VALUE;
    if (answer == OK)
        answer = pin(memory, bytes, REGISTERED);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* The real ones wait for all work; here it has been executed. */
static int give_back(const char *function, uint64_t address, unsigned kinds) {
    size_t at;
    int answer = enter(function), may;
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    at = find_range(address);
    if ((may = may_be_unsafe()) != OK) {
        answer = may;
    } else if (at == range_count || ranges[at].address != address || ranges[at].pool != NULL ||
               (kinds >> ranges[at].kind & 1) == 0) {
        note_violation("memory was given back that was not made so");
        answer = kinds == 1 << REGISTERED ? NOT_REGISTERED : INVALID_VALUE;
    } else {
        unpin(at);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemFreeHost(void *memory) {
    return give_back("cuMemFreeHost", (uint64_t)(uintptr_t)memory, 1 << PINNED);
}

DRIVER int cuMemHostUnregister(void *memory) {
    return give_back("cuMemHostUnregister", (uint64_t)(uintptr_t)memory, 1 << REGISTERED);
}

static int allocate(uint64_t *out, size_t bytes, int kind) {
    void *memory = NULL;
    int answer;
    pthread_mutex_lock(&model_lock);
    answer = may_be_unsafe();
    if (answer == OK && bytes == 0)
        answer = INVALID_VALUE;
    if (answer == OK && (bytes > bytes_total || posix_memalign(&memory, 512, bytes) != 0))
        answer = OUT_OF_MEMORY;
    if (answer == OK && (answer = pin(memory, bytes, kind)) != OK)
        free(memory);
    if (answer == OK)
        *out = (uint64_t)(uintptr_t)memory;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuMemAlloc_v2(uint64_t *out, size_t bytes) {
    ENTER(cuMemAlloc_v2);
    return allocate(out, bytes, PLAIN);
}

DRIVER int cuMemAllocManaged(uint64_t *out, size_t bytes, unsigned flags) {
    enum { GLOBAL = 1, HOST = 2 };
    ENTER(cuMemAllocManaged);
    return flags == GLOBAL || flags == HOST ? allocate(out, bytes, MANAGED) : INVALID_VALUE;
}

DRIVER int cuMemFree_v2(uint64_t address) {
    return give_back("cuMemFree_v2", address, 1 << PLAIN | 1 << MANAGED);
}

DRIVER int cuStreamAttachMemAsync(void *handle, uint64_t address, size_t bytes, unsigned flags) {
    enum { GLOBAL = 1, HOST = 2, SINGLE = 4 };
    struct stream *stream;
    size_t at;
    int answer;
    ENTER(cuStreamAttachMemAsync);
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    if (stream != NULL && stream->capture != NULL) {
        invalidate(stream->capture);
        answer = CAPTURE_UNSUPPORTED;
    }
    at = find_range(address);
    if (flags == 0)
        note_violation("memory was to be attached to nobody, on which the driver crashes");
    if (answer == OK && (at == range_count || ranges[at].address != address || ranges[at].pool != NULL ||
                         ranges[at].kind != MANAGED || (bytes != 0 && bytes != ranges[at].bytes) ||
                         (flags != GLOBAL && flags != HOST && flags != SINGLE)))
        answer = INVALID_VALUE;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

int takes_values(uint64_t address, size_t bytes) {
    size_t at = find_range(address);
    return is_device_memory(address, bytes) && ranges[at].pool == NULL && ranges[at].kind != MANAGED;
}

DRIVER int cuMemHostGetDevicePointer_v2(uint64_t *out, void *memory, unsigned flags) {
    size_t at;
    int answer = OK;
    ENTER(cuMemHostGetDevicePointer_v2);
    pthread_mutex_lock(&model_lock);
    at = find_range((uint64_t)(uintptr_t)memory);
    if (flags != 0 || at == range_count || ranges[at].pool != NULL)
        answer = INVALID_VALUE;
    else
        *out = (uint64_t)(uintptr_t)memory;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* From the first byte of a region to the end of its last row. */
static size_t span(const struct copy *copy, size_t row, size_t slice) {
    return slice * (copy->depth - 1) + row * (copy->height - 1) + copy->bytes;
}

int is_copy_possible(const struct copy *copy) {
    return (!copy->to_device ||
            is_device_memory(copy->destination, span(copy, copy->destination_row, copy->destination_slice))) &&
           (!copy->from_device || is_device_memory(copy->source, span(copy, copy->source_row, copy->source_slice)));
}

/* What a node allocates need not be there yet. */
static int is_memory_of_node(uint64_t address, size_t bytes) {
    return is_device_memory(address, bytes) || is_graph_memory(address, bytes);
}

int is_copy_possible_in_node(const struct copy *copy) {
    return (!copy->to_device ||
            is_memory_of_node(copy->destination, span(copy, copy->destination_row, copy->destination_slice))) &&
           (!copy->from_device || is_memory_of_node(copy->source, span(copy, copy->source_row, copy->source_slice)));
}

int run_copy(const struct copy *copy) {
    size_t y, z;
    if (!is_copy_possible(copy))
        return LAUNCH_FAILED;
    for (z = 0; z < copy->depth; z++)
        for (y = 0; y < copy->height; y++)
            memmove((char *)(uintptr_t)copy->destination + z * copy->destination_slice + y * copy->destination_row,
                    (const char *)(uintptr_t)copy->source + z * copy->source_slice + y * copy->source_row, copy->bytes);
    return OK;
}

static void fill_row(uint64_t address, unsigned value, unsigned element_size, size_t count) {
    size_t i;
    if (element_size == 1)
        memset((void *)(uintptr_t)address, (int)value, count);
    for (i = 0; element_size == 2 && i < count; i++)
        ((uint16_t *)(uintptr_t)address)[i] = (uint16_t)value;
    for (i = 0; element_size == 4 && i < count; i++)
        ((uint32_t *)(uintptr_t)address)[i] = value;
}

int run_fill(const struct fill *fill) {
    size_t row;
    if (!is_device_memory(fill->address, (fill->rows - 1) * fill->pitch + fill->count * fill->element_size))
        return LAUNCH_FAILED;
    for (row = 0; row < fill->rows; row++)
        fill_row(fill->address + row * fill->pitch, fill->value, fill->element_size, fill->count);
    return OK;
}

/* A copy of a pool's memory that is recorded or set on a thread without a context has none: behind an update of it a launch crashes. */
void check_copy_context(void) {
    int answer = OK;
    if (current_context(&answer) == NULL)
        note_violation("a copy was recorded or set without a current context: the driver crashes after an update of it");
}

/* Copies, or records a copy. A bad address is an error of the call, also while recording. */
static int submit_copy(struct copy copy, void *handle) {
    struct stream *stream;
    struct node *node;
    int answer;
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    if (answer == OK && !is_copy_possible(&copy))
        answer = INVALID_VALUE;
    if (answer == OK && stream->capture != NULL) {
        check_copy_context();
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

static struct copy one_row(uint64_t destination, uint64_t source, size_t bytes, int to_device, int from_device) {
    struct copy copy;
    memset(&copy, 0, sizeof copy);
    copy.destination = destination;
    copy.source = source;
    copy.bytes = bytes;
    copy.height = copy.depth = 1;
    copy.to_device = to_device;
    copy.from_device = from_device;
    return copy;
}

struct copy copy_by_addresses(uint64_t destination, uint64_t source, size_t bytes) {
    return one_row(destination, source, bytes, is_device_memory(destination, 1), is_device_memory(source, 1));
}

DRIVER int cuMemcpyHtoDAsync_v2(uint64_t destination, const void *source, size_t bytes, void *stream) {
    struct copy copy = one_row(destination, (uint64_t)(uintptr_t)source, bytes, 1, 0);
    ENTER(cuMemcpyHtoDAsync_v2);
    return submit_copy(copy, stream);
}

DRIVER int cuMemcpyDtoHAsync_v2(void *destination, uint64_t source, size_t bytes, void *stream) {
    struct copy copy = one_row((uint64_t)(uintptr_t)destination, source, bytes, 0, 1);
    ENTER(cuMemcpyDtoHAsync_v2);
    return submit_copy(copy, stream);
}

DRIVER int cuMemcpyDtoDAsync_v2(uint64_t destination, uint64_t source, size_t bytes, void *stream) {
    struct copy copy = one_row(destination, source, bytes, 1, 1);
    ENTER(cuMemcpyDtoDAsync_v2);
    return submit_copy(copy, stream);
}

DRIVER int cuMemcpyAsync(uint64_t destination, uint64_t source, size_t bytes, void *stream) {
    struct copy copy;
    int answer = OK;
    ENTER(cuMemcpyAsync);
    pthread_mutex_lock(&model_lock);
    if (current_context(&answer) == NULL)
        note_violation("a copy by addresses alone without a current context, in which the driver crashes");
    copy = copy_by_addresses(destination, source, bytes);
    pthread_mutex_unlock(&model_lock);
    return submit_copy(copy, stream);
}

int read_copy(const struct copy_parameters *parameters, struct copy *copy) {
    *copy = one_row(0, 0, parameters->width, parameters->destination.memory_type == DEVICE_MEMORY,
                    parameters->source.memory_type == DEVICE_MEMORY);
    copy->destination =
        copy->to_device ? parameters->destination.device : (uint64_t)(uintptr_t)parameters->destination.host;
    copy->source = copy->from_device ? parameters->source.device : (uint64_t)(uintptr_t)parameters->source.host;
    copy->height = parameters->height;
    copy->depth = parameters->depth;
    copy->destination_row = parameters->destination.pitch;
    copy->source_row = parameters->source.pitch;
    copy->destination_slice = parameters->destination.pitch * parameters->destination.height;
    copy->source_slice = parameters->source.pitch * parameters->source.height;
    if (copy->bytes == 0 || copy->height == 0 || copy->depth == 0)
        return 0;
    /* Of one row steps say nothing. */
    return (copy->height == 1 && copy->depth == 1) ||
           (copy->destination_row >= copy->bytes && copy->source_row >= copy->bytes &&
            copy->destination_row <= MOST_PITCH && copy->source_row <= MOST_PITCH &&
            parameters->destination.height >= copy->height && parameters->source.height >= copy->height);
}

DRIVER int cuMemcpy3DAsync_v2(const struct copy_parameters *parameters, void *stream) {
    struct copy copy;
    ENTER(cuMemcpy3DAsync_v2);
    return read_copy(parameters, &copy) ? submit_copy(copy, stream) : INVALID_VALUE;
}

/* Fills, or records a memset. Only a replay notices a bad address that was recorded. */
static int submit_rows(struct fill fill, void *handle) {
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

static int submit_fill(uint64_t address, unsigned value, unsigned element_size, size_t count, void *handle) {
    struct fill fill = {address, value, element_size, count, 1, 0};
    return submit_rows(fill, handle);
}

static int submit_fill_2d(uint64_t address, size_t pitch, unsigned value, unsigned element_size, size_t width,
                          size_t height, void *handle) {
    struct fill fill = {address, value, element_size, width, height, pitch};
    if (height == 0 || pitch < width * element_size || pitch % element_size != 0 || pitch > MOST_PITCH)
        return INVALID_VALUE;
    return submit_rows(fill, handle);
}

DRIVER int cuMemsetD2D8Async(uint64_t address, size_t pitch, unsigned char value, size_t width, size_t height,
                             void *stream) {
    ENTER(cuMemsetD2D8Async);
    return submit_fill_2d(address, pitch, value, 1, width, height, stream);
}

DRIVER int cuMemsetD2D16Async(uint64_t address, size_t pitch, unsigned short value, size_t width, size_t height,
                              void *stream) {
    ENTER(cuMemsetD2D16Async);
    return submit_fill_2d(address, pitch, value, 2, width, height, stream);
}

DRIVER int cuMemsetD2D32Async(uint64_t address, size_t pitch, unsigned value, size_t width, size_t height,
                              void *stream) {
    ENTER(cuMemsetD2D32Async);
    return submit_fill_2d(address, pitch, value, 4, width, height, stream);
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
