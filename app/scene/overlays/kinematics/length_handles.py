"""`LengthHandleItem`: arrows at a row of the DH table by which its lengths are pulled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.gl import palette
from armature.app.scene.overlays.dh_walk import subscript
from armature.app.scene.overlays.kinematics.length_item import frames_of_rows
from armature.app.scene.overlays.sketch.sketch import Sketch, SketchArrow, Stroke
from armature.app.scene.overlays.sketch.sketch_item import SketchItem
from armature.app.state.units import Units
from armature.engine.model.dh_table import STANDARD

LENGTH = 0.11  # of an arrow, in reaches
QUANTITIES = ("d", "a")


class LengthHandle(NamedTuple):
    """The length `quantity` of a row, `value` m in the file: from `start` `(3,)` in W along the unit vector `way` to `end`, from
    where the arrow points on to `tip`."""

    quantity: str
    symbol: str
    value: float
    start: np.ndarray
    end: np.ndarray
    way: np.ndarray
    tip: np.ndarray


class LengthHandleItem(SketchItem):
    """Shows nothing until a joint is chosen; the handle that is `lit` stands out."""

    def __init__(self) -> None:
        super().__init__()
        self.joint, self.lit = -1, ""
        self.units = Units()
        self.handles: tuple[LengthHandle, ...] = ()

    def show(self, pose: Pose | None, joint: int) -> None:
        """The lengths of a joint's row, 0-based, at this pose; −1 for none."""
        dh = None if pose is None else pose.robot.dh
        self.joint = joint
        fits = pose is not None and dh is not None and 0 <= joint < dh.n
        self.handles = _handles(pose, joint) if fits and pose is not None else ()
        self._draw_anew()

    def light(self, quantity: str) -> None:
        """Let one of them stand out; none for ""."""
        self.lit = quantity
        self._draw_anew()

    def _draw_anew(self) -> None:
        arrows, strokes = [], []
        for handle in self.handles:
            own = palette.AXIS_Z if handle.quantity == "d" else palette.AXIS_X
            colour = palette.SELECTED if handle.quantity == self.lit else own
            name = f"{handle.symbol} = {self.units.text(handle.value, True)}"
            arrows.append(SketchArrow(handle.end, handle.tip, colour, name))
            strokes.append(Stroke(np.array([handle.start, handle.end]), own, 3.0))
        self.set_sketch(Sketch(tuple(arrows), tuple(strokes)) if arrows else None)


def _handles(pose: Pose, joint: int) -> tuple[LengthHandle, ...]:
    """d along z and a along x, in the order of the convention's moves."""
    dh, reach = pose.robot.dh, pose.robot.reach
    assert dh is not None
    X, standard = frames_of_rows(pose), dh.convention == STANDARD
    _, d, a, _ = dh.rows(pose.q)[joint]
    start, end = X[joint], X[joint + 1]
    z, x = (start, end) if standard else (end, start)
    ways = {"d": z[:3, 2], "a": x[:3, 0]}
    corner = start[:3, 3] + (d * ways["d"] if standard else a * ways["a"])
    first, second = (start[:3, 3], corner), (corner, end[:3, 3])
    along = {"d": first, "a": second} if standard else {"a": first, "d": second}
    index = {"d": subscript(joint + 1), "a": subscript(joint + standard)}
    found = []
    for quantity in QUANTITIES:
        begin, stop = along[quantity]
        tip = stop + LENGTH * reach * ways[quantity]
        value = float(vars(dh)[quantity][joint])
        found.append(LengthHandle(quantity, quantity + index[quantity], value, begin, stop, ways[quantity], tip))
    return tuple(found)
