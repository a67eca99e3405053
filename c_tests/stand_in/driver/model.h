/* The objects of the stand-in for the CUDA driver. One lock, model_lock, guards all of them; callbacks run without it.
 * Work is executed at once, in the call that submits it. */
#ifndef GRAPHCAP_STAND_IN_MODEL_H
#define GRAPHCAP_STAND_IN_MODEL_H

#define _POSIX_C_SOURCE 200809L

#include "../stand_in.h"

#include <pthread.h>

#define DRIVER STAND_IN_EXPORT

/* The driver's answers. */
enum {
    OK = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    STUB_LIBRARY = 34,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201,
    NO_BINARY_FOR_GPU = 209,
    INVALID_PTX = 218,
    UNSUPPORTED_PTX_VERSION = 222,
    INVALID_HANDLE = 400,
    ILLEGAL_STATE = 401,
    LOSSY_QUERY = 402,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    CONTEXT_IS_DESTROYED = 709,
    ALREADY_REGISTERED = 712,
    NOT_REGISTERED = 713,
    LAUNCH_FAILED = 719,
    NOT_PERMITTED = 800,
    NOT_SUPPORTED = 801,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901,
    CAPTURE_MERGE = 902,
    CAPTURE_UNMATCHED = 903,
    CAPTURE_UNJOINED = 904,
    CAPTURE_ISOLATION = 905,
    CAPTURE_IMPLICIT = 906,
    CAPTURED_EVENT = 907,
    CAPTURE_WRONG_THREAD = 908,
    GRAPH_EXEC_UPDATE_FAILURE = 910
};

enum { MODE_GLOBAL, MODE_THREAD_LOCAL, MODE_RELAXED };
enum { DEVICES = 2 };
enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };
enum { STREAM_ATTRIBUTES = 11, PRIORITY_ATTRIBUTE = 8 };

/* The head of every object. Handles stay known when their object is destroyed, so that a late use is noticed. */
struct object {
    struct object *next;
    int kind;
    int live;
};

struct context {
    struct object head;
    int device;
    unsigned long long id;
    long retains;
    struct stream *legacy;
    /* What was loaded into it and not unloaded. */
    struct module *modules;
};

struct stream {
    struct object head;
    struct context *context;
    int blocking, priority;
    /* By their numbers; those that are not known stay 0. */
    unsigned char attributes[STREAM_ATTRIBUTES][64];
    /* The capture that it is in; the next stream of the same one. */
    struct capture *capture;
    struct stream *next_member;
    /* What the edges to its next node carry; those of other nodes of the frontier carry nothing. */
    struct carried *carried;
    struct frontier {
        struct node **nodes;
        size_t count, capacity;
    } frontier;
};

/* What an edge carries (CUgraphEdgeData), in a list of a graph or, without the node that it leads to, of a stream or an event. */
struct carried {
    struct carried *next;
    struct node *from, *to;
    uint64_t data;
};

struct capture {
    struct capture *next;
    uint64_t id;
    unsigned mode;
    uint64_t thread;
    int is_invalid;
    /* Threads that are about to end it. */
    unsigned ends;
    /* Is destroyed when the capture fails, also when it was there before. */
    struct graph *graph;
    struct stream *origin, *members;
};

struct event {
    struct object head;
    struct context *context;
    int has_timing, is_interprocess;
    enum { NEVER_RECORDED, RECORDED, RECORDED_IN_CAPTURE } state;
    /* How many launches go on that have yet to come to a node which records it. */
    unsigned pending;
    double milliseconds;
    uint64_t capture;
    struct frontier frontier;
    /* What the edges from nodes of the frontier carry, as those of a stream. */
    struct carried *carried;
};

struct user_object {
    struct object head;
    unsigned references;
    void (*destroy)(void *);
    void *data;
};

struct held {
    struct user_object **objects;
    size_t count, capacity;
};

