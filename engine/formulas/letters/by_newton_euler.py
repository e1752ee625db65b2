"""Recursive Newton–Euler in letters, each link in its own axes."""

from __future__ import annotations

import numpy as np

from armature.engine.formulas.letters.lettered_arm import LetteredArm


def by_newton_euler(arm: LetteredArm) -> np.ndarray:
    """tau `(n,)` as polynomials; the base accelerates by −gravity.

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
