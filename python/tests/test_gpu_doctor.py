"""Findings about graphs of PyTorch's, by op and line."""

import gc
import inspect

import pytest
from gpu import need

import graphcap

gt, torch = need("torch")

if not torch.cuda.is_available():
    pytest.skip("PyTorch finds no GPU", allow_module_level=True)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = torch.nn.LayerNorm(64), torch.nn.Linear(64, 128), torch.nn.Linear(128, 64)

    def forward(self, x):
        scores = x @ x.mT  # mm
        weights = scores.softmax(-1)  # _softmax
        normed = self.norm(weights @ x)  # mm native_layer_norm
        return x + self.down(self.up(normed).relu())  # addmm relu addmm add


def spoilt(x):
    y = x * 2
    z = y.log()  # log
    return z.softmax(-1)


def line_of(function, mark):
    lines, first = inspect.getsourcelines(function)
    return first + next(place for place, line in enumerate(lines) if line.rstrip().endswith(f"# {mark}"))


def warmed(work):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        work()
    torch.cuda.synchronize()
    return side


def ours(work, **options):
    side = warmed(work)
    with gt.doctor(side, **options) as doctor:
        made = work()
    return doctor, made


def theirs(work, **options):
    warmed(work)
    graph = torch.cuda.CUDAGraph(keep_graph=True)
    with gt.doctor(graph, **options) as doctor, torch.cuda.graph(graph):
        made = work()
    return doctor, made


def is_clean(report):
    """Tells whether a doctor looked at all nodes, and found nothing."""
    return not report and "not looked at" not in str(report)


@pytest.fixture(params=[ours, theirs])
def capture(request):
    yield request.param
    gc.collect()
    torch.cuda.synchronize()


@torch.no_grad()
def test_each_node_has_its_op_and_line(capture):
    block, x = Block().cuda(), torch.randn(8, 64, device="cuda")
    doctor, y = capture(lambda: block(x), names=block)
    lines = inspect.getsource(inspect.getmodule(Block)).splitlines()
    for op in doctor.ops:
        assert op.file == __file__
        assert op.name in lines[op.line - 1].partition("# ")[2].split(), str(op)
    assert sum(len(doctor.nodes(op)) for op in doctor.ops) == doctor.graph.node_count
    assert all(doctor.op(node) is not None for node in doctor.graph.nodes)
    last = [op for op in doctor.ops if op.name == "addmm"][-1]
    assert [one.name for one in last.inputs if one.name.startswith("down")] == ["down.bias", "down.weight"]
    assert doctor.explain(doctor.nodes(last)[0]).startswith(f"addmm at test_gpu_doctor.py:{last.line}, node 0x")
    exec = doctor.graph.instantiate()
    x.copy_(torch.randn_like(x))
    torch.cuda.synchronize()
    exec.launch(gt.stream())
    torch.cuda.synchronize()
    assert torch.equal(y, block(x))
    assert not doctor.check()
    assert not [found for found in doctor.step() if found.severity == "error"]
    assert not doctor.compare(lambda: block(x))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
def test_the_op_that_makes_a_nan(capture, dtype):
    x = torch.ones(64, 64, device="cuda", dtype=dtype)
    doctor, _ = capture(lambda: spoilt(x))
    assert is_clean(doctor.step())
    x[3, 5:8] = -1
    for _ in range(2):
        report = doctor.step()
        assert str(report[0].op) == f"log at test_gpu_doctor.py:{line_of(spoilt, 'log')}"
        assert "makes 3 NaNs in" in report[0].text
        # The next time the memory has these values before.
        doctor.graph.instantiate().launch(gt.stream())
        torch.cuda.synchronize()


def test_nans_of_work_that_is_no_op():
    x = torch.ones(64, device="cuda")
    side = warmed(lambda: x * 2)
    stream = gt.stream(side)
    buffer = graphcap.Buffer.wrap(stream.context, x)
    with gt.doctor(side, names={"x": x}) as doctor:
        x * 3
        stream.fill(buffer, 0x7FC00000, size=4)
        x * 2
    assert [op.name for op in doctor.ops] == ["mul", "", "mul"]
    report = doctor.step()
    assert "1 of 3 nodes were not looked at" in str(report)
    assert '64 NaNs in float32[64]: it reads NaNs in "x" float32[64]' in report[0].text
    assert report[0].op is doctor.ops[2] and x.sum().item() == 64


