"""Scripts: lists of ops that are recorded as one graph, as often as one likes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING

from . import _native, raw
from ._base import Object, kind
from .capture import mode_number
from .errors import Error
from .graph import Graph
from .memory import Buffer, BufferPart
from .stream import Stream

if TYPE_CHECKING:
    from .context import Context

__all__ = ["Script"]


class Script(Object, _native.Handle):
    """A list of ops: functions that record work, and work as data.

    >>> script = graphcap.Script(context)
    >>> script.push(lambda stream: stream.fill(buffer, 0), name="clear")
    >>> script.record(stream).node_count
    1
    """

    _KIND = kind("Script")

    def __init__(self, context: Context) -> None:
        self._failures: list[BaseException] = []
        self._adopt(raw.gc_script_create(context), self._KIND)

    def _adopted(self) -> None:
        self._failures = []

    def push(self, function: Callable[[Stream], object], *, name: str = "") -> None:
        """Adds an op: a function that submits work to the stream that it gets. It runs at each recording, and does not keep the stream.

        An exception in it discards the recording, and goes on to who asked for it.

        >>> script = graphcap.Script(context)
        >>> script.push(lambda stream: stream.launch(double, 1, 1, buffer))
        """
        if not callable(function):
            raise TypeError(f"function must be callable, not {type(function).__name__}")
        failures = self._failures

        def record(place: int) -> int:
            try:
                with Stream._borrower(raw.gc_record_context_stream(place)) as stream:
                    function(stream)
            except BaseException as failed:  # noqa: BLE001
                failures.append(failed)
                raw.gc_callback_set_message(f"{type(failed).__name__}: {failed}".replace("\0", " "))
                return failed.status if isinstance(failed, Error) else raw.GRAPHCAP_ERROR_CALLBACK
            return 0

        vtable = raw.gc_op_vtable(record=_native.RECORD, name=_native.NAME, destroy=_native.DESTROY)
        label = name or getattr(function, "__name__", "op")
        raw.gc_script_push_op(self, vtable, _native.keep(record, label))

    def push_work(self, work: raw.gc_work) -> None:
        """Adds an op of any kind, described by a `graphcap.raw.gc_work`, which is copied.

        >>> import ctypes
        >>> from graphcap import raw
        >>> params = raw.gc_memset_params(buffer=buffer.handle, element_size=1, width=4, height=1)
        >>> work = raw.gc_work(kind=raw.GRAPHCAP_WORK_MEMSET, memset_params=ctypes.addressof(params))
        >>> graphcap.Script(context).push_work(work)
        """
        raw.gc_script_push(self, work)

    def push_fill(self, buffer: Buffer | BufferPart, value: int, *, size: int = 1) -> None:
        """Adds an op that sets the elements of a buffer, as `Stream.fill` does.

        >>> graphcap.Script(context).push_fill(buffer, 0)
        """
        part = buffer if isinstance(buffer, BufferPart) else buffer.part(0)
        params = raw.gc_memset_params(buffer=part.buffer.handle, offset=part.offset, value=value, element_size=size, width=part.nbytes // size, height=1)
        self.push_work(raw.gc_work(kind=raw.GRAPHCAP_WORK_MEMSET, memset_params=ctypes.addressof(params)))

    def _told(self, failed: Error, failure: raw.gc_script_failure) -> BaseException:
        if failure.has_op:
            failed.add_note(f"op {failure.op_index} of the script failed: {bytes(failure.op_name).decode(errors='replace')}")
        if not self._failures:
            return failed
        cause = self._failures[-1]
        self._failures.clear()
        if isinstance(cause, Error):
            return cause
        failed.__cause__ = cause
        return failed

    def record(self, stream: Stream, mode: str = "global") -> Graph:
        """Records the ops in order, as one graph, on a stream that is not captured. mode: as of `capture`.

        Raises the error of the op that failed, with its number and name as a note; the recording is then discarded.

        >>> script = graphcap.Script(context)
        >>> script.push_fill(buffer, 0)
        >>> script.record(stream).nodes[0].kind
        'memset'
        """
        failure = raw.gc_script_failure()
        try:
            handle = raw.gc_script_record(self, stream, mode_number(mode), failure)
        except Error as failed:
            raise self._told(failed, failure) from failed.__cause__
        return Graph._owner(handle)

    def submit(self, stream: Stream) -> None:
        """Submits the ops to a stream in order; they run, or are recorded where the stream is captured.

        >>> script = graphcap.Script(context)
        >>> script.push_fill(buffer, 0)
        >>> script.submit(stream)
        """
        failure = raw.gc_script_failure()
        try:
            raw.gc_script_submit(self, stream, failure)
        except Error as failed:
            raise self._told(failed, failure) from failed.__cause__
