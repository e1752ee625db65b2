"""The dock that compares runs of a trajectory with known, without and with unknown payload."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.evented import Binder, on
from armature.app.state.units import significant
from armature.app.state.window_state import WindowState
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.icons import pixmap
from armature.app.trajectory.comparison.comparison_model import TIP, TITLE, ComparisonModel
from armature.app.trajectory.comparison.plots import RUNS, ComparisonPlots, run_colours
from armature.app.widgets.computing.computing_panel import ComputingPanel
from armature.app.widgets.controls import choice, form, named, row
from armature.app.widgets.section import note

COLUMNS = {"torque": ("Torque", "Largest torque of the joint"), "error": ("Error", "Largest tracking error of the joint")}


class ComparisonPanel(ComputingPanel):
    """Selected joint, table of the runs with the colours of their curves, and plots."""

    def __init__(self, model: ComparisonModel, state: WindowState):
        super().__init__("load", "load_compare", TITLE, TIP, "Stop the computation")
        self._model, self._state, self._tokens = model, state, LIGHT
        self.joint = choice("load_joint", "Joint shown", {})
        self.joint.currentIndexChanged.connect(lambda k: setattr(model, "joint", max(k, 0)))
        self._swatches = [QLabel() for _ in RUNS]
        self._cells = {
            (run, key): named(QLabel("–"), f"load_{run}_{key}", f"{title}: {COLUMNS[key][0]}")
            for run, title in RUNS.items()
            for key in COLUMNS
        }
        self.plots = ComparisonPlots()
        self.sentence = named(note(), "load_sentence")
        head = form((("Joint", row(self.joint, None, self.compute, self.cancel, spacing=4)),))
        line = self.lay_out("Comparison of payloads", (head, self.progress, self._table(), self.sentence))
        line.addWidget(self.plots, 1)

    def _table(self) -> QWidget:
        table = QWidget()
        grid, right = QGridLayout(table), Qt.AlignmentFlag.AlignRight
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        for column, (key, (title, tip)) in enumerate(COLUMNS.items(), 2):
            head = note(title)
            head.setWordWrap(False)
            head.setToolTip(tip)
            grid.addWidget(head, 0, column, right)
            for k, run in enumerate(RUNS, 1):
                grid.addWidget(self._cells[run, key], k, column, right)
        for k, title in enumerate(RUNS.values()):
            grid.addWidget(self._swatches[k], k + 1, 0)
            grid.addWidget(QLabel(title), k + 1, 1)
        return table

    def bind(self, views: Binder) -> None:
        """Bind the views."""
        model, state = self._model, self._state
        views.bind(self._show_joints, on(model.trajectory, "robot"))
        views.bind(self._show, on(model, "found", "joint", "note"), on(model.trajectory, "robot", "preview"), on(state, "units"))

    def _show_joints(self) -> None:
        self.joint.clear()
        self.joint.addItems(self._model.trajectory.robot.joint_names)

    def _show(self) -> None:
        model, units = self._model, self._state.units
        found, joint, slides = model.found, model.joint, model.is_prismatic
        self.compute.setEnabled(not model.why_not)
        self.compute.setToolTip(model.why_not or TIP)
        self.sentence.setText(model.text(units))
        self.joint.setCurrentIndex(joint)
        for k, run in enumerate(RUNS):
            texts = {"torque": "–", "error": "–"}
            if found is not None:
                texts["torque"] = f"{significant(found.peak_torque[k, joint], 3)} {model.torque_unit}"
                texts["error"] = f"{significant(found.peak_error[k, joint] * units.factor(slides), 3)}{units.suffix(slides)}"
            for key, text in texts.items():
                self._cells[run, key].setText(text)
        self.plots.show_runs(found, joint, model.torque_unit, self._tokens)

    def set_theme(self, tokens: Tokens) -> None:
        """Apply the colours of curves and legend."""
        self._tokens = tokens
        for swatch, colour in zip(self._swatches, run_colours(tokens), strict=True):
            swatch.setPixmap(pixmap("swatch", colour, 14))
        self._show()
