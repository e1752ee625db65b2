"""The poses of the robot: those of its file and those a person saved, in the menu Pose."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from armature.app.feature import Feature
from armature.app.joints.poses_dialog import PosesDialog
from armature.app.joints.saved_poses import SavedPoses
from armature.app.widgets.actions import Command

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench


class PosesFeature(Feature):
    """Fills the menu and takes the arm to what is chosen there."""

    commands = (Command("save_pose", "Save, rename or delete poses…", "", ("Ctrl+Alt+S",), "Manage your saved poses"),)

    def __init__(self, bench: Workbench):
        self._bench = bench
        self.saved = SavedPoses(bench.document, bench.preferences, bench.parent)
        self._dialog: PosesDialog | None = None

    def wire(self) -> None:
        """Follow the robot and its saved poses."""
        self._bench.actions.on("save_pose", self._open)
        self.saved.changed.connect(self._fill)

    def set_robot(self, robot) -> None:
        """Other poses."""
        self._fill()
        if self._dialog is not None:
            self._dialog.show_poses()

    def shut_down(self) -> None:
        """Nothing stays open."""
        if self._dialog is not None:
            self._dialog.close()

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Saved poses of the open robot."""
        return {"poses": {name: q.tolist() for name, q in self.saved.now.items()}}

    def open_session(self, file: SessionFile) -> None:
        """Add the saved poses of the session."""
        self.saved.add(file.poses)

    def _fill(self) -> None:
        menu, saved = self._bench.poses, self.saved.now
        menu.clear()
        for poses in (self._bench.document.robot.configurations, saved):
            for name in poses:
                action = menu.addAction(name.replace("&", "&&"))
                action.setObjectName(f"action_pose_{name}")
                action.triggered.connect(partial(self.go_to, name))
            menu.addSeparator()
        menu.addAction(self._bench.actions["save_pose"])

    def go_to(self, name: str, _checked: bool = False) -> None:
        """Take the arm to one of its poses."""
        bench = self._bench
        poses: dict[str, np.ndarray] = {**self.saved.now, **bench.document.robot.configurations}
        bench.replay.close(f"the arm was moved to its pose {name}")
        if bench.simulation.running:
            bench.simulation.pause()
        bench.document.edit(poses[name], text=f"pose {name}")
        bench.scene.keep_in_view()

    def _open(self) -> None:
        if self._dialog is None:
            self._dialog = PosesDialog(self.saved, self._bench.parent)
            self._dialog.wanted.connect(self.go_to)
        self._dialog.begin()
