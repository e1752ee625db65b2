"""README: the arm falls, is pulled, and its torques are explained."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest

from armature.app.dynamics.feature import DynamicsFeature
from tests.app.readme_walk.walk import CTRL, LEFT, SHIFT, Key
from tests.app.scenes import move, visible_point


def let_it_fall(walk):
    window, simulation = walk.window, walk.window.simulation
    before = walk.q
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: simulation.running and np.abs(walk.q - before).max() > 0.02)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
    QTest.qWait(50)
    steps = simulation.latest.steps
    walk.key(Key.Key_Right)
    walk.wait_for(lambda: simulation.latest.steps == steps + 1)
    walk.key(Key.Key_Backspace)
    walk.wait_for(lambda: simulation.latest.t == 0 and simulation.latest.steps == 0)
    speed = walk.find("simulation_speed")
    walk.key(Key.Key_Minus)
    assert speed.currentData() == 0.5
    walk.key(Key.Key_Equal)
    assert speed.currentData() == 1.0
    walk.tab("Simulation")
    walk.click("simulation_friction")
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: simulation.latest.t > 0.4)
    slider = walk.find("torque_slider_joint1")
    walk.click(slider, QPoint(slider.width() * 3 // 4, slider.height() // 2))
    walk.wait_for(lambda: simulation.latest.tau[0] > 1)
    walk.click("torque_zero")
    walk.wait_for(lambda: simulation.latest.tau[0] == 0)
    QTest.keyClick(window.scene, Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
    energy_is_a_straight_line(walk)
    pull_on_a_link(walk)
    explain_the_torques(walk)


def energy_is_a_straight_line(walk):
    """From rest, without friction, until a stop is met."""
    simulation = walk.window.simulation
    walk.key(Key.Key_Backspace)
    walk.wait_for(lambda: simulation.latest.t == 0)
    walk.key(Key.Key_Space)
    totals = []
    walk.wait_for(lambda: totals.append(simulation.latest.kinetic + simulation.latest.potential) or simulation.latest.t > 0.3)
    stop = simulation.latest.ledger.stop
    assert np.ptp(totals) < 1e-6 * max(map(abs, totals)) + abs(stop)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
    walk.click("simulation_friction")


def pull_on_a_link(walk):
    window, scene = walk.window, walk.window.scene
    walk.key(Key.Key_Backspace)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: window.simulation.running)
    at = visible_point(scene, 2)
    QTest.mousePress(scene, LEFT, CTRL, at)
    for part in (0.4, 1.0):
        move(scene, QPointF(at) + part * QPointF(80, -60), LEFT)
    walk.wait_for(lambda: window.simulation.latest.pull_force is not None)
    walk.wait_for(lambda: scene.tug.text.endswith(" N"))
    QTest.mouseRelease(scene, LEFT, CTRL, at + QPoint(80, -60))
    walk.wait_for(lambda: window.simulation.latest.pull_force is None)


def explain_the_torques(walk):
    window, simulation = walk.window, walk.window.simulation
    walk.click("button_perspective_dynamics")
    panel = window.features[DynamicsFeature].panel
    walk.wait_for(lambda: panel.isVisible() and panel.bars.motor.size)
    walk.wait_for(lambda: np.abs(panel.bars.values).sum() > 0)
    assert simulation.running and simulation.latest.ledger is not None
    walk.choose("gravity_preset", "Moon")
    walk.wait_for(lambda: simulation.robot.gravity[2] == pytest.approx(-1.62))
    walk.click("payload_on")
    walk.wait_for(lambda: simulation.latest.payload is not None)
    walk.click("friction_joint1")
    walk.click("joint_stops")
    assert simulation.running and np.isinf(simulation.robot.q_max).all() and window.scene.hasFocus()
    loads = window.preferences.now.overlays["loads"]
    walk.key(Key.Key_L, SHIFT)
    assert window.preferences.now.overlays["loads"] != loads
    walk.wait_for(lambda: window.scene.stage.loads.visible())
    walk.key(Key.Key_L, SHIFT)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
