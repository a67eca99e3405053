/* A stand-in for cuFFT. */
#include "library.h"

enum { MOST = 256 };

static struct plan {
    void *stream;
    uint64_t area;
    int is_live, allocates, kind;
} plans[MOST];

STAND_IN_EXPORT int cufftCreate(int *out);
STAND_IN_EXPORT int cufftDestroy(int plan);
STAND_IN_EXPORT int cufftSetAutoAllocation(int plan, int is_on);
STAND_IN_EXPORT int cufftMakePlanMany64(int plan, int rank, long long *sizes, long long *input, long long input_step,
                                        long long input_distance, long long *output, long long output_step,
                                        long long output_distance, int kind, long long batch, size_t *bytes);
STAND_IN_EXPORT int cufftSetStream(int plan, void *stream);
STAND_IN_EXPORT int cufftSetWorkArea(int plan, uint64_t area);
STAND_IN_EXPORT int cufftExecR2C(int plan, uint64_t input, uint64_t output);
STAND_IN_EXPORT int cufftExecC2R(int plan, uint64_t input, uint64_t output);

static struct plan *find(int plan) {
    if (plan < 1 || plan >= MOST || !plans[plan].is_live) {
        library_violates("a plan is used that was destroyed");
        return &plans[0];
    }
    return &plans[plan];
}

int cufftCreate(int *out) {
    static int last;
    int tried = 0;
    library_is_called("cufftCreate");
    /* A number is given again as late as possible. */
    do {
        if (++tried == MOST)
            return 2;
        last = last + 1 < MOST ? last + 1 : 1;
    } while (plans[last].is_live);
    memset(&plans[last], 0, sizeof plans[last]);
    plans[last].is_live = plans[last].allocates = 1;
    facts.live++;
    *out = last;
    return 0;
}

int cufftDestroy(int plan) {
    library_is_called("cufftDestroy");
    find(plan)->is_live = 0;
    facts.live--;
    return 0;
}

int cufftSetAutoAllocation(int plan, int is_on) {
    find(plan)->allocates = is_on;
    return 0;
}

int cufftMakePlanMany64(int plan, int rank, long long *sizes, long long *input, long long input_step,
                        long long input_distance, long long *output, long long output_step, long long output_distance,
                        int kind, long long batch, size_t *bytes) {
    library_is_called("cufftMakePlanMany64");
    if (rank != 1 || sizes[0] < 1 || batch < 1 || input_step != 1 || output_step != 1 || input == NULL || output == NULL ||
        input_distance < input[0] || output_distance < output[0])
        return 4;
    if (find(plan)->allocates)
        library_violates("a plan allocates its own work area, which all its uses would share");
    find(plan)->kind = kind;
    *bytes = 1024;
    return 0;
}

int cufftSetStream(int plan, void *stream) {
    library_is_called("cufftSetStream");
    find(plan)->stream = stream;
    return 0;
}

int cufftSetWorkArea(int plan, uint64_t area) {
    library_is_called("cufftSetWorkArea");
    find(plan)->area = area;
    return 0;
}

static int execute(const char *function, int number, int kind, uint64_t input, uint64_t output) {
    struct plan *plan = find(number);
    uint64_t area = plan->area;
    library_is_called(function);
    if (plan->kind != kind || input % 8 != 0 || output % 8 != 0)
        return 4;
    if (area == 0)
        library_violates("a transform has no work area of its own");
    plan->area = 0; /* so that each use has to set one */
    library_notes(plan->stream, area, 1024, (uint64_t)number, kind, 0);
    return library_works(plan->stream, area, output) ? 6 : 0;
}

int cufftExecR2C(int plan, uint64_t input, uint64_t output) {
    return execute("cufftExecR2C", plan, 0x2a, input, output);
}

int cufftExecC2R(int plan, uint64_t input, uint64_t output) {
    return execute("cufftExecC2R", plan, 0x2c, input, output);
}
