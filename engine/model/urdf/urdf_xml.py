"""URDF as XML: bytes to elements that read their own attributes strictly and know their line."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Sequence

import numpy as np
from lxml import etree

from armature.engine.errors import LARGEST, one_line, shown
from armature.engine.model.file_bytes import MAX_ELEMENTS, Unreadable, UrdfError, check_text, syntax_fault, too_many
from armature.engine.rotations import rot_rpy

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_LONGEST_NAME = 200
_MOST_LINES = 65_535  # maximum of libxml2


def parse(data: bytes, lines: Sequence[str] = ()) -> Node:
    """The `<robot>` element of a URDF file, `lines` as for `robot_of_urdf`. Raises UrdfError or Unreadable."""
    check_text(data)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise UrdfError(syntax_fault(error)) from None
    except ValueError as error:
        raise Unreadable(f"is not XML: {one_line(str(error), 160)}") from None
    if root.tag != "robot":
        raise UrdfError(
            f"line {root.sourceline}: the outermost element is <{one_line(str(root.tag), 60)}>; in a URDF file it is <robot>"
        )
    if problem := too_many(sum(1 for _ in root.iter(etree.Element)), "elements", MAX_ELEMENTS):
        raise UrdfError(f"line {root.sourceline}, <robot>: {problem}")
    for k, element in enumerate(root.iter(etree.Element) if lines else ()):
        element.sourceline = min(k + 1, _MOST_LINES)
    return Node(root, tuple(lines))


class Node:
    """Element of a URDF file; `line` is its line."""

    def __init__(self, element: etree._Element, lines: tuple[str, ...] = ()):
        self._element, self._lines = element, lines
        number = element.sourceline or 0
        self.line = lines[number - 1] if lines and number else str(number)
        self.tag = str(element.tag)

    def error(self, problem: str) -> UrdfError:
        """Error with the message `problem`, the name and the line of this element."""
        return UrdfError(f"line {self.line}, {self.label}: {problem}")

    @property
    def label(self) -> str:
        """`<mass> of <link name="arm">`: the element and the nearest one around it that has a name."""
        label, element = f"<{one_line(self.tag, 60)}>", self._element
        if self.tag in ("link", "joint") and "name" in element.attrib:
            return f"<{self.tag} name={_quoted(element.get('name'))}>"
        for around in element.iterancestors("link", "joint"):
            if "name" in around.attrib:
                return f"{label} of <{around.tag} name={_quoted(around.get('name'))}>"
        return label

    def children(self, tag: str) -> list[Node]:
        """All children of that tag."""
        return [self._at(child) for child in self._element.iterchildren(tag)]

    def count(self, tags: tuple[str, ...]) -> int:
        """Number of children of these tags."""
        return sum(1 for _ in self._element.iterchildren(*tags))

    def _at(self, element: etree._Element) -> Node:
        return Node(element, self._lines)

    def child(self, tag: str) -> Node | None:
        """The only child of that tag, or None."""
        found = self.children(tag)
        if len(found) > 1:
            raise found[1].error(f"is given twice (first on line {found[0].line}); give it only once")
        return found[0] if found else None

    def expect(self, children: tuple[str, ...] = (), attributes: tuple[str, ...] = ()) -> Iterator[str]:
        """Refuses what looks like a misspelt child or attribute and macros; yields the other tags that mean nothing here."""
        tags = [str(child.tag) for child in self._element.iterchildren(etree.Element)]
        for child in self._element.iterchildren(etree.Element):
            tag = str(child.tag)
            if "xacro" in tag:
                raise self._at(child).error("contains xacro macros; rename the file so that it ends in .xacro")
            if tag not in children:
                self._check_spelling(self._at(child), tag, [name for name in children if name not in tags], "element")
                yield tag
        for name in self._element.attrib:
            if name not in attributes:
                missing = [valid for valid in attributes if valid not in self._element.attrib]
                self._check_spelling(self, str(name), missing, "attribute")

    def _check_spelling(self, at: Node, name: str, missing: list[str], kind: str) -> None:
        close = difflib.get_close_matches(name.lower()[:60], missing, n=1, cutoff=0.65)
        if close:
            raise at.error(f"unknown {kind} {_quoted(name)}; did you mean {close[0]}?")

    def text(self, attribute: str, default: str | None = None) -> str:
        """An attribute as written; refused when missing, unless there is a default."""
        value = self._element.get(attribute, default)
        if value is None:
            raise self.error(f"has no {attribute}")
        return value

    def name(self, attribute: str = "name") -> str:
        """An attribute that names something: printable, not empty."""
        value = self.text(attribute)
        if not value.strip() or not value.isprintable() or len(value) > _LONGEST_NAME:
            raise self.error(f"{attribute} must be a printable name of 1 to {_LONGEST_NAME} characters, got {shown(value)}")
        return value

    def number(self, attribute: str, default: float | None = None) -> float:
        """A finite number of sensible size."""
        if default is not None and attribute not in self._element.attrib:
            return default
        return self._finite(attribute, self.text(attribute))

    def not_negative(self, attribute: str, default: float | None = None) -> float:
        """A number ≥ 0."""
        if (x := self.number(attribute, default)) < 0:
            raise self.error(f"{attribute} must be 0 or more, got {x:g}")
        return x

    def limit(self, attribute: str) -> float | None:
        """A number that may be infinite, as anything beyond ±1e9 counts; None where it is not written."""
        if attribute not in self._element.attrib:
            return None
        written = self.text(attribute).strip()
        if _INFINITE.fullmatch(written):
            return -math.inf if written.startswith("-") else math.inf
        if not _NUMBER.fullmatch(written):
            raise self.error(f"{attribute} must be a number, got {shown(written)}")
        x = float(written)
        return x if abs(x) <= LARGEST else math.copysign(math.inf, x)

    def vector(self, attribute: str, count: int, default: tuple[float, ...] | None = None) -> np.ndarray:
        """`(count,)` finite numbers, written with blanks between."""
        if default is not None and attribute not in self._element.attrib:
            return np.array(default)
        parts = self.text(attribute).split()
        if len(parts) != count:
            raise self.error(f"{attribute} must be {count} numbers, got {len(parts)}: {shown(self.text(attribute))}")
        return np.array([self._finite(attribute, part) for part in parts])

    def _finite(self, attribute: str, written: str) -> float:
        if not _NUMBER.fullmatch(written.strip()):
            raise self.error(f"{attribute} must be a finite number, got {shown(written)}")
        x = float(written)
        if abs(x) > LARGEST:
            raise self.error(f"{attribute} must be between -1e9 and 1e9, got {shown(written.strip())}")
        return x

    def pose(self) -> np.ndarray:
        """The 4×4 pose of this element's `<origin>`, the identity without one; R = Rot_z(yaw) Rot_y(pitch) Rot_x(roll)."""
        origin = self.child("origin")
        if origin is None:
            return np.eye(4)
        list(origin.expect(attributes=("xyz", "rpy")))
        xyz, rpy = origin.vector("xyz", 3, (0, 0, 0)), origin.vector("rpy", 3, (0, 0, 0))
        X = rot_rpy(*rpy)
        X[:3, 3] = xyz
        return X


def _quoted(name: str | None) -> str:
    return f'"{one_line(str(name), 80)}"'
