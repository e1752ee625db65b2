"""`RecursionMotion`: the arm and the motion that are walked: as posed or typed, of a run or of a recording's sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from armature.app.state.jobs import JobRunner

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.model.payload import Payload
    from armature.engine.model.robot import Robot
    from armature.engine.simulation.runs.recorded_dynamics import RecordedDynamics

READING = "Reading the payload of this recording…"
NO_NUMBERS = "This sample of the recording contains values that are not numbers, so nothing can be computed."


class Walked(NamedTuple):
    """`robot` with what its tool holds, in the motion q, qd, qdd `(n,)`; `source` says where it is from."""

    robot: Robot
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    source: str

    def equals(self, other: Walked | None) -> bool:
        """Whether both are the same arm in the same motion."""
        if other is None or self.robot is not other.robot or self.source != other.source:
            return False
        return all(np.array_equal(a, b) for a, b in zip(self[1:4], other[1:4], strict=True))


class RecursionMotion:
    """Called only while it is seen; of a recording it is first worked out, on a thread, what the arm held."""

    def __init__(self, bench: Workbench):
        self._bench = bench
        self._held: tuple[Robot, Payload | None, Robot] | None = None
        self._recorded: RecordedDynamics | None = None
        self._runner = JobRunner("recursion-replay", bench.parent)
        self._runner.finished.connect(self._on_ready)

    def stop(self) -> None:
        """End the thread."""
        self._runner.stop()

    def now(self) -> Walked | str:
        """The motion on screen, or why there is none."""
        bench = self._bench
        if bench.replay.replaying:
            return self._sample()
        self._recorded = None
        latest, motion, q = bench.simulation.latest, bench.simulation.motion, bench.document.q
        robot = self._holding(None if latest is None else latest.payload)
        if motion is not None and not bench.simulation.running:
            return Walked(robot, q, motion.qd, motion.qdd, "the motion entered in Joints")
        if latest is None or not np.array_equal(latest.q, q):
            return Walked(robot, q, np.zeros(robot.n), np.zeros(robot.n), "the current pose at rest")
        moves = bool(latest.qd.any() or latest.qdd.any())
        return Walked(
            robot, latest.q, latest.qd, latest.qdd, f"the simulation at {latest.t:.3f} s" if moves else "the current pose at rest"
        )

    def _sample(self) -> Walked | str:
        replay, robot = self._bench.replay, self._bench.document.robot
        recording, row = replay.open, replay.row
        q, qd, qdd = recording.q[row], recording.qd[row], recording.qdd[row]
        if not np.isfinite([q, qd, qdd]).all():
            return NO_NUMBERS
        if self._recorded is None or self._recorded.recording is not recording:
            if not self._runner.busy:
                self._start(recording, robot)
            return READING
        return Walked(self._recorded.part(row).robot, q, qd, qdd, f"the recording at {replay.t:.3f} s")

    def _start(self, recording, robot: Robot) -> None:
        from armature.engine.simulation.runs.recorded_dynamics import (
            RecordedDynamics,  # numba: not before the window is on screen
        )

        self._runner.start(lambda job: RecordedDynamics(recording, robot, job.cancelled))

    def _on_ready(self, recorded: RecordedDynamics) -> None:
        self._recorded = recorded

    def _holding(self, payload: Payload | None) -> Robot:
        """The simulated arm with what its tool holds."""
        arm = self._bench.simulation.robot
        if self._held is None or self._held[0] is not arm or self._held[1] is not payload:
            self._held = arm, payload, arm if payload is None else payload.held_by(arm)
        return self._held[2]
