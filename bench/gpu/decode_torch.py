#!/usr/bin/env python3
"""A decode step of a Llama model, and a block of 64 experts, in PyTorch: PyTorch's CUDAGraph beside gc_graph_optimize().

    GRAPHCAP_LIBRARY=path/to/libgraphcap.so.0 python3 decode_torch.py [--out FOLDER] [--quick] [--batch 1,8,32]

The model has random weights, 12 layers, a width of 768 and a static cache. A step reads a token and a position in memory and
writes the next ones, so each replay is a step. What operations answer is kept, so that each tensor has memory of its own; each is
wrapped as a buffer. The graph is captured by graphcap and optimized with GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS, and with
GRAPHCAP_OPTIMIZE_OBSERVE, both with GRAPHCAP_OPTIMIZE_MEASURE. Steps of each graph from one state are compared bit by bit with
those of PyTorch's graph.

The figures are us per replay, launched one behind another, medians of rounds in which all graphs take turns.

Exit code 77: there is no PyTorch, or no GPU. 1: results differ, or an optimized graph is slower than PyTorch's.
"""

import argparse
import ctypes
import os
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples", "python"))
import torch_capture  # noqa: E402  skips itself where there is no PyTorch
from torch_capture import torch  # noqa: E402
from torch.nn import functional  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils._pytree import tree_leaves  # noqa: E402

import rival  # noqa: E402
from optimize_torch import MEASURE, TRUST_PARAMETERS, Graphcap  # noqa: E402

OBSERVE = 32
LAYERS, WIDTH, HEADS, INNER, WORDS, CACHE = 12, 768, 12, 2048, 32000, 1024
EXPERTS, ROWS, EXPERT_WIDTH = 64, 16, 1024
START, STEPS = 64, 200
MOST_SLOWER = 1.01


class Kept(TorchDispatchMode):
    """Keeps what operations answer, so that their memory is not given out again."""

    def __init__(self):
        super().__init__()
        self.tensors = []

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        result = function(*arguments, **(keywords or {}))
        self.tensors += [one for one in tree_leaves(result) if isinstance(one, torch.Tensor) and one.is_cuda]
        return result


def weights(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.float32).mul_(shape[-1] ** -0.5).half()


