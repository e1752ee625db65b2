"""What a log would become: the curves of the joints, and the first rows of the file with what each column is taken for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from armature.app.plots.curves import Curves, thinned
from armature.app.plots.plot_signals import title
from armature.app.plots.plot_view import PlotView
from armature.app.state.units import Units, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import choice, named, row
from armature.app.widgets.section import note
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.log_mapping import GROUPS, LogMapping
from armature.engine.recording.measured.log_table import LogTable

if TYPE_CHECKING:
    from armature.engine.recording.measured.log_motion import LogMotion

ROWS, COLUMNS = 12, 60
_CELLS = 1500  # of the time axis
_SHOWN = {"q": "Position", "qd": "Speed", "qdd": "Acceleration", "tau": "Torque"}


class Preview(QWidget):
    """Curves above, rows below."""

    def __init__(self, units: Units, tokens: Tokens):
        super().__init__()
        self._units, self._tokens = units, tokens
        self._motion: LogMotion | None = None
        self._robot: Robot | None = None
        self._measured: dict[str, list[int]] = {}
        self.signal = choice("import_preview_signal", "Curves shown", _SHOWN)
        self.signal.currentIndexChanged.connect(lambda _: self._draw())
        self._legend = note("")
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        self.plot = PlotView("import_preview", "Position")
        self.plot.setMinimumHeight(110)
        self.plot.set_theme(tokens)
        self.rows = named(QTableWidget(), "import_rows", "First rows of the file")
        self.rows.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.rows.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.rows.verticalHeader().hide()
        self.rows.setWordWrap(False)
        self.rows.setMinimumHeight(90)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._words = "Preview of the recording"
        self._title = note(self._words)
        column.addWidget(row(self._title, self.signal, stretch=self._title))
        column.addWidget(self.plot, 3)
        column.addWidget(self._legend)
        column.addWidget(self.rows, 2)

    def show_motion(self, motion: LogMotion | None, robot: Robot) -> None:
        """The curves of a motion; None for none."""
        self._motion, self._robot = motion, robot
        self._draw()

    def set_waiting(self, waiting: bool) -> None:
        """Whether the curves are being computed; those that are there stay meanwhile."""
        self._title.setText("Computing the curves…" if waiting else self._words)

    def _draw(self) -> None:
        motion, robot, group = self._motion, self._robot, str(self.signal.currentData())
        if motion is None or robot is None:
            self.plot.show_curves([], 1.0, "The import has no columns for this plot")
            self._legend.setText("")
            return
        words = title(group, "actual", robot, self._units)
        self.plot.set_title(words)
        self._words = f"Preview of the recording: {words}"
        self._title.setText(self._words)
        factors = np.array([1.0 if group == "tau" else self._units.factor(bool(slides)) for slides in robot.prismatic])
        span = max(float(motion.t[-1]), 1e-3)
        values = {"q": motion.q, "qd": motion.qd, "qdd": motion.qdd, "tau": motion.tau}[group] * factors
        t, values = thinned(motion.t, values, span / _CELLS)
        colours = tuple(self._tokens.series[k % len(self._tokens.series)] for k in range(robot.n))
        self.plot.show_curves([Curves(t, values, robot.joint_names, colours)], span)
        names = (f"<span style='color:{c}'>●</span>&nbsp;{name}" for c, name in zip(colours, robot.joint_names, strict=True))
        self._legend.setText(" &nbsp;".join(names))

    def show_rows(self, table: LogTable, fields: Sequence[Sequence[str]]) -> None:
        """The first rows: as text where the file is one, else as numbers."""
        heads = [str(name) for name in (fields[0] if fields else table.names)][:COLUMNS]
        body = (
            [list(line) for line in fields[1:]]
            if fields
            else [[significant(float(value), 6) for value in line] for line in table.values[:ROWS]]
        )
        self.rows.clear()
        self.rows.setColumnCount(len(heads))
        self.rows.setRowCount(min(ROWS, len(body)))
        self.rows.setFont(fixed_font(0.85))
        for k, line in enumerate(body[:ROWS]):
            for j, text in enumerate(line[: len(heads)]):
                item = QTableWidgetItem(text[:40])
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.rows.setItem(k, j, item)
        self._heads = heads

    def show_roles(self, mapping: LogMapping, joints: Sequence[str]) -> None:
        """What each column is taken for, above its name."""
        roles = dict.fromkeys((mapping.time, *mapping.time.split(" + ")), "t") if mapping.time else {}  # a clock in two columns
        for group in GROUPS:
            for joint, name in zip(joints, mapping.columns(group), strict=True):
                if name:
                    roles[name] = f"{roles[name]}, {group} {joint}" if name in roles else f"{group} {joint}"
        for k, name in enumerate(self._heads):
            role = roles.get(name, "")
            head = QTableWidgetItem(f"{role or '·'}\n{name[:24]}")
            head.setToolTip(f"{name}: {role or 'not used'}")
            head.setForeground(QColor(self._tokens.text if role else self._tokens.muted))
            self.rows.setHorizontalHeaderItem(k, head)
        self.rows.resizeColumnsToContents()
        self.rows.resizeRowsToContents()
