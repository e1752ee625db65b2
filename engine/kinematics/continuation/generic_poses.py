"""All solutions of an arm at a few complex poses drawn by chance: where the paths to every real pose begin."""

from __future__ import annotations

import numpy as np

from armature.engine.kinematics.continuation.chain import Chain, PoseSolutions
from armature.engine.kinematics.continuation.path_tracker import ARRIVED

_POSES, _DRAWS = 8, 16
_QUIET = 8  # closed ways in succession that bring no new solution, after which there is none
_MOST = 64  # six joints have 16 solutions at most: beyond this, one would be there many times
_IMAGINARY = 0.5  # rad and lengths


def generic_poses(chain: Chain) -> tuple[PoseSolutions, ...]:
    """A few complex poses with all solutions there; none where the six joints lose a direction everywhere.

    The map from joints to poses is one between irreducible varieties of six dimensions: paths around closed ways of poses lead
    every solution to every other (monodromy), and poses off a set of measure zero all have as many. Solutions are collected
    around ways through random poses until eight in succession bring nothing.

    Source: Sommese, Wampler 2005, The numerical solution of systems of polynomials, 7.1 and 15.4.
    """
    rng = np.random.default_rng(2005)
    home = chain.at(_drawn(chain, rng))
    if chain.loses_a_direction(home.q[0]):
        return ()
    quiet = 0
    while quiet < _QUIET and len(home.q) < _MOST:
        found = _around(chain, home, rng)
        quiet = 0 if len(found) > len(home.q) else quiet + 1
        home = home.with_solutions(found)
    poses = [home]
    for _ in range(_DRAWS):
        other = _led(chain, home, chain.at(_drawn(chain, rng)))
        if len(poses) < _POSES and len(other.q) == len(home.q):
            poses.append(other)
    return tuple(poses)


def _around(chain: Chain, home: PoseSolutions, rng: np.random.Generator) -> np.ndarray:
    """Solutions at home `(K, n)`: those known, and what a closed way through two random poses makes of them.

    The first of these poses adds the positions it was made of.
    """
    first, second = chain.at(_drawn(chain, rng)), chain.at(_drawn(chain, rng))
    q = np.vstack([_led(chain, home, first).q, first.q])
    there = _led(chain, first.with_solutions(q), second)
    q = np.vstack([home.q, _led(chain, there, home).q])
    return q[chain.distinct(q)]


def _led(chain: Chain, start: PoseSolutions, to: PoseSolutions) -> PoseSolutions:
    """The pose `to` with what the solutions of `start` become there."""
    q, reached = chain.led(start, to.A, to.given)
    q = q[reached == ARRIVED]
    return to.with_solutions(q[chain.distinct(q)])


def _drawn(chain: Chain, rng: np.random.Generator) -> np.ndarray:
    """Random complex positions `(n,)`."""
    real = np.where(chain.slides, rng.uniform(-1, 1, chain.n), rng.uniform(-np.pi, np.pi, chain.n))
    return real + 1j * _IMAGINARY * rng.normal(size=chain.n)
