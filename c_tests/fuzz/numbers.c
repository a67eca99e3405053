/* Generators of numbers, from lists of right and wrong ones, and of memory that is passed as a plain pointer. */
#include "fuzz.h"

struct numbers {
    const char *name;
    unsigned right, wrong; /* how many of each */
    uint64_t number[20];   /* the right ones first */
};

/* More memory than there is; sanitizers tell of each that is asked for, at length. */
#ifdef FUZZ_SANITIZED
#define NO_MEMORY SIZE_MAX
#else
#define NO_MEMORY (UINT64_C(1) << 62)
#endif

static const uint64_t no_array = UINT64_C(1) << 60;

static const struct numbers numbers[] = {
    {"status", 6, 4, {0, 1, 400, 999, (uint64_t)-1, (uint64_t)-8, 7, 0x7fffffff, 0x80000000, (uint64_t)-77}},
    {"ordinal", 1, 3, {0, 1, 7, 0xffffffff}},
    {"size", 8, 5, {4096, 4096, 1024, 65536, 8192, 1024, 600, 300, 0, 1, SIZE_MAX, SIZE_MAX - 255, NO_MEMORY}},
    {"wrapped_size", 4, 2, {4096, 1024, 600, 4095, 0, SIZE_MAX}},
    {"offset", 8, 6, {0, 0, 16, 64, 128, 4, 256, 8, 1, 4095, 4096, 65536, SIZE_MAX, SIZE_MAX - 15}},
    {"bytes", 7, 4, {0, 1, 4, 16, 100, 32, 256, 4096, UINT64_C(1) << 32, SIZE_MAX, SIZE_MAX - 3}},
    {"elements", 6, 4, {0, 1, 2, 7, 16, 64, 5000, UINT64_C(1) << 62, SIZE_MAX, SIZE_MAX / 2}},
    {"element_size", 3, 4, {1, 2, 4, 0, 3, 8, 0xffffffff}},
    {"u32", 4, 1, {0, 1, 0x80000000, 0xffffffff, 77}},
    {"small", 4, 1, {0, 1, 7, 1000, 2}},
    {"value_offset", 4, 6, {0, 8, 64, 128, 1, 2, 254, 256, SIZE_MAX, 4}},
    {"parameter_index", 3, 3, {0, 1, 2, 3, 1000, SIZE_MAX}},
    {"attribute", 5, 5, {1, 3, 8, 9, 10, 0, 2, 11, 4000, 0xffffffff}},
    {"kernel_attribute", 16, 3, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 4000, 0x80000000, 0xffffffff}},
    /* Not the sizes of clusters, which launches without clusters do not go with. */
    {"set_kernel_attribute", 3, 5, {9, 14, 15, 0, 4, 10, 4000, 0xffffffff}},
    /* No writes, which no kernel of the fuzzer makes: what is written is put back behind a trial, whatever else was written there. */
    {"buffer_access", 2, 3, {1, 4, 0, 77, 0xffffffff}},
    {"kernel_concurrency", 3, 3, {0, 1, 2, 3, 77, 0xffffffff}},
    {"launch_attribute", 9, 9, {1, 2, 4, 5, 8, 9, 10, 14, 8, 0, 3, 6, 7, 11, 12, 15, 99, 0xffffffff}},
    {"block_size", 5, 3, {1, 32, 33, 256, 1024, 0, 0x80000000, 0xffffffff}},
    {"block_limit", 4, 2, {0, 32, 100, 1024, 0x80000000, 0xffffffff}},
    {"shared_size", 4, 2, {0, 1024, 49152, 200000, 300000, SIZE_MAX}},
    {"capture_mode", 5, 3, {0, 1, 2, 1, 2, 3, 0xffffffff, 0x7fffffff}},
    {"managed_flags", 2, 4, {1, 2, 0, 3, 4, 0xffffffff}},
    {"ownership", 2, 2, {1, 2, 0, 3, 0xffffffff}},
    {"severity", 3, 3, {1, 2, 3, 0, 4, 0xffffffff}},
    {"log_level", 5, 2, {0, 1, 2, 3, 4, 5, 0xffffffff}},
    {"trace_limit", 3, 1, {1, 131072, 1000000, SIZE_MAX}},
    {"log_subjects", 4, 2, {0, 1, 127, 66, 128, 0xffffffff}},
    {"attach_flags", 3, 3, {1, 2, 4, 0, 3, 0x80000000}},
    {"one", 1, 1, {1, 1}},
    {"host_buffer_flags", 6, 2, {0, 1, 2, 3, 6, 7, 8, 0xffffffff}},
    {"register_flags", 4, 3, {0, 1, 2, 3, 4, 8, 0xffffffff}},
    {"report_format", 2, 2, {0, 1, 2, 0xffffffff}},
    {"dot_flags", 6, 2, {0, 1, 0xffff, 2, 0x5555, 0xaaaa, 0x10000, 0xffffffff}},
    {"apply_reason", 7, 3, {0, 1, 2, 3, 4, 5, 6, 7, 99, 0x80000000}},
    {"update_flags", 5, 2, {0, 0, 1, 2, 3, 4, 0xffffffff}},
    {"dependency_flags", 2, 2, {0, 1, 2, 0xffffffff}},
    {"wait_event_flags", 4, 3, {0, 0, 0, 1, 2, 4, 0x80000000}},
    {"record_event_flags", 3, 3, {0, 0, 1, 2, 4, 0x80000000}},
    {"write_value_flags", 2, 2, {0, 1, 2, 0xffffffff}},
    /* No body of a while may run for ever. */
    {"condition_value", 1, 0, {0}},
    {"condition_flags", 2, 2, {0, 1, 2, 0x80000000}},
    /* No loops: a node sets a condition to what is in memory, and a loop might never end. */
    {"conditional_kind", 2, 2, {0, 2, 3, 0xffffffff}},
    {"body_count", 3, 3, {1, 1, 2, 0, 3, 0xffffffff}},
    {"torch_layout", 2, 2, {24, 32, 28, 0xffffffff}},
    {"own_mode", 2, 2, {1, 2, 3, 0xffffffff}},
    {"exec_flags", 6, 3, {0, 0, 1, 8, 65536, 196608, 2, 16, 0xffffffff}},
    {"node_state", 3, 2, {0, 1, 2, 3, 0xffffffff}},
    {"no_flags", 1, 3, {0, 1, 0x80000000, 0xffffffff}},
    {"absurd", 0, 5, {SIZE_MAX, SIZE_MAX - 7, SIZE_MAX / 2, UINT64_C(1) << 60, UINT64_C(1) << 62}},
    /* By the mode of the round, see choose_number(). */
    {"device_kind_host", 4, 2, {0, 2, 2, 2, 3, 0xffffffff}},
    {"device_kind_cuda", 5, 2, {0, 1, 1, 1, 2, 3, 0xffffffff}},
    {"nanoseconds_limited", 4, 1, {0, 1, 1000, 100000, 5000}},
    {"nanoseconds_any", 5, 1, {0, 1, 1000, 100000, UINT64_MAX, UINT64_MAX - 1}},
    /* With words that are small "at least 0" always holds, and so does "some bit is in neither". */
    {"awaited_now", 1, 0, {0}},
    {"awaited_ever", 5, 0, {0, 1, 5, 0x80000000, 0xffffffff}},
    {"wait_value_flags_now", 4, 3, {0, 0, 3, 0x40000000, 4, 8, 0xffffffff}},
    {"wait_value_flags_ever", 5, 3, {0, 1, 2, 3, 0x40000001, 4, 8, 0xffffffff}},
};

