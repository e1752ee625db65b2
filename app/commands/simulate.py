"""`simulate ROBOT`: let an arm move without a window, and record it."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from armature.app.commands.command_arguments import (
    Parser,
    UsageError,
    joint_pose,
    joint_values,
    note,
    positive_frequency,
    positive_seconds,
    refuse_existing,
    robot_of,
    unit,
)
from armature.app.commands.progress_line import Progress
from armature.app.commands.run_recording import RunRecording
from armature.app.commands.simulate_again import simulate_again
from armature.app.commands.stop_signals import Stopped, stopped_by_signals
from armature.engine import check_limits, default_gains, kinetic_energy, load_trajectory, potential_energy
from armature.engine.batching import require_dynamics
from armature.engine.control.controllers import NAMES
from armature.engine.control.default_gains import FREQUENCY
from armature.engine.model.robot import Robot
from armature.engine.rounding import cleared
from armature.engine.simulation.divergence import Divergence
from armature.engine.simulation.energy_ledger import Ledger
from armature.engine.simulation.floor_watch import Contact, FloorWatch
from armature.engine.simulation.pacer import Pacer
from armature.engine.simulation.runs.simulate import batches, paced, steps_in
from armature.engine.simulation.simulation_arguments import METHODS, start_remark
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

DT, INTEGRATOR = 1e-3, "rk4"
_CONTACTS = 5  # named in the summary
LAWS = ("none", *(name for name in NAMES.values() if name != "torque"))


def parser() -> Parser:
    """Arguments of `simulate`."""
    result = Parser(
        prog="armature simulate",
        description=(
            "Lets an arm move, freely or along a trajectory, with friction and joint stops, and prints where it ends.\n"
            "Angles in rad, lengths in m, times in s."
        ),
        epilog=(
            "examples:\n"
            "  armature simulate puma560 --duration 5 --record fall.csv\n"
            "  armature simulate double_pendulum --duration 10 --q0 zero --dt 0.0005\n"
            "  armature simulate puma560 --trajectory pick_place_puma560 --record pick.csv\n"
            '  armature simulate scara --duration 3 --qd0 "1, -2, 0" --realtime --record swing.npz\n'
            "  armature simulate --from pick.csv --controller pd-gravity --record again.csv\n"
            "\n"
            "With --from a recorded run is done again: the same start, trajectory, payloads and pulls, under another control\n"
            "law if one is given, from beginning to end. ROBOT is needed only where the file of its robot has moved.\n"
            "\n"
            "While it runs a recording is FILE.part; stopped with Ctrl-C it is finished, killed it stays readable as FILE.part."
        ),
    )
    result.add_argument("robot", metavar="ROBOT", nargs="?", help="name of a shipped robot, or a robot file")
    result.add_argument(
        "--from", dest="source", metavar="FILE", type=Path, help="do a recorded run again, as recorded or under --controller"
    )
    result.add_argument("--duration", metavar="S", type=positive_seconds, help="seconds to simulate (default: the trajectory's)")
    result.add_argument(
        "--trajectory",
        metavar="FILE",
        type=Path,
        help="follow a trajectory file, .toml, or one that ships, by name; starts where it begins",
    )
    result.add_argument(
        "--controller",
        choices=LAWS,
        help="control law, tuned to the robot's mass matrix (default: computed-torque with a trajectory, none without)",
    )
    result.add_argument(
        "--frequency",
        metavar="W",
        type=positive_frequency,
        help=f"natural frequency the controller is tuned to, rad/s (default: {FREQUENCY:g})",
    )
    result.add_argument("--unknown-payload", action="store_true", help="the controller does not know what the tool holds")
    result.add_argument("--dt", metavar="S", type=positive_seconds, help="length of a step (default: 0.001)")
    result.add_argument(
        "--integrator",
        choices=METHODS,
        help="semi-implicit Euler, Runge-Kutta 4, implicit midpoint, Gauss of order 6, DOP853 to rounding (default: rk4)",
    )
    result.add_argument(
        "--q0", metavar="Q", help='start: a pose of the file, or values "0, 0.5 1" (default: the trajectory\'s start, or home)'
    )
    result.add_argument("--qd0", metavar="QD", help="velocities at the start (default: at rest)")
    result.add_argument("--realtime", action="store_true", help="follow the clock instead of running as fast as possible")
    result.add_argument("--record", metavar="FILE", type=Path, help="write every step to FILE: .csv, .npz, .mat or .mcap")
    result.add_argument("--overwrite", action="store_true", help="let --record replace a file that exists")
    return result


class Totals:
    """What the summary needs of the run."""

    def __init__(self, robot: Robot):
        self._robot = robot
        self.first = self.last = self.peak = self.seconds = 0.0
        self.error, self.joint = 0.0, 0
        self.stopped = False
        self._empty = True
        self._floor = FloorWatch(robot)
        self.contacts: list[Contact] = []

    def add(self, batch: StepBatch) -> None:
        """Takes note of a batch."""
        states = batch.states
        if not len(states):
            return
        if batch.desired is not None:
            self._missed(np.abs(states[:, 1 : self._robot.n + 1] - batch.desired[:, : self._robot.n]).max(axis=0))
        n = self._robot.n
        q, qd = states[:, 1 : n + 1], states[:, n + 1 : 2 * n + 1]
        kinetic = np.asarray(kinetic_energy(self._robot, q, qd))
        potential = np.asarray(potential_energy(self._robot, q[[0, -1]]))
        self.stopped = self.stopped or bool(((q <= self._robot.q_min) | (q >= self._robot.q_max)).any())
        self.peak = max(self.peak, float(kinetic.max()))
        self.last = float(kinetic[-1] + potential[-1])
        if self._empty:
            self.first, self._empty = float(kinetic[0] + potential[0]), False

    def look(self, batch: StepBatch | None) -> list[Contact]:
        """The contacts with the floor that were over within a batch; after the last one, for None, all that are left."""
        ended = self._floor.restart() if batch is None else self._floor.look(batch.states)[1]
        self.contacts += ended
        return ended

    def _missed(self, error: np.ndarray) -> None:
        if error.max() >= self.error:
            self.error, self.joint = float(error.max()), int(error.argmax())


def run(args) -> int:
    """Simulates, records, prints the summary; 0, or 1 when it diverged or the recording broke off."""
    if args.record:
        refuse_existing(args.record, args.overwrite)
    if args.source:
        return simulate_again(args)
    if args.robot is None:
        raise UsageError("name a robot, or with --from a recording whose run is done again")
    robot = robot_of(args.robot)
    require_dynamics(robot)
    if _law(args) == "none" and (args.frequency or args.unknown_payload):
        raise UsageError("--frequency and --unknown-payload say something about --controller, which is not given")
    if args.duration is None and args.trajectory is None:
        raise UsageError("--duration says how long to simulate; only a --trajectory has a duration of its own")
    trajectory = load_trajectory(args.trajectory, robot) if args.trajectory else None
    start = robot.configurations["home"] if trajectory is None else trajectory.start
    q0 = np.array(start) if args.q0 is None else joint_pose(robot, "--q0", args.q0)
    qd0 = None if args.qd0 is None else joint_values(robot, "--qd0", args.qd0)
    stepper = Stepper(robot, q0, qd0, args.dt or DT, args.integrator or INTEGRATOR, ledger=_law(args) != "none")
    _set_control(stepper, args, trajectory)
    duration = args.duration if trajectory is None else args.duration or trajectory.duration
    steps = steps_in(duration, stepper.dt)
    if remark := start_remark(robot, q0):
        note(f"--q0: {remark}" if args.q0 else remark)
    recording = RunRecording(args.record, stepper, args.overwrite) if args.record else None
    totals, progress = Totals(robot), Progress(duration)
    with stopped_by_signals():
        try:
            if recording:
                recording.wait_for_start()
            diverged = _run(stepper, steps, args.realtime, totals, recording, progress)
        except KeyboardInterrupt as stop:
            progress.clear()
            kept = recording.finish() if recording else ""
            note(f"stopped at t = {stepper.t:.6g} s{f'; {kept}' if kept else ''}")
            return stop.code if isinstance(stop, Stopped) else 130
        progress.clear()
        kept = recording.finish() if recording else ""
    print("\n".join(_summary(stepper, totals, args.realtime) + ([f"  recorded    {kept}"] if kept else [])), flush=True)
    if diverged:
        note(diverged.text)
    return 1 if diverged or (recording and recording.failed) else 0


def _law(args) -> str:
    return args.controller or ("none" if args.trajectory is None else "computed-torque")


def _set_control(stepper: Stepper, args, trajectory: Trajectory | None) -> None:
    """Controller and trajectory of the command line; notes the first limit that the trajectory breaks."""
    law = _law(args)
    if law != "none":
        controller = default_gains(stepper.robot, law, args.frequency or FREQUENCY, stepper.q)
        stepper.set_controller(controller, knows_payload=not args.unknown_payload)
    if trajectory is not None:
        stepper.set_trajectory(trajectory)
        broken = check_limits(stepper.robot, trajectory, torque=True)
        if broken is not None:
            note(f"--trajectory: {broken.text}")


def _run(
    stepper: Stepper, steps: int, realtime: bool, totals: Totals, recording: RunRecording | None, progress: Progress
) -> Divergence | None:
    totals.add(stepper.probe())  # loads compiled code before the time is taken
    began = time.perf_counter()
    try:
        for batch in paced(stepper, steps, Pacer(stepper.dt)) if realtime else batches(stepper, steps):
            if recording:
                recording.put(batch, wait=not realtime)
            totals.add(batch)
            _note_contacts(totals.look(batch), recording)
            progress.show(stepper.t)
            if batch.divergence:
                return batch.divergence
    finally:
        totals.seconds = time.perf_counter() - began
        _note_contacts(totals.look(None), recording)
    return None


def _note_contacts(contacts: list[Contact], recording: RunRecording | None) -> None:
    if recording is not None:
        for contact in contacts:
            recording.contact(contact)


def _summary(stepper: Stepper, totals: Totals, realtime: bool) -> list[str]:
    robot = stepper.robot
    steps = f"{stepper.steps:,} step{'s' * (stepper.steps != 1)} of {stepper.dt:g} s"
    lines = [f"{robot.name}: {stepper.t:.6g} s in {steps}, {stepper.integrator}"]
    width = max(10, *(len(name) for name in robot.joint_names))
    for k, name in enumerate(robot.joint_names):
        q, qd = (round(float(value), 6) + 0.0 for value in (stepper.q[k], stepper.qd[k]))  # no negative zero
        lines.append(f"  {name.ljust(width)}  q {q:+.6f} {unit(robot, k)}, qd {qd:+.6f} {unit(robot, k)}/s")
    ledger = stepper.ledger()
    if stepper.control.controller is not None:
        error = f"at most {totals.error:.3g} {unit(robot, totals.joint)} off, {robot.joint_names[totals.joint]}"
        lines.append(f"  {'tracking'.ljust(width)}  {error}")
    lines.append(f"  {'energy'.ljust(width)}  {_works(ledger, totals.peak) if ledger else _energy(robot, totals)}")
    if totals.contacts:
        lines += [f"  {'floor'.ljust(width)}  {contact.over().text}" for contact in totals.contacts[:_CONTACTS]]
        more = len(totals.contacts) - _CONTACTS
        lines += [
            f"  {' ' * width}  {f'and {more:,} more; ' if more > 0 else ''}the floor holds nothing, the arm goes on through it"
        ]
    factor = f"real-time factor {stepper.t / totals.seconds:.4f}"
    lines.append(f"  {'speed'.ljust(width)}  {factor if realtime else f'{stepper.steps / totals.seconds:,.0f} steps/s'}")
    return lines


def _works(ledger: Ledger, peak: float) -> str:
    """The works of a run, and what the integrator got wrong; 0 below the rounding of the energy in play."""
    works = {"motors": ledger.motor, "friction": ledger.friction, "stops": ledger.stop, "payload": ledger.payload}
    told = ", ".join(f"{name} {work:+.4g} J" for name, work in works.items() if cleared(work, peak))
    return f"{told or 'no work'}; integrator's error {cleared(ledger.residual, peak):.1e} J"


def _energy(robot: Robot, totals: Totals) -> str:
    change = cleared(totals.last - totals.first, totals.peak)
    rubs = any(b.friction.viscous or any(b.friction.coulomb) or b.friction.stiction for b in robot.bodies)
    takers = ["friction"] * rubs + ["joint stops"] * totals.stopped
    if takers:
        return f"change {change:+.4g} J, with {' and '.join(takers)}"
    return f"drift {change:+.3g} J" + (f", {abs(change) / totals.peak:.1e} of the energy in play" if totals.peak > 0 else "")
