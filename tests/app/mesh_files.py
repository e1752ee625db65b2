"""Mesh files of all formats, written for the tests, and URDF arms made of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

RED, BLUE = (0.8, 0.1, 0.1), (0.1, 0.2, 0.8)
CUBE = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CUBE_FACES = np.array([(q[0], *q[k : k + 2]) for q in QUADS for k in (1, 2)])


def ball(rings: int = 24, radius: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles of a ball: 4 · rings · (rings − 1) triangles."""
    theta, phi = np.pi * np.arange(1, rings) / rings, np.pi * np.arange(2 * rings) / rings
    grid = [(np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)) for t in theta for p in phi]
    points = radius * np.array([*grid, (0, 0, 1), (0, 0, -1)])
    n, north = 2 * rings, len(grid)
    faces = []
    for i in range(rings - 2):
        for j in range(n):
            a, b = i * n + j, i * n + (j + 1) % n
            faces += [(a, a + n, b), (b, a + n, b + n)]
    last = (rings - 2) * n
    faces += [(north, j, (j + 1) % n) for j in range(n)] + [(north + 1, last + (j + 1) % n, last + j) for j in range(n)]
    return points, np.array(faces)


def binary_stl(points, faces) -> bytes:
    """Begins with "solid", as some exporters write."""
    records = np.zeros(len(faces), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    records["corners"] = points[faces]
    return b"solid but binary".ljust(80) + len(faces).to_bytes(4, "little") + records.tobytes()


def text_stl(points, faces) -> bytes:
    """With Windows line ends and capital exponents."""
    corners = ["\r\n".join(f"      vertex {x:.9E} {y:.9E} {z:.9E}" for x, y, z in points[face]) for face in faces]
    facets = "\r\n".join(f"  facet normal 0 0 0\r\n    outer loop\r\n{c}\r\n    endloop\r\n  endfacet" for c in corners)
    return f"solid thing\r\n{facets}\r\nendsolid thing\r\n".encode()


def obj(points, faces, materials=("",), library="") -> bytes:
    """Faces shared out among the materials, each with indices of textures and normals, half of them counted from the end."""
    lines = [f"mtllib {library}"] if library else []
    lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist()]
    for k, name in enumerate(materials):
        lines += [f"usemtl {name}"] if name else []
        for face in faces[k * len(faces) // len(materials) : (k + 1) * len(faces) // len(materials)]:
            index = [i + 1 if k % 2 == 0 else i - len(points) for i in face]
            lines.append("f " + " ".join(f"{i}/1/1" for i in index))
    return "\n".join(lines).encode()


def mtl(**colours) -> bytes:
    """A material library."""
    return "\n".join(f"newmtl {name}\nKa 0 0 0\nKd {r} {g} {b}" for name, (r, g, b) in colours.items()).encode()


def dae(points, faces, colours=(RED,), unit=1.0, up="Z_UP", shift=(0, 0, 0)) -> bytes:
    """Faces shared out among the colours: triangles for the first, polygons for the others; moved by a node's matrix."""
    effects = "".join(
        f'<effect id="e{k}"><profile_COMMON><technique sid="t"><lambert><diffuse><color>{r} {g} {b} 1</color></diffuse></lambert>'
        f"</technique></profile_COMMON></effect>"
        for k, (r, g, b) in enumerate(colours)
    )
    names = "".join(f'<material id="m{k}"><instance_effect url="#e{k}"/></material>' for k in range(len(colours)))
    bound = "".join(f'<instance_material symbol="s{k}" target="#m{k}"/>' for k in range(len(colours)))
    parts = ""
    for k in range(len(colours)):
        some = faces[k * len(faces) // len(colours) : (k + 1) * len(faces) // len(colours)]
        tag, counts = ("triangles", "") if k == 0 else ("polylist", f"<vcount>{' '.join(['3'] * len(some))}</vcount>")
        flat = " ".join(map(str, np.ravel(some)))
        source = '<input semantic="VERTEX" source="#v" offset="0"/>'
        parts += f'<{tag} material="s{k}" count="{len(some)}">{source}{counts}<p>{flat}</p></{tag}>'
    numbers = " ".join(f"{x:.9g}" for x in np.ravel(points))
    accessor = '<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>'
    return f"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="u" meter="{unit}"/><up_axis>{up}</up_axis></asset>
<library_effects>{effects}</library_effects><library_materials>{names}</library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="{points.size}">{numbers}</float_array>
<technique_common><accessor source="#a" count="{len(points)}" stride="3">{accessor}</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{parts}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><matrix>1 0 0 {shift[0]} 0 1 0 {shift[1]} 0 0 1 {shift[2]} 0 0 0 1</matrix>
<instance_geometry url="#g"><bind_material><technique_common>{bound}</technique_common></bind_material></instance_geometry></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode()


WRITERS = {"binary.stl": binary_stl, "text.stl": text_stl, "mesh.obj": obj, "mesh.dae": dae}


def mesh_arm(folder: Path, links: list[str], name: str = "mesh_arm") -> Path:
    """A URDF arm whose links, 0.3 m long each, hold these `<visual>` and `<collision>` elements; the first stands still."""
    mass = '<inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>'
    text = [f'<robot name="{name}">']
    for k, shapes in enumerate(links):
        text.append(f'<link name="link{k}">{mass if k else ""}{shapes}</link>')
        if k:
            turn = f'<axis xyz="{"0 0 1" if k == 1 else "0 1 0"}"/><limit lower="-2" upper="2" effort="9" velocity="9"/>'
            ends = f'<parent link="link{k - 1}"/><child link="link{k}"/><origin xyz="0 0 {0.3 if k > 1 else 0.2}"/>'
            text.append(f'<joint name="joint{k}" type="revolute">{ends}{turn}</joint>')
    path = folder / f"{name}.urdf"
    path.write_text("\n".join([*text, "</robot>"]))
    return path


def mesh(file: str, scale="0.1 0.1 0.3", at="0 0 0.15", material="", tag="visual") -> str:
    """A shape of a file, centred on a link of `mesh_arm`."""
    geometry = f'<geometry><mesh filename="{file}" scale="{scale}"/></geometry>'
    return f'<{tag}><origin xyz="{at}"/>{geometry}{material}</{tag}>'


def material(rgb) -> str:
    """A colour of a URDF file."""
    return f'<material name=""><color rgba="{rgb[0]} {rgb[1]} {rgb[2]} 1"/></material>'
