"""An own law in the window: opened, saved, broken again and again, mended, its sliders and plots; one window does it all."""

from __future__ import annotations

from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.control.own_law import law_chooser
from armature.app.control.own_law.feature import OwnLawFeature
from armature.app.control.own_law.recorded_law import RecordedLawDialog
from armature.app.trajectory.feature import TrajectoryFeature
from armature.engine.control.own_law.host import user_code_host
from armature.engine.simulation.commands import StartRecording, StopRecording
from tests.chance import SOAK
from tests.time_limits import PROCESS

GOOD = """
def control(t, q, qd, goal, arm, p):
    p.memory["calls"] = p.memory.get("calls", 0) + 1
    p.log["e"], p.log["calls"] = goal.q - q, p.memory["calls"]
    return p.kp * (goal.q - q) - p.kd * qd + arm.gravity(q)
control.p = {"kp": (0, 400, 100), "kd": (0, 60, 20)}
control.period = 0.001
"""
_DEF = "def control(t, q, qd, goal, arm, p):\n"
WAITING = (
    "from pathlib import Path\n"
    + _DEF
    + "    Path({begun!r}).touch()\n    while not Path({end!r}).exists():\n        pass\n    raise RuntimeError('it ended')\n"
)
LOOP = _DEF + "    while True:\n        t += 1\n"
BROKEN = (
    "def control(:\n",
    _DEF + "    return q + nothing\n",
    _DEF + "    return q * float('nan')\n",
    _DEF + "    return 1.0, 2.0\n",
    _DEF + "    import os\n    os._exit(3)\n",
    LOOP,
    "while True:\n    pass\n",
    "",
)


@pytest.fixture
def law(make_window, find, tmp_path, monkeypatch):
    """A window with the law above at work, its feature, and the file."""
    monkeypatch.setattr(law_chooser, "open_in_editor", lambda path: True)
    window = make_window("panda")
    path = tmp_path / "my_law.py"
    path.write_text(GOOD)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    return window, window.features[OwnLawFeature], path


def at_work(window, feature):
    """The version at work, as the simulation tells it."""
    latest = window.simulation.latest
    return latest is not None and latest.law is not None and latest.law.controller is feature.law


def texts(find, window):
    return find(window, "own_law_state").text(), find(window, "own_law_fault").text()


def save(path: Path, text: str) -> None:
    """As many editors do: a new file in the place of the old one."""
    other = path.with_suffix(".tmp")
    other.write_text(text)
    other.replace(path)


