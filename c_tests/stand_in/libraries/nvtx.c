/* A tool that takes ranges and marks of NVTX, and writes them down: "<" and the name for a range that begins, ">" for its end, "!" and the
 * name for a mark, with the number of the thread in front. */
#include "../stand_in.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLBACKS = 1, DOMAINS = 5, MARK = 1, PUSH = 4, POP = 5, CREATE = 12, ATTRIBUTES = 48, ASCII = 1 };

struct attributes {
    uint16_t version, size;
    uint32_t colors[3];
    int32_t payload[2];
    uint64_t value;
    int32_t message_kind;
    const char *message;
};

typedef void (*slot)(void);
struct callbacks {
    size_t size;
    int (*table)(unsigned, slot ***, unsigned *);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char written[1 << 16];
static size_t length;
static int threads, domain;
static __thread int thread;

static void write_down(void *of, const char *what, const struct attributes *attributes) {
    const int is_known = attributes == NULL || (attributes->version == 3 && attributes->size == ATTRIBUTES &&
                                                attributes->message_kind == ASCII);
    pthread_mutex_lock(&lock);
    if (thread == 0)
        thread = ++threads;
    length += (size_t)snprintf(written + length, sizeof written - length, "%d%s%s%s\n", thread, what,
                               attributes == NULL ? "" : attributes->message,
                               of == &domain && is_known ? "" : " (wrong domain or attributes)");
    if (length >= sizeof written)
        length = sizeof written - 1;
    pthread_mutex_unlock(&lock);
}

static void mark(void *of, const struct attributes *attributes) { write_down(of, "!", attributes); }

static int push(void *of, const struct attributes *attributes) {
    write_down(of, "<", attributes);
    return 0;
}

static int pop(void *of) {
    write_down(of, ">", NULL);
    return 0;
}

static void *create(const char *name) { return strcmp(name, "graphcap") == 0 ? &domain : NULL; }

STAND_IN_EXPORT int InitializeInjectionNvtx2(const void *(*get)(unsigned)) {
    const struct callbacks *callbacks = (const struct callbacks *)get(CALLBACKS);
    slot **table = NULL;
    unsigned size = 0;
    if (get(2) != NULL || callbacks == NULL || callbacks->table(0, &table, &size) != 0 || callbacks->table(7, &table, &size) != 0 ||
        callbacks->table(DOMAINS, &table, &size) != 1 || size != 16 || table[0] != NULL || table[size] != NULL)
        return 0;
    *table[MARK] = (slot)mark;
    *table[PUSH] = (slot)push;
    *table[POP] = (slot)pop;
    *table[CREATE] = (slot)create;
    return getenv("STAND_IN_NVTX_REFUSES") == NULL;
}

STAND_IN_EXPORT const char *stand_in_ranges(void) { return written; }
