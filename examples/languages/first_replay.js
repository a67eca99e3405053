// A first replay in JavaScript, by koffi and graphcap-api.json.
const koffi = require("koffi");
const api = JSON.parse(require("fs").readFileSync("include/graphcap-api.json"));
const library = koffi.load("libgraphcap.so.0");
const plain = { void: "void", pointer: "void *", i32: "int32_t", u32: "uint32_t", i64: "int64_t", u64: "uint64_t" };
const gc = Object.fromEntries(api.constants.concat(api.statuses).map(({ name, value }) => [name, value]));
for (const { name, returns, parameters, must_check } of api.functions) {
    const types = parameters.map(({ abi, type, direction }) =>
        direction === "out" && type.endsWith("**") ? koffi.out(koffi.pointer("void *")) : plain[abi]);
    const call = library.func(name, plain[returns.abi], types);
    gc[name] = (...given) => {
        const status = call(...given);
        if (must_check && status !== gc.GRAPHCAP_SUCCESS) {
            const text = Buffer.alloc(1024);
            gc.gc_last_error_message(text, text.length, null);
            throw new Error(text.toString().replace(/\0.*/s, ""));
        }
        return status;
    };
}
function made(call, ...given) {
    const out = [null];
    call(...given, out);
    return out[0];
}
const context = made(gc.gc_context_create, null);
const stream = made(gc.gc_stream_create, context, null);
const buffer = made(gc.gc_buffer_allocate, context, 64);
gc.gc_stream_begin_capture(stream, gc.GRAPHCAP_CAPTURE_MODE_GLOBAL);
gc.gc_stream_memset(stream, buffer, 0, 7, 4, 16);          // 16 words of 4 bytes become 7
const graph = made(gc.gc_stream_end_capture, stream);
const replayed = made(gc.gc_graph_instantiate, graph, null);
gc.gc_graph_launch(replayed, stream);
const words = new Uint32Array(16);
gc.gc_stream_memcpy_dtoh(stream, words, buffer, 0, 64);
gc.gc_stream_synchronize(stream);
console.log("replayed", words.reduce((sum, word) => sum + word));
