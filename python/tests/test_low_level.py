"""The low level: it is what graphcap-api.json says, and refuses by name what C could not."""

import array
import ctypes
import json
import pathlib
import subprocess
import sys

import numpy
import pytest

import graphcap
from graphcap import raw

API = json.loads((pathlib.Path(graphcap.get_include()) / "graphcap-api.json").read_text(encoding="utf-8"))
GENERATOR = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "generate.py"


def test_the_generated_files_are_those_of_the_interface():
    checked = subprocess.run([sys.executable, GENERATOR, "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_nothing_of_the_interface_is_missing():
    for group in ("functions", "constants", "statuses", "structs"):
        missing = [told["name"] for told in API[group] if not hasattr(raw, told["name"])]
        assert not missing
    for told in API["constants"] + API["statuses"]:
        assert getattr(raw, told["name"]) == told["value"]


@pytest.mark.parametrize("struct", API["structs"], ids=lambda struct: struct["name"])
def test_a_struct_is_laid_out_as_in_c(struct):
    kind = getattr(raw, struct["name"])
    assert ctypes.sizeof(kind) == struct["size"]
    for member in struct["members"]:
        assert getattr(kind, member["name"]).offset == member["offset"], member["name"]
    if struct["members"][0]["name"] == "struct_size":
        assert kind().struct_size == struct["size"]


def test_init_macros_that_are_not_zero():
    assert list(raw.gc_launch_config().grid_dim) == [1, 1, 1]
    assert (raw.gc_memcpy_params().height, raw.gc_memcpy_params().depth) == (1, 1)


def test_every_function_counts_its_arguments():
    for told in API["functions"]:
        with pytest.raises(TypeError, match=rf"{told['name']}\(\) takes"):
            getattr(raw, told["name"])(*range(20))


def test_results(context, stream):
    buffer = raw.gc_buffer_allocate(context, 64)
    assert raw.gc_buffer_size(buffer) == 64
    raw.gc_stream_begin_capture(stream, 0)
    for _ in range(100):
        raw.gc_stream_memset(stream, buffer, 0, 7, 4, 16)
    graph = raw.gc_stream_end_capture(stream)
    nodes = raw.gc_graph_get_nodes(graph)
    assert len(nodes) == len(set(nodes)) == 100
    first, last, data = raw.gc_graph_get_edges(graph)
    assert (first, last, len(data)) == (nodes[:-1], nodes[1:], 99 * 8)
    text = raw.gc_graph_export_json(graph)
    assert len(text) > 4096
    assert len(json.loads(text)["graph"]["nodes"]) == 100
    least, greatest = raw.gc_context_stream_priority_range(context)
    assert least >= greatest
    for destroy, handle in ((raw.gc_graph_destroy, graph), (raw.gc_buffer_destroy, buffer)):
        destroy(handle)
        with pytest.raises(graphcap.InvalidHandleError):
            destroy(handle)


def test_lists_of_nodes(context):
    graph = raw.gc_graph_create(context)
    work = raw.gc_work(kind=raw.GRAPHCAP_WORK_EMPTY)
    one, two = (raw.gc_graph_add_node(graph, None, None, 0, work) for _ in range(2))
    for nodes in ([one, two], (one, two), array.array("Q", [one, two]), numpy.array([one, two], "u8")):
        last = raw.gc_graph_add_node(graph, nodes, None, 2, work)
        assert sorted(raw.gc_node_get_dependencies(graph, last)) == sorted([one, two])
    raw.gc_graph_destroy(graph)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ((1.5, None), TypeError, "exec must be a GraphExec, not float"),
        (("x", None), TypeError, "exec must be a GraphExec, not str"),
        ((-1, None), OverflowError, "negative"),
        ((None, None), graphcap.InvalidHandleError, "'exec' is NULL"),
        ((12345, None), graphcap.InvalidHandleError, "exec"),
    ],
)
def test_handles_are_refused_by_name(arguments, kind, message):
    with pytest.raises(kind, match=message):
        raw.gc_graph_launch(*arguments)


def test_a_handle_of_another_type_is_refused(context, stream):
    with pytest.raises(TypeError, match=r"gc_graph_launch\(\): exec must be a GraphExec, not Stream"):
        raw.gc_graph_launch(stream, stream)
    other = graphcap.Stream(context)
    other.close()
    with pytest.raises(ValueError, match="stream is closed"):
        raw.gc_stream_synchronize(other)


def test_memory_is_refused_by_name(context, stream):
    buffer = raw.gc_buffer_allocate(context, 16)
    with pytest.raises(TypeError, match="source must be contiguous memory"):
        raw.gc_stream_memcpy_htod(stream, buffer, 0, numpy.zeros(8, "f4")[::2], 16)
    with pytest.raises(TypeError, match="destination must be writable"):
        raw.gc_stream_memcpy_dtoh(stream, b"x" * 16, buffer, 0, 16)
    with pytest.raises(OverflowError, match=r"destination_offset must be from 0 to 2\*\*64 - 1"):
        raw.gc_stream_memcpy_htod(stream, buffer, -1, None, 0)
    with pytest.raises(TypeError, match="function must be the address of a C function"):
        raw.gc_stream_launch_host_func(stream, ctypes.CFUNCTYPE(None)(lambda: None), None, None)
    with pytest.raises(ValueError, match="NUL"):
        raw.gc_set_name(stream, "a\0b")
    raw.gc_buffer_destroy(buffer)
