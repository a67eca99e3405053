/* What the transformer_block examples in C and C++ share: the sizes, made-up weights, what the host device's kernels calculate, and
 * the block once more with doubles, which tells whether results are right; and what the user sees. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Matrices are column-major: a token is a column. */
enum { TOKENS = 16, WIDTH = 64, HIDDEN = 256, CHOICES = 100, THREADS = 128 };

typedef struct {
    float logits[TOKENS][CHOICES]; /* w2 gelu(w1 x + bias) */
    float uniform[TOKENS];         /* the random numbers that tokens are drawn by */
    uint32_t choice[TOKENS];       /* the tokens that are drawn */
} block_results;

/* What is in the device's memory. */
typedef struct {
    float x[TOKENS][WIDTH], w1[WIDTH][HIDDEN], bias[HIDDEN], w2[HIDDEN][CHOICES], hidden[TOKENS][HIDDEN];
    block_results results;
} block_memory;

static block_memory given;

static void fill(float *numbers, size_t count, float scale) {
    static uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = scale * ((float)(state >> 8) / 8388608.0f - 1.0f);
    }
}

static void make_up(void) {
    fill(given.x[0], TOKENS * WIDTH, 1.0f);
    fill(given.w1[0], WIDTH * HIDDEN, 0.25f);
    fill(given.bias, HIDDEN, 0.5f);
    fill(given.w2[0], HIDDEN * CHOICES, 0.25f);
}

/* GELU by its usual approximation. */
static float gelu(float in) {
    return in / (1.0f + expf(-1.59576912f * (in + 0.044715f * in * in * in)));
}

/* The token that a number from 0 to 1 draws, by the softmax of the logits. */
static uint32_t drawn(const float *logits, float uniform, uint32_t choices) {
    float largest = logits[0], sum = 0, passed = 0;
    uint32_t i;
    for (i = 1; i < choices; i++) largest = fmaxf(largest, logits[i]);
    for (i = 0; i < choices; i++) sum += expf(logits[i] - largest);
    for (i = 0; i + 1 < choices; i++) {
        passed += expf(logits[i] - largest);
        if (passed > uniform * sum) break;
    }
    return i;
}

static void exact_logits(int token, double *logits) {
    double hidden[HIDDEN];
    for (int i = 0; i < HIDDEN; i++) {
        double in = given.bias[i];
        for (int k = 0; k < WIDTH; k++) in += (double)given.w1[k][i] * given.x[token][k];
        hidden[i] = in * 0.5 * (1 + tanh(0.7978845608028654 * (in + 0.044715 * in * in * in)));
    }
    for (int i = 0; i < CHOICES; i++) {
        logits[i] = 0;
        for (int k = 0; k < HIDDEN; k++) logits[i] += (double)given.w2[k][i] * hidden[k];
    }
}

/* How many logits and tokens are wrong. */
static int wrong_results(const block_results *seen) {
    int wrong = 0;
    for (int token = 0; token < TOKENS; token++) {
        const uint32_t choice = seen->choice[token];
        double logits[CHOICES], sum = 0, before = 0;
        exact_logits(token, logits);
        for (int i = 0; i < CHOICES; i++) {
            wrong += !(fabs((double)seen->logits[token][i] - logits[i]) <= 1e-4 * (1 + fabs(logits[i])));
            sum += exp(logits[i]);
        }
        if (choice >= CHOICES) {
            wrong++;
            continue;
        }
        /* A choice has as much of the range from 0 to 1 as its probability. */
        for (uint32_t i = 0; i < choice; i++) before += exp(logits[i]) / sum;
        wrong += !(seen->uniform[token] > before - 1e-4 && seen->uniform[token] < before + exp(logits[choice]) / sum + 1e-4);
    }
    return wrong;
}

static void show_progress(int done, int all, int wrong) {
    printf("\r%d of %d launches, %d tokens were drawn, %d results are wrong", done, all, done * TOKENS, wrong);
    if (done == all) printf("\n");
    fflush(stdout);
}

/* Writes a graph as NAME.dot, and where graphviz is installed as NAME.svg. */
static void write_graph(const char *name, const char *dot) {
    char path[100], command[300];
    FILE *file;
    snprintf(path, sizeof path, "%s.dot", name);
    file = fopen(path, "w");
    if (file == NULL || fputs(dot, file) < 0 || fclose(file) != 0) {
        fprintf(stderr, "%s cannot be written\n", path);
        exit(1);
    }
    snprintf(command, sizeof command, "dot -Tsvg %s -o %s.svg 2>/dev/null", path, name);
    printf("%s.%s has the graph\n", name, system(command) == 0 ? "svg" : "dot");
}
