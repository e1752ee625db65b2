"""Logs from ROS 2 bags: `sensor_msgs/JointState` in MCAP, as `ros2 bag record` writes it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from mcap.records import Channel

from armature.engine.errors import Cancelled
from armature.engine.recording.mcap.mcap_reader import messages
from armature.engine.recording.measured.log_table import ARRIVAL, LogTable, clean, unique_names

SCHEMA = "sensor_msgs/msg/JointState"
FIELDS = ("position", "velocity", "effort")
_HEAD, _STAMP = 4, 8  # bytes of the encapsulation and of the time
_MOST_ITEMS = 10_000  # names or numbers of one message
_CONTRADICT = 3.0  # times the way of two publishers, each by itself, is the way of their values in turn
_TURNS = 0.2  # share of the fewer messages: two active publishers alternate at least so often
_LEAST = 1e-6  # rad or m: less is no way
_SET = 0.3  # of the steps of stamps that are set go forward
_MOST_NAME_ORDERS = 20  # orders of names
_SHARE = 0.2  # of the messages: so many are zeros, and not zeros, where a second publisher sends zeros
_EVERY = 2000
MAX_BYTES = 4 << 30
_CUT_OFF = "the file is cut off or damaged; only the part before that was read"


@dataclass
class MessageLayout:
    """Layout of messages that differ only in their numbers; `data` is their concatenation, `rows` their indices in the topic.

    `counted` and `starts` are the offsets in bytes of the lengths and the values of position, velocity and effort, `counts` the
    lengths.
    """

    order: str
    size: int
    fixed: bytes
    names: tuple[str, ...]
    counted: tuple[int, ...]
    starts: tuple[int, ...]
    counts: tuple[int, ...]
    channel: int
    data: bytearray = field(default_factory=bytearray)
    rows: list[int] = field(default_factory=list)

    def fits(self, message: bytes) -> bool:
        """Whether a message has this layout."""
        return (
            len(message) == self.size
            and message[:_HEAD] == (b"\0\1\0\0" if self.order == "<" else b"\0\0\0\0")
            and message[_HEAD + _STAMP : _HEAD + _STAMP + len(self.fixed)] == self.fixed
            and tuple(struct.unpack_from(f"{self.order}I", message, at)[0] for at in self.counted) == self.counts
        )

    def stamps(self) -> np.ndarray:
        """Times of all messages in s, `(k,)`."""
        seconds = self._numbers(_HEAD, "i4", 1)[:, 0].astype(np.float64)
        return seconds + 1e-9 * self._numbers(_HEAD + 4, "u4", 1)[:, 0]

    def values(self, k: int) -> np.ndarray:
        """Positions (0), velocities (1) or efforts (2) `(k, joints)`, NaN if the messages have none."""
        if self.counts[k] != len(self.names):
            return np.full((len(self.rows), len(self.names)), np.nan)
        return self._numbers(self.starts[k], "f8", self.counts[k]).astype(np.float64)

    def _numbers(self, at: int, kind: str, count: int) -> np.ndarray:
        whole = np.frombuffer(bytes(self.data), np.uint8).reshape(len(self.rows), self.size)
        return np.ascontiguousarray(whole[:, at : at + int(kind[1]) * count]).view(self.order + kind)


def message_layout(message: bytes, channel: int) -> MessageLayout:
    """Return the layout of a message of `channel`; raises ValueError if it is not a joint state."""
    try:
        if message[:2] not in (b"\0\1", b"\0\0"):
            raise IndexError
        order = "<" if message[1] else ">"
        _, at = _text(message, _HEAD + _STAMP, order)
        count, at = _unsigned(message, at, order, _MOST_ITEMS)
        names, counted, starts, counts = list[str](), list[int](), list[int](), list[int]()
        for _ in range(count):
            name, at = _text(message, at, order)
            names.append(name)
        fixed = message[_HEAD + _STAMP : at]
        for _ in FIELDS:
            count, at = _unsigned(message, at, order, _MOST_ITEMS)
            counted.append(at - 4)
            starts.append(at + (-(at - _HEAD) % 8 if count else 0))
            counts.append(count)
            at = starts[-1] + 8 * count
        if at > len(message):
            raise IndexError
    except (struct.error, UnicodeDecodeError, IndexError):
        raise ValueError(f"a message is not a {SCHEMA}, or damaged") from None
    return MessageLayout(order, len(message), fixed, tuple(names), tuple(counted), tuple(starts), tuple(counts), channel)


def _unsigned(message: bytes, at: int, order: str, most: int) -> tuple[int, int]:
    """Integer at the next multiple of 4, at most `most`, and the offset after it."""
    at += -(at - _HEAD) % 4
    (value,) = struct.unpack_from(f"{order}I", message, at)
    if value > most:
        raise IndexError
    return value, at + 4


def _text(message: bytes, at: int, order: str) -> tuple[str, int]:
    size, at = _unsigned(message, at, order, len(message))
    return message[at : at + max(0, size - 1)].decode(), at + size


class BagSource:
    """Messages whose values belong together, as parts of layouts; `logged` are arrivals in ns of the topic."""

    def __init__(self, topic: str, logged: Sequence[int]) -> None:
        self.topic, self.prefix = topic, ""
        self._logged = logged
        self._parts: list[tuple[MessageLayout, np.ndarray, np.ndarray]] = []

    def __len__(self) -> int:
        return sum(len(which) for _, which, _ in self._parts)

    def add(self, layout: MessageLayout, which: np.ndarray, positions: np.ndarray) -> None:
        """Add messages with their positions `(k, joints)`."""
        self._parts.append((layout, which, positions))

    def take(self, other: BagSource) -> None:
        """Add all messages of another source."""
        self._parts += other._parts

    def series(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Places in the topic `(k,)`, growing, and positions `(k,)` of a joint there."""
        parts = [part for part in self._parts if name in part[0].names]
        places = np.concatenate([np.array(layout.rows)[which] for layout, which, _ in parts])
        values = np.concatenate([positions[:, layout.names.index(name)] for layout, _, positions in parts])
        order = np.argsort(places, kind="stable")
        known = np.isfinite(values[order])
        return places[order][known], values[order][known]

    @property
    def joints(self) -> dict[str, None]:
        """Names of the joints."""
        return dict.fromkeys(name for layout, _, _ in self._parts for name in layout.names)

    @property
    def way(self) -> float:
        """Sum of the ranges that the joints go through."""
        return sum(float(np.ptp(values)) for name in self.joints if len(values := self.series(name)[1]))

    @property
    def is_zero(self) -> bool:
        """Whether all positions are 0."""
        return not any(self.series(name)[1].any() for name in self.joints)

    def contradicts(self, other: BagSource) -> bool:
        """Whether both send at the same time, and a joint would leap to and fro between their values."""
        merged = apart = 0.0
        for name in self.joints.keys() & other.joints.keys():
            (mine, a), (others, b) = self.series(name), other.series(name)
            if not len(a) or not len(b):
                continue
            order = np.argsort(np.concatenate([mine, others]), kind="stable")
            turns = np.count_nonzero(np.diff(order < len(mine)))
            if turns < max(2, _TURNS * min(len(a), len(b))):
                continue
            merged += float(np.abs(np.diff(np.concatenate([a, b])[order])).sum())
            apart += float(np.abs(np.diff(a)).sum() + np.abs(np.diff(b)).sum())
        return merged > _CONTRADICT * apart + _LEAST

    def columns(self) -> dict[str, np.ndarray]:
        """Columns by name: time of the message, time of its arrival, and the values of the joints."""
        places = np.sort(np.concatenate([np.array(layout.rows)[which] for layout, which, _ in self._parts]))
        stamps = np.full(len(places), np.nan)
        logged = np.array(self._logged, np.float64)[places] * 1e-9
        found: dict[str, np.ndarray] = {f"{self.prefix}stamp": stamps, f"{self.prefix}{ARRIVAL}": logged}
        for layout, which, _ in self._parts:
            at = np.searchsorted(places, np.array(layout.rows)[which])
            stamps[at] = layout.stamps()[which]
            for k, quantity in enumerate(FIELDS):
                values = layout.values(k)[which]
                for joint, name in enumerate(layout.names):
                    if np.isfinite(values[:, joint]).any():
                        column = found.setdefault(f"{self.prefix}{name}.{quantity}", np.full(len(places), np.nan))
                        column[at] = values[:, joint]
        if not (np.diff(stamps) > 0).mean() > _SET:  # never set
            del found[f"{self.prefix}stamp"]
        return found


