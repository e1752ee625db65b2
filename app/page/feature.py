"""File ▸ Export ▸ Web page: what the window shows as one HTML file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.feature import Feature
from armature.app.plots.feature import PlotsFeature
from armature.app.plots.plot_signals import Drawn, RecordingSource, title
from armature.app.plots.recorded_signals import Pane
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.state.files import with_format
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.severity import Severity
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.page.page_content import PageMotion, SecondOnPage
    from armature.app.state.units import Units
    from armature.app.workbench import Workbench
    from armature.engine.recording.recording import Recording

KIND = "Web page (*.html)"
SUBJECT = "web page"
SecondOfPage = Callable[["PageMotion | None", Callable[[], None]], "SecondOnPage"]


class PageRequest(NamedTuple):
    """A page of a robot; `motion()` returns its motion, and `content` has the other arguments of the function of that name.

    `second(motion, check)` returns the second arm; `check` may raise to cancel.
    """

    title: str
    robot: engine.Robot
    kind: str
    motion: Callable[[], PageMotion] | None
    content: dict[str, Any]
    second: SecondOfPage | None = None


class PageFeature(Feature):
    """Exports the open recording with its plots, or else the planned trajectory, or else the arm in its pose.

    `second()` returns a function that adds a second arm to a page, None without one.
    """

    needs = (PlotsFeature, TrajectoryFeature, ReplayToolsFeature)
    commands = block(
        "File/Export",
        1.5,
        Command(
            "export_page",
            "Web page…",
            tip="Export the open recording, or the planned trajectory, or the arm, as one HTML file that opens in any browser",
        ),
    )

    def __init__(self, bench: Workbench, plots: PlotsFeature, trajectory: TrajectoryFeature, recordings: ReplayToolsFeature):
        self._bench, self._plots, self._trajectory, self._recordings = bench, plots, trajectory, recordings
        self._runner, self._scripted = JobRunner("page", bench.parent), JobRunner("page-of-script", bench.parent)
        self.second: Callable[[], SecondOfPage | None] = lambda: None

    def wire(self) -> None:
        """Wire the command, its thread and the orders of scripts."""
        self._bench.actions.on("export_page", self._ask)
        self._bench.files.page_requested.connect(self._answer)
        self._runner.finished.connect(self._saved)
        self._runner.failed.connect(lambda why: self._tell(Severity.ERROR, f"The page could not be saved: {why}"))

    def shut_down(self) -> None:
        """End the export."""
        self._runner.stop()
        self._scripted.stop()

    def _ask(self) -> None:
        bench = self._bench
        start = Path.home() / f"{bench.document.robot.name}.html"
        path, kind = QFileDialog.getSaveFileName(bench.parent, "Export web page", str(start), KIND)
        if path:
            self.save(with_format(path, kind))

    def save(self, path: Path) -> None:
        """Write the page in the background."""
        self._runner.start(partial(_write, path, self._request()))

    def _answer(self, path: Path, answer: Callable[[str], None]) -> None:
        self._scripted.start(partial(_write, path, self._request()), lambda _: answer(""), answer)

    def _request(self) -> PageRequest:
        return self._of_first()._replace(second=self.second())

    def _of_first(self) -> PageRequest:
        bench, preview = self._bench, self._trajectory.model.preview
        robot, recording = bench.cell.contact_arm(bench.document.robot), bench.replay.recording
        content = {"cell": bench.cell.now, "hidden": bench.cell.hidden, "notes": bench.state.notes, "q": bench.document.q.copy()}
        if recording is not None:
            panes = [(pane.signal, pane.mode) for pane in self._plots.panel.panes]
            motion = partial(_recorded, recording, robot, panes, bench.preferences.units)
            files = self._recordings.files
            return PageRequest(files[0].stem if files else robot.title, robot, "recording", motion, content)
        if (payload := bench.simulation.payload) is not None:
            robot = payload.held_by(robot)
        if preview is not None:
            return PageRequest(robot.title, robot, "trajectory", partial(_planned, robot, preview.trajectory), content)
        return PageRequest(robot.title, robot, "", None, content)

    def _saved(self, path: Path | None) -> None:
        if path is not None:  # not cancelled
            self._tell(Severity.INFO, f"Saved {path}")

    def _tell(self, severity: Severity, text: str) -> None:
        self._bench.files.message_about.emit(SUBJECT, severity, text)


def _recorded(recording: Recording, robot: engine.Robot, plots: list[tuple[str, str]], units: Units) -> PageMotion:
    """The motion of a recording with the curves of plots, each a signal and a mode."""
    from armature.app.page.page_content import motion_of_recording

    source, panes = RecordingSource(recording, "", robot, thin=False), []
    drawn = Drawn(robot, units, ("",), (True,) * robot.n)
    for signal, mode in plots:
        if curves := [one for one in drawn.curves(source, signal, mode, -np.inf, 0, "") if one.timed]:
            names = tuple(f"{name}, {one.source}" if one.source else name for one in curves for name in one.names)
            panes.append(Pane(title(signal, mode, robot, units), "", names, np.hstack([one.y for one in curves])))
    return motion_of_recording(recording, robot, panes)


def _planned(robot: engine.Robot, trajectory: engine.Trajectory) -> PageMotion:
    from armature.app.page.page_content import motion_of_trajectory

    return motion_of_trajectory(robot, trajectory)


def _write(path: Path, request: PageRequest, job: Job) -> Path:
    from armature.app.page.page_content import content
    from armature.app.page.page_file import write_page
    from armature.engine.files import reason

    motion = None if request.motion is None else request.motion()
    what = "" if motion is None else f", {request.kind} of {np.ptp(motion.t):.3g} s"
    second = None if request.second is None else request.second(motion, job.check)
    data = content(request.robot, motion=motion, check=job.check, second=second, **request.content)
    try:
        write_page(path, request.title, f"{request.robot.title}{what}", data)
    except OSError as error:
        raise engine.EngineError(f"{path}: {reason(error)}") from None
    return path
