"""Robot files with the repairs of findings applied: TOML by a draft, URDF by edits of its bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape

from armature.engine.errors import ModelError
from armature.engine.examination.finding import Edit, Finding
from armature.engine.model.draft.robot_draft import RobotDraft, draft_of_text


def repaired_draft(draft: RobotDraft, findings: Sequence[Finding]) -> RobotDraft:
    """Return a draft with the repairs of findings applied. Raises ModelError for a repair that is not possible."""
    for finding in findings:
        for where, value in finding.repair.edits if finding.repair is not None else ():
            draft = draft.with_value(where, value)
    return draft


def repaired_text(text: str, path: Path, findings: Sequence[Finding]) -> str:
    """Return the text of a robot file with the repairs of findings applied; comments and all other text are unchanged.

    Args:
        text: content of the file.
        path: path of the file; its suffix determines the format, TOML or URDF.
        findings: findings of this file from `examine`; those without a repair are ignored.

    Raises:
        ModelError: a repair cannot be applied to this text.
    """
    repairs = [finding for finding in findings if finding.repair is not None]
    for finding in repairs:
        if finding.where.file is not None and finding.where.file.name != path.name:
            raise ModelError(f"{finding.where}: this value must be repaired in {finding.where.file.name}, not in {path.name}")
    if path.suffix.lower() != ".urdf":
        return repaired_draft(draft_of_text(text, path), repairs).text
    return with_urdf_edits(text, [edit for finding in repairs if finding.repair for edit in finding.repair.edits])


_STEP = re.compile(r"(\w+)(?:\[(\d+)])?")


@dataclass
class _Element:
    """An XML element with the position of its start tag in the bytes."""

    tag: str
    name: str
    start: int
    children: list[_Element] = field(default_factory=list)

    def child(self, step: str) -> _Element | None:
        """Return the child for a step such as "inertial" or "visual[1]"."""
        match = _STEP.fullmatch(step)
        found = [child for child in self.children if match and child.tag == match[1]]
        index = int(match[2] or 0) if match else 0
        return found[index] if index < len(found) else None


def with_urdf_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text of a URDF file with new values.

    Args:
        edits: keys such as `("link", "arm", "inertial", "mass", "value")`, a link or joint by its name, elements below it and an
            attribute, each with its new value.

    Raises:
        ModelError: the file has no such element.
    """
    for where, value in edits:
        text = _edited(text, [str(key) for key in where], str(value))
    return text


def _edited(text: str, where: list[str], value: str) -> str:
    data = text.encode()
    kind, name, *steps, attribute = where
    element = next((child for child in _parse(data).children if (child.tag, child.name) == (kind, name)), None)
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


def _parse(data: bytes) -> _Element:
    root = _Element("", "", 0)
    open_elements = [root]
    parser = expat.ParserCreate()

    def start_element(tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag, attributes.get("name", ""), parser.CurrentByteIndex)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    parser.StartElementHandler = start_element
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.Parse(data, True)
    return root.children[0]


def _tag_end(data: bytes, start: int) -> int:
    """Return the position after the > of a start tag; a > in an attribute is skipped."""
    match = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""").match(data, start)
    assert match is not None  # the parser accepted it
    return match.end()


def _with_attribute(tag: str, attribute: str, value: str) -> str:
    """Return a start tag with a new value of an attribute, or with an additional one."""
    found = re.search(rf"""(\s{attribute}\s*=\s*)("[^"]*"|'[^']*')""", tag)
    if found:
        quote = found[2][0]
        return tag[: found.start()] + found[1] + quote + escape(value) + quote + tag[found.end() :]
    head = re.match(r"<[^\s/>]+", tag)
    assert head is not None
    return f'{head[0]} {attribute}="{escape(value)}"{tag[head.end() :]}'


def _with_element(data: bytes, parent: _Element, element: str) -> str:
    """Insert an element as the first child of its parent."""
    end = _tag_end(data, parent.start)
    return (data[:end] + element.encode() + data[end:]).decode()
