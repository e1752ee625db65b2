"""What a person is about to press stands still while the words around it change."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QScrollArea, QScrollBar, QSlider

from armature.app.widgets.late_dock import LateDock
from armature.app.widgets.on_screen import on_screen
from armature.app.window.late_docks import QuestionsDock
from tests.app.focus import type_into
from tests.app.kept_window import settle


def places(window) -> dict:
    """Where the controls of the docks that are open stand in what scrolls there."""
    found = {}
    for dock in window.docks.all():
        areas = dock.findChildren(QScrollArea)
        for kind in (QAbstractButton, QComboBox, QAbstractSpinBox, QSlider):
            for part in dock.findChildren(kind):
                if part.isVisible() and not isinstance(part, QScrollBar):
                    scrolled = sum(area.verticalScrollBar().value() for area in areas if area.isAncestorOf(part))
                    found[part] = part.mapTo(dock, QPoint(0, scrolled)).y()
    return found


def moved(window, before: dict) -> list[str]:
    """The controls that stand higher or lower than before, by more than what rounding makes of a line's height."""
    now = places(window)
    return [
        f"{part.objectName()}: {before[part]} to {now[part]}"
        for part in before
        if part in now and abs(now[part] - before[part]) > 1
    ]


def all_came(window) -> bool:
    """Whether no panel that can be seen is still to come, which takes its room from others."""
    return all(dock.awake for dock in window.docks.all() if isinstance(dock, LateDock) and on_screen(dock))


def test_controls_stand_still(make_window, find, wait_for):
    window = make_window("puma560", perspective="singularity")
    document, actions = window.document, window.actions_
    way, cause = find(window, "nearest_distance"), find(window, "singularity_cause")

    def press(name: str):
        QTest.mouseClick(find(window, name), Qt.MouseButton.LeftButton)

    wait_for(cause.text)
    words = cause.text()
    document.edit(document.robot.configurations["ready"], text="ready")
    wait_for(lambda: cause.text() != words)
    wait_for(lambda: way.text() and "Looking" not in way.text())
    before = places(window)
    for name in ("home", "stretched"):
        words = cause.text()
        document.edit(document.robot.configurations[name], text=name)
        wait_for(lambda words=words: cause.text() != words)
        QTest.qWait(50)
        assert not moved(window, before), name
    wait_for(lambda: way.text().startswith("Already at"))
    assert not moved(window, before)
    press("singularity_play")
    wait_for(lambda: find(window, "singularity_remark").isVisible())
    assert not moved(window, before)
    press("singularity_play")

    for perspective in ("explore", "trajectory"):  # Joints and Simulation tell that the arm runs
        actions[f"perspective_{perspective}"].trigger()
        window.docks.bring_up("simulation" if perspective == "trajectory" else "joints")
        if perspective == "explore":
            wait_for(lambda: find(window, "value_sigma_min").text() not in ("", "–"))  # until then there are no bars
        wait_for(lambda: all_came(window))
        QTest.qWait(50)
        before = places(window)
        actions["run"].trigger()
        wait_for(lambda: window.simulation.running and not find(window, "joint_value_joint1").isEnabled())
        QTest.qWait(50)
        assert not moved(window, before)
        actions["pause"].trigger()

    actions["perspective_workspace"].trigger()
    QTest.qWait(50)
    before = places(window)
    press("workspace_compute")
    wait_for(lambda: "points" in find(window, "workspace_result").text(), 60)
    assert not moved(window, before)
    wait_for(lambda: "Volume" in find(window, "workspace_volume").text(), 60)
    QTest.qWait(50)
    assert not moved(window, before)

    actions["perspective_trajectory"].trigger()
    window.docks.bring_up("trajectory")
    wait_for(lambda: all_came(window))
    QTest.qWait(50)
    before = places(window)
    for name in ("trajectory_add_joints", "trajectory_add_tool"):
        press(name)
        QTest.qWait(50)
        assert not moved(window, before), name


def test_a_tool_pose_that_is_refused_moves_nothing(make_window, find, wait_for):
    window = make_window("puma560", perspective="explore")
    window.docks.bring_up("kinematics")
    field, words, quaternion = find(window, "tool_x"), find(window, "tool_words"), find(window, "tool_quaternion")
    wait_for(lambda: all_came(window) and field.value() != 0.0 and find(window, "value_sigma_min").text() not in ("", "–"))
    QTest.qWait(50)
    before = places(window)
    for text, why in (("0.95", "beyond reach"), ("0", "Joint limits")):
        type_into(field, text)
        wait_for(lambda why=why: words.isVisible() and why in words.text())
        QTest.qWait(50)
        assert not moved(window, before), text
        assert not quaternion.isVisible()  # it is not of the pose that the fields show
    QTest.keyClick(window.scene, Qt.Key.Key_Escape)
    assert not words.isVisible() and quaternion.isVisible() and not moved(window, before)


