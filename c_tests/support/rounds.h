/* Arguments of tests that try many things at random: which one is the first, and how many follow. */
#ifndef GRAPHCAP_TESTS_ROUNDS_H
#define GRAPHCAP_TESTS_ROUNDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rounds {
    unsigned first, count;
};

/* Reads --seed N, the number of the first round, and --count N; what is not given stays as it is. Anything else ends the program, so that
 * nobody takes a short run for a long one. */
static inline void read_rounds(int argc, char **argv, struct rounds *rounds) {
    int i;
    for (i = 1; i < argc; i += 2) {
        char *end = NULL;
        unsigned long number = i + 1 < argc ? strtoul(argv[i + 1], &end, 10) : 0;
        int is_number = end != NULL && end != argv[i + 1] && *end == '\0' && number <= 0xffffffffu;
        if (is_number && strcmp(argv[i], "--seed") == 0) {
            rounds->first = (unsigned)number;
        } else if (is_number && strcmp(argv[i], "--count") == 0) {
            rounds->count = (unsigned)number;
        } else {
            fprintf(stderr, "usage: %s [--seed N] [--count N]\n", argv[0]);
            exit(2);
        }
    }
}

#endif
