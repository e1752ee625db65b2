"""`CameraCanvas`: the GL widget and the ways to look at what it shows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStyle

from armature.app.scene.gl.gl_canvas import GLCanvas  # isort: skip  (settles which window system PyOpenGL talks to)
from armature.app.scene.camera.camera import STANDARD_VIEWS
from armature.app.scene.camera.camera_flight import Flight


class CameraCanvas(GLCanvas):
    """`view_chosen` tells that the user chose a view. With `glides`, the camera flies to views chosen by name."""

    view_chosen = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self.glides = False
        self.is_fitted = False
        self.flight = Flight(self.camera, self.update, self)

    @abstractmethod
    def points_to_frame(self) -> tuple[np.ndarray, float]:
        """Points `(N, 3)` in W that `fit` brings into view, and the margin around them; none while nothing is shown."""

    def fit(self) -> None:
        """Bring into view what is shown, or the selected part of it; it stays fitted when the window's size changes."""
        self._fly(self._frame)
        self.is_fitted = True
        self.view_chosen.emit()

    def keep_in_view(self) -> None:
        """Fit once more where the view is fitted and some of what it shows is out of the picture now."""
        points, _ = self.points_to_frame()
        if not self.is_fitted or not len(points):
            return
        self.match_camera()
        x, y, _ = self.camera.project(points).T
        if not np.all((x >= 0) & (x <= self.camera.width) & (y >= 0) & (y <= self.camera.height)):
            self._fly(self._frame)

    def frame_around(self, centre: np.ndarray, radius: float) -> None:
        """Bring a ball in W into the middle of the view, in m; the direction stays."""
        self.match_camera()
        corners = centre + radius * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        self._fly(lambda: self.camera.frame(corners, 1.0))
        self.is_fitted = False
        self.view_chosen.emit()

    def standard_view(self, name: str) -> None:
        """Look from one of STANDARD_VIEWS: front, back, left, right, top, bottom, iso."""
        if name not in STANDARD_VIEWS:
            raise ValueError(f"no view {name!r}; valid are {', '.join(STANDARD_VIEWS)}")
        self._fly(lambda: self.camera.look_from(name))
        self.view_chosen.emit()

    def chosen_view(self) -> tuple[float, ...]:
        """Azimuth and elevation in degrees of a fitted view, of another one all of `camera.pose()`."""
        pose = self.flight.destination()
        return pose[:2] if self.is_fitted else pose

    def recall_view(self, view: tuple[float, ...]) -> None:
        """Look at once as `chosen_view` said."""
        self.flight.stop()
        self.camera.set_pose((*view, *self.camera.pose()[len(view) :]))
        self.is_fitted = len(view) == 2
        if self.is_fitted:
            self._frame()
        self.update()

    def set_orthographic(self, on: bool) -> None:
        """Parallel rays instead of perspective; what is as far as the target keeps its size."""
        self.camera.orthographic = bool(on)
        if self.is_fitted:
            self._frame()
        self.update()

    def camera_moved(self) -> None:
        """The user chose a view: resizing the window no longer fits the arm into it."""
        self.is_fitted = False
        self.view_chosen.emit()
        self.update()

    def orbit(self, azim: float, elev: float) -> None:
        """Turn the camera around its target by so many degrees."""
        self.flight.stop()
        self.camera.orbit(azim, elev)
        self.camera_moved()

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by so many pixels."""
        self.flight.stop()
        self.camera.pan(dx, dy)
        self.camera_moved()

    def zoom(self, x: float, y: float, factor: float) -> None:
        """Scale the distance to what lies under a pixel, which stays there."""
        self.flight.stop()
        self.camera.zoom_about(self.point_under(x, y), factor)
        self.camera_moved()

    @abstractmethod
    def point_under(self, x: float, y: float) -> np.ndarray:
        """The point `(3,)` in W under a pixel."""

    def resizeGL(self, width: int, height: int) -> None:
        if self.is_fitted:
            self.flight.stop()
            self._frame()
            self.update()

    def hideEvent(self, event) -> None:
        self.flight.finish()
        super().hideEvent(event)

    def _frame(self) -> None:
        points, margin = self.points_to_frame()
        if len(points):
            self.match_camera()
            self.camera.frame(points, margin)

    def _fly(self, change: Callable[[], None]) -> None:
        """Change the camera; where it glides, from what is seen now."""
        seen = self.camera.pose()
        self.flight.finish()
        change()
        # Desktops that are set to less motion tell widgets to animate for 0 ms.
        if self.glides and self.isVisible() and self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0:
            self.flight.start(seen)
        self.update()