def test_a_run_of_a_trajectory_moves_nothing(make_window, find, wait_for):
    window = make_window("puma560", perspective="trajectory")
    window.docks.bring_up("trajectory")
    find(window, "trajectory_example").trigger()
    run, progress = find(window, "trajectory_run"), find(window, "trajectory_progress")
    wait_for(lambda: all_came(window) and run.isEnabled())
    QTest.qWait(50)
    panel = window.docks["trajectory"]
    before = {part: y for part, y in places(window).items() if panel.isAncestorOf(part)}  # Control shows another law's gains
    QTest.mouseClick(run, Qt.MouseButton.LeftButton)
    wait_for(lambda: window.simulation.running and "Switched to computed torque" in progress.text())
    QTest.qWait(50)
    assert not moved(window, before)
    QTest.mouseClick(find(window, "trajectory_stop"), Qt.MouseButton.LeftButton)
    wait_for(lambda: "run has ended" in progress.text())
    assert not moved(window, before)


def test_what_a_near_singularity_is_called_moves_nothing(make_window, find, wait_for):
    window = make_window("puma560", perspective="explore")
    window.docks.bring_up("kinematics")
    words, document = find(window, "singularity_explanation"), window.document
    wait_for(lambda: all_came(window) and "Non-singular" in words.text())
    QTest.qWait(50)
    before = places(window)
    document.edit(document.robot.configurations["stretched"] + [0.3, 0.4, 0.02, 0.5, 0.7, 0.2])
    wait_for(lambda: "axes 2, 3 and the wrist centre are coplanar" in words.text())
    QTest.qWait(50)
    assert not moved(window, before)


TYPED = "9999", "-7", "x", "0.3"  # too large, too small, no number, one that fits


def lines(dock) -> list:
    """Fields of a dock that a number or a word can be typed into."""
    found = [part for kind in (QAbstractSpinBox, QLineEdit) for part in dock.findChildren(kind)]
    return [part for part in found if part.isVisible() and part.isEnabled() and not isinstance(part.parent(), QAbstractSpinBox)]


def rests(window) -> bool:
    """Whether a panel that came into view has taken its places."""
    before = places(window)
    settle()
    return places(window) == before


def type_slowly(window, field, text: str, before: dict) -> None:
    """Type over what a field holds; after each key everything is where it was."""
    field.setFocus()
    field.selectAll()
    for key in text:
        QTest.keyClicks(field, key)
        settle()
        assert not moved(window, before), (field.objectName(), text, key)


@pytest.mark.parametrize("scale", [100, 150])
def test_nothing_moves_while_a_question_is_answered(make_window, find, wait_for, scale):
    window = make_window("scara", size=(1400, 900), anew=True, perspective="equations", text_scale=scale)
    feature = window.features[QuestionsDock].feature
    window.actions_["questions"].trigger()
    wait_for(lambda: feature.question is not None and all_came(window))
    feature.choose("11_scara_by_geometry")
    rows = feature.panel.rows
    wait_for(lambda: rows[2].isVisible())
    settle()
    before = {row.field: row.field.mapTo(feature.panel, QPoint()).y() for row in rows}

    def still() -> bool:
        return before == {row.field: row.field.mapTo(feature.panel, QPoint()).y() for row in rows}

    for text in ("r", "r1 c1 +", "r1 c1 + r2 cos(q1 - q2)", "theta", "sin("):
        field = rows[0].field
        field.setFocus()
        field.selectAll()
        for key in text:
            QTest.keyClicks(field, key)
            settle()
            assert still(), (text, key)
        QTest.keyClick(field, Qt.Key.Key_Return)
        wait_for(lambda: not feature.runner.busy and rows[0].verdict.isVisible())
        settle()
        assert still(), text  # while one goes on in the next field


@pytest.mark.parametrize("name", ["control", "dynamics", "builder"])
def test_nothing_moves_while_numbers_are_typed(make_window, find, wait_for, name):
    window = make_window("puma560")
    dock = window.docks[name]
    window.docks.bring_up(name)
    wait_for(lambda: on_screen(dock) and all_came(window))
    if name == "control":
        law = find(window, "control_law")
        law.setFocus()
        while law.currentData() != "computed-torque":
            QTest.keyClick(law, Qt.Key.Key_Down)
    if name == "builder":
        wait_for(lambda: window.document.draft is not None)
        find(window, "builder_tabs").setCurrentIndex(1)
        wait_for(lambda: find(window, "builder_shape_result").text())
    fields = lines(dock)
    assert fields
    fields[0].setFocus()
    wait_for(lambda: rests(window) and rests(window))
    for field in fields:
        before = places(window)
        for text in TYPED:
            type_slowly(window, field, text, before)
        QTest.keyClick(field, Qt.Key.Key_Escape)
        settle()
