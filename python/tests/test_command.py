"""python -m graphcap."""

import os
import pathlib
import subprocess
import sys

import pytest

import graphcap


def run(*arguments, stdout=subprocess.PIPE):
    command = [sys.executable, "-m", "graphcap", *map(str, arguments)]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)


@pytest.fixture
def files(context, stream, tmp_path):
    buffer = graphcap.Buffer(context, 4)
    paths = []
    for count in (1, 2):
        with graphcap.capture(stream) as captured:
            for _ in range(count):
                stream.fill(buffer, 7)
        paths.append(tmp_path / f"{count}.json")
        paths[-1].write_text(captured.graph.json(), encoding="utf-8")
    return paths


def test_info():
    told = run("info")
    assert told.returncode == 0
    for text in ("libgraphcap 0.1.0", graphcap.get_library(), "host: graphcap host device", "device 'auto'"):
        assert text in told.stdout


def test_draw(files, tmp_path):
    assert run("draw", files[1]).stdout.startswith("<svg")
    assert run("draw", files[1], "-o", tmp_path / "graph.svg").returncode == 0
    assert (tmp_path / "graph.svg").read_text(encoding="utf-8").count("<rect") == 2


def test_diff(files):
    same, other = run("diff", files[0], files[0]), run("diff", *files)
    assert (same.returncode, same.stdout.strip()) == (0, "the graphs are the same")
    assert other.returncode == 1
    assert "+" in other.stdout


@pytest.mark.parametrize(("text", "told"), [("{", "is no JSON"), ("{}", "is not what Graph.json() writes"), (None, "No such file")])
def test_files_that_are_no_graphs(tmp_path, text, told):
    path = tmp_path / "file.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    done = run("draw", path)
    assert done.returncode == 2
    assert told in done.stderr


@pytest.mark.parametrize("arguments", [["info"], ["--help"], ["draw"], ["diff"]])
def test_outputs_that_take_no_more(files, arguments):
    arguments = [*arguments, *files[: {"draw": 1, "diff": 2}.get(arguments[0], 0)]]
    reader, writer = os.pipe()
    os.close(reader)
    ended = run(*arguments, stdout=writer)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, "")
    with pathlib.Path("/dev/full").open("w") as full:
        failed = run(*arguments, stdout=full)
    assert (failed.returncode, failed.stderr) == (2, "graphcap: standard output: No space left on device\n")


def test_a_file_that_cannot_be_written(files):
    failed = run("draw", files[0], "-o", "/dev/full")
    assert (failed.returncode, failed.stderr) == (2, "graphcap: /dev/full: No space left on device\n")
