#!/usr/bin/env python3
"""PyTorch work, captured and replayed by graphcap through ctypes, and compared with the same work run eagerly.

    GRAPHCAP_LIBRARY=path/to/libgraphcap.so.0 python3 torch_capture.py [--out FOLDER]

It needs PyTorch, a GPU and the library: an argument, GRAPHCAP_LIBRARY, or ../../lib beside this script. It exits 0 when
every replay matched, 1 when one did not, and 77 where there is no PyTorch or no GPU.

What a program has to do so that PyTorch's work can be captured by someone else:

- **Use a side stream.** The legacy stream, which is PyTorch's default, cannot be captured. gc_stream_wrap() takes the
  CUstream of a torch.cuda.Stream. It must outlive the handle, and does: PyTorch's streams live as long as the process.
- **Warm up first**, on that stream: PyTorch loads kernels, and cuBLAS takes a workspace for each stream, at the first
  call. The workspace stays allocated, so the graph can use it.
- **Hold the memory.** To the caching allocator a temporary of the captured work is free as soon as Python drops it, but
  each replay writes to it again. Two ways are shown: a torch.cuda.MemPool, out of which nobody else is served, kept as
  long as the graph exec; and out=, with tensors made before the capture and kept. Enter the pool before the capture
  begins: use_mem_pool() looks for a CUDAGraph of PyTorch's own when the stream is being captured already.
- **Capture thread-locally.** The allocator may call cudaMalloc and cudaFree at any time and on any thread, and one on
  another thread would break a capture in global mode. On the capturing thread the allocator asks the driver whether its
  stream is captured, and allocates in relaxed mode then. Relaxed mode for the whole capture works as well, and refuses
  less of what this thread should not do.
- **Nothing that the CPU waits for** (.item(), printing a tensor, shapes that depend on values). No random numbers:
  PyTorch refuses them in a capture of someone else's, since only its own CUDAGraph moves the generator on from replay
  to replay. No backward pass under a MemPool: it runs on a thread that the pool does not know.
"""

import argparse
import contextlib
import ctypes
import os
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

try:
    import torch
except ImportError as error:
    print(f"skipped: PyTorch is not installed ({error})")
    sys.exit(77)

DEVICE_CUDA = 1
CAPTURE_MODE_THREAD_LOCAL = 1
REPLAYS = 10


class ContextOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("device_kind", c_int32), ("device_ordinal", c_uint32), ("flags", c_uint32)]


