"""The packed model: everything a kernel needs about a robot in one array, because each array argument costs a call 0.1 µs."""

from __future__ import annotations

import numpy as np

from armature.engine.model.body import PRISMATIC, Body

# Columns of row i, body i. Row n holds gravity in its first three columns.
PARENT = 0
SLIDES = 1  # 0 revolute, 1 prismatic
ROT = 2  # R_PJ row by row, 9
POS = 11  # p_PJ, 3
MASS = 14
MOMENT = 15  # m·c in the body frame, 3
INERTIA = 18  # about the body's origin: xx xy xz yy yz zz
ROTOR = 24
VISCOUS = 25
COULOMB = 26  # positive, negative direction
STICTION = 28
LOWER = 29
UPPER = 30
RESTITUTION = 31
WIDTH = 32


def pack(bodies: tuple[Body, ...], gravity: np.ndarray, q_min: np.ndarray, q_max: np.ndarray) -> np.ndarray:
    """The read-only array `(n + 1, WIDTH)` that all kernels read."""
    P = np.zeros((len(bodies) + 1, WIDTH))
    for i, body in enumerate(bodies):
        row, I_o = P[i], body.inertia_at_origin()
        row[PARENT], row[SLIDES] = body.parent, body.joint_type == PRISMATIC
        row[ROT : ROT + 9] = body.X_PJ[:3, :3].ravel()
        row[POS : POS + 3] = body.X_PJ[:3, 3]
        row[MASS], row[MOMENT : MOMENT + 3] = body.mass, body.mass * body.com
        row[INERTIA : INERTIA + 6] = I_o[0, 0], I_o[0, 1], I_o[0, 2], I_o[1, 1], I_o[1, 2], I_o[2, 2]
        row[ROTOR], row[VISCOUS] = body.rotor_inertia, body.friction.viscous
        row[COULOMB : COULOMB + 2] = body.friction.coulomb
        row[STICTION] = max(body.friction.stiction, *body.friction.coulomb)
        row[LOWER], row[UPPER], row[RESTITUTION] = q_min[i], q_max[i], body.restitution
    P[-1, :3] = gravity
    P.setflags(write=False)
    return P
