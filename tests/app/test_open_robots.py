"""Opening robots: the menu, bad files, drops."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QRegularExpression, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from armature import engine
from armature.app.joints.joint_row import JointRow
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.trajectory.feature import TrajectoryFeature

TRAJECTORY = Path(__file__).resolve().parents[2] / "assets" / "trajectories" / "pick_place_puma560.toml"


def drop(widget, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    left, none, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(20, 20), copy, data, left, none)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(20, 20), copy, data, left, none))


def test_each_shipped_robot_opens(window, find, wait_for):
    for name in sorted(engine.shipped_robots(), key="puma560".__eq__):  # the one that is open comes last
        window.files.open_robot(name)
        window.files.finish()
        robot = window.document.robot
        assert robot.name == name and window.windowTitle() == f"{robot.title}[*] — Armature"
        for joint in robot.joint_names:
            find(window, f"joint_slider_{joint}")
            find(window, f"joint_value_{joint}")
        wait_for(lambda q=window.document.q: window.readouts.latest is not None and window.readouts.latest.q is q)
        assert window.actions_["run"].isEnabled() == robot.has_dynamics, name
        assert window.scene.robot is robot, name
        assert not window.document.undo_stack.canUndo(), name


def test_a_bad_file_tells_why_and_keeps_the_robot(window, tmp_path, find, wait_for):
    bad = tmp_path / "bad.toml"
    bad.write_text('name = "bad"\nnonsense = 1\n')
    before = window.document.robot
    window.files.open_path(str(bad))
    wait_for(lambda: window.findChild(QMessageBox, "complaint") is not None)
    box = find(window, "complaint")
    assert isinstance(box, QMessageBox) and box.isVisible()
    assert "bad.toml" in box.text() and "\n" not in box.text()
    assert window.document.robot is before
    box.button(QMessageBox.StandardButton.Ok).click()
    wait_for(lambda: not box.isVisible())


def test_a_dropped_file_opens(window, tmp_path, wait_for):
    source = engine.load_robot("scara").source
    copy = tmp_path / "mine.toml"
    copy.write_bytes(source.read_bytes())
    drop(window.scene, copy)
    wait_for(lambda: window.document.robot.name == "scara")
    assert window.preferences.now.recent_files[0] == str(copy.resolve())
    drop(window, engine.load_robot("rp").source)
    wait_for(lambda: window.document.robot.name == "rp")


def robots_in_view(window) -> tuple:
    """Which robot each part of the window shows, by its joints."""
    rows = [row for row in window.joints.findChildren(JointRow) if not row.isHidden()]
    sliders = tuple(row.slider.accessibleName().removesuffix(" slider") for row in rows)
    return window.document.robot.joint_names, sliders, window.scene.robot.joint_names, window.scene.q.size, window.windowTitle()


def consistent(robot) -> tuple:
    """The same where all of them show this one."""
    return *(robot.joint_names,) * 3, robot.n, f"{robot.title}[*] — Armature"


def test_the_latest_of_three_wins_and_nothing_shows_a_mixture(window, wait_for):
    seen, shown = [], QTimer(interval=0)
    shown.timeout.connect(lambda: seen.append(robots_in_view(window)))
    first, last = window.document.robot, engine.load_robot("scara")
    shown.start()
    for name in ("panda", "rp", "scara"):
        drop(window.scene, engine.load_robot(name).source)
    wait_for(lambda: window.document.robot.name == "scara")
    QTest.qWait(300)  # the others would have been read by then
    shown.stop()
    assert set(seen) == {consistent(first), consistent(last)}


class Painted(QObject):
    """In which turns of the event loop each widget was painted."""

    def __init__(self, *widgets):
        super().__init__()
        self.turn, self.turns = 0, {widget: [] for widget in widgets}
        self._beat = QTimer(self, interval=0)
        self._beat.timeout.connect(self._count)
        for widget in widgets:
            widget.installEventFilter(self)

    def _count(self):
        self.turn += 1

    def watch(self):
        self._beat.start()

    def eventFilter(self, widget, event):
        if event.type() == QEvent.Type.Paint:
            self.turns[widget].append(self.turn)
        return False


def test_view_and_panels_are_drawn_in_turns_of_their_own_once_all_show_the_robot(make_window, wait_for):
    window = make_window("puma560", perspective="explore")
    painted = Painted(window.scene, *(window.docks[name].panel for name in ("joints", "kinematics")))
    shown = []
    window.document.robot_changed.connect(lambda _: shown.append((painted.turn, painted.turns.copy())))
    painted.watch()
    window.files.open_robot("panda")
    wait_for(lambda: shown and all(turns and turns[-1] > shown[0][0] for turns in painted.turns.values()))
    first = [next(turn for turn in turns if turn > shown[0][0]) for turns in painted.turns.values()]
    assert len(set(first)) == 3 and first[0] == min(first)  # the view, before the numbers
    assert not any(shown[0][0] in turns for turns in painted.turns.values())
    assert all(dock.updatesEnabled() for dock in window.docks.all()) and window.scene.updatesEnabled()


def torque_names(window) -> list[str]:
    """The joints that the simulation panel has a row for."""
    sliders = window.simulation_panel.findChildren(QWidget, QRegularExpression("^torque_slider_"))
    return [slider.objectName().removeprefix("torque_slider_") for slider in sliders if not slider.isHidden()]


def test_a_panel_that_nobody_sees_takes_its_shape_a_turn_later_or_when_it_comes_into_view(make_window, wait_for):
    window = make_window("puma560", perspective="explore")
    wait_for(lambda: torque_names(window) == list(window.document.robot.joint_names))
    at_once = []
    window.document.q_changed.connect(lambda _: at_once.append(torque_names(window)))
    scara, panda = (list(engine.load_robot(name).joint_names) for name in ("scara", "panda"))
    window.document.open_robot("scara")
    assert scara not in at_once
    wait_for(lambda: torque_names(window) == scara)
    window.document.open_robot("panda")
    assert torque_names(window) == scara
    window.docks.bring_up("simulation")
    assert torque_names(window) == panda
    window.document.open_robot("scara")
    assert torque_names(window) == scara  # it is seen: in one go with the rest


def test_what_is_opened_later_wins_over_a_robot_that_is_being_read(window):
    window.files.open_robot("panda")
    window.files.open_path(str(TRAJECTORY))
    window.files.finish()
    assert window.document.robot.name == "puma560" and window.features[TrajectoryFeature].model.draft.waypoints
    window.files.open_robot("panda")
    window.document.open_robot("scara")  # as a script does
    window.files.finish()
    assert window.document.robot.name == "scara"


def test_who_edits_the_arm_while_another_one_is_read_is_asked(window, find, wait_for):
    window.files.open_robot("panda")
    document = window.document
    document.edit_draft(engine.draft_of(document.robot).with_value(("joints", 1, "a"), 0.3), "a of joint2")
    window.files.finish()
    assert document.robot.name == "puma560" and document.unsaved
    question = window.features[RobotFileFeature]._question
    discard = next(button for button in question.buttons() if button.objectName() == "unsaved_discard")
    QTest.mouseClick(discard, Qt.MouseButton.LeftButton)
    wait_for(lambda: document.robot.name == "panda")
    assert "recovered" not in window.banner.text.text()


def test_opening_resets_pose_and_history(window):
    window.document.edit_joint(0, 1.0)
    window.document.open_robot("stanford")
    assert np.array_equal(window.document.q, window.document.robot.configurations["home"])
    assert window.document.undo_stack.count() == 0


def test_many_switches_while_running_leave_the_last_robot(window, wait_for):
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    for name in ("scara", "panda", "ur5", "rp", "ur10"):
        window.files.open_robot(name)
        QApplication.processEvents()
    wait_for(lambda: window.document.robot.name == "ur10" and not window.simulation.running)
    assert len(window.document.q) == 6


def test_a_robot_without_masses_says_why_it_cannot_run(make_window, find, press):
    window = make_window("irb140")
    window.docks.bring_up("simulation")
    message = find(window, "simulation_message")
    QApplication.processEvents()
    assert message.isVisible() and "no masses" in message.text()
    for name in ("run", "step", "reset"):
        assert not window.actions_[name].isEnabled()
        assert "no masses" in window.actions_[name].toolTip()
    before = window.document.q.copy()
    press(window.scene, Qt.Key.Key_Space)
    assert np.array_equal(window.document.q, before)


def test_a_dropped_trajectory_opens_with_its_robot_in_the_motion_dock(make_window, find, wait_for):
    window = make_window("scara", perspective="explore")
    feature = window.features[TrajectoryFeature]
    drop(window.scene, TRAJECTORY)
    assert window.document.robot.name == "scara"  # the other one is read beside the window
    wait_for(lambda: window.document.robot.name == "puma560")
    assert feature.model.draft.name == "pick_and_place"
    assert window.preferences.now.perspective == "trajectory" and window.docks["trajectory"].isVisible()
    assert window.actions_["perspective_trajectory"].isChecked()
    assert window.preferences.now.recent_files[0] == str(TRAJECTORY)
    wait_for(lambda: feature.model.preview is not None)
    window.actions_["undo"].trigger()
    assert not feature.model.draft.waypoints and window.document.robot.name == "puma560"


def test_what_is_no_robot_says_what_it_is_and_changes_nothing(make_window, find, tmp_path):
    window = make_window("scara")
    before = window.document.robot
    scenario = TRAJECTORY.parents[1] / "scenarios" / "payloads.toml"
    other = tmp_path / "other.toml"
    other.write_text('name = "way"\nrobot = "mine"\n[[waypoints]]\npose = "home"\n')
    bad = tmp_path / "bad.toml"
    bad.write_text('name = "way"\nspeeed = 1\n[[waypoints]]\npose = "home"\n')
    for path, words in (
        (scenario, "payloads.toml is a scenario file, which runs without a window; run it with armature scenario "),
        (other, "other.toml: was made for mine, not for scara; open that robot first"),
        (bad, "speeed: unknown key; did you mean speed?"),
    ):
        drop(window, path)
        assert words in find(window, "banner_text").text() and find(window, "banner").isVisible()
        assert window.document.robot is before and not window.features[TrajectoryFeature].model.draft.waypoints
