"""A walk through recursive Newton–Euler, move by move: outward, forces, inward; where each stands, with its arrows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from armature import engine
from armature.engine import Robot

RAD, RAD2, M, M2, N, NM = "rad/s", "rad/s²", "m/s", "m/s²", "N", "N·m"


class Phase(IntEnum):
    """What a move is about."""

    START = -1
    OUTWARD = 0
    FORCES = 1
    INWARD = 2


class Arrow(NamedTuple):
    """A vector `(3,)` at a point `(3,)`, both in W; a ring about it where it `turns`, thin where it is passed on by another move.

    `share` of the largest of its kind along the arm, 0 to 1.
    """

    kind: str
    symbol: str
    at: np.ndarray
    vector: np.ndarray
    unit: str
    turns: bool
    share: float
    thin: bool = False


class RneaMoment(NamedTuple):
    """What is drawn: the arrows of a move that has gone the fraction `s` of its way, and its body, -1 for the base."""

    arrows: tuple[Arrow, ...]
    body: int
    s: float = 1.0


@dataclass(frozen=True)
class Move:
    """Number `number` of the walk, 0 for the start; `body` -1 is the base."""

    number: int
    phase: Phase
    body: int


class RneaWalk:
    """The recursion of a robot with masses in a motion, every vector in W, rows of `X`, `p` and `c` per body of its tree.

    A point p of the walk counts moves: at 6.5 six are made and half of the seventh; `count` is the end. `X` `(n, 4, 4)` are the
    link frames, `p` the joints' origins, `c` the centres of mass, `z` the axes; `base` the base frame's pose.
    """

    def __init__(self, robot: Robot, q, qd, qdd):
        self.robot, self.q, self.qd, self.qdd = robot, np.asarray(q, float), np.asarray(qd, float), np.asarray(qdd, float)
        self.steps = engine.rnea_steps(robot, self.q, self.qd, self.qdd)
        self.n = len(robot.bodies)
        self.count = 3 * self.n
        owners, X_BL = robot.link_table
        first = {int(b): link for link, b in reversed(list(enumerate(owners)))}
        self.base_row = first[-1]
        self.rows = np.array([first[b] for b in range(self.n)], int)
        poses = engine.link_poses(robot, self.q)
        self.base, self.X = poses[self.base_row], poses[self.rows]
        X_WB = self.X @ np.linalg.inv(X_BL[self.rows])
        self.p, self.z, self.R = X_WB[:, :3, 3], X_WB[:, :3, 2], X_WB[:, :3, :3]
        self.c = self.p + np.einsum("kij,kj->ki", self.R, np.array([body.com for body in robot.bodies]).reshape(-1, 3))
        self.slides = robot.tree.prismatic
        move = robot.coupling
        self.rate = self.qd if move is None else move.rate(self.qd)
        self.rate_dot = self.qdd if move is None else move.rate(self.qdd)

    @cached_property
    def torque(self) -> np.ndarray:
        """Part of n, of a slide's f, along the joint's axis, rotor inertia added, `(n_bodies,)` in N·m or N."""
        carried = np.where(self.slides[:, None], self.steps.f[self.rows], self.steps.n[self.rows])
        rotor = np.array([body.rotor_inertia for body in self.robot.bodies])
        return np.sum(self.z * carried, axis=1) + rotor * self.rate_dot

    @cached_property
    def scales(self) -> dict[str, float]:
        """How large each kind of vector gets along the arm; a moment is a sum of forces times lengths."""
        sizes = {kind: float(np.abs(values).max()) for kind, values in self.steps._asdict().items() if np.ndim(values) == 2}
        force = max(sizes["f"], sizes["F"])
        moment = max(sizes["n"], sizes["N"], force * self.robot.reach)
        acceleration = max(sizes["a"], sizes["a_c"])
        return sizes | {"f": force, "F": force, "n": moment, "N": moment, "a": acceleration, "a_c": acceleration}

    @cached_property
    def lagrange(self) -> np.ndarray:
        """M qdd, C qd and g from the Lagrangian, which shares no code with the recursion, as columns `(n, 3)`."""
        terms = engine.lagrange_terms(self.robot, self.q, self.qd)
        return np.column_stack([terms.M @ self.qdd, terms.c, terms.g])

    def parent(self, body: int) -> int:
        """The body that carries this one, -1 for the base."""
        return self.robot.bodies[body].parent

    def children(self, body: int) -> list[int]:
        """The bodies that hang on this one."""
        return [k for k in range(self.n) if self.parent(k) == body]

    def row(self, body: int) -> int:
        """Where a body stands in the arrays of `steps`."""
        return self.base_row if body < 0 else int(self.rows[body])

    def link(self, body: int) -> str:
        """The name of the link that a body is."""
        return self.robot.link_names[self.row(body)]

    def joint(self, body: int) -> str:
        """The name of the joint that carries a body."""
        return self.robot.tree.joint_names[body]

    def move(self, p: float) -> Move:
        """The move under way at p, the one just made where p is whole."""
        number = min(max(int(np.ceil(p - 1e-9)), 0), self.count)
        if number == 0:
            return Move(0, Phase.START, -1)
        phase, k = divmod(number - 1, self.n)
        return Move(number, Phase(phase), self.n - 1 - k if phase == Phase.INWARD else k)

    def stop(self, phase: Phase) -> int:
        """Where this part of the walk begins."""
        return 0 if phase == Phase.START else int(phase) * self.n

    def moment(self, p: float) -> RneaMoment:
        """What is drawn at p: arrows grow while their move is under way."""
        move = self.move(p)
        return RneaMoment(tuple(self.arrows(move)), move.body, 1.0 + min(p - move.number, 0.0) if move.number else 1.0)

    def arrows(self, move: Move) -> list[Arrow]:
        """What is drawn in a move: of the link what the move finds, thin what it takes from others."""
        b, s = move.body, self.steps
        if move.phase == Phase.START:
            return [self._arrow("a", "a_0", self.base[:3, 3], s.a[self.base_row], M2)]
        at, name = self.row(b), str(b + 1)
        if move.phase == Phase.OUTWARD:
            return [
                self._arrow("w", f"ω_{name}", self.p[b], s.w[at], RAD, turns=True),
                self._arrow("wd", f"ω̇_{name}", self.p[b], s.wd[at], RAD2, turns=True),
                self._arrow("v", f"v_{name}", self.X[b, :3, 3], s.v[at], M),
                self._arrow("a", f"a_e{name}", self.X[b, :3, 3], s.a[at], M2),
                self._arrow("a_c", f"a_c{name}", self.c[b], s.a_c[at], M2),
            ]
        if move.phase == Phase.FORCES:
            return [
                self._arrow("a_c", f"a_c{name}", self.c[b], s.a_c[at], M2, thin=True),
                self._arrow("F", f"F_{name}", self.c[b], s.F[at], N),
                self._arrow("N", f"N_{name}", self.c[b], s.N[at], NM, turns=True),
            ]
        along, unit = ("f", N) if self.slides[b] else ("n", NM)
        largest = float(np.linalg.norm(s.f if self.slides[b] else s.n, axis=1).max())
        share = abs(self.torque[b]) / largest if largest else 0.0
        tau = Arrow("tau", f"τ_{name}", self.p[b], self.torque[b] * self.z[b], unit, along == "n", min(share, 1.0))
        out = [self._arrow("F", f"F_{name}", self.c[b], s.F[at], N, thin=True)]
        for k in self.children(b):
            out.append(self._arrow("f", f"f_{k + 1}", self.p[k], s.f[self.row(k)], N, thin=True))
            out.append(self._arrow("n", f"n_{k + 1}", self.p[k], s.n[self.row(k)], NM, turns=True, thin=True))
        out.append(self._arrow("f", f"f_{name}", self.p[b], s.f[at], N))
        out.append(self._arrow("n", f"n_{name}", self.p[b], s.n[at], NM, turns=True))
        return [*out, tau]

    def _arrow(self, kind: str, symbol: str, at, vector, unit: str, turns: bool = False, thin: bool = False) -> Arrow:
        all_of_it = self.steps._asdict()[kind]
        largest = float(np.linalg.norm(all_of_it, axis=1).max())
        length = float(np.linalg.norm(vector))
        return Arrow(kind, symbol, at, vector, unit, turns, length / largest if length > 1e-9 * largest else 0.0, thin)
