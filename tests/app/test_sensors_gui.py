"""Sensors in the control dock: they reach the running arm at once, are told, plotted beside the truth, and recorded."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.control.sensors_feature import SensorsFeature
from armature.app.plots.feature import PlotsFeature
from tests.app.kept_window import AS_IT_STARTS


def test_sensors_between_arm_and_law(make_window, find, wait_for, tmp_path):
    def entered(name: str, text: str):
        field = find(window, name)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)

    def tick(name: str):
        box = find(window, name)
        QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(10, box.height() // 2))

    def newest():
        return window.simulation.latest

    window = make_window("scara", size=AS_IT_STARTS, plots=("q", "tau:measured", "energy"))
    window.docks.bring_up("control")
    feature, plots = window.features[SensorsFeature], window.features[PlotsFeature].panel
    box, state = find(window, "sensors_on"), find(window, "sensors_state")
    assert not box.isVisible()  # folded until it is wanted
    QTest.mouseClick(find(window, "control_sensors"), Qt.MouseButton.LeftButton)
    wait_for(box.isVisible)
    window.features[ControlFeature].choose("pd-gravity")
    window.actions_["run"].trigger()
    wait_for(lambda: newest() is not None and newest().t > 0.1)
    assert newest().q_measured is None and not state.isVisible() and feature.sensors is None

    # Switched on while it runs: whole counts, told in a line that stays when the section is folded
    tick("sensors_on")
    wait_for(lambda: newest().q_measured is not None)
    c = np.array([2 * np.pi / 4096, 2 * np.pi / 4096, 1 / 4096])
    assert np.array_equal(newest().q_measured, np.floor(newest().q_measured / c + 0.5) * c) and newest().running
    entered("sensors_position_noise", "2")
    entered("sensors_torque_noise", "0.5")
    entered("sensors_delay", "4")
    entered("sensors_seed", "7")
    wanted = engine.Sensors(counts=4096, position_noise=2e-3, torque_noise=0.5, delay=4e-3, seed=7)
    assert feature.sensors == wanted
    for words in ("4096 counts", "noise 0.002 rad", "noise 0.5 N·m", "delay 4 ms", "seed 7"):
        assert words in state.text().replace("\u202f", "").replace(",096", "096"), state.text()
    QTest.mouseClick(find(window, "control_sensors"), Qt.MouseButton.LeftButton)
    assert not box.isVisible() and state.isVisible()

    # Recorded: both, and again to the last bit
    window.actions_["record"].trigger()
    wait_for(lambda: newest().rows > 200)
    window.actions_["record"].trigger()
    folder = tmp_path / "recordings"
    wait_for(lambda: list(folder.glob("*.npz")) and not list(folder.glob("*.part*")))
    recording = engine.load_recording(next(folder.glob("*.npz")))
    assert recording.metadata["sensors"] == wanted.describe() and engine.verify_recording(recording).identical
    assert 1e-4 < np.abs(recording.q_measured - recording.q).max() < 2e-2

    # Plotted beside the truth: chosen from the menu of a plot
    pane = plots.panes[0]
    menu = pane._button.menu()
    action = next(action for action in menu.actions() if action.objectName() == "plot_mode_measured")
    assert action.isEnabled()
    action.trigger()
    assert pane.name == "q:measured" and "q:measured" in window.preferences.now.plots
    wait_for(lambda: len(pane.view.curves) == 2 and len(pane.view.curves[0].y) > 10)
    actual, measured = pane.view.curves
    assert actual.style != measured.style and measured.source == "measured"
    assert 0 < np.abs(np.radians(measured.y[-5:, 0] - actual.y[-5:, 0])).max() < 2e-2
    energy = next(pane for pane in plots.panes if pane.signal == "energy")
    unfit = next(action for action in energy._button.menu().actions() if action.objectName() == "plot_mode_measured")
    assert not unfit.isEnabled()

    # Another robot begins without; the first one gets its own again
    window.document.open_robot("pendulum")
    QApplication.processEvents()
    assert feature.sensors is None and not state.isVisible()
    window.document.open_robot("scara")
    assert feature.sensors == wanted and state.isVisible()
    window.actions_["step"].trigger()
    wait_for(lambda: newest() is not None and newest().q_measured is not None and len(newest().q) == 3)
    QTest.mouseClick(find(window, "control_sensors"), Qt.MouseButton.LeftButton)
    tick("sensors_on")
    wait_for(lambda: newest().q_measured is None)
    assert not state.isVisible()
