"""Findings about graphs in the words of the program that was captured: ops, lines of Python, tensors.

Nothing of PyTorch's is used here; `_torch_doctor` notes its ops. Examples are skipped where the doctests run, as they need PyTorch and a GPU.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from . import raw
from .graph import Graph, Node

_EACH = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(raw.gc_step), ctypes.c_void_p)
_TEXT = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
_SEVERITIES = ("note", "warning", "error")


class Tensor(NamedTuple):
    """Place of a tensor that an op read or wrote. It keeps no memory."""

    name: str
    """Name in the program, such as 'layers.0.weight' or a local variable's; empty where it is not known."""
    dtype: str
    """Type of the elements, such as 'float32'."""
    shape: tuple[int, ...]
    """Length of each dimension."""
    stride: tuple[int, ...]
    """Elements from one to the next, of each dimension."""
    address: int
    """Address of the first element."""
    nbytes: int
    """Bytes from the first element to behind the last one."""

    def __str__(self) -> str:
        told = f"{self.dtype}{list(self.shape)}"
        return f'"{self.name}" {told}' if self.name else told

    def holds(self, address: int) -> bool:
        """Tells whether an address lies within the tensor."""
        return self.address <= address < self.address + self.nbytes


class Op(NamedTuple):
    """An op that ran during a capture."""

    name: str
    """Name of the op, such as 'addmm'; empty for work between ops."""
    file: str
    """File of the line that called it, outside of PyTorch and graphcap."""
    line: int
    """Number of that line."""
    inputs: tuple[Tensor, ...]
    """Tensors that it read."""
    outputs: tuple[Tensor, ...]
    """Tensors that it wrote."""
    first: int
    """Number of nodes that the graph had before."""
    last: int
    """Number of nodes that the graph had behind it."""

    def __str__(self) -> str:
        if not self.name:
            return f"work that is no op, behind {Path(self.file).name}:{self.line}" if self.file else "work that is no op"
        return f"{self.name} at {Path(self.file).name}:{self.line}" if self.file else self.name


class Finding(NamedTuple):
    """A finding of a doctor's."""

    severity: str
    """'note', 'warning' or 'error'."""
    op: Op | None
    """The op that it is about, where that is known."""
    text: str
    """The finding, with the op and its line."""

    def __str__(self) -> str:
        return f"{self.severity}: {self.text}"


class Report(tuple[Finding, ...]):
    """Findings of a doctor's, in the order of the nodes. It is empty, and false, where there are none.

    `str(report)` has a line for each, and those of `notes`.
    """

    notes: tuple[str, ...] = ()
    """Facts beside the findings: what ran, and what was not looked at."""

    @classmethod
    def of(cls, findings: Iterable[Finding], notes: Iterable[str] = ()) -> Report:
        """Makes a report."""
        made = cls(findings)
        made.notes = tuple(notes)
        return made

    def __str__(self) -> str:
        return "\n".join([*map(str, self), *self.notes])

    def __repr__(self) -> str:
        return f"<Report of {len(self)} findings>\n{self}" if self else f"<Report without findings>\n{self}".rstrip()

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{one.severity}</th><td>{escape(str(one.op or ''))}</td><td>{escape(one.text)}</td></tr>" for one in self)
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<table>{rows or '<tr><td>no findings</td></tr>'}</table>{notes}"


