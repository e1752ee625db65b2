"""Recordings as `.mcap`, the log files of Foxglove, ROS 2 and PlotJuggler: three JSON messages per sample, by topic.

Numbers are written in the shortest digits that read back exactly; what JSON cannot say is null (NaN) and ±1e999 (infinities).
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from mcap.writer import CompressionType, Writer

from engine.recording.columns import JOINT_GROUPS, Layout, joints_of
from engine.recording.encoder import Encoder
from engine.recording.mcap_schemas import TOPICS
from engine.recording.metadata import as_text
from engine.version import VERSION

NAME = "armature"  # of the metadata record
FLUSH = 0.2  # s between two ends of a chunk: nothing of a chunk survives a kill before its end
CHUNK = 256 << 10  # bytes; every chunk costs memory while it is written and time when it is read
WORLD = "world"
_NANO = 1_000_000_000
_LAST = (1 << 63) - 1  # ns


class McapEncoder(Encoder):
    """The file as it is, with chunks that end several times a second."""

    def __init__(self, columns: Sequence[str], metadata: Mapping[str, Any]):
        super().__init__(columns, metadata)
        self._out = _Drain()
        self._writer = Writer(self._out, chunk_size=CHUNK, compression=CompressionType.ZSTD)  # type: ignore[arg-type]
        self._row, self._flushed = 0, time.monotonic()
        self._order, self._templates = _messages(joints_of(columns), str(metadata.get("tool") or "tool"))
        self._epoch = _epoch(metadata)

    def header(self) -> bytes:
        """The header and the metadata."""
        self._writer.start(profile="", library=f"armature {VERSION}")
        self._add_metadata(self.metadata)
        for topic, schema in TOPICS.items():
            known = self._writer.register_schema(schema["title"], "jsonschema", json.dumps(schema).encode())
            self._writer.register_channel(topic, "json", known)
        return self._out.take()

    def rows(self, table: np.ndarray) -> bytes:
        """The chunks that became full."""
        times = table[:, 0].tolist()
        rows = table[:, self._order].tolist()
        text = repr if np.isfinite(table).all() else _number
        for t, row in zip(times, rows, strict=True):
            numbers = tuple(map(text, row))
            at = _nanoseconds(self._epoch, t)
            stamp = f'{{"sec":{at // _NANO},"nsec":{at % _NANO}}}'
            first = 0
            for channel, (template, count) in enumerate(self._templates, start=1):
                data = template % (stamp, *numbers[first : first + count])
                self._writer.add_message(channel, at, data.encode(), at, self._row & 0xFFFFFFFF)
                first += count
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
        """What is left, metadata that changed, and the index of the whole."""
        self._writer.flush()
        if dict(metadata) != self.metadata:
            self._add_metadata(metadata)
        self._writer.finish()
        return self._out.take()

    def _add_metadata(self, metadata: Mapping[str, Any]):
        as_text(metadata)
        self._writer.add_metadata(NAME, {key: json.dumps(value) for key, value in metadata.items()})


class _Drain:
    """What the writer takes for its file: keeps what was not yet taken."""

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


def _messages(joints: tuple[str, ...], tool: str) -> tuple[list[int], list[tuple[str, int]]]:
    """The columns in the order in which the messages hold them; per topic a template and how many numbers go into it."""
    layout = Layout(len(joints))
    groups = [layout.group(name).start for name in JOINT_GROUPS]
    x, y, z, qw, qx, qy, qz = range(layout.tool.start, layout.tool.stop)
    order = [start + i for i in range(layout.n) for start in groups]
    order += [x, y, z, qx, qy, qz, qw, 0, *(layout.scalar(name) for name in ("sigma_min", "kinetic", "potential"))]
    states = ",".join(f'{{"name":{_quoted(name)},"position":%s,"velocity":%s,"acceleration":%s,"effort":%s}}' for name in joints)
    frame = f'"parent_frame_id":"{WORLD}","child_frame_id":{_quoted(tool)}'
    place = '"translation":{"x":%s,"y":%s,"z":%s},"rotation":{"x":%s,"y":%s,"z":%s,"w":%s}'
    return order, [
        (f'{{"timestamp":%s,"joints":[{states}]}}', 4 * layout.n),
        (f'{{"transforms":[{{"timestamp":%s,{frame},{place}}}]}}', 7),
        ('{"timestamp":%s,"t":%s,"sigma_min":%s,"kinetic":%s,"potential":%s}', 4),
    ]


def _quoted(text: str) -> str:
    return json.dumps(text).replace("%", "%%")


def _number(x: float) -> str:
    if math.isfinite(x):
        return repr(x)
    return "null" if math.isnan(x) else "1e999" if x > 0 else "-1e999"


def _epoch(metadata: Mapping[str, Any]) -> int:
    """When the recording began, ns since 1970; 0 where it does not say."""
    try:
        return max(0, round(datetime.fromisoformat(str(metadata.get("started"))).timestamp() * 1000) * 1_000_000)
    except (ValueError, OverflowError, OSError):
        return 0


def _nanoseconds(epoch: int, t: float) -> int:
    return min(max(epoch + (round(t * _NANO) if math.isfinite(t) else 0), 0), _LAST)
