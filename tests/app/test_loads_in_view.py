"""Forces and moments of the joints in the view: where they point, how large they are, when they are reckoned."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.scene.overlays.newton_euler import load_item
from armature.app.scene.overlays.newton_euler.load_item import ARROW, PARTS, RING, Motion, scale
from armature.app.scene.overlays.newton_euler.load_legend import WIDTH, middle
from armature.app.style import colormap
from tests.app.scenes import bare_view, changed, gl_objects, near, pixels, shown_view


def drawn(view):
    """The item once the view has been drawn, and the poses of its parts `(joints, PARTS, 4, 4)`."""
    view.grabFramebuffer()
    item = view.stage.loads
    return item, item._bodies["pose"].swapaxes(-1, -2).reshape(-1, PARTS, 4, 4)


def arrow(parts):
    """From the joint to the arrow's tip, `(3,)`."""
    shaft, head = parts[:2]
    return head[:3, 3] + head[:3, 2] - shaft[:3, 3]


def check(view, loads):
    """Everything drawn against forces and moments `(n, 6)`."""
    item, parts = drawn(view)
    np.testing.assert_allclose(item.loads, loads, atol=1e-12)
    reach = view.robot.reach
    for k, (f, m) in enumerate(zip(loads[:, :3], loads[:, 3:], strict=True)):
        place = view.stage.pose.slots[k + 1, :3, 3]
        np.testing.assert_allclose(parts[k, [0, 2], :3, 3], [place, place], atol=1e-6)
        size = np.sqrt(np.linalg.norm(f) / item.scales[0])
        if size > 1e-6:
            np.testing.assert_allclose(arrow(parts[k]), ARROW * reach * size * f / np.linalg.norm(f), atol=1e-6)
        size = np.sqrt(np.linalg.norm(m) / item.scales[1])
        if size > 1e-6:
            np.testing.assert_allclose(parts[k, 2, :3, 2], RING * reach * size * m / np.linalg.norm(m), atol=1e-6)
            assert np.linalg.det(parts[k, 2, :3, :3]) > 0, "its head leads the way the moment turns"
    return item


@pytest.mark.parametrize(
    ("q", "arms"), [((0.0, 0.0), (1.5 * 0.7 + 1.2, 0.5)), ((-np.pi / 2, 0.0), (0.0, 0.0))], ids=["level", "hangs"]
)
def test_an_arm_held_out_level_and_one_that_hangs(qtbot, q, arms):
    """1.5 and 1 kg at the ends of 0.7 and 0.5 m: weights upward, moments about −y, which lift what reaches to x."""
    view = bare_view(qtbot, "double_pendulum", q, on=("loads",))
    loads = 9.81 * np.array([[0, 0, 2.5, 0, -arms[0], 0], [0, 0, 1.0, 0, -arms[1], 0]])
    np.testing.assert_allclose(check(view, drawn(view)[0].loads).loads, loads, atol=1e-9)


def test_panda_at_home_and_in_motion(qtbot):
    robot = engine.load_robot("panda")
    view = bare_view(qtbot, "panda", on=("loads",))
    none, rng = np.zeros(7), np.random.default_rng(0)
    check(view, engine.link_loads(robot, view.q, none, none))
    qd, qdd, held = rng.normal(size=7), rng.normal(size=7), robot.with_payload(2.0)
    pull = np.zeros((len(robot.links), 6))
    pull[-1, :3] = 5.0, 7.0, -3.0
    view.stage.loads.set_motion(Motion(held, view.q, qd, qdd, pull))
    check(view, engine.link_loads(held, view.q, qd, qdd, pull))
    q = view.q + 0.1
    view.set_q(q)  # a pose set by hand: at rest, with what the tool holds
    check(view, engine.link_loads(held, q, none, none))


