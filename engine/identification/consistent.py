"""Physically consistent parameters near the estimate: every body has positive mass density, no friction drives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.identification.pseudo_inertia import SIZE, listed, parameters_of, pseudo_inertia, sound, square
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.frozen import Frozen

_LEAST = 1e-4  # eigenvalue of a pseudo-inertia, beside that of the prior
_THIN = 0.02  # share of its trace that a prior's eigenvalue has at least
_OFFSET = 0.1  # of Coulomb friction: so sure is an offset to be 0
_DUST = 1e-3
_SOFTER = 1.0, 1e2, 1e4  # times σ, where exact data with a wrong channel ask for what is far from any body


@dataclass(frozen=True, eq=False)
class Consistent(Frozen):
    """`full` `(F,)` parameters, and how many standard deviations² of the estimate they are away from it: `distance`."""

    full: np.ndarray
    distance: float


def consistent(
    unknowns: Unknowns, values: np.ndarray, covariance: np.ndarray, prior: np.ndarray, told: np.ndarray, length: float
) -> Consistent:
    """The parameters of real bodies that come nearest to estimate and prior.

    min |cov^-½ (C z − x)|² + Σ_b |J0_b^-½ (J_b − J0_b) J0_b^-½|²,  J_b ⪰ 1e-4 J0_b,  friction and rotor inertia ≥ 0

    The first term is the base residual in units of σ, the second the distance from the file's values, to second order that of
    the manifold of bodies: one unit is a change by all of a body's mass. So what the recordings tell is kept, and the rest
    stays near the file.

    Args:
        values, covariance: the estimate `(m,)`; `told` `(m,)` which of it counts.
        prior: the file's parameters `(F,)`.
        length: m, the size of a body that has none.

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
    G = unknowns.combination[told] @ basis
    try:
        root = np.linalg.cholesky(covariance[np.ix_(told, told)])
    except np.linalg.LinAlgError:
        raise EngineError(
            "no covariance: the recordings have too little information about the arm, or belong to another arm"
        ) from None
    W = np.linalg.solve(root, G)
    target = np.linalg.solve(root, values[told])
    z = None
    for soft in _SOFTER:
        z = _solve(W / soft, target / soft, centre, bodies, unknowns.signed) if z is None else z
    if z is None:
        raise EngineError("no physically consistent parameters found; check that the recordings and the robot belong together")
    return Consistent(basis @ z, float(((W @ z - target) ** 2).sum()))


def _whitened(pi: np.ndarray, length: float) -> tuple[np.ndarray, np.ndarray]:
    """The matrix that makes parameters of the whitened pseudo-inertia's list, and that list for the prior."""
    J = pseudo_inertia(pi)
    spread = float(np.sqrt(max(np.trace(J[:3, :3]) / pi[0], 0.0))) if pi[0] > 0.0 else 0.0
    near = sound(J, spread or length, _THIN)
    K = np.linalg.cholesky(near)
    basis = np.column_stack([parameters_of(K @ square(unit) @ K.T) for unit in np.eye(SIZE)])
    inverse = np.linalg.inv(K)
    return basis, listed(inverse @ near @ inverse.T)


def _scales(unknowns: Unknowns, values: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """What one unit of friction, offset and rotor inertia is: as much as there is."""
    found = np.abs(np.linalg.pinv(unknowns.combination[unknowns.inertial :]) @ values[unknowns.inertial :])
    scale = np.maximum(np.maximum(np.abs(prior), found), _DUST)[10 * unknowns.bodies :]
    offsets = np.array([name.startswith("offset") for name in unknowns.full_names[10 * unknowns.bodies :]], bool)
    return np.where(offsets & unknowns.friction, _OFFSET * scale, scale)


def _solve(W: np.ndarray, target: np.ndarray, centre: np.ndarray, bodies: int, signed: np.ndarray) -> np.ndarray | None:
    """min |W z − target|² + |z − centre|² over bodies that are positive definite, and the rest ≥ 0 unless it is `signed`; None
    where the numbers are too far apart for the solver."""
    import clarabel  # which only this needs
    from scipy import sparse

    rows, F = W.shape
    positive = np.flatnonzero(~signed)
    P = sparse.identity(F + rows, format="csc")
    link = sparse.hstack([sparse.csc_matrix(W), -sparse.identity(rows)])
    cones = sparse.hstack([-sparse.identity(F, format="csr")[: SIZE * bodies], sparse.csr_matrix((SIZE * bodies, rows))])
    least = sparse.csr_matrix((-np.ones(len(positive)), (range(len(positive)), positive)), (len(positive), F + rows))
    A = sparse.csc_matrix(sparse.vstack([link, cones, least]))
    b = np.concatenate([target, np.tile(listed(-_LEAST * np.eye(4)), bodies), np.zeros(len(positive))])
    sets = [clarabel.ZeroConeT(rows), *([clarabel.PSDTriangleConeT(4)] * bodies), clarabel.NonnegativeConeT(len(positive))]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    found = clarabel.DefaultSolver(P, np.concatenate([-centre, np.zeros(rows)]), A, b, sets, settings).solve()
    if str(found.status) not in ("Solved", "AlmostSolved"):
        return None
    return np.array(found.x[:F])
