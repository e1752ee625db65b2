"""`convert`, `plot` and `replay`: what they write and print, and how they refuse."""

import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.app.plots.recorded_signals import panes
from armature.app.plots.sweep_panes import sweep_curves
from armature.engine.recording.convert_recording import convert_recording
from armature.engine.recording.recording_notes import sidecar
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = ("csv", "npz", "mat", "mcap")


@pytest.fixture(scope="module")
def recording():
    scara = engine.load_robot("scara")
    return engine.simulate(scara, scara.configurations["home"], np.full(3, 0.2), 0.5, 1e-3)


@pytest.fixture
def file(recording, tmp_path):
    return recording.save(tmp_path / "swing.npz")


# -- convert ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_convert_keeps_every_bit_and_the_metadata(armature, recording, file, suffix):
    target = file.with_name(f"other.{suffix}")
    code, out, err = armature("convert", file, target)
    assert code == 0 and not err and f"{file} → {target}" in out[0]
    again = engine.load_recording(target)
    assert np.array_equal(again.table(), recording.table()) and dict(again.metadata) == dict(recording.metadata)


def test_convert_takes_a_part(armature, recording, file):
    target = file.with_name("part.csv")
    assert armature("convert", file, target, "--from", "0.1", "--to", "0.3", "--every", "7")[0] == 0
    again = engine.load_recording(target)
    assert np.array_equal(again.table(), recording.table()[100:301:7])
    assert again.metadata["excerpt"] == {"every": 7, "start": 0.1, "end": 0.3} and again.robot_name == "scara"


