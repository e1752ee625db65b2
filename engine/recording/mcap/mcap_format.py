"""Recordings as `.mcap`, the log files of Foxglove, ROS 2 and PlotJuggler: JSON messages per sample, and the arm's shape."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
import numpy as np
from mcap.writer import CompressionType, Writer

from armature.engine.recording.mcap.link_frames import LinkFrames, LinkTree, tool_frame, tree_of
from armature.engine.recording.mcap.mcap_scene import SCENE_TOPIC, SCENE_UPDATE, scene_text
from armature.engine.recording.mcap.mcap_schemas import MEASURED, SAMPLE_TOPICS
from armature.engine.recording.recording_columns import (
    JOINT_GROUPS,
    MEASURED_GROUPS,
    SCALAR_COLUMNS,
    Encoder,
    Layout,
    has_measured,
    joints_of,
)
from armature.engine.recording.recording_metadata import WORLD, as_text
from armature.engine.version import VERSION

FIELDS = ("position", "velocity", "acceleration", "effort")  # of a joint, as in JOINT_GROUPS
SENSED_FIELDS = ("position", "velocity", "effort")  # as in MEASURED_GROUPS
LINK_RATE = 60.0  # Hz: what an eye follows
_DECIMALS = 15  # of a link's pose: below them there is only rounding
Texts = tuple[str, ...]
NAME = "armature"  # of the metadata record
SENSED = "measured"  # key of the metadata record: True if there are messages of sensor readings
FLUSH = 0.2  # s between two ends of a chunk: nothing of a chunk survives a kill before its end
CHUNK = 256 << 10  # bytes; every chunk costs memory while it is written and time when it is read
_NANO = 1_000_000_000
_LAST = (1 << 63) - 1  # ns


class SampleTexts:
    """Converts rows of a recording, block by block, to the messages of its topics: three, or four with sensor readings."""

    def __init__(self, joints: Sequence[str], metadata: Mapping[str, Any], tree: LinkTree | None, measured: bool = False):
        self._layout, self._joints = Layout(len(joints), measured), tuple(joints)
        self._frames = None if tree is None else LinkFrames(tree, self._joints)
        self._links = [] if tree is None else [_frame(link.parent, link.name) for link in tree.links]
        self._tool = _frame(WORLD, tool_frame(metadata, tree))
        self._order, self._counts = _order(self._layout)
        self._states = _states(self._joints, FIELDS)
        self._told = _states(self._joints, SENSED_FIELDS) if measured else ""
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
        """Messages of a row with values that are not finite, which JSON numbers cannot express."""
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
        return *texts, json.dumps({"timestamp": time, "joints": self._joint_values(row, SENSED_FIELDS, MEASURED_GROUPS)})

    def _joint_values(self, row: list[float], fields: Sequence[str], groups: Sequence[str]) -> list[dict[str, Any]]:
        """Finite values of every joint."""
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
    sensed = [layout.group(name).start + i for i in range(layout.n) for name in MEASURED_GROUPS] if layout.measured else []
    return [*before, *sensed], (len(joints), len(joints) + len(tool), len(before))


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


class McapEncoder(Encoder):
    """Writes an MCAP file with chunks that end several times a second."""

    def __init__(self, columns: Sequence[str], metadata: Mapping[str, Any]):
        super().__init__(columns, metadata)
        self._out = _Drain()
        self._writer = Writer(self._out, chunk_size=CHUNK, compression=CompressionType.ZSTD)  # type: ignore[arg-type]
        self._row, self._flushed = 0, time.monotonic()
        self._joints = joints_of(columns)
        self._tree = tree_of(metadata, self._joints)
        self._measured = has_measured(columns)
        self._topics = {**SAMPLE_TOPICS, **(MEASURED if self._measured else {})}
        self._texts = SampleTexts(self._joints, metadata, self._tree, self._measured)
        self._epoch = _epoch(metadata)

    def header(self) -> bytes:
        """The header and the metadata."""
        self._writer.start(profile="", library=f"armature {VERSION}")
        self._add_metadata(self.metadata)
        scene = {} if self._tree is None else {SCENE_TOPIC: SCENE_UPDATE}
        for topic, schema in {**self._topics, **scene}.items():
            known = self._writer.register_schema(schema["title"], "jsonschema", json.dumps(schema).encode())
            self._writer.register_channel(topic, "json", known)
        return self._out.take()

    def rows(self, table: np.ndarray) -> bytes:
        """The chunks that became full."""
        stamps = [_nanoseconds(self._epoch, t) for t in table[:, 0].tolist()]
        if self._row == 0 and stamps and self._tree is not None:
            shape = scene_text(self._tree, stamps[0])
            self._writer.add_message(len(self._topics) + 1, stamps[0], shape.encode(), stamps[0])
        for at, texts in zip(stamps, self._texts.of(table, stamps), strict=True):
            for channel, text in enumerate(texts, start=1):
                self._writer.add_message(channel, at, text.encode(), at, self._row & 0xFFFFFFFF)
            self._row += 1
        return self._out.take()

    def flush(self) -> bytes:
        """The chunk begun, when it is time."""
        now = time.monotonic()
        if now - self._flushed >= FLUSH:
            self._flushed = now
            self._writer.flush()
        return self._out.take()

    def end(self, metadata: Mapping[str, Any]) -> bytes:
        """Return the rest of the rows, changed metadata, and the index of the file."""
        self._writer.flush()
        if dict(metadata) != self.metadata:
            self._add_metadata(metadata)
        self._writer.finish()
        return self._out.take()

    def _add_metadata(self, metadata: Mapping[str, Any]):
        as_text(metadata)
        whole = {**metadata, "joints": metadata.get("joints") or list(self._joints)}  # required for reading the file again
        whole |= {SENSED: True} if self._measured else {}
        self._writer.add_metadata(NAME, {key: json.dumps(value) for key, value in whole.items()})


class _Drain:
    """File object for the writer: stores the bytes until `take` fetches them."""

    def __init__(self):
        self._data, self._taken = bytearray(), 0

    def write(self, data) -> int:
        self._data += data
        return len(data)

    def tell(self) -> int:
        return self._taken + len(self._data)

    def flush(self):
        pass

    def take(self) -> bytes:
        data = bytes(self._data)
        self._taken += len(data)
        self._data.clear()
        return data


def _epoch(metadata: Mapping[str, Any]) -> int:
    """Start of the recording, ns since 1970; 0 if unknown."""
    try:
        return max(0, round(datetime.fromisoformat(str(metadata.get("started"))).timestamp() * 1000) * 1_000_000)
    except (ValueError, OverflowError, OSError):
        return 0


def _nanoseconds(epoch: int, t: float) -> int:
    return min(max(epoch + (round(t * _NANO) if math.isfinite(t) else 0), 0), _LAST)
