/* Drivers that cannot be used: each has its status and says what to do, GRAPHCAP_DEVICE_AUTO takes the host device and
 * tells why, and nothing keeps the host device from working. */
#include "harness.h"

struct refusal {
    /* A variable of the stand-in's and its value; NULL for the library at `file`. */
    const char *variable, *value, *file;
    gc_status status;
    /* What the message has to contain. */
    const char *words[3];
};

static const struct refusal refusals[] = {
    {"STAND_IN_VERSION", "11080", NULL, GRAPHCAP_ERROR_NOT_SUPPORTED, {"11.8", "12.0", "newer"}},
    {"STAND_IN_STUB", "1", NULL, GRAPHCAP_ERROR_STUB_LIBRARY,
     {"12.0/libcuda.so.1 is the toolkit's stub", "LD_LIBRARY_PATH", "GRAPHCAP_CUDA_LIBRARY"}},
    {"STAND_IN_INIT", "34", NULL, GRAPHCAP_ERROR_STUB_LIBRARY,
     {"12.0/libcuda.so.1 is the toolkit's stub", "LD_LIBRARY_PATH", "GRAPHCAP_CUDA_LIBRARY"}},
    {"STAND_IN_INIT", "100", NULL, GRAPHCAP_ERROR_NO_DEVICE, {"no GPU", "nvidia-smi", "CUDA_VISIBLE_DEVICES"}},
    {"STAND_IN_DEVICES", "0", NULL, GRAPHCAP_ERROR_NO_DEVICE, {"no GPU", "nvidia-smi", "CUDA_VISIBLE_DEVICES"}},
    {"STAND_IN_INIT", "999", NULL, GRAPHCAP_ERROR_NOT_INITIALIZED, {"cuInit", "999", "unknown error"}},
    {"STAND_IN_INIT", "803", NULL, GRAPHCAP_ERROR_NOT_INITIALIZED, {"803", "SYSTEM_DRIVER_MISMATCH", "display driver"}},
    {NULL, NULL, "/proc/no/such/libcuda.so.1", GRAPHCAP_ERROR_LIBRARY,
     {"/proc/no/such/libcuda.so.1", "No such file", "GRAPHCAP_CUDA_LIBRARY"}},
    {NULL, NULL, "/dev/null", GRAPHCAP_ERROR_LIBRARY,
     {"/dev/null", "file too short", "GRAPHCAP_CUDA_LIBRARY"}},
    {NULL, NULL, "libm.so.6", GRAPHCAP_ERROR_LIBRARY,
     {"libm.so.6 is no CUDA driver", "cuDriverGetVersion", "GRAPHCAP_CUDA_LIBRARY"}},
};

static const struct refusal *refusal;

/* The text that gc_device_auto_reason gives. */
static const char *reason(void) {
    static char text[4096];
    CHECK_OK(gc_device_auto_reason(text, sizeof text, NULL));
    return text;
}

static void expect_words(const char *text) {
    size_t i;
    for (i = 0; i < LENGTH_OF(refusal->words); i++)
        if (check_failed(check_contains(text, refusal->words[i])))
            fprintf(stderr, "in %s: '%s' is not in: %s\n", check_test, refusal->words[i], text);
}

static void cuda_is_refused(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    uint32_t count = 7;
    char name[64] = "x";
    CHECK_STATUS(gc_device_count(GRAPHCAP_DEVICE_CUDA, &count), refusal->status);
    CHECK(count == 0);
    CHECK_STATUS(gc_device_name(GRAPHCAP_DEVICE_CUDA, 0, name, sizeof name, NULL), refusal->status);
    options.device_kind = GRAPHCAP_DEVICE_CUDA;
    CHECK_STATUS(gc_context_create(&options, &context), refusal->status);
    CHECK(context == NULL);
    expect_words(last_message());
}

/* Who asks for CUDA by the environment gets no other device. */
static void the_environment_asks_for_cuda(void) {
    gc_context *context = NULL;
    CHECK_STATUS(gc_context_create(NULL, &context), refusal->status);
    CHECK(context == NULL && check_contains(reason(), "GRAPHCAP_DEVICE says cuda"));
}

static void auto_takes_the_host_device(void) {
    static const char start[] = "the host device, because CUDA cannot be used: ";
    struct rig rig;
    gc_buffer *buffer;
    setenv("GRAPHCAP_DEVICE", "auto", 1);
    CHECK(strncmp(reason(), start, strlen(start)) == 0);
    expect_words(reason());
    rig_open(&rig);
    CHECK(!on_cuda());
    buffer = open_buffer(rig.context, 4);
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 5, 1));
    CHECK(read_u32(rig.stream, buffer, 0) == 5);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
}

static void try_refusal(const char *number) {
    refusal = &refusals[atoi(number)];
    if (refusal->file != NULL) {
        use_library(refusal->file);
    } else {
        setenv(refusal->variable, refusal->value, 1);
        use_stand_in("12.0");
    }
    RUN(cuda_is_refused);
    RUN(the_environment_asks_for_cuda);
    RUN(auto_takes_the_host_device);
    if (refusal->file == NULL)
        expect_nothing_left(refusal->variable);
}

static void each_refusal_says_what_to_do(void) {
    unsigned i;
    char number[16];
    for (i = 0; i < LENGTH_OF(refusals); i++) {
        snprintf(number, sizeof number, "%u", i);
        in_child(try_refusal, number);
    }
}

/* Found out when a context is made, so that the devices are still told. */
static void a_context_without_pools(void) {
    gc_context *context = NULL;
    uint32_t count = 0;
    CHECK_OK(gc_device_count(GRAPHCAP_DEVICE_CUDA, &count));
    CHECK_MESSAGE(gc_context_create(NULL, &context), GRAPHCAP_ERROR_NOT_SUPPORTED, "stand-in 0 has no memory pools");
    CHECK(count == 2 && context == NULL);
}

static void try_without_pools(const char *version) {
    setenv("STAND_IN_NO_POOLS", "1", 1);
    use_stand_in(version);
    RUN(a_context_without_pools);
    expect_nothing_left("no pools");
}

static void a_device_without_pools_is_refused(void) {
    in_child(try_without_pools, "12.0");
}

/* What failed is tried again: the driver may have been installed or mended meanwhile. */
static void a_context_at_the_second_attempt(void) {
    gc_context *context = NULL;
    uint32_t count = 0;
    setenv("STAND_IN_INIT", "100", 1);
    CHECK_STATUS(gc_context_create(NULL, &context), GRAPHCAP_ERROR_NO_DEVICE);
    unsetenv("STAND_IN_INIT");
    CHECK_OK(gc_context_create(NULL, &context));
    CHECK_OK(gc_context_destroy(context));
    CHECK_OK(gc_device_count(GRAPHCAP_DEVICE_AUTO, &count));
    CHECK(count == 2);
}

static void try_again(const char *version) {
    use_stand_in(version);
    RUN(a_context_at_the_second_attempt);
    expect_nothing_left("tried again");
}

static void a_driver_that_works_later_is_taken(void) {
    in_child(try_again, "12.0");
}

int main(void) {
    RUN(each_refusal_says_what_to_do);
    RUN(a_device_without_pools_is_refused);
    RUN(a_driver_that_works_later_is_taken);
    return check_finish();
}