def find_sources(topics: Mapping[str, tuple[Sequence[MessageLayout], Sequence[int]]]) -> tuple[list[BagSource], tuple[str, ...]]:
    """Return the sources of all topics, those that move first, and a line on each that is not used unless it is chosen."""
    found, warnings = list[BagSource](), list[str]()
    for topic, (layouts, logged) in topics.items():
        mine = sorted(_publishers(topic, layouts, logged), key=lambda source: not source.way)
        for k, source in enumerate(mine, start=1):
            source.prefix = f"{topic} " * (len(topics) > 1)
            if k > 1:
                source.prefix = f"{source.prefix}publisher {k} "
                what = f"publisher {k} of {topic} disagrees with the other{'s' if len(mine) > 2 else ''}"
                warnings.append(_unused(source, what))
        found += mine
    moving = {name for source in found if source.way for name in source.joints}
    for source in found:
        if "publisher" not in source.prefix and not source.way and moving & source.joints.keys():
            source.prefix = f"constant {source.prefix}"
            warnings.append(_unused(source, f"{source.topic} never moves"))
    return sorted(found, key=lambda source: (not source.way, "publisher" in source.prefix)), tuple(warnings)


def _unused(source: BagSource, why: str) -> str:
    values = ", all zero," if source.is_zero else ", all equal," if not source.way else ""
    return f"{why}; its {len(source):,} messages{values} are not used (columns “{source.prefix.strip()} …”)"


