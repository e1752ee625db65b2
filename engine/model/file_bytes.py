"""Reading files: bytes, links and XML text with short error messages; maximum sizes of a robot."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

from armature.engine.errors import one_line

# No robot has near as much, and more takes minutes or all memory to read.
MAX_JOINTS = 256  # that move
MAX_LINKS = 4_000
MAX_SHAPES = 10_000
MAX_POSES = 1_000  # with a name
MAX_ELEMENTS = 100_000  # of an XML file, in all
_WINDOWS_CIRCLE = 1921
_DECLARATION = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ENCODING = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']""")
_MAX_DEPTH = 256  # of libxml2
_ENCODINGS = (b"utf-8", b"utf8", b"us-ascii", b"ascii")


class Unreadable(Exception):
    """A file that cannot be read as the expected kind; `str(error)` is the reason without the file name."""


def file_bytes(path: Path, most: int, kind: str = "robot file") -> bytes:
    """The bytes of the regular file at `path`, at most `most`, which should be of this `kind`. Raises Unreadable."""
    try:
        if path.is_dir():
            raise Unreadable(f"is a folder; give a {kind}")
        if path.exists() and not path.is_file():
            raise Unreadable(f"is not a regular file; give a {kind}")
        size = path.stat().st_size
        if size > most:
            raise Unreadable(f"has {size / 1e6:.1f} MB; a {kind} may have at most {most / 1e6:.0f} MB")
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except FileNotFoundError:
        raise Unreadable("file not found") from None
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise Unreadable("is not a valid file name") from None
    if len(data) > most:
        raise Unreadable(f"is larger than {most / 1e6:.0f} MB, the maximum for a {kind}")
    return data


def too_many(count: int, noun: str, most: int) -> str | None:
    """The refusal of more than the `most` parts of a kind, None for no more."""
    return f"has {count:,} {noun}; at most {most:,} are supported" if count > most else None


def real_path(path: Path) -> Path:
    """Absolute path without links; a missing file is allowed.

    Raises OSError for circular links, for which `Path.resolve` raises RuntimeError up to Python 3.12 and nothing from 3.13 on;
    ValueError for an invalid name.
    """
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP or getattr(error, "winerror", None) == _WINDOWS_CIRCLE:
            raise OSError(errno.ELOOP, "symbolic links that lead in a circle") from None
    return Path(os.path.realpath(path))


class UrdfError(Exception):
    """Error in a URDF file, in one line with the element's line and name."""


def syntax_fault(error: SyntaxError) -> str:
    """Message about a syntax error of libxml2, in one line."""
    if "Excessive depth" in (error.msg or ""):
        return f"line {error.lineno or 1}: elements are nested more than {_MAX_DEPTH} deep, the maximum"
    return f"line {error.lineno or 1}: is not XML: {one_line(error.msg or 'it cannot be parsed', 160)}"


def check_text(data: bytes) -> None:
    """Raise Unreadable if the data are not UTF-8 text, UrdfError for document types and entities."""
    if not data.strip():
        raise Unreadable("is empty; it must contain <robot> (URDF) or <mujoco> (MJCF)")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data:
        raise Unreadable("is not UTF-8 text; save the XML of a robot in UTF-8")
    encoding = _ENCODING.match(data.removeprefix(b"\xef\xbb\xbf"))
    if encoding and encoding[1].lower() not in _ENCODINGS:
        raise Unreadable(f"is encoded as {encoding[1].decode()}; save the XML of a robot in UTF-8")
    bare = _COMMENT.sub(lambda match: b"\n" * match[0].count(b"\n"), data)
    if declaration := _DECLARATION.search(bare):
        line = bare.count(b"\n", 0, declaration.start()) + 1
        raise UrdfError(f"line {line}: <!{declaration[1].decode().upper()}> is not allowed; remove document types and entities")
