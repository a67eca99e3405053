"""Modules and kernels: code for GPUs, and functions for the CPU under the same names."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native, raw
from ._base import Object, kind
from .errors import NotSupportedError
from .memory import dtype_name, itemsize

if TYPE_CHECKING:
    from .context import Context

__all__ = ["HostKernel", "Kernel", "Module", "Parameter", "c_kernel", "compile_cuda", "host_kernel"]

_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
# Code that the library may call until the process ends: a graph can outlive its module.
_code: list[object] = []

_CODES = {"b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f2": "e", "f4": "f", "f8": "d"}


class Parameter(NamedTuple):
    """A parameter of a kernel.

    >>> graphcap.Parameter("f4", 1).sizes
    [8, 8]
    """

    dtype: str
    """The type of the number, or of the elements of the array."""
    dimensions: int | None
    """Dimensions of an array, whose lengths are passed after its address; 0 for an address alone; None for a number."""

    @property
    def sizes(self) -> list[int]:
        """The sizes in bytes of what the kernel gets for it.

        >>> graphcap.Parameter("f4", None).sizes
        [4]
        """
        if self.dimensions is None:
            return [itemsize(self.dtype)]
        return [8] * (1 + self.dimensions)

    def _native(self) -> tuple[str, int, str]:
        if self.dimensions is None:
            return (_CODES.get(self.dtype, "?"), itemsize(self.dtype), "")
        return ("A", self.dimensions, self.dtype) if self.dimensions else ("P", 8, "")


def parsed(signature: str) -> list[Parameter]:
    """The parameters of a signature such as 'f4[:], f4[:, :], i4*, f4': arrays, an address, a number."""
    made: list[Parameter] = []
    rest = signature.strip()
    while rest:
        name, dimensions = rest, None
        end = len(rest)
        depth = 0
        for place, letter in enumerate(rest):
            depth += (letter == "[") - (letter == "]")
            if letter == "," and depth == 0:
                end = place
                break
        part, rest = rest[:end].strip(), rest[end + 1 :].strip()
        if part.endswith("*"):
            name, dimensions = part[:-1].strip(), 0
        elif part.endswith("]") and "[" in part:
            name, _, inner = part[:-1].partition("[")
            slots = [slot.strip() for slot in inner.split(",")]
            if any(slot not in {":", "::1"} for slot in slots):
                raise ValueError(f"{part!r}: the dimensions of an array are written as ':', for example f4[:, :]")
            dimensions = len(slots)
        else:
            name = part
        made.append(Parameter(dtype_name(name.strip()), dimensions))
    return made


class HostKernel:
    """A kernel for the CPU: `host_kernel` and `c_kernel` make it, and a `Module` takes it.

    >>> @graphcap.host_kernel("f4[:], f4")
    ... def scale(block, data, factor):
    ...     data *= factor
    >>> scale.name
    'scale'
    """

    name: str
    """The name by which a module finds it."""
    parameters: list[Parameter]
    """Parameters of the kernel."""
    address: int
    """The address of its code: `int32_t f(const gc_host_block *, const void *const *)`."""

    def __init__(self, name: str, parameters: Sequence[Parameter], address: int, function: Callable[..., object] | None = None) -> None:
        self.name, self.parameters, self.address = name, list(parameters), address
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function as it is, without the library."""
        if self._function is None:
            raise TypeError(f"{self.name} is a C function: launch it by a stream")
        return self._function(*arguments)

    def __repr__(self) -> str:
        return f"<graphcap.HostKernel {self.name}>"


def c_kernel(name: str, address: int, signature: str) -> HostKernel:
    """A kernel for the CPU that is a C function: `int32_t f(const gc_host_block *block, const void *const *arguments)`.

    address: its address; the function has to stay. signature: as of `host_kernel`. An array gives the kernel an address and, for each
    dimension, its length as an int64_t.

    >>> kernel = graphcap.c_kernel("scale", scale.address, "f4[:], f4")
    >>> graphcap.Module(context, kernels=[kernel])["scale"].name
    'scale'
    """
    return HostKernel(name, parsed(signature), address)


