"""Findings of doctors of graphs. Ops are stood in for by notes about work of the host device."""

import ctypes

import numpy
import pytest

import graphcap
from graphcap import _doctor
from graphcap._doctor import Op, Tensor


@graphcap.host_kernel("f4[:], f4[:]", name="log")
def log_kernel(block, source, to):
    with numpy.errstate(all="ignore"):
        to[:] = numpy.log(source)


@graphcap.host_kernel("f4[:], f4[:]", name="double")
def double_kernel(block, source, to):
    to[:] = source * 2


class HostDoctor(_doctor.GraphDoctor):
    def __init__(self, graph, notes):
        super().__init__()
        self._graph, self._notes = graph, notes
        notes.settle(graphcap.raw.gc_graph_get_nodes(graph))

    def _counts(self, tensor):
        found = numpy.frombuffer((ctypes.c_char * tensor.nbytes).from_address(tensor.address), tensor.dtype)
        return int(numpy.isnan(found).sum()), int(numpy.isinf(found).sum())


class Model:
    """Notes and graph of `b = log(a); c = double(b); d = double(c)`, each a line of model.py."""

    def __init__(self, context, stream):
        module = graphcap.Module(context, kernels=[log_kernel, double_kernel])
        for kernel in ("log", "double"):
            module[kernel].states_accesses("r", "w")
        self.buffers = [graphcap.Buffer.of(context, numpy.ones(4, "f4")) for _ in range(4)]
        self.tensors = [Tensor(name, "float32", (4,), (1,), one.address, 16) for name, one in zip("abcd", self.buffers, strict=True)]
        notes = _doctor.Notes()
        with graphcap.capture(stream) as captured:
            for place, kernel in enumerate(("log", "double", "double")):
                first = captured.node_count
                stream.launch(module[kernel], 1, 1, self.buffers[place], self.buffers[place + 1])
                notes.add(Op(kernel, "/home/me/model.py", 10 + place, (self.tensors[place],), (self.tensors[place + 1],), first, captured.node_count))
        self.doctor = HostDoctor(captured.graph, notes)

    def set(self, *values):
        numpy.asarray(self.buffers[0])[:] = values


@pytest.fixture
def model(context, stream):
    return Model(context, stream)


def test_a_node_is_told_by_its_op(model):
    doctor = model.doctor
    assert [str(op) for op in doctor.ops] == ["log at model.py:10", "double at model.py:11", "double at model.py:12"]
    for place, node in enumerate(doctor.graph.nodes):
        assert doctor.op(node) is doctor.op(node.id) is doctor.ops[place]
        assert doctor.nodes(doctor.ops[place]) == [node]
    told = doctor.explain(doctor.graph.nodes[0]).splitlines()
    assert told[0].startswith("log at model.py:10, node 0x") and told[0].endswith('(kernel "log"), the only one of it')
    assert told[1:] == [f'  reads "a" float32[4] at {model.tensors[0].address:#x}', f'  writes "b" float32[4] at {model.tensors[1].address:#x}']
    added = doctor.graph.add_empty()
    assert doctor.op(added) is None
    assert "not captured" in doctor.explain(added)


def test_work_between_ops_is_told():
    notes = _doctor.Notes(2)
    notes.add(Op("mm", "m.py", 3, (), (), 3, 4))
    notes.add(Op("view", "m.py", 4, (), (), 4, 4))
    notes.add(Op("mm", "m.py", 5, (), (), 6, 7))
    notes.settle(range(100, 109))
    assert notes.op(100) is None and notes.op(101) is None
    told = [str(notes.op(node)) for node in range(102, 109)]
    assert told == [
        "work that is no op", "mm at m.py:3", "work that is no op, behind m.py:4", "work that is no op, behind m.py:4", "mm at m.py:5",
        "work that is no op, behind m.py:5", "work that is no op, behind m.py:5",
    ]  # fmt: skip


def test_the_op_that_makes_a_nan_is_found(model):
    model.set(1, 2, -3, -4)
    report = model.doctor.step()
    assert [str(found.op) for found in report] == ["log at model.py:10"]
    node = model.doctor.graph.nodes[0].id
    assert str(report[0]) == f'error: log at model.py:10, node {node:#x}, makes 2 NaNs in "b" float32[4], from finite inputs'
    assert "2 later ops with NaNs" in report.notes
    assert numpy.asarray(model.buffers[1]).tolist() == [1, 1, 1, 1], "restored"
    model.set(1, 2, 3, 4)
    report = model.doctor.step()
    assert not report and "not looked at" not in str(report)


