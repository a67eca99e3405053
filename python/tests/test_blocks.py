"""Storages as blocks of memory: those of PyTorch are stood in for by objects that say where they lie."""

import subprocess
import sys
import weakref
from types import SimpleNamespace

import pytest

from graphcap import _blocks


class Storage:
    def __init__(self, address, size):
        self.place, self._cdata = (address, size), id(self)

    def data_ptr(self):
        return self.place[0]

    def nbytes(self):
        return self.place[1]


class Reference:
    def __init__(self, storage):
        self.storage = weakref.ref(storage)

    def expired(self):
        return self.storage() is None


@pytest.fixture
def told(monkeypatch):
    """The calls of graphcap's: True for begins, with address, size and number; False for ends."""
    calls = []
    monkeypatch.setattr(_blocks.raw, "gc_memory_block_begin", lambda address, size, name, number: calls.append((True, address, size, number)))
    monkeypatch.setattr(_blocks.raw, "gc_memory_block_end", lambda address, number: calls.append((False, address, number)))
    return calls


def named(*storages):
    return [(storage, lambda: "") for storage in storages]


def test_only_tensors_of_the_gpu_are_found():
    class Tensor:
        def __init__(self, ordinal):
            self.is_cuda, self.device, self.storage = ordinal is not None, SimpleNamespace(index=ordinal), Storage(100, 64)
            self.storage.resizable = lambda: True

        def untyped_storage(self):
            return self.storage

    class Parameter(Tensor):
        pass

    class Other(Tensor):
        pass

    torch = SimpleNamespace(Tensor=Tensor, nn=SimpleNamespace(Parameter=Parameter))
    kept = [Tensor(0), Parameter(0), Other(0), Tensor(1), Tensor(None)]
    assert {id(tensor) for tensor, _ in _blocks._tensors(torch, 0)} == {id(one) for one in kept[:2]}


def test_a_block_ends_with_its_storage(told):
    blocks, one, other = _blocks.Blocks(Reference), Storage(100, 64), Storage(200, 8)
    blocks.tell(named(one, other))
    blocks.tell(named(one, other))
    assert told == [(True, 100, 64, 1), (True, 200, 8, 2)]
    del one
    blocks.end_gone()
    assert told[2:] == [(False, 100, 1)]
    again = Storage(100, 32)
    blocks.tell(named(again, other))
    assert told[3:] == [(True, 100, 32, 3)]


def test_storages_that_share_memory_are_one_block(told):
    blocks = _blocks.Blocks(Reference)
    part, whole, behind = Storage(100, 16), Storage(100, 64), Storage(132, 8)
    blocks.tell(named(part, behind, whole))
    assert told == [(True, 100, 64, 1)]
    del whole
    blocks.tell(named(part, behind))
    del part
    blocks.tell(named(behind))
    assert len(told) == 1, "one of them lives"
    del behind
    blocks.tell([])
    assert told[1:] == [(False, 100, 1)]


def test_a_wider_storage_does_not_end_a_block_that_lives(told):
    blocks, part = _blocks.Blocks(Reference), Storage(132, 8)
    blocks.tell(named(part))
    whole = Storage(100, 64)
    blocks.tell(named(part, whole))
    del part
    blocks.tell(named(whole))
    assert told == [(True, 132, 8, 1)]


def test_a_storage_that_was_resized_gave_its_memory_back(told):
    blocks, one = _blocks.Blocks(Reference), Storage(100, 64)
    blocks.tell(named(one))
    one.place = (0, 0)
    blocks.tell(named(one))
    assert told[1:] == [(False, 100, 1)]
    one.place = (500, 64)
    blocks.tell(named(one))
    assert told[2:] == [(True, 500, 64, 2)]


def test_captures_note_memory_by_their_option_or_by_the_environment(monkeypatch):
    monkeypatch.delenv("GRAPHCAP_CHECK", raising=False)
    assert _blocks.notes(True) and not _blocks.notes(False)
    monkeypatch.setenv("GRAPHCAP_CHECK", "1")
    assert _blocks.notes(False)


def test_references_go_before_the_interpreter_ends():
    code = """
import sys
from graphcap import _blocks

class Reference:
    def __init__(self, storage):
        self.gone = sys.is_finalizing
    def expired(self):
        return False
    def __del__(self):
        print(self.gone())

class Storage:
    _cdata = 1
    def data_ptr(self):
        return 4096
    def nbytes(self):
        return 64

_blocks._of_devices.setdefault(0, _blocks.Blocks(Reference)).tell([(Storage(), lambda: "x")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
