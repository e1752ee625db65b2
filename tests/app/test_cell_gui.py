"""The dock Cell and its objects in the view, by mouse and keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QColorDialog, QFileDialog, QLabel, QLineEdit, QMessageBox

import armature
from armature.app.scene.gl.mesh import encoded
from armature.app.scene.hands.gizmo_pick import grasp
from armature.engine.files import shipped
from tests.app.double_click import double_click
from tests.app.focus import type_into
from tests.app.gizmos import press as take
from tests.app.gizmos import pull, release
from tests.app.kept_window import SIZE
from tests.app.mesh_files import CUBE, CUBE_FACES, binary_stl
from tests.app.test_open_robots import drop

TABLE = shipped("assets", "cells", "table.toml")


@pytest.fixture
def cell_dock(make_window):
    """A window with the dock in front, its cell document, and optionally the included table on it."""

    def open_(robot="panda", table=True, **options):
        window = make_window(robot, **options)
        window.docks.bring_up("cell")
        cell = window.bench.cell
        if table:
            cell.open(armature.load_cell(TABLE))
            window.document.undo_stack.clear()
        window.scene.fit()
        QTest.qWait(80)
        return window, cell

    return open_


def pixel(window, point) -> QPoint:
    """The pixel of a point in W."""
    x, y, _ = window.scene.camera.project(np.asarray(point, float))
    return QPoint(round(float(x)), round(float(y)))


def top(window, name: str) -> QPoint:
    """The pixel of the middle of a box's upper face."""
    thing = window.bench.cell.now[name]
    return pixel(window, np.array(thing.xyz) + [0, 0, thing.size[2] / 2])


def select(window, name: str) -> None:
    """Double-click an object in the view."""
    double_click(window.scene, Qt.MouseButton.LeftButton, pos=top(window, name))
    QApplication.processEvents()


def status(window) -> str:
    return window.findChild(QLabel, "cell_status").text()


def test_the_floor_of_the_robot_is_the_first_object(cell_dock, find):
    window, cell = cell_dock(table=False)
    table, floor = find(window, "cell_objects"), window.scene.stage.floor
    assert cell.now.names == ("floor",) and table.model().index(0, 1).data() == "half-space ↑ 0, 0, 1"
    assert floor.is_plate and not cell.unsaved and window.scene.stage.cell.objects[0].is_quiet
    window.document.open_robot("double_pendulum")  # it swings below its base
    assert cell.now.names == () and not floor.is_plate
    window.document.open_robot("scara")
    find(window, "cell_add_sphere").trigger()
    window.document.open_robot("panda")
    assert cell.now.names == ("floor", "sphere")  # an edited cell remains
    cell.select("floor")
    find(window, "cell_delete").click()
    assert cell.now.names == ("sphere",) and not floor.is_plate
    window.document.undo_stack.undo()
    assert floor.is_plate


def test_objects_of_every_shape_are_added_and_taken_back(cell_dock, find):
    window, cell = cell_dock(table=False)
    for shape in ("box", "cylinder", "sphere", "capsule", "halfspace", "box"):
        find(window, f"cell_add_{shape}").trigger()
        thing = cell.now[cell.selected]
        assert thing.shape == shape and window.scene.selected_object == thing.name
    assert cell.now.names == ("floor", "box", "cylinder", "sphere", "capsule", "halfspace", "box2")
    assert set(window.scene.stage.cell.names) == {*cell.now.names}
    lowest = window.scene.stage.cell.points("capsule")[:, 2].min()
    assert lowest == pytest.approx(0.0, abs=1e-6)  # on the floor
    for _ in range(6):
        window.document.undo_stack.undo()
    assert cell.now.names == ("floor",) and not cell.unsaved and cell.selected == ""


def test_values_are_typed(cell_dock, find, qtbot):
    window, cell = cell_dock()
    select(window, "box")
    assert cell.selected == "box" and find(window, "cell_objects").currentIndex().row() == 2
    type_into(find(window, "cell_value_size_z"), "0.3")
    type_into(find(window, "cell_value_x"), "-0.25")
    type_into(find(window, "cell_value_yaw"), "33")
    thing = cell.now["box"]
    assert (thing.size, thing.xyz, thing.rpy_deg) == ((0.12, 0.16, 0.3), (-0.25, 0.2, 0.29), (0, 0, 33))
    drawn = next(thing for thing in window.scene.stage.cell.objects if thing.name == "box")
    np.testing.assert_allclose(drawn.X_WO, thing.X_WO)
    assert np.ptp(drawn.mesh.vertices["position"][:, 2]) == pytest.approx(0.3)
    type_into(find(window, "cell_value_size_z"), "-1")
    assert cell.now["box"] == thing and status(window) == "Object box: size: must be more than 0, got -1.0"
    for _ in range(3):
        window.document.undo_stack.undo()
    assert cell.now == armature.load_cell("table") and not cell.unsaved