uint64_t choose_number(struct actor *actor, const char *name, int wrong) {
    size_t i;
    for (i = 0; i < LENGTH_OF(numbers); i++) {
        const struct numbers *list = &numbers[i];
        if (strcmp(list->name, name) != 0)
            continue;
        if ((wrong && list->wrong > 0) || list->right == 0)
            return list->number[list->right + choose(actor, list->wrong)];
        return list->number[choose(actor, list->right)];
    }
    fail("fuzz numbers", "there is no list of numbers %s", name);
}

#define NUMBER(name) \
    void generate_##name(struct actor *actor) { give_number(actor, choose_number(actor, #name, is_wrong(actor))); }
NUMBER(status)
NUMBER(ordinal)
NUMBER(size)
NUMBER(wrapped_size)
NUMBER(offset)
NUMBER(bytes)
NUMBER(elements)
NUMBER(element_size)
NUMBER(u32)
NUMBER(small)
NUMBER(value_offset)
NUMBER(parameter_index)
NUMBER(attribute)
NUMBER(kernel_attribute)
NUMBER(set_kernel_attribute)
NUMBER(buffer_access)
NUMBER(kernel_concurrency)
NUMBER(launch_attribute)
NUMBER(block_size)
NUMBER(block_limit)
NUMBER(shared_size)
NUMBER(capture_mode)
NUMBER(managed_flags)
NUMBER(ownership)
NUMBER(severity)
NUMBER(log_level)
NUMBER(log_subjects)
NUMBER(trace_limit)
NUMBER(attach_flags)
NUMBER(host_buffer_flags)
NUMBER(one)
NUMBER(register_flags)
NUMBER(dot_flags)
NUMBER(report_format)
NUMBER(update_flags)
NUMBER(apply_reason)
NUMBER(dependency_flags)
NUMBER(wait_event_flags)
NUMBER(record_event_flags)
NUMBER(write_value_flags)
NUMBER(condition_value)
NUMBER(condition_flags)
NUMBER(conditional_kind)
NUMBER(body_count)
NUMBER(no_flags)
NUMBER(node_state)
NUMBER(torch_layout)
NUMBER(own_mode)
NUMBER(exec_flags)

