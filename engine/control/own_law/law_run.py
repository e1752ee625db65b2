"""`LawRun`: a run of a user-defined controller in this process; `Run`: the interface of a run in any process."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from armature.engine.control.own_law.arm_functions import ArmFunctions
from armature.engine.control.own_law.call_limit import CallLimit
from armature.engine.control.own_law.compiled_run import CompiledRun
from armature.engine.control.own_law.law_parameters import LawParameters
from armature.engine.control.own_law.law_source import fault, function_in, law_error, line_of, line_of_answer, numbers, short_text
from armature.engine.control.own_law.law_subset import NotCompiled
from armature.engine.errors import LawError, LawTimeoutError
from armature.engine.model.robot import Robot


class Goal(NamedTuple):
    """Desired motion `(n,)` each, rad or m (per s, s²)."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


class Run(Protocol):
    """A run of a user-defined controller, in this process or another.

    `values` of the parameters may be set; `memory` is `p.memory`, which a later version takes over; `log` is `p.log` of the last
    call: numbers, or arrays `(k,)`. `compiled` is True if numba compiled the controller; else `why_python` is the reason.
    """

    values: Mapping[str, float]
    memory: dict[str, Any]
    why_python: str

    @property
    def compiled(self) -> bool: ...

    @property
    def log(self) -> Mapping[str, Any]: ...

    def torque(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray) -> np.ndarray:
        """Return tau `(n,)`; `reference` `(4 n,)` is the desired motion and the measured torque. Raises LawError."""

    def trial(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray) -> np.ndarray:
        """Return tau `(n,)`, without a change of the memory."""

    def learn(self, robot: Robot) -> None:
        """Change the model of the arm."""

    def restart(self) -> None:
        """Execute the text again, with an empty memory. Raises LawError."""


class LawRun:
    """A run of a user-defined controller in this process, a `Run`."""

    def __init__(self, robot: Robot, text: str, place: str, values: Mapping[str, float], saturate: bool, function=None):
        self._text, self._place, self._given, self._saturate = text, place, function, saturate
        self._machine: CompiledRun | None = None
        self.why_python = ""
        self._values, self._p = values, LawParameters(values, {})
        self.learn(robot)
        self.restart()

    @property
    def compiled(self) -> bool:
        return self._machine is not None

    def compile(self) -> None:
        """Compile with numba if the result is the same, which takes seconds; else `why_python` is the reason."""
        try:
            self._machine = CompiledRun(self._text, self._robot, self._values, Goal, self._tried)
        except NotCompiled as error:
            self.why_python = str(error)

    def _tried(self, t: float, q: np.ndarray, qd: np.ndarray, goal: Goal, memory: dict[str, Any]) -> Any:
        arguments = t, q, qd, goal, self._arm, LawParameters(self._values, memory)
        return CallLimit("control", self._place, self._control).call(self._control, *arguments)

    @property
    def values(self) -> Mapping[str, float]:
        return self._values

    @values.setter
    def values(self, values: Mapping[str, float]) -> None:
        self._values = values
        self._p = LawParameters(values, self._p.memory)
        if self._machine is not None:
            self._machine.set_values(values)

    @property
    def memory(self) -> dict[str, Any]:
        return self._p.memory

    @memory.setter
    def memory(self, memory: dict[str, Any]) -> None:
        self._p = LawParameters(self._values, memory)

    @property
    def log(self) -> Mapping[str, Any]:
        return self._log

    def learn(self, robot: Robot) -> None:
        self._robot, self._arm = robot, ArmFunctions(robot)
        self._most = robot.tau_max if self._saturate else np.full(robot.n, np.inf)
        if self._machine is not None:
            self._machine.learn(robot)

    def restart(self) -> None:
        self._control: Callable[..., Any] = self._given or function_in(self._text, "control", self._place)
        self._log: dict[str, Any] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}  # of the logged values, which are columns of a recording
        self.memory = {}

    def torque(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray) -> np.ndarray:
        n = len(q)
        goal = Goal(*reference[: 3 * n].reshape(3, n).copy())
        if len(reference) > 3 * n:
            self._arm.tau_measured = reference[3 * n :].copy()
        done = None
        if self._machine is not None:
            self._machine.measure(self._arm.tau_measured)
            limit = CallLimit("control", self._place, self._control)
            done = limit.call(self._machine.call, t, q, qd, goal, self.memory)
        if done is None:
            tau, log = self._in_python(t, q, qd, goal)
        else:
            tau, log = done
        self._log = self._logged(log) if log else log
        return np.minimum(np.maximum(tau, -self._most), self._most)

    def _in_python(self, t: float, q: np.ndarray, qd: np.ndarray, goal: Goal) -> tuple[np.ndarray, dict[str, Any]]:
        n, p = len(q), self._p
        log: dict[str, Any] = {}
        p.__dict__["log"] = log
        arguments = t, q.copy(), qd.copy(), goal, self._arm, p
        try:
            with np.errstate(all="ignore"):  # finiteness is checked below
                answer = CallLimit("control", self._place, self._control).call(self._control, *arguments)
        except LawTimeoutError:
            raise
        except (Exception, SystemExit) as error:
            raise fault(error, self._place, f"the controller failed at t = {t:g} s") from error
        tau = numbers(answer)
        if tau is None or tau.shape != (n,):
            wanted = f"{n} finite numbers, one for each of {', '.join(self._robot.joint_names)}"
            line = line_of_answer(self._control, arguments, self._place)
            raise law_error(self._place, line, f"at t = {t:g} s control returned {short_text(answer)}; it must return {wanted}")
        return tau, log

    def trial(self, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray) -> np.ndarray:
        memory, shapes = self.memory, self._shapes.copy()
        self.memory = copy.deepcopy(memory)
        try:
            return self.torque(t, q, qd, reference)
        finally:
            self.memory, self._shapes = memory, shapes

    def _logged(self, log: dict[str, Any]) -> dict[str, Any]:
        """Return copies of the logged values as floats and arrays of floats."""
        kept: dict[str, Any] = {}
        for name, value in log.items():
            plain = type(value) is float or (type(value) is np.ndarray and value.dtype == float and value.ndim == 1)
            array = value if plain else numbers(value, finite=False)
            if not isinstance(name, str) or array is None or np.ndim(array) > 1:
                raise self._refused_log(name, f"must be a number or a 1-D array, not {short_text(value)}")
            if self._shapes.setdefault(name, np.shape(array)) != np.shape(array):
                before = math.prod(self._shapes[name])
                raise self._refused_log(
                    name, f"had {_numbers(before)} before, now {_numbers(np.size(array))}: {short_text(value)}"
                )
            kept[name] = array.copy() if np.ndim(array) else float(array)
        return kept

    def _refused_log(self, name: Any, what: str) -> LawError:
        line = line_of(self._text, f"p.log[{name!r}]=") or line_of(self._text, f'p.log["{name}"]=')
        return law_error(self._place, line, f"p.log[{name!r:.40}] {what}")


def _numbers(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"
