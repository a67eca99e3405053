/* Devices: counting and naming them, and what the environment chooses. */
#include "kernels.h"

static void host_devices_are_counted_and_named(void) {
    uint32_t count = 0, ordinal;
    char text[256];
    size_t needed;
    CHECK_OK(gc_device_count(GRAPHCAP_DEVICE_HOST, &count));
    CHECK(count == 3);
    for (ordinal = 0; ordinal < count; ordinal++) {
        needed = 0;
        CHECK_OK(gc_device_name(GRAPHCAP_DEVICE_HOST, ordinal, text, sizeof text, &needed));
        CHECK(needed == strlen(text) + 1 && check_contains(text, "host"));
    }
    CHECK_STATUS(gc_device_name(GRAPHCAP_DEVICE_HOST, 0, text, 4, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(needed > 4 && strlen(text) == 3);
    CHECK_OK(gc_device_name(GRAPHCAP_DEVICE_HOST, 0, NULL, 0, &needed));
}

static void devices_that_are_not_there_are_refused(void) {
    uint32_t count = 7;
    char text[64] = "x";
    size_t needed = 7;
    CHECK_MESSAGE(gc_device_count(3, &count), GRAPHCAP_ERROR_INVALID_VALUE, "kind");
    CHECK(count == 0);
    CHECK_MESSAGE(gc_device_count(-1, &count), GRAPHCAP_ERROR_INVALID_VALUE, "kind");
    CHECK_MESSAGE(gc_device_name(9, 0, text, sizeof text, &needed), GRAPHCAP_ERROR_INVALID_VALUE, "kind");
    CHECK(needed == 0 && text[0] == '\0');
    CHECK_MESSAGE(gc_device_name(GRAPHCAP_DEVICE_HOST, 3, text, sizeof text, &needed), GRAPHCAP_ERROR_INVALID_DEVICE, "3");
    CHECK_MESSAGE(gc_device_name(GRAPHCAP_DEVICE_HOST, UINT32_MAX, text, sizeof text, &needed),
                  GRAPHCAP_ERROR_INVALID_DEVICE, "4294967295");
}

static void each_device_has_contexts(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    uint32_t ordinal;
    char own[256], listed[256];
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    for (ordinal = 0; ordinal < 3; ordinal++) {
        options.device_ordinal = ordinal;
        CHECK_OK(gc_context_create(&options, &context));
        CHECK_OK(gc_context_device_name(context, own, sizeof own, NULL));
        CHECK_OK(gc_device_name(GRAPHCAP_DEVICE_HOST, ordinal, listed, sizeof listed, NULL));
        CHECK(strcmp(own, listed) == 0);
        CHECK_OK(gc_context_destroy(context));
    }
    options.device_ordinal = 3;
    CHECK_MESSAGE(gc_context_create(&options, &context), GRAPHCAP_ERROR_INVALID_DEVICE, "3");
    CHECK(context == NULL);
}

static void the_environment_chooses_for_auto(void) {
    gc_context *context = NULL;
    gc_device_kind kind = GRAPHCAP_DEVICE_AUTO;
    uint32_t count = 0;
    setenv("GRAPHCAP_DEVICE", "host", 1);
    CHECK_OK(gc_device_count(GRAPHCAP_DEVICE_AUTO, &count));
    CHECK(count == 3);
    CHECK_OK(gc_context_create(NULL, &context));
    CHECK_OK(gc_context_device_kind(context, &kind));
    CHECK(kind == GRAPHCAP_DEVICE_HOST);
    CHECK_OK(gc_context_destroy(context));

    /* Asking for CUDA there is asking for it by its kind: no other device steps in. */
    setenv("GRAPHCAP_DEVICE", "cuda", 1);
    CHECK(gc_device_count(GRAPHCAP_DEVICE_AUTO, &count) == gc_device_count(GRAPHCAP_DEVICE_CUDA, &count));
    if (gc_context_create(NULL, &context) == GRAPHCAP_SUCCESS) {
        CHECK_OK(gc_context_device_kind(context, &kind));
        CHECK(kind == GRAPHCAP_DEVICE_CUDA);
        CHECK_OK(gc_context_destroy(context));
    } else {
        CHECK(context == NULL && gc_device_count(GRAPHCAP_DEVICE_CUDA, &count) != GRAPHCAP_SUCCESS);
    }

    setenv("GRAPHCAP_DEVICE", "banana", 1);
    CHECK_MESSAGE(gc_context_create(NULL, &context), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_DEVICE must be");
    CHECK(context == NULL);
    CHECK_MESSAGE(gc_device_count(GRAPHCAP_DEVICE_AUTO, &count), GRAPHCAP_ERROR_INVALID_VALUE, "it is \"banana\"");
    /* Who names a kind does not ask the environment. */
    CHECK_OK(gc_device_count(GRAPHCAP_DEVICE_HOST, &count));
    unsetenv("GRAPHCAP_DEVICE");
}

/* The sentence must say which device it is, and why. */
static void check_reason(const char *device, const char *why) {
    char text[1024] = "";
    size_t needed = 0;
    CHECK_OK(gc_device_auto_reason(text, sizeof text, &needed));
    CHECK(needed == strlen(text) + 1);
    if (check_failed(check_contains(text, device) && check_contains(text, why)))
        fprintf(stderr, "in %s: the reason names not '%s' and '%s': %s\n", check_test, device, why, text);
}

static void auto_says_what_it_takes_and_why(void) {
    char text[1024] = "x", against[1024] = "";
    size_t needed = 0, again = 0;
    uint32_t count = 0;
    setenv("GRAPHCAP_DEVICE", "host", 1);
    check_reason("host", "GRAPHCAP_DEVICE");
    setenv("GRAPHCAP_DEVICE", "cuda", 1);
    check_reason("CUDA", "GRAPHCAP_DEVICE");
    setenv("GRAPHCAP_DEVICE", "banana", 1);
    CHECK_MESSAGE(gc_device_auto_reason(text, sizeof text, &needed), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_DEVICE");
    CHECK(text[0] == '\0' && needed == 0);
    /* Left to itself it takes CUDA where that works; else it says why not, in the words of who asks for CUDA. */
    unsetenv("GRAPHCAP_DEVICE");
    if (gc_device_count(GRAPHCAP_DEVICE_CUDA, &count) == GRAPHCAP_SUCCESS) {
        check_reason("CUDA", "works");
    } else {
        const char *colon;
        CHECK_OK(gc_last_error_message(against, sizeof against, NULL));
        colon = strstr(against, ": ");
        check_reason("host", colon != NULL ? colon + 2 : "a message that names its function");
    }
    setenv("GRAPHCAP_DEVICE", "auto", 1);
    check_reason(count > 0 ? "CUDA" : "host", "because");
    CHECK_OK(gc_device_auto_reason(NULL, 0, &needed));
    CHECK_MESSAGE(gc_device_auto_reason(text, 6, &again), GRAPHCAP_ERROR_BUFFER_TOO_SMALL, "capacity");
    CHECK(strlen(text) == 5 && again == needed);
    CHECK_MESSAGE(gc_device_auto_reason(NULL, 6, &again), GRAPHCAP_ERROR_INVALID_VALUE, "text");
    unsetenv("GRAPHCAP_DEVICE");
}

static int is_reason_against_cuda(gc_status status) {
    return status == GRAPHCAP_ERROR_LIBRARY || status == GRAPHCAP_ERROR_NOT_SUPPORTED ||
           status == GRAPHCAP_ERROR_STUB_LIBRARY || status == GRAPHCAP_ERROR_NO_DEVICE ||
           status == GRAPHCAP_ERROR_NOT_INITIALIZED;
}

/* Nothing of CUDA is needed to start; a machine without it is told so, and what to use instead. */
static void cuda_is_there_or_its_absence_is_a_status(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_device_kind kind = GRAPHCAP_DEVICE_AUTO;
    uint32_t count = 7;
    gc_status status = gc_device_count(GRAPHCAP_DEVICE_CUDA, &count);
    options.device_kind = GRAPHCAP_DEVICE_CUDA;
    if (status == GRAPHCAP_SUCCESS) {
        CHECK(count >= 1);
        CHECK_OK(gc_context_create(&options, &context));
        CHECK_OK(gc_context_device_kind(context, &kind));
        CHECK(kind == GRAPHCAP_DEVICE_CUDA);
        CHECK_OK(gc_context_destroy(context));
    } else {
        CHECK(is_reason_against_cuda(status) && count == 0);
        CHECK_MESSAGE(gc_context_create(&options, &context), status, "host");
        CHECK(context == NULL);
    }
}

int main(void) {
    setenv("GRAPHCAP_HOST_DEVICES", "3", 1);
    RUN(host_devices_are_counted_and_named);
    RUN(devices_that_are_not_there_are_refused);
    RUN(each_device_has_contexts);
    RUN(cuda_is_there_or_its_absence_is_a_status);
    RUN(the_environment_chooses_for_auto);
    RUN(auto_says_what_it_takes_and_why);
    return check_finish();
}
