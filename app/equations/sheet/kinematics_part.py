"""Of a derivation sheet: where the tool is, its Jacobian, and where that loses rank."""

from __future__ import annotations

import numpy as np

from armature.app.equations.sheet.blocks import Block, Equation, Heading, Math, Paragraph, Table
from armature.app.equations.sheet.words import DIGITS, display, equation, index, is_short, numbers, plain, symbols
from armature.app.pictures.pose_text import values
from armature.app.state.units import measured, significant
from armature.engine import EngineError, Equations, Robot, frame_pose, jacobian, singularity
from armature.engine.kinematics.task import task_rows

MOST = 150  # terms of a formula that are printed


def pose_blocks(robot: Robot, E: Equations, q: np.ndarray) -> list[Block]:
    """The matrix of each joint, and their product."""
    blocks: list[Block] = [
        Heading("Forward kinematics"),
        Paragraph(("Pose of each link relative to the previous link, symbolic and at this pose; lengths in m.",), quiet=True),
    ]
    for i, A in enumerate(E.A):
        blocks.append(display(f"A{index(i)} =", symbols(A), "=", numbers(A.evaluate(q))))
    T, chain = E.fk, r" \, ".join(f"A{index(i)}" for i in _chain(robot))
    blocks.append(Paragraph((f"Their product along the chain to {plain(robot.tool)} is the tool pose in the world:",)))
    places = [(i, j) for i in range(3) for j in range(4)]
    count = sum(len(T.terms(place)) for place in places)
    head = rf"T = T_0 \, {chain} \, T_t ="
    if is_short(T, places):
        return [*blocks, display(head, symbols(T), "=", numbers(frame_pose(robot, q)))]
    blocks.append(display(head, numbers(frame_pose(robot, q))))
    if count > MOST:
        return [*blocks, Paragraph((f"The symbolic form has {count} terms, too many to print.",), quiet=True)]
    X = frame_pose(robot, q)
    return [*blocks, *(equation(f"T{index(*place)}", T, place, float(X[place])) for place in places)]


def jacobian_blocks(robot: Robot, E: Equations, q: np.ndarray) -> list[Block]:
    """J in symbols and numbers, det J in factors, and the singularity."""
    J, formula = jacobian(robot, q), E.J
    blocks: list[Block] = [
        Heading("Jacobian"),
        Paragraph(
            (
                Math(r"(v, \; \omega) = J(q) \, \dot q"),
                "for the tool in world axes; rows 1 to 3 are linear (m), rows 4 to 6 angular.",
            ),
            quiet=True,
        ),
    ]
    places = [(i, j) for i in range(6) for j in range(robot.n)]
    count = sum(len(formula.terms(place)) for place in places)
    if is_short(formula, places):
        blocks.append(display("J =", symbols(formula), "=", numbers(J)))
    else:
        blocks.append(display("J =", numbers(J)))
        if count <= MOST:
            shown = [place for place in places if formula.terms(place)]
            blocks += [equation(f"J{index(*place)}", formula, place, float(J[place])) for place in shown]
            if len(shown) < len(places):
                blocks.append(Paragraph(("All other entries are 0 in every pose.",), quiet=True))
        else:
            blocks.append(Paragraph((f"The symbolic form has {count} terms, too many to print.",), quiet=True))
    return [*blocks, *_determinant(robot, E, q), *_singularity(robot, q)]


def _determinant(robot: Robot, E: Equations, q: np.ndarray) -> list[Block]:
    try:
        found = E.det_J
    except EngineError as why:
        return [Paragraph((plain(f"{why}."),))]
    value = float(np.linalg.det(jacobian(robot, q)[task_rows(robot)]))
    constant, *factors = found.factored_parts(DIGITS)
    blocks: list[Block] = [Heading("Determinant", 2)]
    if sum(len(factor.formula.terms()) for factor in found.factors) <= MOST:
        product = [constant.removesuffix("1"), *factors] if factors and constant in ("1", "-1") else [constant, *factors]
        parts = [Math(part) for part in product if part]
        blocks.append(Equation((Math(r"\det \, J"),), (Math("="), *parts, f"= <b>{significant(value, DIGITS, 1.0)}</b>")))
    blocks.append(Paragraph((f"{found.sentence[0].upper()}{found.sentence[1:]}.",), quiet=True))
    rows = [
        ((Math(latex),), (values(robot, factor.q),))
        for latex, factor in zip(factors, found.factors, strict=True)
        if factor.q is not None
    ]
    return [*blocks, Table((("Factor",), ("vanishes for example at q =",)), tuple(rows), words=2)] if rows else blocks


def _singularity(robot: Robot, q: np.ndarray) -> list[Block]:
    report = singularity(robot, q)
    verdict = report.verdict()
    words = report.reason if verdict == "Non-singular" else f"{verdict}. {report.reason}"
    told = (
        f"Smallest singular value {measured(report.sigma_min)}, condition number {measured(report.condition)}, "
        f"rank {report.rank} of {len(report.sigma)}."
    )
    return [Paragraph((told, words, *([report.freedom] if report.freedom else [])))]


def _chain(robot: Robot) -> list[int]:
    """The joints from the base to the tool."""
    b, found = robot.tool_frame.body, []
    while b >= 0:
        found.append(b)
        b = robot.bodies[b].parent
    return found[::-1]
