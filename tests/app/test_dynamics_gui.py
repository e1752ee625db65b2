"""The dynamics dock: what acts on the arm, and what every torque and joule is made of."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QToolTip

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.dynamics.torque_bars import SWATCHES, TERMS, TorqueBars
from armature.app.style.theme import fixed_font
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.trajectory.trajectory_draft import example
from armature.app.widgets.on_screen import on_screen
from armature.engine.simulation.commands import StartRecording, StopRecording
from tests.app.scenes import pixels
from tests.app.tables import type_cell


@pytest.fixture
def lab(make_window, wait_for):
    """A window with the dock in front and a first snapshot."""

    def open_lab(robot="puma560", **changes):
        window = make_window(robot, **changes)
        window.docks.bring_up("dynamics")
        wait_for(lambda: window.simulation.latest is not None and window.features[DynamicsFeature].panel.bars.motor.size)
        return window

    return open_lab


def run(window, wait_for):
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)


def pause(window, wait_for):
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    QTest.qWait(250)


def bars(window):
    return window.features[DynamicsFeature].panel.bars


def enter(field, value: str):
    """Type a number as a person does."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, value)
    QTest.keyClick(field, Qt.Key.Key_Return)


def set_torque(window, find, value: str):
    """Joint 2's motor torque in the Simulation panel."""
    window.docks.bring_up("simulation")
    QTest.qWait(50)
    enter(find(window, "torque_value_joint2"), value)
    window.docks.bring_up("dynamics")


def hover(widget, at: QPoint) -> str:
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    return QToolTip.text()


def rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])


def number_in(text: str) -> float:
    return float(text.replace("−", "-"))


def test_the_terms_sum_to_the_motor_torque_that_is_shown(lab, wait_for, find):
    window = lab()
    set_torque(window, find, "60")
    window.actions_["step"].trigger()  # a run would be over before a slow machine looks at it
    shown = bars(window)
    wait_for(lambda: shown.motor[1] == 60.0 and np.abs(shown.values[:, 0]).max() > 0.1)
    assert np.allclose(shown.values.sum(axis=1), shown.motor, atol=1e-9)
    top = round(shown.height() - 6 * shown._row() + 1.5 * shown._row())
    text = hover(shown, QPoint(150, top))
    assert text.startswith("joint2") and "motor = 60 N·m" in text and "M q̈" in text
    assert "60 N·m" in shown.accessibleDescription()


def test_zero_gravity_lets_the_arm_float(lab, wait_for, find):
    window = lab()
    find(window, "simulation_friction").setChecked(False)
    preset = find(window, "gravity_preset")
    preset.setFocus()
    QTest.keyClick(preset, Qt.Key.Key_Z)  # "Zero"
    assert preset.currentText() == "Zero" and find(window, "gravity_z").value() == 0
    q = window.document.q
    run(window, wait_for)
    wait_for(lambda: window.simulation.latest.t > 0.3)
    assert np.abs(window.document.q - q).max() < 1e-12
    assert not window.simulation.latest.tau_terms["gravity"].any()
    enter(find(window, "gravity_x"), "2.5")
    assert preset.currentText() == "Other"
    wait_for(lambda: np.abs(window.document.q - q).max() > 0.02)
    assert window.simulation.robot.gravity.tolist() == [2.5, 0, 0]


def test_what_is_scrolled_to_is_there_before_the_first_run(lab, wait_for, find):
    window = lab(size=(1024, 700))
    window.preferences.set(text_scale=150)
    panel = window.features[DynamicsFeature].panel
    wait_for(lambda: find(window, "gravity_x").lineEdit().font().pointSizeF() == fixed_font().pointSizeF())
    QTest.qWait(300)
    area = window.docks["dynamics"].findChild(QScrollArea)
    assert panel.in_view[0] and not panel.in_view[2] and not panel.mass_matrix.values.any()
    area.ensureWidgetVisible(panel.mass_matrix)
    wait_for(lambda: panel.in_view[2] and panel.mass_matrix.values.any())


