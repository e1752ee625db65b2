"""`SimulationWorker`: a live simulation on a thread of its own, in pace with the wall clock."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.errors import EngineError, LawError, RecordingError
from armature.engine.model.robot import Robot
from armature.engine.recording.recording_notes import RecordingEvent
from armature.engine.recording.recording_writer import RecordingWriter
from armature.engine.simulation.commands import (
    ArmCommand,
    Pause,
    Reset,
    Run,
    SetCell,
    SetFollower,
    SetModel,
    SetRobot,
    SetSpeed,
    SetState,
    SetTimeStep,
    SimulationCommand,
    StartRecording,
    Step,
    StopRecording,
)
from armature.engine.simulation.floor_watch import EVERY, FloorContact, FloorWatch
from armature.engine.simulation.live.live_recording import LiveRecording
from armature.engine.simulation.live.mailbox import Mailbox
from armature.engine.simulation.live.run_state import RunState
from armature.engine.simulation.live.torque_follower import TorqueFollower, follower_of
from armature.engine.simulation.run_loop import FRAME, WAKE, Pacer, advance_due
from armature.engine.simulation.simulation_event import Event, EventKind
from armature.engine.simulation.snapshot import Snapshot, snapshot_of
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper

PICTURE = 0.1  # of a frame: slower user code is not called for pictures
PUBLISH = 0.015  # s between two snapshots: every picture of a 60 Hz window finds a new one
NICE = -10  # the thread needs little time, but needs it punctually
SPEED_MIN, SPEED_MAX = 0.01, 100.0
STEPS_MAX = 100_000  # of one `Step`


class _Prepare(SimulationCommand):
    """Load the compiled code, so that `Run` does not wait for it."""


class _Wake(SimulationCommand):
    """Publish a snapshot."""


class _End(SimulationCommand):
    """End the thread."""


class SimulationWorker:
    """Simulates one arm on a thread of its own.

    `post`, `start`, `stop`, `mailbox`, `events` and `writers` are for every thread. `mailbox.take()` returns the newest
    `Snapshot`; `events` is a queue of `Event`. All else belongs to the worker's thread; without a thread, tests call it.
    """

    def __init__(
        self, robot: Robot, q=None, dt: float = 1e-3, integrator: str = "rk4", clock: Callable[[], float] = time.perf_counter
    ):
        self.mailbox: Mailbox[Snapshot] = Mailbox()
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.commands: queue.SimpleQueue[SimulationCommand] = queue.SimpleQueue()
        self.state = RunState.POSED
        self._clock, self._pacer = clock, Pacer(dt)
        self._stepper = Stepper(robot, robot.configurations["home"] if q is None else q, None, dt, integrator, ledger=True)
        self._floor, self._unchecked = FloorWatch(robot), list[np.ndarray]()  # states that may be below the floor
        self._recording: LiveRecording | None = None
        self._follower: TorqueFollower | None = None
        self.writers: list[RecordingWriter] = []  # whose files may be incomplete
        self._published = -np.inf
        self._thread = threading.Thread(target=self._main, name="simulation", daemon=True)

    def post(self, command: SimulationCommand) -> None:
        """Add a command to the queue and return at once; one that cannot be carried out becomes an event REFUSED."""
        self.commands.put(command)

    @property
    def alive(self) -> bool:
        """True while the thread runs."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Start the thread; the first snapshot shows the arm at rest."""
        self.post(_Prepare())
        self._thread.start()

    def stop(self, timeout: float = 2.0) -> bool:
        """End the thread and complete the recording; return True if both succeeded within about `timeout` s.

        A recording that a slow disk does not let finish in time remains as `.part`.
        """
        end = time.monotonic() + timeout
        self.post(_End())
        if self._thread.is_alive():
            self._thread.join(timeout)
        done = not self._thread.is_alive()
        for writer in self.writers:
            if not writer.join(max(0.0, end - time.monotonic())):
                writer.abandon()
                done = writer.join(0.2) and done
        return done

    def _main(self) -> None:
        take_precedence()
        while self.state is not RunState.ENDED:
            try:
                self._turn()
            except Exception as error:  # whatever it was, the user is informed, and the thread can still be stopped
                self._fail(error)

    def _turn(self) -> None:
        try:
            self.obey(self.commands.get(timeout=self._rest()))
            while self.state is not RunState.ENDED:
                self.obey(self.commands.get_nowait())
        except queue.Empty:
            pass
        if self.state is RunState.ENDED:
            return
        self.catch_up()
        now = self._clock()
        if self.state is not RunState.RUNNING or now - self._published >= PUBLISH:
            self.publish()
            self._published = now

    def _rest(self) -> float | None:
        """Return the seconds until the next batch; 0 behind slow user code, None while no time passes."""
        if self.state is not RunState.RUNNING:
            return None
        return 0.0 if self._is_slow and self._pacer.is_behind(self._clock()) else WAKE

    @property
    def _is_slow(self) -> bool:
        """True if user code takes so long that it is called for steps only, not for each picture."""
        return self._stepper.control.call_seconds > PICTURE * FRAME

    def obey(self, command: SimulationCommand) -> None:
        """Carry out a command, or report why not."""
        try:
            self._carry_out(command)
        except EngineError as error:
            if self._stepper.control.is_fault(error):
                self._fail(error)
                return
            kind: EventKind | RecordingEvent = RecordingEvent.FAILED if isinstance(error, RecordingError) else EventKind.REFUSED
            self.events.put(Event(kind, str(error), t=self._stepper.t, command=command))

    def _carry_out(self, command: SimulationCommand) -> None:
        match command:
            case ArmCommand():
                self._apply(command)
            case Run():
                self._run()
            case Pause():
                self._stop_in(self.state.pause())
            case Step(count):
                self._step(count)
            case SetSpeed(factor):
                if not (isinstance(factor, (int, float, np.number)) and SPEED_MIN <= factor <= SPEED_MAX):
                    raise EngineError(f"the speed factor must be from {SPEED_MIN:g} to {SPEED_MAX:g}, not {factor!r}")
                self._pacer.retime(self._clock(), speed=float(factor))
            case SetRobot(robot, q):
                self._set_robot(robot, q)
            case SetFollower():
                self._follower = follower_of(command, self._stepper)
            case StartRecording(path, overwrite):
                self._start_recording(path, overwrite)
            case StopRecording():
                self._stop_recording()
            case _Prepare():
                if self._stepper.robot.has_dynamics:
                    self._stepper.sample()
                    self._snapshot(self._stepper.static_sample(), moving=False)
            case _End():
                self._end()

    def _apply(self, command: ArmCommand) -> None:
        stepper, placed, before = self._stepper, isinstance(command, (SetState, Reset)), self._stepper.t
        if placed:
            self._check_floor()
            self._end_contacts(self._floor.restart())
        cell = stepper.cell
        stepper.apply(command)
        if isinstance(command, SetModel):
            self._check_floor()
            self._floor.set_robot(stepper.bare)
        if self._recording and not (isinstance(command, SetCell) and stepper.cell == cell):
            self._recording.note(command.kind, stepper)
            if isinstance(command, Reset) and self.state is RunState.RUNNING:
                self._recording.jump(before, 0.0)
        if isinstance(command, SetTimeStep):
            self._pacer.retime(self._clock(), dt=stepper.dt)
        if placed:
            self.state = self.state.place()
            if self._follower is not None:
                self._follower = self._follower.again(stepper)
            self._record_pose(self._clock())

    def _run(self) -> None:
        require_dynamics(self._stepper.robot)
        if self.state is not RunState.RUNNING:
            self._begin()
            self._pacer.start(self._clock())

    def _begin(self) -> None:
        if self._recording:
            self._recording.enter_simulation(self._stepper.t, self._clock())
        self._stepper.control.clear_fault()
        self.state = self.state.run()

    def _stop_in(self, state: RunState, known: bool = True) -> None:
        """Stop a running arm; `known`: its present state may be recorded."""
        if self.state is not RunState.RUNNING:
            return
        if known:
            self._check_floor()
        self.state = state
        if self._recording:
            last = self._stepper.sample_or_hold() if known else None
            self._recording.leave_simulation(last, self._stepper.t, self._clock())

    def _step(self, count: int) -> None:
        if not (isinstance(count, (int, np.integer)) and 1 <= count <= STEPS_MAX):
            raise EngineError(f"the number of steps must be from 1 to {STEPS_MAX:,}, not {count!r}")
        require_dynamics(self._stepper.robot)
        self._stop_in(self.state.pause())
        self._begin()
        self._add(self._stepper.advance(int(count)))
        self._stop_in(self.state.pause())

    def catch_up(self) -> None:
        """Take the steps that are due while the arm runs."""
        batch = advance_due(self._stepper, self._pacer, self._clock) if self.state is RunState.RUNNING else None
        if batch is not None:
            self._add(batch)

    def _add(self, batch: StepBatch) -> None:
        """Record steps; stop if they diverged, or at a contact."""
        if self._recording:
            self._recording.steps(batch)
        if self._follower is not None:
            self._follower.follow(batch, self._stepper)
        self._unchecked.append(batch.states)
        failure, contact = batch.divergence, batch.contact
        if contact is not None:
            if self._recording:
                self._recording.stop_at(contact)
            self._stop_in(self.state.pause())
            self.events.put(Event(EventKind.STOPPED, contact.text, t=contact.t))
        if failure is not None:
            self._stop_in(self.state.diverge())
            self.events.put(Event(EventKind.DIVERGED, failure.text, joint=failure.joint, t=failure.t))

    def _fail(self, error: Exception) -> None:
        """Stop because of an error: of user code in the state in which it failed, else in an unknown state."""
        stepper = self._stepper
        if not stepper.control.is_fault(error):
            self._stop_in(self.state.fail(), known=False)
            text = f"the simulation stopped: {type(error).__name__}: {' '.join(str(error).split())}"
            self.events.put(Event(EventKind.FAULT, text))
            return
        self._stop_in(self.state.fail())
        kind = EventKind.DISTURBANCE if error is stepper.control.disturbing.fault else EventKind.LAW
        path, line = (error.path, error.line) if isinstance(error, LawError) else (None, None)
        self._report(Event(kind, str(error), t=stepper.t, path=None if path is None else Path(path), line=line))

    def _end(self) -> None:
        try:
            self._stop_recording()
        except Exception as error:
            self.events.put(Event(EventKind.FAULT, f"the recording could not be closed: {type(error).__name__}: {error}"))
        self.state = self.state.end()

    def publish(self) -> None:
        """Put the present state into the mailbox."""
        self._check_floor(at_once=self.state is not RunState.RUNNING)
        self.mailbox.put(self._snapshot(*self._sample()))

    def _snapshot(self, batch: StepBatch, moving: bool) -> Snapshot:
        writer = self._recording.writer if self._recording and self._recording.writer.active else None
        running = self.state is RunState.RUNNING
        return snapshot_of(
            self._stepper,
            batch,
            moving=moving,
            real_time_factor=self._pacer.factor if running else 0.0,
            running=running,
            speed=self._pacer.speed,
            recording=writer.path if writer else None,
            rows=writer.rows if writer else 0,
            follower=None if self._follower is None else self._follower.state(batch.states[0, -self._stepper.robot.n :]),
        )

    def _sample(self) -> tuple[StepBatch, bool]:
        """Return the present state as one row, and whether it has the acceleration of a moving arm."""
        if self.state is not RunState.POSED:
            held = self.state is RunState.RUNNING and self._is_slow
            batch = self._stepper.sample(call=False) if held else self._stepper.sample_or_hold()
            if batch.divergence is None:
                return batch, True
        return self._stepper.static_sample(), False  # posed, or without acceleration, because M is singular here

    def _set_robot(self, robot: Robot, q) -> None:
        old = self._stepper
        new = Stepper(robot, q, None, old.dt, old.integrator, ledger=True)
        self._stop_recording()
        self.state = self.state.exchange()
        self._stepper, self._floor, self._unchecked, self._follower = new, FloorWatch(robot), [], None

    def _check_floor(self, at_once: bool = True) -> None:
        """Report and record the contacts in new states; unless `at_once`, only after enough simulated time."""
        states = self._unchecked
        if not states or (not at_once and states[-1][-1, 0] - states[0][0, 0] < EVERY):
            return
        self._unchecked = []
        began, ended = self._floor.look(np.concatenate(states))
        for contact in began:
            if self._recording:
                self._recording.begin_contact(contact)
            self.events.put(contact.begin_event())
        self._end_contacts(ended)

    def _end_contacts(self, contacts: list[FloorContact]) -> None:
        for contact in contacts:
            if self._recording:
                self._recording.end_contact(contact)
            self.events.put(contact.end_event())

    def _start_recording(self, path: str | Path, overwrite: bool) -> None:
        if self._recording and self._recording.writer.active:
            raise EngineError(f"already recording to {self._recording.writer.path}; stop that recording first")
        place, now = Path(path).absolute(), self._clock()

        def report(kind: RecordingEvent, text: str) -> None:
            self._report(Event(kind, text, path=place))

        self._recording = LiveRecording(path, self._stepper, now, report, overwrite)
        self.writers = [one for one in self.writers if not one.join(0)] + [self._recording.writer]
        if self.state is RunState.RUNNING:
            self._recording.enter_simulation(self._stepper.t, now)
        else:
            self._record_pose(now)

    def _stop_recording(self) -> None:
        self._check_floor()
        recording, self._recording = self._recording, None
        if recording is None:
            return
        for contact in self._floor.active.values():
            recording.end_contact(contact)
        if self.state is RunState.RUNNING:
            recording.leave_simulation(self._stepper.sample_or_hold(), self._stepper.t, self._clock())
        recording.close()

    def _record_pose(self, wall: float) -> None:
        if self._recording and self.state is not RunState.RUNNING:
            batch, moving = self._sample()
            self._recording.pose(batch, not moving, wall)

    def _report(self, event: Event) -> None:
        """Report an event, from any thread, and publish the change that comes with it."""
        self.events.put(event)
        self.post(_Wake())


def take_precedence() -> None:
    """Let the calling thread run as soon as it has work, as far as the system permits it to this user.

    The threads that it starts, such as those that write files, do not inherit it.
    """
    if sys.platform != "linux":  # where a thread has no priority of its own
        return
    thread = threading.get_native_id()
    try:
        os.sched_setscheduler(thread, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except OSError:  # not permitted to this user, or not supported by this system
        with contextlib.suppress(OSError):  # then it waits for a core like any other thread
            os.setpriority(os.PRIO_PROCESS, thread, NICE)
