"""Identification with known truth: exact data give exact parameters, noise gives the σ that is told."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from armature import engine
from armature.engine.errors import RecordingError
from armature.engine.files import shipped
from armature.engine.identification.consistent import consistent
from armature.engine.identification.diagnosis import saturated_samples
from armature.engine.identification.identified_robot import save_identified
from armature.engine.identification.pseudo_inertia import pseudo_inertia
from armature.engine.identification.unknowns import unknowns_of
from armature.engine.recording.recording import Recording
from tests.chance import SOAK, seeds
from tests.engine.identification_data import fourier, moved, recording_of


def heavier(robot, mass: float = 1.3, viscous: float = 2.0, coulomb: float = 1.5):
    """The same arm with other masses and friction."""
    bodies = []
    for body in robot.bodies:
        friction = replace(
            body.friction,
            viscous=viscous * (body.friction.viscous or 0.5),
            coulomb=tuple(coulomb * (each or 0.4) for each in body.friction.coulomb),
        )
        bodies.append(replace(body, mass=mass * body.mass, inertia=mass * body.inertia, friction=friction))
    return replace(robot, bodies=tuple(bodies))


@pytest.mark.parametrize("name", ["puma560", "ur10", "panda"])
def test_exact_data_give_the_base_parameters(name):
    file = engine.load_robot(name)
    true = heavier(file)
    found = engine.identify(moved(true), file, validation=moved(true, seed=7))
    truth = found.unknowns.values(true)
    assert np.abs(found.base.values - truth).max() <= 1e-8 * np.abs(truth).max()
    assert np.abs(found.base.prior - truth).max() > 0.1 * np.abs(truth).max()
    assert (found.residual.percent < 1e-6).all() and (found.residual.model > 1e-2 * found.residual.training).all()


def test_a_recording_counts_once():
    robot = engine.load_robot("scara")
    first, second = moved(robot), moved(robot, seed=7)
    with pytest.raises(RecordingError, match=re.escape("recordings[2] is the same as recordings[0]")):
        engine.identify([first, second, replace(first)], robot)
    with pytest.raises(RecordingError, match=re.escape("validation[0] is the same as recordings[1]")):
        engine.identify([first, second], robot, validation=second)


@pytest.mark.parametrize("name", ["puma560", "ur10", "panda"])
def test_two_sigma_cover_the_truth(name):
    """1 % noise of the torques and encoders of 2^18 counts: 93 to 98 % over 20 seeds, and no finding in any."""
    robot = engine.load_robot(name)
    robot = replace(robot, tau_max=np.full(robot.n, np.inf))  # a motion by chance may take more than the motors have
    inside = []
    for seed in seeds(20 if SOAK else 3):
        found = engine.identify(moved(robot, seed, noise=0.01, counts=2**18, duration=20.0, rate=250.0), robot)
        inside.append(np.abs(found.base.values - found.base.prior) < 2 * found.base.sigma)
        assert found.findings == ()
    assert (0.93 if SOAK else 0.85) <= np.mean(inside) <= (0.98 if SOAK else 1.0)


@pytest.fixture(scope="module")
def good():
    return moved(engine.load_robot("puma560"), seed=5, noise=0.01, counts=2**18, rate=250.0)


def outliers(tau):
    tau[100:2000:200, 2] += 200.0


def burst(tau):
    tau[500:550, 1] += 300.0


def saturated(tau):
    level = 0.6 * np.abs(tau[:, 1]).max()
    np.clip(tau[:, 1], -level, level, out=tau[:, 1])


def wrong_sign(tau):
    tau[:, 2] *= -1


def wrong_sign_of_the_last(tau):
    tau[:, 5] *= -1


def half(tau):
    tau[:, 1] *= 0.5


def late(tau):
    tau[10:] = tau[:-10].copy()


def one_late(tau):
    tau[10:, 1] = tau[:-10, 1].copy()


def milli(tau):
    tau *= 1000.0


BAD = [
    (outliers, "outliers", "joint3", r"joint3: 10 torques are outliers, deviating by up to [12]\d\d N·m, first at 0.400 s.*"),
    (
        burst,
        "outliers",
        "joint2",
        r"joint2: .* from the fit for 0.2\d* s \(outliers\), first at \d.\d\d s; excluded",
    ),
    (
        saturated,
        "saturation",
        "joint2",
        r"joint2: the torque is constant at 6\d.\d* N·m for .* \(saturation\), first at .* s; excluded",
    ),
    (wrong_sign, "sign", "joint3", r"joint3: its torque has the wrong sign \(-1 times .*\)"),
    (wrong_sign_of_the_last, "sign", "joint6", r"joint6: its torque has the wrong sign .*"),
    (
        half,
        "gear",
        "joint2",
        r"joint2: its torque is 0.50\d* times the value consistent with the other joints: check gear ratio.*",
    ),
    (late, "shift", "", r"all joints: torques are (39|40|41)\.?\d* ms later than the positions"),
    (
        one_late,
        "shift",
        "joint2",
        r"joint2: its torque is (3[89]|4[012])\.?\d* ms later than the positions, or its friction differs from the model",
    ),
    (milli, "gear", "", r"all joints: the torques are .*e\+03 times the torques of the file's model: check their unit"),
]


@pytest.mark.parametrize(("spoil", "kind", "joint", "sentence"), BAD, ids=[case[0].__name__ for case in BAD])
def test_what_is_wrong_with_a_recording_is_said_in_one_line(good, spoil, kind, joint, sentence):
    tau = np.array(good.tau_measured)
    spoil(tau)
    found = engine.identify(replace(good, tau_measured=tau), engine.load_robot("puma560"))
    assert [(finding.kind, finding.joint) for finding in found.findings] == [(kind, joint)]
    assert re.fullmatch(sentence, found.findings[0].sentence), found.findings[0].sentence


@pytest.mark.parametrize(
    ("name", "joint", "ratio"),
    [
        *(("puma560", 0, 0.67), ("puma560", 3, 0.67), ("puma560", 4, 1.5), ("puma560", 5, 1.5), ("puma560", 5, 0.67)),
        ("panda", 6, 1.5),
    ],
)
def test_a_gear_ratio_that_is_wrong_by_half_is_said(name, joint, ratio):
    """Of an arm that is heavier and has more friction than its file, so that the other joints alone can tell."""
    file = engine.load_robot(name)
    run = moved(heavier(file), 5, noise=0.01, counts=2**18, rate=250.0)
    tau = np.array(run.tau_measured)
    assert engine.identify(run, file).findings == ()
    tau[:, joint] *= ratio
    (finding,) = engine.identify(replace(run, tau_measured=tau), file).findings
    assert (finding.kind, finding.joint) == ("gear", file.joint_names[joint])
    said = float(re.search(r"is (\S+) times the value consistent with", finding.sentence)[1])
    assert said == pytest.approx(ratio, rel=0.1)


def test_a_joint_that_hardly_moves_is_named():
    robot = engine.load_robot("puma560")
    t, q, qd, qdd = fourier(robot, 5, rate=250.0)
    q[:, 3], qd[:, 3], qdd[:, 3] = 0.2 + 0.01 * np.sin(t), 0.01 * np.cos(t), -0.01 * np.sin(t)
    tau = engine.rnea(robot, q, qd, qdd) + engine.friction_torque(robot, qd)
    found = engine.identify(recording_of(robot, t, q, qd, qdd, tau), robot)
    assert [(finding.kind, finding.joint) for finding in found.findings] == [("motion", "joint4")]
    assert found.findings[0].sentence.startswith("joint4: it moved only 1.15°, too little to identify its friction")


def test_a_payload_is_weighed_by_one_pick_and_place():
    """0.851 kg of the lectures, from the run of the trajectory that ships, with 1 % noise and encoders."""
    robot = engine.load_robot("puma560")
    trajectory = engine.load_trajectory(shipped("assets", "trajectories") / "pick_place_puma560.toml", robot)
    sensors = engine.Sensors(counts=2**18, torque_noise=(0.3, 0.5, 0.15, 0.02, 0.02, 0.02))
    law = engine.ComputedTorque(kp=100.0, kd=20.0)
    start = trajectory.start
    run = engine.simulate(
        robot, start, 0 * start, trajectory.duration, 1e-3, law, trajectory=trajectory, knows_payload=False, sensors=sensors
    )
    found = engine.identify(run, robot, payload=True)
    assert found.payload is not None and found.payload.mass == pytest.approx(0.851, rel=0.02)
    assert abs(found.base.values[0] - 0.851) < 3 * found.base.sigma[0] < 0.1
    assert found.robot.bodies[-1].mass == pytest.approx(robot.bodies[-1].mass + found.payload.mass)


@pytest.mark.parametrize("name", ["puma560", "ur10", "panda"])
def test_the_identified_arm_is_saved_and_read_back(name, tmp_path):
    robot = engine.load_robot(name)
    found = engine.identify(moved(robot, 1, noise=0.01, counts=2**18, rate=250.0), robot)
    back = engine.load_robot(save_identified(found, tmp_path / "arm.toml"))
    np.testing.assert_allclose(back.packed, found.robot.packed, rtol=0, atol=1e-9)  # infinities in the same places
    assert np.allclose(back.frames["tool"].X_BF, found.robot.frames["tool"].X_BF) and back.name == name
    told = tomllib.loads((tmp_path / "arm.toml").read_text())["identification"]
    assert told["recordings"][0]["sha256"] == found.provenance["recordings"][0]["sha256"]
    assert told["parameters"][0] == {
        "name": found.base.names[0],
        "value": found.base.values[0],
        "sigma": found.base.sigma[0],
        "file": found.base.prior[0],
    }
    for body in found.robot.bodies:
        pi = engine.parameters(replace(robot, bodies=(body,) * robot.n))[:10]
        assert np.linalg.eigvalsh(pseudo_inertia(pi)).min() > 0.0
    run = engine.simulate(found.robot, np.zeros(robot.n), np.zeros(robot.n), 0.1, 1e-3)
    assert np.isfinite(run.q).all()


@pytest.mark.parametrize("known", [True, False], ids=["payload", "file"])
def test_drive_gains_rest_on_a_known_payload_or_else_on_the_file(known):
    """With a known payload in one of two recordings the gains of an arm 1.3 times as heavy as its file come out; without, they
    rest on the file, whose masses are then all wrong together."""
    file = engine.load_robot("ur10")
    true = heavier(file, viscous=1.0, coulomb=1.0)
    gains = np.array([11.0, 12.0, 10.0, 8.0, 7.5, 7.0])
    recordings = []
    for seed, arm in enumerate((true, true.with_payload(8.0, (0.1, 0.05, 0.12)))):
        run = moved(arm, seed, noise=0.002, counts=2**20, rate=250.0)
        metadata = {"payload": [change["payload"] for change in arm.changes]}
        recordings.append(replace(run, tau_measured=run.tau_measured / gains, metadata=metadata))
    found = engine.identify(recordings if known else recordings[:1], file if known else true, currents=True)
    assert [finding.kind for finding in found.findings] == ["gains"]
    assert ("known payloads of the recordings, 0, 8 kg" in found.findings[0].sentence) == known
    assert found.gains == pytest.approx(gains, rel=0.03)


def test_the_report_says_that_no_body_is_the_published_link_6_of_the_ur10():
    robot = engine.load_robot("ur10")
    found = engine.identify(moved(robot, 0), robot)
    first, second = found.provenance["consistency"]
    assert first.startswith(
        "link6: the file's inertia cannot be used for the identified arm: physically inconsistent principal moments 0, 0.0003"
    )
    assert "physical consistency adds" in second and (found.residual.consistent > 100 * found.residual.training).all()
    assert engine.identify(moved(engine.load_robot("panda"), 0), engine.load_robot("panda")).provenance["consistency"] == []


def test_identification_keeps_linear_algebra_to_one_thread():
    """Threads that wait for each other made it ten times as slow where other programs were at work."""
    threads = []

    def look(fraction):
        threads.extend(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")

    robot = engine.load_robot("double_pendulum")
    engine.identify(moved(robot, 0), robot, progress=look)
    assert threads and set(threads) == {1}


def coupled(recording, robot, ratio, Ia, Fv, Fc):
    """The recording of an arm whose last motor turns the joint before it, too."""
    r = np.zeros(robot.n)
    r[-2:] = ratio, 1.0
    w = recording.qd @ r
    added = Ia * (recording.qdd @ r) + Fv * w + Fc * np.sign(w)
    return replace(recording, tau=recording.tau + added[:, None] * r)


def test_a_motor_that_turns_two_joints_is_said_and_identified():
    """As in the wrist of a Stäubli TX40: exact data give its figures to 1e-8, and without them a sentence for each joint."""
    robot = engine.load_robot("puma560")
    run = coupled(moved(robot, 4), robot, 0.5, 0.05, 0.1, 0.2)
    found = engine.identify(run, robot, couplings=[{"joint5": 0.5, "joint6": 1}])
    told = dict(zip(found.base.names, found.base.values, strict=True))
    assert [told[f"{kind}(0.5·5+6)"] for kind in ("Ia", "Fv", "Fc")] == pytest.approx([0.05, 0.1, 0.2], rel=1e-8)
    assert (found.residual.training < 1e-8).all()
    assert [finding.kind for finding in found.findings] == ["coupling"] and "Ia 0.05, Fv 0.1, Fc 0.2" in found.findings[
        0
    ].sentence
    seen = {finding.joint: finding.sentence for finding in engine.identify(run, robot).findings if finding.kind == "coupling"}
    assert "speed and acceleration of joint6: one motor may move both" in seen["joint5"] and set(seen) <= {"joint5", "joint6"}
    with pytest.raises(engine.EngineError, match="has no joint 'wrist'"):
        engine.identify(run, robot, couplings=[{"joint5": 1, "wrist": 1}])
    with pytest.raises(engine.EngineError, match="it needs two joints or more"):
        engine.identify(run, robot, couplings=[{"joint5": 1}])


def test_an_arm_identified_again_has_one_title_and_no_remarks_on_inertias_that_it_has_no_more():
    robot = engine.load_robot("ur10")
    assert any("inertia used as published" in remark for remark in robot.remarks)
    once = engine.identify(moved(robot, 0), robot).robot
    again = engine.identify(moved(once, 1), once).robot
    assert again.title == once.title == f"{robot.title} (identified)"
    assert not any("as published" in remark for remark in once.remarks)


URDF = """<robot name="two links"><link name="base"/>
  <link name="upper"><inertial><origin xyz="0.2 0.02 0.05"/><mass value="2"/>
    <inertia ixx="0.01" iyy="0.05" izz="0.05" ixy="0" ixz="0.002" iyz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.1 0 0.01"/><mass value="1"/>
    <inertia ixx="0.002" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.3" rpy="0.3 0.1 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="100" velocity="3"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.4 0.1 0" rpy="0 0.2 0.4"/>
    <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="100" velocity="3"/></joint></robot>"""


def test_an_identified_arm_of_a_urdf_file_is_saved_by_dh_rows_that_describe_it(tmp_path):
    (tmp_path / "two.urdf").write_text(URDF)
    robot = engine.load_robot(tmp_path / "two.urdf")
    found = engine.identify(moved(heavier(robot), 2), robot).robot
    back = engine.load_robot(save_identified(engine.identify(moved(heavier(robot), 2), robot), tmp_path / "arm.toml"))
    for state in np.random.default_rng(0).uniform(-1, 1, (5, 3, 2)):
        assert engine.rnea(back, *state) == pytest.approx(engine.rnea(found, *state), rel=1e-9)
        assert np.allclose(engine.frame_pose(back, state[0]), engine.frame_pose(found, state[0]))
    assert engine.friction_torque(back, [1.0, -1.0]) == pytest.approx(engine.friction_torque(found, [1.0, -1.0]))


def test_where_no_other_joint_tells_how_large_a_torque_is_that_is_said():
    """A factor of the UR10's last joint passes for friction; of the others it is told, and of exact data all are."""
    robot = engine.load_robot("ur10")
    run = moved(robot, 5, noise=0.01, counts=2**18, rate=250.0)
    (sentence,) = engine.identify(run, robot).provenance["scale"]
    assert sentence.startswith("joint6: the scale of its torque is poorly determined")
    assert engine.identify(moved(robot, 5), robot).provenance["scale"] == []


