"""What of a recorded arm stands in the 3D view of Foxglove: its link frames in `/tf`, from what the recording says about them."""

import json

import numpy as np
import pytest
from mcap.reader import make_reader

from armature import engine
from armature.engine.model.load_robot import load_robot
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.mcap.link_frames import LinkFrames, tree_of
from armature.engine.recording.recording_files import write_recording
from armature.engine.recording.recording_formats import SUFFIXES
from armature.engine.recording.recording_metadata import link_tree, metadata_of
from armature.engine.recording.recording_reader import load_recording
from armature.engine.rotations import rotated
from tests.engine.trees import random_tree

URDF = """<robot name="tray">
  <link name="world"/><link name="stand"/><link name="plate"/><link name="arm"/><link name="left"/><link name="right"/>
  <link name="tool"/>
  <joint name="bolt" type="fixed"><parent link="world"/><child link="stand"/><origin xyz="0 0 1" rpy="0 0 0.5"/></joint>
  <joint name="screws" type="fixed"><parent link="stand"/><child link="plate"/><origin xyz="0.1 0 0"/></joint>
  <joint name="a" type="continuous"><parent link="plate"/><child link="arm"/><origin rpy="0.1 0.2 0.3"/>
    <axis xyz="0.6 0 0.8"/></joint>
  <joint name="b" type="prismatic"><parent link="arm"/><child link="left"/><origin xyz="0 0.3 0"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.4" effort="1" velocity="1"/></joint>
  <joint name="c" type="prismatic"><parent link="arm"/><child link="right"/><axis xyz="0 -1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="b" multiplier="-2" offset="0.1"/></joint>
  <joint name="end" type="fixed"><parent link="left"/><child link="tool"/><origin xyz="0 0 0.05"/></joint>
</robot>"""


@pytest.fixture(scope="module")
def tray(tmp_path_factory):
    path = tmp_path_factory.mktemp("urdf") / "tray.urdf"
    path.write_text(URDF)
    return load_robot(path)


def made(robot, rows=200, dt=1e-3) -> engine.Recording:
    """A recording of an arm that moves wildly."""
    states = np.random.default_rng(3).normal(size=(rows, 1 + 4 * robot.n))
    states[:, 0] = np.arange(rows) * dt
    return engine.Recording.from_table(Completer(robot).complete(states), robot.joint_names, metadata_of(robot, dt, "rk4"))


def transforms(path) -> list[list[dict]]:
    with path.open("rb") as file:
        return [json.loads(message.data)["transforms"] for _, _, message in make_reader(file).iter_messages(topics=["/tf"])]


def pose(transform) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = [transform["translation"][name] for name in "xyz"]
    X[:3, :3] = np.stack([rotated(np.array([transform["rotation"][name] for name in "wxyz"]), e) for e in np.eye(3)], axis=1)
    return X


def chained(placed: list[dict]) -> dict[str, np.ndarray]:
    """Poses in the world of all frames of one message, as a viewer puts them together."""
    world = {"world": np.eye(4)}
    for transform in placed:
        assert transform["child_frame_id"] not in world
        world[transform["child_frame_id"]] = world[transform["parent_frame_id"]] @ pose(transform)
    return world


@pytest.mark.parametrize("name", ["puma560", "scara", "stanford", "rp", "panda", "tray"])
def test_the_links_of_a_recording_are_where_the_engine_has_them(request, tmp_path, name):
    robot = request.getfixturevalue("tray") if name == "tray" else engine.load_robot(name)
    run = made(robot)
    placed = transforms(run.save(tmp_path / "a.mcap"))
    for k in (0, 17, 184):
        world, X_WL = chained(placed[k]), engine.link_poses(robot, run.q[k])
        for link, X in zip(robot.link_names, X_WL, strict=True):
            assert np.allclose(world[link], X, rtol=0, atol=1e-12), link
        assert np.allclose(world["tool_in_world" if name == "tray" else "tool"], engine.frame_pose(robot, run.q[k]), atol=1e-12)


