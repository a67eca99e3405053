"""Notes of PyTorch's ops. They need no GPU."""

import pytest

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
