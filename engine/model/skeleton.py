"""`Skeleton`: housings on the joint axes of an arm, and the routes of its links between them."""

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
DEFAULT_VIEW = np.array([0.62, -0.79, 0.0])  # towards the eye
WHEEL = 3.0  # radius of gyration from which a round body is a wheel, in radii of its link
RIM = 0.09  # half the thickness of its rim, in its radius
KNOB = 1.3
_FLAT = 0.1  # of a gripper's length: below, there is no room for one between flange and tool point


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
    it runs parallel to the axis first and then across to it."""

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
        """Corner points `(3,)` from the body's own axis to an `end` `(3,)` on this one."""
        return [self.start, self.start + end - self.foot if self.aside else self.foot, end]


@dataclass(frozen=True)
class Tube:
    """A round tube of body `body` (-1: the world) along a `route` of corner points `(3,)`, with radii `first` and `last` in m."""

    body: int
    route: list[np.ndarray]
    first: float
    last: float


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
        """True where the arm swings below its base, so that its foot must be elsewhere."""
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

    def tubes_of(self, body: int) -> list[Tube]:
        """Tubes from the housing of `body` to each joint that it carries, to the gripper, and at a free end to the last links."""
        begin = self.housings[body].shift * UP if not self.robot.prismatic[body] else np.zeros(3)
        radius, joints = self.tubes[body + 1], self.children(body)
        out = [Tube(body, [begin, *self.axes[j].way(self.centre(j))], radius, self.tubes[j + 1]) for j in joints]
        if self.robot.tool_frame.body == body:
            out.append(Tube(body, [begin, self.tool.start, self.tool.foot, self.grip[0]], radius, 0.85 * radius))
        elif not joints:
            ends = [frame.X_BF[:3, 3] for frame in self.robot.links.values() if frame.body == body]
            out += [Tube(body, [begin, end], radius, 0.85 * radius) for end in ends if np.linalg.norm(end - begin) > radius]
        return out

    def is_free_end(self, body: int) -> bool:
        """True where `body` carries neither a joint nor the tool: its tubes end in knobs of `KNOB` times their radius."""
        return not self.children(body) and self.robot.tool_frame.body != body

    def column(self, i: int) -> Tube:
        """Column of the pedestal of joint i: from below, from behind if the arm swings in a plane, else from a beam above."""
        axis, radius, centre = self.axes[i], self.tubes[0], self.centre(i)
        upright = abs(axis.z[2]) > 0.8
        if upright and self.hangs:
            top = centre + GALLOWS * self.scale * UP
            corner = top - np.array([1.12 * self.scale, 0.0, 0.0])
            corners = [corner, top, centre]
        elif upright:
            corners = [centre]
        else:
            behind = axis.z * (-1.0 if axis.z @ DEFAULT_VIEW > 0 else 1.0)
            corners = [centre + 3.2 * max(radius, self.housings[i].half) * behind, centre]
        foot = np.array([*corners[0][:2], self.floor])
        wide, narrow = (1.62, 1.22) if len(corners) == 1 else (1.12, 1.0)
        return Tube(-1, [foot, *corners], wide * radius, narrow * radius)

    def plate_height(self, i: int) -> float:
        """Height in m of the plate under the pedestal of joint i; its radius is 2.5 `tubes[0]`."""
        return float(min(0.55 * self.tubes[0], max(self.centre(i)[2] - self.floor, 0.2 * self.tubes[0])))

    def travel(self, i: int) -> tuple[float, float]:
        """Range in m that is drawn for prismatic joint i."""
        low, high = float(self.robot.q_min[i]), float(self.robot.q_max[i])
        low = low if np.isfinite(low) else -0.25 * self.scale
        return low, high if np.isfinite(high) else max(low, 0.0) + 0.5 * self.scale

    @property
    def grip(self) -> tuple[np.ndarray, float]:
        """Start `(3,)` and length of the gripper in m: it ends at a tool point ahead of the flange, else starts on the flange."""
        last = self.robot.tool_frame.body
        tool, longest = self.tool.origin, GRIP * self.tubes[last + 1]
        if self.hand_is_mass:
            return tool, 0.0
        start = self.tool.foot
        if last >= 0 and not self.robot.prismatic[last]:
            h = self.housings[last]
            across = abs(self.approach[2]) < 0.7
            face = h.radius if across else h.half
            if np.linalg.norm(start) < 2 * face:
                start = start + (0.0 if across else h.shift * self.approach[2]) * self.approach + face * self.approach
        room = float((tool - start) @ self.approach)
        if room > _FLAT * longest:
            length = min(room, longest)
            return tool - length * self.approach, length
        return tool - min(room, 0.0) * self.approach, longest

    @property
    def hand_is_mass(self) -> bool:
        """True where the tool point is a point mass or on a wheel, or the tool hangs on nothing that moves."""
        frame = self.robot.tool_frame
        if frame.body < 0 or self.is_wheel(frame.body):
            return True
        gap = float(np.linalg.norm(self.robot.bodies[frame.body].com - frame.X_BF[:3, 3]))
        return self.is_point_mass(frame.body) and gap < 0.05 * self.scale

    def mass_radius(self, i: int) -> float:
        """Radius in m of the ball that is drawn for the point mass of body i."""
        heaviest = max(b.mass for b in self.robot.bodies)
        return float(0.052 * self.scale * (self.robot.bodies[i].mass / heaviest) ** (1 / 3))

    def is_wheel(self, i: int) -> bool:
        """True where body i ends a branch, turns, and is round and flat about its own axis, far wider than its link."""
        body = self.robot.bodies[i]
        if self.robot.prismatic[i] or self.children(i) or body.mass == 0:
            return False
        across, other, axial = np.diag(body.inertia)
        on_axis = np.abs(body.com[:2]).max() <= 1e-9 and not np.any(body.inertia - np.diag((across, other, axial)))
        flat = np.isclose(across, other, rtol=1e-9) and axial > 1.2 * across
        return bool(on_axis and flat and self.wheel_radius(i) > WHEEL * self.tubes[i + 1])

    def wheel_radius(self, i: int) -> float:
        """Radius in m of body i as a wheel: its radius of gyration about its own axis."""
        body = self.robot.bodies[i]
        return float(np.sqrt(body.inertia[2, 2] / body.mass))

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


def clean_route(route: list[np.ndarray], eps: float) -> np.ndarray:
    """The route without repeated points and without corners that do not turn."""
    points = [np.asarray(route[0], float)]
    for p in route[1:]:
        if np.linalg.norm(p - points[-1]) > eps:
            points.append(np.asarray(p, float))
    k = 1
    while k < len(points) - 1:
        before, after = points[k] - points[k - 1], points[k + 1] - points[k]
        if np.linalg.norm(np.cross(before, after)) < 1e-3 * np.linalg.norm(before) * np.linalg.norm(after):
            del points[k]
            k = max(1, k - 1)
        else:
            k += 1
    return np.array(points)


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
    """The axis reached along the route that is nearer to the centre of mass of the `body` before it, by a tube's radius."""
    if body < 0 or robot.bodies[body].mass == 0:
        return axis
    aside = replace(axis, aside=True)
    along, beside = (_distance(robot.bodies[body].com, [np.zeros(3), *a.way(a.origin)]) for a in (axis, aside))
    return aside if along - beside > tubes[body + 1] else axis


def _distance(p: np.ndarray, way: list[np.ndarray]) -> float:
    """Distance in m of a point from a polyline."""
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
    """Direction in which the arm continues along the axis of joint j: +1 or -1."""
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
