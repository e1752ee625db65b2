"""The dock Identify: a motion computed, run and recorded; identified; viewed; used; and the guided example."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from armature import engine
from armature.app.identification.feature import CANCELLED, IdentificationFeature
from armature.app.identification.identification_model import FIT, STEPS, UNUSED, VALIDATE, Entry
from armature.app.identification.identification_texts import NEVER
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.on_screen import on_screen
from armature.engine.identification.identified_robot import IDENTIFIED
from tests.app.dialogs import OPEN, answer_the_file_dialog


def show(panel, title: str) -> None:
    """Click a tab of the dock."""
    bar = panel.bar
    k = next(k for k in range(bar.count()) if bar.tabText(k) == title)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(k).center())
    assert panel.page == title


def choose(window, find, name: str, key: Qt.Key) -> None:
    """Choose the first or the last use of a recording."""
    use = find(window, name)
    use.setFocus()
    QTest.keyClick(use, key)
    use.activated.emit(use.currentIndex())
    window.bench.views.flush()


def test_a_motion_is_computed_run_recorded_and_identified(make_window, find, click, press, wait_for, tmp_path):
    window = make_window("scara", perspective="dynamics")
    feature, file = window.features[IdentificationFeature], window.document.robot
    panel, model = feature.panel, feature.model
    motion, recordings, result = panel.motion, panel.recordings, panel.result
    window.actions_["identify"].trigger()
    wait_for(lambda: on_screen(panel) and motion.make.isEnabled())
    assert not motion.run.isEnabled() and not result.accept.isEnabled() and not recordings.go.isEnabled()

    # a motion: cancelled, then computed
    click(window, "identify_make")
    wait_for(lambda: motion.cancel.isEnabled() and motion.progress.isVisible())
    click(window, "identify_make_cancel")
    wait_for(lambda: motion.text.text() == CANCELLED and not motion.run.isEnabled() and motion.make.isEnabled())
    duration = find(window, "identify_duration")
    duration.setFocus()
    duration.selectAll()
    QTest.keyClicks(duration, "2")
    QTest.keyClick(duration, Qt.Key.Key_Return)
    click(window, "identify_make")
    wait_for(lambda: model.motion is not None)
    trajectory = model.motion.trajectory
    assert trajectory.duration == pytest.approx(2.0) and "Condition" in motion.text.text()
    assert engine.check_limits(file, trajectory) is None
    assert motion.plot.curves[0].names == file.joint_names and np.ptp(motion.plot.values, axis=0).min() > 0.01

    # as a trajectory of that dock
    click(window, "identify_draft")
    planned = window.features[TrajectoryFeature]
    wait_for(lambda: planned.model.preview is not None and on_screen(planned.panel), seconds=60)
    t = np.linspace(0.0, 2.0, 50)
    assert planned.model.preview.trajectory.sample(t)[0] == pytest.approx(trajectory.sample(t)[0], abs=1e-6)
    window.actions_["perspective_dynamics"].trigger()
    window.actions_["identify"].trigger()
    wait_for(lambda: on_screen(panel))

    # run and recorded; a file is added once, for validation the recording
    click(window, "identify_record")
    wait_for(lambda: model.entries, seconds=60)
    assert model.entries[0].use == FIT and model.entries[0].source.is_file() and panel.page == "Recordings"
    recorded = engine.load_recording(model.entries[0].source)
    assert 1.9 < recorded.duration < 5.0 and not window.simulation.running  # a slow window stops it late
    choose(window, find, "identify_use_0", Qt.Key.Key_Home)
    assert model.entries[0].use == UNUSED and "fit" in recordings.text.text() and not recordings.go.isEnabled()
    for _ in range(2):
        answer_the_file_dialog(recorded.save(tmp_path / "other.csv"), OPEN)
        click(window, "identify_add")
        wait_for(lambda: len(model.entries) == 2)
    choose(window, find, "identify_use_0", Qt.Key.Key_End)
    assert [one.use for one in model.entries] == [VALIDATE, FIT]

    # a coupled drive
    field = recordings.couplings
    assert field.placeholderText() == "none; for example joint2+joint3"
    field.setFocus()
    for typed, is_valid in (("joint1+joint", False), ("2", True)):
        QTest.keyClicks(field, typed)
        window.bench.views.flush()
        assert recordings.go.isEnabled() == is_valid and is_valid == ("no joint" not in recordings.text.text())
    click(window, "identify_go")
    wait_for(lambda: model.outcome is not None, seconds=60)
    assert model.outcome.found.base.names[-3:] == ("Ia(1+2)", "Fv(1+2)", "Fc(1+2)")
    assert "their common motor has" in result.findings.text()
    show(panel, "Recordings")
    click(window, "identify_payload")
    window.bench.views.flush()
    assert not field.isEnabled()
    click(window, "identify_payload")
    field.clear()

    # identified: the arm that was simulated is the file's
    before = model.outcome
    press(window.scene, Qt.Key.Key_Escape)
    window.bench.views.flush()
    click(window, "identify_go")
    wait_for(lambda: model.outcome is not before, seconds=60)
    found = model.outcome.found
    assert panel.page == "Result" and "On held-out data" in result.sentences.text()
    assert result.table.rowCount() == file.n and len(found.curves) == 3 and len(model.outcome.names) == 3
    assert result.table.item(0, 2).text() == result.table.item(0, 3).text()[:1] == "0"  # nothing is left of exact data
    look_at_curves_and_parameters(panel, found, wait_for)

    # the new arm, and back; and as a file
    show(panel, "Result")
    before = window.document.q
    window.document.edit_joint(0, before[0] + 0.3)
    q = window.document.q
    click(window, "identify_accept")
    window.bench.views.flush()
    arm = window.document.robot
    assert arm.bodies is found.robot.bodies and arm.title.endswith(IDENTIFIED) and IDENTIFIED in window.windowTitle()
    assert np.array_equal(window.document.q, q) and not result.accept.isEnabled() and result.text.isVisible()
    wait_for(lambda: window.simulation.robot.bodies is arm.bodies)
    press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    window.bench.views.flush()
    assert window.document.robot is file and result.accept.isEnabled() and model.outcome is not None
    press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert np.array_equal(window.document.q, before)  # the history of the pose was kept
    answer_the_file_dialog(tmp_path / "mine.toml")
    click(window, "identify_save")
    wait_for(lambda: (tmp_path / "mine.toml").is_file())
    assert engine.parameters(engine.load_robot(tmp_path / "mine.toml")) == pytest.approx(engine.parameters(found.robot), abs=1e-9)

    # a torque of the wrong sign is reported; so is a recording of another arm; another arm begins with nothing
    bad = replace(recorded, tau=recorded.tau * np.where(np.arange(file.n) == 1, -1.0, 1.0))
    model.entries = (Entry("other", bad, FIT),)
    show(panel, "Recordings")
    wait_for(recordings.go.isEnabled)
    click(window, "identify_go")
    wait_for(lambda: result.findings.isVisible() and file.joint_names[1] in result.findings.text(), seconds=60)
    model.entries = (Entry("other", engine.simulate(engine.load_robot("pendulum"), [0.1], None, 0.1, 1e-3), FIT),)
    show(panel, "Recordings")
    wait_for(recordings.go.isEnabled)
    click(window, "identify_go")
    wait_for(lambda: "joint" in recordings.text.text(), seconds=60)
    window.document.open_robot("double_pendulum")
    wait_for(lambda: not result.accept.isEnabled())
    assert model.outcome is None and not model.entries and model.motion is None


def look_at_curves_and_parameters(panel, found, wait_for) -> None:
    """Torques by joint with hover, parameters with σ, and grey ones."""
    curves, parameters = panel.curves, panel.parameters
    show(panel, "Torques")
    assert curves.torque.curves[0].names == ("measured", "file", "identified")
    assert np.array_equal(curves.torque.values[:, 2], found.curves[0].identified[:, 0], equal_nan=True)
    curves.joint.setFocus()
    QTest.keyClick(curves.joint, Qt.Key.Key_Down)
    assert np.array_equal(curves.torque.values[:, 0], found.curves[0].measured[:, 1], equal_nan=True)
    QTest.mouseMove(curves.torque, QPoint(curves.torque.width() // 2, curves.torque.height() // 2))
    wait_for(lambda: len(curves.torque.reading()) == 3 and len(curves.left.reading()) == 2)
    show(panel, "Parameters")
    table = parameters.table
    assert table.rowCount() == len(found.base.names) and table.item(0, 0).text() == found.base.names[0]
    assert not table.isColumnHidden(2) and parameters.rows()[0].sigma == found.base.sigma[0]
    parameters.sets.setFocus()
    QTest.keyClick(parameters.sets, Qt.Key.Key_Down)
    assert table.rowCount() == len(found.unknowns.full_names) and table.isColumnHidden(2) and not table.isColumnHidden(7)
    instead = {table.item(k, 0).text(): table.item(k, 7).text() for k in range(table.rowCount())}
    assert instead.items() >= {(name, known or NEVER) for name, known in found.unidentifiable if name in instead}
    grey, plain = (next(k for k in range(table.rowCount()) if bool(table.item(k, 7).text()) is on) for on in (True, False))
    assert table.item(grey, 0).foreground() != table.item(plain, 0).foreground()


def test_the_guided_example(make_window, wait_for):
    window = make_window("scara", perspective="dynamics")
    feature = window.features[IdentificationFeature]
    model, page = feature.model, feature.panel.example
    window.actions_["identify_example"].trigger()
    for step in STEPS:
        press = page.buttons[step]
        wait_for(lambda press=press: on_screen(page) and press.isEnabled(), seconds=60)
        assert press.property("role") == "primary"
        page.area.ensureWidgetVisible(press)
        QTest.mouseClick(press, Qt.MouseButton.LeftButton)
        if step in ("motion", "identify"):
            wait_for(page.progress.isVisible)
        wait_for(lambda step=step: "→" in page.texts[step].text() and not model.step, seconds=60)
    assert page.plot.curves[0].names == ("file's model", "identified", "true")
    compared = model.result("compare")
    titles = [child.text() for child in page.findChildren(QLabel) if child.text().startswith("Tracking error")]
    assert titles == [f"Tracking error, {kind} joints  [{unit}] over time  [s]" for kind, unit in
                      (("revolute", "mrad"), ("prismatic", "mm"))]  # fmt: skip
    assert (compared.factors > 5).all() and (compared.rms["true"] < 2 * compared.rms["identified"]).all()
    viscous = next(row for row in feature.panel.parameters.rows() if row.name == "Fv1")
    assert abs(viscous.value - 2.0 * viscous.prior) < 4 * viscous.sigma + 0.05 * viscous.prior

    # an earlier step once more: what followed from it is gone
    page.area.ensureWidgetVisible(page.buttons["disturb"])
    QTest.mouseClick(page.buttons["disturb"], Qt.MouseButton.LeftButton)
    window.bench.views.flush()
    assert not page.buttons["simulate"].isEnabled() and "→" not in page.texts["compare"].text() and not page.plot.curves
