"""`exciting ROBOT OUT.toml`: compute an excitation trajectory for identification, and save it."""

from __future__ import annotations

from pathlib import Path

from armature.app.commands.command_arguments import Parser, UsageError, finite, positive_seconds, refuse_existing, robot_of, seed
from armature.app.commands.progress_line import Progress
from armature.engine import Excitation, Robot, excitation, exciting_trajectory, plan_through, save_plan


def parser() -> Parser:
    """Return the argument parser of `exciting`."""
    result = Parser(
        prog="armature exciting",
        description=(
            "Finds an excitation trajectory, from which masses, inertias and friction are well identifiable, within the limits\n"
            "of position, speed, acceleration and torque and above the floor, and prints the condition number.\n"
            "The trajectory starts and ends with zero velocity."
        ),
        epilog=(
            "examples:\n"
            "  armature exciting panda excite.toml\n"
            "  armature exciting my_arm.toml excite.toml --duration 20 --floor 0\n"
            "  armature simulate panda --trajectory excite.toml --encoder 65536 --torque-noise 0.3 --record measured.csv"
        ),
    )
    result.add_argument("robot", metavar="ROBOT", help="shipped robot or robot file")
    result.add_argument("out", metavar="OUT.toml", type=Path, help="trajectory file to write, .toml")
    result.add_argument("--duration", metavar="S", type=positive_seconds, default=10.0, help="duration in s (default: 10)")
    result.add_argument("--harmonics", metavar="K", type=int, default=5, help="harmonics of the series, 2 to 20 (default: 5)")
    result.add_argument("--floor", metavar="M", type=finite("a height in m"), help="floor height (default: the robot's)")
    result.add_argument("--seed", metavar="SEED", type=seed, default=0, help="seed of the search (default: 0)")
    result.add_argument("--overwrite", action="store_true", help="replace an existing file")
    return result


def run(args) -> int:
    """Compute and save the trajectory; print its condition number and ranges; return the exit code."""
    if args.out.suffix.lower() != ".toml":
        raise UsageError(f"{args.out}: a trajectory must be saved as .toml")
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
    description = f"Excitation trajectory for identification: {args.harmonics} harmonics, condition number {said.condition:.3g}"
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
    return [f"condition number {said.condition:.3g} of base parameters and friction", *joints, *said.unidentifiable]
