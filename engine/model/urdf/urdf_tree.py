"""The tree that the links and joints of a URDF file form, or why they form none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from armature.engine.errors import one_line
from armature.engine.model.urdf.tool_choice import TreeJoint, finger_joints
from armature.engine.model.urdf.urdf_joint import JointPart
from armature.engine.model.urdf.urdf_link import LinkPart
from armature.engine.model.urdf.urdf_xml import Node


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
                raise part.node.refused(f"a {kind} of this name is already on line {seen[part.name]}")
            seen[part.name] = part.node.line
    if not links:
        raise robot.refused("has no <link>")
    carrier: dict[str, JointPart] = {}
    for joint in joints:
        for end, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in by_name:
                raise joint.node.refused(f"{end} {one_line(repr(link), 80)} is not a link of this file")
        if joint.child in carrier:
            other = carrier[joint.child]
            raise joint.node.refused(
                f"closes a loop: link {joint.child!r} is already the child of joint {other.name!r} (line {other.node.line})"
            )
        carrier[joint.child] = joint
    tree = _ordered(robot, by_name, carrier, joints)
    if not tree.moving:
        raise robot.refused("has no moving joint")
    _check_mimics(tree)
    return _fingers_last(tree)


def _fingers_last(tree: UrdfTree) -> UrdfTree:
    """The tree with its fingers known, their links and joints behind those of the arm where they were among them."""
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
        raise links[roots[1]].node.refused(
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
        raise carrier[lost].node.refused(f"is part of a loop: link {lost!r} is not connected to a root link")
    ordered = [carrier[name] for name in order if name in carrier]
    return UrdfTree(roots[0], {name: links[name] for name in order}, {joint.name: joint for joint in ordered}, carrier)


def _check_mimics(tree: UrdfTree) -> None:
    for joint in tree.moving:
        trail, at = [joint.name], joint
        while at.mimic is not None:
            leader = tree.joints.get(at.mimic.joint)
            if leader is None:
                raise at.mimic.node.refused(f"joint {one_line(repr(at.mimic.joint), 80)} is not in this file")
            if not leader.moves:
                raise at.mimic.node.refused(f"joint {leader.name!r} is fixed; a mimic joint must copy a moving joint")
            if leader.name in trail:
                raise at.mimic.node.refused(f"joints copy each other in a circle: {', '.join([*trail, leader.name][:8])}")
            trail.append(leader.name)
            at = leader
