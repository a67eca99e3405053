/* Holds the device that is tested against conformance_data.h, which on a GPU checks the data themselves, and tells how
 * many rows were tried, agreed, and did not apply; then guarded contexts, where the same calls answer the same and harm
 * nothing: what comes after a call that was refused is what capture_model.h says. With GRAPHCAP_MEASURE=1 it tells
 * instead what the device answers to the cases that are only assumed, each in a process of its own, in the language of
 * the cases. */
#include "capture_model.h"
#include "child.h"
#include "conformance_data.h"

enum { REASONS = 64, CASE_SECONDS = 60 };

static struct stage stage, guarded_stage;

static struct {
    unsigned tried, agreed, apart, reasons;
    struct {
        const char *text;
        unsigned count;
    } because[REASONS];
} report;

static void not_applicable(const char *reason) {
    unsigned i = 0;
    report.apart++;
    while (i < report.reasons && strcmp(report.because[i].text, reason) != 0)
        i++;
    if (i == REASONS)
        exit(EXIT_FAILURE);
    if (i == report.reasons)
        report.because[report.reasons++].text = reason;
    report.because[i].count++;
}

static void print_report(const char *rows) {
    unsigned i;
    fprintf(stderr, "%s on %s: %u rows tried, %u agreed, %u not applicable\n", rows, on_cuda() ? "cuda" : "host",
            report.tried, report.agreed, report.apart);
    for (i = 0; i < report.reasons; i++)
        fprintf(stderr, "    %5u %s\n", report.because[i].count, report.because[i].text);
    memset(&report, 0, sizeof report);
}

/* Runs the script; whether all answers are the expected ones. Tells of the first that is not. */
static int agrees(struct stage *on, const char *about, const char *text, const struct script *script) {
    unsigned i;
    int agreed = 1;
    stage_prepare(on, script);
    for (i = 0; i < script->length && agreed; i++) {
        const struct step *step = &script->steps[i];
        struct answer got = take_step(on, step);
        char call[96], expected[64], answered[64];
        agreed = answers_match(&step->expected, &got);
        if (agreed)
            continue;
        print_call(call, sizeof call, step);
        print_answer(expected, sizeof expected, step->verb, &step->expected);
        print_answer(answered, sizeof answered, step->verb, &got);
        fprintf(stderr, "%s: '%s', call %u, answered %s, expected %s, in: %s\n", about, call, i + 1, answered, expected,
                text);
    }
    stage_clear(on);
    return agreed;
}

static void try_script(struct stage *on, const char *about, const char *text, const struct script *script) {
    int agreed = agrees(on, about, text, script);
    report.tried++;
    report.agreed += (unsigned)agreed;
    CHECK(agreed);
}

static void try_row(struct stage *on, const char *about, const char *text) {
    struct script script;
    parse_script(text, &script);
    try_script(on, about, text, &script);
}

/* ---- Guarded contexts ---- */

/* A call behind the script, which answers what the model says. */
static void add_call(struct script *script, struct model *model, enum verb verb, int thread, int first, int second) {
    struct step *step = &script->steps[script->length++];
    if (script->length > SCRIPT_STEPS)
        exit(EXIT_FAILURE);
    memset(step, 0, sizeof *step);
    step->verb = verb;
    step->thread = thread;
    step->operands[0] = first;
    step->operands[1] = second;
    step->expected = model_step(model, step);
}

/* Joins what is in the capture that was begun on `stream`, ends it on its thread, and asks what harmed it. */
static void add_end(struct script *script, struct model *model, int stream, struct model_capture *capture, int thread) {
    int other;
    for (other = 0; other < SCRIPT_CONTEXTS * SCRIPT_STREAMS; other++) {
        struct model_stream *fork = model_stream(model, other, thread);
        int context = other / SCRIPT_STREAMS;
        if (other == stream || fork->dropped || capture_of(fork) != capture)
            continue;
        add_call(script, model, VERB_RECORD, thread, context * SCRIPT_MADE + SCRIPT_MADE - 1, other);
        add_call(script, model, VERB_WAIT, thread, stream, context * SCRIPT_MADE + SCRIPT_MADE - 1);
    }
    add_call(script, model, VERB_END, thread, stream, SCRIPT_MADE - 1);
    add_call(script, model, VERB_VIOLATION, thread, stream, 0);
}

