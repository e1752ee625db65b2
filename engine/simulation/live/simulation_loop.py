"""What the simulation thread does between two looks at the clock: obey, catch up, record, publish."""

from __future__ import annotations

import queue
from collections.abc import Callable
from pathlib import Path

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.errors import EngineError, RecordingError
from armature.engine.model.robot import Robot
from armature.engine.recording.recording_notes import RecordingEvent
from armature.engine.recording.recording_writer import RecordingWriter
from armature.engine.simulation.live.live_commands import LiveCommands, command_name
from armature.engine.simulation.live.live_floor import LiveFloor
from armature.engine.simulation.live.live_law import failed, most_steps, takes_long
from armature.engine.simulation.live.live_recordings import LiveRecordings
from armature.engine.simulation.live.mailbox import Mailbox
from armature.engine.simulation.note_kind import NoteKind
from armature.engine.simulation.pacer import Pacer
from armature.engine.simulation.pull import Pull
from armature.engine.simulation.simulation_event import Event, EventKind
from armature.engine.simulation.snapshot import Snapshot, snapshot_of
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper

WAKE = 0.004  # s between two batches
PUBLISH = 0.015  # s between two snapshots: every picture of a 60 Hz window finds a new one
SPEED_MIN, SPEED_MAX = 0.01, 100.0
STEPS_MAX = 100_000  # of one `step` command


