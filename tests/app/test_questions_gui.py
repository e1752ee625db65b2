"""The Questions dock: chosen, answered, hinted, solved by moving the arm, kept between starts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from armature.app.joints.feature import JointsFeature
from armature.app.questions.feature import QuestionsFeature
from armature.app.widgets.on_screen import on_screen

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
MINE = """
title = "Mine"
robot = "scara"
text = "How long is the first link?"
solution = "0.325 m"
hints = ["Look at the table."]
[[answers]]
kind = "number"
ask = "a1 ="
equals = "a1"
unit = "mm"
"""


@pytest.fixture
def asked(make_window, wait_for, find):
    """The window with the Questions dock in front, and a function that types an answer and presses Enter."""
    window = make_window("puma560", perspective="equations")
    feature = window.features[QuestionsFeature]
    window.actions_["questions"].trigger()
    wait_for(lambda: feature.question is not None)

    def type_in(k, text):
        field = find(window, f"question_answer_{k}")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
        wait_for(lambda: not feature.runner.busy and find(window, f"question_verdict_{k}").isVisible())
        return find(window, f"question_verdict_{k}").text()

    return window, feature, type_in


def choose(window, find, name):
    """The question from the list, by keys."""
    box = find(window, "questions_list")
    box.showPopup()
    view = box.view()
    view.setCurrentIndex(box.model().index(box.findData(name), 0))
    QTest.keyClick(view, Qt.Key.Key_Return)


def drop(window, path):
    """A file let go over the view."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy = Qt.DropAction.CopyAction
    QApplication.sendEvent(window.scene, QDragEnterEvent(QPoint(50, 50), copy, data, LEFT, NONE))
    QApplication.sendEvent(window.scene, QDropEvent(QPointF(50, 50), copy, data, LEFT, NONE))


def test_the_list_is_as_wide_as_its_titles(asked, find, wait_for):
    window, _, _ = asked
    box = find(window, "questions_list")
    box.showPopup()
    wait_for(lambda: box.view().isVisible())
    assert box.view().viewport().width() >= box.view().sizeHintForColumn(0)
    box.hidePopup()


def test_tab_goes_from_the_answers_to_the_buttons_below(asked, find, press, wait_for):
    window, feature, _ = asked
    choose(window, find, "11_scara_by_geometry")
    wait_for(lambda: feature.question.name == "11_scara_by_geometry" and find(window, "question_answer_0").isVisible())
    fields = [one.field for one in feature.panel.rows if one.isVisible()]
    assert len(fields) > 1
    fields[0].setFocus()
    seen = []
    for _ in range(len(fields) + 2):
        press(QApplication.focusWidget(), Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget().objectName())
    assert seen == [*(field.objectName() for field in fields[1:]), "question_check", "question_hint", "question_solve"]


