"""Model terms of control laws: inertia, Coriolis, gravity, and friction compensation without chatter.

The torque against dry friction is a state that changes gradually, not a sign function.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from armature.engine.control.controller import HELD
from armature.engine.dynamics.coupled import folded_equations
from armature.engine.dynamics.equations import equations_of_motion
from armature.engine.dynamics.pulling_spring import WORK
from armature.engine.jit import routine
from armature.engine.model.packed_model import COULOMB, STICTION, VISCOUS

START = 1e-3  # rad/s, m/s: desired speed above which all of the sliding friction is fed forward; in proportion below it
REST = 1e-4  # rad/s, m/s: feedback speed below which a joint may rest; below half of it the joint counts as sticking
BACK = 0.05  # rad/s, m/s: the same after a push in the opposite direction, or a joint that overshoots would hunt forever
SWING = 0.02  # s: least rise time of the compensation from 0 to the static friction
PATIENCE = 0.25  # s: the same for a joint at rest that only the feedback moves
_LOOSE = 2.0  # direction of a push after the desired trajectory has started the joint


@routine
def bias(P, q, qd):
    """Return the workspace Z of the bodies, M(q), and rest = −(C qd + g)."""
    n = q.size
    Z, M, rest = np.empty((P.shape[0] - 1, WORK)), np.empty((n, n)), np.zeros(n)
    no_wrench = np.empty((0, 6))
    if P.shape[0] == n + 1:
        equations_of_motion(P, q, qd, rest, no_wrench, Z, M, rest)
    else:
        folded_equations(P, q, qd, no_wrench, Z, M, rest)
    return Z, M, rest


@routine
def drive(P, S, h, M, rest, a, commanded, qd, tau):
    """Compute tau = M a + C qd + g + friction at the commanded speed, with rest = −(C qd + g) from `bias`."""
    n = tau.size
    for i in range(n):
        tau[i] = -rest[i]
    compensate_friction(P, S, h, M, commanded, qd, tau)
    for i in range(n):
        for j in range(n):
            tau[i] += M[i, j] * a[j]


@routine
def _within(x, bound):
    return min(max(x, -bound), bound)


class Commanded(NamedTuple):
    """Commanded velocity of the joints, each `(n,)`.

    `speed` qd_c, its part `ahead` qd_ff that does not depend on measurements, and the bandwidth `rate` of the velocity loop, 1/s.
    """

    rate: np.ndarray
    ahead: np.ndarray
    speed: np.ndarray


@routine
def compensate_friction(P, S, h, M, commanded, qd, tau):
    """tau += B qd_c + F_feed + F_push: viscous friction at the commanded `speed` qd_c, and dry friction as two states.

    F_feed → F_c sat(qd_ff / START) along `ahead` qd_ff.
    F_push grows up to the static friction on a joint that sticks: within SWING if qd_ff starts it, within PATIENCE if it stuck
    again or only the feedback qd_c − qd_ff moves it. On a moving joint it decays where F_feed is active, and otherwise follows
    M_ii rate²/4 (qd_c − qd), so that it finds the actual friction, whatever the model contains. It decays where the feedback
    speed is below REST, or below BACK against the direction of the last push.
    The sum is limited to the possible friction, and changes by at most the static friction within SWING.

    Args:
        P: the controller's model of the arm.
        S: the memory of the controller.
        h: control period, s.
    """
    n = qd.size
    rate, ahead, speed = commanded
    for i in range(n):
        tau[i] += P[i, VISCOUS] * speed[i]
        feed, push, direction = HELD + 2 * n + i, HELD + 3 * n + i, HELD + 4 * n + i
        level = P[i, STICTION]
        if level == 0.0:
            S[feed] = S[push] = S[direction] = 0.0
            continue
        before, fastest = S[feed] + S[push], level * h / SWING
        share = _within(ahead[i] / START, 1.0)
        sliding = P[i, COULOMB] if share > 0.0 else P[i, COULOMB + 1]
        S[feed] += _within(share * sliding - S[feed], fastest)
        sticks, lead = abs(qd[i]) < 0.5 * REST, abs(share)
        if lead < 1.0:
            S[direction] = 0.0 if abs(S[direction]) == _LOOSE else S[direction]
        elif not sticks:
            S[direction] = math.copysign(_LOOSE, ahead[i])
        elif S[direction] != math.copysign(_LOOSE, ahead[i]):
            S[direction] = 0.0
        patience = SWING if lead == 1.0 and S[direction] == 0.0 else PATIENCE
        target = ahead[i] if lead == 1.0 else speed[i] - ahead[i]
        if abs(target) < (BACK if S[direction] * target < 0.0 else REST):
            change = -S[push]
        elif sticks:
            change = math.copysign(level, target) - S[push]
            S[direction] = math.copysign(1.0, target) if lead < 1.0 else S[direction]
        else:
            change = (1.0 - lead) * h * 0.25 * rate[i] * rate[i] * M[i, i] * (speed[i] - qd[i]) - lead * S[push]
        total = S[feed] + S[push] + _within(change, level * h / patience)
        least, most = (-level, level) if sticks else (-P[i, COULOMB + 1], P[i, COULOMB])
        total = before + _within(min(max(total, least), most) - before, fastest)
        S[push] = total - S[feed]
        tau[i] += total