/* The driver's numbers for kinds of nodes. */
enum {
    NODE_KERNEL = 0,
    NODE_MEMCPY = 1,
    NODE_MEMSET = 2,
    NODE_HOST = 3,
    NODE_GRAPH = 4,
    NODE_EMPTY = 5,
    NODE_WAIT_EVENT = 6,
    NODE_EVENT_RECORD = 7,
    NODE_MEM_ALLOC = 10,
    NODE_MEM_FREE = 11,
    NODE_BATCH_MEM_OP = 12,
    NODE_CONDITIONAL = 13
};

enum { MOST_PARAMETERS = 8 };

struct launch {
    struct function *function;
    unsigned grid[3], block[3], shared_bytes;
    /* The bytes of the parameters, where the function says. */
    unsigned char *parameters;
    /* To each of them, as the parameters of a node tell. */
    void *pointers[MOST_PARAMETERS];
};

/* Slices of rows; the steps are the bytes from one to the next. */
struct copy {
    uint64_t destination, source;
    size_t bytes, height, depth;
    size_t destination_row, destination_slice, source_row, source_slice;
    int to_device, from_device;
};

struct fill {
    uint64_t address;
    unsigned value, element_size;
    size_t count, rows, pitch;
};

/* CUDA_MEMCPY3D */
struct copy_parameters {
    struct {
        size_t x, y, z, lod;
        unsigned memory_type;
        const void *host;
        uint64_t device;
        void *array, *reserved;
        size_t pitch, height;
    } source, destination;
    size_t width, height, depth;
};

/* Its memory types. */
enum { HOST_MEMORY = 1, DEVICE_MEMORY = 2 };

struct call {
    void (*function)(void *);
    void *data;
};

/* CUstreamBatchMemOpParams, as writes and waits have it. */
struct mem_op {
    unsigned operation, unused;
    uint64_t address, value;
    unsigned flags, padding;
    uint64_t alias, rest;
};

struct batch {
    size_t count;
    struct mem_op *ops;
    struct context *context;
};

enum {
    NODE_ATTRIBUTES = 17,
    COOPERATIVE_ATTRIBUTE = 2,
    CLUSTER_ATTRIBUTE = 4,
    DOMAIN_MAP_ATTRIBUTE = 9,
    UPDATABLE_ATTRIBUTE = 13
};

/* A node of a graph, or an exec's own copy of one. */
struct node {
    unsigned kind;
    /* NULL in an exec. */
    struct graph *graph;
    size_t index;
    /* All nodes of graphs are in one list, so that a late use is noticed. */
    struct node *next_live, *previous_live;
    /* The node that it is a copy of, by which an exec knows it; in an exec, whether it does nothing. */
    struct node *source;
    int is_disabled;
    /* What its work points to. */
    void *payload;
    size_t payload_bytes;
    /* Launch attributes of a kernel, by their numbers; NULL while none was set. */
    unsigned char (*attributes)[64];
    /* The capture that recorded it, and whether a stream was told to depend on it no longer. */
    uint64_t recorded_by;
    int is_released;
    size_t dependency_count;
    struct node **dependencies;
    struct node *only_dependency;
    union {
        struct launch launch;
        struct copy copy;
        struct fill fill;
        struct call call;
        struct batch batch;
        struct event *event;
        /* Of its own. */
        struct graph *child;
        struct {
            struct condition *condition;
            unsigned how, count;
            /* Of its own, in the payload. */
            struct graph **bodies;
        } conditional;
        struct allocation {
            uint64_t address;
            size_t bytes;
            /* Of a free: whether another graph allocates it. */
            int is_foreign;
        } allocation;
    } work;
};

struct graph {
    struct object head;
    /* Counted on from graph to graph; what is captured into it has the same number. */
    uint64_t id;
    struct node **nodes;
    size_t count, capacity, edges;
    /* What edges carry that carry something. */
    struct carried *carried;
    struct held held;
    /* The child or conditional node that it is of; NULL for one that stands alone. */
    struct node *owner;
    /* Of one that stands alone: the thread that uses it, or a graph within, just now. 0 for none. */
    uint64_t user;
    /* How many conditions, and nodes that allocate and free, it has: it is not copied then, and has one exec at a time. */
    size_t conditions, allocations;
    struct exec *only_exec;
};

