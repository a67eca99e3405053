/* What the calls of capture_script.h have to answer: a model of captures that was written from what NVIDIA's driver
 * was measured to do, for the tests alone, and shares nothing with the library. It knows captures as sets of nodes,
 * which are the bits of a word. Where the driver was not measured yet it says what the host device is documented to
 * do. A guarded context is one line of it: a call that fails and would harm a capture changes nothing. */
#ifndef GRAPHCAP_TESTS_CAPTURE_MODEL_H
#define GRAPHCAP_TESTS_CAPTURE_MODEL_H

#include "capture_script.h"

/* A thread's default stream is a stream of its own, after those that have names. */
enum { MODEL_STREAMS = SCRIPT_STREAMS + SCRIPT_THREADS, MODEL_CAPTURES = SCRIPT_STEPS + 1 };

/* What a graph holds. */
struct model_drawing {
    int captured, lost; /* whether a capture into it goes on, and whether one failed */
    unsigned nodes;
    uint64_t before[SCRIPT_STEPS + 1]; /* what a node depends on */
    uint64_t all[SCRIPT_STEPS + 1];    /* and what that depends on, and the node itself */
};

struct model_capture {
    int mode, thread, context;
    int live, invalid;
    int steered; /* its dependencies were said: graphcap leaves it to the driver whether all is joined */
    struct model_drawing *drawing;
    uint64_t own, released; /* its nodes in the drawing, and those that need not be joined */
};

struct model_stream {
    int dropped, blocking, origin;
    struct model_capture *capture; /* may be over */
    uint64_t frontier;
};

struct model_event {
    int dropped, recorded;
    struct model_capture *capture;
    uint64_t frontier;
};

struct model_graph {
    int made, dropped, uploaded, context;
    struct model_drawing *drawing;
};

struct model {
    unsigned guarded;  /* the bits of the contexts that are */
    int own_is_shared; /* others use a thread's default stream too, as on a GPU: what joins it is left to the driver */
    int modes[SCRIPT_THREADS];
    struct model_capture captures[MODEL_CAPTURES];
    struct model_drawing drawings[MODEL_CAPTURES];
    unsigned begun, drawn;
    struct model_stream streams[SCRIPT_CONTEXTS][MODEL_STREAMS];
    struct model_event events[SCRIPT_CONTEXTS][SCRIPT_MADE];
    struct model_graph graphs[SCRIPT_MADE], execs[SCRIPT_MADE];
};

static inline void model_open(struct model *model, unsigned guarded) {
    int context, i;
    memset(model, 0, sizeof *model);
    model->guarded = guarded;
    for (context = 0; context < SCRIPT_CONTEXTS; context++)
        for (i = 0; i < MODEL_STREAMS; i++)
            model->streams[context][i].blocking = i < SCRIPT_MADE || i >= SCRIPT_STREAMS;
}

static inline struct model_stream *model_stream(struct model *model, int operand, int thread) {
    int stream = operand % SCRIPT_STREAMS;
    return &model->streams[operand / SCRIPT_STREAMS][stream == SCRIPT_OWN ? SCRIPT_STREAMS + thread : stream];
}

