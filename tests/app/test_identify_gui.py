"""The Identify dock by hand: a motion made, run and recorded; identified; looked at; worked with; and the guided example."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from armature import engine
from armature.app.identification.chosen_recordings import FIT, UNUSED, VALIDATE, ChosenRecordings, Entry
from armature.app.identification.feature import CANCELLED, IdentificationFeature
from armature.app.identification.parameter_rows import NEVER
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.on_screen import on_screen
from armature.engine.identification.identified_robot import IDENTIFIED
from tests.app.dialogs import OPEN, answer_the_file_dialog


@pytest.fixture
def show(wait_for):
    """Clicks a tab of the dock."""

    def page(feature, title):
        bar = feature.panel.bar
        k = next(k for k in range(bar.count()) if bar.tabText(k) == title)
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(k).center())
        wait_for(lambda: bar.currentIndex() == k)

    return page


def enter(field, text: str) -> None:
    """Type a number and confirm it."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def press_button(area, button) -> None:
    """A click on a button of a page that scrolls."""
    area.ensureWidgetVisible(button)
    assert button.isEnabled() and button.isVisible(), button.objectName()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_motion_is_made_run_recorded_and_identified(make_window, find, click, press, wait_for, show, tmp_path):
    window = make_window("scara", perspective="dynamics")
    feature, file = window.features[IdentificationFeature], window.document.robot
    panel = feature.panel
    motion, recordings, result = panel.motion, panel.recordings, panel.result
    window.actions_["identify"].trigger()
    wait_for(lambda: on_screen(panel) and motion.make.isEnabled())
    assert not motion.run.isEnabled() and not result.accept.isEnabled() and not recordings.go.isEnabled()

    # a motion: given up, then made
    click(window, "identify_make")
    wait_for(lambda: motion.cancel.isEnabled())
    click(window, "identify_make_cancel")
    wait_for(lambda: motion.told.text() == CANCELLED and not motion.run.isEnabled() and motion.make.isEnabled())
    enter(motion.duration, "2")
    click(window, "identify_make")
    wait_for(lambda: motion.trajectory is not None)
    assert motion.trajectory.duration == pytest.approx(2.0) and "Condition" in motion.told.text()
    assert engine.check_limits(file, motion.trajectory) is None
    assert motion.plot.curves[0].names == file.joint_names and np.ptp(motion.plot.values, axis=0).min() > 0.01

    # as a trajectory of that dock; Identify is opened again
    click(window, "identify_draft")
    trajectory = window.features[TrajectoryFeature]
    wait_for(lambda: trajectory.model.preview is not None and on_screen(trajectory.panel), seconds=60)
    t = np.linspace(0.0, 2.0, 50)
    assert trajectory.model.preview.trajectory.sample(t)[0] == pytest.approx(motion.trajectory.sample(t)[0], abs=1e-6)
    window.actions_["perspective_dynamics"].trigger()
    window.actions_["identify"].trigger()
    wait_for(lambda: on_screen(panel))

    # run and recorded; what is recorded is to be fitted
    click(window, "identify_record")
    wait_for(lambda: feature.identify.chosen.entries, seconds=60)
    entry = feature.identify.chosen.entries[0]
    assert entry.use == FIT and entry.source.is_file() and panel.bar.tabText(panel.bar.currentIndex()) == "Recordings"
    recorded = engine.load_recording(entry.source)
    assert 1.9 < recorded.duration < 5.0 and not window.simulation.running  # a slow window stops it late
    use = find(window, "identify_use_0")
    use.setFocus()
    QTest.keyClick(use, Qt.Key.Key_Home)
    use.activated.emit(use.currentIndex())
    assert feature.identify.chosen.entries[0].use == UNUSED and "fit" in recordings.told.text() and not recordings.go.isEnabled()
    for _ in range(2):  # one that fits, and the same once more to validate
        answer_the_file_dialog(recorded.save(tmp_path / "other.csv"), OPEN)
        click(window, "identify_add")
        wait_for(lambda: len(feature.identify.chosen.entries) == 2)
    assert feature.identify.chosen.entries[1].use == FIT
    use = find(window, "identify_use_0")
    use.setFocus()
    QTest.keyClick(use, Qt.Key.Key_End)
    use.activated.emit(use.currentIndex())
    assert [one.use for one in feature.identify.chosen.entries] == [VALIDATE, FIT]

    # a coupled drive: what is none is told while it is typed
    field = recordings.couplings
    assert field.placeholderText() == "none; for example joint2+joint3"
    field.setFocus()
    QTest.keyClicks(field, "joint1+joint")
    assert "no joint 'joint'" in recordings.told.text() and not recordings.go.isEnabled()
    QTest.keyClicks(field, "2")
    assert recordings.go.isEnabled() and recordings.options.couplings == "joint1+joint2"
    click(window, "identify_go")
    wait_for(lambda: feature.outcome is not None, seconds=60)
    assert feature.outcome.found.base.names[-3:] == ("Ia(1+2)", "Fv(1+2)", "Fc(1+2)")
    assert "their common motor has" in result.findings.text()
    show(feature, "Recordings")
    click(window, "identify_payload")
    assert not field.isEnabled()
    click(window, "identify_payload")
    field.clear()
    before = feature.outcome

    # identified: the arm that was simulated is the file's
    press(window.scene, Qt.Key.Key_Escape)
    click(window, "identify_go")
    wait_for(lambda: feature.outcome is not before, seconds=60)
    found = feature.outcome.found
    assert panel.bar.tabText(panel.bar.currentIndex()) == "Result" and "On held-out data" in result.sentences.text()
    assert result.table.rowCount() == file.n and len(found.curves) == 3 and len(feature.outcome.names) == 3
    assert result.table.item(0, 2).text() == result.table.item(0, 3).text()[:1] == "0"  # nothing is left of exact data
    look_at_curves_and_parameters(window, feature, show, wait_for)

    # the new arm, and back; and as a file
    show(feature, "Result")
    before = window.document.q
    window.document.edit_joint(0, before[0] + 0.3)
    q = window.document.q
    click(window, "identify_accept")
    arm = window.document.robot
    assert arm.bodies is found.robot.bodies and arm.title.endswith(IDENTIFIED) and IDENTIFIED in window.windowTitle()
    assert np.array_equal(window.document.q, q) and not result.accept.isEnabled() and "Undo" in result.told.text()
    wait_for(lambda: window.simulation.robot.bodies is arm.bodies)
    press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.robot is file and result.accept.isEnabled() and feature.outcome is not None
    press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert np.array_equal(window.document.q, before)  # the history of the pose was kept

    answer_the_file_dialog(tmp_path / "mine.toml")
    click(window, "identify_save")
    wait_for(lambda: (tmp_path / "mine.toml").is_file())
    assert engine.parameters(engine.load_robot(tmp_path / "mine.toml")) == pytest.approx(engine.parameters(found.robot), abs=1e-9)

    # a torque of the wrong sign is told of; so is a recording of another arm
    bad = replace(recorded, tau=recorded.tau * np.where(np.arange(file.n) == 1, -1.0, 1.0))
    for recording in (bad, engine.simulate(engine.load_robot("pendulum"), [0.1], None, 0.1, 1e-3)):
        feature.identify.choose(ChosenRecordings((Entry("other", recording, FIT),)))
        show(feature, "Recordings")
        click(window, "identify_go")
        wait_for(lambda: not feature.identify.runner.busy, seconds=60)
        if recording is bad:
            (finding,) = [one for one in feature.outcome.found.findings if one.kind == "sign"]
            wait_for(lambda: result.findings.isVisible())
            assert finding.joint == file.joint_names[1] and finding.sentence in result.findings.text()
    wait_for(lambda: "joint" in recordings.told.text() and "Identified" not in recordings.told.text())

    # another arm begins with nothing
    window.document.open_robot("double_pendulum")
    wait_for(lambda: not result.accept.isEnabled())
    assert feature.outcome is None and not feature.identify.chosen.entries and motion.trajectory is None


