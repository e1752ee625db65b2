"""Joint axes at one pose: predicates for parallel, collinear, intersecting and coplanar axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from armature.engine.errors import enumeration
from armature.engine.kinematics.poses import body_axes
from armature.engine.model.robot import Robot

NEARLY = 1e-4
"""Tolerance of geometric facts, rad and share of the characteristic length: the precision of robot files."""


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b of two vectors `(3,)`, ten times as fast as `np.cross`."""
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def length(v: np.ndarray) -> float:
    """√(v·v)."""
    return math.sqrt(v @ v)


@dataclass(frozen=True, eq=False)
class JointAxes:
    """Unit vectors `z` and points `p`, both `(n, 3)`, of all axes in W; `chain` the joints that move a frame, base first."""

    robot: Robot
    z: np.ndarray
    p: np.ndarray
    chain: tuple[int, ...]

    @classmethod
    def at(cls, robot: Robot, q: np.ndarray, frame: str | None) -> JointAxes:
        """The axes at q `(n,)` of a robot without mimic joints."""
        return cls(robot, *body_axes(robot, q), robot.chain(robot.frame(frame)))

    def turns(self, *joints: int) -> bool:
        """Whether all of them are revolute."""
        return not any(self.robot.prismatic[i] for i in joints)

    def slides(self, *joints: int) -> bool:
        """Whether all of them are prismatic."""
        return all(self.robot.prismatic[i] for i in joints)

    @property
    def _short(self) -> float:
        return NEARLY * self.robot.characteristic_length

    def parallel(self, *joints: int) -> bool:
        """True if the axes of all these joints are parallel."""
        return all(length(cross(self.z[joints[0]], self.z[j])) < NEARLY for j in joints[1:])

    def parallel_to(self, direction: np.ndarray, *joints: int) -> bool:
        """True if the axes of all these joints are parallel to a vector; False for a vector too short to have a direction."""
        size = length(direction)
        return size > self._short and all(length(cross(self.z[j], direction / size)) < NEARLY for j in joints)

    def normal(self, direction: np.ndarray, *joints: int) -> bool:
        """True if the axes of all these joints are normal to a unit vector."""
        return all(abs(float(self.z[j] @ direction)) < NEARLY for j in joints)

    def carries(self, i: int, point: np.ndarray) -> bool:
        """True if the axis of the revolute joint i contains a point."""
        return length(cross(self.z[i], point - self.p[i])) < self._short

    def meets(self, i: int, point: np.ndarray, direction: np.ndarray) -> bool:
        """True if the axis of the revolute joint i intersects the line through a point along a unit vector not parallel to it."""
        across = cross(self.z[i], direction)
        return abs(float((point - self.p[i]) @ across)) < self._short * length(across)

    def collinear(self, i: int, j: int) -> bool:
        """True if the axes of two revolute joints are the same line."""
        return self.parallel(i, j) and self.carries(i, self.p[j])

    def coplanar(self, *joints: int, point: np.ndarray | None = None) -> bool:
        """True if these axes, and the point, are in one plane."""
        points = [self.p[j] for j in joints] + ([] if point is None else [point])
        spread = [(b - a) / self.robot.characteristic_length for a, b in pairwise(points)]
        return bool(np.linalg.svd(np.array([*spread, *self.z[list(joints)]]), compute_uv=False)[2:].max(initial=0.0) < NEARLY)

    def crossing(self, *joints: int) -> np.ndarray | None:
        """The intersection `(3,)` of these revolute axes; None without one, or for parallel axes.

        x with Σ (1 − z zᵀ)(x − p) = 0
        """
        z, p = self.z[list(joints)], self.p[list(joints)]
        total = len(joints) * np.eye(3) - z.T @ z
        if np.linalg.eigvalsh(total)[0] < NEARLY**2:
            return None
        x = np.linalg.solve(total, p.sum(axis=0) - (z * p).sum(axis=1) @ z)
        return x if all(self.carries(j, x) for j in joints) else None

    @cached_property
    def centres(self) -> tuple[Centre, ...]:
        """Intersections of three consecutive revolute axes, from the tool inwards."""
        found: list[Centre] = []
        for k in range(len(self.chain) - 3, -1, -1):
            triple = self.chain[k : k + 3]
            point = self.crossing(*triple) if self.turns(*triple) else None
            if point is not None and not any(length(point - c.point) < self._short for c in found):
                name = f"intersection of {self.name(triple)}"
                if k in (0, len(self.chain) - 3):
                    name = "shoulder centre" if k == 0 else "wrist centre"
                found.append(Centre(point, triple, name))
        return tuple(found)

    def now(self, centre: Centre, tool: np.ndarray) -> Centre | None:
        """Position at this pose of a point found at another pose; `tool` `(3,)` for a point without axes."""
        point = self.crossing(*centre.group) if centre.group else tool
        return None if point is None else Centre(point, centre.group, centre.name)

    def velocities(self, point: np.ndarray, joints: Sequence[int]) -> np.ndarray:
        """Columns `(3, len(joints))`: velocity of a point at unit speed of each joint, as if the last link carried it."""
        columns = [self.z[j] if self.slides(j) else cross(self.z[j], point - self.p[j]) for j in joints]
        return np.array(columns).reshape(-1, 3).T

    def name(self, joints: Sequence[int], point: str = "") -> str:
        """ "axis 4", "axes 4 and 6", "axes 2, 3 and the tool"; where joints have names, "the axes of phi and theta"."""
        names = self.robot.joint_names
        numbered = all(name == f"joint{k + 1}" for k, name in enumerate(names))
        words = [str(j + 1) if numbered else names[j] for j in sorted(joints)]
        head = "axis" if len(joints) == 1 else "axes"
        return f"{head if numbered else f'the {head} of'} {enumeration([*words, point] if point else words)}"

    def slide_names(self, joints: Sequence[int]) -> str:
        """Return "the axis of prismatic joint 3" or "the axes of prismatic joints 1 and 2"; names where joints have them."""
        names = self.robot.joint_names
        numbered = all(name == f"joint{k + 1}" for k, name in enumerate(names))
        words = enumeration([str(j + 1) if numbered else names[j] for j in sorted(joints)])
        plural = "" if len(joints) == 1 else "s"
        return f"the ax{'is' if len(joints) == 1 else 'es'} of prismatic joint{plural} {words}"


