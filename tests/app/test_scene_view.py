"""What is on the screen, looked at pixel by pixel."""

import sys

import numpy as np
import pytest
from OpenGL.raw.GL import _errors
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QOpenGLContext, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.scene.gl.offscreen_picture import RenderError
from armature.app.scene.overlays.clearance_item import shown_contacts
from armature.app.scene.overlays.lost_motion import LostMotion
from armature.app.scene.overlays.workspace.reach_picture import reach_picture
from armature.app.scene.stage import OVERLAYS
from tests.app.double_click import double_click
from tests.app.scenes import SIZE, gl_objects, move, pixels, shown_view, visible_point
from tests.chance import SOAK
from tests.engine.arms import different_arms


def arm_mask(view, width=400, height=300) -> np.ndarray:
    """Where the arm is: what changes when all else is hidden and it is tinted."""
    for name in OVERLAYS:
        view.set_overlay(name, False)
    view.set_warning(0)
    plain = pixels(view.render_image(width, height))
    view.set_warning(2, range(view.robot.n))
    tinted = pixels(view.render_image(width, height))
    view.set_warning(0)
    return np.abs(plain - tinted).max(axis=2) > 12


IN_EITHER = [pytest.param(name, not k % 2, marks=pytest.mark.soak) for k, name in enumerate(different_arms())]


@pytest.mark.parametrize(("name", "dark"), [(name, bool(k % 2)) for k, name in enumerate(different_arms())] + IN_EITHER)
def test_every_arm_is_in_the_picture(qtbot, name, dark):
    """In one theme, with SOAK=1 in both."""
    view = shown_view(qtbot, name, size=(400, 300))
    view.set_theme(dark)
    mask = arm_mask(view)
    assert (0.008 if view.robot.n > 1 else 0.001) < mask.mean() < 0.5
    edge = np.concatenate([mask[0], mask[-1], mask[:, 0], mask[:, -1]])
    assert not edge.any()  # nothing of the moving arm is cut off
    picture = pixels(view.render_image(400, 300))
    lightness = picture.mean(axis=2)
    assert (lightness[-5:].mean() < 90) == dark
    assert np.std(lightness[mask]) > 8  # shaded, not flat
    assert (lightness[mask] > 24).mean() > 0.93  # and no black side


@pytest.mark.parametrize("azimuth", [-150, -60, 30, 120])
def test_no_side_is_black(qtbot, azimuth):
    view = shown_view(qtbot, "panda", size=(400, 300))
    view.camera.azimuth = azimuth
    mask = arm_mask(view)
    assert (pixels(view.render_image(400, 300)).mean(axis=2)[mask] > 24).mean() > 0.93


def test_the_window_shows_what_is_rendered(qtbot):
    view = shown_view(qtbot, "puma560", size=(400, 300))
    shown, drawn = pixels(view.grabFramebuffer()), pixels(view.render_image(400, 300))
    assert np.abs(shown - drawn).mean() < 3.0


def test_warning_colours(qtbot):
    view = shown_view(qtbot, "puma560", size=(400, 300))
    mask = arm_mask(view)
    mean = []
    for level in (0, 1, 2):
        view.set_warning(level, (1, 2))
        mean.append(pixels(view.render_image(400, 300))[mask].mean(axis=0))
    calm, amber, red = mean
    assert calm[2] >= calm[0] - 5  # white and blue
    assert amber[0] > amber[2] + 30 and amber[1] > amber[2] + 15
    assert red[0] > red[1] + 40 and red[0] > red[2] + 40
    view.set_warning(0)
    assert pixels(view.render_image(400, 300))[mask].mean(axis=0) == pytest.approx(calm, abs=1)


def test_the_joints_responsible_are_tinted_most(qtbot):
    view = shown_view(qtbot, "puma560", size=(400, 300))
    arm_mask(view)
    plain = pixels(view.render_image(400, 300))
    changes = []
    for joints in ((), (2,)):
        view.set_warning(2, joints)
        changes.append(np.abs(pixels(view.render_image(400, 300)) - plain).sum())
    assert changes[1] > 1.08 * changes[0]


def strongly(picture, channel):
    others = [k for k in range(3) if k != channel]
    return ((picture[..., channel] > picture[..., others[0]] + 60) & (picture[..., channel] > picture[..., others[1]] + 25)).sum()


