"""How far the user is with a question."""

from __future__ import annotations

from dataclasses import dataclass, field

from armature.app.questions.judge import Verdict

SOLVED, SHOWN = "solved", "shown"
"""What is remembered of a question between starts: answered, or looked up."""


@dataclass
class Attempt:
    """What was answered, and what was said of it; how many hints were taken, and whether the solution was looked at."""

    given: list[str]
    verdicts: list[Verdict | None] = field(default_factory=list)
    hints: int = 0
    solution: bool = False

    @classmethod
    def at(cls, count: int) -> Attempt:
        """Nothing yet of `count` answers."""
        return cls([""] * count, [None] * count)

    def keep(self, given: list[str]) -> None:
        """What is typed now; what was said of another text counts no more."""
        self.verdicts = [verdict if new == old else None for new, old, verdict in zip(given, self.given, self.verdicts)]
        self.given = given

    @property
    def solved(self) -> bool:
        """Whether all answers are right, and none was looked up."""
        return not self.solution and self.complete

    @property
    def complete(self) -> bool:
        """Whether all answers are right."""
        return all(verdict is not None and verdict.right for verdict in self.verdicts)

    def open_answers(self, one_by_one: bool) -> int:
        """How many answers are requested so far: in a derivation, up to the first that is not right."""
        if not one_by_one or self.solution:
            return len(self.verdicts)
        right = 0
        while right < len(self.verdicts) and (verdict := self.verdicts[right]) is not None and verdict.right:
            right += 1
        return min(right + 1, len(self.verdicts))
