"""The command line: what is no robot, no recording and no trajectory is told in one line."""

from __future__ import annotations

import re

import pytest

from armature import engine
from tests.app.test_cli import ROOT, refused


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nope"], "no robot of this name"),
        (["info"], "ROBOT or --paths"),
        (["info", "nope"], "no robot of this name"),
        (["info", "no/such.toml"], "such.toml"),
        (["simulat", "puma560"], "did you mean simulate?"),
        (["info", "scara", "--loud"], "--loud"),
        (["simulate", "scara"], "--duration"),
        (["simulate", "scara", "--trajectory", "none.toml"], "none.toml: file not found"),
        (["simulate", "scara", "--duration", "1", "--controller", "magic"], "unknown controller 'magic'"),
        (["simulate", "scara", "--duration", "1", "--controller", "pd", "--frequency", "0"], "not a number of rad/s"),
        (
            ["simulate", "scara", "--duration", "1", "--controller", "pd", "--integrator", "adaptive"],
            "does not support controllers",
        ),
        (["simulate", "scara", "--duration", "soon"], "'soon' is not a number of seconds above 0"),
        (["simulate", "scara", "--duration", "1", "--record", "a.csv", "--record", "b.csv"], "--record: may be given only once"),
        (["simulate", "scara", "--q0", "0,1,0", "--q0", "0,1,1"], "--q0: may be given only once"),
        (["simulate", "scara", "--duration", "-1"], "'-1' is not a number of seconds"),
        (["simulate", "scara", "--duration", "1", "--dt", "5"], "the step must be from 1e-07 to 1 s"),
        (["simulate", "scara", "--duration", "1", "--integrator", "verlet"], "verlet"),
        (["simulate", "scara", "--duration", "1", "--q0", "0, 1"], "3 joints (joint1, joint2, joint3), got 2 values"),
        (["simulate", "scara", "--duration", "1", "--q0", "0 1 x"], "joint3 is 'x', not a number in m"),
        (["simulate", "scara", "--duration", "1", "--q0", "0 1 nan"], "must be finite numbers"),
        (["simulate", "scara", "--duration", "1", "--q0", "0 1e300 0"], "--q0: joint2 is '1e300', outside ±1e9 rad"),
        (["derivation", "scara", "x.pdf", "--q", "0 0 -1e10"], "--q: joint3 is '-1e10', outside ±1e9 m"),
        (["simulate", "scara", "--duration", "1", "--q0", "hom"], "no pose 'hom'; it has home"),
        (["simulate", "scara", "--duration", "1", "--qd0", "-1,2"], "--qd0: scara has 3 joints"),
        (["simulate", "scara", "--duration", "1", "--record", "x.bag"], ".csv, .npz, .mat or .mcap"),
        (
            ["simulate", "scara", "--duration", "1", "--record", "/no/such/folder/x.csv"],
            "the folder /no/such/folder does not exist",
        ),
        (["simulate", "scara", "--duration", "1", "--record", "/", "--overwrite"], "/: is a folder, not a file"),
        (["exciting", "puma560", "/no/such/folder/x.toml"], "the folder /no/such/folder does not exist"),
        (["export", "puma560", "/no/such/folder/x.urdf"], "/no/such/folder/x.urdf: the folder /no/such/folder does not exist"),
        (["simulate", "irb140", "--duration", "1"], "has no masses"),
        (["screenshot", "scara", "x.jpg"], "saved as .png"),
        (["screenshot", "scara", "x.png", "--size", "huge"], "such as 1280x800"),
        (["screenshot", "scara", "x.png", "--show", "frames,ghosts"], "unknown name 'ghosts'; valid: frames"),
        (["screenshot", "scara", "x.png", "--pose", "nope"], "no pose 'nope'"),
        (["screenshot", "scara", "x.png", "--pose", "home", "--q", "0 0 0"], "not allowed with"),
        (["screenshot", "scara", "x.png", "--q", "1 2"], "3 joints (joint1, joint2, joint3), got 2 values"),
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
    assert "is a trajectory file (it has [[waypoints]]), not a robot file; open it in the window: armature " in text
    assert re.search(r"simulate ROBOT --trajectory \S+pick_place_puma560\.toml$", text)
    text = refused(armature, command, ROOT / SCENARIO, *more)
    assert re.search(r"is a scenario file.*; run it with armature scenario \S+payloads\.toml$", text)
    text = refused(armature, command, odd_files / "swing.npz", *more)
    assert re.search(r"is a recording of scara, not a robot; .* armature replay \S+swing\.npz$", text)


def test_other_commands_say_what_another_file_is(armature, odd_files):
    robot = engine.load_robot("scara").source
    assert "is a robot file (it has [[joints]]), not a trajectory file" in refused(
        armature, "simulate", "scara", "--trajectory", robot
    )
    assert "is a robot file (it has [[joints]]), not a scenario file" in refused(armature, "scenario", robot)
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
            "it seems to be a log with time, 2 positions; its columns are time, pos_1, pos_2, separated by ';' instead",
        ),
        ("bare.csv", "it seems to be 3 columns of numbers without a line of column names"),
        ("prices.csv", "it seems to be a table of 2 columns: apples, pears"),
        ("short.csv", "missing: qdd of every joint, tau of every joint, tool.x … tool.qz, sigma_min, kinetic, potential"),
    ],
)
def test_a_table_that_is_no_recording_is_told_what_it_seems_to_be(armature, odd_files, name, words):
    path = odd_files / name
    opened = [[path]] if name == "short.csv" else []  # a log is imported in the window
    for arguments in (["info", path], *opened, ["replay", path], ["plot", path, odd_files / "x.png"]):
        text = refused(armature, *arguments)
        assert f"{name}: not an Armature recording: " in text and words in text, text
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
    assert "way_of_mine.toml: its robot mine" in refused(armature, odd_files / "way_of_mine.toml")
    assert len(opened) == 3


@pytest.mark.parametrize("options", [["--frequency", "20"], ["--unknown-payload"], ["--frequency", "20", "--controller", "none"]])
def test_figures_of_a_controller_that_is_not_there_are_refused(armature, options):
    code, out, err = armature("simulate", "scara", "--duration", "0.1", *options)
    assert code == 2 and not out and len(err) == 1
    assert "--frequency and --unknown-payload need --controller" in err[0]
