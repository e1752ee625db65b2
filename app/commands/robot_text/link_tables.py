"""Tables of link masses, motor inertias and friction, as text."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.model.inertia_rules import principal_moments
from armature.engine.model.robot import Robot
from armature.engine.rounding import cleared


def link_table(robot: Robot) -> list[str]:
    """Mass, centre of mass in the link's frame and principal moments of every moving body, under the name of its first link."""
    rows = []
    for i, body in enumerate(robot.bodies):
        name, frame = _link(robot, i)
        R, p = frame.X_BF[:3, :3], frame.X_BF[:3, 3]
        centre = cleared(R.T @ (body.com - p), max(float(np.abs(body.com).max()), float(np.abs(p).max())))
        moments = cleared(principal_moments(body.inertia), float(np.abs(body.inertia_at_origin()).max()))
        rows.append([name, robot.tree.joint_names[i], number(body.mass), *map(number, centre), *map(number, moments)])
    title = "Links: mass; centre of mass in the link frame, m; principal moments of inertia about it, kg·m²"
    return [title, *table(["link", "joint", "mass kg", "x", "y", "z", "I1", "I2", "I3"], rows)]


def drive_table(robot: Robot) -> list[str]:
    """Friction and motor inertia as the joint feels them."""
    rows = []
    for name, i in zip(robot.joint_names, robot.joint_bodies, strict=True):
        body = robot.bodies[i]
        plus, minus = body.friction.coulomb
        dry = number(plus) if plus == minus else f"{number(plus)} / {number(minus)}"
        unit = "kg" if robot.tree.prismatic[i] else "kg·m²"
        rows.append([name, unit, number(body.rotor_inertia), number(body.friction.viscous), dry, number(body.friction.stiction)])
    title = "Joints: reflected motor inertia (J N²); viscous and Coulomb friction, N·m·s/rad and N·m (prismatic: N·s/m and N)"
    return [title, *table(["joint", "unit", "reflected", "viscous", "Coulomb", "static"], rows)]


def _link(robot: Robot, body: int):
    """The first link on a body, with its frame."""
    return next((name, frame) for name, frame in robot.links.items() if frame.body == body)


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    """Aligned columns: the first two to the left, numbers to the right."""
    widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]
    cells = [
        [cell.ljust(w) if k < 2 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths))] for row in [header, *rows]
    ]
    return ["  " + "  ".join(row).rstrip() for row in cells]


def number(x: float) -> str:
    """Five digits, with a true minus."""
    if math.isinf(x):
        return "∞" if x > 0 else "−∞"
    return f"{x:.5g}".replace("-", "−") if x else "0"
