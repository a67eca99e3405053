"""Streams and memory of other libraries, as far as no GPU is needed."""

import ctypes
import gc
import weakref

import numpy
import pytest

import graphcap
from graphcap import _native, interop


class Foreign:
    """A stream of another library."""

    def __init__(self, answer):
        self.answer = answer

    def __cuda_stream__(self):
        return self.answer


def test_handles_of_streams():
    assert interop.pointer_of(Foreign((0, 77))) == 77
    assert interop.pointer_of(type("Torch", (), {"cuda_stream": 5})()) == 5
    assert interop.pointer_of(object()) is None
    with pytest.raises(TypeError, match="version 1; 0 is known"):
        interop.pointer_of(Foreign((1, 77)))
    with pytest.raises(TypeError, match="not a version and a handle"):
        interop.pointer_of(Foreign(77))


def test_the_gpu_of_a_stream():
    device = type("Device", (), {"index": 3})()
    assert interop.ordinal_of(type("Torch", (), {"device": device})()) == 3
    assert interop.ordinal_of(type("CuPy", (), {"device_id": 2})()) == 2
    assert interop.ordinal_of(object()) == 0


def test_streams_that_are_none(context, stream):
    assert context.wrap_stream(stream) is stream
    with pytest.raises(TypeError, match="__cuda_stream__, not object"):
        context.wrap_stream(object())
    with pytest.raises(TypeError, match="__cuda_stream__, not int"):
        graphcap.capture(7)
    with pytest.raises(graphcap.NotSupportedError):
        context.wrap_stream(Foreign((0, 77)))
    with pytest.raises(graphcap.NotSupportedError):
        stream.__cuda_stream__()


def test_memory_of_the_host_is_none_of_a_gpu(context):
    buffer = graphcap.Buffer(context, 4)
    assert not hasattr(buffer, "__cuda_array_interface__")
    with pytest.raises(BufferError, match="stream must be None"):
        buffer.__dlpack__(stream=1)


def test_memory_is_imported_by_dlpack():
    numbers = numpy.zeros((3, 4), "i4")
    told = _native.dlpack_of(numbers[:, 1:], None)
    assert (told.address, told.device, told.element) == (numbers.ctypes.data + 4, (1, 0), (0, 32, 1))
    assert (told.shape, told.strides, told.flags) == ([3, 3], [4, 1], 0)
    gone = weakref.ref(numbers)
    del numbers
    gc.collect()
    assert gone() is not None
    del told
    gc.collect()
    assert gone() is None


def test_read_only_memory_tells_it():
    numbers = numpy.arange(3, dtype="f4")
    numbers.flags.writeable = False
    assert _native.dlpack_of(numbers, None).flags & 1


def test_capsules_of_both_kinds_go_round(context):
    buffer = graphcap.Buffer.of(context, numpy.arange(4, dtype="f8"))
    for version in (None, (1, 0)):
        capsule = buffer.__dlpack__(max_version=version)
        holder = type("Holder", (), {"__dlpack__": lambda self, capsule=capsule, **named: capsule})()
        told = _native.dlpack_of(holder, None)
        assert (told.address, told.shape, told.element) == (buffer.address, [4], (2, 64, 1))
        with pytest.raises(TypeError, match="was taken"):
            _native.dlpack_of(holder, None)
        with pytest.raises(BufferError, match="viewed"):
            buffer.close()
        del told, capsule, holder
        gc.collect()
    buffer.close()


def test_an_old_producer_gives_a_capsule_without_version(context):
    buffer = graphcap.Buffer(context, 4)

    class Old:
        def __dlpack__(self, stream=None):
            return buffer.__dlpack__()

    assert _native.dlpack_of(Old(), None).address == buffer.address
    with pytest.raises(TypeError, match="no capsule"):
        _native.dlpack_of(type("Wrong", (), {"__dlpack__": lambda self, **named: 3})(), None)


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64), ("tensor", Tensor),
    ]  # fmt: skip


class Table(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p), ("allocate", ctypes.c_void_p),
        ("export", ctypes.c_void_p), ("imports", ctypes.c_void_p), ("view", ctypes.c_void_p), ("stream", ctypes.c_void_p),
    ]  # fmt: skip


@pytest.mark.parametrize("attribute", ["__dlpack_c_exchange_api__", "__c_dlpack_exchange_api__"])
@pytest.mark.parametrize("major", [1, 2])
def test_the_exchange_table_of_a_type_is_used(attribute, major):
    deleted = []
    shape = (ctypes.c_int64 * 1)(4)
    deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleted.append)
    made = Versioned(1, 3, None, ctypes.cast(deleter, ctypes.c_void_p), 1, Tensor(4096, 2, 1, 1, 2, 32, 1, ctypes.addressof(shape), None, 16))

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
    def export(tensor, out):
        out[0] = ctypes.addressof(made)
        return 0

    old = Table(1, 3, None, None, ctypes.cast(export, ctypes.c_void_p), None, None, None)
    table = old if major == 1 else Table(2, 0, ctypes.addressof(old), None, None, None, None, None)
    if attribute == "__dlpack_c_exchange_api__":
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        name = ctypes.create_string_buffer(b"dlpack_exchange_api")
        told = new(ctypes.addressof(table), name, None)
    else:
        told = ctypes.addressof(table)
    kind = type("Exchanged", (), {attribute: told, "__dlpack__": lambda self, **named: pytest.fail("the table is there")})
    imported = _native.dlpack_of(kind(), -1)
    assert (imported.address, imported.device, imported.shape, imported.strides, imported.flags) == (4112, (2, 1), [4], None, 1)
    assert not deleted
    del imported
    assert deleted == [ctypes.addressof(made)]


