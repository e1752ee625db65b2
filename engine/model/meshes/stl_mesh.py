"""STL files, binary and text."""

from __future__ import annotations

import re

import numpy as np

from armature.engine.model.meshes.triangle_soup import MeshError, Soup

HEADER = 84
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
LONGEST_NUMBER = 64
VERTEX_LINE = re.compile(rb"\bvertex[ \t]+([^\r\n]+)", re.IGNORECASE)


def is_binary(data: bytes) -> bool:
    """Whether the length is exactly that of the number of triangles in the header."""
    return len(data) >= HEADER and len(data) == HEADER + RECORD.itemsize * _count(data)


def is_text(data: bytes) -> bool:
    """Whether it begins as a text file does; binary files may begin with the word "solid", too."""
    begin = data[:2000].lstrip().lower()
    return begin.startswith(b"solid") and (b"facet" in begin or b"endsolid" in begin)


def read(data: bytes) -> Soup:
    """The triangles. Raises MeshError."""
    if is_text(data) and not is_binary(data):
        corners = _text(data)
    elif len(data) < HEADER:
        raise MeshError(f"ends after {len(data)} bytes, inside the STL header")
    else:
        corners = _binary(data)
    faces = np.arange(len(corners), dtype=np.int64).reshape(-1, 3)
    return Soup(corners, faces, np.zeros(len(faces), np.int64))


def _count(data: bytes) -> int:
    return int.from_bytes(data[80:84], "little")


def _binary(data: bytes) -> np.ndarray:
    announced, there = _count(data), (len(data) - HEADER) // RECORD.itemsize
    if announced > there:
        raise MeshError(f"is truncated: the header announces {announced:,} triangles, the file contains {there:,}")
    return np.frombuffer(data, RECORD, announced, HEADER)["corners"].reshape(-1, 3).astype(np.float64)


def _text(data: bytes) -> np.ndarray:
    lines = VERTEX_LINE.findall(data)
    points = numbers(b" ".join(lines).split(), "vertex")
    if len(points) != 3 * len(lines) or len(lines) % 3:
        raise MeshError(f"its {len(lines):,} vertex lines do not form complete triangles")
    return points.reshape(-1, 3)


def numbers(words: list[bytes], what: str) -> np.ndarray:
    """Words as floats. Raises MeshError."""
    if not words:
        return np.zeros(0)
    if max(map(len, words)) > LONGEST_NUMBER:
        raise MeshError(f"a number in a {what} is longer than {LONGEST_NUMBER} characters")
    try:
        return np.array(words).astype(np.float64)
    except ValueError:
        raise MeshError(f"a {what} contains text that is not a number") from None