def host_kernel(signature: str, *, name: str | None = None, jit: bool = False) -> Callable[[Callable[..., Any]], HostKernel]:
    """Makes a kernel for the CPU of a function of Python's, for tests, or of one that Numba compiles (`jit=True`).

    signature: what the kernel takes after its first argument, the block: 'f4[:]' and 'f4[:, :]' are arrays, 'f4' a number, 'f4*' an
    address. An array gives the kernel its address and the length of each dimension, 8 bytes each; the function gets a NumPy array of the
    buffer's memory. The block has grid_dim, block_dim, block_index (three each) and shared_mem_bytes. The function is called once per block.

    A function of Python's needs the GIL: blocks run one after another. An exception in it fails the launch. Its code stays until the
    process ends. With `jit` it runs without the GIL; Numba must be able to compile it, and it must not raise.

    >>> @graphcap.host_kernel("f4[:], f4")
    ... def scale(block, data, factor):
    ...     data[block.block_index[0]] *= factor
    >>> kernel = graphcap.Module(context, kernels=[scale])["scale"]
    >>> buffer = graphcap.Buffer.of(context, numpy.ones(3, "f4"))
    >>> stream.launch(kernel, 3, 1, buffer, 2.0)
    >>> stream.synchronize()
    >>> buffer.copy_to_host().tolist()
    [2.0, 2.0, 2.0]
    """
    parameters = parsed(signature)

    def made(function: Callable[..., Any]) -> HostKernel:
        if not callable(function):
            raise TypeError(f"host_kernel() takes a function, not {type(function).__name__}")
        if jit:
            from ._numba import compiled  # noqa: PLC0415

            code, address = compiled(function, parameters)
        else:
            code = _FUNCTION(_caller(function, parameters))
            address = ctypes.cast(code, ctypes.c_void_p).value or 0
        _code.append(code)
        return HostKernel(name or function.__name__, parameters, address, function)

    return made


class _Block(NamedTuple):
    """The block that a kernel of Python's runs."""

    grid_dim: tuple[int, int, int]
    block_dim: tuple[int, int, int]
    block_index: tuple[int, int, int]
    shared_mem_bytes: int
    shared_mem: memoryview


def _caller(function: Callable[..., Any], parameters: Sequence[Parameter]) -> Callable[[int, int], int]:
    """A function of the type that the library calls, which calls one of Python's."""
    count = sum(len(parameter.sizes) for parameter in parameters)

    def call(block_address: int, arguments_address: int) -> int:
        try:
            block = raw.gc_host_block.from_address(block_address)
            shared = (ctypes.c_uint8 * block.shared_mem_bytes).from_address(block.shared_mem or 0)
            told = _Block(tuple(block.grid_dim), tuple(block.block_dim), tuple(block.block_index), block.shared_mem_bytes, memoryview(shared))
            addresses = iter((ctypes.c_uint64 * count).from_address(arguments_address)) if count else iter(())
            function(told, *(_argument(parameter, addresses) for parameter in parameters))
        except BaseException as failed:  # noqa: BLE001
            return _failed(failed)
        return 0

    return call


def _failed(failed: BaseException) -> int:
    return raw.gc_host_fail(f"{type(failed).__name__}: {failed}".replace("\0", " "))


def _argument(parameter: Parameter, addresses: Iterable[int]) -> Any:
    places = iter(addresses)
    if parameter.dimensions is None:
        address = next(places)
        if parameter.dtype == "f2":
            return struct.unpack("e", ctypes.string_at(address, 2))[0]
        return struct.unpack(_CODES[parameter.dtype], ctypes.string_at(address, itemsize(parameter.dtype)))[0]
    start = ctypes.c_uint64.from_address(next(places)).value
    if parameter.dimensions == 0:
        return start
    import numpy as np  # noqa: PLC0415

    shape = tuple(ctypes.c_int64.from_address(next(places)).value for _ in range(parameter.dimensions))
    size = itemsize(parameter.dtype)
    for length in shape:
        size *= length
    memory = (ctypes.c_uint8 * size).from_address(start) if size else bytearray()
    return np.frombuffer(memoryview(memory), parameter.dtype).reshape(shape)


class Module(Object, _native.Handle):
    """Code: PTX, a cubin or a fatbin for GPUs, and kernels for the CPU under the same names.

    image: the code as str or bytes. kernels: what `host_kernel` and `c_kernel` made. A kernel is found by its name: `module["scale"]`.
    Raises `ImageError` for code that the device cannot load.

    >>> module = graphcap.Module(context, kernels=[scale])
    >>> module["scale"].parameter_sizes
    [8, 8, 4]
    """

    _KIND = kind("Module")

    def __init__(self, context: Context, image: str | bytes | None = None, kernels: Iterable[HostKernel] = ()) -> None:
        self._kernels = {kernel.name: kernel for kernel in kernels}
        kept: list[object] = []
        listed = (raw.gc_host_kernel * len(self._kernels))()
        for place, kernel in zip(listed, self._kernels.values(), strict=True):
            sizes = [size for parameter in kernel.parameters for size in parameter.sizes]
            array = (ctypes.c_size_t * max(1, len(sizes)))(*sizes)
            text = ctypes.create_string_buffer(kernel.name.encode())
            kept += [array, text]
            place.struct_size = ctypes.sizeof(raw.gc_host_kernel)
            place.name, place.function = ctypes.addressof(text), kernel.address
            place.parameter_sizes, place.parameter_count = ctypes.addressof(array), len(sizes)
        code = image.encode() if isinstance(image, str) else image
        held = ctypes.create_string_buffer(code, len(code) + 1) if code is not None else None
        description = raw.gc_module_description(
            image=ctypes.addressof(held) if held is not None else None,
            image_size=len(code) if code is not None else 0,
            host_kernels=ctypes.addressof(listed) if self._kernels else None,
            host_kernel_count=len(self._kernels),
        )
        self._adopt(raw.gc_module_load(context, description), self._KIND)

    def _adopted(self) -> None:
        self._kernels = {}

    def kernel(self, name: str, signature: str | None = None) -> Kernel:
        """The kernel of a name.

        signature: what it takes, as of `host_kernel`; without, that of the host kernel, or the sizes that the code tells.
        Raises `NotFoundError` if there is none.

        >>> graphcap.Module(context, kernels=[scale]).kernel("scale").name
        'scale'
        """
        known = self._kernels.get(name)
        parameters = parsed(signature) if signature is not None else known.parameters if known is not None else None
        made = Kernel.__new__(Kernel)
        made._adopt(raw.gc_module_get_kernel(self, name), Kernel._KIND)
        made._take(parameters)  # pyright: ignore[reportPrivateUsage]
        return made

    def __getitem__(self, name: str) -> Kernel:
        return self.kernel(name)


