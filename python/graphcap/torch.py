"""PyTorch's work in graphs of graphcap's: captures, and functions that run as graphs.

The examples need a GPU, which the tests of docstrings do without, so they are skipped; tests/test_gpu_torch.py runs such code.

>>> import graphcap.torch  # doctest: +SKIP
>>> step = graphcap.torch.graphed(model)  # doctest: +SKIP
>>> for token in tokens:  # doctest: +SKIP
...     logits = step(token)
"""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-any-return, misc, no-untyped-call, attr-defined"
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false, reportUntypedBaseClass=false
# pyright: reportUnknownArgumentType=false, reportMissingModuleSource=false, reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportAttributeAccessIssue=false, reportPrivateUsage=false, reportMissingTypeStubs=false

from __future__ import annotations

import ctypes
import threading
import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import ExitStack, nullcontext
from types import TracebackType
from typing import Any, ClassVar, Self
from weakref import WeakMethod, WeakValueDictionary, finalize

import torch
from torch.utils import _pytree

from . import NotSupportedError, _blocks, _held, _native, raw
from ._held import Held, Recording
from ._torch_doctor import Doctor
from .cache import CacheStats, GraphCache
from .capture import Capture as _Capture
from .graph import Graph, GraphExec
from .interop import context_of, stream_of
from .pool import Pool
from .stream import Stream

__all__ = ["Capture", "Doctor", "ForeignExec", "ForeignGraph", "Graphed", "capture", "check", "doctor", "graphed", "mem_pool", "stream", "wrap", "wrap_exec"]

_allocator: Any = None
# PyTorch ends the process where a pool's memory goes back within its capture.
_held.captures_elsewhere.append(torch._C._cuda_isCurrentStreamCapturing)
_PLAIN = (torch.Tensor, int, float, str, type(None))


def stream(other: Any = None) -> Stream:
    """A stream of PyTorch as a `Stream`; without an argument the current one.

    other: a `torch.cuda.Stream`, which is kept as long as the result.

    >>> graphcap.torch.stream().launch(kernel, 1, 1, tensor)  # doctest: +SKIP
    """
    return stream_of(torch.cuda.current_stream() if other is None else other)


def mem_pool(pool: Pool) -> Any:
    """A `torch.cuda.MemPool` that takes its memory from a `Pool` of graphcap's, by PyTorch's pluggable allocator.

    pool: the pool that captures are begun with, as `capture(pool=...)` does, or that `raw.gc_pool_bind` has bound to the device. The
    caller keeps it open as long as tensors have memory of it. The allocator has the hook for `Tensor.record_stream`.
    An allocation raises RuntimeError with graphcap's message where the pool has no memory.

    >>> pool = graphcap.Pool(context, capacity=1 << 30)  # doctest: +SKIP
    >>> with graphcap.torch.capture(pool=pool) as captured:  # doctest: +SKIP
    ...     y = model(x)
    """
    global _allocator
    if _allocator is None:
        made = torch.cuda.memory.CUDAPluggableAllocator(_native.__file__, "graphcap_torch_allocate", "graphcap_torch_free")
        hook = ctypes.cast(ctypes.CDLL(_native.__file__).graphcap_torch_record_stream, ctypes.c_void_p).value
        made.allocator().set_record_stream_fn(hook)
        _allocator = made
    made = torch.cuda.MemPool(_allocator.allocator())
    made._graphcap = (pool, _allocator)
    return made


class _Memory:
    """Within the block, what this thread allocates of a device is memory of a MemPool, and backward passes run on this thread."""

    def __init__(self, device: int, pool: Any) -> None:
        self._device, self._pool, self._recording = device, pool, Recording()

    def __enter__(self) -> None:
        self._recording.__enter__()
        # cuBLAS takes its workspace anew in the capture, and so of the pool that the graph keeps.
        torch._C._cuda_clearCublasWorkspaces()
        torch._C._cuda_beginAllocateCurrentThreadToPool(self._device, self._pool.id)
        self._threads = torch.autograd.set_multithreading_enabled(False)
        self._threads.__enter__()

    def __exit__(self, *failed: object) -> None:
        self._threads.__exit__(None, None, None)
        torch._C._cuda_clearCublasWorkspaces()
        torch._C._cuda_endAllocateToPool(self._device, self._pool.id)
        torch._C._cuda_releasePool(self._device, self._pool.id)
        self._recording.__exit__()


