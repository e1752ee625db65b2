"""`ArmChanges`: what becomes of the arm while it is simulated: another load, other figures; each at its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armature.engine.errors import EngineError
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.simulation.note_kind import NoteKind
from armature.engine.simulation.recorded_conditions import condition
from armature.engine.simulation.stepper import Stepper

Change = tuple[float, Payload | Robot | None]
"""When, s, and what from then on: what the tool holds, None for nothing, or the arm with other figures."""
_EARLY = 1e-6  # of a step: rounding of the time that must not delay a change


class ArmChanges:
    """Those of one run, applied at the first step at or after their time; `notes` are the events for its recording.

    Raises EngineError for a time or a value that is none of `Change`.
    """

    def __init__(self, changes: Sequence[Change], dt: float):
        for t, what in changes:
            if not (isinstance(t, (int, float)) and t >= 0):
                raise EngineError(f"the time of a change must be 0 s or later, not {t!r}")
            if not (what is None or isinstance(what, (Payload, Robot))):
                raise EngineError(f"a change must be a Payload, None for no payload, or a Robot, not {what!r:.60}")
        self._due = sorted(((int(-(-(t / dt - _EARLY) // 1)), what) for t, what in changes), key=lambda change: change[0])
        self.notes: list[dict[str, Any]] = []

    def steps_until_next(self, stepper: Stepper) -> int | None:
        """Steps that may be taken before the next one; None when there is none left."""
        return self._due[0][0] - stepper.steps if self._due else None

    def apply(self, stepper: Stepper) -> None:
        """What is due by now."""
        while self._due and self._due[0][0] <= stepper.steps:
            _, what = self._due.pop(0)
            if isinstance(what, Robot):
                stepper.set_model(what)
            else:
                stepper.set_payload(what)
            kind = NoteKind.MODEL if isinstance(what, Robot) else NoteKind.PAYLOAD
            self.notes.append({"row": stepper.steps, "kind": kind.value, **condition(stepper, kind)})


def worn(robot: Robot, wear: float) -> Robot:
    """The robot with `wear` times the friction in every joint."""
    bodies = (robot.bodies[body] for body in robot.joint_bodies)
    return robot.with_friction({name: body.friction.worn(wear) for name, body in zip(robot.joint_names, bodies, strict=True)})