def test_every_counts_through_blocks(recording, tmp_path, monkeypatch):
    monkeypatch.setattr("armature.engine.recording.tables.npz_format._BLOCK", 10)
    path = convert_recording(recording.save(tmp_path / "a.npz"), tmp_path / "b.npz", every=7)
    assert np.array_equal(engine.load_recording(path).table(), recording.table()[::7])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["swing.npz", "x.bag"], ".csv, .npz, .mat or .mcap; the suffix '.bag' is not supported"),
        (["nothing.npz", "x.csv"], "nothing.npz: no such file"),
        (["nothing.npz", "there.csv"], "nothing.npz: no such file"),
        (["swing.npz", "there.csv"], "there.csv already exists; use --overwrite"),
        (["swing.npz", "no/x.csv"], "no/x.csv: the folder no does not exist"),
        (["swing.npz", "."], ".: is a folder, not a file"),
        (["broken.mat", "x.csv"], "broken.mat: not an Armature recording"),
        (["swing.npz", "x.csv", "--every", "0"], "'0' is not a whole number from 1"),
        (["swing.npz", "x.csv", "--from", "9"], "no complete sample in the requested"),
        (["swing.npz", "x.csv", "--from", "2", "--to", "1"], "--to: 1 s is before --from 2 s"),
        (["swing.npz", "x.csv", "--to", "soon"], "'soon' is not a number of seconds"),
        (["swing.npz"], "required: OUT"),
    ],
)
def test_convert_refuses_in_one_line_and_leaves_nothing(armature, file, tmp_path, monkeypatch, arguments, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.csv").write_text("precious")
    (tmp_path / "broken.mat").write_bytes(b"broken")
    before = sorted(path.name for path in tmp_path.iterdir())
    code, out, err = armature("convert", *arguments)
    assert code == 2 and not out and len(err) == 1 and text in err[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == before and (tmp_path / "there.csv").read_text() == "precious"


def test_an_interrupted_conversion_leaves_nothing(armature, file, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("armature.engine.recording.tables.csv_format.CsvEncoder.rows", interrupted)
    assert armature("convert", file, file.with_name("x.csv"))[0] == 130
    assert [path.name for path in file.parent.iterdir()] == [file.name]


# -- plot ------------------------------------------------------------------------------------------------------------------------


def plot(*arguments):
    command = [sys.executable, "main.py", "plot", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PROCESS)


def test_plot_draws_without_a_display(file, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    for suffix in ("png", "svg", "pdf"):
        done = plot(file, file.with_name(f"a.{suffix}"), "--signals", "q,energy", "--size", "640x480")
        assert done.returncode == 0 and not done.stderr, done.stderr
        assert done.stdout.strip() == f"{file} → {file.with_name(f'a.{suffix}')}"
    from PySide6.QtGui import QImage

    image = QImage(str(file.with_name("a.png")))
    assert (image.width(), image.height()) == (640, 480)
    colours = {image.pixelColor(x, y).name() for x in range(0, 640, 2) for y in range(0, 480, 2)}
    assert {"#0072b2", "#d55e00"} <= colours  # curves of the first two series
    text = file.with_name("a.svg").read_text()
    assert "Position [rad, m]" in text and "Energy [J]" in text
    curves = [points for points in re.findall(r'<polyline[^>]*points="([^"]*)"', text) if points.count(",") > 100]
    assert len(curves) == 6
    assert file.with_name("a.pdf").read_bytes().startswith(b"%PDF")


def test_a_full_disk_costs_no_plot_that_was_there(qapp, armature, file, tiny_disk):
    outs = [tiny_disk / f"a.{suffix}" for suffix in ("png", "svg", "pdf")]
    for out in outs:
        out.write_text("precious")
    (tiny_disk / "filled").write_bytes(bytes(112 << 10))
    for out in outs:
        assert armature("plot", file, out, "--overwrite") == (2, [], [f"armature: {out}: the disk is full"])
    assert [out.read_text() for out in outs] == ["precious"] * 3 and len(list(tiny_disk.iterdir())) == 4


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["x.jpg"], "saved as .png, .svg, .pdf"),
        (["x.png", "--signals", "q,speed"], "unknown signal 'speed'; valid are q, qd, qdd, tau, tool, sigma_min, energy"),
        (["x.png", "--signals", "q.elbow"], "(joint1, joint2, joint3)"),
        (["x.png", "--signals", ","], "name at least one of"),
        (["x.png", "--size", "200x100"], "4 plots need at least 300x340 pixels"),
        (["no/x.png"], "does not exist"),
    ],
)
def test_plot_refuses_in_one_line(armature, file, monkeypatch, arguments, text):
    monkeypatch.chdir(file.parent)
    code, out, err = armature("plot", file, *arguments)
    assert code == 2 and not out and len(err) == 1 and text in err[0]


def test_plot_names_one_error_and_no_remarks(armature, recording, tmp_path):
    """Remarks come with a plot; before an error they read like further errors."""
    table = recording.table()
    table[3:5, 1] = np.nan
    gaps = engine.Recording.from_table(table, recording.joint_names, dict(recording.metadata)).save(tmp_path / "gaps.npz")
    code, out, err = armature("plot", gaps, tmp_path / "x.png", "--signals", "nosuch")
    assert code == 2 and not out and len(err) == 1 and "signal 'nosuch'" in err[0]
    code, out, err = armature("plot", gaps, tmp_path / "x.svg", "--signals", "q")
    assert code == 0 and len(err) == 1 and "NaN" in err[0]


def test_plot_replaces_a_file_only_where_that_is_allowed(armature, file):
    out = file.with_name("there.svg")
    out.write_text("precious")
    code, said, err = armature("plot", file, out)
    assert code == 2 and not said and err == [f"armature: {out} already exists; use --overwrite to replace it"]
    assert out.read_text() == "precious"
    code, _, err = armature("plot", file.with_name("nothing.npz"), out)
    assert code == 2 and len(err) == 1 and "nothing.npz: no such file" in err[0]
    assert armature("plot", file, out, "--overwrite")[0] == 0 and "<svg" in out.read_text()


def test_signals_by_name(recording):
    position, one, energy = panes(recording, ("q", "tau.joint3", "energy"))
    assert position.unit == "rad, m" and position.names == recording.joint_names
    assert one.unit == "N" and np.array_equal(one.values[:, 0], recording.tau[:, 2])
    assert np.array_equal(energy.values[:, 2], recording.kinetic + recording.potential)


TABLE = """run,name,payload.mass,friction,outcome,steps,t,peak_tau.j1,peak_tau.j2,tracking_rms,remark,origin
1,sag-1,2.0,low,done,10,1.0,4.0,1.0,0.2,,{}
2,sag-2,2.0,high,done,10,1.0,6.0,2.0,0.4,,{}
3,sag-3,1.0,low,done,10,1.0,3.0,0.5,0.1,,{}
4,sag-4,1.0,high,failed,,,,,,it diverged,{}
"""


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(TABLE)
    return path


def test_columns_of_a_sweep_are_curves_over_the_swept_value(results):
    over, x, (pane,) = sweep_curves(results, ())
    assert over == "payload.mass" and x.tolist() == [1.0, 2.0] and pane.title == "tracking_rms"
    assert pane.names == ("friction low", "friction high")
    np.testing.assert_array_equal(pane.values, [[0.1, np.nan], [0.2, 0.4]])
    _, _, (torques,) = sweep_curves(results, ("peak_tau",))
    assert torques.names == ("j1 friction low", "j1 friction high", "j2 friction low", "j2 friction high")
    np.testing.assert_array_equal(torques.values[1], [4.0, 6.0, 1.0, 2.0])
    _, _, (one,) = sweep_curves(results, ("peak_tau.j2",), "payload.mass")
    np.testing.assert_array_equal(one.values[:, 0], [0.5, 1.0])


def test_plot_draws_a_table_of_results(qapp, armature, results):
    out = results.with_name("a.svg")
    code, said, err = armature("plot", results, out, "--signals", "tracking_rms,peak_tau", "--size", "900x600")
    assert code == 0 and not err and said == [f"{results} → {out}"]
    text = out.read_text()
    assert "payload.mass" in text and "tracking_rms" in text and "j2 friction high" in text and "time [s]" not in text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--over", "friction"], "'friction' cannot be the x axis; valid are payload.mass"),
        (["--signals", "speed"], "'speed' is not a numeric column; valid are steps, t, peak_tau.j1, peak_tau.j2, tracking_rms"),
        (["--signals", "remark"], "'remark' is not a numeric column"),
    ],
)
def test_plot_of_a_table_refuses_in_one_line(armature, results, arguments, text):
    code, out, err = armature("plot", results, results.with_name("a.svg"), *arguments)
    assert code == 2 and not out and len(err) == 1 and text in err[0]


