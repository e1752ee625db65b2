"""Plays a recording back: which sample belongs to which moment."""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature.app.state.document import RobotDocument
from armature.engine.recording.recording import Recording

ROUNDING = 1e-9  # s: a sample's own time, reckoned from the first one, is that sample and not the one before


class Replay(QObject):
    """Drives the document from a recording while one is open; `moved(t, playing)` tells where it is.

    `opening` tells that a recording is about to take over the arm, `replaying_changed(on)` that it has, or lets go of it;
    `taken_over(why)` that it lets go because a person has moved the arm.
    """

    moved = Signal(float, bool)
    opening = Signal()
    replaying_changed = Signal(bool)
    taken_over = Signal(str)

    def __init__(self, document: RobotDocument, parent: QObject | None = None):
        super().__init__(parent)
        self._document = document
        self.recording: Recording | None = None
        self.shown = np.zeros(0)  # q of the sample that is shown
        self._t, self._speed, self._playing, self._last = 0.0, 1.0, False, 0.0

    @property
    def replaying(self) -> bool:
        """Whether a recording holds the arm."""
        return self.recording is not None

    @property
    def open(self) -> Recording:
        """The recording that holds the arm, where one is known to."""
        if self.recording is None:
            raise LookupError("no recording is open")
        return self.recording

    @property
    def playing(self) -> bool:
        """Whether time runs."""
        return self._playing

    @property
    def t(self) -> float:
        """Seconds since the first sample."""
        return self._t

    @property
    def row(self) -> int:
        """The sample that is shown."""
        t = self.open.t
        return min(max(int(np.searchsorted(t, t[0] + self._t + ROUNDING, side="right")) - 1, 0), len(t) - 1)

    @property
    def speed(self) -> float:
        """Seconds of the recording per second."""
        return self._speed

    def load(self, recording: Recording):
        """Open a recording of the document's robot at its beginning."""
        self.recording, self._playing = recording, False
        self.seek(0.0)
        self.replaying_changed.emit(True)

    def close(self, since: str = ""):
        """Let go of the recording, if one is open; the arm stays where it is. `since` is what took it over, in words."""
        if self.replaying:
            self.recording, self._playing = None, False
            self.replaying_changed.emit(False)
            if since:
                self.taken_over.emit(f"The recording was closed because {since}.")

    def play(self, on: bool):
        """Let time run, from the beginning once the end was reached."""
        if self.recording is None:
            return
        if on and self._t >= self.recording.duration:
            self._t = 0.0
        self._playing, self._last = on, time.monotonic()
        self._show()

    def set_speed(self, factor: float):
        """Seconds of the recording per second."""
        self._speed = factor

    def seek(self, fraction: float):
        """Go to a part of the whole, 0 to 1."""
        if self.recording is not None:
            self._t = fraction * self.recording.duration
            self._last = time.monotonic()
            self._show()

    def step(self, samples: int):
        """Go so many samples on, and stand still there."""
        if self.recording is not None:
            t = self.recording.t
            self._playing, self._t = False, float(t[min(max(self.row + samples, 0), len(t) - 1)] - t[0])
            self._show()

    def advance(self):
        """Called once per frame."""
        if not self._playing:
            return
        now = time.monotonic()
        self._t += (now - self._last) * self._speed
        self._last = now
        if self._t >= self.open.duration:
            self._t, self._playing = self.open.duration, False
        self._show()

    def _show(self):
        self.shown = self._last_known(self.open.q, self.row)
        self._document.follow(self.shown)
        self.moved.emit(self._t, self._playing)

    def _last_known(self, q: np.ndarray, row: int) -> np.ndarray:
        """Of each joint the last number up to a row `(n,)`; before the first one it stays as it is."""
        here = np.array(q[row])
        for joint in np.flatnonzero(~np.isfinite(here)):
            known = np.flatnonzero(np.isfinite(q[:row, joint]))
            here[joint] = q[known[-1], joint] if len(known) else self._document.q[joint]
        return here
