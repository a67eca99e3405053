"""Fixtures of the tests: a context of the host device, a stream, and what the examples in descriptions use."""

import gc

import numpy
import pytest

import graphcap


@graphcap.host_kernel("f4[:]")
def double_kernel(block, data):
    data *= 2


@graphcap.host_kernel("f4[:], f4", name="scale")
def scale_kernel(block, data, factor):
    data[block.block_index[0]] *= factor


@pytest.fixture
def context():
    with graphcap.Context("host") as made:
        yield made
        gc.collect()


@pytest.fixture
def stream(context):
    with graphcap.Stream(context) as made:
        yield made
        made.synchronize(timeout=60)


@pytest.fixture
def module(context):
    return graphcap.Module(context, kernels=[double_kernel, scale_kernel])


def example_names():
    """Names of the examples: they say `context`, `stream`, `buffer`, `double`, `scale`, `graph` and `exec`."""
    context = graphcap.Context("host")
    stream = graphcap.Stream(context)
    buffer = graphcap.Buffer(context, 4, "f4")
    double = graphcap.Module(context, kernels=[graphcap.HostKernel("double", double_kernel.parameters, double_kernel.address)])["double"]
    double.states_accesses("rw")
    with graphcap.capture(stream) as captured:
        stream.fill(buffer, 0)
        stream.launch(double, 1, 1, buffer)
    return {
        "graphcap": graphcap, "numpy": numpy, "context": context, "stream": stream, "buffer": buffer, "double": double,
        "scale": scale_kernel, "graph": captured.graph, "exec": captured.graph.instantiate(),
    }  # fmt: skip
