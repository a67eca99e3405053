/* Versions, status names and the last error message. */
#include "kernels.h"

static const gc_status statuses[] = {
    GRAPHCAP_SUCCESS, GRAPHCAP_ERROR_INVALID_VALUE, GRAPHCAP_ERROR_OUT_OF_MEMORY, GRAPHCAP_ERROR_NOT_INITIALIZED,
    GRAPHCAP_ERROR_STUB_LIBRARY, GRAPHCAP_ERROR_NO_DEVICE, GRAPHCAP_ERROR_INVALID_DEVICE, GRAPHCAP_ERROR_INVALID_IMAGE,
    GRAPHCAP_ERROR_INVALID_CONTEXT, GRAPHCAP_ERROR_NO_BINARY_FOR_GPU, GRAPHCAP_ERROR_INVALID_PTX,
    GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION,
    GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_ILLEGAL_STATE, GRAPHCAP_ERROR_NOT_FOUND, GRAPHCAP_ERROR_NOT_READY,
    GRAPHCAP_ERROR_ILLEGAL_ADDRESS, GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES,
    GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED, GRAPHCAP_ERROR_LAUNCH_FAILED,
    GRAPHCAP_ERROR_NOT_PERMITTED, GRAPHCAP_ERROR_NOT_SUPPORTED, GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED,
    GRAPHCAP_ERROR_CAPTURE_INVALIDATED, GRAPHCAP_ERROR_CAPTURE_MERGE, GRAPHCAP_ERROR_CAPTURE_UNMATCHED,
    GRAPHCAP_ERROR_CAPTURE_UNJOINED, GRAPHCAP_ERROR_CAPTURE_ISOLATION, GRAPHCAP_ERROR_CAPTURE_IMPLICIT,
    GRAPHCAP_ERROR_CAPTURED_EVENT, GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD, GRAPHCAP_ERROR_TIMEOUT,
    GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE, GRAPHCAP_ERROR_UNKNOWN, GRAPHCAP_ERROR_STALE, GRAPHCAP_ERROR_SEALED,
    GRAPHCAP_ERROR_BUSY, GRAPHCAP_ERROR_PANIC, GRAPHCAP_ERROR_CALLBACK, GRAPHCAP_ERROR_BUFFER_TOO_SMALL,
    GRAPHCAP_ERROR_LIBRARY, GRAPHCAP_ERROR_FORKED, GRAPHCAP_ERROR_CANCELLED};

static void the_header_and_the_library_are_of_one_version(void) {
    char text[32];
    CHECK(gc_version() == GRAPHCAP_VERSION_NUMBER);
    CHECK(GRAPHCAP_VERSION_NUMBER ==
          GRAPHCAP_VERSION_MAJOR * 10000 + GRAPHCAP_VERSION_MINOR * 100 + GRAPHCAP_VERSION_PATCH);
    snprintf(text, sizeof text, "%d.%d.%d", GRAPHCAP_VERSION_MAJOR, GRAPHCAP_VERSION_MINOR, GRAPHCAP_VERSION_PATCH);
    CHECK(strcmp(text, GRAPHCAP_VERSION_STRING) == 0);
    CHECK(strcmp(gc_version_string(), GRAPHCAP_VERSION_STRING) == 0);
}

static void every_status_has_a_name_and_a_description(void) {
    size_t i, k;
    for (i = 0; i < LENGTH_OF(statuses); i++) {
        CHECK(strncmp(gc_status_name(statuses[i]), "GRAPHCAP_", 9) == 0);
        CHECK(strcmp(gc_status_name(statuses[i]), "GRAPHCAP_ERROR_UNRECOGNIZED") != 0);
        CHECK(strlen(gc_status_description(statuses[i])) > 10);
        CHECK(gc_status_name(statuses[i]) == gc_status_name(statuses[i]));
        for (k = 0; k < i; k++) {
            CHECK(statuses[k] != statuses[i]);
            CHECK(strcmp(gc_status_name(statuses[k]), gc_status_name(statuses[i])) != 0);
        }
    }
    CHECK(strcmp(gc_status_name(GRAPHCAP_SUCCESS), "GRAPHCAP_SUCCESS") == 0);
    CHECK(strcmp(gc_status_name(GRAPHCAP_ERROR_BUFFER_TOO_SMALL), "GRAPHCAP_ERROR_BUFFER_TOO_SMALL") == 0);
}

/* Programs compare and store the numbers: where CUDA has one it is CUDA's. */
static void the_numbers_are_as_published(void) {
    CHECK(GRAPHCAP_SUCCESS == 0 && GRAPHCAP_ERROR_INVALID_VALUE == 1 && GRAPHCAP_ERROR_INVALID_HANDLE == 400);
    CHECK(GRAPHCAP_ERROR_ILLEGAL_STATE == 401 && GRAPHCAP_ERROR_ILLEGAL_ADDRESS == 700 &&
          GRAPHCAP_ERROR_NOT_PERMITTED == 800);
    CHECK(GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED == 900 && GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD == 908);
    CHECK(GRAPHCAP_ERROR_BUFFER_TOO_SMALL == -6 && GRAPHCAP_ERROR_FORKED == -8 && GRAPHCAP_ERROR_CANCELLED == -9);
}

