"""`TrajectoryStart`: begins runs, of the draft's trajectory and of those that come from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.trajectory.look_ahead import LookAhead
from armature.app.trajectory.trajectory_model import TrajectoryModel
from armature.app.trajectory.trajectory_preview import Preview, previewed
from armature.app.trajectory.trajectory_run import TrajectoryRun
from armature.app.trajectory.trajectory_texts import refusal

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.trajectory.trajectory import Trajectory

NEAR = 1e-6  # rad or m: the arm is there
APPROACH_SPEED = 0.5  # share of the joints' limits


class TrajectoryStart(QObject):
    """A trajectory that violates a limit or the floor, or whose approach is below the floor, is refused once and run at the
    second request. A run ends the look ahead."""

    def __init__(self, bench: Workbench, model: TrajectoryModel, run: TrajectoryRun, look: LookAhead, control: ControlFeature):
        super().__init__(bench.parent)
        self._bench, self._model, self._run, self._look, self._control = bench, model, run, look, control
        self._following = JobRunner("follow", bench.parent)
        self._following.finished.connect(self._on_to_follow)
        bench.files.follow_requested.connect(self._follow)

    def stop(self) -> None:
        """End the background computation."""
        self._following.stop()

    def request(self) -> None:
        """Move to the start of the planned trajectory and run it, or refuse it with a message."""
        from armature.engine.trajectory.motion_limits import floor_violation  # numba: not before the window is on screen

        model, preview = self._model, self._model.preview
        if preview is None:
            return
        approach = self._approach(preview)
        below = None if approach is None else floor_violation(preview.robot, approach)
        if below is not None and below.t == 0.0:  # the arm is below the floor already, and this leads out
            below = None
        if (preview.violations or below is not None) and not model.is_refused:
            model.refused = preview
            why = refusal(preview, below, self._bench.state.units)
            model.report(why)
            if not model.is_shown:
                self._bench.banner.show_message(Severity.INFO, why)
        else:
            self._begin(preview, approach)

    def _approach(self, preview: Preview) -> Trajectory | None:
        """Joint motion from where the arm is to the start; None where it is there."""
        here, start = self._bench.document.q, preview.trajectory.start
        if np.abs(here - start).max() < NEAR:
            return None
        plan = engine.Plan((engine.Waypoint(q=here), engine.Waypoint(q=start)), speed=APPROACH_SPEED)
        return plan.trajectory(preview.robot)

    def _begin(self, preview: Preview, approach: Trajectory | None = None) -> None:
        self._look.run(False)
        self._run.start(preview, self._control, approach)

    def _follow(self, trajectory: Trajectory) -> None:
        """Run a trajectory that is not the draft's, such as a measured path."""
        robot = self._bench.document.robot
        self._following.start(lambda job: previewed(robot, trajectory, 2, job.cancelled))

    def _on_to_follow(self, preview: Preview | None) -> None:
        if preview is not None and preview.robot is self._bench.document.robot:
            self._begin(preview, self._approach(preview))
