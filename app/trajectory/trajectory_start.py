"""`TrajectoryStart`: begins runs, of the draft's trajectory and of those that come from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from armature.app.control.feature import ControlFeature
from armature.app.state.jobs import JobRunner
from armature.app.trajectory.look_ahead import LookAhead
from armature.app.trajectory.trajectory_preview import Preview, previewed
from armature.app.trajectory.trajectory_run import TrajectoryRun

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.trajectory.trajectory import Trajectory


class TrajectoryStart(QObject):
    """`refused(preview)` where a limit is broken or a link goes below the floor; a second request begins all the same.

    A run ends the look ahead.
    """

    refused = Signal(object)

    def __init__(self, bench: Workbench, run: TrajectoryRun, look: LookAhead, control: ControlFeature):
        super().__init__(bench.parent)
        self._bench, self._run, self._look, self._control = bench, run, look, control
        self._following = JobRunner("follow", bench.parent)
        self._following.finished.connect(self._on_to_follow)
        bench.files.follow_requested.connect(self._follow)
        self.warned = False

    def stop(self) -> None:
        """End the background computation."""
        self._following.stop()

    def ask(self, preview: Preview) -> None:
        """Run it, or warn."""
        if preview.violations and not self.warned:
            self.warned = True
            self.refused.emit(preview)
        else:
            self._begin(preview)

    def _begin(self, preview: Preview) -> None:
        self._look.run(False)
        self._run.start(preview, self._control)

    def _follow(self, trajectory: Trajectory) -> None:
        """Run a trajectory that is no draft's, such as the way that was measured."""
        robot = self._bench.document.robot
        self._following.start(lambda job: previewed(robot, trajectory, 2, job))

    def _on_to_follow(self, preview: Preview | None) -> None:
        if preview is not None and preview.robot is self._bench.document.robot:
            self._begin(preview)
