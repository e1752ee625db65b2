"""Condition numbers at which a pose is near a singularity, for modules that must not import numpy."""

from __future__ import annotations

from enum import IntEnum

# MoveIt Servo slows an arm down at the first and stops it at the second.
CONDITION_WARN = 17.0
CONDITION_STOP = 30.0


class Level(IntEnum):
    """FINE; WARN above the warning threshold; STOP above the stop threshold, or singular."""

    FINE = 0
    WARN = 1
    STOP = 2