class _Random:
    """Within the block, captured work may draw from PyTorch's generator of the GPU; `advance` moves that on before each replay.

    PyTorch gives numbers to captures of its own alone. So an empty one goes on beside ours, on a stream of its own.
    """

    def __init__(self, device: int) -> None:
        self._graph = torch.cuda.CUDAGraph()
        self.stream = torch.cuda.Stream(device)

    def __enter__(self) -> None:
        with torch.cuda.stream(self.stream):
            self._graph.capture_begin(capture_error_mode="thread_local")

    def __exit__(self, *failed: object) -> None:
        with torch.cuda.stream(self.stream), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The CUDA Graph is empty")
            self._graph.capture_end()

    def advance(self) -> None:
        """Gives the next replay its numbers, behind the work of the current stream."""
        self._graph.replay()


class Capture(_Capture):
    """A capture of PyTorch's work: `graphcap.torch.capture` makes it, and `with` ends it.

    >>> with graphcap.torch.capture() as captured:  # doctest: +SKIP
    ...     y = model(x)
    >>> exec = captured.instantiate()  # doctest: +SKIP
    >>> exec.replay()  # doctest: +SKIP
    """

    def __init__(self, stream: Any = None, mode: str = "thread_local", *, pool: Any = None, **options: Any) -> None:
        if stream is not None and not isinstance(stream, torch.cuda.Stream):
            raise TypeError(f"stream must be a torch.cuda.Stream or None, not {type(stream).__name__}")
        if stream is not None and stream.cuda_stream == 0:
            raise ValueError("PyTorch's default stream cannot be captured: pass a torch.cuda.Stream(), or None for a new one")
        if pool is not None and not isinstance(pool, Pool | torch.cuda.MemPool):
            raise TypeError(f"pool must be a torch.cuda.MemPool, a Pool or None, not {type(pool).__name__}")
        self._torch_stream = torch.cuda.Stream() if stream is None else stream
        self._device: int = self._torch_stream.device_index
        own = pool if isinstance(pool, Pool) else None
        self._pool = mem_pool(own) if own is not None else torch.cuda.MemPool() if pool is None else pool
        self._around = ExitStack()
        self._notes = _blocks.notes(options.get("note_memory"))
        super().__init__(stream_of(self._torch_stream, None if own is None else own.context), mode, pool=own, **options)

    @property
    def torch_stream(self) -> Any:
        """The captured stream, as a `torch.cuda.Stream`.

        >>> graphcap.torch.capture().torch_stream  # doctest: +SKIP
        <torch.cuda.Stream device=cuda:0 cuda_stream=0x...>
        """
        return self._torch_stream

    @property
    def mem_pool(self) -> Any:
        """The `torch.cuda.MemPool` that the captured work has its memory of. The graph and its execs keep it.

        >>> graphcap.torch.capture(pool=mine).mem_pool is mine  # doctest: +SKIP
        True
        """
        return self._pool

    def __enter__(self) -> Self:
        with ExitStack() as around:
            self._torch_stream.wait_stream(torch.cuda.current_stream(self._device))
            around.enter_context(torch.cuda.stream(self._torch_stream))
            # PyTorch looks at each allocation whether a pool is in use, so the pool comes before the capture.
            around.enter_context(_Memory(self._device, self._pool))
            super().__enter__()
            self._kept.append(Held(self._pool))
            self._around = around.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, failed: BaseException | None, trace: TracebackType | None) -> None:
        with self._around:
            try:
                if self._notes and kind is None:
                    _blocks.tell(self._device)
            finally:
                super().__exit__(kind, failed, trace)


