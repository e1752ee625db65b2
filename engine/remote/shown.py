"""Convert the arguments of `show` to orders for the window."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.errors import ViewError
from armature.engine.kinematics.poses import frame_pose
from armature.engine.model.load_robot import load_robot
from armature.engine.model.robot import Robot
from armature.engine.model.xacro.xacro_place import file_of
from armature.engine.reach.sampled_workspace import Workspace
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_formats import SUFFIXES
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.recording.recording_reader import load_recording
from armature.engine.remote.messages import OpenFile, OpenRobot, ShowPath, ShowSurfaces, ShowWorkspace, Surface
from armature.engine.singularities.singular_surfaces import SingularSurfaces
from armature.engine.trajectory.plan import Plan
from armature.engine.trajectory.plan_file import save_plan
from armature.engine.trajectory.trajectory import Trajectory

PATH_POINTS = 600
KINDS = "a robot, a Recording, a Trajectory, a Plan, a Workspace or SingularSurfaces, or the file of a robot or recording"
PERIOD, LEAST, MOST = 0.005, 2, 200_000  # s between two samples, and how many there are


def orders(what: tuple[Any, ...], arm: Robot, folder: Path) -> Iterator[Any]:
    """Orders that show all results among `what` on `arm`, the robot in the window; files are written to `folder`.

    Raises:
        EngineError: a result that cannot be sampled or written.
    """
    for one in what:
        if isinstance(one, Workspace):
            points, values, q = (np.ascontiguousarray(a, float).tobytes() for a in (one.points, one.values, one.q))
            yield ShowWorkspace(points, values, q, one.quantity, one.seed, one.complete)
        elif isinstance(one, SingularSurfaces):
            yield _surfaces(one)
        elif isinstance(one, Trajectory):
            yield ShowPath(frame_pose(arm, one.sample(np.linspace(0.0, one.duration, PATH_POINTS))[0])[:, :3, 3].tobytes())
            yield OpenFile(str(record_trajectory(arm, one).save(_free(folder, "trajectory.npz"))), temporary=True)
        elif isinstance(one, Recording):
            yield OpenFile(str(one.save(_free(folder, "recording.npz"))), temporary=True)
        elif isinstance(one, Plan):
            yield OpenFile(str(save_plan(one, _free(folder, "trajectory.toml"))), temporary=True)
        elif is_recording_file(one):
            yield OpenFile(str(Path(one).absolute()))


def robot_to_show(what: tuple[Any, ...], robot: Robot | str | Path | None) -> Robot | None:
    """The given robot, or the robot of the first result that names one; None if none does."""
    found = None
    for one in what:
        if isinstance(one, Robot):
            found = one
        elif isinstance(one, Workspace):
            found = found or one.robot
        elif isinstance(one, Recording):
            found = found or (None if robot is not None else _maker(one))
        elif is_recording_file(one):
            found = found or (None if robot is not None else _maker(load_recording(one)))
        elif isinstance(one, str | Path):
            found = load_robot(one)
        elif not isinstance(one, Trajectory | Plan | SingularSurfaces):
            raise ViewError(f"{type(one).__name__} cannot be shown; give {KINDS}")
    if robot is None:
        return found
    return robot if isinstance(robot, Robot) else load_robot(robot)


def order_of(robot: Robot) -> OpenRobot:
    """Show this robot. Raises ViewError for one that was not read from a file."""
    if robot.source is None:
        raise ViewError(f"{robot.name}: has no robot file, which the window needs; save it with save_robot first")
    return OpenRobot(str(Path(robot.source).absolute()), [dict(change) for change in robot.changes])


def is_recording_file(one: Any) -> bool:
    """Whether something is the path of a recording."""
    return isinstance(one, str | Path) and Path(one).suffix.lower() in SUFFIXES


def _maker(recording: Recording) -> Robot | None:
    """The robot that a recording names, where that is at hand."""
    from armature.engine.model.load_robot import shipped_robots

    source = str(recording.metadata.get("source") or "")
    for place in (recording.robot_name if recording.robot_name in shipped_robots() else "", source):
        if place and (place in shipped_robots() or file_of(Path(place)).is_file()):
            robot = load_robot(place)
            if robot.n == len(recording.joint_names):
                return robot
    return None


def _surfaces(found: SingularSurfaces) -> ShowSurfaces:
    parts = [
        Surface(
            one.kind,
            one.name,
            np.ascontiguousarray(one.vertices, float).tobytes(),
            np.ascontiguousarray(one.triangles, np.int64).tobytes(),
            np.ascontiguousarray(one.bounds, bool).tobytes(),
        )
        for one in found.surfaces
    ]
    return ShowSurfaces(parts, found.point, [int(j) for j in found.joints], found.complete)


def _free(folder: Path, name: str) -> Path:
    """A place for a file of that name, which the window reads and removes."""
    own = folder / f"shown-{secrets.token_hex(4)}"
    own.mkdir(mode=0o700)
    return own / name


def record_trajectory(robot: Robot, trajectory: Trajectory) -> Recording:
    """Samples of q, qd, qdd, and the torque that it takes: tau = rnea(q, qd, qdd) + friction(qd); 0 without masses."""
    count = int(np.clip(round(trajectory.duration / PERIOD) + 1, LEAST, MOST))
    t = np.linspace(0.0, trajectory.duration, count)
    q, qd, qdd = trajectory.sample(t)
    tau = rnea(robot, q, qd, qdd) + friction_torque(robot, qd) if robot.has_dynamics else np.zeros_like(q)
    table = Completer(robot).complete(np.column_stack([t, q, qd, qdd, tau]))
    metadata = metadata_of(robot, float(t[1] - t[0]), "", {"trajectory": trajectory.describe()})
    return Recording.from_table(table, robot.joint_names, metadata)
