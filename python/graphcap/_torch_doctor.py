"""Ops of PyTorch's in a capture: which nodes each recorded, from which line of Python, with which tensors. Examples are skipped
where the doctests run, as they need PyTorch and a GPU; tests/test_gpu_doctor.py runs the like of them."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-any-return, misc, no-untyped-call, attr-defined"
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false, reportUntypedBaseClass=false
# pyright: reportUnknownArgumentType=false, reportMissingModuleSource=false, reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportAttributeAccessIssue=false, reportPrivateUsage=false, reportMissingTypeStubs=false

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

import torch
from torch.utils import _pytree
from torch.utils._python_dispatch import TorchDispatchMode

from . import _blocks, raw
from ._doctor import Finding, GraphDoctor, Notes, Op, Report, Tensor
from .graph import Graph
from .interop import stream_of

_OURS = (f"{Path(torch.__file__).parent}/", f"{Path(__file__).parent}/", "<eval_with_key>")
_OVERWRITE = {"copy_", "fill_", "zero_"}
# Results of attention that nobody reads without dropout, and that ops leave as they are then.
_UNUSED = {"philox_seed", "philox_offset", "rng_state", "unused", "debug_attn_mask"}


class Called:
    """An op that ran: its name, its line, and its tensors, which are used within the call alone."""

    def __init__(self, function: Any, arguments: tuple[Any, ...], named: Mapping[str, Any], result: Any) -> None:
        # Ops of higher order, such as torch.cond, have no schema.
        schema = getattr(function, "_schema", None)
        returns = () if schema is None else schema.returns
        self.name: str = str(function) if schema is None else schema.name.removeprefix("aten::")
        # Views have no work, and come and go with what PyTorch does within.
        self.is_view = any(told.alias_info is not None and not told.alias_info.is_write for told in returns)
        self.inputs: list[Any] = list(_tensors((arguments, named))) if schema is None else []
        results = result if isinstance(result, tuple) else (result,)
        names = [told.name for told in returns]
        is_told = len(names) == len(results)
        self.outputs: list[Any] = list(_tensors([one for place, one in enumerate(results) if not (is_told and names[place] in _UNUSED)]))
        for place, told in enumerate(() if schema is None else schema.arguments):
            given = arguments[place] if place < len(arguments) else named.get(told.name)
            is_written = told.alias_info is not None and told.alias_info.is_write
            (self.outputs if is_written else self.inputs).extend(_tensors(given))
            if is_written and not told.kwarg_only and self.name not in _OVERWRITE:
                self.inputs.extend(_tensors(given))
        self.outputs = list({id(one): one for one in self.outputs}.values())
        self.frame = _caller()

    def noted(self, names: Mapping[int, str], first: int, last: int) -> Op:
        """The op without its tensors."""
        frame = self.frame
        local = _variables(frame) if frame is not None else {}
        file, line = (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("", 0)
        inputs, outputs = (tuple(self._told(found, names, local)) for found in (self.inputs, self.outputs))
        return Op(self.name, file, line, inputs, outputs, first, last)

    def _told(self, tensors: list[Any], names: Mapping[int, str], local: Mapping[int, str]) -> Iterator[Tensor]:
        for tensor in tensors:
            try:
                address, shape, stride = tensor.data_ptr(), tuple(tensor.shape), tuple(tensor.stride())
            except RuntimeError:  # Tensors without storage, or without one shape: sparse and nested ones, those of functorch.
                continue
            count = 1 + sum((length - 1) * step for length, step in zip(shape, stride, strict=True))
            if address:
                name = names.get(address) or local.get(id(tensor), "")
                nbytes = count * tensor.element_size()
                yield Tensor(name, str(tensor.dtype).removeprefix("torch."), shape, stride, address, nbytes)


def _tensors(given: Any) -> Iterator[Any]:
    return (found for found in _pytree.tree_flatten(given)[0] if isinstance(found, torch.Tensor) and found.is_cuda and found.numel())


def _variables(frame: FrameType) -> dict[int, str]:
    """Names of a frame's tensors. Before 3.13 those of a function are left out: to ask keeps them as long as the frame."""
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED and sys.version_info < (3, 13):
        return {}
    return {id(value): name for name, value in list(frame.f_locals.items()) if isinstance(value, torch.Tensor)}


def _caller() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_ours(frame):
        frame = frame.f_back
    return frame


def _is_ours(frame: FrameType) -> bool:
    # Files that torch.compile wrote lie elsewhere, as modules within torch._inductor.
    return frame.f_code.co_filename.startswith(_OURS) or str(frame.f_globals.get("__name__")).startswith("torch._inductor.")


