"""What the worker shows the world: one frozen `Snapshot`, and `Event`s for what must not be missed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from engine.dynamics.energy import kinetic_energy, potential_energy
from engine.dynamics.friction import friction_torque
from engine.dynamics.mass_matrix import mass_matrix
from engine.dynamics.newton_euler import gravity_torque, rnea
from engine.kinematics.poses import link_poses
from engine.model.arrays import read_only
from engine.model.robot import Robot

if TYPE_CHECKING:
    from engine.simulation.stepper import Stepper

TERMS = ("inertia", "coriolis", "gravity", "friction", "stop")


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The arm at one instant; all arrays are read-only.

    `t` s of simulated time; `q` `(n,)` rad or m; `qd`, `qdd` per s and s²; `tau` `(n,)` the motors' torque in N·m or force in N,
    of a posed arm the torque that holds it; `tau_terms` what it is made of, by name: M qdd, Coriolis and centrifugal, gravity,
    friction (at rest what breakaway friction holds), and the push of a joint stop; together they are tau; `link_poses`
    `(n_links, 4, 4)`; energies in J; `real_time_factor` simulated seconds per second achieved of late, 0 while paused; `steps`
    since the last reset; `recording` the file being written; `rows` in it.
    """

    t: float
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    tau_terms: Mapping[str, np.ndarray]
    link_poses: np.ndarray
    kinetic: float
    potential: float
    real_time_factor: float
    running: bool
    speed: float
    steps: int
    dt: float
    recording: Path | None
    rows: int

    @property
    def energy(self) -> float:
        """Kinetic and potential energy together, J."""
        return self.kinetic + self.potential


@dataclass(frozen=True)
class Event:
    """Something that happened once.

    `kind` is "diverged" (`joint`, `t` say where and when), "refused" (a command that cannot be done), "recording_started",
    "recording_stopped", "recording_failed" (`path` says which file) or "fault" (an error in the program); `text` is for the user.
    """

    kind: str
    text: str
    joint: int | None = None
    t: float | None = None
    path: Path | None = None


def snapshot_of(stepper: Stepper, row: np.ndarray, moving: bool, **status) -> Snapshot:
    """The snapshot of `stepper` whose state row `(1 + 4n,)` of t, q, qd, qdd, tau is `row`."""
    robot, n = stepper.robot, stepper.robot.n
    q, qd, qdd, tau = (read_only(row[1 + k * n : 1 + (k + 1) * n]) for k in range(4))
    return Snapshot(
        t=float(row[0]),
        q=q,
        qd=qd,
        qdd=qdd,
        tau=tau,
        tau_terms=MappingProxyType(_terms(robot, q, qd, qdd, tau, moving)),
        link_poses=read_only(link_poses(robot, q)),
        kinetic=float(kinetic_energy(robot, q, qd)) if robot.has_dynamics else 0.0,
        potential=float(potential_energy(robot, q)) if robot.has_dynamics else 0.0,
        steps=stepper.steps,
        dt=stepper.dt,
        **status,
    )


def _terms(robot: Robot, q, qd, qdd, tau, moving: bool) -> dict[str, np.ndarray]:
    # tau = M qdd + C qd + g + friction + stop
    if not robot.has_dynamics:
        return {name: read_only(np.zeros(robot.n)) for name in TERMS}
    gravity = gravity_torque(robot, q)
    inertia = mass_matrix(robot, q) @ qdd
    coriolis = rnea(robot, q, qd, np.zeros(robot.n)) - gravity
    friction, stop = np.zeros(robot.n), np.zeros(robot.n)
    if moving:
        rest = tau - inertia - coriolis - gravity
        at_stop = (q <= robot.q_min) | (q >= robot.q_max)
        friction = np.where(at_stop, friction_torque(robot, qd), rest)
        stop = np.where(at_stop, rest - friction, 0.0)
    return dict(zip(TERMS, map(read_only, (inertia, coriolis, gravity, friction, stop)), strict=True))
