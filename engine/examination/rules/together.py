"""One finding for all links, joints or angles of an arm that show one and the same mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from armature.engine.examination.edits import repair
from armature.engine.examination.finding import GRADES, Edit, Finding
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
    first = min(alike, key=lambda finding: GRADES.index(finding.grade))
    yield replace(
        first,
        rule=f"{first.rule}, most {nouns}",
        figure=f"{len(alike)} of {len(parts)} {nouns}, the first with {alike[0].figure}",
        where=alike[0].where,
        cause=first.cause.replace("It was", "They were", 1),
        repair=repair(
            f"{number(common)} times the figures of all {len(parts)} {nouns}",
            tuple(edit for part in parts for edit in edits(part, common)),
            all(finding.repair is not None and finding.repair.certain for finding in alike),
        ),
    )
