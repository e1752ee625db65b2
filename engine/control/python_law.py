"""`PythonLaw`: a Python function as a controller; `law_of` accepts controllers and functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from armature.engine.control.control_laws import NAMES
from armature.engine.control.controller import Controller
from armature.engine.control.own_law.call_limit import CallLimit
from armature.engine.control.own_law.law_function import has_form, own_law_of
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.errors import DimensionError, EngineError, LawTimeoutError
from armature.engine.model.robot import Robot

REFERENCE = ("q_d", "qd_d", "qdd_d", "tau_measured")
FUNCTION = "function"
"""Kind of a `PythonLaw` in recordings, which do not contain the function."""

_FORM = "a controller must be a function law(t, q, qd) -> tau, optionally with arguments q_d, qd_d, qdd_d, tau_measured"


@dataclass(frozen=True, eq=False)
class PythonLaw(Controller):
    """Controller from a Python function: tau = function(t, q, qd), called at every step, or once per `period` s and held.

    `function` receives t in s, q `(n,)` in rad or m, and qd `(n,)` in rad/s or m/s, and returns the motor torque tau `(n,)` in
    N·m or N. Optional arguments: q_d, qd_d and qdd_d `(n,)` receive the desired motion, or the pose to hold; tau_measured `(n,)`
    receives the motor torques of the previous step as measured by the drives. `takes` lists the optional arguments in use.
    `saturate`: as in `Controller`.
    """

    function: Callable[..., Any]
    takes: tuple[str, ...] = field(init=False, repr=False)
    """The names of `REFERENCE` that the function has as arguments."""

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "takes", _reference_of(self.function))

    @property
    def name(self) -> str:
        """Name of the Python function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def pack(self, robot: Robot) -> np.ndarray:
        """Return an empty array, because the torque is computed in Python."""
        return np.zeros((0, 0))

    def describe(self) -> dict[str, Any]:
        """Return name, period and `saturate` as plain values, for the metadata of a recording, without the function itself."""
        return {"kind": FUNCTION, "name": self.name, "period": self.period, "saturate": bool(self.saturate)}

    def torque(self, robot: Robot, t: float, q: np.ndarray, qd: np.ndarray, reference: np.ndarray) -> np.ndarray:
        """Return the torque of the function `(n,)`, N·m or N, clamped to ±`robot.tau_max` if `saturate` is True.

        t in s, q in rad or m, qd in rad/s or m/s, `(n,)` each; `reference` `(4 n,)`: desired q, qd, qdd and the measured torques.

        Raises EngineError if the function raises, DimensionError for an invalid torque; both name controller and time.
        """
        n = robot.n
        desired = {name: reference[k * n : (k + 1) * n].copy() for k, name in enumerate(REFERENCE) if name in self.takes}
        place = str(getattr(getattr(self.function, "__code__", None), "co_filename", self.name))
        try:
            limit = CallLimit(self.name, place, self.function)
            answer = limit.call(self.function, t, q.copy(), qd.copy(), **desired)
        except LawTimeoutError:
            raise
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise EngineError(f"{robot.name}: the controller {self.name} failed at t = {t:g} s: {why}") from error
        tau = _numbers(answer)
        if tau.shape != (n,) or not np.isfinite(tau).all():
            wanted = f"{n} finite numbers, one for each of {', '.join(robot.joint_names)}"
            raise DimensionError(
                f"{robot.name}: at t = {t:g} s the controller {self.name} returned {_named(answer)}; it must return {wanted}"
            )
        return np.clip(tau, -robot.tau_max, robot.tau_max) if self.saturate else tau


def law_of(controller: Any) -> Controller | None:
    """Return a controller for the simulation, None for None; a function becomes a `PythonLaw`. Raises EngineError."""
    if controller is None or type(controller) in NAMES or type(controller) is PythonLaw or isinstance(controller, OwnLaw):
        return controller
    if isinstance(controller, Controller):
        built_in = ", ".join(kind.__name__ for kind in NAMES)
        raise EngineError(
            f"{type(controller).__name__} is not a built-in controller ({built_in}); your own class is not accepted: give"
            " a function law(t, q, qd) -> tau, or PythonLaw(function, period=..., saturate=...)"
        )
    if isinstance(controller, type) and issubclass(controller, Controller):
        raise EngineError(f"the controller is the class {controller.__name__}; give an instance of it, with its gains")
    if callable(controller):
        return own_law_of(controller) if has_form(controller) else PythonLaw(controller)
    raise EngineError(f"the controller must be one such as default_gains returns, or a function, not {controller!r}")


def _reference_of(function: Any) -> tuple[str, ...]:
    """Return the arguments of `REFERENCE` that a function has. Raises EngineError if it is not a controller."""
    if not callable(function):
        raise EngineError(f"{_FORM}; {function!r} is not callable")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # functions in C may have no signature
        return ()
    named = tuple(name for name in REFERENCE if name in signature.parameters)
    try:
        signature.bind(0.0, None, None, **dict.fromkeys(named))
    except TypeError as error:
        name = getattr(function, "__name__", type(function).__name__)
        raise EngineError(f"{_FORM}; {name}{signature} does not match: {error}") from None
    return named


def _numbers(answer: Any) -> np.ndarray:
    """Return `answer` as new floats, empty for text, which NumPy would parse, and for complex numbers."""
    try:
        values = np.array(answer)
        return values.astype(float) if values.dtype.kind in "biufO" else np.empty(0)
    except (TypeError, ValueError, OverflowError):
        return np.empty(0)


def _named(answer: Any) -> str:
    """Return an invalid torque as short text."""
    values = _numbers(answer)
    if answer is None or not values.size:
        return "None" if answer is None else f"{answer!r:.60}"
    if values.size > 12:
        return f"an array of shape {values.shape}"
    return f"{values.tolist()}"
