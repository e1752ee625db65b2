"""An arm that changes while it moves: laws that learn it, and the recording of it."""

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.control.own_law.shipped_laws import example_laws
from armature.engine.errors import EngineError
from armature.engine.files import shipped
from armature.engine.recording.recording_notes import logged_values
from armature.engine.simulation.runs.scenario import build_run, load_scenario, with_wear
from armature.engine.simulation.runs.scenario_run import TrackingError
from tests.chance import SOAK

LOAD = engine.Payload(2.3, (0.0, 0.0, 0.05))
CHANGE, LONG = 1.0, 9.0  # s
LAWS = ("recursive_least_squares", "slotine_li")


@pytest.fixture(scope="module")
def puma():
    return engine.load_robot("puma560")


@pytest.fixture(scope="module")
def way(puma):
    return engine.load_trajectory(shipped("assets", "trajectories") / "round_puma560.toml", puma)


def law(name, arm):
    if name == "computed-torque":
        return engine.default_gains(arm, name)
    return replace(engine.load_law(example_laws()[name]), compiled=False)


def run_of(arm, way, name, what, duration=LONG, **more):
    options = {"trajectory": way, "model": arm, "knows_payload": False, "changes": [(CHANGE, what)]}
    return engine.simulate(arm, way.start, None, duration, 1e-3, law(name, arm), **options, **more)


def off(run, way, first, last):
    rows = (run.t >= first) & (run.t < last)
    return np.sqrt(((run.q - way.sample(run.t)[0])[rows] ** 2).sum(axis=1).mean())


@pytest.fixture(scope="module")
def fixed(puma, way):
    """The error at the end under computed torque, by what became of the arm."""
    changes = {"load": LOAD, "friction": with_wear(puma, 2.0)}
    return {name: off(run_of(puma, way, "computed-torque", what), way, LONG - 2, LONG) for name, what in changes.items()}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_that_learns_recovers_from_a_load_it_was_not_told_of(puma, way, name, fixed):
    run = run_of(puma, way, name, LOAD)
    worst = max(off(run, way, t, t + 0.2) for t in np.arange(CHANGE, CHANGE + 1.5, 0.1))
    end = off(run, way, LONG - 2, LONG)
    assert worst > 3 * end  # it rises at the change, and falls again
    assert end < fixed["load"] / 15
    mass = logged_values(run.metadata["events"], len(run))["mass"]
    assert abs(mass[run.t < CHANGE]).max() < 0.15
    assert mass[-1] == pytest.approx(LOAD.mass, rel=0.02 if name == LAWS[0] else 0.2)
    jumps = np.abs(np.diff(run.tau, axis=0))[10:]
    assert (np.median(jumps, axis=0) < 0.01 * puma.tau_max).all()  # no chatter
    assert (np.abs(run.tau) < puma.tau_max).all()


def test_least_squares_finds_friction_that_doubles(puma, way, fixed):
    run = run_of(puma, way, LAWS[0], with_wear(puma, 2.0), 12.0)
    assert off(run, way, 10.0, 12.0) < fixed["friction"] / 15
    found = logged_values(run.metadata["events"], len(run))["dry friction"][-1]
    true = [puma.bodies[b].friction.coulomb[0] for b in puma.joint_bodies]
    assert np.allclose(found, true, rtol=0.1, atol=0.1)


