"""Triton's kernels as nodes."""

import gc
import threading

import pytest
from gpu import need

import graphcap

gtt, triton = need("triton")
torch = pytest.importorskip("torch")
import triton.language as tl  # noqa: E402


@triton.jit
def add_kernel(x, y, out, count, factor, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = place < count
    tl.store(out + place, tl.load(x + place, mask=mask) + factor * tl.load(y + place, mask=mask), mask=mask)


@triton.jit
def matmul_kernel(a, b, c, N: tl.constexpr):
    rows, columns = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    tl.store(c + rows * N + columns, tl.dot(tl.load(a + rows * N + columns), tl.load(b + rows * N + columns)))


def test_a_launch_is_tritons_bit_for_bit():
    side = torch.cuda.Stream()
    for count, factor in ((1000, 2.0), (1, 0.5), (1024, 1.0), (999, 3.0)):
        x, y = torch.randn(count + 1, device="cuda")[1:], torch.randn(count, device="cuda")
        out, expected = torch.zeros(count, device="cuda"), torch.zeros(count, device="cuda")
        grid = (triton.cdiv(count, 256),)
        add_kernel[grid](x, y, expected, count, factor, BLOCK=256)
        torch.cuda.synchronize()
        with graphcap.capture(side) as captured:
            gtt.launch(side, add_kernel, lambda told: (triton.cdiv(told["count"], told["BLOCK"]),), x, y, out, count, factor, BLOCK=256)
        assert captured.graph.nodes[0].kernel_name == "add_kernel"
        exec = captured.instantiate()
        assert not out.any()
        exec.replay()
        torch.cuda.synchronize()
        assert torch.equal(out, expected)


def test_shared_memory_and_warps():
    a, b = torch.randn(64, 64, device="cuda", dtype=torch.float16), torch.randn(64, 64, device="cuda", dtype=torch.float16)
    out, expected = torch.zeros(64, 64, device="cuda"), torch.zeros(64, 64, device="cuda")
    matmul_kernel[(1,)](a, b, expected, N=64, num_warps=8)
    torch.cuda.synchronize()
    with graphcap.Stream(graphcap.Context("cuda")) as stream:
        gtt.launch(stream, matmul_kernel, 1, a, b, out, N=64, num_warps=8)
        stream.synchronize()
    assert torch.equal(out, expected)


def test_streams_of_several_contexts():
    x, y, out = (torch.ones(256, device="cuda") for _ in range(3))
    torch.cuda.synchronize()
    for _ in range(2):
        with graphcap.Stream(graphcap.Context("cuda")) as stream:
            gtt.launch(stream, add_kernel, 1, x, y, out, 256, 2.0, BLOCK=256)
            stream.synchronize()
    assert (out == 3).all()


@triton.jit
def tile_kernel(source, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    out.store([row, column], source.load([row, column]) * 3)


@pytest.mark.parametrize("kind", ["float32", "float16", "bfloat16"])
def test_tensor_descriptors(kind):
    descriptor = pytest.importorskip("triton.tools.tensor_descriptor").TensorDescriptor
    source = torch.randn(100, 72, device="cuda").to(getattr(torch, kind))
    out, expected = torch.zeros_like(source), torch.zeros_like(source)
    arguments = {"ROWS": 32, "COLUMNS": 16, "num_warps": 4}

    def described(tensor):
        return descriptor.from_tensor(tensor, [32, 16])

    tile_kernel[(4, 5)](described(source), described(expected), **arguments)
    torch.cuda.synchronize()
    side = torch.cuda.Stream()
    with graphcap.capture(side) as captured:
        gtt.launch(side, tile_kernel, (4, 5), described(source), described(out), **arguments)
    exec = captured.instantiate()
    assert [node.kernel_name for node in captured.graph.nodes] == ["tile_kernel"] and not out.any()
    address = source.data_ptr()
    del source
    gc.collect()
    taken = [torch.full((100, 72), float("nan"), device="cuda", dtype=out.dtype) for _ in range(20)]
    assert address not in [part.data_ptr() for part in taken], "the graph keeps the tensor"
    exec.replay()
    torch.cuda.synchronize()
    assert torch.equal(out, expected) and out.any()


def test_tensor_descriptors_in_a_thread_that_has_used_no_gpu():
    descriptor = pytest.importorskip("triton.tools.tensor_descriptor").TensorDescriptor
    source, out = torch.randn(64, 32, device="cuda"), torch.zeros(64, 32, device="cuda")
    torch.cuda.synchronize()
    side, context, told = torch.cuda.Stream(), graphcap.Context("cuda"), []
    meta = {"swizzle": 0, "elem_size": 4, "elem_type": 7, "block_size": [32, 16], "fp4_padded": False}

    def launch():
        try:
            told.append(len(gtt._tensor_map(context, descriptor.from_tensor(source, [32, 16]), meta)))
            given = [descriptor.from_tensor(tensor, [32, 16]) for tensor in (source, out)]
            gtt.launch(side, tile_kernel, (2, 2), *given, ROWS=32, COLUMNS=16)
        except BaseException as failed:
            told.append(failed)

    thread = threading.Thread(target=launch)
    thread.start()
    thread.join()
    assert told == [128]
    torch.cuda.synchronize()
    assert torch.equal(out, source * 3)


def test_kernels_are_loaded_anew_after_a_reset():
    x, out = torch.ones(256, device="cuda"), torch.zeros(256, device="cuda")
    torch.cuda.synchronize()
    for _ in range(2):
        gtt.launch(torch.cuda.Stream(), add_kernel, 1, x, x, out, 256, 2.0, BLOCK=256)
        torch.cuda.synchronize()
        assert (out == 3).all()
        out.zero_()
        torch.cuda.synchronize()
        graphcap.interop.context_of(0).reset()


def test_what_is_refused():
    x = torch.ones(4, device="cuda")
    side = torch.cuda.Stream()
    with pytest.raises(TypeError):
        gtt.launch(side, add_kernel, 1, x, x, x, BLOCK=256)


class Metadata:
    name, num_ctas, cluster_dims, launch_cooperative_grid, profile_scratch_size, global_scratch_size = "k", 1, (1, 1, 1), False, 0, 64


class Built:
    metadata = Metadata


def test_scratch_memory_is_refused_unless_given():
    context = graphcap.Context("cuda")
    with pytest.raises(ValueError, match="needs 256 bytes of scratch"):
        gtt._scratch(Built, (4, 1), None)
    with pytest.raises(ValueError, match="has 8"):
        gtt._scratch(Built, (4, 1), graphcap.Buffer(context, 8))
    given = graphcap.Buffer(context, 256)
    assert gtt._scratch(Built, (4, 1), given) is given


@pytest.mark.parametrize(("name", "value"), [("num_ctas", 2), ("cluster_dims", (2, 1, 1)), ("launch_cooperative_grid", True), ("profile_scratch_size", 8)])
def test_clusters_and_cooperative_launches_are_refused(name, value):
    built = type("Built", (), {"metadata": type("Metadata", (Metadata,), {name: value})})
    with pytest.raises(graphcap.NotSupportedError, match="launch it by Triton"):
        gtt._check(built)
