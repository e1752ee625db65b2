"""Wrong arguments of public functions are one line that names the argument, what came and what is valid."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest

from armature import engine
from armature.engine import Payload, Plan, Waypoint

ARM = engine.load_robot("puma560")
OTHER = engine.load_robot("panda")
HOME = Waypoint(pose="home")
Q = ARM.configurations["home"]


def pickle_trip(value):
    return pickle.loads(pickle.dumps(value))


def simulate(**options):
    return engine.simulate(ARM, Q, None, 0.01, 1e-3, **options)


def imported(*arguments, **options):
    return engine.import_log("ur5", *arguments, **options)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: engine.frame_pose("puma560", Q), "frame_pose: robot must be a Robot, got 'puma560'; load_robot('puma560')"),
        (lambda: engine.jacobian(q=Q, robot="puma560"), "jacobian: robot must be a Robot, got 'puma560'; load_robot('puma560')"),
        (lambda: engine.ik("puma560", np.eye(4)), "ik: robot must be a Robot, got 'puma560'; load_robot('puma560')"),
        (lambda: engine.collision(ARM, Q, "table"), 'cell must be a Cell, such as load_cell("table") or None, got \'table\''),
        (lambda: engine.free_ranges(ARM, Q, 3), 'free_ranges: cell must be a Cell, such as load_cell("table") or None, got 3'),
        (lambda: engine.ik(ARM, engine.frame_pose(ARM, Q), Q, cell="table"), 'ik: cell must be a Cell, such as load_cell("'),
        (lambda: engine.rnea(None, Q, Q, Q), "rnea: robot must be a Robot, got None"),
        (lambda: engine.mass_matrix(Q, ARM), "mass_matrix: robot must be a Robot, got array("),
        (lambda: simulate(trajectory="x"), "simulate: trajectory must be a Trajectory or None, got 'x'"),
        (lambda: simulate(model="panda"), "simulate: model must be a Robot or None, got 'panda'; load_robot('panda')"),
        (lambda: simulate(changes=Payload(1.0)), "simulate: changes must be a list, got Payload("),
        (lambda: imported(None), "import_log: robot must be a Robot or a string, got None"),
        (lambda: imported("ur5", columns="q"), "import_log: columns must be a mapping such as a dict or None, got 'q'"),
        (lambda: imported("ur5", period="x"), "import_log: period must be a number or None, got 'x'"),
        (lambda: Plan([HOME]).trajectory("puma560"), "robot must be a Robot, as load_robot returns it, got 'puma560'"),
        (lambda: Plan([1, 2]), "waypoints[0] must be a Waypoint such as Waypoint(pose='home'), got 1"),
        (lambda: Plan("home"), "waypoints must be a list of Waypoint, got 'home'"),
        (lambda: Plan([HOME], speed="1"), "a fraction of the limits, 0.01 to 1, got '1'"),
        (lambda: Waypoint("home"), "must be an array of numbers, got 'home'; for a named pose use Waypoint(pose='home')"),
        (lambda: Waypoint(pose=3), "pose must be the name of a configuration such as 'home', got 3"),
        (lambda: Waypoint(pose="home", dwell="x"), "a dwell must be 0 to 1e5 s, got 'x'"),
        (lambda: Waypoint(pose="home", duration="2"), "above 0 and at most 1e5 s, got '2'"),
        (lambda: Waypoint(pose="zero", grasp=1.2), "grasp must be a Payload such as Payload(1.2), got 1.2"),
        (lambda: engine.load_robot(3), 'load_robot: path must be a path or the name of a robot such as "puma560", got 3'),
        (lambda: Payload(-1), "Payload: mass must be a finite number ≥ 0 kg, got -1"),
        (lambda: Payload("1.2"), "Payload: mass must be a finite number ≥ 0 kg, got '1.2'"),
        (lambda: Payload(1.0, inertia=np.diag([1, 1, 5])), "principal moments 1, 1, 5"),
        (lambda: ARM.with_payload(1.0, inertia=np.diag([1, 1, 5])), "principal moments 1, 1, 5"),
        (lambda: ARM.with_payload(Payload(1.2, [0, 0, 0.1]), [0, 0, 1]), "com and inertia are part of the Payload"),
        (lambda: engine.frame_pose(ARM, Q + 1j), "q is not an array of real numbers"),
        (lambda: engine.frame_pose(ARM, Q, OTHER.frames["tool"]), "the frame belongs to another robot; valid are"),
        (lambda: engine.frame_pose(ARM, Q, ["tool"]), "unknown frame ['tool']; valid are"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_one_line(call, says):
    with pytest.raises(engine.EngineError) as problem:
        call()
    assert says in str(problem.value) and "\n" not in str(problem.value)


def test_a_frame_of_the_robot_is_as_good_as_its_name():
    for arm in (ARM, pickle_trip(ARM)):
        assert np.array_equal(engine.jacobian(ARM, Q, arm.frames["tool"]), engine.jacobian(ARM, Q, "tool"))


@pytest.mark.parametrize("trip", [lambda arm: arm, copy.deepcopy, pickle_trip], ids=["itself", "copy", "pickle"])
def test_an_unknown_name_lists_close_ones(trip):
    arm = trip(ARM)
    with pytest.raises(KeyError, match=r"unknown name 'tol': did you mean tool\? valid are .*world"):
        arm.frames["tol"]
    with pytest.raises(KeyError, match=r"unknown name 'hom': did you mean home\? valid are .*zero"):
        arm.configurations["hom"]
    assert arm.frames.get("tol") is None and "tol" not in arm.frames
    with pytest.raises(TypeError):
        arm.frames["tol"] = arm.frames["tool"]


DEEP = "<mujoco><worldbody>" + '<body name="b"><joint/>' * 300 + "</body>" * 300 + "</worldbody></mujoco>"
XACRO = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="ur_type"/><link name="a"/></robot>'


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("deep.xml", DEEP, "line 1: elements are nested more than 256 deep, the maximum"),
        ("r.urdf.xacro", XACRO, "xacro:arg 'ur_type': missing attribute 'default'"),
    ],
    ids=["depth", "argument"],
)
def test_a_robot_file_is_refused_in_words_of_the_file(tmp_path, name, text, says):
    (tmp_path / name).write_text(text)
    with pytest.raises(engine.ModelError) as problem:
        engine.load_robot(tmp_path / name)
    assert says in str(problem.value) and "XML_PARSE_HUGE" not in str(problem.value)


def test_what_a_caller_does_wrong_elsewhere_is_left_as_it_is():
    """An error inside of a function of the user, and a call of other arguments, keep Python's own words."""
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        engine.frame_pose(ARM)
    with pytest.raises(ZeroDivisionError):
        engine.import_log("ur5", ARM, progress=lambda done, total: 1 / 0)


def test_a_public_function_is_pickled_and_read_as_its_own():
    assert pickle.loads(pickle.dumps(engine.frame_pose)) is engine.frame_pose
    assert list(inspect.signature(engine.frame_pose).parameters) == ["robot", "q", "frame"]
