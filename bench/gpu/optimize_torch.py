#!/usr/bin/env python3
"""PyTorch work that is captured on one stream and made faster by gc_graph_optimize(), beside captures on many streams.

    GRAPHCAP_LIBRARY=path/to/libgraphcap.so.0 python3 optimize_torch.py [--out FOLDER] [--quick] [--filter TEXT]

Each work is branches that have nothing to do with each other. It is captured by PyTorch on one stream and on 8 to 64; by graphcap
on as many streams, with a kernel before all and one behind all (GRAPHCAP_OPTIMIZE_SHAPE_ONLY); and by graphcap on one wrapped stream,
from which gc_graph_optimize() makes what it can: GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS and GRAPHCAP_OPTIMIZE_MEASURE, with each tensor
known as a buffer. The outputs of each graph are compared with those of the same work run eagerly.

The figures are us per replay, launched one behind another, medians of rounds in which all graphs take turns. Where the optimized
graph is slower than the best one by more than a tenth, the text of gc_graph_optimize_text() says what is in the way.

cuBLAS works in memory that all products of a stream share, so products that are captured on one stream stay in order. With
CUBLAS_WORKSPACE_CONFIG=:0:0 it does without. PyTorch reads that once in a process, so both are measured, each in a process of its own.

Exit code 77: there is no PyTorch, or no GPU. 1: outputs differ, or the optimized graph is slower than the chain.
"""

import argparse
import contextlib
import ctypes
import os
import statistics
import subprocess
import sys
import time
from ctypes import POINTER, Structure, byref, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples", "python"))
import torch_capture  # noqa: E402  skips itself where there is no PyTorch
from torch_capture import torch  # noqa: E402

import rival  # noqa: E402

SHAPE_ONLY, TRUST_PARAMETERS, MEASURE = 1, 2, 4
CANDIDATES = 8
MOST_BYTES = 32 << 30  # of what is saved while graphs are measured: all that parameters point to counts as written
NON_BLOCKING = 1
STREAMS = (8, 16, 32, 64)
MOST_OF_BEST = 1.10
HEAD = "work,workspace,graph,streams,us_per_replay"
WORKSPACES = {"cublas": None, "none": ":0:0"}


class StreamOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("priority", c_int32), ("reserved", c_uint32)]


class OptimizeOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("lanes", c_uint32), ("permits", c_uint32),
                ("max_bytes", c_uint64)]


class Candidate(Structure):
    _fields_ = [("edges", c_int32), ("lanes", c_uint32), ("added_node_count", c_uint64), ("pipelined_ns", c_uint64),
                ("single_ns", c_uint64), ("launch_ns", c_uint64)]


class OptimizeReport(Structure):
    _fields_ = [("struct_size", c_uint32), ("edges", c_int32), ("lanes", c_uint32), ("candidate_count", c_uint32),
                ("node_count", c_uint64), ("added_node_count", c_uint64), ("edges_before", c_uint64),
                ("edges_after", c_uint64), ("path_before", c_uint64), ("path_after", c_uint64), ("barrier_count", c_uint64),
                ("chosen_candidate", c_uint32), ("reserved", c_uint32), ("candidates", Candidate * CANDIDATES),
                ("inner_graph_count", c_uint64), ("inner_changed_count", c_uint64)]


