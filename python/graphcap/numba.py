"""Kernels of numba-cuda as kernels of graphcap's: launches that a graph knows by name, and whose memory it keeps.

The examples need a GPU, which the tests of docstrings do without, so they are skipped; tests/test_gpu_numba.py runs such code.

numba-cuda takes a stream as `cuda.external_stream(stream.native)`. Its own launch on a captured stream is recorded too; the graph then knows
less of it. numba-cuda 0.30 compiles no kernel beside NumPy 2.5, which has no `row_stack` any more.
Kernels for the CPU that Numba compiles are `graphcap.host_kernel(..., jit=True)`.
"""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-any-return, misc, no-untyped-call, attr-defined"
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingModuleSource=false, reportUnknownParameterType=false
# pyright: reportAttributeAccessIssue=false, reportMissingTypeStubs=false

from __future__ import annotations

import struct
from typing import Any

from . import raw
from ._loaded import Loaded
from .context import Context
from .errors import NotSupportedError
from .interop import check_interface, stream_of, wait_for_producer
from .memory import Buffer
from .module import Kernel, Module
from .stream import Stream

__all__ = ["compiled", "launch"]

_loaded = Loaded()
_NUMBERS = {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "bool": "?",
            "float16": "e", "float32": "f", "float64": "d", "complex64": "ff", "complex128": "dd"}  # fmt: skip


def compiled(function: Any, *arguments: Any) -> Any:
    """The kernel that numba-cuda compiles for these arguments, which was not launched.

    function: a `numba.cuda.jit` function. arguments: as for a launch of numba-cuda's.

    >>> graphcap.numba.compiled(add, x, y, out).entry_name  # doctest: +SKIP
    '_ZN8__main__3add...'
    """
    return function.compile(tuple(function.typeof_pyval(argument) for argument in arguments))


def launch(stream: Any, function: Any, grid: int | tuple[int, ...], block: int | tuple[int, ...], *arguments: Any, shared: int = 0) -> None:
    """Launches a kernel of numba-cuda, or records the launch while the stream is captured.

    stream: a `Stream`, or one of another library. function: a `numba.cuda.jit` function. grid, block: blocks, and threads of a block.
    arguments: memory of the GPU (a `Buffer`, or anything with `__cuda_array_interface__`), numbers, and tuples of them.
    shared: bytes of dynamic shared memory.

    numba-cuda compiles the kernel for the types of the arguments. An array of n dimensions is 5 + 2n parameters.

    Raises `TypeError` for an argument of another kind, such as an array of the host, which numba-cuda would copy at each launch, and for
    memory that is read-only or has a mask; `StateError` for an array that a captured stream writes, where `stream` is not captured;
    `NotSupportedError` for cooperative kernels, and kernels for a debugger. Launch those by numba-cuda.

    >>> with graphcap.capture(stream) as captured:  # doctest: +SKIP
    ...     graphcap.numba.launch(stream, add, 4, 256, x, y, out)
    >>> captured.graph.nodes[0].kernel_name  # doctest: +SKIP
    '_ZN8__main__3add...'
    """
    ours = stream_of(stream)
    built = compiled(function, *arguments)
    for name in ("cooperative", "debug"):
        if getattr(built, name, False):
            told = f"{function.__name__} was made with {name}=True: launch it by numba-cuda, on the stream that is captured"
            raise NotSupportedError(told, raw.GRAPHCAP_ERROR_NOT_SUPPORTED)
    context = ours.context
    given: list[Any] = []
    producers: set[int | None] = set()
    for place, (kind, value) in enumerate(zip(built.argument_types, arguments, strict=True)):
        _add(ours, given, producers, place, kind, value)
    for producer in producers:
        wait_for_producer(producer, ours)
    # The kernel is the key, so that it lives as long and no other has its number.
    kernel = _loaded.kernel(ours, context, built, lambda: _load(context, built))
    ours.launch(kernel, grid, block, *given, shared=shared)


def _load(context: Context, built: Any) -> tuple[Module, Kernel]:
    code = built._codelibrary.get_cubin()
    module = Module(context, bytes(getattr(code, "code", code)))
    return module, module[built.entry_name]


def _add(stream: Stream, given: list[Any], producers: set[int | None], place: int, kind: Any, value: Any) -> None:
    """Adds the parameters of one argument, as numba-cuda lays them out, and the streams that write its arrays."""
    if hasattr(kind, "layout") and hasattr(kind, "ndim"):
        given += _array(stream, producers, place, value)
        return
    if hasattr(kind, "types") and isinstance(value, tuple):
        for part, item in zip(kind.types, value, strict=True):
            _add(stream, given, producers, place, part, item)
        return
    name = str(getattr(kind, "literal_type", kind))
    code = _NUMBERS.get(name)
    if code is None:
        raise TypeError(f"launch(): argument {place} is of Numba's type {kind}, which graphcap.numba cannot pass: launch it by numba-cuda")
    if name.startswith("complex"):
        given += [struct.pack(code[0], part) for part in (value.real, value.imag)]
    else:
        given.append(struct.pack(code, value))


def _array(stream: Stream, producers: set[int | None], place: int, value: Any) -> list[Any]:
    """The parameters of an array: two that are not used, its length, the size of an element, its address, its shape, its strides."""
    interface, kind = getattr(value, "__cuda_array_interface__", None), type(value).__name__
    if interface is None:
        raise TypeError(f"launch(): argument {place} is a {kind}, and no memory of the GPU: copy it into a Buffer")
    try:
        check_interface(interface, kind)
    except TypeError as failed:
        raise TypeError(f"launch(): argument {place}: {failed}") from None
    producers.add(interface.get("stream"))
    address, shape, size = int(interface["data"][0]), tuple(interface["shape"]), int(interface["typestr"][2:])
    strides, count = interface.get("strides"), 1
    if strides is None:
        strides = []
        for length in reversed(shape):
            strides.insert(0, size * count)
            count *= length
    count = 1
    for length in shape:
        count *= length
    memory: Any = 0
    if count:
        ends = [(length - 1) * stride for length, stride in zip(shape, strides, strict=True)]
        before, after = -sum(end for end in ends if end < 0), sum(end for end in ends if end > 0)
        memory = Buffer.wrap_address(stream.context, address - before, before + after + size, owner=value).part(before)
    return [0, 0, count, size, memory, *shape, *strides]
