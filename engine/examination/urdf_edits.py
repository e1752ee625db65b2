"""Writes other values into the text of a URDF file and leaves every other byte as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape

from armature.engine.errors import ModelError
from armature.engine.examination.finding import Edit

_STEP = re.compile(r"(\w+)(?:\[(\d+)])?")


@dataclass
class _Element:
    """An element with the place of its start tag in the bytes."""

    tag: str
    name: str
    start: int
    children: list[_Element] = field(default_factory=list)

    def child(self, step: str) -> _Element | None:
        """The child of a step such as "inertial" or "visual[1]"."""
        match = _STEP.fullmatch(step)
        found = [child for child in self.children if match and child.tag == match[1]]
        index = int(match[2] or 0) if match else 0
        return found[index] if index < len(found) else None


def with_urdf_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text of a URDF file with other values.

    Args:
        edits: keys such as `("link", "arm", "inertial", "mass", "value")`, a link or joint by its name, elements below it and an
            attribute, each with its new value.

    Raises:
        ModelError: an element that the file has not.
    """
    for where, value in edits:
        text = _edited(text, [str(key) for key in where], str(value))
    return text


def _edited(text: str, where: list[str], value: str) -> str:
    data = text.encode()
    kind, name, *steps, attribute = where
    element = next((child for child in _parsed(data).children if (child.tag, child.name) == (kind, name)), None)
    for k, step in enumerate(steps):
        below = element.child(step) if element is not None else None
        if below is None and element is not None and step == "origin":
            return _with_element(data, element, f'<{step} {attribute}="{escape(value)}"/>')
        element = below
        if element is None:
            raise ModelError(f"{kind} {name!r} has no {'/'.join(steps[: k + 1])} element for {attribute}")
    if element is None:
        raise ModelError(f"unknown {kind} {name!r}")
    start, end = element.start, _tag_end(data, element.start)
    tag = _with_attribute(data[start:end].decode(), attribute, value)
    return (data[:start] + tag.encode() + data[end:]).decode()


def _parsed(data: bytes) -> _Element:
    root = _Element("", "", 0)
    open_elements = [root]
    parser = expat.ParserCreate()

    def started(tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag, attributes.get("name", ""), parser.CurrentByteIndex)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    parser.StartElementHandler = started
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.Parse(data, True)
    return root.children[0]


def _tag_end(data: bytes, start: int) -> int:
    """Behind the > of a start tag; a > in an attribute is part of it."""
    match = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""").match(data, start)
    assert match is not None  # the parser has read it
    return match.end()


def _with_attribute(tag: str, attribute: str, value: str) -> str:
    """A start tag with another value of an attribute, or with one more."""
    found = re.search(rf"""(\s{attribute}\s*=\s*)("[^"]*"|'[^']*')""", tag)
    if found:
        quote = found[2][0]
        return tag[: found.start()] + found[1] + quote + escape(value) + quote + tag[found.end() :]
    head = re.match(r"<[^\s/>]+", tag)
    assert head is not None
    return f'{head[0]} {attribute}="{escape(value)}"{tag[head.end() :]}'


def _with_element(data: bytes, parent: _Element, element: str) -> str:
    """One more element, first in its parent, which has others already."""
    end = _tag_end(data, parent.start)
    return (data[:end] + element.encode() + data[end:]).decode()
