"""`DragCallbacks`: functions of a script that are called when a person has moved the arm."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from armature.engine.errors import ViewError
from armature.engine.remote.line import Line

LOOK = 0.2  # s between two looks whether the line is over


class DragCallbacks:
    """Called one after the other on a thread of their own; when they are slow, with the latest pose only."""

    def __init__(self):
        self._functions: list[Callable[[np.ndarray], Any]] = []
        self._line: Line | None = None
        self._edits = 0
        self._moved = threading.Event()
        self._failed: BaseException | None = None

    def add(self, function: Callable[[np.ndarray], Any], line: Line) -> None:
        """One more function."""
        self._functions.append(function)
        if self._line is None:
            self._line, self._edits = line, line.report.edits
            threading.Thread(target=self._run, args=(line,), name="on_drag", daemon=True).start()

    def heard(self) -> None:
        """The window has reported something."""
        line = self._line
        if line is not None and line.report.edits != self._edits:
            self._edits = line.report.edits
            self._moved.set()

    def check(self) -> None:
        """Raise what a function has raised, once."""
        if self._failed is not None:
            failed, self._failed = self._failed, None
            raise ViewError(f"on_drag: {type(failed).__name__}: {failed}") from failed

    def _run(self, line: Line) -> None:
        while not line.over:
            if self._moved.wait(LOOK):
                self._moved.clear()
                q = np.array(line.report.q)
                try:
                    for function in tuple(self._functions):
                        function(q.copy())
                except Exception as error:
                    self._failed = error
