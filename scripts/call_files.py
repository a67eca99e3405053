#!/usr/bin/env python3
"""Follows four calls through the source files of graphcap, in the thread that calls: counts the files with a function that runs, and
lists files and functions in order.

usage: scripts/call_files.py [--device host|cuda] [--count] [CALL...]

It builds the library without optimization, call_files.c and the stand-in for NVIDIA's driver, and runs the program by valgrind's
callgrind. Where a function is called from several places, the calls within it are listed once for each caller. The pages of
docs/architecture have the counts.
"""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALLS = ["gc_stream_launch_kernel", "gc_graph_launch", "gc_stream_end_capture", "gc_graph_exec_update"]
# Functions as callgrind names them: those of Rust, and the exported ones.
OURS = re.compile(r"<?(graphcap|gc_)")
# The order of locks, which builds with debug assertions alone look after.
ONLY_CHECKED = "crates/base/src/lock/order.rs"


def run(*command, **environment):
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, **environment})


def read(path):
    """The output of callgrind: the file of each function, and the functions that it calls, by the line of the call."""
    names, files, called = {}, {}, {}
    file = function = callee = None

    def name_of(kind, text):
        number, name = re.match(r"\((\d+)\)(?: (.*))?$", text).groups()
        if name:
            names[kind, number] = name
        return names[kind, number]

    for line in path.read_text(encoding="utf-8").split("\n"):
        key, _, value = line.partition("=")
        if key in ("fl", "fi", "fe", "cfi", "cfl"):
            named = name_of("file", value)
            file = named if key == "fl" else file
        elif key == "fn":
            function = name_of("function", value)
            files[function] = file
        elif key == "cfn":
            callee = name_of("function", value)
        elif callee and re.match(r"[+*\d-]", line):
            called.setdefault(function, []).append(callee)
            callee = None
    return files, called


def short(function):
    """The last two parts of a function's path, with the type in the place of its impl."""
    function = re.sub(r"<impl ([^<>]+)>", lambda match: match[1].split("::")[-1], function.split("'")[0])
    return "::".join(function.split("::")[-2:])


def followed(path):
    """The files in the order in which the call comes to them, each with its functions there."""
    files, called = read(path)
    seen, steps, waiting = set(), [], [function for function in files if function.split("'")[0] == "way"]
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        source = os.path.relpath(os.path.join(ROOT, files.get(function) or ""), ROOT)
        if OURS.match(function) and re.match(r"(src|crates/\w+/src)/", source) and source != ONLY_CHECKED:
            if not steps or steps[-1][0] != source:
                steps.append((source, []))
            if short(function) not in steps[-1][1]:
                steps[-1][1].append(short(function))
        waiting += reversed(called.get(function, []))
    return steps


def layer(source):
    return source.split("/")[1] if source.startswith("crates/") else "ffi"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["host", "cuda"], action="append")
    parser.add_argument("--count", action="store_true", help="tell the counts alone")
    parser.add_argument("calls", nargs="*", default=CALLS, metavar="CALL")
    arguments = parser.parse_args()
    run("cargo", "build", "--quiet")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        driver = folder / "libcuda.so.1"
        sources = sorted((ROOT / "c_tests/stand_in/driver").glob("*.c"))
        run("cc", "-std=c11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread", "-DSTAND_IN_DRIVER_VERSION=13000",
            *sources, "-o", driver)
        (folder / "libgraphcap.so.0").symlink_to(ROOT / "target/debug/libgraphcap.so")
        run("cc", "-std=c11", "-g", "-Iinclude", "scripts/call_files.c", "-o", folder / "call_files",
            folder / "libgraphcap.so.0", f"-Wl,-rpath,{folder}")
        for device in arguments.device or ["host", "cuda"]:
            for call in arguments.calls:
                out = folder / f"{device}.{call}"
                run("valgrind", "--quiet", "--tool=callgrind", "--toggle-collect=way", "--separate-callers=6",
                    f"--callgrind-out-file={out}", folder / "call_files", call,
                    GRAPHCAP_DEVICE=device, GRAPHCAP_CUDA_LIBRARY=str(driver))
                steps = followed(out)
                files = {source for source, _ in steps}
                layers = [layer(source) for source in files]
                parts = ", ".join(f"{name} {layers.count(name)}" for name in dict.fromkeys(layer(source) for source, _ in steps))
                print(f"{call} on the {device} device: {len(files)} files ({parts})")
                for source, functions in [] if arguments.count else steps:
                    print(f"  {source}: {', '.join(functions)}")


if __name__ == "__main__":
    main()
