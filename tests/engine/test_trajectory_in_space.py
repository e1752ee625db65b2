"""Lines and arcs of the tool, plans, and limits."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import MotionLimits, Plan, Waypoint
from armature.engine.rotations import rotation, rotation_vector
from armature.engine.trajectory.task_path import arc_path, line_path
from armature.engine.trajectory.task_space import LAWS, Walk, timing


def moved(robot, q, step):
    X = engine.frame_pose(robot, q).copy()
    X[:3, 3] += step
    return X


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(
    ("name", "q", "step"),
    [("puma560", "home", [0.1, 0.1, -0.1]), ("panda", "home", [0.1, 0.2, -0.1]), ("scara", [0.3, 0.9, 0.1], [0.1, -0.1, 0.02])],
)
def test_a_line_is_straight_and_timed_by_its_law(name, q, step, law):
    robot = engine.load_robot(name)
    q = robot.configurations[q] if isinstance(q, str) else np.array(q)
    trajectory = engine.straight_line(robot, q, moved(robot, q, step), 1.0, law)
    t = np.linspace(0, 1, 701)
    X, twist, rate = engine.tool_motion(robot, trajectory, t)
    s, sd, sdd = timing(law, 1.0).sample(t)
    start = engine.frame_pose(robot, q)[:3, 3]
    np.testing.assert_allclose(X[:, :3, 3], start + s * step, atol=1e-9)
    np.testing.assert_allclose(twist[:, :3], sd * step, atol=1e-7)
    steady = np.abs(t[:, None] - timing(law, 1.0).breaks).min(axis=1) > 0.01
    np.testing.assert_allclose(rate[steady, :3], (sdd * step)[steady], atol=1e-4)
    h = 1e-5
    inner = t[5:-5] + 0.0003
    slope = (trajectory.sample(inner + h)[0] - trajectory.sample(inner - h)[0]) / (2 * h)
    np.testing.assert_allclose(slope, trajectory.sample(inner)[1], atol=1e-6)


@pytest.mark.parametrize("name", ["puma560", "panda", "scara"])
@pytest.mark.parametrize("law", LAWS)
def test_a_walk_in_strides_is_the_walk_step_by_step(name, law, monkeypatch):
    robot = engine.load_robot(name)
    q = np.array([0.3, 0.9, 0.1]) if name == "scara" else robot.configurations["home"]
    X = moved(robot, q, [0.1, -0.15, 0.02])
    t = np.linspace(0, 1.2, 500)
    monkeypatch.setattr(Walk, "solve_stepwise", None)  # not called
    quick = engine.straight_line(robot, q, X, 1.2, law).sample(t)
    monkeypatch.undo()
    monkeypatch.setattr(Walk, "solve_in_strides", lambda *_: None)
    slow = engine.straight_line(robot, q, X, 1.2, law).sample(t)
    for got, want, off in zip(quick, slow, (1e-7, 1e-6, 1e-4), strict=True):
        np.testing.assert_allclose(got, want, rtol=0, atol=off)


def test_the_tool_turns_about_one_axis_at_the_pace_of_the_line(puma):
    q = puma.configurations["home"]
    X = moved(puma, q, [0.05, 0.1, -0.1])
    phi = np.array([0.3, -0.5, 0.4])
    X[:3, :3] = rotation(phi) @ X[:3, :3]
    trajectory = engine.straight_line(puma, q, X, 1.5)
    t = np.linspace(0, 1.5, 31)
    poses, twist, _ = engine.tool_motion(puma, trajectory, t)
    s, sd, _ = timing("quintic", 1.5).sample(t)
    R_0 = engine.frame_pose(puma, q)[:3, :3]
    for k in range(len(t)):
        np.testing.assert_allclose(rotation_vector(poses[k, :3, :3] @ R_0.T), s[k, 0] * phi, atol=1e-8)
        np.testing.assert_allclose(twist[k, 3:], sd[k, 0] * phi, atol=1e-6)


def test_an_arc_is_the_circle_through_three_points(puma):
    q = puma.configurations["home"]
    X_0 = engine.frame_pose(puma, q)
    via, X = X_0[:3, 3] + [0.1, 0.02, 0.1], moved(puma, q, [0.2, 0.0, 0.0])
    trajectory = engine.arc(puma, q, via, X, 2.0)
    poses, twist, _ = engine.tool_motion(puma, trajectory, np.linspace(0, 2, 801))
    path = arc_path(X_0, via, X)
    radius = np.linalg.norm(X_0[:3, 3] - path.centre)
    np.testing.assert_allclose(np.linalg.norm(poses[:, :3, 3] - path.centre, axis=1), radius, atol=1e-8)
    assert np.linalg.norm(poses[:, :3, 3] - via, axis=1).min() < 1e-3
    np.testing.assert_allclose(poses[-1], X, atol=1e-8)
    travelled = np.trapezoid(np.linalg.norm(twist[:, :3], axis=1), dx=2 / 800)
    assert travelled == pytest.approx(path.length, rel=1e-5)


def test_an_arc_takes_the_way_through_its_point_and_not_the_other():
    X_0, X_1 = np.eye(4), np.eye(4)
    X_0[:3, 3], X_1[:3, 3] = [1, 0, 0], [0, 1, 0]
    short, long = (arc_path(X_0, np.array(via) / np.sqrt(2), X_1) for via in ([1, 1, 0], [-1, -1, 0]))
    assert short.angle == pytest.approx(np.pi / 2) and long.angle == pytest.approx(3 * np.pi / 2)
    np.testing.assert_allclose(long.pose(0.5)[:3, 3], [-np.sqrt(0.5)] * 2 + [0], atol=1e-12)
    h = 1e-6
    slope = (long.pose(0.4 + h)[:3, 3] - long.pose(0.4 - h)[:3, 3]) / (2 * h)
    np.testing.assert_allclose(slope, long.rate(0.4, 1.0, 0.0)[0][:3], atol=1e-8)
    with pytest.raises(engine.TrajectoryError, match="not on one line"):
        arc_path(X_0, X_0[:3, 3] + 0.3 * (X_1[:3, 3] - X_0[:3, 3]), X_1)


def test_half_a_turn_has_an_axis():
    X_0, X_1 = np.eye(4), np.diag([1.0, -1, -1, 1])
    path = line_path(X_0, X_1)
    np.testing.assert_allclose(path.pose(1.0), X_1, atol=1e-12)
    np.testing.assert_allclose(path.pose(0.5)[:3, :3], rotation(np.array([np.pi / 2, 0, 0])), atol=1e-12)


@pytest.mark.parametrize(
    ("step", "words"),
    [([2.0, 0, 0], r"cannot follow its path at t = 0\.\d+ s, x = 0\.8\d+"), ([-0.9, 0, 0], "joint3 would pass its limit")],
)
def test_a_line_out_of_reach_says_when_and_where(puma, step, words):
    q = puma.configurations["home"]
    with pytest.raises(engine.TrajectoryError, match=words):
        engine.straight_line(puma, q, moved(puma, q, step), 1.0)


def test_a_line_through_a_wrist_singularity_says_so(puma):
    q = puma.configurations["home"].copy()
    q[4] = 0.4
    flipped = q.copy()
    flipped[3], flipped[4], flipped[5] = 0.05, -0.4, 0.0  # joint 5 must pass 0 on the way
    with pytest.raises(engine.TrajectoryError, match="through a singularity") as caught:
        engine.straight_line(puma, q, engine.frame_pose(puma, flipped), 1.0)
    assert "at t = " in str(caught.value)


def test_a_plan_stops_where_it_should_and_goes_on_elsewhere():
    robot = engine.load_robot("panda")
    home = robot.configurations["home"]
    rng = np.random.default_rng(0)
    places = home + 0.2 * rng.normal(size=(6, 7))
    plan = Plan(
        (
            Waypoint(pose="home"),
            *(Waypoint(q=q, kind=k) for q, k in zip(places[:2], ("quintic", "time-optimal"))),
            *(Waypoint(q=q, kind="spline") for q in places[2:5]),
            Waypoint(q=places[5], kind="trapezoidal", duration=3.0, dwell=0.5),
        ),
        speed=0.7,
    )
    trajectory = plan.trajectory(robot)
    q, qd, _ = trajectory.sample(np.array(trajectory.marks))
    np.testing.assert_allclose(q, places, atol=1e-9)
    speed = np.abs(qd).max(axis=1)
    assert (speed[[0, 1, 4, 5]] < 1e-7).all() and (speed[[2, 3]] > 1e-3).all()
    assert trajectory.duration == pytest.approx(trajectory.marks[-1] + 0.5)
    assert engine.check_limits(robot, trajectory) is None
    limits = MotionLimits.of(robot, 0.7)
    _, qd, qdd = trajectory.sample(np.linspace(0, trajectory.duration, 20001))
    assert (np.abs(qd) <= limits.velocity * 1.0001).all() and (np.abs(qdd) <= limits.acceleration * 1.0001).all()


def peaks(robot, trajectory):
    """Largest speed, acceleration and jerk of the tool's origin, and of its turning."""
    h = 1e-5
    t = np.unique(np.concatenate([np.linspace(0, trajectory.duration, 20001), trajectory.breaks]))
    _, twist, rate = engine.tool_motion(robot, trajectory, t)
    inner = t[(t > 2 * h) & (t < trajectory.duration - 2 * h)]
    jerk = (engine.tool_motion(robot, trajectory, inner + h)[2] - engine.tool_motion(robot, trajectory, inner - h)[2]) / (2 * h)
    return [[float(np.linalg.norm(x[:, part], axis=1).max()) for x in (twist, rate, jerk)] for part in (slice(3), slice(3, 6))]


