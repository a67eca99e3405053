"""NVRTC, as cuda-python or CuPy has it."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore"
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingModuleSource=false

from __future__ import annotations

from collections.abc import Sequence

from .errors import ImageError, NotSupportedError
from .raw import GRAPHCAP_ERROR_INVALID_IMAGE, GRAPHCAP_ERROR_NOT_SUPPORTED


def compiled(source: str, options: Sequence[str]) -> bytes:
    """The PTX of a source."""
    try:
        import cuda.bindings.nvrtc as _  # noqa: PLC0415
    except ImportError:
        return _by_cupy(source, options)
    return _by_cuda_python(source, options)


def _by_cuda_python(source: str, options: Sequence[str]) -> bytes:
    from cuda.bindings import nvrtc  # noqa: PLC0415

    def checked(answer: tuple[object, ...]) -> object:
        if int(answer[0]) != 0:  # type: ignore[call-overload]
            raise ImageError(f"NVRTC failed: {answer[0]}", GRAPHCAP_ERROR_INVALID_IMAGE)
        return answer[1] if len(answer) > 1 else None

    program = checked(nvrtc.nvrtcCreateProgram(source.encode(), b"graphcap.cu", 0, [], []))
    try:
        given = [option.encode() for option in options]
        (failed,) = nvrtc.nvrtcCompileProgram(program, len(given), given)
        if int(failed) != 0:
            log = b" " * int(checked(nvrtc.nvrtcGetProgramLogSize(program)))  # type: ignore[call-overload]
            checked(nvrtc.nvrtcGetProgramLog(program, log))
            raise ImageError(f"NVRTC refused the source: {log.decode(errors='replace')}", GRAPHCAP_ERROR_INVALID_IMAGE)
        code: bytes = b" " * int(checked(nvrtc.nvrtcGetPTXSize(program)))  # type: ignore[call-overload]
        checked(nvrtc.nvrtcGetPTX(program, code))
        return code
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _by_cupy(source: str, options: Sequence[str]) -> bytes:
    try:
        from cupy.cuda import compiler  # noqa: PLC0415
    except ImportError:
        raise NotSupportedError(
            "compile_cuda() needs NVRTC: install cuda-python or CuPy, or pass PTX that nvcc or clang made", GRAPHCAP_ERROR_NOT_SUPPORTED
        ) from None
    try:
        code = compiler.compile_using_nvrtc(source, tuple(options))
    except Exception as failed:
        raise ImageError(f"NVRTC refused the source: {failed}", GRAPHCAP_ERROR_INVALID_IMAGE) from failed
    text = code[0] if isinstance(code, tuple) else code
    return text.encode() if isinstance(text, str) else bytes(text)
