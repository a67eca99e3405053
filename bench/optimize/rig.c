/* Opens the device, loads the kernels, and measures how many steps of `spin` take how long. */
#include "rig.h"

#include "../timing.h"
#include "spin_ptx.h"

#define PARAMETER(type, index) (*(type const *)arguments[index])

/* As in spin.cu. A step is a multiplication, not a read of the clock: two kernels that share a core must not both seem to make
 * progress. */
static int32_t spin(const gc_host_block *block, const void *const *arguments) {
    uint64_t *stamps = PARAMETER(uint64_t *, 11), from = stamps ? (uint64_t)now_ns() : 0;
    uint32_t sum = PARAMETER(uint32_t, 9);
    for (int input = 0; input < INPUTS; input++) {
        const uint32_t *cells = PARAMETER(const uint32_t *, 1 + input);
        for (uint32_t i = 0; i < PARAMETER(uint32_t, 1 + INPUTS + input); i++) sum = sum * 31 + cells[i];
    }
    const uint64_t steps = PARAMETER(uint64_t, 10);
    volatile uint64_t result;
    uint64_t value = block->struct_size;
    for (uint64_t i = 0; i < steps; i++) value = value * 6364136223846793005u + 1442695040888963407u;
    result = value;
    (void)result;
    *PARAMETER(uint32_t *, 0) = sum;
    if (stamps) {
        stamps[0] = from;
        stamps[1] = (uint64_t)now_ns();
    }
    return 0;
}

static int32_t do_nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

/* Nanoseconds that one launch of `steps` steps takes, by the kernel's own clock. */
static double time_spin(const rig *r, gc_buffer *memory, uint64_t steps) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const void *none = NULL;
    const uint32_t zero = 0;
    uint64_t stamps[2] = {0, 0};
    gc_kernel_arg arguments[PARAMETERS];
    arguments[0] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_BUFFER(memory);
    for (int i = 0; i < INPUTS; i++) {
        arguments[1 + i] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(none);
        arguments[1 + INPUTS + i] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(zero);
    }
    arguments[9] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(zero);
    arguments[10] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(steps);
    arguments[11] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_BUFFER_AT(memory, sizeof stamps);
    CHECK(gc_stream_memset(r->lanes[0], memory, 0, 0, 1, 2 * sizeof stamps));
    CHECK(gc_stream_launch_kernel(r->lanes[0], r->spin, &one, arguments, PARAMETERS));
    CHECK(gc_stream_memcpy_dtoh(r->lanes[0], stamps, memory, sizeof stamps, sizeof stamps));
    CHECK(gc_stream_synchronize(r->lanes[0]));
    return (double)(stamps[1] - stamps[0]);
}

/* Steps for each nanosecond; 0 where kernels do not run. The first tenth of a second only wakes the device. */
static double calibrate(const rig *r) {
    enum { ROUNDS = 5, WARM_UP_NS = 100000000 };
    const uint64_t steps = 1000000;
    double rounds[ROUNDS];
    gc_buffer *memory;
    CHECK(gc_buffer_allocate(r->context, 4 * sizeof(uint64_t), &memory));
    for (const double start = now_ns(); now_ns() - start < WARM_UP_NS;) time_spin(r, memory, steps);
    for (int i = 0; i < ROUNDS; i++) rounds[i] = time_spin(r, memory, steps);
    CHECK(gc_buffer_destroy(memory));
    const double ns = median(rounds, ROUNDS);
    return ns > 0.0 ? (double)steps / ns : 0.0;
}

static void load(rig *r) {
    static const size_t sizes[PARAMETERS] = {8, 8, 8, 8, 8, 4, 4, 4, 4, 4, 8, 8};
    const gc_host_kernel kernels[] = {{sizeof(gc_host_kernel), 0, "spin", spin, sizes, PARAMETERS, NULL, 0},
                                      {sizeof(gc_host_kernel), 0, "idle", do_nothing, sizes, PARAMETERS, NULL, 0},
                                      {sizeof(gc_host_kernel), 0, "nothing", do_nothing, NULL, 0, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    description.image = spin_ptx;
    description.image_size = sizeof spin_ptx;
    description.host_kernels = kernels;
    description.host_kernel_count = sizeof kernels / sizeof kernels[0];
    CHECK(gc_module_load(r->context, &description, &r->module));
    CHECK(gc_module_get_kernel(r->module, "spin", &r->spin));
    CHECK(gc_module_get_kernel(r->module, "idle", &r->idle));
    CHECK(gc_module_get_kernel(r->module, "nothing", &r->nothing));
}

static bool is_no_device(gc_status status) {
    return status == GRAPHCAP_ERROR_LIBRARY || status == GRAPHCAP_ERROR_STUB_LIBRARY || status == GRAPHCAP_ERROR_NO_DEVICE ||
           status == GRAPHCAP_ERROR_NOT_INITIALIZED || status == GRAPHCAP_ERROR_NOT_SUPPORTED;
}

bool rig_open(rig *r) {
    gc_stream_options streams = GRAPHCAP_STREAM_OPTIONS_INIT;
    char why[1024];
    *r = (rig){0};
    const gc_status status = gc_context_create(NULL, &r->context);
    if (is_no_device(status)) {
        gc_last_error_message(why, sizeof why, NULL);
        printf("skipped, there is no device to measure: %s\n", why);
        return false;
    }
    CHECK(status);
    CHECK(gc_context_device_kind(r->context, &r->kind));
    CHECK(gc_context_device_name(r->context, r->name, sizeof r->name, NULL));
    load(r);
    streams.flags = GRAPHCAP_STREAM_NON_BLOCKING;
    for (int i = 0; i < MOST_LANES; i++) CHECK(gc_stream_create(r->context, &streams, &r->lanes[i]));
    r->steps_per_ns = calibrate(r);
    if (r->steps_per_ns > 0.0) return true;
    printf("skipped: kernels do not run on %s\n", r->name);
    rig_close(r);
    return false;
}

void rig_close(rig *r) {
    for (int i = 0; i < MOST_LANES; i++) CHECK(gc_stream_destroy(r->lanes[i]));
    CHECK(gc_kernel_destroy(r->spin));
    CHECK(gc_kernel_destroy(r->idle));
    CHECK(gc_kernel_destroy(r->nothing));
    CHECK(gc_module_destroy(r->module));
    CHECK(gc_context_destroy(r->context));
}
