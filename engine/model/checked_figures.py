"""Checks of parameters for a changed robot, which is named `robot` in the messages; results are floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from armature.engine.errors import DimensionError, EngineError, ModelError, one_line
from armature.engine.model.body import Friction
from armature.engine.model.inertia_rules import inertia_fault, triangle_fault
from armature.engine.model.read_only import real_numbers


def floats(values: Any) -> np.ndarray:
    """Return `values` as floats, an empty array if they are not numbers."""
    try:
        return real_numbers(values)
    except (TypeError, ValueError, OverflowError):
        return np.empty(0)


def number(value: Any) -> float:
    """One number as a float, NaN for anything else."""
    x = floats(value)
    return float(x) if x.shape == () else np.nan


def as_given(values: Any) -> str:
    """Values in one line, an array as a list."""
    return one_line(repr(values.tolist() if isinstance(values, np.ndarray) else values), 80)


def vector(name: str, values: Any) -> np.ndarray:
    """`(3,)` finite. Raises DimensionError."""
    v = floats(values)
    if v.shape != (3,) or not np.isfinite(v).all():
        raise DimensionError(f"{name} must be three finite numbers, got {as_given(values)}")
    return v


def payload_figures(subject: str, error: type[EngineError], mass: Any, inertia: Any) -> tuple[float, np.ndarray]:
    """Mass in kg and I_c `(3, 3)` in kg·m², zero for None. Raises `error`, whose message begins with `subject`."""
    m, I_c = floats(mass), np.zeros((3, 3)) if inertia is None else floats(inertia)
    if m.shape != () or not 0 <= m < np.inf:
        raise error(f"{subject} mass must be a finite number ≥ 0 kg, got {as_given(mass)}")
    if I_c.shape != (3, 3) or not np.isfinite(I_c).all():
        raise error(f"{subject} inertia must be a finite 3×3 matrix in kg·m² about the com, got {as_given(inertia)}")
    if fault := inertia_fault(I_c) or triangle_fault(I_c):
        raise error(f"{subject} inertia {as_given(inertia)}: {fault}")
    return float(m), I_c


def floor_height(robot: str, height: Any) -> float:
    """z in m. Raises ModelError."""
    z = floats(height)
    if z.shape != () or not np.isfinite(z):
        raise ModelError(f"{robot}: floor must be a finite height in m, got {height!r}")
    return float(z)


def tool_pose(robot: str, pose: Any) -> np.ndarray:
    """X `(4, 4)`. Raises ModelError."""
    X = floats(pose)
    if X.shape != (4, 4) or not np.isfinite(X).all() or not np.allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-6):
        raise ModelError(f"{robot}: a tool must be a 4×4 pose with an orthonormal rotation, or the name of a frame")
    return X


def friction_figures(robot: str, joint: str, friction: Friction) -> dict[str, Any]:
    """The coefficients as plain values. Raises ModelError."""
    numbers = floats([friction.viscous, *friction.coulomb, friction.stiction])
    if numbers.shape != (4,) or not (np.isfinite(numbers) & (numbers >= 0)).all():
        raise ModelError(f"{robot}: friction of {joint} must be four finite numbers of 0 or more, got {friction}")
    viscous, plus, minus, stiction = numbers.tolist()
    return {"viscous": viscous, "coulomb": [plus, minus], "stiction": stiction}
