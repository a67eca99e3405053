/* A language for what threads do with streams, events and captures, and what runs it on a device. The cases of
 * conformance_data.h are written in it; random_captures.c makes programs in it, and tells in it what it finds wrong.
 *
 * Statements are separated by ';' and read "t1: wait b0 e2 -> 905": thread (t0 if none is named; threads take turns in
 * the order of the statements), call, what it is made on, answer (0 if none is named; '?' for any), and then what the
 * call tells, where it tells something ('*' for anything). Objects are named by letter and number:
 *   b0 to b3 blocking streams, n0 to n3 non-blocking ones, legacy, own (the default stream of the thread that calls),
 *   e0 to e3 events, g0 to g3 graphs, x0 to x3 graph execs.
 * "1." in front of a stream or an event means a second context on the same device, "2." one on another device. */
#ifndef GRAPHCAP_TESTS_CAPTURE_SCRIPT_H
#define GRAPHCAP_TESTS_CAPTURE_SCRIPT_H

#include "kernels.h"

#include <ctype.h>

enum {
    SCRIPT_CONTEXTS = 3,
    SCRIPT_THREADS = 3,
    SCRIPT_MADE = 4,                 /* streams of a kind, events, graphs and execs */
    SCRIPT_LEGACY = 2 * SCRIPT_MADE, /* streams of a context: blocking, non-blocking, then these two */
    SCRIPT_OWN,
    SCRIPT_STREAMS,
    SCRIPT_STEPS = 63,
    SCRIPT_OPERANDS = 3,
    SCRIPT_VALUES = 2,
    SCRIPT_ANY = -1,
    SCRIPT_ANY_STATUS = INT32_MIN
};

/* Name; what it is made on: s stream, e event, g graph, x exec, m mode, c context; how many values it tells. */
#define VERBS(VERB)                                  \
    VERB(NOTHING, "nothing", "", 0)                  \
    VERB(BEGIN, "begin", "sm", 0)                    \
    VERB(BEGIN_INTO, "begin-into", "sgm", 0)         \
    VERB(END, "end", "sg", 2)                        \
    VERB(STATUS, "status", "s", 1)                   \
    VERB(CAPTURING, "capturing", "s", 1)             \
    VERB(INFO, "info", "s", 2)                       \
    VERB(VIOLATION, "violation", "s", 1)             \
    VERB(COMPARE_IDS, "compare-ids", "ss", 1)        \
    VERB(DEPEND_NONE, "depend-none", "s", 0)         \
    VERB(DEPEND_BADLY, "depend-badly", "s", 0)       \
    VERB(DEPEND_SET, "depend-set", "ss", 0)          \
    VERB(DEPEND_ADD, "depend-add", "ss", 0)          \
    VERB(RECORD, "record", "es", 0)                  \
    VERB(WAIT, "wait", "se", 0)                      \
    VERB(RECORD_EXTERNAL, "record-external", "es", 0) \
    VERB(WAIT_EXTERNAL, "wait-external", "se", 0)    \
    VERB(CONTEXT_OF, "context-of", "s", 0)           \
    VERB(FLAGS, "flags", "s", 0)                     \
    VERB(PRIORITY, "priority", "s", 0)               \
    VERB(ATTRIBUTE, "attribute", "s", 0)             \
    VERB(SET_ATTRIBUTE, "set-attribute", "s", 0)     \
    VERB(COPY_ATTRIBUTES, "copy-attributes", "ss", 0) \
    VERB(SYNC_STREAM_FOR, "sync-for", "s", 0)        \
    VERB(SYNC_EVENT_FOR, "sync-for", "e", 0)         \
    VERB(SYNC_CONTEXT_FOR, "sync-for", "c", 0)       \
    VERB(SYNC_STREAM, "sync", "s", 0)                \
    VERB(SYNC_EVENT, "sync", "e", 0)                 \
    VERB(SYNC_CONTEXT, "sync", "c", 0)               \
    VERB(QUERY_STREAM, "query", "s", 0)              \
    VERB(QUERY_EVENT, "query", "e", 0)               \
    VERB(ELAPSED, "elapsed", "ee", 0)                \
    VERB(MEMSET, "memset", "s", 0)                   \
    VERB(MEMSET_NONE, "memset-none", "s", 0)         \
    VERB(MEMSET_BEYOND, "memset-beyond", "s", 0)     \
    VERB(VALUE_WRITE, "value-write", "s", 0)         \
    VERB(VALUE_WAIT, "value-wait", "s", 0)           \
    VERB(VALUE_BATCH, "value-batch", "s", 0)         \
    VERB(KERNEL, "kernel", "s", 0)                   \
    VERB(KERNEL_EMPTY, "kernel-empty", "s", 0)       \
    VERB(KERNEL_HUGE, "kernel-huge", "s", 0)         \
    VERB(KERNEL_BARE, "kernel-bare", "s", 0)         \
    VERB(HOST, "host", "s", 0)                       \
    VERB(COPY_IN, "copy-in", "s", 0)                 \
    VERB(COPY_OUT, "copy-out", "s", 0)               \
    VERB(COPY, "copy", "s", 0)                       \
    VERB(COPY_BEYOND, "copy-beyond", "s", 0)         \
    VERB(COPY_PINNED, "copy-pinned", "s", 0)         \
    VERB(COPY_ROWS, "copy-rows", "s", 0)             \
    VERB(COPY_PEER, "copy-peer", "s", 0)             \
    VERB(COPY_BATCH, "copy-batch", "s", 0)           \
    VERB(MEMSET_ROWS, "memset-rows", "s", 0)         \
    VERB(COPY_IN_NOW, "copy-in-now", "c", 0)         \
    VERB(COPY_NOW, "copy-now", "c", 0)               \
    VERB(MEMSET_NOW, "memset-now", "c", 0)           \
    VERB(CREATE, "create", "g", 0)                   \
    VERB(INSTANTIATE, "instantiate", "gx", 0)        \
    VERB(COUNT, "count", "g", 2)                     \
    VERB(GRAPH_OF, "graph-of", "sg", 0)              \
    VERB(REMOVE_FIRST, "remove-first", "g", 0)       \
    VERB(LAUNCH, "launch", "xs", 0)                  \
    VERB(UPLOAD, "upload", "xs", 0)                  \
    VERB(DROP_STREAM, "drop", "s", 0)                \
    VERB(DROP_EVENT, "drop", "e", 0)                 \
    VERB(DROP_GRAPH, "drop", "g", 0)                 \
    VERB(DROP_EXEC, "drop", "x", 0)                  \
    VERB(NEW_STREAM, "new-stream", "c", 0)           \
    VERB(NEW_EVENT, "new-event", "c", 0)             \
    VERB(DEFAULT_STREAMS, "default-streams", "c", 0) \
    VERB(ALLOCATE, "allocate", "c", 0)               \
    VERB(FREE, "free", "c", 0)                       \
    VERB(ALLOCATE_WAITABLE, "allocate-waitable", "c", 0) \
    VERB(ALLOCATE_MANAGED, "allocate-managed", "c", 0) \
    VERB(ATTACH, "attach", "s", 0)                   \
    VERB(WRAP, "wrap", "c", 0)                       \
    VERB(PIN, "pin", "c", 0)                         \
    VERB(PIN_GIVEN, "pin-given", "c", 0)             \
    VERB(UNPIN, "unpin", "c", 0)                     \
    VERB(LOAD, "load", "c", 0)                       \
    VERB(UNLOAD, "unload", "c", 0)                   \
    VERB(COLLECT, "collect", "c", 0)                 \
    VERB(KERNEL_ATTRIBUTE, "kernel-attribute", "c", 0) \
    VERB(SET_KERNEL_ATTRIBUTE, "set-kernel-attribute", "c", 0) \
    VERB(OCCUPANCY, "occupancy", "c", 0)             \
    VERB(GRAPH_MEMORY, "graph-memory", "c", 0)       \
    VERB(TRIM_GRAPH_MEMORY, "trim-graph-memory", "c", 0) \
    VERB(MODE, "mode", "m", 1)                       \
    VERB(QUIT, "quit", "", 0)

