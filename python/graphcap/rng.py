"""Random numbers whose state is in device memory, so that each replay draws new ones."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from . import _native, raw
from ._base import Named, kind
from .memory import Buffer, BufferPart

if TYPE_CHECKING:
    from .stream import Stream

__all__ = ["Rng"]


class Rng(Named, _native.Handle):
    """A generator of random numbers, Philox 4x32-10, with the same bits on all devices; docs/random.md.

    stream: writes the state. seed: of 64 bits. subsequence: generators of one seed and different ones never share numbers.

    >>> rng = graphcap.Rng(stream, 42)
    >>> with graphcap.capture(stream) as captured:
    ...     rng.fill(stream, buffer)
    >>> exec = captured.instantiate()
    >>> exec.replay()
    >>> exec.replay()
    >>> rng.offset(stream)
    8
    """

    _KIND = kind("Rng")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_rng_subsequence(handle)

    def __init__(self, stream: Stream, seed: int, subsequence: int = 0) -> None:
        self._adopt(raw.gc_rng_create(stream, seed, subsequence), self._KIND)

    def fill(self, stream: Stream, buffer: Buffer | BufferPart, *, repeat: int | None = None) -> None:
        """Fills memory with floats of 4 bytes from 0 to below 1: the next ones of the generator, at each replay anew.

        repeat: draw the same each time, from the element of this number on. Raises `ValueError` for memory that is no multiple of 4 bytes.

        >>> rng = graphcap.Rng(stream, 42)
        >>> rng.fill(stream, buffer, repeat=0)
        >>> first = buffer.copy_to_host()
        >>> rng.fill(stream, buffer)
        >>> (buffer.copy_to_host() == first).all().item()
        True
        """
        part = buffer if isinstance(buffer, BufferPart) else buffer.part(0)
        if part.nbytes % 4:
            raise ValueError(f"floats of 4 bytes do not fill {part.nbytes} bytes")
        params = raw.gc_rng_uniform_params(
            flags=0 if repeat is None else raw.GRAPHCAP_RNG_REPEAT, rng=self.handle, buffer=part.buffer.handle, offset=part.offset,
            count=part.nbytes // 4, first=repeat or 0,
        )  # fmt: skip
        stream.submit(raw.gc_work(kind=raw.GRAPHCAP_WORK_RNG_UNIFORM, rng_uniform_params=ctypes.addressof(params)))

    def seed(self, stream: Stream) -> int:
        """The seed behind the work of the stream, for which it waits.

        >>> graphcap.Rng(stream, 42).seed(stream)
        42
        """
        return raw.gc_rng_get_seed(self, stream)

    def set_seed(self, stream: Stream, seed: int) -> None:
        """Begins another sequence in the order of the stream, from element 0 on; graphs that were recorded before draw from it too.

        It cannot be recorded. Raises `StateError` while the stream is captured.

        >>> graphcap.Rng(stream, 42).set_seed(stream, 7)
        """
        raw.gc_rng_set_seed(self, stream, seed)

    def offset(self, stream: Stream) -> int:
        """The number of the element that is drawn next, behind the work of the stream, for which it waits.

        >>> graphcap.Rng(stream, 42).offset(stream)
        0
        """
        return raw.gc_rng_get_offset(self, stream)

    def set_offset(self, stream: Stream, offset: int) -> None:
        """Goes on from an element of the sequence, in the order of the stream. Raises as `set_seed`.

        >>> graphcap.Rng(stream, 42).set_offset(stream, 1000)
        """
        raw.gc_rng_set_offset(self, stream, offset)

    @property
    def subsequence(self) -> int:
        """The subsequence of the generator.

        >>> graphcap.Rng(stream, 42, 3).subsequence
        3
        """
        return raw.gc_rng_subsequence(self)
