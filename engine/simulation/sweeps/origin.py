"""`Origin`: what the rows of a table of results come from, as text that each of them carries."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

_CALLED = {"scenario": "another scenario", "robots": "another robot file", "version": "another version of Armature"}
_CALLED |= {"target": "another numba target or numpy"}


@dataclass(frozen=True)
class Origin:
    """Digests of the scenario's runs, of the robots' files, of Armature, and of what numba compiles for."""

    version: str
    target: str
    robots: str
    scenario: str

    def __str__(self) -> str:
        return " ".join(f"{item.name}={getattr(self, item.name)}" for item in fields(self))

    def unlike(self, told: str) -> str:
        """What sets the rows apart that say they come from `told`: "another scenario"; empty where nothing does."""
        parts = dict(re.findall(r"(\w+)=(\S+)", told))
        return next((words for name, words in _CALLED.items() if parts.get(name) != getattr(self, name)), "")
