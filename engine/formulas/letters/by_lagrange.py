"""Lagrange's method in letters: energies of every link, their slopes, and the equations of motion."""

from __future__ import annotations

import numpy as np

from armature.engine.formulas.letters.lettered_arm import LetteredArm


class ByLagrange:
    """T and V per link, L = Σ T − V, and for each joint d/dt ∂L/∂qd − ∂L/∂q = tau; all arrays of polynomials.

    T_i = ½ m v·v + ½ w·I w + ½ I_rotor qd²,  V_i = −m gravity·p_com;
    M_ij = ∂²T/∂qd_i ∂qd_j,  C_kj = Σ_i ½ (∂M_kj/∂q_i + ∂M_ki/∂q_j − ∂M_ij/∂q_k) qd_i,  g_i = ∂V/∂q_i.
    """

    def __init__(self, arm: LetteredArm):
        n = arm.robot.n
        self.arm = arm
        self.poses: list[np.ndarray] = []
        self.T, self.V = arm.zeros(n), arm.zeros(n)
        for i, body in enumerate(arm.robot.bodies):
            X = arm.body_motion(i)
            self.poses.append(X if body.parent < 0 else _reduced(arm, self.poses[body.parent] @ X))
            self._energies(i)
        total, potential = self.T.sum(), self.V.sum()
        L = total - potential
        self.dL_dqd = np.array([L.diff(arm.qd[i]) for i in range(n)], object)
        self.dL_dqd_dt = np.array([arm.rate(p) for p in self.dL_dqd], object)
        self.dL_dq = np.array([arm.slope(L, i) for i in range(n)], object)
        self.tau = self.dL_dqd_dt - self.dL_dq
        self.M = np.array([[total.diff(arm.qd[i]).diff(arm.qd[j]) for j in range(n)] for i in range(n)], object)
        self.g = np.array([arm.slope(potential, i) for i in range(n)], object)
        self.symbols = self._symbols()
        qd = np.array(arm.qd, object)
        self.C = np.einsum("kij,i->kj", self.symbols, qd)
        self.squares = np.einsum("kii,i->k", self.symbols, qd * qd)
        self.products = self.C @ qd - self.squares

    def _energies(self, i: int) -> None:
        arm, X = self.arm, self.poses[i]
        R, com = X[:3, :3], X[:3, :3] @ arm.coms[i] + X[:3, 3]
        v = np.array([_velocity(arm, x) for x in com], object)
        # [w]× = Rdot Rᵀ in axes of the link: Rᵀ Rdot
        Rd = np.array([[_velocity(arm, x) for x in row] for row in R], object)
        W = _reduced(arm, R.T @ Rd)
        w = np.array([W[2, 1], W[0, 2], W[1, 0]], object)
        turning = _reduced(arm, np.array([w @ (arm.inertias[i] @ w)], object))[0]
        moving = _reduced(arm, np.array([v @ v], object))[0]
        self.T[i] = (arm.masses[i] * moving + turning + arm.rotors[i] * arm.qd[i] ** 2) * arm.ring.domain(1, 2)
        self.V[i] = -arm.masses[i] * (arm.gravity @ com)

    def _symbols(self) -> np.ndarray:
        """c_kij = ½ (∂M_kj/∂q_i + ∂M_ki/∂q_j − ∂M_ij/∂q_k)."""
        arm, n, M = self.arm, self.arm.robot.n, self.M
        dM = np.array([[[arm.slope(M[i, j], k) for k in range(n)] for j in range(n)] for i in range(n)], object)
        c, half = arm.zeros(n, n, n), arm.ring.domain(1, 2)
        for k, i, j in np.ndindex(c.shape):
            c[k, i, j] = half * (dM[k, j, i] + dM[k, i, j] - dM[i, j, k])
        return c


def _velocity(arm: LetteredArm, p):
    """dp/dt of a function of q."""
    return sum((arm.slope(p, i) * arm.qd[i] for i in range(arm.robot.n)), arm.ring.zero)


def _reduced(arm: LetteredArm, polynomials: np.ndarray) -> np.ndarray:
    """The same with s² = 1 − c², so that squares do not pile up."""
    rules = [s**2 + c**2 - 1 for s, c, slides in zip(arm.s, arm.c, arm.robot.prismatic) if not slides]
    out = polynomials.copy()
    for place in np.ndindex(out.shape):
        out[place] = _replaced(arm, out[place]) if rules else out[place]
    return out


def _replaced(arm: LetteredArm, p):
    for i, s in enumerate(arm.s):
        if arm.robot.prismatic[i]:
            continue
        index = arm.ring.gens.index(s)
        turn = 1 - arm.c[i] ** 2
        out = arm.ring.zero
        for exponents, value in p.terms():
            power = exponents[index]
            low = tuple(power % 2 if k == index else e for k, e in enumerate(exponents))
            term = arm.ring({low: value})
            out += term * turn ** (power // 2) if power > 1 else term
        p = out
    return p
