#!/usr/bin/env python3
"""A decode step in PyTorch that gc_graph_step() replays node by node, beside replays of the graph's exec.

    GRAPHCAP_LIBRARY=path/to/libgraphcap.so.0 python3 step_torch.py [--quick] [--layers 14] [--batch 1]

The decode step is that of decode_torch.py, with a buffer for each tensor's memory. It is stepped plainly, with hashes of what each node
writes, and with the kinds of all tensors told, so that the first NaN is found. A replay is a launch that is waited for. Steps and replays
take turns. All figures are us: of the call, with what it prepares, saves and restores; of the nodes alone, as the report tells them; and
of the first call, which is in no median.

The mask of the attention is infinite where nothing is to be looked at, which the step with kinds finds.

Exit code 77: there is no PyTorch, or no GPU. 1: a node did not run, or memory is not as before the steps.
"""

import argparse
import ctypes
import os
import statistics
import sys
import time
from ctypes import POINTER, Structure, byref, c_size_t, c_uint32, c_uint64, c_void_p

import decode_torch
from decode_torch import torch, torch_capture

import rival
from optimize_torch import Graphcap

SUMMARIZE = 1
KINDS = {"float32": 1, "float16": 2, "bfloat16": 3, "float64": 4}
MOST_BYTES = 8 << 30
BARS = {"plain": 5, "hashes": None, "NaNs": 15}


class TypedMemory(Structure):
    _fields_ = [("address", c_uint64), ("bytes", c_uint64), ("element", c_uint32), ("flags", c_uint32)]


class StepOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("permits", c_uint32), ("memory_count", c_uint32),
                ("first", c_uint64), ("last", c_uint64), ("max_bytes", c_uint64), ("each", c_void_p), ("text", c_void_p),
                ("user_data", c_void_p), ("memory", POINTER(TypedMemory)), ("hashes", c_void_p), ("hash_count", c_uint64),
                ("statements", c_void_p), ("statement_count", c_uint64)]


class StepReport(Structure):
    _fields_ = [("struct_size", c_uint32), ("stopped", c_uint32)] + [
        (name, c_uint64) for name in ("node_count", "run_count", "together_count", "finding_count", "bytes_saved",
                                      "bytes_unwatched", "time_ns")]


class Stepping(Graphcap):
    SIGNATURES = {**Graphcap.SIGNATURES,
                  "gc_graph_step": [c_void_p, POINTER(StepOptions), c_void_p, c_size_t, POINTER(StepReport)]}


def kinds(tensors):
    """The memory of tensors of floats, each storage by its first tensor."""
    told = {}
    for one in tensors:
        storage, kind = one.untyped_storage(), KINDS.get(str(one.dtype).removeprefix("torch."))
        if kind and storage.nbytes():
            told.setdefault(storage.data_ptr(), TypedMemory(storage.data_ptr(), storage.nbytes(), kind, 0))
    return (TypedMemory * len(told))(*told.values())


def step(gc, graph, way, memory):
    """The us of the call and of the nodes, and the report."""
    options = StepOptions(struct_size=ctypes.sizeof(StepOptions), flags=0 if way == "plain" else SUMMARIZE, max_bytes=MOST_BYTES)
    if way == "NaNs":
        options.memory, options.memory_count = memory, len(memory)
    report = StepReport(struct_size=ctypes.sizeof(StepReport))
    start = time.perf_counter_ns()
    gc.gc_graph_step(graph, byref(options), None, 0, byref(report))
    return (time.perf_counter_ns() - start) / 1e3, report.time_ns / 1e3, report


def replay_us(stream, launch):
    start = time.perf_counter_ns()
    launch()
    stream.synchronize()
    return (time.perf_counter_ns() - start) / 1e3


@torch.no_grad()
def measure(gc, context, work, rounds):
    stream, wrapped = decode_torch.warmed(gc, context, work)
    graph, alive, buffers = decode_torch.captured(gc, context, stream, wrapped, work)
    graph_exec = gc.made(gc.gc_graph_instantiate, graph, None)
    memory = kinds(work.tensors + alive[1].tensors)
    launch = lambda: gc.gc_graph_launch(graph_exec, wrapped)
    with torch.cuda.stream(stream):
        work.reset()
        launch()
    torch.cuda.synchronize()
    before = [one.clone() for one in work.outputs]
    first = {way: step(gc, graph, way, memory) for way in BARS}
    replays, figures = [], {way: [] for way in BARS}
    is_good = all(torch.equal(one.view(torch.uint8), was.view(torch.uint8)) for one, was in zip(work.outputs, before))
    for _ in range(rounds):
        work.reset()
        torch.cuda.synchronize()
        replays.append(replay_us(stream, launch))
        for way, told in figures.items():
            told.append(step(gc, graph, way, memory))
    replay = statistics.median(replays)
    print(f"{work.name}, {first['plain'][2].node_count} nodes: a replay {replay:.0f} us", flush=True)
    for way, told in figures.items():
        call, nodes = (statistics.median(one[i] for one in told) for i in range(2))
        report = told[-1][2]
        is_good = is_good and report.run_count == report.node_count
        print(f"| {way} | call {call:.0f} ({call / replay:.2f}) | nodes {nodes:.0f} ({nodes / replay:.2f}) | first call "
              f"{first[way][0]:.0f} ({first[way][0] / replay:.2f}) | bar {BARS[way]} | {report.finding_count} findings, "
              f"{report.bytes_saved >> 10} KiB saved |", flush=True)
    for handle, destroy in [(graph_exec, gc.gc_graph_exec_destroy), (graph, gc.gc_graph_destroy), (wrapped, gc.gc_stream_destroy)]:
        destroy(handle)
    for one in buffers:
        gc.gc_buffer_destroy(one)
    return is_good


def main():
    parser = argparse.ArgumentParser(description="A decode step, replayed node by node.")
    parser.add_argument("library", nargs="?", help="libgraphcap.so.0; default: GRAPHCAP_LIBRARY, or ../../lib")
    parser.add_argument("--layers", type=int, default=14, help="layers of the model")
    parser.add_argument("--batch", type=int, default=1, help="the batch of the decode step")
    parser.add_argument("--quick", action="store_true", help="a smoke run: its figures mean nothing")
    parser.add_argument("--rounds", type=int, help="every figure is the median of so many; default 31")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        rival.skip("PyTorch finds no GPU")
    torch.backends.cuda.enable_cudnn_sdp(False)
    torch.manual_seed(3)
    beside = os.path.join(decode_torch.HERE, "..", "..", "lib", "libgraphcap.so.0")
    gc = Stepping(options.library or os.environ.get("GRAPHCAP_LIBRARY") or beside)
    settings = torch_capture.ContextOptions(ctypes.sizeof(torch_capture.ContextOptions), torch_capture.DEVICE_CUDA,
                                            torch.cuda.current_device(), 0)
    context = gc.made(gc.gc_context_create, byref(settings))
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name()}", flush=True)
    decode_torch.LAYERS = options.layers
    is_good = measure(gc, context, decode_torch.Decode(options.batch), options.rounds or (2 if options.quick else 31))
    gc.gc_context_destroy(context)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
