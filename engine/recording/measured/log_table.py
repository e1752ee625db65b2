"""`LogTable`: the table of a log of another program, one column of numbers per name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from armature.engine.errors import RecordingError, enumeration, one_line
from armature.engine.model.frozen import Frozen
from armature.engine.recording.measured.text_form import TextForm

STAMPS = "stamps"
"""The unit of a column of dates and times of day; its values are seconds."""
ARRIVAL = "log time"
"""The name of the column of a bag that holds when its messages arrived."""
_LARGEST = 1e30  # squares of it are numbers, too
_SHOWN = 60  # characters of a name


@dataclass(frozen=True, eq=False)
class LogTable(Frozen):
    """Table of a log: `values` `(N, k)`, NaN for an empty cell; `units` as in the file, else ""; `form` of a text file.

    `remarks` are notes from reading, `warnings` problems of the log; `text_columns` maps each column without numbers to its
    first cell that is not a number; `wrong` is the first cell that was not a number and counts as missing. `origins` maps
    columns to the seconds that were subtracted from their values.
    """

    path: Path
    names: tuple[str, ...]
    values: np.ndarray
    units: tuple[str, ...]
    form: TextForm | None = None
    remarks: tuple[str, ...] = ()
    text_columns: Mapping[str, str] = field(default_factory=dict)
    wrong: str = ""
    warnings: tuple[str, ...] = ()
    origins: Mapping[str, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def first_text_column(self) -> str:
        """End of an error message: the first column without numbers, and its first cell that is not a number; "" if all are
        numbers.
        """
        return next((f"; {name[:_SHOWN]} does not hold numbers: {cell}" for name, cell in self.text_columns.items()), "")

    def require(self, names: Sequence[str]) -> None:
        """Raises RecordingError for columns that are not there: all of them, and those there are, the likeliest first."""
        if missing := [name for name in dict.fromkeys(names) if name not in self.names]:
            if cell := self.text_columns.get(missing[0]):
                raise RecordingError(one_line(f"{self.path}: column {missing[0][:_SHOWN]} does not hold numbers: {cell}", 400))
            what = f"unknown column {missing[0][:_SHOWN]!r}"
            if len(missing) > 1:
                what = f"unknown columns {enumeration([repr(name[:_SHOWN]) for name in missing])}"
            text = f"{self.path}: {what}; valid: {', '.join(self._nearest_first(missing))}"
            raise RecordingError(one_line(text, 400))

    def _nearest_first(self, missing: Sequence[str]) -> list[str]:
        plain = {name: name.casefold() for name in self.names}
        near = [close for name in missing for close in get_close_matches(name.casefold(), plain.values())]
        first = [name for close in near for name in plain if plain[name] == close]
        return list(dict.fromkeys([*first, *self.names]))

    def index(self, name: str) -> int:
        """Which column that is; raises RecordingError naming those there are."""
        self.require([name])
        return self.names.index(name)

    def column(self, name: str) -> np.ndarray:
        """The values `(N,)` of a column."""
        return self.values[:, self.index(name)]

    def unit(self, name: str) -> str:
        """Unit of a column in the file, "" without one."""
        return self.units[self.index(name)]


def clean(values: np.ndarray) -> np.ndarray:
    """The values in place, NaN for those that are no numbers, or larger than anything that is measured."""
    with np.errstate(invalid="ignore"):
        values[~(np.abs(values) < _LARGEST)] = np.nan
    return values


def unique_names(names: list[str]) -> tuple[str, ...]:
    """The names, those that are empty or there already with a number after them."""
    seen: dict[str, int] = {}
    result: list[str] = []
    for k, name in enumerate(names, start=1):
        plain = one_line(name.strip()) or f"column {k}"
        seen[plain] = seen.get(plain, 0) + 1
        result.append(plain if seen[plain] == 1 else f"{plain} ({seen[plain]})")
    return tuple(result) if len(set(result)) == len(result) else tuple(f"{name} #{k}" for k, name in enumerate(result, start=1))
