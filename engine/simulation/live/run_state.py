"""`RunState`: state of a live simulation, and its transitions."""

from __future__ import annotations

from enum import Enum


class RunState(Enum):
    """State of a live simulation; each method returns the state after a transition.

    `POSED`: placed by the user, held by its motors. `RUNNING`: simulated time passes. `PAUSED`, `DIVERGED`, `FAILED`: stopped in
    the state after the last step, by the user, because the next state is not finite, or by an error. `ENDED`: final.
    """

    POSED = "posed"
    RUNNING = "running"
    PAUSED = "paused"
    DIVERGED = "diverged"
    FAILED = "failed"
    ENDED = "ended"

    def run(self) -> RunState:
        """Start or continue."""
        return self if self is RunState.ENDED else RunState.RUNNING

    def pause(self) -> RunState:
        """Stop a running arm."""
        return RunState.PAUSED if self is RunState.RUNNING else self

    def diverge(self) -> RunState:
        """Stop a running arm whose next state is not finite."""
        return RunState.DIVERGED if self is RunState.RUNNING else self

    def fail(self) -> RunState:
        """Stop a running arm because of an error."""
        return RunState.FAILED if self is RunState.RUNNING else self

    def place(self) -> RunState:
        """Place the arm; a running arm continues from there."""
        return self if self in (RunState.RUNNING, RunState.ENDED) else RunState.POSED

    def exchange(self) -> RunState:
        """Replace the robot by another one, at rest."""
        return self if self is RunState.ENDED else RunState.POSED

    def end(self) -> RunState:
        """End the simulation."""
        return RunState.ENDED
