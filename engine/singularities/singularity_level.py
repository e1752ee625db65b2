"""`Level`: how far a pose is from where an arm should stop."""

from __future__ import annotations

from enum import IntEnum


class Level(IntEnum):
    """FINE, WARN from the condition number of a warning on, STOP from where an arm should stop, singular or not."""

    FINE = 0
    WARN = 1
    STOP = 2
