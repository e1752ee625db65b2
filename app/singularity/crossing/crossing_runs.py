"""`CrossingRuns`: one straight path through a singular pose, followed in three ways, as the window compares them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from armature import engine
from armature.app.state.units import Units, grouped, number, significant
from armature.engine import Robot
from armature.engine.errors import enumeration
from armature.engine.kinematics.chain_arm import chain_arm
from armature.engine.kinematics.task import path_task
from armature.engine.rounding import cleared

METHODS = {
    "pseudo_inverse": "Pseudo-inverse",
    "damped": "Damped",
    "damped_null_space": "Damped, null space",
}
DIRECTIONS = {"lost": "Along the lost direction", "x": "Along x", "y": "Along y", "z": "Along z"}
MIDDLES = {"nearest": "Nearest singular pose", "here": "This pose"}
NO_SINGULAR_POSE = "No singular pose is within the joint limits and half a turn of this pose. Select “This pose” instead."
STEPS = 400
ALIKE = 1.2  # speeds closer than this factor are the same to people
RACING = 1000.0  # a ratio of speeds that is not worth a number
ASIDE = 0.05  # rad or m: a joint that is farther off is at another pose
ON_PATH = 0.01  # of the path's length, and rad: a tool that is no farther off is at its pose
ASTRAY = 0.25  # of the path's length: an error that means that the path was left


@dataclass(frozen=True, eq=False)
class CrossingRequest:
    """A path: keys of MIDDLES and DIRECTIONS, length in m, duration in s."""

    middle: str
    direction: str
    length: float
    duration: float


@dataclass(frozen=True, eq=False)
class CrossingRuns:
    """Rows are METHODS, columns of `(3, N)` the times `t` `(N,)`.

    `speed` `(3, N)` is that of the fastest joint: as a share of its speed limit where all joints have one (`limited`), else in
    rad/s, sliding joints counted per characteristic length: the largest from a time to the next. `peaks` `(3,)` are the largest
    of them, `joints` whose they are and `peak_speeds` the same in rad/s or m/s. `error` `(3, N)` in m, `turn_error` `(3,)` rad
    at most. `poses` `(3, N, n_links, 4, 4)`. `aside` `(n,)`, rad or m, is how far half way the pseudo-inverse has the joints from
    those of the pose where the tool is at its place, such as a wrist turned against itself; 0s where it is not.
    """

    robot: Robot
    requested: CrossingRequest
    t: np.ndarray
    speed: np.ndarray
    error: np.ndarray
    turn_error: np.ndarray
    peaks: np.ndarray
    joints: tuple[int, ...]
    peak_speeds: np.ndarray
    limited: bool
    poses: np.ndarray
    aside: np.ndarray

    def sentence(self, units: Units) -> str:
        """What the comparison says."""
        fast, damped, free = (self.speed_words(k, units) for k in range(3))
        ratio, errors = self.peaks[0] / max(self.peaks[1], 1e-9), cleared(self.error.max(axis=1), self.requested.length)
        if ratio < ALIKE and errors.max() < ASTRAY * self.requested.length:
            return (
                f"This path does not need the lost motion; peak speed {fast}. "
                "Try another direction, or a pose slightly off the singular one." + self._aside_words(units)
            )
        start = "The arm cannot follow this path to its end. " if errors[1] >= ASTRAY * self.requested.length else ""
        first = f"Peak speed: pseudo-inverse {fast}, {rounded(ratio)} times as fast as damping ({damped})."
        if ratio < ALIKE:
            first = f"Peak speed: with pseudo-inverse {fast}, with damping {damped}."
        if self.peaks[0] > RACING * self.peaks[1]:
            first = f"Peak speed: with pseudo-inverse {fast}, more than any motor can reach; with damping {damped}."
        off = [length_words(error, units) for error in errors]
        second = f" Path error: pseudo-inverse {off[0]}, damping {off[1]}."
        if ratio >= ALIKE and errors[1] > errors[0]:
            second = f" Damping has a path error of {off[1]}."
        third = f" With null-space motion: {free}, path error {off[2]}." if self._differs() else ""
        return start + first + second + third + self._aside_words(units)

    def _aside_words(self, units: Units) -> str:
        """That the arm passes the tool's pose with other joint positions, and which; "" where it does not."""
        names = zip(self.robot.joint_names, self.aside, self.robot.prismatic, strict=True)
        parts = [f"{name} by {units.text(float(by), slides)}" for name, by, slides in names if abs(by) > ASIDE]
        return f" Halfway in time, the tool pose is reached with other joint positions: {enumeration(parts)}." if parts else ""

    def _differs(self) -> bool:
        return abs(self.peaks[2] - self.peaks[1]) > 0.03 * self.peaks[1]

    def speed_words(self, k: int, units: Units) -> str:
        """The peak speed of method k with its joint."""
        return f"{self.robot.joint_names[self.joints[k]]} at {self.peak_words(k, units)}"

    def peak_words(self, k: int, units: Units) -> str:
        """The peak speed of method k with its unit."""
        slides = bool(self.robot.prismatic[self.joints[k]])
        return f"{rounded(self.peak_speeds[k] * units.factor(slides))} {units.symbol(slides)}/s"

    def error_words(self, k: int, units: Units) -> str:
        """The largest errors of method k."""
        words = length_words(cleared(self.error[k].max(), self.requested.length), units)
        turn = self.turn_error[k] * units.factor(False)
        return f"{words}, {significant(turn, 2)}{units.suffix(False)}" if self.turn_error[k] > 1e-4 else words