def test_a_payload_in_flight_adds_what_the_jacobian_says(lab, wait_for, find):
    window = lab()
    find(window, "payload_mass").setValue(3.0)
    q = window.document.q
    at_tool = engine.jacobian(window.document.robot, q)[:3].T @ [0, 0, 3.0 * 9.81]
    find(window, "payload_on").click()
    wait_for(lambda: window.simulation.latest.payload is not None)
    assert np.allclose(window.simulation.latest.tau_terms["payload"], at_tool, atol=1e-3 * np.abs(at_tool).max())
    wait_for(lambda: np.allclose(bars(window).values[:, 5], at_tool, atol=1e-3 * np.abs(at_tool).max()))
    assert window.scene.stage.payload.payload.mass == 3.0
    run(window, wait_for)
    wait_for(lambda: window.simulation.latest.steps > 50)
    find(window, "payload_on").click()
    wait_for(lambda: window.simulation.latest.payload is None and window.simulation.running)
    assert not window.simulation.latest.tau_terms["payload"].any() and window.scene.stage.payload.payload is None


def test_the_ledger_balances_as_it_is_shown(lab, wait_for, find):
    window = lab()
    set_torque(window, find, "60")
    run(window, wait_for)
    wait_for(lambda: window.simulation.latest.t > 0.4)
    pause(window, wait_for)
    panel = window.features[DynamicsFeature].panel
    panel.energy.show_state(window.simulation.latest.ledger)
    shown = {name: number_in(find(window, f"energy_{name}").text()) for name in panel.energy._values}
    work = shown["motor"] + shown["friction"] + shown["hand"] + shown["stop"] + shown["payload"]
    assert abs(shown["motor"]) > 0.1 and shown["friction"] < 0
    assert shown["change"] == pytest.approx(work, abs=4e-3)
    assert shown["kinetic"] + shown["potential"] - shown["start"] == pytest.approx(shown["change"], abs=2e-3)
    relative = find(window, "energy_residual").text().split("J, ")[1].split()[0]
    assert abs(number_in(relative)) < 1e-6


def test_friction_and_stops_joint_by_joint(lab, wait_for, find):
    window = lab()
    find(window, "friction_joint2").click()
    bodies = window.simulation.robot.bodies
    assert bodies[1].friction.viscous == 0 and bodies[0].friction.viscous > 0
    find(window, "simulation_friction").click()
    assert not find(window, "friction_joint1").isEnabled()
    find(window, "simulation_friction").click()
    assert window.simulation.robot.bodies[1].friction.viscous == 0, "what was chosen joint by joint holds"
    find(window, "joint_stops").click()
    assert np.isinf(window.simulation.robot.q_max).all()
    window.document.open_robot("scara")
    assert np.array_equal(window.simulation.robot.q_max, window.document.robot.q_max)
    assert find(window, "joint_stops").isChecked()


