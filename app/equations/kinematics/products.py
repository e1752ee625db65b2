"""The product of matrices up to a frame: by the rows of the DH table, or by the parts of each joint's matrix."""

from __future__ import annotations

import numpy as np

from armature.app.equations.kinematics.arm_frames import ArmFrames
from armature.engine.model.dh_table import STANDARD, translate
from armature.engine.rotations import rot_x, rot_z


def parts(frames: ArmFrames, k: int, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A_k = origin · motion · end: the joint in the frame before, what it does at q, the link's frame on it; `(4, 4)` each."""
    frame = frames.frames[k]
    body, x = frames.robot.tree.bodies[frame.body], float(frames.tree_q(q)[frame.body])
    origin = np.linalg.inv(frames.frames[frame.before].X_BF) @ body.X_PJ
    return origin, translate(0, 0, x) if frames.slides(k) else rot_z(x), frame.X_BF


def by_table(frames: ArmFrames, k: int, q: np.ndarray) -> np.ndarray:
    """The pose of frame k as the product of the table's rows, or of the joints' parts, `(4, 4)`."""
    X, dh = frames.frames[0].X_BF, frames.robot.dh
    for at in frames.path(k):
        if frames.is_tool(at):
            tool = frames.frames[at]
            X = X @ np.linalg.inv(frames.frames[tool.before].X_BF) @ tool.X_BF
        elif dh is None:
            origin, motion, end = parts(frames, at, q)
            X = X @ origin @ motion @ end
        else:
            X = X @ dh_matrix(dh.convention, *dh.rows(q)[at - 1])
    return X


def dh_matrix(convention: str, theta: float, d: float, a: float, alpha: float) -> np.ndarray:
    """A_i of a row, `(4, 4)`."""
    along_z, along_x = rot_z(theta) @ translate(0, 0, d), translate(a, 0, 0) @ rot_x(alpha)
    return along_z @ along_x if convention == STANDARD else along_x @ along_z
