"""File ▸ Export ▸ Robot: the open arm as a URDF, a MuJoCo model or a robot file, and what that cannot hold."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMessageBox

from armature import engine
from armature.app.feature import Feature
from armature.app.state.files import with_format
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

KINDS = ("URDF (*.urdf)", "MuJoCo model (*.xml)", "Robot file (*.toml)")
SUBJECT = "export robot"


class ExportRobotFeature(Feature):
    """Asks for a file, writes it beside the window, and tells what is lost."""

    commands = block(
        "File/Export",
        0.5,
        Command("export_robot", "Robot…", "", (), "Export the current arm as a URDF, a MuJoCo model or a robot file"),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench
        self._runner = JobRunner("export", bench.parent)

    def wire(self) -> None:
        """Wire the command and its thread."""
        self._bench.actions.on("export_robot", self._ask)
        self._runner.finished.connect(self._on_written)
        self._runner.failed.connect(lambda why: self._tell(Severity.ERROR, f"The robot could not be exported: {why}"))

    def shut_down(self) -> None:
        """Wait for what is being written."""
        self._runner.stop()

    def _ask(self) -> None:
        bench = self._bench
        start = bench.files.own_robot_folder() / f"{bench.document.robot.name}.urdf"
        folder = start.parent if start.parent.is_dir() else Path.home()
        path, kind = QFileDialog.getSaveFileName(bench.parent, "Export robot", str(folder / start.name), ";;".join(KINDS))
        if path:
            self.save(with_format(path, kind))

    def save(self, path: Path) -> None:
        """Write the open arm."""
        self._runner.start(partial(_write, self._bench.document.robot, path))

    def _on_written(self, written: tuple[Path, tuple[str, ...]]) -> None:
        path, losses = written
        if not losses:
            self._tell(Severity.INFO, f"Saved {path}")
            return
        self._tell(Severity.INFO, f"Saved {path}; the format cannot represent the whole robot.")
        box = QMessageBox(QMessageBox.Icon.Information, "Export robot", f"{path.name} was saved.", parent=self._bench.parent)
        box.setObjectName("export_losses")
        box.setInformativeText("Not included in this format:\n\n" + "\n\n".join(f"• {sentence}" for sentence in losses))
        box.finished.connect(box.deleteLater)
        box.open()

    def _tell(self, severity: Severity, text: str) -> None:
        self._bench.files.message_about.emit(SUBJECT, severity, text)


def _write(robot: engine.Robot, path: Path, job: Job) -> tuple[Path, tuple[str, ...]]:
    from armature.engine.model.toml.toml_kind import companion_of

    beside = companion_of(path)
    if path.suffix.lower() == ".urdf" and beside.exists() and not path.exists():  # this one was not confirmed
        raise engine.ModelError(f"{beside}, which is written with the URDF, already exists; choose another name")
    return path, engine.save_robot(robot, path)
