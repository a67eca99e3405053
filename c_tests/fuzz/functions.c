/* The table of functions: the rows of functions.h, with what the header documents for each. */
#include "fuzz.h"

/* The statuses that the header lists for each function and for each kind of work, read out of graphcap-api.json by interface.py:
 *   static const struct documented documented[] = {{"gc_...", COUNT, {STATUS, ...}}, ...};
 *   static const struct documented_work documented_works[] = {{GRAPHCAP_WORK_..., COUNT, {STATUS, ...}}, ...}; */
struct documented {
    const char *name;
    size_t count;
    gc_status statuses[24];
};
struct documented_work {
    uint32_t kind;
    size_t count;
    gc_status statuses[8];
};
#include "documented.inc"

/* A generator for each name that occurs in a row. */
#define GENERATOR(name, kind) void generate_##name(struct actor *actor);
#include "parameters.h"
#undef GENERATOR

static const struct parameter parameters[] = {
#define GENERATOR(name, kind) {#name, generate_##name, kind},
#include "parameters.h"
#undef GENERATOR
};

enum {
#define GENERATOR(name, kind) PARAMETER_##name,
#include "parameters.h"
#undef GENERATOR
};

/* One call of each function with its arguments out of an array. */
#define MEMBER_P(name) pointer
#define MEMBER_N(name) number
#define MEMBER_D(name) destroy
#define MEMBER_H(name) host
#define MEMBER_C(name) capture
#define MEMBER_F(name) done
#define MEMBER_L(name) log
#define MEMBER_J(name) judge
#define PASS(parameter, index) value[index].MEMBER_##parameter
#define PASS_1(a) PASS(a, 0)
#define PASS_2(a, b) PASS_1(a), PASS(b, 1)
#define PASS_3(a, b, c) PASS_2(a, b), PASS(c, 2)
#define PASS_4(a, b, c, d) PASS_3(a, b, c), PASS(d, 3)
#define PASS_5(a, b, c, d, e) PASS_4(a, b, c, d), PASS(e, 4)
#define PASS_6(a, b, c, d, e, f) PASS_5(a, b, c, d, e), PASS(f, 5)
#define PASS_7(a, b, c, d, e, f, g) PASS_6(a, b, c, d, e, f), PASS(g, 6)
#define PASS_8(a, b, c, d, e, f, g, h) PASS_7(a, b, c, d, e, f, g), PASS(h, 7)
#define PICK(a, b, c, d, e, f, g, h, chosen, ...) chosen
#define PASS_ALL(...) \
    PICK(__VA_ARGS__, PASS_8, PASS_7, PASS_6, PASS_5, PASS_4, PASS_3, PASS_2, PASS_1, unused)(__VA_ARGS__)

#define STATUS(name, weight, flags, ...)                    \
    static gc_status call_##name(const union value *value) { \
        return name(PASS_ALL(__VA_ARGS__));                 \
    }
#define NAMES(name, weight, ...)                                    \
    static gc_status call_##name(const union value *value) {        \
        return name((gc_status)PASS_ALL(__VA_ARGS__)) == NULL ? FUZZ_BROKEN : 0; \
    }
#define GIVES(name, weight, ...)                             \
    static gc_status call_##name(const union value *value) { \
        note_raw_address(name(PASS_ALL(__VA_ARGS__)));       \
        return 0;                                            \
    }
#define DOES(name, weight, ...)                              \
    static gc_status call_##name(const union value *value) { \
        name(PASS_ALL(__VA_ARGS__));                         \
        return 0;                                            \
    }
#define TELLS(name, weight)                                  \
    static gc_status call_##name(const union value *value) { \
        (void)value;                                         \
        (void)name();                                        \
        return 0;                                            \
    }
#include "functions.h"
#undef STATUS
#undef NAMES
#undef GIVES
#undef DOES
#undef TELLS

#define OF_P(name) &parameters[PARAMETER_##name]
#define OF_N(name) OF_P(name)
#define OF_D(name) OF_P(name)
#define OF_H(name) OF_P(name)
#define OF_C(name) OF_P(name)
#define OF_F(name) OF_P(name)
#define OF_L(name) OF_P(name)
#define OF_J(name) OF_P(name)
#define OF(parameter) OF_##parameter
#define OF_1(a) OF(a)
#define OF_2(a, b) OF(a), OF(b)
#define OF_3(a, b, c) OF(a), OF_2(b, c)
#define OF_4(a, b, c, d) OF(a), OF_3(b, c, d)
#define OF_5(a, b, c, d, e) OF(a), OF_4(b, c, d, e)
#define OF_6(a, b, c, d, e, f) OF(a), OF_5(b, c, d, e, f)
#define OF_7(a, b, c, d, e, f, g) OF(a), OF_6(b, c, d, e, f, g)
#define OF_8(a, b, c, d, e, f, g, h) OF(a), OF_7(b, c, d, e, f, g, h)
#define OF_ALL(...) PICK(__VA_ARGS__, OF_8, OF_7, OF_6, OF_5, OF_4, OF_3, OF_2, OF_1, unused)(__VA_ARGS__)
#define COUNT_OF(...) PICK(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, unused)

#define STATUS(name, weight, flags, ...) \
    {#name, call_##name, weight, flags, COUNT_OF(__VA_ARGS__), {OF_ALL(__VA_ARGS__)}, NULL, 0},
#define NAMES(name, weight, ...) {#name, call_##name, weight, 0, 1, {OF_ALL(__VA_ARGS__)}, NULL, 0},
#define GIVES(name, weight, ...) STATUS(name, weight, 0, __VA_ARGS__)
#define DOES(name, weight, ...) STATUS(name, weight, 0, __VA_ARGS__)
#define TELLS(name, weight) {#name, call_##name, weight, 0, 0, {NULL}, NULL, 0},
struct function functions[] = {
#include "functions.h"
};
const unsigned function_count = LENGTH_OF(functions);

_Static_assert(LENGTH_OF(functions) <= LENGTH_OF(((struct shared *)NULL)->calls), "the counters are too few");

/* Finds what the header documents for each function. */
void functions_prepare(void) {
    unsigned i;
    size_t k;
    for (i = 0; i < function_count; i++) {
        for (k = 0; k < LENGTH_OF(documented); k++) {
            if (strcmp(documented[k].name, functions[i].name) == 0) {
                functions[i].documented = documented[k].statuses;
                functions[i].documented_count = documented[k].count;
            }
        }
    }
}

int work_documents(uint32_t kind, gc_status status) {
    size_t k, i;
    for (k = 0; k < LENGTH_OF(documented_works); k++)
        for (i = 0; documented_works[k].kind == kind && i < documented_works[k].count; i++)
            if (documented_works[k].statuses[i] == status)
                return 1;
    return 0;
}

unsigned function_named(const char *name) {
    unsigned i;
    for (i = 0; i < function_count; i++)
        if (strcmp(functions[i].name, name) == 0)
            return i;
    fprintf(stderr, "fuzz: there is no function %s\n", name);
    exit(2);
}
