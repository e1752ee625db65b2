"""Commands to a simulation, from a window, a script, the command line, a scenario or a recording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:  # a command is made before numba is imported
    from numpy.typing import ArrayLike

    from armature.engine.contact.cell import Cell
    from armature.engine.contact.contact_model import ContactModel
    from armature.engine.control.controller import Controller
    from armature.engine.control.own_law.own_disturbance import OwnDisturbance
    from armature.engine.model.payload import Payload
    from armature.engine.model.robot import Robot
    from armature.engine.simulation.sensors.sensors import Sensors
    from armature.engine.trajectory.trajectory import Trajectory


class NoteKind(StrEnum):
    """Kind of an event in the metadata of a recording; the values are part of the file format.

    Up to `CELL` an event is a command to the arm or its surroundings. `BEGIN` has the initial state of a recording that begins
    during a run. `ENTER` to `POSE` are the origin of samples: the arm begins to move by itself, stops, its time jumps, it is
    posed. `CONTACT` is a link below the floor, `STOP` the contact at which the run stopped.
    """

    STATE = "state"
    RESET = "reset"
    TORQUE = "torque"
    CONTROLLER = "controller"
    SENSORS = "sensors"
    DISTURBANCE = "disturbance"
    TRAJECTORY = "trajectory"
    HOLD = "hold"
    PAYLOAD = "payload"
    PULL = "pull"
    MODEL = "model"
    DT = "dt"
    INTEGRATOR = "integrator"
    CELL = "cell"
    BEGIN = "begin"
    ENTER = "enter"
    LEAVE = "leave"
    JUMP = "jump"
    POSE = "pose"
    CONTACT = "contact"
    STOP = "stop"


class SimulationCommand:
    """Base of all commands; a command that cannot be carried out changes nothing."""


class ArmCommand(SimulationCommand):
    """SimulationCommand that changes the arm, its controller or its external conditions; a recording notes it as `kind`."""

    kind: ClassVar[NoteKind]


@dataclass(frozen=True)
class Run(SimulationCommand):
    """Let simulated time pass."""


@dataclass(frozen=True)
class Pause(SimulationCommand):
    """Stop simulated time; the state remains, velocities included."""


@dataclass(frozen=True)
class Step(SimulationCommand):
    """Pause, and take `count` time steps, 1 … 100,000."""

    count: int = 1


@dataclass(frozen=True)
class SetSpeed(SimulationCommand):
    """Simulated seconds per second, 0.01 … 100."""

    factor: float


@dataclass(frozen=True, eq=False)
class SetRobot(SimulationCommand):
    """Replace the robot: paused at q `(n,)`, t = 0, without torque; ends the recording."""

    robot: Robot
    q: ArrayLike


@dataclass(frozen=True)
class StartRecording(SimulationCommand):
    """Record to a `.csv`, `.npz`, `.mat` or `.mcap` file; without `overwrite` an existing file is an error."""

    path: str | Path
    overwrite: bool = False


@dataclass(frozen=True)
class StopRecording(SimulationCommand):
    """Complete the recording."""


@dataclass(frozen=True, eq=False)
class SetState(ArmCommand):
    """Place the arm at q, qd `(n,)`, at rest without qd; simulated time continues."""

    kind = NoteKind.STATE
    q: ArrayLike
    qd: ArrayLike | None = None


@dataclass(frozen=True, eq=False)
class Reset(ArmCommand):
    """Return to t = 0 at q, qd `(n,)`, at rest without qd; the torque, the controller and its trajectory remain."""

    kind = NoteKind.RESET
    q: ArrayLike
    qd: ArrayLike | None = None


@dataclass(frozen=True, eq=False)
class SetTorque(ArmCommand):
    """Motor torque `(n,)`, N·m or N, for an arm without controller."""

    kind = NoteKind.TORQUE
    tau: ArrayLike


@dataclass(frozen=True, eq=False)
class SetController(ArmCommand):
    """Controller, or None for the torque of `SetTorque`.

    `model`: the controller's model of the arm, None for the simulated arm. `knows_payload`: it accounts for the payload.
    """

    kind = NoteKind.CONTROLLER
    controller: Controller | Callable[..., Any] | None
    model: Robot | None = None
    knows_payload: bool = True


@dataclass(frozen=True, eq=False)
class SetSensors(ArmCommand):
    """Sensors of controller and recording, or None for exact measurements."""

    kind = NoteKind.SENSORS
    sensors: Sensors | None


@dataclass(frozen=True, eq=False)
class SetDisturbance(ArmCommand):
    """User-defined external force on a link, or None."""

    kind = NoteKind.DISTURBANCE
    disturbance: OwnDisturbance | Callable[..., Any] | None


@dataclass(frozen=True, eq=False)
class SetTrajectory(ArmCommand):
    """Trajectory that the controller follows, from its beginning now, or None to hold the present pose."""

    kind = NoteKind.TRAJECTORY
    trajectory: Trajectory | None


@dataclass(frozen=True, eq=False)
class Hold(ArmCommand):
    """Let the controller hold q `(n,)`, by default the present pose; a trajectory has precedence."""

    kind = NoteKind.HOLD
    q: ArrayLike | None = None


@dataclass(frozen=True, eq=False)
class SetPayload(ArmCommand):
    """Payload of the tool, or None."""

    kind = NoteKind.PAYLOAD
    payload: Payload | None


@dataclass(frozen=True, eq=False)
class SetPull(ArmCommand):
    """Pull with a spring on a `point` `(3,)` of a body, m in its axes, towards `target` `(3,)`, m in the world.

    `stiffness` in N/m, `damping` in N·s/m, at most `most` N.
    """

    kind = NoteKind.PULL
    body: int
    point: ArrayLike
    target: ArrayLike
    stiffness: float
    damping: float
    most: float = 1e4


@dataclass(frozen=True)
class ReleasePull(ArmCommand):
    """End the pull."""

    kind = NoteKind.PULL


@dataclass(frozen=True, eq=False)
class SetModel(ArmCommand):
    """The same arm with other parameters: gravity, friction, stops, masses."""

    kind = NoteKind.MODEL
    robot: Robot


@dataclass(frozen=True)
class SetTimeStep(ArmCommand):
    """Time step in s, 1e-7 … 1."""

    kind = NoteKind.DT
    dt: float


@dataclass(frozen=True)
class SetIntegrator(ArmCommand):
    """Name of an integrator in `armature.engine.simulation.simulation_arguments.METHODS`."""

    kind = NoteKind.INTEGRATOR
    name: str


@dataclass(frozen=True, eq=False)
class SetCell(ArmCommand):
    """Objects around the arm, or None; they exert no force, and recordings store their name and hash.

    `contacts`: model of the arm in this cell; the run stops at the first contact of its pairs. None: it does not stop.
    """

    kind = NoteKind.CELL
    cell: Cell | None
    contacts: ContactModel | None = None


@dataclass(frozen=True, eq=False)
class SetFollower(SimulationCommand):
    """A second arm that moves with the simulated arm, from its present state on, or None.

    It has the torques of the simulated arm, or with `control` a built-in controller of its own, with the same reference. It is
    removed with the simulated robot.
    """

    robot: Robot | None
    control: SetController | None = None
