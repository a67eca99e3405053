"""Memory: buffers of a device, and buffers of the host that a device can copy from and to without waiting."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from . import _native, raw
from ._base import Named, kind
from ._held import Held

if TYPE_CHECKING:
    from .context import Context
    from .stream import Stream

__all__ = ["Buffer", "BufferPart", "HostBuffer"]

# The type of an element: the struct module's code, bytes, the code of DLPack.
_TYPES = {
    "b1": ("?", 1, 6), "i1": ("b", 1, 0), "i2": ("h", 2, 0), "i4": ("i", 4, 0), "i8": ("q", 8, 0), "u1": ("B", 1, 1),
    "u2": ("H", 2, 1), "u4": ("I", 4, 1), "u8": ("Q", 8, 1), "f2": ("e", 2, 2), "f4": ("f", 4, 2), "f8": ("d", 8, 2),
    "c8": ("Zf", 8, 5), "c16": ("Zd", 16, 5),
}  # fmt: skip
_LONG = {
    "bool": "b1", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4",
    "uint64": "u8", "float16": "f2", "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16",
}  # fmt: skip
_BY_FORMAT = {code: name for name, (code, _, _) in _TYPES.items()} | {"l": "i8", "L": "u8", "c": "u1"}


def dtype_name(dtype: object) -> str:
    """The short name of a type of elements, such as 'f4': of a name, a NumPy dtype or a type of NumPy's."""
    told = dtype if isinstance(dtype, str) else getattr(dtype, "str", None) or getattr(dtype, "__name__", "")
    name = str(told).lstrip("<=|@") if isinstance(told, str) else ""
    name = {"?": "b1"}.get(name, name)
    name = _LONG.get(name, name)
    if name.startswith(">"):
        raise TypeError(f"dtype {dtype!r} is big-endian, which no device computes with")
    if name not in _TYPES:
        raise TypeError(f"dtype must be one of {', '.join(_TYPES)}, or NumPy's name of it, not {dtype!r}")
    return name


def shape_of(shape: int | Sequence[int]) -> tuple[int, ...]:
    """A shape as a tuple."""
    made = (shape,) if isinstance(shape, int) else tuple(int(length) for length in shape)
    if any(length < 0 for length in made):
        raise ValueError(f"shape {made} has a negative length")
    return made


def itemsize(name: str) -> int:
    """Bytes of an element."""
    return _TYPES[name][1]


def contiguous(memory: object, what: str) -> memoryview:
    """A view of host memory that is one piece, in rows; refuses everything else by name."""
    try:
        view = memoryview(memory)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    except TypeError:
        if hasattr(memory, "__cuda_array_interface__"):
            raise TypeError(f"{what} is memory of a GPU (a {type(memory).__name__}): make it a Buffer of a GPU's context by Buffer.wrap()") from None
        raise TypeError(f"{what} must be a Buffer, a HostBuffer or memory of the host, not {type(memory).__name__}") from None
    if not view.c_contiguous:
        raise TypeError(f"{what} is a {type(memory).__name__} with strides {view.strides}: make it contiguous first (numpy.ascontiguousarray)")
    return view


def address_of(view: memoryview, what: str) -> int:
    """The address of the first byte of writable memory, or of a copy's source."""
    if view.nbytes == 0:
        return 0
    flat = view.cast("B")
    if not view.readonly:
        return ctypes.addressof(ctypes.c_char.from_buffer(flat))
    return _readonly_address(flat, what)


def _readonly_address(flat: memoryview, what: str) -> int:
    owner = flat.obj
    if isinstance(owner, bytes):
        start = ctypes.cast(ctypes.c_char_p(owner), ctypes.c_void_p).value or 0
        return start if flat.nbytes == len(owner) else _refuse(what)
    interface: dict[str, Any] | None = getattr(owner, "__array_interface__", None)
    if interface is not None and flat.nbytes == getattr(owner, "nbytes", -1):
        return int(interface["data"][0])
    return _refuse(what)


