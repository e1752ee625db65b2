"""`Written`: a robot in another format, and what that format cannot hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Written:
    """`texts` by the file each belongs in, the robot's own first; `losses` in sentences."""

    texts: Mapping[Path, str]
    losses: tuple[str, ...]
