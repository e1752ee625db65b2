"""Public values go to other processes and are copied, and are the same there: their numbers to the last bit, and as read-only."""

from __future__ import annotations

import copy
import inspect
import multiprocessing
import pickle
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from armature import engine
from armature.engine.control.own_law.own_disturbance import disturbance_from_text
from armature.engine.control.own_law.own_law import law_from_text
from armature.engine.simulation.pull import Pull
from armature.engine.simulation.snapshot import snapshot_of
from armature.engine.simulation.stepper import Stepper
from tests.engine.test_simulation_coupled import gripper_arm

Q = np.array([0.1, -0.4, 0.3, 0.2, 0.5, -0.6])


@cache
def puma() -> engine.Robot:
    return engine.load_robot("puma560")


@cache
def run() -> engine.Recording:
    return engine.simulate(puma(), Q, None, 0.02, 1e-3, engine.default_gains(puma(), "pid"))


@cache
def reach() -> engine.Workspace:
    return engine.workspace(puma(), 64)


@cache
def way() -> engine.Trajectory:
    return engine.quintic(Q, Q + 0.2, 1.0)


def snapshot():
    stepper = Stepper(puma(), Q, ledger=True)
    stepper.set_pull(Pull(5, np.zeros(3), np.array([0.5, 0.0, 0.5]), 100.0, 1.0))
    status = {"real_time_factor": 0.0, "running": False, "speed": 1.0, "recording": None, "rows": 0}
    return snapshot_of(stepper, stepper.sample(), True, **status)


def gripper() -> engine.Robot:
    with TemporaryDirectory() as folder:
        return gripper_arm(Path(folder))


def law(t, q, qd, q_d):
    return q_d - q


LAW = """def control(t, q, qd, goal, arm, p):
    return p.kp * (goal.q - q) - qd


control.p = {"kp": (0.0, 10.0, 5.0)}
"""
GUST = """def disturbance(t, q, qd, p):
    return [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
"""


@cache
def identification() -> engine.Identification:
    arm = engine.load_robot("rp")
    way = engine.exciting_trajectory(arm, duration=4.0, harmonics=3)
    run = engine.simulate(arm, way.start, None, 4.0, 1e-3, engine.default_gains(arm, "pid"), trajectory=way)
    return engine.identify(run, arm)


def far_away() -> np.ndarray:
    X_WT = np.eye(4)
    X_WT[0, 3] = 9.0
    return X_WT


def ball() -> engine.Cell:
    return engine.Cell(name="ball").with_object("ball", "sphere", radius=0.05, xyz=engine.frame_pose(puma(), Q)[:3, 3])


