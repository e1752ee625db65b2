"""Logs from ROS 2 bags: `sensor_msgs/JointState` in MCAP, as `ros2 bag record` writes it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from mcap.opcode import Opcode
from mcap.records import Channel, Schema

from armature.engine.recording.mcap.mcap_records import inner_records, outer_records, stream
from armature.engine.recording.measured.bag_sources import sources_of
from armature.engine.recording.measured.joint_states import SCHEMA, Layout, layout_of
from armature.engine.recording.measured.log_table import ARRIVAL, LogTable, cleaned, told_apart

_MESSAGE = struct.Struct("<HIQQ")  # what a message begins with: channel, sequence number, two times
_EVERY = 2000
MAX_BYTES = 4 << 30
_CUT_OFF = "the file is cut off or damaged; only the part before that was read"


class _Topic:
    """The messages of one topic."""

    def __init__(self) -> None:
        self.layouts: list[Layout] = []
        self.logged: list[int] = []
        self._bytes = 0

    def add(self, channel: int, logged: int, message: bytes) -> None:
        """Append a message."""
        fitting = (layout for layout in reversed(self.layouts) if layout.channel == channel and layout.fits(message))
        layout = next(fitting, None)
        if layout is None:
            layout = layout_of(message, channel)
            self.layouts.append(layout)
        self._bytes += len(message)
        if self._bytes > MAX_BYTES or len(self.layouts) > 10_000:
            raise MemoryError
        layout.data += message
        layout.rows.append(len(self.logged))
        self.logged.append(logged)


def read_bag(path: Path, progress: Callable[[int, int], None], cancelled: Callable[[], bool]) -> LogTable:
    """Read the joint states of a bag. Raises ValueError.

    With several topics, columns begin with the topic. Publishers of one topic that contradict each other have their own columns.
    """
    topics: dict[str, _Topic] = {}
    remarks: list[str] = []
    others: set[str] = set()
    size = path.stat().st_size
    with path.open("rb") as file:
        try:
            for count, (topic, channel, logged, message) in enumerate(_messages(file, others)):
                if count % _EVERY == 0:
                    if cancelled():
                        raise KeyboardInterrupt
                    progress(file.tell(), size)
                topics.setdefault(topic, _Topic()).add(channel, logged, message)
        except (OSError, MemoryError):
            raise
        except Exception:  # the package meets what is wrong wherever it stumbles over it
            if not any(topic.logged for topic in topics.values()):
                raise ValueError("not an MCAP file, or damaged") from None
            remarks.append(_CUT_OFF)
    if not topics:
        there = f"; it has {', '.join(sorted(others))}"[:300] if others else ""
        raise ValueError(f"an MCAP file without messages of {SCHEMA} in CDR{there}")
    sources, doubts = sources_of({name: (topic.layouts, topic.logged) for name, topic in topics.items() if topic.logged})
    rows = [source.columns() for source in sources]
    names, columns, before, total = list[str](), list[np.ndarray](), 0, sum(map(len, sources))
    for source, part in zip(sources, rows, strict=True):
        for name, values in part.items():
            column = np.full(total, np.nan)
            column[before : before + len(source)] = values
            names.append(name)
            columns.append(column)
        before += len(source)
    units = tuple("s" if name.endswith(("stamp", ARRIVAL)) else "" for name in names)
    table = cleaned(np.column_stack(columns))
    return LogTable(path, told_apart(names), table, units, remarks=tuple(remarks), doubts=doubts)


def _messages(file, others: set[str]) -> Iterator[tuple[str, int, int, bytes]]:
    """Yield topic, channel, time of arrival in ns and bytes of every joint state; the rest of the topics goes to `others`."""
    schemas: dict[int, str] = {}
    wanted: dict[int, str] = {}
    for outer in outer_records(file):
        for kind, content in inner_records(outer[1]) if outer[0] == Opcode.CHUNK else (outer,):
            if kind == Opcode.MESSAGE:
                channel, _, logged, _ = _MESSAGE.unpack_from(content)
                if channel in wanted:
                    yield wanted[channel], channel, logged, content[_MESSAGE.size :]
            elif kind == Opcode.SCHEMA:
                schema = Schema.read(stream(content))
                schemas[schema.id] = schema.name
            elif kind == Opcode.CHANNEL:
                known = Channel.read(stream(content))
                name = schemas.get(known.schema_id, "")
                if name in (SCHEMA, "sensor_msgs/JointState") and known.message_encoding == "cdr":
                    wanted[known.id] = known.topic
                else:
                    others.add(f"{known.topic} ({name or known.message_encoding})")
