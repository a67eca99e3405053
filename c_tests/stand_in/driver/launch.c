/* Launches with attributes, the attributes of functions, and how many blocks run at once. */

#include "model.h"

#include <string.h>

/* CUlaunchAttribute and CUlaunchConfig. */
struct launch_attribute {
    unsigned id, padding;
    union {
        unsigned char bytes[64];
        int number;
        unsigned dimensions[3];
        struct {
            struct event *event;
            int flags, trigger_at_block_start;
        } event;
    } value;
};

struct launch_config {
    unsigned grid[3], block[3], shared_bytes;
    void *stream;
    const struct launch_attribute *attributes;
    unsigned attribute_count;
};

enum {
    IGNORED = 0,
    SYNCHRONIZATION_POLICY = 3,
    PROGRAMMATIC_SERIALIZATION = 6,
    PROGRAMMATIC_EVENT = 7,
    PREFERRED_CLUSTER = 11,
    COMPLETION_EVENT = 12,
    MOST_ATTRIBUTES = 14
};
enum { MULTIPROCESSORS = 132, MOST_THREADS = 2048, MOST_BLOCKS = 32, SHARED_BYTES = 233472, SHARED_OF_SYSTEM = 1024 };
enum { COOPERATIVE_LAUNCH_TOO_LARGE = 720, INVALID_CLUSTER_SIZE = 912, MOST_IN_A_CLUSTER = 8 };

static unsigned active_blocks(unsigned threads, size_t shared) {
    unsigned blocks = MOST_THREADS / ((threads + 31) / 32 * 32);
    if (threads > 1024 || shared > SHARED_BYTES - SHARED_OF_SYSTEM)
        return 0;
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    if (blocks > SHARED_BYTES / (shared + SHARED_OF_SYSTEM))
        blocks = (unsigned)(SHARED_BYTES / (shared + SHARED_OF_SYSTEM));
    return blocks;
}

static unsigned all_active_blocks(const struct launch_config *config) {
    unsigned threads = config->block[0] * config->block[1] * config->block[2];
    return threads == 0 ? 0 : active_blocks(threads, config->shared_bytes) * MULTIPROCESSORS;
}

static int check_attribute(const struct launch_config *config, const struct launch_attribute *attribute) {
    const unsigned *cluster = attribute->value.dimensions;
    uint64_t blocks = (uint64_t)config->grid[0] * config->grid[1] * config->grid[2];
    if (attribute->id > MOST_ATTRIBUTES || attribute->id == SYNCHRONIZATION_POLICY)
        return INVALID_VALUE;
    if (attribute->id == COOPERATIVE_ATTRIBUTE && attribute->value.number != 0 && blocks > all_active_blocks(config))
        return COOPERATIVE_LAUNCH_TOO_LARGE;
    if (attribute->id == CLUSTER_ATTRIBUTE && cluster[0] != 0 &&
        (cluster[0] > MOST_IN_A_CLUSTER || config->grid[0] % cluster[0] != 0))
        return INVALID_CLUSTER_SIZE;
    return OK;
}

/* Whether a node of such a launch has the attribute. */
static int is_of_nodes(unsigned id) {
    return id != IGNORED && id != PROGRAMMATIC_SERIALIZATION && id != PROGRAMMATIC_EVENT && id != PREFERRED_CLUSTER &&
           id != COMPLETION_EVENT;
}

/* The next node of a stream, a kernel, may begin before the one before it is over. */
static void serialize_programmatically(struct stream *stream) {
    carry_no_more(&stream->carried, NULL, NULL);
    if (stream->capture != NULL && stream->frontier.count == 1 && stream->frontier.nodes[0]->kind == NODE_KERNEL)
        carry(&stream->carried, stream->frontier.nodes[0], NULL, edge_data(1, 1));
}

