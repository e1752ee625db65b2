"""The builder: an arm made from an empty table by mouse and keys, cells that refuse, undo, lengths pulled in the view."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from armature import engine
from armature.app.state.number_marks import MARKS, MINUS
from armature.app.state.units import significant
from armature.app.widgets.on_screen import on_screen
from armature.app.window.late_docks import BuilderDock
from armature.app.workspace.feature import WorkspaceFeature
from tests.app.focus import focused
from tests.app.gizmos import press, pull, release
from tests.app.kept_window import settle
from tests.app.tables import type_cell
from tests.chance import some

CTRL = Qt.KeyboardModifier.ControlModifier
ROWS = (  # θ, d, a, α of an arm of the common six-axis kind
    ("0", "400 mm", "0.025", "-pi/2"),
    ("-90", "0", "0.455", "0"),
    ("0", "0", "35 mm", "-90°"),
    ("0", "0.42", "0", "90"),
    ("0", "0", "0", "-90"),
    ("0", "0.08", "0", "0"),
)


@pytest.fixture
def build(make_window, wait_for):
    """A window with the builder in front."""

    def make(robot="puma560", **changes):
        window = make_window(robot, **{"perspective": "explore", **changes})
        QTest.keyClick(window.scene, Qt.Key.Key_E, CTRL)
        feature = window.features[BuilderDock].feature
        feature.panel.bar.setCurrentIndex(0)  # the window that is kept may have another page in front
        wait_for(lambda: window.document.draft is not None and feature.panel.table.model.rowCount() == window.document.robot.n)
        wait_for(lambda: on_screen(feature.panel.table.table))
        wait_for(lambda: window.scene.stage.row_handles.joint == feature.panel.joint)  # its rows are up to date
        settle()
        return window, feature.panel

    return make


def test_an_arm_from_an_empty_table_is_simulated_and_recorded(build, wait_for, click, find):
    window, panel = build()
    QTest.keyClick(window.scene, Qt.Key.Key_N, CTRL)
    dialog = window.features[BuilderDock].feature._dialog
    wait_for(lambda: dialog.isVisible() and focused() is dialog.name)
    QTest.keyClicks(focused(), "built")
    click(dialog, "new_robot_create")
    wait_for(lambda: window.document.robot.name == "built" and panel.table.model.rowCount() == 1)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    table = panel.table.table
    for _ in range(5):
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_Insert)
    assert window.document.robot.n == 6 and panel.joint == 5
    for i, numbers in enumerate(ROWS):
        for column, text in enumerate(numbers, start=2):
            if panel.table.model.entry(i, column).edited(window.document.draft, window.preferences.units) != text:
                type_cell(table, i, column, text)
    type_cell(table, 5, 6, "-350 350")
    dh = window.document.robot.dh
    assert np.allclose(dh.a, [0.025, 0.455, 0.035, 0, 0, 0]) and np.allclose(dh.d, [0.4, 0, 0, 0.42, 0, 0.08])
    assert np.allclose(dh.alpha, np.radians([-90, 0, -90, 90, -90, 0])) and np.isclose(dh.theta[1], -np.pi / 2)
    assert np.allclose(np.degrees([window.document.robot.q_min[5], window.document.robot.q_max[5]]), [-350, 350])

    steps = window.document.undo_stack.count()
    assert not window.document.robot.has_dynamics and not window.actions_["run"].isEnabled()
    panel.bar.setCurrentIndex(1)
    click(window, "builder_shape_all")
    wait_for(lambda: window.actions_["run"].isEnabled())
    assert window.document.undo_stack.count() == steps + 1 and window.isWindowModified()
    QTest.keyClick(window.scene, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is not None)
    before = window.document.q.copy()
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running and np.abs(window.document.q - before).max() > 0.05)
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    QTest.keyClick(window.scene, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.recordings.last_path is not None and window.simulation.recording is None)
    recording = engine.load_recording(window.recordings.last_path)
    assert recording.q.shape[1] == 6 and np.abs(recording.q[-1] - recording.q[0]).max() > 0.05


def test_the_view_follows_every_keystroke_and_what_cannot_be_is_red(build, find):
    window, panel = build()
    table, robot = panel.table.table, window.document.robot
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 4))
    QTest.keyClicks(table, "0")
    editor = focused()
    assert isinstance(editor, QLineEdit)
    for text, length in ((".", 0.0), ("6", 0.6), ("5", 0.65)):
        QTest.keyClicks(editor, text)
        assert window.scene.robot.dh.a[1] == length and window.document.robot is robot
    assert np.allclose(window.scene.slot_poses[-1], _slot(window.scene.robot, window.document.q))
    QTest.keyClicks(editor, "x")
    assert window.scene.robot.dh.a[1] == 0.65 and editor.property("refused") == "true"
    assert "0.65x" in editor.toolTip() and "0.65x" in find(window, "builder_why").text()
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    model = panel.table.model
    at = model.index(1, 4)
    assert at.data() == "0.65x" and "0.65x" in at.data(Qt.ItemDataRole.ToolTipRole)
    assert at.data(Qt.ItemDataRole.ForegroundRole).name() == model.tokens.danger
    panel.show_draft(window.document.draft, window.bench.preferences.units)  # as when the kernels are ready
    assert at.data() == "0.65x" and "0.65x" in find(window, "builder_why").text()
    assert window.document.robot is robot and window.scene.robot.dh.a[1] == 0.4318 and not window.document.undo_stack.count()
    QTest.keyClick(table, Qt.Key.Key_Escape)
    assert at.data() == "0.4318" and not find(window, "builder_why").text()

    type_cell(table, 0, 6, "170 -170")  # a sentence of the engine's
    assert "lower < upper" in find(window, "builder_why").text() and window.document.robot is robot
    type_cell(table, 0, 6, "-150 150")
    assert not model.refused and np.isclose(window.document.robot.q_max[0], np.radians(150))


def _slot(robot, q):
    return engine.link_poses(robot, q)[-1] @ np.linalg.inv(robot.links["link6"].X_BF)


def test_every_edit_is_one_step_and_undone_to_the_byte(build, find):
    window, panel = build()
    table, document = panel.table.table, window.document
    text, q = document.draft.text, document.q.copy()
    texts = [text]
    type_cell(table, 2, 4, "0.05")
    texts.append(document.draft.text)
    for key in (Qt.Key.Key_Insert, Qt.Key.Key_Delete):
        table.setFocus()
        QTest.keyClick(table, key)
        texts.append(document.draft.text)
    QTest.keyClick(table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    texts.append(document.draft.text)
    panel.bar.setCurrentIndex(1)
    mass = find(window, "builder_mass")
    mass.setFocus()
    QTest.keyClicks(mass, "7.5 kg")
    QTest.keyClick(mass, Qt.Key.Key_Return)
    texts.append(document.draft.text)
    assert len(set(texts)) == 5 and texts[3] == texts[1] and document.undo_stack.count() == 5
    assert document.robot.bodies[panel.joint].mass == 7.5 and window.isWindowModified()
    for before in reversed(texts[:-1]):
        QTest.keyClick(window.scene, Qt.Key.Key_Z, CTRL)
        assert document.draft.text == before
    assert np.array_equal(document.q, q) and not document.unsaved and not window.isWindowModified()
    for after in texts[1:]:
        QTest.keyClick(window.scene, Qt.Key.Key_Y, CTRL)
        assert document.draft.text == after


def test_a_length_is_pulled_in_the_view(build, wait_for, find):
    window, panel = build("scara")
    scene, table = window.scene, panel.table.table
    table.setFocus()
    table.select(1)
    line = _handle(window, wait_for, "a").line
    old = float(window.document.robot.dh.a[1])
    at, end = _pixels(scene, [line.mean(axis=0), line[0] + 2.0 * (line[1] - line[0])])
    press(scene, at)
    pull(scene, [(at + end) / 2, end])
    wait_for(lambda: scene.robot.dh.a[1] > old + 0.01)
    assert window.document.robot.dh.a[1] == old and panel.table.model.index(1, 4).data() == significant(scene.robot.dh.a[1], 7)
    release(scene, end)
    new = float(window.document.robot.dh.a[1])
    assert new > old + 0.01 and new == round(new, 4) and window.document.undo_stack.count() == 1
    window.actions_["undo"].trigger()
    assert window.document.robot.dh.a[1] == old


TURNS = [("theta", "standard"), ("alpha", "modified"), ("theta", "modified"), ("alpha", "standard")]


@pytest.mark.parametrize(("quantity", "convention"), some(TURNS, 2))
def test_a_frame_is_turned_in_the_view(build, wait_for, convention, quantity):
    """With SOAK=1 by either angle in either convention."""
    window, panel = build()
    scene, document = window.scene, window.document
    if convention == "modified":
        document.edit_draft(document.draft.converted(convention), "DH convention")
    document.undo_stack.clear()
    panel.table.table.select(1)
    scene.camera.orbit(25.0, 10.0)
    scene.camera.target = _handle(window, wait_for, quantity).centre
    scene.camera.distance *= 0.4  # a pixel of a small ring seen from its edge is many degrees
    handle = _handle(window, wait_for, quantity)
    old, q = float(vars(document.robot.dh)[quantity][1]), document.q.copy()
    turned = handle.line[7] - handle.centre  # by 30° about the axis, as the pointer sees it
    ahead = handle.centre + np.cos(np.pi / 6) * turned + np.sin(np.pi / 6) * np.cross(handle.axis, turned)
    at, end = _pixels(scene, [handle.line[7], ahead])
    assert scene.row_pull.hover(at.toPointF()) and scene.stage.row_handles.lit == quantity
    press(scene, at)
    pull(scene, [(at + end) / 2, end])
    wait_for(lambda: vars(scene.robot.dh)[quantity][1] != old)
    cell = panel.table.model.index(1, panel.table.model.columns.index(quantity)).data()
    shown = significant(np.degrees(vars(scene.robot.dh)[quantity][1]), 7)
    assert cell.endswith(shown.removeprefix(MINUS)) and vars(document.robot.dh)[quantity][1] == old
    release(scene, end)
    new = float(vars(document.robot.dh)[quantity][1])
    assert abs((np.degrees(new - old) - 30 + 180) % 360 - 180) < 4.0 and document.undo_stack.count() == 1  # pixels
    assert np.isclose(np.degrees(new), round(np.degrees(new), 1)) and np.array_equal(document.q, q)
    window.actions_["undo"].trigger()
    assert vars(document.robot.dh)[quantity][1] == old


def test_a_frame_is_dragged_along_z_and_x_at_once_and_nowhere_else(build, wait_for):
    window, panel = build()
    scene, document = window.scene, window.document
    panel.table.table.select(1)
    handle = _handle(window, wait_for, "frame")
    z, x = (_handle(window, wait_for, name).axis for name in "da")
    old = document.robot.dh
    at, end = _pixels(scene, [handle.centre, handle.centre + 0.12 * z + 0.05 * x])
    press(scene, at)
    pull(scene, [(at + end) / 2, end])
    wait_for(lambda: scene.robot.dh.d[1] > old.d[1] + 0.05)
    release(scene, end)
    dh = document.robot.dh
    assert abs(dh.d[1] - old.d[1] - 0.12) < 0.02 and abs(dh.a[1] - old.a[1] - 0.05) < 0.02  # a pixel is 0.01 m
    assert document.undo_stack.count() == 1 and np.array_equal(dh.theta, old.theta) and np.array_equal(dh.alpha, old.alpha)
    window.actions_["undo"].trigger()
    assert np.array_equal(document.robot.dh.d, old.d) and np.array_equal(document.robot.dh.a, old.a)

    view = np.degrees([np.arctan2(x[1], x[0]), np.arcsin(np.clip(x[2], -1, 1))])  # along the plane there is nothing to drag
    scene.camera.set_pose((*view, *_handle(window, wait_for, "frame").centre, scene.camera.distance))
    (at,) = _pixels(scene, [_handle(window, wait_for, "frame").centre])
    assert scene.row_pull.hover(at.toPointF()) and "orbit" in scene.row_pull.words
    press(scene, at)
    pull(scene, [at + QPoint(0, 30)])
    release(scene, at + QPoint(0, 30))
    assert np.array_equal(document.robot.dh.d, old.d) and not document.draft.changed


@pytest.mark.parametrize("leave", ["perspective", "close"])
def test_handles_selection_refusal_and_ctrl_s_go_with_the_builder_and_return_with_it(build, wait_for, find, leave):
    window, panel = build()
    scene, actions, dock = window.scene, window.actions_, window.features[BuilderDock].dock
    panel.table.table.select(1)
    handle = _handle(window, wait_for, "a")
    assert scene.selected == 1 and actions["save_robot"].shortcut().toString() == "Ctrl+S"
    at, end = _pixels(scene, [handle.line[1], handle.line[1] + 0.1 * handle.axis])
    press(scene, at)  # in hand while the Builder goes
    pull(scene, [(at + end) / 2, end])
    wait_for(lambda: scene.robot.dh.a[1] != window.document.robot.dh.a[1])
    if leave == "perspective":
        QTest.keyClick(scene, Qt.Key.Key_2, CTRL)
    else:
        dock.close()
    wait_for(lambda: not scene.stage.row_handles.handles)
    release(scene, end)
    assert scene.robot is window.document.robot and not window.document.undo_stack.count()
    assert scene.selected == -1 and not scene.row_pull.hover(at.toPointF()) and not find(window, "builder_why").text()
    assert not actions["save_robot"].shortcuts() and actions["save_recording"].shortcut().toString() == "Ctrl+S"
    QTest.keyClick(scene, Qt.Key.Key_E, CTRL)
    assert _handle(window, wait_for, "a").value == handle.value
    assert scene.selected == 1 and actions["save_robot"].shortcut().toString() == "Ctrl+S"


def test_a_row_selected_before_the_builder_has_come_up_stays_selected(build, wait_for):
    window, panel = build()
    window.features[BuilderDock].dock.close()
    wait_for(lambda: window.scene.stage.row_handles.joint == -1)
    QTest.keyClick(window.scene, Qt.Key.Key_E, CTRL)
    panel.table.table.select(1)  # its last rows are shown again at once, its handles come later
    assert _handle(window, wait_for, "a") and panel.joint == window.scene.selected == 1


def _handle(window, wait_for, quantity):
    items = window.scene.stage.row_handles
    wait_for(lambda: items.joint == 1 and quantity in [handle.quantity for handle in items.handles])
    return next(handle for handle in items.handles if handle.quantity == quantity)


def _pixels(scene, points):
    scene.match_camera()
    return [QPoint(*np.round(pixel).astype(int).tolist()) for pixel in scene.camera.project(np.array(points))[:, :2]]


def test_a_running_arm_is_paused_by_an_edit_and_runs_on_with_a_joint_more(build, wait_for):
    window, panel = build()
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running)
    table = panel.table.table
    table.setFocus()
    table.select(5)
    QTest.keyClick(table, Qt.Key.Key_Insert)
    assert window.document.robot.n == 7 and "paused" in window.banner.text.text()
    wait_for(lambda: not window.simulation.running and window.simulation.latest is not None)
    q = window.document.q.copy()
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running and np.abs(window.document.q - q).max() > 0.01)
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)


def test_twelve_joints_in_the_other_convention(build, wait_for, find):
    window, panel = build("panda")
    table, document = panel.table.table, window.document
    table.setFocus()
    for _ in range(12 - document.robot.n):
        QTest.keyClick(table, Qt.Key.Key_Insert)
    assert document.robot.n == 12
    before = engine.frame_pose(document.robot, document.q)
    box = find(window, "builder_convention")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Up if box.currentIndex() else Qt.Key.Key_Down)
    box.activated.emit(box.currentIndex())
    assert document.robot.dh.convention == "standard" and document.robot.n == 12
    assert np.abs(engine.frame_pose(document.robot, document.q) - before).max() < 1e-12
    assert panel.table.model.columns[2:6] == ("theta", "d", "a", "alpha")
    wait_for(lambda: window.simulation.latest is not None and len(window.simulation.latest.q) == 12)


def test_what_is_computed_of_the_arm_follows_the_edit(build, wait_for, click, find):
    window, panel = build("scara")
    workspace = window.features[WorkspaceFeature]
    find(window, "workspace_samples").setValue(2000)
    workspace._compute()
    wait_for(lambda: workspace.space is not None)
    first = workspace.space
    type_cell(panel.table.table, 1, 4, "0.4")
    wait_for(lambda: workspace.space is not None and workspace.space is not first)
    assert np.abs(workspace.space.points[:, :2]).max() > np.abs(first.points[:, :2]).max() + 0.05
    wait_for(lambda: np.allclose(window.readouts.latest.tool, engine.frame_pose(window.document.robot, window.document.q)))
    assert window.simulation.robot.dh.a[1] == 0.4
    type_cell(panel.table.table, 0, 0, "waist")
    assert window.document.robot.joint_names[0] == "waist"
    wait_for(lambda: find(window, "joint_slider_waist").isVisible())
    window.actions_["undo"].trigger()
    wait_for(lambda: find(window, "joint_slider_joint1").isVisible())


def test_a_joint_slides_instead_and_turns_again(build, wait_for):
    window, panel = build()
    table, text = panel.table.table, window.document.draft.text
    model = panel.table.model
    for kind in ("prismatic", "revolute"):
        model.setData(model.index(2, 1), kind)
        assert window.document.robot.joint_types[2] == kind and not model.refused
    assert table.model().is_variable(2, 2) and not table.model().is_variable(2, 3)
    for _ in range(2):
        window.actions_["undo"].trigger()
    assert window.document.draft.text == text


def test_a_german_window_takes_and_shows_a_decimal_comma(build, monkeypatch):
    window, panel = build("scara")
    monkeypatch.setattr(MARKS, "decimal", ",")
    type_cell(panel.table.table, 1, 4, "0,3")
    assert window.document.robot.dh.a[1] == 0.3 and panel.table.model.index(1, 4).data() == "0,3"


def test_the_buttons_above_end_where_the_table_below_ends(build, find):
    window, panel = build()
    save, table = find(window, "builder_save"), panel.table.table
    assert save.mapTo(panel, save.rect().topRight()).x() == table.mapTo(panel, table.rect().topRight()).x()


def test_numbers_of_a_link_have_room_in_their_fields(build, wait_for, find):
    window, panel = build()
    panel.bar.setCurrentIndex(1)
    inertia = find(window, "builder_inertia_xx")
    wait_for(lambda: on_screen(inertia))
    inertia.setFocus()
    QTest.keyClicks(inertia, "0.001963")
    QTest.keyClick(inertia, Qt.Key.Key_Return)
    panel.bar.setFocus()
    assert inertia.text() == "0.001963"
    assert inertia.fontMetrics().horizontalAdvance(f"−{inertia.text()}") < inertia.width() - 2 * (6 + 1)  # padding, border
    diameter = find(window, "builder_shape_diameter")
    diameter.setFocus()
    QTest.keyClicks(diameter, "0.25")
    QTest.keyClick(diameter, Qt.Key.Key_Tab)
    assert diameter.text() == "0.25"


def test_numbers_of_found_rows_have_room_in_their_columns(build):
    window, panel = build("ur5")
    table = panel.table.table
    type_cell(table, 1, 2, "-2.8055291e-10")
    type_cell(table, 2, 4, "-123.456789 mm")
    for row, column, text in ((1, 2, f"q₂ {MINUS} 2.805529e{MINUS}10"), (2, 4, f"{MINUS}0.1234568")):
        assert table.model().index(row, column).data() == text
        assert table.fontMetrics().horizontalAdvance(text) + 2 * 4 < table.columnWidth(column)  # with Qt's margins


def test_an_acceleration_limit_is_typed_in_the_table(build):
    window, panel = build()
    model = panel.table.model
    column = model.columns.index("acceleration")
    assert model.headerData(column, Qt.Orientation.Horizontal) == "Accel. °/s²" and np.isinf(window.document.robot.qdd_max[1])
    type_cell(panel.table.table, 1, column, "90")
    assert window.document.robot.qdd_max[1] == pytest.approx(np.pi / 2) and model.index(1, column).data() == "90"
    type_cell(panel.table.table, 1, column, "3 rad/s²")
    assert window.document.robot.qdd_max[1] == 3.0
    assert engine.MotionLimits.of(window.document.robot).acceleration[1] == 3.0
    QTest.keyClick(window.scene, Qt.Key.Key_Z, CTRL)
    QTest.keyClick(window.scene, Qt.Key.Key_Z, CTRL)
    assert np.isinf(window.document.robot.qdd_max[1])
