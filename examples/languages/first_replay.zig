// A first replay in Zig, by what zig translate-c makes of graphcap.h: docs/languages.md tells how it is built.
const std = @import("std");
const gc = @import("graphcap.zig");

extern fn printf(format: [*:0]const u8, ...) c_int;

fn ok(status: gc.gc_status) void {
    if (status == gc.GRAPHCAP_SUCCESS) return;
    var text: [1024]u8 = undefined;
    _ = gc.gc_last_error_message(&text, text.len, null);
    @panic(std.mem.sliceTo(&text, 0));
}

pub fn main() void {
    var context: ?*gc.gc_context = null;
    var stream: ?*gc.gc_stream = null;
    var buffer: ?*gc.gc_buffer = null;
    var graph: ?*gc.gc_graph = null;
    var replayed: ?*gc.gc_graph_exec = null;
    ok(gc.gc_context_create(null, &context));
    ok(gc.gc_stream_create(context, null, &stream));
    ok(gc.gc_buffer_allocate(context, 64, &buffer));
    ok(gc.gc_stream_begin_capture(stream, gc.GRAPHCAP_CAPTURE_MODE_GLOBAL));
    ok(gc.gc_stream_memset(stream, buffer, 0, 7, 4, 16)); // 16 words of 4 bytes become 7
    ok(gc.gc_stream_end_capture(stream, &graph));
    ok(gc.gc_graph_instantiate(graph, null, &replayed));
    ok(gc.gc_graph_launch(replayed, stream));
    var words: [16]u32 = undefined;
    ok(gc.gc_stream_memcpy_dtoh(stream, &words, buffer, 0, 64));
    ok(gc.gc_stream_synchronize(stream));
    var sum: u32 = 0;
    for (words) |word| sum += word;
    _ = printf("replayed %u\n", sum);
}
