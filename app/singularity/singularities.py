"""Singular poses: why this one is, where the nearest one is, which others there are, and the moves there and back."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.feature import Feature
from armature.app.joints.pose_glide import PoseGlide
from armature.app.scene.arm.ghost_item import GhostLook
from armature.app.scene.gl import palette
from armature.app.singularity.singular_families import SEARCHING
from armature.app.singularity.singular_pose import SingularPose, nearest
from armature.app.singularity.singularity_studio import LOOKING, NOT_HERE, SingularityStudioPanel
from armature.app.state.engine_startup import KernelStage
from armature.app.state.jobs import JobRunner
from armature.app.state.number_marks import said
from armature.app.widgets.dock import RIGHT, Dock
from armature.app.widgets.on_screen import on_screen
from armature.engine import Robot
from armature.engine.kinematics.task import in_axes, row_scale, scaled_jacobian, singular_rows, task_axes_at

if TYPE_CHECKING:
    from armature.app.state.readouts import Readout
    from armature.app.workbench import Workbench
    from armature.engine import SingularFamily

AMPLITUDE = 0.6  # rad of the joint that moves most, at most
STEP = 0.03  # rad from one point of the path to the next
LEAST = 0.02  # rad: less than this cannot be seen
STILL = 7e-4  # m that the tool may be off, and characteristic lengths times rad that it may turn
PERIOD = 3.2  # s
_WEAK = 1e-3  # of the largest singular value: directions in which the tool cannot be led back


def internal_path(robot: Robot, q: np.ndarray, motion: np.ndarray) -> tuple[np.ndarray, int]:
    """Poses `(K, n)` along the unit joint `motion` `(n,)` both ways from q, at all of which the tool is where it is at q.

    Each step goes on the way w of the last one and is led back across it by q ← q − (A (1 − w wᵀ))⁺ e, A the scaled task Jacobian
    and e what the tool is off. It ends at the limits or where the tool can no longer be held: a stretched elbow, say, holds it to
    first order only. The second result is the row of q itself.
    """
    X = engine.frame_pose(robot, q)
    back, forth = (_branch(robot, q, X, sign * motion) for sign in (-1.0, 1.0))
    return np.array([*back[::-1], q, *forth]), len(back)


def _found(robot: Robot, q: np.ndarray, _job) -> tuple[np.ndarray, int]:
    return internal_path(robot, q, engine.singularity(robot, q).joint_motion)


def _branch(robot: Robot, q: np.ndarray, X: np.ndarray, motion: np.ndarray) -> list[np.ndarray]:
    unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
    rows = singular_rows(robot)
    scale = row_scale(robot, rows)
    way, here, path = motion / np.abs(motion / unit).max(), np.array(q), []
    while np.abs((here - q) / unit).max() < AMPLITUDE:
        w = way / unit / np.linalg.norm(way / unit)
        there = here + STEP * way
        for _ in range(2):
            error = _off(robot, there, X, rows) * scale
            A = scaled_jacobian(robot, there, None, rows) * unit
            there = there - unit * np.linalg.lstsq(A - np.outer(A @ w, w), error, rcond=_WEAK)[0]
        error = np.abs(_off(robot, there, X, rows) * scale).max()
        if error > STILL or (there < robot.q_min).any() or (there > robot.q_max).any():
            break
        moved = np.abs((there - here) / unit).max()
        if moved > 3.0 * STEP:  # led away
            break
        way = (there - here) / moved
        path.append(there)
        here = there
    return path


def _off(robot: Robot, q: np.ndarray, X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """How far the tool at q is from X: the task's `rows` of a small twist."""
    now = engine.frame_pose(robot, q)
    R = now[:3, :3] @ X[:3, :3].T
    turn = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return in_axes(task_axes_at(robot, q, None, rows), np.concatenate([now[:3, 3] - X[:3, 3], turn]))[rows]


