"""`simulate ROBOT`: simulate an arm without a window, and record it."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from armature.app.commands.command_arguments import (
    Parser,
    UsageError,
    above_0,
    joint_pose,
    joint_values,
    note,
    positive_seconds,
    refuse_existing,
    robot_of,
)
from armature.app.commands.own_law_arguments import LAWS, add_own_law, is_file, law_name, own_law, refuse_own_law_options
from armature.app.commands.progress_line import Progress
from armature.app.commands.rounds import Rounds, add_rounds, repeated
from armature.app.commands.run_recording import RunRecording
from armature.app.commands.run_summary import Totals, summary
from armature.app.commands.sensor_arguments import add_sensors, sensors_of
from armature.app.commands.simulate_again import simulate_again
from armature.app.commands.stop_signals import Stopped, stopped_by_signals
from armature.engine import (
    DivergenceError,
    LawError,
    check_limits,
    default_gains,
    load_cell,
    load_disturbance,
    load_trajectory,
    own_trajectory,
)
from armature.engine.batching import require_dynamics
from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.control.control_laws import FREQUENCY
from armature.engine.model.robot import Robot
from armature.engine.simulation.commands import SetCell, SetController, SetDisturbance, SetSensors, SetTrajectory
from armature.engine.simulation.run_clearance import RunClearance
from armature.engine.simulation.run_loop import Pacer
from armature.engine.simulation.run_loop import run as run_loop
from armature.engine.simulation.simulation_arguments import METHODS, law_for_run, period_remark, start_remark, steps_in
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

DT, INTEGRATOR = 1e-3, "rk4"


def parser() -> Parser:
    """Return the argument parser of `simulate`."""
    result = Parser(
        prog="armature simulate",
        description=(
            "Simulates an arm with friction and joint stops, free or under a controller, and prints its final state.\n"
            "Angles in rad, lengths in m, times in s."
        ),
        epilog=(
            "examples:\n"
            "  armature simulate puma560 --duration 5 --record fall.csv\n"
            "  armature simulate double_pendulum --duration 10 --q0 zero --dt 0.0005\n"
            "  armature simulate puma560 --trajectory pick_place_puma560 --record pick.csv\n"
            '  armature simulate scara --duration 3 --qd0 "1, -2, 0" --realtime --record swing.npz\n'
            "  armature simulate --from pick.csv --controller pd-gravity --record again.csv\n"
            "  armature simulate panda --duration 2 --controller my_law.py --parameter kp=80\n"
            "  armature simulate panda --duration 2 --cell table --stop-at-contact\n"
            "\n"
            "--from repeats a recorded run with the same start, trajectory, payloads and external forces, under another\n"
            "controller if one is given. ROBOT is only needed if the robot file has moved.\n"
            "\n"
            "During the run the recording is FILE.part. Ctrl-C completes it; if the process is killed, FILE.part is readable."
        ),
    )
    result.add_argument("robot", metavar="ROBOT", nargs="?", help="shipped robot or robot file")
    result.add_argument(
        "--from", dest="source", metavar="FILE", type=Path, help="repeat a recorded run, as recorded or under --controller"
    )
    result.add_argument("--duration", metavar="S", type=positive_seconds, help="simulated time in s (default: the trajectory's)")
    result.add_argument(
        "--trajectory",
        metavar="FILE",
        type=Path,
        help="trajectory to follow from its start: a file, .toml, a shipped trajectory, or a Python function of time, .py",
    )
    add_rounds(result)
    result.add_argument(
        "--controller",
        metavar="LAW",
        type=law_name,
        help=(
            f"{', '.join(LAWS)}, with gains from the mass matrix, or a Python file of your own, .py"
            " (default: computed-torque with a trajectory, none without)"
        ),
    )
    result.add_argument(
        "--frequency",
        metavar="W",
        type=above_0("rad/s", 1e4),
        help=f"natural frequency that sets the default gains, rad/s (default: {FREQUENCY:g})",
    )
    add_own_law(result)
    result.add_argument("--unknown-payload", action="store_true", help="the controller does not account for the payload")
    result.add_argument("--dt", metavar="S", type=positive_seconds, help="time step in s (default: 0.001)")
    result.add_argument(
        "--integrator",
        choices=METHODS,
        help="semi-implicit Euler, Runge-Kutta 4, implicit midpoint, Gauss of order 6, or adaptive DOP853 (default: rk4)",
    )
    result.add_argument(
        "--q0",
        metavar="Q",
        help='initial positions: a named pose, or values, such as "0, 0.5, 1" (default: the trajectory\'s start, or home)',
    )
    result.add_argument("--qd0", metavar="QD", help="initial velocities (default: zeros)")
    help_ = "cell around the arm: a cell file, or the name of an included cell; its objects exert no force"
    result.add_argument("--cell", metavar="FILE", help=help_)
    help_ = "end the run at the first contact of the arm with itself, the floor or an object of the cell"
    result.add_argument("--stop-at-contact", action="store_true", help=help_)
    add_sensors(result)
    result.add_argument("--realtime", action="store_true", help="run in real time instead of as fast as possible")
    result.add_argument("--record", metavar="FILE", type=Path, help="write every step to FILE: .csv, .npz, .mat or .mcap")
    result.add_argument("--overwrite", action="store_true", help="replace an existing recording")
    return result


def run(args) -> int:
    """Simulate, record and print the summary; return 0, or 1 if it diverged or the recording failed."""
    if args.record:
        refuse_existing(args.record, args.overwrite)
    if args.source:
        return simulate_again(args)
    if args.robot is None:
        raise UsageError("give a robot, or a recording to repeat with --from")
    robot = robot_of(args.robot)
    require_dynamics(robot)
    if _law(args) == "none" and (args.frequency or args.unknown_payload):
        raise UsageError("--frequency and --unknown-payload need --controller")
    refuse_own_law_options(args)
    if args.allow_code:
        raise UsageError("--allow-code is only needed with --from")
    if args.duration is None and args.trajectory is None:
        raise UsageError("give --duration (seconds to simulate) or --trajectory")
    trajectory = repeated(_trajectory(args.trajectory, robot) if args.trajectory else None, args.rounds)
    start = robot.configurations["home"] if trajectory is None else trajectory.start
    q0 = np.array(start) if args.q0 is None else joint_pose(robot, "--q0", args.q0)
    qd0 = None if args.qd0 is None else joint_values(robot, "--qd0", args.qd0)
    stepper = Stepper(robot, q0, qd0, args.dt or DT, args.integrator or INTEGRATOR, ledger=True)
    stepper.apply(SetSensors(sensors_of(args)))
    cell = load_cell(args.cell) if args.cell else None
    contacts = cell_contacts(robot, cell) if args.cell or args.stop_at_contact else None
    stepper.apply(SetCell(cell, contacts if args.stop_at_contact else None))
    stepper.apply(SetDisturbance(load_disturbance(args.disturbance) if args.disturbance else None))
    duration = args.duration if trajectory is None else args.duration or trajectory.duration * (args.rounds or 1)
    _set_control(stepper, args, trajectory, duration)
    steps = steps_in(duration, stepper.dt)
    if remark := start_remark(robot, q0):
        note(f"--q0: {remark}" if args.q0 else remark)
    if remark := period_remark(stepper.control.controller, stepper.dt):
        note(remark)
    before = stepper.unstable_gains()
    if before is not None:
        note(before.text)
    recording = RunRecording(args.record, stepper, args.overwrite, wait=not args.realtime) if args.record else None
    totals, progress = Totals(robot), Progress(duration)
    totals.clearance = None if contacts is None else RunClearance(contacts)
    if trajectory is not None and args.rounds:
        totals.rounds = Rounds(robot, trajectory.duration)
    with stopped_by_signals():
        try:
            if recording:
                recording.wait_for_start()
            broken = _run(stepper, steps, args.realtime, totals, recording, progress)
        except KeyboardInterrupt as stop:
            progress.clear()
            kept = recording.finish() if recording else ""
            note(f"stopped at t = {stepper.t:.6g} s{f'; {kept}' if kept else ''}")
            return stop.code if isinstance(stop, Stopped) else 130
        progress.clear()
        kept = recording.finish() if recording else ""
    if stepper.steps or not broken:
        print("\n".join(summary(stepper, totals, args.realtime) + ([f"  recorded    {kept}"] if kept else [])), flush=True)
    if broken:
        note(broken)
    elif before is None and (gains := stepper.unstable_gains(totals.poses)) is not None:
        note(gains.text)
    return 1 if broken or (recording and recording.failed) else 0


def _trajectory(path: Path, robot: Robot) -> Trajectory:
    """A trajectory file, or a function of time in Python."""
    return own_trajectory(path, robot.n) if path.suffix == ".py" else load_trajectory(path, robot)


def _law(args) -> str:
    return args.controller or ("none" if args.trajectory is None else "computed-torque")


def _set_control(stepper: Stepper, args, trajectory: Trajectory | None, duration: float) -> None:
    """Controller and trajectory of the command line; notes the first limit that the trajectory breaks."""
    law = _law(args)
    if law != "none":
        built_in = not is_file(law)
        frequency = args.frequency or FREQUENCY
        controller = default_gains(stepper.robot, law, frequency, stepper.q) if built_in else own_law(args)
        for_run = law_for_run(controller, duration, stepper.dt)
        stepper.apply(SetController(for_run, knows_payload=not args.unknown_payload))
    if trajectory is not None:
        stepper.apply(SetTrajectory(trajectory))
        broken = check_limits(stepper.robot, trajectory, torque=True)
        if broken is not None:
            note(f"--trajectory: {broken.text}")


def _run(stepper: Stepper, steps: int, realtime: bool, totals: Totals, recording: RunRecording | None, progress: Progress) -> str:
    """Lets the arm move; what broke it off, empty for nothing."""
    began = time.perf_counter()
    try:
        totals.add(stepper.sample())  # loads compiled code before the time is taken
        began = time.perf_counter()
        for batch in run_loop(stepper, steps, pacer=Pacer(stepper.dt) if realtime else None):
            if recording:
                recording.put(batch)
            totals.add(batch)
            over = totals.look(batch)
            if recording:
                recording.contacts(over)
            if recording and batch.contact is not None:
                recording.stop_at(batch.contact)
            progress.show(stepper.t)
    except (DivergenceError, LawError) as error:
        return str(error)
    finally:
        totals.seconds = time.perf_counter() - began
        over = totals.look(None)
        if recording:
            recording.contacts(over)
    return ""
