/* Value operations of three threads, each on streams of its own: waits for what another stream writes. Under memcheck no step depends
 * on bytes that nobody wrote. */
#include "value.h"

#include <pthread.h>

enum { THREADS = 3 };

static void *wait_and_write(void *argument) {
    unsigned number = *(const unsigned *)argument, i, rounds = soak(100, 5000);
    gc_stream *waits = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *writes = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    for (i = 1; i <= rounds; i++) {
        CHECK_OK(wait_value(waits, number * 2, 64, i, GRAPHCAP_WAIT_VALUE_GEQ));
        CHECK_OK(wait_value(waits, number * 2 + 1, 32, i, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(write_value(writes, number * 2, 64, i));
        CHECK_OK(write_value(writes, number * 2 + 1, 32, i));
        /* Values that are there when the stream comes to the wait, or nearly. */
        CHECK_OK(wait_value(writes, number * 2, 64, i, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(wait_value(writes, number * 2, 64, 0, GRAPHCAP_WAIT_VALUE_NOR));
        CHECK_OK(wait_value(writes, number * 2 + 1, 32, UINT32_MAX, GRAPHCAP_WAIT_VALUE_AND));
        CHECK_OK(gc_stream_synchronize(waits));
    }
    CHECK_OK(gc_stream_destroy(writes));
    CHECK_OK(gc_stream_destroy(waits));
    return NULL;
}

static void three_threads_wait_for_values(void) {
    pthread_t threads[THREADS];
    unsigned numbers[THREADS], i;
    for (i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, wait_and_write, &numbers[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (i = 0; i < THREADS * 2; i++)
        CHECK(read_slot(a, i) == soak(100, 5000));
}

int main(void) {
    slots_open();
    clear_slots();
    RUN(three_threads_wait_for_values);
    slots_close();
    return check_finish();
}