def _refuse(what: str) -> int:
    raise TypeError(f"{what} is a read-only view of a part of something: pass bytes of it, or writable memory")


class BufferPart(NamedTuple):
    """A part of a buffer, for copies and arguments of kernels: `buffer.part(offset, nbytes)`.

    >>> graphcap.Buffer(context, 16, "f4").part(8).offset
    8
    """

    buffer: Buffer | HostBuffer
    """The buffer."""
    offset: int
    """The first byte, from the start of the buffer."""
    nbytes: int
    """Bytes."""


class _Memory(Named, _native.MemoryBase):
    """Base of both kinds of buffers."""

    __dlpack_c_exchange_api__: ClassVar[object] = _native.exchange_table()
    _shape: tuple[int, ...]
    _dtype: str
    _address: int
    _is_readable: bool

    def _lay_out(self, shape: tuple[int, ...], dtype: str, address: int, is_readable: bool) -> None:
        self._shape, self._dtype, self._address, self._is_readable = shape, dtype, address, is_readable
        self._set_layout(address if is_readable else 0, itemsize(dtype), _TYPES[dtype][0], list(shape))

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension, in elements. The elements are in rows, without gaps.

        >>> graphcap.Buffer(context, (2, 3), "f4").shape
        (2, 3)
        """
        return self._shape

    @property
    def dtype(self) -> str:
        """The type of an element, by NumPy's short name.

        >>> graphcap.Buffer(context, 4, "float32").dtype
        'f4'
        """
        return self._dtype

    @property
    def nbytes(self) -> int:
        """Bytes.

        >>> graphcap.Buffer(context, (2, 3), "f4").nbytes
        24
        """
        return math.prod(self._shape) * itemsize(self._dtype)

    @property
    def address(self) -> int:
        """The address of the first byte: of the device's memory, or of the CPU's where it is the same.

        >>> graphcap.Buffer(context, 4).address > 0
        True
        """
        return self._address

    def part(self, offset: int, nbytes: int | None = None) -> BufferPart:
        """A part of it: `offset` and `nbytes` are bytes; without nbytes all that follows.

        Raises `ValueError` if it is not within the buffer.

        >>> graphcap.Buffer(context, 4, "f4").part(4).nbytes
        12
        """
        size = self.nbytes - offset if nbytes is None else nbytes
        if offset < 0 or size < 0 or offset + size > self.nbytes:
            raise ValueError(f"bytes {offset} to {offset + size} are not within the buffer, which has {self.nbytes}")
        assert isinstance(self, Buffer | HostBuffer)
        return BufferPart(self, offset, size)

    def __len__(self) -> int:
        return self._shape[0] if self._shape else 1

    def numpy(self) -> Any:
        """The memory as a NumPy array, without a copy. Wait for the work that writes it before you read it.

        Raises `BufferError` for memory of a GPU; `copy_to_host` copies that.

        >>> graphcap.HostBuffer(context, 3, "i4").numpy().shape
        (3,)
        """
        import numpy as np  # noqa: PLC0415

        return np.asarray(memoryview(self)) if self._is_readable else memoryview(self)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        if self.closed:
            raise AttributeError("the memory is closed")
        if not self._is_readable:
            raise AttributeError("__array_interface__: the memory is a GPU's")
        code = "|" if itemsize(self._dtype) == 1 else "<"
        return {"shape": self._shape, "typestr": f"{code}{self._dtype}", "data": (self._address, False), "strides": None, "version": 3}

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.closed:
            raise AttributeError("the memory is closed")
        if self._is_readable:
            raise AttributeError("__cuda_array_interface__: the memory is the host's")
        code = "|" if itemsize(self._dtype) == 1 else "<"
        return {
            "shape": self._shape, "typestr": f"{code}{self._dtype}", "data": (self._address, False), "strides": None, "version": 3,
            "stream": None,
        }  # fmt: skip

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0) if self._is_readable else (2, self.context.ordinal)

    def __dlpack__(
        self,
        *,
        stream: object = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        if self.closed:
            raise BufferError("the memory is closed")
        device = self.__dlpack_device__()
        if dl_device is not None and tuple(dl_device) != device:
            raise BufferError(f"the memory is on device {device}, and cannot be exported to {dl_device}")
        if copy:
            raise BufferError("copy=True is not supported: copy what from_dlpack() gives")
        if self._is_readable:
            if stream is not None:
                raise BufferError(f"stream must be None for memory of the host, not {stream!r}")
        else:
            self._order(stream)
        return self._capsule(max_version is not None and max_version[0] >= 1)

    def _exported(self) -> object:
        """The memory as it is, for the exchange table: without an order."""
        if self.closed:
            raise BufferError("the memory is closed")
        return self._capsule(True)

    def _capsule(self, is_versioned: bool) -> object:
        code, bits = _TYPES[self._dtype][2], 8 * itemsize(self._dtype)
        return _native.dlpack(self, self._address, self.__dlpack_device__(), code, bits, list(self._shape), is_versioned)

    def _order(self, stream: object) -> None:
        """Waits for the work of the context, unless the consumer's stream is captured, or the consumer wants no order."""
        if stream is None:
            stream = 1
        if not isinstance(stream, int) or stream < -1:
            raise BufferError(f"stream must be None, -1, or the number of a stream, not {stream!r}")
        if stream == 0:
            raise BufferError("stream 0 can be either default stream: pass 1 for the legacy one, 2 for that of the thread")
        if stream == -1:
            return
        from .stream import Stream  # noqa: PLC0415

        context = self.context
        with Stream.wrap(context, stream) as consumer:
            if consumer.capture_info().status == "none":
                context.synchronize()


