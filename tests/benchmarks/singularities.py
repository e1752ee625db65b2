"""What the singularity studio asks for while it is looked at: the nearest singularity, the report, a map of two joints."""

from __future__ import annotations

import time
from statistics import median

import numpy as np

from armature import engine
from armature.engine.model.joint_ranges import joint_ranges
from tests.benchmarks.row import Row, seconds

POSES = 300
NEAREST_BAR, MAP_BAR = 10e-3, 100e-3
RESOLUTION = 200


def rows() -> list[Row]:
    """Medians over random poses; none of it has a peer."""
    return [*_nearest(), *_maps()]


def _nearest() -> list[Row]:
    result = []
    for name in ("puma560", "ur5", "panda"):
        robot = engine.load_robot(name)
        poses = np.random.default_rng(0).uniform(*joint_ranges(robot), (POSES, robot.n))
        found = [engine.nearest_singularity(robot, q) for q in poses[:5]]
        taken = median(_timed(engine.nearest_singularity, robot, q) for q in poses)
        bar = f"under {1e3 * NEAREST_BAR:g} ms"
        result.append(Row(f"nearest singularity, {name}", seconds(taken), bar=bar, passed=taken < NEAREST_BAR))
        taken = median(_timed(engine.singularity, robot, near.q) for near in found)
        result.append(Row(f"report with its cause at a singular pose, {name}", seconds(taken)))
    return result


def _maps() -> list[Row]:
    result = []
    for name, i, j in (("puma560", 1, 2), ("panda", 1, 5)):
        robot = engine.load_robot(name)
        q = robot.configurations["home"]
        engine.singularity_map(robot, q, i, j, resolution=RESOLUTION)
        taken = median(_timed(engine.singularity_map, robot, q, i, j, "sigma_min", RESOLUTION) for _ in range(15))
        title = f"map of sigma_min, {RESOLUTION} × {RESOLUTION}, with its zero curves, {name}"
        bar = f"under {1e3 * MAP_BAR:g} ms"
        result.append(Row(title, seconds(taken), bar=bar, passed=taken < MAP_BAR))
    return result


def _timed(function, *arguments) -> float:
    started = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - started
