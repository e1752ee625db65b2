"""What a table that is no recording seems to be, from the names of its columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from armature.engine.errors import one_line

_LONGEST = 240  # characters of names told
# The first kind one of whose words is in a name, taken apart at everything that is no letter.
_KINDS = {
    "time": ("t", "time", "timestamp", "timestamps", "stamp", "sec", "secs", "seconds", "nsec", "nsecs"),
    "accelerations": ("qdd", "ddq", "qddot", "acc", "acceleration", "accelerations"),
    "velocities": ("qd", "dq", "qdot", "vel", "velocity", "velocities", "speed", "speeds"),
    "torques": ("tau", "torque", "torques", "effort", "efforts", "moment", "moments"),
    "currents": ("current", "currents", "amps"),
    "positions": ("q", "pos", "position", "positions", "theta", "angle", "angles", "joint", "joints"),
}


def seems(columns: Sequence[str]) -> str:
    """What a table of these columns seems to be, and which columns it has."""
    names = [name.strip() for name in columns if name.strip()]
    if len(names) == 1 and (mark := next((mark for mark in ";\t|" if mark in names[0]), None)):
        split = [name.strip() for name in next(csv.reader([names[0]], delimiter=mark))]
        return f"{seems(split)}, set apart by {mark!r} where a recording has commas"
    if names and all(_is_number(name) for name in names):
        return f"it seems to be {len(names)} columns of numbers, with no line of names above them"
    counts: dict[str, int] = {}
    for name in names:
        kind = _kind(name)
        counts[kind] = counts.get(kind, 0) + 1
    known = [kind if kind == "time" else f"{count} {kind}" for kind, count in counts.items() if kind]
    if not known:
        return f"it seems to be a table of {len(names)} columns: {told(names)}"
    known += [f"{counts['']} other columns"] if "" in counts else []
    parts = [text.removesuffix("s") if text.startswith("1 ") else text for text in known]
    return f"it seems to be a log with {', '.join(parts)}; its columns are {told(names)}"


def told(names: Sequence[str]) -> str:
    """The names, the middle ones left out where they are many."""
    return one_line(", ".join(names), _LONGEST)


def _kind(name: str) -> str:
    words = set(re.split(r"[^a-z]+", name.lower()))
    return next((kind for kind, signs in _KINDS.items() if words.intersection(signs)), "")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
