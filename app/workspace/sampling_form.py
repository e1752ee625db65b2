"""The part of the workspace dock that says what is sampled."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QToolButton, QVBoxLayout, QWidget

from armature.app.state.units import number
from armature.app.widgets.controls import check, choice, form, named
from armature.app.widgets.plain_field import WholeField
from armature.app.widgets.section import note


class SamplingForm(QWidget):
    """Fields `samples`, `quantity`, `limits`, `floor`, `contacts`, `seed`, and the joints that move."""

    def __init__(self, quantities: dict[str, str]):
        super().__init__()
        self.samples = self._spin("workspace_samples", "Samples", 1_000, 2_000_000, 100_000)
        self.samples.setSingleStep(10_000)
        self.samples.setGroupSeparatorShown(True)
        self.seed = self._spin("workspace_seed", "Seed", 0, 2**31 - 1, 0)
        self.seed.setToolTip("The same seed gives the same points")
        self.quantity = choice("workspace_quantity", "Colour", quantities)
        tip = "If off, every revolute joint covers a full turn"
        self.limits = check("workspace_limits", "Respect joint limits", tip, on=True)
        self.floor = check(
            "workspace_floor", "Only poses above the floor", "If off, poses with a link below the floor are included", on=True
        )
        tip = "If on, poses in which the arm touches itself, the floor or an object of the cell are excluded"
        self.contacts = check("workspace_contacts", "Without colliding poses", tip)
        self._floor_note = named(note(), "workspace_floor_note")
        self._joints = named(QToolButton(), "workspace_joints", "Joints that move", "The other joints keep their positions")
        self._joints.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self._joints)
        self._joints.setMenu(self._menu)
        fields = {"Samples": self.samples, "Colour": self.quantity, "Joints": self._joints, "": self.limits}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(
            form([*fields.items(), ("", self.floor), ("", self._floor_note), ("", self.contacts), ("Seed", self.seed)])
        )

    @staticmethod
    def _spin(name: str, title: str, low: int, high: int, value: int) -> WholeField:
        field = named(WholeField(), name, title)
        field.setRange(low, high)
        field.setValue(value)
        return field

    def set_joints(self, names: tuple[str, ...]):
        """The joints of another robot, all of them chosen."""
        self._menu.clear()
        for name in names:
            action = self._menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(self._name_joints)
        self._name_joints()

    def show_floor(self, height: float | None):
        """Show the height of the robot's floor, m in W; without one no pose is left out."""
        self.floor.setEnabled(height is not None)
        no_floor = "This arm has no floor (for example, it hangs from a ceiling), so no pose is excluded."
        remark = no_floor if height is None else f"No link below z = {number(height, 3)} m, the height of the robot's floor."
        self._floor_note.setText(remark)

    def chosen_joints(self) -> list[int] | None:
        """The joints that move, None for all."""
        chosen = [k for k, action in enumerate(self._menu.actions()) if action.isChecked()]
        return None if len(chosen) == len(self._menu.actions()) else chosen

    def _name_joints(self, _=False):
        chosen = [action.text() for action in self._menu.actions() if action.isChecked()]
        everything = len(chosen) == len(self._menu.actions())
        self._joints.setText(("all" if everything else ", ".join(chosen) or "none") + "  ▾")
