"""Tab *M · C · g*: the matrices of the equation of motion, now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.equations.matrix_tables import MatrixTables
from armature.app.equations.tab import EquationTab
from armature.app.state.shared_sentences import no_masses
from armature.app.state.shown_motion import shown_motion
from armature.app.widgets.section import note, page

if TYPE_CHECKING:
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench
    from armature.engine.model.robot import Robot


class DynamicsTab(EquationTab):
    """tau = M qdd + C qd + g: the numbers at the pose and motion on screen."""

    title = "M · C · g"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._robot: Robot | None = None
        self._shown: tuple = ()
        self._obstacle, self.tables = note(), MatrixTables()
        above = QWidget()
        content = page(above, "Matrices")
        content.addWidget(self._obstacle)
        content.addWidget(self.tables)
        content.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(above)

    def set_robot(self, robot: Robot) -> None:
        """Tables of its size, or why there are none."""
        self._robot, self._shown = robot, ()
        self.tables.set_robot(robot)
        self.tables.setVisible(robot.has_dynamics)
        self._obstacle.setVisible(not robot.has_dynamics)
        self._obstacle.setText("" if robot.has_dynamics else no_masses(robot.name))

    def follow(self) -> None:
        """The numbers now."""
        bench, robot = self.bench, self._robot
        if robot is None or not robot.has_dynamics:
            return
        q, motion = bench.document.q, shown_motion(bench.simulation, bench.replay, robot.n)
        if not self._shown or not (np.array_equal(q, self._shown[0]) and np.array_equal(motion.qd, self._shown[1])):
            self._shown = np.array(q), np.array(motion.qd)
            self.tables.show_state(robot, q, motion)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the tables."""
        self.tables.set_theme(tokens)
