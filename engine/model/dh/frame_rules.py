"""Frames laid by the rules of Denavit and Hartenberg, and the choices that the rules leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from armature.engine.model.dh.dh_extraction import (
    DHDescription,
    Line,
    describe,
    foot_and_length,
    frame_at,
    lines_at_zero,
    row_to,
    start_frame,
)
from armature.engine.model.dh.dh_moves import dh_chain
from armature.engine.model.dh_table import STANDARD, DHTable, translate
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.rotations import rot_x, rot_z

SKEW, CROSSING, PARALLEL, SAME = "skew", "crossing", "parallel", "same"
TABLE, BASE, NORMAL, TURNED = "table", "base", "normal", "turned"
ALONG, AGAINST = "along", "against"
LEVEL, NEXT, JOINT = "level", "next", "joint"
TOOL, STAY = "tool", "stay"
_PARALLEL, _SAME = 1e-9, 1e-9  # sine of an angle, and m, below which there is rounding only


@dataclass(frozen=True, eq=False)
class LaidFrames(Frozen):
    """Frames 0 … n of a chain: `frames` X_WF `(n + 1, 4, 4)` at q = 0, `description` their DH table.

    `pairs`: relation of axes i and i + 1 for frames 1 … n − 1: skew, crossing, parallel or the same line; `options`: valid
    choices for each frame, by name, `chosen` the current one, and `candidates` the frame of each option.
    """

    frames: np.ndarray
    pairs: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    chosen: tuple[str, ...]
    candidates: tuple[tuple[np.ndarray, ...], ...]
    description: DHDescription


def lay_frames(robot: Robot, wanted: Mapping[int, str] | None = None) -> LaidFrames:
    """Lay the frames of the joints that move the tool, by the rules of the standard convention.

    z_i is along the axis of joint i + 1; origin and x of frame i are on the common normal of axes i and i + 1; y_i follows by the
    right hand. The rules leave open the position of frame 0 on its axis, the sign of x for crossing axes, the position of a frame
    on an axis parallel to the previous one, and the relation of the last frame to the tool.

    Args:
        robot: any robot that has a DH table, or whose joints before the tool can have one.
        wanted: for a frame, by number, one of its options: "table", as in the robot's table; frame 0 "base" near the world's
            origin, "turned" with x rotated by a right angle, "normal" at the start of the first common normal; "along" or
            "against" z × z'; "level" with the previous frame, "next" at the start of the next normal, "joint" at the joint's own
            origin; the last frame "tool", with z along the tool's, or "stay" on the previous frame. Invalid options are
            ignored.

    Returns:
        `LaidFrames`; for every choice, its description moves the tool as the robot does.

    Raises:
        ModelError: no joint moves the tool.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 2.8.2.
    """
    return _Layer(robot, wanted or {}).lay()


def frames_of(chain: DHDescription, q: np.ndarray) -> np.ndarray:
    """X_WF of frames 0 … n `(n + 1, 4, 4)` of a standard description at q `(n,)` of its joints."""
    frames = [chain.base]
    for theta, d, a, alpha in chain.table.rows(np.asarray(q, float)):
        frames.append(frames[-1] @ rot_z(theta) @ translate(a, 0.0, d) @ rot_x(alpha))
    return np.array(frames)


class _Layer:
    def __init__(self, robot: Robot, wanted: Mapping[int, str]):
        self._robot, self._wanted = robot, wanted
        self._chain = chain = dh_chain(robot, STANDARD)
        self._table_frames = frames_of(chain, np.zeros(len(chain.joints)))
        self._X_WT, self._axes = lines_at_zero(robot.tree, chain.frame, chain.joints)
        self._longest = 1000 * robot.reach

    def lay(self) -> LaidFrames:
        n, axes = len(self._axes), self._axes
        frames, rows = [np.eye(4)], np.zeros((n, 4))
        options, chosen, candidates, pairs = [], [], [], []
        for k in range(n + 1):
            if k == 0:
                found = self._first()
            elif k < n:
                kind, found = self._between(frames[-1], k)
                pairs.append(kind)
            else:
                found = self._last(frames[-1])
            found = self._with_table(found, k, frames[-1])
            name = self._wanted.get(k, "")
            name = name if name in found else next(iter(found))
            options.append(tuple(found))
            chosen.append(name)
            candidates.append(tuple(found.values()))
            if k == 0:
                frames = [found[name]]
                continue
            rows[k - 1], X = row_to(frames[-1], found[name])
            frames.append(X)
            if k < n:
                axes[k] = Line(axes[k].p, X[:3, 2])  # the drawn direction, for a nearly parallel axis
        theta, d, a, alpha = rows.T
        prismatic = self._chain.table.prismatic
        table = DHTable(STANDARD, a, alpha, d, theta, prismatic)
        tool = np.linalg.inv(frames[-1]) @ self._X_WT
        described = describe(self._robot.tree, self._chain.frame, self._chain.joints, table, frames[0], tool)
        return LaidFrames(np.array(frames), tuple(pairs), tuple(options), tuple(chosen), tuple(candidates), described)

    def _first(self) -> dict[str, np.ndarray]:
        """Frame 0 has its z given, and nothing else."""
        base = start_frame(self._axes[0])
        found = {BASE: base, TURNED: base @ rot_z(np.pi / 2)}
        if len(self._axes) > 1:
            kind, foot, _, _ = self._pair(self._axes[0], self._axes[1])
            if kind in (SKEW, CROSSING):
                found[NORMAL] = frame_at(foot, base[:3, 2], base[:3, 0])
        return _distinct(found)

    def _between(self, X: np.ndarray, k: int) -> tuple[str, dict[str, np.ndarray]]:
        """Frame k, on the normal of the axis of frame k − 1 and its own."""
        axis = self._axes[k]
        kind, _, foot, normal = self._pair(Line(X[:3, 3], X[:3, 2]), axis)
        if kind == SKEW:
            return kind, {ALONG: frame_at(foot, axis.z, normal)}
        if kind == CROSSING:
            ways = {ALONG: frame_at(foot, axis.z, normal), AGAINST: frame_at(foot, axis.z, -normal)}
            return kind, ways
        z = X[:3, 2] * np.sign(axis.z @ X[:3, 2])
        x = X[:3, 0] if kind == SAME else normal
        heights = {LEVEL: X[:3, 3], NEXT: self._next_point(k), JOINT: axis.p}
        places = {name: frame_at(axis.p + ((at - axis.p) @ z) * z, z, x) for name, at in heights.items() if at is not None}
        return kind, _distinct(places)

    def _next_point(self, k: int) -> np.ndarray | None:
        """Start of the next normal on axis k; the tool's origin after the last axis."""
        if k + 1 == len(self._axes):
            return self._X_WT[:3, 3]
        kind, foot, _, _ = self._pair(self._axes[k], self._axes[k + 1])
        return foot if kind in (SKEW, CROSSING) else None

    def _last(self, X: np.ndarray) -> dict[str, np.ndarray]:
        """Frame n: z along the tool's z, or the previous frame, with the rest in the tool's pose."""
        tool = Line(self._X_WT[:3, 3], self._X_WT[:3, 2])
        kind, _, foot, normal = self._pair(Line(X[:3, 3], X[:3, 2]), tool)
        if kind in (SKEW, CROSSING):
            found = {TOOL: frame_at(foot, tool.z, normal if normal @ X[:3, 0] >= 0 or kind == SKEW else -normal)}
        else:
            z = X[:3, 2] * np.sign(tool.z @ X[:3, 2])
            found = {TOOL: frame_at(tool.p, z, self._X_WT[:3, 0] if kind == SAME else normal)}
        return _distinct({**found, STAY: X})

    def _with_table(self, found: dict[str, np.ndarray], k: int, before: np.ndarray) -> dict[str, np.ndarray]:
        """First what the robot's table has: one of the others, or one that the rules allow besides."""
        X = self._table_frames[k]
        same = [name for name, other in found.items() if np.abs(other - X).max() < _SAME * 10]
        if same:
            return {same[0]: found[same[0]], **found}
        if k and not _allowed(before, X, self._axes[k].z if k < len(self._axes) else None):
            return found
        return {TABLE: X, **found}

    def _pair(self, one: Line, other: Line) -> tuple[str, np.ndarray, np.ndarray, np.ndarray]:
        """How two axes lie, where their normal begins and ends, and its direction."""
        across = np.cross(one.z, other.z)
        sine = float(np.linalg.norm(across))
        if sine > _PARALLEL:
            normal = across / sine
            start, a, foot = foot_and_length(one, other, normal)
            if max(np.linalg.norm(start - one.p), np.linalg.norm(foot - other.p)) <= self._longest:
                crossing = abs(a) < _SAME * max(1.0, self._robot.reach)
                return (CROSSING if crossing else SKEW), start, foot, normal if crossing or a > 0 else -normal
        gap = other.p - one.p
        offset = gap - (gap @ one.z) * one.z
        length = float(np.linalg.norm(offset))
        if length < _SAME * max(1.0, self._robot.reach):
            return SAME, one.p, other.p, np.zeros(3)
        return PARALLEL, one.p, other.p, offset / length


def _allowed(before: np.ndarray, X: np.ndarray, z: np.ndarray | None) -> bool:
    """Whether four DH moves lead there."""
    _, there = row_to(before, X)
    return bool(np.abs(there - X).max() < 1e-7 and (z is None or abs(abs(X[:3, 2] @ z) - 1.0) < 1e-7))


def _distinct(found: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Remove frames equal to an earlier one."""
    kept: dict[str, np.ndarray] = {}
    for name, X in found.items():
        if all(np.abs(X - other).max() > _SAME for other in kept.values()):
            kept[name] = X
    return kept
