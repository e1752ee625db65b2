"""Data of a web page: the arm, the objects of its cell, a motion with curves, and tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from armature.app.cell.object_meshes import drawn_objects
from armature.app.page.page_arrays import TIME, pack_mesh, series
from armature.app.plots.recorded_signals import GROUPS, Pane
from armature.app.robots.meshes.arm_meshes import load
from armature.app.robots.meshes.mesh_cache import MeshCache
from armature.app.scene.arm.built_arm import built_arm
from armature.app.scene.gl import palette
from armature.app.scene.gl.basic_solids import rounded_box
from armature.app.scene.gl.mesh import Mesh
from armature.app.scene.overlays.payload_item import drawn_side
from armature.engine import Cell, EngineError, Robot, rnea, singularity
from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.contact.sampled_motion import SampledMotion
from armature.engine.kinematics.task import kept_rank, scaled_jacobian, singular_rows
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.skeleton import body_poses
from armature.engine.recording.recorded_contacts import motion_contacts, recorded_motion
from armature.engine.recording.recording import Recording
from armature.engine.simulation.runs.recorded_dynamics import recorded_arms
from armature.engine.thresholds import CONDITION_STOP, CONDITION_WARN
from armature.engine.trajectory.trajectory import Trajectory

TRIANGLES = 40_000  # of the shapes of an arm
RATE = 100.0  # samples of a trajectory per s
_MOST = 100_000  # samples of a trajectory
_EXAMINED = 20_000  # samples whose condition number is computed
_FRAMED = 100  # poses of a motion that are framed
_FARTHEST = 1e6  # position in rad or m that is shown
_LAST = 1e10  # s
_EXPLAINED = 60  # stretches near a singularity


@dataclass(frozen=True, eq=False)
class SecondOnPage:
    """A second `robot`, displaced by `shift` `(3,)` in m; `captions` of both arms.

    It has the joint positions of the first, or with `has_first_joints` False `q` `(N, n)` at times `t` `(N,)`, in s; N = 1: it
    does not move. Without a shift it is translucent.
    """

    robot: Robot
    q: np.ndarray
    t: np.ndarray
    has_first_joints: bool
    shift: np.ndarray
    captions: tuple[str, str]


@dataclass(frozen=True, eq=False)
class PageMotion:
    """Positions `q` `(N, n)` at times `t` `(N,)` in s, with curves over the same times.

    `arms` has pairs of a time in s and the arm from then on, with its payloads; `path` is searched for contacts.
    """

    t: np.ndarray
    q: np.ndarray
    panes: tuple[Pane, ...]
    arms: Sequence[tuple[float, Robot]]
    path: SampledMotion | None


def motion_of_recording(recording: Recording, robot: Robot, panes: Sequence[Pane]) -> PageMotion:
    """Return the motion of a recording with some of its curves. Raises EngineError without samples or for times above 1e10 s."""
    if not len(recording):
        raise EngineError("the recording has no samples")
    if recording.t[-1] > _LAST:
        raise EngineError(f"the recording has times above {_LAST:g} s")
    arms = [(float(recording.t[first]), arm) for first, arm in recorded_arms(recording, robot) if first < len(recording)]
    q = np.where(np.abs(recording.q) < _FARTHEST, recording.q, np.nan)
    return PageMotion(recording.t, q, tuple(panes), arms, recorded_motion(replace(recording, q=q)))


def motion_of_trajectory(robot: Robot, trajectory: Trajectory) -> PageMotion:
    """Return the motion of a trajectory with position, velocity, acceleration and, with masses, the motor torque it needs."""
    count = int(np.clip(np.ceil(RATE * trajectory.duration), 1, _MOST)) + 1
    t = np.linspace(0.0, trajectory.duration, count)
    groups = dict(zip(("q", "qd", "qdd"), trajectory.sample(t), strict=True))
    held = [(float(start), robot if payload is None else payload.held_by(robot)) for start, payload in trajectory.payloads]
    arms = [(0.0, robot), *held]
    if robot.has_dynamics:
        parts = zip(
            *(np.split(values, np.searchsorted(t, [start for start, _ in held])) for values in groups.values()), strict=True
        )
        groups["tau"] = np.concatenate([rnea(arm, *part) for (_, arm), part in zip(arms, parts, strict=True)])
    kinds = sorted(set(robot.joint_types), reverse=True)
    panes = [
        Pane(GROUPS[name][0], ", ".join(GROUPS[name][1 + (kind == "prismatic")] for kind in kinds), robot.joint_names, values)
        for name, values in groups.items()
    ]
    return PageMotion(t, groups["q"], tuple(panes), arms, SampledMotion(t, groups["q"]))


def content(
    robot: Robot,
    q: np.ndarray,
    motion: PageMotion | None = None,
    cell: Cell | None = None,
    notes: str = "",
    hidden: Collection[str] = (),
    check: Callable[[], None] = lambda: None,
    second: SecondOnPage | None = None,
) -> dict[str, Any]:
    """Return the data of a page that shows a robot with its payload at q `(n,)`, or a motion of it, and a second arm.

    `hidden` has the names of objects of the cell that are not drawn; `check` may raise to cancel.
    """
    mesh = _solid_mesh(robot)
    check()
    poses, packed, other = _shown_poses(robot, q, motion), pack_mesh(mesh, len(robot.bodies) + 1), None
    shown = [_extent(robot, mesh.vertices, poses)]
    if second is not None:
        check()
        own = _solid_mesh(second.robot)
        other = _second(second, pack_mesh(own, len(second.robot.bodies) + 1), robot, packed)
        places = poses if second.has_first_joints else _some(second.q)
        if len(places):
            shown.append(_extent(second.robot, own.vertices, places) + second.shift)
    return {
        "solids": packed,
        "arm": _arm(robot, q),
        "second": other,
        "cell": [] if cell is None else _cell(cell, robot, hidden),
        "payload": _payload(robot, [(0.0, robot)] if motion is None else motion.arms),
        "view": _view(robot, np.concatenate(shown)),
        "recording": None if motion is None else _motion(robot, motion, cell, check),
        "tables": [_joints(robot), *_dh(robot)],
        "notes": notes,
    }


def _solid_mesh(robot: Robot) -> Mesh:
    arm = load(robot, "visual", TRIANGLES, MeshCache())
    solids = built_arm(robot)[1] if arm is None or arm.solids is None else arm.solids
    first, count = solids.solid
    return Mesh(solids.mesh.vertices, solids.mesh.faces[first : first + count])


def _second(second: SecondOnPage, packed: dict[str, Any], robot: Robot, first: dict[str, Any]) -> dict[str, Any]:
    """The second arm and the poses of both bases; without solids if both arms have the same."""
    follows, bases = not second.has_first_joints, np.array([robot.base, second.robot.base])
    bases[1, :3, 3] += second.shift
    return {
        "solids": None if packed == first else packed,
        "arm": _arm(second.robot, second.q[0]),
        "shift": second.shift.tolist(),
        "bases": [X.ravel().tolist() for X in bases],
        "captions": second.captions,
        "time": series(second.t[:, None], TIME) if follows else None,
        "q": series(second.q) if follows else None,
    }


def _arm(robot: Robot, q: np.ndarray) -> dict[str, Any]:
    coupling, tool = robot.coupling, robot.frame(None)
    low, high = joint_ranges(robot)
    bodies = [
        {
            "parent": body.parent,
            "prismatic": body.joint_type == "prismatic",
            "X_PJ": body.X_PJ.ravel().tolist(),
            "joint": i if coupling is None else int(coupling.driver[i]),
            "multiplier": 1.0 if coupling is None else float(coupling.multiplier[i]),
            "offset": 0.0 if coupling is None else float(coupling.offset[i]),
        }
        for i, body in enumerate(robot.bodies)
    ]
    frames = {name: frame for name, frame in robot.frames.items() if name != "world"}
    return {
        "bodies": bodies,
        "joints": [
            {"name": name, "prismatic": bool(slides), "low": float(a), "high": float(b)}
            for name, slides, a, b in zip(robot.joint_names, robot.prismatic, low, high, strict=True)
        ],
        "frames": [{"name": name, "body": frame.body, "X_BF": frame.X_BF.ravel().tolist()} for name, frame in frames.items()],
        "tool": {"body": tool.body, "X_BF": tool.X_BF.ravel().tolist()},
        "home": (q if np.isfinite(q).all() else robot.configurations["home"]).tolist(),
        "poses": {name: pose.tolist() for name, pose in robot.configurations.items()},
        "rows": singular_rows(robot).tolist(),
        "length": robot.characteristic_length,
        "warn": CONDITION_WARN,
        "stop": CONDITION_STOP,
    }


def _cell(cell: Cell, robot: Robot, hidden: Collection[str]) -> list[dict[str, Any]]:
    return [
        {
            "name": thing.name,
            "endless": thing.is_endless,
            "opacity": thing.opacity,
            "pose": thing.X_WO.ravel().tolist(),
            "solids": pack_mesh(thing.mesh, 1),
        }
        for thing in drawn_objects(cell, robot, hidden)
        if not thing.is_quiet
    ]


def _payload(robot: Robot, arms: Sequence[tuple[float, Robot]]) -> dict[str, Any]:
    """A cube of unit size, and from each time on its edge, place in the tool frame and mass."""
    held = [
        {
            "first": first,
            "mass": sum(one["mass"] for one in payloads),
            "cubes": [{"side": drawn_side(one["mass"], robot), "com": one["com"]} for one in payloads],
        }
        for first, payloads in ((t, [change["payload"] for change in arm.changes if "payload" in change]) for t, arm in arms)
    ]
    cube = rounded_box((1.0, 1.0), -0.5, 0.5, corner=0.06, bevel=0.05).painted(palette.PAYLOAD)
    return {"held": held, "solids": pack_mesh(cube, 1) if any(one["cubes"] for one in held) else None}


def _shown_poses(robot: Robot, q: np.ndarray, motion: PageMotion | None) -> np.ndarray:
    """Some poses `(k, n)` that the page shows: the first and the named ones, or some of the motion."""
    if motion is None:
        return np.array([q, *robot.configurations.values()])
    known = _some(motion.q)
    return known if len(known) else robot.configurations["home"][None]


def _some(q: np.ndarray) -> np.ndarray:
    """Some of the known poses `(N, n)`."""
    known = q[np.isfinite(q).all(axis=1)]
    return known[:: max(1, len(known) // _FRAMED)]


def _extent(robot: Robot, vertices: np.ndarray, poses: np.ndarray) -> np.ndarray:
    """Corners `(2 k, 3)` of boxes around the arm in some poses `(k, n)`."""
    sampled = vertices[:: max(1, len(vertices) // 1000)]
    corners = []
    for q in poses if robot.coupling is None else robot.coupling.position(poses):
        X = np.concatenate([np.eye(4)[None], body_poses(robot.tree, q)])[sampled["slot"]]
        points = np.einsum("vij,vj->vi", X[:, :3, :3], sampled["position"]) + X[:, :3, 3]
        corners += [points.min(axis=0), points.max(axis=0)]
    return np.array(corners)


def _view(robot: Robot, corners: np.ndarray) -> dict[str, Any]:
    """A ball around points `(k, 3)`, and the height of the floor."""
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    floor = robot.floor if robot.floor is not None else float(low[2])
    return {"centre": ((low + high) / 2).tolist(), "radius": max(float(np.linalg.norm(high - low)) / 2, 1e-3), "floor": floor}


def _motion(robot: Robot, motion: PageMotion, cell: Cell | None, check: Callable[[], None]) -> dict[str, Any]:
    return {
        "time": series(motion.t[:, None], TIME),
        "q": series(motion.q, check=check),
        "panes": [
            {"title": pane.title, "unit": pane.unit, "names": list(pane.names), "values": series(pane.values, check=check)}
            for pane in motion.panes
        ],
        "singular": _singular(robot, motion, check),
        "contacts": _contacts(robot, motion, cell, check),
    }


def _contacts(robot: Robot, motion: PageMotion, cell: Cell | None, check: Callable[[], None]) -> list[dict[str, Any]]:
    """Contacts of the motion with the arm itself, its floor and the objects of the cell: first and last time, and the pair."""

    def is_cancelled() -> bool:
        check()
        return False

    if motion.path is None:
        return []
    start = float(motion.t[0])
    found = motion_contacts(cell_contacts(robot, cell), motion.path, is_cancelled)
    return [{"first": start + one.start, "last": start + one.end, "pair": " and ".join(one.pair)} for one in found]


def _singular(robot: Robot, motion: PageMotion, check: Callable[[], None]) -> list[dict[str, Any]]:
    """Stretches of time near a singularity: first, last, level 1 or 2, and the explanation at the worst sample."""
    moved = list(robot.moving_joints(robot.frame(None)))
    if not moved:
        return []
    each = max(1, -(-len(motion.t) // _EXAMINED))
    t, q = motion.t[::each], motion.q[::each]
    known = np.isfinite(q).all(axis=1)
    condition = np.ones(len(t))
    A = scaled_jacobian(robot, np.where(known[:, None], q, 0.0), None, singular_rows(robot))[..., moved]
    sigma = np.linalg.svd(A, compute_uv=False)
    full = np.array([kept_rank(robot, row) == len(row) for row in sigma])
    condition[known] = np.where(full, sigma[:, 0] / np.where(full, sigma[:, -1], 1.0), np.inf)[known]
    level = (condition >= CONDITION_WARN).astype(int) + (condition >= CONDITION_STOP)
    edges = np.flatnonzero(np.diff(level, prepend=0, append=0))
    stretches: list[tuple[int, int]] = [(a, b) for a, b in pairwise(edges.tolist()) if level[a]]
    stretches.sort(key=lambda ab: float(t[ab[0]] - t[ab[1] - 1]))  # the longest first
    found = []
    for a, b in sorted(stretches[:_EXPLAINED]):
        check()
        worst = a + int(np.argmax(condition[a:b]))
        last = float(t[min(b, len(t) - 1)])
        found.append({"first": float(t[a]), "last": last, "level": int(level[a]), "text": singularity(robot, q[worst]).reason})
    return found


def _joints(robot: Robot) -> dict[str, Any]:
    rows = []
    for j, name in enumerate(robot.joint_names):
        slides = robot.prismatic[j]
        scale, unit = (1.0, " m") if slides else (180 / np.pi, "°")
        torque = "N" if slides else "N·m"
        limits = (scale * robot.q_min[j], unit), (scale * robot.q_max[j], unit), (scale * robot.qd_max[j], unit + "/s")
        rows.append([name, *(_number(*one, 4) for one in (*limits, (robot.tau_max[j], f" {torque}")))])
    return {"title": "Limits", "head": ["Joint", "from", "to", "speed", "torque"], "rows": rows}


def _dh(robot: Robot) -> list[dict[str, Any]]:
    dh = robot.dh
    if dh is None:
        return []
    rows = []
    for i in range(len(dh.a)):
        theta, d = _number(np.degrees(dh.theta[i]), "°"), _number(dh.d[i], "")
        if dh.prismatic[i]:
            d = f"q{i + 1}" if dh.d[i] == 0 else f"q{i + 1} + {d}"
        else:
            theta = f"q{i + 1}" if dh.theta[i] == 0 else f"q{i + 1} + {theta}"
        rows.append([str(i + 1), theta, d, _number(dh.a[i], ""), _number(np.degrees(dh.alpha[i]), "°")])
    return [{"title": f"DH table, {dh.convention}", "head": ["i", "θ", "d [m]", "a [m]", "α"], "rows": rows}]


def _number(value: float, unit: str, digits: int = 6) -> str:
    return f"{value:.{digits}g}{unit}".replace("-", "−") if np.isfinite(value) else "none"
