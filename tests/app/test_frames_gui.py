"""The Frames dock: the rules walked by keys, free choices clicked, rotations turned; what is drawn is what numpy says."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.dh.feature import DHSteps
from armature.app.dh.frames.feature import FramesFeature
from armature.app.dh.frames.rotation_text import product
from armature.engine.model.dh.frame_rules import frames_of
from armature.engine.rotations import rot_x, rot_z

LEFT = Qt.MouseButton.LeftButton


def opened(window, wait_for):
    window.actions_["assign_frames"].trigger()
    feature = window.features[FramesFeature]
    wait_for(lambda: feature.walk is not None and window.scene.stage.explanations.sketch.sketch is not None)
    feature.player.speed = 40.0
    return feature


def test_rules_are_walked_and_a_click_changes_the_table(make_window, wait_for, find, click):
    window = make_window("scara", size=(1400, 900))
    feature = opened(window, wait_for)
    panel, shown = feature.panel.assign, window.scene.stage.explanations
    wait_for(panel.hasFocus)
    assert feature.walk.count == 10 and not shown.sketch.sketch.arrows and window.scene.stage.frames.withdrawn
    for made in range(1, 5):
        QTest.keyClick(panel, Qt.Key.Key_Right)
        wait_for(lambda made=made: feature.player.p == made and not feature.player.busy)
    wait_for(lambda: find(window, "frames_rule_z").text() == "✓ 1. z axes along the joint axes (3 of 3)")
    assert "(1 of 2)" in find(window, "frames_rule_normal").text()
    assert "parallel" in find(window, "frames_sentence").text() and "free choice" in find(window, "frames_free").text()
    assert find(window, "frames_option_0").isChecked()

    table = find(window, "frames_table").numbers
    before = np.array(table.values)
    radio = find(window, "frames_option_1")
    QTest.mouseClick(radio, LEFT, pos=QPoint(8, radio.height() // 2))
    wait_for(lambda: feature.walk.laid.chosen[1] == "level")
    wait_for(lambda: not np.array_equal(table.values, before))
    np.testing.assert_allclose(np.array(table.values)[:2, 1], [0.0, 0.45], atol=1e-12)
    assert max(feature.walk.laid.description.error) < 1e-12
    assert find(window, "frames_option_1").isChecked()

    QTest.keyClick(panel, Qt.Key.Key_End)
    wait_for(lambda: find(window, "frames_rule_y").text().startswith("✓"))
    window.document.edit([0.4, -0.8, 0.12])  # the sketch follows the arm at once
    sketch, q = shown.sketch.sketch, window.document.q
    X = frames_of(feature.walk.laid.description, q)
    np.testing.assert_allclose(
        X[-1] @ feature.walk.laid.description.tool, engine.frame_pose(window.document.robot, q), atol=1e-12
    )
    starts = {arrow.name: arrow for arrow in sketch.arrows if arrow.name}
    for k in range(4):
        np.testing.assert_allclose(starts[f"x_{k}"].start, X[k, :3, 3], atol=1e-12)
        way = starts[f"y_{k}"].tip - starts[f"y_{k}"].start
        np.testing.assert_allclose(way / np.linalg.norm(way), X[k, :3, 1], atol=1e-12)
    wait_for(lambda: abs(float(np.array(table.values)[0, 0]) - np.degrees(0.4)) < 1e-9)

    click(window, "frames_build")
    steps = window.features[DHSteps]
    wait_for(lambda: steps.dock.isVisible() and shown.dh_step.step is not None and shown.sketch.sketch is None)
    assert not window.scene.stage.frames.withdrawn and "Assign frames" in find(window, "dh_remark").text()
    assert steps.walk.chain is feature.walk.laid.description
    steps.player.go_to(steps.walk.count)
    np.testing.assert_allclose(steps.walk.step(steps.walk.count).now, engine.frame_pose(window.document.robot, q), atol=1e-12)

    window.features[FramesFeature].dock.bring_up()
    for name in ("two_arms", "panda", "cobra600"):  # a tree, seven joints, no masses
        window.document.open_robot(name)
        wait_for(lambda name=name: feature.walk is not None and feature.walk.robot.name == name)
        feature.player.go_to(feature.walk.count)
        feature._draw()
        assert len(shown.sketch.sketch.arrows) > 3 * feature.walk.n


def test_rotations_are_turned_by_hand(make_window, wait_for, find, click):
    window = make_window("scara", size=(1400, 900))
    window.actions_["rotations"].trigger()
    shown = window.scene.stage.explanations
    wait_for(lambda: shown.sketch.sketch is not None)
    slider = find(window, "rotation_slider_y")
    slider.setFocus()
    for _ in range(30):
        QTest.keyClick(slider, Qt.Key.Key_Right)
    assert find(window, "rotation_y").text().splitlines()[0].strip().startswith("⎡ cβ   0  sβ⎤")
    assert "0.866  0.000  0.500" in find(window, "rotation_y").text()
    field = find(window, "rotation_angle_z")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "90")
    QTest.keyClick(field, Qt.Key.Key_Return)
    page = window.features[FramesFeature].panel.rotations
    np.testing.assert_allclose(page.angles, np.radians([0.0, 30.0, 90.0]), atol=1e-12)
    c, s = np.cos(page.angles[1]), np.sin(page.angles[1])
    y = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    np.testing.assert_allclose(product(page.angles), rot_z(np.pi / 2)[:3, :3] @ y, atol=1e-12)
    np.testing.assert_allclose(product(np.array([0.3, 0, 0])), rot_x(0.3)[:3, :3], atol=1e-12)
    turned = np.arccos((np.trace(product(page.angles)) - 1.0) / 2.0)
    told = find(window, "rotation_check").text()
    assert f"{np.degrees(turned):.2f}°" in told and "(−0.251, 0.251, 0.935)" in told
    axes = np.array([(arrow.tip - arrow.start) / np.linalg.norm(arrow.tip) for arrow in shown.sketch.sketch.arrows]).T
    np.testing.assert_allclose(axes, product(page.angles), atol=1e-12)
    click(window, "rotation_back")
    assert not page.angles.any() and slider.value() == slider.maximum() // 2
    window.features[FramesFeature].dock.close()
    wait_for(lambda: shown.sketch.sketch is None)