enum verb {
#define VERB_NUMBER(number, name, kinds, values) VERB_##number,
    VERBS(VERB_NUMBER) VERB_COUNT_OF
};

static const struct {
    const char *name, *kinds;
    int values;
} script_verbs[] = {
#define VERB_ROW(number, name, kinds, values) {name, kinds, values},
    VERBS(VERB_ROW)};

/* What a call answered, or has to. */
struct answer {
    gc_status status;
    int values[SCRIPT_VALUES];
};

/* Operands are indices: of a stream or an event by context, of the others as they are. */
struct step {
    enum verb verb;
    int thread, operands[SCRIPT_OPERANDS];
    struct answer expected;
};

struct script {
    struct step steps[SCRIPT_STEPS];
    unsigned length;
};

static const char *const script_modes[] = {"global", "local", "relaxed", "bad"};
static const char *const script_states[] = {"none", "active", "invalid"};

/* The context that makes the call. */
static inline int script_context(const struct step *step) {
    const char *kinds = script_verbs[step->verb].kinds;
    /* An event is recorded by the stream's context. */
    if (kinds[0] == 'e' && kinds[1] == 's')
        return step->operands[1] / SCRIPT_STREAMS;
    return kinds[0] == 's'   ? step->operands[0] / SCRIPT_STREAMS
           : kinds[0] == 'e' ? step->operands[0] / SCRIPT_MADE
           : kinds[0] == 'c' ? step->operands[0]
           : kinds[0] != '\0' && kinds[1] == 's' ? step->operands[1] / SCRIPT_STREAMS
                                                 : 0;
}

/* The device that a context is on. */
static inline int script_device(int context) {
    return context == 2;
}

/* ---- Text ---- */

