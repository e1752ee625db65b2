"""Checks the sentences of singularity causes against the axes themselves, with geometry of its own."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np

from armature import engine
from armature.engine.model.robot import Robot
from armature.engine.singularities.singularity_losses import SAME

SLACK = 3e-4  # rad and of the arm's length: what the sentences count as exact is 1e-4
AXES = r"ax[ei]s ((?:\d+(?:, | and |))+)"
SLIDES = r"ax[ei]s of prismatic joints? ((?:\d+(?:, | and )?)+)"
POINT = rf"the (tool|wrist centre|shoulder centre|intersection of {AXES})"


def numbers(text: str) -> list[int]:
    return [int(k) - 1 for k in re.findall(r"\d+", text)]


class Claims:
    """The axes of an arm at q as lines; `confirm(condition)` counts the clauses it knows and asserts each of them."""

    def __init__(self, robot: Robot, q: np.ndarray):
        poses = engine.link_poses(robot, q)
        carried = [next(k for k, f in enumerate(robot.links.values()) if f.body == i) for i in range(robot.n)]
        hang = [list(robot.links.values())[k].X_BF for k in carried]
        X = [poses[k] @ np.linalg.inv(h) for k, h in zip(carried, hang)]
        self.z, self.p = np.array([x[:3, 2] for x in X]), np.array([x[:3, 3] for x in X])
        self.tool, self.size = engine.frame_pose(robot, q)[:3, 3], robot.characteristic_length

    def off(self, i: int, x: np.ndarray) -> float:
        return float(np.linalg.norm(np.cross(self.z[i], x - self.p[i]))) / self.size

    def meeting(self, joints: list[int]) -> np.ndarray:
        """The point nearest to all the axes."""
        M = [np.eye(3) - np.outer(self.z[j], self.z[j]) for j in joints]
        x = np.linalg.lstsq(np.vstack(M), np.concatenate([m @ self.p[j] for m, j in zip(M, joints)]), rcond=None)[0]
        assert max(self.off(j, x) for j in joints) < SLACK
        return x

    def point(self, name: str) -> np.ndarray:
        n = len(self.z)
        if name == "tool":
            return self.tool
        return self.meeting({"wrist centre": [n - 3, n - 2, n - 1], "shoulder centre": [0, 1, 2]}.get(name) or numbers(name))

    def one_plane(self, joints: list[int], x: np.ndarray | None = None) -> bool:
        ends = [e for j in joints for e in (self.p[j], self.p[j] + self.size * self.z[j])] + ([] if x is None else [x])
        spread = (np.array(ends) - ends[0]) / self.size
        return np.linalg.svd(spread, compute_uv=False)[2] < SLACK

    def parallel(self, joints: list[int]) -> bool:
        return all(np.linalg.norm(np.cross(self.z[i], self.z[j])) < SLACK for i, j in combinations(joints, 2))

    def confirm(self, condition: str) -> int:
        known = 0
        for joints in re.findall(rf"{AXES} are collinear", condition):
            i, j = numbers(joints)
            assert self.parallel([i, j]) and self.off(i, self.p[j]) < SLACK, condition
            known += 1
        for joints, plane in re.findall(rf"{AXES} are parallel( and coplanar)?", condition):
            assert self.parallel(numbers(joints)) and (not plane or self.one_plane(numbers(joints))), condition
            slides = [j for named in re.findall(SLIDES, condition) for j in numbers(named)]
            assert plane or len(numbers(joints)) + len(slides) > 3, condition
            known += 1
        for joints, slides in re.findall(rf"{AXES} are parallel and the {SLIDES} (?:is|are) normal to them", condition):
            assert np.abs(self.z[numbers(slides)] @ self.z[numbers(joints)[0]]).max() < SLACK, condition
        for joints, plane in re.findall(rf"{AXES} (are coplanar and )?intersect at one point", condition):
            self.meeting(numbers(joints))
            assert not plane or self.one_plane(numbers(joints)), condition
            known += 1
        for point, _, axis in re.findall(rf"{POINT} is on axis (\d+)", condition):
            assert self.off(int(axis) - 1, self.point(point)) < SLACK, condition
            known += 1
        for point, _, joints in re.findall(rf"{POINT} is in the plane of {AXES}", condition):
            assert self.one_plane(numbers(joints), self.point(point)), condition
            known += 1
        for point, _, axis, beside in re.findall(rf"{POINT} is in the plane through axis (\d+) parallel to {AXES}", condition):
            i, x = int(axis) - 1, self.point(point)
            assert self.parallel(numbers(beside)), condition
            normal = np.cross(self.z[i], self.z[numbers(beside)[0]])
            assert abs(normal @ (x - self.p[i])) < SLACK * self.size * np.linalg.norm(normal), condition
            known += 1
        for joints, point, _ in re.findall(rf"ax[ei]s ((?:\d+(?:, | and ))+){POINT} are coplanar", condition):
            assert self.one_plane(numbers(joints), self.point(point)) and self.parallel(numbers(joints)), condition
            known += 1
        for slide, axis, point, _ in re.findall(rf"joint (\d+) is normal to the plane of axis (\d+) and {POINT}", condition):
            i, j = int(axis) - 1, int(slide) - 1
            normal = np.cross(self.z[i], self.point(point) - self.p[i])
            assert np.linalg.norm(np.cross(self.z[j], normal)) < SLACK * self.size, condition
            known += 1
        for slide, axes in re.findall(rf"joint (\d+) is normal to the plane of the parallel {AXES}", condition):
            i, j = numbers(axes)
            normal = np.cross(self.z[i], self.p[j] - self.p[i])
            assert self.parallel([i, j]) and np.linalg.norm(np.cross(self.z[int(slide) - 1], normal)) < SLACK * self.size
            known += 1
        for slides in re.findall(r"prismatic joints ([\d, and]+) are parallel$", condition):
            assert self.parallel(numbers(slides))
            known += 1
        for slides in re.findall(r"prismatic joints ([\d, and]+) are parallel to one plane", condition):
            assert np.linalg.svd(self.z[numbers(slides)], compute_uv=False)[2] < SLACK
            known += 1
        return known


def confirm_loss(robot: Robot, q: np.ndarray, cause, rows: list[int]) -> None:
    """What the cause says is lost, no joint velocity does."""
    J = engine.jacobian(robot, q)
    arm = cause.point - engine.frame_pose(robot, q)[:3, 3]
    at_point = J.copy()
    at_point[:3] -= np.cross(arm, J[3:].T).T
    v, w = cause.lost_twist[:3], cause.lost_twist[3:]
    size = max(np.abs(J[:3]).max(), 1.0)
    if "with a fixed" in cause.loss or "in place" in cause.loss:
        _, sigma, Vt = np.linalg.svd(at_point[:3])
        still = Vt[int(np.sum(sigma > 1e-6 * size)) :]
        assert np.abs(w @ J[3:] @ still.T).max(initial=0.0) < 1e-3
    elif "rotate about" in cause.loss:
        assert np.abs(w @ J[3:]).max() < 1e-3
    elif "without rotating" in cause.loss:
        _, sigma, Vt = np.linalg.svd(J[3:])
        straight = Vt[int(np.sum(sigma > 1e-6)) :]
        assert np.abs(v @ J[:3] @ straight.T).max(initial=0.0) < 1e-3 * size
    elif "cannot move along" in cause.loss:
        assert np.abs(v @ at_point[:3]).max() < 1e-3 * size
    else:
        assert cause.loss in SAME or (cause.loss == "one of its motions is lost" and len(rows) > robot.n)
