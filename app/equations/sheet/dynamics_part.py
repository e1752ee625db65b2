"""Of a derivation sheet: mass matrix, Coriolis matrix and gravity torque."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armature import engine
from armature.app.equations.sheet.blocks import Block, Heading, Math, Paragraph, Table
from armature.app.equations.sheet.shortened import Shortened
from armature.app.equations.sheet.words import (
    display,
    equation,
    index,
    is_short,
    letter_rows,
    numbers,
    plain,
    symbols,
    torque_unit,
)
from armature.app.state.units import significant
from armature.engine import Equations, Robot
from armature.engine.formulas.formula import Formula

MOST = 220  # terms of a formula that are printed
LAW = r"\tau = M(q) \, \ddot q + C(q, \dot q) \, \dot q + g(q)"


def dynamics_blocks(robot: Robot, E: Equations, q: np.ndarray, qd: np.ndarray) -> list[Block]:
    """M, C and g in symbols and numbers."""
    blocks: list[Block] = [Heading("Equation of motion"), Paragraph((Math(LAW),))]
    if E.values:
        blocks += [Paragraph(("Symbols:",), quiet=True), Table((), letter_rows(E.values), words=0)]
    elif E.significance:
        share = significant(100 * E.significance, 3)
        text = (
            f"Terms below {share} % of the largest value of their matrix over the joint ranges are omitted; "
            "the numerical values include all terms."
        )
        blocks.append(Paragraph((text,), quiet=True))
    n = robot.n
    upper = [(i, j) for i in range(n) for j in range(i, n)]
    every = [(i, j) for i in range(n) for j in range(n)]
    M, C, g = engine.mass_matrix(robot, q), engine.coriolis_matrix(robot, q, qd), engine.gravity_torque(robot, q)
    short_M = Shortened(E.M, robot, lambda q, _: engine.mass_matrix(robot, q))
    short_C = Shortened(E.C, robot, lambda q, qd: engine.coriolis_matrix(robot, q, qd))
    short_g = Shortened(E.g, robot, lambda q, _: engine.gravity_torque(robot, q))
    return [
        *blocks,
        *_formulas("Mass matrix", E.M, upper, M, robot, short_M),
        *_formulas("Coriolis matrix", E.C, every, C, robot, short_C),
        *_formulas("Gravity torque", E.g, [(k,) for k in range(n)], g, robot, short_g),
    ]


def _formulas(
    title: str, formula: Formula, places: Sequence[tuple[int, ...]], exact: np.ndarray, robot: Robot, shortened: Shortened
) -> list[Block]:
    """The engine's numbers, and the formulas: in one matrix where they are short, else entry by entry."""
    name, short = formula.name, is_short(formula, places)
    blocks: list[Block] = [Heading(title, 2)]
    if short:
        lacks = any(map(shortened, places))
        sign = r"\approx" if lacks else "="
        both = display(f"{name} {sign}", symbols(formula), sign, numbers(exact))
        return [*blocks, both, *(_left_out(formula, robot) if lacks else [])]
    blocks.append(display(f"{name} =", numbers(exact)))
    count = sum(len(formula.terms(place)) for place in places)
    if count > MOST:
        text = f"The symbolic form has {count} terms, too many to print; Equations ▸ M · C · g shows each entry."
        return [*blocks, Paragraph((text,), quiet=True)]
    shown, lacks = [place for place in places if formula.terms(place)], any(map(shortened, places))
    blocks += [
        equation(f"{name}{index(*place)}", formula, place, float(exact[place]), shortened=shortened(place)) for place in shown
    ]
    if len(shown) < len(places):
        more = " M is symmetric." if name == "M" else ""
        blocks.append(Paragraph((f"Entries not printed are 0{' or omitted' if lacks else ''}.{more}",), quiet=True))
    return [*blocks, *(_left_out(formula, robot) if lacks else [])]


def _left_out(formula: Formula, robot: Robot) -> list[Block]:
    """The largest error of what is left out."""
    unit = "N·m or N" if robot.prismatic.any() else "N·m"
    motion = "" if formula.name == "g" else " at speeds up to 1 rad/s or m/s and accelerations up to 1 rad/s² or m/s²"
    text = f"The omitted terms contribute at most {significant(formula.error, 2)} {unit} within the joint limits{motion}."
    return [Paragraph((text,), quiet=True)]


def torque_rows(robot: Robot, columns: list[np.ndarray]) -> tuple:
    """One row per joint, with its unit; what is rounding beside the weight of the arm, held out straight, is 0."""
    weight = float(np.linalg.norm(robot.gravity)) * sum(body.mass for body in robot.bodies)
    scale = max([weight * robot.reach, *(float(np.abs(column).max(initial=0.0)) for column in columns)])
    return tuple(
        ((plain(name),), *((significant(float(column[k]), 4, scale),) for column in columns), (torque_unit(robot, k),))
        for k, name in enumerate(robot.joint_names)
    )