class Kernel(Object, _native.KernelBase):
    """A kernel of a module: `module[name]`.

    >>> kernel = graphcap.Module(context, kernels=[scale])["scale"]
    >>> [parameter.dtype for parameter in kernel.parameters]
    ['f4', 'f4']
    """

    _KIND = kind("Kernel")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_kernel_parameter_count(handle)
    _parameters: list[Parameter]

    def _adopted(self) -> None:
        self._take(None)

    def _take(self, parameters: list[Parameter] | None) -> None:
        if parameters is None:
            self._parameters = []
            self._set_parameters([("?", size, "") for size in self.parameter_sizes])
            return
        wanted = [size for parameter in parameters for size in parameter.sizes]
        try:
            known = self.parameter_sizes
        except NotSupportedError:  # a driver older than CUDA 12.4 does not tell them
            known = wanted
        if wanted != known:
            raise TypeError(f"the signature has parameters of {wanted} bytes, and the kernel of {known}")
        self._parameters = list(parameters)
        self._set_parameters([parameter._native() for parameter in parameters])  # pyright: ignore[reportPrivateUsage]

    @property
    def name(self) -> str:
        """The name of the kernel in its module.

        >>> double.name
        'double'
        """
        return raw.gc_kernel_name(self)

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters, as the signature has them; empty if only their sizes are known.

        >>> len(double.parameters)
        1
        """
        return list(self._parameters)

    @property
    def parameter_sizes(self) -> list[int]:
        """The size of each parameter in bytes.

        >>> double.parameter_sizes
        [8, 8]
        """
        return [raw.gc_kernel_parameter_size(self, place) for place in range(raw.gc_kernel_parameter_count(self))]

    def states_accesses(self, *accesses: str) -> None:
        """States what the kernel does with the memory behind each parameter: 'r', 'w', 'rw' or '' for a number.

        `Graph.optimize` needs it. An array has one entry, for its address.

        >>> double.states_accesses("rw")
        """
        codes = {"r": raw.GRAPHCAP_ACCESS_READ, "w": raw.GRAPHCAP_ACCESS_WRITE, "rw": raw.GRAPHCAP_ACCESS_READ_WRITE, "": raw.GRAPHCAP_ACCESS_NONE}
        numbers: list[int] = []
        given = self._parameters or [Parameter("u1", None)] * len(self.parameter_sizes)
        if len(accesses) != len(given) or any(access not in codes for access in accesses):
            raise ValueError(f"the kernel takes {len(given)} parameters, each 'r', 'w', 'rw' or '', not {accesses}")
        for access, parameter in zip(accesses, given, strict=True):
            numbers += [codes[access], *([raw.GRAPHCAP_ACCESS_NONE] * (parameter.dimensions or 0))]
        array = (ctypes.c_uint32 * len(numbers))(*numbers)
        raw.gc_kernel_set_accesses(self, array, len(numbers))

    def attribute(self, number: int) -> int:
        """An attribute of the code, by its `GRAPHCAP_KERNEL_ATTRIBUTE_` number.

        >>> double.attribute(graphcap.raw.GRAPHCAP_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK) > 0
        True
        """
        return raw.gc_kernel_get_attribute(self, number)


def compile_cuda(source: str, *, options: Sequence[str] = ()) -> bytes:
    """Compiles CUDA C++ to PTX by NVRTC, where cuda-python or CuPy is installed.

    options: of NVRTC, such as '--gpu-architecture=compute_90'. Raises `NotSupportedError` if neither is there, and `ImageError` with NVRTC's
    log if the source does not compile.

    >>> try:
    ...     b".entry" in graphcap.compile_cuda("__global__ void f() {}")
    ... except graphcap.NotSupportedError as failed:
    ...     print("cuda-python" in str(failed))
    True
    """
    from ._nvrtc import compiled  # noqa: PLC0415

    return compiled(source, options)
