/* graphcap-device: which devices graphcap finds on this machine, and why it takes the one that it takes.
 *
 * usage: graphcap-device                what each kind of device answers, and what GRAPHCAP_DEVICE_AUTO stands for
 *        graphcap-device cuda | host    the names of these devices; exit status 1, and the reason, where none works */
#include <graphcap.h>

#include <stdio.h>
#include <string.h>

static void print_failure(FILE *file, gc_status status) {
    char message[1024] = "";
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(file, "%s (%d): %s\n", gc_status_name(status), (int)status, message);
}

/* Only a context that could be made shows that a device works. */
static gc_status try_device(gc_device_kind kind, uint32_t ordinal) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_status status;
    options.device_kind = kind;
    options.device_ordinal = ordinal;
    status = gc_context_create(&options, &context);
    return status == GRAPHCAP_SUCCESS ? gc_context_destroy(context) : status;
}

/* One line for each device of `kind`, with `label` in front; the failure goes to `failures`. */
static gc_status print_devices(const char *label, gc_device_kind kind, FILE *failures) {
    char name[256] = "";
    uint32_t count = 0, ordinal;
    gc_status status = gc_device_count(kind, &count);
    for (ordinal = 0; status == GRAPHCAP_SUCCESS && ordinal < count; ordinal++) {
        status = gc_device_name(kind, ordinal, name, sizeof name, NULL);
        if (status == GRAPHCAP_SUCCESS)
            status = try_device(kind, ordinal);
        if (status == GRAPHCAP_SUCCESS)
            printf("%s%s\n", label, name);
    }
    if (status != GRAPHCAP_SUCCESS) {
        fputs(label, failures);
        print_failure(failures, status);
    }
    return status;
}

/* What GRAPHCAP_DEVICE_AUTO gives, in this environment. */
static gc_status print_auto(void) {
    char reason[1024] = "";
    gc_status status = gc_device_auto_reason(reason, sizeof reason, NULL);
    fputs("auto   ", stdout);
    if (status == GRAPHCAP_SUCCESS)
        puts(reason);
    else
        print_failure(stdout, status);
    return status;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "cuda") == 0)
        return print_devices("", GRAPHCAP_DEVICE_CUDA, stderr) != GRAPHCAP_SUCCESS;
    if (argc == 2 && strcmp(argv[1], "host") == 0)
        return print_devices("", GRAPHCAP_DEVICE_HOST, stderr) != GRAPHCAP_SUCCESS;
    if (argc != 1) {
        fputs("usage: graphcap-device [cuda | host]\n", stderr);
        return 2;
    }
    print_devices("cuda   ", GRAPHCAP_DEVICE_CUDA, stdout);
    print_devices("host   ", GRAPHCAP_DEVICE_HOST, stdout);
    return print_auto() != GRAPHCAP_SUCCESS;
}
