/* What the stand-in is told by tests, what it counts for them, and the thread on which it calls back. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t model_lock = PTHREAD_MUTEX_INITIALIZER;
_Thread_local struct thread self;
int is_special = NOT_INITIALISED_YET;

static long live[STAND_IN_KINDS];
static unsigned violations;
static char first_violation[160];
static uint64_t calls_to_go;
static const char *function_to_fail;
static int answer_to_give;
static const char *failed_function;
static int fault;

/* Every object there was, so that none is lost to who looks for leaks in the tests. */
static struct object *all_objects;

static void set_special(int flag, int on) {
    if (on)
        __atomic_fetch_or(&is_special, flag, __ATOMIC_ACQ_REL);
    else
        __atomic_fetch_and(&is_special, ~flag, __ATOMIC_ACQ_REL);
}

long stand_in_live(int kind) {
    return kind >= 0 && kind < STAND_IN_KINDS ? __atomic_load_n(&live[kind], __ATOMIC_ACQUIRE) : -1;
}

void count_live(int kind, long change) {
    if (kind < STAND_IN_KINDS)
        __atomic_fetch_add(&live[kind], change, __ATOMIC_ACQ_REL);
}

void note_violation(const char *text) {
    if (__atomic_fetch_add(&violations, 1, __ATOMIC_ACQ_REL) == 0)
        snprintf(first_violation, sizeof first_violation, "%s", text);
}

unsigned stand_in_violations(char *text, size_t capacity) {
    if (text != NULL && capacity > 0)
        snprintf(text, capacity, "%s", first_violation);
    return __atomic_load_n(&violations, __ATOMIC_ACQUIRE);
}

void note_fault(int code) {
    fault = code;
    set_special(FAULT_TO_COME, 1);
}

void stand_in_fault(int code) {
    note_fault(code);
}

void stand_in_fail_function(const char *function, uint64_t call, int code) {
    set_special(TO_FAIL, 0);
    __atomic_store_n(&calls_to_go, call, __ATOMIC_RELEASE);
    function_to_fail = function;
    answer_to_give = code;
    failed_function = NULL;
    set_special(TO_FAIL, call > 0);
}

void stand_in_fail(uint64_t call, int code) {
    stand_in_fail_function(NULL, call, code);
}

const char *stand_in_failed(void) {
    return __atomic_load_n(&failed_function, __ATOMIC_ACQUIRE);
}

/* How often each function was called while that is counted. */
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const char *function;
    uint64_t calls;
} counts[256];
static size_t counted_functions;

void stand_in_count_calls(int on) {
    pthread_mutex_lock(&count_lock);
    if (on)
        counted_functions = 0;
    pthread_mutex_unlock(&count_lock);
    set_special(COUNTED, on);
}

const char *stand_in_counted(size_t index, uint64_t *calls) {
    const char *function = NULL;
    pthread_mutex_lock(&count_lock);
    if (index < counted_functions) {
        function = counts[index].function;
        *calls = counts[index].calls;
    }
    pthread_mutex_unlock(&count_lock);
    return function;
}

static void count_function(const char *function) {
    size_t i = 0;
    pthread_mutex_lock(&count_lock);
    while (i < counted_functions && strcmp(counts[i].function, function) != 0)
        i++;
    if (i == counted_functions) {
        if (i == sizeof counts / sizeof counts[0])
            abort();
        counts[i].function = function;
        counts[i].calls = 0;
        counted_functions++;
    }
    counts[i].calls++;
    pthread_mutex_unlock(&count_lock);
}

unsigned long stand_in_questions(void) {
    unsigned long asked;
    pthread_mutex_lock(&model_lock);
    asked = questions;
    pthread_mutex_unlock(&model_lock);
    return asked;
}

void stand_in_hold(int held) {
    set_special(HELD, held);
}

int is_held(void) {
    return (__atomic_load_n(&is_special, __ATOMIC_ACQUIRE) & HELD) != 0;
}

/* The function whose calls wait, and how many do. */
static pthread_mutex_t block_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unblocked = PTHREAD_COND_INITIALIZER;
static const char *function_to_block;
static unsigned blocked;

void stand_in_block(const char *function) {
    pthread_mutex_lock(&block_lock);
    function_to_block = function;
    pthread_cond_broadcast(&unblocked);
    pthread_mutex_unlock(&block_lock);
    set_special(BLOCKED, function != NULL);
}

unsigned stand_in_blocked(void) {
    unsigned count;
    pthread_mutex_lock(&block_lock);
    count = blocked;
    pthread_mutex_unlock(&block_lock);
    return count;
}

static void wait_while_blocked(const char *function) {
    pthread_mutex_lock(&block_lock);
    blocked++;
    while (function_to_block != NULL && strcmp(function, function_to_block) == 0)
        pthread_cond_wait(&unblocked, &block_lock);
    blocked--;
    pthread_mutex_unlock(&block_lock);
}

void note_initialised(void) {
    set_special(NOT_INITIALISED_YET, 0);
}

uint64_t this_thread(void) {
    static uint64_t last;
    if (self.number == 0)
        self.number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    return self.number;
}

/* Whether a function has a part in its name. */
static int is_one_of(const char *function, const char *const *parts, size_t count) {
    size_t i;
    for (i = 0; i < count; i++)
        if (strstr(function, parts[i]) != NULL)
            return 1;
    return 0;
}

#define IS_ONE_OF(function, parts) is_one_of(function, parts, sizeof(parts) / sizeof(parts[0]))

