"""Sensors between arm and law: what they say is exact to the formula, belongs to a seed, and is what the law acts on."""

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.commands import SetController, SetSensors, StartRecording, Step, StopRecording
from armature.engine.simulation.live.simulation_worker import SimulationWorker
from armature.engine.simulation.stepper import Stepper
from tests.time_limits import WAIT

DT = 1e-3
REAL = {"counts": 4096, "position_noise": 1e-3, "torque_noise": 0.5, "delay": 0.003}


@pytest.fixture(scope="module")
def swing(puma):
    """Under a law that does not look at what it says."""

    def run(duration=1.0, period=None, robot=puma, **figures):
        law = engine.ConstantTorque(0.0, period=period)
        return engine.simulate(robot, robot.configurations["home"], None, duration, DT, law, sensors=engine.Sensors(**figures))

    return run


def driven(arm, law, steps, groups, sensors, peek=False):
    """Rows with what the sensors say, of an arm whose steps come in `groups`."""
    stepper = Stepper(arm, arm.configurations["home"], np.full(arm.n, 0.3), DT)
    stepper.set_sensors(sensors)
    stepper.set_controller(law)
    stepper.hold()
    rows = []
    while stepper.steps < steps:
        for many in groups:
            if peek:
                stepper.sample()
            rows += [part for _, part in stepper.advance(min(many, steps - stepper.steps)).parts(measured=True)]
            if stepper.steps == steps:
                break
    return np.concatenate(rows)


def test_an_encoder_says_whole_counts_the_nearest(swing, scara):
    recording = swing(counts=1000)
    c = 2 * np.pi / 1000
    assert np.array_equal(recording.q_measured, np.floor(recording.q / c + 0.5) * c)
    assert 0.4 * c < np.abs(recording.q_measured - recording.q).max() <= 0.5 * c * (1 + 1e-9)
    assert np.array_equal(recording.tau_measured[1:], recording.tau[:-1])
    slides = engine.simulate(scara, [0.3, 0.2, 0.1], None, 0.2, DT, sensors=engine.Sensors(counts=(0, 0, 2000)))
    k = slides.q_measured[:, 2] * 2000  # per metre
    assert np.abs(k - np.round(k)).max() < 1e-9 and np.ptp(k) > 10
    assert np.array_equal(slides.q_measured[:, :2], slides.q[:, :2])
    assert np.array_equal(slides.qd_measured[:, :2], slides.qd[:, :2])  # exact positions have exact speeds


@pytest.mark.parametrize(("cutoff", "period"), [(100.0, None), (None, None), (20.0, 0.004)])
def test_speed_is_the_filtered_difference_of_the_positions_it_saw(swing, cutoff, period):
    recording = swing(0.3, period, counts=4096, speed_cutoff=cutoff)
    every = 1 if period is None else 4
    h, T = every * DT, 0.0 if cutoff is None else 1 / (2 * np.pi * cutoff)
    q, v = recording.q_measured[::every], [recording.qd[0]]
    for k in range(1, len(q)):
        v.append(v[-1] + h / (h + T) * ((q[k] - q[k - 1]) / h - v[-1]))
    assert np.abs(recording.qd_measured[::every] - v).max() < 1e-9
    held = np.repeat(q, every, axis=0)[: len(recording)]
    assert np.array_equal(recording.q_measured, held)  # between two looks of the law it stays


def test_noise_has_the_deviation_that_was_given_and_no_memory(swing):
    sigma, torque = np.array([1e-3, 2e-3, 0, 1e-2, 5e-4, 1]), 0.7
    recording = swing(20.0, position_noise=sigma, torque_noise=torque, seed=5)
    N = len(recording)
    e, f = recording.q_measured - recording.q, recording.tau_measured[1:] - recording.tau[:-1]
    assert np.array_equal(e[:, 2], np.zeros(N))
    z = np.hstack([e[:, [0, 1, 3, 4, 5]] / sigma[[0, 1, 3, 4, 5]], np.vstack([f[:1], f]) / torque])
    assert np.abs(z.mean(axis=0)).max() < 4 / np.sqrt(N)
    assert np.abs(z.std(axis=0) - 1).max() < 4 / np.sqrt(2 * N)
    assert np.abs((z**4).mean(axis=0) - 3).max() < 4 * np.sqrt(96 / N)  # normal
    assert np.abs(np.corrcoef(z.T) - np.eye(z.shape[1])).max() < 5 / np.sqrt(N)
    after = [np.corrcoef(z[1:-1, i], z[2:, i])[0, 1] for i in range(z.shape[1])]
    assert np.abs(after).max() < 4 / np.sqrt(N)


@pytest.mark.parametrize("delay", [0.0, 0.001, 0.0174])
def test_a_delay_is_whole_steps_exactly(swing, delay):
    recording, D = swing(delay=delay), round(delay / DT)
    assert np.array_equal(recording.q_measured[D:], recording.q[: len(recording) - D])
    assert np.array_equal(recording.qd_measured[D:], recording.qd[: len(recording) - D])
    assert (recording.q_measured[:D] == recording.q[0]).all()


