"""graphcap captures work from streams into graphs and replays it, on GPUs and on the CPU.

>>> import graphcap
>>> context = graphcap.Context("host")
>>> stream = graphcap.Stream(context)
>>> buffer = graphcap.Buffer(context, 4)
>>> with graphcap.capture(stream) as captured:
...     stream.fill(buffer, 7)
>>> exec = captured.instantiate()
>>> exec.replay()
>>> stream.synchronize()
>>> bytes(buffer).hex()
'07070707'
"""

import atexit as _atexit
import os as _os

from . import _load as _load
from . import _native as _native
from . import raw as raw
from .actor import Actor, Future
from .cache import CacheStats, GraphCache
from .capture import Capture, capture
from .condition import Condition
from .context import Context, GraphMemory, MemoryReport, device_count, device_name
from .errors import (
    CallbackError,
    CancelledError,
    CaptureError,
    DeviceError,
    DeviceFault,
    Error,
    ForkedError,
    ImageError,
    InvalidHandleError,
    InvalidValueError,
    LibraryError,
    NotFoundError,
    NotPermittedError,
    NotReadyError,
    NotSupportedError,
    OutOfMemoryError,
    StateError,
    TimeoutError,
    UpdateError,
)
from .fft import FftPlan
from .graph import BisectReport, ExecReport, Graph, GraphExec, Node, Progress, VerifyReport
from .memory import Buffer, BufferPart, HostBuffer
from .module import HostKernel, Kernel, Module, Parameter, c_kernel, compile_cuda, host_kernel
from .pool import Pool, PoolMemory
from .rng import Rng
from .scalar import Scalar
from .script import Script
from .stream import CaptureInfo, Event, Stream

__version__ = "0.1.0"
_atexit.register(_native.at_exit)
_os.register_at_fork(after_in_child=_native.forked)


def get_include() -> str:
    """The folder of graphcap.h and graphcap.hpp, for the include path of a C or C++ compiler.

    >>> import os
    >>> os.path.isfile(os.path.join(graphcap.get_include(), "graphcap.h"))
    True
    """
    return str(_load.FOLDER / "include")


def get_library() -> str:
    """The path of the libgraphcap.so.0 that this process uses; `library_origin` tells why it is this one.

    >>> "graphcap" in graphcap.get_library()
    True
    """
    return _native.loaded()[0]


def library_origin() -> str:
    """Way in which the library was found: loaded by the process before, named by GRAPHCAP_LIBRARY, or the package's own.

    >>> len(graphcap.library_origin()) > 0
    True
    """
    return _native.loaded()[1]


def live_handles() -> int:
    """Number of handles of the library that are not destroyed, those of other code in the process included.

    >>> graphcap.live_handles() > 0
    True
    """
    return raw.gc_live_handles()


__all__ = [
    "Actor", "BisectReport", "Buffer", "BufferPart", "CacheStats", "CallbackError", "CancelledError", "Capture", "CaptureError", "CaptureInfo", "Condition",
    "Context", "DeviceError", "DeviceFault", "Error", "Event", "ExecReport", "FftPlan", "ForkedError", "Future", "Graph", "GraphCache", "GraphExec",
    "GraphMemory", "HostBuffer", "HostKernel", "ImageError", "InvalidHandleError", "InvalidValueError", "Kernel", "LibraryError",
    "MemoryReport", "Module", "Node", "NotFoundError", "NotPermittedError", "NotReadyError", "NotSupportedError", "OutOfMemoryError",
    "Parameter", "Pool", "PoolMemory", "Progress", "Rng", "Scalar", "Script", "StateError", "Stream", "TimeoutError", "UpdateError",
    "VerifyReport", "c_kernel", "capture", "compile_cuda", "device_count", "device_name", "get_include", "get_library", "host_kernel",
    "library_origin", "live_handles", "raw",
]  # fmt: skip