def test_least_squares_at_rest_keeps_what_it_knows_and_does_not_wind_up(puma, way):
    """Long beside the time of forgetting, and with noise: the estimate stays, its σ stays below what was known at first."""
    there = replace(way, loops=False)
    forgetful = replace(law(LAWS[0], puma), values={"forget": 0.1})
    options = {"trajectory": there, "model": puma, "knows_payload": False, "sensors": engine.Sensors(position_noise=2e-5)}
    run = engine.simulate(puma, way.start, None, 9.0, 1e-3, forgetful, changes=[(0.0, LOAD)], **options)
    told = logged_values(run.metadata["events"], len(run))
    rest = run.t > way.duration + 0.5
    assert np.ptp(told["mass"][rest]) < 0.05
    assert told["mass 2σ"].max() <= 6.0 + 1e-9
    calm = np.diff(run.tau[rest][:: len(run.t[rest]) // 50], axis=0)
    assert (np.abs(calm).max(axis=0) < 0.6 * puma.tau_max).all()


@pytest.mark.skipif(not SOAK, reason="many loads: SOAK=1")
@pytest.mark.parametrize("seed", range(12))
def test_least_squares_finds_any_load(puma, way, seed):
    rng = np.random.default_rng(seed)
    load = engine.Payload(rng.uniform(0.3, 2.5), rng.uniform(-0.05, 0.1, 3))
    run = run_of(puma, way, LAWS[0], load, 16.0, sensors=engine.Sensors(position_noise=1e-5))
    told = logged_values(run.metadata["events"], len(run))
    assert told["mass"][-1] == pytest.approx(load.mass, abs=max(0.05 * load.mass, told["mass 2σ"][-1]))


@pytest.mark.parametrize("name", ["computed-torque", LAWS[0]])
def test_what_changes_is_recorded_and_done_again_bit_for_bit(puma, way, tmp_path, name):
    run = run_of(puma, way, name, LOAD, 1.6)
    run.save(tmp_path / "run.npz")
    again = engine.verify_recording(engine.load_recording(tmp_path / "run.npz"), allow_code=True)
    assert again.identical and again.samples == 1601
    plain = engine.simulate(puma, way.start, None, 1.6, 1e-3, law(name, puma), trajectory=way, model=puma)
    assert np.array_equal(run.q[:1001], plain.q[:1001])  # up to the change, and not one step longer
    assert not np.array_equal(run.q[1002], plain.q[1002])


def test_a_change_that_is_none_is_refused(puma, way):
    for changes in ([(-1.0, None)], [(1.0, "heavy")]):
        with pytest.raises(EngineError, match="a change"):
            engine.simulate(puma, way.start, None, 0.1, 1e-3, changes=changes)


def test_the_scenario_that_ships_tells_the_error_round_by_round(puma, way, tmp_path):
    place = shipped("assets", "scenarios") / "changing_arm.toml"
    runs = load_scenario(place)
    assert [entry["table"]["controller"] for entry in runs[:3]] == ["computed-torque", "slotine_li", "recursive_least_squares"]
    first = replace(build_run(place, 0, runs[0]["table"]), record=tmp_path / "load.npz", duration=13.5)
    said = first.perform(False, lambda share: True).sentence(first.record)
    assert "tracking error by round: 1.69 1.69 | 23" in said
    assert engine.verify_recording(engine.load_recording(first.record)).identical
    worn_run = build_run(place, 1, runs[3]["table"])
    ((at, heavy),) = worn_run.changes
    assert at == 9.0 and heavy.bodies[0].friction.viscous == 2 * puma.bodies[0].friction.viscous
    assert worn_run.model.bodies[0].friction == puma.bodies[0].friction


def test_a_tracking_error_is_taken_round_by_round(puma, way):
    t = np.arange(0.0, 2 * way.duration, 0.01)
    states = np.column_stack([t, way.sample(t)[0]])
    states[t < way.duration, 1] += 0.003
    states[t < way.duration, 2] += 0.004
    tracking = TrackingError(way, puma.prismatic)
    for part in np.array_split(states, 7):
        tracking.add(part)
    assert np.allclose([error.revolute for error in tracking.rounds], [0.005, 0.0])
    assert tracking.sentence([way.duration]) == "tracking error by round: 5 | 0 mrad RMS"


def test_tracking_errors_of_revolute_and_prismatic_joints_are_apart(scara):
    way = engine.minimum_jerk([scara.configurations["home"]] * 2, [1.0])
    t = np.linspace(0.0, 1.0, 11)
    states = np.column_stack([t, way.sample(t)[0] + np.where(scara.prismatic, 0.002, 0.003)])
    for trajectory, sentence in (
        (way, "tracking error 4.24 mrad RMS, 2 mm RMS"),
        (way.looped(), "tracking error by round: 4.24 mrad RMS, 2 mm RMS"),
    ):
        tracking = TrackingError(trajectory, scara.prismatic)
        tracking.add(states)
        assert tracking.whole == pytest.approx((0.003 * 2**0.5, 0.002)) and tracking.sentence() == sentence
    slides_only = TrackingError(way, np.ones(3, bool))
    slides_only.add(states)
    assert slides_only.whole.revolute is None
