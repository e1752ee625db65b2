"""Reading robot files: from bytes on a disk to a `Robot`, or to one line about what is wrong."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from engine.errors import ModelError
from engine.model.assemble import assemble
from engine.model.complaint import complaint, one_line
from engine.model.robot import Robot
from engine.model.schema import RobotFile

MAX_BYTES = 1_000_000

# tomllib's memory grows with the square of the parts of a dotted key; no robot file needs more than three.
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){20}""")


def read_toml_robot(path: Path) -> Robot:
    """The robot described by the TOML file at `path`.

    Raises:
        ModelError: with one line that names the file, the field, what is wrong and what is valid.
    """
    try:
        return assemble(RobotFile.model_validate(_parsed(_text(_bytes(path)))), source=path)
    except ValidationError as error:
        raise _refused(path, complaint(error)) from None
    except _Unreadable as error:
        raise _refused(path, str(error)) from None


class _Unreadable(Exception):
    """A file that is no TOML text."""


def _refused(path: Path, what: str) -> ModelError:
    return ModelError(one_line(f"{one_line(str(path), 200)}: {what}", 700))


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise _Unreadable("is a folder; give a robot file")
        if path.exists() and not path.is_file():
            raise _Unreadable("is no regular file; give a robot file")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise _Unreadable(f"is {size / 1e6:.1f} MB; a robot file has at most {MAX_BYTES / 1e6:.0f} MB")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _Unreadable("there is no such file") from None
    except OSError as error:
        raise _Unreadable(f"cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise _Unreadable("is no valid file name") from None
    if len(data) > MAX_BYTES:
        raise _Unreadable(f"is larger than {MAX_BYTES / 1e6:.0f} MB, the most a robot file has")
    return data


def _text(data: bytes) -> str:
    try:
        # Editors on Windows put a byte order mark in front.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _Unreadable(f"is not text: byte {error.start} is not UTF-8; a robot file is a TOML text file") from None
    if not text.strip():
        raise _Unreadable("is empty; a robot file needs name, convention and [[joints]]")
    return text


def _parsed(text: str) -> dict[str, Any]:
    if _DEEP_KEY.search(text):
        raise _Unreadable("is nested too deeply for a robot file")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise _Unreadable("is nested too deeply for a robot file") from None
    except tomllib.TOMLDecodeError as error:
        raise _Unreadable(f"is not TOML: {error}") from None
    except ValueError:
        # Python refuses to read integers of more than a few thousand digits.
        raise _Unreadable("is not TOML: it holds a number with too many digits") from None
