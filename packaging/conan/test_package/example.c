/* The library is found, is of the header's version, and runs an empty graph on the host device. */
#include <graphcap.h>
#include <stdio.h>

int main(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context;
    gc_graph *graph;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    if (gc_version() != GRAPHCAP_VERSION_NUMBER) return 1;
    if (gc_context_create(&options, &context) != GRAPHCAP_SUCCESS) return 2;
    if (gc_graph_create(context, &graph) != GRAPHCAP_SUCCESS) return 3;
    gc_graph_destroy(graph), gc_context_destroy(context);
    printf("graphcap %u, %d handles left\n", (unsigned)gc_version(), (int)gc_live_handles());
    return 0;
}
