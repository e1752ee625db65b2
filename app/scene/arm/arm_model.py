"""The solids of an arm, built from its skeleton: one mesh, every vertex on the slot of the body that carries it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.app.scene.arm.skeleton import GALLOWS, GRIP, TINY, UP, Skeleton, skeleton
from armature.app.scene.arm.wheel import is_wheel, wheel_mesh
from armature.app.scene.gl import palette
from armature.app.scene.gl.basic_solids import aligned, cylinder, rounded_box, sphere, tube
from armature.app.scene.gl.mesh import Mesh, joined
from armature.engine import Robot

_FLAT = 0.1  # of a gripper's length: below, there is no room for one between flange and tool point


def arm_mesh(robot: Robot) -> Mesh:
    """Drums on revolute axes, carriage and rail on prismatic ones, rounded tubes between, a pedestal and a gripper."""
    return ArmModel(skeleton(robot)).mesh()


class ArmModel:
    """Collects the solids of one skeleton."""

    def __init__(self, bones: Skeleton):
        self.bones = bones
        self.robot = bones.robot
        self.parts: list[Mesh] = []

    def mesh(self) -> Mesh:
        """Everything as one mesh."""
        for i in range(self.robot.n):
            if i in self.bones.jaws:
                continue
            self._joint(i)
            self._link(i)
            self._point_mass(i)
            if is_wheel(self.bones, i):
                self.parts.append(wheel_mesh(self.bones, i))
        for i in self.bones.children(-1):
            self._pedestal(i)
        self._hand()
        return joined(self.parts)

    def _add(self, mesh: Mesh, body: int, colour: str, housing: bool = False, gloss: float = 0.35) -> None:
        self.parts.append(mesh.painted(colour, slot=body + 1, housing=housing, gloss=gloss))

    def _joint(self, i: int) -> None:
        if self.robot.prismatic[i]:
            self._slide(i)
            return
        h = self.bones.housings[i]
        drum = cylinder(h.radius, h.shift - h.half, h.shift + h.half, bevel=0.14 * h.radius)
        self._add(drum, i, palette.HOUSING, housing=True, gloss=0.5)
        for side in {-1, 1} - self._tube_sides(i):
            face = h.shift + side * h.half
            low, high = sorted((face - side * 0.02 * h.radius, face + side * 0.055 * h.radius))
            self._add(cylinder(0.66 * h.radius, low, high, bevel=0.04 * h.radius), i, palette.ACCENT, housing=True, gloss=0.6)

    def _tube_sides(self, i: int) -> set[int]:
        """The ends of housing i (-1, 1) that a tube goes through; the others get a coloured cap."""
        h, axis = self.bones.housings[i], self.bones.axes[i]
        sides = {-int(np.sign(axis.arrival))} if abs(axis.arrival) > h.half else set()
        return sides | ({-int(np.sign(h.shift))} if abs(h.shift) > 0.9 * h.half else set())

    def _slide(self, i: int) -> None:
        """A carriage on the body before and a square rail through it; a first joint has the rail on the ground."""
        h, before = self.bones.housings[i], self.robot.bodies[i].parent
        low, high = self._travel(i)
        side = 2.2 * h.radius
        box = rounded_box((side, side), h.shift - 1.25 * h.half, h.shift + 1.25 * h.half, 0.3 * h.radius, 0.12 * h.radius)
        bar = 1.15 * self.bones.tubes[i + 1]
        X = self.robot.bodies[i].X_PJ
        if before < 0:
            rail = rounded_box((bar, bar), low - h.half, high + h.half, 0.2 * bar, 0.08 * bar).moved(X)
            self._add(rail, before, palette.RAIL, gloss=0.7)
            self._add(box, i, palette.HOUSING, housing=True, gloss=0.5)
            return
        self._add(box.moved(X), before, palette.HOUSING, housing=True, gloss=0.5)
        tail = high - h.shift + 1.6 * h.half
        self._add(rounded_box((bar, bar), -tail, 0.2 * bar, 0.2 * bar, 0.08 * bar), i, palette.RAIL, gloss=0.7)

    def _travel(self, i: int) -> tuple[float, float]:
        low, high = float(self.robot.q_min[i]), float(self.robot.q_max[i])
        low = low if np.isfinite(low) else -0.25 * self.bones.scale
        return low, high if np.isfinite(high) else max(low, 0.0) + 0.5 * self.bones.scale

    def _link(self, body: int) -> None:
        """Tubes from the housing of `body` to each joint it carries, and to the hand."""
        begin = self.bones.housings[body].shift * UP if not self.robot.prismatic[body] else np.zeros(3)
        for j in self.bones.children(body):
            route = [begin, *self.bones.axes[j].way(self.bones.centre(j))]
            self._tube(body, route, self.bones.tubes[body + 1], self.bones.tubes[j + 1])
        frame = self.robot.frames[self.robot.tool]
        if frame.body == body:
            route = [begin, self.bones.tool.start, self.bones.tool.foot, self._grip()[0]]
            self._tube(body, route, self.bones.tubes[body + 1], 0.85 * self.bones.tubes[body + 1])
        elif not self.bones.children(body):
            self._free_end(body, begin)

    def _free_end(self, body: int, begin: np.ndarray) -> None:
        """Of a tree: a tube to the frame of a last link that does not carry the tool, and a knob there."""
        radius = self.bones.tubes[body + 1]
        for frame in self.robot.links.values():
            end = frame.X_BF[:3, 3]
            if frame.body == body and np.linalg.norm(end - begin) > radius:
                self._tube(body, [begin, end], radius, 0.85 * radius)
                self._add(sphere(1.3 * radius).moved(aligned(UP, end)), body, palette.HOUSING, gloss=0.5)

    def _tube(self, body: int, route: list[np.ndarray], first: float, last: float, colour: str | None = None) -> None:
        points = _cleaned(route, TINY * self.bones.scale)
        if len(points) < 2:
            return
        at = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
        solid = tube(points, first + (last - first) * at / at[-1], bend=1.7 * max(first, last))
        self._add(solid, body, colour or palette.LINKS[(body + 1) % len(palette.LINKS)])

    def _point_mass(self, i: int) -> None:
        if not self.bones.is_point_mass(i):
            return
        body = self.robot.bodies[i]
        heaviest = max(b.mass for b in self.robot.bodies)
        radius = 0.052 * self.bones.scale * (body.mass / heaviest) ** (1 / 3)
        self._add(sphere(radius).moved(aligned(UP, body.com)), i, palette.MASS, gloss=0.8)
        if not self.robot.prismatic[i]:
            self._tube(i, [np.zeros(3), body.com], 0.9 * self.bones.tubes[i + 1], 0.9 * self.bones.tubes[i + 1])

    def _pedestal(self, i: int) -> None:
        """A foot and a column to the first joint: from below, from behind where it swings in a plane, else from a beam above."""
        axis, radius, floor = self.bones.axes[i], self.bones.tubes[0], self.bones.floor
        centre = self.bones.centre(i)
        upright = abs(axis.z[2]) > 0.8
        if upright and self.bones.hangs:
            top = centre + GALLOWS * self.bones.scale * UP
            corner = top - np.array([1.12 * self.bones.scale, 0.0, 0.0])
            foot = np.array([corner[0], corner[1], floor])
            route = [foot, corner, top, centre]
        elif upright:
            foot = np.array([centre[0], centre[1], floor])
            route = [foot, centre]
        else:
            behind = axis.z * (-1.0 if axis.z @ palette.DEFAULT_VIEW > 0 else 1.0)
            corner = centre + 3.2 * max(radius, self.bones.housings[i].half) * behind
            foot = np.array([corner[0], corner[1], floor])
            route = [foot, corner, centre]
        height = min(0.55 * radius, max(centre[2] - floor, 0.2 * radius))
        route[0] = foot + 0.3 * height * UP  # within the plate: two faces in one plane flicker
        self._tube(-1, route, *((1.62 * radius, 1.22 * radius) if len(route) == 2 else (1.12 * radius, radius)), palette.PEDESTAL)
        plate = cylinder(2.5 * radius, 0.0, height, bevel=0.16 * radius, segments=56).moved(aligned(UP, foot))
        self._add(plate, -1, palette.HOUSING, gloss=0.4)
        collar = cylinder(1.9 * radius, height, height * 1.3, bevel=0.06 * radius).moved(aligned(UP, foot))
        self._add(collar, -1, palette.PEDESTAL)

    def _grip(self) -> tuple[np.ndarray, float]:
        """Where the gripper begins and its length: it ends at a tool point ahead of the flange, else begins on the flange."""
        bones, last = self.bones, self.robot.frames[self.robot.tool].body
        tool, longest = bones.tool.origin, GRIP * bones.tubes[last + 1]
        if self._hand_is_mass():
            return tool, 0.0
        start = bones.tool.foot
        if last >= 0 and not self.robot.prismatic[last]:
            h = bones.housings[last]
            across = abs(bones.approach[2]) < 0.7
            face = h.radius if across else h.half
            if np.linalg.norm(start) < 2 * face:
                start = start + (0.0 if across else h.shift * bones.approach[2]) * bones.approach + face * bones.approach
        room = float((tool - start) @ bones.approach)
        if room > _FLAT * longest:
            length = min(room, longest)
            return tool - length * bones.approach, length
        return tool - min(room, 0.0) * bones.approach, longest

    def _hand_is_mass(self) -> bool:
        """True where the tool point is a point mass or on a wheel, or the tool hangs on nothing that moves."""
        frame = self.robot.frames[self.robot.tool]
        if frame.body < 0 or is_wheel(self.bones, frame.body):
            return True
        gap = float(np.linalg.norm(self.robot.bodies[frame.body].com - frame.X_BF[:3, 3]))
        return self.bones.is_point_mass(frame.body) and gap < 0.05 * self.bones.scale

    def _hand(self) -> None:
        """A palm with two fingers along the tool's y axis, or with the jaws of the arm, which slide with their joints."""
        if self._hand_is_mass():
            return
        frame, bones = self.robot.frames[self.robot.tool], self.bones
        r, (start, length) = bones.tubes[frame.body + 1], self._grip()
        jaws = [self._jaw(i, start) for i in sorted(bones.jaws)]
        X = aligned(bones.approach, start, x=jaws[0].outward if jaws else frame.X_BF[:3, 1])
        width = max([2.9 * r, *(2.0 * jaw.travel + r for jaw in jaws)])
        palm = rounded_box((width, 1.5 * r), 0.12 * length, 0.52 * length, 0.35 * r, 0.16 * r)
        wrist = cylinder(1.05 * r, -0.02 * length, 0.16 * length, bevel=0.1 * r)
        self._add(joined([palm, wrist]).moved(X), frame.body, palette.HAND, gloss=0.5)
        finger = rounded_box((0.42 * r, 1.0 * r), 0.5 * length, length, 0.16 * r, 0.1 * r)
        for jaw in jaws:
            X_BF = aligned(bones.approach, start + (0.21 * r - jaw.closed) * jaw.outward, x=jaw.outward)
            X_JB = np.linalg.inv(self.robot.bodies[jaw.body].X_PJ)
            self._add(finger.moved(X_JB @ X_BF), jaw.body, palette.FINGER, housing=True, gloss=0.5)
        for side in (-1.0, 1.0) if not jaws else (-1.0,) if len(jaws) == 1 else ():
            place = finger.moved(aligned(UP, [side * (0.21 if jaws else 0.95) * r, 0.0, 0.0]))
            self._add(place.moved(X), frame.body, palette.FINGER, gloss=0.5)

    def _jaw(self, i: int, start: np.ndarray) -> _Jaw:
        """The jaw of finger i of a gripper that begins at `start`: closed at the limit where it is nearest to the middle."""
        X_PJ = self.robot.bodies[i].X_PJ
        middle = float((X_PJ[:3, 3] - start) @ X_PJ[:3, 2])
        limits = np.array([self.robot.q_min[i], self.robot.q_max[i]], float)
        limits = limits if np.isfinite(limits).all() else np.zeros(2)
        side = -1.0 if middle + limits.mean() < 0.0 else 1.0
        return _Jaw(i, side * X_PJ[:3, 2], float((side * limits).min()), float(np.ptp(limits)))


class _Jaw(NamedTuple):
    """A finger that slides `outward` `(3,)`, in axes of the hand's body, from its position `closed` in m on a `travel` in m."""

    body: int
    outward: np.ndarray
    closed: float
    travel: float


def _cleaned(route: list[np.ndarray], eps: float) -> np.ndarray:
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
