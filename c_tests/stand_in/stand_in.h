/* What the stand-in for the CUDA driver exports beside the driver's functions: the tests count what is alive in it, and
 * tell it what to go wrong with. The environment is read by the driver's own first calls:
 *   STAND_IN_VERSION  what cuDriverGetVersion tells, such as 11080
 *   STAND_IN_STUB     set: cuDriverGetVersion and cuInit answer 34, as the toolkit's stub does
 *   STAND_IN_INIT     what cuInit answers
 *   STAND_IN_DEVICES  how many devices there are, at most 2, which is the default
 *   STAND_IN_NO_POOLS set: the devices have no memory pools
 *   STAND_IN_NO_MAPPING set: they map no memory into reserved addresses
 *   STAND_IN_TRANSLATES set: registered host memory has other addresses on the devices
 *   STAND_IN_CLONES_BACKWARD set, at any time: cuGraphClone lists the nodes the other way round */
#ifndef GRAPHCAP_STAND_IN_H
#define GRAPHCAP_STAND_IN_H

#include <stddef.h>
#include <stdint.h>

/* What stand_in_live counts. */
enum stand_in_kind {
    STAND_IN_RETAINS, /* of primary contexts */
    STAND_IN_STREAMS,
    STAND_IN_EVENTS,
    STAND_IN_GRAPHS, /* those that are captured into as well */
    STAND_IN_EXECS,
    STAND_IN_USER_OBJECTS, /* until their destructor has returned */
    STAND_IN_MODULES,
    STAND_IN_POOLS,
    STAND_IN_ALLOCATIONS, /* reserved addresses, and memory for these, as well */
    STAND_IN_PINNED, /* host memory, allocated or registered */
    STAND_IN_KINDS
};

#define STAND_IN_EXPORT __attribute__((visibility("default")))

/* How many objects of a kind there are. */
STAND_IN_EXPORT long stand_in_live(int kind);

/* How often the driver was used as it must not be: destroyed handles, calls from its own threads, code unloaded that a
 * graph uses. The first of them is copied to `text`. */
STAND_IN_EXPORT unsigned stand_in_violations(char *text, size_t capacity);

/* A fault: the next call that waits, and all that follow, answer `code`. */
STAND_IN_EXPORT void stand_in_fault(int code);

/* A profiler, which is told of each launch of a graph as it begins, and of each kernel, copy and memset that it ran: the number of the
 * node in its graph, the kind (CUgraphNodeType), and the kernel. */
struct launch_watcher {
    void (*begins)(void);
    void (*ran)(unsigned node, unsigned kind, const char *kernel);
};
STAND_IN_EXPORT void stand_in_watch_launches(const struct launch_watcher *by);

/* Has the call of the driver that is the `call`th from now, counted from 1, answer `code`. Functions that give
 * something back do so all the same: the real ones answer the error of an earlier call then. */
STAND_IN_EXPORT void stand_in_fail(uint64_t call, int code);

/* The same for the `call`th call of one function. */
STAND_IN_EXPORT void stand_in_fail_function(const char *function, uint64_t call, int code);

/* The function that answered so; NULL when it did not come to that. */
STAND_IN_EXPORT const char *stand_in_failed(void);

/* Counts from now on how often each function of the driver is called, or ends that. */
STAND_IN_EXPORT void stand_in_count_calls(int on);

/* The `index`th of the functions that were called while that was counted, and how often; NULL when there are no more. */
STAND_IN_EXPORT const char *stand_in_counted(size_t index, uint64_t *calls);

/* Removes a node of a graph, as others may by its handle. The driver may give the next node that handle. */
STAND_IN_EXPORT void stand_in_remove_node(void *graph, void *node);

/* While on, a function that is loaded may get the handle of one that was unloaded. */
STAND_IN_EXPORT void stand_in_reuse_functions(int on);

/* How often any thread asked which capture a stream is in, so far. */
STAND_IN_EXPORT unsigned long stand_in_questions(void);

/* How many execs were uploaded so far, each time counted. */
STAND_IN_EXPORT unsigned long stand_in_uploads(void);

/* While held, streams and events are never complete to whom asks; waits return all the same. */
STAND_IN_EXPORT void stand_in_hold(int held);

/* Has calls of a function wait, as those do that wait for the device, until this is called again; NULL for none. */
STAND_IN_EXPORT void stand_in_block(const char *function);

/* How many calls wait so. */
STAND_IN_EXPORT unsigned stand_in_blocked(void);

/* How often the driver was asked about an address. */
STAND_IN_EXPORT uint64_t stand_in_pointer_questions(void);

/* Ends a capture as cuStreamEndCapture does, by the program itself: what graphcap's threads ask about the capture meanwhile cannot be
 * kept apart from it, and is no wrong use. */
STAND_IN_EXPORT int stand_in_end_capture(void *stream, void **graph);

/* Waits until the driver's own thread has called what it was to call. */
STAND_IN_EXPORT void stand_in_settle(void);

#endif
