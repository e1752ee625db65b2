"""The overlays: switched by menu and key, remembered, told in the user's units, seen."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from armature import engine
from armature.app.scene.gl import palette
from armature.app.scene.surroundings.corner_item import VIEWS, WAYS
from armature.app.state.choices.overlay_choices import FRAME_SIZES, NEEDS_MASSES, OVERLAYS
from armature.app.state.settings import decode, encode
from armature.app.window.features import COMMANDS
from tests.app.scenes import bare_view, changed, drag, move, near, pixels, shown_view, visible_point
from tests.app.test_scene_view import gl_objects

# Names, menus, keys, memory


def test_names_agree_everywhere():
    assert {command.name for command in COMMANDS if command.name.startswith("show_")} == {f"show_{name}" for name in OVERLAYS}


def test_no_key_has_two_meanings():
    keys = Counter(QKeySequence(key).toString() for command in COMMANDS for key in command.keys)
    assert [key for key, count in keys.items() if count > 1] == ["Space"]  # runs and pauses


def test_every_overlay_is_in_the_view_menu_and_few_in_the_toolbar(window):
    view = next(menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == "&View")
    listed = {action.objectName() for menu in (view, *view.findChildren(QMenu)) for action in menu.actions()}
    assert {f"action_show_{name}" for name in OVERLAYS} <= listed
    shown = [action.objectName() for action in window.toolbar.actions() if action.objectName().startswith("action_show_")]
    assert shown == [f"action_show_{name}" for name in ("frames", "axes", "ellipsoid", "com", "trace", "workspace")]


def test_keys_switch_overlays_and_another_window_remembers(make_window, press):
    window = make_window(size=(800, 560))
    for command in COMMANDS:
        if command.name.startswith("show_"):
            name, keys = command.name.removeprefix("show_"), QKeySequence(command.keys[0])[0]
            before = window.scene.overlay(name)
            press(window.scene, keys.key(), keys.keyboardModifiers())
            assert window.scene.overlay(name) != before, name
    kept = window.preferences.now
    assert kept.overlays == {name: not on for name, on in OVERLAYS.items()}
    window.close()
    second = make_window(size=(800, 560), overlays=kept.overlays)
    assert all(second.scene.overlay(name) != on for name, on in OVERLAYS.items())


def test_settings_from_before_the_new_overlays_still_load():
    old = '{"schema": 1, "overlays": {"frames": false, "grid": true, "gone": true}}'
    assert decode(old).overlays == {**OVERLAYS, "frames": False}
    with pytest.raises(ValueError, match="frame_size"):
        decode(encode(decode(old)).replace('"frame_size": 100', '"frame_size": 99'))


def test_robots_without_masses_say_why(window):
    for robot, has_masses in (("irb140", False), ("puma560", True)):
        window.document.open_robot(robot)
        for name in NEEDS_MASSES:
            action = window.actions_[f"show_{name}"]
            assert action.isEnabled() == has_masses
            assert ("no masses" in action.toolTip()) != has_masses


# Frames


def test_frames_change_their_size_by_key_and_it_is_remembered(window, press):
    press(window.scene, Qt.Key.Key_BracketRight)
    assert window.preferences.now.frame_size == 150
    assert window.actions_["frames_150"].isChecked()
    for _ in range(9):
        press(window.scene, Qt.Key.Key_BracketLeft)
    assert window.preferences.now.frame_size == FRAME_SIZES[0]
    assert window.scene.stage.frames.magnification == 0.5


def test_larger_frames_cover_more(qtbot):
    view, covered = bare_view(qtbot, "puma560"), []
    without = pixels(view.render_image(400, 300))
    view.set_overlay("frames", True)
    for factor in (0.5, 1.0, 2.0):
        view.set_frame_size(factor)
        covered.append(changed(without, pixels(view.render_image(400, 300))))
    assert covered[0] < 0.6 * covered[1] < 0.4 * covered[2]


# Names and numbers


def test_the_labels_of_the_joints_tell_value_and_limits_in_the_units_of_the_user(window, wait_for):
    window.actions_["show_axes"].setChecked(True)
    window.actions_["show_frames"].setChecked(False)
    window.document.set_q([0.5, 0.1, -1.0, 0.3, 0.4, 0.6])
    window.scene.render_image(1600, 1200)
    texts = {text for text, _ in window.scene.stage.labels.boxes}
    assert {"q₁ 28.6°", "q₃ −57.3°", "160°"} <= texts
    window.actions_["angle_rad"].trigger()
    window.scene.render_image(1600, 1200)
    assert "q₁ 0.500 rad" in {text for text, _ in window.scene.stage.labels.boxes}


def test_the_cursor_names_link_joint_and_value(qtbot):
    view = shown_view(qtbot, "puma560")
    label = view.hover.label
    move(view, QPointF(visible_point(view, 1)))
    assert label.isVisible() and label.text() == f"{view.robot.link_names[2]}\njoint2 = 45.00°"
    assert view.rect().contains(label.geometry())
    drag(view, [QPointF(visible_point(view, 1)), QPointF(visible_point(view, 1)) + QPointF(12, 30)], release=False)
    assert label.text().endswith(f"{np.degrees(view.q[1]):.2f}°") and "45.00" not in label.text()
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(5, 5))
    move(view, QPointF(5, 5))
    assert not label.isVisible()
    view.set_overlay("names", False)
    move(view, QPointF(visible_point(view, 1)))
    assert not label.isVisible()


def test_what_the_label_names_is_what_lies_under_a_cursor_that_stands_still(qtbot):
    view = shown_view(qtbot, "puma560")
    view.glides = True
    label, at = view.hover.label, visible_point(view, 1)

    def names_what_is_there() -> bool:
        hit = view.pick(at.x(), at.y())
        if hit is None or hit.joint < 0:
            return view.hovered == -1 and (hit is not None or not label.isVisible())
        return view.hovered == hit.joint and label.isVisible() and f"joint{hit.joint + 1} =" in label.text()

    move(view, QPointF(at))
    assert names_what_is_there() and view.hovered == 1
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: view.hovered != 1 and names_what_is_there())
    QTest.keyClick(view, Qt.Key.Key_F)  # the camera flies back
    qtbot.waitUntil(lambda: not view.flight.under_way and view.hovered == 1 and names_what_is_there())
    view.set_q(view.q + [1.5, 0, 0, 0, 0, 0])  # the arm moves away, as in a run
    qtbot.waitUntil(lambda: view.hovered != 1 and names_what_is_there())


@pytest.fixture
def looks(qtbot):
    """Pictures of a bare arm in each style and of nothing, and where the arm is."""
    view, seen = bare_view(qtbot, "puma560"), {}
    for style in ("solid", "translucent", "wireframe"):
        for name in ("translucent", "wireframe"):
            view.set_overlay(name, name == style)
        seen[style] = pixels(view.render_image(800, 600))
    view.stage.arm.setVisible(False)
    seen["nothing"] = pixels(view.render_image(800, 600))
    return seen, np.abs(seen["solid"] - seen["nothing"]).max(axis=2) > 40


def test_what_is_behind_a_translucent_arm_shines_through(looks):
    seen, arm = looks
    strength = {style: np.abs(seen[style] - seen["nothing"])[arm].mean() for style in ("solid", "translucent")}
    assert 0.15 < strength["translucent"] / strength["solid"] < 0.6


def test_a_wireframe_has_holes(looks):
    seen, arm = looks
    open_ = np.abs(seen["wireframe"] - seen["nothing"]).max(axis=2)[arm] < 8
    assert 0.15 < open_.mean() < 0.9


# The axes in the corner


@pytest.mark.parametrize("ball", range(6))
def test_a_click_on_an_axis_looks_along_it(qtbot, ball):
    view = shown_view(qtbot, "puma560")
    view.camera.azimuth, view.camera.elevation = -31.0, 37.0
    x, y, _ = view.stage.corner.centres(view.camera)[ball]
    at = QPoint(round(x), round(y))
    move(view, QPointF(at))
    assert view.stage.corner.hovered == ball
    assert view.hover.label.text() == f"{VIEWS[ball].capitalize()} view"
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    view.flight.finish()
    assert view.camera.axes()[2] == pytest.approx(WAYS[ball], abs=1e-9)
    move(view, QPointF(60, 60))
    assert view.stage.corner.hovered == -1


def test_a_drag_that_begins_on_the_corner_orbits(qtbot):
    view = shown_view(qtbot, "puma560")
    x, y, _ = view.stage.corner.centres(view.camera)[2]
    before = view.camera.azimuth
    drag(view, [QPointF(x, y), QPointF(x - 20, y), QPointF(x - 60, y)])
    assert view.camera.azimuth == pytest.approx(before + 60 * 0.35, abs=1)


def test_the_corner_shows_its_colours_and_lights_up(qtbot):
    view = bare_view(qtbot, "puma560", size=(800, 600), on=("corner",))
    colours = (palette.AXIS_X, palette.AXIS_Y, palette.AXIS_Z)
    centres = view.stage.corner.centres(view.camera)
    calm = pixels(view.grabFramebuffer())
    for centre, colour in zip(centres, colours, strict=False):
        assert near(calm, centre, colour, radius=8)
    move(view, QPointF(*centres[2, :2]))
    lit = pixels(view.grabFramebuffer())
    assert changed(calm[-120:, -120:], lit[-120:, -120:]) > 40


# What it costs the driver


def test_toggling_and_changing_robots_leaves_no_gl_objects(qtbot):
    view = shown_view(qtbot, "puma560", size=(120, 90))
    robots = [engine.load_robot(name) for name in ("puma560", "scara", "panda", "irb140")]
    for name in OVERLAYS:
        view.set_overlay(name, True)
    for robot in robots:
        view.set_robot(robot, robot.configurations["home"])
        view.grabFramebuffer()
    before = gl_objects(view)
    for k in range(200):
        view.set_overlay(list(OVERLAYS)[k % len(OVERLAYS)], k % 2 == 0)
        if k % 20 == 0:
            robot = robots[k // 20 % len(robots)]
            view.set_robot(robot, robot.configurations["home"])
        view.grabFramebuffer()
    assert gl_objects(view) == before
