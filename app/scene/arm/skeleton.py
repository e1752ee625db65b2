"""Where the solids of an arm go: housings on the joint axes and the routes that the links take between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from armature.engine import Robot
from armature.engine.model.link_outline import HOUSING, link_radii

TINY = 1e-3
# Length of a gripper, in radii of the tube that carries it.
GRIP = 3.4
# How far above a hanging arm its beam runs, relative to the reach.
GALLOWS = 0.12
UP = np.array([0.0, 0.0, 1.0])


@dataclass
class Housing:
    """The drum (or the carriage) of one joint: centred at `shift` along its axis; lengths in m."""

    radius: float
    half: float
    shift: float = 0.0


@dataclass(frozen=True)
class Axis:
    """A joint axis (or the tool) as the body before it sees it: `origin` and unit `z` `(3,)`, reached from `start` on the body's
    own axis over a corner. That is the `foot` of the common normal, from where it goes `along` (signed) the axis; or, `aside`,
    it goes beside the axis first and then across to it."""

    origin: np.ndarray
    z: np.ndarray
    start: np.ndarray
    foot: np.ndarray
    along: float
    aside: bool = False

    @property
    def arrival(self) -> float:
        """Signed length that the way comes along the axis at its end."""
        return 0.0 if self.aside else self.along

    def way(self, end: np.ndarray) -> list[np.ndarray]:
        """From the body's own axis to an `end` `(3,)` on this one."""
        return [self.start, self.start + end - self.foot if self.aside else self.foot, end]


@dataclass
class Skeleton:
    """Sizes and places, in m and in the axes of each body; index i is joint i and the body it carries."""

    robot: Robot
    scale: float
    floor: float
    tubes: np.ndarray
    axes: list[Axis]
    housings: list[Housing]
    tool: Axis
    approach: np.ndarray = field(default_factory=lambda: UP)

    @property
    def hangs(self) -> bool:
        """True where the arm swings below its base, so that nothing may stand there."""
        return self.floor < float(self.robot.base[2, 3]) - 0.9 * self.scale

    def children(self, body: int) -> list[int]:
        """Bodies carried by `body` (-1: the world), without jaws."""
        return [i for i, b in enumerate(self.robot.bodies) if b.parent == body and i not in self.jaws]

    @cached_property
    def jaws(self) -> frozenset[int]:
        """Fingers that slide across the gripper and carry nothing: they are drawn as its jaws."""
        robot, hand = self.robot, self.robot.frames[self.robot.tool].body
        carrying = {body.parent for body in robot.bodies}
        on_hand = [i for i, body in enumerate(robot.bodies) if body.parent == hand >= 0 and robot.joint_names[i] in robot.fingers]
        return frozenset(i for i in on_hand if robot.prismatic[i] and i not in carrying and self._is_across(i))

    def _is_across(self, i: int) -> bool:
        return abs(self.robot.bodies[i].X_PJ[:3, 2] @ self.tool.z) < 0.7

    def centre(self, i: int) -> np.ndarray:
        """Centre of housing i in the axes of the body before it."""
        return self.axes[i].origin + self.housings[i].shift * self.axes[i].z

    def is_point_mass(self, i: int) -> bool:
        """True where the file gives body i a mass without extent."""
        body = self.robot.bodies[i]
        return body.mass > 0 and not np.any(body.inertia)


def skeleton(robot: Robot) -> Skeleton:
    """The skeleton of any arm; two joints whose axes meet get housings that stand clear of each other."""
    scale = float(robot.reach)
    tubes = link_radii(robot)
    housings = [Housing(HOUSING * r, 1.4 * r) for r in tubes[1:]]
    axes = [_axis(b.X_PJ[:3, 3], b.X_PJ[:3, 2]) for b in robot.bodies]
    axes = [_by_the_mass(robot, b.parent, axis, tubes) for b, axis in zip(robot.bodies, axes, strict=True)]
    frame = robot.frames[robot.tool]
    tool = _axis(frame.X_BF[:3, 3], frame.X_BF[:3, 2])
    out = Skeleton(robot, scale, _floor_height(robot, scale), tubes, axes, housings, tool)
    for i, body in enumerate(robot.bodies):
        if body.parent < 0:
            out.axes[i] = _root_axis(out, out.axes[i])
    for i in range(robot.n):
        _clear_neighbours(out, i)
    out.approach = _approach(out, frame.body)
    _clear_tool(out, frame.body)
    return out


def body_poses(robot: Robot, q: np.ndarray) -> np.ndarray:
    """Poses X_WB of all bodies `(n, 4, 4)` at q, for laying things out once (the engine's kernels serve the frames)."""
    poses = np.zeros((robot.n, 4, 4))
    for i, body in enumerate(robot.bodies):
        motion = np.eye(4)
        if robot.prismatic[i]:
            motion[2, 3] = q[i]
        else:
            c, s = np.cos(q[i]), np.sin(q[i])
            motion[:2, :2] = [[c, -s], [s, c]]
        poses[i] = (poses[body.parent] if body.parent >= 0 else np.eye(4)) @ body.X_PJ @ motion
    return poses


def _axis(origin: np.ndarray, z: np.ndarray) -> Axis:
    """The DH way from a body's own axis to the next one: along the common normal, then along the next axis."""
    across = np.cross(UP, z)
    square = across @ across
    if square < 1e-8:
        start, foot = np.zeros(3), origin - (origin @ z) * z
    else:
        s = np.cross(origin, z) @ across / square
        t = np.cross(origin, UP) @ across / square
        start, foot = s * UP, origin + t * z
    return Axis(origin, z, start, foot, float((origin - foot) @ z))


