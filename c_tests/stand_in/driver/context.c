/* Versions, errors, devices, and primary contexts. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct context *contexts[DEVICES];
static unsigned long long last_id;

static int number_from(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    return text != NULL && *text != '\0' ? atoi(text) : otherwise;
}

DRIVER int cuInit(unsigned flags) {
    int answer = getenv("STAND_IN_STUB") != NULL ? STUB_LIBRARY : number_from("STAND_IN_INIT", OK);
    ENTER(cuInit);
    if (flags != 0)
        return INVALID_VALUE;
    if (answer == OK)
        note_initialised();
    return answer;
}

DRIVER int cuDriverGetVersion(int *version) {
    ENTER(cuDriverGetVersion);
    if (getenv("STAND_IN_STUB") != NULL)
        return STUB_LIBRARY;
    *version = number_from("STAND_IN_VERSION", STAND_IN_DRIVER_VERSION);
    return OK;
}

/* The answers that the tests meet. */
static const struct {
    int code;
    const char *name, *sentence;
} errors[] = {
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {STUB_LIBRARY, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {ILLEGAL_STATE, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
    {CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static const char *words(int code, int want_name) {
    size_t i;
    for (i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].code == code)
            return want_name ? errors[i].name : errors[i].sentence;
    return NULL;
}

DRIVER int cuGetErrorName(int code, const char **name) {
    ENTER(cuGetErrorName);
    *name = words(code, 1);
    return *name != NULL ? OK : INVALID_VALUE;
}

DRIVER int cuGetErrorString(int code, const char **text) {
    ENTER(cuGetErrorString);
    *text = words(code, 0);
    return *text != NULL ? OK : INVALID_VALUE;
}

static int device_count(void) {
    int count = number_from("STAND_IN_DEVICES", DEVICES);
    return count < 0 || count > DEVICES ? DEVICES : count;
}

DRIVER int cuDeviceGetCount(int *count) {
    ENTER(cuDeviceGetCount);
    *count = device_count();
    return OK;
}

DRIVER int cuDeviceGet(int *device, int ordinal) {
    ENTER(cuDeviceGet);
    if (ordinal < 0 || ordinal >= device_count())
        return INVALID_DEVICE;
    *device = ordinal;
    return OK;
}

DRIVER int cuDeviceGetName(char *name, int capacity, int device) {
    ENTER(cuDeviceGetName);
    snprintf(name, (size_t)capacity, "stand-in %d", device);
    return OK;
}

DRIVER int cuDeviceGetAttribute(int *value, int attribute, int device) {
    /* By the driver's numbers: threads in a block, the largest block and the largest grid in x, y and z. */
    static const int limits[] = {0, 1024, 1024, 1024, 64, 0x7fffffff, 0xffff, 0xffff};
    enum { GENERATION = 75, REGISTERED_BY_HOST_ADDRESS = 91, MOST_SHARED_MEMORY = 97, MAPPING_SUPPORTED = 102, MEMORY_POOLS_SUPPORTED = 115 };
    ENTER(cuDeviceGetAttribute);
    if (device < 0 || device >= device_count())
        return INVALID_DEVICE;
    *value = 0;
    if (attribute > 0 && attribute < (int)(sizeof limits / sizeof limits[0]))
        *value = limits[attribute];
    /* For which graphcap has cubins; the stand-in refuses them. */
    if (attribute == GENERATION)
        *value = 8;
    if (attribute == MOST_SHARED_MEMORY)
        *value = 49152;
    if (attribute == REGISTERED_BY_HOST_ADDRESS)
        *value = getenv("STAND_IN_TRANSLATES") == NULL;
    if (attribute == MAPPING_SUPPORTED)
        *value = getenv("STAND_IN_NO_MAPPING") == NULL;
    if (attribute == MEMORY_POOLS_SUPPORTED)
        *value = getenv("STAND_IN_NO_POOLS") == NULL;
    return OK;
}

DRIVER int cuDevicePrimaryCtxRetain(struct context **out, int device) {
    struct context *context;
    ENTER(cuDevicePrimaryCtxRetain);
    if (device < 0 || device >= device_count())
        return INVALID_DEVICE;
    pthread_mutex_lock(&model_lock);
    context = contexts[device];
    if (context == NULL) {
        context = contexts[device] = (struct context *)object_new(sizeof *context, CONTEXTS);
        context->device = device;
        context->legacy = (struct stream *)object_new(sizeof *context->legacy, SPECIAL_STREAMS);
        context->legacy->context = context;
        context->legacy->blocking = 1;
    }
    /* Nobody's before: another one, at the same address. */
    if (context->retains++ == 0)
        context->id = ++last_id;
    count_live(STAND_IN_RETAINS, 1);
    *out = context;
    pthread_mutex_unlock(&model_lock);
    return OK;
}

DRIVER int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
    ENTER(cuDevicePrimaryCtxGetState);
    if (device < 0 || device >= device_count())
        return INVALID_DEVICE;
    pthread_mutex_lock(&model_lock);
    *flags = 0;
    *active = contexts[device] != NULL && contexts[device]->retains > 0;
    pthread_mutex_unlock(&model_lock);
    return OK;
}

DRIVER int cuCtxGetId(struct context *context, unsigned long long *id) {
    int answer = INVALID_CONTEXT;
    ENTER(cuCtxGetId);
    pthread_mutex_lock(&model_lock);
    if (object_is(context, CONTEXTS)) {
        *id = context->id;
        answer = OK;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuDevicePrimaryCtxRelease_v2(int device) {
    int answer = enter("cuDevicePrimaryCtxRelease_v2");
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    if (device < 0 || device >= DEVICES || contexts[device] == NULL || contexts[device]->retains == 0) {
        note_violation("a primary context was released more often than retained");
        answer = INVALID_CONTEXT;
    } else {
        if (--contexts[device]->retains == 0) {
            while (contexts[device]->modules != NULL)
                module_end(contexts[device]->modules);
            pinned_end(contexts[device]);
        }
        count_live(STAND_IN_RETAINS, -1);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

struct context *current_context(int *answer) {
    struct context *context = self.depth > 0 ? self.stack[self.depth - 1] : NULL;
    if (context == NULL) {
        *answer = INVALID_CONTEXT;
        return NULL;
    }
    if (context->retains == 0) {
        note_violation("a primary context was used that nobody retains");
        *answer = CONTEXT_IS_DESTROYED;
        return NULL;
    }
    return context;
}

DRIVER int cuCtxGetCurrent(struct context **out) {
    ENTER(cuCtxGetCurrent);
    *out = self.depth > 0 ? self.stack[self.depth - 1] : NULL;
    return OK;
}

DRIVER int cuCtxPushCurrent_v2(struct context *context) {
    ENTER(cuCtxPushCurrent_v2);
    if (!object_is(context, CONTEXTS) || self.depth == sizeof self.stack / sizeof self.stack[0])
        return INVALID_CONTEXT;
    self.stack[self.depth++] = context;
    return OK;
}

DRIVER int cuCtxSetCurrent(struct context *context) {
    ENTER(cuCtxSetCurrent);
    if (context != NULL && !object_is(context, CONTEXTS))
        return INVALID_CONTEXT;
    if (self.depth > 0)
        self.depth--;
    if (context != NULL)
        self.stack[self.depth++] = context;
    return OK;
}

DRIVER int cuCtxPopCurrent_v2(struct context **out) {
    int answer = enter("cuCtxPopCurrent_v2");
    if (answer == NOT_PERMITTED)
        return answer;
    if (self.depth == 0) {
        note_violation("a context was popped that was not pushed");
        return INVALID_CONTEXT;
    }
    self.depth--;
    if (out != NULL)
        *out = self.stack[self.depth];
    return answer;
}

DRIVER int cuThreadExchangeStreamCaptureMode(unsigned *mode) {
    unsigned before = self.mode;
    ENTER(cuThreadExchangeStreamCaptureMode);
    if (*mode > MODE_RELAXED)
        return INVALID_VALUE;
    self.mode = *mode;
    *mode = before;
    return OK;
}

/* A thread has ended; its default streams go with it. */
static void thread_ends(void *thread) {
    struct stream **streams = ((struct thread *)thread)->per_thread;
    int i;
    pthread_mutex_lock(&model_lock);
    for (i = 0; i < DEVICES; i++)
        if (streams[i] != NULL)
            end_thread_captures(streams[i]);
    pthread_mutex_unlock(&model_lock);
}

static pthread_key_t at_thread_end;

static void make_key(void) {
    pthread_key_create(&at_thread_end, thread_ends);
}

static struct stream *own_stream(struct context *context) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct stream *stream = (struct stream *)object_new(sizeof *stream, SPECIAL_STREAMS);
    stream->context = context;
    stream->blocking = 1;
    pthread_once(&once, make_key);
    pthread_setspecific(at_thread_end, &self);
    return stream;
}

struct stream *find_stream(void *handle, int *answer) {
    uintptr_t number = (uintptr_t)handle;
    struct stream *stream = (struct stream *)handle, **per_thread;
    struct context *context;
    if (number > 2) {
        if (object_is(stream, STAND_IN_STREAMS))
            return stream;
        *answer = INVALID_HANDLE;
        return NULL;
    }
    context = current_context(answer);
    if (context == NULL || number < 2)
        return context != NULL ? context->legacy : NULL;
    per_thread = &self.per_thread[context->device];
    if (*per_thread == NULL)
        *per_thread = own_stream(context);
    return *per_thread;
}
