/* Cores: the same work on 1, 2, 4, 8 and 16 cores, beside oneTBB, with lanes awake and asleep, and where the time goes.
 * Each number of cores has a process of its own, since libraries count the cores when they start. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "flow_graph.h"
#include "flow_work.h"
#include "lane_log.h"
#include "plot.h"
#include "record.h"
#include "timing.h"
#include "work.h"

enum { ROWS = 10, MOST_COLUMNS = 8, BLOCKS = 1000, BURST = 4 };
static const double PAUSE_NS = 3e6; /* after which the lanes of both libraries sleep */

typedef enum { INDEPENDENT, RANDOM, ONE_KERNEL, CHAIN, FAN } kind;

typedef struct {
    const char *name;
    kind kind;
    size_t nodes;
    double kernel_us; /* 0: the shortest kernel there is */
} row;

static const row rows[ROWS] = {{"64 independent, 10 us", INDEPENDENT, 64, 10},
                               {"64 independent, 100 us", INDEPENDENT, 64, 100},
                               {"random 1000, 50 us", RANDOM, 1000, 50},
                               {"random 20000, 1 us", RANDOM, 20000, 1},
                               {"one of 1000 blocks, 1 us", ONE_KERNEL, BLOCKS, 1},
                               {"one of 1000 blocks, 10 us", ONE_KERNEL, BLOCKS, 10},
                               {"chain 1000, no-op", CHAIN, 1000, 0},
                               {"fan 1000, no-op", FAN, 1000, 0},
                               {"random 1000, no-op", RANDOM, 1000, 0},
                               {"random 10000, no-op", RANDOM, 10000, 0}};

/* What a row is measured on. */
typedef struct {
    const bench_device *device;
    gc_graph_exec *exec;
    flow_work *flow;
    const row *row;
    gc_host_kernel_fn function;
    const void *arguments[1];
    uint64_t steps;
} subject;

static shape shape_of(const row *r) {
    enum { WINDOW = 64 };
    switch (r->kind) {
    case RANDOM: return shape_random(r->nodes, WINDOW);
    case CHAIN: return shape_chain(r->nodes);
    case FAN: return shape_fan(r->nodes);
    case ONE_KERNEL: return shape_independent(1);
    default: return shape_independent(r->nodes);
    }
}

static void submit_blocks(const gc_stream *stream, size_t node, void *user_data) {
    const work_launch *launch = user_data;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(launch->steps)};
    (void)node;
    config.grid_dim[0] = BLOCKS;
    CHECK(gc_stream_launch_kernel(stream, launch->kernel, &config, arguments, 1));
}

static double run_ours(const subject *s) {
    return time_replay(s->device, s->exec);
}

static double run_flow(const subject *s) {
    const double start = now_ns();
    if (s->row->kind == ONE_KERNEL) flow_blocks_run(BLOCKS, s->function, s->arguments);
    else flow_work_run(s->flow);
    return now_ns() - start;
}

static void pause_ns(double ns) {
    const struct timespec time = {0, (long)ns};
    nanosleep(&time, NULL);
}

static void spin_ns(double ns) {
    const double start = now_ns();
    while (now_ns() - start < ns) {}
}

/* The median of `count` rounds, each after a pause. Both libraries in turn. */
static void measure_cold(const subject *s, int rounds, double result[2]) {
    double ours[MAX_ROUNDS], flow[MAX_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        pause_ns(PAUSE_NS);
        ours[round] = run_ours(s);
        if (!flow_graph_library()) continue;
        pause_ns(PAUSE_NS);
        flow[round] = run_flow(s);
    }
    result[0] = median(ours, rounds);
    result[1] = flow_graph_library() ? median(flow, rounds) : 0;
}

/* The same one after another: in each round a burst of one library and then of the other. The first of a burst, which
 * finds its lanes asleep, does not count; of the others the median does. */
