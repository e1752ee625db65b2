"""`OwnTrajectory`: a trajectory that somebody wrote as a function of time, opened by its file and planned when it is saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from armature.app.state.own_code.code_file import CodeFile
from armature.app.trajectory.trajectory_draft import Draft, TrajectoryDraft
from armature.app.trajectory.trajectory_preview import Preview, previewed

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class OwnTrajectory(QObject):
    """Stands in place of waypoints: the draft is emptied, and the first waypoint puts it away.

    Tells `reading(words)`, then `found(preview)` or `failed(why)`.
    """

    reading = Signal(str)
    found = Signal(object)
    failed = Signal(str)

    def __init__(self, bench: Workbench, draft: TrajectoryDraft):
        super().__init__(bench.parent)
        self._bench, self._draft = bench, draft
        self._file = CodeFile("own-trajectory", _planned, self)
        self._file.made.connect(self._on_made)
        self._file.failed.connect(lambda why: self.failed.emit(f"In {self._short(why)}"))

    @property
    def name(self) -> str:
        """Of the file, empty for none."""
        return self._file.path.name if self._file.path is not None else ""

    def ask(self) -> None:
        """Let a person choose a file, which is the consent to run it."""
        folder = self._file.path.parent if self._file.path is not None else self._bench.files.recording_folder()
        path, _ = QFileDialog.getOpenFileName(
            self._bench.parent, "Open trajectory function", str(folder), "Trajectory function (*.py)"
        )
        if path:
            self.open(Path(path))

    def open(self, path: Path) -> None:
        """Plan what this file gives, now and whenever it is saved."""
        if self._draft.now.waypoints:
            self._draft.edit(Draft(), "trajectory function")
        self._file.open(path, self._bench.document.robot)
        self.reading.emit(f"Planning {self.name}…")

    def forget(self) -> None:
        """Waypoints, or another arm."""
        self._file.forget()

    def stop(self) -> None:
        """End its processes."""
        self._file.stop()

    def _on_made(self, found: Preview) -> None:
        if found.robot is self._bench.document.robot:
            self.found.emit(found)

    def _short(self, text: str) -> str:
        path = self._file.path
        return text if path is None else text.replace(str(path), path.name)


def _planned(host, path: Path, robot, job) -> Preview | None:
    return previewed(robot, host.trajectory(path, robot), 0, job)