def test_exact_sensors_change_nothing(puma):
    law = engine.default_gains(puma, "computed-torque")
    with_, without = (
        engine.simulate(puma, puma.configurations["ready"], np.full(6, 0.2), 0.2, DT, law, sensors=sensors)
        for sensors in (engine.Sensors(), None)
    )
    assert np.array_equal(with_.table()[:, : len(without.columns)], without.table())
    assert without.q_measured is None and "measured.q.joint1" in with_.columns


def test_a_seed_is_a_run(puma):
    law, q0 = engine.default_gains(puma, "pd-gravity"), puma.configurations["ready"]
    first, again, other = (
        engine.simulate(puma, q0, None, 0.2, DT, law, sensors=engine.Sensors(**REAL, seed=seed)) for seed in (7, 7, 8)
    )
    assert np.array_equal(first.table(), again.table())
    assert np.abs(first.q - other.q).max() > 1e-6


@pytest.mark.parametrize("period", [None, 0.004])
@pytest.mark.parametrize("kind", ["compiled", "python", "none"])
def test_how_steps_are_grouped_changes_nothing(puma, kind, period):
    gains = engine.default_gains(puma, "pd-gravity")
    compiled = engine.PDGravity(gains.kp, gains.kd, period=period)
    python = engine.PythonLaw(lambda t, q, qd: -300 * (q - 0.1) - 30 * qd + 5 * np.sin(9 * t), period=period)
    law = {"compiled": compiled, "python": python, "none": None}[kind]
    whole = driven(puma, law, 300, [300], engine.Sensors(**REAL))
    for groups, peek in (([1], False), ([1], True), ([7, 1, 30, 2], True)):
        assert np.array_equal(driven(puma, law, 300, groups, engine.Sensors(**REAL), peek), whole)


@pytest.mark.parametrize("change", ["state", "law"])
def test_a_snapshot_before_a_change_does_not_use_up_noise(puma, change):
    q0, law = puma.configurations["ready"], engine.PythonLaw(lambda t, q, qd: -30 * qd)

    def rows(peek):
        stepper = Stepper(puma, q0, None, DT)
        stepper.set_sensors(engine.Sensors(**REAL))
        stepper.set_controller(law)
        stepper.advance(20)
        if peek:
            stepper.sample()
        if change == "state":
            stepper.set_state(q0 + 0.1)
        else:
            stepper.set_controller(None)
        ((_, told),) = stepper.advance(1).parts(measured=True)
        return told[:, -18:-6]  # q and qd

    assert np.array_equal(rows(True), rows(False))


@pytest.mark.parametrize("period", [None, 0.005])
def test_a_law_in_python_sees_what_a_compiled_one_sees(puma, period):
    kp, kd, q0 = 400.0, 40.0, puma.configurations["ready"]
    seen = []

    def pd(t, q, qd, q_d, qd_d):
        seen.append([t, *q, *qd])
        return kp * (q_d - q) + kd * (qd_d - qd)

    sensors = engine.Sensors(**REAL)
    compiled = engine.simulate(puma, q0, None, 0.2, DT, engine.PD(kp, kd, period=period), sensors=sensors)
    python = engine.simulate(puma, q0, None, 0.2, DT, engine.PythonLaw(pd, period=period), sensors=sensors)
    assert np.abs(python.table() - compiled.table()).max() <= 1e-9 * np.abs(compiled.table()).max()
    at = np.searchsorted(python.t, [row[0] for row in seen])
    assert np.array_equal(np.array(seen)[:, 1:], np.hstack([python.q_measured, python.qd_measured])[at])


def test_laws_see_the_torque_of_the_step_before_as_its_sensor_tells_it(puma):
    q0, seen, told = puma.configurations["ready"], [], []

    def function(t, q, qd, tau_measured):
        seen.append(tau_measured.copy())
        return -20.0 * qd + 3.0 * np.sin(5 * t)

    def control(t, q, qd, goal, arm, p):
        p.log["tau"] = arm.tau_measured
        told.append(arm.tau_measured.copy())
        return -20.0 * qd + 3.0 * np.sin(5 * t)

    for sensors in (engine.Sensors(**REAL), None):
        for law, rows in ((function, seen), (control, told)):
            rows.clear()
            run = engine.simulate(puma, q0, None, 0.05, DT, law, sensors=sensors)
            expected = np.vstack([np.zeros(6), run.tau[:-1]]) if sensors is None else run.tau_measured
            assert np.array_equal(np.array(rows)[-50:], expected[-50:])
            if law is control:
                assert engine.verify_recording(run, law=control).identical


