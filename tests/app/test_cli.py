"""The command line: what it prints, how it ends, and that it needs no Qt where it draws nothing."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from armature import engine
from armature.app import cli
from armature.app.commands import simulate as simulate_command
from armature.engine.version import VERSION
from tests.time_limits import PROCESS, wait_until

ROOT = Path(__file__).resolve().parents[2]


def refused(armature, *arguments) -> str:
    """The one line that a bad command line earns."""
    code, out, err = armature(*arguments)
    assert code == 2 and not out and len(err) == 1 and err[0].startswith("armature: "), (code, out, err)
    return err[0].removeprefix("armature: ")


def program(*arguments, **options):
    """The program as a process of its own."""
    command = [sys.executable, "main.py", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PROCESS, **options)


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
    assert ("This robot file has no masses" in text) == (not robot.has_dynamics) == ("mass kg" not in text)


def test_info_shows_the_table_and_the_total_mass(armature):
    text = "\n".join(armature("info", "scara")[1])
    assert re.search(r"joint3 +prismatic +0 +q +0 +3\.1416 +0 +0\.2 ", text)
    assert f"{sum(body.mass for body in engine.load_robot('scara').bodies):.4g} kg" in text


def test_info_has_centres_moments_friction_and_motors_of_every_link(armature):
    text = "\n".join(armature("info", "puma560")[1])
    assert re.search(r"link2 +joint2 +17\.4 +−0\.3638 +0\.006 +0\.2275 +0\.13 +0\.524 +0\.539$", text, re.M)
    assert re.search(r"joint1 +kg·m² +0\.78403 +5\.8018 +24\.731 / 27\.236 +0$", text, re.M)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_keeps_the_recording(tmp_path, number, code):
    path = tmp_path / "a.npz"
    command = [sys.executable, "main.py", "simulate", "scara", "--duration", "60", "--realtime", "--record", path]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        part = tmp_path / "a.npz.part"
        wait_until(lambda: process.poll() is not None or (part.exists() and part.stat().st_size >= 20_000))
        assert process.poll() is None, process.stderr.read()
        process.send_signal(number)
        out, err = process.communicate(timeout=PROCESS)
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
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=PROCESS)
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
        [sys.executable, "main.py", "info", "puma560"], cwd=ROOT, stdout=write, stderr=subprocess.PIPE, timeout=PROCESS
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
    assert refused(armature, "export", "scara", there) == f"{there}: permission denied"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_what_a_full_disk_does_not_take_is_told_in_one_line():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "main.py", "info", "puma560"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, b"armature: the output cannot be written: the disk is full\n")


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
    done = subprocess.run([sys.executable, "-c", PROBE, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=PROCESS)
    assert done.stdout.splitlines()[-1] in ("loaded: 0", "loaded: 2"), done.stderr


def test_a_trajectory_opens_the_robot_that_lies_beside_it(armature, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("armature.app.application.run", lambda *arguments, **_: opened.append(arguments) or 0)
    text = Path(engine.load_robot("scara").source).read_text(encoding="utf-8")
    way = tmp_path / "way.toml"
    plan = engine.Plan((engine.Waypoint(pose="home"),) * 2, 0.5, "once", "way", "", "mine")
    engine.save_plan(plan, way)
    assert "its robot mine" in refused(armature, str(way)) and "mine.toml" in refused(armature, str(way))
    (tmp_path / "mine.toml").write_text(text.replace('"scara"', '"mine"', 1), encoding="utf-8")
    assert armature(str(way))[0] == 0 and opened == [(str(tmp_path / "mine.toml"), str(way))]
