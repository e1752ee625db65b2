"""The command line: what it prints, how it ends, and that it needs no Qt where it draws nothing."""

import errno
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.app import cli
from armature.app.commands import simulate as simulate_command
from armature.engine.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def refused(armature, *arguments) -> str:
    """The one line that a bad command line earns."""
    code, out, err = armature(*arguments)
    assert code == 2 and not out and len(err) == 1 and err[0].startswith("armature: "), (code, out, err)
    return err[0].removeprefix("armature: ")


def program(*arguments, **options):
    """The program as a process of its own."""
    command = [sys.executable, "main.py", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, **options)


# -- help and version ------------------------------------------------------------------------------------------------------------


def test_help_names_every_command_and_each_has_its_own_with_examples(armature):
    code, out, err = armature("--help")
    assert code == 0 and not err
    text = "\n".join(out)
    assert all(f"\n  {command} " in text for command in cli.COMMANDS) and "armature scara" in text
    for command in cli.COMMANDS:
        code, out, err = armature(command, "--help")
        assert code == 0 and not err and f"armature {command}" in "\n".join(out)


def test_the_version_is_that_of_the_project(armature):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION
    assert armature("--version") == (0, [f"Armature {VERSION}"], [])


# -- bad input -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nope"], "no robot of this name ships"),
        (["info"], "required: ROBOT"),
        (["info", "nope"], "no robot of this name ships"),
        (["info", "no/such.toml"], "such.toml"),
        (["simulat", "puma560"], "did you mean simulate?"),
        (["info", "scara", "--loud"], "--loud"),
        (["simulate", "scara"], "--duration"),
        (["simulate", "scara", "--trajectory", "none.toml"], "none.toml: there is no such file"),
        (["simulate", "scara", "--duration", "1", "--controller", "magic"], "'magic' is no control law"),
        (["simulate", "scara", "--duration", "1", "--controller", "pd", "--frequency", "0"], "not a number of rad/s"),
        (["simulate", "scara", "--duration", "1", "--controller", "pd", "--integrator", "adaptive"], "knows no controllers"),
        (["simulate", "scara", "--duration", "soon"], "'soon' is not a number of seconds above 0"),
        (["simulate", "scara", "--duration", "1", "--record", "a.csv", "--record", "b.csv"], "--record: given more than once"),
        (["simulate", "scara", "--q0", "0,1,0", "--q0", "0,1,1"], "--q0: given more than once"),
        (["simulate", "scara", "--duration", "-1"], "'-1' is not a number of seconds"),
        (["simulate", "scara", "--duration", "1", "--dt", "5"], "the step must be a number of seconds from 1e-07 to 1"),
        (["simulate", "scara", "--duration", "1", "--integrator", "verlet"], "verlet"),
        (["simulate", "scara", "--duration", "1", "--q0", "0, 1"], "3 joints (joint1, joint2, joint3), 2 values given"),
        (["simulate", "scara", "--duration", "1", "--q0", "0 1 x"], "joint3 is 'x', not a number in m"),
        (["simulate", "scara", "--duration", "1", "--q0", "0 1 nan"], "needs a finite number"),
        (["simulate", "scara", "--duration", "1", "--q0", "0 1e300 0"], "--q0: joint2 is '1e300', beyond ±1e9 rad"),
        (["derivation", "scara", "x.pdf", "--q", "0 0 -1e10"], "--q: joint3 is '-1e10', beyond ±1e9 m"),
        (["simulate", "scara", "--duration", "1", "--q0", "hom"], "no pose 'hom'; it has home"),
        (["simulate", "scara", "--duration", "1", "--qd0", "-1,2"], "--qd0: scara has 3 joints"),
        (["simulate", "scara", "--duration", "1", "--record", "x.bag"], ".csv, .npz, .mat or .mcap"),
        (["simulate", "scara", "--duration", "1", "--record", "/no/such/folder/x.csv"], "there is no folder /no/such/folder"),
        (["simulate", "scara", "--duration", "1", "--record", "/", "--overwrite"], "/: that is a folder, not a file"),
        (["exciting", "puma560", "/no/such/folder/x.toml"], "there is no folder /no/such/folder"),
        (["export", "puma560", "/no/such/folder/x.urdf"], "/no/such/folder/x.urdf: there is no folder /no/such/folder"),
        (["simulate", "irb140", "--duration", "1"], "gives no masses"),
        (["screenshot", "scara", "x.jpg"], "written as .png"),
        (["screenshot", "scara", "x.png", "--size", "huge"], "such as 1280x800"),
        (["screenshot", "scara", "x.png", "--show", "frames,ghosts"], "there is no 'ghosts'; valid are frames"),
        (["screenshot", "scara", "x.png", "--pose", "nope"], "no pose 'nope'"),
        (["screenshot", "scara", "x.png", "--pose", "home", "--q", "0 0 0"], "not allowed with"),
        (["screenshot", "scara", "x.png", "--q", "1 2"], "3 joints (joint1, joint2, joint3), 2 values given"),
        (["screenshot", "scara", "/no/such/folder/x.png"], "folder"),
    ],
)
def test_bad_input_is_told_in_one_line_with_exit_code_2(armature, arguments, text):
    assert text in refused(armature, *arguments)


