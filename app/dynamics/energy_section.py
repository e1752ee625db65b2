"""Where the arm's energy is, where it came from, and what the integrator got wrong."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.state.units import UNKNOWN, number, significant
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import named
from armature.app.widgets.section import Section, note
from armature.app.widgets.steady import Steady
from armature.engine.rounding import cleared

if TYPE_CHECKING:
    from armature.engine.model.robot import Robot
    from armature.engine.simulation.energy_ledger import Ledger

HAS = {"kinetic": "Kinetic", "potential": "Potential", "start": "Initial", "change": "Change"}
WORK = {"motor": "Motors", "friction": "Friction", "hand": "External", "stop": "Stops", "payload": "Payload, model"}
TIPS = {
    "start": "Kinetic plus potential energy at the start of the run",
    "change": "Current kinetic plus potential energy minus its initial value",
    "hand": "Work by pulling on the arm and by user-defined disturbances",
    "payload": "Energy added by changes of the payload, gravity or model parameters during the run",
}
DECIMALS = 3  # at least
RECORDED = "Work is integrated from the samples; work by stops and by pulling is not recorded."
RESIDUAL = "Residual: {} J, {} of the largest energy term. It is the integration error."


class EnergySection(Section):
    """Change = work of motors, friction, hand, stops and payload + residual."""

    def __init__(self):
        super().__init__("Energy in J")
        widget = self.add(QWidget())
        grid = QGridLayout(widget)
        grid.setContentsMargins(2, 0, 2, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        self._values: dict[str, QLabel] = {}
        for column, parts in ((0, HAS), (2, WORK)):
            for row, (name, title) in enumerate(parts.items()):
                label, value = QLabel(title), QLabel()
                value.setObjectName(f"energy_{name}")
                value.setAccessibleName(f"{title}, J")
                value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                for part in (label, value):
                    part.setToolTip(TIPS.get(name, f"Work by {title.lower()}" if column else f"{title} energy"))
                grid.addWidget(label, row, column)
                grid.addWidget(value, row, column + 1)
                self._values[name] = value
        for column in (1, 3):
            grid.setColumnStretch(column, 1)
        self._residual = named(note(), "energy_residual")
        self.add(Steady(3, self._residual))
        self._largest, self._start, self._decimals = 0.0, 0.0, DECIMALS

    def set_robot(self, robot: Robot):
        """As many decimals as its energies need."""
        self._decimals = decimals_for(sizes_of(robot).torque, DECIMALS)

    def show_state(self, ledger: Ledger):
        """Show the energies and works of a snapshot."""
        if ledger.start != self._start:
            self._start, self._largest = ledger.start, 0.0
        known = [abs(work) for work in ledger.works.values() if isfinite(work)]
        self._largest = max(self._largest, ledger.kinetic, abs(ledger.change), *known)
        shown = {"kinetic": ledger.kinetic, "potential": ledger.potential, "start": ledger.start, "change": ledger.change}
        for name, value in (shown | ledger.works).items():
            self._values[name].setText(number(value, self._decimals) if isfinite(value) else UNKNOWN)
        if not isfinite(ledger.residual):
            self._residual.setText(RECORDED)
            return
        residual = cleared(ledger.residual, self._largest)
        relative = significant(residual / self._largest, 2) if self._largest > 0 else "0"
        self._residual.setText(RESIDUAL.format(significant(residual, 2), relative))

    def set_theme(self):
        """The present size of text."""
        for value in self._values.values():
            value.setFont(fixed_font(0.95))
