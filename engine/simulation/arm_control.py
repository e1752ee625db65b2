"""`ArmControl`: the controller of a simulated arm, with its model of the arm, its sensors and its reference."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import Any

import numpy as np

from armature.engine.control.controller import HELD, NEXT, Controller, memory_size
from armature.engine.control.own_law.host.code_process import CodeProcess
from armature.engine.control.own_law.host.user_code_host import HostedPush
from armature.engine.control.own_law.kept_memory import described_memory, memory_of
from armature.engine.control.own_law.law_run import Run
from armature.engine.control.own_law.own_disturbance import DisturbanceRun, OwnDisturbance
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.control.python_law import PythonLaw
from armature.engine.dynamics.coupled import step_model
from armature.engine.errors import DimensionError, EngineError
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.model.robot_changes import described_model
from armature.engine.simulation.sensors.sensing import Sensing
from armature.engine.simulation.stepping.step_drive import Drive
from armature.engine.trajectory.trajectory import Trajectory

_NO_ROWS = np.zeros((0, 0))
_EARLY = 1e-6  # of a step: rounding of the time that must not delay an event


class Disturbing:
    """User-defined disturbance of a simulated arm; active while `on`."""

    def __init__(self) -> None:
        self.disturbance: OwnDisturbance | None = None
        self.fault: EngineError | None = None  # not called again before simulated time continues
        self._run: DisturbanceRun | None = None

    @property
    def on(self) -> bool:
        """True with a disturbance."""
        return self._run is not None

    def set(self, disturbance: OwnDisturbance | None, robot: Robot) -> None:
        """Replace the disturbance; another version of the same one continues with its memory. Raises LawError, EngineError."""
        before = self._run.memory if self._run is not None and disturbance and disturbance.continues(self.disturbance) else None
        run = None if disturbance is None else disturbance.begin(robot)
        if run is not None and before is not None:
            run.memory = before
        self.disturbance, self._run, self.fault = disturbance, run, None

    def restart(self) -> None:
        """Begin again."""
        self.fault = None
        if self._run is not None:
            self._run.restart()

    def wrench(self, robot: Robot, t: float, q: np.ndarray, qd: np.ndarray, trial: bool) -> np.ndarray:
        """Return the wrench on each body `(n_bodies, 6)`; zero in a trial after a failure. Raises LawError."""
        assert self._run is not None
        if self.fault is not None:
            if trial:
                return np.zeros((robot.n, 6))
            raise self.fault
        try:
            return self._run.wrench(robot, t, q, qd, trial)
        except EngineError as error:
            self.fault = error
            raise

    @property
    def seconds(self) -> float:
        """Duration of recent calls in another process, s; 0 in this one."""
        return self._run.process.seconds if isinstance(self._run, HostedPush) else 0.0

    def describe(self) -> dict[str, Any] | None:
        """Return plain values, None without a disturbance."""
        return None if self.disturbance is None else self.disturbance.describe()

    def memory(self) -> dict[str, Any]:
        """Return its memory for a recording that begins; empty without a disturbance."""
        return {} if self._run is None else {"disturbance_memory": described_memory(self._run.memory)}

    def restore_memory(self, described: Mapping[str, Any]) -> None:
        """Restore what `memory` returned."""
        if self._run is not None and "disturbance_memory" in described:
            self._run.memory = memory_of(described["disturbance_memory"])


class ArmControl:
    """Built-in or user-defined controller of a simulated arm; None for none.

    It follows `trajectory`, or holds `hold` `(n,)`, rad or m. `model`: its model of the arm, None for the simulated arm;
    `known_arm`: that model with the payload that it assumes. `sensing`: its sensors. `disturbing`: user-defined disturbance.
    """

    def __init__(self, q: np.ndarray):
        self.controller: Controller | None = None
        self.run: Run | None = None  # of a user-defined controller
        self.fault: EngineError | None = None  # of a controller in Python, not called again before `invalidate_sample`
        self.trajectory: Trajectory | None = None
        self.model: Robot | None = None
        self.knows_payload = True
        self.hold, self.sensing, self.disturbing = q.copy(), Sensing(), Disturbing()
        self.law, self.known, self.memory = np.zeros((0, 0)), np.zeros((0, 0)), np.zeros(0)
        self.known_arm: Robot | None = None

    def set_controller(self, controller: Controller | None, robot: Robot, model: Robot | None, knows_payload: bool) -> None:
        """Set the controller; with other gains of the same one its integrals continue. Raises EngineError if it does not fit."""
        same = type(controller) is type(self.controller)
        if model is not None and (model.joint_names != robot.joint_names or model.joint_types != robot.joint_types):
            raise EngineError(f"the controller's model {model.name} does not have the joints of {robot.name}")
        law, run = np.zeros((0, 0)) if controller is None else controller.pack(robot), None
        if isinstance(controller, OwnLaw):
            run = self._run(controller, model or robot)
        self.controller, self.law, self.model, self.knows_payload, self.run = controller, law, model, knows_payload, run
        if not same:
            self._reset_integrals()
        self.invalidate_sample()

    def _run(self, law: OwnLaw, known: Robot) -> Run:
        """Return the present run with other values, or a new one, with the memory of an earlier version."""
        if self.run is not None and law.is_only_reset(self.controller):
            self.run.values = law.values
            return self.run
        run = law.begin(known)
        if self.run is not None and law.continues(self.controller):
            run.memory = self.run.memory
        return run

    def batch_limit(self, dt: float, most: float) -> int | None:
        """Return the number of steps of dt s whose calls of user code take `most` s, None for any number.

        The control period is the same however long a call takes: simulated time is then slower than real time.
        """
        seconds, limits = self.disturbing.seconds, list[int]()
        if seconds:
            limits.append(max(1, floor(most / seconds)))
        if isinstance(self.run, CodeProcess):
            calls = max(1, floor(most / max(self.run.seconds, 1e-9))) if self.run.calls > 0 else 1
            limits.append(calls * max(1, round((self.period or dt) / dt)))
        return min(limits, default=None)

    @property
    def call_seconds(self) -> float:
        """Duration of recent calls of user code in other processes, s."""
        seconds = self.disturbing.seconds
        if isinstance(self.run, CodeProcess) and self.has_sampled:
            seconds += self.run.seconds
        return seconds

    def is_fault(self, error: Exception) -> bool:
        """Return True for the error of user code, which is raised again until `clear_fault`."""
        return error is self.fault or error is self.disturbing.fault

    def clear_fault(self) -> None:
        """Call failed user code again."""
        self.fault = self.disturbing.fault = None

    @property
    def has_sampled(self) -> bool:
        """True if a controller in Python has returned a torque since the arm was placed."""
        return self.in_python and bool(np.isfinite(self.memory[NEXT]))

    def invalidate_sample(self) -> None:
        """Begin a control period with the next step; integrals remain."""
        self.fault = None
        if len(self.memory):
            self.memory[NEXT] = -np.inf
        self.sensing.invalidate_sample()

    def sampled_torque(
        self, robot: Robot, t: float, dt: float, q: np.ndarray, qd: np.ndarray, driven: float, trial: bool = False
    ) -> tuple[np.ndarray, int]:
        """Return the torque of a controller in Python at time t, and the number of steps until its next call.

        It is called once per control period, as in kernels. A `trial` leaves a user-defined controller unchanged.
        """
        law, memory, n = self.controller, self.memory, len(q)
        assert isinstance(law, (PythonLaw, OwnLaw))
        held, period = memory[HELD : HELD + n], self.period
        if self.fault is not None:
            if trial:
                return held, 1
            raise self.fault
        if driven >= memory[NEXT] - _EARLY * period:
            seen = self.sensing.memory.copy()
            try:
                held[:] = self._torque(robot, t, self.sensing.read(dt, q, qd, held), driven, trial)
            except EngineError as error:
                self.fault, self.sensing.memory = error, seen  # the next call has the same readings
                raise
            memory[NEXT] = period * (np.floor(driven / period + _EARLY) + 1.0) if period else np.nextafter(driven, np.inf)
        return held, max(1, int(np.ceil((memory[NEXT] - driven - _EARLY * period) / dt)))

    def _torque(
        self, robot: Robot, t: float, readings: tuple[np.ndarray, np.ndarray, np.ndarray], driven: float, trial: bool
    ) -> np.ndarray:
        """Call the controller with its `readings` of q, qd, tau."""
        q, qd, tau = readings
        reference = np.concatenate([self.reference(np.array([driven]))[0], tau])
        if self.run is not None:
            return (self.run.trial if trial else self.run.torque)(t, q, qd, reference)
        assert isinstance(self.controller, PythonLaw)
        return self.controller.torque(robot, t, q, qd, reference)

    @property
    def period(self) -> float:
        """Control period, s; 0 for every step."""
        return (self.controller and self.controller.period) or 0.0

    @property
    def in_python(self) -> bool:
        """True for a controller in Python, which is called between steps."""
        return isinstance(self.controller, (PythonLaw, OwnLaw))

    def reset_memory(self) -> None:
        """Restart the controller: integrals at zero, a new control period."""
        if self.run is not None:
            self.run.restart()
        self._reset_integrals()

    def _reset_integrals(self) -> None:
        self.memory = np.zeros(0 if self.controller is None else memory_size(len(self.hold)))
        self.invalidate_sample()

    def set_known_model(self, robot: Robot, payload: Payload | None) -> None:
        """Update the controller's model of an arm `robot` with `payload`."""
        if self.controller is None:
            return
        known = self.model or robot
        arm = payload.held_by(known) if payload is not None and self.knows_payload else known
        self.known, self.known_arm = step_model(arm), arm
        if self.run is not None:
            self.run.learn(arm)

    def set_trajectory(self, trajectory: Trajectory | None, robot: Robot) -> None:
        """Set the trajectory. Raises DimensionError."""
        if trajectory is not None and trajectory.n != robot.n:
            raise DimensionError(f"{robot.name} has {robot.n} joints, but the trajectory has {trajectory.n}")
        self.trajectory = trajectory

    def describe(self) -> dict[str, Any]:
        """Return controller, sensors and trajectory as plain values, for the metadata of a recording."""
        law, trajectory, sensors = None, self.trajectory, self.sensing.sensors
        if self.controller is not None:
            model = None if self.model is None else described_model(self.model)
            law = self.controller.describe() | {"model": model, "knows_payload": self.knows_payload}
        if law is not None and self.run is not None:
            law["compiled"] = self.run.compiled
        return {
            "controller": law,
            "disturbance": self.disturbing.describe(),
            "sensors": None if sensors is None else sensors.describe(),
            "trajectory": None if trajectory is None else trajectory.describe(),
        }

    def reference(self, times: np.ndarray) -> np.ndarray:
        """Return desired q, qd, qdd `(N, 3 n)` at times `(N,)` s."""
        if self.trajectory is not None:
            return np.hstack(self.trajectory.sample(times))
        rows = np.zeros((len(times), 3 * len(self.hold)))
        rows[:, : len(self.hold)] = self.hold
        return rows

    def drive(
        self, t: float, desired: np.ndarray | None, work: np.ndarray, side: np.ndarray, measured: np.ndarray | None
    ) -> Drive:
        """Return the arguments of the stepping kernel from controller time t on; `measured` None without sensors."""
        reference, readings = (_NO_ROWS if rows is None else rows for rows in (desired, measured))
        sensors = self.sensing.packed, self.sensing.memory, readings
        return Drive(self.law, self.known, self.memory, reference, t, work, side, *sensors)

    def logs(self, rows: int) -> tuple[tuple[int, Mapping[str, Any]], ...]:
        """Return the values that a user-defined controller logged at its last call, for the `rows` after it."""
        return ((rows, self.run.log),) if self.run is not None and rows and self.run.log else ()

    @property
    def follows(self) -> bool:
        """True if there is a reference."""
        return self.trajectory is not None or self.controller is not None

    def payload_at(self, t: float, dt: float) -> Payload | None:
        """Return the payload of the trajectory at time t."""
        return None if self.trajectory is None else self.trajectory.payload_at(t + _EARLY * dt)

    @property
    def handles_payload(self) -> bool:
        """True if the trajectory sets the payload."""
        return self.trajectory is not None and bool(self.trajectory.payloads)

    def steps_until_change(self, t: float, dt: float) -> int:
        """Return the number of steps from time t to the next grasp or release, at least 1."""
        trajectory = self.trajectory
        if trajectory is None or not trajectory.payloads:
            return np.iinfo(np.int64).max
        T = trajectory.duration
        round_start = np.floor((t + _EARLY * dt) / T) * T if trajectory.loops else 0.0
        times = [when for when, _ in trajectory.payloads] + ([T] if trajectory.loops else [])
        left = [round_start + when - t for when in times if round_start + when - t > _EARLY * dt]
        return max(1, int(np.ceil(min(left) / dt - _EARLY))) if left else np.iinfo(np.int64).max