def test_a_bad_robot_file_is_told_with_file_and_field(armature, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('name = "bad"\nconvention = "standard"\njoints = [{ type = "revolute", mass = -1.0 }]\n')
    for arguments in (["info", path], [path], ["simulate", path, "--duration", "1"], ["screenshot", path, tmp_path / "x.png"]):
        text = refused(armature, *arguments)
        assert "bad.toml" in text and "mass" in text


TRAJECTORY, SCENARIO = "assets/trajectories/pick_place_puma560.toml", "assets/scenarios/payloads.toml"
FOREIGN = "timestamp,actual_q_0,actual_q_1,actual_qd_0,actual_qd_1,actual_current_0,actual_current_1,mode\n0,0,0,0,0,0,0,7\n"


@pytest.fixture
def odd_files(tmp_path):
    """A recording and tables that are none, by name."""
    robot = engine.load_robot("scara")
    engine.simulate(robot, robot.configurations["home"], None, 0.01, 1e-3).save(tmp_path / "swing.npz")
    texts = {
        "log.csv": FOREIGN,
        "semicolons.csv": "time;pos_1;pos_2\n0;1;2\n",
        "bare.csv": "0.0,1.5,2.5\n0.1,1.6,2.6\n",
        "prices.csv": "apples,pears\n1,2\n",
        "short.csv": "t,q.a,q.b,qd.a,qd.b\n0,0,0,0,0\n",
        "way_of_mine.toml": 'name = "way"\nrobot = "mine"\n[[waypoints]]\npose = "home"\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("command", ["info", "check", "simulate", "screenshot"])
def test_commands_for_robots_say_what_another_file_is(armature, odd_files, command):
    more = ["x.png"] if command == "screenshot" else []
    text = refused(armature, command, ROOT / TRAJECTORY, *more)
    assert "is a trajectory file, for it has [[waypoints]], not a robot file; armature " in text
    assert re.search(r"simulate ROBOT --trajectory \S+pick_place_puma560\.toml runs it$", text)
    text = refused(armature, command, ROOT / SCENARIO, *more)
    assert re.search(r"is a scenario file.*; armature scenario \S+payloads\.toml runs it$", text)
    text = refused(armature, command, odd_files / "swing.npz", *more)
    assert re.search(r"is a recording of scara, not a robot; armature replay \S+swing\.npz plays it$", text)


def test_other_commands_say_what_another_file_is(armature, odd_files):
    robot = engine.load_robot("scara").source
    assert "is a robot file, for it has [[joints]], not a trajectory file" in refused(
        armature, "simulate", "scara", "--trajectory", robot
    )
    assert "is a robot file, for it has [[joints]], not a scenario file" in refused(armature, "scenario", robot)
    assert "is a trajectory file" in refused(armature, "scenario", ROOT / TRAJECTORY)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "log.csv",
            "it seems to be a log with time, 2 positions, 2 velocities, 2 currents, 1 other column; its columns are t",
        ),
        (
            "semicolons.csv",
            "it seems to be a log with time, 2 positions; its columns are time, pos_1, pos_2, set apart by ';' where",
        ),
        ("bare.csv", "it seems to be 3 columns of numbers, with no line of names above them"),
        ("prices.csv", "it seems to be a table of 2 columns: apples, pears"),
        ("short.csv", "missing: qdd of every joint, tau of every joint, tool.x … tool.qz, sigma_min, kinetic, potential"),
    ],
)
def test_a_table_that_is_no_recording_is_told_what_it_seems_to_be(armature, odd_files, name, words):
    path = odd_files / name
    opened = [[path]] if name == "short.csv" else []  # a log is imported in the window
    for arguments in (["info", path], *opened, ["replay", path], ["plot", path, odd_files / "x.png"]):
        text = refused(armature, *arguments)
        assert f"{name}: not a recording of this program: " in text and words in text, text
        assert "Armature reads t, then q, qd, qdd and tau of every joint" in text or name == "short.csv"


