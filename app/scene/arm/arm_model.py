"""The solids of an arm, built from its skeleton: one mesh, every vertex on the slot of the body that carries it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature.app.scene.arm.wheel import wheel_mesh
from armature.app.scene.gl import palette
from armature.app.scene.gl.basic_solids import aligned, cylinder, rounded_box, sphere, tube
from armature.app.scene.gl.mesh import Mesh, joined
from armature.engine import Robot
from armature.engine.model.drawn_hand import drawn_hand
from armature.engine.model.skeleton import KNOB, TINY, UP, Skeleton, Tube, clean_route, skeleton


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
            if self.bones.is_wheel(i):
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
        low, high = self.bones.travel(i)
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

    def _link(self, body: int) -> None:
        """Tubes from the housing of `body` to each joint it carries and to the hand, with a knob at a free end."""
        bones = self.bones
        for tube_ in bones.tubes_of(body):
            self._tube(tube_)
            if bones.is_free_end(body):
                self._add(sphere(KNOB * tube_.first).moved(aligned(UP, tube_.route[-1])), body, palette.HOUSING, gloss=0.5)

    def _tube(self, part: Tube, colour: str | None = None) -> None:
        points, first, last = clean_route(part.route, TINY * self.bones.scale), part.first, part.last
        if len(points) < 2:
            return
        at = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
        solid = tube(points, first + (last - first) * at / at[-1], bend=1.7 * max(first, last))
        self._add(solid, part.body, colour or palette.LINKS[(part.body + 1) % len(palette.LINKS)])

    def _point_mass(self, i: int) -> None:
        if not self.bones.is_point_mass(i):
            return
        com, radius = self.robot.bodies[i].com, 0.9 * self.bones.tubes[i + 1]
        self._add(sphere(self.bones.mass_radius(i)).moved(aligned(UP, com)), i, palette.MASS, gloss=0.8)
        if not self.robot.prismatic[i]:
            self._tube(Tube(i, [np.zeros(3), com], radius, radius))

    def _pedestal(self, i: int) -> None:
        """A foot and a column to the first joint."""
        column, radius, height = self.bones.column(i), self.bones.tubes[0], self.bones.plate_height(i)
        foot, *corners = column.route
        start = foot + 0.3 * height * UP  # within the plate: two faces in one plane flicker
        self._tube(replace(column, route=[start, *corners]), palette.PEDESTAL)
        plate = cylinder(2.5 * radius, 0.0, height, bevel=0.16 * radius, segments=56).moved(aligned(UP, foot))
        self._add(plate, -1, palette.HOUSING, gloss=0.4)
        collar = cylinder(1.9 * radius, height, height * 1.3, bevel=0.06 * radius).moved(aligned(UP, foot))
        self._add(collar, -1, palette.PEDESTAL)

    def _hand(self) -> None:
        """A palm with two fingers along the tool's y axis, or with the jaws of the arm, which slide with their joints."""
        hand = drawn_hand(self.bones)
        if hand is None:
            return
        r, length = hand.radius, hand.length
        palm = rounded_box((hand.width, 1.5 * r), 0.12 * length, 0.52 * length, 0.35 * r, 0.16 * r)
        wrist = cylinder(1.05 * r, -0.02 * length, 0.16 * length, bevel=0.1 * r)
        self._add(joined([palm, wrist]).moved(hand.X_BH), hand.body, palette.HAND, gloss=0.5)
        finger = rounded_box((0.42 * r, 1.0 * r), 0.5 * length, length, 0.16 * r, 0.1 * r)
        for body, X_BF in hand.fingers:
            self._add(finger.moved(X_BF), body, palette.FINGER, housing=body != hand.body, gloss=0.5)
