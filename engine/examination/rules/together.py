"""One finding for all links, joints or angles of an arm that show one and the same mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from armature.engine.examination.edits import repair
from armature.engine.examination.finding import GRADES, Edit, Finding, Repair
from armature.engine.examination.wording import number

FEW = 3  # that are no accident
Part = TypeVar("Part")


def together(
    found: Sequence[tuple[float, Finding]], parts: Sequence[Part], nouns: str, edits: Callable[[Part, float], tuple[Edit, ...]]
) -> Iterator[Finding]:
    """Yield one finding where more than half of the parts, three or more, need the same factor; else each by itself.

    Args:
        found: the factor that brings a part's figure right, 0 where none is known, and its finding.
        parts: all parts with such a figure, the sound ones too: the repair changes them all.
        nouns: of the parts, as in "3 of 4 links".
        edits: what to write for a part's figure times a factor.
    """
    factors = [factor for factor, _ in found if factor]
    common = max(dict.fromkeys(factors), key=factors.count, default=0.0)
    if factors.count(common) < FEW or 2 * factors.count(common) <= len(parts):
        yield from (finding for _, finding in found)
        return
    alike = [finding for factor, finding in found if factor == common]
    edited = tuple(edit for part in parts for edit in edits(part, common))
    certain = all(finding.repair is not None and finding.repair.certain for finding in alike)
    text = f"multiply the values of all {len(parts)} {nouns} by {number(common)}"
    yield as_one(alike, len(parts), nouns, repair(text, edited, certain))


def as_one(alike: Sequence[Finding], count: int, nouns: str, mend: Repair | None) -> Finding:
    """Return one finding for several of the same rule among `count` parts, with the gravest of their grades."""
    gravest = min(alike, key=lambda finding: GRADES.index(finding.grade))
    return replace(
        gravest,
        rule=f"{gravest.rule}, most {nouns}",
        figure=f"{len(alike)} of {count} {nouns}, the first with {alike[0].figure}",
        where=alike[0].where,
        cause=of_several(gravest.cause),
        repair=mend,
    )


def of_several(cause: str) -> str:
    """Return the cause of one figure in the plural."""
    for one, several in (("It was", "They were"), ("It may", "They may"), (" its ", " their ")):
        cause = cause.replace(one, several)
    return cause
