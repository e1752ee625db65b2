"""A law in Python beside the clock on the wall: how many steps a batch has with a slow one, and what is told of a fault."""

from __future__ import annotations

from math import floor
from pathlib import Path

from armature.engine.control.own_law.host.code_process import CodeProcess
from armature.engine.errors import LawError
from armature.engine.simulation.arm_control import ArmControl
from armature.engine.simulation.pacer import FRAME, SHARE
from armature.engine.simulation.simulation_event import Event, EventKind
from armature.engine.simulation.stepper import Stepper

PICTURE = 0.1  # of a frame: a law that takes more is not called once more for each picture


def most_steps(control: ArmControl, dt: float) -> int | None:
    """Most steps of a batch whose calls of an own law fit into the share of a frame, None for any number.

    The law's period stays, however long a call takes: time then passes slower than real, and the motion is the same.
    """
    run, push = control.run, control.disturbing.seconds
    most = [max(1, floor(SHARE * FRAME / push))] if push else []
    if isinstance(run, CodeProcess):
        known = run.calls > 0
        calls = max(1, floor(SHARE * FRAME / max(run.seconds, 1e-9))) if known else 1
        most.append(calls * max(1, round((control.period or dt) / dt)))
    return min(most, default=None)


def takes_long(control: ArmControl) -> bool:
    """Whether what the user wrote takes so long that it is called for steps alone, and not once more for each picture."""
    seconds = control.disturbing.seconds
    if isinstance(control.run, CodeProcess):
        seconds += control.run.seconds if control.has_requested else 0.0
    return seconds > PICTURE * FRAME


def failed(stepper: Stepper, error: Exception) -> Event:
    """What is told of a law in Python, or a disturbance, that failed."""
    kind = EventKind.DISTURBANCE if error is stepper.control.disturbing.fault else EventKind.LAW
    path, line = (error.path, error.line) if isinstance(error, LawError) else (None, None)
    return Event(kind, str(error), t=stepper.t, path=None if path is None else Path(path), line=line)
