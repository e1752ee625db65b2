"""The places of a robot file that are typed into: what stands there as text, and the draft that has what was typed instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from armature.app.builder.arm_file import file_of
from armature.app.builder.typed_quantity import DIGITS, EXACT, Kind, Scale
from armature.app.state.number_marks import MINUS, said
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import Units
from armature.engine.errors import ModelError

if TYPE_CHECKING:
    from armature.engine import RobotDraft
    from armature.engine.model.toml.robot_schema import RobotFile

ROUGH = 5  # significant digits of an end of a range that is only read
Read = Callable[["RobotFile"], Any]


@dataclass(frozen=True)
class Entry:
    """One place: `where` it is in the file, `title` in a sentence and in the list of undo steps, `read` its value (SI), None
    where nothing stands there. What `may_be_empty` loses its key where nothing is typed."""

    where: tuple
    title: str
    read: Read
    may_be_empty: bool = False

    def shown(self, draft: RobotDraft, units: Units, digits: int = DIGITS) -> str:
        """What stands there, as it is read, a number in so many significant digits."""
        value = self.read(file_of(draft))
        return "" if value is None else self.text(value, units, digits)

    def edited(self, draft: RobotDraft, units: Units) -> str:
        """What stands there, as it is edited."""
        value = self.read(file_of(draft))
        return "" if value is None else self.text(value, units, EXACT).replace(MINUS, "-")

    def typed(self, draft: RobotDraft, text: str, units: Units) -> RobotDraft:
        """The draft with what was typed there. Raises ModelError with the reason why it cannot be."""
        if not text.strip() and self.may_be_empty:
            return draft.with_value(self.where, None)
        return self.put(draft, self.value(text, units))

    def text(self, value: Any, units: Units, digits: int) -> str:
        """A value as text."""
        return str(value)

    def value(self, text: str, units: Units) -> Any:
        """The value that was typed. Raises ModelError."""
        return text.strip()

    def put(self, draft: RobotDraft, value: Any) -> RobotDraft:
        """The draft with that value there. Raises ModelError."""
        return draft.with_value(self.where, value)


@dataclass(frozen=True)
class NumberEntry(Entry):
    """A number of some kind; infinity is none."""

    kind: Kind = Kind.PLAIN

    def text(self, value: float, units: Units, digits: int) -> str:
        """Without its unit."""
        return Scale(self.kind, units).text(value, digits) if isfinite(value) else ""

    def value(self, text: str, units: Units) -> float:
        """With or without its unit."""
        return Scale(self.kind, units).typed(text)


@dataclass(frozen=True)
class RangeEntry(Entry):
    """Lower and upper end of a kind."""

    kind: Kind = Kind.PLAIN

    def text(self, value: tuple[float, float], units: Units, digits: int) -> str:
        """−170 … 170"""
        scale = Scale(self.kind, units)
        return " … ".join(scale.text(end, ROUGH if digits == DIGITS else digits) for end in value)

    def value(self, text: str, units: Units) -> list[float]:
        """Both ends."""
        ends = Scale(self.kind, units).typed_range(text)
        return [] if ends is None else list(ends)


@dataclass(frozen=True)
class PartEntry(NumberEntry):
    """One number of an array, which is written as a whole; of a symmetric matrix also the one across."""

    part: tuple[int, ...] = ()

    def text(self, value: Any, units: Units, digits: int) -> str:
        """That number."""
        return super().text(float(np.asarray(value)[self.part]), units, digits)

    def put(self, draft: RobotDraft, value: float) -> RobotDraft:
        """In its place."""
        old = self.read(file_of(draft))
        whole = np.zeros((3,) * len(self.part)) if old is None else np.array(old, float)
        whole[self.part] = whole[self.part[::-1]] = value
        diagonal = whole.ndim == 2 and not (whole - np.diag(np.diag(whole))).any()
        return draft.with_value(self.where, np.diag(whole).tolist() if diagonal else whole.tolist())


@dataclass(frozen=True)
class LinesEntry(Entry):
    """An array of sentences, one per line."""

    def text(self, value: Any, units: Units, digits: int) -> str:
        """Line by line."""
        return "\n".join(value)

    def value(self, text: str, units: Units) -> list[str]:
        """Lines with something in them."""
        return [line.strip() for line in text.splitlines() if line.strip()]


def finite(value: float | None) -> float | None:
    """None for what has no end."""
    return None if value is None or abs(value) == inf else value


def refusal(error: ModelError) -> str:
    """The reason alone, as a sentence."""
    return sentence(said(str(error)))
