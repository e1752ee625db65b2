"""Contacts in the window: coloured, explained and measured while anything moves the arm."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.contact.feature import ContactFeature
from armature.app.scene.gl import palette
from tests.app.scenes import pixels

FREE = np.radians([0.0, -15.0, 0.0, -126.0, 0.0, 60.0, 45.0])
TOUCHING = np.radians([0.0, -15.0, 0.0, -176.0, 0.0, 60.0, 45.0])  # the Panda's hand in its own base


@pytest.fixture
def panda(make_window, wait_for):
    window = make_window("panda")
    wait_for(lambda: window.scene.stage.clearance.tested is not None)
    return window


def caption(window) -> str:
    pills = window.scene.stage.clearance.pills(window.scene.frame_state)
    return pills[0].text if pills else ""


def contact_pixels(window) -> int:
    """Number of pixels of the view in the hue of a contact."""
    rgb = pixels(window.scene.grabFramebuffer())
    red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    return int(((red > 120) & (green < 0.45 * red) & (blue < 0.75 * red) & (blue > 1.05 * green)).sum())


def test_a_slider_that_moves_a_link_into_another_colours_and_explains_both(panda, find, wait_for):
    window, stage = panda, panda.scene.stage
    window.document.edit(FREE)
    wait_for(lambda: np.array_equal(window.scene.q, FREE))
    assert not stage.arm.colliding and not caption(window)
    before = contact_pixels(window)
    slider = find(window, "joint_slider_joint4")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    wait_for(lambda: stage.arm.colliding)
    found = engine.collision(window.document.robot, window.document.q)
    bodies = {window.document.robot.links[name].body + 1 for contact in found.pairs for name in contact.pair}
    assert stage.arm.colliding == bodies
    wait_for(lambda: caption(window) == found.explanation)
    assert " hits " in found.explanation and "mm deep" in found.explanation and contact_pixels(window) > before + 500
    window.document.edit(window.document.robot.configurations["home"])
    wait_for(lambda: not stage.arm.colliding)
    assert not caption(window)


def test_the_smallest_distance_is_drawn_with_its_value_and_can_be_switched(panda, press, wait_for):
    window, item = panda, panda.scene.stage.clearance
    assert not window.scene.overlay("clearance") and not item.labels(window.scene.frame_state)
    press(window.scene, Qt.Key.Key_D)
    assert window.scene.overlay("clearance") and window.actions_["show_clearance"].isChecked()
    window.document.edit(np.array([0.0, 0.2, 0.0, -2.7, 0.0, 2.6, 0.0]))
    wait_for(lambda: len(item.points) == 2 and item.labels(window.scene.frame_state))
    (label,) = item.labels(window.scene.frame_state)
    wait_for(lambda: np.isclose(np.linalg.norm(item.points[0] - item.points[1]), item.distance))
    assert label.text == f"{item.distance:.3f} m" and label.point == pytest.approx(item.points.mean(axis=0))
    press(window.scene, Qt.Key.Key_D)
    assert not item.labels(window.scene.frame_state)


def test_another_robot_is_tested_with_its_own_shapes(panda, wait_for):
    window, item = panda, panda.scene.stage.clearance
    window.document.open_robot("puma560")
    wait_for(lambda: item.tested is not None and item.tested.robot is window.document.robot)
    runner = window.features[ContactFeature].runner
    wait_for(lambda: not runner.busy)
    assert not window.scene.stage.arm.colliding


def test_a_run_and_a_replay_show_contacts(panda, wait_for):
    window, stage = panda, panda.scene.stage
    window.document.edit(TOUCHING)
    wait_for(lambda: stage.arm.colliding)
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running and window.scene.q is not None and not np.array_equal(window.scene.q, TOUCHING))
    q = np.array(window.scene.q)
    wait_for(lambda: stage.clearance.report is not None)
    assert stage.arm.colliding or not engine.collision(window.document.robot, q).colliding
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)


def test_a_link_in_the_floor_is_stated_once(make_window, wait_for):
    window = make_window("puma560")
    stage = window.scene.stage

    def stated() -> list[str]:
        return [text for text, _ in stage.labels.boxes if "the floor" in text or " hits " in text]

    wait_for(lambda: stage.clearance.tested is not None)
    window.document.edit(np.array([0.0, -0.785, -1.878, 0.0, 0.0, 0.0]))
    wait_for(lambda: stage.contacts.sunk and any(" hits floor" in text for text in stated()))
    assert len(stated()) == 1
    window.scene.set_contacts(None)  # as long as the contact model is not computed
    wait_for(lambda: any("m below the floor" in text for text in stated()))
    assert len(stated()) == 1


def test_contacts_have_a_colour_of_their_own():
    assert palette.CONTACT not in (*palette.WARNING, palette.LOST, palette.COLLISION)