def test_frames_are_red_green_and_blue(qtbot):
    view = shown_view(qtbot, "puma560", size=(500, 400))
    for name in OVERLAYS:
        view.set_overlay(name, False)
    before = pixels(view.render_image(500, 400))
    view.set_overlay("frames", True)
    after = pixels(view.render_image(500, 400))
    for channel in range(3):
        assert strongly(after, channel) > strongly(before, channel) + 60


def test_frame_labels_carry_the_numbers_of_the_lectures(qtbot):
    view = shown_view(qtbot, "scara", q=[0.4, 0.9, 0.1])
    view.set_overlay("frames", True)
    view.set_overlay("labels", True)
    view.render_image(1200, 900)
    texts = {text for text, _ in view.stage.labels.boxes}
    assert {"x_0", "z_0", "x_1", "z_1", "x_2", "z_2", "x_3", "z_3"} <= texts


@pytest.mark.parametrize("name", ["puma560", "panda", "ur10"])
def test_labels_neither_overlap_nor_leave_the_picture(qtbot, name):
    view = shown_view(qtbot, name)
    view.set_overlay("frames", True)
    view.render_image(900, 700)
    boxes = [box for _, box in view.stage.labels.boxes]
    assert len(boxes) > 10
    for k, (x, y, w, h) in enumerate(boxes):
        assert x >= 0 and y >= 0 and x + w <= 900 and y + h <= 700
        for x2, y2, w2, h2 in boxes[:k]:
            across, down = min(x + w, x2 + w2) - max(x, x2), min(y + h, y2 + h2) - max(y, y2)
            assert across <= 4 or down <= 4  # transparent margins may meet


@pytest.mark.parametrize("name", OVERLAYS)
def test_overlays_are_seen_and_go_again(qtbot, name):
    view = shown_view(qtbot, "puma560", size=(400, 300))
    for other in OVERLAYS:
        view.set_overlay(other, False)
    if name == "labels":
        view.set_overlay("frames", True)
    if name == "trace":
        for angle in np.linspace(0, 1, 40):
            view.set_q([angle, 0.8, -3.1, 0, 0.8, 0])
    if name == "names":
        return  # of what is under the cursor
    if name == "clearance":
        view.set_contacts(shown_contacts(view.robot))
    if name == "workspace":
        view.show_workspace(reach_picture(engine.workspace(view.robot, samples=2000, seed=0)))
    if name == "lost_motion":
        view.set_warning(2, (3, 5), (LostMotion(np.zeros(3), np.array([0.6, 0.0, 0.8]), True, "Wrist"),))
    without = pixels(view.render_image(400, 300))
    view.set_overlay(name, True)
    assert view.overlay(name)
    assert (np.abs(pixels(view.render_image(400, 300)) - without).max(axis=2) > 12).sum() > 40
    view.set_overlay(name, False)
    assert (pixels(view.render_image(400, 300)) == without).mean() > 0.999


def test_unknown_names_are_told(qtbot):
    view = shown_view(qtbot, "rp", size=(300, 200))
    with pytest.raises(ValueError, match="frames, labels"):
        view.set_overlay("nothing", True)
    with pytest.raises(ValueError, match="front, back"):
        view.standard_view("nowhere")


def test_the_ellipsoid_is_that_of_the_jacobian(qtbot):
    view = shown_view(qtbot, "puma560", size=(300, 200))
    view.set_overlay("ellipsoid", True)
    view.grabFramebuffer()
    J = engine.jacobian(view.robot, view.q)[:3]
    assert view.stage.ellipsoid.half_axes == pytest.approx(0.25 * np.linalg.svd(J)[1])
    X = view.stage.ellipsoid.bodies["pose"][0].T
    rng = np.random.default_rng(0)
    inverse = np.linalg.inv(X[:3, :3].astype(float))
    for qd in rng.normal(size=(50, 6)):
        assert np.linalg.norm(inverse @ (0.25 * J @ qd / np.linalg.norm(qd))) <= 1.0 + 1e-5


def test_hovering_lights_up_the_joint(qtbot):
    view = shown_view(qtbot, "puma560")
    at = visible_point(view, 1)
    before = pixels(view.grabFramebuffer())
    with qtbot.waitSignal(view.joint_hovered) as told:
        move(view, QPointF(at))
    assert told.args == [1]
    assert (np.abs(pixels(view.grabFramebuffer()) - before).max(axis=2) > 12).sum() > 200
    with qtbot.waitSignal(view.joint_hovered) as told:
        move(view, QPointF(3, 3))
    assert told.args == [-1]


