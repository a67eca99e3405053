"""python -m graphcap info | draw FILE | diff FILE FILE: the library and its devices, and graphs that `Graph.json` wrote."""

from __future__ import annotations

import argparse
import difflib
import json
import pathlib
import sys
from typing import Any

import graphcap

from ._draw import svg


def _read(path: str) -> dict[str, Any]:
    try:
        read: dict[str, Any] = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as failed:
        raise SystemExit(f"graphcap: {failed}") from None
    except ValueError as failed:
        raise SystemExit(f"graphcap: {path} is no JSON: {failed}") from None
    if not isinstance(read, dict) or read.get("format") != "graphcap graph":  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SystemExit(f"graphcap: {path} is not what Graph.json() writes")
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
    else:
        pathlib.Path(output).write_text(picture, encoding="utf-8")
    return 0


def _diff(first: str, second: str) -> int:
    texts = [json.dumps(_read(path), indent=1, sort_keys=True).splitlines() for path in (first, second)]
    lines = list(difflib.unified_diff(texts[0], texts[1], first, second, lineterm="", n=2))
    print("\n".join(lines) if lines else "the graphs are the same")
    return 1 if lines else 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line; returns the exit status. `diff` returns 1 where the graphs differ.

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


if __name__ == "__main__":
    sys.exit(main())
