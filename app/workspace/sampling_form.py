"""The part of the workspace dock that says what is sampled."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QToolButton, QVBoxLayout, QWidget

from armature.app.widgets.controls import check, choice, form, named
from armature.app.widgets.plain_field import WholeField


class SamplingForm(QWidget):
    """Fields `samples`, `quantity`, `limits`, `seed`, and the joints that move."""

    def __init__(self, quantities: dict[str, str]):
        super().__init__()
        self.samples = self._spin("workspace_samples", "Samples", 1_000, 2_000_000, 100_000)
        self.samples.setSingleStep(10_000)
        self.samples.setGroupSeparatorShown(True)
        self.seed = self._spin("workspace_seed", "Seed", 0, 2**31 - 1, 0)
        self.seed.setToolTip("The same seed gives the same points")
        self.quantity = choice("workspace_quantity", "Coloured by", quantities)
        tip = "Without limits every revolute joint turns once round"
        self.limits = check("workspace_limits", "Keep to the joint limits", tip, on=True)
        self._joints = named(QToolButton(), "workspace_joints", "Joints that move", "The other joints stay where they are")
        self._joints.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self._joints)
        self._joints.setMenu(self._menu)
        fields = {"Samples": self.samples, "Coloured by": self.quantity, "Joints": self._joints, "": self.limits}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(form([*fields.items(), ("Seed", self.seed)]))

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

    def chosen_joints(self) -> list[int] | None:
        """The joints that move, None for all."""
        chosen = [k for k, action in enumerate(self._menu.actions()) if action.isChecked()]
        return None if len(chosen) == len(self._menu.actions()) else chosen

    def _name_joints(self, _=False):
        chosen = [action.text() for action in self._menu.actions() if action.isChecked()]
        everything = len(chosen) == len(self._menu.actions())
        self._joints.setText(("all" if everything else ", ".join(chosen) or "none") + "  ▾")
