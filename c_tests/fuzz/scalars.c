/* Generators of what functions of scalars take: types, values of a type, and arrays of both. */
#include "fuzz.h"

enum { TYPES = 6, MOST_SCALARS = 4 };

/* The type of a scalar, or any type where that is not known. */
static uint32_t type_of(struct actor *actor, const void *scalar) {
    uint32_t type = 0;
    if (!actor->replaying && gc_scalar_type((const gc_scalar *)scalar, &type) != GRAPHCAP_SUCCESS)
        type = 1 + (uint32_t)(random_word(&actor->random) % TYPES);
    return (uint32_t)note(actor, type);
}

static uint32_t wrong_type(struct actor *actor) {
    static const uint32_t types[] = {0, 7, 0xffffffff, 1, 2, 3, 4, 5, 6};
    return types[choose(actor, LENGTH_OF(types))];
}

void generate_scalar_type(struct actor *actor) {
    const struct function *function = actor->call->function;
    if (is_wrong(actor))
        give_number(actor, wrong_type(actor));
    else if (function->parameter[0]->kind == SCALAR)
        give_number(actor, type_of(actor, actor->call->value[0].pointer));
    else
        give_number(actor, 1 + choose(actor, TYPES));
}

/* Small, or as large as any; none in between, which would make a grid of so many blocks that its launch takes minutes. */
static void *a_value(struct actor *actor) {
    uint64_t *value = (uint64_t *)reserve(actor, sizeof *value);
    const uint64_t large = choose(actor, 2) << 31, rest = large != 0 ? choose(actor, INT32_MAX) : choose(actor, 64);
    *value = (large | rest) * UINT64_C(0x100000001);
    return value;
}

void generate_scalar_value(struct actor *actor) {
    if (is_wrong(actor)) {
        give_null(actor);
        return;
    }
    give_pointer(actor, a_value(actor));
    say(actor, "&value%u", actor->call->at);
}

void generate_scalar_value_out(struct actor *actor) {
    uint64_t type = actor->call->value[actor->call->at - 1].number;
    if (type >= 1 && type <= TYPES) {
        int is_wide = type == GRAPHCAP_SCALAR_I64 || type == GRAPHCAP_SCALAR_U64 || type == GRAPHCAP_SCALAR_F64;
        give_output(actor, BYTES_OUTPUT, is_wide ? 8 : 4);
        return;
    }
    /* Left alone. */
    give_pointer(actor, reserve(actor, 8));
    say(actor, "&left_alone");
}

static void give_array(struct actor *actor, void *array, size_t count) {
    if (is_wrong(actor) && choose(actor, 2) == 0) {
        give_null(actor);
        return;
    }
    give_pointer(actor, array);
    say(actor, "/* %zu */", count);
}

void generate_scalar_types(struct actor *actor) {
    uint32_t *type = (uint32_t *)reserve(actor, sizeof *type);
    *type = is_wrong(actor) ? 7 + (uint32_t)choose(actor, 9) : 1 + (uint32_t)choose(actor, TYPES);
    give_array(actor, type, 1);
}

void generate_scalar_values(struct actor *actor) {
    void **value = (void **)reserve(actor, sizeof *value);
    *value = is_wrong(actor) && choose(actor, 2) == 0 ? NULL : a_value(actor);
    give_array(actor, value, 1);
}

void generate_scalars(struct actor *actor) {
    size_t count = choose(actor, MOST_SCALARS + 1), wrong = is_wrong(actor) && count > 0 ? choose(actor, count) : count, i;
    void **scalars = (void **)reserve(actor, MOST_SCALARS * sizeof *scalars);
    for (i = 0; i < count; i++) {
        int bad = 0;
        scalars[i] = choose_handle(actor, SCALAR, 0, i == wrong, &bad);
        actor->call->bad_handle |= bad && (is_wrong(actor) || actor->call->wrong == MOST_ARGUMENTS);
        say(actor, " ");
    }
    actor->call->array_size = count;
    give_pointer(actor, scalars);
    say(actor, "/* %zu */", count);
}

void generate_types_of_scalars(struct actor *actor) {
    size_t count = (size_t)actor->call->array_size, i;
    void **scalars = (void **)actor->call->value[actor->call->at - 1].pointer;
    uint32_t *types = (uint32_t *)reserve(actor, MOST_SCALARS * sizeof *types);
    for (i = 0; i < count; i++)
        types[i] = is_wrong(actor) ? wrong_type(actor) : type_of(actor, scalars[i]);
    give_array(actor, types, count);
}

void generate_values_of_scalars(struct actor *actor) {
    size_t count = (size_t)actor->call->array_size, i;
    void **values = (void **)reserve(actor, MOST_SCALARS * sizeof *values);
    for (i = 0; i < count; i++)
        values[i] = is_wrong(actor) && choose(actor, 2) == 0 ? NULL : a_value(actor);
    give_array(actor, values, count);
}
