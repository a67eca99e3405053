"""Graphs, their nodes, and graph execs."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native, raw
from ._base import Named, Object, kind
from .errors import Error, UpdateError
from .memory import Buffer, BufferPart, HostBuffer

if TYPE_CHECKING:
    from .context import Context
    from .module import Kernel
    from .pool import Pool
    from .stream import Stream

__all__ = ["BisectReport", "ExecReport", "Graph", "GraphExec", "Node", "Progress", "VerifyReport"]

_KINDS = {
    raw.GRAPHCAP_NODE_KERNEL: "kernel",
    raw.GRAPHCAP_NODE_MEMCPY: "memcpy",
    raw.GRAPHCAP_NODE_MEMSET: "memset",
    raw.GRAPHCAP_NODE_HOST: "host",
    raw.GRAPHCAP_NODE_CHILD: "child",
    raw.GRAPHCAP_NODE_EMPTY: "empty",
    raw.GRAPHCAP_NODE_EVENT_WAIT: "event_wait",
    raw.GRAPHCAP_NODE_EVENT_RECORD: "event_record",
    raw.GRAPHCAP_NODE_MEM_ALLOC: "mem_alloc",
    raw.GRAPHCAP_NODE_MEM_FREE: "mem_free",
    raw.GRAPHCAP_NODE_BATCH_MEM_OP: "batch_mem_op",
    raw.GRAPHCAP_NODE_CONDITIONAL: "conditional",
    raw.GRAPHCAP_NODE_OTHER: "other",
}
_ROUTES = {
    raw.GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING: "nothing",
    raw.GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_SET: "set",
    raw.GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE: "update",
    raw.GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW: "anew",
}
_OUTCOMES = {
    raw.GRAPHCAP_BISECT_GOOD: "good",
    raw.GRAPHCAP_BISECT_NODES: "nodes",
    raw.GRAPHCAP_BISECT_WITHOUT: "without",
    raw.GRAPHCAP_BISECT_ORDER: "order",
    raw.GRAPHCAP_BISECT_UNKNOWN: "unknown",
}
_TAKE_TEXT = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
_FINDINGS = {
    raw.GRAPHCAP_VERIFY_NOTHING: "nothing",
    raw.GRAPHCAP_VERIFY_UNDECLARED: "undeclared",
    raw.GRAPHCAP_VERIFY_BOTH_WRITE: "both_write",
    raw.GRAPHCAP_VERIFY_ORDER: "order",
    raw.GRAPHCAP_VERIFY_LANES: "lanes",
    raw.GRAPHCAP_VERIFY_RECORDED: "recorded",
}


class Node:
    """A node of a graph: `Graph.nodes` lists them. It is a number of the graph's, and keeps the graph.

    >>> node = graph.nodes[0]
    >>> node.kind, node.dependencies
    ('memset', [])
    """

    __slots__ = ("graph", "id")

    graph: Graph
    """The graph that the node is of."""
    id: int
    """The number of the node, which no other node of the graph ever has."""

    def __init__(self, graph: Graph, id: int) -> None:  # noqa: A002
        self.graph, self.id = graph, id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and other.id == self.id and other.graph == self.graph

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<graphcap.Node {self.name or self.id} ({self.kind})>"

    @property
    def kind(self) -> str:
        """Kind of the node: 'kernel', 'memcpy', 'memset', 'host', 'child', 'conditional' and so on.

        >>> graph.nodes[0].kind
        'memset'
        """
        return _KINDS.get(raw.gc_node_kind(self.graph, self.id), "other")

    @property
    def name(self) -> str:
        """A name for messages and pictures; empty until it is set.

        >>> graph.nodes[0].name = "clear"
        >>> graph.nodes[0].name
        'clear'
        """
        return raw.gc_node_get_name(self.graph, self.id)

    @name.setter
    def name(self, name: str) -> None:
        raw.gc_node_set_name(self.graph, self.id, name)

    @property
    def dependencies(self) -> list[Node]:
        """The nodes that it waits for.

        >>> graph.nodes[0].dependencies
        []
        """
        return [Node(self.graph, id) for id in raw.gc_node_get_dependencies(self.graph, self.id)]

    @property
    def dependents(self) -> list[Node]:
        """The nodes that wait for it.

        >>> graph.nodes[-1].dependents
        []
        """
        return [Node(self.graph, id) for id in raw.gc_node_get_dependents(self.graph, self.id)]

    @property
    def kernel_name(self) -> str:
        """The name of the kernel. Raises `InvalidValueError` for a node of another kind.

        >>> [node.kernel_name for node in graph.nodes if node.kind == "kernel"]
        ['double']
        """
        return raw.gc_node_kernel_name(self.graph, self.id)

    def inner(self, index: int = 0) -> Graph:
        """The graph of a child node, or a body of a conditional node.

        >>> with graphcap.capture(stream) as outer:
        ...     stream.launch_graph(graph)
        >>> outer.graph.nodes[0].inner().node_count == graph.node_count
        True
        """
        return Graph._owner(raw.gc_node_get_graph(self.graph, self.id, index))  # pyright: ignore[reportPrivateUsage]

    def remove(self) -> None:
        """Removes the node and its edges from the graph.

        >>> copy = graph.clone()
        >>> copy.nodes[0].remove()
        >>> copy.node_count == graph.node_count - 1
        True
        """
        raw.gc_graph_remove_node(self.graph, self.id)


class VerifyReport(NamedTuple):
    """Findings of `Graph.verify`.

    >>> graph.verify().finding
    'nothing'
    """

    finding: str
    """'nothing', or the most telling of what was found: 'undeclared', 'both_write', 'order', 'lanes' or 'recorded'."""
    findings: int
    """Number of findings."""
    replays: int
    """Number of replays of the graph."""
    text: str
    """The findings in words."""


class BisectReport(NamedTuple):
    """Findings of `Graph.bisect`.

    >>> graph.bisect(lambda: True).outcome
    'good'
    """

    outcome: str
    """'good', 'nodes', 'without', 'order' or 'unknown'; `gc_bisect_outcome` explains them."""
    nodes: list[Node]
    """The nodes of the findings, up to 256; of 'order' those that have to wait."""
    others: list[Node]
    """Of 'order' the nodes that they have to wait for; else empty."""
    values: list[int]
    """Of 'nodes', for each of them, 1 if a replay is good when it alone is off, 0 if it is bad, 2 if that was not tried; else zeros."""
    is_stopped: bool
    """True if `max_replays` ended the search, so that there may be a smaller set."""
    is_confirmed: bool
    """True if replays gave the same answer once more in the end."""
    recorded_bad: int
    """Number of bad replays of the graph as it is."""
    replays: int
    """Number of replays."""
    text: str
    """The findings in words."""


class Graph(Named, _native.Handle):
    """Nodes of work and the edges between them. `capture` makes one, or build it by its `add_` methods.

    In a notebook it is a picture.

    >>> made = graphcap.Graph(context)
    >>> first = made.add_fill(buffer, 0)
    >>> made.add_call(lambda: None, after=[first]).dependencies == [first]
    True
    """

    _KIND = kind("Graph")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_graph_node_count(handle)

    def __init__(self, context: Context) -> None:
        self._adopt(raw.gc_graph_create(context), self._KIND)

    @classmethod
    def wrap(cls, context: Context, native: int, *, take: bool = False) -> Graph:
        """A `CUgraph` that others made, such as PyTorch's `raw_cuda_graph()`.

        take: graphcap destroys it with the last handle. Else it stays theirs, and has to live as long.
        Raises `NotSupportedError` on a host device, `InvalidValueError` for what is no graph, as far as the driver tells.

        >>> try:
        ...     graphcap.Graph.wrap(context, 64)
        ... except graphcap.Error as failed:
        ...     print(failed.status_name)
        GRAPHCAP_ERROR_NOT_SUPPORTED
        """
        return cls._owner(raw.gc_graph_wrap(context, native, raw.GRAPHCAP_OWNERSHIP_TAKEN if take else raw.GRAPHCAP_OWNERSHIP_BORROWED))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and other.handle == self.handle

    def __hash__(self) -> int:
        return hash(self.handle)

    def __repr__(self) -> str:
        if self.closed:
            return "<graphcap.Graph closed>"
        return f"<graphcap.Graph {self.name or hex(self.handle)} of {self.node_count} nodes and {self.edge_count} edges>"

    @property
    def node_count(self) -> int:
        """The number of nodes, without those of graphs within.

        >>> graph.node_count
        2
        """
        return raw.gc_graph_node_count(self)

    @property
    def edge_count(self) -> int:
        """The number of edges.

        >>> graph.edge_count
        1
        """
        return raw.gc_graph_edge_count(self)

    @property
    def nodes(self) -> list[Node]:
        """The nodes, in the order in which they were made.

        >>> [node.kind for node in graph.nodes]
        ['memset', 'kernel']
        """
        return [Node(self, id) for id in raw.gc_graph_get_nodes(self)]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return self.node_count

    @property
    def roots(self) -> list[Node]:
        """The nodes that wait for no other.

        >>> len(graph.roots)
        1
        """
        return [Node(self, id) for id in raw.gc_graph_get_roots(self)]

    @property
    def edges(self) -> list[tuple[Node, Node]]:
        """The edges: each node with one that waits for it.

        >>> [(first.kind, last.kind) for first, last in graph.edges]
        [('memset', 'kernel')]
        """
        first, last, _ = raw.gc_graph_get_edges(self)
        return [(Node(self, a), Node(self, b)) for a, b in zip(first, last, strict=True)]

    def order(self) -> list[Node]:
        """The nodes, each behind those that it waits for.

        >>> [node.kind for node in graph.order()]
        ['memset', 'kernel']
        """
        return [Node(self, id) for id in raw.gc_graph_get_order(self)]

    def add(self, work: raw.gc_work, after: Iterable[Node] = ()) -> Node:
        """Adds a node of any kind, described by a `graphcap.raw.gc_work`, behind other nodes.

        >>> made = graphcap.Graph(context)
        >>> made.add(graphcap.raw.gc_work(kind=graphcap.raw.GRAPHCAP_WORK_EMPTY)).kind
        'empty'
        """
        behind = [node.id for node in after]
        return Node(self, raw.gc_graph_add_node(self, behind, None, len(behind), work))

    def add_empty(self, after: Iterable[Node] = ()) -> Node:
        """Adds a node that does nothing, for nodes that wait for many others.

        >>> graphcap.Graph(context).add_empty().kind
        'empty'
        """
        return self.add(raw.gc_work(kind=raw.GRAPHCAP_WORK_EMPTY), after)

    def add_fill(self, buffer: Buffer | BufferPart, value: int, *, size: int = 1, after: Iterable[Node] = ()) -> Node:
        """Adds a node that sets the elements of a buffer, as `Stream.fill` does.

        >>> graphcap.Graph(context).add_fill(buffer, 0).kind
        'memset'
        """
        part = buffer if isinstance(buffer, BufferPart) else buffer.part(0)
        if size not in {1, 2, 4} or part.nbytes % size:
            raise ValueError(f"size must be 1, 2 or 4, and divide {part.nbytes} bytes, not {size}")
        params = raw.gc_memset_params(buffer=part.buffer.handle, offset=part.offset, value=value, element_size=size, width=part.nbytes // size, height=1)
        return self.add(raw.gc_work(kind=raw.GRAPHCAP_WORK_MEMSET, memset_params=ctypes.addressof(params)), after)

    def add_copy(self, to: Buffer | HostBuffer | BufferPart, source: Buffer | HostBuffer | BufferPart, *, after: Iterable[Node] = ()) -> Node:
        """Adds a node that copies between buffers and host buffers. Plain memory of the host is not kept by a graph, and refused.

        >>> graphcap.Graph(context).add_copy(buffer.part(8), buffer.part(0, 8)).kind
        'memcpy'
        """
        from .stream import _DIRECTIONS, _side  # noqa: PLC0415 # pyright: ignore[reportPrivateUsage]

        target, origin = _side(to, "to", True), _side(source, "source", False)
        if target.memory is not None or origin.memory is not None:
            raise TypeError("a graph keeps no plain memory of the host: copy from or to a HostBuffer")
        if target.nbytes != origin.nbytes:
            raise ValueError(f"to has {target.nbytes} bytes, and source {origin.nbytes}")
        params = raw.gc_memcpy_params(
            direction=_DIRECTIONS[bool(target.device), bool(origin.device)], destination=target.device, destination_offset=target.offset,
            destination_host_buffer=target.host_buffer, source=origin.device, source_offset=origin.offset,
            source_host_buffer=origin.host_buffer, size=origin.nbytes,
        )  # fmt: skip
        return self.add(raw.gc_work(kind=raw.GRAPHCAP_WORK_MEMCPY, memcpy_params=ctypes.addressof(params)), after)

    def add_call(self, function: Callable[[], object], *, after: Iterable[Node] = ()) -> Node:
        """Adds a node that calls a function of Python's once in each replay, as `Stream.call` does.

        >>> graphcap.Graph(context).add_call(lambda: None).kind
        'host'
        """
        if not callable(function):
            raise TypeError(f"function must be callable, not {type(function).__name__}")
        work = raw.gc_work(
            kind=raw.GRAPHCAP_WORK_HOST, function=_native.HOST_FUNCTION, user_data=_native.keep(function), destroy=_native.DESTROY
        )
        return self.add(work, after)

    def add_graph(self, graph: Graph, *, after: Iterable[Node] = ()) -> Node:
        """Adds a copy of a graph as one node.

        >>> graphcap.Graph(context).add_graph(graph).kind
        'child'
        """
        return self.add(raw.gc_work(kind=raw.GRAPHCAP_WORK_CHILD_GRAPH, graph=graph.handle), after)

    def add_kernel(self, kernel: Kernel, grid: Any, block: Any, *arguments: Any, shared: int = 0, after: Iterable[Node] = ()) -> Node:
        """Adds a launch of a kernel; grid, block, arguments and shared are as of `Stream.launch`.

        >>> graphcap.Graph(context).add_kernel(double, 1, 1, buffer).kind
        'kernel'
        """
        from .capture import capture  # noqa: PLC0415
        from .stream import Stream  # noqa: PLC0415

        known = set(raw.gc_graph_get_nodes(self))
        with Stream(self.context, non_blocking=True) as stream, capture(stream, "relaxed", into=self, after=list(after)):
            stream.launch(kernel, grid, block, *arguments, shared=shared)
        return next(Node(self, id) for id in raw.gc_graph_get_nodes(self) if id not in known)

    def add_edges(self, *edges: tuple[Node, Node]) -> None:
        """Adds edges: pairs of a node and one that is to wait for it. Raises `InvalidValueError` for a circle.

        >>> made = graphcap.Graph(context)
        >>> made.add_edges((made.add_empty(), made.add_empty()))
        >>> made.edge_count
        1
        """
        raw.gc_graph_add_dependencies(self, [first.id for first, _ in edges], [last.id for _, last in edges], None, len(edges))

    def remove_edges(self, *edges: tuple[Node, Node]) -> None:
        """Removes edges.

        >>> copy = graph.clone()
        >>> copy.remove_edges(*copy.edges)
        >>> copy.edge_count
        0
        """
        raw.gc_graph_remove_dependencies(self, [first.id for first, _ in edges], [last.id for _, last in edges], len(edges))

    def clone(self) -> Graph:
        """A copy of the graph, which keeps the same objects.

        >>> graph.clone().node_count == graph.node_count
        True
        """
        return Graph._owner(raw.gc_graph_clone(self))

    def instantiate(
        self,
        *,
        stream: Stream | None = None,
        upload: Stream | None = None,
        watch: bool = False,
        auto_free: bool = False,
        device_launch: bool = False,
        node_priority: bool = False,
    ) -> GraphExec:
        """Makes a graph exec, which can be launched.

        stream: the stream that `GraphExec.replay` launches on. upload: uploads the exec now, on that stream.
        watch: the exec tells which nodes have completed (`GraphExec.progress`).
        auto_free: a launch frees what the one before left allocated. device_launch, node_priority: as CUDA has them.
        Raises `InvalidValueError` for a graph that cannot run.

        >>> graph.instantiate().node_count
        2
        """
        flags = (
            (raw.GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH if auto_free else 0)
            | (raw.GRAPHCAP_INSTANTIATE_UPLOAD if upload is not None else 0)
            | (raw.GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH if device_launch else 0)
            | (raw.GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY if node_priority else 0)
            | (raw.GRAPHCAP_INSTANTIATE_WATCH if watch else 0)
        )
        options = raw.gc_instantiate_options(flags=flags, upload_stream=upload.handle if upload is not None else None)
        made = GraphExec._owner(raw.gc_graph_instantiate(self, options))
        if stream is not None:
            made._remember(stream)
        return made

    def dot(self, *, verbose: bool = False) -> str:
        """The graph as a text for Graphviz. verbose: with all parameters.

        >>> graph.dot().startswith("digraph")
        True
        """
        return raw.gc_graph_export_dot(self, raw.GRAPHCAP_DOT_VERBOSE if verbose else 0)

    def json(self) -> str:
        """The graph as JSON, of which `from_json` makes a graph, perhaps in another process.

        >>> '"nodes"' in graph.json()
        True
        """
        return raw.gc_graph_export_json(self)

    @classmethod
    def from_json(cls, context: Context, text: str, objects: Mapping[str, Object] | None = None, *, like: Graph | None = None) -> Graph:
        """Makes a graph of what `json` wrote.

        objects: buffers, host buffers, kernels and events by the names that the text has for them. What is not there is taken from the graph
        `like`, then from named objects of the process. Raises `NotFoundError` for what is nowhere.

        >>> graphcap.Graph.from_json(context, graph.json(), like=graph).node_count
        2
        """
        kinds = {
            "Buffer": raw.GRAPHCAP_BINDING_BUFFER,
            "HostBuffer": raw.GRAPHCAP_BINDING_HOST_BUFFER,
            "Kernel": raw.GRAPHCAP_BINDING_KERNEL,
            "Event": raw.GRAPHCAP_BINDING_EVENT,
        }
        given = list((objects or {}).items())
        rows = (raw.gc_graph_binding * (len(given) + 2))()
        texts: list[object] = []
        for row, (name, found) in zip(rows, given, strict=False):
            if type(found).__name__ not in kinds:
                raise TypeError(f"objects[{name!r}] must be a Buffer, HostBuffer, Kernel or Event, not {type(found).__name__}")
            label = ctypes.create_string_buffer(name.encode())
            texts.append(label)
            row.kind, row.name, row.handle = kinds[type(found).__name__], ctypes.addressof(label), found._handle().handle
        count = len(given)
        if like is not None:
            rows[count].kind, rows[count].handle = raw.GRAPHCAP_BINDING_GRAPH, like.handle
            count += 1
        rows[count].kind = raw.GRAPHCAP_BINDING_PROCESS
        count += 1
        for row in rows:
            row.struct_size = ctypes.sizeof(raw.gc_graph_binding)
        data = text.encode()
        return cls._owner(raw.gc_graph_import_json(context, data, len(data), rows, count))

    def diff(self, other: Graph) -> str:
        """Differences from another graph, a line each; empty if nothing does.

        >>> graph.diff(graph.clone())
        ''
        """
        return raw.gc_graph_diff(self, other)

    def check(self, least: int = raw.GRAPHCAP_SEVERITY_WARNING) -> str:
        """Findings about the graph without running it, a line each; empty if there are none. See docs/checking.md.

        least: the severity from which on findings are told, `graphcap.raw.GRAPHCAP_SEVERITY_NOTE`, `_WARNING` or `_ERROR`.

        >>> graph.check()
        ''
        """
        return raw.gc_graph_check_text(self, least)

    def check_json(self, least: int = raw.GRAPHCAP_SEVERITY_WARNING) -> str:
        """The findings of `check` as JSON, as docs/findings.schema.json describes it.

        least: as `check` takes it.

        >>> '"findings": []' in graph.check_json()
        True
        """
        return raw.gc_graph_check_json(self, least)

    def optimize(self) -> Graph:
        """A graph that does the same, and runs at once what need not wait; `optimize_report` tells why which nodes wait.

        >>> graph.optimize().node_count >= graph.node_count
        True
        """
        made, plan = raw.gc_graph_optimize(self, None, None)
        raw.gc_plan_destroy(plan)
        return Graph._owner(made)

    def optimize_report(self) -> str:
        """Report of `optimize` on the graph, in words.

        >>> len(graph.optimize_report()) > 0
        True
        """
        return raw.gc_graph_optimize_text(self, None)

    def verify(self, progress: Callable[[int, int], object] | None = None) -> VerifyReport:
        """Checks by trial whether what is stated of the kernels' accesses is true. It replays the graph many times.

        progress: called with what is done and how much there is; an exception in it ends the check.

        >>> graph.verify().finding
        'nothing'
        """
        failed: list[BaseException] = []

        def told(done: int, total: int) -> int:
            try:
                if progress is not None:
                    progress(done, total)
            except BaseException as raised:  # noqa: BLE001
                failed.append(raised)
                return 1
            return 0

        report = raw.gc_verify_report()
        kept = _native.keep(told)
        try:
            raw.gc_graph_verify(self, raw.gc_verify_options(progress=_native.PROGRESS, user_data=kept), report)
        finally:
            _native.forget(kept)
        if failed:
            raise failed[0]
        finding = _FINDINGS.get(report.finding, str(report.finding))
        text = "" if finding == "nothing" else f"{report.finding_count} findings; the first is of nodes {report.first} and {report.second}"
        return VerifyReport(finding, report.finding_count, report.replay_count, text)

    def bisect(
        self, is_good: Callable[[], object], *, repeats: int = 0, max_replays: int = 0, max_bytes: int = 0, permits: int = 0
    ) -> BisectReport:
        """Finds the smallest set of nodes, or of missing edges, that makes replays bad. See docs/stepping.md.

        is_good: called after each replay, tells whether memory is good then. An exception in it ends the search; None is a TypeError.
        repeats: replays of a trial, which is good when all are; 0 for 3.
        max_replays: number of replays after which the search ends; 0 for 10,000.
        max_bytes: of device memory for all that the graph writes; 0 for 1 GiB.
        permits: `graphcap.raw.GRAPHCAP_PERMIT_` flags, for host functions, events and values.

        >>> report = graph.bisect(lambda: len(buffer.copy_to_host()) == 4)
        >>> report.outcome, len(report.nodes)
        ('good', 0)
        """
        failed: list[BaseException] = []
        texts: list[str] = []

        def judge(_replay: int, _most: int) -> int:
            try:
                answer = is_good()
                if answer is None:
                    raise TypeError("is_good must return whether the replay is good, not None")  # noqa: TRY301
                return 1 if answer else 0
            except BaseException as raised:  # noqa: BLE001
                failed.append(raised)
                return -1

        def add_text(text: bytes | None, _data: object) -> None:
            texts.append((text or b"").decode())

        take = _TAKE_TEXT(add_text)
        report, found = raw.gc_bisect_report(), (raw.gc_finding * 256)()
        options = raw.gc_bisect_options(
            permits=permits,
            repeats=repeats,
            max_replays=max_replays,
            max_bytes=max_bytes,
            text=ctypes.cast(take, ctypes.c_void_p).value,
        )
        kept = _native.keep(judge)
        try:
            raw.gc_graph_bisect(self, options, _native.PROGRESS, kept, found, len(found), report)
        except Error:
            # The exception of the function is told below instead.
            if not failed:
                raise
        finally:
            _native.forget(kept)
        if failed:
            raise failed[0]
        told = list(found)[: report.finding_count]
        return BisectReport(
            _OUTCOMES[report.outcome],
            [Node(self, one.node) for one in told],
            [Node(self, one.other) for one in told if one.other],
            [one.value for one in told],
            bool(report.stopped),
            bool(report.confirmed),
            report.recorded_bad,
            report.replay_count,
            "".join(texts),
        )

    def replace_buffer(self, old: Buffer, new: Buffer) -> int:
        """Makes all nodes use another buffer in the place of one. Returns how many nodes changed.

        >>> other = graphcap.Buffer(context, 4, "f4")
        >>> graph.clone().replace_buffer(buffer, other)
        2
        """
        return raw.gc_graph_replace_buffer(self, old, new)

    def keep(self, memory: object) -> None:
        """Makes the graph, its execs and their launches keep an object of Python's.

        >>> graph.keep(bytearray(4))
        """
        raw.gc_graph_retain_callback(self, _native.keep(memory), _native.DESTROY)

    def _repr_svg_(self) -> str:
        from ._draw import svg  # noqa: PLC0415

        return svg(json.loads(self.json()), self.name)

    def _repr_html_(self) -> str:
        return f"<figure>{self._repr_svg_()}<figcaption>{self.node_count} nodes, {self.edge_count} edges</figcaption></figure>"


class ExecReport(NamedTuple):
    """Result of `GraphExec.apply`.

    >>> exec.apply(graph).route
    'nothing'
    """

    route: str
    """'nothing', 'set', 'update' or 'anew'."""
    reason: str
    """Reason for the way that was taken."""
    changed: int
    """Nodes that changed."""
    nanoseconds: int
    """The time of the call."""

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415

        rows = "".join(f"<tr><th>{name}</th><td>{escape(str(value))}</td></tr>" for name, value in self._asdict().items())
        return f"<table>{rows}</table>"


class Progress(NamedTuple):
    """Progress of a launch.

    >>> graph.instantiate(watch=True).progress().is_running
    False
    """

    is_running: bool
    """True while a launch goes on."""
    completed: int
    """Nodes that have completed."""
    total: int
    """Nodes of the exec."""
    text: str
    """Progress in words, with the nodes that could run and have not completed."""

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415

        return f'<progress max="{self.total}" value="{self.completed}"></progress><pre>{escape(self.text)}</pre>'


class GraphExec(Object, _native.GraphExecBase):
    """A graph that is ready to be launched: `Graph.instantiate` makes it.

    >>> exec = graph.instantiate()
    >>> exec.launch(stream)
    >>> stream.synchronize()
    >>> exec.num_replays
    1
    """

    _KIND = kind("GraphExec")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_graph_exec_num_replays(handle)

    def __init__(self, graph: Graph) -> None:
        self._adopt(raw.gc_graph_instantiate(graph, None), self._KIND)

    @classmethod
    def wrap(cls, context: Context, native: int, graph: Graph | None = None, *, take: bool = False) -> GraphExec:
        """A `CUgraphExec` that others made.

        graph: the graph that it was made of, unchanged since, by whose nodes those of the exec are set. take: as of `Graph.wrap`.
        Raises as `Graph.wrap`.

        >>> try:
        ...     graphcap.GraphExec.wrap(context, 64)
        ... except graphcap.Error as failed:
        ...     print(failed.status_name)
        GRAPHCAP_ERROR_NOT_SUPPORTED
        """
        ownership = raw.GRAPHCAP_OWNERSHIP_TAKEN if take else raw.GRAPHCAP_OWNERSHIP_BORROWED
        return cls._owner(raw.gc_graph_exec_wrap(context, native, ownership, graph))

    def _info(self) -> raw.gc_graph_exec_info:
        info = raw.gc_graph_exec_info()
        raw.gc_graph_exec_get_info(self, info)
        return info

    @property
    def num_replays(self) -> int:
        """Number of launches that succeeded.

        >>> graph.instantiate().num_replays
        0
        """
        return raw.gc_graph_exec_num_replays(self)

    @property
    def node_count(self) -> int:
        """The number of nodes.

        >>> exec.node_count
        2
        """
        return int(self._info().node_count)

    @property
    def is_uploaded(self) -> bool:
        """True where the exec was uploaded to the device.

        >>> exec.upload(stream)
        >>> exec.is_uploaded
        True
        """
        return bool(raw.gc_graph_exec_is_uploaded(self))

    def upload(self, stream: Stream) -> None:
        """Uploads the exec now, so that its first launch need not. A second time has no effect.

        >>> exec.upload(stream)
        """
        raw.gc_graph_upload(self, stream)

    @property
    def pool(self) -> Pool | None:
        """The pool that the graph was captured with, or None.

        >>> exec.pool is None
        True
        """
        from .pool import Pool  # noqa: PLC0415

        return Pool._owner(raw.gc_graph_exec_pool(self)) if raw.gc_graph_exec_has_pool(self) else None

    def update(self, graph: Graph) -> None:
        """Makes later launches do what another graph of the same topology does. It costs much less than a new exec.

        Raises `UpdateError` if the graph differs too much, with what differs; the exec is then as it was.

        >>> exec.update(graph)
        """
        info = raw.gc_graph_exec_update_info()
        raw.gc_graph_exec_update(self, graph, 0, info)

    def can_update(self, graph: Graph) -> str:
        """Reason for which `update` would refuse a graph; empty if it would not.

        >>> exec.can_update(graph)
        ''
        """
        info = raw.gc_graph_exec_update_info()
        try:
            raw.gc_graph_exec_update(self, graph, raw.GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, info)
        except UpdateError as refused:
            return refused.message
        return ""

    def apply(self, graph: Graph, *, expected_replays: int = 0) -> ExecReport:
        """Makes later launches do what a graph does, by the cheapest way that is right: set nodes, update, or
        make the exec anew.

        expected_replays: how often the exec will be launched, if that is known.

        >>> exec.apply(graph).route in {"nothing", "update"}
        True
        """
        report = raw.gc_graph_exec_apply_report()
        options = raw.gc_graph_exec_apply_options(expected_replays=expected_replays)
        raw.gc_graph_exec_apply(self, graph, options, report)
        reason = raw.gc_graph_exec_apply_reason_description(report.reason)
        return ExecReport(_ROUTES.get(report.route, str(report.route)), reason, report.changed_count, report.nanoseconds)

    def set_enabled(self, node: Node, enabled: bool) -> None:
        """Switches a node of the graph off or on in later launches: a kernel, a copy or a fill.

        >>> exec.set_enabled(graph.nodes[1], False)
        >>> exec.is_enabled(graph.nodes[1])
        False
        >>> exec.set_enabled(graph.nodes[1], True)
        """
        raw.gc_graph_exec_set_node_enabled(self, node.id, int(enabled))

    def is_enabled(self, node: Node) -> bool:
        """True where a node is switched on.

        >>> exec.is_enabled(graph.nodes[0])
        True
        """
        return bool(raw.gc_graph_exec_is_node_enabled(self, node.id))

    def replace_buffer(self, old: Buffer, new: Buffer) -> int:
        """Makes later launches use another buffer in the place of one. Returns how many nodes changed.

        >>> graph.instantiate().replace_buffer(buffer, graphcap.Buffer(context, 4, "f4"))
        2
        """
        return raw.gc_graph_exec_replace_buffer(self, old, new)

    def progress(self) -> Progress:
        """Progress of the launch that goes on. The exec was made with `watch=True`.

        >>> graph.instantiate(watch=True).progress().total
        2
        """
        info = raw.gc_graph_exec_progress_info()
        text = raw.gc_graph_exec_progress(self, info)
        return Progress(bool(info.is_running), info.completed_count, info.node_count, text)

    def check(self, least: int = raw.GRAPHCAP_SEVERITY_WARNING) -> str:
        """Memory that is gone and that nodes name by addresses, a line each, as `Graph.check`; empty if none is.

        It knows addresses of captures with `note_memory=True` alone.

        >>> exec.check()
        ''
        """
        return raw.gc_graph_exec_check_text(self, least)

    def check_json(self, least: int = raw.GRAPHCAP_SEVERITY_WARNING) -> str:
        """The findings of `check` as JSON, as docs/findings.schema.json describes it.

        >>> '"findings": []' in exec.check_json()
        True
        """
        return raw.gc_graph_exec_check_json(self, least)
