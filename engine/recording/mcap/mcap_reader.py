"""Reads `.mcap` recordings, finished ones and what a killed run left."""

from __future__ import annotations

import errno
import json
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any, BinaryIO

import msgspec
import numpy as np
from mcap.data_stream import ReadDataStream
from mcap.exceptions import EndOfFile, InvalidMagic
from mcap.opcode import Opcode
from mcap.reader import make_reader
from mcap.records import Channel, Chunk, Metadata, Schema
from mcap.stream_reader import get_chunk_data_stream

from armature.engine.recording.mcap.link_frames import tool_frame, tree_of
from armature.engine.recording.mcap.mcap_format import NAME, SENSED
from armature.engine.recording.mcap.mcap_schemas import MEASURED, SAMPLE_TOPICS
from armature.engine.recording.recording_columns import Layout, column_names, joints_of
from armature.engine.recording.recording_metadata import with_defaults

MAGIC = b"\x89MCAP0\r\n"
_HEAD = struct.Struct("<BQ")  # the kind of a record and its length
_MOST = 256 << 20  # bytes, the longest record that is believed
Record = tuple[int, bytes]
"""The kind of a record, one of `Opcode`, and its content."""
_NOWHERE: list[float | None] = [None] * 7
Messages = tuple[bytes, ...]
"""Messages of one sample, on the topics of `SAMPLE_TOPICS` and, with sensor readings, `MEASURED`."""
_BLOCK = 500  # samples turned into rows at a time
_WAITING = 10_000  # samples of which not all messages came yet
_MESSAGE = struct.Struct("<HIQQ")  # what a message begins with: channel, sequence number, two times


def outer_records(file: BinaryIO) -> Iterator[Record]:
    """The records of the file itself, from its beginning to its footer; raises whatever shows that it is damaged."""
    file.seek(0)
    if file.read(len(MAGIC)) != MAGIC:
        raise InvalidMagic(MAGIC)
    crc, kind = zlib.crc32(MAGIC), 0
    while kind != Opcode.FOOTER:
        head = _exactly(file, _HEAD.size)
        kind, length = _HEAD.unpack(head)
        content = _exactly(file, length)
        if kind == Opcode.DATA_END and int.from_bytes(content[:4], "little") not in (0, crc):
            raise ValueError("the checksum of the data is wrong")
        crc = zlib.crc32(content, zlib.crc32(head, crc))
        yield kind, content
    if _exactly(file, len(MAGIC)) != MAGIC:
        raise InvalidMagic(MAGIC)


def inner_records(content: bytes) -> Iterator[Record]:
    """The records within a chunk, whose checksum is checked."""
    chunk = Chunk.read(stream(content))
    if chunk.uncompressed_size > _MOST:
        raise ValueError("a chunk is too large")
    data, size = get_chunk_data_stream(chunk, validate_crc=True)
    inside, at = data.read(size), 0
    while at < size:
        kind, length = _HEAD.unpack_from(inside, at)
        at += _HEAD.size + length
        if at > size:
            raise EndOfFile
        yield kind, inside[at - length : at]


def stream(content: bytes) -> ReadDataStream:
    """Content of a record as a stream of the package."""
    return ReadDataStream(BytesIO(content))


def messages(file: BinaryIO, accept: Callable[[Channel, str], bool]) -> Iterator[tuple[str, int, int, int, bytes]]:
    """Yield topic, channel, sequence number, time of arrival in ns and bytes of each message.

    `accept(channel, schema)` selects the channels, by the record of the channel and the name of its schema.
    """
    schemas, topics = dict[int, str](), dict[int, str]()
    for outer in outer_records(file):
        for kind, content in inner_records(outer[1]) if outer[0] == Opcode.CHUNK else (outer,):
            if kind == Opcode.MESSAGE:
                channel, number, logged, _ = _MESSAGE.unpack_from(content)
                if channel in topics:
                    yield topics[channel], channel, number, logged, content[_MESSAGE.size :]
            elif kind == Opcode.SCHEMA:
                schema = Schema.read(stream(content))
                schemas[schema.id] = schema.name
            elif kind == Opcode.CHANNEL:
                record = Channel.read(stream(content))
                if accept(record, schemas.get(record.schema_id, "")):
                    topics[record.id] = record.topic


