#!/usr/bin/env python3
"""CuPy's Graph.launch(), of a captured stream, beside graphcap-bench-gpu. See rival.py for what it prints."""

import functools

import rival

try:
    import cupy
    import cupy_chain
except ImportError as error:
    rival.skip(f"CuPy is not installed ({error})")
try:
    cupy.cuda.runtime.getDeviceCount()
except cupy.cuda.runtime.CUDARuntimeError as error:
    rival.skip(f"CuPy finds no GPU ({error})")


def build(nodes):
    graph, stream, memory = cupy_chain.captured(nodes)
    return functools.partial(graph.launch, stream), stream.synchronize, lambda: int(memory[0][0])


rival.measure("cupy", cupy.__version__, build)