def capture(stream: Any = None, mode: str = "thread_local", *, pool: Any = None, **options: Any) -> Capture:
    """Captures PyTorch's work: `with graphcap.torch.capture() as captured: y = model(x)`, then `captured.instantiate()`.

    stream: a `torch.cuda.Stream`, which is the current stream in the block; a new one without.
    mode: as of `graphcap.capture`.
    pool: what the work allocates comes from this `torch.cuda.MemPool`, or from this `Pool`, by PyTorch's pluggable allocator; from a new
    MemPool without. The graph and its execs keep it. Graphs that share a pool must not run at the same time, and each overwrites the
    temporaries of the others.
    options: those of `graphcap.capture`.

    Run the work once before, on that stream: PyTorch and cuBLAS load what they need at the first call. Tensors that the work reads from outside
    are read at their addresses by each replay: keep them. A backward pass in the block is captured too. Work that draws random numbers is
    refused by PyTorch; `graphed(random=True)` can have it.

    An exception in the block discards the capture. Raises `CaptureError` if a call broke it; `story` names the call.

    >>> x = torch.ones(4, device="cuda")  # doctest: +SKIP
    >>> with graphcap.torch.capture() as captured:  # doctest: +SKIP
    ...     y = x * 2
    >>> captured.instantiate().replay()  # doctest: +SKIP
    """
    return Capture(stream, mode, pool=pool, **options)


def wrap(graph: Any, *, device: int | None = None, copy: bool = True) -> Graph:
    """A copy of the graph of a `torch.cuda.CUDAGraph`, to be drawn, compared, checked, optimised, edited and instantiated.

    graph: made with `keep_graph=True`; its capture is over, and no other thread uses it now. The copy and its execs keep it, and with it
    the memory of its pool.
    device: the GPU of its work; PyTorch's current one without.
    copy: False for PyTorch's graph itself, which changes of the result change. The result and the execs of its `instantiate()` keep it.

    Changes of a copy leave PyTorch's graph alone. The driver copies no graph with conditional nodes or allocations: NotSupportedError is
    raised unless copy is False. Work that draws random numbers draws those of the latest `graph.replay()` again.

    >>> theirs = torch.cuda.CUDAGraph(keep_graph=True)  # doctest: +SKIP
    >>> with torch.cuda.graph(theirs):  # doctest: +SKIP
    ...     y = model(x)
    >>> graphcap.torch.wrap(theirs).instantiate().launch(graphcap.torch.stream())  # doctest: +SKIP
    """
    theirs = _borrowed(graph, device)
    if not copy:
        return theirs
    try:
        made = theirs.clone()
    except NotSupportedError as refused:
        refused.add_note("graphcap.torch.wrap(graph, copy=False) gives PyTorch's graph itself.")
        raise
    theirs.close()
    raw.gc_graph_retain_callback(made, _native.keep(Held(graph)), _native.DESTROY)
    return made


def wrap_exec(graph: Any, *, device: int | None = None) -> GraphExec:
    """The executable graph that a `torch.cuda.CUDAGraph` launches: not a copy. Its launches count in both.

    graph: as of `wrap`, and instantiated: by `graph.instantiate()`, or by its first replay. It is kept as long as the result. A reset or
    another `instantiate()` of it ends the executable graph, so neither is allowed until the result is closed.

    >>> graphcap.torch.wrap_exec(theirs).launch(graphcap.torch.stream())  # doctest: +SKIP
    """
    return ForeignExec.of(graph, _borrowed(graph, device))


def check(graph: Graph, least: int = raw.GRAPHCAP_SEVERITY_WARNING) -> str:
    """Findings about a graph without running it, as `Graph.check`, and those of its tensors that are gone.

    Known are the tensors outside of private pools that lived at the end of `capture(note_memory=True)`, or at `wrap`. Looks at all
    objects of Python, so not for each launch. docs/checking.md.

    The example is skipped, as it needs a GPU; tests/test_gpu_torch.py runs such code.

    >>> del weights  # doctest: +SKIP
    >>> print(graphcap.torch.check(captured.graph))  # doctest: +SKIP
    error: node 0x100000001: parameter 1 of kernel "add" has the address 0x..., in block "float32[256]" ... that its allocator took back ...
    """
    _held.flush()
    _blocks.tell(graph.context.ordinal)
    return graph.check(least)


