"""mypy and pyright find nothing in the package, and know the types of what programs get."""

import os
import pathlib
import subprocess
import sys

import pytest

import graphcap

PYTHON = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = """
import graphcap
from typing import assert_type

context = graphcap.Context("host")
stream = graphcap.Stream(context)
with graphcap.capture(stream) as captured:
    stream.fill(graphcap.Buffer(context, 4), 0)
assert_type(captured, graphcap.Capture)
assert_type(captured.graph, graphcap.Graph)
assert_type(captured.graph.instantiate(), graphcap.GraphExec)
assert_type(graphcap.raw.gc_graph_get_nodes(captured.graph), list[int])
"""


def test_mypy_strict(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    for arguments in (["-p", "graphcap"], [str(program)]):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *arguments],
            capture_output=True, text=True, check=False, cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout


@pytest.mark.skipif("GRAPHCAP_PYRIGHT" not in os.environ, reason="pyright downloads Node.js; GRAPHCAP_PYRIGHT=1 runs it")
def test_pyright_strict():
    pytest.importorskip("pyright")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "-p", PYTHON / "pyproject.toml", "--pythonpath", sys.executable],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_package_says_that_it_is_typed():
    assert (pathlib.Path(graphcap.__file__).parent / "py.typed").is_file()
