/* Stands in for CUPTI: it tells of the launches of graphs on the stand-in driver, by records that lie as those of CUPTI 13.0 do.
 *
 * The environment says, when it is asked:
 *   STAND_IN_CUPTI_VERSION  what cuptiGetVersion tells
 *   STAND_IN_CUPTI_TAKEN    set: another tool is subscribed
 *   STAND_IN_CUPTI_PEERS    set: copies are told as those that device 1 makes from another one */
#include "driver.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SUBSCRIBED = 39, INVALID = 1, NO_MORE = 12, LONGEST = 216, EXEC = 7 };
enum { KIND_MEMCPY = 1, KIND_MEMSET = 2, KIND_KERNEL = 10, KIND_PEER_COPY = 22 };

/* Where a record of a kind has what is told of it. */
struct layout {
    int kind;
    size_t bytes, device, stream, number, node, exec;
};

static const struct layout layouts[] = {{KIND_KERNEL, LONGEST, 40, 48, 92, 144, 156},
                                        {KIND_MEMCPY, 96, 32, 40, 44, 64, 72},
                                        {KIND_MEMSET, 88, 32, 40, 44, 64, 72},
                                        {KIND_PEER_COPY, 96, 32, 40, 60, 72, 80}};

typedef void (*api_callback)(void *data, int domain, unsigned function, const void *call);

static api_callback on_api;
static void (*request)(unsigned char **buffer, size_t *size, size_t *records);
static void (*completed)(void *context, unsigned stream, unsigned char *buffer, size_t size, size_t bytes);
static uint64_t (*now)(void);
static int are_enabled[64], are_calls_told;
static unsigned launches;
/* The buffer that is filled, and its lock, under which nothing of graphcap's is called but its clock. */
static unsigned char *filling;
static size_t room, filled;
static pthread_mutex_t fill_lock = PTHREAD_MUTEX_INITIALIZER;

struct api_call {
    unsigned site;
    const void *told[5];
    unsigned context;
    void *data;
    unsigned number;
};

static void give_back(void) {
    unsigned char *full;
    size_t size, bytes;
    pthread_mutex_lock(&fill_lock);
    full = filling;
    size = room;
    bytes = filled;
    filling = NULL;
    pthread_mutex_unlock(&fill_lock);
    if (full != NULL)
        completed(NULL, 0, full, size, bytes);
}

/* Takes the lock where the buffer has room for so many bytes. */
static void lock_with_room(size_t bytes) {
    pthread_mutex_lock(&fill_lock);
    while (filling == NULL || filled + bytes > room) {
        unsigned char *made = NULL;
        size_t size = 0, most = 0;
        pthread_mutex_unlock(&fill_lock);
        give_back();
        request(&made, &size, &most);
        pthread_mutex_lock(&fill_lock);
        if (filling == NULL) {
            filling = made;
            room = size;
            filled = 0;
        } else {
            pthread_mutex_unlock(&fill_lock);
            completed(NULL, 0, made, size, 0);
            pthread_mutex_lock(&fill_lock);
        }
    }
}

static void put_word(size_t at, uint64_t value, size_t bytes) { memcpy(filling + filled + at, &value, bytes); }

static void begins(void) {
    struct api_call call;
    /* Another thread may end the subscription meanwhile. */
    const api_callback tell = are_calls_told ? on_api : NULL;
    memset(&call, 0, sizeof call);
    call.number = ++launches;
    if (tell != NULL)
        tell(NULL, 1, 514, &call);
    call.site = 1;
    if (tell != NULL)
        tell(NULL, 1, 514, &call);
}

