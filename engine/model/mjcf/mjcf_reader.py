"""Reading MuJoCo models: MuJoCo compiles them.

`robots/README.md` documents supported and rejected contents.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lxml import etree

from armature.engine.errors import ModelError, one_line
from armature.engine.model.file_bytes import (
    MAX_ELEMENTS,
    MAX_JOINTS,
    MAX_LINKS,
    MAX_POSES,
    MAX_SHAPES,
    Unreadable,
    UrdfError,
    check_text,
    file_bytes,
    syntax_fault,
    too_many,
)
from armature.engine.model.mjcf.mjcf_assembly import assemble_mjcf
from armature.engine.model.mjcf.mjcf_model import CompiledModel, MjcfError, check_arm
from armature.engine.model.robot import Robot
from armature.engine.model.urdf.urdf_reader import robot_of_urdf

MAX_BYTES = 10_000_000  # of each file
MAX_PIXELS = 4096**2  # of a texture or a height field
_PARTS = {
    "joint": ("joints", MAX_JOINTS),
    "body": ("bodies", MAX_LINKS),
    "geom": ("geoms", MAX_SHAPES),
    "site": ("sites", MAX_SHAPES),
    "key": ("keyframes", MAX_POSES),
}
_ELEMENTS = "elements"
_GRIDS = {"texture": ("width", "height"), "hfield": ("nrow", "ncol")}
_SAME = {"freejoint": "joint"}
_MADE = ("composite", "flexcomp")  # each makes a body with joints per point of its grid
_NO_PARTS = ("default", "equality", "actuator", "sensor", "tendon", "contact", "custom", "extension", "deformable")
_DEEPEST = 32  # files in files
INSTALL = 'MuJoCo models need the package mujoco: pip install "armature[mjcf]"'
_NO_NUMBER = re.compile(r"[+-]?(?:nan|inf(?:inity)?)", re.IGNORECASE)


def check_size(root: Any, path: Path) -> None:
    """Raises MjcfError where a model and its files hold more than a robot does."""
    counts = _counts(root, path, path.parent, {}, 0)
    kinds = (*((counts[tag], *kind) for tag, kind in _PARTS.items()), (counts[_ELEMENTS], _ELEMENTS, MAX_ELEMENTS))
    for count, noun, most in kinds:
        if problem := too_many(count, noun, most):
            raise MjcfError(f"line {root.sourceline}, <mujoco>: {problem}")


def _counts(root: Any, path: Path, main: Path, known: dict[Path, Counter[str]], depth: int) -> Counter[str]:
    """Number of parts by tag, with included files and copies; `main` is the folder of file names."""
    if path in known:
        return known[path]
    known[path] = Counter()  # of a file that includes itself, which MuJoCo refuses
    if depth > _DEEPEST:
        raise MjcfError(f"nests included files more than {_DEEPEST} deep")
    models = _models(root)
    counts: Counter[str] = Counter()
    for element, tag, times in _copies(root):
        counts[_ELEMENTS] += times
        if tag in _GRIDS:
            _check_grid(element, _GRIDS[tag])
        name = element.get("file") if tag == "include" else models.get(element.get("model", "")) if tag == "attach" else None
        if name:
            for part, count in _of_file(main / name, main if tag == "include" else (main / name).parent, known, depth).items():
                counts[part] += times * count
        elif tag in _MADE:
            counts["joint"] += times * _grid(element)
        else:
            counts[_SAME.get(tag, tag)] += times
    known[path] = counts
    return counts


def _copies(root: Any) -> Iterator[tuple[Any, str, int]]:
    """Yield every element with its tag and its number of copies: `<replicate count="n">` copies its children n times.

    The tag is empty for elements in lists that hold no parts, such as <equality>.
    """
    todo: list[tuple[Any, int, bool]] = [(root, 1, True)]
    while todo:
        element, times, parts = todo.pop()
        tag = str(element.tag)
        yield element, tag if parts else "", times
        if tag == "replicate":
            times *= max(_whole(element.get("count", "1")), 1)
        parts = parts and tag not in _NO_PARTS
        todo += [(child, times, parts) for child in element.iterchildren(etree.Element)]


def _models(root: Any) -> dict[str, str]:
    """Files of the models that `<attach>` names."""
    return {element.get("name") or Path(element.get("file", "")).stem: element.get("file", "") for element in root.iter("model")}


def _of_file(path: Path, main: Path, known: dict[Path, Counter[str]], depth: int) -> Counter[str]:
    """The parts of an included file; none of one that MuJoCo will refuse with its own words."""
    if not path.is_file():
        return Counter()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, remove_comments=True)
    try:
        return _counts(etree.fromstring(file_bytes(path, MAX_BYTES, "model"), parser), path, main, known, depth + 1)
    except Unreadable as error:
        raise MjcfError(f"{one_line(path.name, 80)}: {error}") from None
    except (etree.XMLSyntaxError, ValueError):
        return Counter()


def _check_grid(element: Any, keys: tuple[str, str]) -> None:
    """Raises MjcfError for a texture or height field that fills the memory by its attributes alone."""
    sides = [max(_whole(element.get(key, "0")), 0) for key in keys]
    if math.prod(sides) > MAX_PIXELS:
        size = one_line(" × ".join(f"{side:,}" for side in sides), 60)
        raise MjcfError(f"line {element.sourceline}, <{element.tag}>: has {size} points; at most {MAX_PIXELS:,} are supported")


def _grid(element: Any) -> int:
    return math.prod(max(_whole(count), 1) for count in element.get("count", "1").split()[:3])


def _whole(written: str) -> int:
    """An integer, 0 for any other text, which MuJoCo refuses."""
    try:
        return int(written)
    except ValueError:
        return 0


def read_mjcf_robot(path: Path) -> Robot:
    """Robot of the MuJoCo model at `path`, or of a URDF with the suffix `.xml`.

    Raises:
        ModelError: one line with the file, the element, the mistake and the valid values.
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
    """Reject NaN and infinity, about which MuJoCo only writes a warning to a file in the current folder."""
    for element in root.iter(etree.Element):
        for key, value in element.attrib.items():
            if key not in ("name", "class", "childclass") and any(_NO_NUMBER.fullmatch(part) for part in value.split()):
                message = one_line(value, 40)
                raise MjcfError(f"line {element.sourceline}, <{element.tag}>: {key} must be finite numbers, got {message!r}")


def _compiled(path: Path) -> tuple[Any, Any]:
    """MuJoCo's spec and model of the file. Raises MjcfError with MuJoCo's message in one line."""
    mujoco = import_module("mujoco")
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        return spec, spec.compile()
    except ValueError as error:
        raise MjcfError(_in_one_line(str(error))) from None


def _in_one_line(message: str) -> str:
    """ "line 4, body 'arm': inertia must satisfy …" of what MuJoCo writes over several lines."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    text = re.sub(r"^(?:Error|XML Error|XML parse error \d+)\s*:\s*", "", lines[0]) if lines else "no reason is given"
    rest = " ".join(lines[1:])
    line = re.search(r"line(?: number)?[ =](\d+)", rest, re.IGNORECASE)
    name = re.search(r"Element name '([^']+)'", rest)
    place = ", ".join([f"line {line[1]}" if line else "", repr(name[1]) if name else ""]).strip(", ")
    return f"{place}: MuJoCo cannot load it: {text}" if place else f"MuJoCo cannot load it: {text}"
