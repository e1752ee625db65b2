"""Inverse dynamics of many states on all cores, beside Pinocchio's `rneaInParallel` on as many threads."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from armature import engine
from armature.engine.batching import WORKERS
from tests.benchmarks.row import Row, seconds
from tests.benchmarks.timing import race
from tests.peers import to_pinocchio

STATES = 20_000


def rows() -> list[Row]:
    """Time per state of one batch call."""
    robot = engine.load_robot("panda").without_friction()
    model, _ = to_pinocchio(robot)
    pool = pin.ModelPool(model, WORKERS)
    q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, STATES, robot.n))
    columns = [np.asfortranarray(part.T) for part in (q, qd, qdd)]
    tau = np.empty((robot.n, STATES), order="F")
    taken = race(
        {
            "ours": lambda: engine.rnea(robot, q, qd, qdd),
            "peer": lambda: pin.rneaInParallel(WORKERS, pool, *columns, tau),
        },
        rounds=25,
        round_seconds=0.1,
    )
    ratio = taken["peer"] / taken["ours"]
    ours, theirs = (seconds(taken[name] / STATES) for name in ("ours", "peer"))
    title = f"rnea per state, {STATES:,} states, {WORKERS} threads, panda"
    return [Row(title, ours, f"{theirs} Pinocchio", ratio, "5x Pinocchio's rneaInParallel", ratio >= 5)]
