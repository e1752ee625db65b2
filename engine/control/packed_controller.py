"""The packed controller: what the stepping kernel reads about a control law, in one array."""

from __future__ import annotations

NONE, TORQUE, PD, PID, PD_GRAVITY, COMPUTED_TORQUE, IMPEDANCE, RESOLVED_RATE, GRAVITY = range(9)
"""Kinds of law, column `KIND` of row `SETUP`."""

# Rows; per joint where nothing else is said.
SETUP = 0  # columns below
KP, KD, KI = 1, 2, 3
MOST = 4  # |tau| at most, inf where unlimited
CONSTANT = 5
STIFFNESS, DAMPING = 6, 7  # per axis of the task, x y z rx ry rz
ROWS_WANTED = 8  # per axis: 0 where the task does not count it, else what a unit of it weighs
FRAME = 9  # R_BT row by row and p_BT of the tool on its body
ROWS = 10

# Columns of row SETUP.
KIND, PERIOD, BODY, LAMBDA, SERVO = 0, 1, 2, 3, 4
WIDTH = 12  # at least; as many as joints if there are more

# The controller's memory: the time of its next look; then, n numbers each, the torque it holds, the integrals of PID, and of the
# dry friction that it makes up for the part fed forward, the push, and the way it pushed last.
NEXT, HELD = 0, 1


def memory_size(n: int) -> int:
    """Length of a controller's memory for n joints."""
    return HELD + 5 * n