class InternalMotion(QObject):
    """Plays until it is stopped or something else moves the arm; then the arm is exactly where it was, or where it was put.

    Tells `playing_changed(on)`, and `refused()` where the tool would move with the joints.
    """

    playing_changed = Signal(bool)
    refused = Signal()

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._document, self._clock = bench.document, bench.clock
        self._path, self._middle, self._began, self.playing = np.zeros((0, 0)), 0, 0.0, False
        self.runner = JobRunner("internal-motion", self)
        self.runner.finished.connect(self._on_path)
        self.runner.failed.connect(lambda _: self.refused.emit())
        self._document.q_edited.connect(lambda _: self._end())
        self._document.robot_changed.connect(lambda _: self._end())
        bench.simulation.running_changed.connect(lambda running: self.stop() if running else None)

    def play(self) -> None:
        """Find the motion at the pose there is, beside the window, and start."""
        self.stop()
        self.runner.start(partial(_found, self._document.robot, self._document.q))

    def _on_path(self, found: tuple[np.ndarray, int]) -> None:
        self._path, self._middle = found
        if not np.array_equal(self._path[self._middle], self._document.q):
            return  # a replay has moved the arm meanwhile
        robot = self._document.robot
        unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
        if np.abs((self._path - self._path[self._middle]) / unit).max() < LEAST:
            self.refused.emit()
            return
        self._began, self.playing = time.monotonic(), True
        self._clock.tick.connect(self._on_tick)
        self.playing_changed.emit(True)

    def stop(self) -> None:
        """Back to the pose it began at."""
        self.runner.cancel()
        if self.playing:
            q = self._path[self._middle]
            self._end()
            self._document.follow(q)

    def shut_down(self) -> None:
        """No search outlives the window."""
        self.stop()
        self.runner.stop()

    def _end(self) -> None:
        self.runner.cancel()
        if self.playing:
            self.playing = False
            self._clock.tick.disconnect(self._on_tick)
            self.playing_changed.emit(False)

    def _on_tick(self) -> None:
        phase = np.sin(2 * np.pi * (time.monotonic() - self._began) / PERIOD)
        last = len(self._path) - 1
        at = self._middle + phase * (last - self._middle if phase > 0 else self._middle)
        k = min(int(at), last - 1)
        self._document.follow(self._path[k] + (at - k) * (self._path[k + 1] - self._path[k]))


SETTLED = 0.15  # s without a change of the pose
RESTS = "The search starts when the arm is at rest."
NO_FAMILIES = "No singular pose was found within the joint limits."


def _families(robot, job):
    return engine.singular_families(robot, progress=job.progress, cancel=job.cancelled)