@dataclass(frozen=True, eq=False)
class Centre:
    """Point that rotation about the axes of `group` does not move, and its name."""

    point: np.ndarray
    group: tuple[int, ...]
    name: str


def dependent_sets(A: np.ndarray, joints: Sequence[int], count: int, largest: int) -> list[tuple[tuple[int, ...], np.ndarray]]:
    """The `count` smallest independent dependent sets among the columns of A `(m, n)` with indices `joints`.

    Each with the unit combination `(n,)` of its columns that vanishes; no set holds another. `largest` bounds their size.
    """
    norms = np.linalg.norm(A, axis=0)
    B = A / np.where(norms > 0, norms, 1.0)
    size = norms.max(initial=0.0)
    found: list[tuple[tuple[int, ...], np.ndarray]] = []
    for k in range(1, min(largest, len(joints)) + 1):
        if len(found) >= count:
            break
        sets = [c for c in combinations(joints, k) if not any(set(f) <= set(c) for f, _ in found)]
        if not sets:
            continue
        if k == 1:
            flat, combined = norms[[c[0] for c in sets]] / (size or 1.0), np.ones((len(sets), 1))
        else:
            _, sigma, Vt = np.linalg.svd(B[:, np.array(sets)].transpose(1, 0, 2))
            flat = sigma[:, -1] if k <= len(A) else np.zeros(len(sets))
            combined = Vt[:, -1]
        for s in np.flatnonzero(flat < NEARLY):  # in the joints' order, not that of rounding errors
            if len(found) >= count:
                break
            motion = np.zeros(A.shape[1])
            motion[list(sets[s])] = combined[s] / np.where(norms[list(sets[s])] > 0, norms[list(sets[s])], 1.0)
            motion /= np.linalg.norm(motion)
            if np.linalg.svd(np.array([*[m for _, m in found], motion]), compute_uv=False)[-1] > NEARLY:
                found.append((sets[s], motion))
    return found
