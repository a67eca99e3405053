# A first replay in Python, by the module that ctypesgen makes of graphcap.h.
import ctypes as c
import graphcap as gc
def ok(status):
    text = c.create_string_buffer(1024)
    if status != gc.GRAPHCAP_SUCCESS and gc.gc_last_error_message(text, 1024, None) is not None:
        raise RuntimeError(text.value.decode())
def made(kind, function, *arguments):
    out = c.POINTER(kind)()
    ok(function(*arguments, c.byref(out)))
    return out
context = made(gc.gc_context, gc.gc_context_create, None)
stream = made(gc.gc_stream, gc.gc_stream_create, context, None)
buffer = made(gc.gc_buffer, gc.gc_buffer_allocate, context, 64)
ok(gc.gc_stream_begin_capture(stream, gc.GRAPHCAP_CAPTURE_MODE_GLOBAL))
ok(gc.gc_stream_memset(stream, buffer, 0, 7, 4, 16))       # 16 words of 4 bytes become 7
graph = made(gc.gc_graph, gc.gc_stream_end_capture, stream)
replayed = made(gc.gc_graph_exec, gc.gc_graph_instantiate, graph, None)
ok(gc.gc_graph_launch(replayed, stream))
words = (c.c_uint32 * 16)()
ok(gc.gc_stream_memcpy_dtoh(stream, words, buffer, 0, 64))
ok(gc.gc_stream_synchronize(stream))
print("replayed", sum(words))
