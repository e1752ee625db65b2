"""A URDF arm of 100,000 triangles in files of all three formats: from opening it to the picture on the screen."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from tests.app.mesh_files import BLUE, RED, ball, binary_stl, dae, mesh, mesh_arm, obj
from tests.benchmarks.apart import printed
from tests.benchmarks.row import Row, seconds

RINGS = 57  # 12,768 triangles a ball
RUNS = 3


def rows() -> list[Row]:
    """Medians over fresh processes: with nothing cached and every library yet to be imported, and with all meshes cached."""
    with tempfile.TemporaryDirectory() as folder:
        arm = _write_arm(Path(folder))
        cold = median(printed("meshes_run", str(arm), str(Path(folder) / f"cache{k}")) for k in range(RUNS))
        warm = median(printed("meshes_run", str(arm), str(Path(folder) / "cache0")) for k in range(RUNS))
    what = f"opening a URDF arm of {8 * 4 * RINGS * (RINGS - 1):,} triangles (STL, COLLADA, OBJ) to the picture"
    return [
        Row(f"{what}, first time", seconds(cold), bar="under 1.5 s", passed=cold < 1.5),
        Row(f"{what}, cached", seconds(warm), bar="under 1.5 s", passed=warm < 1.5),
    ]


def _write_arm(folder: Path) -> Path:
    """Eight links, each with a file of its own."""
    points, faces = ball(RINGS)
    links = []
    for k in range(8):
        shape = points * (1.0, 1.0, 1.0 + 0.01 * k)
        name, data = (
            (f"link{k}.stl", binary_stl(shape, faces)),
            (f"link{k}.dae", dae(shape, faces, (RED, BLUE))),
            (f"link{k}.obj", obj(shape, faces)),
        )[k % 3]
        (folder / name).write_bytes(data)
        links.append(mesh(name))
    return mesh_arm(folder, links, name="hundred_thousand")