def test_exact_data_with_a_wrong_sign_get_their_sentence_however_far_from_any_body():
    """Here the conic problem of the plain covariance is beyond its solver."""
    scara = engine.load_robot("scara")
    motion = engine.exciting_trajectory(scara, duration=2.0)
    law = engine.default_gains(scara, "computed-torque", q=motion.start)
    run = engine.simulate(scara, motion.start, None, 2.2, 1e-3, law, trajectory=motion)
    bad = replace(run, tau=run.tau * np.where(np.arange(scara.n) == 1, -1.0, 1.0))
    part = Recording.from_table(bad.table(0, 1650), bad.joint_names, bad.metadata, bad.remarks)
    (finding,) = engine.identify(part, scara).findings
    assert (finding.kind, finding.joint) == ("sign", "joint2")


def test_a_covariance_that_rounding_left_of_no_use_is_refused_in_words(puma):
    unknowns = unknowns_of(puma, friction=False, offsets=False, rotor=False, drives=np.zeros((0, puma.n)))
    values, prior = unknowns.values(puma), engine.parameters(puma).ravel()
    with pytest.raises(engine.EngineError, match="too little information about the arm"):
        consistent(unknowns, values, -np.eye(len(values)), prior, np.ones(len(values), bool), 0.1)


@pytest.mark.parametrize("digits", [2, 3])
def test_the_round_top_of_a_curve_with_few_digits_is_no_saturation(digits):
    """A parabola stands at its highest digit up to 2.4 times as long as at the next, a torque at a limit far longer."""
    robot, t = engine.load_robot("puma560"), np.arange(0.0, 4.0, 0.004)
    tau = np.round(3.0 * np.sin(2.0 * t)[:, None] * np.ones(robot.n), digits)
    smooth = saturated_samples(_Motion(tau, np.ones(tau.shape, bool)), robot)
    assert not smooth.any()
    clipped = np.clip(tau, -2.5, 2.5)
    assert (saturated_samples(_Motion(clipped, np.ones(tau.shape, bool)), robot) == (np.abs(clipped) == 2.5)).all()


class _Motion(NamedTuple):
    """What is looked at of a motion."""

    tau: np.ndarray
    used: np.ndarray


def test_a_free_swing_is_refused_as_it_tells_no_parameters():
    robot = engine.load_robot("double_pendulum")
    swing = engine.simulate(robot, robot.configurations["home"], None, 2.0, 1e-3)
    with pytest.raises(RecordingError, match="every motor torque of the recording is 0"):
        engine.identify(swing, robot)
