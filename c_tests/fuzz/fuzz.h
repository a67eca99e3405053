/* The fuzzer of the C interface: what its files share.
 *
 * It calls every function of graphcap.h with arguments that are right, wrong and absurd, on several threads, and checks what
 * the header promises (oracles.c). The files:
 *   functions.h   one row for each function: a new function of the header needs a row and nothing else
 *   functions.c   turns the rows into the table of functions, with the statuses that the header documents
 *   arguments.c   generators of handles, outputs and texts; numbers.c of numbers and memory; structs.c of structs and
 *                 arrays; callbacks.c of callbacks, and what they do. parameters.h names all generators
 *   oracles.c     what must hold after each call
 *   world.c       the handles, what callbacks know, and how a round ends; device.c the device that it is on
 *   generate.c    which call comes next, and making it
 *   rounds.c      a process that runs rounds of calls, or replays one; memory that grows
 *   shrink.c      the shortest program that still fails
 *   main.c        options, watching the process for progress, the report
 *
 * What it never does is what C itself forbids: a pointer to data, where it is not NULL, points to as many bytes as the call
 * may use, and what a struct or an array states as its size is there. The interface promises safety for handles, counts that
 * no array can have, numbers and texts, not for raw memory. Memory that copies, wraps and registrations use lives as long
 * as the process. Kernels look at gc_host_check_range() before they write, and on a CUDA device they write nothing.
 *
 * It is C11, since it attacks the interface in the way that C programs use it: any value in any argument, without wrappers
 * between, and without Rust on the machine that runs it. */
#ifndef GRAPHCAP_FUZZ_H
#define GRAPHCAP_FUZZ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <graphcap_allocators.h>

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Programs: what was called, so that it can be called again (generate.c) ---- */

enum { MOST_CALLS = 1024, MOST_WORDS = 64 * 1024, MOST_ARGUMENTS = 8 };

/* What the calls of a round may do; chosen for each round. */
enum mode {
    MODE_WAITS = 1,     /* value waits may never be satisfied: nothing blocks without a limit. Host device alone */
    MODE_FAULTS = 2,    /* kernels may fault their context. Host device alone */
    MODE_DESTROYS = 4,  /* callbacks destroy handles */
    MODE_THREADS = 8,   /* several threads */
    MODE_CUDA = 16,     /* on a CUDA device */
    MODE_DEFAULTS = 32, /* default streams are used */
    MODE_RESETS = 64    /* contexts are reset, and every function may answer that an object is stale */
};

/* Each choice that made a call is a word: replaying reads the words in the place of choosing. */
struct program {
    uint32_t mode;
    uint32_t calls;
    uint32_t words;
    struct {
        uint32_t function;
        uint32_t first, count; /* its words */
    } call[MOST_CALLS];
    uint64_t word[MOST_WORDS];
};

/* ---- Handles and callbacks (world.c, callbacks.c) ---- */

/* Buffers of graphs' memory are kept apart: no other work uses them, as it would fault where the memory is not allocated. */
enum kind {
    CONTEXT,
    STREAM,
    EVENT,
    BUFFER,
    GRAPH_BUFFER,
    HOST_BUFFER,
    POOL,
    MODULE,
    KERNEL,
    GRAPH,
    EXEC,
    CAPTURE,
    CACHE,
    SCALAR,
    SCRIPT,
    KIT_ACTOR,
    FUTURE,
    RNG,
    FFT_PLAN,
    PLAN,
    KINDS
};
/* What a node is known to do, by the call that gave it. */
enum node_kind {
    SOME_NODE,
    KERNEL_NODE,
    MEMCPY_NODE,
    MEMSET_NODE,
    HOST_NODE,
    MEM_OP_NODE,
    RECORD_NODE,
    WAIT_NODE,
    CHILD_NODE,
    ALLOC_NODE,
    FREE_NODE,
    NODE_KINDS
};

/* A node that a call gave, perhaps removed since. */
struct known_node {
    _Atomic(gc_node) node;
    _Atomic(void *) graph; /* its handle, perhaps destroyed */
    _Atomic(void *) child; /* of a child node: the handle of the graph that was added */
    atomic_uint kind;
};