def _exactly(file: BinaryIO, size: int) -> bytes:
    data = file.read(size) if size <= _MOST else b""
    if len(data) < size:
        raise EndOfFile
    return data


class _Joint(msgspec.Struct, gc=False):
    name: str
    position: float | None = None
    velocity: float | None = None
    acceleration: float | None = None
    effort: float | None = None


class _JointStates(msgspec.Struct, gc=False):
    joints: list[_Joint]


class _Vector(msgspec.Struct, gc=False):
    x: float | None
    y: float | None
    z: float | None


class _Quaternion(msgspec.Struct, gc=False):
    x: float | None
    y: float | None
    z: float | None
    w: float | None


class _Transform(msgspec.Struct, gc=False):
    child_frame_id: str
    translation: _Vector
    rotation: _Quaternion


class _FrameTransforms(msgspec.Struct, gc=False):
    transforms: list[_Transform]


class _Sample(msgspec.Struct, gc=False):
    t: float | None = None
    sigma_min: float | None = None
    kinetic: float | None = None
    potential: float | None = None
    row: list[str] | None = None


_KINDS = (_JointStates, _FrameTransforms, _Sample, _JointStates)
_MANY = tuple(msgspec.json.Decoder(list[kind]) for kind in _KINDS)  # type: ignore[valid-type]


class SampleRows:
    """Decodes the samples of one recording; what a message leaves out, or calls null, is NaN."""

    def __init__(self, joints: Sequence[str], tool: str, measured: bool = False):
        self._joints, self._tool, self._width = list(joints), tool, Layout(len(joints), measured).width

    def of(self, samples: Sequence[Messages], numbers: Sequence[int]) -> np.ndarray:
        """Rows `(len(samples), columns)`; raises ValueError with the first of `numbers` that is not a sample of these joints."""
        try:
            texts = [b"[" + b",".join(column) + b"]" for column in zip(*samples, strict=True)]
            decoded = [decoder.decode(text) for decoder, text in zip(_MANY, texts)]
            return np.array([self._row(*sample) for sample in zip(*decoded, strict=True)], dtype=float)
        except (msgspec.DecodeError, ValueError, TypeError):
            return np.array([self._one(*pair) for pair in zip(samples, numbers, strict=True)], dtype=float)

    def _one(self, sample: Messages, number: int) -> list[float]:
        """One row, however its numbers are written: older versions wrote infinities as ±1e999."""
        try:
            found = [msgspec.convert(json.loads(text), kind) for text, kind in zip(sample, _KINDS)]
            return [float("nan") if x is None else float(x) for x in self._row(*found)]
        except (msgspec.ValidationError, ValueError, TypeError, RecursionError):
            raise ValueError(f"the messages of sample {number + 1} do not match the joints of this recording") from None

    def _row(
        self, states: _JointStates, places: _FrameTransforms, rest: _Sample, measured: _JointStates | None = None
    ) -> list[float | None]:
        joints, sensed = states.joints, [] if measured is None else measured.joints
        if any([joint.name for joint in each] != self._joints for each in (joints, sensed) if each or each is joints):
            raise ValueError("other joints")
        if rest.row is not None:
            if len(rest.row) != self._width:
                raise ValueError("a row has a different number of values")
            return [float(x) for x in rest.row]
        return [
            rest.t,
            *[joint.position for joint in joints],
            *[joint.velocity for joint in joints],
            *[joint.acceleration for joint in joints],
            *[joint.effort for joint in joints],
            *self._pose(places),
            rest.sigma_min,
            rest.kinetic,
            rest.potential,
            *[joint.position for joint in sensed],
            *[joint.velocity for joint in sensed],
            *[joint.effort for joint in sensed],
        ]

    def _pose(self, places: _FrameTransforms) -> list[float | None]:
        for place in places.transforms:
            if place.child_frame_id == self._tool:
                p, r = place.translation, place.rotation
                return [p.x, p.y, p.z, r.w, r.x, r.y, r.z]
        return _NOWHERE


