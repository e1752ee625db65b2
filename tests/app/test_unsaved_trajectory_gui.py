"""A trajectory that is in no file is not lost with the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from armature import engine
from tests.app.kept_window import SIZE


@pytest.fixture
def closing(trajectory_dock, find, wait_for):
    """A window whose trajectory a person has made, and a function that closes it and answers the question."""
    window, feature = trajectory_dock("scara", size=SIZE, anew=True)
    wait_for(lambda: find(window, "trajectory_add_joints").isEnabled())

    def close(answer: str) -> None:
        window.close()
        assert window.isVisible()
        question = window.findChild(QMessageBox, "unsaved_question")
        assert "trajectory of SCARA" in question.text()
        QTest.mouseClick(question.findChild(object, answer), Qt.MouseButton.LeftButton)

    return window, feature, close


def test_waypoints_are_asked_about_until_they_are_saved_or_given_up(closing, find, click, wait_for, monkeypatch, tmp_path):
    window, feature, close = closing
    assert not feature.model.unsaved
    click(window, "trajectory_add_joints")
    close("unsaved_cancel")
    wait_for(lambda: window.findChild(QMessageBox, "unsaved_question") is None)
    assert window.isVisible() and len(feature.model.draft.waypoints) == 1
    window.document.undo_stack.undo()
    assert not feature.model.unsaved
    window.document.undo_stack.redo()
    path = tmp_path / "way.toml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    close("unsaved_save")
    wait_for(lambda: not window.isVisible())
    assert len(engine.load_plan(path, engine.load_robot("scara")).waypoints) == 1


def test_one_that_is_given_up_and_the_example_do_not_keep_the_window_open(closing, find, click, wait_for):
    window, feature, close = closing
    find(window, "trajectory_example").trigger()
    assert feature.model.draft.waypoints and not feature.model.unsaved
    click(window, "trajectory_add_joints")
    close("unsaved_discard")
    wait_for(lambda: not window.isVisible())


def test_those_of_robots_that_were_left_are_asked_about_too(closing, find, click, wait_for, monkeypatch, tmp_path):
    window, feature, close = closing
    click(window, "trajectory_add_joints")
    window.document.open_robot("rp")
    click(window, "trajectory_add_joints")
    click(window, "trajectory_add_joints")
    window.document.open_robot("puma560")
    assert not feature.model.draft.waypoints
    proposed, path = [], tmp_path / "way.toml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (proposed.append(args[2]), (str(path), ""))[1])
    close("unsaved_discard")
    answer(window, wait_for, "RP", "unsaved_cancel")
    assert window.isVisible()
    close("unsaved_save")  # what was given up before the closing was, is asked about again
    assert len(engine.load_plan(path, engine.load_robot("scara")).waypoints) == 1 and window.isVisible()
    assert proposed[0].endswith("scara trajectory.toml")
    answer(window, wait_for, "RP", "unsaved_discard")
    wait_for(lambda: not window.isVisible())


def answer(window, wait_for, robot: str, button: str) -> None:
    """Answers the question about the trajectory of a robot, which comes after another one."""

    def questions() -> list[QMessageBox]:
        boxes = window.findChildren(QMessageBox, "unsaved_question")
        return [box for box in boxes if robot in box.text() and box.isVisible()]

    wait_for(questions)
    QTest.mouseClick(questions()[0].findChild(object, button), Qt.MouseButton.LeftButton)
