"""The dynamics dock: torques explained, what acts on the arm, its energy, its mass matrix and the loads of its links."""

from __future__ import annotations

from dataclasses import fields
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from armature import engine
from armature.app.dynamics.conditions_section import ConditionsSection
from armature.app.dynamics.friction_section import FrictionSection
from armature.app.dynamics.heat_map import HeatMap
from armature.app.dynamics.torque_bars import TorqueBars
from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.state.units import UNKNOWN, number, significant
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import named
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.section import Section, note, page
from armature.app.widgets.steady import Steady
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine.kinematics.poses import body_axes
from armature.engine.model.robot import Robot
from armature.engine.rounding import cleared

if TYPE_CHECKING:
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


LOADS = ("f axial", "f radial", "m axial", "m radial")
LOADS_NOTE = "Force f in N and moment m in N·m that each joint transmits to its link, along and perpendicular to the joint axis. "
LOADS_NOTE += "The motor carries the component along the axis of motion; bearings and links carry the others."
VIEW_TIP = "Forces as arrows, moments as rings. Size: square root of the load; colour: fraction of the largest load  (Shift+L)"
BARS_NOTE = (
    "Terms of M q̈ + C q̇ + g + friction + external + payload + stop; their sum is the motor torque. Each joint has its own scale."
)

NEEDED_NOTE = "Required motor torque for the speeds and accelerations entered in Joints (inverse dynamics). "


class DynamicsPanel(QWidget):
    """Computes and paints only what can be seen."""

    def __init__(self):
        super().__init__()
        content = page(self, "Dynamics")
        self.message = note()
        self.message.setObjectName("dynamics_message")
        content.addWidget(self.message)
        self._torques = Section("Torque explained")
        self.bars = self._torques.add(TorqueBars())
        self.bars.setObjectName("torque_bars")
        self._bars_note = named(note(BARS_NOTE), "torque_bars_note")
        self._torques.add(Steady(5, self._bars_note))
        self.conditions, self.friction, self.energy = ConditionsSection(), FrictionSection(), EnergySection()
        self._mass = Section("Mass matrix M(q)")
        self.mass_matrix = self._mass.add(HeatMap("Mass matrix"))
        self.mass_matrix.setObjectName("mass_matrix")
        self._mass_note = self._mass.add(note())
        self._loads = Section("Joint reactions", open_=False)
        self.loads_in_view = self._loads.add(QCheckBox("Show in the view"))
        self.loads_in_view.setObjectName("loads_in_view")
        self.loads_in_view.setToolTip(VIEW_TIP)
        self.loads = self._loads.add(NumberTable("Joint reactions", "loads", decimals=1, whole=4))
        self.loads.setObjectName("table_loads")
        self._loads.add(note(LOADS_NOTE))
        self._sections = (self._torques, self.conditions, self.friction, self.energy, self._mass, self._loads)
        for section in self._sections:
            content.addWidget(section)
        content.addStretch(1)

    def set_robot(self, robot: Robot, ranges: np.ndarray | None):
        """Parts in the shape of `robot`; `ranges` `(n,)` of its torque sliders, None without dynamics."""
        for section in self._sections:
            section.setVisible(ranges is not None)
        if ranges is None:
            return
        self.conditions.set_robot(robot)
        self.energy.set_robot(robot)
        self.bars.set_joints(robot.joint_names, robot.prismatic, robot.tau_max, ranges)
        units = [["kg·m²", "kg·m", "kg"][int(a) + int(b)] for a in robot.prismatic for b in robot.prismatic]
        rows = tuple(tuple(units[k * robot.n : (k + 1) * robot.n]) for k in range(robot.n))
        self.mass_matrix.set_shape(robot.joint_names, rows)
        sliding = "; kg·m between a revolute and a prismatic joint, kg between prismatic joints" if robot.prismatic.any() else ""
        self._mass_note.setText(f"In kg·m²{sliding}; rotors included. Colour: sign; intensity: square root of the magnitude.")
        sizes = sizes_of(robot)
        decimals = *[decimals_for(sizes.force, 1)] * 2, *[decimals_for(sizes.torque, 1)] * 2
        self.loads.set_shape(robot.tree.joint_names, LOADS, decimals=decimals)

    def tell_needed(self, on: bool):
        """Whether the bars show what a motion would need that a person typed, not what the motors do."""
        self._bars_note.setText(f"{NEEDED_NOTE if on else ''}{BARS_NOTE}")

    def show_remark(self, text: str):
        """What the numbers rest on; empty for the facts."""
        self.message.setText(text)
        self.message.setVisible(bool(text))

    @property
    def in_view(self) -> tuple[bool, ...]:
        """Which of the parts that show a state can be seen."""
        return tuple(on_screen(part) for part in (self.bars, self.energy.body, self.mass_matrix, self.loads))

    def show_state(self, robot: Robot, snapshot, f_ext: np.ndarray | None):
        """A snapshot of `robot`, which holds what its tool holds; `f_ext` `(n_links, 6)` is what pulls on it."""
        if on_screen(self.bars):
            self.bars.show_terms(snapshot.tau_terms, snapshot.tau)
        if on_screen(self.energy.body) and snapshot.ledger is not None:
            self.energy.show_state(snapshot.ledger)
        if on_screen(self.mass_matrix):
            self.mass_matrix.show_values(engine.mass_matrix(robot, snapshot.q))
        if on_screen(self.loads):
            z, _ = body_axes(robot, snapshot.q)
            wrench = engine.link_loads(robot, snapshot.q, snapshot.qd, snapshot.qdd, f_ext).reshape(-1, 2, 3)
            along = np.einsum("ikj,ij->ik", wrench, z)
            across = np.linalg.norm(wrench - along[:, :, None] * z[:, None], axis=2)
            self.loads.numbers.set_values(np.column_stack([along[:, 0], across[:, 0], along[:, 1], across[:, 1]]))

    def show_unknown(self):
        """A sample of which nothing is known: a dash for every number."""
        from armature.engine.simulation.energy_ledger import Ledger  # numba: not before the window is on screen

        self.bars.show_unknown()
        self.energy.show_state(Ledger(*[np.nan] * len(fields(Ledger))))
        self.mass_matrix.show_values(np.full_like(self.mass_matrix.values, np.nan))
        self.loads.numbers.set_values(np.full(self.loads.numbers.values.shape, np.nan))

    def set_theme(self, tokens):
        """Colours and the present size of text."""
        for part in (self.bars, self.mass_matrix, self.loads):
            part.set_theme(tokens)
        self.loads.refit()
        self.conditions.set_theme()
        self.friction.set_theme(tokens)
        self.energy.set_theme()
