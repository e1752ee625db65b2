"""The map of two joints: computed in the background for the pose of the others, and a handle to move the arm."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.feature import Feature
from armature.app.singularity.map_axis import MapAxis
from armature.app.singularity.map_panel import SingularityMapPanel
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.engine_startup import KernelStage
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen
from armature.engine.singularities.dexterity_measures import measure_batch

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

COARSE, FINE = 41, 161  # points per joint while the other joints move, and when they rest
SETTLED = 0.15  # s
TURN = 2 * np.pi
TEXT = "map"  # what the undo step is called
COMPUTING = "Computing…"
PAUSE = "Pause the simulation (Space) to move the arm on the map."


def _compute(robot, q, i, j, quantity, resolution, job):
    return engine.singularity_map(robot, q, i, j, quantity, resolution, progress=job.progress, cancel=job.cancelled)


class SingularityMapFeature(Feature):
    """Joins the map with document and clock; works while the dock can be seen."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock):
        self._bench, self.dock = bench, dock
        self.panel = SingularityMapPanel(bench.preferences.units)
        self.runner = JobRunner("singularity-map", bench.parent)
        self.pair, self.quantity = (0, 0), "sigma_min"
        self._made: tuple | None = None  # what the map that is shown or under way was requested
        self._others, self._moved, self._ready, self._gesture = b"", 0.0, False, 0

    def wire(self) -> None:
        """Wire panel, document and clock."""
        bench, panel = self._bench, self.panel
        for signal, slot in (
            (panel.chosen, self._on_chosen),
            (panel.map.grabbed, self._on_grabbed),
            (panel.map.moved, self._on_moved),
            (panel.map.nudged, self._on_nudged),
            (self.runner.finished, lambda made: panel.show_map(made, self._measure)),
            (self.runner.failed, panel.show_nothing),
            (bench.document.robot_closing, panel.map.let_go),
            (bench.replay.opening, panel.map.let_go),
            (bench.document.robot_changed, self._on_robot),
            (bench.document.q_changed, lambda _: self._show_point()),
            (bench.document.q_edited, lambda _: self._read_off()),
            (bench.preferences.units_changed, panel.set_units),
            (bench.clock.reading, self._on_reading),
        ):
            signal.connect(slot)
        self._on_robot(bench.document.robot)
        bench.startup.show_wait(lambda: not self._ready and len(set(self.pair)) > 1, panel.show_nothing, COMPUTING)
        bench.startup.when(KernelStage.ALL, self._on_ready)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.runner.stop()

    def _on_ready(self) -> None:
        self._ready = True

    def _on_robot(self, robot) -> None:
        self.panel.set_robot(robot)
        moving = robot.moving_joints(robot.tool_frame) or range(robot.n)
        i, j = (int(moving[k]) for k in _usual(len(moving)))
        self._choose(i, j, self.panel.quantity.currentData())

    def _on_chosen(self, i: int, j: int, quantity: str) -> None:
        if (i, j) != self.pair:
            self._choose(i, j, quantity)
        self.quantity = quantity

    def _choose(self, i: int, j: int, quantity: str) -> None:
        """Two joints for the axes."""
        robot = self._bench.document.robot
        self.runner.cancel()
        self.pair, self.quantity, self._made = (i, j), quantity, None
        self.panel.set_choice(i, j, *(_axis(robot, k) for k in (i, j)))
        self.panel.show_nothing(COMPUTING if i != j else "The map needs two joints; this arm has one.")
        self._show_point()

    def _show_point(self) -> None:
        robot, q = self._bench.document.robot, self._bench.document.q
        others = np.array(q)
        others[list(self.pair)] = 0.0
        if others.tobytes() != self._others:
            self._others, self._moved = others.tobytes(), time.monotonic()
        self.panel.map.set_point(*(_on_map(robot, k, q[k]) for k in self.pair))

    def _read_off(self) -> None:
        if on_screen(self.panel):
            self.panel.read_off()

    def _on_reading(self) -> None:
        """A map for the pose of the other joints: a coarse one at once, a fine one when they rest."""
        robot, q = self._bench.document.robot, self._bench.document.q
        if not self._ready or robot.n < 2 or not on_screen(self.panel):
            return
        self.panel.read_off()
        resolution = FINE if time.monotonic() - self._moved > SETTLED else COARSE
        wanted = (*self.pair, self.quantity, self._others, resolution)
        coarse_runs = self.runner.busy and self._made is not None and self._made[-1] == COARSE
        if wanted == self._made or coarse_runs or (self._made == (*wanted[:-1], FINE)):
            return
        self._made = wanted
        self.runner.start(partial(_compute, robot, q, *self.pair, self.quantity, resolution))

    def _measure(self, x: float, y: float) -> float:
        """The quantity with the two joints at a point of the map, the others as the arm has them."""
        robot, q = self._bench.document.robot, np.array(self._bench.document.q)
        q[list(self.pair)] = x, y
        return float(measure_batch(robot, q[None], self.quantity)[0][0])

    # -- the dot ---------------------------------------------------------------------------------------------------------------

    def _on_grabbed(self) -> None:
        self._gesture = next_gesture()
        self._bench.replay.close()
        if self._bench.simulation.running:
            self._bench.banner.show_message(Severity.INFO, PAUSE)

    def _on_moved(self, x: float, y: float) -> None:
        if self._bench.simulation.running:
            return
        robot, q = self._bench.document.robot, np.array(self._bench.document.q)
        for k, value in zip(self.pair, (x, y), strict=True):
            q[k] += value - _on_map(robot, k, q[k])  # a joint without limits keeps its turns
        self._bench.document.edit(q, self._gesture, TEXT)

    def _on_nudged(self, x: int, y: int, repeats: bool) -> None:
        """An arrow key: as far as a key moves a joint elsewhere; one that is held down is one undo step."""
        if not repeats:
            self._on_grabbed()
        robot, q, units = self._bench.document.robot, self._bench.document.q, self._bench.preferences.units
        axes = [_axis(robot, k) for k in self.pair]
        wanted = []
        for k, axis, steps in zip(self.pair, axes, (x, y), strict=True):
            step = steps * units.step(axis.slides) / units.factor(axis.slides)
            here = _on_map(robot, k, q[k])
            wanted.append(min(max(here + step, min(axis.low, here)), max(axis.high, here)) if step else here)
        self._on_moved(*wanted)


def _usual(n: int) -> tuple[int, int]:
    """Joints whose map tells most: elbow and wrist of arms with six or more joints; the first joint seldom matters."""
    return {1: (0, 0), 2: (0, 1), 6: (2, 4)}.get(n, (1, 2) if n < 6 else (3, 5))


def _axis(robot, k: int) -> MapAxis:
    """Joint k as an axis, over the range the engine maps."""
    low, high, span = robot.q_min[k], robot.q_max[k], robot.reach if robot.prismatic[k] else np.pi
    ends = (low if np.isfinite(low) else -span, high if np.isfinite(high) else span)
    limited = bool(np.isfinite(low) and np.isfinite(high))
    return MapAxis(robot.joint_names[k], float(ends[0]), float(ends[1]), limited, bool(robot.prismatic[k]))


def _on_map(robot, k: int, value: float) -> float:
    """The value of joint k as it stands on the map: a joint that turns without limits is brought within a turn."""
    if robot.prismatic[k] or np.isfinite(robot.q_max[k]):
        return float(value)
    return float((value + np.pi) % TURN - np.pi)
