"""`Ledger`: energy of a simulated arm and the works on it; `EnergyAccount`: its sums while the arm moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.dynamics.energy import kinetic_energy, potential_energy
from armature.engine.model.robot import Robot


@dataclass(frozen=True)
class Ledger:
    """Energies in J since the arm was placed.

    kinetic + potential = start + motor + friction + hand + stop + payload + residual:  `start`: initial energy; works of `motor`,
    `friction` (≤ 0), `hand` (external wrenches) and `stop` (≤ 0, impacts); `payload`: change by grasping, releasing or
    another model.
    """

    kinetic: float
    potential: float
    start: float
    motor: float
    friction: float
    hand: float
    stop: float
    payload: float

    @property
    def works(self) -> dict[str, float]:
        """Works on the arm, J by name."""
        return {"motor": self.motor, "friction": self.friction, "hand": self.hand, "stop": self.stop, "payload": self.payload}

    @property
    def change(self) -> float:
        """kinetic + potential − start, J."""
        return self.kinetic + self.potential - self.start

    @property
    def residual(self) -> float:
        """The integrator's error, J."""
        return self.change - sum(self.works.values())


def mechanical_energy(robot: Robot, q: np.ndarray, qd: np.ndarray) -> float:
    """Kinetic and potential energy together, J; 0 for an arm without masses."""
    return float(kinetic_energy(robot, q, qd) + potential_energy(robot, q)) if robot.has_dynamics else 0.0


class EnergyAccount:
    """Energy sums of a simulated arm, if `active`; `work` `(4,)`: works in the order of `Ledger`, J."""

    def __init__(self, active: bool):
        self.active = active
        self.work = np.zeros(4)
        self._start = self._brought = 0.0

    def open(self, robot: Robot, q: np.ndarray, qd: np.ndarray) -> None:
        """Restart at q, qd `(n,)`."""
        self.work[:], self._brought = 0.0, 0.0
        self._start = mechanical_energy(robot, q, qd) if self.active else 0.0

    def exchange(self, robot: Robot, other: Robot, q: np.ndarray, qd: np.ndarray) -> None:
        """Add the change of energy when `robot` becomes `other` at q, qd `(n,)`."""
        if self.active:
            self._brought += mechanical_energy(other, q, qd) - mechanical_energy(robot, q, qd)

    def ledger(self, robot: Robot, q: np.ndarray, qd: np.ndarray) -> Ledger:
        """Return the ledger at q, qd `(n,)`."""
        kinetic, potential = float(kinetic_energy(robot, q, qd)), float(potential_energy(robot, q))
        motor, friction, hand, stop = self.work.tolist()
        return Ledger(kinetic, potential, self._start, motor, friction, hand, stop, self._brought)
