"""All solutions of six joints for a pose: in closed form or by continuation, refined, without duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.kinematics.closed_form.position_branches import SixAxes, six_axes
from armature.engine.kinematics.closed_form.wrist_branches import closed_branches
from armature.engine.kinematics.continuation.all_solutions import all_solutions
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.search.search_problem import Problem
from armature.engine.kinematics.six_joints import SixJoints, six_joints
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import TASK_AXES, Robot

_LOST = 1e-5  # smallest singular value, rad and lengths of the arm, below which joints may move alone
_HOLDS = 1e-10  # m and rad that the tool may be off on the way
_TRY, _STEP, _LEAST = 0.02, 0.1, 1e-3  # rad and lengths
_MUCH = 0.3  # of what the joint moves that moves most
_JUMP = 5.0  # times as far as its joint has any other gone: to another branch, not along


def along_self_motion(
    problem: Problem, frame: str | None, T: np.ndarray, q: np.ndarray, near: np.ndarray
) -> tuple[np.ndarray, tuple[int, ...]]:
    """Move the solution q `(n,)` of the pose T along its self-motion; return it and the indices of the joints that move.

    Of the joints in a null vector of the Jacobian, the first with a large part moves to its value in `near`, or as near as the
    others can compensate; then, with it held, the next, until none is left. If no joint moves, q is an isolated double solution
    and is returned unchanged.
    """
    free: list[int] = []
    unit = np.where(problem.robot.prismatic, problem.length, 1.0)
    while (v := _null_vector(problem, frame, q)) is not None:
        i = int(np.argmax(np.abs(v) > _MUCH * np.abs(v).max()))
        goal = near[i] if problem.robot.prismatic[i] else q[i] + (near[i] - q[i] + np.pi) % (2 * np.pi) - np.pi
        held = _held(problem, i, q[i])
        ahead = 1.0 if goal >= q[i] else -1.0
        if not any(_moved(held, T, q, i, side * _TRY * unit[i]) is not None for side in (ahead, -ahead)):
            break
        free.append(i)
        step = _STEP * unit[i]
        while abs(goal - q[i]) > 1e-12 and step > _LEAST * unit[i]:
            there = _moved(held, T, q, i, float(np.clip(goal - q[i], -step, step)))
            if there is None:
                step /= 4
            else:
                q = there
        problem = _held(problem, i, q[i])
    return q, tuple(sorted(free))


def _null_vector(problem: Problem, frame: str | None, q: np.ndarray) -> np.ndarray | None:
    """Joint motion `(n,)` of the joints not held that does not move the tool, rad and lengths; None without one."""
    unit = np.where(problem.robot.prismatic, problem.length, 1.0)
    J = jacobian(problem.robot, q, frame)
    J = np.vstack([J[:3] / problem.length, J[3:]]) * unit
    loose = np.flatnonzero((problem.low < problem.high) & J.any(axis=0))
    if not loose.size:
        return None
    _, s, Vt = np.linalg.svd(J[:, loose])
    if loose.size <= 6 and s[-1] > _LOST:
        return None
    v = np.zeros(len(q))
    v[loose] = Vt[-1]
    return v


def _held(problem: Problem, i: int, value: float) -> Problem:
    low, high = problem.low.copy(), problem.high.copy()
    low[i] = high[i] = value
    return replace(problem, low=low, high=high)


def _moved(problem: Problem, T: np.ndarray, q: np.ndarray, i: int, by: float) -> np.ndarray | None:
    """Solution next to q `(n,)` with the held joint i moved by `by`; None without one."""
    start = q.copy()
    start[i] += by
    found = _held(problem, i, start[i]).search(T[None], start[None], _HOLDS / 100, 0, 0)
    unit = np.where(problem.robot.prismatic, problem.length, 1.0)
    near = np.abs((found.q[0] - q) / unit).max() <= _JUMP * abs(by) / unit[i]
    return found.q[0] if found.error[0] <= _HOLDS and near else None


_EDGE = 1e-9  # rad and m past a limit that are rounding


@dataclass(frozen=True, eq=False)
class Branch(Frozen):
    """One IK solution of a pose.

    `q` `(n,)`: joint positions, rad or m. `name`: such as "shoulder left, elbow up, wrist no flip", or "branch 3" for other arms.
    `within_limits`: True if all joints are within their limits; `beyond`: names of the joints that are not. `free`: names of the
    joints that can vary at this singular pose while others compensate, empty at other poses; they have the value of q0 or the
    nearest possible one. `error`: remaining error of the pose, as in `IKResult`: a norm with 1 rad counted as 1 m. `collides`:
    names of the pair in the deepest contact, () without contact, or if no cell was given.
    """

    q: np.ndarray
    name: str
    within_limits: bool
    beyond: tuple[str, ...]
    free: tuple[str, ...]
    error: float
    collides: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Solution:
    """A branch in the making: q `(n,)`, its error, m and rad, and the indices of joints that are free."""

    q: np.ndarray
    error: float
    free: tuple[int, ...] = ()


def branch(robot: Robot, found: Solution, name: str) -> Branch:
    """The solution as users get it, under a name."""
    beyond = tuple(j for j, a, x, b in zip(robot.joint_names, robot.q_min, found.q, robot.q_max, strict=True) if not a <= x <= b)
    free = tuple(robot.joint_names[i] for i in found.free)
    return Branch(read_only(found.q), name, not beyond, beyond, free, found.error)


def rename_branch(robot: Robot, given: Branch, name: str, near: np.ndarray) -> Branch:
    """Return the branch under another name, with angles on the turn nearest to `near` `(n,)`."""
    free = tuple(robot.joint_names.index(joint) for joint in given.free)
    return branch(robot, Solution(wound(robot, given.q[None], near)[0], given.error, free), name)


def distinct_names(names: Sequence[str]) -> list[str]:
    """Names with a number appended to those that occur more than once."""
    several, seen = Counter(names), Counter[str]()
    out = []
    for name in names:
        seen[name] += 1
        out.append(f"{name} ({seen[name]})" if several[name] > 1 else name)
    return out


def wound(robot: Robot, q: np.ndarray, near: np.ndarray) -> np.ndarray:
    """q `(N, n)` plus full turns: each angle within its limits, or least beyond them, and nearest to `near` `(n,)`."""
    first = q + 2 * np.pi * np.round((near - q) / (2 * np.pi))
    turns = first + 2 * np.pi * np.arange(-3, 4)[:, None, None]
    past = np.maximum(np.maximum(robot.q_min - turns, turns - robot.q_max), 0.0)
    cost = np.where(past < _EDGE, 0.0, 1e6 * past) + np.abs(turns - near)
    out = np.where(robot.prismatic, q, np.take_along_axis(turns, cost.argmin(axis=0)[None], axis=0)[0])
    inside = np.clip(out, robot.q_min, robot.q_max)
    return np.where(np.abs(out - inside) < _EDGE, inside, out)


def difference(robot: Robot, q: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The shortest way of every joint from q `(n,)` to others `(…, n)`, rad and m."""
    d = others - q
    return np.where(robot.prismatic, d, (d + np.pi) % (2 * np.pi) - np.pi)


