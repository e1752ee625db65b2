"""Sessions in the window: the same desk and the same picture after opening, code only with consent, nothing lost."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog

from armature import engine
from armature.app.cli import main
from armature.app.control.feature import ControlFeature
from armature.app.control.own_law.feature import OwnLawFeature
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.joints.poses_feature import PosesFeature
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.session.feature import SessionFeature
from armature.app.session.session_keeper import left_sessions, session_folder
from armature.app.simulation.disturbance_feature import DisturbanceFeature
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.workspace.feature import WorkspaceFeature
from armature.engine.contact.cell import floor_cell
from tests.app.kept_window import settle, wait_for_readouts
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]
LAW = """
from pathlib import Path
Path({marker!r}).touch()
def control(t, q, qd, goal, arm, p):
    return p.kp * (goal.q - q) - 5.0 * qd + arm.gravity(q)
control.p = {{"kp": (0, 400, 100)}}
"""


@pytest.fixture(autouse=True)
def no_leftovers():
    yield
    for file in session_folder().glob("*.armature"):
        file.unlink()


def save(window, path) -> Path:
    """Save the session, and wait for its file."""
    feature = window.features[SessionFeature]
    feature.save_as(path)
    feature._saving.finish()
    assert window.banner.text.text().startswith(f"Saved {path}") and feature.is_saved
    return path


def open_session(window, path, wait_for):
    """Open a session, and wait until it is on the desk."""
    feature = window.features[SessionFeature]
    window.files.open_path(str(path))
    wait_for(lambda: feature.path == path)
    settle()
    wait_for_readouts(window)


def pixels(window) -> np.ndarray:
    image = window.scene.render_image(700, 450).convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(450, 700, 4).astype(int)


def full_desk(window) -> None:
    """Change something of every part of the desk."""
    document, bench = window.document, window.bench
    draft = engine.draft_of(document.robot)
    document.take_draft(draft)
    document.edit_draft(draft.with_value(("joints", 1, "a"), 0.1), "a of joint 2")
    bench.cell.edit(bench.cell.now.with_object("box", "box", size=(0.2, 0.3, 0.4), xyz=(0.5, 0.3, 0.2)), "add box")
    bench.cell.select("box")
    trajectory = window.features[TrajectoryFeature].model
    for shift in (0.0, 0.3):
        trajectory.add(engine.Waypoint(q=document.robot.configurations["home"] + shift))
    window.actions_["show_trace"].setChecked(True)
    window.actions_["show_com"].setChecked(True)
    window.actions_["orthographic"].setChecked(True)
    window.actions_["frames_150"].trigger()
    for k in range(12):
        document.set_q(document.robot.configurations["home"] + 0.04 * k)
    window.features[PosesFeature].saved.save("mine")
    control = window.features[ControlFeature]
    control.choose("pd")
    gains = control.panel.gains
    assert gains.setData(gains.index(0, 0), "77")
    bench.simulation.choose(gravity=(0.0, 0.0, -3.7), wear=2.0, smooth=frozenset({document.robot.joint_names[0]}))
    bench.simulation.set_payload(engine.Payload(1.5))
    window.features[DynamicsFeature].edits.show()
    window.simulation_panel.choose_solver(2e-3, "euler", 0.5, True)
    window.plots.set_plots(("tau", "q:error"))
    window.scene.select_joint(2)
    window.scene.orbit(30.0, -10.0)
    window.bench.state.notes = "Look at joint 3."
    window.scene.hide(frozenset({2}), frozenset({1}))
    sampling = window.features[WorkspaceFeature].panel.sampling
    sampling.samples.setValue(2000)
    sampling.seed.setValue(7)
    window.features[WorkspaceFeature]._compute()
    settle()


def is_sampled(window) -> bool:
    feature = window.features[WorkspaceFeature]
    return feature.space is not None and not feature.runner.busy and not feature.painter.busy


def test_another_window_shows_the_same_desk_and_the_same_picture(make_window, tmp_path, wait_for):
    window = make_window("panda", anew=True)
    full_desk(window)
    wait_for(lambda: is_sampled(window))
    path, before = save(window, tmp_path / "desk.armature"), pixels(window)
    desk = window.features[SessionFeature].read_desk()
    again = make_window("puma560", anew=True)
    open_session(again, path, wait_for)
    wait_for(lambda: is_sampled(again))
    feature = again.features[SessionFeature]
    assert feature.is_saved and again.scene.stage.arm.hidden == {2}
    read = feature.read_desk()
    assert dict(read.tables) == dict(desk.tables)
    assert read.arm.draft.text == desk.arm.draft.text and read.cell == desk.cell and read.plan == desk.plan != ""
    assert again.windowTitle() == window.windowTitle() and "opened without" not in again.banner.text.text()
    assert again.simulation.payload.mass == 1.5 and again.simulation.choices.gravity == (0.0, 0.0, -3.7)
    difference = np.abs(pixels(again) - before)
    assert np.count_nonzero(difference > 8) <= 0.0002 * difference.size, difference.max()
    assert again.preferences.now.recent_files[0] == str(path)
    for one in (window, again):
        one.features[RobotFileFeature].given_up = True
        one.bench.cell.set(floor_cell(one.document.robot.floor))
        one.document.take_draft(None)


def test_ctrl_shift_s_asks_for_a_name_once(window, tmp_path, monkeypatch, wait_for):
    asked = []
    path = tmp_path / "mine.armature"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: asked.append(a) or (str(path.with_suffix("")), a[4 - 1]))
    feature = window.features[SessionFeature]
    for _ in range(2):
        keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(window.scene, Qt.Key.Key_S, keys)
        wait_for(lambda: feature.path == path and not feature._saving.busy)
    assert len(asked) == 1 and zipfile.is_zipfile(path)
    assert window.preferences.now.recent_files[0] == str(path)


def test_a_session_is_dropped_on_the_window(window, tmp_path, wait_for):
    window.document.set_q(window.document.q + 0.1)
    q, path = window.document.q, save(window, tmp_path / "desk.armature")
    window.document.set_q(q - 0.2)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    window.dropEvent(drop)
    wait_for(lambda: np.array_equal(window.document.q, q))


def test_code_runs_only_with_consent(make_window, tmp_path, wait_for, click, find):
    marker, law = tmp_path / "it ran", tmp_path / "my_law.py"
    law.write_text(LAW.format(marker=str(marker)))
    window = make_window("pendulum", anew=True)
    feature = window.features[OwnLawFeature]
    feature.open(law)
    wait_for(lambda: feature.law is not None, 30)
    feature._set_values({"kp": 123.0})
    path = save(window, tmp_path / "desk.armature")
    window.close()  # ends the processes that run the law
    marker.unlink()
    law.unlink()
    again = make_window("puma560", anew=True)
    open_session(again, path, wait_for)
    assert "contains Python code (controller my_law.py), which has not been run" in again.banner.text.text()
    assert not marker.exists() and again.features[OwnLawFeature].law is None
    click(again, "banner_read code…")
    dialog = find(again, "session_code")
    assert "Path(" in dialog.text.toPlainText() and not marker.exists()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    settle()
    assert not marker.exists() and not [one for one in again.findChildren(QDialog, "session_code") if one.isVisible()]
    other = save(again, tmp_path / "again.armature")  # without consent it is not lost
    assert zipfile.ZipFile(other).read("code/controller.py").decode() == LAW.format(marker=str(marker))
    again.features[SessionFeature]._ask_code()
    click(again, "session_code_run")
    wait_for(lambda: again.features[OwnLawFeature].law is not None, 30)
    assert marker.exists() and again.features[OwnLawFeature].law.values == {"kp": 123.0}
    assert again.features[ControlFeature].law == "own"


def test_user_code_of_the_present_desk_ends_when_a_session_opens(make_window, tmp_path, wait_for):
    path, law, push = tmp_path / "desk.armature", tmp_path / "law.py", tmp_path / "push.py"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("session.toml", 'format = 1\n[robot]\nincluded = "pendulum"\n[pose]\nq = [0.2]\n')
    law.write_text(LAW.format(marker=str(tmp_path / "ran")))
    push.write_text("def disturbance(t, q, qd, p):\n    return [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]\n")
    window = make_window("pendulum", anew=True)
    feature, disturbance = window.features[OwnLawFeature], window.features[DisturbanceFeature]
    feature.open(law)
    disturbance.open(push)
    wait_for(lambda: feature.law is not None and disturbance.disturbance is not None, 30)
    open_session(window, path, wait_for)
    assert window.features[ControlFeature].law == "torque" and disturbance.file.path is None
    assert window.features[SessionFeature].read_desk().code == {}


def test_a_recording_is_at_the_same_moment(make_window, tmp_path, wait_for):
    robot = engine.load_robot("pendulum")
    paths = [engine.simulate(robot, [q], [0.0], 0.1, 1e-3).save(tmp_path / f"run {q}.npz") for q in (0.3, 0.6)]
    window = make_window("pendulum")
    window.files.open_path(str(paths[0]))
    wait_for(lambda: window.replay.replaying)
    tools = window.features[ReplayToolsFeature]
    tools.lay_over(paths[1])
    wait_for(lambda: len(tools.compared) == 1)
    window.replay.seek(0.4)
    path, row = save(window, tmp_path / "desk.armature"), window.replay.row
    window.replay.close()
    for one in paths:
        one.unlink()
    open_session(window, path, wait_for)
    assert window.replay.row == row == 40
    wait_for(lambda: len(tools.compared) == 1)
    assert not [file for file in window.preferences.now.recent_files if "armature-session" in file]


def test_a_new_recording_that_is_not_open_is_named_when_a_session_is_saved(make_window, tmp_path, wait_for):
    window = make_window("pendulum")
    run = engine.simulate(engine.load_robot("pendulum"), [0.3], [0.0], 0.1, 1e-3).save(tmp_path / "run.npz")
    window.preferences.set(last_recording=str(run))  # as after recording it
    save(window, tmp_path / "desk.armature")
    assert window.banner.text.text().endswith(", without the recording run.npz: it is not open")
    window.files.open_path(str(run))
    wait_for(lambda: window.replay.replaying)
    save(window, tmp_path / "other.armature")
    assert "without" not in window.banner.text.text()


def test_a_bad_session_leaves_what_is_open(window, tmp_path, wait_for):
    q = window.document.q
    bad = tmp_path / "bad.armature"
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("../evil.py", "x")
    window.files.open_path(str(bad))
    wait_for(lambda: window.banner.isVisible())
    assert "bad.armature: '../evil.py' leads out of the session; nothing was opened" in window.banner.text.text()
    assert window.document.q is q and window.features[SessionFeature].path is None


def test_a_part_that_cannot_be_restored_is_named(window, tmp_path, wait_for):
    path = tmp_path / "odd.armature"
    text = (
        'format = 2\nprogram = "9.1"\n[robot]\nincluded = "scara"\n[control]\nlaw = "fuzzy"\n[pose]\nq = [1.0]\n[aura]\nx = 1\n'
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("session.toml", text)
    open_session(window, path, wait_for)
    told = window.banner.text.text()
    assert window.document.robot.name == "scara"
    assert told == "odd.armature, saved by the newer Armature 9.1, was opened without aura, pose, control."
    details = "\n".join(window.banner._lines)
    assert "pose: scara: q must be 3 finite numbers" in details and "'fuzzy' is not a controller" in details


def test_unsaved_work_is_asked_about_before_a_session_opens(make_window, tmp_path, wait_for):
    window = make_window("scara", anew=True)
    path = save(window, tmp_path / "desk.armature")
    document = window.document
    document.take_draft(engine.draft_of(document.robot))
    document.edit_draft(document.draft.with_value(("joints", 1, "a"), 0.31), "a of joint 2")
    window.files.open_path(str(path))
    robot = window.features[RobotFileFeature]
    wait_for(lambda: robot._question is not None and robot._question.isVisible())
    robot._question.reject()
    settle()
    assert document.unsaved and document.robot.dh.a[1] == 0.31
    save(window, tmp_path / "other.armature")
    open_session(window, path, wait_for)  # all of it is in the other session
    assert not document.unsaved and document.robot.dh.a[1] != 0.31


def test_the_desk_is_autosaved_while_it_changes(make_window):
    window = make_window("scara", anew=True)
    keeper = window.features[SessionFeature].keeper
    settle()
    keeper.keep()
    keeper._saving.finish()
    assert not keeper._path.exists()  # nothing has changed
    window.document.set_q(window.document.q + 0.1)
    keeper.keep()
    keeper._saving.finish()
    assert zipfile.is_zipfile(keeper._path) and keeper._minute.isActive() and keeper._minute.interval() == 60_000
    window.close()
    assert not keeper._path.exists()


KILLED = """
import os, sys
from tests.virtual_display import use_virtual_display; use_virtual_display()
from armature.app.application import build_window, ensure_application
from armature.app.state.settings import Settings
from armature.app.session.feature import SessionFeature
app = ensure_application()
window = build_window("scara", Settings())
window.bench.startup.finish()
keeper = window.features[SessionFeature].keeper
keeper._take_start()
window.document.set_q([0.1, 0.2, 0.05])
keeper.keep()
keeper._saving.finish()
os.kill(os.getpid(), 9)
"""


def test_a_killed_program_leaves_its_desk(make_window, wait_for, click):
    killed = subprocess.run([sys.executable, "-c", KILLED], cwd=ROOT, timeout=PROCESS, capture_output=True, text=True)
    assert killed.returncode == -9, killed.stderr
    window = make_window("puma560", anew=True)
    wait_for(lambda: "Recover the session with scara of" in window.banner.text.text())
    click(window, "banner_recover")
    wait_for(lambda: window.document.robot.name == "scara" and np.allclose(window.document.q, [0.1, 0.2, 0.05]))
    wait_for(lambda: left_sessions() == [])
    assert window.features[SessionFeature].path is None


def test_screenshot_draws_a_session(window, tmp_path):
    window.document.set_q(window.document.q + 0.5)
    path = save(window, tmp_path / "desk.armature")
    for name, arguments in (("session", [str(path)]), ("home", ["puma560"])):
        assert main(["screenshot", *arguments, str(tmp_path / f"{name}.png"), "--size", "320x200", "--no-caption"]) == 0
    assert QImage(str(tmp_path / "session.png")) != QImage(str(tmp_path / "home.png"))


def test_the_notes_are_kept(window, tmp_path, wait_for, find, click):
    window.actions_["session_notes"].trigger()
    dialog = find(window, "session_notes_dialog")
    dialog.setTextValue("Two\nlines")
    dialog.accept()
    path = save(window, tmp_path / "desk.armature")
    window.document.open_robot("scara")
    assert window.features[SessionFeature].path is None and window.bench.state.notes == ""
    open_session(window, path, wait_for)
    assert window.bench.state.notes == "Two\nlines"