enum { SLOTS = 6, MOST_TOKENS = 16 * 1024, MOST_THREADS = 16, KNOWN_NODES = 256 };

/* What is known of the object in a slot, as hints for generators. */
enum tag {
    TAG_DEFAULT_STREAM = 1,
    TAG_CAPTURING = 2,
    TAG_WAITABLE = 4,
    TAG_MANAGED = 8,
    TAG_TEXT = 16,
    TAG_EXEC = 32,
    TAG_POOLED = 64
};

/* A place for handles of one kind. A handle that is replaced is destroyed. */
struct slot {
    _Atomic(void *) current; /* live, or NULL */
    _Atomic(void *) stale;   /* was live */
    atomic_uint owner;       /* the number of its context */
    atomic_uint tags;
    _Atomic(void *) graph; /* of an exec or a clone: the handle of the graph that it was made from */
    _Atomic(void *) flags; /* of a context: a buffer for value operations whose words are always small */
};

/* What a callback gets as its user data. */
struct token {
    struct world *world;
    const char *of;      /* the function that it was passed to */
    struct actor *actor; /* for functions that run on the calling thread: those of captures and of caches */
    atomic_uint entered, destroyed; /* calls of destroy that began and ended */
    atomic_uint ran;
    uint32_t has_destroy;
    uint32_t does; /* one of enum deed */
    uint32_t kind, slot;
    gc_status answer; /* what such a function returns */
};

enum deed { DO_NOTHING, DO_DESTROY, DO_FORBIDDEN, DO_CALLS };

struct world {
    unsigned mode;
    struct slot slots[KINDS][SLOTS];
    atomic_uint owners; /* how many contexts were made */
    atomic_uint tokens;
    struct token *token; /* MOST_TOKENS */
    struct known_node nodes[KNOWN_NODES];
    atomic_uint node_count;
    _Atomic uint64_t conditions[8]; /* the latest that graphs made */
    atomic_uint condition_count;
};

/* ---- Calls ---- */

union value {
    uint64_t number;
    void *pointer;
    gc_destroy_fn destroy;
    gc_host_fn host;
    gc_capture_fn capture;
    gc_future_fn done;
    gc_log_fn log;
    gc_is_good_fn judge;
};

/* What is to be checked of an argument when the call has returned. */
enum output {
    NO_OUTPUT,
    HANDLE_OUTPUT,
    MAYBE_HANDLE_OUTPUT, /* NULL, too, where the call succeeded */
    BYTES_OUTPUT,
    TEXT_OUTPUT,
    ARRAY_OUTPUT,
    ROOM_OUTPUT, /* bytes of a value, as many as fit */
    NODE_OUTPUT,
    MODE_OUTPUT,
    STRUCT_OUTPUT
};

struct argument {
    enum output output;
    unsigned char *memory; /* what was offered, GUARD bytes more lie behind it; NULL where NULL was passed */
    size_t size;           /* of what was offered */
    enum kind kind;        /* of a handle */
    unsigned slot;
    uint64_t before; /* of a capture mode */
};

enum { GUARD = 32, POISON = 0xA5, ARENA_SIZE = 64 * 1024, EDGES = 16, EDGE_PAGE = 4096 };

/* A call that is being made. */
struct call {
    const struct function *function;
    union value value[MOST_ARGUMENTS];
    struct argument argument[MOST_ARGUMENTS];
    unsigned at;         /* which argument is generated */
    unsigned wrong;      /* which one is to be wrong; MOST_ARGUMENTS for none */
    int bad_handle;      /* a handle is none of its kind */
    int null_output;     /* an output that may not be NULL is */
    uint64_t array_size; /* of the array that was generated last */
    int must_fail;       /* something in it is surely refused */
    unsigned kernel;     /* the number of the kernel, see structs.c */
    uint32_t work;       /* the kind of a gc_work; 0 without one */
    void *target;        /* the first handle */
    unsigned target_slot;
    struct token *token;
    char text[2048]; /* the call in C */
    size_t length;
    size_t argument_text; /* where the argument that is generated begins in it */
};