@torch.no_grad()
def test_ops_of_higher_order(capture):
    x, is_up = torch.ones(64, device="cuda"), torch.tensor(True)

    def work():
        return torch.ops.higher_order.cond(is_up, lambda x: (x + 1,), lambda x: (x - 1,), (x,))

    doctor, _ = capture(work)
    assert [op.name for op in doctor.ops] == ["cond"] and is_clean(doctor.step())


def test_a_tensor_that_is_gone(capture):
    x, bias = torch.randn(1024, device="cuda"), torch.randn(1024, device="cuda")
    doctor, _ = capture(lambda x=x, bias=bias: x * bias + 1, names={"bias": bias})
    assert not doctor.check()
    del bias
    gc.collect()
    report = doctor.check()
    assert len(report) == 1 and report[0].severity == "error"
    assert report[0].op.name == "mul" and '"bias" float32[1024]' in report[0].text


def test_the_first_op_that_differs_from_eager(capture):
    x, box = torch.randn(64, device="cuda"), {"scale": torch.full((64,), 2.0, device="cuda")}

    def work(rows=64):
        y = x[:rows] + 1
        return (y * box["scale"][:rows]).sum()

    doctor, _ = capture(work, names=box)
    assert not doctor.compare(work)
    kept = box["scale"]
    box["scale"] = torch.full((64,), 3.0, device="cuda")
    report = doctor.compare(work)
    assert report[0].op.name == "mul" and 'input 1, "scale" float32[64], was at' in report[0].text
    box["scale"] = kept
    report = doctor.compare(lambda: work(32))
    assert report[0].op.name == "add" and "float32[64] where eager has float32[32]" in report[0].text
    report = doctor.compare(lambda: x * 2)
    assert report[0].op.name == "add" and "is not what eager runs: mul at" in report[0].text


@torch.no_grad()
def test_attention_gives_what_eager_gives(capture):
    x = torch.randn(1, 1, 8, 32, device="cuda")
    doctor, _ = capture(lambda: torch.nn.functional.scaled_dot_product_attention(x, x, x).sum())
    assert not doctor.compare(lambda: torch.nn.functional.scaled_dot_product_attention(x, x, x).sum())


def test_memory_is_restored_and_moves_by_one_call(capture):
    cache, x = torch.zeros(16, device="cuda"), torch.ones(16, device="cuda")
    doctor, _ = capture(lambda: cache.add_(x).clone())
    assert is_clean(doctor.step()) and cache.tolist() == [1] * 16
    assert not doctor.compare(lambda: cache.add_(x).clone()) and cache.tolist() == [2] * 16


def test_a_backward_pass(capture):
    net, x = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 8)).cuda(), torch.randn(16, 32, device="cuda")
    optimizer = torch.optim.Adam(net.parameters(), capturable=True)

    def work():
        optimizer.zero_grad(set_to_none=False)
        net(x).square().mean().backward()
        optimizer.step()

    warmed(work)
    doctor, _ = capture(work, names=net)
    assert all(op.file == __file__ for op in doctor.ops)
    with torch.no_grad():
        net[2].weight[0, 0] = float("nan")
    report = doctor.step()
    assert report[0].op.name == "addmm" and '"2.weight" float32[64, 8], from memory that no op' in report[0].text


def test_options_of_a_capture_that_is_made_already():
    with pytest.raises(TypeError, match="note_memory: options"):
        gt.doctor(torch.cuda.CUDAGraph(), note_memory=False)
    with pytest.raises(TypeError, match="pool: options"):
        gt.doctor(gt.capture(), pool=torch.cuda.MemPool())


def test_a_capture_that_fails_gives_no_graph():
    x = torch.ones(4, device="cuda")
    warmed(lambda: x + 1)
    with pytest.raises(ZeroDivisionError), gt.doctor() as doctor:
        x + 1
        1 / 0
    with pytest.raises(ValueError, match="no graph"):
        doctor.graph
