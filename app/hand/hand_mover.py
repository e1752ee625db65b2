"""`HandMover`: one gesture of the hand, by mouse or by keys: the joints follow, and what is to be said is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.hand import hand_modes
from armature.app.hand.hand_follow import HandFollow
from armature.app.hand.hand_modes import HandMode
from armature.app.hand.hand_words import at_limits, near_singularity, why_not
from armature.app.hand.self_motion import SelfMotion
from armature.app.scene.gizmo.gizmo_handles import BALL, RINGS
from armature.app.scene.hands import gesture_captions
from armature.app.scene.hands.gizmo_drag import Wanted
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.severity import Severity
from armature.app.state.units import Units

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

HAND, ELBOW = "tool motion", "elbow motion"  # titles of the undo steps
NOTHING: tuple = ("", "", None, None)  # caption, why the tool cannot follow, where to write it, the pose wanted
BEHIND = 20.0  # pixels that the elbow may lag behind the cursor before the limits are blamed
PAUSE = "Pause the simulation (Space) to move the tool."


class HandMover(QObject):
    """Begun, sent somewhere any number of times, then ended or taken back; all of it is one undo step.

    `told(text, severity)` passes on why the tool cannot follow, an error, or that it is near a singularity, a warning.
    """

    told = Signal(str, object)
    spare: SelfMotion  # of the task

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench, self._document, self._gizmo = bench, bench.document, bench.scene.gizmo
        self.task: tuple[str, ...] = ()
        self.wish: tuple[str, ...] = ()
        self.hold = False
        self.start = np.eye(4)
        self._follow: HandFollow | None = None
        self._gesture, self._before = 0, self._document.q
        self._caution, self._said = "", NOTHING

    @property
    def moving(self) -> bool:
        """Whether a gesture is under way."""
        return self._follow is not None

    def set_mode(self, robot: engine.Robot, mode: HandMode) -> None:
        """Set the coordinates of the tool that count: `task` exactly, the rest of `wish` as nearly as the joints can."""
        self._follow = None
        self.task, self.wish, self.hold = hand_modes.task(robot, mode), hand_modes.wish(robot, mode), mode is HandMode.LOCKED
        self.spare = SelfMotion(robot, self.task)

    def begin(self) -> bool:
        """Start a gesture where the arm is; False, and says why, while the simulation moves it."""
        self._follow = None
        if self._bench.simulation.running:
            self._bench.banner.show_message(Severity.INFO, PAUSE)
            return False
        self._bench.replay.close("the tool was dragged")
        robot, q = self._document.robot, self._document.q
        self._gesture, self._before = next_gesture(), q
        self._caution, self._said = "", NOTHING
        self._follow, self.start = HandFollow(robot, q, self.task, self.wish, self.hold), engine.frame_pose(robot, q)
        return True

    def go_to(self, wanted: Wanted) -> None:
        """Bring the tool to a pose, or as near as it gets."""
        if self._follow is None:
            return
        followed = self._follow.to(wanted.X_WT)
        self._document.drag(followed.q, self._gesture, HAND)
        why = self._document.drag_stop.partition(":")[0] or why_not(self._document.robot, followed, wanted.X_WT, self.task)
        text, lost = caption(wanted, self._bench.preferences.units), wanted.X_WT if why or not followed.reached else None
        self._said = text, why, self._gizmo.grip(wanted), lost
        self._say()

    def elbow_to(self, pixel: np.ndarray) -> None:
        """Bring the elbow to a pixel `(2,)` as near as it gets while the tool stays where it is."""
        if self._follow is None:
            return
        project = self._bench.scene.camera.project
        q = self.spare.toward(self._document.q, self.start, pixel, project)
        self._document.drag(q, self._gesture, ELBOW)
        self._say_elbow(held_back=float(np.linalg.norm(project(self.spare.point(q))[:2] - pixel)) > BEHIND)

    def elbow_by(self, angle: float) -> None:
        """Move the elbow so that the joint which turns most turns by an angle, rad."""
        if self._follow is None:
            return
        q = self.spare.along(self._document.q, self.start, angle)
        held_back = np.array_equal(q, self._document.q)
        self._document.drag(q, self._gesture, ELBOW)
        self._say_elbow(held_back)

    def end(self) -> None:
        """The gesture is over."""
        self._follow, self._caution = None, ""
        self.told.emit("", Severity.INFO)

    def cancel(self) -> None:
        """Put the arm back to where the gesture found it."""
        if self._follow is not None and self._follow.robot is self._document.robot:
            self._document.edit(self._before, self._gesture, HAND)
        self.end()

    def read(self, readout) -> None:
        """Take note of how near a singularity of the task at hand the arm is; `readout` tells of the robot's own."""
        if self._follow is None:
            return
        report, thresholds = readout.report, self._bench.readouts
        if set(self.wish) != set(report.task):
            report = engine.singularity(self._follow.robot, readout.q, task=self.wish, warn=thresholds.warn)
        caution = near_singularity(report, thresholds.warn)
        if caution != self._caution:
            self._caution = caution
            self._say()

    def _say_elbow(self, held_back: bool) -> None:
        robot, q = self._document.robot, self._document.q
        point = self.spare.point(q)
        moved = gesture_captions.amount(
            float(np.linalg.norm(point - self.spare.point(self._before))), self._bench.preferences.units, is_length=True
        )
        self._said = f"Δ {moved}, tool fixed", at_limits(robot, q) if held_back else "", point, None
        self._say()

    def _say(self) -> None:
        text, why, at, wanted = self._said
        self._gizmo.say(text, why or self._caution.partition(":")[0], at, wanted)
        why = self._document.drag_stop or why
        self.told.emit(why or self._caution, Severity.ERROR if why else Severity.WARNING if self._caution else Severity.INFO)


def caption(wanted: Wanted, units: Units) -> str:
    """What a drag of a handle amounts to."""
    if wanted.handle in RINGS:
        return gesture_captions.turn(wanted.angle, units)
    return gesture_captions.shifts(wanted.shift, "xyz" if wanted.handle == BALL else wanted.handle, units)
