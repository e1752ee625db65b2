"""All branches beside those of an independent solver, ssik (Raghavan and Roth's elimination, Paden and Kahan's subproblems)."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.chance import seeds
from tests.engine.six_joint_arms import DH, dh_arm

ssik = pytest.importorskip("ssik")  # pip install ssik; no part of the extras, as it is large


def compare(robot, peer, positions) -> None:
    """Both find the same branches, but for whole turns."""
    for q in positions:
        X = engine.frame_pose(robot, q)
        np.testing.assert_allclose(peer.fk(q), X, atol=1e-12)
        ours = np.array([b.q for b in engine.ik_all(robot, X)])
        theirs = np.array([s.q for s in peer.solve(X, respect_limits=False)])
        d = ours[:, None] - theirs[None]
        apart = np.abs((d + np.pi) % (2 * np.pi) - np.pi).max(axis=2)
        assert len(ours) == len(theirs) and apart.min(axis=1).max() < 1e-6 and apart.min(axis=0).max() < 1e-6


@pytest.mark.parametrize("name", ["puma560", "ur5"])
def test_closed_forms(name):
    robot = engine.load_robot(name)
    peer = ssik.Manipulator.from_dh(robot.dh.alpha, robot.dh.a, robot.dh.d)
    compare(robot, peer, np.random.default_rng(seeds(1)[0]).uniform(-np.pi, np.pi, (30, 6)))


@pytest.mark.soak  # ssik derives the equations of an arm for up to a minute, once
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", DH)
def test_general_arms(name):
    peer = ssik.Manipulator.from_dh(*DH[name])
    compare(dh_arm(name), peer, np.random.default_rng(seeds(1)[0]).uniform(-np.pi, np.pi, (200, 6)))