def test_an_own_law_in_the_window(law, find, wait_for, tmp_path, monkeypatch):
    window, feature, path = law
    window.actions_["own_law_open"].trigger()
    wait_for(lambda: feature.law is not None, seconds=60)
    assert window.features[ControlFeature].law == "own" and find(window, "own_law_file").text() == "my_law.py"
    assert str(path) in window.preferences.now.recent_laws
    window.actions_["run"].trigger()
    wait_for(lambda: at_work(window, feature) and window.simulation.latest.t > 0.3)
    wait_for(lambda: "Python" in texts(find, window)[0] and "Hz" in texts(find, window)[0])

    # what it logs can be seen, by the names it gave
    window.docks.bring_up("plots")
    wait_for(lambda: {"log.e", "log.calls"} <= {pane.signal for pane in window.plots.panes})
    pane = next(pane for pane in window.plots.panes if pane.signal == "log.e")
    wait_for(lambda: pane.view.curves and len(pane.view.curves[0].names) == 7)

    # sliders and typed values, without a new run
    calls = window.simulation.latest.law.log["calls"]
    slider = find(window, "law_slider_kp")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    field = find(window, "law_value_kd")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    wait_for(lambda: window.simulation.latest.law.controller.values == {"kp": 0.0, "kd": 7.5})
    assert window.simulation.latest.law.log["calls"] >= calls
    QTest.mouseClick(find(window, "own_law_reset"), Qt.MouseButton.LeftButton)
    wait_for(lambda: window.simulation.latest.law.controller.values == {"kp": 100.0, "kd": 20.0})
    assert find(window, "law_value_kd").value() == 20.0

    # broken versions, a hundred with SOAK=1, while it is recorded
    recorded = tmp_path / "run.npz"
    window.simulation.send(StartRecording(recorded))
    wait_for(lambda: window.simulation.recording is not None)
    good = feature.law
    for k in range(100 if SOAK else 3 * len(BROKEN)):
        save(path, BROKEN[k % len(BROKEN)] + f"# {k}\n")
        QTest.qWait(60)
    save(path, LOOP)
    wait_for(lambda: all(words in texts(find, window)[1] for words in ("did not return", "remains active")))
    assert feature.law is good and at_work(window, feature) and window.simulation.running
    assert window.simulation.latest.law.log["calls"] > calls

    # while the first call of a version lasts, the window obeys
    monkeypatch.setattr(user_code_host, "FIRST", PROCESS)
    begun, end = tmp_path / "begun", tmp_path / "end"
    save(path, WAITING.format(begun=str(begun), end=str(end)))
    wait_for(begun.exists)
    QTest.keyClick(slider, Qt.Key.Key_End)
    wait_for(lambda: window.simulation.latest.law.controller.values["kp"] == 400.0)
    assert "did not return" in texts(find, window)[1] and not end.exists()  # of the version before
    end.touch()
    wait_for(lambda: "it ended" in texts(find, window)[1])
    assert feature.law.process is good.process and window.simulation.running
    good = feature.law

    # mended, with the memory
    calls = window.simulation.latest.law.log["calls"]
    save(path, GOOD.replace("p.kd * qd", "1.1 * p.kd * qd"))
    wait_for(lambda: feature.law is not good and at_work(window, feature))
    assert window.simulation.latest.law.log["calls"] > calls and not texts(find, window)[1]

    # a fault at work pauses the arm and names the line
    save(
        path, GOOD.replace("    return", f"    if t > {window.simulation.latest.t + 1}:\n        return q / nothing\n    return")
    )
    wait_for(lambda: "my_law.py, line 6" in texts(find, window)[1] and "paused" in texts(find, window)[1])
    wait_for(lambda: not window.simulation.running)
    window.simulation.send(StopRecording())
    wait_for(lambda: recorded.exists())
    recording = engine.load_recording(recorded)
    steps = np.diff(recording.t)
    assert len(recording) > 1000 and np.allclose(steps, 1e-3, atol=1e-9)  # none was lost
    again = engine.resimulate(recording, window.document.robot, allow_code=True)
    np.testing.assert_array_equal(again.q, recording.q)

    # an endless loop is told, stopped, and mended
    save(path, GOOD.replace("    return", f"    while t > {window.simulation.latest.t + 1}:\n        q = q + 1\n    return"))
    wait_for(lambda: "is ready" in texts(find, window)[0] and not texts(find, window)[1])
    window.actions_["run"].trigger()
    wait_for(lambda: "did not return" in texts(find, window)[1] and "line 5" in texts(find, window)[1], seconds=20)
    save(path, GOOD)
    wait_for(lambda: "Version" in texts(find, window)[0] and not texts(find, window)[1])
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running and at_work(window, feature))

    # the menu of recent laws, and another arm, for which the law has to prove itself
    QTest.mouseClick(find(window, "own_law_open"), Qt.MouseButton.LeftButton)
    menu = next(one for one in window.findChildren(QMenu) if one.objectName() == "context_menu" and one.isVisible())
    assert "my_law.py" in [action.text() for action in menu.actions()]
    menu.close()
    window.document.open_robot("puma560")
    wait_for(lambda: feature.law is not None and len(window.simulation.latest.q) == 6, seconds=30)
    window.actions_["run"].trigger()
    wait_for(lambda: at_work(window, feature) and np.shape(window.simulation.latest.law.log.get("e")) == (6,))
    # a law inside a recording is shown, and runs only where it is taken over
    window.actions_["pause"].trigger()
    before = feature.law
    window.plots.clear()
    window.files.open_path(str(recorded))
    wait_for(lambda: window.replay.replaying and window.actions_["recorded_law"].isEnabled())
    assert feature.law is None or feature.law.text == before.text
    window.docks.bring_up("plots")
    wait_for(lambda: any(pane.signal == "log.e" and pane.view.curves for pane in window.plots.panes))
    window.actions_["recorded_law"].trigger()
    dialog = find(window, "recorded_law")
    assert "arm.gravity(q)" in dialog.text.toPlainText() and dialog.text.isReadOnly()

    # Verify shows what would run, and runs nothing where it is not allowed to
    dialog.close()
    QTest.mouseClick(find(window, "replay_verify"), Qt.MouseButton.LeftButton)
    question = find(window, "recorded_code")
    assert "arm.gravity(q)" in question.text.toPlainText() and "1.1 * p.kd" in question.text.toPlainText()
    result = find(window, "replay_result")
    question.reject()
    assert not result.text()
    QTest.mouseClick(find(window, "replay_verify"), Qt.MouseButton.LeftButton)
    wait_for(lambda: find(window, "recorded_code").isVisible())
    QTest.mouseClick(find(window, "recorded_code_run"), Qt.MouseButton.LeftButton)
    wait_for(lambda: "Identical" in result.text(), seconds=60)

    # taken over
    window.actions_["recorded_law"].trigger()
    dialog = next(one for one in window.findChildren(RecordedLawDialog) if one.isVisible())
    mine = tmp_path / "taken.py"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(mine), ""))
    QTest.mouseClick(dialog.findChild(QPushButton, "recorded_law_use"), Qt.MouseButton.LeftButton)
    wait_for(lambda: feature.law is not None and feature.law.name == "taken", seconds=30)
    assert mine.read_text() == feature.law.text and not dialog.isVisible()
    window.replay.close()
    assert not window.actions_["recorded_law"].isEnabled()
    wait_for(lambda: len(active_children()) <= 3)  # none of the controllers before
    assert any(pane.signal == "log.e" for pane in window.plots.panes)
    window.document.open_robot("scara")
    assert not any(pane.signal.startswith("log.") for pane in window.plots.panes), "of another arm nothing was logged"
    window.close()
    wait_for(lambda: not active_children())


