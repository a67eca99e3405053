"""Triton's kernels as kernels of graphcap's: launches that a graph knows by name, and whose memory it keeps.

The examples need a GPU, which the tests of docstrings do without, so they are skipped; tests/test_gpu_triton.py runs such code.

A launch by Triton itself, on a stream that is captured, is recorded too; the graph then knows less of it.
"""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-any-return, misc, no-untyped-call, attr-defined"
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingModuleSource=false, reportUnknownParameterType=false
# pyright: reportAttributeAccessIssue=false, reportMissingTypeStubs=false

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

from . import raw
from ._held import Held
from ._loaded import Loaded
from .context import Context
from .interop import stream_of
from .memory import Buffer
from .module import Kernel, Module
from .stream import Stream, _open_captures  # pyright: ignore[reportPrivateUsage]

__all__ = ["compiled", "launch"]

_loaded = Loaded()
# CUtensorMapDataType, where the number of a type in Triton's metadata is another one.
_TENSOR_TYPES = {8: 10, 9: 8, 10: 9}
_TF32 = 11
# Drivers up to this one set a bit in tensor maps of less memory than that, by which Blackwell may read outside of it. NVIDIA's notes on driver
# 595.71.05, of CUDA 13.2, say to clear it. Hopper does not look at it.
_LAST_WITH_BIT, _LEAST_MEMORY, _BIT = 13020, 128 << 10, 85


def _load(context: Context, built: Any) -> tuple[Module, Kernel]:
    module = Module(context, built.asm["cubin"])
    kernel = module[built.metadata.name]
    if built.metadata.shared > 48 << 10:
        raw.gc_kernel_set_attribute(kernel, raw.GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, built.metadata.shared)
    return module, kernel


def compiled(function: Any, *arguments: Any, grid: Any = (1,), **options: Any) -> Any:
    """The kernel that Triton compiles for these arguments: a `triton.compiler.CompiledKernel`, which was not launched.

    function: a `triton.jit` function. arguments, options: as for a launch of Triton's.

    >>> graphcap.triton.compiled(add, x, y, out, n, BLOCK=256).metadata.num_warps  # doctest: +SKIP
    4
    """
    built = function.warmup(*arguments, grid=grid, **options)
    return built.result() if hasattr(built, "result") else built


def launch(
    stream: Any, function: Any, grid: int | tuple[int, ...] | Callable[[dict[str, Any]], tuple[int, ...]], *arguments: Any,
    scratch: Buffer | None = None, **options: Any,
) -> None:  # fmt: skip
    """Launches a kernel of Triton's, or records the launch while the stream is captured.

    stream: a `Stream`, or one of another library. function: a `triton.jit` function. grid: blocks, or a function of the arguments that
    gives them. arguments, options: as for a launch of Triton's: tensors, tensor descriptors, numbers, constants, `num_warps`.
    scratch: memory for a kernel that needs some; Triton tells how much for each block.

    Triton compiles the kernel for the types of the arguments, for addresses and numbers that 16 divides, and for numbers that are 1. That is
    looked at at each launch. What is recorded stays: `GraphExec` and `Node` calls that change arguments must give some of the same kind.
    A `TensorDescriptor` is a tensor map, its shape and its strides on sm_90 and newer: 1 + 2n parameters for n dimensions. On older GPUs it is
    the address, the shape, the strides, a number for each of its options, and shape and strides again: 3 + 4n parameters with Triton 3.9.

    Raises `TypeError` for an argument that its parameter cannot take, and for tuples; `ValueError` for a kernel that needs
    scratch memory and gets none, or too little; `NotSupportedError` for clusters and cooperative launches. Launch those by Triton.

    >>> with graphcap.capture(stream) as captured:  # doctest: +SKIP
    ...     graphcap.triton.launch(stream, add, (4,), x, y, out, 1000, BLOCK=256)
    >>> captured.graph.nodes[0].kernel_name  # doctest: +SKIP
    'add'
    """
    ours = stream_of(stream)
    bound = function.signature.bind(*arguments, **{name: value for name, value in options.items() if name in function.signature.parameters})
    bound.apply_defaults()
    blocks = grid(dict(bound.arguments)) if callable(grid) else (grid,) if isinstance(grid, int) else tuple(grid)
    built = compiled(function, *arguments, grid=blocks, **options)
    _check(built)
    context = ours.context
    kernel = _loaded.kernel(ours, context, built.hash, lambda: _load(context, built))
    given: list[Any] = []
    maps = iter(getattr(built.metadata, "tensordesc_meta", None) or ())
    for name, kind in built.src.signature.items():
        if kind == "constexpr":
            continue
        if isinstance(kind, str) and kind.startswith("tensordesc"):
            given += _descriptor(ours, context, bound.arguments[name], next(maps, None))
        else:
            given.append(_argument(context, name, kind, bound.arguments[name]))
    sizes = kernel.parameter_sizes
    hidden = len(sizes) - len(given)
    if hidden not in {0, 1, 2}:
        raise TypeError(f"{built.metadata.name} has {len(sizes)} parameters, and its signature {len(given)}: this version of Triton is not known")
    given += [_scratch(built, blocks, scratch), 0][:hidden]
    metadata = built.metadata
    ours.launch(kernel, blocks, metadata.num_warps * getattr(metadata, "warp_size", 32), *given, shared=metadata.shared)


def _check(built: Any) -> None:
    metadata = built.metadata
    for name in ("num_ctas", "cluster_dims"):
        told = getattr(metadata, name, 1)
        if any(size != 1 for size in (told if isinstance(told, tuple | list) else (told,))):
            raise _not_supported(f"{metadata.name} runs in clusters ({name} is {told})")
    for name in ("launch_cooperative_grid", "launch_pdl"):
        if getattr(metadata, name, False):
            raise _not_supported(f"{metadata.name} has {name}")
    if getattr(metadata, "profile_scratch_size", 0):
        raise _not_supported(f"{metadata.name} needs scratch memory of Triton's profiler")