def normed(x, weight):
    wide = x.float()
    return weight * (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


def turned(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


class Decode:
    """A model, its cache, and what a step reads and writes."""

    def __init__(self, batch):
        self.name, self.batch, size = f"decode, batch {batch}", batch, WIDTH // HEADS
        self.layers = [
            {"q": weights(WIDTH, WIDTH), "k": weights(WIDTH, WIDTH), "v": weights(WIDTH, WIDTH), "o": weights(WIDTH, WIDTH),
             "gate": weights(INNER, WIDTH), "up": weights(INNER, WIDTH), "down": weights(WIDTH, INNER),
             "before": torch.ones(WIDTH, device="cuda").half(), "between": torch.ones(WIDTH, device="cuda").half(),
             "keys": torch.zeros(batch, HEADS, CACHE, size, device="cuda").half(),
             "values": torch.zeros(batch, HEADS, CACHE, size, device="cuda").half()}
            for _ in range(LAYERS)]
        self.embedding, self.head = weights(WORDS, WIDTH), weights(WORDS, WIDTH)
        self.last = torch.ones(WIDTH, device="cuda").half()
        self.frequencies = 1.0 / (10000.0 ** (torch.arange(0, size, 2, device="cuda").float() / size))
        self.places = torch.arange(CACHE, device="cuda")
        self.token = torch.zeros(batch, 1, dtype=torch.long, device="cuda")
        self.position = torch.zeros(1, dtype=torch.long, device="cuda")
        self.logits = torch.zeros(batch, 1, WORDS, device="cuda").half()
        self.outputs = [self.token, self.position, self.logits] + [
            layer[name] for layer in self.layers for name in ("keys", "values")]
        tables = [self.embedding, self.head, self.last, self.frequencies, self.places]
        self.tensors = self.outputs + tables + [
            one for layer in self.layers for name, one in layer.items() if name not in ("keys", "values")]

    def reset(self):
        for layer in self.layers:
            layer["keys"].zero_()
            layer["values"].zero_()
        self.token.fill_(7)
        self.position.fill_(START)

    def split(self, x):
        return x.view(self.batch, 1, HEADS, WIDTH // HEADS).transpose(1, 2)

    def run(self):
        x = functional.embedding(self.token, self.embedding)
        angles = self.position.float()[:, None] * self.frequencies[None, :]
        angles = torch.cat((angles, angles), dim=-1)
        cosine, sine = angles.cos().half(), angles.sin().half()
        mask = torch.zeros(1, 1, 1, CACHE, device="cuda", dtype=torch.half)
        mask = mask.masked_fill(self.places > self.position, float("-inf")).expand(self.batch, HEADS, 1, CACHE)
        for layer in self.layers:
            y = normed(x, layer["before"])
            query, key, value = (self.split(functional.linear(y, layer[name])) for name in ("q", "k", "v"))
            query = query * cosine + turned(query) * sine
            key = key * cosine + turned(key) * sine
            layer["keys"].index_copy_(2, self.position, key)
            layer["values"].index_copy_(2, self.position, value)
            y = functional.scaled_dot_product_attention(query, layer["keys"], layer["values"], attn_mask=mask)
            x = x + functional.linear(y.transpose(1, 2).reshape(self.batch, 1, WIDTH), layer["o"])
            y = normed(x, layer["between"])
            y = functional.silu(functional.linear(y, layer["gate"])) * functional.linear(y, layer["up"])
            x = x + functional.linear(y, layer["down"])
        self.logits.copy_(functional.linear(normed(x, self.last), self.head))
        self.token.copy_(self.logits.argmax(-1))
        self.position.add_(1)


class Experts:
    """A block of perceptrons, each with some rows of the input."""

    def __init__(self):
        self.name = f"{EXPERTS} experts, {ROWS} x {EXPERT_WIDTH}"
        self.first = [weights(EXPERT_WIDTH, EXPERT_WIDTH) for _ in range(EXPERTS)]
        self.second = [weights(EXPERT_WIDTH, EXPERT_WIDTH) for _ in range(EXPERTS)]
        self.x = torch.randn(EXPERTS, ROWS, EXPERT_WIDTH, device="cuda").half()
        self.y = [torch.zeros(ROWS, EXPERT_WIDTH, device="cuda").half() for _ in range(EXPERTS)]
        self.outputs = self.y
        self.tensors = self.first + self.second + self.y + [self.x]

    def reset(self):
        for one in self.y:
            one.fill_(float("nan"))

    def run(self):
        for number in range(EXPERTS):
            hidden = functional.silu(functional.linear(self.x[number], self.first[number]))
            self.y[number].copy_(functional.linear(hidden, self.second[number]))


def steps(work, stream, launch, count):
    """Takes so many steps from one state; gives what they leave, and the tokens of each."""
    torch.cuda.synchronize()
    seen = []
    with torch.cuda.stream(stream):
        work.reset()
        for _ in range(count):
            launch()
            seen.append(work.outputs[0].clone())
    torch.cuda.synchronize()
    return seen + [one.clone() for one in work.outputs]


def replay_us(work, stream, launch):
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        work.reset()
        torch.cuda.synchronize()
        start = time.perf_counter_ns()
        for _ in range(STEPS):
            launch()
        torch.cuda.synchronize()
    return (time.perf_counter_ns() - start) / STEPS / 1e3


def wrap_all(gc, context, tensors):
    """A buffer for each tensor's memory."""
    storages = {one.untyped_storage().data_ptr(): one.untyped_storage().nbytes() for one in tensors}
    return [gc.made(gc.gc_buffer_wrap, context, address, size, None, None) for address, size in storages.items() if size]


@torch.no_grad()
def warmed(gc, context, work):
    """A stream on which the work ran some times, and graphcap's handle of it."""
    stream = torch.cuda.Stream()
    wrapped = gc.made(gc.gc_stream_wrap, context, stream.cuda_stream)
    with torch.cuda.stream(stream):
        for _ in range(3):
            work.reset()
            work.run()
    torch.cuda.synchronize()
    return stream, wrapped


def captured(gc, context, stream, wrapped, work):
    """The graph of the work, what has to live as long, and the buffers of all tensors."""
    pool, kept = torch.cuda.MemPool(), Kept()
    with kept:
        graph, _ = torch_capture.capture(gc, stream, wrapped, pool, work.run)
    return graph, (pool, kept), wrap_all(gc, context, work.tensors + kept.tensors)


def measure(gc, context, work, options):
    """The medians by the name of the graph, and whether the results of all are those of PyTorch's graph."""
    stream, wrapped = warmed(gc, context, work)
    plain = torch.cuda.CUDAGraph()
    with torch.cuda.graph(plain, stream=stream, capture_error_mode="thread_local"):
        work.run()
    recorded, alive, buffers = captured(gc, context, stream, wrapped, work)
    launches, execs, reports = {"PyTorch": plain.replay}, [], {}
    ways = {"recorded": None, "trusted": TRUST_PARAMETERS | MEASURE, "observed": OBSERVE | MEASURE}
    for way in options.ways.split(","):
        work.reset()
        torch.cuda.synchronize()
        free = torch.cuda.mem_get_info()[0]
        begin = time.perf_counter()
        graph, report = (recorded, None) if ways[way] is None else gc.optimized(recorded, ways[way])
        took = time.perf_counter() - begin
        torch.cuda.synchronize()
        held = free - torch.cuda.mem_get_info()[0]
        execs.append(gc.made(gc.gc_graph_instantiate, graph, None))
        launches[way] = lambda graph_exec=execs[-1]: gc.gc_graph_launch(graph_exec, wrapped)
        if report is None:
            continue
        if options.out:
            with open(os.path.join(options.out, f"{work.name}-{way}.txt".replace(" ", "_")), "w", encoding="utf-8") as file:
                file.write(gc.text(recorded, ways[way]))
        gc.gc_graph_destroy(graph)
        reports[way] = report
        times = ", ".join(f"{one.lanes}: {one.pipelined_ns / 1e3:.1f}" for one in report.candidates[:report.candidate_count])
        print(f"{work.name}, {way}: {report.node_count} nodes, path {report.path_before} to {report.path_after}, "
              f"{report.lanes} lanes; optimized in {took:.2f} s, {held >> 20} MiB held; us by lanes {times}", flush=True)
    wanted = steps(work, stream, plain.replay, 40)
    is_right = True
    for way, launch in launches.items():
        for found, one in zip(steps(work, stream, launch, 40), wanted):
            if not torch.equal(found.view(torch.uint8), one.view(torch.uint8)):
                print(f"{work.name}, {way}: results are not those of PyTorch's graph", flush=True)
                is_right = False
                break
    figures = {way: [] for way in launches}
    for _ in range(options.rounds):
        for way, launch in launches.items():
            figures[way].append(replay_us(work, stream, launch))
    for one in execs:
        gc.gc_graph_exec_destroy(one)
    gc.gc_graph_destroy(recorded)
    for one in buffers:
        gc.gc_buffer_destroy(one)
    gc.gc_stream_destroy(wrapped)
    return {way: statistics.median(values) for way, values in figures.items()}, is_right


def main():
    parser = argparse.ArgumentParser(description="A decode step and a block of experts, by PyTorch's CUDAGraph and optimized.")
    parser.add_argument("library", nargs="?", help="libgraphcap.so.0; default: GRAPHCAP_LIBRARY, or ../../lib")
    parser.add_argument("--batch", default="1,8,32", help="the batches of the decode step")
    parser.add_argument("--ways", default="recorded,trusted,observed", help="the graphs beside PyTorch's")
    parser.add_argument("--quick", action="store_true", help="a smoke run: its figures mean nothing")
    parser.add_argument("--rounds", type=int, help="every figure is the median of so many; default 11")
    parser.add_argument("--out", metavar="FOLDER", help="write the texts of gc_graph_optimize_text() there")
    options = parser.parse_args()
    options.rounds = options.rounds or (2 if options.quick else 11)
    if not torch.cuda.is_available():
        rival.skip("PyTorch finds no GPU")
    torch.backends.cuda.enable_cudnn_sdp(False)
    torch.manual_seed(3)
    beside = os.path.join(HERE, "..", "..", "lib", "libgraphcap.so.0")
    gc = Graphcap(options.library or os.environ.get("GRAPHCAP_LIBRARY") or beside)
    settings = torch_capture.ContextOptions(ctypes.sizeof(torch_capture.ContextOptions), torch_capture.DEVICE_CUDA,
                                            torch.cuda.current_device(), 0)
    context = gc.made(gc.gc_context_create, ctypes.byref(settings))
    works = [lambda batch=int(batch): Decode(batch) for batch in options.batch.split(",") if batch] + [Experts]
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name()}; us per replay", flush=True)
    is_good = True
    for make in works:
        work = make()
        figures, is_right = measure(gc, context, work, options)
        base = figures["PyTorch"]
        cells = ", ".join(f"{way} {us:.1f} ({base / us:.3f})" for way, us in figures.items())
        print(f"| {work.name} | {cells} |", flush=True)
        optimized = [us for way, us in figures.items() if way in ("trusted", "observed")]
        is_good = is_good and is_right and (options.quick or all(us <= MOST_SLOWER * base for us in optimized))
        del work
        torch.cuda.empty_cache()
    gc.gc_context_destroy(context)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
