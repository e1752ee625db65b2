"""Free ranges of joints: no contact within them, a contact or a limit at their ends."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.arm_contacts import arm_contacts
from armature.engine.contact.last_free_pose import last_free_pose
from armature.engine.model.joint_ranges import joint_ranges
from tests.chance import some
from tests.engine.example_robots import example

CROSSING = np.radians([0.0, -15.0, 0.0, -126.0, 0.0, 60.0, 45.0])  # half of the hand on either side of the plate
BESIDE = CROSSING + np.eye(7)[0] * 0.8
PLATE = engine.Cell().with_object("plate", "box", size=(1.2, 0.001, 2.0), xyz=(0.8, 0.0, 0.5))
CELL = (
    engine.Cell()
    .with_object("table", "box", size=(1.2, 1.2, 0.1), xyz=(0.0, 0.0, -0.06))
    .with_object("wall", "halfspace", normal=(1.0, 0.0, 0.0), xyz=(-0.6, 0.0, 0.0))
    .with_object("ball", "sphere", radius=0.12, xyz=(0.5, 0.3, 0.5))
    .with_object("post", "cylinder", radius=0.05, length=1.0, xyz=(0.4, -0.45, 0.5))
)


def end_pose(q: np.ndarray, joint: int, value: float) -> np.ndarray:
    out = q.copy()
    out[joint] = value
    return out


@pytest.mark.parametrize("name", some(["panda", "scara", "ur10", "ur5_gripper", "stanford"], 2))
def test_ranges_are_free_and_end_at_the_named_contact_or_a_limit(name):
    robot = engine.load_robot(example(name) if name == "ur5_gripper" else name)
    model = arm_contacts(robot, CELL.objects)
    poses = np.random.default_rng(3).uniform(*joint_ranges(robot), (200, robot.n))
    ends = 0
    for q in poses[~model.collides(poses)][:4]:
        found = engine.free_ranges(robot, q, CELL)
        for j in range(robot.n):
            low, high = np.clip([found.low[j], found.high[j]], q[j] - 2 * np.pi, q[j] + 2 * np.pi)
            inside = np.tile(q, (400, 1))
            inside[:, j] = np.linspace(low, high, 402)[1:-1]
            assert low <= q[j] <= high and not model.collides(inside).any()
            for end, pair, limit in ((low, found.low_pairs[j], robot.q_min[j]), (high, found.high_pairs[j], robot.q_max[j])):
                if pair == ("", ""):
                    assert (
                        end == pytest.approx(limit if np.isfinite(limit) else np.sign(end) * robot.reach)
                        or abs(end - q[j]) >= 2 * np.pi - 1e-9
                    )
                else:
                    touching = engine.collision(robot, end_pose(q, j, end), CELL, margin=1e-4)
                    assert pair in [contact.pair for contact in touching.pairs] and touching.distance > -1e-9
                    ends += 1
    assert ends


def test_a_thin_plate_ends_the_range():
    robot = engine.load_robot("panda")
    found = engine.free_ranges(robot, BESIDE, PLATE)
    assert 0.0 < found.low[0] < BESIDE[0] and found.low_pairs[0][1] == "plate"
    assert engine.collision(robot, end_pose(BESIDE, 0, found.low[0]), PLATE).distance < 1e-4
    assert engine.free_ranges(robot, BESIDE).low[0] == robot.q_min[0]


def test_joints_that_move_a_link_in_contact_have_no_free_range():
    robot = engine.load_robot("panda")
    found = engine.free_ranges(robot, CROSSING, PLATE)
    assert np.array_equal(found.low[:6], CROSSING[:6]) and np.array_equal(found.high[:6], CROSSING[:6])
    assert all(pair[1] == "plate" for pair in found.low_pairs[:6])


def test_a_joint_without_limits_is_searched_for_a_whole_turn():
    robot = engine.load_robot("double_pendulum")
    found, home = engine.free_ranges(robot.with_floor(None), "home"), robot.configurations["home"]
    assert found.low == pytest.approx(home - 2 * np.pi) and found.high == pytest.approx(home + 2 * np.pi)
    assert found.low_pairs == found.high_pairs == (("", ""), ("", ""))


def test_several_poses_are_refused_and_a_cancelled_search_ends():
    robot = engine.load_robot("panda")
    with pytest.raises(engine.EngineError, match="free_ranges accepts one pose, not 2"):
        engine.free_ranges(robot, [BESIDE, CROSSING])
    with pytest.raises(engine.Cancelled):
        engine.free_ranges(robot, BESIDE, PLATE, cancelled=lambda: True)


def test_an_arm_stopped_at_a_contact_can_leave_it():
    robot = engine.load_robot("panda")
    stop = last_free_pose(arm_contacts(robot, PLATE.objects), BESIDE, CROSSING).q
    assert 0 < engine.collision(robot, stop, PLATE).distance < 1e-4
    found = engine.free_ranges(robot, stop, PLATE)
    assert found.low_pairs[0][1] == "plate" and found.low[0] == pytest.approx(stop[0], abs=1e-4)
    assert found.high[0] > stop[0] + 0.5
