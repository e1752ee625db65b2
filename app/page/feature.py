"""File ▸ Export ▸ Web page: what the window shows as one HTML file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.feature import Feature
from armature.app.plots.feature import PlotsFeature
from armature.app.state.files import with_format
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.severity import Severity
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.recording.recording import Recording

KIND = "Web page (*.html)"
SUBJECT = "web page"


class PageFeature(Feature):
    """Exports the open recording with its plots, or else the planned trajectory, or else the arm in its pose."""

    needs = (PlotsFeature, TrajectoryFeature)
    commands = block(
        "File/Export",
        1.5,
        Command(
            "export_page",
            "Web page…",
            tip="Export the open recording, or the planned trajectory, or the arm, as one HTML file that opens in any browser",
        ),
    )

    def __init__(self, bench: Workbench, plots: PlotsFeature, trajectory: TrajectoryFeature):
        self._bench, self._plots, self._trajectory = bench, plots, trajectory
        self._runner = JobRunner("page", bench.parent)

    def wire(self) -> None:
        """Wire the command and its thread."""
        self._bench.actions.on("export_page", self._ask)
        self._runner.finished.connect(lambda path: self._tell(Severity.INFO, f"Saved {path}"))
        self._runner.failed.connect(lambda why: self._tell(Severity.ERROR, f"The page could not be saved: {why}"))

    def shut_down(self) -> None:
        """End the export."""
        self._runner.stop()

    def _ask(self) -> None:
        bench = self._bench
        start = Path.home() / f"{bench.document.robot.name}.html"
        path, kind = QFileDialog.getSaveFileName(bench.parent, "Export web page", str(start), KIND)
        if path:
            self.save(with_format(path, kind))

    def save(self, path: Path) -> None:
        """Write the page in the background."""
        bench, preview = self._bench, self._trajectory.model.preview
        robot, cell = bench.document.robot, bench.cell.now
        write = partial(_write, robot=robot, q=bench.document.q.copy(), cell=cell, path=path)
        if bench.replay.recording is not None:
            shown = tuple(dict.fromkeys(pane.signal for pane in self._plots.panel.panes))
            self._runner.start(partial(write, partial(_recorded, bench.replay.recording, shown)))
        elif preview is not None:
            self._runner.start(partial(write, partial(_planned, robot, preview.trajectory)))
        else:
            self._runner.start(partial(write, lambda: (None, "in one pose")))

    def _tell(self, severity: Severity, text: str) -> None:
        self._bench.files.message_about.emit(SUBJECT, severity, text)


def _recorded(recording: Recording, shown: tuple[str, ...]):
    from armature.app.page.page_content import motion_of_recording
    from armature.app.plots.recorded_signals import available, panes

    names = [name for name in shown if name in available(recording)]
    return motion_of_recording(recording, panes(recording, tuple(names) or available(recording))), "recording"


def _planned(robot: engine.Robot, trajectory: engine.Trajectory):
    from armature.app.page.page_content import motion_of_trajectory

    return motion_of_trajectory(robot, trajectory), "trajectory"


def _write(motion_of: Callable[[], tuple], job: Job, *, robot: engine.Robot, q, cell: engine.Cell, path: Path) -> Path:
    from armature.app.page.page_content import content
    from armature.app.page.page_file import write_page
    from armature.engine.files import reason

    motion, what = motion_of()
    try:
        write_page(
            path,
            robot.title,
            what if motion is None else f"{what} of {motion.t[-1] - motion.t[0]:.3g} s",
            content(robot, q, motion, cell, check=job.check),
        )
    except OSError as error:
        raise engine.EngineError(f"{path}: {reason(error)}") from None
    return path
