"""The parts of programs for GPUs that pages show run. What comes before each is what its page says that the reader has."""

import pathlib
import re
import shutil
import subprocess

import pytest
from gpu import need

import graphcap

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"

CUDA_BEFORE = r"""
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <graphcap.h>
#include <cstdio>

__global__ void my_kernel(float *data) { data[threadIdx.x] += 1; }

static int failed(const char *what) {
    char why[512];
    gc_last_error_message(why, sizeof why, nullptr);
    return std::printf("%s: %s\n", what, why), 1;
}

int main() {
    gc_context *context; gc_stream *stream; gc_graph *graph; gc_graph_exec *exec;
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    options.device_kind = GRAPHCAP_DEVICE_CUDA;
    if (gc_context_create(&options, &context) != GRAPHCAP_SUCCESS) return failed("context");
    const int blocks = 1, threads = 4;
    const float one = 1, none = 0;
    float ones[4] = {1, 1, 1, 1}, result[4], *a, *b, *data;
    cublasHandle_t blas;
    cublasCreate(&blas);
    for (float **one_of : {&a, &b, &data}) cudaMalloc(one_of, sizeof ones), cudaMemcpy(*one_of, ones, sizeof ones, cudaMemcpyHostToDevice);
    /* once before the capture */
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, b, 2, &none, data, 2);
    my_kernel<<<blocks, threads>>>(data);
    cudaMemset(data, 0, sizeof ones);
    cudaDeviceSynchronize();
"""

CUDA_AFTER = r"""
    size_t nodes = 0;
    if (gc_graph_node_count(graph, &nodes) != GRAPHCAP_SUCCESS || nodes < 2) return failed("the capture");
    if (gc_stream_synchronize(stream) != GRAPHCAP_SUCCESS) return failed("the launch");
    cudaMemcpy(result, data, sizeof result, cudaMemcpyDeviceToHost);
    return result[3] == 3 ? 0 : std::printf("%g\n", result[3]);
}
"""


def blocks(page, language, word):
    """The blocks of a page in a language that have a word in them."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", (DOCS / page).read_text(encoding="utf-8"), re.M | re.S)
    return [block for block in found if word in block]


def run(block, **names):
    """The names after a block of Python."""
    exec(compile(block, "a page", "exec"), names)  # noqa: S102
    return names


@pytest.fixture
def torch():
    found = need("torch")[1]
    if not found.cuda.is_available():
        pytest.skip("PyTorch finds no GPU")
    with found.no_grad():
        yield found
    found.cuda.synchronize()


@pytest.fixture
def model(torch):
    return torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()).cuda()


def test_a_function_of_pytorch(torch, model):
    (block,) = blocks("from-pytorch.md", "python", "graphed")
    inputs = [torch.randn(rows, 8, device="cuda") for rows in (4, 2, 4, 2, 4, 2)]
    after = run(block, model=model, inputs=inputs)
    assert torch.equal(after["y"], model(inputs[-1]))
    assert after["step"].stats().hits > 0


@pytest.mark.parametrize("word", ["g.replay()", "captured.instantiate()"], ids=["before", "after"])
def test_a_capture_of_pytorch_by_hand(torch, model, word):
    (block,) = blocks("from-pytorch.md", "python", word)
    static_x, x = torch.zeros(4, 8, device="cuda"), torch.randn(4, 8, device="cuda")
    model(static_x)
    after = run(block, torch=torch, model=model, static_x=static_x, x=x)
    assert torch.equal(after["static_y"], model(x))


def test_the_doctor_of_pytorch(torch, model, capsys):
    (block,) = blocks("troubleshooting.md", "python", "graphcap.torch.doctor(")
    need("torch")

    class Logarithm(torch.nn.Module):
        def forward(self, x):
            return model(x).abs().neg().log()

    logarithm, x = Logarithm(), torch.randn(4, 8, device="cuda")
    logarithm(x)
    run(block, graphcap=graphcap, model=logarithm, x=x)
    line = Logarithm.forward.__code__.co_firstlineno + 1
    told = capsys.readouterr().out.splitlines()
    found = [one for one in told if one.startswith(("error: ", "warning: "))]
    assert len(found) == 1, found
    assert found[0].startswith(f"error: log at test_gpu_pages.py:{line}, node 0x"), found
    assert found[0].endswith(", makes 32 NaNs in float32[4, 8], from finite inputs"), found


def test_cupy():
    cupy = need("cupy")[1]
    (block,) = blocks("python.md", "python", "graphcap.cupy")
    x = cupy.arange(4, dtype="f4")
    assert (x * 2 + 1).sum() == 16
    after = run(block, x=x)
    cupy.cuda.Device().synchronize()
    assert after["y"].tolist() == [1, 3, 5, 7]


def test_cuda_cpp(tmp_path):
    (block,) = blocks("from-cuda.md", "cuda", "gc_stream_wrap")
    if not shutil.which("nvcc") or not graphcap.device_count("cuda"):
        pytest.skip("there is no nvcc, or no GPU")
    for call, arguments in (
        ("cublasSgemm", "blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, b, 2, &none, data, 2"),
        ("my_kernel<<<blocks, threads, 0, theirs>>>", "data"),
    ):
        assert f"{call}(...)" in block
        block = block.replace(f"{call}(...)", f"{call}({arguments})")
    block = block.replace("gc_stream_begin_capture", "cublasSetStream(blas, theirs);\ngc_stream_begin_capture")
    source, program, library = tmp_path / "page.cu", tmp_path / "page", pathlib.Path(graphcap.get_library()).resolve()
    source.write_text(CUDA_BEFORE + block + CUDA_AFTER, encoding="utf-8")
    links = ["-lcublas", "-Xlinker", library, "-Xlinker", f"-rpath={library.parent}"]
    command = ["nvcc", "-std=c++17", "-I", graphcap.get_include(), source, *links, "-o", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "cublas_v2.h: No such file" in done.stderr:
        pytest.skip("cuBLAS has no header here")
    assert done.returncode == 0, done.stderr
    done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout
