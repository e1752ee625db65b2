"""Sensors from the command line and from scenario files: the same run as `armature.simulate(..., sensors=...)` gives."""

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.runs.scenario import build_run, load_scenario

GIVEN = ["--encoder", "4096 0 8192", "--noise", "1e-4", "--torque-noise", "0.2", "--delay", "0.004", "--seed", "5"]
SENSORS = engine.Sensors(counts=(4096, 0, 8192), position_noise=1e-4, torque_noise=0.2, delay=0.004, seed=5)


@pytest.fixture(scope="module")
def scara():
    return engine.load_robot("scara")


@pytest.fixture
def expected(scara):
    law = engine.default_gains(scara, "pd", q=scara.configurations["home"])
    return engine.simulate(scara, scara.configurations["home"], [1, 0, 0], 0.2, 1e-3, law, sensors=SENSORS)


def test_a_command_with_sensors_is_the_engines_run_and_comes_out_again(armature, expected, tmp_path):
    path = tmp_path / "a.mcap"
    run = ["scara", "--controller", "pd", "--duration", "0.2", "--qd0", "1 0 0", *GIVEN]
    code, out, err = armature("simulate", *run, "--record", path)
    assert code == 0 and not err
    assert np.array_equal(engine.load_recording(path).table(), expected.table())
    told = next(line for line in out if line.lstrip().startswith("sensors"))
    assert "0 … 8192 counts" in told and "delay 4 ms" in told and told.endswith("seed 5")
    code, out, _ = armature("simulate", "--from", path)
    assert code == 0 and "bit-identical" in "\n".join(out)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--seed", "4"], "--seed needs --noise"),
        (["--speed-cutoff", "4"], "--speed-cutoff needs --encoder"),
        (["--encoder", "1 2"], "one number, or one for each of"),
        (["--encoder", "many"], "'many' is not one number, or one per joint"),
        (["--delay", "3"], "delay must be 0 to 1 s"),
        (["--noise", "1e-3", "--integrator", "adaptive"], "adaptive"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(armature, options, words):
    code, out, err = armature("simulate", "scara", "--duration", "0.1", *options)
    assert code == 2 and not out and len(err) == 1 and words in err[0]


def test_a_scenario_has_sensors_sweeps_them_and_draws_with_the_seed_of_the_run(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(
        '[defaults]\nrobot = "scara"\nduration = 0.2\ncontroller = "pd"\nqd0 = [1, 0, 0]\n'
        '[[runs]]\nname = "a"\nseed = 5\nrecord = "{name}.npz"\n'
        "sensors = { counts = [4096, 0, 8192], position_noise = 1e-4, torque_noise = 0.2, delay = 0.0, speed_cutoff = inf }\n"
        'sweep = { "sensors.delay" = [0.0, 0.004] }\n'
    )
    first, second = (build_run(path, entry["run"], entry["table"]) for entry in load_scenario(path))
    assert (first.sensors.delay, second.sensors.delay) == (0.0, 0.004)
    assert second.sensors.seed == 5 and second.sensors.speed_cutoff is None
    assert "201 samples" in second.perform(False, lambda share: True).sentence(second.record)
    recording = engine.load_recording(tmp_path / "a-2.npz")
    assert recording.measured and engine.verify_recording(recording).identical
    path.write_text('[[runs]]\nname = "a"\nrobot = "scara"\nduration = 1\nsensors = { ticks = 4096 }\n')
    with pytest.raises(engine.EngineError, match=r"runs\[0\].*unknown 'ticks'; valid: counts, position_noise"):
        load_scenario(path)