class Graphcap:
    """The library. Its functions are attributes that raise when a status is not 0."""

    SIGNATURES = {
        "gc_context_create": [POINTER(ContextOptions), POINTER(c_void_p)],
        "gc_context_destroy": [c_void_p],
        "gc_stream_wrap": [c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_stream_destroy": [c_void_p],
        "gc_stream_begin_capture": [c_void_p, c_int32],
        "gc_stream_end_capture": [c_void_p, POINTER(c_void_p)],
        "gc_graph_node_count": [c_void_p, POINTER(c_size_t)],
        "gc_graph_edge_count": [c_void_p, POINTER(c_size_t)],
        "gc_graph_export_dot": [c_void_p, c_uint32, c_char_p, c_size_t, POINTER(c_size_t)],
        "gc_graph_instantiate": [c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_graph_destroy": [c_void_p],
        "gc_graph_upload": [c_void_p, c_void_p],
        "gc_graph_launch": [c_void_p, c_void_p],
        "gc_graph_exec_destroy": [c_void_p],
    }

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.gc_status_name.restype = c_char_p
        self.library.gc_live_handles.restype = c_uint64
        self.library.gc_last_error_message.argtypes = [c_char_p, c_size_t, POINTER(c_size_t)]
        for name, arguments in self.SIGNATURES.items():
            function = getattr(self.library, name)
            function.argtypes = arguments
            function.restype = c_int32
            function.errcheck = self.raise_on_failure
            setattr(self, name, function)

    def raise_on_failure(self, status, function, _arguments):
        if status != 0:
            why = ctypes.create_string_buffer(1024)
            self.library.gc_last_error_message(why, len(why), None)
            name = self.library.gc_status_name(status).decode()
            raise RuntimeError(f"{function.__name__}: {name}: {why.value.decode()}")
        return status

    def made(self, function, *arguments):
        """The handle that a function puts into its last parameter."""
        handle = c_void_p()
        function(*arguments, byref(handle))
        return handle

    def number(self, function, handle):
        count = c_size_t()
        function(handle, byref(count))
        return count.value

    def dot(self, graph):
        needed = c_size_t()
        self.gc_graph_export_dot(graph, 0, None, 0, byref(needed))
        text = ctypes.create_string_buffer(needed.value)
        self.gc_graph_export_dot(graph, 0, text, len(text), None)
        return text.value


class AttentionBlock(torch.nn.Module):
    """One step of a transformer, as one would write it: its temporaries come and go."""

    shape, heads = (4, 128, 256), 4
    way = "MemPool"

    def __init__(self):
        super().__init__()
        width = self.shape[-1]
        self.before, self.between = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.to_qkv, self.project = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.feed = torch.nn.Sequential(
            torch.nn.Linear(width, 4 * width), torch.nn.GELU(), torch.nn.Linear(4 * width, width))

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
                   for part in self.to_qkv(self.before(x)).chunk(3, dim=-1))
        weights = torch.softmax(q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5, dim=-1)
        x = x + self.project((weights @ v).transpose(1, 2).flatten(-2))
        return x + self.feed(self.between(x))


class Perceptron(torch.nn.Module):
    """Two layers, written with out=: nothing is allocated while they run."""

    shape = (64, 256)
    way = "out="

    def __init__(self):
        super().__init__()
        batch, width = self.shape
        for name, size in ("weight1", (width, 512)), ("bias1", (512,)), ("weight2", (512, width)), ("bias2", (width,)):
            self.register_buffer(name, torch.randn(size) / 16)
        self.register_buffer("hidden", torch.empty(batch, 512))
        self.register_buffer("result", torch.empty(batch, width))

    def forward(self, x):
        torch.mm(x, self.weight1, out=self.hidden)
        self.hidden.add_(self.bias1).clamp_(min=0)
        torch.mm(self.hidden, self.weight2, out=self.result)
        return self.result.add_(self.bias2)


def storm(streams, kept):
    """Does between two replays what the rest of a program may do: takes memory of all sizes, writes NaN, gives it back to the
    driver. Returns the number of bytes written; raises when memory that the graph uses was given out."""
    written = 0
    for stream in streams:
        with torch.cuda.stream(stream):
            taken = []
            for size in [2**power for power in range(9, 25)] * 8:
                tensor = torch.empty(size, dtype=torch.uint8, device="cuda")
                tensor.view(torch.float32).fill_(float("nan"))
                if any(start < tensor.data_ptr() + size and tensor.data_ptr() < end for start, end in kept):
                    raise RuntimeError("PyTorch gave memory of the graph to someone else")
                taken.append(tensor)
                written += size
    del taken, tensor
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return written


def capture(gc, stream, wrapped, pool, work):
    """The graph of what work() submits, and what work() returned."""
    torch.cuda.synchronize()
    with torch.cuda.stream(stream), torch.cuda.use_mem_pool(pool) if pool else contextlib.nullcontext():
        gc.gc_stream_begin_capture(wrapped, CAPTURE_MODE_THREAD_LOCAL)
        try:
            result = work()
        except BaseException:
            with contextlib.suppress(RuntimeError):  # what broke the work has often broken the capture
                gc.gc_graph_destroy(gc.made(gc.gc_stream_end_capture, wrapped))
            raise
        return gc.made(gc.gc_stream_end_capture, wrapped), result


@torch.no_grad()
def run(gc, context, module, folder):
    """Captures a module, replays it with new inputs, and answers the worst difference from eager; None if too large."""
    name = type(module).__name__
    module = module.cuda().eval()
    stream = torch.cuda.Stream()
    wrapped = gc.made(gc.gc_stream_wrap, context, stream.cuda_stream)
    given = torch.randn(module.shape, device="cuda")
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):  # the warm-up
            module(given)

    pool = torch.cuda.MemPool() if module.way == "MemPool" else None
    allocations = torch.cuda.memory_stats().get("allocation.all.allocated", 0)
    graph, answer = capture(gc, stream, wrapped, pool, lambda: module(given))
    allocations = torch.cuda.memory_stats().get("allocation.all.allocated", 0) - allocations
    if not pool and allocations:
        raise RuntimeError(f"{name} allocated {allocations} times during its capture, and nothing holds that memory")
    nodes, edges = gc.number(gc.gc_graph_node_count, graph), gc.number(gc.gc_graph_edge_count, graph)
    path = os.path.join(folder, f"torch_capture_{name}.dot")
    with open(path, "wb") as file:
        file.write(gc.dot(graph))
    graph_exec = gc.made(gc.gc_graph_instantiate, graph, None)
    gc.gc_graph_destroy(graph)
    gc.gc_graph_upload(graph_exec, wrapped)

    segments = pool.snapshot() if pool else []
    kept = [(segment["address"], segment["address"] + segment["total_size"]) for segment in segments]
    if pool and not any(start <= answer.data_ptr() < end for start, end in kept):
        raise RuntimeError(f"{name} did not take its memory from the pool")
    kept += [(tensor.data_ptr(), tensor.data_ptr() + tensor.nbytes) for tensor in (given, answer, *module.buffers())]
    worst, matched, written = 0.0, nodes > 0, 0
    for _ in range(REPLAYS):
        written += storm([torch.cuda.default_stream(), stream], kept)
        fresh = torch.randn(module.shape, device="cuda")
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            given.copy_(fresh)
            answer.fill_(float("nan"))  # a replay that does nothing must not pass
        gc.gc_graph_launch(graph_exec, wrapped)
        with torch.cuda.stream(stream):
            replayed = answer.clone()
            eager = module(fresh).clone()
        stream.synchronize()
        difference = (replayed - eager).abs().max().item()
        worst = max(worst, difference) if difference == difference else float("nan")
        matched = matched and torch.allclose(replayed, eager, rtol=1e-4, atol=1e-5)
    print(f"{name}: {nodes} nodes, {edges} edges, {allocations} allocations in the capture held by {module.way}; "
          f"{written >> 20} MiB of NaN written between {REPLAYS} replays; wrote {path}")

    gc.gc_stream_destroy(wrapped)
    gc.gc_graph_exec_destroy(graph_exec)
    del answer, pool  # not before the graph exec, which writes to their memory
    return worst if matched else None


