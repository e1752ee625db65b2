"""A grabbed point follows the cursor."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from armature.app.scene.camera.camera import Camera
from armature.app.scene.hands.joint_drag import JointDrag
from armature.engine.model.skeleton import body_poses
from tests.app.scenes import drag, move, shown_view, visible_point
from tests.chance import some

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


def pixel_of(view, joint: int, local, values) -> np.ndarray:
    """Pixels `(N, 2)` of a point of a link with its joint at each of `values`, by forward kinematics."""
    out = []
    for value in np.atleast_1d(values):
        q = view.q.copy()
        q[joint] = value
        X = body_poses(view.robot, q)[joint]
        out.append(view.camera.project(X[:3, :3] @ local + X[:3, 3])[:2])
    return np.array(out)


def way(view, joint: int, local) -> np.ndarray:
    """Joint values on a way within the limits, long enough to be seen."""
    robot, q = view.robot, float(view.q[joint])
    length = 0.12 * robot.reach if robot.prismatic[joint] else 0.9
    up = min(robot.q_max[joint] - q, length)
    return np.linspace(q, q + (up if up > 0.3 * length else -min(q - robot.q_min[joint], length)), 13)


DRAGGED = [("puma560", False), ("panda", True), ("stanford", False), ("puma560", True), ("panda", False), ("stanford", True)]


@pytest.mark.parametrize(("name", "orthographic"), some(DRAGGED, 3))
def test_the_grabbed_point_of_every_link_follows_the_cursor_from_three_sides(qtbot, name, orthographic):
    """Where the joint takes the point, cursor and point agree; beside its path, no reachable place is nearer to the cursor.

    With SOAK=1 each arm in perspective and without.
    """
    view = shown_view(qtbot, name, size=(1200, 900))
    view.set_orthographic(orthographic)
    view.setUpdatesEnabled(False)  # what is drawn meanwhile takes long and is not looked at
    home, followed = view.q.copy(), []
    for angle in ANGLES.values():
        view.camera.azimuth, view.camera.elevation = angle
        for joint in range(view.robot.n):
            view.set_q(home)
            view.fit()
            start = visible_point(view, joint)
            if start is None:
                continue
            local = view.pick(start.x(), start.y()).local
            values = way(view, joint, local)
            path = pixel_of(view, joint, local, values)
            if np.ptp(path, axis=0).max() < 12:
                continue  # grabbed beside the axis, or the slide points at the eye
            followed.append(joint)
            drag(view, [QPointF(*path[0])], release=False)
            for at in path[1:]:
                assert follows(view, joint, local, at) < MOST + 1e-6, view.robot.joint_names[joint]
            at_end = float(view.q[joint])
            # Off the path, away from its centre: the point stays at the place nearest to the cursor.
            along = path[-1] - path[-2]
            aside = np.array([along[1], -along[0]]) / np.linalg.norm(along)
            aside *= np.sign(aside @ (path[-1] - path.mean(axis=0))) or 1.0
            for out in (15, 45, 90):
                at = path[-1] + out * aside
                miss, reach = follows(view, joint, local, at), reachable(view, joint)
                assert miss < np.linalg.norm(pixel_of(view, joint, local, reach) - at, axis=1).min() + MOST
            assert follows(view, joint, local, path[-1]) < MOST
            assert view.q[joint] == pytest.approx(at_end, abs=0.05)
            QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPointF(*path[-1]).toPoint())
            assert np.delete(view.q - home, joint) == pytest.approx(0.0)
    assert set(followed) == set(range(view.robot.n)) and len(followed) >= 2 * view.robot.n


def follows(view, joint: int, local, at) -> float:
    """Pixels between the cursor, moved to `at`, and the point that was grabbed."""
    cursor = QPointF(*at).toPoint()
    move(view, QPointF(cursor), Qt.MouseButton.LeftButton)
    return float(np.linalg.norm(pixel_of(view, joint, local, view.q[joint]) - [cursor.x(), cursor.y()]))


def reachable(view, joint: int) -> np.ndarray:
    """Joint values near enough together to be a pixel or so apart."""
    low, high = view.robot.q_min[joint], view.robot.q_max[joint]
    return np.linspace(max(low, -np.pi), min(high, np.pi), 150)


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


@pytest.mark.parametrize("rate", [-1.0, 0.5])
@pytest.mark.parametrize("prismatic", [False, True])
def test_a_body_that_copies_another_joint_follows_too(prismatic, rate):
    camera = Camera(width=800, height=600)
    gesture = JointDrag(camera, np.eye(4), np.array([0.5, 0.0, 0.0]), prismatic, 0.2, (-np.inf, np.inf), rate)
    x, y, _ = camera.project(gesture.at(0.3))
    assert gesture.value(x, y) == pytest.approx(0.2 + 0.3 / rate, abs=1e-3)


def test_a_circle_seen_from_its_edge_is_not_crossed_by_a_slip_of_the_hand():
    camera = Camera(azimuth=-90.0, elevation=1.0, width=800, height=600)
    gesture = JointDrag(camera, np.eye(4), np.array([0.0, -0.5, 0.0]), False, 0.0, (-np.inf, np.inf))
    x, y, _ = camera.project(gesture.at(0.4))
    for slip in range(-25, 26, 5):
        assert gesture.value(x, y + slip) == pytest.approx(0.4, abs=0.1)


def test_a_cursor_beyond_the_vanishing_point_asks_for_nothing():
    camera = Camera(azimuth=-90.0, elevation=10.0, width=800, height=600)
    forward = np.diag([1.0, 0.0, 0.0, 1.0])
    forward[:3, 2], forward[:3, 1] = (0, 1, 0), (0, 0, -1)
    gesture = JointDrag(camera, forward, np.array([0.0, 0.0, 0.2]), True, 0.0, (-0.5, 0.5))
    values = [gesture.value(400, 300 - 25 * k) for k in range(30)]
    assert (np.diff(values) >= -1e-9).all() and values[-1] == 0.5


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
