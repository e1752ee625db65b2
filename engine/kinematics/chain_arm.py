"""Arms that replace a robot: the chain of a frame alone, and an arm with a task along the world's axes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from armature.engine.kinematics.task import axes_frame, base_rotation, is_turned
from armature.engine.model.body import PRISMATIC, REVOLUTE, Body, Frame
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import TASK_AXES, Robot


@dataclass(frozen=True, eq=False)
class ChainArm:
    """An arm without mimic joints whose tool is a frame of a robot; `joints` `(k,)` are the indices of its joints in q there."""

    robot: Robot
    joints: np.ndarray

    def within(self, q: np.ndarray, there: np.ndarray) -> np.ndarray:
        """q `(…, n)` of the whole robot with its chain's joints at `there` `(…, k)`."""
        whole = np.array(np.broadcast_to(q, (*there.shape[:-1], q.shape[-1])))
        whole[..., self.joints] = there
        return whole


def chain_arm(robot: Robot, frame: str | None) -> ChainArm | None:
    """The arm that moves a frame; None where a joint on the way to it copies another, or no joint moves it.

    Raises UnknownFrameError.
    """
    name = robot.tool if frame is None else frame
    chain = robot.chain(robot.frame(name))
    if not chain or (robot.coupling is not None and not set(chain) <= set(robot.joint_bodies)):
        return None
    if len(chain) == robot.n and robot.coupling is None:
        return ChainArm(robot, np.arange(robot.n))
    known = _KNOWN.setdefault(robot, {})
    if name not in known:
        known[name] = _cut(robot, name, chain)
    return known[name]


_KNOWN: WeakKeyDictionary[Robot, dict[str, ChainArm]] = WeakKeyDictionary()


def _cut(robot: Robot, name: str, chain: tuple[int, ...]) -> ChainArm:
    joints = np.array([robot.body_joints[body] for body in chain], np.int64)
    places = {-1: -1} | {body: k for k, body in enumerate(chain)}
    bodies = [replace(robot.bodies[body], parent=places[robot.bodies[body].parent]) for body in chain]
    frames = {key: replace(F, body=places[F.body]) for key, F in robot.frames.items() if F.body in places}
    arm = replace(
        robot,
        bodies=tuple(bodies),
        joint_names=tuple(robot.joint_names[j] for j in joints),
        links={key: frames[key] for key in robot.links if key in frames},
        frames=frames,
        tool=name,
        q_min=robot.q_min[joints],
        q_max=robot.q_max[joints],
        qd_max=robot.qd_max[joints],
        qdd_max=robot.qdd_max[joints],
        tau_max=robot.tau_max[joints],
        configurations={key: q[joints] for key, q in robot.configurations.items()},
        coupling=None,
        dh=None,
        link_parents={key: on for key, on in robot.link_parents.items() if key in frames and on in frames},
        flange="",
        fingers=(),
        visuals=(),
        collisions=(),
        ignored_contacts=(),
    )
    vars(arm)["reach"] = robot.reach  # one radian counts as many metres in the part as in the whole
    return ChainArm(arm, read_only(joints, np.int64))


_FREE = "free "  # names the joints that stand for free coordinates


@dataclass(frozen=True, eq=False)
class WorldAxesArm:
    """A `robot` whose `rows` along the world's axes lose rank where the task of another does, which has its first n joints.

    `locked` are the joints that are fixed at 0.
    """

    robot: Robot
    rows: np.ndarray
    locked: tuple[int, ...]

    def pose(self, q: np.ndarray) -> np.ndarray:
        """The pose `(…, k)` of this arm at which it is as singular as the other at q `(…, n)`."""
        there = np.concatenate([q, np.zeros((*q.shape[:-1], self.robot.n - q.shape[-1]))], axis=-1)
        there[..., list(self.locked)] = 0.0
        return there

    def pose_of_other(self, there: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Pose `(n,)` of the original arm for one `(k,)` of this arm; the locked joints are as in q."""
        result = np.array(there[: len(q)])
        held = [j for j in self.locked if j < len(q)]
        result[held] = q[held]
        return result


def world_axes_arm(robot: Robot, frame: str | None, rows: np.ndarray) -> WorldAxesArm | None:
    """The arm that is as singular, without mimic joints like the robot; None where the task's axes make no difference.

    Along the base's axes: the arm on a base turned so that these are the world's. Along the arm's: the same with the first joint
    at 0, for the rows do not change with it. Along the tool's: joints at the frame's origin move it in the free coordinates, and
    all six rows count; [J V] loses rank where the rows of J that V leaves do.
    """
    if not is_turned(robot, rows):
        return None
    F = robot.frame(frame)
    if robot.task_axes == "tool":
        return _with_free_coordinates(robot, F, [row for row in range(len(TASK_AXES)) if row not in rows])
    R = base_rotation(robot, F).T
    bodies = tuple(replace(body, X_PJ=_turned(R, body.X_PJ)) if body.parent < 0 else body for body in robot.bodies)
    first = axes_frame(robot, F).body
    locked = () if first < 0 else (first,)
    return WorldAxesArm(_plain(robot, bodies, robot.joint_names, F, locked), rows, locked)


def _with_free_coordinates(robot: Robot, F: Frame, free: list[int]) -> WorldAxesArm:
    bodies, at, X = list(robot.bodies), F.body, F.X_BF
    for row in free:
        turn = np.eye(4)
        turn[:3, :3] = np.roll(np.eye(3), (row + 1) % 3, axis=0)  # z along the axis of the row
        bodies.append(Body(at, PRISMATIC if row < 3 else REVOLUTE, X @ turn))
        at, X = len(bodies) - 1, turn.T
    names = (*robot.joint_names, *(_FREE + TASK_AXES[row] for row in free))
    locked = tuple(range(robot.n, len(bodies)))
    return WorldAxesArm(_plain(robot, tuple(bodies), names, Frame(at, X), locked), np.arange(len(TASK_AXES)), locked)


def _plain(robot: Robot, bodies: tuple[Body, ...], names: tuple[str, ...], tool: Frame, locked: tuple[int, ...]) -> Robot:
    more = len(names) - robot.n
    low, high = np.append(robot.q_min, np.zeros(more)), np.append(robot.q_max, np.zeros(more))
    low[list(locked)] = high[list(locked)] = 0.0
    free = np.full(len(names), np.inf)
    limits: dict[str, Any] = {"q_min": low, "q_max": high, "qd_max": free, "qdd_max": free, "tau_max": free}
    frames = {"base": Frame(-1, np.eye(4)), "tool": tool}
    made = replace(
        robot,
        bodies=bodies,
        joint_names=names,
        links=frames,
        frames=frames,
        tool="tool",
        task_axes="world",
        configurations={},
        dh=None,
        flange="",
        fingers=(),
        link_parents={},
        visuals=(),
        collisions=(),
        ignored_contacts=(),
        **limits,
    )
    vars(made)["reach"] = robot.reach
    return made


def _turned(R: np.ndarray, X: np.ndarray) -> np.ndarray:
    Y = np.array(X)
    Y[:3] = R @ X[:3]
    return Y
