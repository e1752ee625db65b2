"""Distances and verdicts of a Panda among objects, against Pinocchio's loops over coal, on one thread each."""

from __future__ import annotations

import time
from collections.abc import Callable
from unittest import mock

import numpy as np
import pinocchio as pin

from armature import engine
from armature.engine import batching
from armature.engine.contact.arm_contacts import arm_contacts
from armature.engine.model.joint_ranges import joint_ranges
from tests.benchmarks.row import Row, seconds
from tests.benchmarks.timing import race
from tests.engine.contact_peers import pinocchio_geometry
from tests.engine.example_robots import example_files
from tests.engine.test_contacts_of_arms import OBJECTS
from tests.peers import depth_first_order, to_pinocchio

POSES = 100_000
LOOP = 2_000  # poses of the peer's loops, which are scaled up
NEAREST, VERDICT, ONE = 3.0, 1.5, 2e-3


def rows() -> list[Row]:
    """States per second of a Panda with hulls, itself and five objects; and the time of one pose in the window."""
    file = next(file for file in example_files() if file.stem == "panda")
    robot = engine.load_robot(file)
    model, tree = arm_contacts(robot, OBJECTS), robot.tree
    rng, (low, high) = np.random.default_rng(0), joint_ranges(robot)
    q = rng.uniform(low, high, (POSES, robot.n))
    rows = q if robot.coupling is None else robot.coupling.position(q)
    theirs = np.ascontiguousarray(rows[:LOOP, depth_first_order(tree)])
    peer, data = to_pinocchio(tree)
    geometry, _ = pinocchio_geometry(model)
    results = pin.GeometryData(geometry)
    model.nearest(q[:10])
    with mock.patch.object(batching, "WORKERS", 1):
        nearest, verdict = _duration(lambda: model.nearest(q)), _duration(lambda: model.collides(q))
    distances = _duration(lambda: [pin.computeDistances(peer, data, geometry, results, x) for x in theirs]) * POSES / LOOP
    collisions = _duration(lambda: [pin.computeCollisions(peer, data, geometry, results, x, True) for x in theirs]) * POSES / LOOP
    one = race({"collision": lambda: engine.collision(robot, q[0])})["collision"]
    title = f"{POSES:,} poses of the Panda, {len(model.pairs)} pairs"
    return [
        _row(f"nearest pair, {title}", nearest, distances, "computeDistances", NEAREST),
        _row(f"contact or not, {title}", verdict, collisions, "computeCollisions", VERDICT),
        Row("collision of one pose with itself, Panda", seconds(one), "", None, f"under {seconds(ONE)}", one < ONE),
    ]


def _duration(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def _row(title: str, ours: float, theirs: float, name: str, bar: float) -> Row:
    return Row(title, seconds(ours), f"{seconds(theirs)} Pinocchio's {name}", theirs / ours, f"{bar:g}x", theirs / ours >= bar)