def main():
    parser = argparse.ArgumentParser(description="Captures PyTorch work with graphcap and compares replays with eager.")
    parser.add_argument("library", nargs="?", help="libgraphcap.so.0; default: GRAPHCAP_LIBRARY, or ../../lib")
    parser.add_argument("--out", default=".", help="where the .dot files go")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("skipped: PyTorch finds no GPU")
        return 77
    if not hasattr(torch.cuda, "MemPool"):
        print(f"skipped: PyTorch {torch.__version__} has no torch.cuda.MemPool; 2.5 is the first that has it")
        return 77
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib", "libgraphcap.so.0")
    gc = Graphcap(options.library or os.environ.get("GRAPHCAP_LIBRARY") or beside)

    torch.manual_seed(3)
    settings = ContextOptions(ctypes.sizeof(ContextOptions), DEVICE_CUDA, torch.cuda.current_device(), 0)
    context = gc.made(gc.gc_context_create, byref(settings))
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name()}")
    modules = AttentionBlock(), Perceptron()
    worst = {type(module).__name__: run(gc, context, module, options.out) for module in modules}
    gc.gc_context_destroy(context)
    left = gc.library.gc_live_handles()

    failed = [name for name, difference in worst.items() if difference is None]
    if failed or left:
        print(f"FAILED: replays unlike eager: {', '.join(failed) or 'none'}; handles left: {left}")
        return 1
    figures = ", ".join(f"{name} {difference:.3g}" for name, difference in worst.items())
    print(f"{REPLAYS} replays each matched eager PyTorch on new inputs; worst differences: {figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
