"""`OwnTrajectory`: a trajectory that the user wrote as a function of time, opened by its file and planned when it is saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from armature.app.state.own_code.code_file import CodeFile
from armature.app.state.severity import Severity
from armature.app.trajectory.trajectory_draft import Draft
from armature.app.trajectory.trajectory_model import TrajectoryModel
from armature.app.trajectory.trajectory_preview import Preview, previewed
from armature.app.widgets.parameter_rows import ParameterRows
from armature.engine.control.own_law.law_parameters import Parameter

if TYPE_CHECKING:
    from armature.app.state.jobs import Job
    from armature.app.workbench import Workbench
    from armature.engine import Robot
    from armature.engine.control.own_law.host.user_code_host import UserCodeHost


PLAN_EVERY = 150  # ms between two values of a slider that is dragged


class OwnTrajectory(QObject):
    """Replaces the waypoints: opening a file empties the draft, and the first waypoint closes the file."""

    def __init__(self, bench: Workbench, model: TrajectoryModel, rows: ParameterRows):
        super().__init__(bench.parent)
        self._bench, self._model, self._rows = bench, model, rows
        rows.changed.connect(self._set_values)
        self._parameters: dict[str, Parameter] = {}
        self._file = CodeFile("own-trajectory", self._planned, self)
        self._set_by_hand: dict[str, float] = {}  # the other parameters follow the file
        self._planning = QTimer(self, singleShot=True, interval=PLAN_EVERY)
        self._planning.timeout.connect(self._file.again)
        self._file.made.connect(self._on_made)
        self._file.failed.connect(lambda why: model.report(f"In {self._short(why)}"))

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
        if self._model.draft.waypoints:
            self._model.edit(Draft(), "trajectory function")
        if path.absolute() != self._file.path:
            self._set_by_hand = {}
        self._file.open(path, self._bench.document.robot)
        self._model.function_name = path.name
        self._model.report(f"Planning {path.name}…", Severity.INFO)

    def forget(self) -> None:
        """Waypoints, or another arm."""
        self._planning.stop()
        self._file.forget()
        self._model.function = None
        self._rows.show_parameters({}, {})

    def stop(self) -> None:
        """End its processes."""
        self._planning.stop()
        self._file.stop()

    def _on_made(self, found: Preview) -> None:
        origin = found.trajectory.origin
        if found.robot is self._bench.document.robot and origin is not None:
            if not self._planning.isActive():  # else with values that a slider has left since
                self._parameters = {name: Parameter(*figures) for name, figures in origin["parameters"].items()}
                self._rows.show_parameters(self._parameters, origin["values"])
            self._model.take_function(found)

    def _set_values(self, values: dict[str, float]) -> None:
        """Plan with other values of its parameters."""
        self._set_by_hand = {name: value for name, value in values.items() if value != self._parameters[name].start}
        if not self._planning.isActive():
            self._planning.start()

    def _short(self, text: str) -> str:
        path = self._file.path
        return text if path is None else text.replace(str(path), path.name)

    def _planned(self, host: UserCodeHost, path: Path, robot: Robot, job: Job) -> Preview | None:
        return previewed(robot, host.trajectory(path, robot, self._set_by_hand), 0, job.cancelled)