def doctor(of: Any = None, *, names: Any = None, **options: Any) -> Doctor:
    """Captures with notes of PyTorch's ops: findings about the graph name the op and its line, as "addmm at model.py:88".

    of: a `torch.cuda.Stream` or None, of which `capture(of, note_memory=True, **options)` is made; a `Capture` that is not begun; or a
    `torch.cuda.CUDAGraph(keep_graph=True)`, which the block captures by `torch.cuda.graph`. The block does its work once. Of several
    captures in a block the last one has notes.
    names: a module, or a mapping of names to tensors, whose names findings have. From Python 3.13 on variables have theirs, too.

    `check()` finds memory that is gone and more, `step()` the first NaN, `compare()` the first op that differs from eager, and `explain()`
    tells of a node. The notes keep no tensors, so the graph is the one that `capture` makes of eager code, and of functions of
    `torch.compile` that were compiled before. In the block older versions of PyTorch compile nothing: such functions run eagerly, or are
    refused with `fullgraph=True`. So call them once before. An op that cannot be noted is work that is no op. Ops of a backward pass have
    the line of `backward()`.

    Raises `TypeError` for options beside a `Capture` or a `CUDAGraph`.

    >>> with graphcap.torch.doctor(names=model) as doctor:  # doctest: +SKIP
    ...     y = model(x)
    >>> doctor.graph.instantiate().launch(graphcap.torch.stream())  # doctest: +SKIP
    >>> print(doctor.step())  # doctest: +SKIP
    error: log at model.py:41, node 0x100000007, makes 3 NaNs in float32[8, 64], from finite inputs
    """
    if options and isinstance(of, torch.cuda.CUDAGraph | _Capture):
        raise TypeError(f"{', '.join(options)}: options are those of a capture that doctor() makes, and this is a {type(of).__name__}")
    if isinstance(of, torch.cuda.CUDAGraph):
        device = torch.cuda.current_device()
        context_of(device)
        return Doctor(of, nullcontext(), lambda: wrap(of, device=device), names)
    noted: dict[str, Any] = {"note_memory": True} | options
    made = of if isinstance(of, _Capture) else capture(of, **noted)
    return Doctor(made, made, lambda: made.graph, names)


class ForeignGraph(Graph):
    """The graph of a `torch.cuda.CUDAGraph`, which it keeps: `graphcap.torch.wrap(copy=False)` makes it."""

    def instantiate(self, **options: Any) -> GraphExec:
        """Makes a graph exec, as `Graph.instantiate` does, which keeps this graph.

        >>> graphcap.torch.wrap(theirs, copy=False).instantiate().launch(graphcap.torch.stream())  # doctest: +SKIP
        """
        made = super().instantiate(**options)
        finalize(made, id, self)
        return made


def _borrowed(graph: Any, device: int | None) -> Graph:
    if not isinstance(graph, torch.cuda.CUDAGraph):
        raise TypeError(f"graph must be a torch.cuda.CUDAGraph, not {type(graph).__name__}")
    ordinal = torch.cuda.current_device() if device is None else device
    _held.flush()
    _blocks.tell(ordinal)
    made = ForeignGraph.wrap(context_of(ordinal), graph.raw_cuda_graph())
    finalize(made, id, graph)
    return made


