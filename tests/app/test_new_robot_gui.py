"""The dialog *New robot*: lengths as they are typed, what is refused, what it begins with, the names in the drawing."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.builder.new.datasheet_drawing import DatasheetDrawing
from armature.app.builder.new.label_places import HALF, label_places
from armature.app.builder.new.new_robot import COPY, DATASHEET, NewRobotDialog
from armature.engine.model.draft.datasheet_draft import DATASHEETS


@pytest.fixture
def dialog(qapp):
    """The dialog on the page of data sheets, and what it has made."""
    dialog, made = NewRobotDialog(None), []
    dialog.chosen.connect(made.append)
    begin(dialog)
    yield dialog, made
    dialog.close()


def begin(dialog):
    """As Ctrl+N does, and a click on the data sheets."""
    dialog.begin(engine.load_robot("scara"), None)
    QTest.mouseClick(dialog.kind.group.button(DATASHEET), Qt.MouseButton.LeftButton)
    assert dialog.kind.index == DATASHEET


def type_into(line, text):
    """Over what stands there, and on to the next field."""
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)


def test_lengths_are_mm_and_what_is_no_length_is_red_while_it_is_typed(dialog):
    dialog, made = dialog
    sheet, create = dialog.sheet, dialog._create
    type_into(sheet.lines["a2"], "610")
    QTest.keyClick(sheet.lines["a2"], Qt.Key.Key_Tab)
    assert sheet.lines["a2"].text() == "610" and create.isEnabled()
    for text, word in (("", "is empty"), ("abc", "not a number"), ("455 m", "too long"), ("0.455", "too short")):
        type_into(sheet.lines["a3"], text)
        if not text:
            QTest.keyClick(sheet.lines["a3"], Qt.Key.Key_Delete)
        assert sheet.lines["a3"].property("refused") == "true" and not create.isEnabled()
        assert word in dialog._why.text().lower() and dialog._why.text().startswith("a3: ")
    assert "0.455 m?" in dialog._why.text()
    type_into(sheet.lines["a3"], "0.0351 m")
    assert create.isEnabled() and not dialog._why.text()
    type_into(dialog.name, "my arm")
    assert not create.isEnabled() and "letters, digits" in dialog._why.text() and dialog.name.property("refused") == "true"
    type_into(dialog.name, "mine")
    QTest.mouseClick(create, Qt.MouseButton.LeftButton)
    robot = made[0].robot
    assert robot.name == "mine" and robot.floor == 0.0 and np.allclose(robot.dh.a[:3], [0.025, 0.61, 0.0351])


def test_another_unit_shows_the_same_lengths_and_the_next_time_begins_with_the_usual_ones(dialog):
    dialog, made = dialog
    sheet = dialog.sheet
    assert sheet.lines["d1"].text() == "400"
    type_into(sheet.lines["d1"], "450")
    sheet.unit.setFocus()
    QTest.keyClick(sheet.unit, Qt.Key.Key_Down)
    sheet.unit.activated.emit(sheet.unit.currentIndex())
    assert sheet.lines["d1"].text() == "0.45" and {symbol.text() for symbol in sheet._symbols} == {"m"}
    sheet.kind.setCurrentIndex(2)
    sheet.kind.activated.emit(2)
    QTest.mouseClick(dialog._create, Qt.MouseButton.LeftButton)
    assert made[0].robot.n == 4
    begin(dialog)
    assert sheet.kind.currentIndex() == 0 and sheet.lines["d1"].text() == "400" and sheet.unit.currentData() == "mm"


@pytest.mark.parametrize("kind", DATASHEETS)
def test_names_in_the_drawing_stand_clear_and_nearest_to_their_own_line(qapp, kind):
    drawing = DatasheetDrawing()
    drawing.show_kind(kind)
    drawing.show_lengths({})
    ends = np.array([(s.start, s.end) for s in drawing.segments])
    scale = 190 / np.ptp(ends.reshape(-1, 2), axis=0).max()
    low = ends.reshape(-1, 2).min(axis=0)
    lines = [tuple(60 + scale * (point - low)) for point in ends]
    named = [k for k, segment in enumerate(drawing.segments) if segment.name]
    assert {drawing.segments[k].name for k in named} == {length.name for length in DATASHEETS[kind].lengths}
    dots = 60 + scale * (drawing._axes - low)
    places = label_places(lines, named, dots, (320, 310))
    for k, at in places.items():
        gaps = [_gap(at, *line) for line in lines]
        assert min(gaps) >= 2.5 and gaps[k] <= min(gaps) + 1e-6
        assert min(_gap(at, dot, dot) for dot in dots) >= 6  # px, of circles with a radius of 4.5
        for other in places.values():
            assert at is other or (np.abs(at - other) > 2 * HALF).any()


def _gap(at, start, end):
    points = start + np.linspace(0, 1, 200)[:, None] * (end - start)
    return np.linalg.norm(np.maximum(np.abs(points - at) - HALF, 0), axis=1).min()


def test_new_arms_stand_on_a_floor_that_can_be_taken_away():
    assert engine.empty_draft().robot.floor == 0.0
    draft = engine.empty_draft(convention="modified")
    assert draft.robot.floor == 0.0 and draft.with_value(("floor",), None).robot.floor is None


@pytest.mark.parametrize("stands", [True, False])
def test_a_floor_is_where_the_new_arm_stands_on_one(dialog, stands):
    dialog, made = dialog
    assert dialog.floor.isChecked() and dialog.floor.isEnabled()
    if not stands:
        QTest.mouseClick(dialog.floor, Qt.MouseButton.LeftButton, pos=QPoint(10, dialog.floor.height() // 2))
    QTest.mouseClick(dialog._create, Qt.MouseButton.LeftButton)
    assert made[0].robot.floor == (0.0 if stands else None)
    dialog.begin(made[0].robot, made[0])
    assert dialog.floor.isChecked()
    QTest.mouseClick(dialog.kind.group.button(COPY), Qt.MouseButton.LeftButton)
    assert not dialog.floor.isEnabled()  # a copy has the floor of the arm
    QTest.mouseClick(dialog._create, Qt.MouseButton.LeftButton)
    assert made[1].robot.floor == made[0].robot.floor
