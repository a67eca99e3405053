"""Kernels for the CPU that Numba compiles."""

# mypy: disable-error-code="import-untyped, import-not-found, no-untyped-call, misc, unused-ignore, untyped-decorator"
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingImports=false, reportMissingModuleSource=false, reportAttributeAccessIssue=false
# pyright: reportUntypedFunctionDecorator=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .module import Parameter


def compiled(function: Callable[..., Any], parameters: Sequence[Parameter]) -> tuple[object, int]:
    """The compiled kernel, and the address of its code."""
    try:
        import numba
    except ImportError:
        raise ImportError("host_kernel(jit=True) needs Numba: pip install numba") from None
    import numpy as np
    from numba import types

    block = np.dtype(
        {
            "names": ["shared_mem_bytes", "grid_dim", "block_dim", "block_index", "shared_mem"],
            "formats": ["u4", ("u4", 3), ("u4", 3), ("u4", 3), "u8"],
            "offsets": [4, 8, 20, 32, 48],
            "itemsize": 56,
        }
    )
    record = numba.from_dtype(block)
    names: dict[str, Any] = {"numba": numba, "inner": numba.njit(function)}
    lines = ["def kernel(block, arguments):"]
    given: list[str] = []
    place = 0
    for number, parameter in enumerate(parameters):
        kind = numba.from_dtype(np.dtype(parameter.dtype))
        names[f"p{number}"] = _pointer_to(kind)
        names[f"n{number}"] = _pointer_to(types.int64)
        if parameter.dimensions is None:
            lines.append(f"    a{number} = numba.carray(p{number}(arguments[{place}]), 1)[0]")
            place += 1
        else:
            lines.append(f"    d{number} = numba.carray(n{number}(arguments[{place}]), 1)[0]")
            lengths = [f"numba.carray(n{number}(arguments[{place + 1 + axis}]), 1)[0]" for axis in range(parameter.dimensions)]
            place += 1 + parameter.dimensions
            if parameter.dimensions == 0:
                lines.append(f"    a{number} = d{number}")
            else:
                shape = ", ".join(lengths) + ("," if len(lengths) == 1 else "")
                lines.append(f"    a{number} = numba.carray(p{number}(d{number}), ({shape}))")
        given.append(f"a{number}")
    lines.append(f"    inner(numba.carray(block, 1)[0]{''.join(', ' + name for name in given)})")
    lines.append("    return 0")
    exec("\n".join(lines), names)  # noqa: S102
    code = numba.cfunc(types.int32(types.CPointer(record), types.CPointer(types.int64)))(names["kernel"])
    return code, int(code.address or 0)


def _pointer_to(kind: Any) -> object:
    """A function of Numba's that makes a pointer of an address."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def pointer(_context: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(types.CPointer(kind)))

        return types.CPointer(kind)(types.int64), code

    return pointer
