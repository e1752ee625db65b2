"""An independent reference for dry friction: DOP853 between the events that it locates, its mechanics `armature.rnea` only."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from armature import engine
from armature.engine.model.robot import Robot


class StickSlip:
    """An arm under a constant torque whose joints slide or stick; `events` has time and joint of every change.

    Sticking:  |load| ≤ max(stiction, Coulomb), the load what the joint needs to stay where it is. Sliding:  Coulomb against the
    motion. M from unit accelerations and the bias from none, in full, so that nothing of the step is used.
    """

    def __init__(self, robot: Robot, tau):
        self.robot, self.tau, self.n = robot, np.array(tau, float), robot.n
        friction = [body.friction for body in robot.bodies]
        self.viscous = np.array([f.viscous for f in friction])
        self.coulomb = np.array([f.coulomb for f in friction])
        self.capacity = np.array([max(f.stiction, *f.coulomb) for f in friction])
        self.events: list[tuple[float, int]] = []

    def _mechanics(self, q, qd):
        bias = engine.rnea(self.robot, q, qd, np.zeros(self.n))
        still = engine.rnea(self.robot, q, np.zeros(self.n), np.zeros(self.n))
        M = np.array([engine.rnea(self.robot, q, np.zeros(self.n), e) - still for e in np.eye(self.n)]).T
        return M, self.tau - bias - self.viscous * qd

    def _solve(self, q, qd, way):
        """Accelerations, and loads of joints that stick (`way` 0)."""
        M, rest = self._mechanics(q, qd)
        rest = rest - np.where(way > 0, self.coulomb[:, 0], np.where(way < 0, -self.coulomb[:, 1], 0.0))
        free = way != 0
        qdd = np.zeros(self.n)
        if free.any():
            qdd[free] = np.linalg.solve(M[np.ix_(free, free)], rest[free])
        return qdd, rest - M @ qdd

    def _let_go(self, q, qd, way):
        """Of the joints that stick, those let go that cannot, the most overloaded first."""
        way = way.copy()
        while True:
            _, load = self._solve(q, qd, way)
            over = np.where(way == 0, np.abs(load) / np.maximum(self.capacity, 1e-300), 0.0)
            worst = int(np.argmax(over))
            if over[worst] <= 1.0 + 1e-12:
                return way
            way[worst] = np.sign(load[worst])

    def run(self, q, qd, duration):
        """State q, qd at the end."""
        t, z, n = 0.0, np.concatenate([q, qd]).astype(float), self.n
        way = self._let_go(z[:n], z[n:], np.sign(z[n:]))
        while t < duration:
            fixed = way.copy()

            def slope(_, z, way=fixed):
                return np.concatenate([np.where(way != 0, z[n:], 0.0), self._solve(z[:n], z[n:], way)[0]])

            def margins(z, way=fixed):
                load = self._solve(z[:n], z[n:], way)[1] if (way == 0).any() else np.zeros(n)
                return np.where(way == 0, self.capacity - np.abs(load), z[n:] * way)

            watch = [lambda _, z, i=i: margins(z)[i] for i in range(n)]
            for one in watch:
                one.terminal, one.direction = True, -1
            path = solve_ivp(slope, (t, duration), z, "DOP853", events=watch, rtol=1e-12, atol=1e-13, max_step=5e-3)
            assert path.success
            t, z = path.t[-1], path.y[:, -1].copy()
            for i in np.flatnonzero([len(times) for times in path.t_events]):
                self.events.append((t, int(i)))
                if way[i] == 0:
                    way[i] = np.sign(self._solve(z[:n], z[n:], way)[1][i])
                else:
                    way[i], z[n + i] = 0.0, 0.0
                way = self._let_go(z[:n], z[n:], way)
        return z[:n], z[n:]
