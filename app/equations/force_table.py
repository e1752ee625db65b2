"""The forces on one mass, told apart: what the joints put on it and its weight make m a of its centre."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.scene.overlays.newton_euler.rnea_walk import RneaWalk
from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named
from armature.app.widgets.section import Section, note
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine.model.robot import Robot

ROWS = ("v, m/s", "a, m/s²", "own joint, N", "next joints, N", "weight, N", "sum, N", "m a, N")
DECIMALS = 4  # at least
ABOUT = "Velocity v and acceleration a of the centre of mass; a excludes the −g added in the recursion. The forces sum to m a."


class ForceTable(QWidget):
    """Seen while a move is about a link."""

    def __init__(self):
        super().__init__()
        self._section = Section("")
        self.table = named(NumberTable("Forces on this link", "forces", DECIMALS), "recursion_forces")
        self._section.add(self.table)
        self._section.add(note(ABOUT))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._section)
        self.hide()

    def set_robot(self, robot: Robot) -> None:
        """As many decimals as its forces need."""
        self.table.set_shape(ROWS, ("x", "y", "z"), decimals=decimals_for(sizes_of(robot).force, DECIMALS))

    def show_body(self, walk: RneaWalk, body: int, in_link: bool) -> None:
        """The forces on a body, in axes of the world or of its link."""
        self.setVisible(body >= 0)
        if body >= 0:
            self._section.header.setText(f"Forces on {walk.link(body)}")
            rows = forces_on(walk, body)
            self.table.numbers.set_values(rows @ walk.X[body, :3, :3] if in_link else rows)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        self.table.refit()
        self.table.set_theme(tokens)


def forces_on(walk: RneaWalk, body: int) -> np.ndarray:
    """`ROWS` in axes of the world, `(7, 3)`: f of its joint, −Σ f of the next ones, and m g make m a."""
    steps, row, m, g = walk.steps, walk.row(body), walk.robot.bodies[body].mass, walk.robot.gravity
    v = steps.v[row] + np.cross(steps.w[row], walk.c[body] - walk.X[body, :3, 3])
    a = steps.a_c[row] + g
    joint = steps.f[row]
    following = -sum((steps.f[walk.row(child)] for child in walk.children(body)), np.zeros(3))
    return np.array([v, a, joint, following, m * g, joint + following + m * g, m * a])
