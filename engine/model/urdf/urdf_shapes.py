"""`<visual>`, `<collision>` and `<material>` elements of a URDF file: what a link looks like."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from armature.engine.model.urdf.mesh_files import MeshFinder
from armature.engine.model.urdf.urdf_xml import Node
from armature.engine.model.visual import Visual

_SIZES = {"box": (("size", 3),), "cylinder": (("radius", 1), ("length", 1)), "sphere": (("radius", 1),)}


@dataclass(frozen=True)
class Material:
    """A named colour (r, g, b, a) or texture; the file name of a texture may be empty, as some exporters write it."""

    name: str = ""
    colour: tuple[float, float, float, float] | None = None
    texture: str = ""


def read_material(node: Node, known: dict[str, Material]) -> Material:
    """A `<material>` element; one that only names a material stands for that. Raises UrdfError."""
    list(node.expect(("color", "texture"), ("name",)))
    name = node.text("name", "")
    color, texture = node.child("color"), node.child("texture")
    if color is None and texture is None:
        return known.get(name, Material(name))
    colour = None
    if color is not None:
        r, g, b, a = (float(x) for x in np.clip(color.vector("rgba", 4), 0.0, 1.0))
        colour = (r, g, b, a)
    return Material(name, colour, "" if texture is None else texture.text("filename", "").strip())


def read_visual(node: Node, link: str, known: dict[str, Material], finder: MeshFinder, remarks: list[str]) -> Visual | None:
    """The shape of a `<visual>` or `<collision>`; None, with a remark, for one that cannot be shown. Raises UrdfError."""
    shape = _shape(node, link, remarks)
    if shape is None:
        return None
    size, path, file = _measures(shape, finder)
    element = node.child("material")
    material = Material() if element is None else read_material(element, known)
    texture = finder.find(node, material.texture) if material.texture else None
    return Visual(link, shape.tag, node.pose(), size, path, file, material.name, material.colour, texture, file in finder.outside)


def _shape(node: Node, link: str, remarks: list[str]) -> Node | None:
    geometry = node.child("geometry")
    if geometry is None:
        raise node.refused("has no <geometry>")
    others = list(geometry.expect((*_SIZES, "mesh")))
    shapes = [child for tag in (*_SIZES, "mesh") for child in geometry.children(tag)]
    if len(shapes) > 1:
        raise shapes[1].refused("is a second shape; give each shape its own <geometry>")
    if not shapes and not others:
        raise geometry.refused("is empty; it must contain a mesh, box, cylinder or sphere")
    if not shapes:
        remarks.append(f"Link {link} (line {geometry.line}): shape {others[0][:40]!r} is not supported and not shown.")
        return None
    return shapes[0]


def _measures(shape: Node, finder: MeshFinder) -> tuple[tuple[float, ...], Path | None, str]:
    """Size, and of a mesh its file and the name as written; a file that is not there is None, which `finder` counts."""
    if shape.tag == "mesh":
        list(shape.expect(attributes=("filename", "scale")))
        scale = shape.vector("scale", 3, (1, 1, 1))
        if not scale.all():
            raise shape.refused("scale must not contain a zero")
        name = shape.text("filename")
        return tuple(float(x) for x in scale), finder.find(shape, name.strip()), name.strip()
    keys = _SIZES[shape.tag]
    list(shape.expect(attributes=tuple(key for key, _ in keys)))
    size = np.concatenate([shape.vector(key, count) for key, count in keys])
    if (size < 0).any():
        raise shape.refused(f"has a negative size, {size.min():g}")
    return tuple(float(x) for x in size), None, ""
