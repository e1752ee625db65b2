"""From where on a pose counts as near a singularity; built on nothing, for those who must not import more."""

from __future__ import annotations

from enum import IntEnum

# Condition numbers: MoveIt Servo slows an arm down from the first on and stops it at the second.
CONDITION_WARN = 17.0
CONDITION_STOP = 30.0


class Level(IntEnum):
    """FINE, WARN from the condition number of a warning on, STOP from where an arm should stop, singular or not."""

    FINE = 0
    WARN = 1
    STOP = 2
