"""`CompiledRun`: a run of a compiled controller on an arm."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from armature.engine.control.own_law.compiled_law import MEASURED, compile_law, compiled_arm, serves
from armature.engine.control.own_law.law_subset import NotCompiled, layout_of, memory_values
from armature.engine.errors import LawTimeoutError
from armature.engine.model.robot import Robot

_STATES = 4  # in which it is compared with the law in Python
_STEP = 1e-3  # s between them
_AGREES = 1e-9

Control = Callable[..., Any]
"""The controller in Python, as `control(t, q, qd, goal, memory)`."""


class CompiledRun:
    """A compiled controller; `goal` is the type of the desired motion. Raises NotCompiled if it must run as Python."""

    def __init__(self, text: str, robot: Robot, values: Mapping[str, float], goal: Callable[..., Any], python: Control):
        if not serves(robot):
            raise NotCompiled("compiled controllers are not possible for this arm")
        self._goal = goal
        states = _drawn(robot.n, goal)
        self._layout = layout_of(_first_memory(states, python) if "memory" in text else {})
        self._law = compile_law(text, tuple(values), goal, self._layout)
        if self._law.call is None:
            raise NotCompiled(self._law.why)
        self.set_values(values)
        self.learn(robot)
        self._compare(states, python)

    def learn(self, robot: Robot) -> None:
        """Change the model of the arm."""
        self._arm = compiled_arm(robot)

    def set_values(self, values: Mapping[str, float]) -> None:
        """Change the values of the parameters."""
        self._values = self._law.values(*values.values())

    def measure(self, tau: np.ndarray) -> None:
        """Set `arm.tau_measured` `(n,)`, N·m or N."""
        self._arm.figures[MEASURED] = tau

    def call(self, t: float, q: np.ndarray, qd: np.ndarray, goal: Any, memory: dict[str, Any]):
        """Return tau and the log, and update the memory; None, and no change, where only Python can begin or report the error."""
        assert self._law.call is not None
        held = memory_values(memory, self._layout)
        if held is None:
            return None
        try:
            tau, *given = self._law.call(float(t), q.copy(), qd.copy(), goal, self._arm, self._values, *held)
        except Exception:  # the controller in Python reports it with its line
            return None
        if tau.shape != q.shape or not np.isfinite(tau).all():
            return None
        logged = len(self._law.log)
        memory.update((name, value) for (name, _), value in zip(self._layout, given[logged:], strict=True))
        return tau, dict(zip(self._law.log, given[:logged], strict=True))

    def _compare(self, states: list[tuple], python: Control) -> None:
        """Raise NotCompiled unless it returns the values of the controller in Python."""
        memory: dict[str, Any] = {}
        for state in states:
            before = copy.deepcopy(memory)
            wanted = _answer(state, python, memory)
            t, q, qd, goal = state
            found = self.call(t, q, qd, goal, before)
            if wanted is None or found is None:
                continue
            after = [(memory[name], before[name]) for name, _ in self._layout]
            for one, other in [(wanted, found[0]), *after]:
                if not np.allclose(other, one, rtol=_AGREES, atol=_AGREES * (1.0 + np.abs(one).max(initial=0.0)), equal_nan=True):
                    raise NotCompiled("the compiled controller returns different values")


def _drawn(n: int, goal: Callable[..., Any]) -> list[tuple]:
    """Return random values of t, q, qd and goal."""
    draw = np.random.default_rng(0)
    drawn = [draw.uniform(-1.0, 1.0, (5, n)) for _ in range(_STATES)]
    return [(_STEP * k, q, qd, goal(*rest)) for k, (q, qd, *rest) in enumerate(drawn)]


def _answer(state: tuple, python: Control, memory: dict[str, Any]) -> np.ndarray | None:
    t, q, qd, goal = state
    try:
        with np.errstate(all="ignore"):
            return np.asarray(python(t, q.copy(), qd.copy(), type(goal)(*(x.copy() for x in goal)), memory), float)
    except LawTimeoutError:
        raise
    except Exception:  # there is no torque in that state, which a call reports
        return None


def _first_memory(states: list[tuple], python: Control) -> dict[str, Any]:
    """Return the memory after a first call. Raises NotCompiled if no state has a torque."""
    for state in states:
        memory: dict[str, Any] = {}
        if _answer(state, python, memory) is not None:
            return memory
    raise NotCompiled("it returned no torque in random test states, so the content of p.memory is unknown")