class Buffer(_Memory):
    """Memory of a device.

    shape: elements of each dimension, or their number. dtype: the type of an element, such as 'f4' or numpy.float32; bytes without.
    Raises `OutOfMemoryError`, and `InvalidValueError` for a size of 0.

    On a host device NumPy sees it without a copy, by the buffer protocol, `__array_interface__` and DLPack.

    >>> buffer = graphcap.Buffer(context, (2, 3), "f4")
    >>> buffer.copy_from(numpy.ones((2, 3), "f4"))
    >>> float(buffer.copy_to_host().sum())
    6.0
    """

    _KIND = kind("Buffer")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_buffer_size(handle)

    def __init__(self, context: Context, shape: int | Sequence[int], dtype: object = "u1") -> None:
        lengths, name = shape_of(shape), dtype_name(dtype)
        self._adopt(raw.gc_buffer_allocate(context, math.prod(lengths) * itemsize(name)), self._KIND)
        self._lay_out(lengths, name, raw.gc_buffer_address(self), _is_host(context))

    def _adopted(self) -> None:
        size = raw.gc_buffer_size(self)
        self._lay_out((size,), "u1", raw.gc_buffer_address(self), _is_host(raw.gc_object_context(self)))

    @classmethod
    def _of(cls, handle: int, shape: tuple[int, ...], dtype: str, is_host: bool) -> Buffer:
        made = cls.__new__(cls)
        made._adopt(handle, cls._KIND)
        made._lay_out(shape, dtype, raw.gc_buffer_address(made), is_host)
        return made

    @classmethod
    def wrap(cls, context: Context, memory: object, *, stream: Stream | None = None) -> Buffer:
        """A buffer of memory that somebody else owns. It is not copied.

        memory: for a host device a NumPy array, or anything with a buffer; for a GPU a tensor or array of its memory, by DLPack or
        `__cuda_array_interface__`. Its elements are in rows without gaps.
        stream: the stream that uses the buffer first. It waits for the work that writes the memory, as the owner tells it; a stream that
        is captured does not. Without it the caller sees to the order.

        The memory is kept while the buffer, or a graph or exec that uses it, is there. Raises `TypeError` if the memory is read-only, has
        strides, is of another device, or has elements that no `Buffer` has; `StateError` if a captured stream writes it and `stream` is
        not captured.

        >>> numbers = numpy.arange(4, dtype="f4")
        >>> graphcap.Buffer.wrap(context, numbers).shape
        (4,)
        """
        if not _is_host(context):
            return cls._wrap_device(context, memory, stream)
        view = contiguous(memory, "memory")
        if view.readonly:
            raise TypeError(f"memory is a read-only {type(memory).__name__}")
        name = _BY_FORMAT.get(view.format.lstrip("<=@"))
        if name is None:
            raise TypeError(f"memory has elements of the format {view.format!r}, which a Buffer cannot have")
        if view.nbytes == 0:
            raise ValueError("memory has no bytes")
        kept = _native.keep(memory)
        handle = raw.gc_buffer_wrap(context, address_of(view, "memory"), view.nbytes, kept, _native.DESTROY)
        return cls._of(handle, tuple(view.shape or ()), name, True)

    @classmethod
    def _wrap_device(cls, context: Context, memory: object, stream: Stream | None) -> Buffer:
        from .interop import told_memory  # noqa: PLC0415

        told = told_memory(memory, context, stream)
        return cls.wrap_address(context, told.address, told.shape, told.dtype, told.owner)

    @classmethod
    def _imported(cls, told: _native.Imported) -> Buffer:
        """A buffer of memory that another library gives by the exchange table; of the first host device for memory of the CPU."""
        from .interop import context_of, exchanged  # noqa: PLC0415

        kind, number = told.device
        found = exchanged(told, "tensor")
        return cls.wrap_address(context_of(None if kind == 1 else number), found.address, found.shape, found.dtype, told)

    @classmethod
    def wrap_address(cls, context: Context, address: int, shape: int | Sequence[int], dtype: object = "u1", owner: object = None) -> Buffer:
        """A buffer of memory at an address of the device's, for example of another library.

        owner: an object that keeps the memory; it is kept while anything uses the buffer. Raises `InvalidValueError` for an address that the
        driver does not know.

        >>> numbers = numpy.zeros(4, "f4")
        >>> graphcap.Buffer.wrap_address(context, numbers.ctypes.data, 4, "f4", owner=numbers).nbytes
        16
        """
        lengths, name, is_host = shape_of(shape), dtype_name(dtype), _is_host(context)
        size = math.prod(lengths) * itemsize(name)
        handle = raw.gc_buffer_wrap(context, address, size, _native.keep(owner if is_host or owner is None else Held(owner)), _native.DESTROY)
        return cls._of(handle, lengths, name, is_host)

    @classmethod
    def of(cls, context: Context, data: object) -> Buffer:
        """A new buffer with a copy of host memory: of a NumPy array, or of anything with a buffer.

        >>> graphcap.Buffer.of(context, numpy.arange(3, dtype="i4")).copy_to_host().tolist()
        [0, 1, 2]
        """
        view = contiguous(data, "data")
        name = _BY_FORMAT.get(view.format.lstrip("<=@"))
        if name is None:
            raise TypeError(f"data has elements of the format {view.format!r}, which a Buffer cannot have")
        made = cls(context, tuple(view.shape or ()), name)
        made.copy_from(data)
        return made

    def copy_from(self, data: object) -> None:
        """Copies host memory into the buffer, and waits for the copy. The sizes in bytes must be equal.

        Raises `ValueError` for another size, `TypeError` for memory that is not contiguous, and `CaptureError` where a capture bars it.

        >>> buffer = graphcap.Buffer(context, 4)
        >>> buffer.copy_from(b"abcd")
        >>> bytes(buffer)
        b'abcd'
        """
        view = contiguous(data, "data")
        if view.nbytes != self.nbytes:
            raise ValueError(f"data has {view.nbytes} bytes, and the buffer {self.nbytes}")
        params = raw.gc_memcpy_params(
            direction=raw.GRAPHCAP_MEMCPY_HOST_TO_DEVICE, destination=self.handle, source_host=address_of(view, "data"), size=view.nbytes
        )
        raw.gc_context_memcpy(self.context, params)

    def copy_to_host(self, out: Any = None) -> Any:
        """Copies the buffer to the host, and waits for the copy. It does not wait for other streams.

        out: writable memory of the same number of bytes; without, a new NumPy array, or a bytearray if there is no NumPy. Returns it.

        >>> graphcap.Buffer.of(context, b"ab").copy_to_host().tolist()
        [97, 98]
        """
        if out is None:
            out = self._new_array()
        view = contiguous(out, "out")
        if view.readonly:
            raise TypeError(f"out is a read-only {type(out).__name__}")
        if view.nbytes != self.nbytes:
            raise ValueError(f"out has {view.nbytes} bytes, and the buffer {self.nbytes}")
        params = raw.gc_memcpy_params(
            direction=raw.GRAPHCAP_MEMCPY_DEVICE_TO_HOST, source=self.handle, destination_host=address_of(view, "out"), size=view.nbytes
        )
        raw.gc_context_memcpy(self.context, params)
        return out

    def _new_array(self) -> Any:
        try:
            import numpy as np  # noqa: PLC0415
        except ImportError:
            return bytearray(self.nbytes)
        return np.empty(self._shape, self._dtype)


