"""The simulation worker: a thread that obeys commands, keeps pace with the wall clock, and publishes snapshots."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from engine.batching import require_dynamics
from engine.errors import EngineError, RecordingError
from engine.model.robot import Robot
from engine.simulation.mailbox import Mailbox
from engine.simulation.pacer import Pacer
from engine.simulation.recorder import Recorder
from engine.simulation.snapshot import Event, Snapshot, snapshot_of
from engine.simulation.stepper import Batch, Stepper

WAKE = 0.004  # s between two batches
PUBLISH = 0.015  # s between two snapshots: every picture of a 60 Hz window finds a new one
SPEED_MIN, SPEED_MAX = 0.01, 100.0
STEPS_MAX = 100_000  # of one `step` command


class SimulationWorker:
    """Simulates one arm on a thread of its own.

    Commands return at once, from any thread; what cannot be done comes back as an event "refused". `mailbox.take()` gives the
    newest `Snapshot`; `events` is a `queue.SimpleQueue` of `Event`. Nothing that happens on the thread ends it but `stop`.
    """

    def __init__(
        self, robot: Robot, q=None, dt: float = 1e-3, integrator: str = "rk4", clock: Callable[[], float] = time.perf_counter
    ):
        self.mailbox: Mailbox[Snapshot] = Mailbox()
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._commands: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._clock = clock
        self._stepper = Stepper(robot, robot.configurations["home"] if q is None else q, None, dt, integrator)
        self._pacer = Pacer(dt)
        self._recorder: Recorder | None = None
        self._recorders: list[Recorder] = []
        self._running = self._stopping = False
        self._posed = True  # put where it is by hand, not by the simulation
        self._published = -np.inf
        self._thread = threading.Thread(target=self._main, name="simulation", daemon=True)

    def start(self) -> None:
        """Starts the thread; the first snapshot shows the arm at rest."""
        self._commands.put(self._prepare)
        self._thread.start()

    def stop(self, timeout: float = 2.0) -> bool:
        """Ends the thread, finishes a recording; returns whether both were done within about `timeout` seconds.

        A recording that a slow disk does not let finish in time stays as `.part`.
        """
        end = time.monotonic() + timeout
        self._commands.put(self._stop)
        if self._thread.is_alive():
            self._thread.join(timeout)
        done = not self._thread.is_alive()
        for recorder in list(self._recorders):
            if not recorder.writer.join(max(0.0, end - time.monotonic())):
                recorder.writer.abandon()
                done = recorder.writer.join(0.2) and done
        return done

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    # -- commands, from any thread ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Let time pass."""
        self._commands.put(self._run)

    def pause(self) -> None:
        """Let time stand still; the state stays, velocities included."""
        self._commands.put(self._pause)

    def step(self, count: int = 1) -> None:
        """Pause and take `count` steps."""
        self._commands.put(partial(self._step, count))

    def reset(self, q, qd=None) -> None:
        """Back to t = 0 at q, qd (at rest without qd); runs on if it ran. The torques stay."""
        self._commands.put(partial(self._reset, q, qd))

    def set_state(self, q, qd=None) -> None:
        """Put the arm at q, qd (at rest without qd); time goes on."""
        self._commands.put(partial(self._set_state, q, qd))

    def set_speed(self, factor: float) -> None:
        """Simulated seconds per second to aim at, 0.01…100."""
        self._commands.put(partial(self._set_speed, factor))

    def set_torque(self, tau) -> None:
        """Motor torques `(n,)` N·m or N, from the next step on."""
        self._commands.put(partial(self._set_torque, tau))

    def set_robot(self, robot: Robot, q) -> None:
        """Another arm, paused at q, t = 0, without torque; a running recording ends."""
        self._commands.put(partial(self._set_robot, robot, q))

    def set_dt(self, dt: float) -> None:
        """Length of a step, s."""
        self._commands.put(partial(self._set_dt, dt))

    def set_integrator(self, name: str) -> None:
        """ "rk4" or "euler"."""
        self._commands.put(partial(self._set_integrator, name))

    def start_recording(self, path: str | Path, overwrite: bool = False) -> None:
        """Record to a `.csv` or `.npz`; without `overwrite` a file that exists is left alone and "recording_failed" says so."""
        self._commands.put(partial(self._start_recording, path, overwrite))

    def stop_recording(self) -> None:
        """Finish the recording; "recording_stopped" says when its file is complete."""
        self._commands.put(self._stop_recording)

    # -- the thread ------------------------------------------------------------------------------------------------------------

    def _main(self) -> None:
        while not self._stopping:
            try:
                self._turn()
            except Exception as error:  # whatever it was, the user is told and the thread stays able to stop
                self._fault(error)
        try:
            self._stop_recording()
        except Exception as error:
            self.events.put(Event("fault", f"the recording could not be closed: {type(error).__name__}: {error}"))

    def _fault(self, error: Exception) -> None:
        if self._running and self._recorder:
            self._recorder.leave_simulation(np.empty((0, 1)), self._stepper.t, self._clock())
        self._running = False
        self.events.put(Event("fault", f"the simulation stopped: {type(error).__name__}: {' '.join(str(error).split())}"))

    def _turn(self) -> None:
        self._obey()
        if self._running:
            self._catch_up()
        now = self._clock()
        if not self._running or now - self._published >= PUBLISH:
            self._publish()
            self._published = now

    def _obey(self) -> None:
        """Carries out all commands that wait; an idle thread sleeps until there is one."""
        try:
            command = self._commands.get(timeout=WAKE if self._running else None)
            while True:
                self._carry_out(command)
                command = self._commands.get_nowait()
        except queue.Empty:
            return

    def _carry_out(self, command: Callable[[], None]) -> None:
        try:
            command()
        except EngineError as error:
            kind = "recording_failed" if isinstance(error, RecordingError) else "refused"
            self.events.put(Event(kind, str(error), t=self._stepper.t))

    def _catch_up(self) -> None:
        start = self._clock()
        due = self._pacer.due(start)
        if due:
            batch = self._stepper.advance(due)
            end = self._clock()
            self._pacer.done(end, len(batch.states), end - start)
            self._taken(batch)

    def _taken(self, batch: Batch) -> bool:
        """Records a batch; on divergence stops, says so, and returns False."""
        if self._recorder:
            self._recorder.steps(batch.states)
        failure = batch.divergence
        if failure is None:
            return True
        self._pause()
        self.events.put(Event("diverged", failure.text, joint=failure.joint, t=failure.t))
        return False

    def _publish(self) -> None:
        self.mailbox.put(self._snapshot(self._state()))

    def _snapshot(self, state: np.ndarray) -> Snapshot:
        writer = self._recorder.writer if self._recorder and self._recorder.writer.active else None
        return snapshot_of(
            self._stepper,
            state[0],
            moving=not self._posed,
            real_time_factor=self._pacer.factor if self._running else 0.0,
            running=self._running,
            speed=self._pacer.speed,
            recording=writer.path if writer else None,
            rows=writer.rows if writer else 0,
        )

    def _state(self) -> np.ndarray:
        """The present state as one row: at rest when posed, else with the acceleration the torques make."""
        if self._posed:
            return self._stepper.at_rest()
        batch = self._stepper.probe()
        # no acceleration is defined where M is singular: show the state without one
        return self._stepper.at_rest() if batch.divergence else batch.states

    # -- what the commands do --------------------------------------------------------------------------------------------------

    def _nothing(self) -> None:
        pass

    def _prepare(self) -> None:
        """Does once what `run` will need, so that compiled code is loaded before time begins to pass."""
        if self._stepper.robot.has_dynamics:
            self._stepper.probe()
            self._snapshot(self._stepper.at_rest())

    def _stop(self) -> None:
        self._stopping = True

    def _run(self) -> None:
        require_dynamics(self._stepper.robot)
        if not self._running:
            self._begin()
            self._running = True
            self._pacer.start(self._clock())

    def _begin(self) -> None:
        if self._recorder:
            self._recorder.enter_simulation(self._stepper.t, self._clock())
        self._posed = False

    def _pause(self) -> None:
        if self._running:
            self._running = False
            self._end()

    def _end(self) -> None:
        if self._recorder:
            self._recorder.leave_simulation(self._stepper.probe().states, self._stepper.t, self._clock())

    def _step(self, count: int) -> None:
        if not (isinstance(count, (int, np.integer)) and 1 <= count <= STEPS_MAX):
            raise EngineError(f"a number of steps is from 1 to {STEPS_MAX:,}, not {count!r}")
        require_dynamics(self._stepper.robot)
        self._pause()
        self._begin()
        self._running = True
        if self._taken(self._stepper.advance(int(count))):
            self._pause()

    def _reset(self, q, qd) -> None:
        before = self._stepper.t
        self._stepper.reset(q, qd)
        if self._running and self._recorder:
            self._recorder.jump(before, 0.0)
        self._placed()

    def _set_state(self, q, qd) -> None:
        self._stepper.set_state(q, qd)
        self._placed()

    def _placed(self) -> None:
        if self._running:
            return
        self._posed = True
        if self._recorder:
            self._recorder.pose(self._state(), self._clock())

    def _set_speed(self, factor: float) -> None:
        if not SPEED_MIN <= float(factor) <= SPEED_MAX:
            raise EngineError(f"the speed is a factor from {SPEED_MIN:g} to {SPEED_MAX:g}, not {factor!r}")
        self._pacer.retime(self._clock(), speed=float(factor))

    def _set_torque(self, tau) -> None:
        self._stepper.set_torque(tau)

    def _set_robot(self, robot: Robot, q) -> None:
        old = self._stepper
        new = Stepper(robot, q, None, old.dt, old.integrator)
        self._stop_recording()
        self._running, self._posed = False, True
        self._stepper = new

    def _set_dt(self, dt: float) -> None:
        self._stepper.set_dt(dt)
        self._pacer.retime(self._clock(), dt=self._stepper.dt)

    def _set_integrator(self, name: str) -> None:
        self._stepper.set_integrator(name)

    def _start_recording(self, path: str | Path, overwrite: bool) -> None:
        if self._recorder and self._recorder.writer.active:
            raise EngineError(f"already recording to {self._recorder.writer.path}")
        now = self._clock()
        self._recorder = Recorder(path, self._stepper, now, partial(self._report, Path(path).absolute()), overwrite)
        self._recorders = [one for one in self._recorders if not one.writer.join(0)] + [self._recorder]
        if self._running:
            self._recorder.enter_simulation(self._stepper.t, now)
        else:
            self._recorder.pose(self._state(), now)

    def _stop_recording(self) -> None:
        recorder, self._recorder = self._recorder, None
        if recorder:
            if self._running:
                recorder.leave_simulation(self._stepper.probe().states, self._stepper.t, self._clock())
            recorder.writer.close()

    def _report(self, path: Path, kind: str, text: str) -> None:
        """From the thread that writes; the command makes an idle worker publish that its recording began or ended."""
        self.events.put(Event(kind, text, path=path))
        self._commands.put(self._nothing)
