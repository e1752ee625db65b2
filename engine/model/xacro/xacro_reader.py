"""Reading xacro files: expanded to a URDF, which is read as any other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lxml import etree

from armature.engine.errors import ModelError, one_line
from armature.engine.files import child_environment
from armature.engine.model.file_bytes import Unreadable, UrdfError, check_text, file_bytes
from armature.engine.model.robot import Robot
from armature.engine.model.urdf.urdf_reader import robot_of_urdf
from armature.engine.model.xacro.xacro_place import arguments_of, file_of, with_arguments

PATIENCE = 20.0  # s that an expansion may take; the largest known robots need three
_MAX_BYTES = 10_000_000


@dataclass(frozen=True)
class Expanded:
    """A URDF as text, and for each of its elements, in their order, the line it comes from: "12", or "7 of hand.xacro"."""

    text: bytes
    lines: tuple[str, ...]


class MissingArgumentError(ModelError):
    """A xacro file that cannot be expanded without the argument `name`."""

    def __init__(self, message: str, name: str):
        super().__init__(message)
        self.name = name

    def __reduce__(self):
        return type(self), (self.args[0], self.name)


def expand(file: Path, arguments: Mapping[str, str]) -> Expanded:
    """Expand a xacro file with these arguments to a URDF.

    Raises:
        ModelError: one line with the file, the line and the mistake; `MissingArgumentError` for a missing argument.
    """
    reply = _reply(file, arguments)
    if "problem" in reply:
        raise _refusal(file, reply)
    if reply["unknown"]:
        known = ", ".join(reply["known"]) or "none"
        raise ModelError(one_line(f"{_shown(file)}: unknown argument {reply['unknown'][0]!r}; valid are {known}", 700))
    lines = tuple(_line(file, *place) for place in reply["places"])
    return Expanded(reply["text"].encode(), lines)


def _reply(file: Path, arguments: Mapping[str, str]) -> dict[str, Any]:
    """Answer of the process."""
    request = json.dumps({"file": str(file.absolute()), "arguments": dict(arguments)})
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "armature.engine.model.xacro.expander"],
            check=False,
            input=request,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            env=child_environment() | {"PYTHONIOENCODING": "utf-8"},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise ModelError(
            f"{_shown(file)}: expansion stopped after {PATIENCE:g} s; look for a macro or value that grows endlessly"
        ) from None
    except OSError as error:
        raise ModelError(f"{_shown(file)}: the xacro process did not start: {error.strerror or error}") from None
    except ValueError:  # it ended without an answer: killed, or out of memory
        raise ModelError(f"{_shown(file)}: cannot be expanded; it needs too much memory or nests too deeply") from None


def _refusal(file: Path, reply: Mapping[str, Any]) -> ModelError:
    place = _line(file, reply["file"], reply["line"])
    line = f"line {place}: " if place else ""
    if name := reply.get("needs"):
        how = f"open {file.name}?{name}=…, or in Python load_robot(…, arguments={{{name!r}: …}})"
        return MissingArgumentError(one_line(f"{_shown(file)}: {line}{reply['problem']}; {how}", 700), name)
    return ModelError(one_line(f"{_shown(file)}: {line}{reply['problem']}", 700))


def _line(file: Path, origin: str, line: int) -> str:
    """The line, with the file it is in where that is another one; empty where it is not known."""
    if not line:
        return ""
    return str(line) if not origin or Path(origin) == file.absolute() else f"{line} of {Path(origin).name}"


def _shown(file: Path) -> str:
    return one_line(str(file), 200)


def declared_arguments(path: Path) -> dict[str, str]:
    """Name and default, as written, of every `<xacro:arg>` in the file itself; none where it cannot be read."""
    try:
        data = file_bytes(file_of(path), _MAX_BYTES, "xacro file")
        check_text(data)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
        root = etree.fromstring(data, parser)
    except (Unreadable, UrdfError, etree.XMLSyntaxError):  # opening the file reports the reason
        return {}
    found = (element for element in root.iter(etree.Element) if str(element.tag).endswith("}arg") and element.get("name"))
    return {element.get("name"): element.get("default", "") for element in found}


def read_xacro_robot(path: Path, arguments: Mapping[str, object] | None = None) -> Robot:
    """Robot of the xacro file at `path`, whose arguments may follow its name; its hash is that of the URDF.

    Raises:
        ModelError: one line with the file, the line, the mistake and the valid values.
    """
    file, given = file_of(path), arguments_of(path, arguments)
    expanded = expand(file, given)
    robot = robot_of_urdf(expanded.text, file, expanded.lines)
    return replace(robot, source=with_arguments(file, given))
