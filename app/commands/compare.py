"""`compare A B`: print how two arms differ, also along a trajectory."""

from __future__ import annotations

from armature.app.commands.command_arguments import Parser, UsageError, robot_of
from armature.engine import compare, load_cell, load_trajectory
from armature.engine.simulation.runs.arm_comparison import DRIVES


def parser() -> Parser:
    """Return the argument parser of `compare`."""
    result = Parser(
        prog="armature compare",
        description=(
            "Prints a table of two arms: DH parameters that differ, mass and reach; with a trajectory of the first arm also\n"
            "torque peaks, motor work, condition number and clearance. Both arms have the same joint motion, the same path\n"
            "of the tool, the same motor torques, or each computed torque along the same trajectory."
        ),
        epilog=(
            "examples:\n"
            "  armature compare ur5 ur5e\n"
            "  armature compare puma560 my_puma.toml --trajectory pick_place_puma560\n"
            "  armature compare puma560 ur5e --trajectory pick_place_puma560 --drive tool --cell table"
        ),
    )
    result.add_argument("a", metavar="A", help="first arm: shipped robot or robot file")
    result.add_argument("b", metavar="B", help="second arm")
    result.add_argument("--trajectory", metavar="FILE", help="trajectory file of A, or the name of an included trajectory")
    result.add_argument("--drive", choices=DRIVES, help="what both arms share (default: joints)")
    result.add_argument("--cell", metavar="FILE", help="cell file, or the name of an included cell (default: the floor alone)")
    return result


def run(args) -> int:
    """Print the table; return the exit code."""
    if args.trajectory is None and (args.drive or args.cell):
        raise UsageError("--drive and --cell need --trajectory: without a motion only the parameters are compared")
    a, b = robot_of(args.a), robot_of(args.b)
    trajectory = None if args.trajectory is None else load_trajectory(args.trajectory, a)
    cell = None if args.cell is None else load_cell(args.cell)
    print(compare(a, b, trajectory, drive=args.drive or "joints", cell=cell).text)
    return 0