static void measure_warm(const subject *s, int rounds, double result[2]) {
    double ours[MAX_ROUNDS], flow[MAX_ROUNDS], burst[BURST];
    for (int round = 0; round < rounds; round++) {
        run_ours(s);
        for (int i = 0; i < BURST; i++) burst[i] = run_ours(s);
        ours[round] = median(burst, BURST);
        pause_ns(PAUSE_NS);
        if (!flow_graph_library()) continue;
        run_flow(s);
        for (int i = 0; i < BURST; i++) burst[i] = run_flow(s);
        flow[round] = median(burst, BURST);
        pause_ns(PAUSE_NS);
    }
    result[0] = median(ours, rounds);
    result[1] = flow_graph_library() ? median(flow, rounds) : 0;
}

/* What no library can do better than, in ns: all the work on all cores, or the longest path. 0 for no-op kernels. */
static double bound_of(const subject *s, const shape *of, int cores) {
    if (s->row->kernel_us == 0) return 0;
    const double single = time_of(s->steps), all = single * (double)s->row->nodes / cores;
    const double path = single * (double)(s->row->kind == INDEPENDENT || s->row->kind == ONE_KERNEL
                                              ? (s->row->nodes + (size_t)cores - 1) / (size_t)cores
                                              : shape_depth(of));
    return all > path ? all : path;
}

static void print_account(const char *whose, const char *how, lane_account *accounts, int rounds) {
    double values[MAX_ROUNDS], medians[sizeof(lane_account) / sizeof(double)];
    for (size_t f = 0; f < sizeof medians / sizeof *medians; f++) {
        for (int i = 0; i < rounds; i++) values[i] = ((const double *)&accounts[i])[f];
        medians[f] = median(values, rounds);
    }
    printf("account %-9s %-5s", whose, how);
    for (size_t f = 0; f < sizeof medians / sizeof *medians; f++) printf(" %8.1f", medians[f]);
    printf("\n");
}

static void account(const subject *s, int rounds, int cores) {
    lane_account cold[2][MAX_ROUNDS], warm[2][MAX_ROUNDS];
    double (*const run[2])(const subject *) = {run_ours, run_flow};
    const int libraries = flow_graph_library() ? 2 : 1;
    for (int round = 0; round < rounds; round++) {
        for (int l = 0; l < libraries; l++) {
            pause_ns(PAUSE_NS);
            lane_log_clear();
            double start = now_ns();
            run[l](s);
            cold[l][round] = lane_log_account(start, now_ns(), cores);
            run[l](s);
            spin_ns(2e4); /* lanes that are late to leave the round write no log any more; in a sleep, which takes longer, all lanes would fall asleep */
            lane_log_clear();
            start = now_ns();
            run[l](s);
            warm[l][round] = lane_log_account(start, now_ns(), cores);
        }
    }
    for (int l = 0; l < libraries; l++) {
        print_account(l ? "oneTBB" : "graphcap", "cold", cold[l], rounds);
        print_account(l ? "oneTBB" : "graphcap", "warm", warm[l], rounds);
    }
}

static subject open_subject(const bench_device *device, const row *r, const shape *of, work_launch *launch,
                            gc_host_kernel_fn function) {
    subject s = {.device = device, .row = r, .function = function, .steps = launch->steps};
    s.exec = record_shape(device->context, of, r->kind == ONE_KERNEL ? submit_blocks : submit_work, launch);
    return s;
}

