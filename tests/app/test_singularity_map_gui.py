"""The map of two joints with real mouse and keys: it moves the arm, follows it, and shows what the engine computes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.singularity.singularity_map import FINE, SingularityMapFeature
from armature.app.state.units import measured
from armature.app.style.colormap import lookup_bytes
from tests.app.scenes import drag, move, near, pixels
from tests.engine.example_robots import example

Q = np.array([0.3, -0.5, 0.4, 0.5, 0.6, 0.2])
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier

pytestmark = pytest.mark.usefixtures("singularity_kernels")


@pytest.fixture
def mapped(make_window, wait_for):
    """A window in the singularity perspective with a fine map for the pose q: `mapped("puma560", q)`."""

    def open_(robot="puma560", q=None, wait=True, **options):
        window = make_window(robot, **{"size": (1100, 760), "perspective": "singularity", **options})
        feature = window.features[SingularityMapFeature]
        wait_for(lambda: feature._ready, 60)
        if q is not None:
            window.document.edit(q)
        if wait:
            wait_for(lambda: fine(feature), 60)
        return window, feature, feature.panel.map

    return open_


def fine(feature):
    """Whether the map of the present pose is there in full."""
    shown = feature.panel.map._map
    return shown is not None and not feature.runner.busy and len(shown.first) == FINE and feature._made[3] == feature._others


def choose(box, index):
    box.setCurrentIndex(index)
    box.activated.emit(index)


def test_the_dot_is_dragged_and_undone(mapped):
    window, feature, map_ = mapped(q=Q)
    document, stack = window.document, window.document.undo_stack
    assert feature.pair == (2, 4) and map_.point == (Q[2], Q[4])
    steps, target = stack.index(), (-0.7, -0.9)
    start, end = map_.pixel(*map_.point), map_.pixel(*target)
    drag(map_, [start, *(start + (end - start) * s for s in (0.2, 0.5, 0.8)), end])
    pixel = np.abs(np.subtract(map_.values(end + QPointF(1, 1)), map_.values(end)))  # what one pixel amounts to
    assert np.all(np.abs(np.subtract(document.q[[2, 4]], target)) < pixel)
    np.testing.assert_array_equal(document.q[[0, 1, 3, 5]], Q[[0, 1, 3, 5]])
    assert map_.point == tuple(document.q[[2, 4]]) and stack.index() == steps + 1
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(document.q, Q)
    assert map_.point == (Q[2], Q[4])


def test_dragged_beyond_the_map_the_arm_stops_at_its_limits(mapped):
    window, _, map_ = mapped(q=Q)
    robot, start = window.document.robot, map_.pixel(*map_.point)
    drag(map_, [start, start + QPointF(20, 0), QPointF(map_.width() + 300, -200)])
    np.testing.assert_allclose(window.document.q[[2, 4]], robot.q_max[[2, 4]])


def test_arrow_keys_move_the_dot_by_a_degree(mapped):
    window, _, map_ = mapped(q=Q)
    steps = window.document.undo_stack.index()
    map_.setFocus()
    QTest.keyClick(map_, Qt.Key.Key_Right)
    QTest.keyClick(map_, Qt.Key.Key_Down, SHIFT)
    np.testing.assert_allclose(window.document.q[[2, 4]], Q[[2, 4]] + np.radians([1, -10]), atol=1e-12)
    assert window.document.undo_stack.index() == steps + 2 and not window.simulation.running


def test_colours_curves_and_readout_are_those_of_the_engine(mapped, find):
    window, feature, map_ = mapped(q=Q)
    shown = map_._map
    expected = engine.singularity_map(window.document.robot, Q, 2, 4, "sigma_min", FINE)
    np.testing.assert_array_equal(shown.values, expected.values)
    picture = pixels(map_.grab().toImage())
    low, high = expected.values.min(), expected.values.max()
    for a, b in ((20, 30), (60, 140), (150, 150)):
        colour = "#" + bytes(lookup_bytes(np.array([(expected.values[a, b] - low) / (high - low)]))[0, :3]).hex()
        at = map_.pixel(expected.first[a], expected.second[b])
        assert near(picture, (at.x(), at.y()), colour, radius=1, tolerance=24), (a, b)
    wrist = map_.pixel(-0.3, 0.0)
    assert near(picture, (wrist.x(), wrist.y()), "#ffffff", radius=1, tolerance=80)  # axes 4 and 6 collinear at q5 = 0
    move(map_, map_.pixel(expected.first[60], expected.second[140]))
    text = find(window, "map_reading").text()
    value = float(text.split()[-1])
    assert "joint3" in text and "joint5" in text and value == pytest.approx(expected.values[60, 140], rel=0.1)


def test_the_value_at_the_dot_is_that_of_the_arm(mapped, find, wait_for):
    """Computed, and so wherever the pointer is: the grid's nearest value is another one."""
    window, _, map_ = mapped(q=Q + [0, 0, 0.013, 0, 0.011, 0])
    reading, robot = find(window, "map_reading"), window.document.robot

    def shown():
        return float(reading.text().splitlines()[0].split()[-1])

    def sigma(q):
        return float(measured(engine.singularity(robot, q).sigma_min))

    move(map_, QPointF(1, 1))  # beside the map
    there = sigma(window.document.q)
    assert shown() == there and find(window, "readout_sigma_min").text().endswith(measured(there))
    move(map_, map_.pixel(*map_.point) + QPointF(3, -2))  # on the dot, beside its middle
    assert shown() == there
    q, at = window.document.q.copy(), QPointF(map_.pixel(-0.7137, 0.5219).toPoint())
    q[[2, 4]] = map_.values(at)
    move(map_, at)
    assert shown() == sigma(q)
    map_.setFocus()
    move(map_, QPointF(1, 1))
    QTest.keyClick(map_, Qt.Key.Key_Right)
    assert shown() == sigma(window.document.q) != there


