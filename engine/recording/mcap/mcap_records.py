"""The records of an `.mcap` file one after another, its chunks taken apart."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO

from mcap.data_stream import ReadDataStream
from mcap.exceptions import EndOfFile, InvalidMagic
from mcap.opcode import Opcode
from mcap.records import Chunk
from mcap.stream_reader import get_chunk_data_stream

MAGIC = b"\x89MCAP0\r\n"
_HEAD = struct.Struct("<BQ")  # the kind of a record and its length
_MOST = 256 << 20  # bytes, the longest record that is believed
Record = tuple[int, bytes]
"""The kind of a record, one of `Opcode`, and its content."""


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
    """The content of a record as the package's own classes read it."""
    return ReadDataStream(BytesIO(content))


def _exactly(file: BinaryIO, size: int) -> bytes:
    data = file.read(size) if size <= _MOST else b""
    if len(data) < size:
        raise EndOfFile
    return data
