"""`RowHandleItem`: handles at a frame of the DH table by which its row is changed: lengths, angles, both lengths at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.gl import palette
from armature.app.scene.overlays.dh_walk import subscript
from armature.app.scene.overlays.kinematics.length_item import frames_of_rows
from armature.app.scene.overlays.sketch.sketch import Sketch, SketchArrow, Stroke
from armature.app.scene.overlays.sketch.sketch_item import SketchItem
from armature.app.state.number_marks import MINUS
from armature.app.state.units import Units
from armature.engine.model.dh_table import STANDARD, DHTable

LENGTH, GAP, RADIUS, ORIGIN = 0.11, 0.04, 0.115, 0.028  # of arrows, before them, of arcs, half the square's side; in reaches
ARC = np.radians(np.linspace(14.0, 66.0, 14))  # from the axis that turns: the arc keeps clear of it and of its frame's next one
FRAME = "frame"
COLOURS = {"d": palette.AXIS_Z, "theta": palette.AXIS_Z, "a": palette.AXIS_X, "alpha": palette.AXIS_X, FRAME: "#8a94a0"}
LETTERS = {"d": "d", "a": "a", "theta": "θ", "alpha": "α"}


class RowHandle(NamedTuple):
    """What is taken hold of at `line` `(k, 3)` in W: a length, which grows along the unit vector `axis`; an angle, which turns
    about it through `centre`; or "frame", both lengths at once in the plane that `axis` stands on. `value` is what the file says,
    m or rad, and `name` tells it."""

    quantity: str
    name: str
    value: float
    axis: np.ndarray
    centre: np.ndarray
    line: np.ndarray

    @property
    def turns(self) -> bool:
        """Whether it is an angle."""
        return self.quantity in ("theta", "alpha")


class RowHandleItem(SketchItem):
    """Shows nothing until a joint is chosen; the handle that is `lit` stands out."""

    def __init__(self) -> None:
        super().__init__()
        self.joint, self.lit = -1, ""
        self.handles: tuple[RowHandle, ...] = ()
        self._ways: tuple[np.ndarray, ...] = ()

    def show(self, pose: Pose | None, joint: int) -> None:
        """The handles of a joint's row, 0-based, at this pose; −1 for none."""
        dh = None if pose is None else pose.robot.dh
        self.joint = joint
        fits = pose is not None and dh is not None and 0 <= joint < dh.n
        self.handles, self._ways = _handles(pose, joint, self.units) if fits and pose is not None else ((), ())
        self._draw_anew()

    def light(self, quantity: str) -> None:
        """Let one of them stand out; none for ""."""
        self.lit = quantity
        self._draw_anew()

    def _draw_anew(self) -> None:
        arrows, strokes = [], []
        for handle in self.handles:
            lit = handle.quantity == self.lit
            colour = palette.SELECTED if lit else COLOURS[handle.quantity]
            if handle.quantity == FRAME:
                strokes.append(Stroke(handle.line, colour, 4.0 if lit else 2.5))
                continue
            name = handle.name if lit or not handle.turns else handle.name.partition(" ")[0]
            arrows.append(SketchArrow(handle.line[-4 if handle.turns else 0], handle.line[-1], colour, name, thin=handle.turns))
            if handle.turns:
                strokes.append(Stroke(handle.line[:-2], colour, 3.0))
        strokes += [Stroke(way, COLOURS[quantity], 3.0) for quantity, way in zip("da", self._ways, strict=False)]
        self.set_sketch(Sketch(tuple(arrows), tuple(strokes)) if arrows else None)


def _handles(pose: Pose, joint: int, units: Units) -> tuple[tuple[RowHandle, ...], tuple[np.ndarray, ...]]:
    """What the convention lets a row do, and the ways `(2, 3)` that its d and a go.

    Standard: θ and d about and along z of the frame before, then a and α along and about the frame's own x. Modified: α and a
    about and along x of the frame before, then θ and d about and along the frame's own z.
    """
    dh, reach = pose.robot.dh, pose.robot.reach
    assert dh is not None
    X, standard = frames_of_rows(pose), dh.convention == STANDARD
    _, d, a, _ = dh.rows(pose.q)[joint]
    before, frame = X[joint], X[joint + 1]
    z, x = (before[:3, 2], frame[:3, 0]) if standard else (frame[:3, 2], before[:3, 0])
    origin = frame[:3, 3]
    corner = before[:3, 3] + (d * z if standard else a * x)
    ways = dict(zip("da" if standard else "ad", ((before[:3, 3], corner), (corner, origin)), strict=True))
    index = {"d": joint + 1, "theta": joint + 1, "a": joint + standard, "alpha": joint + standard}
    names = {quantity: _name(dh, joint, quantity, subscript(k), units) for quantity, k in index.items()}
    size = ORIGIN * reach
    square = origin + size * np.array([x + z, x - z, -x - z, -x + z, x + z])
    found = [RowHandle(FRAME, f"Origin of frame {joint + 1}", 0.0, np.cross(z, x), origin, square)]
    for quantity, axis in (("d", z), ("a", x)):
        start = ways[quantity][1] + GAP * reach * axis
        line = np.array([start, start + LENGTH * reach * axis])
        found.append(RowHandle(quantity, names[quantity], float(vars(dh)[quantity][joint]), axis, start, line))
    for quantity, axis, moved, centre in (
        ("theta", z, frame[:3, 0], corner if standard else origin),
        ("alpha", x, frame[:3, 2], origin if standard else corner),
    ):
        line = centre + RADIUS * reach * (np.cos(ARC)[:, None] * moved + np.sin(ARC)[:, None] * np.cross(axis, moved))
        found.append(RowHandle(quantity, names[quantity], float(vars(dh)[quantity][joint]), axis, centre, line))
    return tuple(found), tuple(np.array(ways[quantity]) for quantity in "da")


def _name(dh: DHTable, joint: int, quantity: str, index: str, units: Units) -> str:
    """The quantity with its value; of the joint's own variable the offset that q is added to."""
    value, length = float(vars(dh)[quantity][joint]), quantity in "da"
    symbol = LETTERS[quantity] + index
    if quantity != ("d" if dh.prismatic[joint] else "theta"):
        return f"{symbol} = {units.text(value, length)}"
    return f"{symbol} = q{subscript(joint + 1)} {MINUS if value < 0 else '+'} {units.text(abs(value), length)}"
