"""All families of singular configurations that an arm has within its limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.chain_arm import ChainArm, chain_arm
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.task import is_turned, row_scale, singular_rows
from armature.engine.model.frozen import Frozen
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.singularities.singular_problem import SingularityProblem, joint_metric
from armature.engine.singularities.singular_search import restore_many
from armature.engine.singularities.singularity import in_whole_robot
from armature.engine.singularities.singularity_causes import Cause, find_causes
from armature.engine.singularities.singularity_patterns import FALLBACKS

_KINDS = ("shoulder", "elbow", "wrist", "slide", "alignment", "line", "general")
_DIRECTIONS = 3  # lowest singular values followed from each start
_CHUNK = 16
_WAYS = 0.5 ** np.arange(6)[:, None]  # shares of the distance home that are tried together
_GLIDES, _GAIN = 60, 1e-5  # most steps towards home, and the least gain of one in rad
_FIXED, _BRANCHES = 1e-4, 3  # rad; most values of a joint in one family that distinguish its branches


@dataclass(frozen=True, eq=False)
class SingularFamily(Frozen):
    """Family of singular configurations with one cause.

    `q` `(n,)` is the member nearest to the home pose, rad or m; `cause` the cause of the singularity; `dimension` the dimension
    of the family in joint space (n − 1 if it divides the joint space); `found` the number of random starts that led to it;
    `fixed` the 0-based indices of the joints that have one position in the whole family.
    """

    q: np.ndarray
    cause: Cause
    dimension: int
    found: int
    fixed: tuple[int, ...]


def singular_families(
    robot: Robot,
    starts: int = 256,
    seed: int = 0,
    frame: str | None = None,
    task=None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> tuple[SingularFamily, ...]:
    """Return the families of singular configurations within the joint limits, in a fixed order.

    From random poses, Newton steps along the directions of low singular values lead to singular poses, as in
    `nearest_singularity`. The results are grouped by their geometric cause. Poses with several causes, where families cross, are
    omitted.

    Args:
        starts: number of random poses, 1 to 100,000.
        seed: seed of the random poses; the same seed gives the same result.
        frame: a name in `robot.frames`; None: the tool.
        task: subset of ("x", "y", "z", "rx", "ry", "rz") along the axes `robot.task_axes`; None: the task of the robot.
        progress: called with (number of starts done, `starts`) from the computing thread.
        cancel: called repeatedly; if it returns True, the families found so far are returned.

    Returns:
        One `SingularFamily` for each family; empty without a singular pose within the limits.

    Raises:
        EngineError (also if a mimic joint moves the frame), UnknownFrameError.
    """
    part = chain_arm(robot, frame)
    if part is not None and part.robot is not robot:
        found = singular_families(part.robot, starts, seed, frame, task, progress, cancel)
        return tuple(_in_whole_robot(family, part, robot) for family in found)
    if isinstance(starts, bool) or not isinstance(starts, (int, np.integer)) or not 1 <= starts <= 100_000:
        raise EngineError(f"starts must be a whole number from 1 to 100,000, not {starts!r}")
    (home,), _ = batching.states(robot, q=robot.configurations["home"])
    rows = singular_rows(robot, task)
    if is_turned(robot, rows):
        raise EngineError(f"{robot.name}: singular families need a task in world axes, not in {robot.task_axes} axes")
    low, high = joint_ranges(robot)
    q0 = np.random.default_rng(seed).uniform(low, high, (starts, robot.n))
    members: dict[tuple[str, ...], list[tuple[np.ndarray, Cause]]] = {}
    for done in range(0, starts, _CHUNK):
        if cancel is not None and cancel():
            break
        for q in _reached(robot, frame, rows, q0[done : done + _CHUNK]):
            causes = find_causes(robot, q, frame, rows)
            if len(causes) == 1:
                members.setdefault(_signature(causes[0]), []).append((q, causes[0]))
        if progress is not None:
            progress(min(done + _CHUNK, starts), starts)
    families = [_family(robot, frame, rows, branch, home[0]) for alike in members.values() for branch in _branches(robot, alike)]
    return tuple(sorted(families, key=_order))


def _in_whole_robot(family: SingularFamily, part: ChainArm, robot: Robot) -> SingularFamily:
    """Family of a part of the robot, with the joints of the whole robot; the others are at home."""
    q = part.within(robot.configurations["home"], family.q)
    fixed = tuple(int(part.joints[j]) for j in family.fixed)
    return replace(family, q=read_only(q), cause=in_whole_robot(family.cause, part, robot.n), fixed=fixed)


def _reached(robot: Robot, frame: str | None, rows: np.ndarray, q0: np.ndarray) -> np.ndarray:
    """Singular poses `(M, n)` within the limits, found from q0 `(N, n)` along the low singular values."""
    arm, found = SingularityProblem(robot, frame, rows).arm(robot.q_min, robot.q_max), []
    for k in range(min(_DIRECTIONS, len(rows), robot.n)):
        out, reached = np.empty_like(q0), np.empty(len(q0))
        restore_many.call(arm, q0, k, out, reached, 0, len(q0))
        found.append(out[np.isfinite(reached)])
    return np.concatenate(found)


def _signature(cause: Cause) -> tuple[str, ...]:
    """Kind, title and conditions that poses of one family share: without those that only list compensating joints."""
    if cause.kind in ("general", "line"):
        return cause.kind, cause.title
    facts = zip(cause.facts, cause.conditions, strict=True)
    return cause.kind, cause.title, *(condition for fact, condition in facts if fact not in FALLBACKS)


def _turned(robot: Robot, values: np.ndarray) -> np.ndarray:
    """Positions `(M, n)` with joints without limits wrapped to −π … π, and those near −π to π."""
    endless = ~robot.prismatic & np.isinf(robot.q_min) & np.isinf(robot.q_max)
    wrapped = np.pi - np.mod(np.pi - values, 2 * np.pi)
    wrapped = np.where(wrapped < -np.pi + _FIXED, wrapped + 2 * np.pi, wrapped)
    return np.where(endless, wrapped, values)


def _branches(robot: Robot, alike: list[tuple[np.ndarray, Cause]]) -> list[list[tuple[np.ndarray, Cause]]]:
    """Members grouped by the joints that have a few separate values among them."""
    values = _turned(robot, np.array([q for q, _ in alike]))
    labels = np.zeros(len(alike), int)
    for k in range(robot.n):
        order = np.sort(values[:, k])
        levels = order[np.concatenate([[True], np.diff(order) > _FIXED])]
        if len(levels) <= _BRANCHES and len(alike) > 2 * len(levels):
            labels = labels * _BRANCHES + np.abs(values[:, k, None] - levels).argmin(axis=1)
    return [[alike[k] for k in np.flatnonzero(labels == label)] for label in np.unique(labels)]


def _family(
    robot: Robot, frame: str | None, rows: np.ndarray, branch: list[tuple[np.ndarray, Cause]], home: np.ndarray
) -> SingularFamily:
    values = _turned(robot, np.array([q for q, _ in branch]))
    dimensions = np.array([family_dimension(robot, q, frame, rows) for q in values])
    usual = int(np.bincount(dimensions).argmax())  # where families touch, the conditions lose rank
    distance = ((values - home) ** 2 * joint_metric(robot)).sum(axis=1)
    k = int(np.where(dimensions == usual, distance, np.inf).argmin())
    fixed = np.flatnonzero(np.ptp(values, axis=0) < _FIXED).tolist() if len(branch) > 1 else []
    q, cause = _glided(robot, frame, rows, (np.clip(values[k], robot.q_min, robot.q_max), branch[k][1]), home, fixed)
    return SingularFamily(read_only(q), cause, usual, len(branch), tuple(fixed))


def _glided(
    robot: Robot, frame: str | None, rows: np.ndarray, member: tuple[np.ndarray, Cause], home: np.ndarray, fixed: list[int]
) -> tuple[np.ndarray, Cause]:
    """Member of a family nearer to home, by repeated steps towards home and back onto the family."""
    metric = joint_metric(robot)
    for _ in range(_GLIDES):
        q, cause = member
        starts = q + _WAYS * (home - q)
        starts[:, fixed] = q[fixed]
        found = _reached(robot, frame, rows, starts)
        left = np.sqrt(((found - home) ** 2 * metric).sum(axis=1))
        now = np.sqrt(((q - home) ** 2 * metric).sum())
        for k in np.argsort(left):
            if left[k] > now - _GAIN:
                return member
            causes = find_causes(robot, found[k], frame, rows)
            alike = len(causes) == 1 and _signature(causes[0]) == _signature(cause)
            if alike and np.all(np.abs(found[k] - q)[fixed] < _FIXED):
                member = found[k], causes[0]
                break
        else:
            return member
    return member


def family_dimension(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray) -> int:
    """n less the rank of the conditions uᵀ (∂A/∂q_l) v_k = 0, with lost directions u and motions v_k without tool motion."""
    scale, n, step = row_scale(robot, rows)[:, None], robot.n, 1e-5
    U, sigma, Vt = np.linalg.svd(jacobian(robot, q, frame)[rows] * scale)
    rank = min(int(np.sum(sigma > 1e-7 * sigma[0])), min(len(rows), n) - 1)
    moved = np.concatenate([q + step * np.eye(n), q - step * np.eye(n)])
    A = jacobian(robot, moved, frame)[:, rows] * scale
    slope = np.einsum("ru,lrc,kc->ukl", U[:, rank:], (A[:n] - A[n:]) / (2 * step), Vt[rank:])
    values = np.linalg.svd(slope.reshape(-1, n), compute_uv=False)
    return n - int(np.sum(values > 1e-6 * robot.characteristic_length))


def _order(family: SingularFamily) -> tuple:
    cause = family.cause
    return _KINDS.index(cause.kind), cause.title, _signature(cause), tuple(np.round(family.q[list(family.fixed)], 4))