/* Has the script expect what guarded contexts answer: up to the first call that is refused what it says, and from there
 * on what the model says. All captures that are left are ended. */
static void guard_script(struct script *script) {
    static struct model plain, guarded;
    int stream, thread, parted = 0;
    unsigned i;
    model_open(&plain, 0);
    model_open(&guarded, ~0u);
    guarded.own_is_shared = on_cuda();
    for (i = 0; i < script->length; i++) {
        struct answer answer = model_step(&guarded, &script->steps[i]);
        if (parted)
            script->steps[i].expected = answer;
        else
            model_step(&plain, &script->steps[i]);
        parted |= model_whole(&plain) != model_whole(&guarded);
    }
    for (stream = 0; stream < SCRIPT_CONTEXTS * SCRIPT_STREAMS; stream++)
        for (thread = 0; thread < SCRIPT_THREADS; thread++) {
            struct model_stream *origin = model_stream(&guarded, stream, thread);
            if (!origin->dropped && origin->origin && capture_of(origin) != NULL && origin->capture->thread == thread)
                add_end(script, &guarded, stream, origin->capture, thread);
        }
}

static void single_calls_on(struct stage *on, int guarded) {
    char text[1024], needs[128];
    static char reasons[LENGTH_OF(calls)][128];
    size_t i;
    int cell;
    for (i = 0; i < LENGTH_OF(calls); i++) {
        const struct call *call = &calls[i];
        for (cell = 0; cell < 36; cell++) {
            if (call->how == NO_CALL) {
                snprintf(needs, sizeof needs, "graphcap has no call: %s", call->script);
                memcpy(reasons[i], needs, sizeof needs);
                not_applicable(reasons[i]);
                continue;
            }
            call_script(call, cell, guarded, text, sizeof text);
            if (call->how == RELAXED && cell % 3 != GRAPHCAP_CAPTURE_MODE_RELAXED) {
                struct script script;
                /* Not what the driver answers in this mode; what it does in the relaxed one is checked all the same. */
                not_applicable("graphcap makes the call in the relaxed mode");
                parse_script(text, &script);
                CHECK(agrees(on, call->driver, text, &script));
                continue;
            }
            try_row(on, call->driver, text);
        }
    }
    print_report(guarded ? "single calls in guarded contexts" : "single calls");
}

static void single_calls(void) {
    single_calls_on(&stage, 0);
}

static void guarded_single_calls(void) {
    single_calls_on(&guarded_stage, 1);
}

/* Why a case cannot be tried on this machine; NULL if it can. */
static const char *obstacle(const struct conformance_case *row) {
    int two = row->scope == MEASURED_ON_TWO_DEVICES || row->scope == UNMEASURED_ON_TWO_DEVICES;
    if (two && stage.sets[2].context == NULL)
        return "the machine has one device";
    if (row->scope == CONTEXTS_OF_THEIR_OWN && on_cuda())
        return "all contexts of a GPU are its primary one";
    if (row->scope == ONE_PRIMARY_CONTEXT && !on_cuda())
        return "contexts of a host device have nothing in common";
    return NULL;
}

static int is_assumed(const struct conformance_case *row) {
    return row->scope == UNMEASURED || row->scope == UNMEASURED_ON_TWO_DEVICES;
}

static void all_cases(void) {
    static char reasons[LENGTH_OF(cases)][128];
    size_t i;
    for (i = 0; i < LENGTH_OF(cases); i++) {
        const char *reason = obstacle(&cases[i]);
        if (cases[i].scope == MISSING) {
            snprintf(reasons[i], sizeof reasons[i], "graphcap has no call: %s", cases[i].script);
            not_applicable(reasons[i]);
        } else if (cases[i].scope == ELSEWHERE) {
            snprintf(reasons[i], sizeof reasons[i], "tested by %s", cases[i].script);
            not_applicable(reasons[i]);
        } else if (reason != NULL) {
            not_applicable(reason);
        } else if (is_assumed(&cases[i]) && on_cuda()) {
            not_applicable("not measured yet");
        } else {
            try_row(&stage, cases[i].about, cases[i].script);
        }
    }
    print_report("cases");
}

