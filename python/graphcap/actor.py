"""Actors: threads of the library's that record, update and launch by message. Their answers are futures."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from . import _native, raw
from ._base import Object, kind, waited
from .capture import mode_number
from .errors import Error
from .errors import TimeoutError as _TimeoutError
from .graph import Graph, GraphExec

if TYPE_CHECKING:
    from .context import Context
    from .script import Script

__all__ = ["Actor", "Future"]

_FOREVER = 2**64 - 1
_COMPLETIONS = {
    "event": raw.GRAPHCAP_ACTOR_COMPLETION_EVENT,
    "host_function": raw.GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION,
    "synchronize": raw.GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE,
}


class Future(Object, _native.Handle):
    """The answer of an actor. `result` waits for it, and so does `await`.

    >>> with graphcap.Actor(context) as actor:
    ...     future = actor.launch(exec)
    ...     future.result(timeout=10)
    ...     future.done()
    True
    """

    _KIND = kind("Future")

    @classmethod
    def _check(cls, handle: int) -> None:
        raw.gc_future_poll(handle)

    def __init__(self) -> None:
        raise TypeError("an Actor makes futures")

    @classmethod
    def _of(cls, handle: int, answer: str, script: Script | None = None) -> Future:
        made = cls.__new__(cls)
        made._adopt(handle, cls._KIND)
        made._answer, made._script, made._exec, made._text = answer, script, None, None
        return made

    _answer: str
    _script: Script | None
    _exec: GraphExec | None
    _text: str | None

    def _adopted(self) -> None:
        self._answer, self._script, self._exec, self._text = "", None, None, None

    def done(self) -> bool:
        """True where the answer is there.

        >>> with graphcap.Actor(context) as actor:
        ...     future = actor.launch(exec)
        ...     _ = future.result()
        ...     future.done()
        True
        """
        return bool(raw.gc_future_poll(self))

    def _wait(self, nanoseconds: int) -> None:
        failure = raw.gc_script_failure()
        try:
            raw.gc_future_wait(self, nanoseconds, failure)
        except Error as failed:
            if failure.status == 0 or self._script is None:
                raise
            raise self._script._told(failed, failure) from failed.__cause__  # pyright: ignore[reportPrivateUsage]

    def result(self, timeout: float | None = None) -> Any:
        """Waits for the answer: a `GraphExec` of `Actor.record` and `Actor.adopt`, a text of `Actor.dot`, else None. Ctrl-C ends the wait.

        timeout: seconds, or None. Raises `TimeoutError` if the time passes first, and the error that the answer is.

        >>> with graphcap.Actor(context) as actor:
        ...     made = actor.adopt(graph).result()
        >>> made.node_count
        2
        """
        waited(self._wait, lambda: self._wait(_FOREVER), timeout, self.done)
        return self._taken()

    def _taken(self) -> Any:
        if self._answer == "exec":
            if self._exec is None:
                self._exec = GraphExec._owner(raw.gc_future_take_exec(self))
            return self._exec
        if self._answer == "text":
            if self._text is None:
                self._text = raw.gc_future_text(self)
            return self._text
        return None

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Waits, and returns the error that the answer is, or None.

        >>> with graphcap.Actor(context) as actor:
        ...     actor.launch(exec).exception() is None
        True
        """
        try:
            self.result(timeout)
        except _TimeoutError:
            raise
        except Exception as failed:  # noqa: BLE001
            return failed
        return None

    def add_done_callback(self, function: Callable[[Future], object]) -> None:
        """Registers a function that is called with the future when the answer is there: on the actor's
        thread, or at once. It must not wait.

        >>> seen = []
        >>> with graphcap.Actor(context) as actor:
        ...     future = actor.launch(exec)
        ...     _ = future.result()
        ...     future.add_done_callback(lambda done: seen.append(done.done()))
        >>> seen
        [True]
        """

        def called(_: int) -> None:
            function(self)

        raw.gc_future_on_done(self, _native.FUTURE_DONE, _native.keep(called), _native.DESTROY)

    def __await__(self) -> Generator[Any, None, Any]:
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            if not waiter.done():
                waiter.set_result(None)

        def called(_: int) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(wake)

        raw.gc_future_on_done(self, _native.FUTURE_DONE, _native.keep(called), _native.DESTROY)
        yield from waiter.__await__()
        return self.result()