@pytest.mark.parametrize("kind", ["line", "arc"])
@pytest.mark.parametrize(
    ("limits", "binding"),
    [
        (engine.ToolLimits(0.1, 50, 5000, 50, 500, 5000), (0, 0)),
        (engine.ToolLimits(50, 0.2, 5000, 50, 500, 5000), (0, 1)),
        (engine.ToolLimits(50, 50, 1.0, 50, 500, 5000), (0, 2)),
        (engine.ToolLimits(50, 50, 5000, 0.1, 500, 5000), (1, 0)),
        (engine.ToolLimits(50, 50, 5000, 50, 0.2, 5000), (1, 1)),
        (engine.ToolLimits(50, 50, 5000, 50, 500, 1.0), (1, 2)),
        (engine.ToolLimits(), None),
    ],
)
def test_lines_and_arcs_are_as_short_as_the_limits_of_tool_and_joints_allow(kind, limits, binding):
    robot = engine.load_robot("puma560")
    q = robot.configurations["home"]
    X = moved(robot, q, [0.05, 0.15, -0.1])
    X[:3, :3] = rotation(np.array([0.2, -0.3, 0.25])) @ X[:3, :3]
    through = None if kind == "line" else engine.frame_pose(robot, q)[:3, 3] + [0.08, 0.06, 0.0]
    for speed in (1.0, 0.5):
        plan = Plan((Waypoint(q=q), Waypoint(X_WT=X, kind=kind, through=through)), speed=speed, tool_limits=limits)
        whole = limits.whole()
        most = np.array([[whole.speed, whole.acceleration, whole.jerk]] * 2, float)
        most[1] = whole.angular_speed, whole.angular_acceleration, whole.angular_jerk
        shares = np.array(peaks(robot, plan.trajectory(robot))) / (most * speed ** np.arange(1, 4))
        assert shares.max() == pytest.approx(1.0, rel=2e-3)
        assert binding is None or np.unravel_index(shares.argmax(), shares.shape) == binding


