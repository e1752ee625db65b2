"""The timeline: scrubbing, parts, recordings over each other, simulated again."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from armature import engine
from armature.app.recording import verify_feature
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from tests.time_limits import WAIT


@pytest.fixture
def falls(tmp_path):
    """Two recordings of the Puma that falls, from two poses."""
    robot = engine.load_robot("puma560")
    paths = []
    for k, turn in enumerate((0.0, 0.4)):
        q = robot.configurations["home"].copy()
        q[0] += turn
        paths.append(engine.simulate(robot, q, np.zeros(robot.n), 0.5, 1e-3).save(tmp_path / f"fall{k}.npz"))
    return paths


@pytest.fixture
def opened(window, falls, wait_for):
    """The first of them open."""
    window.files.open_path(str(falls[0]))
    wait_for(lambda: window.replay.replaying)
    return window


def click_at(timeline, fraction: float):
    x = 8 + fraction * (timeline.width() - 16)
    QTest.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(round(x), timeline.height() // 2))


def test_scrubbing_with_mouse_and_keys_moves_the_arm(opened, find, press):
    timeline, recording = find(opened, "replay_timeline"), opened.replay.recording
    click_at(timeline, 0.5)
    assert opened.replay.t == pytest.approx(0.25, abs=0.01)
    row = int(np.searchsorted(recording.t, opened.replay.t, side="right")) - 1
    assert np.array_equal(opened.document.q, recording.q[row])
    timeline.setFocus()
    before = opened.replay.t
    press(timeline, Qt.Key.Key_Right)
    assert opened.replay.t > before
    press(timeline, Qt.Key.Key_End)
    assert np.array_equal(opened.document.q, recording.q[-1])
    press(timeline, Qt.Key.Key_Home)
    press(timeline, Qt.Key.Key_Space)
    assert opened.replay.playing and not opened.simulation.running
    press(timeline, Qt.Key.Key_Space)
    assert not opened.replay.playing


def test_a_recording_of_one_sample_has_no_time_to_scrub_through(window, falls, find, wait_for):
    one = engine.convert_recording(falls[0], falls[0].with_name("one.npz"), start=0.0, end=0.0)
    for path, scrubbed in ((one, False), (falls[0], True)):
        window.files.open_path(str(path))
        wait_for(lambda path=path: window.replay.replaying and path.stem in find(window, "replay_title").text())
        assert find(window, "replay_timeline").isEnabled() == scrubbed


def test_the_status_line_tells_the_time_of_the_replay(opened, find, wait_for):
    click_at(find(opened, "replay_timeline"), 0.5)
    time, speed = find(opened, "readout_time"), find(opened, "readout_real_time_factor")
    wait_for(lambda: time.text() == "t 0.25 s" and speed.text() == "replay paused")
    opened.replay.close()
    wait_for(lambda: time.text() == "t 0.00 s" and speed.text() == "paused")


def test_the_keys_of_the_simulation_play_the_open_recording(opened, find, press, wait_for):
    scene, replay, recording = opened.scene, opened.replay, opened.replay.recording
    scene.setFocus()
    speeds = find(opened, "replay_speed"), find(opened, "simulation_speed")
    before = speeds[1].currentText()
    press(scene, Qt.Key.Key_Minus)
    press(scene, Qt.Key.Key_Minus)
    assert speeds[0].currentText() == "0.25 ×" and replay.speed == 0.25
    press(scene, Qt.Key.Key_Equal)
    assert speeds[0].currentText() == "0.5 ×" and speeds[1].currentText() == before
    for k in range(1, 4):
        press(scene, Qt.Key.Key_Right)
        assert replay.row == k and np.array_equal(opened.document.q, recording.q[k])
    press(scene, Qt.Key.Key_Space)
    assert replay.playing and opened.actions_["pause"].isEnabled() and not opened.actions_["run"].isEnabled()
    wait_for(lambda: replay.row > 50)
    press(scene, Qt.Key.Key_Space)
    assert not replay.playing and opened.actions_["run"].isEnabled()
    press(scene, Qt.Key.Key_Right)
    assert not replay.playing
    press(scene, Qt.Key.Key_Backspace)
    assert replay.row == 0 and np.array_equal(opened.document.q, recording.q[0])
    press(scene, Qt.Key.Key_Space)
    wait_for(lambda: replay.row == len(recording) - 1 and not replay.playing)
    assert opened.actions_["run"].isEnabled() and "recording" in opened.actions_["run"].toolTip()
    assert opened.replay.replaying and not opened.simulation.running


def test_every_sample_is_a_step_whatever_the_first_time_is(window, wait_for, press, tmp_path):
    robot = window.document.robot
    q = robot.configurations["home"]
    path = engine.simulate(robot, q, 0 * q, 0.6, 1e-3).save(tmp_path / "puma560.npz")
    part = engine.convert_recording(path, tmp_path / "puma560 part.npz", start=0.1, end=0.6)
    window.files.open_path(str(part))
    wait_for(lambda: window.replay.replaying)
    for k in range(1, len(window.replay.recording)):
        window.replay.step(1)
        assert window.replay.row == k


def test_escape_closes_the_recording_and_space_simulates_again(opened, find, press, wait_for):
    find(opened, "replay_timeline").setFocus()
    press(opened.scene, Qt.Key.Key_Right)
    press(find(opened, "replay_timeline"), Qt.Key.Key_Escape)
    assert opened.scene.hasFocus() and opened.replay.replaying
    shown = opened.document.q
    press(opened.scene, Qt.Key.Key_Escape)
    assert not opened.replay.replaying and np.array_equal(opened.document.q, shown)
    press(opened.scene, Qt.Key.Key_Space)
    wait_for(lambda: opened.simulation.running)


def test_an_arm_without_masses_is_replayed_by_the_keys(make_window, wait_for, press, tmp_path):
    window = make_window("irb140")
    press(window.scene, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: window.simulation.recording is not None)
    window.document.edit(window.document.q + 0.1)
    QTest.qWait(100)
    press(window.scene, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: window.recordings.last_path is not None)
    assert not window.actions_["run"].isEnabled()
    QTest.mouseClick(window.findChild(QPushButton, "recording_replay_last"), Qt.MouseButton.LeftButton)
    wait_for(lambda: window.replay.replaying)
    press(window.scene, Qt.Key.Key_Right)
    assert window.replay.row == min(1, len(window.replay.recording) - 1) and window.actions_["run"].isEnabled()
    press(window.scene, Qt.Key.Key_Escape)
    assert not window.actions_["run"].isEnabled()


@pytest.mark.parametrize(("name", "why"), [("joint_value_joint2", "joint2 was"), ("pose", "the arm was")])
def test_a_hand_on_the_arm_closes_the_recording_and_it_is_said(opened, find, name, why):
    if name == "pose":
        opened.document.edit(opened.document.q + 0.1)
    else:
        field = find(opened, name)
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Up)
    assert not opened.replay.replaying
    assert opened.banner.isVisible() and opened.banner.text.text() == f"The recording was closed because {why} moved."


def test_closing_the_recording_leaves_the_keys_to_the_view(opened, find, wait_for):
    close = find(opened, "replay_close")
    close.setFocus()
    close.click()
    wait_for(lambda: opened.scene.hasFocus())


def test_a_marked_part_is_saved(opened, find, press, tmp_path, wait_for):
    timeline = find(opened, "replay_timeline")
    click_at(timeline, 0.25)
    timeline.setFocus()
    press(timeline, Qt.Key.Key_BracketLeft)
    click_at(timeline, 0.75)
    find(opened, "replay_mark_end").click()
    first, last = opened.features[ReplayToolsFeature].marks
    assert (first, last) == pytest.approx((0.25, 0.75), abs=0.01)
    target = tmp_path / "part.mat"
    opened.features[ReplayToolsFeature].trim(target)
    wait_for(target.exists)
    whole, part = opened.replay.recording, engine.load_recording(target)
    inside = (whole.t >= first * whole.duration) & (whole.t <= last * whole.duration)
    assert np.array_equal(part.q, whole.q[inside]) and "excerpt" in part.metadata


def test_a_part_never_replaces_the_whole(opened, falls, find):
    before = falls[0].read_bytes()
    opened.features[ReplayToolsFeature].trim(falls[0])
    assert falls[0].read_bytes() == before and "a name other" in find(opened, "banner_text").text()


def test_recordings_lie_over_each_other_in_plots_and_view(opened, falls, find, wait_for):
    opened.docks.bring_up("plots")
    tools = opened.features[ReplayToolsFeature]
    tools.lay_over(falls[1])
    wait_for(lambda: len(opened.plots.panes[0].view.curves) == 2)
    first, second = opened.plots.panes[0].view.curves
    assert (first.source, second.source) == ("fall0.npz", "fall1.npz") and first.style != second.style
    assert second.y[0, 0] - first.y[0, 0] == pytest.approx(np.degrees(0.4))
    assert "fall1.npz" in find(opened, "plot_runs").text()
    opened.replay.seek(0.5)
    ghosts = opened.scene.stage.ghosts
    other = engine.load_recording(falls[1])
    row = int(np.searchsorted(other.t, opened.replay.t, side="right")) - 1
    expected = opened.scene._ghost_slots(engine.link_poses(opened.document.robot, other.q[row])[None])
    assert np.allclose(ghosts.bodies["pose"].swapaxes(-1, -2), expected, atol=1e-6)
    find(opened, "compared_0").click()
    wait_for(lambda: len(opened.plots.panes[0].view.curves) == 1)
    assert not len(ghosts.bodies)
    opened.document.open_robot("scara")  # whose curves these are not
    wait_for(lambda: find(opened, "plot_pause").isEnabled() and not len(opened.plots.panes[0].view.t))


def test_a_closed_recording_leaves_plots_that_can_be_used(opened, find, wait_for):
    opened.docks.bring_up("plots")
    wait_for(lambda: opened.plots.panes[0].view.curves)
    assert not find(opened, "plot_pause").isEnabled()
    find(opened, "replay_close").click()
    wait_for(lambda: find(opened, "plot_pause").isEnabled() and not opened.plots.panes[0].view.curves)


def test_compared_arms_are_dismissed_with_the_cross_and_with_escape(opened, falls, find, press, wait_for):
    opened.docks.bring_up("plots")
    tools, ghosts = opened.features[ReplayToolsFeature], opened.scene.stage.ghosts
    caption, text = find(opened, "ghost_caption"), find(opened, "ghost_caption_text")

    def appear(*paths):
        for path in paths:
            tools.lay_over(path)
        wait_for(lambda: len(opened.plots.panes[0].view.curves) == 1 + len(paths))
        assert len(ghosts.bodies) == len(paths) and caption.isVisible()
        assert text.text() == f"Compared: {', '.join(path.name for path in paths)}"

    def gone():
        """They stay away while the replay moves on, and their curves go with them; the recording itself stays open."""
        wait_for(lambda: len(opened.plots.panes[0].view.curves) == 1)
        opened.replay.step(1)
        assert not tools.compared and not len(ghosts.bodies) and not caption.isVisible()
        assert not any(button.isVisible() for button in opened.findChildren(QPushButton, "compared_0"))
        assert opened.replay.replaying

    appear(falls[1], falls[1])
    QTest.mouseClick(find(opened, "ghost_dismiss"), Qt.MouseButton.LeftButton)
    gone()
    appear(falls[1])
    opened.scene.setFocus()
    press(opened.scene, Qt.Key.Key_Escape)
    gone()
    press(opened.scene, Qt.Key.Key_Escape)  # with nothing left to take away it closes the recording
    assert not opened.replay.replaying


def test_a_recording_of_another_robot_is_not_laid_over(opened, tmp_path, find, wait_for):
    scara = engine.load_robot("scara")
    path = engine.simulate(scara, scara.configurations["home"], np.zeros(scara.n), 0.05, 1e-3).save(tmp_path / "s.npz")
    opened.features[ReplayToolsFeature].lay_over(path)
    wait_for(lambda: "s.npz cannot be compared: its joints" in find(opened, "banner_text").text())
    assert not opened.features[ReplayToolsFeature].compared


def test_a_long_recording_is_thinned_beside_the_window_and_keeps_its_peaks(window, tmp_path, wait_for):
    robot = engine.load_robot("puma560")
    whole = engine.simulate(robot, robot.configurations["home"], np.zeros(robot.n), 22.0, 1e-3)
    table = whole.table()
    table[12_345, 1] = 3.0
    path = engine.Recording.from_table(table, whole.joint_names, whole.metadata).save(tmp_path / "long.npz")
    window.docks.bring_up("plots")
    window.files.open_path(str(path))
    wait_for(lambda: window.replay.replaying)
    window.docks.bring_up("plots")
    wait_for(lambda: len(window.plots.panes[0].view.t) > 5_000)
    view = window.plots.panes[0].view
    assert 5_000 < len(view.t) < 20_010 and view.values[:, 0].max() == pytest.approx(np.degrees(3.0))


def test_simulated_again_it_is_the_same_or_the_first_difference_is_named(opened, falls, tmp_path, find, wait_for):
    find(opened, "replay_verify").click()
    wait_for(lambda: "last bit" in find(opened, "replay_result").text())
    whole = engine.load_recording(falls[0])
    table = whole.table()
    table[100, 1] += 1e-9
    engine.Recording.from_table(table, whole.joint_names, {**whole.metadata, "target": "x86-64-v2"}).save(tmp_path / "bent.npz")
    opened.files.open_path(str(tmp_path / "bent.npz"))
    wait_for(lambda: "bent.npz" in find(opened, "replay_title").text())
    find(opened, "replay_verify").click()
    wait_for(lambda: "sample 101" in find(opened, "replay_result").text())
    assert "computed on x86-64-v2" in find(opened, "replay_result").text()
    assert "q_joint1" in find(opened, "replay_result").text() or "joint1" in find(opened, "replay_result").text()


def test_simulating_one_recording_again_says_nothing_of_the_next(opened, falls, find, wait_for, monkeypatch):
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def slow(recording, allow_code, job):
        begun.set()
        go_on.wait(WAIT)
        ended.set()
        return engine.verify_recording(recording)

    monkeypatch.setattr(verify_feature, "_verified", slow)
    find(opened, "replay_verify").click()
    wait_for(begun.is_set)
    first = opened.replay.recording
    opened.files.open_path(str(falls[1]))
    wait_for(lambda: opened.replay.recording is not first)
    go_on.set()
    wait_for(lambda: not any(thread.name == "job-resimulate" for thread in threading.enumerate()))
    QTest.qWait(50)
    assert ended.is_set() and not find(opened, "replay_result").text()


def test_in_a_gap_joints_stand_at_their_last_number_wherever_one_comes_from(opened):
    replay = opened.replay
    q = np.array(replay.recording.q)
    rows = len(q)
    q[rows // 2 : rows // 2 + 5, 1] = np.nan
    replay.load(replace(replay.recording, q=q))
    expected = q[rows // 2 + 2]
    expected[1] = q[rows // 2 - 1, 1]
    gap = (replay.recording.t[rows // 2 + 2] - replay.recording.t[0]) / replay.recording.duration
    for before in (0.0, 1.0):
        replay.seek(before)
        replay.seek(gap)
        assert replay.row == rows // 2 + 2 and opened.document.q == pytest.approx(expected, abs=1e-12)
