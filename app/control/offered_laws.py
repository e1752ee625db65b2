"""The control laws the window offers: their words, their equations and their gains as a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from armature.engine.control.controllers import Controller

JOINTS, AXES, SINGLE = "joints", "axes", "single"
OWN = "own"


@dataclass(frozen=True)
class Law:
    """One law. `gains` are pairs (field, column title), one value per `rows`; `follows`: it tracks what is desired; `acts`: it
    sets the torques, which are else none or a person's; `file`:
    of one that ships as a Python file, and runs as such, that file's stem."""

    title: str
    equation: str
    words: str
    rows: str = ""
    gains: tuple[tuple[str, str], ...] = ()
    follows: bool = False
    note: str = ""
    acts: bool = True
    file: str = ""


_PD = (("kp", "Kp"), ("kd", "Kd"))
_UNITS = "Kp in N·m/rad, Kd in N·m·s/rad; of sliding joints N/m and N·s/m."
LAWS = {
    "none": Law("None", "τ = 0", "All motor torques are zero: the arm falls and swings freely.", acts=False),
    "torque": Law("Torque sliders", "τ = sliders", "The sliders in the Simulation panel set the motor torques.", acts=False),
    "gravity": Law(
        "Gravity compensation", "τ = g(q)", "The motors only compensate gravity, so the arm can be guided by hand (lead-through)."
    ),
    "pd": Law(
        "PD",
        "τ = Kp (q* − q) + Kd (q̇* − q̇)",
        "A spring and a damper at every joint. Gravity causes a steady-state error of g / Kp.",
        JOINTS,
        _PD,
        True,
        _UNITS,
    ),
    "pid": Law(
        "PID",
        "τ = Kp e + Kd ė + Ki ∫ e dt,  e = q* − q",
        "The integral removes the steady-state error caused by gravity. It is frozen while a motor is saturated (anti-windup).",
        JOINTS,
        (*_PD, ("ki", "Ki")),
        True,
        "Kp in N·m/rad, Kd in N·m·s/rad, Ki in N·m/(rad·s).",
    ),
    "pd-gravity": Law(
        "PD + gravity",
        "τ = Kp (q* − q) + Kd (q̇* − q̇) + g(q)",
        "Gravity compensated. With exact masses the steady-state error is zero, except for the effect of dry friction.",
        JOINTS,
        _PD,
        True,
        _UNITS,
    ),
    "computed-torque": Law(
        "Computed torque",
        "τ = M(q) (q̈* + Kd ė + Kp e) + C(q, q̇) q̇ + g(q) + friction",
        "The inverse model reduces each joint to a double integrator; dry friction is compensated only while the "
        "desired velocity is not zero. Accuracy depends on the model.",
        JOINTS,
        _PD,
        True,
        "Kp in 1/s², Kd in 1/s, independent of the inertia at each joint.",
    ),
    "impedance": Law(
        "Impedance",
        "τ = Jᵀ (K e + D (V* − J q̇)) + C q̇ + g",
        "Virtual springs and dampers connect the tool to its desired pose; it yields when pushed.",
        AXES,
        (("stiffness", "K"), ("damping", "D")),
        True,
        "K in N/m and N·m/rad, D in N·s/m and N·m·s/rad, along the world's axes.",
    ),
    "resolved-rate": Law(
        "Resolved rate",
        "q̇c = Jᵀ (J Jᵀ + λ² 1)⁻¹ (V* + k e),  τ = M s (q̇c − q̇) + C q̇ + g + friction",
        "The inverse Jacobian converts the desired tool velocity to joint velocities; damping limits them near singularities.",
        SINGLE,
        (("gain", "k  1/s"), ("servo", "s  1/s"), ("damping", "λ  m")),
        True,
        "k: feedback gain of the tool pose. s: gain of the joint velocity loop. λ: damping.",
    ),
    "recursive-least-squares": Law(
        "Recursive least squares",
        "τ = M̂ (q̈* + 2ω ė + ω² e) + Ĉ q̇ + ĝ + friction,  θ ← θ + R⁻¹ Yᵀ (τ − Y θ)",
        "Computed torque that identifies payload and friction online from measured torques, with a forgetting factor.",
        follows=True,
        file="recursive_least_squares",
    ),
    "slotine-li": Law(
        "Slotine–Li (adaptive)",
        "τ = M v̇ + C v + g + Y θ + K s,  θ̇ = γ Γ Yᵀ s,  v = q̇* + λ e,  s = v − q̇",
        "Adapts payload and friction parameters from the tracking error alone; needs no measured torque or acceleration. The "
        "tracking error converges to zero, the parameters need not converge to their true values.",
        follows=True,
        file="slotine_li",
    ),
    OWN: Law(
        "User-defined (Python)",
        "τ = control(t, q, q̇, goal, arm, p)",
        "A Python file computes the torques, in a separate process. A saved change takes effect at once and keeps the memory.",
        follows=True,
    ),
}
AXIS_NAMES = ("x", "y", "z", "rot x", "rot y", "rot z")


@dataclass(frozen=True)
class ControlOptions:
    """What goes with every law: torque limits, `period` s between two looks (None: every step), and what is known of the load."""

    saturate: bool = True
    period: float | None = None
    knows_payload: bool = True
    assumed_mass: float = 0.0
    knows_friction: bool = True


def shown_name(law: str, file: str) -> str:
    """What the chooser shows of a law, one in Python that is called `file`: what ships has a name of its own."""
    return next((name for name, offered in LAWS.items() if law == OWN and offered.file == file != ""), law)


def row_names(law: Law, joint_names: tuple[str, ...]) -> tuple[str, ...]:
    """What the rows of the gains are called."""
    return {JOINTS: tuple(joint_names), AXES: AXIS_NAMES, SINGLE: ("all",)}.get(law.rows, ())


def gain_values(law: Law, controller: Controller, rows: int) -> np.ndarray:
    """The gains of a controller, `(rows, columns)`."""
    columns = [np.broadcast_to(np.asarray(vars(controller)[name], float), (rows,)) for name, _ in law.gains]
    return np.column_stack(columns) if columns else np.zeros((rows, 0))


def with_gains(law: Law, controller: Controller, values: np.ndarray) -> Controller:
    """The same controller with other gains `(rows, columns)`."""
    single = law.rows == SINGLE
    gains: dict[str, Any] = {name: float(v[0]) if single else v for (name, _), v in zip(law.gains, values.T)}
    return replace(controller, **gains)


def with_options(controller: Controller, options: ControlOptions) -> Controller:
    """The same controller with these options."""
    return replace(controller, saturate=options.saturate, period=options.period)
