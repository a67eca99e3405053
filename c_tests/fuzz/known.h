/* Defects that are known and not mended yet: the fuzzer leaves out what shows them, so that it finds others. A line goes when
 * its defect is mended. */
#ifndef GRAPHCAP_FUZZ_KNOWN_H
#define GRAPHCAP_FUZZ_KNOWN_H

/* A wait for a value that never comes, on a default stream of the host device, with a graph launch behind it: the context
 * stays when all handles are destroyed. Rounds with such waits use no default streams. */
#define KNOWN_WAITS_ON_DEFAULT_STREAMS 1

/* gc_module_load() with more host kernels than an array can have reads past it. */
#define KNOWN_ABSURD_HOST_KERNEL_COUNT 1

/* Each context leaves 144 bytes, 160 with those of malloc, and its place in a list: the check that memory is flat allows for as much. */
#define KNOWN_BYTES_LEFT_BY_CONTEXTS 176

/* gc_context_create() and the questions for default streams succeed inside callbacks: the callbacks do not try them. */
#define KNOWN_PERMITTED_IN_CALLBACKS 1

/* On a CUDA device: two contexts that each use a buffer of the other by a copy between peers, on a default stream or by work
 * that runs when all is destroyed, keep each other and what was used on them for ever. There no such copies are made. */
#define KNOWN_PEERS_IN_CIRCLES 1

/* On a CUDA device: a capture into a graph on the thread's default stream that is ended by a handle of another context for
 * that stream gives a second graph for the driver's one, which is then destroyed twice. Rounds there have default streams or
 * captures into graphs. */
#define KNOWN_GRAPHS_OF_OTHER_CONTEXTS 1

#endif
