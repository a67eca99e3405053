"""PyTorch's work in graphs, bit-equal to eager."""

import gc
import threading
import weakref

import pytest
from gpu import comes, need

import graphcap

gt, torch = need("torch")

if not torch.cuda.is_available():
    pytest.skip("PyTorch finds no GPU", allow_module_level=True)


@pytest.fixture(autouse=True)
def settle():
    yield
    gc.collect()
    torch.cuda.synchronize()
    graphcap.live_handles()


def block(x):
    return torch.nn.functional.gelu(x @ x.mT).softmax(-1)


def warmed(stream, work):
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        work()
    torch.cuda.current_stream().wait_stream(stream)


def test_a_capture_replays_new_inputs_bit_for_bit():
    x = torch.randn(256, 256, device="cuda")
    side = torch.cuda.Stream()
    warmed(side, lambda: block(x))
    with gt.capture(side) as captured:
        y = block(x)
    exec = captured.instantiate()
    assert {node.kind for node in captured.graph.nodes} <= {"kernel", "memset"}
    for _ in range(5):
        x.copy_(torch.randn_like(x))
        torch.cuda.synchronize()
        y.fill_(float("nan"))
        torch.cuda.synchronize()
        exec.replay()
        torch.cuda.synchronize()
        assert torch.equal(y, block(x))


def test_memory_of_a_graph_is_not_given_to_others():
    x = torch.randn(512, 512, device="cuda")
    side = torch.cuda.Stream()
    warmed(side, lambda: block(x))
    with gt.capture(side) as captured:
        y = block(x)
    exec = captured.instantiate()
    for stream in (torch.cuda.default_stream(), side):
        with torch.cuda.stream(stream):
            taken = [torch.full((1 << power,), float("nan"), device="cuda") for power in range(7, 22)]
        torch.cuda.synchronize()
        exec.replay()
        torch.cuda.synchronize()
        assert torch.equal(y, block(x))
        assert all(part.isnan().all() for part in taken)
    torch.cuda.empty_cache()
    exec.replay()
    torch.cuda.synchronize()
    assert torch.equal(y, block(x))


def test_memory_goes_back_when_the_graph_and_its_execs_are_gone():
    x = torch.randn(512, 512, device="cuda")
    side = torch.cuda.Stream()
    warmed(side, lambda: block(x))
    for _ in range(3):
        with gt.capture(side) as captured:
            block(x)
        exec = captured.instantiate()
        exec.replay()
        torch.cuda.synchronize()
        pool = captured.mem_pool.id

        def is_held():
            return any(tuple(segment["segment_pool_id"]) == pool for segment in torch.cuda.memory_snapshot())

        captured.graph.close()
        del captured
        gc.collect()
        torch.cuda.empty_cache()
        assert is_held(), "the exec keeps the memory"
        exec.close()
        del exec
        assert comes(lambda: not is_held())


def test_memory_does_not_go_back_within_a_capture_of_pytorchs():
    x = torch.randn(64, device="cuda")
    side = torch.cuda.Stream()
    warmed(side, lambda: x * 2)
    with gt.capture(side) as captured:
        x * 2
    exec, graph = captured.instantiate(), torch.cuda.CUDAGraph()
    exec.replay()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        y = x + 1
        del captured, exec
        graphcap.live_handles()  # The next call lets go of what the graph kept.
        y += 1
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(y, x + 1 + 1)


def test_an_exception_discards_the_capture():
    side = torch.cuda.Stream()
    x = torch.ones(4, device="cuda")
    with pytest.raises(ZeroDivisionError), gt.capture(side) as captured:
        x + 1
        1 / 0
    assert not captured.stream.is_capturing
    with pytest.raises(graphcap.CaptureError):
        captured.graph
    assert (x + 1).sum().item() == 8
    with pytest.raises(RuntimeError) as failed, gt.capture(side):
        (x + 1).sum().item()
    assert "captur" in str(failed.value)
    with gt.capture(side) as captured:
        y = x + 1
    captured.instantiate().replay()
    torch.cuda.synchronize()
    assert y.tolist() == [2, 2, 2, 2]


