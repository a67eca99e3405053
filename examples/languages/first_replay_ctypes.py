# A first replay in Python, by ctypes and graphcap-api.json.
import ctypes as c, json
api, gc = json.load(open("include/graphcap-api.json")), c.CDLL("libgraphcap.so.0")
plain = dict(void=None, pointer=c.c_void_p, i32=c.c_int32, u32=c.c_uint32, i64=c.c_int64, u64=c.c_uint64)
def checked(status, function, arguments):
    text = c.create_string_buffer(1024)
    if status != 0 and gc.gc_last_error_message(text, 1024, None) is not None:
        raise RuntimeError(text.value.decode())
for told in api["functions"]:
    function = getattr(gc, told["name"])
    function.restype = plain[told["returns"]["abi"]]
    function.argtypes = [plain[parameter["abi"]] for parameter in told["parameters"]]
    if told["must_check"]: function.errcheck = checked
context, stream, buffer, graph, replayed = (c.c_void_p() for _ in range(5))
gc.gc_context_create(None, c.byref(context))
gc.gc_stream_create(context, None, c.byref(stream))
gc.gc_buffer_allocate(context, 64, c.byref(buffer))
gc.gc_stream_begin_capture(stream, 0)
gc.gc_stream_memset(stream, buffer, 0, 7, 4, 16)            # 16 words of 4 bytes become 7
gc.gc_stream_end_capture(stream, c.byref(graph))
gc.gc_graph_instantiate(graph, None, c.byref(replayed))
gc.gc_graph_launch(replayed, stream)
words = (c.c_uint32 * 16)()
gc.gc_stream_memcpy_dtoh(stream, words, buffer, 0, 64)
gc.gc_stream_synchronize(stream)
print("replayed", sum(words))
