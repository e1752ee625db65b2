"""All solutions of the inverse kinematics of a six-joint chain: at generic poses, and by continuation at any pose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.kinematics.continuation.complex_chain import SLIDE, twist_between
from armature.engine.kinematics.continuation.path_tracker import ARRIVED, follow_paths

_SAME = 1e-7  # rad and lengths of the chain
_LOST = 1e-10  # of the largest singular value of the Jacobian


@dataclass(frozen=True, eq=False)
class PoseSolutions:
    """A pose A `(12,)`, the value there of every joint that is given `(n,)` (0 for the six others), and solutions q `(K, n)`."""

    A: np.ndarray
    given: np.ndarray
    q: np.ndarray

    def with_solutions(self, q: np.ndarray) -> PoseSolutions:
        """The same pose with other solutions `(K, n)`."""
        return PoseSolutions(self.A, self.given, q)


@dataclass(frozen=True, eq=False)
class Chain:
    """A chain `(n + 1, 13)` in units of its own length, and the six joints `(6,)` of it that move; the others are given."""

    rows: np.ndarray
    moving: np.ndarray

    @property
    def n(self) -> int:
        """Number of joints, those that are given among them."""
        return len(self.rows) - 1

    @property
    def slides(self) -> np.ndarray:
        """Which joints slide `(n,)`."""
        return self.rows[:-1, SLIDE] == 1.0

    def at(self, q: np.ndarray) -> PoseSolutions:
        """The pose that q `(n,)` takes, with q as its solution so far."""
        given = np.array(q, complex)
        given[self.moving] = 0.0
        return PoseSolutions(self._placed(q)[0], given, np.array(q, complex)[None])

    def loses_a_direction(self, q: np.ndarray) -> bool:
        """Whether the six joints that move have a singular Jacobian at q `(n,)`."""
        s = np.linalg.svd(self._placed(q)[1][:, self.moving], compute_uv=False)
        return bool(s[-1] < _LOST * s[0])

    def _placed(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The end's pose `(12,)` and its Jacobian `(6, n)`."""
        R, p = np.eye(3, dtype=complex), np.zeros(3, complex)
        axes, origins = np.empty((2, self.n, 3), complex)
        for i, row in enumerate(self.rows):
            p, R = p + R @ row[9:12], R @ row[:9].reshape(3, 3)
            if i == self.n:
                break
            axes[i], origins[i] = R[:, 2], p
            if self.slides[i]:
                p = p + R[:, 2] * q[i]
            else:
                c, s = np.cos(q[i]), np.sin(q[i])
                R = R @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        turns = ~self.slides[:, None]
        J = np.hstack([np.where(turns, np.cross(axes, p - origins), axes), np.where(turns, axes, 0)]).T
        return np.concatenate([R.ravel(), p]), J

    def apart(self, q: np.ndarray, others: np.ndarray) -> np.ndarray:
        """How far q is from each of the others `(K, n)`, rad and lengths of the chain, whole turns apart counting as none."""
        d = others - q
        real = np.where(self.slides, d.real, (d.real + np.pi) % (2 * np.pi) - np.pi)
        return np.hypot(real, d.imag).max(axis=1, initial=0.0)

    def distinct(self, q: np.ndarray) -> np.ndarray:
        """Which of q `(K, n)` to keep so that no solution is there twice, as indices."""
        near = np.array([self.apart(one, q) < _SAME for one in q]).reshape(len(q), len(q))
        return np.flatnonzero(~np.tril(near, -1).any(axis=1))

    def led(self, start: PoseSolutions, A: np.ndarray, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The solutions of `start` led to the pose A with the joints `given` there.

        Returns:
            q `(K, n)`, and how far each came `(K,)`: ARRIVED or less.
        """
        q, reached = np.array(start.q, complex, order="C"), np.empty(len(start.q))
        rate = np.array(given - start.given, complex)
        follow_paths.call(self.rows, self.moving, rate, start.A, twist_between(start.A, A), q, reached)
        return q, reached


_POSES, _DRAWS = 8, 16
_QUIET = 8  # closed paths in succession without a new solution, after which the search ends
_MOST = 64  # six joints have 16 solutions at most: more would be duplicates
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


_REAL = 1e-6  # rad and lengths: imaginary part of rounding; refinement rejects solutions that are not real
_AT_THE_END = 1e-4  # of a path: one that stops nearer to its end has a singular solution there, or one at infinity
_TRIES = 4
_NEAR = 3.0  # imaginary part up to which a real solution may be near where a path got stuck


@dataclass(frozen=True, eq=False)
class Solutions:
    """Real solutions q `(K, n)` with a regular Jacobian, and where paths got stuck at singular ones, `near` `(M, n)`."""

    q: np.ndarray
    near: np.ndarray


def all_solutions(chain: Chain, poses: tuple[PoseSolutions, ...], A: np.ndarray, given: np.ndarray) -> Solutions:
    """Return the real solutions at the pose A `(12,)` for the `given` joints `(n,)`.

    Every isolated solution is the end of a path from each of the generic poses. All are found if the paths, except those that
    stop at their end, reach as many different solutions. If two paths end at one solution, or rounding stops a path past
    infinity, the paths from the next generic pose are followed, the nearest pose first.

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