def test_where_the_tool_may_be_fast_the_joints_say_how_fast(puma):
    q = puma.configurations["home"]
    way = Waypoint(X_WT=moved(puma, q, [0.05, 0.15, -0.1]), kind="line")
    trajectory = Plan((Waypoint(q=q), way), tool_limits=engine.ToolLimits(*[1e6] * 6)).trajectory(puma)
    limits, t = MotionLimits.of(puma), np.linspace(0, trajectory.duration, 20001)
    _, qd, qdd = trajectory.sample(t)
    shares = [np.abs(qd) / limits.velocity, np.abs(qdd) / limits.acceleration, np.abs(trajectory.jerk(t)) / limits.jerk]
    assert max(share.max() for share in shares) == pytest.approx(1.0, rel=1e-3)


def test_the_plan_comes_before_the_robot_and_that_before_what_is_usual(puma):
    from dataclasses import replace

    tame = replace(puma, tool_limits=engine.ToolLimits(speed=0.1, jerk=7.0))
    places = (Waypoint(pose="home"),)
    assert Plan(places).limits_of_tool(puma) == engine.ToolLimits(0.5, 2.0, 20.0, 2.0, 8.0, 80.0)
    assert Plan(places).limits_of_tool(tame) == engine.ToolLimits(0.1, 0.4, 7.0, 2.0, 8.0, 80.0)
    own = engine.ToolLimits(speed=0.3, angular_acceleration=1.0)
    assert Plan(places, tool_limits=own).limits_of_tool(tame) == engine.ToolLimits(0.3, 1.2, 7.0, 2.0, 1.0, 10.0)
    for wrong in (0, -1.0, np.nan, np.inf, True, "fast", [1.0]):
        with pytest.raises(engine.ModelError, match=r"tool_limits\.jerk must be a number above 0"):
            engine.ToolLimits(jerk=wrong)