/* The child: one column. Prints a line per row for the parent: ours cold, theirs cold, ours warm, theirs warm, bound. */
void bench_cores_child(const bench_options *options, int cores, double steps_per_us) {
    static const size_t parameter_sizes[] = {8};
    for (int logged = 0; logged <= (options->account ? 1 : 0); logged++) {
        const gc_host_kernel_fn function = logged ? logged_work : work;
        const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "work", function, parameter_sizes, 1, NULL, 0};
        bench_device device = open_device(&kernel);
        for (int i = 0; i < ROWS; i++) {
            if (logged && rows[i].kernel_us == 0) continue;
            shape of = shape_of(&rows[i]);
            work_launch launch = {device.kernel, (uint64_t)(rows[i].kernel_us * steps_per_us)};
            subject s = open_subject(&device, &rows[i], &of, &launch, function);
            s.arguments[0] = &launch.steps;
            if (rows[i].kind != ONE_KERNEL) s.flow = flow_work_create(&of, function, s.arguments);
            for (int warm_up = 0; warm_up < 3; warm_up++) {
                run_ours(&s);
                if (flow_graph_library()) run_flow(&s);
            }
            if (logged) {
                printf("row %d\n", i);
                account(&s, options->rounds, cores);
            } else {
                double cold[2], warm[2];
                const double bound = bound_of(&s, &of, cores);
                measure_cold(&s, options->rounds, cold);
                measure_warm(&s, options->rounds, warm);
                printf("figures %d %.1f %.1f %.1f %.1f %.1f\n", i, cold[0], cold[1], warm[0], warm[1], bound);
            }
            fflush(stdout);
            if (s.flow) flow_work_destroy(s.flow);
            CHECK(gc_graph_exec_destroy(s.exec));
            shape_free(&of);
        }
        close_device(&device);
    }
}

/* The first `cores` cores of those that this process may use. */
static cpu_set_t some_cores(int cores) {
    cpu_set_t all, some;
    CPU_ZERO(&all);
    CPU_ZERO(&some);
    sched_getaffinity(0, sizeof all, &all);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&some) < cores; core++) {
        if (CPU_ISSET(core, &all)) CPU_SET(core, &some);
    }
    return some;
}

int cores_allowed(void) {
    cpu_set_t all;
    CPU_ZERO(&all);
    return sched_getaffinity(0, sizeof all, &all) == 0 ? CPU_COUNT(&all) : 1;
}

typedef struct {
    double ns[4], bound; /* ours cold, theirs cold, ours warm, theirs warm */
} figures;

/* Runs the child for `cores` cores, and reads what it prints. Accounts are passed on. */
static void run_child(const bench_options *options, int cores, double steps_per_us, figures *column) {
    int ends[2], status;
    char line[512], cores_text[16], steps_text[32];
    if (pipe(ends) != 0) exit(1);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const cpu_set_t some = some_cores(cores);
        sched_setaffinity(0, sizeof some, &some);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]), close(ends[1]);
        snprintf(cores_text, sizeof cores_text, "%d", cores);
        snprintf(steps_text, sizeof steps_text, "%.3f", steps_per_us);
        const char *const arguments[] = {"graphcap-bench", "--on-cores", cores_text, steps_text,
                                         options->quick ? "--quick" : NULL, options->account ? "--account" : NULL};
        char *given[sizeof arguments / sizeof *arguments + 1] = {NULL};
        int count = 0;
        for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
            if (arguments[i]) given[count++] = (char *)arguments[i];
        }
        execv("/proc/self/exe", given);
        _exit(127);
    }
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    while (lines && fgets(line, sizeof line, lines)) {
        int at;
        figures f;
        if (sscanf(line, "figures %d %lf %lf %lf %lf %lf", &at, &f.ns[0], &f.ns[1], &f.ns[2], &f.ns[3], &f.bound) == 6) {
            if (at >= 0 && at < ROWS) column[at] = f;
        } else if (sscanf(line, "row %d", &at) == 1 && at >= 0 && at < ROWS) {
            printf("%d cores, %s\n", cores, rows[at].name);
        } else {
            fputs(line, stdout);
        }
    }
    if (lines) fclose(lines);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "graphcap-bench: the run on %d cores failed\n", cores);
        exit(1);
    }
}

static void print_cell(double ours, double theirs) {
    printf(" | %9.1f %9.1f %6.3f", ours / 1e3, theirs / 1e3, theirs > 0 ? ours / theirs : 0.0);
}

