"""Trajectories in joint space: ends, continuity, limits, and that each is the derivative of the one before."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import MotionLimits

RNG = np.random.default_rng(7)
Q0, Q1, V0, V1, A0, A1 = RNG.normal(size=(6, 6))
VIA = RNG.normal(size=(5, 6))
TIMES = [1.0, 0.5, 2.0, 1.2]
LIMITS = MotionLimits(np.full(6, 1.0), np.full(6, 3.0), np.full(6, 20.0))

KINDS = {
    "cubic": lambda: engine.cubic(Q0, Q1, 2.0),
    "cubic, moving": lambda: engine.cubic(Q0, Q1, 2.0, V0, V1),
    "quintic": lambda: engine.quintic(Q0, Q1, 1.5),
    "quintic, moving": lambda: engine.quintic(Q0, Q1, 1.5, V0, V1, A0, A1),
    "trapezoidal": lambda: engine.trapezoidal(Q0, Q1, 1.0, 3.0),
    "triangular": lambda: engine.trapezoidal(Q0, Q0 + 0.01, 1.0, 3.0),
    "trapezoidal, slow": lambda: engine.trapezoidal(Q0, Q1, 1.0, 3.0, duration=6.0),
    "spline": lambda: engine.spline(VIA, TIMES),
    "minimum jerk": lambda: engine.minimum_jerk(VIA, TIMES),
    "time-optimal": lambda: engine.time_optimal(Q0, Q1, LIMITS),
    "time-optimal, moving": lambda: engine.time_optimal(Q0, Q1, LIMITS, 0.5 * np.tanh(V0), 0.5 * np.tanh(V1)),
}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def grid(trajectory, count=4001):
    return np.linspace(0.0, trajectory.duration, count)


def test_each_is_the_derivative_of_the_one_before(kind):
    trajectory = KINDS[kind]()
    h = 1e-5
    inner = np.setdiff1d(grid(trajectory, 997)[1:-1], trajectory.breaks)
    inner = inner[np.abs(inner[:, None] - trajectory.breaks).min(axis=1) > 2 * h]
    before, after, now = trajectory.sample(inner - h), trajectory.sample(inner + h), trajectory.sample(inner)
    for order in (0, 1):
        slope = (after[order] - before[order]) / (2 * h)
        np.testing.assert_allclose(slope, now[order + 1], atol=1e-5 * (1 + np.abs(now[order + 1]).max()))
    slope = (after[2] - before[2]) / (2 * h)
    np.testing.assert_allclose(slope, trajectory.jerk(inner), atol=1e-4 * (1 + np.abs(slope).max()))


SMOOTH = {"cubic": 1, "trapezoidal": 1, "triangular": 1, "spline": 2, "minimum": 4, "quintic": 2, "time-optimal": 2}


def test_position_and_derivatives_are_continuous(kind):
    """Across breaks up to the order each kind promises, from the coefficients themselves."""
    trajectory = KINDS[kind]()
    orders = SMOOTH[kind.split(",")[0].split()[0]]
    powers = np.arange(6)
    for i in range(len(trajectory.breaks) - 2):
        h = trajectory.breaks[i + 1] - trajectory.breaks[i]
        for d in range(orders + 1):
            factor = np.array([np.prod([k - j for j in range(d)]) for k in powers], float)
            terms = trajectory.coefficients[i] * factor * np.where(powers >= d, h ** np.maximum(powers - d, 0), 0.0)
            start = trajectory.coefficients[i + 1, :, d] * factor[d]
            np.testing.assert_allclose(terms.sum(axis=1), start, atol=1e-7 * (1 + np.abs(terms).max()))


@pytest.mark.parametrize("name", ["cubic", "quintic", "trapezoidal", "trapezoidal, slow", "time-optimal"])
def test_from_rest_to_rest(name):
    trajectory = KINDS[name]()
    first, last = trajectory.sample(0.0), trajectory.sample(trajectory.duration)
    np.testing.assert_allclose(first[0], Q0, atol=1e-12)
    np.testing.assert_allclose(last[0], Q1, atol=1e-9)
    np.testing.assert_allclose(first[1], 0, atol=1e-12)
    np.testing.assert_allclose(last[1], 0, atol=1e-7)
    for beyond in (-1.0, trajectory.duration + 1.0):
        q, qd, qdd = trajectory.sample(beyond)
        assert not qd.any() and not qdd.any()
        np.testing.assert_allclose(q, Q0 if beyond < 0 else Q1, atol=1e-9)


def test_ends_in_motion():
    q, qd, qdd = (np.array(x) for x in zip(*[KINDS["quintic, moving"]().sample(t) for t in (0.0, 1.5)]))
    np.testing.assert_allclose(q, [Q0, Q1], atol=1e-12)
    np.testing.assert_allclose(qd, [V0, V1], atol=1e-12)
    np.testing.assert_allclose(qdd, [A0, A1], atol=1e-11)


@pytest.mark.parametrize("name", ["spline", "minimum jerk"])
def test_splines_go_through_their_points_and_rest_at_their_ends(name):
    trajectory = KINDS[name]()
    q, qd, qdd = trajectory.sample(np.concatenate([[0.0], np.cumsum(TIMES)]))
    np.testing.assert_allclose(q, VIA, atol=1e-9)
    np.testing.assert_allclose(qd[[0, -1]], 0, atol=1e-9)
    if name == "minimum jerk":
        np.testing.assert_allclose(qdd[[0, -1]], 0, atol=1e-8)


def cost(trajectory, order):
    value = trajectory.sample(grid(trajectory, 40001))[2] if order == 2 else trajectory.jerk(grid(trajectory, 40001))
    return (value**2).sum()


@pytest.mark.parametrize(("make", "order"), [(engine.spline, 2), (engine.minimum_jerk, 3)])
def test_no_other_way_through_the_points_is_smoother(make, order):
    """Other times at which a point between is passed, fixed here by a point more that is slightly off, cost more."""
    best = make(VIA, TIMES)
    t = 0.7
    nudged = np.insert(VIA, 1, best.sample(t)[0] + 0.01, axis=0)
    assert cost(make(nudged, [t, 1.0 - t, *TIMES[1:]]), order) > cost(best, order)
    same = np.insert(VIA, 1, best.sample(t)[0], axis=0)
    assert cost(make(same, [t, 1.0 - t, *TIMES[1:]]), order) == pytest.approx(cost(best, order), rel=1e-3)


def test_minimum_jerk_of_two_points_is_the_quintic():
    a, b = engine.minimum_jerk([Q0, Q1], [1.5]), engine.quintic(Q0, Q1, 1.5)
    np.testing.assert_allclose(a.sample(grid(a))[0], b.sample(grid(a))[0], atol=1e-12)


@pytest.mark.parametrize("name", ["trapezoidal", "trapezoidal, slow", "triangular"])
def test_a_trapezoid_keeps_its_limits_and_uses_them(name):
    _, qd, qdd = KINDS[name]().sample(grid(KINDS[name]()))
    assert np.abs(qd).max() <= 1.0 + 1e-12 and np.abs(qdd).max() <= 3.0 + 1e-9
    assert np.abs(qdd).max() == pytest.approx(3.0)
    if name == "trapezoidal":
        assert np.abs(qd).max() == pytest.approx(1.0)


def test_time_optimal_keeps_its_limits():
    for name in ("time-optimal", "time-optimal, moving"):
        trajectory = KINDS[name]()
        _, qd, qdd = trajectory.sample(grid(trajectory))
        assert np.abs(qd).max() <= 1 + 1e-9 and np.abs(qdd).max() <= 3 + 1e-9
        assert np.abs(trajectory.jerk(grid(trajectory))).max() <= 20 + 1e-6


@pytest.mark.parametrize("way", [0.01, 0.3, 5.0])
def test_time_optimal_takes_the_time_of_the_closed_form(way):
    """Rest to rest with v, a, j: seven phases; without full speed five or four. Solved here from the areas of the phases."""
    v, a, j = 1.0, 3.0, 20.0
    if a * a / j > v:  # full acceleration is never reached
        a = np.sqrt(v * j)
    if way >= v * (v / a + a / j):
        expected = way / v + v / a + a / j
    elif way >= 2 * a**3 / j**2:
        rise = a / (2 * j) + np.sqrt((a / (2 * j)) ** 2 + way / a)
        expected = 2 * rise
    else:
        expected = 4 * (way / (2 * j)) ** (1 / 3)
    found = engine.time_optimal([0.0], [way], MotionLimits([v], [3.0], [j]))
    assert found.duration == pytest.approx(expected, rel=1e-9)


def test_scaled_reversed_joined_looped():
    trajectory = KINDS["minimum jerk"]()
    t = grid(trajectory, 301)
    q, qd, qdd = trajectory.sample(t)
    fast = trajectory.scaled(2.0)
    np.testing.assert_allclose(fast.sample(t / 2)[1], 2 * qd, atol=1e-9)
    np.testing.assert_allclose(fast.sample(t / 2)[2], 4 * qdd, atol=1e-8)
    back = trajectory.reversed()
    np.testing.assert_allclose(back.sample(trajectory.duration - t)[0], q, atol=1e-9)
    np.testing.assert_allclose(back.sample(trajectory.duration - t)[1], -qd, atol=1e-8)
    there_and_back = trajectory.then(back)
    loop = there_and_back.looped()
    np.testing.assert_allclose(loop.sample(t + 3 * loop.duration)[0], q, atol=1e-9)
    with pytest.raises(engine.TrajectoryError, match="must end where it begins"):
        trajectory.looped()
    with pytest.raises(engine.TrajectoryError, match="must start where the first one ends"):
        trajectory.then(trajectory)


def test_what_is_held_follows_time_backwards_too():
    held = engine.Payload(0.851)
    trajectory = engine.Plan(
        (
            engine.Waypoint(q=Q0, dwell=1.0, grasp=held),
            engine.Waypoint(q=Q1, duration=2.0),
            engine.Waypoint(q=Q0, duration=2.0, dwell=1.0, release=True),
        )
    ).trajectory(engine.load_robot("puma560").without_friction())
    assert [trajectory.payload_at(t) for t in (0.4, 0.6, 5.4, 5.6)] == [None, held, held, None]
    back = trajectory.reversed()
    assert [back.payload_at(t) for t in (0.4, 0.6, 5.4, 5.6)] == [None, held, held, None]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: engine.cubic([0, 1], [1], 1.0), "q1 must be 2 finite numbers"),
        (lambda: engine.quintic([0.0], [np.nan], 1.0), "q1 must be 1 finite"),
        (lambda: engine.quintic([0.0], [1.0], -1.0), "a duration must be above 0"),
        (lambda: engine.trapezoidal([0.0], [1.0], 1.0, 1.0, 0.5), "too short: the limits need at least 2 s"),
        (lambda: engine.trapezoidal([0.0], [1.0], 0.0, 1.0), "qd_max must be above 0"),
        (lambda: engine.trapezoidal([1.0], [1.0], 1.0, 1.0), "start and end are the same"),
        (lambda: engine.spline([[0.0]], []), "at least two rows"),
        (lambda: engine.time_optimal([0.0], [1.0], MotionLimits([1.0], [1.0], [1.0]), qd1=[5.0]), "no time-optimal trajectory"),
        (lambda: KINDS["cubic"]().scaled(0), "0.001 to 1000"),
        (lambda: KINDS["cubic"]().sample("soon"), "t must be"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(call, words):
    with pytest.raises(engine.EngineError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
