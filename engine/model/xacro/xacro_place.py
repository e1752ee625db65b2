"""A xacro file with its arguments as one text: `ur.urdf.xacro?ur_type=ur5e&name=left`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

from armature.engine.errors import ModelError, one_line
from armature.engine.model.file_bytes import Unreadable, file_bytes

SUFFIX, URDF = ".xacro", ".urdf"
MAX_BYTES = 10_000_000
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_MACROS = re.compile(rb"""<xacro:|=\s*(?:"[^"<]*\$\{|'[^'<]*\$\{)""")
_NAME = re.compile(r"[^\W\d][\w.-]{0,99}")


def is_xacro(path: Path) -> bool:
    """True for the name of a xacro file, perhaps with arguments behind it, and for a `.urdf` that holds macros."""
    name = path.name.lower().partition("?")[0]
    return name.endswith(SUFFIX) or (name.endswith(URDF) and _holds_macros(file_of(path)))


def _holds_macros(path: Path) -> bool:
    """True for elements of xacro and expressions ${…}, which mean nothing in a URDF."""
    try:
        data = file_bytes(path, MAX_BYTES)
    except Unreadable:
        return False  # the reader of the URDF reports the reason
    return bool(_MACROS.search(_COMMENT.sub(b"", data)))


def file_of(path: Path) -> Path:
    """The file itself, without the arguments that may stand behind its name."""
    return _split(path)[0]


def arguments_of(path: Path, given: Mapping[str, object] | None = None) -> dict[str, str]:
    """The arguments behind the name of a xacro file, and over them those that are `given`. Raises ModelError."""
    file, query = _split(path)
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True, errors="strict") if query else []
    except ValueError:
        text = one_line(query, 80)
        raise ModelError(f"{one_line(str(file), 200)}: write arguments as ?name=value&name=value, got ?{text}") from None
    names = [name for name, _ in pairs]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ModelError(f"{one_line(str(file), 200)}: the argument {one_line(repr(twice[0]), 80)} is given twice")
    arguments = {**dict(pairs), **{str(name): _text(value) for name, value in (given or {}).items()}}
    for name in arguments:
        if not _NAME.fullmatch(name):
            raise ModelError(f"{one_line(str(file), 200)}: {one_line(repr(name), 80)} is not the name of an argument")
    return arguments


def with_arguments(path: Path, arguments: Mapping[str, str]) -> Path:
    """Path with the arguments after its name in alphabetical order, as for `load_robot`."""
    return path.with_name(f"{path.name}?{urlencode(sorted(arguments.items()), safe=' ', quote_via=quote)}") if arguments else path


def _split(path: Path) -> tuple[Path, str]:
    """Path of the .xacro or .urdf file, and the query after it, "" for none."""
    found = re.search(r"\.(?:xacro|urdf)\?", str(path), re.IGNORECASE)
    if found is None or path.exists():
        return path, ""
    return Path(str(path)[: found.end() - 1]), str(path)[found.end() :]


def _text(value: object) -> str:
    """Value as text; xacro reads True and False as booleans."""
    return str(value)
