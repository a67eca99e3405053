#!/usr/bin/env python3
"""A feed-forward block of a transformer, and what draws the next token: a graph of graphcap's (the kernels of
examples/c/transformer_block.cu, products by cuBLAS) beside PyTorch's CUDAGraph of the same work, as one writes it there. Both
have one set of weights in one memory, fp32 without TF32, and one libcublas.

First, for several inputs: the logits of both are compared with each other and with a calculation in float64, and the tokens that
graphcap drew with their probabilities. Exit code 1: something is wrong. Then the time of a replay, of many in a row, both in
turn, the medians and the ratio of each round's times. "logits" is the block without the drawing of tokens.

On stdout, and with --out in a file of the script's name: CSV. All else goes to stderr. Exit code 77: there is no PyTorch, or no
GPU. The library is the file that GRAPHCAP_LIBRARY names, or lib/libgraphcap.so.0 of the bundle."""

import argparse
import ctypes
import os
import statistics
import sys
import time
from ctypes import byref, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

import rival

try:
    import torch
except ImportError as error:
    rival.skip(f"PyTorch is not installed ({error})")
if not torch.cuda.is_available():
    rival.skip("PyTorch finds no GPU")

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SIZES = (16, 64, 256, 100), (64, 512, 2048, 4096)  # tokens, width, hidden, choices
BAR = 1.02
HEAD = "rival,version,part,tokens,width,hidden,choices,graphcap_us,torch_us,ratio,rounds"


def fail(reason):
    print(f"rival_block_torch: {reason}", file=sys.stderr)
    sys.exit(1)


class Block:
    """The weights and the input, which both graphs read."""

    def __init__(self, tokens, width, hidden, choices):
        self.sizes = tokens, width, hidden, choices
        generator = torch.Generator("cuda").manual_seed(17)

        def normal(*shape, scale):
            return torch.randn(shape, device="cuda", generator=generator) * scale

        self.x, self.bias = normal(tokens, width, scale=1), normal(hidden, scale=0.1)
        self.w1, self.w2 = normal(width, hidden, scale=width**-0.5), normal(hidden, choices, scale=2 * hidden**-0.5)

    def logits(self):
        return torch.nn.functional.gelu(torch.addmm(self.bias, self.x, self.w1), approximate="tanh") @ self.w2

    def draw(self):
        logits = self.logits()
        ends = torch.softmax(logits, -1).cumsum(-1)
        return logits, torch.searchsorted(ends, torch.rand(ends.shape[0], 1, device="cuda"), right=True)

    def exact(self):
        inner = torch.addmm(self.bias.double(), self.x.double(), self.w1.double())
        return torch.nn.functional.gelu(inner, approximate="tanh") @ self.w2.double()


class Torchs:
    """PyTorch's graph of a function."""

    def __init__(self, work, side):
        with torch.cuda.stream(side):
            for _ in range(3):
                work()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, capture_error_mode="thread_local"):
            self.result = work()
        self.replay = self.graph.replay


