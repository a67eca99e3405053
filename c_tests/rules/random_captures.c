/* Random programs of captures, legal and illegal, over streams, events and threads that take turns. On the host device
 * each answer, and the capture state of each stream after each call, is compared with the model of capture_model.h; on
 * a GPU, in child processes, with those of the host device. What differs is told as the shortest program that was found
 * for it, once for each kind of difference. To repeat program 7 on a GPU: random_captures 7 1. */
#include "capture_model.h"
#include "child.h"
#include "conformance_data.h"

enum {
    CONTEXTS = 2,
    WATCHED = CONTEXTS * SCRIPT_STREAMS,
    DRAWN = 6, /* streams of a context that programs use */
    CHILD_PROGRAMS = 500,
    CHILD_SECONDS = 60,
    KINDS = 100,
    KIND_TEXT = 512,
    PROGRAM_TEXT = 7000
};

/* ---- Programs ---- */

static uint64_t random_state;

static unsigned below(unsigned limit) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % limit;
}

/* The program so far, and what the model says of it: most steps are chosen to make sense. */
struct draft {
    struct script *script;
    struct model model;
    unsigned contexts, threads, length;
};

static int drawn_stream(unsigned number) {
    static const int streams[DRAWN] = {0, 1, SCRIPT_MADE, SCRIPT_MADE + 1, SCRIPT_OWN, SCRIPT_LEGACY};
    return (int)(number / DRAWN) * SCRIPT_STREAMS + streams[number % DRAWN];
}

static void add_three(struct draft *draft, enum verb verb, unsigned thread, int first, int second, int third) {
    struct step *step = &draft->script->steps[draft->script->length];
    if (draft->script->length == draft->length)
        return;
    memset(step, 0, sizeof *step);
    step->verb = verb;
    step->thread = (int)thread;
    step->operands[0] = first;
    step->operands[1] = second;
    step->operands[2] = third;
    draft->script->length++;
    model_step(&draft->model, step);
}

static void add_step(struct draft *draft, enum verb verb, unsigned thread, int first, int second) {
    add_three(draft, verb, thread, first, second, 0);
}

static int some_stream(const struct draft *draft) {
    static const unsigned char weights[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 5};
    unsigned context = draft->contexts > 1 ? below(draft->contexts) : 0;
    return drawn_stream(context * DRAWN + weights[below(LENGTH_OF(weights))]);
}

static int is_legacy(int stream) {
    return stream % SCRIPT_STREAMS == SCRIPT_LEGACY;
}

/* Mostly of the same context. */
static int some_event(const struct draft *draft, int stream) {
    int context = stream / SCRIPT_STREAMS;
    if (draft->contexts > 1 && below(4) == 0)
        context = (int)below(draft->contexts);
    return context * SCRIPT_MADE + (int)below(3);
}

static int captures_go_on(const struct draft *draft) {
    unsigned i;
    int count = 0;
    for (i = 0; i < draft->model.begun; i++)
        count += draft->model.captures[i].live && !draft->model.captures[i].invalid;
    return count;
}

static struct model_capture *drafted_capture(struct draft *draft, unsigned thread, int stream) {
    return capture_of(model_stream(&draft->model, stream, (int)thread));
}

/* A stream that is in a capture that goes on, or in none, if a few looks find one. */
static int stream_that(struct draft *draft, unsigned thread, int captured) {
    int looks, stream = some_stream(draft);
    for (looks = 0; looks < 12; looks++) {
        struct model_capture *capture = drafted_capture(draft, thread, stream);
        if (!is_legacy(stream) && (capture != NULL) == captured && (capture == NULL || !capture->invalid))
            break;
        stream = some_stream(draft);
    }
    return stream;
}

/* Whether the wait leaves all captures whole. */
static int wait_is_legal(struct draft *draft, unsigned thread, int stream, int number) {
    const struct model_event *event = &draft->model.events[number / SCRIPT_MADE][number % SCRIPT_MADE];
    struct model_capture *capture = drafted_capture(draft, thread, stream);
    if (is_legacy(stream) || (capture != NULL && capture->invalid))
        return 0;
    if (event->capture == NULL)
        return !event->recorded || capture == NULL;
    return event->capture->live && !event->capture->invalid && (capture == NULL || capture == event->capture);
}

