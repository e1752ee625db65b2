"""`scenario`: several runs from one file, in parallel; what it refuses, and how it ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.app import cli
from armature.app.commands.scenario import parser
from armature.engine.simulation.runs.scenario import build_run, load_scenario
from tests.time_limits import PROCESS, wait_until

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "assets" / "scenarios"


@pytest.fixture
def write(tmp_path):
    def made(text: str) -> Path:
        path = tmp_path / "s.toml"
        path.write_text(text)
        return path

    return made


def program(*arguments, **options):
    command = [sys.executable, "main.py", "scenario", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PROCESS, **options)


def run_of(path, number=0):
    entry = load_scenario(path)[number]
    return build_run(path, entry["run"], entry["table"])


RUN = '[[runs]]\nname = "a"\nrobot = "scara"\nduration = 0.1\n'


# -- what a file means -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_what_ships_can_be_run(path):
    assert len(load_scenario(path)) > 1


def test_one_that_ships_is_known_by_its_name():
    assert parser().parse_args(["payloads"]).file == SHIPPED / "payloads.toml"
    assert parser().parse_args(["payload.toml"]).file == Path("payload.toml")


def test_a_name_that_does_not_ship_is_told_with_those_that_do(armature):
    code, _, complaint = armature("scenario", "nosuch")
    assert (code, len(complaint)) == (2, 1) and "nosuch: not a file, and not a shipped scenario; shipped: " in complaint[0]
    assert "payloads" in complaint[0]
    code, _, complaint = armature("simulate", "puma560", "--trajectory", "nosuch")
    assert (code, len(complaint)) == (2, 1) and "pick_place_puma560" in complaint[0]


def test_defaults_and_sweeps(write):
    path = write(
        'name = "x"\n[defaults]\nrobot = "puma560"\nduration = 1\n[[runs]]\nname = "one"\n[[runs]]\nname = "many"\n'
        'payload = { mass = 1 }\nsweep = { "payload.mass" = [0.5, 2], dt = [0.001, 0.002, 0.01] }\n'
    )
    entries = load_scenario(path)
    names = [entry["table"]["name"] for entry in entries]
    assert names == ["one", *(f"many-{k}" for k in range(1, 7))]
    last = build_run(path, 1, entries[-1]["table"])
    assert last.dt == 0.01 and last.robot.changes[0]["payload"]["mass"] == 2.0 and last.duration == 1.0


def test_everything_a_run_can_say(write):
    path = write(
        '[[runs]]\nname = "a"\nrobot = "puma560"\nduration = 0.05\nq0 = [0, 0.1, 0.2, 0, 0, 0]\nqd0 = [1, 0, 0, 0, 0, 0]\n'
        'dt = 0.0005\nintegrator = "gauss6"\ngravity = [0, 0, -1.62]\nfriction = false\nspread = 0.01\nseed = 7\n'
        "payload = { mass = 0.85, com = [0, 0, 0.1] }\nknows_payload = false\n"
        'controller = { kind = "pd-gravity", kp = 100.0, kd = [5, 5, 5, 1, 1, 1], period = 0.004 }\nrecord = "{name}.npz"\n'
    )
    run = run_of(path)
    offset = run.q0 - [0, 0.1, 0.2, 0, 0, 0]
    assert np.all(np.abs(offset) <= 0.01) and offset.all() and np.array_equal(run_of(path).q0, run.q0)
    assert run.controller.period == 0.004 and run.robot.gravity[2] == -1.62 and run.record == path.parent / "a.npz"
    assert [len(r.changes) for r in (run.model, run.robot)] == [2, 3]  # the controller does not know of the payload
    assert "101 samples in" in run.perform(False, lambda share: True).sentence(run.record)
    recording = engine.load_recording(run.record)
    assert recording.metadata["seed"] == 7 and recording.metadata["controller"]["kp"] == 100.0
    assert engine.verify_recording(recording).identical


def test_a_trajectory_says_where_it_starts_and_how_long_it_takes(write):
    plan = ROOT / "assets" / "trajectories" / "pick_place_puma560.toml"
    path = write(f'[[runs]]\nname = "a"\nrobot = "puma560"\ntrajectory = "{plan.as_posix()}"\ncontroller = "computed-torque"\n')
    run = run_of(path)
    assert run.duration == run.trajectory.duration and np.array_equal(run.q0, run.trajectory.start)


# -- what is refused -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty; a scenario file needs [[runs]]"),
        ("runs = 3", "runs: must be 1 to 10000 tables, each headed [[runs]]"),
        ("[[runs]]\n[[run]]", "run: unknown key; did you mean runs?"),
        ('[[runs]]\nrobot = "scara"', "runs[0].name: missing; give the run a name"),
        ('[[runs]]\nname = "a"', "runs[0].robot: missing; give a shipped robot"),
        ('[[runs]]\nname = "a"\nrobot = "scara"', "runs[0].duration: missing; give it, or a trajectory"),
        (RUN + "speed = 3", "runs[0].speed: unknown key; "),
        (RUN + "dt = -1", "runs[0].dt: "),
        (RUN + "dt = 3.0", "runs[0]: the step must be from 1e-07 to 1 s"),
        (RUN + 'integrator = "verlet"', "unknown integrator 'verlet'; valid: euler"),
        (RUN + 'q0 = "nowhere"', "runs[0].q0: scara has no pose 'nowhere'; it has"),
        (RUN + "q0 = [0, 1e300, 0]", "runs[0].q0: must be a number between -1e9 and 1e9, got 1e+300"),
        (RUN + "q0 = [1, 2]", "q0 must be 3 finite numbers, one for each of joint1, joint2, joint3"),
        (RUN + "payload = { com = [0, 0, 0] }", "runs[0].payload.mass: missing"),
        (RUN + "spread = 0.1", "runs[0].seed: missing; random values need one"),
        (RUN + "seed = -1", "runs[0].seed: must be a whole number, 0 or more"),
        (RUN + 'controller = "magic"', "runs[0].controller: unknown 'magic'; valid: none, torque, pd"),
        (RUN + 'controller = { kind = "pd", kp = 1.0 }', "runs[0].controller: pd needs period, saturate, kp, kd"),
        (RUN + 'controller = { kind = "pd", k = 1.0 }', "runs[0].controller: pd has no 'k'; valid:"),
        (RUN + "payload = { mass = -1 }", "runs[0].payload.mass: must be 0 or more"),
        (RUN + 'record = "../../../a.csv"', "runs[0].record: "),
        (RUN + 'record = "/no/such/place/a.csv"', "/no/such/place/a.csv is outside the scenario's folder"),
        (RUN + 'record = "below/../../a.csv"', "use --allow-outside"),
        (RUN + 'record = "a.bag"', "must be saved as .csv, .npz, .mat or .mcap"),
        (RUN + 'trajectory = "gone.toml"', "gone.toml: file not found"),
        (RUN.replace("scara", "irb140"), "has no masses"),
        (RUN.replace("scara", "scar"), "did you mean scara?"),
        (RUN + "sweep = 3", "runs[0].sweep: must be a table of arrays"),
        (RUN + "sweep = { dt = [] }", "runs[0].sweep: must be a table of arrays"),
        (RUN + 'sweep = { "dt.x" = [1] }\ndt = 0.1', "runs[0].sweep: the run has no table for 'dt.x'"),
        (RUN + f"sweep = {{ dt = {[0.001] * 101}, seed = {[1] * 101} }}", "more than 10,000 runs"),
        (RUN + 'record = "a.csv"\nsweep = { dt = [0.001, 0.002] }', "two runs write to"),
        (RUN + RUN, "runs[1].name: 'a' is already the name of another run"),
        (RUN + 'record = "there.csv"', "there.csv already exists; use --overwrite"),
        (RUN + 'record = "no/x.csv"', "does not exist"),
        (RUN + 'record = "{foo}.csv"', "runs[0].record: unknown placeholder {foo}; valid: {name}"),
        (RUN + "frequency = 20", "runs[0].frequency: needs a controller"),
        (RUN + "knows_payload = false", "runs[0].knows_payload: needs a controller"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_before_anything_runs(write, tmp_path, capsys, text, complaint):
    path = write(text)
    (tmp_path / "there.csv").write_text("precious")
    assert cli.main(["scenario", str(path)]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and complaint in err, err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["s.toml", "there.csv"]


def test_a_folder_that_is_a_link_does_not_lead_a_recording_out(write, tmp_path, armature):
    outside = tmp_path / "outside"
    (tmp_path / "in").mkdir()
    outside.mkdir()
    (tmp_path / "in" / "runs").symlink_to(outside)
    path = write(RUN + 'record = "runs/{name}.csv"\n').rename(tmp_path / "in" / "s.toml")
    code, out, err = armature("scenario", path)
    assert code == 2 and not out and "outside/a.csv is outside the scenario's folder" in err[0] and not any(outside.iterdir())
    assert armature("scenario", path, "--allow-outside")[0] == 0 and (outside / "a.csv").exists()


def test_allowed_outside_a_recording_is_written_anywhere_by_every_process(write, tmp_path):
    (tmp_path / "in").mkdir()
    lines = f'record = "{(tmp_path / "{name}.csv").as_posix()}"\nsweep.dt = [0.001, 0.002]\n'
    path = write(RUN + lines).rename(tmp_path / "in" / "s.toml")
    done = program(path, "--allow-outside", "--jobs", 2)
    assert done.returncode == 0 and (tmp_path / "a-1.csv").exists() and (tmp_path / "a-2.csv").exists(), done.stderr


def test_a_recording_below_the_folder_is_written(write, tmp_path, armature, monkeypatch):
    (tmp_path / "runs").mkdir()
    write(RUN + 'record = "runs/../runs/{name}.csv"\n')
    monkeypatch.chdir(tmp_path)
    assert armature("scenario", "s.toml")[0] == 0 and (tmp_path / "runs" / "a.csv").exists()


# -- how it runs -----------------------------------------------------------------------------------------------------------------


def test_runs_in_parallel_give_what_each_gives_alone(write, tmp_path):
    path = write(
        '[defaults]\nrobot = "scara"\nduration = 0.2\nrecord = "{name}.mcap"\n[[runs]]\nname = "a"\nsweep.dt = [0.001, 0.002]\n'
    )
    done = program(path, "--jobs", 2)
    assert done.returncode == 0 and not done.stderr, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["a-1 (dt = 0.001)", "a-2 (dt = 0.002)", "2 of 2 runs done"]
    scara = engine.load_robot("scara")
    for name, dt in (("a-1", 1e-3), ("a-2", 2e-3)):
        expected = engine.simulate(scara, scara.configurations["home"], None, 0.2, dt)
        assert np.array_equal(engine.load_recording(tmp_path / f"{name}.mcap").table(), expected.table())


def test_a_run_that_fails_does_not_stop_the_others(write, tmp_path):
    wild = 'controller = { kind = "pd", kp = 1e9, kd = 0.0, saturate = false }\nintegrator = "euler"\ndt = 0.1\nqd0 = [1, 1, 1]\n'
    path = write(RUN + RUN.replace('"a"', '"b"').replace("0.1", "5.0") + wild + 'record = "b.npz"\n')
    done = program(path, "--jobs", 1)
    assert done.returncode == 1 and "1 of 2 runs done, 1 failed" in done.stdout
    assert done.stderr.startswith("b: ") and done.stderr.count("\n") == 1
    assert len(engine.load_recording(tmp_path / "b.npz")) >= 1  # up to where it diverged


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_keeps_finished_runs_and_nothing_of_the_others(write, tmp_path):
    path = write(
        '[defaults]\nrobot = "scara"\nrecord = "{name}.npz"\n[[runs]]\nname = "short"\nduration = 0.1\n'
        '[[runs]]\nname = "long"\nduration = 100000\n[[runs]]\nname = "later"\nduration = 100000\n'
    )
    command = [sys.executable, "main.py", "scenario", str(path), "--jobs", "2"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background hands it on as ignored
    try:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        made = lambda: (tmp_path / "short.npz").exists() and (tmp_path / "long.npz.part").exists()  # noqa: E731
        wait_until(lambda: process.poll() is not None or made())
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all processes at once
        out, err = process.communicate(timeout=PROCESS)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130 and err == "armature: stopped; 1 of 3 runs finished\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["s.toml", "short.npz"]


def test_results_come_in_order_with_their_swept_values_from_a_payload_of_nothing_on(write, tmp_path):
    """The first run of each pair takes far longer than those after it."""
    path = write(
        '[[runs]]\nname = "p"\nrobot = "puma560"\nduration = 0.02\nrecord = "{name}.npz"\nknows_payload = false\n'
        'controller = "pd-gravity"\npayload = { mass = 1 }\n'
        'sweep = { "payload.mass" = [0, 2.5], duration = [3.0, 0.01], integrator = ["rk4", "euler"],'
        " qd0 = [[0, 0, 0, 0, 0, 0]] }\n"
    )
    done = program(path, "--jobs", 2)
    assert done.returncode == 0 and not done.stderr, done.stderr
    still = "qd0 = [0, 0, 0, 0, 0, 0]"
    expected = [
        f'p-{4 * m + 2 * d + i + 1} (payload.mass = {mass}, duration = {duration}, integrator = "{integrator}", {still})'
        for m, mass in enumerate((0, 2.5))
        for d, duration in enumerate((3.0, 0.01))
        for i, integrator in enumerate(("rk4", "euler"))
    ]
    assert [line.split(":")[0] for line in done.stdout.splitlines()[:-1]] == expected
    empty, laden = (engine.load_recording(tmp_path / f"p-{k}.npz") for k in (3, 7))
    puma = engine.load_robot("puma560")
    np.testing.assert_allclose(empty.tau[0], engine.rnea(puma, empty.q[0], empty.qd[0], empty.qdd[0]), atol=1e-12)
    assert engine.verify_recording(empty).identical and not np.array_equal(empty.qdd[0], laden.qdd[0])


def test_a_start_outside_the_limits_is_told_with_the_result(write):
    path = write('[[runs]]\nname = "a"\nrobot = "scara"\nduration = 0.01\nq0 = [0, 0, 9]\n')
    line = build_run(path, 0, load_scenario(path)[0]["table"]).perform(False, lambda _: True).sentence(None)
    assert line.endswith("; the initial position is outside the joint limits: joint3 at 9 m (0 to 0.2 m)")
