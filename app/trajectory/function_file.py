"""`FunctionFile`: a Python file that defines a trajectory as a function of time, planned whenever it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from armature.app.state.evented import on
from armature.app.state.own_code.code_file import CodeFile
from armature.app.state.severity import Severity
from armature.app.trajectory.trajectory_draft import Draft
from armature.app.trajectory.trajectory_model import TrajectoryFunction, TrajectoryModel
from armature.app.trajectory.trajectory_preview import Preview, previewed
from armature.engine.control.own_law.law_parameters import Parameter

if TYPE_CHECKING:
    from armature.app.state.jobs import Job
    from armature.app.widgets.parameter_rows import ParameterRows
    from armature.app.workbench import Workbench
    from armature.engine import Robot
    from armature.engine.control.own_law.host.user_code_host import UserCodeHost

PLAN_EVERY = 150  # ms between two values of a slider that is dragged


class FunctionFile(QObject):
    """Replaces the waypoints: opening a file empties the draft, and the first waypoint closes the file."""

    def __init__(self, bench: Workbench, model: TrajectoryModel, rows: ParameterRows):
        super().__init__(bench.parent)
        self._bench, self._model, self._rows = bench, model, rows
        self._file = CodeFile("own-trajectory", self._planned, self)
        self._set_by_hand: dict[str, float] = {}  # the other parameters follow the file
        self._planning = QTimer(self, singleShot=True, interval=PLAN_EVERY)

    def wire(self) -> None:
        """Follow the file and the sliders of its parameters."""
        self._rows.changed.connect(self._set_values)
        self._planning.timeout.connect(self._file.again)
        self._file.made.connect(self._on_made)
        self._file.failed.connect(lambda why: self._model.report(f"In {self._short(why)}"))
        self._bench.views.bind(self._show_parameters, on(self._model, "function"))

    def ask(self) -> None:
        """Prompt for a file; choosing it is the consent to run it."""
        folder = self._file.path.parent if self._file.path is not None else self._bench.files.recording_folder()
        path, _ = QFileDialog.getOpenFileName(
            self._bench.parent, "Open trajectory function", str(folder), "Trajectory function (*.py)"
        )
        if path:
            self.open(Path(path))

    def open(self, path: Path, values: Mapping[str, float] | None = None) -> None:
        """Plan the trajectory of a file, now and whenever it is saved, with these values of its parameters."""
        if self._model.draft.waypoints:
            self._model.edit(Draft(), "trajectory function")
        if path.absolute() != self._file.path or values is not None:
            self._set_by_hand = dict(values or {})
        self._file.open(path, self._model.robot)
        self._model.report(f"Planning {path.name}…", Severity.INFO)

    def session_code(self) -> tuple[Path, dict[str, float]] | None:
        """File of the function and parameter values that the user set, None without one."""
        return None if self._file.path is None else (self._file.path, dict(self._set_by_hand))

    def close(self) -> None:
        """Close the file, because there are waypoints or another robot."""
        self._planning.stop()
        self._file.forget()
        self._model.function = None

    def shut_down(self) -> None:
        """End the processes that run the file."""
        self._planning.stop()
        self._file.stop()

    def _on_made(self, preview: Preview) -> None:
        origin, path, before = preview.trajectory.origin, self._file.path, self._model.function
        if preview.robot is self._model.robot and origin is not None and path is not None:
            parameters = {name: Parameter(*numbers) for name, numbers in origin["parameters"].items()}
            function = TrajectoryFunction(path.name, preview, parameters, origin["values"])
            if self._planning.isActive() and before is not None:  # a slider has moved on since
                function = replace(function, parameters=before.parameters, values=before.values)
            self._model.take_function(function)

    def _set_values(self, values: dict[str, float]) -> None:
        function = self._model.function
        if function is not None:
            self._model.function = replace(function, values=values)
            self._set_by_hand = {k: value for k, value in values.items() if value != function.parameters[k].start}
            if not self._planning.isActive():
                self._planning.start()

    def _show_parameters(self) -> None:
        function = self._model.function
        self._rows.show_parameters(*(({}, {}) if function is None else (function.parameters, function.values)))

    def _short(self, text: str) -> str:
        path = self._file.path
        return text if path is None else text.replace(str(path), path.name)

    def _planned(self, host: UserCodeHost, path: Path, robot: Robot, job: Job) -> Preview | None:
        return previewed(robot, host.trajectory(path, robot, self._set_by_hand), 0, job.cancelled)
