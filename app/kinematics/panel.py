"""The kinematics dock: where the tool is, the DH table, the Jacobian and how near a singularity is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from armature.app.kinematics.singularity_readout import SingularitySection
from armature.app.kinematics.tool_pose import ToolPoseSection
from armature.app.state.readouts import Readout
from armature.app.state.units import Units
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.section import Section, note, page
from armature.app.widgets.tables.dh_table import DHTableView
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine.model.robot import Robot

TWIST = ("vx", "vy", "vz", "ωx", "ωy", "ωz")


class KinematicsPanel(QWidget):
    """Shows a `Readout`; works only while it can be seen."""

    thresholds_edited = Signal(float, float)

    def __init__(self, units: Units, warn: float, stop: float):
        super().__init__()
        self._units, self._stale = units, False
        self._robot: Robot | None = None
        self._readout: Readout | None = None
        content = page(self, "Kinematics")
        self.tool = ToolPoseSection(units)
        self._dh_section = Section("DH table")
        self._dh = self._dh_section.add(DHTableView())
        self._dh.setObjectName("table_dh")
        self._dh_note = self._dh_section.add(note())
        self._jacobian_section = Section("Jacobian of the tool")
        self._jacobian = self._jacobian_section.add(NumberTable("Jacobian", "J", decimals=3, whole=1))
        self._jacobian.setObjectName("table_jacobian")
        self._jacobian_note = self._jacobian_section.add(note())
        self._singularity = SingularitySection(warn, stop)
        self._singularity.thresholds_edited.connect(self.thresholds_edited)
        for part in (self.tool, self._singularity, self._jacobian_section, self._dh_section):
            content.addWidget(part)
        content.addStretch(1)

    @property
    def reason(self) -> QWidget:
        """Text that says why the pose is singular."""
        return self._singularity.reason

    def set_robot(self, robot: Robot):
        """Tables in the shape of `robot`."""
        self._robot, self._readout, self._stale = robot, None, False
        self._jacobian.set_shape(TWIST, robot.joint_names)
        self._jacobian_note.setText(f"World axes, reference point: tool origin. Task: {robot.task_text}.")
        self._singularity.set_task(robot)
        self.tool.set_robot(robot)
        self._shape_dh(robot)

    def _shape_dh(self, robot: Robot):
        self._dh_section.setVisible(robot.dh is not None)
        if robot.dh is not None:
            self._dh.set_table(robot.dh, self._units)
            self._dh_note.setText(f"{self._dh.rule} Joint variables are tinted.")

    def show_readout(self, readout: Readout):
        """Show a new readout, or at a `refresh` once it can be seen."""
        self._readout, self._stale = readout, True
        self.refresh()

    def refresh(self):
        """Called by the clock: fills the tables if there is something new and they are seen."""
        robot, readout = self._robot, self._readout
        if not self._stale or robot is None or readout is None or not on_screen(self) or len(readout.q) != robot.n:
            return
        self._stale = False
        self.tool.show_pose(readout.tool, readout.quaternion)
        self._jacobian.numbers.set_values(readout.jacobian)
        self._singularity.show_readout(readout)
        if robot.dh is not None:
            self._dh.show_q(readout.q)

    def set_units(self, units: Units):
        """Show angles and lengths in other units."""
        self._units = units
        self.tool.set_units(units)
        if self._robot is not None:
            self._shape_dh(self._robot)
        self._stale = self._readout is not None

    def set_theme(self, tokens):
        """Colours of tables and bars."""
        for table in (self._dh, self._jacobian):
            table.set_theme(tokens)
            table.refit()
        self.tool.refit()
        self._singularity.set_theme(tokens)