def _not_supported(what: str) -> Exception:
    """The error of a launch that `launch` cannot make."""
    from .errors import NotSupportedError  # noqa: PLC0415

    return NotSupportedError(f"{what}: launch it by Triton, on the stream that is captured", raw.GRAPHCAP_ERROR_NOT_SUPPORTED)


def _scratch(built: Any, blocks: tuple[int, ...], scratch: Buffer | None) -> Any:
    size = getattr(built.metadata, "global_scratch_size", 0)
    for count in blocks:
        size *= count
    if not size:
        return 0
    if scratch is None or scratch.nbytes < size:
        has = "has none" if scratch is None else f"has {scratch.nbytes}"
        raise ValueError(f"{built.metadata.name} needs {size} bytes of scratch memory, and {has}: pass scratch=Buffer(context, {size})")
    return scratch


def _argument(context: Context, name: str, kind: Any, value: Any) -> Any:
    """An argument as the launch of a kernel takes it."""
    if not isinstance(kind, str):
        raise TypeError(f"{name} is a tuple, which graphcap.triton cannot pass: launch it by Triton, on the stream that is captured")
    if kind.startswith("nvTmaDesc"):
        raise TypeError(f"{name} is a tensor map, which graphcap.triton takes as a TensorDescriptor alone: launch it by Triton")
    if kind.startswith("*"):
        return _memory(context, value)
    if kind == "fp16":
        return struct.pack("e", value)
    if kind == "bf16":
        return struct.pack("f", value)[2:]
    if kind in {"fp32", "f32"}:
        return struct.pack("f", value)
    if kind == "fp64":
        return struct.pack("d", value)
    return int(value)


def _memory(context: Context, value: Any) -> Any:
    """A tensor as a buffer from its first element to the end of its memory: its strides are arguments of the kernel."""
    if not hasattr(value, "untyped_storage"):
        return value
    storage, first = value.untyped_storage(), value.data_ptr()
    return Buffer.wrap_address(context, first, storage.data_ptr() + storage.nbytes() - first, owner=value)


def _descriptor(stream: Stream, context: Context, value: Any, meta: Any) -> list[Any]:
    """The parameters of a tensor descriptor. meta: the layout that the kernel was compiled for; None where it uses no tensor map."""
    sizes = [*(int(length) for length in value.shape), *(int(stride) for stride in value.strides)]
    if meta is None:
        # Each version of Triton has those that its descriptors have.
        options = [int(getattr(value, name) not in {False, "zero"}) for name in ("padding", "round_f32_to_tf32") if hasattr(value, name)]
        return [_memory(context, value.base), *sizes, *options, *sizes]
    if meta.get("is_im2col"):
        raise TypeError("a tensor descriptor for im2col is for Triton's own launch, on the stream that is captured")
    _keep(stream, value.base)
    return [_tensor_map(context, value, meta), *sizes]


def _keep(stream: Stream, base: Any) -> None:
    """Makes the graph that is captured keep a tensor, of which the kernel has the address in a tensor map."""
    info = stream.capture_info()
    kept = _open_captures.get(info.id)
    if kept is not None and info.status != "none":
        kept.append(Held(base))


def _tensor_map(context: Context, value: Any, meta: Any) -> bytes:
    """The tensor map of a descriptor, by the driver. Its dimensions begin with the innermost."""
    kind = _TF32 if getattr(value, "round_f32_to_tf32", False) else meta["elem_type"]
    lengths = [int(length) for length in value.shape]
    if meta.get("fp4_padded"):
        lengths[-1] *= 2
    rank, size = len(lengths), int(meta["elem_size"])
    room = ctypes.create_string_buffer(192)
    place = -ctypes.addressof(room) % 64
    steps = [int(stride) * size for stride in reversed(value.strides[:-1])]
    driver = _driver()
    # A thread that has used no GPU yet has no context.
    code = driver.cuCtxPushCurrent_v2(ctypes.c_void_p(context.native))
    if not code:
        try:
            code = driver.cuTensorMapEncodeTiled(
                ctypes.byref(room, place), _TENSOR_TYPES.get(kind, kind), rank, ctypes.c_void_p(value.base.data_ptr()),
                (ctypes.c_uint64 * rank)(*reversed(lengths)), (ctypes.c_uint64 * rank)(*steps),
                (ctypes.c_uint32 * rank)(*reversed(meta["block_size"])), (ctypes.c_uint32 * rank)(*[1] * rank),
                0, int(meta["swizzle"]), 2, int(getattr(value, "padding", "zero") == "nan"),
            )  # fmt: skip
        finally:
            driver.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))
    if code:
        raise ValueError(f"the driver makes no tensor map of a descriptor of shape {tuple(value.shape)} and block {meta['block_size']}: error {code}")
    made = int.from_bytes(room.raw[place : place + 128], "little")
    last = sum((length - 1) * step for length, step in zip(reversed(lengths), [size, *steps], strict=True))
    if last + size < _LEAST_MEMORY and _driver_version(driver) <= _LAST_WITH_BIT:
        made &= ~(1 << _BIT)
    return made.to_bytes(128, "little")


def _driver_version(driver: Any) -> int:
    version = ctypes.c_int(0)
    driver.cuDriverGetVersion(ctypes.byref(version))
    return version.value


def _driver() -> Any:
    return ctypes.CDLL("libcuda.so.1")
