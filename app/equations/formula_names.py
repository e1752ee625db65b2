"""What the formulas of an arm are called on screen."""

from __future__ import annotations

Entry = tuple[str, tuple[int, ...]]
"""The matrix, and the place in it."""

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
NAMES = {
    "centripetal": ("centripetal part", "Centripetal part"),
    "coriolis": ("Coriolis part", "Coriolis part"),
    "c": ("(C q̇)", "C q̇"),
    "T": ("K", "K"),
    "V": ("P", "P"),
    "dL_dqd": ("∂L/∂q̇", "∂L/∂q̇"),
    "dL_dqd_dt": ("d/dt ∂L/∂q̇", "d/dt ∂L/∂q̇"),
    "dL_dq": ("∂L/∂q", "∂L/∂q"),
    "tau": ("τ", "τ"),
    "christoffel": ("c", "Christoffel symbols"),
}


def entry_name(name: str, place: tuple[int, ...]) -> str:
    """M₂₃, ∂L/∂q̇₁."""
    return NAMES.get(name, (name, name))[0] + subscript(*place)


def matrix_name(name: str) -> str:
    """What all entries together are called."""
    return NAMES.get(name, (name, name))[1]


def subscript(*joints: int) -> str:
    """Joints counted from 0 as an index counted from 1; with commas where one has two digits."""
    between = "," if max(joints, default=0) > 8 else ""
    return between.join(str(k + 1) for k in joints).translate(SUBSCRIPTS)