def table_of(kind):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Table.from_address(pointer(kind.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


def test_buffers_go_out_and_in_by_their_exchange_table(context):
    buffer = graphcap.Buffer.of(context, numpy.arange(6, dtype="i2").reshape(2, 3))
    table = table_of(graphcap.Buffer)
    assert (table.major, table.minor, table.view) == (1, 3, None)
    imported = _native.dlpack_of(buffer, -1)
    assert (imported.address, imported.device, imported.shape, imported.element) == (buffer.address, (1, 0), [2, 3], (0, 16, 1))
    with pytest.raises(BufferError):
        buffer.close()
    del imported
    export = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))(table.export)
    imports = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))(table.imports)
    managed, made = ctypes.c_void_p(), ctypes.py_object()
    assert export(buffer, managed) == 0
    assert imports(managed, made) == 0
    other = made.value
    made.value = None
    assert (type(other), other.shape, other.dtype, other.address) == (graphcap.Buffer, (2, 3), "i2", buffer.address)
    numpy.asarray(other)[1, 2] = 9
    assert numpy.asarray(buffer)[1, 2] == 9
    with pytest.raises(BufferError):
        buffer.close()
    other.close()
    del other
    gc.collect()
    graphcap.live_handles()
    buffer.close()
    with pytest.raises(BufferError, match="closed"):
        export(buffer, managed)


def test_what_the_exchange_table_cannot_do_is_told():
    table, told = table_of(graphcap.HostBuffer), []
    set_error = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)(lambda _, *texts: told.append(texts))
    allocate = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(table.allocate)
    assert allocate(None, None, None, ctypes.cast(set_error, ctypes.c_void_p)) == -1
    assert told[0][0] == b"NotImplementedError" and b"graphcap.Buffer" in told[0][1]
    stream = ctypes.c_void_p(7)
    assert ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_void_p)(table.stream)(2, 0, ctypes.addressof(stream)) == 0
    assert stream.value is None


def test_what_an_array_interface_tells_is_checked():
    def told(**changed):
        interface = {"shape": (2, 3), "typestr": "<f4", "data": (4096, False), "strides": None, "version": 3, "stream": None} | changed
        array = type("Array", (), {"__cuda_array_interface__": interface})()
        return interop.told_memory(array, None, None)

    assert told()[:3] == (4096, (2, 3), "f4")
    assert told(strides=(12, 4)).shape == (2, 3)
    for changed, text in (
        ({"strides": (4, 8)}, "strides"), ({"strides": (13, 4)}, "strides"), ({"data": (4096, True)}, "read-only"),
        ({"mask": 1}, "mask"), ({"typestr": ">f4"}, "big-endian"), ({"stream": 0}, "stream 0"),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=text):
            told(**changed)
    with pytest.raises(ValueError, match="no bytes"):
        told(shape=(0, 3))
    with pytest.raises(TypeError, match="not object"):
        interop.told_memory(object(), None, None)


def test_optional_packages_are_not_imported():
    import subprocess
    import sys

    code = "import sys, graphcap; print([name for name in ('torch', 'cupy', 'triton', 'numba', 'numpy') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_what_graphs_hold_stays_during_a_capture():
    from graphcap._held import Held, Recording

    class Memory:
        pass

    memory = Memory()
    gone = weakref.ref(memory)
    with Recording():
        assert not gc.isenabled()
        with Recording():
            held = Held(memory)
            del memory, held
        assert gone() is not None
    assert gc.isenabled()
    assert gone() is None
    held = Held(Memory())
    gone = weakref.ref(held.memory)
    del held
    assert gone() is None


def test_what_graphs_hold_stays_during_captures_of_the_package(stream):
    from graphcap._held import Held

    class Memory:
        pass

    def drop():
        held = Held(Memory())
        return weakref.ref(held.memory)

    with graphcap.capture(stream):
        gone = drop()
        assert gone() is not None
    assert gone() is None
    with graphcap.capture(stream) as captured:
        gone = drop()
        captured.abort()
        assert gone() is None


def test_what_graphs_hold_stays_during_captures_elsewhere(monkeypatch):
    from graphcap import _held

    class Memory:
        pass

    captured = [True]
    monkeypatch.setattr(_held, "captures_elsewhere", [lambda: captured[0]])
    held = _held.Held(Memory())
    gone = weakref.ref(held.memory)
    del held
    assert gone() is not None
    with _held.Recording():
        pass
    assert gone() is not None, "a recording within the capture"
    captured[0] = False
    _held.flush()
    assert gone() is None


class Queue:
    """A stream that tells what it is asked to do."""

    context = None

    def __init__(self, native, status="none"):
        self.native, self.status, self.awaited = native, status, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def capture_info(self):
        return self

    def record(self):
        return self.native

    def wait(self, event):
        self.awaited.append(event)


@pytest.mark.parametrize(
    ("consumer", "producer", "status", "awaited"),
    [(9, 7, "none", [7]), (9, None, "none", []), (7, 7, "none", []), (0, 1, "none", []), (9, 7, "active", [])],
)
def test_the_stream_that_writes_an_array(monkeypatch, consumer, producer, status, awaited):
    monkeypatch.setattr(graphcap.Stream, "wrap", lambda _, native: Queue(native))
    stream = Queue(consumer, status)
    interop.wait_for_producer(producer, stream)
    assert stream.awaited == awaited


def test_no_stream_joins_the_capture_of_one_that_writes_its_memory(monkeypatch):
    monkeypatch.setattr(graphcap.Stream, "wrap", lambda _, native: Queue(native, "active"))
    stream = Queue(9)
    with pytest.raises(graphcap.StateError, match="is captured: capture the stream that uses the memory too"):
        interop.wait_for_producer(7, stream)
    assert stream.awaited == []
