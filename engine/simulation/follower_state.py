"""`FollowerState`: state of a second arm that has the torques of the simulated one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.model.frozen import Frozen


@dataclass(frozen=True, eq=False)
class FollowerState(Frozen):
    """State of a second arm: q, qd, qdd, tau `(n,)` in rad or m, per s and s², and N·m or N; `failure`: why it stopped."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    failure: str = ""
