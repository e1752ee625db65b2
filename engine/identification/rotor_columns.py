"""Which rotor inertias can be told from the inertia of the links, and in which combinations the others are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.dynamics.base_parameters import BaseParameters
from armature.engine.dynamics.regressor import regressor
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

_STATES = 60
_TOLERANCE = 1e-8


@dataclass(frozen=True, eq=False)
class RotorColumns(Frozen):
    """`free`: joints whose rotor inertia is known by itself; of the others `combination` `(r, n)` says what of it is in the base
    parameters, whose `names` tell it."""

    free: tuple[int, ...]
    combination: np.ndarray
    names: tuple[str, ...]


def rotor_columns(robot: Robot, base: BaseParameters) -> RotorColumns:
    """The torque Ia qdd of a rotor is either one that the base parameters make, too, or one that no link can make."""
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.uniform(-1, 1, (3, _STATES, robot.n)) * 3
    Y = regressor(robot, q, qd, qdd)[..., base.columns].reshape(-1, base.rank)
    free, combination, names = list[int](), np.zeros((base.rank, robot.n)), list(base.names)
    for joint in range(robot.n):
        column = np.zeros_like(qdd)
        column[:, joint] = qdd[:, joint]
        found, *_ = np.linalg.lstsq(Y, column.ravel())
        if np.abs(Y @ found - column.ravel()).max() > _TOLERANCE * np.abs(column).max():
            free.append(joint)
            continue
        found[np.abs(found) < _TOLERANCE] = 0.0
        combination[:, joint] = found
        for k in np.flatnonzero(found):
            factor = "" if abs(abs(found[k]) - 1) < _TOLERANCE else f"{abs(found[k]):.6g} "
            names[k] += f" {'−' if found[k] < 0 else '+'} {factor}Ia{joint + 1}"
    return RotorColumns(tuple(free), combination, tuple(names))
