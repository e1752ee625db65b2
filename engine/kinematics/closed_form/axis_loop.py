"""The loop of six joints that a pose closes, cut where three special axes come to stand as a closed form wants them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.kinematics.closed_form.six_axes import SPHERICAL, SixAxes


@dataclass(frozen=True, eq=False)
class CutLoop:
    """Six joints in the order they have from the cut on, and the pose that the last of them then takes.

    `order` the joints' places in the arm; `X` `(6, 4, 4)` the placement of each in the one before, the first in the frame of
    `X_W6`, the pose of body 6; `turns` which joints turn; `centre3`, `centre6` `(3,)` where the last three axes meet, in the
    frames of bodies 3 and 6 (of three axes through one point); `size` the reach in m.
    """

    order: tuple[int, ...]
    X: np.ndarray
    X_W6: np.ndarray
    turns: tuple[bool, ...]
    centre3: np.ndarray
    centre6: np.ndarray
    size: float


def cut_loop(six: SixAxes, X_WF: np.ndarray) -> CutLoop:
    """The loop that the pose X_WF `(4, 4)` closes, cut so that axes through one point come last, parallel ones second to fourth.

    X₁ J₁ X₂ J₂ … X₆ J₆ X_6F = X_WF is a loop J₁ X₂ J₂ … J₆ G₁ = 1 with G₁ = X_6F X_WF⁻¹ X₁, in which any joint may be the first.
    """
    start = (six.first + (3 if six.kind == SPHERICAL else -1)) % 6
    G = six.X.copy()
    G[0] = six.X_6F @ np.linalg.solve(X_WF, six.X[0])
    order = tuple((start + k) % 6 for k in range(6))
    X = G[list(order)]
    X[0] = np.eye(4)
    host = X[3]
    centre3 = host[:3, :3] @ np.array([0.0, 0.0, six.meet[0]]) + host[:3, 3]
    turns = tuple(six.turns[i] for i in order)
    return CutLoop(order, X, np.linalg.inv(G[start]), turns, centre3, np.array([0.0, 0.0, six.meet[1]]), six.size)
