"""`TrajectoryFiles`: opens, loads and saves drafts as trajectory files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.state.recognised_file import robot_named_in
from armature.app.state.severity import Severity
from armature.app.trajectory.trajectory_draft import Draft, draft_of
from armature.app.trajectory.trajectory_model import RetainedDraft, TrajectoryModel

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

FILTER = "Trajectories (*.toml);;All files (*)"


class TrajectoryFiles:
    """A file that cannot be read changes nothing. `on_opened()` is called when a file was opened for its trajectory."""

    def __init__(self, bench: Workbench, model: TrajectoryModel, on_opened: Callable[[], None]):
        self._bench, self._model, self._on_opened = bench, model, on_opened

    def load(self, path: str) -> None:
        """Replace the draft by the trajectory of a file for the open robot."""
        self.take(lambda: draft_of(engine.load_plan(path, self._model.robot)), "load trajectory")

    def take(self, make: Callable[[], Draft], text: str) -> None:
        """Replace the draft by `make()`, or show its EngineError."""
        banner = self._bench.banner
        try:
            draft = make()
        except engine.EngineError as error:
            banner.show_message(Severity.ERROR, str(error), subject="trajectory")
            return
        for subject in ("open", "trajectory"):
            banner.settle(subject)
        self._model.take(draft, text)

    def open(self, path: Path) -> None:
        """Open the robot that a trajectory file is for, and show the trajectory."""
        files, robot = self._bench.files, self._model.robot
        files.give_up()
        maker = robot_named_in(path)
        if maker != robot.name and maker in engine.shipped_robots():
            files.reader.read(maker, lambda robot, _: self._open_for(robot, maker, path))
        else:
            self._open_for(robot, maker, path)

    def _open_for(self, robot: engine.Robot, maker: str, path: Path) -> None:
        files = self._bench.files
        try:
            if maker not in ("", robot.name):
                raise engine.TrajectoryError(f"{path.name}: was made for {maker}, not for {robot.name}; open that robot first")
            draft = draft_of(engine.load_plan(path, robot))
        except engine.EngineError as error:
            files.message_about.emit("open", Severity.ERROR, f"This trajectory cannot be opened: {error}")
            return
        if robot is not self._model.robot:
            files.leave(lambda: self._open_on(robot, draft, path))
        else:
            self._open_on(robot, draft, path)

    def _open_on(self, robot: engine.Robot, draft: Draft, path: Path) -> None:
        if robot is not self._model.robot:
            self._bench.document.set_robot(robot)
        self.take(lambda: draft, "open trajectory")
        self._bench.preferences.add_recent(str(path.resolve()))
        self._on_opened()

    def ask_load(self) -> None:
        """Prompt for a file and load it."""
        path, _ = QFileDialog.getOpenFileName(self._bench.parent, "Load trajectory", str(Path.home()), FILTER)
        if path:
            self.load(path)

    def ask_save(self, kept: RetainedDraft | None = None, then: Callable[[], None] = lambda: None) -> None:
        """Prompt for a file name, save the draft of the open robot or the one given, and call `then`."""
        robot, draft = (kept.robot, kept.draft) if kept is not None else (self._model.robot, self._model.draft)
        name = draft.name if draft.name != Draft().name else f"{robot.name} {draft.name}"
        start = str(Path.home() / f"{name}.toml")
        path, _ = QFileDialog.getSaveFileName(self._bench.parent, "Save trajectory", start, FILTER)
        if path:
            self.save(path if Path(path).suffix else f"{path}.toml", kept, then)

    def save(self, path: str, kept: RetainedDraft | None = None, then: Callable[[], None] = lambda: None) -> None:
        """Write the draft of the open robot, or the one given, and call `then` if that succeeds."""
        robot, draft = (kept.robot, kept.draft) if kept is not None else (self._model.robot, self._model.draft)
        try:
            engine.save_plan(draft.plan(robot.name), path)
        except engine.EngineError as error:
            self._bench.banner.show_message(Severity.ERROR, str(error), subject="trajectory")
            return
        self._model.mark_saved(draft)
        self._bench.banner.show_message(Severity.INFO, f"Saved {path}", subject="trajectory")
        then()