/* `to` waits for what `from` has been given. */
static void add_order(struct draft *draft, unsigned thread, int from, int to) {
    int event = some_event(draft, from);
    add_step(draft, VERB_RECORD, thread, event, from);
    add_step(draft, VERB_WAIT, thread, to, event);
}

/* A fork or a join. */
static void add_link(struct draft *draft, unsigned thread, int careful) {
    int from = stream_that(draft, thread, 1), to = some_stream(draft), looks;
    for (looks = 0; careful && looks < 12; looks++) {
        struct model_capture *capture = drafted_capture(draft, thread, to);
        if (!is_legacy(to) && to != from &&
             (capture == NULL || capture == drafted_capture(draft, thread, from)))
            break;
        to = some_stream(draft);
    }
    add_order(draft, thread, from, to);
}

static void add_wait(struct draft *draft, unsigned thread, int careful) {
    int stream = some_stream(draft), event = some_event(draft, stream), looks;
    for (looks = 0; careful && looks < 12 && !wait_is_legal(draft, thread, stream, event); looks++) {
        stream = some_stream(draft);
        event = some_event(draft, stream);
    }
    add_step(draft, VERB_WAIT, thread, stream, event);
}

/* Joins what forked from the capture that a stream is in, and ends it on the thread that began it. */
static void add_end(struct draft *draft, unsigned thread, int stream, int join) {
    struct model_capture *capture = drafted_capture(draft, thread, stream);
    int origin = stream;
    unsigned i;
    if (capture != NULL && capture->thread >= 0)
        thread = (unsigned)capture->thread;
    for (i = 0; i < draft->contexts * DRAWN; i++)
        if (drafted_capture(draft, thread, drawn_stream(i)) == capture &&
            model_stream(&draft->model, drawn_stream(i), (int)thread)->origin)
            origin = drawn_stream(i);
    for (i = 0; join && capture != NULL && !capture->invalid && i < draft->contexts * DRAWN; i++)
        if (drawn_stream(i) != origin && drafted_capture(draft, thread, drawn_stream(i)) == capture)
            add_order(draft, thread, drawn_stream(i), origin);
    add_step(draft, VERB_END, thread, origin, (int)below(2));
}

static void add_begin(struct draft *draft, unsigned thread, int stream, int mode) {
    int graph = (int)below(2);
    if (below(4)) {
        add_step(draft, VERB_BEGIN, thread, stream, mode);
        return;
    }
    if (!model_usable(&draft->model.graphs[graph]))
        add_step(draft, VERB_CREATE, thread, graph, 0);
    add_three(draft, VERB_BEGIN_INTO, thread, stream, graph, mode);
}

static void add_record(struct draft *draft, unsigned thread, int stream) {
    add_step(draft, VERB_RECORD, thread, some_event(draft, stream), stream);
}

/* What the next work of a stream depends on. */
static void add_dependencies(struct draft *draft, unsigned thread, int careful) {
    static const enum verb kinds[] = {VERB_DEPEND_ADD, VERB_DEPEND_ADD, VERB_DEPEND_SET, VERB_DEPEND_NONE};
    int stream = careful ? stream_that(draft, thread, 1) : some_stream(draft), other = some_stream(draft), looks;
    for (looks = 0; careful && looks < 12; looks++) {
        if (other != stream && drafted_capture(draft, thread, other) == drafted_capture(draft, thread, stream))
            break;
        other = some_stream(draft);
    }
    add_step(draft, kinds[below(LENGTH_OF(kinds))], thread, stream, other);
}

static void add_work(struct draft *draft, unsigned thread, int stream) {
    static const enum verb kinds[] = {VERB_MEMSET,     VERB_KERNEL,      VERB_HOST,        VERB_COPY_IN,
                                      VERB_COPY,       VERB_COPY_OUT,    VERB_VALUE_WRITE, VERB_VALUE_BATCH,
                                      VERB_VALUE_WAIT, VERB_COPY_PINNED, VERB_COPY_ROWS,   VERB_MEMSET_ROWS,
                                      VERB_COPY_PEER,  VERB_COPY_BATCH};
    add_step(draft, kinds[below(LENGTH_OF(kinds))], thread, stream, 0);
}

