"""Pools: memory and objects that captures, graphs and execs share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from . import _native, raw
from ._base import Object, kind
from .memory import Buffer, _is_host, dtype_name, itemsize, shape_of  # pyright: ignore[reportPrivateUsage]

if TYPE_CHECKING:
    from .context import Context
    from .stream import Stream

__all__ = ["Pool", "PoolMemory"]

_REUSE = {
    "ordered": raw.GRAPHCAP_POOL_REUSE_ORDERED,
    "same_stream": raw.GRAPHCAP_POOL_REUSE_SAME_STREAM,
    "never": raw.GRAPHCAP_POOL_REUSE_NEVER,
}


class PoolMemory(NamedTuple):
    """Bytes of a pool.

    >>> graphcap.Pool(context, capacity=1 << 20).memory().used
    0
    """

    capacity: int
    """The most that the pool may take; 0 without a limit."""
    reserved: int
    """Bytes that the pool has of the device."""
    used: int
    """Bytes that buffers have of it."""
    used_high: int
    """The most that were used at once."""


class Pool(Object, _native.Handle):
    """Memory and objects that captures, graphs and execs share: `graphcap.capture(stream, pool=pool)`.

    capacity: bytes, or 0. reuse: when memory of a destroyed buffer is used again: 'ordered', 'same_stream' or 'never'.

    >>> pool = graphcap.Pool(context)
    >>> with graphcap.capture(stream, pool=pool) as captured:
    ...     stream.fill(pool.allocate(4, "f4", stream=stream), 0)
    >>> captured.graph.instantiate().pool.id == pool.id
    True
    """

    _KIND = kind("Pool")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_pool_id(handle)

    def __init__(self, context: Context, *, capacity: int = 0, reuse: str = "ordered", shared: bool = False) -> None:
        if reuse not in _REUSE:
            raise ValueError(f"reuse must be one of {', '.join(_REUSE)}, not {reuse!r}")
        options = raw.gc_pool_options(flags=raw.GRAPHCAP_POOL_SHARED if shared else 0, capacity=capacity, reuse=_REUSE[reuse])
        self._adopt(raw.gc_pool_create(context, options), self._KIND)

    def allocate(self, shape: int | Sequence[int], dtype: object = "u1", *, stream: Stream | None = None) -> Buffer:
        """A buffer of the pool's memory; shape and dtype are as of `Buffer`.

        stream: the stream that uses it first, which may be captured; its address then stays the same in all replays.
        Raises `StateError` for a sealed pool, `OutOfMemoryError` where the capacity is exceeded.

        >>> graphcap.Pool(context).allocate(4, "f4").nbytes
        16
        """
        lengths, name = shape_of(shape), dtype_name(dtype)
        size = math.prod(lengths) * itemsize(name)
        handle = raw.gc_pool_allocate(self, size) if stream is None else raw.gc_pool_allocate_on_stream(self, stream, size)
        return Buffer._of(handle, lengths, name, _is_host(raw.gc_object_context(self)))  # pyright: ignore[reportPrivateUsage]

    def add(self, kept: object) -> int:
        """Adds a buffer, or any object of Python's, that the pool is to keep. Returns its place.

        Raises `StateError` for a sealed pool.

        >>> graphcap.Pool(context).add(buffer)
        0
        """
        if isinstance(kept, Buffer):
            return raw.gc_pool_add_buffer(self, kept)
        return raw.gc_pool_add_object(self, _native.keep(kept), _native.DESTROY)

    def seal(self) -> None:
        """Lets nothing more be added.

        >>> pool = graphcap.Pool(context)
        >>> pool.seal()
        >>> pool.is_sealed
        True
        """
        raw.gc_pool_seal(self)

    def unseal(self) -> None:
        """Lets objects be added again.

        >>> pool = graphcap.Pool(context)
        >>> pool.unseal()
        """
        raw.gc_pool_unseal(self)

    @property
    def is_sealed(self) -> bool:
        """True where nothing can be added.

        >>> graphcap.Pool(context).is_sealed
        False
        """
        return bool(raw.gc_pool_is_sealed(self))

    def clear(self) -> None:
        """Lets go of what was added. Raises `StateError` while a graph uses the pool.

        >>> graphcap.Pool(context).clear()
        """
        raw.gc_pool_clear(self)

    def trim(self) -> None:
        """Gives back memory that no buffer uses.

        >>> graphcap.Pool(context).trim()
        """
        raw.gc_pool_trim(self)

    def __len__(self) -> int:
        return raw.gc_pool_buffer_count(self)

    @property
    def id(self) -> int:
        """The number of the pool.

        >>> graphcap.Pool(context).id > 0
        True
        """
        return raw.gc_pool_id(self)

    def memory(self) -> PoolMemory:
        """Memory that the pool takes, in bytes.

        >>> graphcap.Pool(context).memory().used
        0
        """
        memory = raw.gc_pool_memory()
        raw.gc_pool_get_memory(self, memory)
        return PoolMemory(memory.capacity, memory.reserved_bytes, memory.used_bytes, memory.used_high)
