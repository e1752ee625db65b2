"""The pacer: how many steps are due now, so that simulated time follows the wall clock."""

from __future__ import annotations

from collections import deque
from math import floor
from statistics import median

FRAME = 1 / 60  # s, one picture of the window
SHARE = 0.7  # of a frame that one batch may take
SLACK = 0.1  # s; further off than this, the lost time is forgotten instead of chased
WINDOW = 1.0  # s over which the real-time factor is measured
_FIRST = 8  # steps in a batch before any cost is known


class Pacer:
    """Keeps a pair (wall, steps) as anchor; every time is given by the caller, in seconds, so any clock will do."""

    def __init__(self, dt: float, speed: float = 1.0):
        self.dt, self.speed = dt, speed
        self._costs: deque[float] = deque(maxlen=9)
        self._history: deque[tuple[float, float]] = deque()
        self._wall, self._steps, self._simulated = 0.0, 0, 0.0

    def start(self, wall: float) -> None:
        """Anchors at `wall`: nothing is due yet."""
        self._anchor(wall)
        self._history.clear()
        self._history.append((wall, 0.0))
        self._simulated = 0.0

    def retime(self, wall: float, dt: float | None = None, speed: float | None = None) -> None:
        """Goes on with another step or speed; what was due by the old ones is forgotten."""
        self.dt = self.dt if dt is None else dt
        self.speed = self.speed if speed is None else speed
        self._anchor(wall)

    def due(self, wall: float) -> int:
        """Steps to take now, at most what is computed in 70 % of a frame."""
        owed, step = self._owed(wall), self.dt / self.speed
        if abs(owed) * step > SLACK + step:  # one step may be longer than the slack when time runs slowly
            self._anchor(wall)
            return 0
        return max(0, min(owed, self.batch_limit))

    def is_behind(self, wall: float) -> bool:
        """Whether a step is due by now."""
        return self._owed(wall) > 0

    def done(self, wall: float, steps: int, seconds: float) -> None:
        """`steps` were taken by `wall` and cost `seconds` of computing."""
        if steps <= 0:
            return
        self._steps += steps
        self._simulated += steps * self.dt
        self._costs.append(seconds / steps)
        self._history.append((wall, self._simulated))
        while len(self._history) > 2 and self._history[1][0] <= wall - WINDOW:
            self._history.popleft()

    @property
    def batch_limit(self) -> int:
        """Most steps in one batch, from the median cost of the last ones: one slow batch is the system's, not the arm's."""
        if not self._costs:
            return _FIRST
        return max(1, floor(SHARE * FRAME / max(median(self._costs), 1e-9)))

    @property
    def factor(self) -> float:
        """Simulated seconds per second achieved over the last second; 0 before anything was simulated."""
        (wall, simulated), (wall_now, simulated_now) = self._history[0], self._history[-1]
        return (simulated_now - simulated) / (wall_now - wall) if wall_now > wall else 0.0

    def _anchor(self, wall: float) -> None:
        self._wall, self._steps = wall, 0

    def _owed(self, wall: float) -> int:
        # the tiny share of a step added keeps a clock that stands exactly on a step from losing it to rounding
        return floor((wall - self._wall) * self.speed / self.dt + 1e-6) - self._steps
