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
    "none": Law("None", "τ = 0", "No motor acts: the arm falls and swings.", acts=False),
    "torque": Law("Torque sliders", "τ = sliders", "The sliders in the Simulation panel are the motor torques.", acts=False),
    "gravity": Law(
        "Gravity compensation", "τ = g(q)", "Lead-through: the motors carry the arm's weight alone, so that a hand can lead it."
    ),
    "pd": Law(
        "PD",
        "τ = Kp (q* − q) + Kd (q̇* − q̇)",
        "A spring and a damper at every joint. Gravity pulls the arm off its goal by g / Kp.",
        JOINTS,
        _PD,
        True,
        _UNITS,
    ),
    "pid": Law(
        "PID",
        "τ = Kp e + Kd ė + Ki ∫ e dt,  e = q* − q",
        "The integral removes what gravity leaves, in its own time; it waits while a motor is saturated.",
        JOINTS,
        (*_PD, ("ki", "Ki")),
        True,
        "Kp in N·m/rad, Kd in N·m·s/rad, Ki in N·m/(rad·s).",
    ),
    "pd-gravity": Law(
        "PD + gravity",
        "τ = Kp (q* − q) + Kd (q̇* − q̇) + g(q)",
        "Gravity is reckoned with. With known masses the arm comes to rest at its goal, or where dry friction stops it before.",
        JOINTS,
        _PD,
        True,
        _UNITS,
    ),
    "computed-torque": Law(
        "Computed torque",
        "τ = M(q) (q̈* + Kd ė + Kp e) + C(q, q̇) q̇ + g(q) + friction",
        "The model turns the arm into one double integrator per joint; dry friction is made up for where motion is desired. "
        "As good as the model is.",
        JOINTS,
        _PD,
        True,
        "Kp in 1/s², Kd in 1/s: the same for every joint, whatever it carries.",
    ),
    "impedance": Law(
        "Impedance",
        "τ = Jᵀ (K e + D (V* − J q̇)) + C q̇ + g",
        "The tool hangs on springs and dampers at its desired pose and gives way when pushed.",
        AXES,
        (("stiffness", "K"), ("damping", "D")),
        True,
        "K in N/m and N·m/rad, D in N·s/m and N·m·s/rad, along the world's axes.",
    ),
    "resolved-rate": Law(
        "Resolved rate",
        "q̇c = Jᵀ (J Jᵀ + λ² 1)⁻¹ (V* + k e),  τ = M s (q̇c − q̇) + C q̇ + g + friction",
        "The Jacobian turns the tool's wanted velocity into joint velocities; damping keeps them slow near singularities.",
        SINGLE,
        (("gain", "k  1/s"), ("servo", "s  1/s"), ("damping", "λ  m")),
        True,
        "k pulls the tool back to its path, s the joints to their speed.",
    ),
    "recursive-least-squares": Law(
        "Recursive least squares",
        "τ = M̂ (q̈* + 2ω ė + ω² e) + Ĉ q̇ + ĝ + friction,  θ ← θ + R⁻¹ Yᵀ (τ − Y θ)",
        "Computed torque that identifies load and friction while it moves, from measured torques, and forgets what is long past.",
        follows=True,
        file="recursive_least_squares",
    ),
    "slotine-li": Law(
        "Slotine–Li (adaptive)",
        "τ = M v̇ + C v + g + Y θ + K s,  θ̇ = γ Γ Yᵀ s,  v = q̇* + λ e,  s = v − q̇",
        "Learns load and friction from the tracking error, without a measured torque or acceleration; what it learns makes the "
        "error vanish.",
        follows=True,
        file="slotine_li",
    ),
    OWN: Law(
        "Own law (Python)",
        "τ = control(t, q, q̇, goal, arm, p)",
        "A Python file of yours decides. It runs in a process of its own; saved, it takes over at once, with its memory.",
        follows=True,
    ),
}
AXIS_NAMES = ("x", "y", "z", "turn x", "turn y", "turn z")


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