def apart(robot: Robot, q: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How far q is from each of the others `(K, n)`, rad and m, whole turns apart counting as none."""
    return np.abs(difference(robot, q, others)).max(axis=1, initial=0.0)


_EXACT, _TOLERANCE = 1e-9, 1e-10  # error, m and rad, that a branch may have, and up to which it is led
_SAME = 1e-6  # rad and m: branches nearer than this are one
_BLURRED = 4e-6  # the same of singular ones, which rounding leaves that far from where they are
_SHARP = 1e-13  # the tolerance of these
_DOUBLE, _ROUNDING = 1e-3, 1e-14  # largest distance of two that are one double solution, and the error in their middle
_FAMILY = 0.05  # rad and m: members of one family nearer than this are one
_STARTS = 8  # random ones of a search for singular solutions


@dataclass(frozen=True, eq=False)
class PoseBranches:
    """Solver for the poses of a frame: `six`, the closed form or None; `problem`, the search that refines solutions.

    `near` `(n,)` has the turn that angles are given near to, the value of free joints, and that of the joints which are held.
    """

    robot: Robot
    frame: str | None
    joints: SixJoints
    six: SixAxes | None
    problem: Problem
    near: np.ndarray

    @classmethod
    def of(cls, robot: Robot, frame: str | None, near: np.ndarray, held: Mapping[str, float]) -> PoseBranches:
        """Return the solver of a frame with some joints held, by name. Raises EngineError, UnknownFrameError."""
        joints = six_joints(robot, frame, tuple(sorted(held)))
        stays = np.isin(robot.joint_names, list(held))
        near = np.where(stays, [held.get(name, 0.0) for name in robot.joint_names], near)
        X, X_6F = joints.merged(near)
        six = six_axes(X, X_6F, tuple(bool(joints.turns[i]) for i in joints.moving), joints.size)
        if six is None and not joints.generic_poses:
            raise EngineError(
                f"{robot.name}: in every pose the six joints move this frame in five directions at most, "
                "so the number of IK solutions is not finite"
            )
        problem = Problem.of(robot, frame, TASK_AXES).without_limits()
        problem = replace(problem, low=np.where(stays, near, problem.low), high=np.where(stays, near, problem.high))
        return cls(robot, frame, joints, six, problem, near)

    def at(self, T: np.ndarray) -> list[Solution]:
        """All solutions for the pose T `(4, 4)` of the frame."""
        return self._by_continuation(T) if self.six is None else self._in_closed_form(self.six, T)

    def _in_closed_form(self, six: SixAxes, T: np.ndarray) -> list[Solution]:
        moving = self.joints.six
        parts = closed_branches(six, T, self.near[moving])
        q = np.repeat(self.near[None], len(parts), axis=0)
        q[:, moving] = [part.q for part in parts] or np.empty((0, 6))
        return self._sharpened(T, q, [tuple(moving[i] for i in part.free) for part in parts])

    def _by_continuation(self, T: np.ndarray) -> list[Solution]:
        joints = self.joints
        A, given = joints.chain_pose(T), joints.chain_positions(self.near)
        given[joints.moving] = 0.0
        met = all_solutions(joints.chain, joints.generic_poses, A.astype(complex), given.astype(complex))
        regular = self._sharpened(T, joints.positions(met.q, self.near))
        if not len(met.near):
            return regular
        singular = self._singular(T, joints.positions(met.near, self.near), regular)
        return self._merged(T, regular + [s for s in singular if not s.free]) + [s for s in singular if s.free]

    def _singular(self, T: np.ndarray, stuck: np.ndarray, regular: list[Solution]) -> list[Solution]:
        """Return the singular solutions: double solutions, two about to become one, and of families with a fixed frame the
        members nearest to `near`.

        The search starts where paths got `stuck` `(M, n)`, and from random positions.
        """
        moving, robot = self.joints.six, self.robot
        random = np.repeat(self.near[None], _STARTS, axis=0)
        span = np.where(robot.prismatic, self.joints.size / 2, np.pi)[moving]
        random[:, moving] += np.random.default_rng(0).uniform(-span, span, (_STARTS, 6))
        found = self._sharpened(T, np.vstack([stuck, random]), tolerance=_SHARP)
        known = np.array([s.q for s in regular]).reshape(-1, robot.n)
        fresh = [s for s in self._merged(T, found) if not (apart(robot, s.q, known) < _BLURRED).any()]
        families: list[Solution] = []
        isolated: list[Solution] = []
        for s in fresh:
            q, free = along_self_motion(self.problem, self.frame, T, s.q, self.near)
            (families if free else isolated).append(Solution(q, s.error, free))
        # a family may have more members than the one that is returned
        members = self._distinct(families, _FAMILY)
        q = np.array([s.q for s in members]).reshape(-1, robot.n)
        return isolated + self._sharpened(T, q, [s.free for s in members])

    def _merged(self, T: np.ndarray, solutions: list[Solution]) -> list[Solution]:
        """Merge pairs of solutions that are one double solution up to rounding into their middle.

        There less is left of the way to T than at either, while from the middle of two different solutions a search ends at one
        of them, or nowhere.
        """
        kept: list[Solution] = []
        for s in solutions:
            for k, other in enumerate(kept):
                between = difference(self.robot, s.q, other.q)
                length = np.abs(between).max()
                if length < _BLURRED or (length < _DOUBLE and max(s.error, other.error) > 100 * _SHARP):
                    kept[k] = min(s, other, key=lambda one: one.error)
                    break
                if length < _DOUBLE:
                    middle, tolerance = s.q + 0.5 * between, max(s.error, other.error, _ROUNDING)
                    found = self.problem.search(T[None], middle[None], tolerance, 0, 0)
                    if found.error[0] <= tolerance and np.abs(found.q[0] - middle).max() < 0.25 * length:
                        kept[k] = Solution(found.q[0], float(found.error[0]))
                        break
            else:
                kept.append(s)
        return kept

    def _sharpened(
        self, T: np.ndarray, q: np.ndarray, free: list[tuple[int, ...]] | None = None, tolerance: float = _TOLERANCE
    ) -> list[Solution]:
        """Different ones of q `(N, n)` that lead to T, each on the turn next to `near` and led there from where rounding left it,
        or axes that are not quite as parallel or crossing as a closed form takes them to be."""
        if not len(q):
            return []
        found = self.problem.search(np.repeat(T[None], len(q), axis=0), q, tolerance, 0, 0)
        turned = wound(self.robot, found.q, self.near)
        exact = np.flatnonzero(found.error <= _EXACT)
        return self._distinct([Solution(turned[k], float(found.error[k]), free[k] if free else ()) for k in exact], _SAME)

    def _distinct(self, solutions: list[Solution], same: float) -> list[Solution]:
        kept: list[Solution] = []
        for s in solutions:
            if not kept or apart(self.robot, s.q, np.array([other.q for other in kept])).min() >= same:
                kept.append(s)
        return kept