static void guarded_cases(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(cases); i++) {
        const char *reason = obstacle(&cases[i]);
        struct script script;
        if (cases[i].scope == MISSING) {
            not_applicable("graphcap has no call");
        } else if (cases[i].scope == ELSEWHERE) {
            not_applicable("nothing of a capture");
        } else if (cases[i].scope == ONE_PRIMARY_CONTEXT) {
            not_applicable("contexts of the model have nothing in common");
        } else if (reason != NULL) {
            not_applicable(reason);
        } else if (is_assumed(&cases[i]) && on_cuda()) {
            not_applicable("not measured yet");
        } else {
            parse_script(cases[i].script, &script);
            guard_script(&script);
            try_script(&guarded_stage, cases[i].about, cases[i].script, &script);
        }
    }
    print_report("cases in guarded contexts");
}

static void open_stage(struct stage *on, uint32_t flags) {
    gc_device_kind kind = tested_device();
    uint32_t devices = 0;
    stage_open(on, kind, flags);
    stage_open_context(on, 1, kind, 0, flags);
    REQUIRE_OK(gc_device_count(kind, &devices));
    if (devices > 1)
        stage_open_context(on, 2, kind, 1, flags);
}

/* Runs an assumed case and prints it with the answers that it got. */
static int measure_case(size_t number) {
    struct script script;
    int as_assumed = 1;
    unsigned i;
    if (number >= LENGTH_OF(cases))
        return EXIT_FAILURE;
    open_stage(&stage, 0);
    if (obstacle(&cases[number]) != NULL) {
        printf("%s: not tried: %s\n", cases[number].about, obstacle(&cases[number]));
        return EXIT_SUCCESS;
    }
    parse_script(cases[number].script, &script);
    stage_prepare(&stage, &script);
    printf("%s:\n", cases[number].about);
    for (i = 0; i < script.length; i++) {
        const struct step *step = &script.steps[i];
        char call[96], expected[64], answered[64];
        struct answer got;
        print_call(call, sizeof call, step);
        /* Before the call, so that one that hangs is seen. */
        printf("    %s", call);
        fflush(stdout);
        got = take_step(&stage, step);
        print_answer(answered, sizeof answered, step->verb, &got);
        print_answer(expected, sizeof expected, step->verb, &step->expected);
        if (answers_match(&step->expected, &got)) {
            printf(" -> %s\n", answered);
        } else {
            printf(" -> %s  ASSUMED %s\n", answered, expected);
            as_assumed = 0;
        }
    }
    printf("    %s\n", as_assumed ? "as assumed" : "NOT as assumed");
    fflush(stdout);
    /* What the case left is not cleared up: that might hang, and the process ends. */
    _exit(EXIT_SUCCESS);
}

static void measure_all(void) {
    static struct child child;
    size_t i;
    for (i = 0; i < LENGTH_OF(cases); i++) {
        char number[32];
        const char *line;
        int status;
        if (!is_assumed(&cases[i]))
            continue;
        snprintf(number, sizeof number, "%u", (unsigned)i);
        child_start(&child, "--case", number);
        while ((line = child_line(&child, CASE_SECONDS)) != NULL)
            printf("%s\n", line);
        status = child_end(&child, 1);
        if (status != EXIT_SUCCESS)
            printf("%.*s\n    and then it hung, or ended with status %d\n", (int)child.length, child.line, status);
    }
}

int main(int argc, char **argv) {
    const char *measure = getenv("GRAPHCAP_MEASURE");
    /* So that there is a second device without a GPU too. */
    setenv("GRAPHCAP_HOST_DEVICES", "2", 0);
    if (argc == 3 && strcmp(argv[1], "--case") == 0)
        return measure_case((size_t)atoi(argv[2]));
    if (measure != NULL && strcmp(measure, "1") == 0) {
        measure_all();
        return EXIT_SUCCESS;
    }
    open_stage(&stage, 0);
    RUN(single_calls);
    RUN(all_cases);
    stage_close(&stage);
    open_stage(&guarded_stage, GRAPHCAP_CONTEXT_GUARDED);
    RUN(guarded_single_calls);
    RUN(guarded_cases);
    stage_close(&guarded_stage);
    return check_finish();
}
