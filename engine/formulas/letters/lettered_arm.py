"""An arm with letters in place of its lengths, masses and inertias."""

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
class LetteredArm:
    """Polynomials over the rational numbers in letters, in cos q_i and sin q_i, q_i, qd_i and qdd_i, as arrays of NumPy.

    `values` has the number of every letter; `placements`, `coms`, `inertias` `(n, …)` are those of the bodies in letters, the
    others of each joint; `tool` is the pose of the tool's frame on its body, `base` that of the base link in the world.
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
        """X_BL of the link that joint i carries."""
        return self._links[i]

    def inverse(self, X: np.ndarray) -> np.ndarray:
        """Of a pose: Rᵀ, −Rᵀ p."""
        out = X.copy()
        out[:3, :3], out[:3, 3] = X[:3, :3].T, -X[:3, :3].T @ X[:3, 3]
        return out

    def body_motion(self, i: int) -> np.ndarray:
        """X_PB `(4, 4)` of body i in its parent:  X_PJ Rot_z(q), or X_PJ Trans_z(q)."""
        one, zero = self.ring.one, self.ring.zero
        X = np.array([[one if r == c else zero for c in range(4)] for r in range(4)], object)
        if self.robot.prismatic[i]:
            X[2, 3] = self.q[i]
        else:
            X[0, 0], X[0, 1], X[1, 0], X[1, 1] = self.c[i], -self.s[i], self.s[i], self.c[i]
        return self.placements[i] @ X

    def slope(self, p: PolyElement, i: int) -> PolyElement:
        """∂p/∂q_i, with ∂c/∂q = −s and ∂s/∂q = c."""
        if self.robot.prismatic[i]:
            return p.diff(self.q[i])
        return self.c[i] * p.diff(self.s[i]) - self.s[i] * p.diff(self.c[i])

    def rate(self, p: PolyElement) -> PolyElement:
        """dp/dt = Σ ∂p/∂q_i qd_i + ∂p/∂qd_i qdd_i."""
        n = self.robot.n
        return sum((self.slope(p, i) * self.qd[i] + p.diff(self.qd[i]) * self.qdd[i] for i in range(n)), self.ring.zero)

    def zeros(self, *shape: int) -> np.ndarray:
        """Polynomials 0."""
        return np.full(shape, self.ring.zero, object)

    # letters

    def _letter(self, name: str, value: float) -> tuple[int, str]:
        """A sign and the letter of a number ≠ 0, which is given its size; a and d of a DH table have the sign they have there."""
        if abs(value) <= 1e-12:
            return 0, ""
        sign = -1 if self._table_value(name) < 0 else 1
        self.values[name] = sign * float(f"{abs(value):.14g}")  # as written in the file, without the rounding of frames
        return (sign if value > 0 else -sign), name

    def _table_value(self, name: str) -> float:
        """What the DH table says for a letter such as "a2"; 0 for any other."""
        dh, number = self.robot.dh, name[1:]
        if dh is None or name[0] not in "ad" or not number.isdigit():
            return 0.0
        row = int(number) - (name[0] == "d" or dh.convention == STANDARD)
        return float((dh.a if name[0] == "a" else dh.d)[row]) if row < self.robot.n else 0.0

    def _named(self, vector: np.ndarray, names: list[str]) -> list[tuple[int, str]]:
        return [self._letter(name, float(x)) for name, x in zip(names, vector)]

    def _offset(self, i: int) -> list[tuple[int, str]]:
        """p_PJ in letters: with a DH table a of the link before, d of this one."""
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
        """Where the link's frame is on its body, in letters: of a standard DH table at a along x."""
        return self._named(self._link_frame(i)[:3, 3], [f"a{i + 1}", f"ly{i + 1}", f"lz{i + 1}"])

    def _tool_names(self) -> list[str]:
        b, names = self.robot.tool_frame.body, ["xt", "yt", "zt"]
        dh = self.robot.dh
        if dh is not None and dh.convention == STANDARD and b >= 0 and abs(self.robot.tool_frame.X_BF[0, 3] - dh.a[b]) < _SAME:
            names[0] = f"a{b + 1}"
        return names

    def _com(self, i: int, lengths: list, frames: list) -> list[tuple[int, str]]:
        """The centre of mass in letters: those of the next joint or of a frame where it lies as far, lc of its own where not."""
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
