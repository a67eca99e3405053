/* A program that has more rights than whoever started it reads none of graphcap's variables. Only the superuser can make one here. */
#include "../support/child.h"
#include "kernels.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

/* Somebody else than the superuser. */
enum { OTHER = 65534 };

static char program[4096], copy[4096 + 32], trace[4096 + 32];

/* What the copy does: says whether it has more rights, what a variable that means nothing makes of a call, and how many host devices there
 * are. */
static int child_main(void) {
    gc_context *context = NULL;
    uint32_t devices = 0;
    gc_status created = gc_context_create(NULL, &context), counted = gc_device_count(GRAPHCAP_DEVICE_HOST, &devices);
    printf("rights %lu\n", getauxval(AT_SECURE));
    printf("created %d\n", created);
    printf("devices %d %u\n", counted, devices);
    return gc_context_destroy(context);
}

static int copy_program(mode_t mode) {
    char bytes[65536];
    ssize_t got = 0;
    int from = open(program, O_RDONLY), to = open(copy, O_WRONLY | O_CREAT | O_EXCL, 0700);
    while (from >= 0 && to >= 0 && (got = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)got) != got)
            got = -1;
    /* The owner first: another one takes the bit away. */
    if (from < 0 || to < 0 || got < 0 || fchown(to, OTHER, OTHER) != 0 || fchmod(to, mode) != 0)
        got = -1;
    close(from);
    close(to);
    return got == 0;
}

/* Runs a copy with that mode, and notes what it says: -1 where it does not. */
static void run_copy(mode_t mode, long rights_created_devices[3]) {
    struct child child;
    const char *line;
    int status, devices = -1;
    unsigned count = 0;
    memset(rights_created_devices, -1, 3 * sizeof *rights_created_devices);
    unlink(copy);
    if (check_failed(copy_program(mode)))
        return;
    child_start_program(&child, copy, "as", "copied");
    while ((line = child_line(&child, 60)) != NULL) {
        if (strncmp(line, "rights ", 7) == 0)
            rights_created_devices[0] = strtol(line + 7, NULL, 10);
        if (strncmp(line, "created ", 8) == 0)
            rights_created_devices[1] = strtol(line + 8, NULL, 10);
        if (sscanf(line, "devices %d %u", &devices, &count) == 2 && devices == GRAPHCAP_SUCCESS)
            rights_created_devices[2] = (long)count;
    }
    status = child_end(&child, 60);
    CHECK(status == 0 || rights_created_devices[1] == -1);
    unlink(copy);
}

static void no_variable_counts_in_a_program_with_more_rights(void) {
    long told[3];
    unlink(trace);
    setenv("GRAPHCAP_DEVICE", "nonsense", 1);
    setenv("GRAPHCAP_HOST_DEVICES", "3", 1);
    setenv("GRAPHCAP_TRACE", trace, 1);
    run_copy(0755, told);
    CHECK(told[0] == 0 && told[1] == GRAPHCAP_ERROR_INVALID_VALUE && told[2] == 3);
    CHECK(unlink(trace) == 0);
    run_copy(04755, told);
    if (told[0] != 1) {
        fprintf(stderr, "skipped: %s: this file system gives a program no more rights, or it does not find the library then\n", check_test);
        check_skips++;
        return;
    }
    CHECK(told[1] == GRAPHCAP_SUCCESS && told[2] == 1);
    CHECK(access(trace, F_OK) != 0);
}

int main(int argc, char **argv) {
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    (void)argv;
    if (argc == 3)
        return child_main();
    if (length < 0)
        return EXIT_FAILURE;
    if (geteuid() != 0) {
        fprintf(stderr, "skipped: only the superuser can make a program that has more rights\n");
        return EXIT_SKIPPED;
    }
    program[length] = '\0';
    snprintf(copy, sizeof copy, "%s.%ld", program, (long)getpid());
    snprintf(trace, sizeof trace, "%s.%ld.trace", program, (long)getpid());
    RUN(no_variable_counts_in_a_program_with_more_rights);
    return check_finish();
}
