"""What the window tells of a pose: how near a singularity it is, the tables, and how many digits they have."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature.app.state.number_marks import said
from armature.app.state.units import measured
from tests.app.kept_window import AS_IT_STARTS


def test_a_straight_wrist_turns_readouts_red_and_names_itself(window, find, wait_for):
    sigma, condition = find(window, "readout_sigma_min"), find(window, "readout_condition")
    wait_for(lambda: condition.property("level") == "0")
    assert condition.palette().windowText().color().name() == window.bench.look.tokens.good
    q = window.document.q.copy()
    q[4] = 0.0
    window.document.edit(q)
    wait_for(lambda: condition.property("level") == "2")
    assert sigma.property("level") == "2"
    assert condition.palette().windowText().color().name() == window.bench.look.tokens.danger
    assert find(window, "singularity_explanation").text() == window.readouts.latest.report.reason
    values = [find(window, f"value_{name}") for name in ("sigma_min", "condition", "rank")]
    assert [value.font().bold() for value in values] == [True, True, False]
    window.actions_["undo"].trigger()
    wait_for(lambda: condition.property("level") == "0")
    assert len({value.font().toString() for value in values}) == 1  # nothing of the warning is left


def test_undo_shows_pose_and_singular_values_in_the_same_picture_as_the_arm(make_window, find, wait_for, press):
    window = make_window(perspective="explore")
    x, sigma, read = find(window, "tool_x"), find(window, "value_sigma_min"), []
    window.clock.reading.connect(lambda: read.append(window.document.q))
    before, home = (x.text(), sigma.text()), window.document.q
    window.document.edit(home + [0, 0.3, -0.2, 0.1, 0.2, 0.3])
    wait_for(lambda: any(q is window.document.q for q in read))
    assert x.text() != before[0] and sigma.text() != before[1]
    window.clock.stop()  # as on a machine that takes long for a frame
    try:
        press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        np.testing.assert_array_equal(window.document.q, home)
        assert (x.text(), sigma.text()) == before
    finally:
        window.clock.start()


def test_every_readout_of_a_pose_has_four_digits(make_window, find, wait_for):
    window = make_window("puma560", perspective="all")
    places = ("readout_sigma_min", "readout_condition", "value_sigma_min", "value_condition", "singularity_numbers")
    wait_for(lambda: all(find(window, name).text() not in ("", "–") for name in places))
    report = window.readouts.latest.report
    sigma, condition = measured(report.sigma_min), measured(report.condition)
    assert [text.count(sigma) for text in (find(window, name).text() for name in places)] == [1, 0, 1, 0, 1]
    assert [text.count(condition) for text in (find(window, name).text() for name in places)] == [0, 1, 0, 1, 1]


def test_thresholds_move_the_warning(window, find, wait_for):
    wait_for(lambda: window.readouts.latest is not None)
    find(window, "threshold_warn").setValue(2)
    wait_for(lambda: find(window, "readout_condition").property("level") == "1")
    assert window.preferences.now.warn_condition == 2


def test_kinematics_shows_the_live_dh_row_and_the_jacobian(window, find, wait_for):
    window.document.edit(np.array([0.5, 0.1, 0.2, 0.3, 0.4, 0.6]))
    dh, jacobian = find(window, "table_dh"), find(window, "table_jacobian")
    wait_for(lambda: dh.numbers.text(0, 0) == "28.648")
    assert dh.numbers.columns[0].startswith("θ") and (0, 0) in dh.numbers.marked
    assert jacobian.numbers.rows == ("vx", "vy", "vz", "ωx", "ωy", "ωz")
    assert np.array_equal(jacobian.numbers.values, window.readouts.latest.jacobian)
    assert find(window, "value_determinant").text() not in ("–", "not square")


def test_modified_tables_have_their_own_column_order(make_window, find):
    columns = find(make_window("panda"), "table_dh").numbers.columns
    assert [name[0] for name in columns] == ["a", "α", "d", "θ"]


def test_at_near_and_regular_are_told_apart_wherever_it_is_said(make_window, find, wait_for):
    window = make_window(perspective="explore")
    for degrees, level, verdict in (
        (0.0, "2", "At a singularity"), (3.0, "2", "Near a singularity, 3° from it"), (40.0, "0", "Non-singular")
    ):  # fmt: skip
        window.document.edit(np.array([0.2, 0.7, -2.6, 0.3, np.radians(degrees), 0.4]))
        wait_for(lambda verdict=verdict: find(window, "singularity_verdict").text() == verdict)
        assert find(window, "singularity_verdict").property("level") == level
        assert find(window, "readout_explanation").text() == (verdict if degrees < 40 else "")
        wait_for(lambda: find(window, "singularity_explanation").text() == said(window.readouts.latest.report.reason))
        assert ("Non-singular" in find(window, "singularity_explanation").text()) == (degrees == 40)
        if degrees == 0:  # what is rounding is zero
            texts = {key: find(window, f"value_{key}").text() for key in ("sigma_min", "manipulability", "determinant", "rank")}
            assert texts == {"sigma_min": "0", "manipulability": "0", "determinant": "0", "rank": "5 of 6"}
            assert find(window, "readout_sigma_min").text() == "σ min 0"
            assert find(window, "singularity_numbers").text() == "σ min 0, condition number ∞"
    find(window, "threshold_warn").setValue(1.5)  # who wants to be warned of everything is told what is near
    wait_for(lambda: find(window, "singularity_verdict").text().startswith("Near a singularity"))
    assert not find(window, "singularity_cause").text().startswith(("Non-singular", "The tool can move in every"))


def test_joints_for_coordinates_are_counted(make_window, find, wait_for):
    window = make_window("rp", perspective="explore")
    for robot, rank, task in (
        ("spherical_pendulum", "2 of 2", "Task x, y, z. 2 joints for 3 coordinates: no motion along the rod."),
        ("panda", "6 of 6", "7 joints for 6 coordinates: 1 redundant. Characteristic length"),
        ("scara", "3 of 3", "Task x, y, z."),
        ("puma560", "6 of 6", "Task x, y, z, rx, ry, rz. Characteristic length"),
    ):
        window.document.open_robot(robot)
        wait_for(lambda: window.readouts.latest is not None and window.readouts.latest.q is window.document.q)
        wait_for(lambda rank=rank: find(window, "value_rank").text() == rank)
        wait_for(lambda task=task: task in find(window, "singularity_task").text())
        assert ("Characteristic" in task) == ("Characteristic" in find(window, "singularity_task").text()), robot
        report = window.readouts.latest.report
        assert find(window, "singularity_cause").text().endswith(said(report.freedom)), robot
        assert ("every direction of its task" in find(window, "singularity_cause").text()) == (robot != "spherical_pendulum")


def test_the_reason_of_a_singular_pose_stands_in_one_place(make_window, find, wait_for):
    """In the panel that is seen, else in the view; the status line has the verdict, unless the Singularity dock shows it."""
    window = make_window(size=AS_IT_STARTS, perspective="explore")
    scene = window.scene

    def reasons():
        panels = [find(window, name) for name in ("singularity_explanation", "singularity_cause")]
        texts = [label.text() for label in panels if not label.visibleRegion().isEmpty()]
        return [text for text in texts if "collinear" in text], [
            pill.text for pill in scene.stage.lost_motion.pills(scene.frame_state)
        ]

    window.docks.bring_up("kinematics")
    window.document.edit(window.document.robot.configurations["stretched"])
    wait_for(lambda: find(window, "readout_explanation").text() == "At a singularity")
    for perspective, panel in (("explore", True), ("trajectory", False), ("singularity", True), ("dynamics", False)):
        QTest.mouseClick(find(window, f"button_perspective_{perspective}"), Qt.MouseButton.LeftButton)
        wait_for(lambda panel=panel: [len(texts) for texts in reasons()] == ([1, 0] if panel else [0, 1]))
        verdict = "" if perspective == "singularity" else "At a singularity"  # the dock shows it
        wait_for(lambda verdict=verdict: find(window, "readout_explanation").text() == verdict)
    assert reasons()[1] == ["Wrist: axes 4 and 6 are collinear"]
