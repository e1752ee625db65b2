"""The tree that the links and joints of a URDF file form, or why they form none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from armature.engine.errors import one_line
from armature.engine.model.urdf.urdf_elements import JointPart, LinkPart
from armature.engine.model.urdf.urdf_xml import Node

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
    """Remark on the chosen tool and fingers; empty for an arm without fingers."""
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


@dataclass(frozen=True, eq=False)
class UrdfTree:
    """Links and joints in depth-first order of the file, root first, `fingers` last; `carrier` is the joint a link hangs on.

    `fingers` are the names of the joints of fingers.
    """

    root: str
    links: dict[str, LinkPart]
    joints: dict[str, JointPart]
    carrier: dict[str, JointPart]
    fingers: frozenset[str] = frozenset()

    @property
    def moving(self) -> list[JointPart]:
        """The joints that are not fixed."""
        return [joint for joint in self.joints.values() if joint.moves]

    def chain(self, link: str) -> list[JointPart]:
        """The joints from the root to `link`."""
        chain: list[JointPart] = []
        while link in self.carrier:
            chain.append(self.carrier[link])
            link = chain[-1].parent
        return chain[::-1]

    def on_finger(self, link: str) -> bool:
        """Whether a finger carries the link."""
        return any(joint.name in self.fingers for joint in self.chain(link))


def arrange(robot: Node, links: list[LinkPart], joints: list[JointPart]) -> UrdfTree:
    """The tree, checked: known and unique names, one root, no loops, mimic joints that follow real ones. Raises UrdfError."""
    by_name = {link.name: link for link in links}
    for kind, parts in (("link", links), ("joint", joints)):
        seen: dict[str, str] = {}
        for part in parts:
            if part.name in seen:
                raise part.node.error(f"a {kind} of this name is already on line {seen[part.name]}")
            seen[part.name] = part.node.line
    if not links:
        raise robot.error("has no <link>")
    carrier: dict[str, JointPart] = {}
    for joint in joints:
        for end, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in by_name:
                raise joint.node.error(f"{end} {one_line(repr(link), 80)} is not a link of this file")
        if joint.child in carrier:
            other = carrier[joint.child]
            raise joint.node.error(
                f"closes a loop: link {joint.child!r} is already the child of joint {other.name!r} (line {other.node.line})"
            )
        carrier[joint.child] = joint
    tree = _ordered(robot, by_name, carrier, joints)
    if not tree.moving:
        raise robot.error("has no moving joint")
    _check_mimics(tree)
    return _fingers_last(tree)


def _fingers_last(tree: UrdfTree) -> UrdfTree:
    """Return the tree with its fingers, whose links and joints are placed after those of the arm."""
    moving, place = tree.moving, {joint.name: k for k, joint in enumerate(tree.moving)}
    found = finger_joints([_tree_joint(tree, joint, place) for joint in moving])
    known = replace(tree, fingers=frozenset(moving[k].name for k in found))
    is_finger = [joint.name in known.fingers for joint in moving]
    if is_finger == sorted(is_finger):
        return known
    links = sorted(tree.links, key=known.on_finger)
    joints = {tree.carrier[link].name: tree.carrier[link] for link in links if link in tree.carrier}
    return replace(known, links={name: tree.links[name] for name in links}, joints=joints)


def _tree_joint(tree: UrdfTree, joint: JointPart, place: dict[str, int]) -> TreeJoint:
    before = [place[one.name] for one in tree.chain(joint.parent) if one.moves]
    leader = -1 if joint.mimic is None else place[joint.mimic.joint]
    slide = joint.upper - joint.lower if joint.kind == "prismatic" else None
    return TreeJoint(joint.name, joint.child, before[-1] if before else -1, leader, slide)


def _ordered(robot: Node, links: dict[str, LinkPart], carrier: dict[str, JointPart], joints: list[JointPart]) -> UrdfTree:
    roots = [name for name in links if name not in carrier]
    if len(roots) > 1:
        raise links[roots[1]].node.error(
            f"has no parent joint, like link {roots[0]!r} (line {links[roots[0]].node.line}); a robot needs exactly one root link"
        )
    below: dict[str, list[JointPart]] = {name: [] for name in links}
    for joint in joints:
        below[joint.parent].append(joint)
    order: list[str] = []
    todo = roots[:]
    while todo:
        order.append(todo.pop())
        todo += [joint.child for joint in reversed(below[order[-1]])]
    if len(order) < len(links):
        lost = next(name for name in links if name not in set(order))
        raise carrier[lost].node.error(f"is part of a loop: link {lost!r} is not connected to a root link")
    ordered = [carrier[name] for name in order if name in carrier]
    return UrdfTree(roots[0], {name: links[name] for name in order}, {joint.name: joint for joint in ordered}, carrier)


def _check_mimics(tree: UrdfTree) -> None:
    for joint in tree.moving:
        trail, at = [joint.name], joint
        while at.mimic is not None:
            leader = tree.joints.get(at.mimic.joint)
            if leader is None:
                raise at.mimic.node.error(f"joint {one_line(repr(at.mimic.joint), 80)} is not in this file")
            if not leader.moves:
                raise at.mimic.node.error(f"joint {leader.name!r} is fixed; a mimic joint must copy a moving joint")
            if leader.name in trail:
                raise at.mimic.node.error(f"joints copy each other in a circle: {', '.join([*trail, leader.name][:8])}")
            trail.append(leader.name)
            at = leader
