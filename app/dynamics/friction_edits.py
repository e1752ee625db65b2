"""Friction changed by a person while the arm moves or stands; each change is an undo step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand

from armature.app.dynamics.friction_section import FrictionSection
from armature.app.state.edits.pose_edit import next_gesture
from armature.engine.model.body import Friction

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


@dataclass(frozen=True, eq=False)
class Rubbing:
    """Joints with other friction than the file's, and how worn the arm is."""

    joints: Mapping[str, Friction] = field(default_factory=dict)
    wear: float = 1.0


class RubbingEdit(QUndoCommand):
    """Friction went from `old` to `new`; edits of the same gesture become one step."""

    def __init__(self, put: Callable[[Rubbing], None], old: Rubbing, new: Rubbing, gesture: int, text: str):
        super().__init__(text)
        self._put, self._old, self._new, self._gesture = put, old, new, gesture

    def id(self) -> int:
        """Qt merges neighbours of equal id."""
        return self._gesture

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the end of the same gesture."""
        if not isinstance(other, RubbingEdit):
            return False
        self._new = other._new
        return True

    def redo(self):
        """Set the new friction."""
        self._put(self._new)

    def undo(self):
        """Set the old friction."""
        self._put(self._old)


class FrictionEdits(QObject):
    """Joins the section with the simulated arm."""

    def __init__(self, bench: Workbench, section: FrictionSection):
        super().__init__(bench.parent)
        self._bench, self._section = bench, section
        section.entered.connect(self._enter)
        section.wear_moved.connect(self._wear)
        section.reset_requested.connect(lambda: self._edit(Rubbing(), "friction of the file"))

    @property
    def now(self) -> Rubbing:
        """What is simulated."""
        choices = self._bench.simulation.choices
        return Rubbing(choices.rubbing, choices.wear)

    def show(self) -> None:
        """What is simulated, in the section."""
        robot, choices = self._bench.document.robot, self._bench.simulation.choices
        if robot.has_dynamics:
            friction = [choices.new_friction(robot, name) for name in robot.joint_names]
            self._section.show_friction(robot.joint_names, friction, choices.wear)

    def _enter(self, joint: int, friction: Friction) -> None:
        name, now = self._bench.document.robot.joint_names[joint], self.now
        self._edit(replace(now, joints={**now.joints, name: friction}), f"friction of {name}")

    def _wear(self, factor: float, gesture: int) -> None:
        self._edit(replace(self.now, wear=factor), "wear", gesture)

    def _edit(self, new: Rubbing, text: str, gesture: int | None = None) -> None:
        edit = RubbingEdit(self._put, self.now, new, next_gesture() if gesture is None else gesture, text)
        self._bench.document.undo_stack.push(edit)

    def _put(self, rubbing: Rubbing) -> None:
        self._bench.simulation.choose(rubbing=rubbing.joints, wear=rubbing.wear)
        self.show()
