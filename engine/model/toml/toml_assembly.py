"""Assembly of a robot from the tables of its file."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.model.body import PRISMATIC, Body, Frame, Friction
from armature.engine.model.dh_table import DHTable
from armature.engine.model.file_bytes import real_path
from armature.engine.model.file_entries import FrictionEntry, JointEntry, PoseEntry, ShapeEntry
from armature.engine.model.inertia_rules import InertiaRemark, moments_text, principal_moments
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_schema import RobotFile
from armature.engine.model.toml.written_values import short, short_lengths, written_angle
from armature.engine.model.visual import Visual
from armature.engine.rotations import quaternion_matrix, roll_pitch_yaw, rot_rpy

MESHES = (".stl", ".dae", ".obj")  # suffixes of readable meshes


def shapes_of(file: RobotFile, source: Path | None) -> dict[str, Any]:
    """`visuals` and `collisions` of the robot that the file at `source` describes."""
    entries = [("base", entry) for entry in file.shapes]
    entries += [(f"link{i + 1}", entry) for i, joint in enumerate(file.joints) for entry in joint.shapes]
    placed = [(entry.collision, _visual(link, entry, source)) for link, entry in entries]
    return {
        "visuals": tuple(visual for collides, visual in placed if not collides),
        "collisions": tuple(visual for collides, visual in placed if collides),
    }


def missing_meshes(shapes: Iterable[Visual]) -> tuple[str, ...]:
    """Message about missing mesh files; empty if all exist."""
    names = list(dict.fromkeys(repr(shape.file) for shape in shapes if shape.shape == "mesh" and shape.path is None))
    if not names:
        return ()
    some = f"{', '.join(names[:3])}{', …' * (len(names) > 3)}"
    return (f"{len(names)} mesh file{'s' * (len(names) > 1)} not found ({some}); the view shows boxes instead.",)


def shape_entries(shapes: Iterable[Visual], collision: bool, folder: Path | None) -> list[dict[str, Any]]:
    """Shapes of one link in the notation of a robot file in `folder`; without a folder, meshes have absolute paths."""
    return [_entry(shape, collision, folder) for shape in shapes]


def mesh_name(path: Path, folder: Path | None) -> str:
    """Name of a mesh in a robot file in `folder`: relative inside the folder or its parent, else absolute."""
    if folder is not None:
        here = real_path(folder.absolute())
        for above, way in ((here, ""), (here.parent, "../")):
            if above.parent != above and path.is_relative_to(above):
                return way + path.relative_to(above).as_posix()
    return path.as_posix()


def _visual(link: str, entry: ShapeEntry, source: Path | None) -> Visual:
    X = rot_rpy(*entry.rpy)
    X[:3, 3] = entry.xyz
    kind, size = _measures(entry)
    path, outside = _found(entry.mesh, source) if entry.mesh is not None else (None, False)
    return Visual(link, kind, X, size, path, entry.mesh or "", colour=entry.colour, outside=outside)


def _measures(entry: ShapeEntry) -> tuple[str, tuple[float, ...]]:
    """Kind and size of the shape."""
    if entry.box is not None:
        return "box", entry.box
    if entry.cylinder is not None:
        return "cylinder", entry.cylinder
    return ("sphere", (entry.sphere,)) if entry.sphere is not None else ("mesh", entry.scale)


def _found(name: str, source: Path | None) -> tuple[Path | None, bool]:
    """Mesh file of that name, None if missing, and whether it must not be read: not a mesh, or a network path."""
    if not name.lower().endswith(MESHES) or name.startswith(("//", "\\\\")):
        return None, True
    try:
        path = real_path((source.parent if source is not None else Path()) / name)
        return (path if path.suffix.lower() in MESHES and path.is_file() else None), False
    except (OSError, ValueError):
        return None, False


def _entry(shape: Visual, collision: bool, folder: Path | None) -> dict[str, Any]:
    size = short(shape.size)
    entry: dict[str, Any] = {}
    if shape.shape == "mesh":
        entry["mesh"] = mesh_name(shape.path, folder) if shape.path is not None else shape.file
        if size != [1.0, 1.0, 1.0]:
            entry["scale"] = size
    else:
        entry[shape.shape] = size[0] if shape.shape == "sphere" else size
    xyz, rpy = short_lengths(shape.X_LG[:3, 3]), short_lengths(roll_pitch_yaw(shape.X_LG[:3, :3]))
    if any(xyz):
        entry["xyz"] = xyz
    if any(rpy):
        entry["rpy"] = [written_angle(x) for x in rpy]
    if shape.colour is not None:
        entry["colour"] = [float(x) for x in shape.colour]
    return {**entry, "collision": True} if collision else entry


def assemble(file: RobotFile, source: Path | None = None) -> Robot:
    """The `Robot` a robot file describes."""
    table, X_W0, n, parents = dh_table(file), pose(file.base), len(file.joints), file.parents()
    bodies = tuple(_body(i, parents[i], joint, table, X_W0) for i, joint in enumerate(file.joints))
    links = {"base": Frame(-1, X_W0)} | {f"link{i + 1}": Frame(i, table.tail(i)) for i in range(n)}
    last = file.tool_row()
    tool = Frame(last, table.tail(last) @ pose(file.tool))
    serial = last == n - 1 and parents == list(range(-1, n - 1))
    shapes = shapes_of(file, source)
    limits = [joint.range or (-math.inf, math.inf) for joint in file.joints]
    return Robot(
        name=file.name,
        bodies=bodies,
        joint_names=tuple(file.joint_names()),
        links=links,
        frames=links | {"world": Frame(-1, np.eye(4)), "tool": tool},
        tool="tool",
        q_min=np.array([lower for lower, _ in limits]),
        q_max=np.array([upper for _, upper in limits]),
        qd_max=np.array([joint.speed or math.inf for joint in file.joints]),
        qdd_max=np.array([joint.acceleration or math.inf for joint in file.joints]),
        tau_max=np.array([joint.torque_limit or math.inf for joint in file.joints]),
        gravity=np.array(file.gravity),
        configurations={name: np.array(q) for name, q in file.poses().items()},
        task=file.task,
        task_axes=file.task_axes,
        task_named="task" in file.model_fields_set,
        has_dynamics=file.joints[0].mass is not None,
        tool_limits=file.tool_limits.limits(),
        base=X_W0,
        floor=file.floor,
        dh=table if serial else None,
        flange="" if file.tool.link is None else file.tool.link,
        fingers=() if file.tool.link is None else _beyond(file, parents, last),
        source=source,
        title=file.title,
        group=file.group or "",
        description=file.description,
        sources=tuple(file.sources),
        remarks=(*_remarks(file), *missing_meshes((*shapes["visuals"], *shapes["collisions"]))),
        ignored_contacts=tuple(file.collision.ignore),
        **shapes,
    )


def _beyond(file: RobotFile, parents: list[int], last: int) -> tuple[str, ...]:
    """Names of the joints after the tool's link: the finger joints."""
    found = {last}
    for i, parent in enumerate(parents):
        if parent in found:
            found.add(i)
    return tuple(name for i, name in enumerate(file.joint_names()) if i in found and i != last)