MAKERS = {
    "Robot": puma,
    "DHDescription": lambda: engine.dh_from_robot(puma()),
    "RobotDraft": lambda: engine.draft_of(puma()).with_value(("joints", 1, "a"), 0.5),
    "IKResult": lambda: engine.ik(puma(), engine.frame_pose(puma(), Q), Q),
    "Branch": lambda: engine.ik_all(puma(), engine.frame_pose(puma(), Q))[0],
    "LagrangeSteps": lambda: engine.lagrange_steps(puma(), Q, Q, Q),
    "RneaSteps": lambda: engine.rnea_steps(puma(), Q, Q, Q),
    "Equations": lambda: engine.equations(engine.load_robot("rp")),
    "Formula": lambda: engine.equations(puma(), 0.01).M,
    "LagrangeTerms": lambda: engine.lagrange_terms(puma(), Q, Q),
    "BaseParameters": lambda: engine.base_parameters(engine.load_robot("double_pendulum")),
    "RneaDerivatives": lambda: engine.rnea_derivatives(puma(), Q, Q, Q),
    "ForwardDerivatives": lambda: engine.forward_dynamics_derivatives(puma(), Q, Q, Q),
    "StaticWrench": lambda: engine.statics_wrench(puma(), Q, Q),
    "Singularity": lambda: engine.singularity(puma(), 0 * Q),
    "Cause": lambda: engine.singularity(puma(), 0 * Q).causes[0],
    "NearestSingularity": lambda: engine.nearest_singularity(puma(), Q),
    "SingularityMap": lambda: engine.singularity_map(puma(), Q, 1, 2, resolution=8),
    "SingularFamily": lambda: engine.singular_families(engine.load_robot("double_pendulum"), starts=16)[0],
    "SingularSurfaces": lambda: engine.singular_surfaces(engine.load_robot("double_pendulum")),
    "SingularSurface": lambda: engine.singular_surfaces(engine.load_robot("double_pendulum")).surfaces[0],
    "Crossing": lambda: engine.cross_singularity(puma(), 0 * Q, duration=0.2),
    "Collision": lambda: engine.collision(puma(), Q),
    "Contact": lambda: engine.collision(puma(), Q, margin=10.0).pairs[0],
    "CollisionPairs": lambda: engine.collision_pairs(puma(), 64),
    "FreeRanges": lambda: engine.free_ranges(puma(), Q, ball()),
    "Cell": ball,
    "CellObject": lambda: ball()["ball"],
    "TrajectoryContacts": lambda: engine.check_trajectory(puma(), way(), ball()),
    "FirstContact": lambda: engine.check_trajectory(puma(), way(), ball()).first_contact,
    "Finding": lambda: engine.examine(puma())[0],
    "CheckResult": lambda: next(engine.check(engine.load_robot("double_pendulum"), 2)),
    "Workspace": reach,
    "ReachVolume": lambda: engine.reach_volume(reach()),
    "VoxelGrid": lambda: engine.voxel_grid(reach()),
    "Trajectory": way,
    "MotionLimits": lambda: engine.MotionLimits.of(puma()),
    "ToolLimits": lambda: engine.ToolLimits(speed=0.25),
    "Payload": lambda: engine.Payload(1.0, [0, 0, 0.1]),
    "Waypoint": lambda: engine.Waypoint(q=Q, grasp=engine.Payload(1.0)),
    "Plan": lambda: engine.Plan((engine.Waypoint(q=Q), engine.Waypoint(pose="home", release=True))),
    "Violation": lambda: engine.check_limits(puma(), engine.quintic(Q, Q + 4, 1.0)),
    "Controller": engine.Controller,
    "ConstantTorque": lambda: engine.ConstantTorque(Q),
    "PD": lambda: engine.default_gains(puma(), "pd"),
    "PID": lambda: engine.default_gains(puma(), "pid"),
    "PDGravity": lambda: engine.default_gains(puma(), "pd-gravity"),
    "ComputedTorque": lambda: engine.default_gains(puma(), "computed-torque"),
    "Impedance": lambda: engine.default_gains(puma(), "impedance"),
    "ResolvedRate": lambda: engine.default_gains(puma(), "resolved-rate"),
    "GravityCompensation": engine.GravityCompensation,
    "PythonLaw": lambda: engine.PythonLaw(law, period=0.01),
    "OwnLaw": lambda: law_from_text(LAW, "law"),
    "OwnDisturbance": lambda: disturbance_from_text(GUST, "gust"),
    "Sensors": lambda: engine.Sensors(counts=4096, torque_noise=0.1, delay=0.002),
    "SingularityMet": lambda: engine.singularities_met(run(), puma(), 1.01)[0],
    "TorqueResiduals": lambda: engine.torque_residuals(run(), puma()),
    "Excitation": lambda: engine.excitation(puma(), way()),
    "Identification": identification,
    "Demonstration": lambda: engine.demonstrated_trajectory(puma(), np.arange(3.0), [Q, Q + 0.2, Q + 0.2]),
    "ArmComparison": lambda: engine.compare(puma(), puma(), way()),
    "ComparisonRow": lambda: engine.compare(puma(), puma())["reach"],
    "LoadComparison": lambda: engine.compare_loads(
        puma(), replace(way(), payloads=((0.5, engine.Payload(1.0)),)), engine.default_gains(puma(), "pd-gravity"), 0.01
    ),
    "Recording": run,
    **{
        name: (lambda kind=kind: kind("joint elbow: wrong"))
        for name in engine.__all__
        if isinstance(kind := getattr(engine, name), type)
        and issubclass(kind, engine.EngineError)
        and kind is not engine.SingularMassMatrixError
    },
    "SingularMassMatrixError": lambda: engine.SingularMassMatrixError("joint elbow moves no inertia", 2),
}
MORE = {
    "a robot with mimic joints, meshes and a payload": lambda: (
        engine.load_robot("panda").with_payload(1.0).without_friction(["joint1"])
    ),
    "a Frame": lambda: puma().frame(),
    "many IKResults": lambda: engine.ik(puma(), [np.eye(4), far_away()]),
    "many StaticWrenches": lambda: engine.statics_wrench(puma(), [Q, Q], [Q, Q]),
    "a Recording along a trajectory": lambda: engine.simulate(puma(), Q, None, 0.01, 1e-3, trajectory=way()),
    "a Reproduction": lambda: engine.verify_recording(run()),
    "a Snapshot": snapshot,
    "a determinant": lambda: engine.equations(puma()).det_J,
}
TRIPS = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "pickle 2": lambda value: pickle.loads(pickle.dumps(value, 2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def test_every_public_type_is_among_those_tried():
    kinds = {name for name in engine.__all__ if isinstance(getattr(engine, name), type)}
    assert kinds - set(MAKERS) == {"Cancelled", "View"}  # raised without a value; a window of another process
    assert set(MAKERS) <= kinds


@cache
def made_once(name):
    """The value of that name, which every trip leaves as it is."""
    return (MAKERS | MORE)[name]()


@pytest.mark.parametrize("trip", TRIPS)
@pytest.mark.parametrize("name", [*MAKERS, *MORE])
def test_a_copy_is_the_same_to_the_last_bit_and_as_read_only(name, trip):
    value = made_once(name)
    made = TRIPS[trip](value)
    assert type(made) is type(value) and made is not value
    assert differences(value, made) == []


def test_all_of_them_go_to_another_process_and_back():
    values = {name: made_once(name) for name in MAKERS | MORE}
    with other_process() as pool:
        back = {name: pool.submit(same, value) for name, value in values.items()}
        assert {name: differences(values[name], one.result()) for name, one in back.items()} == {name: [] for name in values}


def test_a_robot_computes_the_same_in_another_process_and_errors_come_back():
    with other_process() as pool:
        q = np.random.default_rng(7).uniform(-2, 2, (50, 6))
        there = pool.submit(engine.frame_pose, puma(), q).result()
        assert np.array_equal(there, engine.frame_pose(puma(), q))
        ran = pool.submit(engine.simulate, puma(), Q, None, 0.02, 1e-3, engine.default_gains(puma(), "pid")).result()
        assert np.array_equal(ran.table(), run().table())
        with pytest.raises(engine.SingularMassMatrixError, match="no inertia") as caught:
            pool.submit(fail).result()
        assert caught.value.joint == 2
        assert pool.submit(same, 1).result() == 1  # the pool survived


def test_what_was_read_only_refuses_to_be_written_to_afterwards():
    robot, recording = pickle.loads(pickle.dumps((puma(), run())))
    for array in (robot.q_min, robot.packed, robot.configurations["home"], robot.frame().X_BF, recording.q):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(TypeError):
        robot.frames["tool"] = None
    with pytest.raises(TypeError):
        recording.metadata["robot"] = "other"


def same(value):
    return value


def fail():
    raise engine.SingularMassMatrixError("joint 3 moves no inertia", 2)


def other_process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))


