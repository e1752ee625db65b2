"""`Flight`: the camera's short way from one pose to another, which ends as soon as the user wants another view."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from armature.app.scene.camera.camera import Camera

DURATION = 220  # ms
Pose = tuple[float, ...]


class Flight(QObject):
    """Moves `camera` and calls `repaint`; without a flight under way every method does nothing."""

    def __init__(self, camera: Camera, repaint: Callable[[], None], parent: QObject):
        super().__init__(parent)
        self._camera, self._repaint = camera, repaint
        self._start: Pose = camera.pose()
        self._end: Pose = self._start
        self._motion = QVariantAnimation(self)
        self._motion.setDuration(DURATION)
        self._motion.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.valueChanged.connect(self._on_value)

    @property
    def under_way(self) -> bool:
        """Whether the camera is still on its way."""
        return self._motion.state() == QVariantAnimation.State.Running

    def destination(self) -> Pose:
        """Where the camera will stand."""
        return self._end if self.under_way else self._camera.pose()

    def start(self, start: Pose) -> None:
        """Fly from `start` to where the camera stands now."""
        self._start, self._end = start, self._camera.pose()
        if self._start != self._end:
            self._camera.set_pose(start)
            self._motion.start()

    def finish(self) -> None:
        """Be at the end now."""
        if self.under_way:
            self._motion.stop()
            self._camera.set_pose(self._end)
            self._repaint()

    def stop(self) -> None:
        """Stay where the camera is now."""
        self._motion.stop()

    def _on_value(self, part: float) -> None:
        if self.under_way:
            self._camera.set_pose(between(self._start, self._end, part))
            self._repaint()


def between(start: Pose, end: Pose, part: float) -> Pose:
    """The pose after `part` (0 to 1) of the way: the nearer way around, zooming evenly."""
    turn = (end[0] - start[0] + 180.0) % 360.0 - 180.0
    azimuth = (start[0] + part * turn + 180.0) % 360.0 - 180.0
    straight = [(1 - part) * a + part * b for a, b in zip(start[1:5], end[1:5], strict=True)]
    return azimuth, *straight, exp((1 - part) * log(start[5]) + part * log(end[5]))
