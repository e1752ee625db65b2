"""`LawRun`: a run of a user-defined controller in this process; `Run`: the interface of a run in any process."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from armature.engine.control.own_law.arm_functions import ArmFunctions
from armature.engine.control.own_law.call_limit import CallLimit
from armature.engine.control.own_law.compiled_law import MEASURED, compile_law, compiled_arm, serves
from armature.engine.control.own_law.law_parameters import LawParameters
from armature.engine.control.own_law.law_source import fault, function_in, law_error, line_of, line_of_answer, numbers, short_text
from armature.engine.control.own_law.law_subset import NotCompiled, layout_of, memory_values
from armature.engine.errors import LawError, LawTimeoutError
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
