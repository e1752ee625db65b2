"""The families of singular configurations: the textbook's, each with a true sentence, the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.engine.cause_claims import Claims
from tests.engine.plane_scan import sigma_min

TEXTBOOK = {
    "puma560": {("shoulder", "Shoulder"), ("elbow", "Elbow stretched"), ("wrist", "Wrist")},
    "ur5": {("shoulder", "Shoulder"), ("elbow", "Elbow stretched"), ("elbow", "Elbow folded"), ("wrist", "Wrist")},
    "stanford": {("shoulder", "Shoulder"), ("wrist", "Wrist")},
    "irb140": {("shoulder", "Shoulder"), ("elbow", "Elbow stretched"), ("wrist", "Wrist")},
    "scara": {("elbow", "Elbow stretched")},
    "double_pendulum": {("elbow", "Elbow stretched"), ("elbow", "Elbow folded")},
    "spherical_pendulum": {("shoulder", "Shoulder")},
    "rp": set(),
}


@pytest.mark.parametrize("name", TEXTBOOK)
def test_the_textbook_families_are_found(name):
    robot = engine.load_robot(name)
    families = engine.singular_families(robot, starts=96)
    assert {(f.cause.kind, f.cause.title) for f in families} == TEXTBOOK[name]
    for family in families:
        assert sigma_min(robot, family.q) < 1e-8
        assert np.all((family.q >= robot.q_min) & (family.q <= robot.q_max))
        assert Claims(robot, family.q).confirm(family.cause.condition) or name == "spherical_pendulum"
        assert family.dimension == robot.n - 1 and family.found > 1
        if family.fixed:  # the other joints are free: none of them leaves home
            home, held = robot.configurations["home"], list(family.fixed)
            np.testing.assert_allclose(np.delete(family.q, held), np.delete(home, held), atol=1e-3)


def test_branches_of_one_cause_are_apart():
    robot = engine.load_robot("ur5")
    wrists = [f for f in engine.singular_families(robot, starts=96) if f.cause.kind == "wrist"]
    assert [f.fixed for f in wrists] == [(4,), (4,)]
    np.testing.assert_allclose([f.q[4] for f in wrists], [0, np.pi], atol=1e-6)


def test_a_redundant_arm_loses_rank_on_thinner_sets():
    families = engine.singular_families(engine.load_robot("panda"), starts=64)
    assert {f.cause.kind for f in families} >= {"wrist", "alignment"}
    assert {f.dimension for f in families} == {5}


def test_the_order_and_the_findings_repeat():
    robot = engine.load_robot("puma560")
    one, two = (engine.singular_families(robot, starts=48, seed=4) for _ in range(2))
    assert [f.cause.sentence for f in one] == [f.cause.sentence for f in two]
    assert all(np.array_equal(a.q, b.q) for a, b in zip(one, two))
    other = engine.singular_families(robot, starts=48, seed=5)
    assert [f.cause.condition for f in one] == [f.cause.condition for f in other]


def test_progress_cancel_and_bad_requests():
    robot, seen = engine.load_robot("puma560"), []
    report = lambda done, total: seen.append((done, total))  # noqa: E731
    engine.singular_families(robot, starts=40, progress=report)
    assert seen == [(16, 40), (32, 40), (40, 40)]
    seen.clear()
    engine.singular_families(robot, starts=400, progress=report, cancel=lambda: bool(seen))
    assert len(seen) == 1
    for bad in (0, True, 1.5):
        with pytest.raises(engine.EngineError, match="starts"):
            engine.singular_families(robot, starts=bad)
