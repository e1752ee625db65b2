"""`TorqueSum`: the torque at the arrow as the block *Dynamics* writes it, M q̈ + C q̇ + g + ε = τ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from armature.app.block_diagram.diagram_signals import brief

if TYPE_CHECKING:
    from armature.engine.simulation.snapshot import Snapshot

NEEDED = "Motor torque required to hold the arm or to follow the entered motion; no controller is active"
EPSILON = "ε: sum of all other torques: friction, joint stops and external forces."
OTHERS = {"friction": "friction", "stop": "stop", "external": "external"}  # terms of ε
SMALL = 1e-9  # of the largest torque: rounding


@dataclass(frozen=True, eq=False)
class TorqueSum:
    """`tau` `(n,)` and its `terms` by name, in N·m or N; `needed` where it is what would have to be given."""

    tau: np.ndarray
    terms: Mapping[str, np.ndarray]
    needed: bool

    @property
    def epsilon(self) -> np.ndarray:
        """τ − M q̈ − C q̇ − g `(n,)`, the load's share of these with them."""
        return self.tau - self._model

    @property
    def _model(self) -> np.ndarray:
        return sum((self.terms[name] for name in ("inertia", "coriolis", "gravity", "payload")), np.zeros(len(self.tau)))

    @property
    def words(self) -> str:
        """What ε is made of now."""
        largest = max(float(np.abs(self.tau).max()), *(float(np.abs(term).max()) for term in self.terms.values()), SMALL)
        if np.abs(self.epsilon).max() <= SMALL * largest:
            return "ε = 0"
        return f"ε: {', '.join(word for name, word in OTHERS.items() if np.abs(self.terms[name]).max() > SMALL * largest)}"

    def lines(self, joints: Sequence[str], prismatic: np.ndarray) -> list[str]:
        """The equation of each joint in numbers."""
        model = [self.terms["inertia"], self.terms["coriolis"], self.terms["gravity"], self.epsilon, self.tau]
        load, out = self.terms["payload"], []
        for k, (joint, slides) in enumerate(zip(joints, prismatic)):
            inertia, coriolis, gravity, epsilon, tau = (brief(float(term[k])) for term in model)
            carried = f" + load {brief(float(load[k]))}" if load.any() else ""
            unit = "N" if slides else "N·m"
            out.append(f"{joint}:  M q̈ {inertia} + C q̇ {coriolis} + g {gravity}{carried} + ε {epsilon} = τ {tau} {unit}")
        return out


def is_held(stands: Snapshot) -> bool:
    """Whether motors are taken to hold the arm that `stands`: nothing moves, and nothing but weight is borne."""
    terms = stands.tau_terms
    bears = np.allclose(stands.tau, terms["gravity"] + terms["payload"], rtol=0.0, atol=1e-9)
    return bears and not stands.qd.any() and not stands.qdd.any()