class Actor(Object, _native.Handle):
    """A thread that owns graph execs, and records, updates and launches them by message. Messages are done in order.

    completion: how it learns that a launch is complete: 'event', 'host_function' or 'synchronize'.
    mailbox: how many messages may wait; 0 is the library's default. refuse_when_full: a message to a full one raises `StateError` at once.

    >>> with graphcap.Actor(context) as actor:
    ...     exec = actor.adopt(graph).result()
    ...     actor.launch(exec).result()
    """

    _KIND = kind("Actor")

    def __init__(self, context: Context, *, completion: str = "event", mailbox: int = 0, refuse_when_full: bool = False) -> None:
        if completion not in _COMPLETIONS:
            raise ValueError(f"completion must be one of {', '.join(_COMPLETIONS)}, not {completion!r}")
        options = raw.gc_actor_options(
            completion=_COMPLETIONS[completion], mailbox_capacity=mailbox, flags=raw.GRAPHCAP_ACTOR_REFUSE_WHEN_FULL if refuse_when_full else 0
        )
        self._adopt(raw.gc_actor_create(context, options), self._KIND)

    def record(self, script: Script, mode: str = "thread_local") -> Future:
        """Makes the actor record a script and make an exec of it: the result is a `GraphExec`.

        >>> script = graphcap.Script(context)
        >>> script.push_fill(buffer, 0)
        >>> with graphcap.Actor(context) as actor:
        ...     actor.record(script).result().node_count
        1
        """
        return Future._of(raw.gc_actor_record(self, script, mode_number(mode), 0), "exec", script)  # pyright: ignore[reportPrivateUsage]

    def adopt(self, graph: Graph) -> Future:
        """Makes the actor make an exec of a graph: the result is a `GraphExec`.

        >>> with graphcap.Actor(context) as actor:
        ...     actor.adopt(graph).result().node_count
        2
        """
        return Future._of(raw.gc_actor_adopt(self, graph, 0), "exec")  # pyright: ignore[reportPrivateUsage]

    def launch(self, exec: GraphExec) -> Future:  # noqa: A002
        """Makes the actor launch an exec: the answer comes when the launch is complete.

        >>> with graphcap.Actor(context) as actor:
        ...     actor.launch(exec).result()
        """
        return Future._of(raw.gc_actor_launch(self, exec), "")  # pyright: ignore[reportPrivateUsage]

    def update(self, exec: GraphExec, graph: Graph) -> Future:  # noqa: A002
        """Makes the actor update an exec, as `GraphExec.update` does.

        >>> with graphcap.Actor(context) as actor:
        ...     actor.update(exec, graph).result()
        """
        return Future._of(raw.gc_actor_update(self, exec, graph), "")  # pyright: ignore[reportPrivateUsage]

    def dot(self, exec: GraphExec) -> Future:  # noqa: A002
        """Makes the actor write the graph of an exec that it made, for Graphviz: the result is a text.

        >>> with graphcap.Actor(context) as actor:
        ...     made = actor.adopt(graph).result()
        ...     actor.dot(made).result().startswith("digraph")
        True
        """
        return Future._of(raw.gc_actor_export_dot(self, exec, 0), "text")  # pyright: ignore[reportPrivateUsage]

    def shut(self, timeout: float = 10) -> None:
        """Closes the actor: messages that it has not come to are cancelled, and it waits for its work.

        timeout: seconds. Raises `TimeoutError` if the time passes first.

        >>> graphcap.Actor(context).shut()
        """
        raw.gc_actor_close(self, int(timeout * 1e9))
        self._close()

    def __exit__(self, *_: object) -> None:
        if not self.closed:
            self.shut()

    def __del__(self) -> None:
        if not self.closed and not _native.is_ending():
            warnings.warn(f"{self!r} was not closed: its messages are cancelled; use with, or shut()", ResourceWarning, source=self, stacklevel=2)
