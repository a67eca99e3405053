"""Streams and memory of other libraries: `__cuda_stream__`, `__cuda_array_interface__`, DLPack.

>>> graphcap.interop.pointer_of(object()) is None
True
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard, cast

from . import _native, raw
from .context import Context
from .errors import StateError
from .memory import dtype_name, itemsize

if TYPE_CHECKING:
    from .stream import Stream

_contexts: dict[int | None, Context] = {}
_lock = threading.Lock()


def context_of(ordinal: int | None) -> Context:
    """The context of a GPU that the objects of other libraries are used with. It stays open until the process ends.

    ordinal: the number of the GPU; None for the host device. Raises `DeviceError` if there is none of that number.

    >>> graphcap.interop.context_of(0) is graphcap.interop.context_of(0)  # doctest: +SKIP
    True
    """
    with _lock:
        found = _contexts.get(ordinal)
        if found is None or found.closed:
            found = _contexts[ordinal] = Context("host") if ordinal is None else Context("cuda", ordinal)
        return found


def pointer_of(stream: object) -> int | None:
    """The driver's handle of a stream of another library; None if the object is no stream."""
    told = getattr(stream, "__cuda_stream__", None)
    if told is not None:
        answer = told() if callable(told) else told
        try:
            version, handle = cast("tuple[int, int]", answer)
        except (TypeError, ValueError):
            raise TypeError(f"__cuda_stream__ of a {type(stream).__name__} gives {answer!r}, and not a version and a handle") from None
        if version != 0:
            raise TypeError(f"__cuda_stream__ of a {type(stream).__name__} is of version {version}; 0 is known")
        return int(handle)
    for name in ("cuda_stream", "ptr"):  # PyTorch's and CuPy's older streams
        found = getattr(stream, name, None)
        if isinstance(found, int):
            return found
    return None


def ordinal_of(other: object) -> int:
    """The number of the GPU that a stream or an array of another library is on; 0 where it does not tell."""
    device = cast("Any", getattr(other, "device", None))
    for told in (getattr(device, "index", None), getattr(device, "id", None), getattr(device, "device_id", None), getattr(other, "device_id", None)):
        if isinstance(told, int) and told >= 0:
            return told
    return 0


def stream_of(stream: object, context: Context | None = None) -> Stream:
    """A stream of another library as a `Stream`; a `Stream` is given back as it is.

    stream: an object with `__cuda_stream__`, such as a stream of PyTorch, CuPy or cuda.core; it has to live as long as the result.
    Raises `TypeError` for another object.

    >>> graphcap.interop.stream_of(stream) is stream
    True
    """
    from .stream import ForeignStream, Stream  # noqa: PLC0415

    if isinstance(stream, Stream):
        return stream
    handle = pointer_of(stream)
    if handle is None:
        raise TypeError(f"stream must be a Stream, or have __cuda_stream__, not {type(stream).__name__}")
    if context is not None:
        return ForeignStream.of(context, stream, handle)
    common = context_of(ordinal_of(stream))
    made = ForeignStream.of(common, stream, handle)
    made.common_context = common
    return made


class Told(NamedTuple):
    """Memory of another library."""

    address: int
    """The address of the first element."""
    shape: tuple[int, ...]
    """The length of each dimension."""
    dtype: str
    """The type of an element, by NumPy's short name."""
    owner: object
    """An object that keeps the memory."""


# Types of elements by DLPack's code and bits. 4 is bfloat16, which NumPy has no name for.
_ELEMENTS = {(0, "i"): (8, 16, 32, 64), (1, "u"): (8, 16, 32, 64), (2, "f"): (16, 32, 64), (5, "c"): (64, 128), (6, "b"): (8,)}
_BY_ELEMENT = {(code, bits): f"{letter}{bits // 8}" for (code, letter), sizes in _ELEMENTS.items() for bits in sizes} | {(4, 16): "u2"}


def told_memory(memory: object, context: Context, stream: Stream | None) -> Told:
    """The memory of an object, of the GPU of a context, as it tells it by DLPack or `__cuda_array_interface__`.

    stream: waits for the work that writes the memory, unless it is captured. Raises `TypeError` where a `Buffer` cannot have such memory.
    """
    kind = type(memory).__name__
    if hasattr(memory, "__dlpack__"):
        return _by_dlpack(memory, kind, context, stream)
    interface = getattr(memory, "__cuda_array_interface__", None)
    if interface is None:
        raise TypeError(f"memory must be of the GPU, by DLPack or __cuda_array_interface__, not {kind}")
    return _by_interface(memory, cast("dict[str, Any]", interface), kind, stream)


