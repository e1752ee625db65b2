"""`LawReading`: what can be read of an own law at work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from armature.engine.control.own_law.host.code_process import CodeProcess
from armature.engine.simulation.arm_control import ArmControl


@dataclass(frozen=True, eq=False)
class LawReading:
    """What the law, `controller`, tells of itself.

    `log` is what it logged at its last call; `period` s that in which it is called; `seconds` what a call takes; `compiled` says
    whether it is, and `why_python` why it is not.
    """

    controller: Any
    log: Mapping[str, Any]
    period: float
    seconds: float
    compiled: bool
    why_python: str


def law_reading(control: ArmControl, dt: float) -> LawReading | None:
    """Of the own law at work, None without one."""
    run, law = control.run, control.controller
    if run is None or law is None:
        return None
    seconds = run.seconds if isinstance(run, CodeProcess) else 0.0
    return LawReading(law, dict(run.log), control.period or dt, seconds, run.compiled, run.why_python)
