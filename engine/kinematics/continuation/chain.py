"""A chain of joints, six of which move, as continuation takes it: in units of its own length, at complex positions too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.kinematics.continuation.complex_chain import SLIDE
from armature.engine.kinematics.continuation.path_tracker import follow_paths
from armature.engine.kinematics.continuation.pose_path import twist_between

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
