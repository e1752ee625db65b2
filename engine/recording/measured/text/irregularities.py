"""`Irregularities`: what a text file holds between its rows of numbers, or in place of them, and what became of it."""

from __future__ import annotations

_TORN = 0.02  # of the lines: so many may be torn, and are left out


class Irregularities:
    """Counts them while a file is read; `sound` are the lines that were read one by one and are right."""

    def __init__(self) -> None:
        self.sound, self.repeated, self.left_out, self.wrong = 0, 0, 0, 0
        self.first_wrong = ""  # the first cell that is no number
        self._torn: list[int] = []  # numbers of lines
        self._columns: dict[str, str] = {}

    def tear(self, number: int, width: int) -> None:
        """Leaves out a line that is not `width` fields long; raises ValueError where it is not one of a few that stand alone."""
        torn = self._torn
        if (torn and torn[-1] == number - 1) or len(torn) > _TORN * (self.sound + 1) + 3:
            first = torn[-1] if torn[-1] == number - 1 else number
            raise ValueError(f"line {first} and line {number} do not have {width} fields")
        torn.append(number)

    def take_as_missing(self, cell: str) -> None:
        """A cell that is no number, with its place."""
        self.wrong += 1
        self.first_wrong = self.first_wrong or cell

    def leave_out(self, columns: dict[str, str]) -> None:
        """Columns in which many cells are numbers and many are not, each with the first that is none."""
        self._columns = columns

    def remarks(self) -> list[str]:
        """A sentence on each kind."""
        told = ["the last row is incomplete and was omitted"] * self.left_out
        if self.repeated:
            one = "one comment or repeated header line between the rows was omitted"
            many = f"{self.repeated:,} comment or repeated header lines between the rows were omitted"
            told.append(one if self.repeated == 1 else many)
        if self._torn:
            count, first = len(self._torn), f"line {self._torn[0]:,}"
            one, many = (
                f"{first} is incomplete and was omitted",
                f"{count:,} lines, the first is {first}, are incomplete and were omitted",
            )
            told.append(one if count == 1 else many)
        told += [f"{name} was omitted, because many of its cells are not numbers: {cell}" for name, cell in self._columns.items()]
        if self.wrong:
            cells = "1 cell is not a number and is" if self.wrong == 1 else f"{self.wrong:,} cells are not numbers and are"
            told.append(f"{cells} treated as missing: {self.first_wrong}{' first' * (self.wrong > 1)}")
        return told
