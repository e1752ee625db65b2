"""A grabbed point follows the cursor."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from app.scene.camera import Camera
from app.scene.joint_drag import JointDrag
from tests.app.scenes import drag, shown_view, visible_point

ANGLES = {"iso": (-52, 24), "side": (-115, 8), "high": (20, 62)}
MOST = 3.0


def arc(view, joint: int, start, turn: float, steps: int = 12) -> list[QPointF]:
    """Pixels that the grabbed point passes when its joint moves by `turn`."""
    hit = view.pick(start.x(), start.y())
    q = float(view.q[joint])
    gesture = JointDrag(
        view.camera, view.slot_poses[joint + 1], hit.point, bool(view.robot.prismatic[joint]), q, (-np.inf, np.inf)
    )
    at = [view.camera.project(gesture.at(turn * k / steps)) for k in range(steps + 1)]
    return [QPointF(float(p[0]), float(p[1])) for p in at]


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("name", ["puma560", "scara", "stanford"])
def test_the_grabbed_point_stays_under_the_cursor(qtbot, name, angle):
    view = shown_view(qtbot, name)
    moved = 0
    for joint in range(view.robot.n):
        view.set_q(view.robot.configurations["home"])
        view.camera.azimuth, view.camera.elevation = ANGLES[angle]
        view.fit()
        start = visible_point(view, joint)
        if start is None:
            continue
        hit = view.pick(start.x(), start.y())
        room = np.array([view.robot.q_min[joint], view.robot.q_max[joint]]) - view.q[joint]
        wanted = 0.12 if view.robot.prismatic[joint] else 0.6
        turn = max(room[1] > wanted, 0) * wanted or -min(wanted, -room[0])
        path = arc(view, joint, start, turn)
        if max(abs(p.x() - path[0].x()) + abs(p.y() - path[0].y()) for p in path) < 12:
            continue  # grabbed next to the axis: it cannot follow
        drag(view, path)
        X = view.slot_poses[joint + 1]
        at = view.camera.project(X[:3, :3] @ hit.local + X[:3, 3])
        cursor = path[-1].toPoint()
        assert np.hypot(at[0] - cursor.x(), at[1] - cursor.y()) < MOST, view.robot.joint_names[joint]
        others = np.delete(view.q - view.robot.configurations["home"], joint)
        assert others == pytest.approx(0.0)
        moved += 1
    assert moved >= 3 if view.robot.n > 3 else moved >= 2


def test_signals_of_one_gesture(qtbot):
    view = shown_view(qtbot, "puma560")
    start = visible_point(view, 1)
    log = []
    view.drag_started.connect(lambda j: log.append(("start", j)))
    view.joint_dragged.connect(lambda j, _: log.append(("move", j)))
    view.drag_finished.connect(lambda j: log.append(("end", j)))
    drag(view, arc(view, 1, start, 0.4))
    assert log[0] == ("start", 1) and log[-1] == ("end", 1)
    assert set(log[1:-1]) == {("move", 1)}


def test_a_click_moves_nothing_and_is_told(qtbot):
    view = shown_view(qtbot, "puma560")
    start, before = visible_point(view, 1), view.q.copy()
    with qtbot.assertNotEmitted(view.drag_started), qtbot.waitSignal(view.joint_clicked) as told:
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    assert told.args == [1]
    assert (view.q == before).all()


def test_escape_puts_the_joint_back(qtbot):
    view = shown_view(qtbot, "puma560")
    start, before = visible_point(view, 1), view.q.copy()
    path = arc(view, 1, start, 0.4)
    drag(view, path, release=False)
    assert view.q[1] != before[1]
    with qtbot.waitSignal(view.drag_finished):
        QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.q == pytest.approx(before)
    with qtbot.assertNotEmitted(view.joint_dragged):
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, path[-1].toPoint())


def test_dragging_stops_at_the_limit(qtbot):
    view = shown_view(qtbot, "scara")
    start = visible_point(view, 0)
    drag(view, arc(view, 0, start, 3.1, steps=40))
    assert view.q[0] == pytest.approx(view.robot.q_max[0])


def test_dragging_the_empty_floor_orbits(qtbot):
    view = shown_view(qtbot, "puma560")
    assert view.pick(20, 580) is None
    before, q = view.camera.azimuth, view.q.copy()
    drag(view, [QPointF(20, 580), QPointF(60, 580), QPointF(120, 560)])
    assert view.camera.azimuth != before
    assert (view.q == q).all()


def test_many_turns_add_up():
    camera = Camera(elevation=70.0, width=800, height=600)
    gesture = JointDrag(camera, np.eye(4), np.array([0.5, 0.0, 0.0]), False, 0.0, (-np.inf, np.inf))
    last = 0.0
    for angle in np.linspace(0.0, 6 * np.pi, 200):
        at = camera.project(gesture.at(angle))
        value = gesture.value(at[0], at[1])
        assert abs(value - last) < 0.5
        last = value
    assert last == pytest.approx(6 * np.pi, abs=1e-3)


@pytest.mark.parametrize("elevation", [0.0, 4.0, 20.0])
def test_an_axis_across_the_view_is_turned_without_leaps(elevation):
    camera = Camera(azimuth=-90.0, elevation=elevation, width=800, height=600)
    gesture = JointDrag(camera, np.eye(4), np.array([0.1, -0.5, 0.0]), False, 0.0, (-np.inf, np.inf))
    last = 0.0
    for angle in np.linspace(0.0, 1.0, 40):
        at = camera.project(gesture.at(angle))
        value = gesture.value(at[0], at[1])
        assert abs(value - last) < 0.2
        assert np.linalg.norm(camera.project(gesture.at(value))[:2] - at[:2]) < MOST
        last = value


def test_a_slide_seen_along_its_axis_still_answers():
    camera = Camera(azimuth=-90.0, elevation=90.0, width=800, height=600)
    gesture = JointDrag(camera, np.eye(4), np.array([0.0, 0.0, 0.2]), True, 0.1, (0.0, 0.3))
    values = [gesture.value(400, 300 - 20 * k) for k in range(8)]
    assert np.isfinite(values).all() and min(values) >= 0.0 and max(values) <= 0.3


def test_a_point_on_the_axis_turns_with_the_cursor():
    camera = Camera(width=800, height=600)
    gesture = JointDrag(camera, np.eye(4), np.array([0.0, 0.0, 0.2]), False, 0.0, (-np.inf, np.inf))
    x, y, _ = camera.project(np.array([0.0, 0.0, 0.2]))
    gesture.value(x, y)
    assert abs(gesture.value(x + 60, y)) == pytest.approx(0.5, abs=0.1)