def test_lengths_are_in_the_unit_of_the_settings(cell_dock, find, wait_for):
    window, cell = cell_dock()
    cell.select("box")
    window.preferences.set(length_unit="mm")
    wait_for(lambda: find(window, "cell_value_size_x").value() == pytest.approx(120))
    assert find(window, "cell_objects").model().index(2, 1).data() == "box 120 × 160 × 140"
    type_into(find(window, "cell_value_size_x"), "125")
    assert cell.now["box"].size == (0.125, 0.16, 0.14)
    cell.select("floor")
    type_into(find(window, "cell_value_normal_x"), "0.5")
    assert cell.now["floor"].normal == (0.5, 0, 1)


def test_an_object_is_renamed_in_the_table(cell_dock, find, wait_for):
    window, cell = cell_dock()
    table = find(window, "cell_objects")
    cell.select("box")

    def rename(text: str) -> None:
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_F2)
        wait_for(lambda: len(table.findChildren(QLineEdit)) == 1)  # that of another name is gone
        line = table.findChild(QLineEdit)
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)
        QApplication.processEvents()

    rename("crate")
    assert cell.now.names == ("floor", "table", "crate", "wall") and cell.selected == "crate"
    rename("table")
    assert cell.now.names[2] == "crate" and "'table' is the name of two objects" in status(window)
    rename("a b")
    assert cell.now.names[2] == "crate" and "must be a name of letters" in status(window)
    window.document.undo_stack.undo()
    assert cell.now.names[2] == "box" == cell.selected


def test_the_gizmo_moves_the_selected_object(cell_dock, find, press):
    window, cell = cell_dock()
    look, stack = window.scene.cell_gizmo.look, window.document.undo_stack
    assert not look.shown
    select(window, "box")
    before = cell.now
    assert look.shown and "rx" in look.handles
    arm = window.document.q.copy()
    drag(window, "z", QPoint(0, -60))
    moved = cell.now["box"]
    assert moved.xyz[:2] == (0.62, 0.2) and moved.xyz[2] > 0.33 and moved.rpy_deg == (0, 0, 20)
    assert stack.count() == 1 and stack.undoText() == "move box"
    assert float(find(window, "cell_value_z").value()) == pytest.approx(moved.xyz[2])
    drag(window, "rz", QPoint(40, 5))
    assert cell.now["box"].xyz == moved.xyz and cell.now["box"].rpy_deg[2] != 20 and stack.count() == 2
    at = drag(window, "z", QPoint(0, -60), let_go=False)
    press(window.scene, Qt.Key.Key_Escape)  # cancels the drag
    release(window.scene, at)
    assert cell.now["box"].xyz == moved.xyz
    stack.undo()
    stack.undo()
    assert cell.now is before and np.array_equal(window.document.q, arm)
    press(window.scene, Qt.Key.Key_Escape)
    assert cell.selected == "" and not look.shown


def drag(window, handle: str, by: QPoint, let_go=True) -> QPoint:
    """Pull a handle of the object's gizmo."""
    QApplication.processEvents()
    look, camera = window.scene.cell_gizmo.look, window.scene.camera
    points = camera.project(look.outline(handle, camera))
    start = next(QPoint(round(x), round(y)) for x, y, _ in points[::-1] if _takes(window, handle, x, y))
    take(window.scene, start)
    QApplication.processEvents()
    end = pull(window.scene, [start + QPoint(round(by.x() * k / 5), round(by.y() * k / 5)) for k in range(1, 6)])
    if let_go:
        release(window.scene, end)
    QApplication.processEvents()
    return end


def _takes(window, handle: str, x: float, y: float) -> bool:
    met = grasp(window.scene.cell_gizmo.look, window.scene.camera, round(x), round(y))
    return met is not None and met.handle == handle


def test_a_half_space_turns_with_its_gizmo(cell_dock, find):
    window, cell = cell_dock(table=False)
    cell.select("floor")
    QApplication.processEvents()
    assert window.scene.cell_gizmo.look.shown
    drag(window, "rx", QPoint(30, 20))
    normal = cell.now["floor"].normal
    assert normal[0] == pytest.approx(0, abs=1e-8) and normal[1] != 0 and np.linalg.norm(normal) == pytest.approx(1)
    assert not window.scene.stage.floor.is_plate  # no longer the floor of the robot
    cell.select("")
    find(window, "cell_add_sphere").trigger()
    assert "rx" not in window.scene.cell_gizmo.look.handles