class HostBuffer(_Memory):
    """Pinned memory of the host: copies from and to it do not wait, and a graph keeps it.

    shape, dtype: as of `Buffer`. Raises `OutOfMemoryError`.

    >>> host = graphcap.HostBuffer(context, 4, "f4")
    >>> host.numpy()[:] = 2
    >>> float(host.numpy().sum())
    8.0
    """

    _KIND = kind("HostBuffer")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_host_buffer_size(handle)

    def __init__(self, context: Context, shape: int | Sequence[int], dtype: object = "u1", *, mapped: bool = False) -> None:
        lengths, name = shape_of(shape), dtype_name(dtype)
        flags = raw.GRAPHCAP_HOST_BUFFER_MAPPED if mapped else 0
        self._adopt(raw.gc_host_buffer_allocate(context, math.prod(lengths) * itemsize(name), flags), self._KIND)
        self._lay_out(lengths, name, raw.gc_host_buffer_pointer(self), True)

    def _adopted(self) -> None:
        self._lay_out((raw.gc_host_buffer_size(self),), "u1", raw.gc_host_buffer_pointer(self), True)

    @classmethod
    def register(cls, context: Context, memory: object) -> HostBuffer:
        """Pins memory that somebody else owns, such as that of a NumPy array; it is kept while anything uses it.

        Raises `TypeError` for memory that is read-only or has strides, and `StateError` for memory that is pinned already.

        >>> graphcap.HostBuffer.register(context, numpy.zeros(4, "f4")).shape
        (4,)
        """
        view = contiguous(memory, "memory")
        if view.readonly:
            raise TypeError(f"memory is a read-only {type(memory).__name__}")
        name = _BY_FORMAT.get(view.format.lstrip("<=@"), "u1")
        shape = tuple(view.shape or ()) if itemsize(name) == view.itemsize else (view.nbytes,)
        handle = raw.gc_host_buffer_register(
            context, address_of(view, "memory"), view.nbytes, 0, _native.keep(memory), _native.DESTROY
        )  # fmt: skip
        made = cls.__new__(cls)
        made._adopt(handle, cls._KIND)
        made._lay_out(shape, name, raw.gc_host_buffer_pointer(made), True)
        return made

    @property
    def device_address(self) -> int:
        """The address by which kernels reach the memory. Raises `NotSupportedError` or `InvalidValueError` if they cannot.

        >>> host = graphcap.HostBuffer(context, 4, mapped=True)
        >>> host.device_address > 0
        True
        """
        return raw.gc_host_buffer_device_address(self)


def _is_host(context: Context | int) -> bool:
    info = raw.gc_context_info()
    raw.gc_context_get_info(context, info)
    if isinstance(context, int):
        raw.gc_context_destroy(context)
    return int(info.device_kind) == raw.GRAPHCAP_DEVICE_HOST
