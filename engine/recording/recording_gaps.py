"""`Gaps`: where the columns of a recording hold no numbers, in one line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armature.engine.recording.recording_columns import JOINT_GROUPS, MEASURED_GROUPS, TOOL_COLUMNS, joints_of

_NAMED = 4  # columns that are told by name, of those that miss the same rows


class Gaps:
    """Looks at the rows of a recording block by block; `remark` then says what is NaN or infinite."""

    def __init__(self, columns: Sequence[str]):
        self._columns, self._rows, self._infinite = tuple(columns), 0, False
        self._counts, self._firsts = np.zeros((2, len(self._columns)), np.int64)
        self._times = np.zeros(len(self._columns))

    def see(self, block: np.ndarray) -> None:
        """Takes note of the next rows `(k, columns)`, whose first column is the time."""
        finite = np.isfinite(block)
        if not finite.all():
            missing, first = ~finite, finite.argmin(axis=0)
            new = (self._counts == 0) & missing.any(axis=0)
            self._firsts[new], self._times[new] = self._rows + first[new], block[first[new], 0]
            self._counts += missing.sum(axis=0)
            self._infinite = self._infinite or bool(np.isinf(block).any())
        self._rows += len(block)

    def remark(self) -> str:
        """Which columns in how many rows, and the first of these; empty where all are numbers."""
        alike: dict[tuple[int, int], list[str]] = {}
        for k in np.flatnonzero(self._counts):
            alike.setdefault((int(self._counts[k]), int(self._firsts[k])), []).append(self._columns[k])
        places = [f"{self._names(names)} {self._where(*rows, names[0])}" for rows, names in alike.items()]
        return f"not a number ({'NaN or infinite' if self._infinite else 'NaN'}): {'; '.join(places)}" if places else ""

    def _names(self, columns: list[str]) -> str:
        """The columns, those of all joints or of the whole pose as one."""
        joints, left = joints_of(self._columns), list(columns)
        whole = {f"{group}.*": [f"{group}.{joint}" for joint in joints] for group in (*JOINT_GROUPS, *MEASURED_GROUPS)} | {
            "tool.*": list(TOOL_COLUMNS)
        }
        for name, members in whole.items():
            if len(members) > 1 and set(members) <= set(left):
                left[left.index(members[0])] = name
                left = [column for column in left if column not in members]
        names = left[:_NAMED] + ([f"{len(left) - _NAMED} more"] if len(left) > _NAMED else [])
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

    def _where(self, count: int, first: int, column: str) -> str:
        if count == self._rows:
            return f"in all {count:,} rows"
        t = self._times[self._columns.index(column)]
        return f"in {count:,} of {self._rows:,} rows, first in row {first + 1:,} (t = {t:.6g} s)"
