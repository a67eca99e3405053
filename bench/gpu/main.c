/* graphcap-bench-gpu: what graphcap adds to the CUDA driver's own calls, on a GPU. The table goes to stdout.
 * Usage: graphcap-bench-gpu [--quick] [--rounds N] [--out FOLDER] [TABLE]...; exits 77 where there is no GPU. */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../machine.h"
#include "company.h"
#include "report.h"

const char *const bench_program = "graphcap-bench-gpu";

enum { SKIPPED = 77 };

static void print_head(const report *r) {
    char processor[128], device[128], date[32] = "";
    int version;
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y-%m-%d", &utc);
    CHECK(gc_device_name(GRAPHCAP_DEVICE_CUDA, 0, device, sizeof device, NULL));
    CU_CHECK(cu.cuDriverGetVersion(&version));
    printf("graphcap %s on %s, CUDA %d.%d of the driver; %ld cores of %s; %s\n", gc_version_string(), device,
           version / 1000, version % 1000 / 10, sysconf(_SC_NPROCESSORS_ONLN),
           processor_name(processor, sizeof processor), date);
    printf("medians of %d rounds; in each both sides twice, in turn%s\n", r->rounds,
           r->quick ? " (a smoke run: its figures mean nothing)" : "");
    printf("alive meanwhile: %s\n", company_text);
    printf("reading the clock takes %.0f ns; it is taken off the figures of capture\n", r->clock);
}

static const struct {
    const char *name, *title;
    void (*measure)(report *r, work *w);
} tables[] = {
    {"launch",
     "Launch: CPU time of one launch, and (but for 'own') on the same stream; 'launch' is of the same exec", bench_launch},
    {"capture", "Capture: a chain of kernels with three arguments; per node: the launches alone", bench_capture},
    {"instantiate", "Instantiate, and the first upload of each exec", bench_instantiate},
    {"build", "Build: graphs built by hand, a chain of kernels; execs that are changed", bench_build},
    {"update", "Update: an exec that two captured chains update in turn", bench_update},
    {"apply", "Apply, beside the cheaper one of setting nodes and updating", bench_apply},
    {"calls", "Single calls: nothing is promised", bench_calls},
    {"watch", "Watch: execs that tell how far a launch is, beside the driver's exec; nothing is promised", bench_watch},
    {"foreign", "Foreign: captures of work that others record on a wrapped stream",
     bench_foreign},
    {"check", "Check: a graph of others, beside the driver's calls that list its nodes and read each", bench_checks},
    {"step", "Step: a replay node by node, beside the driver's replay; nothing is promised", bench_step},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static int usage(const char *argument) {
    fprintf(stderr, "%s: unexpected argument \"%s\"\n", bench_program, argument);
    fprintf(stderr, "usage: %s [--quick] [--rounds N] [--out FOLDER] [TABLE]...\n  TABLE    one of", bench_program);
    for (int t = 0; t < TABLES; t++) fprintf(stderr, " %s", tables[t].name);
    fprintf(stderr, "; all by default\n");
    return 2;
}

/* The table of that name; TABLES where there is none. */
static int table_called(const char *name) {
    int t = 0;
    while (t < TABLES && strcmp(tables[t].name, name) != 0) t++;
    return t;
}

int main(int argc, char **argv) {
    bool quick = false, any = false, wanted[TABLES] = {false};
    int rounds = 0;
    const char *folder = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) quick = true;
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) rounds = atoi(argv[++i]);
        else if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) folder = argv[++i];
        else if (table_called(argv[i]) < TABLES) any = wanted[table_called(argv[i])] = true;
        else return usage(argv[i]);
    }
    if (rounds <= 0) rounds = quick ? 7 : 301;
    setvbuf(stdout, NULL, _IOLBF, 0);

    gpu device;
    report r;
    work streams[OWNERSHIPS];
    if (!gpu_open(&device)) return SKIPPED;
    report_begin(&r, quick, rounds);
    print_head(&r);
    company *others = company_start(&device);
    for (int i = 0; i < OWNERSHIPS; i++) work_open(&streams[i], &device, (ownership)i);
    for (int t = 0; t < TABLES; t++) {
        if (any && !wanted[t]) continue;
        report_title(tables[t].title);
        for (int i = 0; i < OWNERSHIPS; i++) tables[t].measure(&r, &streams[i]);
    }
    for (int i = 0; i < OWNERSHIPS; i++) work_close(&streams[i]);
    company_stop(others);
    gpu_close(&device);
    report_end(&r);
    if (folder && !report_write(&r, folder)) return 1;
    if (gc_live_handles() != 0) {
        fprintf(stderr, "%s: %llu handles are left\n", bench_program, (unsigned long long)gc_live_handles());
        return 1;
    }
    return 0;
}
