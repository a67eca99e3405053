"""Memory, kernels and launches: what goes in, what is refused by name."""

import copy
import ctypes
import gc
import pickle

import numpy
import pytest
from conftest import scale_kernel

import graphcap


@pytest.mark.parametrize("dtype", ["b1", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_numpy_sees_a_buffer_without_a_copy(context, dtype):
    buffer = graphcap.Buffer(context, (2, 3), dtype)
    for array in (numpy.asarray(buffer), numpy.from_dlpack(buffer), buffer.numpy()):
        assert (array.shape, array.dtype) == ((2, 3), numpy.dtype(dtype))
        assert array.ctypes.data == buffer.address
    view = memoryview(buffer)
    assert (view.nbytes, view.shape, view.c_contiguous) == (buffer.nbytes, (2, 3), True)
    del view, array
    gc.collect()
    buffer.close()


def test_views_keep_the_memory_and_refuse_its_end(context):
    buffer = graphcap.Buffer.of(context, numpy.arange(4, dtype="i4"))
    for make in (memoryview, numpy.from_dlpack, lambda memory: memory.__dlpack__(), lambda memory: memory.__dlpack__(max_version=(1, 0))):
        view = make(buffer)
        with pytest.raises(BufferError, match="still viewed"):
            buffer.close()
        del view
        gc.collect()
    array = numpy.from_dlpack(buffer)
    del buffer
    gc.collect()
    assert array.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"stream": 1}, "stream must be None"), ({"dl_device": (2, 0)}, "cannot be exported"), ({"copy": True}, "copy=True")],
)
def test_dlpack_refuses(context, arguments, message):
    with pytest.raises(BufferError, match=message):
        graphcap.Buffer(context, 4).__dlpack__(**arguments)


def test_wrapped_memory(context, stream):
    array = numpy.ones(4, "f4")
    buffer = graphcap.Buffer.wrap(context, array)
    stream.fill(buffer, 0)
    stream.synchronize()
    assert not array.any()
    host = graphcap.HostBuffer.register(context, numpy.arange(4, dtype="f4"))
    stream.copy(buffer, host)
    stream.synchronize()
    assert array.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("memory", "kind", "message"),
    [
        (numpy.zeros(8, "f4")[::2], TypeError, r"memory is a ndarray with strides \(8,\)"),
        (b"abcd", TypeError, "read-only bytes"),
        (numpy.zeros(0, "f4"), ValueError, "no bytes"),
        (numpy.zeros(2, ">f4"), TypeError, "format '>f'"),
        (7, TypeError, "must be a Buffer, a HostBuffer or memory of the host, not int"),
        (numpy.zeros((2, 2), "f4").T[::2], TypeError, "strides"),
    ],
)
def test_memory_that_cannot_be_wrapped(context, memory, kind, message):
    with pytest.raises(kind, match=message):
        graphcap.Buffer.wrap(context, memory)


def test_copies(context, stream):
    one, two = graphcap.Buffer(context, 8), graphcap.Buffer(context, 8)
    host = graphcap.HostBuffer(context, 8)
    host.numpy()[:] = range(8)
    out = bytearray(4)
    stream.copy(one, host)
    stream.copy(two.part(4), one.part(2, 4))
    stream.copy(two.part(0, 4), b"abcd")
    stream.copy(out, two.part(4))
    assert out == bytes([2, 3, 4, 5])
    assert two.copy_to_host().tobytes() == b"abcd\x02\x03\x04\x05"


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda s, b: s.copy(b, b"12345"), ValueError, "to has 4 bytes, and source 5"),
        (lambda s, b: s.copy(b"1234", b), TypeError, "to is a read-only bytes"),
        (lambda s, b: s.copy(b, 3), TypeError, "source must be a Buffer"),
        (lambda s, b: s.copy(b, numpy.zeros(8, "u1")[::2]), TypeError, "source is a ndarray with strides"),
        (lambda s, b: s.fill(b, 256), OverflowError, "value must be from 0 to 255"),
        (lambda s, b: s.fill(b, 0, size=3), ValueError, "size must be 1, 2 or 4"),
        (lambda s, b: b.part(2, 3), ValueError, "not within the buffer"),
        (lambda s, b: b.copy_from(b"12"), ValueError, "data has 2 bytes, and the buffer 4"),
        (lambda s, b: s.call(3), TypeError, "function must be callable, not int"),
        (lambda s, b: s.wait(s), TypeError, "event must be an Event, not Stream"),
        (lambda s, b: graphcap.Buffer(b.context, -1), ValueError, "negative length"),
        (lambda s, b: graphcap.Buffer(b.context, 4, "f3"), TypeError, "dtype must be one of"),
        (lambda s, b: graphcap.Context("gpu"), ValueError, "device must be 'auto', 'cuda' or 'host', not 'gpu'"),
        (lambda s, b: graphcap.Scalar(s, 1.5, "i4"), TypeError, "the scalar is an integer"),
        (lambda s, b: graphcap.Scalar(s, 2**31, "i4"), OverflowError, "out of the range of i4"),
    ],
)
def test_calls_are_refused_by_name(context, stream, call, kind, message):
    with pytest.raises(kind, match=message):
        call(stream, graphcap.Buffer(context, 4))


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ((1,), TypeError, "takes 2 arguments, 1 given"),
        (("x", 1.0), TypeError, "argument 0 must be a Buffer of f4 with 1 dimension, not str"),
        ("host", TypeError, "argument 0 must be a Buffer of f4"),
        ("i4", TypeError, "argument 0 must be a Buffer of f4 with 1 dimension, not Buffer of i4"),
        ("2d", TypeError, r"not Buffer of f4 with shape \[2, 2\]"),
        ("str", TypeError, "argument 1 must be a float, not str"),
        ("f8", TypeError, "argument 1 must be a float, not float64 of 8 bytes|must be a float"),
        ("array", TypeError, "array in host memory"),
        ("closed", ValueError, "argument 0 is a closed Buffer"),
    ],
)
def test_arguments_of_a_launch_are_refused_by_name(context, stream, module, arguments, kind, message):
    buffer = graphcap.Buffer(context, 4, "f4")
    other = graphcap.Buffer(context, 4, "i4")
    square = graphcap.Buffer(context, (2, 2), "f4")
    gone = graphcap.Buffer(context, 4, "f4")
    gone.close()
    given = {
        "host": (numpy.zeros(4, "f4"), 1.0),
        "i4": (other, 1.0), "2d": (square, 1.0), "str": (buffer, "x"), "f8": (buffer, numpy.int32(1)),
        "array": (buffer, numpy.zeros(1, "f4")), "closed": (gone, 1.0),
    }.get(arguments, arguments)  # fmt: skip
    with pytest.raises(kind, match=message):
        stream.launch(module["scale"], 1, 1, *given)


