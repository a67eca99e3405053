"""Graph caches: execs by keys of the program's, such as shapes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, NamedTuple

from . import _native, raw
from ._base import Object, kind
from .errors import Error
from .stream import Stream

if TYPE_CHECKING:
    from .context import Context

__all__ = ["CacheStats", "GraphCache"]


class CacheStats(NamedTuple):
    """Counters of a graph cache.

    >>> graphcap.GraphCache(context, lambda stream, key: stream.fill(buffer, 0)).stats().keys
    0
    """

    hits: int
    """Launches of a key that it had."""
    recordings: int
    """Number of calls of the recording function."""
    updates: int
    """Recordings for which an exec was updated."""
    instantiations: int
    """Recordings for which an exec was made."""
    evictions: int
    """Keys that it dropped."""
    keys: int
    """Keys that it has."""
    execs: int
    """Execs that it has."""
    bytes: int
    """Bytes of the host that these take, by a model."""
    device_bytes: int
    """Bytes of the device."""

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in self._asdict().items())
        return f"<table>{rows}</table>"


class _Local(threading.local):
    key: Hashable = None
    failure: BaseException | None = None


def _encoded(key: Hashable) -> bytes:
    if isinstance(key, bytes):
        return b"b" + key
    plain = (str, int, float, bool, type(None))

    def is_plain(part: object) -> bool:
        return isinstance(part, plain) or (isinstance(part, tuple) and all(is_plain(inner) for inner in part))  # pyright: ignore

    if not is_plain(key):
        raise TypeError(f"key must be bytes, or made of tuples, str, int, float, bool and None, not {type(key).__name__}")
    return b"r" + repr(key).encode()


class GraphCache(Object, _native.Handle):
    """Graph execs by key. The work of a key is recorded at its first launch, and replayed at later ones.

    record: called with a stream that is captured, and the key; it submits the work. Everything that the work uses has to be the same for
    the same key. max_bytes: the keys that were not launched for the longest time are dropped beyond it; 0 is no limit.
    share: keys of the same topology share an exec, which is updated from one to the other.

    >>> cache = graphcap.GraphCache(context, lambda stream, count: stream.fill(buffer.part(0, count), 0))
    >>> cache.launch(4, stream)
    >>> cache.launch(4, stream)
    >>> cache.stats().recordings
    1
    """

    _KIND = kind("GraphCache")

    def __init__(self, context: Context, record: Callable[[Stream, Hashable], object], *, max_bytes: int = 0, share: bool = False) -> None:
        if not callable(record):
            raise TypeError(f"record must be callable, not {type(record).__name__}")
        local = self._local = _Local()

        def recorded(place: int, _key: bytes, _launch: int) -> int:
            try:
                with Stream._borrower(place) as stream:
                    record(stream, local.key)
            except BaseException as failed:  # noqa: BLE001
                local.failure = failed
                return failed.status if isinstance(failed, Error) else raw.GRAPHCAP_ERROR_CALLBACK
            return 0

        options = raw.gc_graph_cache_options(
            flags=raw.GRAPHCAP_GRAPH_CACHE_SHARE_EXECS if share else 0, max_bytes=max_bytes, record=_native.CACHE_RECORD,
            user_data=_native.keep(recorded), destroy=_native.DESTROY,
        )  # fmt: skip
        self._adopt(raw.gc_graph_cache_create(context, options), self._KIND)

    def _adopted(self) -> None:
        self._local = _Local()

    def launch(self, key: Hashable, stream: Stream) -> None:
        """Launches the work of a key, which is recorded first if the cache does not have it.

        key: bytes, or tuples, texts and numbers. Raises what the recording function raised.

        >>> cache = graphcap.GraphCache(context, lambda stream, shape: stream.fill(buffer, 0))
        >>> cache.launch((2, 2), stream)
        """
        data = _encoded(key)
        before, self._local.key = self._local.key, key
        try:
            raw.gc_graph_cache_launch(self, data, len(data), stream, None)
        except Error as failed:
            cause, self._local.failure = self._local.failure, None
            if cause is None:
                raise
            raise cause from failed
        finally:
            self._local.key = before

    def remove(self, key: Hashable) -> None:
        """Drops a key. Raises `NotFoundError` if the cache does not have it.

        >>> cache = graphcap.GraphCache(context, lambda stream, shape: stream.fill(buffer, 0))
        >>> cache.launch(1, stream)
        >>> cache.remove(1)
        """
        data = _encoded(key)
        raw.gc_graph_cache_remove(self, data, len(data))

    def clear(self) -> None:
        """Drops all keys.

        >>> graphcap.GraphCache(context, lambda stream, key: stream.fill(buffer, 0)).clear()
        """
        raw.gc_graph_cache_clear(self)

    def stats(self) -> CacheStats:
        """Counters of the cache, and the memory that it takes.

        >>> graphcap.GraphCache(context, lambda stream, key: stream.fill(buffer, 0)).stats().hits
        0
        """
        stats = raw.gc_graph_cache_stats()
        raw.gc_graph_cache_get_stats(self, stats)
        return CacheStats(*(getattr(stats, name) for name in CacheStats._fields))
