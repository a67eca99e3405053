/* A program that links another static library of Rust (other.rs) beside graphcap. Each works with its own copy of Rust's
 * standard library, and a panic in either stays inside it. graphcap has no call that panics; so the clock fails under it,
 * which Rust's standard library answers with a panic. */

#define _GNU_SOURCE

/* main.c as a function. */
#define main graphcap_works
#include "main.c"
#undef main

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint64_t other_sum(uint32_t count);
uint32_t other_calls(void);
int32_t other_panic(void);

static _Thread_local int clock_fails;

/* Takes the place of the C library's, in a static and in a shared graphcap. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock_fails) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_clock_gettime, clock, time);
}

static void expect(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "not true: %s\n", what);
        exit(1);
    }
}

#define EXPECT(condition) expect((condition), #condition)

static void a_panic_stays_inside_graphcap(void)
{
    char message[512] = "";
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_status status;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    CHECK(gc_context_create(&options, &context));
    CHECK(gc_context_synchronize_for(context, 1000));
    clock_fails = 1;
    status = gc_context_synchronize_for(context, 1000);
    clock_fails = 0;
    gc_last_error_message(message, sizeof message, NULL);
    EXPECT(status == GRAPHCAP_ERROR_PANIC);
    EXPECT(strstr(message, "gc_context_synchronize_for") != NULL);
    EXPECT(gc_context_synchronize(context) == GRAPHCAP_ERROR_PANIC);
    CHECK(gc_context_destroy(context));
    EXPECT(gc_live_handles() == 0);
}

int main(void)
{
    int round;
    for (round = 1; round <= 2; ++round) {
        EXPECT(other_sum(1000) == 499500);
        EXPECT(graphcap_works() == 0);
        EXPECT(other_panic() == 1);
        a_panic_stays_inside_graphcap();
        EXPECT(other_calls() == (uint32_t)round);
    }
    puts("both libraries of Rust work, and contain their panics");
    return 0;
}