def test_double_click_selects_and_f_frames_it(qtbot):
    view = shown_view(qtbot, "puma560")
    whole = view.camera.distance
    left, at = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier), visible_point(view, 4)
    QTest.mouseClick(view, *left, at)
    double_click(view, *left, at)
    QTest.mouseRelease(view, *left, at)
    assert view.selected == 4
    QTest.keyClick(view, Qt.Key.Key_F)
    assert view.camera.distance < 0.6 * whole
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.selected == -1
    QTest.keyClick(view, Qt.Key.Key_F)
    assert view.camera.distance == pytest.approx(whole, rel=0.2)


def test_keys_turn_the_camera(qtbot):
    view = shown_view(qtbot, "puma560", size=(300, 200))
    QTest.keyClick(view, Qt.Key.Key_5)
    assert view.camera.elevation == 90
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert view.camera.elevation == 85
    distance = view.camera.distance
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    assert view.camera.distance < distance


@pytest.mark.parametrize("on_arm", [True, False])
def test_the_wheel_zooms_to_the_cursor(qtbot, on_arm):
    view = shown_view(qtbot, "puma560")
    at = QPointF(visible_point(view, 1)) if on_arm else QPointF(90, 560)
    point, before = view.point_under(at.x(), at.y()), view.camera.distance
    for delta in (120, 120, 40):
        none, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(at, view.mapToGlobal(at), QPoint(), QPoint(0, delta), Qt.MouseButton.NoButton, none, phase, False)
        QApplication.sendEvent(view, event)
    assert view.camera.distance < 0.8 * before
    assert view.camera.project(point)[:2] == pytest.approx((at.x(), at.y()), abs=0.01)


@pytest.mark.parametrize("button", [Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton])
def test_right_and_middle_drag_pan(qtbot, button):
    view = shown_view(qtbot, "puma560")
    target = view.camera.target.copy()
    QTest.mousePress(view, button, Qt.KeyboardModifier.NoModifier, QPoint(400, 300))
    move(view, QPointF(440, 290), button)
    QTest.mouseRelease(view, button, Qt.KeyboardModifier.NoModifier, QPoint(440, 290))
    assert view.camera.project(target)[:2] == pytest.approx((440, 290), abs=0.1)


def test_a_dropped_file_is_told(qtbot):
    view = shown_view(qtbot, "rp", size=(300, 200))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/some/arm.toml")])
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    with qtbot.waitSignal(view.file_dropped) as told:
        view.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, left, none))
    assert told.args == ["/some/arm.toml"]


def test_gl_objects_do_not_grow_with_robot_changes(qtbot):
    view = shown_view(qtbot, "puma560", size=(200, 150))
    robots = [engine.load_robot(name) for name in ("puma560", "scara", "panda", "double_pendulum")]
    for name in OVERLAYS:
        view.set_overlay(name, True)

    def visit(k):
        robot = robots[k % len(robots)]
        view.set_robot(robot, robot.configurations["home"])
        view.show_workspace(reach_picture(engine.workspace(view.robot, samples=100, seed=0)))
        view.grabFramebuffer()

    for k in range(4):
        visit(k)
    before = gl_objects(view)
    assert before["buffer"] > 5 and before["program"] > 5
    for k in range(40):
        visit(k)
    assert gl_objects(view) == before


def test_many_robots_leave_nothing_behind(qtbot):
    view = shown_view(qtbot, "scara", size=(200, 150))
    robot = view.robot
    objects, children = gl_objects(view), len(view.children())
    for k in range(1000 if SOAK else 200):
        view.set_robot(robot.with_payload(0.001 * k), robot.configurations["home"])
    view.grabFramebuffer()
    assert gl_objects(view) == objects
    assert len(view.children()) == children and len(view.items) == len(view.stage.items)


def test_an_error_while_drawing_reaches_the_hook_once(qtbot, monkeypatch):
    view = shown_view(qtbot, "rp", size=(200, 150))
    seen = []
    monkeypatch.setattr(sys, "excepthook", lambda *what: seen.append(what[0]))

    def fails(frame):
        raise RuntimeError("drawing failed")

    monkeypatch.setattr(view.stage.floor, "draw", fails)
    view.grabFramebuffer()
    view.grabFramebuffer()
    assert seen == [RuntimeError]
    monkeypatch.undo()
    view.set_robot(view.robot, view.q)
    assert not view.stage.floor.broken


