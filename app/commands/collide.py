"""`collide ROBOT`: report what an arm hits in a pose, or how near it comes."""

from __future__ import annotations

import numpy as np

from armature.app.commands.command_arguments import Parser, above_0, joint_pose, note, robot_of
from armature.engine import collision, load_cell
from armature.engine.contact.collision import NO_PAIR, Contact
from armature.engine.model.joint_ranges import outside_limits


def parser() -> Parser:
    """Return the argument parser of `collide`."""
    result = Parser(
        prog="armature collide",
        description=(
            "Reports which links of an arm touch each other, the floor or the objects of a cell: each contact with its\n"
            "depth and its point, or the nearest pair with its distance; and the joint motion that ends the contact."
        ),
        epilog=(
            "exit code: 0 no contact, 1 contact, 2 bad input\n\n"
            "examples:\n"
            "  armature collide panda --cell table\n"
            '  armature collide panda --cell my_cell.toml --q "0 1.2 0 -1.2 0 2 0"\n'
            "  armature collide puma560 --q zero --margin 0.05"
        ),
    )
    result.add_argument("robot", metavar="ROBOT", help="shipped robot or robot file")
    result.add_argument(
        "--cell",
        metavar="FILE",
        help="cell file, or name of an included cell (default: the floor of the robot, if it has one)",
    )
    result.add_argument(
        "--q", metavar="Q", default="home", help='joint values such as "0, 0.5 1", or a named pose (default: home)'
    )
    result.add_argument("--margin", metavar="M", type=above_0("m"), help="also list pairs that are nearer than this distance, m")
    return result


def run(args) -> int:
    """Print the report; return 1 for a contact, else 0."""
    robot = robot_of(args.robot)
    q = joint_pose(robot, "--q", args.q)
    cell = None if args.cell is None else load_cell(args.cell)
    if outside := outside_limits(robot, q):
        note(f"--q: outside the joint limits: {outside}")
    found = collision(robot, q, cell, args.margin or 0.0)
    print(f"{robot.name}{'' if cell is None else f', cell {cell.name}'}: {found.explanation}")
    for contact in found.pairs:
        print(line(contact))
    if not found.pairs and found.pair != NO_PAIR:
        print(line(Contact(found.pair, found.distance, found.points, found.normal, found.gradient)))
    return int(found.colliding)


def line(contact: Contact) -> str:
    """A pair, its distance, and the middle of its two nearest points in W."""
    one, other = contact.pair
    x, y, z = np.round(contact.points.mean(axis=0), 4) + 0.0
    return f"  {one} – {other}: {round(1e3 * contact.distance, 1) + 0.0:+.1f} mm at ({x:g}, {y:g}, {z:g}) m"
