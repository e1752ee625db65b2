"""README: the arm follows a path, under a law."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature.app.control.feature import ControlFeature
from armature.app.trajectory.feature import TrajectoryFeature
from tests.app.gizmos import press as press_at
from tests.app.gizmos import pull, release
from tests.app.readme_walk.walk import CTRL, Key


def let_it_follow_a_path(walk):
    window, feature = walk.window, walk.window.features[TrajectoryFeature]
    walk.key(Key.Key_4, CTRL)
    walk.wait_for(lambda: walk.find("trajectory_more").isVisible())
    walk.menu("toolbar_poses", "home")
    for value in ("0", "20"):
        walk.type("joint_value_joint1", value)
        walk.key(Key.Key_Insert)
    assert len(feature.model.draft.waypoints) == 2
    walk.wait_for(lambda: feature.model.preview is not None)
    walk.menu("trajectory_more", "Example: pick and place")
    walk.wait_for(lambda: feature.model.preview is not None and len(feature.model.draft.waypoints) > 3)
    path = window.scene.stage.tool_path
    assert len(path.path) > 10 and "within all limits" in walk.find("trajectory_status").text()
    assert "m/s" in " ".join(
        label.text() for label in feature.panel.tool_limits.findChildren(type(walk.find("trajectory_status")))
    )
    timeline = walk.find("trajectory_time")
    walk.click(timeline, QPoint(timeline.width() // 3, timeline.height() // 2))
    walk.wait_for(lambda: window.scene.stage.ghosts.bodies is not None and feature.look.is_visible)
    window.scene.fit()
    before, draft = path.path, feature.model.draft
    handle = path.handles[1]
    at = walk.pixel(handle.X_WH[:3, 3])
    press_at(window.scene, at)
    QApplication.processEvents()
    end = pull(window.scene, [at + QPoint(4, 3), at + QPoint(12, 8)])
    release(window.scene, end)
    assert feature.model.draft is not draft
    walk.wait_for(lambda: path.path is not before and feature.model.preview is not None)
    while feature.model.draft is not draft:
        walk.key(Key.Key_Z, CTRL)
    walk.wait_for(lambda: feature.model.preview is not None)
    run_under_a_law(walk)


def run_under_a_law(walk):
    window, feature = walk.window, walk.window.features[TrajectoryFeature]
    walk.tab("Control")
    walk.choose("control_law", "computed-torque")
    walk.key(Key.Key_Return, CTRL)
    walk.wait_for(lambda: window.simulation.running and window.simulation.latest.t > 0.1)
    table = walk.find("control_gains")
    walk.click(table.viewport(), table.visualRect(table.model().index(0, 0)).center())
    QTest.keyClicks(QApplication.focusWidget(), "3")
    QTest.keyClicks(QApplication.focusWidget(), "50")
    walk.key(Key.Key_Return)
    assert window.features[ControlFeature]._controller().kp[0] == 350
    field = walk.find("control_assumed_mass")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.5")
    walk.key(Key.Key_Return)
    assert window.features[ControlFeature].panel.options.assumed_mass == 0.5 and window.simulation.running
    for _ in range(2):
        walk.key(Key.Key_Equal)  # four times as fast: the example takes its time
    T = feature.model.preview.duration
    walk.wait_for(lambda: window.simulation.latest.t > T + 0.3, 120)
    held = walk.q
    walk.wait_for(lambda: window.simulation.latest.t > T + 0.6)
    assert np.abs(walk.q - held).max() < 1e-3
    for _ in range(2):
        walk.key(Key.Key_Minus)
    assert not walk.find("torque_slider_joint1").isEnabled()
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not window.simulation.running and feature.model.followed is None)
    assert walk.find("torque_slider_joint1").isEnabled() and "disabled" in walk.find("control_state").text()