static inline int word_is(const char *word, size_t length, const char *name) {
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

static inline int find_word(const char *const *names, int count, const char *word, size_t length) {
    int i;
    for (i = 0; i < count; i++)
        if (word_is(word, length, names[i]))
            return i;
    return -1;
}

/* The index of what `word` names, which is of kind `kind`; -1 if it is not. */
static inline int parse_operand(char kind, const char *word, size_t length) {
    int context = 0, number;
    if (kind == 'm')
        return find_word(script_modes, 4, word, length);
    if (length > 2 && word[1] == '.') {
        context = word[0] - '0';
        word += 2;
        length -= 2;
    }
    if (context < 0 || context >= SCRIPT_CONTEXTS)
        return -1;
    if (kind == 'c')
        return word_is(word, length, "context") ? context : -1;
    if (kind == 's' && word_is(word, length, "legacy"))
        return context * SCRIPT_STREAMS + SCRIPT_LEGACY;
    if (kind == 's' && word_is(word, length, "own"))
        return context * SCRIPT_STREAMS + SCRIPT_OWN;
    number = length == 2 ? word[1] - '0' : -1;
    if (number < 0 || number >= SCRIPT_MADE)
        return -1;
    switch (kind) {
    case 's':
        return word[0] == 'b'   ? context * SCRIPT_STREAMS + number
               : word[0] == 'n' ? context * SCRIPT_STREAMS + SCRIPT_MADE + number
                                : -1;
    case 'e': return word[0] == 'e' ? context * SCRIPT_MADE + number : -1;
    default: return word[0] == kind ? number : -1;
    }
}

static inline const char *next_word(const char *text, size_t *length) {
    while (*text == ' ')
        text++;
    *length = strcspn(text, " ;");
    return text;
}

/* A number, or one of the words that stand for numbers in answers. */
static inline int parse_value(const char *word, size_t length) {
    int value = word_is(word, length, "*") ? SCRIPT_ANY : find_word(script_states, 3, word, length);
    if (value == -1 && !word_is(word, length, "*"))
        value = find_word(script_modes, 3, word, length);
    return value == -1 && !word_is(word, length, "*") ? atoi(word) : value;
}

/* Reads a statement from `text`; gives where it ends, NULL when it is none. */
static inline const char *parse_step(const char *text, struct step *step) {
    const char *words[1 + SCRIPT_OPERANDS];
    size_t lengths[1 + SCRIPT_OPERANDS], length;
    int count = 0, verb, i;
    memset(step, 0, sizeof *step);
    step->expected.values[0] = step->expected.values[1] = SCRIPT_ANY;
    text = next_word(text, &length);
    if (length == 3 && text[0] == 't' && text[2] == ':') {
        step->thread = text[1] - '0';
        text = next_word(text + length, &length);
    }
    while (length > 0 && !word_is(text, length, "->")) {
        if (count == 1 + SCRIPT_OPERANDS)
            return NULL;
        words[count] = text;
        lengths[count++] = length;
        text = next_word(text + length, &length);
    }
    for (verb = 0; verb < VERB_COUNT_OF; verb++) {
        const char *kinds = script_verbs[verb].kinds;
        if (count != (int)strlen(kinds) + 1 || !word_is(words[0], lengths[0], script_verbs[verb].name))
            continue;
        for (i = 0; kinds[i] != '\0'; i++)
            if ((step->operands[i] = parse_operand(kinds[i], words[i + 1], lengths[i + 1])) < 0)
                break;
        if (kinds[i] == '\0')
            break;
    }
    if (verb == VERB_COUNT_OF || step->thread < 0 || step->thread >= SCRIPT_THREADS)
        return NULL;
    step->verb = (enum verb)verb;
    if (length > 0) {
        text = next_word(text + length, &length);
        step->expected.status = word_is(text, length, "?") ? SCRIPT_ANY_STATUS : atoi(text);
        for (i = 0, text = next_word(text + length, &length); length > 0; text = next_word(text + length, &length)) {
            if (i >= script_verbs[verb].values)
                return NULL;
            step->expected.values[i++] = parse_value(text, length);
        }
    }
    return text;
}

/* Ends the program where the text is wrong: a test that misreads its data would test nothing. */
static inline void parse_script(const char *text, struct script *script) {
    const char *at = text;
    script->length = 0;
    while (at[strspn(at, " ;")] != '\0') {
        at += strspn(at, " ;");
        at = script->length < SCRIPT_STEPS ? parse_step(at, &script->steps[script->length++]) : NULL;
        if (at == NULL) {
            fprintf(stderr, "cannot read statement %u of: %s\n", script->length, text);
            exit(EXIT_FAILURE);
        }
    }
}

static inline void print_operand(char *text, size_t capacity, char kind, int operand) {
    int context = 0;
    char name[16] = "";
    if (kind == 's') {
        int stream = operand % SCRIPT_STREAMS;
        context = operand / SCRIPT_STREAMS;
        if (stream >= SCRIPT_LEGACY)
            snprintf(name, sizeof name, "%s", stream == SCRIPT_LEGACY ? "legacy" : "own");
        else
            snprintf(name, sizeof name, "%c%d", stream < SCRIPT_MADE ? 'b' : 'n', stream % SCRIPT_MADE);
    } else if (kind == 'm') {
        snprintf(name, sizeof name, "%s", script_modes[operand]);
    } else if (kind == 'c') {
        context = operand;
        snprintf(name, sizeof name, "context");
    } else {
        context = kind == 'e' ? operand / SCRIPT_MADE : 0;
        snprintf(name, sizeof name, "%c%d", kind, operand % SCRIPT_MADE);
    }
    if (context == 0)
        snprintf(text, capacity, "%s", name);
    else
        snprintf(text, capacity, "%d.%s", context, name);
}

static inline void print_call(char *text, size_t capacity, const struct step *step) {
    char operands[SCRIPT_OPERANDS][24] = {"", "", ""};
    char thread[8] = "";
    const char *kinds = script_verbs[step->verb].kinds;
    int i;
    for (i = 0; kinds[i] != '\0'; i++) {
        operands[i][0] = ' ';
        print_operand(operands[i] + 1, sizeof operands[i] - 1, kinds[i], step->operands[i]);
    }
    if (step->thread != 0)
        snprintf(thread, sizeof thread, "t%d: ", step->thread);
    snprintf(text, capacity, "%s%s%s%s%s", thread, script_verbs[step->verb].name, operands[0], operands[1],
             operands[2]);
}

static inline void print_answer(char *text, size_t capacity, enum verb verb, const struct answer *answer) {
    char values[SCRIPT_VALUES][16] = {"", ""};
    char status[16];
    int i;
    for (i = 0; i < script_verbs[verb].values; i++) {
        int value = answer->values[i];
        if (value == SCRIPT_ANY)
            snprintf(values[i], sizeof values[i], " *");
        else if (verb == VERB_STATUS && value <= 2)
            snprintf(values[i], sizeof values[i], " %s", script_states[value]);
        else if (verb == VERB_MODE && value <= 2)
            snprintf(values[i], sizeof values[i], " %s", script_modes[value]);
        else
            snprintf(values[i], sizeof values[i], " %d", value);
    }
    snprintf(status, sizeof status, answer->status == SCRIPT_ANY_STATUS ? "?" : "%d", (int)answer->status);
    snprintf(text, capacity, "%s%s%s", status, values[0], values[1]);
}

static inline int answers_match(const struct answer *expected, const struct answer *got) {
    int i;
    if (expected->status != SCRIPT_ANY_STATUS && expected->status != got->status)
        return 0;
    for (i = 0; i < SCRIPT_VALUES; i++)
        if (expected->values[i] != SCRIPT_ANY && expected->values[i] != got->values[i])
            return 0;
    return 1;
}

/* ---- Running ---- */

/* What a context has for scripts. Streams and events are made for a script; the rest stays. */
struct set {
    gc_context *context;
    gc_module *module, *spare_module;
    gc_kernel *add;
    gc_buffer *buffer, *managed, *spare;
    gc_host_buffer *pinned, *spare_pinned;
    gc_stream *streams[SCRIPT_STREAMS];
    gc_event *events[SCRIPT_MADE];
};

struct worker {
    struct stage *stage;
    pthread_t thread;
    int index, running, used;
    const struct step *step; /* what it is to do; NULL when it is done */
    struct answer answer;
};

/* Where scripts run. Objects that a script destroyed keep their dead handles until it is over. */
struct stage {
    struct set sets[SCRIPT_CONTEXTS];
    gc_graph *graphs[SCRIPT_MADE];
    gc_graph_exec *execs[SCRIPT_MADE];
    struct worker workers[SCRIPT_THREADS];
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* In nanoseconds. */
static const uint64_t SCRIPT_LIMIT = 60000000000u;

/* What copies read and write; graphs may do so whenever they run. */
static uint32_t script_words[64];
static unsigned script_calls;

static inline gc_status drop_answer(gc_status made, gc_status dropped) {
    return made != GRAPHCAP_SUCCESS ? made : dropped;
}

static inline gc_status launch_shape(struct set *set, const gc_stream *stream, uint32_t blocks, uint32_t threads,
                                     size_t arguments_given) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(set->buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    return launch(stream, set->add, blocks, threads, arguments, arguments_given);
}

static inline gc_status count_graph(const gc_graph *graph, struct answer *answer) {
    size_t nodes = 0, edges = 0, needed;
    gc_status status = gc_graph_node_count(graph, &nodes);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_graph_edge_count(graph, &edges);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_graph_get_nodes(graph, NULL, 0, &needed);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_graph_get_edges(graph, NULL, NULL, NULL, 0, &needed);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_graph_export_dot(graph, 0, NULL, 0, &needed);
    answer->values[0] = (int)nodes;
    answer->values[1] = (int)edges;
    return status;
}

/* Whether two streams are in the same capture (0), the second in one that began later (1), or earlier (2). */
static inline struct answer compare_ids(const gc_stream *first, const gc_stream *second) {
    gc_capture_info a = GRAPHCAP_CAPTURE_INFO_INIT, b = GRAPHCAP_CAPTURE_INFO_INIT;
    struct answer answer = {GRAPHCAP_SUCCESS, {0, 0}};
    gc_status others = gc_stream_capture_info(second, &b);
    answer.status = gc_stream_capture_info(first, &a);
    /* Dead handles are told first, as by a call that takes both. */
    if (answer.status == GRAPHCAP_SUCCESS || others == GRAPHCAP_ERROR_INVALID_HANDLE)
        answer.status = others;
    answer.values[0] = a.id == b.id ? 0 : a.id < b.id ? 1 : 2;
    return answer;
}

/* The next work of `stream` depends on what that of `other` does. */
static inline gc_status depend_on(const gc_stream *stream, const gc_stream *other, uint32_t flags) {
    gc_node nodes[SCRIPT_STEPS];
    size_t count = 0;
    int32_t capturing;
    gc_status status = gc_stream_capture_frontier(other, nodes, SCRIPT_STEPS, &count);
    if (gc_stream_is_capturing(stream, &capturing) == GRAPHCAP_ERROR_INVALID_HANDLE)
        return GRAPHCAP_ERROR_INVALID_HANDLE;
    return status != GRAPHCAP_SUCCESS ? status : gc_stream_update_capture_dependencies(stream, nodes, NULL, count, flags);
}

static inline gc_status make_spare_module(struct set *set) {
    gc_module_description description = test_module();
    gc_kernel *kernel = NULL;
    gc_status status = gc_module_load(set->context, &description, &set->spare_module);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_module_get_kernel(set->spare_module, "add", &kernel);
    return drop_answer(status, gc_kernel_destroy(kernel));
}

/* Both as one piece of work, with a wait that need not wait. */
static inline gc_status write_and_wait(const gc_stream *stream, const gc_buffer *buffer) {
    gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 0, 1, GRAPHCAP_WRITE_VALUE_DEFAULT),
                              GRAPHCAP_MEM_OP_INIT_WAIT64(buffer, 48, 1, GRAPHCAP_WAIT_VALUE_NOR)};
    return gc_stream_batch_mem_op(stream, operations, LENGTH_OF(operations), 0);
}

