/* Rows of what NVIDIA's driver was measured to answer about graphs: on an H200 with driver 580.159, which is CUDA 13.0. A program
 * that tries rows tells each of them in a line of the file that GRAPHCAP_ROWS names, from which answers.py makes the tables of
 * docs/driver-answers.md. */
#ifndef GRAPHCAP_TESTS_ROWS_H
#define GRAPHCAP_TESTS_ROWS_H

#include "check.h"

#include <stdarg.h>

#define STALE "a handle that is none is refused with 400"

/* How many rows were tried, and in how many graphcap answers otherwise than the driver. */
static unsigned tried, ours;

/* What the steps of the row that is tried answered. */
static char answers[512];

/* Whether there is one device alone. Two contexts of it are one of the driver's, so that rows of two contexts cannot be tried. */
static int is_alone;

static inline int is_of_two_contexts(const char *name) {
    return strstr(name, "foreign_ctx") != NULL || strstr(name, "foreign_function") != NULL || strstr(name, "two_contexts") != NULL ||
           strstr(name, "ctx_foreign") != NULL || strstr(name, "record_foreign") != NULL || strstr(name, "wait_foreign") != NULL ||
           strstr(name, "event_foreign") != NULL || strstr(name, "other_ctx") != NULL;
}

/* "key=number ", after what earlier steps answered. */
static inline void answer(const char *format, ...) {
    size_t length = strlen(answers);
    va_list arguments;
    if (length > 0)
        length += (size_t)snprintf(answers + length, sizeof answers - length, " ");
    va_start(arguments, format);
    vsnprintf(answers + length, sizeof answers - length, format, arguments);
    va_end(arguments);
}

static inline int is(const char *name, const char *wanted) {
    return strcmp(name, wanted) == 0;
}

/* The name of a row without its group. */
static inline const char *plain(const char *name) {
    return strchr(name, '.') == NULL ? name : strchr(name, '.') + 1;
}

static inline void expect(const char *name, const char *what, const char *got, const char *wanted) {
    if (check_failed(strcmp(got, wanted) == 0))
        fprintf(stderr, "    %s: %s gave '%s', expected '%s'\n", name, what, got, wanted);
}

/* Tells a row: what the driver answers, what graphcap answers on a CUDA device and on the host device, why that differs, and
 * which program tries it if that is another one. NULL stands for the answer before, and for nothing. */
static inline void publish(const char *name, const char *driver, const char *cuda, const char *host, const char *because,
                           const char *where) {
    const char *path = getenv("GRAPHCAP_ROWS");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (cuda == NULL)
        cuda = driver;
    tried += where == NULL;
    ours += strcmp(driver, cuda) != 0;
    /* An answer that differs has a reason, and no other one has. */
    if (check_failed((strcmp(driver, cuda) != 0 || (host != NULL && strcmp(host, driver) != 0)) == (because != NULL)))
        fprintf(stderr, "    %s: the reason does not fit\n", name);
    if (path != NULL)
        CHECK(file != NULL);
    if (file == NULL)
        return;
    fprintf(file, "%s\t%s\t%s\t%s\t%s\t%s\n", name, driver, cuda, host == NULL ? cuda : host, because == NULL ? "" : because,
            where == NULL ? "" : where);
    CHECK(fclose(file) == 0);
}

/* A row with a function that tries it. */
struct row {
    const char *name;
    void (*run)(const char *name);
    const char *driver, *graphcap; /* the same where the second one is NULL */
    const char *because;           /* of a difference */
    const char *host;              /* on the host device, where that differs from a CUDA device */
};

static inline void try_rows(const struct row *rows, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        const char *wanted = row->graphcap != NULL ? row->graphcap : row->driver;
        if (!on_cuda() && row->host != NULL)
            wanted = row->host;
        answers[0] = '\0';
        if (!is_alone || !is_of_two_contexts(row->name)) {
            row->run(plain(row->name));
            expect(row->name, "it", answers, wanted);
        }
        publish(row->name, row->driver, row->graphcap, row->host, row->because, NULL);
    }
}

/* Rows that no call leads to, or rules of the driver that graphcap's calls keep from being met. */
struct out_of_reach {
    const char *names, *because;
};

static inline void tell_out_of_reach(const struct out_of_reach *rows, size_t count) {
    const char *path = getenv("GRAPHCAP_ROWS");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    size_t i;
    for (i = 0; i < count; i++) {
        fprintf(stderr, "    out of reach: %s: %s\n", rows[i].names, rows[i].because);
        if (file != NULL)
            fprintf(file, "%s\t\t\t\t%s\t\n", rows[i].names, rows[i].because);
    }
    if (path != NULL)
        CHECK(file != NULL && fclose(file) == 0);
}

static inline void tell_counts(void) {
    fprintf(stderr, "%u rows tried on %s, %u of them with an answer of graphcap's own\n", tried, on_cuda() ? "cuda" : "host", ours);
}

#endif
