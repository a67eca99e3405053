"""Pictures of graphs as SVG, without Graphviz: nodes in rows, each below those that it waits for."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

_COLOURS = {
    "kernel": "#cfe2ff", "memcpy": "#d1f0d6", "memset": "#fff1c4", "host": "#f6d6e8", "child": "#e3dcf7", "graph": "#e3dcf7",
    "conditional": "#ffd9c7", "empty": "#eeeeee",
}  # fmt: skip
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _LETTERS, _MOST = 150, 36, 24, 40, 22, 400


def svg(graph: Mapping[str, Any], name: str = "") -> str:
    """The picture of a graph that `Graph.json` wrote."""
    found, kernels = graph["graph"], list(graph["kernels"])
    nodes: list[dict[str, Any]] = list(found["nodes"])
    edges = _edges(found, nodes)
    if len(nodes) > _MOST:
        return _framed(360, 60, [_text(180, 34, f"{len(nodes)} nodes, {len(edges)} edges: too many to draw")])
    rows = _rows(len(nodes), edges)
    widest = max((len(row) for row in rows), default=1)
    width = widest * (_WIDTH + _GAP_X) + _GAP_X
    places: dict[int, tuple[float, float]] = {}
    for depth, row in enumerate(rows):
        left = (width - len(row) * (_WIDTH + _GAP_X) + _GAP_X) / 2
        for place, node in enumerate(row):
            places[node] = (left + place * (_WIDTH + _GAP_X), 20 + depth * (_HEIGHT + _GAP_Y))
    parts: list[str] = []
    for first, last in edges:
        (x, y), (to_x, to_y) = places[first], places[last]
        parts.append(
            f'<path d="M{x + _WIDTH / 2:g},{y + _HEIGHT:g} C{x + _WIDTH / 2:g},{y + _HEIGHT + 20:g} {to_x + _WIDTH / 2:g},{to_y - 20:g} '
            f'{to_x + _WIDTH / 2:g},{to_y:g}" fill="none" stroke="#667" marker-end="url(#end)"/>'
        )
    for number, told in enumerate(nodes):
        x, y = places[number]
        kind, label = _named(told, kernels)
        parts.append(
            f'<g><title>{escape(label)}</title><rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" '
            f'fill="{_COLOURS.get(kind, "#eeeeee")}" stroke="#667"/>{_text(x + _WIDTH / 2, y + 22, label)}</g>'
        )
    height = 20 + max(1, len(rows)) * (_HEIGHT + _GAP_Y)
    if name:
        parts.append(_text(width / 2, 13, name))
    return _framed(width, height, parts)


def _named(node: Mapping[str, Any], kernels: list[dict[str, Any]]) -> tuple[str, str]:
    kind = str(node.get("kind", "node"))
    label = node.get("name")
    if not label and kind == "kernel":
        label = kernels[int(node["kernel"])]["name"]
    return kind, f"{kind}: {label}" if label else kind


def _edges(found: Mapping[str, Any], nodes: list[dict[str, Any]]) -> list[tuple[int, int]]:
    made = [(int(edge[0]), int(edge[1])) for edge in found["edges"]]
    return [(first, last) for first, last in made if first < len(nodes) and last < len(nodes)]


def _rows(count: int, edges: list[tuple[int, int]]) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in range(count)]
    after: list[list[int]] = [[] for _ in range(count)]
    for first, last in edges:
        before[last].append(first)
        after[first].append(last)
    waiting = [len(first) for first in before]
    ready = [node for node in range(count) if not waiting[node]]
    depth = [0] * count
    for node in ready:
        for last in after[node]:
            depth[last] = max(depth[last], depth[node] + 1)
            waiting[last] -= 1
            if not waiting[last]:
                ready.append(last)
    rows: list[list[int]] = [[] for _ in range(max(depth, default=-1) + 1)]
    for node in ready:
        rows[depth[node]].append(node)
    return rows


def _text(x: float, y: float, text: str) -> str:
    short = text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-family="sans-serif" font-size="12">{escape(short)}</text>'


def _framed(width: float, height: float, parts: list[str]) -> str:
    arrow = '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#667"/></marker></defs>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">{arrow}{"".join(parts)}</svg>'
    )
