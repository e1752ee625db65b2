"""The reachable cloud with manipulability, beside the loop one would write with Pinocchio."""

from __future__ import annotations

import time

import numpy as np
import pinocchio as pin

from armature import engine
from tests.benchmarks.row import Row, seconds
from tests.peers import to_pinocchio

SAMPLES = 1_000_000
LOOP = 10_000
BAR = 2.0


def rows() -> list[Row]:
    """Seconds for a million samples of the Puma 560; the loop is timed over fewer and scaled up."""
    robot = engine.load_robot("puma560")
    engine.workspace(robot, samples=1000, quantity="manipulability", seed=0)
    started = time.perf_counter()
    engine.workspace(robot, samples=SAMPLES, quantity="manipulability", seed=0)
    ours = time.perf_counter() - started
    theirs = _loop(robot) * SAMPLES / LOOP
    title = f"workspace, {SAMPLES:,} samples with manipulability, puma560"
    return [Row(title, seconds(ours), f"{seconds(theirs)} Pinocchio in a loop", theirs / ours, f"under {BAR:g} s", ours < BAR)]


def _loop(robot) -> float:
    model, data = to_pinocchio(robot)
    tool, axes = model.getFrameId(robot.tool), pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    rng, points, values = np.random.default_rng(0), np.empty((LOOP, 3)), np.empty(LOOP)
    started = time.perf_counter()
    for k, q in enumerate(rng.uniform(robot.q_min, robot.q_max, (LOOP, robot.n))):
        J = pin.computeFrameJacobian(model, data, q, tool, axes)
        points[k] = data.oMf[tool].translation
        values[k] = np.prod(np.linalg.svd(J, compute_uv=False))
    return time.perf_counter() - started