def test_nans_that_were_there_before_are_told(model):
    for again in range(2):
        model.set(1, 2, float("nan"), 4)
        # Also where an earlier replay left the same values.
        model.buffers[1].copy_from(numpy.full(4, numpy.nan if again else 0, "f4"))
        report = model.doctor.step()
        assert 'leaves 1 NaN in "b" float32[4]: it reads NaNs in "a" float32[4], from memory that no op of the graph wrote' in str(report)


def test_infinities_alone_are_notes(model):
    model.set(0, 1, 1, 1)
    report = model.doctor.step()
    assert [found.severity for found in report] == ["note"]
    assert 'leaves 1 infinity in "b"' in str(report[0])


def test_memory_that_is_not_restored_is_told(model):
    model.set(1, 2, 3, 4)
    assert not any("not restored" in note for note in model.doctor.step().notes)
    report = model.doctor.step(max_bytes=16)
    assert "32 bytes of what the nodes wrote were not restored" in str(report)
    assert "32 bytes of what the nodes wrote were not restored" in report._repr_html_()


@pytest.mark.parametrize(("ops", "unseen"), [((0, 1, 2), 0), ((0, 2), 1), ((), 3)])
def test_nodes_that_were_not_looked_at_are_counted(model, ops, unseen):
    notes, tensors = _doctor.Notes(), model.tensors
    for place in range(3):
        # A kernel of one's own is work that is no op, and the last op has no outputs where its number is not given.
        outputs = (tensors[place + 1],) if place in ops else ()
        if outputs or place == 2:
            notes.add(Op("double", "m.py", place, (tensors[place],), outputs, place, place + 1))
    model.set(-1, 2, 3, 4) if not ops else model.set(1, 2, 3, 4)
    report = HostDoctor(model.doctor.graph, notes).step()
    told = [note for note in report.notes if "not looked at" in note]
    assert not report
    assert [note.split(":")[0] for note in told] == ([f"{unseen} of 3 nodes were not looked at"] if unseen else [])
    assert all(note in str(report) and note in report._repr_html_() for note in told)


def test_an_exception_ends_the_steps(model, monkeypatch):
    monkeypatch.setattr(model.doctor, "_counts", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        model.doctor.step()


def test_findings_of_a_check_name_ops_and_tensors(context, stream):
    buffer = graphcap.Buffer(context, 16)
    graph = graphcap.Graph(context)
    nodes = [graph.add_fill(buffer, value) for value in range(2)]
    tensor = Tensor("x", "uint8", (16,), (1,), buffer.address, 16)
    notes = _doctor.Notes()
    for place in range(2):
        notes.add(Op("fill_", "m.py", place, (), (tensor,), place, place + 1))
    report = HostDoctor(graph, notes).check()
    assert len(report) == 1 and report[0].severity == "error"
    assert f"fill_ at m.py:0, node {nodes[0].id:#x}" in report[0].text and f"fill_ at m.py:1, node {nodes[1].id:#x}" in report[0].text
    graph.add_edges(tuple(nodes))
    assert not HostDoctor(graph, notes).check()


def test_an_address_is_told_with_its_tensor(model):
    address, node = model.tensors[0].address, model.doctor.graph.nodes[0].id
    found = model.doctor._told(f'error: node {node:#x} (kernel "log"): parameter 0 of kernel "log" has the address {address + 4:#x}, that is gone')
    assert found.op is model.doctor.ops[0]
    assert found.text.startswith(f"log at model.py:10, node {node:#x} (kernel") and f'the address {address + 4:#x} of "a" float32[4], that' in found.text


def test_pictures(model):
    assert "<table>" in model.doctor._repr_html_() and "log at model.py:10" in model.doctor._repr_html_()
    model.set(-1, 1, 1, 1)
    report = model.doctor.step()
    assert "<th>error</th>" in report._repr_html_() and "findings" in repr(report)
    assert "no findings" in model.doctor.check()._repr_html_()
    assert str(model.doctor).splitlines()[0] == "log at model.py:10: 1 node"
