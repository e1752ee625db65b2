"""Decodes `sensor_msgs/JointState` as ROS 2 writes it: CDR, with every number on a multiple of its size.

Sources: OMG, DDS Interoperability Wire Protocol 2.5, section 10; sensor_msgs/msg/JointState.msg.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, replace

import numpy as np

SCHEMA = "sensor_msgs/msg/JointState"
FIELDS = ("position", "velocity", "effort")
_HEAD, _STAMP = 4, 8  # bytes of the encapsulation and of the time
_MOST = 10_000  # names or numbers of one message


@dataclass
class Layout:
    """Messages that are alike but for their numbers; `data` holds them one after another, `rows` which of all each is."""

    order: str
    size: int
    fixed: bytes
    names: tuple[str, ...]
    starts: tuple[int, ...]
    counts: tuple[int, ...]
    channel: int = 0
    data: bytearray = field(default_factory=bytearray)
    rows: list[int] = field(default_factory=list)

    def fits(self, message: bytes) -> bool:
        """Whether a message is laid out like that."""
        return (
            len(message) == self.size
            and message[:_HEAD] == (b"\0\1\0\0" if self.order == "<" else b"\0\0\0\0")
            and message[_HEAD + _STAMP : _HEAD + _STAMP + len(self.fixed)] == self.fixed
            and all(
                struct.unpack_from(f"{self.order}I", message, at)[0] == count
                for at, count in zip(self._counted, self.counts, strict=True)
            )
        )

    @property
    def _counted(self) -> tuple[int, ...]:
        """Where the numbers of values stand."""
        first = _HEAD + _STAMP + len(self.fixed)
        found = []
        at = first
        for start, count in zip(self.starts, self.counts, strict=True):
            at += -(at - _HEAD) % 4
            found.append(at)
            at = start + 8 * count if count else at + 4
        return tuple(found)

    def stamps(self) -> np.ndarray:
        """Times of all messages in s, `(k,)`."""
        seconds = self._numbers(_HEAD, "i4", 1)[:, 0].astype(np.float64)
        return seconds + 1e-9 * self._numbers(_HEAD + 4, "u4", 1)[:, 0]

    def values(self, k: int) -> np.ndarray:
        """Positions (0), velocities (1) or efforts (2) `(k, joints)`, NaN where the messages hold none."""
        if self.counts[k] != len(self.names):
            return np.full((len(self.rows), len(self.names)), np.nan)
        return self._numbers(self.starts[k], "f8", self.counts[k]).astype(np.float64)

    def _numbers(self, at: int, kind: str, count: int) -> np.ndarray:
        whole = np.frombuffer(bytes(self.data), np.uint8).reshape(len(self.rows), self.size)
        size = int(kind[1]) * count
        return np.ascontiguousarray(whole[:, at : at + size]).view(self.order + kind)


def layout_of(message: bytes, channel: int = 0) -> Layout:
    """Return the layout of a message of `channel`; raises ValueError for one that is no joint state."""
    try:
        return replace(_read(message), channel=channel)
    except (struct.error, UnicodeDecodeError, IndexError):
        raise ValueError(f"a message is not a {SCHEMA}, or damaged") from None


def _read(message: bytes) -> Layout:
    if message[:2] not in (b"\0\1", b"\0\0"):
        raise IndexError
    order = "<" if message[1] else ">"
    at = _HEAD + _STAMP
    _, at = _text(message, at, order)
    count, at = _count(message, at, order)
    names = []
    for _ in range(count):
        name, at = _text(message, at, order)
        names.append(name)
    fixed = message[_HEAD + _STAMP : at]
    starts, counts = [], []
    for _ in FIELDS:
        many, at = _count(message, at, order)
        at += -(at - _HEAD) % 8 if many else 0
        starts.append(at)
        counts.append(many)
        at += 8 * many
    if at > len(message):
        raise IndexError
    return Layout(order, len(message), fixed, tuple(names), tuple(starts), tuple(counts))


def _count(message: bytes, at: int, order: str) -> tuple[int, int]:
    """A number of things, and where they begin."""
    at += -(at - _HEAD) % 4
    (count,) = struct.unpack_from(f"{order}I", message, at)
    if count > _MOST:
        raise IndexError
    return count, at + 4


def _text(message: bytes, at: int, order: str) -> tuple[str, int]:
    at += -(at - _HEAD) % 4
    (size,) = struct.unpack_from(f"{order}I", message, at)
    if size > len(message) - at:
        raise IndexError
    return message[at + 4 : at + 4 + max(0, size - 1)].decode(), at + 4 + size
