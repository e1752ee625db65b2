"""Runs of the window that pause at the first contact, by choice."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from armature import engine
from armature.app.simulation.feature import SimulationFeature
from armature.app.state.severity import Severity


@pytest.fixture
def choice(make_window, find, wait_for):
    """The choice in the dock Simulation of a window that `open_` returns, ticked."""
    boxes = []

    def open_(robot: str):
        window = make_window(robot)
        wait_for(lambda: window.scene.stage.clearance.tested is not None and window.simulation.ready)
        boxes.append(find(window, "simulation_contact_stop"))
        assert not boxes[0].isChecked() and not window.preferences.now.stop_run_at_contact
        boxes[0].click()
        return window, boxes[0]

    yield open_
    boxes[0].setChecked(False)


def test_a_run_pauses_at_the_first_contact_with_one_message_and_continues(choice, press, find, wait_for):
    window, box = choice("panda")
    assert window.preferences.now.stop_run_at_contact
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.banner.isVisible() and not window.simulation.running and not window.simulation.meant_to_run)
    wait_for(lambda: window.simulation.latest.steps and np.array_equal(window.document.q, window.simulation.latest.q))
    found = engine.collision(window.document.robot, window.document.q)
    text = window.banner.text.text()
    assert found.colliding and -found.distance < 5e-3
    assert text.startswith(f"Stopped at contact: {' and '.join(found.pair)} at t = ") and "mm deep" in text
    assert window.banner._shown.severity is Severity.WARNING and len(window.banner._faults) == 1
    message = find(window, "simulation_message")
    assert message.text() == text and window.actions_["run"].isEnabled()
    t = window.simulation.latest.t
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.latest.t > t)
    assert message.text() != text  # the same pair does not end it again
    box.click()
    if not window.simulation.running:
        press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running and window.simulation.latest.t > t + 0.5)
    window.simulation.pause()


def test_a_contact_with_the_floor_is_one_message(choice, press, wait_for):
    window, _ = choice("puma560")
    cell = window.bench.cell
    assert cell.now.names == ("floor",)
    window.document.edit(window.document.robot.configurations["stretched"])
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.banner.isVisible() and not window.simulation.running)
    assert window.banner.text.text().startswith("Stopped at contact: ") and len(window.banner._faults) == 1
    assert window.features[SimulationFeature].panel.message.text().startswith("Stopped at contact: ")


def test_an_object_that_is_moved_while_paused_counts_in_the_next_run(choice, press, wait_for):
    window, _ = choice("pendulum")
    tip = engine.frame_pose(window.document.robot, np.array([0.0]))[:3, 3]
    cell = window.bench.cell
    cell.edit(engine.Cell().with_object("ball", "sphere", radius=0.1, xyz=tuple(tip + [0.0, 5.0, 0.0])), "ball")
    cell.edit(cell.now.with_changes("ball", xyz=tuple(tip)), "ball")
    wait_for(lambda: (model := window.scene.stage.clearance.tested) is not None and "ball" in np.ravel(model.pair_names))
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.banner.isVisible() and " and ball at t = " in window.banner.text.text())
    wait_for(lambda: not window.simulation.running)