def test_an_error_that_only_opengl_knows_of_is_told_and_its_item_left_out(qtbot, monkeypatch):
    view = shown_view(qtbot, "scara", size=(200, 150))
    seen = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, _: seen.append((kind.__name__, error.err)))

    def draw(_):
        QOpenGLContext.currentContext().functions().glEnable(0xFFFF)

    checker = _errors._error_checker  # of PyOpenGL, which asks after every call here and not outside the tests
    monkeypatch.setattr(checker, "_currentChecker", checker.nullGetError)
    monkeypatch.setattr(view.stage.floor, "draw", draw)
    view.update()
    qtbot.waitUntil(lambda: bool(seen))  # a frame with an error is followed by one that finds out whose it is
    assert seen == [("GLError", 0x500)]
    assert view.stage.floor.broken and not view.stage.arm.broken


def test_nothing_is_drawn_while_nothing_changes(qtbot):
    view = shown_view(qtbot, "puma560", size=(300, 200))
    qtbot.wait(900)  # the still frame has followed
    frames = []
    view.frameSwapped.connect(lambda: frames.append(1))
    qtbot.wait(400)
    assert not frames
    for angle in np.linspace(0, 0.1, 20):
        view.set_q([angle, 0.5, -2.5, 0, 0.5, 0])
    qtbot.waitUntil(lambda: bool(frames))
    assert len(frames) <= 2  # twenty changes at once are one frame


def test_two_views_live_side_by_side(qtbot):
    first, second = (shown_view(qtbot, name, size=(200, 150)) for name in ("scara", "rp"))
    for view in (first, second, first):
        assert np.std(pixels(view.grabFramebuffer())) > 5


@pytest.mark.parametrize("size", [(64, 40), (333, 777), (2000, 1100)])
def test_pictures_of_any_size(qtbot, size):
    view = shown_view(qtbot, "stanford", size=(300, 200))
    image = view.render_image(*size)
    assert (image.width(), image.height()) == size
    assert np.std(pixels(image)) > 5


def test_an_impossible_picture_is_refused_in_words(qtbot):
    view = shown_view(qtbot, "rp", size=(300, 200))
    with pytest.raises(RenderError, match="1 to 16384 pixels"):
        view.render_image(10**6, 10)


def test_the_trace_follows_the_tool_and_is_cleared(qtbot):
    view = shown_view(qtbot, "puma560", size=(200, 150))
    for angle in np.linspace(0, 1, 60):
        view.set_q([angle, 0.8, -3.1, 0, 0.8, 0])
    points = view.stage.trace.points
    assert len(points) > 30
    assert points[-1] == pytest.approx(engine.frame_pose(view.robot, view.q)[:3, 3], abs=2e-3)
    view.clear_trace()
    assert not len(view.stage.trace.points)


@pytest.mark.parametrize("name", ["rp", "rp_offset"])
def test_an_arm_on_a_column_is_framed_with_its_foot(qtbot, name):
    view = shown_view(qtbot, name, size=(400, 300))
    x, y, _ = view.camera.project(view.stage.solids.points(view.slot_poses)).T
    assert x.min() > 0 and x.max() < 400 and y.min() > 0 and y.max() < 300


def test_a_window_that_changes_its_size_keeps_what_was_fitted_in_view(qtbot):
    """A selected link is what F frames; another size of the window is no reason to come nearer to it."""
    view = shown_view(qtbot, "puma560", size=(500, 400))
    view.fit()
    view.select_joint(2)
    before = view.camera.pose()
    view.resize(500, 396)
    qtbot.waitUntil(lambda: view.height() == 396)
    view.resizeGL(500, 396)
    assert np.allclose(view.camera.pose(), before, rtol=0.1)
    view.fit()
    assert not np.allclose(view.camera.pose(), before, rtol=0.1)
    near = view.camera.pose()
    view.select_joint(-1)
    view.resizeGL(500, 396)
    assert np.allclose(view.camera.pose(), near, rtol=0.1)


def test_a_plate_is_drawn_where_there_is_a_floor_and_else_a_grid_alone(qtbot):
    view = shown_view(qtbot, "pendulum")
    floor = view.stage.floor
    floor.grid = False
    pictures = []
    for z in (None, floor.height):
        view.show_edited(view.robot.with_floor(z), view.q)
        pictures.append(pixels(view.render_image(*SIZE)))
    floor.setVisible(False)
    bare = pixels(view.render_image(*SIZE))
    shadow, plate = ((np.abs(picture - bare).max(axis=2) > 2).mean() for picture in pictures)
    assert shadow < 0.1 and plate > shadow + 0.2