/* What the rules forbid more often than not. */
static void add_risk(struct draft *draft, unsigned thread) {
    static const enum verb on_streams[] = {VERB_SYNC_STREAM, VERB_QUERY_STREAM, VERB_KERNEL_EMPTY, VERB_KERNEL_HUGE};
    static const enum verb on_contexts[] = {VERB_SYNC_CONTEXT, VERB_COPY_IN_NOW, VERB_COPY_NOW, VERB_MEMSET_NOW};
    int stream;
    switch (below(8)) {
    case 0:
    case 1: add_step(draft, on_streams[below(LENGTH_OF(on_streams))], thread, some_stream(draft), 0); break;
    case 2:
        stream = some_stream(draft);
        add_step(draft, below(2) ? VERB_SYNC_EVENT : VERB_QUERY_EVENT, thread, some_event(draft, stream), 0);
        break;
    case 3:
        add_step(draft, on_contexts[below(LENGTH_OF(on_contexts))], thread, (int)below(draft->contexts), 0);
        break;
    case 4: add_step(draft, VERB_INSTANTIATE, thread, (int)below(2), (int)below(2)); break;
    case 5: add_step(draft, below(4) ? VERB_LAUNCH : VERB_UPLOAD, thread, (int)below(2), some_stream(draft)); break;
    case 6: add_step(draft, VERB_END, thread, some_stream(draft), (int)below(2)); break;
    default: add_work(draft, thread, (int)below(draft->contexts) * SCRIPT_STREAMS + SCRIPT_LEGACY); break;
    }
}

/* What harms no capture, whatever it answers. */
static void add_harmless(struct draft *draft, unsigned thread) {
    static const enum verb on_context[] = {VERB_NEW_STREAM, VERB_NEW_EVENT, VERB_ALLOCATE, VERB_FREE, VERB_WRAP,
                                           VERB_DEFAULT_STREAMS, VERB_PIN, VERB_PIN_GIVEN, VERB_UNPIN};
    static const enum verb on_streams[] = {VERB_STATUS, VERB_CAPTURING, VERB_MEMSET_NONE, VERB_MEMSET_BEYOND,
                                           VERB_COPY_BEYOND, VERB_KERNEL_BARE,   VERB_DEPEND_BADLY};
    int stream;
    switch (below(7)) {
    case 0: add_step(draft, on_context[below(LENGTH_OF(on_context))], thread, 0, 0); break;
    case 1:
        stream = some_stream(draft);
        add_step(draft, VERB_ELAPSED, thread, some_event(draft, stream), some_event(draft, stream));
        break;
    case 2: add_step(draft, VERB_COUNT, thread, (int)below(2), 0); break;
    case 3: add_step(draft, VERB_INFO, thread, some_stream(draft), 0); break;
    case 4: add_step(draft, VERB_COMPARE_IDS, thread, some_stream(draft), some_stream(draft)); break;
    default: add_step(draft, on_streams[below(LENGTH_OF(on_streams))], thread, some_stream(draft), 0); break;
    }
}

static void add_drop(struct draft *draft, unsigned thread) {
    switch (below(4)) {
    case 0:
        /* Not the handles of the two that every context has. */
        add_step(draft, VERB_DROP_STREAM, thread, drawn_stream(below(draft->contexts) * DRAWN + below(DRAWN - 2)), 0);
        break;
    case 1: add_step(draft, VERB_DROP_EVENT, thread, some_event(draft, some_stream(draft)), 0); break;
    case 2: add_step(draft, VERB_DROP_GRAPH, thread, (int)below(2), 0); break;
    default: add_step(draft, VERB_DROP_EXEC, thread, (int)below(2), 0); break;
    }
}

