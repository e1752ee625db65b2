"""The engine's functions for one state as compiled laws call them: the same machine code that they are in Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from armature.engine.control.own_law.arm_functions import task_weights
from armature.engine.direct import SingleState
from armature.engine.dynamics import forward, mass_matrix, newton_euler, regressor
from armature.engine.headers import REFERENCES, layout_is_known, peek, poke, view_as
from armature.engine.kinematics import jacobian, poses
from armature.engine.model.packed_model import COULOMB, VISCOUS
from armature.engine.model.robot import Robot

_STATES: dict[str, tuple[Any, int, bool]] = {
    "rnea": (newton_euler, 3, False),
    "mass_matrix": (mass_matrix, 1, False),
    "forward_dynamics": (forward, 3, False),
    "jacobian": (jacobian, 1, True),
    "pose": (poses, 1, True),
    "regressor": (regressor, 3, False),
}
"""Per function: where it is, how many joint vectors it takes, and whether the tool's frame, too."""

FIGURES = ("q_min", "q_max", "qd_max", "tau_max", "home", "tau_measured")
MEASURED = FIGURES.index("tau_measured")
_VISCOUS, _DRY = len(FIGURES), len(FIGURES) + 1
_MEMORY, _OBJECTS, _COUNT, _OUT, _NUMBERS, _INPUTS = range(6)
"""What a row of addresses begins with; the numbers of the joint vectors follow."""

_vector, _matrix = view_as(types.float64[::1]), view_as(types.float64[:, ::1])
_ENTRY = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_ssize_t)


class CompiledArm(NamedTuple):
    """The `arm` of a compiled law: n, `FIGURES` and friction `(9, n)`, the task's `weights`, and addresses for each call."""

    n: int
    figures: np.ndarray
    weights: np.ndarray
    calls: np.ndarray


class ArmObjects:
    """A `CompiledArm`, and the objects whose addresses it holds, which live as long as this does."""

    def __init__(self, robot: Robot):
        n, frame = robot.n, robot.frame().packed
        shapes = {"mass_matrix": (n, n), "jacobian": (6, n), "pose": (4, 4), "regressor": (n, 10 * n)}
        self._kept: list[Any] = [robot]
        calls = np.zeros((len(_STATES), _INPUTS + 3), np.int64)
        for row, (name, (_, count, framed)) in zip(calls, _STATES.items(), strict=True):
            inputs, out = [np.zeros(n) for _ in range(count)], np.zeros(shapes.get(name, (n,)))
            objects = [robot.packed, *inputs, *([frame] if framed else []), out]
            table = np.array([id(x) for x in objects])
            self._kept += [objects, table]
            head = [id(SingleState._memory), table.ctypes.data, len(objects), id(out), out.ctypes.data]
            row[: _INPUTS + count] = head + [x.ctypes.data for x in inputs]
        limits, home = [robot.q_min, robot.q_max, robot.qd_max, robot.tau_max], robot.configurations["home"]
        figures = np.array([*limits, home, np.zeros(n), *_friction(robot)])
        self.arm = CompiledArm(n, figures, task_weights(robot), calls)


def _friction(robot: Robot) -> np.ndarray:
    """Viscous, and dry friction forwards and backwards `(3, n)`."""
    return robot.packed[:-1, [VISCOUS, COULOMB, COULOMB + 1]].T


def serves(robot: Robot) -> bool:
    """Whether these functions are there for this arm on this machine."""
    return layout_is_known() and robot.coupling is None and robot.has_dynamics


@cache
def compiled_functions() -> dict[str, Callable[..., Any]]:
    """By name, with the `CompiledArm` as first argument."""
    rnea, mass_matrix, forward_dynamics, jacobian, pose, regressor = (_caller(name) for name in _STATES)

    def arm_rnea(arm, q, qd, qdd):
        return _vector(rnea(arm.calls[0], (q, qd, qdd), arm.n), (arm.n,)).copy()

    def arm_gravity(arm, q):
        rest = np.zeros(arm.n)
        return _vector(rnea(arm.calls[0], (q, rest, rest), arm.n), (arm.n,)).copy()

    def arm_mass_matrix(arm, q):
        return _matrix(mass_matrix(arm.calls[1], (q,), arm.n), (arm.n, arm.n)).copy()

    def arm_forward_dynamics(arm, q, qd, tau):
        return _vector(forward_dynamics(arm.calls[2], (q, qd, tau), arm.n), (arm.n,)).copy()

    def arm_jacobian(arm, q):
        return _matrix(jacobian(arm.calls[3], (q,), arm.n), (6, arm.n)).copy()

    def arm_pose(arm, q):
        return _matrix(pose(arm.calls[4], (q,), arm.n), (4, 4)).copy()

    def arm_regressor(arm, q, qd, qdd):
        return _matrix(regressor(arm.calls[5], (q, qd, qdd), arm.n), (arm.n, 10 * arm.n)).copy()

    def arm_friction(arm, qd):
        f, out = arm.figures, np.zeros(arm.n)
        if len(qd) != arm.n:
            raise ValueError("not for these joints")
        for i in range(arm.n):
            dry = f[_DRY, i] if qd[i] > 0.0 else -f[_DRY + 1, i]
            out[i] = f[_VISCOUS, i] * qd[i] + dry * (1.0 if qd[i] != 0.0 else 0.0)
        return out

    made = (arm_friction, arm_rnea, arm_gravity, arm_mass_matrix, arm_forward_dynamics, arm_jacobian, arm_pose, arm_regressor)
    return {function.__name__.removeprefix("arm_"): numba.njit(function) for function in made}


def _caller(name: str) -> Callable[..., Any]:
    """`(row, joint vectors, n)`: calls the routine on them, and gives the address of the numbers that it fills."""
    home = _STATES[name][0]
    state: SingleState = home._frame_one if home is poses else home._one
    state.compile()
    routine = _ENTRY(state._code.address or 0)

    @numba.njit
    def call(row, vectors, n):
        for k in range(len(vectors)):
            if vectors[k].shape != (n,):
                raise ValueError("not for these joints")
            to = _vector(row[_INPUTS + k], (n,))
            for i in range(n):
                to[i] = vectors[k][i]
        got = routine(row[_MEMORY], row[_OBJECTS], row[_COUNT])
        poke(got + REFERENCES, peek(got + REFERENCES) - 1)  # the one it gave its caller
        if got != row[_OUT]:
            raise ValueError("not for these numbers")
        return row[_NUMBERS]

    return call