def test_the_window_opens_trajectories_and_recordings_by_name(armature, odd_files, monkeypatch):
    from armature.app import application

    opened = []
    monkeypatch.setattr(application, "run", lambda *arguments: opened.append(arguments) or 0)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert armature(ROOT / TRAJECTORY)[0] == armature(odd_files / "swing.npz")[0] == armature("scara")[0] == 0
    assert opened == [
        ("puma560", str(ROOT / TRAJECTORY)),
        ("scara", str(odd_files / "swing.npz"), False),
        ("scara", ""),
    ]
    question = ROOT / "assets/questions/24_rpr.toml"
    assert armature(question)[0] == 0 and opened.pop() == (str(ROOT / "robots/rpr.toml"), str(question))
    assert "is a scenario file" in refused(armature, ROOT / SCENARIO)
    assert "way_of_mine.toml: is for mine" in refused(armature, odd_files / "way_of_mine.toml")
    assert len(opened) == 3


# -- info ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", engine.shipped_robots())
def test_info_tells_what_every_shipped_robot_is(armature, name):
    robot = engine.load_robot(name)
    code, out, err = armature("info", name)
    text = "\n".join(out)
    assert code == 0 and not err and out[0] == robot.name
    assert all(len(line) <= 130 and line == line.rstrip() for line in out)
    assert all(re.search(rf"^  {re.escape(joint)}\s+(revolute|prismatic) ", text, re.M) for joint in robot.joint_names)
    assert all(f"{pose}: (" in text for pose in robot.configurations)
    assert "source" in text and "sigma_min" in text and "condition" in text
    assert ("This file gives no masses" in text) == (not robot.has_dynamics) == ("mass kg" not in text)


def test_info_shows_the_table_and_the_total_mass(armature):
    text = "\n".join(armature("info", "scara")[1])
    assert re.search(r"joint3 +prismatic +0 +q +0 +3\.1416 +0 +0\.2 ", text)
    assert f"{sum(body.mass for body in engine.load_robot('scara').bodies):.4g} kg" in text


def test_info_has_centres_moments_friction_and_motors_of_every_link(armature):
    text = "\n".join(armature("info", "puma560")[1])
    assert re.search(r"link2 +joint2 +17\.4 +−0\.3638 +0\.006 +0\.2275 +0\.13 +0\.524 +0\.539$", text, re.M)
    assert re.search(r"joint1 +kg·m² +0\.78403 +5\.8018 +24\.731 / 27\.236 +0$", text, re.M)


# -- simulate --------------------------------------------------------------------------------------------------------------------


def test_simulate_follows_a_trajectory_file(armature, tmp_path):
    plan = tmp_path / "way.toml"
    plan.write_text(
        'name = "way"\n[[waypoints]]\npose = "home"\n[[waypoints]]\nq = [0.5, 1.2, 0.15]\nduration = 0.6\n'
        "dwell = 0.2\ngrasp = { mass = 0.5 }\n"
    )
    path = tmp_path / "way.npz"
    code, out, err = armature("simulate", "scara", "--trajectory", plan, "--record", path)
    assert code == 0, err
    robot = engine.load_robot("scara")
    trajectory = engine.load_trajectory(plan, robot)
    recording = engine.load_recording(path)
    assert recording.t[-1] == pytest.approx(0.8)
    expected = engine.simulate(
        robot, trajectory.start, None, 0.8, 1e-3, engine.default_gains(robot, "computed-torque"), trajectory=trajectory
    )
    np.testing.assert_array_equal(recording.q, expected.q)
    assert recording.metadata["controller"]["kind"] == "computed-torque"
    assert "tracking" in "\n".join(out) and "integrator's error" in "\n".join(out)
    assert engine.verify_recording(recording).identical
    code, blind, _ = armature("simulate", "scara", "--trajectory", plan, "--controller", "pd-gravity", "--unknown-payload")
    assert code == 0 and "tracking" in "\n".join(blind)


