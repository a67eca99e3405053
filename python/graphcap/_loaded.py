"""Kernels of other libraries' compilers, loaded once for each context that launches them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from .stream import ForeignStream, Stream

if TYPE_CHECKING:
    from .context import Context
    from .module import Kernel, Module

_Found = dict[Hashable, "tuple[Module, Kernel]"]


class Loaded:
    """Kernels by a key of their code, for each `Stream` of a program: only kernels of its context can be launched on it.

    Streams of other libraries that `stream_of` gave a context share theirs, since all of a GPU have the same one. A reset of that context
    makes its kernels stale, so they are loaded anew.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: WeakKeyDictionary[Stream | Context, tuple[int, _Found]] = WeakKeyDictionary()

    def kernel(self, stream: Stream, context: Context, key: Hashable, load: Callable[[], tuple[Module, Kernel]]) -> Kernel:
        """The kernel of a key; `load` gives it with its module where there is none yet. stream: of the launch. context: its context."""
        common = stream.common_context if isinstance(stream, ForeignStream) else None
        owner, generation = stream if common is None else common, context.generation
        with self._lock:
            of, kernels = self._found.get(owner, (generation, {}))
            if of != generation:
                kernels = {}
            self._found[owner] = generation, kernels
            found = kernels.get(key)
            if found is None:
                found = kernels[key] = load()
        return found[1]
