"""A pose at which a formula vanishes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from armature.engine.formulas.formula import Formula
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot

_STEPS, _POSES, _HALVINGS = 181, 64, 60


def zero_pose(robot: Robot, formula: Formula) -> NDArray[np.float64] | None:
    """A pose `(n,)` within the joint limits at which it is 0, one joint away from home where it can be; None if none was found.

    Along one joint after the other, from home and then from random poses, a change of sign is halved down to rounding.
    """
    low, high = joint_ranges(robot)
    joints = sorted({i for monomial in formula.terms() for factor, _ in monomial for i, k in enumerate(factor.k) if k})
    home = np.clip(robot.configurations["home"], low, high)
    starts = [home, *np.random.default_rng(0).uniform(low, high, (_POSES, robot.n))]
    scale = max((abs(formula.number(value)) for value in formula.terms().values()), default=0.0)
    for start in starts:
        for joint in joints:
            line = np.repeat(start[None], _STEPS, axis=0)
            line[:, joint] = np.linspace(low[joint], high[joint], _STEPS)
            values = formula.evaluate(line)
            values[np.abs(values) < 1e-12 * scale] = 0.0
            zeros = [pose for pose, value in zip(line, values) if value == 0]
            zeros += [_halved(formula, line[k], line[k + 1]) for k in np.flatnonzero(values[1:] * values[:-1] < 0)]
            if zeros:
                return min(zeros, key=lambda pose: abs(pose[joint] - start[joint]))
    return None


def _halved(formula: Formula, a: np.ndarray, b: np.ndarray) -> NDArray[np.float64]:
    sign = np.sign(formula.evaluate(a))
    for _ in range(_HALVINGS):
        middle = (a + b) / 2
        if np.sign(formula.evaluate(middle)) == sign:
            a = middle
        else:
            b = middle
    return (a + b) / 2
