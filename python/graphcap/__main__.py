"""python -m graphcap info | draw FILE | diff FILE FILE: the library and its devices, and graphs that `Graph.json` wrote."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import pathlib
import sys
from typing import Any, NoReturn

import graphcap

from ._draw import svg


def _fail(message: str) -> NoReturn:
    print(f"graphcap: {message}", file=sys.stderr)
    raise SystemExit(2)


def _read(path: str) -> dict[str, Any]:
    try:
        read: dict[str, Any] = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as failed:
        _fail(str(failed))
    except ValueError as failed:
        _fail(f"{path} is no JSON: {failed}")
    if not isinstance(read, dict) or read.get("format") != "graphcap graph":  # pyright: ignore[reportUnnecessaryIsInstance]
        _fail(f"{path} is not what Graph.json() writes")
    return read


def _info() -> int:
    print(f"pygraphcap {graphcap.__version__}, libgraphcap {graphcap.raw.gc_version_string()}")
    print(f"library: {graphcap.get_library()} ({graphcap.library_origin()})")
    print(f"headers: {graphcap.get_include()}")
    for kind in ("cuda", "host"):
        try:
            count = graphcap.device_count(kind)
            names = [graphcap.device_name(kind, ordinal) for ordinal in range(count)]
            print(f"{kind}: {', '.join(names) if names else 'none'}")
        except graphcap.Error as failed:
            print(f"{kind}: {failed.message}")
    print(f"device 'auto': {graphcap.raw.gc_device_auto_reason()}")
    return 0


def _draw(path: str, output: str | None) -> int:
    read = _read(path)
    picture = svg(read, str(read.get("name", "")))
    if output is None:
        print(picture)
        return 0
    try:
        pathlib.Path(output).write_text(picture, encoding="utf-8")
    except OSError as failed:
        _fail(f"{output}: {failed.strerror}")
    return 0


def _diff(first: str, second: str) -> int:
    texts = [json.dumps(_read(path), indent=1, sort_keys=True).splitlines() for path in (first, second)]
    lines = list(difflib.unified_diff(texts[0], texts[1], first, second, lineterm="", n=2))
    print("\n".join(lines) if lines else "the graphs are the same")
    return 1 if lines else 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line; returns the exit status. `diff` returns 1 where the graphs differ. Raises SystemExit(2) where it fails.

    >>> from graphcap.__main__ import main
    >>> main(["info"])  # doctest: +ELLIPSIS
    pygraphcap...
    0
    """
    parser = argparse.ArgumentParser(prog="python -m graphcap", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("info", help="the library, its version, and the devices")
    draw = commands.add_parser("draw", help="a picture of a graph, as SVG")
    draw.add_argument("file", help="what Graph.json() wrote")
    draw.add_argument("-o", "--output", help="where to write it; without, to the standard output")
    diff = commands.add_parser("diff", help="what differs in two graphs")
    diff.add_argument("first")
    diff.add_argument("second")
    given = parser.parse_args(arguments)
    if given.command == "info":
        return _info()
    if given.command == "draw":
        return _draw(given.file, given.output)
    return _diff(given.first, given.second)


def _run() -> int:
    """Runs main() in a process of its own. A reader that has read enough, such as `head`, is no failure."""
    try:
        try:
            return main()
        finally:
            print(end="", flush=True)
    except OSError as failed:
        # What was not written stays in the buffer; Python would write it again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(failed, BrokenPipeError):
            return 0
        _fail(f"standard output: {failed.strerror}")


if __name__ == "__main__":
    sys.exit(_run())
