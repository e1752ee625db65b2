"""Shapes of a compiled MuJoCo model: what its links look like."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from armature.engine.model.dh_table import translate
from armature.engine.model.file_bytes import real_path
from armature.engine.model.mjcf.mjcf_model import CompiledModel, pose_matrix
from armature.engine.model.visual import Visual

_SHOWN_GROUPS = 3  # MuJoCo shows the groups 0, 1, 2 by default
_UNTOUCHED = (0.5, 0.5, 0.5, 1.0)  # the colour of a geom that has none of its own
_READ = (".stl", ".obj", ".dae")


def shapes_of(model: CompiledModel, source: Path) -> tuple[tuple[Visual, ...], tuple[Visual, ...], list[str]]:
    """Visible shapes, collision shapes, and messages about shapes that cannot be shown."""
    m = model.model
    visuals, collisions = list[Visual](), list[Visual]()
    unknown, unread = dict[str, None](), dict[str, None]()
    for g in range(m.ngeom):
        shapes = _shapes(model, g, source, unknown, unread)
        if m.geom_group[g] < _SHOWN_GROUPS and m.geom_rgba[g, 3] > 0:
            visuals += shapes
        if m.geom_contype[g] or m.geom_conaffinity[g]:
            collisions += shapes
    messages = [f"Shapes not shown: {', '.join(unknown)}."] * bool(unknown)
    messages += [f"Mesh files missing or not supported (shown as boxes): {', '.join(unread)}."] * bool(unread)
    return tuple(visuals), tuple(collisions), messages


def _shapes(model: CompiledModel, g: int, source: Path, unknown: dict[str, None], unread: dict[str, None]) -> list[Visual]:
    m = model.model
    link, X = model.name("body", m.geom_bodyid[g]), pose_matrix(m.geom_pos[g], m.geom_quat[g])
    kind, size, colour = _kind(model, g), [float(x) for x in m.geom_size[g]], _colour(model, g)
    if kind in ("plane", "hfield"):
        return []
    if kind == "mesh" and m.geom_dataid[g] >= 0:
        return [_mesh(model, g, link, X, source, colour, unread)]
    if kind == "box":
        return [Visual(link, "box", X, tuple(2 * x for x in size), colour=colour)]
    if kind == "sphere":
        return [Visual(link, "sphere", X, (size[0],), colour=colour)]
    if kind not in ("cylinder", "capsule"):
        unknown[f"{kind} {model.name('geom', g)!r} of {link}"] = None
        return []
    shapes = [Visual(link, "cylinder", X, (size[0], 2 * size[1]), colour=colour)]
    if kind == "capsule":
        ends = (X @ translate(0, 0, s * size[1]) for s in (-1, 1))
        shapes += [Visual(link, "sphere", end, (size[0],), colour=colour) for end in ends]
    return shapes


def _kind(model: CompiledModel, g: int) -> str:
    kinds = model.mujoco.mjtGeom.__members__  # mjGEOM_PLANE, mjGEOM_SPHERE, …
    number = int(model.model.geom_type[g])
    return next((name.removeprefix("mjGEOM_").lower() for name, kind in kinds.items() if number == int(kind)), "shape")


def _mesh(
    model: CompiledModel,
    g: int,
    link: str,
    X: np.ndarray,
    source: Path,
    colour: tuple[float, ...] | None,
    unread: dict[str, None],
) -> Visual:
    """The mesh by its file. MuJoCo turns meshes to their principal axes; the pose here undoes that.

    It makes S Rᵀ (v − p) of a vertex v first, with the scale S and the reference p, R; a stretch that is turned has no pose.
    """
    m = model.model
    k = int(m.geom_dataid[g])
    name = _path(bytes(m.paths), int(m.mesh_pathadr[k]))
    path = _found(source, name)
    if path is None or path.suffix.lower() not in _READ:
        unread[name or model.name("mesh", k)] = None
        path = None
    size = tuple(float(x) for x in m.mesh_scale[k])
    written = model.spec.mesh(model.name("mesh", k))
    reference = pose_matrix(np.array(size) * written.refpos, written.refquat)
    if len(set(size)) > 1 and np.abs(reference[:3, :3] - np.eye(3)).max() > 0:
        unread[name or model.name("mesh", k)], path = None, None
    X_LG = X @ np.linalg.inv(pose_matrix(m.mesh_pos[k], m.mesh_quat[k])) @ np.linalg.inv(reference)
    return Visual(link, "mesh", X_LG, size, path, name or model.name("mesh", k), colour=colour)  # type: ignore[arg-type]


def _path(paths: bytes, start: int) -> str:
    return paths[start:].split(b"\0", 1)[0].decode(errors="replace") if start >= 0 else ""


def _found(source: Path, name: str) -> Path | None:
    try:
        path = real_path(source.absolute().parent / name)
        return path if name and path.is_file() else None
    except (OSError, ValueError):
        return None


def _colour(model: CompiledModel, g: int) -> tuple[float, float, float, float] | None:
    """A geom's own colour, else that of its material, else none."""
    m = model.model
    r, b, c, a = (round(float(x), 6) for x in m.geom_rgba[g])
    if (r, b, c, a) != _UNTOUCHED:
        return r, b, c, a
    if m.geom_matid[g] < 0:
        return None
    r, b, c, a = (round(float(x), 6) for x in m.mat_rgba[m.geom_matid[g]])
    return r, b, c, a
