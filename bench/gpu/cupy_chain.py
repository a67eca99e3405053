"""The chain of kernels that CuPy's rivals launch."""

import cupy
import rival


def captured(nodes):
    """The graph of a chain of so many kernels, its stream, and what it needs: first the number that each kernel adds one to."""
    bump = cupy.RawModule(path=rival.PTX).get_function("bump")
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
    return graph, stream, (total, step, bump)