def _by_the_mass(robot: Robot, body: int, axis: Axis, tubes: np.ndarray) -> Axis:
    """The axis reached by the way that the centre of mass of the `body` before it lies nearer to, by a tube's radius at least."""
    if body < 0 or robot.bodies[body].mass == 0:
        return axis
    aside = replace(axis, aside=True)
    along, beside = (_distance(robot.bodies[body].com, [np.zeros(3), *a.way(a.origin)]) for a in (axis, aside))
    return aside if along - beside > tubes[body + 1] else axis


def _distance(p: np.ndarray, way: list[np.ndarray]) -> float:
    """From a point to a line of straight pieces."""
    gaps = []
    for a, b in pairwise(way):
        square = (b - a) @ (b - a)
        share = np.clip((p - a) @ (b - a) / square, 0.0, 1.0) if square > 0.0 else 0.0
        gaps.append(float(np.linalg.norm(p - a - share * (b - a))))
    return min(gaps)


def _root_axis(out: Skeleton, axis: Axis) -> Axis:
    """The first axis as the ground sees it: an upright one is reached from below, or from above what swings under it."""
    upright = abs(axis.z[2]) > 0.8
    height = axis.origin[2] - out.floor
    if upright and out.hangs:
        height = -GALLOWS * out.scale
    foot = axis.origin - np.array([0, 0, height if upright else 0.0])
    return Axis(axis.origin, axis.z, foot, foot, float(height * np.sign(axis.z[2])) if upright else 0.0)


def _floor_height(robot: Robot, scale: float) -> float:
    """z of the floor: the robot's own, else through the base, but out of the way of an arm that hangs or swings."""
    if robot.floor is not None:
        return robot.floor
    first = robot.bodies[0]
    base = float(robot.base[2, 3])
    poses = [body_poses(robot, q)[:, 2, 3] for q in robot.configurations.values()]
    lowest = min(float(z.min()) for z in poses)
    lying = next((p for p in body_poses(robot, robot.configurations["zero"]) if abs(p[2, 2]) < 0.7), None)
    if lying is None or lying[2, 3] - base > 0.05 * scale:
        return min(base, lowest - 0.05 * scale if lowest < base - 0.02 * scale else base)
    swings = robot.n <= 3 or abs(first.X_PJ[2, 2]) < 0.7
    return min(base - (1.12 if swings else 0.3) * scale, lowest - 0.1 * scale)


def _clear_neighbours(out: Skeleton, i: int) -> None:
    """Slide housing i back along its axis, or the next one forward, where their axes meet."""
    mine = out.housings[i]
    for j in out.children(i):
        other, axis = out.housings[j], out.axes[j]
        if abs(axis.z[2]) > 0.95:
            continue
        need = other.radius + mine.half
        aside = float(np.linalg.norm(out.centre(j)[:2]))
        clear = np.sqrt(max(need**2 - aside**2, 0.0))
        along = _arrival(out, i)
        room = abs(along)
        if clear <= abs(out.centre(j)[2]):
            continue
        if room > 0.5 * clear:
            shift = min(clear, max(0.5 * room, room - mine.half))
            mine.shift = -np.sign(along) * shift
            mine.half = min(mine.half, max(room - shift, 0.5 * mine.half))
        elif abs(axis.arrival) < TINY * out.scale:
            other.shift = _forward(out, j) * (mine.radius + other.half)


def _arrival(out: Skeleton, i: int) -> float:
    """Signed length that the link before comes along axis i; a slide along that axis brings its rail with it."""
    before = out.robot.bodies[i].parent
    if before >= 0 and out.robot.prismatic[before] and out.axes[i].z[2] ** 2 > 0.9:
        return 8.0 * out.housings[i].half * float(np.sign(out.axes[i].z[2]))
    return out.axes[i].arrival


def _forward(out: Skeleton, j: int) -> float:
    """Which way along its axis joint j goes on: +1 or -1."""
    ahead = [out.axes[k].origin[2] for k in out.children(j)] or [out.tool.origin[2]]
    return -1.0 if min(ahead) < -TINY * out.scale else 1.0


def _approach(out: Skeleton, last: int) -> np.ndarray:
    """Direction `(3,)` in which the gripper points, in the axes of the body that carries it."""
    tool, eps = out.tool, TINY * out.scale
    if abs(tool.along) > eps:
        return np.sign(tool.along) * tool.z
    if np.linalg.norm(tool.foot - tool.start) > eps:
        return (tool.foot - tool.start) / np.linalg.norm(tool.foot - tool.start)
    if last >= 0 and out.robot.prismatic[last]:
        return UP
    return tool.z


def _clear_tool(out: Skeleton, last: int) -> None:
    """Slide the last housing back: a tool right at its joint sits on its face, one ahead leaves room for the gripper."""
    if last < 0 or abs(out.approach[2]) < 0.9:
        return
    mine, along = out.housings[last], _arrival(out, last)
    ahead = float(out.tool.origin @ out.approach)
    if ahead <= mine.half and out.robot.prismatic[last]:
        mine.shift = -np.sign(out.approach[2]) * mine.half
    elif mine.shift == 0.0 and abs(along) > mine.half:
        room = abs(along) if ahead <= mine.half else abs(along) - mine.half
        wanted = mine.half if ahead <= mine.half else GRIP * out.tubes[last + 1] - (ahead - mine.half)
        mine.shift = -np.sign(along) * float(np.clip(wanted, 0.0, room))