def dh_table(file: RobotFile) -> DHTable:
    """Constant parts of the DH table in m and rad."""
    rows = [(joint.a, joint.turns["alpha"][0], joint.d, joint.turns["theta"][0]) for joint in file.joints]
    a, alpha, d, theta = np.array(rows).T
    return DHTable(file.convention, a, alpha, d, theta, np.array([joint.type == PRISMATIC for joint in file.joints]))


def pose(entry: PoseEntry) -> np.ndarray:
    """The 4×4 pose of a `base` or `tool` table; R = Rot_z(yaw) Rot_y(pitch) Rot_x(roll)."""
    X = np.eye(4)
    if entry.matrix is not None:
        X[:] = entry.matrix
        # Printed matrices carry a few digits; U Vᵀ is the nearest rotation.
        U, _, Vt = np.linalg.svd(X[:3, :3])
        X[:3, :3] = U @ Vt
        return X
    if entry.quaternion is not None:
        X[:3, :3] = quaternion_matrix(np.array(entry.quaternion) / np.linalg.norm(entry.quaternion))
    else:
        X = rot_rpy(*(entry.rpy if entry.rpy_deg is None else np.radians(entry.rpy_deg)))
    X[:3, 3] = entry.xyz
    return X


def _body(i: int, parent: int, joint: JointEntry, table: DHTable, X_W0: np.ndarray) -> Body:
    """Body i, whose frame B turns or slides with the joint; the link's DH frame L sits on it at X_BL."""
    X_BL = table.tail(i)
    R_BL, p_BL = X_BL[:3, :3], X_BL[:3, 3]
    I_L = np.array(joint.inertia)
    return Body(
        parent=parent,
        joint_type=joint.type,
        X_PJ=(X_W0 if parent < 0 else table.tail(parent)) @ table.placement(i),
        mass=joint.mass or 0.0,
        com=p_BL + R_BL @ np.array(joint.com),
        inertia=R_BL @ ((I_L + I_L.T) / 2) @ R_BL.T,
        rotor_inertia=joint.rotor_inertia * joint.gear_ratio**2,
        friction=joint_friction(joint.friction, joint.gear_ratio),
        restitution=joint.restitution,
    )


def joint_friction(entry: FrictionEntry, gear_ratio: float) -> Friction:
    """Friction at the joint: what the motor feels grows with the gear ratio N, as viscous N², Coulomb and stiction |N|."""
    N = abs(gear_ratio) if entry.at == "motor" else 1.0
    positive, negative = entry.coulomb
    return Friction(viscous=entry.viscous * N**2, coulomb=(positive * N, negative * N), stiction=entry.stiction * N)


def _remarks(file: RobotFile) -> tuple[str, ...]:
    """Remarks of the file, and about inconsistent inertias."""
    inertias = [
        InertiaRemark(
            f"{name}: inertia used as published although it is physically inconsistent (principal "
            f"moments {moments_text(principal_moments(np.array(joint.inertia)))}): {joint.inertia_as_published}"
        )
        for name, joint in zip(file.joint_names(), file.joints, strict=True)
        if joint.inertia_as_published is not None
    ]
    return (*file.remarks, *inertias)
