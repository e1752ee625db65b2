"""`armature screenshot`: pictures, and one line for everything that cannot be."""

import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from armature import engine
from armature.app import cli
from armature.app.commands import picture_drawing as screenshot
from armature.app.commands.stop_signals import stopped_by_signals
from armature.app.commands.virtual_screen import run_under_xvfb
from armature.app.scene.camera.camera import STANDARD_VIEWS
from armature.app.scene.overlays.newton_euler.rnea_walk import RneaWalk
from tests.app.scenes import pixels
from tests.time_limits import PROCESS, wait_until

MAIN = Path(__file__).resolve().parents[2] / "main.py"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux runs without a display")


def run(*arguments) -> int:
    return cli.main(["screenshot", *map(str, arguments)])


def picture(path) -> np.ndarray:
    image = QImage(str(path))
    assert not image.isNull()
    return pixels(image)


def test_a_picture_of_the_size_asked_for(qapp, tmp_path):
    out = tmp_path / "puma.png"
    assert run("puma560", out, "--size", "640x400") == 0
    seen = picture(out)
    assert seen.shape == (400, 640, 3)
    assert np.std(seen) > 10


def test_a_full_disk_costs_no_picture_that_was_there(qapp, tiny_disk, capfd):
    out = tiny_disk / "a.png"
    out.write_text("precious")
    (tiny_disk / "filled").write_bytes(bytes(120 << 10))
    assert run("puma560", out, "--size", "640x400") == 2
    assert capfd.readouterr().err == f"armature: {out}: the disk is full\n"
    assert out.read_text() == "precious" and len(list(tiny_disk.iterdir())) == 2


def test_themes_poses_and_joint_values_change_the_picture(qapp, tmp_path):
    options = {"plain": [], "dark": ["--theme", "dark"], "pose": ["--pose", "ready"], "q": ["--q", "-0.5,0.2,-2,0,1,0"]}
    seen = {}
    for name, extra in options.items():
        assert run("puma560", tmp_path / f"{name}.png", "--size", "320x200", *extra) == 0
        seen[name] = picture(tmp_path / f"{name}.png")
    assert seen["dark"].mean() < 90 < 180 < seen["plain"].mean()
    for name in ("pose", "q"):
        assert (np.abs(seen[name] - seen["plain"]).max(axis=2) > 20).mean() > 0.01


@pytest.fixture(scope="module")
def bare(qapp, tmp_path_factory):
    """Pictures of the scara with nothing shown, each drawn once."""

    @cache
    def drawn(*pose) -> np.ndarray:
        out = tmp_path_factory.mktemp("bare") / "bare.png"
        assert run("scara", out, "--size", "480x300", "--show", "", *pose) == 0
        return picture(out)

    return drawn


