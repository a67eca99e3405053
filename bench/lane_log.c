/* How the log is kept: a buffer per thread, so that noting takes two looks at the clock and no lock. */
#define _GNU_SOURCE
#include "lane_log.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "timing.h"
#include "work.h"

enum { MOST_THREADS = 256, MOST_KERNELS = 32768 };

typedef struct {
    double begin, end;
    int core;
} entry;

typedef struct {
    size_t count;
    entry entries[MOST_KERNELS];
} thread_log;

static thread_log *_Atomic logs[MOST_THREADS];
static atomic_int log_count;
static _Thread_local thread_log *own;

static thread_log *own_log(void) {
    if (!own) {
        const int number = atomic_fetch_add(&log_count, 1);
        if (number >= MOST_THREADS) return NULL;
        own = allocate(1, sizeof *own);
        atomic_store(&logs[number], own);
    }
    return own;
}

int32_t logged_work(const gc_host_block *block, const void *const *arguments) {
    const double begin = now_ns();
    const int32_t result = work(block, arguments);
    thread_log *log = own_log();
    if (log && log->count < MOST_KERNELS) log->entries[log->count++] = (entry){begin, now_ns(), sched_getcpu()};
    return result;
}

void lane_log_clear(void) {
    for (int i = 0; i < MOST_THREADS; i++) {
        thread_log *log = atomic_load(&logs[i]);
        if (log) log->count = 0;
    }
}

lane_account lane_log_account(double start, double end, int cores) {
    lane_account a = {0};
    double firsts[MOST_THREADS];
    size_t most = 0, all = 0;
    unsigned char seen[4096] = {0};
    int threads = 0;
    for (int i = 0; i < MOST_THREADS; i++) {
        const thread_log *log = atomic_load(&logs[i]);
        if (!log || log->count == 0) continue;
        double before = log->entries[0].begin;
        firsts[threads++] = before - start;
        a.late += before - start;
        for (size_t k = 0; k < log->count; k++) {
            const entry *e = &log->entries[k];
            a.gaps += e->begin - before;
            a.busy += e->end - e->begin;
            if (e->end - e->begin > a.longest) a.longest = e->end - e->begin;
            before = e->end;
            if (e->core >= 0 && e->core < 4096 && !seen[e->core]) seen[e->core] = 1, a.cores++;
        }
        a.tail += end - before;
        all += log->count;
        if (log->count > most) most = log->count;
    }
    if (threads == 0) return a;
    qsort(firsts, (size_t)threads, sizeof *firsts, compare_doubles);
    a.threads = threads;
    a.first[0] = firsts[0] / 1e3;
    a.first[1] = firsts[threads > 1 ? 1 : 0] / 1e3;
    a.first[2] = firsts[threads / 2] / 1e3;
    a.first[3] = firsts[threads - 1] / 1e3;
    if (threads < cores) a.late += (cores - threads) * (end - start);
    a.gaps /= 1e3 * cores, a.tail /= 1e3 * cores, a.late /= 1e3 * cores, a.busy /= 1e3 * cores, a.longest /= 1e3;
    a.shares = (double)most * cores / (double)all;
    return a;
}
