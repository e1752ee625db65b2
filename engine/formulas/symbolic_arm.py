"""An arm with symbols for its parameters, and its equations by Lagrange and Newton–Euler."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from sympy import QQ, Symbol
from sympy.polys.rings import PolyElement, PolyRing

from armature.engine.model.body import Frame
from armature.engine.model.dh_table import STANDARD
from armature.engine.model.robot import Robot

_SAME = 1e-9


@dataclass
class SymbolicArm:
    """Arm with symbolic parameters: arrays of rational polynomials in symbols, cos q_i, sin q_i, q_i, qd_i and qdd_i.

    `values`: number of each symbol; `placements`, `coms`, `inertias` `(n, …)`: poses, centres of mass and inertias of the bodies;
    `tool`: pose of the tool frame on its body; `base`: pose of the base link in the world.
    """

    robot: Robot
    values: dict[str, float] = field(default_factory=dict)

    def __post_init__(self):
        n = self.robot.n
        lengths = [self._offset(i) for i in range(n)]
        tool = self._named(self.robot.tool_frame.X_BF[:3, 3], self._tool_names())
        base = next(frame.X_BF for frame in self.robot.links.values() if frame.body < 0)
        stand = self._named(base[:3, 3], ["xb", "yb", "zb"])
        links = [self._link_end(i) for i in range(n)]
        frames = [(self.robot.tool_frame, tool), *((Frame(i, self._link_frame(i)), p) for i, p in enumerate(links))]
        coms = [self._com(i, lengths, frames) for i in range(n)]
        masses = [self._letter(f"m{i + 1}", body.mass) for i, body in enumerate(self.robot.bodies)]
        inertias = [self._inertia(i) for i in range(n)]
        rotors = [self._letter(f"Ir{i + 1}", body.rotor_inertia) for i, body in enumerate(self.robot.bodies)]
        down = np.flatnonzero(np.abs(self.robot.gravity) > _SAME)
        gravity = self._named(self.robot.gravity, ["g"] * 3 if len(down) == 1 else ["gx", "gy", "gz"])
        kinds = ("c", "s", "q", "qd", "qdd")
        names = [f"{kind}#{i}" for kind in kinds for i in range(n)]
        self.ring = PolyRing([*map(Symbol, self.values), *map(Symbol, names)], QQ)
        self._gens = dict(zip([*self.values, *names], self.ring.gens))
        self.c, self.s, self.q, self.qd, self.qdd = ([self._gens[f"{kind}#{i}"] for i in range(n)] for kind in kinds)
        self.masses, self.rotors = [self._polynomial(m) for m in masses], [self._polynomial(r) for r in rotors]
        self.gravity, self.coms = self._array(gravity), [self._array(com) for com in coms]
        self.inertias = [self._array(I.ravel()).reshape(3, 3) for I in inertias]
        self.placements = [self._pose(body.X_PJ, p) for body, p in zip(self.robot.bodies, lengths)]
        self.tool = self._pose(self.robot.tool_frame.X_BF, tool)
        self.base = self._pose(base, stand)
        self._links = [self._pose(self._link_frame(i), p) for i, p in enumerate(links)]

    def link(self, i: int) -> np.ndarray:
        """Return the pose X_BL of link i on its body."""
        return self._links[i]

    def inverse(self, X: np.ndarray) -> np.ndarray:
        """Return the inverse of a pose: Rᵀ, −Rᵀ p."""
        out = X.copy()
        out[:3, :3], out[:3, 3] = X[:3, :3].T, -X[:3, :3].T @ X[:3, 3]
        return out

    def body_motion(self, i: int) -> np.ndarray:
        """Return the pose X_PB `(4, 4)` of body i in its parent:  X_PJ Rot_z(q), or X_PJ Trans_z(q)."""
        one, zero = self.ring.one, self.ring.zero
        X = np.array([[one if r == c else zero for c in range(4)] for r in range(4)], object)
        if self.robot.prismatic[i]:
            X[2, 3] = self.q[i]
        else:
            X[0, 0], X[0, 1], X[1, 0], X[1, 1] = self.c[i], -self.s[i], self.s[i], self.c[i]
        return self.placements[i] @ X

    def slope(self, p: PolyElement, i: int) -> PolyElement:
        """Return ∂p/∂q_i, with ∂c/∂q = −s and ∂s/∂q = c."""
        if self.robot.prismatic[i]:
            return p.diff(self.q[i])
        return self.c[i] * p.diff(self.s[i]) - self.s[i] * p.diff(self.c[i])

    def rate(self, p: PolyElement) -> PolyElement:
        """Return dp/dt = Σ ∂p/∂q_i qd_i + ∂p/∂qd_i qdd_i."""
        n = self.robot.n
        return sum((self.slope(p, i) * self.qd[i] + p.diff(self.qd[i]) * self.qdd[i] for i in range(n)), self.ring.zero)

    def zeros(self, *shape: int) -> np.ndarray:
        """Return an array of zero polynomials."""
        return np.full(shape, self.ring.zero, object)

    # symbols

    def _letter(self, name: str, value: float) -> tuple[int, str]:
        """Return sign and symbol of a number ≠ 0, and store its value, positive except for negative a and d of the DH table."""
        if abs(value) <= 1e-12:
            return 0, ""
        sign = -1 if self._table_value(name) < 0 else 1
        self.values[name] = sign * float(f"{abs(value):.14g}")  # as written in the file, without the rounding of frames
        return (sign if value > 0 else -sign), name

    def _table_value(self, name: str) -> float:
        """Value of a symbol such as "a2" in the DH table; 0 for other symbols."""
        dh, number = self.robot.dh, name[1:]
        if dh is None or name[0] not in "ad" or not number.isdigit():
            return 0.0
        row = int(number) - (name[0] == "d" or dh.convention == STANDARD)
        return float((dh.a if name[0] == "a" else dh.d)[row]) if row < self.robot.n else 0.0

    def _named(self, vector: np.ndarray, names: list[str]) -> list[tuple[int, str]]:
        return [self._letter(name, float(x)) for name, x in zip(names, vector)]

    def _offset(self, i: int) -> list[tuple[int, str]]:
        """p_PJ in symbols: with a DH table, a of the previous link and d of this one."""
        p = self.robot.bodies[i].X_PJ[:3, 3]
        if self.robot.dh is None:
            return self._named(p, [f"{axis}{i + 1}" for axis in "xyz"])
        across = [f"a{i}", f"d{i + 1}", f"d{i + 1}"]
        if i and abs(p[1]) > _SAME and abs(p[2]) > _SAME:
            across[1] = f"y{i + 1}"
        if not i:
            base = [f"{axis}0" for axis in "xyz"]
            height = self.robot.base[:3, 3]
            across = [name if abs(x) > _SAME else other for name, x, other in zip(base, height, across)]
        return self._named(p, across)

    def _link_frame(self, i: int) -> np.ndarray:
        return next(frame.X_BF for frame in self.robot.links.values() if frame.body == i)

    def _link_end(self, i: int) -> list[tuple[int, str]]:
        """Position of the link frame on its body in symbols; with a standard DH table a along x."""
        return self._named(self._link_frame(i)[:3, 3], [f"a{i + 1}", f"ly{i + 1}", f"lz{i + 1}"])

    def _tool_names(self) -> list[str]:
        b, names = self.robot.tool_frame.body, ["xt", "yt", "zt"]
        dh = self.robot.dh
        if dh is not None and dh.convention == STANDARD and b >= 0 and abs(self.robot.tool_frame.X_BF[0, 3] - dh.a[b]) < _SAME:
            names[0] = f"a{b + 1}"
        return names

    def _com(self, i: int, lengths: list, frames: list) -> list[tuple[int, str]]:
        """Centre of mass in symbols: the symbol of the next joint or frame at the same distance, otherwise a new lc."""
        com = self.robot.bodies[i].com
        ends = [(self.robot.bodies[k].X_PJ[:3, 3], lengths[k]) for k in range(self.robot.n) if self.robot.bodies[k].parent == i]
        ends += [(frame.X_BF[:3, 3], letters) for frame, letters in frames if frame.body == i]
        found: list[tuple[int, str]] = []
        own = []
        for axis, x in enumerate(com):
            known = [letters[axis] for p, letters in ends if abs(p[axis] - x) < _SAME and abs(x) > _SAME]
            found.append(known[0] if known else (0, ""))
            if not known and abs(x) > 1e-12:
                own.append(axis)
        for axis in own:
            name = f"lc{i + 1}" if len(own) == 1 else f"{'xyz'[axis]}c{i + 1}"
            found[axis] = self._letter(name, float(com[axis]))
        return found

    def _inertia(self, i: int) -> np.ndarray:
        I, letters = self.robot.bodies[i].inertia, np.empty((3, 3), object)
        for r in range(3):
            for c in range(r, 3):
                small = abs(I[r, c]) <= 1e-9 * np.abs(I).max()
                letters[r, c] = letters[c, r] = (0, "") if small else self._letter(f"I{'xyz'[r]}{'xyz'[c]}{i + 1}", I[r, c])
        return letters

    def _polynomial(self, letter: tuple[int, str]) -> PolyElement:
        sign, name = letter
        return sign * self._gens[name] if sign else self.ring.zero

    def _array(self, letters) -> np.ndarray:
        out = self.zeros(len(letters))
        for k, letter in enumerate(letters):
            out[k] = self._polynomial(letter)
        return out

    def _pose(self, X: np.ndarray, p: list) -> np.ndarray:
        out = self.zeros(4, 4)
        for r in range(3):
            for c in range(3):
                out[r, c] = self.ring.one * round(float(X[r, c]))
        out[:3, 3], out[3, 3] = self._array(p), self.ring.one
        return out


def newton_euler_torque(arm: SymbolicArm) -> np.ndarray:
    """Return tau `(n,)` as polynomials by recursive Newton–Euler; the base accelerates by −gravity.

    Outward:  w = Rᵀ w_p + z qd,  wd = Rᵀ wd_p + w × z qd + z qdd,  a = Rᵀ (a_p + wd_p × p + w_p × (w_p × p));  for a slide
    a += 2 w × z qd + z qdd.  F = m (a + wd × c + w × (w × c)),  N = I wd + w × I w.
    Inward:   f_p += R f,  n_p += R n + p × R f,  tau = z·n or z·f, + I_rotor qdd.
    """
    n, bodies = arm.robot.n, arm.robot.bodies
    moves = [arm.body_motion(i) for i in range(n)]
    z = arm.zeros(3)
    z[2] = arm.ring.one
    w, wd, a, f, m = ([arm.zeros(3) for _ in range(n)] for _ in range(5))
    for i, body in enumerate(bodies):
        R, p, k = moves[i][:3, :3], moves[i][:3, 3], body.parent
        w_p, wd_p, a_p = (arm.zeros(3), arm.zeros(3), -arm.gravity) if k < 0 else (w[k], wd[k], a[k])
        u, ud = z * arm.qd[i], z * arm.qdd[i]
        w[i], wd[i] = R.T @ w_p, R.T @ wd_p
        a[i] = R.T @ (a_p + np.cross(wd_p, p) + np.cross(w_p, np.cross(w_p, p)))
        if arm.robot.prismatic[i]:
            a[i] = a[i] + 2 * np.cross(w[i], u) + ud
        else:
            wd[i] = wd[i] + np.cross(w[i], u) + ud
            w[i] = w[i] + u
        c, I = arm.coms[i], arm.inertias[i]
        F = (a[i] + np.cross(wd[i], c) + np.cross(w[i], np.cross(w[i], c))) * arm.masses[i]
        f[i], m[i] = F, I @ wd[i] + np.cross(w[i], I @ w[i]) + np.cross(c, F)
    tau = arm.zeros(n)
    for i in reversed(range(n)):
        tau[i] = (f[i] if arm.robot.prismatic[i] else m[i])[2] + arm.rotors[i] * arm.qdd[i]
        k = bodies[i].parent
        if k >= 0:
            R, p = moves[i][:3, :3], moves[i][:3, 3]
            f[k] = f[k] + R @ f[i]
            m[k] = m[k] + R @ m[i] + np.cross(p, R @ f[i])
    return tau


class LagrangeDerivation:
    """Derivation by Lagrange: T and V per link, L = Σ T − V, and tau = d/dt ∂L/∂qd − ∂L/∂q per joint, arrays of polynomials.

    T_i = ½ m v·v + ½ w·I w + ½ I_rotor qd²,  V_i = −m gravity·p_com;
    M_ij = ∂²T/∂qd_i ∂qd_j,  C_kj = Σ_i ½ (∂M_kj/∂q_i + ∂M_ki/∂q_j − ∂M_ij/∂q_k) qd_i,  g_i = ∂V/∂q_i.
    """

    def __init__(self, arm: SymbolicArm):
        n = arm.robot.n
        self.arm = arm
        self.poses: list[np.ndarray] = []
        self.T, self.V = arm.zeros(n), arm.zeros(n)
        for i, body in enumerate(arm.robot.bodies):
            X = arm.body_motion(i)
            self.poses.append(X if body.parent < 0 else _reduce_squares(arm, self.poses[body.parent] @ X))
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
        W = _reduce_squares(arm, R.T @ Rd)
        w = np.array([W[2, 1], W[0, 2], W[1, 0]], object)
        turning = _reduce_squares(arm, np.array([w @ (arm.inertias[i] @ w)], object))[0]
        moving = _reduce_squares(arm, np.array([v @ v], object))[0]
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


def _velocity(arm: SymbolicArm, p):
    """Return dp/dt of a function of q."""
    return sum((arm.slope(p, i) * arm.qd[i] for i in range(arm.robot.n)), arm.ring.zero)


def _reduce_squares(arm: SymbolicArm, polynomials: np.ndarray) -> np.ndarray:
    """Replace s² by 1 − c², which limits the degree."""
    rules = [s**2 + c**2 - 1 for s, c, slides in zip(arm.s, arm.c, arm.robot.prismatic) if not slides]
    out = polynomials.copy()
    for place in np.ndindex(out.shape):
        out[place] = _replace_squares(arm, out[place]) if rules else out[place]
    return out


def _replace_squares(arm: SymbolicArm, p):
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
