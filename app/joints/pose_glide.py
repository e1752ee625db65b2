"""`PoseGlide`: the arm goes to another pose while one looks on; all of it is one undo step."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature.app.state.edits.pose_edit import next_gesture
from armature.app.widgets.playing.step_player import eased

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

DURATION = 0.6  # s


class PoseGlide(QObject):
    """Straight through the joint space, smoothly from rest to rest; any other edit of the pose ends it where it is."""

    ended = Signal()

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench, self._document = bench, bench.document
        self._from = self._to = self._document.q
        self._began, self._gesture, self._text = 0.0, 0, ""
        self.moving, self._own = False, False
        self._document.q_edited.connect(self._on_edited)
        self._document.robot_changed.connect(lambda _: self.stop())
        bench.simulation.running_changed.connect(self._on_running)

    def _on_edited(self, _q: np.ndarray) -> None:
        if not self._own:
            self.stop()

    def _on_running(self, running: bool) -> None:
        if running:
            self.stop()

    def go_to(self, q: np.ndarray, text: str) -> None:
        """Set out for q `(n,)`, within the limits; `text` names the undo step."""
        self.stop()
        bench, robot = self._bench, self._document.robot
        bench.replay.close()
        if bench.simulation.running:
            bench.simulation.pause()
        self._from, self._to = self._document.q, np.clip(q, robot.q_min, robot.q_max)
        self._began, self._gesture, self._text = time.monotonic(), next_gesture(), text
        self.moving = True
        bench.clock.tick.connect(self._on_tick)

    def stop(self) -> None:
        """Stay where the arm is."""
        if self.moving:
            self.moving = False
            self._bench.clock.tick.disconnect(self._on_tick)
            self.ended.emit()

    def _on_tick(self) -> None:
        if self._bench.simulation.running:
            return
        share = min((time.monotonic() - self._began) / DURATION, 1.0)
        q = self._to if share == 1.0 else self._from + eased(share) * (self._to - self._from)
        self._own = True
        try:
            self._document.edit(q, self._gesture, self._text)
        finally:
            self._own = False
        if share == 1.0:
            self.stop()
            self._bench.scene.keep_in_view()
