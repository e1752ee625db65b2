"""Of a derivation sheet: Lagrange's method and the Christoffel symbols."""

from __future__ import annotations

import numpy as np

from armature import engine
from armature.app.equations.sheet.blocks import Block, Heading, Line, Math, Paragraph, Table
from armature.app.equations.sheet.dynamics_part import torque_rows
from armature.app.equations.sheet.shortened import Shortened
from armature.app.equations.sheet.words import equation, index, plain, torque_unit
from armature.app.state.units import significant
from armature.engine import Equations, LagrangeSteps, Robot

RATE, DRIFT = r"\frac{d}{dt}\frac{\partial L}{\partial \dot q}", r"\frac{\partial L}{\partial q}"
MOST = 60  # Christoffel symbols that are printed
DEFINITION = (
    r"\displaystyle c_{kij} = \frac{1}{2}\left(\frac{\partial M_{kj}}{\partial q_i} + \frac{\partial M_{ki}}{\partial q_j}"
    r" - \frac{\partial M_{ij}}{\partial q_k}\right)"
)


def lagrange_blocks(robot: Robot, E: Equations | None, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> list[Block]:
    """Energies per mass and slopes per joint in numbers, in letters where the arm is small; then the Christoffel symbols."""
    steps = engine.lagrange_steps(robot, q, qd, qdd)
    blocks: list[Block] = [
        Heading("Lagrange"),
        Paragraph((Math("L = K - P"), ", ", Math(rf"\displaystyle \tau = {RATE} - {DRIFT}"))),
        Paragraph(("K includes the rotors; P is 0 at the world origin.",), quiet=True),
        _energies(robot, steps),
    ]
    if E is not None and E.in_letters:
        blocks += _energies_in_letters(robot, E, steps)
    tau = engine.rnea(robot, q, qd, qdd)
    titles: tuple[Line, ...] = (
        ("Joint",),
        (Math(r"\partial L / \partial \dot q"),),
        (Math(r"d/dt \; \partial L / \partial \dot q"),),
        (Math(r"\partial L / \partial q"),),
        (Math(r"\tau"),),
        (Math(r"\tau"), "by Newton–Euler"),
        ("unit",),
    )
    blocks.append(Table(titles, torque_rows(robot, [steps.dL_dqd, steps.dL_dqd_dt, steps.dL_dq, steps.tau, tau])))
    if E is not None and E.in_letters:
        blocks += _slopes_in_letters(robot, E, steps)
    return [*blocks, *_christoffel(robot, E, q, qd)]


def _energies(robot: Robot, steps: LagrangeSteps) -> Table:
    owners = [int(body) for body in robot.link_table[0]]
    names = [plain(robot.link_names[owners.index(body)]) for body in range(len(robot.bodies))]
    rows = [*zip(names, steps.K, steps.P, strict=True), ("total", steps.K.sum(), steps.P.sum())]
    cells = tuple(((name,), *((f"{significant(float(x), 4, 1.0)} J",) for x in (K, P, K - P))) for name, K, P in rows)
    return Table((("Mass",), (Math("K"),), (Math("P"),), (Math("L"),)), cells)


def _energies_in_letters(robot: Robot, E: Equations, steps: LagrangeSteps) -> list[Block]:
    blocks: list[Block] = []
    for k in range(robot.n):
        blocks.append(equation(f"K{index(k)}", E.T, (k,), float(steps.K[k]), "J"))
        blocks.append(equation(f"P{index(k)}", E.V, (k,), float(steps.P[k]), "J"))
    return blocks


def _slopes_in_letters(robot: Robot, E: Equations, steps: LagrangeSteps) -> list[Block]:
    blocks: list[Block] = []
    for k in range(robot.n):
        joint = index(k)
        slope, unit = rf"\frac{{\partial L}}{{\partial \dot q{joint}}}", torque_unit(robot, k)
        rate, slope = rf"\displaystyle \frac{{d}}{{dt}} {slope}", rf"\displaystyle {slope}"
        blocks += [
            Heading(plain(f"Joint {k + 1}, {robot.joint_names[k]}"), 2),
            equation(slope, E.dL_dqd, (k,), float(steps.dL_dqd[k]), f"{unit}·s"),
            equation(rate, E.dL_dqd_dt, (k,), float(steps.dL_dqd_dt[k]), unit),
            equation(rf"\displaystyle \frac{{\partial L}}{{\partial q{joint}}}", E.dL_dq, (k,), float(steps.dL_dq[k]), unit),
            equation(rf"\tau{joint}", E.tau, (k,), float(steps.tau[k]), unit),
        ]
    return blocks


def _christoffel(robot: Robot, E: Equations | None, q: np.ndarray, qd: np.ndarray) -> list[Block]:
    symbols = engine.christoffel(robot, q)
    blocks: list[Block] = [
        Heading("Christoffel symbols", 2),
        Paragraph((Math(DEFINITION), ", ", Math(r"C_{kj} = \sum_i c_{kij} \, \dot q_i"))),
    ]
    n = robot.n
    places = [(k, i, j) for k in range(n) for i in range(n) for j in range(i, n)]
    if E is not None:
        shown = [place for place in places if E.christoffel.terms(place)]
        if len(shown) <= MOST:
            short = Shortened(E.christoffel, robot, lambda q, _: engine.christoffel(robot, q))
            blocks += [
                equation(_names(*place), E.christoffel, place, float(symbols[place]), shortened=short(place)) for place in shown
            ]
            blocks.append(Paragraph((f"All other symbols are 0{' or omitted' if E.significance else ''}.",), quiet=True))
        else:
            text = (
                f"{len(shown)} symbols are nonzero, too many to print; Equations ▸ Lagrange shows each with its derivatives of M."
            )
            blocks.append(Paragraph((text,), quiet=True))
    squares = np.einsum("kii,i->k", symbols, qd**2)
    whole = np.einsum("kij,i,j->k", symbols, qd, qd)
    titles: tuple[Line, ...] = (
        ("Joint",),
        (Math(r"\sum_i c_{kii} \, \dot q_i^2"), "centripetal"),
        (Math(r"\sum_{i < j} 2 \, c_{kij} \, \dot q_i \, \dot q_j"), "Coriolis"),
        (Math(r"C \, \dot q"),),
        ("unit",),
    )
    return [*blocks, Table(titles, torque_rows(robot, [squares, whole - squares, whole]))] if qd.any() else blocks


def _names(k: int, i: int, j: int) -> str:
    """Both of the equal symbols c_kij and c_kji."""
    return f"c{index(k, i, j)}" + (f" = c{index(k, j, i)}" if i != j else "")
