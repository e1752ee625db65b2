"""A move of recursive Newton–Euler in words and equations, with the numbers put in, in the axes of the world or of the link."""

from __future__ import annotations

from typing import Literal

import numpy as np

from armature.app.scene.overlays.newton_euler.rnea_terms import (
    Line,
    Quantity,
    Term,
    coriolis,
    cross,
    dot,
    gyroscopic,
    plain,
    summed,
    times,
    turned_along,
    twice_across,
)
from armature.app.scene.overlays.newton_euler.rnea_walk import M2, NM, RAD, RAD2, M, Move, N, Phase, RneaWalk
from armature.engine.model.dh_table import STANDARD

Axes = Literal["world", "link"]
TINY = 1e-12  # m: a distance that is none


def axis(walk: RneaWalk, b: int) -> str:
    """The joint's axis as the view names it: z_0 of the first joint where the frames are the standard ones."""
    dh = walk.robot.dh
    return f"z_{b if dh is not None and dh.convention == STANDARD else b + 1}"


def title(walk: RneaWalk, move: Move) -> str:
    """Outward: link2."""
    if move.phase == Phase.START:
        return "Start: the base"
    what = {Phase.OUTWARD: "Outward, motion of", Phase.FORCES: "Force and moment of", Phase.INWARD: "Inward, reaction of"}
    return f"{what[move.phase]} {walk.joint(move.body) if move.phase == Phase.INWARD else walk.link(move.body)}"


def sentence(walk: RneaWalk, move: Move) -> str:
    """What happens in this move, for people; what gravity does is said where it comes in."""
    b = move.body
    if move.phase == Phase.START:
        return (
            "The base is at rest, but the recursion starts with the acceleration −g, as in a lift that accelerates upwards."
            " The accelerations then contain gravity, and no step needs a separate term for it."
        )
    if move.phase == Phase.OUTWARD:
        own = f"{walk.joint(b)} adds its own motion {'along' if walk.slides[b] else 'about'} {axis(walk, b)}."
        return f"{walk.link(b)} moves as {walk.link(walk.parent(b))} does, and {own}" + (
            " a_0 = −g enters here." if walk.parent(b) < 0 else ""
        )
    if move.phase == Phase.FORCES:
        own = f"Force and moment for this motion at the centre of mass of {walk.link(b)} (Newton and Euler)."
        return f"{own} a_c contains −g, so F includes the force that supports the weight."
    children = [walk.link(k) for k in walk.children(b)]
    passed = f", plus the reaction of {' and '.join(children)}" if children else " only, because it is the last link"
    on = "force" if walk.slides[b] else "moment"
    return (
        f"{walk.joint(b)} carries force and moment of {walk.link(b)}{passed}. The drive supplies the {on} along {axis(walk, b)};"
        " the bearings support the rest."
    )


def lines(walk: RneaWalk, move: Move, axes: Axes = "world") -> list[Line]:
    """The equations of a move, in the order in which they are solved."""
    return _Equations(walk, move, axes).lines()


