"""Code that the rivals share: how a launch is timed, and how a figure is written.

A rival is a script that builds a graph of n kernels in a chain with another library and measures the CPU time of one
launch, as graphcap-bench-gpu measures gc_graph_launch: so few launches at a time that the driver's queue never fills,
one wait after them outside of the time, the median of many such batches. What Python itself adds is in the figure.

On stdout, and with --out in a file of the script's name: CSV, a line for each n. All else goes to stderr. Exit code 77:
the rival is not installed, or there is no GPU.
"""

import argparse
import itertools
import os
import statistics
import sys
import time

PTX = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernel.ptx")
BATCHES = {1: 50, 10: 50, 100: 20, 1000: 10}  # as in launch.c
WARM_UPS = 6
HEAD = "rival,version,nodes,launch_ns,rounds"


def skip(reason):
    print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(77)


def launch_ns(launch, synchronize, batch, rounds):
    """The median of the ns that a call of launch takes."""
    figures = []
    for number in range(WARM_UPS + rounds):
        start = time.perf_counter_ns()
        for _ in itertools.repeat(None, batch):
            launch()
        end = time.perf_counter_ns()
        synchronize()
        if number >= WARM_UPS:
            figures.append((end - start) / batch)
    return statistics.median(figures)


def measure(name, version, build):
    """build(n) answers launch, synchronize and ran; ran() is how often the kernels of the chain have run in all."""
    parser = argparse.ArgumentParser(description=f"CPU time of a graph launch with {name}")
    parser.add_argument("--quick", action="store_true", help="a smoke run: its figures mean nothing")
    parser.add_argument("--rounds", type=int, help="how many batches are measured; default 301")
    parser.add_argument("--out", metavar="FOLDER", help="write the figures into a CSV file there as well")
    options = parser.parse_args()
    rounds = options.rounds or (7 if options.quick else 301)
    lines = [HEAD]
    print(HEAD, flush=True)
    for nodes, batch in BATCHES.items():
        if options.quick and nodes > 10:
            break
        launch, synchronize, ran = build(nodes)
        synchronize()
        before = ran()
        figure = launch_ns(launch, synchronize, batch, rounds)
        runs, wanted = ran() - before, nodes * batch * (rounds + WARM_UPS)
        if runs != wanted:
            print(f"{name}: the kernels of {nodes} nodes ran {runs} times, not {wanted}", file=sys.stderr)
            sys.exit(1)
        lines.append(f"{name},{version},{nodes},{figure:.1f},{rounds}")
        print(lines[-1], flush=True)
    if options.out:
        script = os.path.splitext(os.path.basename(sys.argv[0]))[0]
        with open(os.path.join(options.out, script + ".csv"), "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