/* Two rows that lie apart, and leave the zeros alone that waits are for. */
static inline gc_memcpy_params two_rows(const gc_buffer *buffer) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, buffer, 8, 4);
    copy.height = 2;
    copy.destination_pitch = copy.source_pitch = 16;
    return copy;
}

/* The same two as copies of their own, by one call. */
static inline gc_status copy_two(const gc_stream *stream, const gc_buffer *buffer) {
    const gc_memcpy_params copies[] = {GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, buffer, 8, 4),
                                       GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 16, buffer, 24, 4)};
    return gc_stream_memcpy_batch(stream, copies, LENGTH_OF(copies), NULL);
}

/* Pins memory of the program's and lets it go again. It has pages of its own, and is freed when it is pinned no more. */
static inline gc_status pin_given(const gc_context *context) {
    enum { PAGE = 4096 };
    gc_host_buffer *made = NULL;
    void *memory = NULL;
    gc_status status;
    if (posix_memalign(&memory, PAGE, PAGE) != 0)
        exit(EXIT_FAILURE);
    status = gc_host_buffer_register(context, memory, PAGE, 0, memory, free, &made);
    return drop_answer(status, gc_host_buffer_destroy(made));
}

/* Another context of the stage, or the same one where that is all. */
static inline const struct set *peer_of(const struct stage *stage, const struct set *set) {
    int i;
    for (i = 0; i < SCRIPT_CONTEXTS; i++)
        if (&stage->sets[i] != set && stage->sets[i].buffer != NULL)
            return &stage->sets[i];
    return set;
}

