"""Inverse kinematics of random reachable poses of the Panda, beside the time TRAC-IK publishes for that arm."""

from __future__ import annotations

import importlib.util
import time

import numpy as np

from armature import engine
from tests.benchmarks.row import Row, seconds
from tests.engine.six_joint_arms import DH, dh_arm

POSES = 10_000
TOLERANCE = 1e-6
RATE = 0.995
TRAC_IK = 0.38e-3
"""Mean over 10,000 random reachable poses of the Panda at 1e-5, 99.70 % of them solved; TRAC-IK's readme, version 1.4.6, on its
makers' machine."""


def rows() -> list[Row]:
    """Poses solved within limits and the time of single calls, from random starts; then a batch, and all branches of the Puma."""
    robot = engine.load_robot("panda")
    targets = engine.frame_pose(robot, _random(robot))
    engine.ik(robot, targets[0])
    taken, solved = np.empty(POSES), 0
    for k, X in enumerate(targets):
        started = time.perf_counter()
        found = engine.ik(robot, X, tolerance=TOLERANCE)
        taken[k] = time.perf_counter() - started
        solved += found.success and _holds(robot, found.q, X)
    median, late = np.quantile(taken, [0.5, 0.95])
    title = f"ik, {POSES:,} random reachable poses, panda"
    published = f"{seconds(TRAC_IK)} mean, TRAC-IK as published"
    rate = solved / POSES
    return [
        Row(f"{title}: solved at {TOLERANCE:.0e} within limits", f"{rate:.2%}", bar=f"{RATE:.1%} or more", passed=rate >= RATE),
        Row(f"{title}: median of single calls", seconds(median), published, TRAC_IK / median),
        Row(f"{title}: mean", seconds(taken.mean()), published, TRAC_IK / taken.mean()),
        Row(f"{title}: 95 % of calls within", seconds(late)),
        _batch(robot, targets),
        *_branches(),
    ]


def _random(robot) -> np.ndarray:
    return np.random.default_rng(2024).uniform(robot.q_min, robot.q_max, (POSES, robot.n))


def _holds(robot, q, X) -> bool:
    """Whether q is within limits and takes the pose, by forward kinematics."""
    Y = engine.frame_pose(robot, q)
    angle = np.linalg.norm(X[:3, :3] - Y[:3, :3]) / np.sqrt(2)  # of a small rotation
    return bool(
        (q >= robot.q_min).all() and (q <= robot.q_max).all() and np.hypot(angle, np.linalg.norm((X - Y)[:3, 3])) <= TOLERANCE
    )


def _batch(robot, targets) -> Row:
    started = time.perf_counter()
    engine.ik(robot, targets, tolerance=TOLERANCE)
    return Row(f"ik per pose, one call for {POSES:,}, panda", seconds((time.perf_counter() - started) / POSES))


def _branches() -> list[Row]:
    """Time per pose of all branches, in closed form and without, beside ssik where that is installed."""
    puma = engine.load_robot("puma560")
    forms = {"in closed form, puma560": (puma, (puma.dh.alpha, puma.dh.a, puma.dh.d)), "of jaco": (dh_arm("jaco"), DH["jaco"])}
    return [_all_branches(what, robot, *table) for what, (robot, table) in forms.items()]


def _all_branches(what: str, robot, alpha, a, d) -> Row:
    targets = engine.frame_pose(robot, np.random.default_rng(2024).uniform(-np.pi, np.pi, (300, robot.n)))
    ours = _each(lambda X: engine.ik_all(robot, X), targets)
    found, late = f"all branches {what}", f"95 % within {seconds(float(np.quantile(ours, 0.95)))}"
    here = f"{seconds(float(np.median(ours)))}, {late}"
    if importlib.util.find_spec("ssik") is None:
        return Row(found, here)
    import ssik  # a referee, no part of the extras

    peer = ssik.Manipulator.from_dh(alpha, a, d)
    peer.prepare()  # up to a minute, once per machine
    theirs = float(np.median(_each(lambda X: peer.solve(X, respect_limits=False), targets)))
    return Row(found, here, f"{seconds(theirs)} median, ssik", theirs / float(np.median(ours)))


def _each(solve, targets) -> np.ndarray:
    """Seconds that each target takes."""
    solve(targets[0])
    taken = []
    for X in targets:
        started = time.perf_counter()
        solve(X)
        taken.append(time.perf_counter() - started)
    return np.array(taken)