#define NUMBER_BY(name, condition, one, other)                                                                   \
    void generate_##name(struct actor *actor) {                                                                  \
        give_number(actor, choose_number(actor, (actor->world->mode & (condition)) != 0 ? one : other, is_wrong(actor))); \
    }
NUMBER_BY(device_kind, MODE_CUDA, "device_kind_cuda", "device_kind_host")
NUMBER_BY(nanoseconds, MODE_WAITS, "nanoseconds_limited", "nanoseconds_any")
NUMBER_BY(awaited, MODE_WAITS, "awaited_ever", "awaited_now")
NUMBER_BY(wait_value_flags, MODE_WAITS, "wait_value_flags_ever", "wait_value_flags_now")

/* A condition that a graph made, rather the latest, or none. */
uint64_t choose_condition(struct actor *actor, int wrong) {
    struct world *world = actor->world;
    uint64_t strange[] = {0, 1, UINT64_MAX, 77};
    uint64_t latest = atomic_load(&world->condition_count) + LENGTH_OF(world->conditions) - 1;
    uint64_t back = choose(actor, 2) * choose(actor, LENGTH_OF(world->conditions));
    uint64_t condition = atomic_load(&world->conditions[(latest - back) % LENGTH_OF(world->conditions)]);
    return wrong ? strange[choose(actor, LENGTH_OF(strange))] : condition;
}

void generate_condition(struct actor *actor) {
    give_number(actor, choose_condition(actor, is_wrong(actor)));
}

/* The size of the array before it, or more than any array can have, which no function reads. */
void generate_array_size(struct actor *actor) {
    static const uint64_t absurd[] = {SIZE_MAX, SIZE_MAX / 2};
    uint64_t size = actor->call->array_size;
    if (is_wrong(actor))
        size = choose(actor, 2) == 0 ? no_array + choose(actor, 3) : absurd[choose(actor, LENGTH_OF(absurd))];
    give_number(actor, size);
}

/* ---- Memory ---- */

/* Memory of the host's that copies read, or that they write. */
void *host_memory(struct actor *actor, int written) {
    static _Alignas(4096) unsigned char memory[2][MEMORY_SIZE];
    size_t offset = choose(actor, 16) * 64;
    say(actor, "&%s[%zu]", written ? "written" : "read", offset);
    return memory[written != 0] + offset;
}

