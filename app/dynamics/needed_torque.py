"""The inverse problem: what the motors must give for a motion that is wanted."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.state.posed_motion import PosedMotion
from armature.engine.model.read_only import read_only

if TYPE_CHECKING:
    from armature.engine import Robot
    from armature.engine.simulation.snapshot import Snapshot


def needed(holding: Robot, bare: Robot, stands: Snapshot, motion: PosedMotion) -> Snapshot:
    """The arm as it `stands`, moving as it is meant to: tau = M qdd + C qd + g + friction + payload.

    `holding` is the arm with what its tool holds, `bare` the one with empty hands.
    """
    q, qd, qdd, none = stands.q, motion.qd, motion.qdd, np.zeros(bare.n)
    gravity = engine.gravity_torque(bare, q)
    inertia, coriolis = engine.mass_matrix(bare, q) @ qdd, engine.rnea(bare, q, qd, none) - gravity
    payload = none if holding is bare else engine.rnea(holding, q, qd, qdd) - inertia - coriolis - gravity
    terms = {"inertia": inertia, "coriolis": coriolis, "gravity": gravity, "payload": payload}
    terms |= {"friction": engine.friction_torque(bare, qd), "external": none, "stop": none}
    return replace(
        stands,
        qd=read_only(qd),
        qdd=read_only(qdd),
        tau=read_only(sum(terms.values(), none)),
        tau_terms=MappingProxyType({name: read_only(term) for name, term in terms.items()}),
        kinetic=float(engine.kinetic_energy(bare, q, qd)),
    )