class _Equations:
    """Names the quantities of a move and turns them into its axes."""

    def __init__(self, walk: RneaWalk, move: Move, axes: Axes):
        self.walk, self.move, self.b = walk, move, move.body
        X = walk.base if move.body < 0 else walk.X[move.body]
        self.turn = np.eye(3) if axes == "world" else X[:3, :3].T
        self.name = str(move.body + 1)

    def lines(self) -> list[Line]:
        """Those of the move's phase."""
        match self.move.phase:
            case Phase.START:
                return self._start()
            case Phase.OUTWARD:
                return self._outward()
            case Phase.FORCES:
                return self._forces()
            case _:
                return self._inward()

    def _of(self, symbol: str, field: str, body: int) -> Quantity:
        """A row of the recursion's arrays."""
        value = self.walk.steps._asdict()[field][self.walk.row(body)]
        return Quantity(f"{symbol}{body + 1}", self.turn @ value, self.walk.scales[field])

    def _vector(self, symbol: str, in_world: np.ndarray) -> Quantity:
        return Quantity(symbol, self.turn @ in_world)

    def _start(self) -> list[Line]:
        zero, g = Quantity("0", np.zeros(3)), self._vector("−g", -self.walk.robot.gravity)
        rest = [
            ("ω_0", RAD, "angular velocity of the base"),
            ("ω̇_0", RAD2, "its angular acceleration"),
            ("v_0", M, "its velocity"),
        ]
        still = [summed(symbol, [plain(zero)], unit, meaning) for symbol, unit, meaning in rest]
        return [*still, summed("a_0", [plain(g)], M2, "its acceleration, which represents gravity")]

    def _outward(self) -> list[Line]:
        walk, b, name, k = self.walk, self.b, self.name, self.walk.parent(self.b)
        z, slides = self._vector(axis(walk, b), walk.z[b]), bool(walk.slides[b])
        rate, rate_dot = Quantity(f"q̇_{name}", float(walk.rate[b])), Quantity(f"q̈_{name}", float(walk.rate_dot[b]))
        w_p, wd_p, v_p = self._of("ω_", "w", k), self._of("ω̇_", "wd", k), self._of("v_", "v", k)
        a_p = self._of("a_e" if k >= 0 else "a_", "a", k)
        turns = [] if slides else [times(z, rate)]
        spins = [] if slides else [times(z, rate_dot), turned_along(w_p, z, rate)]
        w = summed(f"ω_{name}", [plain(w_p), *turns], RAD, "angular velocity")
        wd = summed(f"ω̇_{name}", [plain(wd_p), *spins], RAD2, "angular acceleration")
        before = walk.base[:3, 3] if k < 0 else walk.X[k, :3, 3]
        r = self._vector(f"r_{name}", walk.p[b] - before)
        e = self._vector(f"e_{name}", walk.X[b, :3, 3] - walk.p[b])
        c = self._vector(f"c_{name}", walk.c[b] - walk.X[b, :3, 3])
        v_terms, a_terms = [plain(v_p)], [plain(a_p)]
        for w_k, wd_k, lever in ((w_p, wd_p, r), (w.result, wd.result, e)):
            if np.abs(lever.value).max() > TINY:
                v_terms.append(cross(w_k, lever))
                a_terms += [cross(wd_k, lever), twice_across(w_k, lever)]
        if slides:
            v_terms.append(times(z, rate))
            a_terms += [times(z, rate_dot), coriolis(w_p, z, rate)]
        v = summed(f"v_{name}", v_terms, M, "velocity of the link frame's origin")
        a = summed(f"a_e{name}", a_terms, M2, "acceleration of the link frame's origin")
        a_c_terms = [plain(a.result)]
        if np.abs(c.value).max() > TINY:
            a_c_terms += [cross(wd.result, c), twice_across(w.result, c)]
        return [w, wd, v, a, summed(f"a_c{name}", a_c_terms, M2, "acceleration of the centre of mass")]

    def _forces(self) -> list[Line]:
        walk, b, name = self.walk, self.b, self.name
        body = walk.robot.bodies[b]
        R = self.turn @ walk.R[b]
        inertia = Quantity(f"I_{name}", R @ body.inertia @ R.T)
        w, wd, a_c = self._of("ω_", "w", b), self._of("ω̇_", "wd", b), self._of("a_c", "a_c", b)
        F = summed(f"F_{name}", [times(Quantity(f"m_{name}", body.mass), a_c)], N, "force at the centre of mass")
        return [F, summed(f"N_{name}", [times(inertia, wd), gyroscopic(w, inertia)], NM, "moment about the centre of mass")]

    def _inward(self) -> list[Line]:
        walk, b, name = self.walk, self.b, self.name
        F, N_b = self._of("F_", "F", b), self._of("N_", "N", b)
        d = self._vector(f"d_{name}", walk.c[b] - walk.p[b])
        forces, moments = [plain(F)], [plain(N_b)]
        if np.abs(d.value).max() > TINY:
            moments.append(cross(d, F))
        for k in walk.children(b):
            f_k, r_k = self._of("f_", "f", k), self._vector(f"r_{name},{k + 1}", walk.p[k] - walk.p[b])
            forces.append(plain(f_k))
            moments.append(plain(self._of("n_", "n", k)))
            if np.abs(r_k.value).max() > TINY:
                moments.append(cross(r_k, f_k))
        f = summed(f"f_{name}", forces, N, "force of the joint on the link")
        n = summed(f"n_{name}", moments, NM, "moment about the joint's origin")
        return [f, n, self._projection(f.result, n.result)]

    def _projection(self, f: Quantity, n: Quantity) -> Line:
        walk, b, name = self.walk, self.b, self.name
        slides, rotor = bool(walk.slides[b]), walk.robot.bodies[b].rotor_inertia
        terms: list[Term] = [dot(self._vector(axis(walk, b), walk.z[b]), f if slides else n)]
        if rotor:
            terms.append(times(Quantity(f"I_r{name}", rotor), Quantity(f"q̈_{name}", float(walk.rate_dot[b]))))
        meaning = "the part along the axis" + (", plus the torque that accelerates the rotor" if rotor else "")
        return summed(f"τ_{name}", terms, N if slides else NM, meaning)
