"""`Series`: a function of the joint positions as a Fourier series in those that turn, a polynomial in those that slide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Series:
    """f(q) = Σ coefficient × one function of the basis per joint.

    `coefficients` `(b_1, …, b_n, …)`: axis i runs over 1, cos q_i, sin q_i, cos 2q_i, sin 2q_i … where joint i turns, over
    1, q_i, q_i² … where it slides; axes behind the n-th are those of f. Numbers, or objects such as sympy's expressions.
    """

    slides: tuple[bool, ...]
    coefficients: np.ndarray

    @staticmethod
    def sampled(function: Callable[[np.ndarray], np.ndarray], slides: tuple[bool, ...], degrees: tuple[int, ...]) -> Series:
        """The series of `function`, which takes q `(N, n)`, and is of at most these degrees; exact, but for rounding.

        f at 2d + 1 positions all around (d + 1 from −1 to 1 m for a slide) and a discrete Fourier transform along every axis.
        """
        points = [_points(slide, degree) for slide, degree in zip(slides, degrees)]
        grid = np.stack(np.meshgrid(*points, indexing="ij"), axis=-1)
        values = function(np.ascontiguousarray(grid.reshape(-1, len(slides))))
        C = values.reshape(*grid.shape[:-1], *values.shape[1:])
        for axis, (slide, x) in enumerate(zip(slides, points)):
            if len(x) > 1:
                C = along(np.linalg.inv(_basis(slide, x)), C, axis)
        return Series(slides, C)

    def slope(self, joint: int) -> Series:
        """∂f/∂q of one joint."""
        count = self.coefficients.shape[joint]
        D = np.zeros((count, count), int)
        if self.slides[joint]:
            D[np.arange(count - 1), np.arange(1, count)] = np.arange(1, count)
        else:
            for k in range(1, count // 2 + 1):  # cos kq → −k sin kq,  sin kq → k cos kq
                D[2 * k, 2 * k - 1], D[2 * k - 1, 2 * k] = -k, k
        return Series(self.slides, along(D, self.coefficients, joint))

    def __getitem__(self, entry: tuple[int, ...]) -> Series:
        """The series of one entry of f."""
        C = self.coefficients.reshape(*self.coefficients.shape[: len(self.slides)], -1)
        shape = self.coefficients.shape[len(self.slides) :]
        return Series(self.slides, C[..., int(np.ravel_multi_index(entry, shape)) if shape else 0])


def along(T: np.ndarray, C: np.ndarray, axis: int) -> np.ndarray:
    """Σ_b T_ab C_…b… along an axis."""
    return np.moveaxis(np.tensordot(T, C, (1, axis)), 0, axis)


def _points(slide: bool, degree: int) -> np.ndarray:
    if slide:
        return np.linspace(-1.0, 1.0, degree + 1) if degree else np.zeros(1)
    return 2 * np.pi * np.arange(2 * degree + 1) / (2 * degree + 1)


def _basis(slide: bool, x: np.ndarray) -> np.ndarray:
    """The functions of the basis in columns, at the positions x in rows."""
    if slide:
        return x[:, None] ** np.arange(len(x))
    pairs = [wave(k * x) for k in range(1, len(x) // 2 + 1) for wave in (np.cos, np.sin)]
    return np.stack([np.ones_like(x), *pairs], axis=1)