/* A name that stays when the kernel is gone, as CUPTI's do. */
static const char *kept_name(const char *name) {
    static char *names[64];
    size_t i, bytes = strlen(name) + 1;
    for (i = 0; i < sizeof names / sizeof names[0] && names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return names[i];
    if (i == sizeof names / sizeof names[0])
        abort();
    names[i] = (char *)malloc(bytes);
    memcpy(names[i], name, bytes);
    return names[i];
}

static void ran(unsigned node, unsigned kind, const char *kernel) {
    const int is_of_peers = kind == 1 && getenv("STAND_IN_CUPTI_PEERS") != NULL;
    const struct layout *layout = &layouts[is_of_peers ? 3 : kind];
    uint64_t begin;
    if (!are_enabled[layout->kind])
        return;
    lock_with_room(layout->bytes);
    begin = now();
    memset(filling + filled, 0, layout->bytes);
    put_word(0, (uint64_t)layout->kind, 4);
    put_word(16, begin, 8);
    put_word(24, begin + 1, 8);
    while (now() <= begin)
        continue;
    put_word(layout->device, (uint64_t)is_of_peers, 4);
    put_word(layout->stream, 13, 4);
    put_word(layout->number, launches, 4);
    put_word(layout->node, (uint64_t)EXEC << 32 | node, 8);
    put_word(layout->exec, EXEC, 4);
    if (kind == 0)
        put_word(104, (uint64_t)(uintptr_t)kept_name(kernel), 8);
    filled += layout->bytes;
    pthread_mutex_unlock(&fill_lock);
}

STAND_IN_EXPORT int cuptiGetVersion(unsigned *version) {
    const char *said = getenv("STAND_IN_CUPTI_VERSION");
    *version = said == NULL ? 130001 : (unsigned)atoi(said);
    return 0;
}

/* The thread that subscribed last. */
static pthread_t subscribed_by;

STAND_IN_EXPORT pthread_t stand_in_subscribed_by(void) {
    return subscribed_by;
}

/* Waits for the work of all contexts. */
STAND_IN_EXPORT int cuptiSubscribe(void **subscriber, api_callback callback, void *data) {
    int (*synchronize)(void) = NULL;
    void *found = library_driver("cuCtxSynchronize");
    (void)data;
    memcpy(&synchronize, &found, sizeof found);
    if (synchronize != NULL)
        synchronize();
    if (on_api != NULL || getenv("STAND_IN_CUPTI_TAKEN") != NULL)
        return SUBSCRIBED;
    on_api = callback;
    subscribed_by = pthread_self();
    *subscriber = &on_api;
    return 0;
}

STAND_IN_EXPORT int cuptiUnsubscribe(void *subscriber) {
    if (subscriber != &on_api || on_api == NULL)
        return INVALID;
    on_api = NULL;
    are_calls_told = 0;
    return 0;
}

STAND_IN_EXPORT int cuptiEnableCallback(unsigned enable, void *subscriber, int domain, unsigned function) {
    if (subscriber != &on_api || domain != 1 || (function != 514 && function != 515))
        return INVALID;
    are_calls_told = enable != 0;
    return 0;
}

STAND_IN_EXPORT int cuptiActivityRegisterCallbacks(void (*ask)(unsigned char **, size_t *, size_t *),
                                                   void (*take)(void *, unsigned, unsigned char *, size_t, size_t)) {
    request = ask;
    completed = take;
    return ask == NULL || take == NULL ? INVALID : 0;
}

STAND_IN_EXPORT int cuptiActivityRegisterTimestampCallback(uint64_t (*clock)(void)) {
    now = clock;
    return 0;
}

STAND_IN_EXPORT int cuptiActivityEnable(int kind) {
    static struct launch_watcher watcher;
    void (*watch)(const struct launch_watcher *) = NULL;
    void *found = library_driver("stand_in_watch_launches");
    memcpy(&watch, &found, sizeof watch);
    if (watch == NULL || on_api == NULL || request == NULL || now == NULL)
        return INVALID;
    watcher.begins = begins;
    watcher.ran = ran;
    watch(&watcher);
    are_enabled[kind] = 1;
    return 0;
}

STAND_IN_EXPORT int cuptiActivityDisable(int kind) {
    are_enabled[kind] = 0;
    return 0;
}

STAND_IN_EXPORT int cuptiActivityFlushAll(unsigned flags) {
    (void)flags;
    give_back();
    return 0;
}

STAND_IN_EXPORT int cuptiActivityGetNextRecord(unsigned char *buffer, size_t bytes, unsigned char **record) {
    unsigned char *next = buffer;
    if (*record != NULL) {
        const struct layout *layout = layouts;
        while (memcmp(&layout->kind, *record, sizeof layout->kind) != 0)
            layout++;
        next = *record + layout->bytes;
    }
    if ((size_t)(next - buffer) >= bytes)
        return NO_MORE;
    *record = next;
    return 0;
}
