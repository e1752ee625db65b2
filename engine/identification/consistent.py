"""Physically consistent parameters near the estimate: positive mass density and dissipative friction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.identification.pseudo_inertia import (
    SIZE,
    half_vector,
    nearest_positive,
    parameters_of,
    pseudo_inertia,
    square,
)
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.frozen import Frozen

_LEAST = 1e-4  # least eigenvalue of a pseudo-inertia relative to the prior
_THIN = 0.02  # least eigenvalue of the prior over its trace
_OFFSET = 0.1  # prior standard deviation of an offset, of Coulomb friction
_DUST = 1e-3
_SOFTER = 1.0, 1e2, 1e4  # factors of σ, tried in order; exact data with a wrong channel need larger ones


@dataclass(frozen=True, eq=False)
class Consistent(Frozen):
    """Parameters `full` `(F,)`, and their squared distance from the estimate in standard deviations: `distance`."""

    full: np.ndarray
    distance: float


def consistent(
    unknowns: Unknowns, values: np.ndarray, covariance: np.ndarray, prior: np.ndarray, identifiable: np.ndarray, length: float
) -> Consistent:
    """Return the physically consistent parameters nearest to the estimate and the prior.

    min |cov^-½ (C z − x)|² + Σ_b |J0_b^-½ (J_b − J0_b) J0_b^-½|²,  J_b ⪰ 1e-4 J0_b,  friction and rotor inertia ≥ 0

    The first term is the base residual in units of σ, the second the distance from the file's values, to second order that of
    the manifold of bodies: one unit is a change by all of a body's mass. Identifiable values remain, and the others
    remain near the file.

    Args:
        values, covariance: the estimate `(m,)`.
        identifiable: mask of the combinations in the fit `(m,)`.
        prior: the file's parameters `(F,)`.
        length: size in m of a body without inertia.

    Source: Lee, Wensing, Park, Geometric Robot Dynamic Identification: A Convex Programming Approach, IEEE T-RO 36(2), 2020.
    """
    bodies = unknowns.bodies
    basis, centre = np.eye(len(prior)), prior.copy()
    for b in range(bodies):
        part = slice(10 * b, 10 * b + 10)
        basis[part, part], centre[part] = _whitened(prior[part], length)
    scale = _scales(unknowns, values, prior)
    rest = slice(10 * bodies, None)
    basis[rest, rest] = np.diag(scale)
    centre[rest] = prior[rest] / scale
    G = unknowns.combination[identifiable] @ basis
    try:
        root = np.linalg.cholesky(covariance[np.ix_(identifiable, identifiable)])
    except np.linalg.LinAlgError:
        raise EngineError(
            "no covariance: the recordings have too little information about the arm, or belong to another arm"
        ) from None
    W = np.linalg.solve(root, G)
    target = np.linalg.solve(root, values[identifiable])
    z = None
    for soft in _SOFTER:
        z = _solve(W / soft, target / soft, centre, bodies, unknowns.signed) if z is None else z
    if z is None:
        raise EngineError("no physically consistent parameters found; check that the recordings and the robot belong together")
    return Consistent(basis @ z, float(((W @ z - target) ** 2).sum()))


def _whitened(pi: np.ndarray, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the matrix from the half-vector of the whitened pseudo-inertia to parameters, and the prior's half-vector."""
    J = pseudo_inertia(pi)
    spread = float(np.sqrt(max(np.trace(J[:3, :3]) / pi[0], 0.0))) if pi[0] > 0.0 else 0.0
    near = nearest_positive(J, spread or length, _THIN)
    K = np.linalg.cholesky(near)
    basis = np.column_stack([parameters_of(K @ square(unit) @ K.T) for unit in np.eye(SIZE)])
    inverse = np.linalg.inv(K)
    return basis, half_vector(inverse @ near @ inverse.T)


def _scales(unknowns: Unknowns, values: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Return the unit of each friction, offset and rotor inertia: the larger of prior and estimate."""
    found = np.abs(np.linalg.pinv(unknowns.combination[unknowns.inertial :]) @ values[unknowns.inertial :])
    scale = np.maximum(np.maximum(np.abs(prior), found), _DUST)[10 * unknowns.bodies :]
    offsets = np.array([name.startswith("offset") for name in unknowns.full_names[10 * unknowns.bodies :]], bool)
    return np.where(offsets & unknowns.friction, _OFFSET * scale, scale)


def _solve(W: np.ndarray, target: np.ndarray, centre: np.ndarray, bodies: int, signed: np.ndarray) -> np.ndarray | None:
    """Minimize |W z − target|² + |z − centre|² over positive definite bodies; all else ≥ 0 unless `signed`.

    Return None if the solver fails.
    """
    import clarabel  # slow import
    from scipy import sparse

    rows, F = W.shape
    positive = np.flatnonzero(~signed)
    P = sparse.identity(F + rows, format="csc")
    link = sparse.hstack([sparse.csc_matrix(W), -sparse.identity(rows)])
    cones = sparse.hstack([-sparse.identity(F, format="csr")[: SIZE * bodies], sparse.csr_matrix((SIZE * bodies, rows))])
    least = sparse.csr_matrix((-np.ones(len(positive)), (range(len(positive)), positive)), (len(positive), F + rows))
    A = sparse.csc_matrix(sparse.vstack([link, cones, least]))
    b = np.concatenate([target, np.tile(half_vector(-_LEAST * np.eye(4)), bodies), np.zeros(len(positive))])
    sets = [clarabel.ZeroConeT(rows), *([clarabel.PSDTriangleConeT(4)] * bodies), clarabel.NonnegativeConeT(len(positive))]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    found = clarabel.DefaultSolver(P, np.concatenate([-centre, np.zeros(rows)]), A, b, sets, settings).solve()
    if str(found.status) not in ("Solved", "AlmostSolved"):
        return None
    return np.array(found.x[:F])
