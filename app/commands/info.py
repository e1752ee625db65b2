"""`info ROBOT`: print joints, limits, masses, poses and singularity measures of an arm."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np

from armature.app.commands.command_arguments import Parser, UsageError, robot_of
from armature.app.commands.robot_text.link_tables import drive_table, link_table, number, table
from armature.app.installation import as_text, facts
from armature.engine import singularity
from armature.engine.model.dh_table import STANDARD
from armature.engine.model.robot import Robot
from armature.engine.model.toml.toml_kind import companion_of
from armature.engine.rounding import cleared

WIDTH = 100
LABEL = 15


def parser() -> Parser:
    """Return the argument parser of `info`."""
    result = Parser(
        prog="armature info",
        description=(
            "Prints the data of a robot: DH table and limits of the joints; mass, centre of mass, principal moments of\n"
            "inertia, friction and reflected motor inertia of every link; named poses; singularity measures at home."
        ),
        epilog="examples:\n  armature info puma560\n  armature info --paths",
    )
    result.add_argument("robot", metavar="ROBOT", nargs="?", help="shipped robot or robot file")
    result.add_argument("--paths", action="store_true", help="print versions, and the folders of program, settings and cache")
    return result


def run(args) -> int:
    """Print the summary; return the exit code."""
    if args.paths == bool(args.robot):
        raise UsageError("info: give a ROBOT or --paths")
    if args.paths:
        print(as_text(facts()))
        return 0
    robot = robot_of(args.robot)
    dynamics = [*link_table(robot), "", *drive_table(robot), ""] if robot.has_dynamics else []
    rest = [*_masses(robot), *_poses(robot), *_at_home(robot), *_cannot(robot)]
    print("\n".join([*_head(robot), "", *_joints(robot), "", *dynamics, *rest]))
    return 0


def _head(robot: Robot) -> list[str]:
    joints = f"{robot.n}, {robot.n - int(robot.prismatic.sum())} revolute and {int(robot.prismatic.sum())} prismatic"
    gravity = f"{_vector(robot.gravity)} m/s²"
    lines = [robot.name, *(_field("", robot.title) if robot.title != robot.name else [])]
    lines += _field("", robot.description) if robot.description else []
    lines += _field("file", _shown(robot.source)) if robot.source else []
    if robot.source and robot.companion_hash:
        lines += _field("", _shown(companion_of(robot.source)))
    for k, remark in enumerate(robot.remarks):
        lines += _field("" if k else "remarks", remark)
    for k, source in enumerate(robot.sources):
        lines += _field("" if k else "sources", source)
    lines += _field("joints", joints) + _groups(robot) + _field("reach", f"at most {robot.reach:.4g} m from joint 1")
    task = robot.task_text + (f"; {robot.task_reason}" if robot.task_reason else "")
    lines += _field("gravity", gravity) + _field("task", task) + _field("frames", ", ".join(robot.frames))
    lines += _field("floor", f"z = {robot.floor:g} m") if robot.floor is not None else []
    if robot.flange:
        lines += _field("tool", f"on link {robot.flange}")
    if robot.visuals:
        lines += _field("shapes", f"{len(robot.visuals)} on {len({shape.link for shape in robot.visuals})} links")
    return lines


def _groups(robot: Robot) -> list[str]:
    """One line per group of joints; none where all are the arm's."""
    lines: list[str] = []
    for name, joints in robot.groups.items() if len(robot.groups) > 1 else ():
        lines += _field("" if lines else "groups", f"{name}: {', '.join(joints)}")
    return lines


def _joints(robot: Robot) -> list[str]:
    """One line per joint; angles in rad."""
    header, rows = ["joint", "type"], [[name, kind] for name, kind in zip(robot.joint_names, robot.joint_types, strict=True)]
    title = []
    if robot.dh is not None:
        standard = robot.dh.convention == STANDARD
        title = [f"DH table, {robot.dh.convention} convention; angles in rad, lengths in m"]
        header += ["θ", "d", "a", "α"] if standard else ["a before", "α before", "θ", "d"]
        order = [0, 1, 2, 3] if standard else [2, 3, 0, 1]
        for k, (row, values) in enumerate(zip(rows, robot.dh.rows(np.zeros(robot.n)), strict=True)):
            values = cleared(values, max(robot.reach, np.pi))
            cells = [number(x) for x in values]
            moving = 1 if robot.prismatic[k] else 0
            cells[moving] = "q" if values[moving] == 0 else f"q {values[moving]:+.5g}".replace("-", "− ").replace("+", "+ ")
            row += [cells[i] for i in order]
    columns = [("q min", robot.q_min), ("q max", robot.q_max), ("qd max", robot.qd_max), ("tau max", robot.tau_max)]
    if np.isfinite(robot.qdd_max).any():
        columns.insert(3, ("qdd max", robot.qdd_max))
    for name, values in columns:
        header.append(name)
        for row, x in zip(rows, values, strict=True):
            row.append(number(x))
    return title + table(header, rows)


def _masses(robot: Robot) -> list[str]:
    if not robot.has_dynamics:
        return []
    parts = [f"{sum(body.mass for body in robot.bodies):.4g} kg moving mass"]
    if any(body.rotor_inertia for body in robot.bodies):
        parts.append("with rotor inertias")
    friction = [body.friction for body in robot.bodies]
    parts.append("with friction" if any(f.viscous or any(f.coulomb) or f.stiction for f in friction) else "without friction")
    return _field("mass", ", ".join(parts))


def _poses(robot: Robot) -> list[str]:
    lines: list[str] = []
    for k, (name, q) in enumerate(robot.configurations.items()):
        lines += _field("" if k else "poses", f"{name}: {_vector(q)}")
    return lines


def _at_home(robot: Robot) -> list[str]:
    report = singularity(robot, robot.configurations["home"])
    numbers = (
        f"sigma_min {report.sigma_min:.5g}, condition number {number(report.condition)}, "
        f"manipulability {report.manipulability:.5g}, rank {report.rank} of {len(report.sigma)}"
    )
    verdict = report.verdict()
    words = report.reason if verdict == "Non-singular" else f"{verdict}. {report.reason}"
    return _field("at home", numbers) + _field("", words) + (_field("", report.freedom) if report.freedom else [])


def _cannot(robot: Robot) -> list[str]:
    if robot.has_dynamics:
        return []
    text = (
        "This robot file has no masses. Poses, Jacobians, singularities and the workspace are available; torques, "
        "energies, the mass matrix and simulation are not."
    )
    return _field("no dynamics", text)


def _field(label: str, text: str) -> list[str]:
    indent = " " * (LABEL + 2)
    return textwrap.wrap(text, WIDTH, initial_indent=f"  {label.ljust(LABEL)}", subsequent_indent=indent) or [f"  {label}"]


def _vector(values: np.ndarray) -> str:
    finite = np.abs(values)[np.isfinite(values)]
    return "(" + ", ".join(number(x) for x in cleared(values, finite.max(initial=0.0)).tolist()) + ")"


def _shown(path: Path) -> str:
    """The path from here where it lies below, else in full."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
