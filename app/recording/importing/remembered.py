"""What was chosen for the columns of a log the last time, kept in the settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress

from armature.app.state.preferences import Preferences
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.log_mapping import LogMapping

MOST = 60  # sets of columns


class Remembered:
    """By the set of names of the columns, whatever their order, and the number of joints."""

    def __init__(self, preferences: Preferences):
        self._preferences = preferences

    def mapping(self, names: Sequence[str], n: int) -> tuple[LogMapping, str] | None:
        """Return the mapping that was chosen for columns and n joints, if it still fits, and its robot."""
        text = self._preferences.now.imports.get(_key(names, n))
        mapping = None if text is None else LogMapping.from_text(text, names, n)
        return None if mapping is None else (mapping, self.robot(names, n))

    def robot(self, names: Sequence[str], n: int = 0) -> str:
        """Of which robot, of n joints or of any number, these columns were the last time; "" where nothing tells it."""
        for key, text in reversed(self._preferences.now.imports.items()):
            joints, _, columns = key.partition(":")
            if columns == _columns(names) and (not n or joints == str(n)):
                with suppress(ValueError, AttributeError):
                    return str(json.loads(text).get("robot", ""))
        return ""

    def keep(self, names: Sequence[str], robot: Robot, mapping: LogMapping) -> None:
        """Remember; what was chosen longest ago makes room."""
        key, kept = _key(names, robot.n), json.dumps({**json.loads(mapping.text()), "robot": robot.name})
        others = [(other, text) for other, text in self._preferences.now.imports.items() if other != key]
        self._preferences.set(imports=dict([*others[-(MOST - 1) :], (key, kept)]))


def _key(names: Sequence[str], n: int) -> str:
    return f"{n}:{_columns(names)}"


def _columns(names: Sequence[str]) -> str:
    return hashlib.sha256(chr(0).join(sorted(names)).encode()).hexdigest()[:24]
