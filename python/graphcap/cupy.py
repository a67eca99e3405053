"""CuPy's work in graphs of graphcap's.

The examples need a GPU, which the tests of docstrings do without, so they are skipped; tests/test_gpu_cupy.py runs such code.

>>> import graphcap.cupy  # doctest: +SKIP
>>> with graphcap.cupy.capture() as captured:  # doctest: +SKIP
...     y = x * 2 + 1
>>> captured.instantiate().replay()  # doctest: +SKIP
"""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-any-return, misc, no-untyped-call, attr-defined"
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingModuleSource=false, reportUnknownParameterType=false
# pyright: reportAttributeAccessIssue=false, reportMissingTypeStubs=false

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import cupy

from ._held import Recording
from .capture import Capture as _Capture
from .interop import stream_of
from .memory import Buffer
from .pool import Pool
from .stream import Stream

__all__ = ["Allocator", "Capture", "capture", "stream"]


def stream(other: Any = None) -> Stream:
    """A stream of CuPy as a `Stream`; without an argument the current one.

    other: a `cupy.cuda.Stream`, which is kept as long as the result.

    >>> graphcap.cupy.stream().launch(kernel, 1, 1, array)  # doctest: +SKIP
    """
    return stream_of(cupy.cuda.get_current_stream() if other is None else other)


class Allocator:
    """CuPy's memory out of a `Pool`: `with cupy.cuda.using_allocator(graphcap.cupy.Allocator(pool).malloc): ...`.

    pool: the pool; what is allocated on a captured stream stays the graph's, and is used again in the capture alone.
    stream: the stream that uses the memory; CuPy's current one without.

    >>> allocator = graphcap.cupy.Allocator(graphcap.Pool(context))  # doctest: +SKIP
    >>> with cupy.cuda.using_allocator(allocator.malloc):  # doctest: +SKIP
    ...     x = cupy.zeros(4)
    """

    def __init__(self, pool: Pool, stream: Stream | None = None) -> None:
        self._pool, self._stream = pool, stream
        self._buffers: dict[int, Buffer] = {}
        self._made = cupy.cuda.PythonFunctionAllocator(self._allocate, self._free)

    def malloc(self, nbytes: int) -> Any:
        """A `cupy.cuda.MemoryPointer` to so many bytes. Raises `OutOfMemoryError` where the pool has none.

        >>> allocator.malloc(512).ptr > 0  # doctest: +SKIP
        True
        """
        return self._made.malloc(nbytes)

    def _allocate(self, nbytes: int, device: int) -> int:
        if nbytes == 0:
            return 0
        current = cupy.cuda.get_current_stream
        where = stream_of(current(), self._pool.context) if self._stream is None else self._stream
        buffer = self._pool.allocate(nbytes, stream=where)
        self._buffers[buffer.address] = buffer
        return buffer.address

    def _free(self, address: int, device: int) -> None:
        buffer = self._buffers.pop(address, None)
        if buffer is not None:
            buffer.close()


class Capture(_Capture):
    """A capture of CuPy's work: `graphcap.cupy.capture` makes it, and `with` ends it.

    >>> with graphcap.cupy.capture() as captured:  # doctest: +SKIP
    ...     y = x * 2
    """

    def __init__(self, stream: Any = None, mode: str = "thread_local", *, pool: Pool | None = None, **options: Any) -> None:
        if stream is not None and not isinstance(stream, cupy.cuda.Stream | cupy.cuda.ExternalStream):
            raise TypeError(f"stream must be a cupy.cuda.Stream or None, not {type(stream).__name__}")
        self._cupy_stream = cupy.cuda.Stream(non_blocking=True) if stream is None else stream
        if self._cupy_stream.ptr == 0:
            raise ValueError("CuPy's default stream cannot be captured: pass a cupy.cuda.Stream(), or None for a new one")
        ours = stream_of(self._cupy_stream, None if pool is None else pool.context)
        self._allocator = Allocator(Pool(ours.context) if pool is None else pool, ours)
        self._around = ExitStack()
        super().__init__(ours, mode, pool=self._allocator._pool, **options)  # pyright: ignore[reportPrivateUsage]

    @property
    def cupy_stream(self) -> Any:
        """The captured stream, as a `cupy.cuda.Stream`.

        >>> graphcap.cupy.capture(mine).cupy_stream is mine  # doctest: +SKIP
        True
        """
        return self._cupy_stream

    def __enter__(self) -> Self:
        with ExitStack() as around:
            self._cupy_stream.wait_event(cupy.cuda.get_current_stream().record())
            around.enter_context(self._cupy_stream)
            around.enter_context(Recording())
            around.enter_context(cupy.cuda.using_allocator(self._allocator.malloc))
            super().__enter__()
            self._around = around.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, failed: BaseException | None, trace: TracebackType | None) -> None:
        with self._around:
            super().__exit__(kind, failed, trace)


def capture(stream: Any = None, mode: str = "thread_local", *, pool: Pool | None = None, **options: Any) -> Capture:
    """Captures CuPy's work: `with graphcap.cupy.capture() as captured: y = x * 2`, then `captured.instantiate()`.

    stream: a `cupy.cuda.Stream`, which is the current stream in the block; a new one without.
    mode, options: as of `graphcap.capture`.
    pool: what the work allocates comes from this pool; from a new one without. The graph keeps it.

    Run the work once before: CuPy compiles and loads kernels at the first call. Arrays from outside are read at their addresses by each
    replay: keep them. An exception in the block discards the capture. Raises `CaptureError` if a call broke it.

    >>> x = cupy.arange(4)  # doctest: +SKIP
    >>> with graphcap.cupy.capture() as captured:  # doctest: +SKIP
    ...     y = x * 2
    >>> captured.instantiate().replay()  # doctest: +SKIP
    """
    return Capture(stream, mode, pool=pool, **options)
