"""The lab “Dynamics that change” in the window: a click runs it, and the error rises at the change."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature.app.control.feature import ControlFeature
from armature.app.lab import feature as lab_feature
from armature.app.lab.feature import LabFeature
from armature.app.lab.tracking_log import TrackingLog
from tests.app.kept_window import set_pace


def test_a_tracking_log_tells_rounds_and_a_curve():
    log = TrackingLog(2.0)
    assert np.isnan(log.rms(0)) and np.isnan(log.mass)
    for k in range(400):
        log.take(0.01 * k, 0.003 if k < 200 else 0.004, 0.01 * k)
    log.take(1.0, 9.0, 9.0)  # an old one
    assert log.rms(0) == pytest.approx(0.003) and log.rms(1) == pytest.approx(0.004) and log.mass == pytest.approx(3.99)
    t, off = log.curve()
    assert len(t) == len(off) == 400 and off[0] == pytest.approx(0.003) and off[-1] == pytest.approx(0.004)


def test_the_lab_runs_under_a_law_that_learns_and_under_one_that_does_not(make_window, find, wait_for, monkeypatch):
    monkeypatch.setattr(lab_feature, "CHANGE", 0.6)
    monkeypatch.setattr(lab_feature, "END", 1.2)
    window = make_window("panda")
    set_pace(window, 1.0)  # so that the curve has many points on a busy machine, too
    lab, control = window.features[LabFeature], window.features[ControlFeature]
    window.actions_["lab"].trigger()
    wait_for(lambda: find(window, "lab_words").isVisible())
    QTest.mouseClick(find(window, "lab_computed-torque"), Qt.MouseButton.LeftButton)
    wait_for(lambda: "Loading" in find(window, "lab_state").text() or lab.logs)
    assert window.document.robot.name == "puma560"
    wait_for(lambda: find(window, "lab_state").text().startswith("Finished"), seconds=60)
    log = lab.logs["computed-torque"]
    t, off = log.curve()
    assert off[-1] > 3 * off[np.searchsorted(t, 0.5)]  # the load came as a surprise
    assert control.shown == "computed-torque" and not find(window, "control_knows_payload").isChecked()
    assert window.simulation.choices.wear == 1.0 and not find(window, "lab_stop").isEnabled()
    assert len(find(window, "plot_lab_error").curves) == 1

    QTest.mouseClick(find(window, "lab_recursive-least-squares"), Qt.MouseButton.LeftButton)
    wait_for(lambda: control.shown == "recursive-least-squares" and lab.logs.get("recursive-least-squares"), seconds=60)
    assert find(window, "control_law").currentText() == "Recursive least squares"
    assert not find(window, "own_law_edit").isEnabled()  # it ships
    wait_for(lambda: find(window, "lab_state").text().startswith("Finished"), seconds=120)
    assert lab.logs["recursive-least-squares"].mass > 0.02  # it has begun to find the load
    assert find(window, "lab_recursive-least-squares_3").text().endswith("kg")
    assert len(find(window, "plot_lab_error").curves) == 2
    QTest.mouseClick(find(window, "lab_computed-torque"), Qt.MouseButton.LeftButton)
    wait_for(lambda: find(window, "lab_stop").isEnabled())
    QTest.mouseClick(find(window, "lab_stop"), Qt.MouseButton.LeftButton)
    assert find(window, "lab_state").text() == "Stopped."
