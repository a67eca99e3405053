/* Streams, events and captures, by the rules that the real driver was seen to follow. */
#include "model.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct capture *captures;
static uint64_t last_capture;

static struct capture *find_capture(uint64_t id) {
    struct capture *capture = captures;
    while (capture != NULL && capture->id != id)
        capture = capture->next;
    return capture;
}

/* The driver crashes where one thread ends a capture while another one records into it, or asks about one of its streams or events.
 * The stand-in makes one call at a time, and notes that the two were under way at once. */
static void check_no_end(const struct capture *capture) {
    if (capture != NULL && capture->ends > 0)
        note_violation("a capture was used while another thread ended it: the driver crashes");
}

/* The driver's log: the functions that broke captures. */
static const char *logged[4096];
static unsigned log_length;

void invalidate(struct capture *capture) {
    if (capture == NULL || capture->is_invalid)
        return;
    capture->is_invalid = 1;
    if (log_length < sizeof logged / sizeof logged[0])
        logged[log_length++] = self.function;
}

#if STAND_IN_DRIVER_VERSION >= 12090
DRIVER int cuLogsCurrent(unsigned *position, unsigned flags) {
    ENTER(cuLogsCurrent);
    if (flags != 0)
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    *position = log_length;
    pthread_mutex_unlock(&model_lock);
    return OK;
}

/* As the real driver was seen to do it, it writes beyond the end when it has to cut. */
DRIVER int cuLogsDumpToMemory(unsigned *position, char *text, size_t *bytes, unsigned flags) {
    enum { BEYOND = 128 };
    size_t used = 0;
    ENTER(cuLogsDumpToMemory);
    if (flags != 0)
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    for (; *position < log_length && used + 100 < *bytes; ++*position)
        used += (size_t)snprintf(text + used, *bytes - used, "[CUDA][E] a capture was broken in %s\n",
                                 logged[*position]);
    if (*position < log_length) {
        memset(text + used, '#', *bytes + BEYOND - used);
        *position = log_length;
        used = *bytes + BEYOND;
    }
    *bytes = used;
    pthread_mutex_unlock(&model_lock);
    return OK;
}
#endif

/* A call that the modes govern. */
int may_be_unsafe(void) {
    struct capture *capture;
    int answer = OK;
    if (captures == NULL || self.mode == MODE_RELAXED)
        return OK;
    for (capture = captures; capture != NULL; capture = capture->next) {
        int is_own = capture->thread == this_thread();
        if (is_own ? capture->mode == MODE_RELAXED : self.mode != MODE_GLOBAL || capture->mode != MODE_GLOBAL)
            continue;
        invalidate(capture);
        answer = CAPTURE_UNSUPPORTED;
    }
    return answer;
}

/* A call on the legacy stream of a context, of which a blocking stream may be captured. */
static int legacy_conflicts(const struct context *context, int harms) {
    struct capture *capture;
    const struct stream *member;
    int answer = OK;
    for (capture = captures; capture != NULL; capture = capture->next)
        for (member = capture->members; member != NULL; member = member->next_member)
            if (member->blocking && member->context == context) {
                check_no_end(capture);
                answer = CAPTURE_IMPLICIT;
                if (harms)
                    invalidate(capture);
            }
    return answer;
}

static int is_legacy(const struct stream *stream) {
    return stream == stream->context->legacy;
}

static int frontier_add(struct frontier *frontier, struct node *node) {
    size_t i;
    for (i = 0; i < frontier->count; i++)
        if (frontier->nodes[i] == node)
            return OK;
    if (!make_room(&frontier->nodes, frontier->count, &frontier->capacity))
        return OUT_OF_MEMORY;
    frontier->nodes[frontier->count++] = node;
    return OK;
}

/* Adds a node, the edge from which carries `data`. Of several edges from one node the one stays that waits the longest. */
static int frontier_carry(struct frontier *frontier, struct carried **carried, struct node *node, uint64_t data) {
    const size_t count = frontier->count;
    const int answer = frontier_add(frontier, node);
    if (answer != OK)
        return answer;
    if (frontier->count == count)
        data = waits_longer(carried_by(*carried, node, NULL), data);
    carry_no_more(carried, node, NULL);
    carry(carried, node, NULL, data);
    return OK;
}

