"""The arm's shape in a `.mcap`: one message on `/robot`, whose solids hang on the link frames and reach from joint to joint."""

import json

import jsonschema
import numpy as np
import pytest
from mcap.reader import make_reader

from armature import engine
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.mcap.link_frames import tree_of
from armature.engine.recording.mcap.mcap_scene import SCENE_UPDATE, shapes
from armature.engine.recording.recording_metadata import link_tree
from armature.engine.rotations import rotated
from tests.engine.test_mcap_links import chained, made, transforms, tray  # noqa: F401

ARMS = ["puma560", "scara", "rp", "panda", "stanford", "tray"]


@pytest.fixture
def robot(request):
    return request.getfixturevalue("tray") if request.param == "tray" else engine.load_robot(request.param)


def shown(path):
    """The one message on `/robot`, checked against its schema."""
    with path.open("rb") as file:
        reader = make_reader(file)
        ((schema, _, message),) = reader.iter_messages(topics=["/robot"])
        start = reader.get_summary().statistics.message_start_time
    data = json.loads(message.data)
    jsonschema.Draft202012Validator(json.loads(schema.data)).validate(data)
    stamps = [entity["timestamp"] for entity in data["entities"]]
    assert {stamp["sec"] * 10**9 + stamp["nsec"] for stamp in stamps} == {start}
    assert json.loads(schema.data) == SCENE_UPDATE and message.log_time == message.publish_time == start
    return data


def ends(primitive) -> np.ndarray:
    """The two ends `(2, 3)` of a solid in its link."""
    pose, half = primitive["pose"], primitive["size"]["z"] / 2
    turn = np.array([pose["orientation"][name] for name in "wxyz"])
    return np.array([pose["position"][name] for name in "xyz"]) + np.outer([-half, half], rotated(turn, np.array([0.0, 0, 1])))


@pytest.mark.parametrize("robot", ARMS, indirect=True)
def test_one_scene_at_the_beginning_hangs_on_the_link_frames(robot, tmp_path):
    path = made(robot, 20).save(tmp_path / "a.mcap")
    scene = shown(path)
    frames = set(robot.link_names) | {"world"}
    assert scene["deletions"] == [] and len(scene["entities"]) >= robot.n
    for entity in scene["entities"]:
        assert entity["frame_id"] == entity["id"] in frames and entity["frame_locked"] is True
        assert entity["lifetime"] == {"sec": 0, "nsec": 0}
        sizes = np.array([[solid["size"][name] for name in "xyz"] for solid in entity["cylinders"] + entity["cubes"]])
        assert len(sizes) and (sizes > 0).all() and sizes.max() < 2 * robot.reach


@pytest.mark.parametrize("robot", ARMS, indirect=True)
def test_the_solids_lead_from_the_base_to_the_tool(robot, tmp_path):
    run = made(robot, 20)
    low, high = (np.where(np.isfinite(end), end, 0.1) for end in (robot.q_min, robot.q_max))
    q = np.where(robot.prismatic, (low + high) / 2, run.q)
    states = np.hstack([run.t[:, None], q, np.zeros((20, 3 * robot.n))])
    table = Completer(robot).complete(states)
    path = engine.Recording.from_table(table, robot.joint_names, run.metadata).save(tmp_path / "a.mcap")
    world, scene = chained(transforms(path)[0]), shown(path)
    segments = []
    for entity in scene["entities"]:
        X = world[entity["frame_id"]]
        for solid in entity["cylinders"] + entity["cubes"]:
            segments.append(ends(solid) @ X[:3, :3].T + X[:3, 3])
    reached = {k for k, segment in enumerate(segments) if nearest(world[robot.link_names[0]][:3, 3], segment) < 0.1 * robot.reach}
    todo = list(reached)
    while todo:  # solids that touch one another, from the base on
        mine = segments[todo.pop()]
        for k, other in enumerate(segments):
            if k not in reached and touching(mine, other) < 1e-4:
                reached.add(k)
                todo.append(k)
    assert len(reached) == len(segments)
    tool = engine.frame_pose(robot, q[0])[:3, 3]
    assert min(nearest(tool, segment) for segment in segments) < 1e-4


def nearest(point, segment) -> float:
    """How far a point is from a segment, m."""
    a, way = segment[0], segment[1] - segment[0]
    s = np.clip((point - a) @ way / (way @ way), 0, 1)
    return float(np.linalg.norm(point - a - s * way))


def touching(one, other) -> float:
    """How near two segments come, m: tubes meet with an end at the other's middle line."""
    return min(*(nearest(point, other) for point in one), *(nearest(point, one) for point in other))


def test_a_slide_keeps_to_its_carriage_over_the_whole_stroke():
    robot = engine.load_robot("scara")
    tree = tree_of({"tree": json.loads(json.dumps(link_tree(robot)))}, robot.joint_names)
    rod = shapes(tree)["link3"][0]
    low, high = robot.q_min[2], robot.q_max[2]
    assert np.linalg.norm(rod.end - rod.start) == pytest.approx(max(high, 0) - min(low, 0))


def test_a_recording_without_links_shows_none(tmp_path):
    run = made(engine.load_robot("rp"), 5)
    old = engine.Recording.from_table(run.table(), run.joint_names, {**run.metadata, "tree": None})
    with old.save(tmp_path / "a.mcap").open("rb") as file:
        topics = {channel.topic for channel in make_reader(file).get_summary().channels.values()}
    assert topics == {"/joint_states", "/tf", "/armature"}
