/* What the tests on several versions of the stand-in share: a process for each version, in which all tests run. */
#ifndef GRAPHCAP_STAND_IN_DRIVERS_H
#define GRAPHCAP_STAND_IN_DRIVERS_H

#include "harness.h"

enum { WORDS = 16 };

static struct rig rig;
static int is_old;

static inline void *native_stream(const gc_stream *stream) {
    void *native = NULL;
    REQUIRE_OK(gc_stream_native(stream, &native));
    return native;
}

/* Has graphcap load the stand-in of a version. */
static inline void open_driver(const char *version) {
    is_old = strcmp(version, "12.0") == 0;
    use_stand_in(version);
    look_up_driver();
}

#endif
