"""The programs in Python that the pages show in full run."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import graphcap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "python" / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "tutorial").glob("*.md"))]
LIBRARIES = re.compile(r"^import graphcap\.(torch|cupy|triton|numba)|^(import|from) (torch|cupy|triton|numba|cffi)\b", re.M)
"""Programs that need these are shown for their users, and tested by tests of their own."""


def programs():
    """Blocks of Python that import the package."""
    for page in PAGES:
        blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
        whole = [block for block in blocks if re.search(r"^import graphcap$", block, re.M) and not LIBRARIES.search(block)]
        for number, block in enumerate(whole, 1):
            yield pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")


@pytest.mark.parametrize("program", list(programs()))
def test_a_program_runs(program, tmp_path):
    script = tmp_path / "program.py"
    script.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "-X", "dev", script], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "tutorial").glob("*.md")), ids=lambda page: page.stem)
def test_a_step_of_the_tutorial_has_a_program(page):
    assert re.search(r"^```python\n(?:(?!^```).*\n)*import graphcap$", page.read_text(encoding="utf-8"), re.M)


CUDA = """
#include <graphcap.h>
using cudaStream_t = struct CUstream_st *;
constexpr unsigned cudaStreamNonBlocking = 1;
int cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
void cublasSgemm(cudaStream_t), my_kernel(cudaStream_t);
void part(gc_context *context, gc_stream *stream, gc_graph *graph, gc_graph_exec *exec) {
"""


def test_the_part_in_cuda_cpp_compiles(tmp_path):
    """By a compiler of C++, beside declarations of what it uses of CUDA. test_gpu_pages.py runs it."""
    compiler = shutil.which("c++") or pytest.skip("there is no compiler of C++")
    (block,) = re.findall(r"^```cuda\n(.*?)^```$", (ROOT / "docs" / "from-cuda.md").read_text(encoding="utf-8"), re.M | re.S)
    source = tmp_path / "part.cpp"
    source.write_text(CUDA + re.sub(r"(<<<.*>>>)?\(\.\.\.\)", "(theirs)", block) + "}\n", encoding="utf-8")
    command = [compiler, "-std=c++17", "-fsyntax-only", "-Wno-unused-result", "-I", graphcap.get_include(), source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
