"""`compare`: two arms in one table, at rest and along a trajectory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal, NamedTuple

import numpy as np

from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.contact.cell import Cell
from armature.engine.control.control_laws import default_gains
from armature.engine.control.controller import Controller
from armature.engine.control.python_law import PythonLaw
from armature.engine.errors import DimensionError, EngineError, ModelError
from armature.engine.model.dh.dh_extraction import dh_from_robot
from armature.engine.model.dh_table import STANDARD, DHTable
from armature.engine.model.frozen import Frozen, read_only_table
from armature.engine.model.joint_match import same_kinematics, unlike
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.measured_torques import model_torque
from armature.engine.recording.recording import Recording
from armature.engine.simulation.commands import SetController
from armature.engine.simulation.runs.simulate import simulate
from armature.engine.singularities.dexterity_measures import measure_batch
from armature.engine.trajectory.tool_path import follow_tool
from armature.engine.trajectory.trajectory import Trajectory

DRIVES = "joints", "tool", "torques", "trajectory"
Drive = Literal["joints", "tool", "torques", "trajectory"]
Controllers = tuple[Controller | SetController, Controller | SetController]
STEP = 1e-3  # s, of the simulations with equal torques
_SAME = 1e-9  # m or rad, below which DH parameters do not differ
_AT_REST = 1e-8  # rad/s or m/s, below which a speed is rounding and causes no Coulomb friction


@dataclass(frozen=True)
class ComparisonRow:
    """Quantity of two arms: its name, its unit, the values `a` and `b`; NaN for one that does not exist."""

    quantity: str
    unit: str
    a: float
    b: float

    @property
    def difference(self) -> float:
        """Value b − a; 0 if both are the same infinity, NaN if one does not exist."""
        return 0.0 if self.a == self.b else self.b - self.a


class ArmSamples(NamedTuple):
    """Samples of a motion: t `(N,)`, s; q, qd, tau `(N, n)`, in rad or m, per s, and N·m or N."""

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    tau: np.ndarray


@dataclass(frozen=True, eq=False)
class ArmComparison(Frozen):
    """Table of the differences of two arms, as `compare` returns it.

    `names`: the two arms; `drive`: quantity that is the same for both; `rows`: `ComparisonRow`s. `t` `(N,)`: times in s; `q_a`
    `(N, n_a)`, `q_b` `(N, n_b)`: joint positions, rad or m; `tau_a`, `tau_b`: motor torques, N·m or N; without a trajectory
    N = 0.
    """

    names: tuple[str, str]
    drive: str
    rows: tuple[ComparisonRow, ...]
    t: np.ndarray
    q_a: np.ndarray
    q_b: np.ndarray
    tau_a: np.ndarray
    tau_b: np.ndarray

    def __getitem__(self, quantity: str) -> ComparisonRow:
        """Return the row of a quantity, such as "reach". Raises KeyError with the valid names."""
        return read_only_table({row.quantity: row for row in self.rows})[quantity]

    @property
    def text(self) -> str:
        """The table as lines of text."""
        width = max(12, *map(len, self.names))
        line = f"{{:<22}}{{:<4}}{{:>{width}}}  {{:>{width}}}  {{:>{width}}}".format
        lines = [line("", "", *self.names, "difference")]
        lines += [line(row.quantity, row.unit, *map(_figure, (row.a, row.b, row.difference))) for row in self.rows]
        return "\n".join(lines)


def compare(
    a: Robot,
    b: Robot,
    trajectory: Trajectory | None = None,
    *,
    drive: Drive = "joints",
    cell: Cell | None = None,
    samples: int = 1001,
    controllers: Controllers | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> ArmComparison:
    """Compare two arms: parameters, and torques, energy, condition number and clearance along a trajectory.

    tau = M(q) qdd + C(q, qd) qd + g(q) + friction(qd)  of each arm,  E = ∫ Σ_i max(tau_i qd_i, 0) dt

    Args:
        a: first arm, which moves along the trajectory.
        b: second arm.
        trajectory: motion of the joints of `a`, with its payloads, which both arms hold; None: parameters only. Of a loop, one
            period counts.
        drive: what both arms share. "joints": q, qd, qdd; both need the same joints. "tool": the poses of the tool in the world,
            in the coordinates that the tool of `b` can follow; an arm with the same kinematics has the joint positions of `a`,
            another one moves by its own inverse kinematics, from the solution on that is found from the start of `a` if it has
            the same joints, else from its home pose.
            "torques": both are simulated from the start of the trajectory under the torques that `a` needs for it, each held
            for 1 ms; both need the same joints. "trajectory": both are simulated under their own `controllers`, which follow the
            trajectory from its start; both need the same joints.
        cell: `Cell` of objects around both arms, for the clearance; None: only the arm and its floor.
        samples: number N of evenly spaced times at which the motion is evaluated, at least 2.
        controllers: of `a` and `b`, for "trajectory"; None: computed torque with the default gains of each arm.
        cancelled: called between the parts of the computation; `Cancelled` is raised after it returned True.

    Returns:
        An `ArmComparison` whose rows have a quantity, its unit, both values and their difference b − a: "joints", DH parameters
        that differ (rad, m), "moving mass" in kg, "reach" in m; with a trajectory also "torque peak, joint i" in N·m or N,
        "torque limit in use" (largest |tau| / tau_max), "motor work" E in J without recovery, "condition number" (largest of
        the task Jacobian) and "clearance" in m (smallest signed distance at the samples). Joints are matched by their position
        in the arm; values that do not exist are NaN.

    Raises:
        DimensionError: the arms do not have the same joints, or the trajectory is not one of `a`.
        EngineError: unknown drive or invalid number of samples; TrajectoryError: `b` cannot follow the path of the tool;
        MissingDynamicsError, DivergenceError for simulated arms; Cancelled.
    """
    if drive not in DRIVES:
        raise EngineError(f"unknown drive {drive!r}; valid are {', '.join(DRIVES)}")
    if not isinstance(samples, (int, np.integer)) or samples < 2:
        raise EngineError(f"the number of samples must be a whole number from 2, not {samples!r}")
    if trajectory is not None and drive != "tool" and (reason := unlike(a, b)):
        raise DimensionError(f'{reason}; compare them along the same tool path, drive="tool"')
    rows = [
        ComparisonRow("joints", "", a.n, b.n),
        *_dh_rows(a, b),
        ComparisonRow("moving mass", "kg", *map(_mass, (a, b))),
        ComparisonRow("reach", "m", a.reach, b.reach),
    ]
    if trajectory is None:
        one, other = (ArmSamples(np.zeros(0), *np.zeros((3, 0, arm.n))) for arm in (a, b))
    else:
        if trajectory.n != a.n:
            raise DimensionError(f"{a.name}: the trajectory has {trajectory.n} joints; expected {a.n}")
        one, other = motions(a, b, replace(trajectory, loops=False), drive, samples, controllers)
        rows += _motion_rows(a, b, one, other, cell, cancelled)
    return ArmComparison((a.name, b.name), drive, tuple(rows), one.t, one.q, other.q, one.tau, other.tau)


def motions(
    a: Robot, b: Robot, trajectory: Trajectory, drive: Drive, samples: int, controllers: Controllers | None = None
) -> tuple[ArmSamples, ArmSamples]:
    """Return the motions of both arms, which are compatible with `drive`."""
    if drive == "trajectory":
        own = controllers or (default_gains(a, "computed-torque"), default_gains(b, "computed-torque"))
        return _controlled(a, trajectory, own[0], samples), _controlled(b, trajectory, own[1], samples)
    if drive == "torques":
        return _driven(a, a, trajectory, samples), _driven(a, b, trajectory, samples)
    t = np.linspace(0.0, trajectory.duration, samples)
    if drive == "joints" or same_kinematics(a, b):  # in a singular pose inverse kinematics has other accelerations
        return _moved(a, trajectory, t), _moved(b, trajectory, t)
    start = b.configurations["home"] if unlike(a, b) else trajectory.start  # alike arms begin on the same branch
    return _moved(a, trajectory, t), _moved(b, follow_tool(b, a, trajectory, start), t)


def needed_torque(robot: Robot, trajectory: Trajectory, t: np.ndarray) -> np.ndarray:
    """Return the motor torques `(N, n)` that a trajectory needs at times `(N,)`, with its payloads; NaN without masses."""
    q, qd, qdd = trajectory.sample(t)
    states, tau = (q, np.where(np.abs(qd) < _AT_REST, 0.0, qd), qdd), np.empty((len(t), robot.n))
    held = [trajectory.payload_at(float(at)) for at in t]
    for payload in dict.fromkeys(held):
        rows = np.array([one is payload for one in held])
        arm = robot if payload is None else payload.held_by(robot)
        tau[rows] = model_torque(arm, *(values[rows] for values in states))
    return tau if robot.has_dynamics else np.full_like(tau, np.nan)


def _moved(robot: Robot, trajectory: Trajectory, t: np.ndarray) -> ArmSamples:
    q, qd, _ = trajectory.sample(t)
    return ArmSamples(t, q, qd, needed_torque(robot, trajectory, t))


def _driven(a: Robot, b: Robot, trajectory: Trajectory, samples: int) -> ArmSamples:
    """Return the motion of `b` under the torques that `a` needs."""
    tau = needed_torque(a, trajectory, np.arange(0.0, trajectory.duration + STEP, STEP))

    def same_torque(t, q, qd):
        return tau[min(round(t / STEP), len(tau) - 1)]

    q, qd, _ = trajectory.sample(0.0)
    run = simulate(b, q, qd, trajectory.duration, STEP, PythonLaw(same_torque, saturate=False), changes=list(trajectory.payloads))
    return _samples_of(run, samples)


def _controlled(robot: Robot, trajectory: Trajectory, controller: Controller | SetController, samples: int) -> ArmSamples:
    """Return the motion of an arm whose controller follows the trajectory."""
    q, qd, _ = trajectory.sample(0.0)
    own = controller if isinstance(controller, SetController) else SetController(controller)
    law, model, knows = own.controller, own.model, own.knows_payload
    run = simulate(robot, q, qd, trajectory.duration, STEP, law, trajectory=trajectory, model=model, knows_payload=knows)
    return _samples_of(run, samples)


def _samples_of(run: Recording, samples: int) -> ArmSamples:
    rows = np.unique(np.linspace(0, len(run) - 1, samples).round().astype(int))
    return ArmSamples(run.t[rows], run.q[rows], run.qd[rows], run.tau[rows])


def _mass(robot: Robot) -> float:
    return sum(body.mass for body in robot.bodies) if robot.has_dynamics else np.nan


def _dh_rows(a: Robot, b: Robot) -> Iterator[ComparisonRow]:
    """Yield the DH parameters that differ, in the convention of the first arm; none for arms that have no DH table."""
    convention = STANDARD if a.dh is None else a.dh.convention
    try:
        one, other = (_dh_table(robot, convention) for robot in (a, b))
    except ModelError:
        return
    for name, unit, key in (("θ", "rad", "theta"), ("d", "m", "d"), ("a", "m", "a"), ("α", "rad", "alpha")):
        columns = (getattr(table, key).tolist() for table in (one, other))
        for i, (x, y) in enumerate(zip_longest(*columns, fillvalue=np.nan)):
            if not abs(x - y) < _SAME:
                yield ComparisonRow(f"DH {name}, joint {i + 1}", unit, x, y)


def _dh_table(robot: Robot, convention: str) -> DHTable:
    own = robot.dh
    return own if own is not None and own.convention == convention else dh_from_robot(robot, convention).table


def _motion_rows(
    a: Robot, b: Robot, one: ArmSamples, other: ArmSamples, cell: Cell | None, cancelled: Callable[[], bool]
) -> Iterator[ComparisonRow]:
    arms = ((a, one), (b, other))
    peaks = [np.abs(motion.tau).max(axis=0) for _, motion in arms]
    for i, (x, y) in enumerate(zip_longest(*(peak.tolist() for peak in peaks), fillvalue=np.nan)):
        yield ComparisonRow(f"torque peak, joint {i + 1}", "N" if (a if a.n >= b.n else b).prismatic[i] else "N·m", x, y)
    used = [float((peak / arm.tau_max).max()) for (arm, _), peak in zip(arms, peaks, strict=True)]
    yield ComparisonRow("torque limit in use", "", *used)
    yield ComparisonRow("motor work", "J", *(_work(motion) for _, motion in arms))
    yield ComparisonRow("condition number", "", *(_condition(arm, motion.q) for arm, motion in arms))
    clearances = (cell_contacts(arm, cell).nearest(motion.q, cancelled=cancelled).distance.min() for arm, motion in arms)
    yield ComparisonRow("clearance", "m", *map(float, clearances))


def _work(motion: ArmSamples) -> float:
    return float(np.trapezoid(np.maximum(motion.tau * motion.qd, 0.0).sum(axis=1), motion.t))


def _condition(robot: Robot, q: np.ndarray) -> float:
    least = float(measure_batch(robot, q, "inverse_condition")[0].min())
    return 1.0 / least if least > 0.0 else np.inf


def _figure(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.5g}"
