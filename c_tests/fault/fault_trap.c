/* A kernel that gives up by itself gives 719 instead of 700, and where nobody waits, a question notices; all else is as
 * after an illegal address. */
#include "fault.h"

static const char trap_ptx[] = ".version 6.0\n"
                               ".target sm_50\n"
                               ".address_size 64\n"
                               ".visible .entry give_up() {\n"
                               "    trap;\n"
                               "    ret;\n"
                               "}\n";

static void a_kernel_that_gives_up(void) {
    static struct faulty s;
    struct bystander host;
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    gc_kernel *give_up;
    gc_buffer *buffer = NULL;
    gc_status status = GRAPHCAP_SUCCESS;
    int32_t complete = 0;
    unsigned rounds;
    bystander_open(&host);
    faulty_open(&s);
    code.image = trap_ptx;
    code.image_size = sizeof trap_ptx;
    REQUIRE_OK(gc_module_load(s.rig.context, &code, &module));
    give_up = get_kernel(module, "give_up");
    CHECK_OK(launch(s.stream, give_up, 1, 1, NULL, 0));
    /* Nobody waits: sooner or later a question is answered by the fault. */
    for (rounds = 0; rounds < 20000 && status == GRAPHCAP_SUCCESS; rounds++) {
        pause_ms(1);
        status = gc_stream_is_complete(s.stream, &complete);
    }
    CHECK_STATUS(status, GRAPHCAP_ERROR_LAUNCH_FAILED);
    CHECK(complete == 0);
    faulty_note(&s, "'give_up'");
    everything_gives_the_fault(&s, GRAPHCAP_ERROR_LAUNCH_FAILED);
    /* What was destroyed can only be told by name while it was there: the list was made at once and stays. */
    SOON(gc_kernel_destroy(give_up));
    SOON(gc_module_destroy(module));
    CHECK_MESSAGE(gc_buffer_allocate(s.rig.context, 64, &buffer), GRAPHCAP_ERROR_LAUNCH_FAILED, "'give_up'");
    bystander_replay(&host);
    faulty_close(&s);
    bystander_replay(&host);
    bystander_close(&host);
}

int main(void) {
    cuda_open();
    RUN(a_kernel_that_gives_up);
    return check_finish();
}
