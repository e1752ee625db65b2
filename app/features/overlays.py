"""Overlays of the 3D view: their units, the size of the frames, and which of them this robot can show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.files import no_masses
from app.overlays import FRAME_SIZES, NEEDS_MASSES

if TYPE_CHECKING:
    from app.main_window import MainWindow


class OverlaysFeature:
    """Follows the preferences; what is shown at all is switched by the window's commands."""

    def __init__(self, window: MainWindow):
        self.panels: dict = {}
        self._window = window

    def connect(self) -> None:
        """Wire the actions, the preferences and the robot."""
        window = self._window
        window.actions_.on("frames_smaller", lambda: self._step(-1))
        window.actions_.on("frames_larger", lambda: self._step(1))
        for size in FRAME_SIZES:
            window.actions_.on(f"frames_{size}", lambda size=size: window.preferences.set(frame_size=size))
        window.preferences.changed.connect(self._on_preference)
        window.document.robot_changed.connect(self._on_robot)
        self._on_preference("frame_size")
        window.preferences.units_changed.connect(window.scene.set_units)
        window.scene.set_units(window.preferences.units)
        self._on_robot(window.document.robot)

    def shut_down(self) -> None:
        """Nothing runs on its own."""

    def _step(self, way: int) -> None:
        place = FRAME_SIZES.index(self._window.preferences.now.frame_size) + way
        if 0 <= place < len(FRAME_SIZES):
            self._window.preferences.set(frame_size=FRAME_SIZES[place])

    def _on_preference(self, field: str) -> None:
        now = self._window.preferences.now
        if field == "frame_size":
            self._window.actions_[f"frames_{now.frame_size}"].setChecked(True)
            self._window.scene.set_frame_size(now.frame_size / 100)

    def _on_robot(self, robot) -> None:
        """A robot without masses has nothing to show of them, and the tooltip says so."""
        for name in NEEDS_MASSES:
            self._window.actions_[f"show_{name}"].setEnabled(robot.has_dynamics)
            self._window.actions_.explain(f"show_{name}", "" if robot.has_dynamics else no_masses(robot.name))
