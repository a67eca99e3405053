/* The shortest program of one thread that still fails: chunks of calls are left out, in halves, quarters and so on down to single ones, as
 * long as what remains fails in the same way. Each attempt is a process of its own. */
#include "fuzz.h"

enum { MOST_ATTEMPTS = 3000, LIMIT_S = 20 };

static struct program best;

/* The calls of `best` without those from `first` to `first + count`. Their words stay where they are. */
static void leave_out(struct program *program, uint32_t first, uint32_t count) {
    memcpy(program, &best, sizeof *program);
    if (first + count < program->calls)
        memmove(&program->call[first], &program->call[first + count],
                (program->calls - first - count) * sizeof program->call[0]);
    program->calls -= first + count < program->calls ? count : program->calls - first;
}

static int still_fails(const char *key) {
    char found[sizeof shared->key];
    return in_process(replay_candidate, LIMIT_S, 1, found, sizeof found) != 0 && strcmp(found, key) == 0;
}

/* Finds a thread whose calls fail alone, at least once in some attempts. */
static int find_culprit(const char *key) {
    unsigned thread, attempt;
    for (thread = 0; thread < MOST_THREADS; thread++) {
        memcpy(&best, &shared->program[thread], sizeof best);
        for (attempt = 0; best.calls > 0 && attempt < 4; attempt++) {
            memcpy(&shared->candidate, &best, sizeof best);
            if (still_fails(key))
                return 1;
        }
    }
    return 0;
}

void shrink_and_print(const char *key) {
    uint32_t chunk, first;
    unsigned attempts = 0;
    char found[sizeof shared->key];
    if (!find_culprit(key)) {
        printf("fuzz: no thread's calls of the round fail alone: it depends on timing, or on the rounds before\n");
        return;
    }
    for (chunk = best.calls / 2; chunk > 0; chunk = attempts < MOST_ATTEMPTS ? chunk / 2 : 0) {
        for (first = 0; first < best.calls && attempts < MOST_ATTEMPTS; attempts++) {
            leave_out(&shared->candidate, first, chunk);
            if (still_fails(key))
                memcpy(&best, &shared->candidate, sizeof best);
            else
                first += chunk;
        }
    }
    printf("fuzz: %u calls still fail, after %u attempts; mode %#x. At the end all handles are destroyed.\n", best.calls,
           attempts, best.mode);
    memcpy(&shared->candidate, &best, sizeof best);
    if (in_process(print_candidate, LIMIT_S, 0, found, sizeof found))
        printf("fuzz: %s: %s\n", found, shared->failure);
    else
        printf("fuzz: this time it did not fail: it depends on timing\n");
}