def test_a_mended_law_goes_on_holding_the_arm_where_the_trajectory_ended(make_window, wait_for, find, tmp_path):
    window = make_window(engine.load_robot("double_pendulum"))
    feature, trajectory = window.features[OwnLawFeature], window.features[TrajectoryFeature]
    law, way = tmp_path / "hold.py", tmp_path / "way.py"
    law.write_text(GOOD)
    way.write_text("def trajectory(t, p):\n    return [0.3, 0.2]\ntrajectory.duration = 0.2\n")
    wait_for(lambda: window.simulation.ready)
    feature.open(law)
    wait_for(lambda: feature.law is not None, seconds=60)
    trajectory.function.open(way)
    wait_for(lambda: trajectory.model.preview is not None)
    trajectory.perform("run")
    wait_for(lambda: trajectory.model.followed is not None and trajectory.run.arrived)
    save(law, GOOD.replace("    return", f"    if t > {window.simulation.latest.t + 0.5}: 1 / 0\n    return"))
    wait_for(lambda: "ZeroDivisionError" in texts(find, window)[1])
    assert trajectory.model.followed is not None and not window.simulation.running and window.banner.isVisible()
    save(law, GOOD)
    wait_for(lambda: "is ready" in texts(find, window)[0] and not texts(find, window)[1])
    assert not window.banner.isVisible()  # what it told is mended
    t = window.simulation.latest.t
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.latest.t > t + 0.5)
    np.testing.assert_allclose(window.simulation.latest.q, [0.3, 0.2], atol=0.02)  # it would have fallen by a radian
    window.actions_["pause"].trigger()
    wait_for(lambda: trajectory.model.followed is None)  # paused by a person, it is over
