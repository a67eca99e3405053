#!/usr/bin/env python3
"""The graph of NVIDIA's cuda.core, beside graphcap-bench-gpu. See rival.py for what it prints.

Versions 0.3 and newer. Its names stood in cuda.core.experimental at first, and stand in cuda.core since 0.5."""

import ctypes
import functools

import rival

try:
    import cuda.core

    if not hasattr(cuda.core, "Device"):
        import cuda.core.experimental
except ImportError as error:
    rival.skip(f"cuda.core is not installed ({error})")
core = cuda.core if hasattr(cuda.core, "Device") else cuda.core.experimental
if not hasattr(core.Device, "create_graph_builder"):
    rival.skip(f"cuda.core {cuda.core.__version__} has no graphs; 0.3 is the first that has them")

try:
    device = core.Device()
    device.set_current()
except Exception as error:  # of a class of its own, which has moved between versions
    rival.skip(f"cuda.core finds no GPU ({error})")

with open(rival.PTX, "rb") as file:
    bump = core.ObjectCode.from_ptx(file.read() + b"\0").get_kernel("bump")
one = core.LaunchConfig(grid=1, block=1)
pinned = core.LegacyPinnedMemoryResource().allocate(4)
word = ctypes.c_uint32.from_address(int(pinned.handle))


def build(nodes):
    stream = device.create_stream()
    total, step = (device.allocate(4, stream=stream) for _ in range(2))
    for buffer, value in (total, 0), (step, 1):
        word.value = value
        pinned.copy_to(buffer, stream=stream)
        stream.sync()
    core.launch(stream, one, bump, total, step, ctypes.c_uint32(1))
    builder = device.create_graph_builder().begin_building()
    for _ in range(nodes):
        core.launch(builder, one, bump, total, step, ctypes.c_uint32(1))
    graph = builder.end_building().complete()
    graph.upload(stream)

    def ran(_kept=step):  # the graph keeps no buffers
        total.copy_to(pinned, stream=stream)
        stream.sync()
        return word.value

    return functools.partial(graph.launch, stream), stream.sync, ran


rival.measure("cuda.core", cuda.core.__version__, build)