/* Makes the call of `step` on the calling thread. */
static inline struct answer make_step(struct stage *stage, const struct step *step) {
    const char *kinds = script_verbs[step->verb].kinds;
    struct set *set = &stage->sets[script_context(step)];
    struct answer answer = {GRAPHCAP_SUCCESS, {0, 0}};
    gc_stream *stream = NULL, *second = NULL;
    gc_event *events[2] = {NULL, NULL};
    gc_graph *graph = NULL, **graph_place = NULL;
    gc_graph_exec *exec = NULL, **exec_place = NULL;
    gc_buffer *buffer = NULL;
    gc_capture_state state = 0;
    gc_capture_mode mode = 0;
    int32_t yes = 0;
    size_t needed;
    float milliseconds = 0;
    int i;
    for (i = 0; kinds[i] != '\0'; i++) {
        int operand = step->operands[i];
        switch (kinds[i]) {
        case 's':
            second = stage->sets[operand / SCRIPT_STREAMS].streams[operand % SCRIPT_STREAMS];
            stream = stream != NULL ? stream : second;
            break;
        case 'e': events[events[0] != NULL] = stage->sets[operand / SCRIPT_MADE].events[operand % SCRIPT_MADE]; break;
        case 'g': graph_place = &stage->graphs[operand]; break;
        case 'x': exec_place = &stage->execs[operand]; break;
        case 'm': mode = operand; break;
        default: break;
        }
    }
    switch (step->verb) {
    case VERB_NOTHING: break;
    case VERB_BEGIN: answer.status = gc_stream_begin_capture(stream, mode); break;
    case VERB_BEGIN_INTO: answer.status = gc_stream_begin_capture_to_graph(stream, *graph_place, NULL, 0, mode); break;
    case VERB_END:
        answer.status = gc_stream_end_capture(stream, &graph);
        if (answer.status == GRAPHCAP_SUCCESS) {
            gc_graph_destroy(*graph_place);
            *graph_place = graph;
            CHECK_OK(count_graph(graph, &answer));
        } else {
            CHECK(graph == NULL);
        }
        break;
    case VERB_STATUS:
        answer.status = gc_stream_capture_status(stream, &state);
        answer.values[0] = state;
        break;
    case VERB_CAPTURING:
        answer.status = gc_stream_is_capturing(stream, &yes);
        answer.values[0] = yes;
        break;
    case VERB_INFO: {
        gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
        answer.status = gc_stream_capture_info(stream, &info);
        answer.values[0] = (int)info.node_count;
        answer.values[1] = (int)info.frontier_count;
        break;
    }
    case VERB_VIOLATION: {
        gc_violation violation = 0;
        answer.status = gc_stream_capture_violation(stream, &violation, NULL, 0, &needed);
        answer.values[0] = (int)violation;
        break;
    }
    case VERB_COMPARE_IDS: answer = compare_ids(stream, second); break;
    case VERB_DEPEND_NONE:
        answer.status = gc_stream_update_capture_dependencies(stream, NULL, NULL, 0, GRAPHCAP_CAPTURE_DEPENDENCIES_SET);
        break;
    case VERB_DEPEND_BADLY: answer.status = gc_stream_update_capture_dependencies(stream, NULL, NULL, 0, 2); break;
    case VERB_DEPEND_SET: answer.status = depend_on(stream, second, GRAPHCAP_CAPTURE_DEPENDENCIES_SET); break;
    case VERB_DEPEND_ADD: answer.status = depend_on(stream, second, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD); break;
    case VERB_RECORD: answer.status = gc_event_record(events[0], stream, 0); break;
    case VERB_WAIT: answer.status = gc_stream_wait_event(stream, events[0], 0); break;
    case VERB_RECORD_EXTERNAL:
        answer.status = gc_event_record(events[0], stream, GRAPHCAP_EVENT_RECORD_EXTERNAL);
        break;
    case VERB_WAIT_EXTERNAL:
        answer.status = gc_stream_wait_event(stream, events[0], GRAPHCAP_EVENT_WAIT_EXTERNAL);
        break;
    case VERB_CONTEXT_OF: {
        gc_context *context = NULL;
        answer.status = gc_stream_get_context(stream, &context);
        answer.status = drop_answer(answer.status, gc_context_destroy(context));
        break;
    }
    case VERB_FLAGS: {
        uint32_t flags = 0;
        answer.status = gc_stream_flags(stream, &flags);
        break;
    }
    case VERB_PRIORITY: answer.status = gc_stream_priority(stream, &yes); break;
    case VERB_ATTRIBUTE: {
        gc_stream_attribute_value value;
        answer.status = gc_stream_get_attribute(stream, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value);
        break;
    }
    case VERB_SET_ATTRIBUTE: {
        gc_stream_attribute_value value;
        memset(&value, 0, sizeof value);
        value.synchronization_policy = GRAPHCAP_SYNCHRONIZATION_POLICY_AUTO;
        answer.status = gc_stream_set_attribute(stream, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value);
        break;
    }
    case VERB_COPY_ATTRIBUTES: answer.status = gc_stream_copy_attributes(stream, second); break;
    /* No script has work that would take as long. */
    case VERB_SYNC_STREAM_FOR: answer.status = gc_stream_synchronize_for(stream, SCRIPT_LIMIT); break;
    case VERB_SYNC_EVENT_FOR: answer.status = gc_event_synchronize_for(events[0], SCRIPT_LIMIT); break;
    case VERB_SYNC_CONTEXT_FOR: answer.status = gc_context_synchronize_for(set->context, SCRIPT_LIMIT); break;
    case VERB_SYNC_STREAM: answer.status = gc_stream_synchronize(stream); break;
    case VERB_SYNC_EVENT: answer.status = gc_event_synchronize(events[0]); break;
    case VERB_SYNC_CONTEXT: answer.status = gc_context_synchronize(set->context); break;
    case VERB_QUERY_STREAM: answer.status = gc_stream_is_complete(stream, &yes); break;
    case VERB_QUERY_EVENT: answer.status = gc_event_is_complete(events[0], &yes); break;
    case VERB_ELAPSED:
        answer.status = gc_event_elapsed_time(events[0], events[1], &milliseconds);
        /* Whether the work has run is not what a script tells. */
        if (answer.status == GRAPHCAP_ERROR_NOT_READY)
            answer.status = GRAPHCAP_SUCCESS;
        break;
    case VERB_MEMSET: answer.status = gc_stream_memset(stream, set->buffer, 0, 1, 4, 1); break;
    case VERB_MEMSET_NONE: answer.status = gc_stream_memset(stream, set->buffer, 0, 1, 4, 0); break;
    case VERB_VALUE_WRITE: answer.status = gc_stream_write_value32(stream, set->buffer, 0, 1, 0); break;
    case VERB_VALUE_WAIT:
        /* For the zeros of a word that nothing writes. */
        answer.status = gc_stream_wait_value32(stream, set->buffer, 48, 0, GRAPHCAP_WAIT_VALUE_EQ);
        break;
    case VERB_VALUE_BATCH: answer.status = write_and_wait(stream, set->buffer); break;
    case VERB_MEMSET_BEYOND: answer.status = gc_stream_memset(stream, set->buffer, 0, 1, 4, 17); break;
    case VERB_KERNEL: answer.status = launch_shape(set, stream, 1, 1, 3); break;
    case VERB_KERNEL_EMPTY: answer.status = launch_shape(set, stream, 0, 1, 3); break;
    case VERB_KERNEL_HUGE: answer.status = launch_shape(set, stream, 1, 2000, 3); break;
    case VERB_KERNEL_BARE: answer.status = launch_shape(set, stream, 1, 1, 0); break;
    case VERB_HOST: answer.status = gc_stream_launch_host_func(stream, count_call, &script_calls, NULL); break;
    case VERB_COPY_IN: answer.status = gc_stream_memcpy_htod(stream, set->buffer, 0, script_words, 4); break;
    case VERB_COPY_OUT: answer.status = gc_stream_memcpy_dtoh(stream, script_words + 1, set->buffer, 0, 4); break;
    case VERB_COPY: answer.status = gc_stream_memcpy_dtod(stream, set->buffer, 0, set->buffer, 8, 4); break;
    case VERB_COPY_BEYOND: answer.status = gc_stream_memcpy_htod(stream, set->buffer, 63, script_words, 4); break;
    case VERB_COPY_PINNED: {
        gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(set->buffer, 0, NULL, 4);
        copy.source_host_buffer = set->pinned;
        answer.status = gc_stream_memcpy(stream, &copy);
        break;
    }
    case VERB_COPY_ROWS: {
        gc_memcpy_params copy = two_rows(set->buffer);
        answer.status = gc_stream_memcpy(stream, &copy);
        break;
    }
    case VERB_COPY_PEER:
        answer.status = gc_stream_memcpy_peer(stream, set->buffer, 0, peer_of(stage, set)->buffer, 8, 4);
        break;
    case VERB_COPY_BATCH: answer.status = copy_two(stream, set->buffer); break;
    case VERB_MEMSET_ROWS: {
        gc_memset_params rows = GRAPHCAP_MEMSET_INIT(set->buffer, 0, 1, 4, 1, 2, 16);
        answer.status = gc_stream_memset_2d(stream, &rows);
        break;
    }
    case VERB_COPY_IN_NOW: {
        gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(set->buffer, 0, script_words, 4);
        answer.status = gc_context_memcpy(set->context, &copy);
        break;
    }
    case VERB_COPY_NOW: {
        gc_memcpy_params copy = two_rows(set->buffer);
        answer.status = gc_context_memcpy(set->context, &copy);
        break;
    }
    case VERB_MEMSET_NOW: {
        gc_memset_params rows = GRAPHCAP_MEMSET_INIT(set->buffer, 0, 1, 1, 4, 1, 0);
        answer.status = gc_context_memset(set->context, &rows);
        break;
    }
    case VERB_CREATE:
        answer.status = gc_graph_create(set->context, &graph);
        gc_graph_destroy(*graph_place);
        *graph_place = graph;
        break;
    case VERB_INSTANTIATE:
        answer.status = gc_graph_instantiate(*graph_place, NULL, &exec);
        if (answer.status == GRAPHCAP_SUCCESS) {
            gc_graph_exec_destroy(*exec_place);
            *exec_place = exec;
        }
        break;
    case VERB_COUNT: answer.status = count_graph(*graph_place, &answer); break;
    case VERB_GRAPH_OF:
        answer.status = gc_stream_capture_graph(stream, &graph);
        if (answer.status == GRAPHCAP_SUCCESS) {
            gc_graph_destroy(*graph_place);
            *graph_place = graph;
        }
        break;
    case VERB_REMOVE_FIRST: {
        gc_node nodes[SCRIPT_STEPS] = {0};
        answer.status = gc_graph_get_nodes(*graph_place, nodes, SCRIPT_STEPS, NULL);
        if (answer.status == GRAPHCAP_SUCCESS)
            answer.status = gc_graph_remove_node(*graph_place, nodes[0]);
        break;
    }
    case VERB_LAUNCH: answer.status = gc_graph_launch(*exec_place, stream); break;
    case VERB_UPLOAD: answer.status = gc_graph_upload(*exec_place, stream); break;
    case VERB_DROP_STREAM: answer.status = gc_stream_destroy(stream); break;
    case VERB_DROP_EVENT: answer.status = gc_event_destroy(events[0]); break;
    case VERB_DROP_GRAPH: answer.status = gc_graph_destroy(*graph_place); break;
    case VERB_DROP_EXEC: answer.status = gc_graph_exec_destroy(*exec_place); break;
    case VERB_NEW_STREAM:
        answer.status = gc_stream_create(set->context, NULL, &stream);
        answer.status = drop_answer(answer.status, gc_stream_destroy(stream));
        break;
    case VERB_NEW_EVENT:
        answer.status = gc_event_create(set->context, NULL, &events[0]);
        answer.status = drop_answer(answer.status, gc_event_destroy(events[0]));
        break;
    case VERB_DEFAULT_STREAMS:
        answer.status = gc_context_legacy_stream(set->context, &stream);
        answer.status = drop_answer(answer.status, gc_stream_destroy(stream));
        stream = NULL;
        if (answer.status == GRAPHCAP_SUCCESS)
            answer.status = gc_context_per_thread_stream(set->context, &stream);
        answer.status = drop_answer(answer.status, gc_stream_destroy(stream));
        break;
    case VERB_ALLOCATE:
        answer.status = gc_buffer_allocate(set->context, 4096, &buffer);
        answer.status = drop_answer(answer.status, gc_buffer_destroy(buffer));
        break;
    case VERB_ALLOCATE_WAITABLE:
        answer.status = gc_buffer_allocate_waitable(set->context, 64, &buffer);
        answer.status = drop_answer(answer.status, gc_buffer_destroy(buffer));
        break;
    case VERB_ALLOCATE_MANAGED:
        answer.status = gc_buffer_allocate_managed(set->context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &buffer);
        answer.status = drop_answer(answer.status, gc_buffer_destroy(buffer));
        break;
    case VERB_ATTACH:
        answer.status = gc_stream_attach_mem_async(stream, set->managed, GRAPHCAP_MEM_ATTACH_GLOBAL);
        break;
    case VERB_FREE:
        answer.status = gc_buffer_destroy(set->spare);
        set->spare = NULL;
        break;
    case VERB_WRAP: {
        uint64_t address = 0;
        CHECK_OK(gc_buffer_address(set->buffer, &address));
        answer.status = gc_buffer_wrap(set->context, (void *)(uintptr_t)address, 4, NULL, NULL, &buffer);
        answer.status = drop_answer(answer.status, gc_buffer_destroy(buffer));
        break;
    }
    case VERB_PIN: {
        gc_host_buffer *made = NULL;
        answer.status = gc_host_buffer_allocate(set->context, 4096, GRAPHCAP_HOST_BUFFER_MAPPED, &made);
        answer.status = drop_answer(answer.status, gc_host_buffer_destroy(made));
        break;
    }
    case VERB_PIN_GIVEN: answer.status = pin_given(set->context); break;
    case VERB_UNPIN:
        answer.status = gc_host_buffer_destroy(set->spare_pinned);
        set->spare_pinned = NULL;
        break;
    case VERB_LOAD:
        answer.status = make_spare_module(set);
        break;
    case VERB_UNLOAD:
        answer.status = gc_module_destroy(set->spare_module);
        set->spare_module = NULL;
        break;
    case VERB_COLLECT: answer.status = gc_context_collect(set->context); break;
    case VERB_KERNEL_ATTRIBUTE:
        answer.status = gc_kernel_get_attribute(set->add, GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS, &yes);
        break;
    case VERB_SET_KERNEL_ATTRIBUTE:
        answer.status = gc_kernel_set_attribute(set->add, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT, -1);
        break;
    case VERB_OCCUPANCY: {
        uint32_t blocks = 0;
        answer.status = gc_kernel_max_active_blocks(set->add, 64, 0, &blocks);
        break;
    }
    case VERB_GRAPH_MEMORY: {
        gc_graph_memory memory = GRAPHCAP_GRAPH_MEMORY_INIT;
        answer.status = gc_context_graph_memory(set->context, &memory);
        break;
    }
    case VERB_TRIM_GRAPH_MEMORY: answer.status = gc_context_graph_memory_trim(set->context); break;
    case VERB_MODE:
        answer.status = gc_thread_exchange_capture_mode(&mode);
        answer.values[0] = mode;
        break;
    case VERB_QUIT:
    case VERB_COUNT_OF: break;
    }
    /* A call that fails tells nothing. */
    if (answer.status != GRAPHCAP_SUCCESS)
        answer.values[0] = answer.values[1] = SCRIPT_ANY;
    return answer;
}

