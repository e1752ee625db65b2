"""`Visual`: appearance of a link as described in a robot file; nothing is loaded here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only


@dataclass(frozen=True, eq=False)
class Visual(Frozen):
    """A shape G on a link L.

    `X_LG` is its 4×4 pose in the link's frame. `shape` is "mesh" (`size` its scale x, y, z; `file` the name as written; `path`
    the file, in m before scaling, None where it was not found or, if `outside`, must not be read), "box" (`size` its edges
    x, y, z), "cylinder" (radius and length along z) or "sphere" (radius); all centred, in m.
    `colour` is (r, g, b, a) from 0 to 1 or None, `material` its name or "", `texture` an image file or None.
    """

    link: str
    shape: str
    X_LG: np.ndarray
    size: tuple[float, ...]
    path: Path | None = None
    file: str = ""
    material: str = ""
    colour: tuple[float, float, float, float] | None = None
    texture: Path | None = None
    outside: bool = False

    def __post_init__(self):
        object.__setattr__(self, "X_LG", read_only(self.X_LG))
