"""How singular surfaces look: what bounds the reach in blue, what lies in it in orange, joint limits paler. Beside the GUI."""

from __future__ import annotations

import numpy as np

from armature import engine
from armature.app.scene.gl.mesh import Mesh, joined, vertex_normals
from armature.app.scene.gl.palette import SURFACES
from armature.app.scene.overlays.workspace.cut import Cut, clipped

OPACITY = 0.5
_THICKNESS = 0.006  # of a curve, per extent of all that is drawn
_SIDES = 6


def surface_mesh(found: engine.SingularSurfaces, cut: Cut, ends=None) -> Mesh:
    """All surfaces as one mesh, cut open; `ends` `(3,)` are corners of the extent that the cut divides, by default theirs."""
    if not found.surfaces:
        return joined([])
    everything = np.concatenate([surface.vertices for surface in found.surfaces])
    own = everything.min(axis=0), everything.max(axis=0)
    ends = own if ends is None else ends
    radius = _THICKNESS * float(np.linalg.norm(own[1] - own[0]))
    parts = []
    for surface in found.surfaces:
        pieces = surface.triangles if len(surface.triangles) else _pairs(surface)
        depth = cut.depth(surface.vertices, *ends)
        for kind, chosen in _kinds(surface):
            if len(surface.triangles):
                vertices, triangles = clipped(surface.vertices, pieces[chosen], depth)
                mesh = _sheet(vertices, triangles) if len(triangles) else joined([])
            else:
                mesh = _tubes(surface.vertices, pieces[chosen & (depth[pieces].min(axis=1) >= 0)], radius)
            if len(mesh.faces):
                parts.append(mesh.painted(SURFACES[kind]))
    return joined(parts)


def _pairs(surface: engine.SingularSurface) -> np.ndarray:
    first = np.arange(len(surface.vertices) - 1)
    return np.stack([first, first + 1], axis=1)


def _kinds(surface: engine.SingularSurface):
    """Which of its pieces are drawn as which of SURFACES."""
    bounds, inside = ("limit", "limit_inside") if surface.kind == "limit" else ("bounds", "inside")
    return ((bounds, surface.bounds), (inside, ~surface.bounds))


def _sheet(vertices: np.ndarray, triangles: np.ndarray) -> Mesh:
    return Mesh.of(vertices, vertex_normals(vertices, triangles), triangles)


def _tubes(vertices: np.ndarray, pairs: np.ndarray, radius: float) -> Mesh:
    """A prism around each piece of a curve."""
    a, b = vertices[pairs[:, 0]], vertices[pairs[:, 1]]
    along = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-12)
    side = np.cross(along, np.eye(3)[np.abs(along).argmin(axis=1)])
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-12)
    up = np.cross(along, side)
    angle = 2 * np.pi * np.arange(_SIDES) / _SIDES
    normals = np.cos(angle)[:, None] * side[:, None] + np.sin(angle)[:, None] * up[:, None]
    positions = np.stack([a[:, None] + radius * normals, b[:, None] + radius * normals], axis=1)
    k, after = np.arange(_SIDES), (np.arange(_SIDES) + 1) % _SIDES
    faces = np.concatenate([np.stack([k, after, _SIDES + k], 1), np.stack([after, _SIDES + after, _SIDES + k], 1)])
    faces = faces[None] + 2 * _SIDES * np.arange(len(pairs))[:, None, None]
    both = np.repeat(normals[:, None], 2, axis=1)
    return Mesh.of(positions.reshape(-1, 3), both.reshape(-1, 3), faces.reshape(-1, 3))