def test_a_damaged_table_is_one_line(armature, results):
    for text in (TABLE.splitlines()[0] + "\n", TABLE.replace("origin", "else"), TABLE.replace("1,sag-1,2.0", "1,sag-1")):
        results.write_text(text)
        code, out, err = armature("plot", results, results.with_name("a.svg"))
        assert code == 2 and not out and len(err) == 1 and "results.csv" in err[0]


def test_the_tracking_error_is_a_signal(armature, tmp_path):
    robot = engine.load_robot("scara")
    home = robot.configurations["home"]
    way = engine.quintic(home, home + [0.3, 0.2, 0.05], 0.5)
    run = engine.simulate(robot, home, None, 0.6, 1e-3, engine.default_gains(robot, "pd"), trajectory=way)
    (pane,) = panes(run, ("error",))
    np.testing.assert_allclose(pane.values, way.sample(run.t)[0] - run.q)
    assert pane.title == "Tracking error" and pane.unit == "rad, m" and np.abs(pane.values).max() > 1e-3
    held = engine.simulate(robot, home, None, 0.1, 1e-3, engine.default_gains(robot, "pd"))
    np.testing.assert_array_equal(panes(held, ("error.joint2",))[0].values[:, 0], home[1] - held.q[:, 1])
    free = engine.simulate(robot, home, None, 0.1, 1e-3)
    with pytest.raises(ValueError, match="no desired motion"):
        panes(free, ("error",))


# -- replay ----------------------------------------------------------------------------------------------------------------------


def test_replay_prints_at_the_speed_of_the_recording(armature, recording, file):
    start = time.monotonic()
    code, out, err = armature("replay", file, "--print", "--signals", "q.joint2,sigma_min", "--rate", "10", "--speed", "0.5")
    assert code == 0 and not err and time.monotonic() - start >= 0.9
    assert out[0].split() == ["t", "joint2", "sigma_min"]
    rows = np.array([[float(x) for x in line.split()] for line in out[1:]])
    assert np.allclose(rows[:, 0], np.arange(0, 0.51, 0.05))
    assert np.allclose(rows[:, 1], recording.q[::50, 1], atol=1e-6)


def test_replay_waits_at_most_as_long_as_the_system_can(armature, file, monkeypatch):
    waits = []
    monkeypatch.setattr("armature.app.commands.replay.time.sleep", waits.append)
    assert armature("replay", file, "--print", "--rate", "1", "--speed", "1e-300")[0] == 0
    assert 0 < max(waits) <= threading.TIMEOUT_MAX


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_ends_the_printing_in_one_line(file):
    command = [sys.executable, "main.py", "replay", str(file), "--print", "--speed", "0.01"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().split()[0] == "t" and process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PROCESS)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, err) == (130, "armature: interrupted\n")