class Notes:
    """The ops of a capture, with the nodes that each recorded."""

    def __init__(self, count: int = 0) -> None:
        self.ops: list[Op] = []
        self._count = count
        self._ids: list[int] = []
        self._by_node: dict[int, Op] = {}

    def add(self, op: Op) -> None:
        """Notes an op. Nodes since the last one are noted as work that is no op."""
        self._fill(op.first)
        self.ops.append(op)
        self._count = op.last

    def settle(self, nodes: Sequence[int]) -> None:
        """Takes the nodes of the graph, in the order in which they were recorded."""
        self._fill(len(nodes))
        self._ids = list(nodes)
        self._by_node = {node: op for op in self.ops for node in self.nodes(op)}

    def _fill(self, count: int) -> None:
        if count > self._count:
            file, line = (self.ops[-1].file, self.ops[-1].line) if self.ops else ("", 0)
            self.ops.append(Op("", file, line, (), (), self._count, count))

    def op(self, node: int) -> Op | None:
        """The op that recorded a node."""
        return self._by_node.get(node)

    def nodes(self, op: Op) -> list[int]:
        """The nodes that an op recorded."""
        return self._ids[op.first : op.last]

    def is_written(self, tensor: Tensor, reader: Op) -> bool:
        """Tells whether an op with nodes before the reader wrote the tensor's first byte."""
        writers = (op for op in self.ops if op.first < op.last <= reader.first)
        return any(one.holds(tensor.address) for op in writers for one in op.outputs)


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


class _Search:
    """Search for the first op that leaves values that are not finite."""

    def __init__(self, notes: Notes, counts: Callable[[Tensor], tuple[int, int]]) -> None:
        self._notes, self._counts = notes, counts
        self._inputs: list[tuple[Tensor, int, int]] = []
        self._is_spoilt = self._is_infinite = False
        self._passed_on = 0
        self.findings: list[Finding] = []

    def before(self, op: Op) -> None:
        """Looks at what an op reads."""
        self._inputs = [(one, *self._counts(one)) for one in op.inputs]

    def behind(self, op: Op) -> None:
        """Looks at what an op wrote."""
        for one in op.outputs:
            nans, infinities = self._counts(one)
            if nans and self._is_spoilt:
                self._passed_on += 1
                return
            if nans:
                self._is_spoilt = True
                self._add("error", op, self._origin(op, f"{_counted(nans, 'NaN')} in {one}"))
                return
            if infinities and not self._is_infinite:
                self._is_infinite = True
                self._add("note", op, f"leaves {_counted(infinities, 'infinity', 'infinities')} in {one}, as masks have them")

    def _origin(self, op: Op, left: str) -> str:
        spoilt = [one for one, nans, _ in self._inputs if nans]
        if not spoilt:
            infinite = [str(one) for one, _, infinities in self._inputs if infinities]
            return f"makes {left}, from {'infinities in ' + ', '.join(infinite) if infinite else 'finite inputs'}"
        written = [one for one in spoilt if self._notes.is_written(one, op)]
        where = "work that is no op" if written else "memory that no op of the graph wrote"
        return f"leaves {left}: it reads NaNs in {', '.join(map(str, written or spoilt))}, from {where}"

    def _add(self, severity: str, op: Op, told: str) -> None:
        self.findings.append(Finding(severity, op, f"{op}, node {self._notes.nodes(op)[-1]:#x}, {told}"))

    def notes(self) -> list[str]:
        """Counts of ops that are no findings."""
        return [f"{_counted(self._passed_on, 'later op')} with NaNs"] if self._passed_on else []