class SimulationLoop:
    """One arm's simulation, as `SimulationWorker` commands it.

    The thread that runs `main` owns everything but `commands`, `mailbox`, `events` and `writers`, which any thread may use.
    """

    def __init__(self, robot: Robot, q, dt: float, integrator: str, clock: Callable[[], float]):
        self.mailbox: Mailbox[Snapshot] = Mailbox()
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.commands = LiveCommands()
        self._clock = clock
        self._stepper = Stepper(robot, robot.configurations["home"] if q is None else q, None, dt, integrator, ledger=True)
        self._pacer = Pacer(dt)
        self._recordings = LiveRecordings(self._tell)
        self._running = self._stopping = False
        self._posed = True  # put where it is by hand, not by the simulation
        self._published = -np.inf
        self._floor = LiveFloor(robot, self._recordings, self.events.put)

    def writers(self) -> list[RecordingWriter]:
        """All that may still write."""
        return self._recordings.writers()

    def main(self) -> None:
        """Runs until `stop`."""
        while not self._stopping:
            try:
                self._turn()
            except Exception as error:  # whatever it was, the user is told and the thread stays able to stop
                self._law_failed(error) if self._stepper.control.failed(error) else self._fault(error)
        try:
            self.stop_recording()
        except Exception as error:
            self.events.put(Event(EventKind.FAULT, f"the recording could not be closed: {type(error).__name__}: {error}"))

    def _fault(self, error: Exception) -> None:
        if self._running:
            self._recordings.leave(self._stepper, self._clock(), known=False)
        self._running = False
        self.events.put(Event(EventKind.FAULT, f"the simulation stopped: {type(error).__name__}: {' '.join(str(error).split())}"))

    def _law_failed(self, error: Exception) -> None:
        """The arm stops in the state that the law failed in; every step before is kept."""
        self.pause()
        self._tell(failed(self._stepper, error))

    def _turn(self) -> None:
        self.commands.carry_out(self._obey, self._rest() if self._running else None)
        if self._running:
            self._catch_up()
        now = self._clock()
        if not self._running or now - self._published >= PUBLISH:
            self._publish()
            self._published = now

    def _rest(self) -> float:
        """Seconds until the next batch; none behind a slow law, which is called as often as it can be."""
        return 0.0 if takes_long(self._stepper.control) and self._pacer.is_behind(self._clock()) else WAKE

    def _obey(self, command: Callable[[], None]) -> None:
        try:
            command()
        except EngineError as error:
            if self._stepper.control.failed(error):
                self._law_failed(error)
                return
            kind: EventKind | RecordingEvent = RecordingEvent.FAILED if isinstance(error, RecordingError) else EventKind.REFUSED
            self.events.put(Event(kind, str(error), t=self._stepper.t, command=command_name(command)))

    def _catch_up(self) -> None:
        start = self._clock()
        due = self._pacer.due(start)
        if due:
            due = min(due, most_steps(self._stepper.control, self._stepper.dt) or due)
            batch = self._stepper.advance(due)
            end = self._clock()
            self._pacer.done(end, len(batch.states), end - start)
            self._taken(batch)

    def _taken(self, batch: StepBatch) -> bool:
        """Records a batch; on divergence stops, says so, and returns False."""
        self._recordings.steps(batch)
        self._floor.steps(batch.states)
        failure = batch.divergence
        if failure is None:
            return True
        self.pause()
        self.events.put(Event(EventKind.DIVERGED, failure.text, joint=failure.joint, t=failure.t))
        return False

    def _publish(self) -> None:
        self._floor.look(at_once=not self._running)
        self.mailbox.put(self._snapshot(*self._state()))

    def _snapshot(self, batch: StepBatch, moving: bool) -> Snapshot:
        writer = self._recordings.writer
        return snapshot_of(
            self._stepper,
            batch,
            moving=moving,
            real_time_factor=self._pacer.factor if self._running else 0.0,
            running=self._running,
            speed=self._pacer.speed,
            recording=writer.path if writer else None,
            rows=writer.rows if writer else 0,
        )

    def _state(self) -> tuple[StepBatch, bool]:
        """The present state as one row, and whether it holds the acceleration that the torques make: not when posed."""
        if not self._posed:
            held = self._running and takes_long(self._stepper.control)
            batch = self._stepper.probe(ask=False) if held else self._stepper.standing()
            if batch.divergence is None:
                return batch, True
        return self._stepper.at_rest(), False  # posed, or no acceleration is defined because M is singular here

    def prepare(self) -> None:
        """Does once what `run` will need, so that compiled code is loaded before time begins to pass."""
        if self._stepper.robot.has_dynamics:
            self._stepper.probe()
            self._snapshot(self._stepper.at_rest(), moving=False)

    def stop(self) -> None:
        self._stopping = True

    def run(self) -> None:
        require_dynamics(self._stepper.robot)
        if not self._running:
            self._begin()
            self._running = True
            self._pacer.start(self._clock())

    def _begin(self) -> None:
        self._recordings.enter(self._stepper, self._clock())
        self._posed = False
        self._stepper.control.go_on()

    def pause(self) -> None:
        if self._running:
            self._floor.look()
            self._running = False
            self._recordings.leave(self._stepper, self._clock())

    def step(self, count: int) -> None:
        if not (isinstance(count, (int, np.integer)) and 1 <= count <= STEPS_MAX):
            raise EngineError(f"the number of steps must be from 1 to {STEPS_MAX:,}, not {count!r}")
        require_dynamics(self._stepper.robot)
        self.pause()
        self._begin()
        self._running = True
        if self._taken(self._stepper.advance(int(count))):
            self.pause()

    def reset(self, q, qd) -> None:
        before = self._stepper.t
        self._floor.leave()
        self._stepper.reset(q, qd)
        self._recordings.note(NoteKind.RESET, self._stepper)
        if self._running:
            self._recordings.jump(before, 0.0)
        self._placed()

    def set_state(self, q, qd) -> None:
        self._floor.leave()
        self._stepper.set_state(q, qd)
        self._recordings.note(NoteKind.STATE, self._stepper)
        self._placed()

    def _placed(self) -> None:
        if not self._running:
            self._posed = True
            self._record_pose(self._clock())

    def _record_pose(self, wall: float) -> None:
        if self._recordings.runs:
            batch, moving = self._state()
            self._recordings.pose(batch, not moving, wall)

    def set_speed(self, factor: float) -> None:
        if not (isinstance(factor, (int, float, np.number)) and SPEED_MIN <= factor <= SPEED_MAX):
            raise EngineError(f"the speed factor must be from {SPEED_MIN:g} to {SPEED_MAX:g}, not {factor!r}")
        self._pacer.retime(self._clock(), speed=float(factor))

    def pull(self, *figures) -> None:
        self.steer(NoteKind.PULL, Stepper.set_pull, Pull(*figures))

    def steer(self, kind: NoteKind, action: Callable[..., None], *args) -> None:
        """`action`, which sets `kind`, is a method of `Stepper` that changes what acts on the arm, not where it is."""
        action(self._stepper, *args)
        if kind is NoteKind.MODEL:
            self._floor.set_model(self._stepper.bare)
        self._recordings.note(kind, self._stepper)

    def set_robot(self, robot: Robot, q) -> None:
        old = self._stepper
        new = Stepper(robot, q, None, old.dt, old.integrator, ledger=True)
        self.stop_recording()
        self._running, self._posed = False, True
        self._stepper = new
        self._floor = LiveFloor(robot, self._recordings, self.events.put)

    def set_dt(self, dt: float) -> None:
        self._stepper.set_dt(dt)
        self._recordings.note(NoteKind.DT, self._stepper)
        self._pacer.retime(self._clock(), dt=self._stepper.dt)

    def set_integrator(self, name: str) -> None:
        self._stepper.set_integrator(name)
        self._recordings.note(NoteKind.INTEGRATOR, self._stepper)

    def start_recording(self, path: str | Path, overwrite: bool) -> None:
        now = self._clock()
        self._recordings.start(path, self._stepper, overwrite, now)
        if self._running:
            self._recordings.enter(self._stepper, now)
        else:
            self._record_pose(now)

    def stop_recording(self) -> None:
        self._floor.end_recording()
        self._recordings.stop(self._stepper, self._running, self._clock())

    def _tell(self, event: Event) -> None:
        """From the thread that writes, too; the command makes an idle worker publish what has changed."""
        self.events.put(event)
        self.commands.wake()