static inline void *work(void *argument) {
    struct worker *worker = (struct worker *)argument;
    struct stage *stage = worker->stage;
    int quit = 0;
    pthread_mutex_lock(&stage->lock);
    while (!quit) {
        while (worker->step == NULL)
            pthread_cond_wait(&stage->changed, &stage->lock);
        pthread_mutex_unlock(&stage->lock);
        quit = worker->step->verb == VERB_QUIT;
        worker->answer = make_step(stage, worker->step);
        pthread_mutex_lock(&stage->lock);
        worker->step = NULL;
        pthread_cond_broadcast(&stage->changed);
    }
    pthread_mutex_unlock(&stage->lock);
    return NULL;
}

/* Makes the call on its thread, and waits for it. Thread 0 is the one that calls this. */
static inline struct answer take_step(struct stage *stage, const struct step *step) {
    struct worker *worker = &stage->workers[step->thread];
    worker->used = 1;
    if (step->thread == 0)
        return make_step(stage, step);
    pthread_mutex_lock(&stage->lock);
    worker->step = step;
    if (worker->running) {
        pthread_cond_broadcast(&stage->changed);
    } else {
        worker->running = 1;
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            exit(EXIT_FAILURE);
    }
    while (worker->step != NULL)
        pthread_cond_wait(&stage->changed, &stage->lock);
    pthread_mutex_unlock(&stage->lock);
    if (step->verb == VERB_QUIT) {
        pthread_join(worker->thread, NULL);
        worker->running = 0;
    }
    return worker->answer;
}