def test_selecting_a_link_or_nothing_releases_the_object(cell_dock, press):
    window, cell = cell_dock()
    select(window, "table")
    assert cell.selected == "table" and window.scene.selected == -1
    target = window.scene.camera.target.copy()
    press(window.scene, Qt.Key.Key_F)
    np.testing.assert_allclose(window.scene.camera.target, [0.65, 0, 0.2], atol=0.15)
    assert not np.allclose(window.scene.camera.target, target, atol=0.2)
    window.scene.select_joint(2)
    assert cell.selected == "" and window.scene.selected == 2
    double_click(window.scene, Qt.MouseButton.LeftButton, pos=QPoint(6, 6))
    assert window.scene.selected == -1


def test_the_name_is_shown_under_the_cursor(cell_dock, wait_for):
    window, _ = cell_dock()
    QTest.mouseMove(window.scene, top(window, "table"))
    wait_for(lambda: window.scene.hover.label.text() == "table")
    QTest.mouseMove(window.scene, QPoint(6, 6))
    wait_for(lambda: not window.scene.hover.label.isVisible())


def test_hidden_objects_remain_in_the_cell(cell_dock, find, click):
    window, cell = cell_dock()
    cell.select("wall")
    click(window, "cell_visible")
    assert cell.hidden == {"wall"} and "wall" in cell.now.names and "wall" not in window.scene.stage.cell.names
    assert find(window, "cell_objects").model().index(3, 0).data() == "(wall)" and not cell.unsaved
    assert not window.scene.cell_gizmo.look.shown
    cell.select("floor")
    click(window, "cell_visible")
    assert not window.scene.stage.floor.is_plate
    window.actions_["unhide"].trigger()
    assert not cell.hidden and window.scene.stage.floor.is_plate


def test_objects_are_deleted(cell_dock, find, press):
    window, cell = cell_dock()
    cell.select("box")
    table = find(window, "cell_objects")
    table.setFocus()
    press(table, Qt.Key.Key_Delete)
    assert cell.now.names == ("floor", "table", "wall") and cell.selected == ""
    assert not find(window, "cell_delete").isEnabled()
    find(window, "cell_clear").trigger()
    assert cell.now.names == () and find(window, "cell_objects").model().rowCount() == 0
    window.document.undo_stack.undo()
    window.document.undo_stack.undo()
    assert cell.now.names == ("floor", "table", "box", "wall")


def test_the_colour_is_chosen(cell_dock, click, wait_for):
    window, cell = cell_dock()
    cell.select("box")
    click(window, "cell_colour")
    dialog = window.findChild(QColorDialog, "cell_colour_dialog")
    assert dialog.currentColor().name() == "#5c91c4"
    dialog.setCurrentColor(QColor.fromRgbF(1, 0, 0, 0.5))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_for(lambda: cell.now["box"].color == (1, 0, 0, 0.502))
    drawn = next(thing for thing in window.scene.stage.cell.objects if thing.name == "box")
    assert drawn.opacity == 0.502 and (drawn.mesh.vertices["colour"][:, :3] == encoded((1, 0, 0), 0.35)[:3]).all()
    assert cell.now.hash == armature.load_cell("table").hash and cell.unsaved


def test_objects_are_coloured_by_name(cell_dock):
    window, _ = cell_dock()
    item, aside = window.scene.stage.cell, pixel(window, (0.0, 0.9, 0.0))
    plain = red(window, top(window, "table")), red(window, aside)
    item.set_warned(frozenset({"table", "floor"}))
    assert red(window, top(window, "table")) > plain[0] + 0.15 and red(window, aside) > plain[1] + 0.1
    item.set_warned(frozenset())
    assert (red(window, top(window, "table")), red(window, aside)) == pytest.approx(plain)


def red(window, at: QPoint) -> float:
    """How much more red than green the picture is at a pixel, 0 to 1."""
    colour = window.scene.render_image(window.scene.width(), window.scene.height()).pixelColor(at)
    return colour.redF() - colour.greenF()


def test_a_mesh_file_is_an_object(cell_dock, find, wait_for, monkeypatch, tmp_path):
    window, cell = cell_dock(table=False)
    path = tmp_path / "2nd part.stl"
    path.write_bytes(binary_stl(0.2 * CUBE, CUBE_FACES))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    find(window, "cell_add_mesh").trigger()
    wait_for(lambda: cell.selected == "part_2nd_part")
    assert find(window, "cell_objects").model().index(1, 1).data() == "mesh 2nd part.stl"
    type_into(find(window, "cell_value_scale_y"), "2")
    (drawn,) = (thing for thing in window.scene.stage.cell.objects if not thing.is_quiet)
    np.testing.assert_allclose(np.ptp(drawn.mesh.vertices["position"], axis=0), [0.2, 0.4, 0.2], atol=1e-6)
    path.write_bytes(binary_stl(CUBE * [1, 1, 0], CUBE_FACES))
    find(window, "cell_add_mesh").trigger()
    wait_for(lambda: "is flat; use a mesh with a volume" in window.banner.text.text())
    assert cell.now.names == ("floor", "part_2nd_part")


