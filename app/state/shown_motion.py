"""How the arm on screen moves, or is meant to move."""

from __future__ import annotations

import numpy as np

from armature.app.state.posed_motion import PosedMotion
from armature.app.state.replay import Replay
from armature.app.state.simulation import Simulation


def shown_motion(simulation: Simulation, replay: Replay, n: int) -> PosedMotion:
    """How the arm of n joints is meant to move, else how it moves, in a recording or by itself."""
    if simulation.motion is not None:
        return simulation.motion
    if replay.replaying:
        return PosedMotion(replay.open.qd[replay.row], replay.open.qdd[replay.row])
    latest = simulation.latest
    return PosedMotion(np.zeros(n), np.zeros(n)) if latest is None else PosedMotion(latest.qd, latest.qdd)
