# A first replay in Python, by the module that SWIG makes of graphcap.i.
import graphcap as gc
context = gc.gc_context_create(None)
stream = gc.gc_stream_create(context, None)
buffer = gc.gc_buffer_allocate(context, 64)
gc.gc_stream_begin_capture(stream, gc.GRAPHCAP_CAPTURE_MODE_GLOBAL)
gc.gc_stream_memset(stream, buffer, 0, 7, 4, 16)           # 16 words of 4 bytes become 7
graph = gc.gc_stream_end_capture(stream)
replayed = gc.gc_graph_instantiate(graph, None)
gc.gc_graph_launch(replayed, stream)
words = gc.words(16)
gc.gc_stream_memcpy_dtoh(stream, words.cast(), buffer, 0, 64)
gc.gc_stream_synchronize(stream)
print("replayed", sum(words[i] for i in range(16)))