def differences(a, b, where: str = "it", seen: frozenset[int] = frozenset()) -> list[str]:
    """Where two values differ, arrays in bytes, shape and flags, everything else as it compares."""
    if id(a) in seen:
        return []
    seen = seen | {id(a)}
    if type(a) is not type(b):
        return [f"{where}: {type(a)} became {type(b)}"]
    if isinstance(a, np.ndarray):
        facts = [(x.dtype, x.shape, x.tobytes(), x.flags.writeable) for x in (a, b)]
        return [] if facts[0] == facts[1] else [where]
    if is_dataclass(a):
        names = [item.name for item in fields(a) if not item.name.startswith("_")]
        worked_out = [
            name
            for name, _ in inspect.getmembers(type(a), lambda x: isinstance(x, (property, cached_property)))
            if name[0] != "_"
        ]
        inner = [(name, getattr(a, name), getattr(b, name)) for name in [*names, *worked_out]]
    elif isinstance(a, Mapping):
        if list(a) != list(b):
            return [f"{where}: other keys"]
        inner = [(key, a[key], b[key]) for key in a]
    elif isinstance(a, (tuple, list)):
        inner = (
            [(k, *pair) for k, pair in enumerate(zip(a, b, strict=True))] if len(a) == len(b) else [("length", len(a), len(b))]
        )
    elif isinstance(a, Exception):
        inner = [("text", str(a), str(b)), ("args", a.args, b.args), ("figures", vars(a), vars(b))]
    else:
        return [] if a == b or a != a else [f"{where}: {a!r} became {b!r}"]
    return [text for name, x, y in inner for text in differences(x, y, f"{where}.{name}", seen)]