static void plot_speed_ups(const bench_options *options, figures columns[][ROWS], const int *cores, int count) {
    static const char *const colours[] = {"#1b6ca8", "#c8553d", "#3a7d44", "#7b4ea3", "#b8860b", "#444444"};
    enum { SHOWN = 6 };
    plot_series series[2 * SHOWN];
    plot_frame frame = {"Speed-up by cores, lanes awake (dashed: oneTBB)", 1, 16, 1, 16, PLOT_SPEED_UP};
    char names[2 * SHOWN][64];
    for (int i = 0; i < 2 * SHOWN; i++) {
        const int at = i % SHOWN, theirs = i / SHOWN;
        plot_series *s = &series[i];
        *s = (plot_series){.colour = colours[at], .dashed = theirs, .points = count};
        snprintf(names[i], sizeof names[i], "%s%s", rows[at].name, theirs ? ", oneTBB" : "");
        s->name = names[i];
        for (int c = 0; c < count; c++) {
            s->nodes[c] = (size_t)cores[c];
            s->ns[c] = columns[0][at].ns[2] / columns[c][at].ns[theirs ? 3 : 2];
        }
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/bench-cores.svg", options->out);
    if (plot_write(path, &frame, series, flow_graph_library() ? 2 * SHOWN : SHOWN)) printf("\nplot: %s\n", path);
    else fprintf(stderr, "graphcap-bench: cannot write %s\n", path);
}

/* The numbers of cores to measure: those asked for, or 1, 2, 4, 8 and 16; and all that there are where those are fewer. */
static int columns_wanted(const bench_options *options, int allowed, int *cores) {
    int count = 0;
    if (options->columns) {
        for (const char *at = options->columns; at && count < MOST_COLUMNS;) {
            const int wanted = atoi(at);
            if (wanted >= 1 && wanted <= allowed) cores[count++] = wanted;
            at = strchr(at, ',');
            if (at) at++;
        }
        if (count > 0) return count;
    }
    for (int n = 1; n <= 16 && n <= allowed; n *= 2) cores[count++] = n;
    if (allowed < 16 && cores[count - 1] != allowed) cores[count++] = allowed;
    return count;
}

void bench_cores(const bench_options *options) {
    static figures columns[MOST_COLUMNS][ROWS];
    int cores[MOST_COLUMNS], count;
    const int allowed = cores_allowed();
    const double steps_per_us = (double)steps_for(1e6) / 1e3;
    count = columns_wanted(options, allowed, cores);
    printf("\nCores: launch and synchronise, us; asleep: %.0f ms after the last round; awake: one round after another\n",
           PAUSE_NS / 1e6);
    printf("  the bound is max(work / cores, critical path), measured when nothing else runs\n");
    if (options->account) {
        printf("  the account of a round (us, medians; per core where added up): threads that ran a kernel; first kernel of the\n");
        printf("  1st, 2nd, middle and last thread; gaps between kernels; from the last kernel to the end; from the start to the\n");
        printf("  first kernel; within kernels; the longest kernel; the largest share (1 is even); cores used\n\n");
    }
    for (int c = 0; c < count; c++) {
        fprintf(stderr, "cores: %d\n", cores[c]);
        run_child(options, cores[c], steps_per_us, columns[c]);
    }
    printf("\n%-26s %5s | %9s %9s %6s | %9s %9s %6s | %9s %6s\n", "work", "cores", "asleep", "oneTBB", "ratio", "awake",
           "oneTBB", "ratio", "bound", "awake/");
    for (int i = 0; i < ROWS; i++) {
        for (int c = 0; c < count; c++) {
            const figures *f = &columns[c][i];
            printf("%-26s %5d", rows[i].name, cores[c]);
            print_cell(f->ns[0], f->ns[1]);
            print_cell(f->ns[2], f->ns[3]);
            if (f->bound > 0) printf(" | %9.1f %6.3f", f->bound / 1e3, f->ns[2] / f->bound);
            else printf(" | %6.1f ns per node", f->ns[2] / (double)rows[i].nodes);
            printf("\n");
        }
    }
    if (!options->quick) plot_speed_ups(options, columns, cores, count);
}
