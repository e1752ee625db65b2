"""The simulation of the window: one worker, its snapshots on the frame clock, and its exchange of poses with the document."""

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
    Pause,
    Reset,
    Run,
    SetCell,
    SetController,
    SetIntegrator,
    SetModel,
    SetPayload,
    SetRobot,
    SetState,
    SetTimeStep,
    SetTrajectory,
    SimulationCommand,
    Step,
)
from armature.engine.simulation.simulation_event import Event, EventKind

if TYPE_CHECKING:
    from armature.engine.contact.cell import Cell
    from armature.engine.contact.contact_model import ContactModel
    from armature.engine.control.controller import Controller
    from armature.engine.model.payload import Payload
    from armature.engine.model.robot import Robot
    from armature.engine.simulation.live.simulation_worker import SimulationWorker
    from armature.engine.simulation.snapshot import Snapshot
    from armature.engine.trajectory.trajectory import Trajectory


class Simulation(QObject):
    """Sends commands to the worker, and moves the document with its snapshots while time passes.

    While paused, every edit of the document is sent to the worker, and snapshots from before the edit are ignored. `robot`: the
    simulated arm without payload. `motion`: speed and acceleration that the user gave to the paused arm; a run begins with this
    speed and clears it. `meant_to_run`: True if time should pass; `failed` is emitted when an error stopped it.
    """

    running_changed = Signal(bool)
    recording_changed = Signal(object)
    event_arrived = Signal(object)
    motion_changed = Signal()
    control_changed = Signal()
    failed = Signal()

    def __init__(self, document: RobotDocument, clock: FrameClock, parent: QObject | None = None):
        super().__init__(parent)
        self.snapshot_taken = Notice()
        self._document, self._clock = document, clock
        self._worker: SimulationWorker | None = None
        self._start, self.meant_to_run, self._replaying = document.q, False, False
        self._edit: np.ndarray | None = document.q
        self._given: Payload | None = None  # payload that the user chose
        self._carries = False  # True if the trajectory sets the payload
        self._choices = ModelChoices()
        self.motion: PosedMotion | None = None
        self._start_motion: PosedMotion | None = None
        self.robot = document.robot
        self._weighed: tuple[Robot, tuple[float, float, float], Robot] | None = None
        self.running = False
        self.recording: Path | None = None
        self.latest: Snapshot | None = None
        self._method = 1e-3, "rk4"  # step in s, and integrator
        self.control = SetController(None)  # as the worker has it
        self._trajectory: Trajectory | None = None
        self._cell: tuple[Cell | None, ContactModel | None] = (None, None)
        self._halted: Snapshot | None = None  # where a run was paused before the arm was posed
        document.robot_changed.connect(self._on_robot)
        document.q_edited.connect(self._on_edit)
        clock.snapshot.connect(self._on_snapshot)
        clock.event_arrived.connect(self._on_event)

    @property
    def ready(self) -> bool:
        """True if the worker runs and the robot can be simulated."""
        return self._worker is not None and self._document.robot.has_dynamics

    def start(self):
        """Start the worker thread, after the kernels are compiled."""
        from armature.engine.simulation.live.simulation_worker import (
            SimulationWorker,  # numba: not before the window is on screen
        )

        self._worker = SimulationWorker(self.robot, self._document.q)
        self._worker.start()
        self.send(SetCell(*self._cell))
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

    def send(self, command: SimulationCommand):
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
        """Stop simulated time."""
        self.meant_to_run = False
        self.send(Pause())

    def step(self):
        """Take one time step."""
        if self._worker is not None:
            self.meant_to_run, self._edit, self._halted = False, None, None
            self._worker.post(Step())
            self._set_motion(None)

    def reset(self):
        """Return to t = 0 at the last pose that was set by hand, with its speed."""
        if self._worker is None:
            return
        motion, self._halted = self._start_motion, None
        self._worker.post(Reset(self._start, None if motion is None else motion.qd))
        if not self.meant_to_run:
            self._set_motion(motion)
            self._edit = self._start
            self._document.follow(self._start)

    def pose_motion(self, motion: PosedMotion):
        """Set initial speed and desired acceleration of the paused arm."""
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
        """Set the controller, None for motor torques; `assumed_mass`: kg in the tool that it assumes by mistake."""
        model = None if knows_friction else replace(self._choices, rubbing={}, wear=1.0).applied_to(self._document.robot)
        if assumed_mass:
            model = (model or self.robot).with_payload(assumed_mass)
        self.control = SetController(controller, model, knows_payload)
        self.send(self.control)
        self.control_changed.emit()

    def unstable_gains(self) -> str:
        """Return why the gains of the controller are unstable at the pose or along the trajectory; empty if they are stable."""
        from armature.engine.control.python_law import law_of
        from armature.engine.simulation.gain_stability import poses_ahead, unstable_gains  # numba: not before the window is shown

        control, held, (dt, integrator) = self.control, self._given, self._method
        known = control.model or self.robot
        arm = self.robot if held is None else held.held_by(self.robot)
        known = held.held_by(known) if held is not None and control.knows_payload else known
        found = unstable_gains(
            arm, law_of(control.controller), poses_ahead(self._document.q, self._trajectory), dt, integrator, known
        )
        return "" if found is None else found.text

    def set_trajectory(self, trajectory: Trajectory | None):
        """Set the trajectory of the controller, None for none; a reset returns to its beginning."""
        ends_payloads = self._carries
        self._carries, self._trajectory = trajectory is not None and bool(trajectory.payloads), trajectory
        if trajectory is not None:
            self._start, self._start_motion = trajectory.start, None
        self.send(SetTrajectory(trajectory))
        if ends_payloads:
            self.send(SetPayload(self._given))

    @property
    def choices(self) -> ModelChoices:
        """Changes of the simulated arm against its file."""
        return self._choices

    @property
    def in_gravity(self) -> Robot:
        """The open robot of the file with the chosen gravity."""
        robot, gravity = self._document.robot, self._choices.gravity
        if gravity is None or tuple(robot.gravity.tolist()) == gravity:
            return robot
        if self._weighed is None or self._weighed[0] is not robot or self._weighed[1] != gravity:
            self._weighed = robot, gravity, robot.with_gravity(gravity)
        return self._weighed[2]

    @property
    def carries(self) -> bool:
        """True if the trajectory sets the payload."""
        return self._carries

    @property
    def payload(self) -> Payload | None:
        """Payload that the user chose."""
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
        """Set the integrator, a name of `armature.engine.simulation.simulation_arguments.METHODS`."""
        self._method = self._method[0], name
        self.send(SetIntegrator(name))

    def set_friction(self, on: bool):
        """Switch the friction of the robot file on or off."""
        self.choose(friction=on)

    def choose(self, **choices):
        """Change parameters of the arm, fields of `ModelChoices`; the state continues."""
        self._choices = replace(self._choices, **choices)
        self.robot = self._choices.applied_to(self._document.robot)
        self.send(SetModel(self.robot))

    def set_payload(self, payload: Payload | None):
        """Set the payload, None for none; under a trajectory with payloads it is used after it."""
        self._given = payload
        if not self._carries:
            self.send(SetPayload(payload))

    def set_cell(self, cell: Cell, contacts: ContactModel | None = None):
        """Set the cell, whose name and hash recordings store; runs stop at the first contact of the model `contacts`."""
        is_ours = contacts is not None and contacts.robot.joint_names == self.robot.joint_names
        self._cell = cell, contacts if is_ours else None
        self.send(SetCell(*self._cell))

    def set_replaying(self, on: bool):
        """Pause the worker while a recording is shown; afterwards it continues at the pose of the arm."""
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
        self.control, self._trajectory = SetController(None), None
        self._set_motion(None)
        self._choices = ModelChoices(friction=self._choices.friction)
        self.robot = self._choices.applied_to(robot)
        self._cell = self._cell[0], None
        self.send(SetRobot(self.robot, self._start))
        self.send(SetCell(*self._cell))

    def _on_edit(self, q: np.ndarray):
        self._start, self._start_motion, latest = q, self.motion, self.latest
        if self._halted is None and not self.meant_to_run and latest is not None and not latest.posed:
            self._halted = latest
        if self._worker is not None:
            self._edit = None if self.meant_to_run else q
            self._worker.post(SetState(q, self._speeds_at(q)))

    def _speeds_at(self, q: np.ndarray) -> np.ndarray | None:
        """Return the joint speeds at q: typed ones, those of a paused run in its pose, where undo returns to, or None."""
        if self.motion is not None:
            return self.motion.qd
        return self._halted.qd if self._halted is not None and np.array_equal(q, self._halted.q) else None

    def _on_snapshot(self, snapshot: Snapshot):
        robot = self._document.robot
        if len(snapshot.q) != robot.n or len(snapshot.link_poses) != len(robot.link_names):
            return  # of the previous robot
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
        # Other refused commands change nothing: time continues.
        stopped = event.kind in (EventKind.DIVERGED, EventKind.FAULT, EventKind.LAW, EventKind.DISTURBANCE)
        if event.kind is EventKind.STOPPED:
            self.meant_to_run = False
        if stopped or (event.kind is EventKind.REFUSED and isinstance(event.command, Run)):
            self.meant_to_run = False
            self.failed.emit()
        self.event_arrived.emit(event)
