"""`Snapshot`: state of a simulated arm, frozen, for the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from armature.engine.control.own_law.host.code_process import CodeProcess
from armature.engine.dynamics.energy import kinetic_energy, potential_energy
from armature.engine.kinematics.poses import body_point, frame_pose, link_poses
from armature.engine.model.frozen import Frozen
from armature.engine.model.payload import Payload
from armature.engine.model.read_only import read_only
from armature.engine.simulation.energy_ledger import Ledger
from armature.engine.simulation.stepping.step_drive import FORCE
from armature.engine.simulation.torque_terms import TERMS, external_torque, tool_wrench, torque_terms

__all__ = ["TERMS", "LawReading", "Snapshot", "snapshot_of"]

if TYPE_CHECKING:
    from armature.engine.simulation.arm_control import ArmControl
    from armature.engine.simulation.follower_state import FollowerState
    from armature.engine.simulation.step_batch import StepBatch
    from armature.engine.simulation.stepper import Stepper


@dataclass(frozen=True, eq=False)
class LawReading:
    """User-defined controller of a simulation.

    `log`: values that it logged at its last call. `period`: its control period, s; `seconds`: duration of a call, s. `compiled`:
    True if it is compiled; `why_python`: the reason if it is not.
    """

    controller: Any
    log: Mapping[str, Any]
    period: float
    seconds: float
    compiled: bool
    why_python: str


@dataclass(frozen=True, eq=False)
class Snapshot(Frozen):
    """State of a simulated arm at one time; all arrays are read-only.

    `t`: simulated time, s. `q` `(n,)`: rad or m; `qd`, `qdd`: per s and s². `tau` `(n,)`: motor torque, N·m or N; of a posed arm
    the torque that holds it. `tau_terms`: terms of tau by name: M qdd, Coriolis and centrifugal, gravity, payload, friction (at
    rest the holding torque of static friction), external, joint stop. `q_measured`, `qd_measured`, `tau_measured`: readings of
    sensors, None without. `q_desired`, `qd_desired`, `qdd_desired`, `tool_desired` `(4, 4)`: reference of the controller, None
    without. `tool_wrench` `(6,)`: N, N·m of payload and pull on the tool, world axes. `pull_point`, `pull_force` `(3,)`: m, N in
    W, None without a pull. `payload`: of the tool. `ledger`: energy and works. `link_poses` `(n_links, 4, 4)`. `kinetic`,
    `potential`: J. `real_time_factor`: simulated seconds per second, 0 while paused. `steps`: since the last reset. `recording`:
    file being written; `rows`: its samples. `law`: user-defined controller. `posed`: True if the arm was placed there, or has no
    acceleration there. `follower`: `FollowerState` of a second arm under the same torques, None without.
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
    q_desired: np.ndarray | None
    qd_desired: np.ndarray | None
    qdd_desired: np.ndarray | None
    tool_desired: np.ndarray | None
    q_measured: np.ndarray | None
    qd_measured: np.ndarray | None
    tau_measured: np.ndarray | None
    tool_wrench: np.ndarray
    pull_point: np.ndarray | None
    pull_force: np.ndarray | None
    payload: Payload | None
    ledger: Ledger | None
    law: LawReading | None = None
    follower: FollowerState | None = None
    posed: bool = False

    @property
    def energy(self) -> float:
        """Kinetic and potential energy together, J."""
        return self.kinetic + self.potential


def snapshot_of(stepper: Stepper, batch: StepBatch, moving: bool, **status) -> Snapshot:
    """Return the snapshot of `stepper`, whose present state is the one row of `batch`."""
    robot, n, row = stepper.robot, stepper.robot.n, batch.states[0]
    q, qd, qdd, tau = (read_only(row[1 + k * n : 1 + (k + 1) * n]) for k in range(4))
    desired, measured = (
        [None] * 3 if rows is None else [read_only(rows[0, k * n : (k + 1) * n]) for k in range(3)]
        for rows in (batch.desired, batch.measured)
    )
    pulled, point = _pulled(stepper, batch, q)
    external = external_torque(robot, q, stepper.wrench, pulled)
    return Snapshot(
        t=float(row[0]),
        q=q,
        qd=qd,
        qdd=qdd,
        tau=tau,
        tau_terms=MappingProxyType(torque_terms(robot, stepper.bare, (q, qd, qdd, tau), external, moving)),
        link_poses=read_only(link_poses(robot, q)),
        kinetic=float(kinetic_energy(robot, q, qd)) if robot.has_dynamics else 0.0,
        potential=float(potential_energy(robot, q)) if robot.has_dynamics else 0.0,
        steps=stepper.steps,
        dt=stepper.dt,
        q_desired=desired[0],
        qd_desired=desired[1],
        qdd_desired=desired[2],
        tool_desired=None if desired[0] is None else read_only(frame_pose(robot, desired[0])),
        q_measured=measured[0],
        qd_measured=measured[1],
        tau_measured=measured[2],
        tool_wrench=read_only(tool_wrench(robot, q, qd, qdd, stepper.payload, pulled, point)),
        pull_point=None if point is None else read_only(point),
        pull_force=None if pulled is None else read_only(pulled[2]),
        payload=stepper.payload,
        ledger=stepper.ledger(),
        law=_law_reading(stepper.control, stepper.dt),
        posed=not moving,
        **status,
    )


def _pulled(stepper: Stepper, batch: StepBatch, q: np.ndarray):
    """Return body, point on it and force of the pull, and the point in the world; None without a pull."""
    pull = stepper.pull
    if pull is None or batch.side is None or not len(batch.side):
        return None, None
    return (pull.body, pull.point, batch.side[0, :FORCE]), body_point(stepper.robot, q, pull.body, pull.point)


def _law_reading(control: ArmControl, dt: float) -> LawReading | None:
    """Return the reading of a user-defined controller, None without one."""
    run, law = control.run, control.controller
    if run is None or law is None:
        return None
    seconds = run.seconds if isinstance(run, CodeProcess) else 0.0
    return LawReading(law, dict(run.log), control.period or dt, seconds, run.compiled, run.why_python)
