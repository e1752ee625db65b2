"""Trajectories and disturbances that somebody wrote: what they do, their faults, and how recordings keep them."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine

SWING = """
import numpy as np

def trajectory(t, p):
    return p.size * np.sin(np.arange(1, 7) * t)

trajectory.duration = 2.0
trajectory.p = {"size": (0, 1, 0.3)}
"""
PUSH = """
import numpy as np

def disturbance(t, q, qd, p):
    p.memory["calls"] = p.memory.get("calls", 0) + 1
    return np.array([0, 0, p.force if 0.05 < t < 0.15 else 0.0, 0, 0, 0])

disturbance.p = {"force": (-100, 100, -40)}
disturbance.link = "link3"
"""


def test_a_function_of_time_is_a_trajectory_with_its_derivatives(tmp_path, puma):
    (tmp_path / "swing.py").write_text(SWING)
    way = engine.own_trajectory(tmp_path / "swing.py", 6, {"size": 0.2})
    t, k = np.linspace(0, 2, 777), np.arange(1, 7)
    q, qd, qdd = way.sample(t)
    assert np.abs(q - 0.2 * np.sin(np.outer(t, k))).max() < 2e-9
    assert np.abs(qd - 0.2 * k * np.cos(np.outer(t, k))).max() < 1e-6
    assert np.abs(qdd + 0.2 * k**2 * np.sin(np.outer(t, k))).max() < 1e-3
    assert len(way.breaks) < 500

    def exact(t, p):
        return 0.2 * np.sin(k * t), 0.2 * k * np.cos(k * t), -0.2 * k**2 * np.sin(k * t)

    exact.duration = 2.0
    given = engine.own_trajectory(exact, 6).sample(t)
    assert np.abs(given[0] - q).max() < 3e-9 and np.abs(given[2] - qdd).max() < 1e-3
    law = engine.default_gains(puma, "computed-torque")
    run = engine.simulate(puma, way.start, None, 0.1, 1e-3, law, trajectory=way)
    assert run.metadata["trajectory"]["origin"] == {
        "name": "swing",
        "text": SWING,
        "values": {"size": 0.2},
        "parameters": {"size": [0.0, 1.0, 0.3]},
    }
    assert engine.verify_recording(engine.load_recording(run.save(tmp_path / "run.npz"))).identical  # runs no code


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (SWING.replace("np.sin", "np.six"), 5, "trajectory failed at t = 0 s: AttributeError"),
        (SWING.replace("7)", "6)"), 5, "returned .*must return q, or q, qd and qdd, of 6 joints"),
        (SWING.replace("2.0", "-1"), 7, "set trajectory.duration"),
        (SWING.replace("return ", "return (t > 0.7) + "), 5, "at t = 0.7 s trajectory jumps by 1 at joint 1;"),
        (PUSH, None, "no function trajectory"),
    ],
)
def test_a_trajectory_that_is_none_names_file_and_line(tmp_path, text, line, told):
    (tmp_path / "swing.py").write_text(text)
    with pytest.raises(engine.LawError, match=told) as caught:
        engine.own_trajectory(tmp_path / "swing.py", 6)
    assert caught.value.line == line


def test_a_disturbance_pushes_a_link_and_runs_again_only_where_that_is_allowed(tmp_path, puma):
    (tmp_path / "push.py").write_text(PUSH)
    push, free = engine.load_disturbance(tmp_path / "push.py", {"force": -50}), puma.without_friction()
    q = puma.configurations["ready"]
    run = engine.simulate(free, q, None, 0.2, 1e-3, engine.GravityCompensation(), disturbance=push)
    # while it pushes M qdd = Jᵀ f, the wrench on the link's frame
    f = np.zeros((len(puma.link_names), 6))
    f[puma.link_names.index("link3"), 2] = -50
    k = 100
    tau = engine.rnea(free, run.q[k], run.qd[k], run.qdd[k], f)
    assert np.abs(tau - run.tau[k]).max() < 1e-9
    assert np.array_equal(run.q[50], q) and not np.array_equal(run.q[60], q)
    file = engine.load_recording(run.save(tmp_path / "run.csv"))
    assert file.metadata["disturbance"]["text"] == PUSH
    with pytest.raises(engine.RecordingError, match="its disturbance push is stored Python code"):
        engine.verify_recording(file)
    assert engine.verify_recording(file, allow_code=True).identical
    assert engine.verify_recording(file, disturbance=push).identical
    assert not np.array_equal(engine.resimulate(file, controller=engine.default_gains(puma, "pd"), allow_code=True).q, run.q)


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("np.array([", "np.array([0, ", 6, "disturbance returned .*must return 6 finite numbers"),
        ("p.force", "p.farce", 6, "p has no 'farce'"),
        ('"link3"', "3", 9, "disturbance.link must be the name of a link"),
    ],
)
def test_a_disturbance_that_fails_names_file_and_line(tmp_path, puma, old, new, line, told):
    (tmp_path / "push.py").write_text(PUSH.replace(old, new))
    with pytest.raises(engine.LawError, match=told) as caught:
        push = engine.load_disturbance(tmp_path / "push.py")
        engine.simulate(puma, puma.configurations["ready"], None, 0.2, 1e-3, disturbance=push)
    assert caught.value.line == line


def test_a_link_that_the_arm_has_not_is_told(puma):
    def disturbance(t, q, qd, p):
        return np.zeros(6)

    disturbance.link = "elbow"
    with pytest.raises(engine.EngineError, match="puma560 has no link 'elbow'; it has "):
        engine.simulate(puma, puma.configurations["ready"], None, 0.2, 1e-3, disturbance=disturbance)
