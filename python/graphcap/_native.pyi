"""What the extension has beside the functions of graphcap.raw."""

from collections.abc import Callable, Sequence
from typing import Any, Self, TypeAlias

from typing_extensions import Buffer

from .raw.functions import *

class Handle:
    """A handle of the library, which is destroyed with the object."""

    def __new__(cls, *arguments: Any, **named: Any) -> Self: ...
    def _adopt(self, pointer: int, kind: int, borrowed: bool = False) -> None: ...
    def _release(self) -> int: ...
    def _close(self) -> None: ...
    @property
    def handle(self) -> int:
        """The handle as a number, for calls of C; 0 once the object is closed."""
    @property
    def closed(self) -> bool:
        """Whether the object has no handle any more."""
    @property
    def _borrowed(self) -> bool: ...

class KernelBase(Handle):
    def _set_parameters(self, parameters: Sequence[tuple[str, int, str]]) -> None: ...

class StreamBase(Handle):
    def launch(self, kernel: KernelBase, grid: int | tuple[int, ...], block: int | tuple[int, ...], /, *arguments: Any, shared: int = 0) -> None:
        """Launches a kernel, or records the launch while the stream is captured."""

class GraphExecBase(Handle):
    def launch(self, stream: StreamBase, /) -> None:
        """Launches the exec once, behind the work of the stream and behind earlier launches of the exec."""
    def replay(self) -> None:
        """Launches the exec on the stream that it remembers."""
    def _remember(self, stream: StreamBase) -> None: ...
    @property
    def _stream(self) -> Any: ...

class MemoryBase(Handle):
    def _set_layout(self, address: int, item: int, format: str, shape: Sequence[int]) -> None: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __release_buffer__(self, view: memoryview, /) -> None: ...

Pointer: TypeAlias = Buffer | Handle | int | None
Words: TypeAlias = Buffer | Sequence[int] | Sequence[Handle] | int | None

HANDLES: Sequence[str]
DESTROY: int
HOST_FUNCTION: int
RECORD: int
CACHE_RECORD: int
FUTURE_DONE: int
PROGRESS: int
NAME: int

def load(named: str | None, own: str, is_main: bool) -> None: ...
def loaded() -> tuple[str, str]: ...
def is_ending() -> bool: ...
def is_main_thread() -> bool: ...
def at_exit() -> None: ...
def drop_kept() -> None: ...
def forget(kept: int) -> None: ...
def keep(object: object, name: str = "") -> int: ...
def dlpack(
    object: MemoryBase, address: int, device: tuple[int, int], code: int, bits: int, shape: Sequence[int], versioned: bool
) -> object: ...
def _set_errors(factory: Callable[[int, str, str, object], BaseException]) -> None: ...
