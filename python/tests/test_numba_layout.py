"""Parameters of arrays of numba-cuda's kernels. They need neither numba-cuda nor a GPU."""

import numpy
import pytest

import graphcap
import graphcap.numba


def array(**changed):
    memory = numpy.arange(12, dtype="f4")
    interface = {"shape": (3, 4), "typestr": "<f4", "data": (memory.ctypes.data, False), "strides": None, "version": 3, "stream": None} | changed
    return type("Array", (), {"__cuda_array_interface__": interface, "memory": memory})()


def test_parameters_of_an_array(stream):
    given = array()
    *first, memory, rows, columns, far, near = graphcap.numba._array(stream, set(), 0, given)
    assert first == [0, 0, 12, 4] and (rows, columns, far, near) == (3, 4, 16, 4)
    assert memory.buffer.address + memory.offset == given.memory.ctypes.data


@pytest.mark.parametrize(("changed", "told"), [({"data": (64, True)}, "read-only"), ({"mask": 1}, "mask"), ({"stream": 0}, "stream 0")])
def test_what_a_buffer_cannot_have_is_refused(stream, changed, told):
    with pytest.raises(TypeError, match=f"argument 2: .*{told}"):
        graphcap.numba._array(stream, set(), 2, array(**changed))


class Function:
    """A kernel that takes two arrays."""

    def typeof_pyval(self, argument):
        return type("Kind", (), {"layout": "C", "ndim": 2})()

    def compile(self, kinds):
        return type("Built", (), {"argument_types": kinds})()


def test_the_launch_waits_once_for_each_stream_that_writes_arrays(stream, monkeypatch):
    waited = []
    monkeypatch.setattr(graphcap.numba, "wait_for_producer", lambda producer, of: waited.append((producer, of)))
    monkeypatch.setattr(graphcap.numba._loaded, "kernel", lambda *_: None)
    monkeypatch.setattr(type(stream), "launch", lambda *_, **__: None)
    graphcap.numba.launch(stream, Function(), 1, 1, array(stream=7), array(stream=7))
    assert waited == [(7, stream)]
