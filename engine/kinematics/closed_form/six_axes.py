"""What an arm is built like, as far as closed forms care: read off its axes, not its name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SPHERICAL, PARALLEL = "three axes through one point", "three parallel axes"
NEARLY = 1e-4  # rad, and of the reach: as exact as robot files are; what is missing is made up when branches are sharpened


@dataclass(frozen=True, eq=False)
class SixAxes:
    """A chain of six joints with a closed form.

    `X` `(6, 4, 4)` each joint's placement in the one before; `X_6F` the frame on the last; `turns` which joints turn; `kind`
    SPHERICAL or PARALLEL, of the axes `first` (0-based) and the two after it; `meet` where these meet, as heights on the first
    and on the last of them (SPHERICAL); `crossing` where the last two axes of the chain do, as a height on the last, or None;
    `size` the reach in m.
    """

    X: np.ndarray
    X_6F: np.ndarray
    turns: tuple[bool, ...]
    kind: str
    first: int
    meet: tuple[float, float]
    crossing: float | None
    size: float

    @property
    def has_names(self) -> bool:
        """Whether it has a shoulder, an elbow and a wrist in this order, so that its branches have names."""
        return self.first == (3 if self.kind == SPHERICAL else 1) and self.crossing is not None

    @property
    def centre6(self) -> np.ndarray:
        """Where the last two axes cross `(3,)`, in the frame of body 6."""
        return np.array([0.0, 0.0, self.crossing or 0.0])


def six_axes(X: np.ndarray, X_6F: np.ndarray, turns: tuple[bool, ...], size: float) -> SixAxes | None:
    """The closed form that fits six joints placed at X `(6, 4, 4)`, the usual ones first; None where none does."""
    last = _crossing(X[5], size) if turns[4] and turns[5] else None
    crossing = None if last is None else last[1]
    for first in (3, 0, 1, 2):
        if all(turns[first : first + 3]):
            before, after = _crossing(X[first + 1], size), _crossing(X[first + 2], size)
            if before is not None and after is not None and abs(before[1] - after[0]) < NEARLY * size:
                return SixAxes(X, X_6F, turns, SPHERICAL, first, (before[0], after[1]), crossing, size)
    for first in (1, 0, 2, 3) if all(turns) else ():
        fourth = (first > 0 and _parallel(X[first])) or (first < 3 and _parallel(X[first + 3]))
        if _parallel(X[first + 1]) and _parallel(X[first + 2]) and not fourth:
            return SixAxes(X, X_6F, turns, PARALLEL, first, (0.0, 0.0), crossing, size)
    return None


def _parallel(X: np.ndarray) -> bool:
    """Whether the next axis, placed at X, is parallel to this one."""
    return bool(np.hypot(X[0, 2], X[1, 2]) < NEARLY)


def _crossing(X: np.ndarray, size: float) -> tuple[float, float] | None:
    """Where this axis and the next, placed at X, cross: heights on this one and on the next, or None.

    p + t d lies on z where its x and y vanish: t = −(p · d)_xy/|d|²_xy, and nothing must be left.
    """
    if _parallel(X):
        return None
    p, d = X[:3, 3], X[:3, 2]
    t = -float(p[:2] @ d[:2]) / float(d[:2] @ d[:2])
    if np.hypot(*(p + t * d)[:2]) > NEARLY * size:
        return None
    return float(p[2] + t * d[2]), t
