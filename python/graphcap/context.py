"""Contexts: a device that is opened, with its streams, memory and graphs."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from . import _native, raw
from ._base import Object, kind, waited

if TYPE_CHECKING:
    from .stream import Stream

__all__ = ["Context", "GraphMemory", "MemoryReport", "device_count", "device_name"]

_KINDS = {"auto": raw.GRAPHCAP_DEVICE_AUTO, "cuda": raw.GRAPHCAP_DEVICE_CUDA, "host": raw.GRAPHCAP_DEVICE_HOST}
_NAMES = {number: name for name, number in _KINDS.items()}


def _kind_of(device: str) -> int:
    try:
        return _KINDS[device]
    except KeyError:
        raise ValueError(f"device must be 'auto', 'cuda' or 'host', not {device!r}") from None


def device_count(device: str = "auto") -> int:
    """The number of devices of a kind: 'auto', 'cuda' or 'host'.

    Raises `DeviceError` if the driver does not work.

    >>> graphcap.device_count("host")
    1
    """
    return raw.gc_device_count(_kind_of(device))


def device_name(device: str = "auto", ordinal: int = 0) -> str:
    """The name of a device.

    Raises `DeviceError` if there is none of that number.

    >>> graphcap.device_name("host").startswith("graphcap host device")
    True
    """
    return raw.gc_device_name(_kind_of(device), ordinal)


class MemoryReport(str):
    """Memory that the objects of a context take, in words. In a notebook it is a table. `data` has it as JSON has it.

    >>> report = context.memory_report()
    >>> "buffers" in report.data
    True
    """

    data: dict[str, Any]

    def __new__(cls, text: str, data: dict[str, Any]) -> MemoryReport:
        made = super().__new__(cls, text)
        made.data = data
        return made

    def _repr_html_(self) -> str:
        parts: list[str] = []
        for title, found in self.data.items():
            rows = cast("list[dict[str, Any]]", found if isinstance(found, list) else [])
            rows = [row for row in rows if isinstance(row, dict)]  # pyright: ignore[reportUnnecessaryIsInstance]
            if not rows:
                continue
            names: list[str] = list(dict.fromkeys(name for row in rows for name in row))
            parts.append(f"<b>{escape(title)}</b><table><tr>{''.join(f'<th>{escape(name)}</th>' for name in names)}</tr>")
            for row in rows:
                cells = "".join(f"<td>{escape(str(row.get(name, '')))}</td>" for name in names)
                parts.append(f"<tr>{cells}</tr>")
            parts.append("</table>")
        return f"<div>{''.join(parts) or f'<pre>{escape(self)}</pre>'}</div>"


class GraphMemory(NamedTuple):
    """Bytes that the allocations of graphs use.

    >>> context.graph_memory().used
    0
    """

    used: int
    """Bytes in use now."""
    used_high: int
    """The most that were in use at once."""
    reserved: int
    """Bytes that the device reserves for graphs."""
    reserved_high: int
    """The most that were reserved at once."""


class Context(Object, _native.Handle):
    """A device that is opened.

    device: 'auto' is a GPU where one works, else the CPU; 'cuda'; 'host'. The environment variable GRAPHCAP_DEVICE decides for 'auto'.
    ordinal: the number of the device among those of its kind.
    guarded: a call that would break an open capture is refused before it does.
    strict: captures refuse, or tell, what would go wrong in silence.

    In a trace that CUPTI is subscribed to, a context on a GPU waits for the work of that GPU. Raises `DeviceError` if there is no such device, or no driver.

    >>> with graphcap.Context("host") as device:
    ...     device.device_kind
    'host'
    """

    _KIND = kind("Context")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_context_get_info(handle, raw.gc_context_info())

    def __init__(self, device: str = "auto", ordinal: int = 0, *, guarded: bool = False, strict: bool = False) -> None:
        flags = (raw.GRAPHCAP_CONTEXT_GUARDED if guarded else 0) | (raw.GRAPHCAP_CONTEXT_STRICT if strict else 0)
        options = raw.gc_context_options(device_kind=_kind_of(device), device_ordinal=ordinal, flags=flags)
        self._adopt(raw.gc_context_create(options), self._KIND)

    def _info(self) -> raw.gc_context_info:
        info = raw.gc_context_info()
        raw.gc_context_get_info(self, info)
        return info

    @property
    def context(self) -> Context:
        """The context itself.

        >>> context.context is context
        True
        """
        return self

    @property
    def device_kind(self) -> str:
        """'cuda' or 'host'.

        >>> context.device_kind
        'host'
        """
        return _NAMES[self._info().device_kind]

    @property
    def ordinal(self) -> int:
        """The number of the device among those of its kind.

        >>> context.ordinal
        0
        """
        return int(self._info().device_ordinal)

    @property
    def generation(self) -> int:
        """A number that grows with each `reset`.

        >>> context.generation >= 0
        True
        """
        return int(self._info().generation)

    @property
    def device_name(self) -> str:
        """The name of the device.

        >>> "host" in context.device_name
        True
        """
        return raw.gc_context_device_name(self)

    def synchronize(self, timeout: float | None = None) -> None:
        """Waits until all work of the context is complete. Ctrl-C ends the wait.

        timeout: seconds, or None to wait for ever.
        Raises `TimeoutError` if the time passes first, `CaptureError` if a capture bars the wait, `DeviceFault` or `CallbackError` if work
        failed.

        >>> context.synchronize(timeout=10)
        """
        waited(lambda ns: raw.gc_context_synchronize_for(self, ns), lambda: raw.gc_context_synchronize(self), timeout)

    def collect(self) -> None:
        """Gives back the memory and code that had to wait for work of the device. It may wait for the device.

        >>> context.collect()
        """
        raw.gc_context_collect(self)

    def reset(self) -> None:
        """Begins the context anew, also after a fault: all older objects of it become stale.

        >>> with graphcap.Context("host") as device:
        ...     before = device.generation
        ...     device.reset()
        ...     device.generation > before
        True
        """
        raw.gc_context_reset(self)

    def priority_range(self) -> tuple[int, int]:
        """The least and the greatest priority of streams; a smaller number is a greater priority.

        >>> least, greatest = context.priority_range()
        >>> least >= greatest
        True
        """
        return raw.gc_context_stream_priority_range(self)

    def legacy_stream(self) -> Stream:
        """The legacy default stream, which waits for blocking streams, and they for it.

        >>> context.legacy_stream().flags
        0
        """
        from .stream import Stream  # noqa: PLC0415

        return Stream._owner(raw.gc_context_legacy_stream(self))

    def per_thread_stream(self) -> Stream:
        """The default stream of the calling thread.

        >>> context.per_thread_stream().is_complete()
        True
        """
        from .stream import Stream  # noqa: PLC0415

        return Stream._owner(raw.gc_context_per_thread_stream(self))

    def wrap_stream(self, stream: object) -> Stream:
        """A stream of another library as a `Stream` of this context; a `Stream` is given back as it is.

        stream: an object with `__cuda_stream__`, such as a stream of PyTorch, CuPy or cuda.core. It is kept as long as the result.
        Raises `TypeError` for another object, `NotSupportedError` on a host device.

        >>> context.wrap_stream(stream) is stream
        True
        """
        from .interop import stream_of  # noqa: PLC0415

        return stream_of(stream, self)

    def memory_report(self) -> MemoryReport:
        """Memory that the live buffers, pools, graphs and execs take, in bytes, and what keeps them.

        >>> print(context.memory_report())  # doctest: +ELLIPSIS
        memory of graphcap on graphcap host device...
        """
        text = raw.gc_context_memory_report(self, raw.GRAPHCAP_MEMORY_REPORT_TEXT)
        data: dict[str, Any] = json.loads(raw.gc_context_memory_report(self, raw.GRAPHCAP_MEMORY_REPORT_JSON))
        return MemoryReport(text, data)

    def graph_memory(self) -> GraphMemory:
        """Bytes that allocations of graphs use and reserve.

        >>> context.graph_memory().used
        0
        """
        memory = raw.gc_graph_memory()
        raw.gc_context_graph_memory(self, memory)
        return GraphMemory(memory.used_bytes, memory.used_high, memory.reserved_bytes, memory.reserved_high)

    def trim(self) -> None:
        """Gives back memory that the device reserves for graphs and nothing uses.

        >>> context.trim()
        """
        raw.gc_context_graph_memory_trim(self)