class ForeignExec(GraphExec):
    """The executable graph of a `torch.cuda.CUDAGraph`: `graphcap.torch.wrap_exec` makes it."""

    _owners: ClassVar[dict[int, object]] = {}

    @classmethod
    def of(cls, graph: Any, theirs: Graph) -> ForeignExec:
        """The one that a graph of PyTorch's launches; `theirs` is that graph."""
        made = cls.__new__(cls)
        made._adopt(raw.gc_graph_exec_wrap(theirs.context, graph.raw_cuda_graph_exec(), raw.GRAPHCAP_OWNERSHIP_BORROWED, theirs), cls._KIND)
        cls._owners[id(made)] = (theirs, graph)
        return made

    def __del__(self) -> None:
        self._close()
        self._owners.pop(id(self), None)


def _flattened(arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Sequence[Any], Any]:
    """The tensors and other values of the arguments, and their structure; None for values alone, one after another."""
    if not named and all(isinstance(part, _PLAIN) for part in arguments):
        return arguments, None
    return _pytree.tree_flatten((arguments, named))


class _Entry:
    """The work of one key: the inputs that it reads, and the outputs that it writes."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self.shape: Any = None
        self.is_tensor = False
        self.work: Callable[[], Any] | None = None
        self.random: _Random | None = None


class _Local(threading.local):
    entry: _Entry | None = None


class Graphed:
    """A function over PyTorch's tensors that runs as a graph: `graphcap.torch.graphed` makes it.

    >>> step = graphcap.torch.graphed(model)  # doctest: +SKIP
    >>> step(x), step(x), step(x)  # doctest: +SKIP
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        warmups: int = 1,
        reuse_outputs: bool = False,
        in_place: Iterable[int] = (),
        random: bool = False,
        max_bytes: int = 0,
        share: bool = False,
    ) -> None:
        if not callable(function):
            raise TypeError(f"fn must be callable, not {type(function).__name__}")
        if warmups < 0:
            raise ValueError(f"warmups must be 0 or more, not {warmups}")
        self._function = function
        self._warmups, self._reuses, self._random = warmups, reuse_outputs, random
        self._in_place = frozenset(in_place)
        self._options = (max_bytes, share)
        self._calls: dict[Hashable, int] = {}
        # The graph of a key keeps its entry, so both go when the cache drops the key.
        self._entries: WeakValueDictionary[Hashable, _Entry] = WeakValueDictionary()
        self._number = 0
        self._local = _Local()
        self._lock = threading.RLock()
        self._cache: GraphCache | None = None
        self._device = -1
        self._last = 0
        self._last_stream: Any = None
        self._stream: Stream | None = None
        self.__wrapped__ = function

    def _open(self, device: int) -> GraphCache:
        self._device = device
        self._side = torch.cuda.Stream(device)
        self._side_stream = stream_of(self._side)
        self._pool = torch.cuda.MemPool()
        max_bytes, share = self._options
        # The library keeps the function that it calls, and so must not keep this object by it.
        record = WeakMethod(self._record)

        def recorded(origin: Stream, key: Hashable) -> None:
            found = record()
            if found is not None:
                found(origin, key)

        self._cache = GraphCache(context_of(device), recorded, max_bytes=max_bytes, share=share)
        return self._cache

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Runs the function: eagerly at the first calls of a key, then as a graph."""
        if torch._C._cuda_isCurrentStreamCapturing():
            return self._function(*arguments, **named)
        _held.flush()
        with self._lock:
            leaves, spec = _flattened(arguments, named)
            key, tensors = self._described(leaves, spec)
            cache = self._cache or self._open(tensors[0].device.index if tensors else torch.cuda.current_device())
            current = self._current()
            entry = self._entries.get(key)
            if entry is None:
                seen = self._calls.get(key, 0)
                if seen < self._warmups:
                    self._calls[key] = seen + 1
                    return self._eager(arguments, named)
                entry = self._new_entry(leaves, spec, key, tensors)
            self._copy(entry, tensors)
            self._launch(cache, entry, current)
            return self._outputs(entry)

    def stats(self) -> CacheStats:
        """Counters of the graph cache: hits, recordings, keys, bytes.

        >>> step.stats().keys  # doctest: +SKIP
        1
        """
        if self._cache is None:
            return CacheStats(0, 0, 0, 0, 0, 0, 0, 0, 0)
        return self._cache.stats()

    def clear(self) -> None:
        """Drops all graphs: the next call of each key runs eagerly again.

        >>> step.clear()  # doctest: +SKIP
        """
        with self._lock:
            self._calls.clear()
            self._entries.clear()
            if self._cache is not None:
                self._cache.clear()

    def _described(self, leaves: Sequence[Any], spec: Any) -> tuple[Hashable, list[Any]]:
        """The key of a call, and the tensors that are copied in."""
        parts: list[Hashable] = []
        tensors: list[Any] = []
        has_grad = torch.is_grad_enabled()
        for place, leaf in enumerate(leaves):
            if not isinstance(leaf, torch.Tensor):
                parts.append((type(leaf), leaf))
                continue
            if not leaf.is_cuda or (self._device >= 0 and leaf.device.index != self._device):
                where = f"cuda:{self._device}" if self._device >= 0 else "a GPU"
                raise TypeError(f"tensor {place} of the arguments is on {leaf.device}, and the graphs are of {where}: move it there first")
            if has_grad and leaf.requires_grad:
                raise TypeError(
                    f"tensor {place} of the arguments requires a gradient, which ends at a graph: call under torch.no_grad(), or let the function "
                    "do the backward pass too"
                )
            if place in self._in_place:
                parts.append((leaf.shape, leaf.stride(), leaf.dtype, leaf.data_ptr()))
            else:
                parts.append((leaf.shape, leaf.stride(), leaf.dtype))
                tensors.append(leaf)
        autocast = torch.get_autocast_dtype("cuda") if torch.is_autocast_enabled("cuda") else None
        key = (None if spec is None else repr(spec), tuple(parts), has_grad, torch.is_inference_mode_enabled(), autocast)
        try:
            hash(key)
        except TypeError:
            raise TypeError("arguments that are no tensors are part of the key of a graph, and have to be hashable") from None
        return key, tensors

    def _current(self) -> Stream:
        """The current stream, behind the last run if that was on another one: all runs share memory."""
        handle = torch._C._cuda_getCurrentRawStream(self._device)
        if self._stream is None or handle != self._last:
            found = torch.cuda.current_stream(self._device)
            if self._last_stream is not None:
                found.wait_stream(self._last_stream)
            self._last, self._last_stream, self._stream = handle, found, stream_of(found)
        return self._stream

    def _eager(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Runs the function once as it is, on the stream on which it will be captured."""
        current = torch.cuda.current_stream(self._device)
        self._side.wait_stream(current)
        with torch.cuda.stream(self._side):
            outputs = self._function(*arguments, **named)
        current.wait_stream(self._side)
        for part in _pytree.tree_leaves(outputs):
            if isinstance(part, torch.Tensor) and part.is_cuda:
                part.record_stream(current)
        return outputs

    def _new_entry(self, leaves: Sequence[Any], spec: Any, key: Hashable, tensors: Sequence[Any]) -> _Entry:
        self._calls.pop(key, None)
        self._number += 1
        entry = _Entry(b"%d" % self._number)
        entry.inputs = [torch.empty_like(part) for part in tensors]
        static = iter(entry.inputs)
        given = [
            next(static) if isinstance(leaf, torch.Tensor) and place not in self._in_place else leaf for place, leaf in enumerate(leaves)
        ]
        # The graph keeps the entry, so that must not keep this object.
        function = self._function
        if spec is None:
            entry.work = lambda: function(*given)
        else:
            arguments, named = _pytree.tree_unflatten(given, spec)
            entry.work = lambda: function(*arguments, **named)
        self._entries[key] = entry
        return entry

    def _copy(self, entry: _Entry, tensors: Sequence[Any]) -> None:
        if len(tensors) == 1:
            entry.inputs[0].copy_(tensors[0])
        elif tensors:
            with torch.no_grad():
                torch._foreach_copy_(entry.inputs, tensors)

    def _launch(self, cache: GraphCache, entry: _Entry, current: Stream) -> None:
        if entry.random is not None:
            entry.random.advance()
        self._local.entry = entry
        cache.launch(entry.key, current)

    def _record(self, origin: Stream, key: Hashable) -> None:
        """Records the work of an entry. It runs within the launch, behind which the work runs once."""
        entry = self._local.entry
        if entry is None or entry.work is None:
            raise RuntimeError("the graph of a graphed function is recorded by a call of it alone")
        if self._random:
            entry.random = _Random(self._device)
            # Graphs that run still read the numbers of their replays.
            entry.random.stream.wait_stream(torch.cuda.current_stream(self._device))
        graph = Graph._owner(raw.gc_stream_capture_graph(origin))
        raw.gc_graph_retain_callback(graph, _native.keep((entry, Held(self._pool))), _native.DESTROY)
        with entry.random or nullcontext(), _Memory(self._device, self._pool):
            # The work goes to a stream of PyTorch's that lives on, so that all keys use the memory of one pool again.
            self._side_stream.wait(origin.record())
            with torch.cuda.stream(self._side):
                made = entry.work()
            origin.wait(self._side_stream.record())
            found, entry.shape = _pytree.tree_flatten(made)
            entry.outputs = [part.detach() if isinstance(part, torch.Tensor) else part for part in found]
            entry.is_tensor = isinstance(made, torch.Tensor)
            del made, found
        if _blocks.notes(False):
            _blocks.tell(self._device)
        if entry.random is not None:
            with torch.cuda.stream(entry.random.stream):
                entry.random.advance()
            entry.random.stream.synchronize()

    def _outputs(self, entry: _Entry) -> Any:
        made = entry.outputs
        if entry.is_tensor:
            return made[0] if self._reuses else made[0].clone()
        if not self._reuses:
            made = [part.clone() if isinstance(part, torch.Tensor) else part for part in made]
        return _pytree.tree_unflatten(made, entry.shape)


