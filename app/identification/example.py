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
    """Tracking errors `(N, k)` at times `t` `(N,)` s, by the controller's model: file, identified, or true arm.

    A column for each of the k joint types of the arm is the root of the sum of squares over its joints, in its unit of `units`:
    mrad for revolute and mm for prismatic joints.
    """

    t: np.ndarray
    errors: dict[str, np.ndarray]
    units: tuple[str, ...]

    @property
    def rms(self) -> dict[str, np.ndarray]:
        """RMS of the errors `(k,)` from SETTLED on."""
        late = self.t >= SETTLED
        return {name: np.sqrt(np.mean(error[late] ** 2, axis=0)) for name, error in self.errors.items()}

    @property
    def factors(self) -> np.ndarray:
        """Error with the model of the file over that with the identified model `(k,)`."""
        return self.rms["file"] / np.maximum(self.rms["identified"], 1e-12)


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
    kinds = {unit: joints for unit, joints in (("mrad", ~robot.prismatic), ("mm", robot.prismatic)) if joints.any()}
    errors, t = {}, np.zeros(0)
    for k, (name, model) in enumerate(models.items()):
        tell(k, len(models))
        run = engine.simulate(arm, way.start, np.zeros(robot.n), way.duration, STEP, law, trajectory=way, model=model)
        t = run.t
        off = 1e3 * (run.q - way.sample(t)[0])
        errors[name] = np.column_stack([np.linalg.norm(off[:, joints], axis=1) for joints in kinds.values()])
    return Comparison(t, errors, tuple(kinds))
