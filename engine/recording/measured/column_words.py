"""Meaning of a column name: quantity, joint, and whether it is measured or desired."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

KINDS = {
    "qdd": "qdd ddq qddot acc accel acceleration accelerations beschleunigung",
    "qd": "qd dq qdot vel velocity velocities speed speeds geschwindigkeit omega v",
    "tau": "tau torque torques effort efforts moment moments drehmoment trq tq",
    "current": "current currents amps strom i cur",
    "q": "q pos position positions posn theta angle angles joint joints axis axes achse winkel gelenk jointpos j a phi",
}
_WORDS = {word: kind for kind, words in KINDS.items() for word in words.split()}
_WEAK = {"joint", "joints", "axis", "axes", "achse", "gelenk", "j", "a", "i", "v"}
_STRONG = set(_WORDS) - _WEAK
_PER_S, _PER_S2 = re.compile(r"/ ?s(ec)?$"), re.compile(r"/ ?s(ec)?(\^2|²)$")
TARGET = 4
"""Lowest rank of a column that is not a measurement of the joints."""
# The joints of arms whose makers count them with words.
_NAMED = (
    (0, {"pan"}), (1, {"lift"}), (2, {"elbow"}), (3, {"wrist", "1"}), (4, {"wrist", "2"}), (5, {"wrist", "3"}),
    (0, {"base"}), (1, {"shoulder"}),
)  # fmt: skip


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TIMES = _set(
    "t time timestamp timestamps stamp sec secs seconds nsec nsecs nanosec clock zeit uhrzeit datetime date usec msec ms us"
)
COUNTERS = _set("sample samples index idx count counter cycle cycles n step row seq tick ticks nr no")
_WANTED = _set(
    "target desired des command commanded cmd ref reference goal setpoint soll d nominal wanted error err"  # plain: column words
)
_OTHERS = _set(
    "tcp tool cartesian cart ee eef flange pose force forces ft wrench x y z rx ry rz quat ext external"
    " temperature temperatures temperatur temp temps celsius voltage voltages volt volts spannung power watt watts leistung"
    " pressure druck humidity pwm duty battery"
    " gripper finger digital publisher constant"
)
_ACTUAL = _set("actual act measured meas state ist real feedback")


@dataclass(frozen=True)
class ColumnMeaning:
    """Meaning of a column name: `kind` is one of KINDS or "", `number` identifies the joint, None if the name has no number."""

    kind: str
    number: int | None
    rank: int
    """Low for measured values of joints, high for targets and other quantities."""
    words: tuple[str, ...]
    sure: bool
    """True if a word identifies the kind, rather than a single ambiguous letter."""

    @property
    def may_be_joint(self) -> bool:
        """Whether that is likely a column of a joint."""
        return self.sure or self.number is not None


def column_meaning(name: str) -> ColumnMeaning:
    """Return the meaning of a column name."""
    name = re.sub(r"(^|(?<= ))/\S+ ", "", name)  # the topic of a bag
    again = re.fullmatch(r"(.*\d.*) \(\d+\)", name)  # a name that is there twice
    name = again[1] if again else name
    unit = re.search(r"[\[(]([^\])]*)[\])]\s*$", name)
    bare = re.sub(r"[\[(][^\])\d]*[\])]\s*$", "", name)
    bare = re.sub(r"([a-z]{2})([A-Z])", r"\1 \2", bare)
    parts = re.findall(r"[a-zäöü]+|\d+", bare.lower())
    kinds = [(_WORDS[part], part in _STRONG) for part in parts if part in _WORDS]
    strong = [kind for kind, is_strong in kinds if is_strong]
    order = ("qdd", "qd", "tau", "current", "q")
    kind = min(strong, key=order.index) if strong else kinds[0][0] if kinds else ""
    if kind == "q" and len(parts) > 1 and parts[0] in ("d", "dd") and parts[1] in ("q", "theta"):
        kind = "qd" if parts[0] == "d" else "qdd"
    if kind == "q" and "dot" in parts:
        kind = "qd"
    if kind in ("", "q") and unit:
        kind = "qdd" if _PER_S2.search(unit[1]) else "qd" if _PER_S.search(unit[1]) else kind
    figures = [int(part) for part in parts if part.isdigit() and len(part) < 4]
    rank = sum(TARGET * (part in _WANTED) + 8 * (part in _OTHERS) - (part in _ACTUAL) for part in parts) + len(parts) // 6
    return ColumnMeaning(kind, figures[-1] if figures else None, rank, tuple(parts), bool(strong))


def joint_of(name: str, joints: Sequence[str]) -> int | None:
    """Joint with the longest name that is part of a column name; None without one."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower())
    found = [
        (len(joint), k)
        for k, joint in enumerate(joints)
        if re.search(rf"(^|_){re.escape(re.sub(r'[^a-z0-9]+', '_', joint.lower()))}(_|$)", plain)
    ]
    return max(found)[1] if found else None


def named_joint(words: Sequence[str], n: int) -> int | None:
    """The joint of an arm of six that its maker calls shoulder_pan, shoulder_lift, elbow, wrist_1 …; None for none."""
    have = set(words)
    return next((joint for joint, wanted in _NAMED if wanted <= have), None) if n == 6 else None
