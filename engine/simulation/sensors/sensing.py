"""`Sensing`: the sensors of a simulated arm, packed for the stepping kernel, with their memory."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot
from armature.engine.simulation.sensors import readings
from armature.engine.simulation.sensors.readings import AGE, COLUMNS, FILTER, KEY_HIGH, KEY_LOW, LOOKED, NUMBER, SAID, SETUP
from armature.engine.simulation.sensors.sensors import Sensors, check_sensors

MOST_STEPS = 10_000  # of delay


class Sensing:
    """Sensors of a simulated arm, None for exact measurements. `packed`, `memory`: arguments A, S of `readings.observe`."""

    def __init__(self) -> None:
        self.sensors: Sensors | None = None
        self.packed, self.memory = np.zeros((0, 0)), np.zeros(0)
        self._before = self.memory  # memory before the last reading between steps

    @property
    def on(self) -> bool:
        """True with sensors."""
        return self.sensors is not None

    def set_sensors(self, sensors: Sensors | None, robot: Robot, dt: float) -> None:
        """Replace the sensors and restart their readings. Raises EngineError if they do not fit the robot or the step."""
        packed = _packed(check_sensors(sensors), robot, dt)
        self.sensors, self.packed = sensors, packed
        steps = int(packed[SETUP, readings.STEPS]) if sensors else 0
        self.memory = np.zeros(readings.memory_size(robot.n, steps) if sensors else 0)
        self.restart_history()

    def set_dt(self, robot: Robot, dt: float) -> None:
        """Set the time step, and restart the history."""
        number = self.memory[NUMBER] if self.on else 0.0
        self.set_sensors(self.sensors, robot, dt)
        if self.on:
            self.memory[NUMBER] = number

    def restart_history(self) -> None:
        """Drop the past states after the arm was placed; the count of readings continues."""
        if self.on:
            self.memory[AGE], self.memory[LOOKED] = -1.0, 0.0

    def restart(self) -> None:
        """Return to t = 0, with the same noise again."""
        if self.on:
            self.memory[NUMBER] = 0.0
            self.restart_history()

    def read(self, dt: float, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the present readings of q, qd and tau `(n,)`; `tau` is the torque of the step before."""
        if not self.on:
            return q, qd, tau
        if self.memory[LOOKED] == 0.0:
            self._before = self.memory.copy()
        readings.look.call(self.packed, self.memory, dt, q, qd, tau, 1)
        n = len(q)
        q, qd, tau = self.memory[SAID : SAID + 3 * n].reshape(3, n)
        return q, qd, tau

    def invalidate_sample(self) -> None:
        """Undo the readings since the last step, such as those for a snapshot."""
        if self.on and self.memory[LOOKED] != 0.0:
            self.memory = self._before

    def static_sample(self, q: np.ndarray, tau: np.ndarray) -> np.ndarray | None:
        """Return the readings of an arm at rest at q as one row `(1, 3 n)`; None without sensors."""
        if not self.on:
            return None
        memory = self.memory.copy()
        memory[AGE], memory[LOOKED] = -1.0, 0.0
        readings.look.call(self.packed, memory, 1.0, q, np.zeros(len(q)), tau, 1)
        return memory[SAID : SAID + 3 * len(q)][None]


def _packed(sensors: Sensors | None, robot: Robot, dt: float) -> np.ndarray:
    if sensors is None:
        return np.zeros((0, 0))
    A = np.zeros((readings.ROWS, max(COLUMNS, robot.n)))
    steps = sensors.delay_steps(dt)
    if steps > MOST_STEPS:
        raise EngineError(
            f"sensors: a delay of {sensors.delay:g} s is {steps:,} steps of {dt:g} s, but at most {MOST_STEPS:,} are allowed"
        )
    A[SETUP, KEY_HIGH], A[SETUP, KEY_LOW] = readings.key_of(sensors.seed)
    A[SETUP, readings.STEPS] = steps
    A[SETUP, FILTER] = 0.0 if sensors.speed_cutoff is None else 1.0 / (2.0 * math.pi * sensors.speed_cutoff)
    counts = sensors.per_joint("counts", robot)
    turn = np.where(robot.prismatic, 1.0, 2.0 * math.pi)
    A[readings.QUANTUM, : robot.n] = np.divide(turn, counts, out=np.zeros(robot.n), where=counts > 0)
    A[readings.POSITION_NOISE, : robot.n] = sensors.per_joint("position_noise", robot)
    A[readings.TORQUE_NOISE, : robot.n] = sensors.per_joint("torque_noise", robot)
    return A
