"""The singularity dock with real clicks: the nearest singular pose, the way there and back, and the internal motion."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.singularity.singularities import SingularitiesFeature
from tests.app.double_click import double_click
from tests.chance import some
from tests.engine.example_robots import example

NEAR_WRIST = np.array([0.3, -0.5, 0.4, 0.5, 0.2, 0.2])

pytestmark = pytest.mark.usefixtures("singularity_kernels")


@pytest.fixture
def studio(make_window, wait_for):
    """A window in the singularity perspective with its feature, the arm at q: `studio("puma560", q)`."""

    def open_(robot="puma560", q=None, wait=True, **options):
        window = make_window(robot, **{"size": (1100, 720), "perspective": "singularity", **options})
        feature = window.features[SingularitiesFeature]
        wait_for(lambda: feature._ready, 60)
        if q is not None:
            window.document.edit(q)
        if wait:
            wait_for(lambda: found(window, feature))
        return window, feature

    return open_


def found(window, feature):
    """Whether the search for the present pose is over."""
    return feature._searched is window.document.q and not feature.runner.busy


def test_go_there_and_undo_and_back(studio, find, click, wait_for, glides_by_looks):
    window, feature = studio(q=NEAR_WRIST)
    document, stack = window.document, window.document.undo_stack
    assert find(window, "nearest_distance").text() == "Wrist, 11.46° away"
    assert "joint5 −11.5°" in find(window, "nearest_way").text()
    steps, seen = stack.index(), []
    document.q_changed.connect(seen.append)
    click(window, "nearest_ghost")
    assert len(window.scene.stage.ghosts.bodies) == 1
    click(window, "nearest_go")
    wait_for(lambda: not feature.glide.moving)
    assert not len(window.scene.stage.ghosts.bodies) and not find(window, "nearest_ghost").isChecked()
    assert engine.singularity(document.robot, document.q).sigma_min < 1e-9
    assert len(seen) > 3 and np.all(np.diff([q[4] for q in seen]) <= 0)  # it glides
    assert stack.index() == steps + 1 and stack.undoText() == "nearest singularity"
    wait_for(lambda: find(window, "singularity_verdict").text() == "At a singularity")
    assert "axes 4 and 6 are collinear" in find(window, "singularity_cause").text()
    wait_for(lambda: found(window, feature))
    assert find(window, "nearest_distance").text().startswith("Already at")
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(document.q, NEAR_WRIST)
    QTest.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert abs(document.q[4]) < 1e-9
    click(window, "nearest_back")
    wait_for(lambda: not feature.glide.moving)
    np.testing.assert_array_equal(document.q, NEAR_WRIST)
    assert stack.index() == steps + 2 and not find(window, "nearest_back").isEnabled()


@pytest.mark.usefixtures("glides_by_looks")
def test_a_hand_on_the_arm_ends_the_way_there(studio, find, click, wait_for):
    window, feature = studio(q=NEAR_WRIST)
    click(window, "nearest_go")
    wait_for(lambda: window.document.q[4] < 0.19)
    field = find(window, "joint_value_joint1")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert not feature.glide.moving
    q = window.document.q
    QTest.qWait(100)
    np.testing.assert_array_equal(window.document.q, q)
    assert 1e-3 < q[4] < 0.2 and q[0] != NEAR_WRIST[0]


def test_the_ghost_stands_at_the_nearest_pose(studio, click):
    window, feature = studio(q=NEAR_WRIST)
    ghosts = window.scene.stage.ghosts
    assert not len(ghosts.bodies)
    click(window, "nearest_ghost")
    tool = window.document.robot.frames[window.document.robot.tool]
    X = ghosts.bodies["pose"][0, tool.body + 1].T @ tool.X_BF
    np.testing.assert_allclose(X, engine.frame_pose(window.document.robot, feature.nearest.q), atol=1e-6)
    click(window, "nearest_ghost")
    assert not len(ghosts.bodies)


@pytest.mark.parametrize(
    ("robot", "q"),
    some(
        [
            ("puma560", [0.3, -0.5, 0.4, 0.5, 0.0, 0.2]),
            ("scara", [0.3, 0.0, 0.1]),
            ("double_pendulum", [0.3, 0.0]),
            ("stanford", [0.1, 0.2, 0.5, 0.1, 0.0, 0.1]),
        ],
        2,
    ),
)
def test_the_internal_motion_keeps_the_tool_still(studio, find, click, wait_for, robot, q):
    """With SOAK=1 on four arms."""
    window, feature = studio(robot, np.array(q), wait=False)
    wait_for(lambda: find(window, "singularity_play").isEnabled())
    document = window.document
    before, steps, seen = document.q, document.undo_stack.index(), []
    document.q_changed.connect(seen.append)
    click(window, "singularity_play")
    wait_for(lambda: len(seen) > 30)
    X, X0 = engine.frame_pose(document.robot, np.array(seen)), engine.frame_pose(document.robot, before)
    assert np.linalg.norm(X[:, :3, 3] - X0[:3, 3], axis=1).max() < 1e-3
    assert np.abs(np.array(seen) - before).max() > np.radians(2.0)
    click(window, "singularity_play")
    np.testing.assert_array_equal(document.q, before)
    assert document.undo_stack.index() == steps and not feature.internal.playing


def test_another_robot_while_it_searches_or_plays(studio, find, click, wait_for):
    window, feature = studio("puma560", np.array([0.3, -0.5, 0.4, 0.5, 0.0, 0.2]))
    click(window, "singularity_play")
    QTest.qWait(80)
    window.document.edit(NEAR_WRIST)
    assert not feature.internal.playing
    wait_for(lambda: feature.runner.busy or found(window, feature))
    window.document.open_robot("scara")
    assert feature.nearest is None
    wait_for(lambda: found(window, feature))
    assert len(feature.nearest.q) == 3 and "Elbow" in find(window, "nearest_distance").text()
    assert not find(window, "nearest_back").isEnabled()


@pytest.mark.parametrize("robot", some(["rp", "spherical_pendulum", "panda", "double_pendulum", "cobra600"], 3))
def test_every_arm_has_an_answer(studio, find, robot):
    """With SOAK=1 five of them."""
    window, feature = studio(robot)
    text = find(window, "nearest_distance").text()
    if feature.nearest is None:
        assert "No singular pose within" in text
    else:
        assert engine.singularity(window.document.robot, feature.nearest.q).sigma_min < 1e-9 and text


def test_fingers_that_copy_each_other_are_in_nobodys_way(studio, find):
    window, feature = studio(str(example("panda")))
    assert engine.singularity(window.document.robot, feature.nearest.q).sigma_min < 1e-9
    assert find(window, "nearest_go").isEnabled() and "mimic" not in find(window, "nearest_distance").text()


def select(find, window, row, double=False):
    """Click a line of the list of families."""
    families = find(window, "families_list")
    place = families.visualItemRect(families.item(row)).center()
    QTest.mouseClick(families.viewport(), Qt.MouseButton.LeftButton, pos=place)
    if double:
        double_click(families.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_families_are_found_shown_and_gone_to(studio, find, click, wait_for):
    window, feature = studio("puma560", NEAR_WRIST)
    click(window, "families_find")
    wait_for(lambda: feature.families, 60)
    families, robot = find(window, "families_list"), window.document.robot
    texts = [families.item(k).text() for k in range(families.count())]
    assert [text.split(":")[0] for text in texts] == ["Shoulder", "Elbow stretched", "Wrist"]
    assert "axes 4 and 6 are collinear" in texts[2] and "joint5 0°" in texts[2]
    select(find, window, 1)
    tool = robot.frames[robot.tool]
    X = window.scene.stage.ghosts.bodies["pose"][0, tool.body + 1].T @ tool.X_BF
    np.testing.assert_allclose(X, engine.frame_pose(robot, feature.families[1].q), atol=1e-6)
    np.testing.assert_array_equal(window.document.q, NEAR_WRIST)  # a click only shows
    steps = window.document.undo_stack.index()
    select(find, window, 2, double=True)
    wait_for(lambda: not feature.glide.moving and window.document.undo_stack.index() > steps)
    np.testing.assert_allclose(window.document.q, feature.families[2].q, atol=1e-12)
    assert window.document.undo_stack.index() == steps + 1
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(window.document.q, NEAR_WRIST)


def test_another_robot_while_families_are_searched(studio, find, click, wait_for):
    window, feature = studio("puma560")
    click(window, "families_find")
    assert feature.family_runner.busy and not find(window, "families_find").isEnabled()
    window.document.open_robot("scara")
    assert not feature.family_runner.busy and find(window, "families_list").count() == 0
    click(window, "families_find")
    wait_for(lambda: feature.families, 60)
    assert all(len(family.q) == 3 for family in feature.families)


def test_a_cancelled_search_keeps_what_it_has(studio, find, click, wait_for):
    window, feature = studio("panda")
    click(window, "families_find")
    click(window, "families_cancel")
    wait_for(lambda: not feature.family_runner.busy)
    assert find(window, "families_find").isEnabled() and find(window, "families_remark").text() != "Searching…"


@pytest.mark.usefixtures("glides_by_looks")
def test_the_nearest_pose_that_is_looked_at_goes_with_the_arm(studio, find, click, wait_for):
    """The pointer rests on its button all the while: the see-through arm is that of the pose that is told."""
    window, feature = studio(q=NEAR_WRIST)
    click(window, "nearest_go")
    wait_for(lambda: not feature.glide.moving and feature.nearest is not None and feature.nearest.is_here)
    assert not len(window.scene.stage.ghosts.bodies)
    window.document.edit_joint(4, 0.3)
    window.document.edit_joint(0, window.document.q[0] + 0.8)
    wait_for(lambda: found(window, feature) and not feature.nearest.is_here)
    feature.panel.ghost_requested.emit(True)
    click(window, "nearest_back")
    wait_for(lambda: not feature.glide.moving and found(window, feature))
    expected = window.scene._ghost_slots(engine.link_poses(window.document.robot, feature.nearest.q)[None])[0].swapaxes(-1, -2)
    np.testing.assert_allclose(window.scene.stage.ghosts.bodies["pose"][0], expected, atol=1e-5)


def test_while_the_internal_motion_plays_no_nearest_pose_is_told(studio, find, click, wait_for):
    window, feature = studio("puma560", np.array([0.3, -0.5, 0.4, 0.5, 0.0, 0.2]))
    wait_for(find(window, "singularity_play").isEnabled)
    click(window, "singularity_play")
    wait_for(lambda: feature.internal.playing)
    assert feature.nearest is None and "at rest" in find(window, "nearest_distance").text()
    feature.internal.stop()
    wait_for(lambda: find(window, "nearest_distance").text().startswith("Already at"))
