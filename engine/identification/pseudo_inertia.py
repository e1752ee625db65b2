"""The pseudo-inertia of a body: positive definite exactly where a distribution of positive mass has its parameters."""

from __future__ import annotations

import numpy as np

# Rows and columns of the upper triangle, column by column, as conic solvers take it.
_ROW, _COLUMN = np.array([(i, j) for j in range(4) for i in range(j + 1)]).T
_WEIGHT = np.where(_ROW == _COLUMN, 1.0, np.sqrt(2.0))
SIZE = len(_ROW)


def pseudo_inertia(pi: np.ndarray) -> np.ndarray:
    """J `(4, 4)` of the parameters `(10,)` of a body.

    J = [Σ h; hᵀ m],  Σ = ½ tr(I) 1 − I,  h = m c, I about the origin

    Source: Wensing, Kim, Slotine, Linear Matrix Inequalities for Physically Consistent Inertial Parameter Identification, 2018.
    """
    m, h = pi[0], pi[1:4]
    I = np.array([[pi[4], pi[5], pi[7]], [pi[5], pi[6], pi[8]], [pi[7], pi[8], pi[9]]])
    J = np.empty((4, 4))
    J[:3, :3] = 0.5 * np.trace(I) * np.eye(3) - I
    J[:3, 3] = J[3, :3] = h
    J[3, 3] = m
    return J


def parameters_of(J: np.ndarray) -> np.ndarray:
    """The parameters `(10,)` of a pseudo-inertia."""
    I = np.trace(J[:3, :3]) * np.eye(3) - J[:3, :3]
    return np.array([J[3, 3], *J[:3, 3], I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]])


def listed(J: np.ndarray) -> np.ndarray:
    """The upper triangle `(10,)` with off-diagonal entries times √2, so that lengths are those of Frobenius."""
    return J[_ROW, _COLUMN] * _WEIGHT


def square(values: np.ndarray) -> np.ndarray:
    """The matrix `(4, 4)` of such a list."""
    J = np.empty((4, 4))
    J[_ROW, _COLUMN] = J[_COLUMN, _ROW] = values / _WEIGHT
    return J


def moved(J: np.ndarray, X: np.ndarray) -> np.ndarray:
    """J in another frame, in which the one it is given in has the pose X `(4, 4)`: X J Xᵀ."""
    return X @ J @ X.T


def sound(J: np.ndarray, length: float, share: float) -> np.ndarray:
    """The positive definite J nearest to a given one: eigenvalues are at least `share` of their sum, with lengths in units of
    `length` m."""
    S = np.diag([1 / length] * 3 + [1.0])
    values, vectors = np.linalg.eigh(S @ J @ S)
    least = share * max(float(np.abs(values).sum()), 1e-6)
    back = np.linalg.inv(S)
    return back @ (vectors * np.maximum(values, least)) @ vectors.T @ back