def test_a_capture_in_a_pool_of_ours():
    context = graphcap.Context("cuda")
    pool = graphcap.Pool(context)
    x = torch.randn(256, 256, device="cuda")
    side = torch.cuda.Stream()
    warmed(side, lambda: block(x))
    with gt.capture(side, pool=pool) as captured:
        y = block(x)
    assert pool.memory().used > 0
    exec = captured.instantiate()
    exec.replay()
    torch.cuda.synchronize()
    assert torch.equal(y, block(x))


def test_a_pool_that_is_full_raises():
    pool = graphcap.Pool(graphcap.Context("cuda"), capacity=1 << 20)
    x = torch.zeros(64 << 20, device="cuda", dtype=torch.uint8)
    with pytest.raises(RuntimeError, match="graphcap could not allocate"), gt.capture(pool=pool):
        x + 1
    assert (x[:4] + 1).tolist() == [1, 1, 1, 1]


def test_a_pool_is_shared_by_captures():
    x = torch.randn(256, 256, device="cuda")
    side = torch.cuda.Stream()
    warmed(side, lambda: block(x))
    pool = torch.cuda.MemPool()
    execs = []
    for _ in range(2):
        with gt.capture(side, pool=pool) as captured:
            execs.append([block(x), None])
        execs[-1][1] = captured.instantiate()
    for y, exec in execs:
        exec.replay()
        torch.cuda.synchronize()
        assert torch.equal(y, block(x))


def test_a_backward_pass_is_captured():
    x = torch.randn(64, 64, device="cuda")
    w = torch.randn(64, 64, device="cuda", requires_grad=True)
    side = torch.cuda.Stream()

    def work():
        (x @ w).relu().square().sum().backward()

    warmed(side, work)
    w.grad = None
    with gt.capture(side) as captured:
        work()
    grad = w.grad
    exec = captured.instantiate()
    x.copy_(torch.randn_like(x))
    torch.cuda.synchronize()
    exec.replay()
    torch.cuda.synchronize()
    w.grad = None
    work()
    assert torch.equal(grad, w.grad)


def test_wrong_streams_and_pools_are_refused_by_name():
    with pytest.raises(TypeError, match=r"torch\.cuda\.Stream"):
        gt.capture(object())
    with pytest.raises(ValueError, match="default stream"):
        gt.capture(torch.cuda.default_stream())
    with pytest.raises(TypeError, match="MemPool"):
        gt.capture(pool=object())


def test_graphed_is_eager_bit_for_bit_over_many_shapes():
    model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 64)).cuda().eval()
    step = gt.graphed(model)
    with torch.no_grad():
        for _ in range(4):
            for rows in (1, 3, 8, 17):
                x = torch.randn(rows, 64, device="cuda")
                assert torch.equal(step(x), model(x))
    stats = step.stats()
    assert (stats.keys, stats.recordings, stats.hits) == (4, 4, 8)


def test_outputs_are_not_overwritten_unless_asked_for():
    for reuse in (False, True):
        step = gt.graphed(lambda x: {"sum": x + 1, "pair": (x * 2, 5)}, reuse_outputs=reuse)
        outputs = [step(torch.full((2,), float(number), device="cuda")) for number in range(5)]
        torch.cuda.synchronize()
        assert outputs[4]["sum"].tolist() == [5, 5]
        assert outputs[4]["pair"][1] == 5
        same = outputs[2]["sum"].data_ptr() == outputs[4]["sum"].data_ptr()
        assert same == reuse
        assert outputs[2]["sum"].tolist() == ([5, 5] if reuse else [3, 3])


def test_each_call_does_the_work_once():
    total = torch.zeros(1, device="cuda")
    step = gt.graphed(lambda x: total.add_(x).clone())
    seen = [step(torch.ones(1, device="cuda")).item() for _ in range(6)]
    assert seen == [1, 2, 3, 4, 5, 6]


