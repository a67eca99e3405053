"""Streams and events: work in order, and marks in it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from . import _native, raw
from ._base import Named, kind, waited
from ._held import captures_elsewhere
from .memory import Buffer, BufferPart, HostBuffer, address_of, contiguous

if TYPE_CHECKING:
    from .context import Context
    from .graph import Graph

__all__ = ["CaptureInfo", "Event", "Stream"]

_STATES = {
    raw.GRAPHCAP_CAPTURE_STATUS_NONE: "none",
    raw.GRAPHCAP_CAPTURE_STATUS_ACTIVE: "active",
    raw.GRAPHCAP_CAPTURE_STATUS_INVALIDATED: "invalidated",
}
_COMPARISONS = {
    ">=": raw.GRAPHCAP_WAIT_VALUE_GEQ,
    "==": raw.GRAPHCAP_WAIT_VALUE_EQ,
    "&": raw.GRAPHCAP_WAIT_VALUE_AND,
    "nor": raw.GRAPHCAP_WAIT_VALUE_NOR,
}

# Host memory that open captures use, by the number of the capture. The graph keeps it from the end of the capture on.
_open_captures: dict[int, list[object]] = {}
captures_elsewhere.append(lambda: bool(_open_captures))


class CaptureInfo(NamedTuple):
    """State of the capture that a stream is in.

    >>> stream.capture_info().status
    'none'
    """

    status: str
    """'none', 'active' or 'invalidated'."""
    id: int
    """The number of the capture; 0 if there is none."""
    node_count: int
    """Nodes that were recorded."""
    edge_count: int
    """Edges between them."""


class _Side(NamedTuple):
    """One side of a copy."""

    device: int
    host_buffer: int
    address: int
    offset: int
    nbytes: int
    memory: object


def _side(given: object, what: str, is_written: bool) -> _Side:
    offset, nbytes = 0, None
    if isinstance(given, BufferPart):
        given, offset, nbytes = given
    if isinstance(given, Buffer):
        return _Side(given.handle, 0, 0, offset, given.nbytes if nbytes is None else nbytes, None)
    if isinstance(given, HostBuffer):
        return _Side(0, given.handle, 0, offset, given.nbytes if nbytes is None else nbytes, None)
    view = contiguous(given, what)
    if is_written and view.readonly:
        raise TypeError(f"{what} is a read-only {type(given).__name__}")
    return _Side(0, 0, address_of(view, what), 0, view.nbytes, given)


_DIRECTIONS = {
    (True, True): raw.GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE,
    (True, False): raw.GRAPHCAP_MEMCPY_HOST_TO_DEVICE,
    (False, True): raw.GRAPHCAP_MEMCPY_DEVICE_TO_HOST,
    (False, False): raw.GRAPHCAP_MEMCPY_HOST_TO_HOST,
}


class Stream(Named, _native.StreamBase):
    """A queue of work of a device, which runs in order.

    priority: see `Context.priority_range`. non_blocking: the stream and the legacy stream do not wait for each other.

    >>> with graphcap.Stream(context, non_blocking=True) as stream:
    ...     stream.fill(buffer, 0)
    ...     stream.synchronize()
    """

    _KIND = kind("Stream")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_stream_id(handle)

    def __init__(self, context: Context, *, priority: int = 0, non_blocking: bool = False) -> None:
        flags = raw.GRAPHCAP_STREAM_NON_BLOCKING if non_blocking else 0
        self._adopt(raw.gc_stream_create(context, raw.gc_stream_options(flags=flags, priority=priority)), self._KIND)

    @classmethod
    def wrap(cls, context: Context, native: int) -> Stream:
        """A stream of the driver's that others made, such as PyTorch's `stream.cuda_stream`; it has to live as long.

        Raises `NotSupportedError` on a host device.

        >>> try:
        ...     graphcap.Stream.wrap(context, 1)
        ... except graphcap.Error as failed:
        ...     print(failed.status_name)
        GRAPHCAP_ERROR_NOT_SUPPORTED
        """
        made = cls.__new__(cls)
        made._adopt(raw.gc_stream_wrap(context, native), cls._KIND)
        return made

    def __cuda_stream__(self) -> tuple[int, int]:
        """The version 0 and the driver's handle, by which PyTorch, CuPy and cuda.core take the stream as theirs.

        Raises `NotSupportedError` on a host device.

        >>> try:
        ...     stream.__cuda_stream__()
        ... except graphcap.NotSupportedError:
        ...     print("a host stream has none")
        a host stream has none
        """
        return (0, self.native)

    def copy(self, to: object, source: object) -> None:
        """Copies memory: between buffers, and between a buffer and the host. Both sides have the same number of bytes.

        to, source: a `Buffer`, a `HostBuffer`, a part of one (`part`), or memory of the host such as a NumPy array.

        Outside a capture, plain memory of the host is read when the call returns, and written when it returns: a copy into it waits.
        A `HostBuffer` does not wait. In a capture plain memory is read or written at each replay, and the graph keeps it.

        Raises `TypeError` for memory that has strides or is read-only, `ValueError` for other sizes.

        >>> out = numpy.zeros(4, "f4")
        >>> stream.copy(buffer, numpy.ones(4, "f4"))
        >>> stream.copy(out, buffer)
        >>> out.tolist()
        [1.0, 1.0, 1.0, 1.0]
        """
        target, origin = _side(to, "to", True), _side(source, "source", False)
        if target.nbytes != origin.nbytes:
            raise ValueError(f"to has {target.nbytes} bytes, and source {origin.nbytes}")
        if target.device and origin.device:
            raw.gc_stream_memcpy_dtod(self, target.device, target.offset, origin.device, origin.offset, origin.nbytes)
            return
        is_recorded = False
        if target.memory is not None or origin.memory is not None:
            is_recorded = self._keep(target.memory, origin.memory)
        snapshot = origin.memory is not None and not is_recorded
        params = raw.gc_memcpy_params(
            direction=_DIRECTIONS[bool(target.device), bool(origin.device)],
            destination=target.device, destination_offset=target.offset, destination_host=target.address,
            destination_host_buffer=target.host_buffer,
            source=origin.device, source_offset=origin.offset, source_host=origin.address, source_host_buffer=origin.host_buffer,
            size=origin.nbytes, flags=raw.GRAPHCAP_MEMCPY_SNAPSHOT if snapshot else 0,
        )  # fmt: skip
        work = raw.gc_work(kind=raw.GRAPHCAP_WORK_MEMCPY, memcpy_params=ctypes.addressof(params))
        raw.gc_stream_submit(self, work)
        if target.memory is not None and not is_recorded:
            self.synchronize()

    def copy_all(self, *copies: tuple[Buffer | HostBuffer | BufferPart, Buffer | HostBuffer | BufferPart]) -> None:
        """Copies several pieces of memory by one call; each pair is `to` and `source`. Their order among each other is not stated.

        Takes buffers and host buffers, and parts of them. Raises as `copy`, before anything is copied.

        >>> stream.copy_all((buffer.part(0, 4), buffer.part(8, 4)), (buffer.part(4, 4), buffer.part(12, 4)))
        """
        rows = (raw.gc_memcpy_params * len(copies))()
        for row, (to, source) in zip(rows, copies, strict=True):
            target, origin = _side(to, "to", True), _side(source, "source", False)
            if target.memory is not None or origin.memory is not None:
                raise TypeError("copy_all() takes buffers and host buffers: copy() takes plain memory of the host")
            if target.nbytes != origin.nbytes:
                raise ValueError(f"to has {target.nbytes} bytes, and source {origin.nbytes}")
            row.__init__(
                direction=_DIRECTIONS[bool(target.device), bool(origin.device)], destination=target.device,
                destination_offset=target.offset, destination_host_buffer=target.host_buffer, source=origin.device,
                source_offset=origin.offset, source_host_buffer=origin.host_buffer, size=origin.nbytes,
            )  # fmt: skip
        raw.gc_stream_memcpy_batch(self, rows, len(copies))

    def _keep(self, *memory: object) -> bool:
        """Makes the capture that the stream is in keep memory; false if it is in none."""
        info = raw.gc_capture_info()
        raw.gc_stream_capture_info(self, info)
        if info.status == raw.GRAPHCAP_CAPTURE_STATUS_NONE:
            return False
        kept = _open_captures.get(info.id)
        if kept is None:
            raise TypeError(
                "the stream is captured by a call that is not graphcap.capture(): the graph could not keep plain memory of the host. "
                "Copy from or to a HostBuffer"
            )
        kept.extend(part for part in memory if part is not None)
        return True

    def fill(self, buffer: Buffer | BufferPart, value: int, *, size: int = 1) -> None:
        """Sets the elements of a buffer, or of a part, to a value.

        size: bytes of an element: 1, 2 or 4. Raises `OverflowError` for a value that does not fit, `ValueError` for another size.

        >>> stream.fill(buffer, 0x3f800000, size=4)
        >>> buffer.copy_to_host().tolist()
        [1.0, 1.0, 1.0, 1.0]
        """
        part = buffer if isinstance(buffer, BufferPart) else buffer.part(0)
        if size not in {1, 2, 4} or part.nbytes % size:
            raise ValueError(f"size must be 1, 2 or 4, and divide {part.nbytes} bytes, not {size}")
        if not 0 <= value < 256**size:
            raise OverflowError(f"value must be from 0 to {256**size - 1}, not {value}")
        raw.gc_stream_memset(self, part.buffer, part.offset, value, size, part.nbytes // size)

    def call(self, function: Callable[[], object]) -> None:
        """Calls a function of Python's in the order of the stream; of a capture, once in each replay.

        It runs on a thread of the library's or of the driver's, with the GIL, and must make no calls of graphcap's that submit or wait.
        An exception in it fails the work: the next wait raises `CallbackError`. The graph keeps the function.

        >>> seen = []
        >>> stream.call(lambda: seen.append(1))
        >>> stream.synchronize()
        >>> seen
        [1]
        """
        if not callable(function):
            raise TypeError(f"function must be callable, not {type(function).__name__}")
        raw.gc_stream_launch_host_func(self, _native.HOST_FUNCTION, _native.keep(function), _native.DESTROY)

    def call_c(self, function: int, argument: int = 0) -> None:
        """Calls a C function `void f(void *)` by its address, in the order of the stream. The caller keeps it alive.

        >>> import ctypes
        >>> seen = []
        >>> function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(seen.append)
        >>> stream.call_c(ctypes.cast(function, ctypes.c_void_p).value, 7)
        >>> stream.synchronize()
        >>> seen
        [7]
        """
        raw.gc_stream_launch_host_func(self, function, argument, None)

    def launch_graph(self, graph: Graph) -> None:
        """Adds a graph as one node to the graph that the stream is captured into.

        Raises `StateError` outside a capture.

        >>> with graphcap.capture(stream) as inner:
        ...     stream.fill(buffer, 0)
        >>> with graphcap.capture(stream) as outer:
        ...     stream.launch_graph(inner.graph)
        >>> [node.kind for node in outer.graph.nodes]
        ['child']
        """
        raw.gc_stream_submit(self, raw.gc_work(kind=raw.GRAPHCAP_WORK_CHILD_GRAPH, graph=graph.handle))

    def submit(self, work: raw.gc_work) -> int:
        """Submits or records work of any kind, described by a `graphcap.raw.gc_work`. Returns the node, or 0 outside a capture.

        >>> import ctypes
        >>> from graphcap import raw
        >>> params = raw.gc_memset_params(buffer=buffer.handle, element_size=1, width=4, height=1)
        >>> work = raw.gc_work(kind=raw.GRAPHCAP_WORK_MEMSET, memset_params=ctypes.addressof(params))
        >>> stream.submit(work)
        0
        """
        return raw.gc_stream_submit(self, work)

    def write_value(self, buffer: Buffer | BufferPart, value: int, *, size: int = 4) -> None:
        """Writes a number of 4 or 8 bytes in the order of the stream. Memory of a host device has to be as for `wait_value`.

        >>> flag = graphcap.Scalar(stream, 0, "u4")
        >>> stream.write_value(flag.part, 1)
        >>> flag.read(stream)
        1
        """
        part = buffer if isinstance(buffer, BufferPart) else buffer.part(0)
        call = {4: raw.gc_stream_write_value32, 8: raw.gc_stream_write_value64}.get(size)
        if call is None:
            raise ValueError(f"size must be 4 or 8, not {size}")
        call(self, part.buffer, part.offset, value, 0)

    def wait_value(self, buffer: Buffer | BufferPart, value: int, comparison: str = ">=", *, size: int = 4) -> None:
        """Makes later work wait until a number in memory compares with `value`: '>=', '==', '&' (a common bit) or 'nor'.

        Memory of a host device has to be allocated for it: a `Scalar`'s is.

        >>> flag = graphcap.Scalar(stream, 1, "u4")
        >>> stream.wait_value(flag.part, 1)
        >>> stream.synchronize()
        """
        part = buffer if isinstance(buffer, BufferPart) else buffer.part(0)
        call = {4: raw.gc_stream_wait_value32, 8: raw.gc_stream_wait_value64}.get(size)
        if call is None or comparison not in _COMPARISONS:
            raise ValueError(f"size must be 4 or 8 and comparison one of {', '.join(_COMPARISONS)}, not {size} and {comparison!r}")
        call(self, part.buffer, part.offset, value, _COMPARISONS[comparison])

    def synchronize(self, timeout: float | None = None) -> None:
        """Waits until the work of the stream is complete. Ctrl-C ends the wait.

        timeout: seconds, or None. Raises `TimeoutError` if the time passes first, `CaptureError` if the stream is captured, and
        `DeviceFault` or `CallbackError` if work failed.

        >>> stream.synchronize(timeout=10)
        """
        waited(lambda ns: raw.gc_stream_synchronize_for(self, ns), lambda: raw.gc_stream_synchronize(self), timeout)

    def is_complete(self) -> bool:
        """True where all work of the stream has run.

        >>> stream.synchronize()
        >>> stream.is_complete()
        True
        """
        return bool(raw.gc_stream_is_complete(self))

    @property
    def is_capturing(self) -> bool:
        """True where the stream is in a capture that is not broken.

        >>> with graphcap.capture(stream) as captured:
        ...     stream.is_capturing
        True
        """
        return bool(raw.gc_stream_is_capturing(self))

    def capture_info(self) -> CaptureInfo:
        """The capture that the stream is in.

        >>> with graphcap.capture(stream) as captured:
        ...     stream.capture_info().status
        'active'
        """
        info = raw.gc_capture_info()
        raw.gc_stream_capture_info(self, info)
        return CaptureInfo(_STATES[info.status], info.id, info.node_count, info.edge_count)

    def capture_story(self) -> str:
        """Story of the break of the capture that the stream is in, or was in last; empty if nothing did.

        >>> with graphcap.capture(stream):
        ...     pass
        >>> stream.capture_story()
        ''
        """
        return raw.gc_stream_capture_violation(self)[1]

    @property
    def id(self) -> int:
        """The number of the stream, as messages have it.

        >>> stream.id > 0
        True
        """
        return raw.gc_stream_id(self)

    @property
    def flags(self) -> int:
        """The flags that the stream was made with, `GRAPHCAP_STREAM_` numbers.

        >>> stream.flags
        0
        """
        return raw.gc_stream_flags(self)

    @property
    def priority(self) -> int:
        """The priority of the stream.

        >>> stream.priority
        0
        """
        return raw.gc_stream_priority(self)


class ForeignStream(Stream):
    """A stream of another library, which it keeps. The handle is destroyed first: the library must not meet a stream that is gone.

    >>> issubclass(graphcap.stream.ForeignStream, graphcap.Stream)
    True
    """

    # Kept here, and not by the stream: of a cycle the garbage collector would finalise the other stream first.
    _owners: ClassVar[dict[int, object]] = {}

    common_context: Context | None = None
    """The context of all streams of other libraries on its GPU, where its own is that one."""

    @classmethod
    def of(cls, context: Context, stream: object, native: int) -> ForeignStream:
        """A stream of another library, whose handle of the driver's is `native`.

        >>> graphcap.stream.ForeignStream.of(context, other, other.cuda_stream)  # doctest: +SKIP
        <graphcap.ForeignStream 0x...>
        """
        made = cls.__new__(cls)
        made._adopt(raw.gc_stream_wrap(context, native), cls._KIND)
        cls._owners[id(made)] = stream
        return made

    def __del__(self) -> None:
        self._close()
        self._owners.pop(id(self), None)


class Event(Named, _native.Handle):
    """A mark in the work of a stream.

    timing: whether `elapsed` may be asked. blocking: a wait for it sleeps. interprocess: other processes may open it (a GPU's).

    >>> first, last = graphcap.Event(context), graphcap.Event(context)
    >>> stream.record(first), stream.fill(buffer, 0), stream.record(last)  # doctest: +ELLIPSIS
    (...)
    >>> last.synchronize()
    >>> last.elapsed(first) >= 0
    True
    """

    _KIND = kind("Event")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_event_id(handle)

    def __init__(self, context: Context, *, timing: bool = True, blocking: bool = False, interprocess: bool = False) -> None:
        flags = (
            (0 if timing else raw.GRAPHCAP_EVENT_DISABLE_TIMING)
            | (raw.GRAPHCAP_EVENT_BLOCKING_SYNC if blocking else 0)
            | (raw.GRAPHCAP_EVENT_INTERPROCESS if interprocess else 0)
        )
        self._adopt(raw.gc_event_create(context, raw.gc_event_options(flags=flags)), self._KIND)

    def is_complete(self) -> bool:
        """True where the work before the event has run.

        >>> event = stream.record()
        >>> event.synchronize()
        >>> event.is_complete()
        True
        """
        return bool(raw.gc_event_is_complete(self))

    def synchronize(self, timeout: float | None = None) -> None:
        """Waits for the event. Ctrl-C ends the wait.

        timeout: seconds, or None. Raises `TimeoutError` if the time passes first.

        >>> stream.record().synchronize(timeout=10)
        """
        waited(lambda ns: raw.gc_event_synchronize_for(self, ns), lambda: raw.gc_event_synchronize(self), timeout)

    def elapsed(self, start: Event) -> float:
        """Milliseconds from `start` to this event. Both must be complete.

        Raises `NotReadyError` if one is not, `InvalidHandleError` if one was made without timing.

        >>> start = stream.record()
        >>> end = stream.record()
        >>> end.synchronize()
        >>> end.elapsed(start) >= 0
        True
        """
        return raw.gc_event_elapsed_time(start, self)

    @property
    def id(self) -> int:
        """The number of the event, as messages have it.

        >>> graphcap.Event(context).id > 0
        True
        """
        return raw.gc_event_id(self)
