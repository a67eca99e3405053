-- A first replay in LuaJIT, by graphcap_ffi.h.
local ffi = require("ffi")
ffi.cdef(io.open("include/graphcap_ffi.h"):read("*a"))
local gc = ffi.load("libgraphcap.so.0")
local function ok(status)
    local text = ffi.new("char[1024]")
    if status ~= gc.GRAPHCAP_SUCCESS and gc.gc_last_error_message(text, 1024, nil) then error(ffi.string(text)) end
end
local function made(kind, call)
    local out = ffi.new(kind .. " *[1]")
    ok(call(out))
    return out[0]
end
local context = made("gc_context", function(out) return gc.gc_context_create(nil, out) end)
local stream = made("gc_stream", function(out) return gc.gc_stream_create(context, nil, out) end)
local buffer = made("gc_buffer", function(out) return gc.gc_buffer_allocate(context, 64, out) end)
ok(gc.gc_stream_begin_capture(stream, gc.GRAPHCAP_CAPTURE_MODE_GLOBAL))
ok(gc.gc_stream_memset(stream, buffer, 0, 7, 4, 16))       -- 16 words of 4 bytes become 7
local graph = made("gc_graph", function(out) return gc.gc_stream_end_capture(stream, out) end)
local replayed = made("gc_graph_exec", function(out) return gc.gc_graph_instantiate(graph, nil, out) end)
ok(gc.gc_graph_launch(replayed, stream))
local words = ffi.new("uint32_t[16]")
ok(gc.gc_stream_memcpy_dtoh(stream, words, buffer, 0, 64))
ok(gc.gc_stream_synchronize(stream))
print("replayed", 16 * words[15])
