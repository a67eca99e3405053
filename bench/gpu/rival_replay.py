#!/usr/bin/env python3
"""A replay by graphcap's Python package and CuPy's Graph.launch(), in turns in one process, of chains of one kernel.

    python3 rival_replay.py [--rounds N] [--out FOLDER] [--quick]

Processes differ by more than the two do: the driver's own launch of 1,000 nodes takes twice as long in one as in another. So
both are measured in one, each batch of one behind a batch of the other, and the driver's launch of each exec through ctypes beside
them. On stdout, and with --out in a file: a line for each number of nodes and way, with the least, the quartiles and the median, in ns.

Exit code 77: graphcap, CuPy or NumPy is not installed, or there is no GPU.
"""

import argparse
import ctypes
import functools
import itertools
import os
import statistics
import time

import rival

try:
    import cupy_chain
    import graphcap
    import numpy
except ImportError as error:
    rival.skip(f"a package is not installed ({error})")
try:
    context = graphcap.Context("cuda")
except graphcap.Error as error:
    rival.skip(f"graphcap finds no GPU ({error})")

driver = ctypes.CDLL("libcuda.so.1")
driver.cuGraphLaunch.argtypes = [ctypes.c_void_p, ctypes.c_void_p]


def by_driver(graph_exec, stream):
    """The driver's launch, which ctypes calls."""
    return functools.partial(driver.cuGraphLaunch, ctypes.c_void_p(graph_exec), ctypes.c_void_p(stream))


def of_cupy(nodes):
    """CuPy's launch, the driver's, and what both need."""
    graph, stream, memory = cupy_chain.captured(nodes)
    return functools.partial(graph.launch, stream), by_driver(graph.graphExec, stream.ptr), (memory, stream, graph)


def of_graphcap(nodes):
    """graphcap's replay, the driver's launch, and what both need."""
    with open(rival.PTX, encoding="ascii") as text:
        bump = graphcap.Module(context, text.read())["bump"]
    stream = graphcap.Stream(context, non_blocking=True)
    total, step = (graphcap.Buffer.of(context, numpy.array([number], "u4")) for number in (0, 1))
    with graphcap.capture(stream) as capture:
        for _ in range(nodes):
            stream.launch(bump, 1, 1, total, step, 1)
    graph_exec = capture.instantiate()
    graph_exec.replay()
    stream.synchronize()
    return graph_exec.replay, by_driver(graph_exec.native, stream.native), (total, step, stream, capture, graph_exec)


def main():
    parser = argparse.ArgumentParser(description="graphcap's replay and CuPy's, in turns in one process")
    parser.add_argument("--quick", action="store_true", help="a smoke run: its figures mean nothing")
    parser.add_argument("--rounds", type=int, help="how many batches of each are measured; default 64")
    parser.add_argument("--out", metavar="FOLDER", help="write the figures into a CSV file there as well")
    options = parser.parse_args()
    rounds = options.rounds or (7 if options.quick else 64)
    lines = ["way,nodes,least_ns,lower_quartile_ns,median_ns,upper_quartile_ns"]
    print(lines[0], flush=True)
    for nodes, batch in rival.BATCHES.items():
        if options.quick and nodes > 10:
            break
        theirs, ours = of_cupy(nodes), of_graphcap(nodes)
        ways = {"cupy": theirs[0], "graphcap": ours[0], "driver, cupy's": theirs[1], "driver, graphcap's": ours[1]}
        figures = {way: [] for way in ways}
        for number in range(rival.WARM_UPS + rounds):
            for way, launch in ways.items():
                start = time.perf_counter_ns()
                for _ in itertools.repeat(None, batch):
                    launch()
                end = time.perf_counter_ns()
                driver.cuCtxSynchronize()
                if number >= rival.WARM_UPS:
                    figures[way].append((end - start) / batch)
        for way, taken in figures.items():
            quartiles = ",".join(f"{figure:.0f}" for figure in statistics.quantiles(taken, n=4))
            lines.append(f'"{way}",{nodes},{min(taken):.0f},{quartiles}')
            print(lines[-1], flush=True)
    if options.out:
        with open(os.path.join(options.out, "rival_replay.csv"), "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")


main()
