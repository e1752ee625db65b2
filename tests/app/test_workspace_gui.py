"""Computing the workspace beside everything else."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.scene.overlays.workspace.reach_picture import MOST_POINTS
from armature.app.widgets.on_screen import on_screen
from armature.app.workspace import feature as workspace
from armature.app.workspace.feature import WorkspaceFeature
from tests.time_limits import WAIT


def open_panel(window):
    window.docks.bring_up("workspace")
    QApplication.processEvents()


def test_compute_shows_cloud_and_legend(window, find, wait_for):
    open_panel(window)
    find(window, "workspace_samples").setValue(20_000)
    find(window, "workspace_compute").click()
    assert find(window, "workspace_cancel").isEnabled()
    wait_for(lambda: find(window, "workspace_legend").isVisible() and not window.features[WorkspaceFeature].runner.busy, 60)
    assert "20\N{NARROW NO-BREAK SPACE}000 points" in find(window, "workspace_result").text()
    find(window, "workspace_clear").click()
    assert not find(window, "workspace_legend").isVisible()


def test_a_fitted_view_takes_in_the_cloud_and_a_view_of_ones_own_stays(window, find, wait_for):
    scene = window.scene
    scene.fit()
    compute(window, find, wait_for)
    wait_for(lambda: len(scene.stage.cloud.records) == 8_000 and not scene.flight.under_way, 60)
    pixels = scene.camera.project(scene.stage.cloud.records["position"])[:, :2]
    assert (pixels > 0).all() and (pixels < [scene.width(), scene.height()]).all()
    find(window, "workspace_clear").click()
    scene.zoom(scene.width() / 2, scene.height() / 2, 0.3)
    own = scene.camera.pose()
    compute(window, find, wait_for)
    wait_for(lambda: len(scene.stage.cloud.records) == 8_000, 60)
    assert scene.flight.destination() == own


def test_cancel_keeps_what_there_is(window, find, wait_for):
    open_panel(window)
    find(window, "workspace_samples").setValue(2_000_000)
    find(window, "workspace_compute").click()
    wait_for(lambda: "of" in find(window, "workspace_result").text(), 60)
    find(window, "workspace_cancel").click()
    wait_for(lambda: not window.features[WorkspaceFeature].runner.busy, 60)
    assert "Cancelled" in find(window, "workspace_result").text()


def test_another_robot_drops_the_computation(window, find, wait_for):
    open_panel(window)
    find(window, "workspace_samples").setValue(2_000_000)
    find(window, "workspace_compute").click()
    window.document.open_robot("scara")
    assert not window.features[WorkspaceFeature].runner.busy
    assert not find(window, "workspace_legend").isVisible()
    find(window, "workspace_samples").setValue(5_000)
    find(window, "workspace_compute").click()
    wait_for(lambda: not window.features[WorkspaceFeature].runner.busy, 60)
    assert "5\N{NARROW NO-BREAK SPACE}000 points" in find(window, "workspace_result").text()


def test_closing_while_computing_leaves_no_thread(make_window, find):
    window = make_window()
    open_panel(window)
    find(window, "workspace_samples").setValue(2_000_000)
    find(window, "workspace_compute").click()
    window.close()


def compute(window, find, wait_for, samples=8_000):
    open_panel(window)
    find(window, "workspace_samples").setValue(samples)
    find(window, "workspace_compute").click()
    feature = window.features[WorkspaceFeature]
    wait_for(lambda: feature.space is not None and not feature.runner.busy and not feature.painter.busy, 60)
    return feature


def test_more_points_than_cover_the_cloud_are_not_drawn(window, find, wait_for):
    feature = compute(window, find, wait_for, 150_000)
    wait_for(lambda: find(window, "workspace_drawn").isVisible(), 20)
    cloud = window.scene.stage.cloud
    assert len(feature.space.points) == 150_000 and len(cloud.records) == MOST_POINTS
    spread = [np.sort(p[:, 2])[:: len(p) // 50][:50] for p in (feature.space.points, cloud.records["position"])]
    np.testing.assert_allclose(*spread, atol=0.02)
    find(window, "workspace_cut_axis").setCurrentIndex(2)  # half of them: all are drawn
    wait_for(lambda: not find(window, "workspace_drawn").isVisible() and not feature.painter.busy, 20)
    assert 50_000 < len(cloud.records) < MOST_POINTS


def test_voxels_boundary_and_cuts_are_drawn(window, find, wait_for):
    feature = compute(window, find, wait_for)
    reach, cloud = window.scene.stage.reach, window.scene.stage.cloud
    assert len(cloud.records) == 8_000 and reach.mesh is None
    style = find(window, "workspace_style")
    style.setCurrentIndex(style.findData("voxels"))
    wait_for(lambda: reach.mesh is not None, 30)
    assert not len(cloud.records)
    whole = reach.mesh.vertices["position"]
    find(window, "workspace_cut_axis").setCurrentIndex(1)
    find(window, "workspace_cut_place").setValue(60)
    wait_for(lambda: not feature.painter.busy, 30)
    low, high = feature.space.points[:, 0].min(), feature.space.points[:, 0].max()
    half_cell = 0.51 * (whole[:, 0].max() - high + 1e-9) + 0.2
    assert reach.mesh.vertices["position"][:, 0].max() < low + 0.3 * (high - low) + half_cell
    style.setCurrentIndex(style.findData("boundary"))
    wait_for(lambda: not feature.painter.busy, 30)
    assert 0 < reach.opacity < 1
    kept, plane = reach.mesh.vertices["position"][reach.mesh.faces, 0], low + 0.3 * (high - low)
    assert kept.max() == pytest.approx(plane, abs=1e-6)  # it ends in the plane, not in teeth
    assert (np.abs(kept - plane) < 1e-6).sum() > 100
    window.scene.render_image(300, 200)


def test_a_click_on_a_point_takes_the_arm_there_and_undo_brings_it_back(make_window, find, wait_for):
    window = make_window("scara", perspective="workspace")
    feature = compute(window, find, wait_for)
    window.scene.fit()
    QTest.qWait(50)
    seen = window.scene.camera.project(feature.space.points)
    free = [k for k in np.argsort(seen[:, 2])[:400] if window.scene.pick(*seen[k, :2]) is None]
    at = QPoint(*np.round(seen[free[0], :2]).astype(int))
    before = window.document.q
    QTest.mouseClick(window.scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    wait_for(lambda: not np.array_equal(window.document.q, before), 20)
    tool = window.scene.camera.project(engine.frame_pose(window.document.robot, window.document.q)[:3, 3])
    assert np.hypot(tool[0] - at.x(), tool[1] - at.y()) < 9
    window.actions_["undo"].trigger()
    np.testing.assert_array_equal(window.document.q, before)
    window.actions_["measure"].trigger()  # then a click beside the arm is one that missed
    QTest.mouseClick(window.scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert not feature.finder.busy and window.scene.measure.on
    np.testing.assert_array_equal(window.document.q, before)


@pytest.mark.parametrize(("robot", "kept", "what"), [("spherical_pendulum", 2, "on a surface"), ("scara", 1, "along a curve")])
def test_a_tool_without_a_volume_is_said_to_have_none(make_window, find, wait_for, robot, kept, what):
    window = make_window(robot)
    open_panel(window)
    find(window, "workspace_samples").setValue(5_000)
    for action in find(window, "workspace_joints").menu().actions()[kept:]:
        action.setChecked(False)
    find(window, "workspace_compute").click()
    wait_for(lambda: f"The tool moves {what}" in find(window, "workspace_volume").text(), 60)
    assert "±" not in find(window, "workspace_volume").text()


def test_only_chosen_joints_and_the_volume_in_words(make_window, find, wait_for):
    window = make_window("scara", perspective="workspace")
    open_panel(window)
    for action in find(window, "workspace_joints").menu().actions()[1:]:
        action.setChecked(False)
    feature = compute(window, find, wait_for)
    assert np.ptp(feature.space.q[:, 1:]) == 0 or np.ptp(feature.space.q[:, 1:], axis=0).max() == 0
    find(window, "workspace_joints").menu().actions()[1].setChecked(True)
    feature = compute(window, find, wait_for, 20_000)
    wait_for(lambda: "Area" in find(window, "workspace_volume").text(), 60)
    assert "m²" in find(window, "workspace_volume").text()


def test_export(window, find, wait_for, tmp_path):
    feature = compute(window, find, wait_for)
    feature.export(str(tmp_path / "reach.npz"))
    wait_for(lambda: (tmp_path / "reach.npz").exists(), 30)
    feature.export(str(tmp_path / "nowhere" / "reach.csv"))
    wait_for(lambda: "cannot be written" in window.banner.text.text(), 30)


def test_a_computation_given_up_shows_nothing_any_more(window, find, wait_for, monkeypatch):
    """It is still drawing the arm before when it is given up, and hands its picture in while the next one computes."""
    drawing, go_on, old, shown = threading.Event(), threading.Event(), [], []
    drawn, show = workspace._drawn, window.scene.show_workspace

    def slow(space, look, job):
        made = drawn(space, look, job)
        if not drawing.is_set():
            old.append(made[1])
            drawing.set()
            go_on.wait(WAIT)
        return made

    def seen(picture):
        shown.append(picture)
        show(picture)

    monkeypatch.setattr(workspace, "_drawn", slow)
    monkeypatch.setattr(window.scene, "show_workspace", seen)
    open_panel(window)
    find(window, "workspace_samples").setValue(2_000_000)
    find(window, "workspace_compute").click()
    wait_for(drawing.is_set, 60)
    before = [thread for thread in threading.enumerate() if thread.name == "job-workspace"]
    window.document.open_robot("scara")
    find(window, "workspace_compute").click()
    go_on.set()
    wait_for(lambda: not any(thread.is_alive() for thread in before))
    wait_for(lambda: shown, 60)
    assert old[0] not in shown
    find(window, "workspace_clear").click()


def test_a_measurement_that_fails_says_so(window, find, wait_for, monkeypatch):
    def broken(*_):
        raise engine.EngineError("no volume here")

    monkeypatch.setattr(workspace, "_measured", broken)
    compute(window, find, wait_for)
    wait_for(lambda: find(window, "workspace_volume").text() == "no volume here")


def test_what_sampling_needs_is_imported_when_the_panel_is_first_seen(make_window, monkeypatch, wait_for):
    imported = []
    monkeypatch.setattr(workspace, "_import_sampler", imported.append)
    window = make_window(engine.load_robot("puma560"), perspective="explore")  # not the one that tests share
    assert not imported
    for _ in range(2):
        window.docks["workspace"].hide()
        window.docks.bring_up("workspace")
        wait_for(lambda: imported and not window.features[WorkspaceFeature].importer.busy)
    assert len(imported) == 1


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, watched):
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched, event) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_progress_is_drawn_with_the_next_picture_of_the_window(window, find, wait_for):
    open_panel(window)
    progress = find(window, "workspace_progress")
    progress.show_done(0, 1000)
    progress.show()
    paints = Paints(progress)
    wait_for(lambda: paints.count)
    before = paints.count
    progress.show_done(500, 1000)
    progress.show_done(900, 1000)
    assert paints.count == before  # else the whole window would be put together at once
    wait_for(lambda: paints.count > before)
    progress.hide()


def drawn(window):
    """Whether a picture of the view has the cloud in it."""
    return window.scene.stage.cloud.visible() and len(window.scene.stage.cloud.records) > 0


def test_the_cloud_goes_with_its_panel_unless_it_is_switched_on_elsewhere(make_window, find, wait_for, press):
    window = make_window(perspective="workspace")
    compute(window, find, wait_for)
    wait_for(lambda: drawn(window))
    number, action = Qt.Key.Key_4, window.actions_["show_workspace"]
    QTest.mouseClick(find(window, "button_perspective_trajectory"), Qt.MouseButton.LeftButton)
    wait_for(lambda: not drawn(window) and not action.isChecked())
    QTest.mouseClick(find(window, "button_perspective_workspace"), Qt.MouseButton.LeftButton)
    wait_for(lambda: drawn(window) and action.isChecked())
    window.docks.bring_up("kinematics")  # another tab of the same perspective
    wait_for(lambda: not on_screen(window.docks["workspace"].panel))
    assert drawn(window)
    window.scene.setFocus()
    press(window.scene, number, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: not drawn(window))
    press(window.scene, Qt.Key.Key_W)  # chosen here: it stays in all of them
    for name in ("dynamics", "workspace", "trajectory"):
        QTest.mouseClick(find(window, f"button_perspective_{name}"), Qt.MouseButton.LeftButton)
        wait_for(lambda name=name: window.docks["workspace"].isHidden() == (name != "workspace"))
        QApplication.processEvents()
        assert drawn(window)
    window.scene.setFocus()
    press(window.scene, Qt.Key.Key_W)
    assert not drawn(window)
    QTest.mouseClick(find(window, "button_perspective_workspace"), Qt.MouseButton.LeftButton)
    wait_for(lambda: not window.docks["workspace"].isHidden())
    QApplication.processEvents()
    assert not drawn(window)  # as the user left it


def test_a_measurement_shows_how_far_it_is(window, find, wait_for):
    open_panel(window)
    progress, seen = find(window, "workspace_progress"), []
    feature = window.features[WorkspaceFeature]
    feature.measurer.progressed.connect(
        lambda done, _: seen.append((done, progress.isVisible(), progress.value(), find(window, "workspace_volume").text()))
    )
    compute(window, find, wait_for)
    wait_for(lambda: "±" in find(window, "workspace_volume").text(), 60)
    assert len(seen) > 2 and all(visible and value == done for done, visible, value, _ in seen)
    assert [text for *_, text in seen] == [f"Measuring the volume… {done // 200} %" for done, *_ in seen]
    assert not progress.isVisible()


def test_poses_below_the_floor_are_left_out_and_the_panel_says_so(make_window, find, wait_for):
    window = make_window("ur5", perspective="workspace")
    feature, box, note = compute(window, find, wait_for), find(window, "workspace_floor"), find(window, "workspace_floor_note")
    assert box.isChecked() and box.isEnabled() and "No link below z = 0" in note.text()
    assert feature.space.points[:, 2].min() > 0 and len(feature.space.points) == 8_000
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    compute(window, find, wait_for)
    wait_for(lambda: not feature.runner.busy and feature.space.points[:, 2].min() < 0, 30)
    window.document.open_robot("double_pendulum")
    assert not box.isEnabled() and "no floor" in note.text()


def test_colliding_poses_are_left_out_and_both_volumes_are_shown(make_window, find, wait_for):
    window = make_window("puma560", perspective="workspace")
    cell, feature, box = window.bench.cell, window.features[WorkspaceFeature], find(window, "workspace_contacts")
    assert not box.isChecked()
    wall = cell.now.with_object("wall", "box", size=(0.1, 2.0, 2.0), xyz=(0.4, 0.0, 0.6))
    cell.edit(wall, "add wall")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    compute(window, find, wait_for)
    assert len(feature.space.q) == 8_000
    assert not engine.collision(window.document.robot, feature.space.q, cell=wall).colliding.any()
    volume, result = find(window, "workspace_volume"), find(window, "workspace_result")
    wait_for(lambda: "without contacts" in volume.text(), 60)
    whole, free = (float(text.split(" ±")[0].split(": ")[-1].strip("(")) for text in volume.text().split(", "))
    assert 0.2 * whole < free < 0.9 * whole
    assert "changed" not in result.text()
    window.document.undo_stack.undo()
    assert "The cell has changed; compute again." in result.text()
    window.document.undo_stack.redo()
    assert "changed" not in result.text()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    compute(window, find, wait_for)
    wait_for(lambda: "±" in volume.text() and ", " not in volume.text(), 60)
