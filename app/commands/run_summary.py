"""Summary of a simulation on the command line: values gathered during the run, and the lines printed at its end."""

from __future__ import annotations

import numpy as np

from armature.app.commands.command_arguments import unit
from armature.app.commands.rounds import Rounds
from armature.engine import kinetic_energy, potential_energy
from armature.engine.control.own_law.law_run import Run
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.errors import enumeration
from armature.engine.model.robot import Robot
from armature.engine.rounding import cleared
from armature.engine.simulation.contact_stop import RunContact
from armature.engine.simulation.energy_ledger import Ledger
from armature.engine.simulation.floor_watch import FloorContact, FloorWatch
from armature.engine.simulation.gain_stability import spread
from armature.engine.simulation.run_clearance import RunClearance, contact_texts
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper

_CONTACTS = 5  # named in the summary
_WORK = {"motor": "motors", "friction": "friction", "hand": "disturbance", "stop": "stops", "payload": "payload"}


class Totals:
    """What the summary needs of the run."""

    def __init__(self, robot: Robot):
        self._robot = robot
        self.first = self.last = self.peak = self.seconds = 0.0
        self.errors = np.zeros(robot.n)  # largest |q_d − q| of each joint, rad or m
        self.stopped = False
        self._empty = True
        self.poses = np.zeros((0, robot.n))  # a few of those that were passed, rad or m
        self._floor = FloorWatch(robot)
        self.contacts: list[FloorContact] = []
        self.rounds: Rounds | None = None  # of a trajectory that is followed several times
        self.stop: RunContact | None = None
        self.clearance: RunClearance | None = None

    def add(self, batch: StepBatch) -> None:
        """Takes note of a batch."""
        states = batch.states
        if not len(states):
            return
        if self.rounds is not None:
            self.rounds.add(batch)
        if self.clearance is not None:
            self.clearance.add(states)
        self.stop = batch.contact or self.stop
        if batch.desired is not None:
            errors = np.abs(states[:, 1 : self._robot.n + 1] - batch.desired[:, : self._robot.n])
            self.errors = np.maximum(self.errors, errors.max(axis=0))
        n = self._robot.n
        q, qd = states[:, 1 : n + 1], states[:, n + 1 : 2 * n + 1]
        self.poses = spread(np.vstack([self.poses, spread(q)]))
        kinetic = np.asarray(kinetic_energy(self._robot, q, qd))
        potential = np.asarray(potential_energy(self._robot, q[[0, -1]]))
        self.stopped = self.stopped or bool(((q <= self._robot.q_min) | (q >= self._robot.q_max)).any())
        self.peak = max(self.peak, float(kinetic.max()))
        self.last = float(kinetic[-1] + potential[-1])
        if self._empty:
            self.first, self._empty = float(kinetic[0] + potential[0]), False

    def look(self, batch: StepBatch | None) -> list[FloorContact]:
        """The contacts with the floor that were over within a batch; after the last one, for None, all that are left."""
        ended = self._floor.restart() if batch is None else self._floor.look(batch.states)[1]
        self.contacts += ended
        return ended


def summary(stepper: Stepper, totals: Totals, realtime: bool) -> list[str]:
    """The lines."""
    robot = stepper.robot
    steps = f"{stepper.steps:,} step{'s' * (stepper.steps != 1)} of {stepper.dt:g} s"
    lines = [f"{robot.name}: {stepper.t:.6g} s in {steps}, {stepper.integrator}"]
    width = max(10, *(len(name) for name in robot.joint_names))
    for k, name in enumerate(robot.joint_names):
        q, qd = (round(float(value), 6) + 0.0 for value in (stepper.q[k], stepper.qd[k]))  # no negative zero
        lines.append(f"  {name.ljust(width)}  q {q:+.6f} {unit(robot, k)}, qd {qd:+.6f} {unit(robot, k)}/s")
    ledger, sensors = stepper.ledger(), stepper.control.sensing.sensors
    if sensors is not None:
        lines.append(f"  {'sensors'.ljust(width)}  {sensors.told(stepper.dt)}")
    if stepper.control.controller is not None:
        lines.append(f"  {'tracking'.ljust(width)}  max. error {' and '.join(_largest(robot, totals.errors))}")
    if totals.rounds is not None:
        lines.append(f"  {'rounds'.ljust(width)}  {totals.rounds.told()}")
    if isinstance(law := stepper.control.controller, OwnLaw) and stepper.control.run is not None:
        lines.append(f"  {'controller'.ljust(width)}  {law.name}, {_way(stepper.control.run)}")
    lines.append(f"  {'energy'.ljust(width)}  {_balance(ledger, totals.peak) if ledger else _energy(stepper, totals)}")
    if totals.contacts and totals.clearance is None:  # which measures the shapes themselves
        lines += [f"  {'floor'.ljust(width)}  {contact.end_event().text}" for contact in totals.contacts[:_CONTACTS]]
        more = len(totals.contacts) - _CONTACTS
        lines += [f"  {' ' * width}  {f'and {more:,} more; ' if more > 0 else ''}the floor exerts no force on the arm"]
    clearance = None if totals.clearance is None else totals.clearance.result
    lines += [f"  {'contact'.ljust(width)}  {text}" for text in contact_texts(totals.stop, clearance)]
    factor = f"real-time factor {stepper.t / totals.seconds:.4f}"
    lines.append(f"  {'speed'.ljust(width)}  {factor if realtime else f'{stepper.steps / totals.seconds:,.0f} steps/s'}")
    return lines


def _largest(robot: Robot, errors: np.ndarray) -> list[str]:
    """Return the largest error of each joint type, rad or m, with its joint."""
    types = (np.flatnonzero(robot.prismatic == slides) for slides in (False, True))
    found = [joints[errors[joints].argmax()] for joints in types if len(joints)]
    return [f"{errors[k]:.3g} {unit(robot, k)} at {robot.joint_names[k]}" for k in found]


def _balance(ledger: Ledger, peak: float) -> str:
    """change = the works of the run + the integrator's error; each is 0 below the rounding of the energy in play."""
    works = {_WORK[name]: cleared(work, peak) for name, work in ledger.works.items()}
    told = ", ".join(f"{name} {work:+.6g} J" for name, work in works.items() if work)
    change, error = (cleared(energy, peak) for energy in (ledger.change, ledger.residual))
    if not told:
        return _drift(change, peak)
    return f"change {change:+.6g} J: {told}; integration error {error:.1e} J"


def _energy(stepper: Stepper, totals: Totals) -> str:
    """The change of energy where no ledger is kept, and what had a part in it."""
    change = cleared(totals.last - totals.first, totals.peak)
    rubs = any(b.friction.viscous or any(b.friction.coulomb) or b.friction.stiction for b in stepper.robot.bodies)
    parts = ["friction"] * rubs + ["stops"] * totals.stopped + ["the disturbance"] * stepper.control.disturbing.on
    return f"change {change:+.4g} J, including {enumeration(parts)}" if parts else _drift(change, totals.peak)


def _drift(change: float, peak: float) -> str:
    return f"drift {change:+.3g} J" + (f", {abs(change) / peak:.1e} of the peak kinetic energy" if peak > 0 else "")


def _way(run: Run) -> str:
    """Return "compiled" or "as Python", with the reason, for a user-defined controller."""
    if run.compiled:
        return "compiled"
    return f"runs as Python, not compiled: {run.why_python}" if run.why_python else "as Python"
