"""Of a derivation sheet: what the arm is, its pose, table and sources."""

from __future__ import annotations

import numpy as np

from armature.app.equations.sheet.blocks import Block, Heading, Line, Math, Paragraph, Table
from armature.app.equations.sheet.words import degrees_or_metres, index, plain
from armature.app.state.units import significant
from armature.engine import Robot
from armature.engine.model.dh_table import STANDARD


def facts(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> Table:
    """The motion, one row per joint."""
    moves = bool(qd.any() or qdd.any())
    rate_titles: list[Line] = [(Math(r"\dot q"),), (Math(r"\ddot q"),)]
    titles: list[Line] = [("Joint",), (Math("q"),), *rate_titles[: 2 * moves]]
    rows: list[tuple[Line, ...]] = []
    for k, name in enumerate(robot.joint_names):
        unit = "m" if robot.prismatic[k] else "rad"
        rates: list[Line] = [(f"{significant(float(qd[k]))} {unit}/s",), (f"{significant(float(qdd[k]))} {unit}/s²",)]
        rows.append(
            ((plain(name),), (degrees_or_metres(float(q[k]), bool(robot.prismatic[k]), robot.reach),), *rates[: 2 * moves])
        )
    return Table(tuple(titles), tuple(rows))


def arm_blocks(robot: Robot) -> list[Block]:
    """DH table, masses, limits, sources."""
    blocks: list[Block] = [Heading("The arm")]
    if robot.description:
        blocks.append(Paragraph((plain(f"{robot.description.rstrip('.')}."),)))
    blocks += _dh(robot)
    if robot.has_dynamics:
        blocks += _masses(robot)
    for title, lines in (("Sources", robot.sources), ("Remarks", robot.remarks)):
        if lines:
            blocks.append(Paragraph((f"<b>{title}.</b> {plain('; '.join(line.rstrip('.') for line in lines))}.",), quiet=True))
    return blocks


def _dh(robot: Robot) -> list[Block]:
    if robot.dh is None:
        return [Paragraph(("The robot file defines each joint by a pose, without a DH table.",))]
    standard = robot.dh.convention == STANDARD
    names = [r"\theta", "d", "a", r"\alpha"] if standard else ["a", r"\alpha", r"\theta", "d"]
    order = (0, 1, 2, 3) if standard else (2, 3, 0, 1)
    rows: list[tuple[Line, ...]] = []
    for k, values in enumerate(robot.dh.rows(np.zeros(robot.n))):
        cells: list[Line] = []
        for i in order:
            number = degrees_or_metres(float(values[i]), i in (1, 2), robot.reach)
            moving = i == (1 if robot.prismatic[k] else 0)
            if moving:
                zero = number.split("°")[0].split(" ")[0] == "0"
                sign = "" if zero else (f"− {number[1:]}" if number.startswith("−") else f"+ {number}")
                cells.append((Math(f"q{index(k)}"), sign) if sign else (Math(f"q{index(k)}"),))
            else:
                cells.append((number,))
        limits = [degrees_or_metres(float(x), bool(robot.prismatic[k]), robot.reach) for x in (robot.q_min[k], robot.q_max[k])]
        shown = " … ".join(limits) if np.isfinite([robot.q_min[k], robot.q_max[k]]).all() else "no limits"
        rows.append(((plain(robot.joint_names[k]),), (robot.joint_types[k],), *cells, (shown,)))
    link = "" if standard else "_{i-1}"
    titles: list[Line] = [("Joint",), ("Type",), *((Math(name + link * (name in ("a", r"\alpha"))),) for name in names)]
    convention = f"<b>DH table</b>, {robot.dh.convention} convention"
    matrix = r"A_i = R_z(\theta_i) \, T_z(d_i) \, T_x(a_i) \, R_x(\alpha_i)"
    if not standard:
        matrix = r"A_i = R_x(\alpha_{i-1}) \, T_x(a_{i-1}) \, R_z(\theta_i) \, T_z(d_i)"
    return [Paragraph((f"{convention}:", Math(matrix))), Table((*titles, ("Limits",)), tuple(rows), words=2)]


def _masses(robot: Robot) -> list[Block]:
    titles: tuple[Line, ...] = (
        ("Link",),
        (Math("m"), "kg"),
        ("centre of mass, m",),
        (Math("I_{xx}, \\; I_{yy}, \\; I_{zz}"), "kg·m²"),
        (Math("I_{xy}, \\; I_{xz}, \\; I_{yz}"), "kg·m²"),
    )
    owners = [int(body) for body in robot.link_table[0]]
    rows: list[tuple[Line, ...]] = []
    for b, body in enumerate(robot.bodies):
        about_com = body.inertia
        moments, products = about_com.diagonal(), about_com[[0, 0, 1], [1, 2, 2]]
        cells = (_vector(body.com), _vector(moments), _vector(products, float(moments.max())))
        rows.append(((plain(robot.link_names[owners.index(b)]),), (significant(body.mass),), *((cell,) for cell in cells)))
    note = "Centre of mass and inertia in joint axes; inertia about the centre of mass."
    rotors = ", ".join(significant(body.rotor_inertia) for body in robot.bodies)
    if any(body.rotor_inertia for body in robot.bodies):
        note += f" Rotor inertias: {rotors} kg·m² (prismatic: kg)."
    return [Table(titles, tuple(rows)), Paragraph((note,), quiet=True)]


def _vector(values: np.ndarray, scale: float = 0.0) -> str:
    scale = max(scale, float(np.abs(values).max(initial=0.0)))
    return ", ".join(significant(float(x), 4, scale) for x in values)
