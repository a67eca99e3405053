"""Tensors of PyTorch's as blocks of memory, so that checks of graphs find those that are gone."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-any-return, misc, no-untyped-call, attr-defined"
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingModuleSource=false, reportUnknownParameterType=false
# pyright: reportAttributeAccessIssue=false, reportMissingTypeStubs=false

from __future__ import annotations

import atexit
import gc
import os
import threading
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from . import raw

_Living = tuple[Any, Callable[[], str]]


class Blocks:
    """Storages that were told as blocks. `refer` makes a weak reference to a storage, which says by `expired()` that it is gone."""

    def __init__(self, refer: Callable[[Any], Any]) -> None:
        self._refer = refer
        # By the address: its size, its number, and weak references to all storages within it, by `_cdata`.
        self._told: dict[int, tuple[int, int, dict[int, Any]]] = {}
        self._last = 0
        self._lock = threading.Lock()

    def tell(self, living: Iterable[_Living]) -> None:
        """Ends the blocks of which no storage lives, and begins those of new storages, each with its name.

        living: all storages, also those that were resized to nothing. Of those at one address the widest is the block; one that overlaps
        a block that lives shares its memory.
        """
        found = {storage._cdata: (storage, name) for storage, name in living}
        with self._lock:
            self._end(found)
            starts = sorted(self._told)
            # The widest come first, so that the others lie within them.
            for key, (storage, name) in sorted(found.items(), key=lambda one: -one[1][0].nbytes()):
                address, size = storage.data_ptr(), storage.nbytes()
                if not size:
                    continue
                first = bisect_right(starts, address)
                first -= first > 0 and _overlaps(storage, starts[first - 1], self._told[starts[first - 1]][0])
                within = starts[first : bisect_left(starts, address + size)]
                for start in within:
                    self._told[start][2].setdefault(key, self._refer(storage))
                if not within:
                    self._last += 1
                    raw.gc_memory_block_begin(address, size, name(), self._last)
                    self._told[address] = (size, self._last, {key: self._refer(storage)})
                    insort(starts, address)

    def end_gone(self) -> None:
        """Ends the blocks of which no storage lives."""
        with self._lock:
            self._end({})

    def _end(self, found: dict[int, _Living]) -> None:
        for address, (size, number, references) in list(self._told.items()):
            for key, reference in list(references.items()):
                # A storage that was resized has other memory.
                if reference.expired() or (key in found and not _overlaps(found[key][0], address, size)):
                    del references[key]
            if not references:
                raw.gc_memory_block_end(address, number)
                del self._told[address]


def _overlaps(storage: Any, address: int, size: int) -> bool:
    start, nbytes = storage.data_ptr(), storage.nbytes()
    return bool(nbytes and start < address + size and address < start + nbytes)


_of_devices: dict[int, Blocks] = {}
# PyTorch's weak references need PyTorch when they go, which is gone later.
atexit.register(_of_devices.clear)


def notes(note_memory: object) -> bool:
    """Tells whether a capture notes memory: by its option, or as all of the process do."""
    return bool(note_memory) or os.environ.get("GRAPHCAP_CHECK") == "1"


def end_gone() -> None:
    """Ends the blocks of tensors that are gone, so that a capture does not note them."""
    for blocks in list(_of_devices.values()):
        blocks.end_gone()


def tell(device: int) -> None:
    """Tells the tensors of a GPU that live, except those of private pools, and ends the blocks of tensors that are gone.

    Tells none where PyTorch's allocator has no snapshot, as cudaMallocAsync and those of other libraries have none. Tensors that
    `gc.freeze()` hides are not told.
    """
    import torch  # noqa: PLC0415
    from torch.multiprocessing.reductions import StorageWeakRef  # noqa: PLC0415

    try:
        snapshot = torch.cuda.memory_snapshot()
    except RuntimeError:
        snapshot = []
    segments = sorted(
        (segment["address"], segment)
        for segment in snapshot
        if segment["device"] == device and tuple(segment.get("segment_pool_id", (0, 0))) == (0, 0)
    )
    starts = [start for start, _ in segments]
    living: dict[int, tuple[Any, Any, Any]] = {}
    for tensor, storage in _tensors(torch, device):
        place = bisect_right(starts, storage.data_ptr()) - 1
        is_told = place >= 0 and storage.data_ptr() < starts[place] + segments[place][1]["total_size"]
        if storage.nbytes() and not is_told:
            continue
        former = living.get(storage._cdata)
        if former is None or tensor.numel() * tensor.element_size() > former[1].numel() * former[1].element_size():
            living[storage._cdata] = (storage, tensor, segments[place][1] if is_told else None)
    told = _of_devices.setdefault(device, Blocks(StorageWeakRef))
    told.tell((storage, lambda tensor=tensor, segment=segment: _name(tensor, segment)) for storage, tensor, segment in living.values())


def _tensors(torch: Any, device: int) -> Iterator[tuple[Any, Any]]:
    kinds = {torch.Tensor, torch.nn.Parameter}
    # Of a program's hundreds of thousands of objects a list comprehension passes over most in the shortest time.
    for found in [one for one in gc.get_objects() if type(one) in kinds]:
        if not found.is_cuda or found.device.index != device:
            continue
        try:
            storage = found.untyped_storage()
        except RuntimeError:  # Sparse tensors and those of functorch have none: NotImplementedError, which is one.
            continue
        # Storages of memory that another object owns cannot be resized: that they are gone says nothing of the memory.
        if storage.resizable():
            yield found, storage


def _name(tensor: Any, segment: Any) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}{_origin(segment, tensor.untyped_storage().data_ptr())}"


def _origin(segment: Any, address: int) -> str:
    """The place in Python where a block was allocated, if PyTorch records that."""
    for block in segment["blocks"]:
        if block.get("address") == address:
            for frame in block.get("frames", ()):
                if frame["filename"].endswith(".py"):
                    return f" of {Path(frame['filename']).name}:{frame['line']}"
    return ""
