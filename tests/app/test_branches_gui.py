"""The branches of the tool's pose, with real mouse and keys: listed, gone to, and followed while the hand is dragged."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from armature import engine
from armature.app.scene.gl import palette
from armature.app.singularity.branches.feature import BranchesFeature
from armature.app.singularity.branches.tool_branches import tool_branches
from tests.app.gizmos import POSES, open_gizmo, pixel_on, pull, tool, way
from tests.app.gizmos import press as take
from tests.app.gizmos import release as drop

pytestmark = pytest.mark.usefixtures("singularity_kernels")


@pytest.fixture
def branches(make_window, press, wait_for):
    """A window in which B was pressed, with the feature: `branches("puma560")`."""

    def open_(robot="puma560", wait=True):
        window = open_gizmo(make_window, robot, perspective="explore")
        press(window.scene, Qt.Key.Key_B)
        feature = window.features[BranchesFeature]
        if wait:
            wait_for(lambda: settled(window, feature), 60)
        return window, feature

    return open_


def settled(window, feature) -> bool:
    """Whether everything that is shown belongs to the present pose."""
    q = window.document.q
    return feature._computed is q and feature._ways_from is q and len(feature.ways) == len(feature.found.branches)


def rows(feature) -> list[str]:
    """What the list says."""
    return [feature.panel.list.item(k).text() for k in range(feature.panel.list.count())]


def click_row(feature, k: int) -> None:
    """A click on a row."""
    of = feature.panel.list
    of.scrollToItem(of.item(k))
    QTest.mouseClick(of.viewport(), Qt.MouseButton.LeftButton, pos=of.visualItemRect(of.item(k)).center())


@pytest.mark.usefixtures("glides_by_looks")
def test_a_click_goes_to_another_branch_and_the_tool_is_where_it_was(branches, find, wait_for):
    window, feature = branches()
    document, X_WT, before = window.document, tool(window), window.document.q
    robot, shown, ghosts = document.robot, rows(feature), window.scene.stage.ghosts
    expected = engine.ik_all(robot, X_WT, q0=before)
    assert len(shown) == len(expected) == 8 and len(ghosts.bodies) == 7 and ghosts.owner is feature
    assert find(window, "branches_summary").text() == "8 IK solutions, 3 within limits"
    for text, branch in zip(shown, expected, strict=True):
        assert branch.name in text and ("within limits" in text) == branch.within_limits
        assert all(joint in text.splitlines()[1] for joint in branch.beyond)
    assert "current" in shown[0]
    assert "231.01° away" in shown[2] and shown[2].endswith("elbow stretched")
    for body, branch in zip(ghosts.bodies["pose"][:, -1], expected[1:], strict=True):
        np.testing.assert_allclose(body.T, window.scene._slots(engine.link_poses(robot, branch.q))[-2], atol=1e-6)

    steps, stack, seen = document.undo_stack.index(), document.undo_stack, []
    document.q_changed.connect(seen.append)
    click_row(feature, 2)  # elbow down
    wait_for(lambda: settled(window, feature) and not feature.glide.moving)
    np.testing.assert_allclose(document.q, expected[2].q, atol=1e-12)
    np.testing.assert_allclose(tool(window), X_WT, atol=1e-6)
    assert stack.index() == steps + 1
    signs = np.sign(np.linalg.det(engine.jacobian(robot, np.array([before, document.q]))))
    assert signs[0] != signs[1] and len(seen) > 1  # it was seen on its way through a singularity
    assert "σ min decreases from 0.172 to 0.000: elbow stretched at 50 % of the path" in find(window, "branches_way").text()
    after = rows(feature)
    assert [text.splitlines()[0] for text in after] == [text.splitlines()[0] for text in shown]  # no row has moved
    assert "current" in after[2] and "current" not in after[0]
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(document.q, before)


def test_a_branch_beyond_the_limits_is_shown_and_not_gone_to(branches, find):
    window, feature = branches()
    before, steps = window.document.q, window.document.undo_stack.index()
    click_row(feature, 4)
    QTest.qWait(100)
    np.testing.assert_array_equal(window.document.q, before)
    assert window.document.undo_stack.index() == steps and not feature.glide.moving
    assert find(window, "branches_way").text().endswith("joint1 would exceed its limits.")


@pytest.mark.parametrize("in_front", [False, True])
def test_a_click_on_a_see_through_arm_goes_there(branches, wait_for, in_front):
    window, feature = branches()
    view, X_WT = window.scene, tool(window)
    document, steps = window.document, window.document.undo_stack.index()
    window.actions_["gizmo"].setChecked(False)
    middle = np.array([view.width(), view.height()]) / 2
    grid = [(x, y) for x in range(40, view.width() - 40, 6) for y in range(40, view.height() - 40, 6)]

    def there(at, k) -> bool:
        if k < 0 or not feature.found.branches[feature._shown[k]].within_limits:
            return False
        hit = view.pick(*at)
        return (hit is not None and hit.joint >= 0) == in_front

    outwards = sorted(grid, key=lambda at: np.abs(at - middle).sum())
    at, k = next((at, k) for at in outwards if there(at, k := view.ghost_under(*at)))
    target = feature.found.branches[feature._shown[k]]
    at = QPoint(*at)
    QTest.mouseMove(view, at)
    assert view.findChild(QLabel, "hover_label").text() == f"{feature._shown[k] + 1}  {target.name}"
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    wait_for(lambda: settled(window, feature) and not feature.glide.moving)
    np.testing.assert_allclose(document.q, target.q, atol=1e-12)
    np.testing.assert_allclose(tool(window), X_WT, atol=1e-6)
    assert document.undo_stack.index() == steps + 1


def test_a_see_through_arm_behind_the_arm_leaves_a_click_to_the_arm(branches):
    window, feature = branches()
    view, q = window.scene, window.document.q
    window.actions_["gizmo"].setChecked(False)
    arm = view.stage.solids.points(view.slot_poses)
    met = [view.pick(*pixel[:2]) for pixel in view.camera.project(arm)]
    pixels = [view.camera.project(hit.point)[:2] for hit in met if hit is not None and hit.joint >= 0]
    behind = [at for at in pixels if view.ghost_under(*at) < 0 and view.stage.ghosts.under(*view.camera.ray(*at), np.inf) >= 0]
    at = QPoint(*np.round(behind[0]).astype(int).tolist())
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    QTest.qWait(100)
    assert window.document.q is q and not feature.glide.moving


def test_they_follow_the_hand(branches, wait_for):
    window, feature = branches()
    click_row(feature, 2)
    wait_for(lambda: settled(window, feature) and not feature.glide.moving)
    view, names, first = window.scene, [b.name for b in feature.found.branches], feature.found
    start = pixel_on(view, "z")
    take(view, start)
    end = pull(view, way(view, "z", start, 60.0))

    def followed() -> bool:
        pull(view, [end])  # the X server's own cursor is elsewhere, and may say so late
        return feature.found is not first and feature._computed is window.document.q and not feature.runner.busy

    wait_for(followed)
    np.testing.assert_allclose(feature.found.X_WT, tool(window), atol=1e-9)
    assert np.linalg.norm(feature.found.X_WT[:3, 3] - first.X_WT[:3, 3]) > 0.01
    assert [b.name for b in feature.found.branches] == names  # no row has moved
    assert feature.found.here(window.document.q) == 2
    end = pull(view, way(view, "z", end, 900.0))  # out of reach: the branches are those of where the tool has come to
    drop(view, end)
    wait_for(lambda: settled(window, feature))
    for branch in feature.found.branches:
        np.testing.assert_allclose(engine.frame_pose(window.document.robot, branch.q), tool(window), atol=1e-8)


def test_seven_joints_hold_one_that_is_chosen(branches, find, wait_for):
    window, feature = branches("panda")
    assert find(window, "branches_held").currentText() == "joint3"
    for branch in feature.found.branches:
        assert branch.q[2] == POSES["panda"][2]
    box = find(window, "branches_held")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Up)
    wait_for(lambda: settled(window, feature) and feature.found.held == 1)
    for branch in feature.found.branches:
        assert branch.q[1] == POSES["panda"][1]
        np.testing.assert_allclose(engine.frame_pose(window.document.robot, branch.q), tool(window), atol=1e-8)


def test_an_arm_without_branches_says_why_and_one_with_them_follows(branches, find, wait_for):
    window, feature = branches("double_pendulum", wait=False)
    wait_for(lambda: find(window, "branches_summary").text())
    assert find(window, "branches_summary").text().startswith("double_pendulum: 2 joints move this frame")
    assert not rows(feature) and not len(window.scene.stage.ghosts.bodies)
    window.document.open_robot("ur5")
    window.document.edit(np.array(POSES["ur5"]))
    wait_for(lambda: feature.found is not None and settled(window, feature))
    assert len(rows(feature)) == 8


def test_a_singular_pose_tells_of_its_infinitely_many(branches, wait_for):
    window, feature = branches()
    window.document.edit(np.array([0.3, -0.5, 0.4, 0.5, 0.0, 0.2]))
    wait_for(lambda: settled(window, feature))
    here = feature.found.here(window.document.q)
    assert here >= 0 and "infinitely many solutions: joint4" in rows(feature)[here]


def test_branches_that_collide_with_the_cell_name_the_pair(branches, find, wait_for):
    window, feature = branches()
    robot, cell, before = window.document.robot, window.bench.cell, rows(feature)
    found = feature.found
    assert not any("collides" in row for row in before)
    elbow = engine.frame_pose(robot, found.branches[2].q, "link3")[:3, 3]
    post = cell.now.with_object("post", "sphere", radius=0.03, xyz=tuple(elbow))
    cell.edit(post, "add post")
    wait_for(lambda: feature.found.obstacles == cell.obstacles)
    reports = [engine.collision(robot, branch.q, cell=post) for branch in found.branches]
    expected = [f"collides: {'–'.join(report.pair)}" if report.colliding else "" for report in reports]
    hits = sum(map(bool, expected))
    assert expected[2].endswith("–post") and 0 < hits < len(before)
    assert [next((line for line in row.splitlines() if "collides" in line), "") for row in rows(feature)] == expected
    assert find(window, "branches_summary").text() == f"8 IK solutions, 3 within limits, {hits} in contact"
    ghosts = window.scene.stage.ghosts
    others = [text for k, text in enumerate(expected) if k != feature.found.here(window.document.q)]
    assert [name.text.rpartition(", ")[2] if "collides" in name.text else "" for name in ghosts.names] == others
    assert [colour == palette.CONTACT for colour in ghosts.colours] == [bool(text) for text in others]
    assert [branch.q is other.q for branch, other in zip(feature.found.branches, found.branches, strict=True)] == [True] * 8
    window.document.undo_stack.undo()
    wait_for(lambda: rows(feature) == before)
    cell.edit(cell.now.without_object("floor").with_object("block", "box", size=(4.0, 4.0, 4.0)), "block")
    wait_for(lambda: all("–block" in row for row in rows(feature)))


def test_the_see_through_arms_go_with_escape_and_with_the_dock(branches, press, wait_for):
    window, feature = branches()
    ghosts = window.scene.stage.ghosts
    window.scene.setFocus()
    press(window.scene, Qt.Key.Key_Escape)
    assert not len(ghosts.bodies)
    press(window.scene, Qt.Key.Key_B)
    wait_for(lambda: len(ghosts.bodies) == 7)
    window.docks["branches"].close()
    assert not len(ghosts.bodies)


def test_a_joint_that_is_whole_turns_off_is_where_it_is():
    robot, q = engine.load_robot("puma560"), np.array([0.2, -0.5, 0.6, 0.3, 0.7, -3.4])
    found = tool_branches(robot, q + [0, 0, 0, 0, 0, 2 * np.pi], None, None)
    k = found.here(q)
    assert k >= 0 and found.branches[k].q[:5] == pytest.approx(q[:5], abs=1e-6)
    assert found.here(q + [0.0, 0.1, 0.0, 0.0, 0.0, 0.0]) == -1
