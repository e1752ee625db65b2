"""`CompiledModel`: what MuJoCo compiled, with the names and lines that a person knows its parts by."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from armature.engine.errors import one_line
from armature.engine.rotations import quaternion_matrix


class CompiledModel:
    """`spec` is the mjSpec, `model` the mjModel made of it, `root` the outermost element of its file; `mujoco` the module."""

    def __init__(self, spec: Any, model: Any, root: Any):
        self.spec, self.model, self._root, self.mujoco = spec, model, root, import_module("mujoco")
        self._kinds = {name.removeprefix("mjOBJ_").lower(): kind for name, kind in self.mujoco.mjtObj.__members__.items()}

    def name(self, kind: str, i: int) -> str:
        """The name of the i-th body, joint, site, … , or that with its number where it has none."""
        found = self.mujoco.mj_id2name(self.model, self._kinds[kind], i)
        return found or f"{kind}{i}"

    def names(self, kind: str, indices) -> str:
        """Some of them in quotation marks."""
        named = [repr(one_line(self.name(kind, int(i)), 60)) for i in indices]
        return ", ".join(named[:4]) + (f" and {len(named) - 4} more" if len(named) > 4 else "")

    def line(self, name: str, *tags: str) -> str:
        """ "line 12, " where an element of one of these tags and that name stands in the file itself, not in one it includes."""
        found = (element for tag in tags for element in self._root.iter(tag) if element.get("name") == name)
        element = next(found, None)
        return "" if element is None else f"line {element.sourceline}, "

    def any_of(self, field: str) -> np.ndarray:
        """Indices of the parts of which `field` holds anything but 0; none where this version of MuJoCo has no such field."""
        values = getattr(self.model, field, None)
        if values is None or len(values) == 0:
            return np.empty(0, int)
        values = np.asarray(values)
        return np.flatnonzero(values.reshape(len(values), -1).any(axis=1))


def placed(position: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """The pose 4×4 of a position `(3,)` and a quaternion `(4,)`."""
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = quaternion_matrix(np.asarray(turn, float) / np.linalg.norm(turn)), position
    return X