def read_mcap(file: BinaryIO, unfinished: bool) -> tuple[tuple[str, ...], dict[str, Any], Iterator[np.ndarray]]:
    """Return columns, metadata and blocks of rows; reading the file or a block raises ValueError with the reason.

    An unfinished file is read up to its last complete chunk.
    """
    metadata = _first_metadata(file) if unfinished else _last_metadata(file)
    if metadata is None:
        raise ValueError(
            f"an MCAP file of another program, without metadata {NAME!r}; read its joint states with `armature import`"
        )
    joints = metadata["joints"]
    if not isinstance(joints, list) or not all(isinstance(name, str) for name in joints):
        raise ValueError("its metadata does not name the joints")
    measured = bool(metadata.pop(SENSED, False))
    columns = column_names(joints, measured)
    joints_of(columns)
    topics = [*SAMPLE_TOPICS, *(MEASURED if measured else ())]
    rows = SampleRows(joints, tool_frame(metadata, tree_of(metadata, joints)), measured)
    return columns, metadata, _blocks(_messages(file, unfinished, topics), rows, topics)


def of_this_program(file: BinaryIO) -> bool:
    """True if the metadata before the messages name this program; raises ValueError for a file that is not MCAP."""
    return next(_before_messages(file), None) is not None


def _first_metadata(file: BinaryIO) -> dict[str, Any] | None:
    """Metadata before the first message."""
    for found in _before_messages(file):
        return None if found is None else _metadata(found)
    raise ValueError("the file ends within its header")


def _before_messages(file: BinaryIO) -> Iterator[Metadata | None]:
    """Metadata records of this program, then None where the messages begin."""
    with _understood(unfinished=True):
        for kind, content in outer_records(file):
            if kind in (Opcode.CHUNK, Opcode.MESSAGE):
                yield None
            elif kind == Opcode.METADATA and (record := Metadata.read(stream(content))).name == NAME:
                yield record


def _last_metadata(file: BinaryIO) -> dict[str, Any] | None:
    """Metadata at the end of the recording, by the index of the file."""
    with _understood(unfinished=False):
        found = [record for record in make_reader(file, validate_crcs=True).iter_metadata() if record.name == NAME]
        return _metadata(found[-1]) if found else None


@contextmanager
def _understood(unfinished: bool) -> Iterator[None]:
    """Convert errors of the package to ValueError; an unfinished file may end anywhere."""
    try:
        yield
    except InvalidMagic:
        raise ValueError("not an MCAP file, or an incomplete one") from None
    except Exception as error:  # the package raises many types of errors for damaged files
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # EINVAL: a place before the file's beginning
            raise
        if not unfinished:
            raise ValueError("damaged or cut off") from error


def _metadata(record: Metadata) -> dict[str, Any]:
    try:
        return with_defaults({key: json.loads(value) for key, value in record.metadata.items()})
    except (ValueError, RecursionError):
        raise ValueError("its metadata cannot be read") from None


def _messages(file: BinaryIO, unfinished: bool, topics: Sequence[str]) -> Iterator[tuple[str, int, bytes]]:
    """Yield topic, sequence number and text of every message on the `topics`."""
    with _understood(unfinished):
        for topic, _, number, _, text in messages(file, lambda channel, _: channel.topic in topics):
            yield topic, number, text


def _blocks(messages: Iterator[tuple[str, int, bytes]], rows: SampleRows, topics: Sequence[str]) -> Iterator[np.ndarray]:
    """Yield rows of complete samples, whose messages have the same sequence number."""
    waiting: dict[str, dict[int, bytes]] = {topic: {} for topic in topics}
    for count, (topic, number, text) in enumerate(messages, start=1):
        waiting[topic][number] = text
        if count % (_BLOCK * len(topics)) == 0:
            yield from _whole(waiting, rows)
            if max(map(len, waiting.values())) > _WAITING:
                raise ValueError(f"messages on {', '.join(topics)} have timestamps that do not match")
    yield from _whole(waiting, rows)


def _whole(waiting: dict[str, dict[int, bytes]], rows: SampleRows) -> Iterator[np.ndarray]:
    """Takes out the samples of which all messages are there."""
    first, *others = waiting.values()
    numbers = [number for number in first if all(number in other for other in others)]
    if numbers:
        yield rows.of([tuple(texts.pop(number) for texts in waiting.values()) for number in numbers], numbers)
