"""Scalars: values in device memory that a stream changes between replays."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from . import _native, raw
from ._base import Named, kind
from .memory import Buffer, BufferPart, dtype_name

if TYPE_CHECKING:
    from .stream import Stream

__all__ = ["Scalar"]

_TYPES = {
    "i4": (raw.GRAPHCAP_SCALAR_I32, "i"),
    "u4": (raw.GRAPHCAP_SCALAR_U32, "I"),
    "i8": (raw.GRAPHCAP_SCALAR_I64, "q"),
    "u8": (raw.GRAPHCAP_SCALAR_U64, "Q"),
    "f4": (raw.GRAPHCAP_SCALAR_F32, "f"),
    "f8": (raw.GRAPHCAP_SCALAR_F64, "d"),
}


class Scalar(Named, _native.Handle):
    """A number in device memory. Kernels take its address, and `update` changes it for the replays behind it.

    stream: the stream that writes the first value. dtype: 'i4', 'u4', 'i8', 'u8', 'f4' or 'f8'.

    >>> rate = graphcap.Scalar(stream, 0.5, "f4")
    >>> rate.update(stream, 0.25)
    >>> rate.read(stream)
    0.25
    """

    _KIND = kind("Scalar")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_scalar_type(handle)

    def __init__(self, stream: Stream, value: float = 0, dtype: object = "f4") -> None:
        name = dtype_name(dtype)
        if name not in _TYPES:
            raise TypeError(f"dtype must be one of {', '.join(_TYPES)}, not {dtype!r}")
        self._dtype = name
        self._part: BufferPart | None = None
        self._adopt(raw.gc_scalar_create(stream, _TYPES[name][0], self._packed(value)), self._KIND)

    def _adopted(self) -> None:
        number = raw.gc_scalar_type(self)
        self._dtype = next(name for name, (known, _) in _TYPES.items() if known == number)
        self._part = None

    def _packed(self, value: float) -> bytes:
        code = _TYPES[self._dtype][1]
        if isinstance(value, float) and code not in "fd":
            raise TypeError(f"the scalar is an integer ({self._dtype}), and {value!r} is not")
        try:
            return struct.pack(code, value)
        except struct.error:
            raise OverflowError(f"{value!r} is out of the range of {self._dtype}") from None

    @property
    def dtype(self) -> str:
        """The type of the number.

        >>> graphcap.Scalar(stream, 1, "i4").dtype
        'i4'
        """
        return self._dtype

    def update(self, stream: Stream, value: float) -> None:
        """Changes the value in the order of the stream. It cannot be recorded.

        Raises `TypeError` or `OverflowError` for a value that the type does not have, `StateError` while the stream is captured.

        >>> count = graphcap.Scalar(stream, 1, "i4")
        >>> count.update(stream, 2)
        >>> count.read(stream)
        2
        """
        raw.gc_scalar_update(self, stream, _TYPES[self._dtype][0], self._packed(value))

    def read(self, stream: Stream) -> float:
        """The value behind the work of the stream, for which it waits.

        >>> graphcap.Scalar(stream, 3, "i8").read(stream)
        3
        """
        number, code = _TYPES[self._dtype]
        room = bytearray(8)
        raw.gc_scalar_read(self, stream, number, room)
        value: float = struct.unpack_from(code, room)[0]
        return value

    @property
    def address(self) -> int:
        """The address in device memory.

        >>> graphcap.Scalar(stream).address > 0
        True
        """
        return raw.gc_scalar_address(self)

    @property
    def part(self) -> BufferPart:
        """The memory of the scalar, as a part of a buffer, for copies and waits for values.

        >>> graphcap.Scalar(stream, 1, "i4").part.nbytes
        4
        """
        if self._part is None:
            handle, offset = raw.gc_scalar_buffer(self)
            self._part = BufferPart(Buffer._owner(handle), offset, struct.calcsize(_TYPES[self._dtype][1]))
        return self._part

    @property
    def _argument(self) -> BufferPart:
        return self.part
