"""Words with <b>, <i>, <s> and <sub> as runs of one look."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from armature.app.equations.sheet.blocks import Line, Part

GLUED = (",", ".", ";", ":")  # no space before what begins so
TAG = re.compile(r"(</?(?:b|i|s|sub)>)")


@dataclass(frozen=True)
class Run:
    """A piece of a word and the tags in force."""

    text: str
    tags: frozenset[str]


Word = tuple[Run, ...]


def words(text: str) -> list[Word]:
    """What stands between spaces."""
    found: list[list[Run]] = [[]]
    tags: frozenset[str] = frozenset()
    for bit in TAG.split(text):
        if TAG.fullmatch(bit):
            name = bit.strip("</>")
            tags = tags - {name} if bit.startswith("</") else tags | {name}
            continue
        first, *others = re.split(r"[ \n]+", bit)
        found[-1].append(Run(unescape(first), tags))
        found += [[Run(unescape(word), tags)] for word in others]
    return [word for runs in found if (word := tuple(run for run in runs if run.text))]


def glued(part: Part) -> bool:
    """Whether it follows what is before it without a space."""
    return isinstance(part, str) and part.lstrip().startswith(GLUED)


def spaced(line: Line) -> list[tuple[Part, bool]]:
    """Each part, and whether a space stands before it."""
    return [(part, k > 0 and not glued(part)) for k, part in enumerate(line)]
