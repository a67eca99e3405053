/* The fuzzer: options, processes and how they are watched, the report. fuzz.h tells how it works.
 *
 * usage: fuzz [--seed N] [--calls N] [--soak N] [--threads N] [--round N] [--device host | cuda] [--lenient] [--coverage]
 *   --seed      what the calls depend on; "clock" for one of the clock's. It is told
 *   --calls     how many calls to make, of all threads together
 *   --soak      how many instead, with a seed of the clock's, where GRAPHCAP_SOAK=1
 *   --device    by default what GRAPHCAP_DEVICE says, else host
 *   --threads   how many threads every second round has
 *   --round     how many calls a thread makes in a round
 *   --lenient   takes statuses that graphcap.h does not have for the driver's own; so it does with
 *               --device cuda where no GRAPHCAP_CUDA_LIBRARY names the stand-in
 *   --coverage  tells how often each function was called and succeeded
 *
 * Exit status: 0 when nothing failed, 1 when something did, 2 for a wrong option, 77 where there is no such device. */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shared *shared;
struct options options = {1, 50000, 4, 300, 0, 0, 0};

enum { EXIT_FOUND = 3, EXIT_SKIPPED = 77, HANG_S = 180 };

void fail(const char *key, const char *format, ...) {
    static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
    va_list arguments;
    pthread_mutex_lock(&first); /* never given back: the first failure counts */
    snprintf(shared->key, sizeof shared->key, "%s", key);
    va_start(arguments, format);
    vsnprintf(shared->failure, sizeof shared->failure, format, arguments);
    va_end(arguments);
    atomic_store(&shared->failed, 1);
    fflush(NULL);
    _exit(EXIT_FOUND);
}

/* ---- Processes ---- */

/* Waits for a child that makes progress. The limit is there for a library that hangs. */
static int watch(pid_t child, unsigned limit_s) {
    struct timespec pause = {0, 5000000};
    unsigned long long seen = atomic_load(&shared->progress), now;
    unsigned long idle = 0;
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        nanosleep(&pause, NULL);
        now = atomic_load(&shared->progress);
        idle = now == seen ? idle + 1 : 0;
        seen = now;
        if (idle > limit_s * 200ul) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
    }
    return status;
}

int in_process(void (*body)(void), unsigned limit_s, int quiet, char *key, size_t capacity) {
    pid_t child;
    int status;
    atomic_store(&shared->failed, 0);
    shared->failure[0] = '\0';
    fflush(NULL);
    child = fork();
    if (child < 0) {
        perror("fuzz: fork");
        exit(2);
    }
    if (child == 0) {
        int nowhere = quiet ? open("/dev/null", O_WRONLY) : -1;
        if (nowhere >= 0)
            dup2(nowhere, STDERR_FILENO);
        body();
        _exit(EXIT_SUCCESS);
    }
    status = watch(child, limit_s);
    if (status == 0)
        return 0;
    if (atomic_load(&shared->failed))
        snprintf(key, capacity, "%s", shared->key);
    else if (status == -1)
        snprintf(key, capacity, "hang");
    else if (WIFSIGNALED(status))
        snprintf(key, capacity, "signal %d", WTERMSIG(status));
    else
        snprintf(key, capacity, "exit status %d", WEXITSTATUS(status));
    return 1;
}

/* ---- The report ---- */

/* Whether a run of that length should have seen a function succeed. */
static int can_succeed(const struct function *function) {
    unsigned mode = options.cuda ? MODE_CUDA : MODE_FAULTS;
    if (is_left_out(function, mode) && is_left_out(function, mode | MODE_DEFAULTS))
        return 0;
    return (function->flags & (NEVER | TIMING | (options.cuda ? HOST : CUDA))) == 0;
}

int are_all_reached(void) {
    unsigned i;
    for (i = 0; i < function_count; i++)
        if (atomic_load(&shared->successes[i]) == 0 && can_succeed(&functions[i]))
            return 0;
    return 1;
}

/* A fuzzer that never gets past the checks of arguments is none: after enough calls each function has succeeded. */
static int report_coverage(void) {
    unsigned i, never = 0;
    for (i = 0; i < function_count; i++) {
        unsigned long long calls = atomic_load(&shared->calls[i]), successes = atomic_load(&shared->successes[i]);
        if (options.coverage)
            printf("%-40s %10llu calls %10llu succeeded\n", functions[i].name, calls, successes);
        if (successes == 0 && can_succeed(&functions[i]) && atomic_load(&shared->made) >= ENOUGH_CALLS) {
            printf("fuzz: %s was called %llu times and never succeeded: the fuzzer does not reach it\n", functions[i].name,
                   calls);
            never++;
        }
    }
    return never > 0;
}