def test_replay_refuses_in_one_line(armature, file, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    assert re.search("no display .* --print works", armature("replay", file)[2][0])
    assert "no such file" in armature("replay", "nothing.csv")[2][0]
    assert "signal 'x'" in armature("replay", file, "--print", "--signals", "x")[2][0]
    assert (
        "'0' is not a number of recorded seconds per real second above 0"
        in armature("replay", file, "--print", "--speed", "0")[2][0]
    )


def test_printing_and_converting_need_no_qt(file):
    script = (
        "import sys; from armature.app import cli; code = cli.main(sys.argv[1:]);"
        "assert not [name for name in sys.modules if name.startswith(('PySide6', 'OpenGL'))]; sys.exit(code)"
    )
    for arguments in (["replay", file, "--print", "--speed", "100"], ["convert", file, file.with_name("b.mcap")]):
        done = subprocess.run(
            [sys.executable, "-c", script, *map(str, arguments)], cwd=ROOT, capture_output=True, timeout=PROCESS
        )
        assert done.returncode == 0, done.stderr


def nameless(recording, folder) -> Path:
    """A plain table that does not say whose it is."""
    path = recording.save(folder / "measured.csv")
    sidecar(path).unlink()
    return path


def test_whose_a_recording_is_has_to_be_said_where_it_does_not_say_so(armature, recording, tmp_path):
    path = nameless(recording, tmp_path)
    code, _, err = armature("replay", path)
    assert code == 2 and len(err) == 1
    assert "measured.csv: the recording does not name its robot; give it with --robot" in err[0]
    assert "lwr4" not in err[0] and "scara" in err[0] and "with 3 joints" in err[0]
    code, _, err = armature("replay", path, "--robot", "puma560")
    assert code == 2 and "--robot: puma560 has 6 joints, measured.csv 3 joints" in err[0]
    code, _, err = armature("replay", path, "--robot", "nobody")
    assert code == 2 and len(err) == 1 and "nobody" in err[0]
    for wrong, says in (("nobody", "no robot of this name"), ("puma560", "puma560 has 6 joints, measured.csv 3 joints")):
        code, out, err = armature("replay", path, "--print", "--robot", wrong)
        assert (code, out, len(err)) == (2, [], 1) and says in err[0]
    code, out, err = armature("replay", path, "--print", "--speed", "1000", "--rate", "10")
    assert code == 0 and not err and len(out) > 2
    gone = {**recording.metadata, "robot": "workshop arm", "source": str(tmp_path / "gone.toml")}
    there = engine.Recording.from_table(recording.table(), recording.joint_names, gone).save(tmp_path / "workshop.npz")
    code, _, err = armature("replay", there)
    assert code == 2 and "workshop arm was not found; give it with --robot" in err[0]


def test_columns_without_numbers_are_told(armature, recording, tmp_path):
    table = recording.table().copy()
    table[200:, 2] = np.nan
    path = engine.Recording.from_table(table, recording.joint_names, recording.metadata).save(tmp_path / "holes.csv")
    line = "holes.csv: not a number (NaN): q.joint2 in 301 of 501 rows, first in row 201 (t = 0.2 s)"
    code, out, err = armature("replay", path, "--print", "--speed", "1000", "--rate", "10")
    assert code == 0 and line in err[0] and len(err) == 1 and "nan" in out[-1]
    drawn = plot(path, tmp_path / "holes.svg")
    assert drawn.returncode == 0 and line in drawn.stderr


# -- simulate --from -------------------------------------------------------------------------------------------------------------


def test_a_recorded_run_is_done_again_as_it_was_and_under_another_law(armature, recording, file, tmp_path):
    code, out, err = armature("simulate", "--from", file)
    assert code == 0 and not err and "scara: swing.npz again, 0.5 s, 501 samples" in out[0]
    assert "none, bit-identical" in out[-1]
    target = tmp_path / "again.csv"
    code, out, err = armature("simulate", "--from", file, "--controller", "pd-gravity", "--frequency", "10", "--record", target)
    assert code == 0 and not err and "again under pd-gravity" in out[0] and "max." in out[-2] and str(target) in out[-1]
    robot = engine.load_robot("scara")
    law = engine.default_gains(robot, "pd-gravity", 10, recording.q[0])
    direct = engine.simulate(robot, recording.q[0], recording.qd[0], 0.5, 1e-3, law)
    made = engine.load_recording(target)
    assert np.array_equal(made.table(), direct.table())
    assert engine.verify_recording(made).identical
    code, out, _ = armature("simulate", "--from", file, "--controller", "none")
    assert code == 0 and "none, bit-identical" in out[-1]  # no motor, as it was


def test_a_run_of_another_processor_that_comes_out_differently_tells_so(armature, recording, tmp_path):
    def told(name, off, *options):
        table = recording.table().copy()
        table[300, 1] += off
        elsewhere = {**recording.metadata, "target": "x86-64-v2"}
        path = engine.Recording.from_table(table, recording.joint_names, elsewhere).save(tmp_path / name)
        code, out, _ = armature("simulate", "--from", path, *options)
        assert code == 0
        return [line.split() for line in out if "x86-64-v2" in line]

    here = recording.metadata["target"]
    (line,) = told("off.npz", 1e-13)
    assert line[:4] == ["processor", "recorded", "with", "x86-64-v2,"] and f"{here};" in line
    assert not told("same.npz", 0.0) and not told("law.npz", 1e-13, "--controller", "pd")


def test_the_robot_can_be_named_where_its_file_has_moved(armature, recording, tmp_path):
    moved = {**recording.metadata, "source": str(tmp_path / "gone.toml")}
    path = engine.Recording.from_table(recording.table(), recording.joint_names, moved).save(tmp_path / "moved.npz")
    code, _, err = armature("simulate", "--from", path, "--controller", "pd")
    assert code == 2 and len(err) == 1 and "gone.toml" in err[0] and "as ROBOT" in err[0]
    assert armature("simulate", "scara", "--from", path, "--controller", "pd")[0] == 0
    code, _, err = armature("simulate", "puma560", "--from", path)
    assert code == 2 and "differs from the recorded robot file" in err[0]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--dt", "0.01"], "--dt cannot be used with --from"),
        (["--duration", "1"], "--duration cannot be used with --from"),
        (["--integrator", "rk4"], "--integrator cannot be used with --from"),
        (["--q0", "home"], "--q0 cannot be used with --from"),
        (["--realtime"], "--realtime cannot be used with --from"),
        (["--frequency", "5"], "--frequency and --unknown-payload need --controller"),
        (["--controller", "magic"], "unknown controller 'magic'"),
        (["--record", "again.txt"], "must be saved as .csv"),
    ],
)
def test_what_does_not_go_with_from_is_one_line(armature, file, options, text):
    code, out, err = armature("simulate", "--from", file, *options)
    assert code == 2 and not out and len(err) == 1 and text in err[0]


