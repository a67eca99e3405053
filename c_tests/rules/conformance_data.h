/* What NVIDIA's driver was measured to answer while streams are captured, as data: on an H200 with driver 580.159,
 * which is CUDA 13.0. conformance.c holds the device that is tested against it, be that the host device or a GPU, and
 * random_captures.c its model. The language of the scripts is that of capture_script.h. */
#ifndef GRAPHCAP_TESTS_CONFORMANCE_DATA_H
#define GRAPHCAP_TESTS_CONFORMANCE_DATA_H

#include "capture_script.h"

/* ---- Single calls ----
 *
 * A capture is begun, a memset is recorded, and one call is made. There are 36 ways to do so, and a pattern has a
 * letter for what came of each. It has four groups: the capturing stream is blocking, and the thread that captures
 * makes the call, or another one; the stream is non-blocking, likewise. A group has three words, for the modes that
 * the capture is begun in (global, thread-local, relaxed), and a word has three letters, for the modes of the thread
 * that makes the call. */

struct verdict {
    char letter;
    gc_status call;
    int state; /* after the call */
    gc_status end;
    int nodes; /* of the graph, the memset included */
};

static const struct verdict verdicts[] = {
    {'.', 0, 1, 0, 1},     /* the call works */
    {'+', 0, 1, 0, 2},     /* and makes a node */
    {'2', 0, 1, 0, 3},     /* and makes two nodes */
    {'U', 900, 2, 901, 0}, /* unsupported while capturing */
    {'I', 906, 2, 901, 0}, /* an implicit dependency */
    {'i', 906, 1, 0, 1},   /* told without harm */
    {'E', 907, 2, 901, 0}, /* a captured event */
    {'O', 905, 2, 901, 0}, /* a dependency on the outside */
    {'S', 401, 1, 0, 1},   /* a wrong state */
    {'V', 1, 2, 901, 0},   /* a wrong argument that harms */
    {'v', 1, 1, 0, 1},     /* and one that does not */
};

#define THRICE(word) word " " word " " word
#define ALWAYS(word) THRICE(word) "  " THRICE(word) "  " THRICE(word) "  " THRICE(word)
#define BARRED_OWN "UU. UU. ..."
#define BARRED_OTHER "U.. ... ..."

static const char pattern_safe[] = ALWAYS("...");
static const char pattern_unsafe[] = BARRED_OWN "  " BARRED_OTHER "  " BARRED_OWN "  " BARRED_OTHER;
static const char pattern_recorded[] = ALWAYS("+++");
static const char pattern_recorded_twice[] = ALWAYS("222");
static const char pattern_on_capturing[] = ALWAYS("UUU");
static const char pattern_captured_event[] = ALWAYS("EEE");
static const char pattern_outside[] = ALWAYS("OOO");
static const char pattern_state[] = ALWAYS("SSS");
static const char pattern_impossible[] = ALWAYS("VVV");
static const char pattern_argument[] = ALWAYS("vvv");
static const char pattern_legacy_work[] = THRICE("III") "  " THRICE("III") "  " THRICE("...") "  " THRICE("...");
static const char pattern_legacy_wait[] = THRICE("III") "  " THRICE("III") "  " BARRED_OWN "  " BARRED_OTHER;
static const char pattern_legacy_question[] = THRICE("iii") "  " THRICE("iii") "  " THRICE("...") "  " THRICE("...");

enum how {
    DIRECT,  /* graphcap makes the driver's call as it is */
    RELAXED, /* graphcap makes it in the relaxed mode, so that it answers what the last letter of each word says */
    NO_CALL  /* graphcap has none for it; `script` says what is missing */
};

/* The driver's call, and the script of the gc_ call that does it: $ is the capturing stream, and the verdict is on the
 * last statement. Before the capture the exec x1 was made of the graph g1, and e1 was recorded on n1 and waited for. */
struct call {
    const char *driver, *script, *pattern;
    enum how how;
};