/* Makes and launches execs. */
static void add_replay(struct draft *draft, unsigned thread, int careful) {
    int exec = (int)below(2), graph = (int)below(2), barred = 0;
    unsigned i;
    for (i = 0; i < draft->model.begun; i++)
        barred |= model_bars(&draft->model, &draft->model.captures[i], (int)thread);
    if (!model_usable(&draft->model.graphs[graph]))
        graph = !graph;
    if (careful && !model_usable(&draft->model.graphs[graph]))
        return;
    if (!barred || !careful)
        add_step(draft, VERB_INSTANTIATE, thread, graph, exec);
    add_step(draft, below(4) ? VERB_LAUNCH : VERB_UPLOAD, thread, exec,
             careful ? stream_that(draft, thread, 0) : some_stream(draft));
}

/* Of four programs one is legal as far as the draft can tell, and one wild. */
static void make_program(unsigned seed, unsigned contexts, unsigned guarded, struct script *script) {
    static struct draft draft;
    unsigned danger;
    random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(88172645463325252);
    below(2);
    script->length = 0;
    draft.script = script;
    model_open(&draft.model, guarded);
    danger = below(4);
    draft.contexts = contexts;
    draft.threads = 1 + below(SCRIPT_THREADS);
    draft.length = 8 + below(SCRIPT_STEPS - 7);
    while (script->length < draft.length) {
        unsigned thread = below(3) ? 0 : below(draft.threads), roll = below(100);
        int careful = below(16) >= danger * danger;
        int open = captures_go_on(&draft);
        if (careful ? roll < (open == 0 ? 80 : 4) : roll < 8)
            add_begin(&draft, thread, stream_that(&draft, thread, !careful), (int)below(careful ? 3 : 4));
        else if (roll < 36)
            add_work(&draft, thread, stream_that(&draft, thread, 1));
        else if (roll < 54)
            add_link(&draft, thread, careful);
        else if (roll < 58)
            add_record(&draft, thread, careful ? stream_that(&draft, thread, roll & 1) : some_stream(&draft));
        else if (roll < 65)
            add_wait(&draft, thread, careful);
        else if (roll < 66)
            add_dependencies(&draft, thread, careful);
        else if (roll < 69)
            add_end(&draft, thread, stream_that(&draft, thread, 1), careful && below(8) != 0);
        else if (roll < 78)
            add_harmless(&draft, thread);
        else if (roll < 80)
            add_drop(&draft, thread);
        else if (roll < 83)
            add_step(&draft, VERB_MODE, thread, (int)below(careful ? 3 : 4), 0);
        else if (roll < 88)
            add_replay(&draft, thread, careful);
        else if (careful)
            add_work(&draft, thread, stream_that(&draft, thread, 1));
        else
            add_risk(&draft, thread);
        /* Towards its end a program looks at what its captures hold. */
        if (script->length + 8 > draft.length && captures_go_on(&draft) > 0 && below(2))
            add_end(&draft, thread, stream_that(&draft, thread, 1), 1);
    }
}

/* ---- What becomes of them ---- */

struct trace {
    struct answer answers[SCRIPT_STEPS];
    struct answer states[SCRIPT_STEPS][WATCHED];
};

/* How a stream is doing; as thread 0 sees it. */
static void watch_step(struct step *step, int stream) {
    memset(step, 0, sizeof *step);
    step->verb = VERB_STATUS;
    step->operands[0] = stream;
}

static void run_on_stage(struct stage *stage, const struct script *script, struct trace *trace) {
    unsigned i;
    int stream;
    stage_prepare(stage, script);
    for (i = 0; i < script->length; i++) {
        trace->answers[i] = take_step(stage, &script->steps[i]);
        for (stream = 0; stream < WATCHED; stream++) {
            struct step step;
            watch_step(&step, stream);
            if (stage->sets[stream / SCRIPT_STREAMS].streams[stream % SCRIPT_STREAMS] != NULL)
                trace->states[i][stream] = make_step(stage, &step);
        }
    }
    stage_clear(stage);
}

static void run_on_model(const struct script *script, unsigned guarded, struct trace *trace) {
    static struct model model;
    unsigned i;
    int stream;
    model_open(&model, guarded);
    for (i = 0; i < script->length; i++) {
        trace->answers[i] = model_step(&model, &script->steps[i]);
        for (stream = 0; stream < WATCHED; stream++) {
            struct step step;
            watch_step(&step, stream);
            trace->states[i][stream] = model_step(&model, &step);
        }
    }
}

