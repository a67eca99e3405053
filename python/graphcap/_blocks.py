"""Tensors of PyTorch's as blocks of memory, so that checks of graphs find those that are gone."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-any-return, misc, no-untyped-call, attr-defined"
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingModuleSource=false, reportUnknownParameterType=false
# pyright: reportAttributeAccessIssue=false, reportMissingTypeStubs=false

from __future__ import annotations

import gc
import threading
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from . import raw

# By the address of the memory: a weak reference to it, and the number of the block.
_told: dict[int, tuple[Any, int]] = {}
_last = 0
_lock = threading.Lock()


def tell(device: int) -> None:
    """Tells the tensors of a GPU that live, except those of private pools, and ends the blocks of tensors that are gone.

    Tells none where PyTorch's allocator has no snapshot, as cudaMallocAsync and those of other libraries have none.
    """
    global _last
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
    with _lock:
        _end()
        for tensor, storage in _tensors(device):
            address, place = storage.data_ptr(), bisect_right(starts, storage.data_ptr()) - 1
            if address in _told or place < 0 or address >= starts[place] + segments[place][1]["total_size"]:
                continue
            _last += 1
            name = f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}{_origin(segments[place][1], address)}"
            raw.gc_memory_block_begin(address, storage.nbytes(), name, _last)
            _told[address] = (StorageWeakRef(storage), _last)


def _end() -> None:
    for address, (reference, number) in list(_told.items()):
        if reference.expired():
            raw.gc_memory_block_end(address, number)
            del _told[address]


def _tensors(device: int) -> Iterator[tuple[Any, Any]]:
    for found in gc.get_objects():
        if type(found) not in {torch.Tensor, torch.nn.Parameter} or not found.is_cuda or found.device.index != device:
            continue
        try:
            storage = found.untyped_storage()
        except RuntimeError:  # Sparse tensors and those of functorch have none: NotImplementedError, which is one.
            continue
        if storage.nbytes():
            yield found, storage


def _origin(segment: Any, address: int) -> str:
    """The place in Python where a block was allocated, if PyTorch records that."""
    for block in segment["blocks"]:
        if block.get("address") == address:
            for frame in block.get("frames", ()):
                if frame["filename"].endswith(".py"):
                    return f" of {Path(frame['filename']).name}:{frame['line']}"
    return ""
