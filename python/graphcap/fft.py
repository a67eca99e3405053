"""Fourier transforms of floats, as work of streams."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from . import _native, raw
from ._base import Object, kind
from .memory import Buffer, BufferPart

if TYPE_CHECKING:
    from .context import Context
    from .stream import Stream

__all__ = ["FftPlan"]

_DIRECTIONS = {
    "r2c": (raw.GRAPHCAP_FFT_DIRECTION_R2C, raw.GRAPHCAP_WORK_FFT_R2C),
    "c2r": (raw.GRAPHCAP_FFT_DIRECTION_C2R, raw.GRAPHCAP_WORK_FFT_C2R),
}


class FftPlan(Object, _native.Handle):
    """A plan of Fourier transforms between `length` floats and the `length // 2 + 1` complex numbers of half the spectrum.

    direction: 'r2c' or 'c2r'. batch: transforms one behind the other. There and back multiplies by the length.
    Make plans before captures: a first one may take a second on a GPU. Raises `LibraryError` where cuFFT cannot be loaded.

    >>> plan = graphcap.FftPlan(context, 4, "r2c")
    >>> spectrum = graphcap.Buffer(context, 6, "f4")
    >>> stream.copy(buffer, numpy.array([1, 2, 3, 4], "f4"))
    >>> plan.transform(stream, spectrum, buffer)
    >>> spectrum.copy_to_host().tolist()
    [10.0, 0.0, -2.0, 2.0, -2.0, 0.0]
    """

    _KIND = kind("FftPlan")

    def __init__(self, context: Context, length: int, direction: str, batch: int = 1) -> None:
        if direction not in _DIRECTIONS:
            raise ValueError(f"direction must be 'r2c' or 'c2r', not {direction!r}")
        if batch < 1:
            raise ValueError(f"batch must be 1 or more, not {batch}")
        number, self._work = _DIRECTIONS[direction]
        reals, complexes = 4 * length * batch, 8 * (length // 2 + 1) * batch
        self._bytes = (reals, complexes) if direction == "r2c" else (complexes, reals)
        params = raw.gc_fft_plan_params(direction=number, length=length, batch_count=batch)
        self._adopt(raw.gc_fft_plan_create(context, params), self._KIND)

    def transform(self, stream: Stream, to: Buffer | BufferPart, source: Buffer | BufferPart) -> None:
        """Transforms in the order of the stream; of a capture, in each replay. The source is kept, and the graph keeps the plan.

        Raises `ValueError` for memory of another size than the plan's.

        >>> plan = graphcap.FftPlan(context, 4, "c2r")
        >>> plan.transform(stream, buffer, graphcap.Buffer.of(context, numpy.array([4, 0, 0, 0, 0, 0], "f4")))
        >>> buffer.copy_to_host().tolist()
        [4.0, 4.0, 4.0, 4.0]
        """
        sides = [part if isinstance(part, BufferPart) else part.part(0) for part in (source, to)]
        found = tuple(part.nbytes for part in sides)
        if found != self._bytes:
            raise ValueError(f"the plan transforms {self._bytes[0]} bytes to {self._bytes[1]}, and source and to have {found[0]} and {found[1]}")
        params = raw.gc_fft_params(
            plan=self.handle, input=sides[0].buffer.handle, input_offset=sides[0].offset, output=sides[1].buffer.handle, output_offset=sides[1].offset
        )
        stream.submit(raw.gc_work(kind=self._work, fft_params=ctypes.addressof(params)))