static inline int bit_count(uint64_t bits) {
    int count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* The capture that a stream is in, broken or not. */
static inline struct model_capture *capture_of(struct model_stream *stream) {
    if (stream->capture != NULL && !stream->capture->live)
        stream->capture = NULL;
    return stream->capture;
}

static inline int is_broken(struct model_stream *stream) {
    return capture_of(stream) != NULL && stream->capture->invalid;
}

/* R1: whether the capture bars unsafe calls of the thread. */
static inline int model_bars(const struct model *model, const struct model_capture *capture, int thread) {
    int mode = model->modes[thread];
    if (!capture->live)
        return 0;
    if (capture->thread == thread)
        return mode != GRAPHCAP_CAPTURE_MODE_RELAXED && capture->mode != GRAPHCAP_CAPTURE_MODE_RELAXED;
    return mode == GRAPHCAP_CAPTURE_MODE_GLOBAL && capture->mode == GRAPHCAP_CAPTURE_MODE_GLOBAL;
}

static inline gc_status model_unsafe(struct model *model, int thread) {
    gc_status status = GRAPHCAP_SUCCESS;
    unsigned i;
    for (i = 0; i < model->begun; i++)
        if (model_bars(model, &model->captures[i], thread)) {
            model->captures[i].invalid = 1;
            status = GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED;
        }
    return status;
}

/* Whether a stream of the context is in the capture; with `legacy` one that closes the legacy stream. */
static inline int model_is_in(struct model *model, const struct model_capture *capture, int context, int legacy) {
    int i;
    for (i = 0; i < MODEL_STREAMS; i++) {
        const struct model_stream *stream = &model->streams[context][i];
        if ((stream->blocking || !legacy) && !stream->dropped && stream->capture == capture)
            return 1;
    }
    return 0;
}

/* R2 for a whole context, and R3, which blocking streams matter to. */
static inline gc_status model_in_context(struct model *model, int context, int legacy, int harm) {
    gc_status status = GRAPHCAP_SUCCESS;
    unsigned i;
    for (i = 0; i < model->begun; i++) {
        struct model_capture *capture = &model->captures[i];
        if (!capture->live || !model_is_in(model, capture, context, legacy))
            continue;
        status = legacy ? GRAPHCAP_ERROR_CAPTURE_IMPLICIT : GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED;
        capture->invalid |= harm;
    }
    return status;
}

/* R2: what is illegal on a stream that is captured. */
static inline gc_status model_refused(struct model_stream *stream) {
    struct model_capture *capture = capture_of(stream);
    if (capture == NULL)
        return GRAPHCAP_SUCCESS;
    capture->invalid = 1;
    return GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED;
}

/* The nodes, and all that they depend on. */
static inline uint64_t model_closure(const struct model_drawing *drawing, uint64_t nodes) {
    uint64_t all = 0;
    unsigned i;
    for (i = 0; i < drawing->nodes; i++)
        if (nodes >> i & 1)
            all |= drawing->all[i];
    return all;
}

static inline int model_edges(const struct model_drawing *drawing) {
    unsigned i;
    int edges = 0;
    for (i = 0; i < drawing->nodes; i++)
        edges += bit_count(drawing->before[i]);
    return edges;
}

static inline gc_status model_work(struct model_stream *stream) {
    struct model_capture *capture = capture_of(stream);
    struct model_drawing *drawing;
    uint64_t node;
    if (capture == NULL)
        return GRAPHCAP_SUCCESS;
    if (capture->invalid)
        return GRAPHCAP_ERROR_CAPTURE_INVALIDATED;
    drawing = capture->drawing;
    node = (uint64_t)1 << drawing->nodes;
    drawing->before[drawing->nodes] = stream->frontier;
    drawing->all[drawing->nodes] = model_closure(drawing, stream->frontier) | node;
    drawing->nodes++;
    capture->own |= node;
    stream->frontier = node;
    return GRAPHCAP_SUCCESS;
}

/* A launch of a shape that cannot be. */
static inline gc_status model_impossible(struct model_stream *stream) {
    struct model_capture *capture = capture_of(stream);
    if (capture != NULL && capture->invalid)
        return GRAPHCAP_ERROR_CAPTURE_INVALIDATED;
    if (capture != NULL)
        capture->invalid = 1;
    return GRAPHCAP_ERROR_INVALID_VALUE;
}

/* `drawing` is what is captured into; NULL is for a new one. */
static inline gc_status model_begin(struct model *model, struct model_stream *stream, const struct step *step, int mode,
                                    struct model_drawing *drawing) {
    struct model_capture *capture;
    if (mode > GRAPHCAP_CAPTURE_MODE_RELAXED)
        return GRAPHCAP_ERROR_INVALID_VALUE;
    if (drawing != NULL && drawing->lost)
        return GRAPHCAP_ERROR_INVALID_VALUE;
    if (step->operands[0] % SCRIPT_STREAMS == SCRIPT_LEGACY) {
        if (model_in_context(model, step->operands[0] / SCRIPT_STREAMS, 1, 1) != GRAPHCAP_SUCCESS)
            return GRAPHCAP_ERROR_CAPTURE_IMPLICIT;
        return GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED;
    }
    if (capture_of(stream) != NULL || (drawing != NULL && drawing->captured))
        return GRAPHCAP_ERROR_ILLEGAL_STATE;
    capture = &model->captures[model->begun++];
    capture->mode = mode;
    capture->thread = step->thread;
    capture->context = step->operands[0] / SCRIPT_STREAMS;
    capture->live = 1;
    capture->drawing = drawing != NULL ? drawing : &model->drawings[model->drawn++];
    capture->drawing->captured = 1;
    stream->capture = capture;
    stream->origin = 1;
    stream->frontier = 0;
    return GRAPHCAP_SUCCESS;
}

/* The capture of an origin is over: what its end answers on that thread. */
static inline gc_status model_close(struct model_capture *capture, const struct model_stream *stream, int thread) {
    gc_status status = GRAPHCAP_SUCCESS;
    if (capture->invalid)
        status = GRAPHCAP_ERROR_CAPTURE_INVALIDATED;
    else if ((capture->own & ~model_closure(capture->drawing, stream->frontier | capture->released)) != 0)
        status = GRAPHCAP_ERROR_CAPTURE_UNJOINED;
    else if (capture->mode != GRAPHCAP_CAPTURE_MODE_RELAXED && capture->thread != thread)
        status = GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD;
    capture->live = 0;
    capture->drawing->captured = 0;
    capture->drawing->lost = status != GRAPHCAP_SUCCESS;
    return status;
}

static inline struct answer model_end(struct model *model, struct model_stream *stream, const struct step *step) {
    struct answer answer = {GRAPHCAP_SUCCESS, {0, 0}};
    struct model_capture *capture = capture_of(stream);
    struct model_graph *graph = &model->graphs[step->operands[1]];
    if (step->operands[0] % SCRIPT_STREAMS == SCRIPT_LEGACY)
        answer.status = model_in_context(model, step->operands[0] / SCRIPT_STREAMS, 1, 1);
    if (answer.status != GRAPHCAP_SUCCESS)
        return answer;
    if (capture == NULL) {
        answer.status = GRAPHCAP_ERROR_ILLEGAL_STATE;
        return answer;
    }
    if (!stream->origin) {
        capture->invalid = 1;
        answer.status = GRAPHCAP_ERROR_CAPTURE_UNMATCHED;
        return answer;
    }
    answer.status = model_close(capture, stream, step->thread);
    if (answer.status == GRAPHCAP_SUCCESS) {
        graph->made = 1;
        graph->dropped = 0;
        graph->context = capture->context;
        graph->drawing = capture->drawing;
        answer.values[0] = (int)graph->drawing->nodes;
        answer.values[1] = model_edges(graph->drawing);
    }
    return answer;
}

/* The next work of `stream` depends on that of `other`, or on nothing when that is NULL. */
static inline gc_status model_depend(struct model *model, struct model_stream *stream, struct model_stream *other,
                                     const struct step *step) {
    struct model_capture *capture = capture_of(stream), *named = other != NULL ? capture_of(other) : NULL;
    uint64_t nodes = named != NULL && !named->invalid ? other->frontier : 0;
    unsigned i;
    int k;
    for (k = other != NULL; k >= 0; k--)
        if (step->operands[k] % SCRIPT_STREAMS == SCRIPT_LEGACY &&
            model_in_context(model, step->operands[k] / SCRIPT_STREAMS, 1, 0) != GRAPHCAP_SUCCESS)
            return GRAPHCAP_ERROR_CAPTURE_IMPLICIT;
    if (capture == NULL)
        return GRAPHCAP_ERROR_ILLEGAL_STATE;
    if (capture->invalid)
        return GRAPHCAP_ERROR_CAPTURE_INVALIDATED;
    if (nodes != 0 && named->drawing != capture->drawing)
        return GRAPHCAP_ERROR_INVALID_VALUE;
    if (step->verb != VERB_DEPEND_ADD) {
        capture->released |= stream->frontier & ~nodes;
        stream->frontier = 0;
    }
    stream->frontier |= nodes;
    /* Also what others capture into the same graph may have been named. */
    for (i = 0; i < model->begun; i++)
        model->captures[i].steered |= model->captures[i].drawing == capture->drawing;
    return GRAPHCAP_SUCCESS;
}

static inline gc_status model_wait(struct model *model, struct model_stream *stream, int legacy, int context,
                                   const struct model_event *event) {
    struct model_capture *own = capture_of(stream), *other = event->capture;
    if (legacy && model_in_context(model, context, 1, 1) != GRAPHCAP_SUCCESS)
        return GRAPHCAP_ERROR_CAPTURE_IMPLICIT;
    if (legacy && other != NULL && other->live && !other->invalid) {
        other->invalid = 1;
        return GRAPHCAP_ERROR_CAPTURE_IMPLICIT;
    }
    if (own != NULL && own->invalid)
        return GRAPHCAP_ERROR_CAPTURE_INVALIDATED;
    if (!event->recorded && other == NULL)
        return GRAPHCAP_SUCCESS;
    if (other == NULL) {
        if (own == NULL)
            return GRAPHCAP_SUCCESS;
        own->invalid = 1;
        return GRAPHCAP_ERROR_CAPTURE_ISOLATION;
    }
    if (!other->live || other->invalid) {
        if (own != NULL)
            own->invalid = 1;
        return GRAPHCAP_ERROR_INVALID_VALUE;
    }
    if (own == NULL) {
        stream->capture = other;
        stream->origin = 0;
        stream->frontier = event->frontier;
        return GRAPHCAP_SUCCESS;
    }
    if (own == other) {
        stream->frontier |= event->frontier;
        return GRAPHCAP_SUCCESS;
    }
    own->invalid = other->invalid = 1;
    return GRAPHCAP_ERROR_CAPTURE_MERGE;
}

static inline gc_status model_record(struct model_stream *stream, struct model_event *event) {
    struct model_capture *capture = capture_of(stream);
    if (capture != NULL && capture->invalid)
        return GRAPHCAP_ERROR_CAPTURE_INVALIDATED;
    event->recorded = capture == NULL;
    event->capture = capture;
    event->frontier = stream->frontier;
    return GRAPHCAP_SUCCESS;
}

/* A record or a wait that is a node, and no node where nothing is captured. */
static inline gc_status model_external(struct model_stream *stream) {
    return capture_of(stream) != NULL ? model_work(stream) : GRAPHCAP_ERROR_ILLEGAL_STATE;
}

/* A question about an event, or waiting for it. */
static inline gc_status model_ask_event(struct model *model, const struct model_event *event, int thread) {
    if (event->capture == NULL)
        return model_unsafe(model, thread);
    if (!event->capture->live || event->capture->invalid)
        return GRAPHCAP_ERROR_INVALID_VALUE;
    event->capture->invalid = 1;
    return GRAPHCAP_ERROR_CAPTURED_EVENT;
}

/* The time between two events. */
static inline gc_status model_elapsed(struct model_event *const events[2]) {
    int i;
    for (i = 0; i < 2; i++) {
        const struct model_capture *capture = events[i]->capture;
        if (capture != NULL)
            return capture->live && !capture->invalid ? GRAPHCAP_ERROR_CAPTURED_EVENT : GRAPHCAP_ERROR_INVALID_VALUE;
        if (!events[i]->recorded)
            return GRAPHCAP_ERROR_INVALID_HANDLE;
    }
    return GRAPHCAP_SUCCESS;
}

static inline int model_usable(const struct model_graph *graph) {
    return graph->made && !graph->dropped;
}

static inline struct answer model_compare_ids(struct model *model, struct model_stream *first,
                                              struct model_stream *second, const struct step *step) {
    struct answer answer = {GRAPHCAP_SUCCESS, {0, 0}};
    struct model_capture *a = capture_of(first), *b = capture_of(second);
    int k;
    for (k = 0; k < 2; k++)
        if (step->operands[k] % SCRIPT_STREAMS == SCRIPT_LEGACY && answer.status == GRAPHCAP_SUCCESS)
            answer.status = model_in_context(model, step->operands[k] / SCRIPT_STREAMS, 1, 0);
    a = a != NULL && a->invalid ? NULL : a;
    b = b != NULL && b->invalid ? NULL : b;
    /* A capture is numbered as its graph is, in the order in which those were made. */
    answer.values[0] = a == b ? 0 : b != NULL && (a == NULL || a->drawing < b->drawing) ? 1 : 2;
    return answer;
}

/* Whether the call takes objects of several contexts. */
static inline int model_mixes(enum verb verb) {
    return verb == VERB_WAIT || verb == VERB_RECORD || verb == VERB_WAIT_EXTERNAL || verb == VERB_RECORD_EXTERNAL ||
           verb == VERB_ELAPSED || verb == VERB_LAUNCH || verb == VERB_UPLOAD;
}

/* Whether the call takes an event of the stream's device, or two of one. */
static inline int model_keeps_to_a_device(enum verb verb) {
    return verb == VERB_RECORD || verb == VERB_ELAPSED;
}

/* What the driver answers; the model is then as after it. */
static inline struct answer model_call(struct model *model, const struct step *step) {
    const char *kinds = script_verbs[step->verb].kinds;
    struct answer answer = {GRAPHCAP_SUCCESS, {0, 0}};
    struct model_stream *stream = NULL, *second = NULL;
    struct model_event *events[2] = {NULL, NULL};
    struct model_graph *graph = NULL, *exec = NULL;
    int i, dead = 0, legacy = 0, stream_context = -1, other_context = -1; /* of the two that have to agree */
    for (i = 0; kinds[i] != '\0'; i++) {
        int operand = step->operands[i];
        if (kinds[i] == 's') {
            second = model_stream(model, operand, step->thread);
            dead |= second->dropped;
            if (i == 0 || kinds[0] != 's') {
                stream = second;
                stream_context = operand / SCRIPT_STREAMS;
                legacy = operand % SCRIPT_STREAMS == SCRIPT_LEGACY;
            }
        } else if (kinds[i] == 'e') {
            if (events[0] != NULL)
                stream_context = other_context;
            other_context = operand / SCRIPT_MADE;
            events[events[0] != NULL] = &model->events[other_context][operand % SCRIPT_MADE];
            dead |= model->events[other_context][operand % SCRIPT_MADE].dropped;
        } else if (kinds[i] == 'g') {
            graph = &model->graphs[operand];
            /* The output of an end is no handle yet. To destroy NULL is fine. */
            /* A bad mode is found first. */
            if (step->verb == VERB_BEGIN_INTO && step->operands[2] <= GRAPHCAP_CAPTURE_MODE_RELAXED)
                other_context = graph->context;
            if (step->verb != VERB_END && step->verb != VERB_CREATE && step->verb != VERB_GRAPH_OF)
                dead |= graph->dropped || (!graph->made && step->verb != VERB_DROP_GRAPH);
        } else if (kinds[i] == 'x') {
            exec = &model->execs[operand];
            other_context = exec->context;
            if (step->verb != VERB_INSTANTIATE)
                dead |= exec->dropped || (!exec->made && step->verb != VERB_DROP_EXEC);
        }
    }
    if (dead) {
        answer.status = GRAPHCAP_ERROR_INVALID_HANDLE;
    } else if (stream_context >= 0 && other_context >= 0 && stream_context != other_context &&
               !model_mixes(step->verb)) {
        answer.status = GRAPHCAP_ERROR_INVALID_CONTEXT;
    } else if (stream_context >= 0 && other_context >= 0 && model_keeps_to_a_device(step->verb) &&
               script_device(stream_context) != script_device(other_context)) {
        if (legacy)
            answer.status = model_in_context(model, stream_context, 1, 1);
        if (answer.status == GRAPHCAP_SUCCESS)
            answer.status = GRAPHCAP_ERROR_INVALID_HANDLE;
    } else {
        switch (step->verb) {
        case VERB_BEGIN: answer.status = model_begin(model, stream, step, step->operands[1], NULL); break;
        case VERB_BEGIN_INTO:
            answer.status = model_begin(model, stream, step, step->operands[2], graph->drawing);
            break;
        case VERB_END: answer = model_end(model, stream, step); break;
        case VERB_STATUS:
        case VERB_CAPTURING:
            if (legacy)
                answer.status = model_in_context(model, stream_context, 1, 0);
            else if (capture_of(stream) != NULL)
                answer.values[0] =
                    step->verb == VERB_CAPTURING ? !stream->capture->invalid : 1 + stream->capture->invalid;
            break;
        case VERB_INFO:
            if (legacy)
                answer.status = model_in_context(model, stream_context, 1, 0);
            else if (capture_of(stream) != NULL && !stream->capture->invalid) {
                answer.values[0] = (int)stream->capture->drawing->nodes;
                answer.values[1] = bit_count(stream->frontier);
            }
            break;
        case VERB_COMPARE_IDS: answer = model_compare_ids(model, stream, second, step); break;
        case VERB_DEPEND_NONE: answer.status = model_depend(model, stream, NULL, step); break;
        case VERB_DEPEND_SET:
        case VERB_DEPEND_ADD: answer.status = model_depend(model, stream, second, step); break;
        case VERB_RECORD:
        case VERB_MEMSET:
        case VERB_VALUE_WRITE:
        case VERB_VALUE_WAIT:
        case VERB_VALUE_BATCH:
        case VERB_KERNEL:
        case VERB_HOST:
        case VERB_COPY_IN:
        case VERB_COPY_OUT:
        case VERB_COPY:
        case VERB_COPY_PINNED:
        case VERB_COPY_ROWS:
        case VERB_COPY_PEER:
        case VERB_MEMSET_ROWS:
        case VERB_COPY_BATCH:
            if (legacy)
                answer.status = model_in_context(model, stream_context, 1, 1);
            if (answer.status == GRAPHCAP_SUCCESS)
                answer.status = step->verb == VERB_RECORD ? model_record(stream, events[0]) : model_work(stream);
            /* Two copies are two nodes. */
            if (answer.status == GRAPHCAP_SUCCESS && step->verb == VERB_COPY_BATCH)
                answer.status = model_work(stream);
            break;
        case VERB_RECORD_EXTERNAL:
        case VERB_WAIT_EXTERNAL:
            if (legacy)
                answer.status = model_in_context(model, stream_context, 1, 1);
            if (answer.status == GRAPHCAP_SUCCESS)
                answer.status = model_external(stream);
            break;
        case VERB_PRIORITY:
            if (step->operands[0] % SCRIPT_STREAMS == SCRIPT_OWN && is_broken(stream))
                answer.status = GRAPHCAP_ERROR_CAPTURE_INVALIDATED;
            break;
        case VERB_ATTRIBUTE:
        case VERB_SET_ATTRIBUTE:
        case VERB_COPY_ATTRIBUTES:
            if (legacy || (second != stream && step->operands[1] % SCRIPT_STREAMS == SCRIPT_LEGACY))
                answer.status = model_in_context(model, stream_context, 1, 1);
            if (answer.status == GRAPHCAP_SUCCESS && (is_broken(stream) || is_broken(second)))
                answer.status = GRAPHCAP_ERROR_CAPTURE_INVALIDATED;
            break;
        case VERB_COPY_IN_NOW:
        case VERB_COPY_NOW:
        case VERB_MEMSET_NOW: answer.status = model_in_context(model, step->operands[0], 1, 1); break;
        case VERB_WAIT: answer.status = model_wait(model, stream, legacy, stream_context, events[0]); break;
        case VERB_SYNC_STREAM:
        case VERB_SYNC_STREAM_FOR:
        case VERB_QUERY_STREAM:
            answer.status = legacy ? model_in_context(model, stream_context, 1, 1) : model_refused(stream);
            if (answer.status == GRAPHCAP_SUCCESS)
                answer.status = model_unsafe(model, step->thread);
            break;
        case VERB_SYNC_EVENT:
        case VERB_SYNC_EVENT_FOR:
        case VERB_QUERY_EVENT: answer.status = model_ask_event(model, events[0], step->thread); break;
        case VERB_SYNC_CONTEXT_FOR:
        case VERB_SYNC_CONTEXT: answer.status = model_in_context(model, step->operands[0], 0, 1); break;
        case VERB_ELAPSED: answer.status = model_elapsed(events); break;
        case VERB_DEPEND_BADLY:
        case VERB_MEMSET_BEYOND:
        case VERB_COPY_BEYOND:
        case VERB_KERNEL_BARE: answer.status = GRAPHCAP_ERROR_INVALID_VALUE; break;
        case VERB_KERNEL_EMPTY:
        case VERB_KERNEL_HUGE:
            if (legacy)
                answer.status = model_in_context(model, stream_context, 1, 1);
            if (answer.status == GRAPHCAP_SUCCESS)
                answer.status = model_impossible(stream);
            break;
        case VERB_CREATE:
            memset(graph, 0, sizeof *graph);
            graph->made = 1;
            graph->drawing = &model->drawings[model->drawn++];
            break;
        case VERB_INSTANTIATE:
            answer.status = graph->drawing->lost ? GRAPHCAP_ERROR_INVALID_VALUE : model_unsafe(model, step->thread);
            if (answer.status == GRAPHCAP_SUCCESS) {
                memset(exec, 0, sizeof *exec);
                exec->made = 1;
                exec->context = graph->context;
            }
            break;
        case VERB_COUNT:
            if (graph->drawing->lost)
                answer.status = GRAPHCAP_ERROR_INVALID_VALUE;
            answer.values[0] = (int)graph->drawing->nodes;
            answer.values[1] = model_edges(graph->drawing);
            break;
        case VERB_GRAPH_OF:
            if (legacy)
                answer.status = model_in_context(model, stream_context, 1, 1);
            else if (capture_of(stream) == NULL)
                answer.status = GRAPHCAP_ERROR_ILLEGAL_STATE;
            else if (stream->capture->invalid)
                answer.status = GRAPHCAP_ERROR_CAPTURE_INVALIDATED;
            if (answer.status == GRAPHCAP_SUCCESS && !legacy) {
                memset(graph, 0, sizeof *graph);
                graph->made = 1;
                graph->context = stream->capture->context;
                graph->drawing = stream->capture->drawing;
            }
            break;
        case VERB_REMOVE_FIRST:
            /* No script removes a node that may go, and the model would not know how. */
            if (!graph->drawing->captured)
                exit(EXIT_FAILURE);
            answer.status = GRAPHCAP_ERROR_ILLEGAL_STATE;
            break;
        case VERB_UPLOAD:
            /* What was uploaded once needs no call of the driver's. */
            if (exec->uploaded)
                break;
            answer.status = legacy ? model_in_context(model, stream_context, 1, 1) : model_refused(stream);
            exec->uploaded = answer.status == GRAPHCAP_SUCCESS;
            break;
        case VERB_ATTACH:
        case VERB_LAUNCH:
            answer.status = legacy ? model_in_context(model, stream_context, 1, 1) : model_refused(stream);
            break;
        case VERB_DROP_STREAM:
            if (capture_of(stream) != NULL && stream->origin)
                model_close(stream->capture, stream, step->thread);
            stream->dropped = 1;
            break;
        case VERB_DROP_EVENT: events[0]->dropped = 1; break;
        case VERB_DROP_GRAPH: graph->dropped = graph->made; break;
        case VERB_DROP_EXEC: exec->dropped = exec->made; break;
        case VERB_MODE:
            if (step->operands[0] > GRAPHCAP_CAPTURE_MODE_RELAXED) {
                answer.status = GRAPHCAP_ERROR_INVALID_VALUE;
                break;
            }
            answer.values[0] = model->modes[step->thread];
            model->modes[step->thread] = step->operands[0];
            break;
        case VERB_QUIT: {
            /* The next thread of that number is another one. */
            int context;
            for (context = 0; context < SCRIPT_CONTEXTS; context++) {
                struct model_stream *own = &model->streams[context][SCRIPT_STREAMS + step->thread];
                if (capture_of(own) != NULL && own->origin)
                    model_close(own->capture, own, step->thread);
                own->capture = NULL;
            }
            for (i = 0; i < (int)model->begun; i++)
                if (model->captures[i].thread == step->thread)
                    model->captures[i].thread = -1;
            model->modes[step->thread] = GRAPHCAP_CAPTURE_MODE_GLOBAL;
            break;
        }
        default: break;
        }
    }
    if (answer.status != GRAPHCAP_SUCCESS)
        answer.values[0] = answer.values[1] = SCRIPT_ANY;
    return answer;
}

static inline int model_is_guarded(const struct model *model, const struct step *step) {
    int context = step->verb == VERB_INSTANTIATE ? model->graphs[step->operands[0]].context : script_context(step);
    return model->guarded >> context & 1;
}

/* The captures that go on and are whole, as bits. */
static inline uint64_t model_whole(const struct model *model) {
    uint64_t whole = 0;
    unsigned i;
    for (i = 0; i < model->begun; i++)
        whole |= (uint64_t)(model->captures[i].live && !model->captures[i].invalid) << i;
    return whole;
}

/* What the call answers; the model is then as after it. */
static inline struct answer model_step(struct model *model, const struct step *step) {
    uint64_t whole = model_whole(model);
    struct answer answer = model_call(model, step);
    uint64_t harmed = whole & ~model_whole(model);
    unsigned i;
    if (model->own_is_shared && script_verbs[step->verb].kinds[0] == 's' &&
        step->operands[0] % SCRIPT_STREAMS == SCRIPT_OWN) {
        struct model_capture *capture = capture_of(model_stream(model, step->operands[0], step->thread));
        if (capture != NULL)
            capture->steered = 1;
    }
    if (answer.status == GRAPHCAP_SUCCESS || !model_is_guarded(model, step))
        return answer;
    for (i = 0; harmed >> i != 0; i++) {
        struct model_capture *capture = &model->captures[i];
        int may_end = capture->mode == GRAPHCAP_CAPTURE_MODE_RELAXED || capture->thread == step->thread;
        if ((harmed >> i & 1) == 0)
            continue;
        if (answer.status == GRAPHCAP_ERROR_CAPTURE_UNJOINED && capture->steered) {
            if (may_end)
                continue;
            /* What the driver would say of the joins is not asked. */
            answer.status = GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD;
        }
        capture->live = capture->drawing->captured = 1;
        capture->invalid = capture->drawing->lost = 0;
    }
    return answer;
}

#endif
