"""What was chosen for the columns of a log the last time, kept in the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from armature.app.state.preferences import Preferences
from armature.engine.recording.measured.log_mapping import LogMapping

MOST = 60  # sets of columns


class Remembered:
    """By the set of names of the columns, whatever their order, and the number of joints."""

    def __init__(self, preferences: Preferences):
        self._preferences = preferences

    def mapping(self, names: Sequence[str], n: int) -> LogMapping | None:
        """What was chosen, where it still fits."""
        text = self._preferences.now.imports.get(_key(names, n))
        return None if text is None else LogMapping.from_text(text, names, n)

    def keep(self, names: Sequence[str], n: int, mapping: LogMapping) -> None:
        """Remember; what was chosen longest ago makes room."""
        key = _key(names, n)
        others = [(other, text) for other, text in self._preferences.now.imports.items() if other != key]
        self._preferences.set(imports=dict([*others[-(MOST - 1) :], (key, mapping.text())]))


def _key(names: Sequence[str], n: int) -> str:
    return f"{n}:{hashlib.sha256(chr(0).join(sorted(names)).encode()).hexdigest()[:24]}"
