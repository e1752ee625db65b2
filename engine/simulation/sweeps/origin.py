"""`Origin`: what the rows of a table of results come from, as text that each of them carries."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

_CALLED = {"scenario": "another scenario", "robots": "another robot file", "version": "another version of Armature"}
_CALLED |= {"target": "another numba target", "libraries": "another numba, numpy or system"}


@dataclass(frozen=True)
class Origin:
    """Digests of the scenario's runs, of the robots' files, of Armature and the libraries that round; the target of numba."""

    version: str
    target: str
    libraries: str
    robots: str
    scenario: str

    def __str__(self) -> str:
        return " ".join(f"{item.name}={getattr(self, item.name)}" for item in fields(self))

    def unlike(self, told: str) -> str:
        """What sets the rows apart that say they come from `told`: "another scenario"; empty where nothing does."""
        parts = dict(re.findall(r"(\w+)=(\S+)", told))
        other = next((name for name in _CALLED if parts.get(name) != getattr(self, name)), "")
        named = f" ({parts.get(other)}, here it is {self.target})" if other == "target" else ""
        return f"{_CALLED[other]}{named}" if other else ""
