"""Kernels of numba-cuda in graphs, bit-equal to eager."""

import warnings

import numpy as np
import pytest
from gpu import need

import graphcap

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of NumPy's, about Numba
    try:
        gn, _numba = need("numba")
        from numba import cuda
    except ImportError as failed:
        pytest.skip(f"numba-cuda is not there: {failed}", allow_module_level=True)
if not cuda.is_available():
    pytest.skip("Numba finds no GPU", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore")  # of Numba's, about small grids


@cuda.jit
def scaled_sum(x, y, factor, out):
    place = cuda.grid(1)
    if place < out.size:
        out[place] = x[place] * factor + y[place]


@cuda.jit
def turned(a, out):
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = a[column, row] * 3


@cuda.jit
def mixed(pair, z, flag, small, out):
    if cuda.grid(1) == 0:
        out[0] = pair[0] + pair[1] + (z * z).imag + (1 if flag else 2) + small


@cuda.jit
def summed(data, out):
    shared = cuda.shared.array(0, np.float32)
    place = cuda.threadIdx.x
    shared[place] = data[place]
    cuda.syncthreads()
    if place == 0:
        total = np.float32(0)
        for index in range(data.size):
            total += shared[index]
        out[0] = total


@pytest.fixture
def context():
    return graphcap.Context("cuda")


@pytest.fixture
def stream(context):
    with graphcap.Stream(context, non_blocking=True) as made:
        yield made
        made.synchronize()


def random(*shape):
    return np.random.default_rng(7).standard_normal(shape).astype("f4")


def test_numbas_own_launch_on_a_captured_stream_is_recorded(stream):
    x, y = cuda.to_device(random(1000)), cuda.to_device(random(1000))
    out, expected = cuda.to_device(np.zeros(1000, "f4")), cuda.to_device(np.zeros(1000, "f4"))
    scaled_sum[4, 256](x, y, np.float32(1.5), expected)
    cuda.synchronize()
    with graphcap.capture(stream) as captured:
        scaled_sum[4, 256, cuda.external_stream(stream.native)](x, y, np.float32(1.5), out)
    assert [node.kind for node in captured.graph.nodes] == ["kernel"]
    assert not out.copy_to_host().any()
    captured.instantiate().replay()
    stream.synchronize()
    assert out.copy_to_host().tobytes() == expected.copy_to_host().tobytes()


def test_a_stream_of_numbas_is_captured():
    side = cuda.stream()
    x = cuda.to_device(random(64))
    out, expected = cuda.to_device(np.zeros(64, "f4")), cuda.to_device(np.zeros(64, "f4"))
    scaled_sum[1, 64](x, x, np.float32(2), expected)
    cuda.synchronize()
    with graphcap.capture(side) as captured:
        scaled_sum[1, 64, side](x, x, np.float32(2), out)
        scaled_sum[1, 64, side](out, x, np.float32(2), out)
    scaled_sum[1, 64](expected, x, np.float32(2), expected)
    captured.instantiate().replay()
    side.synchronize()
    assert out.copy_to_host().tobytes() == expected.copy_to_host().tobytes()


def test_a_launch_of_ours_is_numbas_bit_for_bit(context, stream):
    for count, factor in ((1000, np.float32(1.5)), (1, np.float64(0.1)), (77, 3)):
        x, y = graphcap.Buffer.of(context, random(count)), cuda.to_device(random(count))
        out, expected = graphcap.Buffer.of(context, np.zeros(count, "f4")), cuda.to_device(np.zeros(count, "f4"))
        scaled_sum[4, 256](y, y, factor, expected)
        cuda.synchronize()
        with graphcap.capture(stream) as captured:
            gn.launch(stream, scaled_sum, 4, 256, x, y, factor, out)
        assert "scaled_sum" in captured.graph.nodes[0].kernel_name
        captured.instantiate().replay()
        stream.synchronize()
        assert out.copy_to_host().tobytes() == expected.copy_to_host().tobytes()


def test_strides_tuples_and_other_numbers(context, stream):
    a = cuda.to_device(random(8, 6))
    for view in (a, a[::2, :], a[1:, 2:], a.T):
        shape = view.shape[::-1]
        out, expected = graphcap.Buffer(context, shape, "f4"), cuda.to_device(np.zeros(shape, "f4"))
        turned[(1, 1), (8, 8)](view, expected)
        cuda.synchronize()
        gn.launch(stream, turned, (1, 1), (8, 8), view, out)
        stream.synchronize()
        assert out.copy_to_host().tobytes() == expected.copy_to_host().tobytes()
    arguments = ((1.5, 2), 1 + 2j, True, np.int8(-3))
    out, expected = graphcap.Buffer(context, 1, "f8"), cuda.to_device(np.zeros(1, "f8"))
    mixed[1, 1](*arguments, expected)
    cuda.synchronize()
    gn.launch(stream, mixed, 1, 1, *arguments, out)
    stream.synchronize()
    assert out.copy_to_host().tobytes() == expected.copy_to_host().tobytes()


def test_dynamic_shared_memory(context, stream):
    data = graphcap.Buffer.of(context, random(128))
    out, expected = graphcap.Buffer(context, 1, "f4"), cuda.to_device(np.zeros(1, "f4"))
    summed[1, 128, 0, 512](data, expected)
    cuda.synchronize()
    gn.launch(stream, summed, 1, 128, data, out, shared=512)
    stream.synchronize()
    assert out.copy_to_host().tobytes() == expected.copy_to_host().tobytes()


def test_a_graph_keeps_what_a_kernel_uses(stream):
    x, out = cuda.to_device(random(64)), cuda.to_device(np.zeros(64, "f4"))
    twice = x.copy_to_host() * np.float32(2)
    with graphcap.capture(stream) as captured:
        gn.launch(stream, scaled_sum, 1, 64, x, x, np.float32(1), out)
    exec = captured.instantiate()
    del x
    taken = [cuda.to_device(np.full(64, np.nan, "f4")) for _ in range(50)]
    exec.replay()
    stream.synchronize()
    assert out.copy_to_host().tobytes() == twice.tobytes()
    assert all(np.isnan(part.copy_to_host()).all() for part in taken)


class Array:
    """Memory of another one, which tells what is changed."""

    def __init__(self, of, **changed):
        self.of, self.__cuda_array_interface__ = of, of.__cuda_array_interface__ | changed


def test_a_launch_waits_for_the_stream_that_writes_an_array(context, stream):
    with graphcap.Stream(context, non_blocking=True) as writes:
        gate = graphcap.Scalar(writes, 0, "u4")
        writes.synchronize()
        x, out = graphcap.Buffer.of(context, np.zeros(4, "f4")), graphcap.Buffer.of(context, np.zeros(4, "f4"))
        gn.launch(stream, scaled_sum, 1, 4, x, x, np.float32(1), out)
        stream.synchronize()
        writes.wait_value(gate.part, 1)
        writes.fill(x, 0x3F800000, size=4)
        gn.launch(stream, scaled_sum, 1, 4, Array(x, stream=writes.native), x, np.float32(1), out)
        assert not stream.is_complete()
        with graphcap.Stream(context, non_blocking=True) as opens:
            opens.write_value(gate.part, 1)
            stream.synchronize()
    assert out.copy_to_host().tolist() == [2.0] * 4


def test_kernels_are_loaded_anew_after_a_reset():
    x, out = cuda.to_device(random(64)), cuda.to_device(np.zeros(64, "f4"))
    for _ in range(2):
        side = cuda.stream()
        gn.launch(side, scaled_sum, 1, 64, x, x, np.float32(1), out)
        side.synchronize()
        assert out.copy_to_host().tobytes() == (x.copy_to_host() * np.float32(2)).tobytes()
        out.copy_to_device(np.zeros(64, "f4"))
        graphcap.interop.context_of(0).reset()


def test_what_is_refused(context, stream):
    out = graphcap.Buffer(context, 4, "f4")
    with pytest.raises(TypeError, match="argument 0 is a ndarray, and no memory of the GPU"):
        gn.launch(stream, scaled_sum, 1, 4, np.zeros(4, "f4"), out, 1.0, out)
    with pytest.raises(TypeError):
        gn.launch(stream, scaled_sum, 1, 4, out, out, out)
    with pytest.raises(TypeError, match="argument 1: memory is a read-only Array"):
        gn.launch(stream, scaled_sum, 1, 4, out, Array(out, data=(out.address, True)), 1.0, out)

    @cuda.jit(debug=True, opt=False)
    def debugged(data):
        data[0] = 1

    with pytest.raises(graphcap.NotSupportedError, match="launch it by numba-cuda"):
        gn.launch(stream, debugged, 1, 1, out)
