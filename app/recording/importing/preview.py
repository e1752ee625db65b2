"""Preview of an import: curves of the joints, and the first rows of the file with the use of each column."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem, QWidget

from armature.app.plots.curves import Curves, thinned
from armature.app.plots.plot_signals import title
from armature.app.plots.plot_view import PlotView
from armature.app.recording.importing.import_model import ImportModel
from armature.app.state.evented import Binder, on
from armature.app.state.units import Units, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import choice, fill, named, row
from armature.app.widgets.section import note
from armature.engine.recording.measured.log_mapping import GROUPS
from armature.engine.recording.measured.log_table import LogTable
from armature.engine.recording.measured.text_log import first_rows

ROWS, COLUMNS = 12, 60
_CELLS = 1500  # of the time axis
_SHOWN = {"q": "Position", "qd": "Speed", "qdd": "Acceleration", "tau": "Torque"}


class Preview(QWidget):
    """Curves above, rows below."""

    def __init__(self, model: ImportModel, units: Units, tokens: Tokens):
        super().__init__()
        self._model, self._units, self._tokens, self._heads = model, units, tokens, list[str]()
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
        self._words = "Preview of the recording"
        self.title = named(note(self._words), "import_preview_title")
        head = row(self.title, self.signal, stretch=self.title)
        fill(self, head, self.plot, self._legend, self.rows, stretches=(0, 3, 0, 2))

    def bind(self, views: Binder) -> None:
        """Bind the views."""
        model = self._model
        views.bind(self._draw, on(model, "found"))
        views.bind(self._show_title, on(model, "found", "is_slow"))
        views.bind(self._show_rows, on(model, "table"))
        views.bind(self._show_uses, on(model, "table", "robot", "mapping"))

    def _show_title(self) -> None:
        self.title.setText("Computing the curves…" if self._model.is_slow else self._words)

    def _draw(self) -> None:
        found, group = self._model.found, str(self.signal.currentData())
        if found is None:
            return
        motion, robot = found.motion, found.robot
        words = title(group, "actual", robot, self._units)
        self.plot.set_title(words)
        self._words = f"Preview of the recording: {words}"
        self._show_title()
        factors = np.array([1.0 if group == "tau" else self._units.factor(bool(slides)) for slides in robot.prismatic])
        span = max(float(motion.t[-1]), 1e-3)
        t, values = thinned(motion.t, getattr(motion, group) * factors, span / _CELLS)
        colours = tuple(self._tokens.colour(str(k)) for k in range(robot.n))
        self.plot.show_curves([Curves(t, values, robot.joint_names, colours)], span)
        names = (f"<span style='color:{c}'>●</span>&nbsp;{name}" for c, name in zip(colours, robot.joint_names, strict=True))
        self._legend.setText(" &nbsp;".join(names))

    def _show_rows(self) -> None:
        """Show the first rows as text where the file is text, else as numbers."""
        table = self._model.table
        if table is None:
            return
        self._heads, body = _first_lines(table)
        self.rows.clear()
        self.rows.setColumnCount(len(self._heads))
        self.rows.setRowCount(min(ROWS, len(body)))
        self.rows.setFont(fixed_font(0.85))
        for k, line in enumerate(body[:ROWS]):
            for j, text in enumerate(line[: len(self._heads)]):
                item = QTableWidgetItem(text[:40])
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.rows.setItem(k, j, item)

    def _show_uses(self) -> None:
        """Show the use of each column above its name."""
        mapping, joints = self._model.mapping, self._model.robot.joint_names
        uses = dict.fromkeys((mapping.time, *mapping.time.split(" + ")), "t") if mapping.time else {}  # a clock in two columns
        for group in GROUPS:
            for joint, name in zip(joints, mapping.columns(group)):
                if name:
                    uses[name] = f"{uses[name]}, {group} {joint}" if name in uses else f"{group} {joint}"
        for k, name in enumerate(self._heads):
            use = uses.get(name, "")
            head = QTableWidgetItem(f"{use or '·'}\n{name[:24]}")
            head.setToolTip(f"{name}: {use or 'not used'}")
            head.setForeground(QColor(self._tokens.text if use else self._tokens.muted))
            self.rows.setHorizontalHeaderItem(k, head)
        self.rows.resizeColumnsToContents()
        self.rows.resizeRowsToContents()


def _first_lines(table: LogTable) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns, and the texts of the first rows."""
    form = table.form
    if form is not None and form.names_line:
        fields = [list(line) for line in first_rows(table.path, form, ROWS + 1)]
        if fields:
            return fields[0][:COLUMNS], fields[1:]
    numbers = [[significant(float(value), 6) for value in line] for line in table.values[:ROWS]]
    return [str(name) for name in table.names][:COLUMNS], numbers