def test_a_question_is_answered_beside_its_arm(asked, find, click, wait_for):
    window, feature, type_in = asked
    choose(window, find, "11_scara_by_geometry")
    wait_for(lambda: feature.question.name == "11_scara_by_geometry")
    click(window, "question_arm")
    wait_for(lambda: window.document.robot.name == "scara")
    assert "q1 + q2" in type_in(0, "r1 c1 + r2 c2")
    field = find(window, "question_answer_0")
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    assert not find(window, "question_verdict_0").isVisible()
    height = feature.panel.rows[1].y()
    field.selectAll()
    QTest.keyClicks(field, "r1")
    assert feature.panel.rows[1].y() == height  # what is read of it comes and goes without moving what stands below
    feature.panel.rows[0].fill("r2")
    field.undo()
    assert field.text() == "r1"  # a solution takes no answer away
    type_in(0, "r1 c1 + r2 c")
    assert "c is unknown" in find(window, "question_preview_0").text().replace("“", "").replace("”", "")
    assert "is unknown" in type_in(0, "r1 c1 + r2 c") and not find(window, "question_preview_0").isVisible()  # said once
    assert "difference is 0" in type_in(0, "cos(q1) r1 + r2 (c1 c2 - s1 s2)")
    assert find(window, "question_preview_0").text() == "= c₁ r₁ + r₂ (c₁ c₂ − s₁ s₂)"
    assert "difference is 0" in type_in(1, "r1 s1 + r2 s12")
    click(window, "question_hint")
    assert "Hint 1" in find(window, "question_hints").text() and find(window, "question_hint").text() == "Hint (2)"
    assert "moves down" in type_in(2, "h1+h2+q3")
    assert not find(window, "question_solution").isVisible()
    type_in(2, "h1+h2-q3")
    assert find(window, "question_solution").isVisible()
    assert window.preferences.now.questions == {"11_scara_by_geometry": "solved"}
    assert find(window, "questions_count").text().startswith("1 of ")

    click(window, "questions_next")
    assert feature.question.name == "12_scara_by_dh"
    rows = feature.panel.rows
    assert rows[0].isVisible() and not rows[1].isVisible()
    type_in(0, "r1")
    wait_for(lambda: rows[1].isVisible() and find(window, "question_answer_1").hasFocus())
    click(window, "question_solve")
    assert feature.panel.rows[6].isVisible() and find(window, "question_answer_6").text() == "h1 + h2 - q3"
    assert window.preferences.now.questions["12_scara_by_dh"] == "shown"
    click(window, "questions_before")
    assert find(window, "question_answer_2").text() == "h1+h2-q3"


def test_a_pose_is_reached_by_hand_and_own_questions_are_opened(asked, find, click, wait_for, press, tmp_path):
    window, feature, type_in = asked
    window.document.open_robot("scara")
    choose(window, find, "22_scara_singular")
    wait_for(lambda: feature.question.name == "22_scara_singular")
    condition = find(window, "question_condition_2_0")
    wait_for(lambda: condition.text().startswith("○ det_J = 0 ± 0.001, now −0.0633"))
    option = find(window, "question_option_1_1")
    QTest.mouseClick(option, LEFT, pos=QPoint(8, option.height() // 2))
    wait_for(lambda: find(window, "question_verdict_1").text().startswith("✗ Both joints"))
    window.features[JointsFeature].dock.bring_up()
    value = find(window, "joint_value_joint2")
    value.selectAll()
    QTest.keyClicks(value, "0")
    QTest.keyClick(value, Qt.Key.Key_Return)
    assert find(window, "question_verdict_2").isHidden()
    feature.dock.bring_up()
    wait_for(lambda: find(window, "question_verdict_2").text() == "✓ Correct.")
    assert condition.text().startswith("✓")

    own = tmp_path / "mine.toml"
    own.write_text(MINE, encoding="utf-8")
    drop(window, own)
    wait_for(lambda: feature.question.name == "mine")
    assert type_in(0, "0.325").endswith("metres?")
    assert type_in(0, "325") == "✓ Correct."
    more = MINE + '[[answers]]\nkind = "number"\nask = "d1 ="\nequals = "d1"\n'
    own.write_text(more, encoding="utf-8")
    drop(window, own)  # edited meanwhile
    wait_for(lambda: len(feature.panel.rows) == 2)
    assert type_in(1, "0.4") == "✓ Correct." and find(window, "question_answer_0").text() == ""
    own.write_text(MINE.replace("[[answers]]", "[[answers"), encoding="utf-8")
    drop(window, own)
    wait_for(lambda: window.findChild(QMessageBox, "complaint") is not None)
    box = find(window, "complaint")
    assert "mine.toml" in box.text() + box.informativeText() and "line" in box.text() + box.informativeText()
    box.close()


def test_the_dock_comes_in_front_in_a_narrow_window(make_window, wait_for):
    window = make_window("scara", size=(1024, 700), perspective="explore")
    feature = window.features[QuestionsFeature]
    window.docks.bring_up("kinematics")
    wait_for(lambda: on_screen(window.docks["kinematics"].widget()))
    window.actions_["questions"].trigger()
    wait_for(lambda: on_screen(feature.panel) and feature.question is not None)
    assert not on_screen(window.docks["kinematics"].widget())
