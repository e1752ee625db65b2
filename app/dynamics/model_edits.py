"""What a person changes about the simulated arm while it moves or stands; each change is an undo step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand

from armature.app.dynamics.conditions_section import ConditionsSection
from armature.app.dynamics.friction_section import FrictionSection
from armature.app.state.edits.edit_in_flight import EditInFlight
from armature.app.state.edits.pose_edit import next_gesture
from armature.engine import Payload
from armature.engine.model.body import Friction

if TYPE_CHECKING:
    from armature.app.state.session_tables import ConditionsTable
    from armature.app.workbench import Workbench

Figures = Mapping[str, Any]
"""Fields of `ModelChoices` by name, and as `payload` what the tool holds."""


class ModelEdit(EditInFlight):
    """Figures went from `old` to `new`, which are of the same names; edits of the same gesture become one step."""

    def __init__(self, put: Callable[[Figures], None], old: Figures, new: Figures, gesture: int, text: str):
        super().__init__(text)
        self._put, self._old, self._new, self._gesture = put, old, new, gesture

    def id(self) -> int:
        """Qt merges neighbours of equal id."""
        return self._gesture

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the end of the same gesture."""
        if not isinstance(other, ModelEdit) or other._new.keys() != self._new.keys():
            return False
        self._new = other._new
        return True

    def redo(self):
        """Set the new figures."""
        self._put(self._new)

    def undo(self):
        """Set the old ones."""
        self._put(self._old)


class ModelEdits(QObject):
    """Joins what acts on the arm, and its friction, with the simulated arm."""

    def __init__(self, bench: Workbench, conditions: ConditionsSection, friction: FrictionSection):
        super().__init__(bench.parent)
        self._bench, self._conditions, self._friction = bench, conditions, friction
        conditions.gravity_chosen.connect(self._choose_gravity)
        conditions.payload_chosen.connect(lambda payload, gesture: self._edit("payload", gesture, payload=payload))
        conditions.smooth_chosen.connect(self._choose_smooth)
        conditions.stops_chosen.connect(lambda on: self._edit("joint stops", stops=on))
        friction.entered.connect(self._enter)
        friction.wear_moved.connect(lambda wear, gesture: self._edit("wear", gesture, wear=wear))
        friction.reset_requested.connect(lambda: self._edit("friction reset", rubbing={}, wear=1.0))

    def show(self) -> None:
        """What is simulated, in the sections."""
        robot, choices = self._bench.document.robot, self._bench.simulation.choices
        if robot.has_dynamics:
            friction = [choices.new_friction(robot, name) for name in robot.joint_names]
            self._friction.show_friction(robot.joint_names, friction, choices.wear)
            self._conditions.show_choices(choices, robot)

    def session_table(self) -> dict[str, Any]:
        """External conditions and friction as plain values."""
        choices, payload = self._bench.simulation.choices, self._bench.simulation.payload
        return {
            "smooth": sorted(choices.smooth),
            "gravity": choices.gravity,
            "stops": choices.stops,
            "wear": choices.wear,
            "rubbing": {name: {**vars(friction)} for name, friction in choices.rubbing.items()},
            "payload": None if payload is None else payload.describe(),
        }

    def open_session(self, table: ConditionsTable) -> None:
        """Restore external conditions and friction, except for unknown joints."""
        names, payload = self._bench.document.robot.joint_names, table.payload
        rubbing = {
            name: Friction(one.viscous, (one.coulomb[0], one.coulomb[1]), one.stiction) for name, one in table.rubbing.items()
        }
        figures: dict[str, Any] = {
            "smooth": frozenset(table.smooth) & frozenset(names),
            "gravity": table.gravity,
            "stops": table.stops,
            "wear": table.wear,
            "rubbing": {name: friction for name, friction in rubbing.items() if name in names},
        }
        if payload is not None:
            figures["payload"] = Payload(payload.mass, np.array(payload.com), np.array(payload.inertia))
        self._put(figures)
        self._conditions.show_payload(self._bench.simulation.payload)

    def _choose_gravity(self, g: tuple[float, float, float], gesture: int) -> None:
        in_file = tuple(self._bench.document.robot.gravity.tolist())
        self._edit("gravity", gesture, gravity=None if g == in_file else g)

    def _choose_smooth(self, names: frozenset[str]) -> None:
        self._edit(f"friction of {', '.join(sorted(names ^ self._bench.simulation.choices.smooth))}", smooth=names)

    def _enter(self, joint: int, friction: Friction) -> None:
        name, rubbing = self._bench.document.robot.joint_names[joint], self._bench.simulation.choices.rubbing
        self._edit(f"friction of {name}", rubbing={**rubbing, name: friction})

    def _edit(self, text: str, gesture: int | None = None, **new) -> None:
        simulation = self._bench.simulation
        now: Figures = {**vars(simulation.choices), "payload": simulation.payload}
        old = {name: now[name] for name in new}
        if not all(_same(old[name], new[name]) for name in new):
            edit = ModelEdit(self._put, old, new, next_gesture() if gesture is None else gesture, text)
            self._bench.document.undo_stack.push(edit)

    def _put(self, figures: Figures) -> None:
        simulation, choices = self._bench.simulation, dict(figures)
        if "payload" in choices:
            simulation.set_payload(choices.pop("payload"))
        if choices:
            simulation.choose(**choices)
        self.show()


def _same(old: object, new: object) -> bool:
    return old is new or (not isinstance(new, Payload) and old == new)
