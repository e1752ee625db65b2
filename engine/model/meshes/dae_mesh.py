"""COLLADA files, through pycollada."""

from __future__ import annotations

import io
import math

import numpy as np

from armature.engine.model.meshes.triangle_soup import MeshError, Soup, merge_soups


def is_dae(data: bytes) -> bool:
    """Whether the text begins as a COLLADA document does."""
    return b"<COLLADA" in data[:4000]


def read(data: bytes) -> Soup:
    """The triangles of the scene in metres; the up axis is left alone, as RViz and Pinocchio do. Raises MeshError."""
    import collada
    from collada.common import DaeError

    if b"<!ENTITY" in data:
        raise MeshError("defines XML entities, which are not supported")
    try:
        # Faulty textures, lights and animations must not hide the geometry.
        document = collada.Collada(io.BytesIO(data), ignore=[DaeError])
        soups = [soup for soup in map(_soup, _primitives(document)) if soup is not None]
        unit = float(getattr(document.assetInfo, "unitmeter", None) or 1.0)
    except MeshError:
        raise
    except Exception as error:  # a parser written for files that are right meets every kind of wrong one
        raise MeshError(f"is not valid COLLADA ({_reason(error)})") from None
    if not soups and document.errors:
        raise MeshError(f"is not valid COLLADA ({_reason(document.errors[0])})")
    if not math.isfinite(unit) or unit <= 0:
        raise MeshError(f"has an invalid unit of {unit!r} m")
    whole = merge_soups(soups)
    return Soup(unit * whole.points, whole.faces, whole.group, whole.colours)


def _primitives(document):
    if document.scene is not None:
        for geometry in document.scene.objects("geometry"):
            yield from geometry.primitives()


def _soup(primitive) -> Soup | None:
    """The triangles of a primitive in the scene's axes; None for lines."""
    if hasattr(primitive, "triangleset"):
        primitive = primitive.triangleset()
    index = getattr(primitive, "vertex_index", None)
    if index is None or index.ndim != 2 or index.shape[1] != 3 or not len(index):
        return None
    points = np.asarray(primitive.vertex, np.float64)
    return Soup(points, index.astype(np.int64), np.zeros(len(index), np.int64), (_colour(primitive.material),))


def _colour(material) -> tuple[float, float, float] | None:
    """The diffuse colour; None for none and for a texture."""
    diffuse = getattr(getattr(material, "effect", None), "diffuse", None)
    if not isinstance(diffuse, tuple) or len(diffuse) < 3 or not all(map(math.isfinite, diffuse[:3])):
        return None
    r, g, b = (min(max(float(c), 0.0), 1.0) for c in diffuse[:3])
    return r, g, b


def _reason(error: Exception) -> str:
    """The parser's words in one short line."""
    return " ".join(str(getattr(error, "msg", error)).split())[:120] or type(error).__name__