class SingularitiesFeature(Feature):
    """Joins the singularity dock with document, scene and clock; it searches while the dock can be seen and the arm rests."""

    dock: Dock

    def __init__(self, bench: Workbench):
        self._bench = bench
        self.panel = SingularityStudioPanel(bench.preferences.units)
        self.dock = Dock("singularity", "Singularity", self.panel, RIGHT, {"singularity": 1})
        self.runner = JobRunner("nearest", bench.parent)
        self.family_runner = JobRunner("families", bench.parent)
        self.nearest: SingularPose | None = None
        self.families: tuple[SingularFamily, ...] = ()
        self._searched: np.ndarray | None = None  # the pose whose nearest is known
        self._before: np.ndarray | None = None  # the pose to go back to
        self._moved, self._ready = 0.0, False
        self._untold: Readout | None = None  # what the panel does not say yet
        self._previews = False  # whether the nearest pose is seen in the view, its button pressed or under the pointer

    def wire(self) -> None:
        """Wire panel, document and clock."""
        bench, panel = self._bench, self.panel
        self.glide, self.internal = PoseGlide(bench), InternalMotion(bench)
        for signal, slot in (
            (panel.play_requested, self._on_play),
            (panel.ghost_requested, self._show_ghost),
            (panel.go_requested, self._go_there),
            (panel.back_requested, self._go_back),
            (panel.families.find_requested, self._find_families),
            (panel.families.cancel_requested, self.family_runner.finish_early),
            (panel.families.chosen, self._show_family),
            (panel.families.go_requested, self._go_to_family),
            (self.family_runner.busy_changed, panel.families.show_busy),
            (self.family_runner.progressed, panel.families.show_progress),
            (self.family_runner.finished, self._on_families),
            (self.family_runner.failed, lambda text: panel.families.show_families((), text)),
            (self.internal.playing_changed, self._on_playing),
            (self.glide.ended, self._on_arrived),
            (self.internal.refused, lambda: panel.show_remark(NOT_HERE)),
            (self.runner.finished, self._on_found),
            (self.runner.failed, self._on_failed),
            (bench.readouts.changed, self._on_readout),
            (bench.document.robot_changed, self._on_robot),
            (bench.document.q_changed, self._on_q),
            (bench.preferences.units_changed, panel.set_units),
            (bench.clock.reading, self._on_reading),
            (self.dock.visibilityChanged, self._on_visible),
            (bench.scene.ghosts_dismissed, lambda owner: owner is self and self._hide()),
        ):
            signal.connect(slot)
        bench.scene.stage.lost_motion.explained_by.append(panel.cause)
        self.dock.visibilityChanged.connect(lambda _: bench.scene.update())
        self._on_robot(bench.document.robot)
        families, show_nearest = self.family_runner, partial(panel.show_nearest, None, None)
        bench.startup.show_wait(lambda: families.awaits_kernel, panel.families.show_remark, SEARCHING)
        bench.startup.show_wait(lambda: not self._ready, show_nearest, LOOKING)
        bench.startup.when(KernelStage.ALL, self._on_ready)

    def shut_down(self) -> None:
        """No search outlives the window."""
        self.internal.shut_down()
        self.glide.stop()
        self.runner.stop()
        self.family_runner.stop()

    # -- what happens ----------------------------------------------------------------------------------------------------------

    def _on_ready(self) -> None:
        self._ready = True

    def _on_robot(self, robot) -> None:
        self.runner.cancel()
        self.family_runner.cancel()
        self.families = ()
        self.nearest = self._searched = self._before = self._untold = None
        self.panel.set_robot(robot)
        self.panel.set_back(False)

    def _on_q(self, _) -> None:
        self._moved = time.monotonic()

    def _on_readout(self, readout: Readout) -> None:
        """What the pose is."""
        self._untold = readout
        if on_screen(self.panel) or not self._bench.simulation.running:  # a run has no time for what nobody sees
            self._tell()

    def _tell(self) -> None:
        readout, self._untold = self._untold, None
        if readout is None:
            return
        possible = (readout.level > 0 or self.internal.playing) and not self._bench.simulation.running
        self.panel.show_report(readout.report, said(readout.verdict), readout.level, possible)

    def _on_reading(self) -> None:
        """Search anew where the arm came to rest somewhere else, if the dock is seen."""
        if not self._bench.simulation.running:
            self._tell()
        q = self._bench.document.q
        if not self._ready or q is self._searched or self.internal.playing or not on_screen(self.panel):
            return
        if time.monotonic() - self._moved > SETTLED:
            self._searched = q
            self.runner.start(partial(nearest, self._bench.document.robot, q))

    def _on_found(self, pose: SingularPose | None) -> None:
        previews, self.nearest = self._previews, pose
        self.panel.show_nearest(self._searched, pose, "" if pose else "No singular pose within the joint limits and half a turn.")
        if previews:
            self._show_ghost(pose is not None and not pose.is_here)

    def _on_failed(self, text: str) -> None:
        self.nearest = None
        self.panel.show_nearest(self._searched, None, text)

    def _find_families(self) -> None:
        self.family_runner.start(partial(_families, self._bench.document.robot))

    def _on_families(self, families) -> None:
        self.families = families
        self.panel.families.show_families(families) if families else self.panel.families.show_families((), NO_FAMILIES)

    # -- what is requested -----------------------------------------------------------------------------------------------------

    def _on_play(self, on: bool) -> None:
        self.glide.stop()
        self.internal.stop()
        self.panel.show_playing(False)
        if on:
            self._bench.replay.close()
            self.internal.play()

    def _on_playing(self, on: bool) -> None:
        """The nearest pose is another one at every moment."""
        self.panel.show_playing(on)
        if on:
            self._hide()
            self.nearest = self._searched = None
            self.panel.show_nearest(None, None, RESTS)

    def _show_ghost(self, on: bool) -> None:
        self.panel.families.deselect()
        pose = self.nearest if on else None
        self._previews = pose is not None
        self._show_pose(None if pose is None else pose.q, "Nearest singular pose")

    def _show_family(self, k: int) -> None:
        if k >= 0:
            self.panel.buttons["ghost"].setChecked(False)
            self._previews = False
            self.panel.families.list.setCurrentRow(k)
            self._show_pose(self.families[k].q, f"Singular pose: {self.families[k].cause.title}")
        else:
            self._show_pose(None, "")

    def _on_visible(self, seen: bool) -> None:
        """Hide the ghost with the dock, and move the warning between dock and status line."""
        self._bench.status_line.hide_explanation(seen)
        if seen:
            self._tell()
        else:
            self._hide()

    def _hide(self) -> None:
        """No see-through arm, and nothing pressed or chosen that would show one."""
        self.panel.buttons["ghost"].setChecked(False)
        self.panel.families.deselect()
        self._previews = False
        self._bench.scene.clear_ghosts(self)

    def _show_pose(self, q, title: str) -> None:
        """The arm at q `(n,)`, seen through; None for no such arm."""
        scene = self._bench.scene
        if q is not None:
            poses = engine.link_poses(self._bench.document.robot, q)
            scene.show_ghosts(self, poses[None], (palette.LOST,), GhostLook.SINGULAR, title)
        else:
            scene.clear_ghosts(self)

    def _go_there(self) -> None:
        if self.nearest is not None:
            self._go_to(self.nearest.q, "nearest singularity")

    def _go_to_family(self, k: int) -> None:
        if 0 <= k < len(self.families):
            self._go_to(self.families[k].q, self.families[k].cause.title)

    def _go_to(self, q, text: str) -> None:
        self.internal.stop()
        self._before = self._bench.document.q
        self.panel.set_back(True)
        self.glide.go_to(q, text)

    def _on_arrived(self) -> None:
        if self._before is not None:
            self._hide()  # the arm itself stands there now

    def _go_back(self) -> None:
        self.internal.stop()
        if self._before is not None:
            q, self._before = self._before, None
            self.panel.set_back(False)
            self.glide.go_to(q, "return to the previous pose")
