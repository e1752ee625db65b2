"""The six joints that bring a frame to a pose, of a chain whose other joints are held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.kinematics.continuation.all_solutions import Chain, PoseSolutions, generic_poses
from armature.engine.kinematics.continuation.complex_chain import ROW, chain_rows
from armature.engine.kinematics.search.search_problem import chain
from armature.engine.model.robot import Robot


@dataclass(frozen=True, eq=False)
class SixJoints:
    """A chain of joints to a frame: `joints` their indices in q, `moving` `(6,)` which of these move, the others being held.

    `X` `(n, 4, 4)` is each joint's placement in the one before, `X_F` the frame on the last; `turns` which joints turn; `size`
    the arm's reach in m.
    """

    joints: tuple[int, ...]
    moving: np.ndarray
    X: np.ndarray
    X_F: np.ndarray
    turns: np.ndarray
    size: float

    @property
    def six(self) -> list[int]:
        """Indices in q of those that move."""
        return [self.joints[i] for i in self.moving]

    def merged(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Placements `(6, 4, 4)` of the six joints, and of the frame on the last, with the others held at q `(n,)`."""
        if len(self.moving) == len(self.joints):
            return self.X, self.X_F
        placed, X = [], np.eye(4)
        for i, X_i in enumerate(self.X):
            X = X @ X_i
            if i in self.moving:
                placed.append(X)
                X = np.eye(4)
            else:
                X = X @ _moved(q[self.joints[i]], bool(self.turns[i]))
        return np.array(placed), X @ self.X_F

    @cached_property
    def chain(self) -> Chain:
        """The chain in units of its own length, for continuation."""
        scale = np.ones((4, 4))
        scale[:3, 3] = 1 / self.size
        return Chain(chain_rows(self.X * scale, ~self.turns, self.X_F * scale), np.array(self.moving, np.int64))

    @property
    def generic_poses(self) -> tuple[PoseSolutions, ...]:
        """Starting poses of the continuation paths, computed at first use in tenths of a second."""
        return _generic_poses(self.chain.rows.tobytes(), self.chain.moving.tobytes())

    def chain_pose(self, T: np.ndarray) -> np.ndarray:
        """A pose `(4, 4)` as `chain` has them `(12,)`."""
        return np.concatenate([T[:3, :3].ravel(), T[:3, 3] / self.size])

    def chain_positions(self, q: np.ndarray) -> np.ndarray:
        """Convert positions `(…, n)` of all joints to those of `chain`."""
        return q[..., list(self.joints)] / self._unit

    def positions(self, q: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Convert positions `(K, 6)` of `chain` to those `(K, n)` of all joints, the others as in `held` `(n,)`."""
        out = np.repeat(held[None], len(q), axis=0)
        out[:, self.six] = (q * self._unit)[:, self.moving]
        return out

    @property
    def _unit(self) -> np.ndarray:
        return np.where(self.turns, 1.0, self.size)


@lru_cache(maxsize=64)
def _generic_poses(rows: bytes, moving: bytes) -> tuple[PoseSolutions, ...]:
    """By what the chain is built like, so that other loads, limits and copies of an arm cost nothing."""
    return generic_poses(Chain(np.frombuffer(rows).reshape(-1, ROW), np.frombuffer(moving, np.int64)))


def _moved(q: float, turns: bool) -> np.ndarray:
    X = np.eye(4)
    if turns:
        X[0, 0] = X[1, 1] = np.cos(q)
        X[1, 0], X[0, 1] = np.sin(q), -np.sin(q)
    else:
        X[2, 3] = q
    return X


def held_joints(robot: Robot, fixed: Mapping[str, float] | None) -> dict[str, float]:
    """The joints that a caller holds, by name, and at which value, rad or m. Raises EngineError."""
    held = {}
    for name, value in (fixed or {}).items():
        if name not in robot.joint_names:
            raise EngineError(f"{robot.name}: fixed has an unknown joint {name!r}; valid: {', '.join(robot.joint_names)}")
        try:
            held[name] = float(value)
        except (TypeError, ValueError):
            held[name] = np.nan
        if not np.isfinite(held[name]):
            raise EngineError(f"{robot.name}: fixed[{name!r}] is {value!r}, not a finite number of rad or m")
    return held


@lru_cache(maxsize=32)
def six_joints(robot: Robot, frame: str | None, held: tuple[str, ...]) -> SixJoints:
    """The six joints on the way to a frame, those named being held.

    Raises:
        EngineError where there are more or fewer; UnknownFrameError.
    """
    F, tree = robot.frame(frame), robot.tree
    bodies = chain(robot, F)
    joints = tuple(robot.joint_bodies.index(body) for body in bodies)
    names = [robot.joint_names[i] for i in joints]
    for name in held:
        if name not in names:
            raise EngineError(
                f"{robot.name}: “fixed” contains joint {name!r}, which does not move this frame; valid: {', '.join(names)}"
            )
    moving = [i for i, name in enumerate(names) if name not in held]
    move = "move this frame" if not held else "can move this frame while the other joints are fixed"
    if len(moving) > 6:
        hold = f"fix {len(moving) - 6} of them with fixed=, for example {names[moving[2]]}"
        raise EngineError(
            f"{robot.name}: {len(moving)} joints {move}, but all IK solutions are listed for six joints only; {hold}"
        )
    if len(moving) < 6:
        raise EngineError(f"{robot.name}: {len(moving)} joints {move}, but all IK solutions are listed for six joints only")
    X = np.array([tree.bodies[b].X_PJ for b in bodies])
    turns = np.array([not tree.prismatic[b] for b in bodies])
    return SixJoints(joints, np.array(moving), X, F.X_BF, turns, robot.reach)
