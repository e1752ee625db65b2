"""Dry friction made up for by a control law, without chatter: its torque is a state that changes gradually, not a sign."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from armature.engine.control.packed_controller import HELD
from armature.engine.jit import inlined, inner
from armature.engine.model.packed_model import COULOMB, STICTION, VISCOUS

START = 1e-3  # rad/s, m/s: desired speed from which on all of the sliding friction is fed forward; below, in proportion
REST = 1e-4  # rad/s, m/s: where the feedback wants less, a joint may stay where it is; at half of it it counts as held
BACK = 0.05  # rad/s, m/s: the same after a push the other way, or a joint that slips past its goal would hunt for ever
SWING = 0.02  # s: the friction made up for takes at least as long from nothing to the breakaway level
PATIENCE = 0.25  # s: the same for a joint at rest that only the feedback wants to move
_LOOSE = 2.0  # as the way of a push: the desired trajectory has set the joint going


@inlined
def _within(x, bound):
    return min(max(x, -bound), bound)


class Commanded(NamedTuple):
    """What a law with a servo commands, each `(n,)`.

    The `speed` of the joints, of it the part `ahead` that no measurement enters, and the `rate`, 1/s, at which the servo takes
    errors of speed away.
    """

    rate: np.ndarray
    ahead: np.ndarray
    speed: np.ndarray


@inner
def compensate(P, S, h, M, commanded, qd, tau):
    """tau += B qd_c + F_feed + F_push: viscous friction at the commanded `speed` qd_c, and dry friction, which is two states.

    F_feed → F_c sat(qd_ff / START) along `ahead`, the part qd_ff of the commanded speed that no measurement enters.
    F_push grows, up to the breakaway level, on a joint that holds: within SWING where qd_ff wants to set it going, and within
    PATIENCE where it stuck again or the feedback qd_c − qd_ff alone wants it to move. On a joint that moves it fades where F_feed
    does the work, and else follows  M_ii rate²/4 (qd_c − qd), so that it finds how much friction there is, whatever the model
    says. It fades where the feedback wants less than REST, or less than BACK against the way it pushed last.
    Both together stay within what friction can be, and change by the breakaway level within SWING at the fastest.

    Args:
        P: the arm as the law knows it.
        S: the memory of the law.
        h: s between two looks.
    """
    n = qd.size
    rate, ahead, speed = commanded
    for i in range(n):
        tau[i] += P[i, VISCOUS] * speed[i]
        feed, push, way = HELD + 2 * n + i, HELD + 3 * n + i, HELD + 4 * n + i
        level = P[i, STICTION]
        if level == 0.0:
            S[feed] = S[push] = S[way] = 0.0
            continue
        before, fastest = S[feed] + S[push], level * h / SWING
        share = _within(ahead[i] / START, 1.0)
        sliding = P[i, COULOMB] if share > 0.0 else P[i, COULOMB + 1]
        S[feed] += _within(share * sliding - S[feed], fastest)
        holds, led = abs(qd[i]) < 0.5 * REST, abs(share)
        if led < 1.0:
            S[way] = 0.0 if abs(S[way]) == _LOOSE else S[way]
        elif not holds:
            S[way] = math.copysign(_LOOSE, ahead[i])
        elif S[way] != math.copysign(_LOOSE, ahead[i]):
            S[way] = 0.0
        patience = SWING if led == 1.0 and S[way] == 0.0 else PATIENCE
        wish = ahead[i] if led == 1.0 else speed[i] - ahead[i]
        if abs(wish) < (BACK if S[way] * wish < 0.0 else REST):
            change = -S[push]
        elif holds:
            change = math.copysign(level, wish) - S[push]
            S[way] = math.copysign(1.0, wish) if led < 1.0 else S[way]
        else:
            change = (1.0 - led) * h * 0.25 * rate[i] * rate[i] * M[i, i] * (speed[i] - qd[i]) - led * S[push]
        total = S[feed] + S[push] + _within(change, level * h / patience)
        least, most = (-level, level) if holds else (-P[i, COULOMB + 1], P[i, COULOMB])
        total = before + _within(min(max(total, least), most) - before, fastest)
        S[push] = total - S[feed]
        tau[i] += total