def look_at_curves_and_parameters(window, feature, show, wait_for) -> None:
    """Torques by joint with hover, parameters with σ, and greyed ones."""
    curves, parameters, found = feature.panel.curves, feature.panel.parameters, feature.outcome.found
    show(feature, "Torques")
    assert curves.torque.curves[0].names == ("measured", "file", "identified")
    assert np.array_equal(curves.torque.values[:, 2], found.curves[0].identified[:, 0], equal_nan=True)
    curves.joint.setFocus()
    QTest.keyClick(curves.joint, Qt.Key.Key_Down)
    assert np.array_equal(curves.torque.values[:, 0], found.curves[0].measured[:, 1], equal_nan=True)
    QTest.mouseMove(curves.torque, QPoint(curves.torque.width() // 2, curves.torque.height() // 2))
    wait_for(lambda: len(curves.torque.reading()) == 3 and len(curves.left.reading()) == 2)
    show(feature, "Parameters")
    table = parameters.table
    assert table.rowCount() == len(found.base.names) and table.item(0, 0).text() == found.base.names[0]
    assert not table.isColumnHidden(2) and parameters.rows()[0].sigma == found.base.sigma[0]
    parameters.sets.setFocus()
    QTest.keyClick(parameters.sets, Qt.Key.Key_Down)
    assert table.rowCount() == len(found.unknowns.full_names) and table.isColumnHidden(2) and not table.isColumnHidden(7)
    instead = {table.item(k, 0).text(): table.item(k, 7).text() for k in range(table.rowCount())}
    assert instead.items() >= {(name, known or NEVER) for name, known in found.unidentifiable if name in instead}
    grey = next(k for k in range(table.rowCount()) if table.item(k, 7).text())
    told = next(k for k in range(table.rowCount()) if not table.item(k, 7).text())
    assert table.item(grey, 0).foreground() != table.item(told, 0).foreground()


def test_the_guided_example(make_window, wait_for, show):
    window = make_window("scara", perspective="dynamics")
    feature = window.features[IdentificationFeature]
    window.actions_["identify_example"].trigger()
    page = feature.panel.example
    wait_for(lambda: on_screen(page) and page.buttons["disturb"].isEnabled())
    for step, said in (
        ("disturb", "moving mass"),
        ("motion", "Condition"),
        ("simulate", "samples"),
        ("identify", "held-out"),
        ("compare", "times smaller"),
    ):
        wait_for(lambda step=step: page.buttons[step].isEnabled(), seconds=60)
        assert page.buttons[step].property("role") == "primary"
        press_button(page._area, page.buttons[step])
        if step in ("motion", "identify"):
            wait_for(page.progress.isVisible)
        wait_for(lambda step=step, said=said: said in page.told[step].text().partition("→")[2], seconds=60)
    assert page.plot.curves[0].names == ("file's model", "identified", "true")
    compared = feature.example._done["compare"]
    titles = [child.text() for child in page.findChildren(QLabel) if child.text().startswith("Tracking error")]
    assert titles == [
        "Tracking error, revolute joints  [mrad] over time  [s]",
        "Tracking error, prismatic joints  [mm] over time  [s]",
    ], titles
    assert (compared.factors > 5).all() and (compared.rms["true"] < 2 * compared.rms["identified"]).all()
    rows = {row.name: row for row in feature.panel.parameters.rows()}
    viscous = rows["Fv1"]
    assert abs(viscous.value - 2.0 * viscous.prior) < 4 * viscous.sigma + 0.05 * viscous.prior

    # an earlier step once more: what followed from it is gone
    press_button(page._area, page.buttons["disturb"])
    assert not page.buttons["simulate"].isEnabled() and "→" not in page.told["compare"].text() and not page.plot.curves