def length_words(value: float, units: Units) -> str:
    """A length, small ones in mm."""
    if units.length == "m" and value >= 1.0:
        return f"{number(value, 2)} m"
    return f"{significant(1000 * value, 2) if value < 0.01 else round(1000 * value)} mm"


def rounded(value: float) -> str:
    """Two or three digits, without a power of ten; what no joint does is not told in digits."""
    if value >= 1e5:
        return f"over {grouped(1e5)}"
    return grouped(value) if value >= 100 else significant(value, 3 if value >= 1 else 2)


def reason_against(robot: Robot) -> str:
    """Why no path can be led through a singularity of this robot; empty where one can."""
    if not set(path_task(robot)) & set("xyz"):
        return f"{robot.name} can only rotate its tool, so it has no straight path."
    if chain_arm(robot, None) is None:
        return f"{robot.name} has mimic joints between base and tool. Crossing a singularity is not supported for them."
    return ""


def cross(robot: Robot, q: np.ndarray, requested: CrossingRequest, job) -> CrossingRuns | None:
    """All three runs of the path near q `(n,)`, in a background thread; None where it was cancelled."""
    middle = q
    if requested.middle == "nearest":
        found = engine.nearest_singularity(robot, q)
        if found is None:
            raise engine.EngineError(NO_SINGULAR_POSE)
        middle = found.q
    runs = []
    direction = _direction(robot, middle, requested)
    for k, method in enumerate(METHODS):
        job.progress(k, len(METHODS))
        if job.cancelled():
            return None
        run, direction = _run(robot, middle, requested, method, direction)
        runs.append(run)
    return _compared(robot, requested, runs, middle)


def _direction(robot: Robot, middle: np.ndarray, requested: CrossingRequest) -> np.ndarray | None:
    """The unit direction `(3,)` in W; None where no linear motion is lost."""
    if requested.direction != "lost":
        return np.eye(3)["xyz".index(requested.direction)]
    lost = engine.singularity(robot, middle).lost_twist[:3]
    return lost / np.linalg.norm(lost) if np.linalg.norm(lost) > 1e-6 else None


def _run(robot: Robot, middle: np.ndarray, requested: CrossingRequest, method: str, direction):
    """The run and its direction: the path is walked the other way round where its beginning is out of reach."""
    options: dict[str, Any] = {
        "length": requested.length,
        "duration": requested.duration,
        "dt": requested.duration / STEPS,
        "method": method,
    }
    try:
        return engine.cross_singularity(robot, middle, direction, **options), direction
    except engine.EngineError:
        if direction is None:
            raise
        try:
            return engine.cross_singularity(robot, middle, -direction, **options), -direction
        except engine.EngineError:
            pass
        raise


def _compared(robot: Robot, requested: CrossingRequest, runs, middle: np.ndarray) -> CrossingRuns:
    limited = bool(np.isfinite(robot.qd_max).all())
    unit = robot.qd_max if limited else np.where(robot.prismatic, robot.characteristic_length, 1.0)
    peaks = np.array([run.peak_speed / unit for run in runs])
    joints = peaks.argmax(axis=1)
    return CrossingRuns(
        robot=robot,
        requested=requested,
        t=runs[0].t,
        speed=np.array([(run.fastest / unit).max(axis=1) for run in runs]),
        error=np.array([run.position_error for run in runs]),
        turn_error=np.array([run.orientation_error.max() for run in runs]),
        peaks=peaks.max(axis=1),
        joints=tuple(map(int, joints)),
        peak_speeds=np.array([run.peak_speed[j] for run, j in zip(runs, joints, strict=True)]),
        limited=limited,
        poses=np.array([engine.link_poses(robot, run.q) for run in runs]),
        aside=_aside(robot, requested, runs[0], middle),
    )


def _aside(robot: Robot, requested: CrossingRequest, run, middle: np.ndarray) -> np.ndarray:
    """Joints half way less those of the middle `(n,)`, whole turns left out; 0s where the tool is not at its pose there."""
    half = STEPS // 2
    off = max(run.position_error[half] / requested.length, run.orientation_error[half])
    by = run.q[half] - middle
    by = np.where(robot.prismatic, by, (by + np.pi) % (2 * np.pi) - np.pi)
    return by if off < ON_PATH else np.zeros_like(by)
