"""`CompiledRun`: a compiled law at work on an arm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from armature.engine.control.own_law.compiled_arm import ArmObjects, serves
from armature.engine.control.own_law.compiled_law import compiled
from armature.engine.control.own_law.law_subset import NotCompiled
from armature.engine.model.robot import Robot

_STATES = 3  # in which it is compared with the law in Python
_AGREES = 1e-9


class CompiledRun:
    """The law of a text; `goal` is the type of what it follows. Raises NotCompiled, which says why it stays Python."""

    def __init__(self, text: str, robot: Robot, values: Mapping[str, float], goal: Callable[..., Any]):
        if not serves(robot):
            raise NotCompiled("this arm is not served by compiled laws")
        self._law = compiled(text, tuple(values), goal)
        if self._law.call is None:
            raise NotCompiled(self._law.why)
        self._goal = goal
        self.set_values(values)
        self.learn(robot)

    def learn(self, robot: Robot) -> None:
        """The arm as the controller knows it from now on."""
        self._objects = ArmObjects(robot)

    def set_values(self, values: Mapping[str, float]) -> None:
        """Other values of its parameters."""
        self._values = self._law.values(*values.values())

    def call(self, t: float, q: np.ndarray, qd: np.ndarray, goal: Any) -> tuple[np.ndarray, dict[str, Any]] | None:
        """tau and what is logged; None where only Python can say what is wrong."""
        assert self._law.call is not None
        try:
            tau, *logged = self._law.call(float(t), q.copy(), qd.copy(), goal, self._objects.arm, self._values)
        except Exception:  # whatever it was, the law in Python says it with its line
            return None
        if tau.shape != q.shape or not np.isfinite(tau).all():
            return None
        return tau, dict(zip(self._law.log, logged, strict=True))

    def compare(self, n: int, python: Callable[..., Any]) -> None:
        """Raises NotCompiled where it gives something else than `python(t, q, qd, goal)` in states drawn by chance."""
        draw = np.random.default_rng(0)
        for t in range(_STATES):
            q, qd, *goal = draw.uniform(-1.0, 1.0, (5, n))
            found = self.call(float(t), q, qd, self._goal(*goal))
            try:
                with np.errstate(all="ignore"):
                    wanted = np.asarray(python(float(t), q.copy(), qd.copy(), self._goal(*(x.copy() for x in goal))), float)
            except Exception:  # it has no torque there, and says so when it is asked
                continue
            if found is not None and not np.allclose(found[0], wanted, rtol=_AGREES, atol=_AGREES, equal_nan=True):
                raise NotCompiled("compiled it gives other numbers")