/* A thread that makes calls. */
struct actor {
    struct world *world;
    struct program *program;
    struct call *call;
    uint64_t random;
    int replaying, printing;
    uint32_t word, last_word; /* where replaying reads */
    unsigned depth;           /* of calls inside gc_stream_capture() */
    unsigned owner;           /* the context of the call's first handle; 0 before it is known */
    int phase;                /* of a capture that is built, see generate.c */
    unsigned left;
    unsigned forced[KINDS]; /* slots that are preferred, plus 1 */
    unsigned made[KINDS];   /* where the last handle of each kind was put, plus 1 */
    unsigned char *arena; /* memory for the arguments of calls */
    size_t used;
    unsigned char *edges; /* EDGES times a page, and one behind it that must not be touched */
    unsigned edge;
};

/* ---- Functions ---- */

enum flag {
    BLOCKS = 1,    /* may wait for work */
    RECORDS = 2,   /* can be recorded, or has to do with what is */
    DESTROYS = 4,  /* its handle */
    BEGINS = 8,    /* a capture of its stream */
    ENDS = 16,     /* the same */
    CUDA = 32,     /* cannot succeed on a host device */
    NEVER = 64,    /* cannot succeed here at all */
    DEFAULTS = 128, /* gives a default stream */
    BUILDS = 256,   /* adds to a graph */
    EDITS = 512,    /* changes what nodes of a graph or an exec do */
    HOST = 1024,    /* cannot succeed on a CUDA device */
    PARTS = 2048,   /* lets others launch or free unseen: what graphs have allocated is theirs to free from then on */
    RESETS = 4096,  /* makes all that is older stale */
    FREES = 8192,   /* its first handle, where it succeeds; otherwise it is as other functions are */
    FAULTS = 16384, /* has later launches fault their context */
    TIMING = 32768  /* succeeds or not by how long other work takes */
};

typedef void (*generator)(struct actor *actor);

struct parameter {
    const char *name;
    generator generate;
    int kind; /* of the handle that it takes or gives; -1 for none */
};

struct function {
    const char *name;
    gc_status (*call)(const union value *value);
    unsigned weight;
    unsigned flags;
    unsigned parameters;
    const struct parameter *parameter[MOST_ARGUMENTS];
    const gc_status *documented;
    size_t documented_count;
};

/* Keeps what a function gave that allocates for others (numbers.c). */
void note_raw_address(void *address);

/* A row's own answer where a function that gives no status did not do what it should. */
enum { FUZZ_BROKEN = -1000 };

extern struct function functions[];
extern const unsigned function_count;
void functions_prepare(void);
/* Whether the header documents the status for work of that kind. */
int work_documents(uint32_t kind, gc_status status);
unsigned function_named(const char *name);

/* ---- What the processes share (main.c) ---- */

struct shared {
    atomic_ullong progress; /* calls that returned, and signs of life between them */
    atomic_ullong made;     /* calls that returned */
    atomic_ullong rounds;
    atomic_int failed;
    char key[128];      /* what failed, without what changes from run to run */
    char failure[1024]; /* in words */
    unsigned mode;      /* of the round */
    atomic_ullong calls[512], successes[512];
    struct program program[MOST_THREADS]; /* what each thread did in the round */
    struct program candidate;             /* what is replayed */
};

extern struct shared *shared;

struct options {
    uint64_t seed;
    unsigned long long calls;
    unsigned threads;
    unsigned calls_per_round;
    int cuda;
    int lenient; /* numbers that the header does not have are the driver's */
    int coverage;
};

extern struct options options;

