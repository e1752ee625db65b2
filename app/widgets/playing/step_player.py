"""Lets time run along a walk of moves: smooth starts and stops, a pause to read after each move."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

EPS = 1e-9
MOVE, STILL, HOLD, END = 1.1, 0.35, 0.35, 1.2  # s at speed 1: a move, one that moves nothing, the pause after it, before a loop
FASTEST = 0.1  # s of a frame; what took longer counts as this


def eased(tau: float) -> float:
    """Smooth from 0 to 1 with no speed at either end: 3τ² − 2τ³."""
    tau = min(max(tau, 0.0), 1.0)
    return tau * tau * (3.0 - 2.0 * tau)


class StepPlayer:
    """Holds the point `p` in 0 … `count` and takes it on: to the next or last whole move, or over all of them."""

    def __init__(self):
        self.p, self.speed, self.loop, self.playing = 0.0, 1.0, False, False
        self._still: tuple[bool, ...] = ()
        self._from, self._to, self._time, self._hold = 0.0, 0.0, 0.0, 0.0

    @property
    def count(self) -> int:
        """Moves of the walk."""
        return len(self._still)

    @property
    def busy(self) -> bool:
        """Whether time changes anything."""
        return self.playing or self._to != self._from

    def set_speed(self, speed: float):
        """So many times as fast as usual."""
        self.speed = speed

    def set_loop(self, on: bool):
        """Start over at the end."""
        self.loop = on

    def set_moves(self, still: tuple[bool, ...]):
        """A walk with these moves, True for each that moves nothing; another number of them starts over."""
        if len(still) != self.count:
            self.p, self.playing = 0.0, False
            self._rest()
        self._still = tuple(still)

    def go_to(self, p: float):
        """Stand at p at once."""
        self.p, self.playing = min(max(p, 0.0), float(self.count)), False
        self._rest()

    def step(self, direction: int):
        """Glide to the end of this move (+1), or back to its start (−1); one that is under way that way is done at once."""
        if (self._to - self._from) * direction > 0:
            self.p = self._to
        target = floor(self.p + EPS) + 1 if direction > 0 else ceil(self.p - EPS) - 1
        self.playing = False
        self._glide_to(target)

    def play(self, on: bool):
        """Run to the end, from the start where the end was reached; or stand still."""
        self.playing = on and self.count > 0
        self._rest()
        if self.playing:
            if self.p >= self.count - EPS:
                self.p = 0.0
            self._glide_to(floor(self.p + EPS) + 1)

    def obey(self, name: str, stops: Sequence[float]):
        """What a button or a key of the transport asks for; `stops` are where its outer buttons go."""
        if name == "play":
            self.play(not self.playing)
        elif name in ("next_move", "previous_move"):
            self.step(1 if name == "next_move" else -1)
        elif name == "next_joint":
            self.go_to(next((stop for stop in stops if stop > self.p), stops[-1]))
        elif name == "previous_joint":
            self.go_to(next((stop for stop in reversed(stops) if stop < self.p), 0))
        else:
            self.go_to(0 if name == "start" else self.count)

    def advance(self, seconds: float):
        """So much time has gone by."""
        left = min(seconds, FASTEST) * self.speed
        if self._hold > 0:
            self._hold -= left
            if self._hold <= 0 and self.playing:
                self._go_on()
            return
        if self._to == self._from:
            return
        self._time += left
        tau = self._time / self._duration()
        self.p = self._from + (self._to - self._from) * eased(tau)
        if tau >= 1.0:
            self.p = self._to
            self._arrive()

    def _arrive(self):
        at_end = self.p >= self.count - EPS
        self._rest()
        if self.playing and at_end and not self.loop:
            self.playing = False
        elif self.playing:
            self._hold = END if at_end else HOLD

    def _go_on(self):
        if self.p >= self.count - EPS:
            self.p = 0.0
        self._glide_to(floor(self.p + EPS) + 1)

    def _glide_to(self, target: float):
        self._from, self._to, self._time, self._hold = self.p, float(min(max(target, 0), self.count)), 0.0, 0.0

    def _duration(self) -> float:
        move = min(max(ceil(max(self._from, self._to) - EPS) - 1, 0), self.count - 1)
        return (STILL if self._still[move] else MOVE) * max(abs(self._to - self._from), 0.2)

    def _rest(self):
        self._from = self._to = self.p
        self._time = self._hold = 0.0