def test_what_acts_on_the_arm_is_undone_step_by_step(lab, wait_for, find, press):
    window = lab()
    simulation, stack = window.simulation, window.document.undo_stack
    find(window, "payload_mass").setValue(3.0)
    assert stack.count() == 0, "an empty hand holds nothing, however heavy"
    find(window, "payload_on").click()
    enter(find(window, "payload_mass"), "2")
    find(window, "friction_joint2").click()
    find(window, "joint_stops").click()
    preset = find(window, "gravity_preset")
    preset.setFocus()
    QTest.keyClick(preset, Qt.Key.Key_M)  # "Moon"
    enter(find(window, "gravity_z"), "-1.62")
    assert [stack.text(k) for k in range(stack.count())] == ["payload", "payload", "friction of joint2", "joint stops", "gravity"]

    def state():
        payload = simulation.payload
        mass = None if payload is None else payload.mass
        return mass, simulation.choices.smooth, simulation.choices.stops, simulation.robot.gravity[2]

    def shown():
        mass = find(window, "payload_mass").value() if find(window, "payload_on").isChecked() else None
        smooth = frozenset(n for n in ("joint2",) if not find(window, f"friction_{n}").isChecked())
        return mass, smooth, find(window, "joint_stops").isChecked(), find(window, "gravity_z").value()

    none, rough = frozenset(), frozenset({"joint2"})
    steps = [(None, none, True, -9.81), (3.0, none, True, -9.81), (2.0, none, True, -9.81), (2.0, rough, True, -9.81)]
    steps += [(2.0, rough, False, -9.81), (2.0, rough, False, -1.62)]
    window.scene.setFocus()
    for wanted in steps[-2::-1]:
        press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert state() == wanted
        wait_for(lambda wanted=wanted: shown() == wanted)
    assert preset.currentText() == "Earth"
    for wanted in steps[1:]:
        press(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
        assert state() == wanted
        wait_for(lambda wanted=wanted: shown() == wanted)
    assert preset.currentText() == "Moon"


def test_mass_matrix_and_link_loads(lab, wait_for, find):
    window = lab("scara", size=(1400, 1400))
    panel = window.features[DynamicsFeature].panel
    heat = find(window, "mass_matrix")
    panel._torques.header.click()
    panel.conditions.header.click()
    panel._loads.header.click()
    run(window, wait_for)
    wait_for(lambda: window.simulation.latest.steps > 20)
    pause(window, wait_for)
    robot = window.document.robot
    window.document.edit(robot.configurations["home"] + 0.02)
    wait_for(lambda: np.allclose(heat.values, engine.mass_matrix(robot, window.document.q), atol=1e-12))
    assert hover(heat, QPoint(3, 3)).endswith("kg·m²")
    sliding = int(np.flatnonzero(robot.prismatic)[0])
    assert heat.text(sliding, sliding).endswith(" kg")
    still = engine.link_loads(robot, window.document.q, np.zeros(robot.n), np.zeros(robot.n))
    wait_for(lambda: np.allclose(np.hypot(*panel.loads.numbers.values[:, :2].T), np.linalg.norm(still[:, :3], axis=1), rtol=1e-6))


def test_nothing_is_computed_behind_another_tab(lab, wait_for):
    window = lab()
    window.docks.bring_up("kinematics")
    QTest.qWait(150)
    before = bars(window).values
    run(window, wait_for)
    wait_for(lambda: window.simulation.latest.steps > 50)
    assert bars(window).values is before


def test_an_arm_without_masses_says_so(lab, find):
    window = lab()
    window.document.open_robot("irb140")
    panel = window.features[DynamicsFeature].panel
    assert "no masses" in panel.message.text() and not bars(window).isVisible()
    window.document.open_robot("panda")
    assert not panel.message.isVisible() and bars(window).isVisible() and bars(window).names[6] == "joint7"


def test_the_bars_show_each_term_in_its_colour_up_to_the_motor(lab):
    window = lab()
    shown = bars(window)
    terms = {name: np.zeros(6) for name in TERMS}
    terms["gravity"][0], terms["payload"][0], terms["friction"][0] = 60.0, 20.0, -40.0
    shown.show_terms(terms, np.array([40.0, 0, 0, 0, 0, 0]))
    picture = pixels(shown.grab().toImage())
    row = picture[round(shown._top() + shown._row() / 2)]
    at = {
        name: np.flatnonzero(np.abs(row - rgb(window.bench.look.tokens.series[k])).max(axis=1) < 6)
        for name, k in zip(TERMS, SWATCHES)
    }
    assert at["friction"].max() < at["gravity"].min() < at["gravity"].max() < at["payload"].min()
    assert at["gravity"].size + at["payload"].size == pytest.approx(2 * at["friction"].size, abs=6)
    assert not at["inertia"].size and not at["stop"].size


def test_rounding_is_shown_as_zero_beside_the_bars(qtbot):
    """Gravity leaves a joint about the vertical some 1e-16 N·m, which is no number for a person to read."""
    bars = TorqueBars()
    qtbot.addWidget(bars)
    bars.set_joints(("joint1", "joint2", "joint3"), np.zeros(3, bool), np.full(3, np.inf), np.full(3, 50.0))
    motor = np.array([7.91e-16, 31.57, -0.0283])
    bars.show_terms({name: motor if name == "gravity" else np.zeros(3) for name in TERMS}, motor)
    assert bars.accessibleDescription() == "joint1 0 N·m, joint2 31.6 N·m, joint3 −0.0283 N·m"
    assert "motor = 0 N·m" in bars.text(0)


def test_friction_is_typed_and_worn_while_running_undone_and_recorded(lab, wait_for, find, press, tmp_path):
    window = lab()
    section, table = window.features[DynamicsFeature].panel.friction, find(window, "friction_table")
    QTest.mouseClick(section.header, Qt.MouseButton.LeftButton)
    wait_for(lambda: on_screen(table))
    own = window.document.robot.bodies
    path = tmp_path / "rubbing.csv"
    window.features[ControlFeature].choose("computed-torque")
    trajectory = window.features[TrajectoryFeature]
    trajectory.model.put(replace(example(window.document.robot), repeat="loop"))  # the arm moves for as long as it takes
    wait_for(lambda: trajectory.model.preview is not None)
    window.simulation.send(StartRecording(path))
    window.actions_["run_trajectory"].trigger()
    wait_for(lambda: window.simulation.running)

    type_cell(table, 1, 0, "25")
    friction = [body.friction for body in window.simulation.robot.bodies]
    assert friction[1].viscous == 25.0 and friction[1].coulomb == own[1].friction.coulomb and friction[0] == own[0].friction
    wait_for(lambda: abs(window.simulation.latest.tau_terms["friction"][1]) > 20 * abs(window.simulation.latest.qd[1]) > 1e-3)

    section.wear.setFocus()
    for _ in range(10):
        press(section.wear, Qt.Key.Key_Right)
    assert window.simulation.choices.wear == pytest.approx(2.0) and find(window, "friction_factor").text() == "× 2.0"
    assert window.simulation.robot.bodies[1].friction.viscous == pytest.approx(50.0)
    assert section.table.model().values[1, 0] == 25.0  # the table is of the new arm
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    window.simulation.send(StopRecording())
    wait_for(path.exists)
    wait_for(lambda: window.simulation.recording is None)
    recording = engine.load_recording(path)
    assert sum(event["kind"] == "model" for event in recording.metadata["events"]) >= 2
    assert engine.verify_recording(recording).identical

    for _ in range(10):
        window.actions_["undo"].trigger()
    assert window.simulation.choices.wear == 1.0 and window.simulation.robot.bodies[1].friction.viscous == 25.0
    window.actions_["undo"].trigger()
    assert window.simulation.robot.bodies[1].friction == own[1].friction and table.model().values[1, 0] == own[1].friction.viscous
    window.actions_["redo"].trigger()
    QTest.mouseClick(find(window, "friction_reset"), Qt.MouseButton.LeftButton)
    assert window.simulation.robot is window.document.robot
    find(window, "simulation_friction").click()
    assert not table.isEnabled() and window.simulation.robot.bodies[0].friction.viscous == 0
    find(window, "simulation_friction").click()


def test_in_flight_what_acts_on_the_arm_is_undone_and_a_pose_waits_for_a_pause(lab, wait_for, find, press):
    window = lab()
    document = window.document
    before = document.q.copy()
    document.edit(before + 0.3)
    run(window, wait_for)
    slider = window.features[DynamicsFeature].panel.friction.wear
    slider.setFocus()
    press(slider, Qt.Key.Key_Right)
    assert window.simulation.choices.wear == pytest.approx(1.1)
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.simulation.choices.wear == 1.0 and window.simulation.running
    assert window.status_line.currentMessage() == "Undone: wear"
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.simulation.running and "needs a paused simulation" in window.status_line.currentMessage()
    assert document.undo_stack.index() == 1
    press(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert window.simulation.choices.wear == pytest.approx(1.1)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    for _ in range(2):
        press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(document.q, before)


def test_undo_of_a_pose_set_amid_a_run_gives_its_speeds_back(make_window, wait_for):
    window = make_window("puma560")
    simulation, document = window.simulation, window.document
    wait_for(lambda: simulation.ready)
    for _ in range(100):  # steps, since a run could be over before a slow machine pauses it
        simulation.step()
    wait_for(lambda: simulation.latest is not None and simulation.latest.steps == 100)
    before = simulation.latest
    document.edit_joint(5, 1.0)
    wait_for(lambda: simulation.latest.posed and not simulation.latest.qd.any())
    document.undo_stack.undo()
    wait_for(lambda: np.array_equal(simulation.latest.q, before.q))
    assert simulation.latest.qd == pytest.approx(before.qd) and before.kinetic > 0.1
    assert simulation.latest.kinetic == pytest.approx(before.kinetic)


def test_gravity_that_is_chosen_counts_in_equations_arrows_and_workspaces(make_window, find, wait_for):
    window = make_window("puma560")
    robot = window.document.robot
    assert window.simulation.in_gravity is robot
    window.simulation.choose(gravity=(0.0, 0.0, -1.62))
    moon = window.simulation.in_gravity
    assert moon is window.simulation.in_gravity and moon.gravity.tolist() == [0.0, 0.0, -1.62]
    window.scene.show_levers(1, moon.gravity)
    window.scene.grabFramebuffer()
    arrows = window.scene.stage.explanations.levers.weights.arrows
    assert [np.linalg.norm(arrow.vector) for arrow in arrows] == pytest.approx(
        [1.62 * b.mass for b in robot.bodies if b.mass][-len(arrows) :]
    )
    window.scene.show_levers(-1, moon.gravity)