def test_other_arguments_are_part_of_the_key():
    step = gt.graphed(lambda x, scale, **named: x * scale + named.get("shift", 0))
    x = torch.ones(2, device="cuda")
    for _ in range(3):
        assert step(x, 2).tolist() == [2, 2]
        assert step(x, 3).tolist() == [3, 3]
        assert step(x, 3, shift=1).tolist() == [4, 4]
        assert step(x, 3, shift=True).tolist() == [4, 4]
    assert step.stats().keys == 4
    with pytest.raises(TypeError, match="hashable"):
        step(x, object, shift=bytearray(b"a"))


def test_arguments_in_place():
    cache = torch.zeros(4, device="cuda")
    step = gt.graphed(lambda cache, x: cache.add_(x).sum(), in_place=[0])
    seen = [step(cache, torch.ones(4, device="cuda")).item() for _ in range(4)]
    assert seen == [4, 8, 12, 16]
    assert cache.tolist() == [4, 4, 4, 4]
    other = torch.zeros(4, device="cuda")
    assert step(other, torch.ones(4, device="cuda")).item() == 4


def test_random_numbers_are_those_of_eager_code():
    def work(x):
        return torch.nn.functional.dropout(x, 0.5) + torch.rand_like(x)

    x = torch.ones(1000, device="cuda")
    torch.cuda.manual_seed(7)
    expected = [work(x) for _ in range(6)]
    step = gt.graphed(work, random=True)
    torch.cuda.manual_seed(7)
    for place, wanted in enumerate(expected):
        assert torch.equal(step(x), wanted), place
    plain = gt.graphed(work)
    plain(x)
    with pytest.raises(RuntimeError, match="generator"):
        plain(x)


def test_an_exception_in_a_graphed_function():
    fails = [False]

    def work(x):
        y = x + 1
        if fails[0]:
            raise KeyError("no")
        return y

    step = gt.graphed(work)
    x = torch.ones(2, device="cuda")
    step(x)
    fails[0] = True
    with pytest.raises(KeyError):
        step(x)
    fails[0] = False
    for _ in range(3):
        assert step(x).tolist() == [2, 2]
    assert step.stats().recordings == 1


def test_what_graphed_refuses():
    step = gt.graphed(lambda x: x + 1)
    with pytest.raises(TypeError, match="requires a gradient"):
        step(torch.ones(1, device="cuda", requires_grad=True))
    with pytest.raises(TypeError, match="is on cpu"):
        step(torch.ones(1))
    with pytest.raises(TypeError, match="callable"):
        gt.graphed(3)


