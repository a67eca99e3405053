"""CuPy's work in graphs, bit-equal to eager."""

import gc

import pytest
from gpu import need

import graphcap

gcp, cupy = need("cupy")


def work(x):
    return cupy.tanh(x * 2 + 1).sum(axis=0) * x


def test_a_capture_with_memory_of_a_pool():
    x = cupy.random.random((64, 64), dtype="f4")
    work(x)
    side = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.Device().synchronize()
    with gcp.capture(side) as captured:
        y = work(x)
    exec = captured.instantiate()
    for _ in range(4):
        x[:] = cupy.random.random((64, 64), dtype="f4")
        filler = [cupy.full(1 << power, cupy.nan, "f4") for power in range(6, 20)]
        cupy.cuda.Device().synchronize()
        exec.replay()
        cupy.cuda.Device().synchronize()
        assert (y == work(x)).all()
        assert all(cupy.isnan(part).all() for part in filler)
    del y, captured
    gc.collect()
    exec.replay()
    side.synchronize()


def test_an_exception_discards_the_capture():
    x = cupy.ones(4, "f4")
    x + 1
    with pytest.raises(ZeroDivisionError), gcp.capture() as captured:
        x + 1
        1 / 0
    assert not captured.stream.is_capturing
    assert float((x + 1).sum()) == 8


def test_a_pool_is_given():
    pool = graphcap.Pool(graphcap.Context("cuda"))
    x = cupy.ones(1000, "f4")
    x + 1
    with gcp.capture(pool=pool) as captured:
        y = x + 1
    assert pool.memory().used >= 4000
    captured.instantiate().replay()
    captured.stream.synchronize()
    assert float(y.sum()) == 2000


def test_memory_of_a_pool_outside_of_captures():
    allocator = gcp.Allocator(graphcap.Pool(graphcap.Context("cuda")))
    with cupy.cuda.using_allocator(allocator.malloc):
        x = cupy.ones(1000, "f4")
    assert float(x.sum()) == 1000
    assert allocator._buffers
    del x
    gc.collect()
    assert not allocator._buffers


def test_streams_and_arrays_both_ways():
    side = cupy.cuda.Stream(non_blocking=True)
    ours = gcp.stream(side)
    assert ours.native == side.ptr
    context = graphcap.Context("cuda")
    buffer = graphcap.Buffer(context, 4, "f4")
    for view in (cupy.asarray(buffer), cupy.from_dlpack(buffer)):
        view.fill(5)
        cupy.cuda.Device().synchronize()
        assert buffer.copy_to_host().tolist() == [5] * 4
        assert view.data.ptr == buffer.address
    x = cupy.arange(4, dtype="f8")
    wrapped = graphcap.Buffer.wrap(context, x, stream=ours)
    assert (wrapped.address, wrapped.dtype) == (x.data.ptr, "f8")
    with pytest.raises(TypeError, match="strides"):
        graphcap.Buffer.wrap(context, x[::2])
    with pytest.raises(TypeError, match=r"cupy\.cuda\.Stream"):
        gcp.capture(object())
    with pytest.raises(ValueError, match="default stream"):
        gcp.capture(cupy.cuda.Stream.null)
