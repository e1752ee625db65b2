"""The kernels' linear algebra against LAPACK, also where a matrix has lost a rank."""

from __future__ import annotations

import numpy as np
import pytest

from armature.engine import linear_algebra
from tests.engine.parts import from_python

factor, solve = from_python(linear_algebra.factor), from_python(linear_algebra.solve)
determinant = from_python(linear_algebra.determinant)
factor_semidefinite = from_python(linear_algebra.factor_semidefinite)
gram = from_python(linear_algebra.gram)
signed_volume = from_python(linear_algebra.signed_volume)
solve_linear = from_python(linear_algebra.solve_linear)
solve_lower = from_python(linear_algebra.solve_lower)

RNG = np.random.default_rng(11)


def square(n: int) -> np.ndarray:
    A = RNG.normal(size=(n, n + 2))
    return A @ A.T


def test_cholesky_solves():
    M, b, Y = square(6), RNG.normal(size=6), RNG.normal(size=(6, 3))
    L, x = M.copy(), b.copy()
    assert factor(L) == -1
    solve(L, x)
    np.testing.assert_allclose(x, np.linalg.solve(M, b), rtol=1e-10)
    semidefinite, y = M.copy(), b.copy()
    factor_semidefinite(semidefinite)
    solve(semidefinite, y)
    np.testing.assert_array_equal(y, x)
    solve_lower(L, Z := Y.copy())
    np.testing.assert_allclose(np.linalg.cholesky(M) @ Z, Y, rtol=1e-10, atol=1e-12)


def test_a_lost_rank_is_named_or_stepped_over():
    A = RNG.normal(size=(4, 6))
    A[2] = A[0] - A[1]
    assert factor(A @ A.T) == 2
    G, x = A @ A.T, A @ RNG.normal(size=6)
    factor_semidefinite(G)
    solve(G, x)
    assert np.isfinite(x).all()


@pytest.mark.parametrize("free", [None, np.array([True, False, True, True, False, True])])
def test_gram(free):
    A, G = RNG.normal(size=(3, 6)), np.zeros((3, 3))
    gram(A, free, 0.5, G)
    kept = A if free is None else A[:, free]
    np.testing.assert_allclose(np.tril(G), np.tril(kept @ kept.T + 0.5 * np.eye(3)), rtol=1e-12)


def test_elimination():
    M, b = RNG.normal(size=(7, 7)), RNG.normal(size=7)
    M[0, 0] = 0.0  # so that rows change places
    x = b.copy()
    assert solve_linear(M.copy(), x)
    np.testing.assert_allclose(x, np.linalg.solve(M, b), rtol=1e-9)
    assert determinant(M.copy()) == pytest.approx(np.linalg.det(M), rel=1e-10)
    M[3] = 0.0
    assert not solve_linear(M.copy(), b.copy())
    assert determinant(M.copy()) == 0.0


@pytest.mark.parametrize("shape", [(3, 6), (6, 3), (4, 4)])
def test_signed_volume(shape):
    A, workspace = RNG.normal(size=shape), np.empty((8, 8))
    value = signed_volume(A, workspace)
    assert abs(value) == pytest.approx(np.linalg.svd(A, compute_uv=False).prod(), rel=1e-10)
    assert shape[0] != shape[1] or value == pytest.approx(np.linalg.det(A), rel=1e-10)
