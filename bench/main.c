/* graphcap-bench: measures the library and prints tables. Figures go to stdout, progress to stderr.
 * `--help` says what it takes. */
#include <libgen.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "machine.h"
#include "timing.h"

const char *const bench_program = "graphcap-bench";

typedef struct {
    const char *name;
    void (*print)(const bench_options *options);
} table;

/* Memory comes first: what the other tables leave to the allocator would hide growth. */
static const table tables[] = {{"memory", bench_memory},
                               {"replay", bench_replay},
                               {"capture", bench_capture},
                               {"build", bench_build},
                               {"edit", bench_edit},
                               {"input", bench_input},
                               {"text", bench_text},
                               {"calls", bench_calls},
                               {"flight", bench_flight},
                               {"branches", bench_branches},
                               {"copy", bench_copy},
                               {"cores", bench_cores}};
enum { TABLES = sizeof tables / sizeof tables[0] };
static const double QUIET = 1.8; /* on two idle cores, two bare threads gain nearly 2 */

bench_device open_device(const gc_host_kernel *kernel) {
    bench_device device;
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    description.host_kernels = kernel;
    description.host_kernel_count = 1;
    CHECK(gc_context_create(&options, &device.context));
    CHECK(gc_stream_create(device.context, NULL, &device.stream));
    CHECK(gc_module_load(device.context, &description, &device.module));
    CHECK(gc_module_get_kernel(device.module, kernel->name, &device.kernel));
    return device;
}

void close_device(bench_device *device) {
    CHECK(gc_kernel_destroy(device->kernel));
    CHECK(gc_module_destroy(device->module));
    CHECK(gc_stream_destroy(device->stream));
    CHECK(gc_context_destroy(device->context));
}

static void print_machine(const bench_options *options) {
    char model[128], device[128];
    CHECK(gc_device_name(GRAPHCAP_DEVICE_HOST, 0, device, sizeof device, NULL));
    printf("graphcap %s on %s; %d cores (that it may use) of %s; medians of %d rounds%s\n", gc_version_string(), device,
           cores_allowed(), processor_name(model, sizeof model), options->rounds,
           options->quick ? " (a smoke run: its figures mean nothing)" : "");
}

static const char help[] =
    "usage: graphcap-bench [--quick] [--account] [--cores LIST] [--out FOLDER] [--svg PATH] [TABLE]...\n"
    "  TABLE      memory, replay, capture, build, edit, input, text, calls, flight, branches, copy, cores; all by default\n"
    "  --quick    a smoke run of seconds; its figures mean nothing\n"
    "  --cores    the columns of `cores`, such as 4,8,16; by default 1, 2, 4, 8 and 16, as far as allowed\n"
    "  --account  after each column of `cores`: where the time goes\n"
    "  --out      the folder of the diagrams bench.svg and bench-cores.svg; by default the one that the program is in\n"
    "  --svg      where the diagram of `replay` goes\n"
    "Each figure is the median of 11 rounds. Tables go to stdout, progress to stderr. GRAPHCAP_HOST_THREADS sets the number of\n"
    "lanes for all tables.\n";

static int usage(const char *argument) {
    fprintf(stderr, "graphcap-bench: unknown argument \"%s\"\n%s", argument, help);
    return 2;
}

/* The folder that the program is in; the one it is run in where that cannot be told. */
static const char *own_folder(void) {
    static char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return ".";
    path[length] = '\0';
    return dirname(path);
}

int main(int argc, char **argv) {
    static char svg_path[4200];
    bench_options options = {.quick = false, .rounds = 11, .svg_path = NULL, .out = own_folder()};
    bool chosen[TABLES] = {false}, any = false;
    int column = 0;
    double steps_per_us = 0;
    for (int i = 1; i < argc; i++) {
        int index = 0;
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (strcmp(argv[i], "--quick") == 0) {
            options.quick = true;
            options.rounds = 3;
            continue;
        }
        if (strcmp(argv[i], "--account") == 0) {
            options.account = true;
            continue;
        }
        if (strcmp(argv[i], "--cores") == 0 && i + 1 < argc) {
            options.columns = argv[++i];
            continue;
        }
        if (strcmp(argv[i], "--on-cores") == 0 && i + 2 < argc) { /* how `cores` starts the process of a column */
            column = atoi(argv[++i]);
            steps_per_us = atof(argv[++i]);
            continue;
        }
        if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
            options.out = argv[++i];
            continue;
        }
        if (strcmp(argv[i], "--svg") == 0 && i + 1 < argc) {
            options.svg_path = argv[++i];
            continue;
        }
        while (index < TABLES && strcmp(argv[i], tables[index].name) != 0) index++;
        if (index == TABLES) return usage(argv[i]);
        chosen[index] = any = true;
    }
    if (column > 0) {
        bench_cores_child(&options, column, steps_per_us);
        return 0;
    }
    if (!options.svg_path) {
        snprintf(svg_path, sizeof svg_path, "%s/bench.svg", options.out);
        options.svg_path = svg_path;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    print_machine(&options);
    for (int i = 0; i < TABLES; i++) {
        if (!chosen[i] && any) continue;
        const double before = bare_threads_gain();
        tables[i].print(&options);
        const double after = bare_threads_gain(), worse = before < after ? before : after;
        if (worse >= QUIET) continue;
        printf("\nThe machine was busy: two bare threads were only %.2f times as fast as one.\n", worse);
    }
    if (gc_live_handles() != 0) {
        fprintf(stderr, "graphcap-bench: %llu handles are left\n", (unsigned long long)gc_live_handles());
        return 1;
    }
    return 0;
}
