"""The workspace: sampled in the background, shown as it grows, measured, cut open, clicked and exported."""

from __future__ import annotations

import time
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.feature import Feature
from armature.app.scene.gl import palette
from armature.app.scene.overlays.workspace.cut import Cut
from armature.app.scene.overlays.workspace.reach_picture import STYLES, reach_picture
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.severity import Severity
from armature.app.widgets.dock import RIGHT, Dock
from armature.app.workspace.panel import SAMPLING, WorkspacePanel, reach_words
from armature.engine.simulation.live.mailbox import Mailbox

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench
    from armature.engine.kinematics.obstacles import Obstacles


class CloudVisibility(QObject):
    """Switches the overlay off when the dock closes, as with another perspective, and on again when it opens.

    An overlay that the user switches on while the dock is closed stays on until it is switched off.
    """

    def __init__(self, bench: Workbench, dock: Dock, parent: QObject):
        super().__init__(parent)
        self._bench, self._dock, self._action = bench, dock, bench.actions["show_workspace"]
        self._pinned = self._waits = False  # chosen for all perspectives; switched off until the dock opens
        self._later = QTimer(self, singleShot=True, interval=0)  # once all docks of a perspective are in place
        self._later.timeout.connect(self._follow_dock)
        dock.visibilityChanged.connect(lambda _: self._later.start())
        self._action.triggered.connect(self._on_user)

    def stop(self) -> None:
        """Follow the dock no more."""
        self._later.stop()

    def reveal(self) -> None:
        """Show new content: at once where the dock is open, else when it opens."""
        closed = self._dock.isHidden() and not self._pinned
        self._waits = closed
        self._action.setChecked(not closed)

    def _on_user(self, on: bool) -> None:
        self._pinned, self._waits = on and self._dock.isHidden(), False

    def _follow_dock(self) -> None:
        closed = self._dock.isHidden()
        if closed and self._action.isChecked() and not self._pinned and self._bench.scene.stage.has_workspace:
            self._waits = True
        elif closed or not self._waits:
            return
        else:
            self._waits = False
        self._action.setChecked(not closed)
        if self._bench.scene.is_fitted:
            self._bench.scene.fit()


QUANTITIES = {
    "manipulability": "Manipulability",
    "sigma_min": "Smallest singular value",
    "inverse_condition": "Inverse condition number",
    "density": "Density of poses",
    "dexterity": "Share of directions reached",
    "limit_distance": "Distance to joint limits",
    "gravity_load": "Gravity torque, % of the limit",
    "payload": "Payload capacity, kg",
}
GROWTH = 0.25  # s between two pictures while it grows
NEAR = 8.0  # pixels between a click and the point it means
RANKED = 50  # samples
FLAT = 1e-6  # of the reach per rad: slower than that the tool does not move
EXPORTS = "Points (*.npz *.csv);;Boundary (*.ply *.stl)"


