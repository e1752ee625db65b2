"""Equations of motions, averaged over blocks: few rows, nearly independent of each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.identification.motion import Motion
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.frozen import Frozen

_ROOM = 40.0  # rows per period of the highest frequency of a motion
_ROWS = 40.0  # least rows per unknown and joint
_CHUNK = 4096  # samples at a time


@dataclass(frozen=True, eq=False)
class Rows(Frozen):
    """Averaged equations A x = y for the unknowns x.

    `A` `(B, n, m)` and `y` `(B, n)`: means over blocks of samples times the root of `share` `(B, n)`, the used part.
    `t` `(B,)` s: block starts. `lengths`: samples per block of each recording; `rate` Hz of blocks; `begins`: first blocks
    of recordings.
    """

    A: np.ndarray
    y: np.ndarray
    share: np.ndarray
    t: np.ndarray
    lengths: tuple[int, ...]
    rate: float
    begins: tuple[int, ...]

    @property
    def cutoff(self) -> float:
        """Frequency in Hz at which the mean over a block halves the power."""
        return 0.443 * self.rate


def block_length(motion: Motion, unknowns: Unknowns, duration: float, rate: float | None) -> int:
    """Return the samples per block: `rate` blocks per s, or 40 per period of the filtered motion, and enough for all
    unknowns in `duration` s.
    """
    if rate is not None and not 0.0 < rate <= motion.rate * (1 + 1e-9):
        raise EngineError(f"the rate of rows must be between 0 and the recording's rate, {motion.rate:g} Hz, got {rate!r}")
    enough = _ROWS * len(unknowns.names) / unknowns.robot.n / max(duration, 1e-9)
    return max(1, int(motion.rate / (rate or max(min(_ROOM * motion.bandwidth, motion.cutoff or np.inf), enough))))


def rows_of(motions: list[Motion], unknowns: Unknowns, rate: float | None) -> Rows:
    """Return the averaged equations of all `motions`."""
    duration = sum(float(motion.t[-1] - motion.t[0]) for motion in motions)
    lengths = tuple(block_length(motion, unknowns, duration, rate) for motion in motions)
    parts = [_averaged(motion, unknowns, length) for motion, length in zip(motions, lengths, strict=True)]
    A, y, share, t = (np.concatenate([part[k] for part in parts]) for k in range(4))
    counts = np.cumsum([0, *(len(part[1]) for part in parts)])
    return Rows(A, y, share, t, lengths, motions[0].rate / lengths[0], tuple(int(k) for k in counts[:-1]))


def averages(motion: Motion, values: np.ndarray, length: int) -> np.ndarray:
    """Average values `(N, n)` like `Rows.y`, `(B, n)`, over the used samples of each block."""
    blocks, n = max(1, len(motion) // length), values.shape[1]
    part = slice(0, blocks * length)
    used = motion.fitted[part]
    count = used.reshape(blocks, -1, n).sum(axis=1)
    total = np.where(used, values[part], 0.0).reshape(blocks, -1, n).sum(axis=1)
    return total / np.sqrt(np.maximum(count, 1) * length)


def _averaged(motion: Motion, unknowns: Unknowns, length: int) -> tuple[np.ndarray, ...]:
    blocks = max(1, len(motion) // length)
    step = max(1, _CHUNK // length)
    parts = [_blocks(motion, unknowns, first, min(first + step, blocks), length) for first in range(0, blocks, step)]
    A, y, share = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return A, y, share, motion.t[: blocks * length : length]


def _blocks(motion: Motion, unknowns: Unknowns, first: int, last: int, length: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    part = slice(first * length, last * length)
    known = motion.known[part]
    used = motion.fitted[part]
    q, qd, qdd = (np.where(known[:, None], values[part], 0.0) for values in (motion.q, motion.qd, motion.qdd))
    A = unknowns.equations(q, qd, qdd, motion.held[part]) * used[..., None]
    y = np.where(used, motion.tau[part] - unknowns.known_torque(q, qd, qdd), 0.0)
    blocks, n = last - first, used.shape[1]
    count = used.reshape(blocks, -1, n).sum(axis=1)
    scale = 1.0 / np.sqrt(np.maximum(count, 1) * length)
    A = A.reshape(blocks, -1, *A.shape[1:]).sum(axis=1) * scale[..., None]
    return A, y.reshape(blocks, -1, n).sum(axis=1) * scale, count / length
