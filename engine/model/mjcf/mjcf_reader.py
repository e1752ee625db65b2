"""Reading MuJoCo models: MuJoCo itself compiles them, and what it made is taken as it is.

What a model may hold and what is refused is documented in `robots/README.md`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lxml import etree

from armature.engine.errors import ModelError, one_line
from armature.engine.model.file_bytes import Unreadable, file_bytes
from armature.engine.model.mjcf.compiled_model import CompiledModel
from armature.engine.model.mjcf.mjcf_assembly import assemble_mjcf
from armature.engine.model.mjcf.mjcf_refusals import MjcfError, check_arm
from armature.engine.model.mjcf.mjcf_size import MAX_BYTES, check_size
from armature.engine.model.robot import Robot
from armature.engine.model.urdf.urdf_reader import robot_of_urdf
from armature.engine.model.urdf.xml_text import UrdfError, check_text, syntax_fault

INSTALL = 'MuJoCo models need the package mujoco: pip install "armature[mjcf]"'
_NO_NUMBER = re.compile(r"[+-]?(?:nan|inf(?:inity)?)", re.IGNORECASE)


def read_mjcf_robot(path: Path) -> Robot:
    """The robot described by the MuJoCo model at `path`, or by a URDF that is called `.xml`.

    Raises:
        ModelError: with one line that names the file, the element, what is wrong and what is valid.
    """
    try:
        data = file_bytes(path, MAX_BYTES)
        root = _outermost(data)
        if root.tag == "robot":
            return robot_of_urdf(data, path)
        if root.tag != "mujoco":
            raise MjcfError(
                f"line {root.sourceline}: the outermost element must be <mujoco> or <robot>, got <{one_line(str(root.tag), 60)}>"
            )
        check_size(root, path)
        if find_spec("mujoco") is None:
            raise MjcfError(INSTALL)
        _check_numbers(root)
        model = CompiledModel(*_compiled(path), root)
        check_arm(model)
        robot = assemble_mjcf(model, path)
    except (MjcfError, UrdfError, Unreadable) as error:
        raise ModelError(one_line(f"{one_line(str(path), 200)}: {error}", 700)) from None
    return replace(robot, file_hash=hashlib.sha256(data).hexdigest())


def _outermost(data: bytes) -> Any:
    """The outermost element. Raises MjcfError, UrdfError or Unreadable."""
    check_text(data)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, remove_comments=True)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise MjcfError(syntax_fault(error)) from None


def _check_numbers(root: Any) -> None:
    """MuJoCo warns of these in a file it leaves in the folder one stands in, and goes on."""
    for element in root.iter(etree.Element):
        for key, value in element.attrib.items():
            if key not in ("name", "class", "childclass") and any(_NO_NUMBER.fullmatch(part) for part in value.split()):
                told = one_line(value, 40)
                raise MjcfError(f"line {element.sourceline}, <{element.tag}>: {key} must be finite numbers, got {told!r}")


def _compiled(path: Path) -> tuple[Any, Any]:
    """What MuJoCo reads in the file, and what it makes of it. Raises MjcfError with what it says, in one line."""
    mujoco = import_module("mujoco")
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        return spec, spec.compile()
    except ValueError as error:
        raise MjcfError(_in_one_line(str(error))) from None


def _in_one_line(told: str) -> str:
    """ "line 4, body 'arm': inertia must satisfy …" of what MuJoCo writes over several lines."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    text = re.sub(r"^(?:Error|XML Error|XML parse error \d+)\s*:\s*", "", lines[0]) if lines else "no reason is given"
    rest = " ".join(lines[1:])
    line = re.search(r"line(?: number)?[ =](\d+)", rest, re.IGNORECASE)
    name = re.search(r"Element name '([^']+)'", rest)
    place = ", ".join([f"line {line[1]}" if line else "", repr(name[1]) if name else ""]).strip(", ")
    return f"{place}: MuJoCo cannot load it: {text}" if place else f"MuJoCo cannot load it: {text}"