class Graphcaps:
    """graphcap's graph of a block, on a stream of PyTorch's. A tensor in row-major order is its transpose in column-major order,
    so that the products are the same."""

    def __init__(self, gc, context, module, wrapped, block, draws):
        tokens, width, hidden, choices = block.sizes
        self.gc, self.made = gc, []
        self.hidden = torch.empty(tokens, hidden, device="cuda")
        self.logits = torch.empty(tokens, choices, device="cuda")
        self.uniform, self.choice = torch.empty(tokens, device="cuda"), torch.empty(tokens, device="cuda", dtype=torch.int32)

        def place(tensor):
            return self.keep("buffer", gc.made("gc_buffer_wrap", context, c_void_p(tensor.data_ptr()), c_size_t(tensor.nbytes), None,
                                               None)), 0

        inner, logits, uniform = place(self.hidden), place(self.logits), place(self.uniform)
        script = self.keep("script", gc.made("gc_script_create", context))
        gc.push_product(script, hidden, tokens, width, place(block.w1), place(block.x), inner)
        gc.push_kernel(script, module, b"bias_gelu", -(-tokens * hidden // 256), 256, [inner, place(block.bias)], hidden,
                       tokens * hidden)
        gc.push_product(script, choices, tokens, hidden, place(block.w2), inner, logits)
        if draws:
            rng = self.keep("rng", gc.made("gc_rng_create", wrapped, c_uint64(17), c_uint64(0)))
            gc.push_uniform(script, rng, *uniform, tokens)
            gc.push_kernel(script, module, b"sample", tokens, 128, [logits, uniform, place(self.choice)], choices)
        graph = self.keep("graph", gc.made("gc_script_record", script, wrapped, c_int32(gc.CAPTURE_THREAD_LOCAL), None))
        graph_exec = self.keep("graph_exec", gc.made("gc_graph_instantiate", graph, None))
        gc.call("gc_graph_upload", graph_exec, wrapped)
        launch = gc.GC.gc_graph_launch
        self.replay = lambda: launch(graph_exec, wrapped)

    def keep(self, kind, handle):
        self.made.append((kind, handle))
        return handle

    def destroy(self):
        for kind, handle in reversed(self.made):
            self.gc.call(f"gc_{kind}_destroy", handle)


def check(block, ours, theirs):
    """Compares results for several inputs."""
    worst = 0.0
    for _ in range(5):
        block.x.normal_()
        ours.logits.fill_(float("nan"))
        if ours.replay() != 0:
            fail("a graph of graphcap's was not launched")
        theirs.replay()
        torch.cuda.synchronize()
        exact, result = block.exact(), theirs.result[0]
        worst = max(worst, (ours.logits - result).abs().max().item())
        for first, second in ((ours.logits.double(), exact), (result.double(), exact), (ours.logits, result)):
            if not torch.allclose(first, second, rtol=1e-4, atol=1e-4):
                fail(f"logits differ by {(first - second).abs().max().item():.3g}")
        ends = torch.softmax(exact, -1).cumsum(-1)
        choice = ours.choice.long().unsqueeze(1)
        end = ends.gather(1, choice).squeeze(1)
        begin = end - torch.softmax(exact, -1).gather(1, choice).squeeze(1)
        if not ((ours.uniform > begin - 1e-4) & (ours.uniform < end + 1e-4)).all():
            fail("a token was not drawn by its probability")
    print(f"{block.sizes}: logits differ from PyTorch's by at most {worst:.3g}", file=sys.stderr)


def replay_us(replay, count):
    torch.cuda.synchronize()
    start = time.perf_counter_ns()
    for _ in range(count):
        replay()
    torch.cuda.synchronize()
    return (time.perf_counter_ns() - start) / count / 1000


def measure(ours, theirs, rounds, count=200):
    """The times of a replay, and their ratio: medians of rounds in which both are measured, each first in turn."""
    figures = []
    for number in range(rounds + 3):
        order = (ours, theirs) if number % 2 else (theirs, ours)
        times = {graph: replay_us(graph.replay, count) for graph in order}
        if number >= 3:  # the others warm up
            figures.append((times[ours], times[theirs], times[ours] / times[theirs]))
    return [statistics.median(column) for column in zip(*figures)]


def loaded_cublas():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted({line.split(maxsplit=5)[5].strip() for line in maps if "libcublas.so" in line})


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description="A block of a transformer, replayed by graphcap and by PyTorch")
    parser.add_argument("--quick", action="store_true", help="a smoke run: its figures mean nothing")
    parser.add_argument("--rounds", type=int, help="how many rounds are measured; default 51")
    parser.add_argument("--out", metavar="FOLDER", help="write the figures into a CSV file there as well")
    options = parser.parse_args()
    rounds = options.rounds or (3 if options.quick else 51)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.ones(8, 8, device="cuda") @ torch.ones(8, 8, device="cuda")  # PyTorch loads its libcublas, which graphcap then finds

    sys.path.insert(0, os.path.join(ROOT, "examples", "python"))
    import binding as gc

    gc.GC.gc_graph_launch.argtypes = [c_void_p, c_void_p]
    context = gc.made("gc_context_create", byref(gc.ContextOptions(device_kind=gc.DEVICE_CUDA,
                                                                   device_ordinal=torch.cuda.current_device())))
    module = gc.load(context, os.path.join(ROOT, "examples", "c", "transformer_block.ptx"))
    side = torch.cuda.Stream()
    wrapped = gc.made("gc_stream_wrap", context, c_void_p(side.cuda_stream))
    lines = [HEAD]
    print(HEAD, flush=True)
    for sizes in SIZES:
        block = Block(*sizes)
        for part, draws, work in (("block", True, block.draw), ("logits", False, block.logits)):
            ours, theirs = Graphcaps(gc, context, module, wrapped, block, draws), Torchs(work, side)
            with torch.cuda.stream(side):
                if draws:
                    check(block, ours, theirs)
                figures = measure(ours, theirs, rounds)
            torch.cuda.synchronize()
            ours.destroy()
            lines.append(f"torch,{torch.__version__},{part},{','.join(map(str, sizes))},"
                         f"{figures[0]:.2f},{figures[1]:.2f},{figures[2]:.3f},{rounds}")
            print(lines[-1], flush=True)
            if figures[2] > BAR:
                print(f"{part} of {sizes}: the replay takes more than {BAR} of PyTorch's", file=sys.stderr)
    for kind, handle in (("stream", wrapped), ("module", module), ("context", context)):
        gc.call(f"gc_{kind}_destroy", handle)
    if len(loaded_cublas()) != 1:
        fail(f"the process has several libcublas: {loaded_cublas()}")
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name()}, {loaded_cublas()[0]}", file=sys.stderr)
    if options.out:
        with open(os.path.join(options.out, "rival_block_torch.csv"), "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")


main()