/* Notes a failure and ends the process. */
_Noreturn void fail(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- arguments.c ---- */

uint64_t random_word(uint64_t *state);
uint64_t note(struct actor *actor, uint64_t value);
uint64_t choose(struct actor *actor, uint64_t count);
int is_wrong(const struct actor *actor);
void say(struct actor *actor, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *reserve(struct actor *actor, size_t size);
void *reserve_edge(struct actor *actor, size_t size);
unsigned char *reserve_output(struct actor *actor, size_t size);
void give_number(struct actor *actor, uint64_t number);
void give_pointer(struct actor *actor, void *pointer);
void give_null(struct actor *actor);
void *choose_handle(struct actor *actor, enum kind kind, unsigned wanted_tags, int wrong, int *bad);
void give_live(struct actor *actor, enum kind kind, unsigned slot, int fits);
void *choose_waitable(struct actor *actor, int wrong, int *bad);
uint64_t choose_number(struct actor *actor, const char *name, int wrong);
uint64_t choose_condition(struct actor *actor, int wrong);
void *host_memory(struct actor *actor, int written);
int choose_wrong(struct actor *actor, unsigned members);
void give_struct_output(struct actor *actor, size_t size);

void give_output(struct actor *actor, enum output output, size_t size);
void give_handle(struct actor *actor, enum kind kind, unsigned wanted_tags);

/* ---- world.c ---- */

extern const char *const kind_names[KINDS];
unsigned slots_of(enum kind kind);
enum node_kind kind_of_node(const char *function);
void world_open(struct world *world, unsigned mode);
void world_put(struct world *world, enum kind kind, unsigned slot, void *handle, unsigned owner);
void world_destroyed(struct world *world, enum kind kind, void *handle);
void world_reset(struct world *world, void *context);
void world_destroy(struct world *world, enum kind kind, unsigned slot);
unsigned world_live(struct world *world, enum kind kind);
void world_destroy_all(struct world *world);
void world_settle(struct world *world);
void check_nothing_left(void);
void pause_ms(long milliseconds);

/* ---- device.c ---- */

void device_open(void);
void device_close(void);
gc_status device_collect(void);
void device_end_captures(void);
void check_driver_use(void);
/* A function with the flag PARTS has succeeded in this process. */
void parted(void);
void check_usable(void);
extern unsigned char *device_flags, *device_memory; /* what is wrapped */
extern uint64_t baseline_handles;
extern int patience_ms; /* how long destroys that do not come are waited for */
enum { FLAGS_SIZE = 256, MEMORY_SIZE = 64 * 1024 };

/* ---- callbacks.c ---- */

/* Gives the options of a cache what it calls, and user data. */
void give_recorder(struct actor *actor, gc_graph_cache_options *options);
/* Gives an op of the caller's its functions, and user data, which the call's next parameter is. */
void give_op(struct actor *actor, gc_op_vtable *vtable);
/* Gives an op that calls a host function what it calls, and user data. */
void give_host_op(struct actor *actor, gc_work *desc);

/* The kernels, by their numbers; those of the host device. */
enum { KERNEL_FILL, KERNEL_ADD, KERNEL_NOTHING, KERNEL_FREE, KERNEL_FAIL, FUZZ_KERNELS };
extern const gc_host_kernel fuzz_kernels[FUZZ_KERNELS];

/* ---- oracles.c ---- */

void check_call(struct actor *actor, struct call *call, gc_status status);

/* ---- generate.c ---- */

void actor_open(struct actor *actor, struct world *world, struct program *program, uint64_t seed);
void actor_close(struct actor *actor);
void generate_program(struct actor *actor, unsigned calls);
void replay_program(struct actor *actor);
void nested_calls(struct actor *actor);
int is_left_out(const struct function *function, unsigned mode);

/* ---- main.c ---- */

/* After so many calls each function should have succeeded; rare ones get as many calls again, three times at most. */
enum { ENOUGH_CALLS = 600000, MOST_OVERTIME = 4 };

int are_all_reached(void);

/* ---- rounds.c: what the processes do ---- */

void run_rounds(void);
void replay_candidate(void);
void print_candidate(void);

/* ---- main.c, shrink.c ---- */

/* Runs `body` in a process of its own, which ends without progress for `limit_s`. Returns 0 where it succeeded; else `key`
 * tells what failed. What a quiet one writes to stderr is thrown away. */
int in_process(void (*body)(void), unsigned limit_s, int quiet, char *key, size_t capacity);
void shrink_and_print(const char *key);

#endif
