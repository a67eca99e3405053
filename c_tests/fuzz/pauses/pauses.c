/* Stops threads of this process at random, wherever they are, for up to some milliseconds. So few cores see the orders of
 * events that many cores have. Linked into the fuzzer by scripts/fuzz_locks.sh; it needs nothing of the fuzzer. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS_STOPPED = 512, LOOK_EVERY = 64, PAUSE_NS = 60000, SHARE = 64, STOP_NS = 150000, LONG_STOP_NS = 3000000 };

static uint64_t seed;

static uint64_t next_random(void) {
    uint64_t x = __atomic_add_fetch(&seed, UINT64_C(0x9e3779b97f4a7c15), __ATOMIC_RELAXED);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 27;
}

static void sleep_ns(long ns) {
    struct timespec span = {0, ns};
    nanosleep(&span, NULL);
}

/* Runs in the thread that is stopped, in the middle of whatever it does. */
static void stop(int signal) {
    const int error = errno;
    const uint64_t random = next_random();
    (void)signal;
    sleep_ns((long)(random >> 8) % (random % 8 == 0 ? LONG_STOP_NS : STOP_NS) & 0x7fffffff);
    errno = error;
}

static int list_threads(int *threads, int most, int own) {
    DIR *folder = opendir("/proc/self/task");
    struct dirent *entry;
    int count = 0;
    while (folder != NULL && count < most && (entry = readdir(folder)) != NULL) {
        const int thread = atoi(entry->d_name);
        if (thread != 0 && thread != own)
            threads[count++] = thread;
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static void *stop_others(void *unused) {
    const int process = getpid(), own = (int)syscall(SYS_gettid);
    int threads[MOST_THREADS_STOPPED], count = 0;
    unsigned looks;
    for (looks = 0;; looks++) {
        if (looks % LOOK_EVERY == 0)
            count = list_threads(threads, MOST_THREADS_STOPPED, own);
        /* A thread that has ended meanwhile gets none. */
        if (count > 0)
            syscall(SYS_tgkill, process, threads[next_random() % (uint64_t)count], SIGUSR1);
        /* The last threads of a process must get on, too. */
        sleep_ns((long)(next_random() % (PAUSE_NS * (uint64_t)(count < SHARE && count > 0 ? SHARE / count : 1))));
    }
    return unused;
}

/* Takes no signals itself. */
static void start(void) {
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, stop_others, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* The fuzzer does its work in children, each of which needs a thread of its own for this. */
__attribute__((constructor)) static void install(void) {
    struct sigaction action;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    seed = (uint64_t)now.tv_nsec;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, NULL);
    pthread_atfork(NULL, NULL, start);
    start();
}
