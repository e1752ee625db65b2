"""`check-trajectory FILE`: find the first contact of a trajectory, or prove it free."""

from __future__ import annotations

import numpy as np

from armature.app.commands.command_arguments import Parser, robot_of_trajectory
from armature.app.pictures.pose_text import values
from armature.engine import check_trajectory, load_cell, load_trajectory
from armature.engine.contact.collision import length
from armature.engine.files import shipped_or_path


def parser() -> Parser:
    """Return the argument parser of `check-trajectory`."""
    result = Parser(
        prog="armature check-trajectory",
        description=(
            "Finds the first contact of an arm on a trajectory with itself, the floor and the objects of a cell, to 1 ms,\n"
            "and the smallest clearance. Without contact the whole motion is proved free, also between the samples."
        ),
        epilog=(
            "exit code: 0 no contact, 1 contact, 2 bad input\n\n"
            "examples:\n"
            "  armature check-trajectory pick_place_puma560\n"
            "  armature check-trajectory my_trajectory.toml --cell my_cell.toml --robot panda"
        ),
    )
    result.add_argument("trajectory", metavar="FILE", help="trajectory file, or the name of an included trajectory")
    result.add_argument(
        "--cell",
        metavar="FILE",
        help="cell file, or name of an included cell (default: the floor of the robot, if it has one)",
    )
    result.add_argument("--robot", metavar="ROBOT", help="shipped robot or robot file (default: the robot that the file names)")
    return result


def run(args) -> int:
    """Print first contact and smallest clearance; return 1 for a contact, else 0."""
    file = shipped_or_path(args.trajectory, "assets", "trajectories")
    robot = robot_of_trajectory(file, args.robot)
    trajectory = load_trajectory(args.trajectory, robot)
    cell = None if args.cell is None else load_cell(args.cell)
    found = check_trajectory(robot, trajectory, cell)
    head = f"{file.name}, {robot.name}{'' if cell is None else f', cell {cell.name}'}"
    first, k = found.first_contact, int(np.argmin(found.clearance))
    if first is None:
        print(f"{head}: no contact in {trajectory.duration:.3f} s")
    else:
        print(f"{head}: first contact at {first.time:.3f} s of {trajectory.duration:.3f} s: {' hits '.join(first.pair)}")
        print(f"  q = {values(robot, first.q)}")
    if found.pair_index[k] >= 0:
        one, other = found.pair_names[found.pair_index[k]]
        what = "deepest contact" if found.clearance[k] < 0 else "smallest clearance"
        print(f"  {what}: {length(abs(float(found.clearance[k])))}, {one} – {other}, at {found.t[k]:.3f} s")
    return int(first is not None)
