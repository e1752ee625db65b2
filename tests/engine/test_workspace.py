"""The sampled workspace: inside what the arm can reach, repeatable, cancellable."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine


def test_points_are_where_the_joints_put_the_tool(scara):
    space = engine.workspace(scara, 5000, seed=3)
    np.testing.assert_allclose(space.points, engine.frame_pose(scara, space.q)[:, :3, 3])
    w = np.abs(np.linalg.det(engine.jacobian(scara, space.q)[:, :3]))
    np.testing.assert_allclose(space.values, w, atol=1e-12)
    assert np.all((space.q >= scara.q_min) & (space.q <= scara.q_max))
    assert space.complete and len(space.points) == 5000


def test_the_scara_fills_its_annulus(scara):
    points = engine.workspace(scara, 100_000).points
    r = np.hypot(points[:, 0], points[:, 1])
    inner = np.sqrt(0.325**2 + 0.225**2 + 2 * 0.325 * 0.225 * np.cos(np.deg2rad(150)))
    assert r.max() == pytest.approx(0.55, abs=1e-3) and r.max() <= 0.55 + 1e-12
    assert r.min() == pytest.approx(inner, abs=1e-3) and r.min() >= inner - 1e-12
    assert points[:, 2].min() == pytest.approx(0.25, abs=1e-3) and points[:, 2].max() == pytest.approx(0.45, abs=1e-3)


def test_a_seed_repeats_itself_and_another_differs(scara):
    first, same, other = (engine.workspace(scara, 1000, seed=seed).q for seed in (1, 1, 2))
    assert np.array_equal(first, same) and not np.array_equal(first, other)


def test_progress_and_cancel(scara):
    seen = []
    report = lambda done, total: seen.append((done, total))  # noqa: E731
    space = engine.workspace(scara, 200_000, progress=report, cancel=lambda: len(seen) >= 2)
    assert len(seen) == 2 and seen[-1] == (len(space.points), 200_000)
    assert not space.complete and 0 < len(space.points) < 200_000


def test_unlimited_joints_turn_once_round():
    ur10 = engine.load_robot("ur10")
    q = engine.workspace(ur10, 20_000).q
    assert np.all(np.abs(q) <= np.pi) and np.all(np.ptp(q, axis=0) > 6.2)


@pytest.mark.parametrize("bad", [{"samples": 0}, {"samples": 2.5}, {"samples": True}, {"quantity": "beauty"}])
def test_bad_requests(scara, bad):
    with pytest.raises(engine.EngineError):
        engine.workspace(scara, **bad)
