"""Positioning part of an arm: two or three joints and the point they move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.poses import frame_pose
from armature.engine.model.body import Frame
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot
from armature.engine.singularities.joint_axes import JointAxes
from armature.engine.singularities.map_curves import sign_curves

_SAMPLES = 1 << 16
_POSES = 8  # random ones, at which independence is judged
_RANK = 1e-6  # of the largest singular value


@dataclass(frozen=True, eq=False)
class Positioning:
    """Positioning part: `joints` (two or three, base first) of a `robot` move the point C; the others are at `q` `(n,)`.

    `centre`: name of C; `frame`: frame with origin C; `rows`: the coordinates in W that count, all or two in the plane in which C
    moves; `is_shell`: True if two joints move C on a surface that is no plane.
    """

    robot: Robot
    q: np.ndarray
    joints: tuple[int, ...]
    centre: str
    frame: str
    rows: np.ndarray
    is_shell: bool

    @classmethod
    def of(cls, robot: Robot, q: np.ndarray, joints: tuple[int, ...] | None, frame: str | None) -> Positioning:
        """Return the positioning part of an arm, see `singular_surfaces`. Raises EngineError without one."""
        F = robot.frame(frame)
        chain = robot.chain(F)
        centre, name = F, "tool" if frame in (None, robot.tool) else f"origin of {frame}"
        if len(chain) > 4 and (hub := _wrist_centre(robot, q, frame, chain)) is not None:
            centre, name = hub, "wrist centre"
        arm = replace(robot, frames={**robot.frames, "positioned": centre})
        poses = np.random.default_rng(0).uniform(*joint_ranges(robot), (_POSES, robot.n))
        V = jacobian(arm, np.concatenate([poses, q[None]]), "positioned")[:, :3]
        if joints is not None:
            chosen = tuple(sorted(joints))
            if len(chosen) not in (2, 3) or len(set(chosen)) != len(chosen) or not set(chosen) <= set(chain):
                raise EngineError(f"{robot.name}: joints = {joints!r} must be two or three different joints of {list(chain)}")
            if _rank(V[:, :, chosen]) < len(chosen):
                raise EngineError(f"{robot.name}: joints {[j + 1 for j in chosen]} do not move the {name} independently")
        else:
            chosen = ()
            for j in chain:
                if len(chosen) < 3 and _rank(V[:, :, [*chosen, j]]) > len(chosen):
                    chosen += (j,)
            if len(chosen) < 2:
                raise EngineError(f"{robot.name}: fewer than two joints move the {name}, so there is no surface")
        kept = np.argsort(-np.abs(V[:, :, chosen]).max(axis=(0, 2)), kind="stable")[: len(chosen)]
        is_shell = len(chosen) == 2 and np.linalg.matrix_rank(np.concatenate(list(V[:, :, chosen]), axis=1), _RANK) > 2
        return cls(arm, q, chosen, name, "positioned", np.sort(kept), bool(is_shell))

    def at(self, positions: np.ndarray) -> np.ndarray:
        """Poses q `(…, n)` for positions `(…, 2 or 3)` of the positioning joints."""
        q = np.broadcast_to(self.q, (*positions.shape[:-1], self.robot.n)).copy()
        q[..., list(self.joints)] = positions
        return q

    def points(self, positions: np.ndarray) -> np.ndarray:
        """Position of C `(…, 3)`, m in W."""
        q = self.at(positions)
        return frame_pose(self.robot, q.reshape(-1, self.robot.n), self.frame)[:, :3, 3].reshape(*q.shape[:-1], 3)

    def ranges(self) -> np.ndarray:
        """Lower and upper limits `(2, k)` of the positioning joints."""
        low, high = joint_ranges(self.robot)
        return np.stack([low[list(self.joints)], high[list(self.joints)]])

    def volume(self, positions: np.ndarray) -> np.ndarray:
        """det ∂C/∂q `(N,)` of `rows` at positions `(N, k)`."""
        J = jacobian(self.robot, self.at(positions), self.frame)
        return np.linalg.det(J[:, self.rows][:, :, list(self.joints)])

    def singular_lines(self, resolution: int) -> list[np.ndarray]:
        """Zeros of `volume`: polylines `(K, 2)` in the last two of three joints, or points `(1, 1)` of the last of two."""
        low, high = self.ranges()
        first = 0.5 * (low[0] + high[0])
        if len(self.joints) == 2:
            side = np.linspace(low[1], high[1], 8 * resolution)
            values = self.volume(np.column_stack([np.full_like(side, first), side]))
            small = np.abs(values) < 1e-12 * np.abs(values).max()
            change = np.flatnonzero((values[:-1] * values[1:] < 0) & ~small[:-1] & ~small[1:])
            roots = self._roots(first, side[change, None], side[change + 1, None])
            return [x[None] for x in np.concatenate([side[small, None], roots]) if not self._is_twin(x[None])]
        x, y = np.linspace(low[1], high[1], resolution), np.linspace(low[2], high[2], resolution)
        grid = np.stack(np.meshgrid([first], x, y, indexing="ij"), axis=-1).reshape(-1, 3)
        values = self.volume(grid).reshape(resolution, resolution)
        signs = np.where(np.abs(values) < 1e-13 * np.abs(values).max(), 0, np.sign(values)).astype(int)
        lines = sign_curves(x, y, signs, lambda edges: self._roots(first, edges.a, edges.b), apart=True)
        return sorted((line for line in lines if not self._is_twin(line)), key=lambda line: (-len(line), *line[0]))

    def _is_twin(self, line: np.ndarray) -> bool:
        """True if a joint without limits is at −180° along the line `(K, k − 1)`, which is listed at +180°, too."""
        j = list(self.joints[1:])
        endless = ~self.robot.prismatic[j] & np.isinf(self.robot.q_min[j]) & np.isinf(self.robot.q_max[j])
        return bool((endless & (np.abs(line + np.pi) < 1e-9).all(axis=0)).any())

    def _roots(self, first: float, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Zeros of det between a and b `(E, k − 1)` by 50 bisections."""
        if not len(a):
            return a
        whole = lambda x: np.column_stack([np.full(len(x), first), x])  # noqa: E731
        rising = self.volume(whole(b)) > 0
        for _ in range(50):
            middle = 0.5 * (a + b)
            beyond = ((self.volume(whole(middle)) > 0) == rising)[:, None]
            a, b = np.where(beyond, a, middle), np.where(beyond, middle, b)
        return 0.5 * (a + b)

    def swept(self, line: np.ndarray, resolution: int) -> np.ndarray:
        """Positions `(K, S, k)` of a line in the last joints, swept by the first joint through its range; S = 1: its middle."""
        low, high = self.ranges()
        first = np.linspace(low[0], high[0], resolution) if resolution > 1 else np.array([0.5 * (low[0] + high[0])])
        return np.concatenate(
            [np.broadcast_to(first[None, :, None], (len(line), len(first), 1)), np.repeat(line[:, None], len(first), axis=1)],
            axis=2,
        )

    def limit_sides(self, resolution: int) -> Iterator[tuple[str, np.ndarray]]:
        """Yield name and positions `(S, S, k)`, `(1, S, 2)` for two joints, of each joint limit."""
        low, high = self.ranges()
        real = np.stack([self.robot.q_min[list(self.joints)], self.robot.q_max[list(self.joints)]])
        shape = (1, resolution) if len(self.joints) == 2 else (resolution, resolution)
        for k, j in enumerate(self.joints):
            for side, word in enumerate(("lower", "upper")):
                if np.isfinite(real[side, k]):
                    standing = self.grid(resolution, {k: (low, high)[side][k]})
                    yield f"{self._name(j)} at its {word} limit", standing.reshape(*shape, len(self.joints))

    def _name(self, j: int) -> str:
        name = self.robot.joint_names[j]
        return f"joint {j + 1}" if name == f"joint{j + 1}" else name

    def grid(self, resolution: int, held: dict[int, float] | None = None) -> np.ndarray:
        """Positions on a grid over the ranges of the positioning joints; `held` maps their indices to fixed positions."""
        low, high = self.ranges()
        sides = [np.linspace(a, b, resolution) for a, b in zip(low, high)]
        for k, value in (held or {}).items():
            sides[k] = np.array([value])
        return np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1)

    def samples(self) -> np.ndarray:
        """Sobol samples `(N, k)` of the positioning joints."""
        from scipy.stats import qmc  # half a second to import, and only this needs it

        low, high = self.ranges()
        return low + qmc.Sobol(len(low), rng=0).random(_SAMPLES) * (high - low)


def _rank(V: np.ndarray) -> int:
    sigma = np.linalg.svd(V, compute_uv=False)
    return int((sigma > _RANK * np.maximum(sigma[:, :1], _RANK)).sum(axis=1).max())


def _wrist_centre(robot: Robot, q: np.ndarray, frame: str | None, chain: tuple[int, ...]) -> Frame | None:
    """Intersection of the last three axes, as a frame on the link before them; None unless they intersect at every pose."""
    found = []
    for pose in (q, q + 0.3):
        axes = JointAxes.at(robot, pose, frame)
        centre = axes.centres[0] if axes.centres and axes.centres[0].group == chain[-3:] else None
        if centre is None:
            return None
        base = frame_pose(replace(robot, frames={**robot.frames, "before": Frame(chain[-4], np.eye(4))}), pose, "before")
        found.append(base[:3, :3].T @ (centre.point - base[:3, 3]))
    if np.linalg.norm(found[1] - found[0]) > 1e-3 * robot.characteristic_length:
        return None
    X = np.eye(4)
    X[:3, 3] = found[0]
    return Frame(chain[-4], X)
