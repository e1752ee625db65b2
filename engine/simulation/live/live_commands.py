"""`LiveCommands`: what any thread asks of the simulation, done one after the other on the thread that simulates."""

from __future__ import annotations

import queue
from collections.abc import Callable
from functools import partial

from armature.engine.simulation.note_kind import NoteKind

Command = Callable[[], None]


class LiveCommands:
    """A queue of calls without arguments; `put` and `qsize` are for every thread."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self.put, self.qsize = self._queue.put, self._queue.qsize

    def wake(self) -> None:
        """Ends the rest of the thread that waits for commands."""
        self._queue.put(_nothing)

    def carry_out(self, do: Callable[[Command], None], rest: float | None) -> None:
        """Hands all commands that wait to `do`; sleeps `rest` seconds, or for None without end, until there is one."""
        try:
            do(self._queue.get(timeout=rest))
            while True:
                do(self._queue.get_nowait())
        except queue.Empty:
            return


def command_name(command: Command) -> str:
    """What a command is called in `SimulationLoop`, or in `Stepper` where it steers: then its kind comes before that."""
    if not isinstance(command, partial):
        return command.__name__
    steers = bool(command.args) and isinstance(command.args[0], NoteKind)
    return command.args[1].__name__ if steers else command.func.__name__


def _nothing() -> None:
    pass