static void report_failure(const char *key) {
    unsigned i;
    printf("fuzz: FAILED: %s: %s\n", key, shared->failure);
    printf("fuzz: again: --seed %llu --calls %llu --threads %u --round %u --device %s; round %llu, mode %#x\n",
           (unsigned long long)options.seed, options.calls, options.threads, options.calls_per_round,
           options.cuda ? "cuda" : "host", (unsigned long long)atomic_load(&shared->rounds), shared->mode);
    for (i = 0; i < MOST_THREADS; i++)
        if (shared->program[i].calls > 0)
            printf("fuzz: thread %u: the last of %u calls in this round is %s\n", i, shared->program[i].calls,
                   functions[shared->program[i].call[shared->program[i].calls - 1].function].name);
    fflush(stdout);
    shrink_and_print(key);
}

/* ---- Options ---- */

static unsigned long long number_option(const char *name, const char *text, unsigned long long most) {
    char *end;
    unsigned long long number;
    errno = 0;
    number = strtoull(text, &end, 0);
    if (errno != 0 || end == text || *end != '\0' || number > most) {
        fprintf(stderr, "fuzz: %s needs a number up to %llu, not '%s'\n", name, most, text);
        exit(2);
    }
    return number;
}

static uint64_t clock_seed(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int is_set(const char *name, const char *value) {
    const char *found = getenv(name);
    return found != NULL && strcmp(found, value) == 0;
}

static void read_options(int argc, char **argv) {
    int i;
    options.cuda = is_set("GRAPHCAP_DEVICE", "cuda");
    for (i = 1; i < argc; i++) {
        const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(name, "--lenient") == 0) {
            options.lenient = 1;
            continue;
        }
        if (strcmp(name, "--coverage") == 0) {
            options.coverage = 1;
            continue;
        }
        i++;
        if (strcmp(name, "--seed") == 0)
            options.seed = strcmp(text, "clock") == 0 ? clock_seed() : number_option(name, text, UINT64_MAX);
        else if (strcmp(name, "--soak") == 0) {
            unsigned long long calls = number_option(name, text, UINT64_C(1) << 40);
            if (is_set("GRAPHCAP_SOAK", "1")) {
                options.calls = calls;
                options.seed = clock_seed();
            }
        } else if (strcmp(name, "--calls") == 0)
            options.calls = number_option(name, text, UINT64_C(1) << 40);
        else if (strcmp(name, "--threads") == 0)
            options.threads = (unsigned)number_option(name, text, MOST_THREADS);
        else if (strcmp(name, "--round") == 0)
            options.calls_per_round = (unsigned)number_option(name, text, MOST_CALLS - 1);
        else if (strcmp(name, "--device") == 0 && (strcmp(text, "host") == 0 || strcmp(text, "cuda") == 0))
            options.cuda = strcmp(text, "cuda") == 0;
        else {
            fprintf(stderr, "fuzz: unknown option %s %s\n", name, text);
            exit(2);
        }
    }
    /* A driver other than the stand-in has statuses of its own. */
    if (options.cuda && getenv("GRAPHCAP_CUDA_LIBRARY") == NULL)
        options.lenient = 1;
    if (options.threads == 0 || options.calls_per_round == 0) {
        fprintf(stderr, "fuzz: --threads and --round are at least 1\n");
        exit(2);
    }
}

/* In a process of its own, as the library must not be used before the processes part. */
static void look_for_device(void) {
    uint32_t count = 0;
    _exit(gc_device_count(GRAPHCAP_DEVICE_AUTO, &count) == GRAPHCAP_SUCCESS && count > 0 ? EXIT_SUCCESS : EXIT_SKIPPED);
}

int main(int argc, char **argv) {
    char key[sizeof shared->key];
    int failed;
    read_options(argc, argv);
    setenv("GRAPHCAP_DEVICE", options.cuda ? "cuda" : "host", 1);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("fuzz: mmap");
        return 2;
    }
    functions_prepare();
    if (in_process(look_for_device, HANG_S, 0, key, sizeof key) != 0) {
        printf("fuzz: skipped: there is no device of that kind\n");
        return EXIT_SKIPPED;
    }
    printf("fuzz: seed %llu\n", (unsigned long long)options.seed);
    failed = in_process(run_rounds, HANG_S, 0, key, sizeof key);
    if (failed)
        report_failure(key);
    else
        failed = report_coverage();
    printf("fuzz: %llu calls in %llu rounds, %s\n", (unsigned long long)atomic_load(&shared->made),
           (unsigned long long)atomic_load(&shared->rounds), failed ? "failed" : "nothing failed");
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
