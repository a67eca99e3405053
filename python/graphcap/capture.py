"""Captures: the work of a stream becomes a graph."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from . import _blocks, _held, _native, raw
from ._base import Object, kind
from .errors import CaptureError, Error, story_of
from .graph import Graph, GraphExec, Node
from .interop import stream_of
from .stream import _open_captures  # pyright: ignore[reportPrivateUsage]

if TYPE_CHECKING:
    from .module import Module
    from .pool import Pool
    from .stream import Stream

__all__ = ["Capture", "capture"]

MODES = {
    "global": raw.GRAPHCAP_CAPTURE_MODE_GLOBAL,
    "thread_local": raw.GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL,
    "relaxed": raw.GRAPHCAP_CAPTURE_MODE_RELAXED,
}


def mode_number(mode: str) -> int:
    """The number of a capture mode."""
    if mode not in MODES:
        raise ValueError(f"mode must be 'global', 'thread_local' or 'relaxed', not {mode!r}")
    return MODES[mode]


class Capture(Object, _native.Handle):
    """A capture of a stream: `graphcap.capture` makes it, and `with` ends it.

    At the end of the block the graph is there, in `graph`. An exception in the block discards the capture, and goes on as it is.

    >>> with graphcap.capture(stream) as captured:
    ...     stream.fill(buffer, 0)
    >>> captured.graph.node_count
    1
    """

    _KIND = kind("Capture")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_capture_is_active(handle)

    def __init__(
        self,
        stream: Stream,
        mode: str = "global",
        *,
        pool: Pool | None = None,
        strict: bool = False,
        note_memory: bool = False,
        into: Graph | None = None,
        after: Sequence[Node] = (),
        modules: Sequence[Module] = (),
    ) -> None:
        self._stream = stream
        self._graph: Graph | None = None
        self._id = 0
        self._kept: list[object] = []
        self._options = (mode_number(mode), pool, strict, note_memory, into, tuple(after), tuple(modules))

    def __enter__(self) -> Self:
        if not self.closed or self._graph is not None:
            raise ValueError("the capture was begun already; graphcap.capture() makes another one")
        mode, pool, strict, note_memory, into, after, modules = self._options
        nodes = (ctypes.c_uint64 * len(after))(*(node.id for node in after))
        handles = (ctypes.c_void_p * len(modules))(*(module.handle for module in modules))
        options = raw.gc_capture_options(
            flags=(raw.GRAPHCAP_CAPTURE_STRICT if strict else 0) | (raw.GRAPHCAP_CAPTURE_NOTE_MEMORY if note_memory else 0),
            pool=pool.handle if pool is not None else None,
            graph=into.handle if into is not None else None,
            dependencies=ctypes.addressof(nodes) if after else None,
            dependency_count=len(after),
            modules=ctypes.addressof(handles) if modules else None,
            module_count=len(modules),
        )
        self._adopt(raw.gc_capture_begin(self._stream, mode, options), self._KIND)
        self._id = self._stream.capture_info().id
        _open_captures[self._id] = self._kept
        return self

    def __exit__(self, kind: type[BaseException] | None, failed: BaseException | None, trace: TracebackType | None) -> None:
        if self.closed:
            return
        try:
            if failed is None:
                self._end()
            else:
                self._discard(failed)
        finally:
            self._let_go()

    def _end(self) -> None:
        if _blocks.notes(self._options[3]):
            _blocks.end_gone()
        try:
            graph = Graph._owner(raw.gc_capture_end(self))
        except CaptureError as broken:
            broken.story = broken.story or story_of(self._stream)
            raise
        if self._kept:
            raw.gc_graph_retain_callback(graph, _native.keep(self._kept), _native.DESTROY)
        self._graph = graph

    def _discard(self, failed: BaseException) -> None:
        story = story_of(self._stream)
        try:
            raw.gc_capture_abort(self)
        except Error as broken:
            failed.add_note(f"graphcap could not discard the capture: {broken}")
        if story and story not in str(failed):
            failed.add_note(f"The capture was broken before: {story}")

    def _let_go(self) -> None:
        _open_captures.pop(self._id, None)
        self._close()
        _held.flush()

    def abort(self) -> None:
        """Discards the capture inside its block; the block then gives no graph.

        >>> with graphcap.capture(stream) as captured:
        ...     captured.abort()
        >>> stream.is_capturing
        False
        """
        raw.gc_capture_abort(self)
        self._let_go()

    @property
    def stream(self) -> Stream:
        """The stream that is captured.

        >>> graphcap.capture(stream).stream is stream
        True
        """
        return self._stream

    @property
    def graph(self) -> Graph:
        """The graph that was captured. Raises `StateError` before the end of the block, and where the capture was discarded.

        >>> with graphcap.capture(stream) as captured:
        ...     stream.fill(buffer, 0)
        >>> captured.graph.nodes[0].kind
        'memset'
        """
        if self._graph is None:
            raise CaptureError("the capture has no graph: it goes on, or it was discarded", raw.GRAPHCAP_ERROR_ILLEGAL_STATE, "")
        return self._graph

    @property
    def node_count(self) -> int:
        """Number of nodes that the graph of the capture has so far, those of joined streams included.

        >>> with graphcap.capture(stream) as captured:
        ...     stream.fill(buffer, 0)
        ...     captured.node_count
        1
        """
        return self._stream.capture_info().node_count

    def instantiate(self) -> GraphExec:
        """Makes a graph exec of the graph, as `Graph.instantiate` does, that `replay` launches on the captured stream.

        >>> with graphcap.capture(stream) as captured:
        ...     stream.fill(buffer, 0)
        >>> captured.instantiate().replay()
        """
        return self.graph.instantiate(stream=self._stream)

    def __del__(self) -> None:
        if not self.closed and not _native.is_ending():
            _open_captures.pop(self._id, None)
            warnings.warn(f"{self!r} was left open, and is discarded: end it by its with block", ResourceWarning, source=self, stacklevel=2)


def capture(
    stream: object,
    mode: str = "global",
    *,
    pool: Pool | None = None,
    strict: bool = False,
    note_memory: bool = False,
    into: Graph | None = None,
    after: Sequence[Node] = (),
    modules: Sequence[Module] = (),
) -> Capture:
    """Captures the work of a stream: `with graphcap.capture(stream) as captured: ...`, then `captured.graph`.

    stream: a `Stream`, or a stream of PyTorch, CuPy or cuda.core, by `__cuda_stream__`. For work of PyTorch's that allocates memory see
    `graphcap.torch.capture`.
    mode: which threads may make no unsafe calls meanwhile: 'global' all, 'thread_local' this one, 'relaxed' none.
    pool: memory and objects that the graph, its execs and other captures share.
    strict: the capture refuses memory that the graph cannot keep, and tells of work that went past it.
    note_memory: notes the allocations of others that the nodes use, for `GraphExec.check`.
    into, after: an existing graph to record into, behind these nodes of it.
    modules: modules whose kernels are found by name.

    An exception in the block discards the capture. The end raises `CaptureError` if a call broke the capture; `story` names the call.

    >>> with graphcap.capture(stream) as captured:
    ...     stream.launch(double, 1, 1, buffer)
    >>> exec = captured.graph.instantiate()
    >>> exec.launch(stream)
    >>> stream.synchronize()
    """
    return Capture(
        stream_of(stream), mode, pool=pool, strict=strict, note_memory=note_memory, into=into, after=after, modules=modules
    )  # fmt: skip