static inline void stage_open_context(struct stage *stage, int number, gc_device_kind kind, uint32_t ordinal,
                                      uint32_t flags) {
    struct set *set = &stage->sets[number];
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    options.device_kind = kind;
    options.device_ordinal = ordinal;
    options.flags = flags;
    REQUIRE_OK(gc_context_create(&options, &set->context));
    set->module = load_kernels(set->context);
    set->add = get_kernel(set->module, "add");
    set->buffer = open_waitable(set->context, 64);
    REQUIRE_OK(gc_buffer_allocate_managed(set->context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &set->managed));
    REQUIRE_OK(gc_host_buffer_allocate(set->context, 64, 0, &set->pinned));
    REQUIRE_OK(gc_context_legacy_stream(set->context, &set->streams[SCRIPT_LEGACY]));
    REQUIRE_OK(gc_context_per_thread_stream(set->context, &set->streams[SCRIPT_OWN]));
}

/* A stage with context 0, on device 0 of the kind. */
static inline void stage_open(struct stage *stage, gc_device_kind kind, uint32_t flags) {
    int i;
    memset(stage, 0, sizeof *stage);
    pthread_mutex_init(&stage->lock, NULL);
    pthread_cond_init(&stage->changed, NULL);
    for (i = 0; i < SCRIPT_THREADS; i++) {
        stage->workers[i].stage = stage;
        stage->workers[i].index = i;
    }
    stage_open_context(stage, 0, kind, 0, flags);
}