static void give_host_memory(struct actor *actor, int written) {
    if (is_wrong(actor))
        give_null(actor);
    else
        give_pointer(actor, host_memory(actor, written));
}

void generate_host_source(struct actor *actor) {
    give_host_memory(actor, 0);
}

void generate_host_destination(struct actor *actor) {
    give_host_memory(actor, 1);
}

/* The start of one of eight blocks of `memory`, so that the same one comes again. */
static void give_block(struct actor *actor, unsigned char *memory, size_t size, const char *name) {
    size_t offset;
    if (is_wrong(actor)) {
        give_null(actor);
        return;
    }
    offset = choose(actor, 8) * size;
    give_pointer(actor, memory + offset);
    say(actor, "&%s[%zu]", name, offset);
}

void generate_wrapped(struct actor *actor) {
    give_block(actor, device_memory, 4096, "device_memory");
}

void generate_registered(struct actor *actor) {
    static _Alignas(4096) unsigned char memory[MEMORY_SIZE];
    give_block(actor, memory, 8192, "registered");
}

/* Of a function that looks it up and does not use it. */
void generate_any_address(struct actor *actor) {
    static const uint64_t addresses[] = {0, 1, 0x7fffffff0000u, UINT64_MAX, UINT64_MAX - 64};
    if (choose(actor, 2) == 0) {
        give_pointer(actor, device_memory);
        say(actor, "device_memory");
    } else {
        uint64_t address = addresses[choose(actor, LENGTH_OF(addresses))];
        give_pointer(actor, (void *)(uintptr_t)address);
        say(actor, "(void *)0x%llx", (unsigned long long)address);
    }
}

/* An address to look up: in what buffers wrap, which is device_memory, or anywhere. */
void generate_address_number(struct actor *actor) {
    uint64_t offset = choose(actor, 16) * 4096 + choose(actor, 2) * 17;
    if (is_wrong(actor))
        give_number(actor, choose(actor, 2) == 0 ? 0 : UINT64_MAX - choose(actor, 2));
    else
        give_number(actor, (uint64_t)(uintptr_t)device_memory + offset);
}

/* The number of a pool that lives, if there is one; half of the time the pool can be found by it. It is another number in each
 * process. */
void generate_pool_number(struct actor *actor) {
    uint64_t number = 0;
    unsigned first = (unsigned)choose(actor, slots_of(POOL)), finds = (unsigned)choose(actor, 2), tries;
    for (tries = 0; tries < slots_of(POOL); tries++) {
        void *pool = atomic_load(&actor->world->slots[POOL][(first + tries) % slots_of(POOL)].current);
        if (pool == NULL || gc_pool_id(pool, &number) != GRAPHCAP_SUCCESS)
            continue;
        if (finds)
            (void)!gc_pool_handle_new(pool, &number);
        break;
    }
    give_number(actor, is_wrong(actor) ? UINT64_MAX - choose(actor, 2) : number);
}

/* Those that are always alive: the default streams. */
void generate_native_stream(struct actor *actor) {
    uint64_t native = choose(actor, 3);
    give_pointer(actor, (void *)(uintptr_t)native);
    say(actor, "(void *)%u", (unsigned)native);
}

/* None that is one: those that are live are of graphcap's alone here, and have to outlive what is made of them. */
void generate_native_graph(struct actor *actor) {
    uint64_t native = choose(actor, 3) * 8;
    give_pointer(actor, (void *)(uintptr_t)native);
    say(actor, "(void *)%u", (unsigned)native);
}

/* What functions gave that allocate for others. Threads share the places; what is in them may have been freed. */
static _Atomic(void *) raw_addresses[16];

void note_raw_address(void *address) {
    static atomic_uint next;
    if (address != NULL)
        atomic_store(&raw_addresses[atomic_fetch_add(&next, 1) % LENGTH_OF(raw_addresses)], address);
}

void generate_raw_address(struct actor *actor) {
    if (is_wrong(actor)) {
        generate_any_address(actor);
        return;
    }
    give_pointer(actor, atomic_load(&raw_addresses[choose(actor, LENGTH_OF(raw_addresses))]));
    say(actor, "an address that was allocated");
}
