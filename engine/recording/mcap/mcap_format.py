"""Recordings as `.mcap`, the log files of Foxglove, ROS 2 and PlotJuggler: JSON messages per sample, and the arm's shape."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from mcap.writer import CompressionType, Writer

from armature.engine.recording.mcap.link_frames import tree_of
from armature.engine.recording.mcap.mcap_scene import SCENE_TOPIC, SCENE_UPDATE, scene_text
from armature.engine.recording.mcap.mcap_schemas import MEASURED, SAMPLE_TOPICS
from armature.engine.recording.mcap.mcap_texts import SampleTexts
from armature.engine.recording.recording_columns import has_measured, joints_of
from armature.engine.recording.recording_metadata import as_text
from armature.engine.recording.row_encoder import Encoder
from armature.engine.version import VERSION

NAME = "armature"  # of the metadata record
SENSED = "measured"  # in it: whether there are messages of what sensors say
FLUSH = 0.2  # s between two ends of a chunk: nothing of a chunk survives a kill before its end
CHUNK = 256 << 10  # bytes; every chunk costs memory while it is written and time when it is read
_NANO = 1_000_000_000
_LAST = (1 << 63) - 1  # ns


class McapEncoder(Encoder):
    """The file as it is, with chunks that end several times a second."""

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
        """What is left, metadata that changed, and the index of the whole."""
        self._writer.flush()
        if dict(metadata) != self.metadata:
            self._add_metadata(metadata)
        self._writer.finish()
        return self._out.take()

    def _add_metadata(self, metadata: Mapping[str, Any]):
        as_text(metadata)
        whole = {**metadata, "joints": metadata.get("joints") or list(self._joints)}  # without them nobody reads it again
        whole |= {SENSED: True} if self._measured else {}
        self._writer.add_metadata(NAME, {key: json.dumps(value) for key, value in whole.items()})


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


def _epoch(metadata: Mapping[str, Any]) -> int:
    """When the recording began, ns since 1970; 0 where it does not say."""
    try:
        return max(0, round(datetime.fromisoformat(str(metadata.get("started"))).timestamp() * 1000) * 1_000_000)
    except (ValueError, OverflowError, OSError):
        return 0


def _nanoseconds(epoch: int, t: float) -> int:
    return min(max(epoch + (round(t * _NANO) if math.isfinite(t) else 0), 0), _LAST)
