"""Number of joints of an arm for its task, and the motions that no pose allows because there are too few."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from weakref import WeakKeyDictionary

import numpy as np

from armature.engine.kinematics.poses import body_axes, frame_pose
from armature.engine.kinematics.task import RANK_TOLERANCE, in_axes, kept_rank, scaled_jacobian, task_axes_at
from armature.engine.model.robot import Robot
from armature.engine.singularities.joint_axes import JointAxes
from armature.engine.singularities.singularity_losses import direction_words

ALONG, ABOUT, STRAIGHT = "along", "about", "straight"
"""Kinds of motion: along a direction with any rotation, rotation with any translation, along a direction without rotation."""

_WORDS = {ALONG: "no motion along {}", ABOUT: "no rotation about {}", STRAIGHT: "no motion along {} without rotation"}
_SAMPLES = 6  # poses; what holds at that many random ones holds at all, for J is analytic in q
_SAME = 1e-7  # of a unit vector outside a space that contains it
_NEW = 1e-3  # of a unit vector outside those already named


@dataclass(frozen=True, eq=False)
class Impossible:
    """Motion that the tool cannot make at any pose: its `kind`, name `words` and unit `direction` `(3,)` in W at one pose."""

    kind: str
    words: str
    direction: np.ndarray


@dataclass(frozen=True, eq=False)
class Freedom:
    """`joints` that move a frame for a task of as many `coordinates`; `rank` of the task Jacobian where no pose is singular.

    `named`: kinds and names of motions that no pose allows; `nameless`: the number of further ones by kind.
    """

    joints: int
    coordinates: int
    rank: int
    named: tuple[tuple[str, str], ...]
    nameless: dict[str, int]


def freedom(robot: Robot, frame: str | None, rows: np.ndarray) -> Freedom:
    """Return the `Freedom` of an arm for a task, computed once from random poses."""
    known = _FOUND.setdefault(robot, {})
    key = (robot.tool if frame is None else frame, *rows.tolist())
    if key not in known:
        known[key] = _found(robot, frame, rows)
    return known[key]


def impossible(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray) -> tuple[Impossible, ...]:
    """Motions that the arm cannot make at any pose, at q `(n,)`: with a name, or else with their components in W."""
    what, here = freedom(robot, frame, rows), _Pose(robot, q, frame, rows)
    lines = dict(here.directions())
    found = [Impossible(kind, name, v) for kind, name in what.named if (v := lines[name]) is not None]
    for kind, count in what.nameless.items():
        for _ in range(count):
            taken = [x.direction for x in found if x.kind == kind]
            rest = _beside(here.space(kind), here.implied(kind) + taken)
            if rest.shape[1]:
                found.append(Impossible(kind, f"{direction_words(rest[:, 0])} here", rest[:, 0]))
    return tuple(found)


def freedom_words(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray) -> str:
    """Return "2 joints for 3 coordinates: no motion along the rod." or "7 joints for 6 coordinates: 1 redundant.", or ""."""
    what = freedom(robot, frame, rows)
    if what.joints == what.coordinates == what.rank:
        return ""
    lost = what.named if not any(what.nameless.values()) else [(x.kind, x.words) for x in impossible(robot, q, frame, rows)]
    parts = []
    for kind, text in _WORDS.items():
        names = [name for k, name in lost if k == kind]
        parts += [text.format(" or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names))] if names else []
    if what.joints > what.rank:
        parts.append(f"{what.joints - what.rank} redundant")
    joints = _counted(what.joints, "joint") if what.joints == robot.n else f"{what.joints} of {_counted(robot.n, 'joint')}"
    return f"{joints} for {_counted(what.coordinates, 'coordinate')}: {', '.join(parts)}."


_FOUND: WeakKeyDictionary[Robot, dict[tuple, Freedom]] = WeakKeyDictionary()


def _found(robot: Robot, frame: str | None, rows: np.ndarray) -> Freedom:
    unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
    samples = np.random.default_rng(0).uniform(-2.0, 2.0, (_SAMPLES, robot.n)) * unit
    poses = [_Pose(robot, q, frame, rows) for q in samples]
    rank = max(pose.rank for pose in poses)
    poses = [pose for pose in poses if pose.rank == rank]
    named: list[tuple[str, str]] = []
    nameless = {}
    for kind in _WORDS if rank < len(rows) else ():
        taken = [pose.implied(kind) for pose in poses]
        spaces = [pose.space(kind) for pose in poses]
        left = spaces[0].shape[1] - len(taken[0])
        for lines in zip(*(pose.directions() for pose in poses), strict=True):
            vectors = [v for _, v in lines]
            if left and all(_adds(v, space, known) for v, space, known in zip(vectors, spaces, taken, strict=True)):
                named.append((kind, lines[0][0]))
                left -= 1
                for v, known in zip(vectors, taken, strict=True):
                    known.append(v)
        nameless[kind] = left
    largest = max(robot.characteristic_length, *(float(np.abs(pose.A).max()) for pose in poses))
    moving = np.any([np.abs(pose.A).max(axis=0) > RANK_TOLERANCE * largest for pose in poses], axis=0)
    return Freedom(int(moving.sum()), len(rows), rank, tuple(named), nameless)


def _adds(v: np.ndarray | None, space: np.ndarray, taken: list) -> bool:
    """True if a unit vector is in the space of this basis, but not in the span of the vectors `taken` from it."""
    if v is None or np.linalg.norm(v - space @ (space.T @ v)) > _SAME:
        return False
    known = _range(np.array(taken).reshape(-1, 3).T)
    return bool(np.linalg.norm(v - known @ (known.T @ v)) > _NEW)


class _Pose:
    """Scaled task Jacobian `A` `(m, n)` at one pose, and the wrenches without joint torque: f · v + m · w = 0."""

    def __init__(self, robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray):
        self.robot, self.frame = robot, robot.frame(frame)
        self.A = scaled_jacobian(robot, q, frame, rows)
        U, sigma, _ = np.linalg.svd(self.A)
        self.rank = kept_rank(robot, sigma)
        self._wrenches = np.zeros((6, len(rows) - self.rank))
        self._wrenches[rows] = U[:, self.rank :]
        self._wrenches = in_axes(task_axes_at(robot, q, frame, rows).T, self._wrenches)
        self.z, self.p = body_axes(robot, q)
        self.tool = frame_pose(robot, q, frame)

    def space(self, kind: str) -> np.ndarray:
        """Orthonormal basis `(3, k)` of the directions in which this kind of motion is impossible."""
        f, m = self._wrenches[:3], self._wrenches[3:]
        if kind == ALONG:
            return _range(f @ _null(m))
        return _range(f) if kind == STRAIGHT else _range(m @ _null(f))

    def implied(self, kind: str) -> list[np.ndarray]:
        """Directions that follow from others: no motion along one implies none without rotation."""
        return list(self.space(ALONG).T) if kind == STRAIGHT else []

    def directions(self) -> list[tuple[str, np.ndarray | None]]:
        """Directions with a name, as unit vectors in W; None for an undefined one."""
        joints = [k for k, body in enumerate(self.robot.joint_bodies) if body in self.robot.chain(self.frame)]
        turning = [j for j in joints if not self.robot.prismatic[j]]
        found = [(name, np.eye(3)[k]) for k, name in enumerate("xyz")]
        if turning:
            found.append((self._last_name(turning[-1]), _unit(self._across(turning[-1], self.tool[:3, 3]))))
        next_to = [(i, j) for i, j in pairwise(turning) if j == i + 1]
        found += [(f"link {i + 1}", _unit(self._across(i, self.p[j]))) for i, j in next_to]
        names = JointAxes(self.robot, self.z, self.p, ()).name
        found += [(names((j,)), self.z[j]) for j in joints]
        pairs = combinations(joints, 2)
        found += [(f"the normal of {names(pair)}", _unit(np.cross(*self.z[list(pair)]))) for pair in pairs]
        return found + [(f"the tool's {name}", self.tool[:3, k]) for k, name in enumerate("xyz")]

    def _across(self, i: int, point: np.ndarray) -> np.ndarray:
        """Perpendicular from the axis of joint i to a point."""
        d = point - self.p[i]
        return d - (d @ self.z[i]) * self.z[i]

    def _last_name(self, joint: int) -> str:
        body = self.robot.bodies[self.robot.joint_bodies[joint]]
        alone = self.robot.chain(self.frame)[-1] == self.robot.joint_bodies[joint]
        return "the rod" if alone and body.mass > 0 and not body.inertia.any() else "the last link" if alone else "the arm's end"


def _unit(v: np.ndarray) -> np.ndarray | None:
    size = float(np.linalg.norm(v))
    return v / size if size > _SAME else None


def _range(B: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the span of the columns of B `(m, k)`."""
    U, sigma, _ = np.linalg.svd(B, full_matrices=False)
    return U[:, sigma > _SAME]


def _null(B: np.ndarray) -> np.ndarray:
    """Orthonormal basis `(k, d)` of the null space of B `(m, k)`."""
    _, sigma, Vt = np.linalg.svd(B)
    return Vt[int(np.sum(sigma > _SAME)) :].T


def _beside(space: np.ndarray, taken: list[np.ndarray]) -> np.ndarray:
    """Basis of a space without the span of some of its members."""
    known = _range(np.array(taken).reshape(-1, 3).T)
    rest = space - known @ (known.T @ space)
    U, sigma, _ = np.linalg.svd(rest, full_matrices=False)
    return U[:, sigma > _NEW]


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
