#!/usr/bin/env python3
"""PyTorch's memory out of a pool of graphcap's: what its graphs replay into stays theirs when the tensors are gone.

    python3 torch_pool.py [path/to/libgraphcap.so.0] [--include FOLDER]

It needs PyTorch, a GPU, a C++ compiler and graphcap.h. It exits 0 when all held, 1 when something did not, and 77 where there is no
PyTorch or no GPU. There are two ways, each in a process of its own, since PyTorch's allocator is chosen before its first allocation:

- **All of PyTorch's memory**: change_current_allocator(). Each tensor is a block of the pool. A capture of graphcap's that was begun
  with a pool allocates from that one, and its graph keeps it. For a torch.cuda.CUDAGraph the program keeps the bound pool.
- **A MemPool** over the pool: PyTorch's own allocator takes whole segments of it, and divides them. A second capture into the MemPool
  uses them again.
"""

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
from ctypes import POINTER, byref, c_int32, c_uint32, c_uint64, c_void_p

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

from torch_capture import CAPTURE_MODE_THREAD_LOCAL, DEVICE_CUDA, ContextOptions, Graphcap, torch

DEVICE = 0
REPLAYS = 5


class PoolMemory(ctypes.Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("capacity", c_uint64), ("reserved_bytes", c_uint64),
                ("used_bytes", c_uint64), ("used_high", c_uint64)]


Graphcap.SIGNATURES.update({
    "gc_pool_create": [c_void_p, c_void_p, POINTER(c_void_p)],
    "gc_pool_destroy": [c_void_p],
    "gc_pool_bind": [c_void_p, c_int32],
    "gc_pool_unbind": [c_int32],
    "gc_pool_get_memory": [c_void_p, POINTER(PoolMemory)],
    "gc_stream_begin_capture_with_pool": [c_void_p, c_int32, c_void_p],
})


def check(holds, what):
    if not holds:
        sys.exit(f"failed: {what}")
    print(f"  {what}")


def made(function, *arguments):
    handle = c_void_p()
    function(*arguments, byref(handle))
    return handle


def used_bytes(gc, pool):
    memory = PoolMemory(struct_size=ctypes.sizeof(PoolMemory))
    gc.gc_pool_get_memory(pool, byref(memory))
    return memory.used_bytes


def build_shim(library, include, folder):
    """Compiles torch_allocator.cpp; gives its path."""
    shim = os.path.join(folder, "torch_allocator.so")
    headers = [os.path.join(os.path.dirname(torch.__file__), "include")]
    torch_library = os.path.join(os.path.dirname(torch.__file__), "lib")
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-O1", "-shared", "-fPIC", "-I", include,
               *(part for header in headers for part in ("-I", header)), os.path.join(FOLDER, "torch_allocator.cpp"),
               library, "-L", torch_library, "-lc10", f"-Wl,-rpath,{os.path.dirname(library)}", "-o", shim]
    subprocess.run(command, check=True)
    return shim


def allocator(shim):
    """PyTorch's allocator over the shim, with its hook for record_stream."""
    chosen = torch.cuda.memory.CUDAPluggableAllocator(shim, "torch_allocate", "torch_free")
    hook = ctypes.cast(ctypes.CDLL(shim).torch_record_stream, c_void_p).value
    chosen.allocator().set_record_stream_fn(hook)
    return chosen


def work(x):
    """Makes temporaries, which are gone when it returns."""
    y = x
    for _ in range(4):
        y = torch.relu(y * 1.5 - 0.25) + x
    return y


def scribble():
    """Takes memory that is free, and writes to it."""
    return [torch.full((1 << 18,), -1.0, device="cuda") for _ in range(8)]


def replays_right(replay, x, y):
    """Tells whether the replays of `work` give what it gives eagerly, on new input, while others use memory."""
    for turn in range(REPLAYS):
        x.copy_(torch.arange(x.numel(), dtype=torch.float32).reshape(x.shape) / (turn + 1))
        scribbled = scribble()
        replay()
        torch.cuda.synchronize()
        result = y.clone()
        if not torch.equal(result, work(x)) or any(bool((block != -1.0).any()) for block in scribbled):
            return False
    return True


