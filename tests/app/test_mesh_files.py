"""Mesh files: read alike in every format, refused in words, smoothed, simplified, mirrored, cached."""

from __future__ import annotations

import os

import numpy as np
import pytest

from armature import engine
from armature.app.robots.meshes.arm_meshes import load
from armature.app.robots.meshes.file_mesh import file_mesh, painted, placed
from armature.app.robots.meshes.mesh_cache import MeshCache
from armature.app.robots.meshes.mesh_smoothing import smooth
from armature.app.scene.gl.mesh import encoded
from armature.engine.model.meshes.mesh_source import MAX_BYTES, MeshSource
from armature.engine.model.meshes.triangle_soup import MeshError
from tests.app.mesh_files import (
    BLUE,
    CUBE,
    CUBE_FACES,
    QUADS,
    RED,
    WRITERS,
    ball,
    binary_stl,
    dae,
    material,
    mesh,
    mesh_arm,
    mtl,
    obj,
    text_stl,
)


def read(path, data):
    path.write_bytes(data)
    return MeshSource.of(path).read()


def volume(points, faces) -> float:
    """Enclosed volume, positive where the triangles turn outward."""
    a, b, c = (points[faces[:, k]].astype(float) for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def mesh_volume(it) -> float:
    return volume(it.vertices["position"], it.faces)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("suffix", ["right", ".dae", ".stl", ".obj", ".3ds", ""])
def test_every_format_gives_the_same_triangles_whatever_the_suffix(tmp_path, name, suffix):
    points, faces = ball(8)
    path = tmp_path / (name if suffix == "right" else f"thing{suffix}")
    soup = read(path, WRITERS[name](points, faces))
    assert soup.points[soup.faces] == pytest.approx(points[faces], abs=1e-6)


def test_a_collada_file_in_millimetres_with_y_up_a_node_and_two_colours(tmp_path):
    soup = read(tmp_path / "a.dae", dae(1000 * CUBE, CUBE_FACES, (RED, BLUE), unit=0.001, up="Y_UP", shift=(0, 0, 2000)))
    assert soup.points[soup.faces] == pytest.approx(CUBE[CUBE_FACES] + [0, 0, 2])
    assert [soup.colours[g] for g in soup.group] == [pytest.approx(RED)] * 6 + [pytest.approx(BLUE)] * 6


def test_an_obj_file_with_polygons_colours_and_lines_that_go_on(tmp_path):
    (tmp_path / "paint.mtl").write_bytes(mtl(red=RED, blue=BLUE))
    data = obj(CUBE, np.array(QUADS), ("red", "blue", "none"), "paint.mtl") + b"\nv 9 \\\n 9 9 1.0\n# end\n"
    soup = read(tmp_path / "a.obj", data)
    assert volume(soup.points, soup.faces) == pytest.approx(1.0)
    assert [soup.colours[g] for g in soup.group] == [RED] * 4 + [BLUE] * 4 + [None] * 4


@pytest.mark.parametrize("library", ["gone.mtl", "../paint.mtl", "/etc/hostname"])
def test_a_material_library_that_is_missing_or_elsewhere_only_costs_the_colours(tmp_path, library):
    (tmp_path / "paint.mtl").write_bytes(mtl(red=RED))
    (tmp_path / "arm").mkdir()
    soup = read(tmp_path / "arm" / "a.obj", obj(CUBE, CUBE_FACES, ("red",), library))
    assert len(soup.faces) == 12 and set(soup.colours) == {None}


BALL = ball(8)
BAD = {
    "empty": (b"", "is empty"),
    "prose": (b"This is no mesh at all.\n" * 50, "not an STL, COLLADA or OBJ file"),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(200), "STL header|announces|no triangles"),
    "short binary": (binary_stl(*BALL)[:-70], "announces 224 triangles, the file contains 222"),
    "only a header": (b"\0" * 40, "inside the STL header"),
    "no triangles": (b"\0" * 84, "no triangles"),
    "cut text": (text_stl(*BALL)[: len(text_stl(*BALL)) // 2], "vertex"),
    "words for numbers": (text_stl(*BALL).replace(b"vertex -", b"vertex minus ", 1), "complete triangles|not a number"),
    "nan": (binary_stl(np.where(BALL[0] == BALL[0].max(), np.nan, BALL[0]), BALL[1]), "not a finite number"),
    "cut xml": (dae(*BALL)[:-400], "not valid COLLADA"),
    "collada without a scene": (dae(*BALL)[:300].split(b"<asset>")[0] + b"</COLLADA>", "no triangles"),
    "collada with entities": (b'<!DOCTYPE a [<!ENTITY b "c">]>' + dae(*BALL), "entities"),
    "collada beyond its points": (dae(BALL[0][:9], BALL[1]), "COLLADA|point"),
    "obj beyond its points": (obj(CUBE, CUBE_FACES + 5), "point"),
    "obj with a word": (obj(CUBE, CUBE_FACES) + b"\nf 1 two 3", "not an integer"),
    "obj with a line": (obj(CUBE, CUBE_FACES) + b"\nf 1 2", "fewer than three"),
    "obj with half a point": (obj(CUBE, CUBE_FACES) + b"\nv 1 2", "fewer than three"),
    "obj with a huge index": (obj(CUBE, CUBE_FACES) + b"\nf 1 2 99999999999999999999999", "not an integer"),
    "flat": (binary_stl(CUBE * [1, 0, 0], CUBE_FACES), "no triangle with an area"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_mesh_is_refused_in_one_line(tmp_path, name):
    data, words = BAD[name]
    path = tmp_path / "thing.stl"
    path.write_bytes(data)
    with pytest.raises(MeshError, match=words) as told:
        file_mesh(MeshSource.of(path))
    assert "\n" not in str(told.value) and len(str(told.value)) < 200


def test_a_huge_file_a_folder_and_nothing_are_refused_unread(tmp_path):
    huge = tmp_path / "huge.stl"
    with huge.open("wb") as file:
        os.truncate(file.fileno(), MAX_BYTES + 1)
    for path, words in ((huge, "limit is 256 MB"), (tmp_path, "cannot be read"), (tmp_path / "gone.stl", "cannot be read")):
        with pytest.raises(MeshError, match=words):
            MeshSource.of(path)


def test_a_cube_keeps_its_edges_and_a_ball_is_smooth():
    rng = np.random.default_rng(1)
    soup = CUBE[CUBE_FACES].reshape(-1, 3)  # every triangle with corners of its own, as STL has them
    positions, normals, faces, _ = smooth(soup, np.arange(36).reshape(-1, 3), np.zeros(12, int))
    assert len(positions) == 24 and len(faces) == 12
    assert normals == pytest.approx(np.round(normals)) and np.einsum("ij,ij->i", normals, positions) == pytest.approx(0.5)
    points, faces = ball(20)
    shuffled = points[faces][rng.permutation(len(faces))].reshape(-1, 3)
    positions, normals, faces, _ = smooth(shuffled, np.arange(len(shuffled)).reshape(-1, 3), np.zeros(len(faces), int))
    assert len(positions) == len(points)
    assert np.einsum("ij,ij->i", normals, positions) / 0.5 == pytest.approx(1.0, abs=2e-3)


def test_colours_meet_at_an_edge():
    points, faces = ball(20)
    group = (points[faces].mean(axis=1)[:, 2] > 0).astype(int)
    positions, _, faces, owner = smooth(points, faces, group)
    assert (owner[faces] == owner[faces[:, :1]]).all()
    assert len(positions) == len(points) + 40  # those on the seam twice


def test_simplified_meshes_keep_shape_and_colours(tmp_path):
    points, faces = ball(50)
    path = tmp_path / "ball.dae"
    path.write_bytes(dae(points, faces, (RED, BLUE)))
    whole, thin = (file_mesh(MeshSource.of(path), most) for most in (None, 1500))
    assert len(whole.faces) == len(faces) and 1000 < len(thin.faces) <= 1600
    assert mesh_volume(thin) == pytest.approx(mesh_volume(whole), rel=0.03)
    area = {tuple(encoded(colour, 0.35)) for colour in (RED, BLUE)}
    assert {tuple(colour) for colour in thin.vertices["colour"]} == area


@pytest.mark.parametrize("scale", [(2, 3, 4), (-2, 3, 4), (-2, -3, -4), (2, -3, -4)])
def test_scaled_and_mirrored_meshes_stay_outside_out(tmp_path, scale):
    path = tmp_path / "ball.stl"
    path.write_bytes(binary_stl(*ball(20)))
    X = np.eye(4)
    X[:3, 3] = 1, 2, 3
    out = placed(file_mesh(MeshSource.of(path)), scale, X, slot=300)
    positions, normals = out.vertices["position"] - X[:3, 3].astype(np.float32), out.vertices["normal"]
    assert volume(positions, out.faces) == pytest.approx(24 * volume(*ball(20)), rel=1e-4)
    gradient = positions / np.array(scale, float) ** 2  # of x²/a² + y²/b² + z²/c²
    gradient /= np.linalg.norm(gradient, axis=1, keepdims=True)
    assert np.einsum("ij,ij->i", normals, gradient).min() > 0.99
    assert set(out.vertices["slot"]) == {300}


def test_colours_of_the_file_stay_and_the_rest_takes_that_of_the_urdf(tmp_path):
    (tmp_path / "paint.mtl").write_bytes(mtl(red=RED))
    path = tmp_path / "cube.obj"
    path.write_bytes(obj(CUBE, CUBE_FACES, ("red", "unknown"), "paint.mtl"))
    both = painted(file_mesh(MeshSource.of(path)), np.array(BLUE))
    assert {tuple(c) for c in both.vertices["colour"]} == {tuple(encoded(c, 0.35)) for c in (RED, BLUE)}


# a whole arm


@pytest.fixture
def arm(tmp_path):
    """A robot of a ball in every format and all primitives."""
    for name, write in WRITERS.items():
        (tmp_path / name).write_bytes(write(*ball(12)))
    box = f'<visual><geometry><box size="0.1 0.1 0.2"/></geometry>{material(RED)}</visual>'
    post = '<visual><origin xyz="0 0 0.15"/><geometry><cylinder radius="0.04" length="0.3"/></geometry></visual>'
    tip = '<visual><geometry><sphere radius="0.08"/></geometry></visual>'
    tip += '<collision><geometry><sphere radius="0.2"/></geometry></collision>'
    return mesh_arm(tmp_path, [box, post + tip, *(mesh(name, material=material(BLUE)) for name in WRITERS)])


def test_all_shapes_of_an_arm_lie_on_their_bodies(tmp_path, arm):
    robot = engine.load_robot(arm)
    made = load(robot, "visual", None, MeshCache(tmp_path / "cache"))
    assert made.problems == []
    vertices, starts = made.solids.mesh.vertices, made.solids.starts
    assert len(starts) == robot.n + 2 and (np.diff(starts) > 0).all()
    for slot in (2, 3, 4, 5):
        mine = vertices["position"][vertices["slot"] == slot]
        X_BL = robot.links[f"link{slot}"].X_BF
        corners = np.array([[-0.05, -0.05, 0.0], [0.05, 0.05, 0.3]]) @ X_BL[:3, :3].T + X_BL[:3, 3]
        assert mine.min(axis=0) == pytest.approx(corners.min(axis=0), abs=2e-3)
        assert mine.max(axis=0) == pytest.approx(corners.max(axis=0), abs=2e-3)


def test_collision_shapes_alone_and_over_the_visual_ones(tmp_path, arm):
    robot = engine.load_robot(arm)
    cache = MeshCache(tmp_path / "cache")
    visual, collision, both = (load(robot, shown, None, cache).solids for shown in ("visual", "collision", "both"))
    assert visual.veil[1] == collision.veil[1] == 0 and both.veil[1] == collision.solid[1] > 0
    assert both.solid == visual.solid and np.array_equal(both.extremes, visual.extremes)


def test_missing_and_spoilt_meshes_are_listed_and_boxed(tmp_path):
    (tmp_path / "good.stl").write_bytes(binary_stl(*ball(12)))
    (tmp_path / "bad.stl").write_bytes(b"no mesh")
    links = [mesh("good.stl"), mesh("bad.stl"), mesh("gone.stl") + mesh("package://nowhere/lost.dae"), mesh("good.stl")]
    robot = engine.load_robot(mesh_arm(tmp_path, links))
    made = load(robot, "visual", None, MeshCache(tmp_path / "cache"))
    told = [f"{tmp_path / 'bad.stl'}: is not an STL, COLLADA or OBJ file", "gone.stl: not found"]
    assert sorted(made.problems) == sorted([*told, "package://nowhere/lost.dae: not found"])
    triangles = np.diff(made.solids.starts)
    assert list(triangles[1:3]) == [12, 12] and triangles[0] == triangles[3] > 100
    robot = engine.load_robot(mesh_arm(tmp_path, [mesh("gone.stl"), mesh("bad.stl")]))
    made = load(robot, "visual", None, MeshCache(tmp_path / "cache"))
    assert made.solids is None and len(made.problems) == 2


def test_a_mesh_outside_is_listed_as_such_and_boxed(tmp_path):
    (tmp_path / "arm").mkdir()
    for path in (tmp_path / "secret.stl", tmp_path / "arm" / "good.stl"):
        path.write_bytes(binary_stl(*ball(12)))
    robot = engine.load_robot(mesh_arm(tmp_path / "arm", [mesh("good.stl"), mesh("../secret.stl")]))
    made = load(robot, "visual", None, MeshCache(tmp_path / "cache"))
    assert len(made.problems) == 1 and made.problems[0].startswith("../secret.stl: not read because it is outside")
    assert np.diff(made.solids.starts)[1] == 12


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("name", ["circle.mtl", "outside.mtl"])
def test_a_material_library_that_cannot_be_had_costs_the_colours_only(tmp_path, name):
    folder = tmp_path / "meshes"
    folder.mkdir()
    (tmp_path / "outside.mtl").write_bytes(mtl(red=RED))
    (folder / "outside.mtl").symlink_to(tmp_path / "outside.mtl")
    (folder / "circle.mtl").symlink_to("circle.mtl")
    assert set(read(folder / "cube.obj", obj(CUBE, CUBE_FACES, ("red",), name)).colours) == {None}


# the cache


@pytest.fixture
def cached(tmp_path):
    """A file, its cache and a way to read it through that: (path, cache, read)."""
    (tmp_path / "ball.stl").write_bytes(binary_stl(*ball(12)))
    robot = engine.load_robot(mesh_arm(tmp_path, [mesh("ball.stl", scale="1 1 1", at="0 0 0"), ""]))
    cache = MeshCache(tmp_path / "cache")
    return tmp_path / "ball.stl", cache, lambda most=None: load(robot, "visual", most, cache).solids.mesh


def test_a_cached_mesh_is_not_read_again(cached):
    _, cache, again = cached
    first = again()
    (entry,) = cache.folder.iterdir()
    data = dict(np.load(entry))
    data["vertices"]["position"] *= 2  # what is in the cache is what is shown
    np.savez(entry, **data)
    assert mesh_volume(again()) == pytest.approx(8 * mesh_volume(first))


def test_other_content_and_other_options_are_other_entries(cached):
    path, cache, again = cached
    first = again()
    again(300)
    path.write_bytes(binary_stl(*ball(13)))
    assert len(again().faces) > len(first.faces)
    assert len(list(cache.folder.iterdir())) == 3


@pytest.mark.parametrize("spoil", ["cut", "flipped", "empty", "text", "other", "pickle"])
def test_a_spoilt_cache_entry_is_made_again(cached, spoil):
    _, cache, again = cached
    first = again()
    (entry,) = cache.folder.iterdir()
    good = entry.read_bytes()
    middle = len(good) // 2
    if spoil == "other":
        np.savez(entry, vertices=first.vertices, faces=first.faces + np.uint32(len(first.vertices)))
    elif spoil == "pickle":
        np.savez(entry, vertices=np.array([object()], dtype=object), faces=first.faces)
    else:
        entry.write_bytes({"cut": good[:middle], "flipped": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :],
                           "empty": b"", "text": b"hello"}[spoil])  # fmt: skip
    assert np.array_equal(again().vertices, first.vertices)
    assert entry.read_bytes() == good


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, cached):
    _, cache, again = cached
    cache.folder = tmp_path / "ball.stl" / "cache"
    assert len(again().faces) > 100


def test_the_cache_is_bounded_and_the_oldest_go_first(tmp_path):
    cache = MeshCache(tmp_path / "cache", most=200_000)
    (tmp_path / "ball.stl").write_bytes(binary_stl(*ball(12)))
    one = file_mesh(MeshSource.of(tmp_path / "ball.stl"))
    for k in range(20):
        cache.put(f"mesh{k}", one)
        os.utime(cache.folder / f"mesh{k}.npz", (1e9 + k, 1e9 + k))
    assert cache.get("mesh0") is not None  # and now it is the one used last
    part = cache.folder / "old.1.part"
    part.write_bytes(b"half")
    os.utime(part, (1e9, 1e9))
    (cache.folder / "mine.txt").write_text("not the cache's")
    cache.prune()
    left = {path.name for path in cache.folder.iterdir()}
    assert {"mesh0.npz", "mesh19.npz", "mine.txt"} <= left and not left & {"mesh1.npz", "mesh2.npz", "old.1.part"}
    assert sum(path.stat().st_size for path in cache.folder.glob("*.npz")) <= 200_000