def _publishers(topic: str, layouts: Sequence[MessageLayout], logged: Sequence[int]) -> list[BagSource]:
    """Return the sources of one topic: messages that do not contradict each other are one, whatever order their names have."""
    alike: dict[tuple[bool, int, bytes], BagSource] = {}
    for layout in layouts:
        positions = layout.values(0)
        for which, zeros in _by_content(layout, positions):
            source = alike.setdefault((zeros, layout.channel, layout.fixed), BagSource(topic, logged))
            source.add(layout, which, positions[which])
    found = list[BagSource]()
    for one in alike.values():
        others = found if len(alike) <= _MOST_NAME_ORDERS else found[:1]  # names in any order, message by message: one publisher
        fitting = next((source for source in others if len(alike) > _MOST_NAME_ORDERS or not source.contradicts(one)), None)
        if fitting is None:
            found.append(one)
        else:
            fitting.take(one)
    return found


def _by_content(layout: MessageLayout, positions: np.ndarray) -> list[tuple[np.ndarray, bool]]:
    """Return which messages belong together, and whether they are zeros that come with the same stamps as others."""
    everything = np.arange(len(layout.rows))
    zero = (positions == 0).all(axis=1)
    if not layout.names or not _SHARE <= zero.mean() <= 1 - _SHARE:
        return [(everything, False)]
    stamps = layout.stamps()
    if np.isin(stamps[zero], stamps[~zero]).mean() < 0.5:
        return [(everything, False)]
    return [(everything[~zero], False), (everything[zero], True)]


class _Topic:
    """The messages of one topic."""

    def __init__(self) -> None:
        self.layouts: list[MessageLayout] = []
        self.logged: list[int] = []
        self._bytes = 0

    def add(self, channel: int, logged: int, message: bytes) -> None:
        """Append a message."""
        fitting = (layout for layout in reversed(self.layouts) if layout.channel == channel and layout.fits(message))
        layout = next(fitting, None)
        if layout is None:
            layout = message_layout(message, channel)
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

    def is_joint_state(channel: Channel, schema: str) -> bool:
        if schema in (SCHEMA, "sensor_msgs/JointState") and channel.message_encoding == "cdr":
            return True
        others.add(f"{channel.topic} ({schema or channel.message_encoding})")
        return False

    with path.open("rb") as file:
        try:
            for count, (topic, channel, _, logged, message) in enumerate(messages(file, is_joint_state)):
                if count % _EVERY == 0:
                    if cancelled():
                        raise Cancelled
                    progress(file.tell(), size)
                topics.setdefault(topic, _Topic()).add(channel, logged, message)
        except (OSError, MemoryError, Cancelled):
            raise
        except Exception:  # the package raises many types of errors for damaged files
            if not any(topic.logged for topic in topics.values()):
                raise ValueError("not an MCAP file, or damaged") from None
            remarks.append(_CUT_OFF)
    if not topics:
        there = f"; it has {', '.join(sorted(others))}"[:300] if others else ""
        raise ValueError(f"an MCAP file without messages of {SCHEMA} in CDR{there}")
    sources, warnings = find_sources({name: (topic.layouts, topic.logged) for name, topic in topics.items() if topic.logged})
    first_rows = np.cumsum([0, *map(len, sources)])
    columns = [(name, first, values) for source, first in zip(sources, first_rows) for name, values in source.columns().items()]
    table = np.full((first_rows[-1], len(columns)), np.nan)
    for k, (_, first, values) in enumerate(columns):
        table[first : first + len(values), k] = values
    names = [name for name, _, _ in columns]
    units = tuple("s" if name.endswith(("stamp", ARRIVAL)) else "" for name in names)
    return LogTable(path, unique_names(names), clean(table), units, remarks=tuple(remarks), warnings=warnings)