class GraphDoctor:
    """Finds what is wrong with a graph, and tells it by ops and lines of Python: `graphcap.torch.doctor` makes it.

    Methods that read tensors are for one that knows whose they are.
    """

    def __init__(self) -> None:
        self._notes = Notes()
        self._graph: Graph | None = None

    @property
    def graph(self) -> Graph:
        """The graph that was captured. Raises `ValueError` before the end of the block.

        >>> doctor.graph.instantiate().launch(graphcap.torch.stream())  # doctest: +SKIP
        """
        if self._graph is None:
            raise ValueError("the doctor has no graph yet: its block goes on, or the capture was discarded")
        return self._graph

    @property
    def ops(self) -> list[Op]:
        """The ops that recorded nodes, in the order in which they ran.

        >>> [str(op) for op in doctor.ops]  # doctest: +SKIP
        ['addmm at model.py:88', 'relu at model.py:89']
        """
        return [op for op in self._notes.ops if op.last > op.first]

    def op(self, node: Node | int) -> Op | None:
        """The op that recorded a node of the graph; None for a node that was not captured in the block.

        >>> doctor.op(doctor.graph.nodes[0]).name  # doctest: +SKIP
        'addmm'
        """
        return self._notes.op(node.id if isinstance(node, Node) else node)

    def nodes(self, op: Op) -> list[Node]:
        """The nodes that an op recorded.

        >>> doctor.nodes(doctor.ops[0])  # doctest: +SKIP
        [<graphcap.Node 4294967297 (kernel)>]
        """
        return [Node(self.graph, id) for id in self._notes.nodes(op)]

    def explain(self, node: Node | int) -> str:
        """A node in words: its op, line and kernel, and the tensors that the op reads and writes.

        >>> print(doctor.explain(doctor.graph.nodes[0]))  # doctest: +SKIP
        addmm at model.py:88, node 0x100000001 (kernel "gemm"), the only one of it
          reads "fc.bias" float32[64] at 0x7f0000000000
          writes float32[8, 64] at 0x7f0000010000
        """
        number = node.id if isinstance(node, Node) else node
        found = Node(self.graph, number)
        kind = found.kind
        label = f'kernel "{found.kernel_name}"' if kind == "kernel" else kind
        op = self.op(number)
        if op is None:
            return f"node {number:#x} ({label}), which was not captured in the doctor's block"
        ids = self._notes.nodes(op)
        which = "the only one of it" if len(ids) == 1 else f"{ids.index(number) + 1} of {len(ids)}"
        lines = [f"{op}, node {number:#x} ({label}), {which}"]
        lines += [f"  reads {one} at {one.address:#x}" for one in op.inputs]
        lines += [f"  writes {one} at {one.address:#x}" for one in op.outputs]
        return "\n".join(lines)

    def check(self, least: int = raw.GRAPHCAP_SEVERITY_WARNING) -> Report:
        """Findings about the graph without running it, as `graphcap.torch.check` has them, each with its op and line.

        >>> del weights  # doctest: +SKIP
        >>> print(doctor.check())  # doctest: +SKIP
        error: mul at model.py:12, node 0x100000001 (kernel "mul"): parameter 2 ... the address 0x... of "weights" float32[1024] ...
        """
        self._refresh()
        return Report.of(self._told(line) for line in raw.gc_graph_check_text(self.graph, least).splitlines() if line)

    def step(self, *, max_bytes: int = 0, permits: int = 0) -> Report:
        """Replays the graph node by node, and names the first op that makes values that are not finite. What the nodes wrote is restored.

        The first op that leaves values that are no numbers is an error: it made them, or read them from memory that no op wrote. Ops that
        pass them on are counted. The first op that leaves infinities alone is a note, since masks have them.
        max_bytes: of device memory for what is restored; 0 for 1 GiB. A note tells of what found no room, and stays as the replay leaves it.
        permits: `graphcap.raw.GRAPHCAP_PERMIT_` flags, for host functions, events and values.

        A report without findings is one of the ops that were looked at. A note counts the nodes that were not: those of kernels of your own,
        of Triton and of code that `torch.compile` made, and those of ops without outputs.

        Nothing else may use the graph's memory meanwhile. Raises as `graphcap.raw.gc_graph_step`.

        >>> print(doctor.step())  # doctest: +SKIP
        error: log at model.py:41, node 0x100000007, makes 3 NaNs in float32[8, 64], from finite inputs
        """
        search = _Search(self._notes, self._counts)
        _, notes = self._stepped(search.before, search.behind, max_bytes, permits)
        return Report.of(search.findings, [*notes, *search.notes()])

    def _stepped(
        self, before: Callable[[Op], object], behind: Callable[[Op], object], max_bytes: int, permits: int
    ) -> tuple[raw.gc_step_report, list[str]]:
        """Steps through the graph. `before` is called before the first node of an op runs, `behind` after the last one.

        The notes tell what ran, and what was neither restored nor looked at.
        """
        left = {id(op): op.last - op.first for op in self.ops}
        seen: list[int] = []
        failed: list[BaseException] = []
        texts: list[str] = []

        def each(step: Any, _: object) -> int:
            try:
                seen.append(self._each(step.contents, left, before, behind))
            except BaseException as raised:  # noqa: BLE001
                failed.append(raised)
            return len(failed)

        def told(text: bytes, _: object) -> None:
            texts.append(text.decode())

        function, text = _EACH(each), _TEXT(told)
        options = raw.gc_step_options(
            max_bytes=max_bytes,
            permits=permits,
            each=ctypes.cast(function, ctypes.c_void_p).value,
            text=ctypes.cast(text, ctypes.c_void_p).value,
        )
        report = raw.gc_step_report()
        raw.gc_graph_step(self.graph, options, None, 0, report)
        if failed:
            raise failed[0]
        notes = texts[0].splitlines()[:1] if texts else []
        if report.bytes_unwatched:
            notes.append(f"{_counted(report.bytes_unwatched, 'byte')} of what the nodes wrote were not restored: max_bytes has no room for them")
        unseen = report.node_count - sum(seen)
        if report.together_count:
            notes.append("the graph cannot be copied, so its nodes ran together, and no op was looked at")
        elif unseen:
            notes.append(f"{unseen} of {_counted(report.node_count, 'node')} were not looked at: they are of no op, or of one without outputs")
        return report, notes

    def _each(self, step: Any, left: dict[int, int], before: Callable[[Op], object], behind: Callable[[Op], object]) -> int:
        """Number of nodes that were looked at by this."""
        op = self._notes.op(step.node)
        if op is None or not op.name:
            return 0
        count = op.last - op.first
        if not step.has_run:
            if left[id(op)] == count:
                before(op)
            return 0
        left[id(op)] -= 1
        if left[id(op)]:
            return 0
        behind(op)
        return count if op.outputs else 0

    def _told(self, line: str) -> Finding:
        """A line of `Graph.check` with the ops of its nodes, and the tensors of its addresses."""
        severity, _, text = line.partition(": ")
        ops = [op for op in (self.op(int(found, 16)) for found in re.findall(r"node (0x[0-9a-f]+)", text)) if op is not None]

        def named(found: re.Match[str]) -> str:
            op = self.op(int(found[1], 16))
            return found[0] if op is None else f"{op}, {found[0]}"

        def located(found: re.Match[str]) -> str:
            tensors = (one for op in ops for one in (*op.inputs, *op.outputs) if one.holds(int(found[1], 16)))
            tensor = next(tensors, None)
            return found[0] if tensor is None else f"{found[0]} of {tensor}"

        text = re.sub(r"\bthe address (0x[0-9a-f]+)", located, re.sub(r"\bnode (0x[0-9a-f]+)", named, text))
        return Finding(severity if severity in _SEVERITIES else "error", ops[0] if ops else None, text)

    def _refresh(self) -> None:
        """Tells the library which memory is gone."""

    def _counts(self, tensor: Tensor) -> tuple[int, int]:
        """Number of values of a tensor that are no numbers, and of those that are infinite."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Op]:
        return iter(self.ops)

    def __str__(self) -> str:
        return "\n".join(f"{op}: {_counted(op.last - op.first, 'node')}" for op in self.ops)

    def _repr_html_(self) -> str:
        def cells(op: Op) -> str:
            told = (str(op), str(op.last - op.first), ", ".join(map(str, op.inputs)), ", ".join(map(str, op.outputs)))
            return "".join(f"<td>{escape(cell)}</td>" for cell in told)

        rows = "".join(f"<tr>{cells(op)}</tr>" for op in self.ops)
        return f"<table><tr><th>op</th><th>nodes</th><th>reads</th><th>writes</th></tr>{rows}</table>"
