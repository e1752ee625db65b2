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
from engine.model.file_bytes import Unreadable, file_bytes
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
        return assemble(RobotFile.model_validate(_parsed(_text(file_bytes(path, MAX_BYTES)))), source=path)
    except ValidationError as error:
        raise _refused(path, complaint(error)) from None
    except Unreadable as error:
        raise _refused(path, str(error)) from None


def _refused(path: Path, what: str) -> ModelError:
    return ModelError(one_line(f"{one_line(str(path), 200)}: {what}", 700))


def _text(data: bytes) -> str:
    try:
        # Editors on Windows put a byte order mark in front.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not text: byte {error.start} is not UTF-8; a robot file is a TOML text file") from None
    if not text.strip():
        raise Unreadable("is empty; a robot file needs name, convention and [[joints]]")
    return text


def _parsed(text: str) -> dict[str, Any]:
    if _DEEP_KEY.search(text):
        raise Unreadable("is nested too deeply for a robot file")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Unreadable("is nested too deeply for a robot file") from None
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"is not TOML: {error}") from None
    except ValueError:
        # Python refuses to read integers of more than a few thousand digits.
        raise Unreadable("is not TOML: it holds a number with too many digits") from None
