"""The notebooks run."""

import pathlib
import subprocess
import sys

import pytest

import graphcap

NEEDED = {"pytorch_decode_step": ["torch"], "triton_kernel": ["torch", "triton"]}
"""Packages that notebooks need beside a GPU."""
NOTEBOOKS = sorted((pathlib.Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))


def gpus():
    try:
        return graphcap.device_count("cuda")
    except graphcap.Error:
        return 0


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook, tmp_path):
    pytest.importorskip("nbmake")
    for name in NEEDED.get(notebook.stem, []):
        pytest.importorskip(name)
    if notebook.stem in NEEDED and not gpus():
        pytest.skip("there is no GPU")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--nbmake", "--rootdir", tmp_path, "-c", "/dev/null", notebook],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
