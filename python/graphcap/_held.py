"""Memory of other libraries that graphs keep. It goes back to the driver outside of captures, which a cudaFree would break."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

_lock = threading.Lock()
_open = 0
_late: list[Any] = []
captures_of_others: list[Callable[[], bool]] = []
"""Functions that tell whether another library captures the stream of this thread."""


class Held:
    """An object with memory that a graph keeps."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory

    def __del__(self) -> None:
        if _open or any(is_capturing() for is_capturing in captures_of_others):
            _late.append(self.memory)
        else:
            _late.clear()


class Recording:
    """Within the block, objects that are held stay, and the garbage collector does not run."""

    def __enter__(self) -> None:
        global _open
        with _lock:
            if not _open:
                _late.clear()
            _open += 1
        self._collects = gc.isenabled()
        gc.disable()

    def __exit__(self, *failed: object) -> None:
        global _open
        if self._collects:
            gc.enable()
        with _lock:
            _open -= 1
            let_go = list(_late) if not _open else []
            if not _open:
                _late.clear()
        del let_go
