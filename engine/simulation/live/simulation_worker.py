"""The simulation worker: a thread that obeys commands, keeps pace with the wall clock, and publishes snapshots."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_disturbance import OwnDisturbance
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.simulation.live.mailbox import Mailbox
from armature.engine.simulation.live.simulation_loop import SimulationLoop
from armature.engine.simulation.note_kind import NoteKind
from armature.engine.simulation.sensors.sensors import Sensors
from armature.engine.simulation.simulation_event import Event
from armature.engine.simulation.snapshot import Snapshot
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

NICE = -10  # it needs little time, but needs it punctually


class SimulationWorker:
    """Simulates one arm on a thread of its own.

    Commands return at once, from any thread; what cannot be done comes back as an event REFUSED. `mailbox.take()` gives the
    newest `Snapshot`; `events` is a `queue.SimpleQueue` of `Event`. Nothing that happens on the thread ends it but `stop`.
    """

    def __init__(
        self, robot: Robot, q=None, dt: float = 1e-3, integrator: str = "rk4", clock: Callable[[], float] = time.perf_counter
    ):
        self._loop = SimulationLoop(robot, q, dt, integrator, clock)
        self._post = self._loop.commands.put
        self._thread = threading.Thread(target=self._main, name="simulation", daemon=True)

    def _main(self) -> None:
        take_precedence()
        self._loop.main()

    @property
    def mailbox(self) -> Mailbox[Snapshot]:
        """Where the newest snapshot lies."""
        return self._loop.mailbox

    @property
    def events(self) -> queue.SimpleQueue[Event]:
        """What must not be missed."""
        return self._loop.events

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Starts the thread; the first snapshot shows the arm at rest."""
        self._post(self._loop.prepare)
        self._thread.start()

    def stop(self, timeout: float = 2.0) -> bool:
        """Ends the thread, finishes a recording; returns whether both were done within about `timeout` seconds.

        A recording that a slow disk does not let finish in time stays as `.part`.
        """
        end = time.monotonic() + timeout
        self._post(self._loop.stop)
        if self._thread.is_alive():
            self._thread.join(timeout)
        done = not self._thread.is_alive()
        for writer in self._loop.writers():
            if not writer.join(max(0.0, end - time.monotonic())):
                writer.abandon()
                done = writer.join(0.2) and done
        return done

    def run(self) -> None:
        """Let time pass."""
        self._post(self._loop.run)

    def pause(self) -> None:
        """Let time stand still; the state stays, velocities included."""
        self._post(self._loop.pause)

    def step(self, count: int = 1) -> None:
        """Pause and take `count` steps."""
        self._post(partial(self._loop.step, count))

    def reset(self, q, qd=None) -> None:
        """Back to t = 0 at q, qd (at rest without qd); runs on if it ran. The torques stay."""
        self._post(partial(self._loop.reset, q, qd))

    def set_state(self, q, qd=None) -> None:
        """Put the arm at q, qd (at rest without qd); time goes on."""
        self._post(partial(self._loop.set_state, q, qd))

    def set_speed(self, factor: float) -> None:
        """Simulated seconds per second to aim at, 0.01…100."""
        self._post(partial(self._loop.set_speed, factor))

    def set_torque(self, tau) -> None:
        """Motor torques `(n,)` N·m or N, from the next step on."""
        self._post(partial(self._loop.steer, NoteKind.TORQUE, Stepper.set_torque, tau))

    def set_controller(self, controller: Controller | None, model: Robot | None = None, knows_payload: bool = True) -> None:
        """A control law from the next step on, None for the torques; `model` and `knows_payload`: what it knows of the arm."""
        self._post(partial(self._loop.steer, NoteKind.CONTROLLER, Stepper.set_controller, controller, model, knows_payload))

    def set_sensors(self, sensors: Sensors | None) -> None:
        """What controller and recording see the arm by from the next step on; None for the truth."""
        self._post(partial(self._loop.steer, NoteKind.SENSORS, Stepper.set_sensors, sensors))

    def set_disturbance(self, disturbance: OwnDisturbance | None) -> None:
        """What pushes a link from the next step on, None for nothing; one that fails is told as an event DISTURBANCE."""
        self._post(partial(self._loop.steer, NoteKind.DISTURBANCE, Stepper.set_disturbance, disturbance))

    def set_trajectory(self, trajectory: Trajectory | None) -> None:
        """What the controller follows, from its beginning now; a reset begins it anew. Without one it holds where it is."""
        self._post(partial(self._loop.steer, NoteKind.TRAJECTORY, Stepper.set_trajectory, trajectory))

    def hold(self) -> None:
        """The controller holds the present pose, where no trajectory says what to follow."""
        self._post(partial(self._loop.steer, NoteKind.HOLD, Stepper.hold))

    def set_payload(self, payload: Payload | None) -> None:
        """Puts something into the tool's hand in flight; a trajectory that grasps and releases decides by itself."""
        self._post(partial(self._loop.steer, NoteKind.PAYLOAD, Stepper.set_payload, payload))

    def set_pull(self, body: int, local_point, target_W, stiffness: float, damping: float) -> None:
        """A spring from a point of a body (m, its axes) to a point in the world; call again to move the target."""
        self._post(partial(self._loop.pull, body, local_point, target_W, stiffness, damping))

    def let_go(self) -> None:
        """No more pull."""
        self._post(partial(self._loop.steer, NoteKind.PULL, Stepper.set_pull, None))

    def set_robot(self, robot: Robot, q) -> None:
        """Another arm, paused at q, t = 0, without torque; a running recording ends."""
        self._post(partial(self._loop.set_robot, robot, q))

    def set_model(self, robot: Robot) -> None:
        """The same arm with other figures, such as friction, payload or gravity; state, time and recording go on."""
        self._post(partial(self._loop.steer, NoteKind.MODEL, Stepper.set_model, robot))

    def set_dt(self, dt: float) -> None:
        """Length of a step, s."""
        self._post(partial(self._loop.set_dt, dt))

    def set_integrator(self, name: str) -> None:
        """A name of `armature.engine.simulation.simulation_arguments.METHODS`."""
        self._post(partial(self._loop.set_integrator, name))

    def start_recording(self, path: str | Path, overwrite: bool = False) -> None:
        """Record to a `.csv`, `.npz`, `.mat` or `.mcap`.

        Without `overwrite` a file that exists is left alone and `RecordingEvent.FAILED` says so.
        """
        self._post(partial(self._loop.start_recording, path, overwrite))

    def stop_recording(self) -> None:
        """Finish the recording; `RecordingEvent.STOPPED` says when its file is complete."""
        self._post(self._loop.stop_recording)


def take_precedence() -> None:
    """Lets the calling thread run as soon as it has something to do, as far as the system allows it to this user.

    The threads it starts, such as those that write files, do not inherit it.
    """
    if sys.platform != "linux":  # where a thread has no priority of its own
        return
    thread = threading.get_native_id()
    try:
        os.sched_setscheduler(thread, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except OSError:  # not permitted to this user, or not known to this system
        with contextlib.suppress(OSError):  # then it waits for a core like everybody else
            os.setpriority(os.PRIO_PROCESS, thread, NICE)
