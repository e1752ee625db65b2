"""What the bytes of an XML file must be before anything parses them: text in UTF-8 that declares nothing."""

from __future__ import annotations

import re

from armature.engine.errors import one_line
from armature.engine.model.file_bytes import Unreadable

_DECLARATION = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ENCODING = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']""")
_MAX_DEPTH = 256  # of libxml2
_ENCODINGS = (b"utf-8", b"utf8", b"us-ascii", b"ascii")


class UrdfError(Exception):
    """What is wrong in a URDF file, with the element's line and name; one line."""


def syntax_fault(error: SyntaxError) -> str:
    """Say in one line why libxml2 does not read a file."""
    if "Excessive depth" in (error.msg or ""):
        return f"line {error.lineno or 1}: elements are nested more than {_MAX_DEPTH} deep, the maximum"
    return f"line {error.lineno or 1}: is not XML: {one_line(error.msg or 'it cannot be parsed', 160)}"


def check_text(data: bytes) -> None:
    """Raises Unreadable for what is no text in UTF-8, UrdfError for document types and entities."""
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
