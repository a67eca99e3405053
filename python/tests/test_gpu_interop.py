"""Streams and memory of a GPU by the protocols of other libraries, without any of them. They run on the stand-in for the driver too."""

import gc

import pytest
from gpu import comes, need

import graphcap
from graphcap import _native

need()


class Foreign:
    """A stream of another library."""

    def __init__(self, native):
        self.native = native

    def __cuda_stream__(self):
        return (0, self.native)


class Array:
    """Memory of another library, by the array interface."""

    def __init__(self, buffer, **changed):
        self.__cuda_array_interface__ = buffer.__cuda_array_interface__ | changed


@pytest.fixture
def context():
    return graphcap.Context("cuda")


@pytest.fixture
def stream(context):
    with graphcap.Stream(context, non_blocking=True) as made:
        yield made
        made.synchronize()


def test_streams_both_ways(context, stream):
    assert stream.__cuda_stream__() == (0, stream.native)
    foreign = Foreign(stream.native)
    wrapped = context.wrap_stream(foreign)
    assert wrapped.native == stream.native
    buffer = graphcap.Buffer(context, 4)
    with graphcap.capture(foreign) as captured:
        stream.fill(buffer, 7)
    captured.instantiate().replay()
    captured.stream.synchronize()
    assert bytes(buffer.copy_to_host()) == b"\7\7\7\7"


def test_the_array_interface(context):
    buffer = graphcap.Buffer(context, (2, 3), "f4")
    told = buffer.__cuda_array_interface__
    assert told == {"shape": (2, 3), "typestr": "<f4", "data": (buffer.address, False), "strides": None, "version": 3, "stream": None}
    assert not hasattr(buffer, "__array_interface__")
    buffer.close()
    assert not hasattr(buffer, "__cuda_array_interface__")


def test_dlpack_names_the_consumers_stream(context, stream):
    buffer = graphcap.Buffer(context, 4, "f4")
    assert buffer.__dlpack_device__() == (2, 0)
    for number in (None, 1, 2, -1, stream.native):
        told = _native.dlpack_of(buffer, number)
        assert (told.address, told.device, told.element, told.shape) == (buffer.address, (2, 0), (2, 32, 1), [4])
    with pytest.raises(BufferError, match="stream 0"):
        buffer.__dlpack__(stream=0)
    with pytest.raises(BufferError, match="number of a stream"):
        buffer.__dlpack__(stream="x")
    with pytest.raises(BufferError, match="cannot be exported"):
        buffer.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="copy"):
        buffer.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="viewed"):
        buffer.close()
    del told
    gc.collect()
    buffer.close()


def test_a_consumer_that_is_captured_is_not_waited_for(context, stream):
    buffer = graphcap.Buffer(context, 4)
    with graphcap.capture(stream) as captured:
        buffer.__dlpack__(stream=stream.native)
        buffer.__dlpack__(stream=-1)
        wrapped = graphcap.Buffer.wrap(context, Array(buffer, stream=1), stream=stream)
        stream.fill(wrapped, 1)
    assert [node.kind for node in captured.graph.nodes] == ["memset"]


def test_memory_of_others_becomes_a_buffer(context, stream):
    source = graphcap.Buffer(context, (2, 3), "i4")
    for memory in (Array(source), Array(source, stream=1), Array(source, strides=(12, 4)), source):
        made = graphcap.Buffer.wrap(context, memory, stream=stream)
        assert (made.address, made.shape, made.dtype) == (source.address, (2, 3), "i4")
    with pytest.raises(TypeError, match="strides"):
        graphcap.Buffer.wrap(context, Array(source, strides=(4, 8)))
    with pytest.raises(TypeError, match="read-only"):
        graphcap.Buffer.wrap(context, Array(source, data=(source.address, True)))
    with pytest.raises(TypeError, match="of the host"):
        graphcap.Buffer.wrap(context, graphcap.Buffer(graphcap.Context("host"), 4))
    with pytest.raises(TypeError, match="not object"):
        graphcap.Buffer.wrap(context, object())


def test_a_graph_keeps_memory_of_others(context, stream):
    source = graphcap.Buffer(context, 64)
    with graphcap.capture(stream) as captured:
        stream.fill(graphcap.Buffer.wrap(context, source), 3)
    exec = captured.instantiate()
    captured.graph.close()
    del captured
    gc.collect()
    with pytest.raises(BufferError, match="viewed"):
        source.close()
    exec.replay()
    stream.synchronize()
    assert bytes(source.copy_to_host()) == b"\3" * 64
    exec.close()

    def is_closed():
        context.collect()
        try:
            source.close()
        except BufferError:
            return False
        return True

    assert comes(is_closed)


def test_a_launch_tells_which_argument_is_wrong(context, stream):
    ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing(.param .u64 a, .param .u64 n) { ret; }\n"
    try:
        kernel = graphcap.Module(context, ptx).kernel("nothing", "f4[:]")
    except graphcap.Error:
        pytest.skip("the driver loads no such code")
    buffer = graphcap.Buffer(context, 4, "f4")
    stream.launch(kernel, 1, 1, Array(buffer))
    with pytest.raises(TypeError, match="argument 0 must be a Buffer of f4"):
        stream.launch(kernel, 1, 1, Array(buffer, typestr="<i4"))
    with pytest.raises(TypeError, match="argument 0: memory is a Array with strides"):
        stream.launch(kernel, 1, 1, Array(buffer, strides=(8,)))


def test_a_stream_of_others_is_let_go_of_before_it_is_destroyed(context):
    """The stream of the other library is destroyed with its object; the handle has to go first, also in a cycle."""
    seen = []

    class Owner(Foreign):
        def __del__(self):
            seen.append(graphcap.live_handles())

    for is_cycle in (False, True):
        native = graphcap.Stream(context, non_blocking=True)
        before = graphcap.live_handles()
        wrapped = context.wrap_stream(Owner(native.native))
        assert graphcap.live_handles() == before + 1
        if is_cycle:
            wrapped.itself = wrapped
        del wrapped
        gc.collect()
        assert seen.pop() == before
