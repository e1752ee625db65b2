"""Pseudo-inertia of a body: positive definite exactly if a positive mass distribution has its parameters."""

from __future__ import annotations

import numpy as np

# Rows and columns of the upper triangle, column by column, as conic solvers take it.
_ROW, _COLUMN = np.array([(i, j) for j in range(4) for i in range(j + 1)]).T
_WEIGHT = np.where(_ROW == _COLUMN, 1.0, np.sqrt(2.0))
SIZE = len(_ROW)


def pseudo_inertia(pi: np.ndarray) -> np.ndarray:
    """Return J `(4, 4)` for the parameters `(10,)` of a body.

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
    """Return the parameters `(10,)` of a pseudo-inertia."""
    I = np.trace(J[:3, :3]) * np.eye(3) - J[:3, :3]
    return np.array([J[3, 3], *J[:3, 3], I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]])


def half_vector(J: np.ndarray) -> np.ndarray:
    """Return the upper triangle `(10,)` with off-diagonal entries times √2, which preserves the Frobenius norm."""
    return J[_ROW, _COLUMN] * _WEIGHT


def square(values: np.ndarray) -> np.ndarray:
    """Return the matrix `(4, 4)` of a half-vector."""
    J = np.empty((4, 4))
    J[_ROW, _COLUMN] = J[_COLUMN, _ROW] = values / _WEIGHT
    return J


def transform(J: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return J in another frame, in which the frame of J has the pose X `(4, 4)`: X J Xᵀ."""
    return X @ J @ X.T


def nearest_positive(J: np.ndarray, length: float, share: float) -> np.ndarray:
    """Return the positive definite matrix nearest to J, with eigenvalues ≥ `share` of their sum; unit of length `length` m."""
    S = np.diag([1 / length] * 3 + [1.0])
    values, vectors = np.linalg.eigh(S @ J @ S)
    least = share * max(float(np.abs(values).sum()), 1e-6)
    back = np.linalg.inv(S)
    return back @ (vectors * np.maximum(values, least)) @ vectors.T @ back
