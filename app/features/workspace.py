"""The workspace: sampled in the background, shown as it grows, measured, cut open, clicked and exported."""

from __future__ import annotations

import time
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

import engine
from app.jobs import JobRunner
from app.panels.workspace import WorkspacePanel, volume_words
from app.scene import palette
from app.scene.reach_picture import STYLES, Cut, reach_picture

if TYPE_CHECKING:
    from app.main_window import MainWindow

QUANTITIES = {
    "manipulability": "Manipulability",
    "sigma_min": "Smallest singular value",
    "inverse_condition": "Inverse condition number",
    "density": "Density of poses",
    "dexterity": "Directions reached, share",
    "limit_distance": "Distance to joint limits",
    "gravity_load": "Gravity torque, % of the limit",
    "payload": "Payload capacity, kg",
}
GROWTH = 0.25  # s between two pictures while it grows
NEAR = 8.0  # pixels between a click and the point it means
EXPORTS = "Points (*.npz *.csv);;Boundary (*.ply *.stl)"


class WorkspaceFeature(QObject):
    """One runner samples, one draws what is looked at, one measures: the latest request of each wins."""

    def __init__(self, window: MainWindow):
        super().__init__(window)
        self._window = window
        self.panel = WorkspacePanel(QUANTITIES, STYLES, palette.SURFACES)
        self.panels = {"workspace": self.panel}
        self.space: engine.Workspace | None = None
        self._growing: tuple | None = None
        self.runner, self.painter = JobRunner("workspace", self), JobRunner("workspace-picture", self)
        self.measurer, self.exporter = JobRunner("workspace-volume", self), JobRunner("workspace-export", self)
        self.finder = JobRunner("workspace-click", self)
        self._measure_later = QTimer(self, singleShot=True, interval=0)
        self._measure_later.timeout.connect(self._measure)

    def connect(self) -> None:
        """Wire panel, runners, scene and document."""
        panel, window = self.panel, self._window
        panel.compute_asked.connect(self._compute)
        panel.cancel_asked.connect(self.runner.finish_early)
        panel.clear_asked.connect(self.clear)
        panel.look.export_asked.connect(self._ask_export)
        panel.look.changed.connect(self._draw)
        self.runner.busy_changed.connect(panel.show_busy)
        self.runner.progressed.connect(self._on_progress)
        self.runner.finished.connect(self._on_finished)
        self.runner.failed.connect(self._on_failed)
        self.painter.finished.connect(self._show)
        self.measurer.finished.connect(lambda volume: panel.show_volume(volume_words(volume) if volume else ""))
        self.exporter.finished.connect(lambda path: window.banner.show_message("info", f"Saved {path}"))
        self.exporter.failed.connect(lambda text: window.banner.show_message("error", text))
        self.finder.finished.connect(self._go_to)
        window.scene.beside_clicked.connect(self._on_click)
        window.document.robot_changed.connect(self._on_robot)
        self._on_robot(window.document.robot)

    def shut_down(self) -> None:
        """End every thread."""
        self._measure_later.stop()
        for runner in (self.runner, self.painter, self.measurer, self.exporter, self.finder):
            runner.stop()

    def clear(self) -> None:
        """Drop what is shown and any computation under way."""
        for runner in (self.runner, self.painter, self.measurer, self.finder):
            runner.cancel()
        self.space = self._growing = None
        self.panel.show_nothing()
        self._window.scene.clear_workspace()

    def export(self, path: str) -> None:
        """Write the workspace to a file of the kind its suffix says."""
        if self.space is not None:
            self.exporter.start(lambda _, space=self.space: engine.save_workspace(space, path))

    def _on_robot(self, robot) -> None:
        self.clear()
        self.panel.sampling.set_joints(robot.joint_names)

    def _compute(self) -> None:
        panel, document = self.panel, self._window.document
        fields = panel.sampling
        joints = fields.chosen_joints()
        if joints == []:
            panel.show_nothing("Choose at least one joint that moves.")
            return
        self.measurer.cancel()
        panel.show_volume("")
        what = {"quantity": fields.quantity.currentData(), "seed": fields.seed.value(), "limits": fields.limits.isChecked()}
        what |= {"samples": fields.samples.value(), "joints": joints, "q": document.q}
        self.runner.start(partial(self._sample, document.robot, what, self._look()))

    def _sample(self, robot, what: dict, look: tuple, job):
        """In the runner's thread."""
        last = time.monotonic()

        def grown(space):
            nonlocal last
            if time.monotonic() - last > GROWTH:
                self._growing = _drawn(space, look, job)
                last = time.monotonic()

        return engine.workspace(robot, progress=job.progress, cancel=job.cancelled, partial=grown, **what)

    def _look(self) -> tuple[str, Cut]:
        return self.panel.look.style_choice.currentData(), Cut(*self.panel.look.cut)

    def _on_progress(self, done: int, total: int) -> None:
        self.panel.show_progress(done, total)
        if self._growing is not None and not self._window.actions_["show_workspace"].isChecked():
            self._window.actions_["show_workspace"].setChecked(True)
        growing, self._growing = self._growing, None
        if growing is not None:
            self._show(growing)

    def _on_finished(self, space) -> None:
        self._growing = None
        self.space = space if len(space.points) else None
        self.panel.show_result(len(space.points), space.complete)
        self._window.actions_["show_workspace"].setChecked(True)
        self._draw()
        self._measure_later.start()

    def _on_failed(self, text: str) -> None:
        self.clear()
        self.panel.show_nothing(text)
        self._window.banner.show_message("error", text)

    def _draw(self) -> None:
        if self.space is not None:
            self.painter.start(partial(_drawn, self.space, self._look()))

    def _show(self, drawn: tuple) -> None:
        quantity, picture = drawn
        self._window.scene.show_workspace(picture)
        self.panel.show_legend(quantity, picture.low, picture.high)
        self.panel.show_left_out(len(picture.records), picture.left_out)

    def _measure(self) -> None:
        if self.space is not None:
            self.panel.show_volume("Measuring…")
            self.measurer.start(partial(_measured, self.space))

    def _ask_export(self) -> None:
        name = f"{self._window.document.robot.name}_workspace.npz"
        start = str(Path(self._window.preferences.now.recording_folder or Path.home()) / name)
        path, _ = QFileDialog.getSaveFileName(self._window, "Export workspace", start, EXPORTS)
        if path:
            self.export(path if Path(path).suffix else f"{path}.npz")

    def _on_click(self, x: float, y: float) -> None:
        window = self._window
        if self.space is None or not window.scene.overlay("workspace") or window.simulation.running:
            return
        camera, kept = window.scene.camera, self._look()[1]
        self.finder.start(partial(_nearest, self.space, kept, copy(camera).project, np.array([x, y])))

    def _go_to(self, q) -> None:
        if q is not None and len(q) == self._window.document.robot.n:
            self._window.recordings.close_replay()
            self._window.document.edit(q, text="point of the workspace")


def _drawn(space, look: tuple, _job) -> tuple:
    """What is coloured, and the picture."""
    return space.quantity, reach_picture(space, *look)


def _measured(space, job):
    """Its volume or area; None of what reaches along a line only."""
    return engine.reach_volume(space, cancel=job.cancelled) if len(space.axes) >= 2 else None


def _nearest(space, cut: Cut, project, at: np.ndarray, _job) -> np.ndarray | None:
    """The q behind the sample that a click means: of those within some pixels the one nearest to the eye."""
    seen = project(space.points)
    off = np.hypot(seen[:, 0] - at[0], seen[:, 1] - at[1])
    off[~cut.keeps(space.points, *space.ends) | ~np.isfinite(off)] = np.inf
    near = np.flatnonzero(off < NEAR)
    return space.q[near[np.argmin(seen[near, 2])]] if len(near) else None