static const struct call calls[] = {
    {"no call at all", "nothing", pattern_safe, DIRECT},

    {"cuStreamSynchronize", "sync n1", pattern_unsafe, DIRECT},
    {"cuStreamSynchronize", "sync b1", pattern_unsafe, DIRECT},
    {"cuStreamSynchronize", "sync own", pattern_unsafe, DIRECT},
    {"cuStreamSynchronize", "sync $", pattern_on_capturing, DIRECT},
    {"cuStreamSynchronize", "sync legacy", pattern_legacy_wait, DIRECT},
    {"cuStreamQuery", "query n1", pattern_unsafe, DIRECT},
    {"cuStreamQuery", "query b1", pattern_unsafe, DIRECT},
    {"cuStreamQuery", "query $", pattern_on_capturing, DIRECT},
    {"cuStreamQuery", "query legacy", pattern_legacy_wait, DIRECT},
    {"cuCtxSynchronize", "sync context", pattern_on_capturing, DIRECT},
    {"graphcap itself: cuStreamSynchronize with a limit", "sync-for n1", pattern_unsafe, DIRECT},
    {"graphcap itself: cuStreamSynchronize with a limit", "sync-for $", pattern_on_capturing, DIRECT},
    {"graphcap itself: cuStreamSynchronize with a limit", "sync-for legacy", pattern_legacy_wait, DIRECT},
    {"graphcap itself: cuCtxSynchronize with a limit", "sync-for context", pattern_on_capturing, DIRECT},

    {"cuEventQuery", "query e1", pattern_unsafe, DIRECT},
    {"cuEventQuery, never recorded", "query e2", pattern_unsafe, DIRECT},
    {"cuEventQuery, captured", "record e0 $; query e0", pattern_captured_event, DIRECT},
    {"cuEventSynchronize", "sync e1", pattern_unsafe, DIRECT},
    {"cuEventSynchronize, never recorded", "sync e2", pattern_unsafe, DIRECT},
    {"cuEventSynchronize, captured", "record e0 $; sync e0", pattern_captured_event, DIRECT},
    {"graphcap itself: cuEventSynchronize with a limit", "sync-for e1", pattern_unsafe, DIRECT},
    {"graphcap itself: cuEventSynchronize with a limit, never recorded", "sync-for e2", pattern_unsafe, DIRECT},
    {"graphcap itself: cuEventSynchronize with a limit, captured", "record e0 $; sync-for e0", pattern_captured_event,
     DIRECT},
    {"cuEventElapsedTime", "elapsed e1 e1", pattern_safe, DIRECT},
    {"cuEventCreate", "new-event context", pattern_safe, DIRECT},
    {"cuEventRecord", "record e1 $", pattern_safe, DIRECT},
    {"cuEventRecord", "record e1 n1", pattern_safe, DIRECT},
    {"cuEventRecord", "record e1 legacy", pattern_legacy_work, DIRECT},
    {"cuEventRecordWithFlags EXTERNAL", "record-external e1 $", pattern_recorded, DIRECT},
    {"cuEventRecordWithFlags EXTERNAL, not capturing", "record-external e1 n1", pattern_state, DIRECT},
    {"cuStreamWaitEvent, recorded before", "wait $ e1", pattern_outside, DIRECT},
    {"cuStreamWaitEvent, never recorded", "wait $ e2", pattern_safe, DIRECT},
    {"cuStreamWaitEvent EXTERNAL", "wait-external $ e1", pattern_recorded, DIRECT},
    {"cuStreamWaitEvent EXTERNAL, not capturing", "wait-external n1 e1", pattern_state, DIRECT},

    {"cuStreamCreate, non-blocking and blocking", "new-stream context", pattern_safe, DIRECT},
    {"graphcap itself: handles of streams that there are", "default-streams context", pattern_safe, DIRECT},
    {"cuStreamDestroy", "drop b1", pattern_safe, DIRECT},
    {"cuStreamBeginCapture", "begin $ global", pattern_state, DIRECT},
    {"cuStreamBeginCapture, bad mode", "begin n1 bad", pattern_argument, DIRECT},
    {"cuStreamIsCapturing", "capturing $", pattern_safe, DIRECT},
    {"cuStreamIsCapturing", "capturing n1", pattern_safe, DIRECT},
    {"cuStreamIsCapturing", "capturing legacy", pattern_legacy_question, DIRECT},
    {"cuStreamGetCaptureInfo", "status legacy", pattern_legacy_question, DIRECT},
    {"cuStreamGetCaptureInfo", "info $", pattern_safe, DIRECT},
    {"cuStreamGetCaptureInfo", "info legacy", pattern_legacy_question, DIRECT},
    {"cuStreamUpdateCaptureDependencies, idle", "depend-none n1", pattern_state, DIRECT},
    {"cuStreamUpdateCaptureDependencies", "depend-add $ $", pattern_safe, DIRECT},
    {"cuStreamUpdateCaptureDependencies", "depend-none $", pattern_safe, DIRECT},
    {"graphcap itself: unknown flags", "depend-badly $", pattern_argument, DIRECT},
    {"cuStreamGetCaptureInfo", "info n1", pattern_safe, DIRECT},
    {"cuThreadExchangeStreamCaptureMode, bad mode", "mode bad", pattern_argument, DIRECT},
    {"cuStreamGetId", "a call that tells the driver's number of a stream", pattern_on_capturing, NO_CALL},
    {"cuStreamGetId, of another stream", "a call that tells the driver's number of a stream", pattern_safe, NO_CALL},
    {"cuStreamGetFlags", "one that asks the driver for what is remembered", pattern_on_capturing, NO_CALL},
    {"graphcap itself: flags that are remembered", "flags $", pattern_safe, DIRECT},
    {"graphcap itself: flags that are remembered", "flags legacy", pattern_safe, DIRECT},
    {"cuStreamGetPriority", "priority $", pattern_safe, DIRECT},
    {"graphcap itself: a priority that is remembered", "priority legacy", pattern_safe, DIRECT},
    {"cuStreamGetCtx", "context-of $", pattern_safe, DIRECT},
    {"cuStreamAddCallback", "a callback beside host functions", pattern_on_capturing, NO_CALL},
    {"cuStreamAttachMemAsync", "attach $", pattern_on_capturing, DIRECT},
    {"cuStreamWriteValue32", "value-write $", pattern_recorded, DIRECT},

    {"cuLaunchKernel", "kernel $", pattern_recorded, DIRECT},
    {"cuLaunchKernel", "kernel n1", pattern_safe, DIRECT},
    {"cuLaunchKernel", "kernel b1", pattern_safe, DIRECT},
    {"cuLaunchKernel", "kernel own", pattern_safe, DIRECT},
    {"cuLaunchKernel", "kernel legacy", pattern_legacy_work, DIRECT},
    {"cuLaunchKernel, no blocks", "kernel-empty $", pattern_impossible, DIRECT},
    {"cuLaunchKernel, 2000 threads in a block", "kernel-huge $", pattern_impossible, DIRECT},
    {"graphcap itself: no arguments", "kernel-bare $", pattern_argument, DIRECT},
    {"cuLaunchHostFunc", "host $", pattern_recorded, DIRECT},
    {"cuMemsetD32Async", "memset $", pattern_recorded, DIRECT},
    {"cuMemsetD32Async", "memset legacy", pattern_legacy_work, DIRECT},
    {"graphcap itself: a range beyond the buffer", "memset-beyond $", pattern_argument, DIRECT},
    {"graphcap itself: nothing to do", "memset-none $", pattern_safe, DIRECT},
    {"cuMemcpyHtoDAsync, pageable", "copy-in $", pattern_recorded, DIRECT},
    {"cuMemcpyHtoDAsync, pageable", "copy-in n1", pattern_safe, DIRECT},
    {"cuMemcpyHtoDAsync, pageable", "copy-in b1", pattern_safe, DIRECT},
    {"cuMemcpyHtoDAsync, pageable", "copy-in own", pattern_safe, DIRECT},
    {"cuMemcpyHtoDAsync, pageable", "copy-in legacy", pattern_legacy_work, DIRECT},
    {"cuMemcpyHtoDAsync, pinned", "copy-pinned $", pattern_recorded, DIRECT},
    {"cuMemcpyDtoHAsync, pageable", "copy-out $", pattern_recorded, DIRECT},
    {"cuMemcpyDtoHAsync, pageable", "copy-out legacy", pattern_legacy_work, DIRECT},
    {"cuMemcpyDtoDAsync", "copy legacy", pattern_legacy_work, DIRECT},
    {"cuMemcpyAsync, device memory on both sides", "copy-peer $", pattern_recorded, DIRECT},
    {"cuMemcpyAsync, device memory on both sides", "copy-peer legacy", pattern_legacy_work, DIRECT},
    /* On the capturing stream the driver answers 900, and on the legacy stream 1; neither harms. graphcap makes single copies there. */
    {"cuMemcpyBatchAsync", "copy-batch n1", pattern_safe, DIRECT},
    {"cuMemcpyBatchAsync", "copy-batch b1", pattern_safe, DIRECT},
    {"cuMemcpyBatchAsync", "copy-batch own", pattern_safe, DIRECT},
    {"graphcap itself: cuMemcpyDtoDAsync twice", "copy-batch $", pattern_recorded_twice, DIRECT},
    {"graphcap itself: cuMemcpyDtoDAsync twice", "copy-batch legacy", pattern_legacy_work, DIRECT},
    {"graphcap itself: a range beyond the buffer", "copy-beyond $", pattern_argument, DIRECT},
    {"cuMemcpyHtoD", "copy-in-now context", pattern_legacy_work, DIRECT},
    {"cuMemcpyDtoD", "copy-now context", pattern_legacy_work, DIRECT},
    {"cuMemsetD8", "memset-now context", pattern_legacy_work, DIRECT},

    {"cuMemAlloc", "allocate-waitable context", pattern_unsafe, RELAXED},
    {"cuMemAllocAsync, other stream", "allocate context", pattern_unsafe, RELAXED},
    {"cuMemFree", "free context", pattern_unsafe, RELAXED},
    {"cuMemFreeAsync, other stream", "free context", pattern_unsafe, RELAXED},
    {"cuMemPoolTrimTo", "collect context", pattern_unsafe, RELAXED},
    {"cuMemPoolGetAttribute", "a call that tells of the pool", pattern_unsafe, NO_CALL},
    {"cuMemPoolSetAttribute", "a call that sets up the pool", pattern_unsafe, NO_CALL},
    {"cuMemAllocAsync, capturing stream", "a call that allocates on a stream", pattern_recorded, NO_CALL},
    {"cuMemHostAlloc", "pin context", pattern_unsafe, RELAXED},
    {"cuMemFreeHost", "unpin context", pattern_unsafe, RELAXED},
    {"cuMemHostRegister", "pin-given context", pattern_unsafe, RELAXED},
    {"cuMemAllocManaged", "allocate-managed context", pattern_unsafe, RELAXED},
    {"cuPointerGetAttribute", "wrap context", pattern_safe, DIRECT},

    {"cuModuleLoadData, cuModuleGetFunction", "load context", pattern_safe, DIRECT},
    {"cuModuleUnload", "unload context", pattern_unsafe, RELAXED},
    {"cuFuncGetAttribute", "kernel-attribute context", pattern_safe, DIRECT},
    {"cuFuncSetAttribute", "set-kernel-attribute context", pattern_safe, DIRECT},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor", "occupancy context", pattern_safe, DIRECT},

    {"cuGraphCreate", "create g2", pattern_safe, DIRECT},
    {"cuGraphDestroy", "drop g1", pattern_safe, DIRECT},
    {"cuGraphGetNodes and others that tell of a graph", "count g1", pattern_safe, DIRECT},
    {"cuGraphInstantiate", "instantiate g1 x2", pattern_unsafe, DIRECT},
    {"cuGraphExecDestroy", "drop x1", pattern_unsafe, RELAXED},
    {"cuGraphLaunch", "launch x1 n1", pattern_safe, DIRECT},
    {"cuGraphLaunch", "launch x1 $", pattern_on_capturing, DIRECT},
    {"cuGraphUpload", "upload x1 $", pattern_on_capturing, DIRECT},
    {"cuDeviceGetGraphMemAttribute", "graph-memory context", pattern_safe, DIRECT},
    {"cuDeviceGraphMemTrim", "trim-graph-memory context", pattern_safe, DIRECT},

    {"cuCtxGetLimit", "calls for limits", pattern_safe, NO_CALL},
    {"cuCtxSetLimit", "calls for limits", pattern_unsafe, NO_CALL},
    {"cuDeviceGetAttribute", "a call for attributes of a device; it is asked when a context is made", pattern_safe, NO_CALL},
};

/* What is there before the capture begins. */
static const char calls_before[] = "begin n1 relaxed; memset n1; end n1 g1 -> 0 1 0; instantiate g1 x1; "
                                   "record e1 n1; sync e1";

/* ---- Cases ---- */