def _by_dlpack(memory: object, kind: str, context: Context, stream: Stream | None) -> Told:
    device = tuple(cast("Any", memory).__dlpack_device__())
    if device[0] not in {2, 13}:
        raise TypeError(f"memory is a {kind} of the host or of another kind of device (DLPack's {device}), and the context is a GPU's")
    if device[0] == 2 and device[1] != context.ordinal:
        raise TypeError(f"memory is a {kind} of GPU {device[1]}, and the context is of GPU {context.ordinal}")
    number = _number_of(stream) if _can_wait(stream) else -1
    return exchanged(_native.dlpack_of(memory, number), kind)


def exchanged(told: _native.Imported, kind: str) -> Told:
    """The memory of a tensor of DLPack. kind: a word for what it is of. Raises as `told_memory`."""
    code, bits, lanes = told.element
    dtype = _BY_ELEMENT.get((code, bits)) if lanes == 1 else None
    if dtype is None:
        raise TypeError(f"memory is a {kind} with elements of DLPack's type {told.element}, which a Buffer cannot have")
    if told.flags & 1:
        raise TypeError(f"memory is a read-only {kind}")
    return _checked(told.address, tuple(told.shape), told.strides, dtype, kind, told)


def _by_interface(memory: object, interface: dict[str, Any], kind: str, stream: Stream | None) -> Told:
    check_interface(interface, kind)
    dtype, strides = dtype_name(interface["typestr"]), interface.get("strides")
    size = itemsize(dtype)
    if strides is not None and any(stride % size for stride in strides):
        raise TypeError(f"memory is a {kind} with strides {strides}: make it contiguous first")
    in_elements = None if strides is None else [stride // size for stride in strides]
    told = _checked(int(interface["data"][0]), tuple(interface["shape"]), in_elements, dtype, kind, memory)
    wait_for_producer(interface.get("stream"), stream)
    return told


def check_interface(interface: dict[str, Any], kind: str) -> None:
    """Refuses the memory of a `__cuda_array_interface__` that a buffer cannot have, whatever its layout. kind: a word for what it is of."""
    if interface["data"][1]:
        raise TypeError(f"memory is a read-only {kind}")
    if interface.get("mask") is not None:
        raise TypeError(f"memory is a {kind} with a mask")
    if interface.get("stream") == 0:
        raise TypeError("__cuda_array_interface__ names stream 0, which can be either default stream")


def wait_for_producer(producer: int | None, stream: Stream | None) -> None:
    """Makes a stream wait for the work that writes the memory of a `__cuda_array_interface__`, unless it is captured.

    producer: the stream that the interface names. Raises `StateError` where that is captured and the other is not, which would join it.
    """
    if producer is not None and _can_wait(stream) and producer != _number_of(stream):
        from .stream import Stream as Made  # noqa: PLC0415

        with Made.wrap(stream.context, producer) as other:
            if not _can_wait(other):
                told = "the stream that __cuda_array_interface__ names is captured: capture the stream that uses the memory too, or end that capture"
                raise StateError(told, raw.GRAPHCAP_ERROR_ILLEGAL_STATE)
            stream.wait(other.record())


def _number_of(stream: Stream) -> int:
    """The number that stands for a stream in an exchange of memory."""
    return {0: 1}.get(stream.native, stream.native)


def _can_wait(stream: Stream | None) -> TypeGuard[Stream]:
    return stream is not None and stream.capture_info().status == "none"


def _checked(address: int, shape: tuple[int, ...], strides: list[int] | None, dtype: str, kind: str, owner: object) -> Told:
    if 0 in shape:
        raise ValueError("memory has no bytes")
    expected = 1
    for length, stride in zip(reversed(shape), reversed(strides or []), strict=False):
        if length != 1 and stride != expected:
            raise TypeError(f"memory is a {kind} with strides {strides}: make it contiguous first")
        expected *= length
    return Told(address, shape, dtype, owner)


def argument_of(stream: Stream, memory: object) -> object:
    """A buffer of what a kernel's launch was given: a tensor or an array of another library, of the GPU of the stream."""
    from .memory import Buffer  # noqa: PLC0415

    return Buffer.wrap(stream.context, memory)