static int frontier_join(struct frontier *frontier, struct carried **carried, const struct frontier *other,
                         const struct carried *data) {
    size_t i;
    int answer = OK;
    for (i = 0; i < other->count && answer == OK; i++)
        answer = frontier_carry(frontier, carried, other->nodes[i], carried_by(data, other->nodes[i], NULL));
    return answer;
}

static int stream_join(struct stream *stream, const struct event *event) {
    return frontier_join(&stream->frontier, &stream->carried, &event->frontier, event->carried);
}

static void enter_capture(struct stream *stream, struct capture *capture) {
    stream->capture = capture;
    stream->frontier.count = 0;
    carry_no_more(&stream->carried, NULL, NULL);
    stream->next_member = capture->members;
    capture->members = stream;
}

static void leave_capture(struct stream *stream) {
    struct stream **member = &stream->capture->members;
    while (*member != stream)
        member = &(*member)->next_member;
    *member = stream->next_member;
    stream->capture = NULL;
    stream->frontier.count = 0;
    carry_no_more(&stream->carried, NULL, NULL);
}

/* The capture is over. Its graph goes to `graph`, or with it, whoever made it. */
static void end_capture(struct capture *capture, struct graph **graph) {
    struct capture **place = &captures;
    while (capture->members != NULL)
        leave_capture(capture->members);
    while (*place != capture)
        place = &(*place)->next;
    *place = capture->next;
    if (graph != NULL)
        *graph = capture->graph;
    else
        graph_end(capture->graph);
    free(capture);
}

void end_thread_captures(struct stream *own) {
    const struct capture *capture = own->capture;
    if (capture == NULL)
        return;
    if (capture->origin != own) {
        leave_capture(own);
        return;
    }
    if (capture->members != own || own->next_member != NULL)
        note_violation("a thread ended while its default stream was captured and others had joined: the driver crashes");
    end_capture(own->capture, NULL);
}

int submit_to(void *handle, struct stream **stream) {
    int answer = OK;
    *stream = find_stream(handle, &answer);
    if (*stream == NULL)
        return answer;
    if (captures == NULL)
        return OK;
    if (is_legacy(*stream))
        return legacy_conflicts((*stream)->context, 1);
    return (*stream)->capture != NULL && (*stream)->capture->is_invalid ? CAPTURE_INVALIDATED : OK;
}

int record(struct stream *stream, struct node *node) {
    struct capture *capture = stream->capture;
    int answer;
    check_no_end(capture);
    if (node == NULL)
        return OUT_OF_MEMORY;
    answer = graph_add(capture->graph, node, &stream->frontier);
    if (answer != OK)
        return answer;
    node->recorded_by = capture->id;
    carry_to(stream, node);
    stream->frontier.count = 0;
    return frontier_add(&stream->frontier, node);
}

static void set_priority(struct stream *stream, int priority) {
    stream->priority = priority > LEAST_PRIORITY      ? LEAST_PRIORITY
                       : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                                      : priority;
    memcpy(stream->attributes[PRIORITY_ATTRIBUTE], &stream->priority, sizeof stream->priority);
}

