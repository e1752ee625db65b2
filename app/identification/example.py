"""The guided example: an arm that is not as its file says is simulated, identified, and made to follow with what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from armature import engine
from armature.engine.model.body import Friction
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.trajectory.trajectory import Trajectory

MASSES, VISCOUS, COULOMB = 1.3, 2.0, 1.5  # times the file's
STEP = 1e-3  # s
SETTLED = 0.5  # s, from which on the error counts
LAW = "computed-torque"
POINTS = 5  # of the motion that is compared on
SEED = 17


@dataclass(frozen=True, eq=False)
class Comparison:
    """How far the arm is off its way, `(N,)` over times `t` `(N,)`, by what the law knows: file, identified, or true arm.

    The error is the root of the sum of squares over the joints, in `unit`: mrad, mm, or both; `rms` of each is from SETTLED on.
    """

    t: np.ndarray
    errors: dict[str, np.ndarray]
    unit: str

    @property
    def rms(self) -> dict[str, float]:
        """Of each."""
        late = self.t >= SETTLED
        return {name: float(np.sqrt(np.mean(error[late] ** 2))) for name, error in self.errors.items()}

    @property
    def factor(self) -> float:
        """How many times better the identified model is followed than the file's."""
        rms = self.rms
        return rms["file"] / max(rms["identified"], 1e-12)


def true_arm(robot: Robot) -> Robot:
    """The real arm, which differs from its file: heavier, and with more friction."""
    bodies = tuple(
        replace(
            body,
            mass=MASSES * body.mass,
            inertia=MASSES * body.inertia,
            friction=Friction(
                VISCOUS * body.friction.viscous,
                (COULOMB * body.friction.coulomb[0], COULOMB * body.friction.coulomb[1]),
                COULOMB * body.friction.stiction,
            ),
        )
        for body in robot.bodies
    )
    return replace(robot, bodies=bodies)


def recorded(robot: Robot, motion: Trajectory) -> Recording:
    """The true arm along the motion, under computed torque that knows the file's figures alone, as its sensors tell it."""
    from armature.engine.identification.simulated_measurement import simulated_measurement  # numba

    return simulated_measurement(true_arm(robot), motion, model=robot, seed=SEED)


def other_motion(robot: Robot) -> Trajectory:
    """One that nothing was fitted to: through poses at random, at half the speed that the limits allow."""
    rng = np.random.default_rng(SEED)
    home = robot.configurations["home"]
    far = np.where(robot.prismatic, 0.15, 0.8)
    low, high = np.maximum(robot.q_min, home - far), np.minimum(robot.q_max, home + far)
    poses = rng.uniform(low, high, (POINTS, robot.n))
    way = engine.spline(np.vstack([home, poses, home]), np.ones(POINTS + 1))
    return way.scaled(1.0 / engine.MotionLimits.of(robot, 0.5).stretch(way, jerk=False))


def compared(robot: Robot, identified: Robot, tell: Callable[[int, int], None]) -> Comparison:
    """The true arm along a motion that neither model was fitted to, by what the law knows; `tell(done, total)` may raise."""
    arm, way, law = true_arm(robot), other_motion(robot), engine.default_gains(robot, LAW)
    models = {"file": robot, "identified": identified, "true": arm}
    errors, t = {}, np.zeros(0)
    for k, (name, model) in enumerate(models.items()):
        tell(k, len(models))
        run = engine.simulate(arm, way.start, np.zeros(robot.n), way.duration, STEP, law, trajectory=way, model=model)
        t = run.t
        errors[name] = 1e3 * np.linalg.norm(run.q - way.sample(t)[0], axis=1)
    units = sorted({"mm" if slides else "mrad" for slides in robot.prismatic}, reverse=True)
    return Comparison(t, errors, ", ".join(units))