class Graphcap(torch_capture.Graphcap):
    SIGNATURES = {
        **torch_capture.Graphcap.SIGNATURES,
        "gc_stream_create": [c_void_p, POINTER(StreamOptions), POINTER(c_void_p)],
        "gc_object_native": [c_void_p, POINTER(c_void_p)],
        "gc_buffer_wrap": [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_buffer_destroy": [c_void_p],
        "gc_graph_optimize": [c_void_p, POINTER(OptimizeOptions), POINTER(c_void_p), c_void_p, POINTER(OptimizeReport)],
        "gc_graph_optimize_text": [c_void_p, POINTER(OptimizeOptions), c_char_p, c_size_t, POINTER(c_size_t)],
    }

    def optimized(self, graph, flags):
        """Another graph, and the report."""
        options = OptimizeOptions(ctypes.sizeof(OptimizeOptions), flags, 0, 0, MOST_BYTES)
        report = OptimizeReport(struct_size=ctypes.sizeof(OptimizeReport))
        result = c_void_p()
        self.gc_graph_optimize(graph, byref(options), byref(result), None, byref(report))
        return result, report

    def text(self, graph, flags):
        options = OptimizeOptions(ctypes.sizeof(OptimizeOptions), flags, 0, 0, 0)
        text = ctypes.create_string_buffer(1 << 16)
        needed = c_size_t()
        try:
            self.gc_graph_optimize_text(graph, byref(options), text, len(text), byref(needed))
        except RuntimeError as error:
            return text.value.decode(errors="replace") or str(error)  # what was cut is longer than anybody reads
        return text.value.decode()


# ---- The works. A branch is a function that submits, the tensors that it uses, and those of them that it writes last. ----


def tensor(*shape, dtype=torch.float32, scale=1.0):
    return (torch.randn(*shape, device="cuda") * scale).to(dtype)


def product(m, k, n, dtype):
    x, weights, out = tensor(m, k, dtype=dtype), tensor(k, n, dtype=dtype, scale=k**-0.5), tensor(m, n, dtype=dtype)
    return lambda: torch.mm(x, weights, out=out), [x, weights, out], [out]


def element_wise(count):
    x, a, b, out = (tensor(count) for _ in range(4))

    def run():
        torch.mul(x, 1.5, out=a)
        torch.add(a, x, out=b)
        torch.clamp(b, min=0.0, out=out)

    return run, [x, a, b, out], [a, b, out]


def transforms(batch, length):
    x, out = tensor(batch, length), tensor(batch, length)
    numbers = torch.empty(batch, length // 2 + 1, dtype=torch.complex64, device="cuda")

    def run():
        torch.fft.rfft(x, out=numbers)
        torch.fft.irfft(numbers, n=length, out=out)

    return run, [x, numbers, out], [out]


def perceptron(batch, width):
    x, hidden, active, out = (tensor(batch, width) for _ in range(4))
    first, second = (tensor(width, width, scale=width**-0.5) for _ in range(2))

    def run():
        torch.mm(x, first, out=hidden)
        torch.clamp(hidden, min=0.0, out=active)
        torch.mm(active, second, out=out)

    return run, [x, hidden, active, out, first, second], [out]


HALF = torch.float16
WORKS = {
    "experts-16x1024x1024": (64, lambda: product(16, 1024, 1024, HALF)),
    "experts-4x512x1024": (64, lambda: product(4, 512, 1024, HALF)),
    "experts-64x2048x4096": (16, lambda: product(64, 2048, 4096, HALF)),
    "element-wise-64k": (128, lambda: element_wise(1 << 16)),
    "element-wise-4m": (32, lambda: element_wise(1 << 22)),
    "fft-pairs-8x4096": (48, lambda: transforms(8, 4096)),
    "mm-relu-mm": (64, lambda: perceptron(64, 512)),
}


class Work:
    """The branches of a work, and what they answer when they run eagerly."""

    def __init__(self, name, count, make, origin, streams):
        self.name, self.origin, self.streams = name, origin, streams
        branches = [make() for _ in range(count)]
        self.runs = [run for run, _, _ in branches]
        self.tensors = [one for _, tensors, _ in branches for one in tensors]
        self.outputs = [one for _, _, outputs in branches for one in outputs]
        torch.cuda.synchronize()
        for stream in (self.origin, *self.streams):  # each stream has a workspace of cuBLAS's, made at its first product
            with torch.cuda.stream(stream):
                for _ in range(2):
                    for run in self.runs[:2]:
                        run()
        with torch.cuda.stream(self.origin):
            for run in self.runs:
                run()
        torch.cuda.synchronize()
        self.eager = [one.clone() for one in self.outputs]
        torch.cuda.synchronize()

    def submit(self, count):
        """Submits all branches to the current stream, or to so many others that it waits for."""
        if count == 1:
            for run in self.runs:
                run()
            return
        begin = torch.cuda.current_stream()
        used = self.streams[:min(count, len(self.runs))]
        for stream in used:
            stream.wait_stream(begin)
        for number, run in enumerate(self.runs):
            with torch.cuda.stream(used[number % len(used)]):
                run()
        for stream in used:
            begin.wait_stream(stream)

    def check(self, launch, what):
        """A replay must write the outputs anew. Products may be summed in another order than eagerly."""
        with torch.cuda.stream(self.origin):
            for one in self.outputs:
                one.fill_(float("nan"))
            launch()
        torch.cuda.synchronize()
        for number, (found, wanted) in enumerate(zip(self.outputs, self.eager)):
            tolerance = 1e-2 if found.dtype == HALF else 1e-3
            if not torch.allclose(found, wanted, rtol=tolerance, atol=tolerance):
                raise RuntimeError(f"{self.name}, {what}: output {number} is not what the work answers eagerly")


# ---- The graphs. Each is a function that launches it once on the origin, and what has to be closed at the end. ----


def of_torch(work, count):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=work.origin, capture_error_mode="thread_local"):
        work.submit(count)
    return graph.replay, lambda: graph.reset()


def of_graphcap(gc, work, wrapped, count, flags):
    """Also the report, and the text that says what is in the way."""
    pool = torch.cuda.MemPool()
    recorded, _ = torch_capture.capture(gc, work.origin, wrapped, pool, lambda: work.submit(count))
    graph, report = gc.optimized(recorded, flags)
    text = "" if flags & SHAPE_ONLY else gc.text(recorded, flags & ~MEASURE)
    graph_exec = gc.made(gc.gc_graph_instantiate, graph, None)
    gc.gc_graph_destroy(graph)
    gc.gc_graph_destroy(recorded)
    gc.gc_graph_upload(graph_exec, wrapped)

    def close(_keeps=[pool]):  # the graph exec writes to the pool's memory
        gc.gc_graph_exec_destroy(graph_exec)
        _keeps.clear()

    return (lambda: gc.gc_graph_launch(graph_exec, wrapped)), close, report, text


def replay_us(work, launch, replays):
    torch.cuda.synchronize()
    start = time.perf_counter_ns()
    with torch.cuda.stream(work.origin):
        for _ in range(replays):
            launch()
    torch.cuda.synchronize()
    return (time.perf_counter_ns() - start) / replays / 1e3


def time_all(work, launches, rounds):
    """Medians of us per replay. All graphs take turns, so that what changes with time changes for all."""
    replays = {key: max(3, min(50, int(10e3 / replay_us(work, launch, 3)))) for key, launch in launches.items()}
    figures = {key: [] for key in launches}
    for _ in range(rounds):
        for key, launch in launches.items():
            figures[key].append(replay_us(work, launch, replays[key]))
    return {key: statistics.median(values) for key, values in figures.items()}


@torch.no_grad()
def measure(gc, context, work, rounds, streams):
    """Figures by (graph, streams), the report and the text of the optimized graph."""
    wrapped = gc.made(gc.gc_stream_wrap, context, work.origin.cuda_stream)
    buffers = []
    for one in work.tensors:
        buffers.append(gc.made(gc.gc_buffer_wrap, context, one.data_ptr(), one.numel() * one.element_size(), None, None))
    launches, closes = {}, []
    for count in (1, *streams):
        print(f"{work.name}: {count} streams", file=sys.stderr)
        launches["captured", count], close = of_torch(work, count)
        closes.append(close)
        if count > 1:
            launches["shape only", count], close, _, _ = of_graphcap(gc, work, wrapped, count, SHAPE_ONLY)
            closes.append(close)
    flags = TRUST_PARAMETERS | MEASURE
    launches["optimized", 1], close, report, text = of_graphcap(gc, work, wrapped, 1, flags)
    closes.append(close)
    for (graph, count), launch in launches.items():
        work.check(launch, f"{graph} on {count} streams")
    figures = time_all(work, launches, rounds)
    for (graph, count), launch in launches.items():
        work.check(launch, f"{graph} on {count} streams, at the end")
    launches.clear()
    for close in closes:
        close()
    for buffer in buffers:
        gc.gc_buffer_destroy(buffer)
    gc.gc_stream_destroy(wrapped)
    return figures, report, text


def print_row(work, figures, report, text, streams):
    """Prints a row; answers whether the optimized graph is within what is promised of the best, and not slower than the chain."""
    chain, optimized = figures["captured", 1], figures["optimized", 1]
    by_streams = {graph: [figures[graph, count] for count in streams] for graph in ("captured", "shape only")}
    best = min(chain, *by_streams["captured"], *by_streams["shape only"])
    columns = " | ".join(" / ".join(f"{us:.0f}" for us in by_streams[graph]) for graph in by_streams)
    print(f"| {work.name} | {chain:.0f} | {columns} | {optimized:.0f} | {optimized / best:.2f} | {chain / optimized:.2f} |",
          flush=True)
    is_near = optimized <= MOST_OF_BEST * best
    if not is_near:
        print(f"  {report.barrier_count} of {report.node_count} nodes keep their place; path {report.path_before} before, "
              f"{report.path_after} after, {report.lanes} lanes")
        for line in text.splitlines()[:24]:
            print(f"  {line}")
    return is_near, optimized <= 1.02 * chain


def measure_all(options, workspace):
    """All works in this process. Answers the lines of the CSV file, and whether no optimized graph is slower than the chain."""
    beside = os.path.join(HERE, "..", "..", "lib", "libgraphcap.so.0")
    gc = Graphcap(options.library or os.environ.get("GRAPHCAP_LIBRARY") or beside)
    settings = torch_capture.ContextOptions(ctypes.sizeof(torch_capture.ContextOptions), torch_capture.DEVICE_CUDA,
                                            torch.cuda.current_device(), 0)
    context = gc.made(gc.gc_context_create, byref(settings))
    streams = STREAMS[:1] if options.quick else STREAMS
    torch.manual_seed(3)
    # So that products of float32 are summed alike in all graphs.
    torch.backends.cuda.matmul.allow_tf32 = False
    # torch.cuda.Stream() gives 32 streams in turn; more of them would be the same ones again.
    option = StreamOptions(ctypes.sizeof(StreamOptions), NON_BLOCKING, 0, 0)
    owned = [gc.made(gc.gc_stream_create, context, byref(option)) for _ in range(max(STREAMS))]
    natives = [gc.made(gc.gc_object_native, stream).value for stream in owned]
    origin, side = torch.cuda.Stream(), [torch.cuda.ExternalStream(native) for native in natives]
    lines, near, rows, is_faster = [], 0, 0, True
    print(f"\nPyTorch {torch.__version__} on {torch.cuda.get_device_name()}, workspace of cuBLAS: {workspace}; us per replay\n")
    print(f"| work | chain | captured on {' / '.join(map(str, streams))} | shape only | optimized | of best | gain |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for name, (count, make) in WORKS.items():
        if options.filter not in name:
            continue
        work = Work(name, max(2, count // 8) if options.quick else count, make, origin, side)
        figures, report, text = measure(gc, context, work, options.rounds, streams)
        is_near, is_not_slower = print_row(work, figures, report, text, streams)
        lines += [f"{name},{workspace},{graph},{on},{us:.2f}" for (graph, on), us in figures.items()]
        near, rows, is_faster = near + is_near, rows + 1, is_faster and is_not_slower
        del work
        torch.cuda.empty_cache()
    print(f"\n{near} of {rows} within {MOST_OF_BEST} of the best column; "
          f"{'none' if is_faster else 'SOME'} slower than the chain", flush=True)
    for stream in owned:
        gc.gc_stream_destroy(stream)
    gc.gc_context_destroy(context)
    left = gc.library.gc_live_handles()
    if left:
        print(f"{left} handles are left", file=sys.stderr)
    return lines, left == 0 and (is_faster or options.quick)


def measure_in_processes(options):
    """A process for each workspace. Answers the lines of all, and whether all were right."""
    lines, is_right = [], True
    for workspace, setting in WORKSPACES.items():
        environment = {key: value for key, value in os.environ.items() if key != "CUBLAS_WORKSPACE_CONFIG"}
        if setting:
            environment["CUBLAS_WORKSPACE_CONFIG"] = setting
        read, write = os.pipe()
        command = [sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--workspace", workspace, "--lines", str(write)]
        with subprocess.Popen(command, env=environment, pass_fds=[write]) as process:
            os.close(write)
            with open(read, encoding="ascii") as pipe:
                lines += pipe.read().splitlines()
        is_right = is_right and process.returncode == 0
    return lines, is_right


def main():
    parser = argparse.ArgumentParser(description="PyTorch work on one stream, made faster by gc_graph_optimize().")
    parser.add_argument("library", nargs="?", help="libgraphcap.so.0; default: GRAPHCAP_LIBRARY, or ../../lib")
    parser.add_argument("--quick", action="store_true", help="a smoke run: its figures mean nothing")
    parser.add_argument("--rounds", type=int, help="every figure is the median of so many; default 11")
    parser.add_argument("--filter", default="", help="only works with this text in their names")
    parser.add_argument("--out", metavar="FOLDER", help="write the figures into a CSV file there as well")
    parser.add_argument("--workspace", choices=WORKSPACES, help=argparse.SUPPRESS)
    parser.add_argument("--lines", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.rounds = options.rounds or (2 if options.quick else 11)
    if not torch.cuda.is_available():
        rival.skip("PyTorch finds no GPU")
    if not hasattr(torch.cuda, "MemPool"):
        rival.skip(f"PyTorch {torch.__version__} has no torch.cuda.MemPool; 2.5 is the first that has it")
    if options.workspace:
        lines, is_right = measure_all(options, options.workspace)
        with open(options.lines, "w", encoding="ascii") if options.lines else contextlib.nullcontext(sys.stdout) as file:
            file.write("\n".join(lines) + "\n")
        return 0 if is_right else 1
    lines, is_right = measure_in_processes(options)
    if options.out:
        with open(os.path.join(options.out, "optimize_torch.csv"), "w", encoding="ascii") as file:
            file.write("\n".join([HEAD, *lines]) + "\n")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
