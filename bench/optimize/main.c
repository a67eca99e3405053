/* graphcap-bench-optimize: what gc_graph_optimize() gains on works that are recorded on one stream, beside the same works recorded by
 * hand on many. It runs on the device that GRAPHCAP_DEVICE chooses. Figures go to stdout, progress to stderr.
 * Usage: graphcap-bench-optimize [--quick] [--rounds N] [--out FOLDER] [--filter TEXT] [--help]; exits 77 where there is no device. */
#include <string.h>
#include <unistd.h>

#include "../machine.h"
#include "../timing.h"
#include "picture.h"
#include "scale.h"
#include "table.h"

const char *const bench_program = "graphcap-bench-optimize";

enum { SKIPPED = 77 };

typedef struct {
    bool quick;
    int rounds;
    const char *folder, *filter; /* NULL for none */
} choice;

static void print_usage(FILE *file) {
    fprintf(file,
            "usage: %s [--quick] [--rounds N] [--out FOLDER] [--filter TEXT] [--help]\n\n"
            "  --quick   a smoke run of seconds: small works, few rounds; its figures mean nothing\n"
            "  --rounds  every figure is the median of so many, %d at most; 11 by default\n"
            "  --out     a folder for the tables as CSV, charts, and pictures of replays as lanes over time\n"
            "  --filter  only works with this text in their names, such as dag or independent-9us; \"cost\" is what\n"
            "            gc_graph_optimize() itself costs\n\n"
            "GRAPHCAP_DEVICE=host or cuda chooses the device.\n",
            bench_program, MAX_ROUNDS);
}

/* The exit status, or -1 to go on. */
static int read_arguments(int argc, char **argv, choice *c) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            print_usage(stdout);
            return 0;
        }
        if (strcmp(argv[i], "--quick") == 0) c->quick = true;
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) c->rounds = atoi(argv[++i]);
        else if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) c->folder = argv[++i];
        else if (strcmp(argv[i], "--filter") == 0 && i + 1 < argc) c->filter = argv[++i];
        else {
            fprintf(stderr, "%s: unexpected argument \"%s\"\n", bench_program, argv[i]);
            print_usage(stderr);
            return 2;
        }
    }
    if (c->rounds <= 0) c->rounds = c->quick ? 2 : 11;
    if (c->rounds > MAX_ROUNDS) c->rounds = MAX_ROUNDS;
    return -1;
}

static bool is_chosen(const choice *c, const char *name) {
    return !c->filter || strstr(name, c->filter) != NULL;
}

/* What gc_graph_optimize_text() tells of the work as it was recorded. */
static bool write_text(const work *w, const char *folder) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_graph *graph = make_graph(w, RECORDED, 1, NULL);
    const size_t capacity = 1 << 20;
    char path[4096], *text = allocate(capacity, 1);
    options.flags = w->flags | GRAPHCAP_OPTIMIZE_MEASURE;
    CHECK(gc_graph_optimize_text(graph, &options, text, capacity, NULL)); /* once: it measures */
    CHECK(gc_graph_destroy(graph));
    snprintf(path, sizeof path, "%s/optimize-%s.txt", folder, w->name);
    FILE *file = fopen(path, "w");
    bool is_written = file && fputs(text, file) >= 0;
    if (file) is_written &= fclose(file) == 0;
    if (is_written) printf("wrote %s\n", path);
    else fprintf(stderr, "%s: cannot write %s\n", bench_program, path);
    free(text);
    return is_written;
}

static bool measure_one(const choice *c, work *w, row *rows, int *count) {
    rows[*count] = measure_work(w, c->quick, c->rounds);
    table_print_row(&rows[(*count)++]);
    bool is_written = !c->folder || write_text(w, c->folder);
    if (c->folder && w->has_stamps) is_written &= picture_write(w, c->folder);
    return is_written;
}

static bool measure_all(const choice *c, const rig *r) {
    work works[MOST_WORKS];
    row rows[MOST_WORKS];
    const int spins = works_of_spins(r, c->quick, works);
    int count = 0;
    bool is_written = true;
    table_print_head();
    for (int i = 0; i < spins; i++) {
        if (is_chosen(c, works[i].name)) is_written &= measure_one(c, &works[i], rows, &count);
        work_close(&works[i]);
    }
    for (int own = 0; own < 2; own++) {
        if (!is_chosen(c, own ? "experts_own" : "experts")) continue;
        if (!work_of_products(r, c->quick, own != 0, &works[0])) break;
        is_written &= measure_one(c, &works[0], rows, &count);
        work_close(&works[0]);
    }
    if (is_chosen(c, "cost")) is_written &= scale_measure(r, c->quick, c->folder);
    if (count == 0) return is_written;
    table_print_summary(rows, count, r->kind == GRAPHCAP_DEVICE_CUDA && !c->quick);
    return is_written & (!c->folder || table_write(rows, count, c->rounds, r->name, c->folder));
}

int main(int argc, char **argv) {
    choice c = {0};
    rig r;
    char processor[128];
    const int status = read_arguments(argc, argv, &c);
    if (status >= 0) return status;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!rig_open(&r)) return SKIPPED;
    printf("graphcap %s on %s; %ld cores of %s; medians of %d rounds%s\n", gc_version_string(), r.name, sysconf(_SC_NPROCESSORS_ONLN),
           processor_name(processor, sizeof processor), c.rounds, c.quick ? " (a smoke run: its figures mean nothing)" : "");
    const bool is_written = measure_all(&c, &r);
    rig_close(&r);
    if (gc_live_handles() != 0) {
        fprintf(stderr, "%s: %llu handles are left\n", bench_program, (unsigned long long)gc_live_handles());
        return 1;
    }
    return is_written ? 0 : 1;
}
