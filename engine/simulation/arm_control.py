"""`ArmControl`: the controller of a simulated arm, what it knows of the arm, and what it should follow."""

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
from armature.engine.simulation.pacer import FRAME, SHARE
from armature.engine.simulation.sensors.sensing import Sensing
from armature.engine.simulation.stepping.step_drive import Drive
from armature.engine.trajectory.trajectory import Trajectory

_NO_ROWS = np.zeros((0, 0))
_EARLY = 1e-6  # of a step: rounding of the time that must not delay an event
_PICTURE = 0.1  # of a frame: slower user code is not called for pictures


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
    """`controller` None lets the arm move by itself; without a `trajectory` the controller holds `hold` `(n,)`.

    `t` counts from the last restart, in s. `sensing` is what the law sees the arm by, `disturbing` what
    the user wrote that pushes it.
    """

    def __init__(self, q: np.ndarray):
        self.controller: Controller | None = None
        self.run: Run | None = None  # of an own law
        self.fault: EngineError | None = None  # of a law in Python, which is not called again before `look_again`
        self.trajectory: Trajectory | None = None
        self.model: Robot | None = None
        self.knows_payload = True
        self.hold, self.sensing, self.disturbing = q.copy(), Sensing(), Disturbing()
        self.law, self.known, self.memory = np.zeros((0, 0)), np.zeros((0, 0)), np.zeros(0)
        self.known_arm: Robot | None = None  # the controller's model of the arm, with the payload it assumes

    def set_controller(self, controller: Controller | None, robot: Robot, model: Robot | None, knows_payload: bool) -> None:
        """Another law, or the same with other figures: then its integrals go on. Raises EngineError for what does not fit."""
        same = type(controller) is type(self.controller)
        if model is not None and (model.joint_names != robot.joint_names or model.joint_types != robot.joint_types):
            raise EngineError(f"the controller's model {model.name} does not have the joints of {robot.name}")
        law, run = np.zeros((0, 0)) if controller is None else controller.pack(robot), None
        if isinstance(controller, OwnLaw):
            run = self._run(controller, model or robot)
        self.controller, self.law, self.model, self.knows_payload, self.run = controller, law, model, knows_payload, run
        if not same:
            self._forget_figures()
        self.look_again()

    def _run(self, law: OwnLaw, known: Robot) -> Run:
        """An own law at work: the run there is under other values, or a new one, with the memory of an earlier version."""
        if self.run is not None and law.is_only_reset(self.controller):
            self.run.values = law.values
            return self.run
        run = law.begin(known)
        if self.run is not None and law.continues(self.controller):
            run.memory = self.run.memory
        return run

    def batch_limit(self, dt: float) -> int | None:
        """Return the steps of dt s whose calls of user code take less than a frame, None for any number.

        The control period is the same however long a call takes: simulated time is then slower than real time.
        """
        seconds, limits = self.disturbing.seconds, list[int]()
        if seconds:
            limits.append(max(1, floor(SHARE * FRAME / seconds)))
        if isinstance(self.run, CodeProcess):
            calls = max(1, floor(SHARE * FRAME / max(self.run.seconds, 1e-9))) if self.run.calls > 0 else 1
            limits.append(calls * max(1, round((self.period or dt) / dt)))
        return min(limits, default=None)

    @property
    def is_slow(self) -> bool:
        """True if user code takes so long that it is called for steps only, not for each picture."""
        seconds = self.disturbing.seconds
        if isinstance(self.run, CodeProcess):
            seconds += self.run.seconds if self.has_requested else 0.0
        return seconds > _PICTURE * FRAME

    def failed(self, error: Exception) -> bool:
        """Whether it is a fault of what the user wrote, law or disturbance, which stands until time goes on."""
        return error is self.fault or error is self.disturbing.fault

    def go_on(self) -> None:
        """What failed is called again."""
        self.fault = self.disturbing.fault = None

    @property
    def has_requested(self) -> bool:
        """Whether a law in Python has given a torque since the state was set by hand."""
        return self.in_python and bool(np.isfinite(self.memory[NEXT]))

    def look_again(self) -> None:
        """The next look at the arm at once; integrals stay."""
        self.fault = None
        if len(self.memory):
            self.memory[NEXT] = -np.inf
        self.sensing.look_again()

    def ask(
        self, robot: Robot, t: float, dt: float, q: np.ndarray, qd: np.ndarray, driven: float, trial: bool = False
    ) -> tuple[np.ndarray, int]:
        """The torque of a law in Python at time t, and for how many steps it is held; called once in a period, as kernels do.

        An own law is as it was after a `trial`.
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
                held[:] = self._answer(robot, t, self.sensing.look(dt, q, qd, held), driven, trial)
            except EngineError as error:
                self.fault, self.sensing.memory = error, seen  # called again, it sees the same
                raise
            memory[NEXT] = period * (np.floor(driven / period + _EARLY) + 1.0) if period else np.nextafter(driven, np.inf)
        return held, max(1, int(np.ceil((memory[NEXT] - driven - _EARLY * period) / dt)))

    def _answer(
        self, robot: Robot, t: float, seen: tuple[np.ndarray, np.ndarray, np.ndarray], driven: float, trial: bool
    ) -> np.ndarray:
        """What the law says that has `seen` q, qd and tau."""
        q, qd, tau = seen
        reference = np.concatenate([self.reference(np.array([driven]))[0], tau])
        if self.run is not None:
            return (self.run.trial if trial else self.run.torque)(t, q, qd, reference)
        assert isinstance(self.controller, PythonLaw)
        return self.controller.torque(robot, t, q, qd, reference)

    @property
    def period(self) -> float:
        """Between two looks, s; 0 for every step."""
        return (self.controller and self.controller.period) or 0.0

    @property
    def in_python(self) -> bool:
        """Whether the law is one that has to be called."""
        return isinstance(self.controller, (PythonLaw, OwnLaw))

    def forget(self) -> None:
        """Integrals back to zero, the next look at once; an own law begins anew."""
        if self.run is not None:
            self.run.restart()
        self._forget_figures()

    def _forget_figures(self) -> None:
        self.memory = np.zeros(0 if self.controller is None else memory_size(len(self.hold)))
        self.look_again()

    def learn(self, robot: Robot, payload: Payload | None) -> None:
        """What the controller knows of an arm `robot` that holds `payload`."""
        if self.controller is None:
            return
        known = self.model or robot
        arm = payload.held_by(known) if payload is not None and self.knows_payload else known
        self.known, self.known_arm = step_model(arm), arm
        if self.run is not None:
            self.run.learn(arm)

    def set_trajectory(self, trajectory: Trajectory | None, robot: Robot) -> None:
        """What to follow from now on. Raises DimensionError."""
        if trajectory is not None and trajectory.n != robot.n:
            raise DimensionError(f"{robot.name} has {robot.n} joints, but the trajectory has {trajectory.n}")
        self.trajectory = trajectory

    def describe(self) -> dict[str, Any]:
        """Controller, sensors and trajectory as plain values, for the metadata of a recording."""
        law, way, sensors = None, self.trajectory, self.sensing.sensors
        if self.controller is not None:
            model = None if self.model is None else described_model(self.model)
            law = self.controller.describe() | {"model": model, "knows_payload": self.knows_payload}
        if law is not None and self.run is not None:
            law["compiled"] = self.run.compiled
        return {
            "controller": law,
            "disturbance": self.disturbing.describe(),
            "sensors": None if sensors is None else sensors.describe(),
            "trajectory": None if way is None else way.describe(),
        }

    def reference(self, times: np.ndarray) -> np.ndarray:
        """Desired q, qd, qdd `(N, 3 n)` at times `(N,)` s."""
        if self.trajectory is not None:
            return np.hstack(self.trajectory.sample(times))
        rows = np.zeros((len(times), 3 * len(self.hold)))
        rows[:, : len(self.hold)] = self.hold
        return rows

    def drive(
        self, t: float, desired: np.ndarray | None, work: np.ndarray, side: np.ndarray, measured: np.ndarray | None
    ) -> Drive:
        """What the stepping kernel gets from time t of the control on; `measured` None without sensors."""
        reference, told = (_NO_ROWS if rows is None else rows for rows in (desired, measured))
        seen = self.sensing.packed, self.sensing.memory, told
        return Drive(self.law, self.known, self.memory, reference, t, work, side, *seen)

    def logs(self, rows: int) -> tuple[tuple[int, Mapping[str, Any]], ...]:
        """What an own law logged at its last call, which so many rows follow."""
        return ((rows, self.run.log),) if self.run is not None and rows and self.run.log else ()

    @property
    def follows(self) -> bool:
        """Whether there is something desired."""
        return self.trajectory is not None or self.controller is not None

    def payload_at(self, t: float, dt: float) -> Payload | None:
        """What the trajectory puts into the tool's hand at time t."""
        return None if self.trajectory is None else self.trajectory.payload_at(t + _EARLY * dt)

    @property
    def handles_payload(self) -> bool:
        """Whether the trajectory says what the tool holds."""
        return self.trajectory is not None and bool(self.trajectory.payloads)

    def steps_until_change(self, t: float, dt: float) -> int:
        """Steps from time t to the next grasp or release, at least 1."""
        trajectory = self.trajectory
        if trajectory is None or not trajectory.payloads:
            return np.iinfo(np.int64).max
        T = trajectory.duration
        round_start = np.floor((t + _EARLY * dt) / T) * T if trajectory.loops else 0.0
        times = [when for when, _ in trajectory.payloads] + ([T] if trajectory.loops else [])
        left = [round_start + when - t for when in times if round_start + when - t > _EARLY * dt]
        return max(1, int(np.ceil(min(left) / dt - _EARLY))) if left else np.iinfo(np.int64).max