/* Records the event of an attribute. In a capture it is a place within the kernel. */
static int record_of_launch(const struct launch_attribute *attribute, void *handle) {
    struct event *event = attribute->value.event.event;
    const int answer = record_with(event, handle, 0);
    const uint64_t data = attribute->id == COMPLETION_EVENT ? edge_data(2, 0)
                                                            : edge_data(attribute->value.event.trigger_at_block_start ? 2 : 1, 1);
    pthread_mutex_lock(&model_lock);
    if (answer == OK && event->state == RECORDED_IN_CAPTURE)
        carry(&event->carried, event->frontier.nodes[0], NULL, data);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuLaunchKernelEx(const struct launch_config *config, struct function *function, void **parameters, void **extra) {
    struct launch launch = {function, {0}, {0}, config->shared_bytes, NULL, {NULL}};
    struct stream *stream;
    unsigned i;
    int answer = OK;
    ENTER(cuLaunchKernelEx);
    memcpy(launch.grid, config->grid, sizeof launch.grid);
    memcpy(launch.block, config->block, sizeof launch.block);
    if (config->attribute_count > 0 && config->attributes == NULL)
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    stream = find_stream(config->stream, &answer);
    for (i = 0; answer == OK && i < config->attribute_count; i++)
        answer = check_attribute(config, &config->attributes[i]);
    for (i = 0; answer == OK && i < config->attribute_count; i++)
        if (config->attributes[i].id == PROGRAMMATIC_SERIALIZATION && config->attributes[i].value.number != 0)
            serialize_programmatically(stream);
    pthread_mutex_unlock(&model_lock);
    if (answer == OK)
        answer = submit_launch(launch, config->stream, parameters, extra);
    if (answer != OK && stream != NULL)
        carry_no_more(&stream->carried, NULL, NULL);
    for (i = 0; answer == OK && i < config->attribute_count; i++) {
        const struct launch_attribute *attribute = &config->attributes[i];
        unsigned char value[64];
        if (attribute->id == PROGRAMMATIC_EVENT || attribute->id == COMPLETION_EVENT)
            answer = record_of_launch(attribute, config->stream);
        pthread_mutex_lock(&model_lock);
        if (is_of_nodes(attribute->id) && stream->capture != NULL && stream->frontier.count == 1)
            answer = node_set_attribute(stream->frontier.nodes[0], attribute->id, memcpy(value, attribute->value.bytes, 64));
        pthread_mutex_unlock(&model_lock);
    }
    return answer;
}

enum { MOST_SHARED = 8, CARVEOUT = 9, MUST_BE_SET = 10, WIDTH = 11, DEPTH = 13, NON_PORTABLE = 14, SCHEDULING = 15 };

DRIVER int cuFuncSetAttribute(struct function *function, int attribute, int value) {
    ENTER(cuFuncSetAttribute);
    if (!object_is(function, FUNCTIONS))
        return INVALID_HANDLE;
    if (attribute < 0 || attribute > SCHEDULING)
        note_violation("an attribute of a kernel was set that there is not: the driver crashes");
    if (attribute == MOST_SHARED && value >= 0 && value <= 227 * 1024)
        function->most_shared = (unsigned)value;
    else if (attribute == CARVEOUT && value >= -1 && value <= 100)
        function->attributes[CARVEOUT] = value + 1;
    else if ((attribute >= WIDTH && attribute <= DEPTH && value >= 0) ||
             (attribute == NON_PORTABLE && (value == 0 || value == 1)) || (attribute == SCHEDULING && value >= 0 && value <= 2))
        function->attributes[attribute] = value;
    else
        return INVALID_VALUE;
    return OK;
}

DRIVER int cuFuncGetAttribute(int *value, int attribute, struct function *function) {
    /* From 1 on: static shared, constant and local memory; registers; versions of PTX and binary; caching. */
    static const int fixed[] = {0, 0, 0, 0, 16, 75, 90, 0};
    ENTER(cuFuncGetAttribute);
    if (!object_is(function, FUNCTIONS))
        return INVALID_HANDLE;
    if (attribute < 0 || attribute > SCHEDULING)
        return INVALID_VALUE;
    if (attribute == 0)
        *value = (int)function->most_threads;
    else if (attribute < MOST_SHARED)
        *value = fixed[attribute];
    else if (attribute == MOST_SHARED)
        *value = (int)function->most_shared;
    else
        *value = function->attributes[attribute] - (attribute == CARVEOUT);
    return OK;
}

DRIVER int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, struct function *function, int threads, size_t shared) {
    ENTER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
    if (!object_is(function, FUNCTIONS))
        return INVALID_HANDLE;
    if (threads <= 0)
        return INVALID_VALUE;
    *blocks = shared > function->most_shared ? 0 : (int)active_blocks((unsigned)threads, shared);
    return OK;
}

DRIVER int cuOccupancyMaxPotentialBlockSize(int *blocks, int *threads, struct function *function, size_t (*shared_of)(int),
                                            size_t shared, int most) {
    int tried = most <= 0 || most > 1024 ? 1024 : most;
    unsigned best = 0;
    ENTER(cuOccupancyMaxPotentialBlockSize);
    if (!object_is(function, FUNCTIONS))
        return INVALID_HANDLE;
    *blocks = *threads = 0;
    for (; tried > 0; tried = (tried - 1) / 32 * 32) {
        unsigned active = active_blocks((unsigned)tried, shared_of == NULL ? shared : shared_of(tried));
        if (active * (unsigned)tried > best) {
            best = active * (unsigned)tried;
            *threads = tried;
            *blocks = (int)active * MULTIPROCESSORS;
        }
    }
    return OK;
}

DRIVER int cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, struct function *function, int blocks, int threads) {
    ENTER(cuOccupancyAvailableDynamicSMemPerBlock);
    if (!object_is(function, FUNCTIONS))
        return INVALID_HANDLE;
    if (blocks <= 0 || threads <= 0 || (unsigned)blocks > active_blocks((unsigned)threads, 0))
        return INVALID_VALUE;
    *bytes = (size_t)(SHARED_BYTES / blocks / 128 * 128 - SHARED_OF_SYSTEM);
    return OK;
}

static unsigned cluster_of(const struct launch_config *config) {
    unsigned i;
    for (i = 0; i < config->attribute_count; i++)
        if (config->attributes[i].id == CLUSTER_ATTRIBUTE)
            return config->attributes[i].value.dimensions[0];
    return 0;
}

DRIVER int cuOccupancyMaxActiveClusters(int *clusters, struct function *function, const struct launch_config *config) {
    ENTER(cuOccupancyMaxActiveClusters);
    if (!object_is(function, FUNCTIONS))
        return INVALID_HANDLE;
    if (cluster_of(config) == 0 || cluster_of(config) > MOST_IN_A_CLUSTER)
        return INVALID_CLUSTER_SIZE;
    *clusters = (int)(all_active_blocks(config) / cluster_of(config));
    return OK;
}

DRIVER int cuOccupancyMaxPotentialClusterSize(int *blocks, struct function *function, const struct launch_config *config) {
    ENTER(cuOccupancyMaxPotentialClusterSize);
    if (!object_is(function, FUNCTIONS))
        return INVALID_HANDLE;
    *blocks = all_active_blocks(config) == 0 ? 0 : function->attributes[NON_PORTABLE] ? 16 : MOST_IN_A_CLUSTER;
    return OK;
}
