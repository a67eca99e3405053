"""Base of all objects: closing, names, handles, waits that Ctrl-C ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self, cast

from . import _native
from .errors import TimeoutError as _TimeoutError
from .raw import functions as raw

if TYPE_CHECKING:
    from .context import Context

_SLICE = 0.05
"""Seconds after which a wait of the main thread looks for signals."""


def kind(name: str) -> int:
    """The number of a type of handles."""
    return _native.HANDLES.index(name)


class Object:
    """Base of every object of graphcap's.

    An object owns a handle of the library, and destroys it when it is closed or not used any more. What the library needs of it lives
    on: a graph keeps the buffers and kernels that it uses. `with` closes an object at the end of the block.
    """

    _KIND: ClassVar[int]

    def _handle(self) -> _native.Handle:
        return cast("_native.Handle", self)

    @classmethod
    def from_handle(cls, handle: int, *, owned: bool = False) -> Self:
        """Makes an object of a handle of the C interface, given as a number.

        owned: the object destroys the handle; without, whoever made the handle does, and it has to live as long as the object.
        Raises `InvalidHandleError` if the handle is not alive.

        >>> same = graphcap.Stream.from_handle(stream.handle)
        >>> same.id == stream.id
        True
        """
        cls._check(handle)
        return cls._owner(handle) if owned else cls._borrower(handle)

    @classmethod
    def _owner(cls, handle: int) -> Self:
        """An object that owns a handle which a call has just made."""
        made = cls.__new__(cls)
        made._handle()._adopt(handle, cls._KIND)
        made._adopted()
        return made

    @classmethod
    def _borrower(cls, handle: int) -> Self:
        """An object of a handle that somebody else destroys."""
        made = cls.__new__(cls)
        made._handle()._adopt(handle, cls._KIND, True)
        made._adopted()
        return made

    @classmethod
    def _check(cls, handle: int) -> None:
        """Raises if the handle is not alive, or of another type."""
        raw.gc_context_destroy(raw.gc_object_context(handle))

    def _adopted(self) -> None:
        """Fills in what an object has beside its handle."""

    def close(self) -> None:
        """Destroys the handle. Work and graphs that use the object go on. Closing twice has no effect.

        Raises `BufferError` while a view of the object's memory is in use.

        >>> event = graphcap.Event(context)
        >>> event.close()
        >>> event.closed
        True
        """
        self._handle()._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, failed: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        handle = self._handle()
        return f"<graphcap.{type(self).__name__} {'closed' if handle.closed else hex(handle.handle)}>"

    @property
    def context(self) -> Context:
        """The context that the object is of.

        >>> stream.context.device_kind
        'host'
        """
        from .context import Context  # noqa: PLC0415

        return Context._owner(raw.gc_object_context(self._handle()))

    @property
    def native(self) -> int:
        """The driver's own handle, for calls of CUDA; the library then counts the object as one that others use.

        Raises `NotSupportedError` on a host device.

        >>> try:
        ...     stream.native
        ... except graphcap.NotSupportedError:
        ...     print("a host stream has none")
        a host stream has none
        """
        return raw.gc_object_native(self._handle())


class Named(Object):
    """Base of objects with a name."""

    @property
    def name(self) -> str:
        """A name for messages, reports and pictures; empty until it is set.

        >>> stream.name = "decode"
        >>> stream.name
        'decode'
        """
        return raw.gc_get_name(self._handle())

    @name.setter
    def name(self, name: str) -> None:
        raw.gc_set_name(self._handle(), name)

    def __repr__(self) -> str:
        handle = self._handle()
        named = "closed" if handle.closed else raw.gc_get_name(handle) or hex(handle.handle)
        return f"<graphcap.{type(self).__name__} {named}>"


def waited(
    wait: Callable[[int], None], whole: Callable[[], None], timeout: float | None, is_done: Callable[[], bool] | None = None
) -> None:
    """Waits in slices, so that signals are seen; for ever if timeout is None.

    wait: waits for a number of nanoseconds, or raises TimeoutError. whole: waits for ever. is_done: tells that a TimeoutError is what
    was waited for.
    """
    is_main = _native.is_main_thread() or threading.current_thread() is threading.main_thread()
    if timeout is None and not is_main:
        whole()
        return
    limit = None if timeout is None else time.monotonic() + timeout
    while True:
        rest = _SLICE if limit is None else max(0.0, min(_SLICE, limit - time.monotonic()))
        try:
            wait(int(rest * 1e9))
        except _TimeoutError:
            if (limit is not None and time.monotonic() >= limit) or (is_done is not None and is_done()):
                raise
        else:
            return
