"""The simulation as the window sees it: one worker, its snapshots on the frame clock, and who owns the pose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature.app.state.choices.model_choices import ModelChoices
from armature.app.state.document import RobotDocument
from armature.app.state.frame_clock import FrameClock
from armature.app.state.notice import Notice
from armature.app.state.posed_motion import PosedMotion
from armature.engine.simulation.commands import (
    Command,
    Pause,
    Reset,
    Run,
    SetController,
    SetIntegrator,
    SetModel,
    SetPayload,
    SetRobot,
    SetState,
    SetTimeStep,
    SetTrajectory,
    Step,
)
from armature.engine.simulation.simulation_event import Event, EventKind

if TYPE_CHECKING:
    from armature.engine.control.controller import Controller
    from armature.engine.model.payload import Payload
    from armature.engine.model.robot import Robot
    from armature.engine.simulation.live.simulation_worker import SimulationWorker
    from armature.engine.simulation.snapshot import Snapshot
    from armature.engine.trajectory.trajectory import Trajectory


class Simulation(QObject):
    """Commands the worker and lets the document follow it while time runs.

    While paused the document leads: every edit goes to the worker, and snapshots from before the edit are not followed.
    `robot` is the arm as it is simulated, with empty hands. `motion` is what a person wants of the arm that stands, with
    `motion_changed`: a run begins at its speed, and ends it. `meant_to_run` says whether time should pass, `failed` that it does
    not because of a fault.
    """

    running_changed = Signal(bool)
    recording_changed = Signal(object)
    event_arrived = Signal(object)
    motion_changed = Signal()
    failed = Signal()

    def __init__(self, document: RobotDocument, clock: FrameClock, parent: QObject | None = None):
        super().__init__(parent)
        self.snapshot_taken = Notice()
        self._document, self._clock = document, clock
        self._worker: SimulationWorker | None = None
        self._start, self.meant_to_run, self._replaying = document.q, False, False
        self._edit: np.ndarray | None = document.q
        self._given: Payload | None = None  # what a person put into the tool
        self._carries = False  # whether the trajectory says what the tool holds
        self._choices = ModelChoices()
        self.motion: PosedMotion | None = None
        self._start_motion: PosedMotion | None = None
        self.robot = document.robot
        self._weighed: tuple[Robot, tuple[float, float, float], Robot] | None = None
        self.running = False
        self.recording: Path | None = None
        self.latest: Snapshot | None = None
        self._method = 1e-3, "rk4"  # step in s, and integrator
        self._law: tuple[Controller | None, Robot | None, bool] = (None, None, True)  # as the worker has it
        self._trajectory: Trajectory | None = None
        self._halted: Snapshot | None = None  # where a run was paused before the arm was posed
        document.robot_changed.connect(self._on_robot)
        document.q_edited.connect(self._on_edit)
        clock.snapshot.connect(self._on_snapshot)
        clock.event_arrived.connect(self._on_event)

    @property
    def ready(self) -> bool:
        """Whether the worker lives and the robot can be simulated."""
        return self._worker is not None and self._document.robot.has_dynamics

    def start(self):
        """Begin the worker thread; the kernels are compiled by now."""
        from armature.engine.simulation.live.simulation_worker import (
            SimulationWorker,  # numba: not before the window is on screen
        )

        self._worker = SimulationWorker(self.robot, self._document.q)
        self._worker.start()
        self._clock.watch(self._worker)

    def stop(self, timeout: float = 4.0) -> bool:
        """End the worker and finish its recording; False when it did not end in time."""
        if self._worker is None:
            return True
        done = self._worker.stop(timeout)
        self._clock.drain_events()
        self._clock.watch(None)
        self._worker = None
        return done

    def send(self, command: Command):
        """Send a command to the simulation, if it has started."""
        if self._worker is not None:
            self._worker.post(command)

    def run(self):
        """Let time pass."""
        if self._worker is not None:
            self.meant_to_run, self._edit, self._halted = True, None, None
            self._worker.post(Run())
            self._set_motion(None)

    def pause(self):
        """Let time stand still."""
        self.meant_to_run = False
        self.send(Pause())

    def step(self):
        """One time step."""
        if self._worker is not None:
            self.meant_to_run, self._edit, self._halted = False, None, None
            self._worker.post(Step())
            self._set_motion(None)

    def reset(self):
        """Back to t = 0 at the pose last set by hand, with the speed that it was given."""
        if self._worker is None:
            return
        motion, self._halted = self._start_motion, None
        self._worker.post(Reset(self._start, None if motion is None else motion.qd))
        if not self.meant_to_run:
            self._set_motion(motion)
            self._edit = self._start
            self._document.follow(self._start)

    def pose_motion(self, motion: PosedMotion):
        """Give the arm, which stands, a speed to start with and an acceleration that is wanted."""
        self._set_motion(motion)
        self._on_edit(self._document.q)

    def _set_motion(self, motion: PosedMotion | None):
        if motion is not self.motion:
            self.motion = motion
            self.motion_changed.emit()

    def set_controller(
        self,
        controller: Controller | None,
        assumed_mass: float = 0.0,
        knows_payload: bool = True,
        knows_friction: bool = True,
    ):
        """A control law, None for the motor torques; it reckons with `assumed_mass` kg in the tool that are not there."""
        model = None if knows_friction else replace(self._choices, rubbing={}, wear=1.0).applied_to(self._document.robot)
        if assumed_mass:
            model = (model or self.robot).with_payload(assumed_mass)
        self._law = controller, model, knows_payload
        self.send(SetController(controller, model, knows_payload))

    def unstable_gains(self) -> str:
        """Why the active law shakes the arm at its pose or along its trajectory, and which gains do not; empty if steady."""
        from armature.engine.simulation.gain_stability import poses_ahead, unstable_gains  # numba: not before the window is shown

        (controller, model, knows_payload), held, (dt, integrator) = self._law, self._given, self._method
        known = model or self.robot
        arm = self.robot if held is None else held.held_by(self.robot)
        known = held.held_by(known) if held is not None and knows_payload else known
        found = unstable_gains(arm, controller, poses_ahead(self._document.q, self._trajectory), dt, integrator, known)
        return "" if found is None else found.text

    def set_trajectory(self, trajectory: Trajectory | None):
        """What the controller follows from now on, None for nothing; a reset goes back to its beginning."""
        gives_back = self._carries
        self._carries, self._trajectory = trajectory is not None and bool(trajectory.payloads), trajectory
        if trajectory is not None:
            self._start, self._start_motion = trajectory.start, None
        self.send(SetTrajectory(trajectory))
        if gives_back:
            self.send(SetPayload(self._given))

    @property
    def choices(self) -> ModelChoices:
        """How the simulated arm differs from its file."""
        return self._choices

    @property
    def in_gravity(self) -> Robot:
        """The open robot as its file has it, but for the gravity that is chosen."""
        robot, gravity = self._document.robot, self._choices.gravity
        if gravity is None or tuple(robot.gravity.tolist()) == gravity:
            return robot
        if self._weighed is None or self._weighed[0] is not robot or self._weighed[1] != gravity:
            self._weighed = robot, gravity, robot.with_gravity(gravity)
        return self._weighed[2]

    @property
    def carries(self) -> bool:
        """Whether the trajectory that is followed says what the tool holds."""
        return self._carries

    @property
    def payload(self) -> Payload | None:
        """What a person put into the tool."""
        return self._given

    @property
    def dt(self) -> float:
        """Time step, s."""
        return self._method[0]

    def set_dt(self, dt: float):
        """Set the time step, s."""
        self._method = dt, self._method[1]
        self.send(SetTimeStep(dt))

    def set_integrator(self, name: str):
        """A name of `armature.engine.simulation.simulation_arguments.METHODS`."""
        self._method = self._method[0], name
        self.send(SetIntegrator(name))

    def set_friction(self, on: bool):
        """With or without the friction of the robot's file, from the present state on."""
        self.choose(friction=on)

    def choose(self, **choices):
        """Other figures of the arm, fields of `ModelChoices`, from the present state on."""
        self._choices = replace(self._choices, **choices)
        self.robot = self._choices.applied_to(self._document.robot)
        self.send(SetModel(self.robot))

    def set_payload(self, payload: Payload | None):
        """Puts an `armature.Payload` into the tool's hand, or None; while a trajectory says what it holds, for afterwards."""
        self._given = payload
        if not self._carries:
            self.send(SetPayload(payload))

    def set_replaying(self, on: bool):
        """While a recording plays the worker rests; afterwards it starts from where the arm is."""
        self._replaying = on
        self._set_motion(None)
        if on:
            self.pause()
        else:
            self._on_edit(self._document.q)

    def _on_robot(self, robot: Robot):
        self._start = self._edit = self._document.q
        self.meant_to_run, self.latest, self._halted = False, None, None
        self._carries, self._given, self._start_motion = False, None, None
        self._law, self._trajectory = (None, None, True), None
        self._set_motion(None)
        self._choices = ModelChoices(friction=self._choices.friction)
        self.robot = self._choices.applied_to(robot)
        self.send(SetRobot(self.robot, self._start))

    def _on_edit(self, q: np.ndarray):
        self._start, self._start_motion, latest = q, self.motion, self.latest
        if self._halted is None and not self.meant_to_run and latest is not None and not latest.posed:
            self._halted = latest
        if self._worker is not None:
            self._edit = None if self.meant_to_run else q
            self._worker.post(SetState(q, self._speeds_at(q)))

    def _speeds_at(self, q: np.ndarray) -> np.ndarray | None:
        """Those that were typed; else at rest, but in the pose that a run was paused in, where undo leads, those of the run."""
        if self.motion is not None:
            return self.motion.qd
        return self._halted.qd if self._halted is not None and np.array_equal(q, self._halted.q) else None

    def _on_snapshot(self, snapshot: Snapshot):
        robot = self._document.robot
        if len(snapshot.q) != robot.n or len(snapshot.link_poses) != len(robot.link_names):
            return  # of the robot before this one
        if self._edit is not None and not np.array_equal(snapshot.q, self._edit):
            self._note_state(snapshot)
            return  # from before the last edit
        self._edit = None
        self.latest = snapshot
        if not self._replaying:
            self._document.follow(snapshot.q, snapshot.link_poses)
        self._note_state(snapshot)
        self.snapshot_taken.emit(snapshot)

    def _note_state(self, snapshot: Snapshot):
        if snapshot.running != self.running:
            self.running = snapshot.running
            self.running_changed.emit(self.running)
        if snapshot.recording != self.recording:
            self.recording = snapshot.recording
            self.recording_changed.emit(self.recording)

    def _on_event(self, event: Event):
        # What else is refused changes nothing: time runs on, and edits must not wait for an arm that stands still.
        stopped = event.kind in (EventKind.DIVERGED, EventKind.FAULT, EventKind.LAW, EventKind.DISTURBANCE)
        if stopped or (event.kind is EventKind.REFUSED and isinstance(event.command, Run)):
            self.meant_to_run = False
            self.failed.emit()
        self.event_arrived.emit(event)