struct exec {
    struct object head;
    /* Two threads must not use it, or this and the exec, at once. */
    struct graph *made_from;
    /* The id of the graph that it was made of, or updated by last. */
    uint64_t work_of;
    unsigned references;
    /* In the order in which they run. */
    struct node **nodes;
    size_t count;
    struct held held;
    /* What the edges between them carry. */
    struct carried *carried;
    /* Those that the driver tells, and one that it does not. */
    uint64_t flags;
    int uses_priorities;
    /* Whether it was uploaded or launched, and whether it was uploaded. */
    int is_prepared, is_uploaded;
};

enum { AUTO_FREE_ON_LAUNCH = 1 };

/* A value that decides about bodies. */
struct condition {
    struct condition *next;
    struct graph *graph;
    unsigned value, initial;
    int is_assigned;
    /* The node of the graph that has it. */
    const struct node *node;
};

struct module {
    struct object head;
    struct context *context;
    /* The next one that was loaded into the same context. */
    struct module *next;
    struct function *functions;
    unsigned function_count;
    struct global *globals;
    /* Nodes that launch its kernels. */
    long uses;
};

/* A global variable. */
struct global {
    struct global *next;
    char name[64];
    uint64_t address;
    size_t bytes;
};

struct function {
    struct object head;
    struct module *module;
    struct function *next;
    char *name;
    size_t parameter_count, parameter_bytes;
    /* How much dynamic shared memory launches may have, and how many threads their blocks. */
    unsigned most_shared, most_threads;
    /* Other attributes that were set, by their numbers. */
    int attributes[16];
    size_t offsets[MOST_PARAMETERS], sizes[MOST_PARAMETERS];
    /* 0, or the fault that it causes; NULL for a kernel that does nothing. */
    int (*run)(const struct launch *launch);
};

struct pool {
    struct object head;
    long allocations;
    size_t kept; /* bytes that were freed and not given back */
    int is_destroyed, device;
};

/* A thread as the driver knows it. */
struct thread {
    uint64_t number;
    struct context *stack[32];
    unsigned depth;
    unsigned mode;
    int is_drivers;
    /* The function that it is in. */
    const char *function;
    struct stream *per_thread[DEVICES];
};

extern pthread_mutex_t model_lock;
extern _Thread_local struct thread self;
extern struct capture *captures;

/* The functions below are called with the lock held, unless they say otherwise.
 *
 * control.c: answers that were asked for, and what is alive. */

/* Set when a call may have to answer something else than usual. */
extern int is_special;
enum { NOT_INITIALISED_YET = 1, TO_FAIL = 2, FAULT_TO_COME = 4, FAULTED = 8, HELD = 16, COUNTED = 32, BLOCKED = 64 };

int answer_specially(const char *function);

/* The first thing that a function does; without the lock. */
static inline int enter(const char *function) {
    self.function = function;
    if (__builtin_expect(__atomic_load_n(&is_special, __ATOMIC_RELAXED) != 0 || self.is_drivers, 0))
        return answer_specially(function);
    return OK;
}