class _Ops(TorchDispatchMode):
    """Within the block, `told` is called behind each op, with it and what `before` gave before. An exception of theirs leaves the op alone."""

    supports_higher_order_operators = True

    def __init__(self, before: Callable[[], Any], told: Callable[[Called, Any], None]) -> None:
        super().__init__()
        self._before, self._told = before, told
        self.failed: list[Exception] = []

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Tells torch.compile to compile as without the mode, from PyTorch 2.10 on."""
        return True

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> Any:
        found = self._safely(self._before)
        result = func(*args, **(kwargs or {}))
        self._safely(lambda: self._told(Called(func, args, kwargs or {}, result), found))
        return result

    def _safely(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except Exception as failed:  # noqa: BLE001
            self.failed.append(failed)
            return None


class Doctor(GraphDoctor):
    """A doctor of PyTorch's work: `graphcap.torch.doctor` makes it, and `with` captures with it."""

    def __init__(self, capture: Any, block: AbstractContextManager[Any], graph: Callable[[], Graph], names: Any) -> None:
        super().__init__()
        self._capture, self._block, self._made = capture, block, graph
        self._names = _named(names)
        self._around = ExitStack()
        self._stream: Any = None
        self._number = 0
        self._info = raw.gc_capture_info()
        self._is_noting = False
        self._device = torch.cuda.current_device()

    @property
    def capture(self) -> Any:
        """The capture that the block is: a `graphcap.torch.Capture`, or the `torch.cuda.CUDAGraph`.

        >>> exec = doctor.capture.instantiate()  # doctest: +SKIP
        """
        return self._capture

    def __enter__(self) -> Self:
        with ExitStack() as around:
            around.enter_context(self._block)
            # A thread of autograd's own has no line of Python.
            around.enter_context(torch.autograd.set_multithreading_enabled(False))
            around.enter_context(_Ops(self._count, self._note))
            self._around = around.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, failed: BaseException | None, trace: TracebackType | None) -> None:
        self._around.__exit__(kind, failed, trace)
        if kind is None:
            self._graph = self._made()
            self._notes.settle(raw.gc_graph_get_nodes(self._graph))

    def _count(self) -> int:
        """Number of nodes that were captured so far; -1 outside of captures."""
        if not torch._C._cuda_isCurrentStreamCapturing():
            return -1
        if self._stream is not None:
            raw.gc_stream_capture_info(self._stream, self._info)
        if self._stream is None or self._info.status != raw.GRAPHCAP_CAPTURE_STATUS_ACTIVE:
            self._stream = stream_of(torch.cuda.current_stream())
            raw.gc_stream_capture_info(self._stream, self._info)
        count = int(self._info.node_count)
        if self._info.id != self._number:
            self._number, self._notes, self._device = self._info.id, Notes(count), torch.cuda.current_device()
        return count

    def _note(self, called: Called, first: int | None) -> None:
        if first is not None and first >= 0:
            self._notes.add(called.noted(self._names, first, self._count()))

    def _refresh(self) -> None:
        _blocks.tell(self._device)

    def _counts(self, tensor: Tensor) -> tuple[int, int]:
        found = _view(tensor, self._device)
        if not (found.is_floating_point() or found.is_complex()):
            return 0, 0
        if found.element_size() == 1:
            found = found.float()
        nans, infinities = torch.stack([found.isnan().sum(), found.isinf().sum()]).tolist()
        return nans, infinities

    def compare(
        self, work: Callable[[], object], *, rtol: float = 0.0, atol: float = 0.0, max_bytes: int = 0, permits: int = 0
    ) -> Report:
        """Runs the work eagerly beside a replay of the graph, and names the first op whose outputs differ.

        First the graph is stepped through and what it wrote restored, as `step` does; then `work` runs once, so that its state moves on by
        one call. Both read the same memory. The outputs of all ops are kept in memory of the CPU meanwhile.
        work: what was captured, with the same tensors. rtol, atol: as of `torch.allclose`; values that are no numbers are equal.
        max_bytes, permits: as of `step`.

        >>> print(doctor.compare(lambda: model(x)))  # doctest: +SKIP
        error: mul at model.py:12, node 0x100000001, gives other values than eager: 64 of 64 in float32[64], by 1.5 at most; input 1,
        "scale" float32[64], was at 0x7f0000000000 at the capture and is at 0x7f0000000400 now
        """
        kept: dict[int, list[Any]] = {}
        places = {id(op): place for place, op in enumerate(self._notes.ops)}

        def behind(op: Op) -> None:
            kept[places[id(op)]] = [_view(one, self._device).cpu() for one in op.outputs]

        report, notes = self._stepped(lambda _: None, behind, max_bytes, permits)
        if report.together_count:
            return Report.of((), notes)
        eager = _Eager(self._notes, self._names, lambda op: kept.get(places[id(op)], []), (rtol, atol))
        with _Ops(lambda: None, eager.told) as ops:
            work()
        if ops.failed:
            raise ops.failed[0]
        found = eager.end()
        if found is None:
            return Report.of((), [*notes, f"ops that gave what eager gives: {eager.compared}"])
        op, told = found
        node = f", node {self._notes.nodes(op)[-1]:#x}" if op is not None and op.last > op.first else ""
        return Report.of([Finding("error", op, f"{op}{node}, {told}" if op is not None else told)], notes)


