"""Parameters of Triton's tensor descriptors, and kernels by contexts. They need neither Triton nor a GPU."""

import gc

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
    shape, strides, padding = [6, 8], [8, 1], "nan"

    def __init__(self):
        self.base = Tensor(48)


class Driver:
    def __init__(self, code=0):
        self.code, self.calls = code, []

    def cuTensorMapEncodeTiled(self, room, kind, rank, address, lengths, steps, box, distances, *rest):  # noqa: N802
        self.calls.append((kind, rank, address.value, list(lengths), list(steps)[: rank - 1], list(box), list(distances), rest))
        return self.code


META = {"swizzle": 3, "elem_size": 4, "elem_type": 9, "block_size": [2, 4], "fp4_padded": False}


def test_a_descriptor_with_a_tensor_map(context, stream, monkeypatch):
    driver = Driver()
    monkeypatch.setattr(graphcap.triton, "_driver", lambda: driver)
    given = Descriptor()
    made = graphcap.triton._descriptor(stream, context, given, META)
    assert len(made[0]) == 128 and made[1:] == [6, 8, 8, 1]
    assert driver.calls == [(8, 2, given.base.data_ptr(), [8, 6], [32], [4, 2], [1, 1], (0, 3, 2, 1))]
    graphcap.triton._descriptor(stream, context, given, META | {"fp4_padded": True})
    assert driver.calls[1][3] == [16, 6]
    driver.code = 1
    with pytest.raises(ValueError, match=r"no tensor map of a descriptor of shape \(6, 8\)"):
        graphcap.triton._descriptor(stream, context, given, META)
    with pytest.raises(TypeError, match="im2col"):
        graphcap.triton._descriptor(stream, context, given, META | {"is_im2col": True})


def test_a_descriptor_without_a_tensor_map(context, stream):
    given = Descriptor()
    address, *rest = graphcap.triton._descriptor(stream, context, given, None)
    assert address is given.base and rest == [6, 8, 8, 1, 1, 6, 8, 8, 1]
    given.round_f32_to_tf32 = False
    assert graphcap.triton._descriptor(stream, context, given, None)[1:] == [6, 8, 8, 1, 1, 0, 6, 8, 8, 1]


def test_a_capture_keeps_the_tensor_of_a_tensor_map(context, stream, monkeypatch):
    monkeypatch.setattr(graphcap.triton, "_driver", Driver)
    gone = []

    class Watched(Tensor):
        def __del__(self):
            gone.append(True)

    given = Descriptor()
    given.base = Watched(48)
    with graphcap.capture(stream) as captured:
        graphcap.triton._descriptor(stream, context, given, META)
    del given
    gc.collect()
    assert not gone
    captured.graph.close()
    del captured
    gc.collect()
    graphcap.live_handles()
    assert gone


def test_kernels_are_loaded_once_for_each_stream_of_ours_and_once_for_those_of_others():
    loaded, loads = Loaded(), []

    def launch(stream):
        return loaded.kernel(stream, "key", lambda: loads.append(1) or ("module", len(loads)))

    def foreign(is_common):
        made = graphcap.stream.ForeignStream.__new__(graphcap.stream.ForeignStream)
        made.has_common_context = is_common
        return made

    others = [foreign(is_common) for is_common in (True, True, False)]
    assert [launch(stream) for stream in others + others] == [1, 1, 2, 1, 1, 2]
    loads.clear()
    loaded = Loaded()

    with graphcap.Context("host") as first, graphcap.Context("host") as second:
        streams = [graphcap.Stream(first), graphcap.Stream(second)]
        assert [launch(stream) for stream in streams + streams] == [1, 2, 1, 2]
