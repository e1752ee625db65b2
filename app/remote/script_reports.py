"""`ScriptReports`: tells a script how things stand in the window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from armature.app.remote.controls_section import ControlsSection
from armature.app.remote.session import Session
from armature.engine.remote.messages import Report, RobotShown, now

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class ScriptReports:
    """`number` is that of the newest pose that came, `edits` how often a person has moved the arm."""

    def __init__(self, bench: Workbench, controls: ControlsSection):
        self._bench, self._controls = bench, controls
        self.begin(None)

    def begin(self, session: Session | None) -> None:
        """A new script is told everything."""
        self._session, self._q = session, self._bench.document.q
        self.number = self.edits = 0
        self._taken = self._drawn = 0
        self._before = 0  # frames, when the newest pose was taken over
        self._sent = self._taken_sent = self._seen = 0.0
        self.robot_changed()

    def pose_taken(self, sent: float) -> None:
        """The arm stands as the newest pose says, which was set at `sent`."""
        self._taken, self._taken_sent, self._before = self.number, sent, self._bench.scene.painted

    def frame_shown(self) -> None:
        """What was painted is on the screen; that is also said when another part of the window was."""
        if self._drawn != self._taken and self._bench.scene.painted > self._before:
            self._drawn, self._sent, self._seen = self._taken, self._taken_sent, now()

    def robot_changed(self) -> None:
        """Another robot is shown."""
        self._reported: tuple | None = None
        if self._session is not None:
            robot, q = self._bench.document.robot, self._bench.document.q
            place = "" if robot.source is None else str(robot.source.absolute())
            changes = [dict(change) for change in robot.changes]
            self._session.post(RobotShown(robot.name, place, changes, list(robot.joint_names), q.tolist()))

    def report(self, held: bool) -> None:
        """Tell what is not as it was."""
        if self._session is None:
            return
        q, controls = self._bench.document.q, self._controls
        stand = (self.number, self.edits, held, self._drawn, controls.values, dict(controls.presses))
        if self._reported != stand or self._q is not q:
            self._reported, self._q = stand, q
            self._session.tell(partial(_stand, stand, q.tolist(), self._sent, self._seen))


def _stand(stand: tuple, q: list[float], sent: float, seen: float, report: Report) -> None:
    report.number, report.edits, report.held, report.drawn, report.values, report.presses = stand
    report.q, report.sent, report.seen = q, sent, seen
