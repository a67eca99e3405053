/* A kernel that stores to an illegal address: the next call that notices gives 700 and lists the launches that it may
 * come from; so do all later calls; the process lives, and the host device goes on in it. */
#include "fault.h"

static void a_kernel_that_faults(void) {
    static struct faulty s;
    struct bystander before, after;
    uint32_t number = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    bystander_open(&before);
    bystander_replay(&before);
    faulty_open(&s);
    /* The launch itself knows nothing of it yet. */
    CHECK_OK(launch(s.stream, s.fail, 1, 1, arguments, 1));
    CHECK_MESSAGE(gc_stream_synchronize(s.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "'fail'");
    faulty_note(&s, "'fail'");
    everything_gives_the_fault(&s, GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    bystander_replay(&before);
    bystander_open(&after);
    bystander_replay(&after);
    faulty_close(&s);
    bystander_replay(&before);
    bystander_replay(&after);
    bystander_close(&before);
    bystander_close(&after);
}

int main(void) {
    cuda_open();
    RUN(a_kernel_that_faults);
    return check_finish();
}
