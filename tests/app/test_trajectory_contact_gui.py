"""A planned trajectory that hits an object of the cell: reported, marked, shown as a ghost and mended."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.scene.gl import palette
from armature.app.trajectory.trajectory_draft import Draft
from tests.app.scenes import pixels


def test_a_contact_is_reported_marked_shown_and_mended(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    model, scene, path = feature.model, window.scene, window.scene.stage.tool_path
    status = find(window, "trajectory_status")
    home = window.document.robot.configurations["home"]
    target = home + [0.6, 0.0, 0.0, 0.0, 0.0, 0.0]
    model.edit(Draft((engine.Waypoint(q=home), engine.Waypoint(q=target))), "two waypoints")
    wait_for(lambda: "Smallest clearance" in status.text())
    clearance, button = find(window, "plot_planned_clearance"), find(window, "trajectory_contact")
    assert len(clearance.values) and clearance.mark is None and path.contact is None and not button.isEnabled()

    place = engine.frame_pose(window.document.robot, model.preview.q_at(0.5 * model.preview.duration))[:3, 3]
    cell = window.bench.cell
    cell.edit(cell.now.with_object("ball", "sphere", radius=0.02, xyz=place), "ball")
    wait_for(lambda: " hits ball at " in status.text())
    first = model.clearance.first
    assert clearance.mark == find(window, "plot_planned_q").mark == first.time
    assert [label.text for label in path.labels(scene.frame_state)][-1] == " hits ".join(first.pair)
    np.testing.assert_allclose(path.contact, engine.frame_pose(window.document.robot, first.q)[:3, 3])

    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert feature.look.t == first.time
    slider = find(window, "trajectory_time")
    assert abs(slider.value() / slider.maximum() - first.time / model.preview.duration) < 1e-3
    ahead = scene.stage.clearance.ahead
    assert ahead.pair == first.pair and scene.stage.ghosts.colours == (palette.CONTACT,)
    with_mark, scene.stage.clearance.ahead = pixels(scene.grabFramebuffer()), None
    assert (pixels(scene.grabFramebuffer()) != with_mark).any()
    feature.look.seek(0.1)
    assert scene.stage.clearance.ahead is None and palette.CONTACT not in scene.stage.ghosts.colours

    window.document.undo_stack.undo()  # the ball
    wait_for(lambda: "Smallest clearance" in status.text())
    assert path.contact is None and clearance.mark is None and not button.isEnabled()
