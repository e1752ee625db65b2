"""`ColumnItem`: columns of a Jacobian at the point that it is of: one as velocity and turn, those of a motion as a chain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.dh_walk import subscript
from armature.app.scene.overlays.newton_euler.arrow_mesh import ArrowMesh
from armature.app.scene.overlays.newton_euler.placed_arrows import ARROW, PlacedArrows
from armature.app.scene.overlays.newton_euler.rnea_walk import RAD, Arrow, M
from armature.engine.kinematics.jacobian import body_jacobian

CHAIN, COLUMN = 0.5, 0.35  # reaches: the way of a chain along its arrows, and the longest column
STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)
TURN = 0.3  # of the largest ring's radius squared
STILL = 1e-9  # m/s or rad/s that count as none


class Columns(NamedTuple):
    """Of the Jacobian of the point `p_B` `(3,)` of a body: the column of `joint`, -1 for none, and all times `qd` `(n,)`."""

    body: int
    p_B: np.ndarray
    joint: int
    qd: np.ndarray


class ColumnItem(PoseItem):
    """Velocities are drawn to one scale, so that those of the joints add up to that of the point."""

    def __init__(self):
        super().__init__(depth=35)
        self.columns: Columns | None = None
        self.placed, self._reach = PlacedArrows(), 1.0
        self.setVisible(False)

    def clear(self) -> None:
        self.set_columns(None)

    def set_columns(self, columns: Columns | None) -> None:
        """Show these; None for nothing."""
        self.columns = columns
        self.setVisible(columns is not None)
        self.follow_again()

    def follow(self, pose: Pose) -> None:
        arrows: list[Arrow] = []
        self._reach = pose.robot.reach
        if self.columns is not None:
            X = pose.slots[self.columns.body + 1]
            at = X[:3, :3] @ self.columns.p_B + X[:3, 3]
            J = body_jacobian(pose.robot, pose.q, self.columns.body, self.columns.p_B)
            scale = self._scale(J, self.columns.qd)
            arrows = [*self._chain(at, J, self.columns, scale), *self._column(at, J, self.columns.joint, scale)]
        self.placed.place(arrows, self._reach)

    def _scale(self, J: np.ndarray, qd: np.ndarray) -> float:
        """Metres that 1 m/s is drawn long."""
        way, longest = (float(x) for x in (np.linalg.norm(J[:3] * qd, axis=0).sum(), np.linalg.norm(J[:3], axis=0).max()))
        if way > STILL:
            return _round(CHAIN * self._reach / way)
        return COLUMN * self._reach / longest if longest > STILL else 0.0

    def _column(self, at: np.ndarray, J: np.ndarray, joint: int, scale: float) -> list[Arrow]:
        """What the point does while this joint alone moves at 1 rad/s or 1 m/s."""
        if joint < 0:
            return []
        name = subscript(joint + 1)
        return [self._arrow("a_c", f"v{name}", at, J[:3, joint], scale), self._ring("wd", f"ω{name}", at, J[3:, joint])]

    def _chain(self, at: np.ndarray, J: np.ndarray, columns: Columns, scale: float) -> list[Arrow]:
        """Each column times its joint's speed, one after the other, and what they come to."""
        out, place = [], at
        for k, way in enumerate((J[:3] * columns.qd).T):
            if np.linalg.norm(way) > STILL:
                name = subscript(k + 1)
                out.append(self._arrow("a", f"J{name}q̇{name}", place, way, scale, thin=k != columns.joint))
                place = place + scale * way
        v, w = J[:3] @ columns.qd, J[3:] @ columns.qd
        return [*out, self._arrow("v", "v", at, v, scale), self._ring("w", "ω", at, w)]

    def _arrow(self, kind: str, symbol: str, at, vector, scale: float, thin: bool = False) -> Arrow:
        """An arrow whose drawn length is that of the vector times `scale`."""
        size = float(np.linalg.norm(vector))
        length = scale * size if size > STILL else 0.0
        return Arrow(kind, symbol, at, vector, M, False, (length / (ARROW * self._reach)) ** 2, thin)

    def _ring(self, kind: str, symbol: str, at, vector) -> Arrow:
        return Arrow(kind, symbol, at, vector, RAD, True, TURN if np.linalg.norm(vector) > STILL else 0.0)

    def draw(self, frame: FrameState) -> None:
        self.placed.draw(frame, lambda: self.held("arrows", ArrowMesh))

    def labels(self, frame: FrameState) -> list[Label]:
        """The symbol at every head and ring, under it how fast."""
        return self.placed.labels(frame) if self.visible() else []


def _round(scale: float) -> float:
    """The next of STEPS times a power of ten, so that arrows do not change their scale at every moment."""
    power = 10.0 ** np.floor(np.log10(scale))
    return float(power * max(step for step in STEPS if step * power <= scale * (1 + 1e-9)))
