#!/usr/bin/env python3
"""CuPy's Graph.launch(), of a captured stream, beside graphcap-bench-gpu. See rival.py for what it prints."""

import functools

import rival

try:
    import cupy
except ImportError as error:
    rival.skip(f"CuPy is not installed ({error})")
try:
    cupy.cuda.runtime.getDeviceCount()
except cupy.cuda.runtime.CUDARuntimeError as error:
    rival.skip(f"CuPy finds no GPU ({error})")

bump = cupy.RawModule(path=rival.PTX).get_function("bump")


def build(nodes):
    total, step = cupy.zeros(1, dtype=cupy.uint32), cupy.ones(1, dtype=cupy.uint32)
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.Device().synchronize()
    with stream:
        bump((1,), (1,), (total, step, cupy.uint32(1)))
        stream.synchronize()
        stream.begin_capture()
        for _ in range(nodes):
            bump((1,), (1,), (total, step, cupy.uint32(1)))
        graph = stream.end_capture()
    graph.upload(stream)
    return functools.partial(graph.launch, stream), stream.synchronize, lambda: int(total[0])


rival.measure("cupy", cupy.__version__, build)
