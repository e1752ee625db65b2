"""Trajectory files: what they say is what happens, and whatever is wrong in one is told in one line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Literal, get_args, get_origin

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armature import engine
from armature.engine.trajectory.plan_file import plan_text

SHIPPED = Path(engine.__file__).parents[1] / "assets" / "trajectories"
HEAD = 'name = "way"\n'
HOME = '[[waypoints]]\npose = "home"\n'
TWO = HEAD + HOME + "[[waypoints]]\n"


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_what_ships_runs_within_all_limits(path):
    robot = engine.load_robot(path.stem.rsplit("_", 1)[1])
    trajectory = engine.load_trajectory(path, robot)
    assert engine.check_limits(robot, trajectory, torque=True) is None


def test_a_plan_is_read_back_as_it_was_written(puma, tmp_path):
    X = engine.frame_pose(puma, puma.configurations["home"]).copy()
    X[0, 3] += 0.05
    plan = engine.Plan(
        (
            engine.Waypoint(pose="home", dwell=0.25),
            engine.Waypoint(q=puma.configurations["home"] + 0.1, kind="time-optimal"),
            engine.Waypoint(
                X_WT=X, kind="line", law="trapezoidal", duration=1.5, dwell=1.0, grasp=engine.Payload(0.851, [0, 0, 0.1])
            ),
            engine.Waypoint(pose="home", kind="arc", through=X[:3, 3] + [0, 0.02, 0.05]),
            engine.Waypoint(q=puma.configurations["home"], kind="spline", release=True),
        ),
        speed=0.5,
        repeat="loop",
        name="näme",
        description='quotes " and \\ stay',
        robot_name="puma560",
        tool_limits=engine.ToolLimits(speed=0.3, angular_jerk=12.5),
    )
    path = engine.save_plan(plan, tmp_path / "plan.toml")
    again = engine.load_plan(path, puma)
    assert plan_text(again).splitlines()[:5] == plan_text(plan).splitlines()[:5]
    assert again.tool_limits == plan.tool_limits
    a, b = plan.trajectory(puma), again.trajectory(puma)
    np.testing.assert_allclose(a.breaks, b.breaks, atol=1e-9)
    t = np.linspace(0, a.duration, 500)
    np.testing.assert_allclose(a.sample(t)[0], b.sample(t)[0], atol=1e-7)
    assert [p and p.mass for _, p in b.payloads] == [0.851, None]
    np.testing.assert_allclose([t for t, _ in b.payloads], [t for t, _ in a.payloads])
    assert not list(tmp_path.glob("*.part"))


def test_a_folder_that_is_gone(puma, tmp_path):
    plan = engine.Plan((engine.Waypoint(pose="home", dwell=1.0),))
    with pytest.raises(engine.TrajectoryError, match="cannot be written"):
        engine.save_plan(plan, tmp_path / "gone" / "plan.toml")
    with pytest.raises(engine.TrajectoryError, match=r"must be \.toml"):
        engine.save_plan(plan, tmp_path / "plan.csv")


BAD = {
    "empty": ("", "is empty; a trajectory file needs name and [[waypoints]]"),
    "no toml": ("name = ", "is not TOML"),
    "no name": (HOME, "name: missing; give the trajectory a name"),
    "no waypoints": (HEAD, "waypoints: missing"),
    "no list": (HEAD + "[waypoints]\nq = 1", "waypoints: must be 1 to 1000 tables"),
    "unknown key": (HEAD + HOME + "dwel = 1", "waypoints[0].dwel: unknown key; did you mean dwell?"),
    "unknown key at the top": ("speeed = 1\n" + HEAD + HOME, "speeed: unknown key; did you mean speed?"),
    "unknown payload key": (TWO + 'pose = "zero"\ngrasp = { weight = 1 }', "waypoints[1].grasp.weight: unknown key"),
    "no mass": (TWO + 'pose = "zero"\ngrasp = { com = [0, 0, 0] }', "waypoints[1].grasp.mass: missing"),
    "negative mass": (TWO + 'pose = "zero"\ngrasp = { mass = -1 }', "waypoints[1].grasp.mass: must be more than 0"),
    "no body's inertia": (TWO + 'pose = "zero"\ngrasp = { mass = 1, inertia = [1, 1, 9] }', "physically inconsistent"),
    "no place": (TWO + "dwell = 1", "waypoints[1]: has no target: give one of q, q_deg, pose, tool"),
    "two places": (TWO + 'pose = "zero"\nq = [0, 0, 0, 0, 0, 0]', "duplicates"),
    "unknown pose": (TWO + 'pose = "sleep"', "waypoints[1].pose: puma560 has no pose 'sleep'; valid are"),
    "too few": (TWO + "q = [0, 0]", "waypoints[1].q: has 2 values, must have 6, one for each of joint1"),
    "no number": (TWO + "q = [0, 0, true, 0, 0, 0]", "waypoints[1].q[2]: must be a number, got true"),
    "out of limits": (TWO + "q_deg = [170, 0, 0, 0, 0, 0]", "waypoints[1].q_deg: moves joint1 to 2.96706, outside its limits"),
    "kind": (TWO + 'pose = "zero"\nkind = "jump"', "waypoints[1].kind: must be"),
    "arc without a point": (TWO + 'pose = "zero"\nkind = "arc"', "waypoints[1].through: missing; an arc needs a point"),
    "point without an arc": (TWO + 'pose = "zero"\nthrough = [0, 0, 0]', 'waypoints[1].through: is for kind = "arc" only'),
    "law of a spline": (TWO + 'pose = "zero"\nkind = "spline"\nlaw = "quintic"', "waypoints[1].law: is for"),
    "no duration": (TWO + 'pose = "zero"\nduration = 0', "waypoints[1].duration: must be a time of more than 0"),
    "dwell": (TWO + 'pose = "zero"\ndwell = -1', "waypoints[1].dwell: must be a time of 0 to 1e5 s"),
    "both": (TWO + 'pose = "zero"\ngrasp = { mass = 1 }\nrelease = true', "waypoints[1].release: contradicts grasp"),
    "speed": (HEAD + "speed = 2\n" + HOME, "speed: must be a fraction of the limits, 0.01 to 1, got 2"),
    "no speed": (HEAD + HOME + "[tool_limits]\nspeed = 0", "tool_limits.speed: must be more than 0, got 0"),
    "unknown limit": (HEAD + HOME + "[tool_limits]\nspeeed = 1", "tool_limits.speeed: unknown key; did you mean speed?"),
    "no table": (HEAD + "tool_limits = 1\n" + HOME, "tool_limits: must be a table, got 1"),
    "another robot": (HEAD + 'robot = "panda"\n' + HOME, "robot: the trajectory is for panda, not for puma560"),
    "skewed tool": (
        TWO + "tool = { xyz = [0, 0, 0], quaternion = [1, 1, 0, 0] }",
        "waypoints[1].tool.quaternion: must have length 1",
    ),
    "out of reach": (
        TWO + "tool = { xyz = [9, 0, 0] }",
        "waypoint 2: the tool pose cannot be reached: unreachable: the target is",
    ),
    "unreachable line": (TWO + 'kind = "line"\ntool = { xyz = [0.6, -0.15, 9] }', "waypoint 2: puma560: the tool cannot follow"),
    "nothing": (HEAD + HOME, "no motion and no dwell"),
}


@pytest.mark.parametrize("name", BAD)
def test_whatever_is_wrong_is_told_in_one_line(name, puma, tmp_path):
    text, words = BAD[name]
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(engine.TrajectoryError) as caught:
        engine.load_trajectory(path, puma)
    message = str(caught.value)
    assert words in message and "bad.toml" in message and message.isprintable() and len(message) < 1000, message


def test_files_that_are_none(puma, tmp_path):
    binary = tmp_path / "b.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, words in (
        (tmp_path / "none.toml", "file not found"),
        (tmp_path, "folder; give a trajectory file"),
        (binary, "UTF-8"),
    ):
        with pytest.raises(engine.TrajectoryError, match=words):
            engine.load_trajectory(path, puma)


GOOD = (SHIPPED / "pick_place_puma560.toml").read_bytes()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.integers(0, len(GOOD) - 1), st.binary(max_size=6), st.integers(0, 40))
def test_a_damaged_file_gives_a_plan_or_one_line(puma, tmp_path, where, junk, cut):
    path = tmp_path / "fuzz.toml"
    path.write_bytes(GOOD[:where] + junk + GOOD[where + cut :])
    try:
        engine.load_plan(path, puma)
    except engine.TrajectoryError as error:
        assert str(error).isprintable() and len(str(error)) < 1000


PAGE = (SHIPPED / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("k", range(PAGE.count("```toml\n")))
def test_examples_of_the_page_run(k, tmp_path):
    path = tmp_path / "example.toml"
    path.write_text(PAGE.split("```toml\n")[k + 1].split("```")[0], encoding="utf-8")
    robot = engine.load_robot(tomllib.loads(path.read_text(encoding="utf-8")).get("robot", "puma560"))
    trajectory = engine.load_trajectory(path, robot)
    assert trajectory.duration > 1 and engine.check_limits(robot, trajectory, torque=True) is None


def test_the_page_documents_every_key_and_every_word():
    from armature.engine.model.file_entries import PoseEntry, ToolLimitsEntry
    from armature.engine.trajectory.plan_file import PayloadEntry, PlanFile, WaypointEntry

    for table in (PlanFile, WaypointEntry, PayloadEntry, PoseEntry, ToolLimitsEntry):
        for key, field in table.model_fields.items():
            assert re.search(rf"`\[*{key}\]*`", PAGE), key
            for word in get_args(field.annotation) if get_origin(field.annotation) is Literal else ():
                assert f'`"{word}"`' in PAGE, word
    whole = engine.ToolLimits(speed=0.1).whole()
    assert (whole.acceleration, whole.jerk) == (pytest.approx(0.4), pytest.approx(4.0))  # as the page says


def test_an_older_file_opens_as_it_did(puma, tmp_path):
    path = tmp_path / "older.toml"
    path.write_text(HEAD + HOME, encoding="utf-8")
    assert engine.load_plan(path, puma).tool_limits == engine.ToolLimits()
    assert "tool_limits" not in plan_text(engine.load_plan(path, puma))
