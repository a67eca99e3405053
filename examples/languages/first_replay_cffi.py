# A first replay in Python, by cffi and graphcap_ffi.h.
import cffi
ffi = cffi.FFI()
ffi.cdef(open("include/graphcap_ffi.h").read())
gc = ffi.dlopen("libgraphcap.so.0")
def ok(status):
    text = ffi.new("char[1024]")
    if status != gc.GRAPHCAP_SUCCESS and gc.gc_last_error_message(text, 1024, ffi.NULL) is not None:
        raise RuntimeError(ffi.string(text).decode())
def made(kind, function, *arguments):
    out = ffi.new(kind + " **")
    ok(function(*arguments, out))
    return out[0]
context = made("gc_context", gc.gc_context_create, ffi.NULL)
stream = made("gc_stream", gc.gc_stream_create, context, ffi.NULL)
buffer = made("gc_buffer", gc.gc_buffer_allocate, context, 64)
ok(gc.gc_stream_begin_capture(stream, gc.GRAPHCAP_CAPTURE_MODE_GLOBAL))
ok(gc.gc_stream_memset(stream, buffer, 0, 7, 4, 16))       # 16 words of 4 bytes become 7
graph = made("gc_graph", gc.gc_stream_end_capture, stream)
replayed = made("gc_graph_exec", gc.gc_graph_instantiate, graph, ffi.NULL)
ok(gc.gc_graph_launch(replayed, stream))
words = ffi.new("uint32_t[16]")
ok(gc.gc_stream_memcpy_dtoh(stream, words, buffer, 0, 64))
ok(gc.gc_stream_synchronize(stream))
print("replayed", sum(words))
