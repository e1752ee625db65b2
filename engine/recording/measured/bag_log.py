"""Logs from ROS 2 bags: `sensor_msgs/JointState` in MCAP, as `ros2 bag record` writes it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from mcap.opcode import Opcode
from mcap.records import Channel, Schema

from armature.engine.recording.mcap.mcap_records import inner_records, outer_records, stream
from armature.engine.recording.measured.joint_states import FIELDS, SCHEMA, Layout, layout_of
from armature.engine.recording.measured.log_table import LogTable, cleaned, told_apart

_MESSAGE = struct.Struct("<HIQQ")  # what a message begins with: channel, sequence number, two times
_EVERY = 2000
MAX_BYTES = 4 << 30
_CUT_OFF = "the file is cut off or damaged; everything before that was read"


class _Topic:
    """The messages of one topic."""

    def __init__(self) -> None:
        self.layouts: list[Layout] = []
        self.logged: list[int] = []
        self._bytes = 0

    def add(self, logged: int, message: bytes) -> None:
        """One more message."""
        layout = next((layout for layout in reversed(self.layouts) if layout.fits(message)), None)
        if layout is None:
            layout = layout_of(message)
            self.layouts.append(layout)
        self._bytes += len(message)
        if self._bytes > MAX_BYTES or len(self.layouts) > 10_000:
            raise MemoryError
        layout.data += message
        layout.rows.append(len(self.logged))
        self.logged.append(logged)

    def columns(self, prefix: str) -> dict[str, np.ndarray]:
        """Columns by name: time of the message, time of its arrival, and those of the joints."""
        count = len(self.logged)
        stamps = np.full(count, np.nan)
        found: dict[str, np.ndarray] = {f"{prefix}stamp": stamps, f"{prefix}log time": np.array(self.logged, np.float64) * 1e-9}
        for layout in self.layouts:
            stamps[layout.rows] = layout.stamps()
            for k, quantity in enumerate(FIELDS):
                values = layout.values(k)
                for joint, name in enumerate(layout.names):
                    if np.isfinite(values[:, joint]).any():
                        column = found.setdefault(f"{prefix}{name}.{quantity}", np.full(count, np.nan))
                        column[layout.rows] = values[:, joint]
        if not (np.diff(stamps) > 0).mean() > 0.5:  # never set
            del found[f"{prefix}stamp"]
        return found


def read_bag(path: Path, progress: Callable[[int, int], None], cancelled: Callable[[], bool]) -> LogTable:
    """The joint states of a bag; of several topics the columns begin with the topic. Raises ValueError."""
    topics: dict[str, _Topic] = {}
    remarks: list[str] = []
    others: set[str] = set()
    size = path.stat().st_size
    with path.open("rb") as file:
        try:
            for count, (topic, logged, message) in enumerate(_messages(file, others)):
                if count % _EVERY == 0:
                    if cancelled():
                        raise KeyboardInterrupt
                    progress(file.tell(), size)
                topics.setdefault(topic, _Topic()).add(logged, message)
        except (OSError, MemoryError):
            raise
        except Exception:  # the package meets what is wrong wherever it stumbles over it
            if not any(topic.logged for topic in topics.values()):
                raise ValueError("it is no MCAP file, or damaged") from None
            remarks.append(_CUT_OFF)
    if not topics:
        there = f"; it has {', '.join(sorted(others))}"[:300] if others else ""
        raise ValueError(f"an MCAP file without messages of {SCHEMA} in CDR{there}")
    topics = {name: topic for name, topic in topics.items() if topic.logged}
    parts = [topics[name].columns(f"{name} " if len(topics) > 1 else "") for name in topics]
    lengths = [len(topic.logged) for topic in topics.values()]
    names, columns = list[str](), list[np.ndarray]()
    for part, count, before in zip(parts, lengths, np.cumsum([0, *lengths[:-1]]).tolist(), strict=True):
        for name, values in part.items():
            column = np.full(sum(lengths), np.nan)
            column[before : before + count] = values
            names.append(name)
            columns.append(column)
    units = tuple("s" if name.endswith(("stamp", "log time")) else "" for name in names)
    return LogTable(path, told_apart(names), cleaned(np.column_stack(columns)), units, None, tuple(remarks))


def _messages(file, others: set[str]) -> Iterator[tuple[str, int, bytes]]:
    """Topic, time of arrival in ns and bytes of every joint state; `others` gets what else there is."""
    schemas: dict[int, str] = {}
    wanted: dict[int, str] = {}
    for outer in outer_records(file):
        for kind, content in inner_records(outer[1]) if outer[0] == Opcode.CHUNK else (outer,):
            if kind == Opcode.MESSAGE:
                channel, _, logged, _ = _MESSAGE.unpack_from(content)
                if channel in wanted:
                    yield wanted[channel], logged, content[_MESSAGE.size :]
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
