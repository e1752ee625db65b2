"""`exciting ROBOT OUT.toml`: a motion that tells an arm's parameters, as a trajectory file."""

from __future__ import annotations

from pathlib import Path

from armature.app.commands.command_arguments import Parser, UsageError, finite, positive_seconds, refuse_existing, robot_of, seed
from armature.app.commands.progress_line import Progress
from armature.engine import Excitation, Robot, excitation, exciting_trajectory, plan_through, save_plan


def parser() -> Parser:
    """Arguments of `exciting`."""
    result = Parser(
        prog="armature exciting",
        description=(
            "Finds a motion under which masses, inertias and friction of an arm are told apart best, within its limits of\n"
            "position, speed, acceleration and torque and above its floor, and says how well. It begins and ends at rest."
        ),
        epilog=(
            "examples:\n"
            "  armature exciting panda excite.toml\n"
            "  armature exciting my_arm.toml excite.toml --duration 20 --floor 0\n"
            "  armature simulate panda --trajectory excite.toml --encoder 65536 --torque-noise 0.3 --record measured.csv"
        ),
    )
    result.add_argument("robot", metavar="ROBOT", help="name of a shipped robot, or a robot file")
    result.add_argument("out", metavar="OUT.toml", type=Path, help="the trajectory file to write")
    result.add_argument("--duration", metavar="S", type=positive_seconds, default=10.0, help="seconds (default: 10)")
    result.add_argument("--harmonics", metavar="K", type=int, default=5, help="of the Fourier series, 2 to 20 (default: 5)")
    result.add_argument("--floor", metavar="M", type=finite("a height in m"), help="its height (default: the robot's own)")
    result.add_argument("--seed", metavar="SEED", type=seed, default=0, help="of the search (default: 0)")
    result.add_argument("--overwrite", action="store_true", help="replace a file that exists")
    return result


def run(args) -> int:
    """Searches, writes, and prints what the motion is good for."""
    if args.out.suffix.lower() != ".toml":
        raise UsageError(f"{args.out}: trajectories are written as .toml")
    refuse_existing(args.out, args.overwrite)
    robot = robot_of(args.robot)
    progress = Progress(100, "%")
    try:
        trajectory = exciting_trajectory(
            robot,
            duration=args.duration,
            harmonics=args.harmonics,
            floor=args.floor,
            seed=args.seed,
            progress=lambda fraction: progress.show(100 * fraction),
        )
    finally:
        progress.clear()
    said = excitation(robot, trajectory)
    description = f"Exciting motion for identification: {args.harmonics} harmonics, condition {said.condition:.3g}"
    save_plan(plan_through(trajectory, robot, name=args.out.stem, description=description), args.out)
    print("\n".join(lines(robot, said)))
    print(f"{trajectory.duration:g} s → {args.out}", flush=True)
    return 0


def lines(robot: Robot, said: Excitation) -> list[str]:
    """What a motion is good for, as text."""
    wide = max(map(len, robot.joint_names))
    joints = (
        f"  {name:<{wide}}  {range_:4.0%} of its range, {speed:4.0%} of its speed"
        for name, range_, speed in zip(robot.joint_names, said.coverage, said.speed, strict=True)
    )
    return [f"condition {said.condition:.3g} of base parameters and friction", *joints, *said.unidentifiable]
