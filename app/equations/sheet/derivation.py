"""The derivation sheet of an arm in a motion: everything a teacher would put on the wall about it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import numpy as np

from armature import engine
from armature.app.equations.sheet.arm_part import arm_blocks, facts
from armature.app.equations.sheet.blocks import Block, Heading, Paragraph, Sheet
from armature.app.equations.sheet.dynamics_part import dynamics_blocks
from armature.app.equations.sheet.kinematics_part import jacobian_blocks, pose_blocks
from armature.app.equations.sheet.lagrange_part import lagrange_blocks
from armature.app.equations.sheet.recursion_part import recursion_blocks, slip_blocks
from armature.app.equations.sheet.words import display, numbers, plain
from armature.app.state.shared_sentences import no_masses
from armature.engine import EngineError, Equations, Robot
from armature.engine.version import VERSION

SIGNIFICANCE = 0.01


def derivation(
    robot: Robot,
    motion: tuple[np.ndarray, np.ndarray, np.ndarray],
    picture: bytes,
    significance: float = SIGNIFICANCE,
    proceed: Callable[[float], None] = lambda _: None,
) -> Sheet:
    """The sheet in the motion q, qd, qdd `(n,)`; before each of its parts `proceed` is told what share of them is done.

    Arms of up to three joints are derived in letters, all others with numbers, terms below their significance left out.
    """
    q, qd, qdd = motion
    E, why = _equations(robot, significance)
    parts: list[Callable[[], list[Block]]] = [lambda: arm_blocks(robot)]
    if E is None:
        parts.append(
            lambda: [Heading("Matrices"), Paragraph((plain(f"{why}. Numerical values at this pose:"),)), *_numbers(robot, q, qd)]
        )
    else:
        parts += [lambda: pose_blocks(robot, E, q), lambda: jacobian_blocks(robot, E, q)]
    if not robot.has_dynamics:
        parts.append(lambda: [Heading("Equation of motion"), Paragraph((plain(no_masses(robot.name)),))])
    else:
        parts += [lambda: dynamics_blocks(robot, E, q, qd)] if E is not None else []
        parts += [lambda: lagrange_blocks(robot, E, q, qd, qdd), lambda: recursion_blocks(robot, q, qd, qdd)]
        parts.append(lambda: slip_blocks(robot, q, qd, qdd))
    found = []
    for k, part in enumerate(parts):
        proceed(k / len(parts))
        found.append(part())
    subtitle = "Derivation at a pose, at rest" if not (qd.any() or qdd.any()) else "Derivation for a motion"
    table = facts(robot, q, qd, qdd)
    title = plain(robot.title)
    return Sheet(title, subtitle, picture, table, tuple(chain(*found)), f"{title} · Armature {VERSION}")


def _equations(robot: Robot, significance: float) -> tuple[Equations | None, str]:
    """In letters where the arm is small, else in numbers; or why there are none."""
    try:
        found = engine.equations(robot)
        return (found if found.in_letters else engine.equations(robot, significance)), ""
    except EngineError as error:
        return None, str(error)


def _numbers(robot: Robot, q: np.ndarray, qd: np.ndarray) -> list[Block]:
    """The matrices of an arm that has no formulas."""
    shown = {"T": engine.frame_pose(robot, q), "J": engine.jacobian(robot, q)}
    if robot.has_dynamics:
        shown |= {
            "M": engine.mass_matrix(robot, q),
            "C": engine.coriolis_matrix(robot, q, qd),
            "g": engine.gravity_torque(robot, q),
        }
    return [display(f"{name} =", numbers(values)) for name, values in shown.items()]