def test_colours_are_the_share_of_the_scale_and_the_legend_tells_it(qtbot):
    view = bare_view(qtbot, "panda", size=(800, 600), on=())
    without = pixels(view.render_image(800, 600))
    view.set_overlay("loads", True)
    picture = pixels(view.grabFramebuffer())
    item, parts = drawn(view)
    force = np.linalg.norm(item.loads[:, :3], axis=1)
    assert item.scales[0] == pytest.approx(200.0) and 0.5 * item.scales[0] < force.max() <= item.scales[0]
    np.testing.assert_allclose(
        item._bodies["state"][0::PARTS, :3] ** (1 / 2.2), colormap.lookup(force / item.scales[0])[:, :3], atol=2e-3
    )
    x, y = middle(view.frame_state)
    for share in (0.02, 0.5, 0.98):
        colour = "#" + bytes(colormap.lookup_bytes(np.array([share]))[0, :3]).hex()
        assert near(picture, (x + (share - 0.5) * WIDTH, y), colour, radius=2, tolerance=14)
    texts = {label.text for label in item.labels(view.frame_state)}
    assert {"Joint reactions", "0 to 200 N,  25 N·m", f"f₁ {force[0]:.3g} N"} <= texts
    assert changed(without, pixels(view.render_image(800, 600))) > 3000


def test_a_scale_ends_on_a_round_number_and_does_not_flicker():
    assert scale(158.0, 0.0, 1.0) == pytest.approx(200.0)
    assert scale(101.0, 200.0, 1.0) == 200.0  # as long as half of it is used
    assert scale(99.0, 200.0, 1.0) == pytest.approx(100.0)
    assert scale(100.0, 0.0, 1.0) == pytest.approx(100.0) and scale(0.0, 0.0, 3.4) == pytest.approx(4.0)


def test_nothing_is_reckoned_while_it_is_off_and_robots_leave_nothing_behind(qtbot, monkeypatch):
    calls = []
    reckon = load_item.engine.link_loads
    monkeypatch.setattr(load_item.engine, "link_loads", lambda *args: calls.append(1) or reckon(*args))
    view = shown_view(qtbot, "puma560", size=(160, 120))
    view.set_q(view.q + 0.1)
    view.grabFramebuffer()
    assert not calls
    view.set_overlay("loads", True)
    robots = [engine.load_robot(name) for name in ("panda", "scara", "irb140", "puma560")]
    counts = []
    for robot in robots * 3:
        view.set_robot(robot, robot.configurations["home"])
        view.grabFramebuffer()
        assert len(view.stage.loads.loads) == (robot.n if robot.has_dynamics else 0)
        counts.append(gl_objects(view))
    assert calls and counts[3] == counts[-1]


def test_the_box_in_the_dock_draws_them_while_paused_running_and_holding(make_window, find, wait_for):
    window = make_window("panda", size=(1400, 1400))
    panel, item = window.features[DynamicsFeature].panel, window.scene.stage.loads
    window.docks.bring_up("dynamics")
    for section in (panel._torques, panel.conditions, panel._mass, panel._loads):
        section.header.click()
    box = find(window, "loads_in_view")
    wait_for(box.isVisible)
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.rect().center() - box.rect().center() / 2)
    assert item.visible() and window.actions_["show_loads"].isChecked()
    robot, none = window.document.robot, np.zeros(7)
    window.document.edit(window.document.q + 0.05)
    wait_for(
        lambda: len(item.loads) and np.allclose(item.loads, engine.link_loads(robot, window.document.q, none, none), atol=1e-9)
    )
    window.simulation.set_payload(engine.Payload(3.0))
    held = robot.with_payload(3.0)
    wait_for(
        lambda: len(item.loads) and np.allclose(item.loads, engine.link_loads(held, window.document.q, none, none), atol=1e-9)
    )
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.latest.steps > 100)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    last = window.simulation.latest
    assert np.abs(last.qdd).max() > 0.1
    wait_for(lambda: len(item.loads) and np.allclose(item.loads, engine.link_loads(held, last.q, last.qd, last.qdd), atol=1e-9))
    QTest.keyClick(window.scene, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    assert not item.visible() and not box.isChecked()


def test_an_arm_without_masses_says_why(make_window, find):
    window = make_window("irb140")
    action = window.actions_["show_loads"]
    assert not action.isEnabled() and "no masses" in action.toolTip()
    window.document.open_robot("panda")
    assert action.isEnabled() and "Shift+L" in action.toolTip()


def test_the_whole_of_the_arrows_is_framed(qtbot):
    view = bare_view(qtbot, "double_pendulum", size=(500, 400), on=())
    view.fit()
    view.flight.finish()
    view.set_overlay("loads", True)
    view.grabFramebuffer()

    def inside() -> bool:
        x, y = view.camera.project(view.stage.loads.ends)[..., :2].T
        return bool((x > 0).all() and (x < 500).all() and (y > 0).all() and (y < 400).all())

    assert not inside()
    view.fit()
    view.flight.finish()
    assert inside()