/* Makes the streams and events that a script uses. */
static inline void stage_prepare(struct stage *stage, const struct script *script) {
    unsigned i;
    int k;
    for (i = 0; i < script->length; i++) {
        const struct step *step = &script->steps[i];
        struct set *set;
        for (k = 0; script_verbs[step->verb].kinds[k] != '\0'; k++) {
            int operand = step->operands[k];
            if (script_verbs[step->verb].kinds[k] == 's') {
                set = &stage->sets[operand / SCRIPT_STREAMS];
                operand %= SCRIPT_STREAMS;
                if (set->streams[operand] == NULL)
                    set->streams[operand] =
                        open_stream(set->context, operand < SCRIPT_MADE ? 0 : GRAPHCAP_STREAM_NON_BLOCKING);
            } else if (script_verbs[step->verb].kinds[k] == 'e') {
                set = &stage->sets[operand / SCRIPT_MADE];
                operand %= SCRIPT_MADE;
                if (set->events[operand] == NULL)
                    set->events[operand] = open_event(set->context);
            }
        }
        set = &stage->sets[script_context(step)];
        if (step->verb == VERB_FREE && set->spare == NULL)
            REQUIRE_OK(gc_buffer_allocate(set->context, 4096, &set->spare));
        if (step->verb == VERB_UNPIN && set->spare_pinned == NULL)
            REQUIRE_OK(gc_host_buffer_allocate(set->context, 4096, 0, &set->spare_pinned));
        if (step->verb == VERB_UNLOAD && set->spare_module == NULL)
            REQUIRE_OK(make_spare_module(set));
    }
}

/* Leaves nothing of the script behind: no capture, no object, no mode. */
static inline void stage_clear(struct stage *stage) {
    struct step step;
    int thread, number, i;
    memset(&step, 0, sizeof step);
    for (thread = 0; thread < SCRIPT_THREADS; thread++) {
        if (!stage->workers[thread].used || (thread > 0 && !stage->workers[thread].running))
            continue;
        step.thread = thread;
        step.verb = VERB_MODE;
        step.operands[0] = GRAPHCAP_CAPTURE_MODE_GLOBAL;
        CHECK(take_step(stage, &step).status == GRAPHCAP_SUCCESS);
        step.operands[1] = 0;
        for (number = 0; number < SCRIPT_CONTEXTS; number++) {
            step.operands[0] = number * SCRIPT_STREAMS + SCRIPT_OWN;
            if (stage->sets[number].context == NULL)
                continue;
            /* A guarded context would refuse to end what is not joined, unless the driver alone can know. */
            step.verb = VERB_DEPEND_NONE;
            take_step(stage, &step);
            step.verb = VERB_END;
            take_step(stage, &step);
        }
        stage->workers[thread].used = 0;
    }
    /* Of what the script destroyed the handle is dead, which the second destroy says. */
    for (number = 0; number < SCRIPT_CONTEXTS; number++) {
        struct set *set = &stage->sets[number];
        for (i = 0; i < SCRIPT_LEGACY; i++) {
            gc_stream_destroy(set->streams[i]);
            set->streams[i] = NULL;
        }
        for (i = 0; i < SCRIPT_MADE; i++) {
            gc_event_destroy(set->events[i]);
            set->events[i] = NULL;
        }
        gc_buffer_destroy(set->spare);
        gc_host_buffer_destroy(set->spare_pinned);
        gc_module_destroy(set->spare_module);
        set->spare = NULL;
        set->spare_pinned = NULL;
        set->spare_module = NULL;
    }
    for (i = 0; i < SCRIPT_MADE; i++) {
        gc_graph_exec_destroy(stage->execs[i]);
        gc_graph_destroy(stage->graphs[i]);
        stage->execs[i] = NULL;
        stage->graphs[i] = NULL;
    }
}

static inline void stage_close(struct stage *stage) {
    struct step step;
    int i;
    memset(&step, 0, sizeof step);
    step.verb = VERB_QUIT;
    for (i = 1; i < SCRIPT_THREADS; i++) {
        step.thread = i;
        if (stage->workers[i].running)
            take_step(stage, &step);
    }
    /* All of them first: they use each other's buffers. */
    for (i = 0; i < SCRIPT_CONTEXTS; i++)
        if (stage->sets[i].context != NULL)
            CHECK_OK(gc_context_synchronize(stage->sets[i].context));
    for (i = 0; i < SCRIPT_CONTEXTS; i++) {
        struct set *set = &stage->sets[i];
        if (set->context == NULL)
            continue;
        CHECK_OK(gc_stream_destroy(set->streams[SCRIPT_OWN]));
        CHECK_OK(gc_stream_destroy(set->streams[SCRIPT_LEGACY]));
        CHECK_OK(gc_host_buffer_destroy(set->pinned));
        CHECK_OK(gc_buffer_destroy(set->buffer));
        CHECK_OK(gc_buffer_destroy(set->managed));
        CHECK_OK(gc_kernel_destroy(set->add));
        CHECK_OK(gc_module_destroy(set->module));
        CHECK_OK(gc_context_destroy(set->context));
    }
    pthread_cond_destroy(&stage->changed);
    pthread_mutex_destroy(&stage->lock);
}

#endif
