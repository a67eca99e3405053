#!/usr/bin/env python3
"""Captures of 1,000 operations of PyTorch: by graphcap on a wrapped stream, in a context without memory and in one with 64 buffers, by
the driver alone, by PyTorch's CUDAGraph; and of 1,000 operations of CuPy by CuPy, where that is installed. Each is instantiated and
destroyed. All in turn, the medians.

On stdout, and with --out in a file of the script's name: CSV. All else goes to stderr. Exit code 77: there is no PyTorch, or no
GPU. The library is the file that GRAPHCAP_LIBRARY names, or lib/libgraphcap.so.0 of the bundle."""

import argparse
import ctypes
import gc
import os
import statistics
import sys
import time
from ctypes import byref, c_size_t, c_ulonglong, c_void_p

import rival

try:
    import torch
except ImportError as error:
    rival.skip(f"PyTorch is not installed ({error})")
if not torch.cuda.is_available():
    rival.skip("PyTorch finds no GPU")
try:
    import cupy
except ImportError:
    cupy = None

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
NODES, BUFFERS, RELAXED, WARM_UPS = 1000, 64, 2, 3
STEPS = "begin", "record", "end", "instantiate", "destroy"
HEAD = "rival,version,capture," + ",".join(step + "_us" for step in STEPS) + ",total_us,rounds"


def check(status):
    if status != 0:
        print(f"rival_capture: a call answered {status}", file=sys.stderr)
        sys.exit(1)


def made(function, *arguments):
    """The handle that a C function gives."""
    handle = c_void_p()
    check(function(*arguments, byref(handle)))
    return handle


class Driver:
    """The driver alone."""

    def __init__(self, stream):
        self.driver, self.stream = ctypes.CDLL("libcuda.so.1"), c_void_p(stream.cuda_stream)

    def begin(self):
        check(self.driver.cuStreamBeginCapture_v2(self.stream, RELAXED))

    def end(self):
        return made(self.driver.cuStreamEndCapture, self.stream)

    def instantiate(self, graph):
        handle = c_void_p()
        check(self.driver.cuGraphInstantiateWithFlags(byref(handle), graph, c_ulonglong(0)))
        return handle

    def destroy(self, graph, executable):
        check(self.driver.cuGraphDestroy(graph))
        check(self.driver.cuGraphExecDestroy(executable))


class Graphcap:
    """A context of graphcap with so many buffers, which wraps the stream."""

    def __init__(self, library, stream, buffers):
        self.library, self.context = library, made(library.gc_context_create, None)
        self.stream = made(library.gc_stream_wrap, self.context, c_void_p(stream.cuda_stream))
        self.buffers = [made(library.gc_buffer_allocate, self.context, c_size_t(4096)) for _ in range(buffers)]

    def begin(self):
        check(self.library.gc_stream_begin_capture(self.stream, RELAXED))

    def end(self):
        return made(self.library.gc_stream_end_capture, self.stream)

    def instantiate(self, graph):
        return made(self.library.gc_graph_instantiate, graph, None)

    def destroy(self, graph, executable):
        check(self.library.gc_graph_destroy(graph))
        check(self.library.gc_graph_exec_destroy(executable))


class Torch:
    """PyTorch's CUDAGraph, which instantiates as it ends."""

    def begin(self):
        self.graph = torch.cuda.CUDAGraph()
        self.graph.capture_begin(capture_error_mode="relaxed")

    def end(self):
        self.graph.capture_end()

    def instantiate(self, graph):
        return graph

    def destroy(self, graph, executable):
        self.graph.reset()


class Cupy:
    """CuPy's Graph, which instantiates as it ends."""

    def __init__(self, stream):
        self.stream = stream

    def begin(self):
        self.stream.begin_capture()

    def end(self):
        self.graph = self.stream.end_capture()

    def instantiate(self, graph):
        return graph

    def destroy(self, graph, executable):
        self.graph = None


def sample(side, operation):
    """The ns that each step takes, and all."""
    times = [time.perf_counter_ns()]

    def lap():
        times.append(time.perf_counter_ns())

    side.begin()
    lap()
    for _ in range(NODES):
        operation()
    lap()
    graph = side.end()
    lap()
    executable = side.instantiate(graph)
    lap()
    side.destroy(graph, executable)
    lap()
    return [after - before for before, after in zip(times, times[1:])] + [times[-1] - times[0]]


def all_sides():
    """Name, version, what captures, the stream to be current, and what is captured."""
    path = os.environ.get("GRAPHCAP_LIBRARY") or os.path.join(ROOT, "lib", "libgraphcap.so.0")
    library, stream, total = ctypes.CDLL(path), torch.cuda.Stream(), torch.zeros(1, dtype=torch.int64, device="cuda")
    library.gc_version_string.restype = ctypes.c_char_p
    version = library.gc_version_string().decode()

    def add():
        total.add_(1)

    sides = [
        ("graphcap, no memory", version, Graphcap(library, stream, 0), stream, add),
        ("graphcap, buffers", version, Graphcap(library, stream, BUFFERS), stream, add),
        ("driver", torch.version.cuda, Driver(stream), stream, add),
        ("torch", torch.__version__, Torch(), stream, add),
    ]
    if cupy:
        number, one = cupy.zeros(1, dtype=cupy.int64), cupy.ones(1, dtype=cupy.int64)
        own = cupy.cuda.Stream(non_blocking=True)
        sides.append(("cupy", cupy.__version__, Cupy(own), own, lambda: cupy.add(number, one, out=number)))
    torch.cuda.synchronize()
    return sides


def main():
    parser = argparse.ArgumentParser(description="Captures of other libraries' work")
    parser.add_argument("--quick", action="store_true", help="a smoke run: its figures mean nothing")
    parser.add_argument("--rounds", type=int, help="how many rounds are measured; default 31")
    parser.add_argument("--out", metavar="FOLDER", help="write the figures into a CSV file there as well")
    options = parser.parse_args()
    rounds, sides = options.rounds or (3 if options.quick else 31), all_sides()
    figures = {side[0]: [] for side in sides}
    gc.disable()
    for number in range(-WARM_UPS, rounds):
        first = number % len(sides)
        for name, _, side, stream, operation in sides[first:] + sides[:first]:
            # An operation loads its kernel when it is first called.
            with torch.cuda.stream(stream) if isinstance(stream, torch.cuda.Stream) else stream:
                operation()
                stream.synchronize()
                times = sample(side, operation)
            if number >= 0:
                figures[name].append(times)
    lines = [HEAD]
    for name, version, *_ in sides:
        medians = ",".join(f"{statistics.median(column) / 1000:.1f}" for column in zip(*figures[name]))
        lines.append(f'capture,{version},"{name}",{medians},{rounds}')
    print("\n".join(lines), flush=True)
    if options.out:
        with open(os.path.join(options.out, "rival_capture.csv"), "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