def graphed(
    function: Callable[..., Any] | None = None,
    *,
    warmups: int = 1,
    reuse_outputs: bool = False,
    in_place: Iterable[int] = (),
    random: bool = False,
    max_bytes: int = 0,
    share: bool = False,
) -> Any:
    """Makes a function over PyTorch's tensors run as a graph: `step = graphed(model)`, or `@graphed`, or `@graphed(random=True)`.

    The arguments' shapes, strides and types are a key; arguments that are no tensors are part of it. The first call of a key runs the function
    as it is, which loads what it needs; the second captures it; this and all later ones replay the graph. So each call does the work once.
    Tensors among the arguments are copied to memory that the graph reads. Tensors that the function has from elsewhere, such as weights and
    caches, are used at their addresses, and must stay. Code of Python's in the function does not run at a replay.

    warmups: calls of each key that run the function as it is.
    reuse_outputs: give the graph's own outputs, which the next run of the key overwrites, instead of copies.
    in_place: places of tensors among the arguments that are used at their addresses instead of being copied. Another address is another key.
    random: the work draws random numbers of PyTorch's generator of the GPU; each run draws the numbers that eager code would. It costs a
    launch more. Without it PyTorch raises RuntimeError.
    max_bytes, share: as of `GraphCache`. What a dropped key had goes with it.

    Within a capture, and within `torch.cuda.graph`, the function is called as it is, and so captured. Runs use one memory for what
    they compute, so they run one after another, also on several streams. An exception in the function discards the capture, and goes on as
    it is. Raises `TypeError` for tensors of the host or of another GPU, for those that require a gradient while gradients are on, and for other
    arguments that cannot be hashed.

    >>> step = graphcap.torch.graphed(model)  # doctest: +SKIP
    >>> for token in tokens:  # doctest: +SKIP
    ...     logits = step(token, cache)
    """

    def made(given: Callable[..., Any]) -> Graphed:
        return Graphed(
            given, warmups=warmups, reuse_outputs=reuse_outputs, in_place=in_place, random=random, max_bytes=max_bytes, share=share
        )

    return made if function is None else made(function)