int answer_specially(const char *function) {
    static const char *const always[] = {"cuInit", "cuDriverGetVersion", "cuGetError"};
    static const char *const despite_faults[] = {"cuDeviceGet", "cuCtxGetCurrent", "cuCtxPush", "cuCtxPop", "cuThread"};
    static const char *const waits[] = {"Synchronize", "Query"};
    char text[sizeof first_violation];
    int special = __atomic_load_n(&is_special, __ATOMIC_ACQUIRE);
    if (self.is_drivers && !IS_ONE_OF(function, always)) {
        snprintf(text, sizeof text, "%s was called on a thread of the driver's", function);
        note_violation(text);
        return NOT_PERMITTED;
    }
    if ((special & NOT_INITIALISED_YET) && !IS_ONE_OF(function, always))
        return NOT_INITIALIZED;
    if (special & COUNTED)
        count_function(function);
    if (special & BLOCKED)
        wait_while_blocked(function);
    if ((special & TO_FAIL) && (function_to_fail == NULL || strcmp(function, function_to_fail) == 0) &&
        __atomic_sub_fetch(&calls_to_go, 1, __ATOMIC_ACQ_REL) == 0) {
        set_special(TO_FAIL, 0);
        __atomic_store_n(&failed_function, function, __ATOMIC_RELEASE);
        return answer_to_give;
    }
    if ((special & FAULT_TO_COME) && IS_ONE_OF(function, waits)) {
        set_special(FAULTED, 1);
        special |= FAULTED;
    }
    if ((special & FAULTED) && !IS_ONE_OF(function, always) && !IS_ONE_OF(function, despite_faults))
        return fault;
    return OK;
}

void *object_new(size_t size, int kind) {
    struct object *object = (struct object *)calloc(1, size);
    if (object == NULL)
        abort();
    object->kind = kind;
    object->live = 1;
    object->next = all_objects;
    all_objects = object;
    count_live(kind, 1);
    return object;
}

int object_is(const void *handle, int kind) {
    static const char *const names[] = {"retain", "stream",      "event", "graph", "graph exec", "user object",
                                        "module", "memory pool", "",      "",      "function",   "special stream"};
    const struct object *object = (const struct object *)handle;
    char text[sizeof first_violation];
    if (object != NULL && object->kind == kind && object->live)
        return 1;
    snprintf(text, sizeof text, "a %s was used that is destroyed or none", names[kind]);
    note_violation(text);
    return 0;
}

void object_end(struct object *object) {
    object->live = 0;
    count_live(object->kind, -1);
}

int make_room(void *array, size_t count, size_t *capacity) {
    void **place = (void **)array, *grown;
    size_t wanted = *capacity == 0 ? 4 : 2 * *capacity;
    if (count < *capacity)
        return 1;
    grown = realloc(*place, wanted * sizeof(void *));
    if (grown == NULL)
        return 0;
    *place = grown;
    *capacity = wanted;
    return 1;
}

/* The thread of the driver's, and what it has to call. */
struct pending {
    struct pending *next;
    void (*function)(void *);
    void *data;
    /* Gone when its destructor has returned. */
    struct user_object *owner;
    /* Set when the function has returned, for who waits for it. */
    int *done;
};

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_changed = PTHREAD_COND_INITIALIZER;
static struct pending *queue_first, *queue_last;
static int is_calling, has_thread;

static void *serve(void *unused) __attribute__((noreturn));

static void *serve(void *unused) {
    (void)unused;
    self.is_drivers = 1;
    pthread_mutex_lock(&queue_lock);
    for (;;) {
        struct pending *pending = queue_first;
        if (pending == NULL) {
            pthread_cond_wait(&queue_changed, &queue_lock);
            continue;
        }
        queue_first = pending->next;
        if (queue_first == NULL)
            queue_last = NULL;
        is_calling = 1;
        pthread_mutex_unlock(&queue_lock);
        pending->function(pending->data);
        if (pending->owner != NULL) {
            pthread_mutex_lock(&model_lock);
            object_end(&pending->owner->head);
            pthread_mutex_unlock(&model_lock);
        }
        pthread_mutex_lock(&queue_lock);
        is_calling = 0;
        if (pending->done != NULL)
            *pending->done = 1;
        free(pending);
        pthread_cond_broadcast(&queue_changed);
    }
}

static void enqueue(void (*function)(void *), void *data, struct user_object *owner, int *done) {
    struct pending *pending = (struct pending *)malloc(sizeof *pending);
    pthread_t thread;
    if (pending == NULL)
        abort();
    pending->next = NULL;
    pending->function = function;
    pending->data = data;
    pending->owner = owner;
    pending->done = done;
    pthread_mutex_lock(&queue_lock);
    if (!has_thread) {
        if (pthread_create(&thread, NULL, serve, NULL) != 0)
            abort();
        pthread_detach(thread);
        has_thread = 1;
    }
    if (queue_last == NULL)
        queue_first = pending;
    else
        queue_last->next = pending;
    queue_last = pending;
    pthread_cond_broadcast(&queue_changed);
    pthread_mutex_unlock(&queue_lock);
}

void call_later(void (*function)(void *), void *data, struct user_object *owner) {
    enqueue(function, data, owner, NULL);
}

void call_now(void (*function)(void *), void *data) {
    int done = 0;
    enqueue(function, data, NULL, &done);
    pthread_mutex_lock(&queue_lock);
    while (!done)
        pthread_cond_wait(&queue_changed, &queue_lock);
    pthread_mutex_unlock(&queue_lock);
}

void stand_in_settle(void) {
    pthread_mutex_lock(&queue_lock);
    while (queue_first != NULL || is_calling)
        pthread_cond_wait(&queue_changed, &queue_lock);
    pthread_mutex_unlock(&queue_lock);
}