class WorkspaceFeature(Feature, QObject):
    """One runner samples, one draws what is looked at, one measures: the latest request of each wins."""

    dock: Dock

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench = bench
        self.panel = WorkspacePanel(QUANTITIES, STYLES, palette.SURFACES)
        self.dock = Dock("workspace", "Workspace", self.panel, RIGHT, {"workspace": 1})
        self.space: engine.Workspace | None = None
        self._obstacles: Obstacles | None = None  # of the last computation; None: contacts are not tested
        self._growing: Mailbox[tuple] = Mailbox()  # one for each computation: one that is given up may still draw
        self.runner, self.painter = JobRunner("workspace", self), JobRunner("workspace-picture", self)
        self.measurer, self.exporter = JobRunner("workspace-volume", self), JobRunner("workspace-export", self)
        self.finder, self.importer = JobRunner("workspace-click", self), JobRunner("workspace-import", self)
        self.visibility = CloudVisibility(bench, self.dock, self)
        self._measure_later = QTimer(self, singleShot=True, interval=0)
        self._measure_later.timeout.connect(self._measure)

    def wire(self) -> None:
        """Wire panel, runners, scene and document."""
        panel, bench = self.panel, self._bench
        panel.compute_requested.connect(self._compute)
        panel.cancel_requested.connect(self.runner.finish_early)
        panel.clear_requested.connect(self.clear)
        panel.look.export_requested.connect(self._ask_export)
        panel.look.changed.connect(self._draw)
        self.runner.busy_changed.connect(panel.show_busy)
        self.runner.progressed.connect(self._on_progress)
        self.runner.finished.connect(self._on_finished)
        self.runner.failed.connect(self._on_failed)
        bench.startup.show_wait(lambda: self.runner.awaits_kernel, panel.result.setText, SAMPLING)
        self.painter.finished.connect(self._show)
        self.measurer.failed.connect(panel.show_volume)
        self.measurer.progressed.connect(panel.show_measuring)
        for runner in (self.painter, self.finder):
            runner.failed.connect(lambda text: bench.banner.show_message(Severity.ERROR, text, subject="workspace"))
        self.measurer.finished.connect(lambda found: panel.show_volume(reach_words(*found)))
        self.exporter.finished.connect(
            lambda path: bench.banner.show_message(Severity.INFO, f"Saved {path}", subject="workspace-file")
        )
        self.exporter.failed.connect(lambda text: bench.banner.show_message(Severity.ERROR, text, subject="workspace-file"))
        self.finder.finished.connect(self._go_to)
        bench.scene.beside_clicked.connect(self._on_click)
        self.dock.visibilityChanged.connect(self._on_visible)
        bench.document.robot_changed.connect(self._on_robot)
        bench.cell.changed.connect(self._on_cell)
        self._on_robot(bench.document.robot)

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Settings of the workspace that is shown."""
        return {"workspace": self.panel.sampling.settings} if self.space is not None or self.runner.busy else {}

    def open_session(self, file: SessionFile) -> None:
        """Compute the workspace again, if one was shown."""
        if file.workspace is not None:
            self.panel.sampling.show_settings(file.workspace)
            self._compute()

    def shut_down(self) -> None:
        """End every thread."""
        self._measure_later.stop()
        self.visibility.stop()
        for runner in (self.runner, self.painter, self.measurer, self.exporter, self.finder, self.importer):
            runner.stop()

    def clear(self) -> None:
        """Drop what is shown and any computation under way."""
        for runner in (self.runner, self.painter, self.measurer, self.finder):
            runner.cancel()
        self.space, self._growing = None, Mailbox()
        self.panel.show_nothing()
        self._bench.scene.clear_workspace()

    def show(self, space: engine.Workspace) -> None:
        """Show a workspace of the open robot that was sampled elsewhere."""
        self.clear()
        self._obstacles = None
        self._on_finished(space)

    def export(self, path: str) -> None:
        """Write the workspace to a file of the kind its suffix says."""
        space = self.space
        if space is not None:
            self.exporter.start(lambda _: engine.save_workspace(space, path))

    def _on_visible(self, seen: bool) -> None:
        if seen:
            self.dock.visibilityChanged.disconnect(self._on_visible)
            self.importer.start(_import_sampler)

    def _on_robot(self, robot) -> None:
        """A workspace that is shown or under way is computed anew for an arm that was edited."""
        again = self._bench.document.edited and (self.space is not None or self.runner.busy)
        self.clear()
        self.panel.sampling.show_floor(robot.floor)
        if not self._bench.document.same_arm:
            self.panel.sampling.set_joints(robot.joint_names)
        if again:
            self._compute()

    def _on_cell(self) -> None:
        if self.space is not None and not self.runner.busy:
            self._show_result(self.space)

    def _show_result(self, space: engine.Workspace) -> None:
        outdated = self._obstacles is not None and self._obstacles != self._bench.cell.obstacles
        self.panel.show_result(len(space.points), space.complete, outdated)

    def _compute(self) -> None:
        panel, document = self.panel, self._bench.document
        fields = panel.sampling
        joints = fields.chosen_joints()
        if joints == []:
            panel.show_nothing("Select at least one joint that moves.")
            return
        self.measurer.cancel()
        panel.show_volume("")
        what = {"quantity": fields.quantity.currentData(), "seed": fields.seed.value(), "limits": fields.limits.isChecked()}
        self._obstacles = self._bench.cell.obstacles if fields.contacts.isChecked() else None
        what |= {"above_floor": fields.floor.isChecked(), "cell": self._obstacles}
        what |= {"samples": fields.samples.value(), "joints": joints, "q": document.q}
        self._growing = Mailbox()
        self.runner.start(partial(_sample, self._bench.simulation.in_gravity, what, self._look(), self._growing))

    def _look(self) -> tuple[str, Cut]:
        return self.panel.look.style_choice.currentData(), Cut(*self.panel.look.cut)

    def _on_progress(self, done: int, total: int) -> None:
        self.panel.show_progress(done, total)
        growing = self._growing.take()
        if growing is not None:
            self.visibility.reveal()
            self._show(growing)

    def _on_finished(self, space) -> None:
        self._growing = Mailbox()
        self._bench.banner.settle("workspace")
        self.space = space if len(space.points) else None
        self._show_result(space)
        self.visibility.reveal()
        self._draw()
        self._measure_later.start()

    def _on_failed(self, text: str) -> None:
        self.clear()
        self.panel.show_nothing(text)
        self._bench.banner.show_message(Severity.ERROR, text, subject="workspace")

    def _draw(self) -> None:
        if self.space is not None:
            self.painter.start(partial(_drawn, self.space, self._look()))

    def _show(self, drawn: tuple) -> None:
        quantity, picture = drawn
        self._bench.scene.show_workspace(picture)
        self.panel.show_legend(quantity, picture.low, picture.high)
        self.panel.show_left_out(len(picture.records), picture.left_out)

    def _measure(self) -> None:
        if self.space is not None:
            self.panel.show_measuring(0, 0)
            self.measurer.start(partial(_measured, self.space))

    def _ask_export(self) -> None:
        name = f"{self._bench.document.robot.name}_workspace.npz"
        start = str(Path(self._bench.preferences.now.recording_folder or Path.home()) / name)
        path, _ = QFileDialog.getSaveFileName(self._bench.parent, "Export workspace", start, EXPORTS)
        if path:
            self.export(path if Path(path).suffix else f"{path}.npz")

    def _on_click(self, x: float, y: float) -> None:
        bench = self._bench
        if self.space is None or not bench.scene.overlay("workspace") or bench.simulation.running:
            return
        camera, kept = bench.scene.camera, self._look()[1]
        self.finder.start(partial(_nearest, self.space, kept, copy(camera).project, np.array([x, y])))

    def _go_to(self, q) -> None:
        if q is not None and len(q) == self._bench.document.robot.n:
            self._bench.replay.close()
            self._bench.document.edit(q, text="point of the workspace")


def _import_sampler(_job) -> None:
    """What sampling needs, before it is requested: half a second, which would hold up the first pictures of the cloud."""
    import scipy.stats.qmc  # noqa: F401


def _sample(robot, what: dict, look: tuple, growing: Mailbox[tuple], job):
    """In the runner's thread; `growing` takes the pictures on the way."""
    last = time.monotonic()

    def grown(space):
        nonlocal last
        if time.monotonic() - last > GROWTH:
            growing.put(_drawn(space, look, job))
            last = time.monotonic()

    return engine.workspace(robot, progress=job.progress, cancel=job.cancelled, partial=grown, **what)


