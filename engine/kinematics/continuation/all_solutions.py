"""All real solutions of an arm at a pose, by continuation from complex poses whose solutions are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.kinematics.continuation.chain import Chain, PoseSolutions
from armature.engine.kinematics.continuation.path_tracker import ARRIVED

_REAL = 1e-6  # rad and lengths of imaginary part that are rounding; what is not real does not survive being sharpened
_AT_THE_END = 1e-4  # of a path: what got stuck nearer to its end is a singular solution there, or one at infinity
_TRIES = 4
_NEAR = 3.0  # imaginary part up to which a real solution may be near where a path got stuck


@dataclass(frozen=True, eq=False)
class Solutions:
    """Real solutions q `(K, n)` with a regular Jacobian, and where paths got stuck at singular ones, `near` `(M, n)`."""

    q: np.ndarray
    near: np.ndarray


def all_solutions(chain: Chain, poses: tuple[PoseSolutions, ...], A: np.ndarray, given: np.ndarray) -> Solutions:
    """The real solutions at the pose A `(12,)` and the joints given there `(n,)`.

    Every isolated solution is the end of a path from each of the generic poses. All are found where as many different ones are
    met as paths began, but for those that got stuck at their end. Where two paths end at one, or rounding stops one on its way
    past infinity, those of the next generic pose are followed, the nearest pose first.

    Source: Sommese, Wampler 2005, The numerical solution of systems of polynomials, theorem 7.1.1.
    """
    met = np.empty((0, chain.n), complex)
    for start in sorted(poses, key=lambda pose: float(np.abs(pose.A - A).sum()))[:_TRIES]:
        q, reached = chain.led(start, A, given)
        met = np.vstack([met, q[reached == ARRIVED]])
        met = met[chain.distinct(met)]
        stuck = (reached < ARRIVED) & (reached > ARRIVED - _AT_THE_END)
        if len(met) + np.count_nonzero(stuck) >= len(start.q):
            break
    return Solutions(met[_imaginary(met) < _REAL].real, q[stuck & (_imaginary(q) < _NEAR)].real)


def _imaginary(q: np.ndarray) -> np.ndarray:
    return np.abs(q.imag).max(axis=1, initial=0.0)
