"""`SavedPoses`: poses that a person gave names, kept in the settings for each robot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature.app.state.document import RobotDocument
from armature.app.state.preferences import Preferences
from armature.app.state.settings import robot_key

LONGEST = 40  # characters of a name


class SavedPoses(QObject):
    """Those of the open robot; `changed` tells that there are others now."""

    changed = Signal()

    def __init__(self, document: RobotDocument, preferences: Preferences, parent: QObject):
        super().__init__(parent)
        self._document, self._preferences = document, preferences
        preferences.changed.connect(lambda field: self.changed.emit() if field == "poses" else None)

    @property
    def now(self) -> dict[str, np.ndarray]:
        """Joint positions `(n,)` by name, in the order they were saved; those of a robot with other joints are left out."""
        robot = self._document.robot
        return {name: np.array(q) for name, q in self._kept.items() if len(q) == robot.n}

    def free_name(self) -> str:
        """A name that none has yet: "pose 1", "pose 2" …"""
        return next(name for k in range(1, len(self._kept) + 2) if (name := f"pose {k}") not in self._kept)

    def why_not(self, name: str, but: str = "") -> str:
        """Why a pose cannot have that name, empty where it can; the pose called `but` has it already."""
        if not name.strip():
            return "Enter a name for the pose."
        if len(name.strip()) > LONGEST:
            return f"The name is too long. Enter at most {LONGEST} characters."
        if name.strip() in self._document.robot.configurations:
            return f"{name.strip()} is a pose of the robot file. Enter another name."
        return (
            f"A pose {name.strip()} exists already. Enter another name."
            if name.strip() in self._kept and name.strip() != but
            else ""
        )

    def save(self, name: str) -> None:
        """Keep the arm's present pose under a name."""
        self._keep({**self._kept, name.strip(): self._document.q.tolist()})

    def rename(self, old: str, new: str) -> None:
        """Give a pose another name; its place stays."""
        self._keep({new.strip() if name == old else name: q for name, q in self._kept.items()})

    def delete(self, name: str) -> None:
        """Forget a pose."""
        self._keep({other: q for other, q in self._kept.items() if other != name})

    def add(self, poses: Mapping[str, Sequence[float]]) -> None:
        """Add poses of the open robot; one with the name of another pose receives a new name, so that none is lost."""
        kept = dict(self._kept)
        for name, q in poses.items():
            if len(q) == self._document.robot.n and kept.get(name, list(q)) == list(q):
                kept[name] = list(q)
            elif len(q) == self._document.robot.n:
                kept[next(new for k in count(2) if (new := f"{name[: LONGEST - 5]} {k}") not in kept)] = list(q)
        if kept:
            self._keep(kept)

    @property
    def _kept(self) -> dict[str, list[float]]:
        return self._preferences.now.poses.get(robot_key(self._document.robot), {})

    def _keep(self, poses: dict[str, list[float]]) -> None:
        key = robot_key(self._document.robot)
        others = {robot: kept for robot, kept in self._preferences.now.poses.items() if robot != key}
        self._preferences.set(poses={**others, key: poses} if poses else others)