@pytest.mark.parametrize("what", sorted(set(screenshot.SHOWABLE) - {"trace", "names", "corner"}))
def test_everything_that_can_be_shown_is(bare, tmp_path, what):
    with_it = ["frames", "labels"] if what == "labels" else [what]
    stretched = ["--q", "0.4,0,0.1"] if what == "lost_motion" else []
    assert run("scara", tmp_path / "with.png", "--size", "480x300", "--show", ",".join(with_it), *stretched) == 0
    change = np.abs(picture(tmp_path / "with.png") - bare(*stretched)).max(axis=2) > 15
    assert change.sum() > 60


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody", "out.png"], "puma560"),
        (["puma560", "no/such/folder/out.png"], "does not exist"),
        (["puma560", "out.png", "--pose", "nothing"], "home"),
        (["puma560", "out.png", "--q", "1,2"], "6 joints"),
        (["puma560", "out.png", "--show", "frames,nothing"], "ellipsoid"),
        (["puma560", "out.png", "--size", "big"], "1280x800"),
        (["puma560", "out.png", "--size", "16000x16000"], "million pixels"),
        (["puma560", "out.png", "--view", "behind"], "front, back"),
        (["puma560", "out.png", "--view", "10,91"], "from -90 to 90"),
        (["puma560", "out.png", "--view", "10,20,-1"], "distance"),
        (["puma560", "out.png", "--projection", "fisheye"], "orthographic"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(qapp, tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    told = capsys.readouterr().err.strip()
    assert words in told and "\n" not in told
    assert not list(tmp_path.iterdir())


def test_a_pose_outside_the_limits_is_drawn_and_told_in_one_line(qapp, tmp_path, capsys):
    assert run("scara", tmp_path / "in.png", "--size", "320x200", "--q", "0.1,0.2,0.1") == 0
    assert run("double_pendulum", tmp_path / "free.png", "--size", "320x200", "--q", "90,45") == 0  # turns without limits
    assert not capsys.readouterr().err
    assert run("scara", tmp_path / "out.png", "--size", "320x200", "--q", "90,0,-1") == 0
    told = "joint1 at 90 rad (−2.30383 to 2.30383 rad), joint3 at −1 m (0 to 0.2 m)"
    assert capsys.readouterr().err == f"armature: --q: drawn as given, but outside the joint limits: {told}\n"
    assert picture(tmp_path / "out.png").shape == (200, 320, 3)


def test_a_folder_in_the_way_is_told(qapp, tmp_path, capsys):
    (tmp_path / "out.png").mkdir()
    assert run("rp", tmp_path / "out.png") == 2
    assert "folder" in capsys.readouterr().err


def test_a_transparent_picture_has_nothing_behind_the_arm(qapp, tmp_path):
    out = tmp_path / "clear.png"
    assert run("puma560", out, "--size", "480x300", "--transparent", "--no-caption", "--show", "") == 0
    image = QImage(str(out)).convertToFormat(QImage.Format.Format_RGBA8888)
    alpha = np.frombuffer(image.constBits(), np.uint8).reshape(300, 480, 4)[..., 3]
    assert (alpha[:40, :40] == 0).all() and (alpha == 255).mean() > 0.02 and (alpha == 0).mean() > 0.4


def test_view_projection_and_caption_change_the_picture(qapp, tmp_path):
    options = {
        "plain": [],
        "front": ["--view", "front"],
        "same": ["--view", "-52, 24"],
        "far": ["--view", "-52,24,9"],
        "parallel": ["--projection", "orthographic"],
        "bare": ["--no-caption"],
    }
    seen = {}
    for name, extra in options.items():
        assert run("scara", tmp_path / f"{name}.png", "--size", "320x200", *extra) == 0
        seen[name] = picture(tmp_path / f"{name}.png")
    changed = {name: (np.abs(seen[name] - seen["plain"]).max(axis=2) > 20) for name in options}
    assert not changed["same"].any()
    assert all(changed[name].mean() > 0.01 for name in ("front", "far", "parallel"))
    assert changed["bare"].sum() > 30 and not changed["bare"][:150].any()


@LINUX
def test_without_a_display_a_virtual_one_is_used(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    out = tmp_path / "alone.png"
    command = [sys.executable, str(MAIN), "screenshot", "rp", str(out), "--size", "320x200", "--view=-30,10", "--no-caption"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PROCESS)
    assert (done.returncode, done.stderr) == (0, "")
    assert picture(out).shape == (200, 320, 3)


@LINUX
def test_an_interrupt_ends_the_virtual_display_in_one_line(tmp_path):
    # Replacement for xvfb-run, whose children receive the same keyboard signals.
    script, begun = tmp_path / "xvfb-run", tmp_path / "begun"
    script.write_text(
        f"#!/bin/sh\ntrap 'echo the screen is gone >&2; exit 1' INT\necho > {begun}\nwhile [ -e {begun} ]; do sleep 0.05; done\n"
    )
    script.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    command = [sys.executable, MAIN, "screenshot", "scara", tmp_path / "a.png"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        wait_until(begun.exists)
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate(timeout=PROCESS)[1] == "armature: interrupted\n"
    finally:
        begun.unlink(missing_ok=True)
        process.kill()
    assert process.returncode == 130


@LINUX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_the_virtual_display_starts_leaves_no_process(tmp_path, monkeypatch, number):
    started = []

    class Interrupted(subprocess.Popen):
        """Starts the process, and is interrupted before its caller has it."""

        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            started.append(self)
            signal.raise_signal(number)

    script = tmp_path / "xvfb-run"
    script.write_text("#!/bin/sh\nexec sleep 60\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    with stopped_by_signals(), pytest.raises(KeyboardInterrupt):  # the outer handlers are those of a test that fails
        run_under_xvfb(["screenshot", "scara"])
    ended = started[0].poll() is not None
    started[0].kill()
    assert ended


@LINUX
@pytest.mark.parametrize("display", ["", ":987"])
def test_without_display_and_xvfb_one_line_says_what_to_do(tmp_path, display):
    environment = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
    environment |= {"DISPLAY": display, "PATH": str(tmp_path)}
    command = [sys.executable, str(MAIN), "screenshot", "rp", str(tmp_path / "out.png")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PROCESS)
    assert done.returncode == 2
    assert "xvfb" in done.stderr and done.stderr.count("\n") == 1


def test_a_lost_motion_is_explained_in_the_caption(qapp, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr("armature.app.scene.picture.draw_caption", lambda *arguments: told.append(arguments[4]))
    for q in ("0.4,0,0.1", "0.4,1,0.1"):
        assert run("scara", tmp_path / "out.png", "--size", "320x200", "--show", "lost_motion", "--q", q) == 0
    assert "Elbow stretched: axes 1, 2 and the tool are coplanar" in told[0]
    assert told[1].endswith(")")  # a regular pose has nothing to explain


def test_a_step_of_the_dh_walk(qapp, tmp_path, capsys):
    for name, extra in {"none": [], "half": ["--dh-step", "8.5"], "whole": ["--dh-step", "9"]}.items():
        assert run("puma560", tmp_path / f"{name}.png", "--size", "480x300", "--show", "grid", *extra) == 0
    seen = {name: picture(tmp_path / f"{name}.png") for name in ("none", "half", "whole")}
    for one, other in (("none", "half"), ("half", "whole")):
        assert (np.abs(seen[one] - seen[other]).max(axis=2) > 30).sum() > 100
    assert run("puma560", tmp_path / "far.png", "--dh-step", "24.5") == 2
    assert "24 steps" in capsys.readouterr().err and not (tmp_path / "far.png").exists()
    for bad in ("nan", "-1", "two"):
        assert run("puma560", tmp_path / "far.png", f"--dh-step={bad}") == 2
    assert capsys.readouterr().err.count("\n") == 3


def test_the_arrows_of_newton_euler_are_in_the_picture(qapp):
    robot = engine.load_robot("puma560")
    q, still = robot.configurations["home"], np.zeros(6)
    walk, sketch = RneaWalk(robot, q, still, still), screenshot.arm_picture(robot, q, False)
    try:
        for number in range(walk.count + 1):
            sketch.view.set_rnea_step(walk.moment(float(number)))
            sketch.look(*STANDARD_VIEWS["iso"], None, False)
            sketch.view.fit()
            camera = sketch.view.camera
            across, down = camera.project(sketch.view.stage.explanations.rnea_step.ends)[:, :2].T
            assert (across > 0).all() and (across < camera.width).all() and (down > 0).all() and (down < camera.height).all()
    finally:
        sketch.close()


def test_a_step_of_newton_euler(qapp, tmp_path, capsys):
    moving = ["--qd", "0.5,0.5,0,0,0,1", "--qdd", "1,0,0,0,0,0"]
    for name, extra in {"none": [], "rest": ["--rnea-step", "2"], "motion": ["--rnea-step", "2", *moving]}.items():
        assert run("puma560", tmp_path / f"{name}.png", "--size", "480x300", "--show", "grid", *extra) == 0
    seen = {name: picture(tmp_path / f"{name}.png") for name in ("none", "rest", "motion")}
    for one, other in (("none", "rest"), ("rest", "motion")):
        assert (np.abs(seen[one] - seen[other]).max(axis=2) > 30).sum() > 100
    assert run("puma560", tmp_path / "far.png", "--rnea-step", "18.5") == 2
    assert "18 steps" in capsys.readouterr().err
    assert run("irb140", tmp_path / "far.png", "--rnea-step", "2") == 2
    assert "has no masses" in capsys.readouterr().err
    assert run("puma560", tmp_path / "far.png", "--rnea-step", "2", "--qd", "1") == 2
    assert "--qd" in capsys.readouterr().err and not (tmp_path / "far.png").exists()
    for name in ("--qd", "--qdd"):
        assert run("puma560", tmp_path / "far.png", name, "1,0,0,0,0,0") == 2
        assert f"{name} is only valid with --rnea-step" in capsys.readouterr().err and not (tmp_path / "far.png").exists()


def test_the_gizmo_after_a_drag_and_the_workspace_cut_open(qapp, tmp_path):
    seen = {}
    for name, extra in {
        "plain": [],
        "drag": ["--drag", "x=0.05"],
        "whole": ["--workspace", "voxels"],
        "cut": ["--workspace", "voxels,y,0.4"],
    }.items():
        assert run("scara", tmp_path / f"{name}.png", "--size", "320x200", "--show", "grid", *extra) == 0
        seen[name] = picture(tmp_path / f"{name}.png")
    for first, second in (("plain", "drag"), ("plain", "whole"), ("whole", "cut")):
        assert (np.abs(seen[first] - seen[second]).max(axis=2) > 20).mean() > 0.005


def test_the_workspace_in_a_cell_without_contacts(qapp, tmp_path):
    wall = engine.Cell().with_object("wall", "box", size=(0.02, 2.0, 2.0), xyz=(0.2, 0.0, 0.0))
    cell, size = engine.save_cell(wall, tmp_path / "wall.toml"), ("--size", "320x200")
    shown = []
    for extra in ([], ["--without-contacts"]):
        assert run("scara", tmp_path / "out.png", *size, "--workspace", "voxels", "--view", "90,0", "--cell", cell, *extra) == 0
        shown.append(picture(tmp_path / "out.png").astype(int))
    assert (np.abs(shown[0] - shown[1]).max(axis=2) > 20).mean() > 0.005


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--drag", "q=1"], "is not a displacement"),
        (["--drag", "x=nan"], "is not a displacement"),
        (["--drag", "rx=10"], "along 'rx'"),
        (["--drag", "x=3"], "cannot reach"),
        (["--workspace", "cubes"], "not a workspace style"),
        (["--workspace", "points,y,1.5"], "not a workspace style"),
        (["--without-contacts"], "--without-contacts is only valid with --workspace"),
    ],
)
def test_drags_and_workspaces_that_cannot_be(tmp_path, capsys, arguments, words):
    assert run("scara", tmp_path / "out.png", *arguments) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") <= 2