@pytest.mark.parametrize(
    ("grid", "block", "message"), [(0.5, 1, "grid must be an int"), ((1, 1, 1, 1), 1, "grid must be"), (1, -1, "block must be"), ((), 1, "grid")]
)
def test_shapes_of_a_launch(context, stream, module, grid, block, message):
    with pytest.raises(TypeError, match=message):
        stream.launch(module["double_kernel"], grid, block, graphcap.Buffer(context, 4, "f4"))


CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q", "f4": "f", "f8": "d", "b1": "?"}


@pytest.mark.parametrize("dtype", list(CODES))
def test_numbers_arrive(context, stream, dtype):
    seen = []

    @graphcap.host_kernel(dtype)
    def kernel(block, value):
        seen.append(value)

    found = graphcap.Module(context, kernels=[kernel])["kernel"]
    values = [True] if dtype == "b1" else [0.5] if dtype[0] == "f" else [1, int(numpy.iinfo(dtype).min), int(numpy.iinfo(dtype).max)]
    for value in values:
        stream.launch(found, 1, 1, value)
        stream.launch(found, 1, 1, numpy.dtype(dtype).type(value))
    stream.synchronize()
    assert seen == [value for value in values for _ in range(2)]
    if dtype[0] in "iu":
        info = numpy.iinfo(dtype)
        for value in (int(info.min) - 1, int(info.max) + 1):
            with pytest.raises(OverflowError, match="argument 0 is"):
                stream.launch(found, 1, 1, value)


def test_blocks_and_addresses(context, stream):
    seen = []

    @graphcap.host_kernel("f4*, f4[:, :]")
    def kernel(block, address, array):
        seen.append((block.block_index, block.grid_dim, block.block_dim, block.shared_mem_bytes, address, array.shape))
        array += 1

    found = graphcap.Module(context, kernels=[kernel])["kernel"]
    buffer = graphcap.Buffer.of(context, numpy.zeros((2, 3), "f4"))
    stream.launch(found, (2, 2), (8, 4), buffer.part(4), buffer, shared=64)
    stream.synchronize()
    assert len(seen) == 4
    assert {index for index, *_ in seen} == {(x, y, 0) for x in range(2) for y in range(2)}
    assert seen[0][1:] == ((2, 2, 1), (8, 4, 1), 64, buffer.address + 4, (2, 3))
    assert buffer.copy_to_host().tolist() == [[4.0] * 3] * 2


def test_a_kernel_that_raises():
    @graphcap.host_kernel("")
    def kernel(block):
        raise ZeroDivisionError("by nothing")

    with graphcap.Context("host") as context:
        stream = graphcap.Stream(context)
        stream.launch(graphcap.Module(context, kernels=[kernel])["kernel"], 1, 1)
        with pytest.raises(graphcap.CallbackError, match="ZeroDivisionError: by nothing"):
            stream.synchronize()
        context.reset()


