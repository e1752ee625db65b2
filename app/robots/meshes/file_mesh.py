"""From the content of a mesh file to a `Mesh` ready to be drawn."""

from __future__ import annotations

import numpy as np

from armature.app.robots.meshes.mesh_simplification import simplified
from armature.app.robots.meshes.mesh_smoothing import smooth
from armature.app.scene.gl.mesh import VERTEX, Mesh, encoded
from armature.engine.model.meshes.mesh_source import MeshSource
from armature.engine.model.meshes.triangle_soup import MeshError, Soup

FORMAT = 2  # of what is cached; another number makes every cached mesh an old one
GLOSS = 0.35


def file_mesh(source: MeshSource, most: int | None = None) -> Mesh:
    """The mesh on slot 0 in the file's axes, simplified to about `most` triangles; vertices without a colour have gloss 0.

    Raises MeshError.
    """
    soup = _by_colour(source.read())
    if most is not None and len(soup.faces) > most:
        soup = simplified(soup, most)
    positions, normals, faces, group = smooth(soup.points, soup.faces, soup.group)
    if not len(faces):
        raise MeshError("contains no triangle with an area")
    vertices = np.zeros(len(positions), VERTEX)
    vertices["position"], vertices["normal"] = positions, normals
    for k, colour in enumerate(soup.colours):
        if colour is not None:
            vertices["colour"][group == k] = encoded(colour, GLOSS)
    return Mesh(vertices, faces)


def options(most: int | None) -> str:
    """What `file_mesh` makes of a content besides the content itself, as part of its name in the cache."""
    return f"{FORMAT} {most} {VERTEX.descr}"


def painted(mesh: Mesh, colour: np.ndarray, over_all: bool = False) -> Mesh:
    """The mesh with its vertices without a colour, or all of them, in this one, sRGB in 0…1."""
    vertices = mesh.vertices.copy()
    vertices["colour"][(vertices["colour"][:, 3] == 0) | over_all] = encoded(colour, GLOSS)
    return Mesh(vertices, mesh.faces)


def placed(mesh: Mesh, scale: tuple[float, ...], X: np.ndarray, slot: int) -> Mesh:
    """The mesh stretched along its axes, mirrored where a factor is negative, and carried by the rigid pose X on a slot."""
    factors = np.array(scale, float)
    vertices = mesh.vertices.copy()
    vertices["position"] = mesh.vertices["position"] * factors
    normals = mesh.vertices["normal"] / factors  # normals stretch with the inverse
    vertices["normal"] = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    vertices["slot"] = slot
    faces = mesh.faces[:, ::-1] if factors.prod() < 0 else mesh.faces
    return Mesh(vertices, faces).moved(X)


def _by_colour(soup: Soup) -> Soup:
    """One group per colour that differs."""
    kinds = tuple(dict.fromkeys(soup.colours))
    place = np.array([kinds.index(colour) for colour in soup.colours], np.int64)
    return Soup(soup.points, soup.faces, place[soup.group], kinds)