def test_a_way_that_the_tools_limits_make_endless_is_refused(puma):
    q = puma.configurations["home"]
    way = Waypoint(X_WT=moved(puma, q, [0.0, 0.1, 0.0]), kind="line")
    slow = Plan((Waypoint(q=q), way), tool_limits=engine.ToolLimits(speed=1e-5)).trajectory(puma)
    assert slow.duration == pytest.approx(0.1 * 1.875 / 1e-5)
    with pytest.raises(engine.TrajectoryError, match=r"waypoint 2: the tool limits give a duration of 1\.87e\+05 s"):
        Plan((Waypoint(q=q), way), tool_limits=engine.ToolLimits(speed=1e-6)).trajectory(puma)


def test_a_line_to_where_the_tool_is_takes_no_time(puma):
    q = puma.configurations["home"]
    here = Waypoint(X_WT=engine.frame_pose(puma, q), kind="line")
    assert Plan((Waypoint(q=q, dwell=0.5), here)).trajectory(puma).duration == 0.5


def test_the_first_violation_is_named(puma):
    q = puma.configurations["home"]
    far = q.copy()
    far[2] -= 1.5
    found = engine.check_limits(puma, engine.quintic(q, far, 2.0))
    assert found is not None and (found.joint, found.quantity) == (2, "position")
    assert found.limit == pytest.approx(np.radians(-225))
    exact = np.roots([6, -15, 10, 0, 0, -(puma.q_min[2] - q[2]) / -1.5])
    crossing = min(x.real for x in exact if abs(x.imag) < 1e-9 and 0 < x.real < 1) * 2.0
    assert found.t == pytest.approx(crossing, abs=2e-3)
    assert "position of joint3" in found.text and "t = " in found.text
    limits = MotionLimits.of(puma)
    near = q + 0.5
    fast = engine.check_limits(puma, engine.quintic(q, near, 0.3), limits)
    assert fast is not None and fast.quantity in ("speed", "acceleration", "jerk")
    assert engine.check_limits(puma, engine.quintic(q, near, 2.0), limits) is None


def test_a_way_of_no_time_is_no_hole_in_the_look(puma):
    q = puma.configurations["home"]
    sudden = Plan((Waypoint(q=q, dwell=0.5), Waypoint(q=q + 0.5, kind="minimum-jerk", duration=1e-9))).trajectory(puma)
    found = engine.check_limits(puma, sudden, torque=True)
    assert found is not None and found.quantity == "torque" and found.t == pytest.approx(0.5, abs=1e-8)


def test_torque_counts_with_what_the_tool_holds(puma):
    q = puma.configurations["stretched"].copy()
    heavy = Plan((Waypoint(q=q, dwell=2.0, grasp=engine.Payload(30.0)),)).trajectory(puma)
    assert engine.check_limits(puma, heavy) is None
    found = engine.check_limits(puma, heavy, torque=True)
    assert found is not None and found.quantity == "torque" and found.t == pytest.approx(1.0, abs=2e-3)
    loaded = engine.gravity_torque(puma.with_payload(30.0), q)
    assert found.value == pytest.approx(loaded[found.joint])


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ((), "at least one waypoint"),
        ((Waypoint(pose="nowhere"),), "waypoint 1: .*has no pose 'nowhere'"),
        ((Waypoint(pose="home"), Waypoint(q=[1.0])), "waypoint 2: q must be 6"),
        ((Waypoint(pose="home"), Waypoint(X_WT=np.diag([2.0, 1, 1, 1]))), "waypoint 2: .*not a pose"),
        ((Waypoint(pose="home"), Waypoint(X_WT=np.block([[np.eye(3), np.full((3, 1), 9)], [0, 0, 0, 1]]))), "cannot be reached"),
        ((Waypoint(pose="home"),), "no motion and no dwell"),
        ((Waypoint(pose="home"), Waypoint(pose="ready", kind="time-optimal", duration=0.01)), "waypoint 2: .*too short"),
    ],
)
def test_a_bad_plan_names_the_waypoint(puma, points, words):
    with pytest.raises(engine.TrajectoryError, match=words):
        Plan(points).trajectory(puma)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"q": [0], "pose": "home"},
        {"pose": "home", "kind": "magic"},
        {"pose": "home", "kind": "arc"},
        {"pose": "a", "dwell": -1},
    ],
)
def test_a_bad_waypoint_is_refused(wrong):
    with pytest.raises(engine.TrajectoryError):
        Waypoint(**wrong)


def test_a_place_out_of_reach_does_not_speak_of_a_pose_that_is_returned(puma):
    far = np.eye(4)
    far[:3, 3] = 9.0
    assert "nearest pose returned" in engine.ik(puma, far).reason
    with pytest.raises(engine.TrajectoryError, match=r"cannot be reached: unreachable: the target is .* beyond reach$"):
        Plan((Waypoint(pose="home"), Waypoint(X_WT=far))).trajectory(puma)