def test_again_to_the_last_bit_out_of_every_format(puma, tmp_path):
    law, q0 = engine.default_gains(puma, "computed-torque"), puma.configurations["ready"]
    recording = engine.simulate(puma, q0, None, 0.2, DT, law, sensors=engine.Sensors(**REAL, seed=3))
    assert recording.metadata["sensors"]["seed"] == 3
    for suffix in ("csv", "npz", "mat", "mcap"):
        found = engine.load_recording(recording.save(tmp_path / f"a.{suffix}"))
        assert found.columns == recording.columns and dict(found.metadata) == dict(recording.metadata)
        assert np.array_equal(found.table(), recording.table()) and engine.verify_recording(found).identical
    other = {**recording.metadata, "sensors": {**recording.metadata["sensors"], "seed": 4}}
    assert not engine.verify_recording(engine.Recording.from_table(recording.table(), puma.joint_names, other)).identical


@pytest.mark.parametrize("at_first", [True, False])
def test_switched_while_it_is_recorded(puma, tmp_path, at_first):
    now, real = [0.0], engine.Sensors(**REAL)
    worker = SimulationWorker(puma, puma.configurations["ready"], DT, "rk4", lambda: now[0])
    for command in (
        SetController(engine.default_gains(puma, "pd-gravity")),
        SetSensors(real if at_first else None),
        Step(30),
        StartRecording(tmp_path / "a.npz"),
        Step(30),
        SetSensors(None if at_first else real),
        Step(30),
        StopRecording(),
    ):
        worker.obey(command)
    assert all(writer.join(WAIT) for writer in worker.writers)
    recording = engine.load_recording(tmp_path / "a.npz")
    assert engine.verify_recording(recording).identical
    assert recording.measured == at_first  # the columns of a file are those it began with
    if at_first:
        off = np.abs(recording.q_measured - recording.q).max(axis=1)
        assert off[10] > 0 and off[-5:].max() == 0  # without sensors the law sees the truth
    (event,) = [event for event in recording.metadata["events"] if event["kind"] == "sensors"]
    assert event["sensors"] == (None if at_first else real.describe())


@pytest.mark.parametrize(("share", "stable"), [(0.93, True), (1.07, False)])
def test_a_spring_and_damper_becomes_unstable_at_its_delay_margin(share, stable):
    """L(s) = (kd s + kp) exp(-τ s) / (m l² s²) has the margin τ = atan(kd w / kp) / w at |L(j w)| = 1."""
    arm = engine.load_robot("pendulum").with_gravity((0, 0, 0)).without_stops()
    inertia, w0, zeta, dt = 0.36, 20.0, 0.5, 1e-4
    kp, kd = inertia * w0**2, 2 * zeta * w0 * inertia
    w = w0 * np.sqrt(2 * zeta**2 + np.sqrt(4 * zeta**4 + 1))
    assert abs(np.hypot(kp, kd * w) - inertia * w**2) < 1e-9 * inertia * w**2
    margin = np.arctan(kd * w / kp) / w
    sensors = engine.Sensors(delay=share * margin - dt / 2)  # the torque is held over a step: half of one more
    law = engine.PD(kp, kd, saturate=False)
    away = engine.quintic([0.0], [0.0], 1.0)
    run = engine.simulate(arm, [0.01], None, 6.0, dt, law, trajectory=away, sensors=sensors)
    early, late = (np.abs(run.q[first : first + 5000]).max() for first in (5000, 55_000))
    assert (late < 0.5 * early) if stable else (late > 2 * early)


def test_what_is_no_sensor_is_refused_in_one_line(puma):
    def refusal(made):
        with pytest.raises(engine.EngineError) as caught:
            made()
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "counts must be 0, or 1 to 1e+12" in refusal(lambda: engine.Sensors(counts=-1))
    assert "position_noise" in refusal(lambda: engine.Sensors(position_noise=[0.1, np.nan]))
    assert "delay must be 0 to 1 s" in refusal(lambda: engine.Sensors(delay=2))
    assert "seed" in refusal(lambda: engine.Sensors(seed=-1)) and "seed" in refusal(lambda: engine.Sensors(seed=True))
    assert "speed_cutoff" in refusal(lambda: engine.Sensors(speed_cutoff=0))

    def run(sensors, **options):
        return lambda: engine.simulate(puma, puma.configurations["ready"], None, 0.1, DT, sensors=sensors, **options)

    assert "one number, or one for each of" in refusal(run(engine.Sensors(counts=[1000, 2000])))
    assert "adaptive" in refusal(run(engine.Sensors(), integrator="adaptive"))
    assert "armature.Sensors" in refusal(run({"counts": 4096}))
    assert "at most 10,000" in refusal(lambda: Stepper(puma, np.zeros(6), None, 1e-6).set_sensors(engine.Sensors(delay=1)))


@pytest.mark.parametrize(("delay", "dt"), [(0.0016, 1e-3), (0.0005, 1e-3), (0.003, 1e-3)])
def test_the_delay_that_is_printed_is_the_one_in_use(delay, dt):
    sensors = engine.Sensors(delay=delay)
    steps = sensors.delay_steps(dt)
    assert sensors.told(dt).startswith(f"delay {steps} ms")
    assert ("rounded to whole steps" in sensors.told(dt)) == (delay != 0.003)
    assert sensors.told() == f"delay {1e3 * delay:g} ms"
