"""The window's side of `armature.show`: what a script shows, and who has the arm."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import armature
from armature.app.remote.feature import SENT_AWAY, RemoteFeature
from armature.app.widgets.on_screen import on_screen
from armature.engine.remote.meeting_place import places
from tests.app.scripts import Script
from tests.time_limits import WAIT, wait_until

PANDA = armature.load_robot("panda")
READY = PANDA.configurations["ready"]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def run(wait_for):
    """Lets a script drive a window until it ends; gives what it gave, raises what it raised."""

    def until_over(window, work, *what, **options):
        script = Script(window, work, *what, **options)
        wait_for(lambda: script.is_over, 60.0)
        if isinstance(script.result, BaseException):
            raise script.result
        return script.result

    return until_over


def on_window(widget, at: QPoint):
    """A point of a widget in its window, and that window: events sent there are those of a real mouse."""
    top = widget.window()
    return top.windowHandle(), widget.mapTo(top, at)


def test_a_thousand_poses_a_second_become_frames_and_no_undo_steps(make_window, run):
    window = make_window("panda")
    seen = []
    window.document.q_changed.connect(seen.append)

    def work(view):
        sent = 0
        while sent < 2000 or len(seen) < 6:
            sent += 1
            view.q = READY + 0.1 * np.sin(sent / 300)
            view.plot("n", sent)
            time.sleep(0.0005)
        view.flush()
        return sent

    sent = run(window, work)
    panel = window.features[RemoteFeature].panel
    assert len(seen) < 0.5 * sent
    assert np.array_equal(window.document.q, READY + 0.1 * np.sin(sent / 300))
    assert window.document.undo_stack.count() == 0
    assert np.array_equal(panel._histories["n"].values[:, 0], np.arange(1, sent + 1))  # of plots every sample


def test_a_persons_drag_is_read_back_and_not_fought_with(make_window, run, wait_for, find):
    window = make_window("panda")
    feature, slider = window.features[RemoteFeature], find(window, "joint_slider_joint1")
    heard, pulled, down, up, went = [], [], threading.Event(), threading.Event(), threading.Event()

    def work(view):
        view.on_drag(heard.append)
        view.q = READY
        went.set()
        while not down.is_set():
            view.q = READY  # a stream that goes on whatever the person does
            time.sleep(0.002)
        wait_until(lambda: view.held)
        while not up.is_set():
            view.q = READY
            pulled.append(view.q[0])
            time.sleep(0.002)
        wait_until(lambda: not view.held)
        view.q = READY
        view.flush()

    script = Script(window, work)
    wait_for(lambda: went.is_set() and np.array_equal(window.document.q, READY))
    y = slider.height() // 2
    handle, at = on_window(slider, QPoint(slider.width() // 2, y))
    QTest.mousePress(handle, LEFT, Qt.KeyboardModifier.NoModifier, at)
    for k in range(1, 9):
        QTest.mouseMove(handle, at + QPoint(4 * k, 0))
        QApplication.processEvents()
    down.set()
    wait_for(lambda: feature.held and window.document.q[0] > 0.2)
    moved = window.document.q.copy()
    wait_for(lambda: len(pulled) > 100)
    assert np.array_equal(window.document.q, moved)  # the stream does not tear it out of the hand
    QTest.mouseRelease(handle, LEFT, Qt.KeyboardModifier.NoModifier, at + QPoint(32, 0))
    up.set()
    wait_for(lambda: script.is_over)
    assert not isinstance(script.result, BaseException), script.result
    assert moved[0] in pulled  # `view.q` follows the drag
    assert heard and heard[-1][0] == moved[0]
    assert np.array_equal(window.document.q, READY)  # let go, it follows the script again
    assert window.document.undo_stack.count() == 1  # the person's gesture


def test_simulation_take_over_and_disconnect(make_window, run, wait_for, click, find):
    window = make_window("panda")
    feature, sent, errors = window.features[RemoteFeature], [], []

    def work(view):
        try:
            while True:
                view.q = READY
                sent.append(READY)
                time.sleep(0.002)
        except armature.ViewError as error:
            errors.append(str(error))

    script = Script(window, work)
    wait_for(lambda: np.array_equal(window.document.q, READY))
    text = find(window, "script_caption_text")
    assert text.isVisible() and text.text().endswith("controls this window")
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running and np.abs(window.document.q - READY).max() > 1e-3)
    wait_for(lambda: text.text().endswith("while the simulation runs"))
    window.actions_["pause"].trigger()
    wait_for(lambda: np.array_equal(window.document.q, READY))
    click(window, "script_take_over")
    window.document.edit(np.zeros(7))
    before = len(sent)
    wait_for(lambda: len(sent) > before + 100)
    assert not window.document.q.any() and text.text().endswith("you control the arm")
    click(window, "script_take_over")
    wait_for(lambda: np.array_equal(window.document.q, READY))
    click(window, "script_disconnect")
    wait_for(lambda: script.is_over)
    assert errors == [SENT_AWAY]
    wait_for(lambda: not text.isVisible())
    assert "the window remains open" in window.banner.text.text() and feature.held is False
    assert len(list(places())) == 1
    window.actions_["let_scripts_in"].trigger()  # and nobody is let in any more
    assert not list(places())
    window.actions_["let_scripts_in"].trigger()
    assert len(list(places())) == 1


def test_controls_are_read_back_and_everything_goes_with_clear(make_window, run, wait_for, click, find):
    window = make_window("panda")
    feature, stage = window.features[RemoteFeature], window.scene.stage
    ready, moved, cleared = threading.Event(), threading.Event(), threading.Event()

    def work(view):
        assert view.slider("kp", 0, 400, 100) == 100.0 and not view.pressed("go")
        view.ghost("goal", READY)
        view.arrow([0.4, 0.0, 0.5], [0.0, 0.0, 30.0], "F")
        view.text("grasp")
        view.text("here", at=[0.1, 0.2, 0.3], name="place")
        view.plot("error", [1.0, 2.0], names=["a", "b"])
        view.flush()
        ready.set()
        moved.wait(WAIT)
        view.flush()
        read = view.slider("kp", 0, 400, 100), view.pressed("go"), view.pressed("go"), view.pressed("go")
        view.clear()
        cleared.set()
        return read, view.slider("kp", 0, 400, 100)

    script = Script(window, work)
    wait_for(ready.is_set)
    wait_for(lambda: feature.dock.isVisible() and "error" in feature.panel.plots and len(feature.panel.plots["error"].values))
    labels = [label.text for label in stage.script.labels(window.scene.frame_state)]
    assert labels == ["F  30 N", "goal", "here"]
    assert [pill.text for pill in stage.script.pills(window.scene.frame_state)] == ["grasp"]
    assert len(stage.script_ghosts.bodies) == 1 and stage.script.visible()
    wait_for(lambda: find(window, "script_button_go").isVisible())
    field = find(window, "script_value_kp")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "250")
    QTest.keyClick(field, Qt.Key.Key_Return)
    click(window, "script_button_go")
    click(window, "script_button_go")
    moved.set()
    wait_for(cleared.is_set)
    wait_for(lambda: script.is_over)
    assert script.result == ((250.0, True, True, False), 100.0)
    assert not len(stage.script_ghosts.bodies) and not stage.script.visible() and not feature.panel.plots


def test_results_are_drawn(make_window, run, wait_for):
    window = make_window("panda")
    way = armature.quintic(PANDA.configurations["home"], READY, 2.0)
    stage = window.scene.stage

    def work(view):
        view.show(way)
        played = window.replay.recording
        view.show(armature.simulate(PANDA, READY, None, 0.2, 1e-3))
        fell = window.replay.recording
        view.show(armature.workspace(PANDA, 2000))
        view.show(armature.singular_surfaces(PANDA, resolution=8))
        view.show(armature.Plan((armature.Waypoint(q=PANDA.configurations["home"]), armature.Waypoint(q=READY))))
        view.show(PANDA.with_payload(2.0))
        changes = view.robot.changes
        view.robot = "scara"
        view.q = [0.1, 0.2, 0.03]
        view.flush()
        return played, fell, changes

    played, fell, changes = run(window, work)
    assert np.allclose(played.q, way.sample(played.t)[0], atol=1e-12) and played.tau.any()
    assert len(fell) == 201 and np.array_equal(fell.q[0], READY)
    assert [list(change) for change in changes] == [["payload"]]
    assert window.document.robot.name == "scara" and np.array_equal(window.document.q, [0.1, 0.2, 0.03])
    assert not stage.script.visible()


def test_an_arm_that_is_streamed_can_be_recorded(make_window, run, wait_for):
    window = make_window("panda")
    recorded, streamed = threading.Event(), []

    def work(view):
        view.q = READY
        view.flush()
        recorded.wait(WAIT)
        for k in range(50):
            view.q = READY + 0.01 * k
            view.flush()
            streamed.append(view.q)

    script = Script(window, work)
    wait_for(lambda: np.array_equal(window.document.q, READY))
    window.actions_["record"].trigger()
    wait_for(lambda: window.simulation.recording is not None)
    recorded.set()
    wait_for(lambda: script.is_over)
    window.actions_["record"].trigger()
    wait_for(lambda: window.recordings.last_path is not None and window.simulation.recording is None)
    kept = armature.load_recording(window.recordings.last_path)
    assert script.result is None and len(kept) > 10
    assert {tuple(q) for q in kept.q} <= {tuple(q) for q in [READY, *streamed]} and np.array_equal(kept.q[-1], streamed[-1])
    assert window.document.undo_stack.count() == 0


def test_what_the_window_cannot_do_is_raised_in_the_script(make_window, run, tmp_path):
    window = make_window("panda")
    (tmp_path / "broken.toml").write_text("joints = 3\n")

    def work(view):
        said = []
        for act in (
            lambda: view.show(armature.simulate(armature.load_robot("scara"), [0, 0, 0], None, 0.1, 1e-2), robot="panda"),
            lambda: view.show(tmp_path / "broken.toml"),
            lambda: view.show(tmp_path / "missing.npz"),
        ):
            with pytest.raises(armature.EngineError) as caught:
                act()
            said.append(str(caught.value))
        return said

    joints, broken, missing = run(window, work)
    assert joints == "the recording has 3 joints, panda has 7"
    assert "broken.toml" in broken and "missing.npz" in missing


def test_another_robot_of_a_script_is_framed_whatever_view_of_it_was_left(make_window, run):
    window = make_window("ur5")
    view = window.scene
    view.zoom(view.width() / 2, view.height() / 2, 0.3)
    window.document.open_robot("puma560")
    view.zoom(view.width() / 2, view.height() / 2, 0.3)
    poses = np.array([[0.0, -1.2, 1.0, -1.5, -1.57, 0.0], [-0.7, -1.07, 0.8, -1.5, -1.57, 5.2]])

    def work(script):
        script.q = poses[0]
        script.flush()

    run(window, work, "ur5")
    view.flight.finish()
    for q in poses:
        view.set_q(q)
        x, y = view.camera.project(view.points_to_frame()[0])[..., :2].T
        assert view.is_fitted and x.min() > 0 and x.max() < view.width() and y.min() > 0 and y.max() < view.height()


def test_a_robot_of_a_script_is_read_beside_the_window(make_window, run, monkeypatch):
    window = make_window("ur5")
    load, threads = armature.engine.load_robot, []

    def seen(place):
        threads.append(threading.current_thread())
        return load(place)

    monkeypatch.setattr(armature.engine, "load_robot", seen)
    heavy = armature.load_robot("panda").with_gravity([0.0, 0.0, -1.6])
    run(window, lambda view: view.flush(), heavy)
    assert np.array_equal(window.document.robot.gravity, heavy.gravity)
    assert threads and threading.main_thread() not in threads


def test_a_script_hears_of_a_robot_that_a_person_opened_instead(make_window, run, wait_for):
    window = make_window("ur5")
    reader = window.files.reader

    def work(view):
        read = reader.read

        def overtaken(place, then, changes=(), refused=None):
            reader.read = read
            read(place, then, changes, refused)
            window.files.open_robot("scara")

        reader.read = overtaken
        with pytest.raises(armature.EngineError) as caught:
            view.show("puma560")
        return str(caught.value)

    assert run(window, work, "ur5") == "another robot was opened instead"
    wait_for(lambda: window.document.robot.name == "scara")


@pytest.mark.parametrize("perspective", ["all", "explore"])
def test_the_next_window_has_the_docks_as_the_person_had_them(make_window, run, wait_for, perspective):
    first = make_window("panda", perspective=perspective, anew=True)
    shown, in_front = docks_of(first)
    run(first, lambda view: view.plot("n", 1))
    wait_for(lambda: on_screen(first.docks["script"]) and first.docks["script"].panel.plots)
    first.close()
    again = make_window("panda", perspective=perspective, layouts=first.preferences.now.layouts, anew=True)
    wait_for(lambda: docks_of(again) == (shown, in_front))


def docks_of(window) -> tuple[set[str], set[str]]:
    """Names of those that are shown, and of those in front."""
    docks = window.docks.all()
    return {dock.name for dock in docks if not dock.isHidden()}, {dock.name for dock in docks if on_screen(dock)}
