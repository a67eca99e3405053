/* What the stand-ins for NVIDIA's libraries share: how they are called is checked by the rules that the real ones were measured to
 * have, and what a call was given is written down. They calculate nothing; their work is memsets, so that graphs have nodes. */
#ifndef GRAPHCAP_STAND_IN_LIBRARY_H
#define GRAPHCAP_STAND_IN_LIBRARY_H

#include "driver.h"
#include "facts.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct library_facts facts;

static void library_violates(const char *what) {
    if (facts.violations++ == 0)
        facts.violation = what;
}

/* Every call needs a current context, and the relaxed mode, in which nothing that it does breaks a capture. */
static void library_is_called(const char *function) {
    int (*get_current)(void **) = NULL, (*exchange)(unsigned *) = NULL;
    void *current = NULL, *found = library_driver("cuCtxGetCurrent");
    unsigned mode = 2;
    if (getenv("STAND_IN_LIBRARIES_QUIET") != NULL)
        return;
    memcpy(&get_current, &found, sizeof found);
    found = library_driver("cuThreadExchangeStreamCaptureMode");
    memcpy(&exchange, &found, sizeof found);
    if (get_current == NULL || exchange == NULL) {
        library_violates("the driver is not loaded");
        return;
    }
    if (get_current(&current) != 0 || current == NULL)
        library_violates(function);
    if (exchange(&mode) != 0 || mode != 2)
        library_violates(function);
    mode = 2;
    exchange(&mode);
}

/* The work: a word of the workspace and one of the output are set. */
static int library_works(void *stream, uint64_t workspace, uint64_t output) {
    int (*set)(uint64_t, unsigned, size_t, void *) = NULL;
    void *found = library_driver("cuMemsetD32Async");
    if (getenv("STAND_IN_LIBRARIES_QUIET") != NULL)
        return 0;
    memcpy(&set, &found, sizeof found);
    if (set == NULL)
        return 1;
    return (workspace != 0 && set(workspace, 1, 1, stream) != 0) || set(output, 2, 1, stream) != 0;
}

static void library_notes(void *stream, uint64_t workspace, size_t bytes, uint64_t object, int mode, int math_mode) {
    const struct library_call call = {stream, workspace, bytes, object, mode, math_mode};
    if (facts.count < sizeof facts.calls / sizeof *facts.calls)
        facts.calls[facts.count++] = call;
}

/* The facts so far, for the tests. */
STAND_IN_EXPORT struct library_facts *stand_in_library(void);
struct library_facts *stand_in_library(void) {
    return &facts;
}

#endif
