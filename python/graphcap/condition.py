"""Conditions, and the nodes that run bodies by them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import raw
from .graph import Graph, Node
from .memory import Buffer, BufferPart

if TYPE_CHECKING:
    from .scalar import Scalar
    from .stream import Stream

__all__ = ["Condition"]


class Condition:
    """A value of 32 bits that decides which body of one conditional node of a graph runs, and how often.

    graph: the graph, or the outermost graph of a body. default: the value that each launch begins with; 0 without.
    Kernels set the value, and `set` from memory. Bodies take kernels, copies, fills, child graphs and conditional nodes.

    >>> made = graphcap.Graph(context)
    >>> node = graphcap.Condition(made, default=1).add_if()
    >>> node.inner().add_fill(buffer, 0).kind
    'memset'
    """

    def __init__(self, graph: Graph, default: int | None = None) -> None:
        self.graph = graph
        self.id = raw.gc_graph_create_condition(graph, default or 0, 0 if default is None else raw.GRAPHCAP_CONDITION_ASSIGN_DEFAULT)

    def __repr__(self) -> str:
        return f"<graphcap.Condition {self.id:#x}>"

    def add_if(self, *, otherwise: bool = False, into: Graph | None = None, after: Iterable[Node] = ()) -> Node:
        """Adds a node whose body runs where the value is not 0. Fill `node.inner()`.

        otherwise: it has a second body, `node.inner(1)`, for 0. into: a body of the graph; the graph itself without.

        >>> made = graphcap.Graph(context)
        >>> node = graphcap.Condition(made).add_if(otherwise=True)
        >>> node.kind, node.inner(1).node_count
        ('conditional', 0)
        """
        return self._add(raw.GRAPHCAP_CONDITIONAL_IF, 1 + otherwise, into, after)

    def add_while(self, *, into: Graph | None = None, after: Iterable[Node] = ()) -> Node:
        """Adds a node whose body runs again and again, until the value is 0. Fill `node.inner()`, and set the value there.

        >>> left = graphcap.Buffer.of(context, numpy.array([1, 1, 0], "u4"))
        >>> made = graphcap.Graph(context)
        >>> condition = graphcap.Condition(made, default=1)
        >>> body = condition.add_while().inner()
        >>> shift = body.add_copy(left.part(0, 4), left.part(4, 4))
        >>> last = body.add_copy(left.part(4, 4), left.part(8, 4), after=[shift])
        >>> set = condition.add_set(left.part(0, 4), into=body, after=[last])
        >>> made.instantiate().launch(stream)
        >>> left.copy_to_host().tolist()
        [0, 0, 0]
        """
        return self._add(raw.GRAPHCAP_CONDITIONAL_WHILE, 1, into, after)

    def add_switch(self, bodies: int, *, into: Graph | None = None, after: Iterable[Node] = ()) -> Node:
        """Adds a node of which the body runs whose number is the value; none where there is no such body.

        >>> made = graphcap.Graph(context)
        >>> graphcap.Condition(made, default=2).add_switch(3).inner(2).node_count
        0
        """
        return self._add(raw.GRAPHCAP_CONDITIONAL_SWITCH, bodies, into, after)

    def _add(self, number: int, bodies: int, into: Graph | None, after: Iterable[Node]) -> Node:
        work = raw.gc_work(kind=raw.GRAPHCAP_WORK_CONDITIONAL, condition=self.id, conditional_kind=number, body_count=bodies)
        return (self.graph if into is None else into).add(work, after)

    def add_set(self, source: Scalar | Buffer | BufferPart, *, into: Graph | None = None, after: Iterable[Node] = ()) -> Node:
        """Adds a node that sets the value to 4 bytes of memory, as they are when the graph comes there.

        source: a `Scalar` of 4 bytes, or memory whose first 4 bytes are used. into: as of `add_if`.

        >>> made = graphcap.Graph(context)
        >>> graphcap.Condition(made).add_set(buffer.part(0, 4)).kind
        'kernel'
        """
        part = _memory(source)
        work = raw.gc_work(kind=raw.GRAPHCAP_WORK_SET_CONDITION, condition=self.id, buffer=part.buffer.handle, offset=part.offset)
        return (self.graph if into is None else into).add(work, after)

    def set(self, stream: Stream, source: Scalar | Buffer | BufferPart) -> None:
        """Records that the value is set to 4 bytes of memory, on a stream that is captured into the graph or a body of it.

        >>> made = graphcap.Graph(context)
        >>> condition = graphcap.Condition(made)
        >>> with graphcap.capture(stream, into=made):
        ...     condition.set(stream, buffer)
        >>> made.node_count
        1
        """
        part = _memory(source)
        raw.gc_stream_set_condition(stream, self.id, part.buffer, part.offset)


def _memory(source: Any) -> BufferPart:
    """The memory of a scalar or a buffer."""
    if isinstance(source, BufferPart):
        return source
    part: BufferPart = source.part(0) if isinstance(source, Buffer) else source.part
    return part
