"""Exceptions: one class for each group of statuses, all of them `Error`.

Each has the status, the name of the C call, and the library's message, which tells what to do. One that tells of a broken capture
has the story of what broke it.

>>> import graphcap
>>> try:
...     graphcap.Context(device="host", ordinal=99)
... except graphcap.DeviceError as failed:
...     print(failed.status_name, failed.call)
GRAPHCAP_ERROR_INVALID_DEVICE gc_context_create
"""

from __future__ import annotations

import builtins

from . import _native
from .raw import constants as c
from .raw import functions as raw

__all__ = [
    "CallbackError",
    "CancelledError",
    "CaptureError",
    "DeviceError",
    "DeviceFault",
    "Error",
    "ForkedError",
    "ImageError",
    "InvalidHandleError",
    "InvalidValueError",
    "LibraryError",
    "NotFoundError",
    "NotPermittedError",
    "NotReadyError",
    "NotSupportedError",
    "OutOfMemoryError",
    "StateError",
    "TimeoutError",
    "UpdateError",
]


class Error(Exception):
    """A call of the library failed.

    >>> import graphcap
    >>> issubclass(graphcap.CaptureError, graphcap.Error)
    True
    """

    status: int
    """The number that the call returned: CUDA's own if positive, graphcap's if negative."""
    call: str
    """The C function that failed."""
    message: str
    """The library's message: why, with which objects, and what to do."""
    story: str
    """Story of the break of the capture that the call was in; empty for other failures."""

    def __init__(self, message: str, status: int = 999, call: str = "", story: str = "") -> None:
        super().__init__(message, status, call, story)
        self.status, self.call, self.message, self.story = status, call, message, story

    @property
    def status_name(self) -> str:
        """The name of the status, as graphcap.h has it.

        >>> graphcap.Error("refused", 1).status_name
        'GRAPHCAP_ERROR_INVALID_VALUE'
        """
        return raw.gc_status_name(self.status)

    def __str__(self) -> str:
        told = f"{self.message} [{self.status_name}, {self.call}()]" if self.call else self.message
        return f"{told}\n{self.story}" if self.story and self.story not in self.message else told


class InvalidValueError(Error, ValueError):
    """An argument cannot be what it is."""


class InvalidHandleError(Error, ValueError):
    """A handle is none, or its object was destroyed, or it is of another type or context."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory, of the device or of the process."""


class DeviceError(Error):
    """There is no such device, or no driver for it."""


class ImageError(Error):
    """The code of a module cannot be loaded on this device."""


class NotFoundError(Error, LookupError):
    """There is nothing of this name or number."""


class NotReadyError(Error):
    """The work is not complete yet."""


class StateError(Error):
    """An object is not in the state that the call needs: busy, sealed, capturing, or older than a reset."""


class DeviceFault(Error):
    """Work of the context faulted; `Context.reset` begins a host context anew."""


class NotPermittedError(Error):
    """The call may not be made there, for example inside a callback."""


class NotSupportedError(Error, NotImplementedError):
    """The device or its driver cannot do that."""


class CaptureError(Error):
    """A call broke a capture, or the capture cannot end; `story` tells which call it was."""


class TimeoutError(Error, builtins.TimeoutError):
    """The time passed before the work was complete; the work goes on."""


class UpdateError(Error):
    """An exec cannot take over the graph."""


class CallbackError(Error):
    """A function of the program's, called by the library, failed; `__cause__` has its exception where it is known."""


class CancelledError(Error):
    """An actor was closed before it came to the message."""


class ForkedError(Error):
    """The process is a fork of one that uses graphcap. Only the parent can go on; begin the child anew (multiprocessing: spawn)."""


class LibraryError(Error):
    """A library that graphcap loads at run time, or graphcap itself, failed."""


_BY_STATUS: dict[int, type[Error]] = {
    c.GRAPHCAP_ERROR_INVALID_VALUE: InvalidValueError,
    c.GRAPHCAP_ERROR_OUT_OF_MEMORY: OutOfMemoryError,
    c.GRAPHCAP_ERROR_NOT_INITIALIZED: DeviceError,
    c.GRAPHCAP_ERROR_STUB_LIBRARY: DeviceError,
    c.GRAPHCAP_ERROR_NO_DEVICE: DeviceError,
    c.GRAPHCAP_ERROR_INVALID_DEVICE: DeviceError,
    c.GRAPHCAP_ERROR_INVALID_IMAGE: ImageError,
    c.GRAPHCAP_ERROR_INVALID_CONTEXT: InvalidHandleError,
    c.GRAPHCAP_ERROR_NO_BINARY_FOR_GPU: ImageError,
    c.GRAPHCAP_ERROR_INVALID_PTX: ImageError,
    c.GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION: ImageError,
    c.GRAPHCAP_ERROR_INVALID_HANDLE: InvalidHandleError,
    c.GRAPHCAP_ERROR_ILLEGAL_STATE: StateError,
    c.GRAPHCAP_ERROR_LOSSY_QUERY: NotSupportedError,
    c.GRAPHCAP_ERROR_NOT_FOUND: NotFoundError,
    c.GRAPHCAP_ERROR_NOT_READY: NotReadyError,
    c.GRAPHCAP_ERROR_ILLEGAL_ADDRESS: DeviceFault,
    c.GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: InvalidValueError,
    c.GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED: StateError,
    c.GRAPHCAP_ERROR_LAUNCH_FAILED: DeviceFault,
    c.GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: InvalidValueError,
    c.GRAPHCAP_ERROR_NOT_PERMITTED: NotPermittedError,
    c.GRAPHCAP_ERROR_NOT_SUPPORTED: NotSupportedError,
    c.GRAPHCAP_ERROR_TIMEOUT: TimeoutError,
    c.GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: UpdateError,
    c.GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: InvalidValueError,
    c.GRAPHCAP_ERROR_STALE: StateError,
    c.GRAPHCAP_ERROR_SEALED: StateError,
    c.GRAPHCAP_ERROR_BUSY: StateError,
    c.GRAPHCAP_ERROR_PANIC: LibraryError,
    c.GRAPHCAP_ERROR_CALLBACK: CallbackError,
    c.GRAPHCAP_ERROR_BUFFER_TOO_SMALL: InvalidValueError,
    c.GRAPHCAP_ERROR_LIBRARY: LibraryError,
    c.GRAPHCAP_ERROR_FORKED: ForkedError,
    c.GRAPHCAP_ERROR_CANCELLED: CancelledError,
}
_CAPTURE = range(c.GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, c.GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD + 1)
_STREAM = _native.HANDLES.index("Stream")


def class_of(status: int) -> type[Error]:
    """The class of the exceptions that a status becomes.

    >>> class_of(901).__name__
    'CaptureError'
    """
    return CaptureError if status in _CAPTURE else _BY_STATUS.get(status, Error)


def story_of(stream: _native.Handle | int) -> str:
    """Story of the break of the capture that a stream is in, or was in last; empty if nothing did."""
    try:
        return raw.gc_stream_capture_violation(stream)[1]
    except Error:
        return ""


def made(status: int, call: str, message: str, first: object) -> Error:
    """Makes the exception of a call that failed; `first` is its first argument."""
    kind = class_of(status)
    story = ""
    if kind is CaptureError and isinstance(first, _native.StreamBase) and not first.closed:
        story = story_of(first)
    prefix = f"{call}: "
    text = message.removeprefix(prefix) if message else raw.gc_status_description(status)
    return kind(text, status, call, story)


_native._set_errors(made)  # pyright: ignore[reportPrivateUsage]
