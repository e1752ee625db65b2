"""The kinematics dock: the tool's pose, which can be typed, the Jacobian, and how near a singularity is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.feature import Feature
from armature.app.kinematics.panel import KinematicsPanel
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.jobs import JobRunner
from armature.app.state.number_marks import said
from armature.app.state.shared_sentences import capital
from armature.app.widgets.dock import RIGHT, Dock
from armature.engine.kinematics.search.reason_words import without_pose

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

_SAME_TURN = 1e-6  # of the entries of two rotations that are one
NOT_THERE = "{}. The arm has not moved. Edit the pose, or press Esc to cancel."


class KinematicsFeature(Feature):
    """Joins the dock with readouts and settings, and brings the tool to a pose that is typed."""

    dock: Dock

    def __init__(self, bench: Workbench):
        self._bench, now = bench, bench.preferences.now
        self.panel = KinematicsPanel(bench.preferences.units, now.warn_condition, now.stop_condition)
        places = {"explore": 1, "singularity": 2, "workspace": 2, "dynamics": 4}
        self.dock = Dock("kinematics", "Kinematics", self.panel, RIGHT, places)
        self._runner, self._gesture = JobRunner("tool-pose", bench.parent), next_gesture()

    def wire(self) -> None:
        """Wire readouts, units, thresholds and the typed pose."""
        bench, panel, tool = self._bench, self.panel, self.panel.tool
        bench.readouts.changed.connect(panel.show_readout)
        bench.scene.stage.lost_motion.explained_by.append(panel.reason)
        self.dock.visibilityChanged.connect(lambda _: bench.scene.update())
        bench.clock.reading.connect(panel.refresh)
        bench.preferences.units_changed.connect(panel.set_units)
        panel.thresholds_edited.connect(lambda warn, stop: bench.preferences.set(warn_condition=warn, stop_condition=stop))
        tool.wanted.connect(self._on_wanted)
        tool.left.connect(self._runner.cancel)
        bench.scene.escaped.connect(self._give_up)
        self._runner.finished.connect(self._on_found)
        self._runner.failed.connect(lambda text: tool.show_obstacle(NOT_THERE.format(text.rstrip("."))))
        bench.document.q_changed.connect(self._on_q)
        bench.simulation.running_changed.connect(lambda running: tool.set_editable(not running))

    def set_robot(self, robot) -> None:
        """As many columns as joints."""
        self._runner.cancel()
        self.panel.set_robot(robot)

    def shut_down(self) -> None:
        """End the search."""
        self._runner.stop()

    def _on_wanted(self, X: np.ndarray, gesture: int) -> None:
        """Search in the background: from the present joints first, then from others."""
        self._bench.replay.close("a tool pose was entered")
        robot, q, self._gesture = self._bench.document.robot, self._bench.document.q, gesture
        self._runner.start(lambda _: _search(robot, X, q))

    def _on_found(self, found: tuple[engine.Robot, np.ndarray, str]) -> None:
        robot, q, why = found
        if robot is not self._bench.document.robot or self._bench.simulation.running:
            self.panel.tool.give_up()
        elif why:
            self.panel.tool.show_obstacle(said(NOT_THERE.format(why)))
        else:
            self.panel.tool.give_up()
            self._bench.document.edit(q, self._gesture, "tool pose")

    def _on_q(self, _) -> None:
        """The arm moved: what was typed for where it stood does not count any more."""
        if self.panel.tool.waits:
            self._give_up()

    def _give_up(self) -> None:
        self._runner.cancel()
        self.panel.tool.give_up()


def _search(robot: engine.Robot, X: np.ndarray, q: np.ndarray) -> tuple[engine.Robot, np.ndarray, str]:
    """The arm, joints for the tool's pose X, and why there are none, empty where there are.

    An arm with too few joints for all coordinates is asked for those that were typed: a place, or an orientation there.
    """
    from armature.engine.kinematics.ik import path_ik  # compiled code, which the window must not wait for

    turns = not np.allclose(X[:3, :3], engine.frame_pose(robot, q)[:3, :3], rtol=0, atol=_SAME_TURN)
    result = engine.ik(robot, X, q0=q) if turns else path_ik(robot, X, q)
    why = "" if result.success else without_pose(result.reason)
    return robot, result.q, capital(why)
