"""Guess the kind of a table that is not a recording, from its column names."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from armature.engine.errors import one_line

_LONGEST = 240  # characters of a list of names
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
    """Sentence that guesses the kind of a table and lists its columns."""
    names = [name.strip() for name in columns if name.strip()]
    if len(names) == 1 and (mark := next((mark for mark in ";\t|" if mark in names[0]), None)):
        split = [name.strip() for name in next(csv.reader([names[0]], delimiter=mark))]
        return f"{seems(split)}, separated by {mark!r} instead of commas"
    if names and all(_is_number(name) for name in names):
        return f"it seems to be {len(names)} columns of numbers without a line of column names"
    counts: dict[str, int] = {}
    for name in names:
        kind = _kind(name)
        counts[kind] = counts.get(kind, 0) + 1
    known = [kind if kind == "time" else f"{count} {kind}" for kind, count in counts.items() if kind]
    if not known:
        return f"it seems to be a table of {len(names)} columns: {name_list(names)}"
    known += [f"{counts['']} other columns"] if "" in counts else []
    parts = [text.removesuffix("s") if text.startswith("1 ") else text for text in known]
    return f"it seems to be a log with {', '.join(parts)}; its columns are {name_list(names)}"


def name_list(names: Sequence[str]) -> str:
    """The names as one line; the middle ones are left out if the line is too long."""
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
