"""Readings of the sensors as the stepping kernel makes them: delay, noise, counts, and speed from positions."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.jit import INT, MODEL, OUT1, REAL, VEC, kernel, routine

# Rows of the packed sensors `(ROWS, ≥ COLUMNS)`, per joint except `SETUP`.
SETUP = 0  # columns below
QUANTUM = 1  # rad or m per count, 0 for exact positions
POSITION_NOISE, TORQUE_NOISE = 2, 3  # standard deviations
ROWS = 4
KEY_HIGH, KEY_LOW = 0, 1  # of the seed, 32 bits each
STEPS = 2  # of delay
FILTER = 3  # time constant of the low-pass of the speed, s
COLUMNS = 4

# The memory: whether this step is read already, number of readings, steps since the last one (-1: none yet), index of the last
# step in the past; then the readings, 3 n numbers, and the past, 3 n for each of STEPS + 1 steps.
LOOKED, NUMBER, AGE, LAST, SAID = 0, 1, 2, 3, 4

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11), np.uint64(32)
_UNIT = 1.0 / 9007199254740992.0  # 2⁻⁵³


def memory_size(n: int, steps: int) -> int:
    """Length of the memory for n joints and a delay of `steps`."""
    return SAID + 3 * n * (steps + 2)


@routine
def _mixed(z):
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@routine
def normal(high, low, draw):
    """The `draw`-th number of the standard normal distribution of a seed, given as the halves of its key."""
    key = (np.uint64(high) << _S32) + np.uint64(low)
    at = key + np.uint64(2 * draw + 1) * _GOLDEN
    u = (np.float64(_mixed(at) >> _S11) + 1.0) * _UNIT
    v = np.float64(_mixed(at + _GOLDEN) >> _S11) * _UNIT
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)


@routine
def observe(A, S, dt, q, qd, tau, due, row):
    """Store the state at the start of a step, and the torque `(n,)` of the step before; row `(3 n,)` ← the readings.

    A and S are the packed sensors and their memory; `due`: whether the controller reads at this step.
    """
    if S[LOOKED] == 0.0:
        _look(A, S, dt, q, qd, tau, due)
    S[LOOKED] = 0.0
    for i in range(row.size):
        row[i] = S[SAID + i]


@routine
def _look(A, S, dt, q, qd, tau, due):
    n, steps, first = q.size, int(A[SETUP, STEPS]), S[AGE] < 0.0
    past = SAID + 3 * n
    slot = 0 if first else (int(S[LAST]) + 1) % (steps + 1)
    for k in range(steps + 1 if first else 1):
        at = past + 3 * n * (slot + k)
        for i in range(n):
            S[at + i], S[at + n + i], S[at + 2 * n + i] = q[i], qd[i], tau[i]
    S[LAST] = slot
    S[AGE] = 0.0 if first else S[AGE] + 1.0
    if due or first:
        _read(A, S, past + 3 * n * ((slot + 1) % (steps + 1)), S[AGE] * dt, n)


@routine
def _read(A, S, at, h, n):
    """Make the readings of the state at `at` in the memory, h s after the last ones; 0 for the first."""
    high, low = A[SETUP, KEY_HIGH], A[SETUP, KEY_LOW]
    draw = 2 * n * int(S[NUMBER])
    for i in range(n):
        x, v, torque = S[at + i], S[at + n + i], S[at + 2 * n + i]
        exact = A[QUANTUM, i] == 0.0 and A[POSITION_NOISE, i] == 0.0
        if A[POSITION_NOISE, i] > 0.0:
            x += A[POSITION_NOISE, i] * normal(high, low, draw + i)
        if A[QUANTUM, i] > 0.0:
            x = A[QUANTUM, i] * math.floor(x / A[QUANTUM, i] + 0.5)
        if not exact and h > 0.0:
            before = S[SAID + n + i]
            v = before + h / (h + A[SETUP, FILTER]) * ((x - S[SAID + i]) / h - before)
        if A[TORQUE_NOISE, i] > 0.0:
            torque += A[TORQUE_NOISE, i] * normal(high, low, draw + n + i)
        S[SAID + i], S[SAID + n + i], S[SAID + 2 * n + i] = x, v, torque
    S[NUMBER] += 1.0
    S[AGE] = 0.0


@kernel(MODEL, OUT1, REAL, VEC, VEC, VEC, INT)
def look(A, S, dt, q, qd, tau, due):
    """`observe` before the step, for a controller that is called between steps; the step then uses these readings."""
    if S[LOOKED] == 0.0:
        _look(A, S, dt, q, qd, tau, due != 0)
    S[LOOKED] = 1.0


def key_of(seed: int) -> tuple[float, float]:
    """The halves of the key of a seed, 32 bits each."""
    mask = 2**64 - 1
    z = (seed + int(_GOLDEN)) & mask
    for shift, factor in ((30, int(_MIX1)), (27, int(_MIX2))):
        z = ((z ^ (z >> shift)) * factor) & mask
    z ^= z >> 31
    return float(z >> 32), float(z & 0xFFFFFFFF)