def test_the_map_follows_the_other_joints(mapped, wait_for):
    window, feature, map_ = mapped(q=Q)
    before = map_._map.values
    q = Q + [0, 0.8, 0, 0, 0, 0]
    window.document.edit(q)
    wait_for(lambda: fine(feature) and map_._map.values is not before, 60)
    np.testing.assert_array_equal(map_._map.q, q)
    made = map_._map
    window.document.edit(q + [0, 0, 0.1, 0, 0, 0])  # one of its own joints: the same map, the dot elsewhere
    QTest.qWait(300)
    assert map_._map is made and map_.point[0] == pytest.approx(q[2] + 0.1)


def test_other_joints_and_quantities(mapped, find, wait_for):
    window, feature, map_ = mapped(q=Q)
    choose(find(window, "map_across"), 4)  # stands upward already: the two change places
    assert feature.pair == (4, 2) and find(window, "map_up").currentIndex() == 2
    quantity = find(window, "map_quantity")
    choose(quantity, quantity.findData("determinant"))
    wait_for(lambda: fine(feature) and map_._map.quantity == "determinant" and map_._map.i == 4, 60)
    assert map_._map.values.min() < 0 < map_._map.values.max()
    find(window, "action_angle_rad").trigger()
    assert "rad" in map_._axes[0].title(map_._units)


def test_another_robot_while_it_computes(mapped, find, wait_for):
    window, feature, map_ = mapped("panda")
    window.document.edit(window.document.q + 0.05)
    wait_for(lambda: feature.runner.busy)
    window.document.open_robot("scara")
    assert map_._map is None and feature.pair == (1, 2)
    wait_for(lambda: fine(feature), 60)
    assert len(map_._map.q) == 3 and map_._axes[1].slides
    assert find(window, "map_quantity").findData("determinant") >= 0


@pytest.mark.parametrize("robot", ["rp", "double_pendulum", "cobra600", "ur5"])
def test_every_arm_has_a_map_over_the_range_of_its_axes(mapped, robot):
    window, feature, map_ = mapped(robot)
    for axis, side in zip(map_._axes, (map_._map.first, map_._map.second)):
        np.testing.assert_allclose((axis.low, axis.high), side[[0, -1]])


def test_a_joint_without_limits_keeps_its_turns(mapped):
    window, feature, map_ = mapped("double_pendulum", np.array([0.3, 1.0 + 6 * np.pi]))
    assert map_.point[1] == pytest.approx(1.0)
    map_.setFocus()
    QTest.keyClick(map_, Qt.Key.Key_Up)
    assert window.document.q[1] == pytest.approx(1.0 + 6 * np.pi + np.radians(1))


def test_fingers_that_copy_each_other_are_no_part_of_the_map(mapped, wait_for):
    _, feature, map_ = mapped(str(example("panda")))  # which waits for the map of two joints of the arm
    assert feature.pair == (3, 5)
    choose(feature.panel.up, 7)
    wait_for(lambda: "panda_finger_joint1 does not move the frame" in map_._words)