def test_a_c_function_by_its_address(context, stream):
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
    seen = []
    code = kind(lambda block, arguments: seen.append(ctypes.c_int32.from_address(ctypes.c_uint64.from_address(arguments).value).value) or 0)
    kernel = graphcap.c_kernel("seen", ctypes.cast(code, ctypes.c_void_p).value, "i4")
    stream.launch(graphcap.Module(context, kernels=[kernel])["seen"], 1, 1, 7)
    stream.synchronize()
    assert seen == [7]


def test_a_kernel_that_numba_compiles(context, stream):
    pytest.importorskip("numba")

    @graphcap.host_kernel("f4[:, :], f4[:], i8, f4", jit=True)
    def axpy(block, out, data, count, factor):
        row = block.block_index[0]
        for place in range(count):
            out[row, place] += factor * data[place]

    kernel = graphcap.Module(context, kernels=[axpy])["axpy"]
    out, data = graphcap.Buffer.of(context, numpy.ones((3, 4), "f4")), graphcap.Buffer.of(context, numpy.arange(4, dtype="f4"))
    with graphcap.capture(stream) as captured:
        stream.launch(kernel, 3, 1, out, data, 4, 0.5)
    exec = captured.instantiate()
    exec.replay()
    exec.replay()
    stream.synchronize()
    assert out.copy_to_host().tolist() == [[1.0, 2.0, 3.0, 4.0]] * 3


def test_a_scalar_changes_between_replays(context, stream):
    @graphcap.host_kernel("f4[:], f4*")
    def kernel(block, data, rate):
        data += ctypes.c_float.from_address(rate).value

    found = graphcap.Module(context, kernels=[kernel])["kernel"]
    data, rate = graphcap.Buffer.of(context, numpy.zeros(2, "f4")), graphcap.Scalar(stream, 1.0)
    with graphcap.capture(stream) as captured:
        stream.launch(found, 1, 1, data, rate)
    exec = captured.instantiate()
    for value in (1.0, 10.0, 100.0):
        rate.update(stream, value)
        exec.replay()
    stream.synchronize()
    assert data.copy_to_host().tolist() == [111.0] * 2


def everything(context, stream):
    buffer = graphcap.Buffer(context, 4)
    with graphcap.capture(stream) as captured:
        stream.fill(buffer, 0)
    script = graphcap.Script(context)
    return [
        context, stream, buffer, graphcap.HostBuffer(context, 4), graphcap.Event(context), graphcap.Module(context, kernels=[scale_kernel]), captured.graph,
        captured.instantiate(), graphcap.Pool(context), graphcap.Scalar(stream, 1.0), script,
        graphcap.GraphCache(context, lambda stream, key: None),
    ]  # fmt: skip


def test_objects_cannot_be_pickled_or_copied(context, stream):
    for made in everything(context, stream):
        for how in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=rf"a graphcap.{type(made).__name__} cannot be pickled or copied"):
                how(made)


def test_handles_go_out_and_come_in(context, stream):
    for made in everything(context, stream):
        same = type(made).from_handle(made.handle)
        assert same.handle == made.handle
        same.close()
        assert not made.closed
        assert type(made).__name__ in repr(made)
        with pytest.raises(graphcap.InvalidHandleError):
            type(made).from_handle(12345)


def test_closed_objects_are_refused(context, stream):
    exec = everything(context, stream)[7]
    event = graphcap.Event(context)
    for made in (exec, event):
        made.close()
        made.close()
        assert made.closed
        assert "closed" in repr(made)
    with pytest.raises(ValueError, match="the graph exec is closed"):
        exec.launch(stream)
    with pytest.raises(ValueError, match="event is closed"):
        stream.wait(event)


def test_pictures(context, stream):
    graph = everything(context, stream)[6]
    graph.name = "<first>"
    assert graph._repr_svg_().startswith("<svg")
    assert "&lt;first&gt;" in graph._repr_svg_()
    assert "<figure>" in graph._repr_html_()
    assert "<table>" in context.memory_report()._repr_html_()
    import xml.etree.ElementTree as tree

    assert len(tree.fromstring(graph._repr_svg_()).findall(".//{http://www.w3.org/2000/svg}rect")) == 1


def test_events_of_a_stream_are_refused_by_name(context, stream):
    event = graphcap.Event(context)
    assert stream.record(event) is event and stream.record(event=event) is event
    assert isinstance(stream.record(), graphcap.Event)
    for call in (stream.record, stream.wait):
        with pytest.raises(TypeError, match=f"{call.__name__}\\(\\): event must be an Event, not int"):
            call(7)
        with pytest.raises(TypeError, match="event must be an Event, not Stream"):
            call(stream)
        with pytest.raises(graphcap.StateError):
            call(event, external=True)

    class Mine(graphcap.Event):
        pass

    mine = stream.record(Mine(context))
    stream.wait(mine)
    event.close()
    for call in (stream.record, stream.wait):
        with pytest.raises(ValueError, match="event is closed"):
            call(event)