def all_memory(gc, context, shim):
    pool = made(gc.gc_pool_create, context, None)
    gc.gc_pool_bind(pool, DEVICE)
    torch.cuda.memory.change_current_allocator(allocator(shim))
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        x = torch.zeros(512, 512, device="cuda")
        work(x)
    torch.cuda.synchronize()
    check(used_bytes(gc, pool) > 0, "PyTorch's tensors are blocks of the pool")

    try:
        torch.empty(1 << 48, dtype=torch.uint8, device="cuda")
        check(False, "memory that is not there is refused")
    except RuntimeError as error:
        check("pool" in str(error), f"memory that is not there is an exception: {type(error).__name__}")

    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        y = work(x)
    check(replays_right(graph.replay, x, y), "a CUDAGraph replays right when its tensors are gone")

    own = made(gc.gc_pool_create, context, None)
    wrapped = made(gc.gc_stream_wrap, context, stream.cuda_stream)
    before = used_bytes(gc, pool)
    with torch.cuda.stream(stream):
        gc.gc_stream_begin_capture_with_pool(wrapped, CAPTURE_MODE_THREAD_LOCAL, own)
        z = work(x)
        recorded = made(gc.gc_stream_end_capture, wrapped)
    check(used_bytes(gc, pool) == before and used_bytes(gc, own) > 0, "a capture with a pool allocates from that one")
    execution = made(gc.gc_graph_instantiate, recorded, None)
    gc.gc_graph_destroy(recorded)
    gc.gc_pool_destroy(own)

    def replay():
        stream.wait_stream(torch.cuda.current_stream())
        gc.gc_graph_launch(execution, wrapped)
        torch.cuda.current_stream().wait_stream(stream)

    check(replays_right(replay, x, z), "a graph of graphcap's keeps the pool that its tensors were of")
    other = torch.cuda.Stream()
    with torch.cuda.stream(other):
        block = torch.empty(1 << 20, device="cuda")
    address = block.data_ptr()
    block.record_stream(stream)
    del block
    with torch.cuda.stream(other):
        again = torch.zeros(1 << 20, device="cuda")
    torch.cuda.synchronize()
    check(again.data_ptr() == address, "what record_stream named is used again behind that stream")
    gc.gc_graph_exec_destroy(execution)
    gc.gc_stream_destroy(wrapped)
    gc.gc_pool_destroy(pool)


def mem_pool(gc, context, shim):
    pool = made(gc.gc_pool_create, context, None)
    gc.gc_pool_bind(pool, DEVICE)
    theirs = torch.cuda.MemPool(allocator(shim).allocator())
    x = torch.zeros(512, 512, device="cuda")
    work(x)
    graphs, results, sizes = [], [], []
    for _ in range(2):
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=theirs.id):
            y = work(x)
        graphs.append(graph)
        results.append(y)
        sizes.append(used_bytes(gc, pool))
    check(sizes[0] > 0, f"segments of {sizes[0] >> 20} MiB are blocks of the pool")
    check(sizes[1] == sizes[0], "a second capture uses them again")
    for graph, y in zip(graphs, results):
        check(replays_right(graph.replay, x, y), "a CUDAGraph in a MemPool replays right")
    gc.gc_pool_destroy(pool)


WAYS = {"all": all_memory, "mem-pool": mem_pool}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", nargs="?", help="libgraphcap.so.0; default: GRAPHCAP_LIBRARY, or ../../lib")
    parser.add_argument("--include", default=os.path.join(FOLDER, "..", "..", "include"))
    parser.add_argument("--way", choices=WAYS)
    parser.add_argument("--shim")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("skipped: PyTorch finds no GPU")
        sys.exit(77)
    beside = os.path.join(FOLDER, "..", "..", "lib", "libgraphcap.so.0")
    library = os.path.abspath(options.library or os.environ.get("GRAPHCAP_LIBRARY") or beside)
    if options.way is None:
        with tempfile.TemporaryDirectory() as folder:
            shim = build_shim(library, options.include, folder)
            for way in WAYS:
                print(f"{way}:", flush=True)
                command = [sys.executable, os.path.abspath(__file__), library, "--way", way, "--shim", shim]
                if subprocess.run(command).returncode != 0:
                    sys.exit(f"failed: {way}")
        print("all held")
        return
    gc = Graphcap(library)
    create = ContextOptions(struct_size=ctypes.sizeof(ContextOptions), device_kind=DEVICE_CUDA, device_ordinal=DEVICE)
    context = made(gc.gc_context_create, byref(create))
    WAYS[options.way](gc, context, options.shim)
    # PyTorch frees its tensors after this; the bound pool is there for that until the process ends.
    gc.gc_context_destroy(context)


if __name__ == "__main__":
    main()