static void unknown_numbers_are_answered(void) {
    const gc_status unknown[] = {123456, -9999, INT32_MIN, INT32_MAX, 4};
    size_t i;
    for (i = 0; i < LENGTH_OF(unknown); i++) {
        CHECK(strcmp(gc_status_name(unknown[i]), "GRAPHCAP_ERROR_UNRECOGNIZED") == 0);
        CHECK(gc_status_description(unknown[i]) != NULL && strlen(gc_status_description(unknown[i])) > 5);
    }
}

static void *sees_no_message(void *argument) {
    char text[8] = "x";
    size_t needed = 99;
    (void)argument;
    CHECK_OK(gc_last_error_message(text, sizeof text, &needed));
    CHECK(text[0] == '\0' && needed == 1);
    return NULL;
}

static void a_thread_without_failures_has_no_message(void) {
    sees_no_message(NULL);
    CHECK_STATUS(gc_stream_synchronize(NULL), GRAPHCAP_ERROR_INVALID_HANDLE);
    on_another_thread(sees_no_message, NULL);
}

static void a_message_can_be_copied_in_part(void) {
    char whole[1024], part[8], one[1];
    size_t needed = 0, again = 0;
    CHECK_STATUS(gc_stream_synchronize(NULL), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_last_error_message(NULL, 0, &needed));
    CHECK_OK(gc_last_error_message(whole, sizeof whole, &again));
    CHECK(needed == again && needed == strlen(whole) + 1 && needed > sizeof part);

    again = 0;
    CHECK_STATUS(gc_last_error_message(part, sizeof part, &again), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(again == needed && memcmp(part, whole, sizeof part - 1) == 0 && part[sizeof part - 1] == '\0');
    CHECK_STATUS(gc_last_error_message(part, sizeof part, NULL), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    one[0] = 'x';
    CHECK_STATUS(gc_last_error_message(one, 1, &again), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(one[0] == '\0' && again == needed);

    /* Room for exactly the message is enough. */
    memset(whole, 'x', sizeof whole);
    CHECK_OK(gc_last_error_message(whole, needed, NULL));
    CHECK(strlen(whole) + 1 == needed && whole[needed] == 'x');

    /* Neither reading nor failing to read it replaces it. */
    memset(part, 0, sizeof part);
    CHECK_STATUS(gc_last_error_message(NULL, 7, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_last_error_message(whole, sizeof whole, NULL));
    CHECK(check_contains(whole, "gc_stream_synchronize"));
}

static void success_leaves_the_message(void) {
    char text[1024] = "";
    uint32_t count = 0;
    CHECK_STATUS(gc_event_synchronize(NULL), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_device_count(GRAPHCAP_DEVICE_HOST, &count));
    CHECK_OK(gc_last_error_message(text, sizeof text, NULL));
    CHECK(check_contains(text, "gc_event_synchronize"));
    CHECK_STATUS(gc_stream_synchronize(NULL), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_last_error_message(text, sizeof text, NULL));
    CHECK(check_contains(text, "gc_stream_synchronize") && !check_contains(text, "gc_event_synchronize"));
}

/* A name of any length fits somewhere: long messages are cut, never overrun. */
static void long_names_are_cut_in_messages(void) {
    static char name[20001];
    static char text[30000];
    gc_context *context = open_context();
    gc_module *module = load_kernels(context);
    gc_kernel *kernel = NULL;
    size_t needed = 0;
    memset(name, 'n', sizeof name - 1);
    CHECK_MESSAGE(gc_module_get_kernel(module, name, &kernel), GRAPHCAP_ERROR_NOT_FOUND, "nnnn");
    CHECK_OK(gc_last_error_message(text, sizeof text, &needed));
    CHECK(needed == strlen(text) + 1);
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_context_destroy(context));
}

static void live_handles_are_counted(void) {
    gc_context *context;
    gc_stream *stream;
    CHECK(gc_live_handles() == 0);
    context = open_context();
    CHECK(gc_live_handles() == 1);
    stream = open_stream(context, 0);
    CHECK(gc_live_handles() == 2);
    CHECK_OK(gc_context_destroy(context));
    CHECK(gc_live_handles() == 1);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK(gc_live_handles() == 0);
}

int main(void) {
    RUN(a_thread_without_failures_has_no_message);
    RUN(the_header_and_the_library_are_of_one_version);
    RUN(every_status_has_a_name_and_a_description);
    RUN(the_numbers_are_as_published);
    RUN(unknown_numbers_are_answered);
    RUN(a_message_can_be_copied_in_part);
    RUN(success_leaves_the_message);
    RUN(long_names_are_cut_in_messages);
    RUN(live_handles_are_counted);
    return check_finish();
}
