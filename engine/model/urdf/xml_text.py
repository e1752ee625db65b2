"""What the bytes of an XML file must be before anything parses them: text in UTF-8 that declares nothing."""

from __future__ import annotations

import re

from armature.engine.model.file_bytes import Unreadable

_DECLARATION = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ENCODING = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']""")
_ENCODINGS = (b"utf-8", b"utf8", b"us-ascii", b"ascii")


class UrdfError(Exception):
    """What is wrong in a URDF file, with the element's line and name; one line."""


def check_text(data: bytes) -> None:
    """Raises Unreadable for what is no text in UTF-8, UrdfError for document types and entities."""
    if not data.strip():
        raise Unreadable("is empty; it would hold one <robot> (URDF) or <mujoco> (MJCF)")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data:
        raise Unreadable("is not UTF-8 text, which the XML of a robot is written in")
    encoding = _ENCODING.match(data.removeprefix(b"\xef\xbb\xbf"))
    if encoding and encoding[1].lower() not in _ENCODINGS:
        raise Unreadable(f"is encoded as {encoding[1].decode()}, the XML of a robot in UTF-8")
    bare = _COMMENT.sub(lambda match: b"\n" * match[0].count(b"\n"), data)
    if declaration := _DECLARATION.search(bare):
        line = bare.count(b"\n", 0, declaration.start()) + 1
        raise UrdfError(
            f"line {line}: <!{declaration[1].decode().upper()}> is refused; a robot needs no document types or entities"
        )
