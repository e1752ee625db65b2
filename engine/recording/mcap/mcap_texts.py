"""The JSON messages of a `.mcap` recording: a text per topic and sample, numbers in the shortest digits that read back exactly.

JSON knows no NaN and no infinities: a field that would be one is left out, a pose too, and `armature.Sample` then tells the row.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from armature.engine.recording.link_tree import WORLD
from armature.engine.recording.mcap.link_frames import LinkFrames, LinkTree, tool_frame
from armature.engine.recording.recording_columns import JOINT_GROUPS, MEASURED_GROUPS, SCALAR_COLUMNS, Layout

FIELDS = ("position", "velocity", "acceleration", "effort")  # of a joint, as in JOINT_GROUPS
SENSED = ("position", "velocity", "effort")  # as in MEASURED_GROUPS
LINK_RATE = 60.0  # Hz: what an eye follows
_DECIMALS = 15  # of a link's pose: below them there is only rounding
_NANO = 1_000_000_000
Texts = tuple[str, ...]


class SampleTexts:
    """Turns the rows of one recording, block by block, into the messages of its topics: four with what sensors say."""

    def __init__(self, joints: Sequence[str], metadata: Mapping[str, Any], tree: LinkTree | None, measured: bool = False):
        self._layout, self._joints = Layout(len(joints), measured), tuple(joints)
        self._frames = None if tree is None else LinkFrames(tree, self._joints)
        self._links = [] if tree is None else [_frame(link.parent, link.name) for link in tree.links]
        self._tool = _frame(WORLD, tool_frame(metadata, tree))
        self._order, self._counts = _order(self._layout)
        self._states = _states(self._joints, FIELDS)
        self._told = _states(self._joints, SENSED) if measured else ""
        self._sample = '{"timestamp":%s,"t":%s,' + ",".join(f'"{name}":%s' for name in SCALAR_COLUMNS) + "}"
        self._began: float | None = None
        self._shown = math.nan  # the sixtieth of a second in which the links were written last

    def of(self, table: np.ndarray, stamps: Sequence[int]) -> Iterator[Texts]:
        """The messages on `SAMPLE_TOPICS`, and on `MEASURED`, of every row, at `stamps` in ns."""
        links = self._link_poses(table)
        finite = np.isfinite(table).all(axis=1).tolist()
        rows = msgspec.json.encode(table[:, self._order].tolist()).decode()[2:-2].split("],[")  # faster than repr of every number
        for k, at in enumerate(stamps):
            stamp = f'{{"sec":{at // _NANO},"nsec":{at % _NANO}}}'
            poses = links.get(k)
            yield self._plain(rows[k].split(","), stamp, poses) if finite[k] else self._odd(table[k].tolist(), stamp, poses)

    def _link_poses(self, table: np.ndarray) -> dict[int, list[list[float]]]:
        """Poses of the links for the first row and about LINK_RATE times a second, by row."""
        if self._frames is None or not len(table):
            return {}
        if self._began is None:
            self._began = float(table[0, 0])
        tick = np.floor((table[:, 0] - self._began) * LINK_RATE + 1e-6)
        rows = np.flatnonzero(tick != np.concatenate([[self._shown], tick[:-1]]))
        self._shown = float(tick[-1])
        poses = np.round(self._frames.poses(table[rows][:, self._layout.group("q")]), _DECIMALS)
        return dict(zip(rows.tolist(), poses.tolist(), strict=True))

    def _plain(self, numbers: list[str], stamp: str, poses: list[list[float]] | None) -> Texts:
        first, second, third = self._counts
        places = self._tool % (stamp, *numbers[first:second])
        if poses is not None:
            places += self._placed(poses, stamp)
        texts = (
            self._states % (stamp, *numbers[:first]),
            f'{{"transforms":[{places}]}}',
            self._sample % (stamp, *numbers[second:third]),
        )
        return (*texts, self._told % (stamp, *numbers[third:])) if self._told else texts

    def _placed(self, poses: list[list[float]], stamp: str) -> str:
        parts = zip(self._links, poses, strict=True)
        return "".join("," + text % (stamp, *map(repr, _xyzw(pose))) for text, pose in parts if all(map(math.isfinite, pose)))

    def _odd(self, row: list[float], stamp: str, poses: list[list[float]] | None) -> Texts:
        """The messages of a row that JSON numbers alone cannot tell."""
        layout, time = self._layout, json.loads(stamp)
        pose = row[layout.tool]
        places = (self._tool % (stamp, *map(repr, _xyzw(pose))) if all(map(math.isfinite, pose)) else "") + (
            "" if poses is None else self._placed(poses, stamp)
        )
        rest = _finite({"t": row[0], **{name: row[layout.scalar(name)] for name in SCALAR_COLUMNS}})
        states = json.dumps({"timestamp": time, "joints": self._joint_values(row, FIELDS, JOINT_GROUPS)})
        texts = (
            states,
            f'{{"transforms":[{places.removeprefix(",")}]}}',
            json.dumps({"timestamp": time, **rest, "row": [repr(x) for x in row]}),
        )
        if not self._told:
            return texts
        return *texts, json.dumps({"timestamp": time, "joints": self._joint_values(row, SENSED, MEASURED_GROUPS)})

    def _joint_values(self, row: list[float], fields: Sequence[str], groups: Sequence[str]) -> list[dict[str, Any]]:
        """What a message tells of every joint, the finite numbers of it."""
        values: list[dict[str, Any]] = [{"name": name} for name in self._joints]
        for field, group in zip(fields, groups, strict=True):
            for state, value in zip(values, row[self._layout.group(group)], strict=True):
                state |= _finite({field: value})
        return values


def _states(joints: Sequence[str], fields: Sequence[str]) -> str:
    """A message of these fields of every joint."""
    states = ",".join(f'{{"name":{_quoted(name)},' + ",".join(f'"{field}":%s' for field in fields) + "}" for name in joints)
    return f'{{"timestamp":%s,"joints":[{states}]}}'


def _order(layout: Layout) -> tuple[list[int], tuple[int, int, int]]:
    """The columns in the order in which the messages hold them, and where those after the first one begin."""
    groups = [layout.group(name).start for name in JOINT_GROUPS]
    joints = [start + i for i in range(layout.n) for start in groups]
    tool = _xyzw(list(range(layout.tool.start, layout.tool.stop)))
    before = [*joints, *tool, 0, *map(layout.scalar, SCALAR_COLUMNS)]
    told = [layout.group(name).start + i for i in range(layout.n) for name in MEASURED_GROUPS] if layout.measured else []
    return [*before, *told], (len(joints), len(joints) + len(tool), len(before))


def _xyzw(pose: list[Any]) -> list[Any]:
    """A pose x y z w x y z with its quaternion in Foxglove's order."""
    return [*pose[:3], *pose[4:], pose[3]]


def _frame(parent: str, child: str) -> str:
    frame = f'"parent_frame_id":{_quoted(parent)},"child_frame_id":{_quoted(child)}'
    place = '"translation":{"x":%s,"y":%s,"z":%s},"rotation":{"x":%s,"y":%s,"z":%s,"w":%s}'
    return f'{{"timestamp":%s,{frame},{place}}}'


def _quoted(text: str) -> str:
    return json.dumps(text).replace("%", "%%")


def _finite(values: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in values.items() if math.isfinite(value)}
