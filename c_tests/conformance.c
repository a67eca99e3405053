/* Holds the device that is tested against conformance_data.h, which on a GPU checks the data themselves, and tells how
 * many rows were tried, agreed, and did not apply. With GRAPHCAP_MEASURE=1 it tells instead what the device answers to
 * the cases that are only assumed, each in a process of its own, in the language of the cases. */
#include "child.h"
#include "conformance_data.h"

enum { REASONS = 64, CASE_SECONDS = 60 };

static struct stage stage;

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
static int agrees(const char *about, const char *text) {
    struct script script;
    unsigned i;
    int agreed = 1;
    parse_script(text, &script);
    stage_prepare(&stage, &script);
    for (i = 0; i < script.length && agreed; i++) {
        const struct step *step = &script.steps[i];
        struct answer got = take_step(&stage, step);
        char call[96], expected[64], answered[64];
        agreed = answers_match(&step->expected, &got);
        if (agreed)
            continue;
        print_call(call, sizeof call, step);
        print_answer(expected, sizeof expected, step->verb, &step->expected);
        print_answer(answered, sizeof answered, step->verb, &got);
        fprintf(stderr, "%s: '%s' answered %s, expected %s, in: %s\n", about, call, answered, expected, text);
    }
    stage_clear(&stage);
    return agreed;
}

static void try_row(const char *about, const char *text) {
    int agreed = agrees(about, text);
    report.tried++;
    report.agreed += (unsigned)agreed;
    CHECK(agreed);
}

static void single_calls(void) {
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
            call_script(call, cell, text, sizeof text);
            if (call->how == RELAXED && cell % 3 != GRAPHCAP_CAPTURE_MODE_RELAXED) {
                /* Not what the driver answers in this mode; what it does in the relaxed one is checked all the same. */
                not_applicable("graphcap makes the call in the relaxed mode");
                CHECK(agrees(call->driver, text));
                continue;
            }
            try_row(call->driver, text);
        }
    }
    print_report("single calls");
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
    return row->scope == UNMEASURED || row->scope == UNMEASURED_ON_TWO_DEVICES || row->scope == ONE_PRIMARY_CONTEXT;
}

static void all_cases(void) {
    static char reasons[LENGTH_OF(cases)][128];
    size_t i;
    for (i = 0; i < LENGTH_OF(cases); i++) {
        const char *reason = obstacle(&cases[i]);
        if (cases[i].scope == MISSING) {
            snprintf(reasons[i], sizeof reasons[i], "graphcap has no call: %s", cases[i].script);
            not_applicable(reasons[i]);
        } else if (reason != NULL) {
            not_applicable(reason);
        } else if (is_assumed(&cases[i])) {
            not_applicable("not measured yet");
        } else {
            try_row(cases[i].about, cases[i].script);
        }
    }
    print_report("cases");
}

static void open_stage(void) {
    gc_device_kind kind = tested_device();
    uint32_t devices = 0;
    stage_open(&stage, kind);
    stage_open_context(&stage, 1, kind, 0);
    REQUIRE_OK(gc_device_count(kind, &devices));
    if (devices > 1)
        stage_open_context(&stage, 2, kind, 1);
}

/* Runs an assumed case and prints it with the answers that it got. */
static int measure_case(size_t number) {
    struct script script;
    int as_assumed = 1;
    unsigned i;
    if (number >= LENGTH_OF(cases))
        return EXIT_FAILURE;
    open_stage();
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
    open_stage();
    RUN(single_calls);
    RUN(all_cases);
    stage_close(&stage);
    return check_finish();
}
