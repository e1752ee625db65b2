"""Reads `.mcap` recordings, finished ones and what a killed run left."""

from __future__ import annotations

import errno
import json
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np
from mcap.exceptions import InvalidMagic
from mcap.opcode import Opcode
from mcap.reader import make_reader
from mcap.records import Channel, Metadata

from armature.engine.recording.mcap.link_frames import tool_frame, tree_of
from armature.engine.recording.mcap.mcap_format import NAME, SENSED
from armature.engine.recording.mcap.mcap_records import inner_records, outer_records, stream
from armature.engine.recording.mcap.mcap_samples import SampleRows
from armature.engine.recording.mcap.mcap_schemas import MEASURED, SAMPLE_TOPICS
from armature.engine.recording.recording_columns import column_names, joints_of
from armature.engine.recording.recording_metadata import completed

_BLOCK = 500  # samples turned into rows at a time
_WAITING = 10_000  # samples of which not all messages came yet
_MESSAGE = struct.Struct("<HIQQ")  # what a message begins with: channel, sequence number, two times


def read_mcap(file: BinaryIO, unfinished: bool) -> tuple[tuple[str, ...], dict[str, Any], Iterator[np.ndarray]]:
    """Columns, metadata and blocks of rows; raises ValueError saying what is wrong, the blocks too.

    Of an unfinished file everything up to the last complete chunk is read.
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
    """Whether a file says before its messages that this program wrote it; raises ValueError for what is no MCAP file."""
    return next(_before_messages(file), None) is not None


def _first_metadata(file: BinaryIO) -> dict[str, Any] | None:
    """What stands before the messages."""
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
    """What the index at the end of the file leads to: the metadata as they were when the recording ended."""
    with _understood(unfinished=False):
        found = [record for record in make_reader(file, validate_crcs=True).iter_metadata() if record.name == NAME]
        return _metadata(found[-1]) if found else None


@contextmanager
def _understood(unfinished: bool) -> Iterator[None]:
    """What is wrong with a file as ValueError; an unfinished one may end anywhere."""
    try:
        yield
    except InvalidMagic:
        raise ValueError("not an MCAP file, or an incomplete one") from None
    except Exception as error:  # the package meets what is wrong wherever it stumbles over it
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # EINVAL: a place before the file's beginning
            raise
        if not unfinished:
            raise ValueError("damaged or cut off") from error


def _metadata(record: Metadata) -> dict[str, Any]:
    try:
        return completed({key: json.loads(value) for key, value in record.metadata.items()})
    except (ValueError, RecursionError):
        raise ValueError("its metadata cannot be read") from None


def _messages(file: BinaryIO, unfinished: bool, wanted: Sequence[str]) -> Iterator[tuple[str, int, bytes]]:
    """Topic, sequence number and text of every message of a sample, on the `wanted` topics."""
    topics: dict[int, str] = {}
    with _understood(unfinished):
        for outer in outer_records(file):
            for kind, content in inner_records(outer[1]) if outer[0] == Opcode.CHUNK else (outer,):
                if kind == Opcode.MESSAGE:
                    channel, number, _, _ = _MESSAGE.unpack_from(content)
                    if channel in topics:
                        yield topics[channel], number, content[_MESSAGE.size :]
                elif kind == Opcode.CHANNEL:
                    known = Channel.read(stream(content))
                    if known.topic in wanted:
                        topics[known.id] = known.topic


def _blocks(messages: Iterator[tuple[str, int, bytes]], rows: SampleRows, topics: Sequence[str]) -> Iterator[np.ndarray]:
    """Rows of samples of which all messages are there; their sequence number says which belong together."""
    waiting: dict[str, dict[int, bytes]] = {topic: {} for topic in topics}
    for count, (topic, number, text) in enumerate(messages, start=1):
        waiting[topic][number] = text
        if count % (_BLOCK * len(topics)) == 0:
            yield from _whole(waiting, rows)
            if max(map(len, waiting.values())) > _WAITING:
                raise ValueError(f"messages on {', '.join(topics)} have different times")
    yield from _whole(waiting, rows)


def _whole(waiting: dict[str, dict[int, bytes]], rows: SampleRows) -> Iterator[np.ndarray]:
    """Takes out the samples of which all messages are there."""
    first, *others = waiting.values()
    numbers = [number for number in first if all(number in other for other in others)]
    if numbers:
        yield rows.of([tuple(texts.pop(number) for texts in waiting.values()) for number in numbers], numbers)
