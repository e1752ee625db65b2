"""Reads `.mcap` recordings, finished ones and what a killed run left."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np
from mcap.exceptions import InvalidMagic
from mcap.reader import make_reader
from mcap.records import Channel, McapRecord, Message, Metadata
from mcap.stream_reader import StreamReader

from engine.recording.columns import column_names, joints_of
from engine.recording.mcap_format import NAME
from engine.recording.mcap_schemas import TOPICS
from engine.recording.metadata import completed

_BLOCK = 2000  # samples turned into rows at a time
_WAITING = 10_000  # samples of which not all messages came yet
_RECORD = 256 << 20  # bytes, the longest record that is believed
_JOINT_STATES, _TF, _SAMPLE = TOPICS


def read_mcap(file: BinaryIO, unfinished: bool) -> tuple[tuple[str, ...], dict[str, Any], Iterator[np.ndarray]]:
    """Columns, metadata and blocks of rows; raises ValueError saying what is wrong, the blocks too.

    Of an unfinished file everything up to the last complete chunk is read.
    """
    metadata = _first_metadata(file) if unfinished else _last_metadata(file)
    if metadata is None:
        raise ValueError(f"an MCAP file, but of another program: it has no metadata {NAME!r}")
    joints = metadata["joints"]
    if not isinstance(joints, list) or not all(isinstance(name, str) for name in joints):
        raise ValueError("its metadata does not name the joints")
    columns = column_names(joints)
    joints_of(columns)
    file.seek(0)
    return columns, metadata, _blocks(_records(file, unfinished), tuple(joints))


def _first_metadata(file: BinaryIO) -> dict[str, Any] | None:
    """What stands before the messages."""
    for record in _records(file, unfinished=True):
        if isinstance(record, Metadata) and record.name == NAME:
            return _metadata(record)
        if isinstance(record, Message):
            return None
    raise ValueError("it ends within its header")


def _last_metadata(file: BinaryIO) -> dict[str, Any] | None:
    """What the index at the end of the file leads to: the metadata as they were when the recording ended."""
    with _understood(unfinished=False):
        found = [record for record in make_reader(file, validate_crcs=True).iter_metadata() if record.name == NAME]
        return _metadata(found[-1]) if found else None


def _records(file: BinaryIO, unfinished: bool) -> Iterator[McapRecord]:
    with _understood(unfinished):
        yield from StreamReader(file, validate_crcs=True, record_size_limit=_RECORD).records


@contextmanager
def _understood(unfinished: bool) -> Iterator[None]:
    """What is wrong with a file as ValueError; an unfinished one may end anywhere."""
    try:
        yield
    except InvalidMagic:
        raise ValueError("it is no MCAP file, or not a whole one") from None
    except Exception as error:  # the package meets what is wrong wherever it stumbles over it
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # EINVAL: a place before the file's beginning
            raise
        if not unfinished:
            raise ValueError("damaged, or it ends too early") from error


def _metadata(record: Metadata) -> dict[str, Any]:
    try:
        return completed({key: json.loads(value) for key, value in record.metadata.items()})
    except (ValueError, RecursionError):
        raise ValueError("its metadata is not readable") from None


def _blocks(records: Iterator[McapRecord], joints: tuple[str, ...]) -> Iterator[np.ndarray]:
    rows: list[list[float]] = []
    for row in _rows(records, joints):
        rows.append(row)
        if len(rows) == _BLOCK:
            yield np.array(rows)
            rows = []
    if rows:
        yield np.array(rows)


def _rows(records: Iterator[McapRecord], joints: tuple[str, ...]) -> Iterator[list[float]]:
    """Rows of samples of which all messages are there; their sequence number says which belong together."""
    topics: dict[int, str] = {}
    waiting: dict[int, dict[str, Any]] = {}
    for record in records:
        if isinstance(record, Channel):
            topics[record.id] = record.topic
        elif isinstance(record, Message) and topics.get(record.channel_id) in TOPICS:
            sample = waiting.setdefault(record.sequence, {})
            sample[topics[record.channel_id]] = record.data
            if len(sample) == len(TOPICS):
                yield _row(waiting.pop(record.sequence), joints, record.sequence)
            elif len(waiting) > _WAITING:
                raise ValueError(f"messages on {', '.join(TOPICS)} do not belong together")


def _row(sample: dict[str, bytes], joints: tuple[str, ...], number: int) -> list[float]:
    try:
        states = json.loads(sample[_JOINT_STATES])["joints"]
        place = json.loads(sample[_TF])["transforms"][0]
        rest = json.loads(sample[_SAMPLE])
        p, r = place["translation"], place["rotation"]
        if tuple(state["name"] for state in states) != joints:
            raise ValueError
        row = [rest["t"]]
        for name in ("position", "velocity", "acceleration", "effort"):
            row += [state[name] for state in states]
        row += [p["x"], p["y"], p["z"], r["w"], r["x"], r["y"], r["z"]]
        row += [rest["sigma_min"], rest["kinetic"], rest["potential"]]
        return [float("nan") if x is None else float(x) for x in row]
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        raise ValueError(f"the messages of sample {number + 1} are not those of a recording of these joints") from None