def test_a_dropped_cell_opens(cell_dock, wait_for, tmp_path, monkeypatch):
    window, cell = cell_dock(table=False)
    drop(window.scene, TABLE)
    wait_for(lambda: cell.now.name == "table")
    assert set(window.scene.stage.cell.names) == {"floor", "table", "box", "wall"} and not cell.unsaved
    assert window.document.robot.name == "panda"
    bad = tmp_path / "bad.toml"
    bad.write_text("[[objects]]\nname = 'a'\nshape = 'box'\nsize = [1, -2, 1]\n")
    drop(window.scene, bad)
    wait_for(lambda: "line 4: objects[0].size: must be more than 0, got -2" in window.banner.text.text())
    assert cell.now.name == "table"
    window.document.undo_stack.undo()
    assert cell.now.names == ("floor",) and not cell.unsaved


def test_an_example_opens(cell_dock, find, wait_for):
    window, cell = cell_dock(table=False)
    find(window, "cell_example_posts").trigger()
    wait_for(lambda: cell.now.name == "posts")
    assert window.document.undo_stack.undoText() == "open cell"


def test_unsaved_changes_are_prompted_for(make_window, find, wait_for, monkeypatch, tmp_path):
    window = make_window("panda", size=SIZE, anew=True)
    cell = window.bench.cell
    find(window, "cell_add_box").trigger()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "cell.toml"), ""))

    def answer(name: str) -> None:
        window.close()
        question = window.findChild(QMessageBox, "unsaved_question")
        assert question.text() == "The cell cell has unsaved changes."
        QTest.mouseClick(question.findChild(object, name), Qt.MouseButton.LeftButton)
        wait_for(lambda: window.findChild(QMessageBox, "unsaved_question") is None)

    answer("unsaved_cancel")
    assert window.isVisible() and cell.unsaved
    find(window, "cell_save").trigger()
    assert not cell.unsaved and armature.load_cell(tmp_path / "cell.toml") == cell.now
    find(window, "cell_add_box").trigger()
    assert cell.unsaved
    answer("unsaved_save")
    wait_for(lambda: not window.isVisible())
    assert armature.load_cell(tmp_path / "cell.toml").names == ("floor", "box", "box2")


def test_a_cell_without_changes_does_not_keep_the_window_open(make_window, find, wait_for):
    window = make_window("panda", size=SIZE, anew=True)
    find(window, "cell_add_box").trigger()
    window.document.undo_stack.undo()
    window.close()
    wait_for(lambda: not window.isVisible())


def test_a_cell_that_cannot_be_written(cell_dock, find, monkeypatch, tmp_path):
    window, cell = cell_dock()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "gone" / "cell.toml"), ""))
    find(window, "cell_add_box").trigger()
    find(window, "cell_save").trigger()
    assert "cannot be written" in window.banner.text.text() and cell.unsaved


def test_the_cell_is_edited_while_the_arm_moves(cell_dock, find, wait_for):
    window, cell = cell_dock()
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    find(window, "cell_add_box").trigger()
    window.document.undo_stack.undo()
    assert window.simulation.running and cell.now.names == ("floor", "table", "box", "wall")
    window.actions_["pause"].trigger()


def test_an_object_that_the_arm_hits_is_coloured_and_explained(cell_dock, wait_for):
    window, cell = cell_dock()
    stage, home = window.scene.stage, window.document.q
    cell.select("box")
    wait_for(lambda: stage.clearance.tested is not None and any("box" in pair for pair in stage.clearance.tested.pair_names))
    assert not stage.cell.warned
    cell.edit(cell.now.with_changes("box", xyz=tuple(armature.frame_pose(window.document.robot, home)[:3, 3])), "move")
    wait_for(lambda: stage.cell.warned == {"box"})
    found = armature.collision(window.document.robot, home, cell.now)
    assert stage.clearance.pills(window.scene.frame_state)[0].text == found.explanation
    assert found.colliding and "box" in found.explanation and stage.arm.colliding
    window.document.undo_stack.undo()
    wait_for(lambda: not stage.cell.warned and not stage.arm.colliding)
    cell.edit(cell.now.with_changes("floor", xyz=(0, 0, 0.6)), "raise")
    wait_for(lambda: stage.cell.warned == {"floor"})
    cell.edit(cell.now.without_object("floor"), "delete")
    wait_for(lambda: not any("floor" in pair for pair in stage.clearance.tested.pair_names))