def test_a_tree_with_branches_as_plain_values():
    robot = random_tree(8, 9)
    q = np.random.default_rng(9).normal(size=(5, 9))
    tree = tree_of(json.loads(json.dumps({"tree": link_tree(robot)})), robot.joint_names)
    poses = LinkFrames(tree, robot.joint_names).poses(q)
    for k in range(5):
        world = {"world": np.eye(4)}
        for link, (x, y, z, *quaternion) in zip(tree.links, poses[k], strict=True):
            X = np.eye(4)
            X[:3, :3] = np.stack([rotated(np.array(quaternion), e) for e in np.eye(3)], axis=1)
            X[:3, 3] = x, y, z
            world[link.name] = world[link.parent] @ X
        found = [world[name] for name in robot.link_names]
        assert np.allclose(found, engine.link_poses(robot, q[k]), rtol=0, atol=1e-12)


def test_links_have_the_parents_that_the_urdf_gives_them(tray):
    parents = {link["name"]: link["parent"] for link in link_tree(tray)["links"]}
    assert parents == {
        "stand": "world", "plate": "stand", "arm": "plate", "left": "arm", "right": "arm", "tool": "left",
    }  # fmt: skip


def test_links_are_written_first_and_sixty_times_a_second_and_the_tool_always(tmp_path):
    robot = engine.load_robot("puma560")
    placed = transforms(made(robot, 1001).save(tmp_path / "a.mcap"))
    assert all(row[0]["child_frame_id"] == "tool" and row[0]["parent_frame_id"] == "world" for row in placed)
    full = [k for k, row in enumerate(placed) if len(row) == 1 + len(robot.link_names)]
    assert {len(row) for row in placed} == {1, 8} and full[0] == 0 and len(full) == 61
    assert np.diff(full).min() >= 16 and np.diff(full).max() <= 17
    slow = transforms(made(robot, 20, dt=0.1).save(tmp_path / "b.mcap"))
    assert {len(row) for row in slow} == {8}


def test_recorded_in_pieces_the_same_links_are_written(tmp_path):
    run = made(engine.load_robot("scara"), 400)
    pieces = (run.table(first, first + 7) for first in range(0, 400, 7))
    write_recording(tmp_path / "pieces.mcap", run.columns, run.metadata, pieces, overwrite=False)
    assert transforms(tmp_path / "pieces.mcap") == transforms(run.save(tmp_path / "whole.mcap"))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_keeps_the_tree_and_gives_a_whole_mcap_without_the_robot(tray, tmp_path, suffix):
    run = made(tray)
    away = engine.Recording.from_table(run.table(), run.joint_names, {**run.metadata, "source": "", "robot": "gone"})
    again = load_recording(away.save(tmp_path / f"a{suffix}"))
    assert again.metadata["tree"] == link_tree(tray)
    assert transforms(again.save(tmp_path / "b.mcap")) == transforms(run.save(tmp_path / "c.mcap"))


def test_a_recording_of_an_older_version_keeps_its_tool(tmp_path):
    run = made(engine.load_robot("puma560"))
    old = {name: value for name, value in run.metadata.items() if name != "tree"}
    path = engine.Recording.from_table(run.table(), run.joint_names, old).save(tmp_path / "a.mcap")
    assert {len(row) for row in transforms(path)} == {1}
    assert np.array_equal(load_recording(path).table(), run.table())


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        ({"links": 3}, "invalid"),
        ({"links": [{"name": "a", "parent": "b", "placement": [0] * 7}]}, "'a' has no parent"),
        ({"links": [{"name": "a", "parent": "world", "placement": [0] * 7, "joint": "nobody"}]}, "'a' has no parent"),
        ({"links": [{"name": "a", "parent": "world", "placement": [0] * 6}]}, "invalid"),
        ({"links": []}, "parent of the tool"),
    ],
)
def test_a_tree_that_is_none_is_told_in_one_line(tmp_path, tree, text):
    run = made(engine.load_robot("rp"))
    whole = {"reach": 1.0, "tool": {"parent": "link2", "placement": [0] * 7}, **tree}
    bad = engine.Recording.from_table(run.table(), run.joint_names, {**run.metadata, "tree": whole})
    with pytest.raises(engine.RecordingError, match=rf"a\.mcap: .*metadata.*{text}"):
        bad.save(tmp_path / "a.mcap")
    assert not list(tmp_path.iterdir())


def test_an_mcap_made_of_a_bare_table_is_read_again(tmp_path):
    run = made(engine.load_robot("rp"))
    path = engine.Recording.from_table(run.table(), run.joint_names, {}).save(tmp_path / "a.mcap")
    assert load_recording(path).joint_names == run.joint_names and np.array_equal(load_recording(path).table(), run.table())
