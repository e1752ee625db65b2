"""Of a derivation sheet: recursive Newton–Euler, move by move, with its numbers."""

from __future__ import annotations

import re

import numpy as np

from armature.app.equations.printed.slips import Motion, slips_of
from armature.app.equations.recursion_text import symbols
from armature.app.equations.sheet.blocks import Block, Equation, Heading, Line, Math, Paragraph, Table
from armature.app.equations.sheet.dynamics_part import torque_rows
from armature.app.equations.sheet.words import plain
from armature.app.scene.overlays.newton_euler.rnea_walk import Phase, RneaWalk
from armature.app.scene.overlays.newton_euler.rnea_words import lines, sentence, title
from armature.app.state.units import significant
from armature.engine import Robot

VECTOR = re.compile(r"\([^()× ·]+, [^()× ·]+, [^()× ·]+\)")


def recursion_blocks(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> list[Block]:
    """Each move in symbols, with the numbers put in, and what comes out; at the end Lagrange's sum beside it."""
    walk = RneaWalk(robot, q, qd, qdd)
    blocks: list[Block] = [
        Heading("Recursive Newton–Euler"),
        Paragraph(("Vectors in world axes; lengths in m, forces in N, moments in N·m.",), quiet=True),
    ]
    for number in range(walk.count + 1):
        move = walk.move(number)
        blocks.append(Heading(plain(f"{number}. {title(walk, move)}"), 2))
        if move.phase == Phase.START or number in (1, walk.n + 1, 2 * walk.n + 1):
            blocks.append(Paragraph((symbols(sentence(walk, move)),), quiet=True))
        for line in lines(walk, move):
            right, *put_in = map(symbols, line.steps)
            steps = [right, *map(_whole, put_in), f"<b>{_whole(symbols(line.value))}</b>"]
            blocks.append(Equation((symbols(line.result.symbol),), tuple(f"= {step}" for step in steps)))
    columns = [*walk.lagrange.T, walk.lagrange.sum(axis=1), walk.steps.tau]
    titles: tuple[Line, ...] = (
        ("Joint",),
        (Math(r"M \, \ddot q"),),
        (Math(r"C \, \dot q"),),
        (Math("g"),),
        ("sum",),
        (Math(r"\tau"), "by recursion"),
        ("unit",),
    )
    apart = float(np.abs(columns[-1] - columns[-2]).max())
    return [
        *blocks,
        Heading("Lagrange and recursion compared", 2),
        Table(titles, torque_rows(robot, columns)),
        Paragraph(
            (
                f"The torques of both methods differ by at most {significant(apart, 2)} (rounding). Rotor inertia is included; "
                "friction, external forces and joint stops are not.",
            ),
            quiet=True,
        ),
    ]


def _whole(text: str) -> str:
    """No line breaks within a vector."""
    return VECTOR.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text)


def slip_blocks(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> list[Block]:
    """What the texts print wrong about this arm."""
    slips = slips_of(robot)
    blocks: list[Block] = [Heading("Erratum in the lecture text")] if slips else []
    for slip in slips:
        printed, right = slip.numbers(Motion(robot, q, qd, qdd))
        letters = f" ({slip.letters})" if slip.letters else ""
        here = f"; {slip.of}here <s>{printed}</s>" if printed else ""
        text = f"Printed: {slip.printed}{here}. Correct: {slip.right}; {slip.of}here <b>{right}</b>."
        blocks.append(Paragraph((f"<b>{slip.where}{letters}.</b> {text}",)))
    return blocks
