"""The steps of recursive Newton–Euler: against `rnea`, Jacobians, link loads and Newton's laws for the whole arm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armature import engine
from armature.engine.model.body import Frame
from tests.engine.test_simulation_coupled import gripper_arm
from tests.engine.trees import random_pose, random_state, random_tree

trees = st.builds(random_tree, seed=st.integers(0, 10**6), n=st.integers(1, 9), branching=st.booleans())
VECTORS = ("w", "wd", "v", "a", "a_c", "F", "N", "f", "n")


def close(ours, theirs, tolerance: float = 1e-12) -> None:
    assert np.shape(ours) == np.shape(theirs)
    assert np.abs(np.subtract(ours, theirs)).max() <= tolerance * (1 + np.abs(theirs).max())


@given(trees)
def test_steps_agree_with_every_other_way(robot):
    rng = np.random.default_rng(robot.n)
    q, qd, qdd = random_state(robot, rng)
    f_ext = rng.normal(size=(len(robot.links), 6))
    s = engine.rnea_steps(robot, q, qd, qdd, f_ext)
    close(s.tau, engine.rnea(robot, q, qd, qdd, f_ext))
    close(engine.rnea_steps(robot, q, qd, qdd).tau, engine.rnea(robot, q, qd, qdd))
    close(np.hstack([s.f[1:], s.n[1:]]), engine.link_loads(robot, q, qd, qdd, f_ext))
    for i, link in enumerate(robot.link_names):
        J, Jdot = engine.jacobian(robot, q, link), engine.jacobian_dot(robot, q, qd, link)
        close(np.concatenate([s.v[i], s.w[i]]), J @ qd)
        close(np.concatenate([s.a[i] + robot.gravity, s.wd[i]]), J @ qdd + Jdot @ qd)


@given(trees)
def test_the_ground_carries_the_whole_arm(robot):
    """Forces of all links together are what the ground and f_ext give, about the base's origin the moments, too."""
    rng = np.random.default_rng(robot.n)
    q, qd, qdd = random_state(robot, rng)
    f_ext = rng.normal(size=(len(robot.links), 6))
    s, X = engine.rnea_steps(robot, q, qd, qdd, f_ext), engine.link_poses(robot, q)
    close(s.f[0] + f_ext[:, :3].sum(axis=0), s.F.sum(axis=0))
    bodies = [engine.frame_pose(robot, q, f"link{i + 1}") @ np.linalg.inv(X_BL) for i, X_BL in enumerate(robot.link_table[1][1:])]
    com = np.array([X_WB[:3, :3] @ body.com + X_WB[:3, 3] for X_WB, body in zip(bodies, robot.bodies)])
    pushed = f_ext[:, 3:] + np.cross(X[:, :3, 3] - X[0, :3, 3], f_ext[:, :3])
    needed = s.N.sum(axis=0) + np.cross(com - X[0, :3, 3], s.F[1:]).sum(axis=0)
    close(s.n[0] + pushed.sum(axis=0), needed)
    masses = np.array([body.mass for body in robot.bodies])
    close(s.F[1:], masses[:, None] * s.a_c[1:])


def test_at_rest_the_gravity_trick_shows(puma):
    q = puma.configurations["home"]
    s = engine.rnea_steps(puma, q, 0 * q, 0 * q)
    np.testing.assert_allclose(s.a, np.tile([0, 0, 9.81], (7, 1)), atol=1e-12)
    np.testing.assert_allclose(s.f[0], [0, 0, 9.81 * sum(body.mass for body in puma.bodies)], atol=1e-12)
    assert not s.w.any() and not s.N.any() and not s.v.any()


def test_link_axes_are_those_of_each_link(puma):
    rng = np.random.default_rng(3)
    q, qd, qdd = random_state(puma, rng)
    world, link = (engine.rnea_steps(puma, q, qd, qdd, axes=axes) for axes in ("world", "link"))
    R = engine.link_poses(puma, q)[:, :3, :3]
    for name in VECTORS:
        close(np.einsum("lij,lj->li", R, getattr(link, name)), getattr(world, name))
    assert np.array_equal(world.tau, link.tau)
    with pytest.raises(engine.EngineError, match="'world' or 'link'"):
        engine.rnea_steps(puma, q, qd, qdd, axes="body")


def test_links_fixed_to_another_share_its_motion_and_leave_it_the_forces():
    robot = random_tree(4, 3, branching=False)
    links = {**robot.links, "cover": Frame(1, random_pose(np.random.default_rng(1)))}
    robot = replace(robot, links=links, frames={**robot.frames, "cover": links["cover"]})
    q, qd, qdd = random_state(robot, np.random.default_rng(2))
    s = engine.rnea_steps(robot, q, qd, qdd, np.random.default_rng(3).normal(size=(5, 6)))
    close(s.w[4], s.w[2])
    close(s.v[4], engine.jacobian(robot, q, "cover")[:3] @ qd)
    assert not s.F[4].any() and not s.f[4].any() and not s.n[4].any() and s.F[2].any()
    close(s.tau, engine.rnea(robot, q, qd, qdd, np.random.default_rng(3).normal(size=(5, 6))))


def test_mimic_joints_batches_and_refusals(tmp_path):
    robot = gripper_arm(tmp_path)
    rng = np.random.default_rng(5)
    q, qd, qdd = random_state(robot, rng, 4)
    f_ext = rng.normal(size=(4, len(robot.links), 6))
    s = engine.rnea_steps(robot, q, qd, qdd, f_ext)
    close(s.tau, engine.rnea(robot, q, qd, qdd, f_ext))
    assert s.w.shape == (4, len(robot.links), 3)
    one = engine.rnea_steps(robot, q[2], qd[2], qdd[2], f_ext[2])
    for name in (*VECTORS, "tau"):
        close(getattr(one, name), getattr(s, name)[2])
    assert engine.rnea_steps(robot, q[0], qd[0], qdd[0], f_ext).tau.shape == (4, robot.n)
    with pytest.raises(engine.DimensionError, match="f_ext"):
        engine.rnea_steps(robot, q, qd, qdd, np.zeros((3, 6)))
    with pytest.raises(engine.MissingDynamicsError):
        engine.rnea_steps(engine.load_robot("irb140"), np.zeros(6), np.zeros(6), np.zeros(6))