DRIVER int cuStreamCreateWithPriority(struct stream **out, unsigned flags, int priority) {
    struct context *context;
    struct stream *stream;
    int answer = OK;
    ENTER(cuStreamCreateWithPriority);
    pthread_mutex_lock(&model_lock);
    context = current_context(&answer);
    if (context != NULL) {
        stream = (struct stream *)object_new(sizeof *stream, STAND_IN_STREAMS);
        stream->context = context;
        stream->blocking = (flags & 1) == 0;
        set_priority(stream, priority);
        *out = stream;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    int answer = OK;
    ENTER(cuCtxGetStreamPriorityRange);
    pthread_mutex_lock(&model_lock);
    if (current_context(&answer) != NULL) {
        *least = LEAST_PRIORITY;
        *greatest = GREATEST_PRIORITY;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* Unlike most questions this one breaks a capture of the stream. */
DRIVER int cuStreamGetFlags(void *handle, unsigned *flags) {
    struct stream *stream;
    int answer = OK;
    ENTER(cuStreamGetFlags);
    pthread_mutex_lock(&model_lock);
    stream = find_stream(handle, &answer);
    if (stream != NULL && stream->capture != NULL) {
        invalidate(stream->capture);
        answer = CAPTURE_UNSUPPORTED;
    } else if (stream != NULL) {
        *flags = stream->blocking || is_legacy(stream) ? 0 : 1;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

static int is_broken(const struct stream *stream) {
    return stream->capture != NULL && stream->capture->is_invalid;
}

DRIVER int cuStreamGetPriority(void *handle, int *priority) {
    struct stream *stream;
    int answer = OK;
    ENTER(cuStreamGetPriority);
    pthread_mutex_lock(&model_lock);
    stream = find_stream(handle, &answer);
    if (stream != NULL && is_legacy(stream))
        answer = legacy_conflicts(stream->context, 1);
    if (stream != NULL && answer == OK && is_broken(stream))
        answer = CAPTURE_INVALIDATED;
    if (stream != NULL && answer == OK)
        *priority = stream->priority;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* The stream of which an attribute is asked for or set. */
static struct stream *find_attribute(void *handle, unsigned attribute, int *answer) {
    enum { WINDOW = 1, POLICY = 3, DOMAIN_MAP = 9, DOMAIN = 10 };
    struct stream *stream = find_stream(handle, answer);
    if (stream != NULL && attribute != WINDOW && attribute != POLICY && attribute != PRIORITY_ATTRIBUTE &&
        attribute != DOMAIN_MAP && attribute != DOMAIN) {
        *answer = INVALID_VALUE;
        stream = NULL;
    }
    if (stream != NULL && is_legacy(stream) && (*answer = legacy_conflicts(stream->context, 1)) != OK)
        stream = NULL;
    return stream;
}

DRIVER int cuStreamGetAttribute(void *handle, unsigned attribute, unsigned char *value) {
    const struct stream *stream;
    int answer = OK;
    ENTER(cuStreamGetAttribute);
    pthread_mutex_lock(&model_lock);
    stream = find_attribute(handle, attribute, &answer);
    if (stream != NULL && is_broken(stream))
        answer = CAPTURE_INVALIDATED;
    else if (stream != NULL)
        memcpy(value, stream->attributes[attribute], sizeof stream->attributes[attribute]);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuStreamSetAttribute(void *handle, unsigned attribute, const unsigned char *value) {
    struct stream *stream;
    int answer = OK, number;
    ENTER(cuStreamSetAttribute);
    memcpy(&number, value, sizeof number);
    pthread_mutex_lock(&model_lock);
    stream = find_attribute(handle, attribute, &answer);
    if (stream != NULL && is_broken(stream))
        answer = CAPTURE_INVALIDATED;
    else if (stream != NULL && attribute == PRIORITY_ATTRIBUTE)
        set_priority(stream, number);
    else if (stream != NULL)
        memcpy(stream->attributes[attribute], value, sizeof stream->attributes[attribute]);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuStreamCopyAttributes(void *destination, void *source) {
    struct stream *to, *from;
    int answer = OK;
    ENTER(cuStreamCopyAttributes);
    pthread_mutex_lock(&model_lock);
    to = find_stream(destination, &answer);
    from = answer == OK ? find_stream(source, &answer) : NULL;
    if (from != NULL && (is_legacy(to) || is_legacy(from)))
        answer = legacy_conflicts(to->context, 1);
    if (from != NULL && from->context != to->context)
        answer = INVALID_VALUE;
    else if (from != NULL && answer == OK && (is_broken(to) || is_broken(from)))
        answer = CAPTURE_INVALIDATED;
    else if (from != NULL && answer == OK) {
        memcpy(to->attributes, from->attributes, sizeof to->attributes);
        to->priority = from->priority;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuStreamDestroy_v2(struct stream *stream) {
    int answer = enter("cuStreamDestroy_v2");
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    if (object_is(stream, STAND_IN_STREAMS)) {
        if (stream->capture != NULL && stream->capture->origin == stream)
            end_capture(stream->capture, NULL);
        else if (stream->capture != NULL)
            leave_capture(stream);
        free(stream->frontier.nodes);
        stream->frontier.nodes = NULL;
        object_end(&stream->head);
    } else {
        answer = INVALID_HANDLE;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuStreamGetCtx(void *handle, struct context **context) {
    struct stream *stream;
    int answer = OK;
    ENTER(cuStreamGetCtx);
    pthread_mutex_lock(&model_lock);
    stream = find_stream(handle, &answer);
    if (stream != NULL)
        *context = stream->context;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* A wait for a stream, or a question whether it is complete. */
static int ask_stream(void *handle, int may_be_held) {
    struct stream *stream;
    int answer = OK;
    pthread_mutex_lock(&model_lock);
    stream = find_stream(handle, &answer);
    if (stream != NULL && captures != NULL) {
        if (is_legacy(stream))
            answer = legacy_conflicts(stream->context, 1);
        if (stream->capture != NULL) {
            check_no_end(stream->capture);
            invalidate(stream->capture);
            answer = CAPTURE_UNSUPPORTED;
        }
        if (answer == OK)
            answer = may_be_unsafe();
    }
    pthread_mutex_unlock(&model_lock);
    return answer == OK && may_be_held && is_held() ? NOT_READY : answer;
}

DRIVER int cuStreamSynchronize(void *stream) {
    ENTER(cuStreamSynchronize);
    return ask_stream(stream, 0);
}

DRIVER int cuStreamQuery(void *stream) {
    ENTER(cuStreamQuery);
    return ask_stream(stream, 1);
}

/* What a wait for a whole context answers, and breaks. */
static int captured_in(const struct context *context) {
    struct capture *capture;
    const struct stream *member;
    int answer = OK;
    for (capture = captures; capture != NULL; capture = capture->next)
        for (member = capture->members; member != NULL; member = member->next_member)
            if (member->context == context) {
                invalidate(capture);
                answer = CAPTURE_UNSUPPORTED;
            }
    return answer;
}

DRIVER int cuCtxSynchronize(void) {
    struct context *context;
    int answer = OK;
    ENTER(cuCtxSynchronize);
    pthread_mutex_lock(&model_lock);
    context = current_context(&answer);
    if (context != NULL)
        answer = captured_in(context);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* A record or a wait that is a node. */
static int record_external(struct stream *stream, unsigned kind, struct event *event) {
    struct node *node;
    if (stream->capture == NULL)
        return ILLEGAL_STATE;
    node = node_new(kind, 0);
    if (node != NULL)
        node->work.event = event;
    return record(stream, node);
}

enum { EXTERNAL = 1 };

DRIVER int cuStreamWaitEvent(void *handle, struct event *event, unsigned flags) {
    struct stream *stream;
    struct capture *theirs;
    int answer;
    ENTER(cuStreamWaitEvent);
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    if (answer != OK)
        goto out;
    if (!object_is(event, STAND_IN_EVENTS)) {
        answer = INVALID_HANDLE;
        goto out;
    }
    if (flags == EXTERNAL) {
        answer = record_external(stream, NODE_WAIT_EVENT, event);
        goto out;
    }
    theirs = event->state == RECORDED_IN_CAPTURE ? find_capture(event->capture) : NULL;
    if (is_legacy(stream) && theirs != NULL && !theirs->is_invalid) {
        invalidate(theirs);
        answer = CAPTURE_IMPLICIT;
        goto out;
    }
    if (event->state == NEVER_RECORDED || (event->state == RECORDED && stream->capture == NULL))
        goto out;
    if (event->state == RECORDED) {
        invalidate(stream->capture);
        answer = CAPTURE_ISOLATION;
    } else if (theirs == NULL || theirs->is_invalid) {
        invalidate(stream->capture);
        answer = INVALID_VALUE;
    } else if (stream->capture == theirs) {
        answer = stream_join(stream, event);
    } else if (stream->capture != NULL) {
        invalidate(stream->capture);
        invalidate(theirs);
        answer = CAPTURE_MERGE;
    } else {
        enter_capture(stream, theirs);
        answer = stream_join(stream, event);
    }
out:
    pthread_mutex_unlock(&model_lock);
    return answer;
}

static int is_captured_into(const struct graph *graph) {
    const struct capture *capture = captures;
    while (capture != NULL && capture->graph != graph)
        capture = capture->next;
    return capture != NULL;
}

/* Begins a capture into `graph`, or into a new one. */
static int begin_capture(void *handle, unsigned mode, struct graph *graph, struct stream **out) {
    struct stream *stream;
    struct capture *capture;
    int answer = OK;
    stream = find_stream(handle, &answer);
    if (stream == NULL)
        return answer;
    if (mode > MODE_RELAXED)
        return INVALID_VALUE;
    if (is_legacy(stream))
        return legacy_conflicts(stream->context, 1) != OK ? CAPTURE_IMPLICIT : CAPTURE_UNSUPPORTED;
    if (stream->capture != NULL || (graph != NULL && is_captured_into(graph)))
        return ILLEGAL_STATE;
    capture = (struct capture *)calloc(1, sizeof *capture);
    capture->id = ++last_capture;
    capture->mode = mode;
    capture->thread = this_thread();
    capture->graph = graph != NULL ? graph : graph_new();
    capture->origin = stream;
    capture->next = captures;
    captures = capture;
    enter_capture(stream, capture);
    *out = stream;
    return OK;
}

DRIVER int cuStreamBeginCapture_v2(void *handle, unsigned mode) {
    struct stream *stream;
    int answer;
    ENTER(cuStreamBeginCapture_v2);
    pthread_mutex_lock(&model_lock);
    answer = begin_capture(handle, mode, NULL, &stream);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* The real driver would follow any pointer. */
static int are_nodes_of(const struct graph *graph, struct node *const *nodes, size_t count) {
    size_t i, k;
    for (i = 0; i < count; i++) {
        for (k = 0; k < graph->count && graph->nodes[k] != nodes[i]; k++) {
        }
        if (k == graph->count) {
            note_violation("a capture was to depend on what is no node of its graph");
            return 0;
        }
    }
    return 1;
}

#if STAND_IN_DRIVER_VERSION >= 12030
DRIVER int cuStreamBeginCaptureToGraph(void *handle, struct graph *graph, struct node *const *dependencies,
                                       const void *data, size_t count, unsigned mode) {
    struct stream *stream;
    size_t i;
    int answer = OK;
    (void)data;
    ENTER(cuStreamBeginCaptureToGraph);
    pthread_mutex_lock(&model_lock);
    if (!object_is(graph, STAND_IN_GRAPHS))
        answer = INVALID_VALUE;
    else if (!are_nodes_of(graph, dependencies, count))
        answer = INVALID_VALUE;
    else
        answer = begin_capture(handle, mode, graph, &stream);
    for (i = 0; answer == OK && i < count; i++)
        answer = frontier_add(&stream->frontier, dependencies[i]);
    pthread_mutex_unlock(&model_lock);
    return answer;
}
#endif

static int update_dependencies(void *handle, struct node **nodes, const uint64_t *data, size_t count, unsigned flags) {
    enum { ADD, SET };
    struct stream *stream;
    size_t i;
    int answer = OK;
    pthread_mutex_lock(&model_lock);
    stream = find_stream(handle, &answer);
    if (stream == NULL)
        goto out;
    if (stream->capture == NULL)
        answer = ILLEGAL_STATE;
    else if (stream->capture->is_invalid)
        answer = CAPTURE_INVALIDATED;
    else if (flags > SET || !are_nodes_of(stream->capture->graph, nodes, count))
        answer = INVALID_VALUE;
    for (i = 0; answer == OK && data != NULL && i < count; i++)
        if (!can_carry(nodes[i], data[i]))
            answer = INVALID_VALUE;
    if (answer == OK && flags == SET) {
        for (i = 0; i < stream->frontier.count; i++)
            stream->frontier.nodes[i]->is_released = 1;
        stream->frontier.count = 0;
        carry_no_more(&stream->carried, NULL, NULL);
    }
    for (i = 0; answer == OK && i < count; i++)
        answer = frontier_carry(&stream->frontier, &stream->carried, nodes[i], data != NULL ? data[i] : 0);
out:
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuStreamUpdateCaptureDependencies(void *handle, struct node **nodes, size_t count, unsigned flags) {
    ENTER(cuStreamUpdateCaptureDependencies);
    return update_dependencies(handle, nodes, NULL, count, flags);
}

#if STAND_IN_DRIVER_VERSION >= 12030
DRIVER int cuStreamUpdateCaptureDependencies_v2(void *handle, struct node **nodes, const uint64_t *data, size_t count,
                                                unsigned flags) {
    ENTER(cuStreamUpdateCaptureDependencies_v2);
    return update_dependencies(handle, nodes, data, count, flags);
}
#endif

/* Whether something follows all that was recorded: a node, or what would come next on the origin. */
static int is_joined(const struct capture *capture) {
    const struct graph *graph = capture->graph;
    const struct frontier *end = &capture->origin->frontier;
    unsigned char *followed = (unsigned char *)calloc(graph->count + 1, 1);
    size_t i, k;
    int joined = 1;
    for (i = 0; i < end->count; i++)
        followed[end->nodes[i]->index] = 1;
    for (i = 0; i < graph->count; i++)
        for (k = 0; k < graph->nodes[i]->dependency_count; k++)
            followed[graph->nodes[i]->dependencies[k]->index] = 1;
    for (i = 0; i < graph->count; i++) {
        const struct node *node = graph->nodes[i];
        joined &= followed[i] || node->is_released || node->recorded_by != capture->id;
    }
    free(followed);
    return joined;
}

/* The program ends a capture by a call of its own. */
static _Thread_local int by_program;

/* Locks the model for the end of a capture, and lets others come in before. */
static void lock_for_end(void *handle) {
    const struct stream *stream;
    struct capture *capture;
    uint64_t id = 0;
    int answer = OK;
    pthread_mutex_lock(&model_lock);
    stream = find_stream(handle, &answer);
    capture = stream != NULL ? stream->capture : NULL;
    if (capture != NULL && !by_program) {
        id = capture->id;
        capture->ends++;
    }
    pthread_mutex_unlock(&model_lock);
    sched_yield();
    pthread_mutex_lock(&model_lock);
    if (id != 0 && (capture = find_capture(id)) != NULL)
        capture->ends--;
}

DRIVER int cuStreamEndCapture(void *handle, struct graph **graph) {
    struct stream *stream;
    struct capture *capture;
    int answer = enter("cuStreamEndCapture");
    if (answer == NOT_PERMITTED)
        return answer;
    *graph = NULL;
    lock_for_end(handle);
    stream = find_stream(handle, &answer);
    if (stream == NULL)
        goto out;
    if (is_legacy(stream) && legacy_conflicts(stream->context, 1) != OK) {
        answer = CAPTURE_IMPLICIT;
        goto out;
    }
    capture = stream->capture;
    if (capture == NULL) {
        answer = ILLEGAL_STATE;
        goto out;
    }
    if (capture->origin != stream) {
        invalidate(capture);
        answer = CAPTURE_UNMATCHED;
        goto out;
    }
    /* Whatever it answers from here on, the capture is over. */
    if (capture->is_invalid)
        answer = CAPTURE_INVALIDATED;
    else if (!is_joined(capture))
        answer = CAPTURE_UNJOINED;
    else if (capture->thread != this_thread() && capture->mode != MODE_RELAXED)
        answer = CAPTURE_WRONG_THREAD;
    end_capture(capture, answer == OK ? graph : NULL);
out:
    pthread_mutex_unlock(&model_lock);
    return answer;
}

int stand_in_end_capture(void *stream, void **graph) {
    int answer;
    by_program = 1;
    answer = cuStreamEndCapture(stream, (struct graph **)graph);
    by_program = 0;
    return answer;
}

unsigned long questions;

static int capture_info(void *handle, unsigned *status, uint64_t *id, struct graph **graph, struct node ***dependencies,
                        size_t *count, int has_data) {
    struct stream *stream;
    int answer = OK;
    pthread_mutex_lock(&model_lock);
    questions++;
    stream = find_stream(handle, &answer);
    if (stream != NULL && is_legacy(stream))
        answer = legacy_conflicts(stream->context, 0);
    if (answer == OK) {
        const struct capture *capture = stream->capture;
        check_no_end(capture);
        *status = capture == NULL ? 0 : capture->is_invalid ? 2 : 1;
        if (capture != NULL && stream->carried != NULL && !has_data)
            answer = LOSSY_QUERY;
        if (capture != NULL && !capture->is_invalid) {
            if (id != NULL)
                *id = capture->graph->id;
            if (graph != NULL)
                *graph = capture->graph;
            if (dependencies != NULL)
                *dependencies = stream->frontier.nodes;
            if (count != NULL)
                *count = stream->frontier.count;
        }
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuStreamGetCaptureInfo_v2(void *handle, unsigned *status, uint64_t *id, struct graph **graph,
                                     struct node ***dependencies, size_t *count) {
    ENTER(cuStreamGetCaptureInfo_v2);
    return capture_info(handle, status, id, graph, dependencies, count, 0);
}

#if STAND_IN_DRIVER_VERSION >= 12030
/* It tells of no data. */
DRIVER int cuStreamGetCaptureInfo_v3(void *handle, unsigned *status, uint64_t *id, struct graph **graph,
                                     struct node ***dependencies, const void **data, size_t *count) {
    ENTER(cuStreamGetCaptureInfo_v3);
    *data = NULL;
    return capture_info(handle, status, id, graph, dependencies, count, 1);
}
#endif

DRIVER int cuEventCreate(struct event **out, unsigned flags) {
    struct context *context;
    struct event *event;
    int answer = OK;
    ENTER(cuEventCreate);
    pthread_mutex_lock(&model_lock);
    context = current_context(&answer);
    if (context != NULL) {
        event = (struct event *)object_new(sizeof *event, STAND_IN_EVENTS);
        event->context = context;
        event->has_timing = (flags & 2) == 0;
        event->is_interprocess = (flags & 4) != 0;
        *out = event;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuEventDestroy_v2(struct event *event) {
    int answer = enter("cuEventDestroy_v2");
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    if (object_is(event, STAND_IN_EVENTS)) {
        free(event->frontier.nodes);
        event->frontier.nodes = NULL;
        carry_no_more(&event->carried, NULL, NULL);
        object_end(&event->head);
    } else {
        answer = INVALID_HANDLE;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

static void forget_record(struct event *event) {
    event->frontier.count = 0;
    carry_no_more(&event->carried, NULL, NULL);
}

void record_event(struct event *event) {
    struct timespec now;
    forget_record(event);
    event->state = RECORDED;
    if (event->has_timing) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        event->milliseconds = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
    }
}

int record_with(struct event *event, void *handle, unsigned flags) {
    struct stream *stream;
    int answer;
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    if (answer == OK && (!object_is(event, STAND_IN_EVENTS) || (flags != EXTERNAL && event->context != stream->context)))
        answer = INVALID_HANDLE;
    if (answer != OK)
        goto out;
    if (flags == EXTERNAL) {
        answer = record_external(stream, NODE_EVENT_RECORD, event);
    } else if (stream->capture != NULL) {
        forget_record(event);
        event->state = RECORDED_IN_CAPTURE;
        event->capture = stream->capture->id;
        answer = frontier_join(&event->frontier, &event->carried, &stream->frontier, stream->carried);
    } else {
        record_event(event);
    }
out:
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuEventRecord(struct event *event, void *stream) {
    ENTER(cuEventRecord);
    return record_with(event, stream, 0);
}

DRIVER int cuEventRecordWithFlags(struct event *event, void *stream, unsigned flags) {
    ENTER(cuEventRecordWithFlags);
    return record_with(event, stream, flags);
}

#if STAND_IN_DRIVER_VERSION >= 12050
DRIVER int cuCtxRecordEvent(struct context *context, struct event *event) {
    int answer;
    ENTER(cuCtxRecordEvent);
    pthread_mutex_lock(&model_lock);
    answer = captured_in(context);
    if (!object_is(event, STAND_IN_EVENTS) || event->context != context)
        answer = INVALID_HANDLE;
    else if (answer == OK)
        record_event(event);
    pthread_mutex_unlock(&model_lock);
    return answer;
}
#endif

/* CUipcEventHandle. The real driver refuses those of the same process, which here are the only ones. */
struct ipc_handle {
    struct event *event;
    char rest[64 - sizeof(struct event *)];
};

DRIVER int cuIpcGetEventHandle(struct ipc_handle *handle, struct event *event) {
    int answer = OK;
    ENTER(cuIpcGetEventHandle);
    pthread_mutex_lock(&model_lock);
    memset(handle, 0, sizeof *handle);
    if (object_is(event, STAND_IN_EVENTS) && event->is_interprocess)
        handle->event = event;
    else
        answer = INVALID_HANDLE;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuIpcOpenEventHandle(struct event **out, struct ipc_handle handle) {
    struct context *context;
    struct event *event;
    int answer = OK;
    ENTER(cuIpcOpenEventHandle);
    pthread_mutex_lock(&model_lock);
    context = current_context(&answer);
    if (context != NULL && handle.event == NULL)
        answer = INVALID_HANDLE;
    else if (context != NULL) {
        event = (struct event *)object_new(sizeof *event, STAND_IN_EVENTS);
        event->context = context;
        event->is_interprocess = 1;
        *out = event;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

static int ask_event(struct event *event, int may_be_held) {
    struct capture *capture;
    int answer = OK;
    pthread_mutex_lock(&model_lock);
    if (!object_is(event, STAND_IN_EVENTS)) {
        answer = INVALID_HANDLE;
    } else if (event->state == RECORDED_IN_CAPTURE) {
        capture = find_capture(event->capture);
        check_no_end(capture);
        answer = capture == NULL || capture->is_invalid ? INVALID_VALUE : CAPTURED_EVENT;
        invalidate(capture);
    } else {
        answer = may_be_unsafe();
        if (answer == OK && may_be_held && event->state == RECORDED && (event->pending > 0 || is_held()))
            answer = NOT_READY;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuEventQuery(struct event *event) {
    ENTER(cuEventQuery);
    return ask_event(event, 1);
}

DRIVER int cuEventSynchronize(struct event *event) {
    ENTER(cuEventSynchronize);
    return ask_event(event, 0);
}

/* Whether an event has a time. */
static int has_time(const struct event *event) {
    const struct capture *capture;
    if (!object_is(event, STAND_IN_EVENTS) || event->state == NEVER_RECORDED || !event->has_timing)
        return INVALID_HANDLE;
    if (event->state == RECORDED)
        return OK;
    capture = find_capture(event->capture);
    return capture == NULL || capture->is_invalid ? INVALID_VALUE : CAPTURED_EVENT;
}

DRIVER int cuEventElapsedTime(float *milliseconds, struct event *start, struct event *end) {
    int answer = OK;
    ENTER(cuEventElapsedTime);
    pthread_mutex_lock(&model_lock);
    answer = has_time(start);
    if (answer == OK)
        answer = has_time(end);
    if (answer == OK && start->context != end->context)
        answer = INVALID_HANDLE;
    if (answer == OK)
        *milliseconds = (float)(end->milliseconds - start->milliseconds);
    pthread_mutex_unlock(&model_lock);
    return answer;
}
