"""Parameters of Triton's tensor descriptors, and kernels by contexts. They need neither Triton nor a GPU."""

import ctypes
import gc
import weakref

import numpy
import pytest

import graphcap
import graphcap.triton
from graphcap._loaded import Loaded


class Tensor:
    def __init__(self, length):
        self.memory = numpy.zeros(length, "f4")

    def data_ptr(self):
        return self.memory.ctypes.data


class Descriptor:
    """As of Triton 3.4."""

    shape, strides = [6, 8], [8, 1]

    def __init__(self):
        self.base = Tensor(48)


class Padded(Descriptor):
    padding = "nan"


class Gpu:
    native = 7


class Driver:
    """It sets all bits of a tensor map."""

    def __init__(self, code=0, version=13000):
        self.code, self.version, self.calls, self.current = code, version, [], []

    def cuCtxPushCurrent_v2(self, context):  # noqa: N802
        self.current.append(context.value)
        return 0

    def cuCtxPopCurrent_v2(self, context):  # noqa: N802
        self.current.pop()

    def cuDriverGetVersion(self, version):  # noqa: N802
        version._obj.value = self.version

    def cuTensorMapEncodeTiled(self, room, kind, rank, address, lengths, steps, box, distances, *rest):  # noqa: N802
        assert self.current == [Gpu.native]
        self.calls.append((kind, rank, address.value, list(lengths), list(steps)[: rank - 1], list(box), list(distances), rest))
        ctypes.memset(ctypes.cast(room, ctypes.c_void_p), 255, 128)
        return self.code


META = {"swizzle": 3, "elem_size": 4, "elem_type": 9, "block_size": [2, 4], "fp4_padded": False}


def test_a_descriptor_with_a_tensor_map(stream, monkeypatch):
    driver = Driver()
    monkeypatch.setattr(graphcap.triton, "_driver", lambda: driver)
    given = Padded()
    made = graphcap.triton._descriptor(stream, Gpu, given, META)
    assert len(made[0]) == 128 and made[1:] == [6, 8, 8, 1]
    assert driver.calls == [(8, 2, given.base.data_ptr(), [8, 6], [32], [4, 2], [1, 1], (0, 3, 2, 1))]
    graphcap.triton._descriptor(stream, Gpu, given, META | {"fp4_padded": True})
    assert driver.calls[1][3] == [16, 6]
    graphcap.triton._descriptor(stream, Gpu, Descriptor(), META)
    assert driver.calls[2][-1] == (0, 3, 2, 0)
    driver.code = 1
    with pytest.raises(ValueError, match=r"no tensor map of a descriptor of shape \(6, 8\)"):
        graphcap.triton._descriptor(stream, Gpu, given, META)
    with pytest.raises(TypeError, match="im2col"):
        graphcap.triton._descriptor(stream, Gpu, given, META | {"is_im2col": True})
    with pytest.raises(KeyError, match="block_size"):
        graphcap.triton._tensor_map(Gpu, given, {name: value for name, value in META.items() if name != "block_size"})
    assert driver.current == []


@pytest.mark.parametrize(("version", "rows", "is_clear"), [(13000, 6, True), (13020, 6, True), (13030, 6, False), (13000, 4096, False)])
def test_a_bit_that_drivers_set_wrongly_is_cleared(stream, monkeypatch, version, rows, is_clear):
    driver = Driver(version=version)
    monkeypatch.setattr(graphcap.triton, "_driver", lambda: driver)
    given = Descriptor()
    given.shape = [rows, 8]
    made = int.from_bytes(graphcap.triton._descriptor(stream, Gpu, given, META)[0], "little")
    assert made == (1 << 1024) - 1 - (is_clear << 85)


def test_a_descriptor_without_a_tensor_map(context, stream):
    given = Descriptor()
    address, *rest = graphcap.triton._descriptor(stream, context, given, None)
    assert address is given.base and rest == [6, 8, 8, 1, 6, 8, 8, 1]
    assert graphcap.triton._descriptor(stream, context, Padded(), None)[1:] == [6, 8, 8, 1, 1, 6, 8, 8, 1]
    given = Padded()
    given.padding, given.round_f32_to_tf32 = "zero", True
    assert graphcap.triton._descriptor(stream, context, given, None)[1:] == [6, 8, 8, 1, 0, 1, 6, 8, 8, 1]


def test_a_capture_keeps_the_tensor_of_a_tensor_map(stream, monkeypatch):
    monkeypatch.setattr(graphcap.triton, "_driver", Driver)
    gone = []

    class Watched(Tensor):
        def __del__(self):
            gone.append(True)

    given = Descriptor()
    given.base = Watched(48)
    with graphcap.capture(stream) as captured:
        graphcap.triton._descriptor(stream, Gpu, given, META)
    del given
    gc.collect()
    assert not gone
    captured.graph.close()
    del captured
    gc.collect()
    graphcap.live_handles()
    assert gone


def foreign(common):
    made = graphcap.stream.ForeignStream.__new__(graphcap.stream.ForeignStream)
    made.common_context = common
    return made


def test_kernels_are_loaded_once_for_each_stream_of_ours_and_once_for_those_of_others(context):
    loaded, loads = Loaded(), []

    def launch(stream, of):
        return loaded.kernel(stream, of, "key", lambda: loads.append(1) or ("module", len(loads)))

    others = [foreign(common) for common in (context, context, None)]
    assert [launch(stream, context) for stream in others + others] == [1, 1, 2, 1, 1, 2]
    loads.clear()
    loaded = Loaded()

    with graphcap.Context("host") as first, graphcap.Context("host") as second:
        streams = [(graphcap.Stream(of), of) for of in (first, second)]
        assert [launch(*given) for given in streams + streams] == [1, 2, 1, 2]


def test_a_reset_loads_kernels_anew_and_lets_the_old_ones_go(context):
    loaded = Loaded()

    class Loadable:
        pass

    def launch():
        return loaded.kernel(foreign(context), context, "key", lambda: ("module", Loadable()))

    old = weakref.ref(launch())
    assert launch() is old()
    context.reset()
    new = launch()
    gc.collect()
    assert old() is None and launch() is new
