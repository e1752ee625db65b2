"""Work that only the GUI thread can do, a slice of it per turn of the event loop."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

from PySide6.QtCore import QObject, QTimer

SLICE = 0.004  # s after which no further step is begun; with a step of twice that, half a frame is left to everybody else

REST = True  # what a step yields to leave the rest of this turn, and the next one, to others
Steps = Generator[Any, None, None]


class Slices(QObject):
    """Takes one piece of work at a time, a generator that yields where it can be held up; the latest wins."""

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._steps: Steps | None = None
        self._inside = False  # of a step, which may turn the event loop or start other work
        self._rests = False
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._turn)

    @property
    def busy(self) -> bool:
        """Whether something is left to be done."""
        return self._steps is not None

    def start(self, steps: Steps) -> None:
        """Give up what is left of earlier work, and do this from the next turn on."""
        self.stop()
        self._steps = steps
        self._timer.start()

    def finish(self) -> None:
        """Do what is left now; nothing where a step asks for it itself."""
        while self._steps is not None and not self._inside:
            self._step(self._steps)

    def stop(self) -> None:
        """Give up what is left."""
        steps, self._steps = self._steps, None
        self._timer.stop()
        if steps is not None and not self._inside:
            steps.close()

    def _turn(self) -> None:
        if self._rests:  # this turn is for what the last step has to have drawn and laid out
            self._rests = False
            return
        end = time.perf_counter() + SLICE
        while self._steps is not None and not self._inside and time.perf_counter() < end:
            if self._step(self._steps) is REST:
                self._rests = True
                return

    def _step(self, steps: Steps) -> Any:
        self._inside, over, told = True, False, None
        try:
            told = next(steps)
        except StopIteration:
            over = True
        finally:
            self._inside = False
        if over and self._steps is steps:
            self.stop()
        return told