class _Eager:
    """Compares ops that run with those of a capture, until one differs."""

    def __init__(self, notes: Notes, names: Mapping[int, str], kept: Callable[[Op], list[Any]], limits: tuple[float, float]) -> None:
        ops = notes.ops
        has_nodes = {op.name for op in ops if op.last > op.first}
        self._ops = [op for op in ops if op.name and op.name in has_nodes]
        self._ignored = {op.name for op in ops} - has_nodes
        self._notes, self._names, self._kept, self._limits = notes, names, kept, limits
        self._place = self.compared = 0
        self._found: tuple[Op | None, str] | None = None

    def told(self, called: Called, _: object) -> None:
        """Takes an op that ran."""
        if self._found is not None or called.is_view or called.name in self._ignored:
            return
        now = called.noted(self._names, 0, 0)
        if self._place == len(self._ops):
            self._found = (None, f"the capture has no more ops, and eager runs {now}")
            return
        op = self._ops[self._place]
        self._place += 1
        if op.name != now.name:
            self._found = (op, f"is not what eager runs: {now}")
        elif kept := self._kept(op):
            self.compared += 1
            told = next(filter(None, map(self._differs, op.outputs, kept, called.outputs)), "")
            if told:
                self._found = (op, f"gives other values than eager: {told}{self._moved(op, now)}")

    def end(self) -> tuple[Op | None, str] | None:
        """The first difference, of an op of the capture."""
        if self._found is None and self._place < len(self._ops):
            return self._ops[self._place], "is not run by eager, which ended before"
        return self._found

    def _differs(self, noted: Tensor, kept: Any, now: Any) -> str:
        if tuple(now.shape) != noted.shape or now.dtype != kept.dtype:
            return f"{noted} where eager has {str(now.dtype).removeprefix('torch.')}{list(now.shape)}"
        now = now.detach().cpu()
        if torch.equal(kept, now):
            return ""
        is_inexact = kept.is_floating_point() or kept.is_complex()
        if is_inexact and kept.element_size() == 1:
            kept, now = kept.float(), now.float()
        rtol, atol = self._limits
        differs = ~torch.isclose(kept, now, rtol=rtol, atol=atol, equal_nan=True) if is_inexact else kept != now
        count = int(differs.sum())
        if not count:
            return ""
        first = differs.nonzero()[0].tolist()
        kind = torch.complex128 if kept.is_complex() else torch.float64
        greatest = (kept[differs].to(kind) - now[differs].to(kind)).abs().max().item()
        return (
            f"{count} of {kept.numel()} in {noted}, by {greatest:.6g} at most; the first at {first}: "
            f"{kept[tuple(first)].item():.6g} where eager has {now[tuple(first)].item():.6g}"
        )

    def _moved(self, op: Op, now: Op) -> str:
        """The inputs from outside of the graph that lie elsewhere than at the capture."""
        for place, (then, found) in enumerate(zip(op.inputs, now.inputs, strict=False)):
            if then.address != found.address and not self._notes.is_written(then, op):
                return f"; input {place}, {found if found.name else then}, was at {then.address:#x} at the capture and is at {found.address:#x} now"
        return ""


def _named(names: Any) -> dict[int, str]:
    """Names of tensors by their addresses: those of a module's parameters and buffers, or of a mapping."""
    if names is None:
        return {}
    pairs = [*names.named_parameters(), *names.named_buffers()] if isinstance(names, torch.nn.Module) else names.items()
    return {tensor.data_ptr(): name for name, tensor in pairs}


class _Memory:
    """Memory of a GPU by its address, as PyTorch takes it."""

    def __init__(self, address: int, nbytes: int) -> None:
        self.__cuda_array_interface__ = {"data": (address, False), "shape": (nbytes,), "typestr": "|u1", "version": 3}


def _view(tensor: Tensor, device: int) -> Any:
    """A tensor that reads memory where it was noted."""
    found = torch.as_tensor(_Memory(tensor.address, tensor.nbytes), device=torch.device("cuda", device))
    return found.view(getattr(torch, tensor.dtype)).as_strided(tensor.shape, tensor.stride)