def _drawn(space, look: tuple, _job) -> tuple:
    """What is coloured, and the picture."""
    return space.quantity, reach_picture(space, *look)


def _measured(space: engine.Workspace, job: Job) -> tuple[int, list[engine.ReachVolume]]:
    """Return the number of directions in which the tool moves, and its volume or area; none on a surface in space or a curve.

    If poses in contact were excluded, the volume that includes them is in front.
    """
    ways = _ways(space)
    if not 2 <= len(space.axes) <= ways:
        return ways, []
    spaces = [space] if space.collides is None else [_with_contacts(space, job), space]
    sizes: list[engine.ReachVolume] = []
    for one in spaces:
        job.check()
        progress = partial(_report_part, job, len(sizes), len(spaces))
        sizes.append(engine.reach_volume(one, progress=progress, cancel=job.cancelled))
    return ways, sizes


def _report_part(job: Job, part: int, parts: int, done: int, total: int) -> None:
    job.progress(part * total + done, parts * total)


def _with_contacts(space: engine.Workspace, job: Job) -> engine.Workspace:
    """Return a workspace of as many samples from the same joint ranges that includes poses in contact."""
    arm = space.robot
    return engine.workspace(arm, len(space.points), seed=space.seed, above_floor=arm.floor is not None, cancel=job.cancelled)


def _ways(space) -> int:
    """The rank of the tool's position Jacobian with the joints that were moved, the largest of some samples."""
    moved = np.ptp(space.q, axis=0) > 0
    some = space.q[:: max(1, len(space.q) // RANKED)]
    sigma = [np.linalg.svd(engine.jacobian(space.robot, q)[:3, moved], compute_uv=False) for q in some]
    return max(int((s > FLAT * space.robot.reach).sum()) for s in sigma)


def _nearest(space, cut: Cut, project, at: np.ndarray, _job) -> np.ndarray | None:
    """The q behind the sample that a click means: of those within some pixels the one nearest to the eye."""
    seen = project(space.points)
    off = np.hypot(seen[:, 0] - at[0], seen[:, 1] - at[1])
    off[~cut.keeps(space.points, *space.ends) | ~np.isfinite(off)] = np.inf
    near = np.flatnonzero(off < NEAR)
    return space.q[near[np.argmin(seen[near, 2])]] if len(near) else None
