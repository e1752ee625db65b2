"""`LiveLaw`: an own law beside the clock on the wall, and what becomes of it where it fails."""

from __future__ import annotations

from math import ceil
from pathlib import Path

from armature.engine.control.own_law.host.hosted_law import HostedRun
from armature.engine.errors import LawError
from armature.engine.simulation.arm_control import ArmControl
from armature.engine.simulation.simulation_event import Event, EventKind
from armature.engine.simulation.stepper import Stepper

SHARE = 0.7  # of its period that a law may take; the rest is for the steps and for what else runs
EVERY = 0.5  # s between two changes of the period
_FASTER = 0.6  # of the period there is: where less would do, it becomes shorter again
_CALLS = 10  # before anything is known of a law


class LiveLaw:
    """Has a law that is too slow for its period looked at the arm as often as it can; lives on the worker's thread."""

    def __init__(self) -> None:
        self._run: HostedRun | None = None
        self._changed = 0.0

    def keeps_pace(self, control: ArmControl, dt: float, speed: float, wall: float) -> bool:
        """Whether the time between two looks may stay as it is; else it is another one now, `control.least_period`."""
        run = control.run if isinstance(control.run, HostedRun) else None
        if run is not self._run:
            self._run, self._changed = run, wall
            return self._set(control, 0.0) if run is None else True
        if run is None or run.process.calls < _CALLS or wall - self._changed < EVERY:
            return True
        wanted = (control.controller and control.controller.period) or dt
        needed, now = run.process.seconds * speed / SHARE, max(wanted, control.least_period)
        if _FASTER * now <= needed <= now or needed <= now == wanted:
            return True
        self._changed = wall
        return self._set(control, ceil(needed / dt) * dt if needed > wanted else 0.0)

    @staticmethod
    def _set(control: ArmControl, least: float) -> bool:
        if control.least_period == least:
            return True
        control.least_period = least
        control.look_again()
        return False


def failed(stepper: Stepper, error: Exception) -> Event:
    """What is told of a law in Python that failed."""
    path, line = (error.path, error.line) if isinstance(error, LawError) else (None, None)
    return Event(EventKind.LAW, str(error), t=stepper.t, path=None if path is None else Path(path), line=line)
