"""Wavefront OBJ files and the colours of their material libraries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain

import numpy as np

from armature.engine.model.meshes.stl_mesh import numbers
from armature.engine.model.meshes.triangle_soup import MeshError, Soup

LIBRARY_LINE = re.compile(rb"^[ \t]*mtllib[ \t]+([^\r\n]+)", re.MULTILINE)
LOOKS_LIKE = re.compile(rb"^[ \t]*(v|f)[ \t]+[-+.\d]", re.MULTILINE)


def is_obj(data: bytes) -> bool:
    """Whether there are lines of vertices or faces."""
    return LOOKS_LIKE.search(data) is not None


def libraries(data: bytes) -> list[str]:
    """File names of the material libraries."""
    return [name.decode("utf-8", "replace").strip() for name in LIBRARY_LINE.findall(data)]


def read(data: bytes, materials: Mapping[str, bytes]) -> Soup:
    """The triangles, polygons cut into fans; `materials` is the content of the libraries, by file name. Raises MeshError."""
    vertices, faces, before, group, names = _lines(data)
    points = _points(vertices)
    words = [face.split() for face in faces]
    sizes = np.array([len(w) for w in words], np.int64)
    if len(sizes) and sizes.min() < 3:
        raise MeshError("a face has fewer than three vertices")
    index = _indices(words)
    # Indices count from 1; negative ones count back from the vertex given last.
    back = np.repeat(np.array(before, np.int64), sizes)
    index = np.where(index < 0, back + index, index - 1)
    kinds = {name: colour for text in materials.values() for name, colour in _colours(text).items()}
    colours = tuple(kinds.get(name) for name in names)
    return Soup(points, *_fans(index, sizes, np.array(group, np.int64)), colours)


def _lines(data: bytes) -> tuple[list[bytes], list[bytes], list[int], list[int], list[bytes]]:
    """Vertex and face lines; for each face how many vertices came before it and its material's place in the names."""
    vertices: list[bytes] = []
    faces: list[bytes] = []
    before: list[int] = []
    group: list[int] = []
    places: dict[bytes, int] = {b"": 0}
    now = 0
    for line in data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").splitlines():
        key, _, rest = line.strip().replace(b"\t", b" ").partition(b" ")
        if key == b"v":
            vertices.append(rest)
        elif key == b"f":
            faces.append(rest)
            before.append(len(vertices))
            group.append(now)
        elif key == b"usemtl":
            now = places.setdefault(rest.strip(), len(places))
    return vertices, faces, before, group, list(places)


def _points(lines: list[bytes]) -> np.ndarray:
    words = b" ".join(lines).split()
    if len(words) != 3 * len(lines):  # a fourth number is a weight, a fourth to sixth a colour
        words = [word for line in lines for word in line.split()[:3]]
    if len(words) != 3 * len(lines):
        raise MeshError("a vertex has fewer than three coordinates")
    return numbers(words, "vertex").reshape(-1, 3)


def _indices(words: list[list[bytes]]) -> np.ndarray:
    """The first number of each corner, of position/texture/normal."""
    try:
        return np.array([int(corner.partition(b"/")[0]) for corner in chain.from_iterable(words)], np.int64)
    except (ValueError, OverflowError):
        raise MeshError("a face index is not an integer") from None


def _fans(index: np.ndarray, sizes: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Polygons of so many corners each as triangles from their first corner, and the group of each triangle."""
    count = sizes - 2
    first = np.repeat(np.cumsum(sizes) - sizes, count)
    step = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
    return index[np.stack([first, first + step + 1, first + step + 2], axis=1)], np.repeat(group, count)


def _colours(library: bytes) -> dict[bytes, tuple[float, float, float]]:
    """Diffuse colours of a material library; what cannot be read there has none."""
    out, name = {}, b""
    for line in library.splitlines():
        words = line.split()
        if len(words) >= 2 and words[0] == b"newmtl":
            name = line.strip()[len(b"newmtl") :].strip()
        elif len(words) >= 4 and words[0] == b"Kd":
            try:
                r, g, b = (min(max(float(word), 0.0), 1.0) for word in words[1:4])
            except ValueError:
                continue
            out[name] = (r, g, b)
    return out
