"""Kernels of other libraries' compilers, loaded once for each context that launches them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from .stream import ForeignStream, Stream

if TYPE_CHECKING:
    from .module import Kernel, Module

_Found = dict[Hashable, "tuple[Module, Kernel]"]


class Loaded:
    """Kernels by a key of their code, for each `Stream` of a program: only kernels of its context can be launched on it.

    Streams of other libraries that `stream_of` gave a context share theirs, since all of a GPU have the same one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shared: _Found = {}
        self._of_streams: WeakKeyDictionary[Stream, _Found] = WeakKeyDictionary()

    def kernel(self, stream: Stream, key: Hashable, load: Callable[[], tuple[Module, Kernel]]) -> Kernel:
        """The kernel of a key; `load` gives it with its module where there is none yet. stream: of the launch."""
        with self._lock:
            is_shared = isinstance(stream, ForeignStream) and stream.has_common_context
            kernels = self._shared if is_shared else self._of_streams.setdefault(stream, {})
            found = kernels.get(key)
            if found is None:
                found = kernels[key] = load()
        return found[1]