#define ENTER(function)                     \
    do {                                    \
        int answer_ = enter(#function);     \
        if (answer_ != OK)                  \
            return answer_;                 \
    } while (0)

void note_violation(const char *text);
void note_fault(int code);
void note_initialised(void);
int is_held(void);
uint64_t this_thread(void);

/* A new object of `size` bytes, all 0 beside its head. */
void *object_new(size_t size, int kind);
/* Whether `handle` is a live object of that kind; counted as a violation when it is not. */
int object_is(const void *handle, int kind);
/* The object is gone; its head stays. */
void object_end(struct object *object);
/* Takes a module out of its context. */
void module_end(struct module *module);
void count_live(int kind, long change);

/* Kinds of objects beside those of stand_in_kind. */
enum { CONTEXTS = STAND_IN_KINDS, FUNCTIONS, SPECIAL_STREAMS };

/* Grows an array of pointers for one more. */
int make_room(void *array, size_t count, size_t *capacity);

/* Calls `function(data)` on the driver's own thread, later or, for a host function, now: that one without the lock. */
void call_later(void (*function)(void *), void *data, struct user_object *owner);
void call_now(void (*function)(void *), void *data);

/* context.c */

/* The current context; NULL with the answer in `answer` when there is none. */
struct context *current_context(int *answer);
/* The stream that a handle means. */
struct stream *find_stream(void *handle, int *answer);

/* stream.c */

/* How often it was asked which capture a stream is in. */
extern unsigned long questions;

int may_be_unsafe(void);
/* Checks that work may be submitted to a stream, and whether it is recorded. */
int submit_to(void *handle, struct stream **stream);
int record(struct stream *stream, struct node *node);
void invalidate(struct capture *capture);
/* The thread of a default stream has ended. */
void end_thread_captures(struct stream *own);
/* Records an event outside of captures, as a stream and a graph do. */
void record_event(struct event *event);
/* Records an event on a stream. Without the lock. */
int record_with(struct event *event, void *handle, unsigned flags);

/* nodes.c */

/* A node of no graph, with so many bytes for what its work points to. */
struct node *node_new(unsigned kind, size_t payload_bytes);
struct node *node_copy(const struct node *node);
/* Gives a node the work of another one, which goes. */
void node_take_work(struct node *node, struct node *with);
void node_end(struct node *node);
/* Adds a node to a graph, or ends it where `answer`, or a dependency, says why not. */
int node_add(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count, struct node *node,
             int answer);
/* Enters a node into the list of those of graphs. */
void node_lives(struct node *node);
/* Whether it is a node of a graph; counted as a violation when it is not. */
int node_is(const struct node *node);

/* Sets a launch attribute of a node. */
int node_set_attribute(struct node *node, unsigned attribute, void *value);
/* Whether kernels can change a node; whether they can one of the graph. */
int is_updatable(const struct node *node);
int has_updatable(const struct graph *graph);
/* A kernel of the exec that runs gives a node, by its handle in kernels, another grid, or has it do nothing where a size is 0. Not
 * 0 where it cannot. */
int kernel_sets_grid(uint64_t handle, const unsigned *grid);

/* edges.c */

/* As an edge carries it. */
uint64_t edge_data(unsigned char from_port, unsigned char type);
/* An edge, or the one from a node to the next one of a stream, carries `data`. */
void carry(struct carried **list, struct node *from, struct node *to, uint64_t data);
/* What an edge carries; 0 for nothing. */
uint64_t carried_by(const struct carried *list, const struct node *from, const struct node *to);
/* Forgets edges; NULL for an end that does not matter. */
void carry_no_more(struct carried **list, const struct node *from, const struct node *to);
/* Of what two edges from one node carry that which waits longer for it. */
uint64_t waits_longer(uint64_t data, uint64_t other);
/* Whether an edge from that node can carry `data`. */
int can_carry(const struct node *from, uint64_t data);
/* The edges to a new node of a stream carry what the stream was told. */
void carry_to(struct stream *stream, struct node *node);

/* allocations.c */

/* Whether a node can be given an address that a node allocates. */
int is_graph_memory(uint64_t address, size_t bytes);
int was_graph_memory(uint64_t address);
/* A node that allocates or frees was copied for an exec, and goes. */
void allocation_copied(const struct node *node);
void allocation_end(const struct node *node);
/* Frees what a node allocated, or records a node that does. */
int free_graph_memory(struct stream *stream, uint64_t address);
/* A launch begins, whose allocations may be left by earlier ones where it frees these by itself; it runs such a node; it ends. */
int begin_allocations(const struct exec *exec, int auto_free);
/* An exec is uploaded before its first launch: see to it that the driver keeps its memory. */
void upload_allocations(struct exec *exec);
/* An exec was made. */
void instantiate_allocations(const struct exec *exec);
void run_allocation(const struct node *node);
void end_allocations(const struct exec *exec);

/* conditions.c */

/* Whether it is a condition that lives. */
int condition_is(uint64_t number);
/* Whether no node has one of the conditions of a graph. */
int has_unused_condition(const struct graph *graph);
/* A graph ends; its conditions stay for its execs. */
void conditions_end(const struct graph *graph);
/* Gives the conditions of nodes that a launch is about to run the values that they begin with. */
void begin_conditions(struct node *const *nodes, size_t count);
/* Runs the bodies of a node that its condition asks for. */
int run_conditional(const struct node *node, int (*run)(const struct graph *graph));

/* graph.c */

/* The exec whose nodes run on this thread; NULL where none do. */
extern _Thread_local struct exec *running;

struct graph *graph_new(void);
/* Whether a graph is, or has within it, the graph `other`. */
int graph_contains(const struct graph *graph, const struct graph *other);
/* A copy, whose nodes come in the order of their originals. It holds no user objects. */
struct graph *graph_copy(const struct graph *graph);
/* Has a graph that stands alone hold the user objects that another one holds. */
void graph_hold_as(struct graph *graph, const struct graph *other);
/* A call uses a graph, or a node of one, from here on; nobody else may until end_use. Without the lock; both take NULL. */
struct graph *begin_use(struct graph *graph);
struct graph *begin_use_of(const struct node *node);
struct graph *begin_use_by(struct exec *exec);
void end_use(struct graph *used);
/* The nodes of a graph, each after those that it depends on; NULL for a cycle. */
struct node **graph_order(const struct graph *graph);
void graph_end(struct graph *graph);
int graph_add(struct graph *graph, struct node *node, const struct frontier *frontier);
/* An exec of the nodes of a graph in that order, which it takes. */
struct exec *exec_new(struct graph *graph, struct node **order);
/* Has an exec hold the user objects that a graph holds, in the place of those that it held. */
void exec_hold_as(struct exec *exec, const struct graph *graph);

/* mapping.c: the addresses that were reserved with one, if it is of such. */
int is_reserved(uint64_t address, uint64_t *start, size_t *bytes);

/* memory.c */
int is_device_memory(uint64_t address, size_t bytes);
/* Takes so much of the device's memory, if it is there, and gives it back. */
int take_bytes(size_t bytes);
void give_bytes_back(size_t bytes);
/* Whether the memory is of the device of `context`, as far as memory is of one device. */
int is_memory_of(const struct context *context, uint64_t address);
/* Memory of a module, or that a graph allocates, begins to be device memory, and ends. */
void range_begin(uint64_t address, size_t bytes);
void range_end(uint64_t address);
/* Whether it is memory for value operations. */
int takes_values(uint64_t address, size_t bytes);
/* A context ends, and with it what was pinned in it. */
void pinned_end(const struct context *context);
/* A copy of one row; which sides are of a device, the addresses tell. */
struct copy copy_by_addresses(uint64_t destination, uint64_t source, size_t bytes);
int is_copy_possible(const struct copy *copy);
int is_copy_possible_in_node(const struct copy *copy);
/* The copy that parameters describe; 0 where they describe none. */
int read_copy(const struct copy_parameters *parameters, struct copy *copy);
int run_copy(const struct copy *copy);
int run_fill(const struct fill *fill);
/* Notes a violation where a copy is recorded, or a node set to one, on a thread without a context. */
void check_copy_context(void);

/* values.c */
int are_mem_ops(const struct mem_op *ops, size_t count);
int run_mem_ops(const struct mem_op *ops, size_t count);

/* module.c */
int is_shape(const struct launch *launch);
void take_parameters(const struct function *function, unsigned char *bytes, void **parameters);
void take_packed(const struct function *function, unsigned char *bytes, void **extra);
int run_launch(const struct launch *launch);
uint64_t parameter_u64(const struct launch *launch, size_t index);
/* Launches on a stream, or records. Without the lock. */
int submit_launch(struct launch launch, void *handle, void **parameters, void **extra);

/* random.c */
int run_rng_reserve_kernel(const struct launch *launch);
int run_rng_uniform_kernel(const struct launch *launch);
int run_torch_wide_kernel(const struct launch *launch);
int run_torch_narrow_kernel(const struct launch *launch);

#endif
