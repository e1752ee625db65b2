"""Which link carries the tool of a tree of links and joints, and which of its joints are fingers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

TOOL_NAMES = (
    *("tool0", "tool", "tcp", "tcp_link", "tool_tip", "tool_frame", "tool_link", "ee_link", "end_effector_link"),
    *("gripper_frame_link", "gripper_frame", "ee_gripper_link", "grasp_link", "grasp_frame", "gripper_tip", "gripper_center"),
    *("gripper_centre", "ee", "eef", "end_effector", "flange"),
)
"""Usual names of a tool's link, the likeliest first."""

_FINGER = re.compile(
    r"finger|knuckle|thumb|(?<![a-z])(?:jaw|claw)s?(?![a-z])|hand.*(?<![a-z])(?:index|middle|ring|little|pinky|mrl)(?![a-z])",
    re.IGNORECASE,
)
_GRIPPER = re.compile(r"gripper", re.IGNORECASE)
_OF_ARM = re.compile(r"roll|pitch|yaw|rot|turn|twist|wrist|base|mount|lift", re.IGNORECASE)  # a joint that moves a whole gripper
_SHORT = 0.25  # m, the longest way of a finger that slides
_FEW = 8  # joints beyond the first of a finger


@dataclass(frozen=True)
class TreeJoint:
    """A moving joint: the link it carries, the joint `before` it and the `leader` it copies by index, −1 for none.

    `slide` is its range in m, None where it turns.
    """

    name: str
    link: str
    before: int
    leader: int
    slide: float | None


def usual_name(name: str, usual: str) -> bool:
    """True where a name is a usual one, alone or after a prefix, as in panda_tcp."""
    return re.fullmatch(rf"(?:.*[_\-/.:])?{usual}", name, re.IGNORECASE) is not None


def finger_joints(joints: Sequence[TreeJoint]) -> frozenset[int]:
    """Indices of the joints of fingers, each given after the joint before it.

    Fingers are called so (finger, jaw, claw, knuckle, thumb, index of a hand), or are the joints called gripper that carry
    nothing but fingers, or are joints next to each other at the end of a chain, of which one copies another or all slide by less
    than 0.25 m. What a finger carries is finger. None where all joints would be fingers, as in the file of a gripper alone.
    """
    below: list[list[int]] = [[] for _ in joints]
    beside: dict[int, list[int]] = {}
    for k, joint in enumerate(joints):
        beside.setdefault(joint.before, []).append(k)
        if joint.before >= 0:
            below[joint.before].append(k)
    found: set[int] = set()
    for k in range(len(joints) - 1, -1, -1):  # the last of a chain first
        ends = all(j in found for j in below[k])
        if (_is_named(joints[k], ends) and _count(k, below) <= _FEW) or (not below[k] and _is_paired(k, joints, beside, below)):
            found.add(k)
    for k, joint in enumerate(joints):
        if joint.before in found:
            found.add(k)
    return frozenset(found) if len(found) < len(joints) else frozenset()


def named_tool(names: Iterable[str], usual: Sequence[str] = TOOL_NAMES) -> str | None:
    """The name that is the likeliest usual one, the first of several; None for none."""
    known = list(names)
    return next((name for one in usual for name in known if usual_name(name, one)), None)


def tool_remark(link: str, fingers: Sequence[str]) -> tuple[str, ...]:
    """The remark that says which tool and fingers were chosen; none for an arm without fingers."""
    if not fingers:
        return ()
    which = f"{fingers[0]} is a finger" if len(fingers) == 1 else f"{', '.join(fingers)} are fingers"
    return (f"The tool is {link}; {which} (group gripper), not part of the arm.",)


def _is_named(joint: TreeJoint, ends: bool) -> bool:
    if _FINGER.search(joint.name) or _FINGER.search(joint.link):
        return True
    return bool(ends and _GRIPPER.search(joint.name) and not _OF_ARM.search(joint.name))


def _is_paired(k: int, joints: Sequence[TreeJoint], beside: dict[int, list[int]], below: list[list[int]]) -> bool:
    others = [j for j in beside[joints[k].before] if j != k and not below[j]]
    copies = any(joints[k].leader == j or joints[j].leader == k for j in others)
    return copies or any(_is_short(joints[j]) and _is_short(joints[k]) for j in others)


def _is_short(joint: TreeJoint) -> bool:
    return joint.slide is not None and joint.slide <= _SHORT


def _count(k: int, below: list[list[int]]) -> int:
    return sum(1 + _count(j, below) for j in below[k])