def test_graphed_on_several_streams_and_threads():
    weight = torch.randn(128, 128, device="cuda")
    step = gt.graphed(lambda x: (x @ weight).relu() @ weight)
    x = [torch.randn(128, 128, device="cuda") for _ in range(4)]
    expected = [(part @ weight).relu() @ weight for part in x]
    wrong = []

    def run(place):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.default_stream())
        with torch.cuda.stream(side):
            for _ in range(50):
                if not torch.equal(step(x[place]), expected[place]):
                    wrong.append(place)
        side.synchronize()

    torch.cuda.synchronize()
    threads = [threading.Thread(target=run, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_graphed_within_captures():
    step = gt.graphed(lambda x: x * 2)
    x = torch.ones(2, device="cuda")
    for _ in range(3):
        step(x)
    with gt.capture() as captured:
        y = step(x)
    exec = captured.instantiate()
    x.fill_(4)
    torch.cuda.synchronize()
    exec.replay()
    torch.cuda.synchronize()
    assert y.tolist() == [8, 8]


def test_a_graphed_function_is_let_go_of():
    weight = torch.ones(1 << 20, device="cuda")
    step = gt.graphed(lambda x: x + weight.sum())
    for _ in range(3):
        step(torch.ones(1, device="cuda"))
    gone = weakref.ref(step)
    torch.cuda.synchronize()
    del step
    gc.collect()
    assert gone() is None


def test_a_cache_with_a_limit_drops_keys_and_their_memory():
    step = gt.graphed(lambda x: (x + 1).sum(), max_bytes=20000, warmups=0)
    for rows in range(1, 30):
        x = torch.ones(rows, device="cuda")
        assert step(x).item() == 2 * rows
    assert step.stats().evictions > 0
    assert comes(lambda: len(step._entries) < 20)
    assert step(torch.ones(1, device="cuda")).item() == 2


def test_a_decode_loop_of_five_lines():
    torch.manual_seed(1)
    embed, head = torch.nn.Embedding(50, 32).cuda(), torch.nn.Linear(32, 50).cuda()
    cell = torch.nn.GRUCell(32, 32).cuda()

    def decode_step(token, state):
        state = cell(embed(token), state)
        return head(state).argmax(-1), state

    def loop(step):
        token, state = torch.zeros(4, dtype=torch.long, device="cuda"), torch.zeros(4, 32, device="cuda")
        tokens = []
        for _ in range(20):
            token, state = step(token, state)
            tokens.append(token)
        return torch.stack(tokens)

    with torch.no_grad():
        assert torch.equal(loop(gt.graphed(decode_step)), loop(decode_step))


def test_streams_both_ways():
    side = torch.cuda.Stream()
    ours = gt.stream(side)
    assert ours.native == side.cuda_stream
    assert ours.__cuda_stream__() == (0, side.cuda_stream)
    with graphcap.capture(side) as captured, torch.cuda.stream(side):
        torch.zeros(0, device="cuda")
        ours.record()
    assert captured.stream.native == side.cuda_stream
    context = graphcap.Context("cuda")
    made = graphcap.Stream(context, non_blocking=True)
    assert context.wrap_stream(made) is made
    external = torch.cuda.ExternalStream(made.native)
    buffer = graphcap.Buffer(context, 4, "f4")
    with torch.cuda.stream(external):
        view = torch.from_dlpack(buffer)
        view.fill_(3)
    made.synchronize()
    assert buffer.copy_to_host().tolist() == [3, 3, 3, 3]


def test_dlpack_and_the_array_interface_of_a_gpu():
    context = graphcap.Context("cuda")
    buffer = graphcap.Buffer(context, (2, 3), "f4")
    assert buffer.__dlpack_device__() == (2, 0)
    view = torch.from_dlpack(buffer)
    assert (view.data_ptr(), tuple(view.shape), view.dtype) == (buffer.address, (2, 3), torch.float32)
    with pytest.raises(BufferError, match="viewed"):
        buffer.close()
    del view
    gc.collect()
    assert torch.as_tensor(buffer, device="cuda").data_ptr() == buffer.address
    with pytest.raises(BufferError, match="stream 0"):
        buffer.__dlpack__(stream=0)
    for stream in (None, 1, 2, -1):
        buffer.__dlpack__(stream=stream, max_version=(1, 0))
    with pytest.raises(BufferError, match="cannot be exported"):
        buffer.__dlpack__(dl_device=(1, 0))
    side = torch.cuda.Stream()
    with graphcap.capture(side):
        buffer.__dlpack__(stream=side.cuda_stream)
        buffer.__dlpack__(stream=-1)


def test_tensors_become_buffers():
    context = graphcap.Context("cuda")
    stream = graphcap.Stream(context)
    x = torch.arange(6, device="cuda", dtype=torch.int32).view(2, 3)
    for given in (None, stream):
        buffer = graphcap.Buffer.wrap(context, x, stream=given)
        assert (buffer.address, buffer.shape, buffer.dtype) == (x.data_ptr(), (2, 3), "i4")
    stream.fill(buffer, 1)
    stream.synchronize()
    assert x.view(-1).tolist() == [0x01010101] * 6
    with pytest.raises(TypeError, match="strides"):
        graphcap.Buffer.wrap(context, x.t())
    with pytest.raises(TypeError, match="of the host"):
        graphcap.Buffer.wrap(context, torch.ones(2))
    with pytest.raises(ValueError, match="no bytes"):
        graphcap.Buffer.wrap(context, torch.ones(0, device="cuda"))
    with graphcap.capture(stream) as captured:
        stream.fill(graphcap.Buffer.wrap(context, x), 2)
    exec = captured.instantiate()
    address = x.data_ptr()
    del x, buffer
    gc.collect()
    graphcap.live_handles()
    exec.replay()
    stream.synchronize()
    assert torch.empty(6, device="cuda", dtype=torch.int32).data_ptr() != address


SOURCE = 'extern "C" __global__ void scale(float *data, long long size, float factor) { if (threadIdx.x < size) data[threadIdx.x] *= factor; }'


def test_tensors_as_arguments_of_kernels():
    context = graphcap.Context("cuda")
    module = graphcap.Module(context, graphcap.compile_cuda(SOURCE))
    kernel = module.kernel("scale", "f4[:], f4")
    side = torch.cuda.Stream()
    x = torch.ones(8, device="cuda")
    torch.cuda.synchronize()
    ours = context.wrap_stream(side)
    ours.launch(kernel, 1, 32, x, 2.0)
    with graphcap.capture(ours) as captured:
        ours.launch(kernel, 1, 32, x, 3.0)
    captured.instantiate().replay()
    ours.synchronize()
    assert x.tolist() == [6] * 8
    with pytest.raises(TypeError, match="argument 0"):
        ours.launch(kernel, 1, 32, x.double(), 2.0)
    with pytest.raises(TypeError, match="argument 0.*strides"):
        ours.launch(kernel, 1, 32, x[::2], 2.0)


def kept_graph(work):
    """A graph of PyTorch's, of work that has run, and what the work gave."""
    graph = torch.cuda.CUDAGraph(keep_graph=True)
    side = torch.cuda.Stream()
    warmed(side, work)
    with torch.cuda.graph(graph, stream=side):
        made = work()
    return graph, made


@pytest.mark.skipif(not hasattr(torch.cuda.CUDAGraph, "raw_cuda_graph"), reason="this PyTorch does not give its graphs")
def test_a_graph_of_pytorch_is_copied_checked_and_replayed():
    x = torch.randn(256, 256, device="cuda")
    theirs, y = kept_graph(lambda: block(x))
    graph = gt.wrap(theirs)
    assert {node.kind for node in graph.nodes} <= {"kernel", "memset"}
    assert graph.check() == "" and graph.diff(gt.wrap(theirs)) == ""
    assert graph.optimize().node_count >= graph.node_count
    exec = graph.instantiate()
    gone = weakref.ref(theirs)
    del theirs, graph
    gc.collect()
    assert gone() is not None, "the exec keeps it"
    for _ in range(3):
        x.copy_(torch.randn_like(x))
        y.fill_(float("nan"))
        exec.launch(gt.stream())
        torch.cuda.synchronize()
        assert torch.equal(y, block(x))
    context = exec.context
    exec.close()
    # What was used on the default stream waits for a collect.
    assert comes(lambda: context.collect() or gone() is None)


@pytest.mark.skipif(not hasattr(torch.cuda.CUDAGraph, "raw_cuda_graph_exec"), reason="this PyTorch does not give its execs")
def test_an_exec_of_pytorch_is_launched():
    x = torch.randn(64, 64, device="cuda")
    theirs, y = kept_graph(lambda: block(x))
    theirs.instantiate()
    exec = gt.wrap_exec(theirs)
    del theirs
    x.copy_(torch.randn_like(x))
    exec.launch(gt.stream())
    torch.cuda.synchronize()
    assert torch.equal(y, block(x)) and exec.num_replays == 1


def test_what_is_no_graph_of_pytorch_is_refused():
    for wrapped in (gt.wrap, gt.wrap_exec):
        with pytest.raises(TypeError, match="CUDAGraph"):
            wrapped(7)


def test_tensors_that_are_gone_are_found():
    x = torch.randn(1024, device="cuda")
    weights = torch.randn(1024, device="cuda")
    side = torch.cuda.Stream()
    warmed(side, lambda: x * weights + 1)
    with gt.capture(side, note_memory=True) as captured:
        y = x * weights + 1
    assert gt.check(captured.graph) == ""
    del weights, y
    found = gt.check(captured.graph)
    assert "float32[1024]" in found and "took back" in found, found
    assert len(found.splitlines()) == 1, "the outputs are of the graph's own pool"
    other = torch.zeros(1024, dtype=torch.int32, device="cuda")
    assert "int32[1024]" in gt.check(captured.graph)
    with pytest.raises(graphcap.InvalidValueError, match="float32"):
        captured.instantiate()
    del other
