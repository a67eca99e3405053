/* This program once more, as a child with other arguments: for what may hang, or leave CUDA beyond use. */
#ifndef GRAPHCAP_TESTS_CHILD_H
#define GRAPHCAP_TESTS_CHILD_H

#include "check.h"

#include <poll.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
    pid_t process;
    int output; /* what it writes to its standard output */
    char line[8192];
    size_t length;
};

/* Starts a program with two arguments. */
static inline void child_start_program(struct child *child, char *program, const char *first, const char *second) {
    char arguments[2][64];
    char *words[4];
    int ends[2];
    snprintf(arguments[0], sizeof arguments[0], "%s", first);
    snprintf(arguments[1], sizeof arguments[1], "%s", second);
    words[0] = program;
    words[1] = arguments[0];
    words[2] = arguments[1];
    words[3] = NULL;
    if (pipe(ends) != 0)
        exit(EXIT_FAILURE);
    fflush(stdout);
    child->process = fork();
    if (child->process < 0)
        exit(EXIT_FAILURE);
    if (child->process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        /* Where an emulator runs the programs, the kernel does not know their format. */
        if (getenv("GRAPHCAP_TEST_EMULATOR") != NULL)
            execl("/bin/sh", "sh", "-c", "exec $GRAPHCAP_TEST_EMULATOR \"$0\" \"$1\" \"$2\"", program, words[1], words[2],
                  (char *)NULL);
        execv(program, words);
        _exit(EXIT_FAILURE);
    }
    close(ends[1]);
    child->output = ends[0];
    child->length = 0;
}

/* Starts this program with two arguments. */
static inline void child_start(struct child *child, const char *first, const char *second) {
    char program[4096];
    /* Read, because the link itself stands for valgrind under valgrind. */
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        exit(EXIT_FAILURE);
    program[length] = '\0';
    child_start_program(child, program, first, second);
}

/* The next line that it wrote, without its end; NULL when it wrote its last one, or none for `seconds`. */
static inline char *child_line(struct child *child, int seconds) {
    char *end = (char *)memchr(child->line, '\n', child->length);
    static char line[sizeof child->line];
    while (end == NULL) {
        struct pollfd waiting;
        ssize_t got;
        waiting.fd = child->output;
        waiting.events = POLLIN;
        if (poll(&waiting, 1, seconds * 1000) <= 0 || child->length == sizeof child->line)
            return NULL;
        got = read(child->output, child->line + child->length, sizeof child->line - child->length);
        if (got <= 0)
            return NULL;
        end = (char *)memchr(child->line + child->length, '\n', (size_t)got);
        child->length += (size_t)got;
    }
    memcpy(line, child->line, (size_t)(end - child->line));
    line[end - child->line] = '\0';
    child->length -= (size_t)(end + 1 - child->line);
    memmove(child->line, end + 1, child->length);
    return line;
}

/* Its exit status; -1 where it had to be killed, or died of a signal. One that still runs gets `seconds` to end. */
static inline int child_end(struct child *child, int seconds) {
    int status = 0, rounds;
    close(child->output);
    for (rounds = 0; rounds < seconds * 100; rounds++) {
        if (waitpid(child->process, &status, WNOHANG) == child->process)
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        pause_ms(10);
    }
    kill(child->process, SIGKILL);
    waitpid(child->process, &status, 0);
    return -1;
}

#endif
