"""Rules: rotor inertia, gears and friction beside what the arm weighs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from armature.engine.examination.edits import number_edit, repair
from armature.engine.examination.figures import TOML, Figures, JointFigures, deeper
from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Edit, Finding, Place, Repair
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number

_UNITS = ((1e-9, "g·mm²"), (1e-7, "g·cm²"), (1e-6, "kg·mm²"), (1e-4, "kg·cm²"))
GRAVITY = 9.81


def _arm(figures: Figures, sizes: Sizes, joint: JointFigures) -> float:
    """The inertia that the whole arm could have at a joint: m R² for one that turns, m for a slide; 0 without masses."""
    mass = figures.moving_mass
    return mass if joint.slides else mass * sizes.reach**2


def rotors(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """J N² beside m R² of the whole arm."""
    for joint in figures.joints:
        arm, seen = _arm(figures, sizes, joint), joint.rotor_inertia * joint.gear_ratio**2
        unit = "kg" if joint.slides else "kg·m²"
        if arm > 0 and seen > 2 * arm:
            rotor = deeper(joint.drive, "rotor_inertia")
            factor, why, edits, only = _rotor_cause(figures, joint, arm, seen)
            yield Finding(
                "rotor inertia too large",
                ERROR if seen > 20 * arm else DOUBTFUL,
                rotor,
                f"{number(joint.rotor_inertia)} kg·m² × {number(joint.gear_ratio)}² = {number(seen)} {unit} at the joint; "
                f"the whole stretched-out arm has at most {number(arm)} {unit}",
                why,
                repair(f"{number(factor * joint.rotor_inertia)} kg·m²", edits, only and seen > 20 * arm) if factor else None,
            )


def _rotor_cause(figures: Figures, joint: JointFigures, arm: float, seen: float) -> tuple[float, str, tuple[Edit, ...], bool]:
    """The factor that is likeliest, what it comes from, what to write, and whether no other one would do."""
    where, N = deeper(joint.drive, "rotor_inertia"), joint.gear_ratio
    fits = [(factor, f"It was probably entered in {unit}") for factor, unit in _UNITS if 1e-3 * arm < factor * seen < arm]
    if abs(N) > 1 and joint.rotor_inertia < arm:
        fits.append((1 / N**2, "It is the value at the joint, after the gears"))
    if not fits:
        return 0.0, "It may be another motor's value", (), False
    factor, why = fits[0]
    return factor, why, _toml_edit(figures, where, factor * joint.rotor_inertia), len(fits) == 1


def _toml_edit(figures: Figures, where: Place, value: float) -> tuple[Edit, ...]:
    """A URDF has no motors; those of its companion file are repaired by hand."""
    return number_edit(figures, where, value) if figures.kind == TOML else ()


def gears_without_rotor(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Gears are given, the motor behind them is not: its N²-fold inertia is missing."""
    bare = [joint for joint in figures.joints if abs(joint.gear_ratio) >= 10 and joint.rotor_inertia == 0]
    if bare and figures.robot.has_dynamics:
        yield Finding(
            "missing motor inertia",
            NOTE,
            deeper(bare[0].drive, "rotor_inertia"),
            f"{len(bare)} joint{'s' if len(bare) > 1 else ''} with gears of up to "
            f"{number(max(abs(joint.gear_ratio) for joint in bare))} and no rotor_inertia",
            "Look it up in the motor's data sheet: after such gears it is often larger than the link's inertia",
        )


def frictions(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Friction at the joint beside the torque that moves it: the motor's limit, or the arm's weight on its reach."""
    for joint in figures.joints:
        mass = figures.moving_mass
        weight = mass * GRAVITY * (1.0 if joint.slides else sizes.reach)
        if mass == 0 or joint.follows:
            continue
        most = max(weight, joint.effort if math.isfinite(joint.effort) else 0.0)
        dry, slow = joint.coulomb, joint.viscous  # the latter at 1 rad/s
        unit = "N" if joint.slides else "N·m"
        worst = max(dry, slow)
        if worst <= 2 * most:
            continue
        yield Finding(
            "friction too large",
            ERROR if worst > 20 * most else DOUBTFUL,
            deeper(joint.drive, "friction"),
            f"Coulomb {number(dry)} {unit}, viscous {number(slow)} {unit} at 1 {'m' if joint.slides else 'rad'}/s; "
            f"the arm's weight at full reach needs {number(weight)} {unit}",
            *_friction_cause(figures, joint),
        )


def _friction_cause(figures: Figures, joint: JointFigures) -> tuple[str, Repair | None]:
    if figures.kind == TOML and joint.friction_at == "motor" and abs(joint.gear_ratio) > 1:
        edits: tuple[Edit, ...] = (((*joint.drive.key, "friction", "at"), "joint"),)
        return 'The values are already at the joint, but at = "motor" multiplies them by the gears again', repair(
            'at = "joint"', edits
        )
    return "The gear ratio was applied twice, or the unit is wrong", None
