"""Newton–Euler, composite rigid bodies and Lagrange as in the books, with their operations counted, for serial revolute arms.

Sines and cosines are not counted, nor is anything that does not depend on the pose.
"""

from __future__ import annotations

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.rotations import skew


class Tally:
    """Counter of the multiplications and additions of vector algebra, zeros and ones included."""

    def __init__(self) -> None:
        self.multiplications, self.additions = 0, 0

    @property
    def total(self) -> int:
        """Multiplications and additions together."""
        return self.multiplications + self.additions

    def count(self, multiplications: int, additions: int) -> None:
        """Add operations that were done without the tally."""
        self.multiplications += multiplications
        self.additions += additions

    def add(self, *terms: np.ndarray) -> np.ndarray:
        """Sum of arrays of one shape."""
        self.additions += (len(terms) - 1) * np.size(terms[0])
        return sum(terms[1:], terms[0])

    def scale(self, factor: float, array: np.ndarray) -> np.ndarray:
        """Factor times an array."""
        self.multiplications += np.size(array)
        return factor * array

    def dot(self, a: np.ndarray, b: np.ndarray) -> float:
        """a · b."""
        self.count(len(a), len(a) - 1)
        return float(a @ b)

    def cross(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """a × b of two `(3,)`."""
        self.count(6, 3)
        return skew(a) @ b

    def product(self, A: np.ndarray, b: np.ndarray) -> np.ndarray:
        """A b, for a vector or matrix b."""
        self.count(A.size * (b.size // len(b)), A.shape[0] * (A.shape[1] - 1) * (b.size // len(b)))
        return A @ b


def _turns(tally: Tally, robot: Robot, q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """R and p of every link in the one before it."""
    found = []
    for body, angle in zip(robot.bodies, q):
        c, s, R = np.cos(angle), np.sin(angle), body.X_PJ[:3, :3]
        tally.count(12, 6)
        found.append((np.column_stack([c * R[:, 0] + s * R[:, 1], c * R[:, 1] - s * R[:, 0], R[:, 2]]), body.X_PJ[:3, 3]))
    return found


def newton_euler(tally: Tally, robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """tau `(n,)` by the recursion outwards and inwards, in link axes.

    Source: Luh, Walker, Paul, On-line computational scheme for mechanical manipulators, 1980.
    """
    t, z = tally, np.array([0.0, 0.0, 1.0])
    turns, w, wd, a = _turns(tally, robot, q), np.zeros(3), np.zeros(3), -robot.gravity
    forces = []
    for (R, p), body, rate, growth in zip(turns, robot.bodies, qd, qdd):
        a = t.product(R.T, t.add(a, t.cross(wd, p), t.cross(w, t.cross(w, p))))
        w, wd = t.product(R.T, w), t.product(R.T, wd)
        wd = t.add(wd, t.scale(rate, t.cross(w, z)), growth * z)
        w = t.add(w, rate * z)
        a_c = t.add(a, t.cross(wd, body.com), t.cross(w, t.cross(w, body.com)))
        N = t.add(t.product(body.inertia, wd), t.cross(w, t.product(body.inertia, w)))
        forces.append((t.scale(body.mass, a_c), N))
    tau, f, n = np.empty(robot.n), np.zeros(3), np.zeros(3)
    for i in range(robot.n - 1, -1, -1):
        F, N = forces[i]
        n = t.add(N, n, t.cross(robot.bodies[i].com, F))
        f = t.add(F, f)
        tau[i] = n[2]
        R, p = turns[i]
        f = t.product(R, f)
        n = t.add(t.product(R, n), t.cross(p, f))
    return tau


def composite_bodies(tally: Tally, robot: Robot, q: np.ndarray) -> np.ndarray:
    """M `(n, n)`: mass, first and second moment of all bodies behind a joint, and their force transformed inwards.

    Source: Walker, Orin, Efficient dynamic computer simulation of robotic mechanisms, 1982; Featherstone, table 6.2.
    """
    t, n = tally, robot.n
    turns, M = _turns(tally, robot, q), np.zeros((n, n))
    own = [(body.mass, body.mass * body.com, body.inertia_at_origin()) for body in robot.bodies]
    for i in range(n - 1, -1, -1):
        mass, h, I = own[i]
        # the joint's unit acceleration: f = z × h, n = I z
        f, moment = np.array([-h[1], h[0], 0.0]), I[:, 2]
        M[i, i] = moment[2]
        for k in range(i, 0, -1):
            R, p = turns[k]
            f = t.product(R, f)
            moment = t.add(t.product(R, moment), t.cross(p, f))
            M[i, k - 1] = M[k - 1, i] = moment[2]
        if i:
            R, p = turns[i]
            turned = t.product(R, h)
            moved = t.product(t.product(R, I), R.T)
            # second moment about the parent's origin: I − [p][h] − [h][p] − m [p][p]
            shift = t.add(t.product(skew(p), skew(turned)), t.product(skew(turned), skew(p)), t.scale(mass, skew(p) @ skew(p)))
            m_0, h_0, I_0 = own[i - 1]
            own[i - 1] = (
                float(t.add(np.array(m_0), np.array(mass))),
                t.add(h_0, turned, t.scale(mass, p)),
                t.add(I_0, moved, -shift),
            )
    return M


def lagrange(tally: Tally, robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """tau `(n,)` = d/dt ∂L/∂qd − ∂L/∂q: M, its n³ slopes, and g, with six-vectors at the world's origin.

    tau_k = Σ_j M_kj qdd_j + Σ_ij (∂M_kj/∂q_i − ½ ∂M_ij/∂q_k) qd_i qd_j + g_k
    """
    t, n = tally, robot.n
    S, I = _axes_and_composites(tally, robot, q)
    F = [t.product(I[j], S[j]) for j in range(n)]
    M, slopes, g = np.zeros((n, n)), np.zeros((n, n, n)), np.empty(n)  # slopes[i, j, k] = ∂M_ij/∂q_k
    weight = np.concatenate([-robot.gravity, np.zeros(3)])
    for j in range(n):
        g[j] = t.dot(F[j], weight)  # −gravity · (m v_j + w_j × h)
        for i in range(j + 1):
            M[i, j] = M[j, i] = t.dot(S[i], F[j])
    turned = {(k, i): _motion_cross(t, S[k], S[i]) for k in range(n) for i in range(k)}
    for k in range(n):
        change = _slope(t, S[k], I[k])  # of every composite body that contains body k, as joint k turns
        for j in range(n):
            column = t.product(change, S[j]) if j < k else None
            for i in range(j + 1):
                if i < k <= j:
                    slope = -t.dot(turned[k, i], F[j])
                elif column is not None:
                    slope = t.dot(S[i], column)
                else:
                    continue
                slopes[i, j, k] = slopes[j, i, k] = slope
    pairs = np.outer(qd, qd)
    t.count(n * n, 0)
    coriolis = np.einsum("kji,ij->k", slopes, pairs) - 0.5 * np.einsum("ijk,ij->k", slopes, pairs)
    t.count(2 * n**3 + n, 2 * n * (n * n - 1) + n)
    return t.add(t.product(M, qdd), coriolis, g)


def _axes_and_composites(t: Tally, robot: Robot, q: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Joint axes (v, w) `(6,)` and the inertias `(6, 6)` of all bodies behind each joint, in W about its origin."""
    R, p, axes, own = np.eye(3), np.zeros(3), [], []
    for (turn, step), body in zip(_turns(t, robot, q), robot.bodies):
        p = t.add(p, t.product(R, step))
        R = t.product(R, turn)
        axes.append(np.concatenate([t.cross(p, R[:, 2]), R[:, 2]]))
        c = skew(t.add(p, t.product(R, body.com)))
        moment = t.scale(body.mass, c)
        I_o = t.add(t.product(t.product(R, body.inertia), R.T), t.product(moment, c.T))
        own.append(np.block([[body.mass * np.eye(3), moment.T], [moment, I_o]]))
    for i in range(len(own) - 1, 0, -1):
        own[i - 1] = t.add(own[i - 1], own[i])
    return axes, own


def _motion_cross(t: Tally, S: np.ndarray, other: np.ndarray) -> np.ndarray:
    """S × other of two six-vectors of motion."""
    v = t.add(t.cross(S[3:], other[:3]), t.cross(S[:3], other[3:]))
    return np.concatenate([v, t.cross(S[3:], other[3:])])


def _slope(t: Tally, S: np.ndarray, I: np.ndarray) -> np.ndarray:
    """Derivative of an inertia `(6, 6)` in a rotation about S:  S ×* I − I S ×."""
    X = np.block([[skew(S[3:]), skew(S[:3])], [np.zeros((3, 3)), skew(S[3:])]])
    half = t.product(I, X)
    return -t.add(half, half.T)
