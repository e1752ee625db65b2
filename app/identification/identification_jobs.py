"""Background computations: excitation trajectories, identification, and the steps of the guided example.

In the example an arm that differs from its file is simulated, identified, and controlled with the identified model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.identification.identification_model import FIT, VALIDATE, Entry, Motion, Options, Outcome
from armature.engine.errors import RecordingError
from armature.engine.model.body import Friction
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import EXCERPT
from armature.engine.trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    from armature.app.state.job import Job

TICKS = 1000  # of a progress bar
LOADING = 0.2  # of the progress
LEAST = 10  # samples of a part
MASSES, VISCOUS, COULOMB = 1.3, 2.0, 1.5  # times the file's
STEP = 1e-3  # s
SETTLED = 0.5  # s, from which on the error counts
LAW = "computed-torque"
POINTS = 5  # of the motion that is compared on
SEED = 17


def _fraction(job: Job) -> Callable[[float], None]:
    """Return the progress function of a job, which raises Cancelled once the job was cancelled."""

    def report(done: float) -> None:
        job.check()
        job.progress(round(TICKS * done), TICKS)

    return report


def excitation_motion(robot: Robot, duration: float, harmonics: int, job: Job) -> Motion:
    """Return an excitation trajectory of `duration` s; raises Cancelled."""
    trajectory = engine.exciting_trajectory(robot, duration=duration, harmonics=harmonics, progress=_fraction(job))
    return Motion(robot, trajectory, engine.excitation(robot, trajectory))


def identify(entries: Sequence[Entry], robot: Robot, options: Options, job: Job) -> Outcome:
    """Read recordings and identify the parameters of a robot; raises RecordingError, EngineError or Cancelled."""
    report = _fraction(job)
    fit, validate = ([entry for entry in entries if entry.use == use] for use in (FIT, VALIDATE))
    read = [_read(entry, k, len(fit) + len(validate), job) for k, entry in enumerate((*fit, *validate))]
    training, validation = split(read[: len(fit)], read[len(fit) :], options.hold_out)
    report(LOADING)
    found = engine.identify(
        training,
        robot,
        validation=validation,
        friction=options.friction,
        offsets=options.offsets,
        rotor=options.rotor,
        payload=options.payload,
        currents=options.currents,
        couplings=options.drives(robot),
        cutoff=options.cutoff or None,
        progress=lambda done: report(LOADING + (1 - LOADING) * done),
    )
    held = [f"{entry.name}, held out" for entry in fit] if options.hold_out > 0 else []
    names = (*(entry.name for entry in fit), *(f"{entry.name}, held out" for entry in validate), *held)
    return Outcome(found, robot, names)


def _read(entry: Entry, k: int, count: int, job: Job) -> Recording:
    """Return the recording of an entry; raises RecordingError with the name of a file that cannot be read."""
    if not isinstance(entry.source, Path):
        return entry.source

    def progress(done: int, total: int) -> None:
        job.progress(round(TICKS * LOADING * (k + done / max(total, 1)) / count), TICKS)

    return engine.load_recording(entry.source, progress, job.cancelled)


def split(fit: Sequence[Recording], validate: Sequence[Recording], hold_out: float) -> tuple[list[Recording], list[Recording]]:
    """Return recordings to fit, and those held out: whole ones, and the last `hold_out` per cent of those to fit.

    Raises RecordingError for a recording that is too short.
    """
    if hold_out <= 0.0:
        return list(fit), list(validate)
    parts = []
    for recording in fit:
        cut = round(len(recording) * (1.0 - hold_out / 100.0))
        if cut < LEAST or len(recording) - cut < LEAST:
            raise RecordingError(f"the recording has {len(recording)} samples, too few to hold out {hold_out:g} % of them")
        parts.append((_part(recording, 0, cut), _part(recording, cut, len(recording))))
    return [first for first, _ in parts], [*validate, *(last for _, last in parts)]


def _part(recording: Recording, first: int, last: int) -> Recording:
    """Rows from `first` to before `last`, at their times."""
    table = recording.table(first, last)
    span = {"every": 1, "start": float(recording.t[first]), "end": float(recording.t[last - 1])}
    return Recording.from_table(table, recording.joint_names, {**recording.metadata, EXCERPT: span}, recording.remarks)


# -- example -----------------------------------------------------------------------------------------------------------------


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
    """Return the real arm, which is heavier than in its file and has more friction."""
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


def simulate_measurement(robot: Robot, motion: Trajectory, _job: Job) -> Recording:
    """Return the motion that sensors measure on the true arm under computed torque with the model of the file."""
    from armature.engine.identification.simulated_measurement import simulated_measurement  # numba

    return simulated_measurement(true_arm(robot), motion, model=robot, seed=SEED)


def other_motion(robot: Robot) -> Trajectory:
    """Return a motion for validation, through random poses at half the speed that the limits allow."""
    rng = np.random.default_rng(SEED)
    home = robot.configurations["home"]
    far = np.where(robot.prismatic, 0.15, 0.8)
    low, high = np.maximum(robot.q_min, home - far), np.minimum(robot.q_max, home + far)
    poses = rng.uniform(low, high, (POINTS, robot.n))
    way = engine.spline(np.vstack([home, poses, home]), np.ones(POINTS + 1))
    return way.scaled(1.0 / engine.MotionLimits.of(robot, 0.5).stretch(way, jerk=False))


def compare_models(robot: Robot, identified: Robot, job: Job) -> Comparison:
    """Return the errors of the true arm on a motion that neither model was fitted to, by controller model; raises Cancelled."""
    arm, way, law = true_arm(robot), other_motion(robot), engine.default_gains(robot, LAW)
    models = {"file": robot, "identified": identified, "true": arm}
    kinds = {unit: joints for unit, joints in (("mrad", ~robot.prismatic), ("mm", robot.prismatic)) if joints.any()}
    errors, t = {}, np.zeros(0)
    for k, (name, model) in enumerate(models.items()):
        job.check()
        job.progress(k, len(models))
        run = engine.simulate(arm, way.start, np.zeros(robot.n), way.duration, STEP, law, trajectory=way, model=model)
        t = run.t
        off = 1e3 * (run.q - way.sample(t)[0])
        errors[name] = np.column_stack([np.linalg.norm(off[:, joints], axis=1) for joints in kinds.values()])
    return Comparison(t, errors, tuple(kinds))