enum scope {
    MEASURED,
    MEASURED_ON_TWO_DEVICES,
    CONTEXTS_OF_THEIR_OWN, /* of a GPU all contexts are its primary one, so these are for the host device */
    ONE_PRIMARY_CONTEXT,   /* and these for GPUs */
    ELSEWHERE,             /* nothing of a capture; `script` says which test holds the device against the answer */
    MISSING,               /* graphcap has no call; `script` says which is needed */
    UNMEASURED,            /* the answers are assumed */
    UNMEASURED_ON_TWO_DEVICES
};

struct conformance_case {
    enum scope scope;
    const char *about, *script;
};

static const struct conformance_case cases[] = {
    /* Begin and end. */
    {MEASURED, "begin on the legacy stream", "begin legacy global -> 900; status legacy -> 0 none"},
    {MEASURED, "begin on the per-thread stream", "begin own global; memset own; end own g0 -> 0 1 0"},
    {MEASURED, "begin with a bad mode", "begin b0 bad -> 1; status b0 -> 0 none"},
    {MEASURED, "begin while capturing",
     "begin b0 global; begin b0 relaxed -> 401; status b0 -> 0 active; memset b0; end b0 g0 -> 0 1 0"},
    {MEASURED, "begin while invalidated",
     "begin b0 global; sync b0 -> 900; begin b0 global -> 401; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "end, never begun", "end b0 g0 -> 401; end n0 g0 -> 401"},
    {MEASURED, "end a global capture on another thread",
     "begin b0 global; memset b0; t1: end b0 g0 -> 908; status b0 -> 0 none; end b0 g0 -> 401; sync b0"},
    {MEASURED, "end a thread-local capture on another thread",
     "begin b0 local; memset b0; t1: end b0 g0 -> 908; status b0 -> 0 none; end b0 g0 -> 401; sync b0"},
    {MEASURED, "end a relaxed capture on another thread", "begin b0 relaxed; memset b0; t1: end b0 g0 -> 0 1 0"},
    {MEASURED, "end on a fork",
     "begin b0 global; memset b0; record e0 b0; wait n0 e0; end n0 g0 -> 903; status b0 -> 0 invalid; "
     "status n0 -> 0 invalid; end b0 g0 -> 901; status n0 -> 0 none"},
    {MEASURED, "end with unjoined work",
     "begin b0 global; memset b0; record e0 b0; wait n0 e0; memset n0; end b0 g0 -> 904; status b0 -> 0 none; "
     "status n0 -> 0 none; memset n0; sync n0"},
    {MEASURED, "end with a fork that recorded nothing",
     "begin b0 global; memset b0; record e0 b0; wait n0 e0; end b0 g0 -> 0 1 0; status n0 -> 0 none"},
    {MEASURED, "end when invalidated",
     "begin b0 global; record e0 b0; wait n0 e0; sync b0 -> 900; end b0 g0 -> 901; status b0 -> 0 none; "
     "status n0 -> 0 none; memset b0; memset n0; sync b0; sync n0"},
    {MEASURED, "an empty capture", "begin b0 global; end b0 g0 -> 0 0 0; instantiate g0 x0; launch x0 b0; sync b0"},
    {MEASURED, "destroy the origin midway",
     "begin b0 global; memset b0; record e0 b0; wait n0 e0; memset n0; drop b0; status n0 -> 0 none; "
     "memset n0; sync n0; end n0 g0 -> 401"},
    {MEASURED, "record from other threads, global",
     "begin b0 global; t1: memset b0; t2: kernel b0; end b0 g0 -> 0 2 1"},
    {MEASURED, "record from other threads, thread-local",
     "begin b0 local; t1: memset b0; t2: kernel b0; end b0 g0 -> 0 2 1"},
    {MEASURED, "record from other threads, relaxed",
     "begin b0 relaxed; t1: memset b0; t2: kernel b0; end b0 g0 -> 0 2 1"},

    /* Forks, joins, events. */
    {MEASURED, "an event makes no node and holds the frontier",
     "begin b0 global; memset b0; record e0 b0; memset b0; wait n0 e0; memset n0; record e1 n0; wait b0 e1; "
     "memset b0; end b0 g0 -> 0 4 4"},
    {MEASURED, "an idle stream joins",
     "begin b0 global; memset b0; record e0 b0; wait n0 e0; status n0 -> 0 active; end b0 g0 -> 0 1 0"},
    {MEASURED, "a fork at the root",
     "begin b0 global; record e0 b0; wait n0 e0; status n0 -> 0 active; memset n0; record e1 n0; wait b0 e1; "
     "end b0 g0 -> 0 1 0"},
    {MEASURED, "wait for an event from before the capture",
     "record e0 n1; begin b0 relaxed; wait b0 e0 -> 905; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "wait for it as an external event",
     "record e0 n1; begin b0 relaxed; wait-external b0 e0; status b0 -> 0 active; end b0 g0 -> 0 1 0"},
    {MEASURED, "wait for an event that was never recorded",
     "begin b0 global; wait b0 e0; status b0 -> 0 active; memset b0; end b0 g0 -> 0 1 0"},
    {MEASURED, "wait for an event of another capture",
     "begin b0 global; begin n0 global; memset b0; record e0 b0; wait n0 e0 -> 902; status b0 -> 0 invalid; "
     "status n0 -> 0 invalid; end b0 g0 -> 901; end n0 g0 -> 901"},
    {MEASURED, "an invalidated capture refuses",
     "begin b0 relaxed; record e0 b0; wait n0 e0; sync b0 -> 900; memset b0 -> 901; memset n0 -> 901; "
     "kernel b0 -> 901; begin b0 global -> 401; wait n1 e0 -> 1; query e0 -> 1; status b0 -> 0 invalid; "
     "capturing b0 -> 0 0; end b0 g0 -> 901"},
    {MEASURED, "an event after its capture",
     "begin b0 global; memset b0; record e0 b0; end b0 g0 -> 0 1 0; query e0 -> 1; sync e0 -> 1; "
     "wait n0 e0 -> 1; drop g0; query e0 -> 1; sync e0 -> 1; wait n0 e0 -> 1; status n0 -> 0 none"},
    {MEASURED, "an event after its capture, inside another one",
     "begin b0 global; record e0 b0; end b0 g0 -> 0 0 0; begin n0 global; wait n0 e0 -> 1; "
     "status n0 -> 0 invalid; end n0 g0 -> 901"},
    {MEASURED, "an event recorded again outside",
     "begin b0 global; record e0 b0; end b0 g0; record e0 n0; sync e0; query e0; wait b0 e0; sync b0"},
    {MEASURED, "capture ids are the same for all members and grow from capture to capture",
     "begin b0 global; record e0 b0; wait n0 e0; begin n1 global; compare-ids b0 n0 -> 0 0; "
     "compare-ids b0 n1 -> 0 1; end b0 g0; begin b0 global; compare-ids b0 n1 -> 0 2; end n1 g0; end b0 g0"},
    {MEASURED, "info of an invalidated capture",
     "begin b0 global; memset b0; sync b0 -> 900; info b0 -> 0; status b0 -> 0 invalid; end b0 g0 -> 901"},

    /* What a stream tells about itself. */
    {MEASURED, "an attribute of a stream whose capture is invalidated",
     "begin b0 relaxed; sync b0 -> 900; attribute b0 -> 901; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "an attribute of a stream whose capture goes on, or was invalidated and is over",
     "begin b0 global; attribute b0; status b0 -> 0 active; sync b0 -> 900; end b0 g0 -> 901; attribute b0"},
    {MEASURED, "an attribute of a stream that joined a capture which is invalidated",
     "begin b0 relaxed; record e0 b0; wait n0 e0; attribute n0; sync b0 -> 900; attribute n0 -> 901; "
     "end b0 g0 -> 901; attribute n0"},
    {MEASURED, "an attribute of the per-thread stream while its capture is invalidated",
     "begin own relaxed; attribute own; sync own -> 900; attribute own -> 901; end own g0 -> 901; attribute own"},
    {MEASURED, "an attribute of another stream while a capture is invalidated",
     "begin b0 relaxed; sync b0 -> 900; attribute b1; attribute n0; end b0 g0 -> 901"},
    {MEASURED, "attributes are set and copied while a capture goes on",
     "begin b0 relaxed; set-attribute b0; copy-attributes b0 n0; copy-attributes n0 b0; status b0 -> 0 active; "
     "end b0 g0 -> 0 0 0"},
    {MEASURED, "an attribute is set while the capture is invalidated",
     "begin b0 relaxed; sync b0 -> 900; set-attribute b0 -> 901; end b0 g0 -> 901"},
    {MEASURED, "attributes are copied to a stream whose capture is invalidated",
     "begin b0 relaxed; sync b0 -> 900; copy-attributes b0 n0 -> 901; end b0 g0 -> 901"},
    {MEASURED, "attributes are copied from a stream whose capture is invalidated",
     "begin b0 relaxed; sync b0 -> 900; copy-attributes n0 b0 -> 901; end b0 g0 -> 901"},
    {MEASURED, "the priority of the per-thread stream while its capture is invalidated",
     "begin own relaxed; priority own; status own -> 0 active; sync own -> 900; priority own -> 901; end own g0 -> 901"},

    /* Graphs and execs. */
    {MEASURED, "instantiate the graph of an ongoing capture, destroy one of its nodes",
     "begin b0 relaxed; memset b0; graph-of b0 g1; instantiate g1 x0; remove-first g1 -> 401; status b0 -> 0 active; "
     "memset b0; end b0 g0 -> 0 2 1; launch x0 b0; sync b0"},
    {MEASURED, "set the dependencies to none, then record: a second root",
     "begin b0 global; memset b0; info b0 -> 0 1 1; depend-none b0; info b0 -> 0 1 0; memset b0; "
     "info b0 -> 0 2 1"},
    {MEASURED, "update the dependencies of a stream that does not capture", "depend-none b0 -> 401"},
    {MEASURED, "capture into an existing graph, instantiate it midway",
     "create g1; begin-into b0 g1 relaxed; memset b0; count g1 -> 0 1 0; instantiate g1 x0; memset b0; "
     "end b0 g0 -> 0 2 1; count g1 -> 0 2 1; launch x0 b0; sync b0"},
    {ELSEWHERE, "a self edge, a duplicate edge, a duplicate dependency",
     "graph_conformance.c: edge.add_self, edge.add_duplicate, add_dep.duplicate"},
    {ELSEWHERE, "a cycle of edges", "graph_conformance.c: edge.cycle_broken_again, edge.cycle_clone_dot_update"},
    {ELSEWHERE, "remove an edge twice", "graph_conformance.c: edge.remove_twice"},
    {ELSEWHERE, "disable an empty node", "graph_conformance.c: the kind empty"},
    {MEASURED, "launch an exec after its graph was destroyed",
     "begin b0 global; memset b0; end b0 g0 -> 0 1 0; instantiate g0 x0; drop g0; launch x0 b0; launch x0 n0; "
     "sync b0; sync n0"},
    {MISSING, "update an exec: same shape, other node count, other kind of node", "gc_graph_exec_update"},
    {ELSEWHERE, "a graph with an allocation node: instantiate twice, clone",
     "graph_memory.c: memory_outlives_exec_and_graph, graphs_that_allocate_are_bound"},
    {ELSEWHERE, "relaunch with the allocation not freed", "graph_memory.c: memory_is_alive_from_a_launch_to_its_free"},

    /* How far the prohibitions reach. */
    {MEASURED, "only captures in conflict die",
     "begin b0 global; begin n0 relaxed; sync n1 -> 900; status b0 -> 0 invalid; status n0 -> 0 active; "
     "end b0 g0 -> 901; memset n0; end n0 g0 -> 0 1 0"},
    {MEASURED, "unsafe calls reach other contexts",
     "begin b0 global; sync 1.n0 -> 900; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {CONTEXTS_OF_THEIR_OWN, "waiting for another context harms nothing",
     "begin b0 global; sync 1.context; status b0 -> 0 active; memset b0; end b0 g0 -> 0 1 0"},
    {CONTEXTS_OF_THEIR_OWN, "the legacy stream of another context is open",
     "begin b0 global; memset 1.legacy; status 1.legacy -> 0 none; status b0 -> 0 active; end b0 g0 -> 0 0 0"},
    {MEASURED, "legacy work beside a non-blocking capture is not captured",
     "begin n0 relaxed; memset legacy; kernel legacy; memset n0; sync legacy; end n0 g0 -> 0 1 0"},
    {MEASURED, "an impossible launch outside captures harms nothing",
     "begin b0 global; kernel-empty n1 -> 1; status b0 -> 0 active; end b0 g0 -> 0 0 0"},

    /* Several captures at once. */
    {MEASURED, "an unsafe call kills all captures of its thread that bar it",
     "begin b0 global; begin n0 local; begin b1 relaxed; sync n1 -> 900; status b0 -> 0 invalid; "
     "status n0 -> 0 invalid; status b1 -> 0 active; end b0 g0 -> 901; end n0 g0 -> 901; end b1 g0 -> 0 0 0"},
    {MEASURED, "an unsafe call kills its own and another thread's",
     "begin b0 local; t1: begin n0 global; t2: begin b1 local; sync n1 -> 900; status b0 -> 0 invalid; "
     "status n0 -> 0 invalid; status b1 -> 0 active; end b0 g0 -> 901; t1: end n0 g0 -> 901; "
     "t2: end b1 g0 -> 0 0 0"},
    {MEASURED, "a thread in the thread-local mode kills its own alone",
     "begin b0 local; t1: begin n0 global; mode local -> 0 global; sync n1 -> 900; status b0 -> 0 invalid; "
     "status n0 -> 0 active; end b0 g0 -> 901; sync n1; t1: end n0 g0 -> 0 0 0"},
    {MEASURED, "a thread in the relaxed mode kills none",
     "begin b0 global; t1: begin n0 global; mode relaxed -> 0 global; sync n1; status b0 -> 0 active; "
     "status n0 -> 0 active; end b0 g0 -> 0 0 0; t1: end n0 g0 -> 0 0 0"},
    {MEASURED, "the mode counts at the call, not at the begin",
     "mode relaxed -> 0 global; begin b0 global; mode global -> 0 relaxed; sync n1 -> 900; end b0 g0 -> 901"},
    {MEASURED, "a bad mode changes nothing", "mode local -> 0 global; mode bad -> 1; mode global -> 0 local"},
    {MEASURED, "waiting for the context kills all its captures",
     "begin b0 global; begin n0 relaxed; t1: begin b1 local; t2: sync context -> 900; status b0 -> 0 invalid; "
     "status n0 -> 0 invalid; status b1 -> 0 invalid; end b0 g0 -> 901; end n0 g0 -> 901; t1: end b1 g0 -> 901"},
    {MEASURED, "legacy work kills all captures of blocking streams, and no others",
     "begin b0 global; begin n0 global; begin b1 relaxed; memset legacy -> 906; status b0 -> 0 invalid; "
     "status n0 -> 0 active; status b1 -> 0 invalid; end b0 g0 -> 901; end n0 g0 -> 0 0 0; end b1 g0 -> 901"},
    {MEASURED, "waiting for the legacy stream kills captures of blocking streams alone",
     "begin b0 global; begin n0 global; sync legacy -> 906; status b0 -> 0 invalid; status n0 -> 0 active; "
     "end b0 g0 -> 901; end n0 g0 -> 0 0 0"},
    {MEASURED, "a question about a captured event kills its capture alone",
     "begin b0 global; begin n0 global; record e0 b0; query e0 -> 907; status b0 -> 0 invalid; "
     "status n0 -> 0 active; end b0 g0 -> 901; end n0 g0 -> 0 0 0"},
    {MEASURED, "an illegal call on a capturing stream kills its capture alone",
     "begin b0 global; begin n0 global; query b0 -> 900; status b0 -> 0 invalid; status n0 -> 0 active; "
     "end b0 g0 -> 901; end n0 g0 -> 0 0 0"},
    {MEASURED, "end another thread's capture while an own one is open",
     "begin b0 global; t1: begin n0 global; end n0 g0 -> 908; status b0 -> 0 active; status n0 -> 0 none; "
     "end b0 g0 -> 0 0 0"},
    {MEASURED, "captures begun and ended crosswise",
     "begin b0 global; begin n0 global; memset b0; memset n0; end b0 g0 -> 0 1 0; memset n0; "
     "begin b0 relaxed; end n0 g1 -> 0 2 1; end b0 g0 -> 0 0 0"},
    {MEASURED, "instantiate inside an own relaxed capture",
     "begin b0 relaxed; end b0 g0; begin b0 relaxed; instantiate g0 x0; end b0 g0 -> 0 0 0"},

    /* What an invalidated capture does until it is ended. */
    {MEASURED, "wait for a stream that is invalidated",
     "begin b0 global; sync b0 -> 900; sync b0 -> 900; query b0 -> 900; end b0 g0 -> 901"},
    {MEASURED, "launch and upload on a stream that is invalidated",
     "begin b0 global; end b0 g0; instantiate g0 x0; begin b0 global; sync b0 -> 900; launch x0 b0 -> 900; "
     "upload x0 b0 -> 900; end b0 g0 -> 901"},
    {MEASURED, "an impossible launch on a stream that is invalidated",
     "begin b0 global; sync b0 -> 900; kernel-empty b0 -> 901; kernel-huge b0 -> 901; end b0 g0 -> 901"},
    {MEASURED, "record an event on a stream that is invalidated",
     "record e0 n1; sync e0; begin b0 global; sync b0 -> 900; record e0 b0 -> 901; end b0 g0 -> 901; sync e0"},
    {MEASURED, "an invalidated stream waits",
     "begin b0 global; end b0 g0; record e0 n1; begin b0 global; record e1 b0; sync b0 -> 900; "
     "wait b0 e0 -> 901; wait b0 e1 -> 901; wait b0 e2 -> 901; end b0 g0 -> 901"},
    {MEASURED, "an invalidated stream waits for an event of another capture",
     "begin b0 global; begin n0 global; record e0 n0; sync b0 -> 900; wait b0 e0 -> 901; "
     "status n0 -> 0 active; end b0 g0 -> 901; end n0 g0 -> 0 0 0"},
    {MEASURED, "a capturing stream waits for an event of an invalidated capture",
     "begin b0 global; begin n0 global; record e0 n0; sync n0 -> 900; wait b0 e0 -> 1; "
     "status b0 -> 0 invalid; end b0 g0 -> 901; end n0 g0 -> 901"},
    {MEASURED, "an invalidated capture still bars unsafe calls",
     "begin b0 global; sync b0 -> 900; sync n1 -> 900; t1: sync n1 -> 900; end b0 g0 -> 901; sync n1"},
    {MEASURED, "a question about an invalidated stream is refused for its own sake, and harms no other capture",
     "begin b0 global; begin n0 global; query b0 -> 900; query b0 -> 900; sync b0 -> 900; status n0 -> 0 active; "
     "end b0 g0 -> 901; end n0 g0 -> 0 0 0"},
    {MEASURED, "an event of a capture that is over says so before another capture bars the question",
     "begin n0 global; record e0 n0; end n0 g0; begin b0 global; query e0 -> 1; sync e0 -> 1; status b0 -> 0 active; "
     "end b0 g0 -> 0 0 0"},
    {MEASURED, "an invalidated capture still closes the legacy stream",
     "begin b0 relaxed; sync b0 -> 900; memset legacy -> 906; status legacy -> 906; sync legacy -> 906; "
     "end b0 g0 -> 901; memset legacy"},
    {MEASURED, "an invalidated capture still bars waiting for the context",
     "begin b0 relaxed; sync b0 -> 900; sync context -> 900; end b0 g0 -> 901; sync context"},
    {MEASURED, "end an invalidated capture on a fork",
     "begin b0 global; record e0 b0; wait n0 e0; sync b0 -> 900; end n0 g0 -> 903; end b0 g0 -> 901"},
    {MEASURED, "end an invalidated capture on another thread",
     "begin b0 global; sync b0 -> 900; t1: end b0 g0 -> 901; status b0 -> 0 none; end b0 g0 -> 401"},
    {MEASURED, "end a capture with unjoined work on another thread",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; t1: end b0 g0 -> 904; status b0 -> 0 none; "
     "status n0 -> 0 none"},
    {MEASURED, "end on a fork on another thread",
     "begin b0 global; record e0 b0; wait n0 e0; t1: end n0 g0 -> 903; end b0 g0 -> 901"},
    {MEASURED, "the event of an invalidated capture, waited for",
     "begin b0 global; record e0 b0; sync b0 -> 900; sync e0 -> 1; wait n0 e0 -> 1; status n0 -> 0 none; "
     "end b0 g0 -> 901"},

    /* The legacy stream and the per-thread one. */
    {MEASURED, "the legacy stream waits for an event of a blocking capture",
     "begin b0 relaxed; record e0 b0; wait legacy e0 -> 906; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "the legacy stream waits for an event of a non-blocking capture",
     "begin n0 relaxed; record e0 n0; wait legacy e0 -> 906; status n0 -> 0 invalid; end n0 g0 -> 901"},
    {MEASURED, "the legacy stream waits for an event of a capture that is over",
     "begin n0 relaxed; record e0 n0; end n0 g0; wait legacy e0 -> 1; begin b0 relaxed; wait legacy e0 -> 906; "
     "status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "the legacy stream waits for an event from outside while a blocking stream is captured",
     "record e0 n1; sync e0; begin b0 relaxed; wait legacy e0 -> 906; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "the legacy stream waits for an event that was never recorded while a blocking stream is captured",
     "begin b0 relaxed; wait legacy e0 -> 906; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "an event that could not be recorded holds what it held",
     "record e0 n1; sync e0; begin b0 relaxed; record e0 legacy -> 906; end b0 g0 -> 901; sync e0; wait n0 e0"},
    {MEASURED, "launch and upload on the legacy stream while a blocking one is captured",
     "begin n0 relaxed; end n0 g0; instantiate g0 x0; begin b0 relaxed; upload x0 legacy -> 906; "
     "status b0 -> 0 invalid; end b0 g0 -> 901; begin b0 relaxed; launch x0 legacy -> 906; "
     "status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "begin on the legacy stream while a blocking one is captured",
     "begin b0 relaxed; begin legacy global -> 906; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "end on the legacy stream while a blocking one is captured",
     "begin b0 relaxed; end legacy g0 -> 906; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "an impossible launch on the legacy stream while a blocking one is captured",
     "begin b0 relaxed; kernel-empty legacy -> 906; kernel-huge legacy -> 906; status b0 -> 0 invalid; "
     "end b0 g0 -> 901"},
    {MEASURED, "a blocking stream that joins closes the legacy stream",
     "begin n0 relaxed; record e0 n0; memset legacy; wait b0 e0; memset legacy -> 906; "
     "status n0 -> 0 invalid; end n0 g0 -> 901"},
    {MEASURED, "and opens it when it is destroyed",
     "begin n0 relaxed; record e0 n0; wait b0 e0; memset b0; record e1 b0; drop b0; memset legacy; status n0 -> 0 active; "
     "wait n0 e1; end n0 g0 -> 0 1 0"},
    {MEASURED, "the per-thread stream closes the legacy stream",
     "begin own relaxed; status legacy -> 906; memset legacy -> 906; status own -> 0 invalid; "
     "end own g0 -> 901"},
    {MEASURED, "the per-thread stream of another thread closes it too",
     "t1: begin own relaxed; memset legacy -> 906; t1: status own -> 0 invalid; t1: end own g0 -> 901"},
    {MEASURED, "per-thread streams join a capture",
     "begin b0 global; record e0 b0; t1: wait own e0; t1: memset own; t1: status own -> 0 active; "
     "status own -> 0 none; t1: record e1 own; wait b0 e1; end b0 g0 -> 0 1 0; t1: status own -> 0 none"},
    {MEASURED, "the per-thread streams of two threads are two forks",
     "t1: begin own global; t1: record e0 own; wait own e0; memset own; t1: end own g0 -> 904; "
     "t1: begin own global; t1: record e0 own; wait own e0; end own g0 -> 903; t1: end own g0 -> 901"},
    {MEASURED, "a thread that ends discards the capture of its own stream",
     "t1: begin own global; t1: memset own; t1: quit; sync n1"},
    {MEASURED, "a thread that ends leaves its captures of other streams",
     "t1: begin b0 global; t1: memset b0; t1: quit; status b0 -> 0 active; sync n1 -> 900; "
     "status b0 -> 0 invalid; end b0 g0 -> 901; sync n1"},
    {MEASURED, "a thread that ends leaves its relaxed capture to others",
     "t1: begin b0 relaxed; t1: memset b0; t1: quit; memset b0; end b0 g0 -> 0 2 1"},

    /* External events. */
    {MEASURED, "an external wait for an event that was never recorded is a node",
     "begin b0 global; wait-external b0 e0; end b0 g0 -> 0 1 0; instantiate g0 x0; launch x0 b0; sync b0"},
    {MEASURED, "and so it is for an event of the same capture, which it does not join",
     "begin b0 global; memset b0; record e0 b0; wait-external b0 e0; end b0 g0 -> 0 2 1"},
    {MEASURED, "an idle stream joins no capture by an external wait",
     "begin b0 global; record e0 b0; wait-external n0 e0 -> 401; status n0 -> 0 none; end b0 g0 -> 0 0 0"},
    {MEASURED, "an external record leaves the event as it was",
     "record e0 n1; sync e0; begin b0 relaxed; record-external e0 b0; query e0; wait n0 e0; status n0 -> 0 none; "
     "status b0 -> 0 active; end b0 g0 -> 0 1 0; sync e0"},
    {MEASURED, "external nodes are in order with the others",
     "begin b0 global; memset b0; record-external e0 b0; memset b0; wait-external b0 e1; memset b0; "
     "end b0 g0 -> 0 5 4"},
    {MEASURED, "an invalidated capture refuses external nodes",
     "begin b0 relaxed; sync b0 -> 900; record-external e0 b0 -> 901; wait-external b0 e0 -> 901; end b0 g0 -> 901"},
    {MEASURED, "external records and waits on the legacy stream",
     "record-external e0 legacy -> 401; wait-external legacy e0 -> 401"},
    {MEASURED, "an external record on the legacy stream while a blocking one is captured",
     "begin b0 relaxed; record-external e0 legacy -> 906; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "an external wait on the legacy stream while a blocking one is captured",
     "begin b0 relaxed; wait-external legacy e0 -> 906; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED, "an event that a replay recorded can be asked about and waited for",
     "begin b0 relaxed; record-external e0 b0; end b0 g0 -> 0 1 0; instantiate g0 x0; launch x0 b0; sync e0; "
     "query e0; wait n0 e0; sync n0"},

    /* The frontier. */
    {MEASURED, "an ancestor that another dependency covers stays an edge",
     "begin b0 global; memset b0; record e0 b0; memset b0; record e1 b0; wait n0 e0; wait n0 e1; memset n0; "
     "record e2 n0; wait b0 e2; memset b0; end b0 g0 -> 0 4 5"},
    {MEASURED, "doubles are dropped",
     "begin b0 global; memset b0; record e0 b0; wait n0 e0; wait n0 e0; memset n0; record e1 n0; wait b0 e1; "
     "wait b0 e1; wait b0 e0; memset b0; end b0 g0 -> 0 3 3"},
    {MEASURED, "a stream waits for its own event",
     "begin b0 global; memset b0; record e0 b0; wait b0 e0; memset b0; wait b0 e0; memset b0; "
     "end b0 g0 -> 0 3 3"},
    {MEASURED, "a join by way of a third stream",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; record e1 n0; wait b1 e1; record e2 b1; "
     "wait b0 e2; end b0 g0 -> 0 1 0"},
    {MEASURED, "work on a fork after its join is not joined",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; record e1 n0; wait b0 e1; memset n0; "
     "end b0 g0 -> 904"},
    {MEASURED, "an event of a capture is recorded in another one",
     "begin b0 global; record e0 b0; begin n0 global; record e0 n0; wait b1 e0; end b0 g0 -> 0 0 0; "
     "status b1 -> 0 active; end n0 g0 -> 0 0 0; status b1 -> 0 none"},
    {MEASURED, "elapsed time of a captured event",
     "record e1 n1; sync e1; begin b0 relaxed; record e0 b0; elapsed e0 e1 -> 907; elapsed e1 e0 -> 907; "
     "status b0 -> 0 active; end b0 g0; elapsed e0 e1 -> 1"},
    {MEASURED, "elapsed time of an event that was never recorded", "elapsed e0 e0 -> 400"},

    /* Dependencies that are set, and graphs that are captured into. */
    {MEASURED, "what was taken from the dependencies need not be joined",
     "begin b0 global; memset b0; depend-none b0; memset b0; end b0 g0 -> 0 2 0"},
    {MEASURED, "nor on a fork",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; depend-none n0; end b0 g0 -> 0 1 0"},
    {MEASURED, "nor when it is one again",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; record e1 n0; wait n1 e1; depend-none n0; "
     "depend-set n0 n1; end b0 g0 -> 0 1 0"},
    {MEASURED, "a join by dependencies alone",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; memset b0; depend-add b0 n0; memset b0; "
     "end b0 g0 -> 0 3 2"},
    {MEASURED, "dependencies that take the place of others",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; memset b0; depend-set b0 n0; memset b0; "
     "end b0 g0 -> 0 3 1"},
    {MEASURED, "a node of another capture is no dependency",
     "begin b0 global; begin n0 global; memset n0; depend-set b0 n0 -> 1; status b0 -> 0 active; "
     "end b0 g0 -> 0 0 0; end n0 g0 -> 0 1 0"},
    {MEASURED, "dependencies of an invalidated capture",
     "begin b0 global; sync b0 -> 900; depend-none b0 -> 901; end b0 g0 -> 901"},
    {MEASURED, "dependencies of the legacy stream",
     "depend-none legacy -> 401; begin n0 relaxed; depend-none legacy -> 401; status n0 -> 0 active"},
    {MEASURED, "dependencies of the legacy stream while a blocking one is captured",
     "begin b0 relaxed; depend-none legacy -> 906; status b0 -> 0 active; end b0 g0 -> 0 0 0"},
    {MEASURED, "instantiate a graph that a global capture records into",
     "create g1; begin-into b0 g1 global; memset b0; instantiate g1 x0 -> 900; status b0 -> 0 invalid; "
     "end b0 g0 -> 901"},
    {MEASURED, "a capture into a graph that fails is the end of the graph",
     "create g1; begin-into b0 g1 relaxed; memset b0; sync b0 -> 900; end b0 g0 -> 901; count g1 -> 1; "
     "instantiate g1 x0 -> 1; begin-into b0 g1 relaxed -> 1; drop g1"},
    {MEASURED, "and so does unjoined work",
     "create g1; begin-into b0 g1 relaxed; record e0 b0; wait n0 e0; memset n0; end b0 g0 -> 904; "
     "count g1 -> 1"},
    {MEASURED, "nodes that were there before need no join",
     "create g1; begin-into b0 g1 relaxed; memset b0; end b0 g0 -> 0 1 0; begin-into n0 g1 relaxed; "
     "memset n0; end n0 g2 -> 0 2 0"},
    {MEASURED, "two captures into one graph",
     "create g1; begin-into b0 g1 relaxed; begin-into n0 g1 relaxed -> 401; memset b0; memset n0; memset b0; "
     "end b0 g0 -> 0 2 1; end n0 g2 -> 401; begin-into n0 g1 relaxed; end n0 g2 -> 0 2 1"},
    {MEASURED, "a graph that is captured into is destroyed",
     "create g1; begin-into b0 g1 relaxed; memset b0; drop g1; memset b0; end b0 g0 -> 0 2 1"},
    {MEASURED, "the origin of a capture into a graph is destroyed",
     "create g1; begin-into b0 g1 relaxed; memset b0; drop b0; count g1 -> 0 1 0"},

    /* Destruction midway. */
    {MEASURED, "a fork that is destroyed leaves its work to be joined",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; drop n0; status b0 -> 0 active; end b0 g0 -> 904"},
    {MEASURED, "a fork that was joined may be destroyed",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; record e1 n0; wait b0 e1; drop n0; memset b0; "
     "end b0 g0 -> 0 2 1"},
    {MEASURED, "a fork that is destroyed can be joined by its event",
     "begin b0 global; record e0 b0; wait n0 e0; memset n0; record e1 n0; drop n0; wait b0 e1; "
     "end b0 g0 -> 0 1 0"},
    {MEASURED, "a fork that recorded nothing may be destroyed",
     "begin b0 global; memset b0; record e0 b0; wait n0 e0; drop n0; end b0 g0 -> 0 1 0"},
    {MEASURED, "destroy the origin of an invalidated capture",
     "begin b0 global; record e0 b0; wait n0 e0; sync b0 -> 900; drop b0; status n0 -> 0 none; sync n0"},
    {MEASURED, "destroy the origin on another thread",
     "begin b0 global; record e0 b0; wait n0 e0; t1: drop b0; status n0 -> 0 none; sync n0"},
    {MEASURED, "an event of a capture whose origin was destroyed",
     "begin b0 global; record e0 b0; drop b0; query e0 -> 1; wait n0 e0 -> 1"},
    {MEASURED, "destroy an event midway",
     "begin b0 global; memset b0; record e0 b0; wait n0 e0; drop e0; memset n0; record e1 n0; wait b0 e1; "
     "drop e1; end b0 g0 -> 0 2 1"},

    {MEASURED, "the legacy stream waits for an event of a non-blocking capture while a blocking one goes on",
     "begin b0 relaxed; begin n0 relaxed; record e0 n0; wait legacy e0 -> 906; status b0 -> 0 invalid; "
     "status n0 -> 0 active; end b0 g0 -> 901; end n0 g0 -> 0 0 0"},
    {MEASURED, "elapsed time between two captures, of which one is over",
     "begin b0 relaxed; record e0 b0; end b0 g0; begin n0 relaxed; record e1 n0; elapsed e0 e1 -> 1; "
     "elapsed e1 e0 -> 907; status n0 -> 0 active; end n0 g0 -> 0 0 0"},
    {MEASURED, "elapsed time of an event of an invalidated capture",
     "record e1 n1; sync e1; begin b0 relaxed; record e0 b0; sync b0 -> 900; elapsed e0 e1 -> 1; "
     "elapsed e1 e0 -> 1; end b0 g0 -> 901"},
    {MEASURED, "elapsed time of a captured event and one that was never recorded",
     "begin b0 relaxed; record e0 b0; elapsed e0 e1 -> 907; elapsed e1 e0 -> 400; end b0 g0 -> 0 0 0; "
     "elapsed e0 e1 -> 1; elapsed e1 e0 -> 400"},
    {MEASURED, "a thread that ends takes its own stream out of a capture that it joined",
     "begin n0 relaxed; record e0 n0; t1: wait own e0; memset legacy -> 906; end n0 g0 -> 901; "
     "begin n0 relaxed; record e0 n0; t1: wait own e0; t1: memset own; t1: record e1 own; t1: quit; memset legacy; "
     "status n0 -> 0 active; wait n0 e1; end n0 g0 -> 0 1 0"},
    {MEASURED, "a thread that ends with a fork of its own stream",
     "t1: begin own global; t1: memset own; t1: record e0 own; wait n0 e0; memset n0; t1: quit; "
     "status n0 -> 0 none; sync n0"},
    {MEASURED, "a thread that ends leaves the graph that its own stream was captured into",
     "create g1; t1: begin-into own g1 relaxed; t1: memset own; t1: quit; count g1 -> 0 1 0"},
    {MEASURED, "the origin of a broken capture into a graph is destroyed",
     "create g1; begin-into b0 g1 relaxed; memset b0; sync b0 -> 900; drop b0; count g1 -> 1"},
    {MEASURED, "the end of a capture into a graph on a fork",
     "create g1; begin-into b0 g1 relaxed; memset b0; record e0 b0; wait n0 e0; end n0 g0 -> 903; "
     "count g1 -> 0 1 0; end b0 g0 -> 901; count g1 -> 1"},
    {MEASURED, "execs of a graph that is lost go on",
     "create g1; begin-into b0 g1 relaxed; memset b0; end b0 g0 -> 0 1 0; instantiate g1 x0; "
     "begin-into b0 g1 relaxed; memset b0; sync b0 -> 900; end b0 g0 -> 901; launch x0 b0; sync b0; count g1 -> 1"},

    /* Several contexts and devices. */
    {ONE_PRIMARY_CONTEXT, "waiting for another context of the GPU is waiting for all",
     "begin b0 global; sync 1.context -> 900; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {ONE_PRIMARY_CONTEXT, "the legacy stream of another context of the GPU is the same",
     "begin b0 global; memset 1.legacy -> 906; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {ONE_PRIMARY_CONTEXT, "the per-thread stream of another context of the GPU is the same",
     "begin own relaxed; status 1.own -> 0 active; end own g0 -> 0 0 0"},
    {MEASURED, "a stream of another context joins a capture",
     "begin b0 global; memset b0; record e0 b0; wait 1.n0 e0; compare-ids b0 1.n0 -> 0 0; memset 1.n0; "
     "record 1.e0 1.n0; wait b0 1.e0; end b0 g0 -> 0 2 1; status 1.n0 -> 0 none; instantiate g0 x0; launch x0 1.n0; "
     "sync 1.n0; launch x0 b0; upload x0 1.n1; sync b0"},
    {MEASURED, "an event is recorded on a stream of another context",
     "begin b0 relaxed; memset b0; record 1.e0 b0; wait n0 1.e0; status n0 -> 0 active; end b0 g0 -> 0 1 0; "
     "record 1.e0 n0; record e0 n0; mode relaxed -> 0 0; sync 1.e0; sync e0; elapsed 1.e0 e0"},
    {MEASURED, "the end of a capture on a stream of another context",
     "begin b0 relaxed; record e0 b0; wait 1.n0 e0; end 1.n0 g0 -> 903; status b0 -> 0 invalid; memset 1.n0 -> 901; "
     "end b0 g0 -> 901; memset 1.n0"},
    {MEASURED, "unjoined work on a stream of another context",
     "begin b0 relaxed; record e0 b0; wait 1.n0 e0; memset 1.n0; end b0 g0 -> 904; status 1.n0 -> 0 none"},
    {MEASURED, "captures of two contexts do not merge",
     "begin b0 relaxed; begin 1.b0 relaxed; record e0 b0; wait 1.b0 e0 -> 902; end b0 g0 -> 901; end 1.b0 g0 -> 901"},
    {MEASURED, "a capture waits for no event that another context recorded outside",
     "record 1.e0 1.n0; begin b0 relaxed; wait b0 1.e0 -> 905; end b0 g0 -> 901"},
    {MEASURED, "a wait for a stream of another context that joined",
     "begin b0 relaxed; record e0 b0; wait 1.n0 e0; sync 1.n0 -> 900; end b0 g0 -> 901"},
    {MEASURED, "a wait for the context of a stream that joined",
     "begin b0 relaxed; record e0 b0; wait 1.n0 e0; sync 1.context -> 900; end b0 g0 -> 901"},
    {MEASURED, "the legacy stream of the context of a blocking stream that joined",
     "begin n0 relaxed; record e0 n0; wait 1.b0 e0; memset 1.legacy -> 906; end n0 g0 -> 901"},
    {CONTEXTS_OF_THEIR_OWN, "the legacy stream is open when a blocking stream of another context joined",
     "begin n0 relaxed; record e0 n0; wait 1.b0 e0; memset legacy; status n0 -> 0 active; end n0 g0 -> 0 0 0"},
    {MEASURED, "a stream of another context that joined is destroyed",
     "begin b0 relaxed; record e0 b0; wait 1.n0 e0; memset 1.n0; record 1.e0 1.n0; wait b0 1.e0; drop 1.n0; "
     "end b0 g0 -> 0 1 0"},
    {MEASURED, "the origin is destroyed of a capture that a stream of another context joined",
     "begin b0 relaxed; record e0 b0; wait 1.n0 e0; memset 1.n0; drop b0; status 1.n0 -> 0 none; memset 1.n0; "
     "end 1.n0 g0 -> 401"},
    {MEASURED_ON_TWO_DEVICES, "a stream of another device joins a capture",
     "begin b0 global; memset b0; record e0 b0; wait 2.n0 e0; compare-ids b0 2.n0 -> 0 0; memset 2.n0; "
     "record 2.e0 2.n0; wait b0 2.e0; end b0 g0 -> 0 2 1; status 2.n0 -> 0 none; instantiate g0 x0; launch x0 2.n0; "
     "sync 2.n0; launch x0 b0; upload x0 2.n1; sync b0"},
    {MEASURED_ON_TWO_DEVICES, "a stream waits for an event of another device",
     "memset b0; record e0 b0; wait 2.n0 e0; memset 2.n0; sync 2.n0; wait 2.legacy e0; wait 2.own e0"},
    {MEASURED_ON_TWO_DEVICES, "an event is recorded on a stream of another device",
     "record e0 2.n0 -> 400; record e0 b0; record 2.e0 2.b0; sync e0; sync 2.e0; elapsed e0 2.e0 -> 400"},
    {MEASURED_ON_TWO_DEVICES, "an event is recorded in a capture on another device",
     "begin 2.n0 relaxed; memset 2.n0; record e0 2.n0 -> 400; status 2.n0 -> 0 active; end 2.n0 g0 -> 0 1 0"},
    {MEASURED_ON_TWO_DEVICES, "event nodes of another device",
     "begin b0 relaxed; wait-external b0 2.e0; record-external 2.e0 b0; status b0 -> 0 active; "
     "end b0 g0 -> 0 2 1; instantiate g0 x0; launch x0 2.n0; sync 2.n0"},
    {MEASURED_ON_TWO_DEVICES, "the end of a capture on a stream of another device",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; end 2.n0 g0 -> 903; status b0 -> 0 invalid; memset 2.n0 -> 901; "
     "end b0 g0 -> 901; memset 2.n0"},
    {MEASURED_ON_TWO_DEVICES, "the end on another thread of a capture that a stream of another device joined",
     "begin b0 global; record e0 b0; wait 2.n0 e0; t1: end b0 g0 -> 908; status 2.n0 -> 0 none; end b0 g0 -> 401"},
    {MEASURED_ON_TWO_DEVICES, "unjoined work on a stream of another device",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; memset 2.n0; end b0 g0 -> 904; status 2.n0 -> 0 none"},
    {MEASURED_ON_TWO_DEVICES, "captures of two devices do not merge",
     "begin b0 relaxed; begin 2.b0 relaxed; record e0 b0; wait 2.b0 e0 -> 902; end b0 g0 -> 901; end 2.b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "a capture waits for no event that another device recorded outside",
     "record 2.e0 2.n0; begin b0 relaxed; wait b0 2.e0 -> 905; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "an unsafe call on another device in a capture that a stream of it joined",
     "begin b0 global; record e0 b0; wait 2.n0 e0; sync 2.n1 -> 900; status 2.n0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "an unsafe call on another device in a thread-local capture that a stream of it joined",
     "begin b0 local; record e0 b0; wait 2.n0 e0; t1: sync 2.n1; sync 2.n1 -> 900; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "a wait for a stream of another device that joined",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; sync 2.n0 -> 900; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "a launch on a stream of another device that joined",
     "begin n1 relaxed; memset n1; end n1 g1 -> 0 1 0; instantiate g1 x1; begin b0 relaxed; record e0 b0; wait 2.n0 e0; "
     "launch x1 2.n0 -> 900; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "a question about an event of another device that was captured",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; record 2.e0 2.n0; query 2.e0 -> 907; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "a wait for the device of a stream that joined",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; sync 2.context -> 900; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "a wait for the device on which a capture began that another one joined",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; sync context -> 900; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "the legacy stream of the device of a blocking stream that joined",
     "begin n0 relaxed; record e0 n0; wait 2.b0 e0; memset 2.legacy -> 906; end n0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "the legacy stream is open when a blocking stream of another device joined",
     "begin n0 relaxed; record e0 n0; wait 2.b0 e0; memset legacy; status n0 -> 0 active; end n0 g0 -> 0 0 0"},
    {MEASURED_ON_TWO_DEVICES, "the legacy stream of another device is open when a stream joined that is not blocking",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; memset 2.legacy; status b0 -> 0 active; end b0 g0 -> 0 0 0"},
    {MEASURED_ON_TWO_DEVICES, "the legacy stream of another device waits for a captured event",
     "begin n0 relaxed; record e0 n0; wait 2.legacy e0 -> 906; end n0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "a per-thread stream of another device joins",
     "begin b0 relaxed; record e0 b0; wait 2.own e0; memset 2.own; record 2.e0 2.own; wait b0 2.e0; end b0 g0 -> 0 1 0"},
    {MEASURED_ON_TWO_DEVICES, "a stream of another device that joined is destroyed",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; memset 2.n0; record 2.e0 2.n0; wait b0 2.e0; drop 2.n0; "
     "end b0 g0 -> 0 1 0"},
    {MEASURED_ON_TWO_DEVICES, "a stream of another device is destroyed with work that is not joined",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; memset 2.n0; drop 2.n0; end b0 g0 -> 904"},
    {MEASURED_ON_TWO_DEVICES, "the origin is destroyed of a capture that a stream of another device joined",
     "begin b0 relaxed; record e0 b0; wait 2.n0 e0; memset 2.n0; drop b0; status 2.n0 -> 0 none; memset 2.n0; "
     "end 2.n0 g0 -> 401"},
    {MEASURED_ON_TWO_DEVICES, "an event of a capture that is over, on another device",
     "begin b0 relaxed; record e0 b0; end b0 g0 -> 0 0 0; wait 2.n0 e0 -> 1; begin 2.n0 relaxed; wait 2.n0 e0 -> 1; "
     "end 2.n0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "unsafe calls reach captures of other devices",
     "begin b0 global; sync 2.n0 -> 900; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "a thread-local capture is reached from another device by its thread alone",
     "begin b0 local; t1: sync 2.n0; sync 2.n0 -> 900; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "a question about an event of another device",
     "begin b0 global; query 2.e0 -> 900; status b0 -> 0 invalid; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "instantiating on another device",
     "begin 2.b0 relaxed; end 2.b0 g0; begin b0 global; instantiate g0 x0 -> 900; end b0 g0 -> 901"},
    {MEASURED_ON_TWO_DEVICES, "waiting for another device harms nothing",
     "begin b0 global; sync 2.context; status b0 -> 0 active; end b0 g0 -> 0 0 0"},
    {MEASURED_ON_TWO_DEVICES, "the legacy stream of another device is open",
     "begin b0 global; memset 2.legacy; status 2.legacy -> 0 none; status b0 -> 0 active; end b0 g0 -> 0 0 0"},
    {MEASURED_ON_TWO_DEVICES, "captures on two devices",
     "begin b0 global; begin 2.b0 global; memset b0; memset 2.b0; end b0 g0 -> 0 1 0; end 2.b0 g1 -> 0 1 0"},
    {MEASURED_ON_TWO_DEVICES, "one unsafe call kills captures on two devices",
     "begin b0 global; begin 2.b0 global; sync n1 -> 900; status b0 -> 0 invalid; status 2.b0 -> 0 invalid; "
     "end b0 g0 -> 901; end 2.b0 g0 -> 901"},
};

/* Writes the script of a call under the conditions number `cell` of its pattern, and gives the verdict's letter. In a
 * guarded context the call answers the same and harms nothing. */
static inline char call_script(const struct call *call, int cell, int guarded, char *text, size_t capacity) {
    int nonblocking = cell / 18, other = cell / 9 % 2, begun = cell / 3 % 3, mode = cell % 3, letter = 0;
    const char *capturing = nonblocking ? "n0" : "b0", *thread = other ? "t1: " : "", *at = call->script, *pattern;
    const struct verdict *verdict = verdicts;
    int unharmed;
    size_t length;
    /* The letter is that of the cell, or of the relaxed mode where graphcap puts the thread into it. */
    for (pattern = call->pattern; letter <= cell - mode + (call->how == RELAXED ? 2 : mode); pattern++)
        letter += *pattern != ' ';
    while (verdict->letter != pattern[-1])
        verdict++;
    unharmed = guarded && verdict->state == GRAPHCAP_CAPTURE_STATUS_INVALIDATED;
    snprintf(text, capacity, "%s; begin %s %s; memset %s; ", calls_before, capturing, script_modes[begun], capturing);
    length = strlen(text);
    if (mode != 0)
        length += (size_t)snprintf(text + length, capacity - length, "%smode %s; ", thread, script_modes[mode]);
    length += (size_t)snprintf(text + length, capacity - length, "%s", thread);
    for (; *at != '\0'; at++) {
        if (*at == '$')
            length += (size_t)snprintf(text + length, capacity - length, "%s", capturing);
        else if (*at == ';')
            length += (size_t)snprintf(text + length, capacity - length, "; %s", thread);
        else
            length += (size_t)snprintf(text + length, capacity - length, "%c", *at);
    }
    length += (size_t)snprintf(text + length, capacity - length, " -> %d; ", (int)verdict->call);
    if (mode != 0)
        length += (size_t)snprintf(text + length, capacity - length, "%smode global; ", thread);
    if (guarded)
        length += (size_t)snprintf(text + length, capacity - length, "violation %s -> 0 0; ", capturing);
    length += (size_t)snprintf(text + length, capacity - length, "status %s -> 0 %s; end %s g0 -> %d", capturing,
                               unharmed ? "active" : script_states[verdict->state], capturing,
                               unharmed ? 0 : (int)verdict->end);
    if (unharmed || verdict->end == GRAPHCAP_SUCCESS)
        length += (size_t)snprintf(text + length, capacity - length, " %d *", unharmed ? 1 : verdict->nodes);
    snprintf(text + length, capacity - length, "; status %s -> 0 none; memset %s; sync %s", capturing, capturing,
             capturing);
    return verdict->letter;
}

#endif
