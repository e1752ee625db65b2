"""The command `identify`: recordings in, a table of the result and a robot file out."""

from __future__ import annotations

import numpy as np

from armature import engine
from armature.app.cli import main


def test_recordings_become_a_table_and_a_robot_file(tmp_path, capsys):
    pendulum = engine.load_robot("double_pendulum")
    goal = lambda q: engine.Waypoint(q=q, duration=1.0)  # noqa: E731
    way = engine.Plan(tuple(goal(q) for q in np.random.default_rng(0).uniform(-1, 1, (9, 2)))).trajectory(pendulum)
    law = engine.ComputedTorque(100.0, 20.0)
    for seed, name in enumerate(("a.npz", "b.npz")):
        sensors = engine.Sensors(counts=2**18, torque_noise=0.05, seed=seed)
        run = engine.simulate(pendulum, way.start, [0, 0], way.duration, 2e-3, law, trajectory=way, sensors=sensors)
        run.save(tmp_path / name)
    out = tmp_path / "arm.toml"
    asked = ["identify", str(tmp_path / "a.npz"), "--robot", "double_pendulum", "--validation", str(tmp_path / "b.npz")]
    assert main([*asked, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "mx1 + 0.7 m2" in said and "validation" in said and f"identified arm → {out}" in said
    found = engine.load_robot(out)
    moments = [arm.bodies[1].mass * arm.bodies[1].com[0] for arm in (found, pendulum)]
    assert abs(moments[0] / moments[1] - 1.0) < 0.01
    assert main([*asked, "--out", str(out)]) == 2 and "exists" in capsys.readouterr().err
    assert main([*asked, "--out", str(tmp_path / "arm.json")]) == 2


def test_a_recording_counts_once(tmp_path, capsys, monkeypatch):
    pendulum = engine.load_robot("pendulum")
    engine.simulate(pendulum, [0.5], None, 0.5, 1e-3).save(tmp_path / "a.csv")
    (tmp_path / "link.csv").symlink_to("a.csv")
    monkeypatch.chdir(tmp_path)
    for again in (["a.csv"], [str(tmp_path / "a.csv")], ["link.csv"], ["--validation", "a.csv"]):
        assert main(["identify", "a.csv", *again, "--robot", "pendulum"]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and again[-1] in said and ("given twice" in said or "the same file as a.csv" in said)
    assert main(["identify", "a.csv", "missing.csv", "missing.csv", "--robot", "pendulum"]) == 2
    assert "missing.csv: no such file" in capsys.readouterr().err