@pytest.mark.parametrize("suffix", ["csv", "npz", "mat", "mcap"])
def test_simulate_records_what_the_engine_simulates(armature, tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    q0, qd0 = "-0.5, 0.25 ,1.5", "-1;2 0"
    options = ("--dt", "0.002", "--q0", q0, "--qd0", qd0, "--record", path)
    code, out, err = armature("simulate", "scara", "--duration", "0.4", *options)
    assert code == 0 and "--q0: starts as given, outside the limits: joint3 at 1.5 m (0 to 0.2 m)" in err[0] and len(err) == 1
    expected = engine.simulate(engine.load_robot("scara"), [-0.5, 0.25, 1.5], [-1, 2, 0], 0.4, 0.002)
    assert expected.remarks == ("starts as given, outside the limits: joint3 at 1.5 m (0 to 0.2 m)",)
    assert np.array_equal(engine.load_recording(path).table(), expected.table())
    text = "\n".join(out)
    assert "0.4 s in 200 steps of 0.002 s, rk4" in text and "steps/s" in text and "201 samples" in text
    assert f"q {expected.q[-1, 0]:+.6f} rad" in text and f"q {expected.q[-1, 2]:+.6f} m" in text


def test_simulate_takes_named_poses_and_tells_the_drift(armature):
    code, out, err = armature("simulate", "double_pendulum", "--duration", "1", "--q0", "zero", "--integrator", "rk4")
    assert code == 0 and not err
    drift = re.search(r"drift ([-+.e\d]+) J, ([-+.e\d]+) of the energy in play", "\n".join(out))
    assert abs(float(drift[1])) < 1e-8 and float(drift[2]) < 1e-9


def test_simulate_does_not_call_what_a_stop_takes_a_drift(armature):
    code, out, _ = armature("simulate", "panda", "--duration", "1", "--q0", "ready")
    assert code == 0
    assert re.search(r"change -[.e\d]+ J: stops -[.e\d]+ J; integrator's error", "\n".join(out))


def test_simulate_in_real_time_tells_the_factor(armature):
    code, out, _ = armature("simulate", "double_pendulum", "--duration", "0.2", "--realtime")
    assert code == 0 and re.search(r"real-time factor \d\.\d{4}", "\n".join(out))


def test_a_divergence_is_told_and_what_was_recorded_is_kept(armature, tmp_path):
    path = tmp_path / "a.csv"
    arguments = ["simulate", "double_pendulum", "--duration", "10", "--dt", "0.5", "--integrator", "euler", "--record", path]
    code, out, err = armature(*arguments, "--qd0", "0 100")
    assert code == 1 and len(err) == 1 and re.search(r"joint\d", err[0]) and "try" in err[0] and out
    assert 1 <= len(engine.load_recording(path)) < 20


def test_a_run_without_a_single_step_leaves_no_file(armature, tmp_path):
    arguments = ["simulate", "spherical_pendulum", "--duration", "1", "--q0", "zero", "--record", tmp_path / "a.csv"]
    code, _, err = armature(*arguments)
    assert code == 1 and "nothing to record" in err[0] and "joint phi moves no inertia" in err[1]
    assert not list(tmp_path.iterdir())


def test_an_existing_recording_is_kept_unless_told_otherwise(armature, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("precious")
    arguments = ["simulate", "scara", "--duration", "0.1", "--record", path]
    assert "exists and is not overwritten; --overwrite" in refused(armature, *arguments)
    assert path.read_text() == "precious"
    assert armature(*arguments, "--overwrite")[0] == 0
    assert len(engine.load_recording(path)) == 101


def test_a_recording_that_breaks_off_ends_with_exit_code_1(armature, tmp_path, monkeypatch):
    from armature.engine.errors import RecordingError
    from armature.engine.recording import part_file

    def full(self):
        raise RecordingError(f"{self.path}: the disk is full")

    monkeypatch.setattr(part_file.PartFile, "check", full)
    code, out, err = armature("simulate", "scara", "--duration", "0.5", "--record", tmp_path / "a.csv")
    assert code == 1 and err == [f"armature: recording stopped: {tmp_path / 'a.csv.part'}: the disk is full"]
    assert "500 steps" in out[0]


# -- ways to end -----------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_keeps_the_recording(tmp_path, number, code):
    path = tmp_path / "a.npz"
    command = [sys.executable, "main.py", "simulate", "scara", "--duration", "60", "--realtime", "--record", path]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while not (tmp_path / "a.npz.part").exists() or (tmp_path / "a.npz.part").stat().st_size < 20_000:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == code and not out
    assert re.fullmatch(rf"armature: stopped at t = [\d.]+ s; [\d,]+ samples in {re.escape(str(path))}\n", err)
    assert len(engine.load_recording(path)) > 50 and [p.name for p in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_while_the_program_is_loaded_shows_no_traceback():
    script = (
        "import os, runpy, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'numpy':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.argv = ['armature', 'info', 'scara']\n"
        "runpy.run_module('armature', run_name='__main__', alter_sys=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=110)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_an_error_of_ours_becomes_one_line_and_a_log(armature, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("ours\nentirely")

    monkeypatch.setattr(simulate_command, "steps_in", broken)
    code, out, err = armature("simulate", "scara", "--duration", "1")
    assert code == 1 and not out and len(err) == 1
    log = Path(re.fullmatch(r"armature: unexpected ZeroDivisionError: ours entirely; details in (.+)", err[0])[1])
    assert "Traceback" in log.read_text() and "steps_in" in log.read_text()
    log.unlink()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_a_reader_that_went_away_is_no_error():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "main.py", "info", "puma560"], cwd=ROOT, stdout=write, stderr=subprocess.PIPE, timeout=60
    )
    os.close(write)
    assert done.stderr == b"" and done.returncode == 141


@pytest.mark.parametrize("arguments", [["info"], ["export", "scara"], ["derivation", "scara"], ["screenshot", "scara"]])
def test_a_name_that_the_system_refuses_is_no_fault_of_ours(armature, tmp_path, arguments):
    suffix = {"derivation": ".pdf", "screenshot": ".png"}.get(arguments[0], ".toml")
    assert "the name is too long" in refused(armature, *arguments, tmp_path / ("x" * 300 + suffix))


def test_a_folder_that_may_not_be_entered_is_no_fault_of_ours(armature, tmp_path, monkeypatch):
    there, is_dir = tmp_path / "closed" / "arm.toml", Path.is_dir

    def closed(path):
        if path == there:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", closed)
    assert refused(armature, "export", "scara", there) == f"{there}: there is no permission to use it"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_what_a_full_disk_does_not_take_is_told_in_one_line():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "main.py", "info", "puma560"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, b"armature: what it prints cannot be written: the disk is full\n")


def test_a_terminal_without_greek_gets_question_marks():
    done = program("info", "puma560", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and not done.stderr and "?" in done.stdout


def test_no_display_is_told_before_qt_would_end_the_process():
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    done = program("scara", env={name: value for name, value in os.environ.items() if name not in hidden})
    if sys.platform != "linux":
        pytest.skip("elsewhere there is always a display")
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "no display" in done.stderr


PROBE = """
import sys
from armature.app.cli import main
code = main(sys.argv[1:])
qt = sorted(name for name in sys.modules if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph", "OpenGL"))
print("loaded:", code, *qt)
"""


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["info", "puma560"], ["simulate", "scara", "--duration", "0.05", "--realtime"], ["nope"]],
)
def test_these_commands_import_no_qt(arguments):
    done = subprocess.run([sys.executable, "-c", PROBE, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.stdout.splitlines()[-1] in ("loaded: 0", "loaded: 2"), done.stderr


@pytest.mark.parametrize("options", [["--frequency", "20"], ["--unknown-payload"], ["--frequency", "20", "--controller", "none"]])
def test_figures_of_a_controller_that_is_not_there_are_refused(armature, options):
    code, out, err = armature("simulate", "scara", "--duration", "0.1", *options)
    assert code == 2 and not out and len(err) == 1
    assert "--frequency and --unknown-payload say something about --controller, which is not given" in err[0]


def test_rounds_follow_a_trajectory_again_and_tell_how_far_off_each_was(armature):
    law = ("--controller", "learned_feedforward", "--parameter", "round=4.5")
    code, out, err = armature("simulate", "puma560", "--trajectory", "round_puma560", "--rounds", "3", *law)
    told = next(line for line in out if line.strip().startswith("rounds"))
    rounds = [float(text) for text in re.findall(r"([\d.e-]+) rad", told)]
    assert code == 0 and len(rounds) == 3 and rounds[0] > 1.5 * rounds[1] > 2.2 * rounds[2]
    for wrong in (("--rounds", "0"), ("--rounds", "2", "--duration", "1")):
        code, _, err = armature("simulate", "puma560", *wrong)
        assert code == 2 and "rounds" in err[-1]
