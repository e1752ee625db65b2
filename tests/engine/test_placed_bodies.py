"""Poses and Jacobians in NumPy are those of the compiled kernels, on random trees with slides, copies and fixed frames."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.kernel_wait import await_kernels, end_wait, kernels_awaited
from armature.engine.kinematics.jacobian import body_jacobian
from armature.engine.kinematics.poses import body_axes, body_point
from armature.engine.model.body import PRISMATIC, REVOLUTE, Body, Frame
from armature.engine.model.coupling import Coupling
from armature.engine.rotations import rot_rpy


@pytest.fixture
def awaited():
    """Computes as in a window whose kernels are not loaded."""

    def call(function, *arguments):
        await_kernels()
        try:
            assert kernels_awaited()
            return function(*arguments)
        finally:
            end_wait()

    return call


def pose(rng) -> np.ndarray:
    X = rot_rpy(*rng.uniform(-3, 3, 3))
    X[:3, 3] = rng.normal(size=3)
    return X


def random_tree(seed: int) -> engine.Robot:
    """One to eight bodies that turn or slide, branched; every third tree has joints that copy others."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 9))
    bodies = tuple(Body(int(rng.integers(-1, i)), str(rng.choice([REVOLUTE, PRISMATIC])), pose(rng)) for i in range(count))
    driver = np.minimum(np.arange(count), rng.integers(0, count, count)) if seed % 3 == 0 else np.arange(count)
    own = np.unique(driver)
    names = tuple(f"joint{i}" for i in range(count))
    copies = None
    if len(own) < count:
        driver = np.searchsorted(own, driver)
        driver[own] = np.arange(len(own))
        turns = np.ones(count)
        turns[np.setdiff1d(np.arange(count), own)] = rng.uniform(-2, 2, count - len(own))
        offset = np.where(np.isin(np.arange(count), own), 0.0, rng.normal(size=count))
        copies = Coupling(names, driver, turns, offset, own)
    links = {f"link{i}": Frame(i, pose(rng)) for i in range(-1, count)}
    free = np.full(len(own), np.inf)
    return engine.Robot(
        name=f"tree {seed}",
        bodies=bodies,
        joint_names=tuple(names[i] for i in own),
        links=links,
        frames={**links, "world": Frame(-1, np.eye(4)), "tool": Frame(int(rng.integers(-1, count)), pose(rng))},
        tool="tool",
        q_min=-free,
        q_max=free,
        qd_max=free,
        tau_max=free,
        gravity=np.array([0.0, 0.0, -9.81]),
        configurations={},
        coupling=copies,
    )


@pytest.mark.parametrize("seed", range(24))
def test_numpy_and_kernels_agree(seed, awaited):
    robot, rng = random_tree(seed), np.random.default_rng(100 + seed)
    for q in (rng.uniform(-3, 3, robot.n), rng.uniform(-3, 3, (4, robot.n))):
        for function in (engine.frame_pose, engine.link_poses, engine.jacobian):
            ours, theirs = awaited(function, robot, q), function(robot, q)
            assert ours.shape == theirs.shape and np.abs(ours - theirs).max() < 1e-12
    q, body, p = rng.uniform(-3, 3, robot.n), len(robot.bodies) - 1, rng.normal(size=3)
    assert np.abs(np.subtract(awaited(body_axes, robot, q), body_axes(robot, q))).max() < 1e-12
    assert np.abs(awaited(body_point, robot, q, body, p) - body_point(robot, q, body, p)).max() < 1e-12
    assert np.abs(awaited(body_jacobian, robot, q, body, p) - body_jacobian(robot, q, body, p)).max() < 1e-12


def test_the_trees_have_slides_copies_branches_and_a_tool_that_stands():
    trees = [random_tree(seed) for seed in range(24)]
    assert any(tree.coupling is not None for tree in trees) and any(tree.tree.prismatic.any() for tree in trees)
    assert any(body.parent < i - 1 for tree in trees for i, body in enumerate(tree.bodies))
    assert any(tree.tool_frame.body < 0 for tree in trees)


def test_bad_joint_vectors_are_refused_in_the_same_words(awaited):
    robot = random_tree(1)
    for q in ([0.0] * (robot.n + 1), [np.nan] * robot.n, "no numbers"):
        said = []
        for call in (lambda function, *rest: function(*rest), awaited):
            with pytest.raises(engine.DimensionError) as refusal:
                call(engine.link_poses, robot, q)
            said.append(str(refusal.value))
        assert said[0] == said[1]


def test_a_singular_pose_is_reported_without_kernels_and_explained_with_them(awaited):
    robot = engine.load_robot("puma560")
    q = robot.configurations["home"].copy()
    q[4] = 0.0
    plain, full = awaited(engine.singularity, robot, q), engine.singularity(robot, q)
    assert plain.sigma == pytest.approx(full.sigma, abs=1e-12) and plain.rank == full.rank == 5
    assert plain.verdict() == full.verdict() and plain.reason and not plain.causes and full.causes


def test_no_kernel_is_compiled_for_a_window_that_awaits_them(awaited, monkeypatch):
    from armature.engine.jit import OUT1, Kernel

    kernel = Kernel(fill, (OUT1,))
    monkeypatch.setattr(Kernel, "registry", Kernel.registry[:-1])
    with pytest.raises(engine.EngineError, match="still being compiled"):
        awaited(kernel.call, np.zeros(1))
    assert not kernel.is_ready


def fill(out):
    out[:] = 1.0
