"""Notes of PyTorch's ops. They need no GPU."""

from contextlib import contextmanager, nullcontext

import pytest

import graphcap

torch = pytest.importorskip("torch")

from graphcap import _torch_doctor  # noqa: E402


@pytest.fixture(autouse=True)
def tensors_of_the_cpu(monkeypatch):
    """Notes tensors of the CPU, too."""

    def found(given):
        return (one for one in _torch_doctor._pytree.tree_flatten(given)[0] if isinstance(one, torch.Tensor))

    monkeypatch.setattr(_torch_doctor, "_tensors", found)


def noted(work):
    ops = []
    with _torch_doctor._Ops(lambda: None, lambda called, _: ops.append(called.noted({}, 0, 1))):
        work()
    return ops


def test_an_op_has_its_tensors_and_line():
    x = torch.ones(4)
    (op,) = noted(lambda: x.add_(1))
    assert op.name == "add_" and op.file == __file__
    assert [one.address for one in op.outputs] == [x.data_ptr()] and x.data_ptr() in [one.address for one in op.inputs]


def test_an_op_without_a_schema_is_noted():
    class Cond:
        def __call__(self, x):
            return [x + 1, None]

        def __str__(self):
            return "cond"

    ops = []
    mode = _torch_doctor._Ops(lambda: None, lambda called, _: ops.append(called))
    y = mode.__torch_dispatch__(Cond(), (), (torch.ones(4),))[0]
    assert mode.supports_higher_order_operators and not mode.failed
    assert ops[0].name == "cond" and not ops[0].is_view
    assert len(ops[0].inputs) == 1 and ops[0].outputs[0] is y


@pytest.mark.parametrize("fails", ["before", "told"])
def test_notes_that_fail_leave_the_op_alone(fails):
    def work(*_):
        raise RuntimeError("no notes")

    x = torch.ones(4)
    with _torch_doctor._Ops(work if fails == "before" else lambda: None, work if fails == "told" else lambda *_: None) as ops:
        y = x + 1
    assert y.tolist() == [2] * 4 and str(ops.failed[0]) == "no notes"


def test_a_tensor_without_one_shape_is_left_out():
    class Nested:
        def data_ptr(self):
            return 4096

        @property
        def shape(self):
            raise RuntimeError("nested tensors have no one shape")

    called = _torch_doctor.Called(torch.ops.aten.neg.default, (torch.ones(4),), {}, torch.ones(4))
    called.outputs.append(Nested())
    assert len(called.noted({}, 0, 1).outputs) == 1


def test_lines_of_compiled_code_are_those_that_call_it():
    module = {"__name__": "torch._inductor.runtime.compile_tasks.c7", "torch": torch}
    exec(compile("def call(x):\n    return x + 1", "/tmp/torchinductor_me/c7.py", "exec"), module)
    (op,) = noted(lambda: module["call"](torch.ones(4)))[-1:]
    assert op.name == "add" and op.file == __file__


@pytest.fixture
def of_the_host(monkeypatch, stream):
    """Captures on the host device in place of PyTorch's. Gives what was told about threads of autograd."""
    told = []

    @contextmanager
    def multithreading(is_on):
        told.append(is_on)
        yield
        told.append("restored")

    monkeypatch.setattr(torch.autograd, "set_multithreading_enabled", multithreading, raising=False)
    monkeypatch.setattr(torch._C, "_cuda_isCurrentStreamCapturing", lambda: stream.is_capturing, raising=False)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: stream)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(_torch_doctor, "stream_of", lambda found: found)
    return told


def test_another_capture_begins_notes_anew(of_the_host, context, stream):
    buffer, x = graphcap.Buffer(context, 4), torch.ones(4)
    graphs = []
    with _torch_doctor.Doctor(None, nullcontext(), lambda: graphs[-1], None) as doctor:
        assert of_the_host == [False]
        for count in (5, 2):
            with graphcap.capture(stream) as captured:
                for _ in range(count):
                    stream.fill(buffer, 1)
                    x + 1
                stream.fill(buffer, 1)
            graphs.append(captured.graph)
    assert of_the_host == [False, "restored"]
    assert [(op.name, op.first, op.last) for op in doctor._notes.ops] == [("add", 1, 1), ("", 1, 2), ("add", 2, 2), ("", 2, 3)]


def differs(captured, eager, rtol=0.0, atol=0.0):
    compared = _torch_doctor._Eager(_torch_doctor.Notes(), {}, lambda _: [], (rtol, atol))
    noted = _torch_doctor.Tensor("", str(captured.dtype), tuple(captured.shape), captured.stride(), 4096, 0)
    return compared._differs(noted, captured, eager)


def test_results_that_are_close_or_no_numbers_do_not_differ():
    nan, inf = float("nan"), float("inf")
    for dtype in (torch.float32, torch.complex64):
        one = torch.tensor([1, nan, -inf], dtype=dtype)
        assert not differs(one, one.clone())
        assert not differs(one, one + 0.001, rtol=0.01)
        assert differs(one, one + 0.5, rtol=0.01).startswith("1 of 3 in ")
        assert "by 0.5 at most; the first at [0]" in differs(one, one + 0.5, rtol=0.01)
    assert "1 of 2 in" in differs(torch.tensor([1, 2]), torch.tensor([1, 3]), rtol=1.0)


@pytest.mark.skipif(not hasattr(torch, "float8_e4m3fn"), reason="this PyTorch has no numbers of 8 bits")
def test_results_of_8_bits_differ():
    one = torch.tensor([1, float("nan"), 2]).to(torch.float8_e4m3fn)
    assert not differs(one, one.clone())
    assert "by 1 at most; the first at [2]" in differs(one, torch.tensor([1, float("nan"), 3]).to(torch.float8_e4m3fn))