static int same_answer(const struct answer *a, const struct answer *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static int is_watched(const struct script *script, int stream) {
    unsigned i, k;
    if (stream % SCRIPT_STREAMS >= SCRIPT_LEGACY && stream < SCRIPT_STREAMS)
        return 1;
    for (i = 0; i < script->length; i++)
        for (k = 0; script_verbs[script->steps[i].verb].kinds[k] != '\0'; k++)
            if (script_verbs[script->steps[i].verb].kinds[k] == 's' && script->steps[i].operands[k] == stream)
                return 1;
    return 0;
}

/* Where two traces part: the step, and the stream whose state differs after it, -1 for the answer itself. */
struct difference {
    unsigned step;
    int stream;
};

static int differ(const struct script *script, const struct trace *a, const struct trace *b, struct difference *where) {
    for (where->step = 0; where->step < script->length; where->step++) {
        where->stream = -1;
        if (!same_answer(&a->answers[where->step], &b->answers[where->step]))
            return 1;
        for (where->stream = 0; where->stream < WATCHED; where->stream++)
            if (is_watched(script, where->stream) &&
                !same_answer(&a->states[where->step][where->stream], &b->states[where->step][where->stream]))
                return 1;
    }
    return 0;
}

/* A device, and what it is held against: another one, or the model. */
struct pair {
    struct stage stages[2];
    struct trace traces[2];
    const char *names[2];
    int with_model;
    unsigned guarded; /* contexts, as bits */
};

static int disagree(struct pair *pair, const struct script *script, struct difference *where) {
    run_on_stage(&pair->stages[0], script, &pair->traces[0]);
    if (pair->with_model)
        run_on_model(script, pair->guarded, &pair->traces[1]);
    else
        run_on_stage(&pair->stages[1], script, &pair->traces[1]);
    return differ(script, &pair->traces[0], &pair->traces[1], where);
}

static void remove_steps(const struct script *from, unsigned first, unsigned count, struct script *to) {
    unsigned i;
    to->length = 0;
    for (i = 0; i < from->length; i++)
        if (i < first || i >= first + count)
            to->steps[to->length++] = from->steps[i];
}

/* Takes steps away as long as the two still disagree. */
static void shrink(struct pair *pair, struct script *script, struct difference *where) {
    unsigned count, first, whole;
    script->length = where->step + 1;
    for (count = script->length; count > 0; count /= 2) {
        do {
            whole = script->length;
            for (first = 0; first + count <= script->length; first += count) {
                struct script attempt;
                struct difference there;
                remove_steps(script, first, count, &attempt);
                while (disagree(pair, &attempt, &there)) {
                    *script = attempt;
                    script->length = there.step + 1;
                    remove_steps(script, first, count, &attempt);
                    if (attempt.length == script->length)
                        break;
                }
            }
        } while (script->length < whole);
    }
    CHECK(disagree(pair, script, where));
}

/* What differs, in a few words that are the same for the same kind of difference, and the whole program. */
static void tell(struct pair *pair, const struct script *script, const struct difference *where, char *kind,
                 size_t kind_size, char *text, size_t text_size) {
    const struct step *last = &script->steps[where->step];
    enum verb verb = where->stream < 0 ? last->verb : VERB_STATUS;
    char answers[2][64], call[96], watched[96] = "";
    size_t length = 0;
    unsigned i;
    int k;
    for (k = 0; k < 2; k++) {
        const struct trace *trace = &pair->traces[k];
        print_answer(answers[k], sizeof answers[k], verb,
                     where->stream < 0 ? &trace->answers[where->step] : &trace->states[where->step][where->stream]);
    }
    text[0] = '\0';
    for (i = 0; i <= where->step && length < text_size; i++) {
        char answer[64];
        print_call(call, sizeof call, &script->steps[i]);
        print_answer(answer, sizeof answer, script->steps[i].verb, &pair->traces[1].answers[i]);
        length += (size_t)snprintf(text + length, text_size - length, "%s%s -> %s", i > 0 ? "; " : "", call, answer);
    }
    if (where->stream >= 0) {
        struct step step;
        watch_step(&step, where->stream);
        print_call(watched, sizeof watched, &step);
        if (length < text_size)
            snprintf(text + length, text_size - length, "; %s -> %s", watched, answers[1]);
    }
    print_call(call, sizeof call, last);
    snprintf(kind, kind_size, "%s%s%s: %s answers %s, %s %s", where->stream < 0 ? call : watched,
             where->stream < 0 ? "" : " after ", where->stream < 0 ? "" : call, pair->names[0], answers[0],
             pair->names[1], answers[1]);
}

/* ---- The tests ---- */

static void the_model_agrees_with_the_data(void) {
    static struct model model;
    static char text[1024];
    struct script script;
    unsigned i, row;
    int cell;
    for (row = 0; row < LENGTH_OF(calls) + LENGTH_OF(cases); row++) {
        const struct conformance_case *one = row < LENGTH_OF(calls) ? NULL : &cases[row - LENGTH_OF(calls)];
        /* The model knows contexts and devices of their own, and nothing of what is missing. */
        if (one != NULL ? one->scope == MISSING || one->scope == ELSEWHERE || one->scope == ONE_PRIMARY_CONTEXT
                        : calls[row].how == NO_CALL)
            continue;
        for (cell = 0; cell < (one == NULL ? 36 : 1); cell++) {
            if (one == NULL)
                call_script(&calls[row], cell, 0, text, sizeof text);
            parse_script(one == NULL ? text : one->script, &script);
            model_open(&model, 0);
            for (i = 0; i < script.length; i++) {
                struct answer answer = model_step(&model, &script.steps[i]);
                CHECK(answers_match(&script.steps[i].expected, &answer));
                if (!answers_match(&script.steps[i].expected, &answer))
                    fprintf(stderr, "the model errs in statement %u of: %s\n", i + 1, one == NULL ? text : one->script);
            }
        }
    }
}

static void hold_host_against_model(unsigned contexts, unsigned guarded, unsigned programs) {
    static struct pair pair;
    unsigned seed, told = 0;
    size_t calls_made = 0;
    pair.with_model = 1;
    pair.guarded = guarded;
    pair.names[0] = "host";
    pair.names[1] = "the model";
    stage_open(&pair.stages[0], GRAPHCAP_DEVICE_HOST, guarded & 1 ? GRAPHCAP_CONTEXT_GUARDED : 0);
    if (contexts > 1)
        stage_open_context(&pair.stages[0], 1, GRAPHCAP_DEVICE_HOST, 0, guarded & 2 ? GRAPHCAP_CONTEXT_GUARDED : 0);
    for (seed = 1; seed <= programs && told < 5; seed++) {
        struct script script;
        struct difference where;
        char kind[KIND_TEXT];
        static char text[PROGRAM_TEXT];
        int agreed;
        make_program(seed, contexts, guarded, &script);
        calls_made += script.length;
        agreed = !disagree(&pair, &script, &where);
        CHECK(agreed);
        if (agreed)
            continue;
        shrink(&pair, &script, &where);
        tell(&pair, &script, &where, kind, sizeof kind, text, sizeof text);
        fprintf(stderr, "program %u: %s, in: %s\n", seed, kind, text);
        told++;
    }
    fprintf(stderr, "%u programs, %lu calls\n", seed - 1, (unsigned long)calls_made);
    stage_close(&pair.stages[0]);
}

static void the_host_device_agrees_with_the_model(void) {
    NOT_ON_CUDA("a GPU is held against the host device instead");
    hold_host_against_model(1, 0, soak(2000, 100000));
}

static void contexts_of_the_host_device_agree_with_the_model(void) {
    NOT_ON_CUDA("all contexts of a GPU are its primary one");
    hold_host_against_model(CONTEXTS, 0, soak(500, 25000));
}

static void a_guarded_context_agrees_with_the_model(void) {
    NOT_ON_CUDA("it is held against the rows that were measured");
    hold_host_against_model(1, 1, soak(2000, 100000));
}

/* Only one of the two is guarded: what the calls of the other one break stays broken. */
static void a_guarded_context_beside_another_agrees_with_the_model(void) {
    NOT_ON_CUDA("all contexts of a GPU are its primary one");
    hold_host_against_model(CONTEXTS, 2, soak(500, 25000));
}

/* The child: runs programs on both devices, and writes a line for each. */
static int compare_devices(unsigned first, unsigned count) {
    static struct pair pair;
    unsigned seed;
    pair.names[0] = "cuda";
    pair.names[1] = "host";
    stage_open(&pair.stages[0], GRAPHCAP_DEVICE_CUDA, 0);
    stage_open(&pair.stages[1], GRAPHCAP_DEVICE_HOST, 0);
    for (seed = first; seed < first + count; seed++) {
        struct script script;
        struct difference where;
        char kind[KIND_TEXT];
        static char text[PROGRAM_TEXT];
        make_program(seed, 1, 0, &script);
        if (!disagree(&pair, &script, &where)) {
            printf("same\n");
        } else {
            shrink(&pair, &script, &where);
            tell(&pair, &script, &where, kind, sizeof kind, text, sizeof text);
            printf("program %u: %s, in: %s\n", seed, kind, text);
        }
        fflush(stdout);
    }
    stage_close(&pair.stages[0]);
    stage_close(&pair.stages[1]);
    return check_finish();
}

/* Tells a difference if it is the first of its kind, whatever the numbers of objects and threads. */
static void note_difference(const char *line) {
    static char kinds[KINDS][KIND_TEXT];
    static unsigned count;
    char kind[KIND_TEXT];
    const char *at = strchr(line, ':'), *end = strstr(line, ", in: ");
    size_t length = 0;
    unsigned i;
    for (; at != NULL && at < end && length + 1 < sizeof kind; at++)
        if (!isdigit((unsigned char)at[0]) || !isalpha((unsigned char)at[-1]))
            kind[length++] = *at;
    kind[length] = '\0';
    for (i = 0; i < count; i++)
        if (strcmp(kinds[i], kind) == 0)
            return;
    if (count < KINDS)
        memcpy(kinds[count++], kind, length + 1);
    fprintf(stderr, "%s\n", line);
}

static void a_gpu_agrees_with_the_host_device(void) {
    unsigned programs = soak(400, 20000), next = 1, different = 0, broken = 0;
    NOT_ON_HOST("it is held against the model instead");
    while (next <= programs && broken < 10) {
        static struct child child;
        unsigned end = next + CHILD_PROGRAMS - 1 < programs ? next + CHILD_PROGRAMS - 1 : programs;
        char first[32], count[32];
        const char *line;
        int status;
        snprintf(first, sizeof first, "%u", next);
        snprintf(count, sizeof count, "%u", end - next + 1);
        child_start(&child, first, count);
        while (next <= end && (line = child_line(&child, CHILD_SECONDS)) != NULL) {
            if (strcmp(line, "same") != 0) {
                different++;
                note_difference(line);
            }
            next++;
        }
        status = child_end(&child, next <= end ? 1 : CHILD_SECONDS);
        if (next > end) {
            /* What the child checked beside the answers. */
            CHECK(status == EXIT_SUCCESS);
        } else {
            fprintf(stderr, "program %u hung, or ended its process (status %d)\n", next, status);
            broken++;
            next++;
        }
    }
    fprintf(stderr, "%u programs, %u of them different, %u without an end\n", next - 1, different, broken);
    CHECK(different == 0);
    CHECK(broken == 0);
}

int main(int argc, char **argv) {
    if (argc == 3)
        return compare_devices((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]));
    RUN(the_model_agrees_with_the_data);
    RUN(the_host_device_agrees_with_the_model);
    RUN(contexts_of_the_host_device_agree_with_the_model);
    RUN(a_guarded_context_agrees_with_the_model);
    RUN(a_guarded_context_beside_another_agrees_with_the_model);
    RUN(a_gpu_agrees_with_the_host_device);
    return check_finish();
}
