"""Memory of other libraries that graphs keep. It goes back to the driver outside of captures, which a cudaFree would break."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

# The garbage collector may end an object that is held while this thread has the lock.
_lock = threading.RLock()
_open = 0
_late: list[Any] = []
captures_elsewhere: list[Callable[[], bool]] = []
"""Functions that tell whether a capture is open that is no `Recording`: one of the package's, or another library's on this thread's stream."""


class Held:
    """An object with memory that a graph keeps."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory

    def __del__(self) -> None:
        with _lock:
            _late.append(self.memory)
        self.memory = None
        flush()


def flush() -> None:
    """Lets go of the memory of objects that are gone, unless it is captured now."""
    global _late
    if not _late:
        return
    let_go: list[Any] = []
    with _lock:
        if not _open and not any(is_capturing() for is_capturing in captures_elsewhere):
            let_go, _late = _late, []
    del let_go


class Recording:
    """Within the block, objects that are held stay, and the garbage collector does not run."""

    def __enter__(self) -> None:
        global _open
        flush()
        with _lock:
            _open += 1
        self._collects = gc.isenabled()
        gc.disable()

    def __exit__(self, *failed: object) -> None:
        global _open
        if self._collects:
            gc.enable()
        with _lock:
            _open -= 1
        flush()
