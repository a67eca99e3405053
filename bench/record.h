/* Captures a graph of any shape through streams and events alone. */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include "bench.h"
#include "shape.h"

/* Submits the work of one node to the stream it is given. */
typedef void (*submit_node)(const gc_stream *stream, size_t node, void *user_data);

/* Captures `s` and instantiates it. Ends the program unless the graph has exactly the nodes and edges of the shape. */
gc_graph_exec *record_shape(const gc_context *context, const shape *s, submit_node submit, void *user_data);

#endif