def test_without_a_robot_or_what_a_run_was_there_is_nothing_to_simulate(armature, recording, tmp_path):
    code, _, err = armature("simulate", "--duration", "1")
    assert code == 2 and len(err) == 1 and "give a robot" in err[0]
    code, _, err = armature("simulate", "--from", nameless(recording, tmp_path), "--controller", "pd")
    assert code == 2 and len(err) == 1 and "cannot be simulated again" in err[0]


def test_done_again_rows_without_numbers_and_differences_outside_q_are_told(armature, recording, tmp_path):
    def told(name, change):
        table = recording.table().copy()
        change(table)
        path = engine.Recording.from_table(table, recording.joint_names, recording.metadata).save(tmp_path / name)
        code, out, _ = armature("simulate", "--from", path)
        assert code == 0
        return out[-1]

    def blank(table):
        table[100:200, 2] = np.nan

    def other(table):
        table[300, -1] += 0.5

    assert "none in the rows without NaN; 100 of 501 rows not compared" in told("a.npz", blank)
    assert "in potential at t = 0.3 s: 0.5" in told("b.npz", other)
    both = told("c.npz", lambda table: (blank(table), other(table)))
    assert "in potential" in both and "100 of 501 rows not compared" in both


def test_joints_that_are_called_otherwise_are_noted(armature, recording, tmp_path, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    names = ("j1", "j2", "j3")
    path = engine.Recording.from_table(recording.table(), names, {}).save(tmp_path / "other.csv")
    sidecar(path).unlink()
    _, _, err = armature("replay", path, "--robot", "scara")
    assert err[0].endswith(
        "--robot: the joint names differ, j1, j2, j3 in other.csv and joint1, joint2, joint3 in scara; matched by order"
    )
    assert len(err) == 2  # and that there is no display
    assert len(armature("replay", nameless(recording, tmp_path), "--robot", "scara")[2]) == 1


def test_a_law_that_fails_at_once_is_told_without_a_summary_of_no_time(armature, tmp_path):
    law = tmp_path / "law.py"
    law.write_text("def control(t, q, qd, goal, arm, p):\n    return arm.inertia(q)\n")
    code, out, err = armature("simulate", "double_pendulum", "--duration", "1", "--controller", law)
    assert code == 1 and not [line for line in out if line] and "law.py, line 2" in str(err)
