/* A stand-in for cuRAND. The function that STAND_IN_CURAND_REFUSES names finds no memory. */
#include "library.h"

enum { MOST = 256, PHILOX4_32_10 = 161, ALLOCATION_FAILED = 102, NOT_INITIALIZED = 101, TYPE_ERROR = 103 };

static struct generator {
    void *stream;
    unsigned long long seed, offset;
    unsigned ordering;
    int is_live;
} generators[MOST];

STAND_IN_EXPORT int curandCreateGenerator(struct generator **out, unsigned kind);
STAND_IN_EXPORT int curandDestroyGenerator(struct generator *generator);
STAND_IN_EXPORT int curandSetStream(struct generator *generator, void *stream);
STAND_IN_EXPORT int curandSetPseudoRandomGeneratorSeed(struct generator *generator, unsigned long long seed);
STAND_IN_EXPORT int curandSetGeneratorOffset(struct generator *generator, unsigned long long offset);
STAND_IN_EXPORT int curandSetGeneratorOrdering(struct generator *generator, unsigned ordering);
STAND_IN_EXPORT int curandGenerate(struct generator *generator, uint64_t output, size_t count);

static int is_refused(const char *function) {
    const char *refused = getenv("STAND_IN_CURAND_REFUSES");
    library_is_called(function);
    return refused != NULL && strcmp(refused, function) == 0;
}

static int is_known(const struct generator *generator) {
    if (generator < generators || generator >= generators + MOST || !generator->is_live) {
        library_violates("a generator is used that was destroyed");
        return 0;
    }
    return 1;
}

int curandCreateGenerator(struct generator **out, unsigned kind) {
    /* With values that graphcap has to set. */
    static const struct generator made = {NULL, 99, 99, 99, 1};
    static size_t last;
    size_t tried = 0;
    if (is_refused("curandCreateGenerator"))
        return ALLOCATION_FAILED;
    if (kind != PHILOX4_32_10)
        return TYPE_ERROR;
    /* A place is given again as late as possible. */
    do {
        if (++tried > MOST)
            return ALLOCATION_FAILED;
        last = (last + 1) % MOST;
    } while (generators[last].is_live);
    generators[last] = made;
    facts.live++;
    *out = &generators[last];
    return 0;
}

int curandDestroyGenerator(struct generator *generator) {
    library_is_called("curandDestroyGenerator");
    if (!is_known(generator))
        return NOT_INITIALIZED;
    generator->is_live = 0;
    facts.live--;
    return 0;
}

int curandSetStream(struct generator *generator, void *stream) {
    if (is_refused("curandSetStream"))
        return ALLOCATION_FAILED;
    if (!is_known(generator))
        return NOT_INITIALIZED;
    generator->stream = stream;
    return 0;
}

int curandSetPseudoRandomGeneratorSeed(struct generator *generator, unsigned long long seed) {
    if (is_refused("curandSetPseudoRandomGeneratorSeed"))
        return ALLOCATION_FAILED;
    if (!is_known(generator))
        return NOT_INITIALIZED;
    generator->seed = seed;
    return 0;
}

int curandSetGeneratorOffset(struct generator *generator, unsigned long long offset) {
    library_is_called("curandSetGeneratorOffset");
    if (!is_known(generator))
        return NOT_INITIALIZED;
    generator->offset = offset;
    return 0;
}

int curandSetGeneratorOrdering(struct generator *generator, unsigned ordering) {
    library_is_called("curandSetGeneratorOrdering");
    if (!is_known(generator))
        return NOT_INITIALIZED;
    generator->ordering = ordering;
    return 0;
}

int curandGenerate(struct generator *generator, uint64_t output, size_t count) {
    if (is_refused("curandGenerate"))
        return ALLOCATION_FAILED;
    if (!is_known(generator))
        return NOT_INITIALIZED;
    library_notes(generator->stream, generator->seed, count, (uint64_t)(uintptr_t)generator, (int)generator->ordering,
                  (int)generator->offset);
    generator->offset += count;
    return library_works(generator->stream, 0, output) ? 201 : 0;
}
