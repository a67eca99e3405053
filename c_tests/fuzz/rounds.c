/* What the processes of the fuzzer do: rounds of calls, each with a fresh world; or one program again. Between rounds nothing
 * may be left, and memory must not grow. */
#include "fuzz.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static struct world worlds[MOST_THREADS];
static struct actor actors[MOST_THREADS];

static void *map(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        fail("fuzz memory", "the fuzzer has not enough memory");
    return memory;
}

static void prepare(void) {
    unsigned i;
    size_t k;
    for (i = 0; i < MOST_THREADS; i++) {
        worlds[i].token = map(MOST_TOKENS * sizeof(struct token));
        actors[i].arena = map(ARENA_SIZE);
        actors[i].edges = map(EDGES * 2 * EDGE_PAGE);
        for (k = 0; k < EDGES; k++)
            if (mprotect(actors[i].edges + (2 * k + 1) * EDGE_PAGE, EDGE_PAGE, PROT_NONE) != 0)
                fail("fuzz memory", "a page could not be protected");
    }
    device_open();
}

static _Noreturn void finish(void) {
    check_usable();
    device_close();
    fflush(NULL);
    exit(EXIT_SUCCESS); /* as a program does, so that what runs at the exit is tried too */
}

/* ---- Memory that grows ---- */

/* What the process has allocated; one number per round. */
static int64_t *samples;
static size_t sample_count, sample_capacity;

static void sample(void) {
    struct mallinfo2 info = mallinfo2();
    if (sample_count < sample_capacity)
        samples[sample_count++] = (int64_t)(info.uordblks + info.hblkhd);
}

enum { WINDOWS = 6 };

/* Memory grows where the least of a stretch of rounds is more than that of the one before, again and again: a table that
 * doubles does so once, and what the allocator keeps for a while goes again. One stretch may be an exception. The tables of a
 * young process still fill up with every round: stretches of less than 200 rounds cannot tell those from memory that is lost. */
static void check_memory(void) {
    size_t first = sample_count / 4, length = (sample_count - first) / WINDOWS, i, window;
    int64_t least[WINDOWS], grown;
    unsigned rises = 0;
    if (length < 200)
        return;
    for (window = 0; window < WINDOWS; window++) {
        least[window] = INT64_MAX;
        for (i = first + window * length; i < first + (window + 1) * length; i++)
            if (samples[i] < least[window])
                least[window] = samples[i];
        rises += window > 0 && least[window] > least[window - 1];
    }
    grown = (least[WINDOWS - 1] - least[0]) / (int64_t)(length * (WINDOWS - 1));
    if (rises < WINDOWS - 2 || grown < 16)
        return;
    for (i = 0; i < WINDOWS; i++)
        printf("fuzz: least memory of rounds %zu to %zu: %lld bytes\n", first + i * length, first + (i + 1) * length,
               (long long)least[i]);
    fail("memory grows", "memory grows by %lld bytes a round", (long long)grown);
}

/* ---- Rounds ---- */

static unsigned mode_of_round(uint64_t *random, unsigned long long round) {
    unsigned mode = 0;
    if (options.threads > 1 && round % 2 == 1)
        mode |= MODE_THREADS;
    if (random_word(random) % 3 == 0)
        mode |= MODE_DESTROYS;
    /* There a thread's capture on its default stream is discarded by that thread alone, with the context's last handle: no
     * callback may be who destroys that, and no other thread who resets the context. */
    if (random_word(random) % 6 == 0)
        mode |= MODE_RESETS;
    if (options.cuda && (mode & MODE_RESETS) == 0 && random_word(random) % 2 == 0)
        return (mode & ~(unsigned)MODE_DESTROYS) | MODE_CUDA | MODE_DEFAULTS;
    if (options.cuda)
        return mode | MODE_CUDA;
    if (random_word(random) % 4 == 0)
        mode |= MODE_WAITS;
    mode |= MODE_DEFAULTS;
    if (random_word(random) % 16 == 0)
        mode |= MODE_FAULTS;
    return mode;
}

static void *act(void *argument) {
    struct actor *actor = argument;
    generate_program(actor, options.calls_per_round);
    actor_close(actor);
    return NULL;
}

/* On a CUDA device each thread has a world of its own: a graph that is being recorded into must not be used by others. */
static void run_round(uint64_t seed, unsigned long long round) {
    uint64_t random = seed ^ (round + 1) * 0x2545f4914f6cdd1du;
    unsigned mode = mode_of_round(&random, round), i;
    unsigned threads = (mode & MODE_THREADS) != 0 ? options.threads : 1;
    unsigned apart = options.cuda ? threads : 1;
    pthread_t thread[MOST_THREADS];
    shared->mode = mode;
    for (i = 0; i < MOST_THREADS; i++)
        shared->program[i].calls = 0;
    for (i = 0; i < apart; i++)
        world_open(&worlds[i], mode);
    for (i = 0; i < threads; i++)
        actor_open(&actors[i], &worlds[options.cuda ? i : 0], &shared->program[i], random_word(&random));
    for (i = 1; i < threads; i++)
        if (pthread_create(&thread[i], NULL, act, &actors[i]) != 0)
            fail("fuzz threads", "a thread could not be made");
    act(&actors[0]);
    for (i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
    for (i = 0; i < apart; i++)
        world_destroy_all(&worlds[i]);
    for (i = 0; i < apart; i++)
        world_settle(&worlds[i]);
    check_nothing_left();
    atomic_fetch_add(&shared->rounds, 1);
}

/* Whether there is another round. Chance decides when a function succeeds that needs much before. */
static int goes_on(void) {
    unsigned long long made = atomic_load(&shared->made);
    if (made < options.calls)
        return 1;
    return options.calls >= ENOUGH_CALLS && made < MOST_OVERTIME * options.calls && !are_all_reached();
}

void run_rounds(void) {
    unsigned long long round;
    prepare();
    sample_capacity = (size_t)(MOST_OVERTIME * options.calls / options.calls_per_round) + 16;
    samples = map(sample_capacity * sizeof *samples);
    for (round = 0; goes_on(); round++) {
        run_round(options.seed, round);
        sample();
    }
    /* What a driver keeps is its own matter; the stand-in keeps all that was destroyed. With several threads the rounds are
     * too few to tell growth from caches of threads that fill. */
    if (!options.cuda && options.threads == 1)
        check_memory();
    finish();
}

/* ---- One program again ---- */

static void replay(int printing) {
    prepare();
    world_open(&worlds[0], shared->candidate.mode);
    actor_open(&actors[0], &worlds[0], &shared->candidate, 0);
    actors[0].printing = printing;
    replay_program(&actors[0]);
    actor_close(&actors[0]);
    world_destroy_all(&worlds[0]);
    world_settle(&worlds[0]);
    check_nothing_left();
    finish();
}

/* An attempt that took a slow destroy for a lost one would do no harm. */
void replay_candidate(void) {
    patience_ms = 1000;
    replay(0);
}

void print_candidate(void) {
    replay(1);
}
